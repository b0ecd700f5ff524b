//! The lines of the journal, and their text form.
//!
//! A line is a JSON object without spaces between its properties. Its last properties are `previous`, the hash of the line before
//! it, and `hash`, the SHA-256 of its own bytes before `,"hash":`. A checkpoint also has a `signature` of its hash. Nothing else
//! about the text matters to a reader, so that it accepts properties and kinds of newer versions. `examples/journal.md` describes
//! the format.

use data_encoding::HEXLOWER;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::key::JournalKey;
use crate::terminal::escape_json;

/// The value of `previous` in the first line of a chain.
pub const NO_PREVIOUS: &str = "0000000000000000000000000000000000000000000000000000000000000000";
/// Length of a hash in hex digits.
const HASH_LENGTH: usize = 64;
/// Length of a signature in hex digits.
const SIGNATURE_LENGTH: usize = 128;
/// Maximum length of a text of a client, in bytes. Longer ones are cut, so that a line has at most some kilobytes.
const MAX_TEXT: usize = 1_000;

/// A line of the journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct JournalLine {
    /// Number of the line. It increases by one, also across files and restarts.
    pub sequence: u64,
    /// Time of the response: RFC 3339 in UTC.
    pub time: String,
    /// Kind of the line.
    pub kind: LineKind,
    /// The person who sent the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub person: Option<Person>,
    /// Address of the client.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    /// The item that the path or the recorded event names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item: Option<Item>,
    /// Environment of a flag service with environments.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub environment: Option<String>,
    /// Method of the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// Path of the request, without the query.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Status of the response; 499 if the client disconnected before. For a command, the status of a request with its result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// Id of the request in the log and in error messages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// The change in words: of the recorded events, or else of the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub change: Option<String>,
    /// Ids of the events that the change recorded in the history; at most some.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<i64>,
    /// SHA-256 of the body of a change, if it was read to its end and contains no password.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body_sha256: Option<String>,
    /// Version of the program, in a start line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Name of the machine and id of the process, in a start line and in a checkpoint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instance: Option<String>,
    /// Size of an incomplete last line that the start removed, in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub removed_bytes: Option<u64>,
    /// Number of missing lines, in a gap line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lost: Option<u64>,
    /// Public key of the signatures, in a start line and in a checkpoint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// Hash of the line before this one.
    pub previous: String,
}

/// Kind of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum LineKind {
    /// A request that changes something, accepted or refused.
    Change,
    /// A sign-in, accepted or refused.
    SignIn,
    /// A sign-out.
    SignOut,
    /// The start of the program, or of a new file.
    Start,
    /// Lines that could not be written, or were left out because too many requests without a known person were refused.
    Gap,
    /// A signed line, which confirms all lines before it.
    Checkpoint,
    /// A kind of a newer version. It is only read, never written.
    #[serde(other)]
    #[cfg_attr(test, schemars(skip))]
    Other,
}

/// The person who sent a request.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Person {
    /// The party that names the person: the issuer of an identity provider, the address of the upstream or of the proxy, or the
    /// name of the machine on which a command ran. Absent for users of the embedded flag service.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iss: Option<String>,
    /// Identifier of the person at that party: a subject, a user name or an email address; or a digest of the session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sub: Option<String>,
    /// Display name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// How the person is known.
    pub known: PersonSource,
}

/// How a person is known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum PersonSource {
    /// The person signed in with a password.
    Password,
    /// The person entered an email address, which was not verified.
    UnverifiedEmail,
    /// The person signed in at an identity provider.
    IdentityProvider,
    /// The upstream reported the user of the session.
    Upstream,
    /// There is no sign-in: everybody is the operator.
    NoSignIn,
    /// A trusted proxy named the user in a header.
    Proxy,
    /// The user of the operating system ran a command of `flagdeck`.
    CommandLine,
    /// The upstream did not report the user. The digest distinguishes sessions.
    SessionDigest,
    /// The request has no valid session. When read, also the source of a newer version.
    #[default]
    #[serde(other)]
    Unknown,
}

impl Person {
    /// Returns true if nobody has confirmed who the person is: anyone can send such a request.
    #[must_use]
    pub(crate) fn is_anonymous(&self) -> bool {
        matches!(self.known, PersonSource::Unknown | PersonSource::SessionDigest)
    }
}

/// An item that a request changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "JournalItem"))]
pub struct Item {
    /// Kind in words, such as `toggle` or `tag type`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The name.
    pub name: String,
}

/// The part of a line that the chain needs. Lines of all versions have it.
#[derive(Deserialize)]
struct Link {
    sequence: u64,
}

/// A line with its hash, as it is in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredLine {
    /// The content.
    pub line: JournalLine,
    /// Hash of the line.
    pub hash: String,
    /// Signature of the hash, in a checkpoint.
    pub signature: Option<String>,
}

