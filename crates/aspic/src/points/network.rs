//! All elements of one body of mass points.

use std::ops::Range;

use super::batch::Batch;
use super::damping::{DampingTime, damp_point, damp_spring};
use super::point_rows::PointRows;
use super::{
    Angle, Area, Bend, Cells, Damping, Distance, Element, Enclosed, Fold, Growth, Keeper, StrainLimit, Tet,
    Volume, Yield,
};
use crate::lanes::Lanes;
use crate::state::State;
use crate::{Mat3, Vec3};

/// What a body of mass points is made of. Elements count points from the first of the body.
#[derive(Clone, Debug)]
pub struct Network {
    /// The first node of the body in the world.
    pub first: usize,
    /// Number of points.
    pub points: usize,
    /// Springs.
    pub distances: Batch<2, Distance>,
    /// Triangles that keep their area.
    pub areas: Batch<3, Area>,
    /// Tetrahedra that keep their volume.
    pub volumes: Batch<4, Volume>,
    /// Springs of tetrahedra that pull together. If there are any, springs do nothing alone.
    pub tets: Vec<Tet>,
    /// Hinges that keep their angle, as the folds say.
    pub angles: Batch<4, Angle>,
    /// Hinges that keep the volume of the tetrahedron that their points span instead, as the folds say.
    pub hinge_volumes: Batch<4, Volume>,
    /// How triangles bend by their hinges.
    pub folds: Vec<Fold>,
    /// Points of ropes that keep straight.
    pub bends: Batch<3, Bend>,
    /// The volume inside a closed surface.
    pub enclosed: Option<Enclosed>,
    /// Loss of motion.
    pub damping: Damping,
    /// How much negative stiffness the points of each spring bear in an implicit step: see [`Batch::bearable`]  \[kg\]
    pub bearable: Vec<Lanes>,
    /// How far springs may stretch.
    pub limit: Option<StrainLimit>,
    /// Lasting changes of distances, areas and volumes.
    pub changes: [Change; 3],
    /// Its tetrahedra, if it fills space.
    pub cells: Option<Cells>,
}

/// How rest values of one kind change.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Change {
    /// Where the shape yields.
    pub flow: Option<Yield>,
    /// What a plan makes of the rest values.
    pub growth: Option<Growth>,
}

impl Change {
    fn is_none(&self) -> bool {
        self.flow.is_none() && self.growth.is_none()
    }
}

/// Where the blocks of a network are in a matrix.
#[derive(Clone, Debug, Default)]
pub struct NetworkPlaces {
    pub(super) distances: Vec<[[u32; 2]; 2]>,
    areas: Vec<[[u32; 3]; 3]>,
    volumes: Vec<[[u32; 4]; 4]>,
    tets: Vec<[[u32; 4]; 4]>,
    pub(super) folds: Vec<Vec<u32>>,
    pub(super) hinges: Vec<[[u32; 4]; 4]>,
    bends: Vec<[[u32; 3]; 3]>,
    diagonal: Vec<u32>,
}

/// Calls a macro body once for every batch of quantities that each keep themselves.
macro_rules! each_batch {
    ($network:expr, |$batch:ident| $body:expr) => {{
        if $network.tets.is_empty() {
            let $batch = &$network.distances;
            $body;
        }
        {
            let $batch = &$network.areas;
            $body;
        }
        {
            let $batch = &$network.volumes;
            $body;
        }
        {
            let $batch = &$network.bends;
            $body;
        }
    }};
}

impl Network {
    /// Points without anything between them.
    pub fn new(first: usize, points: usize) -> Network {
        Network {
            first,
            points,
            distances: Batch::new(Distance::BOTH, &[]),
            areas: Batch::new(Area, &[]),
            volumes: Batch::new(Volume::KEPT, &[]),
            tets: vec![],
            angles: Batch::new(Angle, &[]),
            hinge_volumes: Batch::new(Volume::KEPT, &[]),
            folds: vec![],
            bends: Batch::new(Bend, &[]),
            enclosed: None,
            damping: Damping::default(),
            bearable: vec![],
            limit: None,
            changes: Default::default(),
            cells: None,
        }
    }

