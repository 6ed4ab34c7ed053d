//! Where the surface has a crease its tractions jump: one vertex then carries several, one for each smooth part around it.

use crate::solid::Surface;
use crate::solid::panel::Panel;

/// Triangles whose normals are nearer than this cosine (40°) meet smoothly.
const SMOOTH: f64 = 0.766;

/// The traction nodes of a surface: at each vertex one for each smooth fan of triangles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TractionNodes {
    /// The node of each corner of each triangle  (m)
    pub corners: Vec<[u32; 3]>,
    /// How many there are.
    pub count: usize,
}

impl TractionNodes {
    /// Joins neighbours around each vertex that meet smoothly.
    pub fn new(surface: &Surface, panels: &[Panel]) -> TractionNodes {
        let mut around: Vec<Vec<(usize, usize)>> = vec![vec![]; surface.vertices().len()];
        for (k, corners) in surface.triangles().iter().enumerate() {
            corners.iter().enumerate().for_each(|(c, &v)| around[v as usize].push((k, c)));
        }
        let mut nodes = TractionNodes { corners: vec![[0; 3]; panels.len()], count: 0 };
        for fan in &around {
            let joined = |a: usize, b: usize| {
                let (a, b) = (fan[a].0, fan[b].0);
                let [left, right] = [a, b].map(|k| surface.triangles()[k]);
                let common = left.iter().filter(|v| right.contains(v)).count();
                common == 2 && panels[a].normal.dot(&panels[b].normal) > SMOOTH
            };
            let mut part = vec![usize::MAX; fan.len()];
            for seed in 0..fan.len() {
                if part[seed] != usize::MAX {
                    continue;
                }
                let mut open = vec![seed];
                part[seed] = nodes.count;
                while let Some(a) = open.pop() {
                    for b in 0..fan.len() {
                        if part[b] == usize::MAX && joined(a, b) {
                            part[b] = nodes.count;
                            open.push(b);
                        }
                    }
                }
                nodes.count += 1;
            }
            fan.iter().zip(part).for_each(|(&(k, c), node)| nodes.corners[k][c] = node as u32);
        }
        nodes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solid::Vec3;
    use crate::solid::test_shapes::{brick, icosphere};

    #[test]
    fn a_box_has_two_tractions_at_edges_and_three_at_corners_and_a_ball_one_everywhere() {
        let count = |body: Surface| TractionNodes::new(&body, &Panel::all(&body)).count;
        assert_eq!(count(brick(Vec3::repeat(1.0), [3, 3, 3])), 6 * 16);
        assert_eq!(count(icosphere(2)), 162);
    }
}
