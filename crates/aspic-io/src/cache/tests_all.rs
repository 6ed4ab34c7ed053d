//! What holds for every cache, and the layout of point caches.

use std::fs;
use std::path::Path;

use aspic::Vec3;

use super::{Actor, Cache, Cast, Pose, Up, alembic, gltf, mdd, pc2};
use crate::OutputError;

type Begin = fn(&Path, &Cast) -> Result<Box<dyn Cache>, OutputError>;

/// Every format, with a name to write to.
const FORMATS: [(&str, Begin); 5] = [
    ("pc2", pc2::begin),
    ("mdd", mdd::begin),
    ("motion.abc", alembic::begin),
    ("motion.glb", gltf::begin),
    ("motion.gltf", gltf::begin),
];

/// A tetrahedron that moves, a rope that moves, and a triangle that stands still.
pub(super) fn cast(frames: usize) -> Cast {
    let actor = |name: &str, points, triangles, edges| Actor {
        name: name.into(),
        color: [255, 128, 0],
        points,
        triangles,
        edges,
        radius: 0.25,
    };
    let actors = vec![
        actor("te/tra", 4, vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]], vec![]),
        actor("rope", 3, vec![], vec![[0, 1], [2, 1]]),
        actor("still", 3, vec![[0, 1, 2]], vec![]),
    ];
    Cast { title: "trial".into(), actors, up: Up::Z, meters_per_unit: 1.0, rate: 24.0, frames }
}

/// Where the points of [`cast`] are.
pub(super) fn positions(place: usize) -> Vec<Vec3> {
    let s = 0.5 * place as f64;
    let tetrahedron = [Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::new(0.0, 0.0, 1.0 + s)];
    let rope = [0.0, 1.0, 2.0].map(|x| Vec3::new(x, s, -1.0));
    let still = [Vec3::zeros(), Vec3::x(), Vec3::y()];
    [tetrahedron.as_slice(), &rope, &still].concat()
}

pub(super) fn push(cache: &mut dyn Cache, place: usize, positions: &[Vec3]) -> Result<(), OutputError> {
    cache.push(&Pose { place, number: place, t: 0.0, positions, velocities: &[] })
}

/// All bytes of all files, with their names, after so many frames out of those announced.
fn written(name: &str, begin: Begin, announced: usize, frames: usize) -> Vec<(String, Vec<u8>)> {
    let folder = tempfile::tempdir().unwrap();
    let mut cache = begin(&folder.path().join(name), &cast(announced)).unwrap();
    (0..frames).for_each(|place| push(&mut *cache, place, &positions(place)).unwrap());
    let mut paths = cache.finish().unwrap();
    paths.sort();
    assert_eq!(paths, files(folder.path()), "{name}");
    let inside = |path: &Path| path.strip_prefix(folder.path()).unwrap().display().to_string();
    paths.iter().map(|path| (inside(path), fs::read(path).unwrap())).collect()
}

fn files(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut found = vec![];
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        found.extend(if path.is_dir() { files(&path) } else { vec![path] });
    }
    found.sort();
    found
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    for (name, begin) in FORMATS {
        assert!(written(name, begin, 5, 5) == written(name, begin, 5, 5), "{name}");
    }
}

#[test]
fn an_export_that_stops_early_is_as_if_no_more_had_been_announced() {
    for (name, begin) in FORMATS {
        for frames in 1..5 {
            assert!(
                written(name, begin, 5, frames) == written(name, begin, frames, frames),
                "{name} {frames}"
            );
        }
    }
}

#[test]
fn a_cache_that_is_dropped_leaves_nothing_behind() {
    for (name, begin) in FORMATS {
        let folder = tempfile::tempdir().unwrap();
        for frames in 0..3 {
            let mut cache = begin(&folder.path().join(name), &cast(3)).unwrap();
            (0..frames).for_each(|place| push(&mut *cache, place, &positions(place)).unwrap());
            assert!(!files(folder.path()).is_empty());
            drop(cache);
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "{name}");
        }
    }
}

#[test]
fn a_file_that_stood_there_stays_until_the_new_one_is_finished() {
    for (name, begin) in &FORMATS[2..] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        fs::write(&path, b"old").unwrap();
        let mut cache = begin(&path, &cast(2)).unwrap();
        push(&mut *cache, 0, &positions(0)).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        cache.finish().unwrap();
        assert!(fs::read(&path).unwrap().len() > 100);
    }
}

