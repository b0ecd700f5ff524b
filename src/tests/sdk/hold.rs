//! Holds: toggles that SDKs get as off for a limited time.

use std::fs;
use std::net::{IpAddr, SocketAddr, UdpSocket};
use std::path::Path;
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use actix_web::http::{Method, StatusCode};
use flagdeck::config::Config;
use jiff::Timestamp;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::{FLAGS, FRONTEND, JSON, create, everyone, frontend_token, get, names, post, start};
use crate::support::app::{Response, TestApp, upstream_of};
use crate::support::binary::{Binary, Wire, flagdeck, flagdeck_with_file_limit, free_port, output_of};
use crate::support::client_api::ClientApi;
use crate::support::engine::{is_postgres, rounds, run_sql, with_engine};
use crate::support::events::EventReader;
use crate::support::skip::skipped;
use crate::support::stub::{Reply, Stub, ok};

const HOLDS: &str = "/-/holds";
const FEATURES: &str = "/api/client/features";
const STREAMING: &str = "/api/client/streaming";
const SDK: &str = "unleash-client-spec";
const PRODUCTION: &str = "*:production.0123456789abcdef";
const DEVELOPMENT: &str = "*:development.0123456789abcdef";
/// Cookies of users of the upstream.
const EDITOR: &str = "session=editor";
const VIEWER: &str = "session=viewer";
const ADMIN: &str = "session=admin";

/// Starts a replica that asks the upstream often.
async fn replica(api: &ClientApi, more: &[&str]) -> TestApp {
    let own = ["--upstream", &api.stub.url, "--replica", "--replica-refresh", "20ms"];
    let admin = if more.contains(&"--admin-listen") { &[][..] } else { &["--admin-listen", "0"] };
    let adjust = |config: &mut Config| {
        config.listen.workers = Some(2);
        upstream_of(config).pause = Duration::from_millis(20);
    };
    TestApp::adjusted(&[&own, admin, more].concat(), adjust).await
}

/// Starts the embedded service with this database.
async fn start_with(data: &Path, more: &[&str]) -> TestApp {
    TestApp::with(&[&["--data", data.to_str().unwrap()], more].concat()).await
}

fn list(pay: bool) -> String {
    let child = json!([{ "feature": "shop.pay" }]);
    let toggles = json!([
        { "name": "shop.pay", "project": "shop", "enabled": pay, "strategies": [{ "name": "default" }] },
        { "name": "shop.tip", "enabled": true, "strategies": [{ "name": "default" }], "dependencies": child },
        { "name": "till", "enabled": true, "strategies": [{ "name": "default" }] },
    ]);
    serde_json::to_string_pretty(&json!({ "version": 2, "features": toggles, "segments": [] })).unwrap()
}

async fn read(app: &TestApp, token: &str, tag: &str) -> Response {
    let headers = [("authorization", token), (SDK, "5.2.0"), ("if-none-match", tag)];
    app.send(Method::GET, FEATURES, &headers, "").await
}

/// Returns the state of `shop.pay`.
fn pay(response: &Response) -> bool {
    response.json()["features"][0]["enabled"] == true
}

async fn hold(app: &TestApp, cookie: &str, draft: &Value) -> Response {
    app.send(Method::POST, HOLDS, &[JSON, ("cookie", cookie)], &draft.to_string()).await
}

/// Repeats a request until its result matches.
pub(crate) async fn until<T>(mut fulfilled: impl AsyncFnMut() -> Option<T>) -> T {
    let search = async {
        loop {
            if let Some(found) = fulfilled().await {
                return found;
            }
            tokio::task::yield_now().await;
        }
    };
    timeout(Duration::from_secs(30), search).await.expect("never fulfilled")
}

/// Returns the changes of the next event of a stream, as names and states.
async fn next(stream: &mut EventReader) -> Vec<(String, bool)> {
    let event = stream.next().await.unwrap();
    let changes = event.data["events"].as_array().unwrap().clone();
    let feature = |change: &Value| {
        (change["feature"]["name"].as_str().unwrap().to_owned(), change["feature"]["enabled"] == true)
    };
    changes.iter().filter(|change| change["type"] == "feature-updated").map(feature).collect()
}

#[actix_web::test]
async fn held_toggle_is_off_for_polls_and_streams_until_its_release() {
    let api = ClientApi::start(&[]).await;
    api.set(PRODUCTION, &list(true), "\"7\"");
    api.set(DEVELOPMENT, &list(true), "\"8\"");
    let app = replica(&api, &[]).await;
    let admin = TestApp::at(app.admin_port.unwrap());
    let original = read(&app, PRODUCTION, "").await;
    assert_eq!(
        (pay(&original), original.header("etag"), original.header("x-flagdeck-hold")),
        (true, "\"7\"", "")
    );
    read(&app, DEVELOPMENT, "").await;
    let headers = format!("authorization: {PRODUCTION}\r\n{SDK}: 5.2.0\r\n");
    let mut stream = EventReader::open(&app, STREAMING, &headers).await;
    stream.next().await.unwrap();

    let effect = admin.get("/holds/shop.pay").await.json();
    assert_eq!(effect["children"], json!([{ "name": "shop.tip", "turnsOn": false }]));
    let draft = json!({ "toggle": "shop.pay", "reason": "INC-42", "environment": "production" });
    let created = admin.post_as("anna", "/holds", &draft).await;
    assert_eq!(created.status, StatusCode::CREATED, "{}", created.body);
    assert_eq!(
        (&created.json()["hold"]["person"], &created.json()["hold"]["isStored"]),
        (&json!("anna"), &json!(false))
    );
    assert_eq!(
        created.json()["effect"]["withoutEffect"],
        json!(["cdef"]),
        "the token of another environment"
    );
    assert_eq!(next(&mut stream).await, [("shop.pay".to_owned(), false)]);
    let held = read(&app, PRODUCTION, "\"7\"").await;
    assert_eq!(
        (held.status, pay(&held), held.header("x-flagdeck-hold")),
        (StatusCode::OK, false, "shop.pay")
    );
    assert_eq!(held.body, original.body.replacen("\"enabled\": true", "\"enabled\": false", 1));
    let tag = held.header("etag").to_owned();
    assert!(!tag.contains("\"7\""), "{tag}");
    assert_eq!(read(&app, PRODUCTION, &tag).await.status, StatusCode::NOT_MODIFIED);
    assert!(pay(&read(&app, DEVELOPMENT, "").await));
    let single = get(&app, PRODUCTION, &format!("{FEATURES}/shop.pay")).await;
    assert_eq!((&single.json()["name"], &single.json()["enabled"]), (&json!("shop.pay"), &json!(false)));
    let other = get(&app, PRODUCTION, &format!("{FEATURES}/till")).await.json();
    assert_eq!((&other["name"], &other["enabled"]), (&json!("till"), &json!(true)));
    let opened = EventReader::open(&app, STREAMING, &headers).await;
    assert!(opened.head.contains("x-flagdeck-hold: shop.pay"), "{}", opened.head);
    assert!(admin.get("/metrics").await.body.contains("flagdeck_holds 1\n"));

    // Another copy of the upstream stays held.
    let changed = list(true).replace("till", "cash");
    api.set(PRODUCTION, &changed, "\"9\"");
    let is_changed =
        async || Some(read(&app, PRODUCTION, "").await).filter(|response| response.body.contains("cash"));
    assert!(!pay(&until(is_changed).await));
    assert_eq!(next(&mut stream).await, [("cash".to_owned(), true)]);
    let requests = api.stub.requests();
    assert!(
        !requests.iter().any(|request| request.contains(&tag)),
        "the upstream never gets the tag of a held list"
    );

    let released = admin.send(Method::DELETE, "/holds/shop.pay", &[], "").await;
    assert_eq!(released.json(), json!({ "released": 1, "storageFault": null }));
    assert_eq!(next(&mut stream).await, [("shop.pay".to_owned(), true)]);
    let after = read(&app, PRODUCTION, &tag).await;
    assert_eq!(
        (after.body.as_str(), after.header("etag"), after.header("x-flagdeck-hold")),
        (changed.as_str(), "\"9\"", "")
    );
    assert_eq!(admin.send(Method::DELETE, "/holds/shop.pay", &[], "").await.status, StatusCode::NOT_FOUND);
    let other = [JSON, ("origin", "https://evil.example")];
    assert_eq!(
        admin.send(Method::POST, "/holds", &other, &draft.to_string()).await.json()["code"],
        "cross_site"
    );
}

