//! gmsh 4.1, as text.
//!
//! The tetrahedra are one volume. A group of vertices is a physical group of points: a point of the model that belongs
//! to the group, with one point element on each vertex. Vertices and elements count from 1.

use std::io::{self, Write};

use aspic::mesh::TetMesh;

const POINT: u8 = 15;
const TETRAHEDRON: u8 = 4;

pub(super) fn write(out: &mut dyn Write, mesh: &TetMesh) -> io::Result<()> {
    writeln!(out, "$MeshFormat\n4.1 0 8\n$EndMeshFormat")?;
    let groups: Vec<(&String, &Vec<u32>)> = mesh.groups.iter().filter(|(_, v)| !v.is_empty()).collect();
    if !groups.is_empty() {
        writeln!(out, "$PhysicalNames\n{}", groups.len())?;
        for (tag, (name, _)) in (1..).zip(&groups) {
            writeln!(out, "0 {tag} \"{}\"", name.replace(['"', '\n', '\r'], "'"))?;
        }
        writeln!(out, "$EndPhysicalNames")?;
    }
    entities(out, mesh, &groups)?;
    nodes(out, mesh)?;
    elements(out, mesh, &groups)
}

fn entities(out: &mut dyn Write, mesh: &TetMesh, groups: &[(&String, &Vec<u32>)]) -> io::Result<()> {
    writeln!(out, "$Entities\n{} 0 0 1", groups.len())?;
    for (tag, (_, vertices)) in (1..).zip(groups) {
        let x = vertices.first().and_then(|&v| mesh.positions.get(v as usize)).copied().unwrap_or_default();
        writeln!(out, "{tag} {:?} {:?} {:?} 1 {tag}", x.x, x.y, x.z)?;
    }
    let (low, high) = mesh.bounds();
    writeln!(out, "1 {:?} {:?} {:?} {:?} {:?} {:?} 0 0", low.x, low.y, low.z, high.x, high.y, high.z)?;
    writeln!(out, "$EndEntities")
}

fn nodes(out: &mut dyn Write, mesh: &TetMesh) -> io::Result<()> {
    let count = mesh.positions.len();
    writeln!(out, "$Nodes\n1 {count} 1 {count}\n3 1 0 {count}")?;
    (1..=count).try_for_each(|tag| writeln!(out, "{tag}"))?;
    mesh.positions.iter().try_for_each(|x| writeln!(out, "{:?} {:?} {:?}", x.x, x.y, x.z))?;
    writeln!(out, "$EndNodes")
}

fn elements(out: &mut dyn Write, mesh: &TetMesh, groups: &[(&String, &Vec<u32>)]) -> io::Result<()> {
    let points: usize = groups.iter().map(|(_, vertices)| vertices.len()).sum();
    let count = points + mesh.tets.len();
    writeln!(out, "$Elements\n{} {count} 1 {count}", groups.len() + 1)?;
    let mut tag = 0;
    for (entity, (_, vertices)) in (1..).zip(groups) {
        writeln!(out, "0 {entity} {POINT} {}", vertices.len())?;
        for &vertex in *vertices {
            tag += 1;
            writeln!(out, "{tag} {}", u64::from(vertex) + 1)?;
        }
    }
    writeln!(out, "3 1 {TETRAHEDRON} {}", mesh.tets.len())?;
    for tet in &mesh.tets {
        tag += 1;
        let [a, b, c, d] = tet.map(|v| u64::from(v) + 1);
        writeln!(out, "{tag} {a} {b} {c} {d}")?;
    }
    writeln!(out, "$EndElements")
}
