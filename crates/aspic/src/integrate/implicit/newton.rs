//! The minimum of a step's potential, by projected Newton steps that cross nothing on their way.
//!
//! Every iterate is a legal state: the direction is cut before the first touch and before any tetrahedron is flat,
//! then halved until the potential falls. Vertices with a prescribed motion take the part of it that is left as
//! their share of the direction, so that obstacles, too, move only as far as nothing is crossed.

use std::ops::Range;

use super::culprit::{culprit, farthest};
use super::objective::Objective;
use super::profile::{Profile, Stage};
use super::turns::follow_turns;
use crate::Vec3;
use crate::integrate::Spot;
use crate::solve::{Choice, Ending, LinearSolver, RankOnes, Target};
use crate::world::{ForceError, StepMatrix, World};

/// How hard a minimum is looked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NewtonSettings {
    /// The search ends when no vertex would move faster than this to the minimum of the model \[m/s\]; `None` follows
    /// from gravity, step and size.
    pub tolerance: Option<f64>,
    /// Most directions per step.
    pub cap: usize,
    /// Relative accuracy of the linear solves near the minimum; farther away ten times as much will do.
    pub linear_tolerance: f64,
    /// How linear systems are solved.
    pub solver: Choice,
}

impl NewtonSettings {
    /// Speed that the search leaves at most  \[m/s\]
    pub fn remainder(&self) -> f64 {
        self.tolerance.unwrap_or(super::TOLERANCE)
    }
}

impl Default for NewtonSettings {
    fn default() -> Self {
        NewtonSettings { tolerance: None, cap: 200, linear_tolerance: 1e-2, solver: Choice::Auto }
    }
}

/// What a search is for.
#[derive(Clone, Copy)]
pub(super) struct Task<'a> {
    pub settings: &'a NewtonSettings,
    /// Speed that may be left  \[m/s\]
    pub tolerance: f64,
    /// Speed from which on friction remembers normal forces anew  \[m/s\]
    pub near: f64,
    /// Whether it begins where the motion is expected to end. If not the first direction is most of the motion.
    pub ahead: bool,
    /// Energy that may be left, over what is usual.
    pub loose: f64,
    /// Where the step begins  \[m\]
    pub from: &'a [Vec3],
    /// The prescribed vertices and their ends.
    pub aims: &'a [(usize, Vec3)],
    /// Nodes of the bodies that move freely.
    pub free_bodies: &'a [Range<usize>],
}

/// Why no minimum was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Trouble {
    /// A force could not be computed.
    Force(ForceError),
    /// The directions got shorter and shorter.
    Locked { spot: Spot },
    /// The cap was reached.
    Capped { spot: Spot },
    /// A prescribed motion cannot be finished.
    Blocked { node: usize, spot: Spot },
}

/// Far from the end, by this many tolerances, linear systems need only be solved this much more roughly.
const FAR: f64 = 10.0;
const ROUGH: f64 = 10.0;
/// Most products of a linear solve.
const LINEAR_CAP: usize = 2000;
/// Sufficient decrease (Armijo).
const DECREASE: f64 = 1e-4;
/// Rounding of the potential, relative to it and to the energy that would strain the bodies by one.
const ROUNDING: f64 = 1e-13;
const ROUNDING_OF_STRAIN: f64 = 1e-14;
/// Shortest fraction of a direction in a line search.
const SHORTEST: f64 = 1e-10;
/// Directions of which less than this fraction is taken are tried without their bends.
const SHORT: f64 = 0.05;
/// Directions cut below this fraction, so many in a row, are a lock.
const CUT: f64 = 1e-3;
const CUTS: usize = 6;
/// Directions that prescribed motions may take to arrive.
const ARRIVALS: usize = 60;
/// Exact constraints are kept to this part of the bodies' size.
const VIOLATION: f64 = 1e-9;
/// Rounds of multipliers before a constraint counts as impossible.
const ROUNDS: usize = 30;
/// Friction remembers normal forces anew while it is not Coulomb's for those at the end by more than this part of μ λ,
/// summed over the contacts of two bodies; but not more often than this.
pub(super) const COULOMB: f64 = 0.01;
const MOST_LAGS: usize = 40;

