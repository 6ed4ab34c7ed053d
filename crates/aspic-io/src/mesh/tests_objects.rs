//! Files of meshes and velocities: the example of the documentation, and the same damaged.

use super::tests::assert_says;
use super::*;
use aspic::Vec3;

/// Two tetrahedra, the second inside out, and a vertex that no triangle uses.
const TWO: &str = "# two tetrahedra
object left one
velocity 1.5 0 -2e-1   # m/s
v 0 0 0
v 1 0 0
v 0 1 0
v 0 0 1
f 1 3 2
f 1 2 4
f 1 4 3
f 2 3 4

object right
v 9 9 9
v 3 0 0
v 4 0 0
v 3 1 0
v 3 0 1
f 2 3 4
f 2 5 3
f 2 4 5
f 3 5 4
";

fn read_as(content: &str) -> Result<Vec<Object>, ReadError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("two.meshes");
    std::fs::write(&path, content).unwrap();
    read_objects(&path)
}

#[test]
fn objects_come_with_names_velocities_and_closed_surfaces_that_face_outward() {
    let objects = read_as(TWO).unwrap();
    let names: Vec<&str> = objects.iter().map(|object| &object.name[..]).collect();
    assert_eq!(names, ["left one", "right"]);
    assert_eq!(objects[0].velocity, Vec3::new(1.5, 0.0, -0.2));
    assert_eq!(objects[1].velocity, Vec3::zeros());
    for object in &objects {
        assert_eq!((object.surface.positions.len(), object.surface.triangles.len()), (4, 4));
        assert!(object.surface.is_closed());
        assert!((object.surface.volume() - 1.0 / 6.0).abs() < 1e-15);
    }
}

#[test]
fn one_object_or_all_of_them_are_a_surface() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("two.meshes");
    std::fs::write(&file, TWO).unwrap();
    assert_eq!(read_surface(&file).unwrap().triangles.len(), 8);
    let right = read_surface(&folder.path().join("two.meshes#right")).unwrap();
    assert!(right.triangles.len() == 4 && right.positions.iter().all(|x| x.x >= 3.0));
    let error = read_surface(&folder.path().join("two.meshes#middle")).unwrap_err().to_string();
    assert_says(&error, &["two.meshes", "no object `middle`", "left one, right"]);
}

#[test]
fn mistakes_are_found_by_their_line() {
    let damaged = |from: &str, to: &str| {
        let text = read_as(&TWO.replacen(from, to, 1)).unwrap_err().to_string();
        assert!(text.contains("two.meshes"), "{text}");
        text
    };
    assert_says(&damaged("object left one\n", ""), &[", line 2: ", "belongs to no object", "object ball"]);
    assert_says(
        &damaged("object right", "object left one"),
        &[", line 13: ", "since line 2", "another name"],
    );
    assert_says(&damaged("object right", "object"), &[", line 13: ", "no proper name"]);
    assert_says(
        &damaged("velocity 1.5 0", "velocity 1.5"),
        &[", line 3: ", "three numbers", "velocity 0.5 0 0"],
    );
    assert_says(&damaged("v 1 0 0", "velocity 1 0 0"), &[", line 5: ", "a velocity already"]);
    assert_says(&damaged("v 1 0 0", "v 1 0 inf"), &[", line 5: ", "three numbers"]);
    assert_says(
        &damaged("v 1 0 0", "vertex 1 0 0"),
        &[", line 5: ", "`vertex` is no word", "object, velocity"],
    );
    assert_says(&damaged("f 1 2 4", "f 1 2 5"), &[", line 9: ", "no vertex 5", "has 4", "count from 1"]);
    assert_says(&damaged("f 1 2 4", "f 0 2 4"), &[", line 9: ", "no vertex 0"]);
    assert_says(&damaged("f 1 2 4", "f 1 2 4 3"), &[", line 9: ", "three vertex numbers"]);
    assert_says(&damaged("f 1 2 4", "f 1 2 2"), &[", line 9: ", "`left one`", "no area"]);
    assert_says(&damaged("f 1 2 4", "f 2 1 3"), &[", line 9: ", "same corners"]);
    let empty = TWO.split("f 2 3 4\n").next().unwrap().split("f 1 3 2").next().unwrap();
    assert_says(&read_as(empty).unwrap_err().to_string(), &[", line 2: ", "no triangles"]);
    assert_says(&read_as("# nothing\n").unwrap_err().to_string(), &["no object in the file"]);
}
