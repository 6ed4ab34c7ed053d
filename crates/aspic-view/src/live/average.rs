//! Values of tetrahedra as means on points, weighted by volume at rest.

use aspic::Vec3;
use aspic::frame::Topology;

/// Which tetrahedra a point has, and how much each counts.
#[derive(Debug, Default)]
pub struct Averages {
    tets: Vec<[u32; 4]>,
    volumes: Vec<f64>,
    /// 1 over the volume around each point  \[1/m³\]; 0 where there is none
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
        let inverse = sums.iter().map(|&sum| if sum > 0.0 { 1.0 / sum } else { 0.0 }).collect();
        Averages { tets: topology.tets.clone(), volumes, inverse }
    }

    /// The means of a value per tetrahedron; 0 on points without any.
    pub fn of<T>(&self, values: &[T], number: impl Fn(&T) -> f64) -> Vec<f64> {
        let mut sums = vec![0.0; self.inverse.len()];
        for ((tet, volume), value) in self.tets.iter().zip(&self.volumes).zip(values) {
            let part = number(value) * volume;
            tet.iter().for_each(|&corner| sums[corner as usize] += part);
        }
        sums.iter_mut().zip(&self.inverse).for_each(|(sum, inverse)| *sum *= inverse);
        sums
    }
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
    fn von_mises_stress_of_a_pull_is_the_pull_and_of_a_shear_root_three_times_it() {
        assert_eq!(von_mises(&[5.0, 0.0, 0.0, 0.0, 0.0, 0.0]), 5.0);
        assert!((von_mises(&[7.0, 7.0, 7.0, 0.0, 2.0, 0.0]) - 2.0 * 3f64.sqrt()).abs() < 1e-15);
    }
}
