//! Blocks on slopes, balls that roll and are pressed, and a rope around a post, against closed forms.

use aspic::Vec3;
use aspic::frame::Frame;

use super::{run, scenes};
use scenes::{BALL, GRAVITY, LOAD};

/// Mean place and velocity of the points along x  \[m\], \[m/s\]
fn along_x(frame: &Frame) -> (f64, f64) {
    let mean = |list: &[Vec3]| list.iter().map(|x| x.x).sum::<f64>() / list.len() as f64;
    (mean(&frame.positions), mean(&frame.velocities))
}

/// Acceleration along x over the second half of a run  \[m/s²\]
fn acceleration(text: &str) -> f64 {
    let mut speeds = vec![];
    run(text, |frame| speeds.push((frame.ledger.t, along_x(frame).1)));
    let (middle, last) = (speeds[speeds.len() / 2], speeds[speeds.len() - 1]);
    (last.1 - middle.1) / (last.0 - middle.0)
}

#[test]
fn block_slides_down_a_slope_as_fast_as_coulomb_lets_it() {
    for (kind, young) in [("solid", 1e5), ("solid", 1e6), ("solid", 1e8), ("affine", 1e8), ("block", 1e6)] {
        for (angle, friction) in [(0.2_f64, 0.1), (0.35, 0.3), (0.6, 0.5)] {
            let right = GRAVITY * (angle.sin() - friction * angle.cos());
            let found = acceleration(&scenes::slope(kind, young, angle, friction, 1.0));
            assert!(
                (found / right - 1.0).abs() < 0.01,
                "{kind} {young:e} at {angle}, μ {friction}: {found} for {right}"
            );
        }
    }
}

#[test]
fn block_that_friction_holds_stays_and_lets_steps_be_long() {
    for (kind, young) in [("solid", 1e6), ("solid", 1e8), ("affine", 1e8), ("block", 1e6)] {
        let angle = 0.35_f64;
        let mut places = vec![];
        let text = scenes::slope(kind, young, angle, angle.tan() / 0.5, 3.0);
        let run = run(&text, |frame| places.push(along_x(frame).0));
        let creep = (places[places.len() - 1] - places[places.len() / 2]) / 1.5;
        assert!(creep.abs() < 2e-5, "{kind} {young:e} creeps {creep} m/s");
        let steps = run.statistics().steps;
        assert!(steps < 4 * 180, "{kind} {young:e}: {steps} steps for 180 frames");
    }
}

/// A ball of flat faces is stopped a little by every edge, the less the more there are; nothing makes it faster.
#[test]
fn stiff_ball_of_many_faces_rolls_with_nearly_five_sevenths_of_the_slope() {
    let angle = 0.3_f64;
    let right = 5.0 / 7.0 * GRAVITY * angle.sin();
    let found = acceleration(&scenes::roll("affine", 1e9, angle, 0.6, 10, 1.0));
    assert!((0.9..1.01).contains(&(found / right)), "{found} for {right}");
}

#[test]
fn rope_around_a_post_holds_what_eulers_and_eytelweins_formula_says() {
    for friction in [0.1, 0.3] {
        let mut pulls = vec![];
        run(&scenes::capstan(friction, ""), |frame| {
            if (1.0..1.9).contains(&frame.ledger.t) {
                pulls.push(frame.reactions[0].norm());
            }
        });
        let mean = pulls.iter().sum::<f64>() / pulls.len() as f64;
        let right = LOAD * (friction * std::f64::consts::PI).exp();
        assert!((mean / right - 1.0).abs() < 0.02, "μ {friction}: {mean} N for {right} N");
    }
}

/// Force of the floor on a ball that is pressed by a part of its radius  \[N\], and its contact distance  \[m\]
fn pressed(part: f64, contact: &str) -> (f64, f64) {
    let (text, _) = scenes::hertz(1e6, 6, part * BALL, contact);
    let mut force = 0.0;
    let simulation = run(&text, |frame| {
        let below = frame.positions.iter().zip(&frame.contact).filter(|(x, _)| x.z < BALL);
        force = below.map(|(_, force)| force.z).sum();
    });
    (force, simulation.world().contact.as_ref().expect("contact").distance.of(0))
}

/// F ∝ δ^(3/2), and surfaces act at most d̂ before they meet.
#[test]
fn pressed_ball_feels_no_more_of_the_contact_distance_than_hertz_says() {
    for part in [0.05, 0.1] {
        let (found, distance) = pressed(part, "");
        let (thin, _) = pressed(part, &format!("distance = {:e}", 1e-5 * BALL));
        let most = 1.5 * distance / (part * BALL);
        assert!((found / thin - 1.0).abs() < most, "pressed by {part} R: {found} N for {thin} N");
    }
}
