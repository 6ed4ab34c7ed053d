//! Bodies of a scene: shape or mesh, material, placement and initial motion.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};

use super::fill::{Tetrahedralize, UpAxis};
use super::points::{
    BlockTable, ClothTable, DampingTable, GrowthTable, HairTable, LimitTable, PlasticityTable, PointKind,
    RopeTable, ShellTable,
};
use super::puppets::{OutlineTable, SectionsTable};
use super::quantity::{Angle, AngularSpeed, Length, Number, Pressure, Quantity, Speed, Vector};
use super::skin::SkinTable;
use super::span::{Exactly, Located};
use crate::kinetic::MassModel;

/// A body: a shape or a mesh, made of a material, placed and set in motion.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table that describes a body")]
pub struct Body {
    /// The name of its material, a table [materials.NAME].
    pub material: Located<String>,
    /// A generated shape. Instead of `mesh`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shape: Option<Located<Shape>>,
    /// A mesh of tetrahedra from a file. Instead of `shape`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mesh: Option<Located<MeshFile>>,
    /// How it deforms: freely, as a whole, or by boundary elements. Default: solid.
    #[serde(default, skip_serializing_if = "Kind::is_solid")]
    pub kind: Kind,
    /// For kind = "affine": Young modulus against changes of its shape. Default: 100 MPa, which looks rigid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stiffness: Option<Quantity<Pressure>>,
    /// Makes it a rope.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rope: Option<Located<RopeTable>>,
    /// Makes it hair.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hair: Option<Located<HairTable>>,
    /// Makes it cloth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cloth: Option<Located<ClothTable>>,
    /// Makes it a shell of mass points: the surface of `shape` or `mesh`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shell: Option<Located<ShellTable>>,
    /// Makes it a block of mass points: those of `shape` or `mesh`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block: Option<Located<BlockTable>>,
    /// Makes it a plane outline of boundary elements, animated over planes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outline: Option<Located<OutlineTable>>,
    /// Makes it a shape animated over planes by boundary elements on two of its sections.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sections: Option<Located<SectionsTable>>,
    /// Damping of mass points. Default: that of the material.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damping: Option<Located<DampingTable>>,
    /// Lasting changes of shape. Default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plasticity: Option<Located<PlasticityTable>>,
    /// Rest lengths, areas and volumes of mass points that change by a plan. Default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub growth: Option<Located<GrowthTable>>,
    /// How far springs of mass points may stretch. Default: as far as forces take them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strain_limit: Option<Located<LimitTable>>,
    /// A fine surface that it carries and shows. Default: none, it shows its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skin: Option<Located<SkinTable>>,
    /// How mass is spread over the vertices. Default: consistent.
    #[serde(default)]
    pub mass: MassModel,
    /// Where the shape's origin goes, after the rotation. Default: the origin.
    #[serde(default = "zero_length")]
    pub position: Vector<Length>,
    /// Rotation about the shape's origin: one, or several applied in order. Default: none.
    #[serde(default, skip_serializing_if = "Rotations::is_empty")]
    pub rotation: Rotations,
    /// Initial velocity.
    #[serde(default = "zero_speed")]
    pub velocity: Vector<Speed>,
    /// Initial rate of turning about the centre of mass, along the axis of turning.
    #[serde(default = "zero_spin")]
    pub spin: Vector<AngularSpeed>,
    /// Initial stretch of the positions about the centre, along x, y, z; the rest shape stays. Default: 1.
    #[serde(default = "no_stretch")]
    pub stretch: Vector<Number>,
}

impl Body {
    /// Which kind of mass points it is; `None` for solids and affine bodies.
    pub fn point_kind(&self) -> Option<PointKind<'_>> {
        let rope = self.rope.as_ref().map(PointKind::Rope);
        let hair = self.hair.as_ref().map(PointKind::Hair);
        let cloth = self.cloth.as_ref().map(PointKind::Cloth);
        let shell = self.shell.as_ref().map(PointKind::Shell);
        rope.or(hair).or(cloth).or(shell).or(self.block.as_ref().map(PointKind::Block))
    }

    /// Every file that it names.
    pub(super) fn files_mut(&mut self) -> impl Iterator<Item = &mut Located<String>> {
        let cloth = self.cloth.as_mut().and_then(|cloth| cloth.surface.as_mut());
        let shell = self.shell.as_mut().and_then(|shell| shell.surface.as_mut());
        let skin = self.skin.as_mut().and_then(|skin| skin.file.as_mut());
        self.mesh.as_mut().into_iter().chain(cloth).chain(shell).map(|mesh| &mut mesh.file).chain(skin)
    }
}

/// How a body can deform.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Every vertex moves by itself.
    #[default]
    Solid,
    /// The whole body shares one stretch and shear; nearly rigid when stiff.
    Affine,
    /// Boundary elements: vertices on the surface only. Turns freely, and strains little.
    Boundary,
}

impl Kind {
    fn is_solid(&self) -> bool {
        *self == Kind::Solid
    }
}

pub(super) fn zero_length() -> Vector<Length> {
    Vector::new(0.0, 0.0, 0.0)
}

fn zero_speed() -> Vector<Speed> {
    Vector::new(0.0, 0.0, 0.0)
}

fn zero_spin() -> Vector<AngularSpeed> {
    Vector::new(0.0, 0.0, 0.0)
}

