use super::*;

const GRAVITY: Vec2 = Vec2::new(0.0, -9.81);

fn disc() -> Polygon {
    Polygon::circle(Vec2::zeros(), 0.1, 64).unwrap()
}

fn box_() -> Polygon {
    let corners = [(-0.1, -0.05), (0.1, -0.05), (0.1, 0.05), (-0.1, 0.05)];
    Polygon::new(&corners.map(|(x, y)| Vec2::new(x, y))).unwrap()
}

fn bouncer(body: &Polygon, internal_friction: f64) -> Bouncer {
    let moments = body.moments();
    Bouncer {
        mass: 1000.0 * moments.area,
        inertia: 1000.0 * moments.polar(),
        stiffness: 2e6,
        internal_friction,
        diameter: body.diameter(),
    }
}

fn ground() -> Floor {
    Floor::through(Vec2::zeros(), Vec2::y()).unwrap()
}

/// Runs for a time and gives the energies after each step and the heights of the peaks.
fn run(
    body: &Polygon,
    friction: f64,
    mut motion: RigidMotion,
    floor: &Floor,
    time: f64,
) -> (Vec<f64>, Vec<f64>) {
    let bouncer = bouncer(body, friction);
    let h = 0.01 / bouncer.parts(0.01);
    let (mut energies, mut peaks) = (vec![], vec![]);
    for _ in 0..(time / h) as usize {
        let rising = motion.velocity.y > 0.0;
        bouncer.advance(body, &mut motion, &[*floor], GRAVITY, h);
        if rising && motion.velocity.y <= 0.0 {
            peaks.push(motion.position.y);
        }
        energies.push(bouncer.energy(body, &motion, &[*floor], GRAVITY));
    }
    (energies, peaks)
}

fn at(height: f64, angle: f64) -> RigidMotion {
    RigidMotion { position: Vec2::new(0.0, height), angle, ..Default::default() }
}

#[test]
fn the_push_is_the_slope_of_the_energy() {
    let (body, floor) = (box_(), ground());
    let bouncer = bouncer(&body, 0.0);
    let motion = at(0.06, 0.4);
    let energy = |m: RigidMotion| bouncer.energy(&body, &m, &[floor], Vec2::zeros());
    let h = 1e-6;
    let slope = |f: &dyn Fn(f64) -> RigidMotion| -(energy(f(h)) - energy(f(-h))) / (2.0 * h);
    let found = bouncer.reaction(&body, &motion, &[floor], 0.0);
    let force = slope(&|d| at(0.06 + d, 0.4));
    let torque = slope(&|d| at(0.06, 0.4 + d));
    assert!((found.force.norm() - force).abs() < 1e-6 * force, "{} {force}", found.force.norm());
    assert!((found.torque - torque).abs() < 1e-6 * torque.abs(), "{} {torque}", found.torque);
}

#[test]
fn without_friction_a_disc_returns_to_its_height() {
    let (energies, peaks) = run(&disc(), 0.0, at(0.4, 0.0), &ground(), 3.0);
    assert!(peaks.len() >= 4);
    assert!(peaks.iter().all(|p| (p - 0.4).abs() < 2e-3), "{peaks:?}");
    let drift = energies.iter().map(|e| (e / energies[0] - 1.0).abs()).fold(0.0, f64::max);
    println!("energy error without friction: {drift:e}");
    assert!(drift < 3e-3, "{drift}");
}

#[test]
fn a_tilted_box_tumbles_and_keeps_its_energy() {
    let (energies, _) = run(&box_(), 0.0, at(0.3, 0.5), &ground(), 2.0);
    let drift = energies.iter().map(|e| (e / energies[0] - 1.0).abs()).fold(0.0, f64::max);
    println!("energy error of a tumbling box: {drift:e}");
    assert!(drift < 1e-2, "{drift}");
}

#[test]
fn more_internal_friction_bounces_lower_and_gains_no_energy() {
    let mut last = 0.41;
    for friction in [0.0, 1e-4, 1e-3, 1e-2, 0.1, 1.0] {
        let (energies, peaks) = run(&disc(), friction, at(0.4, 0.0), &ground(), 1.5);
        let first = peaks.first().copied().unwrap_or(0.0);
        println!("internal friction {friction} s: first bounce to {first:.4} m");
        assert!(first < last || first == 0.0, "{friction} {first}");
        assert!(peaks.windows(2).all(|p| p[1] < p[0] + 1e-3), "{peaks:?}");
        let most = energies.iter().copied().fold(0.0, f64::max);
        assert!(most < energies[0] * (1.0 + 3e-3), "{friction} {most}");
        last = first;
    }
}

#[test]
fn a_sticky_floor_takes_energy_and_never_gives_any() {
    let wet = ground().with_adhesion(2e4).unwrap();
    let (_, dry) = run(&disc(), 3e-3, at(0.4, 0.0), &ground(), 1.0);
    let (energies, sticky) = run(&disc(), 3e-3, at(0.4, 0.0), &wet, 1.0);
    assert!(sticky[0] < dry[0] - 1e-3, "{sticky:?} {dry:?}");
    assert!(energies.windows(2).all(|e| e[1] < e[0] + 1e-3 * energies[0]));
}

#[test]
fn a_disc_on_a_smooth_slope_slides_with_the_slope_of_gravity() {
    let (body, angle) = (disc(), 0.3f64);
    let floor = Floor::through(Vec2::zeros(), Vec2::new(-angle.sin(), angle.cos())).unwrap();
    let bouncer = bouncer(&body, 0.01);
    let mut motion = at(0.1 / angle.cos(), 0.0);
    let (h, time) = (1e-4, 0.5);
    for _ in 0..(time / h) as usize {
        bouncer.advance(&body, &mut motion, &[floor], GRAVITY, h);
    }
    let down = motion.velocity.dot(&Vec2::new(-angle.cos(), -angle.sin()));
    assert!((down - 9.81 * angle.sin() * time).abs() < 1e-6 * down, "{down}");
    assert!(motion.velocity.dot(&floor.normal()).abs() < 1e-2);
}

#[test]
fn what_is_lost_accounts_for_all_energy() {
    for (adhesion, friction) in [(0.0, 0.0), (0.0, 1e-3), (0.0, 2e-2), (2e4, 3e-3)] {
        let (body, floors) = (box_(), [ground().with_adhesion(adhesion).unwrap()]);
        let bouncer = bouncer(&body, friction);
        let drift = |finer: f64| {
            let (mut motion, h) = (at(0.3, 0.5), 0.01 / (finer * bouncer.parts(0.01)));
            let start = bouncer.energy(&body, &motion, &floors, GRAVITY);
            let (mut lost, mut worst) = (0.0, 0.0f64);
            for _ in 0..(1.0 / h) as usize {
                lost += bouncer.advance(&body, &mut motion, &floors, GRAVITY, h);
                let total = bouncer.energy(&body, &motion, &floors, GRAVITY) + lost;
                worst = worst.max((total / start - 1.0).abs());
            }
            assert!(friction == 0.0 || lost > 0.01 * start);
            (worst, lost / start)
        };
        let [(coarse, lost), (fine, _)] = [drift(1.0), drift(4.0)];
        println!(
            "friction {friction}, adhesion {adhesion}: lost {lost:.3}, unaccounted {coarse:e}, {fine:e}"
        );
        assert!(coarse < 1e-2 && fine < 0.3 * coarse, "{coarse} {fine}");
    }
}
