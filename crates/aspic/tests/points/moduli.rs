//! Springs stand for a material: the moduli that tables give.

use aspic::body::{Block, BlockStiffness, Inner, SheetStiffness};
use aspic::mesh::{TetMesh, TriangleSurface, generate};
use aspic::potential::material::Moduli;
use aspic::{Mat3, State, Vec3, World};
use nalgebra::Rotation3;

use crate::support::{build, sheet, stored};

/// Meshes of all kinds: oblong boxes, a ball, and a box whose vertices were shaken.
fn meshes() -> Vec<(&'static str, TetMesh)> {
    let mut shaken = generate::block(Vec3::new(0.3, 0.3, 0.4), [3, 3, 4]).unwrap();
    let mut noise = crate::support::Noise(9);
    shaken.positions.iter_mut().for_each(|x| *x += noise.vector(0.02));
    vec![
        ("coarse box", generate::block(Vec3::new(0.3, 0.4, 0.5), [2, 3, 2]).unwrap()),
        ("fine box", generate::block(Vec3::repeat(3.0), [6, 6, 6]).unwrap()),
        ("flat cells", generate::block(Vec3::new(0.4, 0.4, 0.1), [2, 2, 3]).unwrap()),
        ("ball", generate::ball(0.2, 3).unwrap()),
        ("shaken box", shaken),
    ]
}

fn block(mesh: &TetMesh, stiffness: BlockStiffness) -> (World, State) {
    build(|builder| {
        let block = Block { mesh, density: 1000.0, stiffness, inner: Inner::default() };
        builder.block("block", &block).unwrap();
    })
}

/// Tension along three axes with what narrows across, three shears, and pressure.
fn strains(poisson: f64) -> Vec<Mat3> {
    let mut strains = vec![Mat3::identity()];
    for axis in 0..3 {
        let pulled = Vec3::from_fn(|i, _| if i == axis { 1.0 } else { -poisson });
        strains.push(Mat3::from_diagonal(&pulled));
        let mut sheared = Mat3::zeros();
        let (i, j) = (axis, (axis + 1) % 3);
        (sheared[(i, j)], sheared[(j, i)]) = (0.5, 0.5);
        strains.push(sheared);
    }
    strains
}

#[test]
fn a_block_has_the_moduli_of_its_material_on_any_mesh_and_in_any_direction() {
    let e = 1e-6;
    for poisson in [0.0, 0.2, 0.3, 0.45] {
        for young in [1e3, 2e9] {
            let moduli = Moduli::from_young_poisson(young, poisson).unwrap();
            for (name, mesh) in meshes() {
                let (world, state) = block(&mesh, BlockStiffness::of(moduli));
                for strain in strains(poisson) {
                    let map = Mat3::identity() + strain * e;
                    let energy = stored(&world, state.q.iter().map(|x| map * x).collect());
                    let lame = moduli.bulk - 2.0 / 3.0 * moduli.shear;
                    let density = 0.5 * lame * strain.trace().powi(2) + moduli.shear * strain.norm_squared();
                    let part = energy / (density * e * e * mesh.volume());
                    assert!((part - 1.0).abs() < 1e-4, "{name} ν = {poisson}: {part} at {strain}");
                }
            }
        }
    }
}

/// So a bar that is pulled at its ends answers with E and ν: its uniform strain is an equilibrium.
#[test]
fn a_uniformly_strained_block_pulls_at_its_surface_only() {
    let moduli = Moduli::from_young_poisson(5e4, 0.3).unwrap();
    for (name, mesh) in meshes() {
        let (world, mut state) = block(&mesh, BlockStiffness::of(moduli));
        let map = Mat3::identity() + Mat3::from_diagonal(&Vec3::new(1.0, -0.3, -0.3)) * 1e-5;
        state.q.iter_mut().for_each(|x| *x = map * *x);
        let mut force = vec![Vec3::zeros(); state.q.len()];
        world.add_stored_force(&state, &mut force, &mut world.workspace()).unwrap();
        let largest = force.iter().map(Vec3::norm).fold(0.0, f64::max);
        for triangle in mesh.boundary() {
            triangle.iter().for_each(|&v| force[v as usize] = Vec3::zeros());
        }
        let inside = force.iter().map(Vec3::norm).fold(0.0, f64::max);
        assert!(inside < 1e-4 * largest, "{name}: {inside} N of {largest} N");
    }
}

#[test]
fn refining_a_block_does_not_change_its_stiffness() {
    let moduli = Moduli { bulk: 50e3, shear: 30e3 };
    let energy = |cells: [usize; 3]| {
        let mesh = generate::block(Vec3::new(0.3, 0.3, 0.3), cells).unwrap();
        let (world, state) = block(&mesh, BlockStiffness::of(moduli));
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
