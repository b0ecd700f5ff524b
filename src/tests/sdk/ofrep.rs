//! OpenFeature (OFREP).

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::{FLAGS, JSON, create, everyone, frontend_token, post, start, token, users};
use crate::support::app::TestApp;

/// Creates a toggle without variants, one with a payload, and one that is switched off.
async fn create_toggles(app: &TestApp) {
    let payload = json!({ "type": "number", "value": "20" });
    let variants = json!([{ "name": "large", "weight": 1000, "weightType": "variable", "payload": payload }]);
    create(app, "page.size", everyone(), json!({ "variants": variants })).await;
    create(app, "shop.off", everyone(), json!({ "enabled": false })).await;
    create(app, "shop.pay", users("7"), json!({ "type": "release", "impressionData": true })).await;
}

fn flag(key: &str, value: impl Into<Value>, reason: &str) -> Value {
    let value: Value = value.into();
    let metadata = json!({ "type": "release", "impressionData": key == "shop.pay" });
    json!({ "key": key, "value": value, "reason": reason, "variant": "disabled", "metadata": metadata })
}

fn large(key: &str, value: Value, reason: &str) -> Value {
    let mut flag = flag(key, value, reason);
    flag["variant"] = "large".into();
    flag
}

#[actix_web::test]
async fn single_flags_have_value_reason_and_variant() {
    let app = start(&[]).await;
    create_toggles(&app).await;
    let web = frontend_token(&app).await;
    let seven = json!({ "context": { "targetingKey": "7" } });
    for (key, expected) in [
        ("shop.pay", flag("shop.pay", json!(true), "TARGETING_MATCH")),
        ("shop.off", flag("shop.off", json!(false), "DISABLED")),
        ("page.size", large("page.size", json!(20), "TARGETING_MATCH")),
        ("page.size:enabled", large("page.size:enabled", json!(true), "STATIC")),
        ("page.size%3Avariant", large("page.size:variant", json!("large"), "TARGETING_MATCH")),
        ("shop.off:variant", flag("shop.off:variant", json!("disabled"), "DISABLED")),
    ] {
        let response = post(&app, &web, &format!("{FLAGS}/{key}"), &seven).await;
        assert_eq!((response.status, response.json()), (StatusCode::OK, expected), "{key}");
        assert_eq!(response.header("content-type"), "application/json");
        assert_eq!(response.header("cache-control"), "private, no-cache");
        assert!(response.header("vary").contains("Authorization"), "{}", response.header("vary"));
    }
    for context in [json!({}), json!({ "context": null }), json!({ "context": { "userId": 8 } })] {
        let response = post(&app, &web, &format!("{FLAGS}/shop.pay"), &context).await;
        assert_eq!(response.json()["value"], false, "{context}");
    }
}

#[actix_web::test]
async fn all_flags_include_those_that_are_off() {
    let app = start(&[]).await;
    create_toggles(&app).await;
    let web = frontend_token(&app).await;
    let seven = json!({ "context": { "targetingKey": "7" } });
    let response = post(&app, &web, FLAGS, &seven).await;
    let flags = json!([
        large("page.size", json!(20), "TARGETING_MATCH"),
        large("page.size:enabled", json!(true), "STATIC"),
        large("page.size:variant", json!("large"), "TARGETING_MATCH"),
        flag("shop.off", json!(false), "DISABLED"),
        flag("shop.pay", json!(true), "TARGETING_MATCH"),
    ]);
    let body = response.json();
    assert_eq!((&body["flags"], &body["metadata"]), (&flags, &json!({})));
    assert_eq!(response.header("cache-control"), "private, no-cache");
    assert!(response.header("vary").contains("Authorization"), "{}", response.header("vary"));
    let tag = response.header("etag").to_owned();
    let with_tag = async |body: &Value| {
        let headers = [JSON, ("authorization", web.as_str()), ("if-none-match", tag.as_str())];
        app.send(Method::POST, &format!("{FLAGS}?flagConfigEtag=x"), &headers, &body.to_string()).await
    };
    assert_eq!(with_tag(&seven).await.status, StatusCode::NOT_MODIFIED);
    for context in [json!({ "targetingKey": "8" }), json!({ "targetingKey": "7", "plan": "gold" }), json!({})]
    {
        assert_eq!(with_tag(&json!({ "context": context })).await.status, StatusCode::OK, "{context}");
    }
}

