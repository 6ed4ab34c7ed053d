//! What the steps did so far: counters, and the worst of the ledger.

use crate::Vec3;
use crate::frame::Ledger;

/// What the steps did so far. Worst cases are taken over the frames.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Statistics {
    /// Steps taken.
    pub steps: u64,
    /// Steps thrown away.
    pub rejected: u64,
    /// Force evaluations.
    pub force_evaluations: u64,
    /// Newton directions of implicit steps.
    pub newton_iterations: u64,
    /// Products of their linear solver.
    pub linear_iterations: u64,
    /// Time that stepping took on this machine \[s\].
    pub wall_s: f64,
    /// Largest |residual| of the ledger \[J\].
    pub worst_residual: f64,
    /// Largest exchanged energy of the ledger \[J\].
    pub most_exchanged: f64,
    /// Largest relative violation of a constraint.
    pub worst_violation: f64,
    /// Numerical loss up to the last frame: negative if the steps made more energy than they lost \[J\].
    pub numerical_loss: f64,
    /// Lost up to the last frame to viscosity, friction, lasting changes of shape and impacts \[J\].
    pub physical_loss: f64,
    /// Largest numerical loss so far \[J\].
    pub highest_loss: f64,
    /// Most energy that the steps have made over any stretch of the run: the largest fall of the numerical loss \[J\].
    pub made_energy: f64,
    /// Largest part of the energy present that one implicit step has made.
    pub made_in_step: f64,
    /// Largest part of Σ μλ of two bodies by which friction was not Coulomb's at the end of an implicit step.
    pub coulomb_excess: f64,
    /// Largest kinetic energy \[J\].
    pub most_kinetic: f64,
    /// Largest radius of gyration of all bodies together, about their common centre of mass \[m\].
    pub gyration: f64,
    /// Largest change of the linear momentum since the start \[kg m/s\].
    pub linear_drift: f64,
    /// Largest change of the angular momentum since the start, about where the centre of mass is by then \[kg m²/s\].
    pub angular_drift: f64,
}

/// Part of the largest kinetic energy that errors are measured against where nothing is exchanged.
const STEADY: f64 = 0.1;

/// Where the mass of all bodies is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Spread {
    /// Centre of mass  \[m\]
    pub center: Vec3,
    /// Radius of gyration about it  \[m\]
    pub gyration: f64,
}

impl Spread {
    /// That of points with these masses \[kg\] at these places \[m\].
    pub fn of(masses: &[f64], q: &[Vec3]) -> Spread {
        let mass: f64 = masses.iter().sum();
        if mass <= 0.0 {
            return Spread::default();
        }
        let each = || masses.iter().zip(q);
        let center = each().fold(Vec3::zeros(), |sum, (m, x)| sum + x * (m / mass));
        let square: f64 = each().map(|(m, x)| m / mass * (x - center).norm_squared()).sum();
        Spread { center, gyration: square.sqrt() }
    }
}

impl Statistics {
    /// Worst audit residual over the energy exchanged.
    pub fn audit_relative(&self) -> f64 {
        self.of_exchanged(self.worst_residual)
    }

    /// What errors are measured against: the most energy exchanged, or a part of that of motion where less is exchanged. What
    /// spins freely exchanges nothing \[J\].
    pub fn in_play(&self) -> f64 {
        let steady = STEADY * self.most_kinetic;
        // Not the larger one: what is not a number must stay so.
        if self.most_exchanged < steady { steady } else { self.most_exchanged }
    }

    /// An energy \[J\] over the energy in play.
    pub fn of_exchanged(&self, energy: f64) -> f64 {
        let scale = self.in_play();
        if scale > 0.0 { energy / scale } else { 0.0 }
    }

    /// The counters of another moment with the worst cases of this one.
    pub(super) fn with_counts_of(&self, counts: &Statistics) -> Statistics {
        let Statistics { steps, rejected, force_evaluations, newton_iterations, linear_iterations, .. } =
            *counts;
        let wall_s = counts.wall_s;
        Statistics {
            steps,
            rejected,
            force_evaluations,
            newton_iterations,
            linear_iterations,
            wall_s,
            ..*self
        }
    }

    /// Takes the row of a frame into account. `start` is that of time zero.
    pub(super) fn note(&mut self, row: &Ledger, start: &Ledger, spread: &Spread) {
        self.worst_residual = self.worst_residual.max(row.residual.abs());
        self.most_exchanged = self.most_exchanged.max(row.exchanged);
        self.worst_violation = self.worst_violation.max(row.violation);
        self.numerical_loss = row.numerical_loss;
        self.physical_loss = row.viscous_loss + row.friction_loss + row.plastic_loss + row.impact_loss;
        self.highest_loss = self.highest_loss.max(row.numerical_loss);
        self.made_energy = self.made_energy.max(self.highest_loss - row.numerical_loss);
        self.most_kinetic = self.most_kinetic.max(row.kinetic);
        self.gyration = self.gyration.max(spread.gyration);
        let linear = row.momentum - start.momentum;
        // Seen from a far origin, a small error of the linear momentum would look like a large one of the angular.
        let angular = row.angular_momentum - start.angular_momentum - spread.center.cross(&linear);
        self.linear_drift = self.linear_drift.max(linear.norm());
        self.angular_drift = self.angular_drift.max(angular.norm());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noted(rows: &[Ledger]) -> Statistics {
        let mut statistics = Statistics::default();
        rows.iter().for_each(|row| statistics.note(row, &rows[0], &Spread::default()));
        statistics
    }

    #[test]
    fn energy_made_between_losses_is_found_though_the_sum_is_a_loss() {
        let losses = [0.0, 3.0, 1.0, 2.0, 0.5, 9.0, 8.0];
        let rows = losses.map(|numerical_loss| Ledger { numerical_loss, ..Ledger::default() });
        let statistics = noted(&rows);
        assert_eq!((statistics.numerical_loss, statistics.made_energy), (8.0, 2.5));
    }

    #[test]
    fn energy_made_from_the_start_counts_whole() {
        let rows = [0.0, -1.0, -4.0].map(|numerical_loss| Ledger { numerical_loss, ..Ledger::default() });
        assert_eq!(noted(&rows).made_energy, 4.0);
    }

    #[test]
    fn a_push_on_the_centre_of_mass_changes_no_angular_momentum_wherever_the_origin_is() {
        let (center, push) = (Vec3::new(1e3, -20.0, 7.0), Vec3::new(0.0, 3.0, 4.0));
        let start = Ledger::default();
        let row = Ledger { momentum: push, angular_momentum: center.cross(&push), ..start };
        let mut statistics = Statistics::default();
        statistics.note(&row, &start, &Spread { center, gyration: 0.0 });
        assert_eq!((statistics.linear_drift, statistics.angular_drift), (5.0, 0.0));
    }

    #[test]
    fn a_dumbbell_has_half_its_length_as_radius_of_gyration() {
        let far = Vec3::new(0.0, 0.0, 50.0);
        let spread = Spread::of(&[2.0, 2.0], &[far - Vec3::x(), far + Vec3::x()]);
        assert_eq!(spread, Spread { center: far, gyration: 1.0 });
    }
}
