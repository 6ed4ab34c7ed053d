//! The shape that an outline takes on a floor: which vertices touch, and the equilibrium that goes with them.

use super::floating::{Floating, Touching};
use super::floor::{Floor, Grip};
use super::update_error::UpdateError;
use super::{BodyForce, Medium, Polygon, Vec2, linear, quarter};

/// Passes in which contacts are found and released; later passes only find.
const PASSES: usize = 8;
/// A vertex may be in the ground by this part of the diameter.
const TOUCH: f64 = 1e-9;

/// What acts on a body, in its own frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Load {
    /// The ground.
    pub floor: Floor,
    /// Weight and inertia.
    pub inertia: BodyForce,
    /// τ  \[s\]
    pub internal_friction: f64,
    /// The time since the shape before  \[s\]
    pub length: f64,
    /// Vertices that are less than this above the floor are drawn to it  \[m\]
    pub reach: f64,
}

/// An outline and its displacements, ready to be pressed against a floor.
pub struct Shape {
    outline: Polygon,
    floating: Floating,
    /// Displacements  \[m\]
    displacements: Vec<Vec2>,
    previous: Vec<Vec2>,
    touching: Vec<Touching>,
    passes: usize,
    diameter: f64,
    /// A pull below this is none  \[Pa\]
    slack: f64,
}

impl Shape {
    /// An outline at rest.
    pub fn new(outline: Polygon, medium: &Medium) -> Result<Shape, UpdateError> {
        let count = outline.len();
        Ok(Shape {
            floating: Floating::new(&linear::equations(&outline, medium))?,
            displacements: vec![Vec2::zeros(); count],
            previous: vec![Vec2::zeros(); count],
            touching: Vec::with_capacity(count),
            passes: 0,
            diameter: outline.diameter(),
            slack: 2e-9 * medium.shear(),
            outline,
        })
    }

    /// The outline at rest  \[m\].
    pub fn outline(&self) -> &Polygon {
        &self.outline
    }

    /// The equations of equilibrium with their last solution.
    pub fn floating(&self) -> &Floating {
        &self.floating
    }

    /// Displacements of the vertices  \[m\].
    pub fn displacements(&self) -> &[Vec2] {
        &self.displacements
    }

    /// Displacements of the vertices, to be changed: the next shape begins with them  \[m\].
    pub fn displacements_mut(&mut self) -> &mut [Vec2] {
        &mut self.displacements
    }

    /// The vertices on the floor.
    pub fn touching(&self) -> &[Touching] {
        &self.touching
    }

    /// How many equilibria the last shape took.
    pub fn passes(&self) -> usize {
        self.passes
    }

    /// Finds which vertices are on the floor, and the shape that goes with them.
    ///
    /// It begins with the vertices that the undeformed body has in the ground. The floor cannot pull beyond its adhesion:
    /// it lets go of vertices where it would. Other vertices that end in the ground join. The last passes only join, so
    /// that no vertex is left in the ground.
    pub fn find(&mut self, load: &Load) -> Result<(), UpdateError> {
        self.previous.copy_from_slice(&self.displacements);
        self.touching.clear();
        let floor = &load.floor;
        for node in 0..self.outline.len() {
            if floor.depth(self.outline.vertices()[node]) > -load.reach {
                self.touching.push(self.touch(node, load));
            }
        }
        for pass in 0..PASSES + self.outline.len() {
            self.passes = pass + 1;
            self.floating.solve(floor.normal(), &self.touching, &load.inertia)?;
            self.relax(load);
            let before = self.touching.len();
            if pass < PASSES {
                let (floating, least) = (&self.floating, -floor.adhesion() - self.slack);
                self.touching.retain(|touch| floating.traction(touch.node).dot(&floor.normal()) >= least);
            }
            let released = self.touching.len() < before;
            if !released && !self.join(load) {
                break;
            }
        }
        Ok(())
    }

    /// Adds the vertices that are in the ground; true if there are any.
    fn join(&mut self, load: &Load) -> bool {
        let (before, limit) = (self.touching.len(), TOUCH * self.diameter);
        for node in 0..self.outline.len() {
            let place = self.outline.vertices()[node] + self.displacements[node];
            if load.floor.depth(place) > limit && self.touching.iter().all(|touch| touch.node != node) {
                self.touching.push(self.touch(node, load));
            }
        }
        self.touching.len() > before
    }

    /// What the elastic problem must give a vertex for it to be on the floor at the end of the step.
    ///
    /// The stress of Kelvin and Voigt is that of w = u + τ du/dt. Over a step du/dt = (u − u₀)/h.
    fn touch(&self, node: usize, load: &Load) -> Touching {
        let (floor, old) = (&load.floor, self.previous[node]);
        let lift = floor.depth(self.outline.vertices()[node]);
        let rate = (lift - old.dot(&floor.normal())) / load.length;
        let aside = (floor.grip() == Grip::Stick).then(|| -old.dot(&quarter(floor.normal())));
        Touching { node, lift: lift + load.internal_friction * rate, aside }
    }

    /// u from w = u + τ (u − u₀)/h.
    fn relax(&mut self, load: &Load) {
        let lag = load.internal_friction / load.length;
        for (node, (u, old)) in self.displacements.iter_mut().zip(&self.previous).enumerate() {
            *u = (self.floating.displacement(node) + lag * old) / (1.0 + lag);
        }
    }
}
