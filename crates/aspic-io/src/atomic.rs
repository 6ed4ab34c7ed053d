//! A file appears whole or not at all: it is written under a sibling name and renamed into place.
//!
//! That is enough when a process dies. When the power goes, what was written last may be lost in any order, unless it
//! was synced: a file before it is renamed, so that no name stands for half a file, and then its folder, so that the
//! name stays.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::OutputError;

/// Writes `path` with `fill`. When anything fails, whatever stood at `path` before is untouched
/// and the temporary file (`path` + `.tmp`) is gone.
pub fn write(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), OutputError> {
    replace(path, fill, false)
}

/// The same, on the disk when this returns.
pub fn write_to_disk(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), OutputError> {
    replace(path, fill, true)?;
    sync_folder(parent(path))
}

fn replace(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    to_disk: bool,
) -> Result<(), OutputError> {
    let temporary = Temporary(sibling(path));
    let attempt = || {
        spare_devices(path)?;
        let mut file = BufWriter::new(File::create(&temporary.0)?);
        fill(&mut file)?;
        let file = file.into_inner().map_err(|error| error.into_error())?;
        note(|| Event::Wrote(temporary.0.clone()));
        if to_disk {
            sync(&file, &temporary.0)?;
        }
        drop(file);
        note(|| Event::Renamed(temporary.0.clone(), path.into()));
        fs::rename(&temporary.0, path)
    };
    attempt().map_err(OutputError::io(path))
}

/// What is no file would be gone: a file takes the name of a pipe or a device instead of going into it.
fn spare_devices(path: &Path) -> io::Result<()> {
    let stands = fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir());
    let cause = "it is a device, a pipe or a socket, which a file would replace: choose another name";
    if stands { Err(io::Error::new(io::ErrorKind::InvalidInput, cause)) } else { Ok(()) }
}

/// Makes a folder and those above it, on the disk when this returns.
pub fn create_folder(path: &Path) -> Result<(), OutputError> {
    let is_missing = |folder: &&Path| !folder.as_os_str().is_empty() && !folder.exists();
    let missing: Vec<&Path> = path.ancestors().take_while(is_missing).collect();
    fs::create_dir_all(path).map_err(OutputError::io(path))?;
    missing.into_iter().rev().try_for_each(|folder| sync_folder(parent(folder)))
}

/// Puts a file on the disk, unless somebody has taken it away.
pub fn sync_file(path: &Path) -> Result<(), OutputError> {
    let synced = OpenOptions::new().write(true).open(path).and_then(|file| sync(&file, path));
    match synced {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        synced => synced.map_err(OutputError::io(path)),
    }
}

/// Puts the content of an open file on the disk.
pub(crate) fn sync(file: &File, path: &Path) -> io::Result<()> {
    note(|| Event::Synced(path.into()));
    tolerate(file.sync_data())
}

/// Puts the names in a folder on the disk, where the system can.
pub fn sync_folder(path: &Path) -> Result<(), OutputError> {
    note(|| Event::SyncedFolder(path.into()));
    if !cfg!(unix) {
        return Ok(());
    }
    tolerate(File::open(path).and_then(|folder| folder.sync_all())).map_err(OutputError::io(path))
}

/// Some file systems have no such thing as syncing, and some folders may not be opened: nothing can be done then.
fn tolerate(synced: io::Result<()>) -> io::Result<()> {
    use io::ErrorKind::{InvalidInput, PermissionDenied, Unsupported};
    match synced {
        Err(error) if [InvalidInput, PermissionDenied, Unsupported].contains(&error.kind()) => Ok(()),
        synced => synced,
    }
}

/// The folder that a path lies in.
fn parent(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A file that is written bit by bit and appears when it is finished; until then, and if it never is, nothing shows.
#[derive(Debug)]
pub struct Pending {
    path: PathBuf,
    temporary: Temporary,
    file: BufWriter<File>,
}

impl Pending {
    /// Begins a file.
    pub fn begin(path: &Path) -> Result<Pending, OutputError> {
        spare_devices(path).map_err(OutputError::io(path))?;
        let temporary = Temporary(sibling(path));
        let opened = OpenOptions::new().read(true).write(true).create(true).truncate(true).open(&temporary.0);
        let file = opened.map_err(OutputError::io(path))?;
        Ok(Pending { path: path.into(), temporary, file: BufWriter::new(file) })
    }

    /// Puts it in its place.
    pub fn finish(mut self) -> Result<(), OutputError> {
        let done = self.file.flush().and_then(|()| fs::rename(&self.temporary.0, &self.path));
        done.map_err(OutputError::io(&self.path))
    }

    /// The name that it will have.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes over what stands at a byte, and goes back to the end.
    pub(crate) fn patch(&mut self, at: u64, bytes: &[u8]) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(at))?;
        self.file.write_all(bytes)?;
        self.file.seek(SeekFrom::End(0)).map(drop)
    }

    /// Takes out the bytes between two places. What stands behind moves forward.
    pub(crate) fn cut(&mut self, from: u64, to: u64) -> io::Result<()> {
        self.file.flush()?;
        let file = self.file.get_mut();
        let mut chunk = vec![0; 1 << 20];
        let mut moved = 0;
        loop {
            file.seek(SeekFrom::Start(to + moved))?;
            let read = file.read(&mut chunk)?;
            if read == 0 {
                break;
            }
            file.seek(SeekFrom::Start(from + moved))?;
            file.write_all(&chunk[..read])?;
            moved += read as u64;
        }
        file.set_len(from + moved)?;
        file.seek(SeekFrom::End(0)).map(drop)
    }

    /// Adds all it has to another file, instead of becoming one.
    pub(crate) fn pour(mut self, into: &mut Pending) -> io::Result<u64> {
        self.file.flush()?;
        into.file.flush()?;
        let file = self.file.get_mut();
        file.seek(SeekFrom::Start(0))?;
        io::copy(file, into.file.get_mut())
    }
}

