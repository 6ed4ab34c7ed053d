//! Normals of points: the sum of the triangles around each, weighted by their area.

use aspic::Vec3;

/// Normals of the points of one actor, made anew for each frame in the same memory.
#[derive(Clone, Debug, Default)]
pub struct Normals(Vec<Vec3>);

impl Normals {
    /// Unit normals  (points); those of points without triangles point up the z axis.
    pub fn of(&mut self, positions: &[Vec3], triangles: &[[u32; 3]]) -> &[Vec3] {
        self.0.clear();
        self.0.resize(positions.len(), Vec3::zeros());
        for &[a, b, c] in triangles {
            let at = |corner: u32| positions[corner as usize];
            let twice_area = (at(b) - at(a)).cross(&(at(c) - at(a)));
            [a, b, c].iter().for_each(|&corner| self.0[corner as usize] += twice_area);
        }
        for normal in &mut self.0 {
            *normal = normal.try_normalize(0.0).unwrap_or(Vec3::z());
        }
        &self.0
    }
}
