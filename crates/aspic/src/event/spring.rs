//! Contact springs: P = ½ k |δ|² between two surface points that have met, δ = Σ c x − a.
//!
//! The points are fixed sums of vertices: a vertex against a point of a face has the weights 1, −w₀, −w₁, −w₂, two edges
//! have 1 − s, s, −(1 − t), −t. A vertex against a half-space is tied to a place a of its plane. While bodies overlap a
//! spring pushes them apart; it has no length at rest.

use crate::Vec3;

/// What has met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meeting {
    /// A vertex and a face.
    VertexFace,
    /// Two edges.
    EdgeEdge,
    /// A vertex and the half-space of this number.
    VertexWall(u32),
}

/// A spring between two bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spring {
    /// What has met.
    pub meeting: Meeting,
    /// Points as numbered in frames: a vertex and a face, two edges, or a vertex alone and three times over.
    pub points: [u32; 4],
    /// c of each.
    pub weights: [f64; 4],
    /// a  \[m\]
    pub place: Vec3,
    /// k  \[N/m\]
    pub stiffness: f64,
    /// The bodies, half-spaces counted behind them: that of the first point, then the other.
    pub bodies: [u32; 2],
}

impl Spring {
    /// How many numbers a spring is in the memory of a state.
    pub const WIDTH: usize = 16;

    /// As numbers.
    pub fn to_array(&self) -> [f64; Spring::WIDTH] {
        let (kind, wall) = match self.meeting {
            Meeting::VertexFace => (0.0, 0.0),
            Meeting::EdgeEdge => (1.0, 0.0),
            Meeting::VertexWall(wall) => (2.0, f64::from(wall)),
        };
        let ([a, b, c, d], [s, t, u, v]) = (self.points.map(f64::from), self.weights);
        let ([x, y, z], [one, other]) =
            ([self.place.x, self.place.y, self.place.z], self.bodies.map(f64::from));
        [kind, wall, a, b, c, d, s, t, u, v, x, y, z, self.stiffness, one, other]
    }

    /// From the same numbers.
    pub fn from_array(numbers: &[f64; Spring::WIDTH]) -> Spring {
        let [kind, wall, a, b, c, d, s, t, u, v, x, y, z, stiffness, one, other] = *numbers;
        let meeting = match kind as u32 {
            0 => Meeting::VertexFace,
            1 => Meeting::EdgeEdge,
            _ => Meeting::VertexWall(wall as u32),
        };
        Spring {
            meeting,
            points: [a, b, c, d].map(|point| point as u32),
            weights: [s, t, u, v],
            place: Vec3::new(x, y, z),
            stiffness,
            bodies: [one, other].map(|body| body as u32),
        }
    }

    /// The springs at the end of a memory.
    pub fn list(memory: &[f64]) -> impl DoubleEndedIterator<Item = Spring> + '_ {
        memory.as_chunks::<{ Spring::WIDTH }>().0.iter().map(Spring::from_array)
    }

    /// Its points and their weights, those of no weight left out.
    pub fn ends(&self) -> impl Iterator<Item = (u32, f64)> {
        self.points.into_iter().zip(self.weights).filter(|(_, weight)| *weight != 0.0)
    }

    /// δ, from where points are  \[m\]
    pub fn stretch(&self, place: impl Fn(u32) -> Vec3) -> Vec3 {
        self.ends().fold(-self.place, |sum, (point, weight)| sum + place(point) * weight)
    }

    /// Whether it is between the same vertex, face and edges.
    pub fn joins(&self, meeting: Meeting, points: &[u32; 4]) -> bool {
        self.meeting == meeting && self.points == *points
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spring_survives_as_numbers() {
        for meeting in [Meeting::VertexFace, Meeting::EdgeEdge, Meeting::VertexWall(3)] {
            let spring = Spring {
                meeting,
                points: [7, 1, 2, u32::MAX],
                weights: [1.0, -0.2, -0.3, -0.5],
                place: Vec3::new(0.1, 0.2, 0.3),
                stiffness: 1234.5,
                bodies: [0, 4],
            };
            let memory: Vec<f64> = spring.to_array().into_iter().chain(spring.to_array()).collect();
            assert!(Spring::list(&memory).eq([spring, spring]));
        }
    }

    #[test]
    fn the_stretch_is_the_way_from_the_second_point_to_the_first() {
        let x = [Vec3::new(0.25, 0.25, -0.1), Vec3::zeros(), Vec3::x(), Vec3::y()];
        let spring = Spring {
            meeting: Meeting::VertexFace,
            points: [0, 1, 2, 3],
            weights: [1.0, -0.5, -0.25, -0.25],
            place: Vec3::zeros(),
            stiffness: 1.0,
            bodies: [0, 1],
        };
        assert!((spring.stretch(|p| x[p as usize]) - Vec3::new(0.0, 0.0, -0.1)).norm() < 1e-15);
    }
}
