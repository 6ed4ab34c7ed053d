//! A boundary-element body among other bodies: a potential on its surface nodes, in a frame that turns with it.
//!
//! ```text
//! P = ½ uᵀ K u       u = Rᵀ (q − c) − X       A = Σ s (q − c) Xᵀ = R S
//! ```
//!
//! K is the stiffness of small displacements of the surface and of a few nodes inside
//! ([`Whole`](super::solid::whole::Whole)), X the places at rest about the mean of the surface, s the share of the surface of
//! each node, and R the rotation in the polar decomposition of A. Large rotations thus cost nothing, and strains must be
//! small.
//!
//! The frame turns with q: dR = R \[ω\]×, (tr S − S) ω = Σ s X × Rᵀ dq. With f = K u and the torque T = Σ u × f the gradient
//! is exactly ∂P/∂q = R (f − s T′ × X), (tr S − S) T′ = T; the second part is small, and without it energy would drift. The
//! tangent is R K Rᵀ, which is positive.
//!
//! Internal friction is that of Kelvin and Voigt with one time τ: W = τ wᵀ K w with w = Rᵀ v less the rigid part of v.

use std::ops::Range;

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, Par};

use crate::continuum::{Continuum, Elastic, Inverted, Places, Scratch, TangentScratch, TangentWeights};
use crate::{Mat3, Vec3};

/// The potential of a body.
pub struct SurfaceSpring {
    nodes: Range<usize>,
    /// X  \[m\]
    rest: Vec<Vec3>,
    /// s
    shares: Vec<f64>,
    /// K  \[N/m\]
    stiffness: Mat<f64>,
    /// τ  \[s\]
    relaxation: f64,
}

/// Where a body is as a whole.
struct Pose {
    /// R
    turn: Mat3,
    /// (tr S − S)⁻¹, or zero where the body is so flat that its turn is not known.
    mobility: Mat3,
    /// c  \[m\]
    middle: Vec3,
}

impl SurfaceSpring {
    /// For the nodes from `first` on, at rest at `places` \[m\], each with its share of the surface, with K \[N/m\] and τ \[s\].
    pub fn new(
        first: usize,
        places: &[Vec3],
        shares: Vec<f64>,
        stiffness: Mat<f64>,
        relaxation: f64,
    ) -> SurfaceSpring {
        let total: f64 = shares.iter().sum();
        let middle = places.iter().zip(&shares).fold(Vec3::zeros(), |sum, (x, s)| sum + x * (s / total));
        SurfaceSpring {
            nodes: first..first + places.len(),
            rest: places.iter().map(|x| x - middle).collect(),
            shares: shares.iter().map(|s| s / total).collect(),
            stiffness,
            relaxation,
        }
    }

    fn pose(&self, q: &[Vec3]) -> Pose {
        let own = &q[self.nodes.clone()];
        let middle = own.iter().zip(&self.shares).fold(Vec3::zeros(), |sum, (x, s)| sum + x * *s);
        let arms = own.iter().zip(&self.rest).zip(&self.shares);
        let moment =
            arms.fold(Mat3::zeros(), |sum, ((x, rest), s)| sum + (x - middle) * rest.transpose() * *s);
        let (turn, stretch) = polar(&moment);
        let inertia = Mat3::identity() * stretch.trace() - stretch;
        Pose { turn, mobility: inertia.try_inverse().unwrap_or_default(), middle }
    }

    /// u  \[m\]
    fn displacements(&self, q: &[Vec3], pose: &Pose) -> Vec<Vec3> {
        let back = pose.turn.transpose();
        let own = q[self.nodes.clone()].iter().zip(&self.rest);
        own.map(|(x, rest)| back * (x - pose.middle) - rest).collect()
    }

