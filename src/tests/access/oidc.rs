//! Sign-in by OpenID Connect, with a provider that signs what each case needs.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::{Duration, Instant};

use actix_web::http::{Method, StatusCode};
use flagdeck::config::{BackendSettings, Config, OidcTimes};
use futures_util::future::{join, join_all};
use jiff::Timestamp;
use serde_json::{Value, json};
use tempfile::{NamedTempFile, TempDir};
use tokio::sync::Notify;
use url::Url;

use super::{Installation, JSON, PASSWORD, USER};
use crate::sdk::hold::until;
use crate::support::app::{Response, TestApp};
use crate::support::binary::{Binary, flagdeck};
use crate::support::engine::is_postgres;
use crate::support::provider::{Provider, SECRET, Signature, State, json_reply, raw_reply};
use crate::support::skip::skipped;
use crate::support::stub::Reply;

pub(super) const HOST: (&str, &str) = ("host", "flags.example");
const START: &str = "/flags/-/oidc/start";
const CALLBACK: &str = "/flags/-/oidc/callback";
/// Name of the session cookie over https, below a base path.
const SESSION: &str = "__Secure-flagdeck-session";

/// A browser, which keeps cookies. Each has an address of its own, because failed sign-ins are limited per address.
pub(super) struct Browser<'a> {
    app: &'a TestApp,
    address: String,
    pub(super) cookies: BTreeMap<String, String>,
}

impl<'a> Browser<'a> {
    pub(super) fn new(app: &'a TestApp) -> Self {
        static BROWSERS: AtomicU16 = AtomicU16::new(0);
        let [high, low] = BROWSERS.fetch_add(1, Ordering::Relaxed).to_be_bytes();
        Self { app, address: format!("10.0.{high}.{low}"), cookies: BTreeMap::new() }
    }

    /// Sends a request with the cookies, and keeps those of the response.
    pub(super) async fn send(&mut self, method: Method, path: &str, body: &Value) -> Response {
        let cookies: Vec<_> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let cookies = cookies.join("; ");
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let response = self
            .app
            .send(
                method,
                path,
                &[HOST, JSON, ("x-forwarded-for", &self.address), ("cookie", &cookies)],
                &body,
            )
            .await;
        for cookie in response.headers.get_all("set-cookie") {
            let (pair, attributes) = cookie.to_str().unwrap().split_once(';').unwrap();
            let (name, value) = pair.split_once('=').unwrap();
            if attributes.contains("Max-Age=0") {
                self.cookies.remove(name);
            } else {
                self.cookies.insert(name.to_owned(), value.to_owned());
            }
        }
        response
    }

    pub(super) async fn get(&mut self, path: &str) -> Response {
        self.send(Method::GET, path, &Value::Null).await
    }

    /// Starts a sign-in and returns the parameters that the provider gets.
    async fn start(&mut self, query: &str) -> BTreeMap<String, String> {
        let response = self.get(&format!("{START}{query}")).await;
        assert_eq!(response.status, StatusCode::SEE_OTHER, "{}", response.body);
        let url = Url::parse(response.header("location")).unwrap();
        url.query_pairs().into_owned().collect()
    }

    /// Brings the response of the provider back. `changes` are other parameters; `"-"` removes one.
    async fn finish(
        &mut self,
        provider: &Provider,
        started: &BTreeMap<String, String>,
        changes: &Value,
    ) -> Response {
        provider.change(|state| {
            state.nonce.clone_from(&started["nonce"]);
            state.challenge.clone_from(&started["code_challenge"]);
        });
        let code = format!("code-{}", fastrand::u64(..));
        let mut parameters = json!({ "code": code, "state": started["state"], "iss": provider.stub.url });
        for (name, value) in changes.as_object().unwrap() {
            parameters[name] = value.clone();
        }
        let pairs = parameters.as_object().unwrap().iter().filter(|(_, value)| *value != "-");
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        for (name, value) in pairs {
            query.append_pair(name, value.as_str().unwrap());
        }
        self.get(&format!("{CALLBACK}?{}", query.finish())).await
    }

    pub(super) async fn sign_in(&mut self, provider: &Provider) -> Response {
        let started = self.start("?return=/features").await;
        self.finish(provider, &started, &json!({})).await
    }
}

pub(super) fn secret_file() -> NamedTempFile {
    let mut file = NamedTempFile::new().unwrap();
    writeln!(file, "{SECRET}").unwrap();
    file
}

/// Starts the app for a provider, with other times and further arguments.
pub(super) async fn start_app(provider: &Provider, times: OidcTimes, more: &[&str]) -> TestApp {
    start_app_at(&provider.stub.url, times, more).await
}

async fn start_app_at(issuer: &str, times: OidcTimes, more: &[&str]) -> TestApp {
    let secret = secret_file();
    let secret = format!("@{}", secret.path().display());
    let memory = ["--data", ":memory:"];
    let data = if more.contains(&"--data") { &[][..] } else { &memory };
    let arguments = provider_arguments(issuer, &secret, "staff=CREATE_FEATURE,admins=ADMIN");
    let adjust = |config: &mut Config| {
        config.listen.workers = Some(1);
        let BackendSettings::Embedded(embedded) = &mut config.backend else { unreachable!() };
        Arc::make_mut(embedded.auth.oidc.as_mut().unwrap()).times = times;
    };
    TestApp::adjusted(&[&arguments[..], data, more].concat(), adjust).await
}

/// Returns the arguments for a provider, with these grants.
pub(super) fn provider_arguments<'a>(issuer: &'a str, secret: &'a str, grants: &'a str) -> [&'a str; 18] {
    [
        "--auth",
        "oidc",
        "--public-url",
        "https://flags.example",
        "--trusted-proxy",
        "127.0.0.1",
        "--base-path",
        "/flags",
        "--oidc-issuer",
        issuer,
        "--oidc-client-id",
        "flagdeck",
        "--oidc-client-secret",
        secret,
        "--oidc-allow",
        "staff",
        "--oidc-grant",
        grants,
    ]
}

/// Times with which nothing is cached.
fn no_cache() -> OidcTimes {
    OidcTimes { lifetime: Duration::ZERO, min_interval: Duration::ZERO, ..OidcTimes::default() }
}

pub(super) fn code(response: &Response) -> &str {
    response.header("x-flagdeck-error")
}

