//! Sessions of signed-in users.

use std::fs;

use actix_web::http::{Method, StatusCode};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::{Installation, PASSWORD, USER, get, send_as, sign_in, signed_in};
use crate::sdk::hold::until;
use crate::support::app::{Response, TestApp};
use crate::support::document::Document;
use crate::support::engine::{is_postgres, random_token};

const HOUR: i64 = 3600;
const DAY: i64 = 24 * HOUR;

/// Sets the start and the end of the only session, in seconds from now.
fn shift_session(installation: &Installation, begun: i64, end: i64) {
    let now = Timestamp::now().as_second();
    let (begun, end) = (now + begun, now + end);
    let shift = format!("UPDATE sessions SET created_at = {begun}, expires_at = {end} RETURNING 1");
    assert_eq!(installation.run_sql(&shift), "1");
}

async fn status(app: &TestApp, session: &str) -> StatusCode {
    get(app, session, USER).await.status
}

#[actix_web::test]
async fn session_survives_a_restart() {
    let installation = Installation::new();
    installation.add("anna", &[]);
    let first = installation.start_with_passwords().await;
    let session = signed_in(&first, "anna").await;
    first.stop().await;
    assert_eq!(status(&installation.start_with_passwords().await, &session).await, StatusCode::OK);
}

#[actix_web::test]
async fn stored_token_hash_is_not_a_valid_token() {
    let installation = Installation::new();
    installation.add("anna", &[]);
    let app = installation.start_with_passwords().await;
    let session = signed_in(&app, "anna").await;
    let token = session.strip_prefix("flagdeck-session=").unwrap();
    assert_eq!(token.len(), 64);
    let to_hex = if is_postgres() { "encode(token_hash, 'hex')" } else { "lower(hex(token_hash))" };
    let stored = installation.run_sql(&format!("SELECT {to_hex} FROM sessions"));
    assert_ne!(stored, token);
    assert_eq!(status(&app, &format!("flagdeck-session={stored}")).await, StatusCode::UNAUTHORIZED);
}

#[actix_web::test]
async fn signing_in_again_replaces_the_session() {
    let installation = Installation::new();
    installation.add("anna", &[]);
    let app = installation.start_with_passwords().await;
    let first = signed_in(&app, "anna").await;
    let body = json!({ "username": "anna", "password": PASSWORD });
    let second = super::cookie(&send_as(&app, &first, Method::POST, super::LOGIN, &body).await);
    assert_ne!(first, second);
    assert_eq!(status(&app, &first).await, StatusCode::UNAUTHORIZED);
    assert_eq!(status(&app, &second).await, StatusCode::OK);
}

#[actix_web::test]
async fn signing_out_deletes_the_session() {
    // proves S7-020 S7-021 S2-028
    let installation = Installation::new();
    installation.add("anna", &[]);
    let app = installation.start_with_passwords().await;
    for (method, path, status_of_success) in [
        (Method::GET, "/api/admin/user/logout", StatusCode::FOUND),
        (Method::GET, "/logout", StatusCode::FOUND),
        (Method::POST, "/-/logout", StatusCode::OK),
    ] {
        let (session, other) = (signed_in(&app, "anna").await, signed_in(&app, "anna").await);
        let response = send_as(&app, &session, method.clone(), path, &Value::Null).await;
        assert_eq!(response.status, status_of_success, "{path}");
        assert!(response.json().is_object(), "{path}");
        let cookie = response.header("set-cookie");
        assert!(
            cookie.starts_with("flagdeck-session=; ") && cookie.ends_with("; Path=/; Max-Age=0"),
            "{path}"
        );
        assert_eq!(status(&app, &session).await, StatusCode::UNAUTHORIZED, "{path}");
        assert_eq!(status(&app, &other).await, StatusCode::OK, "{path}");
        // Signing out twice is not an error.
        let again = send_as(&app, &session, method, path, &Value::Null).await;
        assert_eq!(again.status, status_of_success, "{path}");
    }
}

