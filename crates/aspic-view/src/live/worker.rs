//! The thread of a live run: commands, a step, a frame when it is due.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::time::Instant;

use aspic::frame::Frame;
use aspic::scene::{Scene, SceneError};
use aspic::{Settings, Simulation, Vec3};
use axum::body::Bytes;
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::{broadcast, watch};

use super::clock::Clock;
use super::snapshot::{LiveStage, Snapshot, can_move, head};
use super::{Command, FRAME_INTERVAL, Script, parameters, save};
use crate::protocol::{self, Level, LiveState, Request, TextFile, kind};

/// A hand reaches this many sizes of the smallest body: farther away it would tear.
const REACH: f64 = 10.0;

/// The run and all that belongs to its thread.
pub struct Worker {
    script: Script,
    /// The scene as it is now; the script has it as it was written.
    scene: Scene,
    simulation: Simulation,
    inbox: Receiver<Command>,
    newest: watch::Sender<Snapshot>,
    state: watch::Sender<LiveState>,
    notices: broadcast::Sender<Bytes>,
    clock: Clock,
    /// A frame that is there but not due yet.
    early: Option<(Frame, Instant)>,
    /// Whether somebody has looked yet.
    begun: bool,
    /// One frame is wanted although time stands still.
    single: bool,
    failed: bool,
}

/// Changes that need another world, gathered so that one will do.
struct Changes {
    scene: Scene,
    pins: Vec<u32>,
}

impl Worker {
    /// Builds the scene and its first frame.
    pub fn new(
        script: Script,
        inbox: Receiver<Command>,
        state: watch::Sender<LiveState>,
        notices: broadcast::Sender<Bytes>,
    ) -> Result<(Worker, watch::Receiver<Snapshot>), SceneError> {
        let scene = script.scene.clone();
        let simulation = scene.build_pinned(&*script.files, &[], settings(&scene))?;
        let snapshot = first(0, 0, &script, &scene, simulation)?;
        let (simulation, snapshot) = snapshot;
        let (newest, receiver) = watch::channel(snapshot);
        let worker = Worker {
            script,
            scene,
            simulation,
            inbox,
            newest,
            state,
            notices,
            clock: Clock::default(),
            early: None,
            begun: false,
            single: false,
            failed: false,
        };
        Ok((worker, receiver))
    }

    /// Runs until nobody can send commands any more.
    pub fn run(mut self) {
        while let Some(commands) = self.take_commands() {
            if !commands.is_empty() {
                self.obey(commands);
            }
            match self.early.take() {
                Some((frame, due)) if Instant::now() >= due => self.show(frame),
                Some(early) => self.early = Some(early),
                None if self.runs() => self.step(),
                None => (),
            }
        }
    }

    /// Whether time goes on.
    fn runs(&self) -> bool {
        self.begun && (self.single || !self.state.borrow().paused)
    }

    /// The commands that have come; waits for one while there is nothing else to do.
    fn take_commands(&mut self) -> Option<Vec<Command>> {
        let mut commands = vec![];
        if !self.runs() {
            commands.push(self.inbox.recv().ok()?);
        } else if let Some((_, due)) = &self.early {
            match self.inbox.recv_timeout(due.saturating_duration_since(Instant::now())) {
                Ok(command) => commands.push(command),
                Err(RecvTimeoutError::Timeout) => (),
                Err(RecvTimeoutError::Disconnected) => return None,
            }
        }
        loop {
            match self.inbox.try_recv() {
                Ok(command) => commands.push(command),
                Err(TryRecvError::Empty) => return Some(commands),
                Err(TryRecvError::Disconnected) => return None,
            }
        }
    }

    fn obey(&mut self, commands: Vec<Command>) {
        let mut changes = Changes { scene: self.scene.clone(), pins: self.state.borrow().pins.clone() };
        for command in commands {
            match command {
                Command::Hello => self.begin(),
                Command::Do(request, reply) => self.act(request, &reply, &mut changes),
            }
        }
        self.carry_over(changes);
    }

