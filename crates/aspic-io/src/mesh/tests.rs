//! Small meshes written out by hand, then the same meshes damaged.

use aspic::Vec3;
use aspic::mesh::MeshError;

use super::*;

/// Two tetrahedra that share a face, one loose vertex (the third), two references.
pub(super) const MEDIT: &str = "MeshVersionFormatted 2

# made by hand
Dimension
3
Vertices 6
0 0 0 0
1 0 0 7   # a corner
9 9 9 7
0 1 0 0
0 0 1 0
1 1 1.0D0 -4
Edges 1
1 2 0
Tetrahedra
2
1 2 4 5 1
2 4 5 6 1
Triangles 1
1 2 4 3
End
";

fn corners() -> Vec<Vec3> {
    [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 1.0, 1.0]]
        .map(Vec3::from)
        .to_vec()
}

/// The same two tetrahedra for gmsh. Tags are 1…5 but not in order.
pub(super) const GMSH: &str = "$MeshFormat
4.1 0 8
$EndMeshFormat
$PhysicalNames
2
2 5 \"the floor\"
3 1 \"all\"
$EndPhysicalNames
$Entities
0 0 1 1
1 0 0 0 1 1 1 1 5 0
1 0 0 0 1 1 1 2 1 8 0
$EndEntities
$Nodes
2 5 1 5
2 1 0 3
5
1
3
0 0 0
1 0 0
0 1 0
3 1 0 2
4
2
0 0 1
1 1 1
$EndNodes
$Elements
2 3 1 3
2 1 2 1
1 5 1 3
3 1 4 2
2 5 1 3 4
3 1 3 4 2
$EndElements
";

pub(super) const VTU: &str = r#"<?xml version="1.0"?>
<VTKFile type="UnstructuredGrid" version="0.1" byte_order="LittleEndian">
<UnstructuredGrid><Piece NumberOfPoints="5" NumberOfCells="3">
<Points><DataArray type="Float32" NumberOfComponents="3" format="ascii">0 0 0 1 0 0 0 1 0 0 0 1 1 1 1</DataArray></Points>
<Cells>
<DataArray type="Int64" Name="connectivity" format="ascii">0 1 2 3 0 1 2 1 2 3 4</DataArray>
<DataArray type="Int64" Name="offsets" format="ascii">4 7 11</DataArray>
<DataArray type="UInt8" Name="types" format="ascii">10 5 10</DataArray>
</Cells></Piece></UnstructuredGrid></VTKFile>
"#;

fn read_as(name: &str, content: &[u8]) -> Result<MeshFile, ReadError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, content).unwrap();
    read_file(&path)
}

fn message(name: &str, content: &str) -> String {
    let text = read_as(name, content.as_bytes()).unwrap_err().to_string();
    assert!(text.contains(name), "the file is not named: {text}");
    text
}

#[track_caller]
pub(super) fn assert_says(text: &str, parts: &[&str]) {
    parts.iter().for_each(|part| assert!(text.contains(part), "`{part}` is missing: {text}"));
}

/// A binary gmsh file of the same mesh, word by word as the manual of gmsh 4.1 lays it out.
fn gmsh_binary(big_endian: bool) -> Vec<u8> {
    let int = |n: i32| if big_endian { n.to_be_bytes() } else { n.to_le_bytes() }.to_vec();
    let size = |n: u64| if big_endian { n.to_be_bytes() } else { n.to_le_bytes() }.to_vec();
    let double = |x: f64| size(x.to_bits());
    let mut out = b"$MeshFormat\n4.1 1 8\n".to_vec();
    out.extend(int(1));
    out.extend(b"\n$EndMeshFormat\n$Nodes\n");
    [1, 5, 1, 5].iter().for_each(|&n| out.extend(size(n)));
    [3, 1, 0].iter().for_each(|&n| out.extend(int(n)));
    [5, 5, 1, 3, 4, 2].iter().for_each(|&n| out.extend(size(n)));
    corners().iter().flat_map(|p| [p.x, p.y, p.z]).for_each(|x| out.extend(double(x)));
    out.extend(b"\n$EndNodes\n$Elements\n");
    [1, 2, 1, 2].iter().for_each(|&n| out.extend(size(n)));
    [3, 1, 4].iter().for_each(|&n| out.extend(int(n)));
    [2, 1, 5, 1, 3, 4, 2, 1, 3, 4, 2].iter().for_each(|&n| out.extend(size(n)));
    out.extend(b"\n$EndElements\n");
    out
}

