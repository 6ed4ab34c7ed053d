//! All contacts of one step: which pairs are near, how they push and rub, and how far the bodies may move.
//!
//! During a step the stiffness of each pair, and what friction remembers, are frozen, so that the step minimises a
//! true energy. Sums run over fixed chunks in a fixed order: no bit depends on the number of threads.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::candidates::Candidates;
use super::half_space::{Standing, each_standing};
use super::hessian::RankOnes;
use super::law::Contact;
use super::near::{Near, Ways};
use super::pair::{Kind, Pair};
use super::rubbing::Rubbing;
use crate::Vec3;

/// Pairs in one chunk of work.
const CHUNK: usize = 64;
/// Share of every gap that a motion leaves.
const SLACK: f64 = 0.2;

/// Bodies that bear less than this part of all their load between them graze each other.
const GRAZING: f64 = 0.1;

/// One push at the present positions.
#[derive(Clone, Copy, Debug)]
pub struct Touch {
    /// What touches; a point that touches a half-space counts as two points.
    pub kind: Kind,
    /// Its surface points.
    pub points: [u32; 4],
    /// c: weights of the closest points.
    pub weights: [f64; 4],
    /// Unit vector from the second primitive to the first.
    pub normal: Vec3,
    /// k m φ′ ≤ 0: minus the normal force  \[N\]
    pub slope: f64,
    /// k m φ″  \[N/m\]
    pub curvature: f64,
    /// The curvature as a sum of squares.
    pub squares: RankOnes,
    /// μ
    pub friction: f64,
    /// The two bodies; a half-space counts as body `first_plane_body` plus its number.
    pub bodies: [u32; 2],
}

impl Touch {
    /// A single point against something that does not move.
    pub(super) fn of_point(
        point: u32,
        bodies: [u32; 2],
        normal: Vec3,
        [slope, curvature]: [f64; 2],
        friction: f64,
    ) -> Touch {
        let mut squares = RankOnes::none();
        let root = curvature.max(0.0).sqrt();
        squares.push([normal * root, Vec3::zeros(), Vec3::zeros(), Vec3::zeros()]);
        let weights = [1.0, 0.0, 0.0, 0.0];
        let kind = Kind::PointPoint;
        Touch { kind, points: [point; 4], weights, normal, slope, curvature, squares, friction, bodies }
    }

    /// What tells it from all others: a point and a triangle may have the same points as two edges.
    pub(super) fn key(&self) -> Key {
        (self.points, self.kind, self.bodies)
    }

    /// μ λ: the largest force of friction  \[N\]
    fn limit(&self) -> f64 {
        self.friction * -self.slope
    }

    /// By how much the motion dx of the surface points changes the force  \[N\]
    fn change(&self, dx: &[Vec3]) -> f64 {
        let closing: f64 =
            self.points.iter().zip(self.weights).map(|(&p, c)| c * self.normal.dot(&dx[p as usize])).sum();
        (self.curvature * closing).abs()
    }
}

/// Points, kind and bodies of a contact.
pub(super) type Key = ([u32; 4], Kind, [u32; 2]);

/// What the contacts add up to at one position.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pushes {
    /// Energy of repulsion  \[J\]
    pub energy: f64,
    /// Energy of the smoothed friction  \[J\]
    pub friction_energy: f64,
}

/// How friction tells sliding from holding: a point slides by x − x̂, which over 1/c is its velocity at the end of a step.
#[derive(Clone, Copy, Debug)]
pub struct Slip<'a> {
    /// x̂ of every surface point  \[m\]
    pub base: &'a [Vec3],
    /// Slip that still holds  \[m\]
    pub hold: f64,
}

/// What ends a motion first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stop {
    /// The two bodies; a half-space counts as body `first_plane_body` plus its number.
    pub bodies: [u32; 2],
    /// Its surface points, as in a pair; four times the same against a half-space.
    pub points: [u32; 4],
    /// y  \[m\]
    pub gap: f64,
    /// Part of the motion that it lets pass.
    pub fraction: f64,
}

