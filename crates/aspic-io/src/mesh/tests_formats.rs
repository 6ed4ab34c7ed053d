//! What is written is read again, bit for bit, and no damage to any file of any format ends in a panic.

use aspic::mesh::TriangleSurface;
use proptest::prelude::*;

use super::samples::{EXTENSIONS, block, others, written};
use super::tests::assert_says;
use super::*;

fn write_and_read(extension: &str) -> TetMesh {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a").with_extension(extension);
    write(&path, &block()).unwrap();
    read(&path).unwrap()
}

/// Coordinates that no short decimal names.
fn rough() -> TriangleSurface {
    let mut surface = TriangleSurface::of(&block());
    for (number, x) in surface.positions.iter_mut().enumerate() {
        *x = (*x * (1.0 + 1e-9 * number as f64)).map(|c| c / 7.0 + 1e-13 * c.sin());
    }
    surface
}

fn through(extension: &str, surface: &TriangleSurface) -> TriangleSurface {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a").with_extension(extension);
    write_surface(&path, surface).unwrap();
    read_surface(&path).unwrap()
}

#[test]
fn tetrahedra_come_back_bit_for_bit_from_every_format() {
    for extension in ["mesh", "msh", "node", "ele", "vtu", "vtk"] {
        let mesh = write_and_read(extension);
        assert_eq!((mesh.positions, mesh.tets), (block().positions, block().tets), "{extension}");
    }
}

#[test]
fn surfaces_come_back_bit_for_bit_where_the_format_has_doubles() {
    for extension in ["obj", "ply", "off", "usda"] {
        assert_eq!(through(extension, &rough()), rough(), "{extension}");
    }
}

/// STL and glTF merge vertices, so their order is that of the triangles.
#[test]
fn surfaces_come_back_rounded_where_the_format_has_floats() {
    for extension in ["stl", "glb"] {
        let (before, after) = (rough(), through(extension, &rough()));
        assert_eq!(after.positions.len(), before.positions.len(), "{extension}");
        let corners = |s: &TriangleSurface| -> Vec<[[f32; 3]; 3]> {
            let corner = |&v: &u32| s.positions[v as usize].map(|c| c as f32).into();
            s.triangles.iter().map(|t| t.each_ref().map(corner)).collect()
        };
        assert_eq!(corners(&after), corners(&before), "{extension}");
    }
}

#[test]
fn groups_survive_gmsh_by_name_and_medit_and_tetgen_by_number() {
    assert_eq!(write_and_read("msh").groups, block().groups);
    assert!(block().groups.len() > 2, "there is something to lose");
    let mut mesh = block();
    let all = (0..mesh.positions.len() as u32).collect::<Vec<u32>>();
    mesh.groups = [("ref 7", vec![0, 3]), ("ref -2", vec![1]), ("tetrahedron ref 5", all)]
        .map(|(name, vertices)| (name.to_string(), vertices))
        .into();
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.mesh", "a.node"] {
        write(&folder.path().join(name), &mesh).unwrap();
        assert_eq!(read(&folder.path().join(name)).unwrap(), mesh, "{name}");
    }
}

#[test]
fn units_and_axes_are_applied_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.obj");
    write_surface(&path, &rough()).unwrap();
    let import = Import { unit_in_meters: Some(0.5), up: Some(Up::Y) };
    let turned = read_surface_as(&path, &import).unwrap();
    for (x, before) in turned.positions.iter().zip(&rough().positions) {
        assert_eq!([x.x, x.y, x.z], [before.x, -before.z, before.y].map(|c| 0.5 * c));
    }
    let text =
        read_surface_as(&path, &Import { unit_in_meters: Some(-1.0), up: None }).unwrap_err().to_string();
    assert_says(&text, &["a.obj", "unit", "0.001 for millimeters"]);
    // glTF declares y up itself; to say so again changes nothing, to say z leaves its own axes.
    let path = folder.path().join("a.glb");
    write_surface(&path, &rough()).unwrap();
    let as_declared = read_surface(&path).unwrap();
    assert_eq!(
        read_surface_as(&path, &Import { unit_in_meters: None, up: Some(Up::Y) }).unwrap(),
        as_declared
    );
    let as_stored = read_surface_as(&path, &Import { unit_in_meters: None, up: Some(Up::Z) }).unwrap();
    assert_eq!(as_stored.positions[0].y, as_declared.positions[0].z);
}

#[test]
fn unknown_extensions_say_what_can_be_written() {
    let text = write(Path::new("a.obj"), &block()).unwrap_err().to_string();
    assert_says(&text, &["a.obj", ".msh", ".vtu"]);
    let text = write_surface(Path::new("a.msh"), &rough()).unwrap_err().to_string();
    assert_says(&text, &["a.msh", ".glb", ".usda"]);
}

/// All samples: their name tells the format.
fn samples() -> Vec<(String, Vec<u8>)> {
    let own = EXTENSIONS.map(|extension| (format!("a.{extension}"), written(extension)));
    own.into_iter().chain(others()).collect()
}

#[test]
fn samples_of_other_programs_are_read() {
    for (name, bytes) in others() {
        let surface = parse(Path::new(&name), &bytes);
        assert!(surface.is_ok(), "{name}: {}", surface.unwrap_err());
    }
}

/// A binary file cut anywhere is an error that names the file; text may lose what does not matter.
#[test]
fn truncated_files_are_errors_with_a_place() {
    for (name, bytes) in samples() {
        for part in 0..97 {
            let cut = &bytes[..(bytes.len() - 2) * part / 97];
            let read = parse(Path::new(&name), cut);
            let is_text_of_rows = [".obj", ".off", ".mesh", ".ply", ".vtk"].iter().any(|e| name.ends_with(e));
            if read.is_ok() {
                assert!(is_text_of_rows || name.ends_with(".usdz"), "{name} cut to {} bytes", cut.len());
                continue;
            }
            assert!(read.unwrap_err().to_string().contains(&name), "{name}");
        }
    }
}

/// What fuzzing found once, and what could happen again.
#[test]
fn inputs_that_once_broke_a_reader_are_errors() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/broken");
    let files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    for path in files {
        assert!(parse(&path, &std::fs::read(&path).unwrap()).is_err(), "{}", path.display());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4096, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_damage_to_any_file_ends_in_a_panic(
        which: prop::sample::Index,
        cut: prop::sample::Index,
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
    ) {
        thread_local!(static SAMPLES: Vec<(String, Vec<u8>)> = samples());
        SAMPLES.with(|samples| {
            let (name, bytes) = &samples[which.index(samples.len())];
            let mut bytes = bytes.clone();
            if flips.len() % 2 == 1 {
                bytes.truncate(cut.index(bytes.len()));
            }
            for (at, value) in &flips {
                let at = at.index(bytes.len().max(1));
                bytes.get_mut(at).into_iter().for_each(|byte| *byte = *value);
            }
            if let Ok(surface) = parse(Path::new(name), &bytes) {
                surface.check().unwrap();
            }
        });
    }
}

/// Writes all samples to the folder `SEEDS`, one folder for each extension.
#[test]
#[ignore = "writes files for fuzz/run"]
fn seeds_for_the_fuzzers() {
    let folder = PathBuf::from(std::env::var_os("SEEDS").unwrap());
    for (name, bytes) in samples() {
        let own = folder.join(extension(Path::new(&name)));
        std::fs::create_dir_all(&own).unwrap();
        std::fs::write(own.join(&name), &bytes).unwrap();
        assert!(!bytes.is_empty(), "{name}");
    }
}
