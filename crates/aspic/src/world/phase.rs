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
            let same = |p: &&Phase| p.free.mask == mask;
            let free = match phases.iter().chain(known).find(same) {
                Some(same) => Arc::clone(&same.free),
                None => Arc::new(Free::new(inertia, mask).map_err(PhaseError::Mass)?),
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

    /// Times at which steps must end: something lets go, or a load or a path has a kink. In order, each once.
    pub fn breaks(constraints: &[NamedConstraint], loads: &[Load]) -> Vec<f64> {
        let paths =
            constraints.iter().flat_map(|c| c.laws.iter().flat_map(|law| law.breaks()).chain([c.until]));
        let loads = loads.iter().flat_map(|load| load.law.schedule().breaks().chain([load.until]));
        let mut times: Vec<f64> = paths.chain(loads).filter(|t| t.is_finite()).collect();
        times.sort_by(f64::total_cmp);
        times.dedup();
        times
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
    Ok(holder.iter().enumerate().map(|(node, &c)| c == usize::MAX && !inertia.is_guided(node)).collect())
}

impl Free {
    fn new(inertia: &Inertia, mask: Vec<bool>) -> Result<Free, FactorError> {
        let factor = Factor::new(inertia.matrix(), &mask)?;
        Ok(Free { mask, factor })
    }
}
