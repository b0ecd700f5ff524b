//! Reads an ID token and verifies its signature (RFC 7515). The claims are checked in `claims`.

use data_encoding::BASE64URL_NOPAD;
use jsonwebtoken::Algorithm;
use ring::digest;
use serde_json::{Map, Value};

use super::json::{JsonFault, parse_object};
use super::keys::Keys;
use super::refusal::{Refusal, Refused, quote};

/// Maximum size of an ID token in bytes.
const MAX_SIZE: usize = 128 << 10;

/// Signature algorithms that are verified. ES512 is missing, because ring does not offer its curve.
pub(super) const ALGORITHMS: [(&str, Algorithm); 9] = [
    ("RS256", Algorithm::RS256),
    ("RS384", Algorithm::RS384),
    ("RS512", Algorithm::RS512),
    ("PS256", Algorithm::PS256),
    ("PS384", Algorithm::PS384),
    ("PS512", Algorithm::PS512),
    ("ES256", Algorithm::ES256),
    ("ES384", Algorithm::ES384),
    ("EdDSA", Algorithm::EdDSA),
];

/// A token whose signature is not verified yet. Its content must not be used before.
pub(super) struct UnverifiedToken<'t> {
    /// The header and the claims, as they are signed.
    signed: &'t str,
    claims: &'t str,
    signature: &'t str,
    algorithm: Algorithm,
    /// The `kid` of the header.
    pub(super) key_id: Option<String>,
}

impl<'t> UnverifiedToken<'t> {
    /// Reads the header of a token. `announced` are the algorithms that the provider announces.
    pub(super) fn read(token: &'t str, announced: &[String]) -> Result<Self, Refused> {
        if token.len() > MAX_SIZE {
            return Err(Refusal::TokenTooLarge.because(format!("the ID token has {} bytes", token.len())));
        }
        let parts: Vec<_> = token.split('.').collect();
        let (header, claims, signature) = match *parts.as_slice() {
            [header, claims, signature] => (header, claims, signature),
            [_, _, _, _, _] => {
                return Err(Refusal::TokenEncrypted.because("the ID token has five parts (JWE)"));
            }
            _ => {
                let reason = format!("the ID token has {} parts instead of three", parts.len());
                return Err(Refusal::TokenMalformed.because(reason));
            }
        };
        let signed = token.get(..header.len() + 1 + claims.len()).unwrap_or_default();
        let header = decode_object(header, "header")?;
        if header.contains_key("crit") {
            return Err(Refusal::Critical.because("the header of the ID token contains crit"));
        }
        let name = header.get("alg").and_then(Value::as_str).unwrap_or_default();
        let algorithm = check_algorithm(name, announced)?;
        let key_id = match header.get("kid") {
            None => None,
            Some(Value::String(id)) => Some(id.clone()),
            Some(_) => return Err(Refusal::TokenMalformed.because("the kid of the ID token is not a text")),
        };
        Ok(Self { signed, claims, signature, algorithm, key_id })
    }

    /// Returns the hash of an access token as the claim `at_hash` contains it: the left half of the hash of the signature
    /// algorithm (OpenID Connect Core 1.0, section 3.1.3.6). `EdDSA` with Ed25519 uses SHA-512.
    pub(super) fn access_token_hash(&self, access_token: &str) -> String {
        let hash = match self.algorithm {
            Algorithm::RS384 | Algorithm::PS384 | Algorithm::ES384 => &digest::SHA384,
            Algorithm::RS512 | Algorithm::PS512 | Algorithm::EdDSA => &digest::SHA512,
            _ => &digest::SHA256,
        };
        let digest = digest::digest(hash, access_token.as_bytes());
        let half = digest.as_ref().get(..digest.as_ref().len() / 2).unwrap_or_default();
        BASE64URL_NOPAD.encode(half)
    }

    /// Verifies the signature and returns the claims.
    pub(super) fn verify(self, keys: &Keys) -> Result<Map<String, Value>, Refused> {
        let key = keys.find(self.key_id.as_deref(), self.algorithm)?;
        let verified =
            jsonwebtoken::crypto::verify(self.signature, self.signed.as_bytes(), key, self.algorithm);
        if !matches!(verified, Ok(true)) {
            return Err(Refusal::Signature.because("the signature of the ID token is wrong"));
        }
        decode_object(self.claims, "payload")
    }
}

fn check_algorithm(name: &str, announced: &[String]) -> Result<Algorithm, Refused> {
    let reason = || format!("the alg of the ID token is {}", quote(name));
    if name.is_empty() || name.eq_ignore_ascii_case("none") {
        return Err(Refusal::Unsigned.because(reason()));
    }
    if name.starts_with("HS") {
        return Err(Refusal::Symmetric.because(reason()));
    }
    let Some((_, algorithm)) = ALGORITHMS.iter().find(|(supported, _)| *supported == name) else {
        return Err(Refusal::AlgorithmUnsupported.because(reason()));
    };
    if !announced.iter().any(|other| other == name) {
        let reason = format!("{}, and the provider announces {}", reason(), announced.join(", "));
        return Err(Refusal::AlgorithmNotAnnounced.because(reason));
    }
    Ok(*algorithm)
}

fn decode_object(part: &str, name: &str) -> Result<Map<String, Value>, Refused> {
    let decoded = BASE64URL_NOPAD.decode(part.as_bytes()).map_err(|_error| {
        Refusal::TokenMalformed.because(format!("the {name} of the ID token is not in base64url"))
    })?;
    parse_object(&decoded).map_err(|fault| match fault {
        JsonFault::NoObject => {
            Refusal::TokenMalformed.because(format!("the {name} of the ID token is not an object in JSON"))
        }
        JsonFault::DuplicateName => {
            Refusal::DuplicateNames.because(format!("the {name} of the ID token contains a name twice"))
        }
    })
}