#[actix_web::test]
async fn hold_ends_when_the_flag_service_itself_is_off() {
    let api = ClientApi::start(&[]).await;
    api.set(PRODUCTION, &list(true), "\"7\"");
    let app = replica(&api, &[]).await;
    let admin = TestApp::at(app.admin_port.unwrap());
    read(&app, PRODUCTION, "").await;
    for (draft, field) in [
        (json!({ "toggle": "shop.pay", "reason": " " }), "reason"),
        (json!({ "toggle": "shop.pay", "reason": "x", "seconds": 86_401 }), "seconds"),
        (json!({ "toggle": "shop.pay", "reason": "x", "seconds": 0 }), "seconds"),
        (json!({ "toggle": "shop.pay" }), "reason"),
        (json!({ "toggle": "shop.pay", "reason": "x", "at": "2026-01-01T00:00:00Z" }), "unknown field `at`"),
    ] {
        let response = admin.post("/holds", &draft).await;
        assert!(
            response.status == StatusCode::BAD_REQUEST && response.body.contains(field),
            "{}",
            response.body
        );
    }
    let unknown = admin.post("/holds", &json!({ "toggle": "shop.pya", "reason": "x" })).await;
    assert_eq!(unknown.status, StatusCode::NOT_FOUND, "{}", unknown.body);
    admin.post("/holds", &json!({ "toggle": "shop.pay", "reason": "INC-42" })).await;
    // Confirmations of the copy that is on do not end it.
    let reads = api.reads();
    until(async || (api.reads() > reads + 3).then_some(())).await;
    assert_eq!(admin.get("/holds").await.json()["holds"][0]["toggle"], "shop.pay");
    api.set(PRODUCTION, &list(false), "\"8\"");
    let ended = until(async || {
        let list = admin.get("/holds").await.json();
        list["holds"].as_array().unwrap().is_empty().then_some(list)
    });
    assert_eq!(ended.await["ended"][0]["end"], "switchedOff");
    let is_original =
        async || Some(read(&app, PRODUCTION, "").await).filter(|response| response.header("etag") == "\"8\"");
    assert_eq!(until(is_original).await.body, list(false));
}

#[actix_web::test]
async fn browsers_whose_requests_are_forwarded_get_results_without_held_toggles() {
    const WEB: &str = "shop:production.fedcba9876543210";
    const TEST_WEB: &str = "shop:development.fedcba9876543210";
    const PATH: &str = "/api/frontend";
    let api = ClientApi::start(&[]).await;
    api.set(PRODUCTION, &list(true), "\"7\"");
    let result = |name: &str| json!({ "name": name, "enabled": true, "variant": { "name": "red" }, "impressionData": false });
    let all = json!({ "toggles": [result("shop.pay"), result("till"), result("shop.tip")] }).to_string();
    let rest = json!({ "toggles": [result("till")] });
    let head = "200 OK\r\nCache-Control: no-cache\r\nX-Api-Version: 5\r\nLast-Modified: Thu, 26 Nov 2026 09:00:00 GMT\r\n";
    for (token, tag) in [(WEB, "W/\"w1\""), (TEST_WEB, "W/\"w2\"")] {
        for path in [PATH, "/api/proxy/all", "/api/frontend/"] {
            api.set_path(path, token, &format!("{head}ETag: {tag}\r\n"), &all);
        }
    }
    let app = replica(&api, &[]).await;
    let admin = TestApp::at(app.admin_port.unwrap());
    let evaluate = async |token: &str, path: &str, tag: &str| {
        let headers = [("authorization", token), ("accept-encoding", "gzip"), ("if-none-match", tag)];
        app.send(Method::GET, path, &headers, "").await
    };
    read(&app, PRODUCTION, "").await;
    let original = evaluate(WEB, PATH, "").await;
    assert_eq!((original.body.as_str(), original.header("etag")), (all.as_str(), "W/\"w1\""));
    assert_eq!(evaluate(WEB, PATH, "W/\"w1\"").await.status, StatusCode::NOT_MODIFIED);

    let draft = json!({ "toggle": "shop.pay", "reason": "INC-42", "environment": "production" });
    assert_eq!(admin.post("/holds", &draft).await.status, StatusCode::CREATED);
    let before = api.stub.requests().len();
    let mut tags = Vec::new();
    for path in [PATH, "/api/proxy/all", "/api/frontend/", "/api/frontend?userId=7"] {
        let held = evaluate(WEB, path, "W/\"w1\"").await;
        assert_eq!((held.status, held.json()), (StatusCode::OK, rest.clone()), "{path}");
        let headers = ["x-flagdeck-hold", "cache-control", "x-api-version", "last-modified"];
        assert_eq!(headers.map(|name| held.header(name)), ["2", "no-cache", "5", ""]);
        let tag = held.header("etag").to_owned();
        assert!(!tag.is_empty() && !tag.contains("w1"), "{tag}");
        let known = evaluate(WEB, path, &tag).await;
        assert_eq!((known.status, known.header("etag")), (StatusCode::NOT_MODIFIED, tag.as_str()));
        assert_eq!(known.header("x-api-version"), "5");
        tags.push(tag);
    }
    let without_body = app.send(Method::HEAD, PATH, &[("authorization", WEB)], "").await;
    assert_eq!((without_body.header("etag"), without_body.body.as_str()), (tags[0].as_str(), ""));
    let context = json!({ "context": { "userId": "7" } }).to_string();
    let posted = app.send(Method::POST, PATH, &[JSON, ("authorization", WEB)], &context).await;
    assert_eq!((posted.json(), posted.header("etag")), (rest.clone(), ""));
    let other = evaluate(TEST_WEB, PATH, "W/\"w2\"").await;
    assert_eq!((other.status, &other.body), (StatusCode::OK, &all), "the token of another environment");
    assert!(!other.header("etag").contains("w2"));
    let requests = api.stub.requests();
    let of_browsers: Vec<_> = requests[before..]
        .iter()
        .map(|request| request.to_ascii_lowercase())
        .filter(|request| ["/api/frontend", "/api/proxy"].iter().any(|path| request.contains(path)))
        .collect();
    assert!(
        of_browsers
            .iter()
            .any(|request| request.starts_with("post ") && request.ends_with(&context.to_ascii_lowercase()))
    );
    for request in of_browsers {
        assert!(!request.starts_with("head ") && !request.contains("if-none-match"), "{request}");
        assert!(request.contains("accept-encoding: identity"), "{request}");
    }

    // Responses that cannot be edited.
    let other_format = json!([result("shop.pay")]).to_string();
    let refusal = "{\"message\":\"shop.pay\"}";
    for (head, body, status) in [
        ("401 Unauthorized\r\n", refusal, StatusCode::UNAUTHORIZED),
        ("500 Internal Server Error\r\n", refusal, StatusCode::INTERNAL_SERVER_ERROR),
        ("200 OK\r\n", "{\"toggles\":null}", StatusCode::OK),
        ("200 OK\r\n", other_format.as_str(), StatusCode::BAD_GATEWAY),
        ("200 OK\r\nContent-Encoding: br\r\n", all.as_str(), StatusCode::BAD_GATEWAY),
        ("304 Not Modified\r\n", "", StatusCode::BAD_GATEWAY),
    ] {
        api.set_path("/api/proxy", WEB, head, body);
        let response = evaluate(WEB, "/api/proxy", "").await;
        assert_eq!(response.status, status, "{head} {}", response.body);
        match status {
            StatusCode::BAD_GATEWAY => assert_eq!(response.json()["code"], "held_results_unreadable"),
            _ => assert_eq!(response.body, body),
        }
    }
    api.set_down(true);
    let failed = evaluate(WEB, PATH, "").await;
    assert!(failed.status.is_server_error() && !failed.body.contains("shop.pay"), "{}", failed.body);
    api.set_down(false);
    until(async || (evaluate(WEB, PATH, "").await.status == StatusCode::OK).then_some(())).await;

    admin.send(Method::DELETE, "/holds/shop.pay", &[], "").await;
    let after = evaluate(WEB, PATH, &tags[0]).await;
    let headers = ["etag", "x-flagdeck-hold", "last-modified"].map(|name| after.header(name));
    assert_eq!(
        (after.status, after.body.as_str(), headers),
        (StatusCode::OK, all.as_str(), ["W/\"w1\"", "", original.header("last-modified")])
    );
    assert_eq!(evaluate(WEB, PATH, "W/\"w1\"").await.status, StatusCode::NOT_MODIFIED);
}

