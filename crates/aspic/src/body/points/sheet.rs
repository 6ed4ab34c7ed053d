//! Sheets of triangles: cloth, and closed shells.

use super::edges::{Edges, HingeEdge, Hinges};
use super::plate::{Creases, Moments, Plate};
use super::{Inner, Parts, PointsError};
use crate::Vec3;
use crate::body::builder::Outline;
use crate::body::{BodyId, BuildError, WorldBuilder};
use crate::mesh::TriangleSurface;
use crate::points::{Angle, Area, Batch, Element, Enclosed, Fold, Network, Volume, spread};

/// A surface of triangles with springs along its edges.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sheet {
    /// The triangles at rest.
    pub surface: TriangleSurface,
    /// Cells of a grid, corners in a row around each: springs then run along both diagonals. Empty for other surfaces.
    pub cells: Vec<[u32; 4]>,
    /// Mass per area  \[kg/m²\]
    pub mass_per_area: f64,
    /// Half the thickness  \[m\]
    pub radius: f64,
    /// How stiff it is.
    pub stiffness: SheetStiffness,
    /// What is inside a closed one; `None` for cloth, which may be open.
    pub inflation: Option<Inflation>,
    /// Damping and the like.
    pub inner: Inner,
}

/// Stiffness of a sheet.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SheetStiffness {
    /// Young modulus × thickness  \[N/m\]
    pub stretch: f64,
    /// Modulus against changes of area beside that of the springs, × thickness  \[N/m\]
    pub area: f64,
    /// Surface tension: energy per area  \[N/m\]
    pub tension: f64,
    /// Flexural rigidity  \[N m\]
    pub bend: f64,
    /// Poisson ratio of bending: how much a strip that is bent along curls across.
    pub poisson: f64,
    /// What keeps hinges as they are.
    pub hinge: Hinge,
    /// The same constant for all springs instead of `stretch`  \[N/m\]
    pub spring: Option<f64>,
    /// The same constant for the areas of all triangles instead of `area`  \[N/m³\]
    pub area_spring: Option<f64>,
    /// Springs across every hinge, from tip to tip  \[N/m\]
    pub bend_spring: Option<f64>,
}

/// How bending is resisted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hinge {
    /// By the angle between the triangles.
    #[default]
    Angle,
    /// By the volume of the tetrahedron that their four corners span.
    Volume,
}

/// What is inside a shell.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Inflation {
    /// Bulk modulus of what is inside: how strongly the volume is kept  \[Pa\]
    pub bulk: f64,
    /// Pressure inside above that outside  \[Pa\]
    pub pressure: f64,
}

impl WorldBuilder {
    /// Adds a cloth or a shell at rest.
    pub fn sheet(&mut self, name: &str, sheet: &Sheet) -> Result<BodyId, BuildError> {
        let surface = &sheet.surface;
        let failed = |error: PointsError| BuildError::Points { body: name.into(), error };
        surface.check().map_err(PointsError::Surface).map_err(failed)?;
        let (masses, network) = network(sheet).map_err(failed)?;
        let outline = Outline { triangles: &surface.triangles, radius: sheet.radius, ..Outline::default() };
        self.add_parts(name, Parts { positions: &surface.positions, masses, network, outline })
    }
}

fn network(sheet: &Sheet) -> Result<(Vec<f64>, Network), PointsError> {
    let Sheet { surface: TriangleSurface { positions, triangles }, stiffness, .. } = sheet;
    let density = PointsError::positive("the mass per area", sheet.mass_per_area)?;
    check(stiffness)?;
    let hinges = Hinges::of(triangles);
    let areas: Vec<f64> = triangles.iter().map(|t| area(t, positions)).collect();
    let mut masses = vec![0.0; positions.len()];
    for (t, area) in triangles.iter().zip(&areas) {
        t.iter().for_each(|&v| masses[v as usize] += density * area / 3.0);
    }
    let mut network = Network::new(0, positions.len());
    let mut springs = springs(sheet, &areas)?;
    springs.extend(across(&hinges, positions, stiffness.bend_spring)?);
    network.set_springs(&springs, sheet.inner.tension_only);
    network.areas = Batch::new(Area, &kept_areas(triangles, &areas, stiffness));
    bend(&mut network, &hinges.hinges, &areas, sheet);
    if let Some(inside) = sheet.inflation {
        network.enclosed = Some(enclosed(sheet, &hinges, inside)?);
    }
    sheet.inner.apply(&mut network)?;
    Ok((masses, network))
}

