//! Natural frequencies: of the mesh by inverse iteration, in time by counting swings, against bar and beam theory.

use std::f64::consts::PI;

use aspic::mesh::{TetMesh, generate};
use aspic::potential::material::{LawName, Moduli};
use aspic::solve::Factor;
use aspic::{Material, Vec3};
use wide::f64x4;

use crate::support::{frames, rising_zeros, settings, single, start, stiffness};

/// ρ = 1000 kg/m³, E = 100 kPa, ν as given: a wave runs along a thin bar at 10 m/s if ν = 0.
pub fn bar_material(poisson: f64) -> Material {
    let moduli = Moduli::from_young_poisson(1e5, poisson).unwrap();
    Material { law: LawName::LsStable, ..Material::elastic(1000.0, moduli) }
}

/// Lowest ω \[rad/s\] of K u = ω² M u and its mode, largest entry 1, over the coordinates that are free.
pub fn lowest_mode(
    mesh: &TetMesh,
    material: &Material,
    free: impl Fn(usize, usize) -> bool,
) -> (f64, Vec<Vec3>) {
    let (world, state) = single(mesh, material).0.build().unwrap();
    let n = state.q.len();
    let tangent = stiffness(world.continua[0].1.as_ref(), &state.q, false);
    let mask: Vec<bool> = (0..3 * n).map(|k| free(k / 3, k % 3)).collect();
    let factor = Factor::new(&tangent.assemble(n), &mask).unwrap();
    let mut work = vec![f64x4::ZERO; 3 * n];
    let mut mode: Vec<Vec3> = state.q.iter().map(|x| Vec3::new(x.x, 0.01 * x.x, x.x * x.x)).collect();
    (0..3 * n).filter(|&k| !mask[k]).for_each(|k| mode[k / 3][k % 3] = 0.0);
    let mut square = 0.0;
    for _ in 0..60 {
        let inert: Vec<Vec3> = (0..n).map(|i| world.inertia.matrix().row_times(i, &mode)).collect();
        let rhs: Vec<Vec3> = (0..3 * n).map(|k| Vec3::new(inert[k / 3][k % 3], 0.0, 0.0)).collect();
        let mut next = vec![Vec3::zeros(); 3 * n];
        factor.solve(&rhs, &mut next, &mut work);
        // Rayleigh's quotient of the new vector z = K⁻¹ M u: z·K z / z·M z = z·M u / z·M z.
        let z: Vec<Vec3> = (0..n).map(|i| Vec3::from_fn(|c, _| next[3 * i + c].x)).collect();
        let strain: f64 = z.iter().zip(&inert).map(|(z, y)| z.dot(y)).sum();
        let before = std::mem::replace(&mut square, strain / (2.0 * world.inertia.energy(&z)));
        let largest = z.iter().map(|z| z.amax()).fold(0.0, f64::max);
        mode = z.iter().map(|z| z / largest).collect();
        if (square - before).abs() < 1e-12 * square {
            break;
        }
    }
    (square.sqrt(), mode)
}

/// Everything but the face at x = 0 is free.
pub fn clamped(mesh: &TetMesh) -> impl Fn(usize, usize) -> bool + '_ {
    |node, _| mesh.groups["start"].binary_search(&(node as u32)).is_err()
}

/// First ω of Timoshenko's cantilever of rectangular section: w' = φ + Q/(k G A), φ' = M/(E I),
/// Q' = −ω² ρ A w, M' = −Q − ω² ρ I φ; clamped at 0, M = Q = 0 at the end. Shooting with RK4, then bisection.
fn timoshenko(material: &Material, length: f64, width: f64, height: f64) -> f64 {
    let (area, inertia) = (width * height, width * height.powi(3) / 12.0);
    let (e, g, nu) = (material.moduli.young(), material.moduli.shear, material.moduli.poisson());
    let shear = 10.0 * (1.0 + nu) / (12.0 + 11.0 * nu) * g * area;
    let rho = material.density;
    let slope = |s: f64, y: [f64; 4]| {
        let [w, phi, m, q] = y;
        [phi + q / shear, m / (e * inertia), -q - s * rho * inertia * phi, -s * rho * area * w]
    };
    let shoot = |s: f64, mut y: [f64; 4]| {
        let h = length / 400.0;
        let along = |y: [f64; 4], k: [f64; 4], h: f64| std::array::from_fn(|i| y[i] + h * k[i]);
        for _ in 0..400 {
            let k1 = slope(s, y);
            let k2 = slope(s, along(y, k1, h / 2.0));
            let k3 = slope(s, along(y, k2, h / 2.0));
            let k4 = slope(s, along(y, k3, h));
            y = std::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
        }
        (y[2], y[3])
    };
    let determinant = |omega: f64| {
        let ((m1, q1), (m2, q2)) =
            (shoot(omega * omega, [0.0, 0.0, 1.0, 0.0]), shoot(omega * omega, [0.0, 0.0, 0.0, 1.0]));
        m1 * q2 - m2 * q1
    };
    let (mut low, mut high) = (0.0, 1.2 * euler_bernoulli(material, length, height));
    assert!(determinant(low) * determinant(high) < 0.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if determinant(low) * determinant(middle) > 0.0 { low = middle } else { high = middle }
    }
    low
}

