//! Validation of request bodies. A body is declared once, as the function that reads it ([`RequestBody::read`]). The
//! function converts the values and reports all errors. In tests, it also describes the JSON schema of the body for the
//! OpenAPI document: each method of [`Field`] adds the keywords of its check.

#[cfg(test)]
pub(crate) mod description;
mod fields;

use std::cell::RefCell;

use serde_json::{Value, json};

pub use self::fields::Field;
pub(in crate::flags) use self::fields::{is_valid_name, url_friendly_text};
use crate::api::limits::{MAX_LISTED_ERRORS, NAME_LENGTH};
use crate::error::{ApiError, Detail};

/// The body of a request, or an object with its own schema in one.
///
/// Properties that are missing get their default, and unknown properties are ignored.
pub trait RequestBody: Sized {
    /// The name of the schema.
    const NAME: &'static str;

    /// Reads the body. Returns a value even if it adds an error, so that one pass finds all errors. Reads each property
    /// regardless of the others, because the schema contains the properties that are read.
    fn read(body: &Field<'_>) -> Self;

    /// Parses a body.
    ///
    /// # Errors
    /// [`ApiError::Invalid`] with every validation error.
    fn parse(body: &Value) -> Result<Self, ApiError> {
        Validation::default().parse(body)
    }

    /// Parses the new version of the item with this key. A key in the body is ignored.
    ///
    /// # Errors
    /// [`ApiError::Invalid`] with every validation error.
    fn parse_replacement(key: &str, body: &Value) -> Result<Self, ApiError> {
        Validation { key: Some(key.to_owned()), ..Validation::default() }.parse(body)
    }

    /// Parses an item of an exported state. Limits on list lengths do not apply.
    ///
    /// # Errors
    /// [`ApiError::Invalid`] with every validation error.
    fn parse_imported(body: &Value) -> Result<Self, ApiError> {
        Validation { allows_long_lists: true, ..Validation::default() }.parse(body)
    }

    /// Parses an item that a flag service has accepted, to serve it as it is. Only types and names of properties are checked.
    ///
    /// # Errors
    /// [`ApiError::Invalid`] with every validation error.
    fn parse_trusted(body: &Value) -> Result<Self, ApiError> {
        Validation { allows_long_lists: true, trusts_values: true, ..Validation::default() }.parse(body)
    }
}

/// Rules about the length and the characters of a value, and the length of a list. Servers of other versions have other limits.
const LIMITS: [&str; 8] = [
    "array.max",
    "array.unique",
    "isUrlFriendly.base",
    "string.empty",
    "string.max",
    "string.min",
    "string.name",
    "string.pattern.base",
];

/// The state of reading a body.
#[derive(Debug, Default)]
struct Validation {
    errors: RefCell<ValidationErrors>,
    allows_long_lists: bool,
    /// A flag service has accepted the values: only the structure of the body is checked.
    trusts_values: bool,
    /// The key of the item that the body replaces.
    key: Option<String>,
    /// The schema, if the body is described instead of read.
    #[cfg(test)]
    description: Option<description::Description>,
}

/// The validation errors of a body: the first [`MAX_LISTED_ERRORS`] and the number of further errors.
#[derive(Debug, Default)]
struct ValidationErrors {
    listed: Vec<Detail>,
    omitted: usize,
}

impl Validation {
    fn parse<T: RequestBody>(self, body: &Value) -> Result<T, ApiError> {
        let body = Field::root(Some(body), &self);
        // The properties of another value would all be reported as missing.
        let value = body.object().then(|| T::read(&body));
        let errors = self.errors.into_inner();
        value.filter(|_| errors.listed.is_empty()).ok_or_else(|| errors.into_error())
    }
}

impl ValidationErrors {
    fn add(&mut self, detail: impl FnOnce() -> Detail) {
        if self.listed.len() < MAX_LISTED_ERRORS {
            self.listed.push(detail());
        } else {
            self.omitted += 1;
        }
    }

    fn into_error(mut self) -> ApiError {
        if self.omitted > 0 {
            let message = format!("{} more errors are not listed", self.omitted);
            self.listed.push(Detail { message, path: Vec::new(), rule: "errors.omitted".to_owned() });
        }
        ApiError::Invalid(self.listed)
    }
}

/// A request that checks whether a name is valid and free.
pub struct NameCheck(pub String);

impl RequestBody for NameCheck {
    const NAME: &'static str = "NameCheck";

    fn read(body: &Field<'_>) -> Self {
        body.describe(|| json!({ "examples": [{ "name": "checkout.express" }] }));
        Self(body.get("name").name(NAME_LENGTH))
    }
}

/// Returns the name in a body that may be invalid; empty if it has none.
pub(super) fn name_of(body: &Value) -> String {
    body.get("name").and_then(Value::as_str).unwrap_or_default().to_owned()
}
