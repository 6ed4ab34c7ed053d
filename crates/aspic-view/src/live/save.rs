//! A scene that was changed while it ran, as text again: the file as it was written, with other numbers in it.
//!
//! Comments, order and units stay. A value that had a unit keeps it; a value that was not there is written in SI.

use aspic::frame::{BodyKind, Topology};
use aspic::scene::Scene;
use aspic::scene::units::{Measure, nine_digits, written_like};
use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, TableLike, Value};

use super::parameters::{Key, Property, list};

/// The text of `start`, changed to say what `scene` says, with `pins` held where they start.
pub fn write(
    text: &str,
    start: &Scene,
    scene: &Scene,
    pins: &[u32],
    topology: &Topology,
) -> Result<String, String> {
    let mut document: DocumentMut = text.parse().map_err(|error| format!("{error}"))?;
    for parameter in list(scene, start) {
        let Some(key) = super::parameters::find(&parameter.key, start) else { continue };
        if key.get(start) != Some(parameter.value) {
            change(&mut document, &key, scene, parameter.value);
        }
    }
    hold(&mut document, pins, topology);
    let written = document.to_string();
    // What is handed out must be a scene, whatever the text was like.
    Scene::parse(&written).map_err(|error| error.message)?;
    Ok(written)
}

/// Writes one value to its place.
fn change(document: &mut DocumentMut, key: &Key, scene: &Scene, value: f64) {
    let root = document.as_table_mut();
    match key {
        Key::Gravity(_) => gravity(root, scene),
        Key::Material(name, property) => {
            set(root, &["materials", name, property.word()], value, property.measure());
        }
        Key::AffineStiffness(name) => set(root, &["bodies", name, "stiffness"], value, Measure::Pressure),
        Key::Friction => set(root, &["contact", "friction"], value, Measure::Number),
        Key::Step => set(root, &["time", "max_step"], value, Measure::Time),
    }
}

impl Property {
    fn measure(self) -> Measure {
        match self {
            Property::Bulk | Property::Shear | Property::Young => Measure::Pressure,
            Property::Poisson => Measure::Number,
            Property::BulkViscosity | Property::ShearViscosity => Measure::Viscosity,
        }
    }
}

/// Sets the value at a path; tables that are missing are made.
fn set(root: &mut Table, path: &[&str], value: f64, measure: Measure) {
    let Some((last, tables)) = path.split_last() else { return };
    let mut table: &mut dyn TableLike = root;
    for name in tables {
        let item = table.entry(name).or_insert(Item::Table(Table::new()));
        let Some(next) = item.as_table_like_mut() else { return };
        table = next;
    }
    match table.get_mut(last).and_then(Item::as_value_mut) {
        Some(place) => replace(place, value, measure),
        None => drop(table.insert(last, Item::Value(number(value)))),
    }
}

/// Another value in place of one, in its unit and with its blanks and comments.
fn replace(place: &mut Value, value: f64, measure: Measure) {
    let like = place.as_str().and_then(|text| written_like(text, value, measure));
    let mut new = like.map_or_else(|| number(value), Value::from);
    *new.decor_mut() = place.decor().clone();
    *place = new;
}

/// A number, whole ones without a point.
fn number(value: f64) -> Value {
    let value = nine_digits(value);
    if value.fract() == 0.0 && value.abs() < 1e9 { Value::from(value as i64) } else { Value::from(value) }
}

/// Gravity is one number downwards, or three, or not written.
fn gravity(root: &mut Table, scene: &Scene) {
    let g = scene.gravity.0.si();
    let old = root.get_mut("gravity").and_then(Item::as_value_mut);
    match old {
        Some(Value::Array(array)) if array.len() == 3 => {
            for (place, value) in array.iter_mut().zip(g.iter()) {
                replace(place, *value, Measure::Acceleration);
            }
        }
        Some(Value::Array(_)) => (),
        Some(place) if g.x == 0.0 && g.y == 0.0 => replace(place, 0.0 - g.z, Measure::Acceleration),
        Some(place) => {
            let mut new = Value::Array(g.iter().map(|value| number(*value)).collect());
            *new.decor_mut() = place.decor().clone();
            *place = new;
        }
        None => {
            let vector: Array = g.iter().map(|value| number(*value)).collect();
            root.insert("gravity", Item::Value(Value::Array(vector)));
        }
    }
}

