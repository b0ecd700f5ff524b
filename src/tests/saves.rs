//! Saves of toggles on flag services with environments: requests, questions, refusals and partial saves.

mod copies;
mod creation;
mod guards;
mod lifecycle;
mod properties;
mod recordings;

use std::sync::Arc;

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::support::app::{Response, TestApp};
use crate::support::newer_server::{NewerServer, Reaction, VERSIONS, Version};

const SEARCH: &str = "/api/admin/features/search";

/// The app in front of a fake server. Requests select the environment `development`.
struct Setup {
    server: NewerServer,
    app: TestApp,
}

impl Setup {
    /// Starts both, with the toggle `search` that is on with these strategies.
    async fn start(version: Version, strategies: &[Value]) -> Self {
        let server = NewerServer::start(version);
        server.model(|model| {
            model.add("search", json!({ "impressionData": true }));
            for strategy in strategies {
                assert_eq!(model.add_strategy("search", "development", strategy).0, 200);
            }
            let state = model.state("search", "development");
            state["enabled"] = json!(true);
            state["strategies"].as_array_mut().unwrap().sort_by_key(|one| one["id"].to_string());
        });
        let app = TestApp::beside(&server.url).await;
        Self { server, app }
    }

    async fn send(&self, method: Method, path: &str, headers: &[(&str, &str)], body: &Value) -> Response {
        let mut all = vec![("content-type", "application/json"), ("flagdeck-environment", "development")];
        all.extend(headers);
        let body = if body.is_null() { String::new() } else { body.to_string() };
        self.app.send(method, path, &all, &body).await
    }

    /// Returns the toggle `search` and its entity tag.
    async fn read(&self) -> (Value, String) {
        let response = self.send(Method::GET, SEARCH, &[], &Value::Null).await;
        assert_eq!(response.status, StatusCode::OK, "{}", response.body);
        (response.json(), response.header("etag").to_owned())
    }

    async fn put(&self, body: &Value) -> Response {
        self.send(Method::PUT, SEARCH, &[], body).await
    }

    fn strategies(&self) -> Vec<Value> {
        self.server.model(|model| model.strategies("search"))
    }
}

fn rollout(percentage: u8) -> Value {
    json!({ "name": "flexibleRollout", "parameters": { "rollout": percentage.to_string() }, "constraints": [] })
}

/// Checks the status and the code of an error.
fn assert_error(response: &Response, status: StatusCode, code: &str) {
    assert_eq!((response.status, response.header("x-flagdeck-error")), (status, code), "{}", response.body);
    assert_eq!(response.json()["code"], code);
}

#[actix_web::test]
async fn sends_one_request_per_changed_strategy() {
    for version in VERSIONS {
        let setup = Setup::start(version, &[rollout(1), rollout(2)]).await;
        let (mut toggle, tag) = setup.read().await;
        toggle["strategies"][0]["parameters"]["rollout"] = json!("10");
        let saved = setup.send(Method::PUT, SEARCH, &[("if-match", &tag)], &toggle).await;
        assert_eq!(saved.status, StatusCode::OK, "{}", saved.body);
        assert_eq!(setup.server.take_changes(), ["PUT /search/environments/development/strategies/id-1"]);
        assert_eq!(saved.json()["strategies"][0]["parameters"]["rollout"], "10");
        assert_ne!(saved.header("etag"), tag);
        assert_eq!(saved.header("etag"), setup.read().await.1);
        // The same toggle again changes nothing.
        assert_eq!(setup.put(&saved.json()).await.status, StatusCode::OK);
        assert_eq!(setup.server.take_changes(), Vec::<String>::new());
    }
}

#[actix_web::test]
async fn sends_metadata_strategies_order_and_switch_in_this_order() {
    let setup = Setup::start(Version::V8_2, &[rollout(1), rollout(2)]).await;
    setup.server.model(|model| model.state("search", "development")["enabled"] = json!(false));
    let (mut toggle, _) = setup.read().await;
    let second = toggle["strategies"][1].clone();
    toggle["description"] = json!("new");
    toggle["enabled"] = json!(true);
    toggle["strategies"] = json!([rollout(3), second]);
    assert_eq!(setup.put(&toggle).await.status, StatusCode::OK);
    assert_eq!(
        setup.server.take_changes(),
        [
            "PATCH /search",
            "POST /search/environments/development/strategies",
            "DELETE /search/environments/development/strategies/id-1",
            "POST /search/environments/development/strategies/set-sort-order",
            "POST /search/environments/development/on",
        ]
    );
    let ids: Vec<_> = setup.strategies().iter().map(|strategy| strategy["id"].clone()).collect();
    assert_eq!(ids, ["id-3", "id-2"]);
}

