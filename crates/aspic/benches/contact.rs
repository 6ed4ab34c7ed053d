//! Seconds per frame of implicit steps with contact: `cargo bench -p aspic --bench contact [-- NAME…]`.
//!
//! Everything at 60 fixed steps a second: a heap of ten tori, soft cubes dropped on a floor, cantilevers. One thread unless
//! `RAYON_NUM_THREADS` says otherwise. The table goes to `benches/results/contact.csv` when all cases were run.

use std::error::Error;
use std::fmt::Write;
use std::time::Instant;

use aspic::body::ContactSettings;
use aspic::integrate::{ImplicitSettings, NewtonSettings, Profile, Scheme};
use aspic::kinetic::MassModel;
use aspic::mesh::{Plane, TetMesh, generate};
use aspic::potential::material::{LawName, Moduli};
use aspic::run::Method;
use aspic::{Material, Settings, Simulation, Vec3, WorldBuilder};

/// A case: name, simulated time \[s\], and how its world is put together.
struct Case {
    name: &'static str,
    duration: f64,
    build: fn(&mut WorldBuilder) -> Result<(), Box<dyn Error>>,
}

const CASES: [Case; 6] = [
    Case { name: "heap of ten tori, 4 800 tets", duration: 2.0, build: heap },
    Case { name: "soft cube, 5 000 tets", duration: 1.0, build: |b| cube(b, 10) },
    Case { name: "soft cube, 50 000 tets", duration: 0.5, build: |b| cube(b, 22) },
    Case { name: "cantilever, 1 000 tets", duration: 1.0, build: |b| cantilever(b, [12, 4, 4]) },
    Case { name: "cantilever, 10 000 tets", duration: 1.0, build: |b| cantilever(b, [26, 9, 9]) },
    Case { name: "cantilever, 100 000 tets", duration: 0.5, build: |b| cantilever(b, [60, 18, 18]) },
];

fn soft() -> Result<Material, Box<dyn Error>> {
    Ok(Material::elastic(1000.0, Moduli::from_young_poisson(8e4, 0.4)?))
}

fn floor(builder: &mut WorldBuilder) -> Result<(), Box<dyn Error>> {
    builder.add_plane("floor", Plane::new(Vec3::zeros(), Vec3::z())?);
    Ok(())
}

/// Adds a body with every vertex moved.
fn place(
    builder: &mut WorldBuilder,
    name: &str,
    mesh: &TetMesh,
    pose: impl Fn(&Vec3) -> Vec3,
) -> Result<(), Box<dyn Error>> {
    let body = builder.solid(name, mesh, &soft()?, MassModel::Consistent)?;
    let nodes = builder.nodes(body);
    builder.positions()[nodes].iter_mut().for_each(|x| *x = pose(x));
    Ok(())
}

/// Ten tori above a floor, each turned and tilted in its own way.
fn heap(builder: &mut WorldBuilder) -> Result<(), Box<dyn Error>> {
    let mesh = generate::torus(0.1, 0.03, 20, 8)?;
    for k in 0..10 {
        let number = f64::from(k);
        let turn = nalgebra::Rotation3::from_axis_angle(&Vec3::x_axis(), 0.5 * (1.7 * number).sin())
            * nalgebra::Rotation3::from_axis_angle(&Vec3::z_axis(), 0.4 * number);
        let (x, y) = (0.05 * (2.3 * number).sin(), 0.05 * (1.1 * number).cos());
        let up = Vec3::new(x, y, 0.12 + 0.13 * number);
        place(builder, &format!("torus {k}"), &mesh, |x| turn * x + up)?;
    }
    builder.contact(ContactSettings { friction: 0.3, ..ContactSettings::default() });
    floor(builder)
}

fn cube(builder: &mut WorldBuilder, cells: usize) -> Result<(), Box<dyn Error>> {
    let mesh = generate::block(Vec3::repeat(0.2), [cells; 3])?;
    place(builder, "cube", &mesh, |x| x + Vec3::new(0.0, 0.0, 0.15))?;
    builder.contact(ContactSettings { friction: 0.3, ..ContactSettings::default() });
    floor(builder)
}

