//! The linear algebra of implicit steps against dense matrices.

use nalgebra::{DMatrix, DVector};
use wide::f32x4;

use super::*;
use crate::{Mat3, Vec3};

/// Numbers between −1 and 1 that look random and never change.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::from_fn(|_, _| self.roll())
    }

    fn vectors(&mut self, n: usize) -> Vec<Vec3> {
        (0..n).map(|_| self.vector()).collect()
    }
}

/// Tetrahedra along a line of nodes, with one that reaches far.
fn cliques(n: usize) -> Vec<[u32; 4]> {
    let far = [0, n as u32 / 3, n as u32 / 2, n as u32 - 1];
    (0..n as u32 - 3).map(|i| [i, i + 1, i + 2, i + 3]).chain([far]).collect()
}

/// A positive definite matrix: Σ B Bᵀ over the cliques, plus a little on the diagonal.
fn example(n: usize, dice: &mut Dice) -> BlockMatrix {
    let cliques = cliques(n);
    let mut matrix = BlockMatrix::with_pattern(n, cliques.iter().map(|c| &c[..]));
    for clique in &cliques {
        let rows: Vec<Mat3> = (0..4).map(|_| Mat3::from_fn(|_, _| dice.roll())).collect();
        for p in 0..4 {
            for r in 0..4 {
                let place = matrix.place(clique[p] as usize, clique[r] as usize).unwrap();
                matrix.blocks_mut()[place] += rows[p] * rows[r].transpose();
            }
        }
    }
    for i in 0..n {
        let place = matrix.diagonal_place(i);
        matrix.blocks_mut()[place] += 0.1 * Mat3::identity();
    }
    matrix
}

fn terms(n: usize, count: usize, dice: &mut Dice) -> RankOnes {
    let mut terms = RankOnes::default();
    for t in (0..count).map(|t| t / 2) {
        // two and two on the same nodes
        let nodes = [t * 7 % n, (t * 7 + n / 2) % n, (t * 7 + 1) % n];
        terms.push(nodes.map(|i| (i as u32, 3.0 * dice.vector())));
    }
    terms
}

fn dense(matrix: &BlockMatrix, terms: &RankOnes) -> DMatrix<f64> {
    let n = matrix.len();
    let mut full = DMatrix::<f64>::zeros(3 * n, 3 * n);
    for i in 0..n {
        for (j, block) in matrix.row(i) {
            (0..9).for_each(|k| full[(3 * i + k % 3, 3 * j + k / 3)] += block[(k % 3, k / 3)]);
        }
    }
    for (nodes, vectors) in terms.terms() {
        let mut z = DVector::<f64>::zeros(3 * n);
        for (&i, v) in nodes.iter().zip(vectors) {
            (0..3).for_each(|a| z[3 * i as usize + a] += v[a]);
        }
        full += &z * z.transpose();
    }
    full
}

fn flat(x: &[Vec3]) -> DVector<f64> {
    DVector::from_iterator(3 * x.len(), x.iter().flat_map(|x| [x.x, x.y, x.z]))
}

fn in_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

#[test]
fn the_pattern_holds_each_pair_of_a_clique_once() {
    let matrix = BlockMatrix::with_pattern(6, [&[4u32, 1, 2][..], &[2, 1], &[0]]);
    let columns: Vec<Vec<usize>> = (0..6).map(|i| matrix.row(i).map(|(j, _)| j).collect()).collect();
    assert_eq!(columns, [vec![0], vec![1, 2, 4], vec![1, 2, 4], vec![3], vec![1, 2, 4], vec![5]]);
    assert_eq!((matrix.place(4, 2), matrix.place(4, 3), matrix.place(9, 0)), (Some(9), None, None));
}

#[test]
fn products_agree_with_a_dense_matrix() {
    let (n, mut dice) = (37, Dice(1));
    let matrix = example(n, &mut dice);
    let mut terms = terms(n, 50, &mut dice);
    let (x, mut y) = (dice.vectors(n), vec![Vec3::zeros(); n]);
    System { matrix: &matrix, terms: &mut terms }.multiply(&x, &mut y);
    let expected = dense(&matrix, &terms) * flat(&x);
    assert!((flat(&y) - &expected).amax() < 1e-13 * expected.amax());
}

