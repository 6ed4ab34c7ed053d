//! A film as an MP4 file, by `ffmpeg`.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};

use super::Footage;
use crate::OutputError;
use crate::atomic::{Temporary, sibling};
use crate::render::Image;

/// The program.
const FFMPEG: &str = "ffmpeg";
/// H.264 that every browser plays, visually without loss, in the colours that were drawn; sides must be even; the
/// index goes to the front, so that a film can be shown while it loads.
const ENCODING: [&str; 21] = [
    "-vf",
    "pad=ceil(iw/2)*2:ceil(ih/2)*2,scale=out_color_matrix=bt709:out_range=tv",
    "-c:v",
    "libx264",
    "-preset",
    "medium",
    "-crf",
    "18",
    "-pix_fmt",
    "yuv420p",
    "-colorspace",
    "bt709",
    "-color_primaries",
    "bt709",
    "-color_trc",
    "iec61966-2-1",
    "-movflags",
    "+faststart",
    "-f",
    "mp4",
    "-an",
];

/// Whether `ffmpeg` can be started.
pub fn ffmpeg_is_there() -> bool {
    let mut command = Command::new(FFMPEG);
    let command = command.arg("-version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// The command that makes a film of numbered PNG files in a folder, as one types it.
pub fn ffmpeg_command(folder: &Path, first: usize, rate: f64, film: &Path) -> String {
    let typed = crate::run_folder::as_typed;
    format!(
        "ffmpeg -framerate {rate} -start_number {first} -i {} -vf 'pad=ceil(iw/2)*2:ceil(ih/2)*2' -c:v libx264 -crf 18 \
         -pix_fmt yuv420p -movflags +faststart {}",
        typed(&folder.join("%06d.png")),
        typed(film)
    )
}

/// An MP4 file in the making.
pub struct Mp4Film {
    path: PathBuf,
    temporary: Temporary,
    ffmpeg: Child,
    input: Option<ChildStdin>,
    size: [u32; 2],
}

impl Mp4Film {
    /// Begins a film of this size \[px\] and rate \[1/s\].
    pub fn begin(path: &Path, rate: f64, size: [u32; 2]) -> Result<Mp4Film, OutputError> {
        let temporary = Temporary(sibling(path));
        // ffmpeg's own words about a place that cannot be written are long.
        std::fs::File::create(&temporary.0).map_err(OutputError::io(path))?;
        let mut command = Command::new(FFMPEG);
        command.args(["-hide_banner", "-loglevel", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24"]);
        command.args(["-s", &format!("{}x{}", size[0], size[1]), "-r", &rate.to_string(), "-i", "-"]);
        command.args(ENCODING).arg(&temporary.0);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut ffmpeg = command.spawn().map_err(OutputError::io(path))?;
        let input = ffmpeg.stdin.take();
        Ok(Mp4Film { path: path.into(), temporary, ffmpeg, input, size })
    }

    /// What `ffmpeg` complained about when it ended early.
    fn complaint(&mut self) -> OutputError {
        self.input = None;
        let mut text = String::new();
        if let Some(mut stderr) = self.ffmpeg.stderr.take() {
            let _ = stderr.read_to_string(&mut text);
        }
        let text = text.lines().last().unwrap_or("it gave no reason").to_string();
        OutputError::Drawing { path: self.path.clone(), cause: format!("ffmpeg stopped: {text}") }
    }
}

impl Footage for Mp4Film {
    fn push(&mut self, image: &Image) -> Result<(), OutputError> {
        let expected = 3 * self.size[0] as usize * self.size[1] as usize;
        OutputError::expect_length(&self.path, "a picture", expected, image.rgb.len())?;
        let written = match &mut self.input {
            Some(input) => input.write_all(&image.rgb),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        };
        written.map_err(|_| self.complaint())
    }

    fn finish(mut self: Box<Self>) -> Result<(), OutputError> {
        // The end of its input is the end of the film.
        self.input = None;
        let status = self.ffmpeg.wait().map_err(OutputError::io(&self.path))?;
        if !status.success() {
            return Err(self.complaint());
        }
        std::fs::rename(&self.temporary.0, &self.path).map_err(OutputError::io(&self.path))
    }
}

impl Drop for Mp4Film {
    /// A film that was not finished: end `ffmpeg`, so that the file it writes can go.
    fn drop(&mut self) {
        self.input = None;
        let _ = self.ffmpeg.kill();
        let _ = self.ffmpeg.wait();
    }
}
