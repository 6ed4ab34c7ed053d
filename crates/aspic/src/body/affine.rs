//! Affine bodies: one affine map x = A X + b for the whole body, nearly rigid when stiff.
//!
//! The degrees of freedom are the corners of a control tetrahedron: regular, centred at the centre of mass, as large
//! as the body. Vertices follow by their barycentric coordinates w. The mass matrix is exact,
//! Mⱼₖ = ∫ ρ wⱼ wₖ dV over the mesh, and the one element on the corners gives the energy V ψ(A).

use super::builder::Outline;
use super::{BodyId, BuildError, Material, WorldBuilder};
use crate::frame::BodyKind;
use crate::mesh::{Pose, TetMesh};
use crate::potential::material::Moduli;
use crate::world::Scale;
use crate::{Mat3, Vec3};

/// How a body starts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Start {
    /// Where it is placed.
    pub pose: Pose,
    /// Velocity of its centre of mass  \[m/s\]
    pub velocity: Vec3,
    /// Rate of turning about its centre of mass  \[rad/s\]
    pub spin: Vec3,
}

impl Default for Start {
    /// At rest where the mesh is.
    fn default() -> Start {
        Start { pose: Pose::default(), velocity: Vec3::zeros(), spin: Vec3::zeros() }
    }
}

/// Directions of the corners of a positive regular tetrahedron: Σ d = 0 and Σ d dᵀ = 4 I.
const CORNERS: [[f64; 3]; 4] = [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, -1.0, 1.0], [-1.0, 1.0, -1.0]];

/// Product of step and highest frequency that explicit steps bear, as for solids.
const STABLE: f64 = 2.8;

/// The control tetrahedron at rest.
struct Control {
    center: Vec3,
    /// From the centre to the corners along each axis  \[m\]
    reach: f64,
    volume: f64,
}

impl Control {
    /// Volume 8/3 reach³ equals that of the matter in the mesh.
    fn of(mesh: &TetMesh) -> Control {
        let volume = mesh.matter();
        let moment = (0..mesh.tets.len()).fold(Vec3::zeros(), |sum, t| {
            let corners = mesh.tets[t].iter().fold(Vec3::zeros(), |sum, &v| sum + mesh.positions[v as usize]);
            sum + corners * (mesh.matter_of(t) / 4.0)
        });
        Control { center: moment / volume, reach: (volume * 3.0 / 8.0).cbrt(), volume }
    }

    fn corners(&self) -> [Vec3; 4] {
        CORNERS.map(|corner| self.center + Vec3::from(corner) * self.reach)
    }

    /// wⱼ = ¼ (1 + (x − c)·dⱼ / reach).
    fn weights(&self, x: &Vec3) -> [f64; 4] {
        let arm = (x - self.center) / self.reach;
        CORNERS.map(|corner| 0.25 * (1.0 + arm.dot(&Vec3::from(corner))))
    }
}

/// Mⱼₖ = ∫ ρ wⱼ wₖ dV  \[kg\]: a tetrahedron adds ρ V/20 (Σₐ wⱼₐ Σᵦ wₖᵦ + Σₐ wⱼₐ wₖₐ).
fn mass_matrix(mesh: &TetMesh, density: f64, weights: &[[f64; 4]]) -> [[f64; 4]; 4] {
    let mut matrix = [[0.0; 4]; 4];
    for (t, tet) in mesh.tets.iter().enumerate() {
        let corners = tet.map(|v| weights[v as usize]);
        let sums: [f64; 4] = std::array::from_fn(|j| corners.iter().map(|w| w[j]).sum());
        let part = density * mesh.matter_of(t) / 20.0;
        for (j, row) in matrix.iter_mut().enumerate() {
            for (k, entry) in row.iter_mut().enumerate() {
                let pairs: f64 = corners.iter().map(|w| w[j] * w[k]).sum();
                *entry += part * (sums[j] * sums[k] + pairs);
            }
        }
    }
    matrix
}

