use super::*;
use crate::boundary::solid::test_shapes::{brick, random, torus};
use crate::boundary::solid::{Operator, Vec3};

fn medium() -> Medium {
    Medium::new(2.6, 0.3).unwrap()
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

#[test]
fn products_agree_with_the_dense_matrices_within_the_tolerance() {
    for (name, body) in
        [("torus", torus(48, 10, 1.0, 0.3)), ("bar", brick(Vec3::new(8.0, 1.0, 1.0), [32, 3, 3]))]
    {
        let dense = Operator::new(body.clone(), medium());
        let n = 3 * body.vertices().len();
        let mut next = random(8);
        let x: Vec<f64> = (0..n).map(|_| next() - 0.5).collect();
        for (part, matrix) in [(Part::OfDisplacement, dense.h()), (Part::OfTraction, dense.g())] {
            for tolerance in [1e-2, 1e-4] {
                let compressed = Compressed::new(&body, &medium(), part, tolerance);
                let mut y = vec![0.0; n];
                compressed.apply(&x, &mut y);
                let exact = matrix * faer::Mat::from_fn(n, 1, |i, _| x[i]);
                let off: Vec<f64> = (0..n).map(|i| y[i] - exact[(i, 0)]).collect();
                let error = norm(&off) / norm(&(0..n).map(|i| exact[(i, 0)]).collect::<Vec<_>>());
                let ratio = compressed.numbers() as f64 / (n * n) as f64;
                println!("{name} {part:?}, tolerance {tolerance:.0e}: error {error:.1e}, memory {ratio:.2}");
                assert!(error < 3.0 * tolerance && ratio < 1.0);
            }
        }
    }
}

#[test]
fn translations_cost_nothing_after_compression() {
    let body = torus(30, 10, 1.0, 0.3);
    let compressed = Compressed::new(&body, &medium(), Part::OfDisplacement, 1e-3);
    let x = vec![1.0; 3 * body.vertices().len()];
    let mut y = vec![0.0; x.len()];
    compressed.apply(&x, &mut y);
    assert!(norm(&y) < 1e-12 * norm(&x));
}
