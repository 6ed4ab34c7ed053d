//! Contact in a scene: what keeps surfaces apart, how they rub, and which of them may pass through each other.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::contact_model::{ContactModel, SpringRemoval};
use super::error::SceneError;
use super::material::{not_negative, positive_such_as};
use super::quantity::{Length, Number, Quantity, Speed, Stiffness};
use super::schema::Scene;
use super::span::{Exactly, Located, Span};
use super::suggest::did_you_mean;
use crate::body::ContactSettings;

/// How bodies touch and rub. With the default model every surface touches every other and itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table that describes contact")]
pub struct Contact {
    /// How bodies touch: guaranteed never to cross, by impulses between steps, or by springs. Default: guaranteed.
    #[serde(default)]
    pub model: Located<ContactModel>,
    /// Whether bodies touch at all. Default: true.
    #[serde(default = "yes")]
    pub enabled: bool,
    /// Coefficient of friction where no pair says otherwise. Default: 0.
    #[serde(default = "no_friction")]
    pub friction: Quantity<Number>,
    /// Coefficients of pairs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub frictions: Vec<PairFriction>,
    /// For impulses: the part of the sliding that each touch takes away, 0 to 1, whatever presses. Instead of `friction`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub friction_factor: Option<Quantity<Number>>,
    /// For impulses: speed of parting over speed of approach, 0 to 1. Default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restitution: Option<Quantity<Number>>,
    /// For model = "impulse": radius of the points of bodies that have no thickness of their own. Default: 0, their
    /// points touch planes and spheres but not each other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point_radius: Option<Quantity<Length>>,
    /// For model = "impulse" and "springs": whether a body touches itself. Default: false.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub self_contact: Option<Located<bool>>,
    /// For model = "springs": stiffness of every spring. Default: from the masses of the points and the stiffness of bodies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spring_stiffness: Option<Quantity<Stiffness>>,
    /// For model = "springs": when springs are taken away. Default: outside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub removal: Option<Located<SpringRemoval>>,
    /// For model = "springs": whether the feet of springs slide over surfaces, with `friction`. Default: false, they stick.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sliding: Option<Located<bool>>,
    /// For guaranteed contact: the distance at which surfaces begin to push. Default: from the meshes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distance: Option<Quantity<Length>>,
    /// For guaranteed contact: distances of bodies, and of pairs; a name with itself for self-contact.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub distances: Vec<OwnDistance>,
    /// For guaranteed contact: stiffness of contacts over that of the bodies behind them. Default: 10.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stiffness_scale: Option<Quantity<Number>>,
    /// For guaranteed contact: the slip speed below which friction holds. Default: from the smallest body, at least 1 mm/s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slip_speed: Option<Quantity<Speed>>,
    /// Pairs that pass through each other; a name with itself for no self-contact.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub off: Vec<Pair>,
    /// For guaranteed contact: whether surfaces that overlap at the start are pushed apart first. Default: false.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub separate: Option<Located<bool>>,
}

/// Two names of bodies, obstacles or materials; a material stands for all bodies made of it.
pub type Pair = Exactly<Located<String>, 2>;

/// Friction of a pair.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(
    deny_unknown_fields,
    expecting = "a table like { between = [\"rubber\", \"floor\"], friction = 0.5 }"
)]
pub struct PairFriction {
    /// Two names of bodies, obstacles or materials.
    pub between: Pair,
    /// Coefficient of friction.
    pub friction: Quantity<Number>,
}

/// Contact distance of a body, or of a pair.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(
    deny_unknown_fields,
    expecting = "a table like { of = \"rubber\", distance = \"1 mm\" } or { between = [\"rubber\", \"floor\"], distance = \"1 mm\" }"
)]
pub struct OwnDistance {
    /// A body, an obstacle or a material, with all that it touches. Of two that touch the finer one decides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<Located<String>>,
    /// Two names of bodies, obstacles or materials, whatever they have alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub between: Option<Pair>,
    /// The distance at which their surfaces begin to push.
    pub distance: Quantity<Length>,
}

impl OwnDistance {
    /// What it names; `None` where the row gives both keys or neither.
    fn subject(&self) -> Option<Subject<'_>> {
        match (&self.of, &self.between) {
            (Some(name), None) => Some(Subject::One(name)),
            (None, Some(pair)) => Some(Subject::Two(pair)),
            _ => None,
        }
    }

    /// Where it stands in the file.
    pub(super) fn span(&self) -> Span {
        let first = self.between.as_ref().map(|pair| pair[0].span());
        self.of.as_ref().map(Located::span).or(first).unwrap_or(self.distance.span())
    }
}

