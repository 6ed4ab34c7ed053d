//! Claims about implicit steps and contact. A judge that shares no code with the library's contact looks at every
//! frame.

mod bounce;
mod constraints;
mod extreme;
mod hertz;
mod implicit;
mod judge;
mod restart;
mod slope;
mod support;
mod threads;
