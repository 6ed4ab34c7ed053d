//! `aspic export --to html`: a run as one page.

use std::process::ExitCode;
use std::time::Instant;

use aspic_view::film::{self, FilmError, Written};
use serde::Serialize;

use crate::args::{ExportOptions, FrameRange};
use crate::failure::Failure;
use crate::summary;

/// What is said at the end.
#[derive(Serialize)]
struct Summary {
    /// The file.
    path: String,
    frames: usize,
    /// Size of the file.
    bytes: u64,
    /// Time for everything \[s\].
    wall_s: f64,
}

/// A page that shows the run and needs nothing else.
pub fn html(options: &ExportOptions) -> Result<ExitCode, Failure> {
    if options.size.is_some() || options.fps.is_some() {
        let text =
            "a page has any size and any speed: leave --size and --fps out, or use --to png, gif or mp4";
        return Err(Failure::Input(text.into()));
    }
    let begin = Instant::now();
    let out = options.out.clone().unwrap_or_else(|| options.folder.join("film.html"));
    let wanted = options.frames.unwrap_or(FrameRange::ALL);
    let written = film::write_frames(&options.folder, &out, |number| wanted.contains(number));
    let Written { frames, notices, .. } = written.map_err(|error| match error {
        FilmError::Write(error) => Failure::from(error),
        FilmError::NoPage => Failure::output(error),
        other => Failure::Input(other.to_string()),
    })?;
    notices.iter().for_each(|notice| eprintln!("{notice}"));
    let bytes = std::fs::metadata(&out).map_or(0, |data| data.len());
    let path = out.display().to_string();
    let done = Summary { path, frames, bytes, wall_s: begin.elapsed().as_secs_f64() };
    if options.json {
        return crate::print(&serde_json::to_string(&done).map_err(Failure::output)?);
    }
    if options.quiet {
        return Ok(ExitCode::SUCCESS);
    }
    let frames = crate::count(frames, "frame", "frames");
    let Summary { path, wall_s, .. } = done;
    crate::print(&format!(
        "{frames}, {:.1} MB in {path}, made in {}",
        bytes as f64 / 1e6,
        summary::seconds(wall_s)
    ))
}
