//! What happens to somebody who is signed in.

use actix_web::http::{Method, StatusCode};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::{PASSWORD, Place, USER, ask, get, sign_in, signed_in};
use crate::support::app::TestApp;

const HOUR: i64 = 3600;
const DAY: i64 = 24 * HOUR;

/// Moves the one session in time, as if it had begun and were to end then, in seconds from now.
fn shift(place: &Place, begun: i64, end: i64) {
    let now = Timestamp::now().as_second();
    let changed = place
        .database()
        .execute("UPDATE sessions SET created_at = ?1, expires_at = ?2", [now + begun, now + end])
        .unwrap();
    assert_eq!(changed, 1);
}

async fn status(app: &TestApp, session: &str) -> StatusCode {
    get(app, session, USER).await.status
}

#[actix_web::test]
async fn a_session_survives_a_restart() {
    let place = Place::new();
    place.add("anna", &[]);
    let session = signed_in(&place.start_with_passwords().await, "anna").await;
    assert_eq!(status(&place.start_with_passwords().await, &session).await, StatusCode::OK);
}

#[actix_web::test]
async fn nobody_signs_in_with_what_the_database_holds() {
    let place = Place::new();
    place.add("anna", &[]);
    let app = place.start_with_passwords().await;
    let session = signed_in(&app, "anna").await;
    let token = session.strip_prefix("flagdeck-session=").unwrap();
    assert_eq!(token.len(), 64);
    let stored: String = place
        .database()
        .query_row("SELECT lower(hex(token_hash)) FROM sessions", [], |row| row.get(0))
        .unwrap();
    assert_ne!(stored, token);
    assert_eq!(status(&app, &format!("flagdeck-session={stored}")).await, StatusCode::UNAUTHORIZED);
}

#[actix_web::test]
async fn signing_in_again_replaces_the_session() {
    let place = Place::new();
    place.add("anna", &[]);
    let app = place.start_with_passwords().await;
    let first = signed_in(&app, "anna").await;
    let body = json!({ "username": "anna", "password": PASSWORD });
    let second = super::cookie(&ask(&app, &first, Method::POST, super::LOGIN, &body).await);
    assert_ne!(first, second);
    assert_eq!(status(&app, &first).await, StatusCode::UNAUTHORIZED);
    assert_eq!(status(&app, &second).await, StatusCode::OK);
}

#[actix_web::test]
async fn signing_out_ends_the_session_at_the_server() {
    // proves S7-020 S7-021 S2-028
    let place = Place::new();
    place.add("anna", &[]);
    let app = place.start_with_passwords().await;
    for (method, path, status_of_success) in [
        (Method::GET, "/api/admin/user/logout", StatusCode::FOUND),
        (Method::GET, "/logout", StatusCode::FOUND),
        (Method::POST, "/-/logout", StatusCode::OK),
    ] {
        let (session, other) = (signed_in(&app, "anna").await, signed_in(&app, "anna").await);
        let answer = ask(&app, &session, method.clone(), path, &Value::Null).await;
        assert_eq!(answer.status, status_of_success, "{path}");
        assert!(answer.json().is_object(), "{path}");
        assert!(answer.header("set-cookie").starts_with("flagdeck-session=; Path=/; Max-Age=0;"), "{path}");
        assert_eq!(status(&app, &session).await, StatusCode::UNAUTHORIZED, "{path}");
        assert_eq!(status(&app, &other).await, StatusCode::OK, "{path}");
        // Twice does no harm.
        let again = ask(&app, &session, method, path, &Value::Null).await;
        assert_eq!(again.status, status_of_success, "{path}");
    }
}

#[actix_web::test]
async fn signing_out_by_get_redirects_to_the_console_or_tells_it_in_json() {
    // proves S7-020
    let place = Place::new();
    place.add("anna", &[]);
    for (base, location) in [("", "/"), ("/flags", "/flags/")] {
        let app = place.start(&["--auth", "password", "--base-path", base]).await;
        for path in ["/api/admin/user/logout", "/logout"] {
            for (accept, expected) in [
                ("*/*", (StatusCode::FOUND, location)),
                ("image/avif,*/*;q=0.8", (StatusCode::FOUND, location)),
                ("application/json", (StatusCode::OK, "")),
            ] {
                let answer = app.send(Method::GET, &format!("{base}{path}"), &[("accept", accept)], "").await;
                assert_eq!((answer.status, answer.header("location")), expected, "{base}{path} {accept}");
                assert_eq!(answer.json(), json!({ "signedOut": true }));
            }
        }
    }
}

#[actix_web::test]
async fn a_browser_that_opens_the_sign_out_page_gets_the_console() {
    // proves S2-028
    let place = Place::new();
    place.add("anna", &[]);
    let app = place.start_with_passwords().await;
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
    assert_eq!(status(&app, &session).await, StatusCode::OK, "the page signs out, not its address");
    let head = app.send(Method::HEAD, "/logout", &[("cookie", session.as_str())], "").await;
    assert_eq!(head.status, StatusCode::NOT_FOUND);
    assert_eq!(status(&app, &session).await, StatusCode::OK, "HEAD ends no session");
    let link = app.send(Method::GET, "/api/admin/user/logout", &browser, "").await;
    assert_eq!(
        (link.status, link.header("location")),
        (StatusCode::FOUND, "/"),
        "a link of the console's own"
    );
    assert_eq!(status(&app, &session).await, StatusCode::UNAUTHORIZED);
}