fn check(stiffness: &SheetStiffness) -> Result<(), PointsError> {
    let not_negative = PointsError::not_negative;
    not_negative("the stiffness against stretch", stiffness.stretch)?;
    not_negative("the stiffness against changes of area", stiffness.area)?;
    not_negative("the surface tension", stiffness.tension)?;
    not_negative("the stiffness against bending", stiffness.bend)?;
    match stiffness.poisson.abs() < 1.0 {
        true => Ok(()),
        false => Err(PointsError::BadNumber {
            what: "the Poisson ratio of bending",
            value: stiffness.poisson,
            need: "it lies between −1 and 1",
        }),
    }
}

fn area(t: &[u32; 3], positions: &[Vec3]) -> f64 {
    let [a, b, c] = t.map(|v| positions[v as usize]);
    0.5 * (b - a).cross(&(c - a)).norm()
}

/// Springs along the sides of triangles, or along sides and diagonals of cells.
fn springs(sheet: &Sheet, areas: &[f64]) -> Result<Vec<Element<2>>, PointsError> {
    let positions = &sheet.surface.positions;
    let stretch = sheet.stiffness.stretch;
    let mut edges = Edges::default();
    if sheet.cells.is_empty() {
        for (t, area) in sheet.surface.triangles.iter().zip(areas) {
            (0..3).for_each(|k| edges.add(t[k], t[(k + 1) % 3], stretch * area));
        }
    }
    for cell in &sheet.cells {
        add_cell(cell, positions, stretch, &mut edges);
    }
    edges.springs(positions, sheet.stiffness.spring)
}

/// The springs of a rectangular cell a × b that make an isotropic sheet of Young modulus Y and Poisson ratio 1/3:
/// diagonals k = 3/16 Y (a² + b²)/ab, sides along a: k = Y (b/a)(9/8 − 3/8 a²/b²), half of it from each neighbouring cell.
/// Cells that are longer than 1.7 times their width would need negative ones, and get none instead.
fn add_cell(cell: &[u32; 4], positions: &[Vec3], stretch: f64, edges: &mut Edges) {
    let at = |k: usize| positions[cell[k] as usize];
    let (a, b) = ((at(1) - at(0)).norm(), (at(3) - at(0)).norm());
    let diagonal = 3.0 / 16.0 * stretch * (a * a + b * b) / (a * b);
    let side = |a: f64, b: f64| (0.5 * stretch * b / a * (9.0 / 8.0 - 3.0 / 8.0 * a * a / (b * b))).max(0.0);
    // `Edges` divides by the square of the length.
    for (i, j, k) in [(0, 1, side(a, b)), (3, 2, side(a, b)), (0, 3, side(b, a)), (1, 2, side(b, a))] {
        edges.add(cell[i], cell[j], k * (at(j) - at(i)).norm_squared());
    }
    for (i, j) in [(0, 2), (1, 3)] {
        edges.add(cell[i], cell[j], diagonal * (at(j) - at(i)).norm_squared());
    }
}

/// Springs from tip to tip of every hinge.
fn across(hinges: &Hinges, rest: &[Vec3], constant: Option<f64>) -> Result<Vec<Element<2>>, PointsError> {
    let Some(constant) = constant else { return Ok(vec![]) };
    let mut edges = Edges::default();
    hinges.hinges.iter().for_each(|hinge| edges.add(hinge.nodes[2], hinge.nodes[3], 0.0));
    edges.springs(rest, Some(constant))
}

/// k = K/A₀ for what keeps its area; surface tension is an area that would be nothing: ½ k A² with k = σ/A₀ at A₀.
fn kept_areas(triangles: &[[u32; 3]], areas: &[f64], stiffness: &SheetStiffness) -> Vec<Element<3>> {
    let mut kept = vec![];
    for (t, &area) in triangles.iter().zip(areas) {
        let constant = stiffness.area_spring.unwrap_or(stiffness.area / area);
        if constant > 0.0 {
            kept.push(Element { nodes: *t, stiffness: constant, rest: area });
        }
        if stiffness.tension > 0.0 {
            kept.push(Element { nodes: *t, stiffness: stiffness.tension / area, rest: 0.0 });
        }
    }
    kept
}