    /// The springs: of no pressure if `tension_only`.
    pub fn set_springs(&mut self, springs: &[Element<2>], tension_only: bool) {
        let law = if tension_only { Distance::TENSION } else { Distance::BOTH };
        self.distances = Batch::new(law, springs);
    }

    /// Its nodes in the world.
    pub fn nodes(&self) -> Range<usize> {
        self.first..self.first + self.points
    }

    /// Gives the changing rest values their places in a memory that has this length; returns its new length. Behind the
    /// rest values of a kind lie its plastic strains.
    pub fn claim_memory(&mut self, start: usize) -> usize {
        let mut end = start;
        let [distances, areas, volumes] = self.changes.each_ref().map(|change| !change.is_none());
        let with_strains = |end: usize, at: usize| end + (end - at);
        if distances {
            end = with_strains(self.distances.remember(end), end);
        }
        if areas {
            end = with_strains(self.areas.remember(end), end);
        }
        if volumes {
            end = with_strains(self.volumes.remember(end), end);
            if let Some(enclosed) = &mut self.enclosed {
                enclosed.memory = Some(end);
                end += 2;
            }
        }
        end
    }

    /// What the memory holds at the start.
    pub fn first_memory(&self, out: &mut Vec<f64>) {
        fn add<const N: usize, K: Keeper<N>>(batch: &Batch<N, K>, out: &mut Vec<f64>) {
            if batch.memory().is_some() {
                out.extend(batch.built_rest());
                out.extend(batch.built_rest().map(|_| 0.0));
            }
        }
        add(&self.distances, out);
        add(&self.areas, out);
        add(&self.volumes, out);
        if let Some(Enclosed { memory: Some(_), volume, .. }) = self.enclosed {
            out.extend([volume, 0.0]);
        }
    }

    /// Adds −∂P/∂q, and −½ ∂W/∂v where damping is explicit \[N\]; returns the power lost \[W\].
    pub fn add_force(&self, state: &State, out: &mut [Vec3], rows: &mut PointRows) -> f64 {
        self.add_stored_force(state, out, rows);
        match self.damping.time {
            DampingTime::Explicit => self.add_damping(&state.q, &state.v, out),
            DampingTime::Implicit => 0.0,
        }
    }

    /// Adds −∂P/∂q  \[N\]
    pub fn add_stored_force(&self, state: &State, out: &mut [Vec3], rows: &mut PointRows) {
        rows.load(&state.q[self.nodes()]);
        each_batch!(self, |batch| batch.add_force(rows, &state.memory));
        self.add_folds_force(rows, &state.memory);
        self.add_tets_force(rows, &state.memory);
        if let Some(enclosed) = &self.enclosed {
            enclosed.add_force(rows, &state.memory);
        }
        rows.add_to(&mut out[self.nodes()]);
    }

    /// Calls `visit` with every damped spring: its points, its direction at q and its γ.
    fn each_damper(&self, q: &[Vec3], mut visit: impl FnMut([usize; 2], Vec3, f64)) {
        if self.damping.springs.is_empty() {
            return;
        }
        for (nodes, &gamma) in self.distances.nodes().zip(&self.damping.springs) {
            let ends = nodes.map(|node| node as usize + self.first);
            let d = q[ends[1]] - q[ends[0]];
            let length = d.norm();
            if length > 0.0 && gamma > 0.0 {
                visit(ends, d / length, gamma);
            }
        }
    }

    /// Adds the forces of dampers at the shape q \[N\]; returns the power lost \[W\].
    pub fn add_damping(&self, q: &[Vec3], v: &[Vec3], out: &mut [Vec3]) -> f64 {
        let mut power = 0.0;
        self.each_damper(q, |[a, b], n, gamma| {
            let pull = (v[b] - v[a]).dot(&n) * gamma;
            power += pull * pull / gamma;
            out[a] += n * pull;
            out[b] -= n * pull;
        });
        if self.damping.point > 0.0 {
            for node in self.nodes() {
                out[node] -= v[node] * self.damping.point;
                power += v[node].norm_squared() * self.damping.point;
            }
        }
        power
    }

