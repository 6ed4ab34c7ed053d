//! Hinges that bend like a plate.
//!
//! A plate of rigidity D and Poisson ratio ν stores ½ κ·Qκ = ½ D ((κ₁ + κ₂)² − 2(1 − ν) κ₁κ₂) per area at the curvature κ. A
//! surface of triangles knows curvature by the angles of its hinges only. Morley's plate tells how: the edges of a
//! triangle of area A have slopes of their own in their middle. With αᵢ, the angle between that slope and the triangle,
//!   κ = Σ αᵢ lᵢ nᵢ⊗nᵢ / A,
//! and at every hinge the angles of its two triangles add up to θ. On a paraboloid z = ½ x·κx a triangle with the
//! edge t of length l, its tip at the height H over the edge and at s along it, has
//!   α = c:κ,  c = ½ (s(s − l)/H t⊗t + (s − l/2)(t⊗n + n⊗t) + H n⊗n).
//! So a hinge of the triangles 1 and 2 splits as α₁ = ½ (θ + d:κ), α₂ = ½ (θ − d:κ), d = c₁ − c₂, with the curvature κ that
//! the hinges around it tell. Then
//! - uniform curvature has the energy of the plate on any triangles, as each of them finds κ;
//! - uniform moments M pull at a hinge with l n·Mn, which leaves no force on any point inside, whatever d is;
//! - energies are never below those of Morley's plate, which converges, so that no rough shape bends freely.
//!
//! Angles that each keep themselves alone cannot do that. Quadratics through the six corners around each triangle have the
//! first of these but not the second, and bend a third too easily where diagonals alternate.
//!
//! At a rim there is no other triangle: α = c:κ there, with the κ of the hinges nearby.

use nalgebra::{Matrix3, SymmetricEigen};

use super::edges::HingeEdge;
use crate::Vec3;

/// Smallest eigenvalue of Σ c⊗c, as a part of the largest, with which hinges tell the curvature.
const ENOUGH: f64 = 0.02;
/// How many rings of triangles are asked beside the nearest.
const RINGS: usize = 3;
/// What is below this part of its own kind is rounding.
const NOTHING: f64 = 1e-9;

/// Flexural rigidity \[N m\] and Poisson ratio.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plate {
    pub rigidity: f64,
    pub poisson: f64,
}

/// Hinges, and what the angle of each adds to three moments: the energy of a triangle is half the square of their sum.
pub(super) type Moments = Vec<(usize, Vec3)>;

/// Hinges, and the weights of their angles in a sum.
type Angles = Vec<(usize, f64)>;

/// A sheet that bends like a plate.
pub(super) struct Creases<'a> {
    hinges: &'a [HingeEdge],
    positions: &'a [Vec3],
    triangles: &'a [[u32; 3]],
    /// The hinges of every triangle.
    sides: Vec<Vec<usize>>,
    /// R with RᵀR = Q/D for κ as xx, yy, √2 xy: Q = D (1, ν; ν, 1) on the first two and D (1 − ν) on the last.
    root: Matrix3<f64>,
    /// R⁻ᵀ: what is told of κ counts by energy, so that a ribbon, which nothing tells how it curls, curls as it likes.
    inverse: Matrix3<f64>,
}

/// A triangle seen from another: two directions in its plane that are those of the other, turned about the edges between
/// them, and whether it faces the same way, 1, or the other, −1.
#[derive(Clone, Copy)]
struct View {
    triangle: usize,
    axes: [Vec3; 2],
    side: f64,
}

/// An edge of a triangle: its length, where the tip lies over it, and the directions along it and to the tip.
struct Edge {
    length: f64,
    s: f64,
    height: f64,
    along: Vec3,
    inward: Vec3,
}

impl Edge {
    fn new([a, b, tip]: [Vec3; 3]) -> Edge {
        let length = (b - a).norm();
        let along = (b - a) / length;
        let s = (tip - a).dot(&along);
        let up = tip - a - along * s;
        Edge { length, s, height: up.norm(), along, inward: up.normalize() }
    }

    /// c of a triangle on the side of `inward`, 1, or on the other, −1, with the tip at s and the height H.
    fn part(&self, view: &View, side: f64, s: f64, height: f64) -> Vec3 {
        let t = view.axes.map(|axis| axis.dot(&self.along));
        let n = view.axes.map(|axis| axis.dot(&self.inward) * side);
        let along = outer(t, t) * (s * (s - self.length) / height);
        (along + outer(t, n) * (2.0 * s - self.length) + outer(n, n) * height) * 0.5
    }

    /// l n⊗n.
    fn pull(&self, view: &View) -> Vec3 {
        let n = view.axes.map(|axis| axis.dot(&self.inward));
        outer(n, n) * self.length
    }
}

