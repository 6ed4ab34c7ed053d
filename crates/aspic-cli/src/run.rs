//! `aspic run` and `aspic resume`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use aspic::Simulation;
use aspic_io::run_folder::{self, FolderError, RunFolder};
use aspic_io::vtu::Fields;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::args::{CommonOptions, FrameRange, ResumeOptions, RunOptions};
use crate::failure::Failure;
use crate::load::Loaded;
use crate::summary::Summary;

/// Exit code of a run that was interrupted and can be resumed.
const INTERRUPTED: u8 = 130;

/// `aspic run`.
pub fn start(options: &RunOptions) -> Result<ExitCode, Failure> {
    let loaded = Loaded::read(&options.scene)?;
    let path = options.out.clone().unwrap_or_else(|| default_folder(&options.scene));
    if run_folder::holds_run(&path) && !options.overwrite {
        return Err(FolderError::Occupied { path }.into());
    }
    let simulation = loaded.build()?;
    let folder = RunFolder::create(
        &path,
        &loaded.as_run()?,
        simulation.state(),
        &simulation.world().topology,
        fields(&loaded),
        options.overwrite,
    )?;
    drive(simulation, folder, options.frames.unwrap_or(FrameRange::ALL), options.common)
}

/// `aspic resume`.
pub fn resume(options: &ResumeOptions) -> Result<ExitCode, Failure> {
    let unfinished = RunFolder::open(&options.folder)?;
    let loaded = Loaded::parse(&options.folder.join(run_folder::names::SCENE), unfinished.scene.clone())?;
    let mut simulation = loaded.build()?;
    let topology = &simulation.world().topology;
    let folder =
        RunFolder::resume(&options.folder, &unfinished, simulation.state(), topology, fields(&loaded))?;
    if let Some(checkpoint) = &unfinished.checkpoint {
        let checkpoint = run_folder::from_file(checkpoint)
            .ok_or_else(|| Failure::Input("the checkpoint is of another version of aspic".into()))?;
        simulation.restore(checkpoint);
    }
    drive(simulation, folder, FrameRange::ALL, options.common)
}

fn fields(loaded: &Loaded) -> Fields {
    let output = &loaded.scene.output;
    Fields { stress: output.stress, surface_only: output.surface_only, ..Fields::default() }
}

/// out/NAME for NAME.toml.
fn default_folder(scene: &Path) -> PathBuf {
    Path::new("out").join(scene.file_stem().unwrap_or("run".as_ref()))
}

/// The loop: a frame, its files, the next frame.
fn drive(
    mut simulation: Simulation,
    mut folder: RunFolder,
    frames: FrameRange,
    options: CommonOptions,
) -> Result<ExitCode, Failure> {
    if let Some(threads) = options.threads {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.into());
        pool.build_global()
            .map_err(|error| Failure::Input(format!("cannot start {threads} threads: {error}")))?;
    }
    let stop = stop_flag()?;
    let bar = progress_bar(&simulation, options);
    let last = simulation.frame_count().min(frames.to);
    let mut outcome = Ok(true);
    for _ in simulation.frames_given()..last {
        match simulation.next_frame_watched(|simulation| show(&bar, simulation)) {
            Ok(Some(frame)) => {
                folder.push(&frame, &simulation.checkpoint(), frames.contains(frame.index))?;
                show(&bar, &simulation);
            }
            Ok(None) => break,
            Err(error) => {
                outcome = Err(Failure::step(error, &simulation.world().topology, folder.path()));
                break;
            }
        }
        if stop.load(Ordering::Relaxed) > 0 {
            outcome = Ok(simulation.frames_given() == last);
            break;
        }
    }
    bar.finish_and_clear();
    folder.finish()?;
    let completed = outcome?;
    Summary::of(&simulation, &folder, completed).print(options)?;
    if !completed {
        eprintln!("Interrupted. To go on: aspic resume {}", folder.path().display());
    }
    Ok(if completed { ExitCode::SUCCESS } else { ExitCode::from(INTERRUPTED) })
}

/// Counts interrupts: the first lets the current frame finish, the second ends at once (the checkpoint is whole).
fn stop_flag() -> Result<Arc<AtomicUsize>, Failure> {
    let stop = Arc::new(AtomicUsize::new(0));
    let flag = Arc::clone(&stop);
    ctrlc::set_handler(move || {
        if flag.fetch_add(1, Ordering::Relaxed) > 0 {
            std::process::exit(INTERRUPTED.into());
        }
    })
    .map_err(|error| Failure::Output(format!("cannot listen for interrupts: {error}")))?;
    Ok(stop)
}

/// Hidden when quiet, when JSON is wanted, or when nobody looks.
fn progress_bar(simulation: &Simulation, options: CommonOptions) -> ProgressBar {
    let bar = ProgressBar::new((simulation.settings().duration * 1e6) as u64);
    if options.quiet || options.json {
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
    bar.set_message(format!(
        "{t:.3}/{duration:.3} s   {speed:.2}× real time   step {}   {} left",
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
