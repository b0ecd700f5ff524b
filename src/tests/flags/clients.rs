//! The features that SDKs read.

use std::io::Read as _;
use std::time::{Duration, Instant};

use actix_web::http::{Method, StatusCode};
use flate2::read::GzDecoder;
use serde_json::json;

use super::{
    FEATURES, archive, create, edited_probe, import_as_other_process, message, names, plain, probe, replace,
    switch,
};
use crate::support::app::TestApp;
use crate::support::events::EventReader;

const CLIENT: &str = "/api/client/features";

#[actix_web::test]
async fn client_features_contain_strategies_and_variants() {
    let app = TestApp::embedded().await;
    create(&app, &probe()).await;
    replace(&app, "probe.one", &edited_probe()).await;
    create(&app, &plain("gone")).await;
    archive(&app, "gone").await;
    let mut expected = edited_probe();
    for key in ["description", "project"] {
        expected.as_object_mut().unwrap().remove(key);
    }
    let response = app.get(CLIENT).await;
    assert_eq!(response.header("content-type"), "application/json");
    assert_eq!(response.json(), json!({ "version": 1, "features": [expected] }));
    assert_eq!(app.get("/api/client/features/probe.one").await.json(), expected);
    assert_eq!(app.get("/api/client/features/gone").await.status, StatusCode::NOT_FOUND);
}

#[actix_web::test]
async fn unchanged_client_features_return_304() {
    let app = TestApp::embedded().await;
    create(&app, &plain("probe")).await;
    let tag = app.get(CLIENT).await.header("etag").to_owned();
    let strong =
        tag.strip_prefix("W/").expect("a weak tag, because the response may be compressed").to_owned();
    for known in [tag.clone(), strong, format!("\"other\", {tag}")] {
        let response = app.send(Method::GET, CLIENT, &[("if-none-match", &known)], "").await;
        assert_eq!((response.status, response.body.as_str()), (StatusCode::NOT_MODIFIED, ""));
        assert_eq!(response.header("etag"), tag);
    }
    for (action, fresh) in [("toggle/on", false), ("toggle/off", true)] {
        switch(&app, "probe", action).await;
        let response = app.send(Method::GET, CLIENT, &[("if-none-match", &tag)], "").await;
        let expected = if fresh { StatusCode::NOT_MODIFIED } else { StatusCode::OK };
        assert_eq!(response.status, expected, "{action}");
    }
}

#[actix_web::test]
async fn client_features_are_compressed_for_clients_that_accept_gzip() {
    let app = TestApp::embedded().await;
    create(&app, &plain("probe")).await;
    let plain = app.get(CLIENT).await;
    for (accepted, encoding) in
        [("gzip, deflate", "gzip"), ("deflate, gzip;q=0", ""), ("identity", ""), ("br", "")]
    {
        let request = awc::Client::new().get(app.url(CLIENT)).no_decompress();
        let mut response = request.insert_header(("accept-encoding", accepted)).send().await.unwrap();
        let header = |name| response.headers().get(name).map_or("", |value| value.to_str().unwrap());
        assert_eq!((header("content-encoding"), header("vary")), (encoding, "Accept-Encoding"), "{accepted}");
        assert_eq!(header("etag"), plain.header("etag"));
        let bytes = response.body().await.unwrap();
        let mut text = String::new();
        match encoding {
            "gzip" => GzDecoder::new(&bytes[..]).read_to_string(&mut text).unwrap(),
            _ => (&bytes[..]).read_to_string(&mut text).unwrap(),
        };
        assert_eq!(text, plain.body, "{accepted}");
    }
}

#[actix_web::test]
async fn completed_changes_are_in_the_next_response() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("flags.db");
    let app = TestApp::with(&["--data", file.to_str().unwrap()]).await;
    create(&app, &plain("probe")).await;
    for round in 0..60 {
        let enabled = round % 2 == 0;
        switch(&app, "probe", if enabled { "toggle/on" } else { "toggle/off" }).await;
        for path in [CLIENT, "/api/admin/features"] {
            assert_eq!(app.get(path).await.json()["features"][0]["enabled"], enabled, "{path} in {round}");
        }
    }
}

#[actix_web::test]
async fn changes_of_another_process_appear_in_client_features() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("flags.db");
    let one = TestApp::with(&["--data", file.to_str().unwrap()]).await;
    assert_eq!(one.get(CLIENT).await.json()["features"], json!([]));
    import_as_other_process(&folder, &[&plain("there")]);
    let deadline = Instant::now() + Duration::from_secs(20);
    while one.get(CLIENT).await.json()["features"][0]["name"] != "there" {
        assert!(Instant::now() < deadline, "the change never appears");
    }
}

