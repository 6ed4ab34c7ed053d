//! Files for aspic: meshes in, frames and run folders out.
//!
//! | module | file | direction |
//! |---|---|---|
//! | [`mesh`] | meshes and surfaces of every common format | in, and out |
//! | [`cache`] | USD, Alembic, glTF, point caches, sequences of OBJ and PLY …: a run for another program | out |
//! | [`vtu`] | `frames/000000.vtu` …, `frames.pvd` | out |
//! | [`ledger`] | `ledger.csv`, `ledger.svg`, `reactions.csv` | out, and in again to resume |
//! | [`checkpoint`] | `checkpoint` | out, and in again to resume |
//! | [`run_film`] | a run folder, frame by frame; `run.json` | in; out |
//! | [`render`], [`footage`] | PNG, GIF, MP4: pictures and films of a run | out |
//! | [`picture`] | `film.svg`: what happened, at a glance | out |
//! | [`claim`] | `lock`: one process at a time | – |
//!
//! No file is ever seen half written: each is written beside its place and renamed ([`atomic`]).
//! The two tables, which grow row by row, are the exception; their readers skip an unfinished last row.
//! Nothing here knows the physics: input becomes a `TetMesh`, output is made from a `Topology` and a `Frame`.

pub mod atomic;
pub mod cache;
pub mod checkpoint;
pub mod claim;
mod error;
mod film;
pub mod footage;
pub mod ledger;
pub mod mesh;
mod open;
pub mod palette;
pub mod picture;
pub mod render;
pub mod run_film;
pub mod run_folder;
mod settling;
mod strands;
mod table;
pub mod vtu;

pub use error::{OutputError, Place, ReadError};