/// The symmetric part of a⊗b as xx, yy, √2 xy, so that products of tensors are products of vectors.
fn outer(a: [f64; 2], b: [f64; 2]) -> Vec3 {
    Vec3::new(a[0] * b[0], a[1] * b[1], std::f64::consts::FRAC_1_SQRT_2 * (a[0] * b[1] + a[1] * b[0]))
}

impl<'a> Creases<'a> {
    /// How every triangle bends by the angles of hinges.
    pub fn moments(
        plate: Plate,
        hinges: &'a [HingeEdge],
        positions: &'a [Vec3],
        triangles: &'a [[u32; 3]],
    ) -> Vec<Moments> {
        let mut sides: Vec<Vec<usize>> = vec![vec![]; triangles.len()];
        for (number, hinge) in hinges.iter().enumerate() {
            hinge.triangles.iter().for_each(|&t| sides[t].push(number));
        }
        let (root, inverse) = roots(plate.poisson);
        let creases = Creases { hinges, positions, triangles, sides, root, inverse };
        let splits: Vec<Angles> = (0..hinges.len()).map(|hinge| creases.split(hinge)).collect();
        (0..triangles.len()).map(|t| creases.bent(plate.rigidity, t, &splits)).collect()
    }

    /// d:κ of a hinge by the angles around it, as its first triangle sees it.
    fn split(&self, hinge: usize) -> Angles {
        let [first, second] = self.hinges[hinge].triangles;
        let view = self.own_view(first);
        let [mine, other] = self.parts(hinge, &view);
        let difference = mine - other;
        match difference.norm() > NOTHING * (mine.norm() + other.norm()) {
            true => self.told(difference, vec![view, self.across(&view, hinge, second)]),
            false => vec![],
        }
    }

    /// √A R κ of a triangle.
    fn bent(&self, rigidity: f64, t: usize, splits: &[Angles]) -> Moments {
        let view = self.own_view(t);
        let scale = self.root * (rigidity / self.area(t)).sqrt();
        let mut moments: Moments = vec![];
        let mut add = |hinge: usize, pull: Vec3| match moments.iter_mut().find(|known| known.0 == hinge) {
            Some(known) => known.1 += scale * pull,
            None => moments.push((hinge, scale * pull)),
        };
        for &hinge in &self.sides[t] {
            let pull = self.edge(hinge, t).pull(&view) * 0.5;
            let own = self.sign(hinge, t);
            add(hinge, pull * own);
            // α₁ = ½ (θ + d:κ) of the first triangle, α₂ = ½ (θ − d:κ) of the other, which may face the other way
            let first = self.hinges[hinge].triangles[0];
            let turned = if first == t { 1.0 } else { -own * self.sign(hinge, first) };
            splits[hinge].iter().for_each(|&(other, weight)| add(other, pull * (weight * turned)));
        }
        for edge in self.rims(t) {
            let told = self.told(edge.part(&view, 1.0, edge.s, edge.height), vec![view]);
            told.iter().for_each(|&(hinge, weight)| add(hinge, edge.pull(&view) * weight));
        }
        moments
    }

    /// The weights of angles, of the least squares, that tell f:κ. Rings of triangles are added until they tell enough.
    fn told(&self, functional: Vec3, mut views: Vec<View>) -> Angles {
        let mut felt: Moments = vec![];
        let mut known = 0;
        for _ in 0..=RINGS {
            let ring = known..views.len();
            known = ring.end;
            ring.for_each(|k| self.ask(k, &mut views, &mut felt));
            if enough(&felt) || known == views.len() {
                break;
            }
        }
        weights(self.inverse * functional, &felt)
    }

    /// Adds what the hinges of a view feel, and the triangles beyond them to the views.
    fn ask(&self, k: usize, views: &mut Vec<View>, felt: &mut Moments) {
        let view = views[k];
        for &hinge in &self.sides[view.triangle] {
            if felt.iter().all(|known| known.0 != hinge) {
                let [mine, other] = self.parts(hinge, &view);
                let sign = view.side * self.sign(hinge, view.triangle);
                felt.push((hinge, self.inverse * (mine + other) * sign));
            }
            let [_, beyond] = self.both(hinge, view.triangle);
            if views.iter().all(|view| view.triangle != beyond) {
                views.push(self.across(&view, hinge, beyond));
            }
        }
    }

    fn corners(&self, t: usize) -> [Vec3; 3] {
        self.triangles[t].map(|v| self.positions[v as usize])
    }

    fn area(&self, t: usize) -> f64 {
        let [a, b, c] = self.corners(t);
        0.5 * (b - a).cross(&(c - a)).norm()
    }

    fn own_view(&self, t: usize) -> View {
        let [a, b, c] = self.corners(t);
        let first = (b - a).normalize();
        let second = (b - a).cross(&(c - a)).cross(&first).normalize();
        View { triangle: t, axes: [first, second], side: 1.0 }
    }

