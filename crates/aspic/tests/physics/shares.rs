//! Tetrahedra that are matter only in part, as those of a lattice that carries a finer surface.

use aspic::body::{Block, BlockStiffness, Inner, Start};
use aspic::dissipation::viscous_law::Viscosity;
use aspic::kinetic::MassModel;
use aspic::mesh::{TetMesh, generate};
use aspic::potential::material::Moduli;
use aspic::state::Rates;
use aspic::{Material, State, Vec3, World, WorldBuilder};

const DENSITY: f64 = 1000.0;

/// A bent body of each kind, of a material this many times as heavy, stiff and viscous.
fn bent(mesh: &TetMesh, times: f64) -> (World, State) {
    let moduli = Moduli::new(times * 100e3, times * 30e3).unwrap();
    let mut material = Material::elastic(times * DENSITY, moduli);
    material.viscosity = Viscosity::new(times * 5.0, times * 2.0).unwrap();
    let stiffness = BlockStiffness { stretch: times * 2e4, volume: times * 5e4, ..BlockStiffness::default() };
    let mut builder = WorldBuilder::new();
    builder.solid("solid", mesh, &material, MassModel::Consistent).unwrap();
    builder.add_affine("affine", mesh, times * DENSITY, moduli, &Start::default()).unwrap();
    let block = Block { mesh, density: times * DENSITY, stiffness, inner: Inner::default() };
    builder.block("block", &block).unwrap();
    let (world, mut state) = builder.build().unwrap();
    for (x, v) in state.q.iter_mut().zip(&mut state.v) {
        *v = Vec3::new(x.y, 0.3 * x.x * x.z, -x.x);
        *x += Vec3::new(0.1 * x.x + 0.2 * x.y * x.z, 0.5 * x.x * x.x, -0.3 * x.z * x.x);
    }
    (world, state)
}

#[test]
fn half_filled_tetrahedra_are_half_as_heavy_stiff_and_viscous() {
    let whole = generate::block(Vec3::new(0.3, 0.2, 0.1), [3, 2, 2]).unwrap();
    let half = TetMesh { shares: vec![0.5; whole.tets.len()], ..whole.clone() };
    let ((filled, state), (light, same)) = (bent(&half, 1.0), bent(&whole, 0.5));
    for (a, b) in filled.inertia.masses().iter().zip(light.inertia.masses()) {
        assert!((a - b).abs() < 1e-13 * a.abs());
    }
    // An affine body has smaller control points for less matter; its places in space are what counts.
    let place = |world: &World, state: &State| {
        let mut points = vec![Vec3::zeros(); world.embedding.len()];
        world.embedding.positions(&state.q, &mut points);
        points
    };
    assert_eq!(place(&filled, &state).len(), place(&light, &same).len());
    let rates = |world: &World, state: &State| {
        let mut rates = Rates::zeros(world.nodes());
        world.rates(state, &mut rates, &mut world.workspace()).unwrap();
        rates.a
    };
    let affine = filled.topology.bodies[1].nodes.clone();
    let (found, expected) = (rates(&filled, &state), rates(&light, &same));
    for node in (0..found.len()).filter(|node| !affine.contains(node)) {
        let difference = (found[node] - expected[node]).norm();
        assert!(difference < 1e-9 * expected[node].norm().max(1.0), "{node}: {difference}");
    }
    let mass = |world: &World| world.inertia.masses()[affine.clone()].iter().sum::<f64>();
    assert!((mass(&filled) / (0.5 * DENSITY * whole.volume()) - 1.0).abs() < 1e-12);
    assert!((mass(&light) / mass(&filled) - 1.0).abs() < 1e-12);
}

#[test]
fn shares_that_are_none_or_too_many_are_refused() {
    let mesh = generate::block(Vec3::repeat(0.1), [1, 1, 1]).unwrap();
    for shares in [vec![0.5], vec![0.0; 5], vec![1.5; 5], vec![f64::NAN; 5]] {
        assert!(TetMesh { shares, ..mesh.clone() }.check().is_err());
    }
    assert!(TetMesh { shares: vec![0.5; mesh.tets.len()], ..mesh }.check().is_ok());
}
