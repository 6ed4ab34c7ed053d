//! `aspic export`: the files it makes, and what it says when it cannot.

use std::path::Path;

use crate::support::{BLOCK, Desk};

/// A desk with the first four frames of the falling torus in `run`.
fn torus() -> Desk {
    let desk = Desk::new();
    let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/falling-torus.toml");
    desk.well(&["run", scene.to_str().unwrap(), "--out", "run", "--frames", "..4", "--quiet"]);
    desk
}

/// Width and height from the header of a PNG file.
fn png_size(bytes: &[u8]) -> [u32; 2] {
    assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n");
    [16, 20].map(|at| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap()))
}

#[test]
fn every_frame_becomes_a_picture_of_the_size_asked_for() {
    let desk = torus();
    let answer = desk.well(&["export", "run", "--to", "png", "--size", "160x90"]);
    assert!(answer.stdout.contains("4 pictures of 160 × 90"), "{}", answer.stdout);
    let files = desk.files("run/png");
    assert_eq!(files.keys().collect::<Vec<_>>(), ["000000.png", "000001.png", "000002.png", "000003.png"]);
    assert!(files.values().all(|bytes| png_size(bytes) == [160, 90]));
    assert!(files["000000.png"] != files["000003.png"], "the torus falls");
}

#[test]
fn any_number_of_threads_exports_the_same_files() {
    let desk = torus();
    for threads in ["1", "2", "3"] {
        desk.well(&[
            "export",
            "run",
            "--to",
            "gif",
            "--size",
            "96x54",
            "--out",
            &format!("{threads}.gif"),
            "--threads",
            threads,
        ]);
        desk.well(&[
            "export",
            "run",
            "--to",
            "png",
            "--size",
            "96x54",
            "--out",
            threads,
            "--threads",
            threads,
        ]);
    }
    let bytes = |name: &str| std::fs::read(desk.path(name)).unwrap();
    assert!(bytes("1.gif") == bytes("2.gif") && bytes("1.gif") == bytes("3.gif"));
    assert!(desk.files("1") == desk.files("2") && desk.files("1") == desk.files("3"));
}

#[test]
fn a_gif_film_is_named_by_its_ending_and_plays_for_ever() {
    let desk = torus();
    let answer =
        desk.well(&["export", "run", "--out", "films/torus.gif", "--size", "96x54", "--fps", "10", "--json"]);
    let bytes = std::fs::read(desk.path("films/torus.gif")).unwrap();
    assert_eq!(&bytes[..6], b"GIF89a");
    assert!(bytes.windows(11).any(|word| word == b"NETSCAPE2.0"));
    assert!(
        answer.stdout.contains("\"frames\":4,\"width\":96,\"height\":54,\"rate\":10.0"),
        "{}",
        answer.stdout
    );
    assert_eq!(desk.files("films").len(), 1, "nothing else is left there");
}

#[test]
fn a_film_without_ffmpeg_becomes_pictures_and_the_command_that_makes_it() {
    let desk = torus();
    let mut command = desk.command(&["export", "run", "--to", "mp4", "--size", "96x54"]);
    let output = command.env("PATH", "").output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{stderr}");
    assert!(stderr.contains("ffmpeg -framerate 24 -start_number 0 -i run/film.frames/%06d.png"), "{stderr}");
    assert_eq!(desk.files("run/film.frames").len(), 4);
    assert!(!desk.path("run/film.mp4").exists());
}

#[test]
fn a_thumbnail_is_one_picture_in_the_run_folder_or_where_it_is_told() {
    let desk = torus();
    desk.well(&["export", "run", "--thumbnail", "--size", "160x120", "--theme", "dark", "--view", "40,10"]);
    assert_eq!(png_size(&std::fs::read(desk.path("run/thumbnail.png")).unwrap()), [160, 120]);
    desk.well(&[
        "export",
        "run",
        "--thumbnail",
        "--size",
        "160x120",
        "--out",
        "small.png",
        "--color-by",
        "speed",
    ]);
    assert!(desk.path("small.png").exists());
    desk.aspic(&["export", "run", "--thumbnail", "--to", "gif"]).expect(2, &["a thumbnail is a PNG file"]);
}

