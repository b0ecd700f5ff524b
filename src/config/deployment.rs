//! Identification of this deployment, such as production: `env-label`, `env-colour` and `confirm-writes`.

use super::kind::{Form, Kind, Switch, Text};
use super::setting::Setting;
use super::{ConfigError, Declaration, Settings};

/// Maximum length of a label, in characters. A label of this length fits on a phone.
const MAX_LABEL_LENGTH: usize = 40;

pub(super) static SETTINGS: &[&dyn Declaration] = &[&ENV_LABEL, &ENV_COLOUR, &CONFIRM_WRITES];

static ENV_LABEL: Setting<Label> = Setting {
    name: "env-label",
    help: "Name of this deployment, such as production, shown on every page and in the title, {bounds}",
    default: "none",
    kind: Label,
};

static ENV_COLOUR: Setting<Text<Colour>> = Setting {
    name: "env-colour",
    help: "Background colour of env-label",
    // A red for warnings.
    default: "#b3261e",
    kind: Text("#RRGGBB", Colour::parse),
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
    /// `ENV_COLOUR`: background colour of the label.
    pub colour: Colour,
    /// `CONFIRM_WRITES`: switching a toggle, or turning it on for more users, requires confirmation.
    pub confirm_writes: bool,
}

/// A colour: red, green and blue, 0 to 255 each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Colour([u8; 3]);

impl Deployment {
    pub(super) fn resolve(settings: &Settings) -> Result<Self, ConfigError> {
        let label = ENV_LABEL.resolve(settings)?;
        if label.is_none() && ENV_COLOUR.is_set(settings) {
            return Err(ENV_COLOUR.error("needs env-label, which is not set"));
        }
        let (colour, confirm_writes) = (ENV_COLOUR.resolve(settings)?, CONFIRM_WRITES.resolve(settings)?);
        Ok(Self { label, colour, confirm_writes })
    }
}

impl Colour {
    /// Parses `#b00020` and `#b02`.
    fn parse(text: &str) -> Result<Self, String> {
        let digits: Option<Vec<u8>> = text
            .strip_prefix('#')
            .and_then(|digits| digits.chars().map(|c| u8::try_from(c.to_digit(16)?).ok()).collect());
        match digits.as_deref() {
            Some([r, g, b]) => Ok(Self([r * 17, g * 17, b * 17])),
            Some([r, r2, g, g2, b, b2]) => Ok(Self([r * 16 + r2, g * 16 + g2, b * 16 + b2])),
            _ => Err(format!("{text:?} is not a colour such as #b00020 or #b02")),
        }
    }

    /// Returns the colour in CSS notation.
    #[must_use]
    pub fn css(self) -> String {
        let [r, g, b] = self.0;
        format!("#{r:02x}{g:02x}{b:02x}")
    }

    /// Returns the text colour with the higher contrast on this background: black or white. Its contrast is at least
    /// 4.5 on every background.
    #[must_use]
    pub fn text_colour(self) -> Self {
        let luminance = self.luminance() + 0.05;
        if luminance / 0.05 > 1.05 / luminance { Self([0; 3]) } else { Self([0xff; 3]) }
    }

    /// Returns the relative luminance (WCAG 2.2): 0 for black, 1 for white.
    fn luminance(self) -> f64 {
        let [r, g, b] = self.0.map(|channel| {
            let part = f64::from(channel) / 255.0;
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        });
        0.2126 * r + 0.7152 * g + 0.0722 * b
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
    use super::{Colour, Deployment, ENV_COLOUR, ENV_LABEL, Settings};

    fn deployment(label: Option<&str>, colour: Option<&str>) -> Result<Deployment, String> {
        let settings =
            label.into_iter().fold(Settings::default(), |settings, text| settings.with(&ENV_LABEL, text));
        let settings = colour.into_iter().fold(settings, |settings, text| settings.with(&ENV_COLOUR, text));
        Deployment::resolve(&settings).map_err(|error| error.to_string())
    }

    #[test]
    fn label_is_one_short_line_and_colour_requires_a_label() {
        assert_eq!(deployment(Some(" production "), None).unwrap().label.as_deref(), Some("production"));
        assert_eq!(deployment(Some("x"), Some("#B00020")).unwrap().colour.css(), "#b00020");
        assert_eq!(deployment(Some("x"), Some("#b02")).unwrap().colour.css(), "#bb0022");
        assert_eq!(deployment(None, None).unwrap().label, None);
        for (label, colour, name) in [
            (Some(" "), None, "env-label: "),
            (Some("two\nlines"), None, "env-label: "),
            (Some("\u{200b}"), None, "env-label: "),
            (Some("\u{202e}noitcudorp"), None, "env-label: "),
            (Some("long long long long long long long long l"), None, "env-label: "),
            (None, Some("#b00020"), "env-colour: "),
            (Some("x"), Some("red"), "env-colour: "),
            (Some("x"), Some("#b0002"), "env-colour: "),
            (Some("x"), Some("#g00020"), "env-colour: "),
            (Some("x"), Some("#+1+2+3"), "env-colour: "),
        ] {
            let fault = deployment(label, colour).unwrap_err();
            assert!(fault.starts_with(name), "{label:?} {colour:?}: {fault}");
        }
    }

    #[test]
    fn text_is_readable_on_every_colour() {
        for (colour, text) in
            [("#000", "#ffffff"), ("#fff", "#000000"), ("#b00020", "#ffffff"), ("#ffd400", "#000000")]
        {
            assert_eq!(Colour::parse(colour).unwrap().text_colour().css(), text, "{colour}");
        }
        let steps = || (0..=255).step_by(15);
        for [r, g, b] in steps().flat_map(|r| steps().flat_map(move |g| steps().map(move |b| [r, g, b]))) {
            let (ground, text) = (Colour([r, g, b]).luminance(), Colour([r, g, b]).text_colour().luminance());
            let contrast = (ground.max(text) + 0.05) / (ground.min(text) + 0.05);
            assert!(contrast >= 4.5, "{r} {g} {b}: {contrast}");
        }
    }
}
