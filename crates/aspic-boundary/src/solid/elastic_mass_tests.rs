use super::*;
use crate::solid::mass::tests::tones;
use crate::solid::stiffness::Stiffness;
use crate::solid::test_shapes::{brick, hollow_ball, icosphere, torus};

const DENSITY: f64 = 3.0;

fn medium() -> Medium {
    Medium::new(2.6, 0.3).unwrap()
}

#[test]
fn linear_motions_have_their_exact_energy_and_m_is_positive() {
    let shapes = [
        ("sphere", icosphere(1)),
        ("brick", brick(Vec3::new(1.0, 1.5, 2.0), [2, 3, 4])),
        ("plate", brick(Vec3::new(1.0, 1.0, 0.2), [4, 4, 1])),
        ("torus", torus(12, 6, 1.0, 0.3)),
        ("hollow ball", hollow_ball(1, 0.5, 1.0)),
    ];
    for (name, body) in shapes {
        let mass = ElasticMass::new(&body, &medium(), DENSITY).unwrap();
        println!(
            "{name}: asymmetry {:.1e}, correction {:.1e}, {} eigenvalues raised",
            mass.asymmetry, mass.correction, mass.raised
        );
        assert!(mass.matrix.llt(Side::Lower).is_ok(), "{name}");
        let slope = Mat3::new(0.3, 0.2, -0.1, 0.5, -0.4, 0.7, 0.1, 0.6, 0.9);
        let shift = Vec3::new(0.4, -0.2, 0.1);
        let v: Vec<Vec3> = body.vertices().iter().map(|x| shift + slope * (x - body.centroid())).collect();
        let inner = (slope * body.spread() * slope.transpose()).trace();
        let exact = 0.5 * DENSITY * (shift.norm_squared() * body.volume() + inner);
        assert!((mass.kinetic_energy(&v) / exact - 1.0).abs() < 1e-10, "{name}");
    }
}

/// Lamb's modes of a free ball: five torsional ones at ω R/c = 2.501 and five spheroidal ones near 2.65 (Love), c² = μ/ρ.
/// Without inertia inside all tones are too high, by Rayleigh's principle.
#[test]
fn a_free_ball_rings_near_lambs_tones() {
    let body = icosphere(2);
    let spring = Stiffness::new(&body, &medium()).unwrap();
    let mass = ElasticMass::new(&body, &medium(), 1.0).unwrap();
    let radius = (body.volume() / (4.0 / 3.0 * std::f64::consts::PI)).cbrt();
    let tones: Vec<f64> = tones(&spring.matrix, &mass.matrix).iter().map(|tone| tone * radius).collect();
    println!("ball, elastic mass: lowest tones {:.3?}", &tones[6..18]);
    assert!(tones[6..11].iter().all(|tone| (tone / 2.501 - 1.0).abs() < 0.08));
    assert!(tones[11..16].iter().all(|tone| (tone / 2.65 - 1.0).abs() < 0.08));
}
