//! What is said at the end of a run.

use std::process::ExitCode;

use aspic::Simulation;
use aspic::run::Statistics;
use aspic::verdict::{Facts, Finding, Verdict, joules, steps_in_words};
use aspic_io::run_folder::RunFolder;
use serde::Serialize;

use crate::args::CommonOptions;
use crate::failure::{Details, Failure};
use crate::info::made_of;

/// The figures of a run, as printed and as JSON.
#[derive(Serialize)]
pub struct Summary {
    /// Whether all frames that were asked for were made.
    pub completed: bool,
    /// Why not, if it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Details>,
    /// What makes the result doubtful, and what is good to know.
    #[serde(flatten)]
    verdict: Verdict,
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
    /// Most energy exchanged  \[J\]
    #[serde(rename = "exchanged_J")]
    exchanged: f64,
    /// Numerical damping; negative if the steps made more energy than they took  \[J\]
    #[serde(rename = "numerical_loss_J")]
    numerical_loss: f64,
    /// The same over the energy exchanged.
    numerical_loss_relative: f64,
    /// Most energy made by the steps over any stretch of the run  \[J\]
    #[serde(rename = "made_energy_J")]
    made_energy: f64,
    /// The same over the energy exchanged.
    made_energy_relative: f64,
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
    /// Audit, constraints, and what the steps took, in words.
    #[serde(skip)]
    books: String,
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
    /// That of a run that has not come to its end.
    pub fn of(simulation: &Simulation, folder: &RunFolder, facts: &Facts, verdict: Verdict) -> Summary {
        let statistics = simulation.statistics();
        let topology = &simulation.world().topology;
        let simulated_s = folder.rows().last().map_or(0.0, |row| row.t);
        Summary {
            completed: false,
            error: None,
            verdict,
            simulated_s,
            wall_s: statistics.wall_s,
            real_time_factor: simulated_s / statistics.wall_s.max(f64::MIN_POSITIVE),
            steps: statistics.steps,
            rejected: statistics.rejected,
            force_evaluations: statistics.force_evaluations,
            newton_iterations: statistics.newton_iterations,
            linear_iterations: statistics.linear_iterations,
            audit_relative: statistics.audit_relative(),
            exchanged: statistics.most_exchanged,
            numerical_loss: statistics.numerical_loss,
            numerical_loss_relative: statistics.of_exchanged(statistics.numerical_loss),
            made_energy: statistics.made_energy,
            made_energy_relative: statistics.of_exchanged(statistics.made_energy),
            max_constraint_violation: statistics.worst_violation,
            frames: folder.frames(),
            nodes: simulation.world().nodes(),
            tetrahedra: topology.tets.len(),
            edges: topology.edges.len(),
            events: simulation.happened().map(|(name, t)| Happened { name: name.to_owned(), t }).collect(),
            made_of: made_of(topology.nodes, "nodes", &topology.bodies),
            books: books(statistics, facts),
            folder: folder.path().display().to_string(),
        }
    }

    /// One JSON object on standard output, or a few lines for people. Warnings go to standard error, where they are seen
    /// also if nothing else is.
    pub fn print(&self, options: CommonOptions) -> Result<(), Failure> {
        if options.json {
            return crate::print_json(self).map(drop);
        }
        if !options.quiet {
            crate::print(&self.text())?;
        }
        self.warn();
        if options.strict && self.is_doubtful() {
            let warnings = crate::count(self.verdict.warnings.len(), "warning", "warnings");
            eprintln!("{warnings}: that is a failure with --strict. The run folder is complete.");
        }
        Ok(())
    }

    /// The end of a run that failed. The failure itself goes to standard error in any case.
    pub fn fail(&mut self, failure: Failure, options: CommonOptions) -> Result<ExitCode, Failure> {
        if options.json {
            self.error = Some(failure.details());
            crate::print_json(self)?;
        } else {
            self.warn();
        }
        Ok(failure.report())
    }

    /// Whether there are warnings.
    pub fn is_doubtful(&self) -> bool {
        !self.verdict.warnings.is_empty()
    }

    fn warn(&self) {
        self.verdict.warnings.iter().for_each(|warning| eprintln!("{}", as_warning(warning)));
    }

    fn text(&self) -> String {
        let happened = |event: &Happened| format!("`{}` happened at {:.6} s\n", event.name, event.t);
        format!(
            "{:.3} s simulated in {} ({:.1}× real time): {} steps, {} rejected, {}\n\
             {}\n\
             {}{} of {} in {}\n\
             open {}/frames.pvd in ParaView; see ledger.svg and film.svg beside it",
            self.simulated_s,
            seconds(self.wall_s),
            self.real_time_factor,
            self.steps,
            self.rejected,
            self.effort(),
            self.books,
            self.events.iter().map(happened).collect::<String>(),
            crate::count(self.frames, "frame", "frames"),
            self.made_of,
            self.folder,
            self.folder,
        )
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

/// How well the energy books balance and constraints were kept, and what the steps took or made, for people.
pub fn books(statistics: &Statistics, facts: &Facts) -> String {
    let steps = steps_in_words(statistics, facts).map(|line| format!("\n{line}")).unwrap_or_default();
    format!(
        "energy audit: {:.1e} of the energy exchanged ({}); constraints kept {}{steps}",
        statistics.audit_relative(),
        joules(statistics.most_exchanged),
        kept(statistics.worst_violation),
    )
}

/// A warning for people.
pub fn as_warning(warning: &Finding) -> String {
    format!("Warning ({}): {warning}", warning.code.word())
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
