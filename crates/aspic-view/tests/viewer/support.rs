//! A page without a browser, and runs to look at.

use std::path::Path;
use std::time::Duration;

use aspic::scene::{NoFiles, Scene};
use aspic_io::run_film::About;
use aspic_io::run_folder::{Plan, RunFolder};
use aspic_io::vtu::Fields;
use aspic_view::live::Script;
use aspic_view::protocol::LiveState;
use aspic_view::{Options, Show, View};
use futures_util::{SinkExt, StreamExt};
use serde_json::Value;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

/// A soft block above a floor.
pub const BLOCK: &str = r#"
title = "block"
duration = "0.5 s"
[output]
frame_rate = "20 fps"
[materials.jelly]
density = 1000
bulk = "40 kPa"
shear = "15 kPa"   # soft
shear_viscosity = 20
[obstacles.floor]
shape = { plane = { point = [0, 0, 0], normal = [0, 0, 1] } }
[bodies.block]
material = "jelly"
shape = { box = { size = ["10 cm", "10 cm", "10 cm"], cells = [2, 2, 2] } }
position = ["0 cm", "0 cm", "30 cm"]
"#;

/// The same without a floor, by explicit steps.
pub fn falling() -> String {
    BLOCK.replace("[obstacles.floor]\nshape = { plane = { point = [0, 0, 0], normal = [0, 0, 1] } }\n", "")
}

/// Any free port of this machine.
pub fn anywhere() -> Options {
    Options { host: None, port: Some(0) }
}

pub fn show_scene(text: &str) -> View {
    let script = Script {
        name: "block".into(),
        text: text.into(),
        scene: Scene::parse(text).unwrap(),
        files: Box::new(NoFiles),
    };
    View::start(Show::Live(Box::new(script)), &anywhere()).unwrap()
}

pub fn show_folder(path: &Path) -> View {
    View::start(Show::Film(path.into()), &anywhere()).unwrap()
}

/// A run that writes frame after frame when told to.
pub struct Writer {
    simulation: aspic::Simulation,
    folder: RunFolder,
    pub frames: Vec<aspic::frame::Frame>,
}

impl Writer {
    pub fn new(path: &Path, text: &str) -> Writer {
        let simulation = Scene::parse(text).unwrap().build(&NoFiles).unwrap();
        let topology = simulation.world().topology.clone();
        let about = About {
            title: "block".into(),
            frames: simulation.frame_count(),
            frame_interval: simulation.settings().frame_interval,
            duration: simulation.settings().duration,
            ..About::of(&topology)
        };
        let plan = Plan {
            scene: text,
            start: simulation.state(),
            topology: &topology,
            fields: Fields::default(),
            frames: 0..simulation.frame_count(),
            groups: &[],
            about,
        };
        let folder = RunFolder::create(path, &plan, false).unwrap();
        Writer { simulation, folder, frames: vec![] }
    }

    /// So many frames more, or what is left.
    pub fn write(&mut self, count: usize) {
        for _ in 0..count {
            let Some(frame) = self.simulation.next_frame().unwrap() else { break };
            self.folder.push(&frame, &self.simulation.checkpoint(), true).unwrap();
            self.frames.push(frame);
        }
    }

    pub fn finish(mut self) -> Vec<aspic::frame::Frame> {
        self.write(usize::MAX);
        self.folder.finish().unwrap();
        self.frames
    }
}

/// A frame message, taken apart.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    pub index: u32,
    pub t: f64,
    pub fields: u32,
    pub contacts: u32,
    pub slower: f64,
    pub steps: u32,
    pub paused: bool,
    pub failed: bool,
    pub ledger: Vec<f64>,
    pub positions: Vec<[f32; 3]>,
    /// All numbers behind the positions.
    pub rest: Vec<f32>,
}

/// What the server sent.
#[derive(Clone, Debug, PartialEq)]
pub enum Told {
    Scene(Value),
    /// Points, triangles, tetrahedra.
    Topology([u32; 3]),
    Frame(Box<Seen>),
    Notice(String, String),
    Growth(u32, bool),
    File(String, String),
    State(LiveState),
}

