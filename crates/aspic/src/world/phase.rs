//! A span of time with the same constraints in force, and the mass matrix of the vertices that are free in it.

use std::sync::Arc;

use wide::f64x4;

use super::{Load, NamedConstraint};
use crate::Vec3;
use crate::constraint::Motion;
use crate::kinetic::Inertia;
use crate::solve::{Factor, FactorError};
use crate::state::State;

/// From the end of the phase before it to `until`.
#[derive(Clone, Debug)]
pub struct Phase {
    /// It ends here  \[s\]
    pub until: f64,
    /// Nodes that are held: (constraint, node, place \[m\]).
    held: Vec<(usize, usize, Vec3)>,
    /// Laws that move a node: (constraint, law).
    dragged: Vec<(usize, usize)>,
    /// Constraints with multipliers.
    pub exact: Vec<usize>,
    /// Constraints that are springs, with their stiffness  \[N/m\]
    pub springs: Vec<(usize, f64)>,
    /// Loads in force.
    pub loads: Vec<usize>,
    /// The part of the world that can move freely.
    pub free: Arc<Free>,
}

/// The free vertices and what they weigh.
#[derive(Clone, Debug)]
pub struct Free {
    /// Whether each node is free.
    pub mask: Vec<bool>,
    /// Cholesky factor of the free rows of the mass matrix.
    pub factor: Factor,
    /// Place of each node among those touched by multipliers, or `u32::MAX`.
    pub touched: Vec<u32>,
    /// M⁻¹ between touched free nodes  \[1/kg\]
    pub response: Vec<f64>,
    /// Number of touched nodes.
    pub touches: usize,
}

/// Why phases could not be built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PhaseError {
    /// Two constraints want the same vertex.
    HeldTwice {
        /// The constraints, as indices.
        constraints: [usize; 2],
        /// The vertex.
        node: u32,
    },
    /// The mass matrix could not be factored.
    Mass(FactorError),
}

impl Phase {
    /// All phases, in order; the last one never ends. Factors of `known` phases of the same inertia are kept.
    pub fn all(
        inertia: &Inertia,
        constraints: &[NamedConstraint],
        loads: &[Load],
        touched: &[u32],
        known: &[Phase],
    ) -> Result<Vec<Phase>, PhaseError> {
        let load_ends = loads.iter().map(|l| l.until);
        let mut ends: Vec<f64> =
            constraints.iter().map(|c| c.until).chain(load_ends).chain([f64::INFINITY]).collect();
        ends.sort_by(f64::total_cmp);
        ends.dedup();
        let mut phases: Vec<Phase> = vec![];
        for until in ends {
            let active = || (0..constraints.len()).filter(|&c| constraints[c].until >= until);
            let hard = || active().filter(|&c| constraints[c].stiffness.is_none());
            let pinning = |c: usize| constraints[c].laws.iter().any(|law| law.prescribed(0.0).is_some());
            let laws = |c: usize| (0..constraints[c].laws.len()).map(move |l| (c, l));
            let pins: Vec<_> = hard().filter(|&c| pinning(c)).flat_map(laws).collect();
            let mask = free_mask(inertia, constraints, &pins)?;
            let same = |p: &&Phase| p.free.mask == mask && p.free.touches_just(touched);
            let free = match phases.iter().chain(known).find(same) {
                Some(same) => Arc::clone(&same.free),
                None => Arc::new(Free::new(inertia, mask, touched).map_err(PhaseError::Mass)?),
            };
            let exact = hard().filter(|&c| !pinning(c)).collect();
            let springs = active().filter_map(|c| Some((c, constraints[c].stiffness?))).collect();
            let loads = (0..loads.len()).filter(|&l| loads[l].until >= until).collect();
            let held = |&(c, l): &(usize, usize)| {
                let (node, place) = constraints[c].laws[l].held()?;
                Some((c, node as usize, place))
            };
            let dragged = pins.iter().filter(|pin| held(pin).is_none()).copied().collect();
            let held = pins.iter().filter_map(held).collect();
            phases.push(Phase { until, held, dragged, exact, springs, loads, free });
        }
        Ok(phases)
    }

