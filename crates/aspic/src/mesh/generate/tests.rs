//! What every shape promises, and what each one is known to be.

use std::collections::HashMap;
use std::f64::consts::{PI, TAU};

use proptest::prelude::*;

use super::*;
use crate::mesh::quality;

/// Every directed edge of the surface once, and its opposite once: closed, and all facing one way.
fn surface_is_closed(mesh: &TetMesh) -> bool {
    let mut directed: HashMap<(u32, u32), usize> = HashMap::new();
    for [a, b, c] in mesh.boundary() {
        for edge in [(a, b), (b, c), (c, a)] {
            *directed.entry(edge).or_default() += 1;
        }
    }
    directed.iter().all(|(&(a, b), &n)| n == 1 && directed.get(&(b, a)) == Some(&1))
}

/// ∫ x·n dA / 3 over the surface: the volume, if the surface is closed and outward.
fn volume_by_surface(mesh: &TetMesh) -> f64 {
    let x = |v: u32| mesh.positions[v as usize];
    mesh.boundary().iter().map(|&[a, b, c]| x(a).dot(&x(b).cross(&x(c))) / 6.0).sum()
}

/// Vertices − edges + triangles of the surface.
fn euler_of_surface(mesh: &TetMesh) -> i64 {
    let triangles = mesh.boundary().len() as i64;
    mesh.surface_vertices().len() as i64 - triangles * 3 / 2 + triangles
}

/// What every shape promises; `volume` is known from elsewhere.
fn assert_sound(mesh: &TetMesh, volume: f64) {
    assert_eq!(mesh.check(), Ok(()));
    assert!(surface_is_closed(mesh), "the surface is not closed");
    let tolerance = 1e-11 * volume.abs();
    assert!((mesh.volume() - volume).abs() <= tolerance, "{} is not {volume}", mesh.volume());
    assert!((volume_by_surface(mesh) - volume).abs() <= tolerance, "the surface faces the wrong way");
    let mut used = mesh.tets.concat();
    used.sort_unstable();
    used.dedup();
    assert_eq!(used.len(), mesh.positions.len(), "a vertex belongs to no tetrahedron");
    for (name, group) in &mesh.groups {
        assert!(!group.is_empty() && group.is_sorted_by(|a, b| a < b), "group {name}");
        assert!(group.iter().all(|&v| (v as usize) < mesh.positions.len()), "group {name}");
    }
}

fn group<'a>(mesh: &'a TetMesh, name: &str) -> impl Iterator<Item = Vec3> + 'a {
    mesh.groups[name].iter().map(|&v| mesh.positions[v as usize])
}

fn names(mesh: &TetMesh) -> Vec<&str> {
    mesh.groups.keys().map(String::as_str).collect()
}

/// The group is every vertex that `holds`, and no other.
fn assert_group(mesh: &TetMesh, name: &str, holds: impl Fn(&Vec3) -> bool) {
    let expected: Vec<u32> =
        (0..mesh.positions.len() as u32).filter(|&v| holds(&mesh.positions[v as usize])).collect();
    assert_eq!(mesh.groups[name], expected, "group {name}");
}

/// Area of a regular polygon in a circle of radius one.
fn polygon_area(corners: usize) -> f64 {
    corners as f64 / 2.0 * (TAU / corners as f64).sin()
}

#[test]
fn block_of_15_cells_has_4096_points_16875_tets_22320_edges() {
    let mesh = block(Vec3::repeat(1.0), [15, 15, 15]).unwrap();
    assert_sound(&mesh, 1.0);
    assert_eq!((mesh.positions.len(), mesh.tets.len(), mesh.edges().len()), (4096, 16875, 22320));
    assert_eq!(mesh.boundary().len(), 6 * 15 * 15 * 2);
    assert_eq!(euler_of_surface(&mesh), 2);
}

#[test]
fn block_groups_are_its_sides() {
    let mesh = block(Vec3::new(2.0, 4.0, 6.0), [2, 3, 4]).unwrap();
    assert_sound(&mesh, 48.0);
    assert_group(&mesh, "left", |x| x.x == -1.0);
    assert_group(&mesh, "right", |x| x.x == 1.0);
    assert_group(&mesh, "front", |x| x.y == -2.0);
    assert_group(&mesh, "back", |x| x.y == 2.0);
    assert_group(&mesh, "bottom", |x| x.z == -3.0);
    assert_group(&mesh, "top", |x| x.z == 3.0);
    // Three cells across y: the planes nearest to the centre are at ±2/3, and the first one is taken.
    let center = mesh.positions[mesh.groups["center"][0] as usize];
    assert!((center - Vec3::new(0.0, -2.0 / 3.0, 0.0)).norm() < 1e-15);
    assert_eq!(names(&mesh), ["back", "bottom", "center", "front", "left", "right", "top"]);
}

