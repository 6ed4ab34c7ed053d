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

/// Run with `--ignored`: it takes longer than a test should.
#[test]
#[ignore]
fn memory_at_four_thousand_vertices_is_told() {
    let body = torus(125, 32, 1.0, 0.3);
    for part in [Part::OfTraction, Part::OfDisplacement] {
        let start = std::time::Instant::now();
        let compressed = Compressed::new(&body, &medium(), part, 1e-4);
        let n = 3 * body.vertices().len();
        let ratio = compressed.numbers() as f64 / (n * n) as f64;
        let made = start.elapsed().as_secs_f64();
        let (x, mut y) = (vec![1.0; n], vec![0.0; n]);
        let start = std::time::Instant::now();
        compressed.apply(&x, &mut y);
        println!(
            "{part:?}, {} vertices: memory {ratio:.3} of dense, made in {made:.1} s, product {:.1} ms",
            n / 3,
            1e3 * start.elapsed().as_secs_f64()
        );
    }
}