/// The search goes on while a direction changes the forces between two bodies by more than this part, or the slip of
/// their contacts that hold by this part of the slip that holds: means by load. Contacts are stiff, so that motions
/// below any tolerance change them much; and a load just above the limit of friction would stick.
const UNDECIDED: f64 = 0.1;
/// But not for more than so many directions in a step.
const MOST_UNDECIDED: usize = 30;
/// The matrix is kept while no edge has changed by more than this part of its length since it was made. Springs are stiff
/// along themselves and soft across, so that a small turn matters.
const CHANGE: f64 = 0.05;
const CHANGE_OF_SPRINGS: f64 = 0.005;
/// A matrix that was made before a body turned by θ resists further turning, by about θ² times the stiffness of the body. It is
/// kept while that is below this part of its inertia.
const FALSE_STIFFNESS: f64 = 0.02;
/// Affine bodies are stiffer than anything: a strain of so much is a stress against which they hardly turn any more.
const CHANGE_OF_AFFINE: f64 = 1e-6;
/// The search also goes on while its last direction releases more than this part of the energy in play: stiff bodies
/// store much in motions below any tolerance. Or while the force that is left at its start has done more than this part
/// of the work of all forces in the step: friction that sticks settles slowly. But not for more than so many directions.
const LOOSE: f64 = 1e-4;
const UNPAID: f64 = 2e-4;
const MOST_EXTRA: usize = 20;

/// How fast directions get shorter. The way that is left after one follows: with speeds that fall by ρ each time it is the
/// sum of what is to come, ρ/(1 − ρ) of the last. Where Hessians are made positive ρ may be near one, and a short
/// direction does not mean that the end is near. A small ρ proves nothing: stiff motions settle before soft ones.
#[derive(Clone, Copy, Debug, Default)]
struct Contraction {
    /// Speed of the last direction, if it was taken whole  \[m/s\]
    last: Option<f64>,
}

impl Contraction {
    /// Speed left after a direction of this `speed` of which a part was taken  \[m/s\]
    fn left_after(&mut self, speed: f64, taken: f64) -> f64 {
        let ratio = self.last.map(|last| (speed / last).clamp(0.5, MOST_RATIO));
        self.last = (taken == 1.0).then_some(speed);
        match ratio {
            _ if taken < 1.0 => speed,
            Some(ratio) => speed * ratio / (1.0 - ratio),
            None => speed,
        }
    }
}

/// Bound on the contraction that is believed: no search ends if nothing shortens.
const MOST_RATIO: f64 = 0.9;

/// Memory for the search.
pub(super) struct Newton {
    pub system: StepMatrix,
    pub solver: LinearSolver,
    terms: RankOnes,
    gradient: Vec<Vec3>,
    target: Vec<Vec3>,
    solution: Vec<Vec3>,
    direction: Vec<Vec3>,
    /// The direction before [`Newton::straighten`].
    bent: Vec<Vec3>,
    trial: Vec<Vec3>,
    /// Where the matrix was made  \[m\]
    made_at: Vec<Vec3>,
    /// Change of an edge that asks for a new one, over its length, in general and at each node.
    change: f64,
    changes: Vec<f64>,
    /// Whether the solver has not seen it yet.
    matrix_is_new: bool,
    /// Part of Σ μλ of two bodies by which friction at the minimum is not Coulomb's.
    pub coulomb_excess: f64,
    /// m c² with the speed of pressure waves: elastic energies are differences of numbers of this size  \[J\]
    strain_energy: f64,
}

impl Newton {
    pub fn new(world: &World, settings: &NewtonSettings) -> Newton {
        let zeros = || vec![Vec3::zeros(); world.nodes()];
        Newton {
            system: world.step_matrix(),
            solver: LinearSolver::new(settings.solver),
            terms: RankOnes::default(),
            gradient: zeros(),
            target: zeros(),
            solution: zeros(),
            direction: zeros(),
            bent: zeros(),
            trial: zeros(),
            made_at: zeros(),
            change: if world.networks.is_empty() { CHANGE } else { CHANGE_OF_SPRINGS },
            changes: vec![0.0; world.nodes()],
            matrix_is_new: true,
            coulomb_excess: 0.0,
            strain_energy: strain_energy(world),
        }
    }

