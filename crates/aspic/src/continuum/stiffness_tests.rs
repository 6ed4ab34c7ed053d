//! The tangent matrix against differences of forces, and the sums over packs against sums over elements.

use std::collections::BTreeMap;

use nalgebra::DMatrix;

use super::*;
use crate::continuum::blocks::PARALLEL_BLOCKS;
use crate::continuum::{Continuum, Solid};
use crate::dissipation::viscous_law::{Viscosity, ViscousLaw, ViscousModel};
use crate::mesh::{TetMesh, generate};
use crate::potential::material::{Corotated, Law, LiesenfeldStolfi, LsStable, NeoHookean, StVenant};

const BULK: f64 = 2.3;
const SHEAR: f64 = 0.7;
const MODELS: [ViscousModel; 3] =
    [ViscousModel::Material, ViscousModel::MaterialCurrentVolume, ViscousModel::Spatial];

fn viscous(model: ViscousModel) -> Option<ViscousLaw> {
    Some(ViscousLaw::new(Viscosity::new(0.7, 0.2).unwrap(), model))
}

/// A smooth field without symmetry.
fn wave(mesh: &TetMesh, size: f64) -> Vec<Vec3> {
    let bend =
        |x: &Vec3| Vec3::new((5.0 * x.y + x.z).sin(), (4.0 * x.z - x.x).cos(), (3.0 * x.x * x.y).sin());
    mesh.positions.iter().map(|x| bend(x) * size).collect()
}

fn shifted(x: &[Vec3], by: &[Vec3], t: f64) -> Vec<Vec3> {
    x.iter().zip(by).map(|(x, d)| x + d * t).collect()
}

/// A full pattern of the tetrahedra's couplings: place of each pair, row by row.
fn pattern(tetrahedra: &[[u32; 4]]) -> BTreeMap<(u32, u32), usize> {
    let pairs =
        tetrahedra.iter().flat_map(|t| t.iter().flat_map(move |&i| t.iter().map(move |&j| ((i, j), 0))));
    let mut map: BTreeMap<_, _> = pairs.collect();
    map.values_mut().enumerate().for_each(|(place, value)| *value = place);
    map
}

fn tangent(
    solid: &dyn Continuum,
    q: &[Vec3],
    frozen: &[Vec3],
    weights: TangentWeights,
    project: bool,
) -> DMatrix<f64> {
    let pattern = pattern(&solid.tetrahedra());
    let places = solid.stiffness_places(&|i, j| pattern.get(&(i, j)).copied());
    let mut blocks = vec![Mat3::zeros(); pattern.len()];
    solid.add_tangent(q, &[], frozen, weights, project, &places, &mut blocks, &mut TangentScratch::default());
    let mut matrix = DMatrix::zeros(3 * q.len(), 3 * q.len());
    for ((i, j), place) in pattern {
        matrix.fixed_view_mut::<3, 3>(3 * i as usize, 3 * j as usize).copy_from(&blocks[place]);
    }
    matrix
}

const ELASTIC: TangentWeights = TangentWeights { stiffness: 1.0, damping: 0.0 };
const DAMPING: TangentWeights = TangentWeights { stiffness: 0.0, damping: 1.0 };

/// Minus the central differences of a force.
fn differences(x: &[Vec3], force: impl Fn(&[Vec3]) -> Vec<Vec3>) -> DMatrix<f64> {
    let h = 1e-6;
    let mut matrix = DMatrix::zeros(3 * x.len(), 3 * x.len());
    for k in 0..3 * x.len() {
        let nudged = |h: f64| {
            let mut x = x.to_vec();
            x[k / 3][k % 3] += h;
            force(&x)
        };
        let (up, down) = (nudged(h), nudged(-h));
        for r in 0..3 * x.len() {
            matrix[(r, k)] = (down[r / 3][r % 3] - up[r / 3][r % 3]) / (2.0 * h);
        }
    }
    matrix
}

