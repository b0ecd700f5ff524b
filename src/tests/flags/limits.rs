//! Limits on the length of lists.

use actix_web::http::{Method, StatusCode};
use serde_json::{Map, Value, json};

use super::{FEATURES, JSON, create, message, names, plain, switch};
use crate::support::app::TestApp;
use crate::support::document::Document;
use crate::support::engine::with_engine;

/// A list in a body, and the path of its limit in the OpenAPI document.
struct List {
    path: &'static str,
    /// The name of the list in errors.
    label: &'static str,
    limit: &'static str,
    /// Returns a body with this number of distinct items.
    body: fn(usize) -> Value,
}

fn each(count: usize, item: impl Fn(usize) -> Value) -> Value {
    (0..count).map(item).collect()
}

fn properties(count: usize, value: &Value) -> Value {
    Value::Object((0..count).map(|key| (format!("key-{key}"), value.clone())).collect::<Map<_, _>>())
}

fn toggle(count: usize, key: &str, value: Value) -> Value {
    let mut toggle = plain(&format!("probe-{key}-{count}"));
    toggle[key] = value;
    toggle
}

fn strategy(count: usize, key: &str, value: &Value) -> Value {
    toggle(count, "strategies", json!([{ "name": key, key: value }]))
}

fn variant(count: usize, overrides: &Value) -> Value {
    toggle(count, "variants", json!([{ "name": "blue", "weight": 1, "overrides": overrides }]))
}

const LISTS: [List; 13] = [
    List {
        path: FEATURES,
        label: "strategies",
        limit: "NewToggle/properties/strategies/maxItems",
        body: |count| toggle(count, "strategies", each(count, |_| json!({ "name": "default" }))),
    },
    List {
        path: FEATURES,
        label: "strategies[0].parameters",
        limit: "NewStrategy/properties/parameters/maxProperties",
        body: |count| strategy(count, "parameters", &properties(count, &json!("x"))),
    },
    List {
        path: FEATURES,
        label: "strategies[0].constraints",
        limit: "NewStrategy/properties/constraints/maxItems",
        body: |count| {
            let constraint = json!({ "contextName": "userId", "operator": "IN", "values": ["1"] });
            strategy(count, "constraints", &each(count, |_| constraint.clone()))
        },
    },
    List {
        path: FEATURES,
        label: "strategies[0].constraints[0].values",
        limit: "NewConstraint/properties/values/maxItems",
        body: |count| {
            let values = each(count, |value| json!(value.to_string()));
            let constraint = json!({ "contextName": "userId", "operator": "IN", "values": values });
            strategy(count, "constraints", &json!([constraint]))
        },
    },
    List {
        path: FEATURES,
        label: "variants",
        limit: "NewToggle/properties/variants/maxItems",
        body: |count| {
            let variants = each(count, |number| json!({ "name": format!("v-{number}"), "weight": 0 }));
            toggle(count, "variants", variants)
        },
    },
    List {
        path: FEATURES,
        label: "variants[0].overrides",
        limit: "NewVariant/properties/overrides/maxItems",
        body: |count| variant(count, &each(count, |_| json!({ "contextName": "userId", "values": ["1"] }))),
    },
    List {
        path: FEATURES,
        label: "variants[0].overrides[0].values",
        limit: "NewOverride/properties/values/maxItems",
        body: |count| {
            let values = each(count, |value| json!(value.to_string()));
            variant(count, &json!([{ "contextName": "userId", "values": values }]))
        },
    },
    List {
        path: "/api/admin/context",
        label: "legalValues",
        limit: "NewContextField/properties/legalValues/maxItems",
        body: |count| {
            let values = each(count, |value| json!(value.to_string()));
            json!({ "name": format!("field-{count}"), "legalValues": values })
        },
    },
    List {
        path: "/api/admin/segments",
        label: "constraints",
        limit: "NewSegment/properties/constraints/maxItems",
        body: |count| {
            let constraint = json!({ "contextName": "userId", "operator": "IN", "values": ["1"] });
            json!({ "name": format!("segment-{count}"), "constraints": each(count, |_| constraint.clone()) })
        },
    },
    List {
        path: "/api/admin/strategies",
        label: "parameters",
        limit: "NewStrategyDefinition/properties/parameters/maxItems",
        body: |count| {
            let parameters = each(count, |number| json!({ "name": number.to_string() }));
            json!({ "name": format!("strategy-{count}"), "parameters": parameters })
        },
    },
    List {
        path: "/api/admin/addons",
        label: "events",
        limit: "NewAddonWebhook/properties/events/maxItems",
        body: |count| {
            let events = each(count, |_| json!("feature-created"));
            json!({ "provider": "webhook", "parameters": { "url": "http://localhost:9/" }, "events": events })
        },
    },
    List {
        path: "/api/client/register",
        label: "strategies",
        limit: "Registration/properties/strategies/maxItems",
        body: |count| {
            let strategies = each(count, |number| json!(number.to_string()));
            json!({ "appName": "shop", "instanceId": "1", "strategies": strategies })
        },
    },
    List {
        path: "/api/client/metrics",
        label: "bucket.toggles",
        limit: "Report/properties/bucket/properties/toggles/maxProperties",
        body: |count| {
            let toggles = properties(count, &json!({ "yes": 1 }));
            json!({ "appName": "shop", "instanceId": "1", "bucket": { "toggles": toggles } })
        },
    },
];

