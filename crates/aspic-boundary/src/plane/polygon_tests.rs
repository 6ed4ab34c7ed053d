use super::*;

fn square() -> Vec<Vec2> {
    [(0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (0.0, 1.0)].map(|(x, y)| Vec2::new(x, y)).to_vec()
}

fn reversed(loop_: &[Vec2]) -> Vec<Vec2> {
    loop_.iter().rev().copied().collect()
}

#[test]
fn a_rectangle_has_the_moments_of_the_book() {
    let found = Polygon::new(&square()).unwrap().shifted(Vec2::new(5.0, -3.0)).moments();
    assert!((found.area - 2.0).abs() < 1e-14);
    assert!((found.centroid - Vec2::new(6.0, -2.5)).norm() < 1e-14);
    assert!((found.second[0] - 8.0 / 12.0).abs() < 1e-14);
    assert!((found.second[1] - 2.0 / 12.0).abs() < 1e-14);
    assert!(found.second[2].abs() < 1e-14);
}

#[test]
fn a_hole_takes_its_moments_away() {
    let inner: Vec<Vec2> = square().iter().map(|x| 0.25 * x + Vec2::new(1.0, 0.25)).collect();
    let whole = Polygon::with_holes(&[&square(), &reversed(&inner)]).unwrap();
    let (body, outer) = (whole.moments(), Polygon::new(&square()).unwrap().moments());
    let hole = Polygon::new(&inner).unwrap().moments();
    assert!((body.area - outer.area + hole.area).abs() < 1e-14);
    let first = outer.area * outer.centroid - hole.area * hole.centroid;
    assert!((first - body.area * body.centroid).norm() < 1e-14);
    let about = |m: &Moments, o: Vec2| m.second[2] + m.area * (m.centroid - o).x * (m.centroid - o).y;
    let o = body.centroid;
    assert!((about(&outer, o) - about(&hole, o) - body.second[2]).abs() < 1e-14);
}

#[test]
fn normals_point_out_of_the_body() {
    let inner: Vec<Vec2> = square().iter().map(|x| 0.25 * x + Vec2::new(1.0, 0.25)).collect();
    let body = Polygon::with_holes(&[&square(), &reversed(&inner)]).unwrap();
    assert!((body.edge_normal(0) - Vec2::new(0.0, -1.0)).norm() < 1e-15);
    let flux: f64 =
        (0..body.len()).map(|k| body.edge(k)[0].dot(&body.edge_normal(k)) * body.edge_length(k)).sum();
    assert!((flux - 2.0 * body.moments().area).abs() < 1e-14);
}

#[test]
fn cutting_edges_changes_no_moment() {
    let body = Polygon::new(&square()).unwrap();
    let fine = body.refined(7);
    assert_eq!(fine.len(), 28);
    let (a, b) = (body.moments(), fine.moments());
    assert!((a.area - b.area).abs() < 1e-14 && (a.polar() - b.polar()).abs() < 1e-14);
}

#[test]
fn outlines_that_bound_nothing_are_refused() {
    let s = square();
    assert_eq!(Polygon::with_holes(&[]), Err(PolygonError::Empty));
    assert_eq!(Polygon::new(&s[..2]), Err(PolygonError::TooFew { which: 0, count: 2 }));
    assert_eq!(Polygon::new(&reversed(&s)), Err(PolygonError::Orientation(0)));
    let mut bad = s.clone();
    bad[2].y = f64::NAN;
    assert_eq!(Polygon::new(&bad), Err(PolygonError::NotFinite(2)));
    let mut twice = s.clone();
    twice.insert(2, s[1]);
    assert_eq!(Polygon::new(&twice), Err(PolygonError::Duplicate(1, 2)));
    let bow = [s[0], s[1], 2.0 * s[3], s[2], s[3]];
    assert!(matches!(Polygon::new(&bow), Err(PolygonError::Crossing(_, _))));
    let spike = [s[0], s[1], s[2], Vec2::new(3.0, 1.0), s[3]];
    assert!(matches!(Polygon::new(&spike), Err(PolygonError::Crossing(_, _))));
    let far: Vec<Vec2> = s.iter().map(|x| x + Vec2::new(9.0, 0.0)).collect();
    assert_eq!(Polygon::with_holes(&[&s, &reversed(&far)]), Err(PolygonError::Outside(1)));
}
