//! `flagdeck edge`: a server in place of Unleash Edge, with its variables.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;
use std::time::Duration;

use actix_web::http::{Method, StatusCode};
use flagdeck::config::{Config, EDGE_VARIABLES, EdgeMode, EdgeValues, Form, Meaning, variable_name};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::sidecar::{SHOP, SHORT_PAUSE, body, code, wait_until};
use super::{FRONTEND, JSON, get, names};
use crate::support::app::{TestApp, upstream_of};
use crate::support::binary::{flagdeck, output_of};
use crate::support::client_api::ClientApi;

/// Client tokens of two environments, and frontend tokens of all projects and of one.
const SERVER: &str = "*:production.0123456789abcdef0123";
const OTHER: &str = "*:development.0123456789abcdef0124";
const WEB: &str = "*:production.fedcba9876543210fedc";
const WEB_SHOP: &str = "shop:production.fedcba9876543210fedd";
const FEATURES: &str = "/api/client/features";
/// A document with every path of the admin API.
const DOCUMENT: &str = include_str!("../../openapi/openapi.json");

async fn start_upstream() -> ClientApi {
    let api = ClientApi::start(&[]).await;
    for token in [SERVER, OTHER] {
        api.set(token, &body(&[("pay", "shop"), ("till", "till")]), "\"1\"");
        api.add_token(token, "client", &["*"]);
    }
    api.add_token(WEB, "frontend", &["*"]);
    api
}

/// Starts a server with the token of production and these variables.
async fn start(api: &ClientApi, more: &[(&str, &str)]) -> TestApp {
    let own = [("UPSTREAM_URL", api.stub.url.as_str()), ("TOKENS", SERVER)];
    TestApp::edge(&[&own, more].concat(), |config| {
        let upstream = upstream_of(config);
        upstream.pause = SHORT_PAUSE;
        upstream.replica.as_mut().unwrap().refresh = Duration::from_millis(20);
    })
    .await
}

fn resolve(variables: &[(&str, &str)]) -> Result<Config, String> {
    let own = [("UPSTREAM_URL", "http://flags:4242"), ("TOKENS", SERVER)];
    let mut all: Vec<(String, String)> = Vec::new();
    for (name, value) in own.iter().chain(variables) {
        all.retain(|(other, _)| other != name);
        all.push(((*name).to_owned(), (*value).to_owned()));
    }
    Config::resolve_edge(EdgeMode::Online, EdgeValues::new(), all).map_err(|error| error.to_string())
}

#[actix_web::test]
async fn sdks_get_toggles_with_their_tokens() {
    let api = start_upstream().await;
    let app = start(&api, &[]).await;
    let definitions = get(&app, SERVER, FEATURES).await;
    assert_eq!(definitions.json()["features"].as_array().unwrap().len(), 2, "{}", definitions.body);
    assert_eq!(names(&get(&app, WEB, FRONTEND).await), ["pay", "till"]);
    for headers in [&[][..], &[("cookie", "session=1")], &[("authorization", "")]] {
        let response = app.send(Method::GET, FEATURES, headers, "").await;
        assert_eq!(response.status, StatusCode::UNAUTHORIZED, "{headers:?}");
    }
    assert_eq!(get(&app, WEB, FEATURES).await.status, StatusCode::FORBIDDEN);
    // Pods are reached by addresses and by several names.
    let response =
        app.send(Method::GET, FEATURES, &[("authorization", SERVER), ("host", "edge.shop.svc")], "").await;
    assert_eq!(response.status, StatusCode::OK);
}

#[actix_web::test]
async fn paths_are_below_the_base_path() {
    let api = start_upstream().await;
    let app = start(&api, &[("BASE_PATH", "flags")]).await;
    for path in [FEATURES, "/internal-backstage/ready", "/internal-backstage/metrics"] {
        wait_until(async || get(&app, SERVER, &format!("/flags{path}")).await.status == StatusCode::OK).await;
        assert_eq!(get(&app, SERVER, path).await.status, StatusCode::NOT_FOUND, "{path}");
    }
}

