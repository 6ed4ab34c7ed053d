//! A body on its surface nodes and a few nodes for its inside: stiffness and mass together.
//!
//! A node of the inside has a place W q that follows the surface, and its way from there is a mix of bubbles (`inside`),
//! c = B (q_in − W q). So all nodes are places in space, they turn and move with the body, and the mass matrix is one number
//! for each pair of them. Held or pushed at the surface alone, the body is as stiff as without them.

use faer::linalg::solvers::Solve;
use faer::{Mat, Side};

use crate::solid::inside::Inside;
use crate::solid::layers::Layers;
use crate::solid::mass::{MassError, SurfaceMass};
use crate::solid::panel::Panel;
use crate::solid::stiffness::{Stiffness, StiffnessError, linear_fields};
use crate::solid::weights::{symmetric, vertex_shares};
use crate::solid::{Mat3, Medium, Surface, Vec3};

/// Numbers of bubbles that go together, the most first.
const BUBBLES: [usize; 3] = [10, 4, 1];

/// The part of the mass that the nodes inside have.
const SHARE: f64 = 0.1;
/// How far from the middle the nodes inside rest, in radii of gyration.
const APART: f64 = 0.3;

/// Stiffness and mass of a body.
#[derive(Clone, Debug)]
pub struct Whole {
    /// K  \[N/m\]  (3 (n + b) × 3 (n + b))
    pub stiffness: Mat<f64>,
    /// M, the same for each axis  \[kg\]  (n + b × n + b)
    pub mass: Mat<f64>,
    /// The share of the surface of each node; zero inside  (n + b)
    pub shares: Vec<f64>,
    /// Where the nodes are at rest: the vertices, then the inside  \[m\]  (n + b)
    pub nodes: Vec<Vec3>,
}

