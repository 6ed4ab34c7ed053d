//! How near is near: the contact distance d̂.

use super::surface::{Surface, SurfacePart};

/// d̂ per part \[m\]. Of two parts the finer one decides.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactDistance {
    per_part: Vec<f64>,
}

impl ContactDistance {
    /// One positive distance for each part \[m\].
    pub fn new(per_part: Vec<f64>) -> ContactDistance {
        ContactDistance { per_part }
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

    /// d̂ of a part \[m\].
    pub fn of(&self, part: usize) -> f64 {
        self.per_part[part]
    }

    /// d̂ between two parts \[m\].
    pub fn between(&self, part_a: usize, part_b: usize) -> f64 {
        self.per_part[part_a].min(self.per_part[part_b])
    }
}
