//! What tetrahedra are made of: an elastic law, or one that remembers.

use crate::lanes::{LANES, Lanes, Mat3x8};
use crate::potential::material::{Law, stiffness::pair_blocks};
use crate::symmetric::Sym3x8;

/// Where a pack finds what its tetrahedra have become.
#[derive(Clone, Copy, Debug)]
pub struct Held<'a> {
    /// The part of the state's memory that belongs to the body.
    pub memory: &'a [f64],
    /// The number of the pack.
    pub pack: usize,
}

impl<'a> Held<'a> {
    /// The numbers of the pack, so many for each tetrahedron: all first ones, all second ones, …
    #[inline(always)]
    pub fn numbers(&self, each: usize) -> &'a [f64] {
        let length = LANES * each;
        &self.memory[self.pack * length..(self.pack + 1) * length]
    }
}

/// Strain energy per rest volume of eight tetrahedra, as a [`Law`], of F and what they have become.
pub trait Matter: Send + Sync + Copy {
    /// Whether it is defined for J ≤ 0.
    const INVERTS: bool;

    /// What one tetrahedron remembers, as it is at the start.
    const FRESH: &'static [f64];

    /// (bulk part, shear part) of ψ \[J/m³\], as [`Law::energy`].
    fn energy_at(&self, f: &Mat3x8, held: Held) -> (Lanes, Lanes);

    /// ∂ψ/∂F \[Pa\] and J, as [`Law::piola`].
    fn piola_at(&self, f: &Mat3x8, held: Held) -> (Mat3x8, Lanes);

    /// weight · ∂ψ/∂F + F S and J, as [`Law::piola_plus`].
    fn piola_plus_at(&self, f: &Mat3x8, weight: Lanes, other: &Sym3x8, held: Held) -> (Mat3x8, Lanes);

    /// weight · ∂²ψ/∂F² between nodes, as [`pair_blocks`] \[N/m\].
    fn pair_blocks_at(
        &self,
        f: &Mat3x8,
        gradients: &[[Lanes; 3]; 3],
        weight: Lanes,
        project: bool,
        held: Held,
    ) -> [Mat3x8; 6];

    /// Changes the numbers of a pack that has been at F for a time h \[s\]; whether it did.
    fn flow(&self, _f: &Mat3x8, _h: f64, _numbers: &mut [f64]) -> bool {
        false
    }
}

/// A law remembers nothing.
impl<L: Law> Matter for L {
    const INVERTS: bool = L::INVERTIBLE;
    const FRESH: &'static [f64] = &[];

    #[inline(always)]
    fn energy_at(&self, f: &Mat3x8, _: Held) -> (Lanes, Lanes) {
        self.energy(f)
    }

    #[inline(always)]
    fn piola_at(&self, f: &Mat3x8, _: Held) -> (Mat3x8, Lanes) {
        self.piola(f)
    }

    #[inline(always)]
    fn piola_plus_at(&self, f: &Mat3x8, weight: Lanes, other: &Sym3x8, _: Held) -> (Mat3x8, Lanes) {
        self.piola_plus(f, weight, other)
    }

    #[inline(always)]
    fn pair_blocks_at(
        &self,
        f: &Mat3x8,
        gradients: &[[Lanes; 3]; 3],
        weight: Lanes,
        project: bool,
        _: Held,
    ) -> [Mat3x8; 6] {
        pair_blocks(self, f, gradients, weight, project)
    }
}
