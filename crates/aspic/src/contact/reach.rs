//! How near is near: the contact distance d̂.

use std::collections::BTreeMap;

use super::surface::{Surface, SurfacePart};

/// d̂ per part \[m\]. Of two parts the finer one decides, unless the pair has a distance of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactDistance {
    per_part: Vec<f64>,
    /// What the meshes would have it be.
    natural: Vec<f64>,
    /// The largest of a part with any other.
    widest: Vec<f64>,
    /// Of two parts, the lower number first.
    pairs: BTreeMap<[usize; 2], f64>,
    /// Of a part and a half-space.
    planes: BTreeMap<[usize; 2], f64>,
}

impl ContactDistance {
    /// One positive distance for each part \[m\].
    pub fn new(per_part: Vec<f64>) -> ContactDistance {
        let (widest, natural) = (per_part.clone(), per_part.clone());
        ContactDistance { widest, natural, per_part, pairs: BTreeMap::new(), planes: BTreeMap::new() }
    }

    /// 1/20 of the median edge, at most 1/100 of the part's size, at least 1e-5 of the scene's size \[m\].
    ///
    /// A part without edges takes its thickness for the edge.
    pub fn automatic(surface: &Surface, scene_size: f64) -> ContactDistance {
        let of = |part: &SurfacePart| {
            let by_size = 0.01 * part.size();
            let by_edge = match part.median_edge {
                Some(edge) => (0.05 * edge).min(by_size),
                None if part.radius > 0.0 => 0.1 * part.radius,
                None => by_size,
            };
            by_edge.max(1e-5 * scene_size)
        };
        ContactDistance::new(surface.parts().iter().map(of).collect())
    }

    /// The same for all parts, set by hand \[m\].
    pub fn with(self, distance: f64) -> ContactDistance {
        let count = self.per_part.len();
        ContactDistance { natural: self.natural, ..ContactDistance::new(vec![distance; count]) }
    }

    /// How much stiffer contacts of two parts with the distance `range` \[m\] must be than natural ones: a thin cushion has
    /// to stop what a thick one would.
    pub fn firmness(&self, part_a: usize, part_b: usize, range: f64) -> f64 {
        (self.natural[part_a].min(self.natural[part_b]) / range).max(1.0)
    }

    /// The largest d̂ of a part with any other \[m\].
    pub fn of(&self, part: usize) -> f64 {
        self.widest[part]
    }

    /// d̂ between two parts \[m\].
    pub fn between(&self, part_a: usize, part_b: usize) -> f64 {
        let own = self.pairs.get(&[part_a.min(part_b), part_a.max(part_b)]).copied();
        own.unwrap_or_else(|| self.per_part[part_a].min(self.per_part[part_b]))
    }

    /// d̂ between a part and a half-space \[m\].
    pub fn at_plane(&self, part: usize, plane: usize) -> f64 {
        self.planes.get(&[part, plane]).copied().unwrap_or(self.per_part[part])
    }

    /// Sets d̂ between two parts \[m\].
    pub fn set_between(&mut self, part_a: usize, part_b: usize, distance: f64) {
        self.pairs.insert([part_a.min(part_b), part_a.max(part_b)], distance);
        for part in [part_a, part_b] {
            self.widest[part] = self.widest[part].max(distance);
        }
    }

    /// Sets d̂ between a part and a half-space \[m\].
    pub fn set_at_plane(&mut self, part: usize, plane: usize, distance: f64) {
        self.planes.insert([part, plane], distance);
        self.widest[part] = self.widest[part].max(distance);
    }

    /// Makes d̂ between two parts no larger than this \[m\].
    pub(super) fn limit_between(&mut self, [a, b]: [usize; 2], distance: f64) {
        if distance < self.between(a, b) {
            self.set_between(a, b, distance);
        }
    }

    /// Makes d̂ between a part and a half-space no larger than this \[m\].
    pub(super) fn limit_at_plane(&mut self, part: usize, plane: usize, distance: f64) {
        if distance < self.at_plane(part, plane) {
            self.set_at_plane(part, plane, distance);
        }
    }
}