    /// w: velocities in the frame, less the rigid motion that the surface has on the whole  \[m/s\]
    fn strain_rates(&self, q: &[Vec3], v: &[Vec3], pose: &Pose) -> Vec<Vec3> {
        let back = pose.turn.transpose();
        let own = &v[self.nodes.clone()];
        let mean = own.iter().zip(&self.shares).fold(Vec3::zeros(), |sum, (v, s)| sum + v * *s);
        let arms: Vec<Vec3> = q[self.nodes.clone()].iter().map(|x| back * (x - pose.middle)).collect();
        let rates: Vec<Vec3> = own.iter().map(|v| back * (v - mean)).collect();
        let sum = |f: &dyn Fn(usize) -> Vec3| (0..arms.len()).fold(Vec3::zeros(), |sum, i| sum + f(i));
        let spin = sum(&|i| arms[i].cross(&rates[i]) * self.shares[i]);
        let inertia = (0..arms.len()).fold(Mat3::zeros(), |sum, i| {
            sum + (Mat3::identity() * arms[i].norm_squared() - arms[i] * arms[i].transpose()) * self.shares[i]
        });
        let spin = inertia.try_inverse().unwrap_or_default() * spin;
        arms.iter().zip(&rates).map(|(arm, rate)| rate - spin.cross(arm)).collect()
    }

    /// K u  \[N\]
    fn times(&self, u: &[Vec3]) -> Vec<Vec3> {
        let n = 3 * u.len();
        let column = Mat::from_fn(n, 1, |i, _| u[i / 3][i % 3]);
        let mut product = Mat::zeros(n, 1);
        matmul(product.as_mut(), Accum::Replace, self.stiffness.as_ref(), column.as_ref(), 1.0, Par::Seq);
        (0..u.len()).map(|i| Vec3::from_fn(|a, _| product[(3 * i + a, 0)])).collect()
    }

    fn energy_at(&self, q: &[Vec3]) -> f64 {
        let u = self.displacements(q, &self.pose(q));
        0.5 * u.iter().zip(self.times(&u)).map(|(u, f)| u.dot(&f)).sum::<f64>()
    }

    /// Adds −∂P/∂q  \[N\]
    fn add_elastic(&self, q: &[Vec3], out: &mut [Vec3]) {
        let pose = self.pose(q);
        let u = self.displacements(q, &pose);
        let f = self.times(&u);
        let torque = u.iter().zip(&f).fold(Vec3::zeros(), |sum, (u, f)| sum + u.cross(f));
        let turning = pose.mobility * torque;
        for (i, out) in out[self.nodes.clone()].iter_mut().enumerate() {
            *out -= pose.turn * (f[i] - turning.cross(&self.rest[i]) * self.shares[i]);
        }
    }

    /// w and τ K w of velocities v in the frame of q.
    fn friction(&self, q: &[Vec3], v: &[Vec3], pose: &Pose) -> (Vec<Vec3>, Vec<Vec3>) {
        let rates = self.strain_rates(q, v, pose);
        let forces = self.times(&rates).into_iter().map(|f| f * self.relaxation).collect();
        (rates, forces)
    }
}

/// R and S of A = R S, R a rotation.
fn polar(a: &Mat3) -> (Mat3, Mat3) {
    let svd = a.svd(true, true);
    let (Some(u), Some(v)) = (svd.u, svd.v_t) else { return (Mat3::identity(), Mat3::zeros()) };
    let mut turn = u * v;
    if turn.determinant() < 0.0 {
        // A mirror image: the weakest direction is turned around.
        let flip = Mat3::from_diagonal(&Vec3::new(1.0, 1.0, -1.0));
        turn = u * flip * v;
    }
    let stretch = turn.transpose() * a;
    (turn, (stretch + stretch.transpose()) * 0.5)
}

impl Continuum for SurfaceSpring {
    fn add_force(
        &self,
        q: &[Vec3],
        v: &[Vec3],
        _memory: &[f64],
        out: &mut [Vec3],
        scratch: &mut Scratch,
    ) -> Result<f64, Inverted> {
        self.add_elastic(q, out);
        self.add_viscous_force(q, v, out, scratch)
    }

    fn add_elastic_force(
        &self,
        q: &[Vec3],
        _memory: &[f64],
        out: &mut [Vec3],
        _scratch: &mut Scratch,
    ) -> Result<(), Inverted> {
        self.add_elastic(q, out);
        Ok(())
    }

