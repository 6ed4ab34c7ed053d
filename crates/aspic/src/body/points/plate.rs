//! Hinges that bend like a plate.
//!
//! A plate of rigidity D and Poisson ratio ν stores ½ D ((κ₁ + κ₂)² − 2(1 − ν) κ₁κ₂) per area at the curvature κ. A surface of
//! triangles knows curvature by the angles of its hinges only. On a paraboloid z = ½ x·κx the hinge of an edge t of length
//! l, with tips at the heights H₁, H₂ over the edge and at s₁, s₂ along it, folds by
//!   θ = c : κ,  c = α t⊗t + β (t⊗n + n⊗t) + γ n⊗n,
//!   α = ½ (s₁(s₁ − l)/H₁ + s₂(s₂ − l)/H₂),  β = ½ (s₁ − s₂),  γ = ½ (H₁ + H₂).
//! So what a hinge feels depends on how the tips lie, and no choice of one constant per hinge makes a mesh isotropic. The
//! three hinges of a triangle together tell all three components of κ. Its energy is the least that a plate of its area
//! can have with those angles,
//!   min { ½ A κ·Qκ : Cκ = θ } = ½ θ·Sθ,  S = A (C Q⁻¹ Cᵀ)⁻¹,
//! which is that of the plate for every uniform curvature and any triangles. A triangle at a rim has fewer hinges; those of
//! its neighbours tell the rest. In a ribbon one cell wide nothing tells the curvature across, and it curls as it likes.

use nalgebra::{Matrix3, SymmetricEigen};

use super::edges::HingeEdge;
use crate::Vec3;
use crate::points::Form;

/// Smallest eigenvalue of C Q⁻¹ Cᵀ that is believed, as a part of the largest: six corners nearly on a conic do not tell
/// their curvature.
const BELIEVED: f64 = 0.01;
/// What a hinge of a neighbour must tell, in the same measure.
const ENOUGH: f64 = 0.02;

/// Flexural rigidity \[N m\] and Poisson ratio.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plate {
    pub rigidity: f64,
    pub poisson: f64,
}

/// A sheet and its hinges.
pub(super) struct Folds<'a> {
    pub hinges: &'a [HingeEdge],
    pub positions: &'a [Vec3],
    pub triangles: &'a [[u32; 3]],
    /// Areas of the triangles  \[m²\]
    pub areas: &'a [f64],
}

/// A hinge and its row of C.
type Sense = (usize, Vec3);

impl Folds<'_> {
    /// The forms of all triangles for the angles of all hinges.
    pub fn forms(&self, plate: Plate) -> Vec<Form<3, 6>> {
        let mut sides: Vec<Vec<usize>> = vec![vec![]; self.triangles.len()];
        for (number, hinge) in self.hinges.iter().enumerate() {
            hinge.triangles.iter().for_each(|&t| sides[t].push(number));
        }
        let form = |t: usize| {
            let senses = self.senses(plate, t, &sides);
            (!senses.is_empty()).then(|| self.form(plate, &senses, self.areas[t]))
        };
        (0..self.triangles.len()).filter_map(form).collect()
    }

    /// The hinges that tell the curvature of a triangle: its own, and as long as it has fewer than three, those of its
    /// neighbours that tell most beside them.
    fn senses(&self, plate: Plate, t: usize, sides: &[Vec<usize>]) -> Vec<Sense> {
        let frame = Frame::of(self.triangles[t].map(|v| self.positions[v as usize]));
        let own = |&hinge: &usize| (hinge, self.sensed(&frame, hinge, t, 1.0));
        let mut senses: Vec<Sense> = sides[t].iter().take(3).map(own).collect();
        let mut others: Vec<Sense> = vec![];
        for &shared in sides[t].iter().filter(|_| sides[t].len() < 3) {
            let Some(next) = self.hinges[shared].triangles.into_iter().find(|&other| other != t) else {
                continue;
            };
            let (carried, sign) = self.carried(&frame, shared, t, next);
            let beyond = sides[next].iter().filter(|hinge| !sides[t].contains(hinge));
            others.extend(beyond.map(|&hinge| (hinge, self.sensed(&carried, hinge, next, sign))));
        }
        while senses.len() < 3 {
            let told = |other: &Sense| told(plate, senses.iter().chain([other]).map(|sense| sense.1));
            let best = others.iter().map(|other| (told(other), *other)).max_by(|a, b| a.0.total_cmp(&b.0));
            let Some((_, best)) = best.filter(|(told, _)| *told > ENOUGH) else { break };
            senses.push(best);
            others.retain(|other| other.0 != best.0);
        }
        senses
    }

    fn form(&self, plate: Plate, senses: &[Sense], area: f64) -> Form<3, 6> {
        let mut quantities = [senses[0].0 as u32; 3];
        let mut rows = vec![];
        let mut corners: Vec<u32> = vec![];
        for (k, &(hinge, row)) in senses.iter().enumerate() {
            quantities[k] = hinge as u32;
            rows.push(row);
            corners.extend(self.hinges[hinge].nodes);
        }
        corners.sort_unstable();
        corners.dedup();
        let points = std::array::from_fn(|k| corners.get(k).copied().unwrap_or(corners[0]));
        let matrix = stiffness(plate, &rows) * area;
        Form { quantities, points, matrix: std::array::from_fn(|i| std::array::from_fn(|j| matrix[(i, j)])) }
    }

    /// c of a hinge of triangle t, as what it makes of κ_xx, κ_yy, κ_xy in a frame of the plane of t; `side` is −1 if the frame
    /// sees that plane from behind.
    fn sensed(&self, frame: &Frame, hinge: usize, t: usize, side: f64) -> Vec3 {
        let hinge = &self.hinges[hinge];
        let sign = side * hinge.sign(t, &self.triangles[t]);
        let [a, b, tip, other] = hinge.nodes.map(|v| self.positions[v as usize]);
        let (along, l) = ((b - a).normalize(), (b - a).norm());
        let [s1, s2] = [tip, other].map(|tip| (tip - a).dot(&along));
        let [h1, h2] = [tip - a - along * s1, other - a - along * s2].map(|height| height.norm());
        let (alpha, beta, gamma) =
            (0.5 * (s1 * (s1 - l) / h1 + s2 * (s2 - l) / h2), 0.5 * (s1 - s2), 0.5 * (h1 + h2));
        let [tx, ty] = frame.0.each_ref().map(|axis| axis.dot(&along));
        // Towards the first tip, a quarter turn from the edge: seen from outside it is on the left of it.
        let (nx, ny) = (-ty * sign, tx * sign);
        let sensed = Vec3::new(
            alpha * tx * tx + 2.0 * beta * tx * nx + gamma * nx * nx,
            alpha * ty * ty + 2.0 * beta * ty * ny + gamma * ny * ny,
            2.0 * (alpha * tx * ty + beta * (tx * ny + ty * nx) + gamma * nx * ny),
        );
        sensed * sign
    }

    /// The frame of triangle t turned about the edge of a hinge into the plane of its neighbour, and whether the neighbour
    /// faces the same way, 1, or the other, −1.
    fn carried(&self, frame: &Frame, shared: usize, t: usize, next: usize) -> (Frame, f64) {
        let hinge = &self.hinges[shared];
        let sign = [t, next].map(|t| hinge.sign(t, &self.triangles[t])).iter().product();
        let [a, b] = [0, 1].map(|end| self.positions[hinge.nodes[end] as usize]);
        let along = (b - a).normalize();
        let across = |t: usize, sign: f64| {
            let [a, b, c] = self.triangles[t].map(|v| self.positions[v as usize]);
            ((b - a).cross(&(c - a)) * sign).normalize().cross(&along)
        };
        let (from, to) = (across(t, 1.0), across(next, sign));
        (Frame(frame.0.map(|axis| along * axis.dot(&along) + to * axis.dot(&from))), sign)
    }
}

