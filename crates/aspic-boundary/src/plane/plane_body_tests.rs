use super::super::{Grip, cross};
use super::*;

pub const GRAVITY: Vec2 = Vec2::new(0.0, -9.81);

pub fn jelly() -> Substance {
    Substance { young: 2e4, poisson: 0.45, internal_friction: 5e-3, density: 1000.0 }
}

pub fn disc(substance: Substance, height: f64) -> PlaneBody {
    PlaneBody::new(&Polygon::circle(Vec2::new(0.0, height), 0.1, 64).unwrap(), substance).unwrap()
}

fn ground() -> Floor {
    Floor::through(Vec2::zeros(), Vec2::y()).unwrap()
}

fn lowest(body: &PlaneBody) -> f64 {
    body.vertices().map(|x| x.y).fold(f64::INFINITY, f64::min)
}

fn width(body: &PlaneBody) -> f64 {
    let (low, high) = body.vertices().fold((0.0, 0.0), |(a, b): (f64, f64), x| (a.min(x.x), b.max(x.x)));
    high - low
}

/// Force \[N/m\] and torque \[N\] of the nodal tractions, in the frame of the body.
fn carried(body: &PlaneBody) -> (Vec2, f64) {
    let mut sum = (Vec2::zeros(), 0.0);
    for k in 0..body.outline().len() {
        let ([a, b], l) = (body.outline().edge(k), body.outline().edge_length(k));
        let (s, t) = (body.traction(k), body.traction(body.outline().next(k)));
        sum.0 += 0.5 * l * (s + t);
        sum.1 += l / 6.0 * (cross(2.0 * a + b, s) + cross(a + 2.0 * b, t));
    }
    sum
}

#[test]
fn in_free_fall_nothing_deforms() {
    let mut body = disc(jelly(), 5.0);
    for _ in 0..100 {
        body.step(&[ground()], GRAVITY, 5e-3).unwrap();
    }
    assert!((body.motion().position.y - (5.0 - 9.81 * 0.125)).abs() < 1e-12);
    assert!(body.displacements().iter().all(|u| *u == Vec2::zeros()));
}

#[test]
fn a_spinning_body_in_flight_widens() {
    let mut body = disc(Substance { internal_friction: 0.0, ..jelly() }, 5.0);
    body.motion_mut().spin = 30.0;
    body.step(&[ground()], GRAVITY, 1e-3).unwrap();
    let rest = body.outline().vertices().iter();
    assert!(rest.zip(body.displacements()).all(|(x, u)| u.dot(x) > 0.0));
}

#[test]
fn a_jelly_at_rest_carries_its_weight_on_the_floor() {
    let mut body = disc(Substance { internal_friction: 0.02, ..jelly() }, 0.1);
    for _ in 0..1000 {
        body.step(&[ground()], GRAVITY, 2e-3).unwrap();
        assert!(lowest(&body) > -1e-9, "{}", lowest(&body));
    }
    assert!(body.motion().velocity.norm() < 1e-4);
    let weight = 9.81 * body.bouncer().mass;
    assert!((body.reaction().force - Vec2::new(0.0, weight)).norm() < 1e-3 * weight);
    let (force, _) = carried(&body);
    let mean = body.displacements().iter().map(|u| u.y).sum::<f64>() / 64.0;
    let depth = 0.1 - body.motion().position.y;
    println!("in the ground by {depth:e} m, lifted by {mean:e} m on the average");
    println!("carried {force:?} of {weight}, {} on the floor", body.touching().len());
    assert!((force.y - weight).abs() < 0.01 * weight, "{force} {weight}");
    assert!(body.touching().len() >= 3);
    assert!(body.touching().iter().all(|t| body.traction(t.node).y > -1e-3));
}