#[actix_web::test]
async fn polls_for_changes_get_all_toggles_of_the_copy_while_one_is_held() {
    const PATH: &str = "/api/client/delta";
    let api = ClientApi::start(&[]).await;
    let changes = json!({ "events": [{ "type": "feature-updated", "eventId": 7, "feature": { "name": "shop.pay", "enabled": true } }] }).to_string();
    for (token, tag) in [(PRODUCTION, "\"7\""), (DEVELOPMENT, "\"8\"")] {
        api.set(token, &list(true), tag);
        api.set_path(PATH, token, &format!("200 OK\r\nETag: {tag}\r\n"), &changes);
    }
    let app = replica(&api, &[]).await;
    let admin = TestApp::at(app.admin_port.unwrap());
    let poll = async |token: &str, path: &str, tag: &str| {
        let mut headers = vec![("authorization", token), (SDK, "5.2.0"), ("unleash-instanceid", "1")];
        headers.extend((!tag.is_empty()).then_some(("if-none-match", tag)));
        app.send(Method::GET, path, &headers, "").await
    };
    let all_toggles = |response: &Response| {
        let event = response.json()["events"][0].clone();
        assert_eq!(
            (response.status, &event["type"]),
            (StatusCode::OK, &json!("hydration")),
            "{}",
            response.body
        );
        assert_eq!(event["segments"], json!([]));
        event["features"].clone()
    };
    let features = |pay: bool| serde_json::from_str::<Value>(&list(pay)).unwrap()["features"].clone();
    let original = poll(PRODUCTION, PATH, "").await;
    assert_eq!((original.body.as_str(), original.header("etag")), (changes.as_str(), "\"7\""));
    assert_eq!(poll(PRODUCTION, PATH, "\"7\"").await.status, StatusCode::NOT_MODIFIED);

    let draft = json!({ "toggle": "shop.pay", "reason": "INC-42", "environment": "production" });
    assert_eq!(admin.post("/holds", &draft).await.status, StatusCode::CREATED);
    let reads = |path: &str| {
        api.stub.requests().iter().filter(|request| request.starts_with(&format!("GET {path}"))).count()
    };
    let before = reads(PATH);
    let held = poll(PRODUCTION, PATH, "\"7\"").await;
    assert_eq!(all_toggles(&held), features(false), "although the upstream has no changes");
    assert_eq!(held.header("x-flagdeck-hold"), "shop.pay");
    let tag = held.header("etag").to_owned();
    // Servers read their own tags as numbers.
    assert!(tag.starts_with("W/\"held"), "{tag}");
    let known = poll(PRODUCTION, PATH, &tag).await;
    assert_eq!((known.status, known.header("etag")), (StatusCode::NOT_MODIFIED, tag.as_str()));
    let other = poll(DEVELOPMENT, PATH, "\"8\"").await;
    assert_eq!((all_toggles(&other), other.header("x-flagdeck-hold")), (features(true), ""));
    assert!(other.header("etag") != tag && other.header("etag").starts_with("W/\"held"));
    assert_eq!(reads(PATH), before, "polls with a tag are not forwarded");
    assert_eq!(
        all_toggles(&poll(PRODUCTION, PATH, "").await),
        features(false),
        "an SDK that has just started"
    );
    poll(PRODUCTION, &format!("{PATH}/?tag=simple%3Ax&project=shop"), "\"7\"").await;
    let selected = [reads("/api/client/features?project=shop "), reads("/api/client/features?project=shop&")];
    assert!(selected[0] > 0 && selected[1] == 0, "servers do not select changes by tags: {selected:?}");
    let slash = app
        .send(Method::GET, &format!("{FEATURES}/"), &[("authorization", PRODUCTION), (SDK, "5.2.0")], "")
        .await;
    assert!(!pay(&slash), "{}", slash.body);
    assert_eq!(poll("unknown", PATH, "\"7\"").await.status, StatusCode::UNAUTHORIZED);
    api.set_path(PATH, PRODUCTION, "404 Not Found\r\n", "{\"no\":\"changes\"}");
    let missing = poll(PRODUCTION, PATH, "").await;
    assert_eq!((missing.status, missing.body.as_str()), (StatusCode::NOT_FOUND, "{\"no\":\"changes\"}"));
    api.set_path(PATH, PRODUCTION, "200 OK\r\nETag: \"9\"\r\n", &changes);

    // A change of another toggle.
    api.set(PRODUCTION, &list(true).replace("till", "cash"), "\"9\"");
    let is_changed = async || {
        Some(poll(PRODUCTION, PATH, &tag).await).filter(|response| response.status == StatusCode::OK)
    };
    let changed = until(is_changed).await;
    assert!(
        changed.body.contains("cash") && all_toggles(&changed)[0]["enabled"] == false,
        "{}",
        changed.body
    );
    api.set_down(true);
    for tag in ["\"7\"", ""] {
        assert_eq!(all_toggles(&poll(PRODUCTION, PATH, tag).await)[0]["enabled"], false, "in an outage");
    }
    api.set_down(false);
    assert_eq!(admin.get("/holds/shop.pay").await.json()["instances"], 3, "one for each token and query");

    admin.send(Method::DELETE, "/holds/shop.pay", &[], "").await;
    let after = until(async || {
        Some(poll(PRODUCTION, PATH, &tag).await).filter(|response| response.status == StatusCode::OK)
    });
    let after = after.await;
    assert_eq!(
        (after.body.as_str(), after.header("etag"), after.header("x-flagdeck-hold")),
        (changes.as_str(), "\"9\"", "")
    );
}

#[actix_web::test]
async fn editor_known_before_an_outage_holds_a_toggle_in_it() {
    let api = ClientApi::start(&[]).await;
    api.set(PRODUCTION, &list(true), "\"7\"");
    let permission = |project: &str| json!([{ "permission": "UPDATE_FEATURE", "project": project }]);
    for (cookie, name, project) in
        [(EDITOR, "anna@shop.example", "shop"), (VIEWER, "vera@shop.example", "till")]
    {
        let user = json!({ "user": { "id": 1, "email": name }, "permissions": permission(project) });
        api.set_user(cookie, "200 OK", &user.to_string());
    }
    let app = replica(&api, &[]).await;
    read(&app, PRODUCTION, "").await;
    for cookie in [EDITOR, VIEWER] {
        let listed = app.send(Method::GET, HOLDS, &[("cookie", cookie)], "").await;
        assert_eq!((listed.status, listed.json()["holds"].clone()), (StatusCode::OK, json!([])));
    }
    assert_eq!(app.get(HOLDS).await.status, StatusCode::UNAUTHORIZED);
    api.set_down(true);
    let draft = json!({ "toggle": "shop.pay", "reason": "INC-42", "seconds": 1_800 });
    assert_eq!(hold(&app, VIEWER, &draft).await.json()["code"], "forbidden");
    assert_eq!(hold(&app, "session=unknown", &draft).await.json()["code"], "editor_unverified");
    assert!(pay(&read(&app, PRODUCTION, "").await));
    let created = hold(&app, EDITOR, &draft).await;
    assert_eq!(created.status, StatusCode::CREATED, "{}", created.body);
    assert_eq!(created.json()["hold"]["person"], "anna@shop.example");
    assert_eq!(created.json()["effect"]["forwardsBrowsers"], true);
    assert!(!pay(&read(&app, PRODUCTION, "").await));
    let released = app.send(Method::DELETE, &format!("{HOLDS}/shop.pay"), &[("cookie", VIEWER)], "").await;
    assert_eq!(released.status, StatusCode::FORBIDDEN);
    let released = app.send(Method::DELETE, &format!("{HOLDS}/shop.pay"), &[("cookie", EDITOR)], "").await;
    assert_eq!(released.json(), json!({ "released": 1, "storageFault": null }));
    assert!(pay(&read(&app, PRODUCTION, "").await));
}

