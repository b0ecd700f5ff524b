//! An OpenID Connect provider that signs whatever a test needs.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};

use data_encoding::{BASE64, BASE64URL_NOPAD};
use ring::rand::SystemRandom;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, ECDSA_P384_SHA384_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair,
    KeyPair as _, RSA_PKCS1_SHA256, RSA_PKCS1_SHA384, RSA_PKCS1_SHA512, RSA_PSS_SHA256, RSA_PSS_SHA384,
    RSA_PSS_SHA512, RsaEncoding, RsaKeyPair, RsaPublicKeyComponents,
};
use ring::{digest, hmac};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::stub::{Reply, Stub};

/// The secret of the client.
pub const SECRET: &str = "client-secret+&";

const ACCESS_TOKEN: &str = "access-secret";

/// A running provider.
pub struct Provider {
    pub stub: Stub,
    state: Arc<Mutex<State>>,
}

/// Data and faults of the provider's responses. Tests change them.
pub struct State {
    issuer: String,
    key: SigningKey,
    /// Properties of the configuration that differ. `"-"` removes one.
    pub discovery: Value,
    /// Whole responses instead of the usual ones, by the end of the path.
    pub replies: Vec<(&'static str, Reply)>,
    /// Further published keys, or other ones if `replaces_keys` is true.
    pub keys: Vec<Value>,
    pub replaces_keys: bool,
    /// Properties of the token's header and claims that differ. `"-"` removes one.
    pub header: Value,
    pub claims: Value,
    pub signature: Signature,
    /// The token instead of a signed one.
    pub token: Option<String>,
    pub user_info: Value,
    /// The nonce and the challenge of the next code.
    pub nonce: String,
    pub challenge: String,
    used_codes: HashSet<String>,
}

/// How the token is signed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Signature {
    Valid,
    /// By HMAC with the client secret.
    Hmac,
    /// None at all.
    Missing,
    /// Of other claims.
    Tampered,
    /// By an unpublished key.
    Foreign,
}

struct SigningKey {
    id: String,
    algorithm: &'static str,
    pair: Pair,
}

enum Pair {
    Ec(EcdsaKeyPair),
    Ed(Ed25519KeyPair),
    Rsa(Box<RsaKeyPair>),
}

impl SigningKey {
    /// Creates a key for an algorithm. Keys for RSA are the same, because ring cannot create them.
    fn new(algorithm: &'static str, id: &str) -> Self {
        let random = SystemRandom::new();
        let ec = |kind| {
            let document = EcdsaKeyPair::generate_pkcs8(kind, &random).unwrap();
            Pair::Ec(EcdsaKeyPair::from_pkcs8(kind, document.as_ref(), &random).unwrap())
        };
        let pair = match algorithm {
            "ES256" => ec(&ECDSA_P256_SHA256_FIXED_SIGNING),
            "ES384" => ec(&ECDSA_P384_SHA384_FIXED_SIGNING),
            "EdDSA" => {
                let document = Ed25519KeyPair::generate_pkcs8(&random).unwrap();
                Pair::Ed(Ed25519KeyPair::from_pkcs8(document.as_ref()).unwrap())
            }
            _ => {
                let text: String = include_str!("rsa-key.txt").lines().collect();
                let document = BASE64.decode(text.as_bytes()).unwrap();
                Pair::Rsa(Box::new(RsaKeyPair::from_pkcs8(&document).unwrap()))
            }
        };
        Self { id: id.to_owned(), algorithm, pair }
    }

    fn header(&self) -> Value {
        json!({ "alg": self.algorithm, "kid": self.id })
    }

    fn jwk(&self) -> Value {
        let encode = |bytes: &[u8]| BASE64URL_NOPAD.encode(bytes);
        let (id, algorithm) = (&self.id, self.algorithm);
        match &self.pair {
            Pair::Ec(key) => {
                let point = &key.public_key().as_ref()[1..];
                let (x, y) = point.split_at(point.len() / 2);
                let curve = if algorithm == "ES256" { "P-256" } else { "P-384" };
                json!({
                    "kty": "EC", "crv": curve, "kid": id, "use": "sig", "alg": algorithm,
                    "x": encode(x), "y": encode(y),
                })
            }
            Pair::Ed(key) => {
                json!({ "kty": "OKP", "crv": "Ed25519", "kid": id, "x": encode(key.public_key().as_ref()) })
            }
            Pair::Rsa(key) => {
                let RsaPublicKeyComponents::<Vec<u8>> { n, e } = key.public().into();
                json!({ "kty": "RSA", "kid": id, "n": encode(&n), "e": encode(&e) })
            }
        }
    }

