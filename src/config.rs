//! Settings: defaults, then the file, then the environment, then flags; parsed once, checked against each other.
//! After this nobody reads the environment.

mod auth;
mod deployment;
mod embedded;
mod limits;
mod listen;
mod listen_tls;
mod log;
mod operation;
mod public;
mod upstream;
mod upstream_header;
mod upstream_tls;
mod value;
mod written;

use std::path::{Path, PathBuf};

use config::{Case, Environment, File, FileFormat};

pub use self::auth::Auth;
pub use self::deployment::{Colour, Deployment};
pub use self::embedded::Embedded;
pub use self::limits::RequestLimits;
pub use self::listen::{BasePath, Listen};
pub use self::listen_tls::ListenTls;
pub use self::log::{Log, LogFormat};
pub use self::operation::Operation;
pub use self::public::{Origin, Public};
pub use self::upstream::{Place, Upstream};
pub use self::upstream_tls::UpstreamTls;
pub use self::written::{Writer, Written};
use crate::cli::{Arguments, Settings};

/// What the program runs with.
#[derive(Debug, Clone)]
pub struct Config {
    /// Where requests are taken.
    pub listen: Listen,
    /// How clients reach it.
    pub public: Public,
    /// How much they may send.
    pub limits: RequestLimits,
    /// Who answers the API.
    pub backend: Backend,
    /// Which deployment this is.
    pub deployment: Deployment,
    /// How it is watched and ended.
    pub operation: Operation,
    /// What is logged, and how.
    pub log: Log,
    /// The settings as they were written.
    pub written: Vec<Written>,
}

/// Who answers the API calls.
#[derive(Debug, Clone)]
pub enum Backend {
    /// A flag service elsewhere: this program is its sidecar.
    Upstream(Upstream),
    /// The flag service inside this program.
    Embedded(Embedded),
}

/// Why the settings cannot be used: a sentence for the person who started the program.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct ConfigError(String);

impl ConfigError {
    /// Names the setting and tells what is wrong with its value.
    fn setting(name: &str, fault: impl std::fmt::Display) -> Self {
        Self(format!("{name}: {fault}"))
    }
}

impl Config {
    /// Joins the layers and checks the result.
    ///
    /// `environment` is every variable of the process; those that are no setting of ours are left alone, because
    /// container platforms inject variables such as `FLAGDECK_PORT` for a service of that name.
    ///
    /// # Errors
    /// One sentence that names the setting or the file and what to write instead.
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
        let settings = layered(file.as_deref(), &environment, &arguments.settings)?;
        let variables: Vec<_> = environment.keys().map(String::as_str).collect();
        let written = written::all(&from_file, &variables, &arguments.settings, &settings);
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
            written,
        })
    }
}

impl Backend {
    fn resolve(settings: &Settings) -> Result<Self, ConfigError> {
        match Upstream::resolve(settings)? {
            Some(_) if settings.demo == Some(true) => Err(ConfigError::setting(
                "demo",
                "the demo runs on the embedded flag service, so it cannot be used together with upstream",
            )),
            Some(_) if settings.auth.is_some() => Err(ConfigError::setting(
                "auth",
                "the upstream decides who may sign in, so this cannot be used together with upstream",
            )),
            Some(upstream) => Ok(Self::Upstream(upstream)),
            None => Embedded::resolve(settings).map(Self::Embedded),
        }
    }
}

/// The settings as written, the strongest layer last.
fn layered(
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

/// Reads the file by itself first, so that a fault in it is reported with its name.
fn read_file(path: &Path) -> Result<Settings, ConfigError> {
    config::Config::builder()
        .add_source(File::from(path).format(FileFormat::Toml))
        .build()
        .and_then(config::Config::try_deserialize::<Settings>)
        .map_err(|error| ConfigError(format!("The settings file {} cannot be used: {error}", path.display())))
}

/// True for the variables that are settings: the names that [`Settings`] serializes.
fn is_setting(variable: &str) -> bool {
    let Some(name) = variable.strip_prefix("FLAGDECK_") else { return false };
    <Settings as clap::Args>::augment_args(clap::Command::new(""))
        .get_arguments()
        .any(|argument| argument.get_id().as_str().eq_ignore_ascii_case(name))
}
