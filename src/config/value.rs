//! Parsers for values of several settings: durations and numbers.

use std::str::FromStr;
use std::time::Duration;

use jiff::SignedDuration;

use super::ConfigError;

/// Returns a value for an error message. A value that may contain a password is left out.
pub(super) fn quoted(text: &str) -> String {
    if text.contains(['@', '?']) { "the value".to_owned() } else { format!("{text:?}") }
}

/// The bounds of a timeout or an interval. No operation completes in less than a millisecond. More than a day would
/// mean "never", and could overflow when added to the current time.
pub(super) const TIMEOUT: (Duration, Duration) = (Duration::from_millis(1), Duration::from_hours(24));

/// Parses a duration within bounds.
pub(super) fn duration(
    name: &str,
    text: Option<&str>,
    default_seconds: u64,
    bounds: (Duration, Duration),
) -> Result<Duration, ConfigError> {
    let Some(text) = text else { return Ok(Duration::from_secs(default_seconds)) };
    let (min, max) = bounds;
    let parsed = text.parse::<SignedDuration>().ok().and_then(|parsed| Duration::try_from(parsed).ok());
    parsed.filter(|parsed| (min..=max).contains(parsed)).ok_or_else(|| {
        let [min, max] =
            [min, max].map(|bound| SignedDuration::try_from(bound).unwrap_or(SignedDuration::MAX));
        let fault = format!("{text:?} is not a duration from {min:#} to {max:#}, such as 5s, 1m30s or 500ms");
        ConfigError::setting(name, fault)
    })
}

/// Parses a whole number within bounds.
pub(super) fn number<T: FromStr + PartialOrd + std::fmt::Display>(
    name: &str,
    text: Option<&str>,
    default: T,
    bounds: (T, T),
) -> Result<T, ConfigError> {
    let Some(text) = text else { return Ok(default) };
    let (min, max) = bounds;
    text.parse().ok().filter(|number| (&min..=&max).contains(&number)).ok_or_else(|| {
        ConfigError::setting(name, format!("{text:?} is not a whole number from {min} to {max}"))
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{TIMEOUT, duration, number};

    #[test]
    fn parses_numbers_and_durations_within_their_bounds() {
        for (text, read) in [(None, Some(7)), (Some("1"), Some(1)), (Some("9"), Some(9)), (Some("10"), None)]
        {
            assert_eq!(number("x", text, 7, (1, 9)).ok(), read);
        }
        for (text, read) in [
            (None, Some(7_000)),
            (Some("90ms"), Some(90)),
            (Some("1m30s"), Some(90_000)),
            (Some("1ms"), Some(1)),
            (Some("24h"), Some(86_400_000)),
            (Some("0s"), None),
            (Some("-1s"), None),
            (Some("1ns"), None),
            (Some("24h1ms"), None),
            (Some("9223372036854775807s"), None),
            (Some("5"), None),
            (Some(""), None),
        ] {
            let parsed = duration("x", text, 7, TIMEOUT).map_err(|error| error.to_string());
            assert_eq!(parsed.as_ref().ok().map(Duration::as_millis), read, "{text:?}");
            assert!(parsed.is_ok() || parsed.is_err_and(|fault| fault.contains("from 1ms to 24h")));
        }
    }
}
