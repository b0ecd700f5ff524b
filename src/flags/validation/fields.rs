//! Reads single values of a JSON body and collects validation errors.
//!
//! Each method returns a value even if it adds an error, so that one pass finds all errors.

use serde_json::{Map, Value};

use crate::api::limits::{MAX_LISTED_ERRORS, NAME_LENGTH};
use crate::error::{ApiError, Detail};

/// Maximum length of a property name in an error, in characters.
const MAX_KEY_LENGTH_IN_ERROR: usize = 100;
/// Punctuation that `encodeURIComponent` does not escape.
const URL_SAFE_PUNCTUATION: &str = "-_.!~*'()";

/// The validation errors of a body: the first [`MAX_LISTED_ERRORS`] and the number of further errors.
#[derive(Debug, Default)]
pub(in crate::flags) struct ValidationErrors {
    listed: Vec<Detail>,
    omitted: usize,
    allows_long_lists: bool,
}

impl ValidationErrors {
    /// Creates an empty list for an imported item, to which limits on list lengths do not apply.
    pub(in crate::flags) fn for_import() -> Self {
        Self { allows_long_lists: true, ..Self::default() }
    }

    /// Returns the parsed value if there are no errors.
    pub(in crate::flags) fn into_result<T>(mut self, read: T) -> Result<T, ApiError> {
        if self.listed.is_empty() {
            return Ok(read);
        }
        if self.omitted > 0 {
            let message = format!("{} more errors are not listed", self.omitted);
            self.listed.push(Detail { message, path: Vec::new(), rule: "errors.omitted".to_owned() });
        }
        Err(ApiError::Invalid(self.listed))
    }
}

/// A value of the body, which may be missing, and its path.
#[derive(Debug, Clone)]
pub(in crate::flags) struct Field<'v> {
    value: Option<&'v Value>,
    path: Vec<Value>,
}

impl<'v> Field<'v> {
    /// Creates a field for the whole body, which must be an object.
    pub(in crate::flags) fn root(body: &'v Value) -> Result<Self, ApiError> {
        let field = Self { value: Some(body), path: Vec::new() };
        let mut errors = ValidationErrors::default();
        field.object(&mut errors);
        errors.into_result(field)
    }

    /// Returns a property. It is missing if this value is not an object.
    pub(in crate::flags) fn get(&self, key: &str) -> Self {
        self.child(self.value.and_then(|value| value.get(key)), Value::from(key))
    }

    pub(in crate::flags) fn is_missing(&self) -> bool {
        self.value.is_none()
    }

    pub(in crate::flags) fn is_null(&self) -> bool {
        self.value.is_some_and(Value::is_null)
    }

    /// Adds an error. Its message is the field's label followed by `requirement`.
    pub(in crate::flags) fn add_error(&self, errors: &mut ValidationErrors, rule: &str, requirement: &str) {
        if errors.listed.len() >= MAX_LISTED_ERRORS {
            errors.omitted += 1;
            return;
        }
        errors.listed.push(Detail {
            message: format!("\"{}\" {requirement}", self.label()),
            path: self.path.iter().map(shorten).collect(),
            rule: rule.to_owned(),
        });
    }

    /// Adds an error if the value is missing.
    pub(in crate::flags) fn require(&self, errors: &mut ValidationErrors) {
        if self.is_missing() {
            self.add_error(errors, "any.required", "is required");
        }
    }

    /// Returns the items of a list with at most `max` items; otherwise no items.
    pub(in crate::flags) fn items(&self, max: usize, errors: &mut ValidationErrors) -> Vec<Self> {
        match self.value {
            None => Vec::new(),
            Some(Value::Array(items)) if self.is_too_long(items.len(), max, errors) => Vec::new(),
            Some(Value::Array(items)) => items
                .iter()
                .enumerate()
                .map(|(index, item)| self.child(Some(item), Value::from(index)))
                .collect(),
            Some(_) => {
                self.add_error(errors, "array.base", "must be an array");
                Vec::new()
            }
        }
    }

