//! A mesh as it stands in a file, and what becomes of it: vertices that belong to nothing are dropped, the others
//! renumbered in their order, and the rest is checked.

use std::collections::BTreeMap;

use aspic::Vec3;
use aspic::mesh::{MeshError, SurfaceError, TetMesh, TriangleSurface};

use super::{MeshFile, Up};

/// A mesh as it stands in a file: vertices by their number from 0.
#[derive(Debug, Default)]
pub(super) struct Raw {
    pub positions: Vec<Vec3>,
    pub tets: Vec<[usize; 4]>,
    pub triangles: Vec<[usize; 3]>,
    pub groups: BTreeMap<String, Vec<usize>>,
    pub other_cells: usize,
    /// The unit that the file declares \[m\].
    pub unit: Option<f64>,
    /// The direction that the file declares.
    pub up: Option<Up>,
}

impl Raw {
    /// Checks in the numbers of the file, then drops unused vertices, turns and checks the rest.
    pub fn finish(self) -> Result<MeshFile, MeshError> {
        self.check_indices()?;
        let (number, used) = renumbering(self.positions.len(), self.tets.as_flattened());
        if let Some(vertex) = used.iter().copied().find(|&v| !self.positions[v].iter().all(|c| c.is_finite()))
        {
            return Err(MeshError::NotFinite { vertex, position: self.positions[vertex].into() });
        }
        let mut mesh = TetMesh {
            positions: used.iter().map(|&v| self.positions[v]).collect(),
            tets: self.tets.iter().map(|tet| tet.map(|v| number[v])).collect(),
            groups: renumbered_groups(self.groups, &number),
            shares: vec![],
        };
        if (0..mesh.tets.len()).all(|tet| mesh.volume_of(tet) <= 0.0) {
            mesh.orient();
        }
        mesh.check()?;
        let unused_vertices = self.positions.len() - used.len();
        Ok(MeshFile { mesh, other_cells: self.other_cells, unused_vertices })
    }

    fn check_indices(&self) -> Result<(), MeshError> {
        let vertices = self.positions.len();
        if self.tets.is_empty() {
            return Err(MeshError::NoTetrahedra { vertices });
        }
        check_count(self.tets.len() as u64)?;
        for (tet, corners) in self.tets.iter().enumerate() {
            if let Some(&vertex) = corners.iter().find(|&&v| v >= vertices) {
                return Err(MeshError::BadIndex { tet, vertex, vertices });
            }
        }
        Ok(())
    }

    /// The triangles alone, checked in the numbers of the file, without the vertices that none uses.
    pub fn surface(self) -> Result<TriangleSurface, SurfaceError> {
        let vertices = self.positions.len();
        for (triangle, corners) in self.triangles.iter().enumerate() {
            if let Some(&vertex) = corners.iter().find(|&&v| v >= vertices) {
                return Err(SurfaceError::BadIndex { triangle, vertex, vertices });
            }
        }
        let (number, used) = renumbering(vertices, self.triangles.as_flattened());
        if let Some(&vertex) = used.iter().find(|&&v| !self.positions[v].iter().all(|c| c.is_finite())) {
            return Err(SurfaceError::NotFinite { vertex, position: self.positions[vertex].into() });
        }
        let positions = used.iter().map(|&v| self.positions[v]).collect();
        TriangleSurface::new(positions, self.triangles.iter().map(|t| t.map(|v| number[v])).collect())
    }
}

/// New number of each vertex (`u32::MAX` for an unused one), and old number of each used one.
fn renumbering(vertices: usize, corners: &[usize]) -> (Vec<u32>, Vec<usize>) {
    let mut number = vec![u32::MAX; vertices];
    corners.iter().for_each(|&v| number[v] = 0);
    let used: Vec<usize> = (0..number.len()).filter(|&v| number[v] == 0).collect();
    used.iter().enumerate().for_each(|(new, &old)| number[old] = new as u32);
    (number, used)
}

/// Refuses what no memory holds, before it is asked for.
pub(super) fn check_count(tets: u64) -> Result<(), MeshError> {
    let limit = aspic::mesh::MAX_TETS;
    if tets > limit as u64 {
        return Err(MeshError::TooLarge { tets: tets.into(), limit });
    }
    Ok(())
}

/// Sorted, without doubles, without unused vertices, without empty groups.
fn renumbered_groups(groups: BTreeMap<String, Vec<usize>>, number: &[u32]) -> BTreeMap<String, Vec<u32>> {
    let renumber = |vertices: Vec<usize>| {
        let mut new: Vec<u32> =
            vertices.iter().filter_map(|&v| number.get(v).copied()).filter(|&v| v != u32::MAX).collect();
        new.sort_unstable();
        new.dedup();
        new
    };
    let groups = groups.into_iter().map(|(name, vertices)| (name, renumber(vertices)));
    groups.filter(|(_, vertices)| !vertices.is_empty()).collect()
}
