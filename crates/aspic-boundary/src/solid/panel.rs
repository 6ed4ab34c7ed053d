//! A flat triangle with all that does not depend on where it is seen from.

use crate::solid::{Surface, Vec3};

/// A triangle. Edge k leads from corner k to corner k + 1.
#[derive(Clone, Debug)]
pub struct Panel {
    /// Corners  \[m\]
    pub corners: [Vec3; 3],
    /// Unit normal, out of the material.
    pub normal: Vec3,
    /// Area  \[m²\]
    pub area: f64,
    /// Unit vectors along the edges.
    pub tangents: [Vec3; 3],
    /// Unit vectors in the plane, across the edges, away from the triangle.
    pub outward: [Vec3; 3],
    /// Lengths of the edges  \[m\]
    pub lengths: [f64; 3],
    /// Gradients of the functions N_k that are 1 at corner k and 0 at the others  \[1/m\]
    pub slopes: [Vec3; 3],
    /// Mean of the corners  \[m\]
    pub centre: Vec3,
    /// Greatest distance of a corner from the centre  \[m\]
    pub reach: f64,
}

impl Panel {
    /// A triangle with corners that are counter-clockwise as seen against the normal.
    pub fn new(corners: [Vec3; 3]) -> Panel {
        let edges = [0, 1, 2].map(|k: usize| corners[(k + 1) % 3] - corners[k]);
        let across = edges[0].cross(&edges[1]);
        let area = 0.5 * across.norm();
        let normal = across / (2.0 * area);
        let lengths = edges.map(|e| e.norm());
        let tangents = [0, 1, 2].map(|k: usize| edges[k] / lengths[k]);
        let outward = tangents.map(|t| t.cross(&normal));
        let slopes = [1, 2, 0].map(|e: usize| outward[e] * (-lengths[e] / (2.0 * area)));
        let centre = corners.iter().sum::<Vec3>() / 3.0;
        let reach = corners.iter().map(|x| (x - centre).norm()).fold(0.0, f64::max);
        Panel { corners, normal, area, tangents, outward, lengths, slopes, centre, reach }
    }

    /// All triangles of a surface.
    pub fn all(surface: &Surface) -> Vec<Panel> {
        (0..surface.triangles().len()).map(|k| Panel::new(surface.corners(k))).collect()
    }

    /// Σ N_k x_k  \[m\]
    pub fn point(&self, weights: &[f64; 3]) -> Vec3 {
        self.corners[0] * weights[0] + self.corners[1] * weights[1] + self.corners[2] * weights[2]
    }
}
