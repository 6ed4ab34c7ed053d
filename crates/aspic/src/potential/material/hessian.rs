//! ∂²ψ/∂F² as a 9×9 matrix, one element at a time: what packs are compared with.
//!
//! From the principal form (method of Smith, de Goes & Kim 2019), with a decomposition of its own.
//!
//! 3×3 matrices are flattened column-major, entry (i, a) at place i + 3a, as nalgebra stores them.

use super::Law;
pub use crate::element_map::{Mat9, apply, element_stiffness};
use crate::lanes::{Lanes, splat};
use crate::{Mat3, Vec3};

/// F = U diag(s) Vᵀ with rotations U and V (det = +1).
#[derive(Clone, Copy, Debug)]
pub struct RotationSvd {
    /// U.
    pub left: Mat3,
    /// s, |s₀| ≥ |s₁| ≥ |s₂|; the last carries the sign of det F.
    pub stretches: Vec3,
    /// V.
    pub right: Mat3,
}

/// More sweeps than Jacobi's method ever takes on a 3×3 matrix.
const MAX_SWEEPS: usize = 30;

impl RotationSvd {
    /// One-sided Jacobi: turn V until the columns of F V are orthogonal. Small stretches keep their
    /// digits, which a detour over FᵀF would lose. For entries that are zero or from 1e-100 to 1e100.
    pub fn new(f: &Mat3) -> Self {
        let (mut columns, mut right) = (*f, Mat3::identity());
        for _ in 0..MAX_SWEEPS {
            // no short circuit: a sweep visits all three planes
            let turned = [(0, 1), (1, 2), (0, 2)].map(|(i, j)| orthogonalise(&mut columns, &mut right, i, j));
            if turned == [false; 3] {
                break;
            }
        }
        for (i, j) in [(0, 1), (1, 2), (0, 1)] {
            if columns.column(i).norm_squared() < columns.column(j).norm_squared() {
                exchange(&mut columns, i, j);
                exchange(&mut right, i, j);
            }
        }
        let left = rotation_along(&columns);
        let stretches = Vec3::from_fn(|k, _| left.column(k).dot(&columns.column(k)));
        RotationSvd { left, stretches, right }
    }
}

/// Turns columns i and j of both matrices so that those of the first become orthogonal.
/// Returns whether there was anything to do.
fn orthogonalise(columns: &mut Mat3, right: &mut Mat3, i: usize, j: usize) -> bool {
    let (a, b) = (columns.column(i).norm_squared(), columns.column(j).norm_squared());
    let c = columns.column(i).dot(&columns.column(j));
    // entries that are not numbers count as orthogonal, which ends the search
    let oblique = c.abs() > f64::EPSILON * a.sqrt() * b.sqrt() && c.abs() >= f64::MIN_POSITIVE;
    if !oblique {
        return false;
    }
    let half = (b - a) / (2.0 * c);
    let tangent = half.signum() / (half.abs() + half.hypot(1.0));
    let cosine = 1.0 / tangent.hypot(1.0);
    for m in [columns, right] {
        let (x, y) = (m.column(i).into_owned(), m.column(j).into_owned());
        m.set_column(i, &(cosine * (x - tangent * y)));
        m.set_column(j, &(cosine * (y + tangent * x)));
    }
    true
}

/// Exchanges two columns, one of them negated: the determinant stays.
fn exchange(m: &mut Mat3, i: usize, j: usize) {
    m.swap_columns(i, j);
    m.column_mut(i).neg_mut();
}

/// The rotation whose first two columns point along those of a matrix with orthogonal columns, longest
/// first. Missing directions are made up.
fn rotation_along(columns: &Mat3) -> Mat3 {
    let first = columns.column(0).try_normalize(0.0).unwrap_or(Vec3::x());
    let across = columns.column(1) - first * first.dot(&columns.column(1));
    let floor = f64::EPSILON * columns.column(0).norm();
    let second = across.try_normalize(floor).unwrap_or_else(|| {
        let made_up = first.cross(&Vec3::ith(first.iamin(), 1.0)).normalize();
        made_up * 1_f64.copysign(made_up.dot(&columns.column(1)))
    });
    Mat3::from_columns(&[first, second, first.cross(&second)])
}

/// One lane of a [`PrincipalHessian`](super::PrincipalHessian).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Principal {
    /// Eigenvalues of the flips \[Pa\].
    pub flip: [f64; 3],
    /// Eigenvalues of the twists \[Pa\].
    pub twist: [f64; 3],
    /// ∂²ψ/∂sᵢ∂sⱼ \[Pa\].
    pub scaling: Mat3,
}

impl Principal {
    /// Second derivatives of one element, the last stretch with the sign of J.
    pub fn new<L: Law>(law: &L, stretches: &Vec3) -> Principal {
        let h = law.principal_hessian(&[0, 1, 2].map(|k| splat(stretches[k])));
        let first = |values: [Lanes; 3]| values.map(|x| x.to_array()[0]);
        Principal { flip: first(h.flip), twist: first(h.twist), scaling: h.scaling.full().lane(0) }
    }

