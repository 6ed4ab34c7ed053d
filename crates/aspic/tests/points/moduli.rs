//! Springs stand for a material: the moduli that tables give.

use aspic::body::{Block, BlockStiffness, Inner, SheetStiffness};
use aspic::mesh::{TriangleSurface, generate};
use aspic::potential::material::Moduli;
use aspic::{Mat3, Vec3};
use nalgebra::{Rotation3, Unit};

use crate::support::{build, sheet, stored};

/// The 60 rotations of an icosahedron: the mean over them is that over all directions, for forms of degree four.
fn icosahedral() -> Vec<Rotation3<f64>> {
    let golden = (1.0 + 5f64.sqrt()) / 2.0;
    let fifth = Rotation3::from_axis_angle(
        &Unit::new_normalize(Vec3::new(0.0, 1.0, golden)),
        std::f64::consts::TAU / 5.0,
    );
    let third = Rotation3::from_axis_angle(
        &Unit::new_normalize(Vec3::new(1.0, 1.0, 1.0)),
        std::f64::consts::TAU / 3.0,
    );
    let mut group = vec![Rotation3::identity()];
    let mut next = 0;
    while next < group.len() {
        for generator in [&fifth, &third] {
            let turned = generator * group[next];
            if !group.iter().any(|known| (known.matrix() - turned.matrix()).norm() < 1e-9) {
                group.push(turned);
            }
        }
        next += 1;
    }
    assert_eq!(group.len(), 60);
    group
}

/// Energy of a small strain, averaged over all directions, per volume.
fn mean_energy(stiffness: BlockStiffness, strain: &Mat3) -> f64 {
    let mesh = generate::block(Vec3::new(0.3, 0.4, 0.5), [2, 3, 2]).unwrap();
    let (world, state) = build(|builder| {
        builder
            .block("block", &Block { mesh: &mesh, density: 1000.0, stiffness, inner: Inner::default() })
            .unwrap();
    });
    let energies = icosahedral().into_iter().map(|turn| {
        let map = Mat3::identity() + turn.matrix() * strain * turn.matrix().transpose();
        stored(&world, state.q.iter().map(|x| map * x).collect())
    });
    energies.sum::<f64>() / 60.0 / mesh.volume()
}

#[test]
fn a_block_has_the_bulk_and_shear_modulus_of_its_material() {
    let (bulk, shear) = (90e3, 30e3);
    let stiffness = BlockStiffness::of(Moduli { bulk, shear });
    let e = 1e-6;
    let pressed = mean_energy(stiffness, &(Mat3::identity() * e));
    assert!((pressed / (4.5 * bulk * e * e) - 1.0).abs() < 1e-4, "{pressed}");
    let sheared = mean_energy(stiffness, &Mat3::new(0.0, e, 0.0, e, 0.0, 0.0, 0.0, 0.0, 0.0));
    assert!((sheared / (2.0 * shear * e * e) - 1.0).abs() < 1e-4, "{sheared}");
    let long = mean_energy(stiffness, &Mat3::from_diagonal(&Vec3::new(2.0 * e, -e, -e)));
    assert!((long / (6.0 * shear * e * e) - 1.0).abs() < 1e-4, "{long}");
}

#[test]
fn refining_a_block_does_not_change_its_stiffness() {
    let moduli = Moduli { bulk: 50e3, shear: 30e3 };
    let energy = |cells: [usize; 3]| {
        let mesh = generate::block(Vec3::new(0.3, 0.3, 0.3), cells).unwrap();
        let (world, state) = build(|builder| {
            let block = Block {
                mesh: &mesh,
                density: 1000.0,
                stiffness: BlockStiffness::of(moduli),
                inner: Inner::default(),
            };
            builder.block("block", &block).unwrap();
        });
        stored(&world, state.q.iter().map(|x| x.component_mul(&Vec3::new(1.1, 1.0, 1.0))).collect())
    };
    let (coarse, fine) = (energy([2, 2, 2]), energy([8, 8, 8]));
    assert!((coarse / fine - 1.0).abs() < 1e-9, "{coarse} {fine}");
}

/// Energy per area of a small strain in the plane.
fn plane_energy(stretch: f64, cells: [usize; 2], strain: &Mat3) -> f64 {
    let stiffness = SheetStiffness { stretch, ..SheetStiffness::default() };
    let (world, state) = build(|builder| {
        builder.sheet("sheet", &sheet([1.0, 0.8], cells, stiffness)).unwrap();
    });
    let map = Mat3::identity() + strain;
    stored(&world, state.q.iter().map(|x| map * x).collect()) / 0.8
}

