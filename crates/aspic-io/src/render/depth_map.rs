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
    pub right: V,
    pub up: V,
    /// Unit vector to the lamp.
    pub towards: V,
    /// Middle of the map along `right` and `up`, and half its width, in coordinates of the stage.
    middle: [f32; 2],
    half: f32,
    /// Texels across.
    pub size: usize,
}

impl Beam {
    /// On a ball around `center`. The middle is moved to a whole texel: a map that follows a body keeps its grid.
    pub(super) fn new(towards: V, center: V, half: f32, size: usize) -> Beam {
        let right = V::z().cross(&towards).try_normalize(1e-4).unwrap_or_else(V::x);
        let up = towards.cross(&right);
        let texel = 2.0 * half / size as f32;
        let middle = [right, up].map(|axis| (axis.dot(&center) / texel).round() * texel);
        Beam { right, up, towards, middle, half, size }
    }

    /// Column, row \[texels\] and height towards the lamp of a point.
    pub(super) fn place(&self, p: &V) -> [f32; 3] {
        let scale = 0.5 * self.size as f32 / self.half;
        let along = |axis: &V, i: usize| (p.dot(axis) - self.middle[i] + self.half) * scale;
        [along(&self.right, 0), along(&self.up, 1), p.dot(&self.towards)]
    }

    /// Width of a texel in coordinates of the stage.
    pub(super) fn texel(&self) -> f32 {
        2.0 * self.half / self.size as f32
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
        heights.par_chunks_mut(BAND * size).enumerate().for_each(|(band, rows)| {
            let range = [band * BAND, band * BAND + rows.len() / size];
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
        let at = y as usize * size + x as usize;
        let (right, down) = (x.fract(), y.fract());
        let height = height + MARGIN;
        let clear = |at: usize| if self.heights.get(at).is_some_and(|&h| h > height) { 0.0 } else { 1.0 };
        let row = |at: usize| (1.0 - right) * clear(at) + right * clear(at + 1);
        (1.0 - down) * row(at) + down * row(at + size)
    }
}

/// Fills the texels whose middles lie in a triangle, row by row between its edges.
fn draw_triangle(rows: &mut [f32], range: [usize; 2], size: usize, corners: [[f32; 3]; 3], open: bool) {
    let [a, b, c] = corners;
    let area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    let top = a[1].min(b[1]).min(c[1]);
    let bottom = a[1].max(b[1]).max(c[1]);
    let first = ((top - 0.5).ceil().max(range[0] as f32)) as usize;
    let end = ((bottom + 0.5).floor().min(range[1] as f32)).max(0.0) as usize;
    // Not a number fails every comparison. A front of a closed body casts its shadow by its back.
    if !(area < 0.0 || (open && area > 0.0)) || first >= end {
        return;
    }
    let (across, down) = slopes(&corners, area);
    let shift = if open { OPEN_SHIFT } else { 0.0 };
    // Rounding must not make a triangle that is seen edge-on stick out.
    let (lowest, highest) = (a[2].min(b[2]).min(c[2]) - shift, a[2].max(b[2]).max(c[2]) - shift);
    for row in first..end {
        let y = row as f32 + 0.5;
        let Some([left, right]) = span(&corners, y) else { continue };
        let from = (left - 0.5).ceil().max(0.0) as usize;
        let to = ((right + 0.5).floor().min(size as f32)).max(0.0) as usize;
        let line = &mut rows[(row - range[0]) * size..(row - range[0] + 1) * size];
        let height = a[2] + down * (y - a[1]) - shift;
        for column in from..to {
            let height = height + across * (column as f32 + 0.5 - a[0]);
            line[column] = line[column].max(height.clamp(lowest, highest));
        }
    }
}

/// Slopes of the height across and down.
fn slopes([a, b, c]: &[[f32; 3]; 3], area: f32) -> (f32, f32) {
    let (ab, ac) = ([b[0] - a[0], b[1] - a[1], b[2] - a[2]], [c[0] - a[0], c[1] - a[1], c[2] - a[2]]);
    ((ab[2] * ac[1] - ac[2] * ab[1]) / area, (ac[2] * ab[0] - ab[2] * ac[0]) / area)
}

/// Where a horizontal line enters and leaves a triangle.
fn span(corners: &[[f32; 3]; 3], y: f32) -> Option<[f32; 2]> {
    let (mut left, mut right) = (f32::INFINITY, f32::NEG_INFINITY);
    for e in 0..3 {
        let (p, q) = (corners[e], corners[(e + 1) % 3]);
        if (p[1] <= y) != (q[1] <= y) {
            let x = p[0] + (y - p[1]) / (q[1] - p[1]) * (q[0] - p[0]);
            left = left.min(x);
            right = right.max(x);
        }
    }
    (left <= right).then_some([left, right])
}
