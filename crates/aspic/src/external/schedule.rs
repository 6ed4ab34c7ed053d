//! A factor over time: piecewise linear between keys, constant outside.

/// scale(t).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Schedule {
    keys: Vec<(f64, f64)>,
}

impl Schedule {
    /// (time, factor) keys in increasing time; without keys the factor is 1.
    pub fn new(keys: Vec<(f64, f64)>) -> Schedule {
        Schedule { keys }
    }

    /// The factor at time t.
    pub fn at(&self, t: f64) -> f64 {
        let after = self.keys.partition_point(|(time, _)| *time <= t);
        match after {
            _ if self.keys.is_empty() => 1.0,
            0 => self.keys[0].1,
            n if n == self.keys.len() => self.keys[n - 1].1,
            n => {
                let ((t0, s0), (t1, s1)) = (self.keys[n - 1], self.keys[n]);
                s0 + (s1 - s0) * ((t - t0) / (t1 - t0))
            }
        }
    }

    /// Times at which the factor has a kink.
    pub fn breaks(&self) -> impl Iterator<Item = f64> + '_ {
        self.keys.iter().map(|(t, _)| *t)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factor_runs_straight_between_keys_and_is_constant_outside() {
        let ramp = Schedule::new(vec![(1.0, 0.0), (2.0, 4.0)]);
        for (t, scale) in [(0.0, 0.0), (1.5, 2.0), (2.5, 4.0)] {
            assert_eq!(ramp.at(t), scale);
        }
        assert_eq!(Schedule::default().at(7.0), 1.0);
    }
}
