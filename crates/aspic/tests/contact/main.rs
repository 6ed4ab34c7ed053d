//! Claims about contact, checked by a judge that shares no code with the library's contact.

mod judge;
mod scenes;