/// What has a distance of its own.
enum Subject<'a> {
    One(&'a Located<String>),
    Two(&'a Pair),
}

fn yes() -> bool {
    true
}

fn no_friction() -> Quantity<Number> {
    Quantity::new(0.0)
}

impl Default for Contact {
    fn default() -> Self {
        Contact {
            model: Located::default(),
            enabled: true,
            friction: no_friction(),
            frictions: vec![],
            friction_factor: None,
            restitution: None,
            point_radius: None,
            self_contact: None,
            spring_stiffness: None,
            removal: None,
            sliding: None,
            distance: None,
            distances: vec![],
            stiffness_scale: None,
            slip_speed: None,
            off: vec![],
            separate: None,
        }
    }
}

impl Scene {
    /// How surfaces keep apart with a guarantee; `None` where they do not.
    pub fn contact_settings(&self) -> Option<ContactSettings> {
        let default = Contact::default();
        let contact = self.contact.as_ref().unwrap_or(&default);
        let guaranteed = self.contact_model() == Some(ContactModel::Guaranteed);
        if !guaranteed || !self.method().is_implicit() {
            return None;
        }
        let scale = contact.stiffness_scale.map(|scale| scale.si());
        Some(ContactSettings {
            distance: contact.distance.map(|distance| distance.si()),
            distances: self.own_distances(contact),
            distance_pairs: self.distance_pairs(contact),
            stiffness_scale: scale.unwrap_or(ContactSettings::default().stiffness_scale),
            friction: contact.friction.si(),
            friction_pairs: self.friction_pairs(contact),
            slip_speed: contact.slip_speed.map(|speed| speed.si()),
            off: contact.off.iter().flat_map(|pair| self.pairs(pair)).collect(),
            separate: contact.separate.is_some_and(Located::into_inner),
        })
    }

    /// Writes the contact that implicit methods have by default into its place.
    pub(super) fn fill_in_contact(&mut self) {
        if self.method().is_implicit() {
            self.contact.get_or_insert_default();
        }
        let Some(contact) = &mut self.contact else { return };
        if *contact.model == ContactModel::Guaranteed {
            let scale = ContactSettings::default().stiffness_scale;
            contact.stiffness_scale.get_or_insert(Quantity::new(scale));
            contact.separate.get_or_insert_default();
        } else if contact.model.impulses().is_some() {
            contact.restitution.get_or_insert(Quantity::new(0.0));
        }
    }

    /// Coefficients of friction of single bodies and obstacles.
    pub(super) fn friction_pairs(&self, contact: &Contact) -> Vec<(String, String, f64)> {
        self.numbers_of_pairs(contact.frictions.iter().map(|row| (&row.between, row.friction.si())))
    }

    /// Contact distances between single bodies and obstacles \[m\].
    fn distance_pairs(&self, contact: &Contact) -> Vec<(String, String, f64)> {
        let rows = contact.distances.iter();
        self.numbers_of_pairs(rows.filter_map(|row| Some((row.between.as_ref()?, row.distance.si()))))
    }

    /// Contact distances of single bodies and obstacles, those that come from their materials first \[m\].
    fn own_distances(&self, contact: &Contact) -> Vec<(String, f64)> {
        let rows = contact.distances.iter().filter_map(|row| Some((row.of.as_ref()?, row.distance.si())));
        let (single, material): (Vec<_>, Vec<_>) = rows.partition(|(name, _)| self.is_single(name));
        let expand = |(name, distance): (&Located<String>, f64)| {
            self.singles(name).into_iter().map(move |body| (body, distance)).collect::<Vec<_>>()
        };
        material.into_iter().chain(single).flat_map(expand).collect()
    }

    /// Pairs of single bodies and obstacles, the more special ones later, where they win.
    fn numbers_of_pairs<'a>(
        &self,
        rows: impl Iterator<Item = (&'a Pair, f64)>,
    ) -> Vec<(String, String, f64)> {
        let mut rows: Vec<(&Pair, f64)> = rows.collect();
        rows.sort_by_key(|(between, _)| between.iter().filter(|name| self.is_single(name)).count());
        let expand = |(between, number): (&Pair, f64)| {
            self.pairs(between).into_iter().map(move |(a, b)| (a, b, number)).collect::<Vec<_>>()
        };
        rows.into_iter().flat_map(expand).collect()
    }

    /// Whether a name is a body or an obstacle. A material of the same name is then not meant.
    fn is_single(&self, name: &str) -> bool {
        self.bodies.contains_key(name) || self.obstacles.contains_key(name)
    }

    /// All pairs of single bodies and obstacles that two names stand for.
    pub(super) fn pairs(&self, pair: &Pair) -> Vec<(String, String)> {
        let [ones, others] = [&pair[0], &pair[1]].map(|name| self.singles(name));
        let with = |one: &String| others.iter().map(|other| (one.clone(), other.clone())).collect::<Vec<_>>();
        ones.iter().flat_map(with).collect()
    }

    fn singles(&self, name: &str) -> Vec<String> {
        if self.is_single(name) {
            return vec![name.to_owned()];
        }
        let made_of_it = self.bodies.iter().filter(|(_, body)| *body.material == name);
        made_of_it.map(|(body, _)| body.clone()).collect()
    }

    /// Signs and names; that the method can do contact.
    pub(super) fn check_contact(&self) -> Result<(), SceneError> {
        if let Some(method) = self.time.method.filter(|method| !method.is_implicit()) {
            let wanted = match &self.contact {
                Some(_) => self.contact_model() == Some(ContactModel::Guaranteed),
                None => !self.obstacles.is_empty(),
            };
            if wanted {
                let what = if self.contact.is_some() {
                    "contact needs"
                } else {
                    "obstacles act by contact, which needs"
                };
                return Err(SceneError::new(format!(
                    "[time]: {what} an implicit method, and \"{}\" is explicit",
                    method.word()
                ))
                .at(method.span())
                .help(
                    "write method = \"bdf2\", or [contact] with model = \"springs\" or \"impulse\", or with enabled = false to do \
                     without contact",
                ));
            }
        }
        let implicit = self.time.method.filter(|method| method.is_implicit());
        let tied = matches!(self.contact_model(), Some(ContactModel::Springs | ContactModel::Multipliers));
        if let Some(method) = implicit.filter(|_| tied) {
            let text = format!(
                "[time]: contact by springs or multipliers needs an explicit method, and \"{}\" is implicit",
                method.word()
            );
            return Err(SceneError::new(text).at(method.span()).help(
                "write method = \"rkf45\", or leave the model of contact away for the guaranteed one",
            ));
        }
        let Some(contact) = &self.contact else { return Ok(()) };
        self.check_contact_keys(contact).map_err(|error| error.within("[contact]", None))?;
        self.contact_model().map_or(Ok(()), |model| self.check_contact_obstacles(model))
    }

    fn check_contact_keys(&self, contact: &Contact) -> Result<(), SceneError> {
        self.check_contact_model(contact)?;
        not_negative("friction", &contact.friction)?;
        if let Some(scale) = &contact.stiffness_scale {
            positive_such_as("10", "stiffness_scale", scale)?;
        }
        if let Some(distance) = &contact.distance {
            positive_such_as("\"1 mm\"", "distance", distance)?;
        }
        if let Some(speed) = &contact.slip_speed {
            positive_such_as("\"1 mm/s\"", "slip_speed", speed)?;
        }
        for pair in &contact.off {
            pair.iter().try_for_each(|name| self.check_contact_name(name))?;
        }
        for row in &contact.frictions {
            not_negative("friction", &row.friction)?;
        }
        self.check_pairs("friction", contact.frictions.iter().map(|row| &row.between).collect())?;
        self.check_distances(&contact.distances)
    }

    /// Every row names a body or a pair that there is, and none is given twice.
    fn check_distances(&self, rows: &[OwnDistance]) -> Result<(), SceneError> {
        let (mut names, mut pairs) = (vec![], vec![]);
        for row in rows {
            positive_such_as("\"1 mm\"", "distance", &row.distance)?;
            match row.subject() {
                Some(Subject::One(name)) => names.push(name),
                Some(Subject::Two(pair)) => pairs.push(pair),
                None => {
                    let text = "a row of `distances` needs `of` or `between`, and not both";
                    return Err(SceneError::new(text).at(row.span()).help(
                        "write { of = \"rubber\", distance = \"1 mm\" } for a body, an obstacle or a material, and \
                         { between = [\"rubber\", \"floor\"], distance = \"1 mm\" } for a pair",
                    ));
                }
            }
        }
        for (place, name) in names.iter().enumerate() {
            self.check_contact_name(name)?;
            if names[..place].iter().any(|other| other.as_str() == name.as_str()) {
                let text = format!("the distance of `{}` is given twice", name.as_str());
                return Err(SceneError::new(text).at(name.span()).help("keep one of them"));
            }
        }
        self.check_pairs("distance", pairs)
    }

    /// Names that exist, and no pair twice.
    fn check_pairs(&self, what: &str, pairs: Vec<&Pair>) -> Result<(), SceneError> {
        for (place, pair) in pairs.iter().enumerate() {
            pair.iter().try_for_each(|name| self.check_contact_name(name))?;
            if pairs[..place].iter().any(|other| same_pair(other, pair)) {
                let [a, b] = [&pair[0], &pair[1]];
                let text = format!("the {what} between `{}` and `{}` is given twice", a.as_str(), b.as_str());
                return Err(SceneError::new(text).at(a.span()).help("keep one of them"));
            }
        }
        Ok(())
    }

    fn check_contact_name(&self, name: &Located<String>) -> Result<(), SceneError> {
        if self.is_single(name) || self.materials.contains_key(name.as_str()) {
            return Ok(());
        }
        let known = self.bodies.keys().chain(self.obstacles.keys()).chain(self.materials.keys());
        let known: Vec<&str> = known.map(String::as_str).collect();
        Err(SceneError::new(format!("`{}` is no body, obstacle or material", name.as_str()))
            .at(name.span())
            .help(did_you_mean(name, &known, "names")))
    }
}

/// Whether two pairs are the same, in either order.
fn same_pair(one: &Pair, other: &Pair) -> bool {
    let turned = [&other[1], &other[0]];
    one.iter().eq(other.iter()) || one.iter().eq(turned)
}