/// The contacts of a step; keeps its memory from step to step.
#[derive(Debug)]
pub struct Touching {
    candidates: Candidates,
    near: Vec<Near>,
    standing: Vec<Standing>,
    /// Pairs that may push during the present line search.
    lively: Vec<u32>,
    /// Whether each pair may push.
    awake: Vec<bool>,
    /// Pairs that need not be looked at while no two points come nearer than `peace` from where they were at `rested`.
    resting: Vec<bool>,
    rested: Ways,
    peace: f64,
    /// Ways gone by each surface point up to `at`, and those of the planned motion  \[m\]
    ways: Ways,
    planned: Ways,
    at: Vec<Vec3>,
    baskets: Vec<Vec<Touch>>,
    touches: Vec<Touch>,
    /// Energy of each chunk of pairs  \[J\]
    sums: Vec<f64>,
    rubbing: Vec<Rubbing>,
    /// The same as remembered before.
    rubbed: Vec<Rubbing>,
    /// Positions at the start of the step, and those that slip is measured from  \[m\]
    start: Vec<Vec3>,
    base: Vec<Vec3>,
    /// Stiffness behind each surface point  \[N/m\]
    stiffness: Vec<f64>,
    moved: Vec<Vec3>,
    /// Two bodies, 0 for pushes or 1 for friction, place; load and undecided load of each contact  \[N\]
    undecided: Vec<([u32; 4], f64, f64)>,
    /// Sum of the loads of each body, pushes and friction apart  \[N\]
    bearing: Vec<f64>,
    /// Contacts that rub, in order, and the largest force of each  \[N\]
    known: Vec<(Key, f64)>,
    /// ε_v/c: slip that still holds  \[m\]
    smoothing: f64,
    /// Times that the list of pairs was made.
    pub rebuilds: u64,
}

impl Touching {
    /// Nothing near yet.
    pub fn new(contact: &Contact) -> Touching {
        Touching {
            candidates: Candidates::new(&contact.surface),
            near: vec![],
            standing: vec![],
            lively: vec![],
            awake: vec![],
            resting: vec![],
            rested: Ways::default(),
            peace: 0.0,
            ways: Ways::default(),
            planned: Ways::default(),
            at: vec![],
            baskets: vec![],
            touches: vec![],
            sums: vec![],
            rubbing: vec![],
            rubbed: vec![],
            start: vec![],
            base: vec![],
            stiffness: vec![],
            moved: vec![],
            undecided: vec![],
            bearing: vec![],
            known: vec![],
            smoothing: 0.0,
            rebuilds: 0,
        }
    }

    /// Starts a step at x, planned to end at `x_end`. Nothing pushes before [`Touching::harden`].
    pub fn begin(&mut self, contact: &Contact, x: &[Vec3], x_end: &[Vec3], slip: Slip) {
        self.rubbing.clear();
        for (list, from) in [(&mut self.start, x), (&mut self.base, slip.base)] {
            list.clear();
            list.extend_from_slice(from);
        }
        self.stiffness.clear();
        self.standing.clear();
        self.smoothing = slip.hold;
        self.at.clear();
        self.at.extend_from_slice(x);
        for list in [&mut self.ways.world, &mut self.ways.own] {
            list.clear();
            list.resize(x.len(), 0.0);
        }
        each_standing(contact, |standing| self.standing.push(standing));
        self.candidates.forget();
        self.rebuild(contact, x, x_end);
    }

    /// Freezes the stiffness of all contacts, from what the bodies resist a push at each surface point with, infinite
    /// where it is held \[N/m\]. Friction remembers the start of the step.
    pub fn harden(&mut self, contact: &Contact, stiffness: &[f64]) {
        self.stiffness.clear();
        self.stiffness.extend_from_slice(stiffness);
        self.near.par_iter_mut().for_each(|near| near.harden(contact, stiffness));
        self.standing.iter_mut().for_each(|standing| standing.harden(contact, stiffness));
        let start = std::mem::take(&mut self.start);
        let here = self.at.clone();
        self.lag(contact, &start);
        self.walk(contact, &here);
        self.start = start;
    }

    fn rebuild(&mut self, contact: &Contact, x: &[Vec3], x_end: &[Vec3]) {
        self.candidates.rebuild(&contact.surface, x, x_end, &contact.distance);
        let (pairs, stiffness) = (self.candidates.pairs(), &self.stiffness);
        let near = |&pair: &Pair| {
            let mut near = Near::new(contact, pair);
            if !stiffness.is_empty() {
                near.harden(contact, stiffness);
            }
            near
        };
        pairs.par_iter().map(near).collect_into_vec(&mut self.near);
        self.peace = 0.0;
        self.walk(contact, x);
        self.wake(contact, x);
        self.rebuilds += 1;
    }

