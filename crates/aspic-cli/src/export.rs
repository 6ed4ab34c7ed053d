//! `aspic export`: pictures and films of a run; caches for other programs are made beside.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use aspic::frame::BodyKind;
use aspic::mesh::Plane;
use aspic_io::OutputError;
use aspic_io::footage::{self, Footage, GifFilm, Mp4Film};
use aspic_io::render::{ColorBy, Effort, Image, Look, Renderer, Survey, Theme};
use aspic_io::run_film::{FilmFrame, RunFilm};
use clap::ValueEnum;
use indicatif::ProgressBar;
use rayon::prelude::*;
use serde::Serialize;

use crate::args::{Color, ExportOptions, Format, FrameRange, Surroundings};
use crate::failure::Failure;
use crate::{caches, run, summary};

/// Pictures of a GIF film that its colours are taken from.
const SAMPLES: usize = 8;
/// Frames a second of a run that does not tell.
pub const USUAL_RATE: f64 = 24.0;

/// `aspic export`.
pub fn export(options: &ExportOptions) -> Result<ExitCode, Failure> {
    run::use_threads(options.threads)?;
    let format = format(options)?;
    if matches!(format, Format::Html | Format::Png | Format::Gif | Format::Mp4) {
        caches::refuse_choices(options)?;
    }
    match format {
        Format::Html => crate::page::html(options),
        Format::Png | Format::Gif | Format::Mp4 => Job::plan(options, format)?.carry_out(),
        _ => caches::export(options, format),
    }
}

/// What to make: as told, or by the end of the file's name.
fn format(options: &ExportOptions) -> Result<Format, Failure> {
    let ending = options.out.as_deref().and_then(Path::extension).map(|e| e.to_string_lossy().to_lowercase());
    let named = ending.as_deref().and_then(|ending| Format::from_str(ending, true).ok());
    // A folder may be called anything.
    let named =
        named.filter(|named| !options.to.is_some_and(caches::is_folder) || !caches::is_folder(*named));
    let asked = options.to.or(options.thumbnail.then_some(Format::Png));
    match (asked, named, ending) {
        (Some(asked), named, _)
            if options.thumbnail && (asked != Format::Png || named.is_some_and(|n| n != asked)) =>
        {
            Err(Failure::Input(
                "a thumbnail is a PNG file: leave --to out, and end the name after --out in .png".into(),
            ))
        }
        (Some(asked), Some(named), Some(ending)) if asked != named => Err(Failure::Input(format!(
            "--to and --out do not agree: the name ends in .{ending}; change one of them"
        ))),
        (Some(asked), ..) => Ok(asked),
        (None, Some(named), _) => Ok(named),
        (None, None, Some(ending)) => Err(Failure::Input(unknown_ending(&ending))),
        (None, None, None) => Err(Failure::Input(
            "say what to make: --to png, mp4, usdc, glb, abc …, or a file after --out whose name ends so"
                .into(),
        )),
    }
}

fn unknown_ending(ending: &str) -> String {
    let known: Vec<String> = Format::value_variants()
        .iter()
        .filter_map(|format| Some(format.to_possible_value()?.get_name().to_owned()))
        .collect();
    let foreign = match ending {
        "jpg" | "jpeg" | "webp" | "bmp" | "tif" | "tiff" => Some("png"),
        "avi" | "mov" | "mkv" | "webm" | "mpg" | "mpeg" => Some("mp4"),
        "htm" => Some("html"),
        "usd" => Some("usdc"),
        "fbx" | "alembic" => Some("abc"),
        _ => None,
    };
    let near = known.iter().map(|known| (strsim::damerau_levenshtein(known, ending), known.as_str())).min();
    let near = foreign.or(near.filter(|(distance, _)| *distance <= 1).map(|(_, known)| known));
    let hint = near.map(|near| format!(" (did you mean .{near}?)")).unwrap_or_default();
    format!(
        "cannot tell what to make from a name that ends in .{ending}{hint}: it is one of {}",
        known.join(", ")
    )
}

