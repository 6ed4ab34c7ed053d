//! The stage of a film: a ball of radius 1 around everything, the camera, the lamp and the ground. It is the same for
//! all frames, so nothing jumps.

use aspic::Vec3;
use aspic::mesh::Plane;

use super::V;
use super::camera::Camera;
use super::survey::{Extent, Survey};

/// How far around the bodies obstacles count, in radii of the bodies.
const AROUND: f64 = 0.7;
/// Obstacles up to this size count as a whole, in the same measure; of larger ones only what is near: a wide plate
/// must not make the bodies small.
const LARGE: f64 = 4.0;
/// A ground that is made up lies this far below everything, in coordinates of the stage, so that nothing lies in it.
const BELOW: f64 = 0.004;

/// Where everything is.
#[derive(Clone, Debug)]
pub(super) struct Stage {
    /// What coordinates of the stage are counted from \[m\], and a unit of them \[m\].
    center: Vec3,
    radius: f64,
    pub camera: Camera,
    /// Unit vector to the lamp.
    pub lamp: V,
    pub grounds: Vec<Ground>,
    /// Obstacles near the bodies.
    obstacles: Extent,
    /// Radius of what casts shadows, the largest of all frames.
    pub cast: f32,
}

/// A plane that catches shadows: points p with normal·p = height, in coordinates of the stage.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ground {
    pub normal: V,
    pub height: f32,
}

impl Stage {
    /// For the frames of a survey, with half-spaces at `planes`; without any, the ground is the lowest point.
    pub(super) fn new(survey: &Survey, planes: &[Plane], size: [u32; 2]) -> Stage {
        let bodies = survey.bodies.iter().fold(Extent::NONE, |all, extent| all.join(extent));
        let radius = bodies.radius().max(1e-12);
        let near = bodies.grown(AROUND * radius);
        let parts = survey.obstacles.iter().map(|extent| {
            let part = extent.within(&near);
            let whole = bodies.is_none() || (!part.is_none() && extent.radius() < LARGE * radius);
            if whole { *extent } else { part }
        });
        let obstacles = parts.fold(Extent::NONE, |all, part| all.join(&part));
        let all = bodies.join(&obstacles);
        let all = if all.is_none() { Extent { lo: Vec3::zeros(), hi: Vec3::repeat(1.0) } } else { all };
        let mut fit = survey.fit;
        if !obstacles.is_none() {
            obstacles.corners().iter().for_each(|corner| fit.add(corner));
        }
        let (center, radius) = (all.middle(), all.radius().max(1e-12));
        let axes = &survey.axes;
        let [x, y, z] = fit.eye();
        let eye = [(x, axes.right), (y, axes.up), (z, axes.towards)]
            .map(|(along, axis)| (along - center.dot(&axis)) / radius);
        let camera = Camera::new(axes, eye, size[0], size[1]);
        let cast = survey.bodies.iter().map(|extent| extent.join(&obstacles).radius());
        let mut stage = Stage {
            center,
            radius,
            camera,
            lamp: axes.lamp().cast(),
            grounds: vec![],
            obstacles,
            cast: (cast.filter(|r| r.is_finite()).fold(0.0, f64::max) / radius).clamp(1e-3, 1.0) as f32,
        };
        stage.grounds = stage.lay(planes, all.lo.z);
        stage
    }

    /// The planes that the eye sees from the side where bodies may be.
    fn lay(&self, planes: &[Plane], lowest: f64) -> Vec<Ground> {
        let floor = Plane { point: Vec3::new(0.0, 0.0, lowest - BELOW * self.radius), normal: Vec3::z() };
        let planes = if planes.is_empty() { &[floor][..] } else { planes };
        let ground = |plane: &Plane| {
            let height = plane.normal.dot(&(plane.point - self.center)) / self.radius;
            Ground { normal: plane.normal.cast(), height: height as f32 }
        };
        let seen = |ground: &Ground| ground.normal.dot(&self.camera.eye) > ground.height;
        planes.iter().map(ground).filter(seen).collect()
    }

    /// A point in coordinates of the stage.
    pub(super) fn place(&self, x: &Vec3) -> V {
        ((x - self.center) / self.radius).cast()
    }

    /// A length \[m\] in coordinates of the stage.
    pub(super) fn length(&self, meters: f64) -> f32 {
        (meters / self.radius) as f32
    }

    /// The middle of what casts shadows in a frame, where the bodies are in `bodies`.
    pub(super) fn middle(&self, bodies: &Extent) -> V {
        let all = bodies.join(&self.obstacles);
        if all.is_none() { V::zeros() } else { self.place(&all.middle()) }
    }
}
