//! Settings. The layers are merged (defaults, settings file, environment, flags), parsed once and validated together.
//! No other module reads the environment.

mod auth;
mod deployment;
mod effective;
mod embedded;
mod limits;
mod listen;
mod listen_tls;
mod log;
mod operation;
mod permission;
mod public;
mod retry_policy;
mod upstream;
mod upstream_header;
mod upstream_tls;
mod value;

use std::path::{Path, PathBuf};

use config::{Case, Environment, File, FileFormat};

pub use self::auth::{Auth, AuthMode, MAX_SESSION_LIFETIME};
pub use self::deployment::{Colour, Deployment};
pub use self::effective::{EffectiveSetting, SettingSource};
pub use self::embedded::{DataLocation, Embedded};
pub use self::limits::RequestLimits;
pub use self::listen::{BasePath, Listen};
pub use self::listen_tls::ListenTls;
pub use self::log::{Log, LogFormat};
pub use self::operation::Operation;
pub use self::permission::Permission;
pub use self::public::{Origin, Public};
pub use self::retry_policy::RetryPolicy;
pub use self::upstream::{Upstream, UpstreamAddress};
pub use self::upstream_tls::UpstreamTls;
use crate::cli::{Arguments, Settings};

/// The parsed settings of the program.
#[derive(Debug, Clone)]
pub struct Config {
    /// Address, path and TLS of the console.
    pub listen: Listen,
    /// Public address, and trusted proxies and sites.
    pub public: Public,
    /// Limits for clients.
    pub limits: RequestLimits,
    /// The backend of the API.
    pub backend: Backend,
    /// Name and colour of this deployment.
    pub deployment: Deployment,
    /// Monitoring and shutdown.
    pub operation: Operation,
    /// Level and format of the log.
    pub log: Log,
    /// Each setting with its value and source, for `flagdeck check`.
    pub effective: Vec<EffectiveSetting>,
}

/// The backend that handles API requests.
#[derive(Debug, Clone)]
pub enum Backend {
    /// Another flag service. This program is its sidecar.
    Upstream(Upstream),
    /// The embedded flag service.
    Embedded(Embedded),
}

/// An invalid setting. The message is one sentence.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct ConfigError(String);

impl ConfigError {
    /// Creates an error for a setting: its name and the fault.
    fn setting(name: &str, fault: impl std::fmt::Display) -> Self {
        Self(format!("{name}: {fault}"))
    }
}

impl Config {
    /// Merges the layers and validates the result.
    ///
    /// `environment` contains all variables of the process. Those that are not settings are ignored, because container
    /// platforms set variables such as `FLAGDECK_PORT` for a service of that name.
    ///
    /// # Errors
    /// If a setting or the settings file is invalid. The message names it and the remedy.
    pub fn resolve(
        arguments: &Arguments,
        environment: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Self, ConfigError> {
        let environment: config::Map<String, String> = environment.into_iter().collect();
        let file = arguments.config.clone().or_else(|| {
            environment.get("FLAGDECK_CONFIG").filter(|path| !path.is_empty()).map(PathBuf::from)
        });
        let environment: config::Map<String, String> =
            environment.into_iter().filter(|(name, value)| !value.is_empty() && is_setting(name)).collect();
        let from_file = file.as_deref().map(read_file).transpose()?.unwrap_or_default();
        let settings = merge_layers(file.as_deref(), &environment, &arguments.settings)?;
        let variables: Vec<_> = environment.keys().map(String::as_str).collect();
        let effective = effective::effective_settings(&from_file, &variables, &arguments.settings, &settings);
        let (listen, backend) = (Listen::resolve(&settings)?, Backend::resolve(&settings)?);
        match &backend {
            Backend::Embedded(embedded) => embedded.auth.check_address(&listen, &settings)?,
            Backend::Upstream(upstream) => upstream.check_address(&listen)?,
        }
        upstream_header::check_address(&settings, &listen)?;
        Ok(Self {
            listen,
            public: Public::resolve(&settings)?,
            limits: RequestLimits::resolve(&settings)?,
            backend,
            deployment: Deployment::resolve(&settings)?,
            operation: Operation::resolve(&settings)?,
            log: Log::resolve(&settings)?,
            effective,
        })
    }
}

impl Backend {
    fn resolve(settings: &Settings) -> Result<Self, ConfigError> {
        match Upstream::resolve(settings)? {
            Some(_) if settings.demo == Some(true) => Err(ConfigError::setting(
                "demo",
                "cannot be combined with upstream, because the demo uses the embedded flag service; remove one of them",
            )),
            Some(_) if settings.auth.is_some() => Err(ConfigError::setting(
                "auth",
                "cannot be combined with upstream, because the upstream handles sign-in; remove one of them",
            )),
            Some(upstream) => Ok(Self::Upstream(upstream)),
            None => Embedded::resolve(settings).map(Self::Embedded),
        }
    }
}

/// Merges the layers without parsing the values. Later layers override earlier ones.
fn merge_layers(
    file: Option<&Path>,
    environment: &config::Map<String, String>,
    flags: &Settings,
) -> Result<Settings, ConfigError> {
    let mut layers = config::Config::builder();
    if let Some(path) = file {
        layers = layers.add_source(File::from(path).format(FileFormat::Toml));
    }
    let fault = |error: &config::ConfigError| ConfigError(format!("The settings cannot be read: {error}"));
    layers
        .add_source(
            Environment::with_prefix("FLAGDECK").convert_case(Case::Kebab).source(Some(environment.clone())),
        )
        .add_source(config::Config::try_from(flags).map_err(|error| fault(&error))?)
        .build()
        .and_then(config::Config::try_deserialize)
        .map_err(|error| fault(&error))
}

/// Reads the settings file alone, so that an error message names the file.
fn read_file(path: &Path) -> Result<Settings, ConfigError> {
    config::Config::builder()
        .add_source(File::from(path).format(FileFormat::Toml))
        .build()
        .and_then(config::Config::try_deserialize::<Settings>)
        .map_err(|error| ConfigError(format!("The settings file {} cannot be used: {error}", path.display())))
}

/// Returns true if the variable is a setting.
fn is_setting(variable: &str) -> bool {
    let Some(name) = variable.strip_prefix("FLAGDECK_") else { return false };
    <Settings as clap::Args>::augment_args(clap::Command::new(""))
        .get_arguments()
        .any(|argument| argument.get_id().as_str().eq_ignore_ascii_case(name))
}
