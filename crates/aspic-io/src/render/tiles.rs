//! From surfaces to pixels, tile by tile.

use rayon::prelude::*;

use super::backdrop::{Backdrop, Patch};
use super::camera::{Camera, Homogeneous};
use super::light::{self, Spot};
use super::raster::{self, Facet, PATTERN, Piece, SAMPLES, TILE, Tile};
use super::skin::Skin;
use super::{Corner, Set, V, color};

/// What a sample sees where no triangle is.
const BEHIND: u32 = u32::MAX;

/// The whole picture, three bytes a pixel.
pub(super) fn draw(set: &Set) -> Vec<u8> {
    let look = &set.renderer.look;
    let (width, height) = (look.width as usize, look.height as usize);
    let pieces = Pieces::new(set, [look.width, look.height]);
    let painter = Painter { set, facets: &pieces.facets, backdrop: Backdrop::new(set) };
    let mut rgb = vec![0; 3 * width * height];
    rgb.par_chunks_mut(3 * width * TILE).enumerate().for_each(|(band, rows)| {
        let mut tile = Tile::new();
        for column in 0..width.div_ceil(TILE) {
            let seen = pieces.draw(&mut tile, set, column, band).then_some(&tile);
            fill(rows, width, [column * TILE, band * TILE], seen, &painter);
        }
    });
    rgb
}

/// All that can be seen, sorted into tiles.
struct Pieces {
    facets: Vec<Facet>,
    pieces: Vec<Piece>,
    /// Numbers of pieces, tile by tile, and where each tile's begin.
    lists: Vec<u32>,
    starts: Vec<usize>,
    across: usize,
}

impl Pieces {
    fn new(set: &Set, size: [u32; 2]) -> Pieces {
        let [across, down] = size.map(|s| (s as usize).div_ceil(TILE));
        let (mut facets, pieces) = facets(&set.renderer.skin, &set.corners, &set.renderer.stage.camera, size);
        facets.par_iter_mut().for_each(|facet| {
            let triangle = set.renderer.skin.fine[facet.triangle as usize];
            facet.free =
                set.lamp.seen_from_all(&triangle.map(|corner| set.corners[corner as usize].position));
        });
        let tiles = |piece: &Piece| {
            let [columns, rows] = [piece.columns, piece.rows].map(|r| r.map(|p| p as usize / TILE));
            (rows[0]..=rows[1]).flat_map(move |row| (columns[0]..=columns[1]).map(move |c| row * across + c))
        };
        let mut starts = vec![0; across * down + 1];
        pieces.iter().flat_map(tiles).for_each(|tile| starts[tile + 1] += 1);
        (0..across * down).for_each(|tile| starts[tile + 1] += starts[tile]);
        let mut next = starts.clone();
        let mut lists = vec![0; starts[across * down]];
        for (number, piece) in pieces.iter().enumerate() {
            for tile in tiles(piece) {
                lists[next[tile]] = number as u32;
                next[tile] += 1;
            }
        }
        Pieces { facets, pieces, lists, starts, across }
    }

    /// Draws the tile in a column and a row of tiles; whether there is anything in it.
    fn draw(&self, tile: &mut Tile, set: &Set, column: usize, row: usize) -> bool {
        let number = row * self.across + column;
        let list = &self.lists[self.starts[number]..self.starts[number + 1]];
        let corner = [(column * TILE) as i32, (row * TILE) as i32];
        if !list.is_empty() {
            look_around(tile, set, corner);
        }
        for &piece in list {
            let piece = &self.pieces[piece as usize];
            tile.draw(piece, &self.facets[piece.facet as usize], corner);
        }
        !list.is_empty()
    }
}

