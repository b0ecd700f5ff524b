//! Reads single values of a JSON body, collects validation errors, and describes the values.

use std::borrow::Cow;
use std::cell::RefCell;

use serde_json::{Map, Value, json};

use super::{LIMITS, RequestBody, Validation};
use crate::api::limits::{MAX_VALUES, NAME_LENGTH};
use crate::error::Detail;

/// Maximum length of a property name in an error, in characters.
const MAX_KEY_LENGTH_IN_ERROR: usize = 100;
/// Punctuation that `encodeURIComponent` does not escape.
const URL_SAFE_PUNCTUATION: &str = "-_.!~*'()";

/// A value of the body, which may be missing, and its path.
#[derive(Debug)]
pub struct Field<'v> {
    value: Option<&'v Value>,
    path: Vec<Step>,
    validation: &'v Validation,
    /// The keys of the properties that were read.
    known_keys: RefCell<Vec<&'static str>>,
}

/// A step of a path: into an object or a list.
#[derive(Debug, Clone)]
pub(super) enum Step {
    Key(Cow<'static, str>),
    Index(usize),
}

impl<'v> Field<'v> {
    pub(super) fn root(value: Option<&'v Value>, validation: &'v Validation) -> Self {
        Self { value, path: Vec::new(), validation, known_keys: RefCell::default() }
    }

    /// Returns a property. It is missing if this value is not an object.
    pub(in crate::flags) fn get(&self, key: &'static str) -> Self {
        self.known_keys.borrow_mut().push(key);
        self.child(self.value.and_then(|value| value.get(key)), Step::Key(key.into()))
    }

    /// Returns the property with a key that is not known at compile time.
    pub(in crate::flags) fn get_dynamic(&self, key: &str) -> Self {
        self.child(self.value.and_then(|value| value.get(key)), Step::Key(shorten(key).into()))
    }

    pub(in crate::flags) fn value(&self) -> Option<&'v Value> {
        self.value
    }

    /// Returns true if a flag service has accepted the values, and only the structure of the body is checked.
    pub(in crate::flags) fn trusts_values(&self) -> bool {
        self.validation.trusts_values
    }

    fn is_missing(&self) -> bool {
        self.value.is_none()
    }

    fn child(&self, value: Option<&'v Value>, step: Step) -> Self {
        let mut path = Vec::with_capacity(self.path.len() + 1);
        path.extend_from_slice(&self.path);
        path.push(step);
        Self { path, ..Self::root(value, self.validation) }
    }

    /// Adds keywords to the schema of this value.
    pub(in crate::flags) fn describe(&self, keywords: impl FnOnce() -> Value) -> &Self {
        self.edit_schema(&self.path, |schema| {
            if let Value::Object(keywords) = keywords() {
                for (keyword, value) in keywords {
                    schema[keyword] = value;
                }
            }
        });
        self
    }

    /// Changes the schema at a path if the body is described.
    #[cfg(test)]
    fn edit_schema(&self, path: &[Step], edit: impl FnOnce(&mut Value)) {
        if let Some(description) = &self.validation.description {
            description.edit(path, edit);
        }
    }

    /// The program contains no schemas.
    #[cfg(not(test))]
    #[expect(clippy::unused_self, reason = "tests use it")]
    fn edit_schema(&self, _path: &[Step], _edit: impl FnOnce(&mut Value)) {}

    /// Returns true if the body is described. Its values are missing.
    #[cfg(test)]
    fn is_described(&self) -> bool {
        self.validation.description.is_some()
    }

    #[cfg(not(test))]
    #[expect(clippy::unused_self, reason = "tests use it")]
    const fn is_described(&self) -> bool {
        false
    }

    /// Adds an error. Its message is the field's label followed by `requirement`.
    pub(in crate::flags) fn add_error(&self, rule: &str, requirement: &str) {
        if self.trusts_values() && LIMITS.contains(&rule) {
            return;
        }
        let path = || self.path.iter().map(Step::to_json).collect();
        self.validation.errors.borrow_mut().add(|| Detail::at(path(), rule, requirement));
    }

    /// Adds an error if the value is missing.
    pub(in crate::flags) fn require(&self) {
        self.describe_required();
        if self.is_missing() {
            self.add_error("any.required", "is required");
        }
    }

