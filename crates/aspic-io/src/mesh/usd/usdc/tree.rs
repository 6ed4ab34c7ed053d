//! The prims of a binary file, put together from its tables. Each path is visited once, so a tree that runs in circles
//! ends.

use super::File;
use crate::ReadError;
use crate::mesh::reader::DAMAGED;
use crate::mesh::usd::layer::{COMPOSING, Layer, Prim, Value, is_wanted};

/// Kinds of specs.
const ATTRIBUTE: usize = 1;
const PRIM: usize = 6;
const PSEUDO_ROOT: usize = 7;

const NO_FIELD: usize = u32::MAX as usize;

/// A path by its last part.
#[derive(Clone, Copy)]
struct Path {
    parent: usize,
    token: usize,
}

pub(super) fn layer(file: &File) -> Result<Layer, ReadError> {
    let order = walk(file)?;
    let mut paths = vec![None; file.path_count.min(file.paths.len())];
    for &(number, path) in &order {
        let slot = paths.get_mut(number);
        *slot.ok_or_else(|| file.reader.error(format!("there is no path {number}"), DAMAGED))? = Some(path);
    }
    let mut spec_of = vec![None; paths.len()];
    for (number, &[path, _, _]) in file.specs.iter().enumerate() {
        if let Some(slot) = spec_of.get_mut(path) {
            *slot = Some(number);
        }
    }
    let mut layer = Layer::default();
    let mut prim_of = vec![None; paths.len()];
    // Parents come before their children in this order, and attributes behind their prim.
    for (number, path) in order {
        let Some([_, set, kind]) = spec_of[number].map(|spec| file.specs[spec]) else { continue };
        file.spend(fields(file, set).count() + file.token(path.token).len())?;
        let parent = prim_of.get(path.parent).copied().flatten();
        match kind {
            PSEUDO_ROOT => root(file, set, &mut layer)?,
            PRIM => {
                let prim = prim(file, path, set, parent, &mut layer)?;
                prim_of[number] = Some(layer.prims.len());
                layer.prims.push(prim);
            }
            ATTRIBUTE => {
                let name = file.token(path.token);
                if let (true, Some(prim)) = (is_wanted(name), parent)
                    && let Some(value) = attribute(file, set)?
                {
                    layer.prims[prim].attributes.insert(name.into(), value);
                }
            }
            _ => {}
        }
    }
    Ok(layer)
}

/// All paths, parents first.
fn walk(file: &File) -> Result<Vec<(usize, Path)>, ReadError> {
    let mut order = Vec::with_capacity(file.paths.len());
    let mut seen = vec![false; file.paths.len()];
    let mut waiting = vec![(0, usize::MAX)];
    while let Some((mut at, mut parent)) = waiting.pop() {
        while let Some(&[number, token, jump]) = file.paths.get(at) {
            if std::mem::replace(&mut seen[at], true) {
                return Err(file.reader.error("the tree of paths runs in circles", DAMAGED));
            }
            let token = token.unsigned_abs() as usize;
            order.push((number as usize, Path { parent, token }));
            let has_child = jump > 0 || jump == -1;
            match (has_child, jump >= 0) {
                (true, true) => {
                    waiting.push((at.saturating_add(jump as usize), parent));
                    parent = number as usize;
                }
                (true, false) => parent = number as usize,
                (false, true) => {}
                (false, false) => break,
            }
            at += 1;
        }
    }
    Ok(order)
}

/// The fields of a set: name and value.
fn fields<'a>(file: &'a File, set: usize) -> impl Iterator<Item = (&'a str, u64)> {
    let numbers = file.field_sets.get(set..).unwrap_or_default();
    let numbers = numbers.iter().take_while(|&&number| number != NO_FIELD);
    numbers.filter_map(|&number| file.fields.get(number)).map(|&(name, value)| (file.token(name), value))
}

fn root(file: &File, set: usize, layer: &mut Layer) -> Result<(), ReadError> {
    for (name, value) in fields(file, set) {
        match name {
            "upAxis" => layer.up = file.value(value)?.and_then(|up| up.texts().first().cloned()),
            "metersPerUnit" => {
                layer.meters_per_unit = file.value(value)?.and_then(|unit| unit.numbers().first().copied());
            }
            _ => compose(name, layer),
        }
    }
    Ok(())
}

fn prim(
    file: &File,
    path: Path,
    set: usize,
    parent: Option<usize>,
    layer: &mut Layer,
) -> Result<Prim, ReadError> {
    let mut prim = Prim { name: file.token(path.token).into(), parent, ..Prim::default() };
    let mut is_active = true;
    for (name, value) in fields(file, set) {
        match name {
            "typeName" => {
                prim.kind = file.value(value)?.and_then(|t| t.texts().first().cloned()).unwrap_or_default()
            }
            "specifier" => prim.is_there = file.value(value)? == Some(Value::Numbers(vec![0.0])),
            "active" => is_active = file.value(value)? != Some(Value::Numbers(vec![0.0])),
            _ => compose(name, layer),
        }
    }
    prim.is_there &= is_active;
    Ok(prim)
}

fn compose(field: &str, layer: &mut Layer) {
    if COMPOSING.contains(&field) {
        layer.composed.get_or_insert(field.into());
    }
}

/// A value that holds at all times goes before samples.
fn attribute(file: &File, set: usize) -> Result<Option<Value>, ReadError> {
    let find = |wanted: &str| fields(file, set).find(|(name, _)| *name == wanted).map(|(_, value)| value);
    match find("default").or_else(|| find("timeSamples")) {
        Some(value) => file.value(value),
        None => Ok(None),
    }
}
