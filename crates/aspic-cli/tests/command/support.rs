//! A folder to work in, the command, and what it left behind.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// Three frames of a small block that hangs from its top: the smallest useful scene.
pub const BLOCK: &str = r#"duration = "0.08 s"

[materials.rubber]
preset = "soft rubber"

[bodies.block]
material = "rubber"
shape = { box = { size = [0.1, 0.1, 0.1], cells = [2, 2, 2] } }

[constraints.top]
hold = { body = "block", side = { point = [0, 0, 0.05], normal = [0, 0, 1] } }
"#;

/// Everything that a checkpoint must carry: two bodies (not in the order of their names), a constraint that lets
/// go, one with multipliers, a load with kinks, viscosity. 41 frames, a good tenth of a second of work.
pub const BUSY: &str = r#"duration = "0.4 s"

[materials.rubber]
preset = "soft rubber"

[bodies.swing]
material = "rubber"
shape = { beam = { length = "20 cm", width = "3 cm", height = "3 cm", cells = [8, 2, 2] } }

[bodies.ball]
material = "rubber"
shape = { ball = { radius = "4 cm", rings = 2 } }
position = [0.5, 0, 0]
spin = [0, 5, 1]

[constraints.wall]
hold = { body = "swing", side = { point = [0, 0, 0], normal = [-1, 0, 0] } }
until = "0.25 s"

[constraints.leash]
distance = [{ body = "ball", nearest = [0.5, 0, 0.04] }, { point = [0.5, 0, 0.2] }]

[forces.gust]
on = { body = "swing", part = "surface" }
total = [0, "0.2 N", 0]
keys = [{ at = "0.05 s", scale = 0 }, { at = "0.11 s", scale = 1 }, { at = "0.2 s", scale = 0 }]

[output]
frame_rate = 100
"#;

/// What a checkpoint must carry for implicit steps: bodies that touch, rub and bounce, one of them affine, a plane and
/// an obstacle that moves. 31 frames, a few tenths of a second of work.
pub const TOUCHING: &str = r#"duration = "0.5 s"

[contact]
friction = 0.3

[materials.rubber]
preset = "soft rubber"

[bodies.ball]
material = "rubber"
shape = { ball = { radius = "4 cm", rings = 2 } }
position = [0, 0, "5 cm"]
spin = [0, 20, 0]

[bodies.brick]
kind = "affine"
material = "rubber"
shape = { box = { size = ["6 cm", "6 cm", "3 cm"], cells = [2, 2, 1] } }
rotation = { axis = [1, 1, 0], angle = "20 deg" }
position = ["1 cm", 0, "13 cm"]

[obstacles.floor]
shape = { plane = { point = [0, 0, 0], normal = [0, 0, 1] } }

[obstacles.ram]
shape = { box = { size = ["2 cm", "10 cm", "10 cm"] } }
position = ["-8 cm", 0, "5 cm"]
motion = { path = [{ at = "0.4 s", by = ["6 cm", 0, 0] }] }

[output]
frame_rate = 60
"#;

/// What the command answered.
#[derive(Debug)]
pub struct Answer {
    /// The exit code; `None` when a signal ended it.
    pub code: Option<i32>,
    /// What it printed.
    pub stdout: String,
    /// What it complained about.
    pub stderr: String,
}

impl Answer {
    fn of(output: Output) -> Answer {
        let answer = Answer {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        };
        assert!(!answer.stderr.contains("panicked at"), "{}", answer.stderr);
        answer
    }

    /// The complaint without the frame that it is drawn in and without line breaks.
    pub fn words(&self) -> String {
        let plain = self.stderr.replace(['│', '×', '·', '─', '╭', '╰', '┬'], " ");
        plain.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Fails unless the exit code is this one and the complaint holds all of these.
    #[track_caller]
    pub fn expect(&self, code: i32, words: &[&str]) {
        assert_eq!(self.code, Some(code), "{self:?}");
        for word in words {
            assert!(self.words().contains(word), "`{word}` is not in:\n{}", self.stderr);
        }
    }
}

/// A folder of its own for each test; the command runs inside.
pub struct Desk(TempDir);

impl Desk {
    /// An empty one.
    pub fn new() -> Desk {
        Desk(tempfile::tempdir().unwrap())
    }

    /// One with this text as `scene.toml`.
    pub fn with(scene: &str) -> Desk {
        let desk = Desk::new();
        desk.write("scene.toml", scene);
        desk
    }

    /// A place in it.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Puts a file there.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), content).unwrap();
    }

    /// The command, not started yet.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_aspic"));
        command.args(arguments);
        self.prepared(command)
    }

    /// A line for the shell, in which `aspic` stands for the command.
    pub fn shell(&self, line: &str) -> Answer {
        let mut command = Command::new("sh");
        command.args(["-c", &line.replace("aspic", env!("CARGO_BIN_EXE_aspic"))]);
        Answer::of(self.prepared(command).output().unwrap())
    }

    fn prepared(&self, mut command: Command) -> Command {
        command.current_dir(self.0.path()).env("RUST_BACKTRACE", "1").env("NO_COLOR", "1");
        command.stdin(Stdio::null());
        command
    }

    /// Runs the command to its end.
    pub fn aspic(&self, arguments: &[&str]) -> Answer {
        Answer::of(self.command(arguments).output().unwrap())
    }

    /// Runs it and expects success.
    #[track_caller]
    pub fn well(&self, arguments: &[&str]) -> Answer {
        let answer = self.aspic(arguments);
        assert_eq!(answer.code, Some(0), "{answer:?}");
        answer
    }

    /// All files under a folder by their name in it, except the checkpoint, which holds the time on the clock.
    pub fn files(&self, folder: &str) -> BTreeMap<String, Vec<u8>> {
        let mut files = BTreeMap::new();
        gather(&self.path(folder), "", &mut files);
        files.remove("checkpoint");
        files
    }
}

fn gather(folder: &Path, before: &str, files: &mut BTreeMap<String, Vec<u8>>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = format!("{before}{}", path.file_name().unwrap().to_str().unwrap());
        if path.is_dir() {
            gather(&path, &format!("{name}/"), files);
        } else {
            files.insert(name, std::fs::read(path).unwrap());
        }
    }
}

/// Fails with the name of the first file that is not the same to the last byte.
#[track_caller]
pub fn assert_same(one: &BTreeMap<String, Vec<u8>>, other: &BTreeMap<String, Vec<u8>>) {
    let names = |files: &BTreeMap<String, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(one), names(other));
    for (name, content) in one {
        assert!(*content == other[name], "{name} differs");
    }
}

/// Number of lines after the header.
pub fn rows(table: &[u8]) -> usize {
    table.iter().filter(|&&byte| byte == b'\n').count() - 1
}
