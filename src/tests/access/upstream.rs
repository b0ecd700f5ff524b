//! Sign-in by OpenID Connect in front of an upstream (`upstream-sign-in`). The permission of each request:
//! `backend/upstream_access/permission.rs`.

use std::collections::HashSet;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::sync::{Arc, Mutex};

use actix_web::http::{Method, StatusCode};
use futures_util::future::{join, join_all};
use jiff::fmt::rfc2822::DateTimePrinter;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use tempfile::{NamedTempFile, TempDir};
use tokio::io::AsyncWriteExt as _;
use tokio::sync::Notify;

use super::oidc::{Browser, HOST, code, provider_arguments, secret_file};
use super::{Installation, JSON, PASSWORD};
use crate::support::app::TestApp;
use crate::support::binary::flagdeck;
use crate::support::provider::{Provider, json_reply, raw_reply};
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
    /// Another reply to changes of toggles.
    switch: Option<Reply>,
    /// Another reply to requests without a session.
    challenge: Option<Reply>,
    /// Refuses all sessions.
    refuses_all: bool,
    permissions: Value,
    /// The event history, in which all changes of toggles are.
    events: Vec<Value>,
    /// Difference of its clock, in seconds.
    clock: i64,
}

/// The user of the flag service whom requests with the credential have.
const ACCOUNT: &str = "upstream@example.com";

/// Returns an event that happens now.
fn event(author: &str, toggle: &str) -> Value {
    let time = Timestamp::now().to_string();
    json!({ "type": "feature-updated", "createdBy": author, "createdAt": time, "data": { "name": toggle } })
}

