//! Light from the whole sky: how much of it each corner and each spot of the ground can see.
//!
//! The sky is a few dozen far lamps, each with a small depth map. What a corner sees of them is summed with Lambert's
//! cosine, in a fixed order.

use rayon::prelude::*;

use super::V;
use super::depth_map::{Beam, Casters, DepthMap};
use super::stage::Ground;

/// Lamps in the sky.
const LAMPS: usize = 36;
/// Texels across each map.
const TEXELS: usize = 192;
/// Spots across the picture of a ground.
const SPOTS: usize = 128;
/// Half the width of that picture, in radii of what casts shadows.
const WIDTH: f32 = 2.4;
/// Corners look at the sky from this far above their surface, in coordinates of the stage.
const LIFT: f32 = 4e-3;

/// Cosine to the normal below which light grazes a surface.
const GRAZING: f32 = 0.15;

/// What a corner sees.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sight {
    /// Light of the sky, 1 for a free surface that looks up.
    pub sky: f32,
    /// How free it is towards the sides, 0 to 1.
    pub open: f32,
}

/// The lamps of the sky with what they see in one frame.
pub(super) struct Dome {
    maps: Vec<DepthMap>,
}

/// Directions over the upper half of a ball, evenly spread along a spiral.
fn directions() -> impl Iterator<Item = V> {
    let golden = std::f32::consts::PI * (3.0 - 5f32.sqrt());
    (0..LAMPS).map(move |k| {
        let z = (k as f32 + 0.5) / LAMPS as f32;
        let flat = (1.0 - z * z).sqrt();
        let (sin, cos) = (golden * k as f32).sin_cos();
        V::new(flat * cos, flat * sin, z)
    })
}

impl Dome {
    /// Casters within `radius` around `middle`.
    pub(super) fn new(casters: &Casters, middle: V, radius: f32) -> Dome {
        let directions: Vec<V> = directions().collect();
        let map = |towards: &V| {
            DepthMap::draw(Beam::around(*towards, casters.positions, middle, 1.05 * radius, TEXELS), casters)
        };
        Dome { maps: directions.par_iter().map(map).collect() }
    }

    /// What each corner sees.
    pub(super) fn sights(&self, positions: &[V], normals: &[V], two_sided: &[bool]) -> Vec<Sight> {
        let corners = positions.par_iter().zip(normals).zip(two_sided);
        corners.map(|((p, n), &thin)| self.sight(p, n, thin)).collect()
    }

    /// What the other sides of some corners see; nothing for the rest, and empty if there are none.
    pub(super) fn sights_behind(&self, positions: &[V], normals: &[V], two_sided: &[bool]) -> Vec<Sight> {
        if !two_sided.contains(&true) {
            return vec![];
        }
        let behind = |((p, n), &seen): ((&V, &V), &bool)| match seen {
            true => self.sight(p, &-n, true),
            false => Sight::default(),
        };
        positions.par_iter().zip(normals).zip(two_sided).map(behind).collect()
    }

    /// A thin surface is not asked about light that grazes it, where its maps cannot tell its own two sides apart.
    fn sight(&self, position: &V, normal: &V, thin: bool) -> Sight {
        let place = position + normal * LIFT;
        let (mut sky, mut whole, mut open, mut sides) = (0.0, 0.0, 0.0, 0.0);
        for map in &self.maps {
            let towards = map.beam.towards;
            let cosine = normal.dot(&towards);
            let wide = if thin { cosine - GRAZING } else { 0.3 + cosine };
            whole += towards.z;
            if wide > 0.0 {
                let lit = map.lit(&place);
                sky += cosine.max(0.0) * lit;
                open += wide * lit;
                sides += wide;
            }
        }
        Sight { sky: sky / whole, open: if sides > 0.0 { open / sides } else { 1.0 } }
    }

    /// The share of the sky's light that reaches the ground around what casts shadows.
    pub(super) fn on_ground(&self, ground: &Ground, middle: V, radius: f32) -> Shade {
        let middle = middle - ground.normal * (ground.normal.dot(&middle) - ground.height);
        let right = ground.normal.cross(&V::new(0.3, 1.0, 0.1)).try_normalize(1e-3).unwrap_or_else(V::x);
        let (up, half) = (ground.normal.cross(&right), WIDTH * radius);
        let spot = |at: usize| {
            let [u, v] = [at % SPOTS, at / SPOTS].map(|i| (2 * i + 1) as f32 / SPOTS as f32 - 1.0);
            let place = middle + (right * u + up * v) * half;
            let (mut light, mut whole) = (0.0, 0.0);
            for map in &self.maps {
                let cosine = ground.normal.dot(&map.beam.towards).max(0.0);
                light += if cosine > 0.0 { cosine * map.lit(&place) } else { 0.0 };
                whole += cosine;
            }
            if whole > 0.0 { light / whole } else { 1.0 }
        };
        let light: Vec<f32> = (0..SPOTS * SPOTS).into_par_iter().map(spot).collect();
        // Each lamp's own shadow has an edge; blurred twice, nobody sees them all.
        Shade { middle, right: right / half, up: up / half, light: blurred(&blurred(&light)) }
    }
}

/// The light of the sky on a part of a plane.
#[derive(Clone, Debug)]
pub(super) struct Shade {
    middle: V,
    /// Along the plane, over half the width of the picture.
    right: V,
    up: V,
    light: Vec<f32>,
}

impl Shade {
    /// At a point of the plane, 0 to 1; 1 far away.
    pub(super) fn at(&self, p: &V) -> f32 {
        let way = p - self.middle;
        let [u, v] = [way.dot(&self.right), way.dot(&self.up)];
        let edge = u.abs().max(v.abs());
        if edge >= 1.0 {
            return 1.0;
        }
        let place = |t: f32| ((t + 1.0) * 0.5 * SPOTS as f32 - 0.5).clamp(0.0, SPOTS as f32 - 1.001);
        let (x, y) = (place(u), place(v));
        let (column, row) = (x as i32, y as i32);
        let at = row as usize * SPOTS + column as usize;
        let line = |at: usize| self.light[at] + (self.light[at + 1] - self.light[at]) * (x - column as f32);
        let upper = line(at);
        let light = upper + (line(at + SPOTS) - upper) * (y - row as f32);
        // No border shows where the picture ends.
        let fade = ((1.0 - edge) / 0.25).min(1.0);
        1.0 - (1.0 - light) * fade * fade * (3.0 - 2.0 * fade)
    }
}

/// Weights 1, 2, 1 in both directions.
fn blurred(light: &[f32]) -> Vec<f32> {
    let at = |x: usize, y: usize| light[y.min(SPOTS - 1) * SPOTS + x.min(SPOTS - 1)];
    let row = |x: usize, y: usize| 0.25 * (at(x.saturating_sub(1), y) + at(x + 1, y)) + 0.5 * at(x, y);
    let one = |k: usize| {
        let (x, y) = (k % SPOTS, k / SPOTS);
        0.25 * (row(x, y.saturating_sub(1)) + row(x, y + 1)) + 0.5 * row(x, y)
    };
    (0..SPOTS * SPOTS).map(one).collect()
}
