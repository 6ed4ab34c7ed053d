//! From triangles to samples: which of the eight samples of a pixel a triangle covers, and how near it is there.
//!
//! Corners are snapped to 1/256 of a pixel and edges are tested in whole numbers, so a sample on an edge between two
//! triangles belongs to exactly one of them (the top-left rule) and no gaps open. The reciprocal depth 1/W is a linear
//! function of the place in the picture; the largest is the nearest.

use super::camera::Homogeneous;

/// Samples of a pixel.
pub(super) const SAMPLES: usize = 8;
/// Their places from the middle of the pixel, in 1/16 px: every row and every column of sixteen has at most one.
pub(super) const PATTERN: [[i64; 2]; SAMPLES] =
    [[1, -3], [-1, 3], [5, 1], [-3, -5], [-5, 5], [-7, -1], [3, 7], [7, -7]];
/// Width and height of a tile \[px\].
pub(super) const TILE: usize = 32;
/// Steps of the grid that corners are snapped to, in a pixel.
const GRID: f64 = 256.0;
/// Triangles nearer to the eye than this are cut off, in coordinates of the stage.
const NEAR: f64 = 1e-3;
/// Triangles are cut off this many half pictures beside the middle, so that whole numbers stay small.
const GUARD: f64 = 6.0;

/// A visible triangle: how shares of its corners depend on the place in the picture.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facet {
    /// Number of the triangle.
    pub triangle: u32,
    /// Whether its back is seen.
    pub back: bool,
    /// Whether nothing is between it and the lamp.
    pub free: bool,
    /// The place that the functions below are about \[px\].
    origin: [f32; 2],
    /// Share of each corner over the depth: value at the origin, slope across, slope down.
    shares: [[f32; 3]; 3],
}

impl Facet {
    /// Through three corners; `None` if it is seen edge-on.
    pub(super) fn new(triangle: u32, corners: &[Homogeneous; 3]) -> Option<Facet> {
        let [[x, y, w], ..] = *corners;
        // Away from the corner 1/W would suffer from cancellation. Behind the eye any place will do.
        let origin = if w > NEAR { [(x / w).round(), (y / w).round()] } else { [0.0; 2] };
        let origin = origin.map(|o: f64| o.clamp(-1e5, 1e5));
        let [a, b, c] = corners.map(|[x, y, w]| [x - origin[0] * w, y - origin[1] * w, w]);
        let cross = |p: [f64; 3], q: [f64; 3]| {
            [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]
        };
        let rows = [cross(b, c), cross(c, a), cross(a, b)];
        let determinant = a[0] * rows[0][0] + a[1] * rows[0][1] + a[2] * rows[0][2];
        if !determinant.is_normal() {
            return None;
        }
        let shares = rows.map(|[x, y, one]| [one, x, y].map(|v| (v / determinant) as f32));
        // y points down in the picture, so a triangle that is counter-clockwise from outside turns clockwise here.
        Some(Facet {
            triangle,
            back: determinant > 0.0,
            free: false,
            origin: origin.map(|o| o as f32),
            shares,
        })
    }

    /// Shares of the corners at a place of the picture \[px\], which sum to 1.
    pub(super) fn shares(&self, x: f32, y: f32) -> [f32; 3] {
        let (x, y) = (x - self.origin[0], y - self.origin[1]);
        let shares = self.shares.map(|[value, across, down]| (value + across * x + down * y).max(0.0));
        let sum = shares[0] + shares[1] + shares[2];
        if sum > 0.0 { shares.map(|share| share / sum) } else { [1.0 / 3.0; 3] }
    }

    /// 1/W: value at a place \[px\], slope across, slope down.
    fn nearness(&self, x: f32, y: f32) -> [f32; 3] {
        let sum = |i: usize| self.shares[0][i] + self.shares[1][i] + self.shares[2][i];
        let [value, across, down] = [sum(0), sum(1), sum(2)];
        [value + across * (x - self.origin[0]) + down * (y - self.origin[1]), across, down]
    }
}

