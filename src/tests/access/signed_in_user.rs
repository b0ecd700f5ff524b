//! The header `Flagdeck-User`: responses name the signed-in user, and a change that a page has made for another user is refused.

use actix_web::http::{Method, StatusCode};
use flagdeck::config::OidcTimes;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::oidc::{Browser, HOST, start_app};
use super::{Installation, JSON, LOGIN, PASSWORD, USER, get, signed_in};
use crate::support::app::{Response, TestApp};
use crate::support::provider::Provider;

const HEADER: &str = "flagdeck-user";
const FEATURES: &str = "/api/admin/features";

/// Returns the value that the response to a read of the user has.
async fn value_of(app: &TestApp, cookie: &str) -> String {
    let response = get(app, cookie, USER).await;
    assert_eq!(response.status, StatusCode::OK, "{}", response.body);
    let value = response.header(HEADER).to_owned();
    assert!(!value.is_empty(), "{:?}", response.headers);
    value
}

/// Creates a toggle with a session, for the user with this value.
async fn create(app: &TestApp, cookie: &str, user: Option<&str>, name: &str) -> Response {
    let body = json!({ "name": name, "strategies": [{ "name": "default" }] }).to_string();
    let user = user.map(|user| (HEADER, user));
    let headers: Vec<_> = [JSON, ("cookie", cookie)].into_iter().chain(user).collect();
    app.send(Method::POST, FEATURES, &headers, &body).await
}

fn assert_refused(response: &Response) {
    assert_eq!(response.status, StatusCode::CONFLICT, "{}", response.body);
    assert_eq!(
        (response.header("x-flagdeck-error"), &response.json()["code"]),
        ("user_changed", &json!("user_changed"))
    );
}

async fn toggle_names(app: &TestApp, cookie: &str) -> Value {
    let list = get(app, cookie, FEATURES).await.json();
    list["features"].as_array().unwrap().iter().map(|toggle| toggle["name"].clone()).collect()
}

fn with_anna_and_bert() -> Installation {
    let installation = Installation::new();
    installation.add("anna", &["--admin"]);
    installation.add("bert", &["--admin"]);
    installation
}

#[actix_web::test]
async fn change_of_the_user_before_is_not_made_with_the_session_of_the_next() {
    let installation = with_anna_and_bert();
    let app = installation.start_with_passwords().await;
    let (anna, bert) = (signed_in(&app, "anna").await, signed_in(&app, "bert").await);
    let (anna_value, bert_value) = (value_of(&app, &anna).await, value_of(&app, &bert).await);
    assert_ne!(anna_value, bert_value);
    // Another session of the same user.
    assert_eq!(value_of(&app, &signed_in(&app, "ANNA").await).await, anna_value);

    assert_refused(&create(&app, &bert, Some(&anna_value), "of.anna").await);
    assert_refused(&create(&app, &bert, Some(&format!("{bert_value}, {anna_value}")), "of.anna").await);
    assert_eq!(toggle_names(&app, &bert).await, json!([]));
    assert_eq!(get(&app, &bert, "/api/admin/events").await.json()["events"], json!([]));
    assert_eq!(create(&app, &bert, Some(&bert_value), "of.bert").await.status, StatusCode::CREATED);
    // Programs do not send it.
    assert_eq!(create(&app, &bert, None, "of.program").await.status, StatusCode::CREATED);

    for (method, path) in [
        (Method::PUT, "/api/admin/features/of.bert"),
        (Method::DELETE, "/api/admin/features/of.bert"),
        (Method::POST, "/api/admin/features/of.bert/toggle/on"),
        (Method::POST, "/api/admin/state/import"),
        (Method::DELETE, "/api/admin/sessions"),
        (Method::POST, "/-/examples"),
        (Method::POST, "/-/evaluate"),
        (Method::POST, "/-/plans"),
        (Method::POST, "/-/files"),
        (Method::POST, "/-/holds"),
        (Method::DELETE, "/-/holds/of.bert"),
    ] {
        let send = async |user: &str| {
            let headers = [JSON, ("cookie", bert.as_str()), (HEADER, user)];
            app.send(method.clone(), path, &headers, "{}").await
        };
        let refused = send(&anna_value).await;
        assert_eq!(
            (refused.status, refused.header("x-flagdeck-error")),
            (StatusCode::CONFLICT, "user_changed"),
            "{method} {path}: {}",
            refused.body
        );
    }
    assert_eq!(toggle_names(&app, &bert).await, json!(["of.bert", "of.program"]));
    // Reads change nothing. The browser may start and end its session for anybody.
    let headers = [JSON, ("cookie", bert.as_str()), (HEADER, anna_value.as_str())];
    let read = app.send(Method::GET, FEATURES, &headers, "").await;
    assert_eq!((read.status, read.header(HEADER)), (StatusCode::OK, bert_value.as_str()));
    let credentials = json!({ "username": "anna", "password": PASSWORD }).to_string();
    for (path, body) in [("/-/logout", ""), (LOGIN, credentials.as_str())] {
        let response = app.send(Method::POST, path, &headers, body).await;
        assert_eq!((response.status, response.header(HEADER)), (StatusCode::OK, ""), "{}", response.body);
    }

    // Without a session, the response says how to sign in.
    let ended = create(&app, "flagdeck-session=ended", Some(&anna_value), "of.anna").await;
    assert_eq!((ended.status, ended.header(HEADER)), (StatusCode::UNAUTHORIZED, ""));
}

