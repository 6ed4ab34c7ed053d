//! Lasting changes: rest values that follow the shape, or a plan.
//!
//! With the strain ε = C/C₀ − 1 and its plastic part εₚ, only εₑ = ε − εₚ is felt. Where |εₑ| exceeds the yield, εₚ creeps
//! after it: εₚ += (1 − e^(−c h)) (|εₑ| − yield) sign εₑ over a time h, and never beyond ±max. That does not depend on how
//! the time is cut into steps. The course's own form, a part of εₑ per step, does; it is there as `per step`.

use crate::yielding::Yield;

/// Nothing is compressed to nothing.
const MOST_COMPRESSION: f64 = 0.95;

impl Yield {
    /// The plastic strain after a time h \[s\], from the strain and the plastic strain before.
    pub fn flow(&self, strain: f64, plastic: f64, h: f64) -> f64 {
        let elastic = strain - plastic;
        if elastic.abs() <= self.strain {
            return plastic;
        }
        let (part, offset) = self.share(h);
        (plastic + part * (elastic.abs() - offset) * elastic.signum())
            .clamp(-self.max.min(MOST_COMPRESSION), self.max)
    }
}

/// Rest values over time: a factor that passes straight from knot to knot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Growth {
    /// Time \[s\] and factor, in order of time.
    pub knots: Vec<(f64, f64)>,
}

impl Growth {
    /// The factor at time t.
    pub fn at(&self, t: f64) -> f64 {
        let after = self.knots.partition_point(|knot| knot.0 <= t);
        match (after.checked_sub(1).map(|k| self.knots[k]), self.knots.get(after)) {
            (None, None) => 1.0,
            (None, Some(next)) => next.1,
            (Some(last), None) => last.1,
            (Some(last), Some(next)) => last.1 + (next.1 - last.1) * (t - last.0) / (next.0 - last.0),
        }
    }
}
