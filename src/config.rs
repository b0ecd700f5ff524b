//! Settings. Each is declared once, in the module of its area. The layers (settings file, environment, flags) are merged,
//! parsed once and validated together. No other module reads the environment.

mod auth;
mod definitions;
mod deployment;
mod edge;
mod effective;
mod embedded;
mod frontend_tokens;
#[cfg(test)]
mod generated;
mod hold;
mod journal;
mod kind;
mod limits;
mod listen;
mod listen_tls;
mod log;
mod oidc;
mod operation;
mod permission;
mod pgpass;
mod postgres;
mod public;
mod recorder;
mod replica;
mod retry_policy;
mod sdk_token;
mod section;
mod setting;
mod settings;
mod target;
mod upstream;
mod upstream_header;
mod upstream_scope;
mod upstream_sign_in;
mod upstream_tls;
mod upstream_token;

use std::mem;
use std::path::{Path, PathBuf};

pub use self::auth::{Auth, AuthMode, MAX_SESSION_LIFETIME, MIN_PASSWORD_LENGTH};
pub use self::definitions::{Definitions, DefinitionsToken, OverrideResult, ToggleOverride};
pub use self::deployment::Deployment;
use self::edge::EdgeSettings;
pub use self::edge::{
    EdgeMode, EdgeValues, EdgeVariable, Meaning, OFFLINE_VARIABLES, ProbeTarget, VARIABLES as EDGE_VARIABLES,
    variable_name,
};
pub use self::effective::{EffectiveSetting, SettingSource};
pub(crate) use self::embedded::parse_file;
pub use self::embedded::{DEFAULT_PROJECT, DataLocation, Deliveries, Embedded};
pub use self::frontend_tokens::FrontendToken;
pub use self::hold::{Hold, HoldWebhook};
pub use self::journal::{Journal, JournalOutput, key_of};
pub use self::kind::Form;
pub use self::limits::RequestLimits;
pub(crate) use self::listen::local_address;
pub use self::listen::{BasePath, Listen};
pub use self::listen_tls::ListenTls;
pub use self::log::{Log, LogFormat};
pub use self::oidc::{ClientSecret, Grant, OIDC_START_PATH, Oidc, OidcTimes, is_secure_url};
pub use self::operation::Operation;
pub use self::permission::Permission;
pub use self::postgres::{PostgresLocation, is_postgres_url};
pub(crate) use self::public::is_local_name;
pub use self::public::{AcceptedHosts, Origin, Public};
pub use self::recorder::Recorder;
pub use self::replica::Replica;
pub use self::retry_policy::RetryPolicy;
pub use self::sdk_token::{ALL_PROJECTS, ANY_ORIGIN, TokenKind, TokenScope, parse_token_origin};
use self::section::Section;
pub use self::section::{ESSENTIAL_HEADING, headings};
pub use self::setting::Declaration;
pub use self::settings::Settings;
pub use self::target::{Target, Targets, redact_location};
use self::upstream::GivenSecrets;
pub use self::upstream::{Upstream, UpstreamAddress};
pub use self::upstream_sign_in::{SharedAccount, UpstreamSignIn};
pub use self::upstream_tls::UpstreamTls;
pub use self::upstream_token::ClientToken;

/// Returns the declarations of all settings, in the order of `--help`.
pub fn declarations() -> impl Iterator<Item = &'static dyn Declaration> {
    headings().flat_map(|(_, settings)| settings)
}

