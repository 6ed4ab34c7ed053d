use faer::linalg::solvers::Solve;

use super::*;
use crate::solid::test_shapes::{brick, cylinder, flipped_brick, icosphere, irregular_brick, torus};

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
        println!("{name}: correction {:.2e}", spring.correction);
        assert!(spring.correction < 1e-4, "{name}");
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
    let error = |body: &Surface| {
        let spring = Stiffness::new(body, &medium()).unwrap();
        let u: Vec<Vec3> = body.vertices().iter().map(|x| bend(&(x - body.centroid()))).collect();
        let exact = 0.5 * medium().young() * body.spread()[(2, 2)];
        spring.energy(&u) / exact - 1.0
    };
    let sphere = [1, 2, 3].map(|k| error(&icosphere(k)));
    let bar = [2, 4].map(|k| error(&brick(Vec3::new(2.0, 1.0, 1.0), [2 * k, k, k])));
    let plate = [1, 2].map(|k| error(&brick(Vec3::new(1.0, 1.0, 0.1), [5 * k, 5 * k, k])));
    println!("plate with triangles twice and once as long as it is thick: {plate:?}");
    println!("bending energy error: sphere {sphere:?}, bar {bar:?}");
    for [coarse, fine] in [[sphere[1], sphere[2]], bar] {
        assert!(fine.abs() < 0.6 * coarse.abs() && coarse.abs() < 0.025);
    }
    assert!(sphere[0].abs() < 0.025);
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

/// How far the free end of a clamped bar goes across and along under 0.01 N across and along, spread over its end  \[m\]
fn tips(body: &Surface, medium: &Medium, length: f64) -> (f64, f64) {
    let spring = Stiffness::new(body, medium).unwrap();
    let x = body.vertices();
    let free: Vec<usize> = (0..3 * x.len()).filter(|i| x[i / 3].x > 1e-9).collect();
    let mut share = vec![0.0; x.len()];
    for (k, corners) in body.triangles().iter().enumerate() {
        let panel = Panel::new(body.corners(k));
        if panel.normal.x > 0.999 && panel.centre.x > length - 1e-9 {
            corners.iter().for_each(|&v| share[v as usize] += panel.area / 3.0);
        }
    }
    let total: f64 = share.iter().sum();
    let held = Mat::from_fn(free.len(), free.len(), |i, j| spring.matrix[(free[i], free[j])]);
    let axes = [2, 0];
    let spread = |i: usize, axis: usize| if free[i] % 3 == axis { share[free[i] / 3] / total } else { 0.0 };
    let load = Mat::from_fn(free.len(), 2, |i, k| 0.01 * spread(i, axes[k]));
    let u = held.llt(Side::Lower).unwrap().solve(&load);
    let way = |k: usize| (0..free.len()).map(|i| spread(i, axes[k]) * u[(i, k)]).sum();
    (way(0), way(1))
}

/// A clamped bar of 300 × 60 × 60 mm, E = 100 kPa, ν = 0.3, with 0.01 N spread over its end. The truth is from quadratic
/// hexahedra (scikit-fem): mean way of the end 8.4606e-4 and 8.4696e-4 m across with 16 × 4 × 4 and 24 × 6 × 6 of them, which
/// tends to 8.48e-4 m, and 8.2795e-6 and 8.2816e-6 m along, which tends to 8.284e-6 m. Timoshenko's beam says 8.59e-4 m
/// across, with a clamp that lets the section warp.
#[test]
fn a_clamped_bar_bends_and_stretches_as_quadratic_elements_say_with_any_diagonals() {
    let (medium, size) = (Medium::new(1e5, 0.3).unwrap(), Vec3::new(0.3, 0.06, 0.06));
    let errors = |body: &Surface| {
        let (bent, pulled) = tips(body, &medium, 0.3);
        [bent / 8.48e-4 - 1.0, pulled / 8.284e-6 - 1.0]
    };
    let cells = [[10, 2, 2], [10, 3, 3], [14, 3, 3], [15, 4, 4]];
    for (k, make) in [brick, flipped_brick, irregular_brick].into_iter().enumerate() {
        let all = cells.map(|cells| errors(&make(size, cells)));
        println!("bar, mesh {k}: bending and stretch {all:.4?}");
        assert!(all.iter().zip([0.02, 0.02, 0.012, 0.02]).all(|(e, most)| e[0].abs() < most), "{all:?}");
        assert!(all.iter().all(|e| e[1].abs() < 5e-3), "{all:?}");
        // The last has so many triangles that they are not cut in four.
        assert!(all[2][0].abs() < all[1][0].abs() && all[1][0].abs() < all[0][0].abs());
    }
}

