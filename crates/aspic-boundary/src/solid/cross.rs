//! Adaptive cross approximation with partial pivoting (Bebendorf 2000): a block of low rank from a few of its rows and
//! columns, A ≈ Σ u_k v_kᵀ.

use faer::Mat;

/// Two full convergence checks on rows that were not looked at must pass: vector kernels can have rows that know nothing of
/// a part of the block.
const PROBES: usize = 2;

/// Factors of a block, u and v of each cross in turn.
#[derive(Clone, Debug, Default)]
pub struct Crosses {
    /// Columns and rows of the crosses.
    pub pairs: Vec<(Vec<f64>, Vec<f64>)>,
}

impl Crosses {
    /// The same sum with as few crosses as the tolerance allows: the greatest singular values.
    pub fn thinned(self, tolerance: f64) -> Crosses {
        let Some((u, v)) = self.pairs.first() else {
            return self;
        };
        let rank = self.pairs.len();
        let left = Mat::from_fn(u.len(), rank, |i, k| self.pairs[k].0[i]).qr();
        let right = Mat::from_fn(v.len(), rank, |i, k| self.pairs[k].1[i]).qr();
        let Ok(core) = (left.thin_R() * right.thin_R().transpose()).svd() else {
            return self;
        };
        let values: Vec<f64> = core.S().column_vector().iter().copied().collect();
        let limit = tolerance * tolerance * values.iter().map(|s| s * s).sum::<f64>();
        let mut lost = 0.0;
        let cut = values.iter().rev().take_while(|s| {
            lost += **s * **s;
            lost <= limit
        });
        let kept = rank - cut.count();
        let left = left.compute_thin_Q() * core.U().subcols(0, kept);
        let right = right.compute_thin_Q() * core.V().subcols(0, kept);
        let column = |matrix: &Mat<f64>, k: usize, factor: f64| -> Vec<f64> {
            matrix.col(k).iter().map(|x| x * factor).collect()
        };
        Crosses { pairs: (0..kept).map(|k| (column(&left, k, values[k]), column(&right, k, 1.0))).collect() }
    }
}

/// Approximates a block of `rows` × `columns` to the part `tolerance` of its norm. Nothing when that takes as
/// many crosses as there are rows or columns. `row` and `column` write one of it.
pub fn approximate(
    rows: usize,
    columns: usize,
    tolerance: f64,
    mut row: impl FnMut(usize, &mut [f64]),
    mut column: impl FnMut(usize, &mut [f64]),
) -> Option<Crosses> {
    let most = rows.min(columns);
    let mut crosses = Crosses::default();
    let (mut used, mut square, mut pivot, mut probes) = (vec![false; rows], 0f64, 0, 0);
    loop {
        used[pivot] = true;
        let mut v = vec![0.0; columns];
        row(pivot, &mut v);
        crosses.pairs.iter().for_each(|(u, other)| subtract(u[pivot], other, &mut v));
        let j = greatest(&v, |_| true).unwrap_or(0);
        let small = norm(&v) * (rows as f64).sqrt() <= tolerance * square.max(0.0).sqrt();
        if v[j] != 0.0 && !(probes > 0 && small) {
            let factor = v[j].recip();
            v.iter_mut().for_each(|x| *x *= factor);
            let mut u = vec![0.0; rows];
            column(j, &mut u);
            crosses.pairs.iter().for_each(|(other, v)| subtract(v[j], other, &mut u));
            let size = norm(&u) * norm(&v);
            let inner: f64 = crosses.pairs.iter().map(|(a, b)| dot(a, &u) * dot(b, &v)).sum();
            square += size * size + 2.0 * inner;
            let next = greatest(&u, |i| !used[i]);
            crosses.pairs.push((u, v));
            if crosses.pairs.len() > most {
                return None;
            }
            if size > tolerance * square.max(0.0).sqrt() {
                probes = 0;
                match next {
                    Some(i) => pivot = i,
                    None => return Some(crosses),
                }
                continue;
            }
        }
        probes += 1;
        // Another row far from those that were used, and of another axis.
        let unused = (0..rows).map(|k| (pivot + rows / 2 + 1 + k) % rows).find(|&i| !used[i]);
        match unused {
            Some(i) if probes <= PROBES => pivot = i,
            _ => return Some(crosses),
        }
    }
}

fn greatest(values: &[f64], allowed: impl Fn(usize) -> bool) -> Option<usize> {
    (0..values.len()).filter(|&i| allowed(i)).max_by(|&a, &b| values[a].abs().total_cmp(&values[b].abs()))
}

fn subtract(factor: f64, x: &[f64], y: &mut [f64]) {
    y.iter_mut().zip(x).for_each(|(y, x)| *y -= factor * x);
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}