fn no_stretch() -> Vector<Number> {
    Vector::new(1.0, 1.0, 1.0)
}

/// A shape that aspic fills with tetrahedra itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Shape {
    /// A ring with a round tube, lying flat around the z axis.
    Torus(TorusShape),
    /// A box centred at the origin.
    Box(BoxShape),
    /// A ball centred at the origin.
    Ball(BallShape),
    /// An ellipsoid centred at the origin.
    Ellipsoid(EllipsoidShape),
    /// An upright cylinder centred at the origin.
    Cylinder(CylinderShape),
    /// A beam along x, from one end at the origin.
    Beam(BeamShape),
}

impl Shape {
    /// The word for it in a scene file.
    pub fn word(&self) -> &'static str {
        match self {
            Shape::Torus(_) => "torus",
            Shape::Box(_) => "box",
            Shape::Ball(_) => "ball",
            Shape::Ellipsoid(_) => "ellipsoid",
            Shape::Cylinder(_) => "cylinder",
            Shape::Beam(_) => "beam",
        }
    }
}

/// Sizes of a torus.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table of the sizes of a torus")]
pub struct TorusShape {
    /// From the centre of the ring to the centre of the tube.
    pub ring_radius: Quantity<Length>,
    /// Radius of the tube; smaller than `ring_radius`.
    pub tube_radius: Quantity<Length>,
    /// Sections around the ring, at least 3.
    pub sections: Located<u32>,
    /// Corners of each section, at least 3.
    pub sides: Located<u32>,
}

/// Sizes of a box.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table of the sizes of a box")]
pub struct BoxShape {
    /// Edge lengths along x, y, z.
    pub size: Vector<Length>,
    /// Cells along x, y, z, each cut into tetrahedra.
    pub cells: Exactly<Located<u32>, 3>,
}

/// Sizes of a ball.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table of the sizes of a ball")]
pub struct BallShape {
    /// Radius.
    pub radius: Quantity<Length>,
    /// Layers of elements from the centre to the surface.
    pub rings: Located<u32>,
}

/// Sizes of an ellipsoid.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table of the sizes of an ellipsoid")]
pub struct EllipsoidShape {
    /// Radii along x, y and z.
    pub radii: Vector<Length>,
    /// Layers of elements from the centre to the surface.
    pub rings: Located<u32>,
}

/// Sizes of a cylinder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table of the sizes of a cylinder")]
pub struct CylinderShape {
    /// Radius.
    pub radius: Quantity<Length>,
    /// Height along z.
    pub height: Quantity<Length>,
    /// Layers of elements from the axis to the side.
    pub rings: Located<u32>,
    /// Layers of elements from bottom to top.
    pub layers: Located<u32>,
}

/// Sizes of a beam.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table of the sizes of a beam")]
pub struct BeamShape {
    /// Along x.
    pub length: Quantity<Length>,
    /// Along y.
    pub width: Quantity<Length>,
    /// Along z.
    pub height: Quantity<Length>,
    /// Cells along x, y, z, each cut into tetrahedra.
    pub cells: Exactly<Located<u32>, 3>,
}

/// A mesh of tetrahedra from a file, or a surface that is filled with them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table like { file = \"part.msh\" }")]
pub struct MeshFile {
    /// The file, relative to the scene file.
    pub file: Located<String>,
    /// Factor from the file's lengths to metres: 0.001 for a file in millimetres. Default: 1.
    #[serde(default = "one")]
    pub scale: Quantity<Number>,
    /// Which axis of the file points up: `y` or `z`. Files that say so themselves (glTF, USD) are turned already.
    /// Default: z.
    #[serde(default, skip_serializing_if = "UpAxis::is_z")]
    pub up: UpAxis,
    /// Fills the surface in the file with tetrahedra.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tetrahedralize: Option<Located<Tetrahedralize>>,
}

pub(super) fn one() -> Quantity<Number> {
    Quantity::new(1.0)
}

/// A rotation by an angle about an axis through the origin; right-handed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table like { axis = [1, 0, 0], angle = \"80 deg\" }")]
pub struct Rotation {
    /// The direction of the axis; any length but zero.
    pub axis: Vector<Number>,
    /// How far to turn.
    pub angle: Quantity<Angle>,
}

/// Rotations, applied in order. Written as one table or an array of tables.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Rotations(pub Vec<Rotation>);

impl Rotations {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<'de> Deserialize<'de> for Rotations {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(RotationsVisitor)
    }
}

struct RotationsVisitor;

impl<'de> Visitor<'de> for RotationsVisitor {
    type Value = Rotations;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a table like { axis = [1, 0, 0], angle = \"80 deg\" } or an array of such tables")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Rotations, A::Error> {
        // The map passes straight through, so that places in the text survive.
        Ok(Rotations(vec![Rotation::deserialize(MapAccessDeserializer::new(map))?]))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Rotations, A::Error> {
        let mut rotations = Vec::new();
        while let Some(rotation) = seq.next_element()? {
            rotations.push(rotation);
        }
        Ok(Rotations(rotations))
    }
}

impl JsonSchema for Rotations {
    fn schema_name() -> Cow<'static, str> {
        "Rotations".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let one = generator.subschema_for::<Rotation>();
        let many = generator.subschema_for::<Vec<Rotation>>();
        schemars::json_schema!({ "anyOf": [one, many] })
    }
}
