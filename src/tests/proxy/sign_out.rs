//! Signing out at flag services of every version, by the responses that were recorded of real ones.

use actix_web::http::{Method, StatusCode};

use crate::support::app::{Answer, TestApp};
use crate::support::stub::{Reply, Stub};

const EXPIRED: &str = "Set-Cookie: unleash-session=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT\r\n";

fn reply(status: &str, headers: &str, body: &str) -> Reply {
    Reply::Bytes(format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\n{headers}\r\n{body}", body.len()))
}

/// Signs out at a flag service that gives these responses in turn. Returns the response, and the first line of each
/// request that went upstream.
async fn sign_out(replies: Vec<Reply>) -> (Answer, Vec<String>) {
    let stub = Stub::start(Reply::InTurn(replies)).await;
    let app = TestApp::with(&["--upstream", &stub.url, "--base-path", "/flags"]).await;
    let headers = [("content-type", "application/json"), ("cookie", "theme=dark; unleash-session=1")];
    let answer = app.send(Method::POST, "/flags/-/logout", &headers, "").await;
    let requests = stub.requests();
    for request in &requests {
        assert!(request.contains("cookie: theme=dark; unleash-session=1\r\n"), "{request}");
    }
    let lines = requests.iter().map(|request| request.lines().next().unwrap().to_owned()).collect();
    (answer, lines)
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
async fn servers_from_5_on_are_asked_by_post() {
    for location in ["/", "/signed-out"] {
        let redirect = reply("302 Found", &format!("Location: {location}\r\n{EXPIRED}"), "");
        let (answer, lines) = sign_out(vec![redirect]).await;
        assert_eq!((answer.status, lines), (StatusCode::OK, vec![POST.to_owned()]));
        assert!(answer.json()["location"].is_null(), "{}", answer.body);
        assert_eq!(
            answer.header("set-cookie"),
            "unleash-session=; Path=/flags; Expires=Thu, 01 Jan 1970 00:00:00 GMT; SameSite=Lax"
        );
    }
}

#[actix_web::test]
async fn servers_without_a_post_are_asked_by_get() {
    for refusal in ["404 Not Found", "405 Method Not Allowed", "501 Not Implemented"] {
        let redirect = reply("302 Found", &format!("Location: /\r\n{EXPIRED}"), "");
        let (answer, lines) = sign_out(vec![reply(refusal, "", "no"), redirect]).await;
        assert_eq!((answer.status, lines), (StatusCode::OK, vec![POST.to_owned(), GET.to_owned()]));
        assert!(answer.header("set-cookie").starts_with("unleash-session=; "), "{refusal}");
    }
}

#[actix_web::test]
async fn a_session_that_goes_on_is_no_success() {
    let still = || reply("200 OK", "Content-Type: application/json\r\n", r#"{"user":{},"permissions":[]}"#);
    for replies in [
        vec![page(), still()],
        vec![not_found(), page(), still()],
        vec![reply("200 OK", "Set-Cookie: unleash-session=2; Path=/; Max-Age=60\r\n", ""), still()],
        vec![reply("200 OK", "Set-Cookie: flash=; Path=/; Max-Age=0\r\n", ""), still()],
        vec![reply("403 Forbidden", "", ""), still()],
    ] {
        let (answer, lines) = sign_out(replies).await;
        assert_eq!(
            (answer.status, answer.header("x-flagdeck-error")),
            (StatusCode::BAD_GATEWAY, "still_signed_in"),
            "{lines:?}"
        );
        assert!(answer.json()["message"].as_str().unwrap().contains("did not end the session"));
        assert_eq!((answer.header("set-cookie"), lines.last().unwrap().as_str()), ("", USER));
    }
}

#[actix_web::test]
async fn a_session_that_is_over_is_a_success_however_the_server_says_so() {
    for (replies, last) in [
        (vec![reply("401 Unauthorized", "", "{}"), reply("401 Unauthorized", "", "{}")], USER),
        (vec![not_found(), page(), reply("401 Unauthorized", "", "{}")], USER),
        (vec![reply("200 OK", EXPIRED, "")], POST),
        (vec![reply("204 No Content", "Set-Cookie: unleash-session=x; max-age=0\r\n", "")], POST),
    ] {
        let (answer, lines) = sign_out(replies).await;
        assert_eq!(
            (answer.status, lines.last().unwrap().as_str()),
            (StatusCode::OK, last),
            "{}",
            answer.body
        );
    }
}

#[actix_web::test]
async fn a_server_that_cannot_be_asked_is_no_success() {
    for (replies, seen) in [(vec![Reply::End], 1), (vec![page(), Reply::End], 2)] {
        let (answer, lines) = sign_out(replies).await;
        assert_eq!(
            (answer.status, answer.header("x-flagdeck-error")),
            (StatusCode::BAD_GATEWAY, "upstream_unreachable")
        );
        assert!(lines.len() >= seen, "{lines:?}");
    }
}