/// The console is usually opened after the alert: what it read before is not there.
#[actix_web::test]
async fn toggles_of_sdks_are_listed_in_an_outage_for_sessions_confirmed_before() {
    let api = ClientApi::start(&[]).await;
    api.set(PRODUCTION, &list(true), "\"7\"");
    let other = json!({ "version": 2, "features": [{ "name": "pilot", "enabled": false }], "segments": [] });
    api.set(DEVELOPMENT, &other.to_string(), "\"8\"");
    for (cookie, permissions) in [
        (EDITOR, json!([{ "permission": "UPDATE_FEATURE", "project": "shop" }])),
        (ADMIN, json!([{ "permission": "ADMIN" }])),
        ("session=ended", json!([{ "permission": "ADMIN" }])),
    ] {
        let user = json!({ "user": { "id": 1, "email": cookie }, "permissions": permissions });
        api.set_user(cookie, "200 OK", &user.to_string());
    }
    let app = replica(&api, &[]).await;
    read(&app, PRODUCTION, "").await;
    read(&app, DEVELOPMENT, "").await;
    let list = async |cookie: &str, query: &str| {
        app.send(Method::GET, &format!("/-/sdk-toggles{query}"), &[("cookie", cookie)], "").await
    };
    let names = |response: &Response| {
        assert_eq!(response.status, StatusCode::OK, "{}", response.body);
        let features = response.json()["features"].as_array().unwrap().clone();
        features.iter().map(|toggle| toggle["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    for cookie in [EDITOR, ADMIN, "session=ended"] {
        list(cookie, "").await;
    }
    api.set_user("session=ended", "401 Unauthorized", "{}");
    app.send(Method::GET, "/api/admin/user", &[("cookie", "session=ended")], "").await;
    api.set_down(true);
    let draft = json!({ "toggle": "shop.pay", "reason": "INC-42" });
    assert_eq!(hold(&app, EDITOR, &draft).await.status, StatusCode::CREATED);

    let development = list(ADMIN, "").await;
    assert_eq!(names(&development), ["pilot"]);
    assert_eq!(development.json()["environment"], "development");
    assert_eq!(development.json()["environments"], json!(["development", "production"]));
    let production = list(ADMIN, "?environment=production").await;
    assert_eq!(names(&production), ["shop.pay", "shop.tip", "till"]);
    assert_eq!(production.json()["features"][0]["enabled"], true, "the list is without holds");
    assert_eq!(
        names(&list(EDITOR, "?environment=production").await),
        ["shop.pay"],
        "other projects are hidden"
    );
    for cookie in ["session=unknown", "session=ended", ""] {
        let refused = list(cookie, "").await;
        assert!(refused.status.is_server_error() || refused.status.is_client_error(), "{cookie}");
        assert!(
            !refused.body.contains("pilot") && !refused.body.contains("shop"),
            "{cookie}: {}",
            refused.body
        );
    }
}

/// The preview names toggles of the project, and how many instances get them.
#[actix_web::test]
async fn effect_of_a_hold_is_for_users_who_may_make_it() {
    let api = ClientApi::start(&[]).await;
    api.set(PRODUCTION, &list(true), "\"7\"");
    for (cookie, permissions) in [
        (EDITOR, json!([{ "permission": "UPDATE_FEATURE", "project": "shop" }])),
        (VIEWER, json!([])),
        ("session=other", json!([{ "permission": "UPDATE_FEATURE", "project": "default" }])),
        (ADMIN, json!([{ "permission": "ADMIN" }])),
    ] {
        let user = json!({ "user": { "id": 1, "email": cookie }, "permissions": permissions });
        api.set_user(cookie, "200 OK", &user.to_string());
    }
    let app = replica(&api, &[]).await;
    read(&app, PRODUCTION, "").await;
    let preview = async |toggle: &str, cookie: &str| {
        app.send(Method::GET, &format!("{HOLDS}/{toggle}"), &[("cookie", cookie)], "").await
    };
    for cookie in [EDITOR, ADMIN] {
        let allowed = preview("shop.pay", cookie).await;
        assert_eq!(allowed.status, StatusCode::OK, "{cookie}: {}", allowed.body);
        assert_eq!(allowed.json()["children"][0]["name"], "shop.tip");
    }
    for (cookie, status) in [
        (VIEWER, StatusCode::FORBIDDEN),
        ("session=other", StatusCode::FORBIDDEN),
        ("session=unknown", StatusCode::UNAUTHORIZED),
    ] {
        for toggle in ["shop.pay", "shop.none"] {
            let refused = preview(toggle, cookie).await;
            assert_eq!(refused.status, status, "{cookie}: {}", refused.body);
            assert!(!refused.body.contains("shop.tip"), "{cookie}: {}", refused.body);
        }
    }
    assert_eq!(preview("till", "session=other").await.status, StatusCode::OK);
}

#[actix_web::test]
async fn toggle_whose_project_is_unknown_needs_the_permission_for_all_projects() {
    let (api, folder) = (ClientApi::start(&[]).await, tempfile::tempdir().unwrap());
    api.set(PRODUCTION, &list(true), "\"7\"");
    let data = folder.path().join("flagdeck.db");
    // Creates the tables.
    start_with(&data, &[]).await.stop().await;
    let now = Timestamp::now().as_millisecond();
    let held = format!(
        "INSERT INTO holds (id, source, toggle, reason, person, made_at, ends_at)
         VALUES ('1', '{}', 'shop.pay', 'INC-42', 'anna', {now}, {}) RETURNING 1",
        api.stub.url,
        now + 3_600_000
    );
    assert_eq!(run_sql(&data, &held), "1");
    for (cookie, permission) in [
        (VIEWER, json!({ "permission": "UPDATE_FEATURE", "project": "default" })),
        (EDITOR, json!({ "permission": "UPDATE_FEATURE" })),
    ] {
        let user = json!({ "user": { "id": 1, "email": "anna@shop.example" }, "permissions": [permission] });
        api.set_user(cookie, "200 OK", &user.to_string());
    }
    // No SDK has requested toggles since the start.
    let app = replica(&api, &["--data", data.to_str().unwrap()]).await;
    let release = async |cookie: &str| {
        app.send(Method::DELETE, &format!("{HOLDS}/shop.pay"), &[("cookie", cookie)], "").await
    };
    let refused = release(VIEWER).await;
    assert_eq!((refused.status, refused.body.contains("for all projects")), (StatusCode::FORBIDDEN, true));
    let draft = json!({ "toggle": "till", "reason": "INC-42" });
    assert_eq!(hold(&app, VIEWER, &draft).await.status, StatusCode::FORBIDDEN);
    assert_eq!(release(EDITOR).await.json(), json!({ "released": 1, "storageFault": null }));
}

#[actix_web::test]
async fn all_clients_of_the_embedded_service_get_a_held_toggle_as_off_until_it_expires() {
    let app = start(&[]).await;
    create(&app, "shop.pay", everyone(), json!({})).await;
    create(&app, "till", everyone(), json!({})).await;
    let web = frontend_token(&app).await;
    let context = json!({ "context": { "targetingKey": "7" } });
    let paths = [FEATURES.to_owned(), format!("{FEATURES}?namePrefix=shop."), format!("{FEATURES}/shop.pay")];
    let token = super::token(&app, "server", "client", json!({})).await;
    let read = async |path: &str, specification: &str| {
        app.send(Method::GET, path, &[("authorization", &token), (SDK, specification)], "").await
    };
    let mut originals = Vec::new();
    for path in &paths {
        originals.push((read(path, "5.2.0").await, read(path, "").await));
    }
    let headers = format!("authorization: {token}\r\n{SDK}: 5.2.0\r\n");
    let mut stream = EventReader::open(&app, STREAMING, &headers).await;
    stream.next().await.unwrap();
    let web_events =
        post(&app, &web, FLAGS, &context).await.json()["eventStreams"][0]["endpoint"]["requestUri"]
            .as_str()
            .unwrap()
            .to_owned();
    let mut events = EventReader::open(&app, &web_events, "").await;
    events.next().await.unwrap();

    let instance = [("authorization", token.as_str()), ("unleash-instanceid", "1")];
    for _ in 0..2 {
        app.send(Method::GET, FEATURES, &instance, "").await;
    }
    let effect = app.get(&format!("{HOLDS}/shop.pay")).await.json();
    assert_eq!(effect["instances"], 2, "one that polls, and a stream");

    // Long enough for the requests below, on a slow machine: they are repeated otherwise.
    let draft = json!({ "toggle": "shop.pay", "reason": "INC-42" });
    assert_eq!(app.post(HOLDS, &draft).await.status, StatusCode::CREATED);
    for (path, (new, old)) in paths.iter().zip(&originals) {
        for (original, specification) in [(new, "5.2.0"), (old, "")] {
            let held = read(path, specification).await;
            assert_eq!(held.header("x-flagdeck-hold"), "shop.pay", "{path}");
            assert_eq!(
                held.body,
                original.body.replacen("\"enabled\":true", "\"enabled\":false", 1),
                "{path}"
            );
            assert!(
                held.header("etag") != original.header("etag") || original.header("etag").is_empty(),
                "{path}"
            );
        }
    }
    assert_eq!(next(&mut stream).await, [("shop.pay".to_owned(), false)]);
    assert_eq!(events.next().await.unwrap().data["type"], "refetchEvaluation");
    let evaluated = get(&app, &web, FRONTEND).await;
    assert_eq!((names(&evaluated), evaluated.header("x-flagdeck-hold")), (vec!["till".to_owned()], "1"));
    let flag = post(&app, &web, &format!("{FLAGS}/shop.pay"), &context).await;
    assert_eq!((&flag.json()["value"], flag.header("x-flagdeck-hold")), (&json!(false), "1"));
    assert_eq!(
        app.get("/api/admin/features/shop.pay").await.json()["enabled"],
        true,
        "the service is not changed"
    );

    // A shorter hold does not end before the other one is released; then its own time counts.
    let short = json!({ "toggle": "shop.pay", "reason": "INC-42", "seconds": 1 });
    app.post(HOLDS, &json!({ "toggle": "till", "reason": "INC-43", "seconds": 1 })).await;
    let released = app.send(Method::DELETE, &format!("{HOLDS}/shop%2Epay"), &[], "").await;
    assert_eq!(released.json(), json!({ "released": 1, "storageFault": null }), "the name is decoded");
    app.post(HOLDS, &short).await;
    until(async || app.get(HOLDS).await.json()["holds"].as_array().unwrap().is_empty().then_some(())).await;
    for (path, (new, _)) in paths.iter().zip(&originals) {
        let after = read(path, "5.2.0").await;
        assert_eq!(
            (&after.body, after.header("etag"), after.header("x-flagdeck-hold")),
            (&new.body, new.header("etag"), "")
        );
    }
    assert_eq!(app.get(HOLDS).await.json()["ended"][0]["end"], "expired");
    let evaluated = get(&app, &web, FRONTEND).await;
    assert_eq!((names(&evaluated).len(), evaluated.header("x-flagdeck-hold")), (2, ""));

    // Switched off in the service itself.
    app.post(HOLDS, &draft).await;
    app.post("/api/admin/features/shop.pay/toggle/off", &Value::Null).await;
    let list = until(async || {
        let list = app.get(HOLDS).await.json();
        list["holds"].as_array().unwrap().is_empty().then_some(list)
    });
    assert_eq!(list.await["ended"][0]["end"], "switchedOff");
}

#[actix_web::test]
async fn command_holds_lists_and_releases_and_a_restart_keeps_the_hold() {
    let folder = tempfile::tempdir().unwrap();
    let (data, port) = (folder.path().join("flagdeck.db"), free_port().to_string());
    let settings = ["--admin-listen", &port];
    let run = async |arguments: &[&str]| {
        let arguments: Vec<_> = arguments.iter().map(|argument| (*argument).to_owned()).collect();
        let port = port.clone();
        let output = tokio::task::spawn_blocking(move || {
            output_of(flagdeck().args(arguments).args(["--admin-listen", &port]))
        });
        let output = output.await.unwrap();
        (
            output.status.success(),
            String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap(),
        )
    };
    let app = start_with(&data, &settings).await;
    create(&app, "shop.pay", everyone(), json!({})).await;
    let (_, refused) = run(&["hold", "shop.pay"]).await;
    assert!(refused.contains("--reason"), "{refused}");
    let (_, refused) = run(&["hold", "shop.pay", "--reason", "x", "--for", "25h"]).await;
    assert!(refused.contains("from 1s to 24h"), "{refused}");
    let (is_held, output) = run(&["hold", "shop.pay", "--reason", "INC-42", "--for", "30m"]).await;
    assert!(
        is_held && output.contains("shop.pay is held off for SDKs until") && output.contains("INC-42"),
        "{output}"
    );
    assert!(run(&["hold", "list"]).await.1.contains("(30 min left)"));
    assert!(run(&["check", "--data", ":memory:"]).await.1.contains("note  hold: shop.pay is held off"));
    app.stop().await;
    let app = start_with(&data, &settings).await;
    assert_eq!(read_pay(&app).await, false);
    let (is_released, output) = run(&["release", "shop.pay", "--environment", "production"]).await;
    assert!(
        !is_released
            && output.contains("\"shop.pay\" is held for all environments; leave out the environment"),
        "{output}"
    );
    assert_eq!(read_pay(&app).await, false);
    let (is_released, output) = run(&["release", "shop.pay"]).await;
    assert!(is_released && output.contains("Released holds: 1"), "{output}");
    assert_eq!(read_pay(&app).await, true);
    let (is_released, output) = run(&["release", "shop.pay"]).await;
    assert!(!is_released && output.contains("is not held"), "{output}");
    app.stop().await;
    let app = start_with(&data, &settings).await;
    assert_eq!(read_pay(&app).await, true, "the release is stored");
    let ended = app.get(HOLDS).await.json()["ended"].clone();
    assert_eq!((&ended[0]["toggle"], &ended[0]["end"]), (&json!("shop.pay"), &json!("released")));
}

/// Returns whether SDKs get the first toggle as on.
async fn read_pay(app: &TestApp) -> Value {
    app.send(Method::GET, FEATURES, &[], "").await.json()["features"][0]["enabled"].clone()
}

#[actix_web::test]
async fn command_says_that_a_hold_is_not_stored() {
    let (api, port) = (ClientApi::start(&[]).await, free_port().to_string());
    api.set(PRODUCTION, &list(true), "\"7\"");
    let app = replica(&api, &["--admin-listen", &port]).await;
    read(&app, PRODUCTION, "").await;
    let output = tokio::task::spawn_blocking(move || {
        output_of(flagdeck().args(["hold", "shop.pay", "--reason", "x", "--admin-listen", &port]))
    });
    let output = String::from_utf8(output.await.unwrap().stdout).unwrap();
    assert!(
        output.contains("ends with the process of the server") && output.contains("data is not set"),
        "{output}"
    );
}

/// Returns the end of the hold of a toggle in a list.
fn expires(list: &Value, toggle: &str) -> Option<Timestamp> {
    let hold = list["holds"].as_array().unwrap().iter().find(|hold| hold["toggle"] == toggle)?;
    Some(hold["expires"].as_str().unwrap().parse().unwrap())
}

#[test]
fn stored_hold_survives_restarts_and_kills_while_holds_are_stored() {
    let restarts = rounds("FLAGDECK_TEST_RESTARTS", 10);
    let folder = tempfile::tempdir().unwrap();
    let (data, port) = (folder.path().join("flagdeck.db"), free_port());
    let admin = format!("127.0.0.1:{port}");
    // The upstream never responds, as in an incident.
    let upstream = format!("http://127.0.0.1:{}", free_port());
    let start = || {
        let mut command = flagdeck();
        command.args(["--listen", "127.0.0.1:0", "--log-level", "off", "--upstream", &upstream, "--replica"]);
        Binary::started(command.args(["--admin-listen", &admin, "--data", data.to_str().unwrap()]))
    };
    let hold = |wire: &mut Wire, toggle: &str, seconds: usize| {
        let draft = json!({ "toggle": toggle, "reason": "INC-42", "seconds": seconds });
        let (status, created) = wire.send("POST", "/holds", &draft.to_string())?;
        assert!(status == 201 && created["hold"]["isStored"] == true, "{created}");
        Some(created["hold"]["expires"].as_str().unwrap().parse::<Timestamp>().unwrap())
    };
    let mut binary = start();
    let kept = hold(&mut Wire::connect(port).unwrap(), "shop.pay", 86_400).unwrap();
    let (mut seconds, mut acknowledged) = (7_200, None);
    for restart in 0..restarts {
        // Each hold is longer than the one before, and replaces it.
        let (sender, written) = mpsc::channel();
        acknowledged = thread::scope(|scope| {
            let writer = scope.spawn(|| {
                let (mut wire, mut last) = (Wire::connect(port).unwrap(), acknowledged);
                while let Some(expires) = hold(&mut wire, "till", seconds) {
                    (seconds, last) = (seconds + 1, Some(expires));
                    sender.send(()).unwrap();
                }
                last
            });
            for _ in 0..=restart % 5 {
                written.recv().unwrap();
            }
            binary.kill();
            writer.join().unwrap()
        });
        binary = start();
        let (_, list) = Wire::connect(port).unwrap().send("GET", "/holds", "").unwrap();
        assert_eq!(expires(&list, "shop.pay"), Some(kept), "restart {restart}: {list}");
        assert!(expires(&list, "till") >= acknowledged, "restart {restart}: {acknowledged:?} {list}");
        assert_eq!(list["storageFault"], Value::Null);
    }
}

#[actix_web::test]
async fn journal_has_a_line_for_each_hold_and_release() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("journal.jsonl");
    let app = start(&["--journal", file.to_str().unwrap()]).await;
    create(&app, "shop.pay", everyone(), json!({})).await;
    app.post(HOLDS, &json!({ "toggle": "shop.pay", "reason": "INC-42" })).await;
    app.send(Method::DELETE, &format!("{HOLDS}/shop.pay"), &[], "").await;
    app.stop().await;
    let journal = fs::read_to_string(&file).unwrap();
    let lines = journal.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let changes: Vec<_> = lines
        .filter(|line| line["item"] == json!({ "type": "toggle", "name": "shop.pay" }))
        .filter_map(|line| Some(line["change"].as_str()?.to_owned()))
        .collect();
    let [_, held, released] = changes.try_into().unwrap();
    assert!(
        held.starts_with("hold the toggle shop.pay off for SDKs until ") && held.ends_with(": INC-42"),
        "{held}"
    );
    assert_eq!(released, "release the hold of the toggle shop.pay");
}

#[actix_web::test]
async fn webhook_receives_starts_and_ends_of_holds() {
    let receiver = Stub::start(ok("", "")).await;
    let app = start(&[]).await;
    create(&app, "shop.pay", everyone(), json!({})).await;
    let draft = |seconds: u32| json!({ "toggle": "shop.pay", "reason": "INC-42", "seconds": seconds });
    let release = async || app.send(Method::DELETE, &format!("{HOLDS}/shop.pay"), &[], "").await;
    let addon = json!({
        "provider": "webhook", "enabled": true, "events": ["hold-started", "hold-ended"],
        "parameters": { "url": format!("{}/holds", receiver.url) },
    });
    assert_eq!(app.post("/api/admin/addons", &addon).await.status, StatusCode::CREATED);
    let received = || -> Vec<Value> {
        let requests = receiver.requests();
        let bodies = requests.iter().filter_map(|request| Some(request.split_once("\r\n\r\n")?.1));
        bodies.filter_map(|body| serde_json::from_str(body).ok()).collect()
    };
    let wait_for = async |count: usize| until(async || (received().len() == count).then_some(())).await;
    app.post(HOLDS, &draft(60)).await;
    release().await;
    wait_for(2).await;
    app.post(HOLDS, &draft(1)).await;
    wait_for(4).await;
    app.post(HOLDS, &draft(60)).await;
    app.post("/api/admin/features/shop.pay/toggle/off", &Value::Null).await;
    wait_for(6).await;
    let events = received();
    let summary: Vec<_> = events
        .iter()
        .map(|event| {
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            (text(&event["type"]), text(&event["data"]["end"]), text(&event["createdBy"]))
        })
        .collect();
    let person = "operator";
    let expected = [
        ("hold-started", "", person),
        ("hold-ended", "released", person),
        ("hold-started", "", person),
        ("hold-ended", "expired", "flagdeck"),
        ("hold-started", "", person),
        ("hold-ended", "switchedOff", "flagdeck"),
    ];
    let expected = expected.map(|(kind, end, by)| (kind.to_owned(), end.to_owned(), by.to_owned()));
    assert_eq!(summary, expected);
    for event in &events {
        assert_eq!(
            (&event["data"]["name"], &event["data"]["reason"]),
            (&json!("shop.pay"), &json!("INC-42"))
        );
    }
    assert!(events[0]["data"]["expires"].is_string() && events[1]["data"]["endedAt"].is_string());
}

#[actix_web::test]
async fn toggle_that_is_off_is_not_held_and_nobody_is_told() {
    let receiver = Stub::start(ok("", "")).await;
    let app = start(&["--hold-webhook", &receiver.url]).await;
    for name in ["shop.pay", "till"] {
        create(&app, name, everyone(), json!({})).await;
    }
    app.post("/api/admin/features/shop.pay/toggle/off", &Value::Null).await;
    let draft = |toggle: &str| json!({ "toggle": toggle, "reason": "INC-42" });
    let refused = app.post(HOLDS, &draft("shop.pay")).await;
    assert_eq!(
        (refused.status, &refused.json()["code"]),
        (StatusCode::CONFLICT, &json!("toggle_is_off")),
        "{}",
        refused.body
    );
    assert!(refused.body.contains("is off already"), "{}", refused.body);
    let listed = app.get(HOLDS).await.json();
    assert_eq!((&listed["holds"], &listed["ended"]), (&json!([]), &json!([])));
    assert_eq!(app.post(HOLDS, &draft("till")).await.status, StatusCode::CREATED);
    receiver.wait_for(|request| request.contains("till is held off")).await;
    // The end of the program sends what waits.
    app.stop().await;
    let requests = receiver.requests();
    assert!(!requests.iter().any(|request| request.contains("shop.pay")), "{requests:?}");

    let api = ClientApi::start(&[]).await;
    api.set(PRODUCTION, &list(false), "\"7\"");
    let app = replica(&api, &[]).await;
    read(&app, PRODUCTION, "").await;
    let admin = TestApp::at(app.admin_port.unwrap());
    assert_eq!(admin.post("/holds", &draft("shop.pay")).await.json()["code"], "toggle_is_off");
}

/// Returns an address of this machine that is not a loopback address; `None` if it has none.
fn own_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind("0.0.0.0:0").ok()?;
    // Sends nothing.
    socket.connect("192.0.2.1:9").or_else(|_| socket.connect("198.51.100.1:9")).ok()?;
    Some(socket.local_addr().ok()?.ip()).filter(|address| !address.is_loopback() && !address.is_unspecified())
}

