//! `aspic run` and `aspic resume`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use aspic::Simulation;
use aspic::integrate::StepError;
use aspic::verdict::{Facts, Verdict};
use aspic_io::claim::Claim;
use aspic_io::run_film::{About, NamedPlane};
use aspic_io::run_folder::{self, FolderError, Plan, RunFolder, Unfinished};
use aspic_io::vtu::Fields;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::args::{CommonOptions, FrameRange, ResumeOptions, RunOptions};
use crate::failure::{self, Failure};
use crate::load::{Groups, Loaded};
use crate::summary::Summary;

/// Exit code of a run that was interrupted and can be resumed.
pub const INTERRUPTED: u8 = 130;
/// Exit code of a run that came to its end with warnings, where they are not allowed.
const DOUBTFUL: u8 = 3;

/// `aspic run`.
pub fn start(options: &RunOptions) -> Result<ExitCode, Failure> {
    use_threads(options.common.threads)?;
    let loaded = Loaded::read(&options.scene)?;
    let path = options.out.clone().unwrap_or_else(|| default_folder(&options.scene));
    let there = path.join(run_folder::names::SCENE);
    if there.canonicalize().is_ok_and(|there| options.scene.canonicalize().is_ok_and(|scene| scene == there))
    {
        let advice = "the run would write over its own scene file: choose another folder with --out";
        return Err(Failure::Input(format!("{}: {advice}", there.display())));
    }
    if Claim::is_taken(&path) {
        return Err(FolderError::InUse { path }.into());
    }
    run_folder::refuse(&path, options.overwrite)?;
    let (simulation, groups) = loaded.build_with_groups()?;
    if !options.common.quiet {
        loaded.warn();
        tell_shifts(&simulation);
    }
    let scene = loaded.as_run()?;
    let plan = plan(&loaded, &scene, (&simulation, &groups), options.common)?;
    let folder = RunFolder::create(&path, &plan, options.overwrite)?;
    drive(simulation, folder, options.common)
}

/// `aspic resume`.
pub fn resume(options: &ResumeOptions) -> Result<ExitCode, Failure> {
    use_threads(options.common.threads)?;
    let claim = RunFolder::claim(&options.folder)?;
    let Unfinished { scene, checkpoint } = RunFolder::open(&options.folder)?;
    let loaded = Loaded::parse(&options.folder.join(run_folder::names::SCENE), scene)?;
    let (mut simulation, groups) = loaded.build_with_groups()?;
    let plan = plan(&loaded, &loaded.text, (&simulation, &groups), options.common)?;
    let folder = RunFolder::resume(claim, checkpoint.as_ref(), &plan)?;
    if let Some(checkpoint) = &checkpoint {
        let checkpoint = run_folder::from_file(checkpoint)
            .ok_or_else(|| Failure::Input("the checkpoint is of another version of aspic".into()))?;
        simulation.restore(checkpoint);
    }
    if simulation.frames_given() >= simulation.frame_count() && !options.common.quiet {
        eprintln!("All frames are there already.");
    }
    drive(simulation, folder, options.common)
}

/// Bodies that overlapped in the scene and were moved.
fn tell_shifts(simulation: &Simulation) {
    let world = simulation.world();
    for shift in &world.shifts {
        let name = world.topology.bodies.get(shift.body).map_or("?", |body| &body.name);
        let [x, y, z] = <[f64; 3]>::from(shift.by * 1e3);
        eprintln!("Moved `{name}` by ({x:.3}, {y:.3}, {z:.3}) mm: it overlapped at the start.");
    }
}