    /// Describes the value as required. The caller adds the error.
    pub(in crate::flags) fn describe_required(&self) {
        if let Some((Step::Key(key), parent)) = self.path.split_last() {
            self.edit_schema(parent, |schema| push(schema, "required", json!(key)));
        }
    }

    /// Reads null like a missing value.
    pub(in crate::flags) fn nullable<T>(&self, read: impl FnOnce(&Self) -> Option<T>) -> Option<T> {
        if self.value == Some(&Value::Null) {
            return None;
        }
        let value = read(self);
        self.edit_schema(&self.path, |schema| {
            schema["type"] = match schema["type"].take() {
                Value::Array(types) => types.into_iter().chain([json!("null")]).collect(),
                one => json!([one, "null"]),
            };
        });
        value
    }

    /// Reads an object with its own schema.
    pub(in crate::flags) fn read<T: RequestBody>(&self) -> T {
        #[cfg(test)]
        if let Some(description) = &self.validation.description {
            return description.read(&self.path);
        }
        self.object();
        T::read(self)
    }

    /// Reads a body whose properties depend on a word in the property `key`. Other words are errors.
    pub(in crate::flags) fn select<T: Copy, R>(
        &self,
        key: &'static str,
        words: &[(&str, T)],
        read: impl Fn(&Field<'_>, T) -> R,
    ) -> Option<R> {
        #[cfg(test)]
        if let Some(description) = &self.validation.description {
            return description.select(key, words, read);
        }
        let field = self.get(key);
        field.require();
        field.one_of(words).map(|meaning| read(self, meaning))
    }

    /// Returns the items of a list with at most `max` items, none if the value is missing.
    pub(in crate::flags) fn list<T>(&self, max: usize, mut read: impl FnMut(&Self) -> T) -> Vec<T> {
        self.describe(|| json!({ "type": "array", "maxItems": max }));
        let mut item = |(index, item)| read(&self.child(item, Step::Index(index)));
        match self.value {
            None if self.is_described() => vec![item((0, None))],
            Some(Value::Array(items)) if !self.is_too_long(items.len(), max) => {
                items.iter().map(Some).enumerate().map(item).collect()
            }
            None | Some(Value::Array(_)) => Vec::new(),
            Some(_) => {
                self.add_error("array.base", "must be an array");
                Vec::new()
            }
        }
    }

    /// Returns the items of a list like [`Self::list`], or `None` if the value is missing.
    pub(in crate::flags) fn optional_list<T>(
        &self,
        max: usize,
        read: impl FnMut(&Self) -> T,
    ) -> Option<Vec<T>> {
        let items = self.list(max, read);
        (!self.is_missing()).then_some(items)
    }

    /// Adds an error if the list is empty.
    pub(in crate::flags) fn require_items(&self, requirement: &str) {
        self.describe(|| json!({ "minItems": 1 }));
        if self.value.and_then(Value::as_array).is_some_and(Vec::is_empty) {
            self.add_error("array.min", requirement);
        }
    }

    /// Returns the properties of an object with at most `max` properties; otherwise nothing.
    pub(in crate::flags) fn entries(&self, max: usize) -> Option<Vec<(&'v str, Self)>> {
        self.describe(|| json!({ "type": "object", "maxProperties": max }));
        if self.is_described() {
            return Some(vec![("", self.get_dynamic(""))]);
        }
        let object = self.properties()?;
        let entry = |(key, value): (&'v String, &'v Value)| {
            (key.as_str(), self.child(Some(value), Step::Key(shorten(key).into())))
        };
        (!self.is_too_long(object.len(), max)).then(|| object.iter().map(entry).collect())
    }

    fn is_too_long(&self, length: usize, max: usize) -> bool {
        let is_too_long = length > max && !self.validation.allows_long_lists;
        if is_too_long {
            self.add_error("array.max", &format!("must contain less than or equal to {max} items"));
        }
        is_too_long
    }

    /// Returns true if the value is an object. Adds an error if it is something else.
    pub(in crate::flags) fn object(&self) -> bool {
        self.describe(|| json!({ "type": "object" }));
        self.is_described() || self.properties().is_some()
    }

    fn properties(&self) -> Option<&'v Map<String, Value>> {
        let object = self.value.and_then(Value::as_object);
        if object.is_none() && !self.is_missing() {
            self.add_error("object.base", "must be of type object");
        }
        object
    }

