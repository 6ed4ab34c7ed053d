//! Shapes made from a few numbers: block, beam, ball, cylinder, torus.
//!
//! Every shape has positive tetrahedra, a closed surface, named groups of vertices, and the same
//! numbering on every run; surfaces for obstacles likewise. Impossible or absurd numbers are refused before any memory is taken.

mod ball;
mod block;
mod cylinder;
mod line;
mod prism;
mod surface;
#[cfg(test)]
mod tests;
mod torus;

use super::{MAX_TETS, MeshError, TetMesh};
use crate::Vec3;

pub use ball::ball;
pub use block::{beam, block};
pub use cylinder::cylinder;
pub use line::{along_path, sheet};
pub use surface::{box_surface, capsule_surface, plate_surface, sphere_surface};
pub use torus::torus;

/// Lengths \[m\] whose cubes stay far from the ends of f64.
const LENGTHS: std::ops::RangeInclusive<f64> = 1e-50..=1e50;

/// Refuses a length \[m\] that no shape can have.
fn need_length(what: &str, metres: f64) -> Result<(), MeshError> {
    if LENGTHS.contains(&metres) {
        return Ok(());
    }
    let cure = if metres > 0.0 && metres.is_finite() {
        "that is beyond what can be computed, give a length in metres"
    } else {
        "give a positive, finite length in metres"
    };
    Err(MeshError::BadShape(format!("{what} is {metres}: {cure}")))
}

/// Refuses a count below the fewest that make a shape.
fn need_count(what: &str, count: usize, fewest: usize) -> Result<(), MeshError> {
    if count >= fewest {
        return Ok(());
    }
    Err(MeshError::BadShape(format!("{what} is {count}: give {fewest} or more")))
}

/// `per` · Π `factors` tetrahedra, refused above [`MAX_TETS`]. Saturates, so no product overflows.
fn need_room(per: u128, factors: &[usize]) -> Result<usize, MeshError> {
    let tets = factors.iter().fold(per, |product, &n| product.saturating_mul(n as u128));
    if tets > MAX_TETS as u128 {
        return Err(MeshError::TooLarge { tets, limit: MAX_TETS });
    }
    Ok(tets as usize)
}

/// Names the groups, turns every tetrahedron the positive way round and checks the whole.
fn finish<const N: usize>(
    positions: Vec<Vec3>,
    tets: Vec<[u32; 4]>,
    groups: [(&str, Vec<u32>); N],
) -> Result<TetMesh, MeshError> {
    let groups = groups.into_iter().map(|(name, vertices)| (name.to_string(), vertices)).collect();
    let mut mesh = TetMesh { positions, tets, groups, shares: vec![] };
    mesh.orient();
    mesh.check()?;
    Ok(mesh)
}
