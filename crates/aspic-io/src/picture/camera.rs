//! Where a point in space lands on the paper.

use aspic::Vec3;

/// How an onlooker stands: unit vectors, each perpendicular to the others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Axes {
    /// To the right on the paper.
    pub right: Vec3,
    /// Up on the paper.
    pub up: Vec3,
    /// Towards the eye.
    pub towards: Vec3,
}

impl Axes {
    /// Looks from `eye`, a direction of any length, with z up.
    pub(crate) fn from(eye: Vec3) -> Axes {
        let towards = eye.try_normalize(1e-12).unwrap_or_else(|| -Vec3::y());
        // Straight from above, "up on the paper" is y.
        let right = Vec3::z().cross(&towards).try_normalize(1e-9).unwrap_or_else(Vec3::x);
        Axes { right, up: towards.cross(&right), towards }
    }

    /// Light comes over the left shoulder of the onlooker (unit vector towards the lamp).
    pub(crate) fn lamp(&self) -> Vec3 {
        (self.towards + 1.3 * Vec3::z() - 0.6 * self.right).normalize()
    }
}

/// A view along parallel rays, fitted to a box on the paper.
#[derive(Clone, Copy, Debug)]
pub(super) struct Camera {
    axes: Axes,
    /// Pixels a meter.
    scale: f64,
    /// Where the origin of space lies on the paper \[px\].
    origin: (f64, f64),
}

impl Camera {
    /// Looks from `eye` so that all points lie within width × height, less a margin. Points that are
    /// not finite are not looked at.
    pub(super) fn fit(eye: Vec3, points: impl Iterator<Item = Vec3>, width: f64, height: f64) -> Camera {
        let axes = Axes::from(eye);
        let (mut lo, mut hi) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for point in points.filter(|p| p.iter().all(|c| c.is_finite())) {
            for (axis, value) in [point.dot(&axes.right), point.dot(&axes.up)].into_iter().enumerate() {
                lo[axis] = lo[axis].min(value);
                hi[axis] = hi[axis].max(value);
            }
        }
        if lo[0] > hi[0] {
            (lo, hi) = ([0.0; 2], [1.0; 2]);
        }
        let span = |axis: usize| (hi[axis] - lo[axis]).max(1e-12);
        let scale = (0.88 * width / span(0)).min(0.88 * height / span(1));
        let middle = |axis: usize| 0.5 * (lo[axis] + hi[axis]);
        let origin = (0.5 * width - scale * middle(0), 0.5 * height + scale * middle(1));
        Camera { axes, scale, origin }
    }

    /// On the paper \[px\]: x to the right, y down.
    pub(super) fn project(&self, point: &Vec3) -> (f64, f64) {
        let (x, y) = self.origin;
        (x + self.scale * point.dot(&self.axes.right), y - self.scale * point.dot(&self.axes.up))
    }

    /// Larger is nearer to the eye \[m\].
    pub(super) fn nearness(&self, point: &Vec3) -> f64 {
        point.dot(&self.axes.towards)
    }

    /// A length \[m\] on the paper \[px\].
    pub(super) fn length(&self, meters: f64) -> f64 {
        self.scale * meters
    }

    /// Whether a face with this outward normal can be seen.
    pub(super) fn sees(&self, normal: &Vec3) -> bool {
        normal.dot(&self.axes.towards) > 0.0
    }

    /// Towards the lamp, a unit vector.
    pub(super) fn lamp(&self) -> Vec3 {
        self.axes.lamp()
    }
}
