//! What is behind all bodies: the grounds with the shadows on them, and the background.
//!
//! A ground has the colour of the background, less what shadows take away, so it has no border. Light on it changes
//! slowly: it is found at every fourth pixel, and between them only where neighbours differ.

use super::light::Shares;
use super::raster::TILE;
use super::stage::Ground;
use super::{Set, V};

/// Pixels from one place of a patch to the next.
const STEP: usize = 4;
/// Places of a patch across a tile, and spaces between them.
const PLACES: usize = TILE / STEP + 1;
const SPACES: usize = TILE / STEP;
/// Neighbours that differ by less than this share of the light are mixed.
const ALIKE: f32 = 0.015;

/// The grounds and the background of one frame.
pub(super) struct Backdrop<'a> {
    set: &'a Set<'a>,
    /// How the light of each ground is made up.
    shares: Vec<Shares>,
    /// The background of each row, in linear light.
    rows: Vec<V>,
}

/// The light behind a tile, as shares of the background.
pub(super) struct Patch {
    lights: [[V; PLACES]; PLACES],
    /// Whether the four places around a space are alike.
    alike: [[bool; SPACES]; SPACES],
    /// First pixel of the tile.
    corner: [usize; 2],
    /// Whether it is known that the lamp is free.
    free: bool,
}

impl<'a> Backdrop<'a> {
    pub(super) fn new(set: &'a Set<'a>) -> Backdrop<'a> {
        let (air, stage) = (&set.air, &set.renderer.stage);
        let height = set.renderer.look.height;
        let row = |y: u32| {
            let down = (y as f32 + 0.5) / height as f32;
            air.top + (air.bottom - air.top) * (down * down * (3.0 - 2.0 * down))
        };
        let shares = stage.grounds.iter().map(|ground| Shares::new(&ground.normal, &stage.lamp, air));
        Backdrop { set, shares: shares.collect(), rows: (0..height).map(row).collect() }
    }

    /// The light behind the tile whose first pixel is at `corner`.
    pub(super) fn patch(&self, corner: [usize; 2]) -> Patch {
        let free = self.lamp_is_free(corner.map(|c| c as f32));
        let place = |i: usize, axis: usize| (corner[axis] + STEP * i) as f32;
        let mut found = [[(None, V::zeros()); PLACES]; PLACES];
        for (j, i) in (0..PLACES * PLACES).map(|k| (k / PLACES, k % PLACES)) {
            found[j][i] = self.light([place(i, 0), place(j, 1)], free);
        }
        let alike = |j: usize, i: usize| {
            let four = [found[j][i], found[j][i + 1], found[j + 1][i], found[j + 1][i + 1]];
            let (least, most) =
                four.iter().fold((four[0].1, four[0].1), |(a, b), (_, v)| (a.inf(v), b.sup(v)));
            four.iter().all(|(ground, _)| *ground == four[0].0) && (most - least).max() < ALIKE
        };
        Patch {
            lights: found.map(|row| row.map(|(_, light)| light)),
            alike: std::array::from_fn(|j| std::array::from_fn(|i| alike(j, i))),
            corner,
            free,
        }
    }

    /// The light behind a pixel of a tile, by its column and row there.
    #[inline]
    pub(super) fn at(&self, patch: &Patch, x: usize, y: usize) -> V {
        let (i, j) = (x / STEP, y / STEP);
        let share = if patch.alike[j][i] {
            let [across, down] = [x, y].map(|v| ((v % STEP) as f32 + 0.5) / STEP as f32);
            let row = |j: usize| {
                let [left, right] = [patch.lights[j][i], patch.lights[j][i + 1]];
                left + (right - left) * across
            };
            let (upper, lower) = (row(j), row(j + 1));
            upper + (lower - upper) * down
        } else {
            let place = [patch.corner[0] + x, patch.corner[1] + y].map(|v| v as f32 + 0.5);
            self.light(place, patch.free).1
        };
        self.rows[(patch.corner[1] + y).min(self.rows.len() - 1)].component_mul(&share)
    }

    /// The nearest ground at a place of the picture \[px\], and its light as a share of the background.
    fn light(&self, place: [f32; 2], free: bool) -> (Option<usize>, V) {
        let Set { renderer, air, lamp, shades, middle, .. } = self.set;
        let grounds = renderer.stage.grounds.iter().enumerate();
        let spots = grounds.filter_map(|(number, ground)| Some((number, self.spot(ground, place)?)));
        let nearest = spots.min_by(|(_, a), (_, b)| a.0.total_cmp(&b.0));
        let Some((number, (_, spot))) = nearest else { return (None, V::repeat(1.0)) };
        let key = if free { 1.0 } else { lamp.seen_from(&spot) };
        let share = self.shares[number].at(key, shades[number].at(&spot));
        (Some(number), share * (1.0 + air.pool / (1.0 + (spot - middle).norm_squared())))
    }

    /// The spot of a ground that is seen at a place of the picture, behind how far it is.
    fn spot(&self, ground: &Ground, place: [f32; 2]) -> Option<(f32, V)> {
        let camera = &self.set.renderer.stage.camera;
        let ray = camera.ray(place[0], place[1]);
        let way = (ground.height - ground.normal.dot(&camera.eye)) / ground.normal.dot(&ray);
        (way > 0.0).then(|| (way, camera.eye + ray * way))
    }

    /// Whether no shadow of the lamp falls on the only ground within a tile.
    fn lamp_is_free(&self, [x, y]: [f32; 2]) -> bool {
        let [ground] = &self.set.renderer.stage.grounds[..] else { return false };
        let side = TILE as f32;
        let corners = [[x, y], [x + side, y], [x, y + side], [x + side, y + side]];
        let spots = corners.map(|corner| self.spot(ground, corner).map(|(_, spot)| spot));
        let [Some(a), Some(b), Some(c), Some(d)] = spots else { return false };
        self.set.lamp.seen_from_all(&[a, b, c, d])
    }
}