/// Creates toggles in the projects `default` and `web`, two of them with tags.
async fn create_for_filters(app: &TestApp) {
    app.post("/api/admin/projects", &json!({ "id": "web", "name": "web" })).await;
    for (name, project, tag) in [
        ("a.one", "default", "red"),
        ("a.two", "web", "blue:sky"),
        ("a_three", "web", ""),
        ("b.one", "default", ""),
    ] {
        let mut toggle = plain(name);
        toggle["project"] = project.into();
        create(app, &toggle).await;
        if !tag.is_empty() {
            tag_toggle(app, name, tag).await;
        }
    }
}

async fn tag_toggle(app: &TestApp, name: &str, value: &str) {
    let tag = json!({ "type": "simple", "value": value });
    let response = app.post(&format!("{FEATURES}/{name}/tags"), &tag).await;
    assert_eq!(response.status, StatusCode::CREATED, "{}", response.body);
}

async fn untag_toggle(app: &TestApp, name: &str, value: &str) {
    let path = format!("{FEATURES}/{name}/tags/simple/{value}");
    assert_eq!(app.send(Method::DELETE, &path, &[], "").await.status, StatusCode::OK);
}

#[actix_web::test]
async fn filters_select_client_features_as_in_the_toggle_list() {
    let app = TestApp::embedded().await;
    create_for_filters(&app).await;
    let all = app.get(CLIENT).await;
    assert_eq!(all.json().get("query"), None);
    for (query, found) in [
        ("namePrefix=a.", vec!["a.one", "a.two"]),
        ("namePrefix=a_", vec!["a_three"]),
        ("namePrefix=%25", vec![]),
        ("project=web", vec!["a.two", "a_three"]),
        ("project=web&project=default", vec!["a.one", "a.two", "a_three", "b.one"]),
        ("project=none", vec![]),
        ("tag=simple:red", vec!["a.one"]),
        ("tag=simple:red&tag=simple:blue%3Asky", vec!["a.one", "a.two"]),
        ("tag[]=simple:red&tag%5B1%5D=simple:red", vec!["a.one"]),
        ("tag=simple:blue", vec![]),
        ("namePrefix=a.&project=web&tag=simple:red&tag=simple:blue:sky", vec!["a.two"]),
        ("tag=&project=&namePrefix=", vec!["a.one", "a.two", "a_three", "b.one"]),
        ("tags=simple:red", vec!["a.one", "a.two", "a_three", "b.one"]),
    ] {
        for list in [CLIENT, FEATURES] {
            assert_eq!(names(&app, &format!("{list}?{query}")).await, found, "{list}?{query}");
        }
        let headers = [("unleash-client-spec", "5.2.0")];
        let path = format!("{CLIENT}?{query}");
        let listed = app.send(Method::GET, &path, &headers, "").await.json();
        assert_eq!((&listed["version"], &listed["segments"]), (&json!(2), &json!([])), "{query}");
        assert_eq!(listed["features"], app.get(&path).await.json()["features"], "{query}");
    }
    let filtered =
        app.get(&format!("{CLIENT}?tag=simple:red&namePrefix=a.&project=web&project=default")).await;
    assert_eq!(
        filtered.json(),
        json!({
            "version": 1,
            "features": [all.json()["features"][0]],
            "query": { "namePrefix": "a.", "project": ["default", "web"], "tag": [["simple", "red"]] },
        })
    );
    assert_eq!(app.get(&format!("{CLIENT}?tag=&namePrefix=")).await.header("etag"), all.header("etag"));
}

#[actix_web::test]
async fn rejects_invalid_filters() {
    let app = TestApp::embedded().await;
    for (query, said) in [
        ("tag=red", "\"tag\" must have the format type:value"),
        ("tag=:red", "\"tag\" must have the format type:value"),
        ("tag=simple:", "\"tag\" must have the format type:value"),
        ("tag=simple:red&tag=", "\"tag\" must have the format type:value"),
        ("project=web&project=", "\"project\" is not allowed to be empty"),
        ("namePrefix=a&namePrefix=b", "\"namePrefix\" must occur once in the query"),
    ] {
        for path in [CLIENT, FEATURES, "/api/client/streaming"] {
            let refused = app.get(&format!("{path}?{query}")).await;
            let expected = (StatusCode::BAD_REQUEST, said);
            assert_eq!((refused.status, message(&refused).as_str()), expected, "{path}?{query}");
        }
    }
}

