use super::*;
use crate::solid::test_shapes::{brick, cylinder, icosphere, irregular_brick, torus};

fn bodies() -> Vec<(&'static str, Surface)> {
    vec![
        ("box", brick(Vec3::new(1.2, 0.8, 0.6), [4, 3, 3])),
        ("irregular box", irregular_brick(Vec3::new(1.2, 0.8, 0.6), [4, 3, 3])),
        ("coarse box", irregular_brick(Vec3::new(1.2, 0.8, 0.6), [2, 1, 1])),
        ("rod", cylinder(12, 3, 2, 0.02, 0.69)),
        ("cylinder", cylinder(8, 2, 1, 0.4, 0.8)),
        ("ring", torus(10, 5, 0.6, 0.25)),
        ("ball", icosphere(1)),
    ]
}

fn recovered(body: &Surface) -> (Quarters, Recovery) {
    let quarters = Quarters::new(body).unwrap();
    let recovery = Recovery::new(body, &Panel::all(body), &quarters);
    (quarters, recovery)
}

#[test]
fn linear_motions_stay_linear_on_any_shape_and_no_weight_is_large() {
    for (name, body) in bodies() {
        let (quarters, recovery) = recovered(&body);
        let mut most: f64 = 0.0;
        for (row, x) in recovery.rows.iter().zip(quarters.surface.vertices()) {
            let sum: f64 = row.iter().map(|(_, w)| w).sum();
            let place: Vec3 = row.iter().map(|&(v, w)| body.vertices()[v] * w).sum();
            assert!((sum - 1.0).abs() < 1e-9 && (place - x).norm() < 1e-9 * body.size(), "{name}");
            most = row.iter().skip(2).map(|(_, w)| w.abs()).fold(most, f64::max);
        }
        println!("{name}: greatest weight {most:.3}");
        assert!(most < 0.5, "{name}: {most}");
    }
}

/// How far squares of the coordinates are from what they are in the middles of edges, as a part of what halfway is off.
fn left(body: &Surface) -> f64 {
    let (quarters, recovery) = recovered(body);
    let n = body.vertices().len();
    let fields: [fn(&Vec3) -> f64; 4] =
        [|x| x.x * x.x, |x| x.x * x.y, |x| x.y * x.z + x.x * x.z, |x| x.z * x.z - x.x * x.x];
    let (mut off, mut all) = (0.0, 0.0);
    for field in fields {
        for (e, ends) in quarters.edges.iter().enumerate() {
            let exact = field(&quarters.surface.vertices()[n + e]);
            let found: f64 = recovery.rows[n + e].iter().map(|&(v, w)| w * field(&body.vertices()[v])).sum();
            let halfway = ends.iter().map(|&v| 0.5 * field(&body.vertices()[v])).sum::<f64>();
            off += (found - exact).powi(2);
            all += (halfway - exact).powi(2);
        }
    }
    (off / all).sqrt()
}

#[test]
fn motions_of_degree_two_are_found_on_flat_faces_and_in_part_on_round_ones_and_along_few_cells() {
    let most = [0.02, 0.4, 0.5, 0.1, 0.5, 0.9, 0.5];
    for ((name, body), most) in bodies().into_iter().zip(most) {
        let left = left(&body);
        println!("{name}: {left:.3} is left");
        assert!(left < most, "{name}: {left}");
    }
}
