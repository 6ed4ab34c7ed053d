//! The rigid part of a motion of a body: u + ω × (x − c), with the same momenta as the whole motion.
//!
//! With the mass matrix M, masses mᵢ = Σⱼ Mᵢⱼ, arms r = x − c from the centre of mass and s = M r:
//!
//! ```text
//! u = Σ mᵢ dᵢ / Σ mᵢ        ω = I⁻¹ Σ rᵢ × (M d)ᵢ        I = Σ (rᵢ·sᵢ) 1 − sᵢ rᵢᵀ
//! ```
//!
//! A motion may be a displacement, a velocity or an acceleration; ω is then an angle, an angular velocity or an angular
//! acceleration.

use std::ops::Range;

use nalgebra::Rotation3;

use crate::kinetic::Inertia;
use crate::{Mat3, Vec3};

/// Inertia about the axis of a straight rope, over that across it: enough to divide by.
const THIN: f64 = 1e-13;

/// Where a body is and how hard it turns.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub nodes: Range<usize>,
    /// \[kg\]
    pub mass: f64,
    /// Centre of mass  \[m\]
    pub center: Vec3,
    /// I  \[kg m²\]
    pub inertia: Mat3,
    /// I⁻¹  \[1/(kg m²)\]
    pub inverse_inertia: Mat3,
}

/// A rigid motion: of the centre of mass, and about it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Rigid {
    pub shift: Vec3,
    pub turn: Vec3,
}

impl Frame {
    /// Of the body with these nodes at x.
    pub fn new(inertia: &Inertia, nodes: Range<usize>, x: &[Vec3]) -> Frame {
        let masses = &inertia.masses()[nodes.clone()];
        let mass: f64 = masses.iter().sum();
        let center = inertia.center(x, nodes.clone());
        let mut moment = Mat3::zeros();
        for i in nodes.clone() {
            let arm = x[i] - center;
            let row = inertia.matrix().row(i);
            let s = row.fold(Vec3::zeros(), |sum, (j, m)| sum + m * (x[j] - center));
            moment += Mat3::identity() * arm.dot(&s) - s * arm.transpose();
        }
        let spread = moment.trace();
        moment += Mat3::identity() * (THIN * spread);
        // A single point does not turn.
        let inverse_inertia = moment.try_inverse().filter(|_| spread > 0.0).unwrap_or_else(Mat3::zeros);
        Frame { nodes, mass, center, inertia: moment, inverse_inertia }
    }

    /// Momentum of a motion, and its moment about `about`.
    pub fn momenta(&self, inertia: &Inertia, x: &[Vec3], motion: &[Vec3], about: &Vec3) -> [Vec3; 2] {
        self.nodes.clone().fold([Vec3::zeros(); 2], |[linear, angular], i| {
            let p = inertia.matrix().row_times(i, motion);
            [linear + p, angular + (x[i] - about).cross(&p)]
        })
    }

    /// The rigid motion with these momenta, the second about the centre of mass.
    pub fn with_momenta(&self, [linear, angular]: [Vec3; 2]) -> Rigid {
        Rigid { shift: linear / self.mass, turn: self.inverse_inertia * angular }
    }

    /// The rigid part of a motion.
    pub fn rigid_part(&self, inertia: &Inertia, x: &[Vec3], motion: &[Vec3]) -> Rigid {
        self.with_momenta(self.momenta(inertia, x, motion, &self.center))
    }

    /// What a rigid motion is at a point.
    pub fn at(&self, rigid: &Rigid, x: &Vec3) -> Vec3 {
        rigid.shift + rigid.turn.cross(&(x - self.center))
    }
}

/// The way from q to `q_end` of a free body, along an arc: of the centre of mass, of the turn θ that fits best, as θ × r at
/// the end, and of what is no rigid motion. Forces without a torque do no work along it by the turn alone, as they do
/// along the chord of a long step.
pub(super) fn arc(inertia: &Inertia, nodes: Range<usize>, q: &[Vec3], q_end: &[Vec3], out: &mut [Vec3]) {
    let masses = inertia.masses();
    let [from, to] = [q, q_end].map(|x| inertia.center(x, nodes.clone()));
    let spread =
        |sum: Mat3, node: usize| sum + (q_end[node] - to) * (q[node] - from).transpose() * masses[node];
    let moved = nodes.clone().fold(Mat3::zeros(), spread);
    let turn = nearest_rotation(&moved);
    let angle = turn.scaled_axis();
    if !(SMALLEST_ARC..LARGEST_ARC).contains(&angle.norm()) {
        return nodes.for_each(|node| out[node] = q_end[node] - q[node]);
    }
    for node in nodes {
        let arm = q_end[node] - to;
        out[node] = to - from + angle.cross(&arm) + arm - turn * (q[node] - from);
    }
}

/// Arcs that are told from their chords, and that are told from the other way round \[rad\].
const SMALLEST_ARC: f64 = 1e-9;
const LARGEST_ARC: f64 = 3.0;
/// Rounds of the singular value decomposition, far more than it takes.
const MOST_ROUNDS: usize = 200;

