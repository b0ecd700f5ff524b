//! The browser API of Unleash.

use std::collections::BTreeMap;
use std::io::{ErrorKind, Read as _};

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt as _;

use super::{FRONTEND, JSON, create, everyone, frontend_token, get, names, post, start, token, users};
use crate::support::app::TestApp;

fn rollout(stickiness: &str) -> Value {
    json!([{
        "name": "flexibleRollout",
        "parameters": { "rollout": "50", "stickiness": stickiness, "groupId": "group" },
    }])
}

#[actix_web::test]
async fn responses_contain_toggles_that_are_on() {
    let app = start(&[]).await;
    create(&app, "shop.plain", everyone(), json!({})).await;
    create(&app, "shop.off", everyone(), json!({ "enabled": false })).await;
    create(&app, "shop.others", users("8"), json!({})).await;
    create(
        &app,
        "shop.own",
        json!([{ "name": "applicationHostname", "parameters": { "hostNames": "x" } }]),
        json!({}),
    )
    .await;
    let payload = json!({ "type": "json", "value": "{\"a\":1}" });
    let variants = json!([{ "name": "blue", "weight": 1000, "weightType": "variable", "payload": payload }]);
    create(&app, "shop.variant", everyone(), json!({ "variants": variants, "impressionData": true })).await;
    let plain = json!({
        "name": "shop.plain", "enabled": true, "impressionData": false,
        "variant": { "name": "disabled", "enabled": false, "feature_enabled": true, "featureEnabled": true },
    });
    let variant = json!({
        "name": "shop.variant", "enabled": true, "impressionData": true,
        "variant": {
            "name": "blue", "enabled": true, "payload": payload, "feature_enabled": true, "featureEnabled": true,
        },
    });
    let expected = json!({ "toggles": [plain, variant] });
    let web = frontend_token(&app).await;
    let context = json!({ "userId": "7" });
    for path in [FRONTEND, "/api/proxy"] {
        for response in [
            get(&app, &web, &format!("{path}?userId=7")).await,
            post(&app, &web, path, &context).await,
            post(&app, &web, path, &json!({ "context": context })).await,
        ] {
            assert_eq!((response.status, response.json()), (StatusCode::OK, expected.clone()), "{path}");
            assert_eq!(response.header("content-type"), "application/json");
            assert_eq!(response.header("cache-control"), "no-cache");
            assert_eq!(response.header("access-control-allow-origin"), "");
        }
        for (name, body) in [("shop.plain", &plain), ("shop.variant", &variant)] {
            let path = format!("{path}/features/{name}");
            assert_eq!(get(&app, &web, &path).await.json(), *body);
            assert_eq!(post(&app, &web, &path, &context).await.json(), *body);
        }
        let off = get(&app, &web, &format!("{path}/features/shop.off")).await.json();
        let variant = json!({ "name": "disabled", "enabled": false, "feature_enabled": false, "featureEnabled": false });
        assert_eq!((&off["enabled"], &off["variant"]), (&json!(false), &variant));
        let missing = get(&app, &web, &format!("{path}/features/shop.none")).await;
        assert_eq!((missing.status, &missing.json()["code"]), (StatusCode::NOT_FOUND, &json!("not_found")));
        let all = get(&app, &web, &format!("{path}/all")).await;
        assert_eq!((all.status, &all.json()["code"]), (StatusCode::NOT_FOUND, &json!("unknown_path")));
    }
}