#[actix_web::test]
async fn reports_are_forwarded_with_the_token_of_the_sdk_and_the_headers() {
    let api = start_upstream().await;
    let variables = [("CUSTOM_CLIENT_HEADERS", "X-Gate: open,X-Second:2"), ("METRICS_INTERVAL_SECONDS", "0")];
    let app = start(&api, &variables).await;
    let registration = json!({ "appName": "shop", "instanceId": "1", "strategies": [], "started": "2026-11-30T00:00:00Z", "interval": 1 });
    let headers = [JSON, ("authorization", SERVER)];
    let response = app.send(Method::POST, "/api/client/register", &headers, &registration.to_string()).await;
    assert!(response.status.is_success(), "{}", response.body);
    api.stub.wait_for(|request| request.starts_with("POST /api/client/register ")).await;
    let request = api
        .stub
        .requests()
        .into_iter()
        .find(|request| request.starts_with("POST /api/client/register "))
        .unwrap();
    let head = request.to_lowercase();
    for line in [&format!("authorization: {SERVER}"), "x-gate: open", "x-second: 2"] {
        assert!(head.contains(&format!("{line}\r\n")), "{line}: {head}");
    }
    let without = app.send(Method::POST, "/api/client/register", &[JSON], &registration.to_string()).await;
    assert_eq!(without.status, StatusCode::UNAUTHORIZED);
}

#[actix_web::test]
async fn reports_of_servers_and_browsers_are_collected() {
    let api = start_upstream().await;
    let app = start(&api, &[]).await;
    assert_eq!(names(&get(&app, WEB, FRONTEND).await), ["pay", "till"]);
    get(&app, SERVER, FEATURES).await;
    let (start, stop) = ("2026-11-30T00:00:00Z", "2026-11-30T00:01:00Z");
    for (token, path, application) in
        [(SERVER, "/api/client/metrics", "shop"), (WEB, "/api/frontend/client/metrics", "web")]
    {
        let bucket = json!({ "start": start, "stop": stop, "toggles": { "pay": { "yes": 1, "no": 0 } } });
        let report = json!({ "appName": application, "instanceId": "1", "bucket": bucket }).to_string();
        for _ in 0..2 {
            let response = app.send(Method::POST, path, &[JSON, ("authorization", token)], &report).await;
            assert_eq!(response.status, StatusCode::ACCEPTED, "{}", response.body);
        }
    }
    assert!(api.accepted_reports().is_empty());
    app.stop().await;
    let reports = api.accepted_reports();
    assert!(reports.iter().all(|report| report.path == "/api/client/metrics/bulk" && report.token == SERVER));
    for application in ["shop", "web"] {
        let metrics = reports.iter().flat_map(|report| report.body["metrics"].as_array().unwrap());
        let counts: Vec<_> = metrics
            .filter(|metric| metric["appName"] == application)
            .map(|metric| metric["yes"].clone())
            .collect();
        assert_eq!(counts, [2], "{application}");
    }
}

#[actix_web::test]
async fn single_toggles_come_from_memory() {
    let api = start_upstream().await;
    let app = start(&api, &[]).await;
    wait_until(async || get(&app, SERVER, FEATURES).await.status == StatusCode::OK).await;
    api.set_down(true);
    let list = get(&app, SERVER, FEATURES).await.json();
    for toggle in list["features"].as_array().unwrap() {
        let path = format!("{FEATURES}/{}", toggle["name"].as_str().unwrap());
        let response = get(&app, SERVER, &path).await;
        assert_eq!((response.status, &response.json()), (StatusCode::OK, toggle), "{path}");
    }
    assert_eq!(get(&app, SERVER, "/api/client/features/none").await.status, StatusCode::NOT_FOUND);
    let requests = api.stub.requests();
    assert!(!requests.iter().any(|request| request.starts_with("GET /api/client/features/")));
}

#[actix_web::test]
async fn pages_of_all_or_of_some_origins_may_use_tokens() {
    let api = start_upstream().await;
    let trusted = ("PRETRUSTED_TOKENS", "secret-of-pages@production");
    for (origins, evil) in [(None, 200), (Some(SHOP), 403)] {
        let app = start(
            &api,
            &[
                &[trusted][..],
                &origins.map(|origins| ("CORS_ORIGIN", origins)).into_iter().collect::<Vec<_>>(),
            ]
            .concat(),
        )
        .await;
        for token in [WEB, "secret-of-pages"] {
            for (origin, status) in [(SHOP, 200), ("https://evil.example", evil)] {
                let headers =
                    [JSON, ("authorization", token), ("origin", origin), ("sec-fetch-site", "cross-site")];
                for path in [FRONTEND, "/api/frontend/all"] {
                    let response = app.send(Method::POST, path, &headers, "{}").await;
                    assert_eq!(response.status, status, "{path} {token} {origin}: {}", response.body);
                }
            }
        }
    }
}

