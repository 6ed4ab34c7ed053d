//! Between memory, where each node is a row, and registers, where each coordinate is a pack.
//!
//! A row is one load or one store, so eight tetrahedra cost a few whole-register shuffles per corner instead of
//! one access per number.

use wide::{f64x4, u64x8};

use crate::lanes::{LANES, Lanes};

/// A new pack of the lanes that `index` names: 0 to 7 are those of `a`, 8 to 15 those of `b`.
///
/// Written as below for other machines, the compiler takes the shuffles apart number by number.
#[cfg(target_feature = "avx512f")]
#[allow(unsafe_code)]
#[inline(always)]
fn pick(a: Lanes, b: Lanes, index: [usize; LANES]) -> Lanes {
    use std::arch::x86_64::{_mm512_permutex2var_pd, _mm512_setr_epi64};
    let [i, j, k, l, m, n, o, p] = index.map(|lane| lane as i64);
    // SAFETY: both functions only need AVX-512F, and this one exists only in programs compiled for machines that
    // have it. They touch no memory, and every index is valid: the machine reads its lowest four bits.
    unsafe { _mm512_permutex2var_pd(a.into(), _mm512_setr_epi64(i, j, k, l, m, n, o, p), b.into()).into() }
}

/// A new pack of the lanes that `index` names: 0 to 7 are those of `a`, 8 to 15 those of `b`.
#[cfg(not(target_feature = "avx512f"))]
#[inline(always)]
fn pick(a: Lanes, b: Lanes, index: [usize; LANES]) -> Lanes {
    let (a, b) = (a.to_array(), b.to_array());
    Lanes::new(index.map(|i| if i < LANES { a[i] } else { b[i - LANES] }))
}

/// As [`pick`], with an index that the compiler does not know. It cannot break the shuffle up into others then.
#[cfg(target_feature = "avx512f")]
#[allow(unsafe_code)]
#[inline(always)]
fn pick_by(a: Lanes, b: Lanes, index: &u64x8) -> Lanes {
    use std::arch::x86_64::_mm512_permutex2var_pd;
    // SAFETY: as above; the machine reads the lowest four bits of every index, so that each is valid.
    unsafe { _mm512_permutex2var_pd(a.into(), (*index).into(), b.into()).into() }
}

/// As [`pick`], with an index that the compiler does not know.
#[cfg(not(target_feature = "avx512f"))]
#[inline(always)]
fn pick_by(a: Lanes, b: Lanes, index: &u64x8) -> Lanes {
    pick(a, b, index.to_array().map(|i| i as usize % (2 * LANES)))
}

/// The even lanes of `a` and `b`, alternating.
#[inline(always)]
fn even(a: Lanes, b: Lanes) -> Lanes {
    pick(a, b, [0, 8, 2, 10, 4, 12, 6, 14])
}

/// The odd lanes of `a` and `b`, alternating.
#[inline(always)]
fn odd(a: Lanes, b: Lanes) -> Lanes {
    pick(a, b, [1, 9, 3, 11, 5, 13, 7, 15])
}

/// Pairs 0 and 2 of `a`, then those of `b`.
#[inline(always)]
fn even_pairs(a: Lanes, b: Lanes) -> Lanes {
    pick(a, b, [0, 1, 4, 5, 8, 9, 12, 13])
}

/// Pairs 1 and 3 of `a`, then those of `b`.
#[inline(always)]
fn odd_pairs(a: Lanes, b: Lanes) -> Lanes {
    pick(a, b, [2, 3, 6, 7, 10, 11, 14, 15])
}

/// Eight rows x y z · u v w · as the packs \[\[x, y, z\], \[u, v, w\]\]. A dot stands for any number.
#[inline(always)]
pub fn columns(rows: [Lanes; LANES]) -> [[Lanes; 3]; 2] {
    let [a, b, c, d, e, f, g, h] = rows;
    // each pair of lanes below holds one letter of two neighbouring rows
    let (xzuw0, xzuw1, xzuw2, xzuw3) = (even(a, b), even(c, d), even(e, f), even(g, h));
    let (yv0, yv1, yv2, yv3) = (odd(a, b), odd(c, d), odd(e, f), odd(g, h));
    let (xu0, xu1) = (even_pairs(xzuw0, xzuw1), even_pairs(xzuw2, xzuw3));
    let (zw0, zw1) = (odd_pairs(xzuw0, xzuw1), odd_pairs(xzuw2, xzuw3));
    let (yv0, yv1) = (even_pairs(yv0, yv1), even_pairs(yv2, yv3));
    [
        [even_pairs(xu0, xu1), even_pairs(yv0, yv1), even_pairs(zw0, zw1)],
        [odd_pairs(xu0, xu1), odd_pairs(yv0, yv1), odd_pairs(zw0, zw1)],
    ]
}

/// How [`row_pairs`] shuffles; kept in memory, out of the compiler's sight.
#[derive(Clone, Copy, Debug)]
pub struct Spread([u64x8; 4]);

impl Default for Spread {
    fn default() -> Self {
        Spread::new()
    }
}

