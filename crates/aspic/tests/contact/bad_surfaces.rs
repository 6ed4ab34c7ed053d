//! Surfaces from files: which are refused, and what open and branching ones do.

use aspic::body::ContactSettings;
use aspic::constraint::Trajectory;
use aspic::integrate::ImplicitSettings;
use aspic::mesh::{TetMesh, TriangleSurface, generate};
use aspic::run::Method;
use aspic::{Settings, Simulation, Vec3, WorldBuilder};

use crate::judge;
use crate::overlap::add;

fn refusal(change: impl Fn(&mut TriangleSurface)) -> String {
    let mut surface = generate::plate_surface(1.0, 1.0).unwrap();
    change(&mut surface);
    let mut builder = WorldBuilder::new();
    builder.add_obstacle("ramp", &surface, &Trajectory::still()).unwrap_err().to_string()
}

#[test]
fn triangles_that_are_double_or_without_area_are_refused_by_number() {
    let double = refusal(|s| s.triangles.push([1, 2, 0]));
    assert!(
        double.starts_with("obstacle `ramp`: ") && double.contains('0') && double.contains('2'),
        "{double}"
    );
    let flat = refusal(|s| s.positions[1] = 0.5 * (s.positions[0] + s.positions[2]));
    assert!(flat.starts_with("obstacle `ramp`: triangle 0 has no area"), "{flat}");
    let repeated = refusal(|s| s.triangles[0] = [0, 1, 1]);
    assert!(repeated.starts_with("obstacle `ramp`: triangle 0 has no area"), "{repeated}");
}

/// Drops a ball on a surface at z = 0 and lets it lie.
fn lies_on(surface: &TriangleSurface) {
    let mut builder = WorldBuilder::new();
    builder.gravity(Vec3::z() * -9.81);
    add(&mut builder, "ball", &generate::ball(0.1, 2).unwrap(), 1000.0, Vec3::new(0.02, -0.2, 0.12));
    builder.add_obstacle("sheet", surface, &Trajectory::still()).unwrap();
    builder.contact(ContactSettings::default());
    let (world, state) = builder.build().unwrap();
    let triangles = world.topology.triangles[..world.topology.bodies[0].triangles.end].to_vec();
    let sheet = world.topology.bodies[1].clone();
    let method = Method::Implicit(ImplicitSettings::default());
    let mut simulation =
        Simulation::new(world, state, Settings { duration: 0.5, method, ..Settings::default() });
    while let Some(frame) = simulation.next_frame().unwrap() {
        let ball = &frame.positions[..sheet.points.start];
        assert!(ball.iter().all(|x| x.z > 0.0), "t = {}", frame.ledger.t);
        assert!(judge::crossings(ball, &triangles).is_empty());
    }
}

#[test]
fn a_ball_lies_on_an_open_sheet_as_on_a_closed_one() {
    lies_on(&generate::plate_surface(1.0, 1.0).unwrap());
}

#[test]
fn a_ball_lies_on_a_sheet_with_a_third_triangle_below_its_diagonal() {
    let mut branching = generate::plate_surface(1.0, 1.0).unwrap();
    branching.positions.push(Vec3::z() * -0.5);
    branching.triangles.push([0, 2, 4]);
    assert!(!branching.is_manifold());
    lies_on(&branching);
}

/// Two blocks that have four vertices in the same places but not in common: a slit without width.
#[test]
fn a_slit_without_width_is_refused_as_a_body_that_touches_itself() {
    let half = generate::block(Vec3::repeat(0.1), [1; 3]).unwrap();
    let count = half.positions.len() as u32;
    let other = half.positions.iter().map(|x| x + Vec3::x() * 0.1);
    let mesh = TetMesh {
        positions: half.positions.iter().copied().chain(other).collect(),
        tets: half.tets.iter().copied().chain(half.tets.iter().map(|t| t.map(|v| v + count))).collect(),
        ..TetMesh::default()
    };
    let mut builder = WorldBuilder::new();
    add(&mut builder, "slit", &mesh, 1000.0, Vec3::zeros());
    builder.contact(ContactSettings::default());
    let text = builder.build().map(|_| ()).unwrap_err().to_string();
    assert_eq!(
        text,
        "`slit` touches itself at the start; mend the mesh, or switch its contact with itself off"
    );
}
