//! The two numbers of an isotropic elastic material.

/// Bulk and shear modulus of an isotropic material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moduli {
    /// Bulk modulus K \[Pa\]: resistance to a change of volume.
    pub bulk: f64,
    /// Shear modulus G \[Pa\]: resistance to a change of shape.
    pub shear: f64,
}

/// Why a pair of numbers is not a material.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum MaterialError {
    /// A modulus is zero, negative, infinite or NaN.
    #[error(
        "the {which} modulus is {value} Pa: it must be a positive number (soft rubber has about 1e5 to 1e6)"
    )]
    Modulus {
        /// "bulk", "shear" or "Young".
        which: &'static str,
        /// The number given \[Pa\].
        value: f64,
    },
    /// No material has this Poisson ratio, or none that can be simulated.
    #[error(
        "the Poisson ratio is {value}: it must lie above -1 and below 0.5 (0 for cork, 0.3 for metal, 0.45 for rubber)"
    )]
    Poisson {
        /// The number given.
        value: f64,
    },
}

fn positive(which: &'static str, value: f64) -> Result<f64, MaterialError> {
    if value.is_finite() && value > 0.0 { Ok(value) } else { Err(MaterialError::Modulus { which, value }) }
}

impl Moduli {
    /// From bulk and shear modulus \[Pa\].
    pub fn new(bulk: f64, shear: f64) -> Result<Moduli, MaterialError> {
        Ok(Moduli { bulk: positive("bulk", bulk)?, shear: positive("shear", shear)? })
    }

    /// From Young's modulus \[Pa\] and Poisson's ratio: K = E/(3(1−2ν)), G = E/(2(1+ν)).
    pub fn from_young_poisson(young: f64, poisson: f64) -> Result<Moduli, MaterialError> {
        let young = positive("Young", young)?;
        if !(poisson > -1.0 && poisson < 0.5) {
            return Err(MaterialError::Poisson { value: poisson });
        }
        Moduli::new(young / (3.0 * (1.0 - 2.0 * poisson)), young / (2.0 * (1.0 + poisson)))
    }

    /// Young's modulus E = 9KG/(3K+G) \[Pa\].
    pub fn young(&self) -> f64 {
        9.0 * self.bulk * self.shear / (3.0 * self.bulk + self.shear)
    }

    /// Poisson's ratio ν = (3K−2G)/(2(3K+G)).
    pub fn poisson(&self) -> f64 {
        (3.0 * self.bulk - 2.0 * self.shear) / (2.0 * (3.0 * self.bulk + self.shear))
    }

    /// Modulus of pressure waves K + 4G/3 \[Pa\]: their speed is √(modulus/density).
    pub fn p_wave(&self) -> f64 {
        self.bulk + 4.0 / 3.0 * self.shear
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn young_and_poisson_survive_the_way_there_and_back() {
        for (young, poisson) in [(1e5, 0.3), (2e11, 0.0), (1.0, 0.49), (7.0, -0.9)] {
            let moduli = Moduli::from_young_poisson(young, poisson).unwrap();
            assert!((moduli.young() / young - 1.0).abs() < 1e-13);
            assert!((moduli.poisson() - poisson).abs() < 1e-13);
        }
    }

    #[test]
    fn steel_has_its_textbook_moduli() {
        // E = 200 GPa, ν = 0.3: K = 166.67 GPa, G = 76.92 GPa, pressure waves 269.23 GPa
        let steel = Moduli::from_young_poisson(200e9, 0.3).unwrap();
        assert!((steel.bulk - 166.666_666_67e9).abs() < 1e2);
        assert!((steel.shear - 76.923_076_92e9).abs() < 1e2);
        assert!((steel.p_wave() - 269.230_769_23e9).abs() < 1e2);
    }

    #[test]
    fn impossible_numbers_are_refused_with_the_number() {
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(Moduli::new(bad, 1.0).is_err() && Moduli::new(1.0, bad).is_err());
            assert!(Moduli::from_young_poisson(bad, 0.3).is_err());
        }
        for bad in [0.5, 0.7, -1.0, f64::NAN] {
            assert!(Moduli::from_young_poisson(1.0, bad).is_err());
        }
        // a Young modulus near the largest number overflows to an infinite bulk modulus
        assert!(Moduli::from_young_poisson(1e308, 0.499_999).is_err());
        let message = Moduli::from_young_poisson(1.0, 0.5).unwrap_err().to_string();
        assert!(message.contains("0.5:") && message.contains("below 0.5"), "{message}");
        assert!(Moduli::new(-3.0, 1.0).unwrap_err().to_string().contains("bulk modulus is -3 Pa"));
    }
}