    /// The nearest positive semidefinite one: every eigenvalue below zero becomes zero.
    pub fn projected(&self) -> Principal {
        let clamp = |values: [f64; 3]| values.map(|x| x.max(0.0));
        let scaling = match self.scaling.cholesky() {
            Some(_) => self.scaling,
            None => clamp_eigenvalues(&self.scaling),
        };
        Principal { flip: clamp(self.flip), twist: clamp(self.twist), scaling }
    }
}

fn clamp_eigenvalues(m: &Mat3) -> Mat3 {
    let eigen = m.symmetric_eigen();
    let vectors = eigen.eigenvectors;
    vectors * Mat3::from_diagonal(&eigen.eigenvalues.map(|x| x.max(0.0))) * vectors.transpose()
}

/// ∂²ψ/∂F² \[Pa\] at F, flattened column-major; if `project`, its nearest positive semidefinite matrix.
pub fn hessian<L: Law>(law: &L, f: &Mat3, project: bool) -> Mat9 {
    let svd = RotationSvd::new(f);
    let principal = Principal::new(law, &svd.stretches);
    assemble(&svd, &if project { principal.projected() } else { principal })
}

/// Σ h_mn b_m b_nᵀ over the nine orthonormal matrices b_ij = uᵢ vⱼᵀ.
fn assemble(svd: &RotationSvd, h: &Principal) -> Mat9 {
    let basis = svd.right.kronecker(&svd.left);
    let place = |i: usize, j: usize| i + 3 * j;
    let mut scaled = Mat9::zeros();
    for k in 0..3 {
        for i in 0..3 {
            add_column(&mut scaled, place(k, k), h.scaling[(i, k)], &basis, place(i, i));
        }
        // flip and twist are (b_ij ± b_ji)/√2
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        let (same, other) = ((h.flip[k] + h.twist[k]) / 2.0, (h.flip[k] - h.twist[k]) / 2.0);
        for (a, b) in [(place(i, j), place(j, i)), (place(j, i), place(i, j))] {
            add_column(&mut scaled, a, same, &basis, a);
            add_column(&mut scaled, a, other, &basis, b);
        }
    }
    scaled * basis.transpose()
}

/// Adds a multiple of a column of one matrix to a column of another.
fn add_column(out: &mut Mat9, column: usize, factor: f64, from: &Mat9, source: usize) {
    out.column_mut(column).axpy(factor, &from.column(source), 1.0);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_matrix() -> impl Strategy<Value = Mat3> {
        proptest::array::uniform9(-2.0..2.0).prop_map(|a: [f64; 9]| Mat3::from_row_slice(&a))
    }

    fn check_svd(f: &Mat3) {
        let RotationSvd { left, stretches: s, right } = RotationSvd::new(f);
        let size = f.norm().max(f64::MIN_POSITIVE);
        assert!((left * Mat3::from_diagonal(&s) * right.transpose() - f).norm() <= 4e-15 * size, "{f}");
        for turn in [left, right] {
            assert!((turn.transpose() * turn - Mat3::identity()).norm() < 4e-15, "{f}");
            assert!((turn.determinant() - 1.0).abs() < 4e-15, "{f}");
        }
        assert!(s[0] >= s[1] - 1e-15 * size && s[1] >= s[2].abs() - 1e-15 * size && s[1] >= 0.0, "{s}");
    }

    proptest! {
        #[test]
        fn svd_has_two_rotations_and_its_sign_in_the_last_stretch(f in any_matrix()) {
            check_svd(&f);
            let last = RotationSvd::new(&f).stretches[2];
            prop_assert!(last * f.determinant() >= 0.0 || last.abs() < 1e-14);
        }
    }

    #[test]
    fn svd_survives_equal_small_and_missing_stretches() {
        let a = Mat3::new(1.1, 0.2, -0.1, 0.05, 0.9, 0.15, 0.3, -0.1, 1.2);
        let column = Vec3::new(1.0, 2.0, 3.0);
        for f in [
            Mat3::identity(),
            -Mat3::identity(),
            Mat3::zeros(),
            Mat3::from_diagonal(&Vec3::new(0.0, 0.0, -2.0)),
            Mat3::from_diagonal(&Vec3::new(1e-9, 1.0, 1e9)),
            column * column.transpose(),
            a * 1e-100,
            a * 1e100,
        ] {
            check_svd(&f);
        }
    }

    #[test]
    fn small_stretches_keep_their_digits() {
        let turn = |a, b, c| nalgebra::Rotation3::from_euler_angles(a, b, c).into_inner();
        let f =
            turn(0.3, 1.2, -0.4) * Mat3::from_diagonal(&Vec3::new(20.0, 1.0, 0.05)) * turn(0.1, -2.0, 0.9);
        let s = RotationSvd::new(&f).stretches;
        assert!((s - Vec3::new(20.0, 1.0, 0.05)).norm() < 2e-14, "{s}");
    }
}
