//! The body-centred cubic lattice over a surface: its points and tetrahedra, which points are inside, and the uncut
//! choice that keeps whole tetrahedra.

mod bcc;
mod embed;
mod labels;
mod near;
mod overlap;
mod shares;

pub(crate) use bcc::{Lattice, NEIGHBOURS, Point, points_in, six_volumes};
pub use embed::{Embedded, lattice};
pub(crate) use labels::labels;
