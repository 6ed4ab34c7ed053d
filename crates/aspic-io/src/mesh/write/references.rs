//! Groups as reference numbers, for formats that have one number for each vertex and each tetrahedron.
//!
//! `ref 3` and `tetrahedron ref 3` keep their number, so that what was read is written again. Other groups get the next
//! free numbers of the vertices, in the order of their names. Of several groups a vertex keeps the first.

use aspic::mesh::TetMesh;

/// One number for each vertex and each tetrahedron, 0 for none.
#[derive(Debug, Default, PartialEq)]
pub(super) struct References {
    pub vertices: Vec<i64>,
    pub tets: Vec<i64>,
    /// The numbers that were given out, with their groups.
    pub names: Vec<(i64, String)>,
}

pub(super) fn of(mesh: &TetMesh) -> References {
    let number = |name: &str, start: &str| name.strip_prefix(start)?.parse::<i64>().ok().filter(|&n| n != 0);
    let own: Vec<(i64, &String)> =
        mesh.groups.keys().filter_map(|name| Some((number(name, "ref ")?, name))).collect();
    let mut next = own.iter().map(|(n, _)| *n).max().unwrap_or(0).clamp(0, i64::from(i32::MAX / 2));
    let mut references =
        References { vertices: vec![0; mesh.positions.len()], tets: vec![0; mesh.tets.len()], names: vec![] };
    for (name, vertices) in &mesh.groups {
        if let Some(number) = number(name, "tetrahedron ref ") {
            mark_tets(mesh, vertices, number, &mut references.tets);
            continue;
        }
        let number = number(name, "ref ").unwrap_or_else(|| {
            next += 1;
            references.names.push((next, name.clone()));
            next
        });
        for &vertex in vertices {
            if let Some(free @ 0) = references.vertices.get_mut(vertex as usize) {
                *free = number;
            }
        }
    }
    references
}

/// Tetrahedra with all corners in the group. Together they have the same vertices as those that made the group.
fn mark_tets(mesh: &TetMesh, group: &[u32], number: i64, marks: &mut [i64]) {
    let mut inside = vec![false; mesh.positions.len()];
    group.iter().filter_map(|&v| inside.get_mut(v as usize).map(|flag| *flag = true)).count();
    for (mark, tet) in marks.iter_mut().zip(&mesh.tets) {
        if *mark == 0 && tet.iter().all(|&v| inside.get(v as usize) == Some(&true)) {
            *mark = number;
        }
    }
}
