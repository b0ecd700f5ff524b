//! Signing in by password and by email, and the responses to requests without a session.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::Stdio;

use actix_web::http::{Method, StatusCode};
use serde_json::json;

use super::{Installation, JSON, LOGIN, PASSWORD, USER, cookie, get, send_as, sign_in, signed_in};
use crate::support::app::TestApp;

#[actix_web::test]
async fn signs_in_with_a_password() {
    // proves S7-022 S7-023 S3-032
    let installation = Installation::new();
    installation
        .add("anna", &["--email", "anna@example.com", "--name", "Anna A.", "--permission", "CREATE_FEATURE"]);
    let app = installation.start_with_passwords().await;
    let anna = json!({
        "username": "anna", "name": "Anna A.", "email": "anna@example.com",
        "imageUrl": "/-/avatars/AA-7.svg", "permissions": ["CREATE_FEATURE"],
    });
    let response = sign_in(&app, "anna", PASSWORD).await;
    let session = cookie(&response);
    assert_eq!(response.json(), anna);
    assert_eq!(get(&app, &session, USER).await.json(), anna);

    let toggle = json!({ "name": "by.anna", "strategies": [{ "name": "default" }] });
    let created = send_as(&app, &session, Method::POST, "/api/admin/features", &toggle).await;
    assert_eq!(created.status, StatusCode::CREATED, "{}", created.body);
    let events = get(&app, &session, "/api/admin/events").await.json();
    assert_eq!(events["events"][0]["createdBy"], "anna@example.com");
}

#[actix_web::test]
async fn unauthorized_response_describes_how_to_sign_in() {
    // proves S2-107
    let installation = Installation::new();
    let app = installation.start(&["--auth", "password", "--base-path", "/flags"]).await;
    let response = app.get("/flags/api/admin/user").await;
    assert_eq!(response.status, StatusCode::UNAUTHORIZED);
    let body = response.json();
    assert_eq!(
        (body["type"].as_str(), body["path"].as_str()),
        (Some("password"), Some("/flags/auth/simple/login"))
    );
    assert!(body["message"].as_str().unwrap().contains("flagdeck user add"), "{body}");

    installation.add("anna", &[]);
    for path in ["/flags/api/admin/user", "/flags/api/admin/features", "/flags/api/admin/none"] {
        for cookie in ["", "flagdeck-session=", "flagdeck-session=0123", "flagdeck-session=%00"] {
            let response = get(&app, cookie, path).await;
            assert_eq!(response.status, StatusCode::UNAUTHORIZED, "{path} {cookie}");
            assert!(!response.body.contains("user add"), "{}", response.body);
        }
    }
    assert_eq!(app.get("/flags/-/settings").await.json()["signOut"], true);
    let response =
        app.post("/flags/auth/simple/login", &json!({ "username": "anna", "password": PASSWORD })).await;
    assert!(response.header("set-cookie").contains("; Path=/flags;"), "{}", response.header("set-cookie"));
}

#[actix_web::test]
async fn wrong_password_and_unknown_user_get_the_same_response() {
    let installation = Installation::new();
    installation.add("anna", &["--admin"]);
    let app = installation.start_with_passwords().await;
    let wrong = sign_in(&app, "anna", "wrong horse").await;
    let unknown = sign_in(&app, "nobody", PASSWORD).await;
    assert_eq!(wrong.status, StatusCode::BAD_REQUEST);
    assert_eq!(wrong.json()["code"], "wrong_credentials");
    assert_eq!((wrong.status, &wrong.body), (unknown.status, &unknown.body));
    assert_eq!((wrong.header("set-cookie"), unknown.header("set-cookie")), ("", ""));
    cookie(&sign_in(&app, "ANNA", PASSWORD).await);
}

#[actix_web::test]
async fn repeated_wrong_passwords_are_rate_limited() {
    let installation = Installation::new();
    installation.add("anna", &["--admin"]);
    installation.add("bert", &["--admin"]);
    let app = installation.start_with_passwords().await;
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
    assert_eq!(
        claim.status,
        StatusCode::TOO_MANY_REQUESTS,
        "X-Forwarded-For of an untrusted client is ignored"
    );
}

