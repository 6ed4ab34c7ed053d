//! Plastic solids against elastic ones at the shape they have taken, against differences, and against closed forms.

use std::collections::BTreeMap;

use nalgebra::{DMatrix, Rotation3};

use super::*;
use crate::continuum::{Continuum, Solid, TangentScratch, TangentWeights};
use crate::dissipation::viscous_law::{Viscosity, ViscousLaw, ViscousModel};
use crate::mesh::{TetMesh, generate};
use crate::potential::material::{Corotated, LiesenfeldStolfi, LsStable, NeoHookean, StVenant};
use crate::{Mat3, Vec3};

const LAW: LsStable = LsStable { bulk: 2.3, shear: 0.7 };
const PUTTY: Yield = Yield { strain: 0.05, creep: 20.0, max: 0.6, per_step: false };
/// Takes every shape at once.
const DOUGH: Yield = Yield { strain: 0.0, creep: 1e3, max: 5.0, per_step: false };

/// Eight tetrahedra that are all alike.
struct Lump<L> {
    matter: Plastic<L>,
    numbers: Vec<f64>,
}

impl<L: Law> Lump<L> {
    fn new(law: L, flow: Yield) -> Self {
        let numbers = Plastic::<L>::FRESH.iter().flat_map(|&number| [number; LANES]).collect();
        Lump { matter: Plastic { law, flow }, numbers }
    }

    fn flow(&mut self, f: &Mat3, h: f64) -> bool {
        self.matter.flow(&Mat3x8::splat(f), h, &mut self.numbers)
    }

    /// Fₚ⁻¹
    fn inverse(&self) -> Mat3 {
        load(&self.numbers).full().lane(3)
    }

    fn elastic_strain(&self, f: &Mat3) -> f64 {
        strain(&(f * self.inverse()))
    }

    fn plastic_strain(&self) -> f64 {
        strain(&self.inverse())
    }
}

/// Norm of the deviator of the logarithms of the stretches, from another decomposition.
fn strain(f: &Mat3) -> f64 {
    let logs = f.singular_values().map(f64::ln);
    (logs - Vec3::repeat(logs.mean())).norm()
}

fn turn(x: f64) -> Mat3 {
    Rotation3::from_euler_angles(x, 1.2 - 3.0 * x, 0.7 * x).into_inner()
}

/// A stretch of these logarithmic strains along turned axes.
fn stretch(x: f64, logs: [f64; 3]) -> Mat3 {
    turn(x) * Mat3::from_diagonal(&Vec3::from(logs).map(f64::exp)) * turn(x).transpose()
}

#[test]
fn strain_at_a_shape_that_is_held_decays_to_the_yield_however_the_time_is_cut() {
    for logs in [[0.3, -0.1, 0.05], [-0.4, 0.1, 0.1], [0.2, 0.2, -0.5]] {
        let f = turn(0.3) * stretch(1.1, logs);
        for (steps, time) in [(1, 0.03), (10, 0.03), (300, 0.03), (10, 2.0)] {
            let mut lump = Lump::new(LAW, PUTTY);
            let start = lump.elastic_strain(&f);
            for _ in 0..steps {
                lump.flow(&f, time / f64::from(steps));
            }
            let expected = PUTTY.strain + (start - PUTTY.strain) * (-PUTTY.creep * time).exp();
            let found = lump.elastic_strain(&f);
            assert!((found - expected).abs() < 3e-11, "{steps} steps: {found} {expected}");
        }
    }
}

#[test]
fn nothing_flows_below_the_yield_or_where_only_the_volume_changes() {
    let mut lump = Lump::new(LAW, PUTTY);
    let fresh = lump.numbers.clone();
    for logs in [[0.02, -0.02, 0.01], [0.5, 0.5, 0.5], [-0.7, -0.7, -0.69]] {
        assert!(!lump.flow(&stretch(0.4, logs), 1.0));
    }
    assert_eq!(lump.numbers, fresh);
}

