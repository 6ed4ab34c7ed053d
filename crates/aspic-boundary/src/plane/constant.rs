//! Constant elements: one displacement and one traction for each edge, collocated at its middle (first order).

use super::integrals::Integrals;
use super::{Equations, Medium, Polygon, Slot};

/// H and G of constant elements.
///
/// G_ii is exact, H_ii follows from rigid motion and is I/2 up to rounding.
pub fn equations(polygon: &Polygon, medium: &Medium) -> Equations {
    let middles: Vec<_> =
        (0..polygon.len()).map(|k| (polygon.edge(k)[0] + polygon.edge(k)[1]) / 2.0).collect();
    let slot = |k: usize| Slot { node: k, element: k, at: middles[k], normal: polygon.edge_normal(k) };
    let slots = (0..polygon.len()).map(slot).collect();
    let mut made = Equations::empty(polygon, medium, middles, slots);
    let kernel = made.kernel;
    for i in 0..made.nodes.len() {
        for j in 0..made.elements.len() {
            let element = made.elements[j];
            if i == j {
                let own = element.from_middle(&kernel);
                (0..4).for_each(|k| made.g[(2 * i + k / 2, 2 * j + k % 2)] = own[(k / 2, k % 2)]);
                continue;
            }
            let Integrals { displacement: u, traction: t } = element.from_elsewhere(&kernel, made.nodes[i]);
            for (a, b) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                made.g[(2 * i + a, 2 * j + b)] = u[0][(a, b)] + u[1][(a, b)];
                made.h[(2 * i + a, 2 * j + b)] = t[0][(a, b)] + t[1][(a, b)];
            }
        }
    }
    made.close_rigidly();
    made
}

#[cfg(test)]
#[path = "constant_tests.rs"]
mod tests;