/// Checks that paths of the admin API, of the console and of Edge's other endpoints do not exist, in several spellings.
pub(super) async fn check_other_paths(app: &TestApp, token: &str) {
    let document: Value = serde_json::from_str(DOCUMENT).unwrap();
    let of_admin =
        document["paths"].as_object().unwrap().keys().filter(|path| path.starts_with("/api/admin"));
    let mut paths: Vec<_> = of_admin.map(|path| path.replace(['{', '}'], "")).collect();
    assert!(paths.len() > 40, "{paths:?}");
    paths.extend(
        [
            "/",
            "/index.html",
            "/features",
            "/auth/simple/login",
            "/logout",
            "/-/health",
            "/-/settings",
            "/-/sdk-toggles",
            "/api",
            "/api/client/delta",
            "/api/client/metrics/edge",
            "/metrics",
            "/health",
            "/edge/metrics",
            "/edge",
            "/internal-backstage",
            "/internal-backstage/tokens",
            "/internal-backstage/features",
        ]
        .map(str::to_owned),
    );
    let spellings: [fn(&str) -> String; 10] = [
        str::to_owned,
        |path| format!("/{path}"),
        |path| format!("{path}/"),
        |path| path.to_uppercase(),
        |path| path.replacen("/a", "/%61", 1),
        |path| format!("/api/client/..{}", path.trim_start_matches("/api")),
        |path| format!("/api/client/features/%2e%2e/%2e%2e{}", path.trim_start_matches("/api")),
        |path| format!("/api/client/metrics/../..{}", path.trim_start_matches("/api")),
        |path| format!("/edge/validate/../..{path}"),
        |path| format!("/internal-backstage/..{path}"),
    ];
    for path in &paths {
        for (spelling, method) in
            spellings.iter().flat_map(|spelling| ["GET", "POST", "DELETE"].map(|method| (spelling, method)))
        {
            let request = format!(
                "{method} {} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: {token}\r\nContent-Type: application/json\r\n\
                 Content-Length: 2\r\n\r\n{{}}",
                spelling(path)
            );
            let response = app.raw(&request).await;
            assert!(response.starts_with("HTTP/1.1 4"), "{request}: {response}");
        }
    }
}

#[actix_web::test]
async fn other_paths_do_not_exist_and_are_not_forwarded() {
    let api = start_upstream().await;
    // With headers, Flagdeck with the console would also detect the version.
    let app = start(&api, &[("CUSTOM_CLIENT_HEADERS", "X-Gate: open")]).await;
    wait_until(async || app.get("/internal-backstage/health").await.status == StatusCode::OK).await;
    check_other_paths(&app, SERVER).await;
    let allowed = ["GET /api/client/features", "POST /edge/validate ", "GET /api/frontend"];
    let requests = api.stub.requests();
    let is_allowed = |request: &&String| allowed.iter().any(|start| request.starts_with(start));
    let other = requests.iter().find(|request| !is_allowed(request));
    assert_eq!(other, None, "such as the detection of the version");
}

#[actix_web::test]
async fn health_waits_for_each_environment_and_survives_an_outage() {
    let api = start_upstream().await;
    let respond = |head: &str, body: &str| api.set_path(FEATURES, OTHER, head, body);
    respond("500 Internal Server Error", "{}");
    let both = format!("{SERVER},{OTHER}");
    let app = start(&api, &[("TOKENS", &both)]).await;
    get(&app, SERVER, FEATURES).await;
    let response = app.get("/internal-backstage/health").await;
    assert_eq!(code(&response), (503, "no_copy".to_owned()), "{}", response.body);
    assert!(response.body.contains("development"), "{}", response.body);
    assert_eq!(app.get("/internal-backstage/ready").await.status, StatusCode::SERVICE_UNAVAILABLE);
    respond("200 OK\r\nContent-Type: application/json\r\nETag: \"1\"\r\n", &body(&[]));
    wait_until(async || app.get("/internal-backstage/health").await.status == StatusCode::OK).await;
    assert_eq!(app.get("/internal-backstage/health").await.json(), json!({ "status": "OK" }));
    assert_eq!(app.get("/internal-backstage/ready").await.json(), json!({ "status": "READY" }));
    api.set_down(true);
    wait_until(async || !get(&app, SERVER, FEATURES).await.header("x-flagdeck-stale").is_empty()).await;
    assert_eq!(app.get("/internal-backstage/health").await.status, StatusCode::OK);
    api.set_down(false);
    let of_other = || api.stub.requests().iter().filter(|request| request.contains(OTHER)).count();
    let before = of_other();
    respond("401 Unauthorized", "{}");
    // The copies of this program and of the SDK.
    wait_until(async || {
        get(&app, OTHER, FEATURES).await;
        of_other() > before + 1
    })
    .await;
    wait_until(async || get(&app, OTHER, FEATURES).await.status == StatusCode::UNAUTHORIZED).await;
    let response = app.get("/internal-backstage/health").await;
    assert_eq!(response.status, StatusCode::OK, "a revoked token is no reason to restart");
}

