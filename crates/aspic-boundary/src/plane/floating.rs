//! The shape of a body that nothing holds but a floor.

use faer::Mat;

use super::body_force::{self, BODY_FORCES, BodyForce};
use super::direction::Direction;
use super::rigid::all_modes;
use super::update::Exchange;
use super::update_error::UpdateError;
use super::{Equations, Vec2, quarter};

/// A node on the floor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touching {
    /// The node.
    pub node: usize,
    /// Its displacement along the normal of the floor  \[m\]
    pub lift: f64,
    /// Its displacement along the floor \[m\], if it does not glide.
    pub aside: Option<f64>,
}

/// The equations of a free body, ready for any contact.
///
/// The reference is the body that nothing touches. Three accelerations α, by their inertia B_α, balance whatever load there
/// is, and three rigid motions R are zero on the average (W are parts of the outline):
///
/// ```text
/// [ H    −B_α ] [u]   [ G 0 ] [t]   [B]
/// [ RᵀW    0  ] [α] − [ 0 I ] [g] = [0]
/// ```
///
/// Free, t = 0 and the mean motion g = 0 are given. A node on the floor exchanges its normal (and tangent) displacement
/// against the traction. The shift along the normal exchanges α, which is then zero, against g: the floor carries just the
/// load, and the body is lifted until it does. The turn is never left to the contact: a small contact would determine it
/// badly, and the motion as a whole has settled it. What torque the contact then has, the angular acceleration α balances.
///
/// The reference is never changed: a shape depends on its contacts alone and not on earlier ones.
pub struct Floating {
    exchange: Exchange,
    nodes: usize,
    scale: f64,
    /// Body forces for a unit of each acceleration  \[N/m⁴, N/m⁵\]
    units: [f64; 3],
    added: BodyForce,
    exchanged: Vec<Direction>,
    given: Vec<f64>,
    solution: Vec<f64>,
}

impl Floating {
    /// Factors the equations of a free body.
    pub fn new(equations: &Equations) -> Result<Floating, UpdateError> {
        let (n, scale) = (2 * equations.nodes().len(), equations.traction_scale());
        let mut weights = vec![0.0; equations.nodes().len()];
        let share = 1.0 / equations.slots().len() as f64;
        let mean =
            equations.elements().iter().map(|e| e.length).sum::<f64>() / equations.elements().len() as f64;
        for slot in equations.slots() {
            weights[slot.node] += share * equations.elements()[slot.element].length / mean;
        }
        let (g, body) = (equations.nodal_g(), body_force::by_particular_solutions(equations));
        let (mut unknown, mut given) = (Mat::zeros(n + 3, n + 3), Mat::zeros(n + 3, n + 3));
        unknown.as_mut().submatrix_mut(0, 0, n, n).copy_from(equations.h());
        for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
            given[(i, j)] = -g[(i, j)] / scale;
        }
        let length = equations.kernel().length();
        let uniform = 1.0 / (scale * length);
        let units = [uniform, uniform, uniform / length];
        for (m, mode) in all_modes(equations).into_iter().enumerate() {
            given[(n + m, n + m)] = -1.0;
            let force = [0, 1, 3][m];
            (0..n).for_each(|row| unknown[(row, n + m)] = -units[m] * body[(row, force)]);
            for (k, x) in equations.nodes().iter().enumerate() {
                (0..2).for_each(|c| unknown[(n + m, 2 * k + c)] = weights[k] * mode.at(*x)[c]);
            }
        }
        let loads = Mat::from_fn(n + 3, BODY_FORCES, |i, j| if i < n { body[(i, j)] } else { 0.0 });
        let mut exchange = Exchange::new(unknown, given, loads)?;
        exchange.keep_reference()?;
        Ok(Floating {
            exchange,
            nodes: equations.nodes().len(),
            scale,
            units,
            added: BodyForce::default(),
            exchanged: Vec::with_capacity(n + 3),
            given: vec![0.0; n + 3],
            solution: vec![0.0; n + 3],
        })
    }

    /// Finds the shape under a body force with some nodes on a floor of the given normal.
    ///
    /// The mean turn is zero, and so is the mean shift along a floor on which the body glides.
    pub fn solve(
        &mut self,
        normal: Vec2,
        touching: &[Touching],
        body: &BodyForce,
    ) -> Result<(), UpdateError> {
        let n = 2 * self.nodes;
        let tangent = -quarter(normal);
        self.exchanged.clear();
        self.given.fill(0.0);
        for touch in touching {
            let along = Direction::across(2 * touch.node, normal.into());
            along.add(touch.lift, &mut self.given);
            self.exchanged.push(along);
            if let Some(aside) = touch.aside {
                let across = Direction::across(2 * touch.node, tangent.into());
                across.add(aside, &mut self.given);
                self.exchanged.push(across);
            }
        }
        if !touching.is_empty() {
            self.exchanged.push(Direction::across(n, normal.into()));
            if touching.iter().any(|touch| touch.aside.is_some()) {
                self.exchanged.push(Direction::across(n, tangent.into()));
            }
        }
        self.exchange.solve(&self.exchanged, &self.given, &body.amounts(), &mut self.solution)?;
        self.read(touching);
        Ok(())
    }

    /// Along exchanged directions the solution holds tractions, and the mean motion in place of accelerations.
    fn read(&mut self, touching: &[Touching]) {
        let n = 2 * self.nodes;
        let mut known = touching.iter().flat_map(|t| std::iter::once(t.lift).chain(t.aside));
        self.given.fill(0.0);
        for direction in &self.exchanged {
            let value = direction.of(&self.solution);
            direction.add(value, &mut self.given);
            direction.add(known.next().unwrap_or(0.0) - value, &mut self.solution);
        }
        let [x, y, turn] = [0, 1, 2].map(|m| self.units[m] * self.solution[n + m]);
        self.added = BodyForce { uniform: Vec2::new(x, y), centrifugal: 0.0, euler: turn };
    }

    /// The displacement of a node in the last solution  \[m\].
    pub fn displacement(&self, node: usize) -> Vec2 {
        Vec2::new(self.solution[2 * node], self.solution[2 * node + 1])
    }

    /// The traction at a node in the last solution, the same on both sides of it  \[Pa\].
    pub fn traction(&self, node: usize) -> Vec2 {
        Vec2::new(self.given[2 * node], self.given[2 * node + 1]) / self.scale
    }

    /// The inertia that the last solution added to balance the contact: its torque, and what is left along the floor.
    pub fn added(&self) -> &BodyForce {
        &self.added
    }
}

#[cfg(test)]
#[path = "floating_tests.rs"]
mod tests;
