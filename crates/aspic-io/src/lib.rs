//! Files for aspic: meshes in, frames and run folders out.
