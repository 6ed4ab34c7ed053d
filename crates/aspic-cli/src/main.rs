//! The command `aspic`: a thin user of the library.
//!
//! Exit codes: 0 done, 1 the simulation or its output failed, 2 bad input, 130 interrupted (and resumable).

mod args;
mod caches;
mod chosen;
mod export;
mod failure;
mod figures;
mod info;
mod load;
mod materials;
mod mesh;
mod old_format;
mod page;
mod run;
mod stability;
mod summary;
mod view;

use std::process::ExitCode;

use args::Command;
use clap::Parser;
use failure::Failure;

fn main() -> ExitCode {
    let arguments = args::Arguments::parse();
    let result = match &arguments.command {
        Command::Run(options) => run::start(options),
        Command::Resume(options) => run::resume(options),
        Command::View(options) => view::view(options),
        Command::Export(options) => export::export(options),
        Command::Check { scene } => info::check(scene),
        Command::Info { path } => info::info(path),
        Command::Mesh { command } => mesh::mesh(command),
        Command::Stability(options) => stability::table(options),
        Command::Schema => print(&aspic::scene::json_schema()),
        Command::Materials { name } => materials::list(name.as_deref()),
    };
    match result {
        Ok(code) => code,
        Err(failure) => failure.report(),
    }
}

/// A number of things: `1 body`, `2 bodies`.
fn count(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// Prints a text to standard output; a reader that went away is no failure.
fn print(text: &str) -> Result<ExitCode, Failure> {
    use std::io::Write;
    let mut out = std::io::stdout().lock();
    match writeln!(out, "{}", text.trim_end()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(Failure::output(error)),
        _ => Ok(ExitCode::SUCCESS),
    }
}
