use super::super::{Carried, ConditionError, Medium, Plane, Polygon, linear};
use super::tests::{prism, rectangle};
use super::*;

/// A column of width 0.3 and height 0.6 between smooth walls on a smooth ground.
fn column(equations: &Equations) -> Conditions {
    let mut conditions = Conditions::free(equations);
    let (width, height) = (0.3, 0.6);
    for (node, x) in equations.nodes().iter().enumerate() {
        let [left, right, bottom, top] =
            [x.x, x.x - width, x.y, x.y - height].map(|distance: f64| distance.abs() < 1e-9);
        let wall = match (left, right, bottom, top) {
            (true, _, true, _) | (_, true, _, true) => Known::Displacement(0.0, Carried::Before),
            (true, _, _, true) | (_, true, true, _) => Known::Displacement(0.0, Carried::After),
            (true, ..) | (_, true, ..) => Known::Displacement(0.0, Carried::Both),
            _ => Known::Traction,
        };
        let ground = match (left, right, bottom) {
            (true, _, true) => Known::Displacement(0.0, Carried::After),
            (_, true, true) => Known::Displacement(0.0, Carried::Before),
            (_, _, true) => Known::Displacement(0.0, Carried::Both),
            _ => Known::Traction,
        };
        conditions.set(node, Vec2::x(), [wall, ground]).unwrap();
    }
    conditions
}

#[test]
fn a_column_under_its_own_weight_sinks_as_a_parabola() {
    let (weight, height, medium) = (-1.5, 0.6, prism());
    let exact = |x: Vec2| Vec2::new(0.0, weight / medium.confined() * (height * x.y - x.y * x.y / 2.0));
    let sink = exact(Vec2::new(0.0, height)).norm();
    let body = BodyForce { uniform: Vec2::new(0.0, weight), ..Default::default() };
    let errors = [4, 8, 16].map(|parts| {
        let equations = linear::equations(&rectangle(0.3, height).refined(parts), &medium);
        let conditions = column(&equations);
        let error = |found: &Solution| {
            let nodes = equations.nodes().iter().zip(&found.displacements);
            nodes.map(|(x, u)| (u - exact(*x)).norm()).fold(0.0, f64::max) / sink
        };
        let particular = equations.solve(&conditions, &body).unwrap();
        assert!(error(&particular) < 1e-12, "{}", error(&particular));
        let (force, _) = equations.resultant(&particular.tractions);
        assert!((force.y + weight * 0.18).abs() < 1e-12);
        let columns = super::super::body_force::by_boundary_integrals(&equations);
        let inside: Vec<f64> = (0..columns.nrows()).map(|row| weight * columns[(row, 1)]).collect();
        error(&equations.solve_with(&conditions, &body, &inside).unwrap())
    });
    println!("column, boundary integral: {errors:?}");
    assert!(errors[0] < 0.02 && errors[1] < errors[0] / 3.0 && errors[2] < errors[1] / 3.0, "{errors:?}");
}

#[test]
fn a_spinning_disc_widens_as_the_book_says() {
    let medium = Medium::new(7.0, 0.3, Plane::Stress).unwrap();
    let exact = |r: f64| r * 0.7 / (8.0 * 7.0) * (3.3 - 1.3 * r * r);
    let errors = [24, 48].map(|count| {
        let equations = linear::equations(&Polygon::circle(Vec2::zeros(), 1.0, count).unwrap(), &medium);
        let body = BodyForce { centrifugal: 1.0, ..Default::default() };
        let found = equations.solve(&Conditions::free(&equations), &body).unwrap();
        let nodes = equations.nodes().iter().zip(&found.displacements);
        nodes.map(|(x, u)| (u.dot(x) - exact(1.0)).abs()).fold(0.0, f64::max) / exact(1.0)
    });
    println!("spinning disc: {errors:?}");
    assert!(errors[0] < 0.03 && errors[1] < errors[0] / 3.5, "{errors:?}");
}

#[test]
fn rubber_bulges_where_a_sponge_does_not() {
    let bulge = |poisson: f64| {
        let medium = Medium::new(1.0, poisson, Plane::Strain).unwrap();
        let equations = linear::equations(&Polygon::circle(Vec2::zeros(), 1.0, 32).unwrap(), &medium);
        let mut conditions = Conditions::free(&equations);
        let press =
            |x: Vec2, _: Vec2| Vec2::new(0.0, if x.y.abs() > 0.9 { -0.05 * x.y.signum() } else { 0.0 });
        conditions.press_everywhere(&equations, press).unwrap();
        let found = equations.solve(&conditions, &BodyForce::default()).unwrap();
        // How much the width grows for each part that the height loses.
        -(found.displacements[0].x - found.displacements[16].x)
            / (found.displacements[8].y - found.displacements[24].y)
    };
    let (rubber, sponge) = (bulge(0.49), bulge(0.01));
    println!("bulge: rubber {rubber}, sponge {sponge}");
    assert!(rubber > 0.35 && sponge < 0.2 && rubber > 2.0 * sponge, "{rubber} {sponge}");
}

#[test]
fn a_load_that_nothing_balances_is_refused() {
    let equations = linear::equations(&rectangle(1.0, 1.0).refined(4), &prism());
    let mut pushed = Conditions::free(&equations);
    pushed.press(0, Vec2::new(0.0, 1.0)).unwrap();
    let refused = equations.solve(&pushed, &BodyForce::default());
    assert!(matches!(refused, Err(SolveError::Unbalanced { .. })));
    // Two forces that turn the block.
    let mut twisted = Conditions::free(&equations);
    let twist = |_, n: Vec2| Vec2::new(0.0, n.x);
    twisted.press_everywhere(&equations, twist).unwrap();
    let said = equations.solve(&twisted, &BodyForce::default()).unwrap_err().to_string();
    assert!(said.contains("torque"), "{said}");
    // Its own inertia balances it.
    let moments = equations.moments();
    let body = BodyForce { euler: 1.0 / moments.polar(), ..Default::default() };
    assert!(equations.solve(&twisted, &body).is_ok());
    // A block on rollers may not be pushed along them.
    let mut rolling = Conditions::free(&equations);
    (0..5).for_each(|k| rolling.glide(k, Vec2::y(), 0.0, Carried::Both).unwrap());
    assert_eq!(equations.solve(&rolling, &BodyForce::default()).unwrap().floating, 1);
    rolling.press(10, Vec2::x()).unwrap();
    assert!(equations.solve(&rolling, &BodyForce::default()).is_err());
}

#[test]
fn conditions_without_sense_are_refused() {
    let equations = linear::equations(&rectangle(1.0, 1.0), &prism());
    let mut conditions = Conditions::free(&equations);
    assert_eq!(conditions.hold(4, Vec2::zeros()), Err(ConditionError::Node { which: 4, last: 3 }));
    assert_eq!(conditions.press(8, Vec2::zeros()), Err(ConditionError::Slot { which: 8, last: 7 }));
    assert!(conditions.glide(0, Vec2::zeros(), 0.0, Carried::Both).is_err());
    assert_eq!(conditions.hold(0, Vec2::new(f64::NAN, 0.0)), Err(ConditionError::NotFinite));
    let other = linear::equations(&rectangle(1.0, 1.0).refined(2), &prism());
    let refused = other.solve(&conditions, &BodyForce::default());
    assert_eq!(refused, Err(SolveError::Mismatch { given: 4, needed: 8 }));
}
