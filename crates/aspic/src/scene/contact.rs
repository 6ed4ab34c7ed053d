//! Contact in a scene: what keeps surfaces apart, how they rub, and which of them may pass through each other.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::error::SceneError;
use super::material::{not_negative, positive_such_as};
use super::quantity::{Length, Number, Quantity, Speed};
use super::schema::Scene;
use super::span::{Exactly, Located};
use super::suggest::did_you_mean;
use crate::body::ContactSettings;

/// How surfaces keep apart and rub. Every surface touches every other and itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table that describes contact")]
pub struct Contact {
    /// Whether surfaces keep apart at all. Default: true.
    #[serde(default = "yes")]
    pub enabled: bool,
    /// Coefficient of friction where no pair says otherwise. Default: 0.
    #[serde(default = "no_friction")]
    pub friction: Quantity<Number>,
    /// Coefficients of pairs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub frictions: Vec<PairFriction>,
    /// The distance at which surfaces begin to push. Default: from the meshes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distance: Option<Quantity<Length>>,
    /// Stiffness of contacts over that of the bodies behind them. Default: 10.
    #[serde(default = "stiffness_scale")]
    pub stiffness_scale: Quantity<Number>,
    /// The slip speed below which friction holds. Default: from the smallest body, at least 1 mm/s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slip_speed: Option<Quantity<Speed>>,
    /// Pairs that pass through each other; a name with itself for no self-contact.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub off: Vec<Pair>,
    /// Whether surfaces that overlap at the start are pushed apart first. Default: false.
    #[serde(default)]
    pub separate: bool,
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

fn yes() -> bool {
    true
}

fn no_friction() -> Quantity<Number> {
    Quantity::new(0.0)
}

fn stiffness_scale() -> Quantity<Number> {
    Quantity::new(ContactSettings::default().stiffness_scale)
}

impl Default for Contact {
    fn default() -> Self {
        Contact {
            enabled: true,
            friction: no_friction(),
            frictions: vec![],
            distance: None,
            stiffness_scale: stiffness_scale(),
            slip_speed: None,
            off: vec![],
            separate: false,
        }
    }
}

impl Scene {
    /// How surfaces keep apart; `None` where they do not.
    pub fn contact_settings(&self) -> Option<ContactSettings> {
        let default = Contact::default();
        let contact = self.contact.as_ref().unwrap_or(&default);
        if !contact.enabled || !self.method().is_implicit() {
            return None;
        }
        Some(ContactSettings {
            distance: contact.distance.map(|distance| distance.si()),
            stiffness_scale: contact.stiffness_scale.si(),
            friction: contact.friction.si(),
            friction_pairs: self.friction_pairs(contact),
            slip_speed: contact.slip_speed.map(|speed| speed.si()),
            off: contact.off.iter().flat_map(|pair| self.pairs(pair)).collect(),
            separate: contact.separate,
        })
    }

    /// Writes the contact that implicit methods have by default into its place.
    pub(super) fn fill_in_contact(&mut self) {
        if self.method().is_implicit() {
            self.contact.get_or_insert_default();
        }
    }

    /// Pairs of single bodies and obstacles, the more special ones later, where they win.
    fn friction_pairs(&self, contact: &Contact) -> Vec<(String, String, f64)> {
        let mut rows: Vec<&PairFriction> = contact.frictions.iter().collect();
        rows.sort_by_key(|row| row.between.iter().filter(|name| self.is_single(name)).count());
        let expand = |row: &PairFriction| {
            let friction = row.friction.si();
            self.pairs(&row.between).into_iter().map(move |(a, b)| (a, b, friction)).collect::<Vec<_>>()
        };
        rows.into_iter().flat_map(expand).collect()
    }

    /// Whether a name is a body or an obstacle. A material of the same name is then not meant.
    fn is_single(&self, name: &str) -> bool {
        self.bodies.contains_key(name) || self.obstacles.contains_key(name)
    }

    /// All pairs of single bodies and obstacles that two names stand for.
    fn pairs(&self, pair: &Pair) -> Vec<(String, String)> {
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
                Some(contact) => contact.enabled,
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
                .help("write method = \"bdf2\", or [contact] with enabled = false to do without contact"));
            }
        }
        let Some(contact) = &self.contact else { return Ok(()) };
        self.check_contact_keys(contact).map_err(|error| error.within("[contact]", None))
    }

    fn check_contact_keys(&self, contact: &Contact) -> Result<(), SceneError> {
        not_negative("friction", &contact.friction)?;
        positive_such_as("10", "stiffness_scale", &contact.stiffness_scale)?;
        if let Some(distance) = &contact.distance {
            positive_such_as("\"1 mm\"", "distance", distance)?;
        }
        if let Some(speed) = &contact.slip_speed {
            positive_such_as("\"1 mm/s\"", "slip_speed", speed)?;
        }
        for pair in &contact.off {
            pair.iter().try_for_each(|name| self.check_contact_name(name))?;
        }
        for (place, row) in contact.frictions.iter().enumerate() {
            not_negative("friction", &row.friction)?;
            row.between.iter().try_for_each(|name| self.check_contact_name(name))?;
            if contact.frictions[..place].iter().any(|other| same_pair(&other.between, &row.between)) {
                let [a, b] = [&row.between[0], &row.between[1]];
                let text =
                    format!("the friction between `{}` and `{}` is given twice", a.as_str(), b.as_str());
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
