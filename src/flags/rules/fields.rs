//! Reading one value of a body, and noting what is wrong with it.
//!
//! Every reader returns a value even if it notes a fault, so that one pass finds all faults.

use serde_json::{Map, Value};

use crate::error::{ApiError, Detail};

/// The bounds of a name, in characters.
const NAME_LENGTH: (usize, usize) = (2, 100);
/// Errors that a response lists; further errors are counted.
const MAX_LISTED_ERRORS: usize = 20;
/// Characters of a property name that an error repeats.
const MAX_KEY_IN_ERROR: usize = 100;
/// What may stand in a URL as it is, besides letters and digits: `encodeURIComponent` leaves these alone.
const URL_SAFE: &str = "-_.!~*'()";

/// The rules that a body breaks: the first errors in full, and the number of further errors.
#[derive(Debug, Default)]
pub(super) struct Faults {
    listed: Vec<Detail>,
    omitted: usize,
    allows_long_lists: bool,
}

impl Faults {
    /// Faults of an imported item, whose lists may have any length.
    pub(super) fn of_import() -> Self {
        Self { allows_long_lists: true, ..Self::default() }
    }

    /// Returns the value that was read if the body breaks no rule.
    pub(super) fn into_result<T>(mut self, read: T) -> Result<T, ApiError> {
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

/// A value that may be missing, and the way to it.
#[derive(Debug, Clone)]
pub(super) struct Field<'v> {
    value: Option<&'v Value>,
    path: Vec<Value>,
}

impl<'v> Field<'v> {
    /// The whole body.
    pub(super) fn root(body: &'v Value) -> Result<Self, ApiError> {
        let field = Self { value: Some(body), path: Vec::new() };
        let mut faults = Faults::default();
        field.object(&mut faults);
        faults.into_result(field)
    }

    /// A property; missing where this is no object.
    pub(super) fn get(&self, key: &str) -> Self {
        self.inside(self.value.and_then(|value| value.get(key)), Value::from(key))
    }

    pub(super) fn is_missing(&self) -> bool {
        self.value.is_none()
    }

    pub(super) fn is_null(&self) -> bool {
        self.value.is_some_and(Value::is_null)
    }

    /// Notes that this breaks a rule; `complaint` goes on where the field's name ends.
    pub(super) fn fault(&self, faults: &mut Faults, rule: &str, complaint: &str) {
        if faults.listed.len() >= MAX_LISTED_ERRORS {
            faults.omitted += 1;
            return;
        }
        faults.listed.push(Detail {
            message: format!("\"{}\" {complaint}", self.label()),
            path: self.path.iter().map(shortened).collect(),
            rule: rule.to_owned(),
        });
    }

    /// Notes a fault where this is missing.
    pub(super) fn require(&self, faults: &mut Faults) {
        if self.is_missing() {
            self.fault(faults, "any.required", "is required");
        }
    }

    /// Returns the items of a list with at most `max` items; otherwise no items.
    pub(super) fn items(&self, max: usize, faults: &mut Faults) -> Vec<Self> {
        match self.value {
            None => Vec::new(),
            Some(Value::Array(items)) if self.is_too_long(items.len(), max, faults) => Vec::new(),
            Some(Value::Array(items)) => items
                .iter()
                .enumerate()
                .map(|(index, item)| self.inside(Some(item), Value::from(index)))
                .collect(),
            Some(_) => {
                self.fault(faults, "array.base", "must be an array");
                Vec::new()
            }
        }
    }

    /// Returns the properties of an object with at most `max` properties; otherwise nothing.
    pub(super) fn object_within(&self, max: usize, faults: &mut Faults) -> Option<&'v Map<String, Value>> {
        let object = self.object(faults)?;
        (!self.is_too_long(object.len(), max, faults)).then_some(object)
    }

    fn is_too_long(&self, length: usize, max: usize, faults: &mut Faults) -> bool {
        let is_too_long = length > max && !faults.allows_long_lists;
        if is_too_long {
            self.fault(faults, "array.max", &format!("must contain less than or equal to {max} items"));
        }
        is_too_long
    }