    /// Moves x to the minimum. On entry the matrix is that at x.
    pub fn minimise(
        &mut self,
        world: &World,
        objective: &mut Objective,
        task: Task,
        x: &mut [Vec3],
        profile: &mut Profile,
    ) -> Result<(), Trouble> {
        let Task { settings, tolerance, aims, .. } = task;
        self.solver.begin_step();
        let (mut cuts, mut arrivals, mut rounds, mut lags, mut undecided, mut extra) = (0, 0, 0, 0, 0, 0);
        let (mut far, mut left) = (task.ahead, true);
        let mut contraction = Contraction::default();
        self.note_matrix(world, objective, x);
        for iteration in 0..settings.cap {
            profile.newton_iterations += 1;
            let start = profile.time(Stage::Assembly, || {
                if iteration > 0 && (left || self.has_changed(world, x)) {
                    objective.assemble(world, x, &mut self.system);
                    self.note_matrix(world, objective, x);
                }
                objective.gradient(world, x, &mut self.gradient)
            });
            let potential = start.map_err(Trouble::Force)?;
            let accuracy = settings.linear_tolerance * if far { ROUGH } else { 1.0 };
            left = self.direct(world, objective, accuracy, task, x, profile)?;
            let speed = self.solution.iter().map(|d| d.amax()).fold(0.0, f64::max) * objective.weights.rate;
            far = speed > FAR * tolerance;
            let work: f64 = self.gradient.iter().zip(&self.solution).map(|(g, d)| g.dot(d)).sum();
            let mut limit = profile.time(Stage::Detection, || objective.limit(world, x, &self.direction));
            let wavers = objective.learn(world) > UNDECIDED && undecided < MOST_UNDECIDED;
            arrivals += usize::from(left);
            let mut taken = self.advance(world, objective, (potential, left), limit, x, profile);
            if taken < SHORT && self.straighten(aims, x) {
                let farthest = profile.time(Stage::Detection, || objective.limit(world, x, &self.direction));
                let further = self.advance(world, objective, (potential, left), farthest, x, profile);
                if further > taken {
                    (limit, taken) = (farthest, further);
                } else {
                    std::mem::swap(&mut self.direction, &mut self.bent);
                }
            }
            let rest = contraction.left_after(speed, taken);
            let loose = self.is_loose(world, objective, task, work, x) && extra < MOST_EXTRA;
            self.step(x, taken, aims);
            cuts = if taken < CUT { cuts + 1 } else { 0 };
            if cuts >= CUTS || taken == 0.0 && speed > tolerance {
                return Err(Trouble::Locked { spot: self.culprit(world, objective, x) });
            }
            if left && arrivals >= ARRIVALS {
                let node = aims.iter().find(|(node, end)| x[*node] != *end).map_or(0, |(node, _)| *node);
                return Err(Trouble::Blocked { node, spot: self.culprit(world, objective, x) });
            }
            // Near its end the search remembers friction anew after every direction: each then settles both at once.
            let near = !left && limit == 1.0 && speed < task.near && lags < MOST_LAGS;
            if near && objective.coulomb_error(world, x) > COULOMB {
                objective.lag_again(world, x);
                lags += 1;
                continue;
            }
            if rest >= tolerance || (left && taken < 1.0) {
                continue;
            }
            if loose {
                extra += 1;
                continue;
            }
            if wavers {
                undecided += 1;
                continue;
            }
            let (violation, constraint) = objective.violation(world, x);
            if violation > VIOLATION * world.scale.length {
                objective.grow_multipliers(world);
                rounds += 1;
                if rounds > ROUNDS {
                    return Err(Trouble::Force(ForceError::Unsatisfied { constraint }));
                }
                continue;
            }
            self.coulomb_excess = objective.coulomb_error(world, x);
            if lags < MOST_LAGS && self.coulomb_excess > COULOMB {
                objective.lag_again(world, x);
                lags += 1;
                continue;
            }
            return Ok(());
        }
        Err(Trouble::Capped { spot: self.culprit(world, objective, x) })
    }

