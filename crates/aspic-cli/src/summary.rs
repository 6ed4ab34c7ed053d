//! What is said at the end of a run.

use aspic::Simulation;
use aspic::frame::Ledger;
use aspic_io::run_folder::RunFolder;
use serde::Serialize;

use crate::args::CommonOptions;
use crate::failure::Failure;
use crate::info::made_of;

/// The figures of a run, as printed and as JSON.
#[derive(Serialize)]
pub struct Summary {
    /// Whether all frames that were asked for were made.
    completed: bool,
    /// Why not, if it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Simulated time  \[s\]
    simulated_s: f64,
    /// Time that stepping took, output not counted  \[s\]
    wall_s: f64,
    /// Simulated over wall time.
    real_time_factor: f64,
    steps: u64,
    rejected: u64,
    force_evaluations: u64,
    /// Newton directions of implicit steps; 0 for explicit ones.
    newton_iterations: u64,
    /// Products of their linear solver.
    linear_iterations: u64,
    /// Worst audit residual over the energy exchanged.
    audit_relative: f64,
    /// What the steps themselves lost, or made if it is negative, over the energy exchanged.
    numerical_loss_relative: f64,
    /// Largest violation of a constraint, relative to the size of the smallest body.
    max_constraint_violation: f64,
    /// Frame files in the folder.
    frames: usize,
    nodes: usize,
    tetrahedra: usize,
    /// Segments of ropes.
    edges: usize,
    /// Events of the scene that have happened.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    events: Vec<Happened>,
    /// Nodes and what lies between them, in words.
    #[serde(skip)]
    made_of: String,
    folder: String,
}

/// An event of the scene.
#[derive(Serialize)]
struct Happened {
    name: String,
    /// When  \[s\]
    t: f64,
}

impl Summary {
    pub fn of(simulation: &Simulation, folder: &RunFolder, completed: bool) -> Summary {
        let statistics = simulation.statistics();
        let topology = &simulation.world().topology;
        let simulated_s = folder.rows().last().map_or(0.0, |row| row.t);
        Summary {
            completed,
            error: None,
            simulated_s,
            wall_s: statistics.wall_s,
            real_time_factor: simulated_s / statistics.wall_s.max(f64::MIN_POSITIVE),
            steps: statistics.steps,
            rejected: statistics.rejected,
            force_evaluations: statistics.force_evaluations,
            newton_iterations: statistics.newton_iterations,
            linear_iterations: statistics.linear_iterations,
            audit_relative: statistics.audit_relative(),
            numerical_loss_relative: folder.rows().last().map_or(0.0, numerical_loss),
            max_constraint_violation: statistics.worst_violation,
            frames: folder.frames(),
            nodes: simulation.world().nodes(),
            tetrahedra: topology.tets.len(),
            edges: topology.edges.len(),
            events: simulation.happened().map(|(name, t)| Happened { name: name.to_owned(), t }).collect(),
            made_of: made_of(topology.nodes, "nodes", &topology.bodies),
            folder: folder.path().display().to_string(),
        }
    }

    /// One JSON object on standard output, or a few lines for people.
    pub fn print(&self, options: CommonOptions) -> Result<(), Failure> {
        if options.json {
            let text = serde_json::to_string(self).map_err(Failure::output)?;
            return crate::print(&text).map(|_| ());
        }
        if options.quiet {
            return Ok(());
        }
        crate::print(&format!(
            "{:.3} s simulated in {} ({:.1}× real time): {} steps, {} rejected, {}\n\
             energy audit: {:.1e} of the energy exchanged; {}constraints kept {}\n\
             {}{} of {} in {}\n\
             open {}/frames.pvd in ParaView; see ledger.svg and film.svg beside it",
            self.simulated_s,
            seconds(self.wall_s),
            self.real_time_factor,
            self.steps,
            self.rejected,
            self.effort(),
            self.audit_relative,
            by_steps(self.numerical_loss_relative),
            kept(self.max_constraint_violation),
            self.events
                .iter()
                .map(|event| format!("`{}` happened at {:.6} s\n", event.name, event.t))
                .collect::<String>(),
            crate::count(self.frames, "frame", "frames"),
            self.made_of,
            self.folder,
            self.folder,
        ))
        .map(|_| ())
    }
}

impl Summary {
    /// What steps cost, in the units of their kind.
    fn effort(&self) -> String {
        match (self.newton_iterations, self.linear_iterations) {
            (0, _) => format!("{} force evaluations", self.force_evaluations),
            (newton, linear) => format!("{newton} Newton and {linear} linear iterations"),
        }
    }
}

/// What the steps themselves lost up to a row of the ledger, over the energy exchanged.
pub fn numerical_loss(row: &Ledger) -> f64 {
    if row.exchanged > 0.0 { row.numerical_loss / row.exchanged } else { 0.0 }
}

/// The same for people; nothing if it is below a thousandth.
pub fn by_steps(part: f64) -> String {
    let how = if part > 0.0 { "lost" } else { "made" };
    if part.abs() < 1e-3 {
        String::new()
    } else {
        format!("{how} by the steps themselves: {:.1} %; ", 100.0 * part.abs())
    }
}

/// How well constraints were kept, for people.
fn kept(violation: f64) -> String {
    if violation == 0.0 { "exactly".into() } else { format!("to {violation:.1e} of the body size") }
}

/// A time span for people.
pub fn seconds(s: f64) -> String {
    match s {
        s if s >= 3600.0 => format!("{:.0} h {:02.0} min", (s / 3600.0).floor(), (s % 3600.0) / 60.0),
        s if s >= 60.0 => format!("{:.0} min {:02.0} s", (s / 60.0).floor(), s % 60.0),
        s if s >= 1.0 => format!("{s:.1} s"),
        s if s >= 1e-3 => format!("{:.2} ms", s * 1e3),
        s => format!("{:.2} µs", s * 1e6),
    }
}
