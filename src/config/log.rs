//! Logging: `log-level` and `log-format`.

use tracing_subscriber::filter::{LevelFilter, Targets};

use super::kind::Text;
use super::setting::Setting;
use super::{Config, ConfigError, Declaration, EffectiveSetting, SettingSource, Settings};

pub(super) static SETTINGS: &[&dyn Declaration] = &[&LOG_LEVEL, &LOG_FORMAT];

pub(super) static LOG_LEVEL: Setting<Text<Targets>> = Setting {
    name: "log-level",
    help: "Log level (error, warn, info, debug, trace or off), or a filter such as info,flagdeck=debug",
    // Two libraries log each of their steps at level info.
    default: "info,actix_server=warn,rusqlite_migration=warn",
    kind: Text("FILTER", parse_filter),
};

pub(super) static LOG_FORMAT: Setting<Text<LogFormat>> = Setting {
    name: "log-format",
    help: "Format of the log on standard error: text or json",
    default: "text",
    kind: Text("FORMAT", parse_format),
};

/// Settings of the log, which is written to standard error.
#[derive(Debug, Clone)]
pub struct Log {
    /// `LOG_LEVEL`: a level, or levels per module.
    pub filter: Targets,
    /// `LOG_FORMAT`: format of the lines.
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
        Ok(Self { filter: LOG_LEVEL.resolve(settings)?, format: LOG_FORMAT.resolve(settings)? })
    }
}

impl Config {
    /// Returns the log of a command that sends requests to other servers: only warnings and errors, unless a level is set.
    #[must_use]
    pub fn log_of_client(&self) -> Log {
        let is_default = |setting: &EffectiveSetting| {
            setting.name == LOG_LEVEL.name && setting.source == SettingSource::Default
        };
        if self.effective.iter().any(is_default) {
            Log { filter: Targets::new().with_default(LevelFilter::WARN), ..self.log.clone() }
        } else {
            self.log.clone()
        }
    }
}

/// Returns true for the name of a level.
pub(super) fn is_level(text: &str) -> bool {
    parse_level(text).is_some()
}

fn parse_format(text: &str) -> Result<LogFormat, String> {
    match text {
        "text" => Ok(LogFormat::Text),
        "json" => Ok(LogFormat::Json),
        _ => Err(format!("{text:?} is neither text nor json")),
    }
}

/// Parses levels separated by commas: a default level, and levels per module.
///
/// The parser of [`Targets`] is not used, because it accepts any word as a module name and then logs everything of it.
fn parse_filter(text: &str) -> Result<Targets, String> {
    let add = |filter: Targets, directive: &str| match directive.trim().split_once('=') {
        None => Some(filter.with_default(parse_level(directive.trim())?)),
        Some((module, level)) => Some(filter.with_target(parse_module(module)?, parse_level(level)?)),
    };
    text.split(',').try_fold(Targets::new(), add).ok_or_else(|| {
        format!(
            "{text:?} is not a level (error, warn, info, debug, trace or off), nor a filter such as \
             info,flagdeck=debug"
        )
    })
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

    use super::{LOG_LEVEL, parse_filter};

    #[test]
    fn parses_levels_and_levels_per_module() {
        for text in [
            LOG_LEVEL.default,
            "off",
            "INFO",
            "trace",
            "info, flagdeck=debug",
            "flagdeck::proxy=off",
            "warn,a-b=info",
        ] {
            assert!(parse_filter(text).is_ok(), "{text}");
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
            assert!(parse_filter(text).is_err(), "{text}");
        }
        let filter = parse_filter("warn,flagdeck=debug").unwrap();
        assert!(filter.would_enable("flagdeck::proxy", &Level::DEBUG));
        assert!(filter.would_enable("actix_server", &Level::WARN));
        assert!(!filter.would_enable("actix_server", &Level::INFO));
    }
}
