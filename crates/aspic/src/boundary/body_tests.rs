use nalgebra::Rotation3;

use super::*;
use crate::boundary::solid::stiffness::Stiffness;
use crate::boundary::solid::{Medium, Surface};
use crate::mesh::{TriangleSurface, generate};

fn brick(relaxation: f64) -> (SurfaceSpring, Vec<Vec3>, Medium) {
    let mesh = TriangleSurface::of(&generate::block(Vec3::new(0.2, 0.1, 0.1), [3, 2, 2]).unwrap());
    let medium = Medium::new(1e5, 0.3).unwrap();
    let surface = Surface::new(mesh.positions.clone(), mesh.triangles).unwrap();
    let stiffness = Stiffness::new(&surface, &medium).unwrap();
    let shares = (0..mesh.positions.len()).map(|i| 1.0 + 0.1 * (i % 3) as f64).collect();
    (SurfaceSpring::new(0, &mesh.positions, shares, stiffness.matrix, relaxation), mesh.positions, medium)
}

/// Turned, moved and bent somehow.
fn posed(rest: &[Vec3], size: f64) -> Vec<Vec3> {
    let turn = Rotation3::new(Vec3::new(1.0, -2.0, 0.7));
    let bend = |x: &Vec3| Vec3::new((9.0 * x.y).sin(), 12.0 * x.x * x.z, (7.0 * x.x).cos()) * size;
    rest.iter().map(|x| turn * (x + bend(x)) + Vec3::new(0.5, 1.0, -2.0)).collect()
}

#[test]
fn the_force_is_the_gradient_of_the_energy_however_the_body_is_turned_and_bent() {
    let (spring, rest, _) = brick(0.0);
    let q = posed(&rest, 0.01);
    let mut force = vec![Vec3::zeros(); q.len()];
    spring.add_elastic(&q, &mut force);
    let largest = force.iter().map(|f| f.norm()).fold(0.0, f64::max);
    for (node, axis) in [(0, 0), (5, 1), (11, 2), (20, 0)] {
        let at = |h: f64| {
            let mut q = q.clone();
            q[node][axis] += h;
            spring.energy_at(&q)
        };
        let slope = (at(1e-6) - at(-1e-6)) / 2e-6;
        let off = slope + force[node][axis];
        assert!(off.abs() < 1e-6 * largest, "node {node} axis {axis}: {slope} against {}", force[node][axis]);
    }
    let net: Vec3 = force.iter().sum();
    let torque = q.iter().zip(&force).fold(Vec3::zeros(), |sum, (x, f)| sum + x.cross(f));
    assert!(net.norm() < 1e-9 * largest && torque.norm() < 1e-9 * largest, "{net} {torque}");
}

#[test]
fn turning_costs_nothing_and_even_strain_costs_what_elasticity_says() {
    let (spring, rest, medium) = brick(0.0);
    let turned = posed(&rest, 0.0);
    assert!(spring.energy_at(&turned) < 1e-20);
    let turn = Rotation3::new(Vec3::new(0.3, 2.0, -0.4));
    // Uniaxial stress: E ε²/2 for each volume.
    let strain = Vec3::new(1e-4, -0.3e-4, -0.3e-4);
    let q: Vec<Vec3> = rest.iter().map(|x| turn * (x + x.component_mul(&strain))).collect();
    let exact = 0.5 * medium.young() * 1e-8 * 0.2 * 0.1 * 0.1;
    assert!((spring.energy_at(&q) / exact - 1.0).abs() < 1e-9, "{} of {exact}", spring.energy_at(&q));
}

#[test]
fn internal_friction_slows_no_rigid_motion_and_takes_what_it_says() {
    let (spring, rest, _) = brick(0.02);
    let q = posed(&rest, 0.01);
    let mut scratch = Scratch::default();
    let mut force = vec![Vec3::zeros(); q.len()];
    let whirl: Vec<Vec3> =
        q.iter().map(|x| Vec3::new(3.0, 1.0, 2.0) + Vec3::new(1.0, -4.0, 2.0).cross(x)).collect();
    let power = spring.add_viscous_force(&q, &whirl, &mut force, &mut scratch).unwrap();
    assert!(power.abs() < 1e-18 && force.iter().all(|f| f.norm() < 1e-9), "{power}");
    let v: Vec<Vec3> = q.iter().map(|x| Vec3::new((20.0 * x.z).sin(), x.x, (9.0 * x.y).cos())).collect();
    force.fill(Vec3::zeros());
    let power = spring.add_viscous_force(&q, &v, &mut force, &mut scratch).unwrap();
    let taken: f64 = -force.iter().zip(&v).map(|(f, v)| f.dot(v)).sum::<f64>();
    assert!(power > 0.0 && (taken / power - 1.0).abs() < 1e-9, "{taken} {power}");
    assert!((spring.dissipation(&q, &v) / (0.5 * power) - 1.0).abs() < 1e-12);
}

#[test]
fn foursomes_hold_every_pair_of_nodes() {
    let (spring, rest, _) = brick(0.0);
    let foursomes = spring.tetrahedra();
    for (i, j) in (0..rest.len() as u32).flat_map(|i| (0..i).map(move |j| (i, j))) {
        assert!(foursomes.iter().any(|four| four.contains(&i) && four.contains(&j)), "{i} {j}");
    }
}
