//! A run folder as a film for pages: frames on request, and news of a run that is still being written.

use std::path::{Path, PathBuf};
use std::sync::{Arc, RwLock, RwLockReadGuard};
use std::time::Duration;

use aspic::Vec3;
use aspic_io::ledger;
use aspic_io::run_film::{Fields, FilmFrame, RunFilm};
use aspic_io::run_folder::FolderError;
use axum::body::Bytes;
use tokio::sync::watch;

use crate::protocol::{self, Arrays, Head, Level, field};
use crate::stage::{Mode, Scene, Stage, visible};

/// How often a folder is looked at while its run is being written, and afterwards.
const WRITING: Duration = Duration::from_millis(500);
const WRITTEN: Duration = Duration::from_secs(3);

/// A run folder open for pages.
pub struct Reel {
    path: PathBuf,
    film: RwLock<RunFilm>,
    news: watch::Sender<News>,
}

/// What may have changed since a page looked.
#[derive(Clone, Debug)]
pub struct News {
    /// The opening messages; another one when the run was replaced.
    pub stage: Arc<Stage>,
    /// Frames there by now.
    pub frames: usize,
    /// Whether no more are to be expected.
    pub complete: bool,
    /// What was found wrong with the folder, for people.
    pub notices: Vec<String>,
}

impl Reel {
    /// Opens a run folder.
    pub fn open(path: &Path) -> Result<Reel, FolderError> {
        let mut film = RunFilm::open(path)?;
        let notices = film.take_notices();
        let (news, _) = watch::channel(news_of(&film, notices));
        Ok(Reel { path: path.into(), film: RwLock::new(film), news })
    }

    /// What there is to know; the receiver sees when it changes.
    pub fn news(&self) -> watch::Receiver<News> {
        self.news.subscribe()
    }

    /// How long to wait before the next [`Reel::refresh`].
    pub fn pause(&self) -> Duration {
        if self.news.borrow().complete { WRITTEN } else { WRITING }
    }

    /// Looks at the folder again. A run that was replaced by another is opened anew.
    pub fn refresh(&self) {
        let Ok(mut film) = self.film.write() else { return };
        let (before, points) = (film.len(), film.topology().points);
        // A folder that cannot be read now is left as it was; it may come back.
        let Ok(changed) = film.refresh() else { return };
        let replaced = film.len() < before;
        if replaced && let Ok(new) = RunFilm::open(&self.path) {
            *film = new;
        }
        if changed || replaced {
            let notices = film.take_notices();
            let same_stage = !replaced && film.topology().points == points;
            let stage = same_stage.then(|| Arc::clone(&self.news.borrow().stage));
            let mut news = news_of(&film, notices);
            news.stage = stage.unwrap_or(news.stage);
            self.news.send_replace(news);
        }
    }

    /// The message with a frame, or the notice that there is none.
    pub fn frame(&self, place: usize, wanted: u32) -> Bytes {
        let Some(film) = self.read() else {
            return protocol::notice(
                Level::Error,
                "the reader of the run has failed: start the viewer again",
            );
        };
        if place >= film.len() {
            let text = format!("there is no frame {place}: the film has {} frames", film.len());
            return protocol::notice(Level::Warning, text);
        }
        match film.frame_with(place, fields_of(wanted)) {
            Ok(frame) => message(place, &frame, wanted),
            Err(error) => protocol::notice(Level::Warning, format!("frame {place} is left out: {error}")),
        }
    }

    fn read(&self) -> Option<RwLockReadGuard<'_, RunFilm>> {
        self.film.read().ok()
    }
}

fn news_of(film: &RunFilm, notices: Vec<String>) -> News {
    let stage = Stage::new(&scene_of(film), film.topology(), film.start());
    News { stage: Arc::new(stage), frames: film.len(), complete: film.complete(), notices }
}

/// The scene message of a film as it is now.
pub fn scene_of(film: &RunFilm) -> Scene {
    let topology = film.topology();
    Scene {
        title: film.title(),
        planes: film.planes().to_vec(),
        constraints: visible(film.constraints().iter().cloned(), topology),
        frames: film.len(),
        complete: film.complete(),
        frame_interval: film.frame_interval(),
        duration: film.duration(),
        fields: bits_of(film.fields()),
        ..Scene::of(Mode::Film, topology)
    }
}

/// Bits of the fields that the files of a run have.
pub fn bits_of(fields: Fields) -> u32 {
    let bit = |there: bool, bit: u32| if there { bit } else { 0 };
    bit(fields.velocity, field::VELOCITY)
        | bit(fields.stress, field::STRESS)
        | bit(fields.energy, field::ENERGY)
        | bit(fields.contact, field::CONTACT)
        | bit(fields.reaction, field::REACTION)
}

/// The fields of files that some bits ask for.
pub fn fields_of(wanted: u32) -> Fields {
    Fields {
        velocity: wanted & field::VELOCITY != 0,
        stress: wanted & field::STRESS != 0,
        energy: wanted & field::ENERGY != 0,
        contact: wanted & field::CONTACT != 0,
        reaction: wanted & field::REACTION != 0,
        ..Fields::NONE
    }
}

/// How many points have a force.
pub fn touched(forces: &[Vec3]) -> u32 {
    forces.iter().filter(|force| **force != Vec3::zeros()).count() as u32
}

/// A frame of a film as a message. A row of the ledger that is not there yet has only its time.
fn message(place: usize, frame: &FilmFrame, wanted: u32) -> Bytes {
    let row = frame.ledger.as_ref().map(ledger::numbers);
    let step = frame.ledger.as_ref().map_or(0.0, |row| row.step);
    let mut unknown = [f64::NAN; ledger::COLUMNS.len()];
    unknown[0] = frame.t;
    let contacts = touched(&frame.contact);
    let head = Head { index: place as u32, t: frame.t, contacts, step, ..Head::default() };
    let arrays = Arrays {
        ledger: row.as_ref().unwrap_or(&unknown),
        positions: &frame.positions,
        velocities: &frame.velocities,
        stress: &frame.von_mises,
        energy: &frame.energy_density,
        contact: &frame.contact,
        reaction: &frame.reaction,
    };
    protocol::frame(&head, &arrays, wanted)
}
