//! Sign-in by OpenID Connect in front of an upstream (`upstream-sign-in`). The permission of each request:
//! `backend/upstream_access/permission.rs`.

use std::collections::HashSet;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::sync::{Arc, Mutex};

use actix_web::http::{Method, StatusCode};
use futures_util::future::join_all;
use serde_json::{Value, json};
use tempfile::{NamedTempFile, TempDir};
use tokio::io::AsyncWriteExt as _;
use tokio::sync::Notify;

use super::oidc::{Browser, HOST, code, provider_arguments, secret_file};
use super::{Installation, JSON, PASSWORD};
use crate::sdk::hold::until;
use crate::support::app::TestApp;
use crate::support::binary::flagdeck;
use crate::support::engine::is_postgres;
use crate::support::newer_server::{NewerServer, Reaction, Version};
use crate::support::provider::{Provider, json_reply, raw_reply};
use crate::support::skip::skipped;
use crate::support::stub::{Reply, Stub};

const FEATURES: &str = "/flags/api/admin/features";
const USER: &str = "/flags/api/admin/user";
const GRANTS: &str = "staff=CREATE_FEATURE,editors=UPDATE_FEATURE,admins=ADMIN";
const CREDENTIAL: &str = "shared-credential";
/// A browser-sent credential.
const FORGED: &str = "forged-secret";

/// A flag service like Unleash 3.17 with a sign-in by email address, or with a credential.
struct FlagService {
    stub: Stub,
    state: Arc<Mutex<State>>,
}

struct State {
    /// The sign-in that it describes.
    kind: &'static str,
    /// The cookies of valid sessions.
    sessions: HashSet<String>,
    /// Number of sign-ins.
    count: usize,
    /// Another reply to sign-ins.
    sign_in: Option<Reply>,
    /// Another reply to requests without a session.
    challenge: Option<Reply>,
    /// Refuses all sessions.
    refuses_all: bool,
    permissions: Value,
    /// Toggles that SDKs get.
    toggles: Value,
    /// Closes all connections without a response.
    is_down: bool,
}

/// The user of the flag service whom requests with the credential have.
const ACCOUNT: &str = "upstream@example.com";

/// The event history.
fn events() -> Value {
    json!({ "version": 1, "events": [{ "type": "feature-updated", "createdBy": ACCOUNT, "data": { "name": "x" } }] })
}

impl FlagService {
    async fn start() -> Self {
        let state = Arc::new(Mutex::new(State {
            kind: "unsecure",
            sessions: HashSet::new(),
            count: 0,
            sign_in: None,
            challenge: None,
            refuses_all: false,
            permissions: Value::Null,
            toggles: json!([]),
            is_down: false,
        }));
        let served = Arc::clone(&state);
        let compute = move |request: &str| served.lock().unwrap().reply(request);
        Self { stub: Stub::start(Reply::Computed(Arc::new(compute))).await, state }
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state.lock().unwrap());
    }

    /// Returns the bodies of the sign-ins.
    fn sign_ins(&self) -> Vec<String> {
        let requests = self.stub.requests();
        let sign_ins = requests.iter().filter(|request| request.starts_with("POST /api/admin/login "));
        sign_ins.map(|request| request.split("\r\n\r\n").nth(1).unwrap().to_owned()).collect()
    }

    /// Returns the requests that clients have caused, and not the watch of the server's version.
    fn requests_of_clients(&self) -> Vec<String> {
        self.stub.requests().into_iter().filter(|request| !request.contains(r#";host="";"#)).collect()
    }

    /// Returns the requests that begin like this.
    fn requests(&self, start: &str) -> Vec<String> {
        self.stub.requests().into_iter().filter(|request| request.starts_with(start)).collect()
    }
}

impl State {
    fn reply(&mut self, request: &str) -> Reply {
        let mut parts = request.split(' ');
        let (method, path) = (parts.next().unwrap(), parts.next().unwrap());
        let field = |name: &str| {
            let line =
                request.lines().find(|line| line.to_ascii_lowercase().starts_with(&format!("{name}: ")));
            line.map(|line| line[name.len() + 2..].to_owned()).unwrap_or_default()
        };
        if self.is_down {
            return Reply::End;
        }
        if path.starts_with("/api/client") {
            return json_reply(200, &json!({ "version": 1, "features": self.toggles }));
        }
        if method == "POST" && path == "/api/admin/login" {
            let body: Value = serde_json::from_str(request.split("\r\n\r\n").nth(1).unwrap()).unwrap();
            self.count += 1;
            let cookie = format!("unleash-session={}-{}", self.count, body["email"].as_str().unwrap());
            self.sessions.insert(cookie.clone());
            return self.sign_in.clone().unwrap_or_else(|| {
                Reply::Bytes(format!(
                    "HTTP/1.1 200 OK\r\nSet-Cookie: {cookie}; Path=/; HttpOnly\r\nContent-Length: 2\r\n\r\n{{}}"
                ))
            });
        }
        let cookie = field("cookie");
        let has_session = self.sessions.contains(&cookie) || field("authorization") == CREDENTIAL;
        if !has_session || self.refuses_all {
            let challenge = json!({ "type": self.kind, "path": "/api/admin/login" });
            return self.challenge.clone().unwrap_or_else(|| json_reply(401, &challenge));
        }
        match path {
            path if path.starts_with("/api/admin/events") => json_reply(200, &events()),
            "/logout" => {
                self.sessions.remove(&cookie);
                Reply::Bytes("HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n".to_owned())
            }
            // Unleash ignores the case and slashes at the end.
            "/api/admin/user" | "/api/admin/User" | "/api/admin/user/" => {
                let user = json!({ "email": ACCOUNT, "permissions": self.permissions });
                let length = user.to_string().len();
                Reply::Bytes(format!(
                    "HTTP/1.1 200 OK\r\nSet-Cookie: unleash-session=new; Path=/\r\n\
                     Content-Length: {length}\r\n\r\n{user}"
                ))
            }
            path if path.starts_with("/api/admin/environments") => json_reply(404, &json!({})),
            _ => json_reply(200, &json!({ "features": [] })),
        }
    }
}

/// A file with the credential of `shared`.
fn credential_file() -> NamedTempFile {
    let mut file = NamedTempFile::new().unwrap();
    writeln!(file, "{CREDENTIAL}").unwrap();
    file
}

/// Starts the app in front of a flag service.
async fn start(provider: &Provider, service: &FlagService, sign_in: &str, more: &[&str]) -> TestApp {
    start_at(provider, &service.stub.url, sign_in, more).await
}

async fn start_at(provider: &Provider, upstream: &str, sign_in: &str, more: &[&str]) -> TestApp {
    let (secret, credential) = (secret_file(), credential_file());
    let secret = format!("@{}", secret.path().display());
    let credential = format!("Authorization=@{}", credential.path().display());
    let header = ["--upstream-header", &credential];
    let arguments = [
        &provider_arguments(&provider.stub.url, &secret, GRANTS)[..],
        &["--upstream", upstream, "--upstream-sign-in", sign_in],
        if sign_in == "shared" { &header } else { &[] },
        if more.contains(&"--data") { &[] } else { &["--data", ":memory:"] },
        more,
    ];
    TestApp::adjusted(&arguments.concat(), |config| config.listen.workers = Some(1)).await
}

/// Signs in as a person with these groups.
async fn person<'a>(app: &'a TestApp, provider: &Provider, name: &str, groups: &[&str]) -> Browser<'a> {
    provider.change(|state| {
        let email = format!("{name}@example.com");
        state.claims = json!({ "sub": name, "name": name, "email": email, "groups": groups });
    });
    let mut browser = Browser::new(app);
    let response = browser.sign_in(provider).await;
    assert_eq!(response.status, StatusCode::SEE_OTHER, "{}", response.body);
    browser
}

