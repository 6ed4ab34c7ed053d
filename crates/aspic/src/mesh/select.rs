//! How a person chooses vertices: by group, by place, by nearness, by number.

#[cfg(test)]
mod tests;

use super::TetMesh;
use super::pose::direction;
use crate::Vec3;

/// Vertices that satisfy every criterion given; all vertices if none is.
/// Places are in the world, after the body has been posed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Selection {
    /// In the group of this name.
    pub name: Option<String>,
    /// In the axis-aligned box between two opposite corners \[m\], given in any order.
    pub within_box: Option<(Vec3, Vec3)>,
    /// In the ball of this centre and radius \[m\].
    pub sphere: Option<(Vec3, f64)>,
    /// On the side of a plane its normal n points to: n·(x − p) ≥ 0 for a point p \[m\] of the plane.
    pub side: Option<(Vec3, Vec3)>,
    /// Only the one nearest to this point \[m\] among those the other criteria leave; of equals the lowest number.
    pub nearest: Option<Vec3>,
    /// On the surface, or inside.
    pub part: Option<Part>,
    /// Among these numbers.
    pub index: Option<Vec<usize>>,
}

/// Where in a body a vertex lies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Part {
    /// On an exposed triangle.
    Surface,
    /// On no exposed triangle.
    Interior,
    /// Anywhere.
    #[default]
    All,
}

/// Why nothing could be chosen.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SelectError {
    /// The mesh has no group of this name.
    #[error("there is no group \"{name}\": {}", list_names(known))]
    UnknownName {
        /// The name asked for.
        name: String,
        /// The names there are.
        known: Vec<String>,
    },
    /// No vertex satisfies all criteria.
    #[error("no vertex is chosen by {}", list_criteria(criteria))]
    Empty {
        /// What was asked, each with how many vertices satisfy it alone and how far off the nearest one is.
        criteria: Vec<String>,
    },
    /// A vertex number is too high.
    #[error("vertex {index} does not exist: there are {vertices}, numbered from 0")]
    IndexOutOfRange {
        /// The number asked for.
        index: usize,
        /// How many vertices there are.
        vertices: usize,
    },
    /// A criterion has impossible numbers.
    #[error("{0}")]
    BadCriterion(String),
    /// Mesh and positions do not belong together.
    #[error("{positions} positions were given for a mesh of {vertices} vertices")]
    WrongLength {
        /// How many positions were given.
        positions: usize,
        /// How many vertices there are.
        vertices: usize,
    },
}

fn list_names(known: &[String]) -> String {
    if known.is_empty() {
        "this mesh has no groups".into()
    } else {
        format!("this mesh has {}", known.join(", "))
    }
}

fn list_criteria(criteria: &[String]) -> String {
    if criteria.is_empty() { "taking all of a mesh without vertices".into() } else { criteria.join(" and ") }
}

/// Geometric comparisons forgive this fraction of the mesh size, so that rounding chooses nothing.
const TOLERANCE: f64 = 1e-9;

impl Selection {
    /// The chosen vertices, ascending. `positions` \[m\] are those of `mesh` posed in the world.
    pub fn choose(&self, mesh: &TetMesh, positions: &[Vec3]) -> Result<Vec<u32>, SelectError> {
        let vertices = mesh.positions.len();
        if positions.len() != vertices {
            return Err(SelectError::WrongLength { positions: positions.len(), vertices });
        }
        let tolerance = TOLERANCE * mesh.size();
        let mut criteria = self.memberships(mesh)?;
        criteria.extend(self.places(positions)?);
        let mut chosen: Vec<u32> = (0..vertices as u32)
            .filter(|&v| criteria.iter().all(|c| (c.outside)(v as usize) <= tolerance))
            .collect();
        if let Some(point) = self.nearest {
            need_finite("the point of `nearest`", point.as_slice())?;
            chosen = nearest_of(&chosen, positions, point, tolerance);
        }
        if chosen.is_empty() {
            let criteria = criteria.iter().map(|c| c.report(vertices, tolerance)).collect();
            return Err(SelectError::Empty { criteria });
        }
        Ok(chosen)
    }

