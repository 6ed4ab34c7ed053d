//! The inside of a body as a few nodes more: what is neither told by its surface nor carried by it.
//!
//! Inside, the motion is that of the surface continued harmonically plus bubbles, which are zero on the surface:
//!
//! ```text
//! u = Σ φ_i u_i + Σ χ_j c_j      χ_j = ψ_j − Σ_i P_ij φ_i      ψ_j = r² | r² x, r² y, r² z | r² h₂, r⁴
//! ```
//!
//! with the harmonic polynomials h₂ of degree 2, and P ψ the trace of ψ in the mean: linear on triangles, with the least
//! squares of ψ − P ψ. Together φ and ψ hold all polynomials of degree 2, 3 or 4. The mass matrix is
//! the same for all axes, like that of tetrahedra. The energy of u is that of equilibrium, ½ uᵀ K u of the surface, and that
//! of what differs from it, which is zero on the surface. Of that the part in the span of the bubbles is kept:
//!
//! ```text
//! E = ½ uᵀ K u + ½ (c + G u)ᵀ A (c + G u)       A = a(χ, χ)      A G = C = a(χ, φ)
//! ```
//!
//! so that in equilibrium c = −G u and nothing changes. Since χ vanishes on the surface and φ is harmonic,
//!
//! ```text
//! A_jk = μ I ∫ ∇χ_j·∇χ_k + (λ + μ) ∫ ∇χ_j ∇χ_kᵀ          C_ji = (λ + μ) ∫ ∇χ_j ∇φ_iᵀ
//! ```
//!
//! are symmetric 3 × 3 blocks. With ∇²Ψ = ψ, a polynomial, and the slopes q = ∂ₙφ, even on each triangle, all is on the
//! surface: ∫ φ p = ∫ φ ∂ₙw − w q dS for any polynomial p = ∇²w, polynomials by the divergence theorem, and for two
//! harmonic functions from T = ∇h ∇φᵀ + ∇φ ∇hᵀ − (∇h·∇φ) I, which has no divergence, ∫ T dV = ∫ x (T n)ᵀ dS.

use faer::linalg::solvers::Solve;
use faer::{Mat, Side};

use crate::solid::layers::Layers;
use crate::solid::panel::Panel;
use crate::solid::polynomial::Polynomial;
use crate::solid::quadrature::Rule;
use crate::solid::{Mat3, Medium, Surface, Vec3};

/// The part of a bubble that may be left on the surface.
const HELD: f64 = 0.35;

/// One ψ with Ψ, in units of the body's size.
struct Bubble {
    degree: usize,
    value: Polynomial,
    gradient: [Polynomial; 3],
    hessian: [[Polynomial; 3]; 3],
    /// Ψ, its gradient, and its second derivatives with their gradients.
    deep: Polynomial,
    deep_gradient: [Polynomial; 3],
    second: [[Polynomial; 3]; 3],
    third: [[[Polynomial; 3]; 3]; 3],
}

impl Bubble {
    /// r^2a h with h harmonic of degree l: Ψ = r^(2a+2) h / ((2a + 2) (2a + 2l + 3)).
    fn new(power: usize, harmonic: &Polynomial, l: usize) -> Bubble {
        let raised = |n: usize| (0..n).fold(harmonic.clone(), |p, _| p.times(&Polynomial::square()));
        let value = raised(power);
        let (a, l2) = (2.0 * power as f64, 2.0 * l as f64);
        let deep = raised(power + 1).scaled(1.0 / ((a + 2.0) * (a + l2 + 3.0)));
        let deep_gradient = deep.gradient();
        let second = deep_gradient.clone().map(|p| p.gradient());
        let third = second.clone().map(|row| row.map(|p| p.gradient()));
        let gradient = value.gradient();
        let hessian = gradient.clone().map(|p| p.gradient());
        Bubble { degree: 2 * power + l, value, gradient, hessian, deep, deep_gradient, second, third }
    }

    /// One, four and ten of them hold what polynomials of degree 2, 3 and 4 are not harmonic.
    fn all() -> Vec<Bubble> {
        let [constant, linear, square, _, _] = harmonics();
        let make = |power: usize, harmonics: &[Polynomial], l: usize| -> Vec<Bubble> {
            harmonics.iter().map(|h| Bubble::new(power, h, l)).collect()
        };
        let mut bubbles = make(1, &constant, 0);
        bubbles.extend(make(1, &linear, 1));
        bubbles.extend(make(1, &square, 2));
        bubbles.extend(make(2, &constant, 0));
        bubbles
    }
}

