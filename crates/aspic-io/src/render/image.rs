//! A picture in memory, and as a PNG file.

use std::io::{self, Write};
use std::path::Path;

use crate::{OutputError, atomic};

/// A picture: rows from top to bottom, three bytes (sRGB) a pixel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Image {
    /// Width  \[px\]
    pub width: u32,
    /// Height  \[px\]
    pub height: u32,
    /// Red, green and blue of each pixel.
    pub rgb: Vec<u8>,
}

/// How hard to look for a small file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// For many pictures.
    Fast,
    /// For one that is kept: about ten times slower, half as large or less.
    Small,
}

impl Image {
    /// The pixel in a column and a row.
    pub fn pixel(&self, x: u32, y: u32) -> [u8; 3] {
        let at = 3 * (y as usize * self.width as usize + x as usize);
        [self.rgb[at], self.rgb[at + 1], self.rgb[at + 2]]
    }

    /// Lays a colour over a pixel, with a share from 0 to 1; places outside the picture are not touched.
    pub(super) fn blend(&mut self, x: u32, y: u32, color: [u8; 3], share: f32) {
        if x >= self.width || y >= self.height {
            return;
        }
        let at = 3 * (y as usize * self.width as usize + x as usize);
        for (old, new) in self.rgb[at..at + 3].iter_mut().zip(color) {
            *old = (f32::from(*old) + share * (f32::from(new) - f32::from(*old))).round() as u8;
        }
    }

    /// The bytes of a PNG file.
    pub fn to_png(&self, effort: Effort) -> io::Result<Vec<u8>> {
        let mut bytes = vec![];
        let mut encoder = png::Encoder::new(&mut bytes, self.width, self.height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        encoder.set_compression(match effort {
            Effort::Fast => png::Compression::Fast,
            Effort::Small => png::Compression::Balanced,
        });
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&self.rgb)?;
        writer.finish()?;
        Ok(bytes)
    }

    /// Writes a PNG file, whole or not at all.
    pub fn write_png(&self, path: &Path, effort: Effort) -> Result<(), OutputError> {
        let bytes = self.to_png(effort).map_err(OutputError::io(path))?;
        atomic::write(path, |w: &mut dyn Write| w.write_all(&bytes))
    }
}
