//! Ten thousand drops of one tetrahedron on another, most of them aligned as badly as can be.

use aspic::body::ContactSettings;
use aspic::integrate::Scheme;
use aspic::mesh::TetMesh;
use aspic::potential::material::Moduli;
use aspic::{Material, Vec3, WorldBuilder};
use rayon::prelude::*;

use crate::support::{faults, start, steps};

/// A fixed sequence of numbers in 0..1 (multiplicative congruential, modulus 2⁶⁴).
struct Noise(u64);

impl Noise {
    fn new(seed: u64) -> Noise {
        let mut noise = Noise(seed.wrapping_mul(2).wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        (0..4).for_each(|_| _ = noise.number());
        noise
    }

    fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn below(&mut self, n: usize) -> usize {
        (self.number() * n as f64) as usize
    }

    /// Coordinates on a grid of halves: many are equal, so edges are parallel, faces level, vertices above others.
    fn on_grid(&mut self) -> Vec3 {
        Vec3::from_fn(|_, _| 0.5 * self.below(3) as f64)
    }

    fn anywhere(&mut self) -> Vec3 {
        Vec3::from_fn(|_, _| self.number())
    }

    /// A positive tetrahedron that is not flat.
    fn tetrahedron(&mut self, mut corner: impl FnMut(&mut Noise) -> Vec3) -> TetMesh {
        loop {
            let corners: Vec<Vec3> = (0..4).map(|_| corner(self)).collect();
            let mut mesh = TetMesh { positions: corners, tets: vec![[0, 1, 2, 3]], ..TetMesh::default() };
            mesh.orient();
            if mesh.check().is_ok() && mesh.volume() > 1e-3 {
                return mesh;
            }
        }
    }
}

/// The two tetrahedra of a drop, the second above the first, and the speed of its fall \[m/s\].
fn drop_of(seed: u64) -> ([TetMesh; 2], f64) {
    let mut noise = Noise::new(seed);
    let mut pair = [(); 2].map(|()| match seed % 4 {
        0 => noise.tetrahedron(Noise::anywhere),
        _ => noise.tetrahedron(Noise::on_grid),
    });
    match seed % 4 {
        // The second is the first upside down: vertex on vertex, edge along edge, or face on face.
        2 => {
            pair[1] = pair[0].clone();
            pair[1].positions.iter_mut().for_each(|x| x.z = -x.z);
            pair[1].orient();
        }
        // Slivers: thin in one direction.
        3 => {
            let axis = noise.below(3);
            let thin = 10f64.powf(-1.0 - 2.0 * noise.number());
            pair[noise.below(2)].positions.iter_mut().for_each(|x| x[axis] *= thin);
        }
        _ => (),
    }
    let gap = [1e-3, 0.01, 0.03][noise.below(3)];
    let lift = pair[0].bounds().1.z - pair[1].bounds().0.z + gap;
    pair[1].positions.iter_mut().for_each(|x| x.z += lift);
    (pair, [0.0, 1.0, 3.0, 10.0][noise.below(4)])
}

/// Runs a drop; says what was wrong.
fn outcome(seed: u64, scheme: Scheme) -> Result<bool, String> {
    let ([lower, upper], speed) = drop_of(seed);
    let material = Material::elastic(1000.0, Moduli::from_young_poisson(1e5, 0.3).unwrap());
    let mut builder = WorldBuilder::new();
    builder.solid("lower", &lower, &material, Default::default()).map_err(|e| e.to_string())?;
    builder.solid("upper", &upper, &material, Default::default()).map_err(|e| e.to_string())?;
    builder.gravity(Vec3::new(0.0, 0.0, -9.81)).contact(ContactSettings {
        friction: [0.0, 0.5][seed as usize / 4 % 2],
        ..ContactSettings::default()
    });
    builder.velocities()[4..].iter_mut().for_each(|v| v.z = -speed);
    builder.velocities()[..4].iter_mut().for_each(|v| v.z = 0.5 * speed);
    let mut simulation = start(builder, steps(scheme, Default::default(), 0.02, 0.08, 0.02));
    // Nothing but contact changes how fast the two approach each other.
    let approach = |v: &[Vec3]| v[..4].iter().sum::<Vec3>() - v[4..].iter().sum::<Vec3>();
    let (mut touched, mut first) = (false, None);
    loop {
        match simulation.next_frame() {
            Err(error) => return Err(error.to_string()),
            Ok(None) => return Ok(touched),
            Ok(Some(frame)) => {
                let now = approach(&frame.velocities);
                touched |= (now - *first.get_or_insert(now)).norm() > 1e-6;
                if let Some(fault) = faults(simulation.world(), &frame.positions) {
                    return Err(format!("at {} s: {fault}", frame.ledger.t));
                }
            }
        }
    }
}

#[test]
fn ten_thousand_drops_cross_nothing_and_turn_nothing_inside_out() {
    // The trapezoid damps nothing: it is not made for contact.
    let schemes = [Scheme::BackwardEuler, Scheme::Bdf2];
    let run = |seed: u64| (seed, outcome(seed, schemes[seed as usize / 8 % 2]));
    let results: Vec<_> = (0..10_000).into_par_iter().map(run).collect();
    let failed: Vec<_> = results.iter().filter(|(_, result)| result.is_err()).collect();
    let touched = results.iter().filter(|(_, result)| *result == Ok(true)).count();
    assert!(failed.is_empty(), "{} of 10000, the first {:?}", failed.len(), &failed[..failed.len().min(10)]);
    assert!(touched > 5000, "only {touched} touched");
}
