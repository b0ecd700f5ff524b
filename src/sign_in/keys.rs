//! The keys that a provider publishes (RFC 7517). Pure functions.

use data_encoding::BASE64URL_NOPAD;
use jsonwebtoken::{Algorithm, DecodingKey};
use serde_json::{Map, Value};

use super::refusal::{Refusal, Refused, quote};

/// Maximum number of keys. Providers publish a handful.
const MAX_KEYS: usize = 100;
/// Minimum size of an RSA key in bits.
const MIN_RSA_BITS: usize = 2048;

/// The keys of a provider for signatures.
#[derive(Debug, Default)]
pub(super) struct Keys(Vec<Key>);

#[derive(Debug)]
struct Key {
    id: Option<String>,
    /// The only algorithm for which the key may be used, if the provider restricts it.
    algorithm: Option<String>,
    kind: KeyKind,
    value: DecodingKey,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum KeyKind {
    Rsa { bits: usize },
    P256,
    P384,
    Ed25519,
}

impl Keys {
    /// Reads a key set. Keys for encryption and of unknown types are left out.
    pub(super) fn read(document: &Map<String, Value>) -> Result<Self, Refused> {
        let Some(Value::Array(items)) = document.get("keys") else {
            return Err(Refusal::DiscoveryIncomplete.because("the key set contains no list \"keys\""));
        };
        if items.len() > MAX_KEYS {
            return Err(Refusal::TooManyKeys.because(format!("the key set contains {} keys", items.len())));
        }
        let keys: Vec<_> = items.iter().filter_map(|item| Key::read(item.as_object()?)).collect();
        for (index, key) in keys.iter().enumerate() {
            let is_duplicate = |other: &Key| other.id == key.id && other.kind.family() == key.kind.family();
            if let Some(id) = &key.id
                && keys.iter().skip(index + 1).any(is_duplicate)
            {
                return Err(Refusal::DuplicateKeys.because(format!("two keys have the kid {}", quote(id))));
            }
        }
        Ok(Self(keys))
    }

    /// Returns true if a key may be the one of a token with this `kid`.
    pub(super) fn contains(&self, id: Option<&str>) -> bool {
        self.0.iter().any(|key| key.may_be(id))
    }

    /// Returns the number of keys.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns the key of a token with this `kid` and algorithm.
    pub(super) fn find(&self, id: Option<&str>, algorithm: Algorithm) -> Result<&DecodingKey, Refused> {
        let name = id.map_or_else(|| "no kid".to_owned(), |id| format!("the kid {}", quote(id)));
        let with_id: Vec<_> = self.0.iter().filter(|key| key.may_be(id)).collect();
        if with_id.is_empty() {
            return Err(Refusal::KeyUnknown.because(format!("the token has {name}, which no key has")));
        }
        let mut suitable = with_id.into_iter().filter(|key| key.suits(algorithm));
        let Some(key) = suitable.next() else {
            return Err(Refusal::KeyMismatch.because(format!("the key with {name} is not for {algorithm:?}")));
        };
        if suitable.next().is_some() {
            let reason = format!("the token has {name}, and several keys suit {algorithm:?}");
            return Err(Refusal::KeyAmbiguous.because(reason));
        }
        match key.kind {
            KeyKind::Rsa { bits } if bits < MIN_RSA_BITS => {
                Err(Refusal::KeyTooSmall.because(format!("the key with {name} has {bits} bits")))
            }
            _ => Ok(&key.value),
        }
    }
}

impl Key {
    fn read(item: &Map<String, Value>) -> Option<Self> {
        let text = |name: &str| item.get(name).and_then(Value::as_str);
        if text("use").is_some_and(|usage| usage != "sig") {
            return None;
        }
        if let Some(Value::Array(operations)) = item.get("key_ops")
            && !operations.iter().any(|operation| operation == "verify")
        {
            return None;
        }
        let (kind, value) = match (text("kty")?, text("crv")) {
            ("RSA", _) => {
                let (n, e) = (text("n")?, text("e")?);
                let modulus = BASE64URL_NOPAD.decode(n.as_bytes()).ok()?;
                let kind = KeyKind::Rsa { bits: bit_length(&modulus) };
                (kind, DecodingKey::from_rsa_components(n, e).ok()?)
            }
            ("EC", Some(curve @ ("P-256" | "P-384"))) => {
                let kind = if curve == "P-256" { KeyKind::P256 } else { KeyKind::P384 };
                (kind, DecodingKey::from_ec_components(text("x")?, text("y")?).ok()?)
            }
            ("OKP", Some("Ed25519")) => (KeyKind::Ed25519, DecodingKey::from_ed_components(text("x")?).ok()?),
            _ => return None,
        };
        Some(Self {
            id: text("kid").map(str::to_owned),
            algorithm: text("alg").map(str::to_owned),
            kind,
            value,
        })
    }

    /// A token without `kid` may be signed with any key.
    fn may_be(&self, id: Option<&str>) -> bool {
        id.is_none() || self.id.as_deref() == id
    }

    fn suits(&self, algorithm: Algorithm) -> bool {
        let is_kind = match algorithm {
            Algorithm::ES256 => self.kind == KeyKind::P256,
            Algorithm::ES384 => self.kind == KeyKind::P384,
            Algorithm::EdDSA => self.kind == KeyKind::Ed25519,
            _ => matches!(self.kind, KeyKind::Rsa { .. }),
        };
        let is_restricted = self.algorithm.as_deref().is_some_and(|only| only != format!("{algorithm:?}"));
        is_kind && !is_restricted
    }
}

impl KeyKind {
    /// Keys of different types may have the same `kid` (RFC 7517, section 4.5).
    fn family(self) -> &'static str {
        match self {
            Self::Rsa { .. } => "RSA",
            Self::P256 | Self::P384 => "EC",
            Self::Ed25519 => "OKP",
        }
    }
}

/// Returns the number of bits of a big-endian number.
fn bit_length(number: &[u8]) -> usize {
    let digits = number.iter().skip_while(|byte| **byte == 0);
    let mut digits = digits.peekable();
    let unused = digits.peek().map_or(0, |byte| byte.leading_zeros());
    digits.count() * 8 - usize::try_from(unused).unwrap_or_default()
}
