//! Contact by springs: put where surfaces meet, taken away when bodies part.

use aspic::body::SpringSettings;
use aspic::event::Removal;
use aspic::mesh::{Plane, TetMesh, generate};
use aspic::potential::material::Moduli;
use aspic::run::Settings;
use aspic::scene::{NoFiles, Quantity, Scene, Vector};
use aspic::{Material, Simulation, State, Vec3, World, WorldBuilder};
use nalgebra::Rotation3;

/// A fixed sequence of numbers between −1 and 1.
struct Random(u64);

impl Random {
    fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.number(), self.number(), self.number())
    }
}

fn jelly() -> Material {
    Material::elastic(1000.0, Moduli { bulk: 40e3, shear: 15e3 })
}

/// A small body, turned somehow around the origin.
fn lump(random: &mut Random) -> TetMesh {
    let mut mesh = match random.number() > 0.0 {
        true => generate::ball(0.05, 1).unwrap(),
        false => generate::block(Vec3::repeat(0.07), [2; 3]).unwrap(),
    };
    let turn = Rotation3::new(random.vector() * 3.0);
    mesh.positions.iter_mut().for_each(|x| *x = turn * *x);
    mesh
}

fn settings(duration: f64) -> Settings {
    Settings { duration, frame_interval: duration, ..Settings::default() }
}

/// Two bodies without weight on their way to a collision that is hardly ever in the middle.
fn collision(random: &mut Random, settings: SpringSettings) -> (World, State) {
    let mut builder = WorldBuilder::new();
    builder.gravity(Vec3::zeros());
    let [one, mut other] = [lump(random), lump(random)];
    let aside = Vec3::new(0.0, 0.05 * random.number(), 0.05 * random.number());
    other.positions.iter_mut().for_each(|x| *x += Vec3::new(0.15, 0.0, 0.0) + aside);
    let first = one.positions.len();
    builder.solid("one", &one, &jelly(), Default::default()).unwrap();
    builder.solid("other", &other, &jelly(), Default::default()).unwrap();
    builder.springs(settings);
    let (world, mut state) = builder.build().unwrap();
    let speed = 1.0 + 0.8 * random.number();
    state.v[..first].iter_mut().for_each(|v| v.x = speed);
    (world, state)
}

/// Runs until the bodies are well apart again; says how many springs are left, and whether any was ever there.
fn springs_left(world: World, state: State) -> (usize, bool) {
    let mut simulation = Simulation::new(world, state, settings(1.0));
    let mut met = false;
    for k in 1..=100 {
        simulation.advance_to(0.01 * f64::from(k)).unwrap();
        let springs =
            simulation.world().springs.as_ref().unwrap().springs(&simulation.state().memory).count();
        met |= springs > 0;
        let bodies = &simulation.world().topology.bodies;
        let q = &simulation.state().q;
        let reach = |axis: usize, body: usize| {
            let nodes = q[bodies[body].nodes.clone()].iter().map(|x| x[axis]);
            nodes.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| [low.min(x), high.max(x)])
        };
        let apart = |axis: usize| {
            let [one, other] = [reach(axis, 0), reach(axis, 1)];
            one[1] < other[0] || other[1] < one[0]
        };
        if k > 10 && (0..3).any(apart) {
            return (springs, met);
        }
    }
    panic!("the bodies do not part");
}

#[test]
fn no_spring_is_left_when_bodies_have_parted_in_a_thousand_collisions() {
    let mut random = Random(1997);
    let mut met = 0;
    for k in 0..1000 {
        let (world, state) = collision(&mut random, SpringSettings::default());
        let (left, touched) = springs_left(world, state);
        assert_eq!(left, 0, "collision {k}");
        met += usize::from(touched);
    }
    assert!(met > 500, "only {met} collisions");
}

/// How many of fifty collisions on springs so soft that vertices go deep leave springs between bodies after half a
/// second.
fn stuck(removal: Removal) -> usize {
    let mut random = Random(1997);
    let sticks = |_: &i32| {
        let soft = SpringSettings { removal, stiffness: Some(10.0), ..SpringSettings::default() };
        let (world, state) = collision(&mut random, soft);
        let mut simulation = Simulation::new(world, state, settings(0.8));
        simulation.advance_to(0.8).unwrap();
        simulation.world().springs.as_ref().unwrap().springs(&simulation.state().memory).count() > 0
    };
    (0..50).filter(sticks).count()
}

