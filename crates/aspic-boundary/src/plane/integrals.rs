//! Integrals of Kelvin's kernels over a straight element, with the shape functions of its two ends.
//!
//! Seen from the source P the element is y = s τ + d n with s from s₀ to s₁ and a constant distance d. Then r² = s² + d²,
//! and every integral of sᵏ ln r, sᵏ/r² and sᵏ/r⁴ is elementary: near and singular elements need no care.
//! Far away these differences cancel, by a factor (distance/length)²; there eight Gauss points are exact to rounding.

use super::{Kelvin, Mat2, Vec2, quarter};

/// From this distance on, in lengths of the element, Gauss points are used.
const FAR: f64 = 3.0;

/// Places and weights of the eight-point rule on (−1, 1), the positive half.
const GAUSS: [[f64; 2]; 4] = [
    [0.183_434_642_495_649_8, 0.362_683_783_378_362],
    [0.525_532_409_916_329, 0.313_706_645_877_887_3],
    [0.796_666_477_413_626_7, 0.222_381_034_453_374_48],
    [0.960_289_856_497_536_3, 0.101_228_536_290_376_26],
];

/// One straight piece of the boundary. The body is to its left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Element {
    /// Where it begins  \[m\]
    pub start: Vec2,
    /// Its length  \[m\]
    pub length: f64,
    /// Its direction τ.
    pub tangent: Vec2,
    /// Its outward normal n.
    pub normal: Vec2,
}

/// A pair for the two ends: the integral with the shape function that is one at that end.
pub type Ends<T> = [T; 2];

/// The integrals over one element for one source.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Integrals {
    /// ∫ U N dS  \[m/Pa\]
    pub displacement: Ends<Mat2>,
    /// ∫ T N dS
    pub traction: Ends<Mat2>,
}

/// Definite integrals from s₀ to s₁ with the weights 1 and s.
struct Moments {
    /// ∫ sᵏ ln r
    logarithm: [f64; 2],
    /// ∫ sᵏ s²/r², ∫ sᵏ s d/r², ∫ sᵏ d²/r²
    dyad: [[f64; 3]; 2],
    /// ∫ sᵏ d/r²
    flux: [f64; 2],
    /// ∫ sᵏ s/r²
    turn: [f64; 2],
    /// ∫ 2 d sᵏ (s², s d, d²)/r⁴
    stress: [[f64; 3]; 2],
}

impl Element {
    /// The piece from `start` to `end`  \[m\].
    pub fn between([start, end]: [Vec2; 2]) -> Element {
        let length = (end - start).norm();
        let tangent = (end - start) / length;
        Element { start, length, tangent, normal: -quarter(tangent) }
    }

    /// The middle  \[m\]
    pub fn middle(&self) -> Vec2 {
        self.start + 0.5 * self.length * self.tangent
    }

    /// s₀ and d as seen from a place  \[m\]
    fn seen_from(&self, source: Vec2) -> (f64, f64) {
        let y = self.start - source;
        (y.dot(&self.tangent), y.dot(&self.normal))
    }

    /// The integrals for a source that is not on the element.
    pub fn from_elsewhere(&self, kernel: &Kelvin, source: Vec2) -> Integrals {
        if self.is_far(source) {
            return self.by_gauss(kernel, source);
        }
        let (s0, d) = self.seen_from(source);
        self.closed(kernel, s0, &Moments::between(s0, s0 + self.length, d))
    }

    /// The integrals for a source at one end (0 or 1).
    ///
    /// ∫ T N of that end diverges alone and is finite with its neighbour's; it is zero here and follows from rigid
    /// motion. With N of the other end s/r² = 1/s meets N = s/l, which leaves ±(1−2ν)(τ nᵀ − n τᵀ)/(4π(1−ν)).
    pub fn from_end(&self, kernel: &Kelvin, end: usize) -> Integrals {
        let l = self.length;
        let own = self.own(kernel, 0.75 - 0.5 * (l / kernel.length()).ln());
        let other = self.own(kernel, 0.25 - 0.5 * (l / kernel.length()).ln());
        let sign = if end == 0 { 1.0 } else { -1.0 };
        let turn = sign * (1.0 - 2.0 * kernel.poisson()) * kernel.traction_factor() * self.turn();
        let (mut displacement, mut traction) = ([other; 2], [turn; 2]);
        displacement[end] = own;
        traction[end] = Mat2::zeros();
        Integrals { displacement, traction }
    }

    /// ∫ U dS for a source at the middle: l [(3−4ν)(1 − ln(l/2L)) I + τ τᵀ] / (8πμ(1−ν))  \[m/Pa\]
    pub fn from_middle(&self, kernel: &Kelvin) -> Mat2 {
        2.0 * self.own(kernel, 0.5 - 0.5 * (self.length / (2.0 * kernel.length())).ln())
    }

    /// l [(3−4ν) w I + τ τᵀ/2] / (8πμ(1−ν))
    fn own(&self, kernel: &Kelvin, weight: f64) -> Mat2 {
        let spread = Mat2::from_diagonal_element((3.0 - 4.0 * kernel.poisson()) * weight);
        let along = 0.5 * self.tangent * self.tangent.transpose();
        self.length * kernel.displacement_factor() * (spread + along)
    }

    /// τ nᵀ − n τᵀ
    fn turn(&self) -> Mat2 {
        self.tangent * self.normal.transpose() - self.normal * self.tangent.transpose()
    }

    fn is_far(&self, source: Vec2) -> bool {
        (self.middle() - source).norm_squared() > (FAR * self.length) * (FAR * self.length)
    }

