use super::super::{Plane, Vec2};
use super::*;

#[test]
fn the_diagonal_of_h_is_a_half_on_a_straight_element() {
    let medium = Medium::new(3.38, 0.3, Plane::Strain).unwrap();
    let body = Polygon::circle(Vec2::zeros(), 0.3, 6).unwrap().refined(5);
    let made = equations(&body, &medium);
    for k in 0..made.nodes().len() {
        for (a, b) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let half = if a == b { 0.5 } else { 0.0 };
            assert!((made.h()[(2 * k + a, 2 * k + b)] - half).abs() < 1e-13);
        }
    }
}
