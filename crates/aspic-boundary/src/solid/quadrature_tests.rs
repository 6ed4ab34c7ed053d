use super::*;

/// Mean of aⁱ bʲ over the triangle: 2 i! j! / (i + j + 2)!
fn exact(i: u32, j: u32) -> f64 {
    let factorial = |n: u32| (1..=n).map(f64::from).product::<f64>();
    2.0 * factorial(i) * factorial(j) / factorial(i + j + 2)
}

#[test]
fn the_rules_are_exact_up_to_their_degree_and_no_further() {
    for (rule, degree) in [(Rule::seven(), 5), (Rule::sixteen(), 8)] {
        let mut beyond: f64 = 0.0;
        for i in 0..=degree + 1 {
            for j in 0..=degree + 1 - i {
                let sum: f64 =
                    rule.points.iter().map(|(n, w)| w * n[0].powi(i as i32) * n[1].powi(j as i32)).sum();
                let error = (sum - exact(i, j)).abs();
                if i + j <= degree {
                    assert!(error < 2e-14, "{i} {j} {error}");
                } else {
                    beyond = beyond.max(error);
                }
            }
        }
        assert!(beyond > 1e-8);
    }
}

#[test]
fn gauss_is_exact_for_polynomials_of_twice_its_order_less_one() {
    for order in [2, 5, 8] {
        for power in 0..2 * order as i32 {
            let sum: f64 = gauss(order).iter().map(|(x, w)| w * x.powi(power)).sum();
            assert!((sum * f64::from(power + 1) - 1.0).abs() < 1e-13, "{order} {power}");
        }
    }
}
