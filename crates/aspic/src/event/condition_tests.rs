use super::*;

const G: f64 = 9.81;

/// Height of the first point above a plane.
struct Above(f64);

impl Condition for Above {
    fn value(&self, at: &Extended) -> f64 {
        at.q[0].z - self.0
    }
    fn rate(&self, at: &Extended) -> Option<f64> {
        Some(at.v[0].z)
    }
}

/// The first point goes up.
struct Rising;

impl Condition for Rising {
    fn value(&self, at: &Extended) -> f64 {
        at.v[0].z
    }
    fn rate(&self, _: &Extended) -> Option<f64> {
        None
    }
}

/// A contact pushes.
struct Pushes;

impl Condition for Pushes {
    fn value(&self, at: &Extended) -> f64 {
        at.pushes[0]
    }
    fn rate(&self, _: &Extended) -> Option<f64> {
        None
    }
}

/// A thrown ball: height, velocity and a multiplier.
#[derive(Clone, Copy)]
struct Ball {
    z: f64,
    v: f64,
    push: f64,
}

impl Ball {
    fn after(self, t: f64) -> Ball {
        Ball { z: self.z + self.v * t - 0.5 * G * t * t, v: self.v - G * t, ..self }
    }
}

fn between(conditions: &[&dyn Condition], ball: Ball, times: [f64; 2], least: f64) -> Option<Event> {
    let [a, b] = times.map(|t| {
        let ball = ball.after(t);
        (t, [Vec3::new(0.0, 0.0, ball.z)], [Vec3::new(0.0, 0.0, ball.v)], [ball.push * (1.0 - t)])
    });
    let [a, b] = [&a, &b].map(|(t, q, v, pushes)| Extended { t: *t, q, v, pushes, pulls: &[] });
    first_event(conditions.iter().copied(), &a, &b, least)
}

const BALL: Ball = Ball { z: 1.0, v: 2.0, push: 1.0 };

#[test]
fn a_thrown_ball_reaches_the_plane_at_the_root_of_its_parabola() {
    let exact = (2.0 + (4.0 + 2.0 * G).sqrt()) / G;
    let event = between(&[&Above(0.0)], BALL, [0.0, 1.0], 1e-6).unwrap();
    assert!(event.t <= exact && exact - event.t < 1e-11, "{event:?} {exact}");
    assert_eq!(between(&[&Above(0.0)], BALL, [0.0, 0.5], 1e-6), None);
}

#[test]
fn a_ball_that_dips_below_a_plane_within_the_step_is_seen() {
    // upside down: below the plane at the top of the arc only
    struct Under(f64);
    impl Condition for Under {
        fn value(&self, at: &Extended) -> f64 {
            self.0 - at.q[0].z
        }
        fn rate(&self, at: &Extended) -> Option<f64> {
            Some(-at.v[0].z)
        }
    }
    let top = 1.0 + 4.0 / (2.0 * G);
    let event = between(&[&Under(top - 1e-3)], BALL, [0.0, 0.5], 1e-6).unwrap();
    assert!(event.t < 2.0 / G && event.t > 0.15);
    assert_eq!(between(&[&Under(top + 1e-9)], BALL, [0.0, 0.5], 1e-6), None);
}

#[test]
fn a_condition_on_velocity_or_multiplier_is_a_straight_line() {
    let event = between(&[&Rising], BALL, [0.0, 1.0], 1e-6).unwrap();
    assert!((event.t - 2.0 / G).abs() < 1e-11);
    let event = between(&[&Pushes], BALL, [0.5, 2.0], 1e-6).unwrap();
    assert!((event.t - 1.0).abs() < 1e-11);
}

#[test]
fn the_earliest_event_wins_and_the_first_of_equals() {
    let (one, two) = (Above(0.5), Above(0.0));
    let pick = |list: &[&dyn Condition]| between(list, BALL, [0.0, 1.0], 1e-6).unwrap().condition;
    assert_eq!(pick(&[&two, &one]), 1);
    assert_eq!(pick(&[&one, &two]), 0);
    assert_eq!(pick(&[&two, &Above(0.5), &one]), 1);
    assert_eq!(between(&[], BALL, [0.0, 1.0], 1e-6), None);
}

