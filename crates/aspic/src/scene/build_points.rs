//! From tables of mass points to bodies.

use std::collections::BTreeMap;
use std::f64::consts::{PI, TAU};

use super::body::Body;
use super::build::MeshSource;
use super::error::SceneError;
use super::points::{
    ClothTable, GrowthKnot, HairTable, HingeName, PointKind, RopeTable, SheetTable, ShellTable, YieldTable,
};
use super::span::{Located, Span};
use crate::Vec3;
use crate::body::{
    Block, BlockStiffness, BodyId, Hinge, Inflation, Inner, Material, Rope, RopeStiffness, Sheet,
    SheetStiffness, WorldBuilder,
};
use crate::mesh::{TetMesh, TriangleSurface, generate};
use crate::points::{Change, DampingTime, Growth, StrainLimit, Yield};

/// A body of mass points as it was added: its number, and its points at rest with named groups.
pub(super) type Added = (BodyId, TetMesh);

/// Adds a body of mass points.
pub(super) fn add(
    builder: &mut WorldBuilder,
    name: &str,
    body: &Body,
    kind: PointKind,
    material: &Material,
    shape: impl FnOnce() -> Result<(TetMesh, Span), SceneError>,
    files: &dyn MeshSource,
) -> Result<Added, SceneError> {
    let mut inner = inner(body, material);
    match kind {
        PointKind::Rope(table) => {
            inner.tension_only = table.tension_only;
            rope(builder, name, table, material, inner)
        }
        PointKind::Hair(table) => hair(builder, name, table, material, inner),
        PointKind::Cloth(table) => {
            inner.tension_only = table.stiffness.tension_only;
            cloth(builder, name, table, material, inner, files)
        }
        PointKind::Shell(table) => {
            inner.tension_only = table.stiffness.tension_only;
            let surface = match &table.surface {
                Some(file) => surface_of(file, files)?,
                None => TriangleSurface::of(&shape()?.0),
            };
            shell(builder, name, table, material, inner, surface)
        }
        PointKind::Block(table) => {
            inner.tension_only = table.tension_only;
            let (mesh, span) = shape()?;
            let usual = BlockStiffness::of(material.moduli);
            let stiffness = BlockStiffness {
                stretch: table.stretch.map_or(usual.stretch, |y| y.si()),
                volume: table.volume.map_or(usual.volume, |k| k.si()),
                spring: table.spring.map(|k| k.si()),
                volume_spring: table.volume_spring.map(|k| k.si()),
            };
            let block = Block { mesh: &mesh, density: material.density, stiffness, inner };
            let id = builder.block(name, &block).map_err(at(span))?;
            Ok((id, mesh))
        }
    }
}

fn at<E: std::fmt::Display>(span: Span) -> impl Fn(E) -> SceneError {
    move |error| SceneError::new(error.to_string()).at(span)
}

/// Damping, lasting changes and limits of any kind of mass points. Springs of a viscous material are dampers too, with
/// the relaxation time η/G of the material.
fn inner(body: &Body, material: &Material) -> Inner {
    let usual = material.viscosity.shear / material.moduli.shear;
    let damping = body.damping.as_ref();
    let number = |value: Option<f64>| value.unwrap_or(0.0);
    Inner {
        point_damping: number(damping.and_then(|d| d.point).map(|g| g.si())),
        spring_damping: number(damping.and_then(|d| d.spring).map(|g| g.si())),
        relaxation: damping.and_then(|d| d.relaxation).map_or(usual, |t| t.si()),
        damping_time: match damping.is_some_and(|d| d.explicit) {
            true => DampingTime::Explicit,
            false => DampingTime::Implicit,
        },
        tension_only: false,
        limit: body.strain_limit.as_ref().map(|limit| StrainLimit {
            stretch: limit.stretch.si(),
            tolerance: limit.tolerance.si(),
            sweeps: *limit.sweeps as usize,
        }),
        changes: changes(body),
    }
}

fn changes(body: &Body) -> [Change; 3] {
    let flow = |table: &Option<Located<YieldTable>>| table.as_ref().map(|table| table.law());
    let plan = |knots: &Option<Located<Vec<GrowthKnot>>>| {
        let factors = |knots: &Located<Vec<GrowthKnot>>| {
            knots.iter().map(|knot| (knot.at.si(), knot.factor.si())).collect()
        };
        knots.as_ref().map(|knots| Growth { knots: factors(knots) })
    };
    let (plasticity, growth) = (body.plasticity.as_ref(), body.growth.as_ref());
    [
        Change {
            flow: plasticity.and_then(|p| flow(&p.distance)),
            growth: growth.and_then(|g| plan(&g.distance)),
        },
        Change { flow: plasticity.and_then(|p| flow(&p.area)), growth: growth.and_then(|g| plan(&g.area)) },
        Change {
            flow: plasticity.and_then(|p| flow(&p.volume)),
            growth: growth.and_then(|g| plan(&g.volume)),
        },
    ]
}

