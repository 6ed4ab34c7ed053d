//! Green's functions of a factored boundary problem.

use crate::solid::condition::Known;
use crate::solid::{Green, Reference, Solution, SolveError, System, UpdateError, Vec3};

/// Why Green's functions cannot be had.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum GreenError {
    /// The reference problem is not fit.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// The candidates are not fit.
    #[error(transparent)]
    Update(#[from] UpdateError),
}

impl System<'_> {
    /// Green's functions of those directions 3 i + a of vertex i that may change their condition, `most` of them at once.
    ///
    /// The body must be held in the reference: a floating one has no unique answer. To let it go later, hold it there at
    /// three vertices without strain, make these candidates too, and switch them after enough others have taken over.
    /// Values are in metres: displacements, or tractions over [`System::scale`].
    pub fn green(&self, candidates: &[usize], most: usize) -> Result<Green, GreenError> {
        let (modes, n) = (self.free_modes(), 3 * self.conditions().len());
        if modes > 0 {
            return Err(SolveError::Floating { modes }.into());
        }
        if let Some(&candidate) = candidates.iter().find(|&&j| j >= n) {
            return Err(UpdateError::NoCandidate { candidate, candidates: n }.into());
        }
        Ok(Green::new(n, self.answers(candidates)?, candidates.to_vec(), most)?)
    }

    /// Writes the displacements and tractions under switched conditions into `solution`, without taking memory.
    ///
    /// `x` comes from [`Green::solve`] with the new known values `known` of the candidates. Where a condition is switched
    /// `x` holds the kind that was known in the reference, and `known` the other one.
    pub fn switched(
        &self,
        green: &Green,
        reference: &Reference,
        known: &[f64],
        x: &[f64],
        solution: &mut Solution,
    ) -> Result<(), UpdateError> {
        let n = 3 * self.conditions().len();
        for (what, expected, given) in [
            ("reference values", n, reference.known.len()),
            ("known values", green.candidates(), known.len()),
            ("unknowns", n, x.len()),
            ("displacements", n, 3 * solution.displacements.len()),
            ("tractions", n, 3 * solution.tractions.len()),
        ] {
            if expected != given {
                return Err(UpdateError::Length { what, expected, given });
            }
        }
        let lists = solution.displacements.iter_mut().zip(&mut solution.tractions).zip(self.conditions());
        for (i, ((u, t), condition)) in lists.enumerate() {
            let (mut moved, mut pushed) = (Vec3::zeros(), Vec3::zeros());
            for a in 0..3 {
                let place = 3 * i + a;
                let (old, new) = match green.active_at(place) {
                    Some(candidate) => (x[place], known[candidate]),
                    None => (reference.known[place], x[place]),
                };
                (moved[a], pushed[a]) = match condition.known[a] {
                    Known::Displacement => (old, new),
                    Known::Traction => (new, old),
                };
            }
            (*u, *t) = (condition.frame * moved, condition.frame * pushed * self.scale());
        }
        Ok(())
    }
}

#[cfg(test)]
#[path = "green_tests.rs"]
mod tests;
