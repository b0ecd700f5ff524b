//! Numbers in constraints that Unleash refuses: those that the library Joi calls unsafe.

use super::values::{parse_decimal, trim};

/// Largest whole number of JavaScript below which all whole numbers are exact: 2^53 - 1.
const MAX_SAFE_NUMBER: f64 = 9_007_199_254_740_991.0;

/// Returns true for a decimal number whose magnitude is more than 2^53 - 1, or for which the shortest digits that identify it in double
/// precision are not those of its text: `number.unsafe` and `number.infinity` of Joi 17 and 18.
pub(crate) fn is_unsafe_number(text: &str) -> bool {
    let text = trim(text);
    let is_safe = |number: f64| number.abs() <= MAX_SAFE_NUMBER && has_shortest_digits(text, number);
    parse_decimal(text).is_some_and(|number| !is_safe(number))
}

/// Returns true if the shortest digits that identify a number are those of its text.
fn has_shortest_digits(text: &str, number: f64) -> bool {
    // Zero has no sign.
    let number = if number == 0.0 { 0.0 } else { number };
    if text.contains(['e', 'E']) {
        return significant_digits(text) == significant_digits(&format!("{number:e}"));
    }
    // JavaScript writes smaller numbers with an exponent, and Joi does not compare them.
    (number != 0.0 && number.abs() < 1e-6) || number.to_string() == normalize_decimal(text)
}

fn significant_digits(text: &str) -> String {
    let digits = text.split(['e', 'E']).next().unwrap_or_default().replace('.', "");
    digits.trim_end_matches('0').trim_start_matches(['+', '-']).trim_start_matches('0').to_owned()
}

/// Writes a decimal text without an exponent as JavaScript writes numbers.
fn normalize_decimal(text: &str) -> String {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let (whole, fraction) = (whole.trim_start_matches('0'), fraction.trim_end_matches('0'));
    let whole = if whole.is_empty() { "0" } else { whole };
    match (whole, fraction) {
        ("0", "") => "0".to_owned(),
        (_, "") => format!("{sign}{whole}"),
        _ => format!("{sign}{whole}.{fraction}"),
    }
}
