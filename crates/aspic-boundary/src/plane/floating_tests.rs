use super::super::{Carried, Conditions, Medium, Plane, Polygon, linear};
use super::*;

fn disc() -> Equations {
    let medium = Medium::new(1e4, 0.3, Plane::Strain).unwrap();
    linear::equations(&Polygon::circle(Vec2::zeros(), 0.1, 32).unwrap(), &medium)
}

fn sum(a: &BodyForce, b: &BodyForce) -> BodyForce {
    BodyForce {
        uniform: a.uniform + b.uniform,
        centrifugal: a.centrifugal + b.centrifugal,
        euler: a.euler + b.euler,
    }
}

#[test]
fn a_free_body_keeps_its_place_on_the_average() {
    let equations = disc();
    let mut floating = Floating::new(&equations).unwrap();
    let body = BodyForce { centrifugal: 1e4, ..Default::default() };
    floating.solve(Vec2::y(), &[], &body).unwrap();
    let exact = equations.solve(&Conditions::free(&equations), &body).unwrap();
    for (k, u) in exact.displacements.iter().enumerate() {
        assert!((floating.displacement(k) - u).norm() < 1e-10 * u.norm().max(1e-3));
        assert_eq!(floating.traction(k), Vec2::zeros());
    }
}

#[test]
fn a_body_on_a_slanted_floor_has_the_shape_of_a_fresh_solution() {
    let equations = disc();
    let mut floating = Floating::new(&equations).unwrap();
    for (angle, nodes) in [(0.0, vec![23, 24, 25]), (0.3, vec![24, 26]), (-0.8, vec![20, 21, 22, 23])] {
        let normal = nalgebra::Rotation2::new(angle) * Vec2::y();
        // The floor is 97 mm from the centre of the disc of 100 mm.
        let lift = |node: usize| -0.097 - normal.dot(&equations.nodes()[node]);
        let touch = |&node: &usize| Touching { node, lift: lift(node), aside: None };
        let touching: Vec<Touching> = nodes.iter().map(touch).collect();
        let body = BodyForce { uniform: -2e3 * normal, ..Default::default() };
        floating.solve(normal, &touching, &body).unwrap();
        let mut conditions = Conditions::free(&equations);
        for touch in &touching {
            conditions.glide(touch.node, normal, touch.lift, Carried::Both).unwrap();
        }
        // With the accelerations that were found, the contact alone determines the same turn.
        let body = sum(&body, floating.added());
        let exact = equations.solve(&conditions, &body).unwrap();
        assert_eq!(exact.floating, 1);
        // The shift along the floor is open and chosen in two ways.
        let shift = floating.displacement(0) - exact.displacements[0];
        assert!(shift.dot(&normal).abs() < 1e-10);
        for (k, u) in exact.displacements.iter().enumerate() {
            assert!((floating.displacement(k) - u - shift).norm() < 1e-10, "{k} {u}");
            let t = exact.tractions[equations.slots_of(k)[0]];
            assert!((floating.traction(k) - t).norm() < 1e-6, "{k}");
        }
    }
}

#[test]
fn a_body_that_sticks_has_the_shape_of_a_fresh_solution() {
    let equations = disc();
    let mut floating = Floating::new(&equations).unwrap();
    let normal = nalgebra::Rotation2::new(0.2) * Vec2::y();
    let touch = |node: usize| Touching { node, lift: 1e-3, aside: Some(1e-4 * node as f64) };
    let touching = [touch(24), touch(25), touch(26)];
    let body = BodyForce { uniform: Vec2::new(500.0, -2e3), euler: 1e3, ..Default::default() };
    floating.solve(normal, &touching, &body).unwrap();
    let mut conditions = Conditions::free(&equations);
    for touch in &touching {
        conditions.hold(touch.node, 1e-3 * normal - 1e-4 * touch.node as f64 * quarter(normal)).unwrap();
    }
    let body = sum(&body, floating.added());
    let exact = equations.solve(&conditions, &body).unwrap();
    for (k, u) in exact.displacements.iter().enumerate() {
        assert!((floating.displacement(k) - u).norm() < 1e-10, "{k} {u}");
    }
}

#[test]
fn a_shape_depends_on_its_contacts_alone() {
    let equations = disc();
    let mut floating = Floating::new(&equations).unwrap();
    let touching = |count: usize, aside| {
        (0..count).map(|node| Touching { node, lift: 1e-4 * node as f64, aside }).collect::<Vec<_>>()
    };
    let body = BodyForce { uniform: Vec2::new(3.0, -2e3), euler: 1e3, ..Default::default() };
    let bits = |floating: &mut Floating, touching: &[Touching]| {
        floating.solve(Vec2::y(), touching, &body).unwrap();
        let values = (0..32).map(|k| (floating.displacement(k), floating.traction(k)));
        values.map(|(u, t)| [u.x, u.y, t.x, t.y].map(f64::to_bits)).collect::<Vec<_>>()
    };
    let few = touching(5, None);
    let first = bits(&mut floating, &few);
    bits(&mut floating, &touching(27, Some(1e-5)));
    bits(&mut floating, &touching(1, Some(0.0)));
    assert_eq!(first, bits(&mut floating, &few));
    assert_eq!(first, bits(&mut Floating::new(&equations).unwrap(), &few));
}
