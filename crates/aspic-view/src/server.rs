//! The page and the socket, behind a token that nobody can guess.
//!
//! The server listens on this machine only unless told otherwise. The address carries 128 random bits; whoever does
//! not know them gets 404 for everything.

use std::io;
use std::net::{SocketAddr, TcpListener, ToSocketAddrs};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use aspic::scene::SceneError;
use aspic_io::run_folder::FolderError;
use axum::Router;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tokio::runtime::Runtime;

use crate::live::{Live, Script};
use crate::reel::Reel;
use crate::{PAGE, session};

/// The port that is tried first where none is given.
pub const PORT: u16 = 4717;
/// Longest message of a page  \[bytes\]
const LONGEST: usize = 1 << 16;
/// Threads that serve pages.
const THREADS: usize = 2;

/// What is shown.
pub enum Show {
    /// A scene that runs.
    Live(Box<Script>),
    /// A run folder.
    Film(PathBuf),
}

/// Where to listen.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The address or name of this machine to listen on; this machine only where there is none.
    pub host: Option<String>,
    /// The port.
    pub port: Option<u16>,
}

/// Why a viewer could not be started.
#[derive(Debug, thiserror::Error)]
pub enum ViewError {
    /// The scene cannot be built.
    #[error("{}", .0.message)]
    Scene(SceneError),
    /// The folder cannot be read.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// Nobody can listen there.
    #[error("cannot listen on {host}:{port}: {error}: choose another --host or --port")]
    Listen {
        /// Where.
        host: String,
        /// The port.
        port: u16,
        /// Why.
        error: io::Error,
    },
    /// No random numbers, or no threads.
    #[error("cannot start the viewer: {0}")]
    System(String),
}

/// Counts messages of the wrong form.
#[derive(Clone, Debug, Default)]
pub struct Ignored(Arc<AtomicU64>);

