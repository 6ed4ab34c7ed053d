//! Edges of simplices, each once, and the hinges between triangles.

use std::collections::BTreeMap;

use super::PointsError;
use crate::Vec3;
use crate::points::Element;

/// Edges in ascending order, each with the sum of what its simplices add.
#[derive(Default)]
pub(super) struct Edges(BTreeMap<[u32; 2], f64>);

impl Edges {
    /// Adds a share to an edge.
    pub fn add(&mut self, a: u32, b: u32, share: f64) {
        *self.0.entry([a.min(b), a.max(b)]).or_insert(0.0) += share;
    }

    /// Springs with k = share / L², or all with the constant given.
    pub fn springs(&self, rest: &[Vec3], constant: Option<f64>) -> Result<Vec<Element<2>>, PointsError> {
        self.elements(rest, |share, length| constant.unwrap_or(share / (length * length)))
    }

    /// Springs with k from share and length.
    fn elements(
        &self,
        rest: &[Vec3],
        stiffness: impl Fn(f64, f64) -> f64,
    ) -> Result<Vec<Element<2>>, PointsError> {
        let spring = |(&nodes, &share): (&[u32; 2], &f64)| {
            let [a, b] = nodes.map(|node| rest[node as usize]);
            let length = (b - a).norm();
            match length > 0.0 {
                true => Ok(Element { nodes, stiffness: stiffness(share, length), rest: length }),
                false => Err(PointsError::ZeroLength { ends: nodes }),
            }
        };
        self.0.iter().map(spring).collect()
    }
}

/// Two triangles with a common edge: its ends, then the tips. Seen from outside, the first triangle runs along the edge
/// from its first end to its second.
#[derive(Clone, Copy, Debug)]
pub(super) struct HingeEdge {
    pub nodes: [u32; 4],
    /// The triangles.
    pub triangles: [usize; 2],
}

/// Hinges, and edges with one triangle or more than two, in ascending order.
pub(super) struct Hinges {
    pub hinges: Vec<HingeEdge>,
    pub open: Option<[u32; 2]>,
    pub crowded: Option<[u32; 2]>,
    /// An edge that both its triangles run along in the same direction.
    pub disoriented: Option<[u32; 2]>,
}

impl Hinges {
    pub fn of(triangles: &[[u32; 3]]) -> Hinges {
        // (forward, triangle, tip) of the sides at each edge
        let mut sides: BTreeMap<[u32; 2], Vec<(bool, usize, u32)>> = BTreeMap::new();
        for (number, t) in triangles.iter().enumerate() {
            for k in 0..3 {
                let (a, b, tip) = (t[k], t[(k + 1) % 3], t[(k + 2) % 3]);
                sides.entry([a.min(b), a.max(b)]).or_default().push((a < b, number, tip));
            }
        }
        let mut found = Hinges { hinges: vec![], open: None, crowded: None, disoriented: None };
        for (&[a, b], list) in &sides {
            match list[..] {
                [_] => found.open = found.open.or(Some([a, b])),
                [one, other] => {
                    if one.0 == other.0 {
                        found.disoriented = found.disoriented.or(Some([a, b]));
                    }
                    let (first, second) = if one.0 { (one, other) } else { (other, one) };
                    let nodes = [a, b, first.2, second.2];
                    found.hinges.push(HingeEdge { nodes, triangles: [first.1, second.1] });
                }
                _ => found.crowded = found.crowded.or(Some([a, b])),
            }
        }
        found
    }
}
