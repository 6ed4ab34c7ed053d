//! Scenes that cannot be meant: each error names file, line and column, shows the line, and helps.

use std::time::{Duration, Instant};

use crate::support::{Answer, BLOCK, Desk};

/// A way to spoil [`BLOCK`].
struct Case {
    /// What is replaced, and by what.
    edit: (&'static str, &'static str),
    /// Line and column of the error.
    place: &'static str,
    /// What the message says.
    words: &'static [&'static str],
}

/// `check` and `run` must refuse it in the same words, and `run` must leave nothing behind.
fn refuse(scene: &str) -> Answer {
    let desk = Desk::with(scene);
    let answer = desk.aspic(&["check", "scene.toml"]);
    let run = desk.aspic(&["run", "scene.toml"]);
    assert_eq!((run.code, &run.stderr), (answer.code, &answer.stderr));
    assert_eq!(answer.stdout, "");
    assert!(!desk.path("out").exists());
    answer
}

fn refuse_all(cases: &[Case]) {
    for Case { edit: (old, new), place, words } in cases {
        assert!(BLOCK.contains(old), "{old}");
        let scene = BLOCK.replacen(old, new, 1);
        let answer = refuse(&scene);
        answer.expect(2, &[&format!("[scene.toml:{place}]")]);
        answer.expect(2, words);
        let line: usize = place.split(':').next().unwrap().parse().unwrap();
        let shown = scene.lines().nth(line - 1).unwrap();
        assert!(answer.stderr.contains(&format!("{line} │ {shown}")), "{shown}\n{}", answer.stderr);
    }
}

#[test]
fn misspelt_words_are_corrected() {
    refuse_all(&[
        Case {
            edit: ("shape =", "velocty = [0, 0, 1]\nshape ="),
            place: "8:1",
            words: &["unknown key `velocty` in [bodies.block]", "did you mean `velocity`?"],
        },
        Case {
            edit: ("shape =", "colour = 1\nshape ="),
            place: "8:1",
            words: &["unknown key `colour`", "the keys here are `material`, `shape`"],
        },
        Case {
            edit: ("preset = \"soft rubber\"", "preset = \"soft rubber\"\nlaw = \"ls-stabel\""),
            place: "5:7",
            words: &["unknown law `ls-stabel` in [materials.rubber]", "did you mean `ls-stable`?"],
        },
        Case { edit: ("soft rubber", "soft ruber"), place: "4:10", words: &["did you mean `soft rubber`?"] },
        Case { edit: ("\"rubber\"", "\"ruber\""), place: "7:12", words: &["did you mean `rubber`?"] },
        Case {
            edit: ("body = \"block\"", "body = \"blok\""),
            place: "11:17",
            words: &["unknown body `blok`", "did you mean `block`?"],
        },
        Case {
            edit: ("side = { point = [0, 0, 0.05], normal = [0, 0, 1] }", "name = \"tpo\""),
            place: "11:33",
            words: &["there is no group \"tpo\"", "did you mean `top`?"],
        },
    ]);
}

#[test]
fn contact_that_cannot_be_meant_is_refused() {
    refuse_all(&[
        Case {
            edit: ("[materials.rubber]", "[time]\nmethod = \"rkf45\"\n[contact]\n[materials.rubber]"),
            place: "4:10",
            words: &["contact needs an implicit method", "write method = \"bdf2\""],
        },
        Case {
            edit: ("[materials.rubber]", "[contact]\nfriction = -1\n[materials.rubber]"),
            place: "4:12",
            words: &["`friction` must not be negative"],
        },
        Case {
            edit: ("[materials.rubber]", "[contact]\noff = [[\"block\", \"blok\"]]\n[materials.rubber]"),
            place: "4:18",
            words: &["`blok` is no body, obstacle or material", "did you mean `block`?"],
        },
        Case {
            edit: ("[materials.rubber]", "[time]\nmethod = \"bdf2\"\ntolerance = 1\n[materials.rubber]"),
            place: "5:13",
            words: &["`tolerance` goes only with \"rkf45\"", "steps of `max_step`"],
        },
    ]);
}

