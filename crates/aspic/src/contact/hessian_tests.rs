//! Tests of the closed-form Hessian.

use super::*;
use crate::contact::tests_support::{KINDS, Random};
use crate::contact::{Kind, Repulsion, closest};
use nalgebra::{SMatrix, SVector, SymmetricEigen};

type Mat12 = SMatrix<f64, 12, 12>;
type Vec12 = SVector<f64, 12>;

const LAW: Repulsion = Repulsion { range: 1.0 };

fn flat(vector: &[Vec3; 4]) -> Vec12 {
    Vec12::from_fn(|i, _| vector[i / 3][i % 3])
}

fn sum(squares: &RankOnes) -> Mat12 {
    squares.active().iter().map(|z| flat(z) * flat(z).transpose()).sum()
}

/// ∇ φ(d), and which weights are not zero.
fn gradient(kind: Kind, x: &[Vec3; 4]) -> (Vec12, [bool; 4]) {
    let found = closest(kind, x);
    let (slope, _) = LAW.slope_and_curvature(found.distance());
    let normal = found.normal();
    (flat(&found.weights.map(|c| slope * c * normal)), found.weights.map(|c| c != 0.0))
}

/// The Hessian by differences of the gradient; nothing when the region changes nearby.
fn by_differences(kind: Kind, x: &[Vec3; 4], h: f64) -> Option<Mat12> {
    let (_, region) = gradient(kind, x);
    let mut result = Mat12::zeros();
    for j in 0..12 {
        let at = |steps: f64| {
            let mut moved = *x;
            moved[j / 3][j % 3] += steps * h;
            let (g, there) = gradient(kind, &moved);
            (there == region).then_some(g)
        };
        // sixth order
        let odd = |k: f64| Some(at(k)? - at(-k)?);
        let column = (45.0 * odd(1.0)? - 9.0 * odd(2.0)? + odd(3.0)?) / (60.0 * h);
        result.set_column(j, &column);
    }
    Some(0.5 * (result + result.transpose()))
}

fn clamped(m: &Mat12) -> Mat12 {
    let eigen = SymmetricEigen::new(*m);
    let positive = Mat12::from_diagonal(&eigen.eigenvalues.map(|w| w.max(0.0)));
    eigen.eigenvectors * positive * eigen.eigenvectors.transpose()
}

/// A pair within range that stays in its region and on one side of the joint of the law, and its exact Hessian.
fn pair_and_hessian(random: &mut Random, kind: Kind) -> Option<([Vec3; 4], Mat12)> {
    let x = random.points(kind);
    let d = closest(kind, &x).distance();
    let inside = d > 0.05 && d < 0.99 && (d - 1.0 / 3.0).abs() > 0.02;
    let exact = if inside { by_differences(kind, &x, 2e-4 * d)? } else { return None };
    Some((x, exact))
}

#[test]
fn closed_form_is_the_eigenvalue_clamp_in_every_region() {
    let mut random = Random(11);
    let mut seen = [[0; 3]; 4];
    for trial in 0..24_000 {
        let kind = KINDS[trial % 4];
        let Some((x, exact)) = pair_and_hessian(&mut random, kind) else { continue };
        let found = closest(kind, &x);
        let (slope, curvature) = LAW.slope_and_curvature(found.distance());
        let normal = found.normal();
        let g = flat(&found.weights.map(|c| c * normal));
        let radial = curvature * g * g.transpose();
        let expected = radial + clamped(&(exact - radial));
        let squares = hessian(&found, slope, curvature);
        let error = (sum(&squares) - expected).amax() / expected.amax();
        // the finite difference is the limit
        assert!(error < 3e-8, "{kind:?} {x:?}: {error:e}");
        let lowest = SymmetricEigen::new(sum(&squares) - exact).eigenvalues.min();
        assert!(lowest > -1e-7 * expected.amax(), "{kind:?} {x:?}: {lowest:e}");
        seen[trial % 4][squares.count - 1] += 1;
    }
    let [points, point_edge, point_triangle, edge_edge] = seen;
    assert!(points[0] > 500 && point_edge[0] > 200 && point_edge[1] > 200, "{seen:?}");
    assert!(point_triangle.iter().chain(&edge_edge).all(|n| *n > 100), "{seen:?}");
    assert!(seen.iter().flatten().sum::<i32>() > 1500, "{seen:?}");
}

#[test]
fn a_rigid_shift_costs_nothing() {
    let mut random = Random(12);
    for trial in 0..2000 {
        let kind = KINDS[trial % 4];
        let found = closest(kind, &random.points(kind));
        let squares = hessian(&found, -1.0, 1.0);
        for z in squares.active() {
            let total: Vec3 = z.iter().sum();
            let size = z.iter().map(Vec3::norm).sum::<f64>();
            assert!(total.norm() < 1e-12 * size, "{kind:?} {total:?}");
        }
    }
}

#[test]
fn degenerate_pairs_have_finite_squares() {
    let mut random = Random(13);
    for trial in 0..40_000 {
        let kind = KINDS[trial % 4];
        let x = random.degenerate(kind);
        let squares = hessian(&closest(kind, &x), -1.0, 1.0);
        assert!(squares.active().iter().flatten().all(|z| z.iter().all(|w| w.is_finite())), "{kind:?} {x:?}");
    }
}

#[test]
fn point_over_a_long_edge_has_the_hessian_found_by_hand() {
    // p at height 1 over the middle of an edge of length 2 along x: c = (1, −½, −½), a² = 3/2, v² = 2/4 = ½,
    // λ = (½ + √(¼ + 3))/2, and the only curved direction mixes sliding along x and tilting along z
    let x = [Vec3::z(), -Vec3::x(), Vec3::x(), Vec3::x()];
    let squares = hessian(&closest(Kind::PointEdge, &x), -1.0, 0.0);
    let lambda = 0.25 + 0.5 * 3.25_f64.sqrt();
    let total = sum(&squares);
    assert_eq!(squares.count, 2);
    assert!((total.trace() - lambda).abs() < 1e-14);
    assert!((total * total - lambda * total).amax() < 1e-14);
}
