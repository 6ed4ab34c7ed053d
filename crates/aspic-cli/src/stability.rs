//! `aspic stability`: the longest stable step of every method.

use std::process::ExitCode;

use aspic::integrate::StepError;
use aspic::scene::{Method, SceneError};
use aspic::stability::{Limit, Search, SearchError};
use aspic::{Settings, Simulation};
use indicatif::ProgressBar;
use serde::Serialize;

use crate::args::StabilityOptions;
use crate::failure::Failure;
use crate::load::Loaded;
use crate::summary::seconds;

/// The time is at most so many times the longest step of rkf45.
const MOST_STEPS: f64 = 2_000.0;
/// The longest step to try is the time from frame to frame, or this part of the whole time.
const FEWEST_STEPS: f64 = 10.0;

/// What is tried where nobody says.
const METHODS: [Method; 9] = [
    Method::ExplicitEuler,
    Method::SemiImplicitEuler,
    Method::Heun,
    Method::Midpoint,
    Method::Rk4,
    Method::PositionVerlet,
    Method::VelocityVerlet,
    Method::Leapfrog,
    Method::BackwardEuler,
];

/// The table, as printed and as JSON.
#[derive(Serialize)]
struct Table {
    /// Simulated time over which a step must be stable  \[s\]
    time_s: f64,
    nodes: usize,
    tetrahedra: usize,
    /// Whether the scene has contact, which was switched off.
    contact_off: bool,
    methods: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    method: &'static str,
    order: u32,
    /// The largest stable step, or what is known of it  \[s\]
    step_s: f64,
    /// How that step stands to the largest stable one.
    step_is: &'static str,
    time_per_step_s: f64,
    /// Simulated time over computing time.
    real_time_factor: f64,
}

/// Searches and prints.
pub fn table(options: &StabilityOptions) -> Result<ExitCode, Failure> {
    crate::run::use_threads(options.threads)?;
    let loaded = Loaded::read(&options.scene)?;
    let chosen = if options.methods.is_empty() { &METHODS[..] } else { &options.methods };
    let bar = crate::run::bar(chosen.len() as u64, options.quiet || options.json);
    let table = Table::find(&loaded, options.time, chosen, &bar);
    bar.finish_and_clear();
    let table = table?;
    if options.json {
        return crate::print(&serde_json::to_string(&table).map_err(Failure::output)?);
    }
    crate::print(&table.text())
}

impl Table {
    fn find(
        loaded: &Loaded,
        time: Option<f64>,
        chosen: &[Method],
        bar: &ProgressBar,
    ) -> Result<Table, Failure> {
        let scene = loaded.scene.with_method(Method::Rkf45);
        let files = loaded.files();
        let build = |settings: Settings| scene.build_pinned(&files, &[], settings);
        let wrong = |error: SceneError| loaded.failure(error);
        let simulation = build(scene.settings()).map_err(wrong)?;
        let Settings { duration, frame_interval, .. } = *simulation.settings();
        let usual = duration.min(MOST_STEPS * simulation.world().scale.stable_step);
        let time = time.unwrap_or(usual);
        let longest = frame_interval.min(time / FEWEST_STEPS);
        bar.set_message("an accurate run to compare with");
        let mut search = Search::new(build, time, longest).map_err(|error| failure(loaded, error))?;
        let mut methods = vec![];
        for &method in chosen {
            let of_run = loaded.scene.with_method(method).settings().method;
            let tell = |step: f64, stable: bool| {
                let how = if stable { "stable" } else { "unstable" };
                bar.set_message(format!("{}: {} is {how}", method.word(), seconds(step)));
            };
            let found = search.largest_step(of_run, tell).map_err(wrong)?;
            methods.push(Row::new(method, found.limit, found.seconds_per_step));
            bar.inc(1);
        }
        Ok(Table { methods, ..Table::of(loaded, &simulation, time) })
    }

