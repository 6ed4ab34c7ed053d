//! How time advances in a scene: the method, its steps, and which keys go with which method.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::body::{Body, Kind};
use super::contact_model::ContactModel;
use super::error::SceneError;
use super::material::{positive, positive_such_as};
use super::quantity::{Quantity, Speed, Time, Tolerance};
use super::schema::{Scene, defaults};
use super::span::{Located, Span};
use super::suggest;
use crate::integrate::{Choice, ExplicitScheme, ImplicitSettings, NewtonSettings, Scheme, StepLimits};
use crate::run;

/// How time advances.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table of time settings")]
pub struct TimeSettings {
    /// The integration method. Default: rkf45, or bdf2 in a scene with guaranteed contact, obstacles,
    /// affine bodies or mass points, unless contact is by impulses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<Located<Method>>,
    /// For rkf45: allowed relative error per simulated second; smaller is more accurate and slower. Default: 1e-4.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<Quantity<Tolerance>>,
    /// For rkf45: the first time step; later ones follow from the tolerance. Default: 1 ms, or `max_step` if shorter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_step: Option<Quantity<Time>>,
    /// The longest time step; explicit methods but rkf45, and implicit ones without `step_tolerance`, take steps of this
    /// length. Default: 20 ms for rkf45, 1/60 s for implicit methods, for the others what the bodies bear.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_step: Option<Quantity<Time>>,
    /// The shortest time step, for rkf45 and implicit methods: a run that needs a shorter one stops. Default: 1 ns for
    /// rkf45, else 1 µs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_step: Option<Quantity<Time>>,
    /// For implicit methods: error that a step may make in any coordinate, relative to the size of the smallest body.
    /// Steps are then as long as it allows, at most `max_step`. Default: none, steps of `max_step`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step_tolerance: Option<Quantity<Tolerance>>,
    /// For implicit methods: whether steps become shorter while bodies hit and leave each other, or all have the length
    /// `max_step`. Default: contacts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps: Option<Located<StepChoice>>,
    /// For implicit methods: a step is found when no vertex would move faster than this to the balance of forces.
    /// Default: from gravity, step and size, at most 3 mm/s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub newton_tolerance: Option<Quantity<Speed>>,
    /// For implicit methods: how linear systems are solved. Default: auto.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solver: Option<Located<Solver>>,
}

/// An integration method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Runge–Kutta–Fehlberg 4(5): explicit, with a step size that follows the error; without contact.
    Rkf45,
    /// Explicit Euler: fixed steps, first order; gains energy, and grows without viscosity.
    ExplicitEuler,
    /// Semi-implicit Euler: explicit, fixed steps, first order; stable while ωh < 2.
    SemiImplicitEuler,
    /// Heun: explicit, fixed steps, second order; grows slowly without viscosity.
    Heun,
    /// Midpoint: explicit, fixed steps, second order; grows slowly without viscosity.
    Midpoint,
    /// Runge–Kutta 4: explicit, fixed steps, fourth order; stable while ωh < 2.83.
    Rk4,
    /// Position Verlet: explicit, fixed steps, second order; stable while ωh < 2.
    PositionVerlet,
    /// Velocity Verlet: explicit, fixed steps, second order; stable while ωh < 2.
    VelocityVerlet,
    /// Leapfrog: explicit, fixed steps, second order, velocities halfway; stable while ωh < 2.
    Leapfrog,
    /// Backward Euler: implicit, first order; robust, and damps motion.
    BackwardEuler,
    /// BDF2: implicit, second order; damps little.
    Bdf2,
    /// The trapezoid: implicit, second order; damps nothing, so that stiff vibrations stay.
    Trapezoid,
}

/// How the length of implicit steps is chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StepChoice {
    /// Shorter than `max_step` while bodies hit and leave each other, so that bounces keep their energy.
    #[default]
    Contacts,
    /// Always `max_step`.
    Fixed,
}

/// How linear systems of implicit steps are solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Solver {
    /// Patches, and the factor where they fail to help.
    #[default]
    Auto,
    /// Conjugate gradients, every vertex alone as preconditioner.
    Jacobi,
    /// The same, with rigid motions of patches.
    Patches,
    /// The same, with a Cholesky factor.
    Factor,
}

