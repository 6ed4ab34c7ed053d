//! Meshes for tests.

use std::collections::HashMap;
use std::f64::consts::{PI, TAU};

use super::{HalfSpace, Vec3};

pub fn floor(height: f64) -> HalfSpace {
    HalfSpace { point: Vec3::new(0.0, 0.0, height), normal: Vec3::z() }
}

pub fn volume_of(places: &[Vec3], triangles: &[[u32; 3]]) -> f64 {
    let one = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|v| places[v as usize]);
        a.dot(&b.cross(&c)) / 6.0
    };
    triangles.iter().map(one).sum()
}

pub fn watertight(triangles: &[[u32; 3]]) -> bool {
    let mut seen = HashMap::new();
    for t in triangles {
        for k in 0..3 {
            *seen.entry((t[k], t[(k + 1) % 3])).or_insert(0) += 1;
        }
    }
    seen.iter().all(|(&(a, b), &count)| count == 1 && seen.get(&(b, a)) == Some(&1))
}

/// A surface of revolution about z: radius and height of each ring, with a pole at both ends.
fn lathe(rings: &[(f64, f64)], around: usize, poles: [f64; 2]) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let mut vertices = vec![Vec3::new(0.0, 0.0, poles[0])];
    for (radius, height) in rings {
        vertices.extend((0..around).map(|k| {
            let angle = TAU * k as f64 / around as f64;
            Vec3::new(radius * angle.cos(), radius * angle.sin(), *height)
        }));
    }
    vertices.push(Vec3::new(0.0, 0.0, poles[1]));
    let at = |ring: usize, k: usize| (1 + ring * around + k % around) as u32;
    let (last, mut triangles) = (vertices.len() as u32 - 1, vec![]);
    for k in 0..around {
        triangles.push([0, at(0, k + 1), at(0, k)]);
        triangles.push([last, at(rings.len() - 1, k), at(rings.len() - 1, k + 1)]);
        for r in 1..rings.len() {
            let (a, b, c, d) = (at(r - 1, k), at(r - 1, k + 1), at(r, k + 1), at(r, k));
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    (vertices, triangles)
}

/// An ellipsoid about the origin.
pub fn ellipsoid(axes: Vec3, rings: usize, around: usize) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let ring = |k: usize| {
        let angle = PI * (k + 1) as f64 / (rings + 1) as f64;
        (angle.sin(), -angle.cos())
    };
    let (vertices, triangles) = lathe(&(0..rings).map(ring).collect::<Vec<_>>(), around, [-1.0, 1.0]);
    (vertices.iter().map(|x| x.component_mul(&axes)).collect(), triangles)
}

/// A cylinder about the origin, upright.
pub fn cylinder(radius: f64, height: f64, around: usize) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let (flat, high) = (8, 24);
    let cap = |k: usize| radius * (k + 1) as f64 / flat as f64;
    let mut rings: Vec<(f64, f64)> = (0..flat).map(|k| (cap(k), -0.5 * height)).collect();
    rings.extend((1..high).map(|k| (radius, height * (k as f64 / high as f64 - 0.5))));
    rings.extend((0..flat).rev().map(|k| (cap(k), 0.5 * height)));
    lathe(&rings, around, [-0.5 * height, 0.5 * height])
}
