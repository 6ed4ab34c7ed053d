//! The right to write in a run folder: one process at a time has it.
//!
//! It is an advisory lock of the system on the empty file `lock` in the folder. The system lifts it with the process,
//! however that ends, so the file stays and means nothing by itself. Reading a folder needs no claim.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use crate::OutputError;
use crate::run_folder::{FolderError, names};

/// A claim on a folder, until it is dropped.
#[derive(Debug)]
pub struct Claim {
    folder: PathBuf,
    /// Closing it lifts the lock.
    _file: File,
    /// Why the system gave no lock, if it did not.
    unguarded: Option<io::Error>,
}

impl Claim {
    /// Claims a folder that exists. Where the file system has no locks the claim holds nevertheless, with a
    /// [`Claim::warning`].
    pub fn take(folder: &Path) -> Result<Claim, FolderError> {
        let path = folder.join(names::LOCK);
        // Some network file systems lock only what is open for writing.
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
        let file = file.map_err(OutputError::io(&path))?;
        let unguarded = judge(file.try_lock(), folder)?;
        Ok(Claim { folder: folder.into(), _file: file, unguarded })
    }

    /// Whether another process has the folder, as far as can be told.
    pub fn is_taken(folder: &Path) -> bool {
        let file = OpenOptions::new().write(true).open(folder.join(names::LOCK));
        file.is_ok_and(|file| matches!(file.try_lock(), Err(TryLockError::WouldBlock)))
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What to tell people about a claim that the system does not guard.
    pub fn warning(&self) -> Option<String> {
        let error = self.unguarded.as_ref()?;
        let folder = self.folder.display();
        Some(format!(
            "{folder} cannot be locked ({error}): make sure that no other process runs or resumes in it"
        ))
    }
}

/// Only a lock that another process holds is a refusal. Gives the reason where there is no lock at all.
fn judge(locked: Result<(), TryLockError>, folder: &Path) -> Result<Option<io::Error>, FolderError> {
    match locked {
        Ok(()) => Ok(None),
        Err(TryLockError::WouldBlock) => Err(FolderError::InUse { path: folder.into() }),
        Err(TryLockError::Error(error)) => Ok(Some(error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_claimed_once_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        assert!(!Claim::is_taken(folder.path()));
        let claim = Claim::take(folder.path()).unwrap();
        assert!(claim.warning().is_none() && Claim::is_taken(folder.path()));
        let text = Claim::take(folder.path()).unwrap_err().to_string();
        assert!(
            text.contains(&folder.path().display().to_string()) && text.contains("another process"),
            "{text}"
        );
        drop(claim);
        assert!(!Claim::is_taken(folder.path()));
        Claim::take(folder.path()).unwrap();
    }

    #[test]
    fn a_file_system_without_locks_gives_a_claim_with_a_warning() {
        let folder = tempfile::tempdir().unwrap();
        for kind in [io::ErrorKind::Unsupported, io::ErrorKind::Other] {
            let reason = judge(Err(TryLockError::Error(kind.into())), folder.path()).unwrap();
            let claim = Claim { unguarded: reason, ..Claim::take(folder.path()).unwrap() };
            let text = claim.warning().unwrap();
            assert!(text.contains("cannot be locked") && text.contains("no other process"), "{text}");
        }
    }

    #[test]
    fn a_folder_that_is_not_there_cannot_be_claimed() {
        let folder = tempfile::tempdir().unwrap();
        let text = Claim::take(&folder.path().join("nowhere")).unwrap_err().to_string();
        assert!(text.contains("nowhere") && text.contains("folder is missing"), "{text}");
    }
}