/// The harmonic polynomials of degree 0, 1, 2, 3 and 4.
fn harmonics() -> [Vec<Polynomial>; 5] {
    let all = |list: &[&[([u8; 3], f64)]]| list.iter().map(|terms| Polynomial::new(terms)).collect();
    [
        all(&[&[([0, 0, 0], 1.0)]]),
        all(&[&[([1, 0, 0], 1.0)], &[([0, 1, 0], 1.0)], &[([0, 0, 1], 1.0)]]),
        all(&[
            &[([1, 1, 0], 1.0)],
            &[([0, 1, 1], 1.0)],
            &[([1, 0, 1], 1.0)],
            &[([2, 0, 0], 1.0), ([0, 0, 2], -1.0)],
            &[([0, 2, 0], 1.0), ([0, 0, 2], -1.0)],
        ]),
        all(&[
            &[([1, 1, 1], 1.0)],
            &[([2, 1, 0], 1.0), ([0, 1, 2], -1.0)],
            &[([0, 2, 1], 1.0), ([2, 0, 1], -1.0)],
            &[([1, 0, 2], 1.0), ([1, 2, 0], -1.0)],
            &[([3, 0, 0], 1.0), ([1, 2, 0], -3.0)],
            &[([0, 3, 0], 1.0), ([0, 1, 2], -3.0)],
            &[([0, 0, 3], 1.0), ([2, 0, 1], -3.0)],
        ]),
        all(&[
            &[([3, 1, 0], 1.0), ([1, 3, 0], -1.0)],
            &[([0, 3, 1], 1.0), ([0, 1, 3], -1.0)],
            &[([1, 0, 3], 1.0), ([3, 0, 1], -1.0)],
            &[([4, 0, 0], 1.0), ([2, 2, 0], -6.0), ([0, 4, 0], 1.0)],
            &[([0, 4, 0], 1.0), ([0, 2, 2], -6.0), ([0, 0, 4], 1.0)],
            &[([0, 0, 4], 1.0), ([2, 0, 2], -6.0), ([4, 0, 0], 1.0)],
            &[([1, 1, 2], 6.0), ([3, 1, 0], -1.0), ([1, 3, 0], -1.0)],
            &[([2, 1, 1], 6.0), ([0, 3, 1], -1.0), ([0, 1, 3], -1.0)],
            &[([1, 2, 1], 6.0), ([1, 0, 3], -1.0), ([3, 0, 1], -1.0)],
        ]),
    ]
}

/// The surface in units of its size about its centroid, with the slopes of harmonic functions.
struct Scaled {
    panels: Vec<Panel>,
    triangles: Vec<[u32; 3]>,
    vertices: Vec<Vec3>,
    /// q of φ  (m × n)
    slopes: Mat<f64>,
}

/// Products of bubbles with each other and with the functions of the surface, in m and kg/ρ.
pub struct Inside {
    /// ∫ φ_i χ_j dV  \[m³\]  (n × b)
    pub mixed_mass: Mat<f64>,
    /// ∫ χ_j χ_k dV  \[m³\]  (b × b)
    pub own_mass: Mat<f64>,
    /// ∫ (ψ_j − P ψ_j) (ψ_k − P ψ_k) dS over the area: what of the bubbles the mesh leaves on the surface  (b × b)
    pub left: Mat<f64>,
    /// The harmonic polynomials up to degree 4 at the vertices  (n × 25)
    pub smooth: Mat<f64>,
    /// C  \[N/m\]  (3b × 3n)
    pub mixed: Mat<f64>,
    /// A  \[N/m\]  (3b × 3b)
    pub own: Mat<f64>,
}