/// ½ ∫ u·t dS of a field in equilibrium with its gradient, by quadrature on the triangles  \[J\]
fn exact_energy(body: &Surface, field: impl Fn(&Vec3) -> (Vec3, Mat3)) -> f64 {
    let rule = crate::solid::quadrature::Rule::sixteen();
    let on = |panel: &Panel| -> f64 {
        let at = |(shape, weight): &([f64; 3], f64)| {
            let (u, gradient) = field(&panel.point(shape));
            weight * panel.area * u.dot(&(medium().stress(&gradient) * panel.normal))
        };
        rule.points.iter().map(at).sum()
    };
    0.5 * Panel::all(body).iter().map(on).sum::<f64>()
}

/// Fields in equilibrium about the origin: bending, twist, uneven shear (Papkovich and Neuber), and Kelvin's answer to a
/// force outside.
fn fields(k: usize, x: &Vec3) -> Vec3 {
    let nu = medium().poisson();
    match k {
        0 => Vec3::new(x.x * x.z, -nu * x.y * x.z, -0.5 * (x.x * x.x + nu * (x.z * x.z - x.y * x.y))),
        1 => Vec3::new(-x.y * x.z, x.x * x.z, 0.0),
        2 => {
            // 2μ u = −∇(x·B) + 4 (1 − ν) B with B harmonic (Papkovich and Neuber).
            let b = Vec3::new(x.x * x.x - x.z * x.z, x.x * x.y, -2.0 * x.x * x.z);
            let slopes = Mat3::new(2.0 * x.x, 0.0, -2.0 * x.z, x.y, x.x, 0.0, -2.0 * x.z, 0.0, -2.0 * x.x);
            (b * (4.0 * (1.0 - nu)) - b - slopes.transpose() * x) / (2.0 * medium().shear())
        }
        _ => medium().displacement(&(x - Vec3::new(1.1, 0.9, 1.2))) * Vec3::new(1.0, -0.5, 0.8),
    }
}

/// Energy that K finds over the exact one, less one, for each field.
fn energy_errors(body: &Surface) -> [f64; 4] {
    let spring = Stiffness::new(body, &medium()).unwrap();
    let middle = body.centroid();
    [0, 1, 2, 3].map(|k| {
        let field = |x: &Vec3| fields(k, &(x - middle));
        let slope = |x: &Vec3| {
            let columns = [Vec3::x(), Vec3::y(), Vec3::z()]
                .map(|e| (field(&(x + e * 1e-4)) - field(&(x - e * 1e-4))) / 2e-4);
            (field(x), Mat3::from_columns(&columns))
        };
        let u: Vec<Vec3> = body.vertices().iter().map(field).collect();
        spring.energy(&u) / exact_energy(body, slope) - 1.0
    })
}

#[test]
fn bending_twist_shear_and_a_force_outside_converge_on_boxes_cylinders_rings_and_irregular_meshes() {
    let size = Vec3::new(1.2, 0.8, 0.6);
    let boxes = |make: fn(Vec3, [usize; 3]) -> Surface| [2, 3, 5].map(|k| make(size, [k + 1, k, k]));
    let shapes = [
        ("box", boxes(brick)),
        ("box, other diagonals", boxes(flipped_brick)),
        ("irregular box", boxes(irregular_brick)),
        ("cylinder", [(8, 2, 1), (12, 3, 2), (18, 5, 3)].map(|(a, l, r)| cylinder(a, l, r, 0.4, 0.8))),
        ("ring", [(10, 5), (16, 8), (24, 12)].map(|(a, b)| torus(a, b, 0.6, 0.25))),
    ];
    for (name, bodies) in shapes {
        let errors = bodies.map(|body| energy_errors(&body));
        println!("{name}: bending, twist, shear, force outside {errors:.4?}");
        for k in 0..4 {
            let [coarse, _, fine] = errors.map(|e| e[k].abs());
            assert!(fine < 0.06 && fine < 0.7 * coarse.max(0.03), "{name}, field {k}: {errors:?}");
        }
    }
}
