//! Hostile bodies, names and queries. The service never returns 5xx, keeps running, and accepts exactly the bodies that
//! its OpenAPI document allows.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use super::openapi::with_address;
use super::{FEATURES, JSON, create, names, plain};
use crate::support::app::{Response, TestApp};
use crate::support::document::{Document, Operation};
use crate::support::engine::is_postgres;

/// Returns the path of an operation with `name` for each parameter.
fn path_with_names(operation: &Operation<'_>, name: &str) -> String {
    let parts = operation.path.split('/').map(|part| if part.starts_with('{') { name } else { part });
    parts.collect::<Vec<_>>().join("/")
}

/// Returns true if the operation reads the body of a request without a token.
fn has_open_body(operation: &Operation<'_>) -> bool {
    !operation.body().is_null() && !operation.needs_token()
}

fn assert_survived(response: &Response, sent: &dyn std::fmt::Display) {
    assert!(!response.status.is_server_error(), "{} for {sent}", response.status);
    if !response.body.is_empty() {
        response.json();
    }
}

/// Asserts that the service runs and that all its lists can be read.
async fn assert_alive(app: &TestApp, document: &Document) {
    let is_list = |operation: &Operation<'_>| {
        operation.method == Method::GET && !operation.path.contains('{') && !operation.is_stream()
    };
    for operation in document.operations().filter(is_list) {
        let response = app.get(operation.path).await;
        assert_eq!(document.differences(&operation, &response), Vec::<String>::new(), "{}", operation.path);
    }
}

/// Returns wrong values for any property.
fn hostile_values() -> Vec<Value> {
    let long = "x".repeat(100_000);
    let values = r#"[null, true, false, 0, -1, 5.0, 1.5, 1e308, -1e308, 9223372036854775807, -9223372036854775808,
        18446744073709551615, 1e20, "", "x", "\u0000", "\ud83e\udd80", "../../etc/passwd", "..", "'; --", "a b",
        "%2F", "2147483648", [], {}, [[]], [null], [{}], {"": ""}, {"name": 1}, [""], ["x", "x"]]"#;
    let values: Vec<Value> = serde_json::from_str(values).unwrap();
    // Lengths at and above the limits.
    let bounded = [2, 50, 51, 100, 101, 254, 255, 256].map(|length| json!("x".repeat(length)));
    values
        .into_iter()
        .chain(bounded)
        .chain([json!(1000), json!(1001), json!(long), json!({ long: 1 })])
        .collect()
}

/// Returns the JSON pointers to a value and everything in it.
fn pointers(value: &Value) -> Vec<String> {
    let inside: Vec<(String, &Value)> = match value {
        Value::Object(object) => object.iter().map(|(key, value)| (key.replace('/', "~1"), value)).collect(),
        Value::Array(items) => items.iter().enumerate().map(|(i, item)| (i.to_string(), item)).collect(),
        _ => Vec::new(),
    };
    let deeper = inside
        .iter()
        .flat_map(|(key, value)| pointers(value).into_iter().map(move |rest| format!("/{key}{rest}")));
    [String::new()].into_iter().chain(deeper).collect()
}

/// Returns a valid body, and its copies with one part replaced by a hostile value or removed.
fn mutations(good: &Value) -> Vec<Value> {
    let mut mutations = vec![good.clone()];
    for pointer in pointers(good) {
        for value in hostile_values() {
            let mut body = good.clone();
            *body.pointer_mut(&pointer).unwrap() = value;
            mutations.push(body);
        }
        let (parent, key) = pointer.rsplit_once('/').unwrap_or_default();
        let mut body = good.clone();
        if let Some(object) = body.pointer_mut(parent).and_then(Value::as_object_mut) {
            object.remove(key);
            mutations.push(body);
        }
    }
    mutations
}

/// Returns whether an error is about the stored data and not about the body, such as a missing project or user.
fn is_about_the_state(response: &Response) -> bool {
    let body = response.json();
    body["details"][0]["type"] == "any.invalid" || body["code"] == "wrong_credentials"
}

/// Gives a body another name or id, if no mutation changed it. Returns false otherwise.
fn rename(body: &mut Value, good: &Value) -> bool {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let Some(key) = ["name", "id"].into_iter().find(|key| good[key].is_string()) else { return false };
    let is_kept = body.get(key) == Some(&good[key]);
    if is_kept {
        body[key] = format!("renamed-{}", NEXT.fetch_add(1, Ordering::Relaxed)).into();
    }
    is_kept
}

