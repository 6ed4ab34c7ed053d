//! `aspic mesh`: what is in a mesh file, tetrahedra from a surface, one format into another.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use aspic::mesh::{TetMesh, TriangleSurface};
use aspic_io::mesh::{self, Content, Import, Up};
use aspic_mesh::{Cell, Filling, Keep, Soup};
use serde::Serialize;

use crate::args::{Axes, ConvertOptions, MeshCommand, TetOptions, UpAxis};
use crate::failure::Failure;
use crate::summary::seconds;

/// `aspic mesh`.
pub fn mesh(command: &MeshCommand) -> Result<ExitCode, Failure> {
    match command {
        MeshCommand::Info { file, axes, json } => info(file, axes, *json),
        MeshCommand::Tet(options) => tet(options),
        MeshCommand::Convert(options) => convert(options),
    }
}

fn import(axes: &Axes) -> Import {
    let up = axes.up.map(|up| match up {
        UpAxis::Y => Up::Y,
        UpAxis::Z => Up::Z,
    });
    Import { unit_in_meters: axes.unit, up }
}

/// What a file holds, as JSON.
#[derive(Serialize)]
struct Examined<'a, Report: Serialize> {
    file: String,
    /// `tetrahedra` or `surface`.
    kind: &'static str,
    #[serde(flatten)]
    report: &'a Report,
    /// The same in words, with what would be done about it.
    text: String,
}

/// What a file holds, and what would be done about its faults.
fn info(file: &Path, axes: &Axes, json: bool) -> Result<ExitCode, Failure> {
    match mesh::read_any(file, &import(axes))? {
        Content::Tets(held) => {
            let report = aspic_mesh::examine_tets(&held.mesh);
            let left_out = match (held.other_cells, held.unused_vertices) {
                (0, 0) => String::new(),
                (cells, vertices) => {
                    format!("\nleft out: {cells} cells that are no tetrahedra, {vertices} vertices of none")
                }
            };
            let text = format!("{report}{left_out}");
            tell(
                Examined { file: file.display().to_string(), kind: "tetrahedra", report: &report, text },
                json,
            )
        }
        Content::Triangles { positions, triangles } => {
            let soup = Soup { positions, triangles };
            soup.check().map_err(|error| Failure::file(file, format!("{}: {error}", file.display())))?;
            let report = aspic_mesh::examine(&soup);
            let text = report.to_string();
            tell(Examined { file: file.display().to_string(), kind: "surface", report: &report, text }, json)
        }
    }
}

fn tell(examined: Examined<impl Serialize>, json: bool) -> Result<ExitCode, Failure> {
    if json {
        return crate::print_json(&examined);
    }
    crate::print(&format!("{}\n{}", examined.file, examined.text))
}

/// Fills a surface with tetrahedra and writes them.
fn tet(options: &TetOptions) -> Result<ExitCode, Failure> {
    let clock = Instant::now();
    let out = options.out.clone().unwrap_or_else(|| options.file.with_extension("vtu"));
    if same(&options.file, &out) {
        let text = format!("{} would be written over: name another file with --out", out.display());
        return Err(Failure::Input(text));
    }
    refuse_target(&out, mesh::holds_tets(&out), "tetrahedra", mesh::TET_EXTENSIONS)?;
    let soup = soup(&options.file, &import(&options.axes))?;
    let cell = options.cell.map(Cell::Size).or(options.count.map(Cell::Count));
    let cell = cell.ok_or_else(|| Failure::Input("say how fine: --cell 2cm or --count 20000".into()))?;
    let (mesh, report) = fill(&soup, cell, options.lattice)
        .map_err(|error| Failure::Input(format!("{}: {error}", options.file.display())))?;
    mesh::write(&out, &mesh)?;
    let took = seconds(clock.elapsed().as_secs_f64());
    crate::print(&format!("{report}\nwritten to {} in {took}", out.display()))
}

/// Tetrahedra inside a surface: cut to it, or whole.
pub fn fill(soup: &Soup, cell: Cell, whole: bool) -> Result<(TetMesh, Filling), aspic_mesh::FillError> {
    match whole {
        true => aspic_mesh::lattice(soup, cell).map(|made| (made.mesh, made.report)),
        false => aspic_mesh::stuff(soup, cell, Keep::All).map(|made| (made.mesh, made.report)),
    }
}

/// The triangles of a file as they stand.
pub fn soup(file: &Path, import: &Import) -> Result<Soup, Failure> {
    match mesh::read_any(file, import)? {
        Content::Triangles { positions, triangles } => Ok(Soup { positions, triangles }),
        Content::Tets(held) => {
            let TriangleSurface { positions, triangles } = TriangleSurface::of(&held.mesh);
            Ok(Soup { positions, triangles })
        }
    }
}

/// Reads one format and writes another. Tetrahedra stay tetrahedra where the other format has them.
fn convert(options: &ConvertOptions) -> Result<ExitCode, Failure> {
    let ConvertOptions { from, to, axes } = options;
    if same(from, to) {
        return Err(Failure::Input(format!("{} would be written over: name another file", to.display())));
    }
    let surface = match mesh::read_any(from, &import(axes))? {
        Content::Tets(held) if mesh::holds_tets(to) => {
            mesh::write(to, &held.mesh)?;
            let what = crate::count(held.mesh.tets.len(), "tetrahedron", "tetrahedra");
            return crate::print(&format!("{what} written to {}", to.display()));
        }
        Content::Tets(held) => TriangleSurface::of(&held.mesh),
        Content::Triangles { positions, triangles } => tidy(from, Soup { positions, triangles })?,
    };
    refuse_target(to, !mesh::holds_tets(to), "surfaces", mesh::SURFACE_EXTENSIONS)?;
    mesh::write_surface(to, &surface)?;
    let what = crate::count(surface.triangles.len(), "triangle", "triangles");
    crate::print(&format!("{what} written to {}", to.display()))
}

/// The surface without triangles that have no area or are there twice; says so where there were some.
fn tidy(file: &Path, soup: Soup) -> Result<TriangleSurface, Failure> {
    soup.check().map_err(|error| Failure::Input(format!("{}: {error}", file.display())))?;
    let surface = aspic_mesh::tidy(&soup);
    let dropped = soup.triangles.len() - surface.triangles.len();
    if dropped > 0 {
        let what = crate::count(dropped, "triangle", "triangles");
        eprintln!("Left out: {what} without area, or there twice.");
    }
    Ok(surface)
}

/// Refuses a file that cannot be written before any work is done for it.
fn refuse_target(path: &Path, fits: bool, what: &str, known: &str) -> Result<(), Failure> {
    let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    match folder.filter(|folder| !folder.is_dir()) {
        Some(folder) => {
            Err(Failure::Input(format!("there is no folder {}: make it first", folder.display())))
        }
        None if !fits => {
            let path = path.display();
            Err(Failure::Input(format!(
                "{what} are not written to {path}: choose a name that ends in {known}"
            )))
        }
        None => Ok(()),
    }
}

/// Whether two names stand for one file, or for the same two files of TetGen.
fn same(a: &Path, b: &Path) -> bool {
    let is_pair = |path: &Path| path.extension().is_some_and(|ending| ending == "node" || ending == "ele");
    let one = |path: &Path| if is_pair(path) { path.with_extension("node") } else { path.to_owned() };
    let full = |path: &Path| -> Option<PathBuf> { one(path).canonicalize().ok() };
    full(a).is_some_and(|a| full(b) == Some(a))
}
