//! Tracked points as a table (`.csv`): one line per frame, one column per number, full double precision.
//!
//! The first line names the columns with their units: `frame`, `t [s]`, and for each point `NAME 12 x [m]` and so on, then
//! `NAME 12 vx [m/s]` if velocities are known. A column without the number of a point is the mean of all points.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use aspic::Vec3;

use super::{Cache, Cast, Pose, check, names, text};
use crate::OutputError;
use crate::atomic::Pending;

/// A point of an actor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tracked {
    /// The name of the actor.
    pub actor: String,
    /// The number of its point, from 0; the mean of all if there is none.
    pub point: Option<usize>,
}

struct Csv {
    path: PathBuf,
    cast: Cast,
    file: Pending,
    columns: Vec<Column>,
    velocities: Option<bool>,
    pushed: usize,
}

/// The points of which a column is the mean.
struct Column {
    name: String,
    points: std::ops::Range<usize>,
}

/// Begins a table of these points; without any, of the mean of each actor.
pub fn begin(path: &Path, cast: &Cast, tracked: &[Tracked]) -> Result<Box<dyn Cache>, OutputError> {
    check::cast(path, cast)?;
    let means = || cast.actors.iter().map(|actor| Tracked { actor: actor.name.clone(), point: None });
    let tracked = if tracked.is_empty() { means().collect() } else { tracked.to_vec() };
    let columns: Result<Vec<Column>, String> = tracked.iter().map(|point| column(cast, point)).collect();
    let columns = columns.map_err(|cause| io::Error::new(io::ErrorKind::InvalidInput, cause));
    Ok(Box::new(Csv {
        columns: columns.map_err(OutputError::io(path))?,
        path: path.into(),
        cast: cast.clone(),
        file: Pending::begin(path)?,
        velocities: None,
        pushed: 0,
    }))
}

fn column(cast: &Cast, tracked: &Tracked) -> Result<Column, String> {
    let known = || cast.actors.iter().map(|a| format!("`{}`", a.name)).collect::<Vec<_>>().join(", ");
    let place = cast.actors.iter().position(|actor| actor.name == tracked.actor);
    let place =
        place.ok_or_else(|| format!("nothing is called `{}`: there are {}", tracked.actor, known()))?;
    let actor = &cast.actors[place];
    let first: usize = cast.actors[..place].iter().map(|actor| actor.points).sum();
    let name = names::one_line(&actor.name);
    match tracked.point {
        None => Ok(Column { name, points: first..first + actor.points }),
        Some(point) if point < actor.points => {
            Ok(Column { name: format!("{name} {point}"), points: first + point..first + point + 1 })
        }
        Some(point) => Err(format!("`{name}` has no point {point}: it has {}, counted from 0", actor.points)),
    }
}

impl Csv {
    fn header(&self, velocities: bool) -> String {
        let unit = match self.cast.meters_per_unit {
            1.0 => "m".into(),
            0.01 => "cm".into(),
            0.001 => "mm".into(),
            other => format!("{other} m"),
        };
        let mut line = "frame,t [s]".to_string();
        for column in &self.columns {
            let mut add = |what: &str, unit: &str| {
                let title = format!("{} {what} [{unit}]", column.name);
                line += &format!(",{}", quoted(&title));
            };
            ["x", "y", "z"].iter().for_each(|what| add(what, &unit));
            if velocities {
                ["vx", "vy", "vz"].iter().for_each(|what| add(what, &format!("{unit}/s")));
            }
        }
        line + "\n"
    }

    fn line(&self, pose: &Pose<'_>) -> Vec<u8> {
        let mut line = pose.number.to_string().into_bytes();
        let mut add = |number: f64| {
            line.push(b',');
            text::double(&mut line, number);
        };
        add(pose.t);
        for column in &self.columns {
            for vectors in [pose.positions, pose.velocities].into_iter().filter(|v| !v.is_empty()) {
                mean(&vectors[column.points.clone()]).iter().for_each(|&x| add(x));
            }
        }
        line.push(b'\n');
        line
    }
}

fn mean(vectors: &[Vec3]) -> Vec3 {
    vectors.iter().sum::<Vec3>() / vectors.len() as f64
}

/// In quotes where the text would not be one field otherwise.
fn quoted(text: &str) -> String {
    if text.contains([',', '"']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.into() }
}

impl Cache for Csv {
    fn push(&mut self, pose: &Pose<'_>) -> Result<(), OutputError> {
        check::pose(&self.path, &self.cast, self.pushed, pose)?;
        let known = !pose.velocities.is_empty();
        let expected = if self.velocities.unwrap_or(known) { self.cast.points() } else { 0 };
        OutputError::expect_length(&self.path, "velocities", expected, pose.velocities.len())?;
        let mut lines = if self.velocities.is_none() { self.header(known).into_bytes() } else { Vec::new() };
        self.velocities = Some(known);
        lines.extend(self.line(pose));
        self.pushed += 1;
        self.file.write_all(&lines).map_err(OutputError::io(&self.path))
    }

    fn finish(mut self: Box<Self>) -> Result<Vec<PathBuf>, OutputError> {
        if self.velocities.is_none() {
            let header = self.header(false);
            self.file.write_all(header.as_bytes()).map_err(OutputError::io(&self.path))?;
        }
        self.file.finish()?;
        Ok(vec![self.path])
    }
}

#[cfg(test)]
mod tests {
    use super::super::made_up;
    use super::*;

    fn table(tracked: &[Tracked]) -> Result<String, OutputError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        let mut cache = begin(&path, &made_up::cast(), tracked)?;
        made_up::push(&mut *cache, 2);
        cache.finish()?;
        Ok(std::fs::read_to_string(path).unwrap())
    }

    #[test]
    fn columns_are_named_and_numbers_are_exact() {
        let tracked = [Tracked { actor: "a, \"rope\"".into(), point: Some(1) }];
        let text = table(&tracked).unwrap();
        let mut lines = text.lines();
        let x = |axis| format!("\"a, \"\"rope\"\" 1 {axis} [m]\"");
        let header = lines.next().unwrap();
        assert!(header.starts_with(&format!("frame,t [s],{},{}", x("x"), x("y"))), "{header}");
        let first = lines.next().unwrap();
        let numbers: Vec<f64> = first.split(',').map(|field| field.parse().unwrap()).collect();
        let positions = made_up::positions(0);
        assert_eq!(numbers[2..5], *positions[made_up::ROPE + 1].as_slice());
        assert_eq!(text.lines().count(), 3);
    }

    #[test]
    fn the_mean_of_each_actor_is_tracked_unless_points_are_chosen() {
        let text = table(&[]).unwrap();
        let numbers: Vec<f64> =
            text.lines().nth(1).unwrap().split(',').map(|field| field.parse().unwrap()).collect();
        assert_eq!(numbers.len(), 2 + 6 * made_up::cast().actors.len());
        let mean = made_up::positions(0)[..4].iter().sum::<Vec3>() / 4.0;
        assert_eq!(numbers[2..5], *mean.as_slice());
    }

    #[test]
    fn a_point_that_is_not_there_is_refused_with_what_there_is() {
        let point = |actor: &str, point| [Tracked { actor: actor.into(), point: Some(point) }];
        let text = table(&point("nobody", 0)).unwrap_err().to_string();
        assert!(text.contains("`nobody`") && text.contains("tet"), "{text}");
        let text = table(&point("tet", 4)).unwrap_err().to_string();
        assert!(text.contains("no point 4: it has 4"), "{text}");
    }
}