/// The triangles that look at the eye, or any of a surface that does not close.
fn facets(skin: &Skin, corners: &[Corner], camera: &Camera, size: [u32; 2]) -> (Vec<Facet>, Vec<Piece>) {
    let places: Vec<Homogeneous> = corners.iter().map(|corner| camera.project(&corner.position)).collect();
    let (mut facets, mut pieces) = (vec![], vec![]);
    for (number, (triangle, &open)) in skin.fine.iter().zip(&skin.fine_open).enumerate() {
        let corners = triangle.map(|corner| places[corner as usize]);
        let finite = corners.iter().flatten().all(|v| v.is_finite());
        let facet = if finite { Facet::new(number as u32, &corners) } else { None };
        if let Some(facet) = facet.filter(|facet| open || !facet.back) {
            raster::pieces(&corners, facets.len() as u32, size, &mut pieces);
            facets.push(facet);
        }
    }
    (facets, pieces)
}

/// Fills a tile with how near the grounds are. The nearness 1/W of a plane n·p = h is a linear function of the place in
/// the picture: with the eye e and rays r of depth 1, 1/W = n·r / (h − n·e).
fn look_around(tile: &mut Tile, set: &Set, corner: [i32; 2]) {
    tile.nearness.fill([0.0; SAMPLES]);
    tile.seen.fill([BEHIND; SAMPLES]);
    let stage = &set.renderer.stage;
    for ground in &stage.grounds {
        let below = ground.height - ground.normal.dot(&stage.camera.eye);
        let at = |x: f32, y: f32| ground.normal.dot(&stage.camera.ray(x, y)) / below;
        let (x, y) = (corner[0] as f32 + 0.5, corner[1] as f32 + 0.5);
        let start = at(x, y);
        let (across, down) = (at(x + 1.0, y) - start, at(x, y + 1.0) - start);
        let offsets: [f32; SAMPLES] = PATTERN.map(|[x, y]| (across * x as f32 + down * y as f32) / 16.0);
        for (pixel, nearness) in tile.nearness.iter_mut().enumerate() {
            let near = start + across * (pixel % TILE) as f32 + down * (pixel / TILE) as f32;
            (0..SAMPLES).for_each(|s| nearness[s] = nearness[s].max(near + offsets[s]));
        }
    }
}

/// The pixels of a tile. Without a tile there is nothing but backdrop.
fn fill(rows: &mut [u8], width: usize, corner: [usize; 2], tile: Option<&Tile>, painter: &Painter) {
    let [left, top] = corner;
    let patch = painter.backdrop.patch(corner);
    for (y, row) in rows.chunks_exact_mut(3 * width).enumerate() {
        for x in 0..TILE.min(width - left) {
            let light = match tile {
                Some(tile) => painter.pixel(&tile.seen[y * TILE + x], &patch, corner, [x, y]),
                None => painter.backdrop.at(&patch, x, y),
            };
            let bytes = painter.set.renderer.encoder.bytes(light, left + x, top + y);
            row[3 * (left + x)..3 * (left + x) + 3].copy_from_slice(&bytes);
        }
    }
}

struct Painter<'a> {
    set: &'a Set<'a>,
    facets: &'a [Facet],
    backdrop: Backdrop<'a>,
}