fn close(found: &DMatrix<f64>, expected: &DMatrix<f64>, tolerance: f64) {
    assert!((found - expected).amax() < tolerance * expected.amax(), "{:e}", (found - expected).amax());
}

fn check_law<L: Law + 'static>(law: L) {
    let mesh = generate::beam(1.0, 0.5, 0.5, [3, 2, 2]).unwrap();
    let solid = Solid::new(&mesh, 0, law, None);
    let q = shifted(&mesh.positions, &wave(&mesh, 1.0), 0.05);
    let force = |q: &[Vec3]| {
        let mut out = vec![Vec3::zeros(); q.len()];
        solid.add_elastic_force(q, &[], &mut out, &mut solid.scratch()).unwrap();
        out
    };
    let found = tangent(&solid, &q, &q, ELASTIC, false);
    close(&found, &differences(&q, force), 1e-7);
    assert_eq!(found, found.transpose());
    // squeezed along one axis until the exact matrix has negative directions
    let squeezed: Vec<Vec3> = q.iter().map(|x| Vec3::new(0.4 * x.x, x.y, x.z)).collect();
    let lowest = |project| tangent(&solid, &squeezed, &q, ELASTIC, project).symmetric_eigenvalues().min();
    let size = found.amax();
    assert!(
        lowest(false) < -1e-3 * size && lowest(true) > -1e-12 * size,
        "{} {}",
        lowest(false),
        lowest(true)
    );
}

#[test]
fn tangent_is_the_gradient_of_the_force_and_positive_on_request_in_every_law() {
    check_law(LsStable::new(BULK, SHEAR));
    check_law(LiesenfeldStolfi::new(BULK, SHEAR));
    check_law(NeoHookean::new(BULK, SHEAR));
    check_law(Corotated::new(BULK, SHEAR));
    check_law(StVenant::new(BULK, SHEAR));
}

#[test]
fn viscous_force_is_the_gradient_of_the_dissipation_and_its_tangent_that_of_the_force() {
    let mesh = generate::beam(1.0, 0.5, 0.5, [2, 1, 1]).unwrap();
    let frozen = shifted(&mesh.positions, &wave(&mesh, 1.0), 0.05);
    let v = wave(&mesh, 1.3);
    for model in MODELS {
        let solid = Solid::new(&mesh, 0, LsStable::new(BULK, SHEAR), viscous(model));
        let force = |v: &[Vec3]| {
            let mut out = vec![Vec3::zeros(); v.len()];
            let power = solid.add_viscous_force(&frozen, v, &mut out, &mut solid.scratch()).unwrap();
            assert!((power / (2.0 * solid.dissipation(&frozen, v)) - 1.0).abs() < 1e-13);
            out
        };
        let drag = force(&v);
        for k in 0..3 * v.len() {
            let mut step = vec![Vec3::zeros(); v.len()];
            step[k / 3][k % 3] = 1.0;
            let at = |h: f64| solid.dissipation(&frozen, &shifted(&v, &step, h));
            let slope = (at(1e-3) - at(-1e-3)) / 2e-3;
            assert!((slope + drag[k / 3][k % 3]).abs() < 1e-9, "{model:?} {k}");
        }
        let found = tangent(&solid, &mesh.positions, &frozen, DAMPING, true);
        close(&found, &differences(&v, force), 1e-8);
        assert!(found.symmetric_eigenvalues().min() > -1e-13);
        let weights = TangentWeights { stiffness: 2.0, damping: 3.0 };
        let elastic = tangent(&solid, &mesh.positions, &frozen, ELASTIC, false);
        let both = tangent(&solid, &mesh.positions, &frozen, weights, false);
        close(&both, &(elastic * 2.0 + found * 3.0), 1e-13);
    }
}

