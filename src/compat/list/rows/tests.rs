//! Tests of the conversion of lists.

use serde_json::{Value, json};

use super::{Filter, Source, StrategyIndex, to_console_list};

fn convert(list: &Value, environment: &str) -> Value {
    convert_filtered(list, environment, &Filter::default())
}

fn convert_filtered(list: &Value, environment: &str, filter: &Filter) -> Value {
    let lists = [("shop", serde_json::to_vec(list).unwrap().into())];
    let list = to_console_list(&lists, environment, filter, Source::default());
    serde_json::from_slice(&list.unwrap()).unwrap()
}

#[test]
fn selects_by_tags_and_by_the_start_of_the_name() {
    let row = |name: &str, tags: Value| json!({ "name": name, "type": "release", "stale": false, "createdAt": "", "tags": tags });
    let team = |value: &str| json!([{ "type": "team", "value": value }]);
    let list = json!({ "features": [
        row("shop.a", team("x:y")), row("shop.b", team("z")), row("c", Value::Null),
    ] });
    for (tags, name_prefix, expected) in [
        (vec!["team:x:y"], "", vec!["shop.a"]),
        (vec!["team:x:y", "team:z"], "", vec!["shop.a", "shop.b"]),
        (vec!["team"], "", vec![]),
        (vec![], "shop.", vec!["shop.a", "shop.b"]),
        (vec!["team:z"], "c", vec![]),
    ] {
        let tags = tags.into_iter().map(str::to_owned).collect();
        let filter = Filter { tags, name_prefix: name_prefix.to_owned(), ..Filter::default() };
        let found = convert_filtered(&list, "production", &filter);
        let found: Vec<_> = found["features"].as_array().unwrap().iter().map(|row| &row["name"]).collect();
        assert_eq!(found, expected, "{filter:?}");
    }
}

#[test]
fn shows_the_state_of_the_selected_environment() {
    let list = json!({ "version": 2, "features": [
        { "name": "search", "type": "release", "description": null, "stale": true, "favorite": false,
          "createdAt": "2026-11-02T10:00:00Z", "impressionData": true, "tags": [{ "type": "team", "value": "a" }],
          "environments": [
            { "name": "development", "enabled": true, "hasStrategies": true, "lastSeenAt": "2026-11-03T10:00:00Z" },
            { "name": "production", "enabled": false, "hasStrategies": false, "lastSeenAt": null },
          ] },
        { "name": "basket", "type": "experiment", "description": "A \"new\" basket", "stale": false,
          "createdAt": "2026-11-01T10:00:00Z", "environments": [] },
    ] });
    let in_development = convert(&list, "development");
    assert_eq!(in_development["features"][0]["name"], "basket");
    assert_eq!(in_development["features"][0]["description"], "A \"new\" basket");
    assert_eq!(in_development["features"][0]["enabled"], false);
    assert_eq!(
        in_development["features"][1],
        json!({
            "name": "search", "type": "release", "description": null, "project": "shop", "enabled": true, "stale": true,
            "strategies": [], "strategiesKnown": false, "hasStrategies": true, "variants": [],
            "createdAt": "2026-11-02T10:00:00Z", "lastSeenAt": "2026-11-03T10:00:00Z", "impressionData": true,
            "tags": [{ "type": "team", "value": "a" }],
        })
    );
    let in_production = convert(&list, "production");
    assert_eq!(in_production["features"][1]["enabled"], false);
    assert_eq!(in_production["features"][1]["hasStrategies"], false);
    assert_eq!(in_production["features"][1]["lastSeenAt"], Value::Null);
}

#[test]
fn shows_archived_toggles_as_off() {
    for (archived_at, is_enabled) in [(json!("2026-11-02T10:00:00Z"), false), (Value::Null, true)] {
        let list = json!({ "features": [
            { "name": "search", "type": "release", "stale": false, "createdAt": "", "archivedAt": archived_at,
              "environments": [{ "name": "production", "enabled": true }] },
        ] });
        assert_eq!(convert(&list, "production")["features"][0]["enabled"], is_enabled);
    }
}

#[test]
fn rejects_other_formats() {
    for list in ["[]", "{}", "<!DOCTYPE html>", r#"{"features": [{"name": 1}]}"#] {
        assert!(
            to_console_list(&[("shop", list.into())], "production", &Filter::default(), Source::default())
                .is_err(),
            "{list}"
        );
    }
}

#[test]
fn shows_strategies_that_are_known() {
    let row = |name: &str| json!({ "name": name, "type": "release", "stale": false, "createdAt": "" });
    let list = json!({ "features": [row("one"), row("two")] }).to_string();
    let playground =
        json!({ "features": [{ "name": "one", "strategies": { "data": [{ "name": "default" }] } }] });
    let index = StrategyIndex::from_playground(playground.to_string().as_bytes()).unwrap();
    for (is_complete, is_known) in [(true, [true, false]), (false, [false, false])] {
        let source =
            Source { strategies: Some(&index), has_all_strategies: is_complete, ..Source::default() };
        let lists = [("shop", list.clone().into())];
        let list = to_console_list(&lists, "production", &Filter::default(), source).unwrap();
        let list: Value = serde_json::from_slice(&list).unwrap();
        let rows = list["features"].as_array().unwrap();
        let shown: Vec<_> = rows.iter().map(|row| (&row["strategies"], &row["strategiesKnown"])).collect();
        let [one, two] = is_known.map(Value::Bool);
        assert_eq!(shown, [(&json!([{ "name": "default" }]), &one), (&json!([]), &two)]);
    }
}
