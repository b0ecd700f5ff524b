//! Users who can see different projects. No user sees data of another one, and no user waits for the requests of another
//! one.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt as _;
use tokio::sync::Notify;

use super::{ENVIRONMENTS, request_lines};
use crate::support::app::{Response, TestApp};
use crate::support::stub::{Reply, Stub, ok};

const ANN: &str = "session=ann";
const BOB: &str = "session=bob";
const COUNTS: &str = "/api/admin/metrics/feature-toggles";
const LIST: &str = "/api/admin/features";

/// Reply of a server to a request with its path and the cookie; `None` for the usual one.
type Special = dyn Fn(&str, &str) -> Option<Reply> + Send + Sync;

fn status(status: &str) -> Reply {
    Reply::Bytes(format!("HTTP/1.1 {status}\r\nContent-Length: 2\r\n\r\n{{}}"))
}

fn json_reply(body: &Value) -> Reply {
    ok("", &body.to_string())
}

/// Returns the names of the projects that a user can see.
fn projects_of(cookie: &str) -> &'static [&'static str] {
    if cookie == ANN { &["open", "secret"] } else { &["open"] }
}

/// Starts the app in front of a server whose project `secret` only Ann can see. The toggle of each project has the name
/// of the project.
async fn start(special: impl Fn(&str, &str) -> Option<Reply> + Send + Sync + 'static) -> (Stub, TestApp) {
    start_with(special, &[]).await
}

async fn start_with(
    special: impl Fn(&str, &str) -> Option<Reply> + Send + Sync + 'static,
    more: &[&str],
) -> (Stub, TestApp) {
    let special: Box<Special> = Box::new(special);
    let compute = move |request: &str| {
        let path = request.split(' ').nth(1).unwrap_or_default();
        let field = |line: &str| line.to_ascii_lowercase().strip_prefix("cookie: ").map(str::to_owned);
        let cookie = request.lines().find_map(field).unwrap_or_default();
        special(path, &cookie).unwrap_or_else(|| usual(path, &cookie))
    };
    let stub = Stub::start(Reply::Computed(Arc::new(compute))).await;
    let own = ["--upstream", &stub.url, "--upstream-environment", "production"];
    let app = TestApp::with(&[&own, more].concat()).await;
    (stub, app)
}

