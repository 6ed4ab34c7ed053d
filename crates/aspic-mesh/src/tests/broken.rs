//! Surfaces with holes, overlaps, shells in shells and triangles turned, doubled or flat.

use aspic::Vec3;
use aspic::mesh::TetMesh;

use super::assert_sound;
use crate::shapes;
use crate::{Cell, Filled, Keep, Soup, stuff};

fn filled(soup: &Soup) -> Filled {
    let made = stuff(soup, Cell::Size(0.08), Keep::All).unwrap();
    assert_sound(&made.mesh);
    assert!(made.report.min_dihedral_deg > 9.0 && made.report.max_dihedral_deg < 160.0, "{}", made.report);
    made
}

/// The same tetrahedra, and vertices but for rounding.
fn assert_same(a: &TetMesh, b: &TetMesh) {
    assert_eq!((&a.tets, a.positions.len()), (&b.tets, b.positions.len()));
    let apart = a.positions.iter().zip(&b.positions).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
    assert!(apart < 1e-9, "{apart}");
}

#[test]
fn a_ball_with_every_twentieth_triangle_missing_is_filled_like_a_whole_one() {
    let whole = shapes::ball(0.5, 4);
    let mut holed = whole.clone();
    let mut n = 0;
    holed.triangles.retain(|_| {
        n += 1;
        n % 20 != 0
    });
    let (made, expected) = (filled(&holed), filled(&whole).mesh.volume());
    assert!(made.report.open);
    assert!((made.mesh.volume() / expected - 1.0).abs() < 0.02, "{}", made.mesh.volume() / expected);
}

#[test]
fn a_ball_without_its_top_is_closed_across_the_hole() {
    let mut soup = shapes::ball(0.5, 4);
    let positions = soup.positions.clone();
    soup.triangles.retain(|t| t.iter().any(|&v| positions[v as usize].z < 0.4));
    let made = filled(&soup);
    // What the lid took off, or bulges out, is less than the volume of the cap: π k² (3 r − k) / 3 with k = 0.1.
    let (ball, cap) = (shapes::ball(0.5, 4).signed_volume(), std::f64::consts::PI * 0.01 * 1.4 / 3.0);
    assert!((made.mesh.volume() - ball).abs() < 1.5 * cap, "{} {ball} {cap}", made.mesh.volume());
    assert!(made.report.warnings().iter().any(|line| line.contains("holes")));
}

#[test]
fn a_surface_turned_inside_out_gives_the_same_mesh_and_is_reported() {
    // Askew, since on a symmetric place rounding decides which of two equal points moves first.
    let soup = shapes::turned(shapes::torus(0.4, 0.15, 60, 30), Vec3::new(0.3, 0.5, 0.7));
    let (made, turned) = (filled(&soup), filled(&shapes::inverted(soup)));
    assert!(turned.report.turned && !made.report.turned);
    assert_same(&made.mesh, &turned.mesh);
}

#[test]
fn overlapping_balls_are_filled_once() {
    let soup = shapes::two_balls(0.8);
    let made = stuff(&soup, Cell::Size(0.12), Keep::All).unwrap();
    assert_sound(&made.mesh);
    // Two unit balls d apart share π (4 + d)(2 − d)² / 12.
    let lens = std::f64::consts::PI * 4.8 * 1.2f64.powi(2) / 12.0;
    let union = soup.signed_volume() - lens;
    assert!((made.mesh.volume() / union - 1.0).abs() < 0.02, "{} {union}", made.mesh.volume());
    assert!((made.report.inside / union - 1.0).abs() < 0.01, "{}", made.report.inside);
}

#[test]
fn a_hollow_stays_hollow_and_a_ball_in_a_ball_of_the_same_sense_does_not() {
    let (outer, inner) = (shapes::ball(0.6, 4), shapes::ball(0.3, 3));
    let hollow = filled(&shapes::joined(outer.clone(), &shapes::inverted(inner.clone()))).mesh.volume();
    let full = filled(&shapes::joined(outer.clone(), &inner)).mesh.volume();
    assert!((hollow / (outer.signed_volume() - inner.signed_volume()) - 1.0).abs() < 0.03);
    assert!((full / outer.signed_volume() - 1.0).abs() < 0.02);
}

#[test]
fn loose_corners_doubles_and_flat_triangles_change_nothing() {
    let soup = shapes::ball(0.5, 3);
    let mut messy = shapes::torn(&soup);
    messy.triangles.push([0, 0, 1]);
    messy.triangles.push([5, 5, 5]);
    messy.positions.push(Vec3::new(100.0, 0.0, 0.0));
    let (a, b) = (filled(&soup).mesh, filled(&messy).mesh);
    assert_same(&a, &b);
    let mut doubled = soup.clone();
    doubled.triangles.extend(soup.triangles.iter());
    assert!((filled(&doubled).mesh.volume() - a.volume()).abs() < 1e-9);
}

#[test]
fn a_surface_that_passes_through_itself_is_filled() {
    // A torus whose pipe is wider than its ring is not a torus any more.
    let made = filled(&shapes::torus(0.2, 0.3, 60, 40));
    assert!(made.mesh.volume() > 0.2, "{}", made.mesh.volume());
    assert_eq!(made.report.components, 1);
}
