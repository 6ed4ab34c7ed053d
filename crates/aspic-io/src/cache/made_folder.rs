//! A folder for many files that goes away again if none of them comes.

use std::fs;
use std::path::{Path, PathBuf};

use crate::{OutputError, atomic};

/// A folder, with those above it that were made for it.
#[derive(Debug)]
pub(crate) struct MadeFolder {
    path: PathBuf,
    made: Vec<PathBuf>,
}

impl MadeFolder {
    /// Makes the folder and those above it, where they are missing.
    pub(crate) fn begin(path: &Path) -> Result<MadeFolder, OutputError> {
        let is_missing = |folder: &&Path| !folder.as_os_str().is_empty() && !folder.exists();
        let made = path.ancestors().take_while(is_missing).map(Path::to_path_buf).collect();
        atomic::create_folder(path)?;
        Ok(MadeFolder { path: path.into(), made })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for MadeFolder {
    /// A folder that has something in it stays: the system refuses to remove it.
    fn drop(&mut self) {
        self.made.iter().for_each(|folder| drop(fs::remove_dir(folder)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_folders_that_were_made_and_stayed_empty_go_away() {
        let outer = tempfile::tempdir().unwrap();
        let deep = outer.path().join("a/b");
        drop(MadeFolder::begin(&deep).unwrap());
        assert!(outer.path().exists() && !outer.path().join("a").exists());
        let folder = MadeFolder::begin(&deep).unwrap();
        fs::write(deep.join("file"), b"").unwrap();
        drop(folder);
        assert!(deep.join("file").exists());
        fs::remove_file(deep.join("file")).unwrap();
        drop(MadeFolder::begin(&deep).unwrap());
        assert!(deep.exists());
    }
}
