//! `aspic export` into the formats of other programs: meshes whose points move.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::Instant;

use aspic::Vec3;
use aspic_io::cache::csv::Tracked;
use aspic_io::cache::{self, Cache, Cast, Choice, Picker, Up};
use aspic_io::run_film::{Fields, NamedPlane, RunFilm};
use serde::Serialize;

use crate::args::{Color, ExportOptions, Format, Surroundings, USUAL_VIEW, UpAxis};
use crate::export::{self, USUAL_RATE};
use crate::failure::Failure;
use crate::{chosen, run, summary};

/// `aspic export` into a cache.
pub fn export(options: &ExportOptions, format: Format) -> Result<ExitCode, Failure> {
    refuse_looks(options)?;
    if !options.track.is_empty() && format != Format::Csv {
        return Err(Failure::Input("--track goes with --to csv: leave it out".into()));
    }
    let mut film = RunFilm::open(&options.folder)?;
    film.take_notices().iter().for_each(|notice| eprintln!("{notice}"));
    let places = export::places(&film, options)?;
    let natural = if film.frame_interval() > 0.0 { 1.0 / film.frame_interval() } else { USUAL_RATE };
    let known: Vec<&str> = film.topology().bodies.iter().map(|body| body.name.as_str()).collect();
    let tracked = chosen::points(&options.track, &known);
    let choice = Choice {
        bodies: chosen::bodies(&options.bodies, &known),
        up: up(options.up, format),
        scale: options.scale.unwrap_or(1.0),
        simulation_mesh: options.simulation_mesh,
        every_point: format == Format::Csv,
    };
    let rate = options.fps.unwrap_or(natural);
    let mut picker = Picker::new(&film, &choice, rate, places.len())
        .map_err(|error| Failure::Input(format!("{}: {error}", options.folder.display())))?;
    let path = target(options, format);
    refuse_own_files(&options.folder, &path)?;
    make_room(&path, format)?;
    let floor = film.planes().first().map(|plane| floor(&picker, plane));
    let cache = begin(&path, picker.cast(), format, &tracked, floor);
    let mut cache = cache.map_err(|error| Failure::Input(error.to_string()))?;

    let stop = run::stop_flag()?;
    let (clock, bar) = (Instant::now(), run::bar(places.len() as u64, options.quiet || options.json));
    let wanted = Fields { velocity: true, ..Fields::NONE };
    let mut done = 0;
    for &place in &places {
        if stop.load(Ordering::Relaxed) > 0 {
            bar.finish_and_clear();
            eprintln!("Interrupted: nothing was written.");
            return Ok(ExitCode::from(run::INTERRUPTED));
        }
        match film.frame_with(place, wanted) {
            Ok(frame) => {
                cache.push(&picker.pose(&frame, done))?;
                done += 1;
            }
            // A frame that cannot be read is told and left out, as in films.
            Err(error) => bar.suspend(|| eprintln!("Left out: {error}")),
        }
        bar.set_position(done as u64);
        let left = clock.elapsed().as_secs_f64() / done.max(1) as f64 * (places.len() - done) as f64;
        bar.set_message(format!("frame {done}/{}   {} left", places.len(), summary::seconds(left)));
    }
    bar.finish_and_clear();
    if done == 0 {
        let folder = options.folder.display();
        return Err(Failure::Input(format!("no frame of {folder} can be read: run the scene again")));
    }
    let written = cache.finish()?;
    report(options, picker.cast(), done, &path, &written, clock.elapsed().as_secs_f64())?;
    Ok(ExitCode::SUCCESS)
}

/// Options of pictures have no meaning for caches.
fn refuse_looks(options: &ExportOptions) -> Result<(), Failure> {
    let given = [
        ("--size", options.size.is_some()),
        ("--thumbnail", options.thumbnail),
        ("--color-by", options.color_by != Color::default()),
        ("--theme", options.theme != Surroundings::default()),
        ("--view", options.view != USUAL_VIEW),
    ];
    refuse(&given, "goes with pictures and films")
}

/// Options of caches have no meaning for pictures.
pub fn refuse_choices(options: &ExportOptions) -> Result<(), Failure> {
    let given = [
        ("--bodies", !options.bodies.is_empty()),
        ("--up", options.up.is_some()),
        ("--scale", options.scale.is_some()),
        ("--simulation-mesh", options.simulation_mesh),
        ("--track", !options.track.is_empty()),
    ];
    refuse(&given, "goes with caches for other programs")
}

/// Names the first option that was given and means nothing here.
fn refuse(options: &[(&str, bool)], why: &str) -> Result<(), Failure> {
    match options.iter().find(|(_, given)| *given) {
        Some((name, _)) => Err(Failure::Input(format!("{name} {why}: leave it out"))),
        None => Ok(()),
    }
}

/// What is going to appear: as told, without a slash at its end, or by the usual name in the run folder.
fn target(options: &ExportOptions, format: Format) -> PathBuf {
    let named = options.out.as_ref().map(|out| out.components().collect::<PathBuf>());
    let path = named.unwrap_or_else(|| options.folder.join(usual_name(format)));
    let is_gltf = |path: &Path| path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("gltf"));
    if format != Format::Gltf || is_gltf(&path) {
        return path;
    }
    let mut name = path.into_os_string();
    name.push(".gltf");
    name.into()
}

