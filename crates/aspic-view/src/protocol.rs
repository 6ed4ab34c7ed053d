//! The messages between server and page, version 1. All numbers are little-endian.
//!
//! From the server come binary messages: a kind (u32), then what belongs to it. The page sends small JSON texts.
//! `docs/viewer.md` has the tables.

use aspic::Vec3;
use aspic::frame::Topology;
use axum::body::Bytes;
use serde::{Deserialize, Serialize};

/// Version of the messages.
pub const VERSION: u32 = 1;

/// Kinds of messages.
pub mod kind {
    /// The scene, as JSON.
    pub const SCENE: u32 = 1;
    /// Triangles, tetrahedra, edges and places at rest.
    pub const TOPOLOGY: u32 = 2;
    /// A frame.
    pub const FRAME: u32 = 3;
    /// A sentence for people, as JSON.
    pub const NOTICE: u32 = 4;
    /// How many frames a film has by now.
    pub const GROWTH: u32 = 5;
    /// A text file to download, as JSON.
    pub const FILE: u32 = 6;
    /// The state of a live run, as JSON.
    pub const STATE: u32 = 7;
}

/// Bits of the fields that a frame can carry besides positions.
pub mod field {
    /// Velocities  \[m/s\]
    pub const VELOCITY: u32 = 1;
    /// Von Mises stress  \[Pa\]
    pub const STRESS: u32 = 2;
    /// Elastic energy density  \[J/m³\]
    pub const ENERGY: u32 = 4;
    /// Force of contact  \[N\]
    pub const CONTACT: u32 = 8;
    /// Force of constraints  \[N\]
    pub const REACTION: u32 = 16;
}

/// How serious a notice is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Good to know.
    Info,
    /// Something was left out.
    Warning,
    /// Something cannot go on.
    Error,
}

/// A sentence for people.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Notice {
    /// How serious it is.
    pub level: Level,
    /// The sentence.
    pub text: String,
}

/// A text file to download.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TextFile {
    /// Its name.
    pub name: String,
    /// What is in it.
    pub text: String,
}

/// The state of a live run, sent when it changes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LiveState {
    /// Whether time stands still.
    pub paused: bool,
    /// Points held by hand, as numbers.
    pub pins: Vec<u32>,
    /// The point that a hand pulls at.
    pub grabbed: Option<usize>,
    /// Messages of the wrong form so far.
    pub ignored: u64,
}

/// What a page can ask for.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase", deny_unknown_fields)]
pub enum Request {
    /// Which fields frames shall carry from now on.
    Want {
        /// Bits of [`field`].
        fields: u32,
    },
    /// A frame of a film.
    Frame {
        /// Its place in the film.
        index: usize,
    },
    /// The newest frame of a live run, when there is one that was not sent yet.
    Ready,
    /// Time stands still.
    Pause,
    /// Time goes on.
    Resume,
    /// One frame further.
    Step,
    /// Back to the start.
    Reset,
    /// Pull a point.
    Grab {
        /// The point.
        point: usize,
        /// Where to  \[m\]
        to: [f64; 3],
    },
    /// Let go.
    Release,
    /// Hold a point where it is.
    Pin {
        /// The point.
        point: u32,
    },
    /// Let it go.
    Unpin {
        /// The point.
        point: u32,
    },
    /// Change a parameter.
    Set {
        /// Which, as the scene message names it.
        key: String,
        /// New value in the unit of the parameter.
        value: f64,
    },
    /// The scene as it is now, as a file.
    Save,
}

impl Request {
    /// Reads a message; `None` if it has another form.
    pub fn parse(text: &str) -> Option<Request> {
        serde_json::from_str(text).ok()
    }
}

/// A message of JSON: kind, length, text.
pub fn json(kind: u32, value: &impl Serialize) -> Bytes {
    // Only maps with odd keys and numbers that are not finite cannot be written; there are none.
    let text = serde_json::to_vec(value).unwrap_or_default();
    let mut out = Vec::with_capacity(8 + text.len());
    put_numbers(&mut out, [kind, text.len() as u32]);
    out.extend(text);
    out.into()
}

/// A notice as a message.
pub fn notice(level: Level, text: impl Into<String>) -> Bytes {
    json(kind::NOTICE, &Notice { level, text: text.into() })
}

/// The growth of a film.
pub fn growth(frames: usize, complete: bool) -> Bytes {
    let mut out = Vec::with_capacity(12);
    put_numbers(&mut out, [kind::GROWTH, frames as u32, u32::from(complete)]);
    out.into()
}

/// Triangles, tetrahedra, edges and places at rest \[m\].
pub fn topology(Topology { triangles, tets, edges, .. }: &Topology, rest: &[Vec3]) -> Bytes {
    let size = 20 + 12 * (triangles.len() + rest.len()) + 16 * tets.len() + 8 * edges.len();
    let mut out = Vec::with_capacity(size);
    let counts = [rest.len(), triangles.len(), tets.len(), edges.len()];
    put_numbers(&mut out, [kind::TOPOLOGY]);
    put_numbers(&mut out, counts.map(|count| count as u32));
    put_numbers(&mut out, triangles.iter().flatten().copied());
    put_numbers(&mut out, tets.iter().flatten().copied());
    put_numbers(&mut out, edges.iter().flatten().copied());
    put_vectors(&mut out, rest);
    out.into()
}

