use super::*;
use crate::solid::moments::tests::{brute, some_triangle};
use crate::solid::test_shapes::random;

fn medium() -> Medium {
    Medium::new(2.6, 0.3).unwrap()
}

fn reference(panel: &Panel, source: &Vec3) -> Influence {
    let mut sum = Influence { of_traction: [Mat3::zeros(); 3], of_displacement: [Mat3::zeros(); 3] };
    brute(&panel.corners, source, &mut |x, w| {
        let (u, t) = (medium().displacement(&(x - source)), medium().traction(&(x - source), &panel.normal));
        for k in 0..3 {
            let shape = 1.0 + panel.slopes[k].dot(&(x - panel.corners[k]));
            sum.of_traction[k] += u * (w * shape);
            sum.of_displacement[k] += t * (w * shape);
        }
    });
    sum
}

fn error(a: &[Mat3; 3], b: &[Mat3; 3]) -> f64 {
    let size = b.iter().map(|m| m.amax()).fold(0.0, f64::max);
    (0..3).map(|k| (a[k] - b[k]).amax()).fold(0.0, f64::max) / size
}

fn check(panel: &Panel, source: Vec3, tolerance: f64) -> [f64; 2] {
    let (own, exact) = (Integrator::new(medium()).influence(panel, &source, None), reference(panel, &source));
    let errors =
        [error(&own.of_traction, &exact.of_traction), error(&own.of_displacement, &exact.of_displacement)];
    assert!(errors.iter().all(|e| *e < tolerance), "{errors:?} at {source:?}");
    errors
}

#[test]
fn near_integrals_hold_at_any_height_over_face_edge_and_corner() {
    let mut worst = [0f64; 2];
    for seed in 1..5 {
        let panel = some_triangle(seed);
        for foot in [[0.2, 0.5, 0.3], [0.5, 0.5, 0.0], [1.0, 0.0, 0.0], [1.4, -0.4, 0.0], [-0.3, 0.9, 0.4]] {
            for height in [1e-6, 1e-4, -1e-2, 0.1, 0.5, -2.0] {
                let source = panel.point(&foot) + panel.normal * (height * panel.reach);
                let errors = check(&panel, source, 2e-9);
                worst = [worst[0].max(errors[0]), worst[1].max(errors[1])];
            }
        }
    }
    println!("near: worst relative errors of U and T against brute force {worst:?}");
}

#[test]
fn integrals_hold_in_the_plane_beside_the_triangle() {
    let panel = some_triangle(9);
    for foot in [[1.2, -0.1, -0.1], [2.0, -1.0, 0.0], [-0.5, 0.7, 0.8], [-1e-3, 0.5, 0.501]] {
        check(&panel, panel.point(&foot), 2e-9);
    }
}

#[test]
fn closed_form_and_quadrature_meet_at_the_change() {
    let (mut next, integrator, mut worst) = (random(5), Integrator::new(medium()), 0f64);
    for seed in 1..40 {
        let panel = some_triangle(seed);
        let way = Vec3::new(next() - 0.5, next() - 0.5, next() - 0.5).normalize() * panel.reach;
        let near = panel.centre + way * (NEAR * 1.0001);
        let m = Moments::new(&panel, &near, None);
        let closed = [integrator.traction_part(&m), integrator.displacement_part(&m, None)];
        let far = panel.centre + way * (FAR * 1.0001);
        let exact = reference(&panel, &far);
        for (source, [u, t]) in [(near, closed), (far, [exact.of_traction, exact.of_displacement])] {
            let own = integrator.influence(&panel, &source, None);
            let off = error(&own.of_traction, &u).max(error(&own.of_displacement, &t));
            worst = worst.max(off);
            assert!(off < 1e-9, "{off}");
        }
    }
    println!("at the changes: worst relative difference {worst:.1e}");
}

/// The polar integral with the radial part exact, across by steps.
#[test]
fn from_its_own_corner_a_triangle_agrees_with_the_polar_integral() {
    for seed in 1..6 {
        let panel = some_triangle(seed);
        for own in 0..3 {
            let (first, second) = ((own + 1) % 3, (own + 2) % 3);
            let corner = panel.corners[own];
            let [e1, e2] = [first, second].map(|k| panel.corners[k] - corner);
            let mut exact =
                Influence { of_traction: [Mat3::zeros(); 3], of_displacement: [Mat3::zeros(); 3] };
            let steps = 20000;
            for step in 0..steps {
                for offset in [-0.5 / 3f64.sqrt(), 0.5 / 3f64.sqrt()] {
                    let x = (step as f64 + 0.5 + offset) / steps as f64;
                    let d = e1 * (1.0 - x) + e2 * x;
                    let u = medium().displacement(&d) * (panel.area / (2 * steps) as f64);
                    let t = medium().traction(&d, &panel.normal) * (2.0 * panel.area / (2 * steps) as f64);
                    for (k, shape) in [(own, 1.0), (first, 1.0 - x), (second, x)] {
                        exact.of_traction[k] += u * shape;
                        exact.of_displacement[k] += if k == own { Mat3::zeros() } else { t * shape };
                    }
                }
            }
            let found = Integrator::new(medium()).influence(&panel, &corner, Some(own));
            assert!(error(&found.of_traction, &exact.of_traction) < 1e-10);
            assert!(error(&found.of_displacement, &exact.of_displacement) < 1e-10);
        }
    }
}