    fn act(&mut self, request: Request, reply: &UnboundedSender<Bytes>, changes: &mut Changes) {
        match request {
            Request::Pause => self.pause(),
            Request::Resume => self.resume(),
            Request::Step => self.single = true,
            Request::Reset => {
                self.carry_over(Changes { scene: changes.scene.clone(), pins: changes.pins.clone() });
                self.reset();
                *changes = Changes { scene: self.scene.clone(), pins: self.state.borrow().pins.clone() };
            }
            Request::Grab { point, to } => self.grab(point, Vec3::from(to)),
            Request::Release => {
                self.simulation.release();
                self.state.send_modify(|state| state.grabbed = None);
            }
            Request::Pin { point } => self.pin(point, changes),
            Request::Unpin { point } => changes.pins.retain(|&pin| pin != point),
            Request::Set { key, value } => self.set(&key, value, changes),
            Request::Save => {
                let _ = reply.send(self.save(changes));
            }
            // These are answered where they come in.
            Request::Want { .. } | Request::Frame { .. } | Request::Ready => (),
        }
    }

    fn say(&self, level: Level, text: String) {
        // Nobody may be listening.
        let _ = self.notices.send(protocol::notice(level, text));
    }

    /// The first who looks sets it going.
    fn begin(&mut self) {
        if !std::mem::replace(&mut self.begun, true) {
            self.restart_clock();
        }
    }

    fn restart_clock(&mut self) {
        self.clock.start(self.simulation.progress().0, Instant::now());
    }

    /// Stops time; a frame that is there already is shown at once.
    fn pause(&mut self) {
        self.state.send_if_modified(|state| !std::mem::replace(&mut state.paused, true));
        match self.early.take() {
            Some((frame, _)) => self.show(frame),
            None => self.publish(None),
        }
    }

    fn resume(&mut self) {
        self.failed = false;
        self.restart_clock();
        self.state.send_if_modified(|state| std::mem::replace(&mut state.paused, false));
    }

    fn grab(&mut self, point: usize, to: Vec3) {
        let world = self.simulation.world();
        let reach = REACH * world.scale.length;
        let q = &self.simulation.present().q;
        let place = world
            .embedding
            .of(point)
            .fold(Vec3::zeros(), |sum, (node, weight)| sum + q[node as usize] * weight);
        let grabbed = self.simulation.grab(point, place + (to - place).cap_magnitude(reach));
        if !grabbed {
            self.say(Level::Info, format!("point {point} belongs to nothing that could be pulled"));
        }
        let grabbed = grabbed.then_some(point);
        self.state.send_if_modified(|state| std::mem::replace(&mut state.grabbed, grabbed) != grabbed);
    }

    fn pin(&mut self, point: u32, changes: &mut Changes) {
        if !can_move(&self.simulation.world().topology, point as usize) {
            self.say(Level::Info, format!("point {point} belongs to nothing that moves"));
        } else if !changes.pins.contains(&point) {
            changes.pins.push(point);
        }
    }

    fn set(&mut self, key: &str, value: f64, changes: &mut Changes) {
        let Some(key) = parameters::find(key, &self.script.scene) else {
            return self.say(Level::Warning, format!("there is no parameter `{key}`"));
        };
        if let Err(error) = key.set(&mut changes.scene, value) {
            self.say(Level::Warning, said(&error));
        }
    }

    /// Goes on in another world if something has changed; stays in this one if that cannot be built.
    fn carry_over(&mut self, changes: Changes) {
        let Changes { scene, pins } = changes;
        if scene == self.scene && pins == self.state.borrow().pins {
            return;
        }
        let files = &*self.script.files;
        match scene.carry_over(files, &self.simulation, &pins, settings(&scene)) {
            Ok(simulation) => {
                self.simulation = simulation;
                self.scene = scene;
                self.state.send_if_modified(|state| std::mem::replace(&mut state.pins, pins.clone()) != pins);
                self.say_anew();
            }
            Err(error) => self.say(Level::Warning, said(&error)),
        }
    }

    /// Pages that come later are told the present values.
    fn say_anew(&mut self) {
        let parameters = parameters::list(&self.scene, &self.script.scene);
        let (title, duration) = (title(&self.script), self.scene.duration.si());
        self.newest.send_modify(|snapshot| {
            let stage = snapshot.stage.said_anew(&title, &self.simulation, duration, parameters);
            snapshot.stage = Arc::new(stage);
        });
    }

