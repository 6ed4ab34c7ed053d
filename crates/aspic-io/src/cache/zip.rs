//! Archives of files as they are (ZIP, method 0), written as their content comes.
//!
//! | part | bytes |
//! |---|---|
//! | each entry | `PK\3\4`, version, flags, method, time, date, CRC-32, size twice, lengths of name and extra; name; extra; content |
//! | directory | for each entry `PK\1\2`, the same again and the place of the entry |
//! | end | `PK\5\6`, number of entries, size and place of the directory |
//!
//! Sizes and CRC-32 are patched into an entry when it ends. All dates are 1 January 1980, so that the same content gives
//! the same bytes. Beyond 4 GiB the numbers stand in an extra field of 64 bits (ZIP64), for which every entry keeps room
//! where that is allowed. The first bytes of a content may be patched, since the CRC-32 of the two halves can be joined.

use std::io::{self, Seek, SeekFrom, Write};

use crc32fast::Hasher;

/// An archive that is being written.
pub(super) struct Zip<W: Write + Seek> {
    to: W,
    at: u64,
    large: bool,
    entries: Vec<Entry>,
    crc: Hasher,
}

/// What the directory says about an entry.
struct Entry {
    name: String,
    start: u64,
    content: u64,
    size: u64,
    crc: u32,
}

/// 1 January 1980, the earliest date there is.
const DATE: u16 = (1 << 5) | 1;
/// Names are UTF-8.
const FLAGS: u16 = 1 << 11;
/// In place of a number that stands in the extra field.
const ELSEWHERE: u32 = u32::MAX;
/// Where an archive that is not large must end, with room for its directory.
const LIMIT: u64 = ELSEWHERE as u64 - (1 << 20);
/// Bytes of the extra field with two numbers of 64 bits.
const LARGE_EXTRA: usize = 20;

impl<W: Write + Seek> Zip<W> {
    /// An empty archive. Only a `large` one may have entries of 4 GiB and more.
    pub fn begin(to: W, large: bool) -> Zip<W> {
        Zip { to, at: 0, large, entries: Vec::new(), crc: Hasher::new() }
    }

    /// What it is written to.
    pub fn inner(&self) -> &W {
        &self.to
    }

    /// Begins an entry whose content starts at a multiple of `align`.
    pub fn entry(&mut self, name: &str, align: u64) -> io::Result<()> {
        let start = self.at;
        let own = if self.large { LARGE_EXTRA } else { 0 };
        let padding = padding(start + 30 + (name.len() + own) as u64, align);
        let mut header = Vec::new();
        header.extend(b"PK\x03\x04");
        shorts(&mut header, &[if self.large { 45 } else { 20 }, FLAGS, 0, 0, DATE]);
        header.extend([0; 12]);
        shorts(&mut header, &[name.len() as u16, (own + padding) as u16]);
        header.extend(name.as_bytes());
        if self.large {
            shorts(&mut header, &[1, 16]);
            header.extend([0; 16]);
        }
        if padding > 0 {
            // A field that nobody knows is skipped.
            shorts(&mut header, &[0x1986, padding as u16 - 4]);
            header.resize(header.len() + padding - 4, 0);
        }
        self.to.write_all(&header)?;
        self.at += header.len() as u64;
        self.crc = Hasher::new();
        self.entries.push(Entry { name: name.into(), start, content: self.at, size: 0, crc: 0 });
        Ok(())
    }

    /// How much the entry holds so far.
    pub fn size(&self) -> u64 {
        self.entries.last().map_or(0, |entry| self.at - entry.content)
    }

    /// Ends the entry. `head` stands in its place before what was written to it, for which `leave` left room.
    pub fn end_entry(&mut self, head: &[u8]) -> io::Result<()> {
        let (at, size, large) = (self.at, self.size(), self.large);
        let Some(entry) = self.entries.last_mut() else { return Ok(()) };
        let mut crc = Hasher::new();
        crc.update(head);
        crc.combine(&self.crc);
        (entry.size, entry.crc) = (size, crc.finalize());
        self.to.seek(SeekFrom::Start(entry.content))?;
        self.to.write_all(head)?;
        self.to.seek(SeekFrom::Start(entry.start + 14))?;
        let shown = if large { ELSEWHERE } else { size as u32 };
        self.to.write_all(&[entry.crc, shown, shown].map(u32::to_le_bytes).concat())?;
        if large {
            self.to.seek(SeekFrom::Start(entry.start + 30 + entry.name.len() as u64 + 4))?;
            self.to.write_all(&[size, size].map(u64::to_le_bytes).concat())?;
        }
        self.to.seek(SeekFrom::Start(at)).map(|_| ())
    }

