//! The uncut lattice.

use aspic::Vec3;

use super::assert_sound;
use crate::shapes::{self, Dice};
use crate::{Cell, Embedded, Soup, lattice};

fn covered(soup: &Soup, cell: f64) -> Embedded {
    let made = lattice(soup, Cell::Size(cell)).unwrap();
    assert_sound(&made.mesh);
    assert!(
        (made.report.min_dihedral_deg - 60.0).abs() < 1e-6
            && (made.report.max_dihedral_deg - 90.0).abs() < 1e-6
    );
    made
}

fn assert_embedded(soup: &Soup, made: &Embedded) {
    assert_eq!((made.carriers.len(), made.weights.len()), (soup.positions.len(), soup.positions.len()));
    for (v, x) in soup.positions.iter().enumerate() {
        let (w, tet) = (made.weights[v], made.mesh.tets[made.carriers[v] as usize]);
        assert!(w.iter().all(|&w| w >= -1e-9) && (w.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{w:?}");
        let back: Vec3 = (0..4).map(|k| made.mesh.positions[tet[k] as usize] * w[k]).sum();
        assert!((back - x).norm() < 1e-12);
    }
}

#[test]
fn every_vertex_lies_in_its_tetrahedron() {
    for seed in 0..20 {
        let soup = shapes::moved(shapes::pile(seed), Dice(seed).vector());
        assert_embedded(&soup, &covered(&soup, 0.13));
    }
}

#[test]
fn matter_in_the_lattice_is_what_is_inside_the_surface() {
    let cube = shapes::turned(shapes::cuboid(Vec3::repeat(0.1)), Vec3::new(0.3, 0.4, 0.5));
    let ball = shapes::ball(0.05, 5);
    for (soup, cells) in [(&cube, [0.04, 0.02, 0.01]), (&ball, [0.04, 0.02, 0.01])] {
        for cell in cells {
            let made = covered(soup, cell);
            let (matter, whole) = (made.mesh.matter(), made.mesh.volume());
            assert!((matter / made.report.inside - 1.0).abs() < 0.02, "{cell}: {matter} of {whole}");
            assert!(whole > 1.2 * matter);
        }
    }
}

#[test]
fn all_places_on_and_inside_the_surface_are_covered() {
    let soup = shapes::turned(shapes::cuboid(Vec3::new(1.0, 0.7, 0.03)), Vec3::new(0.3, 0.4, 0.5));
    let made = covered(&soup, 0.15);
    let search = aspic::mesh::Nearest::new(&made.mesh.positions, &made.mesh.tets);
    let mut dice = Dice(3);
    for n in 0..4000 {
        let [a, b, c] = soup.corners(n % soup.triangles.len());
        let (u, v) = (dice.roll(), dice.roll());
        let (u, v) = if u + v > 1.0 { (1.0 - u, 1.0 - v) } else { (u, v) };
        let x = a + (b - a) * u + (c - a) * v;
        // Towards the middle is inside, since a box is convex.
        let x = x * if n % 2 == 0 { 1.0 } else { dice.roll() };
        assert!(search.find(&x).is_some_and(|(_, distance)| distance < 1e-12), "{x}");
    }
}

#[test]
fn an_open_sheet_is_covered_though_nothing_is_inside() {
    let mut sheet = shapes::cuboid(Vec3::new(1.0, 1.0, 0.2));
    sheet.triangles.truncate(2);
    assert_embedded_used(&sheet, &covered(&sheet, 0.1));
}

/// Like [`assert_embedded`], for the vertices that triangles use.
fn assert_embedded_used(soup: &Soup, made: &Embedded) {
    for &v in soup.triangles.iter().flatten() {
        let (w, tet) = (made.weights[v as usize], made.mesh.tets[made.carriers[v as usize] as usize]);
        let back: Vec3 = (0..4).map(|k| made.mesh.positions[tet[k] as usize] * w[k]).sum();
        assert!((back - soup.positions[v as usize]).norm() < 1e-12 && w.iter().all(|&w| w >= -1e-9));
    }
}

#[test]
fn counts_are_met_within_a_fifth() {
    for soup in [shapes::ball(0.5, 4), shapes::torus(1.0, 0.2, 60, 30)] {
        for count in [2_000, 20_000] {
            let tets = lattice(&soup, Cell::Count(count)).unwrap().mesh.tets.len() as f64;
            assert!((tets / count as f64 - 1.0).abs() < 0.2, "{tets} for {count}");
        }
    }
}