/// How a method advances time, as the loop knows it.
enum Steps {
    Adaptive,
    Fixed(ExplicitScheme),
    Implicit(Scheme),
}

impl Method {
    /// All of them.
    pub const ALL: [Method; 12] = [
        Method::Rkf45,
        Method::ExplicitEuler,
        Method::SemiImplicitEuler,
        Method::Heun,
        Method::Midpoint,
        Method::Rk4,
        Method::PositionVerlet,
        Method::VelocityVerlet,
        Method::Leapfrog,
        Method::BackwardEuler,
        Method::Bdf2,
        Method::Trapezoid,
    ];

    /// The method of that word, or an error that names all of them.
    pub fn named(word: &str) -> Result<Method, SceneError> {
        let words = Method::ALL.map(Method::word);
        let found = words.iter().position(|name| *name == word);
        found.map(|place| Method::ALL[place]).ok_or_else(|| {
            let near = suggest::nearest(word, &words).map(|near| format!("did you mean \"{near}\"? "));
            SceneError::new(format!("there is no method \"{word}\"")).help(format!(
                "{}methods are {}",
                near.unwrap_or_default(),
                words.join(", ")
            ))
        })
    }

    /// The word for it in a scene file.
    pub fn word(self) -> &'static str {
        match self {
            Method::Rkf45 => "rkf45",
            Method::ExplicitEuler => "explicit-euler",
            Method::SemiImplicitEuler => "semi-implicit-euler",
            Method::Heun => "heun",
            Method::Midpoint => "midpoint",
            Method::Rk4 => "rk4",
            Method::PositionVerlet => "position-verlet",
            Method::VelocityVerlet => "velocity-verlet",
            Method::Leapfrog => "leapfrog",
            Method::BackwardEuler => "backward-euler",
            Method::Bdf2 => "bdf2",
            Method::Trapezoid => "trapezoid",
        }
    }

    /// Whether its steps are implicit, as contact needs.
    pub fn is_implicit(self) -> bool {
        matches!(self.steps(), Steps::Implicit(_))
    }

    /// Whether it is explicit with steps of one length.
    pub fn has_fixed_step(self) -> bool {
        matches!(self.steps(), Steps::Fixed(_))
    }

    /// Order of the error at a fixed time; of rkf45 that of the result it goes on with.
    pub fn order(self) -> u32 {
        match self.steps() {
            Steps::Adaptive => 4,
            Steps::Fixed(scheme) => scheme.order(),
            Steps::Implicit(Scheme::BackwardEuler) => 1,
            Steps::Implicit(Scheme::Bdf2 | Scheme::Trapezoid) => 2,
        }
    }

    fn steps(self) -> Steps {
        match self {
            Method::Rkf45 => Steps::Adaptive,
            Method::ExplicitEuler => Steps::Fixed(ExplicitScheme::Euler),
            Method::SemiImplicitEuler => Steps::Fixed(ExplicitScheme::SemiImplicitEuler),
            Method::Heun => Steps::Fixed(ExplicitScheme::Heun),
            Method::Midpoint => Steps::Fixed(ExplicitScheme::Midpoint),
            Method::Rk4 => Steps::Fixed(ExplicitScheme::RungeKutta4),
            Method::PositionVerlet => Steps::Fixed(ExplicitScheme::PositionVerlet),
            Method::VelocityVerlet => Steps::Fixed(ExplicitScheme::VelocityVerlet),
            Method::Leapfrog => Steps::Fixed(ExplicitScheme::Leapfrog),
            Method::BackwardEuler => Steps::Implicit(Scheme::BackwardEuler),
            Method::Bdf2 => Steps::Implicit(Scheme::Bdf2),
            Method::Trapezoid => Steps::Implicit(Scheme::Trapezoid),
        }
    }
}

impl Solver {
    fn choice(self) -> Choice {
        match self {
            Solver::Auto => Choice::Auto,
            Solver::Jacobi => Choice::Jacobi,
            Solver::Patches => Choice::Patches,
            Solver::Factor => Choice::Factor,
        }
    }
}

