//! The viewer from outside: real sockets, real folders, and pages that behave badly.

mod film;
mod html;
mod live;
mod safety;
mod support;
