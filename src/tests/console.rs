//! The console's own endpoints.

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::engine::is_postgres;
use crate::support::stub::{Reply, Stub};

#[actix_web::test]
async fn settings_report_the_mode_and_the_upstream() {
    let version = env!("CARGO_PKG_VERSION");
    let mut embedded = TestApp::embedded().await.get("/-/settings").await.json();
    let database = embedded["sharedDatabase"].take();
    assert_eq!(database["engine"], if is_postgres() { json!("PostgreSQL") } else { Value::Null });
    assert_eq!(database["instance"].as_str().map(str::len), is_postgres().then_some(4));
    assert_eq!(embedded["capabilities"].take()["sortOrderInEdit"], "stored");
    let usual = json!({ "version": version, "readOnly": false, "confirmWrites": false, "imageOrigins": [], "environment": null, "capabilities": null, "server": null, "replica": false, "journal": false, "holds": true, "recorder": false, "recorderNeedsAdmin": false, "sessions": false, "servesBrowsers": true, "servesOpenFeature": true, "sharedDatabase": null, "definitions": null, "mountPath": "" });
    let with = |more: Value| {
        let mut all = usual.clone();
        all.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        all
    };
    assert_eq!(embedded, with(json!({ "mode": "embedded", "upstream": null, "signOut": false })));
    let stub = Stub::start(Reply::Silence).await;
    let sidecar = TestApp::beside(&stub.url).await.get("/-/settings").await.json();
    assert_eq!(
        sidecar,
        with(
            json!({ "mode": "upstream", "upstream": stub.authority(), "signOut": true, "holds": false, "servesBrowsers": false, "servesOpenFeature": false, "recorderNeedsAdmin": true })
        )
    );
    // The console asks for its settings first: they detect the kind of the flag service.
    let [request] = stub.requests().try_into().unwrap();
    assert!(request.starts_with("GET /api/admin/environments HTTP/1.1\r\n"), "{request}");
}

#[actix_web::test]
async fn settings_report_the_environment() {
    let arguments = ["--data", ":memory:", "--env-label", "production", "--confirm-writes"];
    let settings = TestApp::with(&arguments).await.get("/-/settings").await.json();
    assert_eq!(settings["environment"], json!("production"));
    assert_eq!(settings["confirmWrites"], json!(true));
}

#[actix_web::test]
async fn examples_are_added_only_once() {
    let app = TestApp::embedded().await;
    let first = app.post("/-/examples", &Value::Null).await;
    assert_eq!(first.status, StatusCode::CREATED);
    let features = app.get("/api/admin/features").await.json()["features"].as_array().unwrap().len();
    assert!(features >= 10, "{features}");
    assert_eq!(first.json()["created"], features);
    assert_eq!(app.post("/-/examples", &Value::Null).await.json()["created"], 0);
}

#[actix_web::test]
async fn examples_are_not_available_with_an_upstream() {
    let stub = Stub::start(Reply::Silence).await;
    let response = TestApp::beside(&stub.url).await.post("/-/examples", &Value::Null).await;
    assert_eq!(response.status, StatusCode::NOT_FOUND);
    assert_eq!(stub.requests(), Vec::<String>::new());
}

#[actix_web::test]
async fn unknown_console_paths_return_a_json_error() {
    let response = TestApp::embedded().await.get("/-/none").await;
    assert_eq!(
        (response.status, response.json()["code"].as_str()),
        (StatusCode::NOT_FOUND, Some("unknown_path"))
    );
}

