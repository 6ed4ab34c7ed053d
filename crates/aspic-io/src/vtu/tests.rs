use std::ops::Range;

use aspic::Vec3;
use aspic::frame::{BodyKind, BodyRange};
use vtkio::model::{Attribute, DataSet, IOBuffer, UnstructuredGridPiece};

use super::*;

/// Two tetrahedra that share a face, then one alone: two bodies, 9 nodes.
fn two_bodies() -> (Topology, Frame) {
    let tets = vec![[0, 1, 2, 3], [1, 2, 3, 4], [5, 6, 7, 8]];
    let triangles = vec![
        [0, 2, 1],
        [0, 1, 3],
        [0, 3, 2],
        [1, 2, 4],
        [1, 4, 3],
        [2, 3, 4],
        [5, 7, 6],
        [5, 6, 8],
        [5, 8, 7],
        [6, 7, 8],
    ];
    let body = |name: &str, nodes: std::ops::Range<usize>, tets, triangles| BodyRange {
        name: name.into(),
        points: nodes.clone(),
        nodes,
        tets,
        triangles,
        ..BodyRange::default()
    };
    let bodies = vec![body("a", 0..5, 0..2, 0..6), body("b", 5..9, 2..3, 6..10)];
    let vectors = |seed: f64| (0..9).map(|i| Vec3::new((seed * f64::from(i)).sin(), -0.0, 1e-310)).collect();
    let mut frame = Frame {
        positions: vectors(1.1),
        velocities: vectors(2.3),
        reaction: vectors(0.7),
        contact: vectors(1.9),
        energy_density: vec![0.1, 0.2, 0.3],
        stress: vec![
            [1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            [0.0, 0.0, 0.0, 2.0, 0.0, 0.0],
            [5.0, 5.0, 5.0, 0.0, 0.0, 0.0],
        ],
        ..Frame::default()
    };
    frame.ledger.t = 0.1;
    (Topology { bodies, nodes: 9, points: 9, tets, triangles, edges: vec![], constraints: vec![] }, frame)
}

fn written(topology: &Topology, frame: &Frame, what: Fields) -> (String, UnstructuredGridPiece) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("000000.vtu");
    write_frame(&path, topology, frame, what).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    let DataSet::UnstructuredGrid { pieces, .. } = vtkio::Vtk::import(&path).unwrap().data else { panic!() };
    (text, pieces[0].load_piece_data(None).unwrap())
}

fn array(attributes: &[Attribute], wanted: &str) -> IOBuffer {
    let found = attributes.iter().find(|a| a.name() == wanted).unwrap();
    let Attribute::DataArray(array) = found else { panic!() };
    array.data.clone()
}

fn flat(vectors: &[Vec3]) -> IOBuffer {
    IOBuffer::F64(vectors.iter().flat_map(|v| [v.x, v.y, v.z]).collect())
}

