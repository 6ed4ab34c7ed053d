//! Scenes and run folders, as programs read them.

use std::path::Path;

use aspic::frame::{BodyKind, BodyRange};
use aspic::{Simulation, Vec3};
use aspic_io::run_film::kind_word;
use serde_json::{Map, Value, json};

use crate::info::{Known, describe_method, mass_and_center};
use crate::load::Loaded;

/// What `aspic check` says of a valid scene.
pub fn checked(loaded: &Loaded, simulation: &Simulation) -> Value {
    let topology = &simulation.world().topology;
    let warnings: Vec<Value> =
        loaded.scene.warnings().iter().map(|warning| json!({ "message": warning.to_string() })).collect();
    json!({
        "valid": true,
        "file": loaded.file.display().to_string(),
        "bodies": loaded.scene.bodies.len(),
        "nodes": topology.nodes,
        "tetrahedra": topology.tets.len(),
        "edges": topology.edges.len(),
        "constraints": loaded.scene.constraints.len(),
        "frames": simulation.frame_count(),
        "method": loaded.scene.method().word(),
        "steps": describe_method(loaded),
        "warnings": warnings,
    })
}

/// What `aspic info` says of a scene: the same with names, masses and places.
pub fn scene(loaded: &Loaded, simulation: &Simulation) -> Value {
    let world = simulation.world();
    let mut all = checked(loaded, simulation);
    let bodies = world.topology.bodies.iter().zip(&loaded.scene.bodies);
    let bodies: Vec<Value> =
        bodies.map(|(range, (_, body))| self::body(range, &body.material, simulation)).collect();
    let surfaces = world.topology.bodies.iter().filter(|body| body.kind == BodyKind::Obstacle);
    let surfaces = surfaces.map(|body| json!({ "name": body.name, "triangles": body.triangles.len() }));
    let planes = world.planes.iter().map(
        |plane| json!({ "name": plane.name, "point_m": list(&plane.point), "normal": list(&plane.normal) }),
    );
    let constraints: Vec<Value> = (world.constraints.iter())
        .filter(|constraint| !loaded.scene.obstacles.contains_key(&constraint.name))
        .map(|constraint| {
            json!({
                "name": constraint.name,
                "vertices": constraint.laws.len(),
                "stiffness_N_per_m": constraint.stiffness,
                "until_s": constraint.until.is_finite().then_some(constraint.until),
            })
        })
        .collect();
    all["title"] = json!(loaded.scene.title);
    all["duration_s"] = json!(simulation.settings().duration);
    all["bodies"] = Value::Array(bodies);
    all["obstacles"] = surfaces.chain(planes).collect();
    all["constraints"] = Value::Array(constraints);
    all["events"] = loaded.scene.events.keys().map(|name| json!({ "name": name })).collect();
    all["forces"] = json!(world.loads.len());
    all
}

fn body(range: &BodyRange, material: &str, simulation: &Simulation) -> Value {
    let inertia = mass_and_center(simulation.world(), &simulation.state().q, range);
    json!({
        "name": range.name,
        "kind": kind_word(range.kind),
        "material": material,
        "points": range.own_points().len(),
        "tetrahedra": range.tets.len(),
        "triangles": range.triangles.len(),
        "edges": range.edges.len(),
        "mass_kg": inertia.map(|(mass, _)| mass),
        "center_m": inertia.map(|(_, center)| list(&center)),
    })
}

fn list(x: &Vec3) -> [f64; 3] {
    [x.x, x.y, x.z]
}

/// What `aspic info` says of a run folder.
pub fn folder(path: &Path, run: &Known) -> Value {
    let mut all = Map::new();
    let mut put = |name: &str, value: Value| _ = all.insert(name.to_owned(), value);
    put("folder", json!(path.display().to_string()));
    put("title", json!(run.title));
    put("frames", json!(run.done));
    put("frames_of_whole_run", json!(run.total));
    put("finished", json!(run.done >= run.total));
    if run.done < run.total {
        put("resume", json!(run.resume));
    }
    if let Some(row) = &run.last {
        put("simulated_s", json!(row.t));
        put("kinetic_J", json!(row.kinetic));
        put("elastic_J", json!(row.elastic_bulk + row.elastic_shear));
        put("gravity_J", json!(row.gravity));
        put("viscous_loss_J", json!(row.viscous_loss));
    }
    if let Some((statistics, _, verdict)) = &run.judged {
        put("audit_relative", json!(statistics.audit_relative()));
        put("exchanged_J", json!(statistics.most_exchanged));
        put("numerical_loss_J", json!(statistics.numerical_loss));
        put("numerical_loss_relative", json!(statistics.of_exchanged(statistics.numerical_loss)));
        put("made_energy_J", json!(statistics.made_energy));
        put("made_energy_relative", json!(statistics.of_exchanged(statistics.made_energy)));
        put("max_constraint_violation", json!(statistics.worst_violation));
        put("warnings", json!(verdict.warnings));
        put("notes", json!(verdict.notes));
    }
    Value::Object(all)
}
