//! Keep a volume. C = (x₂ − x₁)·((x₃ − x₁) × (x₄ − x₁)) / 6, with its sign: it also resists turning inside out.

use super::Network;
use super::batch::{Batch, Element};
use super::fold::Quantity;
use super::keeper::{Keeper, Vec3x8, cross, dot, minus, plus, squares, times};
use super::order::in_twos;
use super::point_rows::PointRows;
use super::solid::{between_corners, raised, volume_stiffness};
use crate::flat::first_flat;
use crate::lanes::{LANES, Lanes, Mat3x8, splat};
use crate::{Mat3, Vec3};

/// The volume of a tetrahedron, or of the virtual one that two triangles with a common edge span.
///
/// A tetrahedron of a body that fills space also has a wall against becoming flat. Below J = V/V₀ = ε, with x = J/ε, it adds
/// w V₀² b, b = ε (1 − x)³/x, which begins with two continuous derivatives and grows without limit at 0. It must grow fast: a
/// block thrown at a wall brings many times the energy that would press it to nothing, and before a wall like a logarithm
/// its tetrahedra would be flatter than numbers tell. Implicit steps ask when a tetrahedron would be flat and never pass
/// that; an explicit step that is too long may, and then finds the force of x = 1/5, which pushes back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Volume {
    /// 1 if the volume is kept, 0 if there is only the wall.
    hold: f64,
    /// w.
    wall: f64,
}

/// ε: the part of the volume at which the wall begins.
const BEGIN: f64 = 0.2;
/// x whose force a tetrahedron has that is inside out.
const INSIDE_OUT: f64 = 0.2;

/// b, b′ and b″ at J.
fn wall(j: f64) -> [f64; 3] {
    let x = j / BEGIN;
    if x >= 1.0 {
        return [0.0; 3];
    }
    if x <= 0.0 {
        let [energy, slope, _] = wall(INSIDE_OUT * BEGIN);
        return [energy + slope * (j - INSIDE_OUT * BEGIN), slope, 0.0];
    }
    let inverse = 1.0 / x;
    [
        BEGIN * (1.0 - x).powi(3) * inverse,
        3.0 - 2.0 * x - inverse * inverse,
        2.0 * (inverse * inverse * inverse - 1.0) / BEGIN,
    ]
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

    /// That of one tetrahedron  \[m³\]
    pub(super) fn of([a, b, c, d]: [Vec3; 4]) -> f64 {
        (b - a).dot(&(c - a).cross(&(d - a))) / 6.0
    }

    /// The wall's part of the energy, of ∂/∂V and of ∂²/∂V².
    fn wall_at(&self, volume: f64, rest: f64) -> [f64; 3] {
        let [energy, slope, curvature] = wall(volume / rest);
        [energy * rest * rest, slope * rest, curvature].map(|part| self.wall * part)
    }

    fn is_near(&self, volume: Lanes, rest: Lanes) -> bool {
        self.wall > 0.0 && volume.simd_lt(rest * splat(BEGIN)).any()
    }

    /// The same of a pack, where a lane has come to the wall.
    #[inline(always)]
    fn at_wall(&self, volume: Lanes, rest: Lanes) -> Option<[Lanes; 3]> {
        self.is_near(volume, rest).then(|| self.near_wall(volume, rest))
    }

    #[inline(never)]
    fn near_wall(&self, volume: Lanes, rest: Lanes) -> [Lanes; 3] {
        let (volume, rest) = (volume.to_array(), rest.to_array());
        let parts: [[f64; 3]; LANES] = std::array::from_fn(|lane| self.wall_at(volume[lane], rest[lane]));
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

    /// Curvatures of a pack with lanes at the wall: those of one at the wall without what is negative, those of others as
    /// everywhere.
    #[inline(never)]
    fn walled_curvature(&self, x: &[Vec3x8; 4], volume: Lanes, rest: Lanes) -> [[Mat3x8; 4]; 4] {
        let (volume, rest) = (volume.to_array(), rest.to_array());
        let corners = x.map(|x| x.map(|axis| axis.to_array()));
        let lanes: [[[Mat3; 4]; 4]; LANES] = std::array::from_fn(|lane| {
            let x = corners.map(|corner| Vec3::from(corner.map(|axis| axis[lane])));
            let [_, slope, curvature] = self.wall_at(volume[lane], rest[lane]);
            let kept = if curvature > 0.0 { self.hold * (volume[lane] - rest[lane]) } else { 0.0 };
            between_corners(&raised(volume_stiffness(&x, slope + kept, curvature + self.hold), 0.0))
        });
        std::array::from_fn(|p| {
            std::array::from_fn(|q| {
                Mat3x8::from_fn(|i, j| Lanes::new(std::array::from_fn(|lane| lanes[lane][p][q][(i, j)])))
            })
        })
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
        let volume = six * splat(1.0 / 6.0);
        match self.is_near(volume, rest) {
            true => self.walled_curvature(x, volume, rest),
            false => squares(&gradient.map(|g| times(&g, splat(self.hold / 6.0)))),
        }
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

impl Quantity for Volume {
    #[inline(always)]
    fn gradient(&self, x: &[Vec3x8; 4]) -> [Vec3x8; 4] {
        six_volumes(x).1.map(|g| times(&g, splat(1.0 / 6.0)))
    }

    fn felt(change: f64) -> (f64, f64) {
        (change, 1.0)
    }
}

impl Batch<4, Volume> {
    /// ∂P/∂V \[Pa\] and ∂²P/∂V² of an element with the volume V.
    pub(super) fn derivatives(&self, number: u32, volume: f64, memory: &[f64]) -> [f64; 2] {
        let (pack, lane) = (number as usize / LANES, number as usize % LANES);
        let rest = self.rest(pack, memory).to_array()[lane];
        let [_, slope, curvature] = self.law.wall_at(volume, rest);
        let hold = self.law.hold;
        [hold * (volume - rest) + slope, hold + curvature]
            .map(|part| part * self.stiffness[pack].to_array()[lane])
    }
}

impl Network {
    /// Smallest fraction of the motion dq at which a tetrahedron with a wall would be flat; infinite if none would. One that
    /// is flat or inside out already is free to come back.
    pub fn first_flat(&self, q: &[Vec3], dq: &[Vec3]) -> f64 {
        if self.volumes.law.wall == 0.0 {
            return f64::INFINITY;
        }
        let first = |nodes: &[[u32; 4]; LANES]| {
            let [now, change] = [q, dq].map(|x| edges(&x[self.nodes()], nodes));
            let upright = now.cofactor().dot(&now).simd_gt(splat(0.0));
            let unit = |i: usize, j: usize| splat(if i == j { 1.0 } else { 0.0 });
            let now = Mat3x8::from_fn(|i, j| upright.select(now.0[i][j], unit(i, j)));
            let change = Mat3x8::from_fn(|i, j| upright.select(change.0[i][j], splat(0.0)));
            first_flat(&now, &change)
        };
        self.volumes.nodes.iter().map(first).fold(f64::INFINITY, f64::min)
    }
}

/// Edges of tetrahedra from their first corners, as columns.
fn edges(x: &[Vec3], nodes: &[[u32; 4]; LANES]) -> Mat3x8 {
    let edge = |lane: usize, column: usize| {
        let [a, b] = [nodes[lane][0], nodes[lane][column + 1]].map(|node| node as usize);
        x[b] - x[a]
    };
    let all: [[Vec3; 3]; LANES] = std::array::from_fn(|lane| std::array::from_fn(|k| edge(lane, k)));
    Mat3x8::from_fn(|i, j| Lanes::new(all.map(|lane| lane[j][i])))
}
