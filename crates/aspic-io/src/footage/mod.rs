//! Pictures one after the other, into a film file.

mod colors;
mod gif;
mod mp4;

pub use self::gif::GifFilm;
pub use self::mp4::{Mp4Film, ffmpeg_command, ffmpeg_is_there};
use crate::OutputError;
use crate::render::Image;

/// A film that grows picture by picture. All pictures have the same size. One that is dropped leaves nothing behind.
pub trait Footage {
    /// Appends a picture.
    fn push(&mut self, image: &Image) -> Result<(), OutputError>;

    /// Puts the film in its place.
    fn finish(self: Box<Self>) -> Result<(), OutputError>;
}

#[cfg(test)]
mod tests;
