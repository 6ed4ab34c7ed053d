//! F = U diag(s) Vᵀ on packs of eight, by Jacobi's method on the columns of F.
//!
//! V is turned until the columns of F V are orthogonal; they are then s u. Working on the columns, not on FᵀF, keeps
//! the digits of small stretches.

use super::inverse_sqrt::{inverse_sqrt, rough_inverse_sqrt};
use crate::lanes::{Lanes, Mat3x8, splat};

/// Three vectors side by side, `v[column][row]`.
type Columns = [[Lanes; 3]; 3];

/// More sweeps than the method takes on numbers.
const MAX_SWEEPS: usize = 10;
/// Turns of a sweep below this angle, squared, leave errors of the order of their product, 10⁻¹² of a right angle.
const SMALL_TURN: f64 = 1e-12;
/// Columns whose cosine, squared, is below this are orthogonal.
const SMALL_COSINE: f64 = 1e-26;
/// Keeps a column of zeros from giving 0/0; nothing to any other.
const TINY: f64 = 1e-280;

/// F = U diag(s) Vᵀ with rotations U and V, in every lane; exact to about 10⁻¹². For F of rank two or three.
#[derive(Clone, Copy, Debug)]
pub struct PackSvd {
    /// U.
    pub left: Mat3x8,
    /// s in no particular order; the smallest carries the sign of det F.
    pub stretches: [Lanes; 3],
    /// V.
    pub right: Mat3x8,
}

#[inline(always)]
fn dot(a: &[Lanes; 3], b: &[Lanes; 3]) -> Lanes {
    a[0].mul_add(b[0], a[1].mul_add(b[1], a[2] * b[2]))
}

#[inline(always)]
fn cross(a: &[Lanes; 3], b: &[Lanes; 3]) -> [Lanes; 3] {
    let entry = |i: usize, j: usize| a[i].mul_sub(b[j], a[j] * b[i]);
    [entry(1, 2), entry(2, 0), entry(0, 1)]
}

/// Turns columns I and J: x ← c x − s y, y ← s x + c y.
#[inline(always)]
fn turn<const I: usize, const J: usize>(m: &mut Columns, cosine: Lanes, sine: Lanes) {
    for row in 0..3 {
        let (x, y) = (m[I][row], m[J][row]);
        m[I][row] = cosine.mul_sub(x, sine * y);
        m[J][row] = cosine.mul_add(y, sine * x);
    }
}

/// Makes columns I and J of the first matrix orthogonal; true where that took more than a touch.
///
/// The angle θ has tan 2θ = e/d, e twice the product of the columns and d the difference of their squares. A rough
/// root gives it to six digits, which the next sweep makes good; cosine and sine must fit each other exactly.
#[inline(always)]
fn orthogonalise<const I: usize, const J: usize>(columns: &mut Columns, right: &mut Columns) -> Lanes {
    let (a, b) = (dot(&columns[I], &columns[I]), dot(&columns[J], &columns[J]));
    let c = dot(&columns[I], &columns[J]);
    let (d, e) = (b - a, c + c);
    let square = d.mul_add(d, e.mul_add(e, splat(TINY)));
    let x = square.mul_add(rough_inverse_sqrt(square), d.abs());
    // e with the sign that it has times d; columns as good as orthogonal must not be turned, or equal ones would
    // be turned by any angle, and what the other planes have reached is lost
    let oblique = (c * c).simd_gt(splat(SMALL_COSINE) * a * b);
    let y = (e ^ (d & splat(-0.0))) & oblique;
    let scale = inverse_sqrt(x.mul_add(x, y * y));
    let (cosine, sine) = (x * scale, y * scale);
    turn::<I, J>(columns, cosine, sine);
    turn::<I, J>(right, cosine, sine);
    (sine * sine).simd_gt(splat(SMALL_TURN))
}

/// The columns of M V and of V, the rotation that makes them orthogonal.
#[inline(always)]
fn orthogonal(m: &Mat3x8) -> (Columns, Columns) {
    let mut columns = m.transpose().0;
    let mut right = Mat3x8::from_fn(|i, j| splat(if i == j { 1.0 } else { 0.0 })).0;
    for _ in 0..MAX_SWEEPS {
        let turned = orthogonalise::<0, 1>(&mut columns, &mut right)
            | orthogonalise::<1, 2>(&mut columns, &mut right)
            | orthogonalise::<0, 2>(&mut columns, &mut right);
        if !turned.any() {
            break;
        }
    }
    (columns, right)
}

impl PackSvd {
    /// The decomposition of each lane.
    #[inline(always)]
    pub fn new(f: &Mat3x8) -> Self {
        let (columns, right) = orthogonal(f);
        let squares = [0, 1, 2].map(|k| dot(&columns[k], &columns[k]));
        let units: Columns = std::array::from_fn(|k| {
            let scale = inverse_sqrt(squares[k] + splat(TINY));
            columns[k].map(|x| scale * x)
        });
        // the shortest column has the least to say about its direction: the other two say it, and the sign
        let [a, b, c] = squares;
        let last = c.simd_le(a) & c.simd_le(b);
        let middle = b.simd_le(a) & !last;
        let shortest = [!(last | middle), middle, last];
        let left: Columns = std::array::from_fn(|k| {
            let across = cross(&units[(k + 1) % 3], &units[(k + 2) % 3]);
            std::array::from_fn(|row| shortest[k].select(across[row], units[k][row]))
        });
        let stretches = [0, 1, 2].map(|k| dot(&left[k], &columns[k]));
        PackSvd { left: Mat3x8(left).transpose(), stretches, right: Mat3x8(right).transpose() }
    }
}

