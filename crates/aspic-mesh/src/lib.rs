//! Tetrahedra from triangles.
//!
//! - [`stuff`] fills a surface with tetrahedra that follow it (isosurface stuffing);
//! - [`lattice`] covers it with whole lattice tetrahedra and embeds it in them;
//! - [`examine`] and [`examine_tets`] say what is wrong with a surface or a mesh and what would be done about it;
//! - [`merge`] makes coincident vertices one, and [`tidy`] leaves out what else is too much.
//!
//! Inside is where the generalised winding number is nearer to ±1 than to 0, so holes, self-intersections, overlapping
//! shells and duplicate triangles do no harm. The same input gives the same output on any number of threads.

mod error;
mod examine;
mod lattice;
mod manifold;
mod merge;
mod report;
#[cfg(test)]
mod shapes;
mod size;
mod soup;
mod stuff;
#[cfg(test)]
mod tests;
mod tidy;
mod tree;

pub use error::FillError;
pub use examine::{SurfaceReport, TetReport, examine, examine_tets};
pub use lattice::{Embedded, lattice};
pub use merge::{Merged, merge};
pub use report::Filling;
pub use size::{Cell, Keep};
pub use soup::Soup;
pub use stuff::{Filled, stuff};
pub use tidy::tidy;
pub use tree::{Tree, Winding};
