//! Contact by impulses: the two models of older sources, which act between steps.
//!
//! After a step, points that have gone too far are found, their velocities are changed by impulses with restitution and
//! friction, and their places are put right. [`Model::Points`] (Teschner) knows mass points against half-spaces, spheres
//! and each other. [`Model::Flood`] (Kharevych & Khan 2002) knows closed surfaces: edges that a surface cuts give the
//! first points inside, and a flood over the edges that it does not cut gives the others.
//!
//! Nothing here guarantees that bodies do not pass through each other: what crosses a body within one step is not seen.
//!
//! Points are numbered as in frames; bodies in the order of the world, half-spaces behind them. Masses are not known
//! here: who calls says how places move when an impulse acts, as a [`Lever`].

mod flood;
mod grid;
mod hit;
mod inverse_mass;
mod law;
mod points;
mod resolve;
mod separate;
mod shape;
mod triangle;
mod waves;

pub use hit::{Hit, Lever, Turn};
pub use inverse_mass::InverseMass;
pub use law::{Push, Rub, bounce};
pub use resolve::{Levers, Outcome, Step, resolve};
pub use separate::separate;
pub use shape::{Graph, Shape, closed};
pub use triangle::pierce;

use std::collections::{BTreeMap, BTreeSet};

use crate::Vec3;

/// Which of the two models.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Model {
    /// Mass points against half-spaces, spheres and each other.
    #[default]
    Points,
    /// Points of surfaces inside closed surfaces, and against half-spaces.
    Flood,
}

/// A half-space that nothing may enter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wall {
    /// A point of its plane  \[m\]
    pub point: Vec3,
    /// Unit vector out of it.
    pub normal: Vec3,
}

/// How touches bounce and rub.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rules {
    /// e: speed of parting over speed of approach, from 0 to 1.
    pub restitution: f64,
    /// Coulomb's μ where no pair says otherwise.
    pub friction: f64,
    /// μ of two bodies, the lower number first.
    pub frictions: BTreeMap<[u32; 2], f64>,
    /// c of the simplified friction V_t = (1 − c) v_t, from 0 to 1; instead of Coulomb's.
    pub factor: Option<f64>,
}

impl Rules {
    /// How two bodies rub.
    pub fn rub(&self, [a, b]: [u32; 2]) -> Rub {
        let pair = self.frictions.get(&[a.min(b), a.max(b)]).copied();
        self.factor.map_or(Rub::Coulomb(pair.unwrap_or(self.friction)), Rub::Factor)
    }
}

/// What can touch, and how; it does not change during a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Impulses {
    /// The model.
    pub model: Model,
    /// How touches bounce and rub.
    pub rules: Rules,
    /// One for each body.
    pub shapes: Vec<Shape>,
    /// Half-spaces; number k counts as body `shapes.len() + k`.
    pub walls: Vec<Wall>,
    /// Whether points of one body touch each other.
    pub own: bool,
    /// Pairs of bodies that pass through each other, the lower number first.
    pub off: BTreeSet<[u32; 2]>,
    /// Points of one body that never touch because they begin too near, the lower number first, in order.
    pub neighbours: Vec<[u32; 2]>,
}

impl Impulses {
    /// All touches of points at `x` \[m\] that move with `v` \[m/s\], in a fixed order.
    pub fn find(&self, x: &[Vec3], v: &[Vec3]) -> Vec<Hit> {
        let mut hits = vec![];
        self.find_on_walls(x, &mut hits);
        match self.model {
            Model::Points => {
                self.find_on_balls(x, v, &mut hits);
                self.find_pairs(x, &mut hits);
            }
            Model::Flood => self.find_enclosed(x, &mut hits),
        }
        hits
    }

    /// Whether two bodies touch at all.
    fn meet(&self, a: usize, b: usize) -> bool {
        let fixed = |k: usize| self.shapes.get(k).is_none_or(|shape| shape.fixed);
        let off = self.off.contains(&[a.min(b) as u32, a.max(b) as u32]);
        !off && (!fixed(a) || !fixed(b))
    }
}
