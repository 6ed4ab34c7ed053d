//! Explicit Euler, Heun, midpoint and the classical Runge–Kutta scheme: all of them tables of weights.

use super::{Explicit, ExplicitScheme};
use crate::integrate::stages::combine;
use crate::state::State;
use crate::world::{ForceError, World};

/// Times of the stages, weights of the stages before each, and weights of the result.
pub(super) struct Table {
    pub stages: usize,
    c: [f64; 4],
    a: [[f64; 3]; 4],
    b: [f64; 4],
}

const HALF: [f64; 3] = [0.5, 0.0, 0.0];
const NONE: [f64; 3] = [0.0; 3];

const EULER: Table = Table { stages: 1, c: [0.0; 4], a: [NONE; 4], b: [1.0, 0.0, 0.0, 0.0] };
const HEUN: Table = Table {
    stages: 2,
    c: [0.0, 1.0, 0.0, 0.0],
    a: [NONE, [1.0, 0.0, 0.0], NONE, NONE],
    b: [0.5, 0.5, 0.0, 0.0],
};
const MIDPOINT: Table =
    Table { stages: 2, c: [0.0, 0.5, 0.0, 0.0], a: [NONE, HALF, NONE, NONE], b: [0.0, 1.0, 0.0, 0.0] };
const CLASSICAL: Table = Table {
    stages: 4,
    c: [0.0, 0.5, 0.5, 1.0],
    a: [NONE, HALF, [0.0, 0.5, 0.0], [0.0, 0.0, 1.0]],
    b: [1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0],
};

/// The table of a scheme that has one.
pub(super) fn table(scheme: ExplicitScheme) -> Option<&'static Table> {
    match scheme {
        ExplicitScheme::Euler => Some(&EULER),
        ExplicitScheme::Heun => Some(&HEUN),
        ExplicitScheme::Midpoint => Some(&MIDPOINT),
        ExplicitScheme::RungeKutta4 => Some(&CLASSICAL),
        _ => None,
    }
}

impl Explicit {
    /// One step by a table, rates at its end included. The accounts are summed with the same weights.
    pub(super) fn runge_kutta(
        &mut self,
        table: &Table,
        world: &World,
        now: &State,
        h: f64,
        end: f64,
        next: &mut State,
    ) -> Result<(), ForceError> {
        for s in 1..table.stages {
            let (stages, weights) = (&self.stages, &table.a[s]);
            match s {
                1 => combine::<1>(now, stages, weights, h, &mut self.trial),
                2 => combine::<2>(now, stages, weights, h, &mut self.trial),
                _ => combine::<3>(now, stages, weights, h, &mut self.trial),
            }
            self.trial.t = now.t + table.c[s] * h;
            world.prescribe(&mut self.trial, &self.work);
            world.rates(&self.trial, &mut self.stages[s], &mut self.work)?;
        }
        match table.stages {
            1 => combine::<1>(now, &self.stages, &table.b, h, next),
            2 => combine::<2>(now, &self.stages, &table.b, h, next),
            _ => combine::<4>(now, &self.stages, &table.b, h, next),
        }
        next.t = end;
        world.settle(next, &mut self.work)?;
        world.rates(next, &mut self.end, &mut self.work)
    }
}