fn cantilever(builder: &mut WorldBuilder, cells: [usize; 3]) -> Result<(), Box<dyn Error>> {
    let mesh = generate::beam(1.0, 0.2, 0.2, cells)?;
    let moduli = Moduli::from_young_poisson(1e6, 0.4)?;
    let material = Material { law: LawName::NeoHookean, ..Material::elastic(1000.0, moduli) };
    builder.solid("beam", &mesh, &material, MassModel::Consistent)?;
    let wall = |i: &u32| mesh.positions[*i as usize].x < 1e-9;
    let held: Vec<u32> = (0..mesh.positions.len() as u32).filter(wall).collect();
    builder.hold("wall", &held);
    Ok(())
}

/// A simulation of a case by backward Euler, 60 steps a second.
fn simulation(case: &Case, newton: NewtonSettings) -> Result<Simulation, Box<dyn Error>> {
    let mut builder = WorldBuilder::new();
    builder.gravity(Vec3::new(0.0, 0.0, -9.81));
    (case.build)(&mut builder)?;
    let (world, state) = builder.build()?;
    let scheme = Scheme::BackwardEuler;
    let method =
        Method::Implicit(ImplicitSettings { scheme, newton, fixed: true, ..ImplicitSettings::default() });
    let mut settings =
        Settings { duration: case.duration, frame_interval: 1.0 / 60.0, method, ..Settings::default() };
    settings.limits.max_step = 1.0 / 60.0;
    Ok(Simulation::new(world, state, settings))
}

/// Largest distance of any vertex in any frame from where exact backward Euler puts it \[mm\]; nothing for cases with
/// contact, where two paths part, and for the largest, which would take long.
fn error(case: &Case) -> Result<Option<f64>, Box<dyn Error>> {
    if !case.name.starts_with("cantilever") || case.name.contains("100 000") {
        return Ok(None);
    }
    let exact = NewtonSettings { tolerance: Some(1e-9), linear_tolerance: 1e-8, ..NewtonSettings::default() };
    let (mut here, mut there) = (simulation(case, NewtonSettings::default())?, simulation(case, exact)?);
    let mut worst = 0.0_f64;
    while let (Some(a), Some(b)) = (here.next_frame()?, there.next_frame()?) {
        let apart = a.positions.iter().zip(&b.positions).map(|(a, b)| (a - b).norm());
        worst = apart.fold(worst, f64::max);
    }
    Ok(Some(1e3 * worst))
}

/// Runs a case; returns its line of the table.
fn run(case: &Case) -> Result<String, Box<dyn Error>> {
    let mut simulation = simulation(case, NewtonSettings::default())?;
    let clock = Instant::now();
    let mut frames = 0;
    while simulation.next_frame()?.is_some() {
        frames += 1;
    }
    let seconds = clock.elapsed().as_secs_f64() / f64::from(frames - 1);
    let none = Profile::default();
    let profile = simulation.profile().unwrap_or(&none);
    let steps = simulation.statistics().steps as f64;
    let total: f64 = profile.seconds.iter().sum();
    let [assembly, linear, detection, search] = profile.seconds.map(|s| 100.0 * s / total);
    let (newton, products) = (profile.newton_iterations as f64, profile.linear_iterations as f64);
    let audit = simulation.statistics().audit_relative();
    let mut line = String::new();
    write!(
        line,
        "{},{seconds:.5},{:.2},{:.1},{:.1},",
        case.name,
        steps / f64::from(frames - 1),
        newton / steps,
        products / newton
    )?;
    write!(line, "{assembly:.0},{linear:.0},{detection:.0},{search:.0},{audit:.1e},")?;
    if let Some(error) = error(case)? {
        write!(line, "{error:.4}")?;
    }
    Ok(line)
}

fn main() -> Result<(), Box<dyn Error>> {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let threads = std::env::var("RAYON_NUM_THREADS").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    rayon::ThreadPoolBuilder::new().num_threads(threads).build_global()?;
    let mut table = String::from(
        "case,s per frame,steps per frame,newton per step,products per solve,assembly %,linear %,detection %,line search %,audit,error mm\n",
    );
    print!("{table}");
    for case in CASES.iter().filter(|c| wanted.is_empty() || wanted.iter().any(|w| c.name.contains(&w[..]))) {
        let line = run(case)?;
        println!("{line}");
        table += &line;
        table.push('\n');
    }
    if wanted.is_empty() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/results");
        std::fs::create_dir_all(folder)?;
        std::fs::write(format!("{folder}/contact.csv"), table)?;
    }
    Ok(())
}
