//! Springs that ask explicit steps to be much shorter than the bodies do.

use super::World;
use crate::state::State;

/// Product of the longest explicit step and the highest frequency.
const STABLE: f64 = 2.8;
/// Steps this much shorter than those of the bodies are worth a word.
const MUCH_SHORTER: f64 = 0.1;

/// The stiffest spring of a world, for what hangs on it.
#[derive(Clone, Debug, PartialEq)]
pub struct Stiffest {
    /// What it is, with its name.
    pub what: String,
    /// Its stiffness k  \[N/m\]
    pub stiffness: f64,
    /// The longest explicit step that it allows  \[s\]
    pub step: f64,
    /// The longest one that the bodies allow  \[s\]
    pub own_step: f64,
    /// The largest k for which it asks for no shorter steps  \[N/m\]
    pub enough: f64,
}

impl std::fmt::Display for Stiffest {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let Stiffest { what, stiffness, step, own_step, enough } = self;
        write!(
            f,
            "{what} of {stiffness:.3e} N/m makes explicit steps shorter than {step:.1e} s, {:.0} times shorter than the \
             bodies need; {enough:.1e} N/m or less would not",
            own_step / step
        )
    }
}

impl World {
    /// The spring of a contact or a constraint that makes explicit steps ten times shorter, or worse; the worst of them.
    pub fn stiffest(&self, state: &State) -> Option<Stiffest> {
        let masses = self.inertia.masses();
        let own_step = self.scale.stable_step;
        let one = |what: String, stiffness: f64, mass: f64| Stiffest {
            what,
            stiffness,
            step: STABLE * (mass / stiffness).sqrt(),
            own_step,
            enough: mass * (STABLE / own_step).powi(2),
        };
        let body = |point: usize| {
            let bodies = &self.topology.bodies;
            bodies.iter().find(|body| body.points.contains(&point)).map_or("?", |body| &body.name)
        };
        let of_point = |point: usize| -> f64 {
            self.embedding.of(point).map(|(node, w)| w * w * masses[node as usize]).sum()
        };
        let contacts = self.springs.iter().filter(|contact| !contact.rigid).flat_map(|contact| {
            let soft = contact.stiffness.iter().enumerate().filter(|(_, k)| k.is_finite());
            soft.map(|(p, &k)| one(format!("a contact spring at `{}`", body(p)), k, of_point(p)))
        });
        let mut rows = vec![];
        let springs = self.constraints.iter().filter_map(|c| Some((c, c.stiffness?))).flat_map(|(c, k)| {
            rows.clear();
            c.laws.iter().for_each(|law| law.add_rows(state, &mut rows));
            let nodes = rows.iter().flat_map(|row| row.terms()).map(|(node, _)| masses[*node as usize]);
            let lightest = nodes.fold(f64::INFINITY, f64::min);
            lightest.is_finite().then(|| one(format!("constraint `{}`", c.name), k, lightest))
        });
        let worst = contacts.chain(springs).min_by(|a, b| a.step.total_cmp(&b.step))?;
        (worst.step < MUCH_SHORTER * own_step).then_some(worst)
    }
}
