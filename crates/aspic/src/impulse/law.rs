//! The law of one touch: Teschner's nine equations in closed form, with one vector for friction.
//!
//! Two ends with the relative velocity u = v₁ − v₂ and the normal n from the second to the first. The impulse P on the
//! first and −P on the second change u by P/m, 1/m = 1/m₁ + 1/m₂ (in general cᵀ M⁻¹ c):
//!
//! - normal: Uₙ = −e uₙ, so Pₙ = −(1 + e) m uₙ, only if uₙ < 0;
//! - Coulomb: P_T = −min(μ Pₙ, m |u_T|) u_T/|u_T|. The source has two components of μ Pₙ each, which can accelerate
//!   (erratum T8): one vector against the sliding, and never more than stops it;
//! - simplified: U_T = (1 − c) u_T (erratum T9: the source's μ is 1 − c).
//!
//! Against a wall of infinite mass, V_T = max(0, 1 − μ (1 + e) |vₙ|/|v_T|) v_T.

use crate::Vec3;

/// How a touch rubs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rub {
    /// Coulomb's μ.
    Coulomb(f64),
    /// The part c of the sliding that a touch takes away, whatever presses.
    Factor(f64),
}

/// The impulse of a touch so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Push {
    /// Pₙ ≥ 0  \[N s\]
    pub normal: f64,
    /// P_T  \[N s\]
    pub tangential: Vec3,
}

/// How a [`Push`] has changed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Change {
    /// \[N s\]
    pub normal: f64,
    /// \[N s\]
    pub tangential: Vec3,
}

impl Push {
    /// Brings the push to where the ends part with the speed `rebound` \[m/s\], or keep off by themselves. `u` is the
    /// relative velocity now, with the push so far in it; `inverse_mass` in 1/kg. From nothing this is the closed form
    /// above; from a push so far it corrects what other touches have changed.
    pub fn update(&mut self, u: &Vec3, n: &Vec3, inverse_mass: f64, rebound: f64, rub: Rub) -> Change {
        let along = u.dot(n);
        let normal = (self.normal + (rebound - along) / inverse_mass).max(0.0);
        let first = self.normal == 0.0 && normal > 0.0;
        let sliding = u - n * along;
        let tangential = match rub {
            // All that stops the sliding, or as much of it as the normal impulse can hold.
            Rub::Coulomb(mu) => shorten(self.tangential - sliding / inverse_mass, mu * normal),
            Rub::Factor(part) if first && self.tangential == Vec3::zeros() => {
                -sliding * (part / inverse_mass)
            }
            Rub::Factor(_) => self.tangential,
        };
        let change = Change { normal: normal - self.normal, tangential: tangential - self.tangential };
        *self = Push { normal, tangential };
        change
    }
}

/// The vector, cut to a length.
pub(super) fn shorten(vector: Vec3, most: f64) -> Vec3 {
    let length = vector.norm();
    if length <= most { vector } else { vector * (most / length) }
}

/// The velocity of a point after it has hit a wall with the unit normal n  \[m/s\]
pub fn bounce(v: &Vec3, n: &Vec3, restitution: f64, rub: Rub) -> Vec3 {
    let along = v.dot(n);
    if along >= 0.0 {
        return *v;
    }
    let change = Push::default().update(v, n, 1.0, -restitution * along, rub);
    v + n * change.normal + change.tangential
}

#[cfg(test)]
#[path = "law_tests.rs"]
mod tests;
