use super::super::{Carried, Kelvin, Medium, Plane, Polygon, constant, linear};
use super::*;

pub(super) fn prism() -> Medium {
    Medium::new(3.38, 0.3, Plane::Strain).unwrap()
}

pub(super) fn rectangle(width: f64, height: f64) -> Polygon {
    let corners = [(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)];
    Polygon::new(&corners.map(|(x, y)| Vec2::new(x, y))).unwrap()
}

/// Largest distance to `exact` after the best rigid motion, over the largest exact displacement.
fn relative_error(equations: &Equations, found: &[Vec2], exact: impl Fn(Vec2) -> Vec2) -> f64 {
    let differences: Vec<Vec2> = equations.nodes().iter().zip(found).map(|(x, u)| u - exact(*x)).collect();
    let rows = |v: &[Vec2]| nalgebra::DVector::from_iterator(2 * v.len(), v.iter().flat_map(|d| [d.x, d.y]));
    let modes = super::super::all_modes(equations);
    let columns = modes.map(|m| rows(&equations.nodes().iter().map(|x| m.at(*x)).collect::<Vec<_>>()));
    let (basis, b) = (nalgebra::DMatrix::from_columns(&columns), rows(&differences));
    let fit = (basis.transpose() * &basis).lu().solve(&(basis.transpose() * &b)).unwrap();
    let largest = equations.nodes().iter().map(|x| exact(*x).norm()).fold(0.0, f64::max);
    (b - basis * fit).amax() / largest
}

/// σ_xx = 1 Pa: ε_x = (1−ν)/(2μ), ε_y = −ν/(2μ).
fn stretched(medium: &Medium) -> impl Fn(Vec2) -> Vec2 + use<> {
    let kernel = Kelvin::new(medium, 1.0);
    let (ex, ey) =
        ((1.0 - kernel.poisson()) / (2.0 * kernel.shear()), -kernel.poisson() / (2.0 * kernel.shear()));
    move |x| Vec2::new(ex * x.x, ey * x.y)
}

fn pulled(equations: &Equations) -> Conditions {
    let mut conditions = Conditions::free(equations);
    conditions.press_everywhere(equations, |_, n| Vec2::new(n.x, 0.0)).unwrap();
    conditions
}

#[test]
fn a_pulled_block_stretches_exactly_with_linear_elements() {
    for plane in [Plane::Strain, Plane::Stress] {
        for size in [1e-3, 1.0, 1.32, 2.0, 1e4] {
            let medium = Medium::new(3.38, 0.3, plane).unwrap();
            let equations = linear::equations(&rectangle(size, 0.7 * size).refined(6), &medium);
            let found = equations.solve(&pulled(&equations), &BodyForce::default()).unwrap();
            let error = relative_error(&equations, &found.displacements, stretched(&medium));
            assert_eq!(found.floating, 3);
            assert!(error < 1e-12, "{error}");
        }
    }
}

#[test]
fn a_pulled_block_stretches_to_first_order_with_constant_elements() {
    let errors = [10, 20, 40].map(|parts| {
        let equations = constant::equations(&rectangle(0.5, 0.5).refined(parts), &prism());
        let found = equations.solve(&pulled(&equations), &BodyForce::default()).unwrap();
        relative_error(&equations, &found.displacements, stretched(&prism()))
    });
    println!("constant elements, patch: {errors:?}");
    assert!(errors[0] < 0.01 && errors[2] < 0.003 && errors[1] < 0.6 * errors[0]);
}

#[test]
fn rollers_in_a_turned_frame_hold_a_turned_block() {
    // Two neighbouring sides of a turned square glide, one of the others is pressed.
    let turn = nalgebra::Rotation2::new(0.4);
    let corners = rectangle(1.0, 1.0).refined(5).vertices().iter().map(|x| turn * x).collect::<Vec<_>>();
    let equations = linear::equations(&Polygon::new(&corners).unwrap(), &prism());
    let (along, across) = (turn * Vec2::x(), turn * Vec2::y());
    let mut conditions = Conditions::free(&equations);
    conditions
        .press_everywhere(&equations, |_, n| if n.dot(&along) > 0.5 { along } else { Vec2::zeros() })
        .unwrap();
    for (node, x) in equations.nodes().iter().enumerate() {
        let (left, bottom) = (x.dot(&along).abs() < 1e-9, x.dot(&across).abs() < 1e-9);
        let first = Known::Displacement(0.0, if bottom { Carried::Before } else { Carried::Both });
        let second = Known::Displacement(0.0, if left { Carried::After } else { Carried::Both });
        match (left, bottom) {
            (true, true) => conditions.set(node, along, [first, second]).unwrap(),
            // The top left corner comes before the left side, the bottom right one after the bottom.
            (true, false) if x.dot(&across) > 0.99 => {
                conditions.glide(node, along, 0.0, Carried::After).unwrap()
            }
            (false, true) if x.dot(&along) > 0.99 => {
                conditions.glide(node, across, 0.0, Carried::Before).unwrap()
            }
            (true, false) => conditions.glide(node, along, 0.0, Carried::Both).unwrap(),
            (false, true) => conditions.glide(node, across, 0.0, Carried::Both).unwrap(),
            (false, false) => {}
        }
    }
    let found = equations.solve(&conditions, &BodyForce::default()).unwrap();
    assert_eq!(found.floating, 0);
    let exact = stretched(&prism());
    for (x, u) in equations.nodes().iter().zip(&found.displacements) {
        assert!((u - turn * exact(turn.inverse() * x)).norm() < 1e-12);
    }
    for (slot, t) in equations.slots().iter().zip(&found.tractions) {
        let expected = slot.normal.dot(&along) * along;
        assert!((t - expected).norm() < 1e-10, "{t} {expected}");
    }
}

