//! Boundary elements for plane elasticity, and an animation of soft bodies on a floor that is built on them.
//!
//! A body at rest is known from its boundary alone. Somigliana's identity (Watanabe et al. (1)),
//!
//! ```text
//! C u(P) + ∫ T u dS = ∫ U t dS + ∫ U b dV
//! ```
//!
//! becomes H u = G t + B with one node for each element or vertex of a [`Polygon`]. [`Equations`] holds H and G, made by
//! [`constant`] or by [`linear`] elements; [`BodyForce`] gives B; [`Conditions`] say what is known; the solution says the
//! rest. An [`Exchange`] changes what is known without a new factor. A [`PlaneBody`] falls, hits a [`Floor`], and takes
//! the shape of equilibrium under the contact and its own inertia. [`TwoSections`] carries two such shapes into space.
//!
//! A [`Puppet`] is a body that moves by such rules over half-spaces: a [`Prism`] is a [`PlaneBody`] with depth, a [`Jelly`]
//! any closed, star-shaped surface that two of its sections deform.
//!
//! A block that stretches under a pull of one pascal:
//!
//! ```
//! use aspic_boundary::plane::{BodyForce, Conditions, Medium, Plane, Polygon, Vec2, linear};
//!
//! let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].map(|(x, y)| Vec2::new(x, y));
//! let plate = Medium::new(100.0, 0.3, Plane::Stress)?;
//! let equations = linear::equations(&Polygon::new(&corners)?.refined(4), &plate);
//! let mut conditions = Conditions::free(&equations);
//! conditions.press_everywhere(&equations, |_, n| Vec2::new(n.x, 0.0))?;
//! let found = equations.solve(&conditions, &BodyForce::default())?;
//!
//! let longer = found.displacements[4].x - found.displacements[0].x;
//! assert!((longer - 0.01).abs() < 1e-12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod body_force;
mod closed_mesh;
mod conditions;
pub mod constant;
mod dense_lu;
mod direction;
mod ear_clipping;
mod equations;
mod floating;
mod floor;
mod immersed;
mod integrals;
mod jelly;
mod jelly_numbers;
mod jelly_shape;
mod kernel;
pub mod linear;
mod plane_body;
mod polygon;
mod prism;
mod puppet;
mod rigid;
mod rigid_motion;
mod sections;
mod shape;
mod simple;
mod slice;
#[cfg(test)]
mod solids;
mod solve;
mod space_bouncer;
mod space_motion;
mod substance;
mod update;
mod update_error;

pub use body_force::BodyForce;
pub use closed_mesh::{ClosedMesh, MeshError, SpaceMoments};
pub use conditions::{Carried, ConditionError, Conditions, Known};
pub use dense_lu::{DenseLu, LuError};
pub use direction::Direction;
pub use ear_clipping::triangulate;
pub use equations::{Equations, Slot};
pub use floating::{Floating, Touching};
pub use floor::{Floor, FloorError, Grip, Pierced};
pub use immersed::{Ground, Immersed};
pub use integrals::{Element, Ends, Integrals};
pub use jelly::Jelly;
pub use jelly_numbers::{JellyError, JellyNumbers};
pub use kernel::{Kelvin, Medium, MediumError, Plane};
pub use plane_body::{PlaneBody, PlaneBodyError};
pub use polygon::{Moments, Polygon, PolygonError};
pub use prism::{Prism, PrismError};
pub use puppet::{HalfSpace, Puppet, PuppetError};
pub use rigid::{Mode, all_modes};
pub use rigid_motion::{Bouncer, Reaction, RigidMotion};
pub use sections::{Section, SectionError, TwoSections, blend};
pub use shape::{Load, Shape};
pub use solve::{Solution, SolveError};
pub use space_bouncer::{SpaceBouncer, Wrench};
pub use space_motion::SpaceMotion;
pub use substance::{Substance, SubstanceError};
pub use update::Exchange;
pub use update_error::UpdateError;

use crate::{Mat3, Vec3};

/// A vector of the plane.
pub type Vec2 = nalgebra::Vector2<f64>;
/// A matrix of the plane.
pub type Mat2 = nalgebra::Matrix2<f64>;

/// a × b: the component out of the plane.
#[inline]
pub(crate) fn cross(a: Vec2, b: Vec2) -> f64 {
    a.x * b.y - a.y * b.x
}

/// The vector turned by a quarter against the clock: e_z × a.
#[inline]
pub(crate) fn quarter(a: Vec2) -> Vec2 {
    Vec2::new(-a.y, a.x)
}