/// Hinges that together bend like a plate. A hinge kept as a volume, V = ⅔ A₁ A₂ sin θ/|e|, counts as the angle that it has
/// when that is small.
fn bend(network: &mut Network, hinges: &[HingeEdge], areas: &[f64], sheet: &Sheet) {
    let stiffness = &sheet.stiffness;
    if stiffness.bend == 0.0 {
        return;
    }
    let TriangleSurface { positions: x, triangles } = &sheet.surface;
    let hinges = spread(hinges);
    let plate = Plate { rigidity: stiffness.bend, poisson: stiffness.poisson };
    let moments = Creases::moments(plate, &hinges, x, triangles);
    let fold = |moments: &Moments| {
        let term = |&(number, moment): &(usize, Vec3)| {
            let hinge = &hinges[number];
            (number as u32, moment * angle_per_change(hinge, x, areas, stiffness.hinge), hinge.nodes)
        };
        Fold::new(&moments.iter().map(term).collect::<Vec<_>>())
    };
    network.folds = moments.iter().filter(|moments| !moments.is_empty()).map(fold).collect();
    let mut sums = vec![0.0; hinges.len()];
    let parts = network.folds.iter().flat_map(Fold::stiffnesses);
    parts.for_each(|(hinge, part)| sums[hinge as usize] += part);
    let element = |(hinge, &stiffness): (&HingeEdge, &f64)| {
        let rest = at_rest(hinge.nodes.map(|v| x[v as usize]), sheet.stiffness.hinge);
        Element { nodes: hinge.nodes, stiffness, rest }
    };
    let elements: Vec<Element<4>> = hinges.iter().zip(&sums).map(element).collect();
    match stiffness.hinge {
        Hinge::Angle => network.angles = Batch::in_order(Angle, &elements),
        Hinge::Volume => network.hinge_volumes = Batch::in_order(Volume::KEPT, &elements),
    }
}

/// C of a hinge.
fn at_rest(corners: [Vec3; 4], kind: Hinge) -> f64 {
    let [a, b, c, d] = corners;
    match kind {
        Hinge::Angle => angle(corners),
        Hinge::Volume => (b - a).dot(&(c - a).cross(&(d - a))) / 6.0,
    }
}

/// θ per C of a hinge that is nearly flat.
fn angle_per_change(hinge: &HingeEdge, x: &[Vec3], areas: &[f64], kind: Hinge) -> f64 {
    let [a, b] = [0, 1].map(|end| x[hinge.nodes[end] as usize]);
    match kind {
        Hinge::Angle => 1.0,
        Hinge::Volume => 1.5 * (b - a).norm() / (areas[hinge.triangles[0]] * areas[hinge.triangles[1]]),
    }
}

/// The angle that [`Angle`] measures.
fn angle([a, b, c, d]: [Vec3; 4]) -> f64 {
    let edge = b - a;
    let (n1, n2) = (edge.cross(&(c - a)), (d - a).cross(&edge));
    (n1.cross(&n2).dot(&edge) / edge.norm()).atan2(n1.dot(&n2))
}

/// What a closed surface encloses; its triangles are turned outward together.
fn enclosed(sheet: &Sheet, hinges: &Hinges, inside: Inflation) -> Result<Enclosed, PointsError> {
    if let Some(ends) = hinges.crowded {
        return Err(PointsError::Crowded { ends });
    }
    if let Some(ends) = hinges.open {
        return Err(PointsError::Open { ends });
    }
    if let Some(ends) = hinges.disoriented {
        return Err(PointsError::Disoriented { ends });
    }
    let bulk = PointsError::not_negative("the bulk modulus inside", inside.bulk)?;
    let surface = &sheet.surface;
    let six = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|v| surface.positions[v as usize] - surface.positions[0]);
        a.dot(&b.cross(&c))
    };
    let volume = surface.triangles.iter().map(six).sum::<f64>() / 6.0;
    let outward = |t: &[u32; 3]| if volume > 0.0 { *t } else { [t[0], t[2], t[1]] };
    let volume = PointsError::positive("the enclosed volume", volume.abs())?;
    let triangles = surface.triangles.iter().map(outward).collect();
    Ok(Enclosed { triangles, volume, bulk, pressure: inside.pressure, memory: None })
}
