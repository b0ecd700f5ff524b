//! The details of a failed validation.

use serde::Serialize;
use serde_json::Value;

/// A violated validation rule, in the format that consoles of this API read (`details[0].message`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Detail {
    /// The field and the violation, as a sentence.
    pub message: String,
    /// Location of the value: property names and array indexes.
    pub path: Vec<Value>,
    /// Name of the rule, such as `string.max`.
    #[serde(rename = "type")]
    pub rule: String,
}

impl Detail {
    /// Creates a detail whose message names the value by its path: `"variants[0].weight" must be a number`.
    #[must_use]
    pub fn at(path: Vec<Value>, rule: &str, requirement: &str) -> Self {
        let message = format!("\"{}\" {requirement}", label_of(&path));
        Self { message, path, rule: rule.to_owned() }
    }

    /// Returns the message without the path; `None` if it does not begin with the path.
    #[must_use]
    pub fn requirement(&self) -> Option<&str> {
        self.message.strip_prefix(&format!("\"{}\" ", label_of(&self.path)))
    }
}

/// Returns a path as text, such as `variants[0].weight`. The whole body is the `value`.
pub(crate) fn label_of(path: &[Value]) -> String {
    let steps = path.iter().enumerate().map(|(depth, step)| match step {
        Value::String(key) if depth == 0 => key.clone(),
        Value::String(key) => format!(".{key}"),
        index => format!("[{index}]"),
    });
    if path.is_empty() { "value".to_owned() } else { steps.collect() }
}
