//! Shells: the sets of triangles connected through edges.

use aspic::Vec3;

use super::edges::Edges;
use crate::manifold::{join, root};
use crate::soup::{Soup, area_vector};
use crate::tree::Winding;

/// How many shells there are, and how many of the closed ones are inside out.
pub(crate) struct Shells {
    pub count: usize,
    pub closed: usize,
    pub inverted: usize,
}

/// Sums over one shell.
#[derive(Clone, Default)]
struct Shell {
    open: bool,
    /// Six times the signed volume about the first vertex of the soup.
    six_volumes: f64,
    /// Largest area of a triangle and that triangle.
    largest: (f64, usize),
}

/// Finds the shells. One is inside out when it is closed, has a negative volume, and the space in front of it, which it
/// encloses, winds negatively: a hollow in a body has a negative volume too, but winds to zero.
pub(crate) fn shells(soup: &Soup, edges: &Edges, winding: &Winding) -> Shells {
    let mut roots: Vec<u32> = (0..soup.triangles.len() as u32).collect();
    edges.links.iter().for_each(|&[a, b]| join(&mut roots, a, b));
    let mut sums = vec![Shell::default(); soup.triangles.len()];
    let origin = soup.positions.first().copied().unwrap_or_default();
    for t in 0..soup.triangles.len() {
        let sum = &mut sums[root(&mut roots, t as u32) as usize];
        let corners = soup.corners(t);
        let [a, b, c] = corners.map(|x| x - origin);
        sum.open |= edges.open[t];
        sum.six_volumes += a.dot(&b.cross(&c));
        let area = area_vector(&corners).norm();
        if area > sum.largest.0 {
            sum.largest = (area, t);
        }
    }
    let own = |t: &usize| roots[*t] as usize == *t;
    let heads: Vec<usize> = (0..soup.triangles.len()).filter(own).collect();
    let is_inverted = |t: &&usize| {
        let sum = &sums[**t];
        !sum.open && sum.six_volumes < 0.0 && in_front(soup, winding, sum.largest.1) < -0.5
    };
    Shells {
        count: heads.len(),
        closed: heads.iter().filter(|&&t| !sums[t].open).count(),
        inverted: heads.iter().filter(is_inverted).count(),
    }
}

/// The winding number close in front of a triangle.
fn in_front(soup: &Soup, winding: &Winding, triangle: usize) -> f64 {
    let corners = soup.corners(triangle);
    let normal = area_vector(&corners);
    let middle = corners.iter().sum::<Vec3>() / 3.0;
    let length = normal.norm().sqrt();
    winding.at(&(middle + normal / (length * length) * (1e-4 * length)))
}
