//! Contact: what keeps surfaces apart.
//!
//! Everything here speaks of *surface points*. A surface point is a node of a solid, or follows several nodes by
//! fixed weights. Surface points span triangles, edges, or nothing but themselves.

mod approach;
mod closest;
mod friction;
mod hessian;
mod inversion;
mod mollifier;
mod pair;
mod repulsion;
#[cfg(test)]
mod tests_support;

pub use approach::safe_fraction;
pub use closest::{Closest, Free, Parameter, closest};
pub use friction::Lagged;
pub use hessian::{RankOnes, hessian};
pub use inversion::{first_flat, first_flat_pack};
pub use mollifier::mollifier;
pub use pair::{Kind, Pair};
pub use repulsion::Repulsion;
