//! Holds: toggles that SDKs get as off for a limited time.

use std::fs;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use actix_web::http::{Method, StatusCode};
use flagdeck::config::Config;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use tokio::time::timeout;

use super::{FLAGS, FRONTEND, JSON, create, everyone, frontend_token, get, names, post, start};
use crate::support::app::{Response, TestApp, set_circuit_pause};
use crate::support::binary::{Binary, Wire, flagdeck, free_port, output_of};
use crate::support::client_api::ClientApi;
use crate::support::events::EventReader;
use crate::support::stub::{Stub, ok};

const HOLDS: &str = "/-/holds";
const FEATURES: &str = "/api/client/features";
const STREAMING: &str = "/api/client/streaming";
const SDK: &str = "unleash-client-spec";
const PRODUCTION: &str = "*:production.0123456789abcdef";
const DEVELOPMENT: &str = "*:development.0123456789abcdef";
/// Cookies of users of the upstream.
const EDITOR: &str = "session=editor";
const VIEWER: &str = "session=viewer";

/// Starts a replica that asks the upstream often.
async fn replica(api: &ClientApi, more: &[&str]) -> TestApp {
    let own = ["--upstream", &api.stub.url, "--replica", "--replica-refresh", "20ms", "--admin-listen", "0"];
    let adjust = |config: &mut Config| {
        config.listen.workers = Some(2);
        set_circuit_pause(config, Duration::from_millis(20));
    };
    TestApp::adjusted(&[&own, more].concat(), adjust).await
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
    let draft =
        json!({ "toggle": "shop.pay", "reason": "INC-42", "environment": "production", "person": "anna" });
    let created = admin.post("/holds", &draft).await;
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
    assert_eq!(get(&app, PRODUCTION, &format!("{FEATURES}/till")).await.json()["other"], true, "forwarded");
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
    assert_eq!(released.json(), json!({ "released": 1 }));
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
        (json!({ "toggle": "shop.pay", "reason": "x", "at": "yesterday" }), "at"),
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
    let at = admin
        .post("/holds", &json!({ "toggle": "shop.pay", "reason": "x", "at": "2026-01-01T00:00:00Z" }))
        .await;
    assert_eq!(at.json()["code"], "no_recorder");
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
    let draft = json!({ "toggle": "shop.pay", "reason": "INC-42", "seconds": 1_800, "person": "mallory" });
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
    assert_eq!(released.json(), json!({ "released": 1 }));
    assert!(pay(&read(&app, PRODUCTION, "").await));
}