#[actix_web::test]
async fn refused_token_does_not_stop_the_other_environments() {
    let api = start_upstream().await;
    api.revoke(OTHER);
    let both = format!("{SERVER},{OTHER}");
    let app = start(&api, &[("TOKENS", &both)]).await;
    for path in ["health", "ready"] {
        wait_until(async || app.get(&format!("/internal-backstage/{path}")).await.status == StatusCode::OK)
            .await;
    }
    api.revoke(SERVER);
    let app = start(&api, &[("TOKENS", &both)]).await;
    wait_until(async || {
        app.get("/internal-backstage/health").await.body.contains("refuses all client tokens")
    })
    .await;
}

#[actix_web::test]
async fn instance_without_recent_toggles_is_not_ready() {
    let api = start_upstream().await;
    let own = [("UPSTREAM_URL", api.stub.url.as_str()), ("TOKENS", SERVER)];
    let app = TestApp::edge(&own, |config| {
        let upstream = upstream_of(config);
        upstream.pause = SHORT_PAUSE;
        let replica = upstream.replica.as_mut().unwrap();
        (replica.refresh, replica.max_stale) = (Duration::from_millis(20), Duration::from_millis(500));
    })
    .await;
    wait_until(async || app.get("/internal-backstage/ready").await.status == StatusCode::OK).await;
    api.set_down(true);
    wait_until(async || app.get("/internal-backstage/ready").await.status == StatusCode::SERVICE_UNAVAILABLE)
        .await;
    assert_eq!(
        app.get("/internal-backstage/health").await.status,
        StatusCode::OK,
        "a restart would not help"
    );
    let head = app.send(Method::HEAD, "/internal-backstage/health", &[], "").await;
    assert_eq!(head.status, StatusCode::OK);
    api.set_down(false);
    wait_until(async || app.get("/internal-backstage/ready").await.status == StatusCode::OK).await;
}

#[actix_web::test]
async fn server_that_is_down_at_the_start_leaves_the_others_running() {
    let api = start_upstream().await;
    api.set_down(true);
    let app = start(&api, &[]).await;
    for path in ["health", "ready"] {
        let response = app.get(&format!("/internal-backstage/{path}")).await;
        assert_eq!(response.status, StatusCode::SERVICE_UNAVAILABLE, "{path}: {}", response.body);
    }
    api.set_down(false);
    wait_until(async || app.get("/internal-backstage/ready").await.status == StatusCode::OK).await;
}

#[actix_web::test]
async fn tokens_are_validated_as_by_the_upstream() {
    let api = start_upstream().await;
    let app = start(&api, &[]).await;
    let ask = async |tokens: Value| app.post("/edge/validate", &json!({ "tokens": tokens })).await;
    let asked = json!([WEB, SERVER, "*:production.unknown0123456789", "*:staging.0123456789abcdef", "x"]);
    let listed = ask(asked.clone()).await.json();
    let expected = [(WEB, "frontend"), (SERVER, "client")].map(|(token, kind)| {
        json!({ "token": token, "type": kind, "projects": ["*"], "environment": "production" })
    });
    assert_eq!(listed["tokens"], json!(expected));
    assert_eq!(ask(json!([])).await.json(), json!({ "tokens": [] }));
    for tokens in [json!(vec!["x"; 101]), json!([1]), json!("x")] {
        let response = ask(tokens).await;
        assert_eq!(response.status, StatusCode::BAD_REQUEST, "{}", response.body);
    }
    api.set_down(true);
    assert_eq!(ask(json!([WEB, SERVER])).await.json()["tokens"], json!(expected));
    let metrics = app.get("/internal-backstage/metrics").await.body;
    assert!(metrics.contains("flagdeck_replica_validations_total{result=\"answered\"}"), "{metrics}");
}

