//! How near is near: the contact distance d̂.

use std::collections::BTreeMap;

use super::surface::{Surface, SurfacePart};

/// d̂ in parts of the local edge length. What is pressed by δ is pressed by almost δ + d̂, since surfaces act before they
/// meet: where d̂ is thin, a Hertz contact is right.
const THIN: f64 = 0.01;
/// Thickness of the cushion that stops a blow with the stiffness of the bodies, in parts of an edge. A thinner one has to be
/// stiffer.
const CUSHION: f64 = 0.05;
/// A cushion is no thicker than this part of the size of what it belongs to, and no thinner than this part of the scene.
const CUSHION_OF_PART: f64 = 0.01;
const CUSHION_OF_SCENE: f64 = 1e-5;

/// d̂ of every two parts, and of their points \[m\]. Of two the finer one decides, unless the pair has a distance of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactDistance {
    /// The largest of each part with parts that have no distance of their own.
    per_part: Vec<f64>,
    /// That of each surface point, where it follows from the mesh.
    local: Vec<f64>,
    /// Thickness of the cushion of each part.
    cushion: Vec<f64>,
    /// The largest of a part with any other.
    widest: Vec<f64>,
    /// Of two parts, the lower number first.
    pairs: BTreeMap<[usize; 2], f64>,
    /// Of a part and a half-space.
    planes: BTreeMap<[usize; 2], f64>,
    /// The largest of a half-space with any part that has no distance of its own with it.
    per_plane: BTreeMap<usize, f64>,
    /// Those of both that are not larger than this, wherever they come from.
    most_of_pairs: BTreeMap<[usize; 2], f64>,
    most_of_planes: BTreeMap<[usize; 2], f64>,
}

impl ContactDistance {
    /// One positive distance for each part \[m\].
    pub fn new(per_part: Vec<f64>) -> ContactDistance {
        ContactDistance {
            widest: per_part.clone(),
            cushion: per_part.clone(),
            local: vec![],
            per_part,
            pairs: BTreeMap::new(),
            planes: BTreeMap::new(),
            per_plane: BTreeMap::new(),
            most_of_pairs: BTreeMap::new(),
            most_of_planes: BTreeMap::new(),
        }
    }

    /// A hundredth of the mean edge at each point, and of the median edge of a part at most; of parts that do not deform, for
    /// which their cushion is all that gives way, that cushion.
    ///
    /// A part without edges takes its thickness for the edge. None is larger than a five-hundredth of the part's size, or
    /// less than 2e-6 of the scene's.
    pub fn automatic(surface: &Surface, scene_size: f64) -> ContactDistance {
        let cushion: Vec<f64> = surface.parts().iter().map(|part| cushion(part, scene_size)).collect();
        let distance = |(part, cushion): (&SurfacePart, &f64)| {
            cushion * if part.deforms() { THIN / CUSHION } else { 1.0 }
        };
        let per_part: Vec<f64> = surface.parts().iter().zip(&cushion).map(distance).collect();
        let mut local = vec![f64::INFINITY; surface.rest().len()];
        for (part, distance) in surface.parts().iter().zip(&per_part) {
            let median = part.median_edge.unwrap_or(f64::INFINITY);
            for (point, edge) in part.mean_edges() {
                local[point as usize] = distance * (edge / median).min(1.0);
            }
        }
        ContactDistance { cushion, local, ..ContactDistance::new(per_part) }
    }

    /// The same for all parts, set by hand \[m\].
    pub fn with(self, distance: f64) -> ContactDistance {
        let count = self.per_part.len();
        ContactDistance { cushion: self.cushion, ..ContactDistance::new(vec![distance; count]) }
    }

    /// How much stiffer contacts of two parts with the distance `range` \[m\] must be than those of their cushions: a thin one
    /// has to stop what a thick one would.
    pub fn firmness(&self, part_a: usize, part_b: usize, range: f64) -> f64 {
        (self.cushion[part_a].min(self.cushion[part_b]) / range).max(1.0)
    }