#[actix_web::test]
async fn contexts_come_from_the_query_the_body_and_the_request() {
    let app = start(&["--trusted-proxy", "127.0.0.1"]).await;
    let constraint = json!({ "contextName": "region", "operator": "IN", "values": ["eu west"] });
    create(&app, "by.region", json!([{ "name": "default", "constraints": [constraint] }]), json!({})).await;
    let networks = |networks: &str| json!([{ "name": "remoteAddress", "parameters": { "IPs": networks } }]);
    create(&app, "by.address", networks("192.0.2.0/24"), json!({})).await;
    let constraint = json!({ "contextName": "appName", "operator": "IN", "values": ["shop"] });
    create(&app, "by.app", json!([{ "name": "default", "constraints": [constraint] }]), json!({})).await;
    let web = frontend_token(&app).await;
    for (query, expected) in [
        ("properties[region]=eu%20west", &["by.region"][..]),
        ("properties%5Bregion%5D=eu+west", &["by.region"]),
        ("region=eu+west&appName=shop", &["by.app", "by.region"]),
        ("properties[region]=us", &[]),
        ("remoteAddress=192.0.2.7", &["by.address"]),
    ] {
        assert_eq!(names(&get(&app, &web, &format!("{FRONTEND}?{query}")).await), expected, "{query}");
    }
    let body = json!({ "context": { "properties": { "region": "eu west" }, "appName": "shop" } });
    assert_eq!(names(&post(&app, &web, FRONTEND, &body).await), ["by.app", "by.region"]);
    let headers = [
        ("authorization", web.as_str()),
        ("x-forwarded-for", "198.51.100.1, 192.0.2.7"),
        ("unleash-appname", "shop"),
    ];
    let forwarded = app.send(Method::GET, FRONTEND, &headers, "").await;
    assert_eq!(names(&forwarded), ["by.address", "by.app"]);
    let path = format!("{FRONTEND}?remoteAddress=10.0.0.1&appName=till");
    assert_eq!(names(&app.send(Method::GET, &path, &headers, "").await), [""; 0]);
}

#[actix_web::test]
async fn forwarded_addresses_count_only_from_trusted_proxies() {
    let app = start(&[]).await;
    let strategy = json!([{ "name": "remoteAddress", "parameters": { "IPs": "192.0.2.0/24" } }]);
    create(&app, "by.address", strategy, json!({})).await;
    let web = frontend_token(&app).await;
    let headers = [("authorization", web.as_str()), ("x-forwarded-for", "192.0.2.7")];
    assert_eq!(names(&app.send(Method::GET, FRONTEND, &headers, "").await), [""; 0]);
}

#[actix_web::test]
async fn connection_id_keeps_results_without_a_session_id() {
    let app = start(&[]).await;
    create(&app, "half", rollout("default"), json!({})).await;
    let web = frontend_token(&app).await;
    let mut kept = Vec::new();
    for connection in 0..64 {
        let id = format!("connection-{connection}");
        let headers = [("authorization", web.as_str()), ("unleash-connection-id", &id)];
        let first = names(&app.send(Method::GET, FRONTEND, &headers, "").await);
        assert_eq!(names(&app.send(Method::GET, FRONTEND, &headers, "").await), first, "{id}");
        let session = get(&app, &web, &format!("{FRONTEND}?sessionId={id}")).await;
        assert_eq!(names(&session), first, "{id}");
        kept.push(first);
    }
    let mut random = Vec::new();
    for _ in 0..64 {
        random.push(names(&get(&app, &web, FRONTEND).await));
    }
    for results in [kept, random] {
        let on = results.iter().filter(|names| !names.is_empty()).count();
        assert!((1..64).contains(&on), "{on} of 64");
    }
}