/// Sends a request to the listener for monitoring at an address, and returns the status and the body.
async fn send_to(address: SocketAddr, method: &str, path: &str, host: &str, body: &str) -> (u16, String) {
    let mut connection = TcpStream::connect(address).await.unwrap();
    let length = body.len();
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    );
    connection.write_all(request.as_bytes()).await.unwrap();
    let mut response = String::new();
    connection.read_to_string(&mut response).await.unwrap();
    let (head, body) = response.split_once("\r\n\r\n").unwrap();
    (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
}

#[actix_web::test]
async fn changes_on_the_listener_for_monitoring_need_a_client_and_a_host_of_this_machine() {
    let api = ClientApi::start(&[]).await;
    api.set(PRODUCTION, &list(true), "\"7\"");
    let draft = json!({ "toggle": "shop.pay", "reason": "INC-42" }).to_string();
    let changes =
        [("POST", "/holds", draft.as_str()), ("DELETE", "/holds/shop.pay", ""), ("DELETE", "/replica", "")];
    let app = replica(&api, &["--admin-listen", "0.0.0.0:0"]).await;
    read(&app, PRODUCTION, "").await;
    let port = app.admin_port.unwrap();
    let local = SocketAddr::from(([127, 0, 0, 1], port));
    for host in ["flags.example", "flags.example:80", "localhost.evil.example", "127.0.0.1.evil.example", ""]
    {
        for (method, path, body) in changes {
            let (status, response) = send_to(local, method, path, host, body).await;
            assert!(
                status == 403 && response.contains("admin_host"),
                "{host} {method} {path}: {status} {response}"
            );
        }
        assert_eq!(send_to(local, "GET", "/metrics", host, "").await.0, 200, "{host}");
    }
    for host in ["localhost", "LOCALHOST:1", &format!("127.0.0.1:{port}"), "[::1]:1"] {
        assert_eq!(send_to(local, "POST", "/holds", host, &draft).await.0, 201, "{host}");
        assert_eq!(send_to(local, "DELETE", "/holds/shop.pay", host, "").await.0, 200, "{host}");
    }
    let Some(address) = own_address() else {
        return skipped(
            "this machine has only loopback addresses; other clients of admin-listen are not tested",
        );
    };
    // The connection comes from this address, as one of another machine would.
    let remote = SocketAddr::new(address, port);
    for (method, path, body) in changes {
        let (status, response) = send_to(remote, method, path, "localhost", body).await;
        assert!(status == 403 && response.contains("admin_local"), "{method} {path}: {status} {response}");
    }
    for path in ["/livez", "/readyz", "/metrics", "/holds", "/replica"] {
        assert_eq!(send_to(remote, "GET", path, "prometheus.example", "").await.0, 200, "{path}");
    }
    // Commands connect to the address of the setting.
    let app = replica(&api, &["--admin-listen", &format!("{address}:0")]).await;
    read(&app, PRODUCTION, "").await;
    let own = SocketAddr::new(address, app.admin_port.unwrap());
    assert_eq!(send_to(own, "POST", "/holds", &own.to_string(), &draft).await.0, 201);
}