#[actix_web::test]
async fn sign_in_rate_limit_counts_each_client_of_a_trusted_proxy() {
    let installation = Installation::new();
    installation.add("anna", &["--admin"]);
    let app = installation.start(&["--auth", "password", "--trusted-proxy", "127.0.0.1"]).await;
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
async fn attacker_behind_any_proxy_does_not_lock_out_its_other_clients() {
    // Azure Application Gateway appends the port; RFC 7239, sections 4 and 6, has the examples of `Forwarded`.
    for (header, attacker, user) in [
        ("x-forwarded-for", "192.0.2.7:51234", "192.0.2.8:51234"),
        ("x-forwarded-for", "[2001:db8::7]:443", "[2001:db8:1::8]:443"),
        ("x-forwarded-for", "[2001:db8::7]", "[2001:db8:1::8]"),
        ("forwarded", "for=192.0.2.7;proto=http;by=203.0.113.43", "for=192.0.2.8;proto=http;by=203.0.113.43"),
        ("forwarded", "For=\"[2001:db8:cafe::17]:4711\"", "For=\"[2001:db8:cafe:1::17]:4711\""),
    ] {
        let installation = Installation::new();
        installation.add("anna", &["--admin"]);
        let app = installation.start(&["--auth", "password", "--trusted-proxy", "127.0.0.1"]).await;
        let from = async |address: &str, password: &str| {
            let body = json!({ "username": "anna", "password": password }).to_string();
            app.send(Method::POST, LOGIN, &[JSON, (header, address)], &body).await.status
        };
        for _ in 0..5 {
            assert_eq!(from(attacker, "wrong horse").await, StatusCode::BAD_REQUEST, "{header}: {attacker}");
        }
        assert_eq!(from(attacker, PASSWORD).await, StatusCode::TOO_MANY_REQUESTS, "{header}: {attacker}");
        assert_eq!(from(user, PASSWORD).await, StatusCode::OK, "{header}: {user}");
    }
}

#[actix_web::test]
async fn auth_mode_unsecure_signs_in_with_an_email() {
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
    let response = app.post("/api/admin/login", &json!({ "email": "anna@example.com" })).await;
    assert_eq!(response.json(), json!({ "email": "anna@example.com", "imageUrl": "/-/avatars/A-7.svg" }));
    let session = cookie(&response);
    let toggle = json!({ "name": "by.anna", "strategies": [{ "name": "default" }] });
    let created = send_as(&app, &session, Method::POST, "/api/admin/features", &toggle).await;
    assert_eq!(created.status, StatusCode::CREATED, "{}", created.body);
    let events = get(&app, &session, "/api/admin/events").await.json();
    assert_eq!(events["events"][0]["createdBy"], "anna@example.com");
    assert_eq!(sign_in(&app, "anna", PASSWORD).await.status, StatusCode::NOT_FOUND);
}

#[actix_web::test]
async fn auth_mode_none_has_no_sign_in() {
    let app = TestApp::embedded().await;
    let user = app.get(USER).await.json();
    assert_eq!(
        user,
        json!({ "username": "operator", "imageUrl": "/-/avatars/O-6.svg", "permissions": ["ADMIN"] })
    );
    assert_eq!(app.get("/-/settings").await.json()["signOut"], false);
    let response = app.post("/api/admin/login", &json!({ "email": "anna@example.com" })).await;
    assert_eq!((response.status, response.header("set-cookie")), (StatusCode::NOT_FOUND, ""));
}

#[actix_web::test]
async fn other_sites_cannot_sign_users_in_or_out() {
    let installation = Installation::new();
    installation.add("anna", &["--admin"]);
    let app = installation.start_with_passwords().await;
    let body = json!({ "username": "anna", "password": PASSWORD }).to_string();
    // Content types that an HTML form can send without a preflight request.
    for kind in ["text/plain", "application/x-www-form-urlencoded", "application/json; charset=utf-8"] {
        let form = app.send(Method::POST, LOGIN, &[("content-type", kind)], &body).await;
        assert_eq!(form.status, StatusCode::UNSUPPORTED_MEDIA_TYPE, "{kind}");
    }
    let set = sign_in(&app, "anna", PASSWORD).await.header("set-cookie").to_owned();
    assert!(set.ends_with("; HttpOnly; SameSite=Lax; Path=/; Max-Age=43200"), "{set}");
    let secure = [JSON, ("x-forwarded-proto", "https")];
    let set = app.send(Method::POST, LOGIN, &secure, &body).await.header("set-cookie").to_owned();
    assert!(set.contains("; HttpOnly; SameSite=Lax; Secure; "), "{set}");
}

#[actix_web::test]
async fn https_session_cookie_is_secure() {
    let installation = Installation::new();
    installation.add("anna", &["--admin"]);
    let app = installation.start(&["--auth", "password", "--public-url", "https://flags.example"]).await;
    let body = json!({ "username": "anna", "password": PASSWORD }).to_string();
    let response = app.send(Method::POST, LOGIN, &[JSON, ("host", "flags.example")], &body).await;
    let cookie = response.header("set-cookie");
    assert!(cookie.contains("; SameSite=Lax; Secure; "), "{cookie}");
}

#[actix_web::test]
async fn rejects_malformed_credentials_with_a_reason() {
    let app = Installation::new().start_with_passwords().await;
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
        let response = app.post(LOGIN, &body).await;
        assert_eq!(response.status, StatusCode::BAD_REQUEST, "{body}");
        let message = response.json()["details"][0]["message"].as_str().unwrap().to_owned();
        assert!(message.contains(names) && !message.contains("xxx"), "{message}");
    }
}

#[actix_web::test]
async fn log_contains_no_credentials() {
    let installation = Installation::new();
    installation.add("anna", &["--admin"]);
    let token = installation.run_ok(&["token", "add", "--name", "shop"], "");
    let mut command =
        installation.command(&["--auth", "password", "--listen", "127.0.0.1:0", "--log-level", "trace"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // Read concurrently: a full pipe would block the server.
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
