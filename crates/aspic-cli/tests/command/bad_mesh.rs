//! Mesh files that cannot be simulated: the error names the mesh, and the scene's line that asks for it.

use crate::support::Desk;

const SCENE: &str = "duration = \"0.1 s\"\n\n[materials.rubber]\npreset = \"soft rubber\"\n\n[bodies.part]\n\
                     material = \"rubber\"\nmesh = { file = \"FILE\" }\n";
const VERTICES: &str =
    "MeshVersionFormatted 2\nDimension 3\nVertices\n5\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n1 1 1 0\n";

/// Both commands refuse the scene with these words.
#[track_caller]
fn refuse(file: &str, content: Option<&[u8]>, words: &[&str]) {
    let desk = Desk::with(&SCENE.replace("FILE", file));
    if let Some(content) = content {
        desk.write(file, content);
    }
    for command in ["check", "run", "info"] {
        let answer = desk.aspic(&[command, "scene.toml"]);
        answer.expect(2, &["[scene.toml:8:17]", &format!("8 mesh = {{ file = \"{file}\" }}")]);
        answer.expect(2, words);
    }
    assert!(!desk.path("out").exists());
}

#[track_caller]
fn refuse_medit(vertices: &str, tets: &str, words: &[&str]) {
    refuse("part.mesh", Some(format!("{vertices}{tets}").as_bytes()), words);
}

#[test]
fn a_good_mesh_runs() {
    let desk = Desk::with(&SCENE.replace("FILE", "part.mesh"));
    desk.write("part.mesh", format!("{VERTICES}Tetrahedra\n2\n1 2 3 4 0\n2 5 3 4 0\nEnd\n"));
    desk.well(&["run", "scene.toml"]);
}

#[test]
fn a_mesh_that_is_missing_or_of_an_unknown_kind_is_named() {
    refuse("part.msh", None, &["cannot read part.msh", "check the name and the folder"]);
    refuse("part.xyz", None, &["cannot tell the format of part.xyz", ".mesh (Medit), .msh (gmsh)"]);
}

#[test]
fn a_mesh_that_is_cut_off_is_named() {
    let words = ["part.mesh, line 11", "cut off", "save it again"];
    refuse_medit(VERTICES, "Tetrahedra\n2\n1 2 3 4 0\n2 5", &words);
    refuse("part.mesh", Some(b""), &["part.mesh", "no tetrahedra"]);
    let gmsh = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 4 1 4\n3 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0";
    refuse("part.msh", Some(gmsh.as_bytes()), &["part.msh"]);
    let vtu = "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\"><UnstructuredGrid><Piece Num";
    refuse("part.vtu", Some(vtu.as_bytes()), &["part.vtu"]);
}

#[test]
fn elements_that_cannot_be_simulated_are_named() {
    let (inverted, cure) = ("Tetrahedra\n2\n1 2 3 4 0\n2 3 5 4 0\nEnd\n", "swap two of its vertices");
    refuse_medit(VERTICES, inverted, &["part.mesh: tetrahedron 1 is inside out", cure]);
    let flat = VERTICES.replace("1 1 1 0\n", "1 1 0 0\n");
    let tets = "Tetrahedra\n2\n1 2 3 4 0\n1 2 3 5 0\nEnd\n";
    refuse_medit(&flat, tets, &["part.mesh: tetrahedron 1 has no volume", "mend the mesh"]);
    let tets = "Tetrahedra\n1\n1 2 3 9 0\nEnd\n";
    refuse_medit(VERTICES, tets, &["part.mesh", "there are only 5"]);
}

#[test]
fn coordinates_that_are_no_numbers_are_named() {
    let tets = "Tetrahedra\n1\n1 2 3 4 0\nEnd\n";
    for wrong in ["nan", "inf", "x"] {
        let vertices = VERTICES.replace("1 0 0 0\n", &format!("1 0 {wrong} 0\n"));
        refuse_medit(&vertices, tets, &["part.mesh, line 6", &format!("`{wrong}`")]);
    }
}

#[test]
fn a_mesh_that_announces_billions_is_not_believed() {
    let vertices = "MeshVersionFormatted 2\nDimension 3\nVertices\n5000000000\n0 0 0 0\n";
    refuse_medit(vertices, "", &["5000000000 vertices are announced", "line 4"]);
}
