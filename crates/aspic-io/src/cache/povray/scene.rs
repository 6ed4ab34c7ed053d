//! The scene around the meshes: a camera that sees the whole animation, light, floor and materials.

use aspic::Vec3;

use super::super::{Cast, Up, names};
use super::Floor;

/// The box around everything in all frames.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    low: Vec3,
    high: Vec3,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds { low: Vec3::repeat(f64::INFINITY), high: Vec3::repeat(f64::NEG_INFINITY) }
    }
}

impl Bounds {
    pub fn add(&mut self, position: &Vec3) {
        self.low = self.low.inf(position);
        self.high = self.high.sup(position);
    }

    /// Centre, and half the way from corner to corner.
    fn halves(&self) -> (Vec3, Vec3) {
        let half = (self.high - self.low) / 2.0;
        if half.norm().is_finite() && half.norm() > 0.0 {
            (self.low + half, half)
        } else {
            (Vec3::zeros(), Vec3::repeat(1.0))
        }
    }
}

/// Width of the view  \[degrees\]
const ANGLE: f64 = 40.0;
/// Width of the pictures to their height.
const ASPECT: f64 = 4.0 / 3.0;
/// How much of the picture's width or height the box may take.
const FILLED: f64 = 0.9;

/// The main file.
pub(super) fn scene(cast: &Cast, bounds: &Bounds, floor: Option<Floor>, stem: &str) -> String {
    let mut text = format!("// {}\n", names::one_line(&cast.title));
    text += "// Written by aspic. Render all frames with: povray ";
    text += &format!("{stem}.ini\n\n#version 3.7;\nglobal_settings {{ assumed_gamma 1.0 }}\n");
    text += "background { srgb <0.93, 0.94, 0.96> }\n\n";
    text += &view(cast.up, bounds);
    if let Some(floor) = floor {
        let Floor { normal, height } = floor;
        text += &format!("plane {{ {}, {height:?}\n", vector(&normal));
        text += "  pigment { srgb <0.80, 0.82, 0.85> } finish { ambient 0.15 diffuse 0.7 }\n}\n\n";
    }
    for (number, actor) in cast.actors.iter().enumerate() {
        let [r, g, b] = actor.color.map(|channel| f64::from(channel) / 255.0);
        text += &format!(
            "// {}\n#declare Actor_{number} = material {{ texture {{\n",
            names::one_line(&actor.name)
        );
        text += &format!("  pigment {{ srgb <{r:.4}, {g:.4}, {b:.4}> }}\n");
        text += "  finish { ambient 0.15 diffuse 0.75 specular 0.25 roughness 0.03 }\n} }\n\n";
    }
    text + &format!("#include concat(\"{stem}.\", str(frame_number, -6, 0), \".inc\")\n")
}

/// Camera and lights.
fn view(up: Up, bounds: &Bounds) -> String {
    let (center, half) = bounds.halves();
    let (sky, above, toward, sun) = match up {
        Up::Z => ("z", Vec3::z(), Vec3::new(0.45, -1.0, 0.45), Vec3::new(-0.5, -1.0, 2.0)),
        Up::Y => ("y", Vec3::y(), Vec3::new(0.45, 0.45, 1.0), Vec3::new(-0.5, 2.0, 1.0)),
    };
    let place = center + distance(&half, &toward.normalize(), &above) * toward.normalize();
    let mut text = "camera {\n".to_string();
    text += &format!("  location {}\n  sky {sky}\n", vector(&place));
    text += "  // Mirrored, because the positions are right-handed.\n";
    text += "  right -x*image_width/image_height\n";
    text += &format!("  angle {ANGLE}\n  look_at {}\n}}\n\n", vector(&center));
    let light = |place: Vec3, light: &str| format!("light_source {{ {}, {light} }}\n", vector(&place));
    text += &light(center + sun.normalize() * (20.0 * half.norm()), "rgb 0.9");
    text += &light(place, "rgb 0.35 shadowless");
    text + "\n"
}

/// How far away the camera must stand so that all corners of the box are in the picture. A corner `c` from the centre lies
/// `c·w` nearer and is seen at `c·u / (d − c·w)` beside the middle, with `u` to the right, `v` up and `w` to the camera.
fn distance(half: &Vec3, w: &Vec3, above: &Vec3) -> f64 {
    let u = above.cross(w).normalize();
    let v = w.cross(&u);
    let across = FILLED * (ANGLE / 2.0).to_radians().tan();
    let corners = (0..8).map(|k: u8| {
        half.component_mul(&Vec3::from_fn(|axis, _| if k >> axis & 1 == 0 { -1.0 } else { 1.0 }))
    });
    let needed = |c: Vec3| c.dot(w) + (c.dot(&u).abs() / across).max(c.dot(&v).abs() * ASPECT / across);
    corners.map(needed).fold(0.0, f64::max)
}

fn vector(v: &Vec3) -> String {
    format!("<{:?}, {:?}, {:?}>", v.x, v.y, v.z)
}

/// The file that renders all frames. The clock plays no part: a frame is known by its number.
pub(super) fn settings(stem: &str, frames: usize) -> String {
    let last = frames.saturating_sub(1);
    let mut text = "; Written by aspic.\n".to_string();
    text += &format!("Input_File_Name=\"{stem}.pov\"\nOutput_File_Type=N\n");
    text += "Width=960\nHeight=720\nAntialias=On\nAntialias_Threshold=0.2\n";
    text + &format!("Initial_Frame=0\nFinal_Frame={last}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_box_just_fits_into_the_picture() {
        let half = Vec3::new(1.0, 2.0, 0.5);
        let w = Vec3::new(1.0, 0.0, 0.0);
        // Seen along x, the near face is 4 wide and 1 high: its width decides.
        let expected = 1.0 + 2.0 / (0.9 * 20f64.to_radians().tan());
        assert!((distance(&half, &w, &Vec3::z()) - expected).abs() < 1e-12);
        // Upright, the height decides, of which the picture has three quarters of its width.
        let expected = 1.0 + 2.0 / (0.9 * 0.75 * 20f64.to_radians().tan());
        assert!((distance(&half, &w, &Vec3::y()) - expected).abs() < 1e-12);
    }

    #[test]
    fn without_a_frame_the_camera_looks_at_the_origin() {
        assert!(view(Up::Y, &Bounds::default()).contains("look_at <0.0, 0.0, 0.0>"));
    }
}
