use super::super::{LuError, Medium, Plane, Polygon, Vec2, linear};
use super::*;

/// A generator of numbers between −1 and 1 that is the same on every machine.
struct Random(u64);

impl Random {
    fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.number()).collect()
    }

    fn below(&mut self, n: usize) -> usize {
        ((self.number() + 1.0) / 2.0 * n as f64) as usize % n
    }
}

/// H and −G of a square whose first nodes are held, with random loads.
fn square(random: &mut Random, parts: usize) -> [Mat<f64>; 3] {
    let medium = Medium::new(3.38, 0.3, Plane::Strain).unwrap();
    let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].map(|(x, y)| Vec2::new(x, y));
    let equations = linear::equations(&Polygon::new(&corners).unwrap().refined(parts), &medium);
    let scale = -1.0 / equations.traction_scale();
    let (mut unknown, g) = (equations.h().clone(), equations.nodal_g());
    let mut given = Mat::from_fn(g.nrows(), g.ncols(), |i, j| scale * g[(i, j)]);
    for j in 0..2 * parts {
        for i in 0..g.nrows() {
            (unknown[(i, j)], given[(i, j)]) = (given[(i, j)], unknown[(i, j)]);
        }
    }
    let n = unknown.nrows();
    [unknown, given, Mat::from_fn(n, 2, |_, _| random.number())]
}

/// The solution with exchanged directions, by a new factor: A (I − E Eᵀ) + Ā E Eᵀ against Ā (I − E Eᵀ) + A E Eᵀ.
fn fresh(m: &[Mat<f64>; 3], exchanged: &[Direction], given: &[f64], amounts: &[f64]) -> Vec<f64> {
    let [mut a, mut b] = [m[0].clone(), m[1].clone()];
    for d in exchanged {
        for i in 0..a.nrows() {
            let dot = |m: &Mat<f64>| d.entries().map(|(j, w)| w * m[(i, j)]).sum::<f64>();
            let (own, other) = (dot(&a), dot(&b));
            for (j, w) in d.entries() {
                a[(i, j)] += w * (other - own);
                b[(i, j)] += w * (own - other);
            }
        }
    }
    let row = |i: usize| {
        let load: f64 = amounts.iter().enumerate().map(|(k, f)| f * m[2][(i, k)]).sum();
        load - given.iter().enumerate().map(|(j, v)| b[(i, j)] * v).sum::<f64>()
    };
    let mut x: Vec<f64> = (0..a.nrows()).map(row).collect();
    DenseLu::of(a.as_ref()).unwrap().solve_vector(&mut x);
    x
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    let norm = |v: &mut dyn Iterator<Item = f64>| v.map(f64::abs).fold(0.0, f64::max);
    norm(&mut a.iter().zip(b).map(|(a, b)| a - b)) / norm(&mut b.iter().copied())
}

fn random_columns(random: &mut Random, n: usize, count: usize) -> Vec<Direction> {
    let mut chosen = vec![false; n];
    while chosen.iter().filter(|c| **c).count() < count {
        chosen[random.below(n)] = true;
    }
    (0..n).filter(|&j| chosen[j]).map(Direction::column).collect()
}

#[test]
fn exchanged_conditions_give_what_a_new_factor_gives() {
    let mut random = Random(7);
    let matrices = square(&mut random, 8);
    let [a, b, loads] = matrices.clone();
    let n = a.nrows();
    let mut exchange = Exchange::new(a, b, loads).unwrap();
    let (mut x, mut worst) = (vec![0.0; n], 0.0f64);
    for count in [0, 1, 2, 3, 5, 8, 13, 21, n / 2] {
        // A body stays held when held columns are not all let go: the first four are left alone.
        let exchanged: Vec<Direction> = random_columns(&mut random, n - 4, count)
            .iter()
            .map(|d| Direction::column(d.end() + 3))
            .collect();
        let (given, amounts) = (random.vector(n), random.vector(2));
        exchange.solve(&exchanged, &given, &amounts, &mut x).unwrap();
        worst = worst.max(distance(&x, &fresh(&matrices, &exchanged, &given, &amounts)));
    }
    println!("largest difference to a fresh solution: {worst:e}");
    assert!(worst < 1e-10, "{worst}");
    assert_eq!(exchange.refreshes(), 0);
}

#[test]
fn too_many_exchanges_become_the_reference() {
    let mut random = Random(8);
    let matrices = square(&mut random, 5);
    let [a, b, loads] = matrices.clone();
    let n = a.nrows();
    let mut exchange = Exchange::new(a, b, loads).unwrap();
    let mut x = vec![0.0; n];
    for (count, refreshes) in [(n / 2 + 3, 1), (n / 2 + 2, 1), (n / 2 - 3, 1), (2, 2), (0, 2)] {
        let exchanged: Vec<Direction> = (n - count..n).map(Direction::column).collect();
        let (given, amounts) = (random.vector(n), random.vector(2));
        exchange.solve(&exchanged, &given, &amounts, &mut x).unwrap();
        assert!(distance(&x, &fresh(&matrices, &exchanged, &given, &amounts)) < 1e-10);
        assert_eq!(exchange.refreshes(), refreshes, "{count}");
    }
}