    fn add_viscous_force(
        &self,
        q_frozen: &[Vec3],
        v: &[Vec3],
        out: &mut [Vec3],
        _scratch: &mut Scratch,
    ) -> Result<f64, Inverted> {
        if self.relaxation == 0.0 {
            return Ok(0.0);
        }
        let pose = self.pose(q_frozen);
        let (rates, forces) = self.friction(q_frozen, v, &pose);
        // w = Π v with Π a projection, so that −½ ∂W/∂v = −Πᵀ τ K w, which has no net force and no torque.
        let back = pose.turn.transpose();
        let arms: Vec<Vec3> = q_frozen[self.nodes.clone()].iter().map(|x| back * (x - pose.middle)).collect();
        let net = forces.iter().fold(Vec3::zeros(), |sum, f| sum + f);
        let torque = arms.iter().zip(&forces).fold(Vec3::zeros(), |sum, (x, f)| sum + x.cross(f));
        let inertia = arms.iter().zip(&self.shares).fold(Mat3::zeros(), |sum, (x, s)| {
            sum + (Mat3::identity() * x.norm_squared() - x * x.transpose()) * *s
        });
        let turning = inertia.try_inverse().unwrap_or_default() * torque;
        for (i, out) in out[self.nodes.clone()].iter_mut().enumerate() {
            let rigid = (net + turning.cross(&arms[i])) * self.shares[i];
            *out -= pose.turn * (forces[i] - rigid);
        }
        Ok(rates.iter().zip(&forces).map(|(w, f)| w.dot(f)).sum())
    }

    fn energy(&self, q: &[Vec3], _memory: &[f64]) -> Elastic {
        Elastic { bulk: 0.0, shear: self.energy_at(q) }
    }

    fn dissipation(&self, q_frozen: &[Vec3], v: &[Vec3]) -> f64 {
        if self.relaxation == 0.0 {
            return 0.0;
        }
        let (rates, forces) = self.friction(q_frozen, v, &self.pose(q_frozen));
        0.5 * rates.iter().zip(&forces).map(|(w, f)| w.dot(f)).sum::<f64>()
    }

    /// It has none.
    fn first_flat(&self, _q: &[Vec3], _dq: &[Vec3]) -> f64 {
        f64::INFINITY
    }

    /// Foursomes of nodes that hold every pair.
    fn tetrahedra(&self) -> Vec<[u32; 4]> {
        let (first, last) = (self.nodes.start as u32, self.nodes.end as u32 - 1);
        let twos: Vec<[u32; 2]> = (first..=last).step_by(2).map(|i| [i, (i + 1).min(last)]).collect();
        let others = |p: usize| twos[p..].iter();
        (0..twos.len())
            .flat_map(|p| others(p).map(move |q| (p, q)))
            .map(|(p, [c, d])| [twos[p][0], twos[p][1], *c, *d])
            .collect()
    }

    fn stiffness_places(&self, place: &dyn Fn(u32, u32) -> Option<usize>) -> Places {
        let nodes = || self.nodes.clone().map(|node| node as u32);
        Places::of_pairs(nodes().flat_map(|i| nodes().map(move |j| place(i, j))))
    }

    fn add_tangent(
        &self,
        q: &[Vec3],
        _memory: &[f64],
        q_frozen: &[Vec3],
        weights: TangentWeights,
        _project: bool,
        places: &Places,
        matrix: &mut [Mat3],
        _scratch: &mut TangentScratch,
    ) {
        let (turn, frozen) = (self.pose(q).turn, self.pose(q_frozen).turn);
        let damping = weights.damping * self.relaxation;
        let n = self.rest.len();
        for (k, place) in places.pairs().enumerate() {
            let Some(place) = place else { continue };
            let (i, j) = (3 * (k / n), 3 * (k % n));
            let block = Mat3::from_fn(|a, b| self.stiffness[(i + a, j + b)]);
            let mut sum = turn * block * turn.transpose() * weights.stiffness;
            if damping > 0.0 {
                sum += frozen * block * frozen.transpose() * damping;
            }
            matrix[place] += sum;
        }
    }

    /// It has no tetrahedra.
    fn sample(&self, _q: &[Vec3], _memory: &[f64], _density: &mut [f64], _stress: &mut [[f64; 6]]) {}

    fn scratch(&self) -> Scratch {
        Scratch::default()
    }

    fn remember(&mut self, _memory: &mut Vec<f64>) {}

    fn remembers(&self) -> bool {
        false
    }

    fn flow(&self, _q: &[Vec3], _h: f64, _memory: &mut [f64]) -> bool {
        false
    }
}

#[cfg(test)]
#[path = "body_tests.rs"]
mod tests;
