//! Overlaps at the start: refused by name, or pushed apart. What touches without an overlap, as a box that was put onto the
//! floor, is always moved by a crack.
//!
//! Bodies are moved, not deformed: each overlapping pair is pushed apart along its way out, the heavier body by less,
//! round after round until every gap is open. Obstacles, planes, and bodies that a constraint acts on stay where they
//! are. What overlaps because it was modelled so (a body that crosses itself) is refused in any case.

use super::BuildError;
use super::error::Clash;
use crate::Vec3;
use crate::constraint::Row;
use crate::contact::{Contact, Demand, Overlap, OverlapSearch};
use crate::embedding::Embedding;
use crate::frame::{BodyKind, Topology};
use crate::state::State;
use crate::world::{NamedConstraint, NamedPlane, Shift};

/// Share of the contact distance that is open between bodies afterwards: all of it, so that nothing pushes at first.
const OPEN: f64 = 1.0;
/// The same for bodies that were put exactly onto each other: so little that nobody sees it.
const CRACK: f64 = 0.02;
/// Overlaps below this part of the scene's size are such, and no mistake.
const TOUCH: f64 = 1e-6;
/// After so many rounds of small pushes bodies are moved clear of each other.
const GENTLE: usize = 30;
/// Rounds before giving up.
const ROUNDS: usize = 100;

/// What can be moved, and how hard that is.
pub(super) struct Movable<'a> {
    pub topology: &'a Topology,
    pub embedding: &'a Embedding,
    pub planes: &'a [NamedPlane],
    /// Mass of each body \[kg\]; infinite where it stays.
    pub masses: Vec<f64>,
}

impl<'a> Movable<'a> {
    /// Obstacles stay, and bodies that a constraint acts on.
    pub fn new(
        topology: &'a Topology,
        embedding: &'a Embedding,
        planes: &'a [NamedPlane],
        constraints: &[NamedConstraint],
        node_masses: &[f64],
        state: &State,
    ) -> Movable<'a> {
        let mut rows = vec![];
        constraints.iter().flat_map(|c| &c.laws).for_each(|law| law.add_rows(state, &mut rows));
        let mut held = vec![false; state.q.len()];
        for (node, gradient) in rows.iter().flat_map(Row::terms) {
            held[*node as usize] |= *gradient != Vec3::zeros();
        }
        let mass = |body: &crate::frame::BodyRange| {
            let stays = body.kind == BodyKind::Obstacle || held[body.nodes.clone()].contains(&true);
            if stays { f64::INFINITY } else { node_masses[body.nodes.clone()].iter().sum() }
        };
        let masses = topology.bodies.iter().map(mass).collect();
        Movable { topology, embedding, planes, masses }
    }

    /// Mass of a body or a plane \[kg\].
    fn mass(&self, body: u32) -> f64 {
        self.masses.get(body as usize).copied().unwrap_or(f64::INFINITY)
    }

    fn points(&self, q: &[Vec3]) -> Vec<Vec3> {
        let mut points = vec![Vec3::zeros(); self.embedding.len()];
        self.embedding.positions(q, &mut points);
        points
    }

    /// The error that names what overlaps.
    fn refuse(&self, overlaps: &[Overlap], tried: bool) -> BuildError {
        let name = |body: u32| {
            let bodies = self.topology.bodies.iter().map(|b| &b.name);
            let mut names = bodies.chain(self.planes.iter().map(|p| &p.name));
            names.nth(body as usize).cloned().unwrap_or_default()
        };
        let clash = |o: &Overlap| Clash {
            first: name(o.bodies[0]),
            second: name(o.bodies[1]),
            crossings: o.crossings,
            depth: o.depth,
        };
        BuildError::Overlap { clashes: overlaps.iter().map(clash).collect(), tried }
    }

    /// Refuses overlaps at the start, or moves bodies until there are none; says which moved and how far.
    pub fn settle(
        &self,
        contact: &Contact,
        separate: bool,
        q: &mut [Vec3],
    ) -> Result<Vec<Shift>, BuildError> {
        let mut search = OverlapSearch::new(contact);
        let mut moved = vec![Vec3::zeros(); self.masses.len()];
        let points = self.points(q);
        let size = points.iter().map(|x| (x - points[0]).norm()).fold(0.0, f64::max);
        let touch = |overlaps: &[Overlap]| {
            !overlaps.is_empty() && overlaps.iter().all(|overlap| overlap.depth <= TOUCH * size)
        };
        if separate || touch(&search.find(contact, &points, Demand::STRICT)) {
            for round in 0..ROUNDS {
                let open = if separate { OPEN } else { CRACK };
                // What only touches is not moved far, however many others it touches.
                let demand = Demand { open, far: separate && round >= GENTLE };
                let overlaps = search.find(contact, &self.points(q), demand);
                let shifts = self.shifts(&overlaps);
                if shifts.iter().all(|shift| *shift == Vec3::zeros()) {
                    break;
                }
                for ((body, shift), sum) in self.topology.bodies.iter().zip(&shifts).zip(&mut moved) {
                    q[body.nodes.clone()].iter_mut().for_each(|x| *x += shift);
                    *sum += shift;
                }
            }
        }
        let left = search.find(contact, &self.points(q), Demand::STRICT);
        if !left.is_empty() {
            return Err(self.refuse(&left, separate));
        }
        let moved = moved.into_iter().enumerate().filter(|(_, by)| *by != Vec3::zeros());
        Ok(moved.map(|(body, by)| Shift { body, by }).collect())
    }

    /// One round of pushes; each counts what the ones before have done already.
    fn shifts(&self, overlaps: &[Overlap]) -> Vec<Vec3> {
        let mut shifts = vec![Vec3::zeros(); self.masses.len()];
        for overlap in overlaps {
            let at = |body: u32, shifts: &[Vec3]| shifts.get(body as usize).copied().unwrap_or_default();
            let masses = overlap.bodies.map(|body| self.mass(body));
            let Some(direction) = overlap.push.try_normalize(0.0) else { continue };
            let done = at(overlap.bodies[0], &shifts) - at(overlap.bodies[1], &shifts);
            let way = overlap.push.norm() - direction.dot(&done);
            // The lighter body goes the longer way.
            let shares = match masses.map(f64::is_finite) {
                [true, true] => [masses[1] / (masses[0] + masses[1]), masses[0] / (masses[0] + masses[1])],
                [first, second] => [f64::from(u8::from(first)), f64::from(u8::from(second))],
            };
            for (body, share) in overlap.bodies.into_iter().zip([shares[0], -shares[1]]) {
                if let Some(shift) = shifts.get_mut(body as usize).filter(|_| way > 0.0) {
                    *shift += direction * (share * way);
                }
            }
        }
        shifts
    }
}
