//! Soft shadows from a depth map: percentage-closer filtering with a tent as wide as the penumbra.
//!
//! The penumbra is as wide as what is in the way is far. How far that is comes from a small, smooth picture of the mean
//! heights of all surfaces around, not from a search at each point: a search finds other surfaces from point to point,
//! and the jumps show.

use super::V;
use super::depth_map::{Beam, DepthMap, MARGIN};

/// Texels across the window of a tent.
const WINDOW: usize = 8;
/// A tent is this wide at most, in texels of its level: half the window, less half a texel on the farther side.
const WIDEST: f32 = 3.5;
/// From this width on the next level takes over step by step, so that no border shows where levels change.
const WIDE: f32 = 2.6;
/// And this wide at least, so that edges are not stairs.
const NARROWEST: f32 = 1.9;

/// A depth map and coarser ones of it, down to a single texel.
#[derive(Debug)]
pub(super) struct Pyramid {
    pub beam: Beam,
    /// The first is the finest; each further one has half its size: every second texel of every second row.
    picked: Vec<Vec<f32>>,
    /// The same with the largest of four heights, so that nothing is missed; the finest is left out.
    largest: Vec<Vec<f32>>,
    /// The largest height of all.
    highest: f32,
    /// Mean heights around.
    around: Around,
    /// 1 / number of texels across.
    per_size: f32,
}

/// A point as the map sees it.
#[derive(Clone, Copy)]
struct Receiver {
    /// Column and row, in texels of the finest level.
    x: f32,
    y: f32,
    /// What is above this is in the way.
    height: f32,
}

impl Pyramid {
    /// Of a map whose size is a power of two.
    pub(super) fn new(map: DepthMap) -> Pyramid {
        let levels = map.beam.size.ilog2();
        let (mut picked, mut largest) = (vec![map.heights], Vec::<Vec<f32>>::new());
        for level in 0..levels as usize {
            let below = if level == 0 { &picked[0] } else { &largest[level - 1] };
            let most = halved(below, |four| four[0].max(four[1]).max(four[2].max(four[3])));
            // The texel nearest to the middle of a coarse one: first the last of four, then always the first.
            let one = halved(&picked[level], |four| if level == 0 { four[3] } else { four[0] });
            largest.push(most);
            picked.push(one);
        }
        // Means do not need every texel.
        let some = picked.len().saturating_sub(1).min(2);
        let around = Around::new(&picked[some]);
        let top = largest.last().unwrap_or(&picked[0]);
        let highest = top.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let per_size = 1.0 / map.beam.size as f32;
        Pyramid { beam: map.beam, picked, largest, highest, around, per_size }
    }

    /// How much of a lamp of this width (tangent of half its angle) a point sees, 0 to 1.
    pub(super) fn seen(&self, p: &V, width: f32) -> f32 {
        let [x, y, height] = self.beam.place(p);
        if self.highest <= height + MARGIN {
            return 1.0;
        }
        let receiver = Receiver { x, y, height: height + MARGIN };
        let above = self.around.at(x * self.per_size, y * self.per_size);
        let reach = (width * self.beam.scale * (above - height)).max(NARROWEST);
        if self.free(&receiver, reach) { 1.0 } else { self.filtered(&receiver, reach) }
    }

    /// Whether nothing is between a lamp of this width and anything within a polygon.
    pub(super) fn clear<const N: usize>(&self, corners: &[V; N], width: f32) -> bool {
        let places = corners.each_ref().map(|p| self.beam.place(p));
        let range = |axis: usize| {
            let values = places.iter().map(|place| place[axis]);
            values.fold([f32::INFINITY, f32::NEG_INFINITY], |[lo, hi], v| [lo.min(v), hi.max(v)])
        };
        let [columns, rows, heights] = [range(0), range(1), range(2)];
        let reach = (width * self.beam.scale * (self.highest - heights[0])).max(NARROWEST) + 2.0;
        if !reach.is_finite() {
            return reach == f32::NEG_INFINITY;
        }
        let wide = (columns[1] - columns[0]).max(rows[1] - rows[0]) + 2.0 * reach;
        // At this level the window is at most two texels wide, so it touches three.
        let level = ((0.5 * wide).max(1.0) as u32).next_power_of_two().trailing_zeros() as usize;
        let level = level.clamp(1, self.largest.len());
        let size = (self.beam.size >> level) as f32;
        let texels = |[lo, hi]: [f32; 2]| {
            let [lo, hi] = [lo - reach, hi + reach].map(|v| (v / (1u32 << level) as f32).floor());
            lo.clamp(0.0, size) as usize..(hi + 1.0).clamp(0.0, size) as usize
        };
        let low = |at: usize| self.largest[level - 1][at] <= heights[0] + MARGIN;
        texels(rows).all(|row| texels(columns).all(|column| low(row * size as usize + column)))
    }