#[actix_web::test]
async fn a_toggle_that_changed_is_not_saved() {
    let setup = Setup::start(Version::V8_2, &[rollout(1)]).await;
    let (mut toggle, tag) = setup.read().await;
    setup
        .server
        .model(|model| model.state("search", "development")["strategies"][0]["title"] = json!("theirs"));
    toggle["description"] = json!("mine");
    let refused = setup.send(Method::PUT, SEARCH, &[("if-match", &tag)], &toggle).await;
    assert_error(&refused, StatusCode::PRECONDITION_FAILED, "toggle_changed");
    let weak = setup
        .send(Method::PUT, SEARCH, &[("if-match", &format!("W/{}", setup.read().await.1))], &toggle)
        .await;
    assert_error(&weak, StatusCode::PRECONDITION_FAILED, "toggle_changed");
    let malformed = setup.send(Method::PUT, SEARCH, &[("if-match", "1")], &toggle).await;
    assert_error(&malformed, StatusCode::PRECONDITION_FAILED, "toggle_changed");
    assert_eq!(setup.server.take_changes(), Vec::<String>::new());
    // Without the condition, the change is computed against the present state.
    assert_eq!(setup.put(&json!({ "description": "mine" })).await.status, StatusCode::OK);
    assert_eq!(setup.strategies()[0]["title"], "theirs");
}

#[actix_web::test]
async fn changes_that_cannot_be_conditional_refuse_if_match() {
    let setup = Setup::start(Version::V8_2, &[rollout(1)]).await;
    let (toggle, tag) = setup.read().await;
    assert!(tag.starts_with('"'), "{tag}");
    for (method, path) in [
        (Method::POST, format!("{SEARCH}/toggle/off")),
        (Method::POST, format!("{SEARCH}/stale/on")),
        (Method::POST, format!("{SEARCH}/tags")),
        (Method::DELETE, SEARCH.to_owned()),
        (Method::PUT, "/api/admin/context/region".to_owned()),
    ] {
        let refused = setup.send(method, &path, &[("if-match", &tag)], &toggle).await;
        assert_error(&refused, StatusCode::PRECONDITION_FAILED, "precondition_failed");
    }
    assert_eq!(setup.server.take_changes(), Vec::<String>::new());
}

/// Another client changes the toggle between the requests of a save.
#[actix_web::test]
async fn a_description_that_changes_during_the_save_is_not_overwritten() {
    for version in VERSIONS {
        let setup = Setup::start(version, &[rollout(1)]).await;
        setup.server.model(|model| model.toggles.get_mut("search").unwrap()["description"] = json!("old"));
        let go = Arc::new(Notify::new());
        setup.server.react("PATCH /search", Reaction::Wait(Arc::clone(&go)));
        let body = json!({ "description": "mine" });
        let (saved, ()) = tokio::join!(setup.put(&body), async {
            setup.server.wait_for("PATCH /search").await;
            setup
                .server
                .model(|model| model.toggles.get_mut("search").unwrap()["description"] = json!("theirs"));
            go.notify_one();
        });
        let stored = setup.server.model(|model| model.toggles["search"]["description"].clone());
        // Earlier servers cannot test a patch.
        if version == Version::V8_2 {
            assert_error(&saved, StatusCode::PRECONDITION_FAILED, "toggle_changed");
            assert_eq!(stored, "theirs");
        } else {
            assert_eq!((saved.status, stored), (StatusCode::OK, json!("mine")), "{version:?}");
        }
    }
}

#[actix_web::test]
async fn of_two_simultaneous_saves_one_is_refused() {
    let setup = Setup::start(Version::V8_2, &[rollout(1)]).await;
    let (mut toggle, tag) = setup.read().await;
    toggle["description"] = json!("first");
    let mut other = toggle.clone();
    other["description"] = json!("second");
    let condition = [("if-match", tag.as_str())];
    let (first, second) = tokio::join!(
        setup.send(Method::PUT, SEARCH, &condition, &toggle),
        setup.send(Method::PUT, SEARCH, &condition, &other),
    );
    let mut statuses = [first.status.as_u16(), second.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 412]);
}

#[actix_web::test]
async fn a_refusal_after_the_first_request_reports_the_stored_part() {
    let refusal = json!({ "name": "BadDataError", "message": "general", "details": [{ "message": "rollout is wrong" }] });
    for (reaction, status, reason) in [
        (Reaction::Refuse(400, refusal.clone()), StatusCode::BAD_REQUEST, "rollout is wrong"),
        (Reaction::Refuse(403, json!({ "message": "You need X" })), StatusCode::FORBIDDEN, "You need X"),
        // Otherwise the console would repeat the save after a sign-in.
        (Reaction::Refuse(401, json!({ "message": "Sign in" })), StatusCode::BAD_GATEWAY, "Sign in"),
        (Reaction::Refuse(500, json!({})), StatusCode::BAD_GATEWAY, "500 Internal Server Error"),
    ] {
        let setup = Setup::start(Version::V8_2, &[rollout(1), rollout(2)]).await;
        let (mut toggle, _) = setup.read().await;
        toggle["description"] = json!("new");
        toggle["strategies"][0]["parameters"]["rollout"] = json!("10");
        toggle["strategies"][1]["parameters"]["rollout"] = json!("20");
        setup.server.react("PUT /search/environments/development/strategies/id-2", reaction);
        let response = setup.put(&toggle).await;
        assert_error(&response, status, "half_saved");
        let body = response.json();
        assert_eq!((&body["done"], &body["of"], &body["refused"]), (&json!(2), &json!(3), &json!(reason)));
        assert_eq!(body["toggle"]["description"], "new");
        assert_eq!(body["toggle"]["strategies"][0]["parameters"]["rollout"], "10");
        assert_eq!(body["toggle"]["strategies"][1]["parameters"]["rollout"], "2");
        // The next save sends the rest.
        setup.server.take_changes();
        assert_eq!(setup.put(&toggle).await.status, StatusCode::OK);
        assert_eq!(setup.server.take_changes(), ["PUT /search/environments/development/strategies/id-2"]);
    }
}