impl Inside {
    /// For a body of a medium; `mass` is ∫ φ_i φ_k dV \[m³\].
    pub fn new(surface: &Surface, medium: &Medium, layers: &Layers, mass: &Mat<f64>) -> Option<Inside> {
        let length = 0.5 * surface.size();
        let scaled = Scaled::new(surface, layers, length)?;
        let bubbles = Bubble::all();
        let (traces, left) = scaled.traces(&bubbles)?;
        let cube = length.powi(3);
        let straight = scaled.mass_of(&bubbles) * faer::Scale(cube);
        let mixed_mass = &straight - mass * &traces;
        let overlap = traces.transpose() * &straight;
        let own = scaled.moments(&bubbles) * faer::Scale(cube);
        let own_mass = own - &overlap - overlap.transpose() + traces.transpose() * mass * &traces;
        let gradients = Gradients::new(&scaled, &bubbles, &traces);
        let (stiff, mu) = ((medium.lame() + medium.shear()) * length, medium.shear() * length);
        let mixed = spread(&gradients.mixed, |block| block * stiff);
        let own = spread(&gradients.own, |block| block * stiff + Mat3::identity() * (mu * block.trace()));
        let harmonic: Vec<Polynomial> = harmonics().into_iter().flatten().collect();
        let smooth = Mat::from_fn(scaled.vertices.len(), harmonic.len(), |i, k| {
            harmonic[k].value(&scaled.vertices[i])
        });
        Some(Inside { mixed_mass, own_mass, left, smooth, mixed, own })
    }
}

impl Inside {
    /// Whether the mesh holds the first bubbles on the surface: in no mix of them is more than a part of its root mean
    /// square inside left there.
    pub fn held(&self, count: usize, volume: f64) -> bool {
        let room = Mat::from_fn(count, count, |i, j| {
            HELD * HELD * self.own_mass[(i, j)] / volume - self.left[(i, j)]
        });
        room.llt(Side::Lower).is_ok()
    }

    /// The first bubbles alone.
    pub fn first(&self, count: usize) -> Inside {
        let cut = |m: &Mat<f64>, rows: usize, columns: usize| m.submatrix(0, 0, rows, columns).to_owned();
        Inside {
            mixed_mass: cut(&self.mixed_mass, self.mixed_mass.nrows(), count),
            own_mass: cut(&self.own_mass, count, count),
            left: cut(&self.left, count, count),
            smooth: self.smooth.clone(),
            mixed: cut(&self.mixed, 3 * count, self.mixed.ncols()),
            own: cut(&self.own, 3 * count, 3 * count),
        }
    }
}

/// A matrix from blocks.
fn spread(blocks: &[Vec<Mat3>], each: impl Fn(&Mat3) -> Mat3) -> Mat<f64> {
    let columns = blocks.first().map_or(0, Vec::len);
    Mat::from_fn(3 * blocks.len(), 3 * columns, |i, j| each(&blocks[i / 3][j / 3])[(i % 3, j % 3)])
}

impl Scaled {
    fn new(surface: &Surface, layers: &Layers, length: f64) -> Option<Scaled> {
        let vertices: Vec<Vec3> =
            surface.vertices().iter().map(|x| (x - surface.centroid()) / length).collect();
        let triangles = surface.triangles().to_vec();
        let panels: Vec<Panel> =
            triangles.iter().map(|t| Panel::new(t.map(|v| vertices[v as usize]))).collect();
        // q = S⁻¹ (½ M + L) with S = A/4π, of length³ and length².
        let mut double = &layers.double * faer::Scale(1.0 / length.powi(2));
        for (k, corners) in triangles.iter().enumerate() {
            corners.iter().for_each(|&v| double[(k, v as usize)] += panels[k].area / 6.0);
        }
        let single = &layers.inverse * faer::Scale(1.0 / (4.0 * std::f64::consts::PI * length.powi(3)));
        let slopes = single.llt(Side::Lower).ok()?.solve(&double);
        Some(Scaled { panels, triangles, vertices, slopes })
    }

    /// Calls `visit` with the number of a triangle, a point on it, its weights and its area.
    fn points(&self, mut visit: impl FnMut(usize, Vec3, &[f64; 3], f64)) {
        let rule = Rule::sixteen();
        for (k, panel) in self.panels.iter().enumerate() {
            rule.points.iter().for_each(|(shape, w)| visit(k, panel.point(shape), shape, w * panel.area));
        }
    }