#[actix_web::test]
async fn signs_in_with_the_permissions_of_the_groups() {
    let provider = Provider::start().await;
    let app = start_app(&provider, OidcTimes::default(), &[]).await;
    let mut browser = Browser::new(&app);
    let challenge = browser.get(&format!("/flags{USER}")).await;
    assert_eq!(challenge.status, StatusCode::UNAUTHORIZED);
    assert_eq!(
        challenge.json(),
        json!({
            "type": "oidc", "message": "Sign in to see and change feature toggles",
            "options": [{ "type": "oidc", "path": START, "value": "Sign in with single sign-on" }],
        })
    );
    let started = browser.start("?return=%2Ffeatures%3Fq%3D1").await;
    for (name, value) in [
        ("response_type", "code"),
        ("client_id", "flagdeck"),
        ("redirect_uri", "https://flags.example/flags/-/oidc/callback"),
        ("scope", "openid profile email"),
        ("code_challenge_method", "S256"),
    ] {
        assert_eq!(started[name], value, "{name}");
    }
    assert!(!started.contains_key("prompt"));
    let response = browser.finish(&provider, &started, &json!({})).await;
    assert_eq!(
        (response.status, response.header("location")),
        (StatusCode::SEE_OTHER, "/flags/features?q=1")
    );
    let cookies: Vec<_> =
        response.headers.get_all("set-cookie").map(|value| value.to_str().unwrap()).collect();
    let session = cookies.iter().find(|cookie| cookie.starts_with("__Secure-flagdeck-session=")).unwrap();
    assert!(session.contains("; HttpOnly; SameSite=Lax; Secure; Path=/flags; "), "{session}");
    assert!(
        cookies
            .iter()
            .any(|cookie| cookie.starts_with("__Host-flagdeck-oidc-") && cookie.contains("Max-Age=0"))
    );

    let user = browser.get(&format!("/flags{USER}")).await.json();
    assert_eq!(
        (&user["name"], &user["email"], &user["permissions"]),
        (&json!("Anna A."), &json!("anna@example.com"), &json!(["CREATE_FEATURE"]))
    );
    assert_eq!(
        user["grants"],
        json!([
            { "permission": "ADMIN", "groups": ["admins"], "isGranted": false },
            { "permission": "CREATE_FEATURE", "groups": ["staff"], "isGranted": true },
        ])
    );
    let toggle = json!({ "name": "by.anna", "strategies": [{ "name": "default" }] });
    let created = browser.send(Method::POST, "/flags/api/admin/features", &toggle).await;
    assert_eq!(created.status, StatusCode::CREATED, "{}", created.body);
    let refused = browser.send(Method::DELETE, "/flags/api/admin/features/by.anna", &Value::Null).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
    let events = browser.get("/flags/api/admin/events").await.json();
    assert_eq!(events["events"][0]["createdBy"], "anna@example.com");
}

/// A case of the table of refusals.
struct Case {
    expected: &'static str,
    /// Changes the responses of the provider.
    change: Box<dyn FnOnce(&mut State)>,
    /// Other parameters of the response to the sign-in.
    parameters: Value,
}

fn case(expected: &'static str, change: impl FnOnce(&mut State) + 'static) -> Case {
    Case { expected, change: Box::new(change), parameters: json!({}) }
}

fn claims(expected: &'static str, claims: Value) -> Case {
    case(expected, |state| state.claims = claims)
}

fn discovery(expected: &'static str, changes: Value) -> Case {
    case(expected, |state| state.discovery = changes)
}

fn reply(expected: &'static str, path: &'static str, reply: Reply) -> Case {
    case(expected, move |state| state.replies.push((path, reply)))
}

fn parameters(expected: &'static str, parameters: Value) -> Case {
    Case { parameters, ..case(expected, |_| {}) }
}

