//! A run as one HTML file: the page of the viewer with the film inside, for a browser without a server.
//!
//! Numbers are quantised to 16 bits between the lowest and the highest of the film, written as the difference to the
//! frame before, low bytes apart from high bytes, packed by gzip, and put into the page as base64. `docs/viewer.md` has
//! the layout.

use std::io::{self, Write};
use std::path::Path;

use aspic::Vec3;
use aspic_io::ledger;
use aspic_io::run_film::{FilmFrame, RunFilm};
use aspic_io::run_folder::FolderError;
use aspic_io::{OutputError, ReadError, atomic};
use base64::engine::general_purpose::STANDARD as BASE64;
use base64::write::EncoderWriter;
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::protocol::{field, numbers_per_point};
use crate::reel::{bits_of, fields_of, scene_of};
use crate::stage::Stage;
use crate::{PAGE, PAGE_IS_THERE, WITHOUT_PAGE};

/// First number of a film: "aflm".
pub const MAGIC: u32 = 0x6d6c_6661;
/// Version of the layout.
pub const VERSION: u32 = 1;
/// Fields are kept in this order while the film stays below this size before packing  \[bytes\]
const WISHES: [u32; 5] = [field::STRESS, field::VELOCITY, field::CONTACT, field::ENERGY, field::REACTION];
const ROOM: usize = 48 << 20;
/// Where the film goes in the page.
const PLACE: &str = "</head>";
const BEFORE: &str = "<script id=\"film\" type=\"application/octet-stream\">";
const AFTER: &str = "</script>\n";

/// Why a film could not be written.
#[derive(Debug, thiserror::Error)]
pub enum FilmError {
    /// There is no page to put it into.
    #[error("{}", WITHOUT_PAGE.trim())]
    NoPage,
    /// The run cannot be read.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// It has no frame that can be read.
    #[error("{run} has no frame that can be read{}", .first.as_ref().map(|error| format!(": {error}")).unwrap_or_default())]
    NoFrames {
        /// The run.
        run: String,
        /// What was wrong with the first.
        first: Option<ReadError>,
    },
    /// The page cannot be written.
    #[error(transparent)]
    Write(#[from] OutputError),
}

/// What was written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Written {
    /// Frames in the film.
    pub frames: usize,
    /// Fields in the film besides positions: bits of [`field`].
    pub fields: u32,
    /// Size of the film before packing  \[bytes\]
    pub unpacked: u64,
    /// Frames that were left out, and why.
    pub notices: Vec<String>,
}

/// Writes a run folder as a page.
pub fn write(run: &Path, out: &Path) -> Result<Written, FilmError> {
    write_frames(run, out, |_| true)
}

/// Writes those frames of a run folder whose numbers are wanted as a page.
pub fn write_frames(run: &Path, out: &Path, wanted: impl Fn(usize) -> bool) -> Result<Written, FilmError> {
    if !PAGE_IS_THERE {
        return Err(FilmError::NoPage);
    }
    write_into(PAGE, run, out, wanted)
}

/// The same with another page.
pub fn write_into(
    page: &str,
    run: &Path,
    out: &Path,
    wanted: impl Fn(usize) -> bool,
) -> Result<Written, FilmError> {
    let mut film = RunFilm::open(run)?;
    let notices = film.take_notices();
    let numbered = (0..film.len()).filter(|&place| film.number(place).is_some_and(&wanted));
    let plan = Plan::survey(&film, numbered.collect(), notices)?;
    let (head, rest) = page.split_at(page.find(PLACE).unwrap_or(0));
    let mut unpacked = 0;
    atomic::write(out, |file| {
        file.write_all(head.as_bytes())?;
        file.write_all(BEFORE.as_bytes())?;
        let mut text = EncoderWriter::new(&mut *file, &BASE64);
        let mut packed = GzEncoder::new(&mut text, Compression::best());
        let mut counted = Counted { to: &mut packed, bytes: 0 };
        plan.write(&film, &mut counted)?;
        unpacked = counted.bytes;
        packed.finish()?;
        text.finish()?;
        drop(text);
        file.write_all(AFTER.as_bytes())?;
        file.write_all(rest.as_bytes())
    })?;
    Ok(Written { frames: plan.places.len(), fields: plan.fields, unpacked, notices: plan.notices })
}

