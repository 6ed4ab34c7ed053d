//! Linear elements: displacements at the vertices, tractions at both ends of each edge, collocated at the vertices
//! (second order; rotations and uniform stress are exact).

use super::integrals::Integrals;
use super::{Equations, Medium, Polygon, Slot};

/// H and G of linear elements. Slots 2k and 2k + 1 are the start and the end of edge k.
pub fn equations(polygon: &Polygon, medium: &Medium) -> Equations {
    let ends = |k: usize| [k, polygon.next(k)];
    let slot = |k: usize| {
        let (element, end) = (k / 2, k % 2);
        Slot {
            node: ends(element)[end],
            element,
            at: polygon.edge(element)[end],
            normal: polygon.edge_normal(element),
        }
    };
    let slots = (0..2 * polygon.len()).map(slot).collect();
    let mut made = Equations::empty(polygon, medium, polygon.vertices().to_vec(), slots);
    let kernel = made.kernel;
    for i in 0..made.nodes.len() {
        for j in 0..made.elements.len() {
            let element = made.elements[j];
            let Integrals { displacement: u, traction: t } = match ends(j).iter().position(|&v| v == i) {
                Some(end) => element.from_end(&kernel, end),
                None => element.from_elsewhere(&kernel, made.nodes[i]),
            };
            for (end, vertex) in ends(j).into_iter().enumerate() {
                for (a, b) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                    made.g[(2 * i + a, 2 * (2 * j + end) + b)] = u[end][(a, b)];
                    made.h[(2 * i + a, 2 * vertex + b)] += t[end][(a, b)];
                }
            }
        }
    }
    made.close_rigidly();
    made
}

#[cfg(test)]
#[path = "linear_tests.rs"]
mod tests;
