//! Signing in: by password, by address, and what is said to those who have not.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::Stdio;

use actix_web::http::{Method, StatusCode};
use serde_json::json;

use super::{JSON, LOGIN, PASSWORD, Place, USER, ask, cookie, get, sign_in, signed_in};
use crate::support::app::TestApp;

#[actix_web::test]
async fn a_password_lets_its_user_in() {
    // proves S7-022 S7-023 S3-032
    let place = Place::new();
    place
        .add("anna", &["--email", "anna@example.com", "--name", "Anna A.", "--permission", "CREATE_FEATURE"]);
    let app = place.start_with_passwords().await;
    let anna = json!({
        "username": "anna", "name": "Anna A.", "email": "anna@example.com",
        "imageUrl": "/-/avatars/AA-7.svg", "permissions": ["CREATE_FEATURE"],
    });
    let answer = sign_in(&app, "anna", PASSWORD).await;
    let session = cookie(&answer);
    assert_eq!(answer.json(), anna);
    assert_eq!(get(&app, &session, USER).await.json(), anna);

    let toggle = json!({ "name": "by.anna", "strategies": [{ "name": "default" }] });
    let created = ask(&app, &session, Method::POST, "/api/admin/features", &toggle).await;
    assert_eq!(created.status, StatusCode::CREATED, "{}", created.body);
    let events = get(&app, &session, "/api/admin/events").await.json();
    assert_eq!(events["events"][0]["createdBy"], "anna@example.com");
}

#[actix_web::test]
async fn who_is_not_signed_in_is_told_how() {
    // proves S2-107
    let place = Place::new();
    let app = place.start(&["--auth", "password", "--base-path", "/flags"]).await;
    let nobody = app.get("/flags/api/admin/user").await;
    assert_eq!(nobody.status, StatusCode::UNAUTHORIZED);
    let body = nobody.json();
    assert_eq!(
        (body["type"].as_str(), body["path"].as_str()),
        (Some("password"), Some("/flags/auth/simple/login"))
    );
    assert!(body["message"].as_str().unwrap().contains("flagdeck user add"), "{body}");

    place.add("anna", &[]);
    for path in ["/flags/api/admin/user", "/flags/api/admin/features", "/flags/api/admin/none"] {
        for cookie in ["", "flagdeck-session=", "flagdeck-session=0123", "flagdeck-session=%00"] {
            let answer = get(&app, cookie, path).await;
            assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{path} {cookie}");
            assert!(!answer.body.contains("user add"), "{}", answer.body);
        }
    }
    assert_eq!(app.get("/flags/-/settings").await.json()["signOut"], true);
    let answer =
        app.post("/flags/auth/simple/login", &json!({ "username": "anna", "password": PASSWORD })).await;
    assert!(answer.header("set-cookie").contains("; Path=/flags;"), "{}", answer.header("set-cookie"));
}

#[actix_web::test]
async fn a_wrong_password_and_an_unknown_user_are_not_told_apart() {
    let place = Place::new();
    place.add("anna", &["--admin"]);
    let app = place.start_with_passwords().await;
    let wrong = sign_in(&app, "anna", "wrong horse").await;
    let unknown = sign_in(&app, "nobody", PASSWORD).await;
    assert_eq!(wrong.status, StatusCode::BAD_REQUEST);
    assert_eq!(wrong.json()["code"], "wrong_credentials");
    assert_eq!((wrong.status, &wrong.body), (unknown.status, &unknown.body));
    assert_eq!((wrong.header("set-cookie"), unknown.header("set-cookie")), ("", ""));
    cookie(&sign_in(&app, "ANNA", PASSWORD).await);
}

