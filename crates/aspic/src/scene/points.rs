//! Bodies of mass points in a scene: ropes, hair, cloth, blocks, shells.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::body::MeshFile;
use super::quantity::{
    AreaSpring, BendingStiffness, Damping, Force, Frequency, Length, MassPerArea, MassPerLength, Number,
    Pressure, Quantity, Rigidity, Stiffness, Time, Vector, VolumeSpring,
};
use super::span::{Exactly, Located};

/// A rope: points in a row, held together by springs. The material says how stiff and heavy it is for its radius.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(
    deny_unknown_fields,
    expecting = "a table like { path = [[0, 0, 1], [1, 0, 1]], segments = 40, radius = \"4 mm\" }"
)]
pub struct RopeTable {
    /// The points it runs through, at least two. A last point on the first makes a ring.
    pub path: Located<Vec<Vector<Length>>>,
    /// Segments along the whole path, all of about the same length.
    pub segments: Located<u32>,
    /// Half its thickness.
    pub radius: Quantity<Length>,
    /// Whether the path is rounded between its points. Default: false, straight from point to point.
    #[serde(default)]
    pub smooth: bool,
    /// Mass per length. Default: density × section.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mass_per_length: Option<Quantity<MassPerLength>>,
    /// Force per strain. Default: Young modulus × section.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stretch_stiffness: Option<Quantity<Force>>,
    /// Resistance to bending. Default: Young modulus × π r⁴/4; 0 for a chain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bending_stiffness: Option<Quantity<BendingStiffness>>,
    /// One constant for all springs, instead of `stretch_stiffness`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spring: Option<Quantity<Stiffness>>,
    /// Whether it bears no pressure along itself. Default: false.
    #[serde(default)]
    pub tension_only: bool,
}

/// Hair: strands that hang from roots on a disc around the origin, down along −z.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(
    deny_unknown_fields,
    expecting = "a table like { strands = 40, length = \"20 cm\", segments = 12, radius = \"0.1 mm\", spread = \"3 cm\" }"
)]
pub struct HairTable {
    /// Number of strands.
    pub strands: Located<u32>,
    /// Length of each.
    pub length: Quantity<Length>,
    /// Segments of each.
    pub segments: Located<u32>,
    /// Half the thickness of each.
    pub radius: Quantity<Length>,
    /// Radius of the disc that the roots are on.
    pub spread: Quantity<Length>,
    /// Mass per length. Default: density × section.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mass_per_length: Option<Quantity<MassPerLength>>,
    /// Force per strain. Default: Young modulus × section.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stretch_stiffness: Option<Quantity<Force>>,
    /// Resistance to bending. Default: Young modulus × π r⁴/4.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bending_stiffness: Option<Quantity<BendingStiffness>>,
}

/// Cloth: a sheet of triangles with springs along them, shear and bending included.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(
    deny_unknown_fields,
    expecting = "a table like { size = [1, 1], cells = [30, 30], thickness = \"0.5 mm\" }"
)]
pub struct ClothTable {
    /// Edge lengths of a rectangle in the plane z = 0 around the origin, along x and y. Goes with `cells`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<Exactly<Quantity<Length>, 2>>,
    /// Cells of the rectangle along x and y.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cells: Option<Exactly<Located<u32>, 2>>,
    /// A surface of triangles from a file. Instead of `size` and `cells`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub surface: Option<Located<MeshFile>>,
    /// Its thickness: for mass, stiffness and contact.
    pub thickness: Quantity<Length>,
    /// Mass per area. Default: density × thickness.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mass_per_area: Option<Quantity<MassPerArea>>,
    /// How the sheet resists. Default: as a sheet of the material.
    #[serde(default)]
    pub stiffness: SheetTable,
}

/// A shell: the closed surface of `shape` or `mesh`, with springs along its edges and whatever is inside.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table like { thickness = \"2 mm\", pressure = \"1 kPa\" }")]
pub struct ShellTable {
    /// A surface of triangles from a file, instead of that of `shape` or `mesh`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub surface: Option<Located<MeshFile>>,
    /// Its thickness: for mass, stiffness and contact.
    pub thickness: Quantity<Length>,
    /// Mass per area. Default: density × thickness.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mass_per_area: Option<Quantity<MassPerArea>>,
    /// How the sheet resists. Default: as a sheet of the material.
    #[serde(default)]
    pub stiffness: SheetTable,
    /// Bulk modulus of what is inside: how strongly the shell keeps its volume. Default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bulk: Option<Quantity<Pressure>>,
    /// Pressure inside above that outside. Default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pressure: Option<Quantity<Pressure>>,
}

/// How cloth and shells resist, where not as their material would.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table like { stretch = \"2 kN/m\", bend = \"1e-5 N m\" }")]
pub struct SheetTable {
    /// Force per width and strain. Default: Young modulus × thickness.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stretch: Option<Quantity<Stiffness>>,
    /// Modulus against changes of area, beside that of the springs. Default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub area: Option<Quantity<Stiffness>>,
    /// Surface tension: the surface wants to be small. Default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tension: Option<Quantity<Stiffness>>,
    /// Flexural rigidity. Default: E h³/12(1 − ν²).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bend: Option<Quantity<Rigidity>>,
    /// What keeps hinges as they are. Default: angle.
    #[serde(default)]
    pub hinge: HingeName,
    /// One constant for all springs, instead of `stretch`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spring: Option<Quantity<Stiffness>>,
    /// One constant for the areas of all triangles, instead of `area`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub area_spring: Option<Quantity<AreaSpring>>,
    /// Springs across every edge, from tip to tip. Default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bend_spring: Option<Quantity<Stiffness>>,
    /// Whether springs bear no pressure. Default: false.
    #[serde(default)]
    pub tension_only: bool,
}