#[test]
fn a_turn_in_space_changes_no_flow_and_a_turn_of_the_material_turns_it() {
    let paths = [
        stretch(0.2, [0.4, -0.1, 0.0]),
        stretch(2.0, [-0.2, 0.3, 0.1]),
        turn(0.8) * stretch(0.9, [0.3, -0.3, 0.2]),
    ];
    let (space, material) = (turn(0.7), turn(-1.3));
    let mut lumps = [0, 1, 2].map(|_| Lump::new(LAW, PUTTY));
    for f in &paths {
        lumps[0].flow(f, 0.02);
        lumps[1].flow(&(space * f), 0.02);
        lumps[2].flow(&(f * material), 0.02);
    }
    let [plain, turned, turned_inside] = lumps.map(|lump| lump.inverse());
    assert!((plain - Mat3::identity()).norm() > 0.05);
    assert!((turned - plain).norm() < 1e-11, "{plain}{turned}");
    assert!((turned_inside - material.transpose() * plain * material).norm() < 1e-11);
}

#[test]
fn plastic_part_keeps_its_volume_and_never_exceeds_the_largest_strain() {
    for max in [0.1, 0.6] {
        let flow = Yield { max, ..PUTTY };
        let mut lump = Lump::new(LAW, flow);
        let mut largest = 0.0f64;
        for k in 0..20_000 {
            let x = f64::from(k);
            let f =
                turn(0.01 * x) * stretch(0.003 * x, [0.7 * (0.05 * x).sin(), 0.5, -0.6 * (0.03 * x).cos()]);
            lump.flow(&f, 0.01);
            let size = lump.plastic_strain();
            largest = largest.max(size);
            assert!(size <= max * (1.0 + 1e-12), "{size} after {k} steps");
        }
        assert!(largest > 0.99 * max, "{largest}");
        assert!(
            (lump.inverse().determinant() - 1.0).abs() < 1e-13,
            "{:e}",
            lump.inverse().determinant() - 1.0
        );
    }
}

#[test]
fn flow_never_gains_energy_in_any_law_at_any_shape() {
    fn check<L: Law>(law: L) {
        let mut lump = Lump::new(law, Yield { max: 0.4, ..PUTTY });
        let mut flowed = 0;
        for k in 0..3000 {
            let x = f64::from(k);
            let logs = [1.5 * (0.37 * x).sin(), 1.2 * (0.91 * x).cos(), 1.4 * (1.7 * x).sin()];
            let f = stretch(0.1 * x, logs);
            let energy = |lump: &Lump<L>| {
                let elastic = Mat3x8::splat(&(f * lump.inverse()));
                let (bulk, shear) = law.energy(&elastic);
                (bulk + shear).to_array()[0]
            };
            let before = energy(&lump);
            flowed += i32::from(lump.flow(&f, 0.01));
            assert!(energy(&lump) <= before * (1.0 + 1e-12), "{k}");
        }
        assert!(flowed > 1000, "{flowed}");
    }
    check(LAW);
    check(LiesenfeldStolfi::new(2.3, 0.7));
    check(NeoHookean::new(2.3, 0.7));
    check(Corotated::new(2.3, 0.7));
    check(StVenant::new(2.3, 0.7));
}

#[test]
fn shapes_that_are_no_shapes_leave_the_memory_as_it_is() {
    let fresh = Lump::new(NeoHookean::new(2.3, 0.7), PUTTY).numbers;
    for f in [Mat3::from_diagonal(&Vec3::new(2.0, 1.0, -0.5)), Mat3::zeros(), Mat3::repeat(f64::NAN)] {
        let mut lump = Lump::new(NeoHookean::new(2.3, 0.7), PUTTY);
        assert!(!lump.flow(&f, 1.0), "{f}");
        assert_eq!(lump.numbers, fresh);
    }
}

#[test]
fn per_step_a_part_of_all_elastic_strain_flows_whatever_the_time() {
    let flow = Yield { creep: 0.25, per_step: true, ..PUTTY };
    for h in [1e-4, 1.0] {
        let (mut lump, f) = (Lump::new(LAW, flow), stretch(0.4, [0.3, -0.2, 0.1]));
        let start = lump.elastic_strain(&f);
        lump.flow(&f, h);
        assert!((lump.elastic_strain(&f) - 0.75 * start).abs() < 1e-12);
    }
}

fn body<L: Law>(
    mesh: &TetMesh,
    law: L,
    viscous: Option<ViscousLaw>,
    flow: Yield,
) -> (Solid<Plastic<L>>, Vec<f64>) {
    let (mut solid, mut memory) = (Solid::new(mesh, 0, Plastic { law, flow }, viscous), vec![7.0; 3]);
    // bodies before it remember things too
    solid.remember(&mut memory);
    (solid, memory)
}