/// The nearest positive semidefinite matrix of each symmetric one: eigenvalues below zero become zero.
#[inline(never)]
pub fn clamp_eigenvalues(m: &Mat3x8) -> Mat3x8 {
    // shifted by its norm no eigenvalue is below zero, so that λ and −λ are told apart
    let size = m.dot(m) + splat(TINY);
    let (_, vectors) = orthogonal(&m.plus_diagonal(size * inverse_sqrt(size)));
    vectors.iter().fold(Mat3x8::from_fn(|_, _| splat(0.0)), |sum, v| {
        let value = dot(v, &m.times_vector(v)).max(splat(0.0));
        sum.plus_outer(&v.map(|x| value * x), v)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::potential::material::hessian::RotationSvd;
    use crate::{Mat3, Vec3};
    use nalgebra::Rotation3;
    use proptest::prelude::*;

    /// Two lanes that agree, and a rotation in the others.
    fn svd(f: &Mat3) -> (Mat3, Vec3, Mat3) {
        let turned = Rotation3::from_euler_angles(0.3, 1.2, -0.4).into_inner();
        let pack = Mat3x8::from_fn(|i, j| {
            Lanes::new(std::array::from_fn(|lane| if lane == 5 { f[(i, j)] } else { turned[(i, j)] }))
        });
        let found = PackSvd::new(&pack);
        (found.left.lane(5), Vec3::from(found.stretches.map(|s| s.to_array()[5])), found.right.lane(5))
    }

    fn check(f: &Mat3) {
        let (left, s, right) = svd(f);
        let size = f.norm();
        assert!((left * Mat3::from_diagonal(&s) * right.transpose() - f).norm() <= 1e-11 * size, "{f}{s}");
        for turn in [left, right] {
            assert!((turn.transpose() * turn - Mat3::identity()).norm() < 1e-11, "{f}");
            assert!((turn.determinant() - 1.0).abs() < 1e-11, "{f}");
        }
        let sorted = |mut s: Vec3| {
            s.as_mut_slice().sort_by(|a, b| b.abs().total_cmp(&a.abs()));
            s
        };
        let expected = RotationSvd::new(f).stretches;
        assert!((sorted(s) - expected).norm() < 1e-12 * size, "{s} {expected}");
    }

    proptest! {
        #[test]
        fn any_matrix_is_a_rotation_a_stretch_and_a_rotation(a in proptest::array::uniform9(-2.0..2.0)) {
            check(&Mat3::from_row_slice(&a));
        }

        #[test]
        fn clamped_matrix_is_that_of_the_eigenvalues(a in proptest::array::uniform6(-2.0..2.0)) {
            let m = Mat3::new(a[0], a[3], a[4], a[3], a[1], a[5], a[4], a[5], a[2]);
            let eigen = m.symmetric_eigen();
            let expected = eigen.eigenvectors
                * Mat3::from_diagonal(&eigen.eigenvalues.map(|x| x.max(0.0)))
                * eigen.eigenvectors.transpose();
            let found = clamp_eigenvalues(&Mat3x8::splat(&m)).lane(2);
            prop_assert!((found - expected).norm() < 1e-11 * m.norm(), "{found}{expected}");
        }
    }

    #[test]
    fn equal_small_strong_and_negative_stretches_are_found() {
        let turn = |a, b, c| Rotation3::from_euler_angles(a, b, c).into_inner();
        for s in [
            [1.0, 1.0, 1.0],
            [2.0, 2.0, 0.5],
            [1.0 + 1e-9, 1.0, 1.0 - 1e-9],
            [1.0 + 1e-6, 1.0, 1.0 + 1e-5],
            [20.0, 1.0, 0.05],
            [20.0, 20.0, 0.05],
            [1.0, 1e-7, 1.0],
            [1.3, 0.8, 0.0],
            [1.3, 0.8, -0.4],
        ] {
            for k in 0..20 {
                let angle = f64::from(k);
                let f = turn(angle, 1.2, -0.4 * angle)
                    * Mat3::from_diagonal(&Vec3::from(s))
                    * turn(0.1, -2.0 * angle, 0.9);
                check(&f);
            }
            check(&Mat3::from_diagonal(&Vec3::from(s)));
        }
    }

    #[test]
    fn small_stretches_keep_their_digits() {
        let turn = |a, b, c| Rotation3::from_euler_angles(a, b, c).into_inner();
        let f =
            turn(0.3, 1.2, -0.4) * Mat3::from_diagonal(&Vec3::new(1.0, 1e-4, 1e-8)) * turn(0.1, -2.0, 0.9);
        let mut s: Vec<f64> = svd(&f).1.iter().copied().collect();
        s.sort_by(f64::total_cmp);
        assert!((s[0] / 1e-8 - 1.0).abs() < 1e-7 && (s[1] / 1e-4 - 1.0).abs() < 1e-11, "{s:?}");
    }

    #[test]
    fn matrices_that_are_not_numbers_leave_their_neighbours_alone() {
        let pack = Mat3x8::from_fn(|i, j| {
            Lanes::new([f64::NAN, 1.0 + (3 * i + j) as f64 / 7.0, 0.0, f64::INFINITY, 1.0, 1.0, 1.0, 1.0])
        });
        let found = PackSvd::new(&pack);
        let s = Mat3::from_diagonal(&Vec3::from(found.stretches.map(|s| s.to_array()[1])));
        assert!((found.left.lane(1) * s * found.right.lane(1).transpose() - pack.lane(1)).norm() < 1e-11);
    }
}