#[test]
fn an_eccentric_hit_is_balanced_in_force_and_torque() {
    let corners = [(-0.1, 0.0), (0.1, 0.0), (0.1, 0.1), (-0.1, 0.1)].map(|(x, y)| Vec2::new(x, y + 0.15));
    let mut body = PlaneBody::new(&Polygon::new(&corners).unwrap().refined(10), jelly()).unwrap();
    body.motion_mut().angle = 0.15;
    let (mut compared, mut most) = (0, 0.0f64);
    for _ in 0..400 {
        body.step(&[ground()], GRAVITY, 1e-3).unwrap();
        assert!(lowest(&body) > -1e-9, "{}", lowest(&body));
        let (reaction, (force, torque)) = (*body.reaction(), carried(&body));
        let size = reaction.force.norm();
        if size > 5.0 {
            compared += 1;
            assert!((force - reaction.force).norm() < 0.05 * size, "{force} {}", reaction.force);
            let turned = reaction.torque + body.added_turning() * body.bouncer().inertia;
            assert!((torque - turned).abs() < 0.05 * size * 0.1, "{torque} {turned}");
            most = most.max((torque - reaction.torque).abs() / size);
        }
    }
    println!("the forces of the rigid and of the elastic body are apart by up to {most:e} m");
    assert!(compared > 20 && body.motion().spin.abs() > 1e-3, "{compared}");
}

#[test]
fn internal_friction_lowers_the_bounce() {
    let peak = |friction: f64| {
        let mut body = disc(Substance { internal_friction: friction, ..jelly() }, 0.4);
        let (mut hit, mut highest) = (false, 0.0f64);
        for _ in 0..450 {
            body.step(&[ground()], GRAVITY, 2e-3).unwrap();
            hit |= !body.touching().is_empty();
            highest = highest.max(if hit { body.motion().position.y } else { 0.0 });
        }
        highest
    };
    let peaks = [0.0, 1e-3, 5e-3, 2e-2].map(peak);
    println!("first bounce of a disc dropped from 0.4 m: {peaks:?}");
    assert!((peaks[0] - 0.4).abs() < 0.01 && peaks.windows(2).all(|p| p[1] < p[0] - 0.005), "{peaks:?}");
}

#[test]
fn the_world_may_be_turned_around() {
    // After a quarter of a turn the normal is along an axis of the body, but backwards.
    for (angle, normal) in [(0.7, None), (std::f64::consts::FRAC_PI_2, Some(-Vec2::x()))] {
        let turn = nalgebra::Rotation2::new(angle);
        let floor = Floor::through(Vec2::zeros(), normal.unwrap_or(turn * Vec2::y())).unwrap();
        let (mut straight, mut turned) = (disc(jelly(), 0.12), disc(jelly(), 0.12));
        turned.motion_mut().position = turn * Vec2::new(0.0, 0.12);
        turned.motion_mut().angle = if normal.is_some() { 0.0 } else { angle };
        for _ in 0..100 {
            straight.step(&[ground()], GRAVITY, 2e-3).unwrap();
            turned.step(&[floor], turn * GRAVITY, 2e-3).unwrap();
            // A disc of 64 vertices is the same after a quarter of a turn.
            let shift = if normal.is_some() { 16 } else { 0 };
            for (k, a) in straight.vertices().enumerate() {
                let b = turned.vertices().nth((k + shift) % 64).unwrap();
                assert!((turn * a - b).norm() < 1e-9, "{k} {a} {b}");
            }
        }
    }
}

#[test]
fn rubber_spreads_on_the_floor_more_than_sponge() {
    let spread = |poisson: f64| {
        let mut body = disc(Substance { young: 1.5e4, poisson, ..jelly() }, 0.1);
        (0..600).for_each(|_| body.step(&[ground()], GRAVITY, 2e-3).map(drop).unwrap());
        width(&body) - 0.2
    };
    let (rubber, sponge) = (spread(0.49), spread(0.01));
    println!("the width grows by {rubber:e} m (0.49) and {sponge:e} m (0.01)");
    assert!(rubber > 1.5 * sponge && rubber > 1e-3, "{rubber} {sponge}");
}