#[test]
fn the_diagonal_of_the_terms_is_that_of_their_sum() {
    let (n, mut dice) = (23, Dice(2));
    let terms = terms(n, 40, &mut dice);
    let full = dense(&BlockMatrix::with_pattern(n, []), &terms);
    let mut blocks = vec![Mat3::zeros(); n];
    terms.add_diagonal(&mut blocks);
    for i in 0..n {
        let expected = full.fixed_view::<3, 3>(3 * i, 3 * i);
        assert!((blocks[i] - expected).amax() < 1e-13 * full.amax());
    }
}

#[test]
fn conjugate_gradients_agree_with_a_dense_solve() {
    let (n, mut dice) = (40, Dice(3));
    let matrix = example(n, &mut dice);
    let mut terms = terms(n, 20, &mut dice);
    let (b, mut x) = (dice.vectors(n), vec![Vec3::zeros(); n]);
    let expected = dense(&matrix, &terms).cholesky().unwrap().solve(&flat(&b));
    let mut jacobi = BlockJacobi::default();
    jacobi.update(&matrix, &terms);
    let target = Target { tolerance: 1e-12, cap: 1000 };
    let effort = Conjugate::default().solve(
        &mut System { matrix: &matrix, terms: &mut terms },
        &mut jacobi,
        &b,
        &mut x,
        target,
    );
    assert_eq!(effort.ending, Ending::Converged);
    assert!((flat(&x) - &expected).norm() < 1e-10 * expected.norm(), "{effort:?}");
}

#[test]
fn the_factor_of_the_matrix_alone_leaves_few_iterations_for_a_few_contacts() {
    let (n, mut dice) = (300, Dice(4));
    let matrix = example(n, &mut dice);
    let mut terms = terms(n, 5, &mut dice);
    let (b, mut x) = (dice.vectors(n), vec![Vec3::zeros(); n]);
    let mut direct: Direct = Direct::analyse(&matrix, &vec![true; n]).unwrap();
    direct.refactor(&matrix).unwrap();
    let target = Target { tolerance: 1e-9, cap: 1000 };
    let effort = Conjugate::default().solve(
        &mut System { matrix: &matrix, terms: &mut terms },
        &mut direct,
        &b,
        &mut x,
        target,
    );
    // One iteration for each outlying eigenvalue, one for the rest, a few for round-off.
    assert!(effort.ending == Ending::Converged && effort.iterations <= 9, "{effort:?}");
}

#[test]
fn threads_change_no_bit() {
    let (n, mut dice) = (9000, Dice(5));
    let matrix = example(n, &mut dice);
    let terms = terms(n, 21_000, &mut dice);
    let b = dice.vectors(n);
    let solve = |threads| {
        let (mut terms, mut x) = (terms.clone(), vec![Vec3::zeros(); n]);
        in_threads(threads, || {
            let mut jacobi = BlockJacobi::default();
            jacobi.update(&matrix, &terms);
            let target = Target { tolerance: 0.0, cap: 12 };
            Conjugate::default().solve(
                &mut System { matrix: &matrix, terms: &mut terms },
                &mut jacobi,
                &b,
                &mut x,
                target,
            );
        });
        x
    };
    let one = solve(1);
    assert!(one.iter().any(|x| x.norm() > 0.0));
    assert_eq!(one, solve(2));
    assert_eq!(one, solve(3));
}

#[test]
fn many_terms_give_the_bits_of_few() {
    let (n, mut dice) = (2000, Dice(6));
    let mut many = terms(n, 20_001, &mut dice);
    let x = dice.vectors(n);
    let (mut by_nodes, mut by_terms) = (dice.vectors(n), vec![]);
    by_terms.extend_from_slice(&by_nodes);
    many.add_product(&x, &mut by_nodes);
    let all: Vec<(&[u32], &[Vec3])> = many.terms().collect();
    for group in all.chunk_by(|a, b| a.0 == b.0) {
        let mut few = RankOnes::default();
        for (nodes, vectors) in group {
            few.push(nodes.iter().copied().zip(vectors.iter().copied()));
        }
        few.add_product(&x, &mut by_terms);
    }
    assert_eq!(by_nodes, by_terms);
}