/// The rotation U diag(1, 1, ±1) Vᵀ that is nearest to a matrix U S Vᵀ; none where it has no digits.
fn nearest_rotation(matrix: &Mat3) -> Rotation3<f64> {
    let found = matrix.try_svd(true, true, f64::EPSILON, MOST_ROUNDS);
    let Some((u, v)) = found.and_then(|svd| svd.u.zip(svd.v_t)) else { return Rotation3::identity() };
    let mirrored = (u * v).determinant() < 0.0;
    let last = if mirrored { -1.0 } else { 1.0 };
    Rotation3::from_matrix_unchecked(u * Mat3::from_diagonal(&Vec3::new(1.0, 1.0, last)) * v)
}

/// exp(ω×) − 1 applied to an arm: how far it is carried by the turn ω. Exact for small angles, too.
pub(super) fn carried(turn: &Vec3, arm: &Vec3) -> Vec3 {
    let angle = turn.norm();
    // sin θ/θ and (1 − cos θ)/θ²
    let (along, across) = match angle {
        small if small < 1e-8 => (1.0, 0.5),
        _ => (angle.sin() / angle, 2.0 * (0.5 * angle).sin().powi(2) / (angle * angle)),
    };
    let aside = turn.cross(arm);
    aside * along + turn.cross(&aside) * across
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinetic::{MassModel, tet_entries};
    use nalgebra::Rotation3;

    /// A tetrahedron of 3 kg, skewed and far from the origin.
    fn body() -> (Inertia, Vec<Vec3>) {
        let mut entries = vec![];
        tet_entries(MassModel::Consistent, [0, 1, 2, 3], 3.0, &mut entries);
        let x = [[0.1, 0.0, 0.2], [1.0, 0.1, 0.0], [0.2, 0.7, 0.1], [0.0, 0.3, 1.3]].map(Vec3::from);
        (Inertia::new(4, entries), x.map(|x| x + Vec3::new(5.0, -6.0, 7.0)).to_vec())
    }

    #[test]
    fn rigid_motion_is_its_own_rigid_part() {
        let (inertia, x) = body();
        let frame = Frame::new(&inertia, 0..4, &x);
        let rigid = Rigid { shift: Vec3::new(1.0, -2.0, 0.5), turn: Vec3::new(0.3, 0.9, -0.4) };
        let motion: Vec<Vec3> = x.iter().map(|x| frame.at(&rigid, x)).collect();
        let part = frame.rigid_part(&inertia, &x, &motion);
        assert!((part.shift - rigid.shift).norm() < 1e-12 && (part.turn - rigid.turn).norm() < 1e-11);
    }

    #[test]
    fn rigid_part_has_the_momenta_of_the_whole() {
        let (inertia, x) = body();
        let frame = Frame::new(&inertia, 0..4, &x);
        let motion: Vec<Vec3> = x.iter().map(|x| Vec3::new(x.y * x.z, x.x.sin(), x.x * x.x)).collect();
        let part = frame.rigid_part(&inertia, &x, &motion);
        let rigid: Vec<Vec3> = x.iter().map(|x| frame.at(&part, x)).collect();
        let about = Vec3::new(1.0, 2.0, 3.0);
        let whole = frame.momenta(&inertia, &x, &motion, &about);
        let same = frame.momenta(&inertia, &x, &rigid, &about);
        assert!((whole[0] - same[0]).norm() < 1e-11 * whole[0].norm());
        assert!((whole[1] - same[1]).norm() < 1e-11 * whole[1].norm());
    }

    #[test]
    fn carried_arm_is_the_rotated_one() {
        let arm = Vec3::new(0.4, -1.0, 2.0);
        for size in [1e-12, 1e-9, 1e-6, 0.1, 2.0, 6.0] {
            let turn = Vec3::new(0.6, 0.0, -0.8) * size;
            let exact = Rotation3::new(turn) * arm - arm;
            assert!((carried(&turn, &arm) - exact).norm() < 4e-16 * (1.0 + size), "{size}");
        }
    }

    #[test]
    fn arc_of_a_turned_body_is_its_turn_at_the_end_and_a_stretch_is_a_stretch() {
        let (inertia, x) = body();
        let (turn, shift) = (Vec3::new(0.3, -0.5, 0.4), Vec3::new(0.2, 0.1, -0.3));
        let frame = Frame::new(&inertia, 0..4, &x);
        for stretch in [1.0, 1.001] {
            let rotation = Rotation3::new(turn);
            let place = |x: &Vec3| frame.center + shift + rotation * (x - frame.center) * stretch;
            let end: Vec<Vec3> = x.iter().map(place).collect();
            let mut out = vec![Vec3::zeros(); 4];
            arc(&inertia, 0..4, &x, &end, &mut out);
            for (out, x) in out.iter().zip(&x) {
                let arm = rotation * (x - frame.center);
                let expected = shift + turn.cross(&(arm * stretch)) + arm * (stretch - 1.0);
                assert!((out - expected).norm() < 1e-9, "{stretch}");
            }
        }
    }

    #[test]
    fn straight_rope_turns_across_itself_only() {
        let inertia = Inertia::new(3, (0..3).map(|i| (i, i, 0.5)).collect());
        let x: Vec<Vec3> = (0..3).map(|i| Vec3::new(f64::from(i), 0.0, 0.0)).collect();
        let frame = Frame::new(&inertia, 0..3, &x);
        let motion: Vec<Vec3> = x.iter().map(|x| Vec3::new(0.0, 2.0 * x.x, 0.0)).collect();
        let part = frame.rigid_part(&inertia, &x, &motion);
        assert!((part.turn - Vec3::new(0.0, 0.0, 2.0)).norm() < 1e-9 && part.turn.x == 0.0);
    }
}
