//! Boundary-element bodies: nodes on the surface only, and one dense spring between all of them.

use faer::linalg::solvers::Solve;
use faer::{Mat, Side};

use super::builder::Outline;
use super::{BodyId, BuildError, Material, WorldBuilder};
use crate::boundary::solid::mass::SurfaceMass;
use crate::boundary::solid::stiffness::Stiffness;
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
        let mass = SurfaceMass::new(&closed, material.density).map_err(|error| failed(error.into()))?;
        let stiffness = Stiffness::new(&closed, &medium).map_err(|error| failed(error.into()))?;
        self.room_for_points(count)?;
        let nodes = self.add_nodes(&surface.positions);
        let first = nodes.start as u32;
        let entries = (0..count).flat_map(|i| (0..count).map(move |j| (i, j)));
        self.masses.extend(entries.map(|(i, j)| (first + i as u32, first + j as u32, mass.matrix[(i, j)])));
        let length = closed.size();
        let stable_step = MARGIN * STABLE / highest_frequency(&mass.matrix, &stiffness.matrix);
        let scale = Scale { length, time: length / material.wave_speed(), stable_step };
        let relaxation = material.viscosity.shear / material.moduli.shear;
        let spring =
            SurfaceSpring::new(nodes.start, &surface.positions, shares(&closed), stiffness, relaxation);
        self.add_continuum(Box::new(spring), BodyKind::Boundary, scale);
        self.embedding.push_plain(nodes.clone());
        let outline = Outline { triangles: &surface.triangles, ..Outline::default() };
        Ok(self.enlist(name, BodyKind::Boundary, nodes, &outline))
    }
}

/// A third of the area of the triangles around each vertex  \[m²\]
fn shares(surface: &Surface) -> Vec<f64> {
    let mut shares = vec![0.0; surface.vertices().len()];
    for (k, triangle) in surface.triangles().iter().enumerate() {
        let [a, b, c] = surface.corners(k);
        let third = (b - a).cross(&(c - a)).norm() / 6.0;
        triangle.iter().for_each(|&vertex| shares[vertex as usize] += third);
    }
    shares
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
