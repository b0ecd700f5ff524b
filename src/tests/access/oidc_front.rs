//! Sign-in by OpenID Connect through a reverse proxy below a base path, and with TLS of this program.

use std::net::TcpListener;

use actix_web::http::{Method, StatusCode};
use flagdeck::config::OidcTimes;
use serde_json::Value;
use tempfile::TempDir;

use super::oidc::{Browser, start_app};
use crate::examples::{example, installed, start_nginx, wait_until_open};
use crate::support::app::TestApp;
use crate::support::authority::Authority;
use crate::support::provider::Provider;

const USER: &str = "/flags/api/admin/user";

/// Signs in, reads the user, and signs out, as a browser that has no other address of the app.
async fn make_round_trip(app: &TestApp, provider: &Provider) {
    let mut browser = Browser::new(app);
    assert_eq!(browser.get(USER).await.status, StatusCode::UNAUTHORIZED);
    let signed_in = browser.sign_in(provider).await;
    assert_eq!(
        (signed_in.status, signed_in.header("location")),
        (StatusCode::SEE_OTHER, "/flags/features"),
        "{}",
        signed_in.body
    );
    for cookie in signed_in.headers.get_all("set-cookie") {
        let cookie = cookie.to_str().unwrap();
        assert!(cookie.contains("; Secure"), "{cookie}");
    }
    assert_eq!(browser.get(USER).await.json()["email"], "anna@example.com");
    let signed_out = browser.send(Method::POST, "/flags/-/logout", &Value::Null).await;
    assert_eq!(signed_out.status, StatusCode::OK);
    let back = "post_logout_redirect_uri=https%3A%2F%2Fflags.example%2Fflags%2F";
    assert!(signed_out.json()["location"].as_str().unwrap().contains(back), "{}", signed_out.body);
    assert_eq!(browser.get(USER).await.status, StatusCode::UNAUTHORIZED);
}

#[actix_web::test]
async fn signs_in_through_nginx_below_a_base_path() {
    let Some(nginx) = installed("nginx") else { return };
    let (provider, folder) = (Provider::start().await, TempDir::new().unwrap());
    let app = start_app(&provider, OidcTimes::default(), &["--trusted-proxy", "127.0.0.1"]).await;
    let front = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let text = example("nginx.conf")
        .replace("127.0.0.1:4242", &format!("127.0.0.1:{}", app.port))
        .replace("127.0.0.1:8080", &front.to_string());
    let _running = start_nginx(&nginx, folder.path(), &text);
    wait_until_open(front).await;
    make_round_trip(&TestApp::at(front.port()), &provider).await;
}

#[actix_web::test]
async fn signs_in_with_tls_of_this_program() {
    let (provider, authority) = (Provider::start().await, Authority::new());
    authority.sign("127.0.0.1");
    let (certificate, key) = (authority.path("cert.pem"), authority.path("key.pem"));
    let tls = ["--tls-cert", &certificate, "--tls-key", &key];
    let app = start_app(&provider, OidcTimes::default(), &tls).await.over_tls(&authority);
    make_round_trip(&app, &provider).await;
}
