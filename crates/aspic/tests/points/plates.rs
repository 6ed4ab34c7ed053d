//! Sheets bend like plates, whatever their triangles: uniform curvature, strips and plates at rest, against closed forms.

use aspic::body::{Hinge, Sheet, SheetStiffness};
use aspic::mesh::{TriangleSurface, generate};
use aspic::{State, Vec3, World};

use crate::support::{GRAVITY, Noise, build, settled, sheet, stored};

/// A rectangle cut into triangles in many ways, x from 0.
fn surfaces(size: [f64; 2], cells: [usize; 2]) -> Vec<(&'static str, TriangleSurface)> {
    let (mut alternating, quads) = generate::sheet(size, cells).unwrap();
    alternating.positions.iter_mut().for_each(|x| x.x += 0.5 * size[0]);
    let cut = |cut: fn(&[u32; 4]) -> [[u32; 3]; 2]| TriangleSurface {
        positions: alternating.positions.clone(),
        triangles: quads.iter().flat_map(cut).collect(),
    };
    let slashed = cut(|&[a, b, c, d]| [[a, b, c], [a, c, d]]);
    let backslashed = cut(|&[a, b, c, d]| [[a, b, d], [b, c, d]]);
    let mut crossed = TriangleSurface { positions: alternating.positions.clone(), triangles: vec![] };
    for cell in &quads {
        let centre = crossed.positions.len() as u32;
        let corners = cell.map(|v| crossed.positions[v as usize]);
        crossed.positions.push(corners.iter().sum::<Vec3>() / 4.0);
        crossed.triangles.extend((0..4).map(|k| [cell[k], cell[(k + 1) % 4], centre]));
    }
    let shaken = shaken(alternating.clone(), size, cells);
    vec![
        ("alternating", alternating),
        ("slashed", slashed),
        ("backslashed", backslashed),
        ("crossed", crossed),
        ("shaken", shaken),
    ]
}

/// Vertices moved at random, but for those on the rim and in the second column, where clamps are.
fn shaken(mut surface: TriangleSurface, size: [f64; 2], cells: [usize; 2]) -> TriangleSurface {
    let [h, k] = [0, 1].map(|axis| size[axis] / cells[axis] as f64);
    let mut noise = Noise(6);
    let inside = |x: &Vec3| x.x > 1.5 * h && x.x < size[0] - 0.5 * h && x.y.abs() < 0.5 * size[1] - 0.5 * k;
    for x in surface.positions.iter_mut().filter(|x| inside(x)) {
        *x += Vec3::new(noise.next() * h, noise.next() * k, 0.0) * 0.3;
    }
    surface
}

fn cloth(surface: &TriangleSurface, stiffness: SheetStiffness) -> Sheet {
    let mut cloth = sheet([1.0, 1.0], [1, 1], stiffness);
    (cloth.surface, cloth.cells) = (surface.clone(), vec![]);
    cloth
}

fn alone(cloth: &Sheet) -> (World, State) {
    build(|builder| {
        builder.sheet("sheet", cloth).unwrap();
    })
}

/// z = ½ x·κx.
fn height([xx, yy, xy]: [f64; 3], x: &Vec3) -> f64 {
    0.5 * (xx * x.x * x.x + yy * x.y * x.y) + xy * x.x * x.y
}

/// Curvatures about many axes, round, saddles and twist.
fn curvatures() -> Vec<[f64; 3]> {
    let cylinder = |k: u32| {
        let (s, c) = (std::f64::consts::PI * f64::from(k) / 8.0).sin_cos();
        [c * c, s * s, c * s]
    };
    let others = [[1.0, 1.0, 0.0], [1.0, -1.0, 0.0], [0.0, 0.0, 1.0]];
    (0..8).map(cylinder).chain(others).collect()
}

#[test]
fn a_sheet_of_uniform_curvature_has_the_energy_of_a_plate_on_any_mesh() {
    let small = 1e-4;
    for (name, surface) in surfaces([1.0, 1.0], [9, 6]) {
        for (hinge, poisson) in [(Hinge::Angle, 0.0), (Hinge::Angle, 0.3), (Hinge::Volume, 0.45)] {
            let stiffness = SheetStiffness { bend: 3.0, poisson, hinge, ..SheetStiffness::default() };
            let (world, state) = alone(&cloth(&surface, stiffness));
            for [xx, yy, xy] in curvatures() {
                let lift = |x: &Vec3| Vec3::new(x.x, x.y, small * height([xx, yy, xy], x));
                let energy = stored(&world, state.q.iter().map(lift).collect());
                let density = (xx + yy) * (xx + yy) - 2.0 * (1.0 - poisson) * (xx * yy - xy * xy);
                let part = energy / (0.5 * 3.0 * density * small * small);
                assert!((part - 1.0).abs() < 1e-5, "{name} ν = {poisson} {xx} {yy} {xy}: {part}");
            }
        }
    }
}