/// What resists bending.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum HingeName {
    /// The angle between two triangles.
    #[default]
    Angle,
    /// The volume that their four corners span.
    Volume,
}

/// A block: the points of `shape` or `mesh`, with springs along the edges of its tetrahedra.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table like { } or { stretch = \"20 kPa\", volume = \"50 kPa\" }")]
pub struct BlockTable {
    /// Young modulus of the springs alone. Default: 5/2 of the shear modulus of the material.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stretch: Option<Quantity<Pressure>>,
    /// Bulk modulus of the volumes of the tetrahedra, beside that of the springs. Default: what the material needs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub volume: Option<Quantity<Pressure>>,
    /// One constant for all springs, instead of `stretch`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spring: Option<Quantity<Stiffness>>,
    /// One constant for the volumes of all tetrahedra, instead of `volume`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub volume_spring: Option<Quantity<VolumeSpring>>,
    /// Whether springs bear no pressure. Default: false.
    #[serde(default)]
    pub tension_only: bool,
}

/// Damping of mass points.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(
    deny_unknown_fields,
    expecting = "a table like { relaxation = \"2 ms\" } or { spring = \"0.1 N s/m\" }"
)]
pub struct DampingTable {
    /// Drag on every point: force per speed. Default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point: Option<Quantity<Damping>>,
    /// Drag in every spring: force per rate of stretch. Default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spring: Option<Quantity<Damping>>,
    /// Drag in springs relative to their stiffness, the same on any mesh. Default: shear viscosity over shear modulus of
    /// the material.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relaxation: Option<Quantity<Time>>,
    /// Whether explicit methods take damping with the other forces, as the velocity before the step has it. Such
    /// damping may accelerate. Default: false, with the velocity after the step.
    #[serde(default)]
    pub explicit: bool,
}

/// Lasting changes of shape.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(
    deny_unknown_fields,
    expecting = "a table like { distance = { yield = 0.05, creep = 20, max = 0.5 } }"
)]
pub struct PlasticityTable {
    /// Of the lengths of springs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distance: Option<Located<YieldTable>>,
    /// Of the areas of triangles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub area: Option<Located<YieldTable>>,
    /// Of the volumes of tetrahedra, and of what a shell encloses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub volume: Option<Located<YieldTable>>,
    /// Of the shape of a solid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shape: Option<Located<YieldTable>>,
}

/// When and how fast something yields.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table like { yield = 0.05, creep = 20, max = 0.5 }")]
pub struct YieldTable {
    /// Strain beyond which it flows.
    #[serde(rename = "yield")]
    pub yield_strain: Quantity<Number>,
    /// How fast the strain beyond it becomes lasting, per second.
    pub creep: Quantity<Frequency>,
    /// Largest lasting strain; not below `yield`.
    pub max: Quantity<Number>,
    /// Whether `creep` is the part of the elastic strain that becomes lasting with every step, however long it is.
    /// Default: false.
    #[serde(default)]
    pub per_step: bool,
}

/// Rest values that change by a plan.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table like { distance = [{ at = \"1 s\", factor = 0.7 }] }")]
pub struct GrowthTable {
    /// Of the lengths of springs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distance: Option<Located<Vec<GrowthKnot>>>,
    /// Of the areas of triangles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub area: Option<Located<Vec<GrowthKnot>>>,
    /// Of the volumes of tetrahedra, and of what a shell encloses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub volume: Option<Located<Vec<GrowthKnot>>>,
}

/// A factor at a time; straight from one to the next.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table like { at = \"1 s\", factor = 0.7 }")]
pub struct GrowthKnot {
    /// When.
    pub at: Quantity<Time>,
    /// Rest value over that at the start.
    pub factor: Quantity<Number>,
}

/// How far springs may stretch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table like { stretch = 1.1 }")]
pub struct LimitTable {
    /// Largest length over rest length, 1 or more.
    pub stretch: Quantity<Number>,
    /// Excess over it, relative to the rest length, that may stay. Default: 0.001.
    #[serde(default = "thousandth")]
    pub tolerance: Quantity<Number>,
    /// Most sweeps over all springs after a step. Default: 100.
    #[serde(default = "hundred")]
    pub sweeps: Located<u32>,
}

fn thousandth() -> Quantity<Number> {
    Quantity::new(1e-3)
}

fn hundred() -> Located<u32> {
    Located::new(100)
}

/// Which kind of mass points a body is, if it is one.
#[derive(Clone, Copy, Debug)]
pub enum PointKind<'a> {
    /// A rope.
    Rope(&'a Located<RopeTable>),
    /// Hair.
    Hair(&'a Located<HairTable>),
    /// Cloth.
    Cloth(&'a Located<ClothTable>),
    /// A shell.
    Shell(&'a Located<ShellTable>),
    /// A block.
    Block(&'a Located<BlockTable>),
}
