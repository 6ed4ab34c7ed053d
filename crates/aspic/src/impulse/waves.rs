//! One wave of impulses over the touches of a step: each gets its impulse in turn, until none changes any more.
//!
//! Touches of separate mass points do not disturb each other; the first round settles them, by the closed form. Touches
//! that share a body do, and go round (projected Gauss–Seidel on the sums of impulses). The order is that of the list.
//!
//! Impulses P that change u⁰ into u¹ take the energy −½ Σ P·(u⁰ + u¹). Without friction that is never negative: what is
//! struck came with u⁰ₙ < 0 and parts with at most −u⁰ₙ, and what only has to keep off projects. With friction, a body that
//! is struck off its centre with a restitution may gain: its sliding turns round while it is struck, and Coulomb's impulse,
//! which looks at the end, has then worked for it (Kane & Levinson's paradox). Then friction is halved until it does not.

use super::{Hit, Lever, Outcome, Push, Rub, Rules};
use crate::Vec3;

/// Most rounds.
const MOST_ROUNDS: usize = 100;
/// The rounds end when no velocity changes by more than this part of the fastest touch.
const SETTLED: f64 = 1e-13;
/// Energy that rounding makes, as a part of what is exchanged.
const ROUNDING: f64 = 1e-12;
/// How often friction is halved before it is left out.
const MOST_HALVES: i32 = 6;

/// The touches of a step, and what has happened to them so far.
pub(super) struct Touches<'a> {
    pub hits: &'a [Hit],
    pub rules: &'a Rules,
    /// Speed of the fastest touch at the end of the step  \[m/s\]
    pub fastest: f64,
    /// Touches that the simplified friction has slowed: it does so once.
    pub rubbed: Vec<bool>,
    pub outcome: Outcome,
}

/// What a wave did.
struct Wave {
    pushes: Vec<Push>,
    /// Energy that all impulses took, and the tangential ones  \[J\]
    lost: [f64; 2],
    /// Σ |P·u⁰|  \[J\]
    exchanged: f64,
}

impl Touches<'_> {
    /// Lets the ends of each touch part with its speed in `rebounds` \[m/s\], or keep off by themselves; those without one
    /// do not take part.
    pub fn wave(&mut self, levers: &[Lever], rebounds: &[Option<f64>], v: &mut [Vec3]) {
        let bounces = rebounds.iter().flatten().any(|rebound| *rebound > 0.0);
        let before = bounces.then(|| v.to_vec());
        let mut done = self.run(levers, rebounds, 1.0, v);
        for halves in 1..=MOST_HALVES + 1 {
            let Some(before) = before.as_ref().filter(|_| done.lost[0] < -ROUNDING * done.exchanged) else {
                break;
            };
            v.copy_from_slice(before);
            let share = if halves > MOST_HALVES { 0.0 } else { 0.5f64.powi(halves) };
            done = self.run(levers, rebounds, share, v);
        }
        let [all, friction] = done.lost;
        self.outcome.friction_loss += friction.clamp(0.0, all.max(0.0));
        for (k, push) in done.pushes.iter().enumerate() {
            self.outcome.impulses[k] += self.hits[k].normal * push.normal + push.tangential;
            self.rubbed[k] |= push.normal > 0.0;
        }
    }

    /// The wave with a share of the friction.
    fn run(&self, levers: &[Lever], rebounds: &[Option<f64>], share: f64, v: &mut [Vec3]) -> Wave {
        let relative = |k: usize, v: &[Vec3]| levers[k].sum(v) - self.hits[k].wall;
        let takes_part = |k: &usize| levers[*k].inverse_mass.along(&self.hits[*k].normal) > 0.0;
        let part = rebounds.iter().enumerate().filter_map(|(k, rebound)| Some((k, (*rebound)?)));
        let part: Vec<(usize, f64)> = part.filter(|(k, _)| takes_part(k)).collect();
        let before: Vec<Vec3> = part.iter().map(|&(k, _)| relative(k, v)).collect();
        let mut pushes = vec![Push::default(); self.hits.len()];
        for _ in 0..MOST_ROUNDS {
            let mut largest = 0.0f64;
            for &(k, rebound) in &part {
                let (normal, lever) = (&self.hits[k].normal, &levers[k]);
                let rub = self.rub(k, share);
                let change = pushes[k].settle(&relative(k, v), normal, &lever.inverse_mass, rebound, rub);
                let all = normal * change.normal + change.tangential;
                lever.kick(&all, v);
                largest = largest.max(lever.inverse_mass.times(&all).norm());
            }
            if largest <= SETTLED * self.fastest {
                break;
            }
        }
        let (mut lost, mut exchanged) = ([0.0; 2], 0.0);
        for (&(k, _), u) in part.iter().zip(&before) {
            let mean = (u + relative(k, v)) * 0.5;
            let (across, along) = (pushes[k].tangential, self.hits[k].normal * pushes[k].normal);
            lost[0] -= (along + across).dot(&mean);
            lost[1] -= across.dot(&mean);
            exchanged += (along + across).dot(u).abs();
        }
        Wave { pushes, lost, exchanged }
    }

    fn rub(&self, k: usize, share: f64) -> Rub {
        match self.rules.rub(self.hits[k].bodies) {
            Rub::Coulomb(mu) => Rub::Coulomb(mu * share),
            Rub::Factor(_) if self.rubbed[k] => Rub::Factor(0.0),
            Rub::Factor(part) => Rub::Factor(part * share),
        }
    }
}
