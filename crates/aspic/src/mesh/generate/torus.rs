//! A torus: a polygon with its centre, swept round the z axis.

use std::f64::consts::TAU;

use super::{MeshError, TetMesh, finish, need_count, need_length, need_room, prism};
use crate::Vec3;

/// A torus in the xy plane, centred at the origin. The centre line has radius `ring_radius` \[m\]; the tube is
/// a regular polygon of `sides` corners, `tube_radius` \[m\] from the centre line, at each of `sections`.
///
/// 20 sections of 8 sides make the torus of Liesenfeld and Stolfi: 180 vertices, 480 tetrahedra.
/// Groups: `core` (the centre line), `surface`, and `nail`, the centre-line vertex at (`ring_radius`, 0, 0).
pub fn torus(
    ring_radius: f64,
    tube_radius: f64,
    sections: usize,
    sides: usize,
) -> Result<TetMesh, MeshError> {
    check(ring_radius, tube_radius, sections, sides)?;
    let count = sides + 1;
    let mut positions = Vec::with_capacity(sections * count);
    let mut tets = Vec::with_capacity(3 * sections * sides);
    for section in 0..sections {
        let angle = TAU * section as f64 / sections as f64;
        let outward = Vec3::new(angle.cos(), angle.sin(), 0.0);
        positions.push(ring_radius * outward);
        positions.extend((0..sides).map(|side| {
            let around = TAU * side as f64 / sides as f64;
            (ring_radius + tube_radius * around.cos()) * outward + tube_radius * around.sin() * Vec3::z()
        }));
        let (here, next) = (section * count, (section + 1) % sections * count);
        tets.extend((0..sides).flat_map(|i| prism::split([0, 1 + i, 1 + (i + 1) % sides], here, next)));
    }
    let (core, surface) = (0..positions.len() as u32).partition(|&v| (v as usize).is_multiple_of(count));
    finish(positions, tets, [("core", core), ("surface", surface), ("nail", vec![0])])
}

fn check(ring_radius: f64, tube_radius: f64, sections: usize, sides: usize) -> Result<(), MeshError> {
    need_length("ring radius", ring_radius)?;
    need_length("tube radius", tube_radius)?;
    if tube_radius >= ring_radius {
        return Err(MeshError::BadShape(format!(
            "tube radius {tube_radius} m fills the hole of a ring of radius {ring_radius} m: \
             give a tube thinner than the ring radius"
        )));
    }
    need_count("number of sections", sections, 3)?;
    need_count("number of sides", sides, 3)?;
    need_room(3, &[sections, sides]).map(|_| ())
}
