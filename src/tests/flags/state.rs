//! Export and import over HTTP.

use std::fmt::Write as _;

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::{FEATURES, JSON, create, edited_probe, message, names, plain, probe};
use crate::support::app::{Response, TestApp};

const EXPORT: &str = "/api/admin/state/export";
const IMPORT: &str = "/api/admin/state/import";
const YAML: &str = "application/yaml";

/// Texts that YAML reads as other values, or not at all, unless they are quoted.
const AMBIGUOUS: [&str; 25] = [
    "",
    "yes",
    "no",
    "on",
    "true",
    "null",
    "~",
    "1",
    "012",
    "0x1F",
    "0o17",
    "1_000",
    "1e3",
    ".inf",
    "2026-01-31",
    "12:30:45",
    "a: b # c",
    "- x",
    "? x",
    "*x",
    "&x",
    " x ",
    "line\nline\n\n",
    "\ttab \"quoted\" 'single' \\n",
    "🦀\u{85}\u{feff}",
];

async fn fill(app: &TestApp) {
    create(app, &probe()).await;
    for (index, text) in AMBIGUOUS.iter().enumerate() {
        let parameters = json!({ "userIds": text });
        let toggle = json!({
            "name": format!("ambiguous-{index}"), "description": text,
            "strategies": [{ "name": "userWithId", "parameters": parameters }],
        });
        create(app, &toggle).await;
    }
    for (path, body) in [
        (
            "strategies",
            json!({ "name": "mine", "description": "1e3", "parameters": [{ "name": "yes", "type": "string" }] }),
        ),
        ("projects", json!({ "id": "shop", "name": "on" })),
        ("tag-types", json!({ "name": "team", "description": "~", "icon": "#" })),
        ("features/probe.one/tags", json!({ "type": "team", "value": "012" })),
    ] {
        let response = app.post(&format!("/api/admin/{path}"), &body).await;
        assert_eq!(response.status, StatusCode::CREATED, "{path}: {}", response.body);
    }
}

/// Returns the content type and the body of a form with a file.
fn form(field: &str, file: &str, content: &str) -> (String, String) {
    let disposition = format!("Content-Disposition: form-data; name=\"{field}\"; filename=\"{file}\"");
    let other = "--x\r\nContent-Disposition: form-data; name=\"comment\"\r\n\r\nnothing\r\n";
    let body = format!(
        "{other}--x\r\n{disposition}\r\nContent-Type: application/octet-stream\r\n\r\n{content}\r\n--x--\r\n"
    );
    ("multipart/form-data; boundary=x".to_owned(), body)
}

async fn import(app: &TestApp, query: &str, content_type: &str, body: &str) -> Response {
    app.send(Method::POST, &format!("{IMPORT}{query}"), &[("content-type", content_type)], body).await
}

/// Returns the exported state without the time at which the service created the default project.
async fn state_of(app: &TestApp) -> Value {
    let mut state = app.get(EXPORT).await.json();
    let projects = state["projects"].as_array_mut().unwrap();
    projects.iter_mut().find(|project| project["id"] == "default").unwrap()["createdAt"].take();
    state
}

