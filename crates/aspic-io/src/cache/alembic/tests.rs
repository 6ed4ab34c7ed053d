//! Reads files back, group by group, as the layout says.

use std::collections::BTreeMap;
use std::fs;

use super::super::tests_all::{cast, positions, push};
use super::*;
use crate::cache::Up;

/// A file that was written.
struct File(Vec<u8>);

#[derive(Debug)]
struct Read {
    number: usize,
    stored: Vec<u64>,
    is_constant: bool,
    changes: Option<[usize; 2]>,
}

impl File {
    fn of(cast: &Cast, places: &[usize]) -> File {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("motion.abc");
        let mut cache = begin(&path, cast).unwrap();
        let poses = places.iter().enumerate();
        poses.for_each(|(place, &shown)| push(&mut *cache, place, &positions(shown)).unwrap());
        assert_eq!(cache.finish().unwrap(), [path.as_path()]);
        File(fs::read(path).unwrap())
    }

    fn u64(&self, at: u64) -> u64 {
        u64::from_le_bytes(self.0[at as usize..at as usize + 8].try_into().unwrap())
    }

    fn group(&self, place: u64) -> Vec<u64> {
        assert_eq!(place >> 63, 0, "data where a group is needed");
        let number = if place == 0 { 0 } else { self.u64(place) };
        (1..=number).map(|child| self.u64(place + 8 * child)).collect()
    }

    fn data(&self, child: u64) -> &[u8] {
        assert_eq!(child >> 63, 1, "a group where data is needed");
        let place = child & !(1 << 63);
        let size = if place == 0 { 0 } else { self.u64(place) };
        &self.0[place as usize + 8..][..size as usize]
    }

    fn floats(&self, child: u64) -> Vec<f32> {
        let (numbers, rest) = self.data(child)[16..].as_chunks::<4>();
        assert!(rest.is_empty());
        numbers.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
    }

    fn root(&self) -> Vec<u64> {
        self.group(self.u64(8))
    }

    /// Children of an object by name, in order of the file.
    fn children(&self, object: u64) -> Vec<(String, u64)> {
        let group = self.group(object);
        let headers = self.data(group[group.len() - 1]);
        let (mut at, mut found) = (0, vec![]);
        while at < headers.len() - 32 {
            let size = u32::from_le_bytes(headers[at..at + 4].try_into().unwrap()) as usize;
            let name = String::from_utf8(headers[at + 4..at + 4 + size].to_vec()).unwrap();
            at += 4 + size + 1;
            found.push((name, group[1 + found.len()]));
        }
        assert_eq!(group.len(), found.len() + 2);
        found
    }

    /// Properties of the compound `.geom` of an object.
    fn geometry(&self, object: u64) -> BTreeMap<String, Read> {
        let top = self.group(self.group(object)[0]);
        assert_eq!(top.len(), 2);
        let group = self.group(top[0]);
        let headers = self.data(group[group.len() - 1]);
        let (mut at, mut found) = (0, BTreeMap::new());
        while at < headers.len() {
            let bits = u32::from_le_bytes(headers[at..at + 4].try_into().unwrap());
            at += 4;
            let width = 1 << (bits >> 2 & 3);
            let mut next = || {
                let mut number = [0; 8];
                number[..width].copy_from_slice(&headers[at..at + width]);
                at += width;
                u64::from_le_bytes(number) as usize
            };
            let has = |bit: u32| bits >> bit & 1 == 1;
            let number = if bits & 3 == 0 { 0 } else { next() };
            let changes = has(9).then(|| [next(), next()]);
            let times = if has(8) { next() } else { 0 };
            assert!(times <= 1);
            let size = next();
            let name = String::from_utf8(headers[at..at + size].to_vec()).unwrap();
            at += size;
            let mut stored = self.group(group[found.len()]);
            if bits & 3 >= 2 {
                assert!(stored.iter().skip(1).step_by(2).all(|&dimensions| dimensions == 1 << 63));
                stored = stored.into_iter().step_by(2).collect();
            }
            found.insert(name, Read { number, stored, is_constant: has(11), changes });
        }
        assert_eq!(group.len(), found.len() + 1);
        found
    }
}

#[test]
fn the_container_says_that_it_is_whole_and_where_the_root_is() {
    let file = File::of(&cast(2), &[0, 1]);
    assert_eq!(file.0[..8], *b"Ogawa\xff\0\x01");
    let root = file.root();
    assert_eq!(file.u64(8) as usize + 8 + 6 * 8, file.0.len());
    assert_eq!(file.data(root[0]), [0; 4]);
    assert_eq!(file.data(root[1]), 10800i32.to_le_bytes());
    let about = String::from_utf8(file.data(root[3]).to_vec()).unwrap();
    assert_eq!(about, "FramesPerTimeUnit=24.000000;_ai_Application=aspic;_ai_Description=trial");
    let times = file.data(root[4]);
    assert_eq!(times.len(), 48);
    assert_eq!(times[24..28], [2, 0, 0, 0]);
    assert_eq!(times[28..36], (1.0f64 / 24.0).to_le_bytes());
}

