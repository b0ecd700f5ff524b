//! Users with an account, as administrators manage them.

use std::fs;

use actix_web::http::{Method, StatusCode};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::{Installation, LOGIN, PASSWORD, USER, cookie, get, send_as, sign_in, signed_in};
use crate::support::app::{Response, TestApp};
use crate::support::document::Document;

const USERS: &str = "/api/admin/users";
const NEW_PASSWORD: &str = "battery staple";

/// Sends a change as an administrator, and checks that the response is as documented.
async fn change(app: &TestApp, session: &str, method: Method, path: &str, body: &Value) -> Response {
    let response = send_as(app, session, method.clone(), path, body).await;
    let document = Document::of(app).await;
    let operation = document.operation(&method, path).unwrap();
    assert_eq!(document.differences(&operation, &response), Vec::<String>::new(), "{method} {path}");
    response
}

/// Signs in with a one-time password, and chooses another one.
async fn choose_password(app: &TestApp, name: &str, password: &Value, new: &str) -> Response {
    app.post(LOGIN, &json!({ "username": name, "password": password, "newPassword": new })).await
}

/// Returns the status and the code of a refused sign-in.
async fn refusal(app: &TestApp, name: &str, password: &str) -> (StatusCode, Value) {
    let refused = sign_in(app, name, password).await;
    (refused.status, refused.json()["code"].clone())
}

#[actix_web::test]
async fn added_user_signs_in_once_with_the_one_time_password_and_chooses_another_one() {
    let installation = Installation::new();
    installation.add("anna", &["--admin"]);
    let app = installation.start_with_passwords().await;
    let anna = signed_in(&app, "anna").await;
    let draft = json!({
        "username": "bert", "name": "Bert B.", "email": "bert@example.com", "permissions": ["CREATE_TAG"],
    });
    let added = change(&app, &anna, Method::POST, USERS, &draft).await;
    assert_eq!(added.status, StatusCode::CREATED, "{}", added.body);
    let mut added = added.json();
    let one_time = added["oneTimePassword"].take();
    let text = one_time.as_str().unwrap();
    assert_eq!(text.len(), 19, "16 characters in groups of four");
    let end: Timestamp = added["oneTimeUntil"].as_str().unwrap().parse().unwrap();
    let hours = (end.as_second() - Timestamp::now().as_second()) / 3600;
    assert!((71..=72).contains(&hours), "three days: {hours} h");
    let listed = change(&app, &anna, Method::GET, USERS, &Value::Null).await.json();
    let names: Vec<_> = listed["users"].as_array().unwrap().iter().map(|user| &user["username"]).collect();
    assert_eq!(names, ["anna", "bert"]);
    assert_eq!(listed["users"][0]["oneTimeUntil"], Value::Null);
    assert_eq!(listed["users"][1]["permissions"], json!(["CREATE_TAG"]));
    assert!(!listed.to_string().contains(text), "only the response of the addition contains the password");

    let needed = (StatusCode::FORBIDDEN, json!("new_password_needed"));
    for _ in 0..8 {
        assert_eq!(refusal(&app, "bert", text).await, needed, "the right password is no failed attempt");
    }
    for (new, reason) in [("1234567", "too short"), (text, "Choose another password")] {
        let refused = choose_password(&app, "bert", &one_time, new).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{new}");
        assert!(refused.body.contains("newPassword") && refused.body.contains(reason), "{}", refused.body);
    }
    let bert = cookie(&choose_password(&app, "bert", &one_time, NEW_PASSWORD).await);
    assert_eq!(get(&app, &bert, USER).await.json()["permissions"], json!(["CREATE_TAG"]));
    assert_eq!(choose_password(&app, "bert", &one_time, "another one").await.status, StatusCode::BAD_REQUEST);
    let ordinary = choose_password(&app, "bert", &json!(NEW_PASSWORD), "another one").await;
    assert_eq!(ordinary.status, StatusCode::BAD_REQUEST);
    assert!(ordinary.body.contains("only allowed with a one-time password"), "{}", ordinary.body);
    assert_eq!(sign_in(&app, "bert", NEW_PASSWORD).await.status, StatusCode::OK);
    let listed = get(&app, &anna, USERS).await.json();
    assert_eq!(listed["users"][1]["oneTimeUntil"], Value::Null);

    // A forgotten password is replaced in the same way.
    let reset =
        change(&app, &anna, Method::POST, &format!("{USERS}/Bert/password"), &Value::Null).await.json();
    assert_eq!(get(&app, &bert, USER).await.status, StatusCode::UNAUTHORIZED, "the sessions have ended");
    assert_eq!(sign_in(&app, "bert", NEW_PASSWORD).await.status, StatusCode::BAD_REQUEST);
    installation.run_sql("UPDATE users SET one_time_until = 1 WHERE name = 'bert' RETURNING 1");
    let expired = choose_password(&app, "bert", &reset["oneTimePassword"], "another one").await;
    assert_eq!(
        (expired.status, &expired.json()["code"]),
        (StatusCode::FORBIDDEN, &json!("one_time_password_expired"))
    );
}