impl YieldTable {
    pub(super) fn law(&self) -> Yield {
        Yield {
            strain: self.yield_strain.si(),
            creep: self.creep.si(),
            max: self.max.si(),
            per_step: self.per_step,
        }
    }
}

/// Mass per length, stretch and bending stiffness of a round rope of the material.
fn of_section(material: &Material, radius: f64) -> (f64, RopeStiffness) {
    let section = PI * radius * radius;
    let young = material.young();
    let stiffness =
        RopeStiffness { stretch: young * section, bend: young * PI * radius.powi(4) / 4.0, spring: None };
    (material.density * section, stiffness)
}

fn rope(
    builder: &mut WorldBuilder,
    name: &str,
    table: &Located<RopeTable>,
    material: &Material,
    inner: Inner,
) -> Result<Added, SceneError> {
    let path: Vec<Vec3> = table.path.iter().map(|point| point.si()).collect();
    let strand = generate::along_path(&path, *table.segments as usize, table.smooth);
    let strand = strand.map_err(at(table.path.span()))?;
    let (mass, usual) = of_section(material, table.radius.si());
    let rope = Rope {
        mass_per_length: table.mass_per_length.map_or(mass, |m| m.si()),
        radius: table.radius.si(),
        stiffness: RopeStiffness {
            stretch: table.stretch_stiffness.map_or(usual.stretch, |s| s.si()),
            bend: table.bending_stiffness.map_or(usual.bend, |s| s.si()),
            spring: table.spring.map(|k| k.si()),
        },
        strands: vec![strand],
        inner,
    };
    let id = builder.rope(name, &rope).map_err(at(table.span()))?;
    let positions = builder.rest_of(id);
    let last = positions.len() as u32 - 1;
    let groups = BTreeMap::from([("start".into(), vec![0]), ("end".into(), vec![last])]);
    Ok((id, TetMesh { positions, groups, ..TetMesh::default() }))
}

/// Roots spread evenly over the disc, as the seeds of a sunflower are.
fn hair(
    builder: &mut WorldBuilder,
    name: &str,
    table: &Located<HairTable>,
    material: &Material,
    inner: Inner,
) -> Result<Added, SceneError> {
    let (count, segments) = (*table.strands as usize, *table.segments as usize);
    let golden = TAU * (1.0 - 1.0 / 1.618_033_988_749_895);
    let strand = |k: usize| -> Vec<Vec3> {
        let (angle, part) = (golden * k as f64, ((k as f64 + 0.5) / count as f64).sqrt());
        let root = Vec3::new(angle.cos(), angle.sin(), 0.0) * (part * table.spread.si());
        let down = |s: usize| root - Vec3::z() * (table.length.si() * s as f64 / segments as f64);
        (0..=segments).map(down).collect()
    };
    let (mass, usual) = of_section(material, table.radius.si());
    let rope = Rope {
        mass_per_length: table.mass_per_length.map_or(mass, |m| m.si()),
        radius: table.radius.si(),
        stiffness: RopeStiffness {
            stretch: table.stretch_stiffness.map_or(usual.stretch, |s| s.si()),
            bend: table.bending_stiffness.map_or(usual.bend, |s| s.si()),
            spring: None,
        },
        strands: (0..count).map(strand).collect(),
        inner,
    };
    let id = builder.rope(name, &rope).map_err(at(table.span()))?;
    let number = |k: usize, s: usize| (k * (segments + 1) + s) as u32;
    let ends = |s: usize| (0..count).map(|k| number(k, s)).collect::<Vec<u32>>();
    let rooted: Vec<u32> = (0..count).flat_map(|k| [number(k, 0), number(k, 1)]).collect();
    let groups = BTreeMap::from([
        ("roots".into(), ends(0)),
        ("rooted".into(), rooted),
        ("tips".into(), ends(segments)),
    ]);
    Ok((id, TetMesh { positions: builder.rest_of(id), groups, ..TetMesh::default() }))
}

