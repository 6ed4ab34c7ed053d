//! Cubics in Bernstein form over one step.
//!
//! g(u) = P₁(1−u)³ + 3 P₂ u(1−u)² + 3 P₃ u²(1−u) + P₄ u³, with u = (t − t_a)/T. Each value is a convex combination of
//! the coefficients, so they bound it, and halving by de Casteljau tightens the bound. Each halving averages the
//! coefficients, so values are good to a few 10⁻¹⁶ of the largest one, and roots only to what that allows.

/// The finest interval a search halves to, 2⁻⁵².
const FINEST: f64 = f64::EPSILON;

/// A cubic by its Bernstein coefficients P₁ … P₄.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cubic(pub [f64; 4]);

/// A sign change of a cubic.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Passage {
    /// Where, rounded down: the sign is still the old one here. 0 when the cubic starts at zero.
    pub u: f64,
    /// Whether the cubic becomes negative (else positive).
    pub falling: bool,
}

impl Cubic {
    /// The cubic with values `ga`, `gb` and rates `dga`, `dgb` \[1/s\] at the ends of a step of `length` \[s\].
    #[inline]
    pub fn hermite(ga: f64, dga: f64, gb: f64, dgb: f64, length: f64) -> Cubic {
        let third = length / 3.0;
        Cubic([ga, ga + third * dga, gb - third * dgb, gb])
    }

    /// The straight line from `ga` to `gb`.
    #[inline]
    pub fn line(ga: f64, gb: f64) -> Cubic {
        Cubic([ga, (2.0 * ga + gb) / 3.0, (ga + 2.0 * gb) / 3.0, gb])
    }

    /// Bounds [min, max] of the values in the step, from the coefficients.
    #[inline]
    pub fn range(&self) -> [f64; 2] {
        let [p, q, r, s] = self.0;
        [p.min(q).min(r.min(s)), p.max(q).max(r.max(s))]
    }

    /// The value at `u`, by de Casteljau.
    #[inline]
    pub fn at(&self, u: f64) -> f64 {
        let mix = |a: f64, b: f64| (1.0 - u) * a + u * b;
        let [p, q, r, s] = self.0;
        let (a, b, c) = (mix(p, q), mix(q, r), mix(r, s));
        mix(mix(a, b), mix(b, c))
    }

    /// The cubic over the first half of the step, and over the second.
    #[inline]
    pub fn halves(&self) -> [Cubic; 2] {
        let [p, q, r, s] = self.0;
        let (a, b, c) = (0.5 * (p + q), 0.5 * (q + r), 0.5 * (r + s));
        let (d, e) = (0.5 * (a + b), 0.5 * (b + c));
        let f = 0.5 * (d + e);
        [Cubic([p, a, d, f]), Cubic([f, e, c, s])]
    }

    /// The first u in \[0, 1\] at which the cubic stops being positive, rounded down by at most `tolerance`.
    ///
    /// Nothing if it stays positive. A double root counts. A coefficient that is not a number gives 0.
    pub fn first_not_positive(&self, tolerance: f64) -> Option<f64> {
        if self.0.iter().any(|p| p.is_nan()) {
            return Some(0.0);
        }
        self.search(0.0, 1.0, tolerance.max(FINEST))
    }

    /// The search in the cell from `low` of some `width`. Each call halves the width: at most 53 deep.
    fn search(&self, low: f64, width: f64, tolerance: f64) -> Option<f64> {
        if self.0.iter().all(|p| *p > 0.0) {
            return None;
        }
        let positive = self.0[0] > 0.0;
        if !positive || width <= tolerance {
            return Some(low);
        }
        let [left, right] = self.halves();
        let half = 0.5 * width;
        left.search(low, half, tolerance).or_else(|| right.search(low + half, half, tolerance))
    }

    /// All sign changes in the step, in order.
    ///
    /// A cubic that starts at zero passes there; one that ends at zero does not pass, the next step does. A double
    /// root is no sign change. Nothing for coefficients that are not numbers.
    #[inline]
    pub fn passages(&self) -> impl Iterator<Item = Passage> + use<> {
        let mut found = [None; 3];
        let [least, most] = self.range();
        if least <= 0.0 && most >= 0.0 {
            self.find_passages(&mut found, 4.0 * f64::EPSILON * most.max(-least));
        }
        found.into_iter().flatten()
    }

    /// Between its knots the cubic is monotone. At an inner knot a value below the `noise` counts as zero.
    fn find_passages(&self, found: &mut [Option<Passage>; 3], noise: f64) {
        let mut slots = found.iter_mut();
        let mut last: Option<(f64, bool)> = None;
        for knot in self.knots() {
            let value = self.at(knot);
            let least = if knot == 0.0 || knot == 1.0 { 0.0 } else { noise };
            let clear = value > least || value < -least;
            if !clear {
                continue;
            }
            let falling = value < 0.0;
            let passed = match last {
                None => (knot > 0.0).then_some(0.0),
                Some((from, negative)) => (negative != falling).then(|| self.bisect(from, knot, negative)),
            };
            if let (Some(u), Some(slot)) = (passed, passed.and_then(|_| slots.next())) {
                *slot = Some(Passage { u, falling });
            }
            last = Some((knot, falling));
        }
    }

    /// The first u at which the cubic is not positive and falls, for one that need not start positive.
    ///
    /// Zero if it is not positive at the start and falls from there.
    pub fn first_fall(&self) -> Option<f64> {
        let knots = self.knots();
        knots.windows(2).find_map(|piece| {
            let (from, to) = (self.at(piece[0]), self.at(piece[1]));
            match to < from {
                true if from <= 0.0 => Some(piece[0]),
                true if to < 0.0 => Some(self.bisect(piece[0], piece[1], false)),
                _ => None,
            }
        })
    }

    /// 0, the extrema in between, 1; filled up with 1. At extrema A u² + 2B u + C = 0.
    fn knots(&self) -> [f64; 4] {
        let [p, q, r, s] = self.0;
        let (d, e, f) = (q - p, r - q, s - r);
        let (a, b, c) = ((d - e) - (e - f), e - d, d);
        let root = (b * b - a * c).sqrt();
        let sum = -(b + root.copysign(b));
        // a missing root is not a number, which is not inside
        let inside = |u: f64| if u > 0.0 && u < 1.0 { u } else { 1.0 };
        let (one, two) = (inside(sum / a), inside(c / sum));
        [0.0, one.min(two), one.max(two), 1.0]
    }

    /// The left end of the last interval in which the sign leaves that at `low`.
    fn bisect(&self, low: f64, high: f64, negative: bool) -> f64 {
        let (mut low, mut high) = (low, high);
        while high - low > FINEST {
            let middle = 0.5 * (low + high);
            let value = self.at(middle);
            let before = if negative { value < 0.0 } else { value > 0.0 };
            if before { low = middle } else { high = middle }
        }
        low
    }
}

#[cfg(test)]
#[path = "bernstein_tests.rs"]
mod tests;