#[test]
fn impossible_numbers_are_refused() {
    refuse_all(&[
        Case {
            edit: ("0.08 s", "0.08 kPa"),
            place: "1:12",
            words: &["\"0.08 kPa\" is a pressure, a time is needed", "the units of a time are s, ms"],
        },
        Case { edit: ("0.08 s", "0.08 sx"), place: "1:12", words: &["the units of a time are s, ms"] },
        Case { edit: ("\"0.08 s\"", "inf"), place: "1:12", words: &["`inf`", "write a finite number"] },
        Case { edit: ("0.08 s", "nan s"), place: "1:12", words: &["write it like \"1.5 s\""] },
        Case { edit: ("0.08 s", "-1 s"), place: "1:12", words: &["`duration` must be greater than 0"] },
        Case {
            edit: ("size = [0.1", "size = [nan"),
            place: "8:27",
            words: &["`NaN` is not a number", "write a finite number"],
        },
        Case {
            edit: ("preset = \"soft rubber\"", "preset = \"soft rubber\"\ndensity = \"-1 kg/m^3\""),
            place: "5:11",
            words: &["`density` must be greater than 0, not -1 kg/m³", "for example density ="],
        },
        Case {
            edit: ("preset = \"soft rubber\"", "preset = \"soft rubber\"\npoisson = 0.5"),
            place: "5:11",
            words: &["`poisson` must lie between -1 and 0.5", "no change of volume"],
        },
        Case {
            edit: ("\"0.08 s\"", "\"1000000 s\""),
            place: "1:12",
            words: &["24000000 frames", "write fewer frames per second, or shorten `duration`"],
        },
        Case {
            edit: ("[2, 2, 2]", "[99999999999, 2, 2]"),
            place: "8:52",
            words: &["needs a whole number from 0 to 4294967295, not 99999999999"],
        },
    ]);
}

#[test]
fn names_are_used_once() {
    refuse_all(&[
        Case {
            edit: ("[constraints.top]", "[bodies.block]\nmaterial = \"rubber\"\n[constraints.top]"),
            place: "10:9",
            words: &["the name `block` is used twice", "rename one of them (line 6 has the first)"],
        },
        Case {
            edit: ("material = \"rubber\"", "material = \"rubber\"\nmaterial = \"rubber\""),
            place: "8:1",
            words: &["`material` is given twice", "keep one of them"],
        },
    ]);
}

#[test]
fn constraints_that_cannot_work_are_explained() {
    refuse_all(&[
        Case {
            edit: ("[0, 0, 0.05]", "[0, 0, 0.06]"),
            place: "11:43",
            words: &[
                "no vertex is chosen by the side",
                "the nearest vertex is 0.01 m away",
                "or use `nearest`",
            ],
        },
        Case {
            edit: ("side = { point = [0, 0, 0.05], normal = [0, 0, 1] }", "box = [[0, 0, 1], [2, 2, 2]]"),
            place: "11:33",
            words: &["the nearest vertex is 0.95 m away"],
        },
        Case {
            edit: ("side = { point = [0, 0, 0.05], normal = [0, 0, 1] }", "index = [0, 500]"),
            place: "11:34",
            words: &["vertex 500 does not exist: there are 27, numbered from 0"],
        },
        Case {
            edit: (
                "[constraints.top]",
                "[constraints.nail]\nhold = { body = \"block\", nearest = [0, 0, 0.05] }\n\n[constraints.top]",
            ),
            place: "14:8",
            words: &[
                "constraints `nail` and `top` both dictate the motion of vertex",
                "of body `block`",
                "leave that vertex out",
            ],
        },
        Case {
            edit: (
                "[constraints.top]",
                "[constraints.bar]\ndistance = [{ body = \"block\", nearest = [0, 0, 0.05] }, { body = \"block\", nearest = [0.05, 0.05, 0.05] }]\n\n[constraints.top]",
            ),
            place: "11:12",
            words: &[
                "constraint `bar` acts on vertices that other constraints hold",
                "leave one of those vertices free",
            ],
        },
        Case {
            edit: (
                "[constraints.top]",
                "[bodies.ball]\nmaterial = \"rubber\"\nshape = { box = { size = [0.1, 0.1, 0.1], cells = [2, 2, 2] } }\nposition = [0, 0, -0.3]\n\n[constraints.joint]\ntie = [{ body = \"block\", nearest = [0, 0, -0.05] }, { body = \"ball\", nearest = [0, 0, -0.25] }]\n\n[constraints.top]",
            ),
            place: "16:7",
            words: &["constraint `joint` is off by 0.2 m at the start", "give the constraint a `stiffness`"],
        },
    ]);
}

