//! Skins: fine surfaces that coarse bodies carry.
//!
//! A point of a skin follows the nearest tetrahedron by its coordinates there, a₁ … a₄ with Σ a = 1 (Teschner, coupling
//! of surface and tetrahedra): inside all are positive; a point outside continues the motion of the tetrahedron. An
//! affine map of the body maps its skin likewise. Forces on the skin act on the corners in proportion to a.

use super::{BodyId, BuildError, WorldBuilder};
use crate::Vec3;
use crate::frame::Skin;
use crate::mesh::{Nearest, SurfaceError, TriangleSurface, rounded};

/// Farthest from the body that a skin may be, over the size of the body.
const FARTHEST: f64 = 0.5;

/// Why a body cannot carry a skin.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SkinError {
    /// A surface that is wrong by itself.
    #[error("{0}")]
    Surface(SurfaceError),
    /// A point that is too far off to follow the body.
    #[error(
        "point {point} at ({}, {}, {}) m is {} m away from the body, which has a size of {} m: scale or shift the skin to fit it",
        rounded(position[0]), rounded(position[1]), rounded(position[2]), rounded(*distance), rounded(*size)
    )]
    Far {
        /// The point of the skin, from 0.
        point: usize,
        /// Where it is  \[m\]
        position: [f64; 3],
        /// From the nearest tetrahedron  \[m\]
        distance: f64,
        /// The diagonal of the body's box  \[m\]
        size: f64,
    },
    /// Nothing can carry it.
    #[error("only bodies of tetrahedra carry a skin: solids, affine bodies and blocks")]
    NoTetrahedra,
    /// Points of a body are neighbours.
    #[error("a skin must be added right after its body, and only one")]
    Late,
}

impl WorldBuilder {
    /// Puts a skin on the body that was added last. The surface lies around the body as it is now. It is shown instead
    /// of the body's boundary, and with `touches` it is what touches, too. Self-contact needs a closed surface that
    /// does not cross itself.
    pub fn skin(&mut self, body: BodyId, surface: &TriangleSurface, touches: bool) -> Result<(), BuildError> {
        let failed =
            |error: SkinError| BuildError::Skin { body: self.topology.bodies[body].name.clone(), error };
        surface.check().map_err(|error| failed(SkinError::Surface(error)))?;
        let range = &self.topology.bodies[body];
        if body + 1 < self.topology.bodies.len() || range.skin.is_some() {
            return Err(failed(SkinError::Late));
        }
        let tets = &self.topology.tets[range.tets.clone()];
        if tets.is_empty() {
            return Err(failed(SkinError::NoTetrahedra));
        }
        let mut points = vec![Vec3::zeros(); self.embedding.len()];
        self.embedding.positions(&self.positions, &mut points);
        let followed = follow(&Nearest::new(&points, tets), surface, &points[range.points.clone()]);
        let (carriers, weights) = followed.map_err(failed)?;
        self.room_for_points(surface.positions.len())?;
        let first_tet = range.tets.start as u32;
        let corners: Vec<[u32; 4]> = carriers.iter().map(|&tet| tets[tet as usize]).collect();
        for (corners, weights) in corners.iter().zip(&weights) {
            self.embedding.push_carried(&[0, 1, 2, 3].map(|k| (corners[k] as usize, weights[k])));
        }
        let carriers = carriers.iter().map(|tet| tet + first_tet).collect();
        self.show_instead(body, &surface.triangles, Skin { carriers, weights, cage: vec![], touches });
        Ok(())
    }

    /// The triangles of the skin take the place of those of the body, which become the cage.
    fn show_instead(&mut self, body: BodyId, triangles: &[[u32; 3]], mut skin: Skin) {
        let (topology, range) = (&mut self.topology.triangles, &mut self.topology.bodies[body]);
        skin.cage = topology.split_off(range.triangles.start);
        let first = range.points.end as u32;
        topology.extend(triangles.iter().map(|triangle| triangle.map(|v| v + first)));
        range.triangles.end = topology.len();
        range.points.end = self.embedding.len();
        range.skin = Some(skin);
    }
}

/// The nearest tetrahedron of each point, and its coordinates there.
fn follow(
    search: &Nearest,
    surface: &TriangleSurface,
    body: &[Vec3],
) -> Result<(Vec<u32>, Vec<[f64; 4]>), SkinError> {
    let start = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
    let (low, high) = body.iter().fold(start, |(low, high), x| (low.inf(x), high.sup(x)));
    let size = (high - low).norm();
    let (mut carriers, mut weights) = (vec![], vec![]);
    let mut worst: Option<(usize, f64)> = None;
    for (point, x) in surface.positions.iter().enumerate() {
        let (tet, distance) = search.find(x).ok_or(SkinError::NoTetrahedra)?;
        if worst.is_none_or(|(_, most)| distance > most) {
            worst = Some((point, distance));
        }
        carriers.push(tet as u32);
        weights.push(search.weights(tet, x));
    }
    match worst {
        Some((point, distance)) if distance > FARTHEST * size => {
            Err(SkinError::Far { point, position: surface.positions[point].into(), distance, size })
        }
        _ => Ok((carriers, weights)),
    }
}
