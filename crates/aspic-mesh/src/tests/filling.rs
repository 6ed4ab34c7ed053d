//! Isosurface stuffing of sound shapes.

use std::f64::consts::PI;

use aspic::Vec3;
use aspic::mesh::quality;

use super::assert_sound;
use crate::shapes::{self, Dice};
use crate::{Cell, Keep, Soup, stuff};

fn filled(soup: &Soup, cell: f64) -> crate::Filled {
    stuff(soup, Cell::Size(cell), Keep::All).unwrap()
}

/// Mean over a few places of the surface in the lattice of |volume − expected| / expected.
fn mean_error(soup: &Soup, expected: f64, cell: f64) -> f64 {
    let mut dice = Dice(4);
    let mut error = 0.0;
    for _ in 0..4 {
        let turned = shapes::turned(soup.clone(), dice.vector());
        let mesh = filled(&turned, cell).mesh;
        error += (mesh.volume() - expected).abs() / expected / 4.0;
    }
    error
}

#[test]
fn volumes_of_ball_torus_and_cube_converge_with_the_square_of_the_cell() {
    let (ball, torus, cube) = (shapes::ball(0.5, 5), shapes::torus(0.35, 0.14, 160, 80), shapes::cube(0.8));
    for (name, soup) in [("ball", ball), ("torus", torus), ("cube", cube)] {
        let expected = soup.signed_volume();
        let errors = [0.16, 0.08, 0.04].map(|cell| mean_error(&soup, expected, cell));
        println!("{name}: {errors:?}");
        // Two halvings of the cell divide an error of second order by 16.
        let order = (errors[0] / errors[2]).log2() / 2.0;
        assert!(order > 1.6 && order < 2.6, "{name}: {errors:?} order {order}");
    }
}

#[test]
fn finely_filled_ball_has_the_volume_of_a_ball() {
    let mesh = filled(&shapes::ball(1.0, 6), 0.05).mesh;
    let ball = 4.0 / 3.0 * PI;
    assert!((mesh.volume() / ball - 1.0).abs() < 2e-3, "{}", mesh.volume() / ball);
}

#[test]
fn boundary_vertices_lie_on_the_surface() {
    let report = filled(&shapes::ball(1.0, 6), 0.11);
    for v in report.mesh.surface_vertices() {
        let away = (report.mesh.positions[v as usize].norm() - 1.0).abs();
        // The ball of triangles is up to 2e-4 inside the round one.
        assert!(away < 3e-4, "{away}");
    }
}

#[test]
fn random_piles_have_sound_meshes_with_angles_from_9_to_160_degrees() {
    let mut extremes = [180.0f64, 0.0f64];
    for seed in 0..40 {
        let mut dice = Dice(1000 + seed);
        let soup = shapes::moved(shapes::pile(seed), dice.vector());
        let made = filled(&soup, 0.07 + 0.1 * dice.roll());
        assert_sound(&made.mesh);
        let found = quality(&made.mesh);
        extremes = [extremes[0].min(found.min_dihedral_deg), extremes[1].max(found.max_dihedral_deg)];
        assert!(found.min_dihedral_deg > 9.0 && found.max_dihedral_deg < 160.0, "{seed}: {found:?}");
    }
    println!("piles: {extremes:?}");
}

#[test]
fn thin_turned_plates_have_sound_meshes_too() {
    let mut dice = Dice(77);
    for _ in 0..16 {
        let plate = shapes::cuboid(Vec3::new(1.0, 0.8, 0.05 + 0.08 * dice.roll()));
        let soup = shapes::turned(plate, dice.vector() * 3.0);
        let made = filled(&soup, 0.06);
        assert_sound(&made.mesh);
        assert!(made.report.min_dihedral_deg > 9.0 && made.report.max_dihedral_deg < 160.0);
    }
}

#[test]
fn a_cube_on_the_lattice_is_filled_exactly() {
    // Its faces run through lattice points, where inside and outside are a matter of rounding.
    let made = filled(&shapes::cube(1.0), 0.125);
    assert_sound(&made.mesh);
    assert!((made.mesh.volume() - 1.0).abs() < 0.01, "{}", made.mesh.volume());
    assert!(made.report.min_dihedral_deg > 9.0);
}

#[test]
fn counts_are_met_within_a_fifth() {
    for soup in [shapes::ball(0.5, 4), shapes::torus(1.0, 0.2, 60, 30), shapes::pile(5)] {
        for count in [2_000, 20_000] {
            let tets = stuff(&soup, Cell::Count(count), Keep::All).unwrap().mesh.tets.len() as f64;
            assert!((tets / count as f64 - 1.0).abs() < 0.2, "{tets} for {count}");
        }
    }
}

#[test]
fn one_and_two_threads_give_the_same_mesh() {
    let soup = shapes::pile(9);
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            (filled(&soup, 0.07), crate::lattice(&soup, Cell::Size(0.1)).unwrap(), crate::examine(&soup))
        })
    };
    assert_eq!(with(1), with(2));
}

#[test]
fn of_two_bodies_all_or_the_largest_is_kept() {
    let soup =
        shapes::joined(shapes::ball(0.3, 3), &shapes::moved(shapes::ball(0.5, 3), Vec3::new(2.0, 0.0, 0.0)));
    let all = filled(&soup, 0.1);
    let largest = stuff(&soup, Cell::Size(0.1), Keep::Largest).unwrap();
    assert_eq!((all.report.components, all.report.kept), (2, 2));
    assert_eq!((largest.report.components, largest.report.kept), (2, 1));
    assert!(largest.mesh.bounds().0.x > 1.0);
    assert_sound(&largest.mesh);
}