#[test]
fn a_term_may_touch_any_number_of_nodes() {
    let (n, mut dice) = (40, Dice(8));
    let (x, z, mut terms) = (dice.vectors(n), dice.vectors(n), RankOnes::default());
    (0..2).for_each(|_| terms.push((0..n as u32).zip(z.iter().copied())));
    let mut y = vec![Vec3::zeros(); n];
    terms.add_product(&x, &mut y);
    let expected = 2.0 * flat(&z) * flat(&z).dot(&flat(&x));
    assert!((flat(&y) - &expected).norm() < 1e-12 * expected.norm());
    assert_eq!(terms.len(), 2);
}

#[test]
fn held_nodes_stay_and_do_not_touch_the_others() {
    let (n, mut dice) = (30, Dice(7));
    let mut matrix = example(n, &mut dice);
    let mut terms = terms(n, 15, &mut dice);
    let free: Vec<bool> = (0..n).map(|i| i % 4 != 1).collect();
    let full = dense(&matrix, &terms);
    let kept: Vec<usize> = (0..3 * n).filter(|k| free[k / 3]).collect();
    let mut b = dice.vectors(n);
    (0..n).filter(|&i| !free[i]).for_each(|i| b[i] = Vec3::zeros());
    let expected = full.select_rows(&kept).select_columns(&kept).cholesky().unwrap();
    let expected = expected.solve(&flat(&b).select_rows(&kept));
    matrix.constrain(&free);
    terms.constrain(&free);
    let mut direct: Direct = Direct::analyse(&matrix, &free).unwrap();
    direct.refactor(&matrix).unwrap();
    let mut x = vec![Vec3::zeros(); n];
    let target = Target { tolerance: 1e-13, cap: 200 };
    let effort = Conjugate::default().solve(
        &mut System { matrix: &matrix, terms: &mut terms },
        &mut direct,
        &b,
        &mut x,
        target,
    );
    assert_eq!(effort.ending, Ending::Converged);
    assert!((flat(&x).select_rows(&kept) - &expected).norm() < 1e-10 * expected.norm());
    assert!((0..n).filter(|&i| !free[i]).all(|i| x[i] == Vec3::zeros()));
}

#[test]
fn the_factor_solves_what_a_dense_factor_solves() {
    for n in [4, 5, 60, 400] {
        let mut dice = Dice(8);
        let matrix = example(n, &mut dice);
        let (b, mut x) = (dice.vectors(n), vec![Vec3::zeros(); n]);
        let expected = dense(&matrix, &RankOnes::default()).cholesky().unwrap().solve(&flat(&b));
        let mut direct: Direct = Direct::analyse(&matrix, &vec![true; n]).unwrap();
        direct.refactor(&matrix).unwrap();
        direct.solve(&b, &mut x);
        assert!((flat(&x) - &expected).norm() < 1e-11 * expected.norm(), "{n} nodes");
        let mut single = Direct::<f32>::analyse(&matrix, &vec![true; n]).unwrap();
        single.refactor(&matrix).unwrap();
        single.solve(&b, &mut x);
        assert!((flat(&x) - &expected).norm() < 1e-3 * expected.norm(), "{n} nodes, single precision");
    }
}

#[test]
fn factoring_again_gives_the_bits_of_a_fresh_factor() {
    let (n, mut dice) = (120, Dice(9));
    let (first, second) = (example(n, &mut dice), example(n, &mut dice));
    let free: Vec<bool> = (0..n).map(|i| i != 3).collect();
    let mut again: Direct = Direct::analyse(&first, &free).unwrap();
    again.refactor(&first).unwrap();
    again.refactor(&second).unwrap();
    let mut fresh: Direct = Direct::analyse(&second, &free).unwrap();
    fresh.refactor(&second).unwrap();
    let b = dice.vectors(n);
    let (mut x, mut y) = (b.clone(), b.clone());
    again.solve(&b, &mut x);
    fresh.solve(&b, &mut y);
    assert_eq!(x, y);
}

