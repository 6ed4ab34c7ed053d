//! One page on one socket.

use std::collections::VecDeque;
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::ws::{Message, WebSocket};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;

use crate::live::{Live, Snapshot};
use crate::protocol::{self, Level, Request, kind};
use crate::reel::Reel;
use crate::server::Ignored;

/// Frames of a film that are read at the same time for one page.
const READERS: usize = 4;
/// Frames that a page may have asked for and not got yet.
const WAITING: usize = 256;

/// The page went away, or the line broke: the session is over.
struct Gone;

type Alive = Result<(), Gone>;

async fn send(socket: &mut WebSocket, message: Bytes) -> Alive {
    socket.send(Message::Binary(message)).await.map_err(|_| Gone)
}

/// What a page sent: a request, something of another form, or nothing of interest.
enum Heard {
    Request(Request),
    Wrong,
    Nothing,
}

async fn hear(message: Option<Result<Message, axum::Error>>) -> Result<Heard, Gone> {
    match message {
        None | Some(Err(_)) | Some(Ok(Message::Close(_))) => Err(Gone),
        Some(Ok(Message::Text(text))) => Ok(Request::parse(&text).map_or(Heard::Wrong, Heard::Request)),
        Some(Ok(Message::Binary(_))) => Ok(Heard::Wrong),
        Some(Ok(Message::Ping(_) | Message::Pong(_))) => Ok(Heard::Nothing),
    }
}

/// A page that looks at a live run.
pub async fn live(mut socket: WebSocket, live: Arc<Live>) {
    let (reply, replies) = mpsc::unbounded_channel();
    let newest = live.newest();
    let mut page = LivePage { newest, wanted: 0, ready: false, sent: None, generation: None, live, reply };
    page.live.hello();
    let _ = page.serve(&mut socket, replies).await;
}

struct LivePage {
    newest: watch::Receiver<Snapshot>,
    wanted: u32,
    /// Whether a frame was asked for and not sent yet.
    ready: bool,
    /// Serial number of the last frame sent, and the generation of the last stage.
    sent: Option<u64>,
    generation: Option<u64>,
    live: Arc<Live>,
    reply: mpsc::UnboundedSender<Bytes>,
}

impl LivePage {
    async fn serve(&mut self, socket: &mut WebSocket, mut replies: mpsc::UnboundedReceiver<Bytes>) -> Alive {
        let (mut notices, mut state) = (self.live.notices(), self.live.state());
        self.send_stage(socket).await?;
        state.mark_changed();
        loop {
            tokio::select! {
                message = socket.recv() => self.hear(hear(message).await?),
                Ok(()) = state.changed() => {
                    let message = protocol::json(kind::STATE, &*state.borrow_and_update());
                    send(socket, message).await?;
                }
                notice = notices.recv() => match notice {
                    Ok(notice) => send(socket, notice).await?,
                    Err(RecvError::Lagged(_)) => (),
                    Err(RecvError::Closed) => return Err(Gone),
                },
                Some(reply) = replies.recv() => send(socket, reply).await?,
                Ok(()) = self.newest.changed() => (),
            }
            self.send_stage(socket).await?;
            self.send_frame(socket).await?;
        }
    }

    fn hear(&mut self, heard: Heard) {
        match heard {
            Heard::Request(Request::Want { fields }) => self.wanted = fields,
            Heard::Request(Request::Ready) => self.ready = true,
            Heard::Request(Request::Frame { .. }) | Heard::Wrong => self.live.ignore(),
            Heard::Request(request) => self.live.obey(request, &self.reply),
            Heard::Nothing => (),
        }
    }

    /// Sends scene and topology if the run has begun anew.
    async fn send_stage(&mut self, socket: &mut WebSocket) -> Alive {
        let stage = Arc::clone(&self.newest.borrow().stage);
        if self.generation.replace(stage.generation) == Some(stage.generation) {
            return Ok(());
        }
        self.sent = None;
        send(socket, stage.stage.scene.clone()).await?;
        send(socket, stage.stage.topology.clone()).await
    }

