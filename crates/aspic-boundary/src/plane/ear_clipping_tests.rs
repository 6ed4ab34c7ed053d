use super::super::Polygon;
use super::*;

fn area(outline: &[Vec2], triangles: &[[u32; 3]]) -> f64 {
    let one = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|v| outline[v as usize]);
        0.5 * cross(b - a, c - a)
    };
    assert!(triangles.iter().all(|t| one(t) >= 0.0));
    triangles.iter().map(one).sum()
}

#[test]
fn triangles_fill_any_simple_outline_once() {
    let star = |k: usize| {
        let (radius, angle) =
            (if k.is_multiple_of(2) { 1.0 } else { 0.3 }, std::f64::consts::TAU * k as f64 / 14.0);
        radius * Vec2::new(angle.cos(), angle.sin())
    };
    let spiral =
        [(0, 0), (5, 0), (5, 5), (1, 5), (1, 2), (3, 2), (3, 3), (2, 3), (2, 4), (4, 4), (4, 1), (0, 1)];
    let spiral: Vec<Vec2> = spiral.iter().map(|&(x, y)| Vec2::new(x as f64, y as f64)).collect();
    let corner = [(0.0, 0.0), (3.0, 0.0), (3.0, 1.0), (1.0, 1.0), (1.0, 3.0), (0.0, 3.0)];
    let corner: Vec<Vec2> = corner.iter().map(|&(x, y)| Vec2::new(x, y)).collect();
    for outline in [(0..14).map(star).collect::<Vec<_>>(), spiral, corner] {
        let polygon = Polygon::new(&outline).unwrap();
        for fine in [polygon.clone(), polygon.refined(5)] {
            let triangles = triangulate(fine.vertices());
            assert_eq!(triangles.len(), fine.len() - 2);
            let found = area(fine.vertices(), &triangles);
            assert!((found - fine.moments().area).abs() < 1e-12, "{found}");
        }
    }
}
