//! Builds the page of the viewer into this crate. Without Node.js, or where it fails, a page of a few words takes its
//! place; the build of the crate itself never fails for it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

/// What the page is made from. Not the whole folder: npm writes into it.
const SOURCES: [&str; 7] =
    ["src", "public", "index.html", "package.json", "package-lock.json", "tsconfig.json", "vite.config.ts"];

fn main() -> io::Result<()> {
    let web = Path::new("../../web");
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join("page");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/without_page.txt");
    let sources = SOURCES.map(|name| web.join(name));
    for source in sources.iter().filter(|source| source.exists()) {
        println!("cargo::rerun-if-changed={}", source.display());
    }
    fs::create_dir_all(&out)?;
    let built = build(web, &out);
    if let Err(why) = &built {
        println!("cargo::warning=the viewer has no page: {why}");
        fs::write(out.join("index.html"), placeholder()?)?;
    }
    fs::write(out.join("is_there"), built.is_ok().to_string())
}

/// Lets vite write the page to `out`.
fn build(web: &Path, out: &Path) -> Result<(), String> {
    if !web.join("package.json").exists() {
        println!("cargo::rerun-if-changed={}", web.join("package.json").display());
        return Err("the folder web is not there".into());
    }
    if is_old(web) {
        run(web, &["ci", "--no-audit", "--no-fund"])?;
    }
    let folder = fs::canonicalize(out).map_err(|error| error.to_string())?;
    let folder = folder.to_str().ok_or("the build folder has an odd name")?;
    run(web, &["exec", "--", "vite", "build", "--logLevel", "warn", "--emptyOutDir", "--outDir", folder])?;
    let page = fs::read_to_string(out.join("index.html")).map_err(|error| error.to_string())?;
    if page.contains("</head>") { Ok(()) } else { Err("vite wrote a page without a head".into()) }
}

/// Whether what npm has installed is missing, or older than what it should be.
fn is_old(web: &Path) -> bool {
    let written = |path: PathBuf| fs::metadata(path).and_then(|data| data.modified()).ok();
    let installed = written(web.join("node_modules/.package-lock.json"));
    installed.is_none() || installed < written(web.join("package-lock.json"))
}

fn run(web: &Path, arguments: &[&str]) -> Result<(), String> {
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let done = Command::new(npm).args(arguments).current_dir(web).output();
    let done =
        done.map_err(|error| format!("npm cannot be run ({error}); install Node.js 20.19 or newer"))?;
    if done.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&done.stderr).into_owned() + &String::from_utf8_lossy(&done.stdout);
    let last: Vec<&str> = said.lines().filter(|line| !line.trim().is_empty()).take(4).collect();
    Err(format!("npm {} failed: {}", arguments.join(" "), last.join(" | ")))
}

/// A page that says how to get the viewer.
fn placeholder() -> io::Result<String> {
    let words = fs::read_to_string("src/without_page.txt")?;
    Ok(format!(
        "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>aspic</title></head>\n\
         <body><p>{}</p></body>\n</html>\n",
        words.trim()
    ))
}
