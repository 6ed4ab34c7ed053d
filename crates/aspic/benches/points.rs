//! Mass points: the course's performance example and its closing challenge. `cargo bench -p aspic --bench points`.
//!
//! A cube of 16³ points, 16 875 tetrahedra and 22 320 springs, distance and volume forces, gravity, standing on its
//! bottom, on one thread. Stiffness is chosen so that the largest stable step of Verlet is the printed 11.5 ms: ratios of
//! step and computing time can then be compared with those printed for a Pentium 4 of 2 GHz.

use std::error::Error;
use std::time::Instant;

use aspic::body::{Block, BlockStiffness, BuildError, Inner};
use aspic::integrate::{ExplicitScheme, ImplicitSettings, Scheme};
use aspic::mesh::{TetMesh, generate};
use aspic::points::DampingTime;
use aspic::run::{Method, Settings};
use aspic::stability::Search;
use aspic::{Simulation, State, Vec3, World, WorldBuilder};

/// Largest stable step of Verlet in the course's table, and the step of its implicit Euler  \[s\]
const PRINTED_STEP: f64 = 11.5e-3;
const PRINTED_IMPLICIT_STEP: f64 = 49e-3;
/// Time over which steps must be stable  \[s\]
const TIME: f64 = 1.0;
/// Springs \[N/m\] and volumes \[N/m⁵\] before they are scaled: volumes are as stiff as springs, k_V V^(4/3) = k.
const SPRING: f64 = 100.0;
/// Edge of the cube \[m\]: large enough that it sags by a few per cent only with the stiffness that the step needs.
const SIZE: f64 = 20.0;

/// Methods in the order of the course, with the ratio it prints.
fn table() -> [(&'static str, Method, &'static str); 9] {
    [
        ("explicit Euler", Method::Explicit(ExplicitScheme::Euler), "0.05"),
        ("Heun (RK 2)", Method::Explicit(ExplicitScheme::Heun), "0.20"),
        ("backward Euler", backward(), "0.28"),
        ("RK 4", Method::Explicit(ExplicitScheme::RungeKutta4), "0.34"),
        ("velocity Verlet", VERLET, "1.21"),
        ("position Verlet", Method::Explicit(ExplicitScheme::PositionVerlet), ""),
        ("leapfrog", Method::Explicit(ExplicitScheme::Leapfrog), ""),
        ("semi-implicit Euler", Method::Explicit(ExplicitScheme::SemiImplicitEuler), ""),
        ("midpoint (RK 2)", Method::Explicit(ExplicitScheme::Midpoint), ""),
    ]
}

const VERLET: Method = Method::Explicit(ExplicitScheme::VelocityVerlet);

fn implicit(scheme: Scheme) -> Method {
    Method::Implicit(ImplicitSettings { scheme, ..ImplicitSettings::default() })
}

fn backward() -> Method {
    implicit(Scheme::BackwardEuler)
}

/// The cube with its springs and volumes scaled, and everything damped by `inner`.
fn cube(scale: f64, inner: &Inner) -> Result<(World, State), BuildError> {
    let mesh = generate::block(Vec3::repeat(SIZE), [15; 3]).expect("a cube can be cut");
    let volume = mesh.volume() / mesh.tets.len() as f64;
    let stiffness = BlockStiffness {
        spring: Some(SPRING * scale),
        volume_spring: Some(SPRING * scale / volume.powf(4.0 / 3.0)),
        ..BlockStiffness::default()
    };
    let mut builder = WorldBuilder::new();
    builder.gravity(Vec3::new(0.0, 0.0, -9.81));
    builder.block(
        "cube",
        &Block { mesh: &mesh, density: 4.096 / SIZE.powi(3), stiffness, inner: inner.clone() },
    )?;
    builder.hold("floor", &mesh.groups["bottom"]);
    builder.build()
}

fn simulation(scale: f64, settings: Settings) -> Result<Simulation, BuildError> {
    let (world, state) = cube(scale, &Inner::default())?;
    Ok(Simulation::new(world, state, settings))
}