#[actix_web::test]
async fn all_results_contain_toggles_that_are_off() {
    let api = start_upstream().await;
    let toggles = json!([
        { "name": "off", "project": "till", "enabled": false, "strategies": [{ "name": "default" }] },
        { "name": "on", "project": "shop", "enabled": true, "strategies": [{ "name": "default" }] },
    ]);
    api.set(SERVER, &json!({ "version": 2, "features": toggles }).to_string(), "\"1\"");
    api.add_token(WEB_SHOP, "frontend", &["shop"]);
    let app = start(&api, &[]).await;
    for path in ["/api/frontend/all", "/api/proxy/all"] {
        let response = get(&app, WEB, path).await;
        let results: Vec<_> = response.json()["toggles"]
            .as_array()
            .unwrap()
            .iter()
            .map(|toggle| (toggle["name"].clone(), toggle["enabled"].clone()))
            .collect();
        assert_eq!(results, [(json!("off"), json!(false)), (json!("on"), json!(true))], "{}", response.body);
        assert_eq!(names(&get(&app, WEB_SHOP, path).await), ["on"], "only of its project");
        for headers in [&[][..], &[("authorization", "*:production.unknown0123456789")]] {
            assert_eq!(app.send(Method::GET, path, headers, "").await.status, StatusCode::UNAUTHORIZED);
        }
        let report = json!({ "appName": "web", "bucket": { "start": "2026-11-30T00:00:00Z", "stop": "2026-11-30T00:01:00Z", "toggles": {} } });
        let headers = [JSON, ("authorization", WEB)];
        let reported =
            app.send(Method::POST, &format!("{path}/client/metrics"), &headers, &report.to_string()).await;
        assert_eq!(reported.status, StatusCode::ACCEPTED, "{}", reported.body);
    }
    let app = start(&api, &[("DISABLE_ALL_ENDPOINT", "true")]).await;
    assert_eq!(get(&app, WEB, "/api/frontend/all").await.status, StatusCode::NOT_FOUND);
}

#[actix_web::test]
async fn metrics_can_be_switched_off() {
    let api = start_upstream().await;
    for (value, status) in [("false", 200), ("true", 404)] {
        let app = start(&api, &[("DISABLE_METRICS_ENDPOINT", value)]).await;
        assert_eq!(app.get("/internal-backstage/metrics").await.status, status);
    }
}

#[actix_web::test]
async fn copies_survive_a_restart_in_the_backup_folder() {
    let api = start_upstream().await;
    let folder = TempDir::new().unwrap();
    let backup = [("BACKUP_FOLDER", folder.path().to_str().unwrap())];
    let app = start(&api, &backup).await;
    wait_until(async || app.get("/internal-backstage/health").await.status == StatusCode::OK).await;
    let before = get(&app, SERVER, FEATURES).await.body;
    app.stop().await;
    api.set_down(true);
    let app = start(&api, &backup).await;
    wait_until(async || app.get("/internal-backstage/health").await.status == StatusCode::OK).await;
    assert_eq!(get(&app, SERVER, FEATURES).await.body, before);
    for file in fs::read_dir(&folder).unwrap() {
        let content = fs::read(file.unwrap().path()).unwrap();
        assert!(!content.windows(SERVER.len()).any(|window| window == SERVER.as_bytes()));
    }
}

/// Each case: variables, and the seconds for which reports are collected.
#[test]
fn reports_are_collected_for_a_minute_by_default() {
    for (variables, seconds) in [
        (&[][..], 60),
        (&[("METRICS_INTERVAL_SECONDS", "5")], 5),
        (&[("METRICS_INTERVAL_SECONDS", "0")], 0),
        (&[("FLAGDECK_REPORT_INTERVAL", "30s")], 30),
        (&[("FLAGDECK_REPORT_INTERVAL", "30s"), ("METRICS_INTERVAL_SECONDS", "5")], 5),
    ] {
        let mut config = resolve(variables).unwrap();
        let interval = upstream_of(&mut config).replica.as_ref().unwrap().report_interval;
        assert_eq!(interval, Duration::from_secs(seconds), "{variables:?}");
    }
}

