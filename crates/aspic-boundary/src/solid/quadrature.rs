//! Points and weights on the triangle (Dunavant 1985), for triangles that are far away, and on a line (Gauss).

/// A rule: weights of the corners at each point, and the weight of the point; these add up to 1.
#[derive(Clone, Debug)]
pub struct Rule {
    /// N_k at the points and the weights of the points.
    pub points: Vec<([f64; 3], f64)>,
}

impl Rule {
    fn new(centre: f64, triples: &[(f64, f64)], sextuples: &[(f64, f64, f64)]) -> Rule {
        let mut points = vec![([1.0 / 3.0; 3], centre)];
        for &(a, weight) in triples {
            let b = 1.0 - 2.0 * a;
            points.extend([[b, a, a], [a, b, a], [a, a, b]].map(|n| (n, weight)));
        }
        for &(a, b, weight) in sextuples {
            let c = 1.0 - a - b;
            let all = [[a, b, c], [b, c, a], [c, a, b], [a, c, b], [c, b, a], [b, a, c]];
            points.extend(all.map(|n| (n, weight)));
        }
        let sum: f64 = points.iter().map(|(_, weight)| weight).sum();
        points.iter_mut().for_each(|(_, weight)| *weight /= sum);
        Rule { points }
    }

    /// 3 points inside, exact for polynomials of degree 2.
    pub fn three() -> Rule {
        let [a, b] = [1.0 / 6.0, 2.0 / 3.0];
        Rule { points: [[b, a, a], [a, b, a], [a, a, b]].map(|n| (n, 1.0 / 3.0)).to_vec() }
    }

    /// 7 points, exact for polynomials of degree 5.
    pub fn seven() -> Rule {
        let root = 15f64.sqrt();
        let triples =
            [((6.0 - root) / 21.0, (155.0 - root) / 1200.0), ((6.0 + root) / 21.0, (155.0 + root) / 1200.0)];
        Rule::new(0.225, &triples, &[])
    }

    /// 16 points, exact for polynomials of degree 8.
    pub fn sixteen() -> Rule {
        let triples = [
            (0.459292588292723, 0.095091634267285),
            (0.170569307751760, 0.103217370534718),
            (0.050547228317031, 0.032458497623198),
        ];
        Rule::new(0.144315607677787, &triples, &[(0.008394777409958, 0.263112829634638, 0.027230314174435)])
    }
}

/// Gauss's points on (0, 1) with their weights, by Newton's method on Legendre's polynomial.
pub fn gauss(order: usize) -> Vec<(f64, f64)> {
    let n = order as f64;
    let legendre = |x: f64| {
        let (mut last, mut value) = (1.0, x);
        for k in 2..=order {
            let k = k as f64;
            (last, value) = (value, ((2.0 * k - 1.0) * x * value - (k - 1.0) * last) / k);
        }
        (value, n * (x * value - last) / (x * x - 1.0))
    };
    let point = |i: usize| {
        let mut x = -(std::f64::consts::PI * (i as f64 + 0.75) / (n + 0.5)).cos();
        for _ in 0..8 {
            let (value, slope) = legendre(x);
            x -= value / slope;
        }
        (0.5 * (1.0 + x), 1.0 / ((1.0 - x * x) * legendre(x).1.powi(2)))
    };
    (0..order).map(point).collect()
}

#[cfg(test)]
#[path = "quadrature_tests.rs"]
mod tests;
