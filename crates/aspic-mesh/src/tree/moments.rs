//! Moments of the area vectors of a patch of triangles about a centre p, as the expansion of the winding number needs
//! them.
//!
//! With n dA the area vector and y = x − p:
//! N = ∫ n dA,  M = sym ∫ n ⊗ y dA,  S = sym ∫ n ⊗ y ⊗ y dA.
//! Only the symmetric parts enter, since the kernel they are contracted with is a symmetric derivative. Moving the centre
//! by −d, y becomes y + d:  M += sym N⊗d,  S += 2 sym M⊗d + sym N⊗d⊗d.

use aspic::{Mat3, Vec3};

/// The ten components i ≤ j ≤ k of a symmetric tensor of third order.
pub(crate) const TRIPLES: [[usize; 3]; 10] = [
    [0, 0, 0],
    [1, 1, 1],
    [2, 2, 2],
    [0, 0, 1],
    [0, 0, 2],
    [0, 1, 1],
    [1, 1, 2],
    [0, 2, 2],
    [1, 2, 2],
    [0, 1, 2],
];
/// How often each of them occurs in a full contraction.
const TIMES: [f64; 10] = [1.0, 1.0, 1.0, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0, 6.0];

/// Moments about a centre that is kept elsewhere.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Moments {
    /// N
    pub dipole: Vec3,
    /// M
    pub second: Mat3,
    /// S
    pub third: [f64; 10],
}

/// sym K⊗d of a symmetric K.
fn symmetric(matrix: &Mat3, vector: &Vec3) -> [f64; 10] {
    TRIPLES.map(|[i, j, k]| {
        (matrix[(i, j)] * vector[k] + matrix[(i, k)] * vector[j] + matrix[(j, k)] * vector[i]) / 3.0
    })
}

impl Moments {
    /// Of one triangle about `center`.
    pub fn of(corners: &[Vec3; 3], center: &Vec3) -> Moments {
        let dipole = crate::soup::area_vector(corners);
        let [a, b, c] = corners.map(|x| x - center);
        let sum = a + b + c;
        // ∫ y dA = A·sum/3 and ∫ y⊗y dA = A (Σ corner⊗corner + sum⊗sum)/12.
        let first = dipole * (sum / 3.0).transpose();
        let square =
            (a * a.transpose() + b * b.transpose() + c * c.transpose() + sum * sum.transpose()) / 12.0;
        Moments { dipole, second: (first + first.transpose()) / 2.0, third: symmetric(&square, &dipole) }
    }

    /// The same about another centre, from which the old one is at `shift`.
    pub fn moved(&self, shift: &Vec3) -> Moments {
        let product = self.dipole * shift.transpose();
        let product = (product + product.transpose()) / 2.0;
        let (linear, square) = (symmetric(&self.second, shift), symmetric(&product, shift));
        Moments {
            dipole: self.dipole,
            second: self.second + product,
            third: std::array::from_fn(|n| self.third[n] + 2.0 * linear[n] + square[n]),
        }
    }

    /// The sum of two about the same centre.
    pub fn plus(&self, other: &Moments) -> Moments {
        Moments {
            dipole: self.dipole + other.dipole,
            second: self.second + other.second,
            third: std::array::from_fn(|n| self.third[n] + other.third[n]),
        }
    }

    /// 4π times the winding number seen from a point from which the centre is at r:
    /// with R = |r|,  N·r/R³ + tr M/R³ − 3 r·Mr/R⁵ + ½ (15 S:rrr/R⁷ − 9 T·r/R⁵),  T_k = S_iik.
    pub fn seen_from(&self, r: &Vec3) -> f64 {
        let square = r.norm_squared();
        let cube = 1.0 / (square * square.sqrt());
        let fifth = cube / square;
        let s = &self.third;
        let trace = Vec3::new(s[0] + s[5] + s[7], s[1] + s[3] + s[8], s[2] + s[4] + s[6]);
        let full: f64 = (0..10)
            .map(|n| {
                let [i, j, k] = TRIPLES[n];
                TIMES[n] * s[n] * r[i] * r[j] * r[k]
            })
            .sum();
        (self.dipole.dot(r) + self.second.trace()) * cube - 3.0 * r.dot(&(self.second * r)) * fifth
            + 0.5 * fifth * (15.0 * full / square - 9.0 * trace.dot(r))
    }
}
