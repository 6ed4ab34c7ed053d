//! What a power cut leaves, from the order in which files are written, synced and renamed.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use super::*;
use crate::atomic::{EVENTS, Event};

/// What would be lost or half there if the power went now.
#[derive(Default)]
struct Afloat {
    /// Files whose content is not on the disk.
    contents: BTreeSet<PathBuf>,
    /// Files whose name is not on the disk.
    names: BTreeSet<PathBuf>,
}

impl Afloat {
    fn apply(&mut self, event: &Event) {
        match event {
            Event::Wrote(path) => drop(self.contents.insert(path.clone())),
            Event::Synced(path) => drop(self.contents.remove(path)),
            Event::Renamed(from, to) => {
                if self.contents.remove(from) {
                    self.contents.insert(to.clone());
                }
                self.names.insert(to.clone());
            }
            Event::SyncedFolder(folder) => self.names.retain(|path| path.parent() != Some(folder)),
        }
    }

    /// All but the list of frames, which every run writes again.
    fn relied_on(&self) -> Vec<&Path> {
        let all = self.contents.iter().chain(&self.names).map(PathBuf::as_path);
        all.filter(|path| !path.ends_with(names::SERIES)).collect()
    }
}

/// Goes through the events of this thread. No checkpoint may get its name while something it relies on is afloat; gives
/// the number of checkpoints, and what is afloat at the end.
fn replay() -> (usize, Afloat) {
    let (mut afloat, mut checkpoints) = (Afloat::default(), 0);
    for event in EVENTS.take() {
        if let Event::Renamed(_, to) = &event
            && to.ends_with(names::CHECKPOINT)
        {
            assert_eq!(afloat.relied_on(), Vec::<&Path>::new(), "checkpoint {checkpoints}");
            checkpoints += 1;
        }
        afloat.apply(&event);
    }
    (checkpoints, afloat)
}

fn topology() -> Topology {
    Topology { nodes: 4, points: 4, tets: vec![[0, 1, 2, 3]], ..Topology::default() }
}

fn frame(index: usize) -> Frame {
    let positions = vec![Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()];
    let ledger = Ledger { t: index as f64, ..Ledger::default() };
    Frame { index, positions, ledger, ..Frame::default() }
}

fn behind(index: usize) -> run::Checkpoint {
    run::Checkpoint {
        state: State::at_rest(frame(index).positions),
        dt: 1.0,
        past: None,
        frames: index + 1,
        statistics: run::Statistics::default(),
    }
}

fn push(folder: &mut RunFolder, index: usize) {
    folder.push(&frame(index), &behind(index), true).unwrap();
}

/// Makes a folder beneath one that is not there either.
fn with_folder<T>(work: impl FnOnce(&Path, &Plan) -> T) -> T {
    let desk = tempfile::tempdir().unwrap();
    let (topology, start) = (topology(), State::at_rest(frame(0).positions));
    let (fields, about) = (Fields::default(), About::of(&topology));
    let plan = Plan {
        scene: "scene",
        start: &start,
        topology: &topology,
        fields,
        frames: 0..20,
        groups: &[],
        about,
    };
    EVENTS.take();
    work(&desk.path().join("out/run"), &plan)
}

/// Frames one at a time, each put on the disk by this thread with all that belongs to it.
fn push_settled(folder: &mut RunFolder, range: Range<usize>) {
    for index in range {
        rest(folder, 3600);
        push(folder, index);
        folder.settling.settle().unwrap();
    }
}

/// Lets the disk rest for so many seconds.
fn rest(folder: &mut RunFolder, seconds: u64) {
    folder.settling.rest_until = Some(Instant::now() + Duration::from_secs(seconds));
}

/// The frame that the checkpoint goes on with.
fn next(path: &Path) -> Option<usize> {
    RunFolder::open(path).unwrap().checkpoint.map(|checkpoint| checkpoint.next_frame)
}

