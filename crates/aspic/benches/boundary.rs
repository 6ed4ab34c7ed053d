//! Boundary elements: steps and frames a second on one thread. `cargo bench --workspace --bench boundary`.
//!
//! A disc of 64 vertices in the plane, a jelly of about 2000 surface vertices by two sections, and a ring of 1000 vertices
//! in space on which a plate rolls, so that contact changes in every frame; the last against a fresh solve. And a ring of
//! 4000 vertices, whose matrices are compressed.

use std::error::Error;
use std::fmt::Write as _;
use std::time::Instant;

use aspic::Vec3;
use aspic::boundary::plane::{
    ClosedMesh, Floor, Grip, HalfSpace, Jelly, JellyNumbers, PlaneBody, Polygon, Puppet, Substance, Vec2,
};
use aspic::boundary::solid::{
    Condition, Known, LinearForce, Load, Matrix, Medium, Operator, Surface, System,
};
use aspic::mesh::{TriangleSurface, generate};

const JELLY: Substance = Substance { young: 2e4, poisson: 0.45, internal_friction: 4e-3, density: 1000.0 };

/// Steps a second of a disc that falls and bounces, over 4 s in steps of 2 ms.
fn disc() -> Result<f64, Box<dyn Error>> {
    let mut body = PlaneBody::new(&Polygon::circle(Vec2::new(0.0, 0.3), 0.1, 64)?, JELLY)?;
    let floor = [Floor::through(Vec2::zeros(), Vec2::y())?];
    let (clock, steps) = (Instant::now(), 2000);
    for _ in 0..steps {
        body.step(&floor, Vec2::new(0.0, -9.81), 2e-3)?;
    }
    Ok(f64::from(steps) / clock.elapsed().as_secs_f64())
}

/// Vertices, and frames a second, of a sticky jelly that lands, with so many steps in each frame of 1/60 s.
fn jelly(steps: usize) -> Result<[f64; 2], Box<dyn Error>> {
    let mut mesh = generate::cylinder(0.08, 0.12, 13, 26)?;
    let turn = nalgebra::Rotation3::new(Vec3::new(0.0, 0.3, 0.0));
    mesh.positions.iter_mut().for_each(|x| *x = turn * *x + Vec3::new(0.0, 0.0, 0.2));
    let surface = TriangleSurface::of(&mesh);
    let numbers = JellyNumbers { adhesion: 3e3, reach: 0.02, grip: Grip::Stick, ..JellyNumbers::new(JELLY) };
    let jelly = Jelly::new(&ClosedMesh::new(&surface.positions, &surface.triangles)?, numbers)?;
    let ground = [HalfSpace { point: Vec3::zeros(), normal: Vec3::z() }];
    let (mut memory, count) = (jelly.start(), jelly.points());
    let (mut places, mut velocities) = (vec![Vec3::zeros(); count], vec![Vec3::zeros(); count]);
    let (clock, frames) = (Instant::now(), 180);
    for _ in 0..frames {
        for _ in 0..steps {
            jelly.step(&mut memory, &ground, Vec3::new(0.0, 0.0, -9.81), 1.0 / (60.0 * steps as f64))?;
        }
        jelly.show(&memory, &mut places, &mut velocities);
    }
    Ok([count as f64, f64::from(frames) / clock.elapsed().as_secs_f64()])
}