#[test]
fn cubic_cell_has_angles_between_arctan_sqrt_two_and_a_right_angle() {
    let found = quality(&block(Vec3::repeat(3.0), [3, 3, 3]).unwrap());
    assert!((found.min_dihedral_deg - 2f64.sqrt().atan().to_degrees()).abs() < 1e-9);
    assert!((found.max_dihedral_deg - 90.0).abs() < 1e-9);
    assert!((found.min_altitude - 1.0 / 3f64.sqrt()).abs() < 1e-12);
    assert!((found.shortest_edge - 1.0).abs() < 1e-12);
}

#[test]
fn beam_runs_from_the_origin_along_x() {
    let mesh = beam(1.5, 0.2, 0.1, [15, 2, 2]).unwrap();
    assert_sound(&mesh, 0.03);
    assert_group(&mesh, "start", |x| x.x == 0.0);
    assert_group(&mesh, "end", |x| x.x == 1.5);
    assert_group(&mesh, "front", |x| x.y == -0.1);
    assert_group(&mesh, "back", |x| x.y == 0.1);
    assert_group(&mesh, "bottom", |x| x.z == -0.05);
    assert_group(&mesh, "top", |x| x.z == 0.05);
    assert_group(&mesh, "tip", |x| *x == Vec3::new(1.5, 0.0, 0.0));
    assert_eq!(names(&mesh), ["back", "bottom", "end", "front", "start", "tip", "top"]);
}

#[test]
fn tip_of_a_beam_of_one_cell_is_a_single_corner() {
    let mesh = beam(1.0, 0.2, 0.2, [4, 1, 1]).unwrap();
    let tip: Vec<Vec3> = group(&mesh, "tip").collect();
    assert_eq!(tip, [Vec3::new(1.0, -0.1, -0.1)]);
}

#[test]
fn ball_surface_lies_on_the_sphere() {
    let mesh = ball(0.7, 5).unwrap();
    assert_sound(&mesh, volume_by_surface(&mesh));
    assert_eq!((mesh.tets.len(), mesh.boundary().len()), (20 * 125, 20 * 25));
    assert_eq!(mesh.positions.len(), 1 + (1..=5).map(|k| 10 * k * k + 2).sum::<usize>());
    assert_eq!(mesh.groups["surface"], mesh.surface_vertices());
    assert!(group(&mesh, "surface").all(|x| (x.norm() - 0.7).abs() < 3e-16));
    assert_group(&mesh, "center", |x| *x == Vec3::zeros());
    assert_eq!(euler_of_surface(&mesh), 2);
}

#[test]
fn ball_volume_converges_with_the_square_of_the_cell() {
    let missing = |rings| 4.0 / 3.0 * PI * 8.0 - ball(2.0, rings).unwrap().volume();
    let errors = [4, 8, 16].map(missing);
    assert!(errors.iter().all(|&e| e > 0.0), "an inscribed ball is too small: {errors:?}");
    assert!(errors.windows(2).all(|e| (3.7..4.3).contains(&(e[0] / e[1]))), "{errors:?}");
    assert!(errors[2] < 0.006 * 4.0 / 3.0 * PI * 8.0);
}

#[test]
fn ball_of_one_ring_is_an_icosahedron() {
    // V = 5 (3 + √5)/12 a³ with edge a = r / sin(2π/5).
    let edge = 1.0 / (TAU / 5.0).sin();
    let mesh = ball(1.0, 1).unwrap();
    assert_sound(&mesh, 5.0 * (3.0 + 5f64.sqrt()) / 12.0 * edge.powi(3));
    assert_eq!((mesh.positions.len(), mesh.tets.len()), (13, 20));
}

#[test]
fn ball_has_no_dihedral_angle_below_30_degrees() {
    for rings in [1, 2, 3, 5, 8, 13, 20] {
        let found = quality(&ball(1.0, rings).unwrap());
        println!("{rings} rings: {found:?}");
        assert!(found.min_dihedral_deg > 30.0 && found.max_dihedral_deg < 135.0, "{rings} rings: {found:?}");
    }
}