    fn sign(&self, text: &str) -> String {
        let (random, text) = (SystemRandom::new(), text.as_bytes());
        let signature = match &self.pair {
            Pair::Ec(key) => key.sign(&random, text).unwrap().as_ref().to_vec(),
            Pair::Ed(key) => key.sign(text).as_ref().to_vec(),
            Pair::Rsa(key) => {
                let padding: &dyn RsaEncoding = match self.algorithm {
                    "RS256" => &RSA_PKCS1_SHA256,
                    "RS384" => &RSA_PKCS1_SHA384,
                    "RS512" => &RSA_PKCS1_SHA512,
                    "PS256" => &RSA_PSS_SHA256,
                    "PS384" => &RSA_PSS_SHA384,
                    _ => &RSA_PSS_SHA512,
                };
                let mut signature = vec![0; key.public().modulus_len()];
                key.sign(padding, &random, text, &mut signature).unwrap();
                signature
            }
        };
        BASE64URL_NOPAD.encode(&signature)
    }

    /// Returns the claim `at_hash` for an access token.
    fn access_token_hash(&self) -> String {
        let algorithm = match &self.algorithm[2..] {
            "256" => &digest::SHA256,
            "384" => &digest::SHA384,
            _ => &digest::SHA512,
        };
        let hash = digest::digest(algorithm, ACCESS_TOKEN.as_bytes());
        BASE64URL_NOPAD.encode(&hash.as_ref()[..hash.as_ref().len() / 2])
    }
}

impl Provider {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let state = Arc::new(Mutex::new(State::new(format!("http://{}", listener.local_addr().unwrap()))));
        let served = Arc::clone(&state);
        let reply = Reply::Computed(Arc::new(move |request| served.lock().unwrap().reply(request)));
        Self { stub: Stub::at(listener, reply), state }
    }

    /// Changes what the provider responds.
    pub fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state.lock().unwrap());
    }

    /// Starts to sign with another key.
    pub fn rotate_key(&self, id: &str) {
        self.change(|state| state.key = SigningKey::new("ES256", id));
    }

    /// Starts to sign with another algorithm, which it announces.
    pub fn use_algorithm(&self, algorithm: &'static str) {
        self.change(|state| {
            state.key = SigningKey::new(algorithm, algorithm);
            state.discovery = json!({ "id_token_signing_alg_values_supported": [algorithm] });
        });
    }

    /// Restores the usual responses. The key stays.
    pub fn reset(&self) {
        self.change(|state| {
            let key = std::mem::replace(&mut state.key, SigningKey::new("ES256", "unused"));
            *state = State { key, ..State::new(state.issuer.clone()) };
        });
    }

    /// Returns the number of requests whose path ends like this.
    pub fn count(&self, path: &str) -> usize {
        let is_match =
            |request: &&String| request.split(' ').nth(1).is_some_and(|found| found.ends_with(path));
        self.stub.requests().iter().filter(is_match).count()
    }
}

impl State {
    fn new(issuer: String) -> Self {
        Self {
            issuer,
            key: SigningKey::new("ES256", "first"),
            discovery: json!({}),
            replies: Vec::new(),
            keys: Vec::new(),
            replaces_keys: false,
            header: json!({}),
            claims: json!({}),
            signature: Signature::Valid,
            token: None,
            user_info: json!({ "sub": "17" }),
            nonce: String::new(),
            challenge: String::new(),
            used_codes: HashSet::new(),
        }
    }