#[test]
fn wrong_poses_and_no_frames_are_refused() {
    for (name, begin) in FORMATS {
        let folder = tempfile::tempdir().unwrap();
        let mut cache = begin(&folder.path().join(name), &cast(1)).unwrap();
        let text = push(&mut *cache, 0, &positions(0)[1..]).unwrap_err().to_string();
        assert!(text.contains(name) && text.contains("has 9 entries where 10 are needed"), "{text}");
        let text = cache.finish().unwrap_err().to_string();
        assert!(text.contains(name) && text.contains("no frame to write"), "{text}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "{name}");
    }
}

#[test]
fn a_missing_folder_is_named() {
    let folder = tempfile::tempdir().unwrap();
    for (name, begin) in &FORMATS[2..] {
        let text = begin(&folder.path().join("nowhere").join(name), &cast(1)).err().unwrap().to_string();
        assert!(text.contains("nowhere") && text.contains("folder is missing"), "{text}");
    }
}

#[test]
fn nothing_and_points_without_faces_can_be_written() {
    for (name, begin) in FORMATS {
        let folder = tempfile::tempdir().unwrap();
        let mut cache = begin(&folder.path().join(name), &Cast { actors: vec![], ..cast(1) }).unwrap();
        push(&mut *cache, 0, &[]).unwrap();
        cache.finish().unwrap();
        let of = |points: usize| Actor { name: points.to_string(), points, ..Actor::default() };
        let dust = Cast { actors: vec![of(0), of(2)], ..cast(2) };
        let mut cache = begin(&folder.path().join(name), &dust).unwrap();
        push(&mut *cache, 0, &[Vec3::x(), Vec3::y()]).unwrap();
        push(&mut *cache, 1, &[Vec3::x(), Vec3::z()]).unwrap();
        cache.finish().unwrap();
    }
}

#[test]
fn point_caches_refuse_more_frames_than_announced() {
    for (name, begin) in &FORMATS[..2] {
        let folder = tempfile::tempdir().unwrap();
        let mut cache = begin(&folder.path().join(name), &cast(1)).unwrap();
        push(&mut *cache, 0, &positions(0)).unwrap();
        let text = push(&mut *cache, 1, &positions(1)).unwrap_err().to_string();
        assert!(text.contains("frames has 2 entries where 1 are needed"), "{text}");
    }
}

#[test]
fn a_pc2_has_its_header_and_twelve_bytes_a_point() {
    let files = written("pc2", pc2::begin, 9, 2);
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    let of = |name: &str| [format!("pc2/{name}.pc2"), format!("pc2/{name}.rest.obj")];
    assert_eq!(names, ["rope", "still", "te_tra"].map(of).concat());
    let bytes = &files[0].1;
    assert_eq!(bytes.len(), 32 + 2 * 3 * 12);
    assert_eq!(bytes[..12], *b"POINTCACHE2\0");
    assert_eq!(bytes[12..32], [1, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x3f, 2, 0, 0, 0]);
    let number = |at: usize| f32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    // The second frame, the last point: (2, 0.5, -1).
    assert_eq!([92, 96, 100].map(number), [2.0, 0.5, -1.0]);
}

#[test]
fn an_mdd_has_times_in_front_and_is_big_endian() {
    let files = written("mdd", mdd::begin, 9, 3);
    let (name, bytes) = &files[0];
    assert_eq!(name, "mdd/rope.mdd");
    assert_eq!(bytes.len(), 8 + 4 * 3 + 3 * 3 * 12);
    assert_eq!(bytes[..8], [0, 0, 0, 3, 0, 0, 0, 3]);
    let number = |at: usize| f32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
    assert_eq!([8, 12, 16].map(number), [0.0, 1.0 / 24.0, 2.0 / 24.0]);
    // The last frame, the last point: (2, 1, -1).
    assert_eq!([116, 120, 124].map(number), [2.0, 1.0, -1.0]);
}

#[test]
fn the_obj_beside_a_cache_is_the_first_pose() {
    let files = written("pc2", pc2::begin, 2, 2);
    let rope = "# first pose, same order of points as the cache\no rope\nv 0 0 -1\nv 1 0 -1\nv 2 0 -1\nl 1 2\nl 3 2\n";
    assert_eq!(String::from_utf8(files[1].1.clone()).unwrap(), rope);
    let tetrahedron = String::from_utf8(files[5].1.clone()).unwrap();
    assert!(tetrahedron.ends_with("v 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"), "{tetrahedron}");
}
