//! Command-line arguments. `config.rs` adds the defaults, the environment and the settings file.

mod access;

use std::path::PathBuf;

use clap::{Parser, Subcommand};
use serde::{Deserialize, Deserializer, Serialize};

pub use self::access::{NewUserArguments, TokenCommand, UserCommand};
use crate::version::VERSION;

/// The arguments of one call of `flagdeck`.
#[derive(Debug, Parser)]
#[command(
    version,
    long_version = VERSION.as_str(),
    about = "A feature-flag console in one binary.\n\nWith --upstream it serves the console for an existing flag service and forwards the API to it. Without --upstream it runs an embedded flag service on SQLite.",
    after_help = "Each setting can also be an environment variable (such as FLAGDECK_BASE_PATH) or a key in a TOML file (such as base-path). Flags override the environment, the environment overrides the file."
)]
pub struct Arguments {
    /// TOML file to read settings from [default: none]
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// Settings from flags.
    #[command(flatten)]
    pub settings: Settings,

    /// Command to run instead of the server.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// A command that runs instead of the server.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Print the settings, and check the ports, the certificates and the flag service or the database
    #[command(
        after_help = "Each problem is reported with a remedy. Exit code 1 means that the program would not work."
    )]
    Check,
    /// Check that the server with these settings responds; exit code 0 or 1, for container probes
    Health,
    /// Copy the database to a new file, also while the server runs
    Backup {
        /// File to create
        file: PathBuf,
    },
    /// Export toggles, strategies, projects and tags in the format of Unleash 3.x
    Export {
        /// File to create [default: standard output]
        file: Option<PathBuf>,
    },
    /// Import an export of Unleash 3.x or of `flagdeck export`, completely or not at all
    Import {
        /// File to read
        file: PathBuf,
        /// First remove all existing items of each section that the file contains
        #[arg(long)]
        drop_before_import: bool,
        /// Keep existing items unchanged, and only add new ones
        #[arg(long)]
        keep_existing: bool,
    },
    /// Manage the users for --auth password
    #[command(subcommand)]
    User(UserCommand),
    /// Manage the tokens of client libraries
    #[command(subcommand)]
    Token(TokenCommand),
}

