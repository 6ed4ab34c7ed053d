//! Events of a scene: something happens in mid-motion, and constraints and forces end there.

use aspic::scene::{NoFiles, Scene};
use aspic::{Simulation, Vec3};

/// A block without weight that a field pushes up until it passes a height.
fn pushed(method: &str) -> Simulation {
    let text = format!(
        r#"
        duration = "1 s"
        gravity = 0
        time = {{ method = "{method}", max_step = "2 ms" }}
        contact = {{ enabled = false }}
        output = {{ frame_rate = 10 }}
        [materials.jelly]
        young = "30 kPa"
        poisson = 0.4
        density = 1000
        [bodies.block]
        material = "jelly"
        shape = {{ box = {{ size = [0.1, 0.1, 0.1], cells = [2, 2, 2] }} }}
        [forces.lift]
        on = {{ body = "block" }}
        acceleration = [0, 0, 4]
        [events.high]
        watch = {{ body = "block", name = "top" }}
        passes = {{ z = "55 cm" }}
        ends = ["lift"]
        "#
    );
    Scene::parse(&text).unwrap().build(&NoFiles).unwrap()
}

fn mean_velocity(simulation: &mut Simulation) -> Vec3 {
    let mut last = Vec3::zeros();
    while let Some(frame) = simulation.next_frame().unwrap() {
        last = frame.velocities.iter().sum::<Vec3>() / frame.velocities.len() as f64;
    }
    last
}

#[test]
fn a_push_ends_at_the_very_moment_when_the_body_passes_the_mark() {
    let mut simulation = pushed("rkf45");
    let v = mean_velocity(&mut simulation);
    // ½ a t² = 0.5 m, v = a t
    let (name, t) = simulation.happened().next().unwrap();
    assert_eq!(name, "high");
    assert!((t - 0.5).abs() < 1e-8, "it happened at {t}");
    assert!((v - Vec3::new(0.0, 0.0, 2.0)).norm() < 1e-7, "{v}");
}

#[test]
fn implicit_and_fixed_steps_heed_events_too() {
    for (method, off) in [("bdf2", 2e-3), ("trapezoid", 2e-5), ("velocity-verlet", 1e-6), ("rk4", 1e-8)] {
        let mut simulation = pushed(method);
        let v = mean_velocity(&mut simulation);
        let t = simulation.happened().next().map(|(_, t)| t).unwrap();
        assert!((t - 0.5).abs() < off, "{method}: it happened at {t}");
        assert!((v.z - 4.0 * t).abs() < 2.0 * off, "{method}: {v}");
    }
}

/// A block that hangs on its own vertices and is pulled harder and harder.
fn thread(method: &str) -> Simulation {
    let text = format!(
        r#"
        duration = "2 s"
        time = {{ method = "{method}", max_step = "2 ms" }}
        contact = {{ enabled = false }}
        output = {{ frame_rate = 10 }}
        [materials.jelly]
        young = "30 kPa"
        poisson = 0.4
        density = 1000
        [bodies.block]
        material = "jelly"
        shape = {{ box = {{ size = [0.1, 0.1, 0.1], cells = [1, 1, 1] }} }}
        [constraints.nail]
        hold = {{ body = "block" }}
        [forces.weight]
        on = {{ body = "block" }}
        total = [0, 0, -10]
        keys = [{{ at = "0 s", scale = 0 }}, {{ at = "2 s", scale = 2 }}]
        [events.break]
        constraint = "nail"
        pulls = "15 N"
        ends = ["nail"]
        "#
    );
    Scene::parse(&text).unwrap().build(&NoFiles).unwrap()
}

#[test]
fn a_nail_gives_way_when_it_is_pulled_too_hard() {
    // m g = 9.81 N and 10 N/s: 15 N after 0.519 s.
    for (method, off) in [("rkf45", 1e-3), ("bdf2", 2.1e-3)] {
        let mut simulation = thread(method);
        let v = mean_velocity(&mut simulation);
        let t = simulation.happened().next().map(|(_, t)| t).unwrap();
        assert!((t - 0.519).abs() < off, "{method}: it broke at {t}");
        // ∫ (g + F/m) dt from there on; the vertices are not all pulled alike, so the mean is that of the mass.
        let ledger = simulation.next_frame().unwrap();
        assert!(ledger.is_none() && v.z < -0.9 * (9.81 * (2.0 - t) + 5.0 * (4.0 - t * t)), "{method}: {v}");
    }
}

/// A cube on a crane, which lets go when the top passes a height.
fn lifted(method: &str, height: f64) -> Simulation {
    let text = format!(
        r#"
        duration = "1 s"
        time = {{ method = "{method}", steps = "fixed" }}
        output = {{ frame_rate = 40 }}
        [materials.rubber]
        young = "60 kPa"
        poisson = 0.4
        density = 1000
        shear_viscosity = "40 Pa s"
        [bodies.cube]
        material = "rubber"
        shape = {{ box = {{ size = ["4 cm", "4 cm", "4 cm"], cells = [2, 2, 2] }} }}
        position = [0, 0, "3 cm"]
        [constraints.crane]
        drag = {{ body = "cube", name = "top" }}
        path = [{{ at = "1 s", by = [0, 0, "10 cm"] }}]
        [events.drop]
        watch = {{ body = "cube", name = "top" }}
        passes = {{ z = {height} }}
        ends = ["crane"]
        [obstacles.floor]
        shape = {{ plane = {{ point = [0, 0, 0], normal = [0, 0, 1] }} }}
        "#
    );
    Scene::parse(&text).unwrap().build(&NoFiles).unwrap()
}

