//! Reading one value of a body, and noting what is wrong with it.
//!
//! Every reader answers something also where it notes a fault, so that one pass finds all faults.

use serde_json::{Map, Value};

use crate::error::{ApiError, Detail};

/// The bounds of a name, in characters.
const NAME_LENGTH: (usize, usize) = (2, 100);
/// What may stand in a URL as it is, besides letters and digits: `encodeURIComponent` leaves these alone.
const URL_SAFE: &str = "-_.!~*'()";

/// Every rule that a body broke so far.
#[derive(Debug, Default)]
pub(super) struct Faults(Vec<Detail>);

impl Faults {
    /// What was read, when no rule was broken.
    pub(super) fn into_result<T>(self, read: T) -> Result<T, ApiError> {
        if self.0.is_empty() { Ok(read) } else { Err(ApiError::Invalid(self.0)) }
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
        faults.0.push(Detail {
            message: format!("\"{}\" {complaint}", self.label()),
            path: self.path.clone(),
            rule: rule.to_owned(),
        });
    }

    /// Notes a fault where this is missing.
    pub(super) fn require(&self, faults: &mut Faults) {
        if self.is_missing() {
            self.fault(faults, "any.required", "is required");
        }
    }

    /// The items; none where it is missing or no list.
    pub(super) fn items(&self, faults: &mut Faults) -> Vec<Self> {
        match self.value {
            None => Vec::new(),
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

    /// Notes a fault where a text is shorter or longer than its bounds.
    pub(super) fn check_bounds(&self, text: &str, (least, most): (usize, usize), faults: &mut Faults) {
        let length = text.chars().count();
        if length < least {
            self.fault(faults, "string.min", &format!("length must be at least {least} characters long"));
        } else if length > most {
            let complaint = format!("length must be less than or equal to {most} characters long");
            self.fault(faults, "string.max", &complaint);
        }
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
        let steps = self.path.iter().enumerate().map(|(depth, step)| match step {
            Value::String(key) if depth == 0 => key.clone(),
            Value::String(key) => format!(".{key}"),
            index => format!("[{index}]"),
        });
        if self.path.is_empty() { "value".to_owned() } else { steps.collect() }
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
