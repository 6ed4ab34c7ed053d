use super::*;

/// A matrix that is no near relative of its diagonal, with an answer that is known.
#[test]
fn the_answer_is_that_of_elimination() {
    let n = 60;
    let entry = |i: usize, j: usize| {
        let apart = i.abs_diff(j) as f64;
        if i == j { 2.0 } else { ((3 * i + 5 * j) as f64).sin() / (1.0 + apart) }
    };
    let matrix = Mat::from_fn(n, n, entry);
    let right: Vec<f64> = (0..n).map(|i| (i as f64).cos()).collect();
    let product = |x: &[f64], y: &mut [f64]| {
        (0..n).for_each(|i| y[i] = (0..n).map(|j| entry(i, j) * x[j]).sum());
    };
    let block = |start: usize| {
        let places: Vec<usize> = (start..start + 10).collect();
        (places, Mat::from_fn(10, 10, |i, j| entry(start + i, start + j)))
    };
    let leaves = Leaves::new((0..n / 10).map(|k| block(10 * k)));
    let x = solve(product, &leaves, &right).unwrap();
    let exact = matrix.partial_piv_lu().solve(Mat::from_fn(n, 1, |i, _| right[i]));
    (0..n).for_each(|i| assert!((x[i] - exact[(i, 0)]).abs() < 1e-9, "{i}: {} {}", x[i], exact[(i, 0)]));
}

#[test]
fn equations_without_an_answer_are_an_error() {
    let flat = |x: &[f64], y: &mut [f64]| (y[0], y[1]) = (x[0] + x[1], x[0] + x[1]);
    let leaves = Leaves::new(std::iter::empty());
    assert!(solve(flat, &leaves, &[1.0, -1.0]).is_err());
    let rotten = |_: &[f64], y: &mut [f64]| y.fill(f64::NAN);
    assert!(matches!(solve(rotten, &leaves, &[1.0, 1.0]), Err(SolveError::NotConverged { .. })));
    assert_eq!(solve(flat, &leaves, &[0.0, 0.0]), Ok(vec![0.0, 0.0]));
}
