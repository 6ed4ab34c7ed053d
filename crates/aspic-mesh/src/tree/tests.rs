//! The tree against brute force.

use std::f64::consts::PI;

use aspic::Vec3;

use super::winding::solid_angle;
use super::*;
use crate::shapes::{self, Dice};
use crate::soup::Soup;

fn brute(soup: &Soup, x: &Vec3) -> f64 {
    (0..soup.triangles.len()).map(|t| solid_angle(&soup.corners(t), x)).sum::<f64>() / (4.0 * PI)
}

/// A ball with every tenth triangle gone, one doubled and one without area.
fn broken() -> Soup {
    let mut soup = shapes::ball(1.0, 4);
    let mut n = 0;
    soup.triangles.retain(|_| {
        n += 1;
        n % 10 != 0
    });
    soup.triangles.push(soup.triangles[7]);
    soup.triangles.push([3, 3, 9]);
    soup
}

#[test]
fn tree_agrees_with_the_sum_over_all_triangles() {
    let (mut worst, mut mean, mut count) = (0.0f64, 0.0, 0.0);
    let dented = {
        let mut soup = shapes::ball(1.0, 5);
        let mut dice = Dice(5);
        soup.positions.iter_mut().for_each(|x| *x *= 1.0 + 0.05 * dice.roll());
        soup
    };
    for soup in [broken(), dented, shapes::two_balls(0.9), shapes::pile(3), shapes::torus(1.0, 0.2, 80, 30)] {
        let winding = Winding::new(&soup);
        let mut dice = Dice(1);
        for n in 0..2000 {
            // Half of the points are close to the surface.
            let near = soup.positions[n % soup.positions.len()] + dice.vector() * 0.02;
            let x = if n % 2 == 0 { near } else { dice.vector() * 1.5 };
            let error = (winding.at(&x) - brute(&soup, &x)).abs();
            (worst, mean, count) = (worst.max(error), mean + error, count + 1.0);
        }
    }
    mean /= count;
    println!("winding: worst {worst:.2e}, mean {mean:.2e}");
    assert!(worst < 5e-3 && mean < 1e-3, "worst {worst:.2e}, mean {mean:.2e}");
}

#[test]
fn winding_is_one_inside_zero_outside_and_two_in_the_overlap() {
    let soup = shapes::two_balls(1.0);
    let winding = Winding::new(&soup);
    for (x, expected) in [(0.5, 2.0), (-0.7, 1.0), (1.8, 1.0), (3.0, 0.0)] {
        assert!((winding.at(&Vec3::new(x, 0.01, 0.02)) - expected).abs() < 5e-3);
    }
}

#[test]
fn hits_agree_with_trying_all_triangles() {
    let soup = shapes::pile(11);
    let tree = Tree::new(&soup);
    let mut dice = Dice(2);
    for _ in 0..500 {
        let (a, b) = (dice.vector() * 1.5, dice.vector() * 1.5);
        // The plane of each triangle is met at t, inside the triangle when the three cones have one sign.
        let mut expected: Vec<f64> = (0..soup.triangles.len())
            .filter_map(|t| {
                let [p, q, r] = soup.corners(t);
                let cone = |u: Vec3, v: Vec3| (u - a).cross(&(v - a)).dot(&(b - a));
                let cones = [cone(p, q), cone(q, r), cone(r, p)];
                let normal = (q - p).cross(&(r - p));
                let along = normal.dot(&(p - a)) / normal.dot(&(b - a));
                let within = cones.iter().all(|&c| c > 0.0) || cones.iter().all(|&c| c < 0.0);
                (within && (0.0..=1.0).contains(&along)).then_some(along)
            })
            .collect();
        expected.sort_unstable_by(f64::total_cmp);
        let found = tree.hits(&a, &b);
        assert_eq!(found.len(), expected.len());
        assert!(found.iter().zip(&expected).all(|(f, e)| (f - e).abs() < 1e-9));
    }
}

#[test]
fn an_empty_soup_winds_around_nothing() {
    let winding = Winding::new(&Soup::default());
    assert_eq!(winding.at(&Vec3::zeros()), 0.0);
    assert!(winding.tree().hits(&Vec3::zeros(), &Vec3::x()).is_empty());
}
