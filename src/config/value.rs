//! Values that several settings have: durations and numbers.

use std::str::FromStr;
use std::time::Duration;

use jiff::SignedDuration;

use super::ConfigError;

/// What was written, for a message about it; without what may be a password.
pub(super) fn quoted(text: &str) -> String {
    if text.contains(['@', '?']) { "what is written there".to_owned() } else { format!("{text:?}") }
}

/// The bounds of a timeout or an interval. Below a millisecond nothing could succeed; above a day the setting would mean
/// "never", and clocks that add it to the current time could overflow.
pub(super) const TIMEOUT: (Duration, Duration) = (Duration::from_millis(1), Duration::from_hours(24));

/// A duration within bounds.
pub(super) fn duration(
    name: &str,
    text: Option<&str>,
    default_seconds: u64,
    bounds: (Duration, Duration),
) -> Result<Duration, ConfigError> {
    let Some(text) = text else { return Ok(Duration::from_secs(default_seconds)) };
    let (least, most) = bounds;
    let parsed = text.parse::<SignedDuration>().ok().and_then(|parsed| Duration::try_from(parsed).ok());
    parsed.filter(|parsed| (least..=most).contains(parsed)).ok_or_else(|| {
        let [least, most] =
            [least, most].map(|bound| SignedDuration::try_from(bound).unwrap_or(SignedDuration::MAX));
        let fault =
            format!("{text:?} is not a duration from {least:#} to {most:#}, such as 5s, 1m30s or 500ms");
        ConfigError::setting(name, fault)
    })
}

/// A whole number within bounds.
pub(super) fn number<T: FromStr + PartialOrd + std::fmt::Display>(
    name: &str,
    text: Option<&str>,
    default: T,
    bounds: (T, T),
) -> Result<T, ConfigError> {
    let Some(text) = text else { return Ok(default) };
    let (least, most) = bounds;
    text.parse().ok().filter(|number| (&least..=&most).contains(&number)).ok_or_else(|| {
        ConfigError::setting(name, format!("{text:?} is not a whole number from {least} to {most}"))
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{TIMEOUT, duration, number};

    #[test]
    fn numbers_and_durations_are_within_their_bounds() {
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
