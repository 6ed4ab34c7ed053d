//! Elastic solids known by their surface alone: boundary elements in three dimensions.
//!
//! Somigliana's identity ties the displacements u and the tractions t on the surface of a linear elastic body:
//!
//! ```text
//! C u(P) + ∫ T u dS = ∫ U t dS + ∫ U b dV          (P on the surface)
//! ```
//!
//! With straight triangles, u and t linear on each and P at every vertex it becomes H u = G t + B.
//!
//! | what | where |
//! |---|---|
//! | U and T, the answer of infinite space to a point force | [`kernel`] |
//! | the closed triangle mesh and its checks | [`Surface`] |
//! | integrals over a triangle in closed form | [`panel`], [`moments`], [`integrate`] |
//! | H and G, loads that jump at edges | [`Operator`], [`Load`] |
//! | weight, centrifugal and Euler force | [`LinearForce`], [`particular`] |
//! | mixed conditions, slip, rigid modes | [`System`] |
//! | changed conditions in real time | [`Green`] |
//! | the body as a spring on its surface nodes | [`stiffness`] |
//! | its inertia there, and with a few nodes for the inside | [`mass`], [`whole`] |
//! | large bodies in little memory, and their equations | [`Compressed`], [`Matrix`] |
//!
//! A tetrahedron under pressure from all sides:
//!
//! ```
//! use aspic_boundary::Vec3;
//! use aspic_boundary::solid::{Condition, Load, Medium, Operator, Surface, System};
//!
//! let corners = vec![Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()];
//! let body = Surface::new(corners, vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])?;
//! let rubber = Medium::new(1e6, 0.45)?;
//! let operator = Operator::new(body, rubber);
//! let pressure: Vec<Vec3> = operator.panels().iter().map(|panel| panel.normal * -1e4).collect();
//! let load = Load::none(&operator).faces(&operator, &pressure)?;
//! let system = System::new(&operator, vec![Condition::free(); 4])?;
//! let answer = system.solve(&[Vec3::zeros(); 4], &load)?;
//!
//! let shorter = answer.displacements[0].x - answer.displacements[1].x;
//! assert!((shorter - 1e4 / (3.0 * rubber.bulk())).abs() < 1e-12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod assemble;
mod average;
mod body_force;
pub mod capacitance;
mod cluster;
mod compress;
mod condition;
pub mod creases;
mod cross;
mod crossing;
mod entries;
mod equations;
mod green;
mod inside;
pub mod integrate;
mod iterate;
pub mod kernel;
mod layers;
mod line;
mod load;
pub mod mass;
mod matrix;
pub mod moments;
mod pair;
pub mod panel;
pub mod particular;
mod polynomial;
pub mod quadrature;
mod quarters;
mod recovery;
mod rigid;
mod rims;
mod scalar;
mod solve;
mod solve_error;
mod solver;
pub mod stiffness;
mod surface;
mod surface_error;
#[cfg(test)]
mod test_shapes;
mod update;
mod update_error;
mod weights;
pub mod whole;

pub use assemble::{DENSE_UP_TO, Operator};
pub use body_force::LinearForce;
pub use compress::Compressed;
pub use condition::{Condition, Known};
pub use green::GreenError;
pub use kernel::{Medium, MediumError};
pub use load::Load;
pub use matrix::Matrix;
pub use solve::{Reference, Solution, System};
pub use solve_error::SolveError;
pub use surface::Surface;
pub use surface_error::SurfaceError;
pub use update::Green;
pub use update_error::UpdateError;

use crate::{Mat3, Vec3};