#[test]
fn one_frame_becomes_one_file() {
    let desk = torus();
    desk.well(&["export", "run", "--frames", "2..3", "--out", "two.png", "--size", "64x64"]);
    assert_eq!(png_size(&std::fs::read(desk.path("two.png")).unwrap()), [64, 64]);
    desk.aspic(&["export", "run", "--out", "two.png"])
        .expect(2, &["two.png is one file, but there are 4 frames"]);
}

#[test]
fn colours_for_a_field_that_frames_do_not_hold_are_refused() {
    let desk = Desk::with(&format!("{BLOCK}\n[output]\nstress = false\n"));
    desk.well(&["run", "scene.toml", "--out", "run", "--quiet"]);
    desk.aspic(&["export", "run", "--to", "png", "--color-by", "stress"])
        .expect(2, &["the frames in run hold no stress", "`stress = true`"]);
    for field in ["speed", "energy", "displacement", "contact"] {
        desk.well(&["export", "run", "--thumbnail", "--color-by", field, "--size", "320x180"]);
    }
}

#[test]
fn a_damaged_frame_is_left_out_and_named() {
    let desk = torus();
    let file = desk.path("run/frames/000001.vtu");
    let text = std::fs::read(&file).unwrap();
    std::fs::write(&file, &text[..text.len() / 2]).unwrap();
    let answer = desk.well(&["export", "run", "--to", "png", "--size", "64x36"]);
    assert!(answer.stderr.contains("Left out a frame") && answer.stderr.contains("000001.vtu"), "{answer:?}");
    assert_eq!(desk.files("run/png").len(), 3);
    for number in [0, 2, 3] {
        std::fs::write(desk.path(&format!("run/frames/{number:06}.vtu")), "no frame").unwrap();
    }
    desk.aspic(&["export", "run", "--to", "png"]).expect(2, &["no frame in run can be read"]);
}

#[test]
fn folders_without_a_run_or_without_frames_are_refused() {
    let desk = Desk::new();
    desk.aspic(&["export", "nowhere", "--to", "gif"]).expect(2, &["nowhere does not exist"]);
    std::fs::create_dir(desk.path("empty")).unwrap();
    desk.aspic(&["export", "empty", "--to", "gif"]).expect(2, &["empty holds no run"]);
    std::fs::create_dir_all(desk.path("young/frames")).unwrap();
    desk.aspic(&["export", "young", "--to", "gif"])
        .expect(2, &["young has no frames yet", "aspic resume young"]);
}

#[test]
fn formats_sizes_ranges_and_places_that_make_no_sense_are_refused() {
    let desk = torus();
    let refused = |arguments: &[&str], words: &[&str]| {
        desk.aspic(&[&["export", "run"], arguments].concat()).expect(2, words);
    };
    refused(&[], &["say what to make: --to png, mp4, usdc, glb, abc"]);
    refused(&["--out", "film.giv"], &["ends in .giv (did you mean .gif?)"]);
    refused(&["--out", "film.mov"], &["did you mean .mp4?"]);
    refused(&["--out", "film.gif", "--to", "mp4"], &["--to and --out do not agree"]);
    refused(&["--to", "giff"], &["a similar value exists: 'gif'"]);
    refused(&["--to", "png", "--size", "0x0"], &["0 0 pixels cannot be drawn"]);
    refused(&["--to", "png", "--size", "99999x99999"], &["cannot be drawn"]);
    refused(&["--to", "png", "--frames", "70.."], &["none of the frames in run, 0 to 3"]);
    refused(&["--to", "png", "--view", "up"], &["`up` is no view"]);
    refused(&["--to", "gif", "--fps", "0"], &["`0` is no rate"]);
    std::fs::write(desk.path("file"), "").unwrap();
    refused(&["--to", "gif", "--out", "file/film.gif"], &["cannot make the folder file"]);
    std::fs::create_dir(desk.path("folder.gif")).unwrap();
    let answer = desk.aspic(&["export", "run", "--out", "folder.gif", "--size", "64x36"]);
    answer.expect(2, &["folder.gif", "is a folder"]);
}