#[actix_web::test]
async fn a_session_that_ends_after_a_change_is_no_reason_to_repeat_it() {
    let setup = Setup::start(Version::V8_2, &[rollout(1)]).await;
    setup.server.require_demo_sign_in();
    for (number, (method, path, body, change)) in [
        (Method::PUT, SEARCH.to_owned(), json!({ "description": "new" }), "PATCH /search"),
        (Method::POST, format!("{SEARCH}/stale/on"), Value::Null, "PATCH /search"),
        (
            Method::POST,
            "/api/admin/features".to_owned(),
            json!({ "name": "new", "strategies": [rollout(5)] }),
            "POST /new/environments/development/strategies",
        ),
    ]
    .into_iter()
    .enumerate()
    {
        // Each sign-in and each end of a session counts.
        let session = 2 * number + 1;
        let signed_in = setup.app.post("/auth/demo/login", &json!({ "email": "a@example.com" })).await;
        assert!(signed_in.header("set-cookie").starts_with(&format!("unleash-session={session};")));
        let cookie = format!("unleash-session={session}");
        setup.server.react(change, Reaction::HandleAndEndSession);
        let response = setup.send(method, &path, &[("cookie", &cookie)], &body).await;
        assert_error(&response, StatusCode::BAD_GATEWAY, "half_saved");
        // The session had ended before the next request, and nothing has changed.
        let body = json!({ "description": "other" });
        let refused = setup.send(Method::PUT, SEARCH, &[("cookie", &cookie)], &body).await;
        assert_eq!(refused.status, StatusCode::UNAUTHORIZED, "{}", refused.body);
    }
}

#[actix_web::test]
async fn a_refusal_of_the_first_request_is_passed_unchanged() {
    let setup = Setup::start(Version::V6_10, &[rollout(1)]).await;
    let refusal = json!({ "name": "PermissionError", "message": "No", "permissions": ["UPDATE_FEATURE"] });
    setup.server.react("PATCH /search", Reaction::Refuse(403, refusal.clone()));
    let response = setup.put(&json!({ "description": "new", "strategies": [rollout(2)] })).await;
    assert_eq!((response.status, response.json()), (StatusCode::FORBIDDEN, refusal));
    assert_eq!(setup.server.take_changes(), ["PATCH /search"]);
}

#[actix_web::test]
async fn asks_before_the_server_changes_more() {
    let disabled = json!([{ "id": "id-1", "disabled": true }]);
    let blue = json!([{ "name": "blue", "weight": 1000 }]);
    for (is_on, change, code) in [
        (true, json!({ "strategies": [] }), "would_disable_toggle"),
        (true, json!({ "strategies": disabled }), "would_disable_toggle"),
        (false, json!({ "enabled": true, "strategies": [] }), "would_add_rollout"),
        (false, json!({ "enabled": true, "strategies": disabled }), "would_enable_strategies"),
        (true, json!({ "description": "d", "variants": blue }), "variants_deprecated"),
    ] {
        let setup = Setup::start(Version::V8_2, &[rollout(1)]).await;
        setup.server.model(|model| model.state("search", "development")["enabled"] = json!(is_on));
        let before = setup.read().await;
        assert_error(&setup.put(&change).await, StatusCode::CONFLICT, code);
        assert_eq!(setup.read().await, before, "{code}");
        let confirmed = format!("{SEARCH}?confirm=other&confirm={code}");
        let response = setup.send(Method::PUT, &confirmed, &[], &change).await;
        assert_eq!(response.status, StatusCode::OK, "{code}: {}", response.body);
        assert_ne!(setup.read().await, before, "{code}");
        let is_on = setup.read().await.0["enabled"].clone();
        assert_eq!(is_on, json!(code != "would_disable_toggle"), "{code}");
    }
}

#[actix_web::test]
async fn refuses_changes_that_the_server_cannot_store() {
    let setup = Setup::start(Version::V8_2, &[rollout(1)]).await;
    let moved = setup.put(&json!({ "description": "d", "project": "other" })).await;
    assert_error(&moved, StatusCode::NOT_IMPLEMENTED, "unsupported_by_server");
    for body in [json!([]), json!("x")] {
        assert_eq!(setup.put(&body).await.status, StatusCode::BAD_REQUEST, "{body}");
    }
    assert_eq!(setup.server.take_changes(), Vec::<String>::new());
}