impl JournalLine {
    /// Creates a line of this kind that happens now. The writer sets its number and the hash of the line before it.
    #[must_use]
    pub fn now(kind: LineKind) -> Self {
        Self {
            sequence: 0,
            time: format!("{:.3}", Timestamp::now()),
            kind,
            person: None,
            address: None,
            item: None,
            environment: None,
            method: None,
            path: None,
            status: None,
            request_id: None,
            change: None,
            events: Vec::new(),
            body_sha256: None,
            version: None,
            instance: None,
            removed_bytes: None,
            lost: None,
            key: None,
            previous: String::new(),
        }
    }

    /// Returns true for a line that anyone can cause, whatever the response was: the person is not known, or has changed nothing
    /// at a service without sign-in.
    pub(super) fn is_caused_by_anyone(&self) -> bool {
        self.person.as_ref().is_some_and(|person| {
            person.is_anonymous() || (person.known == PersonSource::NoSignIn && !self.is_accepted())
        })
    }

    /// Returns true if the request was accepted.
    pub(super) fn is_accepted(&self) -> bool {
        self.status.is_some_and(|status| status < 400)
    }

    /// Cuts texts of clients to a length that any line may have.
    pub(super) fn limit_texts(&mut self) {
        let person = self.person.iter_mut().flat_map(|person| [&mut person.sub, &mut person.name]);
        let name = self.item.iter_mut().map(|item| &mut item.name);
        let others = [&mut self.environment, &mut self.method, &mut self.path, &mut self.change];
        for text in person.chain(others).flatten().chain(name) {
            if text.len() > MAX_TEXT {
                let end = text.floor_char_boundary(MAX_TEXT);
                text.truncate(end);
                text.push('…');
            }
        }
    }

    /// Returns the text form without a line feed, and the hash of the line. A checkpoint is signed.
    pub(super) fn encode(&self, key: &JournalKey) -> Result<(Vec<u8>, String), serde_json::Error> {
        let text = serde_json::to_string(self)?;
        let mut text = escape_json(&text).into_owned().into_bytes();
        // The end of the object follows the hash.
        text.pop();
        let hash = HEXLOWER.encode(&Sha256::digest(&text));
        text.extend_from_slice(format!(",\"hash\":\"{hash}\"").as_bytes());
        if self.kind == LineKind::Checkpoint {
            text.extend_from_slice(format!(",\"signature\":\"{}\"", key.sign(&hash)).as_bytes());
        }
        text.push(b'}');
        Ok((text, hash))
    }
}

impl StoredLine {
    /// Parses a line without its line feed; `None` if its hash is wrong, or if it is no line of a journal. Unknown properties are
    /// ignored. The signature of a checkpoint is not verified.
    #[must_use]
    pub fn parse(text: &[u8]) -> Option<Self> {
        let HashedText { object, hash, signature } = HashedText::parse(text)?;
        let line: JournalLine = serde_json::from_slice(&object).ok()?;
        let is_known = line.kind != LineKind::Other;
        let has_signature = signature.is_some() == (line.kind == LineKind::Checkpoint);
        (has_signature || !is_known).then_some(Self { line, hash, signature })
    }
}

/// Returns the number and the hash of a line of any version; `None` if its hash is wrong.
pub(super) fn parse_link(text: &[u8]) -> Option<(u64, String)> {
    let HashedText { object, hash, .. } = HashedText::parse(text)?;
    let Link { sequence } = serde_json::from_slice(&object).ok()?;
    Some((sequence, hash))
}

/// The text of a line whose hash is right.
struct HashedText {
    /// The object without the hash and the signature.
    object: Vec<u8>,
    hash: String,
    signature: Option<String>,
}

impl HashedText {
    fn parse(text: &[u8]) -> Option<Self> {
        let (unsigned, signature) = match split_property(text, "signature", SIGNATURE_LENGTH) {
            Some((rest, signature)) => ([rest, b"}"].concat(), Some(signature)),
            None => (text.to_vec(), None),
        };
        let (content, hash) = split_property(&unsigned, "hash", HASH_LENGTH)?;
        let is_right = HEXLOWER.encode(&Sha256::digest(content)) == hash;
        is_right.then(|| Self { object: [content, b"}"].concat(), hash, signature })
    }
}

/// Splits `…,"name":"hex"}` into the text before the comma and the hex digits.
fn split_property<'t>(text: &'t [u8], name: &str, length: usize) -> Option<(&'t [u8], String)> {
    let rest = text.strip_suffix(b"\"}")?;
    let (rest, digits) = rest.split_at_checked(rest.len().checked_sub(length)?)?;
    let rest = rest.strip_suffix(format!(",\"{name}\":\"").as_bytes())?;
    let is_hex = digits.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    is_hex.then(|| (rest, String::from_utf8_lossy(digits).into_owned()))
}