/// Each case: variables, and the start of the error.
#[test]
fn faults_name_the_variable_and_contain_no_secret() {
    for (variables, fault) in [
        (&[("UPSTREAM_URL", "")][..], "UPSTREAM_URL: is missing; set it to"),
        (&[("TOKENS", "")], "TOKENS: is missing; set it to"),
        (&[("TOKENS", "secret")], "TOKENS: has a token without an environment; use"),
        (&[("TOKENS", "*:a.secret,\u{1}")], "TOKENS: has no client token such as"),
        (&[("UPSTREAM_URL", "flags:4242")], "upstream: "),
        (&[("UPSTREAM_URL", "http://127.0.0.1:3063")], "upstream: 127.0.0.1:3063 is the address on which"),
        (&[("PRETRUSTED_TOKENS", "secret")], "PRETRUSTED_TOKENS: has a token that is neither"),
        (
            &[("PRETRUSTED_TOKENS", "secret@staging")],
            "PRETRUSTED_TOKENS: has a token of the environment \"staging\"",
        ),
        (
            &[("PRETRUSTED_TOKENS", "[]:production.secret")],
            "PRETRUSTED_TOKENS: has a token of several projects",
        ),
        (&[("PRETRUSTED_TOKENS", SERVER)], "PRETRUSTED_TOKENS: has a client token"),
        (&[("CUSTOM_CLIENT_HEADERS", "secret")], "CUSTOM_CLIENT_HEADERS: must have headers such as"),
        (&[("CUSTOM_CLIENT_HEADERS", "Host: secret")], "CUSTOM_CLIENT_HEADERS: cannot have the header host"),
        (
            &[("CUSTOM_CLIENT_HEADERS", "Authorization: secret")],
            "CUSTOM_CLIENT_HEADERS: cannot have the header authorization",
        ),
        (&[("CORS_ORIGIN", "https://shop.example/")], "CORS_ORIGIN: must be origins"),
        (&[("PORT", "x")], "PORT: must be a port"),
        (&[("INTERFACE", "eth0")], "INTERFACE: must be an IP address"),
        (&[("BASE_PATH", "/a//b")], "base-path: "),
        (
            &[("FEATURES_REFRESH_INTERVAL_SECONDS", "1.5")],
            "FEATURES_REFRESH_INTERVAL_SECONDS: must be a number of seconds",
        ),
        (&[("FEATURES_REFRESH_INTERVAL_SECONDS", "0")], "replica-refresh: "),
        (&[("METRICS_INTERVAL_SECONDS", "3601")], "report-interval: "),
        (&[("LOG_FORMAT", "xml")], "LOG_FORMAT: must be plain, json or pretty"),
        (&[("TLS_ENABLE", "yes")], "TLS_ENABLE: must be true or false"),
        (&[("TLS_ENABLE", "true")], "TLS_SERVER_CERT: is missing"),
        (
            &[("TLS_ENABLE", "true"), ("PORT", "3063"), ("TLS_SERVER_CERT", "c"), ("TLS_SERVER_KEY", "k")],
            "PORT: differs from TLS_SERVER_PORT",
        ),
        (
            &[("REDIRECT_HTTP_TO_HTTPS", "true")],
            "REDIRECT_HTTP_TO_HTTPS: Flagdeck listens on one port; remove it",
        ),
        (&[("ALLOW_LIST", "10.0.0.0/8")], "ALLOW_LIST: addresses are not filtered; remove it"),
        (&[("DENY_LIST", "10.0.0.0/8")], "DENY_LIST: addresses are not filtered; remove it"),
        (
            &[("TOKEN_HEADER", "X-Token")],
            "TOKEN_HEADER: tokens are read from the header Authorization; remove it",
        ),
        (&[("EDGE_AUTH_HEADER", "X-Token")], "EDGE_AUTH_HEADER: tokens"),
        (&[("UPSTREAM_AUTH_HEADER", "X-Token")], "UPSTREAM_AUTH_HEADER: tokens"),
        (&[("PKCS12_IDENTITY_FILE", "x")], "PKCS12_IDENTITY_FILE: PKCS #12 is not supported; convert"),
        (
            &[("TRUST_PROXY", "true"), ("PROXY_TRUSTED_SERVERS", "proxy")],
            "PROXY_TRUSTED_SERVERS: must be IP addresses",
        ),
    ] {
        let error = resolve(variables).unwrap_err();
        assert!(error.starts_with(fault), "{variables:?}: {error}");
        assert!(!error.contains("secret"), "{error}");
    }
}