#[test]
fn a_wet_floor_lets_go_late() {
    // Thrown up while it touches: dry it leaves at once, wet some vertices are still pulled.
    let pulled = |floor: &Floor| {
        let mut body = disc(Substance { internal_friction: 0.02, ..jelly() }, 0.095);
        body.motion_mut().velocity.y = 0.6;
        body.step(&[*floor], Vec2::zeros(), 1e-3).unwrap();
        (carried(&body).0.y, body.motion().velocity.y)
    };
    let (dry, wet) = (pulled(&ground()), pulled(&ground().with_adhesion(500.0).unwrap()));
    println!("force of a dry and of a wet floor on a leaving disc: {dry:?}, {wet:?}");
    assert!(wet.0 < -1.0 && dry.0 > -0.1 && wet.1 < dry.1, "{dry:?} {wet:?}");
}

#[test]
fn a_sticking_vertex_does_not_glide() {
    let floor = ground().with_grip(Grip::Stick);
    let mut body = disc(Substance { poisson: 0.49, ..jelly() }, 0.1);
    let mut smooth = disc(Substance { poisson: 0.49, ..jelly() }, 0.1);
    for _ in 0..200 {
        body.step(&[floor], GRAVITY, 2e-3).unwrap();
        smooth.step(&[ground()], GRAVITY, 2e-3).unwrap();
    }
    let sum = |b: &PlaneBody| b.touching().iter().map(|t| b.traction(t.node).x.abs()).sum::<f64>();
    assert!(sum(&body) > 1.0 && sum(&smooth) < 1e-9, "{} {}", sum(&body), sum(&smooth));
}

#[test]
fn bodies_of_any_shape_land_on_a_slope_and_stay_above_it() {
    let corners = [(0.0, 0.0), (0.3, 0.0), (0.3, 0.1), (0.1, 0.1), (0.1, 0.3), (0.0, 0.3)];
    let angle = Polygon::new(&corners.map(|(x, y)| Vec2::new(x, y))).unwrap().refined(4);
    let rim = Polygon::circle(Vec2::zeros(), 0.1, 40).unwrap();
    let hole = Polygon::circle(Vec2::zeros(), 0.05, 20)
        .unwrap()
        .vertices()
        .iter()
        .rev()
        .copied()
        .collect::<Vec<_>>();
    let ring = Polygon::with_holes(&[rim.vertices(), &hole]).unwrap();
    let slope = Floor::through(Vec2::zeros(), Vec2::new(0.1, 1.0)).unwrap();
    for (outline, turn) in [(&angle, 0.05), (&angle, 2.0), (&ring, 0.8)] {
        for floor in [slope, slope.with_grip(Grip::Stick), slope.with_adhesion(300.0).unwrap()] {
            let substance = Substance { young: 3e4, internal_friction: 0.02, ..jelly() };
            let mut body = PlaneBody::new(outline, substance).unwrap();
            *body.motion_mut() =
                RigidMotion { position: Vec2::new(0.0, 0.4), angle: turn, ..Default::default() };
            for _ in 0..240 {
                body.step(&[floor], GRAVITY, 1.0 / 240.0).unwrap();
                let deepest = body.vertices().map(|x| floor.depth(x)).fold(-1.0, f64::max);
                let farthest = body.displacements().iter().map(|u| u.norm()).fold(0.0, f64::max);
                assert!(deepest < 1e-9 && farthest < 0.25, "{deepest} {farthest}");
            }
        }
    }
}

#[test]
fn bodies_and_steps_without_sense_are_refused() {
    let outline = Polygon::circle(Vec2::zeros(), 1.0, 8).unwrap();
    let make =
        |substance| PlaneBody::new(&outline, substance).err().map(|e| e.to_string()).unwrap_or_default();
    assert!(make(Substance { poisson: 0.5, ..jelly() }).contains("Poisson"));
    assert!(make(Substance { density: 0.0, ..jelly() }).contains("density"));
    assert!(make(Substance { internal_friction: -1.0, ..jelly() }).contains("friction"));
    let mut body = PlaneBody::new(&outline, jelly()).unwrap();
    assert!(matches!(body.step(&[ground()], GRAVITY, 0.0), Err(PlaneBodyError::Step { .. })));
    assert!(body.step(&[ground()], GRAVITY, f64::NAN).is_err());
    assert!(body.step(&[ground()], GRAVITY, 1e9).is_err());
    assert_eq!(body.step(&[ground()], Vec2::new(f64::NAN, 0.0), 1e-3), Err(PlaneBodyError::NotFinite));
}
