//! The judge is judged: against whole numbers, by hand, and on bodies.

mod bodies;
mod by_hand;
mod random;
