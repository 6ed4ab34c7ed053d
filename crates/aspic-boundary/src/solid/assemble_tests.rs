use super::*;
use crate::solid::test_shapes::{brick, hollow_ball, icosphere, torus};

fn medium() -> Medium {
    Medium::new(2.6, 0.3).unwrap()
}

/// The greatest residual of H u = G t, for a linear displacement field with its tractions face by face.
fn residual(body: Surface, gradient: Mat3) -> f64 {
    let operator = Operator::new(body, medium());
    let stress = medium().stress(&gradient);
    let tractions: Vec<Vec3> = operator.panels().iter().map(|panel| stress * panel.normal).collect();
    let load = operator.load_faces(&tractions);
    let u: Vec<f64> =
        operator.surface().vertices().iter().flat_map(|x| <[f64; 3]>::from(gradient * x)).collect();
    let h = operator.h().dense().unwrap() * faer::Mat::from_fn(u.len(), 1, |i, _| u[i]);
    let size = u.iter().fold(0.0, |most: f64, u| most.max(u.abs()));
    (0..u.len()).map(|i| (h[(i, 0)] - load[i]).abs()).fold(0.0, f64::max) / size
}

fn shapes() -> Vec<(&'static str, Surface)> {
    vec![
        ("sphere", icosphere(2)),
        ("cube", brick(Vec3::repeat(1.0), [3, 3, 3])),
        ("plate", brick(Vec3::new(1.0, 1.0, 1e-3), [4, 4, 1])),
        ("torus", torus(16, 8, 1.0, 0.3)),
        ("hollow ball", hollow_ball(1, 0.5, 1.0)),
    ]
}

#[test]
fn rotation_needs_no_traction() {
    for (name, body) in shapes() {
        let error = residual(body, Vec3::new(0.3, -0.5, 0.8).cross_matrix());
        println!("{name}: residual of a rotation {error:.1e}");
        assert!(error < 1e-9, "{name} {error}");
    }
}

#[test]
fn uniform_strain_satisfies_the_equations_on_any_shape() {
    let gradient = Mat3::new(0.3, 0.2, -0.1, 0.5, -0.4, 0.7, 0.1, 0.6, 0.9);
    for (name, body) in shapes() {
        let error = residual(body, gradient);
        println!("{name}: residual of a uniform strain {error:.1e}");
        assert!(error < 1e-9, "{name} {error}");
    }
}

#[test]
fn the_corner_of_a_cube_fills_an_eighth_of_space() {
    let operator = Operator::new(brick(Vec3::repeat(1.0), [2, 2, 2]), medium());
    let corner = operator.surface().vertices().iter().position(|x| x.norm() == 0.0).unwrap();
    let trace: f64 = (0..3).map(|a| operator.h().dense().unwrap()[(3 * corner + a, 3 * corner + a)]).sum();
    assert!((trace / 3.0 - 0.125).abs() < 1e-12);
}

#[test]
fn the_bits_do_not_depend_on_the_number_of_threads() {
    let assemble = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let operator = Operator::new(torus(12, 6, 1.0, 0.3), medium());
            let load = operator.load_faces(&vec![Vec3::new(1.0, 2.0, 3.0); operator.panels().len()]);
            (operator, load)
        })
    };
    let ((one, load_one), (two, load_two)) = (assemble(1), assemble(2));
    let same = |a: &Mat<f64>, b: &Mat<f64>| {
        (0..a.ncols()).all(|j| (0..a.nrows()).all(|i| a[(i, j)].to_bits() == b[(i, j)].to_bits()))
    };
    assert!(
        same(one.h().dense().unwrap(), two.h().dense().unwrap())
            && same(one.g().dense().unwrap(), two.g().dense().unwrap())
    );
    assert!(load_one.iter().zip(&load_two).all(|(a, b)| a.to_bits() == b.to_bits()));
}

#[test]
fn assembly_time_is_told() {
    for depth in [2, 3] {
        let start = std::time::Instant::now();
        let operator = Operator::new(icosphere(depth), medium());
        println!("assembly of {} triangles: {:.3} s", operator.panels().len(), start.elapsed().as_secs_f64());
    }
}
