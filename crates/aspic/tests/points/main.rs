//! Bodies of mass points: what their springs stand for, what they keep, what they lose.

mod changes;
mod moduli;
mod moving;
mod plates;
mod pressed;
mod refused;
mod statics;
mod support;