/// Lowest and highest of some numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Range {
    low: f32,
    high: f32,
}

impl Range {
    const NONE: Range = Range { low: f32::INFINITY, high: f32::NEG_INFINITY };

    /// Numbers that are not finite do not count.
    fn cover(&mut self, number: f64) {
        let number = number as f32;
        if number.is_finite() {
            *self = Range { low: self.low.min(number), high: self.high.max(number) };
        }
    }

    /// A range of nothing is 0 to 0.
    fn closed(self) -> Range {
        if self.low <= self.high { self } else { Range { low: 0.0, high: 0.0 } }
    }

    /// 0 at the lowest, 65535 at the highest.
    fn quantise(&self, number: f64) -> u16 {
        let width = f64::from(self.high) - f64::from(self.low);
        if width > 0.0 { ((number - f64::from(self.low)) / width * 65535.0).round() as u16 } else { 0 }
    }
}

/// What the first look at all frames tells.
struct Plan {
    /// Places of the frames that can be read.
    places: Vec<usize>,
    fields: u32,
    axes: [Range; 3],
    /// Ranges of the kept fields, by the number of their bit.
    ranges: [Range; 5],
    fastest: f32,
    notices: Vec<String>,
}

impl Plan {
    fn survey(film: &RunFilm, places: Vec<usize>, notices: Vec<String>) -> Result<Plan, FilmError> {
        let fields = kept(film, places.len());
        let mut plan = Plan {
            places: vec![],
            fields,
            axes: [Range::NONE; 3],
            ranges: [Range::NONE; 5],
            fastest: 0.0,
            notices,
        };
        let mut first = None;
        for place in places {
            match film.frame_with(place, fields_of(fields | field::VELOCITY)) {
                Ok(frame) => plan.cover(place, &frame),
                Err(error) => {
                    plan.notices.push(format!("frame {place} is left out: {error}"));
                    first.get_or_insert(error);
                }
            }
        }
        if plan.places.is_empty() {
            return Err(FilmError::NoFrames { run: film.path().display().to_string(), first });
        }
        plan.axes.iter_mut().chain(&mut plan.ranges).for_each(|range| *range = range.closed());
        Ok(plan)
    }

    fn cover(&mut self, place: usize, frame: &FilmFrame) {
        self.places.push(place);
        for x in &frame.positions {
            self.axes.iter_mut().zip(x.iter()).for_each(|(axis, number)| axis.cover(*number));
        }
        let speeds = frame.velocities.iter().map(|v| v.amax() as f32);
        self.fastest = speeds.filter(|speed| speed.is_finite()).fold(self.fastest, f32::max);
        for (number, range) in self.ranges.iter_mut().enumerate() {
            values(frame, 1 << number).for_each(|value| range.cover(value));
        }
    }

    fn write(&self, film: &RunFilm, to: &mut impl Write) -> io::Result<()> {
        let mut scene = scene_of(film);
        (scene.frames, scene.complete, scene.fields) = (self.places.len(), true, self.fields);
        let stage = Stage::new(&scene, film.topology(), film.start());
        put(to, [MAGIC, VERSION].map(u32::to_le_bytes))?;
        padded(to, &stage.scene)?;
        padded(to, &stage.topology)?;
        put(to, [(self.places.len() as u32).to_le_bytes()])?;
        put(to, self.axes.map(|axis| axis.low.to_le_bytes()))?;
        put(to, self.axes.map(|axis| axis.high.to_le_bytes()))?;
        put(to, [self.fastest.to_le_bytes(), self.fields.to_le_bytes()])?;
        let mut before: [Vec<u16>; 6] = Default::default();
        for &place in &self.places {
            let frame = film.frame_with(place, fields_of(self.fields)).map_err(io::Error::other)?;
            self.write_frame(film.topology().points, &frame, &mut before, to)?;
        }
        Ok(())
    }

