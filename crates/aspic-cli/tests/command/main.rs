//! The command as its users meet it: run from outside, judged by exit code, words and files.

mod bad_mesh;
mod bad_scene;
mod caches;
mod disk;
mod export;
mod failure;
mod folder;
mod interruption;
mod mesh;
mod running;
mod stability;
mod support;
mod surfaces;
mod verdict;
mod view;