    /// The share of a tent that is free, between two levels where it is wide.
    fn filtered(&self, at: &Receiver, reach: f32) -> f32 {
        let level = self.level(reach);
        let radius = reach / (1usize << level) as f32;
        let fine = self.tent(at, reach, level);
        let over = ((radius - WIDE) / (WIDEST - WIDE)).min(1.0);
        if over <= 0.0 || level + 1 >= self.picked.len() {
            return fine;
        }
        fine + (self.tent(at, reach, level + 1) - fine) * over
    }

    /// Whether a look at two by two very coarse texels tells that nothing is in the way.
    fn free(&self, at: &Receiver, reach: f32) -> bool {
        let level = (self.level(reach) + 4).min(self.largest.len());
        let size = (self.beam.size >> level) as i32;
        // The tent reaches less than half a texel of this level to each side; two texels cover it.
        let shrink = f32::from_bits((127 - level as u32) << 23);
        let [column, row] = [at.x, at.y].map(|v| (v * shrink - 0.5).floor() as i32);
        let map = &self.largest[level - 1];
        let tall = |column: i32, row: i32| {
            let inside = (0..size).contains(&column) && (0..size).contains(&row);
            inside && map[(row * size + column) as usize] > at.height
        };
        !(tall(column, row) | tall(column + 1, row) | tall(column, row + 1) | tall(column + 1, row + 1))
    }

    /// The share of a tent that is free.
    fn tent(&self, at: &Receiver, reach: f32, level: usize) -> f32 {
        let shrink = 1.0 / (1usize << level) as f32;
        let size = self.beam.size >> level;
        let radius = (reach * shrink).clamp(NARROWEST, WIDEST);
        let (column, across) = tent(at.x * shrink, radius);
        let (row, down) = tent(at.y * shrink, radius);
        // Column by column, so that all eight go through the same instructions.
        let mut blocked = [0.0; WINDOW];
        for j in 0..WINDOW {
            let line = row_part(&self.picked[level], size, row + j as i32, column);
            for i in 0..WINDOW {
                blocked[i] += if line[i] > at.height { down[j] } else { 0.0 };
            }
        }
        let blocked: f32 = (0..WINDOW).map(|i| blocked[i] * across[i]).sum();
        1.0 - blocked / (across.iter().sum::<f32>() * down.iter().sum::<f32>())
    }

    /// The level at which a radius of that many finest texels fits the window.
    fn level(&self, reach: f32) -> usize {
        // One level for each doubling: the exponent of the number tells.
        let above = ((reach * (1.0 / WIDEST)).max(1.0).to_bits() + 0x007f_ffff) >> 23;
        (above as usize - 127).min(self.picked.len() - 1)
    }
}

/// First texel of the window around a place, and the weights of its texels: a tent of this radius.
fn tent(place: f32, radius: f32) -> (i32, [f32; WINDOW]) {
    let first = (place - 4.0).round() as i32;
    let (start, slope) = (first as f32 + 0.5 - place, 1.0 / radius);
    (first, std::array::from_fn(|i| (1.0 - (start + i as f32).abs() * slope).max(0.0)))
}