#[actix_web::test]
async fn value_is_the_same_after_a_restart() {
    let installation = with_anna_and_bert();
    let app = installation.start_with_passwords().await;
    let (anna, bert) = (signed_in(&app, "anna").await, signed_in(&app, "bert").await);
    let value = value_of(&app, &anna).await;
    app.stop().await;
    let app = installation.start_with_passwords().await;
    assert_eq!(create(&app, &anna, Some(&value), "of.anna").await.status, StatusCode::CREATED);
    assert_refused(&create(&app, &bert, Some(&value), "of.anna").await);
    assert_eq!(value_of(&app, &anna).await, value);
}

#[actix_web::test]
#[ignore = "needs PostgreSQL"]
async fn value_is_the_same_on_each_instance() {
    let installation = with_anna_and_bert();
    let (one, two) = (installation.start_with_passwords().await, installation.start_with_passwords().await);
    let (anna, bert) = (signed_in(&one, "anna").await, signed_in(&two, "bert").await);
    let value = value_of(&one, &anna).await;
    assert_eq!(create(&two, &anna, Some(&value), "of.anna").await.status, StatusCode::CREATED);
    assert_refused(&create(&two, &bert, Some(&value), "of.anna").await);
}

#[actix_web::test]
async fn responses_that_several_users_can_get_name_the_user_of_the_request() {
    let installation = with_anna_and_bert();
    let app = installation.start_with_passwords().await;
    let (anna, bert) = (signed_in(&app, "anna").await, signed_in(&app, "bert").await);
    let bert_value = value_of(&app, &bert).await;
    for path in [FEATURES, "/api/admin/projects", "/-/holds", "/api/admin/ui-config"] {
        let of_anna = get(&app, &anna, path).await;
        let tag = of_anna.header("etag").to_owned();
        assert!(!tag.is_empty(), "{path}: {:?}", of_anna.headers);
        let headers = [("cookie", bert.as_str()), ("if-none-match", tag.as_str())];
        let of_bert = app.send(Method::GET, path, &headers, "").await;
        assert_eq!(
            (of_bert.status, of_bert.header(HEADER)),
            (StatusCode::NOT_MODIFIED, bert_value.as_str()),
            "{path}"
        );
        assert_ne!(of_anna.header(HEADER), bert_value, "{path}");
    }
    // Also errors.
    for path in ["/api/admin/features/none", "/api/admin/none", "/-/recorder"] {
        let response = get(&app, &bert, path).await;
        assert_eq!(
            (response.status, response.header(HEADER)),
            (StatusCode::NOT_FOUND, bert_value.as_str()),
            "{path}"
        );
    }
    // Responses that do not depend on a session name none.
    for path in
        ["/", "/-/openapi.json", "/-/avatars/AA-7.svg", "/-/health", "/health", "/api/client/features"]
    {
        let response = get(&app, &bert, path).await;
        assert_eq!((response.status, response.header(HEADER)), (StatusCode::OK, ""), "{path}");
    }
}

