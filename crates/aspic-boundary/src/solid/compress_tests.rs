use crate::solid::test_shapes::{brick, icosphere, random, torus};
use crate::solid::{Condition, Known, LinearForce, Load, Matrix, Medium, Operator, Solution, System, Vec3};

fn medium() -> Medium {
    Medium::new(2.6, 0.3).unwrap()
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

fn numbers(matrix: &Matrix) -> usize {
    match matrix {
        Matrix::Compressed(matrix) => matrix.numbers(),
        Matrix::Dense(matrix) => matrix.nrows() * matrix.ncols(),
    }
}

/// The greatest difference of displacements, as a part of the greatest of them.
fn off(a: &Solution, b: &Solution) -> f64 {
    let size = b.displacements.iter().map(|u| u.amax()).fold(0.0, f64::max);
    let pairs = a.displacements.iter().zip(&b.displacements);
    pairs.map(|(a, b)| (a - b).amax()).fold(0.0, f64::max) / size
}

#[test]
fn products_agree_with_the_dense_matrices_within_the_tolerance() {
    for (name, body) in
        [("torus", torus(48, 10, 1.0, 0.3)), ("bar", brick(Vec3::new(8.0, 1.0, 1.0), [32, 3, 3]))]
    {
        // Tractions that act on some triangles only are those of both.
        let support = |k: usize| !k.is_multiple_of(3);
        let dense = Operator::dense(body.clone(), medium(), support);
        let n = 3 * body.vertices().len();
        let mut next = random(8);
        let x: Vec<f64> = (0..n).map(|_| next() - 0.5).collect();
        for tolerance in [1e-2, 1e-4] {
            let compressed = Operator::compressed(body.clone(), medium(), support, tolerance);
            for (part, exact, matrix) in [("H", dense.h(), compressed.h()), ("G", dense.g(), compressed.g())]
            {
                let [mut y, mut all] = [vec![0.0; n], vec![0.0; n]];
                matrix.apply(&x, &mut y);
                exact.apply(&x, &mut all);
                let rest: Vec<f64> = y.iter().zip(&all).map(|(y, all)| y - all).collect();
                let (error, ratio) = (norm(&rest) / norm(&all), numbers(matrix) as f64 / (n * n) as f64);
                println!("{name} {part}, tolerance {tolerance:.0e}: error {error:.1e}, memory {ratio:.2}");
                assert!(error < 3.0 * tolerance && ratio < 1.0);
            }
        }
    }
}

#[test]
fn translations_cost_nothing_after_compression() {
    let operator = Operator::compressed(torus(30, 10, 1.0, 0.3), medium(), |_| true, 1e-3);
    let x = vec![1.0; operator.h().order()];
    let mut y = vec![0.0; x.len()];
    operator.h().apply(&x, &mut y);
    assert!(norm(&y) < 1e-12 * norm(&x));
}

#[test]
fn a_bar_that_hangs_from_one_end_is_as_long_by_iteration_as_by_elimination() {
    let body = brick(Vec3::new(1.0, 1.0, 6.0), [4, 4, 24]);
    let held = |x: &Vec3| if x.z > 5.999 { Condition::held() } else { Condition::free() };
    let answer = |operator: &Operator| {
        let x = operator.surface().vertices();
        let weight = Load::none(operator).volume(operator, &LinearForce::uniform(Vec3::z() * -0.01));
        let system = System::new(operator, x.iter().map(held).collect()).unwrap();
        system.solve(&vec![Vec3::zeros(); x.len()], &weight).unwrap()
    };
    let exact = answer(&Operator::dense(body.clone(), medium(), |_| true));
    for tolerance in [1e-3, 1e-5] {
        let error = off(&answer(&Operator::compressed(body.clone(), medium(), |_| true, tolerance)), &exact);
        println!("tolerance {tolerance:.0e}: longer by {error:.1e}");
        // A bar six times as long as wide amplifies what its matrix lacks.
        assert!(error < 10.0 * tolerance);
    }
}

#[test]
fn a_ball_that_floats_under_pressure_shrinks_the_same_by_iteration() {
    let body = icosphere(3);
    let answer = |operator: &Operator| {
        let push: Vec<Vec3> = operator.panels().iter().map(|panel| panel.normal * -0.01).collect();
        let load = Load::none(operator).faces(operator, &push).unwrap();
        let count = operator.surface().vertices().len();
        let system = System::new(operator, vec![Condition::free(); count]).unwrap();
        system.solve(&vec![Vec3::zeros(); count], &load).unwrap()
    };
    let exact = answer(&Operator::dense(body.clone(), medium(), |_| true));
    let error = off(&answer(&Operator::compressed(body, medium(), |_| true, 1e-5)), &exact);
    println!("shrinks otherwise by {error:.1e}");
    assert!(error < 3e-5);
}

#[test]
fn contacts_change_on_compressed_matrices_as_in_a_fresh_solve() {
    let operator = Operator::compressed(torus(30, 10, 1.0, 0.3), medium(), |_| true, 1e-5);
    let x = operator.surface().vertices().to_vec();
    let conditions = |pressed: bool| {
        let one = |x: &Vec3| match x.z {
            z if z < -0.25 => Condition::held(),
            z if pressed && z > 0.25 => Condition::slip(&Vec3::z()),
            _ => Condition { known: [Known::Traction; 3], ..Condition::slip(&Vec3::z()) },
        };
        x.iter().map(one).collect::<Vec<_>>()
    };
    let tops: Vec<usize> = (0..x.len()).filter(|&i| x[i].z > 0.25).map(|i| 3 * i).collect();
    let (zero, none) = (vec![Vec3::zeros(); x.len()], Load::none(&operator));
    let loose = System::new(&operator, conditions(false)).unwrap();
    let mut green = loose.green(&tops, tops.len()).unwrap();
    (0..tops.len()).for_each(|k| green.enter(k).unwrap());
    let start = loose.reference(&zero, &none).unwrap();
    let still = vec![0.0; tops.len()];
    let known = vec![-0.1; tops.len()];
    let mut answer = vec![0.0; start.answer.len()];
    green.solve(&start.answer, &still, &known, &mut answer).unwrap();
    let mut solution = Solution { displacements: zero.clone(), tractions: zero.clone() };
    loose.switched(&green, &start, &known, &answer, &mut solution).unwrap();
    // The normal comes first in the frame.
    let down = |x: &Vec3| if x.z > 0.25 { Vec3::x() * -0.1 } else { Vec3::zeros() };
    let values: Vec<Vec3> = x.iter().map(down).collect();
    let fresh = System::new(&operator, conditions(true)).unwrap().solve(&values, &none).unwrap();
    let error = off(&solution, &fresh);
    println!("{} places switched: {error:.1e} from a fresh solve", tops.len());
    assert!(error < 1e-9);
}

#[test]
fn compressed_matrices_and_answers_have_the_same_bits_on_any_number_of_threads() {
    let answer = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let operator = Operator::compressed(torus(30, 10, 1.0, 0.3), medium(), |_| true, 1e-4);
            let x = operator.surface().vertices();
            let held = |x: &Vec3| if x.z < -0.2 { Condition::held() } else { Condition::free() };
            let system = System::new(&operator, x.iter().map(held).collect()).unwrap();
            system.solve(&vec![Vec3::x() * 0.01; x.len()], &Load::none(&operator)).unwrap()
        })
    };
    assert_eq!(answer(1), answer(3));
}