#[actix_web::test]
async fn tokens_hide_toggles_outside_their_scope() {
    let app = start(&[]).await;
    create_toggles(&app).await;
    app.post("/api/admin/tag-types", &json!({ "name": "frontend" })).await;
    app.post("/api/admin/features/shop.pay/tags", &json!({ "type": "frontend", "value": "shop" })).await;
    app.post("/api/admin/projects", &json!({ "id": "till", "name": "Till" })).await;
    create(&app, "till.open", everyone(), json!({ "project": "till" })).await;
    let tagged = token(&app, "tagged", "frontend", json!({ "tags": ["frontend:shop"] })).await;
    let till = token(&app, "till", "frontend", json!({ "projects": ["till"] })).await;
    for (token, visible, hidden) in [(&tagged, "shop.pay", "till.open"), (&till, "till.open", "shop.pay")] {
        let flags = post(&app, token, FLAGS, &json!({})).await.json()["flags"].take();
        let keys: Vec<_> = flags.as_array().unwrap().iter().map(|flag| &flag["key"]).collect();
        assert_eq!(keys, [visible]);
        let found = post(&app, token, &format!("{FLAGS}/{visible}"), &json!({})).await;
        assert_eq!(found.status, StatusCode::OK);
        let missing = post(&app, token, &format!("{FLAGS}/{hidden}"), &json!({})).await;
        let unknown = post(&app, token, &format!("{FLAGS}/none"), &json!({})).await;
        assert_eq!((missing.status, unknown.status), (StatusCode::NOT_FOUND, StatusCode::NOT_FOUND));
        assert_eq!(missing.body.replace(hidden, "none"), unknown.body);
    }
}

#[actix_web::test]
async fn errors_have_the_format_of_the_protocol() {
    let app = start(&[]).await;
    create_toggles(&app).await;
    let web = frontend_token(&app).await;
    let long = json!({ "context": { "targetingKey": "x".repeat(1_001) } }).to_string();
    for (body, code) in [
        ("{", "PARSE_ERROR"),
        ("", "PARSE_ERROR"),
        ("[]", "PARSE_ERROR"),
        (r#"{"context":7}"#, "INVALID_CONTEXT"),
        (&long, "INVALID_CONTEXT"),
    ] {
        let headers = [JSON, ("authorization", web.as_str())];
        let one = app.send(Method::POST, &format!("{FLAGS}/shop.pay"), &headers, body).await;
        assert_eq!(one.status, StatusCode::BAD_REQUEST, "{body}");
        assert_eq!(
            (&one.json()["key"], &one.json()["errorCode"]),
            (&json!("shop.pay"), &json!(code)),
            "{body}"
        );
        let all = app.send(Method::POST, FLAGS, &headers, body).await;
        assert_eq!((all.status, &all.json()["errorCode"]), (StatusCode::BAD_REQUEST, &json!(code)), "{body}");
        assert!(all.json()["errorDetails"].is_string() && all.json()["key"].is_null());
    }
    for key in ["shop.none", "shop.pay:other", "shop.pay:enabled:variant", "a%20b%2Fc"] {
        let response = post(&app, &web, &format!("{FLAGS}/{key}"), &json!({})).await;
        assert_eq!(
            (response.status, &response.json()["errorCode"]),
            (StatusCode::NOT_FOUND, &json!("FLAG_NOT_FOUND"))
        );
        assert_eq!(response.json()["key"], key.replace("%20", " ").replace("%2F", "/"));
    }
}

#[actix_web::test]
async fn address_of_a_server_is_not_that_of_the_user() {
    let app = start(&[]).await;
    let strategy = json!([{ "name": "remoteAddress", "parameters": { "IPs": "127.0.0.1" } }]);
    create(&app, "by.address", strategy, json!({})).await;
    let (web, server) = (frontend_token(&app).await, token(&app, "server", "client", json!({})).await);
    for (token, value) in [(web, true), (server, false)] {
        let response = post(&app, &token, &format!("{FLAGS}/by.address"), &json!({})).await;
        assert_eq!(response.json()["value"], value, "{}", response.body);
    }
}
