//! Six springs of a tetrahedron that pull together like a solid.
//!
//! A uniform strain ε changes the edge of length l and direction u by Δ = l u·εu. Six edges tell all six components of ε,
//! ε = B⁻¹ Δ. So the springs of a tetrahedron of volume V store what a solid of the stiffness C stores, ½ V ε·Cε, if they
//! answer together with S = V B⁻ᵀ C B⁻¹: for every uniform strain and on any mesh. Springs that pull each for itself
//! could not: they have λ = μ in the mean over directions, and in each direction what the mesh makes of it.

use nalgebra::{Matrix6, Vector6};

use crate::Vec3;
use crate::points::EDGES;
use crate::potential::material::Moduli;

/// S of the edges in their order, for a volume of matter \[m³\]; `None` if the corners lie in a plane.
pub(super) fn together(moduli: Moduli, corners: [Vec3; 4], matter: f64) -> Option<[[f64; 6]; 6]> {
    // ε as (xx, yy, zz, √2 yz, √2 xz, √2 xy): so C = λ 1⊗1 + 2G I, with λ = K − ⅔ G on the first three.
    let root = std::f64::consts::SQRT_2;
    let rows = EDGES.map(|[i, j]| {
        let d = corners[j] - corners[i];
        Vector6::new(d.x * d.x, d.y * d.y, d.z * d.z, root * d.y * d.z, root * d.x * d.z, root * d.x * d.y)
            .unscale(d.norm())
            .transpose()
    });
    let strain_of = Matrix6::from_rows(&rows).try_inverse()?;
    let lame = moduli.bulk - 2.0 / 3.0 * moduli.shear;
    let stiffness = Matrix6::from_fn(|i, j| {
        let bulk = if i < 3 && j < 3 { lame } else { 0.0 };
        bulk + if i == j { 2.0 * moduli.shear } else { 0.0 }
    });
    let matrix = strain_of.transpose() * stiffness * strain_of * matter;
    Some(std::array::from_fn(|i| std::array::from_fn(|j| 0.5 * (matrix[(i, j)] + matrix[(j, i)]))))
}