/// What is going to be made.
struct Job<'a> {
    options: &'a ExportOptions,
    film: RunFilm,
    look: Look,
    goal: Goal,
    /// Pictures a second.
    rate: f64,
    /// Places in the film.
    places: Vec<usize>,
    /// The only place that is drawn, if it is only one.
    shown: Option<usize>,
}

/// Where pictures go.
enum Goal {
    /// One picture, in this file.
    Still(PathBuf),
    /// A file for each, in this folder, named after the frame's number in the run.
    Pictures(PathBuf),
    Gif(PathBuf),
    Mp4(PathBuf),
    /// A file for each, in this folder, numbered from 0, because `ffmpeg` is missing that would make this film.
    Instead {
        folder: PathBuf,
        film: PathBuf,
    },
}

impl Goal {
    /// What appears.
    fn path(&self) -> &Path {
        match self {
            Goal::Still(path) | Goal::Pictures(path) | Goal::Gif(path) | Goal::Mp4(path) => path,
            Goal::Instead { folder, .. } => folder,
        }
    }

    fn of(options: &ExportOptions, format: Format) -> Goal {
        let path = |name: &str| options.out.clone().unwrap_or_else(|| options.folder.join(name));
        match format {
            Format::Gif => Goal::Gif(path("film.gif")),
            Format::Mp4 if footage::ffmpeg_is_there() => Goal::Mp4(path("film.mp4")),
            Format::Mp4 => {
                let film = path("film.mp4");
                Goal::Instead { folder: film.with_extension("frames"), film }
            }
            _ if options.thumbnail => Goal::Still(path("thumbnail.png")),
            _ if options.out.as_ref().is_some_and(|out| out.extension().is_some()) => Goal::Still(path("")),
            _ => Goal::Pictures(path("png")),
        }
    }
}

