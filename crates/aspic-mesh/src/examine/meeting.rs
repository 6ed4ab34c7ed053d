//! Whether two triangles meet, decided exactly.
//!
//! Two triangles in different planes meet when an edge of one meets the other. An edge pq meets a triangle abc when p and
//! q are not strictly on one side of its plane and the line pq passes a→b, b→c and c→a on the same side. All of this are
//! signs of orient3d, and of orient2d within a plane, which the predicates of Shewchuk give without error. Touching
//! counts as meeting.

use aspic::Vec3;
use robust::{Coord, Coord3D, orient2d, orient3d};

/// Whether two triangles with some area meet.
pub(crate) fn meet(s: &[Vec3; 3], t: &[Vec3; 3]) -> bool {
    let of_t = t.map(|x| side(s, &x));
    if one_side(&of_t) {
        return false;
    }
    if of_t == [0; 3] {
        return meet_in_plane(s, t);
    }
    if one_side(&s.map(|x| side(t, &x))) {
        return false;
    }
    let edges = |t: &[Vec3; 3]| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]];
    edges(s).iter().any(|e| edge_meets(e, t)) || edges(t).iter().any(|e| edge_meets(e, s))
}

fn one_side(signs: &[i8; 3]) -> bool {
    signs.iter().all(|&s| s > 0) || signs.iter().all(|&s| s < 0)
}

fn sign(value: f64) -> i8 {
    i8::from(value > 0.0) - i8::from(value < 0.0)
}

/// Side of a plane that x is on.
fn side([a, b, c]: &[Vec3; 3], x: &Vec3) -> i8 {
    let coord = |v: &Vec3| Coord3D { x: v.x, y: v.y, z: v.z };
    sign(orient3d(coord(a), coord(b), coord(c), coord(x)))
}

fn edge_meets([p, q]: &[Vec3; 2], t: &[Vec3; 3]) -> bool {
    let ends = [side(t, p), side(t, q)];
    if ends[0] * ends[1] > 0 {
        return false;
    }
    if ends == [0, 0] {
        let flat = |x: &Vec3| flattened(t, x);
        return edge_meets_in_plane([flat(p), flat(q)], t.each_ref().map(flat));
    }
    let turns = [[0, 1], [1, 2], [2, 0]].map(|[m, n]| side(&[*p, *q, t[m]], &t[n]));
    turns.iter().all(|&s| s >= 0) || turns.iter().all(|&s| s <= 0)
}

/// Without the axis along which the triangle has the largest shadow.
fn flattened([a, b, c]: &[Vec3; 3], x: &Vec3) -> Coord<f64> {
    match (b - a).cross(&(c - a)).iamax() {
        0 => Coord { x: x.y, y: x.z },
        1 => Coord { x: x.z, y: x.x },
        _ => Coord { x: x.x, y: x.y },
    }
}

/// Two triangles of one plane.
fn meet_in_plane(s: &[Vec3; 3], t: &[Vec3; 3]) -> bool {
    let [s, t] = [s, t].map(|triangle| triangle.each_ref().map(|x| flattened(s, x)));
    let edges = |t: [Coord<f64>; 3]| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]];
    edges(s).into_iter().any(|e| edge_meets_in_plane(e, t)) || inside(t[0], s)
}

fn turn(a: Coord<f64>, b: Coord<f64>, c: Coord<f64>) -> i8 {
    sign(orient2d(a, b, c))
}

fn inside(x: Coord<f64>, [a, b, c]: [Coord<f64>; 3]) -> bool {
    let turns = [turn(a, b, x), turn(b, c, x), turn(c, a, x)];
    turns.iter().all(|&s| s >= 0) || turns.iter().all(|&s| s <= 0)
}

fn edge_meets_in_plane([p, q]: [Coord<f64>; 2], t: [Coord<f64>; 3]) -> bool {
    inside(p, t) || [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]].into_iter().any(|e| edges_cross([p, q], e))
}

/// Whether two edges of one plane meet.
fn edges_cross([a, b]: [Coord<f64>; 2], [c, d]: [Coord<f64>; 2]) -> bool {
    let turns = [turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b)];
    if turns == [0; 4] {
        // On one line: they meet when their boxes do.
        let apart =
            |f: fn(Coord<f64>) -> f64| f(a).max(f(b)) < f(c).min(f(d)) || f(c).max(f(d)) < f(a).min(f(b));
        return !apart(|x| x.x) && !apart(|x| x.y);
    }
    turns[0] * turns[1] <= 0 && turns[2] * turns[3] <= 0
}