/// Returns the declaration of the setting with this name.
fn declaration(name: &str) -> Option<&'static dyn Declaration> {
    declarations().find(|setting| setting.name() == name)
}

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
    pub backend: BackendSettings,
    /// Set for `flagdeck edge` and `flagdeck offline`, which serve SDKs only.
    pub edge: Option<Edge>,
    /// Name of this deployment, and rules for changes.
    pub deployment: Deployment,
    /// The operators' journal; `None` if changes are not recorded.
    pub journal: Option<Journal>,
    /// The flight recorder; `None` if nothing is recorded.
    pub recorder: Option<Recorder>,
    /// File and webhook of holds.
    pub hold: Hold,
    /// The database beside which, or in which copies and records are kept; `None` if there are none.
    pub kept: Option<DataLocation>,
    /// Monitoring and shutdown.
    pub operation: Operation,
    /// Level and format of the log.
    pub log: Log,
    /// Other flag services that commands read and change.
    pub targets: Targets,
    /// Each setting with its value and source, for `flagdeck check`.
    pub effective: Vec<EffectiveSetting>,
    /// Probable mistakes in valid settings, such as a misspelt environment variable; one sentence each.
    pub warnings: Vec<String>,
    /// The user who ran `sudo`, for commands.
    pub sudo_user: Option<String>,
    /// Settings that have no effect on the server, because another one is missing; one sentence each. A command may use them.
    pub unused: Vec<String>,
}

/// The backend that handles API requests.
#[derive(Debug, Clone)]
pub enum BackendSettings {
    /// Another flag service. This program is its sidecar.
    Upstream(Box<Upstream>),
    /// The embedded flag service.
    Embedded(Embedded),
}

/// The paths and notes of `flagdeck edge` and `flagdeck offline`.
#[derive(Debug, Clone)]
pub struct Edge {
    /// `/internal-backstage/metrics` is served.
    pub has_metrics: bool,
    /// `/api/frontend/all` is served.
    pub has_all_results: bool,
    /// A line for the log for each variable of Edge that sets something here.
    pub set: Vec<String>,
    /// A line for each variable without effect.
    pub ignored: Vec<String>,
}

/// An invalid setting. The message is one sentence.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct ConfigError(String);

