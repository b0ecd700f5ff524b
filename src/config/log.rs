//! What is logged, and how: `log-level` and `log-format`.

use tracing_subscriber::filter::{ParseError, Targets};

use super::ConfigError;
use crate::cli::Settings;

/// Level info, without the libraries that tell of each of their own steps at it.
const DEFAULT_FILTER: &str = "info,actix_server=warn,rusqlite_migration=warn";

/// What is logged to standard error.
#[derive(Debug, Clone)]
pub struct Log {
    /// `--log-level`, `FLAGDECK_LOG_LEVEL`; [`DEFAULT_FILTER`] unless set. A level, or levels of single modules.
    pub filter: Targets,
    /// `--log-format`, `FLAGDECK_LOG_FORMAT`; text by default.
    pub format: LogFormat,
}

/// How a log line is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

impl Log {
    pub(super) fn resolve(settings: &Settings) -> Result<Self, ConfigError> {
        let filter = settings.log_level.as_deref().unwrap_or(DEFAULT_FILTER);
        let parsed = filter
            .parse()
            .map_err(|error: ParseError| ConfigError::setting("log-level", format!("{filter:?}: {error}")))?;
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
