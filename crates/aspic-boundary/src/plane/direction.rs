//! Directions in which given values and unknowns are exchanged.

/// What is exchanged: one column, or a unit vector across up to three neighbouring ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Direction {
    first: usize,
    count: usize,
    weights: [f64; 3],
}

impl Direction {
    /// One column.
    pub fn column(index: usize) -> Direction {
        Direction { first: index, count: 1, weights: [1.0, 0.0, 0.0] }
    }

    /// A unit vector along `axis` in the columns from `first` on. One without length counts as the first column.
    pub fn across<const D: usize>(first: usize, axis: [f64; D]) -> Direction {
        const { assert!(D > 0 && D <= 3) };
        let length = axis.iter().map(|a| a * a).sum::<f64>().sqrt();
        let others = axis[1..].iter().all(|a| *a == 0.0);
        if others || !(length > 0.0 && length.is_finite()) {
            let sign = if axis[0] < 0.0 { -1.0 } else { 1.0 };
            return Direction { weights: [sign, 0.0, 0.0], ..Direction::column(first) };
        }
        let mut weights = [0.0; 3];
        weights.iter_mut().zip(axis).for_each(|(w, a)| *w = a / length);
        Direction { first, count: D, weights }
    }

    /// Columns and weights.
    pub fn entries(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        (0..self.count).map(|k| (self.first + k, self.weights[k]))
    }

    /// The component of a vector along this direction.
    pub fn of(&self, vector: &[f64]) -> f64 {
        self.entries().map(|(j, w)| w * vector[j]).sum()
    }

    /// Adds `amount` along this direction.
    pub fn add(&self, amount: f64, vector: &mut [f64]) {
        self.entries().for_each(|(j, w)| vector[j] += w * amount);
    }

    /// The column, if it is only one.
    pub fn as_column(&self) -> Option<usize> {
        (self.count == 1).then_some(self.first)
    }

    /// The column after the last one.
    pub fn end(&self) -> usize {
        self.first + self.count
    }
}