#[actix_web::test]
async fn disabled_user_is_signed_out_and_refused_until_enabled() {
    let installation = Installation::new();
    installation.add("anna", &["--admin"]);
    installation.add("bert", &[]);
    let app = installation.start_with_passwords().await;
    let (anna, bert) = (signed_in(&app, "anna").await, signed_in(&app, "bert").await);
    let disabled = change(&app, &anna, Method::POST, &format!("{USERS}/bert/disable"), &Value::Null).await;
    assert_eq!(disabled.json()["isDisabled"], true);
    let ended = get(&app, &bert, USER).await;
    assert_eq!(ended.status, StatusCode::UNAUTHORIZED);
    assert!(ended.body.contains("An administrator has ended your session"), "{}", ended.body);
    assert_eq!(refusal(&app, "bert", PASSWORD).await, (StatusCode::FORBIDDEN, json!("account_disabled")));
    let wrong = (StatusCode::BAD_REQUEST, json!("wrong_credentials"));
    assert_eq!(refusal(&app, "bert", "wrong").await, wrong, "only the user learns the state");
    assert!(
        installation
            .run_ok(&["user", "list"], "")
            .contains("bert has read access and no permissions, and is disabled")
    );

    let enabled = change(&app, &anna, Method::POST, &format!("{USERS}/bert/enable"), &Value::Null).await;
    assert_eq!(enabled.json()["isDisabled"], false);
    assert_eq!(get(&app, &bert, USER).await.status, StatusCode::UNAUTHORIZED, "the session stays revoked");
    assert_eq!(sign_in(&app, "bert", PASSWORD).await.status, StatusCode::OK);
    installation.run_ok(&["user", "disable", "bert"], "");
    assert_eq!(refusal(&app, "bert", PASSWORD).await.0, StatusCode::FORBIDDEN);
    installation.run_ok(&["user", "enable", "bert"], "");

    let removed = change(&app, &anna, Method::DELETE, &format!("{USERS}/bert"), &Value::Null).await;
    assert_eq!(removed.status, StatusCode::OK);
    assert_eq!(refusal(&app, "bert", PASSWORD).await, wrong);
}

#[actix_web::test]
async fn permissions_change_by_what_is_granted_and_revoked() {
    let installation = Installation::new();
    installation.add("anna", &["--admin"]);
    installation.add("bert", &["--permission", "CREATE_TAG"]);
    let app = installation.start_with_passwords().await;
    let (anna, bert) = (signed_in(&app, "anna").await, signed_in(&app, "bert").await);
    let path = format!("{USERS}/bert/permissions");
    let grant = json!({ "granted": ["UPDATE_FEATURE"], "revoked": [] });
    let revoke = json!({ "revoked": ["CREATE_TAG"] });
    // Two administrators, of whom neither has seen the change of the other.
    change(&app, &anna, Method::POST, &path, &grant).await;
    let changed = change(&app, &anna, Method::POST, &path, &revoke).await;
    assert_eq!(changed.json()["permissions"], json!(["UPDATE_FEATURE"]));
    assert_eq!(get(&app, &bert, USER).await.json()["permissions"], json!(["UPDATE_FEATURE"]));
    assert_eq!(get(&app, &bert, USERS).await.status, StatusCode::FORBIDDEN);
    assert_eq!(send_as(&app, &bert, Method::POST, &path, &grant).await.status, StatusCode::FORBIDDEN);
    for (method, path, body, status) in [
        (Method::POST, path.as_str(), json!({ "granted": ["UPDATE_FEATURES"] }), StatusCode::BAD_REQUEST),
        (Method::POST, path.as_str(), json!({ "grant": [] }), StatusCode::BAD_REQUEST),
        (
            Method::POST,
            path.as_str(),
            json!({ "granted": ["CREATE_TAG"], "revoked": ["CREATE_TAG"] }),
            StatusCode::BAD_REQUEST,
        ),
        (Method::POST, "/api/admin/users/carl/permissions", grant, StatusCode::NOT_FOUND),
        (Method::POST, "/api/admin/users/carl/disable", json!({}), StatusCode::NOT_FOUND),
        (Method::POST, "/api/admin/users/carl/password", json!({}), StatusCode::NOT_FOUND),
        (Method::DELETE, "/api/admin/users/carl", json!({}), StatusCode::NOT_FOUND),
        (Method::POST, USERS, json!({ "username": "BERT" }), StatusCode::CONFLICT),
        (Method::POST, USERS, json!({ "username": ".." }), StatusCode::BAD_REQUEST),
        (Method::POST, USERS, json!({ "username": "-rf" }), StatusCode::BAD_REQUEST),
        (Method::POST, USERS, json!({ "username": "dora", "name": "a\nb" }), StatusCode::BAD_REQUEST),
        (Method::POST, USERS, json!({ "username": "dora", "password": PASSWORD }), StatusCode::BAD_REQUEST),
        (Method::POST, USERS, json!({ "username": "dora", "email": "x" }), StatusCode::BAD_REQUEST),
        (Method::POST, USERS, json!({ "username": "dora", "permissions": ["x"] }), StatusCode::BAD_REQUEST),
    ] {
        let refused = send_as(&app, &anna, method, path, &body).await;
        assert_eq!(refused.status, status, "{path} {body}: {}", refused.body);
    }
}

