//! The part of a body in space that is in the ground.

use super::closed_mesh::ClosedMesh;
use super::{Mat3, Vec3};

/// The places x with n·x < offset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground {
    /// The unit normal out of the ground.
    pub normal: Vec3,
    /// Where the surface is along the normal  \[m\]
    pub offset: f64,
}

/// The part of a body in the ground, and where its surface cuts the body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Immersed {
    /// V  \[m³\]
    pub volume: f64,
    /// Its centroid, through which the force k V passes  \[m\]
    pub centre: Vec3,
    /// Area of the cut  \[m²\]
    pub area: f64,
    /// Centroid of the cut  \[m\]
    pub middle: Vec3,
    /// ∫ (x − middle) (x − middle)ᵀ dA over the cut  \[m⁴\]
    pub spread: Mat3,
}

impl Ground {
    /// How deep a place is in the ground  \[m\]; negative above it.
    pub fn depth(&self, x: Vec3) -> f64 {
        self.offset - self.normal.dot(&x)
    }

    /// The ground with its surface higher by `height`  \[m\].
    pub fn raised(&self, height: f64) -> Ground {
        Ground { offset: self.offset + height, ..*self }
    }

    /// The part of a body that is in the ground, from its triangles cut along the surface.
    ///
    /// With the origin on the surface, the cut adds nothing to the sum of the tetrahedra. The flux of n f through the
    /// closed surface of the part is zero where f does not change along n; that gives the integral of f over the cut:
    ///
    /// ```text
    /// V = Σ p·(q × r)/6,    ∫_cut f dA = −Σ ∫ f n·dA,    f = 1, x, x xᵀ
    /// ```
    pub fn immersed(&self, body: &ClosedMesh) -> Immersed {
        let (n, origin) = (self.normal, self.offset * self.normal);
        let mut aside = Vec3::zeros();
        aside[n.iamin()] = 1.0;
        let first = n.cross(&aside).normalize();
        let along = [first, n.cross(&first)];
        let (mut volume, mut centre) = (0.0, Vec3::zeros());
        // Area, first moments and second moments of the cut, along both directions.
        let (mut area, mut middle, mut second) = (0.0, [0.0; 2], [0.0; 3]);
        let all: Vec<f64> = body.vertices().iter().map(|x| self.depth(*x)).collect();
        let dry = all.iter().all(|d| *d <= 0.0);
        for (k, triangle) in body.triangles().iter().enumerate().filter(|_| !dry) {
            let depths = triangle.map(|v| all[v as usize]);
            if depths.iter().all(|d| *d <= 0.0) {
                continue;
            }
            let (polygon, count) = clipped(body.corners(k), depths, origin);
            for fan in 2..count {
                let [p, q, r] = [polygon[0], polygon[fan - 1], polygon[fan]];
                let (six, sum) = (p.dot(&q.cross(&r)), p + q + r);
                volume += six / 6.0;
                centre += six / 24.0 * sum;
                let flux = -0.5 * n.dot(&(q - p).cross(&(r - p)));
                area += flux;
                let flat = |x: Vec3| [along[0].dot(&x), along[1].dot(&x)];
                let [p, q, r, sum] = [flat(p), flat(q), flat(r), flat(sum)];
                (0..2).for_each(|c| middle[c] += flux / 3.0 * sum[c]);
                for (entry, (i, j)) in second.iter_mut().zip([(0, 0), (1, 1), (0, 1)]) {
                    *entry += flux / 12.0 * (sum[i] * sum[j] + p[i] * p[j] + q[i] * q[j] + r[i] * r[j]);
                }
            }
        }
        if !(volume > 0.0 && area > 0.0) {
            return Immersed { centre: origin, middle: origin, ..Default::default() };
        }
        let [a, b] = along;
        let middle = (middle[0] * a + middle[1] * b) / area;
        let mixed = a * b.transpose();
        let about = second[0] * a * a.transpose()
            + second[1] * b * b.transpose()
            + second[2] * (mixed + mixed.transpose());
        let spread = about - area * middle * middle.transpose();
        Immersed { volume, centre: origin + centre / volume, area, middle: origin + middle, spread }
    }
}

/// The corners of the part of a triangle that is in the ground, from `origin`, and how many they are.
fn clipped(corners: [Vec3; 3], depths: [f64; 3], origin: Vec3) -> ([Vec3; 4], usize) {
    let (mut polygon, mut count) = ([Vec3::zeros(); 4], 0);
    let mut add = |x: Vec3| {
        polygon[count] = x - origin;
        count += 1;
    };
    for k in 0..3 {
        let (a, b, da, db) = (corners[k], corners[(k + 1) % 3], depths[k], depths[(k + 1) % 3]);
        if da > 0.0 {
            add(a);
        }
        if (da > 0.0) != (db > 0.0) {
            add(a + (b - a) * (da / (da - db)));
        }
    }
    (polygon, count)
}

#[cfg(test)]
#[path = "immersed_tests.rs"]
mod tests;
