//! Whether a world is closed: its momenta are then constant.

use super::World;
use crate::Vec3;
use crate::constraint::Row;
use crate::frame::BodyKind;
use crate::state::State;

impl World {
    /// Whether nothing acts on the bodies from outside.
    pub(crate) fn is_closed(&self, state: &State) -> bool {
        let alien = |kind: BodyKind| matches!(kind, BodyKind::Obstacle | BodyKind::Puppet);
        let in_air = self.networks.iter().any(|(_, network)| network.damping.point != 0.0);
        let free = self.gravity.acceleration == Vec3::zeros() && self.loads.is_empty() && !in_air;
        let alone = self.planes.is_empty() && !self.topology.bodies.iter().any(|body| alien(body.kind));
        free && alone && self.hand.is_none() && self.holds_nothing(state)
    }

    /// Whether all constraints are between bodies: what they do to one node they do the other way round to others.
    fn holds_nothing(&self, state: &State) -> bool {
        let mut rows = vec![];
        self.constraints.iter().flat_map(|named| &named.laws).for_each(|law| law.add_rows(state, &mut rows));
        let balanced = |row: &Row| {
            let gradients = || row.terms().iter().map(|(_, gradient)| gradient);
            gradients().sum::<Vec3>().norm() <= 1e-9 * gradients().map(Vec3::norm).sum::<f64>()
        };
        rows.iter().all(balanced)
    }
}
