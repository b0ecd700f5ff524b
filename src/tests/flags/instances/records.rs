//! The flight recorder of several instances.

use actix_web::http::StatusCode;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::{CLIENT, contains, start_instances, wait_for_value, wait_until};
use crate::flags::{create, plain};
use crate::support::app::TestApp;
use crate::support::client_api::ClientApi;
use crate::support::postgres_server::{Server, run_sql};

const TOKEN: &str = "*:production.0123456789abcdef";

#[actix_web::test]
#[ignore = "needs PostgreSQL"]
async fn instances_of_the_embedded_service_record_each_event_once() {
    let (_folder, _file, instances) = start_instances(&["--recorder"]).await;
    for number in 0..5 {
        let name = format!("probe-{number}");
        create(&instances[number % 3], &plain(&name)).await;
        for instance in &instances {
            wait_until(async || contains(instance, "/-/state", &name).await).await;
        }
    }
    let [first, second, third] = instances;
    first.stop().await;
    create(&second, &plain("last")).await;
    wait_until(async || contains(&third, "/-/state", "last").await).await;
    let changes = third.get("/-/changes").await.json();
    let counts =
        changes["changes"].as_array().unwrap().iter().map(|change| change["count"].as_u64().unwrap());
    assert!(counts.clone().count() >= 5 && counts.max() == Some(1), "{changes}");
    assert_eq!(changes["gaps"], json!([]));
    let last = &changes["changes"].as_array().unwrap().last().unwrap()["last"]["by"];
    let events = third.get("/api/admin/events/last").await.json();
    assert_eq!(last, &events["events"][0]["createdAt"], "the time of the event");
}

fn list(enabled: bool) -> String {
    let toggle = json!({ "name": "shop.pay", "enabled": enabled, "strategies": [{ "name": "default" }] });
    json!({ "version": 2, "features": [toggle], "segments": [] }).to_string()
}

#[actix_web::test]
#[ignore = "needs PostgreSQL"]
async fn one_instance_in_front_of_an_upstream_records_and_another_one_takes_over() {
    let (server, folder) = (Server::start("off"), TempDir::new().unwrap());
    let (url, key) = (server.url(), folder.path().join("key"));
    let api = ClientApi::start(&[]).await;
    api.set_path("/api/admin/strategies", "", "200 OK", r#"{"strategies":[]}"#);
    api.set_user("session=1", "200 OK", r#"{"user":{"id":1,"email":"a@example.com"}}"#);
    api.set(TOKEN, &list(true), "W/\"1\"");
    let start = async || {
        let own = ["--upstream", &api.stub.url, "--replica", "--replica-refresh", "20ms", "--recorder"];
        TestApp::with(&[&own[..], &["--data", &url, "--data-key", key.to_str().unwrap()]].concat()).await
    };
    let read = async |app: &TestApp, path: &str| {
        let response = app.send(actix_web::http::Method::GET, path, &[("cookie", "session=1")], "").await;
        if response.status == StatusCode::OK { response.json() } else { Value::Null }
    };
    let is_enabled = async |app: &TestApp| read(app, "/-/state").await["features"][0]["enabled"].clone();
    let poll = async |app: &TestApp| {
        let headers = [("authorization", TOKEN), ("unleash-client-spec", "5.2.0")];
        assert_eq!(app.send(actix_web::http::Method::GET, CLIENT, &headers, "").await.status, StatusCode::OK);
    };
    let first = start().await;
    poll(&first).await;
    wait_for_value(async || is_enabled(&first).await, &json!(true)).await;
    let second = start().await;
    poll(&second).await;
    api.set(TOKEN, &list(false), "W/\"2\"");
    for app in [&first, &second] {
        wait_for_value(async || is_enabled(app).await, &json!(false)).await;
    }
    assert_eq!(run_sql(&url, "SELECT count(*) FROM versions").trim(), "2");
    first.stop().await;
    api.set(TOKEN, &list(true), "W/\"3\"");
    wait_for_value(async || is_enabled(&second).await, &json!(true)).await;
    let changes = read(&second, "/-/changes").await;
    let gaps: Vec<_> = changes["gaps"].as_array().unwrap().iter().map(|gap| gap["reason"].clone()).collect();
    assert_eq!(gaps, ["handedOver"]);
    second.stop().await;
}
