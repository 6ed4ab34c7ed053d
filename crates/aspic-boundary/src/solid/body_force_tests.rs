use super::*;
use crate::solid::particular;
use crate::solid::test_shapes::{brick, hollow_ball, torus};

const DENSITY: f64 = 1.7;

fn medium() -> Medium {
    Medium::new(2.6, 0.3).unwrap()
}

fn omega() -> Vec3 {
    Vec3::new(0.3, -0.7, 0.5)
}

fn omega_rate() -> Vec3 {
    Vec3::new(-0.2, 0.4, 0.9)
}

type Solution = Box<dyn Fn(&Vec3) -> particular::Field>;

/// The three forces with their particular solutions.
fn forces() -> [(LinearForce, Solution); 3] {
    let b = Vec3::new(0.2, 0.5, -1.0);
    let still = Vec3::zeros();
    [
        (LinearForce::uniform(b), Box::new(move |x| particular::uniform(&medium(), &b, x))),
        (
            LinearForce::turning(DENSITY, omega(), still, still),
            Box::new(|x| particular::centrifugal(&medium(), DENSITY, &omega(), x)),
        ),
        (
            LinearForce::turning(DENSITY, still, omega_rate(), still),
            Box::new(|x| particular::euler(&medium(), DENSITY, &omega_rate(), x)),
        ),
    ]
}

#[test]
fn particular_solutions_satisfy_naviers_equation() {
    let x = Vec3::new(0.4, -0.3, 0.8);
    let h = 1e-3;
    let axes = [Vec3::x(), Vec3::y(), Vec3::z()];
    for (force, field) in forces() {
        let columns =
            axes.map(|e| (field(&(x + e * h)).displacement - field(&(x - e * h)).displacement) / (2.0 * h));
        assert!((Mat3::from_columns(&columns) - field(&x).gradient).amax() < 1e-6);
        let divergence: Vec3 = axes
            .iter()
            .map(|e| {
                let stress = |x: Vec3| medium().stress(&field(&x).gradient);
                (stress(x + e * h) - stress(x - e * h)) * e / (2.0 * h)
            })
            .sum();
        assert!((divergence + force.at(&x)).amax() < 1e-9, "{divergence} {}", force.at(&x));
    }
}

/// The volume integral over the cones from vertex i to all triangles: along a ray U r² and b are linear. Triangles at the
/// vertex itself subtend no cone.
fn cones(force: &LinearForce, body: &Surface, i: usize) -> Vec3 {
    let source = body.vertices()[i];
    let mut sum = Vec3::zeros();
    for (panel, corners) in Panel::all(body).iter().zip(body.triangles()) {
        if corners.contains(&(i as u32)) {
            continue;
        }
        crate::solid::moments::tests::brute(&panel.corners, &source, &mut |y, w| {
            let d = y - source;
            let b = force.at(&source) / 2.0 + force.slope * d / 3.0;
            sum += medium().displacement(&d) * b * (w * d.dot(&panel.normal));
        });
    }
    sum
}

#[test]
fn the_surface_integral_equals_the_integral_over_the_volume() {
    for body in [torus(9, 5, 1.0, 0.3), brick(Vec3::new(0.5, 0.7, 1.1), [1, 2, 2])] {
        let operator = Operator::new(body.clone(), medium());
        for (force, _) in forces() {
            let found = force.influence(&operator);
            for i in (0..body.vertices().len()).step_by(7) {
                let (own, exact) = (Vec3::from_row_slice(&found[3 * i..3 * i + 3]), cones(&force, &body, i));
                assert!((own - exact).amax() < 1e-9, "{own} {exact}");
            }
        }
    }
}

#[test]
fn particular_solutions_converge_to_the_surface_integral_at_second_order() {
    let mut errors = vec![];
    for depth in [1, 2] {
        let operator = Operator::new(hollow_ball(depth, 0.5, 1.0), medium());
        let body = operator.surface();
        errors.push(forces().map(|(force, field)| {
            let u: Vec<Vec3> = body.vertices().iter().map(|x| field(x).displacement).collect();
            let tractions: Vec<[Vec3; 3]> = operator
                .panels()
                .iter()
                .map(|panel| panel.corners.map(|x| field(&x).traction(&medium(), &panel.normal)))
                .collect();
            let load = operator.load(&tractions);
            let product =
                operator.h().dense().unwrap() * faer::Mat::from_fn(load.len(), 1, |i, _| u[i / 3][i % 3]);
            let exact = force.influence(&operator);
            let size = exact.iter().fold(0.0, |most: f64, b| most.max(b.abs()));
            (0..load.len()).map(|i| (product[(i, 0)] - load[i] - exact[i]).abs()).fold(0.0, f64::max) / size
        }));
    }
    for k in 0..3 {
        let order = (errors[0][k] / errors[1][k]).log2();
        println!("force {k}: particular solution off by {:.1e}, order {order:.2}", errors[1][k]);
        assert!(order > 1.6 && errors[1][k] < 0.05);
    }
}

#[test]
fn resultants_are_those_of_mechanics() {
    let size = Vec3::new(1.0, 2.0, 3.0);
    let body = brick(size, [2, 2, 2]);
    let force = LinearForce::turning(DENSITY, Vec3::zeros(), omega_rate(), body.centroid());
    let (sum, torque) = force.resultant(&body);
    assert!(sum.norm() < 1e-12 && (torque + body.inertia() * omega_rate() * DENSITY).norm() < 1e-10);
    let (sum, _) = LinearForce::turning(DENSITY, Vec3::z(), Vec3::zeros(), Vec3::zeros()).resultant(&body);
    assert!((sum - Vec3::new(0.5, 1.0, 0.0) * (6.0 * DENSITY)).norm() < 1e-12);
    let both = LinearForce::uniform(Vec3::x()).plus(&force);
    assert!((both.at(&size) - Vec3::x() - force.at(&size)).norm() < 1e-12);
}
