//! What is known on the boundary: for each node and direction the displacement or the traction.

use super::{Equations, Vec2};

/// On which side of a node an unknown traction acts.
///
/// At a corner between a held and a free edge only the held one has an unknown traction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Carried {
    /// On both elements, with one value.
    #[default]
    Both,
    /// On the element before the node.
    Before,
    /// On the element after the node.
    After,
}

/// What is known of one node in one direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Known {
    /// The traction, as given at the slots of the node.
    Traction,
    /// The displacement \[m\]; the traction is sought where it is carried.
    Displacement(f64, Carried),
}

/// What is known on the whole boundary.
#[derive(Clone, Debug, PartialEq)]
pub struct Conditions {
    /// First direction of each node; the second is a quarter turn against the clock from it.
    pub(super) axes: Vec<Vec2>,
    pub(super) known: Vec<[Known; 2]>,
    /// Given tractions at all slots  \[Pa\]
    pub(super) tractions: Vec<Vec2>,
}

/// Why a condition cannot be set.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum ConditionError {
    /// There is no such node.
    #[error("there is no node {which}: nodes run from 0 to {last}")]
    Node {
        /// The node.
        which: usize,
        /// The last node.
        last: usize,
    },
    /// There is no such slot or element.
    #[error("there is no slot {which}: slots run from 0 to {last}")]
    Slot {
        /// The slot.
        which: usize,
        /// The last slot.
        last: usize,
    },
    /// A direction has no length.
    #[error(
        "the direction {0:?} of a node has no length or is not finite: give a vector that points somewhere"
    )]
    Direction([f64; 2]),
    /// A value is NaN or infinite.
    #[error("a known displacement or traction is not finite")]
    NotFinite,
}

impl Conditions {
    /// No tractions anywhere: a body that nothing touches.
    pub fn free(equations: &Equations) -> Conditions {
        Conditions {
            axes: vec![Vec2::x(); equations.nodes().len()],
            known: vec![[Known::Traction; 2]; equations.nodes().len()],
            tractions: vec![Vec2::zeros(); equations.slots().len()],
        }
    }

    /// Sets what is known of a node along `axis` and a quarter turn from it.
    pub fn set(&mut self, node: usize, axis: Vec2, known: [Known; 2]) -> Result<(), ConditionError> {
        let last = self.known.len() - 1;
        if node > last {
            return Err(ConditionError::Node { which: node, last });
        }
        let length = axis.norm();
        if !(length > 0.0 && length.is_finite()) {
            return Err(ConditionError::Direction(axis.into()));
        }
        if known.iter().any(|k| matches!(k, Known::Displacement(u, _) if !u.is_finite())) {
            return Err(ConditionError::NotFinite);
        }
        self.axes[node] = axis / length;
        self.known[node] = known;
        Ok(())
    }

    /// Holds a node at a displacement  \[m\].
    pub fn hold(&mut self, node: usize, value: Vec2) -> Result<(), ConditionError> {
        self.set(node, Vec2::x(), [value.x, value.y].map(|u| Known::Displacement(u, Carried::Both)))
    }

    /// Holds a node along `normal` only, at a displacement \[m\]; across it the tractions stay as they are given.
    pub fn glide(
        &mut self,
        node: usize,
        normal: Vec2,
        value: f64,
        carried: Carried,
    ) -> Result<(), ConditionError> {
        self.set(node, normal, [Known::Displacement(value, carried), Known::Traction])
    }

    /// Gives the traction at a slot  \[Pa\].
    pub fn press(&mut self, slot: usize, traction: Vec2) -> Result<(), ConditionError> {
        let last = self.tractions.len() - 1;
        if slot > last {
            return Err(ConditionError::Slot { which: slot, last });
        }
        if !traction.iter().all(|t| t.is_finite()) {
            return Err(ConditionError::NotFinite);
        }
        self.tractions[slot] = traction;
        Ok(())
    }

    /// Gives the traction at every slot as a function of place and outward normal  \[m → Pa\].
    pub fn press_everywhere(
        &mut self,
        equations: &Equations,
        traction: impl Fn(Vec2, Vec2) -> Vec2,
    ) -> Result<(), ConditionError> {
        let slots = equations.slots().iter().enumerate();
        slots.map(|(k, slot)| (k, traction(slot.at, slot.normal))).try_for_each(|(k, t)| self.press(k, t))
    }

    /// The two directions of a node.
    pub(super) fn directions(&self, node: usize) -> [Vec2; 2] {
        [self.axes[node], super::quarter(self.axes[node])]
    }

    /// Whether a slot carries the unknown traction of its node in direction `c`.
    pub(super) fn carries(&self, equations: &Equations, slot: usize, c: usize) -> bool {
        let node = equations.slots()[slot].node;
        let [before, after] = equations.slots_of(node);
        match self.known[node][c] {
            Known::Traction => false,
            Known::Displacement(_, Carried::Both) => true,
            Known::Displacement(_, Carried::Before) => slot == before,
            Known::Displacement(_, Carried::After) => slot == after,
        }
    }
}
