//! How bright a spot is: the key lamp with its soft shadow, the sky, the light from the ground, a little gloss.

use super::V;
use super::color::Air;
use super::depth_map::{Beam, Casters, DepthMap};
use super::dome::Sight;
use super::penumbra::Pyramid;

/// Tangent of half the angle that the lamp is wide.
const LAMP: f32 = 0.11;
/// Texels across the lamp's map, a power of two.
const TEXELS: usize = 1024;
/// Light from the onlooker's side, as a share of the sky's.
const FILL: f32 = 0.16;
/// How sharp and how bright highlights are.
const SHARP: i32 = 36;
const GLOSS: f32 = 0.16;
/// Reflection at right angles, and what it grows by at grazing ones (Schlick).
const MIRROR: [f32; 2] = [0.025, 0.2];

/// The lamp in one frame.
pub(super) struct Lamp {
    towards: V,
    map: Pyramid,
}

impl Lamp {
    /// Casters within `radius` around `middle`.
    pub(super) fn new(towards: V, casters: &Casters, middle: V, radius: f32) -> Lamp {
        let beam = Beam::around(towards, casters.positions, middle, 1.05 * radius, TEXELS);
        Lamp { towards, map: Pyramid::new(DepthMap::draw(beam, casters)) }
    }

    /// How much of the lamp a point sees, 0 to 1.
    pub(super) fn seen_from(&self, p: &V) -> f32 {
        self.map.seen(p, LAMP)
    }

    /// Whether all of a polygon sees all of the lamp.
    pub(super) fn seen_from_all<const N: usize>(&self, corners: &[V; N]) -> bool {
        self.map.clear(corners, LAMP)
    }
}

/// A spot of a surface.
pub(super) struct Spot {
    pub position: V,
    /// Unit normal.
    pub normal: V,
    /// Where shadows are looked up: on the curved surface that the normals tell of.
    pub rounded: V,
    /// Share of the light that is thrown back.
    pub albedo: V,
    pub sight: Sight,
    /// Whether it is known that nothing is between it and the lamp.
    pub free: bool,
    /// 1 for a glossy surface, 0 for a dull one.
    pub gloss: f32,
}

/// The light that a spot sends to the eye.
pub(super) fn surface(spot: &Spot, eye: &V, lamp: &Lamp, air: &Air) -> V {
    let Spot { normal, albedo, sight, .. } = spot;
    let view = (eye - spot.position).try_normalize(0.0).unwrap_or(*normal);
    let cosine = normal.dot(&lamp.towards);
    let key = match (cosine > 0.0, spot.free) {
        (false, _) => 0.0,
        (true, true) => 1.0,
        (true, false) => lamp.seen_from(&spot.rounded),
    };
    let direct = air.key * (cosine.max(0.0) * key);
    let below = (0.5 - 0.5 * normal.z) * (0.25 + 0.75 * sight.open);
    let along = normal.dot(&view).clamp(0.0, 1.0);
    let fill = FILL * along * sight.open;
    let diffuse = albedo.component_mul(&(direct + air.sky * (sight.sky + fill) + air.bounce * below));
    let half = (view + lamp.towards).normalize();
    let highlight = air.key * (GLOSS * spot.gloss * key * normal.dot(&half).max(0.0).powi(SHARP));
    let mirrored = (MIRROR[0] + MIRROR[1] * (1.0 - along).powi(4)) * sight.open * spot.gloss;
    // A mirrored ray that goes up meets the sky, one that goes down the ground.
    let up = (2.0 * along * normal.z - view.z + 0.25).clamp(0.0, 1.0);
    diffuse + highlight + (air.bounce + (air.rim - air.bounce) * up) * mirrored
}

/// How the light of a ground is shared between the lamp and the sky, each 0 to 1 in three colours.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shares {
    key: V,
    sky: V,
}

impl Shares {
    pub(super) fn new(normal: &V, lamp: &V, air: &Air) -> Shares {
        let key = air.key * normal.dot(lamp).max(0.0);
        Shares { key: key.component_div(&(key + air.sky)), sky: air.sky.component_div(&(key + air.sky)) }
    }

    /// The share of its light that reaches a spot of the ground, where lamp and sky give these shares of their own.
    pub(super) fn at(&self, key: f32, sky: f32) -> V {
        self.key * key + self.sky * sky
    }
}
