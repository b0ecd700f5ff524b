//! The types of settings: each parses the value of a setting, and describes it in the help.

use std::fmt::Display;
use std::fs;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use jiff::{SignedDuration, Span, SpanRelativeTo};

/// Form of a setting's value in flags and settings files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// `true` or `false`; the flag alone means `true`.
    Switch,
    /// A text with a default value.
    Text,
    /// A text that may be unset.
    OptionalText,
    /// A list of texts, empty by default.
    List,
}

impl Form {
    /// Returns true if the default of the setting is a value, and not the description of an unset value.
    #[must_use]
    pub fn has_default(self) -> bool {
        matches!(self, Self::Switch | Self::Text)
    }

    /// Returns the values in a text: the items of a list, which are separated by commas, or the text itself.
    pub(super) fn split(self, text: &str) -> Vec<String> {
        if self == Self::List {
            text.split(',').map(|item| item.trim().to_owned()).collect()
        } else {
            vec![text.to_owned()]
        }
    }
}

/// The type and the bounds of a setting's value.
pub(super) trait Kind: Sync {
    /// The parsed value.
    type Value;
    /// Form of the value in flags and settings files.
    const FORM: Form;

    /// Returns the placeholder of the value in `--help`.
    fn placeholder(&self) -> &'static str;

    /// Returns the bounds, such as `1ms to 24h`.
    fn bounds(&self) -> Option<String> {
        None
    }

    /// Parses the value: no text if it is unset and has no default, the items of a list, and otherwise one text.
    fn parse(&self, values: &[String]) -> Result<Self::Value, String>;
}

/// True or false.
pub(super) struct Switch;

impl Kind for Switch {
    type Value = bool;
    const FORM: Form = Form::Switch;

    fn placeholder(&self) -> &'static str {
        "true|false"
    }

    fn parse(&self, values: &[String]) -> Result<bool, String> {
        Ok(only(values) == "true")
    }
}

/// A whole number within bounds.
pub(super) struct Number<T> {
    /// Placeholder in the help: the unit.
    pub(super) unit: &'static str,
    /// Smallest valid number.
    pub(super) min: T,
    /// Largest valid number.
    pub(super) max: T,
}

impl<T: FromStr + PartialOrd + Display + Sync> Kind for Number<T> {
    type Value = T;
    const FORM: Form = Form::Text;

    fn placeholder(&self) -> &'static str {
        self.unit
    }

    fn bounds(&self) -> Option<String> {
        Some(format!("{} to {}", self.min, self.max))
    }

    fn parse(&self, values: &[String]) -> Result<T, String> {
        let text = only(values);
        text.parse()
            .ok()
            .filter(|number| (&self.min..=&self.max).contains(&number))
            .ok_or_else(|| format!("{text:?} is not a whole number from {} to {}", self.min, self.max))
    }
}

/// A duration within bounds.
pub(super) struct TimeSpan {
    /// Shortest valid duration.
    pub(super) min: Duration,
    /// Longest valid duration.
    pub(super) max: Duration,
}

/// A timeout or an interval. No operation completes in less than a millisecond. More than a day would mean "never", and
/// could overflow when added to the current time.
pub(super) const TIMEOUT: TimeSpan =
    TimeSpan { min: Duration::from_millis(1), max: Duration::from_hours(24) };

impl Kind for TimeSpan {
    type Value = Duration;
    const FORM: Form = Form::Text;

    fn placeholder(&self) -> &'static str {
        "DURATION"
    }

    fn bounds(&self) -> Option<String> {
        let [min, max] =
            [self.min, self.max].map(|bound| SignedDuration::try_from(bound).unwrap_or(SignedDuration::MAX));
        Some(format!("{min:#} to {max:#}"))
    }

    fn parse(&self, values: &[String]) -> Result<Duration, String> {
        let text = only(values);
        let parsed = text.parse::<SignedDuration>().ok().and_then(|parsed| Duration::try_from(parsed).ok());
        parsed.filter(|parsed| (self.min..=self.max).contains(parsed)).ok_or_else(|| {
            let bounds = self.bounds().unwrap_or_default();
            format!("{text:?} is not a duration from {bounds}, such as 5s or 1m30s")
        })
    }
}

/// A duration of whole days and parts of them. A day has 24 hours.
pub(super) struct Days {
    /// Smallest valid number of days.
    pub(super) min: u32,
    /// Largest valid number of days.
    pub(super) max: u32,
    /// Example for the error message.
    pub(super) example: &'static str,
}

impl Kind for Days {
    type Value = Duration;
    const FORM: Form = Form::Text;

    fn placeholder(&self) -> &'static str {
        "DURATION"
    }

    fn bounds(&self) -> Option<String> {
        Some(format!("{}d to {}d", self.min, self.max))
    }

    fn parse(&self, values: &[String]) -> Result<Duration, String> {
        let text = only(values);
        let [min, max] = [self.min, self.max].map(|days| Duration::from_hours(24) * days);
        let parsed =
            text.parse::<Span>().and_then(|span| span.to_duration(SpanRelativeTo::days_are_24_hours()));
        let parsed = parsed.ok().and_then(|parsed| Duration::try_from(parsed).ok());
        parsed.filter(|parsed| (min..=max).contains(parsed)).ok_or_else(|| {
            let bounds = self.bounds().unwrap_or_default();
            format!("{text:?} is not a duration from {bounds}, such as {}", self.example)
        })
    }
}