/// A constraint for every pin: a vertex of a solid, or the whole of an affine body.
fn hold(document: &mut DocumentMut, pins: &[u32], topology: &Topology) {
    let mut selections: Vec<(String, InlineTable)> = vec![];
    for &pin in pins {
        let body = topology.bodies.iter().find(|body| body.points.contains(&(pin as usize)));
        let Some(body) = body else { continue };
        let mut selection = InlineTable::new();
        selection.insert("body", Value::from(body.name.as_str()));
        let name = if body.kind == BodyKind::Affine {
            format!("pin of {}", body.name)
        } else {
            let index = pin as usize - body.points.start;
            selection.insert("index", Value::Array([Value::from(index as i64)].into_iter().collect()));
            format!("pin of {} at {index}", body.name)
        };
        selections.push((name, selection));
    }
    for (name, selection) in selections {
        let mut group = Table::new();
        group.set_implicit(true);
        let constraints = document.as_table_mut().entry("constraints").or_insert(Item::Table(group));
        let Some(constraints) = constraints.as_table_like_mut() else { return };
        let mut table = Table::new();
        table.insert("hold", Item::Value(Value::InlineTable(selection)));
        if !constraints.contains_key(&name) {
            constraints.insert(&name, Item::Table(table));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"# A block.
title = "block" # its name
duration = "1 s"
gravity = "9.81 m/s^2" # downwards

[materials.jelly]
preset = "gelatin"
shear = "15 kPa"      # soft

[materials]
stone = { density = 2000, young = 1e7, poisson = 0.25 }

[bodies.block]
material = "jelly"
shape = { box = { size = [0.1, 0.1, 0.1], cells = [1, 1, 1] } }

[bodies.brick]
kind = "affine"
material = "stone"
shape = { box = { size = [0.1, 0.1, 0.1], cells = [1, 1, 1] } }
position = [0, 0, 0.2]

[bodies.soft-stone]
material = "stone"
shape = { box = { size = [0.1, 0.1, 0.1], cells = [1, 1, 1] } }
position = [0, 0, 0.4]
"#;

    fn changed(text: &str, changes: &[(&str, f64)]) -> String {
        let start = Scene::parse(text).unwrap();
        let mut scene = start.clone();
        for (key, value) in changes {
            super::super::parameters::find(key, &start).unwrap().set(&mut scene, *value).unwrap();
        }
        let topology = start.build(&aspic::scene::NoFiles).unwrap().world().topology.clone();
        let written = write(text, &start, &scene, &[3, 9, 17], &topology).unwrap();
        let back = Scene::parse(&written).unwrap();
        for (key, value) in changes {
            let read = super::super::parameters::find(key, &start).unwrap().get(&back).unwrap();
            assert!((read - value).abs() <= 1e-8 * value.abs(), "{key}: {read}, not {value}");
        }
        written
    }

    #[test]
    fn scene_without_changes_comes_back_to_the_letter() {
        let start = Scene::parse(TEXT).unwrap();
        assert_eq!(write(TEXT, &start, &start, &[], &Topology::default()).unwrap(), TEXT);
    }

    #[test]
    fn changed_numbers_keep_their_units_comments_and_places() {
        let written = changed(
            TEXT,
            &[
                ("gravity.z", -1.6),
                ("materials.jelly.shear", 22.5e3),
                ("materials.jelly.shear_viscosity", 12.0),
                ("materials.stone.poisson", 0.3),
                ("contact.friction", 0.4),
                ("time.max_step", 0.005),
                ("bodies.brick.stiffness", 2e8),
            ],
        );
        for line in [
            "title = \"block\" # its name",
            "gravity = \"1.6 m/s^2\" # downwards",
            "shear = \"22.5 kPa\"      # soft",
            "shear_viscosity = 12",
            "stone = { density = 2000, young = 1e7, poisson = 0.3 }",
            "friction = 0.4",
            "max_step = 0.005",
            "stiffness = 200000000",
            "[constraints.\"pin of block at 3\"]",
            "hold = { body = \"block\", index = [3] }",
            "hold = { body = \"brick\" }",
            "hold = { body = \"soft-stone\", index = [1] }",
        ] {
            assert!(written.lines().any(|l| l == line), "`{line}` is missing in\n{written}");
        }
        assert!(written.starts_with("# A block.\n"));
    }

    #[test]
    fn gravity_is_written_in_the_form_it_had_if_that_can_say_it() {
        for (form, change, expected) in [
            ("gravity = [0, \"1 g\", -9.81]", ("gravity.z", -3.0), "gravity = [0, \"1 g\", -3]"),
            ("gravity = 9.81", ("gravity.z", 2.0), "gravity = -2"),
            ("gravity = 9.81", ("gravity.x", 2.0), "gravity = [2, 0, -9.81]"),
            ("", ("gravity.y", 0.5), "gravity = [0, 0.5, -9.81]"),
        ] {
            let text = TEXT.replace("gravity = \"9.81 m/s^2\" # downwards", form);
            let written = changed(&text, &[change]);
            assert!(written.lines().any(|line| line == expected), "`{expected}` is missing in\n{written}");
        }
    }
}
