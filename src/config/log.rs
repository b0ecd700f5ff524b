//! Logging: `log-level` and `log-format`.

use tracing_subscriber::filter::{LevelFilter, Targets};

use super::ConfigError;
use crate::cli::Settings;

/// Level info, except for two libraries that log each of their steps at this level.
const DEFAULT_FILTER: &str = "info,actix_server=warn,rusqlite_migration=warn";

/// Settings of the log, which is written to standard error.
#[derive(Debug, Clone)]
pub struct Log {
    /// `--log-level`, `FLAGDECK_LOG_LEVEL`; `DEFAULT_FILTER` by default. A level, or levels per module.
    pub filter: Targets,
    /// `--log-format`, `FLAGDECK_LOG_FORMAT`; text by default.
    pub format: LogFormat,
}

/// Format of the log lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFormat {
    /// Human-readable lines.
    Text,
    /// One JSON object per line.
    Json,
}

impl Log {
    pub(super) fn resolve(settings: &Settings) -> Result<Self, ConfigError> {
        let filter = settings.log_level.as_deref().unwrap_or(DEFAULT_FILTER);
        let parsed = parse_filter(filter).ok_or_else(|| {
            let fault = format!(
                "{filter:?} is not a level (error, warn, info, debug, trace or off), nor a filter such as \
                 info,flagdeck=debug"
            );
            ConfigError::setting("log-level", fault)
        })?;
        let format = match settings.log_format.as_deref() {
            None | Some("text") => LogFormat::Text,
            Some("json") => LogFormat::Json,
            Some(other) => {
                return Err(ConfigError::setting(
                    "log-format",
                    format!("{other:?} is neither text nor json"),
                ));
            }
        };
        Ok(Self { filter: parsed, format })
    }
}

/// Parses levels separated by commas: a default level, and levels per module.
///
/// The parser of [`Targets`] is not used, because it accepts any word as a module name and then logs everything of it.
fn parse_filter(text: &str) -> Option<Targets> {
    let mut filter = Targets::new();
    for directive in text.split(',').map(str::trim) {
        filter = match directive.split_once('=') {
            None => filter.with_default(parse_level(directive)?),
            Some((module, level)) => filter.with_target(parse_module(module)?, parse_level(level)?),
        };
    }
    Some(filter)
}

fn parse_level(text: &str) -> Option<LevelFilter> {
    let levels = ["off", "error", "warn", "info", "debug", "trace"];
    let is_level = levels.iter().any(|level| level.eq_ignore_ascii_case(text));
    // The library would also accept an empty text and digits.
    if is_level { text.parse().ok() } else { None }
}

/// Parses the path of a module, such as `flagdeck::proxy`.
fn parse_module(text: &str) -> Option<&str> {
    let is_name = |name: &str| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte))
    };
    text.split("::").all(is_name).then_some(text)
}

#[cfg(test)]
mod tests {
    use tracing::Level;

    use super::{DEFAULT_FILTER, parse_filter};

    #[test]
    fn parses_levels_and_levels_per_module() {
        for text in [
            DEFAULT_FILTER,
            "off",
            "INFO",
            "trace",
            "info, flagdeck=debug",
            "flagdeck::proxy=off",
            "warn,a-b=info",
        ] {
            assert!(parse_filter(text).is_some(), "{text}");
        }
        for text in [
            "",
            " ",
            ",",
            "x",
            "[",
            "9",
            "3",
            "info,",
            "info,x",
            "flagdeck=",
            "flagdeck=x",
            "=debug",
            "flagdeck:proxy=debug",
            "flagdeck[span]=debug",
            "info debug",
        ] {
            assert!(parse_filter(text).is_none(), "{text}");
        }
        let filter = parse_filter("warn,flagdeck=debug").unwrap();
        assert!(filter.would_enable("flagdeck::proxy", &Level::DEBUG));
        assert!(filter.would_enable("actix_server", &Level::WARN));
        assert!(!filter.would_enable("actix_server", &Level::INFO));
    }
}
