//! Settings that the console needs, such as its backend.

use crate::config::{
    AuthMode, BackendSettings, Config, DataLocation, Definitions, Journal, JournalOutput, Upstream,
};
use crate::console_api::{Capabilities, DefinitionsFile, FlagService, Mode, Settings, SharedDatabase};

/// Selects the settings for the console from the configuration.
#[must_use]
pub fn from_config(config: &Config) -> Settings {
    let (mode, upstream, auth) = match &config.backend {
        BackendSettings::Upstream(upstream) => (Mode::Upstream, Some(&**upstream), None),
        BackendSettings::Embedded(embedded) => (Mode::Embedded, None, Some(embedded.auth.mode)),
    };
    let deployment = &config.deployment;
    Settings {
        mode,
        upstream: upstream.map(|upstream| upstream.authority.clone()),
        // Sign-in paths are those of this program, unless users sign in at the upstream.
        mount_path: upstream
            .filter(|upstream| upstream.sign_in.is_none())
            .map_or_else(|| config.listen.base_path.as_str().to_owned(), |upstream| upstream.path.clone()),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        sign_out: auth != Some(AuthMode::None),
        read_only: config.limits.read_only,
        confirm_writes: deployment.confirm_writes,
        image_origins: config.public.image_origins.iter().map(ToString::to_string).collect(),
        environment: deployment.label.clone(),
        capabilities: upstream.is_none().then(|| Capabilities::new(FlagService::Embedded)),
        server: None,
        replica: upstream.is_some_and(|upstream| upstream.replica.is_some()),
        serves_browsers: upstream.is_none_or(Upstream::serves_browsers),
        serves_open_feature: upstream.is_none_or(Upstream::serves_open_feature),
        journal: matches!(&config.journal, Some(Journal { output: JournalOutput::File(_), .. })),
        sessions: auth.is_some_and(AuthMode::accepts_passwords)
            || upstream.is_some_and(|upstream| upstream.sign_in.is_some()),
        holds: upstream.is_none_or(|upstream| upstream.replica.is_some()),
        recorder: config.recorder.is_some(),
        // Other upstreams have one account for all users, or no private projects.
        recorder_needs_admin: upstream.is_some_and(|upstream| upstream.sign_in.is_none()),
        shared_database: shared_database(&config.backend),
        definitions: config.backend.definitions().map(describe_definitions),
    }
}

fn describe_definitions(definitions: &Definitions) -> DefinitionsFile {
    let file = definitions.file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    DefinitionsFile { file, overrides: definitions.overrides.iter().map(ToString::to_string).collect() }
}

/// Names the shared database and this instance. Its id is random: this endpoint is public, and must not reveal the host.
fn shared_database(backend: &BackendSettings) -> Option<SharedDatabase> {
    let BackendSettings::Embedded(embedded) = backend else { return None };
    let DataLocation::Postgres(_) = embedded.data else { return None };
    let instance = format!("{:04x}", fastrand::u16(..));
    tracing::info!(instance, "the console shows this id of the instance");
    Some(SharedDatabase { engine: "PostgreSQL".to_owned(), instance })
}