/// `vtkio` is the independent reader; PartialEq of its buffers takes −0 = 0, so bits are compared too.
#[test]
fn every_array_comes_back_to_the_bit() {
    let (topology, frame) = two_bodies();
    let (text, piece) = written(&topology, &frame, Fields::default());
    assert_eq!(piece.points, flat(&frame.positions));
    assert_eq!(array(&piece.data.point, "velocity"), flat(&frame.velocities));
    assert_eq!(array(&piece.data.point, "reaction"), flat(&frame.reaction));
    assert_eq!(array(&piece.data.point, "contact"), flat(&frame.contact));
    assert_eq!(array(&piece.data.point, "body"), IOBuffer::I32(vec![0, 0, 0, 0, 0, 1, 1, 1, 1]));
    assert_eq!(array(&piece.data.cell, "energy_density"), IOBuffer::F64(vec![0.1, 0.2, 0.3]));
    assert_eq!(array(&piece.data.cell, "stress"), IOBuffer::F64(frame.stress.concat()));
    assert_eq!(array(&piece.data.cell, "body"), IOBuffer::I32(vec![0, 0, 1]));
    let (connectivity, offsets) = piece.cells.cell_verts.into_xml();
    assert_eq!(connectivity, [0, 1, 2, 3, 1, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!(offsets, [4, 8, 12]);
    let IOBuffer::F64(points) = piece.points else { panic!() };
    assert!(points[1].is_sign_negative() && points[2] == 1e-310);
    assert!(text.contains("Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">0.1<"));
}

#[test]
fn surface_file_holds_triangles_with_the_values_of_their_tetrahedra() {
    let (mut topology, frame) = two_bodies();
    topology.triangles.drain(0..6); // leaves only the second body's skin: points 5, 7, 6, 8
    topology.bodies[0].triangles = 0..0;
    topology.bodies[1].triangles = 0..4;
    let (_, piece) = written(&topology, &frame, Fields { surface_only: true, ..Fields::default() });
    assert_eq!(array(&piece.data.point, "node"), IOBuffer::I32(vec![5, 7, 6, 8]));
    assert_eq!(array(&piece.data.cell, "energy_density"), IOBuffer::F64(vec![0.3; 4]));
    assert_eq!(array(&piece.data.cell, "body"), IOBuffer::I32(vec![1; 4]));
    assert_eq!(piece.cells.cell_verts.into_xml().0, [0, 1, 2, 0, 2, 3, 0, 3, 1, 2, 1, 3]);
    let ends: Vec<Vec3> = [5, 7, 6, 8].iter().map(|&n| frame.positions[n]).collect();
    assert_eq!(piece.points, flat(&ends));
}

/// The second body of [`two_bodies`] as a bare surface that follows one node, behind the tetrahedra of the first.
#[test]
fn bodies_without_tetrahedra_are_triangles_behind_the_tetrahedra() {
    let (mut topology, mut frame) = two_bodies();
    topology.tets.pop();
    (topology.bodies[1].kind, topology.bodies[1].tets, topology.bodies[1].nodes) =
        (BodyKind::Obstacle, 2..2, 5..6);
    topology.nodes = 6;
    frame.energy_density.pop();
    frame.stress.pop();
    let (_, piece) = written(&topology, &frame, Fields::default());
    assert_eq!(array(&piece.data.point, "body"), IOBuffer::I32(vec![0, 0, 0, 0, 0, 1, 1, 1, 1]));
    assert_eq!(array(&piece.data.cell, "body"), IOBuffer::I32(vec![0, 0, 1, 1, 1, 1]));
    assert_eq!(array(&piece.data.cell, "energy_density"), IOBuffer::F64(vec![0.1, 0.2, 0.0, 0.0, 0.0, 0.0]));
    let (connectivity, offsets) = piece.cells.cell_verts.into_xml();
    assert_eq!(connectivity, [0, 1, 2, 3, 1, 2, 3, 4, 5, 7, 6, 5, 6, 8, 5, 8, 7, 6, 7, 8]);
    assert_eq!(offsets, [4, 8, 11, 14, 17, 20]);
    use vtkio::model::CellType::{Tetra, Triangle};
    assert_eq!(piece.cells.types, [Tetra, Tetra, Triangle, Triangle, Triangle, Triangle]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("000000.vtu");
    write_frame(&path, &topology, &frame, Fields::default()).unwrap();
    assert_eq!(read_positions(&path, 9).unwrap(), frame.positions);
}

/// A rope, a cloth, a solid, a lone point, and a solid with a tassel: 17 points.
pub(crate) fn ropes_and_cloth() -> (Topology, Frame) {
    let body = |name: &str, points: Range<usize>, tets, triangles, edges| BodyRange {
        name: name.into(),
        kind: if name == "solid" { BodyKind::Solid } else { BodyKind::Points },
        nodes: points.clone(),
        points,
        tets,
        triangles,
        edges,
        radius: if name == "rope" { 0.25 } else { 0.0 },
        skin: None,
    };
    let bodies = vec![
        body("rope", 0..3, 0..0, 0..0, 0..2),
        body("cloth", 3..7, 0..0, 0..2, 2..2),
        body("solid", 7..11, 0..1, 2..6, 2..2),
        body("speck", 11..12, 1..1, 6..6, 2..2),
        body("tassel", 12..17, 1..2, 6..10, 2..3),
    ];
    let tets = vec![[7, 8, 9, 10], [12, 13, 14, 15]];
    let mut triangles = vec![[3, 4, 5], [3, 5, 6]];
    for tet in &tets {
        triangles.extend(aspic::mesh::TetMesh { tets: vec![*tet], ..Default::default() }.boundary());
    }
    let vectors = |seed: f64| (0..17).map(|i| Vec3::new((seed * f64::from(i)).sin(), seed, 0.5)).collect();
    let mut frame = Frame {
        positions: vectors(1.1),
        velocities: vectors(2.3),
        reaction: vectors(0.7),
        contact: vectors(1.9),
        energy_density: vec![0.25, 0.5],
        stress: vec![[1.0, 0.0, 0.0, 0.0, 0.0, 0.0]; 2],
        ..Frame::default()
    };
    frame.ledger.t = 0.1;
    let edges = vec![[0, 1], [1, 2], [15, 16]];
    (Topology { bodies, nodes: 17, points: 17, tets, triangles, edges, constraints: vec![] }, frame)
}

#[test]
fn edges_are_lines_behind_the_bare_triangles_and_every_point_has_its_data() {
    use vtkio::model::CellType::{Line, Tetra, Triangle};
    let (topology, frame) = ropes_and_cloth();
    let (_, piece) = written(&topology, &frame, Fields::default());
    assert_eq!(piece.cells.types, [Tetra, Tetra, Triangle, Triangle, Line, Line, Line]);
    assert_eq!(array(&piece.data.cell, "body"), IOBuffer::I32(vec![2, 4, 1, 1, 0, 0, 4]));
    let energy = vec![0.25, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0];
    assert_eq!(array(&piece.data.cell, "energy_density"), IOBuffer::F64(energy));
    let bodies = vec![0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 4, 4, 4, 4, 4];
    assert_eq!(array(&piece.data.point, "body"), IOBuffer::I32(bodies));
    assert_eq!(array(&piece.data.point, "velocity"), flat(&frame.velocities));
    let (connectivity, offsets) = piece.cells.cell_verts.into_xml();
    assert_eq!(connectivity[8..], [3, 4, 5, 3, 5, 6, 0, 1, 1, 2, 15, 16]);
    assert_eq!(offsets, [4, 8, 11, 14, 16, 18, 20]);
}

#[test]
fn surface_files_keep_ropes_and_drop_points_that_nothing_shows() {
    let (topology, frame) = ropes_and_cloth();
    let (_, piece) = written(&topology, &frame, Fields { surface_only: true, ..Fields::default() });
    let IOBuffer::I32(nodes) = array(&piece.data.point, "node") else { panic!() };
    let mut sorted = nodes.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, (0..17).filter(|&p| p != 11).collect::<Vec<i32>>());
    // Bodies stay together, in their order.
    assert_eq!(
        array(&piece.data.point, "body"),
        IOBuffer::I32([vec![0; 3], vec![1; 4], vec![2; 4], vec![4; 5]].concat())
    );
    let (connectivity, _) = piece.cells.cell_verts.into_xml();
    let ends: Vec<i32> = connectivity[30..].iter().map(|&place| nodes[place as usize]).collect();
    assert_eq!(ends, [0, 1, 1, 2, 15, 16]);
}

#[test]
fn a_run_of_nothing_but_ropes_has_lines_and_no_stress() {
    let edges = vec![[0, 1], [1, 2]];
    let body = BodyRange { points: 0..3, edges: 0..2, ..BodyRange::default() };
    let topology = Topology { bodies: vec![body], points: 3, edges, ..Topology::default() };
    let frame = Frame { positions: vec![Vec3::x(); 3], ..Frame::default() };
    let (text, piece) = written(&topology, &frame, Fields::default());
    assert_eq!(piece.cells.types, [vtkio::model::CellType::Line; 2]);
    assert!(!text.contains("stress") && !text.contains("energy_density"));
}

/// A triangle of the first body against a point of the second, and the tetrahedron of the second.
#[test]
fn the_place_of_a_failure_comes_back_with_its_marks() {
    let (topology, frame) = two_bodies();
    let marks = Marks { time: 0.25, bodies: vec![1, 7], points: vec![8, 0, 1, 3], tet: Some(2) };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("failure.vtu");
    write_marks(&path, &topology, &frame.positions, &marks).unwrap();
    let DataSet::UnstructuredGrid { pieces, .. } = vtkio::Vtk::import(&path).unwrap().data else { panic!() };
    let piece = pieces[0].load_piece_data(None).unwrap();
    assert_eq!(array(&piece.data.point, "node"), IOBuffer::I32(vec![0, 1, 3, 5, 6, 7, 8]));
    assert_eq!(array(&piece.data.point, "body"), IOBuffer::I32(vec![0, 0, 0, 1, 1, 1, 1]));
    assert_eq!(array(&piece.data.point, "marked"), IOBuffer::I32(vec![1, 1, 1, 0, 0, 0, 1]));
    let shown: Vec<Vec3> = [0, 1, 3, 5, 6, 7, 8].iter().map(|&p: &usize| frame.positions[p]).collect();
    assert_eq!(piece.points, flat(&shown));
    // Four triangles of the second body; the one without point 8 is not marked. Then the tetrahedron.
    assert_eq!(array(&piece.data.cell, "marked"), IOBuffer::I32(vec![0, 1, 1, 1, 1]));
    assert_eq!(piece.cells.cell_verts.into_xml().0, [3, 5, 4, 3, 4, 6, 3, 6, 5, 4, 5, 6, 3, 4, 5, 6]);
}

/// Uniaxial tension gives σ, pure shear τ√3, pressure nothing.
#[test]
fn von_mises_stress_of_textbook_states() {
    assert_eq!(von_mises(&[7.0, 0.0, 0.0, 0.0, 0.0, 0.0]), 7.0);
    assert!((von_mises(&[0.0, 0.0, 0.0, 0.0, 2.0, 0.0]) - 12f64.sqrt()).abs() < 1e-15);
    assert_eq!(von_mises(&[3.0, 3.0, 3.0, 0.0, 0.0, 0.0]), 0.0);
}

/// Lengths around whole blocks: the readers must agree on what the last block is.
#[test]
fn arrays_of_whole_blocks_are_readable() {
    for points in [(1 << 20) / 24, 1 << 17, (1 << 17) + 1] {
        let topology = Topology { points, tets: vec![[0, 1, 2, 3]], ..Topology::default() };
        let positions: Vec<Vec3> = (0..points).map(|i| Vec3::repeat(i as f64)).collect();
        let frame = Frame { positions, ..Frame::default() };
        let (_, piece) = written(&topology, &frame, Fields::default());
        assert_eq!(piece.points, flat(&frame.positions), "{points}");
    }
}

#[test]
fn unwanted_and_missing_arrays_are_left_out() {
    let (topology, mut frame) = two_bodies();
    frame.reaction.clear();
    let what = Fields { velocity: false, contact: false, stress: false, ..Fields::default() };
    let (text, _) = written(&topology, &frame, what);
    for name in ["velocity", "reaction", "contact", "stress", "von_mises"] {
        assert!(!text.contains(&format!("\"{name}\"")), "{name}");
    }
    frame.energy_density.pop();
    let error = write_frame(Path::new("x.vtu"), &topology, &frame, what).unwrap_err().to_string();
    assert!(error.contains("energy_density has 2 entries where 3"), "{error}");
}

#[test]
fn same_frame_gives_the_same_bytes() {
    let (topology, frame) = two_bodies();
    let surface = Fields { surface_only: true, ..Fields::default() };
    for what in [Fields::default(), surface] {
        assert_eq!(written(&topology, &frame, what).0, written(&topology, &frame, what).0);
    }
}

#[test]
fn series_lists_the_frames_in_order_with_exact_times() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("frames.pvd");
    write_pvd(&path, &[(0.0, "frames/0.vtu".into()), (1.0 / 3.0, "frames/a&b.vtu".into())]).unwrap();
    let text = std::fs::read_to_string(path).unwrap();
    let lines: Vec<_> = text.lines().filter(|l| l.contains("DataSet")).map(str::trim).collect();
    assert_eq!(lines[0], "<DataSet timestep=\"0.0\" part=\"0\" file=\"frames/0.vtu\"/>");
    assert_eq!(lines[1], "<DataSet timestep=\"0.3333333333333333\" part=\"0\" file=\"frames/a&amp;b.vtu\"/>");
}

/// Lengths around whole blocks again, and the subnormals and −0 of `two_bodies`.
#[test]
fn positions_are_read_back_to_the_bit() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("000000.vtu");
    let bits = |x: &[Vec3]| x.iter().flat_map(|x| [x.x, x.y, x.z]).map(f64::to_bits).collect::<Vec<_>>();
    let (topology, frame) = two_bodies();
    write_frame(&path, &topology, &frame, Fields::default()).unwrap();
    assert_eq!(bits(&read_positions(&path, 9).unwrap()), bits(&frame.positions));
    assert_eq!(read_positions(&path, 8), None, "a file of other points");
    for points in [0, (1 << 20) / 24, 1 << 17, (1 << 17) + 1] {
        let topology = Topology { points, ..Topology::default() };
        let positions: Vec<Vec3> = (0..points).map(|i| Vec3::repeat((i as f64).sin())).collect();
        let frame = Frame { positions, ..Frame::default() };
        write_frame(&path, &topology, &frame, Fields::default()).unwrap();
        assert_eq!(bits(&read_positions(&path, points).unwrap()), bits(&frame.positions), "{points}");
    }
}

#[test]
fn surface_positions_come_back_at_their_nodes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("000000.vtu");
    let (mut topology, frame) = two_bodies();
    topology.triangles.drain(0..6);
    topology.bodies[0].triangles = 0..0;
    topology.bodies[1].triangles = 0..4;
    write_frame(&path, &topology, &frame, Fields { surface_only: true, ..Fields::default() }).unwrap();
    let read = read_positions(&path, 9).unwrap();
    assert_eq!(read[..5], [Vec3::zeros(); 5]);
    assert_eq!(read[5..], frame.positions[5..]);
}

#[test]
fn a_frame_file_that_is_cut_off_gives_no_positions() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("000000.vtu");
    let (topology, frame) = two_bodies();
    write_frame(&path, &topology, &frame, Fields::default()).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    let end = text.find("</Points>").unwrap() - "</DataArray>\n".len();
    for length in (0..end).step_by(7) {
        std::fs::write(&path, &text[..length]).unwrap();
        assert_eq!(read_positions(&path, 9), None, "{length}");
        // The same with the closing tags in place.
        std::fs::write(&path, format!("{}</DataArray>", &text[..length])).unwrap();
        assert_eq!(read_positions(&path, 9), None, "{length}");
    }
}
