use super::*;
use crate::solid::test_shapes::{brick, hollow_ball, icosphere, torus};
use crate::solid::{LinearForce, Mat3, Medium, Surface};

fn medium() -> Medium {
    Medium::new(2.6, 0.3).unwrap()
}

fn normals(operator: &Operator, factor: impl Fn(usize) -> f64) -> Vec<Vec3> {
    operator.panels().iter().enumerate().map(|(k, panel)| panel.normal * factor(k)).collect()
}

fn zeros(operator: &Operator) -> Vec<Vec3> {
    vec![Vec3::zeros(); operator.surface().vertices().len()]
}

fn all_free(operator: &Operator, load: &Load) -> Result<Solution, SolveError> {
    let conditions = vec![Condition::free(); operator.surface().vertices().len()];
    System::new(operator, conditions)?.solve(&zeros(operator), load)
}

fn worst(found: &[Vec3], exact: impl Fn(usize) -> Vec3) -> f64 {
    let size = (0..found.len()).map(|i| exact(i).amax()).fold(0.0, f64::max);
    found.iter().enumerate().map(|(i, u)| (u - exact(i)).amax()).fold(0.0, f64::max) / size
}

#[test]
fn a_sphere_under_pressure_shrinks_evenly() {
    let operator = Operator::new(icosphere(2), medium());
    let load = Load::none(&operator).faces(&operator, &normals(&operator, |_| -1.0)).unwrap();
    let found = all_free(&operator, &load).unwrap().displacements;
    let error = worst(&found, |i| operator.surface().vertices()[i] / (-3.0 * medium().bulk()));
    println!("sphere under pressure: {error:.1e}");
    assert!(error < 1e-10);
}

#[test]
fn a_pulled_body_of_any_shape_stretches_and_thins() {
    let shapes: [(&str, Surface); 4] = [
        ("cube", brick(Vec3::repeat(1.0), [3, 3, 3])),
        ("sphere", icosphere(1)),
        ("plate", brick(Vec3::new(1.0, 1.0, 0.01), [5, 5, 1])),
        ("torus", torus(12, 6, 1.0, 0.3)),
    ];
    for (name, body) in shapes {
        let operator = Operator::new(body, medium());
        let tractions: Vec<Vec3> = operator.panels().iter().map(|p| Vec3::x() * p.normal.x).collect();
        let load = Load::none(&operator).faces(&operator, &tractions).unwrap();
        let found = all_free(&operator, &load).unwrap().displacements;
        let strain = Mat3::from_diagonal(&(Vec3::new(1.0, -0.3, -0.3) / 2.6));
        let x = operator.surface().vertices();
        let mean = x.iter().sum::<Vec3>() / x.len() as f64;
        let error = worst(&found, |i| strain * (x[i] - mean));
        println!("uniaxial patch on a {name}: {error:.1e}");
        assert!(error < 1e-8, "{name} {error}");
    }
}

#[test]
fn a_thick_walled_ball_swells_by_lames_law_at_second_order() {
    let (a, b): (f64, f64) = (0.5, 1.0);
    let mut errors = vec![];
    for depth in [1, 2] {
        let operator = Operator::new(hollow_ball(depth, a, b), medium());
        let half = operator.panels().len() / 2;
        let pressure = normals(&operator, |k| if k >= half { -1.0 } else { 0.0 });
        let load = Load::none(&operator).faces(&operator, &pressure).unwrap();
        let found = all_free(&operator, &load).unwrap().displacements;
        let exact = |i: usize| {
            let x = operator.surface().vertices()[i];
            let r = x.norm();
            let swell = 0.4 * r + 1.3 * b.powi(3) / (2.0 * r * r);
            x / r * (a.powi(3) / (2.6 * (b.powi(3) - a.powi(3))) * swell)
        };
        errors.push(worst(&found, exact));
    }
    let order = (errors[0] / errors[1]).log2();
    println!("thick-walled ball, 2x80 and 2x320 triangles: errors {errors:?}, order {order:.2}");
    assert!(errors[1] < 0.06 && order > 1.6);
}