    /// ½ W of the drag on points  \[W\]
    pub fn point_dissipation(&self, v: &[Vec3]) -> f64 {
        match self.damping.point {
            0.0 => 0.0,
            gamma => 0.5 * v[self.nodes()].iter().map(|v| gamma * v.norm_squared()).sum::<f64>(),
        }
    }

    /// Adds the drag on points  \[N\]
    pub fn add_point_damping(&self, v: &[Vec3], out: &mut [Vec3]) {
        if self.damping.point > 0.0 {
            self.nodes().for_each(|node| out[node] -= v[node] * self.damping.point);
        }
    }

    /// P of volumes, and of everything else  \[J\]
    pub fn energy(&self, state: &State, rows: &mut PointRows) -> (f64, f64) {
        rows.load(&state.q[self.nodes()]);
        let memory = &state.memory;
        let enclosed = self.enclosed.as_ref().map_or(0.0, |enclosed| enclosed.energy(rows, memory));
        let springs = if self.tets.is_empty() { self.distances.energy(rows, memory) } else { 0.0 };
        let shape = springs
            + self.tets_energy(rows, memory)
            + self.areas.energy(rows, memory)
            + self.folds_energy(rows, memory)
            + self.bends.energy(rows, memory);
        (self.volumes.energy(rows, memory) + enclosed, shape)
    }

    /// The nodes that each element couples, in the world's numbers.
    pub fn cliques(&self) -> Vec<Vec<u32>> {
        let mut cliques = vec![];
        each_batch!(self, |batch| {
            cliques.extend(batch.nodes().map(|nodes| nodes.map(|node| node + self.first as u32).to_vec()))
        });
        let folds = self.fold_cliques();
        cliques.extend(self.tets.iter().map(|tet| tet.points.map(|p| p + self.first as u32).to_vec()));
        cliques.extend(folds.map(|points| points.iter().map(|point| point + self.first as u32).collect()));
        cliques
    }

    /// Where its blocks are in a matrix that knows the places of pairs of nodes of the world.
    pub fn places(&self, place: &dyn Fn(u32, u32) -> Option<usize>) -> NetworkPlaces {
        let first = self.first as u32;
        let own = |i: u32, j: u32| place(i + first, j + first);
        let find = |i: u32, j: u32| own(i, j).map_or(u32::MAX, |place| place as u32);
        let diagonal = |node: u32| find(node, node);
        NetworkPlaces {
            distances: self.distances.places(&own),
            areas: self.areas.places(&own),
            volumes: self.volumes.places(&own),
            tets: self.tets.iter().map(|tet| tet.points.map(|i| tet.points.map(|j| find(i, j)))).collect(),
            folds: super::fold::places(&self.folds, &own),
            hinges: self.hinge_places(&own),
            bends: self.bends.places(&own),
            diagonal: (0..self.points as u32).map(diagonal).collect(),
        }
    }

    /// Adds the positive part of ∂²P/∂q², and what damping adds to it in a step  \[N/m\]
    pub fn add_tangent(
        &self,
        q: &[Vec3],
        memory: &[f64],
        lengths: &[f64],
        rate: f64,
        places: &NetworkPlaces,
        matrix: &mut [Mat3],
        rows: &mut PointRows,
    ) {
        rows.load(&q[self.nodes()]);
        if self.tets.is_empty() {
            let (bearable, scale) = (&self.bearable, rate * rate);
            self.distances.add_borne_curvature(rows, memory, bearable, scale, &places.distances, matrix);
            self.volumes.add_curvature(rows, memory, &places.volumes, matrix);
        }
        self.add_tets_curvature(rows, memory, rate * rate, &places.tets, matrix);
        self.areas.add_curvature(rows, memory, &places.areas, matrix);
        self.add_folds_curvature(rows, memory, places, matrix);
        self.bends.add_curvature(rows, memory, &places.bends, matrix);
        self.add_damper_tangent(q, lengths, rate, places, matrix);
        self.add_point_tangent(rate, places, matrix);
    }

