//! All lattice tetrahedra through the stencils, with vertices numbered anew.

use std::collections::HashMap;

use aspic::Vec3;
use rayon::prelude::*;

use super::cuts::Cut;
use super::shape::dihedral;
use super::stencil::{EDGES, stencil};
use crate::lattice::{Lattice, Point};
use crate::tree::Winding;

/// A tetrahedron whose corners are all on the surface is kept only with angles between these [°].
const FLAT_LIMITS: [f64; 2] = [15.0, 150.0];

/// What the stencils need to know.
pub(crate) struct Cutting<'a> {
    pub lattice: &'a Lattice,
    pub winding: &'a Winding,
    /// 1, −1 or, where moved, 0.
    pub labels: &'a [i8],
    pub cuts: &'a [Cut],
    pub moved: &'a HashMap<usize, Vec3>,
}

impl Cutting<'_> {
    /// Positions and tetrahedra, in the order of the lattice. Names of vertices until the last step: the number of a
    /// lattice point, or the number of points plus that of a cut point.
    pub fn fill(&self) -> (Vec<Vec3>, Vec<[u32; 4]>) {
        let layers: Vec<Vec<[usize; 4]>> =
            (0..self.lattice.cubes[2]).into_par_iter().map(|k| self.layer(k)).collect();
        let tets: Vec<[usize; 4]> = layers.concat();
        let mut names: Vec<usize> = tets.concat();
        names.par_sort_unstable();
        names.dedup();
        let number = |name: usize| names.partition_point(|&n| n < name) as u32;
        let numbered = tets.par_iter().map(|t| t.map(number)).collect();
        (names.iter().map(|&name| self.place(name)).collect(), numbered)
    }

    fn place(&self, name: usize) -> Vec3 {
        match name.checked_sub(self.labels.len()) {
            Some(cut) => self.cuts[cut].place,
            None => {
                let moved = self.moved.get(&name).copied();
                moved.unwrap_or_else(|| self.lattice.place(self.lattice.point(name)))
            }
        }
    }

    fn layer(&self, k: usize) -> Vec<[usize; 4]> {
        let mut tets = vec![];
        for corners in self.lattice.layer(k).flat_map(|middle| self.lattice.tets_of(middle)) {
            let numbers = corners.map(|p| self.lattice.number(p));
            let signs = numbers.map(|n| self.labels[n]);
            if signs == [0; 4] {
                tets.extend(self.is_inner(&numbers).then_some(numbers));
            } else if signs.contains(&1) {
                self.pieces(&corners, &numbers, &signs, &mut tets);
            }
        }
        tets
    }

    fn pieces(
        &self,
        corners: &[Point; 4],
        numbers: &[usize; 4],
        signs: &[i8; 4],
        tets: &mut Vec<[usize; 4]>,
    ) {
        let name = |spot: u8| match spot {
            0..4 => numbers[spot as usize],
            _ => self.cut_name(EDGES[spot as usize - 4].map(|n| (numbers[n], signs[n]))),
        };
        tets.extend(stencil(corners, signs).as_slice().iter().map(|tet| tet.map(name)));
    }

    /// The name of the cut point between an inner and an outer point, given in any order.
    fn cut_name(&self, [a, b]: [(usize, i8); 2]) -> usize {
        let ends = if a.1 > 0 { [a.0, b.0] } else { [b.0, a.0] };
        self.labels.len() + self.cuts.partition_point(|cut| cut.ends < ends)
    }

    /// Whether a tetrahedron with all corners on the surface lies inside and is well shaped.
    fn is_inner(&self, numbers: &[usize; 4]) -> bool {
        let x = numbers.map(|n| self.place(n));
        let [low, high] = dihedral(&x);
        low > FLAT_LIMITS[0] && high < FLAT_LIMITS[1] && self.winding.inside(&(x.iter().sum::<Vec3>() / 4.0))
    }
}