impl Job<'_> {
    /// Finds the frames and checks that everything fits together.
    fn plan(options: &ExportOptions, format: Format) -> Result<Job<'_>, Failure> {
        let mut film = RunFilm::open(&options.folder)?;
        film.take_notices().iter().for_each(|notice| eprintln!("{notice}"));
        let mut places = places(&film, options)?;
        check_field(&film, options)?;
        let natural = if film.frame_interval() > 0.0 { 1.0 / film.frame_interval() } else { USUAL_RATE };
        let skip = match (options.fps, format) {
            (Some(_), _) | (_, Format::Png) => 1,
            (None, Format::Gif) => (natural / 25.0 - 1e-9).ceil() as usize,
            (None, _) => (natural / 60.0 - 1e-9).ceil() as usize,
        };
        let shown = options.thumbnail.then(|| film.loudest(&places).unwrap_or(places[places.len() / 2]));
        if let Some(shown) = shown.filter(|_| !has_obstacles(&film)) {
            // Nothing around tells where the bodies are: go near.
            places = vec![shown];
        }
        let places: Vec<usize> = places.into_iter().step_by(skip.max(1)).collect();
        let goal = Goal::of(options, format);
        if let (Goal::Still(path), None, 2..) = (&goal, shown, places.len()) {
            return Err(Failure::Input(format!(
                "{} is one file, but there are {} frames: name a folder, or one frame (--frames 12..13)",
                path.display(),
                places.len()
            )));
        }
        let rate = options.fps.unwrap_or(natural / skip.max(1) as f64);
        Ok(Job { options, film, look: look(options, format), goal, rate, places, shown })
    }

    /// Looks at all frames, then draws them.
    fn carry_out(mut self) -> Result<ExitCode, Failure> {
        let stop = run::stop_flag()?;
        let begin = Instant::now();
        let bar = run::bar(2 * self.places.len() as u64, self.options.quiet || self.options.json);
        let survey = self.survey(&bar, &stop)?;
        let Some(survey) = survey else { return Ok(interrupted()) };
        if let Some(shown) = self.shown {
            // The frame where most happens may be one that cannot be read.
            self.places = vec![if self.places.contains(&shown) { shown } else { self.places[0] }];
        }
        let renderer = self.renderer(&survey);
        let mut sink = self.open(&renderer)?;
        let threads = rayon::current_num_threads();
        let mut done = 0;
        for places in self.places.chunks(threads) {
            if stop.load(Ordering::Relaxed) > 0 {
                bar.finish_and_clear();
                return Ok(interrupted());
            }
            let images: Vec<(FilmFrame, Image)> =
                places.par_iter().filter_map(|&place| self.draw(&renderer, place)).collect();
            sink.push(&images, done)?;
            done += images.len();
            show(&bar, self.places.len(), done, begin);
        }
        sink.finish()?;
        bar.finish_and_clear();
        self.report(done, begin.elapsed().as_secs_f64())?;
        Ok(ExitCode::SUCCESS)
    }

    /// Reads every frame once; those that cannot be read are left out. `None` if it was interrupted.
    fn survey(&mut self, bar: &ProgressBar, stop: &AtomicUsize) -> Result<Option<Survey>, Failure> {
        let mut survey = Survey::new(&self.look, self.film.start());
        let mut good = vec![];
        for places in self.places.chunks(4 * rayon::current_num_threads()) {
            if stop.load(Ordering::Relaxed) > 0 {
                bar.finish_and_clear();
                return Ok(None);
            }
            let frames: Vec<_> = places.par_iter().map(|&place| self.read(place)).collect();
            for (&place, frame) in places.iter().zip(frames) {
                match frame {
                    Ok(frame) => {
                        survey.see(self.film.topology(), &frame);
                        good.push(place);
                    }
                    Err(error) => bar.suspend(|| eprintln!("Left out a frame: {error}")),
                }
            }
            bar.inc(places.len() as u64);
            bar.set_message("reading frames");
        }
        if good.is_empty() {
            let folder = self.options.folder.display();
            return Err(Failure::Input(format!("no frame in {folder} can be read: run the scene again")));
        }
        self.places = good;
        Ok(Some(survey))
    }

    fn renderer(&self, survey: &Survey) -> Renderer {
        let planes = self.film.planes().iter();
        let planes: Vec<Plane> =
            planes.filter_map(|plane| Plane::new(plane.point.into(), plane.normal.into()).ok()).collect();
        Renderer::new(&self.look, self.film.topology(), &planes, survey)
    }

    fn read(&self, place: usize) -> Result<FilmFrame, aspic_io::ReadError> {
        self.film.frame_with(place, Survey::fields(&self.look))
    }

    /// A frame and its picture; `None` if its file has vanished since.
    fn draw(&self, renderer: &Renderer, place: usize) -> Option<(FilmFrame, Image)> {
        let frame = self.read(place).ok()?;
        let image = renderer.draw(&frame);
        Some((frame, image))
    }

    /// Begins the file or the folder. A place that cannot be written is bad input.
    fn open(&self, renderer: &Renderer) -> Result<Sink, Failure> {
        let path = self.goal.path();
        let folder = match &self.goal {
            Goal::Pictures(folder) | Goal::Instead { folder, .. } => Some(folder.as_path()),
            _ => path.parent().filter(|parent| !parent.as_os_str().is_empty()),
        };
        let bad = |error: OutputError| Failure::Input(error.to_string());
        if path.is_dir() && folder != Some(path) {
            let text = format!("cannot write {}: it is a folder: give the file another name", path.display());
            return Err(Failure::Input(text));
        }
        if let Some(folder) = folder {
            std::fs::create_dir_all(folder).map_err(|error| {
                Failure::Input(format!("cannot make the folder {}: {error}", folder.display()))
            })?;
        }
        let size = [self.look.width, self.look.height];
        let film: Box<dyn Footage> = match &self.goal {
            Goal::Still(path) => return Ok(Sink::Still(path.clone())),
            Goal::Pictures(folder) => return Ok(Sink::Folder { folder: folder.clone(), by_frame: true }),
            Goal::Instead { folder, .. } => {
                return Ok(Sink::Folder { folder: folder.clone(), by_frame: false });
            }
            Goal::Gif(path) => {
                let step = self.places.len().div_ceil(SAMPLES);
                let some: Vec<usize> = self.places.iter().copied().step_by(step).collect();
                let samples: Vec<Image> =
                    some.par_iter().filter_map(|&place| Some(self.draw(renderer, place)?.1)).collect();
                Box::new(GifFilm::begin(path, self.rate, &samples).map_err(bad)?)
            }
            Goal::Mp4(path) => Box::new(Mp4Film::begin(path, self.rate, size).map_err(bad)?),
        };
        Ok(Sink::Film(film))
    }

    fn report(&self, frames: usize, took: f64) -> Result<(), Failure> {
        let Look { width, height, .. } = self.look;
        let path = self.goal.path();
        let summary = Summary {
            path: path.display().to_string(),
            frames,
            width,
            height,
            rate: self.rate,
            wall_s: took,
            bytes: size_of(path),
        };
        summary.print(self.options)?;
        if let Goal::Instead { folder, film } = &self.goal {
            let command = footage::ffmpeg_command(folder, 0, self.rate, film);
            eprintln!(
                "ffmpeg is not installed, so there is no film yet. Where it is, this makes it:\n  {command}"
            );
        }
        Ok(())
    }
}