    /// Adds the straight way from the last positions to x.
    fn walk(&mut self, contact: &Contact, x: &[Vec3]) {
        let Touching { ways, at, moved, .. } = self;
        moved.clear();
        moved.extend(x.iter().zip(&*at).map(|(x, at)| x - at));
        add_ways(contact, moved, ways);
        at.copy_from_slice(x);
    }

    /// Finds the pairs that may push at x, and freezes their mollifiers.
    fn wake(&mut self, contact: &Contact, x: &[Vec3]) {
        let all = self.nearer() >= self.peace;
        if all {
            self.resting.clear();
            self.resting.resize(self.near.len(), false);
        }
        let (ways, resting) = (&self.ways, &self.resting);
        let look = |(near, rests): (&mut Near, &bool)| {
            let awake = !rests && near.look(x, ways);
            if awake {
                near.freeze_mollifier(contact, x);
            }
            awake
        };
        let near = self.near.par_iter_mut().zip(resting).with_min_len(CHUNK);
        near.map(look).collect_into_vec(&mut self.awake);
        self.lively.clear();
        self.lively.extend((0..self.near.len() as u32).filter(|&k| self.awake[k as usize]));
        if all {
            self.rest();
        }
    }

    /// Lets pairs rest that are far out of range.
    fn rest(&mut self) {
        self.peace = self.near.iter().map(|near| near.range).fold(0.0, f64::max);
        let (peace, ways) = (self.peace, &self.ways);
        let rests = |near: &Near| near.spare(ways) > peace;
        self.near.par_iter().with_min_len(CHUNK).map(rests).collect_into_vec(&mut self.resting);
        self.rested.clone_from(&self.ways);
    }

    /// By how much two points can have come nearer since pairs were sent to rest  \[m\]
    fn nearer(&self) -> f64 {
        let longest = |now: &[f64], then: &[f64]| {
            now.iter().zip(then).map(|(now, then)| now - then).fold(0.0, f64::max)
        };
        let (now, then) = (&self.ways, &self.rested);
        2.0 * longest(&now.world, &then.world).max(longest(&now.own, &then.own))
    }

    /// Makes sure that the list of pairs holds for paths from x to `x_end`.
    pub fn cover(&mut self, contact: &Contact, x: &[Vec3], x_end: &[Vec3]) {
        if !self.candidates.covers(x_end) || !self.candidates.covers(x) {
            self.rebuild(contact, x, x_end);
        }
    }

    /// Remembers the normal forces and directions at x for friction.
    pub fn lag(&mut self, contact: &Contact, x: &[Vec3]) {
        std::mem::swap(&mut self.rubbing, &mut self.rubbed);
        self.rubbing.clear();
        if contact.friction.is_none() {
            return;
        }
        self.walk(contact, x);
        self.wake(contact, x);
        for near in self.lively.iter().map(|&k| &self.near[k as usize]).filter(|near| near.friction > 0.0) {
            self.rubbing.extend(near.touch(x).map(|touch| Rubbing::new(&touch)));
        }
        for standing in self.standing.iter().filter(|standing| standing.friction > 0.0) {
            self.rubbing.extend(standing.touch(contact, x).map(|touch| Rubbing::new(&touch)));
        }
        self.keep_caution();
    }

    /// What was rubbed before goes on with the caution that it has learned.
    fn keep_caution(&mut self) {
        let Touching { rubbing, rubbed, .. } = self;
        rubbed.sort_unstable_by_key(Rubbing::key);
        for one in rubbing {
            if let Ok(place) = rubbed.binary_search_by_key(&one.key(), Rubbing::key) {
                one.caution = rubbed[place].caution;
            }
        }
    }

    /// Everything at x: energies, the gradient of both added to `gradient`, the pushes kept for
    /// [`Touching::each_square`]. Freezes the mollifiers for the line search that begins here.
    pub fn evaluate(&mut self, contact: &Contact, x: &[Vec3], gradient: &mut [Vec3]) -> Pushes {
        self.walk(contact, x);
        self.wake(contact, x);
        self.find_touches(contact, x);
        for touch in &self.touches {
            for (&point, weight) in touch.points.iter().zip(touch.weights) {
                gradient[point as usize] += touch.normal * (weight * touch.slope);
            }
        }
        let mut pushes = Pushes { energy: self.repulsion(contact, x), friction_energy: 0.0 };
        self.slip_from_base(x);
        for rubbing in &self.rubbing {
            pushes.friction_energy += rubbing.energy(&self.moved, self.smoothing);
            let pull = rubbing.gradient(&self.moved, self.smoothing);
            rubbing.points.iter().zip(pull).for_each(|(&p, pull)| gradient[p as usize] += pull);
        }
        pushes
    }