#[test]
fn slanted_directions_of_any_dimension_are_exchanged() {
    // Random matrices stand for a body in space.
    let (mut random, n) = (Random(9), 30);
    let mut matrix =
        |weight: f64| Mat::from_fn(n, n, |i, j| if i == j { weight } else { 0.0 } + 0.3 * random.number());
    let matrices = [matrix(3.0), matrix(2.0), matrix(1.0)];
    let [a, b, loads] = matrices.clone();
    let mut exchange = Exchange::new(a, b, loads).unwrap();
    let mut x = vec![0.0; n];
    for round in 0..6 {
        let mut exchanged = vec![Direction::column(0), Direction::column(28)];
        for k in [1, 3, 4, 7] {
            let axis = [random.number(), random.number(), random.number()];
            exchanged.push(Direction::across(3 * k, axis));
        }
        // A reference with the whole vertex 3 exchanged must be given up for the slanted direction there.
        if round == 3 {
            exchange.refresh(&[9, 10, 11].map(Direction::column)).unwrap();
        }
        let (given, amounts) = (random.vector(n), random.vector(n));
        exchange.solve(&exchanged, &given, &amounts, &mut x).unwrap();
        assert!(distance(&x, &fresh(&matrices, &exchanged, &given, &amounts)) < 1e-10, "{round}");
    }
    assert_eq!(exchange.refreshes(), 2);
}

#[test]
fn a_new_load_counts_at_once() {
    let mut random = Random(10);
    let mut matrices = square(&mut random, 3);
    let [a, b, loads] = matrices.clone();
    let n = a.nrows();
    let mut exchange = Exchange::new(a, b, loads).unwrap();
    let (column, given, mut x) = (random.vector(n), random.vector(n), vec![0.0; n]);
    exchange.set_load(1, &column).unwrap();
    (0..n).for_each(|i| matrices[2][(i, 1)] = column[i]);
    let exchanged = [Direction::column(n - 1)];
    exchange.solve(&exchanged, &given, &[0.3, 0.7], &mut x).unwrap();
    assert!(distance(&x, &fresh(&matrices, &exchanged, &given, &[0.3, 0.7])) < 1e-12);
}

#[test]
fn exchanges_without_sense_are_refused() {
    let mut random = Random(11);
    let [a, b, loads] = square(&mut random, 3);
    let n = a.nrows();
    assert!(Exchange::new(a.clone(), Mat::zeros(n, n - 1), loads.clone()).is_err());
    let mut exchange = Exchange::new(a, b, loads).unwrap();
    let (given, mut x) = (vec![0.0; n], vec![0.0; n]);
    assert!(exchange.solve(&[Direction::column(n)], &given, &[0.0; 2], &mut x).is_err());
    assert!(exchange.solve(&[], &given, &[0.0; 3], &mut x).is_err());
    assert!(exchange.solve(&[], &given[1..], &[0.0; 2], &mut x).is_err());
    assert!(exchange.set_load(2, &given).is_err());
    // Nothing holds the body when all held nodes are let go.
    let free: Vec<Direction> = (0..6).map(Direction::column).collect();
    let refused = exchange.solve(&free, &given, &[0.0; 2], &mut x);
    assert!(matches!(refused, Err(UpdateError::Factor(LuError::Singular(_)))), "{refused:?}");
    // Nor can that be a reference; the old one stays.
    assert!(exchange.refresh(&free).is_err());
    assert!(exchange.solve(&[], &given, &[0.0; 2], &mut x).is_ok() && x.iter().all(|x| *x == 0.0));
}

#[test]
fn a_kept_reference_gives_the_same_bits_after_any_history() {
    let mut random = Random(12);
    let [a, b, loads] = square(&mut random, 5);
    let n = a.nrows();
    let mut exchange = Exchange::new(a, b, loads).unwrap();
    exchange.keep_reference().unwrap();
    let last = |count: usize| (n - count..n).map(Direction::column).collect::<Vec<_>>();
    let (given, mut x, mut y) = (random.vector(n), vec![0.0; n], vec![0.0; n]);
    exchange.solve(&last(3), &given, &[0.3, 0.7], &mut x).unwrap();
    exchange.solve(&last(n - 8), &given, &[1.0, 0.0], &mut y).unwrap();
    exchange.solve(&last(3), &given, &[0.3, 0.7], &mut y).unwrap();
    assert_eq!((exchange.refreshes(), x), (0, y));
}