impl Ignored {
    /// One more.
    pub fn count(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    /// How many there were.
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// A viewer that serves pages until it is dropped.
pub struct View {
    address: SocketAddr,
    token: String,
    taken: Option<u16>,
    runtime: Option<Runtime>,
    ignored: Ignored,
}

#[derive(Clone)]
struct Shared {
    token: Arc<str>,
    source: Source,
    ignored: Ignored,
}

/// Where frames come from.
#[derive(Clone)]
pub(crate) enum Source {
    Live(Arc<Live>),
    Film(Arc<Reel>),
}

impl View {
    /// Opens the scene or the folder and begins to serve it.
    pub fn start(show: Show, options: &Options) -> Result<View, ViewError> {
        let source = match show {
            Show::Live(script) => Source::Live(Arc::new(Live::start(*script).map_err(ViewError::Scene)?)),
            Show::Film(path) => Source::Film(Arc::new(Reel::open(&path)?)),
        };
        View::serve(source, options)
    }

    /// Begins to serve what is there.
    pub(crate) fn serve(source: Source, options: &Options) -> Result<View, ViewError> {
        let (listener, taken) = listen(options)?;
        let system = |error: io::Error| ViewError::System(error.to_string());
        let address = listener.local_addr().map_err(system)?;
        let token = token()?;
        let ignored = Ignored::default();
        let shared =
            Shared { token: token.as_str().into(), source: source.clone(), ignored: ignored.clone() };
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(THREADS).enable_all().build();
        let runtime = runtime.map_err(system)?;
        let listener = {
            let _inside = runtime.enter();
            tokio::net::TcpListener::from_std(listener).map_err(system)?
        };
        // It only ends with the runtime.
        runtime.spawn(async move { axum::serve(listener, router(shared)).await });
        if let Source::Film(reel) = source {
            runtime.spawn(follow(reel));
        }
        Ok(View { address, token, taken, runtime: Some(runtime), ignored })
    }

    /// The address for a browser on this machine.
    pub fn address(&self) -> String {
        let port = self.address.port();
        let host = match self.address {
            SocketAddr::V4(v4) if v4.ip().is_unspecified() => "127.0.0.1".to_owned(),
            SocketAddr::V6(v6) if v6.ip().is_unspecified() => "[::1]".to_owned(),
            SocketAddr::V4(v4) => v4.ip().to_string(),
            SocketAddr::V6(v6) => format!("[{}]", v6.ip()),
        };
        format!("http://{host}:{port}/{}/", self.token)
    }

    /// Whether other machines can reach it.
    pub fn is_open_to_others(&self) -> bool {
        !self.address.ip().is_loopback()
    }

    /// The port that was wanted and taken already, so that another one is used.
    pub fn taken(&self) -> Option<u16> {
        self.taken
    }

    /// Messages of films' pages that had another form; those of live runs are in the state that pages see.
    pub fn ignored(&self) -> u64 {
        self.ignored.get()
    }
}

impl Drop for View {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// Listens where asked; on any free port of that host if the port is taken, which is then told.
fn listen(options: &Options) -> Result<(TcpListener, Option<u16>), ViewError> {
    let host = options.host.as_deref().unwrap_or("127.0.0.1");
    let port = options.port.unwrap_or(PORT);
    let bind = |port: u16| -> io::Result<TcpListener> {
        let plain = host.trim_start_matches('[').trim_end_matches(']');
        let addresses: Vec<SocketAddr> = (plain, port).to_socket_addrs()?.collect();
        let listener = TcpListener::bind(&addresses[..])?;
        listener.set_nonblocking(true)?;
        Ok(listener)
    };
    let refused = |error: io::Error| ViewError::Listen { host: host.to_owned(), port, error };
    match bind(port) {
        Ok(listener) => Ok((listener, None)),
        Err(error) if error.kind() == io::ErrorKind::AddrInUse => Ok((bind(0).map_err(refused)?, Some(port))),
        Err(error) => Err(refused(error)),
    }
}

/// 128 random bits in hexadecimal digits.
fn token() -> Result<String, ViewError> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| ViewError::System(format!("no random numbers: {error}")))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

fn router(shared: Shared) -> Router {
    Router::new()
        .route("/{token}/", get(page))
        .route("/{token}/socket", get(socket))
        .fallback(|| async { StatusCode::NOT_FOUND })
        .with_state(shared)
}

impl Shared {
    /// Compares all of both, so that the time it takes tells nothing.
    fn knows(&self, token: &str) -> bool {
        let same = self.token.bytes().zip(token.bytes()).fold(0, |sum, (a, b)| sum | (a ^ b)) == 0;
        same & (self.token.len() == token.len())
    }
}

/// The page may load nothing from elsewhere and tells nobody its address.
const HEADERS: [(header::HeaderName, &str); 5] = [
    (header::CONTENT_TYPE, "text/html; charset=utf-8"),
    (header::CACHE_CONTROL, "no-store"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'self' 'unsafe-inline' data: blob:; connect-src 'self' ws: wss: data: blob:; form-action 'none'; base-uri 'none'",
    ),
];

async fn page(State(shared): State<Shared>, Path(token): Path<String>) -> Response {
    if !shared.knows(&token) {
        return StatusCode::NOT_FOUND.into_response();
    }
    (HEADERS, PAGE).into_response()
}

async fn socket(
    State(shared): State<Shared>,
    Path(token): Path<String>,
    upgrade: Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
) -> Response {
    let (true, Ok(upgrade)) = (shared.knows(&token), upgrade) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let upgrade = upgrade.max_message_size(LONGEST).max_frame_size(LONGEST);
    upgrade.on_upgrade(move |socket| async move {
        match shared.source {
            Source::Live(live) => session::live(socket, live).await,
            Source::Film(reel) => session::film(socket, reel, shared.ignored).await,
        }
    })
}

/// Looks at a run folder from time to time.
async fn follow(reel: Arc<Reel>) {
    loop {
        tokio::time::sleep(reel.pause()).await;
        let looked = Arc::clone(&reel);
        let _ = tokio::task::spawn_blocking(move || looked.refresh()).await;
    }
}
