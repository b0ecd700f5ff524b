//! What can be typed on the command line. Nothing is resolved here: defaults, the environment and the file join in
//! `config.rs`.

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
    about = "A feature-flag console in one binary.\n\nWith --upstream it serves the console beside an existing flag service and forwards the API to it; without, an embedded flag service on SQLite answers.",
    after_help = "Each setting is also read from the environment (FLAGDECK_ and its name, such as FLAGDECK_BASE_PATH) and from a TOML file (its name, such as base-path). Flags win over the environment, the environment over the file, the file over the defaults."
)]
pub struct Arguments {
    /// TOML file to read settings from [default: none]
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// What was set by flags.
    #[command(flatten)]
    pub settings: Settings,

    /// What to do instead of serving.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// What is done instead of serving: looking after a server, or working on the database of the embedded flag service.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Print the settings and look at what they name: the flag service behind upstream, or the database
    #[command(
        after_help = "Each finding that needs one comes with a remedy. Exit code 1 means that the program would not work."
    )]
    Check,
    /// Ask the server that runs with these settings whether it answers; exit code 0 or 1, for container probes
    Health,
    /// Copy the database to a new file
    Backup {
        /// File to create
        file: PathBuf,
    },
    /// Write toggles, strategies, projects and tags in the format in which Unleash 3.x exports its state
    Export {
        /// File to create [default: standard output]
        file: Option<PathBuf>,
    },
    /// Read what Unleash 3.x or `flagdeck export` exported: all of it or nothing
    Import {
        /// File to read
        file: PathBuf,
        /// First remove each kind of thing that the file has a section for
        #[arg(long)]
        drop_before_import: bool,
        /// Leave what is there as it is, and only add what is not
        #[arg(long)]
        keep_existing: bool,
    },
    /// Add, change, list and remove the users of --auth password
    #[command(subcommand)]
    User(UserCommand),
    /// Add, list and remove the tokens that client libraries show
    #[command(subcommand)]
    Token(TokenCommand),
}

