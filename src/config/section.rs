//! Sections of the settings: the headings of `--help`.

use super::{
    Declaration, auth, client_token, deployment, embedded, evaluate, limits, listen, listen_tls, log,
    operation, public, replica, upstream, upstream_header, upstream_tls,
};

/// Settings about one subject, under one heading of the help.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Section {
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
    /// Name and colour of the deployment.
    Console,
    /// Monitoring and shutdown.
    Operation,
    /// Level and format of the log.
    Log,
}

impl Section {
    /// All sections, in the order of `--help`.
    pub const ALL: [Self; 9] = [
        Self::Listen,
        Self::Limits,
        Self::Upstream,
        Self::Replica,
        Self::Data,
        Self::SignIn,
        Self::Console,
        Self::Operation,
        Self::Log,
    ];

    /// Returns the heading of the section.
    #[must_use]
    pub fn heading(self) -> &'static str {
        match self {
            Self::Listen => "Listen",
            Self::Limits => "Limits",
            Self::Upstream => "Upstream",
            Self::Replica => "Replica",
            Self::Data => "Data",
            Self::SignIn => "Sign-in",
            Self::Console => "Console",
            Self::Operation => "Monitoring and shutdown",
            Self::Log => "Log",
        }
    }

    /// Returns the settings of the section.
    #[must_use]
    pub fn settings(self) -> Vec<&'static dyn Declaration> {
        match self {
            Self::Listen => [listen::SETTINGS, listen_tls::SETTINGS, public::SETTINGS].concat(),
            Self::Limits => limits::SETTINGS.to_vec(),
            Self::Upstream => [
                upstream::SETTINGS,
                upstream_tls::SETTINGS,
                upstream_header::SETTINGS,
                client_token::SETTINGS,
            ]
            .concat(),
            Self::Replica => [replica::SETTINGS, evaluate::SETTINGS].concat(),
            Self::Data => embedded::SETTINGS.to_vec(),
            Self::SignIn => auth::SETTINGS.to_vec(),
            Self::Console => deployment::SETTINGS.to_vec(),
            Self::Operation => operation::SETTINGS.to_vec(),
            Self::Log => log::SETTINGS.to_vec(),
        }
    }
}
