use super::*;

fn sum(sigma: &Panel, tau: &Panel) -> (f64, Vec3) {
    let (mut area, mut moment) = (0.0, Vec3::zeros());
    Graded::new().points(sigma, tau, &mut |(x, weight)| {
        area += weight;
        moment += x * weight;
    });
    (area, moment)
}

#[test]
fn the_points_cover_a_triangle_evenly_however_it_touches_another() {
    let at = |x: f64, y: f64, z: f64| Vec3::new(x, y, z);
    let sigma = Panel::new([at(0.0, 0.0, 0.0), at(1.0, 0.1, 0.0), at(0.2, 0.8, 0.3)]);
    let [a, b, c] = sigma.corners;
    let others = [
        [a, b, c],
        [b, a, at(0.5, -0.9, 0.4)],
        [c, at(0.1, 1.7, 0.0), at(1.0, 1.5, 0.2)],
        [a, at(-0.02, 0.0, 0.0), at(0.0, -0.03, 0.01)],
        [at(0.0, 0.0, -0.01), at(1.0, 0.1, -0.01), at(0.2, 0.8, 0.29)],
        [at(9.0, 0.0, 0.0), at(9.0, 1.0, 0.0), at(9.0, 0.0, 1.0)],
    ];
    for corners in others {
        let (area, moment) = sum(&sigma, &Panel::new(corners));
        assert!((area / sigma.area - 1.0).abs() < 1e-12, "{corners:?}: {area}");
        assert!((moment / sigma.area - sigma.centre).norm() < 1e-12, "{corners:?}");
    }
}