    /// Leaves room for the head of the content, which `end_entry` fills.
    pub fn leave(&mut self, length: usize) -> io::Result<()> {
        self.at += length as u64;
        self.to.write_all(&vec![0; length])
    }

    /// Writes the directory; what the archive was written to.
    pub fn finish(mut self) -> io::Result<W> {
        let mut directory = Vec::new();
        for entry in &self.entries {
            describe(&mut directory, entry, self.large);
        }
        let (start, size, count) = (self.at, directory.len() as u64, self.entries.len());
        if self.large {
            directory.extend(b"PK\x06\x06");
            directory.extend(44u64.to_le_bytes());
            shorts(&mut directory, &[45, 45]);
            directory.extend([0; 8]);
            [count as u64, count as u64, size, start].iter().for_each(|n| directory.extend(n.to_le_bytes()));
            directory.extend(b"PK\x06\x07\0\0\0\0");
            directory.extend((start + size).to_le_bytes());
            directory.extend(1u32.to_le_bytes());
        }
        directory.extend(b"PK\x05\x06\0\0\0\0");
        let count = u16::try_from(count).unwrap_or(u16::MAX);
        shorts(&mut directory, &[count, count]);
        directory.extend([size, start].map(|n| u32::try_from(n).unwrap_or(ELSEWHERE).to_le_bytes()).concat());
        directory.extend([0; 2]);
        self.to.write_all(&directory)?;
        Ok(self.to)
    }
}

/// An entry of the directory.
fn describe(directory: &mut Vec<u8>, entry: &Entry, large: bool) {
    let version = if large { 45 } else { 20 };
    directory.extend(b"PK\x01\x02");
    shorts(directory, &[version, version, FLAGS, 0, 0, DATE]);
    let number = |n: u64| if large { ELSEWHERE } else { n as u32 }.to_le_bytes();
    directory.extend(entry.crc.to_le_bytes());
    directory.extend([number(entry.size), number(entry.size)].concat());
    let extra = if large { 28 } else { 0 };
    shorts(directory, &[entry.name.len() as u16, extra, 0, 0, 0, 0, 0]);
    directory.extend(number(entry.start));
    directory.extend(entry.name.as_bytes());
    if large {
        shorts(directory, &[1, 24]);
        [entry.size, entry.size, entry.start].iter().for_each(|n| directory.extend(n.to_le_bytes()));
    }
}

/// Bytes that are missing to the next multiple, none or at least the four that an extra field needs.
fn padding(at: u64, align: u64) -> usize {
    let missing = (align - at % align) % align;
    if missing == 0 || missing >= 4 { missing as usize } else { (missing + align.max(4)) as usize }
}

fn shorts(bytes: &mut Vec<u8>, numbers: &[u16]) {
    numbers.iter().for_each(|number| bytes.extend(number.to_le_bytes()));
}

impl<W: Write + Seek> Write for Zip<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.large && self.at + bytes.len() as u64 >= LIMIT {
            let cause =
                "it would grow beyond 4 GiB, more than this kind of archive holds: choose another format";
            return Err(io::Error::other(cause));
        }
        let written = self.to.write(bytes)?;
        self.crc.update(&bytes[..written]);
        self.at += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    fn archive(large: bool) -> Vec<u8> {
        let mut zip = Zip::begin(Cursor::new(Vec::new()), large);
        for (name, content) in [("a", "first"), ("bb/ä", "second content")] {
            zip.entry(name, 64).unwrap();
            zip.leave(2).unwrap();
            zip.write_all(&content.as_bytes()[2..]).unwrap();
            zip.end_entry(&content.as_bytes()[..2]).unwrap();
        }
        zip.finish().unwrap().into_inner()
    }

    #[test]
    fn contents_are_aligned_and_their_checksums_are_those_of_the_whole() {
        for large in [false, true] {
            let bytes = archive(large);
            for (at, content) in [(64, "first"), (128, "second content")] {
                assert_eq!(&bytes[at..at + content.len()], content.as_bytes(), "{large}");
            }
            let crc = crc32fast::hash(b"first").to_le_bytes();
            assert_eq!(bytes[14..18], crc);
            assert_eq!(bytes, archive(large));
        }
    }

    #[test]
    fn padding_is_a_whole_extra_field() {
        for at in 0..200 {
            let padding = padding(at, 64);
            assert!(
                (at + padding as u64).is_multiple_of(64) && (padding == 0 || padding >= 4),
                "{at} {padding}"
            );
        }
        assert_eq!(padding(7, 1), 0);
    }
}
