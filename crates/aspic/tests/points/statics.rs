//! Bodies at rest, against closed forms.

use aspic::Vec3;
use aspic::body::SheetStiffness;

use crate::support::{GRAVITY, rope, settled, sheet};

fn down() -> Vec3 {
    Vec3::new(0.0, 0.0, -GRAVITY)
}

#[test]
fn a_hanging_rope_stretches_by_half_its_weight_on_any_mesh() {
    // EA = 50 N, 0.2 kg/m, 2 m: ρ g L²/2EA
    let expected = 0.2 * GRAVITY * 4.0 / (2.0 * 50.0);
    for segments in [5, 20, 60] {
        let state = settled(|builder| {
            builder.gravity(down());
            builder.rope("rope", &rope(Vec3::new(0.0, 0.0, -2.0), segments, 50.0, 0.0)).unwrap();
            builder.hold("nail", &[0]);
        });
        let stretch = -2.0 - state.q[segments].z;
        assert!((stretch / expected - 1.0).abs() < 1e-6, "{segments}: {stretch} {expected}");
    }
}

#[test]
fn a_rope_between_two_nails_hangs_as_a_catenary() {
    // Nearly unstretchable, 1.2 m between nails 1 m apart: a (sinh) with 2a sinh(1/2a) = 1.2.
    let way = |x: f64| Vec3::new(x, 0.0, 0.0);
    let (mut low, mut high) = (0.2, 5.0);
    for _ in 0..100 {
        let a: f64 = 0.5 * (low + high);
        if 2.0 * a * (0.5 / a).sinh() > 1.2 { low = a } else { high = a }
    }
    let sag = low * ((0.5 / low).cosh() - 1.0);
    let segments = 60;
    let mut line = rope(way(1.2), segments, 2e5, 0.0);
    // It starts as a bow between the nails; its springs have the rest length of the straight line.
    let state = settled(|builder| {
        builder.gravity(down());
        line.stiffness.bend = 0.0;
        let id = builder.rope("rope", &line).unwrap();
        let nodes = builder.nodes(id);
        for (k, x) in builder.positions()[nodes].iter_mut().enumerate() {
            let s = k as f64 / segments as f64;
            *x = Vec3::new(s, 0.0, -1.2 * s * (1.0 - s));
        }
        builder.hold("nails", &[0, segments as u32]);
    });
    let lowest = state.q[segments / 2].z;
    assert!((lowest / -sag - 1.0).abs() < 2e-3, "{lowest} {sag}");
}

#[test]
fn a_clamped_rope_sags_as_a_beam() {
    // Weight per length w = ρ g, tip: w L⁴/8EI, chosen small.
    let (length, bend) = (1.0, 50.0);
    let expected = 0.2 * GRAVITY * length * length * length * length / (8.0 * bend);
    let deflection = |segments: usize| {
        let state = settled(|builder| {
            builder.gravity(down());
            builder.rope("rod", &rope(Vec3::new(length, 0.0, 0.0), segments, 1e6, bend)).unwrap();
            builder.hold("clamp", &[0, 1]);
        });
        -state.q[segments].z
    };
    // The clamp reaches to the middle of the second segment.
    let (coarse, fine) = (deflection(20), deflection(80));
    assert!((fine / expected - 1.0).abs() < 0.06, "{fine} {expected}");
    assert!((fine / expected - 1.0).abs() < 0.35 * (coarse / expected - 1.0).abs(), "{coarse} {fine}");
}

#[test]
fn a_soap_bubble_is_as_large_as_its_pressure_lets_it() {
    use aspic::body::Inflation;
    // Surface tension ½ (σ/A₀) A² per triangle: pressure p = 2 σ (r/R)²/r at the radius r.
    let (sigma, radius) = (2.0, 0.1);
    let grown: f64 = 0.12;
    let pressure = 2.0 * sigma * (grown / radius).powi(2) / grown;
    // What is left of the force at that radius, over that of the pressure alone.
    let unbalanced = |divisions: usize| {
        let surface = aspic::mesh::generate::sphere_surface(radius, divisions).unwrap();
        let tension = SheetStiffness { tension: sigma, ..SheetStiffness::default() };
        let mut bubble = sheet([1.0, 1.0], [1, 1], tension);
        (bubble.surface, bubble.cells) = (surface, vec![]);
        bubble.inflation = Some(Inflation { bulk: 0.0, pressure });
        let (world, mut state) = crate::support::build(|builder| {
            builder.sheet("bubble", &bubble).unwrap();
        });
        state.q.iter_mut().for_each(|x| *x *= grown / radius);
        let mut force = vec![Vec3::zeros(); state.q.len()];
        world.add_stored_force(&state, &mut force, &mut world.workspace()).unwrap();
        let outward: f64 = state.q.iter().zip(&force).map(|(x, f)| x.normalize().dot(f)).sum();
        outward / (pressure * 4.0 * std::f64::consts::PI * grown * grown)
    };
    let (coarse, fine) = (unbalanced(3), unbalanced(4));
    assert!(fine.abs() < 3e-3 && fine.abs() < 0.3 * coarse.abs(), "{coarse} {fine}");
}
