//! `aspic check` and `aspic info`.

use std::fmt::Write;
use std::path::Path;
use std::process::ExitCode;

use aspic::frame::{BodyKind, BodyRange, Ledger};
use aspic::integrate::ImplicitSettings;
use aspic::run::{Method, Statistics};
use aspic::scene::Scene;
use aspic::verdict::{Facts, Verdict};
use aspic::{Simulation, Vec3, World};
use aspic_io::ledger;
use aspic_io::run_folder::{self, RunFolder};

use crate::failure::Failure;
use crate::figures::{figures, point};
use crate::load::Loaded;
use crate::summary::{as_warning, books};
use crate::{as_json, count};

/// `aspic check`: builds the scene and says so.
pub fn check(scene: &Path, json: bool) -> Result<ExitCode, Failure> {
    let loaded = Loaded::read(scene)?;
    let simulation = loaded.build()?;
    if json {
        return crate::print_json(&as_json::checked(&loaded, &simulation));
    }
    loaded.warn();
    let topology = &simulation.world().topology;
    crate::print(&format!(
        "{} is valid: {}, {}, {}, {}; {}",
        scene.display(),
        count(loaded.scene.bodies.len(), "body", "bodies"),
        made_of(topology.nodes, "nodes", &topology.bodies),
        count(loaded.scene.constraints.len(), "constraint", "constraints"),
        count(simulation.frame_count(), "frame", "frames"),
        describe_method(&loaded)
    ))
}

/// `aspic info`: a scene file or a run folder.
pub fn info(path: &Path, json: bool) -> Result<ExitCode, Failure> {
    if path.is_dir() { folder_info(path, json) } else { scene_info(path, json) }
}

fn scene_info(path: &Path, json: bool) -> Result<ExitCode, Failure> {
    let loaded = Loaded::read(path)?;
    let simulation = loaded.build()?;
    if json {
        return crate::print_json(&as_json::scene(&loaded, &simulation));
    }
    loaded.warn();
    crate::print(&describe(&loaded, &simulation))
}

/// Bodies with their masses and sizes, constraints, loads and time.
fn describe(loaded: &Loaded, simulation: &Simulation) -> String {
    let (world, state) = (simulation.world(), simulation.state());
    let mut text = loaded.scene.title.clone().unwrap_or_else(|| loaded.file.display().to_string());
    for (range, (name, body)) in world.topology.bodies.iter().zip(&loaded.scene.bodies) {
        let _ = write!(
            text,
            "\n{}body `{name}` of {}: {}{}",
            if range.kind == BodyKind::Affine { "affine " } else { "" },
            *body.material,
            shape(range),
            inertia(world, &state.q, range)
        );
    }
    describe_obstacles(simulation, &mut text);
    for constraint in world.constraints.iter().filter(|c| !loaded.scene.obstacles.contains_key(&c.name)) {
        let how = constraint.stiffness.map_or("exact".to_owned(), |k| format!("spring, {k} N/m"));
        let until = if constraint.until.is_finite() {
            format!(", until {} s", constraint.until)
        } else {
            String::new()
        };
        let _ = write!(
            text,
            "\nconstraint `{}`: {}, {how}{until}",
            constraint.name,
            count(constraint.laws.len(), "vertex", "vertices")
        );
    }
    for (name, event) in &loaded.scene.events {
        let ends: Vec<String> = event.ends.iter().map(|end| format!("`{}`", **end)).collect();
        let _ = write!(text, "\nevent `{name}`: ends {}", ends.join(", "));
    }
    let settings = simulation.settings();
    let _ = write!(
        text,
        "\n{} besides gravity\n{} s in {}, {}",
        count(world.loads.len(), "force", "forces"),
        settings.duration,
        count(simulation.frame_count(), "frame", "frames"),
        describe_method(loaded)
    );
    text
}

/// Mass \[kg\] and centre \[m\] of a body; `None` for a puppet, which moves by rules of its own.
pub fn mass_and_center(world: &World, q: &[Vec3], body: &BodyRange) -> Option<(f64, Vec3)> {
    let mass = || world.inertia.masses()[body.nodes.clone()].iter().sum();
    (body.kind != BodyKind::Puppet).then(|| (mass(), world.inertia.center(q, body.nodes.clone())))
}

/// The same in words.
fn inertia(world: &World, q: &[Vec3], body: &BodyRange) -> String {
    let Some((mass, center)) = mass_and_center(world, q, body) else { return String::new() };
    let size = q[body.nodes.clone()].iter().map(|x| 2.0 * (x - center).norm()).fold(0.0, f64::max);
    format!("; {} kg, centre {} m", figures(mass), point(&center, size))
}

