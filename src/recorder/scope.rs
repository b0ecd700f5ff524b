//! Selections of toggles, and the times and gaps of their records.

use data_encoding::HEXLOWER;
use jiff::Timestamp;
use ring::digest::{Context, SHA256};
use serde::{Deserialize, Serialize};

/// Bytes of the identifier of a token's scope: enough to make collisions unlikely, and too few to try tokens against it.
const ID_LENGTH: usize = 6;

/// Salt of the identifiers of scopes. The database contains it.
pub(super) type Salt = [u8; 16];

/// A selection of toggles: everything that one token receives for one query.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "RecordedScope"))]
#[serde(rename_all = "camelCase")]
pub struct Scope {
    /// Stable identifier, which contains no credential.
    pub id: String,
    /// Projects and environment of the token, such as `*:production`, or its last characters.
    pub name: String,
    /// Environment of the token; null if its server has none.
    pub environment: Option<String>,
    /// Query that selects toggles, such as `project=shop`; empty for all.
    pub query: String,
    /// True if segments are listed, and false if their constraints are part of the strategies.
    pub lists_segments: bool,
}

/// A selection of toggles that this process serves.
#[derive(Debug, Clone)]
pub struct ServedScope {
    /// The identity of the selection.
    pub key: ScopeKey,
    /// See [`Scope::name`].
    pub name: String,
    /// See [`Scope::environment`].
    pub environment: Option<String>,
    /// See [`Scope::query`].
    pub query: String,
    /// See [`Scope::lists_segments`].
    pub lists_segments: bool,
}

/// Identifies a scope within this process.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum ScopeKey {
    /// A name that is the identifier.
    Name(&'static str),
    /// The hash of a credential and a query. Only its salted hash is stored.
    Credential([u8; 32]),
}

/// The time of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ChangeInterval {
    /// Last time at which the state before was confirmed, if it is known. Milliseconds since 1970.
    pub(super) after: Option<i64>,
    /// Time from which the new state was served. Milliseconds since 1970.
    pub(super) by: i64,
}

/// The reason for a time without records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum GapReason {
    /// The process did not run.
    NotRunning,
    /// The recorder could not write, for example because the disk was full.
    NotWritten,
    /// The clock was set.
    ClockSet,
    /// Another instance, or this one after it was killed, took over the recording.
    HandedOver,
    /// The records were removed, because all of them were too large.
    TooLarge,
    /// There is no later record: the process ended, or has not confirmed the state yet.
    NotConfirmed,
    /// The upstream refused the token, so that its SDKs got no toggles.
    Refused,
    /// No SDK had requested these toggles before.
    NotRequested,
}

impl GapReason {
    /// The reasons that the database contains.
    const STORED: [Self; 6] =
        [Self::NotRunning, Self::NotWritten, Self::ClockSet, Self::HandedOver, Self::TooLarge, Self::Refused];

    /// Returns the number of the reason in the database.
    pub(super) fn number(self) -> i64 {
        let position = Self::STORED.iter().position(|reason| *reason == self);
        crate::number::to_i64(position.unwrap_or_default())
    }

    /// Returns the reason with this number.
    pub(super) fn from_number(number: i64) -> Self {
        let reason = usize::try_from(number).ok().and_then(|number| Self::STORED.get(number));
        reason.copied().unwrap_or(Self::NotRunning)
    }
}

impl ServedScope {
    /// Returns the scope as it is stored.
    pub(super) fn with_salt(&self, salt: &Salt) -> Scope {
        let id = match &self.key {
            ScopeKey::Name(name) => (*name).to_owned(),
            ScopeKey::Credential(hash) => {
                let mut context = Context::new(&SHA256);
                context.update(salt);
                context.update(hash);
                HEXLOWER.encode(context.finish().as_ref().get(..ID_LENGTH).unwrap_or_default())
            }
        };
        let Self { name, environment, query, lists_segments, .. } = self.clone();
        Scope { id, name, environment, query, lists_segments }
    }
}

impl Scope {
    /// Returns the identifier and the name.
    pub(super) fn describe(&self) -> String {
        let Self { id, name, query, .. } = self;
        if query.is_empty() { format!("{id} ({name})") } else { format!("{id} ({name}?{query})") }
    }
}

/// Does not print the hash of a credential.
impl std::fmt::Debug for ScopeKey {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(if let Self::Name(name) = self { name } else { "credential" })
    }
}

/// Converts a time of a record.
pub(super) fn timestamp(millis: i64) -> Timestamp {
    Timestamp::from_millisecond(millis).unwrap_or(Timestamp::MAX)
}
