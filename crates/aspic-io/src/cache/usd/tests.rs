//! Files are looked into byte by byte here; other programs read them in `tests/outside`.

use std::fs;
use std::path::Path;

use super::super::made_up;
use super::*;

type Begin = fn(&Path, &Cast) -> Result<Box<dyn Cache>, OutputError>;

fn bytes(name: &str, begin: Begin, frames: usize) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = made_up::export(folder.path().join(name), begin, frames).remove(0);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    fs::read(path).unwrap()
}

fn text(frames: usize) -> String {
    String::from_utf8(bytes("a.usda", begin_text, frames)).unwrap()
}

#[test]
fn the_last_time_code_is_that_of_the_last_frame_pushed() {
    let text = text(3);
    assert!(text.contains("endTimeCode = 2.0\n") && text.contains("timeCodesPerSecond = 24.0\n"));
    assert!(text.contains("            2: [") && !text.contains("            3: ["));
}

#[test]
fn names_are_valid_and_distinct_and_the_old_ones_are_shown() {
    let text = text(2);
    for (name, shown) in [
        ("tet", "tet"),
        ("Tuch_gr_n", "Tuch/grün"),
        ("a___rope_", "a, \\\"rope\\\""),
        ("tuch_gr_n_2", "tuch_gr_n"),
    ] {
        assert!(text.contains(&format!("\"{name}\" (")), "{name}");
        assert!(text.contains(&format!("displayName = \"{shown}\"")), "{shown}");
    }
    assert!(text.contains("doc = \"Made \\\"up\\\"\""));
}

#[test]
fn what_never_moves_has_no_samples() {
    let text = text(5);
    let still = text.split_once("\"tuch_gr_n_2\"").unwrap().1;
    let still = still.split_once("\n    }\n").unwrap().0;
    assert!(
        still.contains("point3f[] points = [(3.0, 0.0, 0.0), ") && !still.contains("timeSamples"),
        "{still}"
    );
}

#[test]
fn what_rests_for_a_while_has_samples_where_it_begins_and_ends_to_move() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.usda");
    let cast = Cast { actors: vec![made_up::cast().actors.remove(0)], ..made_up::cast() };
    let mut cache = begin_text(&path, &cast).unwrap();
    for (place, moved) in [0, 0, 0, 1, 2, 2, 2].into_iter().enumerate() {
        let positions = &made_up::positions(moved)[..4];
        let pose = Pose { place, number: place, t: place as f64, positions, velocities: &[] };
        cache.push(&pose).unwrap();
    }
    cache.finish().unwrap();
    let text = fs::read_to_string(path).unwrap();
    let samples = text.split_once("points.timeSamples = {").unwrap().1.split_once('}').unwrap().0;
    let times: Vec<&str> =
        samples.lines().filter_map(|line| line.trim().split_once(':')).map(|s| s.0).collect();
    assert_eq!(times, ["0", "2", "3", "4"]);
}

#[test]
fn velocities_are_those_of_the_played_time() {
    // Half a simulated second passes in a played one, so ways per played second are half as long.
    let text = text(3);
    let samples = text.split_once("velocities.timeSamples = {").unwrap().1;
    assert!(
        samples.trim_start().starts_with("0: [(0.0, 0.0, 0.0), (0.05, 0.0, 0.0), (0.0, 0.05, 0.0)"),
        "{samples}"
    );
}

#[test]
fn a_binary_stage_leads_from_its_head_to_its_sections() {
    let bytes = bytes("a.usdc", begin_binary, 4);
    let number = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize;
    assert_eq!(&bytes[..16], b"PXR-USDC\0\x08\0\0\0\0\0\0");
    let contents = number(16);
    assert_eq!(number(contents), 6);
    assert_eq!(bytes.len(), contents + 8 + 6 * 32);
    let sections: Vec<(String, usize, usize)> = (0..6)
        .map(|k| contents + 8 + 32 * k)
        .map(|at| {
            let name = String::from_utf8_lossy(&bytes[at..at + 16]).trim_end_matches('\0').to_string();
            (name, number(at + 16), number(at + 24))
        })
        .collect();
    let names: Vec<&str> = sections.iter().map(|section| section.0.as_str()).collect();
    assert_eq!(names, ["TOKENS", "STRINGS", "FIELDS", "FIELDSETS", "PATHS", "SPECS"]);
    for pair in sections.windows(2) {
        assert_eq!((pair[0].1 + pair[0].2).next_multiple_of(8), pair[1].1);
    }
}

#[test]
fn an_archive_holds_the_binary_stage_at_a_multiple_of_64_bytes() {
    let stage = bytes("a.usdc", begin_binary, 4);
    let archive = bytes("a.usdz", begin_archive, 4);
    assert_eq!(&archive[..4], b"PK\x03\x04");
    assert_eq!(&archive[30..36], b"a.usdc");
    let extra = usize::from(u16::from_le_bytes([archive[28], archive[29]]));
    let start = 36 + extra;
    assert!(start.is_multiple_of(64));
    assert_eq!(archive[start..start + stage.len()], stage);
    assert_eq!(archive[14..18], crc32fast::hash(&stage).to_le_bytes());
}

#[test]
fn an_actor_with_triangles_and_strands_has_a_prim_above_both() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.usda");
    let mut cast = made_up::cast();
    cast.actors[0].edges = vec![[0, 3]];
    cast.up = super::super::Up::Y;
    let mut cache = begin_text(&path, &cast).unwrap();
    made_up::push(&mut *cache, 2);
    cache.finish().unwrap();
    let text = fs::read_to_string(path).unwrap();
    let both = text.split_once("def Xform \"tet\" (").unwrap().1.split_once("\n    }\n").unwrap().0;
    assert!(
        both.contains("def Mesh \"Surface\" (") && both.contains("def BasisCurves \"Strands\" ("),
        "{both}"
    );
    assert_eq!(both.matches("rel material:binding = </World/Materials/tet>").count(), 2);
    assert!(both.contains("int[] curveVertexCounts = [2]") && text.contains("upAxis = \"Y\""));
}
