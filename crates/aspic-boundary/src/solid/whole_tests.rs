use super::*;
use crate::solid::mass::tests::tones;
use crate::solid::test_shapes::{brick, icosphere, irregular_brick, torus};

fn medium() -> Medium {
    Medium::new(2.6, 0.3).unwrap()
}

/// Tones ω of a body with ρ = 1, ascending, without the six of rigid motion  \[1/s\]
fn tones_of(whole: &Whole) -> Vec<f64> {
    let heavy = axes(&whole.mass);
    tones(&whole.stiffness, &heavy)[6..].to_vec()
}

/// Lamb's modes of a free ball with ν = 0.3, ω R/c with c² = μ/ρ, from the roots of his equations: five twists at 2.5011,
/// five spheroidal ones at 2.6462, three at 3.5300, and breathing at 4.9955.
#[test]
fn a_free_ball_rings_at_lambs_tones() {
    let body = icosphere(2);
    let whole = Whole::new(&body, &medium(), 1.0).unwrap();
    let radius = (body.volume() / (4.0 / 3.0 * std::f64::consts::PI)).cbrt();
    let all: Vec<f64> = tones_of(&whole).iter().map(|tone| tone * radius).collect();
    println!("ball of {} nodes: {:.3?}", whole.nodes.len(), &all[..30]);
    for (from, exact) in [(0, 2.5011), (5, 2.6462), (10, 3.5300)] {
        assert!((all[from] / exact - 1.0).abs() < 0.03, "{} against {exact}", all[from]);
    }
    let breathing = all.iter().map(|tone| (tone / 4.9955 - 1.0).abs()).fold(f64::INFINITY, f64::min);
    assert!(breathing < 0.01, "{breathing}");
}

#[test]
fn nodes_inside_change_nothing_in_equilibrium_and_nothing_of_rigid_motion_or_even_strain() {
    let shapes = [
        ("ball", icosphere(2)),
        ("cube", brick(Vec3::repeat(1.0), [4, 4, 4])),
        ("irregular box", irregular_brick(Vec3::new(1.0, 0.8, 0.7), [4, 4, 4])),
        ("ring", torus(12, 6, 1.0, 0.3)),
    ];
    for (name, body) in shapes {
        let whole = Whole::new(&body, &medium(), 3.0).unwrap();
        let (n, all) = (body.vertices().len(), whole.nodes.len());
        println!("{name}: {} nodes inside", all - n);
        let plain = Stiffness::new(&body, &medium()).unwrap().matrix;
        if all > n {
            let b = 3 * (all - n);
            let own = whole.stiffness.submatrix(3 * n, 3 * n, b, b);
            let mixed = whole.stiffness.submatrix(3 * n, 0, b, 3 * n);
            let condensed = whole.stiffness.submatrix(0, 0, 3 * n, 3 * n)
                - mixed.transpose() * own.to_owned().llt(Side::Lower).unwrap().solve(mixed);
            assert!((condensed - &plain).norm_l2() < 1e-10 * plain.norm_l2(), "{name}");
        }
        let gradient = Mat3::new(0.3, 0.2, -0.1, 0.5, -0.4, 0.7, 0.1, 0.6, 0.9);
        let move_by =
            |gradient: &Mat3| Mat::from_fn(3 * all, 1, |i, _| (gradient * whole.nodes[i / 3])[i % 3] + 0.1);
        let work = |u: &Mat<f64>| (u.transpose() * &whole.stiffness * u)[(0, 0)];
        let exact = body.volume() * medium().stress(&gradient).component_mul(&gradient).sum();
        assert!((work(&move_by(&gradient)) / exact - 1.0).abs() < 1e-9, "{name}");
        let turn = gradient - gradient.transpose();
        assert!(work(&move_by(&turn)).abs() < 1e-9 * exact, "{name}");
        let masses: Vec<f64> = (0..all).map(|i| (0..all).map(|k| whole.mass[(i, k)]).sum()).collect();
        let total = 3.0 * body.volume();
        assert!((masses.iter().sum::<f64>() / total - 1.0).abs() < 1e-10, "{name}");
        assert!(masses[n..].iter().all(|m| *m > 0.0), "{name}");
        let centre: Vec3 = whole.nodes.iter().zip(&masses).map(|(x, m)| x * (m / total)).sum();
        assert!((centre - body.centroid()).norm() < 1e-9, "{name}");
    }
}