/// What a body is made of.
fn shape(body: &BodyRange) -> String {
    if body.kind != BodyKind::Points {
        let [vertices, tets, triangles] =
            [&body.own_points(), &body.tets, &body.triangles].map(|range| range.len());
        let skin = body.skin.as_ref().map(|skin| format!(" of a skin with {} points", skin.carriers.len()));
        let skin = skin.unwrap_or_default();
        return format!("{vertices} vertices, {tets} tetrahedra, {triangles} exposed triangles{skin}");
    }
    let radius = if body.radius > 0.0 { format!(", radius {} m", body.radius) } else { String::new() };
    made_of(body.own_points().len(), "mass points", std::slice::from_ref(body)) + &radius
}

/// Nodes or points, and what lies between them: tetrahedra, triangles of bodies without any, edges of ropes. Obstacles
/// do not count.
pub fn made_of(points: usize, word: &str, bodies: &[BodyRange]) -> String {
    let bodies = || bodies.iter().filter(|body| body.kind != BodyKind::Obstacle);
    let bare = bodies().filter(|body| body.tets.is_empty());
    let parts = [
        (bodies().map(|body| body.tets.len()).sum::<usize>(), "tetrahedron", "tetrahedra"),
        (bare.map(|body| body.triangles.len()).sum(), "triangle", "triangles"),
        (bodies().map(|body| body.edges.len()).sum(), "edge", "edges"),
    ];
    let parts = parts.iter().filter(|(number, ..)| *number > 0);
    let parts = parts.map(|&(number, one, many)| format!(", {}", count(number, one, many)));
    format!("{points} {word}") + &parts.collect::<String>()
}

/// How time advances, and whether bodies touch.
pub fn describe_method(loaded: &Loaded) -> String {
    let (method, settings) = (loaded.scene.method(), loaded.scene.settings());
    let contact = describe_contact(&loaded.scene);
    let longest = crate::summary::seconds(settings.limits.max_step);
    let steps = match settings.method {
        Method::Implicit(ImplicitSettings { step_tolerance: Some(tolerance), .. }) => {
            format!("steps of up to {longest}, step tolerance {tolerance:e}")
        }
        Method::Explicit(_) if settings.first_step.is_none() => "steps that the bodies choose".to_owned(),
        Method::Explicit(_) | Method::Implicit(_) => format!("steps of {longest}"),
        Method::Rkf45 => format!("tolerance {:e}", settings.limits.tolerance),
    };
    format!("method {}, {steps}, {contact}", method.word())
}

/// How bodies touch.
fn describe_contact(scene: &Scene) -> String {
    let (kind, friction, pairs) = match (scene.contact_settings(), scene.impulse_settings()) {
        (Some(contact), _) => ("contact".to_owned(), contact.friction, contact.friction_pairs),
        (None, Some(impulses)) => {
            let model = scene.contact_model().unwrap_or_default().word();
            let kind = format!("contact model {model} with restitution {}", impulses.restitution);
            if let Some(factor) = impulses.friction_factor {
                return format!("{kind} and friction factor {factor}");
            }
            (kind, impulses.friction, impulses.friction_pairs)
        }
        (None, None) => return "no contact".to_owned(),
    };
    let joined = if kind == "contact" { "with" } else { "and" };
    let others = if pairs.is_empty() { "" } else { " and others by pair" };
    format!("{kind} {joined} friction {friction}{others}")
}

/// What is in the way.
fn describe_obstacles(simulation: &Simulation, text: &mut String) {
    let world = simulation.world();
    for obstacle in world.topology.bodies.iter().filter(|body| body.kind == BodyKind::Obstacle) {
        let triangles = count(obstacle.triangles.len(), "triangle", "triangles");
        let _ = write!(text, "\nobstacle `{}`: {triangles}", obstacle.name);
    }
    for plane in &world.planes {
        let [n, p] = [plane.normal, plane.point];
        let _ = write!(
            text,
            "\nobstacle `{}`: the plane through {} m with normal {}",
            plane.name,
            point(&p, p.norm()),
            point(&n, 1.0)
        );
    }
}

/// What is known of a run from its folder.
pub struct Known {
    /// The title of the scene, or none.
    pub title: Option<String>,
    /// Frames of the whole run, and those that a checkpoint stands behind.
    pub total: usize,
    pub done: usize,
    /// The last row of the ledger.
    pub last: Option<Ledger>,
    /// Statistics, what they mean here and what must be said about them; `None` before the first checkpoint.
    pub judged: Option<(Statistics, Facts, Verdict)>,
    /// The command that goes on with it.
    pub resume: String,
}