/// All settings as unparsed values. The field name determines the flag, the environment variable and the key in the file.
/// `None` means that this layer does not set the value.
#[derive(Debug, Default, clap::Args, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Settings {
    /// Address to listen on [default: 127.0.0.1:4242]
    #[arg(long, global = true, value_name = "ADDRESS:PORT")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub listen: Option<String>,

    /// Path below which the console is served, such as /flags [default: /]
    #[arg(long, global = true, value_name = "PATH")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_path: Option<String>,

    /// Certificate for https in PEM format; SIGHUP reloads it [default: none, http]
    #[arg(long, global = true, value_name = "FILE")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tls_cert: Option<String>,

    /// Private key of the certificate, in PEM format [default: none]
    #[arg(long, global = true, value_name = "FILE")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tls_key: Option<String>,

    /// Address at which browsers reach the console; requests for other hosts are then refused [default: none, any host]
    #[arg(long, global = true, value_name = "https://HOST")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub public_url: Option<String>,

    /// Networks of reverse proxies whose X-Forwarded-* headers are trusted [default: none]
    #[arg(long, global = true, value_name = "CIDR", value_delimiter = ',')]
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "list")]
    pub trusted_proxy: Option<Vec<String>>,

    /// Other sites whose pages may make changes [default: none]
    #[arg(long, global = true, value_name = "https://HOST", value_delimiter = ',')]
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "list")]
    pub trusted_origin: Option<Vec<String>>,

    /// Other sites from which browsers may load images of users [default: none]
    #[arg(long, global = true, value_name = "https://HOST", value_delimiter = ',')]
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "list")]
    pub image_origin: Option<Vec<String>>,

    /// Refuse all changes except signing in and out; reports of SDKs are accepted [default: false]
    #[arg(long, global = true, value_name = "true|false", hide_possible_values = true, num_args = 0..=1, default_missing_value = "true", require_equals = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_only: Option<bool>,

    /// Maximum size of a request head in bytes, 1024 to 131072 [default: 32768]
    #[arg(long, global = true, value_name = "BYTES")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub head_limit: Option<String>,

    /// Maximum size of a forwarded request body in bytes, 0 to 1073741824 [default: 10485760]
    #[arg(long, global = true, value_name = "BYTES")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body_limit: Option<String>,

    /// Maximum time spent waiting for a client while it sends a forwarded body, 1ms to 24h [default: 30s]
    #[arg(long, global = true, value_name = "DURATION")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body_timeout: Option<String>,

    /// Time after which a connection is closed if the client receives nothing of its response, 1ms to 24h [default: 30s]
    #[arg(long, global = true, value_name = "DURATION")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub write_timeout: Option<String>,

    /// Flag service to forward the API to [default: none, the embedded flag service]
    #[arg(long, global = true, value_name = "http://HOST:PORT|unix:/PATH")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upstream: Option<String>,

    /// Additional paths to forward, such as /health [default: none, only /api and /auth]
    #[arg(long, global = true, value_name = "PATH", value_delimiter = ',')]
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "list")]
    pub proxy_prefix: Option<Vec<String>>,

    /// Timeout for connecting to the upstream, 1ms to 24h [default: 5s]
    #[arg(long, global = true, value_name = "DURATION")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upstream_connect_timeout: Option<String>,

    /// Timeout until the response of the upstream starts, 1ms to 24h [default: 30s]
    #[arg(long, global = true, value_name = "DURATION")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upstream_head_timeout: Option<String>,

    /// Maximum pause of the upstream within a response, 1ms to 24h [default: 60s]
    #[arg(long, global = true, value_name = "DURATION")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upstream_idle_timeout: Option<String>,

    /// Maximum number of connections of each worker to the upstream, 1 to 65536; further requests wait [default: 1024]
    #[arg(long, global = true, value_name = "NUMBER")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upstream_pool_size: Option<String>,

    /// Maximum time that a request waits for one of these connections, 1ms to 24h [default: 5s]
    #[arg(long, global = true, value_name = "DURATION")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upstream_pool_wait: Option<String>,

    /// Time for which an idle connection to the upstream is kept, 1ms to 24h; must be shorter than the keep-alive timeout of the upstream [default: 4s]
    #[arg(long, global = true, value_name = "DURATION")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upstream_pool_idle: Option<String>,

    /// Consecutive failures after which the circuit breaker refuses requests to the upstream, 0 to 1000000; 0 for never [default: 5]
    #[arg(long, global = true, value_name = "NUMBER")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upstream_failures: Option<String>,

    /// Time for which the circuit breaker refuses requests before one request tries again, 1ms to 24h [default: 5s]
    #[arg(long, global = true, value_name = "DURATION")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upstream_pause: Option<String>,

    /// Additional certificate authority for the upstream, in PEM format [default: none, the bundled ones and those of the system]
    #[arg(long, global = true, value_name = "FILE")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upstream_ca: Option<String>,

    /// Client certificate for the upstream, in PEM format [default: none]
    #[arg(long, global = true, value_name = "FILE")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upstream_client_cert: Option<String>,

    /// Private key of the client certificate, in PEM format [default: none]
    #[arg(long, global = true, value_name = "FILE")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upstream_client_key: Option<String>,

    /// Host name that the upstream's certificate must contain [default: the host of upstream]
    #[arg(long, global = true, value_name = "NAME")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upstream_server_name: Option<String>,

    /// Do not verify the upstream's certificate (insecure) [default: false]
    #[arg(long, global = true, value_name = "true|false", hide_possible_values = true, num_args = 0..=1, default_missing_value = "true", require_equals = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upstream_insecure: Option<bool>,

    /// Header to add to forwarded requests, with its value in a file [default: none]
    #[arg(long, global = true, value_name = "NAME=@FILE", value_delimiter = ',')]
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "list")]
    pub upstream_header: Option<Vec<String>>,

    /// Database file of the embedded flag service, or :memory: [default: flagdeck/flagdeck.db in the user's data folder]
    #[arg(long, global = true, value_name = "PATH")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<String>,

    /// Run a demo in memory, with example toggles and simulated applications [default: false]
    #[arg(long, global = true, value_name = "true|false", hide_possible_values = true, num_args = 0..=1, default_missing_value = "true", require_equals = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub demo: Option<bool>,

    /// Sign-in to the embedded flag service: none (no sign-in), unsecure (any email address, without a password) or password (users added with flagdeck user) [default: none]
    #[arg(long, global = true, value_name = "none|unsecure|password")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub auth: Option<String>,

    /// Time after the last request for which users stay signed in, 1s to 720h [default: 12h]
    #[arg(long, global = true, value_name = "DURATION")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_lifetime: Option<String>,

    /// Allow listening on a network without passwords, or with a credential in upstream-header [default: false]
    #[arg(long, global = true, value_name = "true|false", hide_possible_values = true, num_args = 0..=1, default_missing_value = "true", require_equals = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub open_to_network: Option<bool>,

    /// Name of this deployment, such as production, shown on every page and in the title, 1 to 40 characters [default: none]
    #[arg(long, global = true, value_name = "LABEL")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub env_label: Option<String>,

    /// Background colour of env-label [default: #b3261e]
    #[arg(long, global = true, value_name = "#RRGGBB")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub env_colour: Option<String>,

    /// Ask for confirmation, with the name of the deployment, before a toggle is switched [default: false]
    #[arg(long, global = true, value_name = "true|false", hide_possible_values = true, num_args = 0..=1, default_missing_value = "true", require_equals = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confirm_writes: Option<bool>,

    /// Address, or port on 127.0.0.1, for liveness, readiness and metrics [default: none]
    #[arg(long, global = true, value_name = "[ADDRESS:]PORT")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub admin_listen: Option<String>,

    /// Time after SIGTERM in which requests are still accepted while readiness fails, 0s to 24h [default: 0s]
    #[arg(long, global = true, value_name = "DURATION")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shutdown_delay: Option<String>,

    /// Time for requests in flight after that, 1s to 24h [default: 8s]
    #[arg(long, global = true, value_name = "DURATION")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shutdown_timeout: Option<String>,

    /// Log level (error, warn, info, debug, trace or off), or a filter such as info,flagdeck=debug [default: info]
    #[arg(long, global = true, value_name = "FILTER")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log_level: Option<String>,

    /// Format of the log on standard error: text or json [default: text]
    #[arg(long, global = true, value_name = "FORMAT")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log_format: Option<String>,
}

/// Deserializes a TOML list, or the comma-separated list of an environment variable.
fn list<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<String>>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum ListOrText {
        List(Vec<String>),
        Text(String),
    }
    Ok(Some(match ListOrText::deserialize(deserializer)? {
        ListOrText::List(list) => list,
        ListOrText::Text(text) => text.split(',').map(|item| item.trim().to_owned()).collect(),
    }))
}