/// Stretch and bending of a sheet of the material, where the table says nothing else.
fn sheet_stiffness(table: &SheetTable, material: &Material, thickness: f64) -> SheetStiffness {
    let (young, poisson) = (material.young(), material.poisson());
    let bend = young * thickness.powi(3) / (12.0 * (1.0 - poisson * poisson));
    SheetStiffness {
        stretch: table.stretch.map_or(young * thickness, |s| s.si()),
        area: table.area.map_or(0.0, |s| s.si()),
        tension: table.tension.map_or(0.0, |s| s.si()),
        bend: table.bend.map_or(bend, |b| b.si()),
        poisson,
        hinge: match table.hinge {
            HingeName::Angle => Hinge::Angle,
            HingeName::Volume => Hinge::Volume,
        },
        spring: table.spring.map(|k| k.si()),
        area_spring: table.area_spring.map(|k| k.si()),
        bend_spring: table.bend_spring.map(|k| k.si()),
    }
}

fn cloth(
    builder: &mut WorldBuilder,
    name: &str,
    table: &Located<ClothTable>,
    material: &Material,
    inner: Inner,
    files: &dyn MeshSource,
) -> Result<Added, SceneError> {
    let thickness = table.thickness.si();
    let (surface, cells, groups) = match (&table.surface, &table.size, &table.cells) {
        (Some(file), ..) => (surface_of(file, files)?, vec![], BTreeMap::new()),
        (None, Some(size), Some(cells)) => {
            let counts = cells.each_ref().map(|n| **n as usize);
            let sizes = size.each_ref().map(|length| length.si());
            let (surface, cells) = generate::sheet(sizes, counts).map_err(at(table.span()))?;
            (surface, cells, rims(counts))
        }
        _ => return Err(SceneError::new("cloth needs `size` and `cells`, or `surface`").at(table.span())),
    };
    let sheet = Sheet {
        surface,
        cells,
        mass_per_area: table.mass_per_area.map_or(material.density * thickness, |m| m.si()),
        radius: 0.5 * thickness,
        stiffness: sheet_stiffness(&table.stiffness, material, thickness),
        inflation: None,
        inner,
    };
    let id = builder.sheet(name, &sheet).map_err(at(table.span()))?;
    Ok((id, TetMesh { positions: sheet.surface.positions, groups, ..TetMesh::default() }))
}

/// Edges and corners of a rectangle of cells.
fn rims([n, m]: [usize; 2]) -> BTreeMap<String, Vec<u32>> {
    let number = |i: usize, j: usize| (j * (n + 1) + i) as u32;
    let column = |i: usize| (0..=m).map(|j| number(i, j)).collect::<Vec<u32>>();
    let row = |j: usize| (0..=n).map(|i| number(i, j)).collect::<Vec<u32>>();
    let corners = vec![number(0, 0), number(n, 0), number(0, m), number(n, m)];
    BTreeMap::from([
        ("left".into(), column(0)),
        ("right".into(), column(n)),
        ("front".into(), row(0)),
        ("back".into(), row(m)),
        ("corners".into(), corners),
    ])
}

fn shell(
    builder: &mut WorldBuilder,
    name: &str,
    table: &Located<ShellTable>,
    material: &Material,
    inner: Inner,
    surface: TriangleSurface,
) -> Result<Added, SceneError> {
    let thickness = table.thickness.si();
    let inflation = Inflation {
        bulk: table.bulk.map_or(0.0, |bulk| bulk.si()),
        pressure: table.pressure.map_or(0.0, |pressure| pressure.si()),
    };
    let sheet = Sheet {
        surface,
        cells: vec![],
        mass_per_area: table.mass_per_area.map_or(material.density * thickness, |m| m.si()),
        radius: 0.0,
        stiffness: sheet_stiffness(&table.stiffness, material, thickness),
        inflation: Some(inflation),
        inner,
    };
    let id = builder.sheet(name, &sheet).map_err(at(table.span()))?;
    Ok((id, TetMesh { positions: sheet.surface.positions, ..TetMesh::default() }))
}

/// The triangles of a file, in metres.
pub(super) fn surface_of(
    file: &super::body::MeshFile,
    files: &dyn MeshSource,
) -> Result<TriangleSurface, SceneError> {
    let read = files.read_surface(&file.file);
    let mut surface = read.map_err(|text| SceneError::new(text).at(file.file.span()))?;
    file.place(&mut surface.positions);
    Ok(surface)
}
