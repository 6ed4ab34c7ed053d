//! From all colours to 255 of them, for GIF.
//!
//! The colours are chosen once for the whole film, and which of two neighbouring colours a pixel gets depends on its
//! place and nothing else: what does not move does not flicker, and compresses well.

use color_quant::NeuQuant;
use rayon::prelude::*;

use crate::render::Image;

/// Colours of a film; one more is left for "as before".
pub(super) const COLORS: usize = 255;
/// Bits of each of red, green and blue that the table of nearest colours is asked with.
const BITS: u32 = 6;
/// Bits with which colours are counted.
const COUNTED: u32 = 5;
/// How far a pixel may be moved towards the next colour \[steps of 255\].
const SPREAD: f32 = 6.0;
/// Bayer's order of 64 neighbours is made of this one.
const BAYER: [[u8; 2]; 2] = [[0, 2], [3, 1]];

/// The colours of a film.
pub(super) struct Colors {
    /// Red, green and blue of each.
    pub rgb: Vec<u8>,
    /// The nearest colour for each red, green and blue with few bits.
    nearest: Vec<u8>,
}

impl Colors {
    /// The colours that suit some pictures of the film.
    pub(super) fn of(samples: &[Image]) -> Colors {
        let rgb = NeuQuant::new(1, COLORS, &weighed(samples)).color_map_rgb();
        let nearest = (0..1u32 << (3 * BITS)).into_par_iter().map(|key| nearest(&rgb, key)).collect();
        Colors { rgb, nearest }
    }

    /// The number of a colour for each pixel.
    pub(super) fn numbers(&self, image: &Image) -> Vec<u8> {
        let width = image.width as usize;
        let (pixels, _) = image.rgb.as_chunks::<3>();
        let number = |(at, pixel): (usize, &[u8; 3])| {
            let shift = SPREAD * (threshold(at % width, at / width) - 0.5);
            let [r, g, b] =
                pixel.map(|c| (f32::from(c) + shift).round().clamp(0.0, 255.0) as usize >> (8 - BITS));
            self.nearest[(r << (2 * BITS)) | (g << BITS) | b]
        };
        pixels.par_iter().enumerate().map(number).collect()
    }
}

/// Between 0 and 1, different for each of 8 × 8 neighbours.
fn threshold(x: usize, y: usize) -> f32 {
    let level = |bit: usize| u32::from(BAYER[y >> bit & 1][x >> bit & 1]);
    let order = 16 * level(0) + 4 * level(1) + level(2);
    (order as f32 + 0.5) / 64.0
}

/// The colours of pictures, each as often as the root of how often it is seen: a wide background counts, but leaves
/// colours for small things.
fn weighed(samples: &[Image]) -> Vec<u8> {
    let mut counts = vec![(0u64, [0u64; 3]); 1 << (3 * COUNTED)];
    for pixel in samples.iter().flat_map(|image| image.rgb.as_chunks::<3>().0) {
        let [r, g, b] = pixel.map(|c| c as usize >> (8 - COUNTED));
        let (count, sums) = &mut counts[(r << (2 * COUNTED)) | (g << COUNTED) | b];
        *count += 1;
        sums.iter_mut().zip(pixel).for_each(|(sum, &c)| *sum += u64::from(c));
    }
    let mut colors = vec![];
    for (count, sums) in counts.into_iter().filter(|(count, _)| *count > 0) {
        let [r, g, b] = sums.map(|sum| (sum / count) as u8);
        (0..count.isqrt().max(1)).for_each(|_| colors.extend([r, g, b, 255]));
    }
    colors
}

/// The number of the colour nearest to the middle of a cell. Green counts most to the eye, then red.
fn nearest(rgb: &[u8], key: u32) -> u8 {
    let part = |place: u32| {
        let bits = key >> (place * BITS) & ((1 << BITS) - 1);
        ((bits << (8 - BITS)) + (1 << (7 - BITS))) as i32
    };
    let [r, g, b] = [part(2), part(1), part(0)];
    let distance = |color: &[u8; 3]| {
        let [dr, dg, db] = [i32::from(color[0]) - r, i32::from(color[1]) - g, i32::from(color[2]) - b];
        3 * dr * dr + 6 * dg * dg + 2 * db * db
    };
    let best = rgb.as_chunks::<3>().0.iter().enumerate().min_by_key(|(_, color)| distance(color));
    best.map_or(0, |(number, _)| number as u8)
}