/// Cases about the response that the browser brings back, and about the configuration and the keys of the provider.
fn provider_cases() -> Vec<Case> {
    let redirect = "HTTP/1.1 302 Found\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n";
    let key = |id: &str, more: Value| {
        let mut key = json!({ "kty": "EC", "crv": "P-256", "kid": id, "x": "AA", "y": "AA" });
        key.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        key
    };
    let duplicate = key("first", json!({}));
    let many: Vec<_> = (0..1_000).map(|number| key(&number.to_string(), json!({}))).collect();
    let small = json!({ "kty": "RSA", "kid": "small", "n": "u".repeat(172), "e": "AQAB" });
    let html = || raw_reply(200, "text/html", "<!doctype html>");
    let one_mib = "x".repeat(1 << 20);
    vec![
        case("", |_| {}),
        // The response of the browser.
        parameters("oidc_state_missing", json!({ "state": "-" })),
        parameters("oidc_state", json!({ "state": "unknown" })),
        parameters("oidc_response_issuer", json!({ "iss": "https://evil.example" })),
        parameters("oidc_response_issuer", json!({ "iss": "-" })),
        parameters("oidc_response", json!({ "code": "-" })),
        parameters("oidc_denied", json!({ "code": "-", "error": "access_denied" })),
        parameters("oidc_provider_error", json!({ "code": "-", "error": "server_error" })),
        parameters("oidc_provider_error", json!({ "code": "-", "error": "login_required" })),
        // The configuration of the provider.
        discovery("oidc_discovery_issuer", json!({ "issuer": "https://evil.example" })),
        discovery("oidc_insecure", json!({ "token_endpoint": "http://login.example/token" })),
        discovery("oidc_insecure", json!({ "jwks_uri": "http://login.example/keys" })),
        discovery("oidc_discovery", json!({ "jwks_uri": "-" })),
        reply("oidc_redirect", "openid-configuration", Reply::Bytes(redirect.to_owned())),
        reply("oidc_not_json", "openid-configuration", html()),
        reply("oidc_status", "openid-configuration", raw_reply(500, "text/html", "<!doctype html>")),
        reply("oidc_unreachable", "openid-configuration", Reply::End),
        reply(
            "oidc_duplicate_names",
            "openid-configuration",
            raw_reply(200, "application/json", r#"{"issuer":"a","issuer":"b"}"#),
        ),
        reply("oidc_too_large", "openid-configuration", json_reply(200, &json!({ "x": one_mib }))),
        // The keys.
        reply("oidc_redirect", "/keys", Reply::Bytes(redirect.to_owned())),
        reply("oidc_not_json", "/keys", html()),
        reply("oidc_discovery", "/keys", json_reply(200, &json!({}))),
        case("oidc_too_many_keys", |state| state.keys = many),
        case("oidc_duplicate_keys", |state| state.keys = vec![duplicate]),
        case("oidc_key", |state| state.header = json!({ "kid": "other" })),
        case("oidc_key_ambiguous", move |state| {
            state.header = json!({ "kid": "-" });
            state.keys = vec![key("second", json!({}))];
        }),
        case("oidc_key_mismatch", |state| state.header = json!({ "alg": "EdDSA" })),
        case("oidc_key_too_small", |state| {
            state.header = json!({ "alg": "RS256", "kid": "small" });
            state.keys = vec![small];
        }),
    ]
}

/// Cases about the token, its claims and UserInfo.
fn token_cases() -> Vec<Case> {
    let now = Timestamp::now().as_second();
    vec![
        case("", |state| state.header = json!({ "typ": "JWT" })),
        claims("", json!({ "aud": ["flagdeck", "api"], "azp": "flagdeck" })),
        claims("", json!({ "exp": now - 30 })),
        // The token.
        reply("oidc_code", "/token", json_reply(400, &json!({ "error": "invalid_grant" }))),
        reply("oidc_client", "/token", json_reply(401, &json!({ "error": "invalid_client" }))),
        reply("oidc_token_missing", "/token", json_reply(200, &json!({ "access_token": "x" }))),
        reply("oidc_too_large", "/token", json_reply(200, &json!({ "id_token": "x".repeat(1 << 20) }))),
        case("oidc_token_too_large", |state| state.token = Some("x".repeat(200_000))),
        case("oidc_token_malformed", |state| state.token = Some("a.b".to_owned())),
        case("oidc_token_malformed", |state| state.token = Some("!.!.!".to_owned())),
        case("oidc_token_encrypted", |state| state.token = Some("a.b.c.d.e".to_owned())),
        case("oidc_duplicate_names", |state| {
            // {"alg":"ES256","alg":"none"}
            state.token = Some("eyJhbGciOiJFUzI1NiIsImFsZyI6Im5vbmUifQ.e30.AA".to_owned());
        }),
        case("oidc_crit", |state| state.header = json!({ "crit": ["b64"], "b64": true })),
        case("oidc_unsigned", |state| {
            state.header = json!({ "alg": "none" });
            state.signature = Signature::Missing;
        }),
        case("oidc_symmetric", |state| {
            state.header = json!({ "alg": "HS256" });
            state.signature = Signature::Hmac;
        }),
        case("oidc_algorithm", |state| state.header = json!({ "alg": "ES512" })),
        case("oidc_algorithm_not_announced", |state| state.header = json!({ "alg": "PS256" })),
        case("oidc_signature", |state| state.signature = Signature::Tampered),
        case("oidc_signature", |state| state.signature = Signature::Foreign),
        case("oidc_signature", |state| state.signature = Signature::Missing),
        // The claims; claims.rs has further cases.
        claims("oidc_issuer", json!({ "iss": "https://evil.example" })),
        claims("oidc_audience", json!({ "aud": "other" })),
        claims("oidc_azp", json!({ "aud": ["flagdeck", "other"] })),
        claims("oidc_expired", json!({ "exp": now - 90 })),
        claims("oidc_future", json!({ "iat": now + 600 })),
        claims("oidc_time", json!({ "exp": "-" })),
        claims("oidc_time", json!({ "iat": "-" })),
        claims("oidc_time", json!({ "iat": "yesterday" })),
        claims("oidc_nonce", json!({ "nonce": "-" })),
        claims("oidc_nonce", json!({ "nonce": "foreign" })),
        claims("oidc_subject", json!({ "sub": "-" })),
        claims("oidc_too_many_groups", json!({ "groups": "-", "_claim_names": { "groups": "src1" } })),
        claims("oidc_groups", json!({ "groups": { "staff": true } })),
        claims("oidc_not_allowed", json!({ "groups": ["admins"] })),
        claims("oidc_not_allowed", json!({ "groups": [] })),
        // Groups only in UserInfo.
        case("", |state| {
            state.claims = json!({ "groups": "-" });
            state.user_info = json!({ "sub": "17", "groups": ["staff"] });
        }),
        case("oidc_userinfo_subject", |state| {
            state.claims = json!({ "groups": "-" });
            state.user_info = json!({ "sub": "18", "groups": ["staff"] });
        }),
        case("oidc_not_allowed", |state| state.claims = json!({ "groups": "-" })),
        case("oidc_status", |state| {
            state.claims = json!({ "groups": "-" });
            state.replies.push(("/userinfo", json_reply(403, &json!({}))));
        }),
        // A missing name does not prevent the sign-in.
        case("", |state| {
            state.claims = json!({ "name": "-" });
            state.replies.push(("/userinfo", json_reply(403, &json!({}))));
        }),
    ]
}

#[actix_web::test]
async fn refuses_each_wrong_response_with_its_own_code() {
    let provider = Provider::start().await;
    let app = start_app(&provider, no_cache(), &[]).await;
    for (number, Case { expected, change, parameters }) in
        provider_cases().into_iter().chain(token_cases()).enumerate()
    {
        provider.reset();
        let mut browser = Browser::new(&app);
        let started = browser.start("?return=/features").await;
        provider.change(change);
        let response = browser.finish(&provider, &started, &parameters).await;
        assert_eq!(code(&response), expected, "case {number}: {}", response.body);
        let user = browser.get(&format!("/flags{USER}")).await;
        if expected.is_empty() {
            assert_eq!(
                (response.status, user.status),
                (StatusCode::SEE_OTHER, StatusCode::OK),
                "case {number}"
            );
        } else {
            assert_eq!(user.status, StatusCode::UNAUTHORIZED, "case {number}");
            let message = response.json()["message"].as_str().unwrap().to_owned();
            assert!(message.ends_with(char::is_alphanumeric) || message.ends_with(')'), "{message}");
            assert!(!response.body.contains(SECRET) && !response.body.contains("code-"), "{}", response.body);
        }
    }
    provider.reset();
    // A trailing slash: the issuer of the token must be the announced one, byte for byte.
    let slash = format!("{}/", provider.stub.url);
    provider.change(|state| state.discovery = json!({ "issuer": slash }));
    let mut browser = Browser::new(&app);
    let started = browser.start("").await;
    assert_eq!(code(&browser.finish(&provider, &started, &json!({ "iss": slash })).await), "oidc_issuer");
    provider.change(|state| state.claims = json!({ "iss": slash }));
    let started = browser.start("").await;
    assert_eq!(code(&browser.finish(&provider, &started, &json!({ "iss": slash })).await), "");
}

#[actix_web::test]
async fn accepts_each_supported_signature_algorithm() {
    let provider = Provider::start().await;
    let app = start_app(&provider, no_cache(), &[]).await;
    for algorithm in ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "EdDSA"] {
        provider.reset();
        provider.use_algorithm(algorithm);
        assert_eq!(code(&Browser::new(&app).sign_in(&provider).await), "", "{algorithm}");
        provider.change(|state| state.signature = Signature::Tampered);
        assert_eq!(code(&Browser::new(&app).sign_in(&provider).await), "oidc_signature", "{algorithm}");
        for wrong in [json!({ "at_hash": "AAAAAAAAAAAAAAAAAAAAAA" }), json!({ "at_hash": null })] {
            provider.change(|state| {
                state.signature = Signature::Valid;
                state.claims = wrong;
            });
            assert_eq!(code(&Browser::new(&app).sign_in(&provider).await), "oidc_at_hash", "{algorithm}");
        }
        provider.change(|state| state.claims = json!({ "at_hash": "-" }));
        assert_eq!(code(&Browser::new(&app).sign_in(&provider).await), "", "{algorithm}");
    }
}

