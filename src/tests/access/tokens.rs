//! The tokens of client libraries.

use std::time::{Duration, Instant};

use actix_web::http::{Method, StatusCode};
use serde_json::json;

use super::{JSON, Place};
use crate::support::app::TestApp;

const FEATURES: &str = "/api/client/features";

async fn status(app: &TestApp, authorization: &str) -> StatusCode {
    app.send(Method::GET, FEATURES, &[("authorization", authorization)], "").await.status
}

/// Asks until the answer is this, which has to be within a second of what was done before; the rest of the time is for
/// a busy machine.
async fn becomes(app: &TestApp, authorization: &str, wanted: StatusCode) {
    let start = Instant::now();
    while status(app, authorization).await != wanted {
        assert!(start.elapsed() < Duration::from_secs(20), "it never became {wanted}");
    }
}

#[actix_web::test]
async fn once_there_is_a_token_client_libraries_have_to_show_one() {
    let place = Place::new();
    let app = place.start(&[]).await;
    assert_eq!(app.get(FEATURES).await.status, StatusCode::OK);
    let added = place.run(&["token", "add", "--name", "shop"], "");
    let token = String::from_utf8(added.stdout).unwrap();
    assert!(token.len() == 65 && token.ends_with('\n'), "the token alone: {token:?}");
    assert!(String::from_utf8(added.stderr).unwrap().contains("one time"));
    let token = token.trim_end();

    becomes(&app, "", StatusCode::UNAUTHORIZED).await;
    let refused = app.get(FEATURES).await;
    assert_eq!(refused.json()["code"], "token_needed");
    assert!(refused.json()["message"].as_str().unwrap().contains("Authorization"), "{}", refused.body);
    assert_eq!(status(&app, token).await, StatusCode::OK);
    assert_eq!(status(&app, &format!("Bearer {token}")).await, StatusCode::OK);
    assert_eq!(status(&app, &token.to_uppercase()).await, StatusCode::UNAUTHORIZED);
    let register = json!({ "appName": "shop", "instanceId": "1", "strategies": [], "started": "2026-01-01T00:00:00Z", "interval": 10 })
        .to_string();
    for (path, body) in [("/api/client/register", register.as_str()), ("/api/client/metrics", "{}")] {
        let answer = app.send(Method::POST, path, &[JSON], body).await;
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{path}");
    }
    let answer =
        app.send(Method::POST, "/api/client/register", &[JSON, ("authorization", token)], &register).await;
    assert_eq!(answer.status, StatusCode::ACCEPTED, "{}", answer.body);
    assert_eq!(
        app.get("/api/admin/features").await.status,
        StatusCode::OK,
        "tokens are for client libraries"
    );

    let second = place.say(&["token", "add", "--name", "till"], "");
    becomes(&app, second.trim_end(), StatusCode::OK).await;
    place.say(&["token", "remove", "shop"], "");
    becomes(&app, token, StatusCode::UNAUTHORIZED).await;
    assert!(
        place.say(&["token", "remove", "till"], "").contains("requests of all client libraries are accepted")
    );
    becomes(&app, "", StatusCode::OK).await;
}

#[actix_web::test]
async fn a_token_opens_nothing_else() {
    let place = Place::new();
    let token = place.say(&["token", "add", "--name", "shop"], "");
    let app = place.start_with_passwords().await;
    let token = [("authorization", token.trim_end())];
    assert_eq!(
        app.send(Method::GET, "/api/admin/features", &token, "").await.status,
        StatusCode::UNAUTHORIZED
    );
    assert_eq!(app.send(Method::GET, FEATURES, &token, "").await.status, StatusCode::OK);
}

#[test]
fn tokens_are_listed_by_name_and_never_shown_again() {
    let place = Place::new();
    let token = place.say(&["token", "add", "--name", "the shop"], "");
    let list = place.say(&["token", "list"], "");
    assert!(list.starts_with("the shop, added 20") && !list.contains(token.trim_end()), "{list}");
    let bytes = std::fs::read(place.data()).unwrap();
    assert!(!bytes.windows(64).any(|window| window == token.trim_end().as_bytes()));
    for (arguments, reason) in [
        (&["token", "add", "--name", "the shop"][..], "A token with the name the shop already exists"),
        (&["token", "add", "--name", ""], "1 to 100 characters"),
        (&["token", "remove", "none"], "There is no token none"),
    ] {
        let output = place.run(arguments, "");
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(1) && said.contains(reason), "{arguments:?}: {said}");
    }
}
