//! Values that remember where in the scene text they were written.

use std::borrow::Cow;
use std::fmt;
use std::ops::{Deref, DerefMut, Range};

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};

/// A piece of the scene text, in bytes. Empty when the value did not come from text.
#[derive(Clone, Copy, Debug, Default)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// The byte range, or `None` for a value that did not come from text.
    pub fn range(self) -> Option<Range<usize>> {
        (self.end > self.start).then_some(self.start..self.end)
    }
}

impl From<Range<usize>> for Span {
    fn from(range: Range<usize>) -> Self {
        Self { start: range.start, end: range.end }
    }
}

/// A value and where it was written. Compares, serialises and reads like the value alone.
#[derive(Clone, Copy, Debug, Default)]
pub struct Located<T> {
    value: T,
    span: Span,
}

impl<T> Located<T> {
    /// A value that did not come from text.
    pub fn new(value: T) -> Self {
        Self { value, span: Span::default() }
    }

    /// Where it was written.
    pub fn span(&self) -> Span {
        self.span
    }

    /// The value alone.
    pub fn into_inner(self) -> T {
        self.value
    }
}

impl<T> Deref for Located<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> DerefMut for Located<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.value
    }
}

impl<T> From<T> for Located<T> {
    fn from(value: T) -> Self {
        Self::new(value)
    }
}

impl<T: PartialEq> PartialEq for Located<T> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl<T: Serialize> Serialize for Located<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value.serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Located<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let spanned = toml::Spanned::<T>::deserialize(deserializer)?;
        let span = spanned.span().into();
        Ok(Self { value: spanned.into_inner(), span })
    }
}

impl<T: JsonSchema> JsonSchema for Located<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }
    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }
    fn schema_id() -> Cow<'static, str> {
        T::schema_id()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

/// Exactly `N` values. A plain `[T; N]` would silently drop what a user wrote beyond the last one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exactly<T, const N: usize>(pub [T; N]);

impl<T, const N: usize> Deref for Exactly<T, N> {
    type Target = [T; N];
    fn deref(&self) -> &[T; N] {
        &self.0
    }
}

impl<T: Serialize, const N: usize> Serialize for Exactly<T, N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(&self.0)
    }
}

impl<'de, T: Deserialize<'de>, const N: usize> Deserialize<'de> for Exactly<T, N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(ExactlyVisitor(std::marker::PhantomData))
    }
}

struct ExactlyVisitor<T, const N: usize>(std::marker::PhantomData<T>);

impl<'de, T: Deserialize<'de>, const N: usize> Visitor<'de> for ExactlyVisitor<T, N> {
    type Value = Exactly<T, N>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "an array of {N} values")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut items = Vec::with_capacity(N);
        while items.len() < N {
            let Some(item) = seq.next_element()? else {
                return Err(A::Error::invalid_length(items.len(), &self));
            };
            items.push(item);
        }
        let mut count = N;
        while seq.next_element::<IgnoredAny>()?.is_some() {
            count += 1;
        }
        match <[T; N]>::try_from(items) {
            Ok(items) if count == N => Ok(Exactly(items)),
            _ => Err(A::Error::invalid_length(count, &self)),
        }
    }
}

impl<T: JsonSchema, const N: usize> JsonSchema for Exactly<T, N> {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        format!("{}x{N}", T::schema_name()).into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        schemars::json_schema!({
            "type": "array",
            "items": generator.subschema_for::<T>(),
            "minItems": N,
            "maxItems": N,
        })
    }
}