    /// Whether a direction from x that does this `work` leaves energy to be released, or a force whose work is not paid.
    fn is_loose(&self, world: &World, objective: &mut Objective, task: Task, work: f64, x: &[Vec3]) -> bool {
        let (unpaid, done) = objective.works(&self.target, x, task.from);
        let in_play = task.loose * objective.energy_in_play(world);
        -work > LOOSE * in_play || unpaid.abs() > UNPAID * (in_play + done)
    }

    /// What stands in the way of the present direction.
    fn culprit(&self, world: &World, objective: &mut Objective, x: &[Vec3]) -> Spot {
        culprit(world, objective, x, &self.direction, &self.solution)
    }

    /// The direction: Newton's on the free vertices, what is left of the way on the prescribed ones. Returns whether
    /// there was any way left. Forces so large that no direction can be computed are an error, not a balance.
    fn direct(
        &mut self,
        world: &World,
        objective: &mut Objective,
        accuracy: f64,
        Task { aims, free_bodies, .. }: Task,
        x: &[Vec3],
        profile: &mut Profile,
    ) -> Result<bool, Trouble> {
        let free = &world.phases[objective.work.phase].free.mask;
        objective.curvature(world, &mut self.terms);
        self.target.iter_mut().zip(&self.gradient).for_each(|(b, g)| *b = -g);
        self.direction.fill(Vec3::zeros());
        aims.iter().for_each(|&(node, end)| self.direction[node] = end - x[node]);
        let left = aims.iter().any(|&(node, _)| self.direction[node] != Vec3::zeros());
        if left {
            // A_ff d_f = −g_f − A_fc d_c
            self.system.matrix.multiply(&self.direction, &mut self.solution);
            self.terms.add_product(&self.direction, &mut self.solution);
            self.target.iter_mut().zip(&self.solution).for_each(|(b, coupled)| *b -= coupled);
        }
        self.target.iter_mut().zip(free).filter(|(_, free)| !**free).for_each(|(b, _)| *b = Vec3::zeros());
        self.system.matrix.constrain(free);
        self.terms.constrain(free);
        let clock = std::time::Instant::now();
        let solver = &mut self.solver;
        let target = Target { tolerance: accuracy, cap: LINEAR_CAP };
        let is_new = std::mem::take(&mut self.matrix_is_new);
        solver.prepare(&self.system.matrix, &self.terms, free, x, is_new);
        let (matrix, terms) = (&self.system.matrix, &mut self.terms);
        let effort = solver.solve(matrix, terms, &self.target, &mut self.solution, target);
        profile.add(Stage::LinearSolve, clock);
        profile.linear_iterations += effort.iterations as u64;
        if let Some(node) = self.solution.iter().position(|d| !d.iter().all(|c| c.is_finite())) {
            return Err(Trouble::Force(ForceError::NotFinite { node }));
        }
        if effort.ending == Ending::NotPositive && self.solution.iter().all(|d| *d == Vec3::zeros()) {
            return Err(Trouble::Force(ForceError::NotFinite { node: farthest(&self.target) }));
        }
        self.direction.iter_mut().zip(&self.solution).for_each(|(d, s)| *d += s);
        follow_turns(&world.inertia, free_bodies, x, &mut self.direction);
        Ok(left)
    }

    /// Takes the bends out of the direction, and keeps what it was. Returns whether there were any.
    ///
    /// Newton's direction leaves contacts that are almost closed their gaps; its bend does not know them. Half way around a
    /// turn by θ chords are shorter by θ²/8, which is more than the gap that is left between two sheets of some thickness. So
    /// a bent direction may be cut again and again by a pair that would part along the straight one. Nor need the energy
    /// fall along a large bend.
    fn straighten(&mut self, aims: &[(usize, Vec3)], x: &[Vec3]) -> bool {
        std::mem::swap(&mut self.direction, &mut self.bent);
        self.direction.copy_from_slice(&self.solution);
        aims.iter().for_each(|&(node, end)| self.direction[node] += end - x[node]);
        self.direction != self.bent
    }