#[test]
fn medit_file_gives_its_mesh_without_loose_vertices() {
    let file = read_as("a.mesh", MEDIT.as_bytes()).unwrap();
    assert_eq!(file.mesh.positions, corners());
    assert_eq!(file.mesh.tets, [[0, 1, 2, 3], [1, 2, 3, 4]]);
    assert_eq!((file.other_cells, file.unused_vertices), (1, 1));
    let groups: Vec<_> = file.mesh.groups.iter().map(|(name, v)| (name.as_str(), v.as_slice())).collect();
    let expected: [(&str, &[u32]); 4] = [
        ("ref -4", &[4]),
        ("ref 7", &[1]),
        ("tetrahedron ref 1", &[0, 1, 2, 3, 4]),
        ("triangle ref 3", &[0, 1, 2]),
    ];
    assert_eq!(groups, expected);
}

#[test]
fn gmsh_tags_count_not_the_order_of_the_vertices() {
    let file = read_as("a.msh", GMSH.as_bytes()).unwrap();
    assert_eq!(file.mesh.positions, corners());
    assert_eq!(file.mesh.tets, [[0, 1, 2, 3], [1, 2, 3, 4]]);
    assert_eq!(file.other_cells, 1);
    assert_eq!(file.mesh.groups["the floor"], [0, 1, 2]);
    assert_eq!(file.mesh.groups["all"], [0, 1, 2, 3, 4]);
    assert_eq!(file.mesh.groups["physical volume 8"], [0, 1, 2, 3, 4]);
    assert_eq!(file.mesh.groups.len(), 3);
}

#[test]
fn binary_gmsh_of_either_byte_order_gives_the_same_mesh() {
    for big_endian in [false, true] {
        let mesh = read_as("a.msh", &gmsh_binary(big_endian)).unwrap().mesh;
        assert_eq!((mesh.positions, mesh.tets), (corners(), vec![[0, 1, 2, 3], [1, 2, 3, 4]]));
    }
}

#[test]
fn windows_line_ends_change_nothing() {
    for (name, text) in [("a.mesh", MEDIT), ("a.msh", GMSH)] {
        let windows = text.replace('\n', "\r\n");
        assert_eq!(read_as(name, windows.as_bytes()).unwrap(), read_as(name, text.as_bytes()).unwrap());
    }
}

#[test]
fn vtu_gives_its_tetrahedra_and_counts_the_rest() {
    let file = read_as("a.vtu", VTU.as_bytes()).unwrap();
    assert_eq!(file.mesh.positions, corners());
    assert_eq!(file.mesh.tets, [[0, 1, 2, 3], [1, 2, 3, 4]]);
    assert_eq!(file.other_cells, 1);
}

#[test]
fn frame_file_can_be_read_as_a_mesh() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("000000.vtu");
    let topology =
        aspic::frame::Topology { points: 5, tets: vec![[0, 1, 2, 3], [1, 2, 3, 4]], ..Default::default() };
    let frame = aspic::frame::Frame { positions: corners(), ..Default::default() };
    crate::vtu::write_frame(&path, &topology, &frame, crate::vtu::Fields::default()).unwrap();
    let mesh = read(&path).unwrap();
    assert_eq!((mesh.positions, mesh.tets), (corners(), topology.tets));
}

#[test]
fn file_of_the_other_convention_is_turned() {
    let turned = MEDIT.replace("1 2 4 5 1", "2 1 4 5 1").replace("2 4 5 6 1", "4 2 5 6 1");
    let mesh = read_as("a.mesh", turned.as_bytes()).unwrap().mesh;
    assert!((0..2).all(|tet| mesh.volume_of(tet) > 0.0));
    assert!((mesh.volume() - 0.5).abs() < 1e-15, "1/6 + 1/3, found {}", mesh.volume());
}

#[test]
fn single_inverted_tetrahedron_is_named() {
    let text = message("a.mesh", &MEDIT.replace("2 4 5 6 1", "4 2 5 6 1"));
    assert_says(&text, &["tetrahedron 1 is inside out"]);
}

#[test]
fn flat_tetrahedra_and_missing_vertices_are_named() {
    assert_says(
        &message("a.mesh", &MEDIT.replace("2 4 5 6 1", "2 4 5 2 1")),
        &["tetrahedron 1 has no volume"],
    );
    assert_says(&message("a.mesh", &MEDIT.replace("2 4 5 6 1", "2 4 5 7 1")), &["names vertex 6", "only 6"]);
    assert_says(
        &message("a.mesh", &MEDIT.replace("2 4 5 6 1", "2 4 5 0 1")),
        &["line 18", "no vertex 0", "from 1"],
    );
    assert_says(
        &message("a.msh", &GMSH.replace("3 1 3 4 2\n$", "3 1 3 4 77\n$")),
        &["element 3 names vertex 77"],
    );
    assert_says(&message("a.vtu", &VTU.replace("1 2 3 4<", "1 2 3 8<")), &["names vertex 8"]);
}

