//! Values of tetrahedra as means on points, weighted by volume at rest. Points of skins have means over the triangles
//! around them, each with the value of a tetrahedron that carries it.

use aspic::Vec3;
use aspic::frame::Topology;

/// Which tetrahedra a point has, and how much each counts.
#[derive(Debug, Default)]
pub struct Averages {
    tets: Vec<[u32; 4]>,
    volumes: Vec<f64>,
    /// Triangles of skins, what carries each, and their areas.
    triangles: Vec<([u32; 3], u32, f64)>,
    /// 1 over the volume around each point  \[1/m³\], or the area  \[1/m²\]; 0 where there is none
    inverse: Vec<f64>,
}

impl Averages {
    /// For points at rest \[m\].
    pub fn new(topology: &Topology, rest: &[Vec3]) -> Averages {
        let volume = |tet: &[u32; 4]| {
            let [a, b, c, d] = tet.map(|corner| rest[corner as usize]);
            // Every tetrahedron counts a little, so that flat ones leave no hole.
            ((b - a).cross(&(c - a)).dot(&(d - a)).abs() / 6.0).max(f64::MIN_POSITIVE)
        };
        let volumes: Vec<f64> = topology.tets.iter().map(volume).collect();
        let mut sums = vec![0.0; rest.len()];
        for (tet, volume) in topology.tets.iter().zip(&volumes) {
            tet.iter().for_each(|&corner| sums[corner as usize] += volume);
        }
        let triangles = carried(topology, rest);
        for (corners, _, area) in &triangles {
            corners.iter().for_each(|&corner| sums[corner as usize] += area);
        }
        let inverse = sums.iter().map(|&sum| if sum > 0.0 { 1.0 / sum } else { 0.0 }).collect();
        Averages { tets: topology.tets.clone(), volumes, triangles, inverse }
    }

    /// The means of a value per tetrahedron; 0 on points without any.
    pub fn of<T>(&self, values: &[T], number: impl Fn(&T) -> f64) -> Vec<f64> {
        let mut sums = vec![0.0; self.inverse.len()];
        for ((tet, volume), value) in self.tets.iter().zip(&self.volumes).zip(values) {
            let part = number(value) * volume;
            tet.iter().for_each(|&corner| sums[corner as usize] += part);
        }
        for (corners, tet, area) in &self.triangles {
            let part = values.get(*tet as usize).map_or(0.0, &number) * area;
            corners.iter().for_each(|&corner| sums[corner as usize] += part);
        }
        sums.iter_mut().zip(&self.inverse).for_each(|(sum, inverse)| *sum *= inverse);
        sums
    }
}

/// The triangles of skins, the tetrahedra that carry their first corners, and their areas \[m²\].
fn carried(topology: &Topology, rest: &[Vec3]) -> Vec<([u32; 3], u32, f64)> {
    let mut all = vec![];
    for body in &topology.bodies {
        let Some(skin) = &body.skin else { continue };
        let first = body.own_points().end;
        for &corners in topology.triangles.get(body.triangles.clone()).unwrap_or_default() {
            let [a, b, c] = corners.map(|corner| rest[corner as usize]);
            let area = ((b - a).cross(&(c - a)).norm() / 2.0).max(f64::MIN_POSITIVE);
            let carrier = (corners[0] as usize).checked_sub(first).and_then(|k| skin.carriers.get(k));
            all.extend(carrier.map(|&tet| (corners, tet, area)));
        }
    }
    all
}

/// √(½ ((σxx−σyy)² + (σyy−σzz)² + (σzz−σxx)²) + 3 (σxy² + σyz² + σxz²)) of xx yy zz xy yz xz  \[Pa\]
pub fn von_mises(stress: &[f64; 6]) -> f64 {
    let [xx, yy, zz, xy, yz, xz] = *stress;
    let normal = (xx - yy).powi(2) + (yy - zz).powi(2) + (zz - xx).powi(2);
    (0.5 * normal + 3.0 * (xy * xy + yz * yz + xz * xz)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use aspic::frame::{BodyRange, Skin};

    #[test]
    fn means_weigh_by_volume_and_points_without_tetrahedra_are_zero() {
        let rest: Vec<Vec3> =
            [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, -3.0], [9.0; 3]]
                .map(Vec3::from)
                .into();
        let topology = Topology { tets: vec![[0, 1, 2, 3], [0, 2, 1, 4]], ..Topology::default() };
        let means = Averages::new(&topology, &rest).of(&[8.0, 4.0], |value| *value);
        for (mean, expected) in means.iter().zip([5.0, 5.0, 5.0, 8.0, 4.0, 0.0]) {
            assert!((mean - expected).abs() < 1e-14, "{means:?}");
        }
    }

    #[test]
    fn points_of_a_skin_have_means_over_their_triangles() {
        let rest: Vec<Vec3> = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, -3.0]]
            .into_iter()
            .chain([[0.0; 3], [2.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, -3.0, 0.0]])
            .map(Vec3::from)
            .collect();
        let skin = Skin { carriers: vec![0, 0, 1, 1], touches: true, ..Skin::default() };
        let body =
            BodyRange { points: 0..9, tets: 0..2, triangles: 0..2, skin: Some(skin), ..Default::default() };
        let topology = Topology {
            bodies: vec![body],
            tets: vec![[0, 1, 2, 3], [0, 2, 1, 4]],
            triangles: vec![[5, 6, 7], [8, 6, 5]],
            ..Topology::default()
        };
        // Areas 1 and 3, carried by the first and the second tetrahedron.
        let means = Averages::new(&topology, &rest).of(&[8.0, 4.0], |value| *value);
        assert_eq!(means[5..], [5.0, 5.0, 8.0, 4.0]);
    }

    #[test]
    fn von_mises_stress_of_a_pull_is_the_pull_and_of_a_shear_root_three_times_it() {
        assert_eq!(von_mises(&[5.0, 0.0, 0.0, 0.0, 0.0, 0.0]), 5.0);
        assert!((von_mises(&[7.0, 7.0, 7.0, 0.0, 2.0, 0.0]) - 2.0 * 3f64.sqrt()).abs() < 1e-15);
    }
}