impl FlagService {
    async fn start() -> Self {
        let state = Arc::new(Mutex::new(State {
            kind: "unsecure",
            sessions: HashSet::new(),
            count: 0,
            sign_in: None,
            switch: None,
            challenge: None,
            refuses_all: false,
            permissions: Value::Null,
            events: Vec::new(),
            clock: 0,
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
        if path.starts_with("/api/client") {
            return json_reply(200, &json!({ "features": [] }));
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
        if method == "POST"
            && let Some(toggle) = path.strip_prefix("/api/admin/features/")
        {
            if let Some(reply) = self.switch.clone() {
                return reply;
            }
            self.events.push(event(ACCOUNT, toggle.split('/').next().unwrap()));
        }
        match path {
            path if path.starts_with("/api/admin/events") => {
                json_reply(200, &json!({ "version": 1, "events": self.events }))
            }
            "/logout" => {
                self.sessions.remove(&cookie);
                Reply::Bytes("HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n".to_owned())
            }
            "/api/admin/user" => {
                let user = json!({ "email": ACCOUNT, "permissions": self.permissions });
                let now = Timestamp::now() + SignedDuration::from_secs(self.clock);
                let date = DateTimePrinter::new().timestamp_to_rfc9110_string(&now).unwrap();
                let length = user.to_string().len();
                Reply::Bytes(format!(
                    "HTTP/1.1 200 OK\r\nDate: {date}\r\nSet-Cookie: unleash-session=new; Path=/\r\n\
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
    let (secret, credential) = (secret_file(), credential_file());
    let secret = format!("@{}", secret.path().display());
    let credential = format!("Authorization=@{}", credential.path().display());
    let header = ["--upstream-header", &credential];
    let arguments = [
        &provider_arguments(&provider.stub.url, &secret, GRANTS)[..],
        &["--upstream", &service.stub.url, "--upstream-sign-in", sign_in],
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
async fn history_names_the_persons_of_the_journal_behind_a_shared_account() {
    const EVENTS: &str = "/flags/api/admin/events";
    let (provider, service) = (Provider::start().await, FlagService::start().await);
    let folder = TempDir::new().unwrap();
    let journal = folder.path().join("journal");
    let with_journal = ["--journal", journal.to_str().unwrap()];
    let app = start(&provider, &service, "shared", &with_journal).await;
    let mut anna = person(&app, &provider, "anna", &["staff", "editors"]).await;
    let mut bert = person(&app, &provider, "bert", &["staff", "editors"]).await;
    let switch = async |browser: &mut Browser<'_>, toggle: &str| {
        let path = format!("{FEATURES}/{toggle}/toggle/on");
        assert_eq!(browser.send(Method::POST, &path, &Value::Null).await.status, StatusCode::OK);
    };
    switch(&mut anna, "x").await;
    switch(&mut bert, "y").await;
    // Two persons change the same toggle within the tolerance of the clocks.
    switch(&mut anna, "both").await;
    switch(&mut bert, "both").await;
    // Direct use of the upstream: with another account, and with the shared credential.
    service.change(|state| {
        let mut old = event(ACCOUNT, "x");
        old["createdAt"] = json!("2020-01-01T00:00:00.000Z");
        state.events.extend([event("direct@example.com", "x"), event(ACCOUNT, "direct"), old]);
    });

    let names = async |browser: &mut Browser<'_>, path: &str| {
        let response = browser.get(path).await.json();
        let events = response["events"].as_array().unwrap().iter();
        events.map(|event| event["createdBy"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let expected =
        ["anna@example.com", "bert@example.com", ACCOUNT, ACCOUNT, "direct@example.com", ACCOUNT, ACCOUNT];
    assert_eq!(names(&mut bert, EVENTS).await, expected);
    assert_eq!(names(&mut bert, &format!("{EVENTS}/x")).await, expected);
    let cookies = cookies_of(&bert);
    let conditional = [HOST, ("cookie", cookies.as_str()), ("if-none-match", "\"x\"")];
    let response = app.send(Method::GET, EVENTS, &conditional, "").await;
    assert_eq!(response.json()["events"][0]["account"], ACCOUNT);
    assert!(
        service.requests("GET /api/admin/events").iter().all(|request| !request.contains("if-none-match"))
    );
    app.stop().await;
    assert!(lines(&journal).iter().any(|line| line["forwarded"]["author"] == "anna@example.com"));

    // The names are in the journal, and not only in memory. The clocks must agree.
    for (clock, expected) in [(0, "anna@example.com"), (10, ACCOUNT), (-10, ACCOUNT)] {
        service.change(|state| state.clock = clock);
        let app = start(&provider, &service, "shared", &with_journal).await;
        let mut carl = person(&app, &provider, "carl", &["staff"]).await;
        assert_eq!(names(&mut carl, EVENTS).await[0], expected, "{clock}");
        app.stop().await;
    }
}

#[actix_web::test]
async fn event_of_a_change_without_a_line_keeps_the_account() {
    let (provider, service) = (Provider::start().await, FlagService::start().await);
    let folder = TempDir::new().unwrap();
    let journal = folder.path().join("journal");
    let app = start(&provider, &service, "shared", &["--journal", journal.to_str().unwrap()]).await;
    let mut anna = person(&app, &provider, "anna", &["staff", "editors"]).await;
    let bert = person(&app, &provider, "bert", &["staff", "editors"]).await;
    // The upstream has made the change of Bert, and its response is late.
    let go = Arc::new(Notify::new());
    let late = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".to_owned();
    service.change(|state| {
        state.events.push(event(ACCOUNT, "x"));
        state.switch = Some(Reply::Halves(String::new(), late, Arc::clone(&go)));
    });
    let cookies = cookies_of(&bert);
    let headers = [HOST, JSON, ("cookie", cookies.as_str())];
    let path = format!("{FEATURES}/x/toggle/on");
    let pending = app.send(Method::POST, &path, &headers, "");
    let meanwhile = async {
        service.stub.wait_for(|request| request.starts_with("POST /api/admin/features/x/toggle/on ")).await;
        service.change(|state| state.switch = None);
        let author = async |anna: &mut Browser<'_>| {
            anna.get("/flags/api/admin/events").await.json()["events"][0]["createdBy"].clone()
        };
        let response = anna.send(Method::POST, &path, &Value::Null).await;
        assert_eq!(response.status, StatusCode::OK);
        // Otherwise the event would be Anna's, who has the only line.
        assert_eq!(author(&mut anna).await, ACCOUNT);
        go.notify_one();
    };
    let (response, ()) = join(pending, meanwhile).await;
    assert_eq!(response.status, StatusCode::OK);
    app.stop().await;
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
    let app = start(&provider, &service, "demo", &["--upstream-failures", "0"]).await;
    let mut anna = person(&app, &provider, "anna", &["staff"]).await;
    let session = |cookie: &str| {
        Reply::Bytes(format!("HTTP/1.1 200 OK\r\nSet-Cookie: {cookie}\r\nContent-Length: 2\r\n\r\n{{}}"))
    };
    for (challenge, sign_in, expected) in [
        (Some(Reply::End), None, "upstream_unreachable"),
        (Some(json_reply(500, &json!({}))), None, "upstream_sign_in"),
        (Some(json_reply(429, &json!({}))), None, "upstream_sign_in"),
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
