//! A folder with one file per frame, which fills when all of them are finished.
//!
//! Files gather in a new folder beside it (`NAME.1.tmp`, or the next number that is free) and move over at the end. Frames of an earlier, longer
//! export would seem to belong to the new one: they go.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::names;
use crate::atomic::sibling;
use crate::{OutputError, atomic};

/// Files that are being written for a folder.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    gathering: Gathering,
    stem: String,
    names: Vec<String>,
}

/// Removed with all that it holds, unless that has moved away.
#[derive(Debug)]
struct Gathering(PathBuf);

impl Drop for Gathering {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Folder {
    /// Begins to fill a folder. Its files are called after it.
    pub fn begin(path: &Path) -> Result<Folder, OutputError> {
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let stem = names::distinct(std::iter::once(stem.as_str()), names::in_files).remove(0);
        let gathering = new_folder_beside(path).map_err(OutputError::io(path))?;
        Ok(Folder { path: path.into(), gathering: Gathering(gathering), stem, names: Vec::new() })
    }

    /// Where a file gathers that somebody else writes.
    pub fn place(&mut self, name: String) -> PathBuf {
        let place = self.gathering.0.join(&name);
        self.names.push(name);
        place
    }

    /// What the names of all files begin with.
    pub fn stem(&self) -> &str {
        &self.stem
    }

    /// The name of the file for a frame.
    pub fn of_frame(&self, place: usize, extension: &str) -> String {
        format!("{}.{place:06}.{extension}", self.stem)
    }

    /// Writes a file.
    pub fn write(&mut self, name: String, bytes: &[u8]) -> Result<(), OutputError> {
        fs::write(self.gathering.0.join(&name), bytes).map_err(OutputError::io(&self.path.join(&name)))?;
        self.names.push(name);
        Ok(())
    }

    /// Moves everything to its place; the files in the order in which they were written.
    pub fn finish(self) -> Result<Vec<PathBuf>, OutputError> {
        atomic::create_folder(&self.path)?;
        self.remove_frames_of_before().map_err(OutputError::io(&self.path))?;
        let file = |name: &String| {
            let to = self.path.join(name);
            fs::rename(self.gathering.0.join(name), &to).map_err(OutputError::io(&to))?;
            Ok(to)
        };
        self.names.iter().map(file).collect()
    }

    fn remove_frames_of_before(&self) -> io::Result<()> {
        let extensions: Vec<&str> = self.names.iter().filter_map(|name| self.frame_of(name)).collect();
        for found in fs::read_dir(&self.path)? {
            let found = found?;
            let name = found.file_name();
            let extension = name.to_str().and_then(|name| self.frame_of(name));
            if extension.is_some_and(|extension| extensions.contains(&extension)) {
                fs::remove_file(found.path())?;
            }
        }
        Ok(())
    }

    /// The extension, if the name is `STEM.NUMBER.EXTENSION`.
    fn frame_of<'a>(&self, name: &'a str) -> Option<&'a str> {
        let (number, extension) = name.strip_prefix(&self.stem)?.strip_prefix('.')?.split_once('.')?;
        let is_number = number.len() >= 6 && number.bytes().all(|b| b.is_ascii_digit());
        is_number.then_some(extension)
    }
}

/// Makes a folder that was not there: what others have put beside is never touched.
fn new_folder_beside(path: &Path) -> io::Result<PathBuf> {
    let mut number = 1;
    loop {
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".{number}"));
        let folder = sibling(Path::new(&name));
        match fs::create_dir(&folder) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
            made => return made.map(|()| folder),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn export(path: &Path, frames: usize) -> Folder {
        let mut folder = Folder::begin(path).unwrap();
        for place in 0..frames {
            folder.write(folder.of_frame(place, "obj"), b"v").unwrap();
        }
        folder
    }

    #[test]
    fn frames_of_a_longer_export_go_and_other_files_stay() {
        let outside = tempfile::tempdir().unwrap();
        let path = outside.path().join("jelly");
        export(&path, 3).finish().unwrap();
        for other in ["jelly.note.txt", "jelly.000002.png", "jam.000002.obj"] {
            fs::write(path.join(other), b"mine").unwrap();
        }
        assert_eq!(export(&path, 1).finish().unwrap(), [path.join("jelly.000000.obj")]);
        let mut left: Vec<_> = fs::read_dir(&path).unwrap().map(|e| e.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, ["jam.000002.obj", "jelly.000000.obj", "jelly.000002.png", "jelly.note.txt"]);
        assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 1);
    }

    #[test]
    fn folders_of_others_stay_whatever_they_are_called() {
        let outside = tempfile::tempdir().unwrap();
        let (path, theirs) = (outside.path().join("jelly"), outside.path().join("jelly.1.tmp"));
        fs::create_dir(&theirs).unwrap();
        fs::write(theirs.join("precious"), b"hi").unwrap();
        export(&path, 1).finish().unwrap();
        assert_eq!(fs::read(theirs.join("precious")).unwrap(), b"hi");
        assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 2);
    }

    #[test]
    fn a_folder_that_is_never_finished_does_not_appear() {
        let outside = tempfile::tempdir().unwrap();
        drop(export(&outside.path().join("jelly"), 2));
        assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 0);
    }
}
