//! Trust boundaries: proxies in front, `Host` headers, cross-site requests, and the read-only mode.

use actix_web::http::{Method, StatusCode};

use crate::support::app::{Response, TestApp};
use crate::support::stub::{Reply, Stub, ok};

const CLAIMS: [(&str, &str); 7] = [
    ("x-forwarded-for", "198.51.100.9"),
    ("x-forwarded-host", "flags.example"),
    ("x-forwarded-proto", "https"),
    ("x-forwarded-prefix", "/outer"),
    ("x-real-ip", "198.51.100.9"),
    ("forwarded", "for=198.51.100.9"),
    ("x-request-id", "from-the-proxy"),
];

/// Endpoints for reports of SDKs, each with the smallest body that the embedded flag service accepts.
const REPORTS: [(&str, &str); 3] = [
    ("/api/client/metrics/bulk", r#"{"applications":[],"metrics":[]}"#),
    (
        "/api/client/register",
        r#"{"appName":"shop","instanceId":"1","strategies":[],"started":"2026-01-01T00:00:00Z","interval":1000}"#,
    ),
    (
        "/api/client/metrics",
        r#"{"appName":"shop","instanceId":"1","bucket":{"start":"2026-01-01T00:00:00Z","stop":"2026-01-01T00:01:00Z","toggles":{}}}"#,
    ),
];

/// Returns the lines of the only request that went upstream, in lower case.
fn sent(stub: &Stub) -> Vec<String> {
    let [request] = stub.requests().try_into().unwrap();
    request.lines().map(str::to_ascii_lowercase).collect()
}

fn code(response: &Response) -> (StatusCode, String) {
    assert_eq!(response.json()["code"], response.header("x-flagdeck-error"));
    (response.status, response.header("x-flagdeck-error").to_owned())
}

#[actix_web::test]
async fn forwarded_headers_of_untrusted_clients_are_overwritten() {
    let stub = Stub::start(ok("Set-Cookie: s=1; Path=/\r\n", "{}")).await;
    let app = TestApp::with(&["--upstream", &stub.url, "--trusted-proxy", "10.0.0.0/8"]).await;
    let mut claims = CLAIMS.to_vec();
    claims.extend([("x_forwarded_proto", "https"), ("X_Real_IP", "6.6.6.6")]);
    let response = app.send(Method::GET, "/api/x", &claims, "").await;
    let lines = sent(&stub);
    for own in ["x-forwarded-for: 127.0.0.1", "x-forwarded-proto: http", "x-real-ip: 127.0.0.1"] {
        assert!(lines.iter().any(|line| line == own), "{own} in {lines:#?}");
    }
    let claimed = |line: &&String| {
        ["198.51.100.9", "6.6.6.6", "flags.example", "/outer", "x_", "https", "from-the"]
            .iter()
            .any(|claim| line.contains(claim))
    };
    assert_eq!(lines.iter().find(claimed), None);
    assert_eq!(response.header("set-cookie"), "s=1; Path=/; SameSite=Lax");
    assert_eq!(response.header("strict-transport-security"), "");
}

#[actix_web::test]
async fn forwarded_headers_of_trusted_proxies_are_used() {
    let stub = Stub::start(ok("Set-Cookie: s=1; Path=/\r\n", "{}")).await;
    let app = TestApp::with(&[
        "--upstream",
        &stub.url,
        "--trusted-proxy",
        "127.0.0.0/8,::1",
        "--allowed-host",
        "flags.example",
    ])
    .await;
    let response = app.send(Method::GET, "/api/x", &CLAIMS, "").await;
    let lines = sent(&stub);
    for line in [
        "x-forwarded-for: 198.51.100.9, 127.0.0.1",
        "x-forwarded-host: flags.example",
        "x-forwarded-proto: https",
        "x-forwarded-prefix: /outer",
        "x-real-ip: 198.51.100.9",
        "forwarded: for=198.51.100.9, for=127.0.0.1;host=\"flags.example\";proto=https",
        "x-request-id: from-the-proxy",
    ] {
        assert!(lines.iter().any(|sent| sent == line), "{line} in {lines:#?}");
    }
    assert_eq!(response.header("x-request-id"), "from-the-proxy");
    assert_eq!(response.header("set-cookie"), "s=1; Path=/; Secure; SameSite=Lax");
    assert_eq!(response.header("strict-transport-security"), "max-age=31536000");
}

#[actix_web::test]
async fn forwarding_loop_returns_508() {
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let address = format!("127.0.0.1:{port}");
    let other = TestApp::beside(&format!("http://{address}")).await;
    let app = TestApp::with(&["--listen", &address, "--upstream", &other.url("")]).await;
    let response = app.get("/api/x").await;
    // The first arrival was forwarded, the second one rejected.
    assert_eq!(
        (response.status, response.json()["code"].as_str()),
        (StatusCode::LOOP_DETECTED, Some("loop"))
    );
}

#[actix_web::test]
async fn unexpected_host_returns_421() {
    let stub = Stub::start(ok("", "{}")).await;
    let app = TestApp::with(&["--upstream", &stub.url, "--public-url", "https://flags.example"]).await;
    for (host, fine) in [
        ("flags.example", true),
        ("FLAGS.example:443", true),
        ("flags.example:80", false),
        ("rebound.example", false),
        ("127.0.0.1", false),
    ] {
        for path in ["/api/x", "/-/settings", "/features"] {
            let request = format!(
                "GET {path} HTTP/1.1\r\nHost: {host}\r\nAccept: text/html\r\nConnection: close\r\n\r\n"
            );
            let response = app.raw(&request).await;
            let status = if fine { "HTTP/1.1 200 " } else { "HTTP/1.1 421 " };
            assert!(response.starts_with(status), "{host} {path}: {response}");
        }
    }
    assert_eq!(app.get("/-/health").await.status, StatusCode::OK, "probes use the IP address as host");
    let old = app.raw("GET /api/x HTTP/1.0\r\n\r\n").await;
    assert!(old.starts_with("HTTP/1.0 421 ") || old.starts_with("HTTP/1.1 421 "), "{old}");
    // The browser used https, although the proxy that terminates TLS does not say so.
    assert!(stub.requests()[0].to_ascii_lowercase().contains("x-forwarded-proto: https"));
}

/// A site whose name resolves to this machine (DNS rebinding) has the same origin as the console.
#[actix_web::test]
async fn hosts_of_other_sites_return_421_without_public_url() {
    let stub = Stub::start(ok("", "{}")).await;
    let beside = TestApp::with(&["--upstream", &stub.url, "--trusted-proxy", "127.0.0.1"]).await;
    let embedded = TestApp::with(&["--data", ":memory:", "--trusted-proxy", "127.0.0.1"]).await;
    let create = "/api/admin/tag-types";
    let body = r#"{"name":"team","description":"","icon":""}"#;
    let evil =
        [("host", "evil.example"), ("origin", "http://evil.example"), ("content-type", "application/json")];
    let behind_proxy = [("x-forwarded-host", "evil.example"), evil[1], evil[2]];
    for app in [&beside, &embedded] {
        for headers in [evil, behind_proxy] {
            let response = app.send(Method::POST, create, &headers, body).await;
            assert_eq!(code(&response), (StatusCode::MISDIRECTED_REQUEST, "unexpected_host".to_owned()));
            assert!(
                response.body.contains("public-url") && response.body.contains("allowed-host"),
                "{}",
                response.body
            );
            for path in ["/", "/-/settings", "/api/client/features", "/api/frontend", "/api/admin/features"] {
                assert_eq!(
                    app.send(Method::GET, path, &headers, "").await.status,
                    StatusCode::MISDIRECTED_REQUEST,
                    "{path}"
                );
            }
            // Probes may use any name.
            assert_eq!(app.send(Method::GET, "/-/health", &headers, "").await.status, StatusCode::OK);
        }
        let old = app.raw("GET /-/settings HTTP/1.0\r\n\r\n").await;
        assert!(old.contains(" 200 "), "programs may send no host: {old}");
    }
    assert!(!stub.requests().iter().any(|request| request.contains("evil")), "{:?}", stub.requests());
    let own = embedded.url("");
    for host in
        [own.trim_start_matches("http://"), "localhost:4242", "flags.localhost", "[::1]:4242", "192.0.2.1"]
    {
        let origin = format!("http://{host}");
        let headers = [("host", host), ("origin", origin.as_str()), evil[2]];
        let response = embedded.send(Method::POST, create, &headers, body).await;
        assert!(
            [StatusCode::CREATED, StatusCode::CONFLICT].contains(&response.status),
            "{host}: {}",
            response.body
        );
    }
}

/// SDKs in other containers use the name of the service, and not the name of the console.
#[actix_web::test]
async fn sdks_use_other_hosts_with_required_tokens_or_an_allowed_host() {
    let public = ["--data", ":memory:", "--public-url", "https://flags.example"];
    let named = TestApp::with(&[&public[..], &["--allowed-host", "flagdeck"]].concat()).await;
    let required = TestApp::with(&[&public[..], &["--require-client-tokens"]].concat()).await;
    let own = [("host", "flags.example"), ("content-type", "application/json")];
    let created = required.send(Method::POST, "/api/admin/api-tokens", &own, r#"{"name":"shop"}"#).await;
    let secret = created.json()["secret"].as_str().unwrap().to_owned();
    let status = async |app: &TestApp, path: &str, host: &str, token: &str| {
        app.send(Method::GET, path, &[("host", host), ("authorization", token)], "").await.status.as_u16()
    };
    let features = "/api/client/features";
    assert_eq!(status(&named, features, "flagdeck:4242", "").await, 200);
    assert_eq!(status(&named, features, "evil.example", "").await, 421);
    assert_eq!(status(&required, features, "flagdeck:4242", &secret).await, 200);
    for token in ["", "unknown"] {
        for path in [features, "/api/client/streaming", "/api/frontend", "/api/proxy", "/ofrep/v1/events"] {
            assert_eq!(status(&required, path, "evil.example", token).await, 401, "{path}");
        }
    }
    for path in ["/api/admin/features", "/-/settings", "/api/clients", "/"] {
        assert_eq!(status(&required, path, "flagdeck:4242", &secret).await, 421, "{path}");
    }
}

#[actix_web::test]
async fn malformed_host_returns_400() {
    let stub = Stub::start(ok("", "{}")).await;
    let app = TestApp::beside(&stub.url).await;
    for (host, fine) in [
        ("localhost", true),
        ("localhost:80", true),
        ("[::1]:80", true),
        ("", true),
        ("x/y", false),
        ("x y", false),
        ("user@x", false),
        ("x\"", false),
        ("x, y", false),
        ("é", false),
    ] {
        let request = format!("GET /api/x HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        let response = app.raw(&request).await;
        let start = if fine { "HTTP/1.1 200 " } else { "HTTP/1.1 400 " };
        assert!(response.starts_with(start) && (fine || response.contains("bad_host")), "{host}: {response}");
    }
}

#[actix_web::test]
async fn cross_site_writes_are_rejected() {
    let stub = Stub::start(ok("", "{}")).await;
    let app = TestApp::with(&["--upstream", &stub.url, "--trusted-origin", "https://portal.example"]).await;
    let own = app.url("");
    for (headers, fine) in [
        (&[("sec-fetch-site", "same-origin")][..], true),
        (&[("sec-fetch-site", "none")], true),
        (&[], true),
        (&[("origin", own.as_str())], true),
        (&[("sec-fetch-site", "cross-site"), ("origin", "https://portal.example")], true),
        (&[("sec-fetch-site", "cross-site"), ("origin", "https://evil.example")], false),
        (&[("sec-fetch-site", "same-site")], false),
        (&[("origin", "null")], false),
    ] {
        for path in ["/api/admin/features/x/toggle/on", "/auth/simple/login"] {
            let response = app.send(Method::POST, path, headers, "").await;
            assert_eq!(response.status == StatusCode::OK, fine, "{headers:?}: {}", response.body);
            if !fine {
                assert_eq!(code(&response), (StatusCode::FORBIDDEN, "cross_site".to_owned()));
                assert!(response.body.contains("--trusted-origin"), "{}", response.body);
            }
        }
        assert_eq!(app.send(Method::GET, "/api/x", headers, "").await.status, StatusCode::OK);
    }
}

#[actix_web::test]
async fn cross_site_writes_to_the_embedded_service_are_rejected() {
    let app = TestApp::embedded().await;
    let evil = [("content-type", "application/json"), ("sec-fetch-site", "cross-site")];
    for path in ["/-/examples", "/-/logout", "/api/admin/features", "/api/client/metrics/"] {
        let response = app.send(Method::POST, path, &evil, "{}").await;
        assert_eq!(code(&response), (StatusCode::FORBIDDEN, "cross_site".to_owned()), "{path}");
    }
}

#[actix_web::test]
async fn sdk_reports_need_no_trusted_origin() {
    let app = TestApp::embedded().await;
    let foreign = [("sec-fetch-site", "cross-site"), ("origin", "https://shop.example")];
    let json = [foreign[0], foreign[1], ("content-type", "application/json")];
    for (path, body) in REPORTS {
        let response = app.send(Method::POST, path, &json, body).await;
        assert_eq!(response.status, StatusCode::ACCEPTED, "{path}: {}", response.body);
        // Without a preflight request, a browser sends only other content types; the preflight request is rejected.
        let plain = [foreign[0], foreign[1], ("content-type", "text/plain")];
        let response = app.send(Method::POST, path, &plain, body).await;
        assert_eq!(response.status, StatusCode::UNSUPPORTED_MEDIA_TYPE, "{path}");
        let asks = [foreign[0], foreign[1], ("access-control-request-method", "POST")];
        let response = app.send(Method::OPTIONS, path, &asks, "").await;
        assert_eq!(response.header("access-control-allow-origin"), "", "{path}");
        assert!(!response.status.is_success(), "{path}: {}", response.status);
    }
}

#[actix_web::test]
async fn own_errors_have_a_request_id_and_security_headers() {
    let stub = Stub::start(Reply::BytesThenEnd(String::new())).await;
    let app = TestApp::beside(&stub.url).await;
    for (method, path) in [(Method::GET, "/api/x"), (Method::GET, "/api/%2e%2e/x"), (Method::TRACE, "/")] {
        let response = app.send(method, path, &[], "").await;
        let id = response.header("x-request-id");
        assert!(id.len() == 16 && response.json()["requestId"] == id, "{path}: {id} {}", response.body);
        assert_eq!(response.header("x-content-type-options"), "nosniff");
    }
    let signed_out = TestApp::with(&["--data", ":memory:", "--auth", "unsecure"]).await;
    let response = signed_out.get("/api/admin/user").await;
    assert_eq!(response.status, StatusCode::UNAUTHORIZED);
    assert_eq!(response.header("x-content-type-options"), "nosniff", "also in responses of a middleware");
    assert!(!response.header("x-request-id").is_empty());
}

#[actix_web::test]
async fn read_only_refuses_writes_except_sign_in_and_out() {
    let stub = Stub::start(ok("Set-Cookie: s=; Max-Age=0\r\n", "{}")).await;
    for base in ["", "/flags"] {
        let arguments = ["--read-only", "--base-path", base, "--proxy-prefix", "/logout"];
        let app = TestApp::with(&[&["--upstream", &stub.url][..], &arguments].concat()).await;
        let before = stub.requests().len();
        for method in
            [Method::POST, Method::PUT, Method::PATCH, Method::DELETE, Method::from_bytes(b"MOVE").unwrap()]
        {
            // Unleash 4.2 to 8.2 change a password with the paths below `/auth/reset`.
            for path in [
                "/api/admin/features/x",
                "/api/client/features",
                "/-/examples",
                "/api/admin/login/x",
                "/auth/reset/password",
                "/auth/reset/password-email",
                "/auth/reset/validate-password",
                "/auth/simple/create",
                "/auth/simple/login/x",
                "/auth/%73imple/login",
                "/logout/x",
            ] {
                let response = app.send(method.clone(), &format!("{base}{path}"), &[], "").await;
                assert_eq!(
                    code(&response),
                    (StatusCode::FORBIDDEN, "read_only".to_owned()),
                    "{method} {path}"
                );
            }
        }
        assert_eq!(stub.requests().len(), before, "no request was forwarded");
        // The sign-in of Unleash 3.17 to 8.2 with a password, of 4.0 to 8.2 with an email address, of 3.17 with an email
        // address and of Unleash Enterprise with SAML; and the sign-out of 5.0 to 8.2.
        for path in [
            "/auth/simple/login",
            "/auth/demo/login",
            "/api/admin/login",
            "/auth/saml/callback",
            "/logout",
            "/-/logout",
        ] {
            let session = [("cookie", "s=1")];
            let response = app.send(Method::POST, &format!("{base}{path}"), &session, "").await;
            assert_eq!(response.status, StatusCode::OK, "{path}");
        }
        let put = app.send(Method::PUT, &format!("{base}/auth/simple/login"), &[], "").await;
        assert_eq!(code(&put), (StatusCode::FORBIDDEN, "read_only".to_owned()));
        assert_eq!(app.get(&format!("{base}/api/admin/features")).await.status, StatusCode::OK);
        assert_eq!(app.get(&format!("{base}/-/settings")).await.json()["readOnly"], true);
    }
    let embedded = TestApp::with(&["--data", ":memory:", "--read-only"]).await;
    let response = embedded.post("/api/admin/features", &serde_json::json!({ "name": "x" })).await;
    assert_eq!(code(&response), (StatusCode::FORBIDDEN, "read_only".to_owned()));
}

#[actix_web::test]
async fn read_only_accepts_sdk_reports() {
    let stub = Stub::start(ok("", "{}")).await;
    let json = [("content-type", "application/json")];
    for base in ["", "/flags"] {
        let arguments = ["--read-only", "--base-path", base];
        let upstream = TestApp::with(&[&arguments[..], &["--upstream", &stub.url]].concat()).await;
        let embedded = TestApp::with(&[&arguments[..], &["--data", ":memory:"]].concat()).await;
        for (path, body) in REPORTS {
            let path = format!("{base}{path}");
            let response = upstream.send(Method::POST, &path, &json, body).await;
            assert_eq!(response.status, StatusCode::OK, "{path}: {}", response.body);
            assert!(stub.requests().pop().unwrap().ends_with(body), "{path}");
            let response = embedded.send(Method::POST, &path, &json, body).await;
            assert_eq!(response.status, StatusCode::ACCEPTED, "{path}: {}", response.body);
        }
    }
}

#[actix_web::test]
async fn encoded_report_paths_count_as_operator_writes() {
    let stub = Stub::start(ok("", "{}")).await;
    let upstream = TestApp::with(&["--upstream", &stub.url, "--read-only"]).await;
    let embedded = TestApp::with(&["--data", ":memory:", "--read-only"]).await;
    for path in [
        "/api/client/metrics/",
        "/api/client//metrics",
        "//api/client/metrics",
        "/api/client/Metrics",
        "/api/client/%6detrics",
        "/api/client/metrics%2f",
        "/api/client/metrics;x",
        "/api/client/metrics/../../admin/features",
        "/api/client/metrics/%2e%2e/%2e%2e/admin/features",
        "/api/client/./metrics",
        "/api/admin/features?/api/client/metrics",
        "/x/api/client/metrics",
        "/api/client/metrics/x",
        "/api/client/register/../../admin/features/x/toggle/on",
    ] {
        let request = format!(
            "POST {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n\
             Content-Length: 2\r\n\r\n{{}}"
        );
        for app in [&upstream, &embedded] {
            let response = app.raw(&request).await;
            assert!(
                response.starts_with("HTTP/1.1 403 ") && response.contains(r#""code":"read_only""#),
                "{path}: {response}"
            );
        }
    }
    for method in [Method::PUT, Method::PATCH, Method::DELETE] {
        let response = upstream.send(method.clone(), "/api/client/metrics", &[], "").await;
        assert_eq!(code(&response), (StatusCode::FORBIDDEN, "read_only".to_owned()), "{method}");
    }
    assert_eq!(stub.requests(), Vec::<String>::new());
    // The query is not part of the path.
    let response = upstream.send(Method::POST, "/api/client/metrics?x=1", &[], "{}").await;
    assert_eq!(response.status, StatusCode::OK);
}