#[actix_web::test]
async fn entity_tag_of_a_filter_changes_with_its_toggles_only() {
    let app = TestApp::embedded().await;
    create_for_filters(&app).await;
    let red = format!("{CLIENT}?tag=simple:red");
    let read = async |path: &str, known: &str| {
        let response = app.send(Method::GET, path, &[("if-none-match", known)], "").await;
        assert!(!response.header("etag").is_empty());
        (response.status, response.header("etag").to_owned())
    };
    let (_, tag) = read(&red, "").await;
    assert_eq!(app.get(&red).await.header("vary"), "Unleash-Client-Spec");
    assert_eq!(
        read(&format!("{CLIENT}?tag=simple:red&tag=simple:red&x=1"), &tag).await.0,
        StatusCode::NOT_MODIFIED
    );
    assert_eq!(read(&format!("{CLIENT}?namePrefix=a.one"), &tag).await.0, StatusCode::OK, "the same toggles");
    assert_eq!(read(CLIENT, &tag).await.0, StatusCode::OK);

    switch(&app, "b.one", "toggle/on").await;
    assert_eq!(read(&red, &tag).await, (StatusCode::NOT_MODIFIED, tag.clone()));
    switch(&app, "a.one", "toggle/on").await;
    let (status, tag) = read(&red, &tag).await;
    assert_eq!(status, StatusCode::OK);
    tag_toggle(&app, "b.one", "red").await;
    let (status, tag) = read(&red, &tag).await;
    assert_eq!(
        (status, names(&app, &red).await),
        (StatusCode::OK, vec!["a.one".to_owned(), "b.one".to_owned()])
    );
    untag_toggle(&app, "a.one", "red").await;
    let (status, tag) = read(&red, &tag).await;
    assert_eq!((status, names(&app, &red).await), (StatusCode::OK, vec!["b.one".to_owned()]));
    assert_eq!(app.send(Method::DELETE, "/api/admin/tags/simple/red", &[], "").await.status, StatusCode::OK);
    assert_eq!((read(&red, &tag).await.0, names(&app, &red).await), (StatusCode::OK, vec![]));

    let web = format!("{CLIENT}?project=web");
    let (_, tag) = read(&web, "").await;
    let mut moved = plain("b.one");
    moved["project"] = "web".into();
    assert_eq!(replace(&app, "b.one", &moved).await.status, StatusCode::OK);
    assert_eq!((read(&web, &tag).await.0, names(&app, &web).await.len()), (StatusCode::OK, 3));
}

#[actix_web::test]
async fn filtered_client_features_are_compressed() {
    let app = TestApp::embedded().await;
    for number in 0..40 {
        create(&app, &plain(&format!("shop.{number}"))).await;
    }
    let path = format!("{CLIENT}?namePrefix=shop.");
    let plain = app.get(&path).await;
    let request = awc::Client::new().get(app.url(&path)).no_decompress();
    let mut response = request.insert_header(("accept-encoding", "gzip")).send().await.unwrap();
    assert_eq!(response.headers().get("content-encoding").unwrap(), "gzip");
    let mut text = String::new();
    GzDecoder::new(&response.body().await.unwrap()[..]).read_to_string(&mut text).unwrap();
    assert_eq!(text, plain.body);
}

#[actix_web::test]
async fn instances_are_shown_with_the_address_of_the_client() {
    for (proxy, expected) in [("192.0.2.0/24", "127.0.0.1"), ("127.0.0.1", "198.51.100.7")] {
        let app = TestApp::with(&["--data", ":memory:", "--trusted-proxy", proxy]).await;
        let headers = [("content-type", "application/json"), ("x-forwarded-for", "6.6.6.6, 198.51.100.7")];
        for (name, path, mut report) in [
            ("registered", "register", json!({ "strategies": [] })),
            ("counted", "metrics", json!({ "bucket": { "toggles": {} } })),
            (
                "forwarded",
                "metrics/bulk",
                json!({ "applications": [{ "appName": "forwarded", "instanceId": "1" }], "metrics": [] }),
            ),
        ] {
            report["appName"] = name.into();
            report["instanceId"] = "1".into();
            let path = format!("/api/client/{path}");
            let response = app.send(Method::POST, &path, &headers, &report.to_string()).await;
            assert_eq!(response.status, StatusCode::ACCEPTED, "{}", response.body);
        }
        let stream =
            "x-forwarded-for: 198.51.100.7\r\nunleash-appname: streaming\r\nunleash-instanceid: 1\r\n";
        let _open = EventReader::open(&app, "/api/client/streaming", stream).await;
        for name in ["registered", "counted", "forwarded", "streaming"] {
            let application = app.get(&format!("/api/admin/metrics/applications/{name}")).await.json();
            assert_eq!(application["instances"][0]["clientIp"], expected, "{name} behind {proxy}");
        }
    }
}
