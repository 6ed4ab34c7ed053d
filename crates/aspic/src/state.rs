//! The state (q, v) of the world, and the accounts that run along with it.

use crate::Vec3;

/// What happens: time, positions, velocities, and the energy spent so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// Time  \[s\]
    pub t: f64,
    /// Positions  \[m\]  (nodes)
    pub q: Vec<Vec3>,
    /// Velocities  \[m/s\]  (nodes)
    pub v: Vec<Vec3>,
    /// What bodies have become: rest lengths, areas and volumes that may change, in the order of the world. It stays
    /// as it is during a step.
    pub memory: Vec<f64>,
    /// Energies that left or entered the bodies since the start.
    pub accounts: Accounts,
}

/// Energies that the state alone does not tell; integrated in time with it  \[J\]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Accounts {
    /// ∫ W dt, lost to viscosity.
    pub viscous_loss: f64,
    /// ∫ R·r′ dt, work of dragged vertices and moving springs.
    pub drag_work: f64,
    /// ∫ E·v dt, work of loads.
    pub load_work: f64,
    /// Lost to friction.
    pub friction_loss: f64,
    /// Lost by the time steps themselves.
    pub numerical_loss: f64,
    /// Energy that the contacts hold now: it depends on the stiffness that the last step gave them.
    pub contact: f64,
    /// Energy lost to lasting changes of shape.
    pub plastic_loss: f64,
    /// Energy lost in impacts, where contact is a matter of impulses.
    pub impact_loss: f64,
    /// The largest that the numerical loss has been at the end of an implicit step. What it has fallen since, the steps have
    /// made out of nothing.
    pub highest_loss: f64,
    /// The most energy that has been in play in an implicit step.
    pub most_in_play: f64,
}

impl Accounts {
    /// How many numbers there are.
    pub const COUNT: usize = 10;

    /// self + scale · rates.
    pub fn advance(&mut self, scale: f64, rates: &Accounts) {
        self.viscous_loss += scale * rates.viscous_loss;
        self.drag_work += scale * rates.drag_work;
        self.load_work += scale * rates.load_work;
        self.friction_loss += scale * rates.friction_loss;
        self.numerical_loss += scale * rates.numerical_loss;
        self.contact += scale * rates.contact;
        self.plastic_loss += scale * rates.plastic_loss;
        self.impact_loss += scale * rates.impact_loss;
    }

    /// The numbers in a fixed order, for files.
    pub fn to_array(self) -> [f64; Self::COUNT] {
        [
            self.viscous_loss,
            self.drag_work,
            self.load_work,
            self.friction_loss,
            self.numerical_loss,
            self.contact,
            self.plastic_loss,
            self.impact_loss,
            self.highest_loss,
            self.most_in_play,
        ]
    }

    /// The inverse of [`Accounts::to_array`].
    pub fn from_array(numbers: [f64; Self::COUNT]) -> Self {
        let [
            viscous_loss,
            drag_work,
            load_work,
            friction_loss,
            numerical_loss,
            contact,
            plastic_loss,
            impact_loss,
            highest_loss,
            most_in_play,
        ] = numbers;
        Accounts {
            viscous_loss,
            drag_work,
            load_work,
            friction_loss,
            numerical_loss,
            contact,
            plastic_loss,
            impact_loss,
            highest_loss,
            most_in_play,
        }
    }
}

/// Time derivative of a [`State`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rates {
    /// q′ = v  \[m/s\]  (nodes)
    pub v: Vec<Vec3>,
    /// v′ = M⁻¹(F + C)  \[m/s²\]  (nodes)
    pub a: Vec<Vec3>,
    /// Powers  \[W\]
    pub accounts: Accounts,
}

impl State {
    /// A state at rest at time 0.
    pub fn at_rest(q: Vec<Vec3>) -> Self {
        State { t: 0.0, v: vec![Vec3::zeros(); q.len()], q, memory: vec![], accounts: Accounts::default() }
    }

    /// The first node with a coordinate or velocity that is NaN or infinite.
    pub fn not_finite(&self) -> Option<usize> {
        let bad = |x: &Vec3| !x.iter().all(|c| c.is_finite());
        self.q.iter().position(bad).or_else(|| self.v.iter().position(bad))
    }
}

impl Rates {
    /// Zero rates for so many nodes.
    pub fn zeros(nodes: usize) -> Self {
        Rates { v: vec![Vec3::zeros(); nodes], a: vec![Vec3::zeros(); nodes], accounts: Accounts::default() }
    }
}
