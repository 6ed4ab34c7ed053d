//! Discrete events: the first instant at which a condition Γ(q, q′, λ, t) > 0 fails (Liesenfeld & Stolfi 1997, 6 and 7).
//!
//! A step from t_a to t_b proposes a motion. Along it each condition is a function g of time, taken as a cubic Hermite
//! (or a straight line) in Bernstein form (28), (29). The first instant at which one stops being positive, rounded
//! down, ends the step; the equations change there.
//!
//! That bodies do not pass through each other is such a condition for each vertex and face (30) and each two edges
//! (31) that come near. Boxes around the motion of each element, kept in sorted lists from step to step, find those. A
//! [`Watch`] looks over a step in this way; between those who meet there is a [`Spring`] from then on, for as long as a
//! [`SpringContact`] lets it stay.

mod bernstein;
mod boxes;
mod condition;
mod contact;
mod happening;
mod indicators;
mod path;
mod solid;
mod spring;
mod sweep_and_prune;
mod watch;

pub use bernstein::{Cubic, Passage};
pub use boxes::{Bounds, sweep_boxes};
pub use condition::{Condition, Event, Extended, first_event};
pub use contact::{Released, Removal, Side, Skin, SpringContact};
pub use happening::{PullsLess, Pushes, StaysOnSide, StaysSlow};
pub use indicators::{Touch, TouchKind, Wedge, edge_edge, vertex_face};
pub use path::Path;
pub use solid::{crosses, inside};
pub use spring::{Meeting, Spring};
pub use sweep_and_prune::SweepAndPrune;
pub use watch::{First, Trace, Watch};

#[cfg(test)]
mod random;
