//! Runs that are stopped, by a signal that can be heard and by one that cannot.
#![cfg(unix)]

use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::support::{BLOCK, BUSY, Desk, TOUCHING, assert_same};

fn uninterrupted(scene: &str) -> Desk {
    let desk = Desk::with(scene);
    desk.well(&["run", "scene.toml", "--out", "whole", "--quiet"]);
    desk
}

/// Starts the command, kills it (SIGKILL) after that long, and says whether it had ended by itself.
fn kill_after(desk: &Desk, arguments: &[&str], delay: Duration) -> bool {
    let mut child = desk.command(arguments).stderr(Stdio::null()).spawn().unwrap();
    std::thread::sleep(delay);
    let ended = child.try_wait().unwrap().is_some();
    let _ = child.kill();
    let status = child.wait().unwrap();
    assert!(!ended || status.success(), "{status}");
    ended
}

/// Milliseconds from 0 to `most`: Lehmer's generator with the multiplier of Park and Miller.
fn moments(seed: u64, most: u64) -> impl Iterator<Item = Duration> {
    let next = |x: &u64| Some(x * 48_271 % 2_147_483_647);
    std::iter::successors(Some(seed), next).skip(1).map(move |x| Duration::from_micros(x % (1000 * most)))
}

/// Kills and resumes until the end; later delays are longer, so that there is one.
fn killed_again_and_again(desk: &Desk, seed: u64) -> usize {
    for (kills, delay) in moments(seed, 30).enumerate() {
        let resumable = desk.path("out/scene/scene.toml").is_file();
        let arguments: &[&str] =
            if resumable { &["resume", "out/scene", "--quiet"] } else { &["run", "scene.toml", "--quiet"] };
        if kill_after(desk, arguments, delay + Duration::from_millis(kills as u64 / 4)) {
            return kills;
        }
    }
    unreachable!("there is no end of moments");
}

#[test]
fn killed_at_any_moment_a_run_resumes_to_the_same_bytes() {
    let desk = uninterrupted(BUSY);
    let mut kills = 0;
    for seed in 1..=3 {
        kills += killed_again_and_again(&desk, seed);
        assert_same(&desk.files("whole"), &desk.files("out/scene"));
        std::fs::remove_dir_all(desk.path("out")).unwrap();
    }
    assert!(kills >= 6, "only {kills} kills: the run is too short for this test");
}

#[test]
fn killed_while_bodies_touch_a_run_resumes_to_the_same_bytes() {
    let desk = uninterrupted(TOUCHING);
    let mut kills = 0;
    for seed in 4..=6 {
        kills += killed_again_and_again(&desk, seed);
        assert_same(&desk.files("whole"), &desk.files("out/scene"));
        std::fs::remove_dir_all(desk.path("out")).unwrap();
    }
    assert!(kills >= 6, "only {kills} kills: the run is too short for this test");
}

#[test]
fn resumed_behind_any_frame_implicit_steps_give_the_same_bytes() {
    let desk = uninterrupted(TOUCHING);
    for frame in (1..31).step_by(3) {
        let range = format!("..{frame}");
        desk.well(&["run", "scene.toml", "--out", "part", "--frames", &range, "--quiet"]);
        desk.well(&["resume", "part", "--quiet"]);
        assert_same(&desk.files("whole"), &desk.files("part"));
        std::fs::remove_dir_all(desk.path("part")).unwrap();
    }
}

#[test]
fn resumed_behind_any_frame_fixed_steps_give_the_same_bytes() {
    for method in ["semi-implicit-euler", "rk4", "position-verlet", "velocity-verlet", "leapfrog"] {
        let desk = uninterrupted(&format!("{BUSY}\n[time]\nmethod = \"{method}\"\n"));
        for frame in [1, 12, 25, 40] {
            let range = format!("..{frame}");
            desk.well(&["run", "scene.toml", "--out", "part", "--frames", &range, "--quiet"]);
            desk.well(&["resume", "part", "--quiet"]);
            assert_same(&desk.files("whole"), &desk.files("part"));
            std::fs::remove_dir_all(desk.path("part")).unwrap();
        }
    }
}

#[test]
fn surface_frames_are_enough_to_resume_with_the_same_film() {
    let desk = uninterrupted(&BUSY.replace("frame_rate = 100", "frame_rate = 100\nsurface_only = true"));
    killed_again_and_again(&desk, 77);
    assert_same(&desk.files("whole"), &desk.files("out/scene"));
}

#[test]
fn killed_before_the_first_checkpoint_a_run_starts_again() {
    let desk = uninterrupted(BLOCK);
    // The last thing a run does before its first frame, and the last before its first checkpoint.
    std::fs::create_dir(desk.path("early")).unwrap();
    std::fs::copy(desk.path("whole/scene.toml"), desk.path("early/scene.toml")).unwrap();
    desk.well(&["run", "scene.toml", "--out", "late", "--frames", "0..1", "--quiet"]);
    std::fs::remove_file(desk.path("late/checkpoint")).unwrap();
    for name in ["early", "late"] {
        desk.well(&["resume", name, "--quiet"]);
        assert_same(&desk.files("whole"), &desk.files(name));
    }
}

/// A scene that would run for minutes.
fn endless() -> String {
    BUSY.replace("duration = \"0.4 s\"", "duration = \"400 s\"")
}

