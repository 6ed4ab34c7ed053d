//! In which order elements are packed.

use super::batch::Element;
use crate::lanes::LANES;
use crate::mesh::matching;

/// The elements of a pack from far apart: neighbours share points, and sums that wait for each other are slow.
pub(crate) fn spread<T: Copy>(elements: &[T]) -> Vec<T> {
    let stride = elements.len() / LANES;
    let place = |k: usize| if k < stride * LANES { k % LANES * stride + k / LANES } else { k };
    (0..elements.len()).map(|k| elements[place(k)]).collect()
}

/// Tetrahedra of which as many as possible are twins: packs 2i and 2i + 1 share a face lane by lane, with the nodes
/// a b c d in one and a c b e in the other. Returns how many packs come in such twos; all others are behind them.
pub(super) fn in_twos(elements: &[Element<4>]) -> (Vec<Element<4>>, usize) {
    let tets: Vec<[u32; 4]> = elements.iter().map(|element| element.nodes).collect();
    let numbers: Vec<u32> = (0..tets.len() as u32).collect();
    let (mut twins, mut alone) = (vec![], vec![]);
    for (k, twin) in matching(&tets, &numbers).into_iter().enumerate() {
        let [own, other] = [Some(k), twin.map(|other| other as usize)].map(|k| k.map(|k| elements[k]));
        match (own, other.zip(own).and_then(|(other, own)| side_by_side(&own, &other))) {
            (_, Some(two)) if twin.is_some_and(|other| k < other as usize) => twins.push(two),
            (_, Some(_)) | (None, _) => (),
            (Some(own), None) => alone.push(own),
        }
    }
    let whole = twins.len() / LANES * LANES;
    alone.extend(twins.drain(whole..).flatten());
    let packs = spread(&twins);
    let mut order: Vec<Element<4>> = Vec::with_capacity(elements.len());
    for pack in packs.chunks_exact(LANES) {
        (0..2).for_each(|side| order.extend(pack.iter().map(|two| two[side])));
    }
    order.extend(spread(&alone));
    (order, 2 * (whole / LANES))
}

/// Two tetrahedra with the nodes a b c d and a c b e, if their common face allows it. Their volumes keep their signs.
fn side_by_side(one: &Element<4>, other: &Element<4>) -> Option<[Element<4>; 2]> {
    let one = apex_last(one, &other.nodes)?;
    let mut other = apex_last(other, &one.nodes)?;
    let turn = other.nodes.iter().position(|&node| node == one.nodes[0])?;
    other.nodes[..3].rotate_left(turn);
    let [_, b, c, _] = one.nodes;
    (other.nodes[1] == c && other.nodes[2] == b).then_some([one, other])
}

/// The same tetrahedron with its only node that `other` does not have as the last: an even permutation.
fn apex_last(element: &Element<4>, other: &[u32; 4]) -> Option<Element<4>> {
    let mut apexes = (0..4).filter(|&i| !other.contains(&element.nodes[i]));
    let (Some(apex), None) = (apexes.next(), apexes.next()) else { return None };
    let mut nodes = element.nodes;
    if apex != 3 {
        nodes.swap(apex, 3);
        nodes.swap(0, 1);
    }
    Some(Element { nodes, ..*element })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Vec3;
    use crate::mesh::generate;

    fn elements(tets: &[[u32; 4]]) -> Vec<Element<4>> {
        let one = |(k, &nodes): (usize, &[u32; 4])| Element { nodes, stiffness: 1.0 + k as f64, rest: 1.0 };
        tets.iter().enumerate().map(one).collect()
    }

    #[test]
    fn twins_share_a_face_turned_around_and_keep_their_handedness() {
        let mesh = generate::block(Vec3::repeat(1.0), [5, 4, 3]).unwrap();
        let (order, packs) = in_twos(&elements(&mesh.tets));
        assert!(packs * LANES * 10 > 8 * mesh.tets.len(), "{packs} packs of {} are twins", mesh.tets.len());
        for (k, element) in
            order.iter().enumerate().take(packs * LANES).filter(|(k, _)| (k / LANES).is_multiple_of(2))
        {
            let twin = order[k + LANES].nodes;
            assert_eq!(twin[..3], [element.nodes[0], element.nodes[2], element.nodes[1]]);
        }
        let mut found: Vec<usize> = order.iter().map(|element| element.stiffness as usize - 1).collect();
        found.sort_unstable();
        assert!(found.into_iter().eq(0..mesh.tets.len()));
        for element in &order {
            let [a, b, c, d] = element.nodes.map(|node| mesh.positions[node as usize]);
            assert!((b - a).cross(&(c - a)).dot(&(d - a)) > 0.0);
        }
    }

    #[test]
    fn tetrahedra_that_overlap_are_not_twins() {
        let (order, packs) = in_twos(&elements(&[[0, 1, 2, 3], [0, 1, 2, 4]]));
        assert_eq!((order.len(), packs), (2, 0));
        let two = elements(&[[0, 1, 2, 3], [0, 1, 2, 4]]);
        assert_eq!(side_by_side(&two[0], &two[1]), None);
    }
}
