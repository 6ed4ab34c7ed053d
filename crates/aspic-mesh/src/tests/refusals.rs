//! What is refused, and that the cure works.

use aspic::Vec3;

use crate::shapes;
use crate::{Cell, FillError, Keep, Soup, lattice, stuff};

fn refused(soup: &Soup, cell: Cell) -> FillError {
    stuff(soup, cell, Keep::All).unwrap_err()
}

#[test]
fn cells_too_small_are_refused_at_once_with_a_size_that_fits() {
    let soup = shapes::ball(1.0, 2);
    for size in [1e-3, 1e-9, 1e-300] {
        let FillError::TooFine { cure, tets, .. } = refused(&soup, Cell::Size(size)) else {
            panic!("not refused")
        };
        assert!(cure > size && tets > 1e7);
        assert!(cure > 0.01 && cure < 0.05, "{cure}");
        assert!(matches!(lattice(&soup, Cell::Size(size)), Err(FillError::TooFine { .. })));
    }
}

#[test]
fn cells_too_large_are_refused_with_a_size_that_leaves_something() {
    // A plate off the middle of its box: a far speck moves the lattice away from it.
    let plate = shapes::cuboid(Vec3::new(1.0, 1.0, 0.01));
    let speck = shapes::moved(shapes::cube(1e-3), Vec3::new(0.0, 0.0, 0.777));
    let soup = shapes::joined(plate, &speck);
    let FillError::TooCoarse { size, cure } = refused(&soup, Cell::Size(0.5)) else { panic!("not refused") };
    assert!(cure < size);
    assert!(!stuff(&soup, Cell::Size(cure), Keep::All).unwrap().mesh.tets.is_empty());
}

#[test]
fn thin_parts_that_are_lost_are_told() {
    let ball = shapes::ball(0.5, 3);
    let plate = shapes::moved(shapes::cuboid(Vec3::new(4.0, 4.0, 0.04)), Vec3::new(0.0, 0.0, 0.63));
    let soup = shapes::joined(ball, &plate);
    let made = stuff(&soup, Cell::Size(0.3), Keep::All).unwrap();
    assert!(made.report.lost() > 0.2, "{}", made.report);
    assert!(made.report.to_string().contains("% of the volume is lost"), "{}", made.report);
    let finer = stuff(&soup, Cell::Size(0.03), Keep::All).unwrap();
    assert!(finer.report.lost().abs() < 0.1, "{}", finer.report);
}

#[test]
fn a_sheet_that_encloses_nothing_says_so() {
    let mut sheet = shapes::cuboid(Vec3::new(1.0, 1.0, 0.2));
    sheet.triangles.truncate(2);
    let error = refused(&sheet, Cell::Size(0.1));
    assert!(matches!(error, FillError::NoInside { .. }), "{error}");
    assert!(error.to_string().contains("close it, or give it a thickness"));
}

#[test]
fn nonsense_is_refused_with_its_number() {
    let cube = shapes::cube(1.0);
    for size in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(refused(&cube, Cell::Size(size)), FillError::BadSize { .. }));
    }
    for count in [0, usize::MAX] {
        assert_eq!(refused(&cube, Cell::Count(count)), FillError::BadCount { count });
    }
    let cell = Cell::Size(0.1);
    assert_eq!(refused(&Soup::default(), cell), FillError::NoTriangles { vertices: 0 });
    let mut bad = cube.clone();
    bad.triangles[3][1] = 8;
    assert_eq!(refused(&bad, cell), FillError::BadIndex { triangle: 3, vertex: 8, vertices: 8 });
    let mut bad = cube.clone();
    bad.positions[5].y = f64::NAN;
    assert!(matches!(refused(&bad, cell), FillError::NotFinite { vertex: 5, .. }));
    let point = Soup { positions: vec![Vec3::x(); 3], triangles: vec![[0, 1, 2]] };
    assert!(matches!(refused(&point, cell), FillError::BadExtent { .. }));
    let far = shapes::moved(cube, Vec3::repeat(1e12));
    assert!(matches!(refused(&far, cell), FillError::BadExtent { .. }));
}
