//! One copy for all tokens of an environment.

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::{OFTEN, RARELY, SERVER, SHOP, WEB, start, start_with, wait_for, wait_until};
use crate::sdk::sidecar::{SOON, body};
use crate::sdk::{FLAGS, FRONTEND, JSON, get, post};
use crate::support::app::{Response, TestApp};
use crate::support::client_api::ClientApi;
use crate::support::engine::skips_file_tests;
use crate::support::events::EventReader;

const FEATURES: &str = "/api/client/features";
const SPECIFICATION: (&str, &str) = ("unleash-client-spec", "5.2.0");
/// Client tokens of one project each, of both, and of all.
const TILL: &str = "till:production.0123456789abcdef0124";
const PAY: &str = "pay:production.0123456789abcdef0125";
const BOTH: &str = "[]:production.0123456789abcdef0126";
const ALL: &str = "*:production.0123456789abcdef0127";
const TOGGLES: [(&str, &str); 4] = [("a", "till"), ("b", "pay"), ("c", "shop"), ("d", "till")];

/// Returns a list of toggles with the other fields of a response of Unleash 8.2.
fn list(toggles: &[(&str, &str)], revision: u32) -> String {
    let mut list: Value = serde_json::from_str(&body(toggles)).unwrap();
    list["query"] = json!({ "environment": "production", "inlineSegmentConstraints": false });
    list["segments"] = json!([{ "id": 1, "name": "nordic", "constraints": [] }]);
    list["meta"] = json!({ "revisionId": revision, "etag": format!("\"7:{revision}\""), "queryHash": "7" });
    list.to_string()
}

/// Starts an upstream with a token of all projects, and others. Each of the others has a list with the toggle `own`.
async fn start_upstream() -> ClientApi {
    let api = ClientApi::start(&[]).await;
    api.set(SERVER, &list(&TOGGLES, 1), "\"1\"");
    api.add_token(SERVER, "client", &["*"]);
    for (token, projects) in [(TILL, &["till"][..]), (PAY, &["pay"]), (BOTH, &["pay", "till"]), (ALL, &["*"])]
    {
        api.add_token(token, "client", projects);
        api.set(token, &list(&[("own", "till")], 1), "\"own\"");
    }
    api
}

/// Returns the tokens with which the upstream was asked for toggles, without those that only ask whether a frontend token is valid.
fn polls(api: &ClientApi) -> Vec<String> {
    let requests = api.stub.requests();
    let polls = requests.iter().filter(|request| request.starts_with("GET /api/client/features"));
    let token = |request: &String| {
        request.lines().find_map(|line| line.strip_prefix("authorization: "))?.to_owned().into()
    };
    polls.filter_map(token).collect()
}

/// Waits until the upstream is asked for toggles with no other token any more.
async fn wait_for_polls_with_only(api: &ClientApi, token: &str) {
    wait_for(|| polls(api).iter().rev().take(20).filter(|poll| *poll == token).count() == 20).await;
}

/// Reads the toggles with a token, like a library that knows segments.
async fn read(app: &TestApp, token: &str) -> Response {
    app.send(Method::GET, FEATURES, &[("authorization", token), SPECIFICATION], "").await
}

fn toggles(response: &Response) -> String {
    assert_eq!(response.status, StatusCode::OK, "{}", response.body);
    let list = response.json();
    let names = list["features"].as_array().unwrap().iter().map(|toggle| toggle["name"].as_str().unwrap());
    names.collect::<Vec<_>>().join(" ")
}

async fn open_stream(app: &TestApp, token: &str) -> EventReader {
    let headers = format!("authorization: {token}\r\nunleash-client-spec: 5.2.0\r\n");
    EventReader::open(app, "/api/client/streaming", &headers).await
}

#[actix_web::test]
async fn three_hundred_tokens_of_an_environment_cause_one_request_for_toggles() {
    let api = start_upstream().await;
    let app = start(&api, OFTEN, &[]).await;
    for number in 0..300 {
        let token = format!("till:production.0123456789abcdef{number:04}x");
        api.add_token(&token, "client", &["till"]);
        assert_eq!(toggles(&read(&app, &token).await), "a d");
    }
    assert_eq!(polls(&api), [SERVER]);
}