    /// The largest d̂ of a part with any other \[m\].
    pub fn of(&self, part: usize) -> f64 {
        self.widest[part]
    }

    /// Room that a search for near pairs leaves around the points of a part, so that it need not be repeated soon  \[m\]
    pub fn room(&self, part: usize) -> f64 {
        self.widest[part].max(self.cushion[part])
    }

    /// The largest d̂ between two parts \[m\].
    pub fn between(&self, part_a: usize, part_b: usize) -> f64 {
        let pair = ordered([part_a, part_b]);
        let own = self.pairs.get(&pair).copied();
        let distance = own.unwrap_or_else(|| self.per_part[part_a].min(self.per_part[part_b]));
        distance.min(most(&self.most_of_pairs, pair))
    }

    /// d̂ between some points of two parts \[m\].
    pub fn between_points(&self, parts: [usize; 2], points: &[u32]) -> f64 {
        let widest = self.between(parts[0], parts[1]);
        if self.pairs.contains_key(&ordered(parts)) { widest } else { widest.min(self.at_points(points)) }
    }

    /// The largest d̂ between a part and a half-space \[m\].
    pub fn at_plane(&self, part: usize, plane: usize) -> f64 {
        let finer =
            || self.per_plane.get(&plane).map_or(self.per_part[part], |own| own.min(self.per_part[part]));
        let distance = self.planes.get(&[part, plane]).copied().unwrap_or_else(finer);
        distance.min(most(&self.most_of_planes, [part, plane]))
    }

    /// d̂ between a point of a part and a half-space \[m\].
    pub fn at_plane_from(&self, part: usize, plane: usize, point: u32) -> f64 {
        let widest = self.at_plane(part, plane);
        if self.planes.contains_key(&[part, plane]) { widest } else { widest.min(self.at_points(&[point])) }
    }

    /// The least that the mesh at these points asks for.
    fn at_points(&self, points: &[u32]) -> f64 {
        let local = |&point: &u32| self.local.get(point as usize).copied().unwrap_or(f64::INFINITY);
        points.iter().map(local).fold(f64::INFINITY, f64::min)
    }

    /// Sets d̂ of a part with all others, but for pairs that have their own; to be called before those are set \[m\].
    pub fn set_of(&mut self, number: usize, part: &SurfacePart, distance: f64) {
        (self.per_part[number], self.widest[number]) = (distance, distance);
        for &point in &part.points {
            if let Some(local) = self.local.get_mut(point as usize) {
                *local = f64::INFINITY;
            }
        }
    }

    /// Sets d̂ of a half-space with all parts that are not finer themselves \[m\].
    pub fn set_of_plane(&mut self, plane: usize, distance: f64) {
        self.per_plane.insert(plane, distance);
    }

    /// Sets d̂ between two parts \[m\].
    pub fn set_between(&mut self, part_a: usize, part_b: usize, distance: f64) {
        self.pairs.insert(ordered([part_a, part_b]), distance);
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
    pub(super) fn limit_between(&mut self, parts: [usize; 2], distance: f64) {
        self.most_of_pairs.insert(ordered(parts), distance);
    }

    /// Makes d̂ between a part and a half-space no larger than this \[m\].
    pub(super) fn limit_at_plane(&mut self, part: usize, plane: usize, distance: f64) {
        self.most_of_planes.insert([part, plane], distance);
    }
}

fn ordered([a, b]: [usize; 2]) -> [usize; 2] {
    [a.min(b), a.max(b)]
}

fn most(limits: &BTreeMap<[usize; 2], f64>, key: [usize; 2]) -> f64 {
    limits.get(&key).copied().unwrap_or(f64::INFINITY)
}

fn cushion(part: &SurfacePart, scene_size: f64) -> f64 {
    let by_size = CUSHION_OF_PART * part.size();
    let by_edge = match part.median_edge {
        Some(edge) => (CUSHION * edge).min(by_size),
        None if part.radius > 0.0 => 2.0 * CUSHION * part.radius,
        None => by_size,
    };
    by_edge.max(CUSHION_OF_SCENE * scene_size)
}
