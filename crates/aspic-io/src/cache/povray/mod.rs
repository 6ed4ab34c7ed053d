//! Scenes for POV-Ray, in a folder: `povray NAME.ini` in there renders the whole animation.
//!
//! | file | holds |
//! |---|---|
//! | `NAME.000012.inc` | the meshes of a frame (`mesh2`), strands as cylinders with round joints |
//! | `NAME.faces.0.inc` | the triangles of the first actor, the same in every frame |
//! | `NAME.pov` | camera, light, floor, materials; includes the frame that is being rendered |
//! | `NAME.ini` | first and last frame, size of the pictures |
//!
//! POV-Ray's axes are left-handed. The camera looks into a mirror (`right -x`), so that positions stay as they are.

mod scene;

use std::path::{Path, PathBuf};

use aspic::Vec3;

use self::scene::Bounds;
use super::folder::Folder;
use super::text::{float, integer, single, triple};
use super::{Actor, Cache, Cast, Normals, Pose, check, names};
use crate::OutputError;

/// A floor: all points `x` with `normal · x = height`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Floor {
    /// The way up from it, of length 1.
    pub normal: Vec3,
    /// Its distance from the origin along the normal, in units of the positions.
    pub height: f64,
}

struct Povray {
    path: PathBuf,
    cast: Cast,
    folder: Folder,
    floor: Option<Floor>,
    bounds: Bounds,
    pushed: usize,
    normals: Normals,
    text: Vec<u8>,
}

/// Begins a folder with scenes.
pub fn begin(path: &Path, cast: &Cast, floor: Option<Floor>) -> Result<Box<dyn Cache>, OutputError> {
    check::cast(path, cast)?;
    let mut folder = Folder::begin(path)?;
    for (number, actor) in cast.actors.iter().enumerate().filter(|(_, actor)| has_surface(actor)) {
        folder.write(faces_file(&folder, number), &faces(actor))?;
    }
    Ok(Box::new(Povray {
        path: path.into(),
        cast: cast.clone(),
        folder,
        floor,
        bounds: Bounds::default(),
        pushed: 0,
        normals: Normals::default(),
        text: Vec::new(),
    }))
}

fn has_surface(actor: &Actor) -> bool {
    !actor.triangles.is_empty()
}

fn faces_file(folder: &Folder, number: usize) -> String {
    format!("{}.faces.{number}.inc", folder.stem())
}

fn faces(actor: &Actor) -> Vec<u8> {
    let mut text = format!("face_indices {{ {}", actor.triangles.len()).into_bytes();
    for triangle in &actor.triangles {
        text.extend_from_slice(b",\n<");
        for (place, &corner) in triangle.iter().enumerate() {
            if place > 0 {
                text.push(b',');
            }
            integer(&mut text, corner);
        }
        text.push(b'>');
    }
    text.extend_from_slice(b"\n}\n");
    text
}

fn vector(text: &mut Vec<u8>, v: &Vec3) {
    text.push(b'<');
    triple(text, single(v), b",");
    text.push(b'>');
}

fn vectors(text: &mut Vec<u8>, word: &str, vectors: &[Vec3]) {
    text.extend_from_slice(format!("{word} {{ {}", vectors.len()).as_bytes());
    for v in vectors {
        text.extend_from_slice(b",\n");
        vector(text, v);
    }
    text.extend_from_slice(b"\n}\n");
}

/// A cylinder for each edge and a ball at each end. A cylinder without length is an error to POV-Ray.
fn strands(text: &mut Vec<u8>, actor: &Actor, number: usize, positions: &[Vec3]) {
    let mut part = |word: &str, ends: &[&Vec3]| {
        text.extend_from_slice(word.as_bytes());
        text.extend_from_slice(b" { ");
        for end in ends {
            vector(text, end);
            text.extend_from_slice(b", ");
        }
        float(text, actor.radius as f32);
        text.extend_from_slice(b" }\n");
    };
    part("union {\nsphere", &[&positions[actor.edges[0][0] as usize]]);
    for edge in &actor.edges {
        let [a, b] = edge.map(|end| &positions[end as usize]);
        if single(a) != single(b) {
            part("cylinder", &[a, b]);
        }
        part("sphere", &[b]);
    }
    text.extend_from_slice(format!("material {{ Actor_{number} }}\n}}\n").as_bytes());
}

impl Povray {
    fn draw(&mut self, pose: &Pose<'_>) {
        self.text.clear();
        for (number, (actor, own)) in self.cast.parts(pose.positions).enumerate() {
            let name = names::one_line(&actor.name);
            self.text.extend_from_slice(format!("// {name}\n").as_bytes());
            if has_surface(actor) {
                self.text.extend_from_slice(b"mesh2 {\n");
                vectors(&mut self.text, "vertex_vectors", own);
                vectors(&mut self.text, "normal_vectors", self.normals.of(own, &actor.triangles));
                let include = format!("#include \"{}\"\n", faces_file(&self.folder, number));
                self.text.extend_from_slice(include.as_bytes());
                self.text.extend_from_slice(format!("material {{ Actor_{number} }}\n}}\n").as_bytes());
            }
            if !actor.edges.is_empty() {
                strands(&mut self.text, actor, number, own);
            }
        }
    }
}

impl Cache for Povray {
    fn push(&mut self, pose: &Pose<'_>) -> Result<(), OutputError> {
        check::pose(&self.path, &self.cast, self.pushed, pose)?;
        pose.positions.iter().for_each(|position| self.bounds.add(position));
        self.draw(pose);
        self.folder.write(self.folder.of_frame(self.pushed, "inc"), &self.text)?;
        self.pushed += 1;
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<Vec<PathBuf>, OutputError> {
        let stem = self.folder.stem().to_string();
        let scene = scene::scene(&self.cast, &self.bounds, self.floor, &stem);
        self.folder.write(format!("{stem}.pov"), scene.as_bytes())?;
        self.folder.write(format!("{stem}.ini"), scene::settings(&stem, self.pushed).as_bytes())?;
        self.folder.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::super::made_up;
    use super::*;

    #[test]
    fn the_settings_end_with_the_last_frame_that_was_pushed() {
        let folder = tempfile::tempdir().unwrap();
        let files = made_up::export(folder.path().join("jelly"), |path, cast| begin(path, cast, None), 3);
        let text = |name: &str| std::fs::read_to_string(folder.path().join("jelly").join(name)).unwrap();
        assert!(text("jelly.ini").contains("Final_Frame=2\n"));
        assert!(text("jelly.000002.inc").contains("#include \"jelly.faces.0.inc\""));
        assert!(text("jelly.faces.0.inc").starts_with("face_indices { 4,\n<0,2,1>,"));
        assert_eq!(files.len(), 3 + 3 + 2);
    }

    #[test]
    fn a_strand_without_length_has_no_cylinder() {
        let actor = Actor { points: 2, edges: vec![[0, 1]], radius: 0.5, ..Actor::default() };
        let mut text = Vec::new();
        strands(&mut text, &actor, 0, &[Vec3::x(), Vec3::x()]);
        let text = String::from_utf8(text).unwrap();
        assert_eq!(text.matches("sphere { <1.0,0.0,0.0>, 0.5 }").count(), 2);
        assert!(!text.contains("cylinder"), "{text}");
    }
}
