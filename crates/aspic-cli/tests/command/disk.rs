//! Output that cannot be written.
#![cfg(unix)]

use crate::support::{BUSY, Desk, assert_same};

/// No file may grow beyond that many units of the shell (512 or 1024 bytes). Ignoring the signal makes the
/// system refuse to write, as it does when a disk is full.
fn run_within(desk: &Desk, units: u32, command: &str) -> crate::support::Answer {
    desk.shell(&format!("trap '' XFSZ; ulimit -f {units}; exec {command}"))
}

/// Frames of 2 to 3 kB, a ledger that grows beyond 10 kB, a film that is larger than both: each limit stops the
/// run at another file.
#[test]
fn a_full_disk_loses_nothing() {
    let scene = BUSY.replace("[8, 2, 2]", "[1, 1, 1]").replace("rings = 2", "rings = 1");
    let desk = Desk::with(&scene);
    desk.well(&["run", "scene.toml", "--out", "whole", "--quiet"]);
    let whole = desk.files("whole");
    let mut stopped_at = std::collections::BTreeSet::new();
    for units in [1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 20, 24, 28, 32, 40, 64, 128] {
        let answer = run_within(&desk, units, "aspic run scene.toml --quiet");
        if answer.code != Some(0) {
            answer.expect(1, &["cannot write out/scene", "File too large", "raise the limit"]);
            let file = answer
                .words()
                .split("out/scene/")
                .nth(1)
                .map(|rest| rest.split(':').next().unwrap().to_owned());
            stopped_at.insert(file.unwrap());
        }
        if desk.path("out/scene/scene.toml").is_file() {
            desk.well(&["resume", "out/scene", "--quiet"]);
        } else {
            desk.well(&["run", "scene.toml", "--quiet"]);
        }
        assert_same(&whole, &desk.files("out/scene"));
        std::fs::remove_dir_all(desk.path("out")).unwrap();
    }
    for file in ["ledger.csv", "film.svg"] {
        assert!(stopped_at.contains(file), "{file} is not among {stopped_at:?}");
    }
}

#[test]
fn a_full_disk_says_how_to_go_on() {
    let desk = Desk::with(BUSY);
    run_within(&desk, 12, "aspic run scene.toml").expect(1, &["nothing is lost", "`aspic resume out/scene`"]);
}

/// Root may write anywhere, so a file in place of the folder stands for a folder that may not be written.
#[test]
fn a_file_in_place_of_the_folder_is_no_place_to_write() {
    let desk = Desk::with(BUSY);
    desk.write("taken", "mine");
    for out in ["taken", "taken/deeper"] {
        let answer = desk.aspic(&["run", "scene.toml", "--out", out]);
        answer.expect(2, &[&format!("cannot write {out}"), "a file stands where a folder is needed"]);
    }
    assert_eq!(std::fs::read(desk.path("taken")).unwrap(), b"mine");
    desk.well(&["run", "scene.toml", "--out", "whole", "--quiet"]);
    std::fs::create_dir(desk.path("run")).unwrap();
    desk.write("run/frames", "mine");
    desk.aspic(&["run", "scene.toml", "--out", "run"]).expect(2, &["already holds a run"]);
    desk.aspic(&["run", "scene.toml", "--out", "run", "--overwrite"]).expect(2, &["cannot write run/frames"]);
    std::fs::remove_file(desk.path("run/frames")).unwrap();
    desk.well(&["resume", "run", "--quiet"]);
    assert_same(&desk.files("whole"), &desk.files("run"));
}

/// The folder disappears in the middle of a run.
#[test]
fn frames_folder_replaced_by_a_file_stops_the_run_without_a_panic() {
    let desk = Desk::with(BUSY);
    desk.well(&["run", "scene.toml", "--out", "whole", "--quiet"]);
    desk.well(&["run", "scene.toml", "--frames", "..20", "--quiet"]);
    std::fs::rename(desk.path("out/scene/frames"), desk.path("aside")).unwrap();
    desk.write("out/scene/frames", "in the way");
    let answer = desk.aspic(&["resume", "out/scene"]);
    answer.expect(1, &["cannot write out/scene/frames/000020.vtu", "`aspic resume out/scene` goes on"]);
    std::fs::remove_file(desk.path("out/scene/frames")).unwrap();
    std::fs::rename(desk.path("aside"), desk.path("out/scene/frames")).unwrap();
    desk.well(&["resume", "out/scene", "--quiet"]);
    assert_same(&desk.files("whole"), &desk.files("out/scene"));
}
