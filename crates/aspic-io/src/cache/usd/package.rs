//! A stage in an archive (`.usdz`): one binary stage, not compressed, that begins at a multiple of 64 bytes, so that it can
//! be read in place.

use std::io;
use std::path::Path;

use super::super::names;
use super::super::zip::Zip;
use super::binary::{Binary, Body};
use crate::OutputError;
use crate::atomic::Pending;

/// Begins an archive. The stage in it is called as the archive.
pub(super) fn begin(path: &Path, channels: usize) -> Result<Binary<Zip<Pending>>, OutputError> {
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let stem = names::distinct(std::iter::once(stem.as_str()), names::in_files).remove(0);
    let mut zip = Zip::begin(Pending::begin(path)?, false);
    zip.entry(&format!("{stem}.usdc"), 64).map_err(OutputError::io(path))?;
    Binary::over(path, zip, channels)
}

impl Body for Zip<Pending> {
    fn leave(&mut self, length: usize) -> io::Result<()> {
        Zip::leave(self, length)
    }

    fn close(mut self, head: &[u8]) -> Result<(), OutputError> {
        let path = self.inner().path().to_path_buf();
        self.end_entry(head).and_then(|()| Zip::finish(self)).map_err(OutputError::io(&path))?.finish()
    }
}