#[test]
fn every_actor_is_a_mesh_or_strands_below_its_own_transform() {
    let mut both = cast(1);
    both.actors[0].edges.push([0, 3]);
    let file = File::of(&both, &[0]);
    let names = |object| file.children(object).into_iter().map(|(name, _)| name).collect::<Vec<_>>();
    let actors = file.children(file.root()[2]);
    assert_eq!(names(file.root()[2]), ["te_tra", "rope", "still"]);
    assert_eq!(names(actors[0].1), ["te_traShape", "te_traStrands"]);
    assert_eq!(names(actors[1].1), ["ropeStrands"]);
    assert_eq!(names(actors[2].1), ["stillShape"]);
}

#[test]
fn positions_are_there_in_every_frame_and_topology_once() {
    let file = File::of(&cast(3), &[0, 1, 2]);
    let actors = file.children(file.root()[2]);
    let mesh = file.geometry(file.children(actors[0].1)[0].1);
    let moving = &mesh["P"];
    assert_eq!((moving.number, moving.stored.len(), moving.changes), (3, 3, None));
    for (place, &sample) in moving.stored.iter().enumerate() {
        let wanted: Vec<f32> = positions(place)[..4]
            .iter()
            .flat_map(|p| p.iter().map(|&x| x as f32).collect::<Vec<_>>())
            .collect();
        assert_eq!(file.floats(sample), wanted);
    }
    let indices = &mesh[".faceIndices"];
    assert!(indices.is_constant && indices.stored.len() == 1);
    assert_eq!(file.data(indices.stored[0])[16..28], [1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(file.data(mesh[".faceCounts"].stored[0])[16..], [3, 0, 0, 0].repeat(4));
    let still = file.geometry(file.children(actors[2].1)[0].1);
    for name in ["P", "N", ".selfBnds"] {
        assert_eq!((still[name].number, still[name].stored.len()), (3, 1), "{name}");
        assert!(still[name].is_constant);
    }
}

#[test]
fn strands_run_from_end_to_end_with_twice_the_radius() {
    let file = File::of(&cast(1), &[0]);
    let rope = file.geometry(file.children(file.children(file.root()[2])[1].1)[0].1);
    assert_eq!(file.data(rope["nVertices"].stored[0])[16..], [3, 0, 0, 0]);
    assert_eq!(file.floats(rope["P"].stored[0]), [0.0, 0.0, -1.0, 1.0, 0.0, -1.0, 2.0, 0.0, -1.0]);
    assert_eq!(file.floats(rope["width"].stored[0]), [0.5; 3]);
    let (numbers, _) = file.data(rope[".selfBnds"].stored[0])[16..].as_chunks::<8>();
    let bounds: Vec<f64> = numbers.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect();
    assert_eq!(bounds, [-0.25, -0.25, -1.25, 2.25, 0.25, -0.75]);
}

#[test]
fn repeated_samples_share_data_between_changes_and_are_left_out_around_them() {
    let file = File::of(&cast(8), &[0, 0, 1, 1, 1, 2, 2, 2]);
    let mesh = file.geometry(file.children(file.children(file.root()[2])[0].1)[0].1);
    let moving = &mesh["P"];
    // Frame 1 is the first, frames 3 and 4 are frame 2, frames 6 and 7 are frame 5, the last change.
    assert_eq!((moving.number, moving.changes), (8, Some([2, 5])));
    assert_eq!(moving.stored.len(), 5);
    assert_eq!(moving.stored[1..4], [moving.stored[1]; 3]);
    let heights: Vec<f32> = moving.stored.iter().map(|&sample| file.floats(sample)[11]).collect();
    assert_eq!(heights, [1.0, 1.5, 1.5, 1.5, 2.0]);
}

#[test]
fn many_frames_take_wider_numbers() {
    let places: Vec<usize> = (0..300).collect();
    let file = File::of(&cast(300), &places);
    let mesh = file.geometry(file.children(file.children(file.root()[2])[0].1)[0].1);
    assert_eq!((mesh["P"].number, mesh["P"].stored.len()), (300, 300));
    assert_eq!(file.floats(mesh["P"].stored[299])[11], 150.5);
}

#[test]
fn only_positions_with_z_up_are_turned() {
    for (up, has_matrix) in [(Up::Y, false), (Up::Z, true)] {
        let file = File::of(&Cast { up, ..cast(1) }, &[0]);
        let flag = b"isNotConstantIdentity";
        assert_eq!(file.0.windows(flag.len()).any(|bytes| bytes == flag), has_matrix);
    }
}