    fn find_touches(&mut self, contact: &Contact, x: &[Vec3]) {
        let chunks = self.lively.len().div_ceil(CHUNK);
        self.baskets.resize_with(chunks.max(self.baskets.len()), Vec::new);
        let (near, work) = (&self.near, self.lively.par_chunks(CHUNK).zip(self.baskets.par_iter_mut()));
        work.for_each(|(chunk, basket)| {
            basket.clear();
            basket.extend(chunk.iter().filter_map(|&k| near[k as usize].touch(x)));
        });
        self.touches.clear();
        self.baskets[..chunks].iter().for_each(|basket| self.touches.extend_from_slice(basket));
        self.touches.extend(self.standing.iter().filter_map(|standing| standing.touch(contact, x)));
    }

    fn slip_from_base(&mut self, x: &[Vec3]) {
        self.moved.clear();
        self.moved.extend(x.iter().zip(&self.base).map(|(x, base)| x - base));
    }

    /// Calls `visit` with the surface points and the vectors of every square z zᵀ of the curvature at the positions
    /// of the last [`Touching::evaluate`].
    pub fn each_square(&self, mut visit: impl FnMut(&[u32; 4], &[Vec3; 4])) {
        for touch in &self.touches {
            touch.squares.active().iter().for_each(|z| visit(&touch.points, z));
        }
        for rubbing in &self.rubbing {
            let squares = rubbing.hessian(&self.moved, self.smoothing);
            squares.active().iter().for_each(|z| visit(&rubbing.points, z));
        }
    }

    /// Largest fraction, at most 1, of the motion dx from x that crosses nothing and keeps a share of every gap.
    /// Also picks the pairs that may push anywhere along the motion.
    pub fn limit(&mut self, contact: &Contact, x: &[Vec3], dx: &[Vec3]) -> f64 {
        self.walk(contact, x);
        for list in [&mut self.planned.world, &mut self.planned.own] {
            list.clear();
            list.resize(x.len(), 0.0);
        }
        add_ways(contact, dx, &mut self.planned);
        let farthest = self.planned.world.iter().chain(&self.planned.own).copied().fold(0.0, f64::max);
        let peaceful = self.nearer() + 2.0 * farthest < self.peace;
        let (near, ways, planned) = (&self.near, &self.ways, &self.planned);
        let stays = |(near, rests): (&Near, &bool)| *rests && peaceful || near.stays_away(ways, planned);
        let pairs = near.par_iter().zip(&self.resting).with_min_len(CHUNK);
        pairs.map(|pair| !stays(pair)).collect_into_vec(&mut self.awake);
        self.lively.clear();
        self.lively.extend((0..near.len() as u32).filter(|&k| self.awake[k as usize]));
        let pairs = self.lively.par_iter().with_min_len(CHUNK).map(|&k| near[k as usize].limit(x, dx, SLACK));
        let pairs = pairs.reduce(|| 1.0, f64::min);
        let planes = self.standing.iter().map(|standing| standing.limit(contact, x, dx, SLACK));
        planes.fold(pairs, f64::min)
    }

    /// What cuts the motion dx from x most, after [`Touching::limit`] of the same motion.
    pub fn first_stop(&self, contact: &Contact, x: &[Vec3], dx: &[Vec3]) -> Option<Stop> {
        let body = |point: u32| contact.surface.body_of(point).unwrap_or(0);
        let pairs = self.lively.iter().map(|&k| {
            let near = &self.near[k as usize];
            let points = near.pair.points;
            let bodies = [body(points[0]), body(points[3])];
            Stop { bodies, points, gap: near.gap(x), fraction: near.limit(x, dx, SLACK) }
        });
        let planes = self.standing.iter().map(|standing| Stop {
            bodies: [body(standing.point), contact.first_plane_body + standing.plane],
            points: [standing.point; 4],
            gap: standing.gap(contact, x),
            fraction: standing.limit(contact, x, dx, SLACK),
        });
        pairs.chain(planes).reduce(|first, other| if other.fraction < first.fraction { other } else { first })
    }

