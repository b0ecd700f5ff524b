//! Values that several settings have: durations and numbers.

use std::str::FromStr;
use std::time::Duration;

use jiff::SignedDuration;

use super::ConfigError;

/// What was written, for a message about it; without what may be a password.
pub(super) fn quoted(text: &str) -> String {
    if text.contains(['@', '?']) { "what is written there".to_owned() } else { format!("{text:?}") }
}

/// A duration over zero.
pub(super) fn duration(
    name: &str,
    text: Option<&str>,
    default_seconds: u64,
) -> Result<Duration, ConfigError> {
    let Some(text) = text else { return Ok(Duration::from_secs(default_seconds)) };
    text.parse::<SignedDuration>()
        .ok()
        .and_then(|parsed| Duration::try_from(parsed).ok())
        .filter(|parsed| !parsed.is_zero())
        .ok_or_else(|| ConfigError::setting(name, format!("{text:?} is not a duration such as 5s or 500ms")))
}

/// A duration, which may be zero and is unless told.
pub(super) fn pause(name: &str, text: Option<&str>) -> Result<Duration, ConfigError> {
    let Some(text) = text else { return Ok(Duration::ZERO) };
    let parsed = text.parse::<SignedDuration>().ok().and_then(|parsed| Duration::try_from(parsed).ok());
    parsed.ok_or_else(|| ConfigError::setting(name, format!("{text:?} is not a duration such as 5s or 0s")))
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
    use super::{duration, number};

    #[test]
    fn numbers_and_durations_are_within_their_bounds() {
        for (text, read) in [(None, Some(7)), (Some("1"), Some(1)), (Some("9"), Some(9)), (Some("10"), None)]
        {
            assert_eq!(number("x", text, 7, (1, 9)).ok(), read);
        }
        for (text, read) in
            [(None, Some(7000)), (Some("90ms"), Some(90)), (Some("0s"), None), (Some("-1s"), None)]
        {
            assert_eq!(duration("x", text, 7).ok().map(|read| read.as_millis()), read);
        }
    }
}
