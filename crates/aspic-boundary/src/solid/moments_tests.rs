use super::*;
use crate::solid::quadrature::Rule;
use crate::solid::test_shapes::random;

/// ∫ f dS by halving the triangle until each part is far from the source, compared with its size.
pub fn brute(corners: &[Vec3; 3], source: &Vec3, f: &mut impl FnMut(&Vec3, f64)) {
    halve(&Rule::sixteen(), corners, source, f);
}

fn halve(rule: &Rule, corners: &[Vec3; 3], source: &Vec3, f: &mut impl FnMut(&Vec3, f64)) {
    let panel = Panel::new(*corners);
    if (panel.centre - source).norm() > 12.0 * panel.reach {
        for (shape, weight) in &rule.points {
            f(&panel.point(shape), weight * panel.area);
        }
        return;
    }
    let [a, b, c] = *corners;
    let [ab, bc, ca] = [(a + b) / 2.0, (b + c) / 2.0, (c + a) / 2.0];
    for part in [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]] {
        halve(rule, &part, source, f);
    }
}

pub fn some_triangle(seed: u64) -> Panel {
    let mut next = random(seed);
    Panel::new([0, 1, 2].map(|_| Vec3::new(next(), next(), next())))
}

#[test]
fn closed_forms_agree_with_brute_force_from_very_near_to_a_few_sizes_away() {
    for seed in 1..6 {
        let panel = some_triangle(seed);
        for height in [1e-5, 1e-3, 0.03, 0.3, 1.0, -0.3] {
            let source = panel.point(&[0.2, 0.5, 0.3]) + panel.normal * height;
            let m = Moments::new(&panel, &source, None);
            let (mut scalars, mut first) = ([0.0; 3], [Vec3::zeros(); 3]);
            let (mut square, mut dyad) = (Mat3::zeros(), Mat3::zeros());
            brute(&panel.corners, &source, &mut |x, w| {
                let d = x - source;
                let (r, xi) = (d.norm(), d - panel.normal * m.h);
                for (k, power) in [r.recip(), r, m.h / r.powi(3)].into_iter().enumerate() {
                    scalars[k] += w * power;
                }
                for (k, power) in [r.recip(), r, r.powi(-3)].into_iter().enumerate() {
                    first[k] += xi * (w * power);
                }
                square += xi * xi.transpose() * (w / r);
                dyad += d * d.transpose() * (w / r.powi(3));
            });
            let own = [m.inverse, m.distance(), m.angle];
            (0..3).for_each(|k| {
                assert!((own[k] - scalars[k]).abs() < 1e-9, "{k} {height} {own:?} {scalars:?}")
            });
            let own = [m.direction, m.moment(), m.pull];
            (0..3).for_each(|k| assert!((own[k] - first[k]).amax() < 1e-9, "{k} {height} {own:?} {first:?}"));
            assert!((m.square() - square).amax() < 1e-9 && (m.dyad() - dyad).amax() < 1e-9);
        }
    }
}

#[test]
fn the_solid_angles_of_a_closed_body_add_up_to_a_full_one_inside_and_to_nothing_outside() {
    let body = crate::solid::test_shapes::torus(12, 7, 1.0, 0.3);
    let sum = |x: Vec3| Panel::all(&body).iter().map(|p| Moments::new(p, &x, None).angle).sum::<f64>();
    assert!((sum(Vec3::new(1.0, 0.1, 0.05)) - 4.0 * std::f64::consts::PI).abs() < 1e-12);
    assert!(sum(Vec3::new(0.1, 0.1, 0.05)).abs() < 1e-12);
}

/// Where coordinates are large their rounding lifts points off the plane; seen from there the triangle would fill half the
/// sky.
#[test]
fn a_point_on_a_small_triangle_far_from_the_origin_is_in_its_plane() {
    for place in [0.3, 7.0, 1e3] {
        for seed in 1..20 {
            let corners = some_triangle(seed).corners.map(|x| x * 0.01 + Vec3::repeat(place));
            let panel = Panel::new(corners);
            let m = Moments::new(&panel, &panel.point(&[0.2, 0.3, 0.5]), None);
            assert!(m.angle == 0.0, "{place} {seed}: {}", m.angle);
        }
    }
}