impl Known {
    fn of(path: &Path) -> Result<Known, Failure> {
        let run = RunFolder::open(path)?;
        let loaded = Loaded::parse(&path.join(run_folder::names::SCENE), run.scene)?;
        let rows = match ledger::read(&path.join(run_folder::names::LEDGER)) {
            // A run that died before its first checkpoint may have left no table, or half of one.
            Err(_) if run.checkpoint.is_none() => vec![],
            rows => rows?,
        };
        let simulation = loaded.build()?;
        let checkpoint = run.checkpoint.as_ref().and_then(run_folder::from_file);
        let judged = checkpoint.map(|checkpoint| {
            let mut state = simulation.state().clone();
            state.accounts = checkpoint.state.accounts;
            let facts = Facts::of(simulation.world(), &state, simulation.settings());
            let verdict = Verdict::of(&checkpoint.statistics, &facts);
            (checkpoint.statistics, facts, verdict)
        });
        Ok(Known {
            title: loaded.scene.title.clone(),
            total: simulation.frame_count(),
            done: run.checkpoint.map_or(0, |checkpoint| checkpoint.next_frame),
            last: rows.last().copied(),
            judged,
            resume: format!("aspic resume {}", run_folder::as_typed(path)),
        })
    }
}

/// What a run folder holds, and how far the run came.
fn folder_info(path: &Path, json: bool) -> Result<ExitCode, Failure> {
    let run = Known::of(path)?;
    if json { crate::print_json(&as_json::folder(path, &run)) } else { crate::print(&describe_run(&run)) }
}

fn describe_run(run: &Known) -> String {
    let Known { total, done, resume, .. } = run;
    let mut text = format!("{}: {done} of {total} frames", run.title.as_deref().unwrap_or("a run"));
    if let Some(row) = &run.last {
        let _ = write!(
            text,
            "\nat {:.4} s: kinetic {}, elastic {}, gravity {}, lost to viscosity {}",
            row.t,
            joule(row.kinetic),
            joule(row.elastic_bulk + row.elastic_shear),
            joule(row.gravity),
            joule(row.viscous_loss),
        );
    }
    if let Some((statistics, facts, verdict)) = &run.judged {
        let _ = write!(text, "\n{}", books(statistics, facts));
        verdict.warnings.iter().for_each(|warning| _ = write!(text, "\n{}", as_warning(warning)));
    }
    if *done == 0 {
        let _ = write!(text, "\nit ended before its first frame was complete; to start again: {resume}");
    } else if done < total {
        let _ = write!(text, "\nnot finished; to go on: {resume}");
    }
    text
}

/// An energy for people: four digits.
fn joule(energy: f64) -> String {
    match energy.abs() {
        0.0 => "0 J".into(),
        size if size >= 1e6 => format!("{energy:.3e} J"),
        size if size >= 1.0 => format!("{energy:.3} J"),
        size if size >= 1e-3 => format!("{:.3} mJ", energy * 1e3),
        size if size >= 1e-6 => format!("{:.3} µJ", energy * 1e6),
        _ => format!("{energy:.1e} J"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rope_tells_its_edges_a_cloth_its_triangles_and_a_solid_its_tetrahedra() {
        let points = BodyRange { kind: BodyKind::Points, points: 0..21, ..BodyRange::default() };
        let rope = BodyRange { edges: 0..20, radius: 0.005, ..points.clone() };
        assert_eq!(shape(&rope), "21 mass points, 20 edges, radius 0.005 m");
        let cloth = BodyRange { triangles: 0..8, ..points.clone() };
        assert_eq!(shape(&cloth), "21 mass points, 8 triangles");
        let block = BodyRange { tets: 0..1, triangles: 0..4, ..points };
        assert_eq!(shape(&block), "21 mass points, 1 tetrahedron");
        let solid = BodyRange { kind: BodyKind::Solid, ..block.clone() };
        assert_eq!(shape(&solid), "21 vertices, 1 tetrahedra, 4 exposed triangles");
        let wall = BodyRange { kind: BodyKind::Obstacle, triangles: 0..2, ..BodyRange::default() };
        let all = [rope, cloth, block, wall];
        assert_eq!(made_of(63, "nodes", &all), "63 nodes, 1 tetrahedron, 8 triangles, 20 edges");
    }
}