#[actix_web::test]
async fn signing_out_by_get_redirects_or_returns_json() {
    // proves S7-020
    let installation = Installation::new();
    installation.add("anna", &[]);
    for (base, location) in [("", "/"), ("/flags", "/flags/")] {
        let app = installation.start(&["--auth", "password", "--base-path", base]).await;
        for path in ["/api/admin/user/logout", "/logout"] {
            for (accept, expected) in [
                ("*/*", (StatusCode::FOUND, location)),
                ("image/avif,*/*;q=0.8", (StatusCode::FOUND, location)),
                ("application/json", (StatusCode::OK, "")),
            ] {
                let response =
                    app.send(Method::GET, &format!("{base}{path}"), &[("accept", accept)], "").await;
                assert_eq!((response.status, response.header("location")), expected, "{base}{path} {accept}");
                assert_eq!(response.json(), json!({ "signedOut": true }));
            }
        }
        app.stop().await;
    }
}

#[actix_web::test]
async fn navigating_to_the_sign_out_path_returns_the_console() {
    // proves S2-028
    let installation = Installation::new();
    installation.add("anna", &[]);
    let app = installation.start_with_passwords().await;
    let session = signed_in(&app, "anna").await;
    let browser = [
        ("accept", "text/html,application/xhtml+xml,*/*;q=0.8"),
        ("sec-fetch-mode", "navigate"),
        ("sec-fetch-site", "same-origin"),
        ("cookie", session.as_str()),
    ];
    let page = app.send(Method::GET, "/logout", &browser, "").await;
    assert_eq!(page.status, StatusCode::OK);
    assert!(page.header("content-type").starts_with("text/html"), "{}", page.header("content-type"));
    assert_eq!(status(&app, &session).await, StatusCode::OK, "loading the page does not sign out");
    let head = app.send(Method::HEAD, "/logout", &[("cookie", session.as_str())], "").await;
    assert_eq!(head.status, StatusCode::NOT_FOUND);
    assert_eq!(status(&app, &session).await, StatusCode::OK, "HEAD ends no session");
    let link = app.send(Method::GET, "/api/admin/user/logout", &browser, "").await;
    assert_eq!(
        (link.status, link.header("location")),
        (StatusCode::FOUND, "/"),
        "a link of the console itself"
    );
    assert_eq!(status(&app, &session).await, StatusCode::UNAUTHORIZED);
}

#[actix_web::test]
async fn other_sites_cannot_sign_users_out() {
    let installation = Installation::new();
    installation.add("anna", &[]);
    let app = installation.start_with_passwords().await;
    let session = signed_in(&app, "anna").await;
    for (accept, mode) in
        [("image/avif,*/*;q=0.8", "no-cors"), ("*/*", "cors"), ("text/html,*/*", "navigate")]
    {
        for site in ["cross-site", "same-site"] {
            for path in ["/api/admin/user/logout", "/logout"] {
                let headers = [
                    ("accept", accept),
                    ("sec-fetch-mode", mode),
                    ("sec-fetch-site", site),
                    ("cookie", session.as_str()),
                ];
                let response = app.send(Method::GET, path, &headers, "").await;
                if path == "/api/admin/user/logout" || mode != "navigate" {
                    assert_eq!(response.status, StatusCode::FORBIDDEN, "{path} {mode} {site}");
                    assert_eq!(response.header("x-flagdeck-error"), "cross_site", "{path} {mode} {site}");
                } else {
                    assert_eq!(response.header("location"), "/logout?confirm", "the page asks first");
                }
                assert_eq!(response.header("set-cookie"), "", "{path} {mode} {site}");
                assert_eq!(status(&app, &session).await, StatusCode::OK, "{path} {mode} {site}");
            }
        }
    }
    let typed = [("accept", "*/*"), ("sec-fetch-site", "none"), ("cookie", session.as_str())];
    assert_eq!(app.send(Method::GET, "/logout", &typed, "").await.status, StatusCode::FOUND);
    assert_eq!(status(&app, &session).await, StatusCode::UNAUTHORIZED);
}

