//! Tetrahedra in twos that share a face.
//!
//! Twins have five nodes where two strangers have eight: less to fetch, and fewer forces to add.

use std::ops::Range;

use crate::lanes::LANES;
use crate::mesh::{TetMesh, matching};

/// A tetrahedron as a lane of a pack holds it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    /// Its number in the mesh.
    pub(super) tet: u32,
    /// Its vertices, in the order of the pack's corners. Twins have the first three in common.
    pub(super) corners: [u32; 4],
    /// Whether it counts: what only fills up a lane does not.
    pub(super) real: bool,
}

/// All tetrahedra in twos, in the given order of the first of them. One that finds no twin has itself, unreal.
pub(super) fn twins(mesh: &TetMesh, order: &[u32]) -> Vec<[Cell; 2]> {
    let twin = matching(&mesh.tets, order);
    let mut listed = vec![false; mesh.tets.len()];
    let mut twins = Vec::with_capacity(mesh.tets.len() / 2 + 1);
    for &tet in order {
        if listed[tet as usize] {
            continue;
        }
        twins.push(match twin[tet as usize] {
            None => {
                let cell = Cell { tet, corners: mesh.tets[tet as usize], real: true };
                [cell, Cell { real: false, ..cell }]
            }
            Some(other) => {
                listed[other as usize] = true;
                side_by_side(mesh, tet, other)
            }
        });
    }
    twins
}

/// Adds the vertices of two tetrahedra that `nodes` does not list yet.
pub(super) fn add_fresh(nodes: &mut Vec<u32>, two: &[Cell; 2]) {
    for v in two.iter().flat_map(|cell| cell.corners) {
        if !nodes.contains(&v) {
            nodes.push(v);
        }
    }
}

/// Cuts a list of twins into blocks of so many nodes and packs of each side.
pub(super) fn cuts(twins: &[[Cell; 2]], most_nodes: usize, most_packs: usize) -> Vec<Range<usize>> {
    let mut cuts = Vec::new();
    let mut start = 0;
    while start < twins.len() {
        let count = fitting(&twins[start..], most_nodes, most_packs);
        cuts.push(start..start + count);
        start += count;
    }
    cuts
}

/// How many of the first twins fit into a block of so many nodes and packs of each side; if not all of them, as many as
/// fill their packs.
fn fitting(twins: &[[Cell; 2]], most_nodes: usize, most_packs: usize) -> usize {
    let mut nodes: Vec<u32> = Vec::new();
    let most = twins.len().min(most_packs * LANES);
    let fits = |two: &[Cell; 2]| {
        add_fresh(&mut nodes, two);
        nodes.len() <= most_nodes
    };
    let count = twins[..most].iter().map(fits).take_while(|&fits| fits).count();
    if count == twins.len() { count } else { count / LANES * LANES }
}

/// Two tetrahedra with a common face: its vertices first, then the one across it.
fn side_by_side(mesh: &TetMesh, first: u32, second: u32) -> [Cell; 2] {
    let [a, b] = [first, second].map(|tet| mesh.tets[tet as usize]);
    let apex = |of: [u32; 4], other: [u32; 4]| of.into_iter().find(|v| !other.contains(v)).unwrap_or(of[3]);
    let face: Vec<u32> = a.into_iter().filter(|v| b.contains(v)).collect();
    let cell = |tet, apex| Cell { tet, corners: [face[0], face[1], face[2], apex], real: true };
    [cell(first, apex(a, b)), cell(second, apex(b, a))]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::generate;

    #[test]
    fn every_tetrahedron_is_real_once() {
        let mesh = generate::torus(0.1, 0.03, 20, 8).unwrap();
        let order: Vec<u32> = (0..mesh.tets.len() as u32).rev().collect();
        let twins = twins(&mesh, &order);
        let mut real: Vec<u32> = twins.as_flattened().iter().filter(|c| c.real).map(|c| c.tet).collect();
        real.sort_unstable();
        assert!(real.into_iter().eq(0..mesh.tets.len() as u32));
    }

    #[test]
    fn twins_have_three_vertices_in_common_and_keep_their_own() {
        let mesh = generate::beam(1.0, 0.5, 0.5, [5, 4, 3]).unwrap();
        let order: Vec<u32> = (0..mesh.tets.len() as u32).collect();
        for [a, b] in twins(&mesh, &order) {
            assert_eq!(a.corners[..3], b.corners[..3]);
            assert_eq!(a.corners[3] == b.corners[3], !b.real);
            for cell in [a, b] {
                let (mut kept, mut own) = (cell.corners, mesh.tets[cell.tet as usize]);
                kept.sort_unstable();
                own.sort_unstable();
                assert_eq!(kept, own);
            }
        }
    }

    #[test]
    fn nearly_all_tetrahedra_of_generated_shapes_find_a_twin() {
        let shapes = [
            generate::beam(0.8, 0.16, 0.16, [20, 8, 8]).unwrap(),
            generate::torus(0.1, 0.03, 20, 8).unwrap(),
            generate::ball(0.1, 4).unwrap(),
        ];
        for mesh in shapes {
            let order: Vec<u32> = (0..mesh.tets.len() as u32).collect();
            let alone = twins(&mesh, &order).iter().filter(|two| !two[1].real).count();
            assert!(alone * 50 <= mesh.tets.len(), "{alone} of {}", mesh.tets.len());
        }
    }
}