/// Largest stable step and shortest time per step of a method, among steps up to `longest`  \[s\]
fn measure(scale: f64, method: Method, longest: f64) -> Result<(f64, f64), Box<dyn Error>> {
    let build = |settings| simulation(scale, settings);
    let mut search = Search::new(build, TIME, longest).map_err(|error| format!("{error:?}"))?;
    let step = search.largest_step(method, |_, _| ())?.limit.step();
    let mut shortest = f64::INFINITY;
    for _ in 0..ROUNDS {
        let mut settings = Settings { duration: TIME, frame_interval: TIME, method, ..Settings::default() };
        settings.limits.max_step = step;
        let mut run = simulation(scale, settings)?;
        run.advance_to(TIME)?;
        let statistics = run.statistics();
        shortest = shortest.min(statistics.wall_s / statistics.steps as f64);
    }
    Ok((step, shortest))
}

/// Runs of which the shortest time counts: the machine has other work, too.
const ROUNDS: usize = 10;

/// Shortest time of one force of the whole cube, springs and volumes  \[s\]
fn force_time() -> Result<f64, BuildError> {
    let (world, state) = cube(1.0, &Inner::default())?;
    let mut work = world.workspace();
    let mut force = vec![Vec3::zeros(); world.nodes()];
    let round = |_| {
        let clock = Instant::now();
        let _ = world.add_stored_force(&state, &mut force, &mut work);
        clock.elapsed().as_secs_f64()
    };
    Ok((0..2000).map(round).fold(f64::INFINITY, f64::min))
}

/// Ratios of Verlet and of backward Euler as stiffness grows.
fn crossing(scale: f64, lines: &mut Vec<String>) -> Result<(), Box<dyn Error>> {
    println!("\nstiffness, simulated per computing time:   Verlet   backward Euler (49 ms)");
    let (step, seconds) = measure(scale, VERLET, PRINTED_IMPLICIT_STEP)?;
    for power in 0..7 {
        let stiffer = 10f64.powi(power);
        // The largest step falls with the root of the stiffness; a step costs the same.
        let verlet = step / stiffer.sqrt() / seconds;
        let (world, state) = cube(scale * stiffer, &Inner::default())?;
        let mut settings =
            Settings { duration: TIME, frame_interval: TIME, method: backward(), ..Settings::default() };
        settings.limits.max_step = PRINTED_IMPLICIT_STEP;
        let mut run = Simulation::new(world, state, settings);
        run.advance_to(TIME)?;
        let backward = TIME / run.statistics().wall_s;
        println!("{stiffer:>9.0}                                {verlet:>10.2} {backward:>10.2}");
        lines.push(format!("ratio at {stiffer:.0} times the stiffness,{verlet:.3},{backward:.3}"));
    }
    Ok(())
}

/// A stiff bar (200 MPa, first ringing at about 560 Hz) thrown with a spin of 10 rad/s, stretched by 1 % at the start.
fn bar(relaxation: f64, point_damping: f64) -> Result<(World, State), BuildError> {
    let mesh: TetMesh = generate::block(Vec3::new(0.4, 0.1, 0.1), [12, 3, 3]).expect("a bar can be cut");
    let stiffness = BlockStiffness { stretch: 200e6, ..BlockStiffness::default() };
    let inner = Inner { relaxation, point_damping, damping_time: DampingTime::Implicit, ..Inner::default() };
    let mut builder = WorldBuilder::new();
    builder.block("bar", &Block { mesh: &mesh, density: 1000.0, stiffness, inner })?;
    let (world, mut state) = builder.build()?;
    for (x, v) in state.q.iter_mut().zip(&mut state.v) {
        *v = Vec3::new(3.0, 0.0, 0.0) + Vec3::new(0.0, 0.0, 10.0).cross(x);
        x.x *= 1.01;
    }
    Ok((world, state))
}