#[actix_web::test]
async fn user_of_an_identity_provider_has_a_value_for_each_subject() {
    let provider = Provider::start().await;
    let app = start_app(&provider, OidcTimes::default(), &[]).await;
    let mut cookies = Vec::new();
    for subject in ["anna", "bert", "anna"] {
        // Names and addresses are not unique at every provider.
        provider.change(|state| {
            state.claims = json!({ "sub": subject, "name": "A. B.", "email": "ab@example.com", "groups": ["staff"] });
        });
        let mut browser = Browser::new(&app);
        assert_eq!(browser.sign_in(&provider).await.status, StatusCode::SEE_OTHER);
        let pairs: Vec<_> = browser.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        cookies.push(pairs.join("; "));
    }
    let send = async |method: Method, path: &str, cookie: &str, user: &str| {
        let headers = [HOST, JSON, ("cookie", cookie), (HEADER, user)];
        let body = json!({ "name": "new", "strategies": [{ "name": "default" }] }).to_string();
        app.send(method, path, &headers, &body).await
    };
    let user = format!("/flags{USER}");
    let mut values = Vec::new();
    for cookie in &cookies {
        values.push(send(Method::GET, &user, cookie, "").await.header(HEADER).to_owned());
    }
    assert!(values[0] != values[1] && values[0] == values[2], "{values:?}");
    let features = format!("/flags{FEATURES}");
    assert_refused(&send(Method::POST, &features, &cookies[1], &values[0]).await);
    // The session has been renewed.
    let created = send(Method::POST, &features, &cookies[2], &values[0]).await;
    assert_eq!(created.status, StatusCode::CREATED, "{}", created.body);
}

#[actix_web::test]
async fn user_whom_a_trusted_proxy_names_has_a_value() {
    let folder = TempDir::new().unwrap();
    let journal = folder.path().join("journal.jsonl");
    let arguments =
        ["--data", ":memory:", "--journal", journal.to_str().unwrap(), "--journal-user-header", "X-User"];
    for (trusted, is_named) in [("127.0.0.1", true), ("192.0.2.1", false)] {
        let app = TestApp::with(&[&arguments[..], &["--trusted-proxy", trusted]].concat()).await;
        let send = async |method: Method, path: &str, person: &str, user: &str| {
            let headers = [JSON, ("x-user", person), (HEADER, user)];
            let body = json!({ "name": "new", "strategies": [{ "name": "default" }] }).to_string();
            app.send(method, path, &headers, &body).await
        };
        let anna = send(Method::GET, USER, "anna", "").await.header(HEADER).to_owned();
        let bert = send(Method::GET, USER, "bert", "").await.header(HEADER).to_owned();
        assert_eq!(anna != bert, is_named, "{trusted}");
        assert_eq!(anna.is_empty(), !is_named, "{trusted}");
        let response = send(Method::POST, FEATURES, "bert", &anna).await;
        if is_named {
            assert_refused(&response);
            assert_eq!(send(Method::POST, FEATURES, "anna", &anna).await.status, StatusCode::CREATED);
        } else {
            assert_eq!(response.status, StatusCode::CREATED);
        }
        app.stop().await;
    }
}

#[actix_web::test]
async fn without_a_sign_in_nobody_is_named() {
    let app = TestApp::embedded().await;
    let response = app.send(Method::GET, USER, &[("cookie", "flagdeck-session=old")], "").await;
    assert_eq!((response.status, response.header(HEADER)), (StatusCode::OK, ""));
    // A page that was open before the sign-in was removed.
    assert_eq!(create(&app, "flagdeck-session=old", Some("old"), "new").await.status, StatusCode::CREATED);
}
