//! Small surfaces written out by hand, then the same damaged.

use super::tests::{GMSH, MEDIT, VTU, assert_says};
use super::*;

/// A unit square of two objects that share two vertices, one face a quadrilateral, and a vertex that no face uses.
const OBJ: &str = "# made by hand
mtllib none.mtl
o left
v 0 0 0
v 0.5 0 0 1 0 0  # red
v 9 9 9
v 0.5 1 0
v 0 1 0
vn 0 0 1
usemtl paper
f 1//1 2//1 4//1 \\
  5//1
o right
v 1 0 0
v 1 1 0
g half
f 2 6 7
usemtl glass
f -1 -4 -6
l 1 2
";

fn read_as(name: &str, content: &[u8]) -> Result<TriangleSurface, ReadError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, content).unwrap();
    read_surface(&path)
}

fn message(name: &str, content: &str) -> String {
    let text = read_as(name, content.as_bytes()).unwrap_err().to_string();
    assert!(text.contains(name), "the file is not named: {text}");
    text
}

fn area(surface: &TriangleSurface) -> f64 {
    let x = |v: u32| surface.positions[v as usize];
    surface.triangles.iter().map(|&[a, b, c]| (x(b) - x(a)).cross(&(x(c) - x(a))).z / 2.0).sum()
}

#[test]
fn objects_of_an_obj_file_make_one_surface_on_shared_vertices() {
    let square = read_as("square.obj", OBJ.as_bytes()).unwrap();
    assert_eq!((square.positions.len(), square.triangles.len()), (6, 4));
    // All triangles face up and fill the square once.
    assert_eq!(area(&square), 1.0);
    assert!(square.is_manifold());
    assert!(square.positions.iter().all(|x| x.x <= 1.0), "the loose vertex is gone");
}

#[test]
fn coordinates_of_an_obj_file_keep_their_digits() {
    let text = OBJ.replace("v 1 1 0", "v 1.0000000000000002 1 0");
    let square = read_as("square.obj", text.as_bytes()).unwrap();
    assert!(square.positions.iter().any(|x| x.x == 1.0000000000000002));
}

#[test]
fn triangles_of_medit_gmsh_and_vtu_files_are_a_surface_where_there_are_no_tetrahedra() {
    let medit = MEDIT.replace("Tetrahedra\n2\n1 2 4 5 1\n2 4 5 6 1\n", "");
    let gmsh = GMSH
        .replace("3 1 4 2\n2 5 1 3 4\n3 1 3 4 2\n", "")
        .replace("2 3 1 3\n2 1 2 1\n1 5", "1 1 1 1\n2 1 2 1\n1 5");
    let cells = ["0 1 2 3 0 1 2 1 2 3 4", "4 7 11", "10 5 10"];
    let vtu = VTU.replace("NumberOfCells=\"3\"", "NumberOfCells=\"1\"");
    let vtu = vtu.replace(cells[0], "0 1 2").replace(cells[1], "3").replace(cells[2], "5");
    for (name, text) in [("a.mesh", medit), ("a.msh", gmsh), ("a.vtu", vtu)] {
        let surface = read_as(name, text.as_bytes()).unwrap();
        assert_eq!((surface.positions.len(), &surface.triangles[..]), (3, &[[0, 1, 2]][..]), "{name}");
        assert_eq!(area(&surface), 0.5, "{name}");
    }
}

#[test]
fn file_with_tetrahedra_gives_their_surface() {
    for (name, text) in [("a.mesh", MEDIT), ("a.msh", GMSH), ("a.vtu", VTU)] {
        let surface = read_as(name, text.as_bytes()).unwrap();
        assert_eq!((surface.positions.len(), surface.triangles.len()), (5, 6), "{name}");
        assert!(surface.is_closed() && surface.volume() > 0.0, "{name}");
    }
}

#[test]
fn mistakes_in_an_obj_file_are_found_by_their_line() {
    let damaged = |from: &str, to: &str| message("square.obj", &OBJ.replacen(from, to, 1));
    assert_says(&damaged("v 0.5 1 0", "v 0.5 1"), &[", line 7: ", "three numbers", "mend"]);
    assert_says(&damaged("v 1 0 0", "v 1 O 0"), &[", line 14: ", "three numbers"]);
    assert_says(&damaged("f 2 6 7", "f 2 6 70"), &[", line 17: ", "does not exist", "from 1"]);
    assert_says(&damaged("f 2 6 7", "f 0 6 7"), &[", line 17: ", "does not exist"]);
    assert_says(&damaged("f 2 6 7", "f 2 six 7"), &[", line 17: ", "vertex numbers"]);
    assert_says(&damaged("f 2 6 7", "f"), &[", line 17: ", "at least three"]);
    assert_says(&damaged("f 2 6 7", "f 2 2 7"), &["no area"]);
    assert_says(&damaged("v 1 0 0", "v nan 0 0"), &["not finite"]);
}

#[test]
fn file_without_triangles_is_refused_with_the_cure() {
    assert_says(&message("empty.obj", ""), &["neither triangles nor tetrahedra", "as triangles"]);
    assert_says(&message("cloud.obj", "v 0 0 0\nv 1 0 0\n"), &["neither triangles"]);
    assert_says(&message("shirt.xyz", "solid"), &["cannot tell the format", ".obj"]);
    let text = read_file(Path::new("no/such.obj")).unwrap_err().to_string();
    assert_says(&text, &["no/such.obj", "check the name"]);
}

#[test]
fn solid_cannot_be_made_of_a_surface() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("square.obj");
    std::fs::write(&path, OBJ).unwrap();
    assert_says(&read(&path).unwrap_err().to_string(), &["no tetrahedra", "not a surface"]);
}

#[test]
fn no_damage_to_an_obj_file_ends_in_a_panic() {
    for at in 0..OBJ.len() {
        for byte in [0u8, b'-', b'9', b'/', b'\n', 0xff] {
            let mut bytes = OBJ.as_bytes().to_vec();
            bytes[at] = byte;
            let _ = read_as("square.obj", &bytes);
        }
        let _ = read_as("square.obj", &OBJ.as_bytes()[..at]);
    }
}
