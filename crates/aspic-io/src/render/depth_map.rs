//! What a far lamp sees: for each texel the surface nearest to it, along parallel rays.
//!
//! Closed bodies are drawn by the faces that look away from the lamp. A lit surface then is never compared with
//! itself, and no margin has to hide that.

use rayon::prelude::*;

use super::V;

/// How far faces of surfaces that do not close are moved away from the lamp, in coordinates of the stage: both of
/// their sides cast a shadow, and the lit one must not fall on itself.
const OPEN_SHIFT: f32 = 0.012;
/// What lies deeper than this below the nearest surface is in shadow.
pub(super) const MARGIN: f32 = 1e-3;
/// Ratio of the widths that maps can have.
const STEP: f32 = 1.2;
/// Rows that are drawn together.
const BAND: usize = 64;

/// The triangles that cast shadows.
pub(super) struct Casters<'a> {
    pub positions: &'a [V],
    pub triangles: &'a [[u32; 3]],
    /// Whether each triangle belongs to a surface that does not close.
    pub open: &'a [bool],
}

/// Where a lamp looks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Beam {
    right: V,
    up: V,
    /// Unit vector to the lamp.
    pub towards: V,
    /// Texels across.
    pub size: usize,
    /// Texels in a unit of the stage.
    pub scale: f32,
    /// Column and row as linear functions of the place: these vectors, and what is added.
    across: [V; 2],
    start: [f32; 2],
}

impl Beam {
    /// On what lies within a ball, as closely as that allows. The width goes in steps of a fifth, so that it seldom
    /// changes from frame to frame.
    pub(super) fn around(towards: V, points: &[V], middle: V, radius: f32, size: usize) -> Beam {
        let wide = Beam::new(towards, middle, radius, size);
        let (mut lo, mut hi) = ([f32::INFINITY; 2], [f32::NEG_INFINITY; 2]);
        for point in points {
            for (i, axis) in [wide.right, wide.up].iter().enumerate() {
                let along = (point - middle).dot(axis).clamp(-radius, radius);
                (lo[i], hi[i]) = (lo[i].min(along), hi[i].max(along));
            }
        }
        let half = 0.5 * (hi[0] - lo[0]).max(hi[1] - lo[1]);
        if !(half > 0.0 && half < radius) {
            return wide;
        }
        let mut narrow = radius;
        while narrow / STEP > half {
            narrow /= STEP;
        }
        let shift = wide.right * (0.5 * (lo[0] + hi[0])) + wide.up * (0.5 * (lo[1] + hi[1]));
        Beam::new(towards, middle + shift, narrow, size)
    }

    /// On a ball around `center`. The middle is moved to a whole texel: a map that follows a body keeps its grid.
    pub(super) fn new(towards: V, center: V, half: f32, size: usize) -> Beam {
        let right = V::z().cross(&towards).try_normalize(1e-4).unwrap_or_else(V::x);
        let up = towards.cross(&right);
        let scale = 0.5 * size as f32 / half;
        let start = [right, up].map(|axis| 0.5 * size as f32 - (axis.dot(&center) * scale).round());
        Beam { right, up, towards, size, scale, across: [right * scale, up * scale], start }
    }

    /// Column, row \[texels\] and height towards the lamp of a point.
    #[inline]
    pub(super) fn place(&self, p: &V) -> [f32; 3] {
        let [right, up] = &self.across;
        [p.dot(right) + self.start[0], p.dot(up) + self.start[1], p.dot(&self.towards)]
    }
}

/// Heights of the nearest surfaces.
#[derive(Debug)]
pub(super) struct DepthMap {
    pub beam: Beam,
    /// Row by row.
    pub heights: Vec<f32>,
}

impl DepthMap {
    /// Draws the casters.
    pub(super) fn draw(beam: Beam, casters: &Casters) -> DepthMap {
        let size = beam.size;
        let places: Vec<[f32; 3]> = casters.positions.iter().map(|p| beam.place(p)).collect();
        let mut heights = vec![f32::NEG_INFINITY; size * size];
        // Small maps are drawn in one go: there are many of them.
        let band = if size > 4 * BAND { BAND } else { size };
        heights.par_chunks_mut(band * size).enumerate().for_each(|(number, rows)| {
            let range = [number * band, number * band + rows.len() / size];
            for (triangle, &open) in casters.triangles.iter().zip(casters.open) {
                let corners = triangle.map(|corner| places[corner as usize]);
                draw_triangle(rows, range, size, corners, open);
            }
        });
        DepthMap { beam, heights }
    }