#[actix_web::test]
async fn token_gets_the_toggles_of_its_projects_and_all_segments() {
    let api = start_upstream().await;
    let app = start(&api, RARELY, &[]).await;
    for (token, names, projects) in [
        (TILL, "a d", json!(["till"])),
        (PAY, "b", json!(["pay"])),
        (BOTH, "a b d", json!(["pay", "till"])),
        (ALL, "a b c d", Value::Null),
        (SERVER, "a b c d", Value::Null),
    ] {
        for credential in [token.to_owned(), format!("Bearer {token}")] {
            let response = read(&app, &credential).await;
            let list = response.json();
            assert_eq!(
                (toggles(&response).as_str(), &list["query"]["project"]),
                (names, &projects),
                "{token}"
            );
            assert_eq!(list["query"]["environment"], "production");
            assert_eq!(list["segments"][0]["name"], "nordic");
            assert_eq!(list["meta"]["revisionId"], 1);
            assert_eq!(list["meta"]["etag"].is_string(), projects.is_null(), "{token}: {}", list["meta"]);
            let known = [
                ("authorization", credential.as_str()),
                SPECIFICATION,
                ("if-none-match", response.header("etag")),
            ];
            assert_eq!(app.send(Method::GET, FEATURES, &known, "").await.status, StatusCode::NOT_MODIFIED);
        }
    }
    assert_eq!(polls(&api), [SERVER]);
    // Libraries that do not know segments get them in the constraints.
    assert_eq!(toggles(&get(&app, TILL, FEATURES).await), "a d");
    assert_eq!(get(&app, TILL, FEATURES).await.json()["version"], 1);
    assert_eq!(polls(&api), [SERVER, SERVER]);
}

#[actix_web::test]
async fn change_arrives_in_the_lists_and_on_their_streams() {
    let api = start_upstream().await;
    let app = start_with(&api, SERVER, RARELY, &["--replica-refresh", SOON]).await;
    let before = read(&app, TILL).await;
    let (mut till, mut pay) = (open_stream(&app, TILL).await, open_stream(&app, PAY).await);
    for (stream, names) in [(&mut till, json!(["a", "d"])), (&mut pay, json!(["b"]))] {
        let features = stream.next().await.unwrap().data["events"][0]["features"].take();
        let found: Value = features.as_array().unwrap().iter().map(|toggle| toggle["name"].clone()).collect();
        assert_eq!(found, names);
    }
    api.set(
        SERVER,
        &list(&[("a", "till"), ("b", "shop"), ("c", "pay"), ("d", "till"), ("e", "shop")], 2),
        "\"2\"",
    );
    let changes = pay.next().await.unwrap().data["events"].take();
    let changes: Vec<_> = changes.as_array().unwrap().iter().map(|change| change["type"].clone()).collect();
    assert_eq!(changes, ["feature-removed", "feature-updated"]);
    wait_until(async || toggles(&read(&app, PAY).await) == "c").await;
    // A change of other projects is no change.
    let after = read(&app, TILL).await;
    assert_eq!((toggles(&after).as_str(), &after.json()["meta"]["revisionId"]), ("a d", &json!(2)));
    assert_ne!(after.header("etag"), before.header("etag"), "the revision has changed");
    assert!(!polls(&api).iter().any(|token| token == TILL || token == PAY));
}

#[actix_web::test]
async fn selections_of_requests_and_unlisted_tokens_have_copies_of_their_own() {
    let api = start_upstream().await;
    let [user, unlisted] = ["user:0123456789abcdef0123456789", "till:production.0123456789abcdef9999"];
    for token in [user, unlisted] {
        api.set(token, &list(&[("own", "till")], 1), "");
    }
    let app = start(&api, RARELY, &[]).await;
    for query in ["project=pay", "namePrefix=a", "tag=simple:a", "environment=production"] {
        let headers = [("authorization", TILL), SPECIFICATION];
        let response = app.send(Method::GET, &format!("{FEATURES}?{query}"), &headers, "").await;
        assert_eq!(toggles(&response), "own", "{query}");
    }
    assert_eq!(toggles(&read(&app, TILL).await), "a d");
    for token in [user, unlisted] {
        assert_eq!(toggles(&read(&app, token).await), "own", "{token}");
    }
}

