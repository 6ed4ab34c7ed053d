//! A file appears whole or not at all: it is written under a sibling name and renamed into place.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::OutputError;

/// Writes `path` with `fill`. When anything fails, whatever stood at `path` before is untouched
/// and the temporary file (`path` + `.tmp`) is gone.
pub fn write(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), OutputError> {
    let temporary = Temporary(sibling(path));
    let attempt = || {
        let mut file = BufWriter::new(File::create(&temporary.0)?);
        fill(&mut file)?;
        file.flush()?;
        drop(file);
        fs::rename(&temporary.0, path)
    };
    attempt().map_err(OutputError::io(path))
}

fn sibling(path: &Path) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(".tmp");
    name.into()
}

/// Removes what is left over, even when `fill` panics. After the rename there is nothing to remove.
struct Temporary(PathBuf);

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> =
            fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn written_file_stands_alone_in_its_folder() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("frame");
        write(&path, |w| w.write_all(b"new")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(names(folder.path()), ["frame"]);
    }

    #[test]
    fn full_disk_leaves_the_old_file_and_says_what_to_do() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("checkpoint");
        fs::write(&path, b"old").unwrap();
        let error = write(&path, |w| {
            w.write_all(b"half")?;
            Err(io::ErrorKind::StorageFull.into())
        });
        let text = error.unwrap_err().to_string();
        assert!(text.contains("checkpoint") && text.contains("disk is full"), "{text}");
        assert!(text.contains("aspic resume"), "{text}");
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(names(folder.path()), ["checkpoint"]);
    }

    #[test]
    fn missing_folder_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("nowhere/frame");
        let text = write(&path, |_| Ok(())).unwrap_err().to_string();
        assert!(text.contains("nowhere") && text.contains("folder is missing"), "{text}");
    }
}
