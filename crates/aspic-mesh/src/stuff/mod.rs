//! Isosurface stuffing (Labelle and Shewchuk, SIGGRAPH 2007): a body-centred cubic lattice, cut where the surface passes,
//! so that boundary vertices lie on the surface and no tetrahedron is badly shaped.
//!
//! 1. Lattice points are labelled inside or outside.
//! 2. Edges between the two get a cut point on the surface.
//! 3. Lattice points with a cut point close by are moved onto it.
//! 4. Each lattice tetrahedron gives the tetrahedra of its stencil.
//! 5. Where the boundary is not a manifold, tetrahedra are taken away.

#[cfg(test)]
mod bounds;
mod cuts;
mod fill;
mod shape;
mod stencil;
mod warp;

use aspic::mesh::TetMesh;

use crate::error::FillError;
use crate::lattice::{Lattice, labels, points_in};
use crate::manifold::mend_by_removal;
use crate::report::{Filling, finish};
use crate::size::{Body, Cell, Keep};
use crate::soup::Soup;

/// Tetrahedra that stuffing makes for each h² of surface, beyond 12/h³ inside; measured.
const LAYER: f64 = 6.0;
/// Lattice points at most while a size is looked for that leaves something inside.
const TRIAL_POINTS: f64 = 2e7;

/// A surface filled with tetrahedra.
#[derive(Clone, Debug, PartialEq)]
pub struct Filled {
    /// The tetrahedra. All dihedral angles lie between 9° and 160°; the boundary is a closed 2-manifold.
    pub mesh: TetMesh,
    /// What was done.
    pub report: Filling,
}

/// Fills a surface with tetrahedra that follow it to second order in the cell size. Sharp edges are bevelled within one
/// cell; parts thinner than a cell may be lost, which the report says.
pub fn stuff(surface: &Soup, cell: Cell, keep: Keep) -> Result<Filled, FillError> {
    let body = Body::new(surface)?;
    let make = |size: f64| match fill(&body, size, keep)? {
        Some(filled) => Ok(filled),
        None => Err(nothing_left(&body, size)),
    };
    body.build(cell, LAYER, make, |filled| filled.mesh.tets.len())
}

/// Fills with cells of one size; `None` when nothing is left inside.
fn fill(body: &Body, size: f64, keep: Keep) -> Result<Option<Filled>, FillError> {
    let lattice = Lattice::around(&body.low, &body.high, size);
    let mut labels = labels(&lattice, &body.winding, body.balanced);
    let cuts = cuts::cuts(&lattice, &body.winding, &labels);
    let moved = warp::warp(&cuts, &mut labels);
    let cutting = fill::Cutting {
        lattice: &lattice,
        winding: &body.winding,
        labels: &labels,
        cuts: &cuts,
        moved: &moved,
    };
    let (positions, mut tets) = cutting.fill();
    let removed = mend_by_removal(&positions, &mut tets);
    if tets.is_empty() {
        return Ok(None);
    }
    let (mesh, report) = finish(body, size, keep, positions, tets)?;
    Ok(Some(Filled { mesh, report: Filling { removed, ..report } }))
}

/// The error for cells that are too large, with a size that was tried and leaves something.
fn nothing_left(body: &Body, size: f64) -> FillError {
    let extent = body.high - body.low;
    let mut smaller = size.min(extent.max());
    while points_in(&extent, smaller / 2.0) < TRIAL_POINTS {
        smaller /= 2.0;
        if matches!(fill(body, smaller, Keep::All), Ok(Some(_))) {
            return FillError::TooCoarse { size, cure: smaller };
        }
    }
    FillError::NoInside { size: extent.into(), smallest: smaller }
}
