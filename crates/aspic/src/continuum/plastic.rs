//! Plasticity: a rest shape that flows after the shape, and keeps its volume.
//!
//! F = Fₑ Fₚ with det Fₚ = 1, and only Fₑ is felt: ψ(Fₑ) of any isotropic law. The tetrahedron then acts like one whose
//! rest shape is that of Fₚ, with gradients Fₚ⁻ᵀ g and the same volume:
//!
//! Fₑ = F Fₚ⁻¹,   P = ∂ψ/∂Fₑ Fₚ⁻ᵀ
//!
//! With the principal stretches sᵢ of Fₑ, εᵢ = ln sᵢ and e the deviator of ε: where |e| exceeds the yield, it decays
//! towards it along e/|e|, in the principal frame of Fₑ,
//!
//! Δ = (1 − e^(−c h)) (|e| − yield),   Fₑ ← U diag(exp(εᵢ − Δ eᵢ/|e|)) Vᵀ,   Fₚ⁻¹ ← F⁻¹ Fₑ
//!
//! which does not depend on how the time is cut into steps while F stands still. Volume is elastic throughout. The
//! plastic strain ln Uₚ is kept within |ln Uₚ| ≤ max by the nearest that is.
//!
//! An isotropic law does not notice a rotation of Fₚ, so that Fₚ⁻¹ is kept symmetric: six numbers for a tetrahedron, in
//! the turned frame of its pack.

use super::matter::{Held, Matter};
use crate::lanes::{LANES, Lanes, Mat3x8, splat};
use crate::potential::material::pack_svd::PackSvd;
use crate::potential::material::{Law, stiffness::pair_blocks};
use crate::symmetric::Sym3x8;
use crate::yielding::Yield;

/// Strains beyond the yield by less than this are rounding: the stretches of packs are exact to 10⁻¹².
const ROUNDING: f64 = 1e-11;

/// A law whose rest shape flows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plastic<L> {
    /// ψ(Fₑ).
    pub law: L,
    /// When, how fast and how far it flows; strains are norms of deviators of logarithmic strains.
    pub flow: Yield,
}

/// Numbers of a tetrahedron: Fₚ⁻¹ by the order of [`Sym3x8`], its diagonal and the entries off it.
const NUMBERS: usize = 6;

/// Fₚ⁻¹ of a pack.
#[inline(always)]
fn load(numbers: &[f64]) -> Sym3x8 {
    let lanes = |k: usize| {
        let mut lanes = [0.0; LANES];
        lanes.copy_from_slice(&numbers[LANES * k..LANES * (k + 1)]);
        Lanes::new(lanes)
    };
    Sym3x8 { diagonal: [lanes(0), lanes(1), lanes(2)], off: [lanes(3), lanes(4), lanes(5)] }
}

fn store(inverse: &Sym3x8, numbers: &mut [f64]) {
    let entries = inverse.diagonal.iter().chain(&inverse.off);
    for (lanes, entry) in numbers.chunks_mut(LANES).zip(entries) {
        lanes.copy_from_slice(&entry.to_array());
    }
}

/// The deviator of three logarithmic strains, and its norm.
#[inline(always)]
fn deviator(logs: [Lanes; 3]) -> ([Lanes; 3], Lanes) {
    let mean = (logs[0] + logs[1] + logs[2]) * splat(1.0 / 3.0);
    let e = logs.map(|log| log - mean);
    (e, e[0].mul_add(e[0], e[1].mul_add(e[1], e[2] * e[2])).sqrt())
}

/// V diag(d) Vᵀ.
#[inline(always)]
fn in_frame(frame: &Mat3x8, d: &[Lanes; 3]) -> Sym3x8 {
    let v = &frame.0;
    let entry = |i: usize, j: usize| {
        let term = |k: usize| v[i][k] * v[j][k];
        term(0).mul_add(d[0], term(1).mul_add(d[1], term(2) * d[2]))
    };
    Sym3x8 { diagonal: [entry(0, 0), entry(1, 1), entry(2, 2)], off: [entry(1, 2), entry(2, 0), entry(0, 1)] }
}