#[actix_web::test]
async fn accepts_bodies_that_match_the_openapi_document() {
    let document = Document::of(&TestApp::embedded().await).await;
    let mut unlike = Vec::new();
    // An import checks references between its sections, which a schema cannot describe. Bodies of holds, plans and files may also
    // be lists of their properties, in the order of the schema. Users are managed by a signed-in administrator: `access/users.rs`.
    let is_other = |path: &str| {
        path.ends_with("/state/import")
            || path.starts_with("/api/admin/users")
            || path.starts_with("/-/plans")
            || ["/-/holds", "/-/files"].contains(&path)
    };
    let operations = document.operations().filter(|one| has_open_body(one) && !is_other(one.path));
    for operation in operations {
        // A missing item is reported before faults of a body.
        let path = operation.path.replace("/features/{name}", "/features/probe");
        let path =
            path.replace("/context/{name}", "/context/userId").replace("/projects/{id}", "/projects/default");
        let path = path.replace("/segments/{id}", "/segments/1");
        let (mut app, mut _folder) = with_address(operation.path).await;
        if path.contains("probe") {
            create(&app, &plain("probe")).await;
        }
        if path.contains("/segments/") {
            let segment = r#"{"name":"testers","constraints":[]}"#;
            let created = app.send(Method::POST, "/api/admin/segments", &[JSON], segment).await;
            assert_eq!(created.status, StatusCode::CREATED);
        }
        let name = operation.body()["$ref"].as_str().unwrap().trim_start_matches('#');
        let good = &document.json.pointer(name).unwrap()["examples"][0];
        let validator = document.validator(operation.body(), false);
        // PostgreSQL refuses texts with U+0000.
        let has_no_nul = |body: &Value| !is_postgres() || !body.to_string().contains("\\u0000");
        for mut body in mutations(good).into_iter().filter(has_no_nul) {
            let mut response = app.send(operation.method.clone(), &path, &[JSON], &body.to_string()).await;
            if response.status == StatusCode::CONFLICT && !validator.is_valid(&body) {
                // A used name is reported before other faults of a body.
                if !rename(&mut body, good) {
                    app.stop().await;
                    (app, _folder) = with_address(operation.path).await;
                }
                response = app.send(operation.method.clone(), &path, &[JSON], &body.to_string()).await;
            }
            assert_survived(&response, &body);
            let refused = response.status == StatusCode::BAD_REQUEST && !is_about_the_state(&response);
            if validator.is_valid(&body) == refused {
                let body: String = body.to_string().chars().take(300).collect();
                unlike
                    .push(format!("{} {}: {} for {body}", operation.method, operation.path, response.status));
            }
        }
        assert_alive(&app, &document).await;
    }
    assert!(unlike.is_empty(), "{}", unlike.join("\n"));
}

#[actix_web::test]
async fn hostile_urls_get_a_response() {
    let app = TestApp::embedded().await;
    create(&app, &plain("probe")).await;
    let document = Document::of(&app).await;
    let long = "x".repeat(20_000);
    for name in [
        "%00",
        "a%00b",
        "%2F",
        "a%2Fb",
        "%2f..%2f..",
        "%2e%2e",
        "%5C",
        "%",
        "%zz",
        "%ff",
        "%ed%a0%80",
        "%F0%9F%A6%80",
        "%0d%0aX-Injected:%201",
        "a;b",
        "a:b",
        "{name}",
        "-1",
        "99999999999999999999",
        "~",
        "'",
        "%22",
        long.as_str(),
    ] {
        for operation in document.operations().filter(|operation| operation.path.contains('{')) {
            let path = path_with_names(&operation, name);
            let body = if operation.body().is_null() { "" } else { "{}" };
            let head =
                format!("{} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n", operation.method);
            let sent = format!(
                "{head}Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
                body.len()
            );
            let response = app.raw(&sent).await;
            let status = response.split(' ').nth(1).unwrap_or_default();
            assert!(status.starts_with(['2', '4']), "{status:?} for {head}");
            assert!(!response.to_lowercase().contains("\r\nx-injected"), "{head}");
        }
        for query in
            [format!("tag={name}:{name}"), format!("project={name}&namePrefix={name}"), format!("{name}&&=")]
        {
            let response = app.raw(&format!("GET {FEATURES}?{query} HTTP/1.0\r\n\r\n")).await;
            let fine = ["HTTP/1.0 200", "HTTP/1.0 400", "HTTP/1.0 431"];
            assert!(fine.iter().any(|start| response.starts_with(start)), "{response} {query}");
        }
    }
    assert_eq!(names(&app, FEATURES).await, ["probe"]);
    assert_alive(&app, &document).await;
}

