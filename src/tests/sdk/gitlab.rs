//! GitLab's feature flag API behind the replica: the instance id is the credential, and the name of the application the environment.

use std::sync::Arc;

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::app::{Response, TestApp};
use crate::support::stub::{Reply, Stub, ok};

const INSTANCE: &str = "glffct-0123456789abcdef";

/// Returns the response of GitLab to a request.
fn respond(request: &str) -> Reply {
    let request = request.to_ascii_lowercase();
    if !request.starts_with("get /api/v4/feature_flags/unleash/42/client/features ") {
        return Reply::Bytes("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".to_owned());
    }
    if !request.contains(&format!("unleash-instanceid: {INSTANCE}\r\n")) {
        return Reply::Bytes("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n".to_owned());
    }
    let environments = ["production", "staging"];
    let environment =
        environments.iter().find(|name| request.contains(&format!("unleash-appname: {name}\r\n")));
    let feature = json!({ "name": environment, "description": null, "enabled": true, "strategies": [{ "name": "default", "parameters": {} }] });
    ok("Content-Type: application/json\r\n", &json!({ "version": 1, "features": [feature] }).to_string())
}

async fn read(app: &TestApp, instance: &str, environment: &str) -> Response {
    let headers = [("unleash-instanceid", instance), ("unleash-appname", environment)];
    app.send(Method::GET, "/api/client/features", &headers, "").await
}

fn name(response: &Response) -> Value {
    response.json()["features"][0]["name"].take()
}

#[actix_web::test]
async fn each_environment_has_its_toggles_with_one_request() {
    let stub = Stub::start(Reply::Computed(Arc::new(respond))).await;
    let upstream = format!("{}/api/v4/feature_flags/unleash/42", stub.url);
    let app = TestApp::with(&["--upstream", &upstream, "--replica"]).await;
    for _ in 0..3 {
        for environment in ["production", "staging"] {
            let response = read(&app, INSTANCE, environment).await;
            assert_eq!(
                (response.status, name(&response)),
                (StatusCode::OK, json!(environment)),
                "{}",
                response.body
            );
        }
        let refused = read(&app, "glffct-of-another-project", "production").await;
        assert_eq!(refused.status, StatusCode::UNAUTHORIZED);
    }
    let is_read = |request: &&String| request.to_ascii_lowercase().contains(INSTANCE);
    assert_eq!(stub.requests().iter().filter(is_read).count(), 2);
}