    fn of(loaded: &Loaded, simulation: &Simulation, time_s: f64) -> Table {
        let topology = &simulation.world().topology;
        Table {
            time_s,
            nodes: topology.nodes,
            tetrahedra: topology.tets.len(),
            contact_off: loaded.scene.contact_settings().is_some(),
            methods: vec![],
        }
    }

    /// The table for people.
    fn text(&self) -> String {
        let mut text = format!(
            "{} nodes, {} tetrahedra; steps are stable over {}{}\n\n{:<20} {:>5} {:>20} {:>14} {:>26}\n",
            self.nodes,
            self.tetrahedra,
            seconds(self.time_s),
            if self.contact_off { "; without contact" } else { "" },
            "method",
            "order",
            "largest stable step",
            "time per step",
            "simulated / computing time",
        );
        self.methods.iter().for_each(|row| text.push_str(&row.text()));
        if self.methods.iter().any(|row| row.step_is == "too long") {
            text.push_str("\n<  unstable at every step that was tried; this was the shortest\n");
        }
        text
    }
}

impl Row {
    fn new(method: Method, limit: Limit, time_per_step_s: f64) -> Row {
        let step_s = limit.step();
        let step_is = match limit {
            Limit::Step(_) => "largest",
            Limit::AtLeast(_) => "longest tried",
            Limit::Below(_) => "too long",
        };
        let real_time_factor = step_s / time_per_step_s.max(f64::MIN_POSITIVE);
        Row {
            method: method.word(),
            order: method.order(),
            step_s,
            step_is,
            time_per_step_s,
            real_time_factor,
        }
    }

    fn text(&self) -> String {
        let sign = match self.step_is {
            "longest tried" => ">= ",
            "too long" => "< ",
            _ => "",
        };
        let ratio = if self.step_is == "too long" { "–".to_owned() } else { plain(self.real_time_factor) };
        format!(
            "{:<20} {:>5} {:>20} {:>14} {:>26}\n",
            self.method,
            self.order,
            format!("{sign}{}", seconds(self.step_s)),
            seconds(self.time_per_step_s),
            ratio
        )
    }
}

/// Three digits.
fn plain(number: f64) -> String {
    let digits = (2.0 - number.abs().max(1e-9).log10().floor()).clamp(0.0, 9.0);
    format!("{number:.*}", digits as usize)
}

fn failure(loaded: &Loaded, error: SearchError<SceneError>) -> Failure {
    match error {
        SearchError::Build(error) => loaded.failure(error),
        SearchError::Reference { error, message } => Failure::Simulation {
            message: format!("the accurate run to compare with fails: {message}"),
            help: Some(format!("{}; or give a shorter --time", StepError::cure(&error))),
        },
        SearchError::Inaccurate => Failure::Simulation {
            message: "no accurate run to compare with was found: energy is gained however short the steps"
                .into(),
            help: Some("give a shorter --time".into()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_three_digits() {
        for (number, text) in [(0.001_234_5, "0.00123"), (1.234, "1.23"), (45.67, "45.7"), (12345.0, "12345")]
        {
            assert_eq!(plain(number), text);
        }
    }

    #[test]
    fn every_row_of_the_table_is_as_long_as_its_head() {
        let rows = [Limit::Step(1e-3), Limit::AtLeast(0.04), Limit::Below(1e-9)]
            .map(|limit| Row::new(Method::SemiImplicitEuler, limit, 2e-5));
        let table = Table {
            time_s: 0.5,
            nodes: 8,
            tetrahedra: 6,
            contact_off: true,
            methods: rows.into_iter().collect(),
        };
        let text = table.text();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "8 nodes, 6 tetrahedra; steps are stable over 500.00 ms; without contact");
        let lengths: Vec<usize> = lines[2..6].iter().map(|line| line.chars().count()).collect();
        assert_eq!(lengths, [lengths[0]; 4], "{text}");
        assert!(
            lines[3].contains("1.00 ms")
                && lines[4].contains(">= 40.00 ms")
                && lines[5].contains("< 0.00 µs")
        );
        assert!(lines[7].starts_with("<  unstable at every step"), "{text}");
    }
}
