use super::*;
use crate::constraint::{Anchor, Constraint, Distance};
use crate::integrate::{ExplicitScheme, ImplicitSettings, Scheme};
use crate::kinetic::MassModel;
use crate::mesh::generate;
use crate::potential::material::Moduli;
use crate::world::NamedConstraint;
use crate::{Material, Simulation, Vec3, WorldBuilder};

fn facts() -> Facts {
    let Settings { method, limits, .. } = Settings::default();
    Facts { closed: true, mass: 2.0, rest: 0.0, method, limits, impulses: false, contact: false }
}

fn implicit(scheme: Scheme) -> Method {
    Method::Implicit(ImplicitSettings { scheme, ..ImplicitSettings::default() })
}

/// 100 J changed hands, the bodies had 1 J of motion and are 3 m large.
fn sound() -> Statistics {
    Statistics { most_exchanged: 100.0, most_kinetic: 1.0, gyration: 3.0, ..Statistics::default() }
}

fn codes(statistics: Statistics, facts: &Facts) -> Vec<Code> {
    let Verdict { warnings, notes } = Verdict::of(&statistics, facts);
    assert!(notes.iter().all(|note| note.code == Code::Damping));
    warnings.iter().chain(&notes).map(|finding| finding.code).collect()
}

#[test]
fn a_run_within_all_limits_is_not_warned_of() {
    // √(2 m K) = 2 kg m/s, three metres of it 6 kg m²/s.
    let statistics = Statistics {
        worst_residual: 0.99,
        made_energy: 0.99,
        numerical_loss: 24.9,
        linear_drift: 1.99e-3,
        angular_drift: 5.99e-3,
        ..sound()
    };
    assert_eq!(codes(statistics, &facts()), []);
}

#[test]
fn every_limit_has_its_own_code() {
    let beyond = |change: fn(&mut Statistics)| {
        let mut statistics = sound();
        change(&mut statistics);
        codes(statistics, &facts())
    };
    assert_eq!(beyond(|s| s.worst_residual = 1.01), [Code::Audit]);
    assert_eq!(beyond(|s| s.made_energy = 1.01), [Code::MadeEnergy]);
    assert_eq!(beyond(|s| s.linear_drift = 2.01e-3), [Code::Momentum]);
    assert_eq!(beyond(|s| s.angular_drift = 6.01e-3), [Code::Momentum]);
    assert_eq!(beyond(|s| s.numerical_loss = 25.1), [Code::Damping]);
}

#[test]
fn damping_is_a_note_and_no_warning() {
    let verdict = Verdict::of(&Statistics { numerical_loss: 80.0, ..sound() }, &facts());
    assert_eq!((verdict.warnings.len(), verdict.notes.len()), (0, 1));
    assert!(verdict.notes[0].message.starts_with("numerical damping took 80.0 J, 80.0 % of the energy"));
}

#[test]
fn the_line_about_the_steps_says_of_what_and_whether_it_matters() {
    let line = |numerical_loss, physical_loss| {
        let statistics = Statistics { numerical_loss, physical_loss, ..sound() };
        steps_in_words(&statistics, &Facts { method: implicit(Scheme::Bdf2), ..facts() })
    };
    assert_eq!(line(0.09, 0.0), None);
    assert_eq!(
        line(2.0, 40.0).unwrap(),
        "numerical damping: 2.00 J, 2.00 % of the energy exchanged; little beside the 40.0 J that the bodies lost"
    );
    assert!(line(2.0, 4.0).unwrap().contains("if motion dies away too soon, write `step_tolerance`"));
    let much = line(80.0, 4.0).unwrap();
    assert!(
        much.starts_with("numerical damping took 80.0 J, 80.0 % of the energy exchanged (100 J), beside")
    );
    assert!(much.contains("`step_tolerance = 1e-4`") && !much.contains('\n'), "{much}");
    let broken = Statistics { numerical_loss: 80.0, worst_residual: 200.0, ..sound() };
    let line_of_broken = steps_in_words(&broken, &facts()).unwrap();
    assert!(
        line_of_broken.ends_with("not to be trusted, since the audit does not close"),
        "{line_of_broken}"
    );
    assert_eq!(codes(broken, &facts()), [Code::Audit]);
    assert!(line(-0.5, 4.0).unwrap().starts_with("energy made by the steps: 500 mJ, 0.500 % of the energy"));
}

#[test]
fn momenta_of_bodies_that_are_acted_on_may_change() {
    let statistics = Statistics { linear_drift: 1e3, angular_drift: 1e3, ..sound() };
    assert_eq!(codes(statistics, &Facts { closed: false, ..facts() }), []);
}

