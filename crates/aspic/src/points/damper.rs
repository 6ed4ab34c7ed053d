//! Dampers in an implicit step, written in lengths.
//!
//! A spring of length l loses γ l′² of power. In a step whose velocity is v = c (q − q̂), the rate of a length is
//! l′ = c (l − l̂), with l̂ from past lengths as q̂ is from past places. Then ½ W/c = ½ γ c (l − l̂)²: a damper is a spring of
//! constant γ c that wants to be l̂ long. It keeps both momenta exactly, and a body that only turns has l = l̂: it is not
//! slowed. (With directions remembered from the start of the step it would be, and a stiff one soon stood still.)

use super::{Network, NetworkPlaces};
use crate::{Mat3, Vec3};

impl Network {
    /// Calls `visit` with ends, length vector and γ of every damped spring.
    fn each_damped(&self, q: &[Vec3], mut visit: impl FnMut(usize, [usize; 2], Vec3, f64)) {
        for (k, (nodes, &gamma)) in self.distances.nodes().zip(&self.damping.springs).enumerate() {
            let ends = nodes.map(|node| node as usize + self.first);
            visit(k, ends, q[ends[1]] - q[ends[0]], gamma);
        }
    }

    /// l̂ of every damped spring by a function of its ends  \[m\]
    pub fn base_lengths(&self, of: impl Fn([usize; 2]) -> f64, out: &mut Vec<f64>) {
        out.clear();
        let ends = |nodes: &[u32; 2]| nodes.map(|node| node as usize + self.first);
        let dampers = self.distances.nodes().zip(&self.damping.springs);
        out.extend(dampers.map(|(nodes, _)| of(ends(nodes))));
    }

    /// ½ W/c of all dampers  \[J\]
    pub fn damper_energy(&self, q: &[Vec3], lengths: &[f64], rate: f64) -> f64 {
        let mut sum = 0.0;
        self.each_damped(q, |k, _, d, gamma| sum += gamma * (d.norm() - lengths[k]).powi(2));
        0.5 * rate * sum
    }

    /// Adds their forces  \[N\]
    pub fn add_damper_force(&self, q: &[Vec3], lengths: &[f64], rate: f64, out: &mut [Vec3]) {
        self.each_damped(q, |k, [a, b], d, gamma| {
            let length = d.norm();
            if length > 0.0 {
                let pull = d * (gamma * rate * (length - lengths[k]) / length);
                out[a] += pull;
                out[b] -= pull;
            }
        });
    }

    /// Adds their curvature, made positive as that of springs is  \[N/m\]
    pub(super) fn add_damper_tangent(
        &self,
        q: &[Vec3],
        lengths: &[f64],
        rate: f64,
        places: &NetworkPlaces,
        matrix: &mut [Mat3],
    ) {
        self.each_damped(q, |k, _, d, gamma| {
            let square = d.norm_squared().max(f64::MIN_POSITIVE);
            let across = (1.0 - lengths[k] / square.sqrt()).max(0.0);
            let along = d * d.transpose() * ((1.0 - across) / square);
            let block = (along + Mat3::identity() * across) * (rate * gamma);
            for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                if let Some(out) = matrix.get_mut(places.distances[k][i][j] as usize) {
                    *out += if i == j { block } else { -block };
                }
            }
        });
    }
}