    /// The edge of a hinge as one of its triangles has it.
    fn edge(&self, hinge: usize, t: usize) -> Edge {
        let found = &self.hinges[hinge];
        let [a, b, tip, other] = found.nodes.map(|v| self.positions[v as usize]);
        Edge::new([a, b, if found.triangles[0] == t { tip } else { other }])
    }

    /// Edges of a triangle that are no hinges.
    fn rims(&self, t: usize) -> impl Iterator<Item = Edge> + '_ {
        let corners = self.triangles[t];
        let turned = (0..3).map(move |k| [corners[k], corners[(k + 1) % 3], corners[(k + 2) % 3]]);
        let is_hinge = move |ends: &[u32]| {
            self.sides[t].iter().any(|&hinge| self.hinges[hinge].nodes[..2].iter().all(|v| ends.contains(v)))
        };
        turned
            .filter(move |nodes| !is_hinge(&nodes[..2]))
            .map(|nodes| Edge::new(nodes.map(|v| self.positions[v as usize])))
    }

    /// c of the triangle of a view at one of its hinges, and of the triangle beyond.
    fn parts(&self, hinge: usize, view: &View) -> [Vec3; 2] {
        let [mine, other] = self.both(hinge, view.triangle).map(|t| self.edge(hinge, t));
        [mine.part(view, 1.0, mine.s, mine.height), mine.part(view, -1.0, other.s, other.height)]
    }

    /// The triangles of a hinge, t first.
    fn both(&self, hinge: usize, t: usize) -> [usize; 2] {
        let [a, b] = self.hinges[hinge].triangles;
        if a == t { [a, b] } else { [b, a] }
    }

    /// The triangle beyond a hinge of a view.
    fn across(&self, view: &View, hinge: usize, beyond: usize) -> View {
        let turned = self.sign(hinge, view.triangle) * self.sign(hinge, beyond);
        let [from, to] = [view.triangle, beyond].map(|t| self.edge(hinge, t));
        let turn = |axis: Vec3| from.along * axis.dot(&from.along) - to.inward * axis.dot(&from.inward);
        View { triangle: beyond, axes: view.axes.map(turn), side: view.side * turned }
    }

    /// Whether the angle of a hinge counts as its triangle t sees it, or the other way round.
    fn sign(&self, hinge: usize, t: usize) -> f64 {
        let HingeEdge { nodes: [a, b, ..], triangles } = self.hinges[hinge];
        let corners = self.triangles[t];
        let runs = |from: u32, to: u32| (0..3).any(|k| [corners[k], corners[(k + 1) % 3]] == [from, to]);
        let agrees = if triangles[0] == t { runs(a, b) } else { runs(b, a) };
        if agrees { 1.0 } else { -1.0 }
    }
}

/// Σ c⊗c.
fn squares(felt: &[(usize, Vec3)]) -> SymmetricEigen<f64, nalgebra::Const<3>> {
    SymmetricEigen::new(felt.iter().map(|(_, c)| c * c.transpose()).sum())
}

fn enough(felt: &[(usize, Vec3)]) -> bool {
    let eigenvalues = squares(felt).eigenvalues;
    eigenvalues.min() > ENOUGH * eigenvalues.max()
}

/// c·(Σ c⊗c)⁻¹ f of every hinge. Of what they hardly tell, little is made.
fn weights(functional: Vec3, felt: &[(usize, Vec3)]) -> Angles {
    let eigen = squares(felt);
    let least = ENOUGH * eigen.eigenvalues.max();
    let mut solution = Vec3::zeros();
    if least > 0.0 {
        for (value, vector) in eigen.eigenvalues.iter().zip(eigen.eigenvectors.column_iter()) {
            solution += vector * (vector.dot(&functional) / value.max(least));
        }
    }
    let weights: Angles = felt.iter().map(|(hinge, c)| (*hinge, c.dot(&solution))).collect();
    let largest = weights.iter().map(|(_, weight)| weight.abs()).fold(0.0, f64::max);
    weights.into_iter().filter(|(_, weight)| weight.abs() > NOTHING * largest).collect()
}

/// R, and R⁻ᵀ.
fn roots(poisson: f64) -> (Matrix3<f64>, Matrix3<f64>) {
    let (along, twist) = ((1.0 - poisson * poisson).sqrt(), (1.0 - poisson).sqrt());
    let root = Matrix3::new(1.0, poisson, 0.0, 0.0, along, 0.0, 0.0, 0.0, twist);
    let inverse = Matrix3::new(1.0, 0.0, 0.0, -poisson / along, 1.0 / along, 0.0, 0.0, 0.0, 1.0 / twist);
    (root, inverse)
}