    /// Back to the start, with the parameters as they are and pinned points held where they start.
    fn reset(&mut self) {
        let pins = self.state.borrow().pins.clone();
        let (generation, serial) = {
            let last = self.newest.borrow();
            (last.stage.generation + 1, last.serial + 1)
        };
        let built = self.scene.build_pinned(&*self.script.files, &pins, settings(&self.scene));
        match built.and_then(|simulation| first(generation, serial, &self.script, &self.scene, simulation)) {
            Ok((simulation, snapshot)) => {
                self.simulation = simulation;
                (self.early, self.single) = (None, false);
                self.restart_clock();
                let failed = std::mem::replace(&mut self.failed, false);
                self.state.send_modify(|state| {
                    state.grabbed = None;
                    state.paused &= !failed;
                });
                let paused = self.state.borrow().paused;
                let head = protocol::Head { paused, ..snapshot.head };
                self.newest.send_replace(Snapshot { head, ..snapshot });
            }
            Err(error) => self.say(Level::Error, said(&error)),
        }
    }

    /// The scene as it is now, as a file.
    fn save(&self, changes: &Changes) -> Bytes {
        let Script { name, text, scene: start, .. } = &self.script;
        let topology = &self.simulation.world().topology;
        match save::write(text, start, &changes.scene, &changes.pins, topology) {
            Ok(text) => protocol::json(kind::FILE, &TextFile { name: format!("{name}.toml"), text }),
            Err(error) => protocol::notice(Level::Error, format!("the scene cannot be written: {error}")),
        }
    }

    /// One step; its frame waits until it is due.
    fn step(&mut self) {
        match self.simulation.next_step() {
            Ok(Some(frame)) if self.single => {
                self.single = false;
                self.show(frame);
            }
            Ok(Some(frame)) => {
                let due = self.clock.due(frame.ledger.t, Instant::now());
                self.early = Some((frame, due));
            }
            Ok(None) => (),
            Err(error) => {
                let text = format!("{}; {}", error.explain(self.simulation.world()), error.cure());
                self.say(
                    Level::Error,
                    format!("{text}. The run stands still; reset it, or change it and go on"),
                );
                (self.failed, self.single) = (true, false);
                self.pause();
            }
        }
    }

    fn show(&mut self, frame: Frame) {
        self.clock.shown(frame.ledger.t, Instant::now());
        self.publish(Some(frame));
    }

    /// Hands over a frame, or the last one once more with what is true of it now.
    fn publish(&mut self, frame: Option<Frame>) {
        let (slower, failed) = (self.clock.slower(), self.failed);
        let paused = self.state.borrow().paused;
        self.newest.send_modify(|snapshot| {
            snapshot.serial += 1;
            if let Some(frame) = frame {
                snapshot.head = head(&frame, &self.simulation);
                snapshot.head.slower = slower;
                snapshot.frame = Arc::new(frame);
            }
            (snapshot.head.paused, snapshot.head.failed) = (paused, failed);
        });
    }
}

/// The settings of a scene for a run without an end, with frames at least as often as screens show them.
fn settings(scene: &Scene) -> Settings {
    let settings = scene.settings();
    let frame_interval = settings.frame_interval.min(FRAME_INTERVAL);
    Settings { duration: f64::INFINITY, frame_interval, ..settings }
}

/// The first frame of a run, before any step.
fn first(
    generation: u64,
    serial: u64,
    script: &Script,
    scene: &Scene,
    mut simulation: Simulation,
) -> Result<(Simulation, Snapshot), SceneError> {
    let parameters = parameters::list(scene, &script.scene);
    let stage = LiveStage::new(generation, &title(script), &simulation, scene.duration.si(), parameters);
    let frame = simulation
        .next_step()
        .map_err(|error| SceneError::new(error.explain(simulation.world())).help(error.cure()))?;
    let frame = frame.unwrap_or_default();
    let head = head(&frame, &simulation);
    let snapshot = Snapshot { stage: Arc::new(stage), serial, frame: Arc::new(frame), head };
    Ok((simulation, snapshot))
}

fn title(script: &Script) -> String {
    script.scene.title.clone().unwrap_or_else(|| script.name.clone())
}

/// An error of a scene as one sentence.
fn said(error: &SceneError) -> String {
    match &error.help {
        Some(help) => format!("{}: {help}", error.message),
        None => error.message.clone(),
    }
}