impl Painter<'_> {
    /// The mean light over the samples of a pixel: each surface is lit once, in the middle of its samples.
    fn pixel(&self, seen: &[u32; SAMPLES], patch: &Patch, corner: [usize; 2], [x, y]: [usize; 2]) -> V {
        let middle = [corner[0] + x, corner[1] + y].map(|v| v as f32 + 0.5);
        if seen.iter().all(|&other| other == seen[0]) {
            return self.surface(seen[0], middle, patch, [x, y]);
        }
        let seen = self.merged(seen);
        let mut light = V::zeros();
        let mut done = [false; SAMPLES];
        for s in 0..SAMPLES {
            if done[s] {
                continue;
            }
            let (mut count, mut sum) = (0.0, [0.0; 2]);
            for t in s..SAMPLES {
                if seen[t] == seen[s] {
                    done[t] = true;
                    count += 1.0;
                    sum = [sum[0] + PATTERN[t][0] as f32, sum[1] + PATTERN[t][1] as f32];
                }
            }
            let place = [middle[0] + sum[0] / (16.0 * count), middle[1] + sum[1] / (16.0 * count)];
            light += self.surface(seen[s], place, patch, [x, y]) * (count / SAMPLES as f32);
        }
        light
    }

    /// Triangles that share a corner are one smooth surface, since corners are split along sharp edges: the first of
    /// them stands for all.
    fn merged(&self, seen: &[u32; SAMPLES]) -> [u32; SAMPLES] {
        let corners = |facet: u32| self.set.renderer.skin.fine[self.facets[facet as usize].triangle as usize];
        let mut merged = *seen;
        for s in 1..SAMPLES {
            if seen[s] == BEHIND || seen[s] == seen[s - 1] {
                merged[s] = if seen[s] == seen[s - 1] { merged[s - 1] } else { seen[s] };
                continue;
            }
            let own = corners(seen[s]);
            let joins = |&t: &usize| seen[t] != BEHIND && own.iter().any(|c| corners(merged[t]).contains(c));
            merged[s] = (0..s).find(joins).map_or(seen[s], |t| merged[t]);
        }
        merged
    }

    fn surface(&self, seen: u32, place: [f32; 2], patch: &Patch, [x, y]: [usize; 2]) -> V {
        match seen {
            BEHIND => self.backdrop.at(patch, x, y),
            facet => color::tone(self.facet(&self.facets[facet as usize], place)),
        }
    }

    fn facet(&self, facet: &Facet, [x, y]: [f32; 2]) -> V {
        let Set { renderer, air, lamp, corners, .. } = self.set;
        let three = renderer.skin.fine[facet.triangle as usize].map(|corner| &corners[corner as usize]);
        let shares = facet.shares(x, y);
        // A surface that does not close is lit on the side that is seen.
        let side = if facet.back { -1.0 } else { 1.0 };
        let mut mean = Corner::default();
        for (corner, share) in three.iter().zip(shares) {
            let sight = if facet.back { &corner.behind } else { &corner.sight };
            mean.position += corner.position * share;
            mean.normal += corner.normal * (side * share);
            mean.sight.sky += share * sight.sky;
            mean.sight.open += share * sight.open;
            mean.value += share * corner.value;
        }
        let mut rounded = mean.position;
        for (corner, share) in three.iter().zip(shares) {
            // Up to the plane through the corner along the surface there (Hanika, Hacking the shadow terminator, 2021).
            let normal = corner.normal * side;
            let below = (mean.position - corner.position).dot(&normal).min(0.0);
            rounded -= normal * (below * share);
        }
        let normal = mean.normal.try_normalize(0.0).unwrap_or_else(V::z);
        let body = renderer.skin.fine_body[facet.triangle as usize] as usize;
        let own = renderer.colors.get(body).copied().flatten();
        let spot = Spot {
            position: mean.position,
            normal,
            rounded,
            albedo: own.unwrap_or_else(|| color::scale(mean.value)),
            sight: mean.sight,
            free: facet.free,
            gloss: renderer.gloss.get(body).copied().unwrap_or(1.0),
        };
        light::surface(&spot, &renderer.stage.camera.eye, lamp, air)
    }
}

/// How many samples bodies cover.
#[cfg(test)]
pub(super) fn covered(set: &Set) -> usize {
    let look = &set.renderer.look;
    let pieces = Pieces::new(set, [look.width, look.height]);
    let [across, down] = [look.width, look.height].map(|side| (side as usize).div_ceil(TILE));
    let mut tile = Tile::new();
    let mut count = 0;
    for (column, row) in (0..down).flat_map(|row| (0..across).map(move |column| (column, row))) {
        if pieces.draw(&mut tile, set, column, row) {
            count += tile.seen.iter().flatten().filter(|&&seen| seen != BEHIND).count();
        }
    }
    count
}
