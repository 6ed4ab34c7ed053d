//! A tree of boxes over triangles, and what is asked of it: winding numbers, hits of a segment, overlapping boxes.

mod boxes;
mod hits;
mod moments;
#[cfg(test)]
mod tests;
mod winding;

pub use boxes::Tree;
pub(crate) use boxes::box_of;
pub use winding::Winding;
