//! The command `aspic`.
fn main() {}
