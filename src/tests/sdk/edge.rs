//! Unleash Edge: its settings, and the requests that it sends to its upstream, as `examples/from-unleash-edge.md` describes
//! them.

use actix_web::http::{Method, StatusCode};
use flagdeck::config::{Declaration, declarations};

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
fn settings_in_place_of_those_of_edge_exist() {
    let known: Vec<_> = declarations().map(Declaration::name).collect();
    let mut count = 0;
    for cells in rows("## Settings") {
        for name in quoted(cells[1]) {
            assert!(known.contains(&name), "{name}");
            count += 1;
        }
    }
    assert!(count > 20, "{count}");
}

#[actix_web::test]
async fn health_and_metrics_have_the_described_paths() {
    let app = start(&["--admin-listen", "0"]).await;
    let admin = TestApp::at(app.admin_port.unwrap());
    for cells in rows("## Health and metrics") {
        let (path, listener) = (quoted(cells[1]).next().unwrap(), quoted(cells[2]).next().unwrap());
        let server = if listener == "listen" { &app } else { &admin };
        assert_eq!(server.get(path).await.status, StatusCode::OK, "{path} of {listener}");
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