    /// P and what it leaves: P ψ = S⁻¹ ∫ N ψ dS with S = ∫ N Nᵀ dS.
    fn traces(&self, bubbles: &[Bubble]) -> Option<(Mat<f64>, Mat<f64>)> {
        let (n, b) = (self.vertices.len(), bubbles.len());
        let [mut products, mut weighted, mut squares] =
            [Mat::<f64>::zeros(n, n), Mat::zeros(n, b), Mat::zeros(b, b)];
        let area: f64 = self.panels.iter().map(|panel| panel.area).sum();
        for (panel, corners) in self.panels.iter().zip(&self.triangles) {
            for i in corners.map(|v| v as usize) {
                corners.iter().for_each(|&k| products[(i, k as usize)] += panel.area / 12.0);
                products[(i, i)] += panel.area / 12.0;
            }
        }
        self.points(|k, x, shape, weight| {
            let values: Vec<f64> = bubbles.iter().map(|bubble| bubble.value.value(&x)).collect();
            for j in 0..b {
                for c in 0..3 {
                    weighted[(self.triangles[k][c] as usize, j)] += weight * shape[c] * values[j];
                }
                (0..b).for_each(|i| squares[(i, j)] += weight * values[i] * values[j]);
            }
        });
        let traces = products.llt(Side::Lower).ok()?.solve(&weighted);
        let left = (squares - traces.transpose() * weighted) * faer::Scale(1.0 / area);
        Some((traces, left))
    }

    /// ∫ φ_i ψ_j dV = ∫ N_i ∂ₙΨ_j − q_i Ψ_j dS  (n × b)
    fn mass_of(&self, bubbles: &[Bubble]) -> Mat<f64> {
        let (n, b) = (self.vertices.len(), bubbles.len());
        let (mut sum, mut values) = (Mat::<f64>::zeros(n, b), Mat::<f64>::zeros(self.panels.len(), b));
        self.points(|k, x, shape, weight| {
            for (j, bubble) in bubbles.iter().enumerate() {
                let slope = value3(&bubble.deep_gradient, &x).dot(&self.panels[k].normal);
                values[(k, j)] += weight * bubble.deep.value(&x);
                for c in 0..3 {
                    sum[(self.triangles[k][c] as usize, j)] += weight * shape[c] * slope;
                }
            }
        });
        sum - self.slopes.transpose() * values
    }

    /// ∫ ψ_j ψ_k dV = ∫ ψ_j ψ_k x·n dS / (degree + 3)  (b × b)
    fn moments(&self, bubbles: &[Bubble]) -> Mat<f64> {
        let b = bubbles.len();
        let mut sum = Mat::<f64>::zeros(b, b);
        self.points(|k, x, _, weight| {
            let across = weight * x.dot(&self.panels[k].normal);
            let values: Vec<f64> = bubbles.iter().map(|bubble| bubble.value.value(&x)).collect();
            for i in 0..b {
                for j in 0..b {
                    let degree = (bubbles[i].degree + bubbles[j].degree) as f64;
                    sum[(i, j)] += across * values[i] * values[j] / (degree + 3.0);
                }
            }
        });
        sum
    }
}

/// The values of three polynomials.
fn value3(polynomials: &[Polynomial; 3], x: &Vec3) -> Vec3 {
    Vec3::from_fn(|a, _| polynomials[a].value(x))
}

/// Products of gradients, symmetric 3 × 3 blocks.
struct Gradients {
    /// ∫ ∇χ_j ∇φ_iᵀ dV, without trace  (b × n)
    mixed: Vec<Vec<Mat3>>,
    /// ∫ ∇χ_j ∇χ_kᵀ dV  (b × b)
    own: Vec<Vec<Mat3>>,
}

impl Gradients {
    /// ∫ ∇χ_j ∇χ_kᵀ = −∫ χ_j ∇∇ψ_k − Σ P_ik ∫ ∇χ_j ∇φ_iᵀ. The first part, which has all of the trace, is a mass.
    fn new(scaled: &Scaled, bubbles: &[Bubble], traces: &Mat<f64>) -> Gradients {
        let (n, b) = (scaled.vertices.len(), bubbles.len());
        let curved: Vec<Vec<Mat3>> = bubbles.iter().map(|bubble| curved(scaled, bubble)).collect();
        let both = inner(scaled, bubbles);
        let mixed: Vec<Vec<Mat3>> = (0..b)
            .map(|j| {
                let (rim, harmonic) = (rim(scaled, &bubbles[j]), harmonic(scaled, traces, j, &bubbles[j]));
                let each = |i: usize| {
                    let whole = rim[i] - curved[j][i] - harmonic[i];
                    whole - Mat3::identity() * (whole.trace() / 3.0)
                };
                (0..n).map(each).collect()
            })
            .collect();
        let along = |row: &[Mat3], k: usize| -> Mat3 { (0..n).map(|i| row[i] * traces[(i, k)]).sum() };
        let half = |j: usize, k: usize| along(&curved[k], j) - both[j][k] - along(&mixed[j], k);
        let own = |j: usize, k: usize| (half(j, k) + half(k, j)) * 0.5;
        let own = (0..b).map(|j| (0..b).map(|k| own(j, k)).collect()).collect();
        Gradients { mixed, own }
    }
}