    /// Sends the newest frame if it was asked for and is not the last one again.
    async fn send_frame(&mut self, socket: &mut WebSocket) -> Alive {
        let snapshot = self.newest.borrow_and_update().clone();
        let shown = self.generation == Some(snapshot.stage.generation);
        if !self.ready || !shown || self.sent == Some(snapshot.serial) {
            return Ok(());
        }
        self.ready = false;
        self.sent = Some(snapshot.serial);
        send(socket, snapshot.message(self.wanted)).await
    }
}

/// A page that looks at a film.
pub async fn film(mut socket: WebSocket, reel: Arc<Reel>, ignored: Ignored) {
    let mut page = FilmPage { reel, ignored, wanted: 0, waiting: VecDeque::new(), reading: VecDeque::new() };
    let _ = page.serve(&mut socket).await;
}

struct FilmPage {
    reel: Arc<Reel>,
    ignored: Ignored,
    wanted: u32,
    /// Places in the film that were asked for, with the fields wanted then.
    waiting: VecDeque<(usize, u32)>,
    /// Frames that are being read, in the order in which they were asked for and will be sent.
    reading: VecDeque<JoinHandle<Bytes>>,
}

impl FilmPage {
    async fn serve(&mut self, socket: &mut WebSocket) -> Alive {
        let mut news = self.reel.news();
        let mut stage = Arc::clone(&news.borrow_and_update().stage);
        send(socket, stage.scene.clone()).await?;
        send(socket, stage.topology.clone()).await?;
        self.tell(socket, &news).await?;
        loop {
            self.read_on();
            tokio::select! {
                message = socket.recv() => self.hear(hear(message).await?),
                Ok(frame) = next(&mut self.reading), if !self.reading.is_empty() => {
                    self.reading.pop_front();
                    send(socket, frame).await?;
                }
                Ok(()) = news.changed() => {
                    let new = Arc::clone(&news.borrow_and_update().stage);
                    if !Arc::ptr_eq(&stage, &new) {
                        stage = new;
                        send(socket, stage.scene.clone()).await?;
                        send(socket, stage.topology.clone()).await?;
                    }
                    self.tell(socket, &news).await?;
                }
            }
        }
    }

    /// How many frames there are, and what is wrong with the folder. Frames that cannot be read are warnings, in answer
    /// to those who ask for them; these are not.
    async fn tell(&self, socket: &mut WebSocket, news: &watch::Receiver<crate::reel::News>) -> Alive {
        let news = news.borrow().clone();
        for text in news.notices {
            send(socket, protocol::notice(Level::Info, text)).await?;
        }
        send(socket, protocol::growth(news.frames, news.complete)).await
    }

    fn hear(&mut self, heard: Heard) {
        match heard {
            Heard::Request(Request::Want { fields }) => self.wanted = fields,
            Heard::Request(Request::Frame { index }) if self.waiting.len() < WAITING => {
                self.waiting.push_back((index, self.wanted));
            }
            Heard::Nothing => (),
            _ => self.ignored.count(),
        }
    }

    /// Begins to read frames that wait, a few at a time.
    fn read_on(&mut self) {
        while self.reading.len() < READERS
            && let Some((place, wanted)) = self.waiting.pop_front()
        {
            let reel = Arc::clone(&self.reel);
            self.reading.push_back(tokio::task::spawn_blocking(move || reel.frame(place, wanted)));
        }
    }
}

/// The first frame in the queue, once it is read; a reader that broke down gives a notice.
async fn next(reading: &mut VecDeque<JoinHandle<Bytes>>) -> Result<Bytes, std::convert::Infallible> {
    let Some(first) = reading.front_mut() else { return std::future::pending().await };
    let broken = |_| protocol::notice(Level::Warning, "a frame could not be read");
    Ok(first.await.unwrap_or_else(broken))
}