    /// How much of the lamp a point sees through four texels, 0 to 1.
    pub(super) fn lit(&self, p: &V) -> f32 {
        let [x, y, height] = self.beam.place(p);
        let size = self.beam.size;
        let inside = 0.5..size as f32 - 0.5;
        if !(inside.contains(&x) && inside.contains(&y)) {
            return 1.0;
        }
        let (x, y) = (x - 0.5, y - 0.5);
        // Numbers are small and positive: whole numbers of 32 bits convert fastest.
        let (column, row) = (x as i32, y as i32);
        let (right, down) = (x - column as f32, y - row as f32);
        let at = row as usize * size + column as usize;
        let height = height + MARGIN;
        let clear = |at: usize| match self.heights.get(at..at + 2) {
            Some(&[a, b]) => {
                let free = |h: f32| if h > height { 0.0 } else { 1.0 };
                free(a) + (free(b) - free(a)) * right
            }
            _ => 1.0,
        };
        let upper = clear(at);
        upper + (clear(at + size) - upper) * down
    }
}

/// Fills the texels whose middles lie in a triangle, row by row between its edges.
fn draw_triangle(rows: &mut [f32], range: [usize; 2], size: usize, corners: [[f32; 3]; 3], open: bool) {
    let [a, b, c] = corners;
    let area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    // Not a number fails every comparison. A front of a closed body casts its shadow by its back.
    if !(area < 0.0 || (open && area > 0.0)) {
        return;
    }
    let top = a[1].min(b[1]).min(c[1]);
    let bottom = a[1].max(b[1]).max(c[1]);
    let first = (top - 0.5).ceil().max(range[0] as f32) as i32;
    let end = (bottom + 0.5).floor().min(range[1] as f32) as i32;
    // Most triangles of hair lie between the middles of texels.
    if first >= end {
        return;
    }
    let (across, down) = slopes(&corners, area);
    let shift = if open { OPEN_SHIFT } else { 0.0 };
    // Rounding must not make a triangle that is seen edge-on stick out.
    let (lowest, highest) = (a[2].min(b[2]).min(c[2]) - shift, a[2].max(b[2]).max(c[2]) - shift);
    let edges = [[a, b], [b, c], [c, a]].map(|[p, q]| [p[0], p[1], q[1], (q[0] - p[0]) / (q[1] - p[1])]);
    for row in first..end {
        let y = row as f32 + 0.5;
        let [left, right] = span(&edges, y);
        let from = (left - 0.5).ceil().max(0.0) as i32;
        let to = (right + 0.5).floor().min(size as f32) as i32;
        let start = (row as usize - range[0]) * size;
        let line = &mut rows[start..start + size];
        let height = a[2] + down * (y - a[1]) - shift;
        for column in from..to {
            let height = height + across * (column as f32 + 0.5 - a[0]);
            let texel = &mut line[column as usize];
            *texel = texel.max(height.clamp(lowest, highest));
        }
    }
}

/// Slopes of the height across and down.
fn slopes([a, b, c]: &[[f32; 3]; 3], area: f32) -> (f32, f32) {
    let (ab, ac) = ([b[0] - a[0], b[1] - a[1], b[2] - a[2]], [c[0] - a[0], c[1] - a[1], c[2] - a[2]]);
    ((ab[2] * ac[1] - ac[2] * ab[1]) / area, (ac[2] * ab[0] - ab[2] * ac[0]) / area)
}

/// Where a horizontal line enters and leaves a triangle: of each edge x and y of its start, y of its end, and how x
/// changes with y.
fn span(edges: &[[f32; 4]; 3], y: f32) -> [f32; 2] {
    let (mut left, mut right) = (f32::INFINITY, f32::NEG_INFINITY);
    for &[x, start, end, slope] in edges {
        if (start <= y) != (end <= y) {
            let x = x + (y - start) * slope;
            (left, right) = (left.min(x), right.max(x));
        }
    }
    [left, right]
}
