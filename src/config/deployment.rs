//! Identification of this deployment, such as production: `env-label` and `confirm-writes`.

use super::kind::{Form, Kind, Switch};
use super::setting::Setting;
use super::{ConfigError, Declaration, Settings};

/// Maximum length of a label, in characters. A label of this length fits on a phone.
const MAX_LABEL_LENGTH: usize = 40;

pub(super) static SETTINGS: &[&dyn Declaration] = &[&ENV_LABEL, &CONFIRM_WRITES];

static ENV_LABEL: Setting<Label> = Setting {
    name: "env-label",
    help: "Name of this deployment, such as production, shown on every page and in the title in the colour of its kind (red for production), {bounds}",
    default: "none",
    kind: Label,
};

static CONFIRM_WRITES: Setting<Switch> = Setting {
    name: "confirm-writes",
    help: "Ask for confirmation, naming the deployment, before a toggle is switched or turned on for more users",
    default: "false",
    kind: Switch,
};

/// Identification of the deployment in the console.
#[derive(Debug, Clone)]
pub struct Deployment {
    /// `ENV_LABEL`: name of the deployment.
    pub label: Option<String>,
    /// `CONFIRM_WRITES`: switching a toggle, or turning it on for more users, requires confirmation.
    pub confirm_writes: bool,
}

impl Deployment {
    pub(super) fn resolve(settings: &Settings) -> Result<Self, ConfigError> {
        Ok(Self { label: ENV_LABEL.resolve(settings)?, confirm_writes: CONFIRM_WRITES.resolve(settings)? })
    }
}

/// A line of visible characters. Surrounding whitespace is removed.
struct Label;

impl Kind for Label {
    type Value = Option<String>;
    const FORM: Form = Form::OptionalText;

    fn placeholder(&self) -> &'static str {
        "LABEL"
    }

    fn bounds(&self) -> Option<String> {
        Some(format!("1 to {MAX_LABEL_LENGTH} characters"))
    }

    fn parse(&self, values: &[String]) -> Result<Option<String>, String> {
        let Some(text) = values.first().map(|text| text.trim()) else { return Ok(None) };
        if (1..=MAX_LABEL_LENGTH).contains(&text.chars().count()) && !text.chars().any(is_invisible) {
            return Ok(Some(text.to_owned()));
        }
        let bounds = self.bounds().unwrap_or_default();
        Err(format!("{text:?} is not a label of {bounds} on one line, such as production"))
    }
}

/// Returns true for control characters, and for characters that have no width or change the direction of text. With
/// them a label could look empty or like another label.
fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::{Deployment, ENV_LABEL, Settings};

    #[test]
    fn label_is_one_short_line() {
        let label = |text: &str| {
            let deployment = Deployment::resolve(&Settings::default().with(&ENV_LABEL, text));
            deployment.map(|deployment| deployment.label).map_err(|error| error.to_string())
        };
        assert_eq!(label(" production "), Ok(Some("production".to_owned())));
        for text in
            [" ", "two\nlines", "\u{200b}", "\u{202e}noitcudorp", "long long long long long long long long l"]
        {
            let fault = label(text).unwrap_err();
            assert!(fault.starts_with("env-label: "), "{text:?}: {fault}");
        }
    }
}