#[actix_web::test]
async fn hold_of_a_command_that_was_interrupted_has_its_line_in_the_journal() {
    if is_postgres() {
        return skipped("the test locks a file of SQLite");
    }
    let folder = tempfile::tempdir().unwrap();
    let (journal, data) = (folder.path().join("journal.jsonl"), folder.path().join("flagdeck.db"));
    let settings = ["--journal", journal.to_str().unwrap(), "--admin-listen", "0"];
    let app = start_with(&data, &settings).await;
    create(&app, "shop.pay", everyone(), json!({})).await;
    // The hold waits for its turn to write.
    let lock = rusqlite::Connection::open(&data).unwrap();
    lock.execute_batch("BEGIN IMMEDIATE").unwrap();
    let admin = TestApp::at(app.admin_port.unwrap());
    let body = json!({ "toggle": "shop.pay", "reason": "INC-42" }).to_string();
    let mut connection = admin.connect().await;
    let length = body.len();
    let request = format!(
        "POST /holds HTTP/1.1\r\nHost: localhost\r\nflagdeck-person: anna\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
    );
    connection.write_all(request.as_bytes()).await.unwrap();
    let is_held = async || {
        let list = admin.get("/holds").await.json();
        (!list["holds"].as_array().unwrap().is_empty()).then_some(())
    };
    until(is_held).await;
    // The command ends. Its connection is reset, because the response is not read.
    connection.set_zero_linger().unwrap();
    drop(connection);
    let line = || {
        let text = fs::read_to_string(&journal).unwrap();
        text.lines().find(|line| line.contains("hold the toggle shop.pay off")).map(str::to_owned)
    };
    let line = until(async || line()).await;
    assert!(line.contains("anna") && line.contains("INC-42"), "{line}");
    drop(lock);
    app.stop().await;
}