/// A column that stands on a slippery floor and carries its own weight. The floor is held at the exact displacement,
/// whose vertical part is ν ρg (x² + y²)/(2E).
#[test]
fn a_column_settles_under_its_own_weight() {
    let (height, weight) = (2.0, 0.7);
    let mut errors = vec![];
    for cells in [2, 4] {
        let body = brick(Vec3::new(1.0, 1.0, height), [cells, cells, 2 * cells]);
        let low: Vec<bool> =
            (0..body.triangles().len()).map(|k| body.corners(k).iter().all(|x| x.z < 1e-9)).collect();
        let operator = Operator::with_support(body, medium(), |k| low[k]);
        let (e, nu) = (2.6, 0.3);
        let x = operator.surface().vertices();
        let exact = |i: usize| {
            let [px, py, z] = [x[i].x - 0.5, x[i].y - 0.5, x[i].z];
            let across = nu * weight * (height - z) / e;
            let down =
                -weight * (height * z - z * z / 2.0) / e + nu * weight * (px * px + py * py) / (2.0 * e);
            Vec3::new(across * px, across * py, down)
        };
        let floor = |i: usize| x[i].z < 1e-9;
        let conditions = (0..x.len())
            .map(|i| if floor(i) { Condition::slip(&Vec3::z()) } else { Condition::free() })
            .collect();
        let system = System::new(&operator, conditions).unwrap();
        assert_eq!(system.free_modes(), 3);
        let weight_force = LinearForce::uniform(Vec3::z() * -weight);
        let load = Load::none(&operator).volume(&operator, &weight_force);
        let values: Vec<Vec3> =
            (0..x.len()).map(|i| if floor(i) { Vec3::x() * exact(i).z } else { Vec3::zeros() }).collect();
        let solution = system.solve(&values, &load).unwrap();
        errors.push(worst(&solution.displacements, exact));
        let carried: f64 = operator
            .panels()
            .iter()
            .zip(operator.surface().triangles())
            .filter(|(panel, _)| panel.normal.z < -0.5)
            .map(|(panel, t)| {
                t.iter().map(|&v| solution.tractions[v as usize].z).sum::<f64>() * panel.area / 3.0
            })
            .sum();
        println!("column: base carries {:.4} of the weight", carried / (weight * height));
        assert!((carried / (weight * height) - 1.0).abs() < 0.02);
    }
    println!("column under its own weight: errors {errors:?}");
    assert!(errors[1] < 0.01 && errors[0] / errors[1] > 2.5);
}

#[test]
fn a_column_between_rollers_settles_without_bulging() {
    let (height, weight) = (1.0, 0.7);
    let operator = Operator::new(brick(Vec3::new(0.5, 0.5, height), [4, 4, 8]), medium());
    let x = operator.surface().vertices();
    let side = |v: f64| v.abs() < 1e-9 || (v - 0.5).abs() < 1e-9;
    let pick = |held: bool| if held { Known::Displacement } else { Known::Traction };
    let conditions = x
        .iter()
        .map(|x| Condition {
            frame: Mat3::identity(),
            known: [pick(side(x.x)), pick(side(x.y)), pick(x.z < 1e-9)],
        })
        .collect();
    let system = System::new(&operator, conditions).unwrap();
    let load = Load::none(&operator).volume(&operator, &LinearForce::uniform(Vec3::z() * -weight));
    let found = system.solve(&zeros(&operator), &load).unwrap().displacements;
    let stiff = medium().lame() + 2.0 * medium().shear();
    let exact = |i: usize| Vec3::z() * (-weight / stiff * (height * x[i].z - x[i].z * x[i].z / 2.0));
    let error = worst(&found, exact);
    println!("column between rollers, {} triangles: {error:.1e}", operator.panels().len());
    assert!(error < 0.05);
}