#[test]
fn the_rule_of_1997_leaves_springs_behind_and_ours_does_not() {
    let (paper, outside) = (stuck(Removal::Paper), stuck(Removal::Outside));
    assert!(paper >= 5, "{paper} of 50 collisions leave springs by the rule of 1997");
    assert_eq!(outside, 0);
}

#[test]
fn springs_keep_momentum_and_spin_and_the_ledger_closes() {
    let mut random = Random(7);
    let (world, state) = collision(&mut random, SpringSettings::default());
    let (p, l) = world.inertia.momenta(&state.q, &state.v);
    let mut simulation = Simulation::new(world, state, settings(0.3));
    simulation.next_frame().unwrap();
    simulation.next_frame().unwrap();
    let state = simulation.state().clone();
    let (p_end, l_end) = simulation.world().inertia.momenta(&state.q, &state.v);
    assert!((p_end - p).norm() < 1e-9 * p.norm());
    assert!((l_end - l).norm() < 1e-6 * p.norm() * 0.1, "{l_end} {l}");
    assert!(
        simulation.statistics().audit_relative() < 1e-4,
        "{:e}",
        simulation.statistics().audit_relative()
    );
}

/// Two balls on their way to each other, as a scene.
const MEETING: &str = r#"
    duration = "1 s"
    gravity = 0
    [contact]
    model = "springs"
    removal = "outside"
    sliding = true
    friction = 0.2
    spring_stiffness = "500 N/m"
    [output]
    frame_rate = "200 fps"
    [materials.jelly]
    density = 1000
    bulk = "40 kPa"
    shear = "15 kPa"
    [bodies.one]
    material = "jelly"
    shape = { ball = { radius = "5 cm", rings = 1 } }
    velocity = [1, 0, 0]
    [bodies.other]
    material = "jelly"
    shape = { ball = { radius = "5 cm", rings = 1 } }
    position = ["10.2 cm", "1 cm", 0]
"#;

#[test]
fn a_motion_goes_on_among_its_springs_when_gravity_changes() {
    let mut scene = Scene::parse(MEETING).unwrap();
    let mut simulation = scene.build(&NoFiles).unwrap();
    let count = |simulation: &Simulation| {
        simulation.world().springs.as_ref().unwrap().springs(&simulation.state().memory).count()
    };
    while count(&simulation) == 0 {
        simulation.next_frame().unwrap().expect("the balls meet within a second");
    }
    let before = count(&simulation);
    scene.gravity.0 = Vector::new(0.0, 0.0, -1.0);
    let mut simulation = scene.carry_over(&NoFiles, &simulation, &[], scene.settings()).unwrap();
    assert_eq!(count(&simulation), before);
    while count(&simulation) > 0 {
        simulation.next_frame().unwrap().expect("the balls part within a second");
    }
    assert!(simulation.statistics().audit_relative() < 1e-3);
}

#[test]
fn a_cloth_has_no_inside_and_cannot_meet_by_springs() {
    let cloth = "[bodies.cloth]\nmaterial = \"jelly\"\n\
                 cloth = { size = [1, 1], cells = [4, 4], thickness = \"1 mm\" }\nposition = [0, 0, 1]\n";
    let error = Scene::parse(&format!("{MEETING}{cloth}")).unwrap().build(&NoFiles).err().unwrap();
    assert!(error.message.contains("the surface of `cloth` is not closed"), "{error}");
}