#[test]
fn an_event_nearer_than_the_least_step_is_due_now() {
    let ball = Ball { z: 1e-9, v: -1.0, push: 1.0 };
    assert_eq!(between(&[&Above(0.0)], ball, [0.0, 0.1], 1e-6), Some(Event { condition: 0, t: 0.0 }));
}

#[test]
fn an_event_near_the_end_shortens_the_step_by_a_twentieth() {
    let ball = Ball { z: 1.0, v: 0.0, push: 1.0 };
    let fall = (2.0 / G).sqrt();
    let event = between(&[&Above(0.0)], ball, [0.0, fall * 1.001], 1e-6).unwrap();
    assert_eq!(event.t, fall * 1.001 - 0.05 * fall * 1.001);
}

#[test]
fn a_condition_just_touched_fires_only_while_it_falls() {
    for z in [0.0, -1e-9] {
        let touch = |v: f64| between(&[&Above(0.0)], Ball { z, v, push: 1.0 }, [0.0, 0.01], 1e-6);
        assert_eq!(touch(1.0), None);
        assert_eq!(touch(-1.0), Some(Event { condition: 0, t: 0.0 }));
    }
    // it goes up and comes down again within the step: the event is the return
    let event = between(&[&Above(0.0)], Ball { z: -1e-12, v: 1.0, push: 1.0 }, [0.0, 0.5], 1e-6).unwrap();
    assert!((event.t - 2.0 / G).abs() < 1e-9, "{event:?}");
    // a multiplier: no rate, so its end value decides
    let multiplier = |push: f64| between(&[&Pushes], Ball { z: 1.0, v: 0.0, push }, [0.0, 0.5], 1e-6);
    assert_eq!(multiplier(-1.0), None);
    assert_eq!(between(&[&Pushes], BALL, [1.0, 1.5], 1e-6), Some(Event { condition: 0, t: 1.0 }));
}

#[test]
fn a_state_that_is_no_number_is_an_event_at_once() {
    let broken = Ball { z: f64::NAN, v: 0.0, push: 1.0 };
    assert_eq!(between(&[&Above(0.0)], broken, [0.0, 0.5], 1e-6), Some(Event { condition: 0, t: 0.0 }));
    // no number at the end only, from a start at zero
    let broken = Ball { z: 0.0, v: f64::NAN, push: 1.0 };
    assert_eq!(between(&[&Above(0.0)], broken, [0.0, 0.5], 1e-6).map(|event| event.t), Some(0.0));
}

#[test]
fn a_ball_bounces_for_ten_seconds_without_sinking_or_hanging() {
    let (mut ball, mut t, least) = (BALL, 0.0, 1e-6);
    let (mut bounces, mut tries) = (0, 0);
    while t < 10.0 {
        let mut length = 0.3;
        let due = loop {
            tries += 1;
            assert!(tries < 10_000, "hangs at {t}");
            match between(&[&Above(0.0)], ball, [0.0, length], least) {
                None => break false,
                Some(Event { t: 0.0, .. }) => break true,
                Some(event) => {
                    assert!(event.t <= 0.95 * length);
                    length = event.t;
                }
            }
        };
        if due {
            assert!(ball.z.abs() < 1e-5 && ball.v < 0.0);
            ball.v = -ball.v;
            bounces += 1;
        } else {
            ball = ball.after(length);
            t += length;
            assert!(ball.z > -1e-9);
        }
    }
    // one flight takes 2 v / g, v = √(v₀² + 2 g z₀)
    let flight = 2.0 * (4.0 + 2.0 * G).sqrt() / G;
    let first = (2.0 + (4.0 + 2.0 * G).sqrt()) / G;
    assert_eq!(bounces, 1 + ((10.0 - first) / flight) as i32);
}

#[test]
fn repeating_ends_though_each_repeat_moves_the_event() {
    // an integrator whose motion depends on the step: the fall starts higher in longer steps
    let (mut length, mut repeats) = (1.0, 0);
    while let Some(event) =
        between(&[&Above(0.0)], Ball { z: 1e-3 * length, v: -1.0, push: 1.0 }, [0.0, length], 1e-9)
    {
        if event.t == 0.0 {
            break;
        }
        assert!(event.t <= 0.95 * length);
        length = event.t;
        repeats += 1;
        assert!(repeats < 600);
    }
}