/// Every setting, as written: one name serves as flag, as variable and as key of the file. `None` is "not set here".
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

    /// Certificate for https in PEM format, read again at SIGHUP [default: none, http]
    #[arg(long, global = true, value_name = "FILE")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tls_cert: Option<String>,

    /// Private key of the certificate [default: none]
    #[arg(long, global = true, value_name = "FILE")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tls_key: Option<String>,

    /// Address by which browsers reach the console; other hosts are refused then [default: none, any host]
    #[arg(long, global = true, value_name = "https://HOST")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub public_url: Option<String>,

    /// Networks of proxies in front that are believed who they speak for [default: none]
    #[arg(long, global = true, value_name = "CIDR", value_delimiter = ',')]
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "list")]
    pub trusted_proxy: Option<Vec<String>>,

    /// Other sites whose pages may change things [default: none]
    #[arg(long, global = true, value_name = "https://HOST", value_delimiter = ',')]
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "list")]
    pub trusted_origin: Option<Vec<String>>,

    /// Other sites from which browsers may load the pictures of users [default: none]
    #[arg(long, global = true, value_name = "https://HOST", value_delimiter = ',')]
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "list")]
    pub image_origin: Option<Vec<String>>,

    /// Refuse every change that an operator could make, except signing in and out; reports of SDKs are accepted [default: false]
    #[arg(long, global = true, value_name = "true|false", hide_possible_values = true, num_args = 0..=1, default_missing_value = "true", require_equals = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_only: Option<bool>,

    /// Largest request head in bytes, 1024 to 131072 [default: 32768]
    #[arg(long, global = true, value_name = "BYTES")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub head_limit: Option<String>,

    /// Largest request body that is forwarded, in bytes, 0 to 1073741824 [default: 10485760]
    #[arg(long, global = true, value_name = "BYTES")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body_limit: Option<String>,

    /// How long the client may be waited for while it sends a body that is forwarded, 1ms to 24h [default: 30s]
    #[arg(long, global = true, value_name = "DURATION")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body_timeout: Option<String>,

    /// How long a client may take nothing of its response until the connection ends, 1ms to 24h [default: 30s]
    #[arg(long, global = true, value_name = "DURATION")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub write_timeout: Option<String>,

    /// Flag service to forward the API to [default: none, the embedded one answers]
    #[arg(long, global = true, value_name = "http://HOST:PORT|unix:/PATH")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upstream: Option<String>,

    /// Further paths that are forwarded, such as /health [default: none, only /api and /auth]
    #[arg(long, global = true, value_name = "PATH", value_delimiter = ',')]
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "list")]
    pub proxy_prefix: Option<Vec<String>>,

    /// How long connecting to the upstream may take, 1ms to 24h [default: 5s]
    #[arg(long, global = true, value_name = "DURATION")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upstream_connect_timeout: Option<String>,

    /// How long the upstream may take until its answer begins, 1ms to 24h [default: 30s]
    #[arg(long, global = true, value_name = "DURATION")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upstream_head_timeout: Option<String>,

    /// How long the upstream may pause within an answer, 1ms to 24h [default: 60s]
    #[arg(long, global = true, value_name = "DURATION")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upstream_idle_timeout: Option<String>,

    /// Connections to the upstream that each worker may use at the same time, 1 to 65536; further requests wait [default: 1024]
    #[arg(long, global = true, value_name = "NUMBER")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upstream_pool_size: Option<String>,

    /// How long a request waits for one of these connections before it is refused, 1ms to 24h [default: 5s]
    #[arg(long, global = true, value_name = "DURATION")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upstream_pool_wait: Option<String>,

    /// How long an idle connection to the upstream is kept; less than the upstream keeps it, 1ms to 24h [default: 4s]
    #[arg(long, global = true, value_name = "DURATION")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upstream_pool_idle: Option<String>,

    /// Failures in a row after which the upstream is left alone for a while, 0 to 1000000; 0 for never [default: 5]
    #[arg(long, global = true, value_name = "NUMBER")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upstream_failures: Option<String>,

    /// How long it is left alone then, until one request tries again, 1ms to 24h [default: 5s]
    #[arg(long, global = true, value_name = "DURATION")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upstream_pause: Option<String>,

    /// Further authority that certificates of the upstream may come from, in PEM format [default: none, those bundled and the system's]
    #[arg(long, global = true, value_name = "FILE")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upstream_ca: Option<String>,

    /// Certificate to show to the upstream, in PEM format [default: none]
    #[arg(long, global = true, value_name = "FILE")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upstream_client_cert: Option<String>,

    /// Private key of that certificate [default: none]
    #[arg(long, global = true, value_name = "FILE")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upstream_client_key: Option<String>,

    /// Name that the upstream's certificate has to hold [default: the host of upstream]
    #[arg(long, global = true, value_name = "NAME")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upstream_server_name: Option<String>,

    /// Take anybody for the upstream, whatever certificate is shown [default: false]
    #[arg(long, global = true, value_name = "true|false", hide_possible_values = true, num_args = 0..=1, default_missing_value = "true", require_equals = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upstream_insecure: Option<bool>,

    /// Header to add to what is forwarded, its value read from a file [default: none]
    #[arg(long, global = true, value_name = "NAME=@FILE", value_delimiter = ',')]
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "list")]
    pub upstream_header: Option<Vec<String>>,

    /// Database file of the embedded flag service, or :memory: [default: flagdeck/flagdeck.db in the user's data folder]
    #[arg(long, global = true, value_name = "PATH")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<String>,

    /// Keep everything in memory, with example toggles and simulated applications [default: false]
    #[arg(long, global = true, value_name = "true|false", hide_possible_values = true, num_args = 0..=1, default_missing_value = "true", require_equals = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub demo: Option<bool>,

    /// Who may use the embedded flag service: none (everybody, without signing in), unsecure (everybody who gives an email address) or password (those added with flagdeck user) [default: none]
    #[arg(long, global = true, value_name = "none|unsecure|password")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub auth: Option<String>,

    /// How long somebody stays signed in after the last call, 1s to 720h [default: 12h]
    #[arg(long, global = true, value_name = "DURATION")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_lifetime: Option<String>,

    /// Let a network in although auth asks for no passwords, or upstream-header adds a credential [default: false]
    #[arg(long, global = true, value_name = "true|false", hide_possible_values = true, num_args = 0..=1, default_missing_value = "true", require_equals = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub open_to_network: Option<bool>,

    /// Name of this deployment, shown on every page and in the title, such as production, 1 to 40 characters [default: none]
    #[arg(long, global = true, value_name = "LABEL")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub env_label: Option<String>,

    /// Ground on which env-label stands [default: #b3261e]
    #[arg(long, global = true, value_name = "#RRGGBB")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub env_colour: Option<String>,

    /// Ask before a toggle is switched, and name the deployment [default: false]
    #[arg(long, global = true, value_name = "true|false", hide_possible_values = true, num_args = 0..=1, default_missing_value = "true", require_equals = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confirm_writes: Option<bool>,

    /// Address or port of this machine for liveness, readiness and metrics [default: none]
    #[arg(long, global = true, value_name = "[ADDRESS:]PORT")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub admin_listen: Option<String>,

    /// How long requests are still taken after SIGTERM, while readiness fails already, 0s to 24h [default: 0s]
    #[arg(long, global = true, value_name = "DURATION")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shutdown_delay: Option<String>,

    /// How long requests under way may take after that, 1s to 24h [default: 8s]
    #[arg(long, global = true, value_name = "DURATION")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shutdown_timeout: Option<String>,

    /// Least level that is logged (error, warn, info, debug, trace or off), or a filter such as info,flagdeck=debug [default: info]
    #[arg(long, global = true, value_name = "FILTER")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log_level: Option<String>,

    /// How log lines are written to standard error: text or json [default: text]
    #[arg(long, global = true, value_name = "FORMAT")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log_format: Option<String>,
}

/// A list, as TOML has it or with commas, as variables have it.
fn list<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<String>>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Written {
        List(Vec<String>),
        Commas(String),
    }
    Ok(Some(match Written::deserialize(deserializer)? {
        Written::List(list) => list,
        Written::Commas(text) => text.split(',').map(|item| item.trim().to_owned()).collect(),
    }))
}