fn cookies_of(browser: &Browser<'_>) -> String {
    browser.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("; ")
}

#[actix_web::test]
async fn shared_credential_is_for_persons_with_a_session_and_within_their_grants() {
    let (provider, service) = (Provider::start().await, FlagService::start().await);
    let app = start(&provider, &service, "shared", &[]).await;
    let mut anna = person(&app, &provider, "anna", &["staff", "editors"]).await;

    // Without a session nothing reaches the upstream, whatever the request contains.
    for path in [FEATURES, USER, "/flags/api/admin/state/export", "/flags/api/other"] {
        let refused = app.send(Method::GET, path, &[HOST, ("authorization", CREDENTIAL)], "").await;
        assert_eq!(refused.status, StatusCode::UNAUTHORIZED, "{path}");
        assert_eq!(refused.json()["options"][0]["type"], "oidc", "{path}");
    }
    assert_eq!(service.requests_of_clients(), [""; 0]);

    for (method, path, status) in [
        (Method::GET, "features", 200),
        (Method::POST, "features", 200),
        (Method::PUT, "features/x", 200),
        (Method::POST, "features/x/toggle/on", 200),
        (Method::POST, "projects/p/features/x/environments/dev/on", 200),
        (Method::DELETE, "features/x", 403),
        (Method::POST, "addons", 403),
        (Method::POST, "projects/p/delete", 403),
        (Method::GET, "state/export", 403),
        (Method::GET, "api-tokens", 403),
        (Method::GET, "personal-dashboard", 403),
        (Method::GET, "projects/default/flag-creators", 403),
        (Method::GET, "user/my-sessions", 404),
        (Method::POST, "login", 404),
        (Method::GET, "user/logout", 404),
    ] {
        let before = service.requests_of_clients().len();
        let response = anna.send(method.clone(), &format!("/flags/api/admin/{path}"), &json!({})).await;
        assert_eq!(response.status.as_u16(), status, "{method} {path}: {}", response.body);
        let is_sent = service.requests_of_clients().len() > before;
        assert_eq!(is_sent, status == 200, "{method} {path}");
    }
    let refused = anna.send(Method::DELETE, &format!("{FEATURES}/x"), &Value::Null).await;
    assert_eq!(
        refused.json(),
        json!({
            "code": "forbidden", "permission": "DELETE_FEATURE", "groups": ["admins"],
            "message": "You need the permission DELETE_FEATURE for this; the group admins has it",
        })
    );

    // The browser's credentials stay here, and the upstream's cookies there.
    let cookies = format!("{}; other={FORGED}", cookies_of(&anna));
    let forged = [
        HOST,
        JSON,
        ("cookie", cookies.as_str()),
        ("authorization", FORGED),
        ("x-api-key", FORGED),
        ("x_remote-user", FORGED),
        ("x-http-method-override", FORGED),
    ];
    let response = app.send(Method::GET, USER, &forged, "").await;
    assert_eq!(response.header("set-cookie"), "");
    assert_eq!(response.json()["email"], "anna@example.com");
    let names = json!([
        "CREATE_FEATURE",
        "CREATE_FEATURE_STRATEGY",
        "DELETE_FEATURE_STRATEGY",
        "UPDATE_FEATURE",
        "UPDATE_FEATURE_ENVIRONMENT",
        "UPDATE_FEATURE_ENVIRONMENT_VARIANTS",
        "UPDATE_FEATURE_STRATEGY",
        "UPDATE_FEATURE_VARIANTS"
    ]);
    assert_eq!(response.json()["permissions"], names);
    for path in ["/flags/api/admin/User", "/flags/api/admin/user/"] {
        let response = anna.get(path).await;
        assert_eq!(response.json()["email"], "anna@example.com", "{path}: {}", response.body);
    }
    for request in service.stub.requests() {
        let request = request.to_ascii_lowercase();
        assert!(request.contains(&format!("\r\nauthorization: {CREDENTIAL}\r\n")), "{request}");
        for secret in ["cookie", "flagdeck-session", FORGED] {
            assert!(!request.contains(secret), "{secret} in {request}");
        }
    }

    // SDKs use their own token, without the credential and without a session.
    let sdk = [HOST, ("authorization", "client-token"), ("cookie", cookies.as_str())];
    assert_eq!(app.send(Method::GET, "/flags/api/client/features", &sdk, "").await.status, StatusCode::OK);
    let report = app.send(Method::POST, "/flags/api/client/register", &[HOST, JSON], "{}").await;
    assert_eq!(report.status, StatusCode::OK);
    for (start, token) in [("GET /api/client/features ", "client-token"), ("POST /api/client/register ", "")]
    {
        let request = service.requests(start).remove(0).to_ascii_lowercase();
        assert!(!request.contains(CREDENTIAL) && !request.contains("cookie"), "{request}");
        assert_eq!(request.contains("authorization: client-token"), !token.is_empty(), "{request}");
    }

    // The upstream refuses the credential.
    service.change(|state| state.refuses_all = true);
    let refused = anna.get(FEATURES).await;
    assert_eq!((refused.status, code(&refused)), (StatusCode::BAD_GATEWAY, "upstream_credential"));
}

