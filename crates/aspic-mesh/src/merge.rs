//! Vertices at the same place become one.
//!
//! STL and many other files give every triangle its own three corners. Exact merging sorts positions by their
//! coordinates. Merging within a tolerance ε goes over the vertices in order and lets each join the first earlier kept
//! vertex within ε, found in a grid of cells ε wide; so kept vertices are more than ε apart and nothing moves further
//! than ε.

use std::collections::HashMap;

use aspic::Vec3;
use rayon::slice::ParallelSliceMut;

use crate::soup::Soup;

/// A surface whose coincident vertices are one.
#[derive(Clone, Debug, PartialEq)]
pub struct Merged {
    /// The surface. Its vertices keep the order of their first appearance.
    pub soup: Soup,
    /// The new number of every old vertex  (n before)
    pub numbers: Vec<u32>,
    /// How many vertices went.
    pub removed: usize,
}

/// Merges vertices that are equal bit for bit (+0 and −0 count as equal) when `tolerance` \[m\] is zero, else those
/// within the tolerance. Triangles stay, also those that lose their area; vertices no triangle uses stay too.
pub fn merge(soup: &Soup, tolerance: f64) -> Merged {
    let firsts = if tolerance > 0.0 {
        near_numbers(&soup.positions, tolerance)
    } else {
        exact_numbers(&soup.positions)
    };
    let mut numbers = vec![0; firsts.len()];
    let mut positions = Vec::new();
    for (v, &first) in firsts.iter().enumerate() {
        if first as usize == v {
            numbers[v] = positions.len() as u32;
            positions.push(soup.positions[v]);
        } else {
            numbers[v] = numbers[first as usize];
        }
    }
    let number = |v: u32| numbers.get(v as usize).copied().unwrap_or(u32::MAX);
    let triangles = soup.triangles.iter().map(|t| t.map(number)).collect();
    let removed = firsts.len() - positions.len();
    Merged { soup: Soup { positions, triangles }, numbers, removed }
}

/// For every vertex the first one at exactly its place.
pub(crate) fn exact_numbers(positions: &[Vec3]) -> Vec<u32> {
    // Adding zero turns −0 into +0.
    let key = |x: &Vec3| [x.x + 0.0, x.y + 0.0, x.z + 0.0].map(f64::to_bits);
    let mut order: Vec<([u64; 3], u32)> = (0..).zip(positions).map(|(v, x)| (key(x), v)).collect();
    order.par_sort_unstable();
    let mut firsts = vec![0; positions.len()];
    for same in order.chunk_by(|a, b| a.0 == b.0) {
        same.iter().for_each(|&(_, v)| firsts[v as usize] = same[0].1);
    }
    firsts
}

/// For every vertex the first earlier kept one within `tolerance`, or itself.
fn near_numbers(positions: &[Vec3], tolerance: f64) -> Vec<u32> {
    let cell = |x: f64| (x / tolerance).floor().clamp(-9e15, 9e15) as i64;
    let mut kept: HashMap<[i64; 3], Vec<u32>> = HashMap::new();
    let mut firsts = Vec::with_capacity(positions.len());
    for (v, x) in (0u32..).zip(positions) {
        let at = [cell(x.x), cell(x.y), cell(x.z)];
        let near = |&&w: &&u32| (positions[w as usize] - x).norm() <= tolerance;
        let around = (0..27).map(|n: i64| [at[0] + n % 3 - 1, at[1] + n / 3 % 3 - 1, at[2] + n / 9 - 1]);
        let first = around.filter_map(|c| kept.get(&c)?.iter().find(near).copied()).min();
        firsts.push(first.unwrap_or(v));
        if first.is_none() {
            kept.entry(at).or_default().push(v);
        }
    }
    firsts
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_square_of_two_lone_triangles_gets_four_vertices() {
        let corners = [[0., 0.], [1., 0.], [1., 1.], [0., 0.], [1., 1.], [0., 1.]];
        let positions = corners.map(|[x, y]| Vec3::new(x, y, -0.0)).to_vec();
        let merged = merge(&Soup { positions, triangles: vec![[0, 1, 2], [3, 4, 5]] }, 0.0);
        assert_eq!(merged.soup.triangles, [[0, 1, 2], [0, 2, 3]]);
        assert_eq!((merged.soup.positions.len(), merged.removed), (4, 2));
    }

    #[test]
    fn zeros_of_either_sign_are_the_same_place() {
        let positions = vec![Vec3::new(0.0, 1.0, 2.0), Vec3::new(-0.0, 1.0, 2.0)];
        assert_eq!(merge(&Soup { positions, triangles: vec![] }, 0.0).removed, 1);
    }

    proptest! {
        #[test]
        fn merging_within_a_tolerance_agrees_with_looking_at_all_pairs(
            points in prop::collection::vec([0..12i32, 0..12, 0..12], 0..120), steps in 1..4i32
        ) {
            let positions: Vec<Vec3> = points.iter().map(|p| Vec3::from(p.map(f64::from)) * 0.25).collect();
            let tolerance = 0.25 * f64::from(steps);
            let mut expected: Vec<u32> = vec![];
            for v in 0..positions.len() {
                let near = |&w: &usize| expected[w] as usize == w && (positions[w] - positions[v]).norm() <= tolerance;
                expected.push((0..v).find(near).unwrap_or(v) as u32);
            }
            prop_assert_eq!(near_numbers(&positions, tolerance), expected);
        }
    }
}
