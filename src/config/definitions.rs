//! Toggles from a file, without a flag service that stores them: `definitions` and `override`.

use std::path::PathBuf;
use std::sync::Arc;

use super::auth::REQUIRE_CLIENT_TOKENS;
use super::embedded::{DATA, DEMO};
use super::kind::{FILE, List, Optional};
use super::setting::Setting;
use super::upstream::UPSTREAM;
use super::upstream_scope::ENVIRONMENT;
use super::{ConfigError, Declaration, Settings, TokenScope};

pub(super) static SETTINGS: &[&dyn Declaration] = &[&DEFINITIONS, &OVERRIDE];

pub(super) static DEFINITIONS: Setting<Optional<PathBuf>> = Setting {
    name: "definitions",
    help: "File with toggles to serve without a flag service: an answer of /api/client/features, an export, or a file of flagdeck pull; it is read again when it changes, and nothing can be changed in the console",
    default: "none",
    kind: FILE,
};

static OVERRIDE: Setting<List<ToggleOverride>> = Setting {
    name: "override",
    help: "Result of a toggle of definitions for everyone, instead of its strategies: on, off or the name of a variant",
    default: "none",
    kind: List("TOGGLE=on|off|VARIANT", parse_override),
};

/// Toggles from a file.
#[derive(Debug, Clone)]
pub struct Definitions {
    /// `DEFINITIONS`: the file.
    pub file: PathBuf,
    /// `UPSTREAM_ENVIRONMENT`: environment of an export that contains several.
    pub environment: Option<String>,
    /// `OVERRIDE`: results that replace those of the file.
    pub overrides: Vec<ToggleOverride>,
    /// Tokens of SDKs. Without any, every token is accepted.
    pub tokens: Vec<DefinitionsToken>,
}

/// A result that a toggle has for everyone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToggleOverride {
    /// Name of the toggle.
    pub toggle: String,
    /// The result.
    pub result: OverrideResult,
}

/// The result of an override.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OverrideResult {
    /// The toggle is on. Its variants are chosen as before.
    On,
    /// The toggle is off.
    Off,
    /// The toggle is on, with this variant.
    Variant(String),
}

/// A token with which SDKs get the toggles of the file.
#[derive(Debug, Clone)]
pub struct DefinitionsToken {
    /// SHA-256 hash of the token.
    pub hash: [u8; 32],
    /// Rights of the token.
    pub scope: Arc<TokenScope>,
}

impl Definitions {
    /// Returns the settings; `None` without `definitions`.
    pub(super) fn resolve(
        settings: &Settings,
        tokens: Vec<DefinitionsToken>,
    ) -> Result<Option<Box<Self>>, ConfigError> {
        let overrides = OVERRIDE.resolve(settings)?;
        let Some(file) = DEFINITIONS.resolve(settings)? else {
            return if overrides.is_empty() {
                Ok(None)
            } else {
                Err(OVERRIDE.error("needs definitions, the file whose toggles it overrides; set it"))
            };
        };
        for (index, ToggleOverride { toggle, .. }) in overrides.iter().enumerate() {
            if overrides.iter().take(index).any(|other| other.toggle == *toggle) {
                return Err(OVERRIDE.error(format!("names the toggle {toggle} twice; remove one of them")));
            }
        }
        let others: [&dyn Declaration; 3] = [&UPSTREAM, &DATA, &DEMO];
        let is_set = |setting: &&&dyn Declaration| {
            settings.get(setting.name()).is_some_and(|values| values != ["false"])
        };
        if let Some(other) = others.iter().find(is_set) {
            return Err(DEFINITIONS.error(format!(
                "cannot be combined with {}, because all toggles come from the file; remove one of them",
                other.name()
            )));
        }
        if tokens.is_empty() && REQUIRE_CLIENT_TOKENS.resolve(settings)? {
            return Err(REQUIRE_CLIENT_TOKENS.error(
                "cannot be combined with definitions, which has no tokens; remove it, or use flagdeck offline",
            ));
        }
        let environment = ENVIRONMENT.resolve(settings)?;
        Ok(Some(Box::new(Self { file, environment, overrides, tokens })))
    }

    /// Returns the names of the overridden toggles.
    #[must_use]
    pub fn overridden(&self) -> Vec<String> {
        self.overrides.iter().map(|change| change.toggle.clone()).collect()
    }
}

fn parse_override(text: &str) -> Result<ToggleOverride, String> {
    let parts = text.split_once('=').map(|(toggle, result)| (toggle.trim(), result.trim()));
    let Some((toggle, result)) = parts.filter(|(toggle, result)| !toggle.is_empty() && !result.is_empty())
    else {
        return Err(format!("{text:?} is not a toggle with a result, such as checkout=on"));
    };
    let result = match result {
        "on" => OverrideResult::On,
        "off" => OverrideResult::Off,
        variant => OverrideResult::Variant(variant.to_owned()),
    };
    Ok(ToggleOverride { toggle: toggle.to_owned(), result })
}

impl std::fmt::Display for ToggleOverride {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let result = match &self.result {
            OverrideResult::On => "on",
            OverrideResult::Off => "off",
            OverrideResult::Variant(variant) => variant,
        };
        write!(formatter, "{}={result}", self.toggle)
    }
}

#[cfg(test)]
mod tests {
    use super::{
        DATA, DEFINITIONS, Definitions, OVERRIDE, REQUIRE_CLIENT_TOKENS, Settings, UPSTREAM, parse_override,
    };

    #[test]
    fn override_is_a_toggle_and_a_result() {
        for text in ["checkout=on", "checkout=off", "checkout=blue"] {
            assert_eq!(parse_override(text).map(|parsed| parsed.to_string()), Ok(text.to_owned()));
        }
        assert_eq!(parse_override(" a = b=c ").map(|parsed| parsed.to_string()), Ok("a=b=c".to_owned()));
        for text in ["", "checkout", "=on", "checkout="] {
            let fault = parse_override(text).unwrap_err();
            assert!(fault.ends_with("such as checkout=on"), "{text}: {fault}");
        }
    }

    #[test]
    fn faults_name_the_setting_and_the_remedy() {
        let file = || Settings::default().with(&DEFINITIONS, "toggles.json");
        for (settings, fault) in [
            (Settings::default().with(&OVERRIDE, "a=on"), "override: needs definitions"),
            (file().with(&OVERRIDE, "a=on,b=off,a=blue"), "override: names the toggle a twice"),
            (file().with(&UPSTREAM, "http://localhost:1"), "definitions: cannot be combined with upstream"),
            (file().with(&DATA, ":memory:"), "definitions: cannot be combined with data"),
            (file().with(&REQUIRE_CLIENT_TOKENS, "true"), "require-client-tokens: cannot be combined"),
        ] {
            let found = Definitions::resolve(&settings, Vec::new()).unwrap_err().to_string();
            assert!(found.starts_with(fault), "{found}");
        }
        let resolved = Definitions::resolve(&file().with(&OVERRIDE, "a=on,b=off"), Vec::new());
        assert_eq!(resolved.unwrap().unwrap().overridden(), ["a", "b"]);
    }
}