/// A part of a facet within reach of the picture: corners on the grid, clockwise in the picture.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    /// Number of the facet.
    pub facet: u32,
    corners: [[i64; 2]; 3],
    /// First and last column and row of pixels that it may touch.
    pub columns: [i32; 2],
    pub rows: [i32; 2],
}

/// The parts of a triangle that can be seen in a picture of this size: one, or a few if it had to be cut.
pub(super) fn pieces(corners: &[Homogeneous; 3], facet: u32, size: [u32; 2], out: &mut Vec<Piece>) {
    let [width, height] = size.map(f64::from);
    // Each border as a function that is positive inside, on (W x, W y, W).
    let across = [(GUARD + 1.0) * 0.5 * width, (GUARD - 1.0) * 0.5 * width];
    let down = [(GUARD + 1.0) * 0.5 * height, (GUARD - 1.0) * 0.5 * height];
    let borders: [[f64; 4]; 5] = [
        [0.0, 0.0, 1.0, -NEAR],
        [1.0, 0.0, across[1], 0.0],
        [-1.0, 0.0, across[0], 0.0],
        [0.0, 1.0, down[1], 0.0],
        [0.0, -1.0, down[0], 0.0],
    ];
    let inside = |b: &[f64; 4], p: &Homogeneous| b[0] * p[0] + b[1] * p[1] + b[2] * p[2] + b[3];
    let whole = borders.iter().all(|b| corners.iter().all(|p| inside(b, p) >= 0.0));
    if whole {
        out.extend(piece(corners, facet, size));
        return;
    }
    let mut polygon: Vec<Homogeneous> = corners.to_vec();
    for border in &borders {
        polygon = cut(&polygon, |p| inside(border, p));
    }
    for i in 2..polygon.len() {
        out.extend(piece(&[polygon[0], polygon[i - 1], polygon[i]], facet, size));
    }
}

/// The part of a polygon where `inside` is not negative (Sutherland and Hodgman).
fn cut(polygon: &[Homogeneous], inside: impl Fn(&Homogeneous) -> f64) -> Vec<Homogeneous> {
    let mut kept = vec![];
    for (i, p) in polygon.iter().enumerate() {
        let q = &polygon[(i + 1) % polygon.len()];
        let (at_p, at_q) = (inside(p), inside(q));
        if at_p >= 0.0 {
            kept.push(*p);
        }
        if (at_p >= 0.0) != (at_q >= 0.0) {
            let share = at_p / (at_p - at_q);
            kept.push(std::array::from_fn(|k| p[k] + share * (q[k] - p[k])));
        }
    }
    kept
}

/// Snaps a triangle to the grid; `None` if nothing is left of it or it lies beside the picture.
fn piece(corners: &[Homogeneous; 3], facet: u32, size: [u32; 2]) -> Option<Piece> {
    let mut corners = corners.map(|[x, y, w]| [x / w, y / w].map(|v| (v * GRID).round() as i64));
    let [a, b, c] = corners;
    let area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    if area == 0 {
        return None;
    }
    if area < 0 {
        corners.swap(1, 2);
    }
    let range = |axis: usize| {
        let values = corners.map(|p| p[axis]);
        let [least, most] = [values.iter().min(), values.iter().max()].map(|v| v.map_or(0, |&v| v >> 8));
        [least.max(0) as i32, most.min(i64::from(size[axis]) - 1) as i32]
    };
    let (columns, rows) = (range(0), range(1));
    (columns[0] <= columns[1] && rows[0] <= rows[1]).then_some(Piece { facet, corners, columns, rows })
}

/// What the samples of a tile see.
pub(super) struct Tile {
    /// 1/W of the nearest surface at each sample of each pixel; 0 is infinitely far.
    pub nearness: Vec<[f32; SAMPLES]>,
    /// The number of that surface.
    pub seen: Vec<[u32; SAMPLES]>,
}

impl Tile {
    pub(super) fn new() -> Tile {
        Tile { nearness: vec![[0.0; SAMPLES]; TILE * TILE], seen: vec![[0; SAMPLES]; TILE * TILE] }
    }

