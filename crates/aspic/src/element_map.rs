//! Linear maps of 3×3 matrices, and what they make of one tetrahedron.
//!
//! 3×3 matrices are flattened column-major, entry (i, a) at place i + 3a, as nalgebra stores them.

use crate::{Mat3, Vec3};
use nalgebra::SMatrix;

/// A linear map from 3×3 matrices to 3×3 matrices, flattened column-major.
pub type Mat9 = SMatrix<f64, 9, 9>;
/// The stiffness of one tetrahedron: vertex p, direction i at place 3p + i.
pub type Mat12 = SMatrix<f64, 12, 12>;

/// Pairs of the nodes 1, 2, 3 of a tetrahedron, counted from 0: the stiffness between them says that of node 0, since
/// a shift of all four costs nothing.
pub const PAIRS: [[usize; 2]; 6] = [[0, 0], [1, 1], [2, 2], [0, 1], [0, 2], [1, 2]];

/// A value for each of [`PAIRS`]. Written out, so that the compiler keeps large values where they are made.
#[inline(always)]
pub fn for_pairs<T>(value: impl Fn(usize, usize) -> T) -> [T; 6] {
    [value(0, 0), value(1, 1), value(2, 2), value(0, 1), value(0, 2), value(1, 2)]
}

/// The map applied to a matrix: for ∂P/∂F, the change of stress dP\[X\] due to a change X of F.
pub fn apply(map: &Mat9, x: &Mat3) -> Mat3 {
    let flat = SMatrix::<f64, 9, 1>::from_column_slice(x.as_slice());
    Mat3::from_column_slice((map * flat).as_slice())
}

/// The map of a linear function of 3×3 matrices, from its values on the nine unit matrices.
pub fn map_of(linear: impl Fn(&Mat3) -> Mat3) -> Mat9 {
    let mut map = Mat9::zeros();
    for place in 0..9 {
        let mut unit = Mat3::zeros();
        unit[place] = 1.0;
        map.column_mut(place).copy_from_slice(linear(&unit).as_slice());
    }
    map
}

/// Stiffness \[N/m\] of a tetrahedron from ∂P/∂F \[Pa\], the gradients g_p of its barycentric functions
/// \[1/m\] and its rest volume \[m³\]: K_pq,ij = V Σ_ab g_p\[a\] H_ia,jb g_q\[b\].
/// A viscous rate tangent \[Pa s\] gives N s/m.
pub fn element_stiffness(hessian: &Mat9, gradients: &[Vec3; 4], volume: f64) -> Mat12 {
    let mut stiffness = Mat12::zeros();
    for (q, gq) in gradients.iter().enumerate() {
        let half = (0..3).fold(SMatrix::<f64, 9, 3>::zeros(), |sum, b| {
            sum + hessian.fixed_view::<9, 3>(0, 3 * b) * (volume * gq[b])
        });
        for (p, gp) in gradients.iter().enumerate() {
            let block = (0..3).fold(Mat3::zeros(), |sum, a| sum + half.fixed_view::<3, 3>(3 * a, 0) * gp[a]);
            stiffness.fixed_view_mut::<3, 3>(3 * p, 3 * q).copy_from(&block);
        }
    }
    stiffness
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: Mat3 = Mat3::new(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 10.0);
    const B: Mat3 = Mat3::new(0.0, 1.0, 2.0, -1.0, 3.0, 1.0, 2.0, 2.0, 5.0);

    /// Neither symmetric nor aligned with anything.
    fn linear(x: &Mat3) -> Mat3 {
        A * x.transpose() * B + B * x
    }

    #[test]
    fn a_map_returns_the_function_it_was_made_of() {
        let x = Mat3::new(0.3, -0.2, 0.1, 0.4, 0.1, -0.3, 0.2, 0.5, -0.1);
        assert!((apply(&map_of(linear), &x) - linear(&x)).norm() < 1e-13);
    }

    #[test]
    fn stiffness_is_the_change_of_the_nodal_forces() {
        // moving vertex q by u changes F by u g_qᵀ and the force on vertex p by V dP g_p
        let (g1, g2, g3) = (Vec3::new(1.0, 0.2, -0.1), Vec3::new(-0.3, 1.1, 0.2), Vec3::new(0.1, 0.0, 0.9));
        let gradients = [-(g1 + g2 + g3), g1, g2, g3];
        let stiffness = element_stiffness(&map_of(linear), &gradients, 0.25);
        let u = Vec3::new(0.3, -0.7, 0.4);
        for (p, gp) in gradients.iter().enumerate() {
            for (q, gq) in gradients.iter().enumerate() {
                let expected = 0.25 * linear(&(u * gq.transpose())) * gp;
                assert!((stiffness.fixed_view::<3, 3>(3 * p, 3 * q) * u - expected).norm() < 1e-12);
            }
        }
    }
}
