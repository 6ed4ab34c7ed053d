//! The numbers behind names in contact: bodies in the order of the world, half-spaces behind them.

use super::BuildError;
use crate::frame::Topology;
use crate::world::NamedPlane;

/// All names that contact knows.
pub(super) struct Names<'a>(Vec<&'a str>);

impl<'a> Names<'a> {
    /// Those of bodies and planes.
    pub fn new(topology: &'a Topology, planes: &'a [NamedPlane]) -> Names<'a> {
        let bodies = topology.bodies.iter().map(|body| &body.name[..]);
        Names(bodies.chain(planes.iter().map(|plane| &plane.name[..])).collect())
    }

    /// The number of a name.
    pub fn number(&self, name: &str) -> Result<u32, BuildError> {
        let place = self.0.iter().position(|known| *known == name);
        place.map(|k| k as u32).ok_or_else(|| BuildError::NoSuchBody { name: name.into() })
    }

    /// The numbers of two names, the lower first.
    pub fn pair(&self, a: &str, b: &str) -> Result<[u32; 2], BuildError> {
        let (a, b) = (self.number(a)?, self.number(b)?);
        Ok([a.min(b), a.max(b)])
    }
}
