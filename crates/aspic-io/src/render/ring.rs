//! Rings of tubes, and the directions that turn with a rope but never about it.

use super::V;

/// Unit vectors: along a tube, and to the first corner of a ring.
#[derive(Clone, Copy)]
pub(super) struct Axes {
    pub along: V,
    pub aside: V,
}

/// Where a ring goes: around a point, across a direction.
#[derive(Clone, Copy)]
pub(super) struct Ring {
    pub center: V,
    pub axes: Axes,
    /// What its light is reckoned with: over gentle bends it changes evenly.
    pub shading: Axes,
    pub radius: f32,
    pub value: f32,
}

impl Ring {
    /// Between this one and one farther along the same segment.
    pub(super) fn mixed(&self, other: &Ring, share: f32) -> Ring {
        Ring {
            center: self.center + (other.center - self.center) * share,
            axes: self.axes,
            shading: self.shading.mixed(&other.shading, share),
            radius: self.radius + (other.radius - self.radius) * share,
            value: self.value + (other.value - self.value) * share,
        }
    }
}

impl Axes {
    /// Along a direction.
    pub(super) fn new(along: V) -> Axes {
        let other = if along.z.abs() < 0.9 { V::z() } else { V::x() };
        Axes { along, aside: other.cross(&along).normalize() }
    }

    pub(super) fn third(&self) -> V {
        self.along.cross(&self.aside)
    }

    /// Whether a rope goes back the way it came; it then turns over its `aside`.
    fn folds(&self, way: &V) -> bool {
        1.0 + self.along.dot(way) < 1e-4
    }

    /// Turned the shortest way into another direction.
    pub(super) fn turned(&self, way: V) -> Axes {
        let Axes { along, aside } = self;
        let turned = match self.folds(&way) {
            true => -aside,
            false => aside - (along + way) * (aside.dot(&way) / (1.0 + along.dot(&way))),
        };
        Axes::near(way, turned)
    }

    /// Half the turn to the next ones.
    pub(super) fn halfway(&self, next: &Axes) -> Axes {
        self.turned(match self.folds(&next.along) {
            true => self.aside,
            false => (self.along + next.along).normalize(),
        })
    }

    /// Between these and others that differ little.
    fn mixed(&self, other: &Axes, share: f32) -> Axes {
        let along = self.along + (other.along - self.along) * share;
        let along = along.try_normalize(0.0).unwrap_or(self.along);
        Axes::near(along, self.aside + (other.aside - self.aside) * share)
    }

    /// With an `aside` that is nearly at right angles: rounding must not add up along a rope.
    fn near(along: V, aside: V) -> Axes {
        let level = (aside - along * aside.dot(&along)).try_normalize(1e-6);
        level.map_or_else(|| Axes::new(along), |aside| Axes { along, aside })
    }
}