    /// The two bodies, apart from itself, that press on a body hardest at x, after [`Touching::limit`] there; half-spaces
    /// are counted as in [`Stop`].
    pub fn pressing(&self, contact: &Contact, x: &[Vec3], body: u32) -> [Option<u32>; 2] {
        let owner = |point: u32| contact.surface.body_of(point).unwrap_or(0);
        let pairs = self.lively.iter().filter_map(|&k| {
            let touch = self.near[k as usize].touch(x)?;
            Some(([owner(touch.points[0]), owner(touch.points[3])], -touch.slope))
        });
        let planes = self.standing.iter().filter_map(|standing| {
            let bodies = [owner(standing.point), contact.first_plane_body + standing.plane];
            Some((bodies, -standing.touch(contact, x)?.slope))
        });
        let mut loads = BTreeMap::new();
        for ([a, b], load) in pairs.chain(planes).filter(|([a, b], _)| (*a == body) != (*b == body)) {
            *loads.entry(if a == body { b } else { a }).or_insert(0.0) += load;
        }
        let mut loads: Vec<(u32, f64)> = loads.into_iter().filter(|(_, load)| *load > 0.0).collect();
        loads.sort_by(|a, b| b.1.total_cmp(&a.1));
        [0, 1].map(|k| loads.get(k).map(|(other, _)| *other))
    }

    /// Whether anything pushed at the last [`Touching::evaluate`].
    pub fn touches(&self) -> bool {
        !self.touches.is_empty()
    }

    /// The bodies of all pushes at the last [`Touching::evaluate`], some more than once.
    pub fn touching_bodies(&self) -> impl Iterator<Item = u32> {
        self.touches.iter().flat_map(|touch| touch.bodies)
    }

    /// Energy of repulsion and of smoothed friction at a point of the present line search  \[J\]
    pub fn energy(&mut self, contact: &Contact, x: &[Vec3]) -> f64 {
        self.slip_from_base(x);
        let repulsion = self.repulsion(contact, x);
        let rub = |rubbing: &Rubbing| rubbing.energy(&self.moved, self.smoothing);
        repulsion + self.rubbing.iter().map(rub).sum::<f64>()
    }

    fn repulsion(&mut self, contact: &Contact, x: &[Vec3]) -> f64 {
        let near = &self.near;
        let sum = |chunk: &[u32]| chunk.iter().map(|&k| near[k as usize].energy(x)).sum::<f64>();
        self.lively.par_chunks(CHUNK).map(sum).collect_into_vec(&mut self.sums);
        let planes: f64 = self.standing.iter().map(|standing| standing.energy(contact, x)).sum();
        self.sums.iter().sum::<f64>() + planes
    }

    /// Forces of friction on the surface points at x  \[N\], added to `out`.
    pub fn add_friction(&mut self, x: &[Vec3], out: &mut [Vec3]) {
        self.slip_from_base(x);
        for rubbing in &self.rubbing {
            let pull = rubbing.gradient(&self.moved, self.smoothing);
            rubbing.points.iter().zip(pull).for_each(|(&p, pull)| out[p as usize] -= pull);
        }
    }

    /// Friction acts on the two sides of a gap, so that its two forces have a torque, which no contact has. Calls `visit`
    /// with the torque on the body of a point that makes up for it, half of it on each side  \[N m\]
    pub fn each_couple(&mut self, x: &[Vec3], mut visit: impl FnMut(u32, Vec3)) {
        self.slip_from_base(x);
        for rubbing in &self.rubbing {
            let Some((apart, pull)) = rubbing.lever(x, &self.moved, self.smoothing) else { continue };
            let half = apart.cross(&pull) * -0.5;
            [rubbing.points[0], rubbing.points[3]].into_iter().for_each(|point| visit(point, half));
        }
    }

