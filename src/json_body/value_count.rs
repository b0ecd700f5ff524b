//! Counts the values of a JSON text before it is parsed. Pure functions.
//!
//! A parsed value takes many times the memory of its text, an object about 600 bytes, so that a limit on the size of a
//! body does not limit the memory that it takes.

use super::BodyLimits;
use crate::error::ApiError;

/// Maximum number of values in a change, including nested values. A report of 10,000 toggles with variants holds 60,000.
pub(crate) const MAX_VALUES: usize = 100_000;
/// Maximum number of objects in a change. A report of 10,000 toggles with variants holds 20,000.
pub(crate) const MAX_OBJECTS: usize = 40_000;

/// Number of values and objects in a JSON text.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct ValueCount {
    values: usize,
    objects: usize,
}

impl ValueCount {
    /// Counts values and objects. The result is meaningless if the text is not JSON.
    pub(super) fn scan(text: &[u8]) -> Self {
        let mut count = Self { values: 1, objects: 0 };
        let (mut in_string, mut is_escaped, mut is_opened) = (false, false, false);
        for byte in text.iter().filter(|byte| !byte.is_ascii_whitespace()) {
            if in_string {
                in_string = is_escaped || *byte != b'"';
                is_escaped = !is_escaped && *byte == b'\\';
                continue;
            }
            // The first item of a list or object; a comma precedes every further item.
            if *byte == b',' || (is_opened && !matches!(byte, b']' | b'}')) {
                count.values += 1;
            }
            is_opened = matches!(byte, b'[' | b'{');
            in_string = *byte == b'"';
            count.objects += usize::from(*byte == b'{');
        }
        count
    }

    /// Fails if parsing the text would take too much memory.
    pub(super) fn check_limits(&self, limits: &BodyLimits) -> Result<(), ApiError> {
        let (kind, max) = if self.values > limits.values {
            ("values", limits.values)
        } else if self.objects > limits.objects {
            ("objects", limits.objects)
        } else {
            return Ok(());
        };
        Err(ApiError::BadBody(format!("The request body contains more than {max} JSON {kind}")))
    }
}

#[cfg(test)]
mod tests {
    use super::ValueCount;

    #[test]
    fn counts_values_and_objects_of_json() {
        for (text, values, objects) in [
            ("1", 1, 0),
            (r#" "a,b[{\" ,\\" "#, 1, 0),
            ("[]", 1, 0),
            (" [ ] ", 1, 0),
            ("{ }", 1, 1),
            ("[1]", 2, 0),
            ("[[], {}]", 3, 1),
            (r#"{"a,": [1, "x\\", {"b": null}], "c": {}}"#, 7, 3),
        ] {
            assert_eq!(ValueCount::scan(text.as_bytes()), ValueCount { values, objects }, "{text}");
        }
    }
}