/// On the way from 5 to 15 cm, s = 10 u³ − 15 u⁴ + 6 u⁵ of it after the part u of a second.
#[test]
fn a_crane_lets_go_at_any_height_also_at_the_very_end_of_a_step() {
    let passes = |height: f64| {
        let part = |u: f64| u * u * u * (10.0 + u * (6.0 * u - 15.0));
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if 0.05 + 0.1 * part(middle) < height { low = middle } else { high = middle }
        }
        low
    };
    // 10 cm are passed in the middle of the path, which is the end of a frame
    for height in (55..145).step_by(5).map(|millimetres| f64::from(millimetres) * 1e-3) {
        for method in ["bdf2", "backward-euler", "trapezoid"] {
            let mut simulation = lifted(method, height);
            let v = mean_velocity(&mut simulation);
            let t = simulation.happened().next().map(|(_, t)| t).unwrap();
            // implicit steps know their inside as a straight line or a cubic
            assert!((t - passes(height)).abs() < 2e-4, "{method}, {height} m: {t}, not {}", passes(height));
            assert!(v.norm() < 3.0, "{method}, {height} m: {v}");
            let steps = simulation.statistics().steps;
            // the trapezoid goes on its own in many short steps when the cube falls on the floor
            assert!(steps < 200 || method == "trapezoid", "{method}, {height} m: {steps} steps");
        }
    }
}

#[test]
fn the_books_close_over_an_event() {
    let mut simulation = thread("rkf45");
    mean_velocity(&mut simulation);
    assert!(simulation.statistics().audit_relative() < 1e-6, "{:?}", simulation.statistics());
}

#[test]
fn a_run_that_is_taken_up_again_before_or_after_an_event_gives_the_same_bits() {
    for method in ["rkf45", "bdf2", "velocity-verlet"] {
        let frames = |simulation: &mut Simulation| {
            std::iter::from_fn(|| simulation.next_frame().unwrap()).map(|f| f.positions).collect::<Vec<_>>()
        };
        for build in [pushed, thread] {
            let whole = frames(&mut build(method));
            for stop in [2, 5, 8] {
                let mut first = build(method);
                (0..stop).for_each(|_| drop(first.next_frame().unwrap()));
                let mut second = build(method);
                second.restore(first.checkpoint());
                assert_eq!(frames(&mut second), whole[stop..], "{method} from frame {stop}");
                // Back to the start in the same world: what had ended holds again.
                let start = build(method).checkpoint();
                second.restore(start);
                assert_eq!(frames(&mut second), whole, "{method} again");
            }
        }
    }
}

#[test]
fn nonsense_about_events_is_refused_with_a_cure() {
    let base = |event: &str| {
        format!(
            "duration = 1\n[materials.m]\nyoung = 1e4\npoisson = 0.3\ndensity = 1000\n[bodies.b]\nmaterial = \"m\"\n\
             shape = {{ box = {{ size = [1, 1, 1], cells = [1, 1, 1] }} }}\n\
             [constraints.grip]\nhold = {{ body = \"b\", name = \"top\" }}\n[events.e]\n{event}\n"
        )
    };
    let cases = [
        ("ends = [\"grip\"]", "none of `passes`, `faster` and `pulls` is given", "give exactly one of them"),
        ("ends = [\"grip\"]\nfaster = 1", "`faster` needs `watch`", "write watch = "),
        ("ends = [\"grip\"]\npulls = 1", "`pulls` needs `constraint`", "write constraint = "),
        (
            "ends = [\"grip\"]\npulls = 1\nconstraint = \"gripp\"",
            "there is no constraint `gripp`",
            "did you mean \"grip\"?",
        ),
        (
            "ends = [\"gripp\"]\nfaster = 1\nwatch = { body = \"b\" }",
            "there is no constraint or force `gripp`",
            "did you mean",
        ),
        (
            "ends = []\nfaster = 1\nwatch = { body = \"b\" }",
            "the event ends nothing",
            "write ends = [\"grip\"]",
        ),
        ("ends = [\"grip\"]\nfaster = -1\nwatch = { body = \"b\" }", "`faster` must be", "write for example"),
        ("ends = [\"grip\"]\nfaster = 1\nwatch = { body = \"c\" }", "unknown body `c`", "the bodies are `b`"),
        (
            "ends = [\"grip\"]\npasses = { x = 1, z = 1 }\nwatch = { body = \"b\" }",
            "`x` and `z` exclude each other",
            "keep exactly one",
        ),
        (
            "ends = [\"grip\"]\npulls = 1\nconstraint = \"grip\"\nwatch = { body = \"b\" }",
            "`watch` goes only with",
            "remove `watch`",
        ),
    ];
    for (event, message, help) in cases {
        let error = Scene::parse(&base(event)).expect_err(event);
        assert!(error.to_string().contains(message), "{event}: {error}");
        assert!(error.help.as_deref().is_some_and(|given| given.contains(help)), "{event}: {:?}", error.help);
    }
    let on_plane = base("ends = [\"grip\"]\npasses = { z = 0.5 }\nwatch = { body = \"b\", name = \"top\" }");
    let error = Scene::parse(&on_plane).unwrap().build(&NoFiles).err().unwrap();
    assert!(error.to_string().contains("on the plane at the start"), "{error}");
}
