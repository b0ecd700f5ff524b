//! Limits for clients: `read-only`, `body-limit` and `sdk-rate-limit`.

use std::time::Duration;

use super::kind::{Number, Switch};
use super::setting::Setting;
use super::{ConfigError, Declaration, Settings};

/// Maximum size of a request head in bytes. It exceeds the limits of flag services, which accept 16 KiB (Node).
const MAX_HEAD: usize = 32_768;
/// 1 GiB. No API of a flag service accepts larger bodies.
const MAX_BODY: usize = 1 << 30;
/// Total time spent waiting for a client while it sends a forwarded body. Bodies of flag services are small, so that a client
/// that needs longer has stopped or attacks.
const BODY_TIMEOUT: Duration = Duration::from_secs(30);
/// Time without progress of a response after which a connection is closed. Networks repeat lost packets within this time.
const WRITE_TIMEOUT: Duration = Duration::from_secs(30);
/// Number of open event streams. Each needs a file descriptor and memory; further SDKs poll.
const MAX_STREAMS: usize = 20_000;

pub(super) static SETTINGS: &[&dyn Declaration] = &[&READ_ONLY, &BODY_LIMIT, &SDK_RATE_LIMIT];

pub(super) static READ_ONLY: Setting<Switch> = Setting {
    name: "read-only",
    help: "Refuse all changes by operators (403) except signing in and out; reports of SDKs are accepted",
    default: "false",
    kind: Switch,
};

static BODY_LIMIT: Setting<Number<usize>> = Setting {
    name: "body-limit",
    help: "Maximum size of a forwarded request body in bytes (413), {bounds}",
    default: "10485760",
    kind: Number { unit: "BYTES", min: 0, max: MAX_BODY },
};

static SDK_RATE_LIMIT: Setting<Number<u32>> = Setting {
    name: "sdk-rate-limit",
    help: "Maximum number of evaluations and reports per second that one token may send to the browser API and OFREP (429), {bounds}; 0 for no limit",
    default: "5000",
    kind: Number { unit: "NUMBER", min: 0, max: 1_000_000 },
};

/// Limits for requests, and for the time in which clients must receive responses.
#[derive(Debug, Clone)]
pub struct RequestLimits {
    /// `READ_ONLY`: refuses changes to the state that operators own.
    pub read_only: bool,
    /// Maximum size of the request line and the headers in bytes. Not a setting.
    pub head: usize,
    /// `BODY_LIMIT`: maximum size of a forwarded body in bytes.
    pub body: usize,
    /// Total time spent waiting for the client while it sends a forwarded body. Not a setting.
    pub body_timeout: Duration,
    /// The connection is closed if the client receives nothing of its response for this time. Not a setting.
    pub write_timeout: Duration,
    /// `SDK_RATE_LIMIT`: requests per second and token of the APIs that evaluate toggles; 0 for no limit.
    pub sdk_rate: u32,
    /// Number of event streams that can be open at the same time. Not a setting.
    pub streams: usize,
}

impl RequestLimits {
    pub(super) fn resolve(settings: &Settings) -> Result<Self, ConfigError> {
        Ok(Self {
            read_only: READ_ONLY.resolve(settings)?,
            head: MAX_HEAD,
            body: BODY_LIMIT.resolve(settings)?,
            body_timeout: BODY_TIMEOUT,
            write_timeout: WRITE_TIMEOUT,
            sdk_rate: SDK_RATE_LIMIT.resolve(settings)?,
            streams: MAX_STREAMS,
        })
    }
}
