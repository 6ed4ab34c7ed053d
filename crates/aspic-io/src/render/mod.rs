//! Pictures of a run without a display: a small rasteriser of our own.
//!
//! Per frame, all in coordinates of the stage, a ball of radius 1 around everything in the film:
//!
//! 1. the surfaces take their places, with a normal for each corner (`skin`); ropes become tubes (`tube`),
//! 2. the lamp and the sky look at them: depth maps (`depth_map`, `light`, `dome`),
//! 3. each pixel asks eight samples which triangle is nearest (`raster`),
//! 4. each triangle in a pixel is lit once, in the middle of its samples, and weighed by their number (`tiles`).
//!
//! Tiles do not depend on each other, and every sum has a fixed order: any number of threads gives the same bytes.

mod backdrop;
mod camera;
mod color;
mod depth_map;
mod dome;
mod image;
mod legend;
mod letters;
mod light;
mod penumbra;
mod raster;
mod ring;
mod skin;
mod stage;
mod survey;
mod tiles;
mod tube;

use aspic::Vec3;
use aspic::frame::{BodyKind, BodyRange, Topology};
use aspic::mesh::Plane;

pub use self::color::Theme;
use self::depth_map::Casters;
use self::dome::{Dome, Shade};
pub use self::image::{Effort, Image};
use self::light::Lamp;
use self::skin::{Pose, Skin};
use self::stage::Stage;
use self::survey::Extent;
pub use self::survey::Survey;
use self::tube::Tubes;
use crate::palette;
use crate::run_film::FilmFrame;

/// Small numbers are enough for pixels.
type V = nalgebra::Vector3<f32>;

/// Edges longer than this are cut, in coordinates of the stage.
const LONGEST: f32 = 0.09;

/// What colours stand for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColorBy {
    /// Each body has its own.
    #[default]
    Body,
    /// Speed  \[m/s\]
    Speed,
    /// Von Mises stress  \[Pa\]
    Stress,
    /// Elastic energy per volume  \[J/m³\]
    Energy,
    /// Distance from the place in the first frame  \[m\]
    Displacement,
    /// Force of contact and friction on a point  \[N\]
    Contact,
}

/// How pictures look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// Width  \[px\]
    pub width: u32,
    /// Height  \[px\]
    pub height: u32,
    /// What colours stand for.
    pub color_by: ColorBy,
    /// The surroundings.
    pub theme: Theme,
    /// From where: 0 from the front (−y), 90° from the right (+x)  \[rad\]
    pub azimuth: f64,
    /// From how high: 0 level, 90° from above  \[rad\]
    pub elevation: f64,
}

impl Default for Look {
    fn default() -> Look {
        Look {
            width: 1280,
            height: 720,
            color_by: ColorBy::Body,
            theme: Theme::Light,
            azimuth: (-30f64).to_radians(),
            elevation: 22f64.to_radians(),
        }
    }
}

impl Look {
    /// Unit vector from the scene to the eye.
    fn eye(&self) -> Vec3 {
        let (sin, cos) = self.azimuth.sin_cos();
        let level = self.elevation.cos();
        Vec3::new(sin * level, -cos * level, self.elevation.sin())
    }
}

/// Draws the frames of one film, all from the same place and in the same light.
pub struct Renderer {
    look: Look,
    stage: Stage,
    skin: Skin,
    tubes: Tubes,
    /// Colour of each body in linear light; `None` where a field gives it.
    colors: Vec<Option<V>>,
    /// How glossy each body is, 0 to 1.
    gloss: Vec<f32>,
    /// Points that cast shadows.
    casting: Vec<u32>,
    start: Vec<Vec3>,
    largest: f64,
    encoder: color::Encoder,
}

/// Everything about one frame that pixels need.
struct Set<'a> {
    renderer: &'a Renderer,
    air: color::Air,
    corners: Vec<Corner>,
    lamp: Lamp,
    shades: Vec<Shade>,
    middle: V,
}

/// A corner of a surface: all that its pixels need, side by side.
#[derive(Clone, Copy, Debug, Default)]
struct Corner {
    position: V,
    /// Unit vector.
    normal: V,
    sight: dome::Sight,
    /// The same of its other side, where that can be seen.
    behind: dome::Sight,
    /// What its colour stands for, 0 to 1.
    value: f32,
}

