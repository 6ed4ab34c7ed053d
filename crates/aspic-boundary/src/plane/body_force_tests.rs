use super::super::{Plane, Polygon, constant, linear};
use super::*;

fn medium() -> Medium {
    Medium::new(3.38, 0.3, Plane::Strain).unwrap()
}

fn pentagon() -> Polygon {
    let corners = [(0.0, 0.0), (1.3, 0.1), (1.5, 0.9), (0.6, 1.4), (-0.2, 0.8)];
    Polygon::new(&corners.map(|(x, y)| Vec2::new(x, y))).unwrap()
}

/// ∫ U b dV over the triangles between the source and each edge, the radial part done by hand:
/// ∫ s U(sy) ds = U/2 + c/4 and ∫ s² U(sy) ds = U/3 + c/9 with c = (3−4ν)/(8πμ(1−ν)).
fn domain(equations: &Equations, source: Vec2, body: &BodyForce) -> Vec2 {
    let kernel = equations.kernel();
    let c = (3.0 - 4.0 * kernel.poisson()) * kernel.displacement_factor();
    let (here, pieces) = (body.at(source - equations.moments().centroid), 40);
    let mut sum = Vec2::zeros();
    for element in equations.elements() {
        for piece in 0..pieces {
            for node in [-0.6f64.sqrt(), 0.0, 0.6f64.sqrt()] {
                let weight = if node == 0.0 { 8.0 } else { 5.0 } / 18.0 / pieces as f64 * element.length;
                let along = (piece as f64 + 0.5 + 0.5 * node) / pieces as f64 * element.length;
                let y = element.start + along * element.tangent - source;
                let (u, height) = (kernel.displacement(y), y.dot(&element.normal));
                let slope = body.at(y) - body.uniform;
                sum += weight * height * (u * (here / 2.0 + slope / 3.0) + c * (here / 4.0 + slope / 9.0));
            }
        }
    }
    sum
}

#[test]
fn the_boundary_integral_of_a_uniform_force_is_its_domain_integral() {
    for equations in [linear::equations(&pentagon(), &medium()), constant::equations(&pentagon(), &medium())]
    {
        let columns = by_boundary_integrals(&equations);
        for axis in 0..2 {
            let mut body = BodyForce::default();
            body.uniform[axis] = 1.0;
            for (k, source) in equations.nodes().iter().enumerate() {
                let exact = domain(&equations, *source, &body);
                let found = Vec2::new(columns[(2 * k, axis)], columns[(2 * k + 1, axis)]);
                // The domain integral is cut off at three points per piece.
                assert!((found - exact).norm() < 1e-7, "{} {found} {exact}", (found - exact).norm());
            }
        }
    }
}

#[test]
fn particular_solutions_approach_the_domain_integral_with_the_square_of_the_element() {
    let unit = [(1.0, 0.0, 0.0, 0.0), (0.0, 1.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0), (0.0, 0.0, 0.0, 1.0)];
    let forces =
        unit.map(|(x, y, centrifugal, euler)| BodyForce { uniform: Vec2::new(x, y), centrifugal, euler });
    for (which, body) in forces.iter().enumerate() {
        let errors = [4, 8, 16].map(|parts| {
            let equations = linear::equations(&pentagon().refined(parts), &medium());
            let columns = by_particular_solutions(&equations);
            let nodes = equations.nodes().iter().enumerate();
            let errors = nodes.map(|(k, x)| {
                let found = Vec2::new(columns[(2 * k, which)], columns[(2 * k + 1, which)]);
                (found - domain(&equations, *x, body)).norm()
            });
            errors.fold(0.0, f64::max)
        });
        println!("force {which}: {errors:?}");
        assert!(errors[0] < 0.02 && errors[2] < 1.5e-3, "{which} {errors:?}");
        assert!(errors[1] < errors[0] / 3.0 && errors[2] < errors[1] / 3.0, "{which} {errors:?}");
    }
}

#[test]
fn unit_forces_pull_with_their_own_resultants() {
    let equations = linear::equations(&pentagon(), &medium());
    let body = BodyForce { uniform: Vec2::new(2.0, -1.0), centrifugal: 5.0, euler: 3.0 };
    let (force, torque) = resultant(&equations, &body);
    assert!((force - equations.moments().area * Vec2::new(2.0, -1.0)).norm() < 1e-14);
    // The Euler force resists the turn.
    assert!((torque + 3.0 * equations.moments().polar()).abs() < 1e-14);
}