#[actix_web::test]
async fn unused_session_expires() {
    let installation = Installation::new();
    installation.add("anna", &[]);
    let app = installation.start_with_passwords().await;
    let session = signed_in(&app, "anna").await;
    shift_session(&installation, -13 * HOUR, -1);
    assert_eq!(status(&app, &session).await, StatusCode::UNAUTHORIZED);
    signed_in(&app, "anna").await;
    let kept = installation.run_sql("SELECT count(*) FROM sessions");
    assert_eq!(kept, "1", "the expired session is deleted");
}

#[actix_web::test]
async fn used_session_is_extended_up_to_a_month() {
    let installation = Installation::new();
    installation.add("anna", &[]);
    let app = installation.start_with_passwords().await;
    let session = signed_in(&app, "anna").await;
    let age = |response: &Response| {
        response.header("set-cookie").split("Max-Age=").nth(1)?.split(';').next()?.parse::<i64>().ok()
    };
    assert_eq!(age(&get(&app, &session, USER).await), None, "just begun");
    shift_session(&installation, -6 * HOUR, 6 * HOUR);
    let prolonged = get(&app, &session, USER).await;
    assert_eq!(age(&prolonged), Some(12 * HOUR));
    assert!(prolonged.header("set-cookie").starts_with(&session), "the same session");
    assert_eq!(age(&get(&app, &session, USER).await), None, "just prolonged");
    shift_session(&installation, -30 * DAY + 4 * HOUR, HOUR);
    let capped = age(&get(&app, &session, USER).await).unwrap();
    assert!((3 * HOUR..=4 * HOUR).contains(&capped), "{capped}");
    shift_session(&installation, -30 * DAY + HOUR, HOUR);
    assert_eq!(age(&get(&app, &session, USER).await), None, "the maximum lifetime is reached");
}

#[actix_web::test]
async fn session_of_another_auth_mode_is_rejected() {
    let installation = Installation::new();
    installation.add("anna", &["--admin"]);
    let unsecure = installation.start(&["--auth", "unsecure"]).await;
    let by_email =
        super::cookie(&unsecure.post("/api/admin/login", &json!({ "email": "anna@example.com" })).await);
    unsecure.stop().await;
    let app = installation.start_with_passwords().await;
    assert_eq!(status(&app, &by_email).await, StatusCode::UNAUTHORIZED);
    let by_password = super::cookie(&sign_in(&app, "anna", PASSWORD).await);
    app.stop().await;
    let unsecure = installation.start(&["--auth", "unsecure"]).await;
    assert_eq!(status(&unsecure, &by_password).await, StatusCode::UNAUTHORIZED);
    assert_eq!(status(&unsecure, &by_email).await, StatusCode::OK);
}

