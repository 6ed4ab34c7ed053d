use super::super::Substance;
use super::super::solids::{cylinder, ellipsoid, floor};
use super::super::space_bouncer::force;
use super::*;

pub const GRAVITY: Vec3 = Vec3::new(0.0, 0.0, -9.81);
pub const H: f64 = 1.0 / 240.0;

pub fn soft(internal_friction: f64) -> JellyNumbers {
    JellyNumbers::new(Substance { young: 2e4, poisson: 0.45, internal_friction, density: 1000.0 })
}

/// A solid, turned by `tilt` about y and lifted.
pub fn made(solid: (Vec<Vec3>, Vec<[u32; 3]>), tilt: f64, height: f64, numbers: JellyNumbers) -> Jelly {
    let turn = nalgebra::UnitQuaternion::from_scaled_axis(tilt * Vec3::y());
    let mesh = ClosedMesh::new(&solid.0, &solid.1).unwrap();
    Jelly::new(&mesh.mapped(|x| turn * x + height * Vec3::z()), numbers).unwrap()
}

pub fn ball() -> (Vec<Vec3>, Vec<[u32; 3]>) {
    ellipsoid(Vec3::repeat(0.1), 40, 50)
}

pub fn egg() -> (Vec<Vec3>, Vec<[u32; 3]>) {
    ellipsoid(Vec3::new(0.14, 0.1, 0.08), 40, 50)
}

pub fn can() -> (Vec<Vec3>, Vec<[u32; 3]>) {
    cylinder(0.1, 0.15, 50)
}

pub fn shown(jelly: &Jelly, memory: &[f64]) -> [Vec<Vec3>; 2] {
    let mut both = [vec![Vec3::zeros(); jelly.points()], vec![Vec3::zeros(); jelly.points()]];
    let [places, velocities] = &mut both;
    jelly.show(memory, places, velocities);
    both
}

pub fn run(jelly: &Jelly, memory: &mut [f64], steps: usize) -> f64 {
    (0..steps).map(|_| jelly.step(memory, &[floor(0.0)], GRAVITY, H).unwrap()).sum()
}

/// How the body's third axis leans from the vertical  \[rad\].
fn lean(memory: &[f64], up: Vec3) -> f64 {
    let leaning = (SpaceMotion::read(memory).orientation * up).z.abs();
    leaning.min(1.0).acos()
}

#[test]
fn at_the_start_it_is_where_its_mesh_is() {
    let jelly = made(egg(), 0.4, 0.3, soft(0.0));
    let turn = nalgebra::UnitQuaternion::from_scaled_axis(0.4 * Vec3::y());
    let [places, velocities] = shown(&jelly, &jelly.start());
    assert!(egg().0.iter().zip(&places).all(|(x, y)| (turn * x + 0.3 * Vec3::z() - y).norm() < 1e-12));
    assert!(velocities.iter().all(|v| v.norm() == 0.0));
}

#[test]
fn bodies_land_stay_above_the_floor_and_account_for_their_energy() {
    for (name, solid, tilt) in [("ball", ball(), 0.0), ("ellipsoid", egg(), 0.5), ("cylinder", can(), 0.4)] {
        for numbers in [soft(5e-3), soft(5e-3).sticky(300.0, 0.01)] {
            let jelly = made(solid.clone(), tilt, 0.3, numbers);
            let mut memory = jelly.start();
            let total = |memory: &[f64]| jelly.energies(memory, &[floor(0.0)], GRAVITY).iter().sum::<f64>();
            let (start, mut lost, mut last, mut worst) = (total(&memory), 0.0, total(&memory), 0.0f64);
            let (mut lowest, mut farthest) = (0.0f64, 0.0f64);
            for _ in 0..180 {
                lost += run(&jelly, &mut memory, 1);
                let [places, _] = shown(&jelly, &memory);
                lowest = places.iter().map(|x| x.z).fold(lowest, f64::min);
                farthest = memory[13..13 + 3 * jelly.points()].iter().fold(farthest, |m, u| m.max(u.abs()));
                worst = worst.max(((total(&memory) + lost) / start - 1.0).abs());
                assert!(total(&memory) < last + 2e-3 * start, "{name}");
                last = total(&memory);
            }
            println!(
                "{name}, adhesion {}: lowest {lowest:e} m, largest displacement {farthest:.4} m, unaccounted {worst:e}",
                numbers.adhesion
            );
            assert!(lowest > -1e-12 && worst < 5e-3 && farthest < 0.12, "{name} {lowest} {worst} {farthest}");
        }
    }
}

