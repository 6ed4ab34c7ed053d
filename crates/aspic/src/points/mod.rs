//! P and W of a body of mass points: a rope, cloth, a block, a shell.
//!
//! Every energy is that of a quantity C of a few points which the body tries to keep, P = Σ ½ k (C − C₀)²: a distance,
//! an area, a volume, an angle. Each kind is a [`Keeper`], written once on packs of eight; [`Batch`] moves the data,
//! and a [`Network`] is all batches of one body. The quantities depend on differences of positions only and turn with
//! the body, so that every force keeps linear and angular momentum.
//!
//! Source: Teschner's course, with the factors of area and volume forces set right.

mod angle;
mod area;
mod batch;
mod bend;
mod cells;
mod damper;
mod damping;
mod distance;
mod enclosed;
mod fold;
mod keeper;
mod limit;
mod network;
mod order;
mod plastic;
mod point_rows;
mod solid;
mod sweep;
mod volume;

#[cfg(test)]
mod battery;

pub use angle::Angle;
pub use area::Area;
pub use batch::{Batch, Element};
pub use bend::Bend;
pub use cells::Cells;
pub use damping::{Damping, DampingTime};
pub use distance::Distance;
pub use enclosed::Enclosed;
pub use fold::{Fold, FoldScratch, Quantity};
pub use keeper::{Keeper, Vec3x8};
pub use limit::StrainLimit;
pub use network::{Change, Network, NetworkPlaces};
pub(crate) use order::spread;
pub use plastic::Growth;
pub use point_rows::{PointRow, PointRows};
pub(crate) use solid::EDGES;
pub use solid::{SolidScratch, Tet};
pub use volume::Volume;

pub use crate::yielding::Yield;