    fn add_point_tangent(&self, rate: f64, places: &NetworkPlaces, matrix: &mut [Mat3]) {
        if self.damping.point > 0.0 {
            let own = Mat3::identity() * (rate * self.damping.point);
            places.diagonal.iter().for_each(|&place| {
                if let Some(out) = matrix.get_mut(place as usize) {
                    *out += own;
                }
            });
        }
    }

    /// The curvature that couples all points: calls `visit` with the nodes of the world and z, once for z zᵀ.
    pub fn each_square(&self, state: &State, rows: &mut PointRows, mut visit: impl FnMut(usize, &[Vec3])) {
        let Some(enclosed) = self.enclosed.as_ref().filter(|enclosed| enclosed.bulk > 0.0) else { return };
        rows.load(&state.q[self.nodes()]);
        let mut z = vec![];
        enclosed.square(rows, &state.memory, &mut z);
        visit(self.first, &z);
    }

    /// A bound on ω² of the highest frequency at the positions q, from the sums of the rows of M⁻¹ K  \[1/s²\]
    pub fn highest_square(&self, q: &[Vec3], memory: &[f64], masses: &[f64]) -> f64 {
        let mut rows = PointRows::new(self.points);
        rows.load(&q[self.nodes()]);
        let mut sums = vec![0.0; self.points];
        self.areas.add_row_sums(&rows, memory, &mut sums);
        self.bends.add_row_sums(&rows, memory, &mut sums);
        if self.tets.is_empty() {
            self.distances.add_row_sums(&rows, memory, &mut sums);
            self.volumes.add_row_sums(&rows, memory, &mut sums);
        }
        self.add_folds_row_sums(&mut rows, memory, &mut sums);
        self.add_tets_row_sums(&mut rows, memory, &mut sums);
        if let Some(enclosed) = self.enclosed.as_ref().filter(|enclosed| enclosed.bulk > 0.0) {
            let mut z = vec![];
            enclosed.square(&rows, memory, &mut z);
            let all: f64 = z.iter().map(Vec3::norm).sum();
            sums.iter_mut().zip(&z).for_each(|(sum, z)| *sum += z.norm() * all);
        }
        sums.iter().zip(&masses[self.nodes()]).map(|(sum, mass)| sum / mass).fold(0.0, f64::max)
    }
}

/// What happens to a body of mass points between steps.
impl Network {
    /// Whether anything does, after steps that are explicit or not.
    pub fn amends(&self) -> bool {
        let damps = self.damping.time == DampingTime::Implicit && !self.damping.is_none();
        damps || self.limit.is_some() || self.changes.iter().any(|change| !change.is_none())
    }

    /// Whether that moves points or changes velocities.
    pub fn moves(&self, implicit: bool) -> bool {
        let damps = self.damping.time == DampingTime::Implicit && !self.damping.is_none();
        (damps && !implicit) || self.limit.is_some()
    }

    /// Damps the velocities over a time h, as an implicit step of damping alone. Inverse masses are zero for what is held.
    pub fn damp(&self, q: &[Vec3], v: &mut [Vec3], inverse_mass: &dyn Fn(usize) -> f64, h: f64) {
        if self.damping.time == DampingTime::Explicit {
            return;
        }
        self.each_damper(q, |[a, b], n, gamma| {
            if let Ok([v1, v2]) = v.get_disjoint_mut([a, b]) {
                damp_spring([v1, v2], [inverse_mass(a), inverse_mass(b)], &n, gamma, h);
            }
        });
        if self.damping.point > 0.0 {
            for node in self.nodes() {
                let inverse = inverse_mass(node);
                if inverse > 0.0 {
                    damp_point(&mut v[node], 1.0 / inverse, self.damping.point, h);
                }
            }
        }
    }

