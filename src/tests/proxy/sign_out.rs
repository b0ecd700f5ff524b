//! Signing out with every version of Unleash, with responses recorded from real servers.

use std::sync::Arc;

use actix_web::http::{Method, StatusCode};
use serde_json::Value;

use crate::support::app::{Response, TestApp};
use crate::support::stub::{Reply, Stub};

const EXPIRED: &str = "Set-Cookie: unleash-session=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT\r\n";

fn reply(status: &str, headers: &str, body: &str) -> Reply {
    Reply::Bytes(format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\n{headers}\r\n{body}", body.len()))
}

/// Signs out with an upstream that sends these responses in turn. Returns the response, and the first line of each
/// request that went upstream.
async fn sign_out(replies: Vec<Reply>) -> (Response, Vec<String>) {
    let stub = Stub::start(Reply::InTurn(replies)).await;
    let app = TestApp::with(&["--upstream", &stub.url, "--base-path", "/flags"]).await;
    let headers = [("content-type", "application/json"), ("cookie", "theme=dark; unleash-session=1")];
    let response = app.send(Method::POST, "/flags/-/logout", &headers, "").await;
    let requests = stub.requests();
    for request in &requests {
        assert!(request.contains("cookie: theme=dark; unleash-session=1\r\n"), "{request}");
    }
    let lines = requests.iter().map(|request| request.lines().next().unwrap().to_owned()).collect();
    (response, lines)
}

const POST: &str = "POST /logout HTTP/1.1";
const GET: &str = "GET /logout HTTP/1.1";
const USER: &str = "GET /api/admin/user HTTP/1.1";

fn not_found() -> Reply {
    reply("404 Not Found", "", "<pre>Cannot POST /logout</pre>")
}

fn page() -> Reply {
    reply("200 OK", "Content-Type: text/html\r\n", "<!DOCTYPE html>")
}

#[actix_web::test]
async fn signs_out_by_post_from_version_5() {
    for location in ["/", "/signed-out"] {
        let redirect = reply("302 Found", &format!("Location: {location}\r\n{EXPIRED}"), "");
        let (response, lines) = sign_out(vec![redirect]).await;
        assert_eq!((response.status, lines), (StatusCode::OK, vec![POST.to_owned()]));
        assert!(response.json()["location"].is_null(), "{}", response.body);
        assert_eq!(
            response.header("set-cookie"),
            "unleash-session=; Path=/flags; Expires=Thu, 01 Jan 1970 00:00:00 GMT; SameSite=Lax"
        );
    }
}

#[actix_web::test]
async fn returns_the_sign_out_page_of_the_identity_provider() {
    let redirect = |location: &str| reply("302 Found", &format!("Location: {location}\r\n{EXPIRED}"), "");
    let provider = "https://id.example/logout?back=%2F";
    let (response, _) = sign_out(vec![redirect(provider)]).await;
    assert_eq!(response.json()["location"], provider);
    // The console itself, which some servers name by its public URL, and addresses that are no pages.
    let stub = Stub::start(Reply::Computed(Arc::new(move |request: &str| {
        let host = request.lines().find_map(|line| line.strip_prefix("x-forwarded-host: ")).unwrap();
        redirect(&format!("http://{host}/flags/"))
    })))
    .await;
    let app = TestApp::with(&["--upstream", &stub.url, "--base-path", "/flags"]).await;
    let response = app.send(Method::POST, "/flags/-/logout", &[("cookie", "unleash-session=1")], "").await;
    assert_eq!((response.status, &response.json()["location"]), (StatusCode::OK, &Value::Null));
    let (response, _) = sign_out(vec![redirect("mailto:help@id.example")]).await;
    assert_eq!(response.json()["location"], Value::Null);
}

#[actix_web::test]
async fn signs_out_by_get_if_post_does_not_exist() {
    for refusal in ["404 Not Found", "405 Method Not Allowed", "501 Not Implemented"] {
        let redirect = reply("302 Found", &format!("Location: /\r\n{EXPIRED}"), "");
        let (response, lines) = sign_out(vec![reply(refusal, "", "no"), redirect]).await;
        assert_eq!((response.status, lines), (StatusCode::OK, vec![POST.to_owned(), GET.to_owned()]));
        assert!(response.header("set-cookie").starts_with("unleash-session=; "), "{refusal}");
    }
}

#[actix_web::test]
async fn sign_out_fails_if_the_session_still_works() {
    let still = || reply("200 OK", "Content-Type: application/json\r\n", r#"{"user":{},"permissions":[]}"#);
    for replies in [
        vec![page(), still()],
        vec![not_found(), page(), still()],
        vec![reply("200 OK", "Set-Cookie: unleash-session=2; Path=/; Max-Age=60\r\n", ""), still()],
        vec![reply("200 OK", "Set-Cookie: flash=; Path=/; Max-Age=0\r\n", ""), still()],
        vec![reply("403 Forbidden", "", ""), still()],
    ] {
        let (response, lines) = sign_out(replies).await;
        assert_eq!(
            (response.status, response.header("x-flagdeck-error")),
            (StatusCode::BAD_GATEWAY, "still_signed_in"),
            "{lines:?}"
        );
        assert!(response.json()["message"].as_str().unwrap().contains("did not end the session"));
        assert_eq!((response.header("set-cookie"), lines.last().unwrap().as_str()), ("", USER));
    }
}

#[actix_web::test]
async fn sign_out_succeeds_if_the_session_has_ended() {
    for (replies, last) in [
        (vec![reply("401 Unauthorized", "", "{}"), reply("401 Unauthorized", "", "{}")], USER),
        (vec![not_found(), page(), reply("401 Unauthorized", "", "{}")], USER),
        (vec![reply("200 OK", EXPIRED, "")], POST),
        (vec![reply("204 No Content", "Set-Cookie: unleash-session=x; max-age=0\r\n", "")], POST),
    ] {
        let (response, lines) = sign_out(replies).await;
        assert_eq!(
            (response.status, lines.last().unwrap().as_str()),
            (StatusCode::OK, last),
            "{}",
            response.body
        );
    }
}

#[actix_web::test]
async fn sign_out_fails_if_the_server_is_unreachable() {
    for (replies, seen) in [(vec![Reply::End], 1), (vec![page(), Reply::End], 2)] {
        let (response, lines) = sign_out(replies).await;
        assert_eq!(
            (response.status, response.header("x-flagdeck-error")),
            (StatusCode::BAD_GATEWAY, "upstream_unreachable")
        );
        assert!(lines.len() >= seen, "{lines:?}");
    }
}