/// What the run folder needs to know; refuses a range that holds no frame.
fn plan<'a>(
    loaded: &Loaded,
    scene: &'a str,
    (simulation, groups): (&'a Simulation, &'a Groups),
    options: CommonOptions,
) -> Result<Plan<'a>, Failure> {
    let output = &loaded.scene.output;
    let count = simulation.frame_count();
    let wanted = options.frames.unwrap_or(FrameRange::ALL);
    let frames = wanted.within(count);
    if frames.is_empty() {
        let last = count - 1;
        return Err(Failure::Input(format!(
            "--frames {wanted} asks for none of the frames that this scene has, 0 to {last}"
        )));
    }
    let fields = Fields { stress: output.stress, surface_only: output.surface_only, ..Fields::default() };
    let about = about(loaded, simulation);
    let topology = &simulation.world().topology;
    Ok(Plan { scene, start: simulation.state(), topology, fields, frames, groups, about })
}

/// What people call the parts of the run, for those who show it later.
fn about(loaded: &Loaded, simulation: &Simulation) -> About {
    let world = simulation.world();
    let planes = world.planes.iter().map(|plane| NamedPlane {
        name: plane.name.clone(),
        point: plane.point.into(),
        normal: plane.normal.into(),
    });
    let mut about = About {
        title: loaded.scene.title.clone().unwrap_or_default(),
        frames: simulation.frame_count(),
        frame_interval: simulation.settings().frame_interval,
        duration: simulation.settings().duration,
        planes: planes.collect(),
        ..About::of(&world.topology)
    };
    let points = world.constrained_points(simulation.state());
    about.constraints.iter_mut().zip(points).for_each(|(constraint, points)| constraint.points = points);
    about
}

/// The number of threads holds from the first matrix on.
pub fn use_threads(threads: Option<u16>) -> Result<(), Failure> {
    let Some(threads) = threads else { return Ok(()) };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.into());
    pool.build_global().map_err(|error| Failure::Input(format!("cannot start {threads} threads: {error}")))
}

/// out/NAME for NAME.toml.
fn default_folder(scene: &Path) -> PathBuf {
    Path::new("out").join(scene.file_stem().unwrap_or("run".as_ref()))
}

/// The loop: a frame, its files, the next frame.
fn drive(
    mut simulation: Simulation,
    mut folder: RunFolder,
    options: CommonOptions,
) -> Result<ExitCode, Failure> {
    if let Some(warning) = folder.warning().filter(|_| !options.quiet) {
        eprintln!("Warning: {warning}");
    }
    if let Some(stiffest) = simulation.stiffest().filter(|_| !options.quiet) {
        eprintln!("Warning: {stiffest}.");
    }
    let stop = stop_flag()?;
    let bar = progress_bar(&simulation, options);
    let frames = options.frames.unwrap_or(FrameRange::ALL);
    let last = frames.within(simulation.frame_count()).end;
    let mut outcome = Ok(true);
    while outcome.is_ok() && simulation.frames_given() < last {
        if stop.load(Ordering::Relaxed) > 0 {
            outcome = Ok(false);
            break;
        }
        outcome = advance(&mut simulation, &mut folder, options, &bar).map(|()| true);
    }
    bar.finish_and_clear();
    conclude(&simulation, &mut folder, outcome, options)
}

/// The verdict, what is left to be written, and the last words. The outcome says whether the run came to its end.
fn conclude(
    simulation: &Simulation,
    folder: &mut RunFolder,
    outcome: Result<bool, Failure>,
    options: CommonOptions,
) -> Result<ExitCode, Failure> {
    let facts = Facts::of(simulation.world(), simulation.state(), simulation.settings());
    let verdict = Verdict::of(simulation.statistics(), &facts);
    let judged = folder.judge(&verdict);
    let finished = folder.finish().and(judged);
    let finished = finished.map_err(|error| Failure::output_of_run(&error, &again(folder, options)));
    let mut summary = Summary::of(simulation, folder, &facts, verdict);
    summary.completed = match outcome.and_then(|completed| finished.map(|()| completed)) {
        Ok(completed) => completed,
        Err(failure) => return summary.fail(failure, options),
    };
    summary.print(options)?;
    if !summary.completed {
        eprintln!("Interrupted. To go on: {}", again(folder, options));
        return Ok(ExitCode::from(INTERRUPTED));
    }
    Ok(if options.strict && summary.is_doubtful() { ExitCode::from(DOUBTFUL) } else { ExitCode::SUCCESS })
}

