//! From events of a scene to conditions of a world.

use super::build::Building;
use super::error::SceneError;
use super::events::{Event, EventKind};
use super::schema::Scene;
use crate::Vec3;
use crate::event::{Condition, PullsLess, StaysOnSide, StaysSlow};
use crate::world::Ends;

impl Building {
    /// Adds an event of a scene whose constraints and forces are already there, in the order of the scene.
    pub(super) fn add_event(&mut self, scene: &Scene, name: &str, event: &Event) -> Result<(), SceneError> {
        let kind = event.kind()?;
        let conditions: Vec<Box<dyn Condition>> = match kind {
            EventKind::Passes(watch, [place, normal]) => {
                let points = self.choose(watch)?;
                let starts = self.builder.point_positions();
                let sides = points.iter().map(|&point| side(point, starts[point as usize], place, normal));
                let on_plane = || {
                    SceneError::new("a watched vertex is on the plane at the start")
                        .at(event.passes.as_ref().map(|passes| passes.span()).unwrap_or_default())
                        .help("move the plane a little, or watch fewer vertices")
                };
                sides.collect::<Option<Vec<_>>>().ok_or_else(on_plane)?
            }
            EventKind::Faster(watch, speed) => {
                let slow = |point| -> Box<dyn Condition> { Box::new(StaysSlow { point, speed }) };
                self.choose(watch)?.into_iter().map(slow).collect()
            }
            EventKind::Pulls(name, force) => {
                let constraint = scene.constraints.get_index_of(name.as_str()).unwrap_or(0);
                vec![Box::new(PullsLess { constraint, force })]
            }
        };
        let ends = event.ends.iter().flat_map(|name| {
            let constraint = scene.constraints.get_index_of(name.as_str()).map(Ends::Constraint);
            constraint.into_iter().chain(scene.forces.get_index_of(name.as_str()).map(Ends::Load))
        });
        let asks_forces = matches!(kind, EventKind::Pulls(..));
        self.builder.event(name, conditions, asks_forces, &ends.collect::<Vec<_>>());
        Ok(())
    }
}

/// The condition that a point stays on the side of a plane where it is; `None` if it is on neither.
fn side(point: u32, start: Vec3, place: Vec3, normal: Vec3) -> Option<Box<dyn Condition>> {
    let normal = normal.normalize();
    let height = normal.dot(&(start - place));
    let normal = if height < 0.0 { -normal } else { normal };
    (height != 0.0).then(|| -> Box<dyn Condition> { Box::new(StaysOnSide { point, place, normal }) })
}