/// Part of a row; texels beyond the map are free.
#[inline]
fn row_part(map: &[f32], size: usize, row: i32, first: i32) -> [f32; WINDOW] {
    const FREE: f32 = f32::NEG_INFINITY;
    let line =
        usize::try_from(row).ok().filter(|&row| row < size).map(|row| &map[row * size..(row + 1) * size]);
    let Some(line) = line else { return [FREE; WINDOW] };
    let part = usize::try_from(first).ok().and_then(|first| line.get(first..first + WINDOW));
    if let Some(part) = part.and_then(|part| part.first_chunk()) {
        return *part;
    }
    std::array::from_fn(|i| {
        usize::try_from(first + i as i32).ok().and_then(|c| line.get(c)).copied().unwrap_or(FREE)
    })
}

/// Half the size, each texel from four.
fn halved<T: Copy>(level: &[T], pick: impl Fn([T; 4]) -> T) -> Vec<T> {
    let size = level.len().isqrt();
    let half = size / 2;
    let mut coarse = Vec::with_capacity(half * half);
    for rows in level.chunks_exact(2 * size) {
        let (upper, lower) = rows.split_at(size);
        let pairs = upper.as_chunks::<2>().0.iter().zip(lower.as_chunks::<2>().0);
        coarse.extend(pairs.map(|(a, b)| pick([a[0], a[1], b[0], b[1]])));
    }
    coarse
}

/// Mean heights of surfaces in a small picture; gaps hold those of their surroundings.
#[derive(Debug)]
struct Around {
    size: usize,
    heights: Vec<f32>,
}

impl Around {
    /// Texels across.
    const SIZE: usize = 32;

    fn new(map: &[f32]) -> Around {
        let mut count = map.len().isqrt();
        let mut level = sums(map, count);
        while count > Around::SIZE {
            level = halved(&level, added);
            count /= 2;
        }
        // From the mean of all to finer and finer ones: what a texel lacks it takes from the coarser one.
        let mut levels = vec![level];
        while levels[levels.len() - 1].len() > 1 {
            let coarser = halved(&levels[levels.len() - 1], added);
            levels.push(coarser);
        }
        let mut heights = vec![0.0];
        for level in levels.iter().rev() {
            let size = level.len().isqrt();
            let coarse = Around { size: heights.len().isqrt(), heights };
            let place = |i: usize| (i as f32 + 0.5) / size as f32;
            let fill = |(at, &[sum, weight]): (usize, &[f32; 2])| {
                // Half a surface's worth of surroundings keeps small bits from standing out.
                let little = 0.5 * (Around::SIZE / size) as f32;
                let mean = coarse.at(place(at % size), place(at / size));
                (sum + little * mean) / (weight + little)
            };
            heights = level.iter().enumerate().map(fill).collect();
        }
        Around { size: count, heights }
    }

    /// At a place from 0 to 1 across and down.
    fn at(&self, x: f32, y: f32) -> f32 {
        let last = self.size - 1;
        let place = |v: f32| (v * self.size as f32 - 0.5).clamp(0.0, last as f32);
        let (x, y) = (place(x), place(y));
        let (column, row) = (x as i32, y as i32);
        let (left, top) = (column as usize, row as usize);
        let (right, bottom) = ((left + 1).min(last), (top + 1).min(last));
        let at = |x: usize, y: usize| self.heights[y * self.size + x];
        let line = |y: usize| at(left, y) + (at(right, y) - at(left, y)) * (x - column as f32);
        let upper = line(top);
        upper + (line(bottom) - upper) * (y - row as f32)
    }
}

/// Height and weight of each texel; none where there is no surface. The weights of a texel of [`Around`] add up to 1.
fn sums(map: &[f32], size: usize) -> Vec<[f32; 2]> {
    let weight = (Around::SIZE as f32 / size as f32).powi(2).min(1.0);
    let one = |&height: &f32| if height > f32::NEG_INFINITY { [weight * height, weight] } else { [0.0; 2] };
    map.iter().map(one).collect()
}

fn added([a, b, c, d]: [[f32; 2]; 4]) -> [f32; 2] {
    [a[0] + b[0] + c[0] + d[0], a[1] + b[1] + c[1] + d[1]]
}