#[actix_web::test]
async fn failed_sign_ins_of_an_address_are_limited() {
    let provider = Provider::start().await;
    let app = start_app(&provider, OidcTimes::default(), &[]).await;
    let mut attacker = Browser::new(&app);
    let callback = format!("{CALLBACK}?code=x&state=unknown");
    // Successful sign-ins do not count.
    for _ in 0..5 {
        assert_eq!(attacker.sign_in(&provider).await.status, StatusCode::SEE_OTHER);
    }
    for _ in 0..30 {
        assert_eq!(code(&attacker.get(&callback).await), "oidc_state");
    }
    let limited = attacker.get(&callback).await;
    assert_eq!(limited.status, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(code(&limited), "oidc_attempts", "{}", limited.body);
    assert!(limited.header("retry-after").parse::<u32>().is_ok_and(|seconds| seconds <= 11));
    let headers = [HOST, ("accept", "text/html"), ("x-forwarded-for", attacker.address.as_str())];
    let page = app.send(Method::GET, &callback, &headers, "").await;
    assert_eq!(page.status, StatusCode::TOO_MANY_REQUESTS);
    assert!(page.body.contains("Too many sign-ins from your network have failed"), "{}", page.body);
    assert!(page.header("retry-after").parse::<u32>().is_ok_and(|seconds| seconds <= 11));
    assert_eq!(Browser::new(&app).sign_in(&provider).await.status, StatusCode::SEE_OTHER, "another address");
}

#[actix_web::test]
async fn slow_and_missing_providers_are_refused_and_passwords_still_work() {
    let installation = Installation::new();
    installation.add("anna", &["--admin"]);
    let provider = Provider::start().await;
    provider.change(|state| state.replies.push(("openid-configuration", Reply::Silence)));
    let times = OidcTimes { request: Duration::from_millis(200), ..no_cache() };
    let data = installation.data();
    for issuer in [provider.stub.url.as_str(), "http://127.0.0.1:1"] {
        let app = start_app_at(issuer, times.clone(), &["--data", &data]).await;
        let mut browser = Browser::new(&app);
        let response = browser.get(START).await;
        assert_eq!((response.status, code(&response)), (StatusCode::BAD_GATEWAY, "oidc_unreachable"));
        let body = browser.get(&format!("/flags{USER}")).await.json();
        assert_eq!((&body["type"], &body["path"]), (&json!("password"), &json!("/flags/auth/simple/login")));
        assert_eq!(body["options"][0]["path"], START);
        let credentials = json!({ "username": "anna", "password": PASSWORD });
        assert_eq!(
            browser.send(Method::POST, "/flags/auth/simple/login", &credentials).await.status,
            StatusCode::OK
        );
        assert_eq!(browser.get(&format!("/flags{USER}")).await.json()["username"], "anna");
        // The provider has no session of this user.
        let signed_out = browser.send(Method::POST, "/flags/-/logout", &Value::Null).await;
        assert_eq!(signed_out.json()["location"], Value::Null);
        app.stop().await;
    }
}

#[actix_web::test]
async fn sign_ins_of_two_tabs_and_across_a_restart_succeed_once() {
    let provider = Provider::start().await;
    let app = start_app(&provider, OidcTimes::default(), &[]).await;
    let mut browser = Browser::new(&app);
    let (first, second) = (browser.start("?return=/a").await, browser.start("?return=/b").await);
    let response = browser.finish(&provider, &second, &json!({ "code": "used" })).await;
    assert_eq!(response.header("location"), "/flags/b");
    let before = browser.cookies.clone();
    let response = browser.finish(&provider, &first, &json!({})).await;
    assert_eq!(response.header("location"), "/flags/a");
    // The cookie of the sign-in is gone. With a copy of it, the provider refuses the code.
    assert_eq!(code(&browser.finish(&provider, &first, &json!({})).await), "oidc_state");
    browser.cookies = before;
    assert_eq!(code(&browser.finish(&provider, &first, &json!({ "code": "used" })).await), "oidc_code");

    let started = browser.start("?return=/c").await;
    let cookies = browser.cookies.clone();
    app.stop().await;
    let restarted = start_app(&provider, OidcTimes::default(), &[]).await;
    let mut browser = Browser { cookies, ..Browser::new(&restarted) };
    let response = browser.finish(&provider, &started, &json!({})).await;
    assert_eq!(response.header("location"), "/flags/c");
    assert_eq!(
        Browser::new(&restarted).finish(&provider, &started, &json!({})).await.status,
        StatusCode::BAD_REQUEST
    );
}

#[actix_web::test]
async fn rotated_keys_are_read_once_and_sessions_continue() {
    let provider = Provider::start().await;
    let app =
        start_app(&provider, OidcTimes { min_interval: Duration::ZERO, ..OidcTimes::default() }, &[]).await;
    let patient = start_app(&provider, OidcTimes::default(), &[]).await;
    let (mut browser, mut other) = (Browser::new(&app), Browser::new(&patient));
    for browser in [&mut browser, &mut other] {
        assert_eq!(code(&browser.sign_in(&provider).await), "");
        assert_eq!(code(&browser.sign_in(&provider).await), "");
    }
    assert_eq!((provider.count("/keys"), provider.count("openid-configuration")), (2, 2));
    provider.rotate_key("second");
    assert_eq!(browser.get(&format!("/flags{USER}")).await.status, StatusCode::OK);
    assert_eq!(code(&browser.sign_in(&provider).await), "");
    assert_eq!(provider.count("/keys"), 3);
    // The keys were read less than a minute ago.
    for _ in 0..2 {
        assert_eq!(code(&other.sign_in(&provider).await), "oidc_key");
    }
    assert_eq!(provider.count("/keys"), 3);
}

#[actix_web::test]
async fn sessions_are_renewed_silently_and_lose_removed_groups() {
    let provider = Provider::start().await;
    let times = OidcTimes { renewal: Duration::ZERO, ..OidcTimes::default() };
    let app = start_app(&provider, times, &[]).await;
    let mut browser = Browser::new(&app);
    browser.sign_in(&provider).await;
    let due = browser.get(&format!("/flags{USER}")).await;
    assert_eq!(due.status, StatusCode::UNAUTHORIZED);
    assert_eq!(due.json()["silentPath"], format!("{START}?silent=1"));

    // The group that allows changes was removed.
    let started = browser.start("?silent=1&return=/x").await;
    assert_eq!(started["prompt"], "none");
    provider.change(|state| state.claims = json!({ "groups": ["other"] }));
    let refused = browser.finish(&provider, &started, &json!({})).await;
    assert_eq!(code(&refused), "oidc_not_allowed");
    assert!(browser.cookies.is_empty(), "{:?}", browser.cookies);
    assert!(browser.get(&format!("/flags{USER}")).await.json().get("silentPath").is_none());

    // The user has signed out at the provider.
    provider.reset();
    browser.sign_in(&provider).await;
    let started = browser.start("?silent=1&return=/x").await;
    let returned =
        browser.finish(&provider, &started, &json!({ "code": "-", "error": "login_required" })).await;
    assert_eq!((returned.status, returned.header("location")), (StatusCode::SEE_OTHER, "/flags/x"));
    assert!(browser.cookies.is_empty(), "{:?}", browser.cookies);
    assert!(browser.get(&format!("/flags{USER}")).await.json().get("silentPath").is_none());
}

#[actix_web::test]
async fn session_that_is_due_for_renewal_changes_nothing_while_the_provider_responds() {
    let provider = Provider::start().await;
    let times = OidcTimes { renewal: Duration::ZERO, ..no_cache() };
    let app = start_app(&provider, times, &[]).await;
    let mut browser = Browser::new(&app);
    browser.sign_in(&provider).await;
    let create = async |browser: &mut Browser<'_>, name: &str| {
        let toggle = json!({ "name": name, "strategies": [{ "name": "default" }] });
        browser.send(Method::POST, "/flags/api/admin/features", &toggle).await
    };
    let refused = create(&mut browser, "first").await;
    assert_eq!(refused.status, StatusCode::UNAUTHORIZED, "{}", refused.body);
    assert_eq!(refused.json()["silentPath"], format!("{START}?silent=1"));

    // Many at once, while the provider takes its time.
    let go = Arc::new(Notify::new());
    let document = json_reply(200, &json!({}));
    let Reply::BytesThenEnd(document) = document else { unreachable!() };
    provider.change(|state| {
        let late = Reply::Halves(String::new(), document, Arc::clone(&go));
        state.replies.push(("openid-configuration", late));
    });
    let cookies: Vec<_> = browser.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let cookies = cookies.join("; ");
    let headers = [HOST, JSON, ("cookie", cookies.as_str())];
    let bodies: Vec<_> = (0..20)
        .map(|number| {
            json!({ "name": format!("n{number}"), "strategies": [{ "name": "default" }] }).to_string()
        })
        .collect();
    let path = "/flags/api/admin/features";
    let changes = join_all(bodies.iter().map(|body| app.send(Method::POST, path, &headers, body)));
    let asked = provider.count("openid-configuration");
    let release = async {
        provider.stub.wait_for_number(asked + 1, |request| request.contains("openid-configuration")).await;
        provider.change(|state| state.replies.clear());
        go.notify_one();
    };
    let (responses, ()) = join(changes, release).await;
    for response in responses {
        assert_eq!(response.status, StatusCode::UNAUTHORIZED, "{}", response.body);
    }

    // An error is a response, too.
    for reply in [
        raw_reply(500, "text/html", "<!doctype html>"),
        raw_reply(200, "text/html", "<!doctype html>"),
        json_reply(404, &json!({})),
        json_reply(429, &json!({})),
        raw_reply(302, "text/html", ""),
    ] {
        provider.change(|state| state.replies = vec![("openid-configuration", reply)]);
        assert_eq!(create(&mut browser, "third").await.status, StatusCode::UNAUTHORIZED);
    }
    // Nothing was created.
    provider.reset();
    browser.sign_in(&provider).await;
    provider.change(|state| state.replies = vec![("openid-configuration", Reply::End)]);
    assert_eq!(browser.get(path).await.json()["features"], json!([]));
}

