//! Which bodies of a run go into a cache, and where their points are in each frame.

use aspic::Vec3;
use aspic::frame::{BodyKind, BodyRange, Topology};
use aspic::mesh::TetMesh;

use super::{Actor, Cast, Pose, Up};
use crate::palette;
use crate::run_film::{FilmFrame, RunFilm};

/// What of a run goes into a cache.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// Names of bodies; all, if there are none.
    pub bodies: Vec<String>,
    /// Which way is up there.
    pub up: Up,
    /// Units of the cache for one metre.
    pub scale: f64,
    /// The surface of the tetrahedra instead of a finer one that they carry.
    pub simulation_mesh: bool,
    /// Also points that no triangle and no line uses: numbers are then those of the vertices in scenes.
    pub every_point: bool,
}

/// A body that a run does not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the run has no body `{name}`: it has {known}")]
pub struct UnknownBody {
    /// As it was asked for.
    pub name: String,
    /// The names that there are.
    pub known: String,
}

/// Picks the points of the chosen bodies out of frames.
#[derive(Clone, Debug)]
pub struct Picker {
    cast: Cast,
    /// Points of the run, actor by actor.
    points: Vec<u32>,
    positions: Vec<Vec3>,
    velocities: Vec<Vec3>,
    scale: f64,
}

impl Picker {
    /// Finds the bodies of a run. Points that no triangle and no line uses are left out, unless all are wanted.
    pub fn new(film: &RunFilm, choice: &Choice, rate: f64, frames: usize) -> Result<Picker, UnknownBody> {
        let topology = film.topology();
        let names = || topology.bodies.iter().map(|body| body.name.as_str());
        if let Some(name) = choice.bodies.iter().find(|name| !names().any(|known| known == **name)) {
            let known = names().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            return Err(UnknownBody { name: name.clone(), known });
        }
        let wanted = |name: &String| choice.bodies.is_empty() || choice.bodies.contains(name);
        let (mut actors, mut points) = (vec![], vec![]);
        for (number, body) in topology.bodies.iter().enumerate().filter(|(_, body)| wanted(&body.name)) {
            let (actor, own) = actor(topology, number, body, choice);
            if actor.points > 0 {
                actors.push(actor);
                points.extend(own);
            }
        }
        let cast = Cast {
            title: film.title(),
            actors,
            up: choice.up,
            meters_per_unit: 1.0 / choice.scale,
            rate,
            frames,
        };
        Ok(Picker { cast, points, positions: vec![], velocities: vec![], scale: choice.scale })
    }

    /// What does not change.
    pub fn cast(&self) -> &Cast {
        &self.cast
    }

    /// A vector of the run in the axes and units of the cache.
    pub fn turned(&self, x: &Vec3) -> Vec3 {
        turned(self.cast.up, self.scale, x)
    }

    /// The chosen points in a frame, as the pose at a place of the cache.
    pub fn pose(&mut self, frame: &FilmFrame, place: usize) -> Pose<'_> {
        let (up, scale) = (self.cast.up, self.scale);
        let pick = |from: &[Vec3], to: &mut Vec<Vec3>| {
            to.clear();
            if !from.is_empty() {
                to.extend(self.points.iter().map(|&point| turned(up, scale, &from[point as usize])));
            }
        };
        pick(&frame.positions, &mut self.positions);
        pick(&frame.velocities, &mut self.velocities);
        Pose {
            place,
            number: frame.number,
            t: frame.t,
            positions: &self.positions,
            velocities: &self.velocities,
        }
    }
}

fn turned(up: Up, scale: f64, x: &Vec3) -> Vec3 {
    match up {
        Up::Z => x * scale,
        Up::Y => Vec3::new(x.x, x.z, -x.y) * scale,
    }
}

/// A body with the points that its triangles and lines use, or all, and their numbers in the run.
fn actor(topology: &Topology, number: usize, body: &BodyRange, choice: &Choice) -> (Actor, Vec<u32>) {
    let tets = &topology.tets[body.tets.clone()];
    let triangles = match choice.simulation_mesh && !tets.is_empty() {
        true => TetMesh { tets: tets.to_vec(), ..TetMesh::default() }.boundary(),
        false => topology.triangles[body.triangles.clone()].to_vec(),
    };
    let edges = &topology.edges[body.edges.clone()];
    let first = body.points.start as u32;
    let mut used: Vec<u32> = triangles.as_flattened().iter().chain(edges.as_flattened()).copied().collect();
    if choice.every_point {
        used.extend(first..body.points.end as u32);
    }
    used.sort_unstable();
    used.dedup();
    let mut own = vec![0; body.points.len()];
    (0..).zip(&used).for_each(|(new, &point)| own[(point - first) as usize] = new);
    let new = |point: &u32| own[(point - first) as usize];
    let color = match body.kind {
        BodyKind::Obstacle => palette::OBSTACLE,
        _ => palette::of_body(number),
    };
    let actor = Actor {
        name: body.name.clone(),
        color,
        points: used.len(),
        triangles: triangles.iter().map(|triangle| triangle.each_ref().map(new)).collect(),
        edges: edges.iter().map(|edge| edge.each_ref().map(new)).collect(),
        radius: body.radius * choice.scale,
    };
    (actor, used)
}
