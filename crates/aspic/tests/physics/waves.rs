//! Damped vibrations die out at the rates that the viscosities dictate.

use std::f64::consts::PI;

use aspic::constraint::{Constraint, OnLine};
use aspic::dissipation::viscous_law::Viscosity;
use aspic::frame::Frame;
use aspic::mesh::generate;
use aspic::{Material, Simulation, Vec3};

use crate::frequency::{bar_material, clamped, lowest_mode};
use crate::support::{exact, frames, rising_zeros, settings, single, start};

/// Decay rate γ \[1/s\] and angular frequency \[rad/s\] of u = A e^{−γt} cos(Ωt + φ), from its frames.
///
/// Ω from the rising zeros; γ from a = √(u² + ((u′ + γu)/Ω)²), which falls as e^{−γt} exactly.
fn decay(frames: &[Frame], read: impl Fn(&Frame) -> (f64, f64)) -> (f64, f64) {
    let t: Vec<f64> = frames.iter().map(|frame| frame.ledger.t).collect();
    let (u, v): (Vec<f64>, Vec<f64>) = frames.iter().map(&read).unzip();
    let zeros = rising_zeros(&t, &u);
    let omega = 2.0 * PI * (zeros.len() - 1) as f64 / (zeros[zeros.len() - 1] - zeros[0]);
    let last = t.len() - 1;
    let mut gamma = 0.0;
    for _ in 0..50 {
        let size = |k: usize| u[k].hypot((v[k] + gamma * u[k]) / omega);
        gamma = (size(0) / size(last)).ln() / (t[last] - t[0]);
    }
    (gamma, omega)
}

/// Displacement and velocity of one node along a direction.
fn reading(rest: Vec3, node: usize, along: Vec3) -> impl Fn(&Frame) -> (f64, f64) {
    move |frame| ((frame.positions[node] - rest).dot(&along), frame.velocities[node].dot(&along))
}

#[test]
fn proportional_damping_lets_a_mode_decay_at_half_tau_omega_squared() {
    let mesh = generate::beam(1.0, 0.15, 0.1, [8, 1, 1]).unwrap();
    let elastic = bar_material(0.3);
    let (omega, mode) = lowest_mode(&mesh, &elastic, clamped(&mesh));
    let tau = 0.04 / omega;
    let viscosity = Viscosity::new(tau * elastic.moduli.bulk, tau * elastic.moduli.shear).unwrap();
    let (mut builder, _) = single(&mesh, &Material { viscosity, ..elastic });
    builder.hold("wall", &mesh.groups["start"]);
    builder.positions().iter_mut().zip(&mode).for_each(|(x, u)| *x += u * 1e-4);
    let period = 2.0 * PI / omega;
    let mut simulation = start(builder, settings(4.3 * period, period / 64.0, 1e-7));
    let tip = mesh.groups["tip"][0] as usize;
    let frames = frames(&mut simulation);
    let (gamma, ringing) = decay(&frames, reading(mesh.positions[tip], tip, mode[tip].normalize()));
    let expected = tau * omega * omega / 2.0;
    assert!((gamma / expected - 1.0).abs() < 1e-4, "decay {gamma}/s, expected {expected}/s");
    // Ω² = ω² − γ²
    assert!((ringing / (omega * omega - expected * expected).sqrt() - 1.0).abs() < 1e-4, "Ω = {ringing}");
}

/// A column of 12 cells between two plates; everything moves along x only, as cos(πz): a standing shear wave.
fn shear_wave(material: &Material, duration: f64) -> (Simulation, usize, Vec3) {
    let mesh = generate::block(Vec3::new(0.1, 0.1, 1.0), [1, 1, 12]).unwrap();
    let (mut builder, _) = single(&mesh, material);
    for (x, rest) in builder.positions().iter_mut().zip(&mesh.positions) {
        x.x += 1e-4 * (PI * rest.z).cos();
    }
    let plates = [&mesh.groups["bottom"][..], &mesh.groups["top"]].concat();
    let rail = |node: u32| -> Box<dyn Constraint> {
        Box::new(OnLine::new(node, mesh.positions[node as usize], Vec3::x()))
    };
    let between = (0..mesh.positions.len() as u32).filter(|node| !plates.contains(node));
    builder.constrain(exact("rails", between.map(rail).collect()));
    builder.positions().iter_mut().enumerate().for_each(|(i, x)| {
        if plates.contains(&(i as u32)) {
            *x = mesh.positions[i];
        }
    });
    builder.hold("plates", &plates);
    let middle = mesh.groups["center"][0] as usize;
    (start(builder, settings(duration, duration / 200.0, 1e-7)), middle, mesh.positions[middle])
}

#[test]
fn standing_shear_wave_decays_by_shear_viscosity_alone() {
    let elastic = bar_material(0.3);
    let (rho, k) = (elastic.density, PI);
    let omega = k * (elastic.moduli.shear / rho).sqrt();
    let eta = 0.02 * 2.0 * rho * omega / (k * k);
    let material = Material { viscosity: Viscosity::new(3.0 * eta, eta).unwrap(), ..elastic };
    let (mut simulation, node, rest) = shear_wave(&material, 3.3 * 2.0 * PI / omega);
    let (gamma, ringing) = decay(&frames(&mut simulation), reading(rest, node, Vec3::x()));
    let expected = eta * k * k / (2.0 * rho);
    assert!((gamma / expected - 1.0).abs() < 0.02, "decay {gamma}/s, expected {expected}/s");
    assert!((ringing / omega - 1.0).abs() < 0.02, "ω = {ringing}, expected {omega}");
}
