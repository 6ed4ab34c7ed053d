//! What filling did, in numbers and in words; and the last steps that both ways of filling share.

use std::fmt;

use aspic::Vec3;
use aspic::mesh::{TetMesh, quality};

use crate::error::FillError;
use crate::manifold::{components, volume};
use crate::size::{Body, Keep};

/// A part of the volume that may be lost without a word.
const LOSS_WORTH_A_WORD: f64 = 0.1;

/// What filling did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filling {
    /// Edge of a lattice cell  \[m\]
    pub cell: f64,
    /// Number of tetrahedra.
    pub tets: usize,
    /// Number of vertices.
    pub vertices: usize,
    /// Volume of the mesh  \[m³\]
    pub volume: f64,
    /// Volume inside the surface, measured by rays  \[m³\]
    pub inside: f64,
    /// Separate bodies found.
    pub components: usize,
    /// Separate bodies kept.
    pub kept: usize,
    /// Tetrahedra taken away to make the boundary a manifold.
    pub removed: usize,
    /// Tetrahedra added to make the boundary a manifold.
    pub added: usize,
    /// Whether the surface had holes or loose edges, closed by the winding number.
    pub open: bool,
    /// Whether the surface faced inward and was turned.
    pub turned: bool,
    /// Smallest dihedral angle [°].
    pub min_dihedral_deg: f64,
    /// Largest dihedral angle [°].
    pub max_dihedral_deg: f64,
}

impl Filling {
    /// The part of the volume inside the surface that the mesh lacks, negative where it has more.
    pub fn lost(&self) -> f64 {
        if self.inside > 0.0 { 1.0 - self.volume / self.inside } else { 0.0 }
    }

    /// One plain sentence for everything a person should know.
    pub fn warnings(&self) -> Vec<String> {
        let mut lines = vec![];
        if self.lost() > LOSS_WORTH_A_WORD {
            let (percent, cure) = (100.0 * self.lost(), self.cell / 2.0);
            lines.push(format!(
                "{percent:.0} % of the volume is lost where the surface is sharp or thin for the cells ({:.3e} m): try {cure:.3e} m",
                self.cell
            ));
        }
        if self.open {
            lines.push("the surface has holes or loose edges: closed by the winding number".into());
        }
        if self.turned {
            lines.push("the surface faces inward: turned".into());
        }
        if self.components > 1 {
            lines.push(format!("{} separate bodies, {} kept", self.components, self.kept));
        }
        lines
    }
}

impl fmt::Display for Filling {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(f, "{} tetrahedra, {} vertices, cells of {:.4e} m", self.tets, self.vertices, self.cell)?;
        writeln!(f, "volume {:.4e} m³ of {:.4e} m³ inside the surface", self.volume, self.inside)?;
        write!(f, "dihedral angles {:.1}° to {:.1}°", self.min_dihedral_deg, self.max_dihedral_deg)?;
        if self.removed + self.added > 0 {
            let (removed, added) = (self.removed, self.added);
            write!(f, "\n{removed} tetrahedra removed and {added} added for a manifold boundary")?;
        }
        self.warnings().iter().try_for_each(|line| write!(f, "\n{line}"))
    }
}

/// Keeps the wanted bodies, drops vertices that nothing uses, checks and measures.
pub(crate) fn finish(
    body: &Body,
    cell: f64,
    keep: Keep,
    positions: Vec<Vec3>,
    mut tets: Vec<[u32; 4]>,
) -> Result<(TetMesh, Filling), FillError> {
    let (of, count) = components(positions.len(), &tets);
    if keep == Keep::Largest && count > 1 {
        let mut volumes = vec![0.0; count];
        tets.iter().zip(&of).for_each(|(t, &c)| volumes[c as usize] += volume(&positions, t));
        let largest = (0..count).rev().max_by(|&a, &b| volumes[a].total_cmp(&volumes[b])).unwrap_or(0);
        let mut n = 0;
        tets.retain(|_| {
            n += 1;
            of[n - 1] as usize == largest
        });
    }
    let mesh = compact(positions, tets)?;
    let measured = quality(&mesh);
    let report = Filling {
        cell,
        tets: mesh.tets.len(),
        vertices: mesh.positions.len(),
        volume: measured.volume,
        inside: body.volume,
        components: count,
        kept: if keep == Keep::Largest { 1 } else { count },
        open: !body.balanced,
        turned: body.turned,
        min_dihedral_deg: measured.min_dihedral_deg,
        max_dihedral_deg: measured.max_dihedral_deg,
        ..Filling::default()
    };
    Ok((mesh, report))
}

/// Without vertices that nothing uses.
fn compact(positions: Vec<Vec3>, mut tets: Vec<[u32; 4]>) -> Result<TetMesh, FillError> {
    let mut used = vec![false; positions.len()];
    tets.iter().flatten().for_each(|&v| used[v as usize] = true);
    let mut numbers = vec![0; positions.len()];
    let mut kept = vec![];
    for v in (0..positions.len()).filter(|&v| used[v]) {
        numbers[v] = kept.len() as u32;
        kept.push(positions[v]);
    }
    tets.iter_mut().flatten().for_each(|v| *v = numbers[*v as usize]);
    Ok(TetMesh::new(kept, tets)?)
}