/// 1.8751² √(E I/(ρ A))/L².
fn euler_bernoulli(material: &Material, length: f64, height: f64) -> f64 {
    let ratio = material.moduli.young() * height * height / 12.0 / material.density;
    1.875_104_068_7f64.powi(2) * ratio.sqrt() / (length * length)
}

#[test]
fn clamped_bar_sounds_at_a_quarter_wave() {
    // ν = 0: sideways motion does not matter, and is left out so that no bending mode is lower.
    let mesh = generate::beam(1.0, 0.1, 0.1, [16, 1, 1]).unwrap();
    let held = clamped(&mesh);
    let (omega, _) = lowest_mode(&mesh, &bar_material(0.0), |node, axis| axis == 0 && held(node, axis));
    let expected = PI / 2.0 * 10.0;
    assert!((omega / expected - 1.0).abs() < 0.005, "ω = {omega}, expected {expected}");
}

#[test]
fn bending_frequency_converges_to_the_beam_with_second_order() {
    let (length, width, height) = (1.0, 0.15, 0.1);
    let material = bar_material(0.3);
    let at = |n: usize| {
        let mesh = generate::beam(length, width, height, [10 * n, 3 * n / 2, n]).unwrap();
        lowest_mode(&mesh, &material, clamped(&mesh)).0
    };
    let [coarse, middle, fine] = [2, 4, 8].map(at);
    let order = ((coarse - middle) / (middle - fine)).log2();
    let limit = fine - (middle - fine) / (2f64.powf(order) - 1.0);
    let beam = timoshenko(&material, length, width, height);
    let slender = euler_bernoulli(&material, length, height);
    assert!(coarse > middle && middle > fine && fine > beam, "{coarse} {middle} {fine} {beam}");
    assert!((1.6..2.4).contains(&order), "order {order}");
    assert!((limit / beam - 1.0).abs() < 0.01, "limit {limit}, Timoshenko {beam}");
    assert!((limit / slender - 1.0).abs() < 0.02, "limit {limit}, Euler–Bernoulli {slender}");
}

#[test]
fn swinging_cantilever_keeps_the_time_of_its_eigenvalue() {
    let mesh = generate::beam(1.0, 0.15, 0.1, [8, 1, 1]).unwrap();
    let material = bar_material(0.3);
    let (omega, mode) = lowest_mode(&mesh, &material, clamped(&mesh));
    let period = 2.0 * PI / omega;
    let (mut builder, _) = single(&mesh, &material);
    builder.hold("wall", &mesh.groups["start"]);
    builder.positions().iter_mut().zip(&mode).for_each(|(x, u)| *x += u * 1e-4);
    let mut simulation = start(builder, settings(4.3 * period, period / 64.0, 1e-7));
    let tip = mesh.groups["tip"][0] as usize;
    let shape = mode[tip].normalize();
    let swing = |frame: &aspic::frame::Frame| (frame.positions[tip] - mesh.positions[tip]).dot(&shape);
    let (t, y): (Vec<f64>, Vec<f64>) =
        frames(&mut simulation).iter().map(|frame| (frame.ledger.t, swing(frame))).unzip();
    let zeros = rising_zeros(&t, &y);
    assert_eq!(zeros.len(), 4);
    let measured = (zeros[3] - zeros[0]) / 3.0;
    assert!((measured / period - 1.0).abs() < 1e-4, "{measured} s, expected {period} s");
}