    /// The part of the direction that is taken: with prescribed motions on their way all that crosses nothing, else what
    /// the line search makes of it.
    fn advance(
        &mut self,
        world: &World,
        objective: &mut Objective,
        (potential, left): (f64, bool),
        limit: f64,
        x: &[Vec3],
        profile: &mut Profile,
    ) -> f64 {
        if left {
            return limit;
        }
        let clock = std::time::Instant::now();
        let taken = self.search(world, objective, potential, limit, x);
        profile.add(Stage::LineSearch, clock);
        taken
    }

    /// Halves the fraction until the potential has fallen enough; zero if it never does.
    fn search(
        &mut self,
        world: &World,
        objective: &mut Objective,
        potential: f64,
        limit: f64,
        x: &[Vec3],
    ) -> f64 {
        let slope: f64 = self.gradient.iter().zip(&self.solution).map(|(g, d)| g.dot(d)).sum();
        let rounding = ROUNDING * potential.abs() + ROUNDING_OF_STRAIN * self.strain_energy;
        let mut fraction = limit;
        while fraction > SHORTEST {
            self.trial.clear();
            self.trial.extend(x.iter().zip(&self.direction).map(|(x, d)| x + d * fraction));
            let reached = objective.energy(world, &self.trial);
            if reached <= potential + DECREASE * fraction * slope + rounding {
                return fraction;
            }
            fraction *= 0.5;
        }
        0.0
    }

    /// Remembers that the matrix was made at x, and for how long it may be kept. The stiffness κ of a body over its inertia is
    /// that against swelling, sᵀ(A − c²M)s / c²sᵀMs with s = x − x̄.
    fn note_matrix(&mut self, world: &World, objective: &Objective, x: &[Vec3]) {
        self.made_at.copy_from_slice(x);
        self.matrix_is_new = true;
        let inertia = &world.inertia;
        self.trial.clear();
        self.trial.resize(x.len(), Vec3::zeros());
        for body in &world.topology.bodies {
            let center = inertia.center(x, body.nodes.clone());
            body.nodes.clone().for_each(|node| self.trial[node] = x[node] - center);
        }
        self.system.matrix.multiply(&self.trial, &mut self.solution);
        for body in &world.topology.bodies {
            let nodes = || body.nodes.clone();
            let swelling = |force: &dyn Fn(usize) -> Vec3| -> f64 {
                nodes().map(|node| self.trial[node].dot(&force(node))).sum()
            };
            let whole = swelling(&|node| self.solution[node]);
            let inert = swelling(&|node| inertia.matrix().row_times(node, &self.trial));
            let ratio = whole / (inert * objective.weights.rate.powi(2)) - 1.0;
            let turn = (FALSE_STIFFNESS / ratio).sqrt();
            // Not a number where there is no mass, or nothing resists.
            let change = if turn < self.change { turn } else { self.change };
            self.changes[nodes()].fill(change);
        }
    }

    /// Whether an edge has changed much, or turned, since the matrix was made.
    fn has_changed(&self, world: &World, x: &[Vec3]) -> bool {
        let (matrix, from) = (&self.system.matrix, &self.made_at);
        let changed = |i: usize, j: usize, limit: f64| {
            let change = (x[i] - from[i]) - (x[j] - from[j]);
            change.norm_squared() > limit * limit * (from[i] - from[j]).norm_squared()
        };
        let mut corners = world
            .affine_bodies()
            .flat_map(|nodes| nodes.clone().skip(1).map(move |node| [nodes.start, node]));
        corners.any(|[i, j]| changed(i, j, CHANGE_OF_AFFINE))
            || (0..x.len()).any(|i| {
                matrix.row(i).take_while(|(j, _)| *j < i).any(|(j, _)| changed(i, j, self.changes[i]))
            })
    }

    fn step(&mut self, x: &mut [Vec3], fraction: f64, aims: &[(usize, Vec3)]) {
        x.iter_mut().zip(&self.direction).for_each(|(x, d)| *x += d * fraction);
        if fraction == 1.0 {
            aims.iter().for_each(|&(node, end)| x[node] = end);
        }
    }
}

fn strain_energy(world: &World) -> f64 {
    let mass: f64 = world.inertia.masses().iter().sum();
    mass * (world.scale.length / world.scale.time).powi(2)
}
