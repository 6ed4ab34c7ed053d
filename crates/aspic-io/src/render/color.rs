//! Colours: from sRGB to light and back, themes, and the scale for fields.

use super::V;
use crate::palette;

/// Light or dark surroundings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// Nearly white.
    #[default]
    Light,
    /// Nearly black.
    Dark,
}

/// The surroundings in linear light.
#[derive(Clone, Copy, Debug)]
pub(super) struct Air {
    /// Behind everything, at the upper and the lower edge of the picture.
    pub top: V,
    pub bottom: V,
    /// How much brighter the ground is around the bodies.
    pub pool: f32,
    /// Light of the key lamp.
    pub key: V,
    /// Light from above, from all sides.
    pub sky: V,
    /// Light from the ground.
    pub bounce: V,
    /// What shines in grazing reflections.
    pub rim: V,
}

impl Theme {
    pub(super) fn air(self) -> Air {
        match self {
            Theme::Light => Air {
                top: linear([252, 253, 254]),
                bottom: linear([230, 233, 239]),
                pool: 0.04,
                key: V::new(0.80, 0.77, 0.72),
                sky: V::new(0.51, 0.53, 0.57),
                bounce: V::new(0.34, 0.33, 0.32),
                rim: V::new(0.9, 0.95, 1.0),
            },
            Theme::Dark => Air {
                top: linear([17, 20, 26]),
                bottom: linear([38, 43, 53]),
                pool: 0.9,
                key: V::new(1.0, 0.96, 0.89),
                sky: V::new(0.32, 0.35, 0.42),
                bounce: V::new(0.11, 0.12, 0.15),
                rim: V::new(0.75, 0.85, 1.05),
            },
        }
    }
}

/// sRGB to linear light, 0 to 1.
pub(super) fn linear(color: [u8; 3]) -> V {
    V::from(color.map(|c| decode(f32::from(c) / 255.0)))
}

/// IEC 61966-2-1.
fn decode(c: f32) -> f32 {
    if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
}

/// Its inverse.
fn encode(c: f32) -> f32 {
    if c <= 0.003_130_8 { 12.92 * c } else { 1.055 * c.powf(1.0 / 2.4) - 0.055 }
}

/// Linear light above this is compressed, so that highlights do not clip.
const KNEE: f32 = 0.72;

/// Light without bound to light between 0 and 1: straight below the knee, then bending towards 1 with the same slope
/// at the knee.
pub(super) fn tone(light: V) -> V {
    light.map(|c| {
        let c = c.max(0.0);
        if c <= KNEE {
            return c;
        }
        let over = (c - KNEE) / (1.0 - KNEE);
        KNEE + (1.0 - KNEE) * over / (1.0 + over)
    })
}

/// Light below 2⁻¹⁷ is black: a fortieth of the first step of sRGB.
const DARKEST: u32 = (127 - 17) << 23;
/// Light of 1, less the least bit.
const BRIGHTEST: u32 = (127 << 23) - 1;
/// Bits of the mantissa that choose a line.
const LINES: u32 = 4;
/// Bayer's order of sixteen neighbours, between 0 and 1.
const BAYER: [[f32; 4]; 4] = {
    let order = [[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]];
    let mut places = [[0.0; 4]; 4];
    let mut at = 0;
    while at < 16 {
        places[at / 4][at % 4] = (order[at / 4][at % 4] as f32 + 0.5) / 16.0;
        at += 1;
    }
    places
};

/// Linear light to sRGB by straight lines, sixteen for each doubling of the light: value and slope of each, found by
/// the upper bits of the number (after Giesen).
pub(super) struct Encoder(Vec<[f32; 2]>);

impl Encoder {
    pub(super) fn new() -> Encoder {
        let step = 1 << (23 - LINES);
        let line = |start: u32| {
            let [low, high] = [start, start + step].map(|bits| 255.0 * encode(f32::from_bits(bits)));
            [low, (high - low) / step as f32]
        };
        Encoder((DARKEST..=BRIGHTEST).step_by(step as usize).map(line).collect())
    }

    /// The bytes of a pixel in a column and a row. Which way a value between two bytes goes depends on its place, so
    /// that gentle slopes show no steps.
    #[inline]
    pub(super) fn bytes(&self, light: V, x: usize, y: usize) -> [u8; 3] {
        let threshold = BAYER[y % 4][x % 4];
        let byte = |c: f32| {
            // As whole numbers, positive floating-point numbers have the same order; what is negative is black.
            let bits = (c.to_bits() as i32).clamp(DARKEST as i32, BRIGHTEST as i32) as u32;
            let [value, slope] = self.0[((bits - DARKEST) >> (23 - LINES)) as usize];
            let rest = (bits & ((1 << (23 - LINES)) - 1)) as f32;
            (value + slope * rest + threshold) as i32 as u8
        };
        [byte(light.x), byte(light.y), byte(light.z)]
    }
}

/// The colour of a value between 0 and 1, in linear light.
pub(super) fn scale(value: f32) -> V {
    let last = palette::SCALE.len() - 1;
    let place = value.clamp(0.0, 1.0) * last as f32;
    let below = (place as usize).min(last - 1);
    let [a, b] = [below, below + 1].map(|i| V::from(palette::SCALE[i].map(|c| f32::from(c) / 255.0)));
    // Between stops the mean of sRGB values is even to the eye.
    (a + (b - a) * (place - below as f32)).map(decode)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_comes_back_from_linear_light() {
        let encoder = Encoder::new();
        for byte in 0..=255 {
            for place in 0..16 {
                assert_eq!(encoder.bytes(linear([byte; 3]), place % 4, place / 4), [byte; 3]);
            }
        }
    }

    #[test]
    fn half_the_light_is_between_byte_187_and_188() {
        // IEC 61966-2-1: 0.5 encodes to 0.735357, which is 187.516 of 255: 8 of 16 pixels round up, 8 down.
        let encoder = Encoder::new();
        let bytes = (0..16).map(|i| u32::from(encoder.bytes(V::repeat(0.5), i % 4, i / 4)[0]));
        assert_eq!(bytes.sum::<u32>(), 8 * 187 + 8 * 188);
    }

    #[test]
    fn the_tone_curve_rises_without_a_kink_and_never_clips() {
        let at = |c: f32| tone(V::repeat(c)).x;
        let slope = |c: f32| (at(c + 1e-3) - at(c - 1e-3)) / 2e-3;
        assert_eq!(at(0.5), 0.5);
        assert!((slope(KNEE) - 1.0).abs() < 5e-3);
        assert!((1..100).all(|i| slope(0.05 * i as f32) > 0.0));
        assert!(at(50.0) < 1.0 && at(50.0) > 0.99);
    }

    #[test]
    fn the_scale_of_fields_grows_lighter_from_end_to_end() {
        let luma = |v: f32| scale(v).dot(&V::new(0.2126, 0.7152, 0.0722));
        assert!((0..64).all(|i| luma((i + 1) as f32 / 64.0) > luma(i as f32 / 64.0)));
    }
}