#[test]
fn variables_become_settings() {
    let config = resolve(&[
        ("UPSTREAM_URL", "https://flags.example/"),
        ("SKIP_SSL_VERIFICATION", "true"),
        ("PRETRUSTED_TOKENS", "shop:production.0123456789abcdefff,0123456789abcdefff@production"),
        ("FEATURES_REFRESH_INTERVAL_SECONDS", "7"),
        ("UPSTREAM_REQUEST_TIMEOUT", "3"),
        ("UPSTREAM_SOCKET_TIMEOUT", "4"),
        ("TRUST_PROXY", "true"),
        ("PROXY_TRUSTED_SERVERS", "10.0.0.0/8, 192.168.0.1"),
        ("LOG_FORMAT", "json"),
        ("TOKEN_HEADER", "authorization"),
        ("REDIRECT_HTTP_TO_HTTPS", "false"),
        ("CUSTOM_CLIENT_HEADERS", "X-Api-Key: 0123456789abcdefff"),
        ("FLAGDECK_REPLICA_MAX_STALE", "1h"),
    ])
    .unwrap();
    assert_eq!(config.listen.address.to_string(), "0.0.0.0:3063");
    let proxies: Vec<_> = config.public.trusted_proxies.iter().map(ToString::to_string).collect();
    assert_eq!(proxies, ["10.0.0.0/8", "192.168.0.1/32"]);
    let debug = format!("{config:?}");
    assert!(!debug.contains("0123456789abcdef"), "{debug}");
    let mut config = config;
    let upstream = upstream_of(&mut config);
    assert_eq!(upstream.origin, "https://flags.example");
    assert_eq!([upstream.connect_timeout, upstream.head_timeout], [3, 4].map(Duration::from_secs));
    let replica = upstream.replica.as_ref().unwrap();
    assert_eq!([replica.refresh, replica.max_stale], [7, 3600].map(Duration::from_secs));
    let projects: Vec<_> =
        replica.frontend_tokens.iter().map(|token| token.scope.projects.join(" ")).collect();
    assert_eq!(projects, ["shop", ""]);
    let proxies = resolve(&[("TRUST_PROXY", "true")]).unwrap().public.trusted_proxies;
    assert_eq!(proxies.len(), 2, "without a list, all are trusted");
    assert!(resolve(&[("PROXY_TRUSTED_SERVERS", "10.0.0.0/8")]).unwrap().public.trusted_proxies.is_empty());
    let without_port = resolve(&[("INTERFACE", "::1"), ("PORT", "")]).unwrap();
    assert_eq!(without_port.listen.address.to_string(), "[::1]:3063");
}

#[test]
fn variables_without_their_condition_have_no_effect() {
    for (variables, ignored) in [
        (
            &[("PROXY_TRUSTED_SERVERS", "bogus")][..],
            "PROXY_TRUSTED_SERVERS has no effect: TRUST_PROXY is not true",
        ),
        (
            &[("TLS_SERVER_CERT", "/no/file"), ("TLS_ENABLE", "false")],
            "TLS_SERVER_CERT has no effect: TLS_ENABLE is not true",
        ),
        (
            &[("UPSTREAM_CERTIFICATE_FILE", "/no/file")],
            "UPSTREAM_CERTIFICATE_FILE has no effect: UPSTREAM_URL is not https",
        ),
        (
            &[("SKIP_SSL_VERIFICATION", "true")],
            "SKIP_SSL_VERIFICATION has no effect: UPSTREAM_URL is not https",
        ),
        (
            &[("https_proxy", "http://proxy")],
            "https_proxy has no effect: Flagdeck connects to the flag service itself",
        ),
    ] {
        let edge = resolve(variables).unwrap().edge.unwrap();
        assert!(edge.ignored.iter().any(|note| note == ignored), "{:?}", edge.ignored);
    }
    let twice = format!("{SERVER},{OTHER},{SERVER}");
    let mut config = resolve(&[("TOKENS", &twice)]).unwrap();
    assert_eq!(upstream_of(&mut config).client_tokens.len(), 2);
}

