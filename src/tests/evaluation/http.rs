//! `POST /-/evaluate`.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::sync::Notify;

use crate::support::app::{Response, TestApp};
use crate::support::stub::{Reply, Stub, ok};

const PATH: &str = "/-/evaluate";
const JSON: (&str, &str) = ("content-type", "application/json");

fn listed(users: &str) -> Value {
    let strategy = json!({ "name": "userWithId", "parameters": { "userIds": users } });
    json!({ "name": "shop.pay", "enabled": true, "strategies": [strategy] })
}

/// Starts an upstream that requires no sign-in. Old servers then have no user.
async fn open_upstream() -> Stub {
    let strategies = ok("Content-Type: application/json\r\n", r#"{"version":1,"strategies":[]}"#);
    Stub::start(Reply::ByStart(vec![("GET /api/admin/strategies ", strategies)])).await
}

async fn evaluate(app: &TestApp, body: &Value) -> Value {
    let response = app.post(PATH, body).await;
    assert_eq!(response.status, StatusCode::OK, "{}", response.body);
    response.json()
}

#[actix_web::test]
async fn reasons_describe_every_strategy_and_constraint() {
    let stub = open_upstream().await;
    let app = TestApp::with(&["--upstream", &stub.url, "--read-only"]).await;
    let rollout = json!({
        "name": "flexibleRollout", "parameters": { "rollout": "25", "groupId": "checkout", "stickiness": "userId" },
        "constraints": [
            { "contextName": "plan", "operator": "IN", "values": ["gold"] },
            { "contextName": "age", "operator": "NUM_GTE", "value": "old", "inverted": true },
        ],
        "segments": [7, 8],
    });
    let segment = json!({ "id": 7, "name": "EU", "constraints": [
        { "contextName": "country", "operator": "NOT_IN", "values": ["US"] },
    ] });
    let toggle = json!({ "name": "a", "enabled": true, "strategies": [rollout, { "name": "default", "disabled": true }] });
    let context = json!({ "userId": "4711", "properties": { "plan": "free" } });
    let body =
        json!({ "toggles": [toggle], "segments": [segment], "contexts": [context], "detail": "reasons" });
    let result = &evaluate(&app, &body).await["toggles"][0]["saved"]["contexts"][0];
    assert_eq!(result["result"], "off");
    let reasons = &result["reasons"];
    assert_eq!(reasons["decision"], "noStrategyMatches");
    let first = &reasons["strategies"][0];
    assert_eq!(
        first["rule"],
        json!({ "code": "bucket", "field": "userId", "value": "4711", "group": "checkout", "bucket": 43, "percentage": 25.0 })
    );
    assert_eq!(
        first["constraints"],
        json!([
            { "field": "plan", "value": "free", "matches": false },
            { "field": "age", "matches": true, "problem": "invalidNumber", "differing": ["python"] },
        ])
    );
    assert_eq!(
        first["segments"],
        json!([
            { "id": "7", "name": "EU", "missing": false, "matches": true,
              "constraints": [{ "field": "country", "matches": true }] },
            { "id": "8", "missing": true, "matches": false, "constraints": [] },
        ])
    );
    assert_eq!(reasons["strategies"][1]["disabled"], true);
}

/// Responds to requests with the session `s=1`, and tells others how to sign in.
fn sign_in_required(request: &str) -> Reply {
    let request = request.to_ascii_lowercase();
    if !request.starts_with("get /api/admin/user ") {
        return Reply::Bytes("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".to_owned());
    }
    if request.contains("cookie: s=1") {
        return ok("Content-Type: application/json\r\n", r#"{"email":"a@b.example"}"#);
    }
    let body = r#"{"type":"password","path":"/auth/simple/login"}"#;
    let length = body.len();
    let head = "HTTP/1.1 401 Unauthorized\r\nContent-Type: application/json\r\nContent-Length: ";
    Reply::Bytes(format!("{head}{length}\r\n\r\n{body}"))
}

#[actix_web::test]
async fn evaluations_need_a_session_of_the_upstream() {
    let is_down = Arc::new(AtomicBool::new(false));
    let down = Arc::clone(&is_down);
    let reply = move |request: &str| match request {
        _ if down.load(Ordering::Relaxed) => Reply::End,
        // A sign-in in front of the upstream shows its page, or redirects to it.
        _ if request.contains("s=page") => {
            ok("Content-Type: text/html; charset=utf-8\r\n", "<!doctype html>")
        }
        _ if request.contains("s=redirect") => {
            Reply::Bytes("HTTP/1.1 302 Found\r\nLocation: /sign-in\r\nContent-Length: 0\r\n\r\n".to_owned())
        }
        _ => sign_in_required(request),
    };
    let stub = Stub::start(Reply::Computed(Arc::new(reply))).await;
    let app = TestApp::beside(&stub.url).await;
    let body = json!({ "toggles": [listed("7")], "contexts": [{}] }).to_string();
    let send = async |cookie: &str| app.send(Method::POST, PATH, &[JSON, ("cookie", cookie)], &body).await;
    let anonymous = send("s=0").await;
    assert_eq!(anonymous.status, StatusCode::UNAUTHORIZED);
    assert_eq!(anonymous.json()["path"], "/auth/simple/login");
    for _ in 0..2 {
        assert_eq!(send("s=1").await.status, StatusCode::OK);
    }
    assert_eq!(stub.requests().len(), 2, "an accepted session is remembered: {:?}", stub.requests());
    let read = app.send(Method::GET, "/api/admin/user", &[("cookie", "s=10")], "").await;
    assert_eq!(read.status, StatusCode::OK, "{}", read.body);
    for cookie in ["s=page", "s=redirect"] {
        let refused = send(cookie).await;
        assert_eq!(refused.status, StatusCode::FORBIDDEN, "{cookie}");
        assert_eq!(refused.json()["code"], "session_not_accepted");
        app.send(Method::GET, "/api/admin/user", &[("cookie", cookie)], "").await;
        assert_eq!(send(cookie).await.status, StatusCode::FORBIDDEN, "{cookie}");
    }
    is_down.store(true, Ordering::Relaxed);
    assert_eq!(send("s=1").await.status, StatusCode::OK);
    assert_eq!(send("s=10").await.status, StatusCode::OK, "the console has read the user");
    assert_eq!(send("s=2").await.status, StatusCode::BAD_GATEWAY);
}

/// Returns whether a request still waits: the response to another request did not need its end.
fn has_no_response(mut stream: TcpStream) -> bool {
    stream.set_nonblocking(true).unwrap();
    stream.read(&mut [0]).is_err_and(|error| error.kind() == ErrorKind::WouldBlock)
}

/// Starts an upstream with the sessions `s=1` and `s=2` of two users.
async fn start_with_users() -> Stub {
    Stub::start(Reply::Computed(Arc::new(|request: &str| {
        let user = if request.contains("s=2") { "b" } else { "a" };
        ok(
            "Content-Type: application/json\r\nSet-Cookie: s=renewed; Path=/\r\n",
            &format!(r#"{{"email":"{user}@b.example"}}"#),
        )
    })))
    .await
}

#[actix_web::test]
async fn stalled_bodies_do_not_delay_other_users_at_the_same_address() {
    let stub = start_with_users().await;
    let app = TestApp::beside(&stub.url).await;
    let mut stalled = TcpStream::connect(("127.0.0.1", app.port)).unwrap();
    let head = format!(
        "POST {PATH} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: s=1\r\nContent-Type: application/json\r\n\
         Content-Length: 100\r\n\r\n{{"
    );
    stalled.write_all(head.as_bytes()).unwrap();
    stub.wait_for(|request| request.to_ascii_lowercase().contains("cookie: s=1")).await;
    let body = json!({ "toggles": [listed("7")], "contexts": [{}] }).to_string();
    let other = app.send(Method::POST, PATH, &[JSON, ("cookie", "s=2")], &body).await;
    assert_eq!(other.status, StatusCode::OK, "{}", other.body);
    assert!(other.header("set-cookie").contains("s=renewed"), "the renewed session is passed on");
    assert!(has_no_response(stalled));
}

/// Every header with an unknown name could identify a user. On a busy machine, the missing body can end the turn first, after 10
/// seconds: then the next attempt decides.
#[actix_web::test]
async fn user_has_one_evaluation_whatever_the_headers_are() {
    for _ in 0..3 {
        if evaluation_waits_for_the_turn_of_its_user().await {
            return;
        }
    }
    panic!("not limited");
}

/// Sends two evaluations of one user, the first one without its body, and one of another user. Returns false if the second one
/// was evaluated before the body of the first one was sent.
async fn evaluation_waits_for_the_turn_of_its_user() -> bool {
    let stub = start_with_users().await;
    let app = TestApp::beside(&stub.url).await;
    let body = json!({ "toggles": [listed("7")], "contexts": [{}] }).to_string();
    let mut stalled = app.connect().await;
    let head = format!(
        "POST {PATH} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: s=1\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\nConnection: close\r\nExpect: 100-continue\r\n\r\n",
        body.len()
    );
    stalled.write_all(head.as_bytes()).await.unwrap();
    // The app asks for the body: the user has the turn.
    let mut interim = [0; 25];
    stalled.read_exact(&mut interim).await.unwrap();
    assert_eq!(&interim, b"HTTP/1.1 100 Continue\r\n\r\n");
    let headers = [JSON, ("cookie", "s=1"), ("x-unknown", "other")];
    let mut other = Box::pin(app.send(Method::POST, PATH, &headers, &body));
    let is_other = |request: &str| request.to_ascii_lowercase().contains("x-unknown: other");
    tokio::select! {
        _ = &mut other => return false,
        () = stub.wait_for(is_other) => {}
    }
    // Another user, who comes later, does not wait.
    let headers = [JSON, ("cookie", "s=2")];
    tokio::select! {
        _ = &mut other => return false,
        response = app.send(Method::POST, PATH, &headers, &body) => assert_eq!(response.status, StatusCode::OK),
    }
    stalled.write_all(body.as_bytes()).await.unwrap();
    let mut response = String::new();
    stalled.read_to_string(&mut response).await.unwrap();
    assert!(response.starts_with("HTTP/1.1 200 OK"), "{response}");
    assert_eq!(other.await.status, StatusCode::OK);
    true
}

const SIGN_OUTS: [&str; 2] = ["/-/logout", "/auth/logout"];

/// An upstream with the session `s=1`, and the app in front of it.
struct SlowSignOut {
    stub: Stub,
    app: TestApp,
    /// Makes the upstream respond to the sign-out.
    go: Arc<Notify>,
    is_down: Arc<AtomicBool>,
}

impl SlowSignOut {
    async fn start() -> Self {
        let (go, is_down) = (Arc::new(Notify::new()), Arc::new(AtomicBool::new(false)));
        let (wait, down) = (Arc::clone(&go), Arc::clone(&is_down));
        let reply = move |request: &str| match request {
            _ if down.load(Ordering::Relaxed) => Reply::End,
            _ if request.starts_with("POST ") => {
                let redirect = "HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n";
                Reply::Halves(String::new(), redirect.to_owned(), Arc::clone(&wait))
            }
            _ => sign_in_required(request),
        };
        let stub = Stub::start(Reply::Computed(Arc::new(reply))).await;
        Self { app: TestApp::beside(&stub.url).await, stub, go, is_down }
    }

    /// Sends a sign-out, and returns its connection once the upstream has received it.
    async fn sign_out(&self, path: &str) -> tokio::net::TcpStream {
        let mut connection = self.app.connect().await;
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: s=1\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{{}}"
        );
        connection.write_all(head.as_bytes()).await.unwrap();
        self.stub.wait_for(|request| request.starts_with("POST ")).await;
        connection
    }

    async fn evaluate(&self) -> StatusCode {
        let body = json!({ "toggles": [listed("7")], "contexts": [{}] }).to_string();
        self.app.send(Method::POST, PATH, &[JSON, ("cookie", "s=1")], &body).await.status
    }
}

#[actix_web::test]
async fn session_ends_also_if_the_client_of_the_sign_out_disconnects() {
    for path in SIGN_OUTS {
        let upstream = SlowSignOut::start().await;
        assert_eq!(upstream.evaluate().await, StatusCode::OK);
        drop(upstream.sign_out(path).await);
        upstream.is_down.store(true, Ordering::Relaxed);
        assert_eq!(upstream.evaluate().await, StatusCode::BAD_GATEWAY, "{path}");
    }
}

#[actix_web::test]
async fn session_that_is_verified_during_the_sign_out_ends_with_it() {
    for path in SIGN_OUTS {
        let upstream = SlowSignOut::start().await;
        let mut connection = upstream.sign_out(path).await;
        assert_eq!(upstream.evaluate().await, StatusCode::OK);
        upstream.go.notify_one();
        connection.read_to_end(&mut Vec::new()).await.unwrap();
        upstream.is_down.store(true, Ordering::Relaxed);
        assert_eq!(upstream.evaluate().await, StatusCode::BAD_GATEWAY, "{path}");
    }
}

#[actix_web::test]
async fn signed_out_session_is_not_accepted_in_an_outage() {
    for sign_out in SIGN_OUTS {
        let is_down = Arc::new(AtomicBool::new(false));
        let down = Arc::clone(&is_down);
        let reply = move |request: &str| match request {
            _ if down.load(Ordering::Relaxed) => Reply::End,
            _ if request.starts_with("POST /logout ") => {
                Reply::Bytes("HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n".to_owned())
            }
            _ => sign_in_required(request),
        };
        let stub = Stub::start(Reply::Computed(Arc::new(reply))).await;
        let app = TestApp::beside(&stub.url).await;
        let body = json!({ "toggles": [listed("7")], "contexts": [{}] }).to_string();
        let send = async |path: &str| app.send(Method::POST, path, &[JSON, ("cookie", "s=1")], &body).await;
        assert_eq!(send(PATH).await.status, StatusCode::OK);
        send(sign_out).await;
        is_down.store(true, Ordering::Relaxed);
        assert_eq!(send(PATH).await.status, StatusCode::BAD_GATEWAY, "{sign_out}");
    }
}

#[actix_web::test]
async fn stalled_bodies_do_not_delay_other_clients() {
    let stub = open_upstream().await;
    let app = TestApp::with(&["--upstream", &stub.url, "--trusted-proxy", "127.0.0.0/8"]).await;
    let stalled: Vec<_> = (0..20)
        .map(|client| {
            let mut stream = TcpStream::connect(("127.0.0.1", app.port)).unwrap();
            let head = format!(
                "POST {PATH} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-For: 192.0.2.{client}\r\nCookie: s={client}\r\n\
                 Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{{"
            );
            stream.write_all(head.as_bytes()).unwrap();
            stream
        })
        .collect();
    let stalled_count = stalled.len();
    let waiting = || stub.requests().iter().filter(|head| head.contains("192.0.2.")).count();
    stub.wait_for(|_| waiting() >= stalled_count).await;
    let body = json!({ "toggles": [listed("7")], "contexts": [{}] }).to_string();
    let response = app.send(Method::POST, PATH, &[JSON, ("x-forwarded-for", "198.51.100.7")], &body).await;
    assert_eq!(response.status, StatusCode::OK, "{}", response.body);
    assert!(stalled.into_iter().all(has_no_response));
}

#[actix_web::test]
async fn repeated_segments_of_a_strategy_count_once() {
    let app = TestApp::embedded().await;
    let constraint = json!({ "contextName": "plan", "operator": "IN", "values": ["gold"] });
    let segment = json!({ "id": 1, "constraints": vec![constraint; 5_000] });
    let strategy = json!({ "name": "default", "segments": vec![1; 30_000] });
    let toggle = json!({ "name": "a", "enabled": true, "strategies": [strategy] });
    let body = json!({
        "toggles": [toggle], "segments": [segment], "contexts": [{ "plan": "gold" }], "detail": "reasons",
    });
    let response = evaluate(&app, &body).await;
    let result = &response["toggles"][0]["saved"]["contexts"][0];
    assert_eq!(result["result"], "on");
    assert_eq!(result["reasons"]["strategies"][0]["segments"].as_array().unwrap().len(), 1);
}

/// The evaluation takes 27 million comparisons if each strategy evaluates its segments itself.
#[actix_web::test]
async fn strategies_share_the_results_of_segments() {
    let app = TestApp::embedded().await;
    let constraint = json!({ "contextName": "plan", "operator": "NOT_IN", "values": ["gold"] });
    let segments: Vec<_> =
        (0..300).map(|id| json!({ "id": id, "constraints": vec![constraint.clone(); 100] })).collect();
    let strategy = json!({
        "name": "userWithId", "parameters": { "userIds": "7" }, "segments": (0..300).collect::<Vec<_>>(),
    });
    let toggle = json!({ "name": "a", "enabled": true, "strategies": vec![strategy; 300] });
    let response =
        evaluate(&app, &json!({ "toggles": [toggle], "segments": segments, "contexts": [{}] })).await;
    assert_eq!(response["toggles"][0]["saved"]["contexts"][0]["result"], "off");
}

#[actix_web::test]
async fn comparison_lists_the_contexts_that_change() {
    let app = TestApp::embedded().await;
    let contexts: Vec<_> = (0..1_000).map(|user| json!({ "userId": user.to_string() })).collect();
    let body = json!({
        "toggles": [listed("1,2,3"), { "name": "other" }], "compare": [listed("3,4,5,999")],
        "names": ["shop.pay"], "contexts": contexts, "detail": "counts",
    });
    let response = evaluate(&app, &body).await;
    assert_eq!(response["toggles"].as_array().unwrap().len(), 1);
    let toggle = &response["toggles"][0];
    assert_eq!(toggle["saved"]["counts"], json!({ "off": 997, "on": 3, "application": 0, "random": 0 }));
    assert_eq!(toggle["edited"]["counts"]["on"], 4);
    assert_eq!(
        toggle["change"],
        json!({ "turnedOn": [4, 5, 999], "turnedOff": [1, 2], "lessCertain": [], "otherVariant": [] })
    );
    assert_eq!(toggle["saved"]["contexts"], Value::Null);
}

#[actix_web::test]
async fn all_toggles_are_evaluated_for_one_context() {
    let app = TestApp::embedded().await;
    let variants = json!([{ "name": "blue", "weight": 1 }]);
    let toggles: Vec<_> = (0..2_000)
        .map(|index| json!({ "name": format!("t-{index}"), "enabled": index % 2 == 0, "variants": variants }))
        .collect();
    let response = evaluate(&app, &json!({ "toggles": toggles, "contexts": [{}] })).await;
    let results = response["toggles"].as_array().unwrap();
    assert_eq!(results.len(), 2_000);
    assert_eq!(results[2]["name"], "t-2");
    assert_eq!(results[2]["saved"]["contexts"], json!([{ "result": "on", "variant": "blue" }]));
    assert_eq!(results[3]["saved"]["contexts"], json!([{ "result": "off" }]));
}

#[actix_web::test]
async fn embedded_service_evaluates_its_own_toggles_for_signed_in_users() {
    let app = TestApp::embedded().await;
    assert_eq!(app.post("/api/admin/features", &listed("7")).await.status, StatusCode::CREATED);
    let body =
        json!({ "names": ["shop.pay", "none"], "contexts": [{ "userId": 7 }, {}], "detail": "reasons" });
    let response = evaluate(&app, &body).await;
    assert_eq!(response["toggles"][0]["saved"]["counts"]["on"], 1);
    let unknown = &response["toggles"][1]["saved"]["contexts"][0];
    assert_eq!(
        (&unknown["result"], &unknown["reasons"]["decision"]),
        (&json!("off"), &json!("unknownToggle"))
    );
    let app = TestApp::with(&["--data", ":memory:", "--auth", "unsecure"]).await;
    assert_eq!(app.post(PATH, &body).await.status, StatusCode::UNAUTHORIZED);
}

async fn refusal(app: &TestApp, body: &str) -> (StatusCode, String, String) {
    let response: Response = app.send(Method::POST, PATH, &[JSON], body).await;
    let json = response.json();
    (response.status, json["code"].as_str().unwrap().to_owned(), json["message"].as_str().unwrap().to_owned())
}

#[actix_web::test]
async fn requests_above_a_limit_are_refused_with_cause_and_remedy() {
    let app = TestApp::embedded().await;
    let toggle =
        |count: usize| (0..count).map(|index| json!({ "name": format!("t{index}") })).collect::<Vec<_>>();
    let contexts = |count: usize| vec![json!({}); count];
    let pattern = json!({ "contextName": "userId", "operator": "REGEX", "value": "(a|b)*c" });
    let patterns = |count: usize| {
        let strategy = json!({ "name": "default", "constraints": vec![pattern.clone(); count] });
        json!([{ "name": "a", "enabled": true, "strategies": [strategy] }])
    };
    for (body, cause) in [
        (json!({ "toggles": [], "contexts": contexts(10_001) }), "10001 contexts; the maximum is 10000"),
        (json!({ "toggles": toggle(5_001), "contexts": contexts(1) }), "5001 toggles; the maximum is 5000"),
        (json!({ "toggles": toggle(21), "contexts": contexts(10_000) }), "210000 evaluations"),
        (
            json!({ "toggles": toggle(6), "contexts": contexts(1_000), "detail": "reasons" }),
            "evaluations with reasons",
        ),
        (json!({ "toggles": patterns(1_001), "contexts": contexts(1) }), "1001 regular expressions"),
        (
            json!({ "toggles": patterns(100), "contexts": contexts(300), "detail": "reasons" }),
            "reasons; the maximum",
        ),
        (
            json!({ "toggles": [], "contexts": [{ "userId": "x".repeat(1_001) }] }),
            "1001 bytes in a context value",
        ),
        (
            json!({ "toggles": [{ "name": "a", "variants": [{ "name": "x".repeat(1_001) }] }], "contexts": [{}] }),
            "1001 bytes in a name",
        ),
    ] {
        let (status, code, message) = refusal(&app, &body.to_string()).await;
        assert_eq!((status, code.as_str()), (StatusCode::PAYLOAD_TOO_LARGE, "too_much_work"), "{message}");
        assert!(message.contains(cause) && message.contains(": "), "{message}");
    }
    let (status, code, _) = refusal(&app, &" ".repeat((8 << 20) + 1)).await;
    assert_eq!((status, code.as_str()), (StatusCode::PAYLOAD_TOO_LARGE, "body_too_large"));
}

#[actix_web::test]
async fn invalid_requests_are_refused_with_cause_and_remedy() {
    let stub = open_upstream().await;
    let app = TestApp::beside(&stub.url).await;
    for (body, code, cause) in [
        (r#"{ "toggles": [[""]], "contexts": [{}] }"#, "bad_body", "expected an object"),
        ("{", "bad_body", "not a valid evaluation"),
        (r#"{ "toggles": [{}], "contexts": [{}] }"#, "bad_body", "missing field `name`"),
        (r#"{ "toggles": [], "contexts": [] }"#, "bad_body", "contexts is empty; send at least one"),
        (r#"{ "contexts": [{}] }"#, "bad_body", "toggles is missing; send the toggles"),
    ] {
        let (status, found, message) = refusal(&app, body).await;
        assert_eq!((status, found.as_str()), (StatusCode::BAD_REQUEST, code), "{message}");
        assert!(message.contains(cause), "{message}");
    }
    let values = format!(r#"{{ "toggles": [{}1], "contexts": [] }}"#, "1,".repeat(500_000));
    assert!(refusal(&app, &values).await.2.contains("more than 500000 JSON values"));
}

/// Returns the body of a request that takes longer than its deadline.
fn endless_body() -> String {
    let pattern =
        json!({ "contextName": "userId", "operator": "REGEX", "value": "(a?){60}b", "inverted": true });
    let strategy = json!({ "name": "default", "constraints": vec![pattern; 20] });
    let contexts = vec![json!({ "userId": "a".repeat(1_000) }); 1_000];
    let toggles = json!([{ "name": "a", "enabled": true, "strategies": [strategy] }]);
    json!({ "toggles": toggles, "contexts": contexts }).to_string()
}

/// Sends a request that takes longer than its deadline as the client with this number, and returns its connection.
async fn send_endless(app: &TestApp, client: u8) -> TcpStream {
    let body = endless_body();
    let request = format!(
        "POST {PATH} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-For: 192.0.2.{client}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut stream = TcpStream::connect(("127.0.0.1", app.port)).unwrap();
    // A blocking write of the whole body needs a server that reads it meanwhile.
    let send = move || {
        stream.write_all(request.as_bytes()).unwrap();
        stream
    };
    actix_web::web::block(send).await.unwrap()
}

async fn assert_stopped_at_deadline(app: &TestApp, headers: &[(&str, &str)]) {
    let response = app.send(Method::POST, PATH, headers, &endless_body()).await;
    assert_eq!(response.status, StatusCode::PAYLOAD_TOO_LARGE, "{}", response.body);
    let error = response.json();
    assert_eq!(error["code"], "too_much_work");
    let message = error["message"].as_str().unwrap();
    assert!(message.contains("takes longer than 5 s: send fewer"), "{message}");
}

#[actix_web::test]
async fn requests_that_take_too_long_are_stopped() {
    assert_stopped_at_deadline(&TestApp::embedded().await, &[JSON]).await;
}

/// Otherwise the work of four clients would take longer than the last request waits.
#[actix_web::test]
async fn work_of_disconnected_clients_is_stopped() {
    let stub = open_upstream().await;
    for backend in [["--data", ":memory:"], ["--upstream", &stub.url]] {
        let app = TestApp::with(&[&backend[..], &["--trusted-proxy", "127.0.0.0/8"]].concat()).await;
        for client in 0..4 {
            drop(send_endless(&app, client).await);
        }
        assert_stopped_at_deadline(&app, &[JSON, ("x-forwarded-for", "198.51.100.7")]).await;
    }
}

/// The expensive evaluation is still running when the other one ends. On a busy machine, it can reach its deadline first: then
/// the next attempt decides, because an evaluation that waits for another one would be late each time.
#[actix_web::test]
async fn expensive_evaluations_do_not_delay_those_of_other_clients() {
    let stub = open_upstream().await;
    let app = TestApp::with(&["--upstream", &stub.url, "--trusted-proxy", "127.0.0.0/8"]).await;
    let body = json!({ "toggles": [listed("7")], "contexts": [{}] }).to_string();
    let headers = [JSON, ("x-forwarded-for", "198.51.100.7")];
    for client in 1..=30 {
        let expensive = send_endless(&app, client).await;
        let response = app.send(Method::POST, PATH, &headers, &body).await;
        assert_eq!(response.status, StatusCode::OK, "{}", response.body);
        if has_no_response(expensive) {
            return;
        }
    }
    panic!("each evaluation waited for the end of the expensive one");
}
