//! The two moduli and the two viscosities, measured by pulling at the surface of an irregular mesh.

use aspic::constraint::{Constraint, Path, Pin};
use aspic::dissipation::viscous_law::{Viscosity, ViscousModel};
use aspic::mesh::TetMesh;
use aspic::potential::material::LawName;
use aspic::state::Rates;
use aspic::{Mat3, Material, State, Vec3, World};

use crate::support::{exact, inner, irregular_cube, jelly, relax, single};

/// The cube with its surface held at x = F X, inner vertices at rest under the elastic forces.
fn held_at(mesh: &TetMesh, material: &Material, f: &Mat3) -> (World, State) {
    let (mut builder, _) = single(mesh, material);
    builder.positions().iter_mut().for_each(|x| *x = f * *x);
    let pin = |&node: &u32| Box::new(Pin::new(node, f * mesh.positions[node as usize], Path::still()));
    let laws = mesh.surface_vertices().iter().map(|node| pin(node) as Box<dyn Constraint>).collect();
    builder.constrain(exact("surface", laws));
    let (world, mut state) = builder.build().unwrap();
    relax(world.continua[0].1.as_ref(), &mut state.q, &inner(mesh));
    (world, state)
}

/// Force of the supports on one face; each component collects only the traction of that face if it is
/// chosen so that the neighbouring faces have none along it.
fn support_force(world: &World, state: &State, mesh: &TetMesh, face: &str) -> Vec3 {
    let (nodes, _) = world.reactions(state, &mut world.workspace()).unwrap();
    mesh.groups[face].iter().map(|&v| nodes[v as usize]).sum()
}

/// Half the difference of the support force at strains +s and −s: odd orders only.
fn odd_force(material: &Material, face: &str, strain: impl Fn(f64) -> Mat3, s: f64) -> Vec3 {
    let mesh = irregular_cube(3);
    let at = |s: f64| {
        let (world, state) = held_at(&mesh, material, &(Mat3::identity() + strain(s)));
        support_force(&world, &state, &mesh, face)
    };
    (at(s) - at(-s)) / 2.0
}

#[test]
fn compressed_cube_pushes_back_with_three_times_the_bulk_modulus_in_every_law() {
    for law in LawName::ALL {
        let material = jelly(law);
        let force = odd_force(&material, "right", |s| Mat3::identity() * s, 1e-3);
        let bulk = force.x / (3.0 * 1e-3);
        assert!((bulk / material.moduli.bulk - 1.0).abs() < 1e-3, "{law:?}: K = {bulk}");
    }
}

#[test]
fn sheared_cube_drags_its_plates_with_the_shear_modulus_in_every_law() {
    for law in LawName::ALL {
        let material = jelly(law);
        let force =
            odd_force(&material, "top", |s| Mat3::new(0.0, 0.0, s, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0), 1e-3);
        let shear = force.x / 1e-3;
        assert!((shear / material.moduli.shear - 1.0).abs() < 1e-3, "{law:?}: G = {shear}");
    }
}

#[test]
fn elastic_energy_splits_into_bulk_and_shear_as_hooke_says_in_every_law() {
    let mesh = irregular_cube(3);
    let s = 1e-4;
    for law in LawName::ALL {
        let material = jelly(law);
        let average = |strain: Mat3| {
            let [a, b] = [1.0, -1.0].map(|sign| {
                let (world, state) = held_at(&mesh, &material, &(Mat3::identity() + strain * sign));
                world.continua[0].1.energy(&state.q, &state.memory)
            });
            ((a.bulk + b.bulk) / 2.0, (a.shear + b.shear) / 2.0)
        };
        let (bulk, shear) = average(Mat3::identity() * s);
        let sum = bulk + shear;
        assert!((sum / (4.5 * material.moduli.bulk * s * s) - 1.0).abs() < 1e-3, "{law:?}: {sum}");
        let (bulk, shear) = average(Mat3::new(0.0, 0.0, s, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0));
        let sum = bulk + shear;
        assert!((sum / (0.5 * material.moduli.shear * s * s) - 1.0).abs() < 1e-3, "{law:?}: {sum}");
    }
}

/// Viscous part of the support force on a face, and the dissipated power, at rest strain and rate L.
fn viscous_answer(model: ViscousModel, face: &str, rate: &Mat3) -> (Vec3, f64) {
    let mesh = irregular_cube(3);
    let viscosity = Viscosity::new(7.0, 3.0).unwrap();
    let material = Material { viscosity, viscous_model: model, ..jelly(LawName::LsStable) };
    let (world, mut state) = held_at(&mesh, &material, &Mat3::identity());
    state.v = mesh.positions.iter().map(|x| rate * x).collect();
    let mut rates = Rates::zeros(world.nodes());
    world.rates(&state, &mut rates, &mut world.workspace()).unwrap();
    (support_force(&world, &state, &mesh, face), rates.accounts.viscous_loss)
}

const MODELS: [ViscousModel; 3] =
    [ViscousModel::Material, ViscousModel::MaterialCurrentVolume, ViscousModel::Spatial];

#[test]
fn swelling_cube_is_braked_by_the_newtonian_bulk_viscosity() {
    let rate = 1e-2;
    for model in MODELS {
        let (force, power) = viscous_answer(model, "right", &(Mat3::identity() * rate));
        assert!((force.x / (3.0 * rate) / 7.0 - 1.0).abs() < 1e-3, "{model:?}: {force:?}");
        assert!((power / (7.0 * 9.0 * rate * rate) - 1.0).abs() < 1e-3, "{model:?}: {power} W");
    }
}

#[test]
fn shearing_cube_is_braked_by_the_newtonian_shear_viscosity() {
    let rate = 1e-2;
    for model in MODELS {
        let shear = Mat3::new(0.0, 0.0, rate, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
        let (force, power) = viscous_answer(model, "top", &shear);
        assert!((force.x / rate / 3.0 - 1.0).abs() < 1e-3, "{model:?}: {force:?}");
        assert!((power / (3.0 * rate * rate) - 1.0).abs() < 1e-3, "{model:?}: {power} W");
    }
}