fn usual(path: &str, cookie: &str) -> Reply {
    let projects = projects_of(cookie);
    let path = path.strip_prefix("/api/admin").unwrap_or(path);
    let visible = |project: &str| projects.contains(&project);
    let row = |project: &str| {
        json!({ "name": project, "type": "release", "stale": false,
        "createdAt": "2026-11-22T10:00:00Z",
        "environments": [{ "name": "production", "enabled": true, "yes": 1, "no": 0 }] })
    };
    let all = || projects.iter().map(|project| row(project)).collect::<Value>();
    match path.split(['/', '?']).collect::<Vec<_>>().as_slice() {
        ["", "environments"] => ok("", ENVIRONMENTS),
        ["", "projects"] => json_reply(
            &json!({ "projects": projects.iter().map(|id| json!({ "id": id })).collect::<Value>() }),
        ),
        ["", "ui-config"] => ok("", r#"{"version":"8.2.0"}"#),
        ["", "user"] => json_reply(&json!({ "user": { "email": cookie } })),
        ["", "auth", ..] => ok("", "{}"),
        ["", "segments"] => ok("", r#"{"segments":[]}"#),
        ["", "projects", project, ..] if !visible(project) => status("403 Forbidden"),
        ["", "projects", _, "overview"] => ok("", r#"{"environments":["production"]}"#),
        ["", "projects", project, "features"] => json_reply(&json!({ "features": [row(project)] })),
        ["", "search", "features", ..] => json_reply(&json!({ "total": 1, "features": all() })),
        ["", "playground"] => {
            let one =
                |name: &&str| json!({ "name": name, "strategies": { "data": [{ "name": "default" }] } });
            json_reply(&json!({ "features": projects.iter().map(one).collect::<Value>() }))
        }
        _ => status("404 Not Found"),
    }
}

async fn get(app: &TestApp, path: &str, cookie: &str) -> Response {
    app.send(Method::GET, path, &[("cookie", cookie)], "").await
}

fn names(list: &Response) -> Vec<String> {
    assert_eq!(list.status, StatusCode::OK, "{}", list.body);
    let rows = list.json()["features"].as_array().unwrap().clone();
    rows.iter().map(|row| row["name"].as_str().unwrap().to_owned()).collect()
}

fn counted(counts: &Response) -> Vec<String> {
    assert_eq!(counts.status, StatusCode::OK, "{}", counts.body);
    counts.json()["lastHour"].as_object().unwrap().keys().cloned().collect()
}

fn count(stub: &Stub, start: &str) -> usize {
    request_lines(stub).iter().filter(|line| line.starts_with(start)).count()
}

/// Sends a request and returns its connection, so that the client can disconnect.
async fn begin(app: &TestApp, path: &str, cookie: &str) -> tokio::net::TcpStream {
    let mut connection = app.connect().await;
    let head = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nCookie: {cookie}\r\n\r\n");
    connection.write_all(head.as_bytes()).await.unwrap();
    connection
}

#[actix_web::test]
async fn each_user_sees_only_the_own_projects_counts_and_strategies() {
    for order in [[ANN, BOB, ANN], [BOB, ANN, BOB]] {
        let (stub, app) = start(|_, _| None).await;
        for cookie in order {
            let settings = get(&app, "/-/settings", cookie).await.json();
            assert_eq!(settings["server"]["projects"], json!(projects_of(cookie)), "{cookie}");
            assert_eq!(names(&get(&app, LIST, cookie).await), projects_of(cookie));
            assert_eq!(counted(&get(&app, COUNTS, cookie).await), projects_of(cookie));
            let complete = get(&app, &format!("{LIST}?strategies=true"), cookie).await.json();
            for row in complete["features"].as_array().unwrap() {
                assert_eq!(
                    (&row["strategiesKnown"], &row["strategies"][0]["name"]),
                    (&json!(true), &json!("default"))
                );
            }
        }
        // One read for each user.
        assert_eq!(count(&stub, "POST /api/admin/playground"), 2);
        assert_eq!(count(&stub, "GET /api/admin/search/features"), 2);
    }
}

#[actix_web::test]
async fn list_contains_the_toggles_of_any_requested_project() {
    let (_stub, app) = start(|_, _| None).await;
    for (query, expected) in [
        ("project=secret", &["secret"][..]),
        ("project=secret&project=open", &["open", "secret"]),
        ("project=secret&project=none", &["secret"]),
        ("project=none", &[]),
        ("project=open&namePrefix=s", &[]),
    ] {
        assert_eq!(names(&get(&app, &format!("{LIST}?{query}"), ANN).await), expected, "{query}");
    }
}

#[actix_web::test]
async fn two_users_at_the_same_time_get_the_own_results() {
    let (_stub, app) = start(|_, _| None).await;
    let counts = |cookie| get(&app, COUNTS, cookie);
    let (ann, bob) = tokio::join!(counts(ANN), counts(BOB));
    assert_eq!((counted(&ann), counted(&bob)), (vec!["open".into(), "secret".into()], vec!["open".into()]));
}

/// A project is deleted, or a permission changes, after the projects were read.
#[actix_web::test]
async fn list_is_complete_without_the_projects_that_are_not_visible() {
    for refusal in ["403 Forbidden", "404 Not Found"] {
        let hidden = move |path: &str, _: &str| path.contains("/secret/").then(|| status(refusal));
        let (_stub, app) = start(hidden).await;
        assert_eq!(names(&get(&app, LIST, ANN).await), ["open"], "{refusal}");
    }
    // Other failures are no missing permission, and a list without any project is no list.
    for (part, refusal, expected) in
        [("/secret/features", "500 Error", 500), ("/features", "403 Forbidden", 403)]
    {
        let (_stub, app) = start(move |path, _| path.ends_with(part).then(|| status(refusal))).await;
        assert_eq!(get(&app, LIST, ANN).await.status.as_u16(), expected);
    }
}

/// Servers keep the session when another user signs in with it.
#[actix_web::test]
async fn sign_in_of_another_user_with_the_same_session_shows_no_old_counts() {
    let signed_in = Arc::new(AtomicUsize::new(0));
    let user = Arc::clone(&signed_in);
    let (_stub, app) = start(move |path, _| {
        if path.starts_with("/auth/") {
            user.store(1, Ordering::SeqCst);
        }
        Some(usual(path, [ANN, BOB][user.load(Ordering::SeqCst)]))
    })
    .await;
    assert_eq!(counted(&get(&app, COUNTS, ANN).await), ["open", "secret"]);
    let headers = [("cookie", ANN), ("content-type", "application/json")];
    assert_eq!(app.send(Method::POST, "/auth/simple/login", &headers, "{}").await.status, StatusCode::OK);
    assert_eq!(counted(&get(&app, COUNTS, ANN).await), ["open"]);
    assert_eq!(get(&app, "/-/settings", ANN).await.json()["server"]["projects"], json!(["open"]));
}

#[actix_web::test]
async fn signed_out_user_gets_no_counts() {
    let (_stub, app) = {
        let polls = AtomicUsize::new(0);
        start(move |path, _| {
            let is_out = path.ends_with("/user") && polls.fetch_add(1, Ordering::SeqCst) > 0;
            is_out.then(|| status("401 Unauthorized"))
        })
        .await
    };
    assert_eq!(counted(&get(&app, COUNTS, ANN).await), ["open", "secret"]);
    assert_eq!(get(&app, COUNTS, ANN).await.status, StatusCode::UNAUTHORIZED);
}

/// The first poll reads the counts, and its client disconnects while another poll waits for the result.
#[actix_web::test]
async fn disconnect_of_the_first_poll_does_not_fail_the_others() {
    let searches = AtomicUsize::new(0);
    let (stub, app) = start(move |path, _| {
        let is_first = path.contains("/search/") && searches.fetch_add(1, Ordering::SeqCst) == 0;
        is_first.then_some(Reply::Silence)
    })
    .await;
    let first = begin(&app, COUNTS, ANN).await;
    stub.wait_for(|request| request.contains("/search/")).await;
    let ((), second) = tokio::join!(
        async {
            // The other poll verifies its user, and then waits.
            while count(&stub, "GET /api/admin/user") < 2 {
                tokio::task::yield_now().await;
            }
            drop(first);
            stub.wait_for_end().await;
        },
        get(&app, COUNTS, ANN)
    );
    assert_eq!(counted(&second), ["open", "secret"]);
    assert_eq!(count(&stub, "GET /api/admin/search/features"), 2);
}

#[actix_web::test]
async fn failure_is_not_kept_and_simultaneous_polls_read_once() {
    let searches = AtomicUsize::new(0);
    let (stub, app) = start(move |path, _| {
        let is_first = path.contains("/search/") && searches.fetch_add(1, Ordering::SeqCst) == 0;
        is_first.then(|| status("500 Error"))
    })
    .await;
    assert_eq!(get(&app, COUNTS, ANN).await.status, StatusCode::INTERNAL_SERVER_ERROR);
    let (one, two) = tokio::join!(get(&app, COUNTS, ANN), get(&app, COUNTS, ANN));
    assert_eq!(
        (counted(&one), counted(&two)),
        (vec!["open".into(), "secret".into()], vec!["open".into(), "secret".into()])
    );
    assert_eq!(count(&stub, "GET /api/admin/search/features"), 2);
}

/// A request that arrives while another one of the user reads the same data waits for its result.
#[actix_web::test]
async fn simultaneous_requests_of_a_user_share_one_read() {
    for (path, read) in [(COUNTS.to_owned(), "/search/"), (format!("{LIST}?strategies=true"), "/playground")]
    {
        let (go, reads) = (Arc::new(Notify::new()), AtomicUsize::new(0));
        let wait = Arc::clone(&go);
        let (stub, app) = start(move |path, cookie| {
            let is_first = path.contains(read) && reads.fetch_add(1, Ordering::SeqCst) == 0;
            let Reply::Bytes(reply) = usual(path, cookie) else { panic!("not a whole reply") };
            is_first.then(|| Reply::Halves(String::new(), reply, Arc::clone(&wait)))
        })
        .await;
        let (one, two, ()) = tokio::join!(get(&app, &path, ANN), get(&app, &path, ANN), async {
            stub.wait_for(|request| request.contains(read)).await;
            // Meanwhile the second request arrives at the read.
            for _ in 0..20 {
                get(&app, LIST, BOB).await;
            }
            go.notify_one();
        });
        assert_eq!((one.status, two.status), (StatusCode::OK, StatusCode::OK), "{path}");
        let reads = request_lines(&stub).iter().filter(|line| line.contains(read)).count();
        assert_eq!(reads, 1, "{path}");
    }
}

/// The requests of one user hang at the server.
#[actix_web::test]
async fn slow_lists_and_counts_of_a_user_do_not_delay_other_users() {
    let slow = |path: &str, cookie: &str| {
        let is_read = ["/features", "/playground", "/search/"].iter().any(|part| path.contains(part));
        (cookie == ANN && is_read).then_some(Reply::Silence)
    };
    let (stub, app) = start(slow).await;
    let mut waiting = Vec::new();
    for number in 0..6 {
        // Every header with an unknown name could identify a user.
        waiting.push(begin(&app, LIST, &format!("{ANN}\r\nX-Unknown: {number}")).await);
    }
    waiting.push(begin(&app, COUNTS, ANN).await);
    stub.wait_for(|request| request.contains("/search/")).await;
    let is_list =
        |request: &str| request.starts_with("GET /api/admin/projects/open/features") && request.contains(ANN);
    stub.wait_for_number(2, is_list).await;
    assert_eq!(names(&get(&app, &format!("{LIST}?strategies=true"), BOB).await), ["open"]);
    assert_eq!(counted(&get(&app, COUNTS, BOB).await), ["open"]);
    assert_eq!(stub.requests().iter().filter(|request| is_list(request)).count(), 2, "lists of Ann");
    drop(waiting);
}

/// SDKs get the toggles of all projects from Flagdeck, so that it knows the projects of held toggles.
#[actix_web::test]
async fn holds_name_only_toggles_of_projects_that_the_user_can_see() {
    const ADMINISTRATOR: &str = "session=root";
    const VERA: &str = "session=vera";
    let is_down = Arc::new(AtomicBool::new(false));
    let down = Arc::clone(&is_down);
    let special = move |path: &str, cookie: &str| {
        if down.load(Ordering::SeqCst) {
            return Some(Reply::End);
        }
        let toggle = |name: &str| json!({ "name": name, "project": name, "enabled": true, "strategies": [] });
        let permissions = match cookie {
            ADMINISTRATOR => json!([{ "permission": "ADMIN" }]),
            VERA => json!([{ "permission": "UPDATE_FEATURE", "project": "secret" }]),
            _ => json!([]),
        };
        match path {
            "/api/client/features" => {
                let list = json!({ "version": 2, "features": [toggle("open"), toggle("secret")] });
                Some(ok("Content-Type: application/json\r\n", &list.to_string()))
            }
            "/api/admin/user" => {
                Some(json_reply(&json!({ "user": { "email": cookie }, "permissions": permissions })))
            }
            _ => None,
        }
    };
    let (_stub, app) = start_with(special, &["--replica", "--admin-listen", "0"]).await;
    let token = [("authorization", "*:production.0123456789abcdef")];
    assert_eq!(app.send(Method::GET, "/api/client/features", &token, "").await.status, StatusCode::OK);
    let admin = TestApp::at(app.admin_port.unwrap());
    for toggle in ["open", "secret"] {
        let held = admin.post("/holds", &json!({ "toggle": toggle, "reason": "incident" })).await;
        assert_eq!(held.status, StatusCode::CREATED, "{}", held.body);
    }
    let held = async |cookie: &str, list: &str| {
        let response = get(&app, "/-/holds", cookie).await;
        assert_eq!(response.status, StatusCode::OK, "{}", response.body);
        let holds = response.json()[list].as_array().unwrap().clone();
        let mut names: Vec<_> =
            holds.iter().map(|hold| hold["toggle"].as_str().unwrap().to_owned()).collect();
        names.sort();
        names
    };
    let expected: [(&str, &[&str]); 4] = [
        (ANN, &["open", "secret"]),
        (BOB, &["open"]),
        (ADMINISTRATOR, &["open", "secret"]),
        (VERA, &["open", "secret"]),
    ];
    for (cookie, names) in expected {
        assert_eq!(held(cookie, "holds").await, names, "{cookie}");
    }
    is_down.store(true, Ordering::SeqCst);
    for (cookie, names) in expected {
        assert_eq!(held(cookie, "holds").await, names, "{cookie} in an outage");
    }
    for toggle in ["open", "secret"] {
        let path = format!("/holds/{toggle}");
        assert_eq!(admin.send(Method::DELETE, &path, &[], "").await.status, StatusCode::OK);
    }
    for (cookie, names) in expected {
        assert_eq!(held(cookie, "ended").await, names, "{cookie}");
        assert_eq!(held(cookie, "holds").await, Vec::<String>::new(), "{cookie}");
    }
}
