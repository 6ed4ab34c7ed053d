//! The coefficients of Runge–Kutta–Fehlberg 4(5) (Fehlberg 1969).

/// Stages.
pub const STAGES: usize = 6;

/// Times of the stages, as parts of the step.
pub const C: [f64; STAGES] = [0.0, 1.0 / 4.0, 3.0 / 8.0, 12.0 / 13.0, 1.0, 1.0 / 2.0];

/// Weights of the stages before each stage.
pub const A: [[f64; STAGES - 1]; STAGES] = [
    [0.0; 5],
    [1.0 / 4.0, 0.0, 0.0, 0.0, 0.0],
    [3.0 / 32.0, 9.0 / 32.0, 0.0, 0.0, 0.0],
    [1932.0 / 2197.0, -7200.0 / 2197.0, 7296.0 / 2197.0, 0.0, 0.0],
    [439.0 / 216.0, -8.0, 3680.0 / 513.0, -845.0 / 4104.0, 0.0],
    [-8.0 / 27.0, 2.0, -3544.0 / 2565.0, 1859.0 / 4104.0, -11.0 / 40.0],
];

/// Fourth-order result, with which the step is taken.
pub const B4: [f64; STAGES] = [25.0 / 216.0, 0.0, 1408.0 / 2565.0, 2197.0 / 4104.0, -1.0 / 5.0, 0.0];

/// Fifth less fourth order: the error estimate.
pub const ERROR: [f64; STAGES] =
    [1.0 / 360.0, 0.0, -128.0 / 4275.0, -2197.0 / 75240.0, 1.0 / 50.0, 2.0 / 55.0];

#[cfg(test)]
mod tests {
    use super::*;

    /// Σ wᵢ cᵢᵖ = 1/(p+1): the quadrature conditions.
    fn quadrature(weights: &[f64; STAGES], power: i32) -> f64 {
        weights.iter().zip(C).map(|(w, c)| w * if power == 0 { 1.0 } else { c.powi(power) }).sum()
    }

    #[test]
    fn weights_satisfy_the_quadrature_conditions_of_their_order() {
        let b5: [f64; STAGES] = std::array::from_fn(|i| B4[i] + ERROR[i]);
        for p in 0..4 {
            assert!((quadrature(&B4, p) - 1.0 / (p as f64 + 1.0)).abs() < 1e-15);
        }
        for p in 0..5 {
            assert!((quadrature(&b5, p) - 1.0 / (p as f64 + 1.0)).abs() < 1e-15);
        }
    }

    #[test]
    fn every_row_adds_up_to_its_time() {
        for (row, c) in A.iter().zip(C) {
            assert!((row.iter().sum::<f64>() - c).abs() < 1e-14);
        }
    }
}
