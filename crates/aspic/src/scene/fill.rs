//! Surfaces that a scene wants filled with tetrahedra.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::actions::exactly_one;
use super::body::MeshFile;
use super::build::MeshSource;
use super::error::SceneError;
use super::quantity::{Length, Quantity};
use super::span::Located;
use crate::Vec3;
use crate::mesh::{MAX_TETS, TetMesh, TriangleSurface};

/// How a surface becomes a mesh of tetrahedra.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(
    deny_unknown_fields,
    expecting = "a table like { cell = \"2 cm\" } or { count = 20000, method = \"lattice\" }"
)]
pub struct Tetrahedralize {
    /// Edge of the cubes of the lattice, in metres after `scale`. Instead of `count`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cell: Option<Located<Quantity<Length>>>,
    /// About how many tetrahedra there shall be. Instead of `cell`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<Located<u32>>,
    /// Whether the lattice is cut to the surface or carries it. Default: `cut`.
    #[serde(default)]
    pub method: FillMethod,
    /// Whether a surface that the lattice carries touches other bodies; else the lattice itself does. Default: true.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contact: Option<Located<bool>>,
}

/// What becomes of the lattice at the surface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum FillMethod {
    /// It is cut, with dihedral angles that stay good.
    #[default]
    Cut,
    /// It covers the surface whole, and carries it as a skin.
    Lattice,
}

/// Which axis of a file points up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum UpAxis {
    /// It is turned, so that z points up.
    Y,
    /// It is taken as it is.
    #[default]
    Z,
}

impl UpAxis {
    /// Turns a place of the file.
    pub fn turned(self, x: &Vec3) -> Vec3 {
        match self {
            UpAxis::Y => Vec3::new(x.x, -x.z, x.y),
            UpAxis::Z => *x,
        }
    }

    /// Whether files are taken as they are.
    pub(super) fn is_z(&self) -> bool {
        *self == UpAxis::Z
    }
}

/// Tetrahedra inside a surface.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filled {
    /// The mesh, in metres.
    pub mesh: TetMesh,
    /// The surface, if the mesh is to carry it.
    pub skin: Option<TriangleSurface>,
}

impl Tetrahedralize {
    /// What the types cannot say.
    pub(super) fn check(&self) -> Result<(), SceneError> {
        let wrong = |text: String, span, help: &str| Err(SceneError::new(text).at(span).help(help));
        if let (Some(contact), FillMethod::Cut) = (&self.contact, self.method) {
            let text = "`contact` goes with a lattice that carries its surface".into();
            return wrong(text, contact.span(), "remove it, or write `method = \"lattice\"`");
        }
        match (&self.cell, &self.count) {
            (Some(cell), None) if cell.si() > 0.0 && cell.si().is_finite() => Ok(()),
            (Some(cell), None) => wrong(
                "`cell` is a length greater than zero".into(),
                cell.span(),
                "write the edge of a cube of the lattice, for example cell = \"2 cm\"",
            ),
            (None, Some(count)) if (1..=MAX_TETS).contains(&(**count as usize)) => Ok(()),
            (None, Some(count)) => wrong(
                format!("`count` is between 1 and {MAX_TETS}"),
                count.span(),
                "write about how many tetrahedra there shall be",
            ),
            (cell, count) => {
                let cell = cell.as_ref().map(Located::span);
                Err(exactly_one(&[("cell", cell), ("count", count.as_ref().map(Located::span))]))
            }
        }
    }
}

/// Formats that say themselves which way is up.
const SAY_UP: [&str; 6] = [".gltf", ".glb", ".usda", ".usdc", ".usdz", ".usd"];

impl MeshFile {
    /// Refuses an axis for a file that is turned already.
    pub(super) fn check_up(&self) -> Result<(), SceneError> {
        let name = self.file.to_lowercase();
        if self.up == UpAxis::Y && SAY_UP.iter().any(|ending| name.ends_with(ending)) {
            return Err(SceneError::new("glTF and USD files say themselves which way is up")
                .at(self.file.span())
                .help("remove `up`: the file is turned when it is read"));
        }
        Ok(())
    }

    /// Places of the file, turned and in metres.
    pub(super) fn place(&self, positions: &mut [Vec3]) {
        let scale = self.scale.si();
        positions.iter_mut().for_each(|x| *x = self.up.turned(x) * scale);
    }

    /// Its tetrahedra, or those that fill its surface.
    pub(super) fn filled(&self, files: &dyn MeshSource) -> Result<Filled, SceneError> {
        let at = |text: String| SceneError::new(text).at(self.file.span());
        if self.tetrahedralize.is_some() {
            return files.fill(self).map_err(at);
        }
        let mut mesh = files.read(&self.file).map_err(at)?;
        self.place(&mut mesh.positions);
        Ok(Filled { mesh, skin: None })
    }
}