/// A bound on the highest frequency: ω² ≤ V max(3K, 2G) / smallest eigenvalue of ∫ ρ x xᵀ dV  \[rad/s\]
fn highest_frequency(control: &Control, mass: &[[f64; 4]; 4], stiffness: Moduli) -> f64 {
    let arms = control.corners().map(|x| x - control.center);
    let mut second = Mat3::zeros();
    for (row, x) in mass.iter().zip(&arms) {
        row.iter().zip(&arms).for_each(|(m, y)| second += x * y.transpose() * *m);
    }
    let least = second.symmetric_eigenvalues().min();
    (control.volume * (3.0 * stiffness.bulk).max(2.0 * stiffness.shear) / least).sqrt()
}

impl WorldBuilder {
    /// Adds an affine body of the default law: `density` in kg/m³, `stiffness` against changes of its shape.
    pub fn add_affine(
        &mut self,
        name: &str,
        mesh: &TetMesh,
        density: f64,
        stiffness: Moduli,
        start: &Start,
    ) -> Result<BodyId, BuildError> {
        self.check_mesh(name, mesh, density)?;
        let control = Control::of(mesh);
        let weights: Vec<[f64; 4]> = mesh.positions.iter().map(|x| control.weights(x)).collect();
        let mass = mass_matrix(mesh, density, &weights);
        let material = Material::elastic(density, stiffness);
        let length = mesh.size();
        let stable_step = STABLE / highest_frequency(&control, &mass, stiffness);
        let scale = Scale { length, time: length / material.wave_speed(), stable_step };
        let rest =
            TetMesh { positions: control.corners().to_vec(), tets: vec![[0, 1, 2, 3]], ..TetMesh::default() };
        let mut placed =
            [control.center, rest.positions[0], rest.positions[1], rest.positions[2], rest.positions[3]];
        start.pose.apply(&mut placed);
        let [center, corners @ ..] = placed;
        self.room_for_points(mesh.positions.len())?;
        let nodes = self.add_nodes(&corners);
        for (x, v) in corners.iter().zip(&mut self.velocities[nodes.clone()]) {
            *v = start.velocity + start.spin.cross(&(x - center));
        }
        let first = nodes.start as u32;
        let numbers = [first, first + 1, first + 2, first + 3];
        for w in &weights {
            self.embedding.push(&[0, 1, 2, 3].map(|j| (numbers[j], w[j])));
        }
        self.masses.extend((0..16).map(|jk| (numbers[jk / 4], numbers[jk % 4], mass[jk / 4][jk % 4])));
        self.add_continuum(material.solid(&rest, nodes.start), BodyKind::Affine, scale);
        let outline = Outline { tets: &mesh.tets, triangles: &mesh.boundary(), ..Outline::default() };
        Ok(self.enlist(name, BodyKind::Affine, nodes, &outline))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::generate;

    fn stiff() -> Moduli {
        Moduli::from_young_poisson(1e8, 0.3).unwrap()
    }

    /// ∫ ρ x xᵀ dV about the origin. Four nodes, 1/√5 of the way from the centroid to the corners, are exact for
    /// polynomials of degree two.
    fn second_moment(mesh: &TetMesh, density: f64) -> Mat3 {
        (0..mesh.tets.len()).fold(Mat3::zeros(), |sum, t| {
            let corners = mesh.tets[t].map(|v| mesh.positions[v as usize]);
            let center = corners.iter().sum::<Vec3>() / 4.0;
            let nodes = corners.map(|x| center + (x - center) / 5f64.sqrt());
            let weight = density * mesh.volume_of(t) / 4.0;
            nodes.iter().fold(sum, |sum, x| sum + x * x.transpose() * weight)
        })
    }

    fn spinning(mesh: &TetMesh, velocity: Vec3, spin: Vec3) -> (crate::World, crate::State) {
        let pose = Pose::new(&[(Vec3::new(1.0, 2.0, 0.5), 0.8)], Vec3::new(0.3, -0.2, 1.0)).unwrap();
        let mut builder = WorldBuilder::new();
        builder.add_affine("top", mesh, 700.0, stiff(), &Start { pose, velocity, spin }).unwrap();
        builder.build().unwrap()
    }

    #[test]
    fn each_corner_carries_a_quarter_of_the_mass() {
        let mesh = generate::torus(0.3, 0.1, 12, 6).unwrap();
        let (world, _) = spinning(&mesh, Vec3::zeros(), Vec3::zeros());
        for mass in world.inertia.masses() {
            assert!((mass / (700.0 * mesh.volume() / 4.0) - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn vertices_lie_where_the_pose_puts_the_mesh() {
        let mesh = generate::beam(0.4, 0.1, 0.05, [4, 1, 1]).unwrap();
        let (world, state) = spinning(&mesh, Vec3::zeros(), Vec3::zeros());
        let mut points = vec![Vec3::zeros(); mesh.positions.len()];
        world.embedding.positions(&state.q, &mut points);
        let mut placed = mesh.positions.clone();
        let pose = Pose::new(&[(Vec3::new(1.0, 2.0, 0.5), 0.8)], Vec3::new(0.3, -0.2, 1.0)).unwrap();
        pose.apply(&mut placed);
        assert!(points.iter().zip(&placed).all(|(a, b)| (a - b).norm() < 1e-14));
        assert!(!world.embedding.is_plain());
        assert_eq!((world.topology.nodes, world.topology.points), (4, mesh.positions.len()));
    }

    #[test]
    fn kinetic_energy_and_momenta_are_those_of_the_spinning_rigid_body() {
        // The beam starts with one end at its origin, so its centre of mass is off the origin.
        let mesh = generate::beam(0.4, 0.1, 0.05, [5, 2, 1]).unwrap();
        let (velocity, spin) = (Vec3::new(1.0, -2.0, 0.5), Vec3::new(3.0, 1.0, -2.0));
        let (world, state) = spinning(&mesh, velocity, spin);
        let mut placed = mesh.clone();
        world.embedding.positions(&state.q, &mut placed.positions);
        let mass = 700.0 * mesh.volume();
        let center = world.inertia.center(&state.q, 0..4);
        placed.positions.iter_mut().for_each(|x| *x -= center);
        let second = second_moment(&placed, 700.0);
        let inertia = Mat3::identity() * second.trace() - second;
        let kinetic = 0.5 * mass * velocity.norm_squared() + 0.5 * spin.dot(&(inertia * spin));
        assert!((world.inertia.energy(&state.v) / kinetic - 1.0).abs() < 1e-12);
        let (linear, angular) = world.inertia.momenta(&state.q, &state.v);
        assert!((linear - velocity * mass).norm() < 1e-12 * mass);
        let expected = inertia * spin + center.cross(&linear);
        assert!((angular - expected).norm() < 1e-12 * expected.norm());
    }

    #[test]
    fn no_explicit_step_is_longer_than_the_true_stiffness_allows() {
        // Highest frequency of the body at rest, from its stiffness and mass matrices.
        let mesh = generate::block(Vec3::new(0.3, 0.2, 0.02), [2, 2, 1]).unwrap();
        let mut builder = WorldBuilder::new();
        builder.add_affine("plate", &mesh, 700.0, stiff(), &Start::default()).unwrap();
        let (world, state) = builder.build().unwrap();
        let mut system = world.step_matrix();
        world.assemble(&state.q, &[], &state.q, &[], 0.0, &mut system);
        let stiffness = nalgebra::DMatrix::from_fn(12, 12, |r, c| {
            let place = system.matrix.place(r / 3, c / 3).unwrap();
            system.matrix.blocks()[place][(r % 3, c % 3)]
        });
        let mass = nalgebra::DMatrix::from_fn(12, 12, |r, c| {
            let entry = world.inertia.matrix().row(r / 3).find(|(j, _)| *j == c / 3).map_or(0.0, |(_, m)| m);
            if r % 3 == c % 3 { entry } else { 0.0 }
        });
        let inverse = mass.cholesky().unwrap().l().try_inverse().unwrap();
        let squares = (&inverse * stiffness * inverse.transpose()).symmetric_eigenvalues();
        let product = squares.max().sqrt() * world.scale.stable_step;
        assert!(product <= STABLE && product > 0.5 * STABLE, "{product}");
    }
}
