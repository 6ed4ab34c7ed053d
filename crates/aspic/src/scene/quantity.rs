//! Numbers with a dimension: [`Quantity`] and [`Vector`], read from bare SI numbers or text with a unit.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use serde::ser::Serializer;

use super::error::{SceneError, pack};
use super::span::{Located, Span};
use super::units::{self, Measure};
use crate::Vec3;

/// A physical dimension, as a type.
pub trait Dimension: Copy + fmt::Debug + PartialEq + 'static {
    /// What it measures.
    const MEASURE: Measure;
    /// Its name in the JSON schema.
    const NAME: &'static str;
    /// The SI unit.
    const UNIT: &'static str;
    /// How a person would write one.
    const EXAMPLE: &'static str;
}

macro_rules! dimensions {
    (@ $name:ident) => { Measure::$name };
    (@ $name:ident $measure:ident) => { Measure::$measure };
    ($($name:ident $(= $measure:ident)? $unit:literal $example:literal;)*) => {$(
        #[doc = concat!("Marks a quantity in ", $unit, ".")]
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct $name;
        impl Dimension for $name {
            const MEASURE: Measure = dimensions!(@ $name $($measure)?);
            const NAME: &'static str = stringify!($name);
            const UNIT: &'static str = $unit;
            const EXAMPLE: &'static str = $example;
        }
    )*};
}

dimensions! {
    Length "m" "\"3 cm\"";
    Time "s" "\"10 ms\"";
    Pressure "Pa" "\"30 kPa\"";
    Density "kg/m³" "\"1 g/cm^3\"";
    Viscosity "Pa·s" "\"1 Pa s\"";
    Speed "m/s" "\"5 km/h\"";
    Acceleration "m/s²" "\"9.81 m/s^2\"";
    Force "N" "\"2 N\"";
    Angle "rad" "\"80 deg\"";
    AngularSpeed "rad/s" "\"60 rpm\"";
    Stiffness "N/m" "\"2 kN/m\"";
    Frequency "Hz" "\"24 Hz\"";
    MassPerLength "kg/m" "\"50 g/m\"";
    MassPerArea "kg/m²" "\"200 g/m^2\"";
    BendingStiffness "N·m²" "\"1e-4 N m^2\"";
    Rigidity "N·m" "\"1e-5 N m\"";
    Damping "N·s/m" "\"0.1 N s/m\"";
    AreaSpring "N/m³" "\"1e4 N/m^3\"";
    VolumeSpring "N/m⁵" "\"1e9 N/m^5\"";
    Number "1" "0.3";
    Tolerance = Number "1" "1e-3";
}

/// A finite number of one dimension, in SI units, which remembers where it was written.
#[derive(Clone, Copy, Debug)]
pub struct Quantity<D> {
    value: f64,
    span: Span,
    dimension: PhantomData<D>,
}

impl<D: Dimension> Quantity<D> {
    /// From a value in SI units that did not come from text.
    pub const fn new(value: f64) -> Self {
        Self { value, span: Span { start: 0, end: 0 }, dimension: PhantomData }
    }

    /// The value in SI units.
    pub const fn si(&self) -> f64 {
        self.value
    }

    /// Where it was written.
    pub fn span(&self) -> Span {
        self.span
    }
}

impl<D> PartialEq for Quantity<D> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl<D: Dimension> fmt::Display for Quantity<D> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match D::MEASURE {
            Measure::Number => write!(f, "{}", self.value),
            _ => write!(f, "{} {}", self.value, D::UNIT),
        }
    }
}

impl<D> Serialize for Quantity<D> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.value)
    }
}

impl<'de, D: Dimension> Deserialize<'de> for Quantity<D> {
    fn deserialize<De: Deserializer<'de>>(deserializer: De) -> Result<Self, De::Error> {
        let bare = Located::<Bare<D>>::deserialize(deserializer)?;
        Ok(Self { value: bare.0, span: bare.span(), dimension: PhantomData })
    }
}

/// The value without its place; [`Located`] adds that.
struct Bare<D>(f64, PhantomData<D>);

impl<'de, D: Dimension> Deserialize<'de> for Bare<D> {
    fn deserialize<De: Deserializer<'de>>(deserializer: De) -> Result<Self, De::Error> {
        let value = deserializer.deserialize_any(ScalarVisitor::<D>(PhantomData))?;
        Ok(Self(value, PhantomData))
    }
}

struct ScalarVisitor<D>(PhantomData<D>);