fn moved(mesh: &TetMesh, size: f64) -> Vec<Vec3> {
    let bend =
        |x: &Vec3| Vec3::new((5.0 * x.y + x.z).sin(), (4.0 * x.z - x.x).cos(), (3.0 * x.x * x.y).sin());
    mesh.positions.iter().map(|x| x + bend(x) * size).collect()
}

fn force(solid: &dyn Continuum, q: &[Vec3], v: &[Vec3], memory: &[f64]) -> (Vec<Vec3>, f64) {
    let mut out = vec![Vec3::zeros(); q.len()];
    let power = solid.add_force(q, v, memory, &mut out, &mut solid.scratch()).unwrap();
    (out, power)
}

fn stiffness(solid: &dyn Continuum, q: &[Vec3], memory: &[f64], project: bool) -> DMatrix<f64> {
    let mut pattern = BTreeMap::new();
    for tet in solid.tetrahedra() {
        pattern.extend(tet.iter().flat_map(|&i| tet.map(|j| ((i, j), 0))));
    }
    pattern.values_mut().enumerate().for_each(|(place, value)| *value = place);
    let places = solid.stiffness_places(&|i, j| pattern.get(&(i, j)).copied());
    let mut blocks = vec![Mat3::zeros(); pattern.len()];
    let (weights, scratch) =
        (TangentWeights { stiffness: 1.0, damping: 0.0 }, &mut TangentScratch::default());
    solid.add_tangent(q, memory, q, weights, project, &places, &mut blocks, scratch);
    let mut matrix = DMatrix::zeros(3 * q.len(), 3 * q.len());
    for ((i, j), place) in pattern {
        matrix.fixed_view_mut::<3, 3>(3 * i as usize, 3 * j as usize).copy_from(&blocks[place]);
    }
    matrix
}

fn total(elastic: crate::continuum::Elastic) -> f64 {
    elastic.bulk + elastic.shear
}

fn farthest(a: &[Vec3], b: &[Vec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max)
}

/// A solid that has flowed into a shape of the same volume is the elastic solid that was made in that shape.
fn check_made_in_shape<L: Law>(law: L) {
    let mesh = generate::beam(1.0, 0.5, 0.5, [3, 2, 2]).unwrap();
    let shape = turn(0.4) * stretch(0.9, [0.5, -0.2, -0.3]);
    let cast = TetMesh { positions: mesh.positions.iter().map(|x| shape * x).collect(), ..mesh.clone() };
    let (dough, mut memory) = body(&mesh, law, None, DOUGH);
    for _ in 0..20 {
        dough.flow(&cast.positions, 1.0, &mut memory);
    }
    let elastic = Solid::new(&cast, 0, law, None);
    let (q, still) = (moved(&cast, 0.05), vec![Vec3::zeros(); cast.positions.len()]);
    let (expected, _) = force(&elastic, &q, &still, &[]);
    let size = expected.iter().map(Vec3::norm).fold(0.0, f64::max);
    let off = farthest(&force(&dough, &q, &still, &memory).0, &expected);
    assert!(off < 1e-9 * size, "{:?}: {off} of {size}", L::NAME);
    let (found, expected) = (total(dough.energy(&q, &memory)), total(elastic.energy(&q, &[])));
    assert!((found / expected - 1.0).abs() < 1e-9, "{found} {expected}");
    for project in [false, true] {
        let expected = stiffness(&elastic, &q, &[], project);
        let off = (stiffness(&dough, &q, &memory, project) - &expected).amax();
        assert!(off < 1e-8 * expected.amax(), "{:?}: {off} of {}", L::NAME, expected.amax());
    }
    let sample = |solid: &dyn Continuum, memory: &[f64]| {
        let (mut density, mut stress) = (vec![0.0; mesh.tets.len()], vec![[0.0; 6]; mesh.tets.len()]);
        solid.sample(&q, memory, &mut density, &mut stress);
        (density, stress)
    };
    let (found, expected) = (sample(&dough, &memory), sample(&elastic, &[]));
    for (found, expected) in found.1.iter().flatten().zip(expected.1.iter().flatten()) {
        assert!((found - expected).abs() < 1e-9, "{found} {expected} Pa");
    }
    for (found, expected) in found.0.iter().zip(&expected.0) {
        assert!((found - expected).abs() < 1e-9, "{found} {expected} J/m³");
    }
    let freed = force(&dough, &cast.positions, &still, &memory).0;
    assert!(farthest(&freed, &still) < 1e-9, "the new shape is at rest");
}