#[actix_web::test]
async fn rejects_overlong_urls() {
    let app = TestApp::embedded().await;
    let document = Document::of(&app).await;
    for address in
        [format!("{FEATURES}/{}", "x".repeat(100_000)), format!("{FEATURES}?tag={}", "x:y".repeat(100_000))]
    {
        let mut connection = app.connect().await;
        // The server rejects the request before reading all of it, which may also reset the connection.
        drop(
            connection
                .write_all(format!("GET {address} HTTP/1.1\r\nHost: localhost\r\n\r\n").as_bytes())
                .await,
        );
        let mut response = String::new();
        drop(connection.read_to_string(&mut response).await);
        assert!(response.is_empty() || response.starts_with("HTTP/1.1 4"), "{response}");
    }
    assert_alive(&app, &document).await;
}

#[actix_web::test]
async fn last_duplicate_property_wins() {
    let app = TestApp::embedded().await;
    let body = r#"{"name":"one","strategies":1,"name":"probe.two","strategies":[{"name":"default"}]}"#;
    let response = app.send(Method::POST, FEATURES, &[JSON], body).await;
    assert_eq!((response.status, &response.json()["name"]), (StatusCode::CREATED, &json!("probe.two")));
}

/// Returns bodies that are not JSON, or barely valid JSON.
fn hostile_bodies() -> Vec<Vec<u8>> {
    let texts = [
        "",
        " ",
        "{",
        "}",
        "nul",
        "{\"name\":}",
        "{\"name\":\"a\",}",
        "{'name':'a'}",
        "\u{feff}{}",
        "{}{}",
        "{} x",
        "{\"name\":\"\\ud800\"}",
        "{\"name\":\"\\udc00\\ud800\"}",
        "{\"name\":\"\\u0000\\u0000\"}",
        "{\"name\":NaN}",
        "{\"name\":1e999}",
        "{\"name\":-}",
        "{\"name\":01}",
        "{\"name\":\"a\u{0}b\"}",
        "\"\\x\"",
        "[1,]",
    ];
    let deep = [("[", "]"), ("{\"name\":", "}"), ("{\"strategies\":[", "]}")]
        .map(|(open, close)| [open.repeat(10_000), close.repeat(10_000)]);
    let digits = format!("{{\"name\":{},\"weight\":-{0}.{0}e{0}}}", "9".repeat(1000));
    let mut bodies: Vec<Vec<u8>> = texts.iter().map(|text| text.as_bytes().to_vec()).collect();
    bodies.extend(
        deep.into_iter().flat_map(|[open, close]| [open.clone().into_bytes(), (open + &close).into_bytes()]),
    );
    bodies.push(digits.into_bytes());
    bodies.extend([
        vec![0xff, 0xfe],
        vec![0],
        b"{\"name\":\"\xff\xfe\"}".to_vec(),
        b"{\"\xed\xa0\x80\":1}".to_vec(),
    ]);
    bodies
}

#[actix_web::test]
async fn rejects_hostile_bodies() {
    let app = TestApp::embedded().await;
    let document = Document::of(&app).await;
    for operation in document.operations().filter(has_open_body) {
        for body in hostile_bodies() {
            let path = path_with_names(&operation, "none");
            let head = format!(
                "{} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n\
                 Content-Length: {}\r\n\r\n",
                operation.method,
                body.len()
            );
            let mut connection = app.connect().await;
            connection.write_all(head.as_bytes()).await.unwrap();
            connection.write_all(&body).await.unwrap();
            let mut response = Vec::new();
            let read =
                tokio::time::timeout(Duration::from_mins(1), connection.read_to_end(&mut response)).await;
            read.expect("no response for a minute").unwrap();
            let status = String::from_utf8_lossy(&response).split(' ').nth(1).unwrap_or_default().to_owned();
            let shown: String = String::from_utf8_lossy(&body).chars().take(60).collect();
            // An OpenFeature client may send an object without a context.
            let is_valid = operation.path.starts_with("/ofrep/")
                && serde_json::from_slice::<serde_json::Map<String, Value>>(&body).is_ok();
            // A state without sections is empty, and unknown fields of it are ignored.
            let is_empty_state = operation.path.ends_with("/state/import")
                && serde_json::from_slice::<serde_json::Map<String, Value>>(&body).is_ok();
            let is_fine = status == "400"
                || status == "404"
                || (is_valid && status == "200")
                || (is_empty_state && status == "202");
            assert!(is_fine, "{status:?} for {shown} at {path}");
        }
    }
    assert_eq!(names(&app, FEATURES).await, [""; 0]);
    assert_alive(&app, &document).await;
}
