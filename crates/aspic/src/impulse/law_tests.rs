//! The law of one touch against the source's system of nine equations, and against what friction may never do.

use nalgebra::{SMatrix, SVector};

use super::*;

/// A small generator of random numbers (splitmix64), the same on every machine.
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.unit() - 0.5, self.unit() - 0.5, self.unit() - 0.5) * 4.0
    }
}

/// The velocities of two points after a touch.
fn touch(v: [Vec3; 2], m: [f64; 2], n: &Vec3, e: f64, rub: Rub) -> [Vec3; 2] {
    let u = v[0] - v[1];
    let inverse = 1.0 / m[0] + 1.0 / m[1];
    let change = Push::default().update(&u, n, inverse, -e * u.dot(n), rub);
    let impulse = n * change.normal + change.tangential;
    [v[0] + impulse / m[0], v[1] - impulse / m[1]]
}

#[test]
fn a_wall_returns_half_the_speed_and_slows_the_sliding() {
    let after = bounce(&Vec3::new(1.5, 0.0, -2.0), &Vec3::z(), 0.5, Rub::Coulomb(0.3));
    assert!((after - Vec3::new(0.6, 0.0, 1.0)).norm() < 1e-12, "{after}");
    let parting = Vec3::new(1.0, 2.0, 0.5);
    assert_eq!(bounce(&parting, &Vec3::z(), 0.5, Rub::Coulomb(0.3)), parting);
}

/// The nine equations of the source in the coordinates n, t, k with t against the sliding (erratum T8): P_t = μ Pₙ and
/// P_k = 0 while it slides; Vₜ equal on both sides where that would be more than stops it.
fn nine_equations(v: [Vec3; 2], m: [f64; 2], n: &Vec3, e: f64, mu: f64) -> [Vec3; 2] {
    let u = v[0] - v[1];
    let t = -(u - n * u.dot(n)).normalize();
    let k = n.cross(&t);
    let axes = [*n, t, k];
    let solve = |sticks: bool| {
        let mut a = SMatrix::<f64, 9, 9>::zeros();
        let mut b = SVector::<f64, 9>::zeros();
        // Unknowns: Pₙ, P_t, P_k, V₁ in n t k, V₂ in n t k.
        (a[(0, 3)], a[(0, 6)], b[0]) = (1.0, -1.0, -e * u.dot(n));
        if sticks {
            (a[(1, 4)], a[(1, 7)]) = (1.0, -1.0);
        } else {
            (a[(1, 0)], a[(1, 1)]) = (-mu, 1.0);
        }
        a[(2, 2)] = 1.0;
        for (axis, direction) in axes.iter().enumerate() {
            (a[(3 + axis, axis)], a[(3 + axis, 3 + axis)], b[3 + axis]) =
                (-1.0, m[0], m[0] * v[0].dot(direction));
            (a[(6 + axis, axis)], a[(6 + axis, 6 + axis)], b[6 + axis]) =
                (1.0, m[1], m[1] * v[1].dot(direction));
        }
        a.lu().solve(&b).unwrap()
    };
    let mut x = solve(false);
    // The sliding has turned round: it sticks instead.
    if (x[4] - x[7]) > 0.0 {
        x = solve(true);
    }
    [3, 6].map(|at| axes[0] * x[at] + axes[1] * x[at + 1] + axes[2] * x[at + 2])
}

#[test]
fn the_closed_form_solves_the_nine_equations_of_the_source() {
    let (mut random, mut sticking, mut sliding) = (Random(11), 0, 0);
    while sticking < 300 || sliding < 300 {
        let v = [random.vector(), random.vector()];
        let m = [0.1 + 3.0 * random.unit(), 0.1 + 3.0 * random.unit()];
        let n = random.vector().normalize();
        let (e, mu) = (random.unit(), 1.5 * random.unit());
        let u = v[0] - v[1];
        if u.dot(&n) >= -1e-3 {
            continue;
        }
        let expected = nine_equations(v, m, &n, e, mu);
        let found = touch(v, m, &n, e, Rub::Coulomb(mu));
        for (a, b) in found.iter().zip(&expected) {
            assert!((a - b).norm() < 1e-12, "{a} {b}");
        }
        let after = found[0] - found[1];
        let slides = (after - n * after.dot(&n)).norm() > 1e-9;
        (sliding, sticking) = (sliding + usize::from(slides), sticking + usize::from(!slides));
    }
}

#[test]
fn friction_never_accelerates_and_never_turns_the_sliding_round() {
    let mut random = Random(5);
    for _ in 0..20_000 {
        let v = [random.vector(), random.vector()];
        let m = [0.01 + random.unit(), 0.01 + 100.0 * random.unit()];
        let n = random.vector().normalize();
        let (e, mu) = (random.unit(), 3.0 * random.unit());
        let rub = if random.unit() < 0.5 { Rub::Coulomb(mu) } else { Rub::Factor(random.unit()) };
        let sliding = |v: [Vec3; 2]| {
            let u = v[0] - v[1];
            u - n * u.dot(&n)
        };
        let after = touch(v, m, &n, e, rub);
        let (before, now) = (sliding(v), sliding(after));
        assert!(now.norm() <= before.norm() * (1.0 + 1e-14), "{before} {now}");
        assert!(now.dot(&before) >= -1e-12 * before.norm_squared(), "{before} {now}");
        // Along the old direction only.
        assert!(now.cross(&before).norm() <= 1e-12 * before.norm_squared(), "{before} {now}");
        let energy = |v: [Vec3; 2]| 0.5 * (m[0] * v[0].norm_squared() + m[1] * v[1].norm_squared());
        assert!(energy(after) <= energy(v) * (1.0 + 1e-14));
    }
}

#[test]
fn a_touch_keeps_momentum_and_loses_the_energy_of_its_restitution() {
    let mut random = Random(3);
    for _ in 0..1000 {
        let v = [random.vector(), random.vector()];
        let m = [0.1 + random.unit(), 0.1 + random.unit()];
        let n = random.vector().normalize();
        let e = random.unit();
        let u = (v[0] - v[1]).dot(&n);
        let after = touch(v, m, &n, e, Rub::Coulomb(0.0));
        let momentum = |v: [Vec3; 2]| v[0] * m[0] + v[1] * m[1];
        assert!((momentum(after) - momentum(v)).norm() < 1e-14);
        let energy = |v: [Vec3; 2]| 0.5 * (m[0] * v[0].norm_squared() + m[1] * v[1].norm_squared());
        let reduced = m[0] * m[1] / (m[0] + m[1]);
        let lost = if u < 0.0 { 0.5 * (1.0 - e * e) * reduced * u * u } else { 0.0 };
        // Ends that part already are left alone.
        assert!(u < 0.0 || after == v);
        assert!((energy(v) - energy(after) - lost).abs() < 1e-13, "{lost}");
    }
}

#[test]
fn the_simplified_friction_leaves_its_part_of_the_sliding() {
    let after = bounce(&Vec3::new(2.0, -1.0, -3.0), &Vec3::z(), 0.2, Rub::Factor(0.25));
    assert!((after - Vec3::new(1.5, -0.75, 0.6)).norm() < 1e-15, "{after}");
    let all = bounce(&Vec3::new(2.0, -1.0, -3.0), &Vec3::z(), 0.2, Rub::Factor(1.0));
    assert!((all - Vec3::new(0.0, 0.0, 0.6)).norm() < 1e-15, "{all}");
}
