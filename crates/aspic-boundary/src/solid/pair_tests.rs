use super::*;
use crate::solid::layers::Layers;
use crate::solid::test_shapes::{brick, cylinder, irregular_brick, torus};
use crate::solid::{Medium, Surface};

fn corners() -> [Vec3; 3] {
    [Vec3::new(0.1, 0.0, 0.2), Vec3::new(1.1, 0.2, 0.0), Vec3::new(0.3, 0.9, 0.4)]
}

/// ∬ 1/r over a triangle and itself is (4/3) A² Σ ln(s/(s − l))/l, s half the perimeter.
fn itself(panel: &Panel) -> f64 {
    let half = panel.lengths.iter().sum::<f64>() / 2.0;
    let edges: f64 = panel.lengths.iter().map(|l| (half / (half - l)).ln() / l).sum();
    4.0 / 3.0 * panel.area * panel.area * edges
}

#[test]
fn a_triangle_pulls_at_itself_as_the_closed_form_says() {
    let panel = Panel::new(corners());
    let found = PairRule::new().integrals(&panel, &panel);
    let error = found.inverse / itself(&panel) - 1.0;
    assert!(error.abs() < 1e-9, "{error:e}");
    assert!((found.dyad.trace() / found.inverse - 1.0).abs() < 1e-12);
    assert!(found.from_first.iter().all(|k| k.abs() < 1e-12));
}

/// Four parts share edges and corners: together they are the whole.
#[test]
fn neighbours_add_up_to_the_whole() {
    let [a, b, c] = corners();
    let [ab, bc, ca] = [(a + b) / 2.0, (b + c) / 2.0, (c + a) / 2.0];
    let parts = [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]].map(Panel::new);
    let rule = PairRule::new();
    let sum: f64 = parts.iter().flat_map(|x| parts.iter().map(|y| rule.integrals(x, y).inverse)).sum();
    let error = sum / itself(&Panel::new(corners())) - 1.0;
    assert!(error.abs() < 1e-9, "{error:e}");
}

/// From a point of a closed surface the rest fills half the sphere: ∫ ∂ₙ(1/4πr) dS = −½.
#[test]
fn a_closed_surface_fills_half_the_sky_of_each_of_its_triangles() {
    let thin = Vec3::new(1.0, 1.0, 0.05);
    let bodies: [(&str, Surface, f64); 5] = [
        ("cube", brick(Vec3::repeat(1.0), [3, 3, 3]), 1e-9),
        ("irregular", irregular_brick(Vec3::new(1.0, 0.7, 0.5), [4, 3, 3]), 1e-9),
        ("plate", brick(thin, [4, 4, 1]), 1e-9),
        ("ring", torus(12, 6, 1.0, 0.3), 1e-9),
        ("rod", cylinder(12, 3, 1, 0.02, 0.69), 1e-9),
    ];
    for (name, body, most) in bodies {
        let panels = Panel::all(&body);
        let layers = Layers::new(&body, &panels, &Medium::new(1.0, 0.3).unwrap());
        let n = body.vertices().len();
        let off = (0..panels.len()).map(|i| {
            let sum: f64 = (0..n).map(|v| layers.double[(i, v)]).sum();
            (sum / panels[i].area + 0.5).abs()
        });
        let worst = off.fold(0.0, f64::max);
        println!("{name}: {worst:.1e}");
        assert!(worst < most, "{name}: {worst:e}");
    }
}