/// A duration as [`Days`], which may be unset.
pub(super) struct OptionalDays(pub(super) Days);

impl Kind for OptionalDays {
    type Value = Option<Duration>;
    const FORM: Form = Form::OptionalText;

    fn placeholder(&self) -> &'static str {
        self.0.placeholder()
    }

    fn bounds(&self) -> Option<String> {
        self.0.bounds()
    }

    fn parse(&self, values: &[String]) -> Result<Option<Duration>, String> {
        if values.is_empty() { Ok(None) } else { self.0.parse(values).map(Some) }
    }
}

/// A text with its own parser: the placeholder in the help, and the parser.
pub(super) struct Text<T>(pub(super) &'static str, pub(super) fn(&str) -> Result<T, String>);

impl<T> Kind for Text<T> {
    type Value = T;
    const FORM: Form = Form::Text;

    fn placeholder(&self) -> &'static str {
        self.0
    }

    fn parse(&self, values: &[String]) -> Result<T, String> {
        self.1(only(values))
    }
}

/// A text that may be unset: the placeholder in the help, and the parser.
pub(super) struct Optional<T>(pub(super) &'static str, pub(super) fn(&str) -> Result<T, String>);

impl<T> Kind for Optional<T> {
    type Value = Option<T>;
    const FORM: Form = Form::OptionalText;

    fn placeholder(&self) -> &'static str {
        self.0
    }

    fn parse(&self, values: &[String]) -> Result<Option<T>, String> {
        values.first().map(|text| self.1(text)).transpose()
    }
}

/// A list: the placeholder in the help, and the parser of an item.
pub(super) struct List<T>(pub(super) &'static str, pub(super) fn(&str) -> Result<T, String>);

impl<T> Kind for List<T> {
    type Value = Vec<T>;
    const FORM: Form = Form::List;

    fn placeholder(&self) -> &'static str {
        self.0
    }

    fn parse(&self, values: &[String]) -> Result<Vec<T>, String> {
        values.iter().map(|text| self.1(text)).collect()
    }
}

/// A file.
pub(super) const FILE: Optional<PathBuf> = Optional("FILE", |text| Ok(text.into()));

/// Reads the file in the value `@FILE` of a setting, and returns its path and its text. The error for a value without `@`
/// names the `content` of the file and an `example` of a path.
pub(super) fn read_at_file<'t>(
    text: &'t str,
    content: &str,
    example: &str,
) -> Result<(&'t str, String), String> {
    let file = text
        .strip_prefix('@')
        .ok_or_else(|| format!("it must be @ and a file with {content}, such as @{example}"))?;
    let text = fs::read_to_string(file).map_err(|error| format!("{file} cannot be read: {error}"))?;
    Ok((file, text))
}

/// Returns the value of a setting that is not a list.
fn only(values: &[String]) -> &str {
    values.first().map_or("", String::as_str)
}

/// Returns a value for an error message. A value that may contain a password is left out.
pub(super) fn quoted(text: &str) -> String {
    if text.contains(['@', '?']) { "the value".to_owned() } else { format!("{text:?}") }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Days, Kind as _, Number, OptionalDays, TIMEOUT};

    #[test]
    fn parses_numbers_and_durations_within_their_bounds() {
        let number = Number { unit: "NUMBER", min: 1, max: 9 };
        for (text, read) in [("1", Some(1)), ("9", Some(9)), ("10", None), ("", None)] {
            assert_eq!(number.parse(&[text.to_owned()]).ok(), read);
        }
        for (text, read) in [
            ("90ms", Some(90)),
            ("1m30s", Some(90_000)),
            ("1ms", Some(1)),
            ("24h", Some(86_400_000)),
            ("0s", None),
            ("-1s", None),
            ("1ns", None),
            ("24h1ms", None),
            ("9223372036854775807s", None),
            ("5", None),
            ("", None),
        ] {
            let parsed = TIMEOUT.parse(&[text.to_owned()]);
            assert_eq!(parsed.as_ref().ok().map(Duration::as_millis), read, "{text:?}");
            assert!(parsed.is_ok() || parsed.is_err_and(|fault| fault.contains("from 1ms to 24h")));
        }
    }

    #[test]
    fn parses_days() {
        let days = OptionalDays(Days { min: 1, max: 365, example: "365d" });
        assert_eq!(days.parse(&[]), Ok(None));
        for (text, hours) in [
            ("1d", Some(24)),
            ("365d", Some(365 * 24)),
            ("2w", Some(14 * 24)),
            ("36h", Some(36)),
            ("1d12h", Some(36)),
            ("23h", None),
            ("366d", None),
            ("-1d", None),
            ("1y", None),
            ("9223372036854775807s", None),
            ("5", None),
            ("", None),
        ] {
            let parsed = days.parse(&[text.to_owned()]);
            assert_eq!(parsed.clone().ok().flatten(), hours.map(Duration::from_hours), "{text:?}");
            assert!(parsed.is_ok() || parsed.is_err_and(|fault| fault.contains("from 1d to 365d")));
        }
    }
}
