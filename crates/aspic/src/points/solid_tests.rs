use super::*;

/// A repeatable sequence of numbers between −1 and 1.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn corners(&mut self) -> [Vec3; 4] {
        std::array::from_fn(|_| Vec3::new(self.next(), self.next(), self.next()))
    }
}

/// A tetrahedron with springs of a random matrix that is not negative.
fn tet(noise: &mut Noise) -> Tet {
    let root = SMatrix::<f64, 6, 6>::from_fn(|_, _| noise.next());
    let square = root * root.transpose();
    Tet {
        points: [0, 1, 2, 3],
        springs: [0, 1, 2, 3, 4, 5],
        volume: 0,
        matrix: std::array::from_fn(|i| std::array::from_fn(|j| square[(i, j)])),
        mass: 1.0,
    }
}

/// Rest length of every edge, rest volume, and ∂²P/∂V².
const REST: (f64, f64, f64) = (1.3, 0.2, 7.0);

fn changes(x: &[Vec3; 4]) -> Vec<f64> {
    EDGES.iter().map(|&[i, j]| (x[j] - x[i]).norm() - REST.0).collect()
}

/// ∂P/∂x.
fn slope(tet: &Tet, x: &[Vec3; 4]) -> [Vec3; 4] {
    let (_, pulls) = tet.pulls(&changes(x));
    let mut sum = [Vec3::zeros(); 4];
    for (&[i, j], pull) in EDGES.iter().zip(pulls) {
        let n = (x[j] - x[i]).normalize() * pull;
        sum[i] -= n;
        sum[j] += n;
    }
    let push = REST.2 * (Volume::of(*x) - REST.1) / 6.0;
    let e = [1, 2, 3].map(|corner| x[corner] - x[0]);
    for i in 0..3 {
        let g = e[(i + 1) % 3].cross(&e[(i + 2) % 3]) * push;
        sum[i + 1] += g;
        sum[0] -= g;
    }
    sum
}

fn all(tet: &Tet, x: &[Vec3; 4]) -> Matrix9 {
    let (_, pulls) = tet.pulls(&changes(x));
    tet.stiffness(x, &pulls) + volume_stiffness(x, REST.2 * (Volume::of(*x) - REST.1), REST.2)
}

#[test]
fn the_curvature_of_a_tetrahedron_is_the_slope_of_its_forces() {
    let mut noise = Noise(5);
    for _ in 0..20 {
        let (tet, x, h) = (tet(&mut noise), noise.corners(), 1e-6);
        let blocks = between_corners(&all(&tet, &x));
        let size = blocks.iter().flatten().map(Mat3::norm).fold(0.0, f64::max);
        for (q, axis) in (0..4).flat_map(|q| (0..3).map(move |axis| (q, axis))) {
            let moved = |by: f64| {
                let mut x = x;
                x[q][axis] += by;
                slope(&tet, &x)
            };
            let (low, high) = (moved(-h), moved(h));
            for p in 0..4 {
                let column: Vec3 = (high[p] - low[p]) / (2.0 * h);
                assert!(
                    (column - blocks[p][q].column(axis)).norm() < 1e-7 * size,
                    "{column} {}",
                    blocks[p][q]
                );
            }
        }
    }
}

#[test]
fn raised_curvatures_are_as_negative_as_can_be_borne_and_otherwise_as_they_were() {
    let mut noise = Noise(8);
    for _ in 0..20 {
        let (tet, x) = (tet(&mut noise), noise.corners());
        let matrix = all(&tet, &x);
        let least = matrix.symmetric_eigenvalues().min();
        for borne in [0.0, 0.1, 10.0, 1e4] {
            let raised = raised(matrix, borne);
            let found = raised.symmetric_eigenvalues().min();
            let rounding = 1e-11 * matrix.norm();
            assert!((found - least.max(-borne)).abs() < rounding, "{found} {least} {borne}");
            assert!(least < -borne || (raised - matrix).norm() < rounding);
        }
    }
}