#[actix_web::test]
async fn sessions_per_user_are_limited() {
    let installation = Installation::new();
    installation.add("anna", &[]);
    installation.add("bert", &[]);
    let app = installation.start_with_passwords().await;
    let bert = signed_in(&app, "bert").await;
    let oldest = signed_in(&app, "anna").await;
    let now = Timestamp::now().as_second();
    let random = random_token();
    installation.run_sql(&format!(
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
         INSERT INTO sessions (token_hash, \"user\", created_at, expires_at)
         SELECT {random}, 'anna', {now} + 1, {now} + 3600 FROM n"
    ));
    signed_in(&app, "anna").await;
    assert_eq!(installation.run_sql("SELECT count(*) FROM sessions WHERE \"user\" = 'anna'"), "1000");
    assert_eq!(status(&app, &oldest).await, StatusCode::UNAUTHORIZED);
    assert_eq!(status(&app, &bert).await, StatusCode::OK);
}

const SESSIONS: &str = "/api/admin/sessions";

#[actix_web::test]
async fn administrators_see_and_revoke_sessions() {
    let installation = Installation::new();
    installation.add("anna", &["--admin"]);
    installation.add("bert", &["--name", "Bert B.", "--email", "bert@example.com"]);
    let journal = installation.0.path().join("journal");
    let app = installation.start(&["--auth", "password", "--journal", journal.to_str().unwrap()]).await;
    let anna = signed_in(&app, "anna").await;
    let body = json!({ "username": "bert", "password": PASSWORD }).to_string();
    let firefox = ("user-agent", "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0");
    let by_firefox = app.send(Method::POST, super::LOGIN, &[super::JSON, firefox], &body).await;
    let bert = super::cookie(&by_firefox);
    let others = [signed_in(&app, "bert").await, signed_in(&app, "bert").await];
    assert_eq!(get(&app, &bert, SESSIONS).await.status, StatusCode::FORBIDDEN);

    let document = Document::of(&app).await;
    let check = |method: Method, path: &str, response: &Response| {
        let operation = document.operation(&method, path).unwrap();
        assert_eq!(document.differences(&operation, response), Vec::<String>::new(), "{method} {path}");
    };
    let listed = get(&app, &anna, SESSIONS).await;
    check(Method::GET, SESSIONS, &listed);
    let listed = listed.json();
    assert_eq!(listed["isComplete"], true);
    let sessions = listed["sessions"].as_array().unwrap();
    assert_eq!(sessions.len(), 4);
    let own: Vec<_> = sessions.iter().filter(|session| session["isOwn"] == true).collect();
    assert_eq!((own.len(), &own[0]["username"]), (1, &json!("anna")));
    let found = sessions.iter().find(|session| session["client"] == "Firefox on Linux").unwrap();
    let mut shown = found.clone();
    for name in ["id", "createdAt", "lastUsedAt", "expiresAt"] {
        assert!(shown[name].take().is_string(), "{name}");
    }
    let null = Value::Null;
    assert_eq!(
        shown,
        json!({
            "id": null, "name": "Bert B.", "email": "bert@example.com", "username": "bert", "issuer": null,
            "subject": null, "method": "password", "address": "127.0.0.1", "client": "Firefox on Linux",
            "createdAt": null, "lastUsedAt": null, "expiresAt": null, "isOwn": false,
        })
    );

    let path = format!("{SESSIONS}/{}", found["id"].as_str().unwrap());
    for path in [&path, &format!("{SESSIONS}?username=bert")] {
        let headers = [("cookie", anna.as_str()), ("if-match", "\"nonsense\"")];
        let refused = app.send(Method::DELETE, path, &headers, "").await;
        assert_eq!(refused.status, StatusCode::PRECONDITION_FAILED, "sessions have no entity tags");
    }
    let revoked = send_as(&app, &anna, Method::DELETE, &path, &null).await;
    check(Method::DELETE, &path, &revoked);
    assert_eq!(revoked.json(), json!({ "revoked": 1, "includesOwn": false }));
    let refused = get(&app, &bert, USER).await;
    assert_eq!(refused.status, StatusCode::UNAUTHORIZED);
    let message = "An administrator has ended your session. Sign in again to continue";
    assert_eq!(refused.json()["message"], message);
    assert_eq!(status(&app, &others[0]).await, StatusCode::OK);
    let again = send_as(&app, &anna, Method::DELETE, &path, &null).await;
    assert_eq!(again.json(), json!({ "revoked": 0, "includesOwn": false }));

    for query in ["", "?username=bert&issuer=x", "?issuer=x", "?subject=x"] {
        let refused = send_as(&app, &anna, Method::DELETE, &format!("{SESSIONS}{query}"), &null).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{query}");
    }
    let all = send_as(&app, &anna, Method::DELETE, &format!("{SESSIONS}?username=Bert"), &null).await;
    check(Method::DELETE, SESSIONS, &all);
    assert_eq!(all.json(), json!({ "revoked": 2, "includesOwn": false }));
    for other in &others {
        assert_eq!(status(&app, other).await, StatusCode::UNAUTHORIZED);
    }
    // Signing in again starts a session without a trace of the revoked one.
    let signed_in =
        send_as(&app, &bert, Method::POST, super::LOGIN, &serde_json::from_str(&body).unwrap()).await;
    assert_eq!(status(&app, &super::cookie(&signed_in)).await, StatusCode::OK);
    assert_ne!(get(&app, &bert, USER).await.json()["message"], message);

    let own = send_as(&app, &anna, Method::DELETE, &format!("{SESSIONS}?username=anna"), &null).await;
    assert_eq!(own.json(), json!({ "revoked": 1, "includesOwn": true }));
    assert_eq!(status(&app, &anna).await, StatusCode::UNAUTHORIZED);
    app.stop().await;

    let text = fs::read_to_string(journal).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let changes: Vec<_> = lines
        .iter()
        .filter(|line| line["kind"] == "change" && line["status"] == 200)
        .map(|line| (line["change"].as_str().unwrap(), line["item"]["name"].as_str().unwrap_or_default()))
        .collect();
    assert_eq!(
        changes,
        [
            ("revoked a session of Bert B.", "Bert B."),
            ("revoke sessions", ""),
            ("revoked 2 sessions of Bert", "Bert"),
            ("revoked a session of anna", "anna"),
        ]
    );
}

#[actix_web::test]
async fn sessions_are_not_listed_without_proof_of_identity() {
    for mode in ["none", "unsecure"] {
        let app = TestApp::with(&["--data", ":memory:", "--auth", mode]).await;
        assert_eq!(app.get("/-/settings").await.json()["sessions"], false);
        let by_email = app.post("/api/admin/login", &json!({ "email": "anna@example.com" })).await;
        let session = by_email.header("set-cookie").split(';').next().unwrap().to_owned();
        assert_eq!(get(&app, &session, SESSIONS).await.status, StatusCode::NOT_FOUND, "{mode}");
    }
}

#[actix_web::test]
async fn last_use_of_a_session_is_written_once_a_minute_and_at_the_end() {
    let installation = Installation::new();
    installation.add("anna", &["--admin"]);
    let app = installation.start_with_passwords().await;
    let session = signed_in(&app, "anna").await;
    let start = Timestamp::now().as_second();
    let make_old = format!("UPDATE sessions SET last_used_at = {} RETURNING 1", start - HOUR);
    let last_use = || installation.run_sql("SELECT last_used_at FROM sessions").parse::<i64>().unwrap();

    installation.run_sql(&make_old);
    assert_eq!(status(&app, &session).await, StatusCode::OK);
    let deadline = Timestamp::now().as_second() + 20;
    while last_use() < start {
        assert!(Timestamp::now().as_second() < deadline, "the use is not written");
    }
    installation.run_sql(&make_old);
    assert_eq!(status(&app, &session).await, StatusCode::OK);
    assert_eq!(last_use(), start - HOUR, "the next write is due in a minute");
    app.stop().await;
    assert!(last_use() >= start, "the end writes what is due");
}

#[actix_web::test]
async fn last_use_before_the_clock_was_set_back_is_replaced() {
    let installation = Installation::new();
    installation.add("anna", &["--admin"]);
    let app = installation.start_with_passwords().await;
    let session = signed_in(&app, "anna").await;
    let later = Timestamp::now().as_second() + 8_760 * HOUR;
    installation.run_sql(&format!("UPDATE sessions SET last_used_at = {later} RETURNING 1"));
    assert_eq!(status(&app, &session).await, StatusCode::OK);
    let last_use = || installation.run_sql("SELECT last_used_at FROM sessions").parse::<i64>().unwrap();
    until(async || (last_use() < later - HOUR).then_some(())).await;
}
