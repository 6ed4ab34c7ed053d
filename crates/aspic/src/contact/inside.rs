//! Whether a point is inside a closed part, and the way to its surface.

use super::bounds::Bounds;
use super::exact::{Passage, passage};
use super::tree::Tree;
use super::{Kind, closest};
use crate::Vec3;

/// Rays that are tried before a point counts as lying on the surface.
const MOST_RAYS: usize = 50;

/// Whether a point \[m\] is inside a closed part: a ray from it leaves an odd number of times, by exact signs. The
/// tree must be fitted to the positions `x`. Points on the surface may count as either.
pub(super) fn inside(tree: &Tree, x: &[Vec3], point: &Vec3) -> bool {
    let whole = tree.whole();
    whole.holds(point)
        && (0..MOST_RAYS)
            .find_map(|attempt| departures(tree, x, [point, &far_end(&whole, attempt)]))
            .is_some_and(|count| count % 2 == 1)
}

/// How often a segment passes through the triangles; nothing if it touches an edge or lies in a plane.
fn departures(tree: &Tree, x: &[Vec3], [from, to]: [&Vec3; 2]) -> Option<usize> {
    let mut count = 0;
    let slack = 1e-9 * tree.whole().girth();
    let mut open = vec![0];
    while let Some(k) = open.pop() {
        if !meets(&tree.hulls.nodes[k], from, to, slack) {
            continue;
        }
        let node = &tree.nodes[k];
        if !node.is_leaf() {
            open.extend([k + 1, node.right as usize]);
        }
        for triangle in tree.primitives[node.range()].iter().filter(|p| p.count == 3) {
            match passage([from, to], triangle.corners.each_ref().map(|&p| &x[p as usize])) {
                Passage::Apart => (),
                Passage::Through => count += 1,
                Passage::Touches | Passage::OnRim => return None,
            }
        }
    }
    Some(count)
}

/// A point outside the box; attempts go round the sphere by the golden angle.
fn far_end(bounds: &Bounds, attempt: usize) -> Vec3 {
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    let turn = (attempt as f64 + 0.3) * GOLDEN;
    let height = 1.0 - 2.0 * (0.7 * turn).fract();
    let (sin, cos) = (std::f64::consts::TAU * turn).sin_cos();
    let radius = (1.0 - height * height).sqrt();
    let middle = (bounds.lo + bounds.hi) / 2.0;
    middle + 2.0 * bounds.girth() * Vec3::new(radius * cos, radius * sin, height)
}

/// Whether a segment meets a box widened by `slack`.
fn meets(bounds: &Bounds, from: &Vec3, to: &Vec3, slack: f64) -> bool {
    let (mut first, mut last) = (0.0_f64, 1.0_f64);
    for i in 0..3 {
        let way = to[i] - from[i];
        let [lo, hi] = [bounds.lo[i] - slack - from[i], bounds.hi[i] + slack - from[i]];
        if way == 0.0 {
            if lo > 0.0 || hi < 0.0 {
                return false;
            }
            continue;
        }
        let (enter, leave) = (lo / way, hi / way);
        first = first.max(enter.min(leave));
        last = last.min(enter.max(leave));
    }
    first <= last
}

/// The way from a point to the nearest point of the triangles  \[m\]; `None` without triangles.
pub(super) fn way_to_surface(tree: &Tree, x: &[Vec3], point: &Vec3) -> Option<Vec3> {
    let here = Bounds { lo: *point, hi: *point };
    let mut best: Option<Vec3> = None;
    let mut least = f64::INFINITY;
    let mut open: Vec<(f64, usize)> =
        tree.hulls.nodes.first().map(|b| (b.gap_squared(&here), 0)).into_iter().collect();
    while let Some((gap, k)) = open.pop() {
        if gap >= least {
            continue;
        }
        let node = &tree.nodes[k];
        if !node.is_leaf() {
            let mut children =
                [k + 1, node.right as usize].map(|child| (tree.hulls.nodes[child].gap_squared(&here), child));
            // The nearer child is looked at first.
            children.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)));
            open.extend(children);
        }
        for triangle in tree.primitives[node.range()].iter().filter(|p| p.count == 3) {
            let [a, b, c] = triangle.corners.map(|p| x[p as usize]);
            let way = -closest(Kind::PointTriangle, &[*point, a, b, c]).delta;
            if way.norm_squared() < least {
                (least, best) = (way.norm_squared(), Some(way));
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::super::part::Part;
    use super::super::primitive::primitives;
    use super::super::tests_support::Random;
    use super::*;
    use crate::mesh::generate;

    /// A box from −size/2 to size/2 under a fitted tree.
    fn block(size: Vec3) -> (Vec<Vec3>, Tree) {
        let surface = generate::box_surface(size).unwrap();
        let part = Part {
            body: 0,
            triangles: &surface.triangles,
            loose_edges: &[],
            loose_points: &[],
            radius: 0.0,
            fixed: false,
            self_contact: false,
        };
        let mut tree = Tree::new(&primitives(&part), &surface.positions);
        let boxes: Vec<Bounds> = surface.positions.iter().map(|x| Bounds { lo: *x, hi: *x }).collect();
        tree.refit(&boxes);
        (surface.positions, tree)
    }

    #[test]
    fn points_are_inside_a_box_when_all_coordinates_are() {
        let size = Vec3::new(1.0, 0.6, 0.2);
        let (x, tree) = block(size);
        let mut random = Random(3);
        let mut within = 0;
        for _ in 0..2000 {
            let point = random.vector().component_mul(&size);
            let expected = (0..3).all(|i| point[i].abs() < 0.5 * size[i]);
            assert_eq!(inside(&tree, &x, &point), expected, "{point}");
            within += usize::from(expected);
        }
        // On the axes and the diagonals rays meet edges and corners.
        assert!(inside(&tree, &x, &Vec3::zeros()) && !inside(&tree, &x, &(0.51 * size)));
        assert!(within > 100);
    }

    #[test]
    fn the_way_out_of_a_box_goes_straight_to_its_nearest_face() {
        let (x, tree) = block(Vec3::repeat(2.0));
        let way = way_to_surface(&tree, &x, &Vec3::new(0.1, -0.7, 0.3)).unwrap();
        assert!((way - Vec3::new(0.0, -0.3, 0.0)).norm() < 1e-15);
        let way = way_to_surface(&tree, &x, &Vec3::new(3.0, 2.0, 0.0)).unwrap();
        assert!((way - Vec3::new(-2.0, -1.0, 0.0)).norm() < 1e-15);
    }
}