impl Spread {
    /// The only one there is.
    pub fn new() -> Spread {
        std::hint::black_box(Spread([
            u64x8::new([0, 1, 8, 8, 2, 3, 10, 10]),
            u64x8::new([0, 1, 9, 9, 2, 3, 11, 11]),
            u64x8::new([4, 5, 12, 12, 6, 7, 14, 14]),
            u64x8::new([4, 5, 13, 13, 6, 7, 15, 15]),
        ]))
    }
}

/// The packs x, y, z as rows x y z ·, two in a register: rows 0 and 2, 1 and 3, 4 and 6, 5 and 7.
#[inline(always)]
pub fn row_pairs(Spread(index): &Spread, [x, y, z]: [Lanes; 3]) -> [Lanes; 4] {
    let (even, odd) = (even(x, y), odd(x, y));
    [
        pick_by(even, z, &index[0]),
        pick_by(odd, z, &index[1]),
        pick_by(even, z, &index[2]),
        pick_by(odd, z, &index[3]),
    ]
}

/// The lanes that each register of [`row_pairs`] holds.
pub const ROW_PAIRS: [[usize; 2]; 4] = [[0, 2], [1, 3], [4, 6], [5, 7]];

/// Rows in twos, as [`row_pairs`] has them, as the packs x, y, z.
#[inline(always)]
pub fn from_row_pairs([a, b, c, d]: [Lanes; 4]) -> [Lanes; 3] {
    let (xz0, xz1, y0, y1) = (even(a, b), even(c, d), odd(a, b), odd(c, d));
    [even_pairs(xz0, xz1), even_pairs(y0, y1), odd_pairs(xz0, xz1)]
}

/// Eight packs of entries as eight rows, one per lane: the transpose.
#[inline(always)]
pub fn transpose(entries: [Lanes; 8]) -> [Lanes; LANES] {
    let [a, b, c, d, e, f, g, h] = entries;
    // lanes 0 4, 2 6, 1 5 and 3 7 of four entries
    let four = |a, b, c, d| {
        let (even_ab, even_cd, odd_ab, odd_cd) = (even(a, b), even(c, d), odd(a, b), odd(c, d));
        [(even_ab, even_cd), (odd_ab, odd_cd)]
            .map(|(x, y)| [pick(x, y, [0, 1, 8, 9, 4, 5, 12, 13]), pick(x, y, [2, 3, 10, 11, 6, 7, 14, 15])])
    };
    let ([[l04, l26], [l15, l37]], [[h04, h26], [h15, h37]]) = (four(a, b, c, d), four(e, f, g, h));
    let low = |x, y| pick(x, y, [0, 1, 2, 3, 8, 9, 10, 11]);
    let high = |x, y| pick(x, y, [4, 5, 6, 7, 12, 13, 14, 15]);
    [
        low(l04, h04),
        low(l15, h15),
        low(l26, h26),
        low(l37, h37),
        high(l04, h04),
        high(l15, h15),
        high(l26, h26),
        high(l37, h37),
    ]
}

/// Two rows in one register.
#[inline(always)]
pub fn both(first: f64x4, second: f64x4) -> Lanes {
    let ([a, b, c, d], [e, f, g, h]) = (first.to_array(), second.to_array());
    Lanes::new([a, b, c, d, e, f, g, h])
}

/// The two rows of a register.
#[inline(always)]
pub fn halves(pair: Lanes) -> [f64x4; 2] {
    let [a, b, c, d, e, f, g, h] = pair.to_array();
    [f64x4::new([a, b, c, d]), f64x4::new([e, f, g, h])]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_the_transpose_of_the_rows() {
        let number = |row: usize, letter: usize| (10 * row + letter) as f64;
        let rows = std::array::from_fn(|row| Lanes::new(std::array::from_fn(|letter| number(row, letter))));
        let columns = columns(rows);
        for (row, letter) in (0..8).flat_map(|row| (0..3).map(move |letter| (row, letter))) {
            assert_eq!(columns[0][letter].to_array()[row], number(row, letter));
            assert_eq!(columns[1][letter].to_array()[row], number(row, letter + 4));
        }
    }

    #[test]
    fn rows_of_entries_are_their_lanes() {
        let number = |entry: usize, lane: usize| (10 * entry + lane) as f64;
        let entries = std::array::from_fn(|e| Lanes::new(std::array::from_fn(|lane| number(e, lane))));
        for (lane, row) in transpose(entries).iter().enumerate() {
            assert_eq!(row.to_array(), std::array::from_fn(|e| number(e, lane)));
        }
    }

    #[test]
    fn row_pairs_hold_the_lanes_they_name() {
        let packs = [0.0, 10.0, 20.0].map(|c| Lanes::new(std::array::from_fn(|lane| c + lane as f64)));
        for (pair, lanes) in row_pairs(&Spread::new(), packs).into_iter().zip(ROW_PAIRS) {
            for (row, lane) in halves(pair).into_iter().zip(lanes) {
                assert_eq!(row.to_array()[..3], [0.0, 10.0, 20.0].map(|c| c + lane as f64));
            }
        }
        assert_eq!(from_row_pairs(row_pairs(&Spread::new(), packs)), packs);
    }
}
