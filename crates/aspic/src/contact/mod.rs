//! Contact: what keeps surfaces apart.
//!
//! Everything here speaks of *surface points*. A surface point is a node of a solid, or follows several nodes by
//! fixed weights. Surface points span triangles, edges, or nothing but themselves.

mod pair;

pub use pair::{Kind, Pair};