#[actix_web::test]
async fn provider_that_does_not_respond_extends_sessions_by_a_limited_time() {
    for (extension, is_extended) in [(Duration::from_hours(12), true), (Duration::ZERO, false)] {
        let provider = Provider::start().await;
        let request = Duration::from_millis(200);
        let times = OidcTimes { renewal: Duration::ZERO, extension, request, ..no_cache() };
        let app = start_app(&provider, times, &[]).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&provider).await;
        let gateway = |status| raw_reply(status, "text/html", "<!doctype html>");
        for (number, reply) in
            [Reply::End, Reply::Silence, gateway(502), gateway(503), gateway(504)].into_iter().enumerate()
        {
            provider.change(|state| state.replies = vec![("openid-configuration", reply)]);
            let toggle = json!({ "name": format!("n{number}"), "strategies": [{ "name": "default" }] });
            let created = browser.send(Method::POST, "/flags/api/admin/features", &toggle).await;
            let expected = if is_extended { StatusCode::CREATED } else { StatusCode::UNAUTHORIZED };
            assert_eq!(created.status, expected, "{number}: {}", created.body);
        }
    }
}

#[actix_web::test]
async fn link_of_another_site_to_the_silent_sign_in_keeps_the_session() {
    let provider = Provider::start().await;
    let folder = TempDir::new().unwrap();
    let journal = folder.path().join("journal");
    let app = start_app(&provider, OidcTimes::default(), &["--journal", journal.to_str().unwrap()]).await;
    let mut browser = Browser::new(&app);
    browser.sign_in(&provider).await;
    for error in ["login_required", "interaction_required"] {
        let started = browser.start("?silent=1").await;
        let returned = browser.finish(&provider, &started, &json!({ "code": "-", "error": error })).await;
        assert_eq!((returned.status, returned.header("location")), (StatusCode::SEE_OTHER, "/flags/"));
        assert_eq!(browser.get(&format!("/flags{USER}")).await.status, StatusCode::OK, "{error}");
    }
    app.stop().await;
    // The journal has no further sign-in or sign-out.
    let text = fs::read_to_string(&journal).unwrap();
    assert_eq!(text.matches(r#""kind":"sign-"#).count(), 1, "{text}");
}

/// Another program has the lock of the file. The response comes while the write of the session still waits for it, and not when
/// that write has failed: the session is written after the lock has ended.
#[actix_web::test]
async fn end_of_a_sign_in_does_not_wait_for_a_database_that_hangs() {
    if is_postgres() {
        return skipped("the test locks a file of SQLite");
    }
    let (provider, installation) = (Provider::start().await, Installation::new());
    let times = OidcTimes { database: Duration::ZERO, ..OidcTimes::default() };
    let app = start_app(&provider, times, &["--data", &installation.data()]).await;
    let mut browser = Browser::new(&app);
    let started = browser.start("?return=/features").await;
    let lock = rusqlite::Connection::open(installation.data()).unwrap();
    lock.execute_batch("BEGIN IMMEDIATE").unwrap();
    let response = browser.finish(&provider, &started, &json!({})).await;
    assert_eq!(
        (response.status, code(&response)),
        (StatusCode::SERVICE_UNAVAILABLE, "storage_busy"),
        "{}",
        response.body
    );
    lock.execute_batch("ROLLBACK").unwrap();
    until(async || (installation.run_sql("SELECT count(*) FROM sessions") == "1").then_some(())).await;
}

/// Its age is not known: without this, it would never be old enough for a renewal.
#[actix_web::test]
async fn session_that_began_while_the_clock_was_ahead_is_renewed() {
    let (provider, installation) = (Provider::start().await, Installation::new());
    let app = start_app(&provider, OidcTimes::default(), &["--data", &installation.data()]).await;
    let mut browser = Browser::new(&app);
    browser.sign_in(&provider).await;
    let user = format!("/flags{USER}");
    for (ahead, status) in [(30, StatusCode::OK), (7_200, StatusCode::UNAUTHORIZED)] {
        let begun = Timestamp::now().as_second() + ahead;
        let shift = format!("UPDATE sessions SET created_at = {begun} RETURNING 1");
        assert_eq!(installation.run_sql(&shift), "1");
        assert_eq!(browser.get(&user).await.status, status, "{ahead}");
    }
}

#[actix_web::test]
async fn revoked_sessions_are_not_renewed_silently() {
    let provider = Provider::start().await;
    let app = start_app(&provider, OidcTimes::default(), &[]).await;
    let (mut anna, mut admin) = (Browser::new(&app), Browser::new(&app));
    anna.sign_in(&provider).await;
    provider.change(|state| state.claims = json!({ "sub": "18", "groups": ["staff", "admins"] }));
    admin.sign_in(&provider).await;
    provider.reset();
    let user = format!("/flags{USER}");
    assert_eq!(
        admin.get(&user).await.json()["grants"],
        json!([
            { "permission": "ADMIN", "groups": ["admins"], "isGranted": true },
            { "permission": "CREATE_FEATURE", "groups": ["staff"], "isGranted": true },
        ])
    );
    let sessions = admin.get("/flags/api/admin/sessions").await.json();
    let methods: Vec<_> = sessions["sessions"].as_array().unwrap().iter().collect();
    assert!(methods.iter().all(|session| session["method"] == "provider"), "{sessions}");
    let subjects: BTreeSet<_> = methods.iter().map(|session| session["subject"].as_str().unwrap()).collect();
    assert_eq!(subjects, BTreeSet::from(["17", "18"]));

    // The browser renews its session while an administrator revokes it.
    let started = anna.start("?silent=1").await;
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query.append_pair("issuer", &provider.stub.url).append_pair("subject", "17");
    let path = format!("/flags/api/admin/sessions?{}", query.finish());
    let revoked = admin.send(Method::DELETE, &path, &Value::Null).await;
    assert_eq!(revoked.json(), json!({ "revoked": 1, "includesOwn": false }));
    let refused = anna.get(&user).await;
    assert_eq!(refused.status, StatusCode::UNAUTHORIZED);
    assert_eq!(
        refused.json()["message"],
        "An administrator has ended your session. Sign in again to continue"
    );
    assert!(refused.json().get("silentPath").is_none());
    // The session cookie ends before the cookie for the renewal.
    let session = anna.cookies.remove(SESSION).unwrap();
    assert!(anna.get(&user).await.json().get("silentPath").is_none());
    anna.cookies.insert(SESSION.to_owned(), session);
    let returned = anna.finish(&provider, &started, &json!({})).await;
    assert_eq!(returned.status, StatusCode::SEE_OTHER);
    assert!(anna.cookies.is_empty(), "{:?}", anna.cookies);
    assert_eq!(admin.get(&user).await.status, StatusCode::OK);

    // The user may sign in again, and that session is renewed.
    anna.sign_in(&provider).await;
    assert_eq!(anna.get(&user).await.status, StatusCode::OK);
    anna.cookies.remove(SESSION);
    assert!(anna.get(&user).await.json()["silentPath"].is_string());

    // A cookie that names no session, such as that of an earlier build, cannot be revoked.
    anna.cookies.insert("__Secure-flagdeck-returning".to_owned(), "1".to_owned());
    assert!(anna.get(&user).await.json().get("silentPath").is_none());
}

#[actix_web::test]
async fn linked_person_acts_as_the_user() {
    let provider = Provider::start().await;
    let installation = Installation::new();
    installation.add("anna", &["--name", "Anna Account", "--permission", "DELETE_FEATURE"]);
    installation.add("bert", &[]);
    let user = format!("/flags{USER}");
    let data = installation.data();
    let app = start_app(&provider, OidcTimes::default(), &["--data", &data]).await;
    assert!(installation.run_ok(&["user", "identities"], "").contains("Nobody has signed in"));
    let refused = |arguments: &[&str]| {
        let output = installation.run(&[&["user"], arguments].concat(), "");
        assert!(!output.status.success(), "{arguments:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let unknown = refused(&["link", "anna", "--subject", "17"]);
    assert!(
        unknown.contains("No person with the subject 17 has signed in; `flagdeck user identities`"),
        "{unknown}"
    );

    let mut browser = Browser::new(&app);
    browser.sign_in(&provider).await;
    let listed = installation.run_ok(&["user", "identities"], "");
    let shown = format!("Anna A. <anna@example.com> (subject 17 at {}) signed in at 20", provider.stub.url);
    assert!(listed.starts_with(&shown) && listed.lines().count() == 1, "{listed}");
    let missing = refused(&["link", "nobody", "--subject", "17"]);
    assert!(missing.contains("`flagdeck user list` lists all users"), "{missing}");

    // The link applies to the running session.
    let linked = installation.run_ok(&["user", "link", "ANNA", "--subject", "17"], "");
    assert!(linked.contains(") is linked to anna"), "{linked}");
    let found = browser.get(&user).await.json();
    assert_eq!(
        (&found["username"], &found["name"], &found["permissions"]),
        (&json!("anna"), &json!("Anna Account"), &json!(["CREATE_FEATURE", "DELETE_FEATURE"]))
    );
    assert!(found.get("email").is_none(), "{found}");
    let toggle = json!({ "name": "by.anna", "strategies": [{ "name": "default" }] });
    let created = browser.send(Method::POST, "/flags/api/admin/features", &toggle).await;
    assert_eq!(created.status, StatusCode::CREATED, "{}", created.body);
    let events = browser.get("/flags/api/admin/events").await.json();
    assert_eq!(events["events"][0]["createdBy"], "anna");
    // The next sign-in, too.
    browser.sign_in(&provider).await;
    assert_eq!(browser.get(&user).await.json()["username"], "anna");

    installation.run_ok(&["user", "link", "anna", "--subject", "17"], "");
    let taken = refused(&["link", "bert", "--subject", "17"]);
    assert!(
        taken.contains(
            "is already linked to anna; remove that link first: flagdeck user unlink anna --subject 17"
        ),
        "{taken}"
    );
    let absent = refused(&["unlink", "bert"]);
    assert!(absent.contains("bert is linked to no person;"), "{absent}");
    // Before the first sign-in. Several providers may know the same id.
    let other = ["user", "link", "bert", "--subject", "17", "--issuer", "https://other.example"];
    installation.run_ok(&other, "");
    let issuer = "https://other.example\n\u{202e}";
    installation.run_ok(&["user", "link", "bert", "--subject", "19\nforged", "--issuer", issuer], "");
    let ambiguous = refused(&["link", "bert", "--subject", "17"]);
    assert!(ambiguous.contains("Several providers"), "{ambiguous}");
    let listed = installation.run_ok(&["user", "identities"], "");
    assert!(
        listed.contains("(subject 17 at https://other.example) has not signed in, linked to bert"),
        "{listed}"
    );
    assert!(listed.lines().count() == 3 && listed.contains("19\\nforged"), "{listed}");
    installation.run_ok(&["user", "unlink", "bert"], "");
    assert_eq!(installation.run_ok(&["user", "identities"], "").lines().count(), 1);

    // All sessions of the account are revoked together.
    let mut admin = Browser::new(&app);
    provider.change(|state| state.claims = json!({ "sub": "18", "groups": ["staff", "admins"] }));
    admin.sign_in(&provider).await;
    provider.reset();
    let path = "/flags/api/admin/sessions?username=anna";
    let revoked = admin.send(Method::DELETE, path, &Value::Null).await;
    assert_eq!(revoked.json()["revoked"], 1);
    assert_eq!(browser.get(&user).await.status, StatusCode::UNAUTHORIZED);

    browser.sign_in(&provider).await;
    installation.run_ok(&["user", "unlink", "anna", "--subject", "17"], "");
    let found = browser.get(&user).await.json();
    assert_eq!(
        (&found["email"], &found["permissions"]),
        (&json!("anna@example.com"), &json!(["CREATE_FEATURE"]))
    );
    installation.run_ok(&["user", "link", "anna", "--subject", "17"], "");
    installation.run_ok(&["user", "remove", "anna"], "");
    assert_eq!(browser.get(&user).await.status, StatusCode::UNAUTHORIZED, "removed with its sessions");
    browser.sign_in(&provider).await;
    assert_eq!(browser.get(&user).await.json()["email"], "anna@example.com");
}

#[actix_web::test]
async fn person_of_a_disabled_account_is_signed_out_and_refused() {
    let provider = Provider::start().await;
    let installation = Installation::new();
    installation.add("anna", &[]);
    let user = format!("/flags{USER}");
    let data = installation.data();
    let app = start_app(&provider, OidcTimes::default(), &["--data", &data]).await;
    let mut browser = Browser::new(&app);
    browser.sign_in(&provider).await;
    installation.run_ok(&["user", "link", "anna", "--subject", "17"], "");
    installation.run_ok(&["user", "disable", "anna"], "");
    let ended = browser.get(&user).await;
    assert_eq!(ended.status, StatusCode::UNAUTHORIZED);
    assert!(ended.body.contains("An administrator has ended your session"), "{}", ended.body);
    let started = browser.start("").await;
    let refused = browser.finish(&provider, &started, &json!({})).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
    assert!(refused.body.contains("An administrator has disabled your account"), "{}", refused.body);
    assert_eq!(browser.get(&user).await.status, StatusCode::UNAUTHORIZED);

    // A person who is linked later is signed out, too.
    installation.run_ok(&["user", "unlink", "anna"], "");
    browser.sign_in(&provider).await;
    assert_eq!(browser.get(&user).await.status, StatusCode::OK);
    installation.run_ok(&["user", "link", "anna", "--subject", "17"], "");
    assert_eq!(browser.get(&user).await.status, StatusCode::UNAUTHORIZED);

    installation.run_ok(&["user", "enable", "anna"], "");
    browser.sign_in(&provider).await;
    assert_eq!(browser.get(&user).await.json()["username"], "anna");
}

#[actix_web::test]
async fn signed_in_users_continue_while_the_provider_is_away() {
    let provider = Provider::start().await;
    let times = OidcTimes { renewal: Duration::ZERO, ..no_cache() };
    let app = start_app(&provider, times, &[]).await;
    let mut browser = Browser::new(&app);
    browser.sign_in(&provider).await;
    provider.change(|state| state.replies.push(("openid-configuration", Reply::End)));
    let asked = provider.count("openid-configuration");
    while provider.count("openid-configuration") < asked + 3 {
        assert_eq!(browser.get(&format!("/flags{USER}")).await.status, StatusCode::OK);
    }
    assert_eq!(code(&browser.get(START).await), "oidc_unreachable");
}

#[actix_web::test]
async fn sign_out_ends_the_session_of_the_provider_and_pending_sign_ins() {
    let provider = Provider::start().await;
    let app = start_app(&provider, OidcTimes::default(), &[]).await;
    let mut browser = Browser::new(&app);
    browser.sign_in(&provider).await;
    let session = browser.cookies.clone();
    let started = browser.start("?silent=1").await;
    let signed_out = browser.send(Method::POST, "/flags/-/logout", &Value::Null).await;
    let location = Url::parse(signed_out.json()["location"].as_str().unwrap()).unwrap();
    let parameters: BTreeMap<_, _> = location.query_pairs().into_owned().collect();
    assert_eq!((location.path(), parameters["client_id"].as_str()), ("/end", "flagdeck"));
    assert_eq!(parameters["post_logout_redirect_uri"], "https://flags.example/flags/");
    assert!(browser.cookies.is_empty(), "{:?}", browser.cookies);
    assert_eq!(code(&browser.finish(&provider, &started, &json!({})).await), "oidc_state");
    browser.cookies = session;
    assert_eq!(browser.get(&format!("/flags{USER}")).await.status, StatusCode::UNAUTHORIZED);
}

#[actix_web::test]
async fn signs_in_at_the_public_address_only() {
    let provider = Provider::start().await;
    let app = start_app(&provider, OidcTimes::default(), &["--allowed-host", "inner"]).await;
    let at_inner = async |path: &str| app.send(Method::GET, path, &[("host", "inner")], "").await;
    let moved = at_inner(&format!("{START}?return=/x")).await;
    assert_eq!(moved.header("location"), format!("https://flags.example{START}?return=/x&moved=1"));
    assert_eq!(moved.header("set-cookie"), "");
    assert_eq!(code(&at_inner(&format!("{START}?moved=1")).await), "oidc_host");
    assert_eq!(code(&at_inner(&format!("{CALLBACK}?state=x&code=y")).await), "oidc_host");
    // Browsers get a page.
    let page = app
        .send(Method::GET, &format!("{CALLBACK}?state=x&code=y"), &[HOST, ("accept", "text/html")], "")
        .await;
    assert_eq!((page.status, code(&page)), (StatusCode::BAD_REQUEST, "oidc_state"));
    assert!(
        page.body.contains("was not started in this browser") && page.body.contains(START),
        "{}",
        page.body
    );
}

#[actix_web::test]
async fn log_names_refusals_without_codes_tokens_and_secrets() {
    let provider = Provider::start().await;
    let (folder, secret) = (TempDir::new().unwrap(), secret_file());
    let log = folder.path().join("log");
    let mut command = flagdeck();
    command.args(["--listen", "127.0.0.1:0", "--data", ":memory:", "--log-level", "debug", "--auth", "oidc"]);
    command.args(["--public-url", "https://flags.example", "--base-path", "/flags", "--oidc-allow", "*"]);
    command.args(["--oidc-issuer", &provider.stub.url, "--oidc-client-id", "flagdeck"]);
    command.args(["--oidc-client-secret", &format!("@{}", secret.path().display())]);
    let binary = Binary::started(command.stderr(File::create(&log).unwrap()));
    let app = TestApp::at(binary.port);
    let mut browser = Browser::new(&app);
    let started = browser.start("?return=/features").await;
    assert_eq!(code(&browser.finish(&provider, &started, &json!({})).await), "");
    let session = browser.cookies[SESSION].clone();
    provider.change(|state| state.claims = json!({ "aud": "another-client" }));
    assert_eq!(code(&browser.sign_in(&provider).await), "oidc_audience");
    let end = Instant::now() + Duration::from_mins(1);
    let text = loop {
        let text = fs::read_to_string(&log).unwrap();
        if text.contains("another-client") {
            break text;
        }
        assert!(Instant::now() < end, "{text}");
        tokio::task::yield_now().await;
    };
    assert!(text.contains("oidc_audience") && text.contains("signed in by the identity provider"), "{text}");
    // A token begins with "eyJ".
    for secret in [SECRET, "code-", "access-secret", "eyJ", &started["state"], &started["nonce"], &session] {
        assert!(!text.contains(secret), "{secret}: {text}");
    }
}

#[actix_web::test]
async fn check_prints_the_addresses_to_register_and_the_spelling_of_the_issuer() {
    let provider = Provider::start().await;
    let slash = format!("{}/", provider.stub.url);
    provider.change(|state| state.discovery = json!({ "issuer": slash }));
    let check = async |issuer: &str| {
        let mut command = flagdeck();
        let issuer = issuer.to_owned();
        command.args(["check", "--listen", "127.0.0.1:0", "--data", ":memory:", "--auth", "oidc"]);
        command.args([
            "--public-url",
            "https://flags.example",
            "--base-path",
            "/flags",
            "--oidc-issuer",
            &issuer,
        ]);
        command.args(["--oidc-client-id", "flagdeck", "--oidc-allow", "*"]);
        let output = actix_web::web::block(move || command.output().unwrap()).await.unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let (status, text) = check(&provider.stub.url).await;
    assert_eq!(status, Some(0), "{text}");
    for words in [
        "the redirect address to register at the provider is https://flags.example/flags/-/oidc/callback",
        &format!("the provider spells its issuer {slash}, and oidc-issuer is {}", provider.stub.url),
        "oidc-grant is not set",
        "the signature algorithms of ID tokens are RS256, ES256",
        "return after a sign-out is https://flags.example/flags/",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let (status, text) = check("http://127.0.0.1:1").await;
    assert_eq!(status, Some(1));
    assert!(text.contains("FAIL  oidc: discovery: ") && text.contains("(oidc_unreachable)"), "{text}");
}

#[actix_web::test]
async fn journal_names_users_of_the_provider_without_codes_and_tokens() {
    let provider = Provider::start().await;
    let folder = TempDir::new().unwrap();
    let journal = folder.path().join("journal");
    let app = start_app(&provider, no_cache(), &["--journal", journal.to_str().unwrap()]).await;
    let mut browser = Browser::new(&app);
    let started = browser.start("").await;
    assert_eq!(browser.finish(&provider, &started, &json!({})).await.status, StatusCode::SEE_OTHER);
    let session = browser.cookies[SESSION].clone();
    let toggle = json!({ "name": "by.anna", "strategies": [{ "name": "default" }] });
    let created = browser.send(Method::POST, "/flags/api/admin/features", &toggle).await;
    assert_eq!(created.status, StatusCode::CREATED);
    assert_eq!(browser.get("/flags/-/journal").await.status, StatusCode::FORBIDDEN);
    let signed_out = browser.send(Method::POST, "/flags/-/logout", &Value::Null).await;
    assert_eq!(signed_out.status, StatusCode::OK);
    // A refusal after the provider has identified the user, and one before.
    provider.change(|state| state.claims = json!({ "groups": ["guests"] }));
    let refused = browser.sign_in(&provider).await;
    assert_eq!(code(&refused), "oidc_not_allowed");
    provider.change(|state| state.claims = json!({ "groups": "-", "_claim_names": { "groups": "src1" } }));
    assert_eq!(code(&browser.sign_in(&provider).await), "oidc_too_many_groups");
    provider.change(|state| state.claims = json!({}));
    let refused = browser.get(&format!("{CALLBACK}?code=code-1&state=unknown")).await;
    assert_eq!(code(&refused), "oidc_state");
    app.stop().await;

    let text = fs::read_to_string(&journal).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let facts: Vec<_> = lines
        .iter()
        .filter(|line| line.get("person").is_some())
        .map(|line| (line["kind"].as_str().unwrap(), line["status"].as_u64().unwrap(), &line["person"]))
        .collect();
    let subject = &facts[0].2["sub"];
    assert!(subject.is_string(), "{text}");
    let anna = json!({
        "iss": provider.stub.url, "sub": subject, "name": "Anna A.", "known": "identity-provider",
    });
    let unknown = json!({ "known": "unknown" });
    assert_eq!(
        facts,
        [
            ("sign-in", 303, &anna),
            ("change", 201, &anna),
            ("sign-out", 200, &anna),
            ("sign-in", 403, &anna),
            ("sign-in", 403, &anna),
            ("sign-in", 400, &unknown),
        ]
    );
    for secret in [SECRET, "code-", "access-secret", "eyJ", &started["state"], &started["nonce"], &session] {
        assert!(!text.contains(secret), "{secret}: {text}");
    }
}