#[test]
fn what_rounding_does_to_a_body_at_rest_is_no_cause_for_alarm() {
    let statistics = Statistics {
        worst_residual: 1e-20,
        most_exchanged: 1e-20,
        most_kinetic: 1e-20,
        linear_drift: 1.0,
        ..Statistics::default()
    };
    assert_eq!(codes(statistics, &Facts { rest: 1e-15, ..facts() }), []);
    assert_eq!(codes(Statistics::default(), &facts()), []);
}

#[test]
fn energies_beyond_all_numbers_are_warned_of_in_finite_figures() {
    let broken = Statistics { worst_residual: f64::INFINITY, most_exchanged: f64::INFINITY, ..sound() };
    let verdict = Verdict::of(&broken, &facts());
    assert_eq!(verdict.warnings[0].code, Code::Audit);
    assert!(verdict.warnings.iter().flat_map(|w| w.figures.values()).all(|figure| figure.is_finite()));
}

#[test]
fn a_finding_is_the_same_when_it_is_read_again() {
    let statistics = Statistics { worst_residual: 200.0, made_energy: 1.0 / 0.3, ..sound() };
    let verdict = Verdict::of(&statistics, &facts());
    let text = serde_json::to_string(&verdict).unwrap();
    assert!(text.contains(r#""code":"audit""#) && text.contains(r#""code":"made-energy""#), "{text}");
    assert_eq!(serde_json::from_str::<Verdict>(&text).unwrap(), verdict);
    assert!(verdict.warnings.iter().all(|w| text.contains(&format!("\"{}\"", w.code.word()))));
}

#[test]
fn cures_are_words_of_scene_files_that_suit_the_method() {
    let cure = |code, method, impulses| advice::of(code, &Facts { method, impulses, ..facts() }).1;
    let euler = Method::Explicit(ExplicitScheme::Euler);
    assert!(cure(Code::Audit, Method::Rkf45, false).contains("`tolerance = 1e-6`"));
    assert!(cure(Code::Audit, euler, false).contains("`aspic stability SCENE`"));
    assert!(cure(Code::Audit, implicit(Scheme::Bdf2), false).contains("`newton_tolerance = 3e-6`"));
    assert!(cure(Code::MadeEnergy, implicit(Scheme::Bdf2), false).contains("`step_tolerance = 1e-4`"));
    assert!(cure(Code::MadeEnergy, implicit(Scheme::Trapezoid), false).contains("\"bdf2\""));
    assert!(cure(Code::MadeEnergy, euler, true).contains("`model = \"guaranteed\"`"));
    assert!(cure(Code::Damping, implicit(Scheme::BackwardEuler), false).contains("\"bdf2\""));
    let coarse = ImplicitSettings { step_tolerance: Some(1e-2), ..ImplicitSettings::default() };
    assert!(cure(Code::Damping, Method::Implicit(coarse), false).contains("`step_tolerance = 1e-3`"));
}

fn block() -> WorldBuilder {
    let block = generate::block(Vec3::repeat(0.1), [1; 3]).unwrap();
    let rubber = Material::elastic(1000.0, Moduli::new(4e5, 1e5).unwrap());
    let mut builder = WorldBuilder::new();
    builder.solid("block", &block, &rubber, MassModel::Lumped).unwrap();
    builder
}

/// Whether a block is left to itself, with what `add` puts into its world.
fn is_alone(add: impl FnOnce(&mut WorldBuilder)) -> bool {
    let mut builder = block();
    add(&mut builder);
    let (world, state) = builder.build().unwrap();
    Facts::of(&world, &state, &Settings::default()).closed
}

#[test]
fn only_what_nothing_reaches_from_outside_keeps_its_momenta() {
    assert!(is_alone(|_| ()));
    let rod = |other, length| {
        let law: Box<dyn Constraint> = Box::new(Distance { node: 0, other, length });
        NamedConstraint { name: "rod".into(), laws: vec![law], until: f64::INFINITY, stiffness: None }
    };
    assert!(is_alone(|builder| _ = builder.constrain(rod(Anchor::Node(1), 0.1))));
    assert!(
        !is_alone(|builder| _ = builder.constrain(rod(Anchor::Point(Vec3::zeros()), 0.05 * 3f64.sqrt())))
    );
    assert!(!is_alone(|builder| _ = builder.gravity(Vec3::z() * -9.81)));
    assert!(!is_alone(|builder| _ = builder.hold("wall", &[0, 1])));
}

#[test]
fn a_hand_that_has_pulled_is_remembered() {
    let (world, state) = block().build().unwrap();
    let mut simulation = Simulation::new(world, state, Settings::default());
    let closed = |run: &Simulation| Facts::of(run.world(), run.state(), run.settings()).closed;
    assert!(closed(&simulation));
    assert!(simulation.grab(0, Vec3::repeat(0.2)));
    assert!(!closed(&simulation));
    simulation.advance_to(0.05).unwrap();
    simulation.release();
    assert!(!closed(&simulation));
}
