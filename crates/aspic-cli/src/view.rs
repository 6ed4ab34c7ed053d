//! `aspic view`: a server for the browser until it is interrupted.

use std::path::Path;
use std::process::ExitCode;
use std::sync::mpsc;

use aspic_view::live::Script;
use aspic_view::{Options, Show, View, ViewError};

use crate::args::ViewOptions;
use crate::failure::Failure;
use crate::load::Loaded;

/// `aspic view`. The first line on standard output is the address.
pub fn view(options: &ViewOptions) -> Result<ExitCode, Failure> {
    crate::run::use_threads(options.threads)?;
    let listen = Options { host: options.host.clone(), port: options.port };
    let view =
        if options.path.is_dir() { film(&options.path, &listen) } else { scene(&options.path, &listen) }?;
    let (stop, stopped) = mpsc::channel();
    let interrupted = move || {
        let _ = stop.send(());
    };
    ctrlc::set_handler(interrupted)
        .map_err(|error| Failure::output(format!("cannot listen for interrupts: {error}")))?;
    crate::print(&view.address())?;
    tell(&view, &listen);
    if !options.no_open && has_browser() && open::that_detached(view.address()).is_err() {
        eprintln!("No browser could be opened: open the address by hand.");
    }
    // It ends with an interrupt, or with the channel, which nobody drops.
    let _ = stopped.recv();
    Ok(ExitCode::SUCCESS)
}

fn film(folder: &Path, listen: &Options) -> Result<View, Failure> {
    View::start(Show::Film(folder.into()), listen).map_err(|error| Failure::Input(error.to_string()))
}

fn scene(file: &Path, listen: &Options) -> Result<View, Failure> {
    let loaded = Loaded::read(file)?;
    loaded.warn();
    let name = file.file_stem().unwrap_or("scene".as_ref()).to_string_lossy().into_owned();
    let script = Script {
        name,
        text: loaded.text.clone(),
        scene: loaded.scene.clone(),
        files: Box::new(loaded.files()),
    };
    View::start(Show::Live(Box::new(script)), listen).map_err(|error| match error {
        ViewError::Scene(error) => loaded.failure(error),
        other => Failure::Input(other.to_string()),
    })
}

/// What a person should know besides the address.
fn tell(view: &View, listen: &Options) {
    if let Some(port) = view.taken() {
        eprintln!("Port {port} is taken already, so another one is used.");
    }
    if view.is_open_to_others() {
        let host = listen.host.as_deref().unwrap_or_default();
        eprintln!(
            "Others can reach this viewer at {host}, unencrypted. Who has the address can look and pull at the scene."
        );
    }
    if !aspic_view::PAGE_IS_THERE {
        eprintln!("{}", aspic_view::WITHOUT_PAGE.trim());
    }
    eprintln!("Ctrl-C ends the viewer.");
}

/// Whether somebody sits in front of a screen of this machine.
fn has_browser() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let far = ["SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY"].iter().any(|name| set(name));
    let screen = ["DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME"].iter().any(|name| set(name));
    !far && (screen || cfg!(any(target_os = "macos", windows)))
}
