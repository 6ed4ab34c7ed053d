//! Boundary-element bodies: nodes on the surface, a few inside that nobody sees, and one dense spring between all of them.

use faer::linalg::solvers::Solve;
use faer::{Mat, Side};

use super::builder::Outline;
use super::{BodyId, BuildError, Material, WorldBuilder};
use crate::boundary::solid::whole::Whole;
use crate::boundary::solid::{Medium, Surface};
use crate::boundary::{BoundaryError, SurfaceSpring};
use crate::frame::BodyKind;
use crate::mesh::TriangleSurface;
use crate::world::Scale;

/// More vertices than this make matrices of gigabytes.
const MOST_VERTICES: usize = 1500;
/// Product of the longest explicit step and the highest frequency.
const STABLE: f64 = 2.8;
/// Steps of the power method that finds the highest frequency; it errs by less than the margin.
const POWERS: usize = 40;
const MARGIN: f64 = 0.9;

impl WorldBuilder {
    /// Adds a body at rest that is known from its closed surface, of Young's modulus and Poisson's ratio of the material.
    /// It bears large rotations and small strains; its internal friction is the shear viscosity over the shear modulus.
    pub fn boundary(
        &mut self,
        name: &str,
        surface: &TriangleSurface,
        material: &Material,
    ) -> Result<BodyId, BuildError> {
        let failed = |error: BoundaryError| BuildError::Boundary { body: name.into(), error };
        let count = surface.positions.len();
        if count > MOST_VERTICES {
            return Err(failed(BoundaryError::TooLarge { vertices: count, limit: MOST_VERTICES }));
        }
        let medium =
            Medium::new(material.young(), material.poisson()).map_err(|error| failed(error.into()))?;
        let closed = Surface::new(surface.positions.clone(), surface.triangles.clone());
        let closed = closed.map_err(|error| failed(error.into()))?;
        let whole = Whole::new(&closed, &medium, material.density).map_err(|error| failed(error.into()))?;
        self.room_for_points(whole.nodes.len())?;
        let nodes = self.add_nodes(&whole.nodes);
        let first = nodes.start as u32;
        let entries = (0..nodes.len()).flat_map(|i| (0..nodes.len()).map(move |j| (i, j)));
        self.masses.extend(entries.map(|(i, j)| (first + i as u32, first + j as u32, whole.mass[(i, j)])));
        let length = closed.size();
        let stable_step = MARGIN * STABLE / highest_frequency(&whole.mass, &whole.stiffness);
        let scale = Scale { length, time: length / material.wave_speed(), stable_step };
        let relaxation = material.viscosity.shear / material.moduli.shear;
        let Whole { nodes: places, shares, stiffness, .. } = whole;
        let spring = SurfaceSpring::new(nodes.start, &places, shares, stiffness, relaxation);
        self.add_continuum(Box::new(spring), BodyKind::Boundary, scale);
        self.embedding.push_plain(nodes.start..nodes.start + count);
        let outline = Outline { triangles: &surface.triangles, ..Outline::default() };
        Ok(self.enlist(name, BodyKind::Boundary, nodes, &outline))
    }
}

/// √ of the largest eigenvalue of M⁻¹ K, by the power method from a rough start  \[rad/s\]
fn highest_frequency(mass: &Mat<f64>, stiffness: &Mat<f64>) -> f64 {
    let n = mass.nrows();
    let Ok(factor) = mass.llt(Side::Lower) else { return f64::INFINITY };
    let mut v = Mat::from_fn(3 * n, 1, |i, _| ((7 * i + 3) % 11) as f64 - 5.0);
    let mut square = 0.0;
    for _ in 0..POWERS {
        let f = stiffness * &v;
        let apart = factor.solve(Mat::from_fn(n, 3, |i, a| f[(3 * i + a, 0)]));
        let next = Mat::from_fn(3 * n, 1, |i, _| apart[(i / 3, i % 3)]);
        square = next.norm_l2() / v.norm_l2();
        v = next * faer::Scale(1.0 / square);
    }
    square.sqrt()
}