fn wait_for(desk: &Desk, file: &str) {
    for _ in 0..2000 {
        if desk.path(file).exists() {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("{file} does not appear");
}

/// Every command that would write, and what the folder looks like before and after.
fn refused_while_in_use(desk: &Desk) {
    let before = desk.files("out/scene");
    let elsewhere = "`--out` puts a new run elsewhere";
    for arguments in [
        &["resume", "out/scene"][..],
        &["run", "scene.toml"],
        &["run", "scene.toml", "--overwrite"],
        &["run", "scene.toml", "--out", "out/../out/scene", "--overwrite"],
    ] {
        let answer = desk.aspic(arguments);
        answer
            .expect(2, &["scene is in use", "another process", "wait until it ends, or stop it", elsewhere]);
    }
    assert_same(&before, &desk.files("out/scene"));
    let info = desk.well(&["info", "out/scene"]).stdout;
    assert!(info.contains("of 40001 frames"), "{info}");
    assert_same(&before, &desk.files("out/scene"));
}

#[test]
fn a_second_process_in_a_run_folder_is_refused_until_the_first_is_gone() {
    let desk = Desk::with(&endless());
    for (first, frame) in
        [(&["run", "scene.toml", "--quiet"][..], 5), (&["resume", "out/scene", "--quiet"], 10)]
    {
        let mut child = desk.command(first).stderr(Stdio::null()).spawn().unwrap();
        wait_for(&desk, &format!("out/scene/frames/{frame:06}.vtu"));
        // It stands still, so that the folder can be compared.
        send("STOP", &child);
        std::thread::sleep(Duration::from_millis(50));
        refused_while_in_use(&desk);
        let _ = child.kill();
        child.wait().unwrap();
    }
    // What a killed process leaves behind locks nobody out.
    assert!(desk.path("out/scene/lock").is_file());
    let next = |name: &str| name.starts_with("frames/").then(|| name[7..13].parse::<usize>().unwrap() + 2);
    let frames = desk.files("out/scene").keys().filter_map(|name| next(name)).max().unwrap();
    let range = format!("..{frames}");
    desk.well(&["resume", "out/scene", "--frames", &range, "--quiet"]);
    desk.well(&["run", "scene.toml", "--out", "whole", "--frames", &range, "--quiet"]);
    assert_same(&desk.files("whole"), &desk.files("out/scene"));
}

#[test]
fn of_runs_that_begin_at_once_in_one_folder_one_goes_through() {
    let desk = uninterrupted(BUSY);
    for _ in 0..5 {
        let start =
            |_| desk.command(&["run", "scene.toml", "--quiet"]).stderr(Stdio::piped()).spawn().unwrap();
        let children: Vec<Child> = (0..4).map(start).collect();
        let outputs = children.into_iter().map(|child| child.wait_with_output().unwrap());
        let mut codes: Vec<_> = outputs.map(|output| output.status.code()).collect();
        codes.sort_unstable();
        assert_eq!(codes, [Some(0), Some(2), Some(2), Some(2)]);
        assert_same(&desk.files("whole"), &desk.files("out/scene"));
        std::fs::remove_dir_all(desk.path("out")).unwrap();
    }
}

fn send(signal: &str, child: &Child) {
    let sent = Command::new("sh").args(["-c", &format!("kill -{signal} {}", child.id())]).status().unwrap();
    assert!(sent.success());
}

#[test]
fn an_interrupt_ends_behind_a_frame_and_says_how_to_go_on() {
    for signal in ["INT", "TERM"] {
        let desk = Desk::with(&endless());
        let mut command = desk.command(&["run", "scene.toml", "--json"]);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        wait_for(&desk, "out/scene/frames/000005.vtu");
        send(signal, &child);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{output:?}");
        let words = String::from_utf8(output.stderr).unwrap();
        assert!(words.contains("aspic resume out/scene"), "{words}");
        let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(summary["completed"], false);
        let frames = summary["frames"].as_u64().unwrap();
        assert!(frames >= 6 && desk.path("out/scene/checkpoint").is_file());
        // One more frame, compared with a run that was never stopped.
        let range = format!("..{}", frames + 1);
        desk.well(&["resume", "out/scene", "--frames", &range, "--quiet"]);
        desk.well(&["run", "scene.toml", "--out", "whole", "--frames", &range, "--quiet"]);
        assert_same(&desk.files("whole"), &desk.files("out/scene"));
    }
}

#[test]
fn an_interrupted_range_of_frames_is_offered_again() {
    let desk = Desk::with(&endless());
    let mut command = desk.command(&["run", "scene.toml", "--frames", "3..4000", "--quiet"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_for(&desk, "out/scene/frames/000004.vtu");
    send("INT", &child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    let words = String::from_utf8(output.stderr).unwrap();
    assert!(words.contains("aspic resume out/scene --frames 3..4000"), "{words}");
}

#[test]
fn a_resumed_run_counts_its_steps_as_if_it_had_not_stopped() {
    let count = |text: &str| {
        let summary: serde_json::Value = serde_json::from_str(text).unwrap();
        let keys = ["steps", "rejected", "newton_iterations", "linear_iterations"];
        let worst = ["audit_relative", "max_constraint_violation"];
        (keys.map(|key| summary[key].clone()), worst.map(|key| summary[key].clone()))
    };
    for scene in [BUSY, TOUCHING] {
        let desk = Desk::with(scene);
        let whole = count(&desk.well(&["run", "scene.toml", "--out", "whole", "--json"]).stdout);
        desk.well(&["run", "scene.toml", "--frames", "..9", "--quiet"]);
        assert_eq!(count(&desk.well(&["resume", "out/scene", "--json"]).stdout), whole);
        assert_eq!(
            count(&desk.well(&["resume", "out/scene", "--json"]).stdout),
            whole,
            "resumed when complete"
        );
    }
}
