use crate::mesh::{TetMesh, generate};
use crate::points::{Batch, PointRows};
use crate::state::State;
use crate::{Mat3, Vec3, World, WorldBuilder};

use crate::body::{Block, BlockStiffness, Inner};

/// A block of springs and volumes, bent, stretched and twisted.
fn bent(inner: Inner) -> (TetMesh, World, State) {
    let mesh = generate::block(Vec3::new(0.3, 0.2, 0.1), [3, 2, 2]).unwrap();
    let stiffness = BlockStiffness { stretch: 2e4, volume: 5e4, ..BlockStiffness::default() };
    let mut builder = WorldBuilder::new();
    // something before it, so that its numbers do not begin with 0
    for name in ["before", "block"] {
        let block = Block { mesh: &mesh, density: 1000.0, stiffness, inner: inner.clone() };
        builder.block(name, &block).unwrap();
    }
    let (world, mut state) = builder.build().unwrap();
    for x in &mut state.q[mesh.positions.len()..] {
        *x += Vec3::new(0.1 * x.x + 0.2 * x.y * x.z, 0.5 * x.x * x.x, -0.3 * x.z * x.x);
    }
    (mesh, world, state)
}

fn energy(world: &World, state: &State) -> f64 {
    let network = &world.networks[1].1;
    let (volumes, shape) = network.energy(state, &mut PointRows::new(network.points));
    volumes + shape
}

fn sampled(world: &World, state: &State, tets: usize) -> (Vec<f64>, Vec<[f64; 6]>) {
    let (mut density, mut stress) = (vec![0.0; 2 * tets], vec![[0.0; 6]; 2 * tets]);
    world.sample(state, &mut density, &mut stress);
    assert!(density[..tets].iter().all(|d| d.abs() < 1e-20), "the block before it is at rest");
    (density.split_off(tets), stress.split_off(tets))
}

#[test]
fn densities_times_volumes_are_the_energy_of_a_block_of_springs() {
    for tension_only in [false, true] {
        let (mesh, world, state) = bent(Inner { tension_only, ..Inner::default() });
        let (density, _) = sampled(&world, &state, mesh.tets.len());
        let sum: f64 = density.iter().enumerate().map(|(t, d)| d * mesh.volume_of(t)).sum();
        let expected = energy(&world, &state);
        assert!((sum / expected - 1.0).abs() < 1e-13 && expected > 0.0, "{sum} {expected}");
    }
}

#[test]
fn stresses_times_volumes_are_the_change_of_the_energy_with_strain() {
    let (mesh, world, state) = bent(Inner::default());
    let (_, stress) = sampled(&world, &state, mesh.tets.len());
    let own = mesh.positions.len()..;
    let now = TetMesh { positions: state.q[own.clone()].to_vec(), ..mesh.clone() };
    let places = [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (0, 2)];
    for (entry, (i, j)) in places.into_iter().enumerate() {
        let sum: f64 = (0..mesh.tets.len()).map(|t| stress[t][entry] * now.volume_of(t)).sum();
        let strained = |e: f64| {
            let mut map = Mat3::identity();
            map[(i, j)] += e / 2.0;
            map[(j, i)] += e / 2.0;
            let mut other = state.clone();
            other.q[own.clone()].iter_mut().for_each(|x| *x = map * *x);
            energy(&world, &other)
        };
        let slope = (strained(1e-5) - strained(-1e-5)) / 2e-5;
        assert!((sum - slope).abs() < 1e-7 * slope.abs().max(1.0), "{i}{j}: {sum} {slope}");
    }
}

#[test]
fn blocks_without_kept_volumes_show_their_springs() {
    let (mesh, mut world, state) = bent(Inner::default());
    let network = &mut world.networks[1].1;
    network.volumes = Batch::new(crate::points::Volume::KEPT, &[]);
    network.cells = Some(super::Cells::new(&mesh, network));
    let (density, _) = sampled(&world, &state, mesh.tets.len());
    let sum: f64 = density.iter().enumerate().map(|(t, d)| d * mesh.volume_of(t)).sum();
    let expected = energy(&world, &state);
    assert!((sum / expected - 1.0).abs() < 1e-13 && expected > 0.0, "{sum} {expected}");
}