    /// Returns the properties of an object with at most `max` properties; otherwise nothing.
    pub(in crate::flags) fn object_with_limit(
        &self,
        max: usize,
        errors: &mut ValidationErrors,
    ) -> Option<&'v Map<String, Value>> {
        let object = self.object(errors)?;
        (!self.is_too_long(object.len(), max, errors)).then_some(object)
    }

    fn is_too_long(&self, length: usize, max: usize, errors: &mut ValidationErrors) -> bool {
        let is_too_long = length > max && !errors.allows_long_lists;
        if is_too_long {
            self.add_error(errors, "array.max", &format!("must contain less than or equal to {max} items"));
        }
        is_too_long
    }

    /// Returns the properties of an object. Adds an error if the value is not an object.
    pub(in crate::flags) fn object(&self, errors: &mut ValidationErrors) -> Option<&'v Map<String, Value>> {
        let object = self.value.and_then(Value::as_object);
        if object.is_none() && !self.is_missing() {
            self.add_error(errors, "object.base", "must be of type object");
        }
        object
    }

    /// Returns a string. Adds an error if the value is something else.
    pub(in crate::flags) fn text(&self, errors: &mut ValidationErrors) -> Option<String> {
        let text = self.value.and_then(Value::as_str);
        if text.is_none() && !self.is_missing() {
            self.add_error(errors, "string.base", "must be a string");
        }
        text.map(str::to_owned)
    }

    /// Returns a string, or `None` for null. Adds an error if the value is something else.
    pub(in crate::flags) fn nullable_text(&self, errors: &mut ValidationErrors) -> Option<String> {
        if self.is_null() { None } else { self.text(errors) }
    }

    /// Returns a string with a maximum length, or `None` for null. Adds an error if the value is something else.
    pub(in crate::flags) fn nullable_short_text(
        &self,
        max: usize,
        errors: &mut ValidationErrors,
    ) -> Option<String> {
        let text = self.nullable_text(errors)?;
        self.check_bounds(&text, (0, max), errors);
        Some(text)
    }

    /// Returns the items of a list like [`Self::items`], or `None` if the value is missing or null.
    pub(in crate::flags) fn nullable_items(
        &self,
        max: usize,
        errors: &mut ValidationErrors,
    ) -> Option<Vec<Self>> {
        (!self.is_missing() && !self.is_null()).then(|| self.items(max, errors))
    }

    /// Returns a string. Adds an error if it is empty.
    pub(in crate::flags) fn non_empty_text(&self, errors: &mut ValidationErrors) -> Option<String> {
        let text = self.text(errors);
        if text.as_deref() == Some("") {
            self.add_error(errors, "string.empty", "is not allowed to be empty");
        }
        text
    }

    /// Returns a non-empty string, or the default if the value is missing.
    pub(in crate::flags) fn text_or(&self, default: &str, errors: &mut ValidationErrors) -> String {
        self.non_empty_text(errors).unwrap_or_else(|| default.to_owned())
    }

    /// Returns a non-empty string. Adds an error if the value is missing.
    pub(in crate::flags) fn required_text(&self, errors: &mut ValidationErrors) -> String {
        self.require(errors);
        self.non_empty_text(errors).unwrap_or_default()
    }

    /// Returns a boolean. Adds an error if the value is something else.
    fn bool(&self, errors: &mut ValidationErrors) -> Option<bool> {
        let flag = self.value.and_then(Value::as_bool);
        if flag.is_none() && !self.is_missing() {
            self.add_error(errors, "boolean.base", "must be a boolean");
        }
        flag
    }

    /// Returns a boolean, or the default if the value is missing.
    pub(in crate::flags) fn bool_or(&self, default: bool, errors: &mut ValidationErrors) -> bool {
        self.bool(errors).unwrap_or(default)
    }

    /// Returns a boolean, or `None` for null. Adds an error if the value is something else.
    pub(in crate::flags) fn nullable_bool(&self, errors: &mut ValidationErrors) -> Option<bool> {
        if self.is_null() { None } else { self.bool(errors) }
    }

    /// Returns an integer, `None` if the value is anything else. 5.0 is an integer in JSON.
    pub(in crate::flags) fn integer(&self) -> Option<i128> {
        let value = self.value?;
        let integer = value.as_i64().map(i128::from).or_else(|| value.as_u64().map(i128::from));
        // Rust formats 5.0 as "5", which parses as an integer.
        integer.or_else(|| value.as_f64()?.to_string().parse().ok())
    }

    /// Returns the id of an item: an integer from 1. Adds an error for any other value.
    pub(in crate::flags) fn id(&self, errors: &mut ValidationErrors) -> u32 {
        self.require(errors);
        let id = self.integer().and_then(|id| u32::try_from(id).ok()).filter(|&id| id > 0);
        if id.is_none() && !self.is_missing() {
            self.add_error(errors, "number.id", "must be an integer of at least 1");
        }
        id.unwrap_or_default()
    }

    /// Returns the value that belongs to one of several words. Adds an error for any other word.
    pub(in crate::flags) fn one_of<T: Copy>(
        &self,
        words: &[(&str, T)],
        errors: &mut ValidationErrors,
    ) -> Option<T> {
        let value = self.value?;
        let found = words.iter().find(|(word, _)| value == word).map(|(_, meaning)| *meaning);
        if found.is_none() {
            let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            self.add_error(errors, "any.only", &format!("must be one of [{}]", known.join(", ")));
        }
        found
    }

    /// Returns a name that is safe in a URL, with the usual length.
    pub(in crate::flags) fn name(&self, errors: &mut ValidationErrors) -> String {
        self.name_with_length(NAME_LENGTH, errors)
    }

    /// Returns a name that is safe in a URL, with a minimum and maximum length.
    pub(in crate::flags) fn name_with_length(
        &self,
        bounds: (usize, usize),
        errors: &mut ValidationErrors,
    ) -> String {
        let name = self.required_text(errors);
        if !name.is_empty() {
            self.check_bounds(&name, bounds, errors);
            if !is_url_friendly(&name) {
                self.add_error(errors, "isUrlFriendly.base", "must be URL friendly");
            }
        }
        name
    }

    /// Adds an error if a name is too short or too long.
    pub(in crate::flags) fn check_name_length(&self, name: &str, errors: &mut ValidationErrors) {
        self.check_bounds(name, NAME_LENGTH, errors);
    }

    /// Adds an error if a text is too short or too long. Returns true if its length is within the bounds.
    pub(in crate::flags) fn check_bounds(
        &self,
        text: &str,
        (least, most): (usize, usize),
        errors: &mut ValidationErrors,
    ) -> bool {
        let length = text.chars().count();
        if length < least {
            self.add_error(errors, "string.min", &format!("length must be at least {least} characters long"));
        } else if length > most {
            let requirement = format!("length must be less than or equal to {most} characters long");
            self.add_error(errors, "string.max", &requirement);
        }
        (least..=most).contains(&length)
    }

    pub(in crate::flags) fn value(&self) -> Option<&'v Value> {
        self.value
    }

    fn child(&self, value: Option<&'v Value>, step: Value) -> Self {
        let mut path = self.path.clone();
        path.push(step);
        Self { value, path }
    }

    /// Returns the path as text, such as `variants[0].weight`.
    fn label(&self) -> String {
        let steps = self.path.iter().map(shorten).enumerate().map(|(depth, step)| match step {
            Value::String(key) if depth == 0 => key,
            Value::String(key) => format!(".{key}"),
            index => format!("[{index}]"),
        });
        if self.path.is_empty() { "value".to_owned() } else { steps.collect() }
    }
}

/// Truncates a long property name in a path, so that an error does not repeat a large body.
fn shorten(step: &Value) -> Value {
    match step {
        Value::String(key) => match key.char_indices().nth(MAX_KEY_LENGTH_IN_ERROR) {
            Some((end, _)) => Value::from(key.get(..end).unwrap_or_default().to_owned() + "…"),
            None => step.clone(),
        },
        index => index.clone(),
    }
}

/// Returns true if the text is a valid toggle name.
pub(in crate::flags) fn is_valid_name(name: &str) -> bool {
    let (least, most) = NAME_LENGTH;
    (least..=most).contains(&name.chars().count()) && is_url_friendly(name)
}

/// Returns true if a name needs no escaping in a URL path. Browsers remove the path segment `..`.
fn is_url_friendly(name: &str) -> bool {
    name != ".." && name.chars().all(|c| c.is_ascii_alphanumeric() || URL_SAFE_PUNCTUATION.contains(c))
}
