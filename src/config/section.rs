//! Sections of the settings, and the headings of `--help`.

use std::iter;

use super::{
    Declaration, auth, definitions, deployment, embedded, frontend_tokens, hold, journal, limits, listen,
    listen_tls, log, oidc, operation, public, recorder, replica, upstream, upstream_header, upstream_sign_in,
    upstream_tls, upstream_token,
};

/// Settings with which most deployments work. They come first in the help and in the documents.
static ESSENTIAL: [&dyn Declaration; 12] = [
    &listen::LISTEN,
    &public::PUBLIC_URL,
    &public::TRUSTED_PROXY,
    &upstream::UPSTREAM,
    &upstream_token::UPSTREAM_TOKEN,
    &frontend_tokens::FRONTEND_ORIGIN,
    &frontend_tokens::FRONTEND_TOKENS,
    &replica::REPLICA,
    &embedded::DATA,
    &auth::AUTH,
    &embedded::DEMO,
    &operation::ADMIN_LISTEN,
];

/// Heading of the essential settings.
pub const ESSENTIAL_HEADING: &str = "Essential settings";

/// Settings about one subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Section {
    /// Addresses, TLS, and trusted proxies and sites.
    Listen,
    /// Limits for clients.
    Limits,
    /// The flag service that gets the API requests, and the connections to it.
    Upstream,
    /// Toggles for SDKs from memory.
    Replica,
    /// The database of the embedded flag service.
    Data,
    /// Sign-in to the embedded flag service.
    SignIn,
    /// Sign-in by OpenID Connect.
    OpenIdConnect,
    /// Name of the deployment, and rules for changes.
    Console,
    /// The operators' journal.
    Journal,
    /// The flight recorder.
    Recorder,
    /// Toggles that are held off for SDKs.
    Hold,
    /// Monitoring and shutdown.
    Operation,
    /// Level and format of the log.
    Log,
}

impl Section {
    /// All sections, in the order of `--help`.
    pub(super) const ALL: [Self; 13] = [
        Self::Listen,
        Self::Limits,
        Self::Upstream,
        Self::Replica,
        Self::Data,
        Self::SignIn,
        Self::Console,
        Self::Journal,
        Self::Recorder,
        Self::Hold,
        Self::Operation,
        Self::Log,
        Self::OpenIdConnect,
    ];

    /// Returns the heading of the section.
    pub(super) fn heading(self) -> &'static str {
        match self {
            Self::Listen => "Listen",
            Self::Limits => "Limits",
            Self::Upstream => "Upstream",
            Self::Replica => "Replica",
            Self::Data => "Data",
            Self::SignIn => "Sign-in",
            Self::OpenIdConnect => "OpenID Connect",
            Self::Console => "Console",
            Self::Journal => "Journal",
            Self::Recorder => "Flight recorder",
            Self::Hold => "Holds",
            Self::Operation => "Monitoring and shutdown",
            Self::Log => "Log",
        }
    }

    /// Returns the settings of the section.
    pub(super) fn settings(self) -> Vec<&'static dyn Declaration> {
        match self {
            Self::Listen => [listen::SETTINGS, listen_tls::SETTINGS, public::SETTINGS].concat(),
            Self::Limits => limits::SETTINGS.to_vec(),
            Self::Upstream => [
                upstream::SETTINGS,
                upstream_tls::SETTINGS,
                upstream_header::SETTINGS,
                upstream_sign_in::SETTINGS,
                upstream_token::SETTINGS,
            ]
            .concat(),
            Self::Replica => [replica::SETTINGS, frontend_tokens::SETTINGS].concat(),
            Self::Data => [embedded::SETTINGS, definitions::SETTINGS].concat(),
            Self::SignIn => auth::SETTINGS.to_vec(),
            Self::OpenIdConnect => oidc::SETTINGS.to_vec(),
            Self::Console => deployment::SETTINGS.to_vec(),
            Self::Journal => journal::SETTINGS.to_vec(),
            Self::Recorder => recorder::SETTINGS.to_vec(),
            Self::Hold => hold::SETTINGS.to_vec(),
            Self::Operation => operation::SETTINGS.to_vec(),
            Self::Log => log::SETTINGS.to_vec(),
        }
    }
}

/// Returns all settings under the headings of the help: first the essential settings, then the others of each section.
pub fn headings() -> impl Iterator<Item = (&'static str, Vec<&'static dyn Declaration>)> {
    let is_essential =
        |setting: &&dyn Declaration| ESSENTIAL.iter().any(|other| other.name() == setting.name());
    let others = Section::ALL.into_iter().map(move |section| {
        let settings = section.settings().into_iter().filter(|setting| !is_essential(setting));
        (section.heading(), settings.collect())
    });
    iter::once((ESSENTIAL_HEADING, ESSENTIAL.to_vec())).chain(others)
}