#[test]
fn a_grid_of_springs_is_an_isotropic_sheet_of_poisson_ratio_one_third() {
    let (young, e) = (2000.0, 1e-6);
    // λ = μ = 3/8 Y in the plane
    let lame = 0.375 * young;
    // Oblong cells too: 0.1 × 0.1 and 0.1 × 0.0666
    for cells in [[10, 8], [10, 12]] {
        for angle in [0.0, 0.3, 0.8] {
            let turn = Rotation3::from_axis_angle(&Vec3::z_axis(), angle);
            let strain = |a: f64, b: f64, c: f64| {
                turn.matrix() * Mat3::new(a, c, 0.0, c, b, 0.0, 0.0, 0.0, 0.0) * e * turn.matrix().transpose()
            };
            for (a, b, c) in [(1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (1.0, 1.0, 0.0), (1.0, -1.0 / 3.0, 0.0)] {
                let expected = 0.5 * lame * (a + b) * (a + b) + lame * (a * a + b * b + 2.0 * c * c);
                let energy = plane_energy(young, cells, &strain(a, b, c)) / (e * e);
                assert!((energy / expected - 1.0).abs() < 1e-4, "{cells:?} {angle} {energy} {expected}");
            }
            // Pulled along one way and free across, it answers with Y.
            let pulled = plane_energy(young, cells, &strain(1.0, -1.0 / 3.0, 0.0)) / (e * e);
            assert!((pulled / (0.5 * young) - 1.0).abs() < 1e-4);
        }
    }
}

#[test]
fn triangles_of_any_shape_have_the_stiffness_in_the_mean_over_directions() {
    let (mut surface, _) = generate::sheet([1.0, 1.0], [6, 6]).unwrap();
    let mut noise = crate::support::Noise(4);
    surface.positions.iter_mut().for_each(|x| *x += Vec3::new(noise.next(), noise.next(), 0.0) * 0.04);
    let area: f64 = surface
        .triangles
        .iter()
        .map(|t| {
            let [a, b, c] = t.map(|v| surface.positions[v as usize]);
            0.5 * (b - a).cross(&(c - a)).z
        })
        .sum();
    let stiffness = SheetStiffness { stretch: 700.0, ..SheetStiffness::default() };
    let mut cloth = sheet([1.0, 1.0], [6, 6], stiffness);
    (cloth.surface, cloth.cells) = (surface, vec![]);
    let (world, state) = build(|builder| {
        builder.sheet("sheet", &cloth).unwrap();
    });
    let e = 1e-6;
    let energy = |k: usize| {
        // Five directions give the mean of a form of degree four.
        let turn = Rotation3::from_axis_angle(&Vec3::z_axis(), std::f64::consts::PI * k as f64 / 5.0);
        let strain = Mat3::from_diagonal(&Vec3::new(1.0, -1.0 / 3.0, 0.0)) * e;
        let map = Mat3::identity() + turn.matrix() * strain * turn.matrix().transpose();
        stored(&world, state.q.iter().map(|x| map * x).collect())
    };
    let mean = (0..5).map(energy).sum::<f64>() / 5.0 / area;
    assert!((mean / (0.5 * 700.0 * e * e) - 1.0).abs() < 1e-4, "{mean}");
}

#[test]
fn a_shell_keeps_its_volume_by_its_bulk_modulus() {
    let surface = generate::sphere_surface(0.2, 3).unwrap();
    let mut shell = sheet([1.0, 1.0], [1, 1], SheetStiffness::default());
    (shell.surface, shell.cells) = (surface, vec![]);
    shell.inflation = Some(aspic::body::Inflation { bulk: 5e3, pressure: 300.0 });
    let (world, state) = build(|builder| {
        builder.sheet("ball", &shell).unwrap();
    });
    let volume = volume_of(&shell.surface);
    let energy = |scale: f64| stored(&world, state.q.iter().map(|x| x * scale).collect());
    let grown = volume * (1.1f64.powi(3) - 1.0);
    let expected = 0.5 * 5e3 / volume * grown * grown - 300.0 * grown;
    assert!((energy(1.1) - energy(1.0) - expected).abs() < 1e-9 * expected.abs());
}

fn volume_of(surface: &TriangleSurface) -> f64 {
    let six = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|v| surface.positions[v as usize]);
        a.dot(&b.cross(&c))
    };
    surface.triangles.iter().map(six).sum::<f64>() / 6.0
}