#[test]
fn matrices_that_are_not_positive_end_with_a_word() {
    let (n, mut dice) = (20, Dice(10));
    let b = dice.vectors(n);
    let positive = example(n, &mut dice);
    for (scale, add) in [(-1.0, 0.0), (1.0, -30.0), (0.0, 0.0), (f64::NAN, 0.0), (0.0, f64::INFINITY)] {
        let mut matrix = positive.clone();
        matrix.blocks_mut().iter_mut().for_each(|block| *block *= scale);
        let place = matrix.diagonal_place(4);
        matrix.blocks_mut()[place] += add * Mat3::identity();
        let (mut terms, mut jacobi) = (RankOnes::default(), BlockJacobi::default());
        jacobi.update(&matrix, &terms);
        let (mut x, target) = (vec![Vec3::zeros(); n], Target { tolerance: 1e-10, cap: 100_000 });
        let effort = Conjugate::default().solve(
            &mut System { matrix: &matrix, terms: &mut terms },
            &mut jacobi,
            &b,
            &mut x,
            target,
        );
        assert_eq!(effort.ending, Ending::NotPositive, "{scale} {add}");
        assert!(effort.iterations <= 200, "{scale} {add}: {effort:?}");
        let factored = Direct::<f64>::analyse(&matrix, &vec![true; n]).unwrap().refactor(&matrix);
        assert_eq!(factored, Err(FactorError::NotPositive), "{scale} {add}");
    }
}

#[test]
fn no_load_and_no_nodes_take_no_iterations() {
    let (n, mut dice) = (10, Dice(11));
    let matrix = example(n, &mut dice);
    let (mut terms, mut jacobi) = (RankOnes::default(), BlockJacobi::default());
    jacobi.update(&matrix, &terms);
    let (zero, mut x) = (vec![Vec3::zeros(); n], dice.vectors(n));
    let target = Target { tolerance: 1e-6, cap: 10 };
    let effort = Conjugate::default().solve(
        &mut System { matrix: &matrix, terms: &mut terms },
        &mut jacobi,
        &zero,
        &mut x,
        target,
    );
    assert_eq!((effort.iterations, effort.ending, &x), (0, Ending::Converged, &zero));
    let mut held: Direct = Direct::analyse(&matrix, &vec![false; n]).unwrap();
    held.refactor(&matrix).unwrap();
    let b = dice.vectors(n);
    held.solve(&b, &mut x);
    assert_eq!(x, b);
}

/// Springs between neighbours of a cubic lattice of edge n, stiff against a little mass on the diagonal.
fn lattice(n: usize) -> (BlockMatrix, Vec<Vec3>) {
    let number = |c: [usize; 3]| (c[0] + n * (c[1] + n * c[2])) as u32;
    let cells = (0..n * n * n).map(|k| [k % n, k / n % n, k / n / n]);
    let positions: Vec<Vec3> = cells.clone().map(|c| Vec3::from_fn(|a, _| c[a] as f64)).collect();
    let mut pairs = vec![];
    for c in cells {
        for step in [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [0, 1, 1], [1, 0, 1]] {
            let d = [c[0] + step[0], c[1] + step[1], c[2] + step[2]];
            if d.iter().all(|&d| d < n) {
                pairs.push([number(c), number(d)]);
            }
        }
    }
    let mut matrix = BlockMatrix::with_pattern(n * n * n, pairs.iter().map(|p| &p[..]));
    for [i, j] in pairs.iter().map(|p| p.map(|i| i as usize)) {
        let along = (positions[i] - positions[j]).normalize();
        let spring = along * along.transpose();
        for (row, column, sign) in [(i, i, 1.0), (j, j, 1.0), (i, j, -1.0), (j, i, -1.0)] {
            let place = matrix.place(row, column).unwrap();
            matrix.blocks_mut()[place] += sign * spring;
        }
    }
    for i in 0..matrix.len() {
        let place = matrix.diagonal_place(i);
        matrix.blocks_mut()[place] += 1e-3 * Mat3::identity();
    }
    (matrix, positions)
}

/// Solution and effort by the front, for a lattice with a held side and contacts.
fn solve_lattice(choice: Choice, n: usize, contacts: usize, tolerance: f64) -> (Vec<Vec3>, Effort, RankOnes) {
    let mut dice = Dice(12);
    let (mut matrix, positions) = lattice(n);
    let free: Vec<bool> = positions.iter().map(|x| x.x > 0.0).collect();
    let mut terms = terms(matrix.len(), contacts, &mut dice);
    let mut b = dice.vectors(matrix.len());
    (0..b.len()).filter(|&i| !free[i]).for_each(|i| b[i] = Vec3::zeros());
    matrix.constrain(&free);
    terms.constrain(&free);
    let mut x = vec![Vec3::zeros(); b.len()];
    let mut solver = LinearSolver::new(choice);
    solver.begin_step();
    solver.prepare(&matrix, &terms, &free, &positions, true);
    let effort = solver.solve(&matrix, &mut terms, &b, &mut x, Target { tolerance, cap: 5000 });
    (x, effort, terms)
}

