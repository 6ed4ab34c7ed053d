//! The command `aspic`: a thin user of the library.
//!
//! Exit codes: 0 done, 1 the simulation or its output failed, 2 bad input, 3 done with warnings that `--strict` does
//! not allow, 130 interrupted (and resumable).

mod args;
mod as_json;
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
    let arguments = args::Arguments::try_parse().unwrap_or_else(|error| refuse(&error));
    let result = match &arguments.command {
        Command::Run(options) => run::start(options),
        Command::Resume(options) => run::resume(options),
        Command::View(options) => view::view(options),
        Command::Export(options) => export::export(options),
        Command::Check { scene, json } => info::check(scene, *json),
        Command::Info { path, json } => info::info(path, *json),
        Command::Mesh { command } => mesh::mesh(command),
        Command::Stability(options) => stability::table(options),
        Command::Schema => print(&aspic::scene::json_schema()),
        Command::Materials { name } => materials::list(name.as_deref()),
    };
    match result {
        Ok(code) => code,
        Err(failure) => {
            if arguments.command.json() {
                // Standard error has the message too, whatever becomes of this one.
                let _ = print_json(&failure.as_object());
            }
            failure.report()
        }
    }
}

/// Ends the command where its arguments are wrong, or only ask for help.
fn refuse(error: &clap::Error) -> ! {
    if error.use_stderr() && std::env::args_os().any(|argument| argument == "--json") {
        let text = error.to_string();
        let message = text.lines().next().unwrap_or_default().trim_start_matches("error: ");
        let _ = print_json(&Failure::Input(message.to_owned()).as_object());
    }
    error.exit()
}

/// A number of things: `1 body`, `2 bodies`.
fn count(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// Prints one JSON object on a line of standard output.
fn print_json(object: &impl serde::Serialize) -> Result<ExitCode, Failure> {
    print(&serde_json::to_string(object).map_err(Failure::output)?)
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
