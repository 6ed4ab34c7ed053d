//! From surfaces to pixels, tile by tile.

use rayon::prelude::*;

use super::camera::{Camera, Homogeneous};
use super::light::{self, Shares, Spot};
use super::raster::{self, Facet, PATTERN, Piece, SAMPLES, TILE, Tile};
use super::skin::Skin;
use super::stage::Ground;
use super::{Set, V, color};

/// What a sample sees where no triangle is: the background, or a ground by its number.
const NOTHING: u32 = u32::MAX;
const FIRST_GROUND: u32 = u32::MAX - 64;

/// The whole picture, three bytes a pixel.
pub(super) fn draw(set: &Set) -> Vec<u8> {
    let look = &set.renderer.look;
    let (width, height) = (look.width as usize, look.height as usize);
    let pieces = Pieces::new(set, [look.width, look.height]);
    let grounds = set.renderer.stage.grounds.iter();
    let shares = grounds.map(|ground| Shares::new(&ground.normal, &set.renderer.stage.lamp, &set.air));
    let rows = (0..height).map(|y| background(&set.air, (y as f32 + 0.5) / height as f32)).collect();
    let painter = Painter { set, facets: &pieces.facets, shares: shares.collect(), rows };
    let mut rgb = vec![0; 3 * width * height];
    rgb.par_chunks_mut(3 * width * TILE).enumerate().for_each(|(band, rows)| {
        let mut tile = Tile::new();
        for column in 0..width.div_ceil(TILE) {
            let corner = [(column * TILE) as i32, (band * TILE) as i32];
            let list = pieces.of_tile(column, band);
            if !list.is_empty() {
                look_around(&mut tile, set, corner);
                list.iter().for_each(|&piece| {
                    let piece = &pieces.pieces[piece as usize];
                    tile.draw(piece, &pieces.facets[piece.facet as usize], corner);
                });
            }
            let seen = if list.is_empty() { None } else { Some(&tile) };
            fill(rows, width, corner, seen, &painter);
        }
    });
    rgb
}

/// The background, from 0 at the upper edge to 1 at the lower one.
fn background(air: &color::Air, down: f32) -> V {
    air.top + (air.bottom - air.top) * (down * down * (3.0 - 2.0 * down))
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
        let (facets, pieces) =
            facets(&set.renderer.skin, &set.pose.positions, &set.renderer.stage.camera, size);
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

    fn of_tile(&self, column: usize, row: usize) -> &[u32] {
        let tile = row * self.across + column;
        &self.lists[self.starts[tile]..self.starts[tile + 1]]
    }
}

/// The triangles that look at the eye, or any of a surface that does not close.
fn facets(skin: &Skin, positions: &[V], camera: &Camera, size: [u32; 2]) -> (Vec<Facet>, Vec<Piece>) {
    let places: Vec<Homogeneous> = positions.iter().map(|p| camera.project(p)).collect();
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

/// Fills a tile with what is behind all bodies. The nearness 1/W of a plane n·p = h is a linear function of the place
/// in the picture: with the eye e and rays r of depth 1, 1/W = n·r / (h − n·e).
fn look_around(tile: &mut Tile, set: &Set, corner: [i32; 2]) {
    tile.nearness.fill([0.0; SAMPLES]);
    tile.seen.fill([NOTHING; SAMPLES]);
    let stage = &set.renderer.stage;
    for (number, ground) in stage.grounds.iter().enumerate() {
        let below = ground.height - ground.normal.dot(&stage.camera.eye);
        let at = |x: f32, y: f32| ground.normal.dot(&stage.camera.ray(x, y)) / below;
        let (x, y) = (corner[0] as f32 + 0.5, corner[1] as f32 + 0.5);
        let start = at(x, y);
        let (across, down) = (at(x + 1.0, y) - start, at(x, y + 1.0) - start);
        let offsets: [f32; SAMPLES] = PATTERN.map(|[x, y]| (across * x as f32 + down * y as f32) / 16.0);
        for pixel in 0..TILE * TILE {
            let near = start + across * (pixel % TILE) as f32 + down * (pixel / TILE) as f32;
            for s in 0..SAMPLES {
                let near = near + offsets[s];
                if near > tile.nearness[pixel][s] {
                    tile.nearness[pixel][s] = near;
                    tile.seen[pixel][s] = FIRST_GROUND + number as u32;
                }
            }
        }
    }
}

/// The pixels of a tile. Without a tile there is nothing but background.
fn fill(rows: &mut [u8], width: usize, corner: [i32; 2], tile: Option<&Tile>, painter: &Painter) {
    let [left, top] = corner.map(|c| c as usize);
    let free = tile.is_none() && painter.lamp_is_free(corner.map(|c| c as f32));
    for (y, row) in rows.chunks_exact_mut(3 * width).enumerate() {
        for x in 0..TILE.min(width - left) {
            let place = [(left + x) as f32 + 0.5, (top + y) as f32 + 0.5];
            let light = match tile {
                Some(tile) => painter.pixel(&tile.seen[y * TILE + x], place),
                None => painter.behind(place, free),
            };
            let bytes = painter.set.renderer.encoder.bytes(light, left + x, top + y);
            row[3 * (left + x)..3 * (left + x) + 3].copy_from_slice(&bytes);
        }
    }
}

struct Painter<'a> {
    set: &'a Set<'a>,
    facets: &'a [Facet],
    /// How the light of each ground is made up.
    shares: Vec<Shares>,
    /// The background of each row.
    rows: Vec<V>,
}

