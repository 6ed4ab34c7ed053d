//! The viewer of aspic: run folders and running scenes in a browser, and films as one page.
//!
//! | module | what |
//! |---|---|
//! | [`protocol`] | the messages between server and page, byte by byte |
//! | [`stage`] | what is said about a scene before its frames |
//! | [`reel`] | a run folder as a film, also while it is being written |
//! | [`live`] | a scene that runs while one looks at it, pulls at it and changes it |
//! | [`server`] | the page and the socket, behind a token |
//! | [`film`] | a run as one HTML file that needs no server |
//!
//! The page itself is TypeScript in the folder `web`; the build script puts it into this crate.

pub mod film;
pub mod live;
mod page;
pub mod protocol;
pub mod reel;
pub mod server;
mod session;
pub mod stage;

pub use page::{PAGE, PAGE_IS_THERE, WITHOUT_PAGE};
pub use server::{Options, Show, View, ViewError};
