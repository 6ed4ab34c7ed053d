//! The house rules that a machine can check: who may know whom, and that the map names real places.
//!
//! The table below mirrors the one in `ARCHITECTURE.md`; the first test compares them too.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// Each module of the library, and the other modules it may use.
const MAY_KNOW: &[(&str, &[&str])] = &[
    ("state", &[]),
    ("yielding", &[]),
    ("mesh", &[]),
    ("lanes", &[]),
    ("hermite", &[]),
    ("embedding", &[]),
    ("frame", &[]),
    ("solve", &[]),
    ("element_map", &[]),
    ("symmetric", &["lanes"]),
    ("kinetic", &["solve"]),
    ("potential", &["lanes", "symmetric", "element_map"]),
    ("dissipation", &["lanes", "symmetric", "element_map"]),
    ("external", &["state"]),
    ("constraint", &["hermite", "state"]),
    ("contact", &[]),
    ("impulse", &["contact"]),
    ("event", &["contact", "impulse"]),
    ("rows", &["lanes"]),
    ("flat", &["lanes"]),
    ("points", &["state", "yielding", "lanes", "rows", "flat", "potential", "mesh"]),
    (
        "continuum",
        &[
            "state",
            "yielding",
            "lanes",
            "symmetric",
            "rows",
            "flat",
            "mesh",
            "solve",
            "potential",
            "dissipation",
        ],
    ),
    ("boundary", &["continuum"]),
    (
        "world",
        &[
            "state",
            "frame",
            "embedding",
            "solve",
            "kinetic",
            "potential",
            "external",
            "constraint",
            "boundary",
            "contact",
            "impulse",
            "event",
            "continuum",
            "points",
        ],
    ),
    ("integrate", &["hermite", "state", "solve", "boundary", "constraint", "contact", "kinetic", "world"]),
    ("run", &["state", "frame", "event", "world", "integrate"]),
    ("stability", &["state", "frame", "world", "integrate", "run"]),
    ("verdict", &["state", "frame", "constraint", "world", "integrate", "run"]),
    (
        "body",
        &[
            "state",
            "yielding",
            "frame",
            "embedding",
            "mesh",
            "solve",
            "kinetic",
            "potential",
            "dissipation",
            "external",
            "constraint",
            "boundary",
            "contact",
            "impulse",
            "event",
            "continuum",
            "points",
            "world",
        ],
    ),
    (
        "scene",
        &[
            "mesh",
            "kinetic",
            "potential",
            "dissipation",
            "external",
            "constraint",
            "impulse",
            "event",
            "world",
            "integrate",
            "run",
            "boundary",
            "body",
            "points",
        ],
    ),
];

/// Names that the crate root lends out, and the module they belong to; empty for plain types.
const ROOT_NAMES: &[(&str, &str)] = &[
    ("Vec3", ""),
    ("Mat3", ""),
    ("State", "state"),
    ("World", "world"),
    ("Material", "body"),
    ("WorldBuilder", "body"),
    ("Settings", "run"),
    ("Simulation", "run"),
];

/// What a library does not do.
const FORBIDDEN_MACROS: &[&str] = &["println!", "eprintln!", "print!", "eprint!", "dbg!"];
/// Parts of the standard library that reach outside the process.
const FORBIDDEN_STD: &[&str] = &["fs", "net", "process"];