/// Why there is none.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum WholeError {
    /// There is no stiffness.
    #[error(transparent)]
    Stiffness(#[from] StiffnessError),
    /// There is no mass.
    #[error(transparent)]
    Mass(#[from] MassError),
}

impl Whole {
    /// Of a body of uniform density ρ \[kg/m³\].
    pub fn new(surface: &Surface, medium: &Medium, density: f64) -> Result<Whole, WholeError> {
        let mass = SurfaceMass::new(surface, density)?;
        let panels = Panel::all(surface);
        let layers = Layers::new(surface, &panels, medium);
        let volume = &mass.matrix * faer::Scale(1.0 / density);
        let inside = Inside::new(surface, medium, &layers, &volume);
        let spring = Stiffness::from_layers(surface, &panels, medium, || layers)?;
        let shares = vertex_shares(surface, &panels);
        let bare =
            Whole { stiffness: spring.matrix, mass: mass.matrix, nodes: surface.vertices().to_vec(), shares };
        let full = inside.and_then(|inside| {
            let counts = BUBBLES.into_iter().filter(|&count| inside.held(count, surface.volume()));
            counts.filter_map(|count| bare.with(&inside.first(count), surface, &panels, density)).next()
        });
        Ok(full.unwrap_or(bare))
    }

    /// With the bubbles, if they make positive matrices.
    ///
    /// c = B q_in − B W q, so that K becomes S + Fᵀ A F with F = G − B W on the surface.
    fn with(&self, inside: &Inside, surface: &Surface, panels: &[Panel], density: f64) -> Option<Whole> {
        let b = inside.own_mass.nrows();
        let places = Places::new(self, inside, surface, density);
        let own = symmetric(&inside.own);
        // Π = H (Hᵀ M H)⁻¹ Hᵀ M: what of a motion is a harmonic polynomial H. Of rougher motions bubbles take no notice.
        let heavy = &self.mass * &inside.smooth;
        let found = (inside.smooth.transpose() * &heavy).llt(Side::Lower).ok()?.solve(heavy.transpose());
        let smooth = &inside.smooth * &found;
        let mut follow = own.llt(Side::Lower).ok()?.solve(&inside.mixed) * axes(&smooth);
        // Linear motions are harmonic and in equilibrium: nothing bulges, whatever the quadrature.
        let [fields, finders] = linear_fields(surface, panels);
        follow -= (&follow * fields) * finders.transpose();
        let carried = &places.amplitudes * &places.weights;
        let (follow, out) = (follow - axes(&carried), axes(&places.amplitudes));
        let pushed = &own * &follow;
        let stiffness = joined(
            &(&self.stiffness + follow.transpose() * &pushed),
            &(out.transpose() * &pushed),
            &(out.transpose() * &own * &out),
        );
        let cross = smooth.transpose() * &inside.mixed_mass * faer::Scale(density);
        let heart = symmetric(&inside.own_mass) * faer::Scale(density);
        let shifted = &cross * &carried;
        let mass = joined(
            &(&self.mass - &shifted - shifted.transpose() + carried.transpose() * &heart * &carried),
            &(places.amplitudes.transpose() * (cross.transpose() - &heart * &carried)),
            &(places.amplitudes.transpose() * &heart * &places.amplitudes),
        );
        let (stiffness, mass) = (symmetric(&stiffness), symmetric(&mass));
        mass.llt(Side::Lower).ok()?;
        let nodes = self.nodes.iter().copied().chain(places.rest).collect();
        let shares = self.shares.iter().copied().chain((0..b).map(|_| 0.0)).collect();
        Some(Whole { stiffness, mass, shares, nodes })
    }
}

/// Where the nodes inside are, and what they mean: c = B (q_in − W q).
struct Places {
    /// W, by which a node that is at rest follows the surface  (b × n)
    weights: Mat<f64>,
    /// B  (b × b)
    amplitudes: Mat<f64>,
    /// W X  \[m\]  (b)
    rest: Vec<Vec3>,
}

impl Places {
    /// W are the masses of the surface nodes, tilted so that the nodes inside rest apart from each other about the centre
    /// of mass. B is a reflection, which gives all of them the same mass, times what makes that [`SHARE`] of the body.
    fn new(whole: &Whole, inside: &Inside, surface: &Surface, density: f64) -> Places {
        let (n, b) = (whole.nodes.len(), inside.own_mass.nrows());
        let masses: Vec<f64> = (0..n).map(|i| (0..n).map(|k| whole.mass[(i, k)]).sum()).collect();
        let total: f64 = masses.iter().sum();
        let (x, middle) = (&whole.nodes, surface.centroid());
        let spread = (0..n).fold(Mat3::zeros(), |sum, i| {
            sum + (x[i] - middle) * (x[i] - middle).transpose() * (masses[i] / total)
        });
        let tilt = spread.try_inverse().unwrap_or_default() * (APART * spread.trace().sqrt());
        let tilts: Vec<Vec3> = directions(b).into_iter().map(|direction| tilt * direction).collect();
        let weights = Mat::from_fn(b, n, |j, i| masses[i] / total * (1.0 + tilts[j].dot(&(x[i] - middle))));
        let heavy: Vec<f64> =
            (0..b).map(|j| density * (0..n).map(|i| inside.mixed_mass[(i, j)]).sum::<f64>()).collect();
        let size = heavy.iter().map(|m| m * m).sum::<f64>().sqrt();
        let even = 1.0 / (b as f64).sqrt();
        let v: Vec<f64> = heavy.iter().map(|m| m / size - even).collect();
        let square: f64 = v.iter().map(|v| v * v).sum();
        // Where the masses are even already there is nothing to reflect, and v is rounding.
        let fold = if square > 1e-20 { 2.0 / square } else { 0.0 };
        let scale = SHARE * total * even / size;
        let amplitudes =
            Mat::from_fn(b, b, |i, j| scale * (if i == j { 1.0 } else { 0.0 } - fold * v[i] * v[j]));
        let rest = (0..b).map(|j| (0..n).map(|i| x[i] * weights[(j, i)]).sum()).collect();
        Places { weights, amplitudes, rest }
    }
}

/// Unit vectors spread over a sphere by the golden angle, less their mean.
fn directions(count: usize) -> Vec<Vec3> {
    let golden = std::f64::consts::PI * (3.0 - 5f64.sqrt());
    let direction = |k: usize| {
        let z = 1.0 - (2 * k + 1) as f64 / count as f64;
        let (angle, across) = (golden * k as f64, (1.0 - z * z).sqrt());
        Vec3::new(across * angle.cos(), across * angle.sin(), z)
    };
    let mean = (0..count).map(direction).sum::<Vec3>() / count as f64;
    (0..count).map(|k| direction(k) - mean).collect()
}

/// The same for each axis.
fn axes(m: &Mat<f64>) -> Mat<f64> {
    Mat::from_fn(3 * m.nrows(), 3 * m.ncols(), |i, j| if i % 3 == j % 3 { m[(i / 3, j / 3)] } else { 0.0 })
}

/// [a, mᵀ; m, o]
fn joined(a: &Mat<f64>, m: &Mat<f64>, o: &Mat<f64>) -> Mat<f64> {
    let (n, b) = (a.nrows(), o.nrows());
    Mat::from_fn(n + b, n + b, |i, k| match (i < n, k < n) {
        (true, true) => a[(i, k)],
        (false, true) => m[(i - n, k)],
        (true, false) => m[(k - n, i)],
        (false, false) => o[(i - n, k - n)],
    })
}

#[cfg(test)]
#[path = "whole_tests.rs"]
mod tests;