#[actix_web::test]
async fn pages_of_other_sites_sign_nobody_out() {
    let place = Place::new();
    place.add("anna", &[]);
    let app = place.start_with_passwords().await;
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
                let answer = app.send(Method::GET, path, &headers, "").await;
                if path == "/api/admin/user/logout" || mode != "navigate" {
                    assert_eq!(answer.status, StatusCode::FORBIDDEN, "{path} {mode} {site}");
                    assert_eq!(answer.header("x-flagdeck-error"), "cross_site", "{path} {mode} {site}");
                } else {
                    assert_eq!(answer.header("location"), "/logout?confirm", "the page asks first");
                }
                assert_eq!(answer.header("set-cookie"), "", "{path} {mode} {site}");
                assert_eq!(status(&app, &session).await, StatusCode::OK, "{path} {mode} {site}");
            }
        }
    }
    let typed = [("accept", "*/*"), ("sec-fetch-site", "none"), ("cookie", session.as_str())];
    assert_eq!(app.send(Method::GET, "/logout", &typed, "").await.status, StatusCode::FOUND);
    assert_eq!(status(&app, &session).await, StatusCode::UNAUTHORIZED);
}

#[actix_web::test]
async fn a_session_ends_when_it_is_not_used() {
    let place = Place::new();
    place.add("anna", &[]);
    let app = place.start_with_passwords().await;
    let session = signed_in(&app, "anna").await;
    shift(&place, -13 * HOUR, -1);
    assert_eq!(status(&app, &session).await, StatusCode::UNAUTHORIZED);
    signed_in(&app, "anna").await;
    let kept: i64 =
        place.database().query_row("SELECT count(*) FROM sessions", [], |row| row.get(0)).unwrap();
    assert_eq!(kept, 1, "the one that ended is forgotten");
}

#[actix_web::test]
async fn a_session_that_is_used_is_prolonged_now_and_then_up_to_a_month() {
    let place = Place::new();
    place.add("anna", &[]);
    let app = place.start_with_passwords().await;
    let session = signed_in(&app, "anna").await;
    let age = |answer: &crate::support::app::Answer| {
        answer.header("set-cookie").split("Max-Age=").nth(1)?.split(';').next()?.parse::<i64>().ok()
    };
    assert_eq!(age(&get(&app, &session, USER).await), None, "just begun");
    shift(&place, -6 * HOUR, 6 * HOUR);
    let prolonged = get(&app, &session, USER).await;
    assert_eq!(age(&prolonged), Some(12 * HOUR));
    assert!(prolonged.header("set-cookie").starts_with(&session), "the same session");
    assert_eq!(age(&get(&app, &session, USER).await), None, "just prolonged");
    shift(&place, -30 * DAY + 4 * HOUR, HOUR);
    let capped = age(&get(&app, &session, USER).await).unwrap();
    assert!((3 * HOUR..=4 * HOUR).contains(&capped), "{capped}");
    shift(&place, -30 * DAY + HOUR, HOUR);
    assert_eq!(age(&get(&app, &session, USER).await), None, "there is no more to give");
}

#[actix_web::test]
async fn a_session_of_another_way_to_sign_in_is_none() {
    let place = Place::new();
    place.add("anna", &["--admin"]);
    let unsecure = place.start(&["--auth", "unsecure"]).await;
    let by_email =
        super::cookie(&unsecure.post("/api/admin/login", &json!({ "email": "anna@example.com" })).await);
    let app = place.start_with_passwords().await;
    assert_eq!(status(&app, &by_email).await, StatusCode::UNAUTHORIZED);
    let by_password = super::cookie(&sign_in(&app, "anna", PASSWORD).await);
    assert_eq!(status(&unsecure, &by_password).await, StatusCode::UNAUTHORIZED);
    assert_eq!(status(&unsecure, &by_email).await, StatusCode::OK);
}

#[actix_web::test]
async fn sessions_of_one_user_are_bounded() {
    let place = Place::new();
    place.add("anna", &[]);
    place.add("bert", &[]);
    let app = place.start_with_passwords().await;
    let bert = signed_in(&app, "bert").await;
    let oldest = signed_in(&app, "anna").await;
    let database = place.database();
    database
        .execute(
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
             INSERT INTO sessions (token_hash, user, created_at, expires_at)
             SELECT randomblob(32), 'anna', unixepoch() + 1, unixepoch() + 3600 FROM n",
            [],
        )
        .unwrap();
    signed_in(&app, "anna").await;
    let kept: i64 = database
        .query_row("SELECT count(*) FROM sessions WHERE user = 'anna'", [], |row| row.get(0))
        .unwrap();
    assert_eq!(kept, 1000);
    assert_eq!(status(&app, &oldest).await, StatusCode::UNAUTHORIZED);
    assert_eq!(status(&app, &bert).await, StatusCode::OK);
}