#[actix_web::test]
async fn last_administrator_stays() {
    let installation = Installation::new();
    installation.add("anna", &["--admin"]);
    installation.add("bert", &["--admin"]);
    let app = installation.start_with_passwords().await;
    let anna = signed_in(&app, "anna").await;
    let revoke = json!({ "revoked": ["ADMIN"] });
    let disabled = send_as(&app, &anna, Method::POST, &format!("{USERS}/bert/disable"), &Value::Null).await;
    assert_eq!(disabled.status, StatusCode::OK, "anna remains");
    // The one-time password of another administrator can expire.
    let draft = json!({ "username": "dora", "permissions": ["ADMIN"] });
    assert_eq!(send_as(&app, &anna, Method::POST, USERS, &draft).await.status, StatusCode::CREATED);
    for (method, path, body) in [
        (Method::POST, "/api/admin/users/anna/password", &Value::Null),
        (Method::POST, "/api/admin/users/anna/disable", &Value::Null),
        (Method::POST, "/api/admin/users/anna/permissions", &revoke),
        (Method::DELETE, "/api/admin/users/anna", &Value::Null),
    ] {
        let refused = change(&app, &anna, method, path, body).await;
        assert_eq!(refused.status, StatusCode::CONFLICT, "{path}");
        assert!(refused.body.contains("the last enabled user with ADMIN"), "{}", refused.body);
        assert_eq!(get(&app, &anna, USER).await.status, StatusCode::OK, "nothing was written");
    }
}

#[actix_web::test]
async fn changes_of_users_are_in_the_journal_without_passwords() {
    let installation = Installation::new();
    installation.add("anna", &["--admin"]);
    let journal = installation.0.path().join("journal");
    let app = installation.start(&["--auth", "password", "--journal", journal.to_str().unwrap()]).await;
    let anna = signed_in(&app, "anna").await;
    let send = async |method, path: &str, body: Value| {
        let response = send_as(&app, &anna, method, &format!("{USERS}{path}"), &body).await;
        assert!(response.status.is_success(), "{path}: {}", response.body);
        response.body
    };
    let added = send(Method::POST, "", json!({ "username": "bert", "permissions": ["CREATE_TAG"] })).await;
    let one_time: Value = serde_json::from_str(&added).unwrap();
    choose_password(&app, "bert", &one_time["oneTimePassword"], NEW_PASSWORD).await;
    send(Method::POST, "/bert/permissions", json!({ "granted": ["ADMIN"], "revoked": ["CREATE_TAG"] })).await;
    let reset = send(Method::POST, "/bert/password", json!({})).await;
    send(Method::POST, "/bert/disable", json!({})).await;
    send(Method::POST, "/bert/enable", json!({})).await;
    send(Method::DELETE, "/bert", Value::Null).await;
    app.stop().await;
    let text = fs::read_to_string(journal).unwrap();
    for secret in [
        &one_time["oneTimePassword"],
        &serde_json::from_str::<Value>(&reset).unwrap()["oneTimePassword"],
        &json!(NEW_PASSWORD),
    ] {
        assert!(!text.contains(secret.as_str().unwrap()), "{text}");
    }
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let chosen = lines.clone().find(|line| line["kind"] == "sign-in" && line["item"]["name"] == "bert");
    assert_eq!(chosen.unwrap()["change"], "chose a new password");
    let changes: Vec<_> = lines
        .filter(|line| line["kind"] == "change")
        .map(|line| (line["change"].as_str().unwrap().to_owned(), line["item"]["name"].clone()))
        .collect();
    let expected = [
        "added the user bert with CREATE_TAG",
        "granted ADMIN and revoked CREATE_TAG for bert",
        "set a one-time password for bert",
        "disabled the user bert",
        "enabled the user bert",
        "removed the user bert",
    ];
    assert_eq!(changes, expected.map(|words| (words.to_owned(), json!("bert"))));
}

#[actix_web::test]
async fn users_are_not_managed_without_passwords() {
    for mode in ["none", "unsecure"] {
        let app = TestApp::with(&["--data", ":memory:", "--auth", mode]).await;
        let by_email = app.post("/api/admin/login", &json!({ "email": "anna@example.com" })).await;
        let session = by_email.header("set-cookie").split(';').next().unwrap().to_owned();
        assert_eq!(get(&app, &session, USERS).await.status, StatusCode::NOT_FOUND, "{mode}");
    }
}
