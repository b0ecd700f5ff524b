//! Unleash Edge: its variables, and the requests that it sends to its upstream, as `examples/from-unleash-edge.md` describes
//! them.

use actix_web::http::{Method, StatusCode};
use flagdeck::config::{
    Declaration, EDGE_VARIABLES, Meaning, OFFLINE_VARIABLES, declarations, variable_name,
};

use super::{JSON, start};
use crate::readme::{quoted, table_rows};
use crate::support::app::TestApp;
use crate::support::events::EventReader;
use crate::support::stub::{Stub, ok};

const PAGE: &str = include_str!("../../../examples/from-unleash-edge.md");

/// Returns the rows of the table below a heading of the page.
fn rows(heading: &str) -> Vec<Vec<&'static str>> {
    let (_, section) = PAGE.split_once(heading).unwrap();
    table_rows(section).collect()
}

/// Returns the method and the path of each request in the page, and the row.
fn requests() -> Vec<(Method, &'static str, Vec<&'static str>)> {
    let parse = |cells: Vec<&'static str>| {
        let (method, path) = quoted(cells[0]).next().unwrap().split_once(' ').unwrap();
        (method.parse::<Method>().unwrap(), path, cells)
    };
    rows("## An Edge in front of Flagdeck").into_iter().map(parse).collect()
}

/// Returns the body that Edge sends to a path.
fn body(path: &str) -> &'static str {
    match path {
        "/edge/validate" => r#"{"tokens":["*:production.0123456789abcdef"]}"#,
        "/api/client/register" => r#"{"appName":"shop","instanceId":"1","strategies":["default"]}"#,
        "/api/client/metrics/bulk" => r#"{"applications":[],"metrics":[]}"#,
        _ => "{}",
    }
}

#[test]
fn page_names_every_variable_with_an_effect() {
    let known: Vec<_> = declarations().map(Declaration::name).collect();
    let mut listed = Vec::new();
    for cells in rows("## Variables").into_iter().chain(rows("## Offline")) {
        for name in quoted(cells[0]) {
            let mut variables = EDGE_VARIABLES.iter().chain(OFFLINE_VARIABLES);
            let variable = variables.find(|variable| variable_name(variable.flag) == name);
            let meaning = variable.unwrap_or_else(|| panic!("{name} is no variable")).meaning;
            let is_refused = matches!(meaning, Meaning::Refused(_));
            assert_eq!(cells[1] == "refused", is_refused, "{name}: {meaning:?}");
            if let Meaning::Becomes(setting) = meaning {
                let settings: Vec<_> = quoted(cells[1]).collect();
                assert!(settings.iter().all(|setting| known.contains(setting)), "{settings:?}");
                let is_named = setting.split(" and ").any(|setting| settings.contains(&setting));
                assert!(is_named || cells[1] == "none", "{name}: {setting}");
            }
            listed.push(name.to_owned());
        }
    }
    for variable in EDGE_VARIABLES.iter().chain(OFFLINE_VARIABLES) {
        let has_effect = !matches!(variable.meaning, Meaning::NoEffect(_));
        assert_eq!(listed.contains(&variable_name(variable.flag)), has_effect, "{variable:?}");
    }
}

#[actix_web::test]
async fn requests_of_edge_reach_the_upstream_also_with_read_only() {
    let stub = Stub::start(ok("Content-Type: application/json\r\n", "{}")).await;
    let arguments = ["--upstream", &stub.url, "--proxy-prefix", "/edge", "--read-only"];
    let app = TestApp::with(&arguments).await;
    for (method, path, _) in requests() {
        let response = app.send(method.clone(), path, &[JSON], body(path)).await;
        assert_eq!(response.status, StatusCode::OK, "{method} {path}: {}", response.body);
        let start = format!("{method} {path} ");
        assert!(stub.requests().iter().any(|request| request.starts_with(&start)), "{start}");
    }
}

#[actix_web::test]
async fn embedded_service_responds_to_edge_as_described() {
    let app = start(&[]).await;
    for (method, path, cells) in requests() {
        let status = if path.ends_with("/streaming") {
            let stream = EventReader::open(&app, path, "").await;
            stream.head.split(' ').nth(1).unwrap().to_owned()
        } else {
            app.send(method.clone(), path, &[JSON], body(path)).await.status.as_u16().to_string()
        };
        assert_eq!(status, cells[2], "{method} {path}");
    }
}
