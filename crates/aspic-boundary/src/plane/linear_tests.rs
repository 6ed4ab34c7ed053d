use super::super::{Plane, Vec2, quarter};
use super::*;

#[test]
fn a_rigid_rotation_makes_no_traction() {
    let medium = Medium::new(3.38, 0.3, Plane::Strain).unwrap();
    let outer = Polygon::circle(Vec2::new(1.0, 2.0), 0.5, 7).unwrap().refined(3);
    let hole: Vec<Vec2> =
        Polygon::circle(Vec2::new(1.1, 2.1), 0.2, 5).unwrap().vertices().iter().rev().copied().collect();
    let body = Polygon::with_holes(&[outer.vertices(), &hole]).unwrap();
    let made = equations(&body, &medium);
    let turned: Vec<f64> = made.nodes().iter().flat_map(|x| [quarter(*x).x, quarter(*x).y]).collect();
    for row in 0..turned.len() {
        let sum: f64 = (0..turned.len()).map(|k| made.h()[(row, k)] * turned[k]).sum();
        assert!(sum.abs() < 1e-12, "{row} {sum}");
    }
}

#[test]
fn a_node_sees_its_slots_before_and_after_it() {
    let medium = Medium::new(1.0, 0.3, Plane::Strain).unwrap();
    let body = Polygon::circle(Vec2::zeros(), 1.0, 5).unwrap();
    let made = equations(&body, &medium);
    for node in 0..5 {
        let [before, after] = made.slots_of(node);
        assert_eq!(made.slots()[before].element, body.previous(node));
        assert_eq!(made.slots()[after].element, node);
    }
}
