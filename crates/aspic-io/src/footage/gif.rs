//! A film as a GIF file that plays for ever.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};

use super::Footage;
use super::colors::{COLORS, Colors};
use crate::OutputError;
use crate::atomic::Pending;
use crate::render::Image;

/// The number that stands for "as before".
const SAME: u8 = COLORS as u8;
/// A pixel that has changed by no more than this keeps its colour: nobody sees it, and the file is much smaller.
const UNSEEN: u8 = 2;
/// Browsers take shorter delays for a mistake \[hundredths of a second\].
const SHORTEST: u64 = 2;

/// A GIF file in the making.
pub struct GifFilm {
    path: PathBuf,
    encoder: Encoder<Pending>,
    colors: Colors,
    size: [u16; 2],
    /// Pictures a second.
    rate: f64,
    pictures: u64,
    /// The numbers on the screen, and the colours that they stand for.
    before: Vec<u8>,
    shown: Vec<u8>,
}

impl GifFilm {
    /// Begins a film at this rate \[1/s\]; `samples` are some of its pictures, and must not be empty.
    pub fn begin(path: &Path, rate: f64, samples: &[Image]) -> Result<GifFilm, OutputError> {
        let sides = samples.first().map_or([0; 2], |image| [image.width, image.height]);
        let [Ok(width), Ok(height)] = sides.map(u16::try_from) else {
            let text = "a GIF picture has at most 65535 pixels on each side";
            return Err(failed(path)(EncodingError::from(io::Error::other(text))));
        };
        let colors = Colors::of(samples);
        // The table must have a power of two entries; the last one is never shown.
        let mut table = colors.rgb.clone();
        table.resize(3 * 256, 0);
        let file = Pending::begin(path)?;
        let mut encoder = Encoder::new(file, width, height, &table).map_err(failed(path))?;
        encoder.set_repeat(Repeat::Infinite).map_err(failed(path))?;
        let size = [width, height];
        Ok(GifFilm {
            path: path.into(),
            encoder,
            colors,
            size,
            rate,
            pictures: 0,
            before: vec![],
            shown: vec![],
        })
    }

    /// Leaves pixels as they are that have hardly changed since they were set.
    fn keep_unseen(&mut self, image: &Image, numbers: &mut [u8]) {
        if self.before.len() != numbers.len() {
            self.shown = image.rgb.clone();
            return;
        }
        let shown = self.shown.as_chunks_mut::<3>().0.iter_mut();
        let pixels = shown.zip(image.rgb.as_chunks::<3>().0).zip(numbers).zip(&self.before);
        for (((shown, pixel), number), &before) in pixels {
            if (0..3).all(|i| shown[i].abs_diff(pixel[i]) <= UNSEEN) {
                *number = before;
            } else {
                *shown = *pixel;
            }
        }
    }

    /// How long the next picture stays \[hundredths of a second\]: rounded so that errors do not add up.
    fn delay(&self) -> u16 {
        let end = |pictures: u64| (100.0 * pictures as f64 / self.rate).round() as u64;
        (end(self.pictures + 1) - end(self.pictures)).clamp(SHORTEST, u16::MAX.into()) as u16
    }
}

impl Footage for GifFilm {
    fn push(&mut self, image: &Image) -> Result<(), OutputError> {
        let expected = usize::from(self.size[0]) * usize::from(self.size[1]);
        OutputError::expect_length(&self.path, "a picture", 3 * expected, image.rgb.len())?;
        let mut numbers = self.colors.numbers(image);
        self.keep_unseen(image, &mut numbers);
        let [left, top, right, bottom] = changed(&self.before, &numbers, self.size);
        let (width, height) = (right - left, bottom - top);
        let mut part = Vec::with_capacity(usize::from(width) * usize::from(height));
        for row in top..bottom {
            let line = usize::from(row) * usize::from(self.size[0]);
            for at in line + usize::from(left)..line + usize::from(right) {
                let same = self.before.get(at) == Some(&numbers[at]);
                part.push(if same { SAME } else { numbers[at] });
            }
        }
        let frame = Frame {
            delay: self.delay(),
            dispose: DisposalMethod::Keep,
            transparent: Some(SAME),
            left,
            top,
            width,
            height,
            buffer: Cow::Owned(part),
            ..Frame::default()
        };
        self.encoder.write_frame(&frame).map_err(failed(&self.path))?;
        self.before = numbers;
        self.pictures += 1;
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<(), OutputError> {
        self.encoder.into_inner().map_err(failed(&self.path))?.finish()
    }
}

/// The smallest rectangle with all pixels that differ: left, top, right, bottom. One pixel at least.
fn changed(before: &[u8], now: &[u8], [width, height]: [u16; 2]) -> [u16; 4] {
    if before.len() != now.len() {
        return [0, 0, width, height];
    }
    let [mut left, mut top, mut right, mut bottom] = [width, height, 0, 0];
    let rows = before.chunks_exact(width.into()).zip(now.chunks_exact(width.into()));
    for (row, (old, new)) in (0..height).zip(rows) {
        let differs = |(a, b): (&u8, &u8)| a != b;
        let Some(first) = old.iter().zip(new).position(differs) else { continue };
        let last = old.iter().zip(new).rposition(differs).unwrap_or(first);
        (left, right) = (left.min(first as u16), right.max(last as u16 + 1));
        (top, bottom) = (top.min(row), row + 1);
    }
    if left < right { [left, top, right, bottom] } else { [0, 0, 1, 1] }
}

fn failed(path: &Path) -> impl FnOnce(EncodingError) -> OutputError + '_ {
    move |error| {
        let source = match error {
            EncodingError::Io(source) => source,
            other => io::Error::other(other.to_string()),
        };
        OutputError::io(path)(source)
    }
}