#[test]
fn slips_of_the_pen_are_shown() {
    refuse_all(&[
        Case { edit: ("[materials.rubber]", "[materials.rubber"), place: "3:18", words: &["expected `]`"] },
        Case {
            edit: ("\"0.08 s\"", "0.08 s"),
            place: "1:12",
            words: &["a value is not quoted", "put text and values with units in quotes: \"0.08 s\""],
        },
        Case {
            edit: ("[0.1, 0.1, 0.1]", "[0.1 0.1, 0.1]"),
            place: "8:27",
            words: &["a comma is missing", "write 0.1, 0.1"],
        },
        Case { edit: ("duration = \"0.08 s\"", "duration ="), place: "1:11", words: &["a value is missing"] },
        Case { edit: ("duration = \"0.08 s\"\n", ""), place: "1:1", words: &["add duration = \"10 s\""] },
    ]);
}

#[test]
fn a_scene_without_bodies_has_nothing_to_simulate() {
    let (start, _) = BLOCK.split_once("[bodies.block]").unwrap();
    refuse(start)
        .expect(2, &["the scene has no bodies", "[scene.toml:1:1]", "1 duration = ", "[bodies.ball]"]);
}

#[test]
fn files_that_are_no_scenes_are_recognised() {
    refuse("").expect(2, &["the file is empty", "scene.toml", "a scene needs a `duration`"]);
    refuse(" \n\n").expect(2, &["the file is empty"]);
    let desk = Desk::new();
    desk.write("cat.jpg", b"\xff\xd8\xff\xe0\0\x10JFIF");
    desk.aspic(&["run", "cat.jpg"]).expect(2, &["cat.jpg:1:1: the byte 0xff is no text", "saved as UTF-8"]);
    desk.write("old.toml", b"# ok\ntitle = \"Gr\xfctze\"\n");
    desk.aspic(&["run", "old.toml"]).expect(2, &["old.toml:2:12: the byte 0xfc is no text"]);
    desk.write("zero.toml", b"# ok\nti\0tle = 1\n");
    desk.aspic(&["run", "zero.toml"]).expect(2, &["zero.toml:2:3: the byte 0x00 is no text"]);
    std::fs::create_dir(desk.path("folder")).unwrap();
    desk.aspic(&["run", "folder"]).expect(2, &["folder is a folder, not a scene file", "aspic info folder"]);
    desk.aspic(&["run", "none.toml"]).expect(2, &["cannot read none.toml", "check the name"]);
    assert!(!desk.path("out").exists());
}

/// The command gets a gigabyte of address space: it must refuse before it asks for memory.
#[cfg(unix)]
#[test]
fn absurd_sizes_are_refused_at_once() {
    let shapes = [
        "box = { size = [0.1, 0.1, 0.1], cells = [2000, 2000, 2000] }",
        "box = { size = [0.1, 0.1, 0.1], cells = [200, 200, 200] }",
        "box = { size = [0.1, 0.1, 0.1], cells = [4000000000, 1, 1] }",
        "ball = { radius = 0.1, rings = 2000 }",
        "ball = { radius = 0.1, rings = 250 }",
        "torus = { ring_radius = 0.1, tube_radius = 0.03, sections = 4000000, sides = 4000000 }",
        "cylinder = { radius = 0.1, height = 0.1, rings = 2000, layers = 2000 }",
        "beam = { length = 1, width = 0.1, height = 0.1, cells = [2000, 2000, 2] }",
    ];
    for shape in shapes {
        let (start, rest) = BLOCK.split_once("shape = ").unwrap();
        let (_, end) = rest.split_once('\n').unwrap();
        let desk = Desk::with(&format!("{start}shape = {{ {shape} }}\n{end}"));
        let clock = Instant::now();
        let answer = desk.shell("ulimit -v 1000000; exec aspic run scene.toml");
        assert!(clock.elapsed() < Duration::from_secs(1), "{shape}: {:?}", clock.elapsed());
        answer.expect(2, &["[scene.toml:8:"]);
        let words = answer.words();
        let named = ["smaller number", "coarser mesh"].iter().any(|cure| words.contains(cure));
        assert!(named, "{shape}: {words}");
    }
}
