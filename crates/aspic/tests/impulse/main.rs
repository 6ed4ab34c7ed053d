//! Contact by impulses: mass points, floods, affine bodies, books, threads and restarts.

mod affine;
mod books;
mod cradle;
mod flood;
mod pairs;
mod planes;
mod repeat;
mod rigid;
mod scenes;
mod spheres;
mod support;
