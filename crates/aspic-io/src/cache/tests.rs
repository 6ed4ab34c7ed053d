//! What holds for every format that is written here.

use std::fs;
use std::path::Path;

use super::*;

type Begin = fn(&Path, &Cast) -> Result<Box<dyn Cache>, OutputError>;
const ALL: [(&str, Begin); 9] = [
    ("a.usda", usd::begin_text),
    ("a.usdc", usd::begin_binary),
    ("a.usdz", usd::begin_archive),
    ("obj", obj::begin),
    ("ply", ply::begin),
    ("vtu", vtu::begin),
    ("povray", |path, cast| povray::begin(path, cast, None)),
    ("a.csv", |path, cast| csv::begin(path, cast, &[])),
    ("a.npz", npz::begin),
];

fn contents(name: &str, begin: Begin, frames: usize) -> Vec<(String, Vec<u8>)> {
    let folder = tempfile::tempdir().unwrap();
    let files = made_up::export(folder.path().join(name), begin, frames);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "{name}");
    let content = |path: &PathBuf| (path.file_name().unwrap().display().to_string(), fs::read(path).unwrap());
    files.iter().map(content).collect()
}

#[test]
fn the_same_run_gives_the_same_bytes() {
    for (name, begin) in ALL {
        assert_eq!(contents(name, begin, 4), contents(name, begin, 4), "{name}");
    }
}

#[test]
fn a_cache_that_is_dropped_leaves_nothing_behind() {
    for (name, begin) in ALL {
        let folder = tempfile::tempdir().unwrap();
        let mut cache = begin(&folder.path().join(name), &made_up::cast()).unwrap();
        made_up::push(&mut *cache, 3);
        drop(cache);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "{name}");
    }
}

#[test]
fn poses_of_the_wrong_length_and_out_of_turn_are_refused() {
    for (name, begin) in ALL {
        let folder = tempfile::tempdir().unwrap();
        let mut cache = begin(&folder.path().join(name), &made_up::cast()).unwrap();
        let positions = made_up::positions(0);
        let mut refusal = |place, positions, velocities| {
            let pose = Pose { place, number: 0, t: 0.0, positions, velocities };
            cache.push(&pose).unwrap_err().to_string()
        };
        let text = refusal(0, &positions[1..], &[]);
        assert!(text.contains("positions has 28 entries where 29 are needed"), "{text}");
        assert!(refusal(0, &positions, &positions[..3]).contains("velocities has 3"), "{name}");
        assert!(refusal(2, &positions, &[]).contains("poses before this one has 0"), "{name}");
    }
}

#[test]
fn a_triangle_without_its_points_is_refused() {
    let mut cast = made_up::cast();
    cast.actors[0].triangles[0] = [0, 1, 9];
    for (name, begin) in ALL {
        let error = begin(Path::new(name), &cast).err().unwrap().to_string();
        assert!(error.contains("`tet`") && error.contains("names point 9"), "{error}");
    }
}

#[test]
fn an_export_without_any_frame_or_actor_finishes() {
    for (name, begin) in ALL {
        assert!(!contents(name, begin, 0).is_empty() || name == "ply", "{name}");
        let folder = tempfile::tempdir().unwrap();
        let cast = Cast { rate: 24.0, meters_per_unit: 1.0, ..Cast::default() };
        let mut cache = begin(&folder.path().join(name), &cast).unwrap();
        let pose = Pose { place: 0, number: 0, t: 0.0, positions: &[], velocities: &[] };
        cache.push(&pose).unwrap();
        assert!(!cache.finish().unwrap().is_empty(), "{name}");
    }
}
