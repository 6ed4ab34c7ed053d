//! A small cast for tests: a tetrahedron that swings, a sheet that waves, a rope, and a block that stands still.

use std::path::{Path, PathBuf};

use aspic::Vec3;

use super::{Actor, Cache, Cast, Pose, Up};
use crate::OutputError;

/// The number of the first point of the rope.
pub const ROPE: usize = 20;
/// The first of the points that stand still.
pub const STILL: usize = 25;

/// Announces ten frames.
pub fn cast() -> Cast {
    let tet = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    let corner = |i: u32, j: u32| 4 * i + j;
    let quads = (0..3).flat_map(|i| (0..3).map(move |j| (i, j)));
    let sheet = quads.flat_map(|(i, j)| {
        let [a, b, c, d] = [corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)];
        [[a, b, c], [a, c, d]]
    });
    let actor = |name: &str, color, points| Actor { name: name.into(), color, points, ..Actor::default() };
    Cast {
        title: "Made \"up\"".into(),
        actors: vec![
            Actor { triangles: tet.clone(), ..actor("tet", [240, 113, 90], 4) },
            Actor { triangles: sheet.collect(), ..actor("Tuch/grün", [42, 169, 160], 16) },
            Actor {
                edges: vec![[0, 1], [1, 2], [2, 3], [3, 4]],
                radius: 0.01,
                ..actor("a, \"rope\"", [0; 3], 5)
            },
            Actor { triangles: tet, ..actor("tuch_gr_n", [205, 209, 216], 4) },
        ],
        up: Up::Z,
        meters_per_unit: 1.0,
        rate: 24.0,
        frames: 10,
    }
}

/// Where everything is at a frame.
pub fn positions(place: usize) -> Vec<Vec3> {
    let t = place as f64 / 24.0;
    let corners = [Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()];
    let tet = corners.map(|p| p + Vec3::new(t.sin(), 0.0, 0.1 * t));
    let sheet = (0..16).map(|k| {
        let (i, j) = (f64::from(k / 4), f64::from(k % 4));
        Vec3::new(i / 3.0, j / 3.0 + 2.0, 0.1 * (3.0 * t + i).sin())
    });
    let rope = (0..5).map(|k| Vec3::new(-1.0, 0.1 * f64::from(k), 1.0 - t * 0.2 * f64::from(k)));
    let still = corners.map(|p| p + Vec3::new(3.0, 0.0, 0.0));
    tet.into_iter().chain(sheet).chain(rope).chain(still).collect()
}

/// Pushes so many frames.
pub fn push(cache: &mut dyn Cache, frames: usize) {
    for place in 0..frames {
        let positions = positions(place);
        let mut velocities: Vec<Vec3> = positions.iter().map(|p| 0.1 * p).collect();
        velocities[STILL..].fill(Vec3::zeros());
        let t = 0.5 * place as f64 / 24.0;
        let pose = Pose { place, number: 2 * place, t, positions: &positions, velocities: &velocities };
        cache.push(&pose).unwrap();
    }
}

/// A whole export of so many frames; what it wrote.
pub fn export(
    path: PathBuf,
    begin: impl Fn(&Path, &Cast) -> Result<Box<dyn Cache>, OutputError>,
    frames: usize,
) -> Vec<PathBuf> {
    let mut cache = begin(&path, &cast()).unwrap();
    push(&mut *cache, frames);
    cache.finish().unwrap()
}