#[test]
fn every_module_knows_only_what_the_table_allows() {
    let root = repository();
    let mut wrong = table_differences(&fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap());
    for file in sources(&root.join("crates/aspic/src")) {
        if !file.name.ends_with("src/lib.rs") {
            check_layers(&file, &mut wrong);
        }
        check_silence(&file, &mut wrong);
    }
    for file in sources(&root.join("crates/aspic-boundary/src")) {
        check_silence(&file, &mut wrong);
    }
    for file in sources(&root.join("crates/aspic-io/src")) {
        check_files_crate(&file, &mut wrong);
    }
    for file in sources(&root.join("crates/aspic-view/src")) {
        check_viewer(&file, &mut wrong);
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn every_path_in_the_architecture_page_exists() {
    let root = repository();
    let text = fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    let (mut wrong, mut seen, mut fenced) = (String::new(), 0, false);
    for (number, line) in text.lines().enumerate() {
        fenced ^= line.starts_with("```");
        if fenced {
            continue;
        }
        for path in line.split('`').skip(1).step_by(2).filter(|piece| looks_like_path(piece)) {
            seen += 1;
            if !root.join(path).exists() {
                let _ = writeln!(wrong, "ARCHITECTURE.md:{}: there is no `{path}`", number + 1);
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
    assert!(seen > 50, "only {seen} paths found in ARCHITECTURE.md: are they still between backticks?");
}

fn looks_like_path(piece: &str) -> bool {
    let ending = [".rs", ".md", ".toml"].iter().any(|end| piece.ends_with(end));
    !piece.contains([' ', '(']) && (piece.contains('/') || ending)
}

/// The folder that holds `ARCHITECTURE.md`.
fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A source file without comments and without tests.
struct Source {
    /// Path from the repository root.
    name: String,
    /// The modules that lead to it: `["potential", "material", "hessian"]`.
    module: Vec<String>,
    /// Its text; comments are blank, tests are cut, line numbers are kept.
    text: String,
}

/// All sources below a folder, in the order of their names.
fn sources(folder: &Path) -> Vec<Source> {
    let mut files = vec![];
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).unwrap().map(|entry| entry.unwrap().path()) {
            if entry.is_dir() {
                folders.push(entry);
            } else if entry.extension().is_some_and(|end| end == "rs") && !is_test(&entry) {
                files.push(entry);
            }
        }
    }
    files.sort();
    assert!(!files.is_empty(), "no sources in {}", folder.display());
    let root = repository();
    files.iter().map(|file| Source::read(file, &root, folder)).collect()
}

fn is_test(file: &Path) -> bool {
    let name = file.file_stem().unwrap().to_string_lossy();
    name.starts_with("tests") || name.ends_with("_tests") || ["battery", "golden"].contains(&&*name)
}

impl Source {
    fn read(file: &Path, root: &Path, src: &Path) -> Source {
        let inside = file.strip_prefix(src).unwrap().with_extension("");
        let mut module: Vec<String> = inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        if module.last().is_some_and(|last| last == "mod") {
            module.pop();
        }
        let name = file.strip_prefix(root).unwrap().display().to_string();
        Source { name, module, text: without_tests(&fs::read_to_string(file).unwrap()) }
    }

    /// `file:line` of a byte.
    fn place(&self, at: usize) -> String {
        format!("{}:{}", self.name, self.text[..at].matches('\n').count() + 1)
    }
}

/// Blanks comments. `#[cfg(test)]` in front of `mod x;` hides that line, in front of a block the rest.
fn without_tests(text: &str) -> String {
    let mut kept = String::new();
    let mut hidden = false;
    for line in text.lines() {
        let code = line.split("//").next().unwrap_or_default();
        let attribute = code.trim_start().starts_with("#[");
        match (hidden, attribute) {
            (true, false) if code.trim_end().ends_with(';') => hidden = false,
            (true, false) => break,
            (true, true) => (),
            (false, _) if code.trim() == "#[cfg(test)]" => hidden = true,
            (false, _) => kept += code,
        }
        kept.push('\n');
    }
    kept
}

/// First names behind a root such as `crate::`, also inside braces, with their places in the text.
fn names_behind(text: &str, root: &str) -> Vec<(usize, String)> {
    let mut found = vec![];
    for (at, _) in text.match_indices(root) {
        let before = text[..at].chars().next_back();
        if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':') {
            continue;
        }
        found.extend(first_names(&text[at + root.len()..]).into_iter().map(|name| (at, name)));
    }
    found
}

/// The name a path goes on with; for `{a::b, c}` the first name of each part.
fn first_names(rest: &str) -> Vec<String> {
    let name = |part: &str| -> String {
        part.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
    };
    let Some(group) = rest.strip_prefix('{') else { return vec![name(rest)] };
    let mut names = vec![name(group)];
    let mut depth = 0;
    for (at, letter) in group.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => names.push(name(&group[at + 1..])),
            _ => (),
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

/// Names that a file takes from the crate root, by `crate::` or by enough `super::`.
fn taken_from_root(file: &Source) -> Vec<(usize, String)> {
    let mut names = names_behind(&file.text, "crate::");
    names.extend(names_behind(&file.text, &"super::".repeat(file.module.len())));
    names
}

fn check_layers(file: &Source, wrong: &mut String) {
    let module = file.module[0].as_str();
    let Some((_, allowed)) = MAY_KNOW.iter().find(|(name, _)| *name == module) else {
        let _ = writeln!(
            wrong,
            "{}: module `{module}` is not in the table: add it here and in ARCHITECTURE.md",
            file.name
        );
        return;
    };
    for (at, name) in taken_from_root(file) {
        let root_name = ROOT_NAMES.iter().find(|(root_name, _)| *root_name == name);
        let target = root_name.map_or(name.as_str(), |(_, home)| home);
        if !target.is_empty() && target != module && !allowed.contains(&target) {
            let place = file.place(at);
            let _ = writeln!(wrong, "{place}: `{module}` may not know `{target}` (it uses `crate::{name}`)");
        }
    }
}

/// The library prints nothing, opens no files and starts no processes.
fn check_silence(file: &Source, wrong: &mut String) {
    for word in FORBIDDEN_MACROS {
        for (at, _) in file.text.match_indices(word) {
            let before = file.text[..at].chars().next_back();
            if !before.is_some_and(|c| c.is_alphanumeric() || c == '_') {
                let _ = writeln!(wrong, "{}: the library does not print: `{word}`", file.place(at));
            }
        }
    }
    for (at, name) in names_behind(&file.text, "std::") {
        if FORBIDDEN_STD.contains(&name.as_str()) {
            let _ = writeln!(wrong, "{}: the library does not touch `std::{name}`", file.place(at));
        }
    }
}

/// Files are made of frames and meshes; only the run folder knows the state, for the checkpoint.
fn check_files_crate(file: &Source, wrong: &mut String) {
    for (at, name) in names_behind(&file.text, "aspic::") {
        let world = ["world", "World"].contains(&name.as_str());
        let state = ["state", "State"].contains(&name.as_str()) && !file.name.ends_with("/run_folder.rs");
        if world || state {
            let _ = writeln!(wrong, "{}: aspic-io may not use `aspic::{name}` here", file.place(at));
        }
    }
}

/// The viewer steers a run by what `Simulation` and `Scene` offer; it has no hand in the state.
fn check_viewer(file: &Source, wrong: &mut String) {
    for (at, name) in names_behind(&file.text, "aspic::") {
        if ["state", "State", "integrate"].contains(&name.as_str()) {
            let _ = writeln!(wrong, "{}: aspic-view may not use `aspic::{name}`", file.place(at));
        }
    }
}

/// Where the table of `ARCHITECTURE.md` and the one above say different things.
fn table_differences(page: &str) -> String {
    let mut wrong = String::new();
    for (module, allowed) in MAY_KNOW {
        let start = format!("| `{module}` |");
        let Some(row) = page.lines().find(|line| line.starts_with(&start)) else {
            let _ = writeln!(wrong, "ARCHITECTURE.md: the table has no row for `{module}`");
            continue;
        };
        let column = row.split('|').nth(2).unwrap_or_default();
        let mut written: Vec<&str> = column.split('`').skip(1).step_by(2).collect();
        let mut expected = allowed.to_vec();
        written.sort_unstable();
        expected.sort_unstable();
        if written != expected {
            let _ = writeln!(
                wrong,
                "ARCHITECTURE.md: `{module}` may know {written:?} there, {expected:?} in house.rs"
            );
        }
    }
    wrong
}
