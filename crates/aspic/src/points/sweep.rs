//! The forces of springs and of volumes: most of the work of a body of mass points.
//!
//! Only differences of points matter to them, and each force has one or two opposite ones. So differences are taken
//! row by row before they become packs, and sums after packs are rows again: fewer shuffles than for any other law.

use super::batch::Batch;
use super::keeper::{cross, dot, minus, plus, times};
use super::point_rows::PointRows;
use super::{Distance, Volume};
use crate::lanes::{Lanes, splat};

/// Packs of springs that go together.
const TOGETHER: usize = 16;

impl Batch<2, Distance> {
    /// Adds the pull of springs, to one end and against the other.
    ///
    /// The inverse root is a long chain of operations that wait for each other. A few packs go through each of three
    /// short loops instead of each through a long one, so that the machine can work on many chains at once.
    pub(super) fn add_pulls(&self, rows: &mut PointRows, memory: &[f64]) {
        let mut pulls = [[Lanes::ZERO; 3]; TOGETHER];
        for first in (0..self.nodes.len()).step_by(TOGETHER) {
            let packs = first..self.nodes.len().min(first + TOGETHER);
            let nodes = &self.nodes[packs.clone()];
            for (d, nodes) in pulls.iter_mut().zip(nodes) {
                *d = rows.edges(|lane| nodes[lane][1], |lane| nodes[lane][0]);
            }
            for (d, pack) in pulls.iter_mut().zip(packs) {
                *d = times(d, self.law.pull(d, self.rest(pack, memory)) * self.stiffness[pack]);
            }
            for (pull, nodes) in pulls.iter().zip(nodes) {
                rows.add_opposite(*pull, nodes);
            }
        }
    }
}

impl Batch<4, Volume> {
    /// Adds the push of volumes: of twins together, of all others one by one.
    ///
    /// Twins a b c d and a c b e with the edges u = b − a, v = c − a, s = d − a, t = e − a and n = u × v have the
    /// volumes n·s/6 and −n·t/6. With the pushes f and g, the forces are f n on d, −g n on e, v × w on b and w × u on c
    /// where w = f s − g t, and their opposite on a.
    pub(super) fn add_pushes(&self, rows: &mut PointRows, memory: &[f64]) {
        for first in (0..self.paired).step_by(2) {
            let [nodes, others] = [&self.nodes[first], &self.nodes[first + 1]];
            let edge = |corner: usize| rows.edges(|lane| nodes[lane][corner], |lane| nodes[lane][0]);
            let [u, v, s] = [edge(1), edge(2), edge(3)];
            let t = rows.edges(|lane| others[lane][3], |lane| nodes[lane][0]);
            let n = cross(&u, &v);
            let f = self.push(first, dot(&n, &s), memory);
            let g = self.push(first + 1, -dot(&n, &t), memory);
            let w = minus(&times(&s, f), &times(&t, g));
            let (on_b, on_c, on_d, on_e) = (cross(&v, &w), cross(&w, &u), times(&n, f), times(&n, -g));
            let on_a = plus(&plus(&on_b, &on_c), &plus(&on_d, &on_e)).map(|x| -x);
            for (corner, force) in [on_a, on_b, on_c, on_d].into_iter().enumerate() {
                rows.add(force, |lane| nodes[lane][corner]);
            }
            rows.add(on_e, |lane| others[lane][3]);
        }
        self.add_force_of(self.paired..self.nodes.len(), rows, memory);
    }

    /// −⅙ ∂P/∂V of a pack that has six times the volume V.
    #[inline(always)]
    fn push(&self, pack: usize, six: Lanes, memory: &[f64]) -> Lanes {
        let sixth = splat(1.0 / 6.0);
        self.law.push(six * sixth, self.rest(pack, memory)) * sixth * self.stiffness[pack]
    }
}
