//! What can be typed.

use std::path::PathBuf;

use aspic::scene::Method;
use clap::{Args, Parser, Subcommand, ValueEnum};

/// Simulates bodies that wobble: a scene file in; frames, films and honest energy figures out.
#[derive(Parser)]
#[command(
    version,
    after_help = "Exit codes: 0 done, 1 the simulation or its output failed, 2 bad input, 3 done with warnings that \
                  --strict does not allow, 130 interrupted."
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
    /// Make pictures or a film of a run, or a cache for another program
    Export(ExportOptions),
    /// Validate a scene without running it
    Check {
        /// The scene file, or a .meshes file
        scene: PathBuf,
        /// Print one JSON object on standard output
        #[arg(long)]
        json: bool,
    },
    /// Examine a mesh file, fill a surface with tetrahedra, or turn one format into another
    Mesh {
        /// What to do with it.
        #[command(subcommand)]
        command: MeshCommand,
    },
    /// Tell what is in a scene file or a run folder
    Info {
        /// A scene file, a .meshes file or a run folder
        path: PathBuf,
        /// Print one JSON object on standard output
        #[arg(long)]
        json: bool,
    },
    /// Find the longest stable step of every method, and how fast it then is
    Stability(StabilityOptions),
    /// Print the JSON Schema of scene files, for editors
    Schema,
    /// List the material library, with sources
    Materials {
        /// Only this one
        name: Option<String>,
    },
}

impl Command {
    /// Whether a program reads what is printed.
    pub fn json(&self) -> bool {
        match self {
            Command::Run(RunOptions { common, .. }) | Command::Resume(ResumeOptions { common, .. }) => {
                common.json
            }
            Command::Export(options) => options.json,
            Command::Stability(options) => options.json,
            Command::Check { json, .. }
            | Command::Info { json, .. }
            | Command::Mesh { command: MeshCommand::Info { json, .. } } => *json,
            Command::View(_) | Command::Mesh { .. } | Command::Schema | Command::Materials { .. } => false,
        }
    }
}

/// Options of `run`.
#[derive(Args)]
pub struct RunOptions {
    /// The scene file, or a .meshes file: meshes with initial velocities
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

/// Options of `stability`.
#[derive(Args)]
pub struct StabilityOptions {
    /// The scene file
    pub scene: PathBuf,
    /// The methods, by their words in scene files [default: the explicit ones of fixed steps, and backward-euler]
    #[arg(long, value_name = "A,B", value_delimiter = ',', value_parser = parse_method)]
    pub methods: Vec<Method>,
    /// Simulated time over which a step must be stable, in seconds [default: the scene's duration, at most 2000
    /// times the longest step of rkf45]
    #[arg(long, value_name = "T", value_parser = parse_time, allow_negative_numbers = true)]
    pub time: Option<f64>,
    /// Number of threads [default: all cores]; only the times depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// No progress on standard error
    #[arg(long, short)]
    pub quiet: bool,
    /// Print the table as one JSON object
    #[arg(long)]
    pub json: bool,
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
    /// End with exit code 3 if there is a warning about energy or momentum; the run folder is complete all the same
    #[arg(long)]
    pub strict: bool,
}

/// What `mesh` can do.
#[derive(Subcommand)]
pub enum MeshCommand {
    /// Tell what a file holds, what is wrong with it and what would be done about it
    Info {
        /// A mesh of tetrahedra or a surface
        file: PathBuf,
        /// Its units and axes.
        #[command(flatten)]
        axes: Axes,
        /// Print one JSON object on standard output
        #[arg(long)]
        json: bool,
    },
    /// Fill a surface with tetrahedra; holes, crossings and several shells do no harm
    Tet(TetOptions),
    /// Read one format and write another, as the names end
    Convert(ConvertOptions),
}

/// Units and axes of a mesh file.
#[derive(Args)]
pub struct Axes {
    /// Length of one unit of the file, for example mm or 0.001 [default: what the file says, else 1 m]
    #[arg(long, value_name = "LENGTH", value_parser = parse_unit)]
    pub unit: Option<f64>,
    /// Which axis of the file points up [default: what the file says, else z]
    #[arg(long, value_enum)]
    pub up: Option<UpAxis>,
}

/// Options of `mesh tet`.
#[derive(Args)]
pub struct TetOptions {
    /// The surface
    pub file: PathBuf,
    /// Edge of the cubes of the lattice, for example 2cm
    #[arg(long, value_name = "LENGTH", value_parser = parse_length, conflicts_with = "count")]
    pub cell: Option<f64>,
    /// About how many tetrahedra
    #[arg(long, value_name = "N")]
    pub count: Option<usize>,
    /// Whole tetrahedra that cover the surface, instead of a lattice that is cut to it
    #[arg(long)]
    pub lattice: bool,
    /// Where to write [default: the name of the surface, ending in .vtu]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Its units and axes.
    #[command(flatten)]
    pub axes: Axes,
}

/// Options of `mesh convert`.
#[derive(Args)]
pub struct ConvertOptions {
    /// What to read
    pub from: PathBuf,
    /// What to write
    pub to: PathBuf,
    /// Units and axes of what is read; what is written is in metres with z up.
    #[command(flatten)]
    pub axes: Axes,
}

/// The axis that points up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum UpAxis {
    /// As in glTF, Maya and Houdini
    Y,
    /// As in aspic and Blender
    Z,
}