#[actix_web::test]
async fn entity_tags_confirm_one_context_and_one_state_only() {
    let app = start(&[]).await;
    for name in ["for.all", "for.seven"] {
        create(&app, name, everyone(), json!({})).await;
    }
    let web = frontend_token(&app).await;
    app.post("/api/admin/tag-types", &json!({ "name": "frontend" })).await;
    let response =
        app.post("/api/admin/features/for.all/tags", &json!({ "type": "frontend", "value": "shop" })).await;
    assert_eq!(response.status, StatusCode::CREATED, "{}", response.body);
    let tagged = token(&app, "tagged", "frontend", json!({ "tags": ["frontend:shop"] })).await;
    let with_tag = async |token: &str, query: &str, tag: &str| {
        let headers = [("authorization", token), ("if-none-match", tag)];
        app.send(Method::GET, &format!("{FRONTEND}?{query}"), &headers, "").await
    };
    let first = get(&app, &web, &format!("{FRONTEND}?userId=7&sessionId=1")).await;
    let tag = first.header("etag").to_owned();
    let same = with_tag(&web, "userId=7&sessionId=1", &tag).await;
    assert_eq!((same.status, same.body.as_str()), (StatusCode::NOT_MODIFIED, ""));
    assert_eq!((same.header("etag"), same.header("cache-control")), (tag.as_str(), "no-cache"));
    // The same toggles are on for all of these contexts.
    for query in ["userId=8&sessionId=1", "userId=7&sessionId=2", "userId=7&sessionId=1&plan=gold", ""] {
        let other = with_tag(&web, query, &tag).await;
        assert_eq!(other.status, StatusCode::OK, "{query}");
        assert_ne!(other.header("etag"), tag, "{query}");
    }
    let other_token = with_tag(&tagged, "userId=7&sessionId=1", &tag).await;
    assert_eq!(names(&other_token), ["for.all"]);
    app.post("/api/admin/features/for.seven/toggle/off", &Value::Null).await;
    assert_eq!(names(&with_tag(&web, "userId=7&sessionId=1", &tag).await), ["for.all"]);
}

#[actix_web::test]
async fn invalid_contexts_are_rejected() {
    let app = start(&[]).await;
    let web = frontend_token(&app).await;
    let long = "x".repeat(1_001);
    let many: BTreeMap<_, _> = (0..201).map(|number| (format!("field{number}"), "1")).collect();
    for (body, status) in [
        ("{".to_owned(), StatusCode::BAD_REQUEST),
        ("[]".to_owned(), StatusCode::BAD_REQUEST),
        (String::new(), StatusCode::BAD_REQUEST),
        (json!({ "userId": long }).to_string(), StatusCode::BAD_REQUEST),
        (json!({ "context": { "properties": { "plan": long } } }).to_string(), StatusCode::BAD_REQUEST),
        (json!({ "context": { "properties": many } }).to_string(), StatusCode::BAD_REQUEST),
        (json!({ "x": ["x".repeat(300_000)] }).to_string(), StatusCode::PAYLOAD_TOO_LARGE),
    ] {
        let headers = [JSON, ("authorization", web.as_str())];
        let response = app.send(Method::POST, FRONTEND, &headers, &body).await;
        assert_eq!(response.status, status, "{}", response.body);
        assert!(response.json()["message"].is_string());
    }
    let response = get(&app, &web, &format!("{FRONTEND}?userId={long}")).await;
    assert_eq!(response.status, StatusCode::BAD_REQUEST, "{}", response.body);
}

/// The expensive evaluation is still running when the responses to the others have arrived, on the same worker.
#[actix_web::test]
async fn expensive_evaluations_do_not_delay_other_requests() {
    let app = TestApp::with_workers(1, &["--data", ":memory:"]).await;
    let pattern = json!({
        "contextName": "userId", "operator": "REGEX", "values": [], "value": "(a?){60}b", "inverted": true,
    });
    let strategy = json!({ "name": "default", "constraints": vec![pattern; 200] });
    for name in 0..10 {
        create(&app, &format!("shop.{name}"), json!([strategy]), json!({})).await;
    }
    let web = frontend_token(&app).await;
    // Compiles the toggles.
    assert_eq!(get(&app, &web, FRONTEND).await.status, StatusCode::OK);
    let mut expensive = app.connect().await;
    let user = "a".repeat(1_000);
    let head =
        format!("GET {FRONTEND}?userId={user} HTTP/1.1\r\nHost: localhost\r\nAuthorization: {web}\r\n\r\n");
    expensive.write_all(head.as_bytes()).await.unwrap();
    for _ in 0..5 {
        assert_eq!(app.get("/-/health").await.status, StatusCode::OK);
        assert_eq!(
            get(&app, &web, &format!("{FRONTEND}/features/shop.1?userId=b")).await.status,
            StatusCode::OK
        );
    }
    let unread = expensive.into_std().unwrap().read(&mut [0]).unwrap_err();
    assert_eq!(unread.kind(), ErrorKind::WouldBlock);
}
