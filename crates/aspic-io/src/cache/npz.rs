//! Arrays for NumPy (`.npz`): an archive of `.npy` files.
//!
//! | array | type | shape | what |
//! |---|---|---|---|
//! | `t` | float64 | frames | simulated time \[s\] |
//! | `frame` | int64 | frames | number of the frame in the run |
//! | `NAME/positions` | float64 | frames, points, 3 | in units of the cast |
//! | `NAME/velocities` | float64 | frames, points, 3 | in units a simulated second; only if known for every frame |
//! | `NAME/triangles` | int32 | triangles, 3 | corners, from 0 |
//! | `NAME/edges` | int32 | edges, 2 | ends, from 0 |
//!
//! An array begins with `\x93NUMPY`, version 1.0, the length of a header and the header: a Python dictionary with type,
//! order and shape, padded with spaces to a multiple of 64 bytes. The shape is known at the end: until then positions and
//! velocities wait in a spool file.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use aspic::Vec3;

use super::spool::Spool;
use super::zip::Zip;
use super::{Cache, Cast, Pose, check, names};
use crate::OutputError;
use crate::atomic::Pending;

struct Npz {
    path: PathBuf,
    cast: Cast,
    file: Pending,
    spool: Spool,
    t: Vec<f64>,
    number: Vec<usize>,
    velocities: bool,
    bytes: Vec<u8>,
}

/// Begins an archive of arrays.
pub fn begin(path: &Path, cast: &Cast) -> Result<Box<dyn Cache>, OutputError> {
    check::cast(path, cast)?;
    Ok(Box::new(Npz {
        path: path.into(),
        cast: cast.clone(),
        file: Pending::begin(path)?,
        spool: Spool::beside(path, 2 * cast.actors.len())?,
        t: Vec::new(),
        number: Vec::new(),
        velocities: true,
        bytes: Vec::new(),
    }))
}

impl Npz {
    /// Appends the rows of each actor to its channel: positions have the even ones, velocities the odd ones.
    fn append(&mut self, vectors: &[Vec3], first: usize) -> io::Result<()> {
        for (number, (_, own)) in self.cast.parts(vectors).enumerate() {
            self.bytes.clear();
            own.iter().flat_map(|v| v.iter()).for_each(|x| self.bytes.extend(x.to_le_bytes()));
            self.spool.push(2 * number + first, &self.bytes)?;
        }
        Ok(())
    }
}

impl Cache for Npz {
    fn push(&mut self, pose: &Pose<'_>) -> Result<(), OutputError> {
        check::pose(&self.path, &self.cast, self.t.len(), pose)?;
        self.velocities &= !pose.velocities.is_empty();
        self.append(pose.positions, 0).map_err(OutputError::io(&self.path))?;
        if self.velocities {
            self.append(pose.velocities, 1).map_err(OutputError::io(&self.path))?;
        }
        self.t.push(pose.t);
        self.number.push(pose.number);
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Vec<PathBuf>, OutputError> {
        let path = self.path.clone();
        self.pack().map_err(OutputError::io(&path))?.finish()?;
        Ok(vec![path])
    }
}

impl Npz {
    fn pack(self) -> io::Result<Pending> {
        let Npz { cast, file, mut spool, t, number, velocities, .. } = self;
        let frames = t.len();
        let mut zip = Zip::begin(file, true);
        array(&mut zip, "t", "<f8", &[frames], t.iter().map(|t| t.to_le_bytes()))?;
        array(&mut zip, "frame", "<i8", &[frames], number.iter().map(|&n| (n as i64).to_le_bytes()))?;
        let safe = names::of_files(&cast.actors);
        for (place, (actor, name)) in cast.actors.iter().zip(safe).enumerate() {
            let shape = [frames, actor.points, 3];
            moving(&mut zip, &format!("{name}/positions"), &shape, &mut spool, 2 * place)?;
            if velocities && frames > 0 {
                moving(&mut zip, &format!("{name}/velocities"), &shape, &mut spool, 2 * place + 1)?;
            }
            let triangles = actor.triangles.as_flattened().iter().map(|corner| corner.to_le_bytes());
            array(&mut zip, &format!("{name}/triangles"), "<i4", &[actor.triangles.len(), 3], triangles)?;
            let edges = actor.edges.as_flattened().iter().map(|end| end.to_le_bytes());
            array(&mut zip, &format!("{name}/edges"), "<i4", &[actor.edges.len(), 2], edges)?;
        }
        zip.finish()
    }
}

/// An array from the spool.
fn moving(
    zip: &mut Zip<Pending>,
    name: &str,
    shape: &[usize],
    spool: &mut Spool,
    channel: usize,
) -> io::Result<()> {
    zip.entry(&format!("{name}.npy"), 64)?;
    zip.write_all(&header("<f8", shape))?;
    spool.pieces(channel).into_iter().try_for_each(|piece| spool.copy(piece, zip))?;
    zip.end_entry(&[])
}

/// An array from memory.
fn array<const N: usize>(
    zip: &mut Zip<Pending>,
    name: &str,
    kind: &str,
    shape: &[usize],
    values: impl Iterator<Item = [u8; N]>,
) -> io::Result<()> {
    let mut bytes = header(kind, shape);
    values.for_each(|value| bytes.extend(value));
    zip.entry(&format!("{name}.npy"), 64)?;
    zip.write_all(&bytes)?;
    zip.end_entry(&[])
}

/// What stands before the numbers.
fn header(kind: &str, shape: &[usize]) -> Vec<u8> {
    let shape: String = shape.iter().map(|length| format!("{length}, ")).collect();
    let text = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({}), }}", shape.trim_end());
    let length = (10 + text.len() + 1).next_multiple_of(64) - 10;
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((length as u16).to_le_bytes());
    bytes.extend(format!("{text:<width$}\n", width = length - 1).as_bytes());
    bytes
}

#[cfg(test)]
mod tests {
    use super::super::made_up;
    use super::*;

    #[test]
    fn headers_fill_whole_lines_of_64_bytes() {
        let bytes = header("<f8", &[24, 162, 3]);
        assert_eq!(bytes.len(), 128);
        assert!(bytes.ends_with(b" \n"));
        assert!(
            bytes[10..].starts_with(b"{'descr': '<f8', 'fortran_order': False, 'shape': (24, 162, 3,), }")
        );
        assert_eq!(header("<f8", &[1]).len() % 64, 0);
    }

    #[test]
    fn the_archive_has_as_many_frames_as_were_pushed() {
        let folder = tempfile::tempdir().unwrap();
        let path = made_up::export(folder.path().join("a.npz"), begin, 3).remove(0);
        let bytes = std::fs::read(path).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        assert!(text.contains("'shape': (3,)") && text.contains("'shape': (3, 16, 3,)"));
    }
}