#[test]
fn every_choice_finds_the_same_solution() {
    let (expected, _, _) = solve_lattice(Choice::Jacobi, 9, 30, 1e-12);
    for choice in [Choice::Auto, Choice::Patches, Choice::Factor] {
        let (x, effort, _) = solve_lattice(choice, 9, 30, 1e-12);
        assert_eq!(effort.ending, Ending::Converged);
        assert!((flat(&x) - flat(&expected)).norm() < 1e-8 * flat(&expected).norm(), "{choice:?}");
    }
}

#[test]
fn single_precision_gives_the_same_rough_solution() {
    let (exact, _, _) = solve_lattice(Choice::Patches, 9, 30, 1e-12);
    let (rough, effort, _) = solve_lattice(Choice::Patches, 9, 30, 1e-4);
    assert_eq!(effort.ending, Ending::Converged);
    assert!((flat(&rough) - flat(&exact)).norm() < 1e-3 * flat(&exact).norm());
    let (matrix, _) = lattice(9);
    let (x, mut single) = (exact, SingleMatrix::default());
    single.copy(&matrix);
    let (mut y, mut z) = (vec![Vec3::zeros(); x.len()], vec![f32x4::ZERO; x.len()]);
    matrix.multiply(&x, &mut y);
    let size = flat(&x).amax();
    let rounded: Vec<f32x4> = x.iter().map(|x| f32x4::of(&(x / size))).collect();
    single.multiply(&rounded, &mut z);
    let z: Vec<Vec3> = z.iter().map(|z| size * z.exact()).collect();
    let size: f64 = matrix.blocks().iter().map(Mat3::norm).fold(0.0, f64::max) * size;
    assert!((flat(&y) - flat(&z)).amax() < 81.0 * 6e-8 * size);
}

#[test]
fn terms_in_single_precision_give_the_same_product() {
    let mut dice = Dice(5);
    let mut exact = terms(50, 40, &mut dice);
    let mut rough = RankOnes::<f32x4>::default();
    rough.round(&exact);
    let x = dice.vectors(50);
    let (mut y, mut z) = (vec![Vec3::zeros(); 50], vec![f32x4::ZERO; 50]);
    exact.add_product(&x, &mut y);
    rough.add_product(&x.iter().map(f32x4::of).collect::<Vec<_>>(), &mut z);
    let z: Vec<Vec3> = z.iter().map(|z| z.exact()).collect();
    assert!((flat(&y) - flat(&z)).amax() < 1e-5 * flat(&y).amax());
}

#[test]
fn bodies_much_stiffer_than_their_inertia_are_not_rounded() {
    let (mut matrix, _) = lattice(5);
    assert!(may_be_rounded(&matrix));
    let add = |matrix: &mut BlockMatrix, inertia: f64| {
        for i in 0..matrix.len() {
            let place = matrix.diagonal_place(i);
            matrix.blocks_mut()[place] += inertia * Mat3::identity();
        }
    };
    // The lattice has an inertia of 1e-3; a hundredth of it is left.
    add(&mut matrix, -0.99e-3);
    assert!(!may_be_rounded(&matrix));
}

#[test]
fn patches_save_most_iterations_of_a_stiff_body() {
    let (_, jacobi, _) = solve_lattice(Choice::Jacobi, 12, 0, 1e-4);
    let (_, patches, _) = solve_lattice(Choice::Patches, 12, 0, 1e-4);
    assert!(3 * patches.iterations < jacobi.iterations, "{patches:?} {jacobi:?}");
}

