//! Which contact a scene has: guaranteed, or one of the older ones, by impulses between steps or by springs.

use std::fmt;

use schemars::JsonSchema;
use serde::de::value::{MapAccessDeserializer, StrDeserializer};
use serde::de::{Deserializer, Error, MapAccess, Visitor};
use serde::{Deserialize, Serialize};

use super::contact::{Contact, OwnDistance};
use super::error::SceneError;
use super::material::{not_negative, positive_such_as};
use super::obstacle::ObstacleShape;
use super::place::written;
use super::quantity::{Number, Quantity};
use super::schema::Scene;
use super::span::{Located, Span};
use crate::body::{ImpulseSettings, SpringSettings};
use crate::event::Removal;
use crate::impulse;

/// How bodies touch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ContactModel {
    /// Surfaces never cross. Needs an implicit method.
    #[default]
    Guaranteed,
    /// Impulses between steps on mass points: against planes, spheres and each other. Fast bodies may pass.
    Impulse,
    /// Impulses between steps on points inside closed surfaces, found by a flood from the edges that are cut; and
    /// against planes. Fast bodies may pass.
    Flood,
    /// Springs between surface points, put there at the very moment when closed surfaces meet. Needs an explicit method.
    Springs,
    /// Lagrange multipliers that hold what has met for as long as it is pushed together. Needs an explicit method.
    Multipliers,
}

/// When a contact spring is taken away.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SpringRemoval {
    /// When what it holds is outside the other body.
    #[default]
    Outside,
    /// When it would pull, seen from the face where it began: the rule of 1997, which leaves springs behind.
    Paper,
}

impl ContactModel {
    /// The word for it in a scene file.
    pub fn word(self) -> &'static str {
        match self {
            ContactModel::Guaranteed => "guaranteed",
            ContactModel::Impulse => "impulse",
            ContactModel::Flood => "flood",
            ContactModel::Springs => "springs",
            ContactModel::Multipliers => "multipliers",
        }
    }

    /// The model of impulses that it stands for; `None` for others.
    pub fn impulses(self) -> Option<impulse::Model> {
        match self {
            ContactModel::Guaranteed | ContactModel::Springs | ContactModel::Multipliers => None,
            ContactModel::Impulse => Some(impulse::Model::Points),
            ContactModel::Flood => Some(impulse::Model::Flood),
        }
    }
}

/// `contact` in a scene file: a word for the model, or the whole table. Only editors see this type.
#[derive(JsonSchema)]
#[serde(untagged)]
#[allow(dead_code)]
pub(super) enum WordOrTable {
    /// The model, with defaults for everything else.
    Word(ContactModel),
    /// Everything there is to say.
    Table(Box<Contact>),
}

/// Reads `contact`: a word stands for a table with that model.
pub(super) fn word_or_table<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Contact>, D::Error> {
    deserializer.deserialize_any(ContactVisitor).map(Some)
}

struct ContactVisitor;

impl<'de> Visitor<'de> for ContactVisitor {
    type Value = Contact;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(
            "a table that describes contact, or one of \"guaranteed\", \"impulse\", \"flood\", \"springs\" and \"multipliers\"",
        )
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<Contact, E> {
        let model = ContactModel::deserialize(StrDeserializer::new(word))?;
        Ok(Contact { model: Located::new(model), ..Contact::default() })
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Contact, A::Error> {
        // The map passes straight through, so that places in the text survive.
        Contact::deserialize(MapAccessDeserializer::new(map))
    }
}

impl Scene {
    /// How bodies touch; `None` where they do not, because contact is switched off.
    pub fn contact_model(&self) -> Option<ContactModel> {
        match &self.contact {
            Some(contact) => contact.enabled.then_some(*contact.model),
            None => Some(ContactModel::Guaranteed),
        }
    }

    /// Contact by impulses; `None` where contact is guaranteed or there is none.
    pub fn impulse_settings(&self) -> Option<ImpulseSettings> {
        let contact = self.contact.as_ref()?;
        let model = self.contact_model()?.impulses()?;
        let number = |value: &Option<Quantity<Number>>| value.map(|value| value.si());
        Some(ImpulseSettings {
            model,
            restitution: number(&contact.restitution).unwrap_or(0.0),
            friction: contact.friction.si(),
            friction_pairs: self.friction_pairs(contact),
            friction_factor: number(&contact.friction_factor),
            point_radius: contact.point_radius.map_or(0.0, |radius| radius.si()),
            self_contact: contact.self_contact.is_some_and(Located::into_inner),
            off: contact.off.iter().flat_map(|pair| self.pairs(pair)).collect(),
        })
    }

    /// Contact by springs or multipliers; `None` where bodies touch otherwise or not at all.
    pub fn spring_settings(&self) -> Option<SpringSettings> {
        let contact = self.contact.as_ref()?;
        let rigid = match self.contact_model()? {
            ContactModel::Springs => false,
            ContactModel::Multipliers => true,
            _ => return None,
        };
        let sliding = contact.sliding.is_some_and(Located::into_inner);
        Some(SpringSettings {
            rigid,
            stiffness: contact.spring_stiffness.map(|stiffness| stiffness.si()),
            removal: match contact.removal.as_deref() {
                Some(SpringRemoval::Paper) => Removal::Paper,
                _ => Removal::Outside,
            },
            friction: sliding.then(|| contact.friction.si()),
            self_contact: contact.self_contact.is_some_and(Located::into_inner),
            off: contact.off.iter().flat_map(|pair| self.pairs(pair)).collect(),
        })
    }