#[test]
fn coordinates_that_are_not_finite_are_named() {
    assert_says(&message("a.mesh", &MEDIT.replace("0 1 0 0", "0 nan 0 0")), &["line 10", "`nan`"]);
    assert_says(&message("a.mesh", &MEDIT.replace("0 1 0 0", "0 1e999 0 0")), &["line 10", "`1e999`"]);
    assert_says(
        &message("a.vtu", &VTU.replace("0 0 1 1 1 1<", "0 0 NaN 1 1 1<")),
        &["vertex 3", "not finite"],
    );
    let infinite = GMSH.replace("\n0 1 0\n", "\n0 1e999 0\n");
    assert_says(&message("a.msh", &infinite), &["vertex 2", "not finite"]);
}

#[test]
fn unknown_extensions_and_missing_files_say_what_to_do() {
    assert_says(&message("a.xyz", ""), &[".mesh", ".msh", ".vtu"]);
    let text = read(Path::new("nowhere/at/all.mesh")).unwrap_err().to_string();
    assert_says(&text, &["nowhere/at/all.mesh", "check the name"]);
}

#[test]
fn unknown_gmsh_format_says_how_to_convert() {
    for version in ["1.0", "3", "5.0"] {
        let text = message("a.msh", &GMSH.replace("4.1 0 8", &format!("{version} 0 8")));
        assert_says(&text, &["line 2", version, "msh41"]);
    }
}

#[test]
fn parametric_gmsh_file_says_how_to_save_it() {
    let text = message("a.msh", &GMSH.replace("3 1 0 2\n", "3 1 1 2\n"));
    assert_says(&text, &["parametric", "Mesh.SaveParametric = 0"]);
}

#[test]
fn line_of_a_damaged_gmsh_number_is_named() {
    assert_says(&message("a.msh", &GMSH.replace("\n0 1 0\n", "\n0 x 0\n")), &["line 22", "node"]);
    assert_says(&message("a.msh", &GMSH.replace("2 5 1 3 4\n", "2 5 1 q 4\n")), &["line 34", "element"]);
}

#[test]
fn mesh_of_triangles_is_refused_with_a_reason() {
    let only_triangles =
        GMSH.replace("2 3 1 3\n2 1 2 1", "1 1 1 3\n2 1 2 1").replace("3 1 4 2\n2 5 1 3 4\n3 1 3 4 2\n", "");
    assert_says(&message("a.msh", &only_triangles), &["no tetrahedra", "not a surface"]);
    assert_says(&message("a.vtu", &VTU.replace("10 5 10", "9 5 9")), &["no tetrahedra"]);
}

#[test]
fn counts_that_the_file_cannot_hold_are_refused_before_memory_is_taken() {
    for count in ["99999", "4000000000", "18446744073709551615", "-1"] {
        let text = message("a.mesh", &MEDIT.replace("Vertices 6", &format!("Vertices {count}")));
        assert_says(&text, &["line 6"]);
        message("a.mesh", &MEDIT.replace("Tetrahedra\n2", &format!("Tetrahedra\n{count}")));
        message("a.msh", &GMSH.replace("2 5 1 5\n", &format!("2 {count} 1 5\n")));
        message("a.msh", &GMSH.replace("2 3 1 3\n", &format!("2 {count} 1 3\n")));
        message("a.msh", &GMSH.replace("3 1 0 2\n", &format!("3 1 0 {count}\n")));
        message("a.msh", &GMSH.replace("3 1 4 2\n", &format!("3 1 4 {count}\n")));
        message("a.vtu", &VTU.replace("NumberOfPoints=\"5\"", &format!("NumberOfPoints=\"{count}\"")));
        message("a.vtu", &VTU.replace("NumberOfCells=\"3\"", &format!("NumberOfCells=\"{count}\"")));
    }
    let mut binary = gmsh_binary(false);
    let at = binary.windows(7).position(|w| w == b"$Nodes\n").unwrap() + 7 + 8;
    binary[at..at + 8].copy_from_slice(&(1u64 << 60).to_le_bytes());
    let text = read_as("a.msh", &binary).unwrap_err().to_string();
    assert_says(&text, &["$Nodes", "1152921504606846976"]);
}

