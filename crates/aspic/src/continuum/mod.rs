//! P and W of a continuum, in one sweep.
//!
//! Elastic and viscous stress of a tetrahedron share its corners, F and the scatter of the forces; doing both at
//! once halves the memory traffic of the hottest loop. [`Blocks`] moves the data, a law of
//! [`crate::potential::material`] gives ψ, [`crate::dissipation`] gives ω, and [`Solid`] joins them.

mod blocks;
mod element;
mod pack;
mod rows;
mod solid;

pub use blocks::{Answer, Blocks, Kernel, Scratch};
pub use element::Element;
pub use solid::Solid;

use crate::Vec3;
use crate::solve::Tangent;
use crate::state::State;

/// Elastic energy by what it resists \[J\].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Elastic {
    /// Change of volume.
    pub bulk: f64,
    /// Change of shape.
    pub shear: f64,
}

/// A tetrahedron that turned inside out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inverted {
    /// Its number in its body's mesh.
    pub tet: usize,
}

/// A body with strain energy P(q) and viscous loss W(q, v).
pub trait Continuum: Send + Sync {
    /// Adds −∂P/∂q − ½ ∂W/∂v \[N\] to `out`; returns the dissipated power W \[W\].
    fn add_force(
        &self,
        q: &[Vec3],
        v: &[Vec3],
        out: &mut [Vec3],
        scratch: &mut Scratch,
    ) -> Result<f64, Inverted>;

    /// P(q).
    fn energy(&self, q: &[Vec3]) -> Elastic;

    /// Adds scale · ∂²P/∂q² \[N/m\]; projected to be positive semidefinite on request.
    fn add_stiffness(&self, q: &[Vec3], scale: f64, project: bool, out: &mut Tangent);

    /// Adds scale · ½ ∂²W/∂v² \[N s/m\], and scale_q · ∂(½ ∂W/∂v)/∂q \[N/m\], which is not symmetric.
    fn add_damping(&self, state: &State, scale: f64, scale_q: f64, out: &mut Tangent);

    /// Energy density \[J/m³\] and Cauchy stress xx yy zz xy yz xz \[Pa\] of each tetrahedron, in mesh order.
    fn sample(&self, q: &[Vec3], density: &mut [f64], stress: &mut [[f64; 6]]);

    /// Memory for [`Continuum::add_force`].
    fn scratch(&self) -> Scratch;
}