/// What stands in front of the arrays of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Head {
    /// Number of the frame; of a film its place.
    pub index: u32,
    /// Simulated time  \[s\]
    pub t: f64,
    /// Points with a force of contact.
    pub contacts: u32,
    /// Wall seconds per simulated second of a live run; 0 for films.
    pub slower: f64,
    /// Length of the last step  \[s\]
    pub step: f64,
    /// Steps taken so far.
    pub steps: u32,
    /// Steps thrown away so far.
    pub rejected: u32,
    /// Newton directions so far.
    pub newton: u32,
    /// Whether time stands still.
    pub paused: bool,
    /// Whether the last step failed.
    pub failed: bool,
}

/// The arrays of a frame; those that are empty are not there.
#[derive(Clone, Copy, Debug, Default)]
pub struct Arrays<'a> {
    /// The row of the ledger.
    pub ledger: &'a [f64],
    /// Positions  \[m\]
    pub positions: &'a [Vec3],
    /// Velocities  \[m/s\]
    pub velocities: &'a [Vec3],
    /// Von Mises stress  \[Pa\]
    pub stress: &'a [f64],
    /// Elastic energy density  \[J/m³\]
    pub energy: &'a [f64],
    /// Force of contact  \[N\]
    pub contact: &'a [Vec3],
    /// Force of constraints  \[N\]
    pub reaction: &'a [Vec3],
}

/// Bytes in front of the arrays.
pub const HEAD: usize = 64;

/// A frame with those of the wanted fields that are there.
pub fn frame(head: &Head, arrays: &Arrays, wanted: u32) -> Bytes {
    let there = |bit: u32, empty: bool| if wanted & bit != 0 && !empty { bit } else { 0 };
    let fields = there(field::VELOCITY, arrays.velocities.is_empty())
        | there(field::STRESS, arrays.stress.is_empty())
        | there(field::ENERGY, arrays.energy.is_empty())
        | there(field::CONTACT, arrays.contact.is_empty())
        | there(field::REACTION, arrays.reaction.is_empty());
    let points = arrays.positions.len();
    let mut out = Vec::with_capacity(HEAD + 8 * arrays.ledger.len() + 4 * numbers_per_point(fields) * points);
    put_head(&mut out, head, arrays, fields);
    arrays.ledger.iter().for_each(|value| out.extend(value.to_le_bytes()));
    put_vectors(&mut out, arrays.positions);
    let has = |bit: u32| fields & bit != 0;
    if has(field::VELOCITY) {
        put_vectors(&mut out, arrays.velocities);
    }
    if has(field::STRESS) {
        put_scalars(&mut out, arrays.stress);
    }
    if has(field::ENERGY) {
        put_scalars(&mut out, arrays.energy);
    }
    if has(field::CONTACT) {
        put_vectors(&mut out, arrays.contact);
    }
    if has(field::REACTION) {
        put_vectors(&mut out, arrays.reaction);
    }
    out.into()
}

/// Numbers of 32 bits that a point has in a frame, its position included.
pub fn numbers_per_point(fields: u32) -> usize {
    let width = |bit: u32, width: usize| if fields & bit != 0 { width } else { 0 };
    let vectors = width(field::VELOCITY, 3) + width(field::CONTACT, 3) + width(field::REACTION, 3);
    3 + vectors + width(field::STRESS, 1) + width(field::ENERGY, 1)
}

fn put_head(out: &mut Vec<u8>, head: &Head, arrays: &Arrays, fields: u32) {
    put_numbers(out, [kind::FRAME, head.index]);
    out.extend(head.t.to_le_bytes());
    put_numbers(out, [arrays.positions.len() as u32, fields, head.contacts, arrays.ledger.len() as u32]);
    out.extend(head.slower.to_le_bytes());
    out.extend(head.step.to_le_bytes());
    let flags = u32::from(head.paused) | u32::from(head.failed) << 1;
    put_numbers(out, [head.steps, head.rejected, head.newton, flags]);
}

pub(crate) fn put_numbers(out: &mut Vec<u8>, numbers: impl IntoIterator<Item = u32>) {
    numbers.into_iter().for_each(|number| out.extend(number.to_le_bytes()));
}

/// Appends vectors as 32-bit numbers. Writing into place is several times faster than pushing.
fn put_vectors(out: &mut Vec<u8>, vectors: &[Vec3]) {
    let start = out.len();
    out.resize(start + 12 * vectors.len(), 0);
    let (places, _) = out[start..].as_chunks_mut::<12>();
    for (place, vector) in places.iter_mut().zip(vectors) {
        let (parts, _) = place.as_chunks_mut::<4>();
        for (part, number) in parts.iter_mut().zip(vector.as_slice()) {
            *part = (*number as f32).to_le_bytes();
        }
    }
}

fn put_scalars(out: &mut Vec<u8>, scalars: &[f64]) {
    let start = out.len();
    out.resize(start + 4 * scalars.len(), 0);
    let (places, _) = out[start..].as_chunks_mut::<4>();
    places.iter_mut().zip(scalars).for_each(|(place, scalar)| *place = (*scalar as f32).to_le_bytes());
}

#[cfg(test)]
mod tests;