impl Scene {
    /// The integration method, the default where none was written.
    pub fn method(&self) -> Method {
        let stiff = |body: &Body| body.kind != Kind::Solid || body.point_kind().is_some();
        let affine = self.bodies.values().any(stiff);
        let contact = self.contact.as_ref().is_some_and(|contact| contact.enabled);
        let impulses = self.contact_model().is_some_and(|model| model != ContactModel::Guaranteed);
        let implicit = !impulses && (contact || affine || !self.obstacles.is_empty());
        let default = if implicit { Method::Bdf2 } else { Method::Rkf45 };
        self.time.method.map_or(default, Located::into_inner)
    }

    /// The numbers that steer time.
    pub fn settings(&self) -> run::Settings {
        let (time, method) = (&self.time, self.method());
        let newton = NewtonSettings {
            tolerance: time.newton_tolerance.map(|speed| speed.si()),
            solver: time.solver.map(Located::into_inner).unwrap_or_default().choice(),
            ..NewtonSettings::default()
        };
        let step_tolerance = time.step_tolerance.map(|tolerance| tolerance.si());
        let (of_method, first_step) = match method.steps() {
            Steps::Adaptive => (run::Method::Rkf45, Some(time.first_step(method))),
            Steps::Fixed(scheme) => (run::Method::Explicit(scheme), time.max_step.map(|step| step.si())),
            Steps::Implicit(scheme) => {
                let fixed = time.steps.is_some_and(|steps| *steps == StepChoice::Fixed);
                (run::Method::Implicit(ImplicitSettings { scheme, newton, step_tolerance, fixed }), None)
            }
        };
        run::Settings {
            method: of_method,
            duration: self.duration.si(),
            frame_interval: self.output.interval(),
            first_step,
            limits: StepLimits {
                tolerance: time.tolerance.map_or(defaults::TOLERANCE, |tolerance| tolerance.si()),
                min_step: time.min_step(method).si(),
                max_step: time.max_step(method).si(),
            },
        }
    }

    /// The same bodies under another method, without contact and with the steps that the method has by default.
    pub fn with_method(&self, method: Method) -> Scene {
        let mut scene = self.clone();
        let TimeSettings { newton_tolerance, solver, .. } = self.time;
        scene.time = TimeSettings { method: Some(Located::new(method)), ..TimeSettings::default() };
        if method.is_implicit() {
            (scene.time.newton_tolerance, scene.time.solver) = (newton_tolerance, solver);
        }
        scene.contact.get_or_insert_default().enabled = false;
        scene
    }

    /// What is allowed and yet likely to disappoint, in sentences with a cure.
    pub fn warnings(&self) -> Vec<String> {
        let gains = self.method() == Method::Trapezoid && self.contact_settings().is_some();
        let text = "the trapezoid damps nothing and gains energy where bodies touch: write method = \"bdf2\" in \
                    [time], or enabled = false in [contact] if nothing touches";
        gains.then(|| text.to_owned()).into_iter().collect()
    }

    /// Writes the defaults of time that depend on the method into their place.
    pub(super) fn fill_in_time(&mut self) {
        let method = self.method();
        let time = &mut self.time;
        time.method.get_or_insert(Located::new(method));
        if method.has_fixed_step() {
            // Its default follows from the bodies.
            return;
        }
        time.min_step = Some(time.min_step(method));
        time.max_step = Some(time.max_step(method));
        if method.is_implicit() {
            time.solver.get_or_insert_default();
        } else {
            time.first_step = Some(Quantity::new(time.first_step(method)));
            time.tolerance.get_or_insert(Quantity::new(defaults::TOLERANCE));
        }
    }
}

impl TimeSettings {
    fn max_step(&self, method: Method) -> Quantity<Time> {
        let default = if method.is_implicit() { defaults::IMPLICIT_STEP } else { defaults::MAX_STEP };
        self.max_step.unwrap_or(Quantity::new(default))
    }