    /// Draws a piece into the tile whose first pixel is at `corner`.
    pub(super) fn draw(&mut self, piece: &Piece, facet: &Facet, corner: [i32; 2]) {
        let last = TILE as i32 - 1;
        let columns = [(piece.columns[0] - corner[0]).max(0), (piece.columns[1] - corner[0]).min(last)];
        let rows = [(piece.rows[0] - corner[1]).max(0), (piece.rows[1] - corner[1]).min(last)];
        if columns[0] > columns[1] || rows[0] > rows[1] {
            return;
        }
        let first = [corner[0] + columns[0], corner[1] + rows[0]];
        let edges = Edges::new(piece, first.map(i64::from));
        let middle = first.map(|p| p as f32 + 0.5);
        let [near, across, down] = facet.nearness(middle[0], middle[1]);
        let offsets: [f32; SAMPLES] = PATTERN.map(|[x, y]| across * x as f32 / 16.0 + down * y as f32 / 16.0);
        for row in rows[0]..=rows[1] {
            let steps = i64::from(row - rows[0]);
            let mut value: [i64; 3] = std::array::from_fn(|e| edges.start[e] + steps * edges.down[e]);
            let near = near + down * (row - rows[0]) as f32;
            for column in columns[0]..=columns[1] {
                if (0..3).all(|e| value[e] + edges.reach[e] >= 0) {
                    let pixel = row as usize * TILE + column as usize;
                    let near = near + across * (column - columns[0]) as f32;
                    self.cover(pixel, &value, &edges, near, &offsets, piece.facet);
                }
                (0..3).for_each(|e| value[e] += edges.across[e]);
            }
        }
    }

    /// The samples of one pixel.
    #[inline]
    fn cover(
        &mut self,
        pixel: usize,
        value: &[i64; 3],
        edges: &Edges,
        near: f32,
        offsets: &[f32; SAMPLES],
        facet: u32,
    ) {
        let (nearness, seen) = (&mut self.nearness[pixel], &mut self.seen[pixel]);
        for s in 0..SAMPLES {
            // No sign bit in any of the three: inside.
            let signs = (value[0] + edges.samples[0][s])
                | (value[1] + edges.samples[1][s])
                | (value[2] + edges.samples[2][s]);
            let near = near + offsets[s];
            let wins = (signs >= 0) & (near > nearness[s]);
            nearness[s] = if wins { near } else { nearness[s] };
            seen[s] = if wins { facet } else { seen[s] };
        }
    }
}

/// The three edges of a piece as functions that are not negative inside.
struct Edges {
    /// At the middle of the first pixel.
    start: [i64; 3],
    /// Change from pixel to pixel.
    across: [i64; 3],
    down: [i64; 3],
    /// Change from the middle to each sample, and the largest of them.
    samples: [[i64; SAMPLES]; 3],
    reach: [i64; 3],
}

impl Edges {
    fn new(piece: &Piece, first: [i64; 2]) -> Edges {
        let middle = first.map(|p| (p << 8) + 128);
        let mut edges =
            Edges { start: [0; 3], across: [0; 3], down: [0; 3], samples: [[0; SAMPLES]; 3], reach: [0; 3] };
        for e in 0..3 {
            let (a, b) = (piece.corners[e], piece.corners[(e + 1) % 3]);
            let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
            // A sample on an edge belongs to the triangle below it or to the right of it.
            let mine = dy < 0 || (dy == 0 && dx > 0);
            edges.start[e] = dx * (middle[1] - a[1]) - dy * (middle[0] - a[0]) - i64::from(!mine);
            edges.across[e] = -dy << 8;
            edges.down[e] = dx << 8;
            // A sixteenth of a pixel is 16 steps of the grid.
            edges.samples[e] = PATTERN.map(|[x, y]| 16 * (dx * y - dy * x));
            edges.reach[e] = edges.samples[e].into_iter().max().unwrap_or(0);
        }
        edges
    }
}