fn number(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

fn float(bytes: &[u8], at: usize) -> f64 {
    f64::from_le_bytes(bytes[at..at + 8].try_into().unwrap())
}

fn seen(bytes: &[u8]) -> Seen {
    let (points, ledger) = (number(bytes, 16) as usize, number(bytes, 28) as usize);
    let arrays = 64 + 8 * ledger;
    let floats: Vec<f32> =
        bytes[arrays..].as_chunks().0.iter().map(|chunk| f32::from_le_bytes(*chunk)).collect();
    let (positions, rest) = floats.split_at(3 * points);
    let flags = number(bytes, 60);
    Seen {
        index: number(bytes, 4),
        t: float(bytes, 8),
        fields: number(bytes, 20),
        contacts: number(bytes, 24),
        slower: float(bytes, 32),
        steps: number(bytes, 48),
        paused: flags & 1 != 0,
        failed: flags & 2 != 0,
        ledger: (0..ledger).map(|k| float(bytes, 64 + 8 * k)).collect(),
        positions: positions.as_chunks().0.to_vec(),
        rest: rest.to_vec(),
    }
}

fn told(bytes: &[u8]) -> Told {
    let json = || -> Value {
        assert_eq!(number(bytes, 4) as usize, bytes.len() - 8);
        serde_json::from_slice(&bytes[8..]).unwrap()
    };
    let text = |value: &Value, key: &str| value[key].as_str().unwrap().to_owned();
    match number(bytes, 0) {
        1 => Told::Scene(json()),
        2 => Told::Topology([4, 8, 12].map(|at| number(bytes, at))),
        3 => Told::Frame(Box::new(seen(bytes))),
        4 => Told::Notice(text(&json(), "level"), text(&json(), "text")),
        5 => Told::Growth(number(bytes, 4), number(bytes, 8) != 0),
        6 => Told::File(text(&json(), "name"), text(&json(), "text")),
        7 => Told::State(serde_json::from_value(json()).unwrap()),
        other => panic!("a message of kind {other}"),
    }
}

/// A page without a browser.
pub struct Page {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
}

/// Longest wait for an answer.
const PATIENCE: Duration = Duration::from_secs(20);

impl Page {
    pub async fn open(view: &View) -> Page {
        let address = view.address().replacen("http", "ws", 1) + "socket";
        // Browsers have no limit on the size of a message.
        let config = WebSocketConfig::default().max_message_size(None).max_frame_size(None);
        let connected = tokio_tungstenite::connect_async_with_config(address, Some(config), true).await;
        Page { socket: connected.unwrap().0 }
    }

    pub async fn say(&mut self, text: &str) {
        self.socket.send(Message::Text(text.into())).await.unwrap();
    }

    pub async fn say_bytes(&mut self, bytes: &[u8]) {
        self.socket.send(Message::Binary(bytes.to_vec().into())).await.unwrap();
    }

    /// Sends what may not arrive, and waits until the server has ended the connection.
    pub async fn end_cut_off_by(mut self, bytes: Vec<u8>) {
        let _ = self.socket.send(Message::Binary(bytes.into())).await;
        let ended = async { while let Some(Ok(_)) = self.socket.next().await {} };
        tokio::time::timeout(PATIENCE, ended).await.expect("still connected");
    }

    pub async fn hear(&mut self) -> Told {
        loop {
            let message = tokio::time::timeout(PATIENCE, self.socket.next()).await.expect("no answer");
            if let Message::Binary(bytes) = message.unwrap().unwrap() {
                return told(&bytes);
            }
        }
    }

    /// Passes over messages until one is of interest.
    pub async fn until<T>(&mut self, mut of_interest: impl FnMut(Told) -> Option<T>) -> T {
        loop {
            if let Some(found) = of_interest(self.hear().await) {
                return found;
            }
        }
    }

    /// The next scene message.
    pub async fn scene(&mut self) -> Value {
        self.until(|told| if let Told::Scene(scene) = told { Some(scene) } else { None }).await
    }

    /// Asks for the newest frame of a live run and waits for it.
    pub async fn newest(&mut self) -> Seen {
        self.say(r#"{"do":"ready"}"#).await;
        self.frame().await
    }

    /// The next frame.
    pub async fn frame(&mut self) -> Seen {
        *self.until(|told| if let Told::Frame(frame) = told { Some(frame) } else { None }).await
    }

    /// The next state that fulfils a condition.
    pub async fn state(&mut self, fits: impl Fn(&LiveState) -> bool) -> LiveState {
        self.until(|told| match told {
            Told::State(state) if fits(&state) => Some(state),
            _ => None,
        })
        .await
    }

    pub async fn close(mut self) {
        self.socket.close(None).await.unwrap();
    }
}