/// Without this a sheet would find a rough shape that bends more easily than any smooth one.
#[test]
fn uniform_curvature_pulls_at_the_rim_only() {
    let small = 1e-6;
    let [h, k] = [1.0 / 12.0, 1.0 / 10.0];
    for (name, surface) in surfaces([1.0, 1.0], [12, 10]) {
        for hinge in [Hinge::Angle, Hinge::Volume] {
            let stiffness = SheetStiffness { bend: 3.0, poisson: 0.3, hinge, ..SheetStiffness::default() };
            let (world, mut state) = alone(&cloth(&surface, stiffness));
            let flat = state.q.clone();
            for curvature in curvatures() {
                let lift = |x: &Vec3| Vec3::new(x.x, x.y, small * height(curvature, x));
                state.q = flat.iter().map(lift).collect();
                let mut force = vec![Vec3::zeros(); flat.len()];
                world.add_stored_force(&state, &mut force, &mut world.workspace()).unwrap();
                let inside = |x: &Vec3| x.x > 3.4 * h && x.x < 1.0 - 3.4 * h && x.y.abs() < 0.5 - 3.4 * k;
                let largest = |of: bool| {
                    let chosen = flat.iter().zip(&force).filter(|(x, _)| inside(x) == of);
                    chosen.map(|(_, f)| f.norm()).fold(0.0, f64::max)
                };
                let (core, rim) = (largest(true), largest(false));
                assert!(core < 1e-5 * rim, "{name} {curvature:?}: {core} N of {rim} N");
            }
        }
    }
}

#[test]
fn a_strip_rolled_to_a_cylinder_stores_the_energy_of_a_plate() {
    let radius = 20.0;
    for hinge in [Hinge::Angle, Hinge::Volume] {
        for cells in [4, 10, 40] {
            let stiffness = SheetStiffness { bend: 1.0, poisson: 0.3, hinge, ..SheetStiffness::default() };
            let (world, state) = alone(&sheet([1.0, 0.5], [cells, cells / 2], stiffness));
            // Vertices go round a circle with their chords as long as before.
            let half = (0.5 / cells as f64 / radius).asin();
            let roll = |x: &Vec3| {
                let angle = 2.0 * half * (x.x * cells as f64);
                Vec3::new(radius * angle.sin(), x.y, radius * (1.0 - angle.cos()))
            };
            let energy = stored(&world, state.q.iter().map(roll).collect());
            let part = energy / (0.5 / (radius * radius) * 0.5);
            assert!((part - 1.0).abs() < 1e-4, "{hinge:?} {cells} {part}");
        }
    }
}

/// The deflection of every vertex under its own weight, with some held.
fn sag(
    surface: &TriangleSurface,
    stiffness: SheetStiffness,
    held: impl Fn(&Vec3) -> bool,
) -> Vec<(Vec3, f64)> {
    let cloth = cloth(surface, stiffness);
    let rest = surface.positions.iter().zip(0..);
    let nodes: Vec<u32> = rest.filter(|(x, _)| held(x)).map(|(_, k)| k).collect();
    let state = settled(|builder| {
        builder.gravity(Vec3::new(0.0, 0.0, -GRAVITY));
        builder.sheet("sheet", &cloth).unwrap();
        builder.hold("held", &nodes);
    });
    surface.positions.iter().zip(&state.q).map(|(x, q)| (*x, -q.z)).collect()
}

/// The deflection of the vertex that is nearest to a place.
fn at(sag: &[(Vec3, f64)], place: Vec3) -> f64 {
    let far = |x: &Vec3| (x - place).norm();
    sag.iter().min_by(|a, b| far(&a.0).total_cmp(&far(&b.0))).unwrap().1
}

fn plate(bend: f64, poisson: f64) -> SheetStiffness {
    SheetStiffness { stretch: 1e5, bend, poisson, ..SheetStiffness::default() }
}

/// A narrow strip curls across as it is bent along: it has the rigidity D (1 − ν²), which is E h³/12.
#[test]
fn a_strip_on_two_supports_sags_as_a_beam_on_any_mesh() {
    for (bend, poisson) in [(50.0, 0.0), (50.0, 0.3), (5000.0, 0.45)] {
        let expected = 5.0 * 0.3 * GRAVITY / (384.0 * bend * (1.0 - poisson * poisson));
        for (name, surface) in surfaces([1.0, 0.1], [40, 4]) {
            let found = sag(&surface, plate(bend, poisson), |x| x.x < 1e-9 || x.x > 1.0 - 1e-9);
            let part = found.iter().map(|(_, z)| *z).fold(0.0, f64::max) / expected;
            assert!((part - 1.0).abs() < 0.01, "{name} D = {bend}, ν = {poisson}: {part}");
        }
    }
}