#[test]
fn each_variable_is_explained() {
    for variable in EDGE_VARIABLES {
        let name = variable_name(variable.flag);
        let value = if variable.form == Form::Switch { "true" } else { "1" };
        let conditions = [("UPSTREAM_URL", "https://flags"), ("TRUST_PROXY", "true")];
        let variables: Vec<_> = conditions.into_iter().filter(|(other, _)| *other != name).collect();
        match (variable.meaning, resolve(&[&variables[..], &[(&name, value)]].concat())) {
            (Meaning::Refused(remedy), Err(error)) => assert_eq!(error, format!("{name}: {remedy}")),
            (Meaning::NoEffect(reason), Ok(config)) => {
                let note = format!("{name} has no effect: {reason}");
                assert!(config.edge.unwrap().ignored.contains(&note), "{note}");
            }
            (Meaning::Becomes(_), Ok(_)) if name.starts_with("TLS_SERVER_") => {}
            (Meaning::Becomes(setting), Ok(config)) => {
                let note = format!("{name} sets {setting}");
                assert!(config.edge.unwrap().set.contains(&note), "{note}");
            }
            // The value is not valid.
            (Meaning::Becomes(_), Err(_)) => {}
            (meaning, result) => panic!("{name}: {meaning:?}, {result:?}"),
        }
    }
}

/// Runs the binary under the name of Edge's, or as `flagdeck edge`.
fn edge(name: Option<&TempDir>, variables: &[(&str, &str)], arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = flagdeck();
    if let Some(folder) = name {
        let link = folder.path().join("unleash-edge");
        if !link.exists() {
            symlink(command.get_program(), &link).unwrap();
        }
        command = Command::new(link);
        command.env_clear();
    } else {
        command.arg("edge");
    }
    let output = output_of(command.args(arguments).envs(variables.iter().copied()));
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(text).unwrap())
}

#[actix_web::test]
async fn probes_have_the_exit_codes_of_edge() {
    let api = start_upstream().await;
    let app = start(&api, &[]).await;
    wait_until(async || app.get("/internal-backstage/ready").await.status == StatusCode::OK).await;
    let (folder, port) = (TempDir::new().unwrap(), app.port.to_string());
    let url = app.url("");
    for name in [None, Some(&folder)] {
        for command in ["health", "ready"] {
            let own = [("PORT", port.as_str())];
            for (variables, arguments) in [
                (&own[..], &[command][..]),
                (&[("EDGE_URL", &*url)], &[command]),
                (&[], &[command, "-e", &url]),
            ] {
                let (code, text) = edge(name, variables, arguments);
                assert_eq!((code, text.trim()), (Some(0), "ok"), "{arguments:?}");
            }
        }
    }
}

#[test]
fn command_line_is_that_of_edge() {
    let folder = TempDir::new().unwrap();
    for (name, arguments, code, text) in [
        (None, &["--help"][..], 0, "--upstream-url"),
        (None, &["--version"], 0, "flagdeck"),
        (
            None,
            &["--upstream-url", "http://flags", "-t", "x"],
            1,
            "TOKENS: has a token without an environment",
        ),
        (None, &["-u", "flags", "-t", SERVER], 1, "upstream: "),
        (None, &["-u", "http://flags", "-t", SERVER, "-p", "x"], 1, "PRETRUSTED_TOKENS: "),
        (None, &["-u", "http://flags", "-t", SERVER, "--port", "x"], 1, "PORT: "),
        (None, &["--no-such-flag"], 64, "unexpected argument"),
        (None, &["-u", "http://flags", "-t", SERVER, OTHER], 64, "an argument is no flag; the items"),
        (Some(&folder), &["-p", "x", "edge", "-u", "http://flags", "-t", SERVER], 1, "PORT: "),
        (Some(&folder), &["edge", "-u", "http://flags", "-t", SERVER, "-p", "x"], 1, "PRETRUSTED_TOKENS: "),
        (Some(&folder), &[], 64, "Usage: unleash-edge"),
        (Some(&folder), &["ready", "-e", "http://127.0.0.1:1"], 1, "/internal-backstage/ready"),
    ] {
        let (found, output) = edge(name, &[("UPSTREAM_URL", "http://other")], arguments);
        assert_eq!(found, Some(code), "{arguments:?}: {output}");
        assert!(output.contains(text), "{arguments:?}: {output}");
    }
}
