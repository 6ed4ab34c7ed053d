//! H u = G t + B: what one kind of boundary elements makes of a body.

use faer::Mat;

use super::{Element, Kelvin, Medium, Moments, Polygon, Vec2, cross};

/// A place at which a traction lives: an element, or one end of an element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slot {
    /// The node whose traction, where it is unknown, this is.
    pub node: usize,
    /// The element.
    pub element: usize,
    /// Where  \[m\]
    pub at: Vec2,
    /// Outward normal of the element.
    pub normal: Vec2,
}

/// The equations H u = G t + B of a body.
///
/// Displacements belong to nodes, tractions to slots. With constant elements both are the middles of the elements. With
/// linear elements nodes are the vertices and slots are the ends of the elements: a traction may jump at a corner.
/// Entry 2k + c of a vector is component c at node or slot k.
#[derive(Clone, Debug)]
pub struct Equations {
    pub(super) medium: Medium,
    pub(super) kernel: Kelvin,
    pub(super) moments: Moments,
    pub(super) elements: Vec<Element>,
    pub(super) nodes: Vec<Vec2>,
    pub(super) slots: Vec<Slot>,
    /// Slots of each node, before and after it; the same twice where there is only one.
    pub(super) node_slots: Vec<[usize; 2]>,
    /// H  (2 nodes × 2 nodes)
    pub(super) h: Mat<f64>,
    /// G  (2 nodes × 2 slots)  \[m/Pa\]
    pub(super) g: Mat<f64>,
}

impl Equations {
    /// Everything but H and G, which are zero.
    pub(super) fn empty(polygon: &Polygon, medium: &Medium, nodes: Vec<Vec2>, slots: Vec<Slot>) -> Equations {
        let mut node_slots = vec![[usize::MAX; 2]; nodes.len()];
        for (k, slot) in slots.iter().enumerate() {
            let pair = &mut node_slots[slot.node];
            // The slot at the start of an element comes after the node, the one at its end before it.
            let starts = slot.at == polygon.edge(slot.element)[0];
            pair[usize::from(starts)] = k;
        }
        for pair in &mut node_slots {
            let one = pair[0].min(pair[1]);
            pair.iter_mut().filter(|s| **s == usize::MAX).for_each(|s| *s = one);
        }
        Equations {
            medium: *medium,
            kernel: Kelvin::new(medium, polygon.diameter()),
            moments: polygon.moments(),
            elements: (0..polygon.len()).map(|k| Element::between(polygon.edge(k))).collect(),
            h: Mat::zeros(2 * nodes.len(), 2 * nodes.len()),
            g: Mat::zeros(2 * nodes.len(), 2 * slots.len()),
            nodes,
            slots,
            node_slots,
        }
    }

    /// Sets the diagonal blocks of H so that a shift of the whole body makes no traction: H_ii = −Σ H_ij.
    ///
    /// That contains C, also at corners, and every singular part.
    pub(super) fn close_rigidly(&mut self) {
        for i in 0..self.nodes.len() {
            for (a, b) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                let others = (0..self.nodes.len()).filter(|&j| j != i);
                let sum: f64 = others.map(|j| self.h[(2 * i + a, 2 * j + b)]).sum();
                self.h[(2 * i + a, 2 * i + b)] = -sum;
            }
        }
    }

    /// The matter.
    pub fn medium(&self) -> &Medium {
        &self.medium
    }

    /// Kelvin's kernels as they were integrated.
    pub fn kernel(&self) -> &Kelvin {
        &self.kernel
    }

    /// Area and moments of the body.
    pub fn moments(&self) -> &Moments {
        &self.moments
    }

    /// The elements, one for each edge.
    pub fn elements(&self) -> &[Element] {
        &self.elements
    }

    /// Where displacements are known or sought  \[m\].
    pub fn nodes(&self) -> &[Vec2] {
        &self.nodes
    }

    /// Where tractions are known or sought.
    pub fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// The slots before and after a node; the same one twice with constant elements.
    pub fn slots_of(&self, node: usize) -> [usize; 2] {
        self.node_slots[node]
    }

    /// H  (2 nodes × 2 nodes)
    pub fn h(&self) -> &Mat<f64> {
        &self.h
    }

    /// G  (2 nodes × 2 slots)  \[m/Pa\]
    pub fn g(&self) -> &Mat<f64> {
        &self.g
    }

    /// G for tractions that are the same on both sides of each node  (2 nodes × 2 nodes)  \[m/Pa\]
    pub fn nodal_g(&self) -> Mat<f64> {
        let mut sum = Mat::zeros(2 * self.nodes.len(), 2 * self.nodes.len());
        for (k, slot) in self.slots.iter().enumerate() {
            for c in 0..2 {
                let target = sum.col_mut(2 * slot.node + c);
                faer::zip!(target, self.g.col(2 * k + c)).for_each(|faer::unzip!(s, g)| *s += g);
            }
        }
        sum
    }

    /// L/μ: a traction times this is a length, of the size of the displacements it makes  \[m/Pa\]
    pub fn traction_scale(&self) -> f64 {
        self.kernel.length() / self.kernel.shear()
    }

    /// Force \[N/m\] and torque about the origin \[N\] of tractions at all slots \[Pa\], exactly integrated.
    pub fn resultant(&self, tractions: &[Vec2]) -> (Vec2, f64) {
        let (mut force, mut torque) = (Vec2::zeros(), 0.0);
        if self.slots.len() == self.elements.len() {
            for (e, t) in self.elements.iter().zip(tractions) {
                force += e.length * t;
                torque += e.length * cross(e.middle(), *t);
            }
            return (force, torque);
        }
        for (e, t) in self.elements.iter().zip(tractions.chunks_exact(2)) {
            let (a, b) = (e.start, e.start + e.length * e.tangent);
            force += 0.5 * e.length * (t[0] + t[1]);
            torque += e.length / 6.0 * (cross(2.0 * a + b, t[0]) + cross(a + 2.0 * b, t[1]));
        }
        (force, torque)
    }
}