#[actix_web::test]
async fn guessing_is_stopped_for_a_while() {
    let place = Place::new();
    place.add("anna", &["--admin"]);
    place.add("bert", &["--admin"]);
    let app = place.start_with_passwords().await;
    for _ in 0..5 {
        assert_eq!(sign_in(&app, "anna", "wrong horse").await.status, StatusCode::BAD_REQUEST);
    }
    let stopped = sign_in(&app, "anna", PASSWORD).await;
    assert_eq!(stopped.status, StatusCode::TOO_MANY_REQUESTS);
    let seconds: u64 = stopped.header("retry-after").parse().unwrap();
    assert!((1..=31).contains(&seconds), "{seconds}");
    assert!(
        stopped.json()["message"].as_str().unwrap().contains(&format!("{seconds} s")),
        "{}",
        stopped.body
    );
    signed_in(&app, "bert").await;
    let claimed = [JSON, ("x-forwarded-for", "192.0.2.7")];
    let body = json!({ "username": "anna", "password": PASSWORD }).to_string();
    let claim = app.send(Method::POST, LOGIN, &claimed, &body).await;
    assert_eq!(claim.status, StatusCode::TOO_MANY_REQUESTS, "anybody could claim to be somebody else");
}

#[actix_web::test]
async fn behind_a_trusted_proxy_each_of_its_clients_is_counted_alone() {
    let place = Place::new();
    place.add("anna", &["--admin"]);
    let app = place.start(&["--auth", "password", "--trusted-proxy", "127.0.0.1"]).await;
    let from = async |address: &str, password: &str| {
        let body = json!({ "username": "anna", "password": password }).to_string();
        app.send(Method::POST, LOGIN, &[JSON, ("x-forwarded-for", address)], &body).await.status
    };
    for _ in 0..5 {
        assert_eq!(from("6.6.6.6, 192.0.2.7", "wrong horse").await, StatusCode::BAD_REQUEST);
    }
    assert_eq!(from("192.0.2.7", PASSWORD).await, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(from("192.0.2.8", PASSWORD).await, StatusCode::OK);
}

#[actix_web::test]
async fn an_address_is_enough_where_that_is_set() {
    // proves S7-022 S7-024
    let app = TestApp::with(&["--data", ":memory:", "--auth", "unsecure"]).await;
    let asked = app.get(USER).await;
    assert_eq!(asked.status, StatusCode::UNAUTHORIZED);
    assert_eq!(
        (&asked.json()["type"], &asked.json()["path"]),
        (&json!("unsecure"), &json!("/api/admin/login"))
    );
    for email in [json!("nope"), json!(""), json!(7), json!(null)] {
        let refused = app.post("/api/admin/login", &json!({ "email": email })).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{email}");
        assert!(
            refused.json()["details"][0]["message"].as_str().unwrap().contains("email"),
            "{}",
            refused.body
        );
    }
    let answer = app.post("/api/admin/login", &json!({ "email": "anna@example.com" })).await;
    assert_eq!(answer.json(), json!({ "email": "anna@example.com", "imageUrl": "/-/avatars/A-7.svg" }));
    let session = cookie(&answer);
    let toggle = json!({ "name": "by.anna", "strategies": [{ "name": "default" }] });
    let created = ask(&app, &session, Method::POST, "/api/admin/features", &toggle).await;
    assert_eq!(created.status, StatusCode::CREATED, "{}", created.body);
    let events = get(&app, &session, "/api/admin/events").await.json();
    assert_eq!(events["events"][0]["createdBy"], "anna@example.com");
    assert_eq!(sign_in(&app, "anna", PASSWORD).await.status, StatusCode::NOT_FOUND);
}

#[actix_web::test]
async fn nobody_signs_in_where_nobody_has_to() {
    let app = TestApp::embedded().await;
    let user = app.get(USER).await.json();
    assert_eq!(
        user,
        json!({ "username": "operator", "imageUrl": "/-/avatars/O-6.svg", "permissions": ["ADMIN"] })
    );
    assert_eq!(app.get("/-/settings").await.json()["signOut"], false);
    let answer = app.post("/api/admin/login", &json!({ "email": "anna@example.com" })).await;
    assert_eq!((answer.status, answer.header("set-cookie")), (StatusCode::NOT_FOUND, ""));
}

#[actix_web::test]
async fn another_site_signs_nobody_in_or_out() {
    let place = Place::new();
    place.add("anna", &["--admin"]);
    let app = place.start_with_passwords().await;
    let body = json!({ "username": "anna", "password": PASSWORD }).to_string();
    // What a form can send without being asked first.
    for kind in ["text/plain", "application/x-www-form-urlencoded", "application/json; charset=utf-8"] {
        let form = app.send(Method::POST, LOGIN, &[("content-type", kind)], &body).await;
        assert_eq!(form.status, StatusCode::UNSUPPORTED_MEDIA_TYPE, "{kind}");
    }
    let set = sign_in(&app, "anna", PASSWORD).await.header("set-cookie").to_owned();
    assert!(set.ends_with("; Path=/; Max-Age=43200; HttpOnly; SameSite=Lax"), "{set}");
    let secure = [JSON, ("x-forwarded-proto", "https")];
    let set = app.send(Method::POST, LOGIN, &secure, &body).await.header("set-cookie").to_owned();
    assert!(set.ends_with("; HttpOnly; SameSite=Lax; Secure"), "{set}");
}

#[actix_web::test]
async fn a_session_that_began_by_https_goes_by_https_alone() {
    let place = Place::new();
    place.add("anna", &["--admin"]);
    let app = place.start(&["--auth", "password", "--public-url", "https://flags.example"]).await;
    let body = json!({ "username": "anna", "password": PASSWORD }).to_string();
    let answer = app.send(Method::POST, LOGIN, &[JSON, ("host", "flags.example")], &body).await;
    assert!(
        answer.header("set-cookie").ends_with("; SameSite=Lax; Secure"),
        "{}",
        answer.header("set-cookie")
    );
}

#[actix_web::test]
async fn odd_credentials_are_refused_with_what_is_wrong_with_them() {
    let app = Place::new().start_with_passwords().await;
    let long = "x".repeat(2000);
    for (body, names) in [
        (json!({}), "username"),
        (json!({ "username": "anna" }), "password"),
        (json!({ "username": "anna", "password": "" }), "password"),
        (json!({ "username": ["anna"], "password": "x" }), "username"),
        (json!({ "username": "anna", "password": long }), "password"),
        (json!({ "username": long, "password": "x" }), "username"),
        (json!([]), "value"),
    ] {
        let answer = app.post(LOGIN, &body).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{body}");
        let message = answer.json()["details"][0]["message"].as_str().unwrap().to_owned();
        assert!(message.contains(names) && !message.contains("xxx"), "{message}");
    }
}

#[actix_web::test]
async fn the_log_holds_no_secrets() {
    let place = Place::new();
    place.add("anna", &["--admin"]);
    let token = place.say(&["token", "add", "--name", "shop"], "");
    let mut command =
        place.command(&["--auth", "password", "--listen", "127.0.0.1:0", "--log-level", "trace"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // Read meanwhile: a pipe that is full would stop it.
    let mut stderr = child.stderr.take().unwrap();
    let log = std::thread::spawn(move || {
        let mut log = Vec::new();
        stderr.read_to_end(&mut log).unwrap();
        String::from_utf8_lossy(&log).into_owned()
    });
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let port = line.trim_end().trim_end_matches('/').rsplit(':').next().unwrap().parse().unwrap();
    let app = TestApp::at(port);
    assert_eq!(sign_in(&app, "my secret name", "wrong horse").await.status, StatusCode::BAD_REQUEST);
    let session = signed_in(&app, "anna").await;
    assert_eq!(get(&app, &session, USER).await.status, StatusCode::OK);
    let shown = [("authorization", token.trim_end())];
    assert_eq!(app.send(Method::GET, "/api/client/features", &shown, "").await.status, StatusCode::OK);
    child.kill().unwrap();
    child.wait().unwrap();
    let log = log.join().unwrap();
    assert!(log.contains("signed in") && log.contains("sign-in failed"), "{log}");
    let session = session.split_once('=').unwrap().1;
    for secret in [PASSWORD, "wrong horse", "my secret name", token.trim_end(), session] {
        assert!(!log.contains(secret), "{secret} is in {log}");
    }
}
