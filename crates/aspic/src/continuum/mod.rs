//! P and W of a continuum, in one sweep.
//!
//! Elastic and viscous stress of a tetrahedron share its corners, F and the scatter of the forces; doing both at
//! once halves the memory traffic of the hottest loop. [`Blocks`] moves the data, a law of
//! [`crate::potential::material`] gives ψ, [`crate::dissipation`] gives ω, and [`Solid`] joins them. A [`Plastic`] law
//! remembers what its tetrahedra have become: `memory` is that of the state, of which every body knows its part.

mod blocks;
#[cfg(test)]
mod element;
mod large_pages;
mod matter;
mod pack;
mod places;
mod plastic;
mod solid;
mod stiffness;
mod sums;
mod sweep;
mod twins;

pub use blocks::{Answer, Blocks, Kernel, Scratch};
pub use matter::{Held, Matter};
pub use places::Places;
pub use plastic::Plastic;
pub use solid::Solid;
pub use stiffness::{TangentScratch, TangentWeights};

use crate::{Mat3, Vec3};

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
        memory: &[f64],
        out: &mut [Vec3],
        scratch: &mut Scratch,
    ) -> Result<f64, Inverted>;

    /// Adds −∂P/∂q alone \[N\] to `out`.
    fn add_elastic_force(
        &self,
        q: &[Vec3],
        memory: &[f64],
        out: &mut [Vec3],
        scratch: &mut Scratch,
    ) -> Result<(), Inverted>;

    /// Adds −½ ∂W/∂v alone \[N\] to `out`, with F as it is at `q_frozen`; returns W(q_frozen, v) \[W\].
    fn add_viscous_force(
        &self,
        q_frozen: &[Vec3],
        v: &[Vec3],
        out: &mut [Vec3],
        scratch: &mut Scratch,
    ) -> Result<f64, Inverted>;

    /// P(q); infinite where a law does not bear that a tetrahedron is inside out.
    fn energy(&self, q: &[Vec3], memory: &[f64]) -> Elastic;

    /// ½ W(q_frozen, v) \[W\], the potential in v of minus [`Continuum::add_viscous_force`].
    fn dissipation(&self, q_frozen: &[Vec3], v: &[Vec3]) -> f64;

    /// Smallest t in \[0, 1\] at which some tetrahedron at q + t dq has no volume left, a little early rather than late;
    /// infinite if there is none.
    fn first_flat(&self, q: &[Vec3], dq: &[Vec3]) -> f64;

    /// The nodes of every tetrahedron, in the world's numbers: each couples all its nodes in the tangent.
    fn tetrahedra(&self) -> Vec<[u32; 4]>;

    /// Where [`Continuum::add_tangent`] finds its blocks in a matrix, which tells the place of the 3×3 block of a row and
    /// a column node. Blocks that it does not have are left out.
    fn stiffness_places(&self, place: &dyn Fn(u32, u32) -> Option<usize>) -> Places;

    /// Adds stiffness · ∂²P/∂q² at q, positive semidefinite element by element if `project`, and damping · ½ ∂²W/∂v² with
    /// F as it is at `q_frozen`, which always is, to both halves of a symmetric matrix of 3×3 blocks \[N/m\].
    fn add_tangent(
        &self,
        q: &[Vec3],
        memory: &[f64],
        q_frozen: &[Vec3],
        weights: TangentWeights,
        project: bool,
        places: &Places,
        matrix: &mut [Mat3],
        scratch: &mut TangentScratch,
    );

    /// Energy density \[J/m³\] and Cauchy stress xx yy zz xy yz xz \[Pa\] of each tetrahedron, in mesh order.
    fn sample(&self, q: &[Vec3], memory: &[f64], density: &mut [f64], stress: &mut [[f64; 6]]);

    /// Memory for [`Continuum::add_force`].
    fn scratch(&self) -> Scratch;

    /// Adds what it will remember, as it is at the start, to a memory in the making, and finds it there from then on.
    fn remember(&mut self, memory: &mut Vec<f64>);

    /// Whether it remembers anything.
    fn remembers(&self) -> bool;

    /// Lets the shape yield that has been q for a time h \[s\]; whether anything has.
    fn flow(&self, q: &[Vec3], h: f64, memory: &mut [f64]) -> bool;
}