/// What was written may be patched before the file is finished.
impl Seek for Pending {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

impl Write for Pending {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

pub(crate) fn sibling(path: &Path) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(".tmp");
    name.into()
}

/// Removes what is left over, even when `fill` panics. After the rename there is nothing to remove.
#[derive(Debug)]
pub(crate) struct Temporary(pub PathBuf);

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// What happened to a file, in the order in which the system was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    Wrote(PathBuf),
    Synced(PathBuf),
    Renamed(PathBuf, PathBuf),
    SyncedFolder(PathBuf),
}

/// Tests look at the order of events; nobody else does.
pub(crate) fn note(event: impl FnOnce() -> Event) {
    #[cfg(test)]
    EVENTS.with_borrow_mut(|events| events.push(event()));
    #[cfg(not(test))]
    let _ = event;
}

#[cfg(test)]
thread_local! {
    /// What this thread did so far.
    pub(crate) static EVENTS: std::cell::RefCell<Vec<Event>> = const { std::cell::RefCell::new(vec![]) };
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

    #[cfg(unix)]
    #[test]
    fn what_is_no_file_stays_what_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("socket");
        let _socket = std::os::unix::net::UnixListener::bind(&path).unwrap();
        let wrote = write(&path, |file| file.write_all(b"1"));
        let error = wrote.unwrap_err().to_string();
        assert!(error.ends_with("socket, which a file would replace: choose another name"), "{error}");
        assert!(Pending::begin(&path).is_err());
        assert_eq!(names(folder.path()), ["socket"]);
        assert!(!fs::metadata(&path).unwrap().is_file());
    }

    #[test]
    fn written_file_stands_alone_in_its_folder() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("frame");
        for content in [b"new", b"two"] {
            write(&path, |w| w.write_all(content)).unwrap();
            assert_eq!(fs::read(&path).unwrap(), content);
            write_to_disk(&path, |w| w.write_all(b"one")).unwrap();
            assert_eq!(fs::read(&path).unwrap(), b"one");
            assert_eq!(names(folder.path()), ["frame"]);
        }
    }

    #[test]
    fn full_disk_leaves_the_old_file_and_says_what_to_do() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("checkpoint");
        fs::write(&path, b"old").unwrap();
        let error = write_to_disk(&path, |w| {
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
    fn a_pending_file_can_be_patched_cut_and_poured_into_another() {
        let folder = tempfile::tempdir().unwrap();
        let (path, other) = (folder.path().join("head"), folder.path().join("body"));
        let mut file = Pending::begin(&path).unwrap();
        file.write_all(b"0123456789").unwrap();
        file.patch(1, b"ab").unwrap();
        file.cut(4, 7).unwrap();
        file.write_all(b"!").unwrap();
        let mut body = Pending::begin(&other).unwrap();
        body.write_all(b"body").unwrap();
        assert_eq!(body.pour(&mut file).unwrap(), 4);
        file.write_all(b".").unwrap();
        assert_eq!(names(folder.path()), ["head.tmp"]);
        file.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"0ab3789!body.");
        assert_eq!(names(folder.path()), ["head"]);
    }

    #[test]
    fn a_long_file_is_cut_without_losing_what_follows() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("long");
        let bytes: Vec<u8> = (0..3 << 20).map(|byte: usize| (byte % 251) as u8).collect();
        let mut file = Pending::begin(&path).unwrap();
        file.write_all(&bytes).unwrap();
        file.cut(10, 1000).unwrap();
        file.finish().unwrap();
        assert!(fs::read(&path).unwrap() == [&bytes[..10], &bytes[1000..]].concat());
    }

    #[test]
    fn missing_folder_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("nowhere/frame");
        let text = write(&path, |_| Ok(())).unwrap_err().to_string();
        assert!(text.contains("nowhere") && text.contains("folder is missing"), "{text}");
    }

    #[test]
    fn a_file_on_the_disk_was_synced_before_it_got_its_name_and_its_folder_after() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b/table");
        EVENTS.take();
        create_folder(&folder.path().join("a/b")).unwrap();
        write_to_disk(&path, |w| w.write_all(b"new")).unwrap();
        sync_file(&path).unwrap();
        sync_file(&folder.path().join("taken away")).unwrap();
        let temporary = folder.path().join("a/b/table.tmp");
        let expected = [
            Event::SyncedFolder(folder.path().into()),
            Event::SyncedFolder(folder.path().join("a")),
            Event::Wrote(temporary.clone()),
            Event::Synced(temporary.clone()),
            Event::Renamed(temporary, path.clone()),
            Event::SyncedFolder(folder.path().join("a/b")),
            Event::Synced(path),
        ];
        assert_eq!(EVENTS.take(), expected);
    }
}