#[actix_web::test]
async fn change_of_the_person_before_is_not_forwarded() {
    for sign_in in ["shared", "demo"] {
        let (provider, service) = (Provider::start().await, FlagService::start().await);
        let app = start(&provider, &service, sign_in, &[]).await;
        let anna = cookies_of(&person(&app, &provider, "anna", &["staff", "admins"]).await);
        let bert = cookies_of(&person(&app, &provider, "bert", &["staff", "admins"]).await);
        let send = async |method: Method, path: &str, cookies: &str, user: &str| {
            let headers = [HOST, JSON, ("cookie", cookies), ("flagdeck-user", user)];
            app.send(method, path, &headers, "{}").await
        };
        let value_of = async |path: &str, cookies: &str| {
            let response = send(Method::GET, path, cookies, "").await;
            response.header("flagdeck-user").to_owned()
        };
        let (of_anna, of_bert) = (value_of(USER, &anna).await, value_of(USER, &bert).await);
        assert!(!of_anna.is_empty() && of_anna != of_bert, "{of_anna} {of_bert}");
        assert_eq!(value_of(FEATURES, &bert).await, of_bert);
        let switch = format!("{FEATURES}/x/toggle/on");
        let refused = send(Method::POST, &switch, &bert, &of_anna).await;
        assert_eq!((refused.status, code(&refused)), (StatusCode::CONFLICT, "user_changed"));
        assert_eq!(service.requests("POST /api/admin/features/x/"), [""; 0]);
        assert_eq!(send(Method::POST, &switch, &bert, &of_bert).await.status, StatusCode::OK);
        assert_eq!(service.requests("POST /api/admin/features/x/").len(), 1);
        let forwarded = service.stub.requests().concat().to_ascii_lowercase();
        assert!(!forwarded.contains("flagdeck-user"), "{forwarded}");
    }
}

/// A save of a server with environments consists of several requests.
#[actix_web::test]
async fn save_in_a_session_that_the_upstream_ends_repeats_one_request() {
    let provider = Provider::start().await;
    let server = NewerServer::start(Version::V8_2);
    server.require_demo_sign_in();
    let rollout = |percentage: &str| json!({ "name": "flexibleRollout", "parameters": { "rollout": percentage }, "constraints": [] });
    server.model(|model| {
        model.add("search", json!({}));
        for _ in 0..2 {
            assert_eq!(model.add_strategy("search", "development", &rollout("1")).0, 200);
        }
    });
    let app = start_at(&provider, &server.url, "demo", &[]).await;
    let anna = person(&app, &provider, "anna", &["staff", "editors"]).await;
    let cookies = cookies_of(&anna);
    let environment = ("flagdeck-environment", "development");
    let headers = [HOST, JSON, environment, ("cookie", cookies.as_str())];
    let path = format!("{FEATURES}/search");
    let read = app.send(Method::GET, &path, &headers, "").await;
    let mut toggle = read.json();
    toggle["description"] = json!("new");
    for index in 0..2 {
        toggle["strategies"][index]["parameters"]["rollout"] = json!("10");
    }
    let last = "PUT /search/environments/development/strategies/id-2";
    server.react(last, Reaction::EndSession);
    let headers = [&headers[..], &[("if-match", read.header("etag"))]].concat();
    let saved = app.send(Method::PUT, &path, &headers, &toggle.to_string()).await;
    assert_eq!(saved.status, StatusCode::OK, "{}", saved.body);
    assert_eq!(saved.json()["strategies"][1]["parameters"]["rollout"], "10");
    let first = "PUT /search/environments/development/strategies/id-1";
    assert_eq!(server.take_changes(), ["PATCH /search", first, last, last]);

    // The next request continues in the new session.
    let headers = [HOST, environment, ("cookie", cookies.as_str())];
    assert_eq!(app.send(Method::GET, &path, &headers, "").await.status, StatusCode::OK);
    let session = server.take_headers().last().unwrap()["cookie"].clone();
    assert_eq!(session, "unleash-session=3");
}

