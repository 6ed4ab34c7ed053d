//! The stiffness of eight tetrahedra from ∂²ψ/∂F² in the frame of their stretches.
//!
//! A node that moves by u changes F by u ⊗ g. With û = Uᵀu and γ = Vᵀg the change is U (û ⊗ γ) Vᵀ, and the energy
//! between nodes a and b is ûₐ · M û_b with
//!
//! Mᵢᵢ = Sᵢᵢ γₐᵢγ_bᵢ + Σⱼ pᵢⱼ γₐⱼγ_bⱼ,   Mᵢⱼ = Sᵢⱼ γₐᵢγ_bⱼ + mᵢⱼ γₐⱼγ_bᵢ,   p, m = (flip ± twist)/2
//!
//! so that the 9×9 matrix never appears. The method is that of Smith, de Goes & Kim 2019.

use super::pack_svd::{PackSvd, clamp_eigenvalues};
use super::{Law, PrincipalHessian};
use crate::element_map::for_pairs;
use crate::lanes::{Lanes, Mat3x8, splat};
use crate::symmetric::Sym3x8;

impl PrincipalHessian {
    /// The nearest positive semidefinite one: every eigenvalue below zero becomes zero.
    #[inline(always)]
    pub fn projected(&self) -> PrincipalHessian {
        let clamp = |values: [Lanes; 3]| values.map(|x| splat(0.0).fast_max(x));
        PrincipalHessian {
            flip: clamp(self.flip),
            twist: clamp(self.twist),
            scaling: projected(&self.scaling),
        }
    }
}

/// The matrix itself where its leading minors are positive, as they nearly always are.
#[inline(always)]
fn projected(m: &Sym3x8) -> Sym3x8 {
    let minor = m.diagonal[0].mul_sub(m.diagonal[1], m.off[2] * m.off[2]);
    let zero = splat(0.0);
    let definite = m.diagonal[0].simd_gt(zero) & minor.simd_gt(zero) & m.determinant().simd_gt(zero);
    if definite.all() {
        return *m;
    }
    let Mat3x8(c) = clamp_eigenvalues(&m.full());
    let pick = |i: usize, j: usize| definite.select(m.entry(i, j), c[i][j]);
    Sym3x8 { diagonal: [pick(0, 0), pick(1, 1), pick(2, 2)], off: [pick(1, 2), pick(2, 0), pick(0, 1)] }
}

/// weight · ∂²ψ/∂F² between the nodes 1, 2, 3 in the order of [`PAIRS`](crate::element_map::PAIRS) \[N/m\], for F and the gradients of these nodes
/// \[1/m\] and a weight \[m³\]. Every lane is made positive semidefinite if `project`.
#[inline(always)]
pub fn pair_blocks<L: Law>(
    law: &L,
    f: &Mat3x8,
    gradients: &[[Lanes; 3]; 3],
    weight: Lanes,
    project: bool,
) -> [Mat3x8; 6] {
    let svd = PackSvd::new(f);
    let mut h = law.principal_hessian(&svd.stretches);
    if project {
        h = h.projected();
    }
    let half = splat(0.5) * weight;
    let plus: [Lanes; 3] = std::array::from_fn(|k| half * (h.flip[k] + h.twist[k]));
    let minus: [Lanes; 3] = std::array::from_fn(|k| half * (h.flip[k] - h.twist[k]));
    let scaling = h.scaling.scale(weight);
    // Vᵀg
    let turned = Mat3x8(*gradients).times(&svd.right).0;
    for_pairs(|a, b| {
        let m = principal_block(&scaling, &plus, &minus, &turned[a], &turned[b]);
        svd.left.times(&m).times_transpose(&svd.left)
    })
}

/// M of two nodes.
#[inline(always)]
fn principal_block(
    scaling: &Sym3x8,
    plus: &[Lanes; 3],
    minus: &[Lanes; 3],
    a: &[Lanes; 3],
    b: &[Lanes; 3],
) -> Mat3x8 {
    let products = Mat3x8::outer(a, b).0;
    Mat3x8::from_fn(|i, j| {
        if i == j {
            let (k, l) = ((i + 1) % 3, (i + 2) % 3);
            let across = plus[l].mul_add(products[k][k], plus[k] * products[l][l]);
            scaling.diagonal[i].mul_add(products[i][i], across)
        } else {
            let k = 3 - i - j;
            scaling.off[k].mul_add(products[i][j], minus[k] * products[j][i])
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::element_map::PAIRS;
    use crate::potential::material::hessian::{Mat9, element_stiffness, hessian};
    use crate::potential::material::{Corotated, LiesenfeldStolfi, LsStable, NeoHookean, StVenant};
    use crate::{Mat3, Vec3};
    use nalgebra::Rotation3;

    const GRADIENTS: Mat3 = Mat3::new(1.0, 0.2, -0.1, -0.3, 1.1, 0.2, 0.1, 0.0, 0.9);

    /// Stretches from mild to absurd.
    const STRETCHES: [[f64; 3]; 11] = [
        [1.0, 1.0, 1.0],
        [1.1, 0.95, 1.02],
        [1.3, 1.3, 0.7],
        [2.0, 2.0, 2.0],
        [1.0 + 1e-9, 1.0, 1.0 - 1e-9],
        [1.0 + 1e-5, 1.0, 1.0],
        [20.0, 1.0, 1.0],
        [20.0, 1.0, 0.05],
        [0.05, 0.05, 20.0],
        [1.0, 0.9, 1e-3],
        [0.3, 0.4, 0.5],
    ];

    fn turn(x: f64) -> Mat3 {
        Rotation3::from_euler_angles(x, 1.2 - 3.0 * x, 0.7 * x).into_inner()
    }

    /// Lane by lane against the 9×9 matrix of a single element, whose decomposition is another.
    fn check<L: Law>(law: L) {
        let fs: Vec<Mat3> = (0..24)
            .flat_map(|k| {
                let x = f64::from(k);
                STRETCHES.map(|s| turn(x) * Mat3::from_diagonal(&Vec3::from(s)) * turn(1.0 - 2.0 * x))
            })
            .collect();
        let g = Mat3x8::splat(&GRADIENTS);
        for pack in fs.chunks(8) {
            let f = Mat3x8::from_fn(|i, j| Lanes::new(std::array::from_fn(|lane| pack[lane][(i, j)])));
            for project in [false, true] {
                let found = pair_blocks(&law, &f, &g.0, splat(0.25), project);
                for (lane, f) in pack.iter().enumerate() {
                    let size = hessian(&law, f, false).norm();
                    compare(&found, lane, &hessian(&law, f, project), size);
                }
            }
        }
    }

    fn compare(found: &[Mat3x8; 6], lane: usize, map: &Mat9, size: f64) {
        let rows = [0, 1, 2].map(|k| GRADIENTS.row(k).transpose());
        let expected = element_stiffness(map, &[Vec3::zeros(), rows[0], rows[1], rows[2]], 0.25);
        for (block, [a, b]) in found.iter().zip(PAIRS) {
            let expected = expected.fixed_view::<3, 3>(3 * a + 3, 3 * b + 3);
            let error = (block.lane(lane) - expected).norm() / size;
            assert!(error < 1e-10, "{error:e}: {}{expected}", block.lane(lane));
        }
    }

    #[test]
    fn packs_have_the_stiffness_of_single_elements_in_every_law() {
        check(LsStable::new(2.3, 0.7));
        check(LiesenfeldStolfi::new(2.3, 0.7));
        check(NeoHookean::new(2.3, 0.7));
        check(Corotated::new(2.3, 0.7));
        check(StVenant::new(2.3, 0.7));
    }
}