/// From where pictures are taken, unless told otherwise.
pub const USUAL_VIEW: [f64; 2] = [-30.0, 22.0];

/// Options of `export`.
#[derive(Args)]
pub struct ExportOptions {
    /// The run folder
    pub folder: PathBuf,
    /// What to make [default: what the name after --out ends in]
    #[arg(long, value_name = "FORMAT", value_enum)]
    pub to: Option<Format>,
    /// The file, or for sequences the folder [default: film.FORMAT or FORMAT/ in the run folder]
    #[arg(long, value_name = "PATH")]
    pub out: Option<PathBuf>,
    /// Width and height in pixels [default: 1280x720, for GIF 640x360]
    #[arg(long, value_name = "WIDTHxHEIGHT", value_parser = parse_size)]
    pub size: Option<[u32; 2]>,
    /// Show every frame, N a second [default: real time; frames beyond 60 a second, for GIF 25, are left out]
    #[arg(long, value_name = "N", value_parser = parse_rate)]
    pub fps: Option<f64>,
    /// Only frames A, A+1, … B−1; either end may be left out
    #[arg(long, value_name = "A..B", value_parser = parse_frames)]
    pub frames: Option<FrameRange>,
    /// What colours stand for
    #[arg(long, value_enum, default_value_t)]
    pub color_by: Color,
    /// The surroundings
    #[arg(long, value_enum, default_value_t)]
    pub theme: Surroundings,
    /// From where, in degrees: azimuth (0 front, 90 right) and elevation (90 above)
    #[arg(long, value_name = "AZIMUTH,ELEVATION", value_parser = parse_view, default_value = "-30,22",
          allow_hyphen_values = true)]
    pub view: [f64; 2],
    /// One picture of the frame where most happens, as thumbnail.png in the run folder
    #[arg(long)]
    pub thumbnail: bool,
    /// For caches: only these bodies [default: all]
    #[arg(long, value_name = "A,B")]
    pub bodies: Vec<String>,
    /// For caches: which axis points up [default: y for glTF and Alembic, else z]
    #[arg(long, value_enum)]
    pub up: Option<UpAxis>,
    /// For caches: units for one metre, 100 for centimetres [default: 1]
    #[arg(long, value_name = "N", value_parser = parse_scale)]
    pub scale: Option<f64>,
    /// For caches: the surface of the tetrahedra instead of a finer one that they carry
    #[arg(long)]
    pub simulation_mesh: bool,
    /// For CSV: points to follow, BODY or BODY:NUMBER [default: the mean of each body]
    #[arg(long, value_name = "A:N,B")]
    pub track: Vec<String>,
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

/// What `export` can make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// A picture, or one for each frame
    Png,
    /// A film for every page and letter
    Gif,
    /// A film for everything else; needs ffmpeg
    Mp4,
    /// A page that shows the run and needs nothing else
    Html,
    /// VTK files and their list, for ParaView
    Vtu,
    /// Wavefront files with materials, one for each frame
    Obj,
    /// PLY files, one for each frame
    Ply,
    /// USD as text: Blender, Houdini, Maya, Omniverse
    Usda,
    /// USD, binary
    Usdc,
    /// USD in an archive, for phones
    Usdz,
    /// glTF with morph targets and its .bin, for the web and game engines
    Gltf,
    /// The same in one binary file
    Glb,
    /// PC2 point caches with rest meshes
    Pc2,
    /// MDD point caches with rest meshes
    Mdd,
    /// Alembic: Blender, Houdini, Maya, Nuke
    Abc,
    /// POV-Ray scenes and an .ini that renders the animation
    Pov,
    /// A table of points over time
    Csv,
    /// NumPy arrays
    Npz,
}

