//! Keep a volume. C = (x₂ − x₁)·((x₃ − x₁) × (x₄ − x₁)) / 6, with its sign: it also resists turning inside out.

use super::Network;
use super::batch::{Batch, Element};
use super::form::Quantity;
use super::keeper::{Keeper, Vec3x8, cross, dot, minus, plus, squares, times};
use super::order::in_twos;
use super::point_rows::PointRows;
use crate::Vec3;
use crate::flat::first_flat;
use crate::lanes::{LANES, Lanes, Mat3x8, splat};

/// The volume of a tetrahedron, or of the virtual one that two triangles with a common edge span.
///
/// A tetrahedron of a body that fills space also has a wall against becoming flat. With J = V/V₀, below J₀ = 1/5 it adds
/// w V₀² b(J), b = −(J − J₀)² ln(J/J₀), which is zero with its first and second derivative at J₀ and grows without bound at 0.
/// Implicit steps ask when a tetrahedron would be flat and never pass that; an explicit step that is too long may, and
/// then finds the force of J = 1/100, which pushes back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Volume {
    /// 1 if the volume is kept, 0 if there is only the wall.
    hold: f64,
    /// w.
    wall: f64,
}

/// J₀: the part of the volume at which the wall begins.
const BEGINS: f64 = 0.2;
/// Part of the volume whose force a tetrahedron has that is inside out.
const INSIDE_OUT: f64 = 0.01;

/// b, b′ and b″ at J.
fn wall(j: f64) -> [f64; 3] {
    if j >= BEGINS {
        return [0.0; 3];
    }
    if j <= 0.0 {
        let [energy, slope, _] = wall(INSIDE_OUT);
        return [energy + slope * (j - INSIDE_OUT), slope, 0.0];
    }
    let (d, log) = (j - BEGINS, (j / BEGINS).ln());
    [-d * d * log, -2.0 * d * log - d * d / j, -2.0 * log - 4.0 * d / j + d * d / (j * j)]
}

/// Six times the volume and its gradient.
#[inline(always)]
fn six_volumes([x1, x2, x3, x4]: &[Vec3x8; 4]) -> (Lanes, [Vec3x8; 4]) {
    let (e1, e2, e3) = (minus(x2, x1), minus(x3, x1), minus(x4, x1));
    let (g2, g3, g4) = (cross(&e2, &e3), cross(&e3, &e1), cross(&e1, &e2));
    let g1 = plus(&plus(&g2, &g3), &g4).map(|x| -x);
    (dot(&e1, &g2), [g1, g2, g3, g4])
}

impl Volume {
    /// A volume that is kept.
    pub const KEPT: Volume = Volume { hold: 1.0, wall: 0.0 };

    /// A tetrahedron that fills space, kept or not, with a wall of the stiffness w relative to its own.
    pub fn walled(kept: bool, wall: f64) -> Volume {
        Volume { hold: if kept { 1.0 } else { 0.0 }, wall }
    }

    /// Whether its tetrahedra fill space and cannot be flat.
    pub(super) fn has_wall(&self) -> bool {
        self.wall > 0.0
    }

    /// The wall's part of energy, ∂/∂V and ∂²/∂V², where a lane has come to it.
    #[inline(always)]
    fn at_wall(&self, volume: Lanes, rest: Lanes) -> Option<[Lanes; 3]> {
        let near = self.wall > 0.0 && volume.simd_lt(rest * splat(BEGINS)).any();
        near.then(|| self.near_wall(volume, rest))
    }

    #[inline(never)]
    fn near_wall(&self, volume: Lanes, rest: Lanes) -> [Lanes; 3] {
        let (volume, rest) = (volume.to_array(), rest.to_array());
        let parts: [[f64; 3]; LANES] = std::array::from_fn(|lane| {
            let [energy, slope, curvature] = wall(volume[lane] / rest[lane]);
            [energy * rest[lane] * rest[lane], slope * rest[lane], curvature].map(|part| self.wall * part)
        });
        [0, 1, 2].map(|k| Lanes::new(parts.map(|part| part[k])))
    }

