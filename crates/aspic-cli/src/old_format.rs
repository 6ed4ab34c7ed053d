//! A file of meshes and velocities as a scene: every object a closed shell of soft rubber above a ground.

use std::fmt::Write;
use std::path::Path;

use aspic::Vec3;
use aspic_io::mesh::{OBJECTS, Object, read_objects};

use crate::failure::Failure;

/// Thickness of the walls, over the size of the object.
const THICKNESS: f64 = 0.02;
/// Room between the lowest vertex and the ground, over the size of everything, where z = 0 is no ground.
const ROOM: f64 = 0.01;

/// Whether a file is one of meshes and velocities, by its name.
pub fn is_one(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == OBJECTS)
}

/// The scene as text. Its bodies refer to the objects of the file.
pub fn scene(file: &Path) -> Result<String, Failure> {
    let objects = read_objects(file)?;
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let title = file.file_stem().unwrap_or_default().to_string_lossy();
    let ground = ground(&objects);
    let mut text = format!(
        "# The objects of {name} as shells of soft rubber.\n\ntitle = {}\nduration = \"3 s\"\n\n\
         [contact]\nfriction = 0.4\n\n[materials.rubber]\npreset = \"soft rubber\"\n\n\
         [obstacles.\"the ground\"]\nshape = {{ plane = {{ point = [0, 0, {ground:?}], normal = [0, 0, 1] }} }}\n",
        quoted(&title)
    );
    for object in &objects {
        let (thickness, v) = (THICKNESS * size(&object.surface.positions), object.velocity);
        let surface = quoted(&format!("{name}#{}", object.name));
        let _ = write!(
            text,
            "\n[bodies.{}]\nmaterial = \"rubber\"\n\
             shell = {{ surface = {{ file = {surface} }}, thickness = {thickness:.3e}, bulk = \"20 kPa\" }}\n\
             velocity = [{:?}, {:?}, {:?}]\n",
            quoted(&object.name),
            v.x,
            v.y,
            v.z
        );
    }
    Ok(text)
}

/// Height of the ground \[m\]: zero if everything is above it, else a little below everything.
fn ground(objects: &[Object]) -> f64 {
    let all: Vec<Vec3> = objects.iter().flat_map(|object| &object.surface.positions).copied().collect();
    let lowest = all.iter().map(|x| x.z).fold(f64::INFINITY, f64::min);
    let below = lowest - ROOM * size(&all);
    if below >= 0.0 { 0.0 } else { below }
}

/// The diagonal of their box \[m\].
fn size(points: &[Vec3]) -> f64 {
    let start = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
    let (low, high) = points.iter().fold(start, |(low, high), x| (low.inf(x), high.sup(x)));
    (high - low).norm()
}

/// A string of TOML; the rules of JSON serve.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
