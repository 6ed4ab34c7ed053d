//! The topology of a run, from one of its frame files and what is known of the run.

use std::collections::HashSet;
use std::ops::Range;

use aspic::frame::{BodyKind, BodyRange, Topology};
use aspic::mesh::TetMesh;

use super::{About, AboutBody, Constrained, Fields};
use crate::ReadError;
use crate::vtu::{FrameFile, Section};

/// What all frames of a run have in common.
#[derive(Clone, Debug, Default)]
pub(super) struct Shape {
    pub topology: Topology,
    pub constraints: Vec<Constrained>,
    /// Which arrays the frames have.
    pub fields: Fields,
}

impl Shape {
    /// From the arrays of one file.
    pub(super) fn read(file: &FrameFile, about: &About) -> Result<Shape, ReadError> {
        let bodies = Bodies::read(file)?;
        let cells = Cells::read(file, bodies.points.len())?;
        let owners = |owners: &[u32], wrong: &str| ranges(owners, bodies.count).ok_or(file.damaged(wrong));
        let points = owners(&bodies.points, "its bodies have no contiguous points")?;
        let tets = owners(&bodies.cells[..cells.tets.len()], "its bodies have no contiguous tetrahedra")?;
        let triangles = cells.skin(&bodies.points);
        let of_triangles: Vec<u32> = triangles.iter().map(|t| bodies.points[t[0] as usize]).collect();
        let skins = owners(&of_triangles, "its bodies have no contiguous triangles")?;
        let of_edges: Vec<u32> = cells.edges.iter().map(|e| bodies.points[e[0] as usize]).collect();
        let edges = owners(&of_edges, "its bodies have no contiguous edges")?;
        let surface_only = file.has(Section::PointData, "node");
        let guess = |number: usize| match (edges[number].is_empty(), tets[number].is_empty()) {
            (false, _) => BodyKind::Points,
            (true, true) if !surface_only => BodyKind::Obstacle,
            _ => BodyKind::Solid,
        };
        let bodies = (0..bodies.count).map(|number| BodyRange {
            points: points[number].clone(),
            tets: tets[number].clone(),
            triangles: skins[number].clone(),
            edges: edges[number].clone(),
            ..named(about, number, guess(number))
        });
        let topology = Topology {
            bodies: bodies.collect(),
            points: points.last().map_or(0, |range| range.end),
            constraints: about.constraints.iter().map(|c| c.name.clone()).collect(),
            tets: cells.tets,
            triangles,
            edges: cells.edges,
            ..Topology::default()
        };
        let constraints = constraints(file, about)?;
        Ok(Shape { topology, constraints, fields: fields(file) })
    }
}

/// A body by its number; one that nothing is known about is called after it and is what it looks like.
fn named(about: &About, number: usize, guess: BodyKind) -> BodyRange {
    match about.bodies.get(number) {
        Some(AboutBody { name, kind, radius }) => {
            BodyRange { name: name.clone(), kind: *kind, radius: *radius, ..BodyRange::default() }
        }
        None => BodyRange { name: format!("body {number}"), kind: guess, ..BodyRange::default() },
    }
}

/// Points of constraints in the numbering of the file: surface files leave points out.
fn constraints(file: &FrameFile, about: &About) -> Result<Vec<Constrained>, ReadError> {
    if !file.has(Section::PointData, "node") {
        return Ok(about.constraints.clone());
    }
    let nodes = file.numbers(Section::PointData, "node")?;
    let within = |held: &Constrained| {
        let held_points = |&(_, node): &(u32, &u32)| held.points.binary_search(node).is_ok();
        let points = (0..).zip(&nodes).filter(held_points).map(|(point, _)| point);
        Constrained { name: held.name.clone(), points: points.collect() }
    };
    Ok(about.constraints.iter().map(within).collect())
}

fn fields(file: &FrameFile) -> Fields {
    Fields {
        velocity: file.has(Section::PointData, "velocity"),
        reaction: file.has(Section::PointData, "reaction"),
        contact: file.has(Section::PointData, "contact"),
        energy: file.has(Section::CellData, "energy_density"),
        stress: file.has(Section::CellData, "von_mises"),
        surface_only: file.has(Section::PointData, "node"),
    }
}

/// Numbers of the bodies that points and cells belong to.
struct Bodies {
    count: usize,
    points: Vec<u32>,
    cells: Vec<u32>,
}

impl Bodies {
    fn read(file: &FrameFile) -> Result<Bodies, ReadError> {
        let points = file.numbers(Section::PointData, "body")?;
        let cells = file.numbers(Section::CellData, "body")?;
        let count = points.iter().max().map_or(0, |&most| most as usize + 1);
        if count > points.len() {
            return Err(file.damaged("it names bodies that have no points"));
        }
        Ok(Bodies { count, points, cells })
    }
}

/// The cells of a file: tetrahedra, then triangles, then edges.
#[derive(Default)]
struct Cells {
    tets: Vec<[u32; 4]>,
    triangles: Vec<[u32; 3]>,
    edges: Vec<[u32; 2]>,
}

impl Cells {
    fn read(file: &FrameFile, points: usize) -> Result<Cells, ReadError> {
        let corners = file.numbers(Section::Cells, "connectivity")?;
        let ends = file.numbers(Section::Cells, "offsets")?;
        let bodies = file.numbers(Section::CellData, "body")?;
        if corners.iter().any(|&corner| corner as usize >= points) || bodies.len() != ends.len() {
            return Err(file.damaged("its cells have corners that do not exist"));
        }
        let mut cells = Cells::default();
        let mut start = 0;
        for end in ends {
            let cell = corners.get(start..end as usize).unwrap_or_default();
            match *cell {
                [a, b, c, d] if cells.triangles.is_empty() && cells.edges.is_empty() => {
                    cells.tets.push([a, b, c, d]);
                }
                [a, b, c] if cells.edges.is_empty() => cells.triangles.push([a, b, c]),
                [a, b] => cells.edges.push([a, b]),
                _ => return Err(file.damaged("its cells are not tetrahedra, then triangles, then edges")),
            }
            start = end as usize;
        }
        Ok(cells)
    }

    /// The exposed triangles, outward, body by body: the triangles of skins and of bodies without tetrahedra, else faces
    /// of tetrahedra.
    fn skin(&self, body_of: &[u32]) -> Vec<[u32; 3]> {
        let body = |corner: u32| body_of[corner as usize];
        let shown: HashSet<u32> = self.triangles.iter().map(|triangle| body(triangle[0])).collect();
        let bare = self.tets.iter().filter(|tet| !shown.contains(&body(tet[0]))).copied();
        let mut skin = TetMesh { tets: bare.collect(), ..TetMesh::default() }.boundary();
        skin.extend(&self.triangles);
        // Stable: within a body the order stays.
        skin.sort_by_key(|triangle| body(triangle[0]));
        skin
    }
}

/// Which stretch belongs to each owner; `None` if one of them has two stretches or they are out of order.
fn ranges(owners: &[u32], count: usize) -> Option<Vec<Range<usize>>> {
    let mut ranges = Vec::with_capacity(count);
    let mut start = 0;
    for owner in 0..count {
        let length = owners[start..].iter().take_while(|&&o| o as usize == owner).count();
        ranges.push(start..start + length);
        start += length;
    }
    (start == owners.len()).then_some(ranges)
}