impl<D: Dimension> Visitor<'_> for ScalarVisitor<D> {
    type Value = f64;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} such as {}", D::MEASURE.phrase(), D::EXAMPLE)
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<f64, E> {
        Ok(value as f64)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<f64, E> {
        Ok(value as f64)
    }

    fn visit_i128<E: Error>(self, value: i128) -> Result<f64, E> {
        Ok(value as f64)
    }

    fn visit_u128<E: Error>(self, value: u128) -> Result<f64, E> {
        Ok(value as f64)
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<f64, E> {
        units::finite(value, &value.to_string()).map_err(through_serde)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<f64, E> {
        units::parse_as(text, D::MEASURE).map_err(through_serde)
    }
}

fn through_serde<E: Error>(error: SceneError) -> E {
    E::custom(pack(&error.message, error.help.as_deref().unwrap_or_default()))
}

impl<D: Dimension> JsonSchema for Quantity<D> {
    fn schema_name() -> Cow<'static, str> {
        D::NAME.into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let units = D::MEASURE.symbols().join(", ");
        let text = format!(
            "{}: a number in {}, or text with a unit such as {} ({units})",
            D::NAME,
            D::UNIT,
            D::EXAMPLE
        );
        schemars::json_schema!({ "type": ["number", "string"], "description": text })
    }
}

/// Three quantities of one dimension: x, y, z.
#[derive(Clone, Copy, Debug)]
pub struct Vector<D> {
    components: [Quantity<D>; 3],
    span: Span,
}

impl<D: Dimension> Vector<D> {
    /// From components in SI units that did not come from text.
    pub const fn new(x: f64, y: f64, z: f64) -> Self {
        let components = [Quantity::new(x), Quantity::new(y), Quantity::new(z)];
        Self { components, span: Span { start: 0, end: 0 } }
    }

    /// The vector in SI units.
    pub fn si(&self) -> Vec3 {
        Vec3::from(self.components.map(|component| component.si()))
    }

    /// x, y, z, each with its own place.
    pub fn components(&self) -> &[Quantity<D>; 3] {
        &self.components
    }

    /// Where it was written.
    pub fn span(&self) -> Span {
        self.span
    }
}

impl<D> PartialEq for Vector<D> {
    fn eq(&self, other: &Self) -> bool {
        self.components == other.components
    }
}

impl<D> Serialize for Vector<D> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(&self.components)
    }
}

impl<'de, D: Dimension> Deserialize<'de> for Vector<D> {
    fn deserialize<De: Deserializer<'de>>(deserializer: De) -> Result<Self, De::Error> {
        let components = Located::<Triple<D>>::deserialize(deserializer)?;
        Ok(Self { components: components.0, span: components.span() })
    }
}

/// Three quantities without the place of the whole; [`Located`] adds that.
struct Triple<D>([Quantity<D>; 3]);

impl<'de, D: Dimension> Deserialize<'de> for Triple<D> {
    fn deserialize<De: Deserializer<'de>>(deserializer: De) -> Result<Self, De::Error> {
        deserializer.deserialize_any(TripleVisitor { downwards: false, dimension: PhantomData })
    }
}

/// Reads [x, y, z], and with `downwards` also a single number that points along −z.
struct TripleVisitor<D> {
    downwards: bool,
    dimension: PhantomData<D>,
}

impl<D: Dimension> TripleVisitor<D> {
    fn scalar<E: Error>(self, value: Result<f64, E>, found: serde::de::Unexpected) -> Result<Triple<D>, E> {
        if !self.downwards {
            return Err(E::invalid_type(found, &self));
        }
        Ok(Triple(Vector::new(0.0, 0.0, 0.0 - value?).components))
    }
}

impl<'de, D: Dimension> Visitor<'de> for TripleVisitor<D> {
    type Value = Triple<D>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match D::MEASURE {
            Measure::Number => write!(f, "three numbers [x, y, z]"),
            _ => write!(f, "three values [x, y, z] in {}", D::UNIT),
        }
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Self::Value, E> {
        self.scalar(Ok(value as f64), serde::de::Unexpected::Signed(value))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Self::Value, E> {
        let scalar = ScalarVisitor::<D>(PhantomData).visit_f64(value);
        self.scalar(scalar, serde::de::Unexpected::Float(value))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        let scalar = ScalarVisitor::<D>(PhantomData).visit_str(text);
        self.scalar(scalar, serde::de::Unexpected::Str(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut items: Vec<Quantity<D>> = Vec::with_capacity(3);
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        let count = items.len();
        items.try_into().map(Triple).map_err(|_| {
            let found = if count == 1 { "1 value is".to_owned() } else { format!("{count} values are") };
            A::Error::custom(pack(
                &format!("a vector needs three values, but {found} given"),
                "write [x, y, z]",
            ))
        })
    }
}

impl<D: Dimension> JsonSchema for Vector<D> {
    fn schema_name() -> Cow<'static, str> {
        format!("{}Vector", D::NAME).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        schemars::json_schema!({
            "type": "array",
            "items": generator.subschema_for::<Quantity<D>>(),
            "minItems": 3,
            "maxItems": 3,
            "description": format!("[x, y, z] in {}", D::UNIT),
        })
    }
}

/// The field of gravity: a vector, or a single number for a field straight down (−z).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Gravity(pub Vector<Acceleration>);

impl<'de> Deserialize<'de> for Gravity {
    fn deserialize<De: Deserializer<'de>>(deserializer: De) -> Result<Self, De::Error> {
        let read = Located::<GravityTriple>::deserialize(deserializer)?;
        Ok(Self(Vector { components: read.0, span: read.span() }))
    }
}

struct GravityTriple([Quantity<Acceleration>; 3]);

impl<'de> Deserialize<'de> for GravityTriple {
    fn deserialize<De: Deserializer<'de>>(deserializer: De) -> Result<Self, De::Error> {
        let visitor = TripleVisitor { downwards: true, dimension: PhantomData };
        Ok(Self(deserializer.deserialize_any(visitor)?.0))
    }
}

impl JsonSchema for Gravity {
    fn schema_name() -> Cow<'static, str> {
        "Gravity".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        schemars::json_schema!({
            "anyOf": [
                generator.subschema_for::<Vector<Acceleration>>(),
                generator.subschema_for::<Quantity<Acceleration>>(),
            ],
            "description": "The field of gravity in m/s²: [x, y, z], or one value straight down (−z)",
        })
    }
}
