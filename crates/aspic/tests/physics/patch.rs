//! Rigid motions cost nothing, and homogeneous strain is reproduced on any mesh.

use aspic::potential::material::LawName;
use aspic::{Mat3, Vec3};
use nalgebra::{Rotation3, Unit};

use crate::support::{Noise, energy, forces, inner, irregular_cube, jelly, relax};

#[test]
fn turning_and_shifting_an_irregular_body_costs_no_energy_and_no_force_in_every_law() {
    let mesh = irregular_cube(3);
    let still = vec![Vec3::zeros(); mesh.positions.len()];
    let mut noise = Noise::new(3);
    for law in LawName::ALL {
        let material = jelly(law);
        let solid = material.solid(&mesh, 0);
        for _ in 0..5 {
            let turn = Rotation3::from_axis_angle(&Unit::new_normalize(noise.vector()), 3.0 * noise.number());
            let shift = noise.vector();
            let q: Vec<Vec3> = mesh.positions.iter().map(|x| turn * x + shift).collect();
            let worst = forces(solid.as_ref(), &q, &still).0.iter().map(|f| f.norm()).fold(0.0, f64::max);
            // The cube has volume 1 m³ and faces of 1 m².
            assert!(energy(solid.as_ref(), &q).abs() < 1e-10 * material.moduli.shear, "{law:?}");
            assert!(worst < 1e-10 * material.moduli.shear, "{law:?}: {worst} N");
        }
    }
}

#[test]
fn inner_vertices_follow_an_affine_motion_of_the_surface_in_every_law() {
    let f = Mat3::new(1.1, 0.15, -0.05, 0.05, 0.95, 0.1, 0.0, -0.1, 1.05);
    let mesh = irregular_cube(4);
    let free = inner(&mesh);
    let still = vec![Vec3::zeros(); mesh.positions.len()];
    let expected: Vec<Vec3> = mesh.positions.iter().map(|x| f * x).collect();
    for law in LawName::ALL {
        let solid = jelly(law).solid(&mesh, 0);
        let mut q = expected.clone();
        let mut noise = Noise::new(11);
        free.iter().for_each(|&i| q[i] += noise.vector() * 0.01);
        relax(solid.as_ref(), &mut q, &free);
        let worst = (0..q.len()).map(|i| (q[i] - expected[i]).norm()).fold(0.0, f64::max);
        assert!(worst < 1e-8, "{law:?}: {worst} m off");
        let tets = mesh.tets.len();
        let (mut density, mut stress) = (vec![0.0; tets], vec![[0.0; 6]; tets]);
        solid.sample(&q, &[], &mut density, &mut stress);
        let differ = |t: usize| (0..6).map(|k| (stress[t][k] - stress[0][k]).abs()).fold(0.0, f64::max);
        let spread = (0..tets).map(differ).fold(0.0, f64::max);
        assert!(spread < 1e-6 * jelly(law).moduli.bulk, "{law:?}: stresses differ by {spread} Pa");
        let unbalanced = forces(solid.as_ref(), &q, &still).0;
        assert!(free.iter().all(|&i| unbalanced[i].norm() < 1e-6), "{law:?}");
    }
}
