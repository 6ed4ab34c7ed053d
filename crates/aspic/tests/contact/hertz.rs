//! A soft ball pressed on a plane: Hertz's force.

use aspic::body::ContactSettings;
use aspic::constraint::Path;
use aspic::frame::Frame;
use aspic::integrate::{NewtonSettings, Scheme};
use aspic::mesh::{Plane, TetMesh, generate};
use aspic::potential::material::Moduli;
use aspic::{Material, Vec3, WorldBuilder};

use crate::support::{frames, line, power, start, steps};

/// A ball of radius 1 whose cells shrink towards the south pole: a Möbius map of the ball onto itself, which keeps
/// angles, so that no tetrahedron becomes flat. Cells at the pole are (1 − s)/(1 + s) of what they were.
fn fine_below(rings: usize, s: f64) -> TetMesh {
    let mut mesh = generate::ball(1.0, rings).unwrap();
    let a = Vec3::new(0.0, 0.0, s);
    for x in &mut mesh.positions {
        // Ahlfors: T(x) = ((1 − |a|²)(x − a) − |x − a|² a)/(1 − 2 x·a + |x|²|a|²)
        let d = *x - a;
        let top = d * (1.0 - s * s) - a * d.norm_squared();
        *x = top / (1.0 - 2.0 * x.dot(&a) + x.norm_squared() * s * s);
    }
    mesh.check().unwrap();
    mesh
}

/// Depth \[m\] and force \[N\] of a ball of radius 1 m that is pressed on a plane.
fn press(material: &Material, depths: &[f64]) -> Vec<(f64, f64)> {
    let mesh = fine_below(12, 0.8);
    let mut builder = WorldBuilder::new();
    builder.solid("ball", &mesh, material, Default::default()).unwrap();
    let range = 2e-4;
    builder.positions().iter_mut().for_each(|x| x.z += 1.0 + 2.0 * range);
    // The upper half moves as one, and the centre with it.
    let upper = (0..mesh.positions.len() as u32).filter(|&i| mesh.positions[i as usize].z > 0.0);
    let upper: Vec<u32> = upper.collect();
    let keys = depths.iter().enumerate().map(|(k, d)| (1.0 + k as f64, Vec3::z() * -d));
    let keys: Vec<(f64, Vec3)> = [(0.0, Vec3::zeros())].into_iter().chain(keys).collect();
    builder.drag("press", &upper, &Path::new(&keys), f64::INFINITY);
    builder.add_plane("table", Plane::new(Vec3::zeros(), Vec3::z()).unwrap());
    builder.contact(ContactSettings { distance: Some(range), ..ContactSettings::default() });
    let newton = NewtonSettings { tolerance: Some(1e-5), ..NewtonSettings::default() };
    let settings = steps(Scheme::BackwardEuler, newton, 0.25, depths.len() as f64, 1.0);
    let mut simulation = start(builder, settings);
    let measure = |frame: &Frame| {
        // The gap that the repulsion leaves does not press the ball.
        let lowest = frame.positions.iter().map(|x| x.z).fold(f64::INFINITY, f64::min);
        (depths[frame.index - 1] - 2.0 * range + lowest, -frame.reactions[0].z)
    };
    frames(&mut simulation)[1..].iter().map(measure).collect()
}

#[test]
fn force_on_a_ball_is_that_of_hertz() {
    // F = 4/3 E/(1 − ν²) √R d^1.5 for depths d that are small against R. What is held is R away instead of far, which
    // adds to the force, relative to it, in proportion to the force over the depth: to √(d/R).
    let (young, poisson) = (1e5, 0.3);
    // Light as air, so that the press moves no mass to speak of.
    let material = Material::elastic(1.0, Moduli::from_young_poisson(young, poisson).unwrap());
    let points = press(&material, &[0.005, 0.01, 0.015, 0.02, 0.03]);
    let power = power(&points);
    assert!((power / 1.5 - 1.0).abs() < 0.05, "force grows with the depth to the power {power}");
    let hertz = |depth: f64| 4.0 / 3.0 * young / (1.0 - poisson * poisson) * depth.powf(1.5);
    let ratios: Vec<(f64, f64)> = points.iter().map(|&(d, force)| (d.sqrt(), force / hertz(d))).collect();
    let (at_zero, _) = line(&ratios);
    assert!((at_zero - 1.0).abs() < 0.02, "{at_zero} of the force of Hertz at small depths: {ratios:?}");
}