    /// The properties; nothing where it is missing or no object.
    pub(super) fn object(&self, faults: &mut Faults) -> Option<&'v Map<String, Value>> {
        let object = self.value.and_then(Value::as_object);
        if object.is_none() && !self.is_missing() {
            self.fault(faults, "object.base", "must be of type object");
        }
        object
    }

    /// A text; nothing where it is missing.
    pub(super) fn text(&self, faults: &mut Faults) -> Option<String> {
        let text = self.value.and_then(Value::as_str);
        if text.is_none() && !self.is_missing() {
            self.fault(faults, "string.base", "must be a string");
        }
        text.map(str::to_owned)
    }

    /// A text or null.
    pub(super) fn nullable_text(&self, faults: &mut Faults) -> Option<String> {
        if self.is_null() { None } else { self.text(faults) }
    }

    /// A text that is not empty.
    pub(super) fn filled_text(&self, faults: &mut Faults) -> Option<String> {
        let text = self.text(faults);
        if text.as_deref() == Some("") {
            self.fault(faults, "string.empty", "is not allowed to be empty");
        }
        text
    }

    /// A text that is not empty, or its default where it is missing.
    pub(super) fn text_or(&self, default: &str, faults: &mut Faults) -> String {
        self.filled_text(faults).unwrap_or_else(|| default.to_owned())
    }

    /// A text that is there and not empty.
    pub(super) fn required_text(&self, faults: &mut Faults) -> String {
        self.require(faults);
        self.filled_text(faults).unwrap_or_default()
    }

    /// Yes or no, or its default where it is missing.
    pub(super) fn flag_or(&self, default: bool, faults: &mut Faults) -> bool {
        let flag = self.value.and_then(Value::as_bool);
        if flag.is_none() && !self.is_missing() {
            self.fault(faults, "boolean.base", "must be a boolean");
        }
        flag.unwrap_or(default)
    }

    /// A whole number; in JSON, 5.0 is one. Nothing where it is missing or anything else.
    pub(super) fn whole(&self) -> Option<i128> {
        let value = self.value?;
        let integer = value.as_i64().map(i128::from).or_else(|| value.as_u64().map(i128::from));
        // A number without a fraction is written without one.
        integer.or_else(|| value.as_f64()?.to_string().parse().ok())
    }

    /// One of several words; nothing where it is missing or another.
    pub(super) fn one_of<T: Copy>(&self, words: &[(&str, T)], faults: &mut Faults) -> Option<T> {
        let value = self.value?;
        let found = words.iter().find(|(word, _)| value == word).map(|(_, meaning)| *meaning);
        if found.is_none() {
            let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            self.fault(faults, "any.only", &format!("must be one of [{}]", known.join(", ")));
        }
        found
    }

    /// The name of something that has a URL.
    pub(super) fn name(&self, faults: &mut Faults) -> String {
        self.name_within(NAME_LENGTH, faults)
    }

    /// The name of something that has a URL, of another length.
    pub(super) fn name_within(&self, bounds: (usize, usize), faults: &mut Faults) -> String {
        let name = self.required_text(faults);
        if !name.is_empty() {
            self.check_bounds(&name, bounds, faults);
            if !is_url_friendly(&name) {
                self.fault(faults, "isUrlFriendly.base", "must be URL friendly");
            }
        }
        name
    }

    /// Notes a fault where a name is too short or too long.
    pub(super) fn check_length(&self, name: &str, faults: &mut Faults) {
        self.check_bounds(name, NAME_LENGTH, faults);
    }

    /// Notes a fault if a text is shorter or longer than its bounds, and returns true if it is not.
    pub(super) fn check_bounds(
        &self,
        text: &str,
        (least, most): (usize, usize),
        faults: &mut Faults,
    ) -> bool {
        let length = text.chars().count();
        if length < least {
            self.fault(faults, "string.min", &format!("length must be at least {least} characters long"));
        } else if length > most {
            let complaint = format!("length must be less than or equal to {most} characters long");
            self.fault(faults, "string.max", &complaint);
        }
        (least..=most).contains(&length)
    }

    pub(super) fn value(&self) -> Option<&'v Value> {
        self.value
    }

    fn inside(&self, value: Option<&'v Value>, step: Value) -> Self {
        let mut path = self.path.clone();
        path.push(step);
        Self { value, path }
    }

    /// As people write it: `variants[0].weight`.
    fn label(&self) -> String {
        let steps = self.path.iter().map(shortened).enumerate().map(|(depth, step)| match step {
            Value::String(key) if depth == 0 => key,
            Value::String(key) => format!(".{key}"),
            index => format!("[{index}]"),
        });
        if self.path.is_empty() { "value".to_owned() } else { steps.collect() }
    }
}

/// Returns a step of a path with a long property name cut off, so that errors do not repeat a large body.
fn shortened(step: &Value) -> Value {
    match step {
        Value::String(key) => match key.char_indices().nth(MAX_KEY_IN_ERROR) {
            Some((end, _)) => Value::from(key.get(..end).unwrap_or_default().to_owned() + "…"),
            None => step.clone(),
        },
        index => index.clone(),
    }
}

/// True for what a toggle can be called.
pub(super) fn is_name(name: &str) -> bool {
    let (least, most) = NAME_LENGTH;
    (least..=most).contains(&name.chars().count()) && is_url_friendly(name)
}

/// Two dots alone would be safe too, but mean the folder above: no browser would ever send them.
fn is_url_friendly(name: &str) -> bool {
    name != ".." && name.chars().all(|c| c.is_ascii_alphanumeric() || URL_SAFE.contains(c))
}