#[actix_web::test]
async fn export_contains_the_selected_sections() {
    let app = TestApp::embedded().await;
    fill(&app).await;
    let keys = async |query: &str| {
        let response = app.get(&format!("{EXPORT}{query}")).await;
        assert_eq!(response.header("content-type"), "application/json");
        assert_eq!(response.header("content-disposition"), "");
        response.json().as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(keys("").await, "featureTags features projects strategies tagTypes tags version");
    assert_eq!(keys("?format=json&tags=false").await, "features projects strategies version");
    assert_eq!(
        keys("?featureToggles=0&strategies=False").await,
        "featureTags projects tagTypes tags version"
    );
    assert_eq!(keys("?featureToggles=0&strategies=0&projects=0&tags=0").await, "version");
    let state = app.get(EXPORT).await.json();
    assert_eq!(state["features"].as_array().unwrap().len(), AMBIGUOUS.len() + 1);
    assert_eq!(state["strategies"][0]["name"], "mine", "built-in strategies are not exported");
    assert_eq!(
        state["featureTags"],
        json!([{ "featureName": "probe.one", "tagType": "team", "tagValue": "012" }])
    );
    for (query, text) in
        [("?format=xml", "\"format\" must be json or yaml"), ("?tags=x", "\"tags\" must be true or false")]
    {
        let response = app.get(&format!("{EXPORT}{query}")).await;
        assert_eq!((response.status, message(&response).as_str()), (StatusCode::BAD_REQUEST, text));
    }
}

#[actix_web::test]
async fn download_has_a_file_name() {
    let app = TestApp::embedded().await;
    for (query, content_type, extension) in [
        ("?download=true", "application/json", ".json\""),
        ("?download=1&format=yaml", "text/yaml; charset=utf-8", ".yml\""),
    ] {
        let response = app.get(&format!("{EXPORT}{query}")).await;
        let disposition = response.header("content-disposition");
        assert!(disposition.starts_with("attachment; filename=\"export-20"), "{disposition}");
        assert!(disposition.ends_with(extension), "{disposition}");
        assert_eq!(response.header("content-type"), content_type);
    }
}

#[actix_web::test]
async fn exports_in_each_format_can_be_imported() {
    let app = TestApp::embedded().await;
    fill(&app).await;
    let state = app.get(EXPORT).await;
    let yaml = app.get(&format!("{EXPORT}?format=yaml")).await.body;
    for (content_type, body) in [
        ("application/json".to_owned(), state.body.clone()),
        (YAML.to_owned(), yaml.clone()),
        ("text/yaml; charset=utf-8".to_owned(), yaml.clone()),
        form("file", "state.json", &state.body),
        form("file", "state.YML", &yaml),
        form("file", "export.yaml", &yaml),
    ] {
        let other = TestApp::embedded().await;
        let response = import(&other, "", &content_type, &body).await;
        assert_eq!(response.status, StatusCode::ACCEPTED, "{content_type}: {}", response.body);
        let counts = response.json();
        assert_eq!((&counts["updated"], &counts["skipped"]), (&json!(0), &json!([])), "{counts}");
        assert_eq!(state_of(&other).await, state_of(&app).await, "{content_type}");
        let events = other.get("/api/admin/events").await.json();
        assert_eq!(events["events"][0]["type"], "feature-tag-import");
        let again = import(&other, "", &content_type, &body).await.json();
        assert_eq!((&again["added"], &again["updated"]), (&json!(0), &json!(0)), "{again}");
    }
}

#[actix_web::test]
async fn yaml_of_the_recorded_server_means_the_same_as_its_json() {
    let mut recorded: Value = serde_json::from_str(include_str!("moving/unleash-3.17.6.json")).unwrap();
    let (from_json, from_yaml) = (TestApp::embedded().await, TestApp::embedded().await);
    let json = import(&from_json, "", "application/json", &recorded["export"].take().to_string()).await;
    let yaml = import(&from_yaml, "", YAML, include_str!("moving/unleash-3.17.6.yml")).await;
    assert_eq!((json.status, &json.body), (StatusCode::ACCEPTED, &yaml.body));
    assert_eq!(state_of(&from_yaml).await, state_of(&from_json).await);
}

#[actix_web::test]
async fn import_can_keep_or_drop_existing_items() {
    let app = TestApp::embedded().await;
    create(&app, &probe()).await;
    create(&app, &plain("other")).await;
    let state = json!({ "features": [edited_probe(), plain("new")] }).to_string();
    let description = async || app.get(&format!("{FEATURES}/probe.one")).await.json()["description"].take();
    for (query, kept, toggles, added) in [
        ("?keep=true", "first", &["new", "other", "probe.one"][..], 1),
        ("?keep=false&drop=0", "edited", &["new", "other", "probe.one"], 0),
        ("?drop=true", "edited", &["new", "probe.one"], 2),
    ] {
        let response = import(&app, query, "application/json", &state).await;
        assert_eq!(response.status, StatusCode::ACCEPTED, "{}", response.body);
        assert_eq!(response.json()["added"], added, "{query}");
        assert_eq!(description().await, kept, "{query}");
        assert_eq!(names(&app, FEATURES).await, toggles, "{query}");
    }
}

#[actix_web::test]
async fn failed_import_changes_nothing() {
    let app = TestApp::embedded().await;
    fill(&app).await;
    let read = async || (app.get(EXPORT).await.json(), app.get("/api/admin/events").await.json());
    let before = read().await;
    let in_project = json!({ "name": "second", "project": "none", "strategies": [{ "name": "default" }] });
    for (state, text) in [
        (
            json!({ "features": [plain("first"), in_project] }),
            "features[1], second: There is no project with the id none",
        ),
        (
            json!({ "tags": [{ "type": "none", "value": "red" }] }),
            "tags[0], red: There is no tag type called none",
        ),
        (json!({ "projects": [], "features": [plain("first"), { "name": "a b" }] }), "features[1], a b: "),
        (json!({ "features": 1 }), "features: must be an array"),
        (json!([]), "the file: "),
        (json!({ "version": 9 }), "the file: the export format has version 9"),
    ] {
        for query in ["", "?drop=true"] {
            let response = import(&app, query, "application/json", &state.to_string()).await;
            assert_eq!(response.status, StatusCode::BAD_REQUEST, "{state}");
            assert!(message(&response).starts_with(text), "{}", message(&response));
        }
    }
    for query in ["?drop=x", "?keep="] {
        assert_eq!(import(&app, query, "application/json", "{}").await.status, StatusCode::BAD_REQUEST);
    }
    assert_eq!(read().await, before);
}

#[actix_web::test]
async fn import_selects_an_environment_of_newer_exports() {
    let app = TestApp::embedded().await;
    let recording: Value =
        serde_json::from_str(include_str!("../evaluation/exports/unleash-5.12.8.json")).unwrap();
    let export = &recording["export"].to_string();
    let several = import(&app, "", "application/json", export).await;
    assert_eq!(several.status, StatusCode::BAD_REQUEST);
    assert!(message(&several).contains("development, production"), "{}", several.body);
    let response = import(&app, "?environment=production", "application/json", export).await;
    assert_eq!(response.status, StatusCode::ACCEPTED, "{}", response.body);
    assert!(names(&app, FEATURES).await.contains(&"shop.pay".to_owned()));
}

#[actix_web::test]
async fn import_refuses_other_bodies() {
    let app = TestApp::embedded().await;
    for content_type in
        ["text/plain", "application/x-www-form-urlencoded", "application/xml", "application/json; charset=x"]
    {
        let response = import(&app, "", content_type, "{}").await;
        let status = if content_type.contains("json") {
            StatusCode::ACCEPTED
        } else {
            StatusCode::UNSUPPORTED_MEDIA_TYPE
        };
        assert_eq!(response.status, status, "{content_type}");
    }
    // Only the import accepts other types than JSON.
    let response = app.send(Method::POST, FEATURES, &[("content-type", YAML)], "name: x").await;
    assert_eq!(response.status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    let (multipart, unnamed) = form("other", "state.json", "{}");
    let missing = import(&app, "", &multipart, &unnamed).await;
    assert_eq!(missing.status, StatusCode::BAD_REQUEST);
    assert_eq!(message(&missing), "The form contains no file in the field \"file\"");
    for (content_type, body) in [
        ("multipart/form-data", "--x--\r\n"),
        ("multipart/form-data; boundary=x", "--x\r\n"),
        ("multipart/form-data; boundary=x", ""),
        ("application/json", ""),
        ("application/json", "{"),
        (YAML, "a: ["),
        (YAML, "a: 1\na: 2"),
        (YAML, "--- {}\n--- {}"),
    ] {
        let response = import(&app, "", content_type, body).await;
        assert_eq!(response.status, StatusCode::BAD_REQUEST, "{content_type} {body:?}: {}", response.body);
    }
    let large = format!("[{}]", " ".repeat(5 << 20));
    for (content_type, body) in
        [("application/json".to_owned(), large.clone()), form("file", "a.json", &large)]
    {
        let response = import(&app, "", &content_type, &body).await;
        assert_eq!(response.status, StatusCode::PAYLOAD_TOO_LARGE, "{content_type}");
    }
}

#[actix_web::test]
async fn yaml_cannot_take_more_memory_than_json() {
    let app = TestApp::embedded().await;
    let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..12 {
        let before = format!("*a{}", level - 1);
        writeln!(bomb, "a{level}: &a{level} [{}]", vec![before; 10].join(", ")).unwrap();
    }
    let values = format!("[{}]", "1,".repeat(900_000));
    for text in [bomb, values, "[".repeat(100_000), "- ".repeat(100_000), "{a: ".repeat(100_000)] {
        let response = import(&app, "", YAML, &text).await;
        assert_eq!(response.status, StatusCode::BAD_REQUEST, "{}", &text[..20]);
        assert!(response.body.len() < 2_000, "{}", response.body.len());
    }
    let shared = "x: &d default\nfeatures: [{ name: probe, strategies: [{ name: *d }] }]";
    assert_eq!(import(&app, "", YAML, shared).await.status, StatusCode::ACCEPTED, "a few aliases");
}

#[actix_web::test]
async fn import_is_a_change_by_an_operator() {
    let read_only = TestApp::with(&["--data", ":memory:", "--read-only"]).await;
    assert_eq!(read_only.get(EXPORT).await.status, StatusCode::OK);
    let app = TestApp::embedded().await;
    let state = json!({ "features": [plain("probe")] }).to_string();
    let (multipart, body) = form("file", "state.json", &state);
    for (content_type, body) in [(JSON.1, &state), (multipart.as_str(), &body)] {
        assert_eq!(import(&read_only, "", content_type, body).await.status, StatusCode::FORBIDDEN);
        for foreign in [("origin", "https://evil.example"), ("sec-fetch-site", "cross-site")] {
            let headers = [("content-type", content_type), foreign];
            let response = app.send(Method::POST, IMPORT, &headers, body).await;
            assert_eq!(response.status, StatusCode::FORBIDDEN, "{headers:?}");
        }
    }
    assert_eq!(names(&app, FEATURES).await, [""; 0]);
    let prefixed = TestApp::with(&["--data", ":memory:", "--base-path", "/flags"]).await;
    let headers = [("content-type", multipart.as_str())];
    let response = prefixed.send(Method::POST, &format!("/flags{IMPORT}"), &headers, &body).await;
    assert_eq!(response.status, StatusCode::ACCEPTED, "{}", response.body);
}