#[test]
fn internal_friction_lowers_the_bounce() {
    let peak = |friction: f64| {
        let jelly = made(ball(), 0.0, 0.4, soft(friction));
        let (mut memory, mut hit, mut highest) = (jelly.start(), false, 0.0f64);
        for _ in 0..200 {
            run(&jelly, &mut memory, 1);
            hit |= memory[2] < 0.1;
            highest = highest.max(if hit { memory[2] } else { 0.0 });
        }
        highest
    };
    let peaks = [0.0, 2e-3, 1e-2, 5e-2].map(peak);
    println!("first bounce of a ball dropped from 0.4 m: {peaks:?}");
    assert!((peaks[0] - 0.4).abs() < 0.01 && peaks.windows(2).all(|p| p[1] < p[0] - 5e-3), "{peaks:?}");
}

#[test]
fn at_rest_the_ground_carries_the_weight() {
    for (solid, height) in [(ball(), 0.1), (can(), 0.075)] {
        let jelly = made(solid, 0.0, height, soft(0.05));
        let mut memory = jelly.start();
        run(&jelly, &mut memory, 480);
        let motion = SpaceMotion::read(&memory);
        let [wrench, _] = jelly.bouncer().reaction(&jelly.mesh, &motion, &[floor(0.0)], 0.0);
        let (carried, weight) = (motion.orientation * force(&wrench), 9.81 * jelly.mass());
        let [places, velocities] = shown(&jelly, &memory);
        let fastest = velocities.iter().map(|v| v.norm()).fold(0.0, f64::max);
        let top = places.iter().map(|x| x.z).fold(0.0, f64::max);
        println!("carried {} of {weight} N, fastest point {fastest:e} m/s, top at {top:.4} m", carried.z);
        assert!((carried - weight * Vec3::z()).norm() < 1e-3 * weight && fastest < 1e-3);
        assert!(top < 2.0 * height - 1e-3);
    }
}

#[test]
fn a_sticking_cylinder_vibrates_after_landing_and_comes_to_rest() {
    let swings = |numbers: JellyNumbers| {
        let jelly = made(can(), 0.0, 0.2, numbers);
        let (mut memory, top) = (jelly.start(), jelly.points() - 1);
        let (mut signs, mut last, mut flew) = (0, -1.0, 0);
        for step in 0..480 {
            run(&jelly, &mut memory, 1);
            let [places, velocities] = shown(&jelly, &memory);
            let speed = velocities[top].z;
            signs += usize::from(speed.abs() > 2e-3 && speed * last < 0.0);
            last = if speed.abs() > 2e-3 { speed } else { last };
            let lowest = places.iter().map(|x| x.z).fold(1.0, f64::min);
            flew += usize::from(step > 45 && lowest > 5e-3);
        }
        let [_, velocities] = shown(&jelly, &memory);
        (signs, velocities.iter().map(|v| v.norm()).fold(0.0, f64::max), flew)
    };
    let (signs, speed, flew) = swings(soft(4e-3).sticky(3000.0, 0.02));
    let (dry, _, flew_dry) = swings(soft(4e-3));
    println!(
        "sticky: {signs} sign changes of the top, fastest point at the end {speed:e} m/s, {flew} steps in the air"
    );
    println!("dry: {dry} sign changes, {flew_dry} steps in the air");
    assert!(signs >= 6 && speed < 0.02 && flew == 0);
}

#[test]
fn a_tilted_cylinder_turns_upright() {
    for numbers in [soft(1e-2), soft(1e-2).sticky(1000.0, 0.01)] {
        let jelly = made(can(), 0.35, 0.2, numbers);
        let mut memory = jelly.start();
        let up = jelly.motion.orientation.inverse()
            * (nalgebra::UnitQuaternion::from_scaled_axis(0.35 * Vec3::y()) * Vec3::z());
        let before = lean(&memory, up);
        run(&jelly, &mut memory, 480);
        let [_, velocities] = shown(&jelly, &memory);
        let fastest = velocities.iter().map(|v| v.norm()).fold(0.0, f64::max);
        println!(
            "leans by {before:.3} at first and {:.4} at the end, fastest point {fastest:e} m/s",
            lean(&memory, up)
        );
        assert!((before - 0.35).abs() < 1e-6 && lean(&memory, up) < 0.02 && fastest < 0.05);
    }
}