#[actix_web::test]
async fn cross_site_forms_cannot_add_examples() {
    let app = TestApp::embedded().await;
    let form = [("content-type", "text/plain"), ("origin", "http://elsewhere.example")];
    let response = app.send(Method::POST, "/-/examples", &form, "").await;
    assert_eq!(response.status, StatusCode::FORBIDDEN);
    // An old browser sends no `Origin`.
    let response = app.send(Method::POST, "/-/examples", &form[..1], "").await;
    assert_eq!(response.status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    assert_eq!(app.get("/api/admin/features").await.json()["features"], json!([]));
}

#[actix_web::test]
async fn avatar_urls_include_the_base_path_and_not_the_email() {
    // [S3-032]
    let app = TestApp::with(&["--data", ":memory:", "--base-path", "/ops", "--auth", "unsecure"]).await;
    let email = json!({ "email": "ada.olsen@secret.example" });
    let user = app.post("/ops/api/admin/login", &email).await.json();
    let path = user["imageUrl"].as_str().unwrap();
    assert!(path.starts_with("/ops/-/avatars/AO-"), "{path}");
    let file = path.rsplit('/').next().unwrap();
    assert!(file.len() <= "AO-11.svg".len(), "{file} holds more than initials and one of twelve colours");
    let avatar = app.get(path).await;
    assert_eq!((avatar.status, avatar.header("content-type")), (StatusCode::OK, "image/svg+xml"));
    assert_eq!(avatar.header("cache-control"), "public, max-age=31536000, immutable");
    assert!(avatar.header("content-security-policy").starts_with("sandbox; default-src 'none'"));
    assert_eq!(avatar.header("x-content-type-options"), "nosniff");
    assert!(avatar.body.starts_with("<svg ") && avatar.body.contains(">AO</text>"), "{}", avatar.body);
}

#[actix_web::test]
async fn avatars_accept_letters_of_any_script_and_reject_markup() {
    let app = TestApp::embedded().await;
    let avatar = app.get("/-/avatars/%E6%9D%8E%E6%98%8E-3.svg").await;
    assert!(avatar.body.contains(">李明</text>"), "{}", avatar.body);
    for name in ["%3Cscript%3E-1.svg", "A%26-1.svg", "ABC-1.svg", "A-12.svg", "A-1.png", "A-01.svg"] {
        assert_eq!(app.get(&format!("/-/avatars/{name}")).await.status, StatusCode::NOT_FOUND, "{name}");
    }
}

#[actix_web::test]
async fn image_origins_are_in_the_content_security_policy_and_the_settings() {
    let stub = Stub::start(Reply::Silence).await;
    let origins = "https://gravatar.com,http://127.0.0.1:8080";
    let app = TestApp::with(&["--upstream", &stub.url, "--image-origin", origins]).await;
    let expected = "img-src 'self' data: https://gravatar.com http://127.0.0.1:8080; font-src";
    for path in ["/", "/features"] {
        let page = app.send(Method::GET, path, &[("accept", "text/html")], "").await;
        assert!(page.header("content-security-policy").contains(expected), "{path}");
    }
    let settings = app.get("/-/settings").await.json();
    assert_eq!(settings["imageOrigins"], json!(["https://gravatar.com", "http://127.0.0.1:8080"]));
}

#[actix_web::test]
async fn sign_out_page_asks_for_confirmation_when_another_site_links_to_it() {
    let stub = Stub::start(Reply::Silence).await;
    for service in [["--data", ":memory:"], ["--upstream", &stub.url]] {
        let app = TestApp::with(&[&service[..], &["--base-path", "/flags"]].concat()).await;
        for (site, path, location) in [
            ("cross-site", "/flags/logout", "/flags/logout?confirm"),
            ("same-site", "/flags/logout?x", "/flags/logout?confirm"),
            ("cross-site", "/flags/logout?confirm", ""),
            ("same-origin", "/flags/logout", ""),
            ("none", "/flags/logout", ""),
        ] {
            let headers = [("accept", "text/html,*/*;q=0.8"), ("sec-fetch-site", site)];
            let response = app.send(Method::GET, path, &headers, "").await;
            let status = if location.is_empty() { StatusCode::OK } else { StatusCode::SEE_OTHER };
            assert_eq!((response.status, response.header("location")), (status, location), "{site} {path}");
        }
    }
    assert_eq!(stub.requests(), Vec::<String>::new());
}

#[actix_web::test]
async fn health_endpoint_exists_only_in_the_embedded_service() {
    for (base, path) in [("", "/health"), ("/flags", "/flags/health")] {
        let app = TestApp::with(&["--data", ":memory:", "--auth", "unsecure", "--base-path", base]).await;
        let response = app.get(path).await;
        assert_eq!((response.status, response.json()), (StatusCode::OK, json!({ "health": "GOOD" })));
        assert_eq!(app.send(Method::HEAD, path, &[], "").await.status, StatusCode::OK);
    }
    let stub = Stub::start(Reply::Silence).await;
    assert_eq!(TestApp::beside(&stub.url).await.get("/health").await.status, StatusCode::NOT_FOUND);
}

#[actix_web::test]
async fn health_of_the_embedded_service_may_be_requested_by_address() {
    let public = ["--public-url", "https://flags.example"];
    let app = TestApp::with(&[&["--data", ":memory:"], &public[..]].concat()).await;
    for (path, status) in [
        ("/-/health", StatusCode::OK),
        ("/health", StatusCode::OK),
        ("/health/x", StatusCode::MISDIRECTED_REQUEST),
        ("/api/admin/features", StatusCode::MISDIRECTED_REQUEST),
    ] {
        assert_eq!(app.get(path).await.status, status, "{path}");
    }
    // With an upstream it is a path of the upstream.
    let stub = Stub::start(Reply::Silence).await;
    let upstream = ["--upstream", &stub.url, "--proxy-prefix", "/health"];
    let sidecar = TestApp::with(&[&upstream[..], &public].concat()).await;
    assert_eq!(sidecar.get("/health").await.status, StatusCode::MISDIRECTED_REQUEST);
    assert!(stub.requests().is_empty());
    assert_eq!(stub.requests(), Vec::<String>::new());
}
