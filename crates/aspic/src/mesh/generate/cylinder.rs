//! A cylinder: a disc of rings, stacked in layers.
//!
//! Ring k of the disc holds 6k equally spaced vertices, as in a hexagon of equilateral triangles drawn
//! round: all edges of the disc stay within a factor of two of each other.

use std::f64::consts::TAU;

use super::{MeshError, TetMesh, finish, need_count, need_length, need_room, prism};
use crate::Vec3;

/// A cylinder along z centred at the origin \[m\]: `rings` from axis to side, so 6·`rings` sides around, and
/// `layers` along the height.
///
/// Groups: `bottom`, `top`, `axis`, `side` (the curved side with both rims), and `surface` (all of the
/// outside).
pub fn cylinder(radius: f64, height: f64, rings: usize, layers: usize) -> Result<TetMesh, MeshError> {
    need_length("radius", radius)?;
    need_length("height", height)?;
    need_count("number of rings", rings, 1)?;
    need_count("number of layers", layers, 1)?;
    let room = need_room(18, &[rings, rings, layers])?;

    let (disc, triangles) = (disc_points(radius, rings), disc_triangles(rings));
    let count = disc.len();
    let mut positions = Vec::with_capacity(count * (layers + 1));
    for level in 0..=layers {
        let z = height * (level as f64 / layers as f64 - 0.5);
        positions.extend(disc.iter().map(|x| x + z * Vec3::z()));
    }
    let mut tets = Vec::with_capacity(room);
    for level in 0..layers {
        let (here, above) = (level * count, (level + 1) * count);
        tets.extend(triangles.iter().flat_map(|&t| prism::split(t, here, above)));
    }
    let groups = groups(count, ring_start(rings), layers);
    finish(positions, tets, groups)
}

/// Number of the first vertex of a ring: 1 + Σ 6k of the rings inside it.
fn ring_start(ring: usize) -> usize {
    if ring == 0 { 0 } else { 1 + 3 * ring * (ring - 1) }
}

/// The disc's vertices, ring by ring from the centre.
fn disc_points(radius: f64, rings: usize) -> Vec<Vec3> {
    let mut points = vec![Vec3::zeros()];
    for ring in 1..=rings {
        let r = radius * (ring as f64 / rings as f64);
        points.extend((0..6 * ring).map(|i| {
            let angle = TAU * i as f64 / (6 * ring) as f64;
            Vec3::new(r * angle.cos(), r * angle.sin(), 0.0)
        }));
    }
    points
}

/// The 6·rings² triangles of the disc: each of six sectors has 2k − 1 between rings k − 1 and k.
fn disc_triangles(rings: usize) -> Vec<[usize; 3]> {
    let vertex = |ring: usize, i: usize| ring_start(ring) + if ring == 0 { 0 } else { i % (6 * ring) };
    let mut triangles = Vec::with_capacity(6 * rings * rings);
    for ring in 1..=rings {
        for sector in 0..6 {
            let outer = |j: usize| vertex(ring, sector * ring + j);
            let inner = |j: usize| vertex(ring - 1, sector * (ring - 1) + j);
            triangles.extend((0..ring).map(|j| [inner(j), outer(j), outer(j + 1)]));
            triangles.extend((0..ring - 1).map(|j| [inner(j), outer(j + 1), inner(j + 1)]));
        }
    }
    triangles
}

/// The groups of a stack of `layers` on discs of `count` vertices, whose rim starts at number `rim`.
fn groups(count: usize, rim: usize, layers: usize) -> [(&'static str, Vec<u32>); 5] {
    let last = layers * count;
    let choose = |keep: &dyn Fn(usize) -> bool| -> Vec<u32> {
        (0..last + count).filter(|&v| keep(v)).map(|v| v as u32).collect()
    };
    [
        ("bottom", choose(&|v| v < count)),
        ("top", choose(&|v| v >= last)),
        ("axis", choose(&|v| v % count == 0)),
        ("side", choose(&|v| v % count >= rim)),
        ("surface", choose(&|v| v < count || v >= last || v % count >= rim)),
    ]
}