/// ∫ N_i sym(∇ψ nᵀ) dS
fn rim(scaled: &Scaled, bubble: &Bubble) -> Vec<Mat3> {
    let mut sum = vec![Mat3::zeros(); scaled.vertices.len()];
    scaled.points(|k, x, shape, weight| {
        let outer = value3(&bubble.gradient, &x) * scaled.panels[k].normal.transpose();
        let part = (outer + outer.transpose()) * (0.5 * weight);
        (0..3).for_each(|c| sum[scaled.triangles[k][c] as usize] += part * shape[c]);
    });
    sum
}

/// ∫ φ_i ∇∇ψ dV = ∫ N_i ∂ₙ∇∇Ψ − q_i ∇∇Ψ dS
fn curved(scaled: &Scaled, bubble: &Bubble) -> Vec<Mat3> {
    let (n, m) = (scaled.vertices.len(), scaled.panels.len());
    let (mut sum, mut values) = (vec![Mat3::zeros(); n], vec![Mat3::zeros(); m]);
    scaled.points(|k, x, shape, weight| {
        let normal = scaled.panels[k].normal;
        let part = Mat3::from_fn(|a, c| value3(&bubble.third[a][c], &x).dot(&normal)) * weight;
        values[k] += Mat3::from_fn(|a, c| bubble.second[a][c].value(&x)) * weight;
        (0..3).for_each(|c| sum[scaled.triangles[k][c] as usize] += part * shape[c]);
    });
    for (i, sum) in sum.iter_mut().enumerate() {
        *sum -= (0..m).map(|k| values[k] * scaled.slopes[(k, i)]).sum::<Mat3>();
    }
    sum
}

/// ½ ∫ ∇h ∇φ_iᵀ + ∇φ_i ∇hᵀ dV = ½ ∫ sym(x (T n)ᵀ) + I h ∂ₙφ_i dS for the harmonic function h with the trace of ψ_j, whose
/// gradient along the surface is that of ψ_j.
fn harmonic(scaled: &Scaled, traces: &Mat<f64>, j: usize, bubble: &Bubble) -> Vec<Mat3> {
    let (n, m) = (scaled.vertices.len(), scaled.panels.len());
    let slopes = &scaled.slopes * traces.col(j);
    // What ∂ₙφ alone gives on each triangle, and what the gradient along it gives.
    let (mut by_slope, mut sum) = (vec![Mat3::zeros(); m], vec![Mat3::zeros(); n]);
    scaled.points(|k, x, _, weight| {
        let panel = &scaled.panels[k];
        let (normal, full) = (panel.normal, value3(&bubble.gradient, &x));
        let gradient = full + normal * (slopes[k] - full.dot(&normal));
        let place = |flux: Vec3| {
            let product = x * flux.transpose();
            (product + product.transpose()) * (0.25 * weight)
        };
        by_slope[k] += place(gradient) + Mat3::identity() * (0.5 * weight * bubble.value.value(&x));
        for (slope, &corner) in panel.slopes.iter().zip(&scaled.triangles[k]) {
            sum[corner as usize] += place(slope * slopes[k] - normal * gradient.dot(slope));
        }
    });
    for (i, sum) in sum.iter_mut().enumerate() {
        *sum += (0..m).map(|k| by_slope[k] * scaled.slopes[(k, i)]).sum::<Mat3>();
    }
    sum
}

/// ∫ ψ_j ∇∇ψ_k dV  (b × b)
fn inner(scaled: &Scaled, bubbles: &[Bubble]) -> Vec<Vec<Mat3>> {
    let b = bubbles.len();
    let mut sum = vec![vec![Mat3::zeros(); b]; b];
    scaled.points(|k, x, _, weight| {
        let across = weight * x.dot(&scaled.panels[k].normal);
        let values: Vec<f64> = bubbles.iter().map(|bubble| bubble.value.value(&x)).collect();
        let hessians: Vec<Mat3> =
            bubbles.iter().map(|bubble| Mat3::from_fn(|a, c| bubble.hessian[a][c].value(&x))).collect();
        for i in 0..b {
            for j in 0..b {
                let degree = (bubbles[i].degree + bubbles[j].degree) as f64;
                sum[i][j] += hessians[j] * (across * values[i] / (degree + 1.0));
            }
        }
    });
    sum
}
