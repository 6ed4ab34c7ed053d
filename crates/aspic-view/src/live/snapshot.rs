//! The newest frame of a live run, ready to be sent.

use std::sync::Arc;

use aspic::frame::{Frame, Topology};
use aspic::{Simulation, Vec3};
use aspic_io::ledger;
use aspic_io::run_film::{Constrained, NamedPlane};
use axum::body::Bytes;

use super::average::{Averages, von_mises};
use crate::protocol::{self, Arrays, Head, field};
use crate::reel::touched;
use crate::stage::{Mode, Parameter, Scene, Stage, visible};

/// What stays the same from frame to frame.
#[derive(Debug)]
pub struct LiveStage {
    /// Another number means that pages must begin anew.
    pub generation: u64,
    /// The opening messages.
    pub stage: Stage,
    averages: Arc<Averages>,
}

/// The newest frame, and all that is sent with it. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// What it is a frame of.
    pub stage: Arc<LiveStage>,
    /// Counts the snapshots.
    pub serial: u64,
    /// The frame.
    pub frame: Arc<Frame>,
    /// What stands in front of its arrays.
    pub head: Head,
}

impl LiveStage {
    /// The stage of a run at its start.
    pub fn new(
        generation: u64,
        title: &str,
        simulation: &Simulation,
        duration: f64,
        parameters: Vec<Parameter>,
    ) -> LiveStage {
        let (world, state) = (simulation.world(), simulation.state());
        let mut rest = vec![Vec3::zeros(); world.embedding.len()];
        world.embedding.positions(&state.q, &mut rest);
        let scene = scene(title, simulation, duration, parameters);
        let averages = Arc::new(Averages::new(&world.topology, &rest));
        LiveStage { generation, stage: Stage::new(&scene, &world.topology, &rest), averages }
    }

    /// A stage without a run.
    #[cfg(test)]
    pub fn made_up(topology: &Topology, rest: &[Vec3]) -> LiveStage {
        let scene = Scene::of(Mode::Live, topology);
        let averages = Arc::new(Averages::new(topology, rest));
        LiveStage { generation: 0, stage: Stage::new(&scene, topology, rest), averages }
    }

    /// The same stage with other words about it, for pages that come later.
    pub fn said_anew(
        &self,
        title: &str,
        simulation: &Simulation,
        duration: f64,
        parameters: Vec<Parameter>,
    ) -> LiveStage {
        let scene = scene(title, simulation, duration, parameters);
        let scene = protocol::json(protocol::kind::SCENE, &scene);
        let topology = self.stage.topology.clone();
        let averages = Arc::clone(&self.averages);
        LiveStage { generation: self.generation, stage: Stage { scene, topology }, averages }
    }
}

/// The scene message of a run.
fn scene(title: &str, simulation: &Simulation, duration: f64, parameters: Vec<Parameter>) -> Scene {
    let world = simulation.world();
    let planes = world.planes.iter().map(|plane| NamedPlane {
        name: plane.name.clone(),
        point: plane.point.into(),
        normal: plane.normal.into(),
    });
    let names = world.topology.constraints.iter().cloned();
    let points = world.constrained_points(simulation.state());
    let constraints = names.zip(points).map(|(name, points)| Constrained { name, points });
    let contact = if world.contact.is_some() || world.impulses.is_some() { field::CONTACT } else { 0 };
    // Stress and energy live on tetrahedra: ropes and cloth have none.
    let inner = if world.topology.tets.is_empty() { 0 } else { field::STRESS | field::ENERGY };
    Scene {
        title: title.to_owned(),
        planes: planes.collect(),
        constraints: visible(constraints.filter(|c| c.name != aspic::scene::PINS), &world.topology),
        frame_interval: simulation.settings().frame_interval,
        duration,
        fields: field::VELOCITY | field::REACTION | inner | contact,
        parameters,
        ..Scene::of(Mode::Live, &world.topology)
    }
}

impl Snapshot {
    /// The message, with those of the wanted fields that there are.
    pub fn message(&self, wanted: u32) -> Bytes {
        let frame = &self.frame;
        let averages = &self.stage.averages;
        let stress = (wanted & field::STRESS != 0).then(|| averages.of(&frame.stress, von_mises));
        let energy = (wanted & field::ENERGY != 0).then(|| averages.of(&frame.energy_density, |e| *e));
        let arrays = Arrays {
            ledger: &ledger::numbers(&frame.ledger),
            positions: &frame.positions,
            velocities: &frame.velocities,
            stress: stress.as_deref().unwrap_or_default(),
            energy: energy.as_deref().unwrap_or_default(),
            contact: &frame.contact,
            reaction: &frame.reaction,
        };
        protocol::frame(&self.head, &arrays, wanted)
    }
}

/// What stands in front of the arrays of a frame.
pub fn head(frame: &Frame, simulation: &Simulation) -> Head {
    let statistics = simulation.statistics();
    Head {
        index: frame.index as u32,
        t: frame.ledger.t,
        contacts: touched(&frame.contact),
        step: frame.ledger.step,
        steps: statistics.steps as u32,
        rejected: statistics.rejected as u32,
        newton: statistics.newton_iterations as u32,
        ..Head::default()
    }
}

/// Whether a point belongs to something that can move.
pub fn can_move(topology: &Topology, point: usize) -> bool {
    let body = topology.bodies.iter().find(|body| body.points.contains(&point));
    body.is_some_and(|body| body.kind != aspic::frame::BodyKind::Obstacle)
}
