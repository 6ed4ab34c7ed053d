//! When and how fast something yields, whatever it is that does: a spring, an area, the shape of a solid.

/// When and how fast a body yields.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Yield {
    /// Elastic strain beyond which it flows, from 0.
    pub strain: f64,
    /// How fast it flows  \[1/s\]; of the course's form: the part of the elastic strain per step.
    pub creep: f64,
    /// Largest plastic strain.
    pub max: f64,
    /// The course's form: a part of all elastic strain with every step.
    pub per_step: bool,
}

/// Why something cannot yield like that.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum YieldError {
    /// A number that makes no sense.
    #[error("{what} is {value}: it must be {need}")]
    BadNumber {
        /// What it is.
        what: &'static str,
        /// The number.
        value: f64,
        /// What it should be.
        need: &'static str,
    },
    /// Nothing could yield and stay so.
    #[error("the yield strain is {strain}: it must not be above the largest plastic strain, {max}")]
    AboveMax {
        /// Yield strain.
        strain: f64,
        /// Largest plastic strain.
        max: f64,
    },
}

impl Yield {
    /// Itself, if its numbers make sense.
    pub fn checked(self) -> Result<Yield, YieldError> {
        let Yield { strain, creep, max, .. } = self;
        let numbers = [
            ("the yield strain", strain, strain >= 0.0, "zero or more"),
            ("the creep", creep, creep >= 0.0, "zero or more"),
            ("the largest plastic strain", max, max > 0.0, "a number above zero"),
        ];
        match numbers.into_iter().find(|(_, value, fits, _)| !(*fits && value.is_finite())) {
            Some((what, value, _, need)) => Err(YieldError::BadNumber { what, value, need }),
            None if strain > max => Err(YieldError::AboveMax { strain, max }),
            None => Ok(self),
        }
    }

    /// What flows over a time h \[s\] of an elastic strain |εₑ| beyond the yield: the part `.0` of |εₑ| − `.1`.
    ///
    /// The excess decays as e^(−c h): however the time is cut into steps, as much of it is left.
    pub fn share(&self, h: f64) -> (f64, f64) {
        if self.per_step { (self.creep, 0.0) } else { (-(-self.creep * h).exp_m1(), self.strain) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUTTY: Yield = Yield { strain: 0.05, creep: 20.0, max: 0.6, per_step: false };

    #[test]
    fn many_short_steps_leave_what_one_long_step_leaves() {
        let excess = |steps: u32| {
            let (part, offset) = PUTTY.share(0.1 / f64::from(steps));
            (0..steps).fold(0.4, |strain, _| strain - part * (strain - offset)) - PUTTY.strain
        };
        let expected = 0.35 * (-2.0f64).exp();
        for steps in [1, 7, 1000] {
            assert!((excess(steps) - expected).abs() < 1e-15, "{steps}: {} {expected}", excess(steps));
        }
    }

    #[test]
    fn numbers_that_make_no_sense_are_named() {
        assert_eq!(PUTTY.checked(), Ok(PUTTY));
        for bad in [f64::NAN, -1.0, f64::INFINITY] {
            let error = Yield { creep: bad, ..PUTTY }.checked().unwrap_err();
            assert!(error.to_string().starts_with("the creep is "), "{error}");
        }
        let error = Yield { strain: 0.7, ..PUTTY }.checked().unwrap_err();
        assert_eq!(error, YieldError::AboveMax { strain: 0.7, max: 0.6 });
    }
}