#[test]
fn cylinder_is_a_prism_on_a_polygon() {
    let (radius, height, rings, layers) = (0.5, 2.0, 4, 7);
    let mesh = cylinder(radius, height, rings, layers).unwrap();
    assert_sound(&mesh, polygon_area(6 * rings) * radius * radius * height);
    assert_eq!(mesh.tets.len(), 18 * rings * rings * layers);
    assert_eq!(mesh.positions.len(), (1 + 3 * rings * (rings + 1)) * (layers + 1));
    assert_eq!(euler_of_surface(&mesh), 2);
}

#[test]
fn cylinder_groups_are_its_ends_axis_and_side() {
    let mesh = cylinder(0.5, 2.0, 3, 4).unwrap();
    let on_side = |x: &Vec3| (x.xy().norm() - 0.5).abs() < 1e-15;
    assert_group(&mesh, "bottom", |x| x.z == -1.0);
    assert_group(&mesh, "top", |x| x.z == 1.0);
    assert_group(&mesh, "axis", |x| x.xy().norm() == 0.0);
    assert_group(&mesh, "side", on_side);
    assert_eq!(mesh.groups["surface"], mesh.surface_vertices());
    assert_eq!(names(&mesh), ["axis", "bottom", "side", "surface", "top"]);
}

#[test]
fn cylinder_of_even_cells_has_no_dihedral_angle_below_25_degrees() {
    for rings in [1, 2, 4, 8, 16] {
        let found = quality(&cylinder(1.0, 1.0, rings, rings).unwrap());
        println!("{rings} rings: {found:?}");
        assert!(found.min_dihedral_deg > 25.0 && found.max_dihedral_deg < 140.0, "{rings} rings: {found:?}");
    }
}

#[test]
fn torus_of_the_paper_has_180_vertices_480_tets_320_triangles() {
    let mesh = torus(1.0, 0.4, 20, 8).unwrap();
    assert_eq!((mesh.positions.len(), mesh.tets.len(), mesh.boundary().len()), (180, 480, 320));
    assert_eq!(euler_of_surface(&mesh), 0);
    // A wedge of angle α over a triangle of area A whose centroid is ρ from the axis holds A ρ sin α.
    assert_sound(&mesh, 20.0 * (TAU / 20.0).sin() * polygon_area(8) * 0.16);
}

#[test]
fn torus_groups_are_core_surface_and_nail() {
    let mesh = torus(3.0, 1.0, 12, 6).unwrap();
    let to_core = |x: &Vec3| (x.xy().norm() - 3.0).hypot(x.z);
    assert_group(&mesh, "core", |x| to_core(x) < 1e-14);
    assert_group(&mesh, "surface", |x| (to_core(x) - 1.0).abs() < 1e-14);
    assert_eq!(mesh.groups["surface"], mesh.surface_vertices());
    assert_group(&mesh, "nail", |x| *x == Vec3::new(3.0, 0.0, 0.0));
    assert_eq!(names(&mesh), ["core", "nail", "surface"]);
}

#[test]
fn torus_volume_converges_to_that_of_pappus() {
    let exact = 2.0 * PI * PI * 2.0 * 0.25;
    let missing = |n| exact - torus(2.0, 0.5, 4 * n, n).unwrap().volume();
    let errors = [8, 16, 32].map(missing);
    assert!(errors.windows(2).all(|e| (3.8..4.2).contains(&(e[0] / e[1]))), "{errors:?}");
}

#[test]
fn same_numbers_make_the_same_mesh() {
    assert_eq!(ball(1.0, 4), ball(1.0, 4));
    assert_eq!(block(Vec3::repeat(1.0), [2, 3, 4]), block(Vec3::repeat(1.0), [2, 3, 4]));
    assert_eq!(cylinder(1.0, 2.0, 3, 2), cylinder(1.0, 2.0, 3, 2));
    assert_eq!(torus(1.0, 0.4, 20, 8), torus(1.0, 0.4, 20, 8));
}

/// The text of a refusal.
fn refusal(result: Result<TetMesh, MeshError>) -> String {
    match result {
        Err(MeshError::BadShape(text)) => text,
        other => panic!("not refused as a bad shape: {other:?}"),
    }
}