    fn min_step(&self, method: Method) -> Quantity<Time> {
        let default = if method.is_implicit() { defaults::MIN_IMPLICIT_STEP } else { defaults::MIN_STEP };
        self.min_step.unwrap_or(Quantity::new(default))
    }

    /// The first step of the explicit method \[s\].
    fn first_step(&self, method: Method) -> f64 {
        let default = defaults::FIRST_STEP.min(self.max_step(method).si());
        self.first_step.map_or(default, |step| step.si())
    }

    /// Signs, orders, and that every key goes with the method.
    pub(super) fn check(&self, method: Method) -> Result<(), SceneError> {
        self.check_keys(method)?;
        let tolerances = [("tolerance", &self.tolerance), ("step_tolerance", &self.step_tolerance)];
        for (key, tolerance) in tolerances {
            let Some(tolerance) = tolerance else { continue };
            if positive(key, tolerance)? > 0.1 {
                return Err(SceneError::new(format!("`{key}` must be at most 0.1, not {tolerance}"))
                    .at(tolerance.span())
                    .help("1e-3 is coarse, 1e-6 is fine"));
            }
        }
        if let Some(speed) = &self.newton_tolerance {
            positive_such_as("\"1 mm/s\"", "newton_tolerance", speed)?;
        }
        self.check_steps(method)
    }

    fn check_keys(&self, method: Method) -> Result<(), SceneError> {
        let implicit = [
            ("newton_tolerance", self.newton_tolerance.map(|speed| speed.span())),
            ("solver", self.solver.map(|solver| solver.span())),
            ("step_tolerance", self.step_tolerance.map(|tolerance| tolerance.span())),
            ("steps", self.steps.map(|steps| steps.span())),
        ];
        let explicit = [
            ("tolerance", self.tolerance.map(|tolerance| tolerance.span())),
            ("first_step", self.first_step.map(|step| step.span())),
        ];
        let shortest = ("min_step", self.min_step.map(|step| step.span()));
        let first = |keys: &[(&'static str, Option<Span>)]| {
            keys.iter().cloned().find_map(|(key, span)| Some((key, span?)))
        };
        let wrong = |key: &str, span: Span, only: &str, cure: &str| {
            let text = format!("`{key}` goes only with {only}, and the method is \"{}\"", method.word());
            Err(SceneError::new(text).at(span).help(format!("remove `{key}`{cure}")))
        };
        if !method.is_implicit()
            && let Some((key, span)) = first(&implicit)
        {
            return wrong(key, span, "implicit methods", ", or write method = \"bdf2\"");
        }
        if method.has_fixed_step()
            && let Some((key, span)) = first(&[shortest])
        {
            return wrong(
                key,
                span,
                "\"rkf45\" and implicit methods",
                ": all steps have the length `max_step`",
            );
        }
        let Some((key, span)) = first(&explicit).filter(|_| method != Method::Rkf45) else { return Ok(()) };
        let cure = if method.is_implicit() {
            ": implicit methods take steps of `max_step`, or as long as `step_tolerance` lets them"
        } else {
            ": all steps have the length `max_step`"
        };
        wrong(key, span, "\"rkf45\"", cure)
    }

    fn check_steps(&self, method: Method) -> Result<(), SceneError> {
        let (longest, shortest) = (self.max_step(method), self.min_step(method));
        positive("max_step", &longest)?;
        positive("min_step", &shortest)?;
        if method.has_fixed_step() {
            return Ok(());
        }
        if shortest.si() > longest.si() {
            let text = format!("`min_step` ({shortest}) is longer than `max_step` ({longest})");
            let span = self.min_step.or(self.max_step).map(|step| step.span()).unwrap_or_default();
            return Err(SceneError::new(text).at(span).help("lower `min_step`, or raise `max_step`"));
        }
        let Some(first) = &self.first_step else { return Ok(()) };
        positive("first_step", first)?;
        if first.si() > longest.si() || first.si() < shortest.si() {
            let text = format!(
                "`first_step` ({first}) must lie between `min_step` ({shortest}) and `max_step` ({longest})"
            );
            return Err(SceneError::new(text)
                .at(first.span())
                .help("change `first_step`, or move the limits"));
        }
        Ok(())
    }
}
