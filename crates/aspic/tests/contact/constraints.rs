//! Rods, ties, slides and springs under implicit steps: kept, of the right order, and with the right forces.

use aspic::constraint::{Anchor, Constraint, Distance, OnLine, OnPlane, OnSphere, Path, Pin, Tie};
use aspic::frame::Frame;
use aspic::integrate::Scheme;
use aspic::mesh::{TetMesh, generate};
use aspic::world::NamedConstraint;
use aspic::{Simulation, Vec3, WorldBuilder};

use crate::support::{
    SCHEMES, damped_jelly, exact, explicit, frames, mass, order, single, start, steps, tight,
};

const GRAVITY: f64 = 9.81;

fn block() -> TetMesh {
    generate::block(Vec3::repeat(0.2), [1; 3]).unwrap()
}

/// Two blocks side by side, which turn slowly in gravity.
fn pair() -> WorldBuilder {
    let mesh = block();
    let mut builder = single(&mesh, &damped_jelly(0.005));
    let other = builder.solid("other", &mesh, &damped_jelly(0.005), Default::default()).unwrap();
    let nodes = builder.nodes(other);
    builder.positions()[nodes].iter_mut().for_each(|x| x.x += 0.2);
    let spins: Vec<Vec3> = builder.positions().iter().map(|x| Vec3::new(0.5, 1.0, -0.5).cross(x)).collect();
    builder.velocities().copy_from_slice(&spins);
    builder.gravity(Vec3::new(0.0, 0.0, -GRAVITY));
    builder
}

type Laws = Vec<Box<dyn Constraint>>;

/// One of each kind, on the pair.
fn kinds() -> Vec<(&'static str, Laws)> {
    let at: Vec<Vec3> = pair().positions().to_vec();
    let groups = block().groups;
    let (a, b) = (groups["right"][0], groups["left"][0] + 8);
    let point = at[0] + Vec3::new(0.3, 0.4, 0.0);
    let rod = |other, length| Box::new(Distance { node: 0, other, length });
    vec![
        ("tie", vec![Box::new(Tie { nodes: [a, b] })]),
        ("rod to a point", vec![rod(Anchor::Point(point), 0.5)]),
        ("rod between bodies", vec![rod(Anchor::Node(8), (at[0] - at[8]).norm())]),
        ("plane", vec![Box::new(OnPlane::new(0, at[0], Vec3::new(1.0, 0.2, 3.0)))]),
        ("line", vec![Box::new(OnLine::new(0, at[0], Vec3::new(1.0, 2.0, 0.3)))]),
        ("sphere", vec![Box::new(OnSphere { node: 0, center: point, radius: 0.5 })]),
    ]
}

/// All kinds at once, on different vertices.
fn hinge_and_rail() -> Laws {
    let at: Vec<Vec3> = pair().positions().to_vec();
    let groups = block().groups;
    vec![
        Box::new(Tie { nodes: [groups["right"][0], groups["left"][0] + 8] }),
        Box::new(OnLine::new(0, at[0], Vec3::x())),
        Box::new(Distance { node: 9, other: Anchor::Point(at[9] + Vec3::z()), length: 1.0 }),
    ]
}

fn constrained(name: &str, laws: Laws) -> WorldBuilder {
    let mut builder = pair();
    builder.constrain(exact(name, laws));
    builder
}

#[test]
fn every_exact_constraint_is_kept_for_two_seconds() {
    for scheme in SCHEMES {
        for (name, laws) in kinds().into_iter().chain([("hinge and rail", hinge_and_rail())]) {
            let settings = steps(scheme, Default::default(), 0.01, 2.0, 0.1);
            let mut simulation = start(constrained(name, laws), settings);
            frames(&mut simulation);
            let worst = simulation.statistics().worst_violation;
            assert!(worst <= 1e-8, "{scheme:?}, {name}: {worst:e}");
        }
    }
}

#[test]
fn constrained_bodies_converge_to_the_explicit_motion_with_the_order_of_the_scheme() {
    for (scheme, expected) in SCHEMES.into_iter().zip([1.0, 2.0, 2.0]) {
        for number in 0..kinds().len() {
            let name = kinds()[number].0;
            let build = || constrained(name, kinds().swap_remove(number).1);
            let order = order(scheme, 0.4, [128, 256, 512, 1024], &build);
            assert!((order - expected).abs() < 0.15, "{scheme:?}, {name}: order {order:.3}");
        }
    }
}

