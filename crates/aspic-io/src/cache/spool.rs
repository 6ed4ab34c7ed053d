//! A temporary file for values that come frame by frame and are needed channel by channel.
//!
//! Bytes are appended in the order in which they come. For each channel a list says where its pieces lie; at the end they
//! are copied one channel after another. One file serves all channels, because a process may only open so many.

use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

use crate::OutputError;
use crate::atomic::Temporary;

/// Room for the bytes of several channels on the disk, gone when dropped.
#[derive(Debug)]
pub(super) struct Spool {
    file: BufWriter<File>,
    end: u64,
    pieces: Vec<Vec<Piece>>,
    _temporary: Temporary,
}

/// Where a piece lies in the spool.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    start: u64,
    length: u64,
}

impl Spool {
    /// An empty spool beside the file that will be made from it.
    pub fn beside(path: &Path, channels: usize) -> Result<Spool, OutputError> {
        let mut name = OsString::from(path);
        name.push(".spool.tmp");
        let temporary = Temporary(name.into());
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(true).open(&temporary.0);
        let file = BufWriter::with_capacity(1 << 16, file.map_err(OutputError::io(path))?);
        Ok(Spool { file, end: 0, pieces: vec![Vec::new(); channels], _temporary: temporary })
    }

    /// Adds a piece to a channel.
    pub fn push(&mut self, channel: usize, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)?;
        let length = bytes.len() as u64;
        self.pieces[channel].push(Piece { start: self.end, length });
        self.end += length;
        Ok(())
    }

    /// The pieces of a channel.
    pub fn pieces(&self, channel: usize) -> Vec<Piece> {
        self.pieces[channel].clone()
    }

    /// Copies a piece.
    pub fn copy(&mut self, piece: Piece, to: &mut dyn Write) -> io::Result<()> {
        self.file.flush()?;
        let file = self.file.get_mut();
        file.seek(SeekFrom::Start(piece.start))?;
        let copied = io::copy(&mut file.take(piece.length), to)?;
        if copied == piece.length { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_come_back_channel_by_channel_and_the_file_goes() {
        let folder = tempfile::tempdir().unwrap();
        let mut spool = Spool::beside(&folder.path().join("cache"), 2).unwrap();
        for (channel, bytes) in [(0, b"ab"), (1, b"cd"), (0, b"ef")] {
            spool.push(channel, bytes).unwrap();
        }
        let mut all = Vec::new();
        for piece in [spool.pieces(1), spool.pieces(0)].concat() {
            spool.copy(piece, &mut all).unwrap();
        }
        assert_eq!(all, b"cdabef");
        drop(spool);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