fn has_obstacles(film: &RunFilm) -> bool {
    film.topology().bodies.iter().any(|body| body.kind == BodyKind::Obstacle)
}

/// Places of the frames that are wanted.
pub fn places(film: &RunFilm, options: &ExportOptions) -> Result<Vec<usize>, Failure> {
    let folder = options.folder.display();
    let numbers: Vec<usize> = (0..film.len()).filter_map(|place| film.number(place)).collect();
    let (Some(first), Some(last)) = (numbers.first(), numbers.last()) else {
        return Err(Failure::Input(format!(
            "{folder} has no frames yet: wait for the first, or let the run go on with `aspic resume {}`",
            aspic_io::run_folder::as_typed(&options.folder)
        )));
    };
    let wanted = options.frames.unwrap_or(FrameRange::ALL);
    let places: Vec<usize> = (0..numbers.len()).filter(|&place| wanted.contains(numbers[place])).collect();
    if places.is_empty() {
        return Err(Failure::Input(format!(
            "--frames {wanted} asks for none of the frames in {folder}, {first} to {last}"
        )));
    }
    Ok(places)
}

/// Refuses colours for a field that the frames do not hold.
fn check_field(film: &RunFilm, options: &ExportOptions) -> Result<(), Failure> {
    let there = film.fields();
    let (there, name, cure) = match options.color_by {
        Color::Body | Color::Displacement => return Ok(()),
        Color::Speed => (there.velocity, "velocities", "run the scene again"),
        Color::Energy => (there.energy, "energy", "run the scene again"),
        Color::Stress => (there.stress, "stress", "run the scene again with `stress = true` in its [output]"),
        Color::Contact => (there.contact, "forces of contact", "run the scene again with this aspic"),
    };
    match there || film.topology().points == 0 {
        true => Ok(()),
        false => {
            Err(Failure::Input(format!("the frames in {} hold no {name}: {cure}", options.folder.display())))
        }
    }
}

fn look(options: &ExportOptions, format: Format) -> Look {
    let usual = if format == Format::Gif { [640, 360] } else { [1280, 720] };
    let [width, height] = options.size.unwrap_or(usual);
    Look {
        width,
        height,
        color_by: match options.color_by {
            Color::Body => ColorBy::Body,
            Color::Speed => ColorBy::Speed,
            Color::Stress => ColorBy::Stress,
            Color::Energy => ColorBy::Energy,
            Color::Displacement => ColorBy::Displacement,
            Color::Contact => ColorBy::Contact,
        },
        theme: match options.theme {
            Surroundings::Light => Theme::Light,
            Surroundings::Dark => Theme::Dark,
        },
        azimuth: options.view[0].to_radians(),
        elevation: options.view[1].to_radians(),
    }
}

