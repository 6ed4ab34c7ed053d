//! Claims about contact, checked by a judge that shares no code with the library's contact.

mod bad_surfaces;
mod failing;
mod judge;
mod overlap;
mod scenes;