    /// Adds an error for each property that was not read before.
    pub(in crate::flags) fn reject_unknown_properties(&self) {
        self.describe(|| json!({ "additionalProperties": false }));
        let known = self.known_keys.borrow();
        let keys = self.value.and_then(Value::as_object).into_iter().flat_map(Map::keys);
        for key in keys.filter(|key| !known.contains(&key.as_str())) {
            self.get_dynamic(key).add_error("object.unknown", "is not allowed");
        }
    }

    /// Returns a string. Adds an error if the value is something else.
    pub(in crate::flags) fn text(&self) -> Option<String> {
        self.describe(|| json!({ "type": "string" }));
        let text = self.value.and_then(Value::as_str);
        if text.is_none() && !self.is_missing() {
            self.add_error("string.base", "must be a string");
        }
        text.map(str::to_owned)
    }

    /// Returns a string with a maximum length. Adds an error if the value is something else.
    pub(in crate::flags) fn short_text(&self, max: usize) -> Option<String> {
        let text = self.text();
        self.check_bounds(text.as_deref().unwrap_or_default(), (0, max));
        text
    }

    /// Returns a string, also for numbers and booleans. Adds an error if the value is something else.
    pub(in crate::flags) fn scalar_text(&self) -> Option<String> {
        let text = match self.value {
            Some(value @ (Value::Number(_) | Value::Bool(_))) => Some(value.to_string()),
            _ => self.text(),
        };
        self.describe(|| json!({ "type": ["string", "number", "boolean"] }));
        text
    }

    /// Returns a string. Adds an error if it is empty.
    pub(in crate::flags) fn non_empty_text(&self) -> Option<String> {
        let text = self.text();
        self.describe(|| json!({ "minLength": 1 }));
        if text.as_deref() == Some("") {
            self.add_error("string.empty", "is not allowed to be empty");
        }
        text
    }

    /// Returns a list of non-empty strings.
    pub(in crate::flags) fn texts(&self) -> Vec<String> {
        self.list(MAX_VALUES, |item| item.non_empty_text().unwrap_or_default())
    }

    /// Returns a non-empty string, or the default if the value is missing.
    pub(in crate::flags) fn text_or(&self, default: &str) -> String {
        self.describe(|| json!({ "default": default }));
        self.non_empty_text().unwrap_or_else(|| default.to_owned())
    }

    /// Returns a non-empty string. Adds an error if the value is missing.
    pub(in crate::flags) fn required_text(&self) -> String {
        self.require();
        self.non_empty_text().unwrap_or_default()
    }

    /// Returns a non-empty string with a minimum and maximum length. Adds an error if the value is missing.
    pub(in crate::flags) fn required_text_within(&self, bounds: (usize, usize)) -> String {
        let text = self.required_text();
        if !text.is_empty() || self.is_described() {
            self.check_bounds(&text, bounds);
        }
        text
    }

    /// Returns a boolean. Adds an error if the value is something else.
    pub(in crate::flags) fn bool(&self) -> Option<bool> {
        self.describe(|| json!({ "type": "boolean" }));
        let flag = self.value.and_then(Value::as_bool);
        if flag.is_none() && !self.is_missing() {
            self.add_error("boolean.base", "must be a boolean");
        }
        flag
    }

    /// Returns a boolean, or the default if the value is missing.
    pub(in crate::flags) fn bool_or(&self, default: bool) -> bool {
        self.describe(|| json!({ "default": default }));
        self.bool().unwrap_or(default)
    }

    /// Returns an integer within bounds. Adds an error with this rule for any other value.
    pub(in crate::flags) fn integer_within<T: TryFrom<i128>>(
        &self,
        (min, max): (i128, i128),
        (rule, requirement): (&str, &str),
    ) -> Option<T> {
        self.describe(|| json!({ "type": "integer", "minimum": min, "maximum": max }));
        let integer = self.integer().filter(|integer| (min..=max).contains(integer));
        let integer = integer.and_then(|integer| integer.try_into().ok());
        if integer.is_none() && !self.is_missing() {
            self.add_error(rule, requirement);
        }
        integer
    }