    /// Lets friction learn from the direction dx, taken at x, after [`Touching::evaluate`] there. Returns how much of the
    /// contacts is still undecided. For two bodies, as means by load: the part of their force by which the direction
    /// changes pushes, and the part of the slip that holds by which it changes the slip of contacts that hold. The
    /// largest counts.
    pub fn learn(&mut self, x: &[Vec3], dx: &[Vec3]) -> f64 {
        self.slip_from_base(x);
        let Touching { undecided, bearing, touches, rubbing, moved, smoothing, .. } = self;
        undecided.clear();
        undecided.extend(touches.iter().map(|touch| {
            let [a, b] = touch.bodies;
            ([a, b, 0, 0], -touch.slope, touch.change(dx).min(-touch.slope))
        }));
        undecided.extend(rubbing.iter_mut().map(|rubbing| {
            let [a, b] = rubbing.bodies;
            ([a, b, 1, 0], rubbing.load(), rubbing.load() * rubbing.learn(moved, dx, *smoothing))
        }));
        largest_share(undecided, bearing)
    }

    /// By how much the friction at x, after [`Touching::evaluate`] there, is not Coulomb's for the normal forces λ at x,
    /// although it follows from those that it remembers: of what slides the difference from μ λ, of what holds what is
    /// above μ λ. The largest sum over the contacts of two bodies, as a part of their Σ μ λ.
    pub fn coulomb_error(&mut self, x: &[Vec3]) -> f64 {
        self.slip_from_base(x);
        let Touching { undecided, bearing, touches, rubbing, known, moved, smoothing, .. } = self;
        known.clear();
        let rub = touches.iter().filter(|touch| touch.friction > 0.0);
        known.extend(rub.map(|touch| (touch.key(), touch.limit())));
        known.sort_unstable_by_key(|(key, _)| *key);
        undecided.clear();
        undecided.extend(known.iter().map(|&((.., [a, b]), limit)| ([a, b, 0, 0], limit, 0.0)));
        for rubbing in &*rubbing {
            let found = known.binary_search_by_key(&rubbing.key(), |(key, _)| *key);
            let limit = found.map_or(0.0, |place| std::mem::take(&mut known[place].1));
            let [a, b] = rubbing.bodies;
            undecided.push(([a, b, 0, 0], 0.0, rubbing.beyond(limit, moved, *smoothing)));
        }
        // What is left is not remembered at all, and does not rub though it should.
        undecided.extend(known.iter().map(|&((.., [a, b]), missing)| ([a, b, 0, 0], 0.0, missing)));
        largest_share(undecided, bearing)
    }
}

/// Groups contacts by their bodies; returns the largest quotient of the sums of their last and their second number, loads.
///
/// Two bodies that only graze each other touch and part again with every direction, and never settle; it is nothing beside
/// what they bear otherwise. So their load is taken as no less than a part of all that the less loaded one bears.
fn largest_share(list: &mut [([u32; 4], f64, f64)], bearing: &mut Vec<f64>) -> f64 {
    // Sums run by place, and sorting in place allocates nothing.
    list.iter_mut().zip(0..).for_each(|(one, place)| one.0[3] = place);
    list.sort_unstable_by_key(|(key, ..)| *key);
    let places = |[a, b, sort, _]: [u32; 4]| [a, b].map(|body| (2 * body + sort) as usize);
    bearing.clear();
    for &(key, load, _) in &*list {
        let [a, b] = places(key);
        bearing.resize(bearing.len().max(a + 1).max(b + 1), 0.0);
        bearing[a] += load;
        bearing[b] += load;
    }
    let share = |group: &[([u32; 4], f64, f64)]| {
        let (load, change) = group.iter().fold((0.0, 0.0), |sum, one| (sum.0 + one.1, sum.1 + one.2));
        let [a, b] = places(group[0].0);
        let load = f64::max(load, GRAZING * bearing[a].min(bearing[b]));
        match (load > 0.0, change > 0.0) {
            (true, _) => change / load,
            (false, true) => f64::INFINITY,
            (false, false) => 0.0,
        }
    };
    list.chunk_by(|a, b| a.0[..3] == b.0[..3]).map(share).fold(0.0, f64::max)
}

/// Adds |dx| of every surface point, and |dx − mean of its part|, to the ways.
fn add_ways(contact: &Contact, dx: &[Vec3], ways: &mut Ways) {
    ways.world.iter_mut().zip(dx).for_each(|(way, dx)| *way += dx.norm());
    for part in contact.surface.parts() {
        let points = || part.points.iter().map(|&p| p as usize);
        let mean = points().map(|p| dx[p]).sum::<Vec3>() / part.points.len().max(1) as f64;
        points().for_each(|p| ways.own[p] += (dx[p] - mean).norm());
    }
}