#[actix_web::test]
async fn refused_change_of_a_command_has_a_line_in_the_journal_with_its_status() {
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("journal.jsonl");
    let app = start(&["--journal", journal.to_str().unwrap(), "--admin-listen", "0"]).await;
    let admin = TestApp::at(app.admin_port.unwrap());
    let anna = [("flagdeck-person", "anna"), ("content-type", "application/json")];
    let draft = json!({ "toggle": "shop.pay", "reason": "INC-42" }).to_string();
    for (method, path, body, status, change) in [
        (Method::POST, "/holds", draft.as_str(), 404, "hold the toggle shop.pay off for SDKs until"),
        (Method::DELETE, "/holds/shop.pay", "", 404, "release the hold of the toggle shop.pay"),
        (Method::DELETE, "/replica", "", 404, "remove the copies of the replica"),
    ] {
        assert_eq!(admin.send(method, path, &anna, body).await.status, status, "{path}");
        let text = fs::read_to_string(&journal).unwrap();
        let line: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
        assert!(line["change"].as_str().unwrap().starts_with(change), "{line}");
        assert_eq!(line["status"], status, "{line}");
        assert_eq!(line["person"], json!({ "sub": "anna", "known": "command-line" }), "{line}");
    }
    app.stop().await;
}

#[cfg(target_os = "linux")]
#[test]
fn commands_change_nothing_while_the_journal_cannot_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let (journal, admin) = (folder.path().join("journal.jsonl"), free_port());
    let mut command = flagdeck_with_file_limit("unlimited");
    command.args(with_engine(&["--listen", "127.0.0.1:0", "--log-level", "off", "--data", ":memory:"]));
    command.args(["--journal", journal.to_str().unwrap(), "--admin-listen", &admin.to_string()]);
    let binary = Binary::started(&mut command);
    let mut wire = binary.wire();
    let create = |wire: &mut Wire, name: &str| {
        let toggle = json!({ "name": name, "enabled": true, "strategies": everyone() });
        wire.send("POST", "/api/admin/features", &toggle.to_string()).unwrap().0
    };
    assert_eq!(create(&mut wire, "shop.pay"), 201);
    let draft = json!({ "toggle": "shop.pay", "reason": "INC-42" }).to_string();
    let send = |method: &str, path: &str, body: &str| {
        let (status, response) = Wire::connect(admin).unwrap().send(method, path, body).unwrap();
        (status, response["code"].as_str().unwrap_or_default().to_owned())
    };
    assert_eq!(send("POST", "/holds", &draft).0, 201);
    // The next line does not fit. Its change is already made.
    binary.limit_files(&(fs::metadata(&journal).unwrap().len() + 100).to_string());
    assert_eq!(create(&mut wire, "till"), 201);
    let unavailable = (503, "journal_unavailable".to_owned());
    assert_eq!(send("POST", "/holds", &draft), unavailable);
    assert_eq!(send("DELETE", "/holds/shop.pay", ""), unavailable);
    let (_, list) = Wire::connect(admin).unwrap().send("GET", "/holds", "").unwrap();
    assert_eq!(list["holds"].as_array().unwrap().len(), 1, "{list}");
}

#[actix_web::test]
async fn permission_that_the_upstream_withdraws_does_not_hold_a_toggle_any_more() {
    let api = ClientApi::start(&[]).await;
    api.set(PRODUCTION, &list(true), "\"7\"");
    let user = |permissions: Value| {
        json!({ "user": { "id": 1, "email": "anna@shop.example" }, "permissions": permissions }).to_string()
    };
    let permission = json!([{ "permission": "UPDATE_FEATURE", "project": "shop" }]);
    api.set_user(EDITOR, "200 OK", &user(permission));
    let app = replica(&api, &[]).await;
    read(&app, PRODUCTION, "").await;
    let draft = json!({ "toggle": "shop.pay", "reason": "INC-42" });
    assert_eq!(hold(&app, EDITOR, &draft).await.status, StatusCode::CREATED);
    api.set_user(EDITOR, "200 OK", &user(json!([])));
    let release =
        async || app.send(Method::DELETE, &format!("{HOLDS}/shop.pay"), &[("cookie", EDITOR)], "").await;
    assert_eq!(release().await.status, StatusCode::FORBIDDEN);
    assert_eq!(hold(&app, EDITOR, &draft).await.json()["code"], "forbidden");
    // It does not count in an outage either.
    api.set_down(true);
    assert_eq!(release().await.status, StatusCode::FORBIDDEN);
}

/// Starts a replica of another Flagdeck.
async fn replica_of(upstream: &TestApp) -> TestApp {
    let url = upstream.url("");
    let arguments = ["--upstream", &url, "--replica", "--replica-refresh", "20ms", "--admin-listen", "0"];
    TestApp::with(&arguments).await
}

#[actix_web::test]
async fn hold_outlives_a_shorter_hold_of_an_upstream_flagdeck() {
    let api = ClientApi::start(&[]).await;
    api.set(PRODUCTION, &list(true), "\"7\"");
    let first = replica(&api, &[]).await;
    let second = replica_of(&first).await;
    let third = replica_of(&second).await;
    let admin = |app: &TestApp| TestApp::at(app.admin_port.unwrap());
    let [upstream, middle, downstream] = [&first, &second, &third].map(admin);
    assert!(pay(&read(&third, PRODUCTION, "").await));
    // `till` shows when a change has arrived.
    for (admin, toggles) in [(&downstream, &["shop.pay"][..]), (&upstream, &["shop.pay", "till"])] {
        for toggle in toggles {
            let held = admin.post("/holds", &json!({ "toggle": toggle, "reason": "INC-42" })).await;
            assert_eq!(held.status, StatusCode::CREATED, "{}", held.body);
        }
    }
    let till_is = async |is_on: bool| {
        until(async || {
            let response = read(&third, PRODUCTION, "").await;
            (response.json()["features"][2]["enabled"] == is_on).then_some(response)
        })
        .await
    };
    let held = till_is(false).await;
    assert!(held.header("x-flagdeck-hold").contains("till"), "{:?}", held.headers);
    // A hold of a toggle that only the upstream holds is not refused.
    let held = middle.post("/holds", &json!({ "toggle": "till", "reason": "INC-43", "seconds": 60 })).await;
    assert_eq!(held.status, StatusCode::CREATED, "{}", held.body);
    middle.send(Method::DELETE, "/holds/till", &[], "").await;
    for toggle in ["shop.pay", "till"] {
        upstream.send(Method::DELETE, &format!("/holds/{toggle}"), &[], "").await;
    }
    let after = till_is(true).await;
    assert!(!pay(&after), "{}", downstream.get("/holds").await.body);
    assert_eq!(downstream.get("/holds").await.json()["holds"][0]["toggle"], "shop.pay");
    // The flag service itself still ends it.
    api.set(PRODUCTION, &list(false), "\"8\"");
    let is_released = async || downstream.get("/holds").await.json()["holds"].as_array().unwrap().is_empty();
    until(async || is_released().await.then_some(())).await;
}