#[test]
fn compressed_array_that_claims_terabytes_is_refused() {
    let frame = frame_text();
    let start = frame.find("Name=\"Points\"").unwrap();
    let data = start + frame[start..].find('>').unwrap() + 1;
    for (blocks, block, last) in
        [(1u64, 1u64 << 44, 1u64 << 44), (1 << 40, 8, 8), (1, 8, u64::MAX), (0, 0, 0)]
    {
        let header: Vec<u8> = [blocks, block, last].iter().flat_map(|n| n.to_le_bytes()).collect();
        let lie = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, header);
        let text = format!("{}{lie}{}", &frame[..data], &frame[data + 32..]);
        message("a.vtu", &text);
    }
}

/// VTK calls the last block of 1024 points of 24 bytes full (size 0), not partial.
#[test]
fn compressed_arrays_of_whole_blocks_are_read() {
    let mut positions = corners();
    positions.resize(1024, Vec3::repeat(2.0));
    let topology =
        aspic::frame::Topology { points: 1024, tets: vec![[0, 1, 2, 3], [1, 2, 3, 4]], ..Default::default() };
    let frame = aspic::frame::Frame { positions, ..Default::default() };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.vtu");
    crate::vtu::write_frame(&path, &topology, &frame, crate::vtu::Fields::default()).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    let encode = |sizes: [u64; 3]| {
        let bytes: Vec<u8> = sizes.iter().flat_map(|n| n.to_le_bytes()).collect();
        base64::Engine::encode(&base64::engine::general_purpose::STANDARD, bytes)
    };
    let (ours, theirs) = (encode([1, 1 << 20, 24576]), encode([1, 24576, 0]));
    assert!(text.contains(&ours));
    let file = read_as("a.vtu", text.replacen(&ours, &theirs, 1).as_bytes()).unwrap();
    assert_eq!((file.mesh.positions, file.unused_vertices), (corners(), 1019));
}

fn frame_text() -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("000000.vtu");
    let topology =
        aspic::frame::Topology { points: 5, tets: vec![[0, 1, 2, 3], [1, 2, 3, 4]], ..Default::default() };
    let frame = aspic::frame::Frame { positions: corners(), ..Default::default() };
    crate::vtu::write_frame(&path, &topology, &frame, crate::vtu::Fields::default()).unwrap();
    std::fs::read_to_string(path).unwrap()
}

fn samples() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("a.mesh", MEDIT.into()),
        ("a.msh", GMSH.into()),
        ("b.msh", gmsh_binary(false)),
        ("c.msh", gmsh_binary(true)),
        ("a.vtu", VTU.into()),
        ("b.vtu", frame_text().into()),
    ]
}

/// A cut anywhere before the last line is an error, never a panic and never a smaller mesh.
#[test]
fn truncated_files_are_errors() {
    for (name, bytes) in samples() {
        let last_line = bytes.trim_ascii_end().iter().rposition(|&b| b == b'\n').unwrap();
        for part in 0..64 {
            let cut = &bytes[..last_line * part / 64];
            if name == "a.mesh" && cut.len() >= MEDIT.find("Triangles").unwrap() {
                continue; // all tetrahedra are there, and many programs leave out the End
            }
            assert!(read_as(name, cut).is_err(), "{name} cut to {} of {} bytes", cut.len(), bytes.len());
        }
    }
}

/// A second section of the same name, and an array too short for its size.
#[test]
fn files_that_contradict_themselves_are_errors() {
    let twice = format!("{GMSH}$Nodes\n0 0 1 1\n$EndNodes\n");
    assert_says(&message("a.msh", &twice), &["save it again"]);
    let short = VTU.replace("format=\"ascii\">0 0 0 1 0 0 0 1 0 0 0 1 1 1 1<", "format=\"binary\">AAA=<");
    assert_says(&message("a.vtu", &short), &["cut off or damaged", "save it again"]);
}

/// Every byte replaced by a few others: some of these files are still meshes, none may panic.
#[test]
fn altered_files_never_panic() {
    for (name, bytes) in samples() {
        let path = Path::new(name);
        let parse = |bytes: &[u8]| match name.split_once('.').unwrap().1 {
            "mesh" => medit::parse(path, bytes),
            "msh" => gmsh::parse(path, bytes),
            _ => vtu::parse(path, bytes),
        };
        for at in 0..bytes.len() {
            for value in [bytes[at] ^ 1, bytes[at] ^ 0x40, b'9', b' ', 0, 0xff] {
                let mut altered = bytes.clone();
                altered[at] = value;
                if let Ok(file) = parse(&altered)
                    .map(|raw| raw.finish())
                    .unwrap_or(Err(MeshError::NoTetrahedra { vertices: 0 }))
                {
                    file.mesh.check().unwrap();
                }
            }
        }
    }
}