    /// Brings springs back that are too long; returns the largest excess that is left, relative to the rest length.
    pub fn limit_strain(&self, state: &mut State, inverse_mass: &dyn Fn(usize) -> f64) -> f64 {
        let Some(limit) = &self.limit else { return 0.0 };
        let State { q, v, memory, .. } = state;
        let mut worst = 0.0f64;
        for _ in 0..limit.sweeps {
            worst = 0.0;
            self.distances.each(memory, |nodes, _, rest| {
                let ends = nodes.map(|node| node as usize + self.first);
                let inverse = ends.map(inverse_mass);
                if let (Ok(x), Ok(v)) = (q.get_disjoint_mut(ends), v.get_disjoint_mut(ends)) {
                    worst = worst.max(limit.pull_back(x, v, inverse, rest));
                }
            });
            if worst <= limit.tolerance {
                break;
            }
        }
        worst
    }

    /// Lets the shape yield for a time h.
    pub fn flow(&self, state: &mut State, h: f64, rows: &mut PointRows) {
        let natural = |_: &Change, _: f64, rest: f64, plastic: f64| rest / (1.0 + plastic);
        self.change(state, rows, natural, |change, strain, plastic| {
            change.flow.as_ref().map_or(plastic, |flow| flow.flow(strain, plastic, h))
        });
    }

    /// Rest values from plastic strains, as the plan has them at the state's time.
    pub fn grow(&self, state: &mut State, rows: &mut PointRows) {
        let t = state.t;
        let natural = |change: &Change, built: f64, _: f64, _: f64| {
            built * change.growth.as_ref().map_or(1.0, |growth| growth.at(t))
        };
        self.change(state, rows, natural, |_, _, plastic| plastic);
    }

    /// Sets plastic strains by `next`, from kind, strain and plastic strain, and the rest values that follow from them.
    /// `natural` tells the rest value without plastic strain, from kind, built value, rest value and plastic strain.
    fn change(
        &self,
        state: &mut State,
        rows: &mut PointRows,
        natural: impl Fn(&Change, f64, f64, f64) -> f64,
        next: impl Fn(&Change, f64, f64) -> f64,
    ) {
        rows.load(&state.q[self.nodes()]);
        let memory = &mut state.memory;
        let [distances, areas, volumes] = &self.changes;
        let step = |change: &Change, built: f64, value: f64, [rest, plastic]: [f64; 2]| {
            let natural = natural(change, built, rest, plastic);
            let plastic = next(change, value / natural - 1.0, plastic);
            [natural * (1.0 + plastic), plastic]
        };
        update(&self.distances, memory, rows, |built, value, held| step(distances, built, value, held));
        update(&self.areas, memory, rows, |built, value, held| step(areas, built, value, held));
        update(&self.volumes, memory, rows, |built, value, held| step(volumes, built, value, held));
        if let Some(enclosed) = &self.enclosed
            && let Some(place) = enclosed.memory
        {
            let held = [memory[place], memory[place + 1]];
            let held = step(volumes, enclosed.volume, enclosed.volume_at(rows), held);
            memory[place..place + 2].copy_from_slice(&held);
        }
    }
}

/// New rest values and plastic strains of one batch. What has no size at rest has no strain and stays.
fn update<const N: usize, K: Keeper<N>>(
    batch: &Batch<N, K>,
    memory: &mut [f64],
    rows: &PointRows,
    step: impl Fn(f64, f64, [f64; 2]) -> [f64; 2],
) {
    let Some(range) = batch.memory() else { return };
    let count = range.len();
    let (rests, plastics) = memory[range.start..range.end + count].split_at_mut(count);
    let mut values = vec![];
    batch.values(rows, &mut values);
    for (i, built) in batch.built_rest().enumerate() {
        if built != 0.0 {
            [rests[i], plastics[i]] = step(built, values[i], [rests[i], plastics[i]]);
        }
    }
}
