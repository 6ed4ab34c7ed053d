use super::super::solids::floor;
use super::super::{JellyError, MeshError};
use super::tests::*;
use super::*;

#[test]
fn a_larger_exponent_deforms_more() {
    let mean = |exponent: f64| {
        let jelly = made(egg(), 0.0, 0.08, JellyNumbers { exponent, ..soft(0.02) });
        let mut memory = jelly.start();
        run(&jelly, &mut memory, 240);
        let moved = &memory[13..13 + 3 * jelly.points()];
        let (mut up, mut aside) = (0.0, 0.0);
        for (x, u) in jelly.mesh.vertices().iter().zip(moved.chunks_exact(3)) {
            let turn = SpaceMotion::read(&memory).orientation;
            let (x, u) = (turn * x, turn * Vec3::new(u[0], u[1], u[2]));
            up += u.z * u.z;
            aside += (u.x * x.x + u.y * x.y) / (x.xy().norm() + 1e-9);
        }
        ((up / jelly.points() as f64).sqrt(), aside / jelly.points() as f64)
    };
    let found = [0.1, 1.5, 10.0].map(mean);
    println!("vertical (rms) and outward (mean) displacement for 0.1, 1.5, 10: {found:?}");
    assert!(found[0].1 < found[1].1 && found[1].1 < found[2].1, "{found:?}");
}

#[test]
fn a_step_is_a_function_of_its_arguments() {
    let make = || made(egg(), 0.5, 0.2, soft(5e-3).sticky(300.0, 0.01));
    let (jelly, other) = (make(), made(can(), 0.1, 0.1, soft(0.0)));
    let mut whole = jelly.start();
    run(&jelly, &mut whole, 70);
    for split in [1, 30, 50, 69] {
        let mut memory = jelly.start();
        run(&jelly, &mut memory, split);
        run(&other, &mut other.start(), 20);
        run(&jelly, &mut whole.clone(), 5);
        let (mut again, fresh) = (memory.clone(), make());
        run(&jelly, &mut memory, 70 - split);
        run(&fresh, &mut again, 70 - split);
        assert!(memory == whole && again == whole, "{split}");
    }
}

#[test]
fn a_corner_of_three_walls_holds_a_ball() {
    let wall = |normal: Vec3| HalfSpace { point: Vec3::zeros(), normal: normal.normalize() };
    let ground =
        [wall(Vec3::new(1.0, 0.0, 1.0)), wall(Vec3::new(-1.0, 1.0, 1.0)), wall(Vec3::new(-1.0, -1.0, 1.0))];
    let jelly = made(ball(), 0.0, 0.25, soft(2e-2));
    let mut memory = jelly.start();
    for _ in 0..360 {
        jelly.step(&mut memory, &ground, GRAVITY, H).unwrap();
    }
    let motion = SpaceMotion::read(&memory);
    let deepest =
        shown(&jelly, &memory)[0].iter().flat_map(|x| ground.map(|g| g.depth(*x))).fold(-1.0, f64::max);
    println!("{:?} {:?}, deepest {deepest:e}", motion.position, motion.velocity);
    assert!(motion.velocity.norm() < 0.05 && deepest < 1e-3);
}

#[test]
fn jellies_without_sense_are_refused() {
    let (vertices, triangles) = can();
    let mesh = ClosedMesh::new(&vertices, &triangles).unwrap();
    let error =
        |numbers: JellyNumbers| Jelly::new(&mesh, numbers).err().map(|e| e.to_string()).unwrap_or_default();
    assert!(error(soft(-1.0)).contains("friction"));
    assert!(error(soft(0.0).sticky(-1.0, 0.1)).contains("adhesion"));
    assert!(error(soft(0.0).sticky(1.0, 0.0)).contains("reach"));
    assert!(error(JellyNumbers { exponent: 0.0, ..soft(0.0) }).contains("exponent"));
    assert!(error(JellyNumbers { stiffness: Some(f64::NAN), ..soft(0.0) }).contains("stiffness"));
    assert!(error(JellyNumbers { section_vertices: 3, ..soft(0.0) }).contains("8 to 512"));
    let dented = mesh.mapped(|x| if x.xy().norm() < 0.06 && x.z < 0.0 { x + 0.14 * Vec3::z() } else { x });
    assert!(matches!(Jelly::new(&dented, soft(0.0)), Err(JellyError::Mesh(MeshError::NotStarShaped(_)))));
    let jelly = Jelly::new(&mesh, soft(0.0)).unwrap();
    let step = |memory: &mut [f64], h: f64| jelly.step(memory, &[floor(0.0)], GRAVITY, h).unwrap_err();
    assert!(matches!(step(&mut jelly.start(), 0.0), PuppetError::Step { .. }));
    assert!(matches!(step(&mut jelly.start(), f64::NAN), PuppetError::Step { .. }));
    assert!(matches!(step(&mut jelly.start()[1..], H), PuppetError::Memory { .. }));
    let mut memory = jelly.start();
    memory[0] = f64::INFINITY;
    assert_eq!(step(&mut memory, H), PuppetError::NotFinite);
}