#[actix_web::test]
async fn list_limits_match_the_openapi_document() {
    let document = Document::of(&TestApp::embedded().await).await;
    for List { path, label, limit, body } in LISTS {
        let app = TestApp::embedded().await;
        let max = document.json.pointer(&format!("/components/schemas/{limit}")).and_then(Value::as_u64);
        let max = usize::try_from(max.unwrap_or_else(|| panic!("{limit} is no limit"))).unwrap();
        let accepted = app.post(path, &body(max)).await;
        assert!(accepted.status.is_success(), "{label} with {max} items: {}", accepted.body);
        let refused = app.post(path, &body(max + 1)).await;
        let said = format!("\"{label}\" must contain less than or equal to {max} items");
        assert_eq!((refused.status, message(&refused)), (StatusCode::BAD_REQUEST, said));
        assert_eq!(refused.json()["details"].as_array().unwrap().len(), 1);
    }
}

#[actix_web::test]
async fn toggle_filter_takes_at_most_100_tags_and_projects() {
    let app = TestApp::embedded().await;
    create(&app, &plain("probe")).await;
    for (parameter, filter, found) in
        [("tag", "tag=simple:x&", vec![]), ("project", "project=default&", vec!["probe"])]
    {
        assert_eq!(names(&app, &format!("{FEATURES}?{}", filter.repeat(100))).await, found);
        let refused = app.get(&format!("{FEATURES}?{}", filter.repeat(101))).await;
        let said = format!("\"{parameter}\" must occur less than or equal to 100 times in the query");
        assert_eq!((refused.status, message(&refused)), (StatusCode::BAD_REQUEST, said));
    }
}

#[actix_web::test]
async fn toggle_has_at_most_200_tags() {
    let app = TestApp::embedded().await;
    create(&app, &plain("probe")).await;
    let tags = "/api/admin/features/probe/tags";
    for number in 0..200 {
        let tagged = app.post(tags, &json!({ "type": "simple", "value": format!("tag-{number}") })).await;
        assert_eq!(tagged.status, StatusCode::CREATED, "{number}");
    }
    let one_more = json!({ "type": "simple", "value": "tag-200" });
    let refused = app.post(tags, &one_more).await;
    let said = "probe already has 200 tags, the maximum; remove one first";
    assert_eq!((refused.status, message(&refused).as_str()), (StatusCode::CONFLICT, said));
    assert_eq!(app.get("/api/admin/tags").await.json()["tags"].as_array().unwrap().len(), 200);
    app.send(Method::DELETE, &format!("{tags}/simple/tag-0"), &[], "").await;
    assert_eq!(app.post(tags, &one_more).await.status, StatusCode::CREATED);
}

#[actix_web::test]
async fn imported_toggle_above_the_limits_can_be_read_and_switched() {
    let folder = tempfile::tempdir().unwrap();
    let (database, file) = (folder.path().join("flags.db"), folder.path().join("state.json"));
    let values = each(6000, |value| json!(value.to_string()));
    let mut variants = each(300, |number| json!({ "name": format!("v-{number}"), "weight": 0 }));
    variants[0]["overrides"] = json!([{ "contextName": "userId", "values": values }]);
    let mut long = plain("long");
    long["variants"].clone_from(&variants);
    std::fs::write(&file, json!({ "version": 1, "features": [long] }).to_string()).unwrap();
    let database = database.to_str().unwrap();
    let mut import = crate::support::binary::flagdeck();
    let arguments = with_engine(&["import", file.to_str().unwrap(), "--data", database]);
    let imported = import.args(arguments).output().unwrap();
    assert!(imported.status.success(), "{}", String::from_utf8_lossy(&imported.stderr));
    let app = TestApp::with(&["--data", database]).await;
    let listed = app.get(FEATURES).await.json()["features"][0].take();
    assert_eq!(listed["variants"].as_array().unwrap().len(), 300);
    assert_eq!(listed["variants"][0]["overrides"][0]["values"][5999], "5999");
    let switched = switch(&app, "long", "toggle/on").await;
    assert_eq!((switched.status, &switched.json()["enabled"]), (StatusCode::OK, &json!(true)));
    let mut edited = plain("long");
    edited["variants"] = json!([variants[0]]);
    let refused = app.send(Method::PUT, &format!("{FEATURES}/long"), &[JSON], &edited.to_string()).await;
    let said = "\"variants[0].overrides[0].values\" must contain less than or equal to 5000 items";
    assert_eq!((refused.status, message(&refused).as_str()), (StatusCode::BAD_REQUEST, said));
}