#[test]
fn tangent_energy_loss_and_limit_have_the_same_bits_on_one_two_and_three_threads() {
    let mesh = generate::beam(1.0, 0.5, 0.5, [30, 10, 10]).unwrap();
    let solid = Solid::new(&mesh, 0, LsStable::new(BULK, SHEAR), viscous(ViscousModel::Material));
    assert!(solid.blocks().blocks.len() > PARALLEL_BLOCKS);
    let pattern = pattern(&solid.tetrahedra());
    let places = solid.stiffness_places(&|i, j| pattern.get(&(i, j)).copied());
    let (q, v) = (shifted(&mesh.positions, &wave(&mesh, 1.0), 0.01), wave(&mesh, 1.0));
    let weights = TangentWeights { stiffness: 1.0, damping: 30.0 };
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut blocks = vec![Mat3::repeat(0.1); pattern.len()];
            let mut scratch = TangentScratch::default();
            // twice: memory that has been used must not show
            for _ in 0..2 {
                solid.add_tangent(
                    &q,
                    &[],
                    &mesh.positions,
                    weights,
                    true,
                    &places,
                    &mut blocks,
                    &mut scratch,
                );
            }
            let energy = solid.energy(&q, &[]);
            let numbers = [energy.bulk, energy.shear, solid.dissipation(&q, &v), solid.first_flat(&q, &v)];
            assert!(numbers.iter().all(|x| x.is_finite() && *x > 0.0), "{numbers:?}");
            blocks.iter().flat_map(|m| m.iter().copied()).chain(numbers).map(f64::to_bits).collect::<Vec<_>>()
        })
    };
    let one = run(1);
    assert!(one == run(2));
    assert!(one == run(3));
}

#[test]
fn energy_and_first_flat_tetrahedron_are_those_of_single_elements() {
    let mesh = generate::beam(1.0, 0.5, 0.5, [5, 3, 3]).unwrap();
    let law = LiesenfeldStolfi::new(BULK, SHEAR);
    let solid = Solid::new(&mesh, 0, law, None);
    let (q, change) = (shifted(&mesh.positions, &wave(&mesh, 1.0), 0.02), wave(&mesh, 1.5));
    let (mut energy, mut first) = (0.0, f64::INFINITY);
    solid.blocks().each_element(&q, &change, |e| {
        let (bulk, shear) = law.energy(&Mat3x8::splat(&e.f));
        energy += e.volume * (bulk + shear).to_array()[0];
        let flat =
            (0..=100_000).map(|k| f64::from(k) / 1e5).find(|t| (e.f + e.f_rate * *t).determinant() <= 0.0);
        first = flat.map_or(first, |t| first.min(t));
    });
    let found = solid.energy(&q, &[]);
    assert!(((found.bulk + found.shear) / energy - 1.0).abs() < 1e-13);
    let t = solid.first_flat(&q, &change);
    assert!(t <= first && t > first - 1.1e-5 && first < 1.0, "{t} {first}");
    assert!(solid.energy(&shifted(&q, &change, t * (1.0 - 1e-6)), &[]).bulk.is_finite());
    assert!(solid.energy(&shifted(&q, &change, t * (1.0 + 1e-6)), &[]).bulk.is_infinite());
    assert_eq!(
        solid.first_flat(&q, &change.iter().map(|d| d * (0.9 * t)).collect::<Vec<_>>()),
        f64::INFINITY
    );
}

#[test]
fn blocks_that_the_matrix_does_not_have_are_left_out() {
    let mesh = generate::beam(1.0, 0.5, 0.5, [2, 1, 1]).unwrap();
    let solid = Solid::new(&mesh, 0, LsStable::new(BULK, SHEAR), None);
    let whole = tangent(&solid, &mesh.positions, &mesh.positions, ELASTIC, true);
    let places = solid.stiffness_places(&|i, j| (i == 3 && j == 3).then_some(0));
    let mut blocks = [Mat3::zeros()];
    let scratch = &mut TangentScratch::default();
    solid.add_tangent(&mesh.positions, &[], &mesh.positions, ELASTIC, true, &places, &mut blocks, scratch);
    assert_eq!(blocks[0], whole.fixed_view::<3, 3>(9, 9).into_owned());
}