/// What a plate that rolls over a ring of 1000 vertices costs: seconds to set up, frames a second, seconds of a fresh
/// solve, most contacts, and the largest difference between both.
fn ring() -> Result<[f64; 5], Box<dyn Error>> {
    let mesh = TriangleSurface::of(&generate::torus(0.12, 0.04, 40, 25)?);
    let clock = Instant::now();
    let operator = Operator::new(Surface::new(mesh.positions, mesh.triangles)?, Medium::new(3e4, 0.4)?);
    let x = operator.surface().vertices().to_vec();
    let held = |x: &Vec3| x.z < -0.035;
    let conditions = |touched: &dyn Fn(usize) -> bool| -> Vec<Condition> {
        let one = |(i, x): (usize, &Vec3)| match held(x) {
            true => Condition::held(),
            false => {
                let mut condition = Condition::slip(&Vec3::z());
                condition.known[0] = if touched(i) { Known::Displacement } else { Known::Traction };
                condition
            }
        };
        x.iter().enumerate().map(one).collect()
    };
    let (zero, load) = (vec![Vec3::zeros(); x.len()], Load::none(&operator));
    let system = System::new(&operator, conditions(&|_| false))?;
    let tops: Vec<usize> = (0..x.len()).filter(|&i| x[i].z > 0.02).collect();
    let places: Vec<usize> = tops.iter().map(|i| 3 * i).collect();
    let mut green = system.green(&places, places.len())?;
    let start = system.reference(&zero, &load)?;
    let reference: Vec<f64> = places.iter().map(|&place| start.known[place]).collect();
    let (mut answer, mut solution) = (vec![0.0; start.answer.len()], system.solve(&zero, &load)?);
    let set_up = clock.elapsed().as_secs_f64();
    // The plate leans to the side that a turning arm points to; vertices above it at rest are pressed down to it.
    let depth = |frame: usize, i: usize| {
        let angle = frame as f64 * 0.05;
        x[i].z - 0.036 - 0.02 * (x[i].x * angle.cos() + x[i].y * angle.sin())
    };
    let (mut known, mut most) = (vec![0.0; tops.len()], 0);
    let (clock, frames) = (Instant::now(), 300);
    for frame in 0..frames {
        for (k, &i) in tops.iter().enumerate() {
            known[k] = -depth(frame, i);
            if depth(frame, i) > 0.0 { green.enter(k)? } else { green.leave(k)? }
        }
        green.solve(&start.answer, &reference, &known, &mut answer)?;
        system.switched(&green, &start, &known, &answer, &mut solution)?;
        most = most.max(green.active().len());
    }
    let rate = f64::from(frames as u32) / clock.elapsed().as_secs_f64();
    let clock = Instant::now();
    let slot = |i: usize| tops.iter().position(|&top| top == i).filter(|&k| green.is_active(k));
    let fresh = System::new(&operator, conditions(&|i| slot(i).is_some()))?;
    let mut values = zero.clone();
    (0..x.len()).filter_map(|i| Some((i, slot(i)?))).for_each(|(i, k)| values[i].x = known[k]);
    let exact = fresh.solve(&values, &load)?;
    let again = clock.elapsed().as_secs_f64();
    let size = exact.displacements.iter().map(|u| u.amax()).fold(0.0, f64::max);
    let off = solution.displacements.iter().zip(&exact.displacements).map(|(a, b)| (a - b).amax());
    Ok([set_up, rate, again, most as f64, off.fold(0.0, f64::max) / size])
}

/// A ring of 4000 vertices under its weight: seconds to compress its matrices, the share of their entries that is kept,
/// and seconds to solve.
fn large_ring() -> Result<[f64; 3], Box<dyn Error>> {
    let mesh = TriangleSurface::of(&generate::torus(0.12, 0.04, 100, 40)?);
    let clock = Instant::now();
    let operator = Operator::new(Surface::new(mesh.positions, mesh.triangles)?, Medium::new(3e4, 0.4)?);
    let built = clock.elapsed().as_secs_f64();
    let kept = |matrix: &Matrix| match matrix {
        Matrix::Compressed(matrix) => matrix.numbers() as f64 / (matrix.order() as f64).powi(2),
        Matrix::Dense(_) => 1.0,
    };
    let share = 0.5 * (kept(operator.h()) + kept(operator.g()));
    let x = operator.surface().vertices();
    let weight = Load::none(&operator).volume(&operator, &LinearForce::uniform(Vec3::z() * -9810.0));
    let clock = Instant::now();
    let held = |x: &Vec3| if x.z < -0.035 { Condition::held() } else { Condition::free() };
    let system = System::new(&operator, x.iter().map(held).collect())?;
    system.solve(&vec![Vec3::zeros(); x.len()], &weight)?;
    Ok([built, share, clock.elapsed().as_secs_f64()])
}

fn main() -> Result<(), Box<dyn Error>> {
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global()?;
    let mut table = String::from("what,figure\n");
    let disc = disc()?;
    println!("disc of 64 vertices: {disc:.0} steps a second");
    let _ = writeln!(table, "steps a second of a disc of 64 vertices,{disc:.0}");
    for steps in [1, 4] {
        let [vertices, rate] = jelly(steps)?;
        println!(
            "jelly of {vertices} vertices by two sections, {steps} steps a frame: {rate:.0} frames a second"
        );
        let _ = writeln!(
            table,
            "frames a second of a jelly of {vertices} vertices with {steps} steps each,{rate:.0}"
        );
    }
    let [set_up, rate, again, most, off] = ring()?;
    println!(
        "ring of 1000 vertices under a rolling plate, up to {most} contacts: {rate:.0} frames a second; set up in {set_up:.1} s, \
         a fresh solve takes {again:.2} s; they differ by {off:.1e}"
    );
    let _ =
        writeln!(table, "frames a second of a ring of 1000 vertices with up to {most} contacts,{rate:.0}");
    let _ = writeln!(table, "seconds to set it up,{set_up:.2}\nseconds of a fresh solve,{again:.2}");
    let [built, share, solved] = large_ring()?;
    println!(
        "ring of 4000 vertices: compressed to {share:.2} of its entries in {built:.1} s, solved in {solved:.1} s"
    );
    let _ = writeln!(table, "share of the entries of a ring of 4000 vertices,{share:.3}");
    let _ = writeln!(table, "seconds to compress them,{built:.1}\nseconds to solve,{solved:.1}");
    std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/benches/results/boundary.csv"), table)?;
    Ok(())
}