    fn reply(&mut self, request: &str) -> Reply {
        let path = request.split(' ').nth(1).unwrap();
        if let Some((_, reply)) = self.replies.iter().find(|(end, _)| path.ends_with(end)) {
            return reply.clone();
        }
        let issuer = &self.issuer;
        match path {
            "/.well-known/openid-configuration" => {
                let document = json!({
                    "issuer": issuer, "authorization_endpoint": format!("{issuer}/authorize"),
                    "token_endpoint": format!("{issuer}/token"), "jwks_uri": format!("{issuer}/keys"),
                    "userinfo_endpoint": format!("{issuer}/userinfo"),
                    "end_session_endpoint": format!("{issuer}/end"),
                    "id_token_signing_alg_values_supported": ["RS256", "ES256", "EdDSA", "HS256", "none", "ES512"],
                    "authorization_response_iss_parameter_supported": true,
                });
                json_reply(200, &merged(document, &self.discovery))
            }
            "/keys" => {
                let own = if self.replaces_keys { None } else { Some(self.key.jwk()) };
                let keys: Vec<_> = own.into_iter().chain(self.keys.clone()).collect();
                json_reply(200, &json!({ "keys": keys }))
            }
            "/token" => self.exchange(request),
            "/userinfo" => json_reply(200, &self.user_info),
            _ => json_reply(404, &json!({})),
        }
    }

    fn exchange(&mut self, request: &str) -> Reply {
        let form = request.split("\r\n\r\n").nth(1).unwrap();
        let parameter = |name: &str| {
            let mut pairs = url::form_urlencoded::parse(form.as_bytes());
            pairs.find(|(key, _)| key == name).map(|(_, value)| value.into_owned()).unwrap_or_default()
        };
        let basic = BASE64.encode(b"flagdeck:client-secret%2B%26");
        if !request.to_lowercase().contains(&format!("authorization: basic {}", basic.to_lowercase())) {
            return json_reply(401, &json!({ "error": "invalid_client" }));
        }
        let verifier = parameter("code_verifier");
        let challenge = BASE64URL_NOPAD.encode(digest::digest(&digest::SHA256, verifier.as_bytes()).as_ref());
        if challenge != self.challenge || !self.used_codes.insert(parameter("code")) {
            return json_reply(400, &json!({ "error": "invalid_grant" }));
        }
        json_reply(
            200,
            &json!({ "access_token": ACCESS_TOKEN, "token_type": "Bearer", "id_token": self.sign() }),
        )
    }

    fn sign(&self) -> String {
        if let Some(token) = &self.token {
            return token.clone();
        }
        let now = jiff::Timestamp::now().as_second();
        let claims = json!({
            "iss": self.issuer, "aud": "flagdeck", "exp": now + 300, "iat": now, "nonce": self.nonce, "sub": "17",
            "name": "Anna A.", "email": "anna@example.com", "email_verified": true, "groups": ["staff"],
            "at_hash": self.key.access_token_hash(),
        });
        let encode = |value: &Value| BASE64URL_NOPAD.encode(value.to_string().as_bytes());
        let header = encode(&merged(self.key.header(), &self.header));
        let claims = merged(claims, &self.claims);
        let signed = format!("{header}.{}", encode(&claims));
        let signature = match self.signature {
            Signature::Valid => self.key.sign(&signed),
            Signature::Missing => String::new(),
            Signature::Hmac => {
                let key = hmac::Key::new(hmac::HMAC_SHA256, SECRET.as_bytes());
                BASE64URL_NOPAD.encode(hmac::sign(&key, signed.as_bytes()).as_ref())
            }
            Signature::Tampered => self.key.sign(&format!("{header}.{}", encode(&json!({ "sub": "18" })))),
            Signature::Foreign => SigningKey::new("ES256", "foreign").sign(&signed),
        };
        format!("{signed}.{signature}")
    }
}

/// Returns an object with other properties. `"-"` removes one.
fn merged(mut object: Value, changes: &Value) -> Value {
    for (name, value) in changes.as_object().unwrap() {
        if value == "-" {
            object.as_object_mut().unwrap().remove(name);
        } else {
            object[name] = value.clone();
        }
    }
    object
}

/// Returns a complete response with a JSON body.
pub fn json_reply(status: u16, body: &Value) -> Reply {
    raw_reply(status, "application/json", &body.to_string())
}

/// Returns a complete response.
pub fn raw_reply(status: u16, kind: &str, body: &str) -> Reply {
    let length = body.len();
    Reply::BytesThenEnd(format!(
        "HTTP/1.1 {status} Status\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    ))
}
