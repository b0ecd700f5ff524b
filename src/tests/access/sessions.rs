//! Sessions of signed-in users.

use actix_web::http::{Method, StatusCode};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::{Installation, PASSWORD, USER, get, send_as, sign_in, signed_in};
use crate::support::app::TestApp;
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
    let age = |response: &crate::support::app::Response| {
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