    /// Where each prescribed vertex must be at time t.
    pub fn motions<'a>(
        &'a self,
        constraints: &'a [NamedConstraint],
        t: f64,
    ) -> impl Iterator<Item = (usize, usize, Motion)> + 'a {
        let still = |&(c, node, position): &_| (c, node, Motion { position, ..Motion::default() });
        self.held.iter().map(still).chain(self.dragged(constraints, t))
    }

    /// Where each vertex that is dragged must be at time t.
    fn dragged<'a>(
        &'a self,
        constraints: &'a [NamedConstraint],
        t: f64,
    ) -> impl Iterator<Item = (usize, usize, Motion)> + 'a {
        self.dragged.iter().filter_map(move |&(c, l)| {
            let (node, motion) = constraints[c].laws[l].prescribed(t)?;
            Some((c, node as usize, motion))
        })
    }

    /// a with M_ff a_f = f_f − M_fc a_c, and the prescribed accelerations a_c. `force` is left as it was.
    pub fn solve(
        &self,
        inertia: &Inertia,
        constraints: &[NamedConstraint],
        t: f64,
        force: &[Vec3],
        reduced: &mut [Vec3],
        a: &mut [Vec3],
        columns: &mut [f64x4],
    ) {
        let mut coupled = false;
        self.held.iter().for_each(|&(_, node, _)| a[node] = Vec3::zeros());
        for (_, node, motion) in self.dragged(constraints, t) {
            a[node] = motion.acceleration;
            if motion.acceleration != Vec3::zeros() {
                if !coupled {
                    reduced.copy_from_slice(force);
                    coupled = true;
                }
                inertia.matrix().row(node).for_each(|(j, m)| reduced[j] -= motion.acceleration * m);
            }
        }
        self.free.factor.solve(if coupled { reduced } else { force }, a, columns);
    }

    /// Force of the support on a prescribed node: R_c = (M a)_c − f_c.
    pub fn reaction(&self, inertia: &Inertia, node: usize, a: &[Vec3], force: &[Vec3]) -> Vec3 {
        inertia.matrix().row_times(node, a) - force[node]
    }

    /// Σ R_c·r′, the power of whoever drags.
    pub fn drag_power(
        &self,
        inertia: &Inertia,
        constraints: &[NamedConstraint],
        t: f64,
        a: &[Vec3],
        force: &[Vec3],
    ) -> f64 {
        self.dragged(constraints, t)
            .filter(|(_, _, motion)| motion.velocity != Vec3::zeros())
            .map(|(_, node, motion)| self.reaction(inertia, node, a, force).dot(&motion.velocity))
            .sum()
    }

    /// Puts prescribed vertices where they must be.
    pub fn prescribe(&self, constraints: &[NamedConstraint], state: &mut State) {
        for (_, node, motion) in self.motions(constraints, state.t) {
            state.q[node] = motion.position;
            state.v[node] = motion.velocity;
        }
    }
}

/// Which nodes no pin holds; an error if two hold the same.
fn free_mask(
    inertia: &Inertia,
    constraints: &[NamedConstraint],
    pins: &[(usize, usize)],
) -> Result<Vec<bool>, PhaseError> {
    let mut holder = vec![usize::MAX; inertia.masses().len()];
    for &(c, l) in pins {
        if let Some((node, _)) = constraints[c].laws[l].prescribed(0.0) {
            let before = std::mem::replace(&mut holder[node as usize], c);
            if before != usize::MAX {
                return Err(PhaseError::HeldTwice { constraints: [before, c], node });
            }
        }
    }
    Ok(holder.iter().map(|&c| c == usize::MAX).collect())
}

impl Free {
    fn new(inertia: &Inertia, mask: Vec<bool>, nodes: &[u32]) -> Result<Free, FactorError> {
        let factor = Factor::new(inertia.matrix(), &mask)?;
        let n = mask.len();
        let mut touched = vec![u32::MAX; n];
        nodes.iter().enumerate().for_each(|(slot, &node)| touched[node as usize] = slot as u32);
        let mut response = vec![0.0; nodes.len() * nodes.len()];
        let (mut unit, mut column) = (vec![Vec3::zeros(); n], vec![Vec3::zeros(); n]);
        let mut work = vec![f64x4::ZERO; n];
        // Three columns of M⁻¹ at a time, one in each coordinate.
        for (chunk, three) in nodes.chunks(3).enumerate() {
            let set = |unit: &mut [Vec3], value: f64| {
                three.iter().enumerate().filter(|(_, node)| mask[**node as usize]).for_each(|(c, &node)| {
                    unit[node as usize][c] = value;
                });
            };
            set(&mut unit, 1.0);
            column.fill(Vec3::zeros());
            factor.solve(&unit, &mut column, &mut work);
            set(&mut unit, 0.0);
            for (row, &node) in nodes.iter().enumerate() {
                for c in 0..three.len() {
                    response[row * nodes.len() + chunk * 3 + c] = column[node as usize][c];
                }
            }
        }
        Ok(Free { mask, factor, touched, response, touches: nodes.len() })
    }

    /// Whether these, in this order, are the nodes that multipliers touch.
    fn touches_just(&self, nodes: &[u32]) -> bool {
        let in_place = |(slot, node): (usize, &u32)| self.touched[*node as usize] == slot as u32;
        self.touches == nodes.len() && nodes.iter().enumerate().all(in_place)
    }

    /// M⁻¹ between two touched nodes; zero if either is held.
    pub fn response(&self, a: u32, b: u32) -> f64 {
        self.response[self.touched[a as usize] as usize * self.touches + self.touched[b as usize] as usize]
    }
}