    /// One frame; `before` has the numbers of the frame before, positions first.
    fn write_frame(
        &self,
        points: usize,
        frame: &FilmFrame,
        before: &mut [Vec<u16>; 6],
        to: &mut impl Write,
    ) -> io::Result<()> {
        put(to, [frame.t.to_le_bytes()])?;
        let unknown = || [f64::NAN; ledger::COLUMNS.len()];
        put(to, frame.ledger.as_ref().map_or_else(unknown, ledger::numbers).map(f64::to_le_bytes))?;
        let axes = (0..3).cycle().map(|axis| &self.axes[axis]);
        let numbers = components(&frame.positions).zip(axes).map(|(x, axis)| axis.quantise(x));
        planes(to, numbers.collect(), &mut before[0])?;
        for (number, range) in self.ranges.iter().enumerate() {
            let bit = 1 << number;
            if self.fields & bit == 0 {
                continue;
            }
            put(to, [range.low.to_le_bytes(), range.high.to_le_bytes()])?;
            let mut numbers: Vec<u16> = values(frame, bit).map(|value| range.quantise(value)).collect();
            // A field that this frame lacks is as low as it can be.
            numbers.resize((numbers_per_point(bit) - 3) * points, 0);
            planes(to, numbers, &mut before[number + 1])?;
        }
        Ok(())
    }
}

/// The fields that a film of this length has room for.
fn kept(film: &RunFilm, frames: usize) -> u32 {
    let there = bits_of(film.fields());
    let size = |fields: u32| 2 * numbers_per_point(fields) * film.topology().points * frames;
    WISHES
        .iter()
        .filter(|&bit| there & bit != 0)
        .fold(0, |fields, bit| if size(fields | bit) <= ROOM { fields | bit } else { fields })
}

fn components(vectors: &[Vec3]) -> impl Iterator<Item = f64> + '_ {
    vectors.iter().flat_map(|x| [x.x, x.y, x.z])
}

/// The numbers of one field.
fn values(frame: &FilmFrame, bit: u32) -> Box<dyn Iterator<Item = f64> + '_> {
    match bit {
        field::VELOCITY => Box::new(components(&frame.velocities)),
        field::STRESS => Box::new(frame.von_mises.iter().copied()),
        field::ENERGY => Box::new(frame.energy_density.iter().copied()),
        field::CONTACT => Box::new(components(&frame.contact)),
        field::REACTION => Box::new(components(&frame.reaction)),
        _ => Box::new(std::iter::empty()),
    }
}

/// Writes the difference to `before`, modulo 2¹⁶: all low bytes, then all high bytes.
fn planes(to: &mut impl Write, numbers: Vec<u16>, before: &mut Vec<u16>) -> io::Result<()> {
    before.resize(numbers.len(), 0);
    let changes = || numbers.iter().zip(&*before).map(|(now, then)| now.wrapping_sub(*then).to_le_bytes());
    let low = changes().map(|[low, _]| low);
    let high = changes().map(|[_, high]| high);
    let bytes: Vec<u8> = low.chain(high).collect();
    padded(to, &bytes)?;
    *before = numbers;
    Ok(())
}

fn put<const N: usize>(to: &mut impl Write, numbers: impl IntoIterator<Item = [u8; N]>) -> io::Result<()> {
    numbers.into_iter().try_for_each(|number| to.write_all(&number))
}

/// A block, filled up to a multiple of four bytes.
fn padded(to: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    to.write_all(bytes)?;
    to.write_all(&[0; 3][..bytes.len().wrapping_neg() % 4])
}

/// Counts what goes through.
struct Counted<'a, W: Write> {
    to: &'a mut W,
    bytes: u64,
}

impl<W: Write> Write for Counted<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.to.write(bytes)?;
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}