/// How much rows of C tell of the curvature: the smallest eigenvalue of C Q⁻¹ Cᵀ as a part of the largest.
fn told(plate: Plate, rows: impl Iterator<Item = Vec3>) -> f64 {
    let rows: Vec<Vec3> = rows.collect();
    let flexible = flexible(plate, &rows);
    let eigenvalues = flexible.view((0, 0), (rows.len(), rows.len())).clone_owned().symmetric_eigenvalues();
    eigenvalues.min() / eigenvalues.max()
}

/// C Q⁻¹ Cᵀ for the rows of C in the components κ_xx, κ_yy, κ_xy, with zeros for rows that are not there; with
/// Q = D (1, ν; ν, 1) on the first two and 2 D (1 − ν) on the last.
fn flexible(plate: Plate, rows: &[Vec3]) -> Matrix3<f64> {
    let Plate { rigidity, poisson } = plate;
    let (soft, twist) = (1.0 / (rigidity * (1.0 - poisson * poisson)), 0.5 / (rigidity * (1.0 - poisson)));
    let inverse = Matrix3::new(1.0, -poisson, 0.0, -poisson, 1.0, 0.0, 0.0, 0.0, twist / soft) * soft;
    Matrix3::from_fn(|i, j| match (rows.get(i), rows.get(j)) {
        (Some(a), Some(b)) => a.dot(&(inverse * b)),
        _ => 0.0,
    })
}

/// (C Q⁻¹ Cᵀ)⁻¹, with zeros for rows that are not there.
fn stiffness(plate: Plate, rows: &[Vec3]) -> Matrix3<f64> {
    let eigen = SymmetricEigen::new(flexible(plate, rows));
    let least = BELIEVED * eigen.eigenvalues.max();
    // Rows that are not there have eigenvalues of zero, and vectors along them alone.
    let mut sum = Matrix3::zeros();
    for (value, vector) in eigen.eigenvalues.iter().zip(eigen.eigenvectors.column_iter()) {
        let vector = Vec3::from_fn(|i, _| if i < rows.len() { vector[i] } else { 0.0 });
        if vector.norm_squared() > 0.5 && least > 0.0 {
            sum += vector * vector.transpose() / value.max(least);
        }
    }
    sum
}

/// Two directions in the plane of a triangle.
struct Frame([Vec3; 2]);

impl Frame {
    fn of([a, b, c]: [Vec3; 3]) -> Frame {
        let first = (b - a).normalize();
        let second = (b - a).cross(&(c - a)).cross(&first).normalize();
        Frame([first, second])
    }
}

impl HingeEdge {
    /// Whether the angle counts as its triangle t sees it, or the other way round.
    fn sign(&self, t: usize, triangle: &[u32; 3]) -> f64 {
        let [a, b, ..] = self.nodes;
        let runs = |from: u32, to: u32| (0..3).any(|k| [triangle[k], triangle[(k + 1) % 3]] == [from, to]);
        let agrees = if self.triangles[0] == t { runs(a, b) } else { runs(b, a) };
        if agrees { 1.0 } else { -1.0 }
    }
}
