//! An OpenID Connect provider that signs whatever a test needs.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};

use data_encoding::BASE64URL_NOPAD;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair as _};
use ring::{digest, hmac};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::stub::{Reply, Stub};

/// The secret of the client.
pub const SECRET: &str = "client-secret+&";

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

enum SigningKey {
    Ec(EcdsaKeyPair, String),
    Ed(Ed25519KeyPair, String),
}

impl SigningKey {
    fn ec(id: &str) -> Self {
        let (algorithm, random) = (&ECDSA_P256_SHA256_FIXED_SIGNING, SystemRandom::new());
        let document = EcdsaKeyPair::generate_pkcs8(algorithm, &random).unwrap();
        Self::Ec(EcdsaKeyPair::from_pkcs8(algorithm, document.as_ref(), &random).unwrap(), id.to_owned())
    }

    fn ed(id: &str) -> Self {
        let document = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).unwrap();
        Self::Ed(Ed25519KeyPair::from_pkcs8(document.as_ref()).unwrap(), id.to_owned())
    }

    fn header(&self) -> Value {
        match self {
            Self::Ec(_, id) => json!({ "alg": "ES256", "kid": id }),
            Self::Ed(_, id) => json!({ "alg": "EdDSA", "kid": id }),
        }
    }

    fn jwk(&self) -> Value {
        match self {
            Self::Ec(key, id) => {
                let (x, y) = key.public_key().as_ref()[1..].split_at(32);
                let [x, y] = [x, y].map(|part| BASE64URL_NOPAD.encode(part));
                json!({ "kty": "EC", "crv": "P-256", "kid": id, "use": "sig", "alg": "ES256", "x": x, "y": y })
            }
            Self::Ed(key, id) => {
                let x = BASE64URL_NOPAD.encode(key.public_key().as_ref());
                json!({ "kty": "OKP", "crv": "Ed25519", "kid": id, "x": x })
            }
        }
    }

    fn sign(&self, text: &str) -> String {
        let signature = match self {
            Self::Ec(key, _) => key.sign(&SystemRandom::new(), text.as_bytes()).unwrap().as_ref().to_vec(),
            Self::Ed(key, _) => key.sign(text.as_bytes()).as_ref().to_vec(),
        };
        BASE64URL_NOPAD.encode(&signature)
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
        self.change(|state| state.key = SigningKey::ec(id));
    }

    /// Starts to sign with an Ed25519 key.
    pub fn use_ed25519(&self, id: &str) {
        self.change(|state| state.key = SigningKey::ed(id));
    }

    /// Restores the usual responses. The key stays.
    pub fn reset(&self) {
        self.change(|state| {
            let key = std::mem::replace(&mut state.key, SigningKey::ec("unused"));
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
            key: SigningKey::ec("first"),
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
        let basic = data_encoding::BASE64.encode(b"flagdeck:client-secret%2B%26");
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
            &json!({ "access_token": "access-secret", "token_type": "Bearer", "id_token": self.sign() }),
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
            Signature::Foreign => SigningKey::ec("foreign").sign(&signed),
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
