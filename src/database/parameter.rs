//! The parameters of statements.

use std::borrow::Cow;
use std::fmt;

use super::dialect::{has_nul, without_nul};

/// A parameter of a statement, in a type that each engine has. Its type is known even if it is null, because PostgreSQL
/// prepares a statement with the types of its parameters.
#[derive(Clone)]
pub enum Parameter<'v> {
    /// A text.
    Text(Option<Cow<'v, str>>),
    /// An integer of 64 bits.
    Integer(Option<i64>),
    /// True or false. SQLite stores 1 or 0.
    Boolean(Option<bool>),
    /// Bytes.
    Bytes(Option<&'v [u8]>),
}

impl Parameter<'_> {
    /// Replaces U+0000 in a text.
    pub(super) fn without_nul(self) -> Self {
        match self {
            Self::Text(Some(text)) if has_nul(&text) => Self::Text(Some(without_nul(&text).into())),
            other => other,
        }
    }
}

/// Does not print the value, which may be a secret: the client of PostgreSQL logs parameters.
impl fmt::Debug for Parameter<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Text(_) => "text",
            Self::Integer(_) => "integer",
            Self::Boolean(_) => "boolean",
            Self::Bytes(_) => "bytes",
        })
    }
}

/// Converts its arguments into a list of parameters: the first is `?1` in the statement.
macro_rules! params {
    ($($value:expr),* $(,)?) => { &[$($crate::database::Parameter::from($value)),*] };
}
pub(crate) use params;

/// Implements the conversion of a type, its reference and its options into a parameter.
macro_rules! convert {
    ($variant:ident, $($kind:ty),*) => { $(
        impl From<$kind> for Parameter<'_> {
            fn from(value: $kind) -> Self {
                Self::$variant(Some(value.into()))
            }
        }
        impl From<&$kind> for Parameter<'_> {
            fn from(value: &$kind) -> Self {
                Self::$variant(Some((*value).into()))
            }
        }
        impl From<Option<$kind>> for Parameter<'_> {
            fn from(value: Option<$kind>) -> Self {
                Self::$variant(value.map(Into::into))
            }
        }
    )* };
}

convert!(Integer, i32, i64, u32);
convert!(Boolean, bool);

impl From<String> for Parameter<'_> {
    fn from(text: String) -> Self {
        Self::Text(Some(text.into()))
    }
}

impl From<Option<String>> for Parameter<'_> {
    fn from(text: Option<String>) -> Self {
        Self::Text(text.map(Into::into))
    }
}

impl<'v> From<&'v str> for Parameter<'v> {
    fn from(text: &'v str) -> Self {
        Self::Text(Some(text.into()))
    }
}

impl<'v> From<&'v String> for Parameter<'v> {
    fn from(text: &'v String) -> Self {
        Self::from(text.as_str())
    }
}

impl<'v> From<Option<&'v str>> for Parameter<'v> {
    fn from(text: Option<&'v str>) -> Self {
        Self::Text(text.map(Into::into))
    }
}

impl<'v> From<&'v Option<String>> for Parameter<'v> {
    fn from(text: &'v Option<String>) -> Self {
        Self::from(text.as_deref())
    }
}

impl<'v> From<&'v [u8]> for Parameter<'v> {
    fn from(bytes: &'v [u8]) -> Self {
        Self::Bytes(Some(bytes))
    }
}