#[actix_web::test]
async fn body_does_nothing_that_the_permission_of_its_path_does_not_allow() {
    let newer = "projects/default/features";
    let archived = json!({ "archived": true });
    let json = "application/json";
    let cases = [
        (Method::PUT, format!("{newer}/x"), json, archived.to_string(), "DELETE_FEATURE"),
        (Method::PUT, "features/x".to_owned(), json, archived.to_string(), "DELETE_FEATURE"),
        (Method::POST, newer.to_owned(), json, archived.to_string(), "DELETE_FEATURE"),
        (
            Method::PATCH,
            format!("{newer}/x"),
            json,
            json!([{ "op": "replace", "path": "/archived", "value": true }]).to_string(),
            "DELETE_FEATURE",
        ),
        (Method::PUT, format!("{newer}/x"), json, json!({ "name": "y" }).to_string(), "ADMIN"),
        (
            Method::PUT,
            format!("{newer}/x"),
            "application/json; charset=utf-7",
            r#"{"+AGEAcgBjAGgAaQB2AGUAZA-":true}"#.to_owned(),
            "ADMIN",
        ),
    ];
    for sign_in in ["demo", "shared"] {
        let (provider, service) = (Provider::start().await, FlagService::start().await);
        let app = start(&provider, &service, sign_in, &[]).await;
        let anna = person(&app, &provider, "anna", &["staff", "editors"]).await;
        let root = person(&app, &provider, "root", &["staff", "admins"]).await;
        for (method, path, kind, body, permission) in &cases {
            let send = async |browser: &Browser<'_>, body: &str| {
                let cookies = cookies_of(browser);
                let headers = [HOST, ("content-type", *kind), ("cookie", cookies.as_str())];
                app.send(method.clone(), &format!("/flags/api/admin/{path}"), &headers, body).await
            };
            let sent = || service.requests(&format!("{method} /api/admin/{path} "));
            let before = sent().len();
            let refused = send(&anna, body).await;
            assert_eq!(refused.status, StatusCode::FORBIDDEN, "{method} {path} {body}: {}", refused.body);
            assert_eq!(refused.json()["permission"], *permission, "{method} {path} {body}");
            assert_eq!(sent().len(), before, "{method} {path} {body}");

            // The upstream gets the whole body of others.
            assert_eq!(send(&root, body).await.status, StatusCode::OK);
            assert!(sent().last().unwrap().ends_with(body.as_str()), "{:?}", sent());
        }
        let stale = json!([{ "op": "replace", "path": "/stale", "value": true }]).to_string();
        let cookies = cookies_of(&anna);
        let headers = [HOST, JSON, ("cookie", cookies.as_str())];
        let path = format!("/flags/api/admin/{newer}/x");
        let changed = app.send(Method::PATCH, &path, &headers, &stale).await;
        assert_eq!(changed.status, StatusCode::OK, "{}", changed.body);
        let sent = service.requests(&format!("PATCH /api/admin/{newer}/x ")).pop().unwrap();
        assert!(sent.ends_with(&stale), "{sent}");
    }
}