#[actix_web::test]
async fn toggle_whose_project_is_unknown_needs_the_permission_for_all_projects() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("holds.json");
    let now = Timestamp::now();
    let held = json!({ "toggle": "shop.pay", "reason": "INC-42", "start": now, "expires": now + SignedDuration::from_hours(1) });
    fs::write(&file, json!({ "holds": [held] }).to_string()).unwrap();
    let api = ClientApi::start(&[]).await;
    api.set(PRODUCTION, &list(true), "\"7\"");
    for (cookie, permission) in [
        (VIEWER, json!({ "permission": "UPDATE_FEATURE", "project": "default" })),
        (EDITOR, json!({ "permission": "UPDATE_FEATURE" })),
    ] {
        let user = json!({ "user": { "id": 1, "email": "anna@shop.example" }, "permissions": [permission] });
        api.set_user(cookie, "200 OK", &user.to_string());
    }
    // No SDK has requested toggles since the start.
    let app = replica(&api, &["--hold-file", file.to_str().unwrap()]).await;
    let release = async |cookie: &str| {
        app.send(Method::DELETE, &format!("{HOLDS}/shop.pay"), &[("cookie", cookie)], "").await
    };
    let refused = release(VIEWER).await;
    assert_eq!((refused.status, refused.body.contains("for all projects")), (StatusCode::FORBIDDEN, true));
    let draft = json!({ "toggle": "till", "reason": "INC-42" });
    assert_eq!(hold(&app, VIEWER, &draft).await.status, StatusCode::FORBIDDEN);
    assert_eq!(release(EDITOR).await.json(), json!({ "released": 1 }));
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
    assert_eq!(released.json(), json!({ "released": 1 }), "the name is decoded");
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
async fn earlier_state_is_served_unless_it_widens() {
    let folder = tempfile::tempdir().unwrap();
    let recorder = folder.path().join("recorder");
    let app = start(&["--recorder", recorder.to_str().unwrap()]).await;
    let rollout = |percentage: &str| json!([{ "name": "flexibleRollout", "parameters": { "rollout": percentage, "stickiness": "userId", "groupId": "g" } }]);
    create(&app, "shop.pay", rollout("10"), json!({})).await;
    let recorded = async |percentage: &str| {
        until(async || {
            let state = app.get("/-/state").await;
            state
                .body
                .contains(&format!("\"{percentage}\""))
                .then(|| state.json()["recording"]["since"]["by"].as_str().unwrap().to_owned())
        })
        .await
    };
    let at_ten = recorded("10").await;
    let edit = async |percentage: &str| {
        let toggle = json!({ "name": "shop.pay", "enabled": true, "strategies": rollout(percentage) });
        app.send(Method::PUT, "/api/admin/features/shop.pay", &[JSON], &toggle.to_string()).await;
    };
    edit("50").await;
    let at_fifty = recorded("50").await;
    let draft = |at: &str| json!({ "toggle": "shop.pay", "reason": "INC-42", "at": at });
    let created = app.post(HOLDS, &draft(&at_ten)).await;
    assert_eq!(created.status, StatusCode::CREATED, "{}", created.body);
    let percentage = async || {
        let list = app.send(Method::GET, FEATURES, &[(SDK, "5.2.0")], "").await.json();
        let toggle = &list["features"][0];
        (
            toggle["enabled"] == true,
            toggle["strategies"][0]["parameters"]["rollout"].as_str().unwrap().to_owned(),
        )
    };
    assert_eq!(percentage().await, (true, "10".to_owned()));
    edit("5").await;
    // The earlier state is wider than the new one now.
    assert!(!percentage().await.0);
    app.send(Method::DELETE, &format!("{HOLDS}/shop.pay"), &[], "").await;
    let refused = app.post(HOLDS, &draft(&at_fifty)).await;
    assert_eq!(
        (refused.status, refused.json()["code"].clone()),
        (StatusCode::CONFLICT, json!("hold_would_widen"))
    );
    assert_eq!(percentage().await, (true, "5".to_owned()));
}

#[actix_web::test]
async fn command_holds_lists_and_releases_and_a_restart_keeps_the_hold() {
    let folder = tempfile::tempdir().unwrap();
    let (file, port) = (folder.path().join("holds.json"), free_port().to_string());
    let settings = ["--hold-file", file.to_str().unwrap(), "--admin-listen", &port];
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
    let app = start(&settings).await;
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
    assert!(
        run(&["check", "--hold-file", file.to_str().unwrap()])
            .await
            .1
            .contains("note  hold: shop.pay is held off")
    );
    app.stop().await;
    assert!(fs::read_to_string(&file).unwrap().contains("INC-42"));
    let app = start(&settings).await;
    create(&app, "shop.pay", everyone(), json!({})).await;
    let read =
        async || app.send(Method::GET, FEATURES, &[], "").await.json()["features"][0]["enabled"].clone();
    assert_eq!(read().await, false);
    let (is_released, output) = run(&["release", "shop.pay"]).await;
    assert!(is_released && output.contains("Released holds: 1"), "{output}");
    assert_eq!(read().await, true);
    let (is_released, output) = run(&["release", "shop.pay"]).await;
    assert!(!is_released && output.contains("is not held"), "{output}");
    assert_eq!(fs::read_to_string(&file).unwrap().trim(), "{\n  \"holds\": []\n}");
    app.stop().await;
}

/// Returns the end of the hold of a toggle in a list.
fn expires(list: &Value, toggle: &str) -> Option<Timestamp> {
    let hold = list["holds"].as_array().unwrap().iter().find(|hold| hold["toggle"] == toggle)?;
    Some(hold["expires"].as_str().unwrap().parse().unwrap())
}

#[test]
fn stored_hold_survives_restarts_and_kills_while_the_file_is_written() {
    let restarts = std::env::var("FLAGDECK_TEST_RESTARTS").map_or(10, |restarts| restarts.parse().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let (file, port) = (folder.path().join("holds.json"), free_port());
    let admin = format!("127.0.0.1:{port}");
    // The upstream never responds, as in an incident.
    let upstream = format!("http://127.0.0.1:{}", free_port());
    let start = || {
        let mut command = flagdeck();
        command.args(["--listen", "127.0.0.1:0", "--log-level", "off", "--upstream", &upstream, "--replica"]);
        Binary::started(command.args(["--admin-listen", &admin, "--hold-file", file.to_str().unwrap()]))
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
        assert_eq!(list["fileFault"], Value::Null);
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