/// Spellings of paths for which Unleash 5.12.8 or 8.2.0 returns the toggles, and spellings that only other servers decode.
#[actix_web::test]
async fn no_spelling_of_a_path_bypasses_a_hold() {
    let result = json!({ "name": "shop.pay", "enabled": true, "variant": { "name": "red" } });
    let toggle = json!({ "name": "shop.pay", "project": "shop", "enabled": true, "strategies": [] });
    let stub = Stub::start(Reply::Computed(Arc::new(move |request| {
        let path = request.split(' ').nth(1).unwrap().to_ascii_lowercase();
        let path =
            path.split('?').next().unwrap().trim_end_matches('/').replace("%66", "f").replace("%73", "s");
        let body = match path.as_str() {
            "/api/client/features" | "/api/client/delta" => json!({ "version": 2, "features": [toggle] }),
            "/api/client/features/shop.pay" => toggle.clone(),
            _ => json!({ "toggles": [result] }),
        };
        ok("Content-Type: application/json\r\n", &body.to_string())
    })))
    .await;
    let own = ["--upstream", &stub.url, "--replica", "--replica-refresh", "20ms", "--admin-listen", "0"];
    let app = TestApp::with(&own).await;
    let admin = TestApp::at(app.admin_port.unwrap());
    let get = async |path: &str| app.send(Method::GET, path, &[("authorization", PRODUCTION)], "").await;
    get(FEATURES).await;
    let held = admin.post("/holds", &json!({ "toggle": "shop.pay", "reason": "INC-42" })).await;
    assert_eq!(held.status, StatusCode::CREATED, "{}", held.body);
    for path in [
        "/api/frontend",
        "/api/frontend/",
        "/api/Frontend",
        "/api/FRONTEND/",
        "/api/%66rontend",
        "/api/%46rontend",
        "/api/frontend/%61ll",
        "/api/proxy/",
        "/api/client/Features",
        "/api/client/features/",
        "/api/client/%66eatures",
        "/api/client/Delta",
        "/api/client/%64elta",
        "/api/client/features/shop.pay",
        "/api/client/features/shop.pay/",
        "/api/client/Features/shop.pay",
        "/api/client/features/shop%2Epay",
        "/api/client/Features/shop%2Epay",
        "/api/client/features/%73hop.pay",
        "/api/client/%66eatures/shop.pay",
    ] {
        let response = get(path).await;
        let is_refused = response.status == StatusCode::BAD_REQUEST && response.json()["code"] == "bad_path";
        let is_off = response.status == StatusCode::OK && !response.body.contains("true");
        assert!(is_refused || is_off, "{path}: {} {}", response.status, response.body);
        assert_eq!(
            is_refused,
            path.contains("%66r") || path.contains("%46") || path.contains("%61") || path.contains("%64"),
            "{path}"
        );
    }
    // Other toggles are forwarded, as they are sent.
    assert!(get("/api/client/Features/till").await.body.contains("true"));
}

#[actix_web::test]
async fn effect_of_a_hold_does_not_depend_on_the_filters_of_clients() {
    let api = ClientApi::start(&[]).await;
    api.set(PRODUCTION, &list(true), "\"7\"");
    api.set_selection(
        PRODUCTION,
        "namePrefix=till",
        r#"{"version":2,"features":[{"name":"till","enabled":true}]}"#,
    );
    api.set_selection(
        DEVELOPMENT,
        "namePrefix=till",
        r#"{"version":2,"features":[{"name":"till","enabled":true}]}"#,
    );
    let app = replica(&api, &[]).await;
    let admin = TestApp::at(app.admin_port.unwrap());
    let poll = async |token: &str, query: &str| {
        let response = app
            .send(Method::GET, &format!("{FEATURES}{query}"), &[("authorization", token), (SDK, "5.2.0")], "")
            .await;
        assert_eq!(response.status, StatusCode::OK);
    };
    let effect = async || admin.get("/holds/shop.pay").await.json();
    poll(DEVELOPMENT, "?namePrefix=till").await;
    assert_eq!(
        effect().await["withoutEffect"],
        json!([]),
        "what the token gets without the filter is unknown"
    );
    let held = admin.post("/holds", &json!({ "toggle": "shop.pay", "reason": "INC-42" })).await;
    assert_eq!(held.status, StatusCode::CREATED, "{}", held.body);
    admin.send(Method::DELETE, "/holds/shop.pay", &[], "").await;
    poll(PRODUCTION, "").await;
    poll(PRODUCTION, "?namePrefix=till").await;
    let found = effect().await;
    assert_eq!((&found["copies"], &found["withoutEffect"]), (&json!(1), &json!([])));
    let other = "other:production.0123456789ab9999";
    api.set(other, r#"{"version":2,"features":[{"name":"till","enabled":true}]}"#, "\"9\"");
    poll(other, "").await;
    assert_eq!(effect().await["withoutEffect"], json!(["9999"]), "it gets only toggles of another project");
}

#[actix_web::test]
async fn commands_for_the_running_server_need_no_other_settings() {
    let folder = tempfile::tempdir().unwrap();
    let (tokens, secret) = (folder.path().join("tokens.toml"), folder.path().join("client"));
    fs::write(&tokens, "[web]\nsecret = \"0123456789abcdef0123\"\n").unwrap();
    fs::write(&secret, PRODUCTION).unwrap();
    let api = ClientApi::start(&[]).await;
    api.set(PRODUCTION, &list(true), "\"7\"");
    let (port, listen) = (free_port().to_string(), free_port().to_string());
    let settings = folder.path().join("flagdeck.toml");
    let text = format!(
        "upstream = \"{}\"\nupstream-token = \"@{}\"\nfrontend-tokens = \"@{}\"\nadmin-listen = \"{port}\"\nlisten = \"127.0.0.1:{listen}\"\n",
        api.stub.url,
        secret.display(),
        tokens.display()
    );
    fs::write(&settings, text).unwrap();
    let config = ["--config", settings.to_str().unwrap()];
    let server = config.map(str::to_owned);
    let _server =
        tokio::task::spawn_blocking(move || Binary::started(flagdeck().args(server))).await.unwrap();
    let admin = TestApp::at(port.parse().unwrap());
    until(async || admin.get("/holds/shop.pay").await.json()["copies"].as_u64().filter(|copies| *copies > 0))
        .await;
    fs::write(&tokens, "[web]\nsecret = \"short\"\n").unwrap();
    fs::write(&secret, "").unwrap();
    for (command, expected) in [
        (&["hold", "shop.pay", "--reason", "INC-42"][..], "shop.pay is held off"),
        (&["hold", "list"], "shop.pay is held off"),
        (&["release", "shop.pay"], "Released holds: 1"),
        (&["replica", "purge"], "Removed copies: 1. SDKs get toggles again as soon as the upstream responds"),
        (&["health"], "ok"),
    ] {
        let arguments: Vec<_> = config.iter().chain(command).map(|argument| (*argument).to_owned()).collect();
        let output =
            tokio::task::spawn_blocking(move || output_of(flagdeck().args(arguments))).await.unwrap();
        let (text, errors) =
            (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
        assert!(output.status.success() && text.contains(expected), "{command:?}: {text}{errors}");
        assert_eq!(errors, "");
    }
    let check = config.map(str::to_owned);
    let output =
        tokio::task::spawn_blocking(move || output_of(flagdeck().args(check).arg("check"))).await.unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.contains("upstream-token") || errors.contains("frontend-tokens"), "{errors}");
}
