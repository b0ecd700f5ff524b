//! The header `Flagdeck-User` in front of a server where users sign in: it names the user whom the server describes, and not the
//! session, which a server can give to another user or replace.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::{ENVIRONMENTS, request_lines};
use crate::support::app::{Response, TestApp};
use crate::support::stub::{Reply, Stub, ok};

const HEADER: &str = "flagdeck-user";
const USER: &str = "/api/admin/user";
/// A change that is forwarded unchanged to every server.
const CHANGE: &str = "/api/admin/tags";
const LIST: &str = "/api/admin/features";

/// A server with sessions of users.
struct Server {
    stub: Stub,
    state: Arc<Mutex<State>>,
}

struct State {
    /// The response about the user of each cookie; others must sign in.
    users: BTreeMap<String, Value>,
    /// Other replies, by the start of the request.
    replies: Vec<(&'static str, Reply)>,
    has_environments: bool,
}

impl State {
    fn reply(&mut self, request: &str) -> Reply {
        if let Some((_, reply)) = self.replies.iter().find(|(start, _)| request.starts_with(start)) {
            return reply.clone();
        }
        let target = request.split(' ').nth(1).unwrap_or_default();
        let cookie = request
            .lines()
            .find_map(|line| line.to_ascii_lowercase().strip_prefix("cookie: ").map(str::to_owned));
        if target.starts_with("/auth/") {
            return ok("", "{}");
        }
        let Some(user) = self.users.get(&cookie.unwrap_or_default()) else {
            return status("401 Unauthorized", r#"{"type":"password","path":"/auth/simple/login"}"#);
        };
        let forged = "Content-Type: application/json\r\nFlagdeck-User: forged\r\n";
        let newer =
            |body: &str| if self.has_environments { ok(forged, body) } else { status("404 Not Found", "{}") };
        match target.split('?').next().unwrap_or_default() {
            USER => ok(forged, &user.to_string()),
            "/api/admin/environments" => newer(ENVIRONMENTS),
            "/api/admin/projects" => newer(r#"{"projects":[{"id":"default"}]}"#),
            "/api/admin/projects/default/overview" => newer(r#"{"environments":["production"]}"#),
            "/api/admin/ui-config" => ok(forged, r#"{"version":"8.2.0"}"#),
            "/api/admin/shared" => ok(&format!("{forged}Cache-Control: public, max-age=60\r\n"), "{}"),
            "/api/admin/tagged" => ok(&format!("{forged}ETag: \"1\"\r\n"), "{}"),
            "/api/client/metrics" => ok(forged, "{}"),
            _ => ok(forged, r#"{"features":[],"version":1}"#),
        }
    }
}

fn status(status: &str, body: &str) -> Reply {
    Reply::Bytes(format!(
        "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    ))
}

impl Server {
    async fn start(has_environments: bool) -> Self {
        let users = [
            (
                "s=ann",
                json!({ "user": { "id": 1, "email": "ann@example.com", "name": "A" }, "permissions": [{ "permission": "ADMIN" }] }),
            ),
            (
                "s=bob",
                json!({ "user": { "id": 2, "email": "bob@example.com", "name": "A" }, "permissions": [{ "permission": "ADMIN" }] }),
            ),
        ];
        let users = users.map(|(cookie, user)| (cookie.to_owned(), user)).into();
        let state = Arc::new(Mutex::new(State { users, replies: Vec::new(), has_environments }));
        let served = Arc::clone(&state);
        let compute = move |request: &str| served.lock().unwrap().reply(request);
        Self { stub: Stub::start(Reply::Computed(Arc::new(compute))).await, state }
    }

    async fn app(&self) -> TestApp {
        TestApp::with(&["--upstream", &self.stub.url, "--upstream-environment", "production"]).await
    }

    /// Gives a cookie to the user of another one.
    fn give(&self, cookie: &str, other: &str) {
        let mut state = self.state.lock().unwrap();
        let user = state.users[other].clone();
        state.users.insert(cookie.to_owned(), user);
    }

    fn answer(&self, start: &'static str, reply: Reply) {
        self.state.lock().unwrap().replies.push((start, reply));
    }

    /// Returns the number of received changes.
    fn changes(&self) -> usize {
        request_lines(&self.stub).iter().filter(|line| line.starts_with("POST /api/admin/")).count()
    }
}

async fn send(app: &TestApp, method: Method, path: &str, cookie: &str, user: &str) -> Response {
    let headers = [("content-type", "application/json"), ("cookie", cookie), (HEADER, user)];
    let number = if user.is_empty() { 2 } else { 3 };
    app.send(method, path, &headers[..number], "").await
}

async fn read(app: &TestApp, path: &str, cookie: &str) -> Response {
    send(app, Method::GET, path, cookie, "").await
}

/// Returns the value that the response to a read of the user has.
async fn value_of(app: &TestApp, cookie: &str) -> String {
    let response = read(app, USER, cookie).await;
    assert_eq!(response.status, StatusCode::OK, "{}", response.body);
    assert!(response.json()["user"]["email"].is_string(), "{}", response.body);
    response.header(HEADER).to_owned()
}

fn assert_refused(response: &Response, context: &str) {
    let code = response.header("x-flagdeck-error");
    assert_eq!(
        (response.status, code),
        (StatusCode::CONFLICT, "user_changed"),
        "{context}: {}",
        response.body
    );
}

#[actix_web::test]
async fn change_of_the_user_before_is_not_forwarded_with_the_session_of_the_next() {
    for has_environments in [false, true] {
        let server = Server::start(has_environments).await;
        let app = server.app().await;
        let (ann, bob) = (value_of(&app, "s=ann").await, value_of(&app, "s=bob").await);
        assert!(!ann.is_empty() && ann != "forged" && ann != bob, "{ann} {bob}");
        assert!(!format!("{:?}", read(&app, LIST, "s=bob").await.headers).contains("forged"));
        assert_eq!(read(&app, "/api/admin/ui-config", "s=bob").await.header(HEADER), bob);

        for (method, path) in [
            (Method::POST, CHANGE),
            (Method::POST, "/api/admin/features/open/toggle/on"),
            (Method::POST, LIST),
            (Method::PUT, "/api/admin/features/open"),
            (Method::DELETE, "/api/admin/features/open"),
            (Method::POST, "/-/holds"),
        ] {
            assert_refused(
                &send(&app, method.clone(), path, "s=bob", &ann).await,
                &format!("{method} {path}"),
            );
        }
        assert_eq!(server.changes(), 0);
        let sent = send(&app, Method::POST, CHANGE, "s=bob", &bob).await;
        assert_ne!(sent.status, StatusCode::CONFLICT, "{}", sent.body);
        send(&app, Method::POST, CHANGE, "s=bob", "").await;
        assert_eq!(server.changes(), 2);
        // The browser may start and end its session for anybody, and SDKs have tokens.
        for path in ["/auth/simple/login", "/api/client/metrics", "/-/logout"] {
            let response = send(&app, Method::POST, path, "s=bob", &ann).await;
            assert_ne!(response.header("x-flagdeck-error"), "user_changed", "{path}");
            assert_eq!(response.header(HEADER), "", "{path}");
        }
        let forwarded = server.stub.requests().concat().to_ascii_lowercase();
        assert!(!forwarded.contains(HEADER), "{forwarded}");
    }
}

#[actix_web::test]
async fn replaced_cookie_of_the_same_user_refuses_nothing() {
    for has_environments in [false, true] {
        let server = Server::start(has_environments).await;
        let app = server.app().await;
        let ann = value_of(&app, "s=ann").await;
        server.give("s=new; lb=7", "s=ann");
        let sent = send(&app, Method::POST, CHANGE, "s=new; lb=7", &ann).await;
        assert_ne!(sent.status, StatusCode::CONFLICT, "{}", sent.body);
        assert_eq!(server.changes(), 1);
        assert_eq!(value_of(&app, "s=new; lb=7").await, ann);
        // After a restart, and on another instance, which has read nothing before.
        let other = server.app().await;
        let sent = send(&other, Method::POST, CHANGE, "s=ann", &ann).await;
        assert_ne!(sent.status, StatusCode::CONFLICT, "{}", sent.body);
        assert_refused(&send(&other, Method::POST, CHANGE, "s=bob", &ann).await, "the other instance");
        assert_eq!(server.changes(), 2);
    }
}

/// Servers keep the session when another user signs in with it. Another instance, or a redirect of an identity provider, can have
/// ended that sign-in.
#[actix_web::test]
async fn same_cookie_of_another_user_refuses_the_change() {
    for has_environments in [false, true] {
        let server = Server::start(has_environments).await;
        let app = server.app().await;
        let ann = value_of(&app, "s=ann").await;
        server.give("s=ann", "s=bob");
        assert_refused(&send(&app, Method::POST, CHANGE, "s=ann", &ann).await, "");
        assert_eq!(server.changes(), 0);
        assert_eq!(value_of(&app, "s=ann").await, value_of(&app, "s=bob").await);
    }
}

#[actix_web::test]
async fn server_that_does_not_accept_the_session_describes_how_to_sign_in() {
    for has_environments in [false, true] {
        let server = Server::start(has_environments).await;
        let app = server.app().await;
        let ann = value_of(&app, "s=ann").await;
        for cookie in ["s=ended", "other=1"] {
            let refused = send(&app, Method::POST, CHANGE, cookie, &ann).await;
            assert_eq!((refused.status, refused.header(HEADER)), (StatusCode::UNAUTHORIZED, ""));
            assert_eq!(refused.json()["path"], "/auth/simple/login");
        }
        assert_eq!(server.changes(), 0);
    }
}

#[actix_web::test]
async fn change_is_not_forwarded_while_the_user_is_not_known() {
    let server = Server::start(false).await;
    let app = server.app().await;
    let ann = value_of(&app, "s=ann").await;
    server.answer("GET /api/admin/user ", status("429 Too Many Requests", "{}"));
    let refused = send(&app, Method::POST, CHANGE, "s=bob", &ann).await;
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS, "{}", refused.body);
    assert_eq!(server.changes(), 0);
}

#[actix_web::test]
async fn server_without_users_accepts_changes() {
    let server = Server::start(false).await;
    server.answer("GET /api/admin/user ", status("404 Not Found", "{}"));
    server.answer("GET /api/admin/strategies ", status("200 OK", r#"{"strategies":[]}"#));
    let app = server.app().await;
    assert_eq!(read(&app, USER, "s=ann").await.header(HEADER), "");
    assert_eq!(send(&app, Method::POST, CHANGE, "s=ann", "old").await.status, StatusCode::OK);
}

#[actix_web::test]
async fn stored_responses_do_not_name_another_user() {
    let server = Server::start(false).await;
    let app = server.app().await;
    let ann = value_of(&app, "s=ann").await;
    // Proxies in front may store it.
    let shared = read(&app, "/api/admin/shared", "s=ann").await;
    assert_eq!((shared.status, shared.header(HEADER)), (StatusCode::OK, ""));
    server.answer(
        "GET /api/admin/tagged ",
        Reply::Bytes("HTTP/1.1 304 Not Modified\r\nETag: \"1\"\r\nFlagdeck-User: forged\r\n\r\n".to_owned()),
    );
    let headers = [("cookie", "s=ann"), ("if-none-match", "\"1\"")];
    let unchanged = app.send(Method::GET, "/api/admin/tagged", &headers, "").await;
    assert_eq!((unchanged.status, unchanged.header(HEADER)), (StatusCode::NOT_MODIFIED, ann.as_str()));
    // The user itself is always read whole: the value belongs to the body.
    let headers = [("cookie", "s=ann"), ("if-none-match", "\"1\""), ("accept-encoding", "gzip")];
    let user = app.send(Method::GET, USER, &headers, "").await;
    assert_eq!((user.status, user.header(HEADER)), (StatusCode::OK, ann.as_str()));
    let sent = server.stub.requests().pop().unwrap().to_ascii_lowercase();
    assert!(
        sent.starts_with("get /api/admin/user ") && !sent.contains("if-none-match") && !sent.contains("gzip"),
        "{sent}"
    );
}
