//! The generalised winding number of a soup of triangles (Jacobson, Kavan and Sorkine-Hornung 2013), by a tree (Barill,
//! Dickson, Schmidt, Levin and Jacobson 2018).
//!
//! w(q) = Σ Ω(q, triangle) / 4π, Ω the signed solid angle. A node further away than β = 2 times its radius is replaced by
//! the expansion of its dipoles about the centre of its area up to second order; nearer triangles are summed exactly. The
//! error is below 0.005 on every surface tried (0.0006 on average), far from the threshold ½ where the surface is closed.

use std::f64::consts::PI;

use aspic::Vec3;

use super::boxes::Tree;
use super::moments::Moments;
use crate::soup::{Soup, area_vector};

/// How many radii away a node counts as far.
const BETA: f64 = 2.0;

/// What a far node looks like.
#[derive(Clone, Copy, Debug)]
struct Patch {
    center: Vec3,
    /// Square of the distance beyond which the expansion is used  \[m²\]
    reach: f64,
    moments: Moments,
}

/// Answers how often a surface winds around a point.
#[derive(Clone, Debug)]
pub struct Winding {
    tree: Tree,
    patches: Vec<Patch>,
}

impl Winding {
    /// For a soup that [`Soup::check`] accepts.
    pub fn new(soup: &Soup) -> Winding {
        let tree = Tree::new(soup);
        let nothing = Patch { center: Vec3::zeros(), reach: 0.0, moments: Moments::default() };
        let mut patches = vec![nothing; tree.nodes.len()];
        let mut areas = vec![0.0; tree.nodes.len()];
        // Children come after their parents.
        for n in (0..tree.nodes.len()).rev() {
            (patches[n], areas[n]) = match tree.nodes[n].right as usize {
                0 => leaf(&tree, n),
                right => joined(&tree, n, [n + 1, right], &patches, &areas),
            };
        }
        Winding { tree, patches }
    }

    /// The tree of boxes beneath.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The winding number at a point \[m\]: 1 inside a closed surface that faces outward, 0 outside, between where there
    /// are holes.
    pub fn at(&self, x: &Vec3) -> f64 {
        let mut stack = [0u32; 64];
        let mut depth = usize::from(!self.patches.is_empty());
        let mut sum = 0.0;
        while depth > 0 {
            depth -= 1;
            let n = stack[depth] as usize;
            let (patch, node) = (&self.patches[n], &self.tree.nodes[n]);
            let r = patch.center - x;
            if r.norm_squared() > patch.reach {
                sum += patch.moments.seen_from(&r);
            } else if node.right == 0 {
                let corners = &self.tree.corners[node.start as usize..node.end as usize];
                sum += corners.iter().map(|c| solid_angle(c, x)).sum::<f64>();
            } else {
                (stack[depth], stack[depth + 1]) = (node.right, n as u32 + 1);
                depth += 2;
            }
        }
        sum / (4.0 * PI)
    }

    /// Whether a point is inside: |w| > ½, so a surface turned inside out has the same inside.
    pub fn inside(&self, x: &Vec3) -> bool {
        self.at(x).abs() > 0.5
    }
}

/// Signed solid angle of a triangle seen from x (van Oosterom and Strackee 1983): positive from behind.
pub fn solid_angle(corners: &[Vec3; 3], x: &Vec3) -> f64 {
    let [a, b, c] = corners.map(|p| p - x);
    let (la, lb, lc) = (a.norm(), b.norm(), c.norm());
    let volume = a.dot(&b.cross(&c));
    let turn = la * lb * lc + a.dot(&b) * lc + b.dot(&c) * la + c.dot(&a) * lb;
    2.0 * volume.atan2(turn)
}

/// The patch and area of a leaf.
fn leaf(tree: &Tree, n: usize) -> (Patch, f64) {
    let node = &tree.nodes[n];
    let corners = &tree.corners[node.start as usize..node.end as usize];
    let areas = corners.iter().map(|c| area_vector(c).norm());
    let weighted = corners.iter().zip(areas.clone()).map(|(c, area)| c.iter().sum::<Vec3>() * (area / 3.0));
    let area: f64 = areas.clone().sum();
    let center = center_of(weighted.sum(), area, tree, n);
    let moments = corners.iter().map(|c| Moments::of(c, &center)).fold(Moments::default(), |a, b| a.plus(&b));
    let far = corners.iter().flatten().map(|x| (x - center).norm_squared()).fold(0.0, f64::max);
    (Patch { center, reach: BETA * BETA * far, moments }, area)
}

/// The patch and area of a node from those of its children.
fn joined(tree: &Tree, n: usize, children: [usize; 2], patches: &[Patch], areas: &[f64]) -> (Patch, f64) {
    let area = areas[children[0]] + areas[children[1]];
    let sum = children.iter().map(|&c| patches[c].center * areas[c]).sum();
    let center = center_of(sum, area, tree, n);
    let parts = children.map(|c| patches[c].moments.moved(&(patches[c].center - center)));
    let radius = |c: usize| patches[c].reach.sqrt() / BETA + (patches[c].center - center).norm();
    let node = &tree.nodes[n];
    let corner = (node.low - center).abs().sup(&(node.high - center).abs()).norm();
    let far = radius(children[0]).max(radius(children[1])).min(corner);
    (Patch { center, reach: BETA * BETA * far * far, moments: parts[0].plus(&parts[1]) }, area)
}

/// Centre of the area, or of the box where there is no area.
fn center_of(weighted: Vec3, area: f64, tree: &Tree, n: usize) -> Vec3 {
    let node = &tree.nodes[n];
    let center = weighted / area;
    let finite = center.iter().all(|c| c.is_finite());
    let center = if finite { center } else { (node.low + node.high) / 2.0 };
    center.sup(&node.low).inf(&node.high)
}
