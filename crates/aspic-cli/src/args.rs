//! What can be typed.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

/// Simulates bodies that wobble: a scene file in; frames, films and honest energy figures out.
#[derive(Parser)]
#[command(
    version,
    after_help = "Exit codes: 0 done, 1 the simulation or its output failed, 2 bad input, 130 interrupted."
)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Subcommand)]
pub enum Command {
    /// Simulate a scene into a run folder
    Run(RunOptions),
    /// Go on with a run that was stopped, to the same bits as if it had not been
    Resume(ResumeOptions),
    /// Show a scene that runs, or the film of a run, in the browser
    View(ViewOptions),
    /// Validate a scene without running it
    Check {
        /// The scene file
        scene: PathBuf,
    },
    /// Tell what is in a scene file or a run folder
    Info {
        /// A scene file or a run folder
        path: PathBuf,
    },
    /// Print the JSON Schema of scene files, for editors
    Schema,
    /// List the material library, with sources
    Materials {
        /// Only this one
        name: Option<String>,
    },
}

/// Options of `run`.
#[derive(Args)]
pub struct RunOptions {
    /// The scene file
    pub scene: PathBuf,
    /// The run folder [default: out/NAME for NAME.toml]
    #[arg(long, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
    /// Replace the run that the folder already holds
    #[arg(long)]
    pub overwrite: bool,
    /// How to go about it.
    #[command(flatten)]
    pub common: CommonOptions,
}

/// Options of `resume`.
#[derive(Args)]
pub struct ResumeOptions {
    /// The run folder
    pub folder: PathBuf,
    /// How to go about it.
    #[command(flatten)]
    pub common: CommonOptions,
}

/// Options of `view`.
#[derive(Args)]
pub struct ViewOptions {
    /// A scene file, which runs while you look at it, or a run folder, whose film is shown
    pub path: PathBuf,
    /// The port to listen on; another one if it is taken [default: 4717]
    #[arg(long, value_name = "N")]
    pub port: Option<u16>,
    /// The address to listen on; others can then reach the viewer, unencrypted [default: this machine only]
    #[arg(long, value_name = "HOST")]
    pub host: Option<String>,
    /// Print the address, but open no browser
    #[arg(long)]
    pub no_open: bool,
    /// Number of threads [default: all cores]; the result is the same to the last bit
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
}

/// Options of `run` and `resume`.
#[derive(Args, Clone, Copy)]
pub struct CommonOptions {
    /// Write only frames A, A+1, … B−1 and stop there; either end may be left out
    #[arg(long, value_name = "A..B", value_parser = parse_frames)]
    pub frames: Option<FrameRange>,
    /// Number of threads [default: all cores]; the result is the same to the last bit
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// No progress bar and no summary
    #[arg(long, short)]
    pub quiet: bool,
    /// Print the summary as one JSON object on standard output
    #[arg(long)]
    pub json: bool,
}

/// A half-open range of frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameRange {
    /// The first.
    pub from: usize,
    /// One past the last.
    pub to: usize,
}

impl FrameRange {
    /// Every frame.
    pub const ALL: FrameRange = FrameRange { from: 0, to: usize::MAX };

    /// Its frames in a run of `count` frames.
    pub fn within(&self, count: usize) -> std::ops::Range<usize> {
        self.from..self.to.min(count)
    }

    /// Whether a frame is in it.
    pub fn contains(&self, frame: usize) -> bool {
        (self.from..self.to).contains(&frame)
    }
}

impl std::fmt::Display for FrameRange {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            FrameRange { from, to: usize::MAX } => write!(f, "{from}.."),
            FrameRange { from, to } => write!(f, "{from}..{to}"),
        }
    }
}

fn parse_frames(text: &str) -> Result<FrameRange, String> {
    let wrong = || format!("`{text}` is not a range of frames: write 0..48, 48.. or ..48");
    let (from, to) = text.split_once("..").ok_or_else(wrong)?;
    let number = |text: &str, default: usize| match text.trim() {
        "" => Ok(default),
        digits => digits.parse().map_err(|_| wrong()),
    };
    let range = FrameRange { from: number(from, 0)?, to: number(to, usize::MAX)? };
    if range.from < range.to {
        Ok(range)
    } else {
        Err(format!("the range {text} is empty: its end must be larger"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        use clap::CommandFactory;
        Arguments::command().debug_assert();
    }

    #[test]
    fn frame_ranges_are_half_open_and_may_lack_an_end() {
        assert_eq!(parse_frames("3..7"), Ok(FrameRange { from: 3, to: 7 }));
        assert_eq!(parse_frames("..7"), Ok(FrameRange { from: 0, to: 7 }));
        assert_eq!(parse_frames("3.."), Ok(FrameRange { from: 3, to: usize::MAX }));
        for wrong in ["7..3", "3..3", "x..3", "7"] {
            assert!(parse_frames(wrong).is_err());
        }
    }
}