/// One frame and its files.
fn advance(
    simulation: &mut Simulation,
    folder: &mut RunFolder,
    options: CommonOptions,
    bar: &ProgressBar,
) -> Result<(), Failure> {
    let frames = options.frames.unwrap_or(FrameRange::ALL);
    let frame = simulation
        .next_frame_watched(|simulation| show(bar, simulation))
        .map_err(|error| fail(error, simulation, folder))?;
    let Some(frame) = frame else { return Ok(()) };
    folder
        .push(&frame, &simulation.checkpoint(), frames.contains(frame.index))
        .map_err(|error| Failure::output_of_run(&error, &again(folder, options)))?;
    show(bar, simulation);
    Ok(())
}

/// A step that failed: its place goes into a file, if one can be written.
fn fail(error: StepError, simulation: &Simulation, folder: &RunFolder) -> Failure {
    let marks = failure::marks(&error, &simulation.world().topology);
    let picture = marks.and_then(|marks| folder.fail(&simulation.points_before(), &marks).ok());
    Failure::step(error, simulation.world(), folder.path(), picture.as_deref())
}

/// The command that continues a run.
fn again(folder: &RunFolder, options: CommonOptions) -> String {
    let folder = run_folder::as_typed(folder.path());
    match options.frames {
        Some(frames) => format!("aspic resume {folder} --frames {frames}"),
        None => format!("aspic resume {folder}"),
    }
}

/// Counts interrupts: the first lets the current frame finish, the second ends at once (the checkpoint is whole).
pub fn stop_flag() -> Result<Arc<AtomicUsize>, Failure> {
    let stop = Arc::new(AtomicUsize::new(0));
    let flag = Arc::clone(&stop);
    ctrlc::set_handler(move || {
        if flag.fetch_add(1, Ordering::Relaxed) > 0 {
            std::process::exit(INTERRUPTED.into());
        }
    })
    .map_err(|error| Failure::output(format!("cannot listen for interrupts: {error}")))?;
    Ok(stop)
}

/// Hidden when quiet, when JSON is wanted, or when nobody looks.
fn progress_bar(simulation: &Simulation, options: CommonOptions) -> ProgressBar {
    bar((simulation.settings().duration * 1e6) as u64, options.quiet || options.json)
}

/// A progress bar of some length.
pub fn bar(length: u64, hidden: bool) -> ProgressBar {
    let bar = ProgressBar::new(length);
    if hidden {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    let style = ProgressStyle::with_template("{bar:32.cyan/blue} {msg}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("━╸─"));
    bar
}

fn show(bar: &ProgressBar, simulation: &Simulation) {
    if bar.is_hidden() {
        return;
    }
    let (t, step) = simulation.progress();
    let duration = simulation.settings().duration;
    let elapsed = bar.elapsed().as_secs_f64().max(1e-9);
    let first = FIRST.get_or_init(|| (Instant::now(), t));
    let speed = (t - first.1) / first.0.elapsed().as_secs_f64().max(1e-9);
    let left = if speed > 0.0 { (duration - t) / speed } else { f64::NAN };
    bar.set_position((t * 1e6) as u64);
    let newton = match simulation.statistics() {
        done if done.newton_iterations == 0 => String::new(),
        done => format!(", {:.1} Newton", done.newton_iterations as f64 / done.steps.max(1) as f64),
    };
    bar.set_message(format!(
        "{t:.3}/{duration:.3} s   {speed:.2}× real time   step {}{newton}   {} left",
        crate::summary::seconds(step),
        if left.is_finite() {
            crate::summary::seconds(left.max(0.0))
        } else {
            format!("{elapsed:.0} s gone, ?")
        }
    ));
}

/// When, in wall and simulated time, this process began to step.
static FIRST: std::sync::OnceLock<(Instant, f64)> = std::sync::OnceLock::new();