#[test]
fn slip_in_turned_frames_gives_the_turned_answer() {
    let turn = *nalgebra::Rotation3::from_euler_angles(0.4, -0.7, 1.1).matrix();
    let answer = |turn: Mat3| {
        let (vertices, triangles) =
            crate::solid::test_shapes::brick_mesh(Vec3::new(1.0, 1.0, 1.0), [2, 2, 2]);
        let floor: Vec<bool> = vertices.iter().map(|x| x.z < 1e-9).collect();
        let body = Surface::new(vertices.iter().map(|x| turn * x).collect(), triangles).unwrap();
        let operator = Operator::new(body, medium());
        let condition = |low| if low { Condition::slip(&(turn * Vec3::z())) } else { Condition::free() };
        let system = System::new(&operator, floor.iter().map(|&low| condition(low)).collect()).unwrap();
        let load = LinearForce::uniform(turn * Vec3::z() * -1.0);
        let load = Load::none(&operator).volume(&operator, &load);
        let found = system.solve(&zeros(&operator), &load).unwrap().displacements;
        found.iter().map(|u| turn.transpose() * u).collect::<Vec<_>>()
    };
    let (straight, turned) = (answer(Mat3::identity()), answer(turn));
    assert!(worst(&turned, |i| straight[i]) < 1e-9);
}

#[test]
fn an_unbalanced_load_is_refused_and_named() {
    let operator = Operator::new(icosphere(1), medium());
    let weight = Load::none(&operator).volume(&operator, &LinearForce::uniform(Vec3::z()));
    let error = all_free(&operator, &weight).unwrap_err();
    assert!(matches!(error, SolveError::Unbalanced { force, .. } if force[2] > 1.0), "{error}");
    assert!(error.to_string().contains("does not balance"));
    let twist: Vec<Vec3> = operator.panels().iter().map(|p| Vec3::z().cross(&p.centre)).collect();
    let twisted = Load::none(&operator).faces(&operator, &twist).unwrap();
    assert!(matches!(all_free(&operator, &twisted), Err(SolveError::Unbalanced { .. })));
}

#[test]
fn a_spinning_thrown_body_needs_only_its_own_inertia() {
    let operator = Operator::new(icosphere(1), medium());
    let spin = LinearForce::turning(1.0, Vec3::new(0.0, 0.0, 0.5), Vec3::zeros(), Vec3::zeros());
    let load = Load::none(&operator).volume(&operator, &spin);
    let found = all_free(&operator, &load).unwrap().displacements;
    let x = operator.surface().vertices();
    let equator = (0..x.len()).max_by(|&i, &j| x[i].xy().norm().total_cmp(&x[j].xy().norm())).unwrap();
    assert!(found[equator].dot(&x[equator]) > 0.0, "it bulges at the equator");
}

#[test]
fn wrong_counts_frames_and_numbers_are_refused() {
    let operator = Operator::new(icosphere(0), medium());
    let short = System::new(&operator, vec![Condition::free(); 3]).err();
    assert!(matches!(short, Some(SolveError::Count { expected: 12, given: 3, .. })));
    let mut conditions = vec![Condition::held(); 12];
    conditions[4].frame *= 2.0;
    assert_eq!(System::new(&operator, conditions).err(), Some(SolveError::BadFrame { vertex: 4 }));
    let mut conditions = vec![Condition::held(); 12];
    conditions[5] = Condition::slip(&Vec3::zeros());
    assert_eq!(System::new(&operator, conditions).err(), Some(SolveError::BadFrame { vertex: 5 }));
    let system = System::new(&operator, vec![Condition::held(); 12]).unwrap();
    let bad = system.solve(&[Vec3::repeat(f64::NAN); 12], &Load::none(&operator));
    assert!(matches!(bad, Err(SolveError::NotFinite { .. })));
    let load = Load::none(&operator).faces(&operator, &[Vec3::zeros(); 3]);
    assert!(matches!(load, Err(SolveError::Count { .. })));
}