#[test]
fn a_power_cut_never_finds_a_checkpoint_without_what_it_relies_on() {
    with_folder(|path, plan| {
        let mut folder = RunFolder::create(path, plan, false).unwrap();
        push_settled(&mut folder, 0..4);
        for index in 4..10 {
            rest(&mut folder, 3600);
            push(&mut folder, index);
        }
        folder.finish().unwrap();
        let (checkpoints, afloat) = replay();
        assert_eq!((checkpoints, next(path)), (5, Some(10)), "behind frames 0, 1, 2, 3 and 9");
        assert!(afloat.contents.is_empty() && afloat.names.is_empty(), "all is on the disk at the end");
    });
}

#[test]
fn a_run_that_is_taken_up_again_keeps_that_promise() {
    with_folder(|path, plan| {
        let mut folder = RunFolder::create(path, plan, false).unwrap();
        (0..3).for_each(|index| push(&mut folder, index));
        folder.finish().unwrap();
        drop(folder);
        EVENTS.take();
        let claim = RunFolder::claim(path).unwrap();
        let checkpoint = RunFolder::open(path).unwrap().checkpoint;
        assert_eq!(next(path), Some(3));
        let mut folder = RunFolder::resume(claim, checkpoint.as_ref(), plan).unwrap();
        push_settled(&mut folder, 3..6);
        assert_eq!(replay().0, 3);
    });
}

#[test]
fn while_the_disk_rests_the_checkpoint_waits_but_not_beyond_the_end() {
    with_folder(|path, plan| {
        let mut folder = RunFolder::create(path, plan, false).unwrap();
        push_settled(&mut folder, 0..1);
        EVENTS.take();
        rest(&mut folder, 3600);
        (1..5).for_each(|index| push(&mut folder, index));
        assert_eq!(next(path), Some(1));
        let is_sync = |event: &Event| matches!(event, Event::Synced(_) | Event::SyncedFolder(_));
        assert!(!EVENTS.with_borrow(|events| events.iter().any(is_sync)), "waiting costs nothing");
        folder.finish().unwrap();
        assert_eq!((next(path), replay().0), (Some(5), 1));
    });
}

#[test]
fn another_thread_writes_checkpoints_while_the_run_goes_on() {
    with_folder(|path, plan| {
        let mut folder = RunFolder::create(path, plan, false).unwrap();
        push(&mut folder, 0);
        for index in 1..1000 {
            if next(path).is_some_and(|next| next >= 3) {
                break;
            }
            std::thread::sleep(Duration::from_millis(5));
            push(&mut folder, index);
        }
        assert!(next(path).is_some_and(|next| next >= 3), "{:?}", next(path));
        // Whatever it did, its files were there first.
        let rows = ledger::read(&path.join(names::LEDGER)).unwrap().len();
        assert!((0..next(path).unwrap()).all(|index| path.join(frame_file(index)).is_file()));
        assert!(rows >= next(path).unwrap());
    });
}

#[test]
fn a_checkpoint_that_could_not_be_written_stops_the_run_at_the_next_frame() {
    with_folder(|path, plan| {
        let mut folder = RunFolder::create(path, plan, false).unwrap();
        std::fs::create_dir(path.join(names::CHECKPOINT)).unwrap();
        let mut push = |index| folder.push(&frame(index), &behind(index), true);
        let error = (0..1000).find_map(|index| {
            std::thread::sleep(Duration::from_millis(2));
            push(index).err()
        });
        assert!(error.unwrap().to_string().contains("checkpoint"));
        std::fs::remove_dir(path.join(names::CHECKPOINT)).unwrap();
        folder.finish().unwrap();
        assert_eq!(next(path), Some(folder.rows().len()), "when that is mended, nothing is lost");
    });
}

#[test]
fn a_frame_file_that_somebody_took_away_does_not_stop_the_run() {
    with_folder(|path, plan| {
        let mut folder = RunFolder::create(path, plan, false).unwrap();
        rest(&mut folder, 3600);
        push(&mut folder, 0);
        std::fs::remove_file(path.join(frame_file(0))).unwrap();
        folder.settling.settle().unwrap();
        assert_eq!(next(path), Some(1));
    });
}