/// What the run itself has written must stay.
fn refuse_own_files(run: &Path, path: &Path) -> Result<(), Failure> {
    use aspic_io::run_folder::names;
    let full = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let (run, path) = (full(&run.canonicalize().unwrap_or_else(|_| run.to_owned())), full(path));
    let parent = path.parent().and_then(|parent| parent.canonicalize().ok());
    let path = parent.zip(path.file_name()).map_or(path.clone(), |(parent, name)| parent.join(name));
    let own = [
        names::SCENE,
        names::ABOUT,
        names::SERIES,
        names::LEDGER,
        names::LEDGER_PICTURE,
        names::REACTIONS,
        names::FILM,
        names::CHECKPOINT,
        names::LOCK,
    ];
    let is_own = path == run
        || path.starts_with(run.join(names::FRAMES))
        || own.iter().any(|name| path == run.join(name));
    match is_own {
        true => Err(Failure::Input(format!("{} belongs to the run: choose another name", path.display()))),
        false => Ok(()),
    }
}

/// The way up: as told, or as the format has it.
fn up(told: Option<UpAxis>, format: Format) -> Up {
    match told {
        Some(UpAxis::Y) => Up::Y,
        Some(UpAxis::Z) => Up::Z,
        None if matches!(format, Format::Glb | Format::Gltf | Format::Abc) => Up::Y,
        None => Up::Z,
    }
}

/// What appears in the run folder, unless a name is given.
fn usual_name(format: Format) -> &'static str {
    match format {
        Format::Vtu => "vtu",
        Format::Obj => "obj",
        Format::Ply => "ply",
        Format::Pc2 => "pc2",
        Format::Mdd => "mdd",
        Format::Pov => "pov",
        Format::Usda => "film.usda",
        Format::Usdc => "film.usdc",
        Format::Usdz => "film.usdz",
        Format::Gltf => "film.gltf",
        Format::Glb => "film.glb",
        Format::Abc => "film.abc",
        Format::Csv => "points.csv",
        Format::Npz => "film.npz",
        Format::Png | Format::Gif | Format::Mp4 | Format::Html => "",
    }
}

/// Formats that fill a folder.
pub fn is_folder(format: Format) -> bool {
    matches!(
        format,
        Format::Vtu | Format::Obj | Format::Ply | Format::Pc2 | Format::Mdd | Format::Pov | Format::Png
    )
}

fn make_room(path: &Path, format: Format) -> Result<(), Failure> {
    let refuse = |why: &str| Err(Failure::Input(format!("cannot write {}: {why}", path.display())));
    match (is_folder(format), path.is_dir(), path.exists()) {
        (true, false, true) => return refuse("a file stands where a folder is needed: choose another name"),
        (false, true, _) => return refuse("it is a folder: give the file another name"),
        _ => {}
    }
    let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    folder.map_or(Ok(()), std::fs::create_dir_all).map_err(|error| {
        let folder = folder.unwrap_or(path).display();
        Failure::Input(format!("cannot make the folder {folder}: {error}"))
    })
}

fn begin(
    path: &Path,
    cast: &Cast,
    format: Format,
    tracked: &[Tracked],
    floor: Option<cache::povray::Floor>,
) -> Result<Box<dyn Cache>, aspic_io::OutputError> {
    match format {
        Format::Vtu => cache::vtu::begin(path, cast),
        Format::Obj => cache::obj::begin(path, cast),
        Format::Ply => cache::ply::begin(path, cast),
        Format::Usda => cache::usd::begin_text(path, cast),
        Format::Usdc => cache::usd::begin_binary(path, cast),
        Format::Usdz => cache::usd::begin_archive(path, cast),
        Format::Gltf | Format::Glb => cache::gltf::begin(path, cast),
        Format::Pc2 => cache::pc2::begin(path, cast),
        Format::Mdd => cache::mdd::begin(path, cast),
        Format::Abc => cache::alembic::begin(path, cast),
        Format::Pov => cache::povray::begin(path, cast, floor),
        Format::Csv => cache::csv::begin(path, cast, tracked),
        Format::Npz | Format::Png | Format::Gif | Format::Mp4 | Format::Html => cache::npz::begin(path, cast),
    }
}

/// A plane of the run in the axes and units of the cache.
fn floor(picker: &Picker, plane: &NamedPlane) -> cache::povray::Floor {
    let normal = picker.turned(&Vec3::from(plane.normal)).normalize();
    cache::povray::Floor { normal, height: normal.dot(&picker.turned(&Vec3::from(plane.point))) }
}

/// What is said at the end.
#[derive(Serialize)]
struct Summary {
    /// The file or folder.
    path: String,
    /// The files to open.
    files: Vec<String>,
    frames: usize,
    bodies: usize,
    points: usize,
    /// Frames a second.
    rate: f64,
    /// Time for everything \[s\].
    wall_s: f64,
    /// Size of the file, or of all files in the folder.
    bytes: u64,
}

fn report(
    options: &ExportOptions,
    cast: &Cast,
    frames: usize,
    path: &Path,
    written: &[PathBuf],
    wall_s: f64,
) -> Result<(), Failure> {
    let files = written.iter().map(|file| file.display().to_string()).collect();
    let (bodies, points) = (cast.actors.len(), cast.points());
    let bytes = export::size_of(path);
    let path = path.display().to_string();
    let summary = Summary { path, files, frames, bodies, points, rate: cast.rate, wall_s, bytes };
    if options.json {
        return crate::print(&serde_json::to_string(&summary).map_err(Failure::output)?).map(drop);
    }
    if options.quiet {
        return Ok(());
    }
    crate::print(&format!(
        "{} of {} with {} at {} a second, {:.1} MB in {}\nmade in {}",
        crate::count(frames, "frame", "frames"),
        crate::count(bodies, "body", "bodies"),
        crate::count(points, "point", "points"),
        export::rounded(summary.rate),
        bytes as f64 / 1e6,
        summary.path,
        summary::seconds(wall_s),
    ))
    .map(drop)
}
