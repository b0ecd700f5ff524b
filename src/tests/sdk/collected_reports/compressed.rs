//! Reports with a content coding.

use std::io::Write as _;
use std::time::Duration;

use actix_web::http::{Method, StatusCode};
use flate2::Compression;
use flate2::write::{GzEncoder, ZlibEncoder};

use super::{ALL, JSON, NEVER, SHORT_PAUSE, accept, counts, start, start_upstream, sum, wait_until};
use crate::support::app::{Response, TestApp, upstream_of};
use crate::support::client_api::ClientApi;

fn gzip(body: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(body).unwrap();
    encoder.finish().unwrap()
}

fn deflate(body: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(body).unwrap();
    encoder.finish().unwrap()
}

async fn send(app: &TestApp, coding: &str, body: &[u8]) -> Response {
    let headers = [("authorization", ALL), JSON, ("content-encoding", coding)];
    app.send(Method::POST, "/api/client/metrics", &headers, body).await
}

async fn start_edge(api: &ClientApi) -> TestApp {
    let variables = [("UPSTREAM_URL", api.stub.url.as_str()), ("TOKENS", ALL)];
    TestApp::edge(&variables, |config| upstream_of(config).pause = SHORT_PAUSE).await
}

#[actix_web::test]
async fn compressed_reports_are_collected() {
    for is_edge in [true, false] {
        let api = start_upstream().await;
        api.add_token(ALL, "client", &["*"]);
        let app = if is_edge { start_edge(&api).await } else { start(&api, &[ALL], NEVER, &[]).await };
        accept(&app, &[ALL]).await;
        let report = counts("shop", "1", &["a"]).to_string().into_bytes();
        for (coding, body) in [
            ("gzip", gzip(&report)),
            ("GZip", gzip(&report)),
            ("x-gzip", gzip(&report)),
            ("deflate", deflate(&report)),
            ("identity", report.clone()),
            ("identity, gzip", gzip(&report)),
        ] {
            let response = send(&app, coding, &body).await;
            assert_eq!(
                (response.status, response.body.as_str()),
                (StatusCode::ACCEPTED, ""),
                "{coding} {is_edge}"
            );
        }
        let bomb = gzip(&vec![b' '; 3 << 20]);
        for (coding, body, status) in [
            ("br", gzip(&report), StatusCode::UNSUPPORTED_MEDIA_TYPE),
            ("gzip, gzip", gzip(&gzip(&report)), StatusCode::UNSUPPORTED_MEDIA_TYPE),
            ("gzip", report.clone(), StatusCode::BAD_REQUEST),
            ("gzip", gzip(&report)[..30].to_vec(), StatusCode::BAD_REQUEST),
            ("deflate", gzip(&report), StatusCode::BAD_REQUEST),
            ("gzip", bomb, StatusCode::PAYLOAD_TOO_LARGE),
        ] {
            let response = send(&app, coding, &body).await;
            assert_eq!(response.status, status, "{coding}: {}", response.body);
            let is_remedy = status == StatusCode::UNSUPPORTED_MEDIA_TYPE;
            assert_eq!(response.body.contains("without compression"), is_remedy, "{}", response.body);
        }
        app.stop().await;
        assert_eq!(sum(&api.accepted_reports(), "shop", "a"), 6, "{:?}", api.accepted_reports());
    }
}

#[actix_web::test]
async fn compressed_reports_are_forwarded_unchanged_and_kept_in_an_outage() {
    let api = start_upstream().await;
    let app = start(&api, &[ALL], Duration::ZERO, &[]).await;
    accept(&app, &[ALL]).await;
    let report = counts("shop", "1", &["a"]).to_string().into_bytes();
    for (coding, body) in
        [("gzip", gzip(&report)), ("br", b"not decoded".to_vec()), ("gzip", b"damaged".to_vec())]
    {
        assert_eq!(
            send(&app, coding, &body).await.status,
            StatusCode::OK,
            "{coding}: as the upstream responds"
        );
        let (line, body) =
            (format!("content-encoding: {coding}\r\n"), String::from_utf8_lossy(&body).into_owned());
        let is_sent = |request: &String| {
            request.starts_with("POST /api/client/metrics ")
                && request.contains(&line)
                && request.ends_with(&body)
        };
        assert!(api.stub.requests().iter().any(is_sent), "{coding}");
    }
    api.set_down(true);
    assert_eq!(send(&app, "gzip", &gzip(&report)).await.status, StatusCode::ACCEPTED);
    assert!(send(&app, "br", b"not decoded").await.status.is_server_error(), "it cannot be kept");
    api.set_down(false);
    wait_until(async || {
        tokio::task::yield_now().await;
        sum(&api.accepted_reports(), "shop", "a") == 1
    })
    .await;
}
