//! Claims about implicit steps and contact. A judge that shares no code with the library's contact looks at every
//! frame.

mod adaptive;
mod arch;
mod bad_surfaces;
mod bounce;
mod constraints;
mod extreme;
mod failing;
mod forces;
mod hertz;
mod implicit;
mod judge;
mod locks;
mod overlap;
mod pendulums;
mod putty;
mod restart;
mod scenes;
mod slope;
mod support;
mod threads;
