//! aspic simulates bodies that wobble.
pub mod frame;
pub mod lanes;
pub mod mesh;
pub mod scene;

/// A point or vector in space. SI units, right-handed, z up.
pub type Vec3 = nalgebra::Vector3<f64>;
/// A 3×3 matrix that maps columns.
pub type Mat3 = nalgebra::Matrix3<f64>;