/// Products for two lattices, one on the other: a contact under every node of the upper one's lowest layer.
fn solve_pressed(choice: Choice, n: usize, stiffness: f64) -> usize {
    let (one, at) = lattice(n);
    let nodes = one.len();
    let mut neighbours = vec![];
    for i in 0..nodes {
        for (j, _) in one.row(i) {
            neighbours.extend([[i, j], [nodes + i, nodes + j]].map(|pair| pair.map(|i| i as u32)));
        }
    }
    let mut matrix = BlockMatrix::with_pattern(2 * nodes, neighbours.iter().map(|pair| &pair[..]));
    for i in 0..2 * nodes {
        for (j, block) in one.row(i % nodes) {
            let place = matrix.place(i, i / nodes * nodes + j).unwrap();
            matrix.blocks_mut()[place] = *block;
        }
    }
    let above = Vec3::new(0.0, 0.0, n as f64);
    let positions: Vec<Vec3> = at.iter().copied().chain(at.iter().map(|x| x + above)).collect();
    let mut terms = RankOnes::default();
    for i in 0..n * n {
        let (upper, lower) = ((nodes + i) as u32, (nodes - n * n + i) as u32);
        let z = stiffness.sqrt() * Vec3::z();
        terms.push([(upper, z), (lower, -z)]);
    }
    let mut dice = Dice(7);
    let (b, free) = (dice.vectors(2 * nodes), vec![true; 2 * nodes]);
    let mut x = b.clone();
    let mut solver = LinearSolver::new(choice);
    solver.prepare(&matrix, &terms, &free, &positions, true);
    let effort = solver.solve(&matrix, &mut terms, &b, &mut x, Target { tolerance: 1e-2, cap: 5000 });
    assert_eq!(effort.ending, Ending::Converged);
    effort.iterations
}

#[test]
fn bodies_that_press_on_each_other_take_at_most_twice_the_products() {
    let (apart, pressed) = (solve_pressed(Choice::Patches, 9, 0.0), solve_pressed(Choice::Patches, 9, 100.0));
    assert!(pressed <= 2 * apart, "{apart} products apart, {pressed} pressed");
    let jacobi = solve_pressed(Choice::Jacobi, 9, 100.0);
    assert!(3 * pressed < jacobi, "{pressed} {jacobi}");
}

#[test]
fn threads_change_no_bit_of_the_patches() {
    let solve = |threads| in_threads(threads, || solve_lattice(Choice::Auto, 21, 100, 1e-5).0);
    let one = solve(1);
    assert_eq!(one, solve(2));
    assert_eq!(one, solve(3));
}

#[test]
fn a_body_of_single_nodes_is_solved_by_its_patches() {
    let (n, mut dice) = (10, Dice(13));
    let mut matrix = BlockMatrix::with_pattern(n, [&[0u32, 1][..], &[2, 3, 4]]);
    (0..n).for_each(|i| {
        let place = matrix.diagonal_place(i);
        matrix.blocks_mut()[place] = Mat3::identity() * (1.0 + i as f64);
    });
    let (b, mut x, mut terms) = (dice.vectors(n), vec![Vec3::zeros(); n], RankOnes::default());
    let mut solver = LinearSolver::new(Choice::Patches);
    solver.prepare(&matrix, &terms, &[true; 10], &vec![Vec3::zeros(); n], true);
    solver.solve(&matrix, &mut terms, &b, &mut x, Target { tolerance: 1e-12, cap: 100 });
    assert_eq!(solver.using(), Choice::Patches);
    assert!((0..n).all(|i| (x[i] * (1.0 + i as f64) - b[i]).norm() < 1e-10));
}

#[test]
fn a_matrix_that_is_not_positive_is_left_to_jacobi() {
    let (mut matrix, positions) = lattice(4);
    matrix.blocks_mut().iter_mut().for_each(|block| *block *= -1.0);
    let (free, b) = (vec![true; 64], vec![Vec3::x(); 64]);
    for choice in [Choice::Auto, Choice::Patches, Choice::Factor, Choice::Jacobi] {
        let (mut solver, mut terms, mut x) = (LinearSolver::new(choice), RankOnes::default(), b.clone());
        solver.prepare(&matrix, &terms, &free, &positions, true);
        let effort = solver.solve(&matrix, &mut terms, &b, &mut x, Target { tolerance: 1e-8, cap: 1000 });
        assert_eq!((effort.ending, solver.using()), (Ending::NotPositive, Choice::Jacobi));
        // What comes back is still a way downhill.
        assert!(x.iter().zip(&b).map(|(x, b)| x.dot(b)).sum::<f64>() > 0.0);
    }
}