impl Painter<'_> {
    /// The mean light over the samples: each surface is lit once, in the middle of its samples.
    fn pixel(&self, seen: &[u32; SAMPLES], [x, y]: [f32; 2]) -> V {
        let mut light = V::zeros();
        let mut done = [false; SAMPLES];
        for s in 0..SAMPLES {
            if done[s] {
                continue;
            }
            let (mut count, mut middle) = (0.0, [0.0; 2]);
            for t in s..SAMPLES {
                if seen[t] == seen[s] {
                    done[t] = true;
                    count += 1.0;
                    middle = [middle[0] + PATTERN[t][0] as f32, middle[1] + PATTERN[t][1] as f32];
                }
            }
            let place = [x + middle[0] / (16.0 * count), y + middle[1] / (16.0 * count)];
            light += self.surface(seen[s], place) * (count / SAMPLES as f32);
        }
        light
    }

    fn surface(&self, seen: u32, place: [f32; 2]) -> V {
        match seen {
            NOTHING => self.background(place),
            ground if ground >= FIRST_GROUND => self.ground((ground - FIRST_GROUND) as usize, place, false),
            facet => color::tone(self.facet(&self.facets[facet as usize], place)),
        }
    }

    /// Whether no shadow of the lamp falls on the only ground within a tile.
    fn lamp_is_free(&self, [x, y]: [f32; 2]) -> bool {
        let [ground] = &self.set.renderer.stage.grounds[..] else { return false };
        let side = TILE as f32;
        let corners = [[x, y], [x + side, y], [x, y + side], [x + side, y + side]];
        let spots: Vec<V> = corners.iter().filter_map(|corner| self.spot(ground, *corner)).collect();
        spots.len() == corners.len() && self.set.lamp.seen_from_all(&spots)
    }

    /// The spot of a ground that is seen at a place of the picture.
    fn spot(&self, ground: &Ground, place: [f32; 2]) -> Option<V> {
        let camera = &self.set.renderer.stage.camera;
        let ray = camera.ray(place[0], place[1]);
        let way = (ground.height - ground.normal.dot(&camera.eye)) / ground.normal.dot(&ray);
        (way > 0.0).then(|| camera.eye + ray * way)
    }

    /// What is behind all bodies: the nearest ground, or the background. The lamp may be known to be free.
    fn behind(&self, place: [f32; 2], free: bool) -> V {
        let stage = &self.set.renderer.stage;
        if stage.grounds.len() == 1 {
            return self.ground(0, place, free);
        }
        let (eye, ray) = (stage.camera.eye, stage.camera.ray(place[0], place[1]));
        let near = |number: &usize| {
            let ground = &stage.grounds[*number];
            ground.normal.dot(&ray) / (ground.height - ground.normal.dot(&eye))
        };
        match (0..stage.grounds.len()).max_by(|a, b| near(a).total_cmp(&near(b))) {
            Some(ground) => self.ground(ground, place, free),
            None => self.background(place),
        }
    }

    fn background(&self, [_, y]: [f32; 2]) -> V {
        self.rows[(y as usize).min(self.rows.len() - 1)]
    }

    /// The ground has the colour of the background, less what shadows take away: it has no border.
    fn ground(&self, number: usize, place: [f32; 2], free: bool) -> V {
        let Set { renderer, air, lamp, shades, middle, .. } = self.set;
        let background = self.background(place);
        let Some(spot) = self.spot(&renderer.stage.grounds[number], place) else { return background };
        let key = if free { 1.0 } else { lamp.seen_from(&spot) };
        let share = self.shares[number].at(key, shades[number].at(&spot));
        let pool = 1.0 + air.pool / (1.0 + (spot - middle).norm_squared());
        background.component_mul(&share) * pool
    }

    fn facet(&self, facet: &Facet, [x, y]: [f32; 2]) -> V {
        let Set { renderer, air, lamp, pose, sights, .. } = self.set;
        let corners = renderer.skin.fine[facet.triangle as usize].map(|corner| corner as usize);
        let shares = facet.shares(x, y);
        let mix = |values: &[V]| (0..3).fold(V::zeros(), |sum, k| sum + values[corners[k]] * shares[k]);
        let position = mix(&pose.positions);
        let normal = mix(&pose.normals).try_normalize(0.0).unwrap_or_else(V::z);
        let mut sight = super::dome::Sight::default();
        let (mut value, mut rounded) = (0.0, V::zeros());
        for k in 0..3 {
            let (corner, share) = (corners[k], shares[k]);
            sight.sky += share * sights[corner].sky;
            sight.open += share * sights[corner].open;
            value += share * pose.values.get(corner).copied().unwrap_or(0.0);
            // The plane through the corner along the surface there (Hanika, Hacking the shadow terminator, 2021).
            let below = (position - pose.positions[corner]).dot(&pose.normals[corner]).min(0.0);
            rounded += (position - pose.normals[corner] * below) * share;
        }
        let body = renderer.skin.fine_body[facet.triangle as usize] as usize;
        let own = renderer.colors.get(body).copied().flatten();
        let spot = Spot {
            position,
            normal: if facet.back { -normal } else { normal },
            rounded,
            albedo: own.unwrap_or_else(|| color::scale(value)),
            sight,
            gloss: 1.0,
        };
        light::surface(&spot, &renderer.stage.camera.eye, lamp, air)
    }
}