/// Two columns are held: what is free begins at the second.
#[test]
fn a_clamped_strip_sags_as_a_beam_on_any_mesh() {
    let cells = 120;
    let free: f64 = 1.0 - 1.0 / cells as f64;
    for (name, surface) in surfaces([1.0, 0.05], [cells, 6]) {
        let found = sag(&surface, plate(500.0, 0.0), |x| x.x < 1.1 / cells as f64);
        let part = at(&found, Vec3::x()) / (0.3 * GRAVITY * free.powi(4) / (8.0 * 500.0));
        assert!((part - 1.0).abs() < 0.01, "{name}: {part}");
    }
}

/// Timoshenko and Woinowsky-Krieger, Theory of Plates and Shells, §30: 0.00406235 q a⁴/D for any ν.
#[test]
fn a_square_plate_on_four_supports_sags_as_theory_says_on_any_mesh() {
    for poisson in [0.0, 0.3] {
        for (name, surface) in surfaces([1.0, 1.0], [24, 24]) {
            let rim = |x: &Vec3| x.x < 1e-9 || x.x > 1.0 - 1e-9 || x.y.abs() > 0.5 - 1e-9;
            let found = sag(&surface, plate(500.0, poisson), rim);
            let part = at(&found, Vec3::x() * 0.5) / (0.00406235 * 0.3 * GRAVITY / 500.0);
            assert!((part - 1.0).abs() < 0.01, "{name} ν = {poisson}: {part}");
        }
    }
}

/// In a ribbon one cell wide no hinge tells how it curls: it curls as it likes.
#[test]
fn a_ribbon_one_cell_wide_bends_as_a_narrow_strip() {
    for poisson in [0.0, 0.3] {
        let expected = 5.0 * 0.3 * GRAVITY / (384.0 * 500.0 * (1.0 - poisson * poisson));
        for (name, surface) in surfaces([1.0, 0.025], [40, 1]).into_iter().filter(|s| s.0 != "crossed") {
            let found = sag(&surface, plate(500.0, poisson), |x| x.x < 1e-9 || x.x > 1.0 - 1e-9);
            let part = found.iter().map(|(_, z)| *z).fold(0.0, f64::max) / expected;
            assert!((part - 1.0).abs() < 0.02, "{name} ν = {poisson}: {part}");
        }
    }
}

/// A crumpled sheet: its forces are the slope of its energy, whichever way its triangles face.
#[test]
fn forces_of_a_crumpled_sheet_are_the_slope_of_its_energy_and_keep_both_momenta() {
    for (name, mut surface) in surfaces([1.0, 1.0], [4, 3]) {
        for hinge in [Hinge::Angle, Hinge::Volume] {
            surface.triangles.iter_mut().step_by(3).for_each(|t| t.swap(0, 1));
            let stiffness = SheetStiffness { bend: 2.0, poisson: 0.3, hinge, ..SheetStiffness::default() };
            let (world, mut state) = alone(&cloth(&surface, stiffness));
            let mut noise = Noise(11);
            state.q.iter_mut().for_each(|x| *x += noise.vector(0.08));
            let mut force = vec![Vec3::zeros(); state.q.len()];
            world.add_stored_force(&state, &mut force, &mut world.workspace()).unwrap();
            let size = force.iter().map(Vec3::norm).fold(0.0, f64::max);
            for (node, axis) in (0..state.q.len()).flat_map(|node| (0..3).map(move |axis| (node, axis))) {
                let energy = |by: f64| {
                    let mut q = state.q.clone();
                    q[node][axis] += by;
                    stored(&world, q)
                };
                let slope = (energy(1e-6) - energy(-1e-6)) / 2e-6;
                assert!(
                    (slope + force[node][axis]).abs() < 1e-6 * size,
                    "{name} {slope} {}",
                    force[node][axis]
                );
            }
            let sum: Vec3 = force.iter().sum();
            let torque = state.q.iter().zip(&force).fold(Vec3::zeros(), |sum, (x, f)| sum + x.cross(f));
            assert!(sum.norm() < 1e-11 * size && torque.norm() < 1e-11 * size, "{name} {sum} {torque}");
        }
    }
}

#[test]
fn the_energy_of_a_sheet_does_not_ask_which_way_its_triangles_face() {
    let stiffness = SheetStiffness { bend: 2.0, poisson: 0.3, ..SheetStiffness::default() };
    for (name, surface) in surfaces([1.0, 1.0], [4, 3]) {
        let mut turned = surface.clone();
        turned.triangles.iter_mut().step_by(3).for_each(|t| t.swap(0, 1));
        let [one, other] = [surface, turned].map(|surface| {
            let (world, mut state) = alone(&cloth(&surface, stiffness));
            let mut noise = Noise(11);
            state.q.iter_mut().for_each(|x| *x += noise.vector(0.05));
            stored(&world, state.q)
        });
        assert!((one / other - 1.0).abs() < 1e-10, "{name}: {one} {other}");
    }
}