/// What colours stand for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// Each body has its own
    #[default]
    Body,
    /// Speed
    Speed,
    /// Von Mises stress
    Stress,
    /// Elastic energy per volume
    Energy,
    /// Distance from the place in the first frame
    Displacement,
    /// Force of contact and friction
    Contact,
}

/// Light or dark surroundings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Surroundings {
    /// Nearly white
    #[default]
    Light,
    /// Nearly black
    Dark,
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

/// The most pixels of a picture: 8K.
const MOST_PIXELS: u64 = 7680 * 4320;
/// The longest and the shortest side of a picture.
const SIDES: std::ops::RangeInclusive<u32> = 16..=16384;

fn parse_size(text: &str) -> Result<[u32; 2], String> {
    let wrong = || format!("`{text}` is no size: write width and height in pixels, for example 1280x720");
    let (width, height) = text.split_once(['x', 'X', '×']).ok_or_else(wrong)?;
    let size = [width, height].map(|side| side.trim().parse::<u32>());
    let [Ok(width), Ok(height)] = size else { return Err(wrong()) };
    let sides = [width, height].iter().all(|side| SIDES.contains(side));
    if !sides || u64::from(width) * u64::from(height) > MOST_PIXELS {
        return Err(format!(
            "{width} × {height} pixels cannot be drawn: each side has 16 to 16384, all of it at most 33 million"
        ));
    }
    Ok([width, height])
}

fn parse_method(text: &str) -> Result<Method, String> {
    match Method::named(text.trim()) {
        Ok(Method::Rkf45) => Err("rkf45 chooses its own steps: there is no longest one to find".to_owned()),
        Ok(method) => Ok(method),
        Err(error) => Err(format!("{}: {}", error.message, error.help.unwrap_or_default())),
    }
}

fn parse_time(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(time) if time > 0.0 && time.is_finite() => Ok(time),
        _ => Err(format!("`{text}` is no time: write a number of seconds, for example 0.5")),
    }
}

fn parse_rate(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(rate) if (0.1..=240.0).contains(&rate) => Ok(rate),
        _ => Err(format!("`{text}` is no rate: write frames a second, from 0.1 to 240")),
    }
}

fn parse_length(text: &str) -> Result<f64, String> {
    match aspic::scene::units::length(text) {
        Ok(length) if length > 0.0 => Ok(length),
        Ok(_) => Err(format!("`{text}` is no length: it must be greater than zero")),
        Err(error) => Err(format!("{}: {}", error.message, error.help.unwrap_or_default())),
    }
}

fn parse_unit(text: &str) -> Result<f64, String> {
    let named = text.trim().starts_with(|first: char| first.is_alphabetic());
    parse_length(&if named { format!("1 {text}") } else { text.to_owned() })
}

fn parse_scale(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(scale) if scale > 0.0 && scale.is_finite() => Ok(scale),
        _ => Err(format!("`{text}` is no scale: write units for one metre, for example 100 for centimetres")),
    }
}

fn parse_view(text: &str) -> Result<[f64; 2], String> {
    let wrong = || {
        format!(
            "`{text}` is no view: write azimuth (-360 to 360) and elevation in degrees, for example -30,22"
        )
    };
    let (azimuth, elevation) = text.split_once(',').ok_or_else(wrong)?;
    let degrees = |text: &str, most: f64| match text.trim().parse::<f64>() {
        Ok(angle) if angle.abs() <= most => Ok(angle),
        _ => Err(wrong()),
    };
    let view = [
        degrees(azimuth, 360.0)?,
        degrees(elevation, 90.0).map_err(|why| format!("{why}; the elevation is between -90 and 90"))?,
    ];
    Ok(view)
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
    fn absurd_sizes_rates_and_views_are_refused() {
        assert_eq!(parse_size("1280x720"), Ok([1280, 720]));
        for wrong in ["1280", "0x0", "8x8", "20000x100", "16384x16384", "ax7", "-3x5", "99999999999x1"] {
            assert!(parse_size(wrong).is_err(), "{wrong}");
        }
        assert_eq!(parse_rate("23.976"), Ok(23.976));
        for wrong in ["0", "-1", "nan", "1e9", "fast"] {
            assert!(parse_rate(wrong).is_err(), "{wrong}");
        }
        assert_eq!(parse_view("-30, 22.5"), Ok([-30.0, 22.5]));
        for wrong in ["30", "30,91", "nan,3", "400,0", "a,b"] {
            assert!(parse_view(wrong).is_err(), "{wrong}");
        }
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