#[test]
fn a_ring_under_pressure_widens_as_lame_says() {
    let (inner, outer, medium) = (0.1, 0.3, prism());
    let (mu, nu) = (medium.shear(), medium.poisson());
    let factor = inner * inner / (outer * outer - inner * inner) / (2.0 * mu);
    let exact = |r: f64| factor * ((1.0 - 2.0 * nu) * r + outer * outer / r);
    for (name, expected) in [("linear", [0.025, 0.006, 0.0015]), ("constant", [0.04, 0.02, 0.01])] {
        let errors = [24, 48, 96].map(|count| {
            let outside = Polygon::circle(Vec2::zeros(), outer, count).unwrap();
            let hole = Polygon::circle(Vec2::zeros(), inner, count).unwrap();
            let hole: Vec<Vec2> = hole.vertices().iter().rev().copied().collect();
            let ring = Polygon::with_holes(&[outside.vertices(), &hole]).unwrap();
            let make = if name == "linear" { linear::equations } else { constant::equations };
            let equations = make(&ring, &medium);
            let mut conditions = Conditions::free(&equations);
            let press = |x: Vec2, n: Vec2| if x.norm() < 0.2 { -n } else { Vec2::zeros() };
            conditions.press_everywhere(&equations, press).unwrap();
            let found = equations.solve(&conditions, &BodyForce::default()).unwrap();
            let nodes = equations.nodes().iter().zip(&found.displacements);
            let errors = nodes.map(|(x, u)| (u.dot(&x.normalize()) - exact(x.norm())).abs());
            errors.fold(0.0, f64::max) / exact(inner)
        });
        println!("ring, {name}: {errors:?}");
        assert!(errors.iter().zip(expected).all(|(e, limit)| *e < limit), "{name} {errors:?}");
    }
}

/// Kirsch's stress around a hole of radius 1 under a unit pull along x.
fn kirsch(x: Vec2, n: Vec2) -> Vec2 {
    let (q, e) = (1.0 / x.norm_squared(), x.normalize());
    let (cos, sin) = (e.x * e.x - e.y * e.y, 2.0 * e.x * e.y);
    let rr = 0.5 * (1.0 - q) + 0.5 * (1.0 - 4.0 * q + 3.0 * q * q) * cos;
    let tt = 0.5 * (1.0 + q) - 0.5 * (1.0 + 3.0 * q * q) * cos;
    let rt = -0.5 * (1.0 + 2.0 * q - 3.0 * q * q) * sin;
    let f = super::super::quarter(e);
    (rr * e + rt * f) * e.dot(&n) + (rt * e + tt * f) * f.dot(&n)
}

#[test]
fn stress_beside_a_hole_is_three_times_the_pull() {
    let medium = Medium::new(200.0, 0.3, Plane::Stress).unwrap();
    let errors = [16, 32, 64].map(|count| {
        let half = std::f64::consts::PI / count as f64;
        let turn = nalgebra::Rotation2::new(half);
        let hole = Polygon::circle(Vec2::zeros(), 1.0, count).unwrap();
        let hole: Vec<Vec2> = hole.vertices().iter().rev().map(|x| turn * x).collect();
        let frame = rectangle(8.0, 8.0).shifted(Vec2::new(-4.0, -4.0)).refined(count / 2);
        let plate = Polygon::with_holes(&[frame.vertices(), &hole]).unwrap();
        let equations = linear::equations(&plate, &medium);
        let mut conditions = Conditions::free(&equations);
        let load = |x: Vec2, n: Vec2| if x.norm() > 2.0 { kirsch(x, n) } else { Vec2::zeros() };
        conditions.press_everywhere(&equations, load).unwrap();
        let found = equations.solve(&conditions, &BodyForce::default()).unwrap();
        // The edge of the hole at the top is stretched by σ/E.
        let top = (0..plate.len()).max_by(|&a, &b| {
            let height =
                |k: usize| plate.edge(k).map(|x| if x.norm() < 2.0 { x.y } else { -9.0 }).iter().sum::<f64>();
            height(a).total_cmp(&height(b))
        });
        let k = top.unwrap();
        let [a, b] = [k, plate.next(k)].map(|v| found.displacements[v]);
        let strain = (b - a).dot(&equations.elements()[k].tangent) / equations.elements()[k].length;
        medium.unconfined() * strain - 3.0
    });
    println!("stress concentration less 3: {errors:?}");
    assert!(errors[0].abs() < 0.15 && errors[2].abs() < 0.01, "{errors:?}");
    assert!(errors[1].abs() < errors[0].abs() / 3.0 && errors[2].abs() < errors[1].abs() / 3.0, "{errors:?}");
}

#[test]
fn a_body_held_all_around_is_as_stressed_at_every_size() {
    // Among the sizes are those for which G would be singular without a length in its logarithm.
    let stress = |size: f64| {
        let equations = linear::equations(&Polygon::circle(Vec2::zeros(), size, 24).unwrap(), &prism());
        let mut conditions = Conditions::free(&equations);
        for (node, x) in equations.nodes().iter().enumerate() {
            conditions.hold(node, 0.01 * x).unwrap();
        }
        equations.solve(&conditions, &BodyForce::default()).unwrap().tractions[0].x
    };
    let exact = 2.0 * (prism().lame() + prism().shear()) * 0.01;
    for size in [1e-4, 0.5, 1.0, 1.32, (1.0f64 / 3.6).exp(), 2.0, 1e5] {
        assert!((stress(size) / stress(1.0) - 1.0).abs() < 1e-11);
        assert!((stress(size) / exact - 1.0).abs() < 0.03, "{} {exact}", stress(size));
    }
}