/// What is left of ringing, of momentum and of angular momentum after a second, and the cost.
fn challenge(lines: &mut Vec<String>) -> Result<(), Box<dyn Error>> {
    println!("\na stiff thrown bar after 1 s                     ringing  momentum   spin   computing time");
    let still = 1e-3;
    let cases: [(&str, Method, f64, f64, f64); 7] = [
        ("Verlet, nothing damped", VERLET, 0.0, 0.0, f64::INFINITY),
        ("Verlet, points damped (artificial)", VERLET, 0.0, 0.2, f64::INFINITY),
        ("Verlet, springs damped implicitly", VERLET, still, 0.0, f64::INFINITY),
        ("backward Euler, nothing damped", backward(), 0.0, 0.0, 1.0 / 60.0),
        ("trapezoid, nothing damped", implicit(Scheme::Trapezoid), 0.0, 0.0, 1.0 / 60.0),
        ("BDF2, springs damped", implicit(Scheme::Bdf2), still, 0.0, 1.0 / 60.0),
        ("BDF2, springs damped, shorter steps", implicit(Scheme::Bdf2), still, 0.0, 1.0 / 240.0),
    ];
    for (name, method, relaxation, point, step) in cases {
        let (world, state) = bar(relaxation, point)?;
        let momenta = |world: &World, state: &State| world.inertia.momenta(&state.q, &state.v);
        let center = |world: &World, state: &State| world.inertia.center(&state.q, 0..world.nodes());
        let spin = |world: &World, state: &State| {
            let (p, l) = momenta(world, state);
            (l - center(world, state).cross(&p)).norm()
        };
        let (start, start_spin) = (momenta(&world, &state).0.norm(), spin(&world, &state));
        let mut settings = Settings { duration: 1.0, frame_interval: 0.25, method, ..Settings::default() };
        // Explicit steps are as long as their stability lets them.
        let explicit = matches!(method, Method::Explicit(_));
        settings.limits.max_step = if explicit { 0.7 * world.scale.stable_step } else { step };
        let mut run = Simulation::new(world, state, settings);
        // The length of the bar over the last 20 ms: how much it still goes up and down.
        let (mut shortest, mut longest) = (f64::INFINITY, 0.0f64);
        let length = |q: &[Vec3]| (q[0] - q[12]).norm();
        run.advance_to(0.95)?;
        for k in 0..200 {
            run.advance_to(0.95 + 0.05 * f64::from(k + 1) / 200.0)?;
            let now = length(&run.state().q);
            (shortest, longest) = (shortest.min(now), longest.max(now));
        }
        let ringing = 0.5 * (longest - shortest) / 0.004;
        let state = run.state().clone();
        let kept = momenta(run.world(), &state).0.norm() / start;
        let turned = spin(run.world(), &state) / start_spin;
        let seconds = run.statistics().wall_s;
        println!("{name:<46} {ringing:>9.1e} {kept:>8.4} {turned:>8.4} {seconds:>10.3} s");
        lines.push(format!("{name}: ringing and spin left,{ringing:.3e},{turned:.5}"));
        lines.push(format!("{name}: momentum left and computing time s,{kept:.6},{seconds:.4}"));
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global()?;
    let mut lines = vec!["what,value,compared with".to_owned()];
    let force = force_time()?;
    println!("force of 22 320 springs and 16 875 volumes: {:.1} µs", force * 1e6);
    lines.push(format!("force us,{:.2},", force * 1e6));
    let mut scale = 1.0;
    for _ in 0..2 {
        let (limit, _) = measure(scale, VERLET, 0.25)?;
        scale *= (limit / PRINTED_STEP).powi(2);
    }
    println!("springs of {:.1} N/m make Verlet's largest step 11.5 ms\n", SPRING * scale);
    println!("method                largest step   time per step    ratio   printed");
    for (name, method, printed) in table() {
        let longest = if method == backward() { PRINTED_IMPLICIT_STEP } else { 0.1 };
        let (step, seconds) = measure(scale, method, longest)?;
        let ratio = step / seconds;
        let (step_ms, time_ms) = (step * 1e3, seconds * 1e3);
        println!("{name:<20} {step_ms:>10.2} ms {time_ms:>12.3} ms {ratio:>9.2}   {printed:>6}");
        lines.push(format!("{name}: step ms and time ms,{step_ms:.3},{time_ms:.4}"));
        lines.push(format!("{name}: ratio and printed,{ratio:.3},{printed}"));
    }
    crossing(scale, &mut lines)?;
    challenge(&mut lines)?;
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/results");
    std::fs::create_dir_all(folder)?;
    std::fs::write(format!("{folder}/points.csv"), lines.join("\n") + "\n")?;
    Ok(())
}