#[actix_web::test]
async fn revoked_token_is_refused_and_its_streams_end() {
    let api = start_upstream().await;
    let app = start(&api, OFTEN, &[]).await;
    assert_eq!(toggles(&read(&app, TILL).await), "a d");
    let (revoked, mut other) = (open_stream(&app, TILL).await, open_stream(&app, ALL).await);
    api.remove_token(TILL);
    api.revoke(TILL);
    wait_until(async || read(&app, TILL).await.status == StatusCode::UNAUTHORIZED).await;
    revoked.end().await;
    assert!(!other.has_ended());
    assert_eq!(toggles(&read(&app, ALL).await), "a b c d");
}

#[actix_web::test]
async fn other_tokens_have_copies_of_their_own_when_the_wide_token_is_refused() {
    let api = start_upstream().await;
    let app = start_with(&api, SERVER, RARELY, &["--replica-refresh", SOON]).await;
    assert_eq!(toggles(&read(&app, TILL).await), "a d");
    let stream = open_stream(&app, TILL).await;
    api.revoke(SERVER);
    wait_until(async || toggles(&read(&app, TILL).await) == "own").await;
    stream.end().await;
    let again = open_stream(&app, TILL).await.next().await.unwrap();
    assert_eq!(again.data["events"][0]["features"][0]["name"], "own");
}

#[actix_web::test]
async fn token_has_a_copy_of_its_own_until_the_upstream_says_that_it_is_valid() {
    let api = start_upstream().await;
    api.set_validation(Some(("500 Internal Server Error", "")));
    let app = start_with(&api, SERVER, OFTEN, &["--replica-refresh", SOON]).await;
    assert_eq!(toggles(&read(&app, TILL).await), "own");
    api.set_validation(None);
    wait_until(async || toggles(&read(&app, TILL).await) == "a d").await;
    // Its own copy is not refreshed any more.
    wait_for_polls_with_only(&api, SERVER).await;
}

#[actix_web::test]
async fn tokens_of_the_settings_share_the_copy_of_the_widest() {
    let api = start_upstream().await;
    let app = start_with(
        &api,
        &format!("{TILL}\n{PAY}\n{ALL}\n{SERVER}\n{BOTH}"),
        OFTEN,
        &["--replica-refresh", SOON, "--admin-listen", "0"],
    )
    .await;
    api.set(ALL, &list(&TOGGLES, 1), "\"1\"");
    for token in [TILL, PAY, BOTH, SERVER, ALL] {
        let expected = match token {
            TILL => "a d",
            PAY => "b",
            BOTH => "a b d",
            _ => "a b c d",
        };
        wait_until(async || toggles(&read(&app, token).await) == expected).await;
    }
    wait_for_polls_with_only(&api, ALL).await;
    // Results for browsers and OpenFeature are those of the token.
    let flags = post(&app, PAY, FLAGS, &json!({})).await;
    assert_eq!(flags.json()["flags"].as_array().map(Vec::len), Some(1), "{}", flags.body);
    let admin = TestApp::at(app.admin_port.unwrap());
    assert_eq!(admin.get("/readyz").await.status, StatusCode::OK);
}

#[actix_web::test]
async fn first_request_of_another_spelling_is_answered_during_an_outage() {
    let api = start_upstream().await;
    let app = start(&api, RARELY, &[]).await;
    assert_eq!(toggles(&read(&app, TILL).await), "a d");
    api.set_down(true);
    for token in [&format!("Bearer {TILL}"), &format!("bearer {SERVER}"), TILL, SERVER] {
        assert_eq!(read(&app, token).await.status, StatusCode::OK, "{token}");
    }
}