/// Where pictures go, opened.
enum Sink {
    Still(PathBuf),
    Folder { folder: PathBuf, by_frame: bool },
    Film(Box<dyn Footage>),
}

impl Sink {
    /// Takes pictures in order; `done` came before.
    fn push(&mut self, images: &[(FilmFrame, Image)], done: usize) -> Result<(), Failure> {
        match self {
            Sink::Still(path) => {
                images.iter().try_for_each(|(_, image)| image.write_png(path, Effort::Small))?;
            }
            Sink::Folder { folder, by_frame } => {
                let write = |(place, (frame, image)): (usize, &(FilmFrame, Image))| {
                    let number = if *by_frame { frame.number } else { done + place };
                    image.write_png(&folder.join(format!("{number:06}.png")), Effort::Fast)
                };
                images.par_iter().enumerate().try_for_each(write)?;
            }
            Sink::Film(film) => images.iter().try_for_each(|(_, image)| film.push(image))?,
        }
        Ok(())
    }

    fn finish(self) -> Result<(), Failure> {
        match self {
            Sink::Film(film) => Ok(film.finish()?),
            Sink::Still(_) | Sink::Folder { .. } => Ok(()),
        }
    }
}

fn interrupted() -> ExitCode {
    eprintln!("Interrupted: no film was written.");
    ExitCode::from(run::INTERRUPTED)
}

fn show(bar: &ProgressBar, frames: usize, done: usize, begin: Instant) {
    let took = begin.elapsed().as_secs_f64();
    let left = took / done.max(1) as f64 * (frames - done.min(frames)) as f64;
    bar.set_position((frames + done) as u64);
    bar.set_message(format!("picture {done}/{frames}   {} left", summary::seconds(left)));
}

/// What is said at the end.
#[derive(Serialize)]
struct Summary {
    /// The file or folder.
    path: String,
    frames: usize,
    width: u32,
    height: u32,
    /// Pictures a second.
    rate: f64,
    /// Time for everything \[s\].
    wall_s: f64,
    /// Size of the file, or of all files in the folder.
    bytes: u64,
}

impl Summary {
    fn print(&self, options: &ExportOptions) -> Result<(), Failure> {
        if options.json {
            let text = serde_json::to_string(self).map_err(Failure::output)?;
            return crate::print(&text).map(|_| ());
        }
        if options.quiet {
            return Ok(());
        }
        let pictures = crate::count(self.frames, "picture", "pictures");
        let Summary { path, width, height, .. } = self;
        let film = match (self.frames, options.thumbnail) {
            (1, _) | (_, true) => String::new(),
            (frames, _) => format!(
                ", {} at {} a second",
                summary::seconds(frames as f64 / self.rate),
                rounded(self.rate)
            ),
        };
        let each = summary::seconds(self.wall_s / self.frames.max(1) as f64);
        crate::print(&format!(
            "{pictures} of {width} × {height}{film}, {:.1} MB in {path}\nmade in {}, {each} a picture",
            self.bytes as f64 / 1e6,
            summary::seconds(self.wall_s),
        ))
        .map(|_| ())
    }
}

/// A rate with at most two decimals.
pub fn rounded(rate: f64) -> f64 {
    (rate * 100.0).round() / 100.0
}

/// Bytes of a file, or of all files in a folder.
pub fn size_of(path: &Path) -> u64 {
    let size = |path: &Path| std::fs::metadata(path).map_or(0, |data| data.len());
    match std::fs::read_dir(path) {
        Ok(entries) => entries.flatten().map(|entry| size(&entry.path())).sum(),
        Err(_) => size(path),
    }
}
