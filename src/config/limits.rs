//! Limits for clients: `read-only`, `body-limit`, `body-timeout`, `write-timeout`, `sdk-rate-limit` and
//! `stream-limit`.

use std::time::Duration;

use super::kind::{Number, Switch, TIMEOUT, TimeSpan};
use super::setting::Setting;
use super::{ConfigError, Declaration, Settings};

/// Maximum size of a request head in bytes. It exceeds the limits of flag services, which accept 16 KiB (Node).
const MAX_HEAD: usize = 32_768;
/// 1 GiB. No API of a flag service accepts larger bodies.
const MAX_BODY: usize = 1 << 30;

pub(super) static SETTINGS: &[&dyn Declaration] =
    &[&READ_ONLY, &BODY_LIMIT, &BODY_TIMEOUT, &WRITE_TIMEOUT, &SDK_RATE_LIMIT, &STREAM_LIMIT];

static READ_ONLY: Setting<Switch> = Setting {
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

static BODY_TIMEOUT: Setting<TimeSpan> = Setting {
    name: "body-timeout",
    help: "Maximum time spent waiting for a client while it sends a forwarded body (408), {bounds}; with an upstream connection: a sixth of it, plus one second per 8192 bytes",
    default: "30s",
    kind: TIMEOUT,
};

static WRITE_TIMEOUT: Setting<TimeSpan> = Setting {
    name: "write-timeout",
    help: "Time after which a connection is closed if the client receives nothing of its response, {bounds}",
    default: "30s",
    kind: TIMEOUT,
};

static SDK_RATE_LIMIT: Setting<Number<u32>> = Setting {
    name: "sdk-rate-limit",
    help: "Maximum number of evaluations and reports per second that one token may send to the browser API and OFREP (429), {bounds}; 0 for no limit",
    default: "5000",
    kind: Number { unit: "NUMBER", min: 0, max: 1_000_000 },
};

static STREAM_LIMIT: Setting<Number<usize>> = Setting {
    name: "stream-limit",
    help: "Maximum number of open event streams of SDKs (429; further SDKs poll), {bounds}; each needs a file descriptor",
    default: "20000",
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
    /// `BODY_TIMEOUT`: total time spent waiting for the client while it sends a forwarded body.
    pub body_timeout: Duration,
    /// `WRITE_TIMEOUT`: the connection is closed if the client receives nothing of its response for this time.
    pub write_timeout: Duration,
    /// `SDK_RATE_LIMIT`: requests per second and token of the APIs that evaluate toggles; 0 for no limit.
    pub sdk_rate: u32,
    /// `STREAM_LIMIT`: number of event streams that can be open at the same time.
    pub streams: usize,
}

impl RequestLimits {
    pub(super) fn resolve(settings: &Settings) -> Result<Self, ConfigError> {
        Ok(Self {
            read_only: READ_ONLY.resolve(settings)?,
            head: MAX_HEAD,
            body: BODY_LIMIT.resolve(settings)?,
            body_timeout: BODY_TIMEOUT.resolve(settings)?,
            write_timeout: WRITE_TIMEOUT.resolve(settings)?,
            sdk_rate: SDK_RATE_LIMIT.resolve(settings)?,
            streams: STREAM_LIMIT.resolve(settings)?,
        })
    }
}
