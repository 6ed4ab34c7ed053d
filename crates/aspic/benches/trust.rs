//! Whether default steps can be trusted: `cargo bench -p aspic --bench trust [-- FAMILY…]`.
//!
//! Each family varies what a user would vary and compares with a closed form: free spins with conserved momenta, bounces
//! with the height of the drop, slides with v²/2μg. One row per case; the last line of a family is its worst case.

#[path = "../tests/trust/random.rs"]
mod random;
#[path = "../tests/trust/scenes.rs"]
mod scenes;

use std::error::Error;
use std::time::Instant;

use aspic::frame::{Frame, Ledger};
use aspic::scene::{NoFiles, Scene};
use aspic::{Simulation, Vec3};
use scenes::{BALL, GRAVITY, LOAD, SHAPES, Stuff};

type Outcome<T> = Result<T, Box<dyn Error>>;
/// A name, and what runs and prints its cases.
type Family = (&'static str, fn() -> Outcome<()>);

/// A run and what it did.
struct Run {
    simulation: Simulation,
    start: Ledger,
    seconds: f64,
}

/// Runs a scene, showing every frame to `visit`.
fn run(text: &str, mut visit: impl FnMut(&Frame)) -> Outcome<Run> {
    let scene = Scene::parse(text).map_err(|error| format!("{error}\n{text}"))?;
    let mut simulation = scene.build(&NoFiles)?;
    let clock = Instant::now();
    let mut start = None;
    while let Some(frame) = simulation.next_frame()? {
        start.get_or_insert(frame.ledger);
        visit(&frame);
    }
    let seconds = clock.elapsed().as_secs_f64();
    Ok(Run { simulation, start: start.ok_or("no frame")?, seconds })
}

impl Run {
    /// Steps, directions a step, audit.
    fn effort(&self) -> String {
        let s = self.simulation.statistics();
        let directions = s.newton_iterations as f64 / s.steps.max(1) as f64;
        format!(
            "{:5} steps {:4} again {directions:5.1} directions  audit {:8.1e} {:7.3} s",
            s.steps,
            s.rejected,
            s.audit_relative(),
            self.seconds
        )
    }
}

fn spins() -> Outcome<()> {
    println!("free spins: drift of angular and linear momentum, largest energy over that of the start");
    let mut cases = vec![];
    for (name, shape) in SHAPES {
        for young in [1e4, 1e6, 1e8, 1e10] {
            cases.push((format!("{name} solid {young:.0e}"), "solid", shape, young, 0.3, "ls-stable"));
        }
        for kind in ["affine", "block", "boundary"] {
            cases.push((format!("{name} {kind} 1e6"), kind, shape, 1e6, 0.3, "ls-stable"));
        }
    }
    for law in ["ls", "neo-hookean", "corotated", "st-venant"] {
        cases.push((format!("ellipsoid {law} 1e9 0.49"), "solid", SHAPES[1].1, 1e9, 0.49, law));
    }
    for (name, kind, shape, young, poisson, law) in cases {
        let stuff = Stuff { young, poisson, density: 650.0, law };
        report_spin(&name, &scenes::spin(kind, shape, &stuff, [-5.0, 8.0, 4.0], 10.0))?;
    }
    Ok(())
}

fn report_spin(name: &str, text: &str) -> Outcome<()> {
    let (mut turn, mut push, mut most) = (0.0_f64, 0.0_f64, 0.0_f64);
    let mut first: Option<Ledger> = None;
    let result = run(text, |frame| {
        let row = &frame.ledger;
        let start = first.get_or_insert(*row);
        turn =
            turn.max((row.angular_momentum - start.angular_momentum).norm() / start.angular_momentum.norm());
        push = push.max((row.momentum - start.momentum).norm() / start.momentum.norm());
        most = most.max(energy(row) / energy(start));
    });
    match result {
        Ok(run) => println!("{name:28} {turn:8.1e} {push:8.1e} {most:8.4}  {}", run.effort()),
        Err(error) => println!("{name:28} {error}"),
    }
    Ok(())
}

/// Energy that moves and deforms, without that of the position.
fn energy(row: &Ledger) -> f64 {
    row.kinetic + row.elastic_bulk + row.elastic_shear + row.contact
}

fn bounces() -> Outcome<()> {
    println!(
        "bounces: energy kept after the first bounce, over that of the drop; time over that of fixed steps"
    );
    for kind in ["solid", "affine", "block"] {
        for young in [1e5, 1e6, 1e7, 1e8] {
            let (mut least, mut most, mut slow, mut steps) = (f64::INFINITY, 0.0_f64, 0.0_f64, 0);
            let (mut audit, mut cost) = (0.0_f64, 0.0);
            for k in 0..9 {
                let height = 0.1 + 0.055 * f64::from(k);
                let adaptive = kept(&scenes::bounce(kind, young, height, ""), height)?;
                let fixed = kept(&scenes::bounce(kind, young, height, "steps = \"fixed\""), height)?;
                least = least.min(adaptive.0);
                most = most.max(adaptive.0);
                slow = slow.max(adaptive.1.seconds / fixed.1.seconds);
                cost += adaptive.1.seconds / fixed.1.seconds / 9.0;
                steps = steps.max(adaptive.1.simulation.statistics().steps);
                audit = audit.max(adaptive.1.simulation.statistics().audit_relative());
            }
            println!(
                "{kind:8} {young:.0e}  kept {:5.1} % to {:5.1} %   {cost:4.2} (at most {slow:4.2}) times fixed, {steps} steps, audit {audit:.1e}",
                100.0 * least,
                100.0 * most
            );
        }
    }
    Ok(())
}

/// Energy over that of the drop at the end of the run, when the ball has left the floor.
fn kept(text: &str, height: f64) -> Outcome<(f64, Run)> {
    let mut last = Ledger::default();
    let run = run(text, |frame| last = frame.ledger)?;
    let mass = run.start.gravity / (GRAVITY * (BALL + height));
    let floor = mass * GRAVITY * BALL;
    Ok((
        (last.kinetic + last.gravity + last.elastic_bulk + last.elastic_shear - floor)
            / (run.start.gravity - floor),
        run,
    ))
}

fn slides() -> Outcome<()> {
    println!("slides: distance against v²/2μg");
    let mut worst = (0.0_f64, String::new());
    for kind in ["solid", "affine"] {
        for speed in [0.5, 2.0, 8.0, 20.0] {
            for friction in [0.1, 0.4, 1.0] {
                for (gap, step) in [
                    (0.0, 1.0 / 60.0),
                    (1.1e-3, 1.0 / 60.0),
                    (5e-3, 1.0 / 60.0),
                    (2e-4, 4e-3),
                    (1.1e-3, 1e-3),
                ] {
                    if speed > 2.0 && step < 1e-2 {
                        continue;
                    }
                    let (text, distance) = scenes::slide(kind, speed, friction, gap, step);
                    let mut x = [None, None];
                    let name = format!(
                        "{kind:7} {speed:4} m/s mu {friction} gap {:3.1} mm step {:4.1} ms",
                        1e3 * gap,
                        1e3 * step
                    );
                    let result = run(&text, |frame| {
                        let mean = frame.positions.iter().sum::<Vec3>() / frame.positions.len() as f64;
                        x[0].get_or_insert(mean.x);
                        x[1] = Some(mean.x);
                    });
                    let run = match result {
                        Ok(run) => run,
                        Err(error) => {
                            println!("{name} {error}");
                            continue;
                        }
                    };
                    let way = x[1].unwrap_or(0.0) - x[0].unwrap_or(0.0);
                    // The fall adds no distance, but lands with an impulse that friction shares in.
                    let off = (way - distance).abs() - 5e-3;
                    let part = off.max(0.0) / distance;
                    println!(
                        "{name} {way:8.4} m for {distance:8.4} m  {:6.2} %  {}",
                        100.0 * (way / distance - 1.0),
                        run.effort()
                    );
                    if part > worst.0 {
                        worst = (part, name);
                    }
                }
            }
        }
    }
    println!("worst beyond 5 mm: {:.2} % ({})", 100.0 * worst.0, worst.1);
    Ok(())
}

fn capstans() -> Outcome<()> {
    println!("capstans: pull over the load of 10 N against exp(mu pi), mean while it slides");
    for time in ["", "method = \"backward-euler\"", "steps = \"fixed\"", "max_step = 0.005"] {
        for friction in [0.1, 0.3, 0.6] {
            let mut pulls = vec![];
            let result = run(&scenes::capstan(friction, time), |frame| {
                if (1.0..1.9).contains(&frame.ledger.t) {
                    pulls.push(frame.reactions[0].norm());
                }
            });
            let right = LOAD * (friction * std::f64::consts::PI).exp();
            match result {
                Ok(run) => {
                    let mean = pulls.iter().sum::<f64>() / pulls.len() as f64;
                    let least = pulls.iter().copied().fold(f64::INFINITY, f64::min);
                    let most = pulls.iter().copied().fold(0.0, f64::max);
                    println!(
                        "mu {friction} {time:28} {mean:6.2} N ({least:6.2} to {most:6.2}) for {right:6.2} N {:6.2} %  {}",
                        100.0 * (mean / right - 1.0),
                        run.effort()
                    );
                }
                Err(error) => println!("mu {friction} {time:28} {error}"),
            }
        }
    }
    Ok(())
}

/// Place of the centre of the points along x  \[m\]
fn place(frame: &Frame) -> f64 {
    frame.positions.iter().map(|x| x.x).sum::<f64>() / frame.positions.len() as f64
}

/// Acceleration along x over the second half of a run  \[m/s²\]
fn acceleration(text: &str) -> Outcome<(f64, Run)> {
    let mut speeds = vec![];
    let run = run(text, |frame| {
        let mean = frame.velocities.iter().map(|v| v.x).sum::<f64>() / frame.velocities.len() as f64;
        speeds.push((frame.ledger.t, mean));
    })?;
    let (middle, last) = (speeds[speeds.len() / 2], speeds[speeds.len() - 1]);
    Ok(((last.1 - middle.1) / (last.0 - middle.0), run))
}

fn slopes() -> Outcome<()> {
    println!("slopes: acceleration against g (sin α − μ cos α), creep of what should stay");
    for (kind, young) in [("solid", 1e5), ("solid", 1e6), ("solid", 1e8), ("affine", 1e8), ("block", 1e6)] {
        for (angle, friction) in [(0.2_f64, 0.1), (0.35, 0.3), (0.6, 0.5)] {
            let right = GRAVITY * (angle.sin() - friction * angle.cos());
            let (found, run) = acceleration(&scenes::slope(kind, young, angle, friction, 1.0))?;
            println!(
                "{kind:7} {young:.0e} {angle} rad mu {friction} {found:7.4} m/s² for {right:7.4}  {:6.2} %  {}",
                100.0 * (found / right - 1.0),
                run.effort()
            );
        }
        for part in [0.5, 0.9, 0.99] {
            let angle = 0.35_f64;
            let mut places = vec![];
            let text = scenes::slope(kind, young, angle, angle.tan() / part, 3.0);
            let run = run(&text, |frame| places.push(place(frame)))?;
            let creep = (places[places.len() - 1] - places[places.len() / 2]) / 1.5;
            println!(
                "{kind:7} {young:.0e} at {part} of the limit creeps {:7.4} mm/s  {}",
                1e3 * creep,
                run.effort()
            );
        }
    }
    Ok(())
}

fn rolls() -> Outcome<()> {
    println!("balls that roll: acceleration against 5/7 g sin α");
    for (kind, young) in [("affine", 1e9), ("solid", 1e9), ("solid", 1e7)] {
        for rings in [3, 6, 10, 20] {
            if rings > 6 && kind == "solid" {
                continue;
            }
            for (angle, friction) in [(0.1_f64, 0.4), (0.3, 0.6)] {
                let right = 5.0 / 7.0 * GRAVITY * angle.sin();
                let (found, run) = acceleration(&scenes::roll(kind, young, angle, friction, rings, 1.0))?;
                println!(
                    "{kind:7} {young:.0e} {rings:2} rings {angle} rad mu {friction} {found:7.4} m/s² for {right:7.4}  {:6.2} %  {}",
                    100.0 * (found / right - 1.0),
                    run.effort()
                );
            }
        }
    }
    Ok(())
}

/// Force of the floor on what stands on it  \[N\]
fn pressed(frame: &Frame) -> f64 {
    let standing = frame.positions.iter().zip(&frame.contact).filter(|(x, _)| x.z < BALL);
    standing.map(|(_, force)| force.z).sum()
}

fn presses() -> Outcome<()> {
    println!("pressed balls: force over Hertz, and over that at a hundredth of the contact distance");
    for rings in [8, 12] {
        for part in [0.02, 0.05, 0.1] {
            let force = |contact: &str| -> Outcome<(f64, f64, Run)> {
                let (text, right) = scenes::hertz(1e6, rings, part * BALL, contact);
                let mut force = 0.0;
                let run = run(&text, |frame| force = pressed(frame))?;
                Ok((force, right, run))
            };
            let (found, right, run) = force("")?;
            let (thin, ..) = force(&format!("distance = {:e}", 1e-4 * BALL / f64::from(rings)))?;
            println!(
                "{rings:2} rings, pressed by {part:4} R: {found:8.4} N  {:6.3} of Hertz  {:6.3} of the thin one  {}",
                found / right,
                found / thin,
                run.effort()
            );
        }
    }
    Ok(())
}

/// Seeds of the random scenes, unless the environment says otherwise: `SEEDS=0..1000`.
const SEEDS: std::ops::Range<u64> = 0..100;

fn seeds() -> std::ops::Range<u64> {
    let given = std::env::var("SEEDS").ok().and_then(|text| {
        let (from, to) = text.split_once("..")?;
        Some(from.parse().ok()?..to.parse().ok()?)
    });
    given.unwrap_or(SEEDS)
}

/// Random scenes: audit, energy made, momentum lost, failures. Prints those beyond a limit, and the worst of all.
fn dice() -> Outcome<()> {
    println!(
        "random scenes: failures, and those with an audit or made energy above 1 % or momentum lost above 1e-6"
    );
    let (mut failed, mut doubtful, mut count) = (0, 0, 0);
    for seed in seeds() {
        count += 1;
        let throw = random::throw(seed);
        if std::env::var("SHOW").is_ok() {
            println!("{}", throw.text);
        }
        let clock = Instant::now();
        let scene = Scene::parse(&throw.text).map_err(|error| format!("{seed}: {error}\n{}", throw.text))?;
        let mut simulation = scene.build(&NoFiles)?;
        let mut error = None;
        loop {
            match simulation.next_frame() {
                Ok(Some(_)) => {}
                Ok(None) => break,
                Err(found) => {
                    error = Some(found);
                    break;
                }
            }
        }
        let s = simulation.statistics();
        let scale = (2.0 * simulation.world().inertia.masses().iter().sum::<f64>() * s.most_kinetic).sqrt();
        let lost = if throw.closed { s.linear_drift.max(s.angular_drift / s.gyration) / scale } else { 0.0 };
        let made = s.of_exchanged(s.made_energy);
        failed += usize::from(error.is_some());
        let bad = error.is_some() || s.audit_relative() > 0.01 || made > 0.01 || lost > 1e-6;
        doubtful += usize::from(bad);
        if bad || std::env::var("ALL").is_ok() {
            println!(
                "seed {seed:4} audit {:8.1e} made {made:8.1e} (step {:7.1e}) coulomb {:7.1e} momentum {lost:8.1e} {:5} steps {:4} again {:5.1} directions {:6.1} s  {}",
                s.audit_relative(),
                s.made_in_step,
                s.coulomb_excess,
                s.steps,
                s.rejected,
                s.newton_iterations as f64 / s.steps.max(1) as f64,
                clock.elapsed().as_secs_f64(),
                error.map_or(String::new(), |error| error.to_string())
            );
        }
    }
    println!("{count} scenes, {failed} failed, {doubtful} beyond a limit");
    Ok(())
}

/// Runs scene files and prints what their last frames hold.
fn files(paths: &[String]) -> Outcome<()> {
    for path in paths {
        let text = std::fs::read_to_string(path)?;
        let mut last = Ledger::default();
        let mut start: Option<Ledger> = None;
        let result = run(&text, |frame| {
            start.get_or_insert(frame.ledger);
            last = frame.ledger;
        });
        let name = path.rsplit('/').next().unwrap_or(path);
        match result {
            Ok(run) => println!(
                "{name:32} energy {:9.3e} -> {:9.3e} J, |L| {:9.3e} -> {:9.3e}  numerical {:9.2e}  {}",
                energy(&run.start),
                energy(&last),
                run.start.angular_momentum.norm(),
                last.angular_momentum.norm(),
                last.numerical_loss,
                run.effort()
            ),
            Err(error) => println!("{name:32} {error}"),
        }
    }
    Ok(())
}

fn main() -> Outcome<()> {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let (paths, wanted): (Vec<String>, Vec<String>) =
        wanted.into_iter().partition(|word| word.ends_with(".toml"));
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global()?;
    files(&paths)?;
    let families: [Family; 8] = [
        ("spin", spins),
        ("bounce", bounces),
        ("slide", slides),
        ("slope", slopes),
        ("roll", rolls),
        ("capstan", capstans),
        ("hertz", presses),
        ("dice", dice),
    ];
    for (name, family) in families {
        if wanted.is_empty() && paths.is_empty() || wanted.iter().any(|w| w == name) {
            family()?;
        }
    }
    Ok(())
}