impl Config {
    /// Merges the layers and validates the result. `file` is the settings file, if a flag names it.
    ///
    /// `environment` contains all variables of the process. Those that are not settings have no effect.
    ///
    /// # Errors
    /// If a setting or the settings file is invalid. The message names it and the remedy.
    pub fn resolve(
        file: Option<&Path>,
        flags: &Settings,
        environment: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Self, ConfigError> {
        Self::resolve_needed(None, file, flags, environment)
    }

    /// Does the same for a command that uses only the settings with these names, and those of the log. The others have their
    /// defaults, so that a fault in one of them does not prevent the command.
    ///
    /// # Errors
    /// As for [`Config::resolve`].
    pub fn resolve_needed(
        needed: Option<&[&str]>,
        file: Option<&Path>,
        flags: &Settings,
        environment: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Self, ConfigError> {
        let variables = environment.into_iter().collect();
        Self::merge(needed, file, flags, &variables, GivenSecrets::default(), None)
    }

    /// Returns the settings of `flagdeck edge` or `flagdeck offline`: those that the flags and variables of Edge become, and else those of
    /// the environment and of the settings file that a variable names.
    ///
    /// # Errors
    /// If a setting or a variable of Edge is invalid, or is not supported and would change the results of SDKs. The message names it
    /// and the remedy.
    pub fn resolve_edge(
        mode: EdgeMode,
        values: EdgeValues,
        environment: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Self, ConfigError> {
        let variables: config::Map<String, String> = environment.into_iter().collect();
        let EdgeSettings { settings, secrets, mut edge } = edge::resolve(mode, values, &variables)?;
        if mode == EdgeMode::Online {
            edge.ignored.extend(edge::note_proxies(&variables));
        }
        Self::merge(None, None, &settings, &variables, secrets, Some(edge))
    }

    /// Merges the layers. `needed` is explained at [`Config::resolve_needed`].
    fn merge(
        needed: Option<&[&str]>,
        file: Option<&Path>,
        flags: &Settings,
        variables: &config::Map<String, String>,
        given: GivenSecrets,
        edge: Option<Edge>,
    ) -> Result<Self, ConfigError> {
        let path = file.map(PathBuf::from).or_else(|| {
            variables.get(settings::CONFIG_FILE).filter(|path| !path.is_empty()).map(PathBuf::from)
        });
        let (file, mut targets) = path.as_deref().map(Settings::read_file).transpose()?.unwrap_or_default();
        targets.set_variables(variables);
        targets.set_file(path.as_deref());
        let environment = Settings::read_environment(variables)?;
        let mut effective = effective::effective_settings(flags, &environment, &file);
        effective::redact(&mut effective, &hold::HOLD_WEBHOOK, hold::redact_webhook);
        let mut settings = file.overridden_by(&environment).overridden_by(flags);
        if edge.is_some()
            && upstream::UPSTREAM.is_set(&settings)
            && !replica::REPORT_INTERVAL.is_set(&settings)
        {
            settings.insert(&replica::REPORT_INTERVAL, vec![edge::REPORT_INTERVAL.to_owned()]);
        }
        if let Some(needed) = needed {
            let log = Section::Log.settings();
            settings
                .retain(|name| needed.contains(&name) || log.iter().any(|setting| setting.name() == name));
        }
        let (listen, mut backend) =
            (Listen::resolve(&settings)?, BackendSettings::resolve(&settings, given)?);
        if let Some(DataLocation::Postgres(location)) = backend.data_mut() {
            location.set_password(|name| variables.get(name).cloned());
        }
        let has_copies =
            matches!(&backend, BackendSettings::Upstream(upstream) if upstream.replica.is_some());
        let kept = backend.data().filter(|data| has_copies && **data != DataLocation::Memory).cloned();
        match &backend {
            // The command does not listen.
            _ if needed.is_some() => {}
            // Only SDKs with a token are served.
            BackendSettings::Embedded(_) if edge.is_some() => {}
            BackendSettings::Embedded(embedded) => {
                embedded.auth.check_address(&listen, &settings, embedded.definitions.is_some())?;
            }
            BackendSettings::Upstream(upstream) => upstream.check_address(&listen)?,
        }
        // Users sign in here before their requests get the credential, or SDKs send their own.
        if edge.is_none()
            && !matches!(&backend, BackendSettings::Upstream(upstream) if upstream.sign_in.is_some())
        {
            upstream_header::check_address(&settings, &listen)?;
        }
        let mut warnings = settings::unknown_variables(variables);
        if let BackendSettings::Upstream(upstream) = &backend {
            warnings.extend(upstream.warn_about_path());
            let cause = upstream.replica.as_ref().and_then(Replica::cause);
            if let Some(cause) = cause.filter(|_| !replica::REPLICA.is_set(&settings)) {
                effective::imply(&mut effective, &replica::REPLICA, "true", cause);
            }
        }
        let mut limits = RequestLimits::resolve(&settings)?;
        if backend.definitions().is_some() {
            // The next version of the file would replace changes.
            limits.read_only = true;
            effective::imply(&mut effective, &limits::READ_ONLY, "true", &definitions::DEFINITIONS);
        }
        let mut unused = unused_settings(&settings, &backend);
        let journal = Journal::resolve(&settings)?;
        if let Some(journal) = &journal {
            journal.refuse_shared_files(backend.data())?;
        } else {
            unused.extend(without_effect(&settings, Section::Journal, "journal"));
        }
        let recorder = Recorder::resolve(&settings, &backend)?;
        if recorder.is_none() {
            unused.extend(without_effect(&settings, Section::Recorder, "recorder"));
        }
        let kept = kept.or_else(|| Some(recorder.as_ref()?.data.clone()));
        let hold = Hold::resolve(&settings, &backend)?;
        if backend.auth().is_none_or(|auth| auth.oidc.is_none()) {
            unused.extend(without_effect(&settings, Section::OpenIdConnect, "auth = \"oidc\""));
        }
        let mut public = Public::resolve(&settings)?;
        if edge.is_some() {
            public.accepted_hosts = AcceptedHosts::All;
        }
        Ok(Self {
            listen,
            public,
            limits,
            backend,
            edge,
            deployment: Deployment::resolve(&settings)?,
            journal,
            recorder,
            hold,
            kept,
            operation: Operation::resolve(&settings)?,
            log: Log::resolve(&settings)?,
            targets,
            effective,
            warnings,
            sudo_user: variables.get("SUDO_USER").cloned(),
            unused,
        })
    }
}

/// Returns a hint for each setting that has no effect with this backend.
fn unused_settings(settings: &Settings, backend: &BackendSettings) -> Vec<String> {
    match backend {
        BackendSettings::Upstream(upstream) if upstream.replica.is_some() => Vec::new(),
        BackendSettings::Upstream(_) => without_effect(settings, Section::Replica, "replica"),
        BackendSettings::Embedded(embedded) => {
            let mut others = settings.clone();
            // It also selects the environment of an export in `definitions`.
            let used = embedded.definitions.as_ref().map(|_| upstream_scope::ENVIRONMENT.name);
            others.retain(|name| Some(name) != used);
            let sections = [Section::Upstream, Section::Replica].into_iter();
            sections.flat_map(|section| without_effect(&others, section, "upstream")).collect()
        }
    }
}

/// Returns a hint for each setting of a section that is set to another value than its default, although it has no effect
/// without the setting `needed`.
fn without_effect(settings: &Settings, section: Section, needed: &str) -> Vec<String> {
    let is_changed = |setting: &&dyn Declaration| {
        let values = settings.get(setting.name()).unwrap_or_default();
        let is_default = setting.form().has_default() && values == [setting.default()];
        !(values.is_empty() || is_default)
    };
    let changed = section.settings().into_iter().filter(is_changed);
    changed.map(|setting| format!("{} has no effect without {needed}", setting.name())).collect()
}

impl BackendSettings {
    fn resolve(settings: &Settings, mut given: GivenSecrets) -> Result<Self, ConfigError> {
        let definitions = Definitions::resolve(settings, mem::take(&mut given.offline_tokens))?;
        let Some(mut upstream) = Upstream::resolve_with(settings, given)? else {
            if replica::REPLICA.resolve(settings)? {
                return Err(replica::REPLICA
                    .error("needs upstream, the flag service whose toggles are served; set it"));
            }
            frontend_tokens::refuse_without_upstream(settings)?;
            return Embedded::resolve(settings, definitions).map(Self::Embedded);
        };
        if embedded::DEMO.resolve(settings)? {
            return Err(embedded::DEMO.error(
                "cannot be combined with upstream, because the demo uses the embedded flag service; remove one of them",
            ));
        }
        let data = embedded::resolve_data(settings)?;
        upstream.sign_in = UpstreamSignIn::resolve(settings, &upstream.added_headers, &data)?;
        let is_kept = embedded::DATA.is_set(settings) && upstream.replica.is_some();
        upstream.data = (is_kept || upstream.sign_in.is_some()).then_some(data);
        if auth::REQUIRE_CLIENT_TOKENS.resolve(settings)? {
            return Err(auth::REQUIRE_CLIENT_TOKENS.error(
                "cannot be combined with upstream, because the upstream checks the tokens of SDKs; remove one of them",
            ));
        }
        Ok(Self::Upstream(Box::new(upstream)))
    }

    /// Returns the file that the toggles come from; `None` if a flag service stores them.
    #[must_use]
    pub fn definitions(&self) -> Option<&Definitions> {
        if let Self::Embedded(embedded) = self { embedded.definitions.as_deref() } else { None }
    }

    /// Returns how users sign in here; `None` if they sign in at the upstream.
    #[must_use]
    pub fn auth(&self) -> Option<&Auth> {
        match self {
            Self::Upstream(upstream) => upstream.sign_in.as_ref().map(|sign_in| &sign_in.auth),
            Self::Embedded(embedded) => Some(&embedded.auth),
        }
    }

    /// Returns the location of the database; `None` if there is none.
    #[must_use]
    pub fn data(&self) -> Option<&DataLocation> {
        match self {
            Self::Upstream(upstream) => upstream.data.as_ref(),
            Self::Embedded(embedded) => Some(&embedded.data),
        }
    }

    fn data_mut(&mut self) -> Option<&mut DataLocation> {
        match self {
            Self::Upstream(upstream) => upstream.data.as_mut(),
            Self::Embedded(embedded) => Some(&mut embedded.data),
        }
    }
}