#[test]
fn body_that_has_flowed_is_the_elastic_body_made_in_its_shape_in_every_law() {
    check_made_in_shape(LAW);
    check_made_in_shape(LiesenfeldStolfi::new(2.3, 0.7));
    check_made_in_shape(NeoHookean::new(2.3, 0.7));
    check_made_in_shape(Corotated::new(2.3, 0.7));
    check_made_in_shape(StVenant::new(2.3, 0.7));
}

#[test]
fn body_that_has_not_yielded_is_the_elastic_body_with_every_viscosity() {
    let mesh = generate::beam(1.0, 0.5, 0.5, [3, 2, 2]).unwrap();
    let (q, v) = (moved(&mesh, 0.004), moved(&mesh, 0.3));
    for model in [ViscousModel::Material, ViscousModel::MaterialCurrentVolume, ViscousModel::Spatial] {
        let viscous = Some(ViscousLaw::new(Viscosity::new(0.7, 0.2).unwrap(), model));
        let (putty, mut memory) = body(&mesh, LAW, viscous, PUTTY);
        let fresh = memory.clone();
        assert!(!putty.flow(&q, 1.0, &mut memory));
        assert_eq!(memory, fresh);
        let (found, power) = force(&putty, &q, &v, &memory);
        let (expected, expected_power) = force(&Solid::new(&mesh, 0, LAW, viscous), &q, &v, &[]);
        let size = expected.iter().map(Vec3::norm).fold(0.0, f64::max);
        assert!(farthest(&found, &expected) < 1e-13 * size, "{model:?}");
        assert!((power / expected_power - 1.0).abs() < 1e-13);
    }
}

#[test]
fn force_is_the_gradient_of_the_energy_and_the_tangent_that_of_the_force_after_uneven_flow() {
    let mesh = generate::beam(1.0, 0.5, 0.5, [3, 2, 2]).unwrap();
    let (putty, mut memory) = body(&mesh, LAW, None, PUTTY);
    assert!(putty.flow(&moved(&mesh, 0.08), 0.03, &mut memory));
    let (q, still) = (moved(&mesh, 0.03), vec![Vec3::zeros(); mesh.positions.len()]);
    let (forces, tangent) = (force(&putty, &q, &still, &memory).0, stiffness(&putty, &q, &memory, false));
    let (size, h) = (forces.iter().map(Vec3::norm).fold(0.0, f64::max), 1e-6);
    for k in 0..3 * q.len() {
        let nudged = |h: f64| {
            let mut q = q.clone();
            q[k / 3][k % 3] += h;
            q
        };
        let slope = (total(putty.energy(&nudged(h), &memory)) - total(putty.energy(&nudged(-h), &memory)))
            / (2.0 * h);
        assert!((slope + forces[k / 3][k % 3]).abs() < 1e-7 * size, "{slope} {}", forces[k / 3][k % 3]);
        let [up, down] = [h, -h].map(|h| force(&putty, &nudged(h), &still, &memory).0);
        for r in 0..3 * q.len() {
            let change = (down[r / 3][r % 3] - up[r / 3][r % 3]) / (2.0 * h);
            assert!((tangent[(r, k)] - change).abs() < 1e-7 * tangent.amax());
        }
    }
}

#[test]
fn flow_and_forces_have_the_same_bits_on_one_two_and_three_threads() {
    let mesh = generate::beam(1.0, 0.5, 0.5, [30, 10, 10]).unwrap();
    let viscous = Some(ViscousLaw::new(Viscosity::new(0.7, 0.2).unwrap(), ViscousModel::Material));
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let (putty, mut memory) = body(&mesh, LAW, viscous, PUTTY);
            assert!(putty.flow(&moved(&mesh, 0.08), 0.03, &mut memory));
            let (q, v) = (moved(&mesh, 0.03), moved(&mesh, 0.3));
            let (forces, power) = force(&putty, &q, &v, &memory);
            let energy = putty.energy(&q, &memory);
            (memory, forces, power, energy)
        })
    };
    let one = run(1);
    assert!(one == run(2));
    assert!(one == run(3));
}
