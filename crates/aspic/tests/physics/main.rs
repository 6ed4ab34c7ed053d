//! Claims of physics, checked on whole meshes and whole runs against closed forms.

mod affine;
mod audit;
mod battery;
mod constraints;
mod explicit;
mod flight;
mod frequency;
mod guard;
mod loads;
mod moduli;
mod patch;
mod pendulum;
mod plastic;
mod restart;
mod shares;
mod stability;
mod statics;
mod support;
mod waves;