    fn by_gauss(&self, kernel: &Kelvin, source: Vec2) -> Integrals {
        let (mut displacement, mut traction) = ([Mat2::zeros(); 2], [Mat2::zeros(); 2]);
        self.each_gauss(source, |d, shape, weight| {
            let (u, t) = (kernel.displacement(d), kernel.traction(d, self.normal));
            for end in 0..2 {
                displacement[end] += weight * shape[end] * u;
                traction[end] += weight * shape[end] * t;
            }
        });
        Integrals { displacement, traction }
    }

    /// Calls for each Gauss point with Q − P \[m\], the shape functions and the weight \[m\].
    fn each_gauss(&self, source: Vec2, mut point: impl FnMut(Vec2, Ends<f64>, f64)) {
        for [at, weight] in GAUSS {
            for place in [0.5 * (1.0 - at), 0.5 * (1.0 + at)] {
                let d = self.start + place * self.length * self.tangent - source;
                point(d, [1.0 - place, place], 0.5 * self.length * weight);
            }
        }
    }

    fn closed(&self, kernel: &Kelvin, s0: f64, m: &Moments) -> Integrals {
        let (tau, n) = (self.tangent, self.normal);
        let mixed = tau * n.transpose() + n * tau.transpose();
        let dyad = |[ss, sd, dd]: [f64; 3]| ss * tau * tau.transpose() + sd * mixed + dd * n * n.transpose();
        let soft = 1.0 - 2.0 * kernel.poisson();
        let log_length = kernel.length().ln();
        // Weight s^k alone; the weight of ln L is ∫ sᵏ ds.
        let spans = [self.length, self.length * (s0 + 0.5 * self.length)];
        let u = [0, 1].map(|k| {
            let spread = (3.0 - 4.0 * kernel.poisson()) * (spans[k] * log_length - m.logarithm[k]);
            kernel.displacement_factor() * (Mat2::from_diagonal_element(spread) + dyad(m.dyad[k]))
        });
        let t = [0, 1].map(|k| {
            let radial = Mat2::from_diagonal_element(soft * m.flux[k]) + dyad(m.stress[k]);
            -kernel.traction_factor() * (radial - soft * m.turn[k] * self.turn())
        });
        Integrals { displacement: self.split(s0, u), traction: self.split(s0, t) }
    }

    /// From the weights 1 and s to the shape functions 1 − (s−s₀)/l and (s−s₀)/l.
    fn split<T>(&self, s0: f64, [even, linear]: [T; 2]) -> Ends<T>
    where
        T: Copy + std::ops::Sub<Output = T> + std::ops::Mul<f64, Output = T>,
    {
        let end = (linear - even * s0) * (1.0 / self.length);
        [even - end, end]
    }

    /// ∫ (2 ln(L/r) + c) y dS with y = Q − P, and the same integral without y: what a uniform body force needs  \[m², m\]
    pub fn logarithms(&self, kernel: &Kelvin, source: Vec2, constant: f64) -> (Vec2, f64) {
        if self.is_far(source) {
            let (mut first, mut zeroth) = (Vec2::zeros(), 0.0);
            self.each_gauss(source, |d, _, weight| {
                let value = weight * ((kernel.length() * kernel.length() / d.norm_squared()).ln() + constant);
                first += value * d;
                zeroth += value;
            });
            return (first, zeroth);
        }
        let (s0, d) = self.seen_from(source);
        let m = Moments::between(s0, s0 + self.length, d);
        let level = 2.0 * kernel.length().ln() + constant;
        let zeroth = self.length * level - 2.0 * m.logarithm[0];
        let along = self.length * (s0 + 0.5 * self.length) * level - 2.0 * m.logarithm[1];
        (along * self.tangent + d * zeroth * self.normal, zeroth)
    }
}

impl Moments {
    fn between(s0: f64, s1: f64, d: f64) -> Moments {
        let (q0, q1) = (s0 * s0 + d * d, s1 * s1 + d * d);
        // Every logarithm below has a factor that vanishes with r, except in `turn`, which is not used at r = 0.
        let log = |square: f64| if square > 0.0 { 0.5 * square.ln() } else { 0.0 };
        let inverse = |square: f64| if square > 0.0 { 1.0 / square } else { 0.0 };
        let (l0, l1, i0, i1) = (log(q0), log(q1), inverse(q0), inverse(q1));
        // The angle under which the element is seen, with the sign of d.
        let angle = if d == 0.0 { 0.0 } else { (d * (s1 - s0)).atan2(d * d + s0 * s1) };
        let (span, ln, shear) = (s1 - s0, l1 - l0, s1 * d * i1 - s0 * d * i0);
        let half_squares = 0.5 * span * (s1 + s0);
        let tangential = span - d * angle;
        let inverses = i1 - i0;
        Moments {
            logarithm: [s1 * l1 - s0 * l0 - tangential, 0.5 * (q1 * l1 - q0 * l0) - 0.5 * half_squares],
            dyad: [[tangential, d * ln, d * angle], [half_squares - d * d * ln, d * tangential, d * d * ln]],
            flux: [angle, d * ln],
            turn: [ln, tangential],
            stress: [
                [angle - shear, -d * d * inverses, angle + shear],
                [2.0 * d * ln + d * d * d * inverses, d * (angle - shear), -d * d * d * inverses],
            ],
        }
    }
}

#[cfg(test)]
#[path = "integrals_tests.rs"]
mod tests;