#[test]
fn springs_converge_to_the_explicit_motion_with_the_order_of_the_scheme() {
    for (scheme, expected) in SCHEMES.into_iter().zip([1.0, 2.0, 2.0]) {
        let build = || {
            let mut builder = pair();
            let laws = kinds().swap_remove(2).1.into_iter().chain(kinds().swap_remove(1).1).collect();
            let spring =
                NamedConstraint { name: "spring".into(), laws, until: f64::INFINITY, stiffness: Some(300.0) };
            builder.constrain(spring);
            builder
        };
        let order = order(scheme, 0.4, [128, 256, 512, 1024], &build);
        assert!((order - expected).abs() < 0.15, "{scheme:?}: order {order:.3}");
    }
}

/// A block hung up by its top corners, at rest.
fn hung(constraint: NamedConstraint) -> (Simulation, Frame) {
    let mut builder = single(&block(), &damped_jelly(0.02));
    builder.gravity(Vec3::new(0.0, 0.0, -1.0)).constrain(constraint);
    let mut simulation = start(builder, steps(Scheme::BackwardEuler, tight(), 0.1, 40.0, 40.0));
    let last = frames(&mut simulation).pop().unwrap();
    (simulation, last)
}

/// The three ways to hang it up.
fn hangings() -> [NamedConstraint; 3] {
    let mesh = block();
    let top = || mesh.groups["top"].iter().map(|&node| (node, mesh.positions[node as usize]));
    let pins = || top().map(|(node, x)| Box::new(Pin::new(node, x, Path::still())) as Box<dyn Constraint>);
    let rod = |(node, x): (u32, Vec3)| -> Box<dyn Constraint> {
        Box::new(Distance { node, other: Anchor::Point(x + Vec3::z() * 0.5), length: 0.5 })
    };
    let springs = NamedConstraint {
        name: "springs".into(),
        laws: pins().collect(),
        until: f64::INFINITY,
        stiffness: Some(500.0),
    };
    [exact("hold", pins().collect()), exact("rods", top().map(rod).collect()), springs]
}

#[test]
fn reactions_of_a_hanging_block_are_those_of_explicit_steps_and_carry_its_weight() {
    for constraint in hangings() {
        let name = constraint.name.clone();
        let (simulation, last) = hung(constraint);
        let world = simulation.world();
        let (nodes, by_name) = world.reactions(simulation.state(), &mut world.workspace()).unwrap();
        let weight = mass(world);
        assert!(
            (last.reactions[0] - Vec3::z() * weight).norm() < 1e-6 * weight,
            "{name}: {:?}",
            last.reactions
        );
        assert!((last.reactions[0] - by_name[0]).norm() < 1e-6 * weight, "{name}: {by_name:?} N explicit");
        for (node, (a, b)) in last.reaction.iter().zip(&nodes).enumerate() {
            assert!((a - b).norm() < 1e-6 * weight, "{name}, node {node}: {a:?} {b:?}");
        }
    }
}

#[test]
fn rod_of_a_swinging_block_pulls_as_in_explicit_steps() {
    // A stiff rod and a soft block: the pull varies between 0 and three weights.
    let build = || {
        let mesh = block();
        let mut builder = single(&mesh, &damped_jelly(0.02));
        let rod = Distance { node: 0, other: Anchor::Point(mesh.positions[0] + Vec3::x()), length: 1.0 };
        builder.gravity(Vec3::new(0.0, 0.0, -GRAVITY)).constrain(exact("rod", vec![Box::new(rod)]));
        builder
    };
    let mut reference = start(build(), explicit(1e-8, 0.8, 0.1));
    let expected = frames(&mut reference);
    let largest = expected.iter().map(|f| f.reactions[0].norm()).fold(0.0, f64::max);
    for (scheme, part) in SCHEMES.into_iter().zip([0.05, 0.01, 0.01]) {
        let mut simulation = start(build(), steps(scheme, tight(), 0.002, 0.8, 0.1));
        for (frame, other) in frames(&mut simulation).iter().zip(&expected).skip(1) {
            let off = (frame.reactions[0] - other.reactions[0]).norm() / largest;
            assert!(off < part, "{scheme:?} at {} s: {off}", frame.ledger.t);
        }
        let row = simulation.ledger();
        assert_eq!(row.drag_work, 0.0, "a rod does no work");
    }
}