/// The symmetric matrix A with det A = 1 for which A A is M Mᵀ but for its determinant, with |ln A| at most `max`.
#[inline(always)]
fn admissible(m: &Mat3x8, max: f64) -> Sym3x8 {
    // the right rotation of Mᵀ, which is orthogonal to rounding, is the left one of M
    let svd = PackSvd::new(&m.transpose());
    let (e, size) = deviator(svd.stretches.map(|s| s.ln()));
    let within = (splat(max) / size).fast_min(splat(1.0));
    in_frame(&svd.right, &e.map(|e| (e * within).exp()))
}

impl<L: Law> Plastic<L> {
    /// Fₚ⁻¹ after a time h at F, and the lanes in which it is another. Nothing flows that would gain energy.
    fn flowed(&self, f: &Mat3x8, inverse: &Sym3x8, h: f64) -> Option<(Sym3x8, Lanes)> {
        let elastic = inverse.left_times(f);
        let svd = PackSvd::new(&elastic);
        // the logarithm of what is inside out is no number, and no number yields
        let (e, size) = deviator(svd.stretches.map(|s| s.ln()));
        let yields = size.simd_gt(splat(self.flow.strain + ROUNDING));
        if !yields.any() {
            return None;
        }
        let (part, offset) = self.flow.share(h);
        let back = yields.select(splat(part) * (size - splat(offset)) / size, splat(0.0));
        let shrink = in_frame(&svd.right, &e.map(|e| (-back * e).exp()));
        let next = admissible(&shrink.left_times(&inverse.full()), self.flow.max);
        let total = |(bulk, shear): (Lanes, Lanes)| bulk + shear;
        let [before, after] = [elastic, next.left_times(f)].map(|f| total(self.law.energy(&f)));
        Some((next, yields & after.simd_le(before)))
    }
}

impl<L: Law> Matter for Plastic<L> {
    const INVERTS: bool = L::INVERTIBLE;
    const FRESH: &'static [f64] = &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0];

    #[inline(always)]
    fn energy_at(&self, f: &Mat3x8, held: Held) -> (Lanes, Lanes) {
        self.law.energy(&load(held.numbers(NUMBERS)).left_times(f))
    }

    #[inline(always)]
    fn piola_at(&self, f: &Mat3x8, held: Held) -> (Mat3x8, Lanes) {
        let inverse = load(held.numbers(NUMBERS));
        let (piola, jacobian) = self.law.piola(&inverse.left_times(f));
        (inverse.left_times(&piola), jacobian)
    }

    #[inline(always)]
    fn piola_plus_at(&self, f: &Mat3x8, weight: Lanes, other: &Sym3x8, held: Held) -> (Mat3x8, Lanes) {
        let (piola, jacobian) = self.piola_at(f, held);
        (piola.scale_add(weight, &other.left_times(f)), jacobian)
    }

    #[inline(always)]
    fn pair_blocks_at(
        &self,
        f: &Mat3x8,
        gradients: &[[Lanes; 3]; 3],
        weight: Lanes,
        project: bool,
        held: Held,
    ) -> [Mat3x8; 6] {
        let inverse = load(held.numbers(NUMBERS));
        let Mat3x8(gradients) = inverse.left_times(&Mat3x8(*gradients));
        pair_blocks(&self.law, &inverse.left_times(f), &gradients, weight, project)
    }

    fn flow(&self, f: &Mat3x8, h: f64, numbers: &mut [f64]) -> bool {
        let held = load(numbers);
        let Some((next, other)) = self.flowed(f, &held, h) else { return false };
        let pick = |next: [Lanes; 3], held: [Lanes; 3]| [0, 1, 2].map(|k| other.select(next[k], held[k]));
        let kept = Sym3x8 { diagonal: pick(next.diagonal, held.diagonal), off: pick(next.off, held.off) };
        store(&kept, numbers);
        other.any()
    }
}

#[cfg(test)]
#[path = "plastic_tests.rs"]
mod tests;
