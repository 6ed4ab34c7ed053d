use super::*;
use crate::solid::test_shapes::{brick, icosphere, torus};

fn medium() -> Medium {
    Medium::new(2.6, 0.3).unwrap()
}

fn shapes() -> Vec<(&'static str, Surface)> {
    vec![
        ("sphere", icosphere(2)),
        ("cube", brick(Vec3::repeat(1.0), [4, 4, 4])),
        ("plate", brick(Vec3::new(1.0, 1.0, 0.1), [5, 5, 1])),
        ("thin plate", brick(Vec3::new(1.0, 1.0, 0.01), [5, 5, 1])),
        ("torus", torus(16, 8, 1.0, 0.3)),
    ]
}

fn size(forces: &[Vec3]) -> f64 {
    forces.iter().map(|f| f.norm()).fold(0.0, f64::max)
}

#[test]
fn rigid_motion_is_free_and_uniform_strain_is_exact_on_any_shape() {
    for (name, body) in shapes() {
        let spring = Stiffness::new(&body, &medium()).unwrap();
        println!(
            "{name}: asymmetry {:.2e}, correction {:.2e}, {} eigenvalues turned, most negative {:.1e}",
            spring.asymmetry, spring.correction, spring.turned, spring.most_negative
        );
        let scale = size(&spring.force(body.vertices()));
        for mode in 0..6 {
            let u: Vec<Vec3> = (0..body.vertices().len()).map(|i| body.rigid_motion(mode, i)).collect();
            assert!(size(&spring.force(&u)) < 1e-11 * scale, "{name} {mode}");
        }
        let gradient = Mat3::new(0.3, 0.2, -0.1, 0.5, -0.4, 0.7, 0.1, 0.6, 0.9);
        let u: Vec<Vec3> = body.vertices().iter().map(|x| gradient * x).collect();
        let stress = medium().stress(&gradient);
        let exact = 0.5 * body.volume() * stress.component_mul(&gradient).sum();
        assert!((spring.energy(&u) / exact - 1.0).abs() < 1e-11, "{name}");
        let normals = vertex_normals(&body, &Panel::all(&body));
        let off: Vec<Vec3> = spring.force(&u).iter().zip(&normals).map(|(f, n)| f - stress * n).collect();
        assert!(size(&off) < 1e-11 * scale, "{name}");
    }
}

#[test]
fn there_is_no_negative_eigenvalue_and_six_are_zero() {
    for (name, body) in [("sphere", icosphere(1)), ("plate", brick(Vec3::new(1.0, 1.0, 0.1), [4, 4, 1]))] {
        let spring = Stiffness::new(&body, &medium()).unwrap();
        let values = spring.matrix.self_adjoint_eigenvalues(Side::Lower).unwrap();
        let most = values[values.len() - 1];
        println!(
            "{name}: eigenvalues over the greatest: {:.1e}, {:.1e}, {:.1e}",
            values[0] / most,
            values[5] / most,
            values[6] / most
        );
        assert!(values[0] > -1e-12 * most && values[5] < 1e-12 * most && values[6] > 1e-5 * most, "{name}");
    }
}

/// Pure bending: u = κ (x z, −ν y z, −(x² + ν (z² − y²))/2), σ_xx = E κ z and nothing else.
#[test]
fn bending_energy_converges_to_the_exact_one() {
    let bend =
        |x: &Vec3| Vec3::new(x.x * x.z, -0.3 * x.y * x.z, -0.5 * (x.x * x.x + 0.3 * (x.z * x.z - x.y * x.y)));
    let errors = |bodies: [Surface; 2]| {
        bodies.map(|body| {
            let spring = Stiffness::new(&body, &medium()).unwrap();
            let u: Vec<Vec3> = body.vertices().iter().map(|x| bend(&(x - body.centroid()))).collect();
            let exact = 0.5 * medium().young() * body.spread()[(2, 2)];
            (spring.energy(&u) / exact - 1.0, spring.asymmetry)
        })
    };
    let sphere = errors([icosphere(1), icosphere(2)]);
    let bar = errors([2, 4].map(|k| brick(Vec3::new(2.0, 1.0, 1.0), [2 * k, k, k])));
    let plate = errors([1, 2].map(|k| brick(Vec3::new(1.0, 1.0, 0.1), [5 * k, 5 * k, k])));
    println!("plate with triangles twice and once as long as it is thick: {plate:?}");
    println!("bending energy error and asymmetry: sphere {sphere:?}, bar {bar:?}");
    for [coarse, fine] in [sphere, bar] {
        assert!(fine.0.abs() < 0.6 * coarse.0.abs() && fine.0.abs() < 0.1);
    }
}

/// For smooth fields the two orders of Betti's theorem agree better and better; the symmetry defect that stays is that of
/// the shortest waves.
#[test]
fn bettis_theorem_holds_for_smooth_fields_under_refinement() {
    let defect = |body: Surface| {
        let a = forces_of_displacements(&body, &Panel::all(&body), &medium());
        let x = body.vertices();
        let field = |f: fn(&Vec3) -> Vec3| Mat::from_fn(3 * x.len(), 1, |i, _| f(&x[i / 3])[i % 3]);
        let bend = field(|x| Vec3::new(x.x * x.z, 0.3 * x.y * x.z, -0.5 * x.x * x.x));
        let twist = field(|x| Vec3::new(x.y * x.z, -x.x * x.z, x.x * x.z * x.y + x.z * x.z));
        let work = |u: &Mat<f64>, v: &Mat<f64>| (u.transpose() * &a * v)[(0, 0)];
        (work(&bend, &twist) - work(&twist, &bend)).abs() / (work(&bend, &bend) * work(&twist, &twist)).sqrt()
    };
    let sphere = [1, 2].map(|depth| defect(icosphere(depth)));
    let bar = [2, 4].map(|k| defect(brick(Vec3::new(1.3, 1.0, 0.7), [k, k, k])));
    println!("symmetry defect for smooth fields: sphere {sphere:?}, bar {bar:?}");
    for [coarse, fine] in [sphere, bar] {
        assert!(fine < 2e-3 && fine < coarse);
    }
}

#[test]
fn the_bits_do_not_depend_on_the_number_of_threads() {
    let spring = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| Stiffness::new(&torus(9, 5, 1.0, 0.3), &medium()).unwrap().matrix)
    };
    let (one, two) = (spring(1), spring(2));
    assert!(
        (0..one.ncols()).all(|j| (0..one.nrows()).all(|i| one[(i, j)].to_bits() == two[(i, j)].to_bits()))
    );
}
