//! Contact: what keeps surfaces apart.
//!
//! Everything here speaks of *surface points*. A surface point is a node of a solid, or follows several nodes by
//! fixed weights. Surface points span triangles, edges, or nothing but themselves.

mod apart;
mod approach;
mod bounds;
mod candidates;
#[cfg(test)]
mod candidates_tests;
mod closest;
mod crossing;
mod exact;
mod friction;
mod half_space;
mod hessian;
mod inside;
mod inversion;
mod law;
mod mollifier;
mod near;
mod overlap;
mod own;
#[cfg(test)]
mod own_tests;
mod pair;
mod part;
mod passage;
mod peace;
mod primitive;
mod reach;
mod repulsion;
mod rubbing;
mod search;
mod surface;
#[cfg(test)]
mod surface_tests;
mod sweep;
#[cfg(test)]
mod tests_support;
mod touching;
mod tree;
mod way_out;

pub use approach::safe_fraction;
pub use candidates::Candidates;
pub use closest::{Closest, Free, Parameter, closest};
pub use friction::Lagged;
pub use half_space::HalfSpace;
pub use hessian::{RankOnes, hessian};
pub use inversion::first_flat;
pub use law::{Backing, Contact, Friction, STIFFNESS_SCALE};
pub use mollifier::mollifier;
pub use overlap::{Demand, Overlap, OverlapSearch};
pub use pair::{Kind, Pair};
pub use part::{Part, Skin, SurfaceError};
pub use passage::passes;
pub(crate) use peace::begin_in_peace;
pub use reach::ContactDistance;
pub use repulsion::Repulsion;
pub use surface::{Surface, SurfacePart};
pub use touching::{Pushes, Slip, Stop, Touch, Touching};