#[actix_web::test]
async fn stored_answer_counts_for_a_list_after_a_restart_during_an_outage() {
    if skips_file_tests() {
        return;
    }
    let (api, folder) = (start_upstream().await, tempfile::tempdir().unwrap());
    let data = folder.path().join("flagdeck.db").to_str().unwrap().to_owned();
    let app = start(&api, RARELY, &["--data", &data]).await;
    assert_eq!(toggles(&read(&app, TILL).await), "a d");
    app.stop().await;
    api.set_down(true);
    let app = start(&api, OFTEN, &["--data", &data]).await;
    assert_eq!(toggles(&read(&app, TILL).await), "a d");
    assert_eq!(
        read(&app, PAY).await.status,
        StatusCode::SERVICE_UNAVAILABLE,
        "the upstream has not said that it is valid"
    );
}

#[actix_web::test]
async fn servers_that_name_no_projects_have_a_copy_for_each_token() {
    let api = start_upstream().await;
    api.set(SERVER, r#"{ "version": 1, "features": [{ "name": "a", "enabled": true }] }"#, "\"1\"");
    let app = start(&api, RARELY, &[]).await;
    assert_eq!(toggles(&read(&app, TILL).await), "own");
    assert_eq!(toggles(&read(&app, ALL).await), "a");
}

#[actix_web::test]
async fn frontend_token_reads_no_definitions_with_its_first_request() {
    let api = start_upstream().await;
    api.add_token(WEB, "frontend", &["*"]);
    api.set(WEB, &list(&[("secret", "shop")], 1), "");
    let app = start(&api, RARELY, &[]).await;
    assert_eq!(read(&app, WEB).await.status, StatusCode::FORBIDDEN);
    assert!(!polls(&api).iter().any(|token| token == WEB));
    let headers = [JSON, ("authorization", WEB), ("origin", SHOP), ("sec-fetch-site", "cross-site")];
    assert_eq!(app.send(Method::GET, FEATURES, &headers, "").await.status, StatusCode::FORBIDDEN);
}

#[actix_web::test]
async fn held_toggle_is_off_in_the_lists_that_contain_it() {
    let api = start_upstream().await;
    let app = start(&api, RARELY, &["--admin-listen", "0"]).await;
    let (mut till, before) = (open_stream(&app, TILL).await, read(&app, PAY).await);
    till.next().await.unwrap();
    let admin = TestApp::at(app.admin_port.unwrap());
    let held = admin.post("/holds", &json!({ "toggle": "a", "reason": "INC-42" })).await;
    assert_eq!(held.status, StatusCode::CREATED, "{}", held.body);
    let event = till.next().await.unwrap().data["events"][0].take();
    assert_eq!((&event["feature"]["name"], &event["feature"]["enabled"]), (&json!("a"), &json!(false)));
    let of_till = read(&app, TILL).await;
    assert_eq!(
        (of_till.header("x-flagdeck-hold"), &of_till.json()["features"][0]["enabled"]),
        ("a", &json!(false))
    );
    let of_pay = read(&app, PAY).await;
    assert_eq!((of_pay.header("x-flagdeck-hold"), &of_pay.body), ("", &before.body));
}

#[actix_web::test]
async fn frontend_token_in_the_settings_does_not_prevent_the_others_from_being_used() {
    let api = start_upstream().await;
    let web = "*:production.fedcba9876543210feff";
    for token in [WEB, web] {
        api.add_token(token, "frontend", &["*"]);
    }
    let app = start_with(&api, &format!("{web}\n{SERVER}"), OFTEN, &["--replica-refresh", SOON]).await;
    wait_until(async || get(&app, WEB, FRONTEND).await.status == StatusCode::OK).await;
    wait_until(async || read(&app, web).await.status == StatusCode::FORBIDDEN).await;
    assert_eq!(get(&app, WEB, FRONTEND).await.status, StatusCode::OK);
    assert_eq!(toggles(&read(&app, TILL).await), "a d");
}