/// A block on the half-space z < 0 that slides at 1 m/s along x.
fn sliding(friction: Option<f64>) -> (World, State) {
    let mut mesh = generate::block(Vec3::new(0.1, 0.1, 0.03), [3, 3, 1]).unwrap();
    mesh.positions.iter_mut().for_each(|x| x.z += 0.0151);
    let mut builder = WorldBuilder::new();
    let mut material = jelly();
    material.viscosity.shear = 100.0;
    builder.gravity(Vec3::new(0.0, 0.0, -9.81));
    builder.solid("block", &mesh, &material, Default::default()).unwrap();
    builder.add_plane("floor", Plane { point: Vec3::zeros(), normal: Vec3::z() });
    builder.springs(SpringSettings { friction, ..SpringSettings::default() });
    let (world, mut state) = builder.build().unwrap();
    state.v.iter_mut().for_each(|v| v.x = 1.0);
    (world, state)
}

fn way_of_centre(world: World, state: State, time: f64) -> f64 {
    let start = world.inertia.center(&state.q, 0..world.nodes()).x;
    let mut simulation = Simulation::new(world, state, settings(time));
    while simulation.next_frame().unwrap().is_some() {}
    let audit = simulation.statistics().audit_relative();
    assert!(audit < 1e-3, "audit {audit:e}");
    let world = simulation.world();
    world.inertia.center(&simulation.state().q, 0..world.nodes()).x - start
}

#[test]
fn a_block_slides_as_far_as_friction_lets_it() {
    // It stops after v/(μ g) and has gone v²/(2 μ g) then.
    let (world, state) = sliding(Some(0.3));
    let way = way_of_centre(world, state, 0.6);
    let expected = 1.0 / (2.0 * 0.3 * 9.81);
    assert!((way / expected - 1.0).abs() < 0.05, "{way} m instead of {expected} m");
}

#[test]
fn a_block_on_springs_that_stick_stops_where_it_touches() {
    let (world, state) = sliding(None);
    let way = way_of_centre(world, state, 0.3);
    assert!(way < 0.05, "{way} m");
}

#[test]
fn a_run_that_is_taken_up_again_among_springs_gives_the_same_bits() {
    let build = || {
        let (world, state) = collision(&mut Random(3), SpringSettings::default());
        Simulation::new(
            world,
            state,
            Settings { duration: 0.2, frame_interval: 0.005, ..Settings::default() },
        )
    };
    let mut whole = build();
    let mut checkpoint = None;
    while let Some(frame) = whole.next_frame().unwrap() {
        let springs = whole.world().springs.as_ref().unwrap();
        if springs.springs(&whole.state().memory).count() > 0 && checkpoint.is_none() {
            checkpoint = Some((frame.index, whole.checkpoint()));
        }
    }
    let (_, checkpoint) = checkpoint.expect("the bodies meet");
    let mut again = build();
    again.restore(checkpoint);
    while again.next_frame().unwrap().is_some() {}
    assert_eq!(again.state(), whole.state());
}

#[test]
fn springs_that_push_the_wrong_way_are_refused() {
    let mut builder = WorldBuilder::new();
    builder.solid("ball", &generate::ball(0.05, 1).unwrap(), &jelly(), Default::default()).unwrap();
    builder.springs(SpringSettings { stiffness: Some(-1.0), ..SpringSettings::default() });
    let error = builder.build().err().unwrap().to_string();
    assert!(error.starts_with("the stiffness of contact springs cannot be -1"), "{error}");
}

#[test]
fn a_spring_that_makes_steps_absurdly_short_is_named_with_a_stiffness_that_would_not() {
    let mut scene = Scene::parse(MEETING).unwrap();
    assert_eq!(scene.build(&NoFiles).unwrap().stiffest(), None);
    scene.contact.as_mut().unwrap().spring_stiffness = Some(Quantity::new(1e12));
    let found = scene.build(&NoFiles).unwrap().stiffest().unwrap();
    assert!(found.what.starts_with("a contact spring at `"), "{found}");
    assert!(found.to_string().contains("times shorter than the bodies need"), "{found}");
    // What it suggests asks for no shorter steps.
    scene.contact.as_mut().unwrap().spring_stiffness = Some(Quantity::new(found.enough));
    assert_eq!(scene.build(&NoFiles).unwrap().stiffest(), None);
    let step = 2.8 * (found.enough / found.stiffness).sqrt() / (2.8 / found.own_step);
    assert!((step - found.step).abs() < 1e-9 * found.step, "{found:?}");
}