impl Renderer {
    /// For the film that the survey has seen, with half-spaces at `planes`.
    pub fn new(look: &Look, topology: &Topology, planes: &[Plane], survey: &Survey) -> Renderer {
        let stage = Stage::new(survey, planes, [look.width, look.height]);
        let start: Vec<V> = survey.start.iter().map(|x| stage.place(x)).collect();
        let color = |(number, body): (usize, &BodyRange)| match (body.kind, look.color_by) {
            (BodyKind::Obstacle, _) => Some(color::linear(palette::OBSTACLE)),
            (_, ColorBy::Body) => Some(color::linear(palette::of_body(number))),
            _ => None,
        };
        // Obstacles are dull: they stand back.
        let gloss = |body: &BodyRange| if body.kind == BodyKind::Obstacle { 0.0 } else { 1.0 };
        let tubes = Tubes::new(topology, &start, &stage, LONGEST);
        let casts = |body: &&BodyRange| body.kind != BodyKind::Obstacle && survey::is_drawn(body);
        let casting = topology.bodies.iter().filter(casts);
        let mut skin = Skin::new(topology, &start, LONGEST);
        skin.add_tubes(&tubes);
        Renderer {
            look: *look,
            skin,
            tubes,
            stage,
            colors: topology.bodies.iter().enumerate().map(color).collect(),
            gloss: topology.bodies.iter().map(gloss).collect(),
            casting: casting.flat_map(|body| survey::drawn_points(topology, body)).collect(),
            start: survey.start.clone(),
            largest: survey.largest,
            encoder: color::Encoder::new(),
        }
    }

    /// Draws a frame.
    pub fn draw(&self, frame: &FilmFrame) -> Image {
        let set = self.set(frame);
        let mut image = Image { width: self.look.width, height: self.look.height, rgb: tiles::draw(&set) };
        legend::draw(&mut image, self.look.color_by, self.largest, self.look.theme);
        image
    }

    /// Puts the surfaces in place and lights them.
    fn set(&self, frame: &FilmFrame) -> Set<'_> {
        let positions: Vec<V> = frame.positions.iter().map(|x| self.stage.place(x)).collect();
        let values = self.values(frame);
        let mut pose = self.skin.pose(&positions, &values);
        self.tubes.pose(&positions, &values, &self.stage.camera, &mut pose);
        let casters = Casters {
            positions: &pose.positions,
            triangles: &self.skin.coarse,
            open: &self.skin.coarse_open,
        };
        let (middle, radius) = (self.middle(frame), self.stage.cast);
        let lamp = Lamp::new(self.stage.lamp, &casters, middle, radius);
        let dome = Dome::new(&casters, middle, radius);
        let corners = corners(&pose, &self.skin.two_sided, &dome);
        let shades = self.stage.grounds.iter().map(|ground| dome.on_ground(ground, middle, radius));
        let shades = shades.collect();
        Set { renderer: self, air: self.look.theme.air(), corners, lamp, shades, middle }
    }

    /// The middle of what casts shadows.
    fn middle(&self, frame: &FilmFrame) -> V {
        let mut extent = Extent::NONE;
        let points = self.casting.iter().filter_map(|&point| frame.positions.get(point as usize));
        points.for_each(|p| extent.add(p));
        self.stage.middle(&extent)
    }

    /// What colours stand for, as shares of the largest value.
    fn values(&self, frame: &FilmFrame) -> Vec<f32> {
        let values = survey::point_values(&self.look, frame, &self.start);
        let largest = if self.largest > 0.0 { self.largest } else { 1.0 };
        values.iter().map(|v| (v / largest) as f32).collect()
    }
}

/// What each corner sees, beside what it is.
fn corners(pose: &Pose, two_sided: &[bool], dome: &Dome) -> Vec<Corner> {
    let sights = dome.sights(&pose.positions, &pose.normals, two_sided);
    let behind = dome.sights_behind(&pose.positions, &pose.normals, two_sided);
    let corner = |k: usize| Corner {
        position: pose.positions[k],
        normal: pose.normals[k],
        sight: sights[k],
        behind: behind.get(k).copied().unwrap_or_default(),
        value: pose.values.get(k).copied().unwrap_or(0.0),
    };
    (0..sights.len()).map(corner).collect()
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod thin_tests;