    /// −∂/∂V of the energy.
    #[inline(always)]
    pub(super) fn push(&self, volume: Lanes, rest: Lanes) -> Lanes {
        let kept = (rest - volume) * splat(self.hold);
        match self.at_wall(volume, rest) {
            None => kept,
            Some([_, slope, _]) => kept - slope,
        }
    }

    /// That of one tetrahedron  \[m³\]
    pub(super) fn of([a, b, c, d]: [Vec3; 4]) -> f64 {
        (b - a).dot(&(c - a).cross(&(d - a))) / 6.0
    }
}

impl Keeper<4> for Volume {
    #[inline(always)]
    fn energy(&self, x: &[Vec3x8; 4], rest: Lanes) -> Lanes {
        let volume = self.value(x);
        let change = volume - rest;
        let kept = splat(0.5 * self.hold) * change * change;
        self.at_wall(volume, rest).map_or(kept, |[energy, ..]| kept + energy)
    }

    #[inline(always)]
    fn force(&self, x: &[Vec3x8; 4], rest: Lanes) -> [Vec3x8; 4] {
        let (six, gradient) = six_volumes(x);
        let push = self.push(six * splat(1.0 / 6.0), rest) * splat(1.0 / 6.0);
        gradient.map(|g| times(&g, push))
    }

    fn curvature(&self, x: &[Vec3x8; 4], rest: Lanes) -> [[Mat3x8; 4]; 4] {
        let (six, gradient) = six_volumes(x);
        let hold = splat(self.hold);
        let wall = self.at_wall(six * splat(1.0 / 6.0), rest);
        // ∂²/∂V² ≥ 0: its root goes to both sides
        let root = wall.map_or(hold, |[.., curvature]| hold + curvature).sqrt() * splat(1.0 / 6.0);
        squares(&gradient.map(|g| times(&g, root)))
    }

    #[inline(always)]
    fn value(&self, [x1, x2, x3, x4]: &[Vec3x8; 4]) -> Lanes {
        dot(&minus(x2, x1), &cross(&minus(x3, x1), &minus(x4, x1))) * splat(1.0 / 6.0)
    }

    fn order(elements: &[Element<4>]) -> (Vec<Element<4>>, usize) {
        in_twos(elements)
    }

    fn add_forces(batch: &Batch<4, Volume>, rows: &mut PointRows, memory: &[f64]) {
        batch.add_pushes(rows, memory);
    }
}

impl Quantity<4> for Volume {
    #[inline(always)]
    fn gradient(&self, x: &[Vec3x8; 4]) -> [Vec3x8; 4] {
        six_volumes(x).1.map(|g| times(&g, splat(1.0 / 6.0)))
    }
}

impl Network {
    /// Smallest fraction of the motion dq at which a tetrahedron with a wall would be flat; infinite if none would. One that
    /// is flat or inside out already is free to come back.
    pub fn first_flat(&self, q: &[Vec3], dq: &[Vec3]) -> f64 {
        if !self.volumes.law.has_wall() {
            return f64::INFINITY;
        }
        let packs = self.volumes.nodes.iter().map(|nodes| {
            let edges = |x: &[Vec3]| {
                let edge = |lane: usize, column: usize| {
                    let [a, b] = [nodes[lane][0], nodes[lane][column + 1]].map(|node| node as usize);
                    x[self.first + b] - x[self.first + a]
                };
                let all: [[Vec3; 3]; LANES] =
                    std::array::from_fn(|lane| std::array::from_fn(|k| edge(lane, k)));
                Mat3x8::from_fn(|i, j| Lanes::new(all.map(|lane| lane[j][i])))
            };
            let (now, change) = (edges(q), edges(dq));
            let upright = (now.cofactor().dot(&now)).simd_gt(splat(0.0));
            let unit = |i: usize, j: usize| splat(if i == j { 1.0 } else { 0.0 });
            let now = Mat3x8::from_fn(|i, j| upright.select(now.0[i][j], unit(i, j)));
            let change = Mat3x8::from_fn(|i, j| upright.select(change.0[i][j], splat(0.0)));
            first_flat(&now, &change)
        });
        packs.fold(f64::INFINITY, f64::min)
    }
}
