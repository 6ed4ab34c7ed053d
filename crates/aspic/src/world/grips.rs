//! Contacts that multipliers hold, as springs of infinite stiffness: Liesenfeld & Stolfi 1997, section 6.
//!
//! Two points that have met stick, Σ c x = a in three rows, or slide without friction, in one. The contact force must push.
//! When its multiplier would change sign, [`World::loosen`] takes the contact away.

use super::{ForceError, Multipliers, Workspace, World};
use crate::Vec3;
use crate::constraint::{Foot, Row, Way};
use crate::event::{Meeting, Spring, SpringContact};
use crate::state::{Rates, State};

/// New contacts move nothing farther than this many times their gap.
const HAIRS: f64 = 100.0;

impl World {
    /// The contacts of a state that multipliers hold.
    fn each_grip<'a>(&'a self, state: &'a State) -> impl Iterator<Item = (&'a SpringContact, Spring)> + 'a {
        let rigid = self.springs.iter().filter(|contact| contact.rigid);
        rigid.flat_map(|contact| contact.springs(&state.memory).map(move |spring| (contact, spring)))
    }

    /// Whether there are any.
    pub(crate) fn grips(&self, state: &State) -> bool {
        self.each_grip(state).next().is_some()
    }

    /// Their rows: three of a contact that sticks, one of a contact that slides.
    pub(super) fn add_grip_rows(&self, state: &State, rows: &mut Vec<Row>) {
        for (contact, spring) in self.each_grip(state) {
            if contact.friction.is_some() {
                rows.push(self.sliding_row(contact, &spring, state));
                continue;
            }
            let (nodes, off) = (self.nodes_of(&spring), spring.stretch(|point| self.place(&state.q, point)));
            rows.extend((0..3).map(|axis| {
                let gradient = |k: usize| (nodes[k], Vec3::ith(axis, spring.weights[k]));
                match spring.meeting {
                    Meeting::VertexWall(_) => Row::new([gradient(0)], off[axis]),
                    _ => Row::new([0, 1, 2, 3].map(gradient), off[axis]),
                }
            }));
        }
    }

    /// Surfaces that multipliers hold have a node for each point.
    fn nodes_of(&self, spring: &Spring) -> [u32; 4] {
        spring.points.map(|point| self.embedding.node(point as usize).unwrap_or(0))
    }

    fn sliding_row(&self, contact: &SpringContact, spring: &Spring, state: &State) -> Row {
        let nodes = self.nodes_of(spring);
        let way = match spring.meeting {
            Meeting::VertexWall(number) => {
                let wall = &contact.walls[number as usize];
                let height = (state.q[nodes[0] as usize] - wall.point).dot(&wall.normal);
                return Row::single(nodes[0], wall.normal, height - contact.gap);
            }
            Meeting::VertexFace => Way::Face,
            Meeting::EdgeEdge => Way::Edge,
        };
        let row = Foot { way, nodes, gap: contact.gap }.row(state);
        // A face without area, or parallel edges, have no normal to push along.
        row.map_or(Row::single(nodes[0], Vec3::zeros(), 0.0), |(row, _)| row)
    }

    /// Normal force of each contact that multipliers hold; positive forces push  \[N\]
    pub(crate) fn pushes(
        &self,
        state: &State,
        rates: &mut Rates,
        work: &mut Workspace,
        out: &mut Vec<f64>,
    ) -> Result<(), ForceError> {
        out.clear();
        self.rates(state, rates, work)?;
        let mut rows = work.multipliers.grips();
        for (contact, spring) in self.each_grip(state) {
            let Some((_, first)) = rows.next() else { break };
            if contact.friction.is_some() {
                out.push(first);
                continue;
            }
            let force = Vec3::new(first, rows.next().map_or(0.0, |r| r.1), rows.next().map_or(0.0, |r| r.1));
            let normal = contact.normal(&spring, &|point| self.place(&state.q, point));
            out.push(force.dot(&normal) / normal.norm().max(f64::MIN_POSITIVE));
        }
        Ok(())
    }

    /// Force of contacts that multipliers hold on each node, from the last rates in the workspace  \[N\]
    pub(crate) fn grip_forces(&self, work: &Workspace, out: &mut [Vec3]) {
        for (row, push) in work.multipliers.grips() {
            row.terms().iter().for_each(|(node, gradient)| out[*node as usize] += gradient * push);
        }
    }

    /// Two points that have met, as a contact that multipliers hold. It keeps them apart by a hair, so that rounding
    /// never puts one inside the other.
    pub(super) fn gripped(&self, contact: &SpringContact, state: &State, spring: Spring) -> Spring {
        let place = |point: u32| self.place(&state.q, point);
        let off = match spring.meeting {
            // Its foot is where it is.
            Meeting::VertexWall(number) => {
                let (wall, x) = (&contact.walls[number as usize], place(spring.points[0]));
                let lift = contact.gap - (x - wall.point).dot(&wall.normal);
                x + wall.normal * lift.max(0.0)
            }
            // Foot above foot, so that what pushes them apart turns nothing.
            _ if contact.friction.is_some() => {
                contact.normal(&spring, &place).try_normalize(0.0).unwrap_or_default() * contact.gap
            }
            // What sticks stays as far apart as it is.
            _ => self.way_between(contact, &spring, state),
        };
        let spring = contact.with_nearest_feet(spring, &place);
        Spring { place: off, stiffness: f64::INFINITY, ..spring }
    }

    /// The way from foot to foot, at least the gap along the normal  \[m\]
    fn way_between(&self, contact: &SpringContact, spring: &Spring, state: &State) -> Vec3 {
        let place = |point: u32| self.place(&state.q, point);
        let normal = contact.normal(spring, &place).try_normalize(0.0).unwrap_or_default();
        let nearest = contact.with_nearest_feet(Spring { place: Vec3::zeros(), ..*spring }, &place);
        let way = nearest.stretch(place);
        let height = way.dot(&normal);
        way + normal * (contact.gap - height).max(0.0)
    }

    /// Puts a state onto its new contacts: an impact without bounce, in which all contacts hold. It costs kinetic energy,
    /// ½ (N v)ᵀ (N M⁻¹ Nᵀ)⁻¹ N v. What sticks changes its place by a hair, or not at all.
    pub(crate) fn strike(&self, state: &mut State, work: &mut Workspace) -> Result<(), ForceError> {
        let (stored, before) = (self.stored_energy(state, work), state.q.clone());
        let struck = Multipliers::project_places(self, state, work);
        let moved = before.iter().zip(&state.q).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
        let hair = self.springs.as_ref().map_or(0.0, |contact| contact.gap);
        let slides = self.springs.as_ref().is_some_and(|contact| contact.friction.is_some());
        if slides {
            struck?;
        } else if struck.is_err() || moved > HAIRS * hair {
            // Feet that nearly coincide would have to be pried apart by much more than the gap.
            state.q.clone_from(&before);
            self.hold_in_place(state);
        }
        state.accounts.numerical_loss += stored - self.stored_energy(state, work);
        let kinetic = self.inertia.energy(&state.v);
        Multipliers::project_velocities(self, state, work);
        state.accounts.impact_loss += kinetic - self.inertia.energy(&state.v);
        Ok(())
    }

    /// Lets all contacts hold what they hold where it is.
    fn hold_in_place(&self, state: &mut State) {
        let Some(contact) = self.springs.as_ref().filter(|contact| contact.rigid) else { return };
        let held = |spring: Spring| {
            let off = spring.stretch(|point| self.place(&state.q, point));
            Spring { place: spring.place + off, ..spring }
        };
        let all: Vec<Spring> = contact.springs(&state.memory).map(held).collect();
        state.memory.truncate(contact.memory);
        all.iter().for_each(|spring| state.memory.extend(spring.to_array()));
    }

    /// Takes away the contacts of some numbers.
    pub(crate) fn loosen(&self, state: &mut State, mut goes: impl FnMut(usize) -> bool) {
        let Some(contact) = self.springs.as_ref().filter(|contact| contact.rigid) else { return };
        let all: Vec<Spring> = contact.springs(&state.memory).collect();
        state.memory.truncate(contact.memory);
        for (number, spring) in all.iter().enumerate() {
            if !goes(number) {
                state.memory.extend(spring.to_array());
            }
        }
    }
}