    /// The criteria that are sets of vertices.
    fn memberships(&self, mesh: &TetMesh) -> Result<Vec<Criterion<'static>>, SelectError> {
        let count = mesh.positions.len();
        let mut found = Vec::new();
        if let Some(name) = &self.name {
            let group = mesh.groups.get(name).ok_or_else(|| SelectError::UnknownName {
                name: name.clone(),
                known: mesh.groups.keys().cloned().collect(),
            })?;
            let listed = group.iter().map(|&v| v as usize);
            found.push(Criterion::member(format!("group \"{name}\""), mark(listed, count)?));
        }
        if let Some(part @ (Part::Surface | Part::Interior)) = self.part {
            // Ropes and sheets are all surface.
            let mut inside = match mesh.tets.is_empty() {
                true => vec![true; count],
                false => mark(mesh.surface_vertices().into_iter().map(|v| v as usize), count)?,
            };
            if part == Part::Interior {
                inside.iter_mut().for_each(|m| *m = !*m);
            }
            let label = if part == Part::Surface { "the surface" } else { "the interior" };
            found.push(Criterion::member(label.into(), inside));
        }
        if let Some(index) = &self.index {
            let label = format!("a list of {} vertex numbers", index.len());
            found.push(Criterion::member(label, mark(index.iter().copied(), count)?));
        }
        Ok(found)
    }

    /// The criteria that are regions of space.
    fn places<'a>(&self, positions: &'a [Vec3]) -> Result<Vec<Criterion<'a>>, SelectError> {
        let mut found = Vec::new();
        if let Some((a, b)) = self.within_box {
            need_finite("a corner of the box", &[a.as_slice(), b.as_slice()].concat())?;
            let (low, high) = (a.inf(&b), a.sup(&b));
            let label = format!("the box from {} to {}", show(low), show(high));
            found.push(Criterion::place(label, positions, move |x| (x - x.sup(&low).inf(&high)).norm()));
        }
        if let Some((centre, radius)) = self.sphere {
            need_finite("the centre or radius of the sphere", &[centre.as_slice(), &[radius]].concat())?;
            if radius < 0.0 {
                return bad(format!("the radius of the sphere is {radius}: give zero or more"));
            }
            let label = format!("the sphere of radius {radius} m at {}", show(centre));
            found.push(Criterion::place(label, positions, move |x| (x - centre).norm() - radius));
        }
        if let Some((point, normal)) = self.side {
            need_finite("the point or normal of the plane", &[point.as_slice(), normal.as_slice()].concat())?;
            let Some(up) = direction(normal) else {
                return bad(
                    "the normal of the plane is zero: give the direction of the side to choose".into()
                );
            };
            let label = format!("the side {} of the plane through {}", show(normal), show(point));
            found.push(Criterion::place(label, positions, move |x| -up.dot(&(x - point))));
        }
        Ok(found)
    }
}

/// One criterion: what it is called, and how far outside it a vertex lies \[m\]; zero or less is inside.
struct Criterion<'a> {
    label: String,
    outside: Box<dyn Fn(usize) -> f64 + 'a>,
}

impl<'a> Criterion<'a> {
    /// A set of vertices: whoever is not in it is infinitely far away.
    fn member(label: String, inside: Vec<bool>) -> Criterion<'a> {
        Criterion { label, outside: Box::new(move |v| if inside[v] { 0.0 } else { f64::INFINITY }) }
    }

    /// A region of space.
    fn place(label: String, positions: &'a [Vec3], distance: impl Fn(&Vec3) -> f64 + 'a) -> Criterion<'a> {
        Criterion { label, outside: Box::new(move |v| distance(&positions[v])) }
    }

    /// The label, with how many vertices satisfy it alone, or how near the nearest one comes.
    fn report(&self, vertices: usize, tolerance: f64) -> String {
        let alone = (0..vertices).filter(|&v| (self.outside)(v) <= tolerance).count();
        let nearest = (0..vertices).map(|v| (self.outside)(v)).fold(f64::INFINITY, f64::min);
        match alone {
            0 if nearest.is_finite() => {
                format!("{} (the nearest vertex is {} m away)", self.label, rounded(nearest))
            }
            0 => format!("{} (which holds none)", self.label),
            1 => format!("{} (which alone holds 1)", self.label),
            _ => format!("{} (which alone holds {alone})", self.label),
        }
    }
}

/// A number for people: four digits, and an exponent only where it saves many zeros.
pub(crate) fn rounded(x: f64) -> String {
    if x == 0.0 {
        return "0".into();
    }
    let digits = format!("{x:.3e}");
    match digits.parse::<f64>() {
        Ok(short) if (1e-4..1e6).contains(&short.abs()) => short.to_string(),
        _ => digits,
    }
}

/// Whether each of `count` vertices is listed.
fn mark(listed: impl Iterator<Item = usize>, count: usize) -> Result<Vec<bool>, SelectError> {
    let mut marks = vec![false; count];
    for index in listed {
        *marks.get_mut(index).ok_or(SelectError::IndexOutOfRange { index, vertices: count })? = true;
    }
    Ok(marks)
}

/// The first of `chosen` that is as near to `point` as any, within the tolerance.
fn nearest_of(chosen: &[u32], positions: &[Vec3], point: Vec3, tolerance: f64) -> Vec<u32> {
    let distance = |v: &u32| (positions[*v as usize] - point).norm();
    let least = chosen.iter().map(distance).fold(f64::INFINITY, f64::min);
    chosen.iter().copied().find(|v| distance(v) <= least + tolerance).into_iter().collect()
}

fn need_finite(what: &str, numbers: &[f64]) -> Result<(), SelectError> {
    match numbers.iter().find(|c| !c.is_finite()) {
        Some(c) => bad(format!("{what} has the number {c}: give finite numbers")),
        None => Ok(()),
    }
}

fn bad<T>(message: String) -> Result<T, SelectError> {
    Err(SelectError::BadCriterion(message))
}

fn show(x: Vec3) -> String {
    format!("({}, {}, {})", x.x, x.y, x.z)
}