    /// Returns an integer, `None` if the value is anything else. 5.0 is an integer in JSON.
    pub(in crate::flags) fn integer(&self) -> Option<i128> {
        let value = self.value?;
        let integer = value.as_i64().map(i128::from).or_else(|| value.as_u64().map(i128::from));
        // Rust formats 5.0 as "5", which parses as an integer.
        integer.or_else(|| value.as_f64()?.to_string().parse().ok())
    }

    /// Returns the id of an item: an integer from 1. Adds an error for any other value.
    pub(in crate::flags) fn id(&self) -> u32 {
        self.require();
        let bounds = (1, u32::MAX.into());
        self.integer_within(bounds, ("number.id", "must be an integer of at least 1")).unwrap_or_default()
    }

    /// Returns the value that belongs to one of several words. Adds an error for any other word.
    pub(in crate::flags) fn one_of<T: Copy>(&self, words: &[(&str, T)]) -> Option<T> {
        let known = || words.iter().map(|(word, _)| *word).collect::<Vec<_>>();
        self.describe(|| json!({ "enum": known() }));
        let value = self.value?;
        let found = words.iter().find(|(word, _)| value == word).map(|(_, meaning)| *meaning);
        if found.is_none() {
            self.add_error("any.only", &format!("must be one of [{}]", known().join(", ")));
        }
        found
    }

    /// Returns the value that belongs to one of several words, or the default if the value is missing.
    pub(in crate::flags) fn one_of_or<T: Copy + PartialEq>(&self, words: &[(&str, T)], default: T) -> T {
        let word = || words.iter().find(|(_, meaning)| *meaning == default).map(|(word, _)| *word);
        self.describe(|| json!({ "default": word() }));
        self.one_of(words).unwrap_or(default)
    }

    /// Returns a name that is safe in a URL, with a minimum and maximum length. Adds an error if it is missing.
    pub(in crate::flags) fn name(&self, bounds: (usize, usize)) -> String {
        self.describe(|| url_friendly_text(bounds));
        let name = self.required_text_within(bounds);
        if !is_url_friendly(&name) {
            self.add_error("isUrlFriendly.base", "must be URL friendly");
        }
        name
    }

    /// Returns the key of an item: a name, or the key in the path of a request that replaces the item.
    pub(in crate::flags) fn key(&self, bounds: (usize, usize)) -> String {
        match &self.validation.key {
            None => self.name(bounds),
            Some(key) => {
                self.describe(|| json!({ "description": "Ignored: the path contains it." }));
                key.clone()
            }
        }
    }

    /// Adds an error if a text is too short or too long. Returns true if its length is within the bounds.
    pub(in crate::flags) fn check_bounds(&self, text: &str, (least, most): (usize, usize)) -> bool {
        self.describe(|| match least {
            0 => json!({ "maxLength": most }),
            least => json!({ "minLength": least, "maxLength": most }),
        });
        let length = text.chars().count();
        if length < least {
            self.add_error("string.min", &format!("length must be at least {least} characters long"));
        } else if length > most {
            let requirement = format!("length must be less than or equal to {most} characters long");
            self.add_error("string.max", &requirement);
        }
        (least..=most).contains(&length)
    }
}

impl Step {
    fn to_json(&self) -> Value {
        match self {
            Self::Key(key) => json!(key),
            Self::Index(index) => json!(index),
        }
    }
}

/// Adds a value to a list of a schema.
pub(super) fn push(schema: &mut Value, list: &str, value: Value) {
    match &mut schema[list] {
        Value::Array(items) if items.contains(&value) => {}
        Value::Array(items) => items.push(value),
        missing => *missing = json!([value]),
    }
}

/// Truncates a long property name in a path, so that an error does not repeat a large body.
fn shorten(key: &str) -> String {
    match key.char_indices().nth(MAX_KEY_LENGTH_IN_ERROR) {
        Some((end, _)) => key.get(..end).unwrap_or_default().to_owned() + "…",
        None => key.to_owned(),
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

/// Returns the schema of a text that needs no escaping in a URL.
pub(in crate::flags) fn url_friendly_text((min, max): (usize, usize)) -> Value {
    json!({
        "type": "string", "minLength": min, "maxLength": max, "pattern": r"^(?!\.\.$)[A-Za-z0-9\-_.!~*'()]+$",
        "description": "Needs no escaping in a URL; not `..`.",
    })
}
