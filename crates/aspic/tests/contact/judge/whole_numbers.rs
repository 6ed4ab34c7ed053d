//! The same questions as the judge's, answered another way: vectors of whole numbers and fractions of them.
//!
//! Nothing here uses floating point, and no method is the judge's: a segment is cut by Cramer's rule or
//! clipped, triangles are separated by axes, and wedges at a common vertex are compared as cones.

/// A vector of whole numbers.
pub type Int3 = [i128; 3];

pub fn minus(a: Int3, b: Int3) -> Int3 {
    [0, 1, 2].map(|i| a[i] - b[i])
}

fn dot(a: Int3, b: Int3) -> i128 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: Int3, b: Int3) -> Int3 {
    [0, 1, 2].map(|i| a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3])
}

/// Determinant of three columns.
pub fn det(a: Int3, b: Int3, c: Int3) -> i128 {
    dot(a, cross(b, c))
}

fn normal([a, b, c]: [Int3; 3]) -> Int3 {
    cross(minus(b, a), minus(c, a))
}

/// Whether a triangle has an area.
pub fn has_area(triangle: [Int3; 3]) -> bool {
    normal(triangle) != [0; 3]
}

/// Whether a segment meets a triangle with an area: p + t (q − p) = a + u (b − a) + v (c − a) is solved.
pub fn segment_meets([p, q]: [Int3; 2], [a, b, c]: [Int3; 3]) -> bool {
    let (along, e, f, r) = (minus(q, p), minus(b, a), minus(c, a), minus(p, a));
    let d = det(along, e, f);
    if d == 0 {
        return dot(r, cross(e, f)) == 0 && coplanar_meets([p, q], [a, b, c]);
    }
    // Cramer's rule for u e + v f − t along = r; all three times |d|.
    let s = d.signum();
    let (t, u, v) = (-s * det(r, e, f), s * det(along, r, f), s * det(along, e, r));
    (0..=d.abs()).contains(&t) && u >= 0 && v >= 0 && u + v <= d.abs()
}

/// Clips the segment's range of t by the three sides of the triangle; something must be left.
fn coplanar_meets([p, q]: [Int3; 2], triangle: [Int3; 3]) -> bool {
    let n = normal(triangle);
    // Bounds of t as fractions with positive denominators.
    let (mut low, mut high) = ((0, 1), (1, 1));
    for i in 0..3 {
        let (a, b) = (triangle[i], triangle[(i + 1) % 3]);
        // Height over the side, ≥ 0 inside: f(t) = start + t slope.
        let height = |x: Int3| dot(n, cross(minus(b, a), minus(x, a)));
        let (start, slope) = (height(p), height(q) - height(p));
        let less = |x: (i128, i128), y: (i128, i128)| x.0 * y.1 < y.0 * x.1;
        match slope.signum() {
            0 if start < 0 => return false,
            1 if less(low, (-start, slope)) => low = (-start, slope),
            -1 if less((start, -slope), high) => high = (start, -slope),
            _ => (),
        }
    }
    low.0 * high.1 <= high.0 * low.1
}

/// Whether two triangles with areas, by three positions each, have a point in common: no axis separates them.
///
/// The axes are the normals of all faces that their Minkowski difference can have; for triangles in parallel
/// planes that includes the normals of sides within the plane.
pub fn triangles_meet(first: [Int3; 3], second: [Int3; 3]) -> bool {
    let sides = |t: [Int3; 3]| [minus(t[1], t[0]), minus(t[2], t[1]), minus(t[0], t[2])];
    let (n, m) = (normal(first), normal(second));
    let mut axes = vec![n, m];
    axes.extend(sides(first).iter().flat_map(|&e| sides(second).map(|f| cross(e, f))));
    axes.extend(sides(first).map(|e| cross(n, e)));
    axes.extend(sides(second).map(|e| cross(m, e)));
    axes.iter().all(|&axis| {
        let (x, y) = (first.map(|v| dot(axis, v)), second.map(|v| dot(axis, v)));
        x.iter().max() >= y.iter().min() && y.iter().max() >= x.iter().min()
    })
}

/// Whether two wedges with a common tip have more than the tip in common; each is spanned by two vectors.
///
/// A common direction is α a + β b = γ c + δ d with weights that are not negative and not all zero.
pub fn wedges_meet([a, b]: [Int3; 2], [c, d]: [Int3; 2]) -> bool {
    // In general the weights are unique up to a factor: the minors of the matrix (a, b, −c, −d).
    let weights = [det(b, c, d), -det(a, c, d), -det(a, b, d), det(a, b, c)];
    if weights != [0; 4] {
        return weights.iter().all(|&w| w >= 0) || weights.iter().all(|&w| w <= 0);
    }
    // In one plane, a side of one wedge lies in the other.
    let lies_in = |x: Int3, [a, b]: [Int3; 2]| {
        let n = cross(a, b);
        dot(n, cross(a, x)) >= 0 && dot(n, cross(x, b)) >= 0
    };
    [a, b].iter().any(|&x| lies_in(x, [c, d])) || [c, d].iter().any(|&x| lies_in(x, [a, b]))
}

/// Whether two triangles on a common edge lie on each other: their normals point the same way.
pub fn hinge_is_shut([a, b]: [Int3; 2], [c, d]: [Int3; 2]) -> bool {
    let (n, m) = (normal([a, b, c]), normal([a, b, d]));
    cross(n, m) == [0; 3] && dot(n, m) > 0
}
