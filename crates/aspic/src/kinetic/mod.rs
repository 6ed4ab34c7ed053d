//! K: the kinetic energy ½ vᵀ M v.
//!
//! Every body of aspic has a constant mass matrix M = Mₛ ⊗ I₃ on its nodes, so K is one sparse symmetric matrix
//! for the whole world, and ∂K/∂q = 0. A body adds its part consistently or lumped, as it likes.

use crate::Vec3;
use crate::solve::SymmetricMatrix;

/// How a body's mass is shared among its nodes.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum MassModel {
    /// The exact kinetic energy of linear elements (Liesenfeld & Stolfi, equation 25).
    #[default]
    Consistent,
    /// A quarter of each tetrahedron's mass on each of its vertices: cheaper, too much inertia in coarse meshes.
    Lumped,
}

/// The mass matrix of the world.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inertia {
    /// Mₛ  \[kg\]  (nodes × nodes)
    matrix: SymmetricMatrix,
    /// Row sums of Mₛ: what gravity pulls at  \[kg\]  (nodes)
    masses: Vec<f64>,
    /// Nodes that move by other rules than inertia; empty if there are none.
    guided: Vec<bool>,
}

/// Entries (row, column, kg) of one tetrahedron of mass m.
///
/// Consistent: Mᵢⱼ = m/20 (1 + δᵢⱼ). Lumped: m/4 on the diagonal.
pub fn tet_entries(model: MassModel, nodes: [u32; 4], mass: f64, out: &mut Vec<(u32, u32, f64)>) {
    for i in nodes {
        match model {
            MassModel::Lumped => out.push((i, i, mass / 4.0)),
            MassModel::Consistent => {
                out.extend(nodes.map(|j| (i, j, mass / 20.0 * if i == j { 2.0 } else { 1.0 })));
            }
        }
    }
}

impl Inertia {
    /// Sums the entries of all elements.
    pub fn new(nodes: usize, entries: Vec<(u32, u32, f64)>) -> Inertia {
        let matrix = SymmetricMatrix::from_entries(nodes, entries);
        let masses = (0..nodes).map(|i| matrix.row(i).map(|(_, m)| m).sum()).collect();
        Inertia { matrix, masses, guided: vec![] }
    }

    /// Takes nodes out of inertia: something else moves them.
    pub fn guide(&mut self, nodes: std::ops::Range<usize>) {
        self.guided.resize(self.masses.len(), false);
        self.guided[nodes].fill(true);
    }

    /// Whether something else moves a node.
    pub fn is_guided(&self, node: usize) -> bool {
        self.guided.get(node).is_some_and(|guided| *guided)
    }

    /// Mₛ.
    pub fn matrix(&self) -> &SymmetricMatrix {
        &self.matrix
    }

    /// Mass that belongs to each node  \[kg\]
    pub fn masses(&self) -> &[f64] {
        &self.masses
    }

    /// K = ½ vᵀ M v  \[J\]
    pub fn energy(&self, v: &[Vec3]) -> f64 {
        (0..v.len()).map(|i| 0.5 * v[i].dot(&self.matrix.row_times(i, v))).sum()
    }

    /// Linear momentum Σ (M v)ᵢ and angular momentum Σ xᵢ × (M v)ᵢ about the origin.
    pub fn momenta(&self, q: &[Vec3], v: &[Vec3]) -> (Vec3, Vec3) {
        (0..v.len()).fold((Vec3::zeros(), Vec3::zeros()), |(linear, angular), i| {
            let p = self.matrix.row_times(i, v);
            (linear + p, angular + q[i].cross(&p))
        })
    }

    /// Centre of mass of a range of nodes.
    pub fn center(&self, q: &[Vec3], nodes: std::ops::Range<usize>) -> Vec3 {
        let mass: f64 = self.masses[nodes.clone()].iter().sum();
        nodes.fold(Vec3::zeros(), |sum, i| sum + self.masses[i] / mass * q[i])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one_tet(model: MassModel, mass: f64) -> Inertia {
        let mut entries = vec![];
        tet_entries(model, [0, 1, 2, 3], mass, &mut entries);
        Inertia::new(4, entries)
    }

    #[test]
    fn kinetic_energy_of_one_tetrahedron_is_equation_25() {
        // K = m/20 (Σ vᵢ² + Σ_{j<i} vᵢ·vⱼ)
        let v: Vec<Vec3> =
            (0..4).map(|i| Vec3::new(1.0 + i as f64, (i * i) as f64, -0.5 * i as f64)).collect();
        let squares: f64 = v.iter().map(|v| v.norm_squared()).sum();
        let pairs: f64 = (0..4).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| v[i].dot(&v[j])).sum();
        let expected = 3.0 / 20.0 * (squares + pairs);
        assert!((one_tet(MassModel::Consistent, 3.0).energy(&v) - expected).abs() < 1e-12 * expected);
    }

    #[test]
    fn both_models_carry_the_whole_mass() {
        for model in [MassModel::Consistent, MassModel::Lumped] {
            let total: f64 = one_tet(model, 3.0).masses().iter().sum();
            assert!((total - 3.0).abs() < 1e-14);
        }
    }

    #[test]
    fn consistent_mass_gives_the_exact_inertia_of_a_spinning_corner_tetrahedron() {
        // ∫ (x² + y²) dV over the unit corner tetrahedron is 2/60; density 6 makes its mass 1.
        let q = [Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()];
        let v = q.map(|x| Vec3::z().cross(&x));
        let (_, angular) = one_tet(MassModel::Consistent, 1.0).momenta(&q, &v);
        assert!((angular.z - 6.0 * 2.0 / 60.0).abs() < 1e-14);
    }
}
