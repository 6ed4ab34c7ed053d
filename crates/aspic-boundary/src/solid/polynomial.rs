//! Polynomials in x, y, z.

use crate::solid::Vec3;

/// Σ c xⁱ yʲ zᵏ, all of one degree.
#[derive(Clone, Debug, PartialEq)]
pub struct Polynomial {
    /// Exponents and coefficients.
    terms: Vec<([u8; 3], f64)>,
}

impl Polynomial {
    /// From exponents and coefficients, the same exponents at most once.
    pub fn new(terms: &[([u8; 3], f64)]) -> Polynomial {
        Polynomial { terms: terms.to_vec() }
    }

    /// |x|²
    pub fn square() -> Polynomial {
        Polynomial::new(&[([2, 0, 0], 1.0), ([0, 2, 0], 1.0), ([0, 0, 2], 1.0)])
    }

    /// The value at a point.
    pub fn value(&self, x: &Vec3) -> f64 {
        self.terms.iter().map(|(e, c)| c * (0..3).map(|a| x[a].powi(i32::from(e[a]))).product::<f64>()).sum()
    }

    /// The derivative along an axis.
    pub fn slope(&self, axis: usize) -> Polynomial {
        let less = self.terms.iter().filter(|(e, _)| e[axis] > 0).map(|&(mut e, c)| {
            let factor = f64::from(e[axis]);
            e[axis] -= 1;
            (e, c * factor)
        });
        Polynomial { terms: less.collect() }
    }

    /// All three derivatives.
    pub fn gradient(&self) -> [Polynomial; 3] {
        [0, 1, 2].map(|axis| self.slope(axis))
    }

    /// The product of two.
    pub fn times(&self, other: &Polynomial) -> Polynomial {
        let mut terms: Vec<([u8; 3], f64)> = vec![];
        for (e, c) in &self.terms {
            for (f, d) in &other.terms {
                let sum = [0, 1, 2].map(|a| e[a] + f[a]);
                match terms.iter_mut().find(|(e, _)| *e == sum) {
                    Some((_, coefficient)) => *coefficient += c * d,
                    None => terms.push((sum, c * d)),
                }
            }
        }
        Polynomial { terms }
    }

    /// The product with a number.
    pub fn scaled(&self, factor: f64) -> Polynomial {
        Polynomial { terms: self.terms.iter().map(|&(e, c)| (e, c * factor)).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_laplacian_of_a_power_of_r_times_a_harmonic_is_known() {
        let (h, square) = (Polynomial::new(&[([1, 1, 0], 1.0)]), Polynomial::square());
        let f = square.times(&square).times(&h);
        let x = Vec3::new(0.3, -0.7, 0.9);
        let laplacian: f64 = (0..3).map(|a| f.slope(a).slope(a).value(&x)).sum();
        let exact = 4.0 * (4.0 + 2.0 * 2.0 + 1.0) * square.times(&h).value(&x);
        assert!((laplacian / exact - 1.0).abs() < 1e-14);
    }
}