    /// Keys that go with another model, numbers out of range, and obstacles that the model does not know.
    pub(super) fn check_contact_model(&self, contact: &Contact) -> Result<(), SceneError> {
        contact.check_model_keys()?;
        for (key, part) in
            [("restitution", &contact.restitution), ("friction_factor", &contact.friction_factor)]
        {
            let Some(part) = part else { continue };
            if not_negative(key, part)? > 1.0 {
                return Err(SceneError::new(format!("`{key}` must be at most 1, not {part}"))
                    .at(part.span())
                    .help(format!("write for example {key} = 0.5")));
            }
        }
        if let Some(stiffness) = &contact.spring_stiffness {
            positive_such_as("\"2 kN/m\"", "spring_stiffness", stiffness)?;
        }
        if let Some(radius) = &contact.point_radius {
            positive_such_as("\"5 mm\"", "point_radius", radius)?;
        }
        let coulomb = contact.friction.si() > 0.0 || !contact.frictions.is_empty();
        let slides = contact.sliding.is_some_and(Located::into_inner);
        if *contact.model == ContactModel::Multipliers && slides && coulomb {
            return Err(SceneError::new("contact by multipliers sticks, or slides without friction")
                .at(contact.friction.span())
                .help("remove `friction`, or write model = \"springs\""));
        }
        if let Some(factor) = contact.friction_factor.filter(|_| coulomb) {
            return Err(SceneError::new("`friction_factor` stands instead of `friction` and `frictions`")
                .at(factor.span())
                .help("keep one of them"));
        }
        Ok(())
    }

    /// Obstacles that the model does not know.
    pub(super) fn check_contact_obstacles(&self, model: ContactModel) -> Result<(), SceneError> {
        for (name, obstacle) in &self.obstacles {
            let known = match (model, obstacle.shape.as_deref()) {
                (ContactModel::Guaranteed, _) => continue,
                (_, Some(ObstacleShape::Plane(_))) => continue,
                (ContactModel::Impulse, Some(ObstacleShape::Sphere(_))) => continue,
                (ContactModel::Impulse, _) => "planes and spheres",
                (_, Some(ObstacleShape::Plate(_))) => "planes and closed surfaces",
                _ => continue,
            };
            let word = model.word();
            return Err(SceneError::new(format!("contact model \"{word}\" knows only {known} as obstacles"))
                .at(obstacle.place())
                .within(&format!("[obstacles.{}]", written(name)), None)
                .help("use one of those, or another model of contact"));
        }
        Ok(())
    }
}

/// A key, and where it is written if it is.
type Given = (&'static str, Option<Span>);

impl Contact {
    /// Every key must go with the model.
    fn check_model_keys(&self) -> Result<(), SceneError> {
        let flag = |flag: &Option<Located<bool>>| flag.map(|flag| flag.span());
        let number = |number: &Option<Quantity<Number>>| number.map(|number| number.span());
        let guaranteed = [
            ("distance", self.distance.map(|distance| distance.span())),
            ("distances", self.distances.first().map(OwnDistance::span)),
            ("stiffness_scale", number(&self.stiffness_scale)),
            ("slip_speed", self.slip_speed.map(|speed| speed.span())),
            ("separate", flag(&self.separate)),
        ];
        let impulses =
            [("restitution", number(&self.restitution)), ("friction_factor", number(&self.friction_factor))];
        let points = [("point_radius", self.point_radius.map(|radius| radius.span()))];
        let own = [("self_contact", flag(&self.self_contact))];
        let springs = [
            ("spring_stiffness", self.spring_stiffness.map(|stiffness| stiffness.span())),
            ("removal", self.removal.map(|removal| removal.span())),
        ];
        let feet = [("sliding", flag(&self.sliding))];
        use ContactModel::{Flood, Guaranteed, Impulse, Multipliers, Springs};
        let rows: [(&[Given], &[ContactModel]); 6] = [
            (&guaranteed, &[Guaranteed]),
            (&impulses, &[Impulse, Flood]),
            (&points, &[Impulse]),
            (&own, &[Impulse, Springs, Multipliers]),
            (&springs, &[Springs]),
            (&feet, &[Springs, Multipliers]),
        ];
        for (keys, models) in rows {
            let given = keys.iter().find_map(|(key, span)| Some((key, (*span)?)));
            let Some((key, span)) = given.filter(|_| !models.contains(&self.model)) else { continue };
            let words: Vec<String> = models.iter().map(|model| format!("\"{}\"", model.word())).collect();
            let (fits, word) = (words.join(" and "), self.model.word());
            let text = format!("`{key}` goes only with model {fits}, and the model is \"{word}\"");
            let help = format!("remove `{key}`, or write model = {}", words[0]);
            return Err(SceneError::new(text).at(span).help(help));
        }
        Ok(())
    }
}