#[test]
fn impossible_lengths_are_refused_by_name_and_value() {
    for bad in [0.0, -2.5, f64::NAN, f64::INFINITY, 1e60, 1e-60] {
        let named = |text: String, name: &str| {
            assert!(
                text.contains(name) && text.contains(&format!("{bad}")) && text.contains("give"),
                "{text}"
            );
        };
        named(refusal(block(Vec3::new(1.0, bad, 1.0), [1, 1, 1])), "size along y");
        named(refusal(beam(1.0, 1.0, bad, [1, 1, 1])), "height");
        named(refusal(ball(bad, 3)), "radius");
        named(refusal(cylinder(bad, 1.0, 1, 1)), "radius");
        named(refusal(cylinder(1.0, bad, 1, 1)), "height");
        named(refusal(torus(bad, 0.1, 20, 8)), "ring radius");
        named(refusal(torus(1.0, bad, 20, 8)), "tube radius");
    }
}

#[test]
fn too_small_counts_are_refused() {
    let texts = [
        (refusal(block(Vec3::repeat(1.0), [1, 1, 0])), "cells along z is 0"),
        (refusal(beam(1.0, 1.0, 1.0, [0, 1, 1])), "cells along x is 0"),
        (refusal(ball(1.0, 0)), "rings is 0"),
        (refusal(cylinder(1.0, 1.0, 0, 1)), "rings is 0"),
        (refusal(cylinder(1.0, 1.0, 1, 0)), "layers is 0"),
        (refusal(torus(1.0, 0.1, 2, 8)), "sections is 2: give 3 or more"),
        (refusal(torus(1.0, 0.1, 20, 2)), "sides is 2: give 3 or more"),
    ];
    for (text, part) in texts {
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn tube_that_fills_its_ring_is_refused() {
    for tube in [1.0, 1.5] {
        let text = refusal(torus(1.0, tube, 20, 8));
        assert!(text.contains(&format!("tube radius {tube} m")) && text.contains("thinner"), "{text}");
    }
}

#[test]
fn absurd_counts_are_refused_at_once() {
    let most = usize::MAX;
    for result in [
        block(Vec3::repeat(1.0), [most; 3]),
        beam(1.0, 1.0, 1.0, [most, 1, 1]),
        ball(1.0, most),
        cylinder(1.0, 1.0, most, most),
        torus(1.0, 0.1, most, most),
    ] {
        assert!(matches!(result, Err(MeshError::TooLarge { limit: MAX_TETS, .. })), "{result:?}");
    }
    assert_eq!(ball(1.0, 101), Err(MeshError::TooLarge { tets: 20 * 101 * 101 * 101, limit: MAX_TETS }));
}

#[test]
fn foil_too_thin_to_compute_with_is_refused_as_flat() {
    let result = block(Vec3::new(1.0, 1.0, 1e-13), [1, 1, 1]);
    assert!(matches!(result, Err(MeshError::Flat { .. })), "{result:?}");
}

proptest! {
    #[test]
    fn blocks_are_sound(
        x in 0.01..10.0f64, y in 0.01..10.0f64, z in 0.01..10.0f64,
        nx in 1..5usize, ny in 1..5usize, nz in 1..5usize,
    ) {
        assert_sound(&block(Vec3::new(x, y, z), [nx, ny, nz]).unwrap(), x * y * z);
        assert_sound(&beam(x, y, z, [nx, ny, nz]).unwrap(), x * y * z);
    }

    #[test]
    fn cylinders_are_sound(
        radius in 0.01..10.0f64, height in 0.01..10.0f64, rings in 1..5usize, layers in 1..5usize,
    ) {
        let mesh = cylinder(radius, height, rings, layers).unwrap();
        assert_sound(&mesh, polygon_area(6 * rings) * radius * radius * height);
        assert_eq!(euler_of_surface(&mesh), 2);
    }

    #[test]
    fn tori_are_sound(
        ring in 0.01..10.0f64, thickness in 0.01..0.99f64, sections in 3..24usize, sides in 3..12usize,
    ) {
        let tube = thickness * ring;
        let mesh = torus(ring, tube, sections, sides).unwrap();
        let n = sections as f64;
        assert_sound(&mesh, n * (TAU / n).sin() * polygon_area(sides) * tube * tube * ring);
        assert_eq!(euler_of_surface(&mesh), 0);
    }

    #[test]
    fn balls_are_sound(radius in 1e-3..1e3f64, rings in 1..7usize) {
        // The volume scales with the cube of the radius.
        let mesh = ball(radius, rings).unwrap();
        assert_sound(&mesh, volume_by_surface(&ball(1.0, rings).unwrap()) * radius.powi(3));
        assert_eq!(euler_of_surface(&mesh), 2);
    }
}
