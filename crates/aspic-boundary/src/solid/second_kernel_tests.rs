use super::*;
use crate::solid::moments::tests::{brute, some_triangle};

fn kernel() -> SecondKernel {
    SecondKernel::new(Medium::new(2.6, 0.3).unwrap())
}

fn w(kernel: &SecondKernel, d: &Vec3) -> Mat3 {
    kernel.field(d.norm(), &(d * d.transpose() / d.norm()))
}

fn tw(kernel: &SecondKernel, d: &Vec3, n: &Vec3) -> Mat3 {
    let g = d.normalize();
    kernel.traction(&g, g.dot(n), &(g * g.transpose() * g.dot(n)), n)
}

#[test]
fn naviers_operator_turns_w_into_u_and_its_tractions_are_right() {
    let (d, n, h) = (Vec3::new(0.7, -0.4, 0.5), Vec3::new(0.48, 0.6, 0.64), 1e-3);
    let kernel = kernel();
    let medium = kernel.medium;
    let axes = [Vec3::x(), Vec3::y(), Vec3::z()];
    for i in 0..3 {
        let u = |x: &Vec3| w(&kernel, x).row(i).transpose();
        let gradient =
            |x: &Vec3| Mat3::from_columns(&axes.map(|e| (u(&(x + e * h)) - u(&(x - e * h))) / (2.0 * h)));
        let traction = medium.stress(&gradient(&d)) * n;
        assert!((traction.transpose() - tw(&kernel, &d, &n).row(i)).amax() < 1e-6);
        let stress = |x: Vec3| medium.stress(&gradient(&x));
        let force: Vec3 = axes.iter().map(|e| (stress(d + e * h) - stress(d - e * h)) * e / (2.0 * h)).sum();
        assert!((force.transpose() - medium.displacement(&d).row(i)).amax() < 1e-5);
    }
}

#[test]
fn closed_forms_agree_with_brute_force() {
    let kernel = kernel();
    for seed in 1..5 {
        let panel = some_triangle(seed);
        for height in [1e-4, -0.05, 0.5, 3.0, 12.0] {
            let source = panel.point(&[0.2, 0.5, 0.3]) + panel.normal * (height * panel.reach);
            let mut exact = [[Mat3::zeros(); 3]; 2];
            brute(&panel.corners, &source, &mut |x, weight| {
                for k in 0..3 {
                    let shape = weight * (1.0 + panel.slopes[k].dot(&(x - panel.corners[k])));
                    exact[0][k] += w(&kernel, &(x - source)) * shape;
                    exact[1][k] += tw(&kernel, &(x - source), &panel.normal) * shape;
                }
            });
            let [_, found] = kernel.pairs(&panel, &source);
            for part in 0..2 {
                for k in 0..3 {
                    let off = (found[part][k] - exact[part][k]).amax();
                    assert!(off < 1e-7 * exact[part][k].amax(), "{height} {part} {off}");
                }
            }
        }
    }
}