#[actix_web::test]
async fn each_person_has_one_session_at_the_upstream() {
    let (provider, service) = (Provider::start().await, FlagService::start().await);
    let folder = TempDir::new().unwrap();
    let journal = folder.path().join("journal.jsonl");
    let app = start(&provider, &service, "demo", &["--journal", journal.to_str().unwrap()]).await;
    let mut anna = person(&app, &provider, "anna", &["staff", "editors"]).await;
    let mut other_browser = person(&app, &provider, "anna", &["staff", "editors"]).await;
    let mut bob = person(&app, &provider, "bob", &["staff"]).await;
    assert_eq!(service.requests_of_clients(), [""; 0]);

    // Simultaneous requests wait for one sign-in.
    let cookies = cookies_of(&anna);
    let headers = [HOST, ("cookie", cookies.as_str())];
    let responses = join_all((0..8).map(|_| app.send(Method::GET, FEATURES, &headers, ""))).await;
    assert!(responses.iter().all(|response| response.status == StatusCode::OK));
    assert_eq!(other_browser.get(FEATURES).await.status, StatusCode::OK);
    assert_eq!(bob.get(FEATURES).await.status, StatusCode::OK);
    assert_eq!(service.sign_ins(), [r#"{"email":"anna@example.com"}"#, r#"{"email":"bob@example.com"}"#]);

    let changed = anna.send(Method::POST, &format!("{FEATURES}/x/toggle/on"), &Value::Null).await;
    assert_eq!((changed.status, changed.header("set-cookie")), (StatusCode::OK, ""));
    let refused = bob.send(Method::POST, &format!("{FEATURES}/x/toggle/on"), &Value::Null).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
    let request = service.requests("POST /api/admin/features/x/toggle/on ").remove(0).to_ascii_lowercase();
    assert!(request.contains("\r\ncookie: unleash-session=1-anna@example.com\r\n"), "{request}");
    assert!(
        service.stub.requests().iter().all(|request| !request.contains("flagdeck-session")),
        "cookies of the browser"
    );
    service.change(|state| state.permissions = json!(["CREATE_FEATURE"]));
    let user = anna.get(USER).await;
    assert_eq!(
        (&user.json()["email"], &user.json()["permissions"], user.header("set-cookie")),
        (&json!("anna@example.com"), &json!(["CREATE_FEATURE"]), "")
    );

    // A sign-out ends the session at the upstream. Other browsers of the person continue in a new one.
    let signed_out = anna.send(Method::POST, "/flags/-/logout", &Value::Null).await;
    assert!(signed_out.json()["location"].as_str().unwrap().starts_with(&provider.stub.url));
    let request = service.requests("POST /logout ").remove(0).to_ascii_lowercase();
    assert!(request.contains("\r\ncookie: unleash-session=1-anna@example.com\r\n"), "{request}");
    assert_eq!(anna.get(FEATURES).await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(other_browser.get(FEATURES).await.status, StatusCode::OK);
    assert_eq!(service.sign_ins().len(), 3);

    // The session of this program belongs to one person: no other reaches the upstream by it.
    assert_eq!(bob.get(FEATURES).await.status, StatusCode::OK);
    let request = service.requests("GET /api/admin/features ").pop().unwrap();
    assert!(request.contains("unleash-session=2-bob@example.com"), "{request}");
    app.stop().await;

    let lines = lines(&journal);
    let person_of = |path: &str, status: u64| {
        let line = lines.iter().find(|line| line["path"] == path && line["status"] == status);
        line.unwrap_or_else(|| panic!("{path} {status} in {lines:#?}"))["person"].clone()
    };
    let switch = "/api/admin/features/x/toggle/on";
    for (path, status, name) in [(switch, 200, "anna"), (switch, 403, "bob"), ("/-/logout", 200, "anna")] {
        let person = person_of(path, status);
        assert_eq!((&person["sub"], &person["iss"]), (&json!(name), &json!(provider.stub.url)), "{path}");
    }
}

#[actix_web::test]
async fn administrators_see_and_revoke_sessions_in_front_of_an_upstream() {
    const SESSIONS: &str = "/flags/api/admin/sessions";
    for sign_in in ["demo", "shared"] {
        let (provider, service) = (Provider::start().await, FlagService::start().await);
        let folder = TempDir::new().unwrap();
        let journal = folder.path().join("journal");
        let app = start(&provider, &service, sign_in, &["--journal", journal.to_str().unwrap()]).await;
        let mut anna = person(&app, &provider, "anna", &["staff", "editors"]).await;
        let mut at_home = person(&app, &provider, "anna", &["staff", "editors"]).await;
        let mut bert = person(&app, &provider, "bert", &["staff"]).await;
        let mut root = person(&app, &provider, "root", &["staff", "admins"]).await;
        assert_eq!(app.send(Method::GET, "/flags/-/settings", &[HOST], "").await.json()["sessions"], true);
        // The permissions at the upstream do not limit the administration of this program.
        service.change(|state| state.permissions = json!(["CREATE_FEATURE"]));
        let administers =
            async |browser: &mut Browser<'_>| browser.get(USER).await.json()["isAdministrator"].clone();
        assert_eq!((administers(&mut root).await, administers(&mut bert).await), (json!(true), Value::Null));

        assert_eq!(anna.get(SESSIONS).await.status, StatusCode::FORBIDDEN);
        assert_eq!(app.send(Method::GET, SESSIONS, &[HOST], "").await.status, StatusCode::UNAUTHORIZED);
        let listed = root.get(SESSIONS).await.json();
        let sessions = listed["sessions"].as_array().unwrap();
        let mut names: Vec<_> = sessions.iter().map(|session| session["name"].as_str().unwrap()).collect();
        names.sort_unstable();
        assert_eq!(names, ["anna", "anna", "bert", "root"], "{listed}");
        for session in sessions {
            assert_eq!(session["method"], "provider");
            assert_eq!(session["isOwn"], session["name"] == "root");
            assert!(session["lastUsedAt"].is_string() && session["client"].is_null(), "{session}");
        }

        // One session of a person ends with the next request, and the upstream gets nothing.
        let id = sessions.iter().find(|session| session["name"] == "bert").unwrap()["id"].as_str().unwrap();
        let path = format!("{SESSIONS}/{id}");
        assert_eq!(anna.send(Method::DELETE, &path, &Value::Null).await.status, StatusCode::FORBIDDEN);
        let revoked = root.send(Method::DELETE, &path, &Value::Null).await;
        assert_eq!(revoked.json(), json!({ "revoked": 1, "includesOwn": false }));
        let before = service.requests_of_clients().len();
        let refused = bert.get(FEATURES).await;
        assert_eq!(refused.status, StatusCode::UNAUTHORIZED);
        let message = "An administrator has ended your session. Sign in again to continue";
        assert_eq!(refused.json()["message"], message);
        assert!(refused.json().get("silentPath").is_none());
        assert_eq!(service.requests_of_clients().len(), before);
        assert_eq!(anna.get(FEATURES).await.status, StatusCode::OK);

        let mut query = url::form_urlencoded::Serializer::new(String::new());
        query.append_pair("issuer", &provider.stub.url).append_pair("subject", "anna");
        let all = root.send(Method::DELETE, &format!("{SESSIONS}?{}", query.finish()), &Value::Null).await;
        assert_eq!(all.json(), json!({ "revoked": 2, "includesOwn": false }));
        for browser in [&mut anna, &mut at_home] {
            assert_eq!(browser.get(FEATURES).await.status, StatusCode::UNAUTHORIZED);
        }
        // Other paths with the prefix are those of the upstream.
        assert_eq!(root.get(&format!("{SESSIONS}/x/y")).await.status, StatusCode::NOT_FOUND);
        assert_eq!(root.get(&format!("{SESSIONS}-x")).await.status, StatusCode::OK);
        assert_eq!(service.requests("GET /api/admin/sessions").len(), 1);
        app.stop().await;

        let lines = lines(&journal);
        let revocations: Vec<_> = lines
            .iter()
            .filter(|line| line["kind"] == "change" && line["status"] == 200)
            .map(|line| (line["change"].as_str().unwrap(), line["person"]["sub"].as_str().unwrap()))
            .collect();
        let expected = [("revoked a session of bert", "root"), ("revoked 2 sessions of anna", "root")];
        assert_eq!(revocations, expected, "{sign_in}");
    }
}

/// Returns the lines of a journal.
fn lines(journal: &Path) -> Vec<Value> {
    fs::read_to_string(journal).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[actix_web::test]
async fn history_behind_a_shared_account_names_the_account_and_the_journal_the_person() {
    let (provider, service) = (Provider::start().await, FlagService::start().await);
    let folder = TempDir::new().unwrap();
    let journal = folder.path().join("journal");
    let app = start(&provider, &service, "shared", &["--journal", journal.to_str().unwrap()]).await;
    let mut anna = person(&app, &provider, "anna", &["staff", "editors"]).await;
    let changed = anna.send(Method::POST, &format!("{FEATURES}/x/toggle/on"), &Value::Null).await;
    assert_eq!(changed.status, StatusCode::OK);
    let cookies = cookies_of(&anna);
    let headers = [HOST, ("cookie", cookies.as_str()), ("if-none-match", "\"x\"")];
    for path in ["", "/x"] {
        let history = app.send(Method::GET, &format!("/flags/api/admin/events{path}"), &headers, "").await;
        assert_eq!(history.json(), events(), "{path}");
    }
    let requests = service.requests("GET /api/admin/events");
    assert_eq!(requests.len(), 2, "{requests:#?}");
    assert!(requests.iter().all(|request| request.contains("if-none-match: \"x\"")), "{requests:#?}");
    app.stop().await;
    let lines = lines(&journal);
    let changes: Vec<_> = lines.iter().filter(|line| line["kind"] == "change").collect();
    assert_eq!(changes.len(), 1, "{lines:#?}");
    assert_eq!(changes[0]["person"]["sub"], "anna");
    assert_eq!(changes[0]["item"]["name"], "x");
}

#[actix_web::test]
async fn persons_hold_toggles_also_during_an_outage_of_the_upstream_and_the_provider() {
    const HOLDS: &str = "/flags/-/holds";
    let (provider, service) = (Provider::start().await, FlagService::start().await);
    let on = json!({ "name": "shop.pay", "enabled": true, "strategies": [{ "name": "default", "parameters": {} }] });
    service.change(|state| state.toggles = json!([on]));
    let folder = TempDir::new().unwrap();
    let journal = folder.path().join("journal.jsonl");
    let more = ["--replica", "--journal", journal.to_str().unwrap()];
    let app = start(&provider, &service, "shared", &more).await;
    let mut anna = person(&app, &provider, "anna", &["staff", "editors"]).await;
    let mut bob = person(&app, &provider, "bob", &["staff"]).await;
    let sdk = async || {
        let headers = [HOST, ("authorization", "client-token")];
        let response = app.send(Method::GET, "/flags/api/client/features", &headers, "").await;
        assert_eq!(response.status, StatusCode::OK, "{}", response.body);
        response.json()["features"][0]["enabled"].clone()
    };
    let draft = json!({ "toggle": "shop.pay", "reason": "INC-42" });
    let mut lines_of_anna = 0;
    for is_down in [false, true] {
        service.change(|state| state.is_down = is_down);
        provider.change(|state| state.replies = if is_down { vec![("", Reply::End)] } else { Vec::new() });
        assert_eq!(sdk().await, json!(true), "down: {is_down}");

        // A person without the permission is refused.
        let anyone = app.send(Method::POST, HOLDS, &[HOST, JSON], &draft.to_string()).await;
        assert_eq!(anyone.status, StatusCode::UNAUTHORIZED, "{}", anyone.body);
        let refused = bob.send(Method::POST, HOLDS, &draft).await;
        assert_eq!(refused.status, StatusCode::FORBIDDEN, "{}", refused.body);
        assert_eq!(refused.json()["permission"], "UPDATE_FEATURE");
        assert_eq!(sdk().await, json!(true));
        let held = anna.send(Method::POST, HOLDS, &draft).await;
        assert_eq!(held.status, StatusCode::CREATED, "{}", held.body);
        assert_eq!(sdk().await, json!(false), "down: {is_down}");
        let listed = bob.get(HOLDS).await.json()["holds"].take();
        assert_eq!((listed.as_array().unwrap().len(), &listed[0]["reason"]), (1, &json!("INC-42")));
        assert_eq!(listed[0]["person"], "anna@example.com");
        assert_eq!(app.send(Method::GET, HOLDS, &[HOST], "").await.status, StatusCode::UNAUTHORIZED);

        let path = format!("{HOLDS}/shop.pay");
        assert_eq!(bob.send(Method::DELETE, &path, &Value::Null).await.status, StatusCode::FORBIDDEN);
        assert_eq!(sdk().await, json!(false));
        let released = anna.send(Method::DELETE, &path, &Value::Null).await;
        assert_eq!((released.status, &released.json()["released"]), (StatusCode::OK, &json!(1)));
        assert_eq!(sdk().await, json!(true), "down: {is_down}");

        let is_of_anna = |line: &&Value| {
            line["item"]["name"] == "shop.pay"
                && line["person"]["sub"] == "anna"
                && line["status"].as_u64() < Some(300)
        };
        lines_of_anna += 2;
        assert_eq!(lines(&journal).iter().filter(is_of_anna).count(), lines_of_anna);
    }
}

#[actix_web::test]
async fn session_that_the_upstream_ends_is_renewed_once() {
    let (provider, service) = (Provider::start().await, FlagService::start().await);
    let app = start(&provider, &service, "demo", &[]).await;
    let mut anna = person(&app, &provider, "anna", &["staff", "editors"]).await;
    assert_eq!(anna.get(FEATURES).await.status, StatusCode::OK);

    // With several requests and with a body.
    service.change(|state| state.sessions.clear());
    let cookies = cookies_of(&anna);
    let headers = [HOST, ("cookie", cookies.as_str())];
    let responses = join_all((0..8).map(|_| app.send(Method::GET, FEATURES, &headers, ""))).await;
    assert!(responses.iter().all(|response| response.status == StatusCode::OK));
    assert_eq!(service.sign_ins().len(), 2);
    service.change(|state| state.sessions.clear());
    let body = json!({ "name": "x", "description": "y".repeat(100_000) });
    let changed = anna.send(Method::PUT, &format!("{FEATURES}/x"), &body).await;
    assert_eq!(changed.status, StatusCode::OK, "{}", changed.body);
    let sent = service.requests("PUT /api/admin/features/x ");
    assert_eq!(sent.len(), 2);
    assert!(sent.iter().all(|request| request.ends_with(&body.to_string())));
    service.change(|state| state.sessions.clear());
    let settings = anna.get("/flags/-/settings").await.json();
    assert_eq!((&settings["mode"], &settings["mountPath"]), (&json!("upstream"), &json!("/flags")));
    assert!(!settings["capabilities"].is_null(), "{settings}");
    assert_eq!(service.sign_ins().len(), 4);

    // Never in a loop.
    service.change(|state| state.refuses_all = true);
    let refused = anna.get(FEATURES).await;
    assert_eq!((refused.status, code(&refused)), (StatusCode::BAD_GATEWAY, "upstream_session"));
    assert_eq!(service.sign_ins().len(), 5);
    service.change(|state| state.refuses_all = false);
    assert_eq!(anna.get(FEATURES).await.status, StatusCode::OK);
}

#[actix_web::test]
async fn failed_sign_in_at_the_upstream_is_explained_and_not_remembered() {
    let (provider, service) = (Provider::start().await, FlagService::start().await);
    let app = start(&provider, &service, "demo", &[]).await;
    let mut anna = person(&app, &provider, "anna", &["staff"]).await;
    let session = |cookie: &str| {
        Reply::Bytes(format!("HTTP/1.1 200 OK\r\nSet-Cookie: {cookie}\r\nContent-Length: 2\r\n\r\n{{}}"))
    };
    let busy = |status: &str| {
        Reply::Bytes(format!("HTTP/1.1 {status}\r\nRetry-After: 17\r\nContent-Length: 2\r\n\r\n{{}}"))
    };
    for (challenge, sign_in, expected, retry_after) in [
        (Some(busy("429 Too Many Requests")), None, StatusCode::TOO_MANY_REQUESTS, "17"),
        (Some(busy("503 Service Unavailable")), None, StatusCode::SERVICE_UNAVAILABLE, "17"),
        (Some(json_reply(429, &json!({}))), None, StatusCode::TOO_MANY_REQUESTS, ""),
        (None, Some(busy("429 Too Many Requests")), StatusCode::TOO_MANY_REQUESTS, "17"),
        (None, Some(busy("503 Service Unavailable")), StatusCode::SERVICE_UNAVAILABLE, "17"),
    ] {
        service.change(|state| {
            state.sessions.clear();
            state.challenge = challenge;
            state.sign_in = sign_in;
        });
        let refused = anna.get(FEATURES).await;
        assert_eq!((refused.status, code(&refused)), (expected, "upstream_sign_in"), "{}", refused.body);
        assert_eq!(refused.header("retry-after"), retry_after);
    }
    for (challenge, sign_in, expected) in [
        (Some(Reply::End), None, "upstream_unreachable"),
        (Some(json_reply(500, &json!({}))), None, "upstream_sign_in"),
        (Some(json_reply(401, &json!({ "type": "password" }))), None, "upstream_sign_in_kind"),
        (Some(raw_reply(200, "text/html", "<html>")), None, "upstream_sign_in_kind"),
        (Some(json_reply(404, &json!({}))), None, "upstream_sign_in_kind"),
        (None, Some(Reply::End), "upstream_unreachable"),
        (None, Some(json_reply(500, &json!({}))), "upstream_sign_in"),
        (None, Some(json_reply(200, &json!({}))), "upstream_sign_in"),
        (None, Some(session("s=1; Max-Age=0")), "upstream_sign_in"),
        (None, Some(session("a b")), "upstream_sign_in"),
        (None, Some(session("s=a b; Path=/")), "upstream_sign_in"),
    ] {
        service.change(|state| {
            state.sessions.clear();
            state.challenge = challenge;
            state.sign_in = sign_in;
        });
        let refused = anna.get(FEATURES).await;
        assert_eq!((refused.status, code(&refused)), (StatusCode::BAD_GATEWAY, expected), "{}", refused.body);
        // The console works without the upstream.
        assert_eq!(anna.get("/flags/-/settings").await.json()["mode"], "upstream");
    }
    service.change(|state| (state.challenge, state.sign_in) = (None, None));
    assert_eq!(anna.get(FEATURES).await.status, StatusCode::OK);
}

#[actix_web::test]
async fn sign_in_at_the_upstream_continues_if_its_first_client_disconnects() {
    let (provider, service) = (Provider::start().await, FlagService::start().await);
    let app = start(&provider, &service, "demo", &[]).await;
    let mut anna = person(&app, &provider, "anna", &["staff"]).await;
    let go = Arc::new(Notify::new());
    let reply = Reply::Halves(
        String::new(),
        "HTTP/1.1 500 Late\r\nContent-Length: 0\r\n\r\n".to_owned(),
        Arc::clone(&go),
    );
    service.change(|state| state.sign_in = Some(reply));
    let mut connection = app.connect().await;
    let head =
        format!("GET {FEATURES} HTTP/1.1\r\nHost: {}\r\nCookie: {}\r\n\r\n", HOST.1, cookies_of(&anna));
    connection.write_all(head.as_bytes()).await.unwrap();
    service.stub.wait_for(|request| request.starts_with("POST /api/admin/login ")).await;
    service.change(|state| state.sign_in = None);
    drop(connection);
    assert_eq!(anna.get(FEATURES).await.status, StatusCode::OK);
    assert_eq!(service.sign_ins().len(), 2);
    go.notify_one();
}

#[actix_web::test]
async fn sessions_survive_a_restart() {
    let (provider, service) = (Provider::start().await, FlagService::start().await);
    let installation = Installation::new();
    let data = installation.data();
    let app = start(&provider, &service, "demo", &["--data", &data]).await;
    let mut anna = person(&app, &provider, "anna", &["staff"]).await;
    assert_eq!(anna.get(FEATURES).await.status, StatusCode::OK);
    let cookies = anna.cookies.clone();
    app.stop().await;
    let app = start(&provider, &service, "demo", &["--data", &data]).await;
    let mut anna = Browser::new(&app);
    anna.cookies = cookies;
    assert_eq!(anna.get(FEATURES).await.status, StatusCode::OK);
    assert_eq!(service.sign_ins().len(), 2);
}

#[actix_web::test]
async fn sign_in_waits_for_the_database_and_requests_of_sdks_do_not() {
    if is_postgres() {
        return skipped("several servers can use one PostgreSQL database");
    }
    let (provider, service) = (Provider::start().await, FlagService::start().await);
    let installation = Installation::new();
    let data = installation.data();
    // Another server uses the database.
    let other = installation.start(&[]).await;
    let app = start(&provider, &service, "demo", &["--data", &data]).await;
    let sdk = [HOST, ("authorization", "client-token")];
    assert_eq!(app.send(Method::GET, "/flags/api/client/features", &sdk, "").await.status, StatusCode::OK);
    let refused = Browser::new(&app).sign_in(&provider).await;
    assert_eq!(
        (refused.status, code(&refused)),
        (StatusCode::SERVICE_UNAVAILABLE, "storage_not_open"),
        "{}",
        refused.body
    );
    let mut known = Browser::new(&app);
    known.cookies.insert("__Secure-flagdeck-session".to_owned(), "0".repeat(64));
    let refused = known.get(USER).await;
    assert_eq!((refused.status, code(&refused)), (StatusCode::SERVICE_UNAVAILABLE, "storage_not_open"));
    other.stop().await;
    let is_open = async || (known.get(USER).await.status == StatusCode::UNAUTHORIZED).then_some(());
    until(is_open).await;
    let mut anna = person(&app, &provider, "anna", &["staff"]).await;
    assert_eq!(anna.get(FEATURES).await.status, StatusCode::OK);
}

#[actix_web::test]
async fn person_without_verified_email_cannot_use_the_demo_sign_in() {
    let (provider, service) = (Provider::start().await, FlagService::start().await);
    let installation = Installation::new();
    installation.add("named", &["--email", "named@example.com"]);
    installation.add("nameless", &[]);
    let app = start(&provider, &service, "demo", &["--data", &installation.data()]).await;
    for claims in [json!({ "email": "-" }), json!({ "email_verified": false }), json!({ "email": "admin" })] {
        provider.change(|state| state.claims = claims);
        let refused = Browser::new(&app).sign_in(&provider).await;
        assert_eq!((refused.status, code(&refused)), (StatusCode::FORBIDDEN, "oidc_email"));
    }
    // The emergency entrance: administrators assign the email addresses of users with a password.
    for (name, status, expected) in [("named", 200, ""), ("nameless", 403, "upstream_email")] {
        let mut browser = Browser::new(&app);
        let credentials = json!({ "username": name, "password": PASSWORD });
        let signed_in = browser.send(Method::POST, "/flags/auth/simple/login", &credentials).await;
        assert_eq!(signed_in.status, StatusCode::OK, "{}", signed_in.body);
        let response = browser.get(FEATURES).await;
        assert_eq!((response.status.as_u16(), code(&response)), (status, expected), "{}", response.body);
    }
    assert_eq!(service.sign_ins(), [r#"{"email":"named@example.com"}"#]);
}

#[actix_web::test]
async fn check_warns_of_direct_access_and_verifies_the_sign_in() {
    let (provider, service) = (Provider::start().await, FlagService::start().await);
    let run = async |kind: &'static str, sign_in: &str| {
        service.change(|state| state.kind = kind);
        let (secret, credential) = (secret_file(), credential_file());
        let secret = format!("@{}", secret.path().display());
        let mut command = flagdeck();
        command.args(provider_arguments(&provider.stub.url, &secret, GRANTS));
        command.args(["check", "--listen", "127.0.0.1:0", "--upstream", &service.stub.url]);
        command.args(["--data", ":memory:", "--upstream-sign-in", sign_in]);
        if sign_in == "shared" {
            command.args(["--upstream-header", &format!("Authorization=@{}", credential.path().display())]);
        }
        let output = actix_web::web::block(move || command.output().unwrap()).await.unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let (code, text) = run("demo", "demo").await;
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("directly can be anybody"), "{text}");
    assert!(
        text.contains("ok    upstream-sign-in: the upstream signs users in by their email address"),
        "{text}"
    );
    assert!(text.contains("redirect address to register"), "{text}");
    let (code, text) = run("password", "demo").await;
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("AUTH_TYPE=demo"), "{text}");
    let (code, text) = run("password", "shared").await;
    assert_eq!(code, Some(0), "{text}");
    assert!(
        text.contains("is not limited by oidc-grant") && text.contains("accepts the credential"),
        "{text}"
    );
}
