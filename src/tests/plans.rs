//! Reviews of plans for the console: `POST /-/plans` and `POST /-/files`.

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::app::{Response, TestApp};
use crate::support::stub::{Reply, Stub};

const JSON: (&str, &str) = ("content-type", "application/json");

/// A request with one file, and the toggles that exist.
fn request(file: &str, toggles: &[Value]) -> Value {
    let existing: serde_json::Map<_, _> =
        toggles.iter().map(|toggle| (toggle["name"].as_str().unwrap().to_owned(), json!([]))).collect();
    json!({
        "files": [{ "name": "shop.yaml", "text": file }], "target": "prod",
        "existing": existing, "archived": [], "toggles": toggles, "segments": [], "items": lists(),
    })
}

/// Lists that the server does not have, so that references to their items are not checked.
fn lists() -> Value {
    json!({ "projects": null, "strategies": null, "contextFields": null })
}

fn rollout(name: &str, percentage: &str) -> Value {
    let parameters = json!({ "rollout": percentage, "stickiness": "userId", "groupId": "g" });
    json!({
        "name": name, "description": "", "type": "release", "project": "default", "enabled": true, "stale": false,
        "strategies": [{ "id": "1", "name": "flexibleRollout", "parameters": parameters }], "variants": [],
        "createdAt": "2026-01-01T00:00:00Z", "lastSeenAt": null,
    })
}

fn file(percentage: &str) -> String {
    format!(
        "version: 1\ntoggles:\n  shop.pay:\n    strategies:\n      - name: flexibleRollout\n        parameters: {{ rollout: \"{percentage}\", stickiness: userId, groupId: g }}\n"
    )
}

async fn review(app: &TestApp, body: &Value) -> Value {
    let response = app.post("/-/plans", body).await;
    assert_eq!(response.status, StatusCode::OK, "{}", response.body);
    response.json()
}

async fn refusal(app: &TestApp, body: &Value) -> (StatusCode, String) {
    let Response { status, body, .. } = app.post("/-/plans", body).await;
    let json: Value = serde_json::from_str(&body).unwrap();
    (status, json["message"].as_str().unwrap().to_owned())
}

#[actix_web::test]
async fn a_review_names_the_toggles_that_it_needs() {
    let app = TestApp::with(&["--data", ":memory:", "--read-only"]).await;
    let mut body = request(
        "version: 1\ntoggles:\n  shop.pay: { dependencies: [{ feature: shop }] }\n  shop.cart: { description: new }\n  shop.new: {}\n",
        &[],
    );
    body["existing"] =
        json!({ "shop": [], "shop.pay": [], "shop.cart": [], "shop.button": ["shop.cart"], "other": [] });
    assert_eq!(review(&app, &body).await["missing"], json!(["shop", "shop.button", "shop.cart", "shop.pay"]));
    let mut child = rollout("shop.button", "10");
    child["dependencies"] = json!([{ "feature": "shop.cart" }, { "feature": "other" }]);
    body["toggles"] =
        json!([rollout("shop", "10"), rollout("shop.pay", "10"), rollout("shop.cart", "10"), child]);
    assert_eq!(review(&app, &body).await["missing"], json!(["other"]), "the parents of all");
    body["toggles"].as_array_mut().unwrap().push(rollout("other", "10"));
    let reviewed = review(&app, &body).await;
    assert_eq!(reviewed["missing"], json!([]));
    let names: Vec<_> =
        reviewed["changes"].as_array().unwrap().iter().map(|change| &change["name"]).collect();
    assert_eq!(names, ["shop.cart", "shop.new", "shop.pay"]);
}

/// A file with a mistake in each line, from line 4 on.
const MISTAKES: &str = "version: 1
toggles:
  shop.pay:
    project: shop
    dependencies: [{ feature: shop }]
    strategies:
      - { name: beta, segments: [EU, US] }
      - { name: default, constraints: [{ contextName: plan, operator: NOT_INN, values: [gold] }] }
      - { name: default, constraints: [{ contextName: userId, operator: NUM_GT, value: ten }] }
      - { name: flexibleRollout, parameters: { rollout: \"150\", stickiness: default, groupId: g } }
    variants: [{ name: aa, weight: 1001, weightType: fix }, { name: aa, weight: 0, weightType: fix }]
  \"shop cart\": {}
";

#[actix_web::test]
async fn problems_of_files_have_their_place_and_a_remedy() {
    let app = TestApp::embedded().await;
    let mut body = request(MISTAKES, &[]);
    body["items"] = json!({});
    body["segments"] = json!([{ "id": 1, "name": "EU", "constraints": [] }]);
    let review_of = async |body: &Value, list: &str| -> Vec<String> {
        let made = review(&app, body).await;
        let problems = made[list].as_array().unwrap();
        let line = |problem: &Value| {
            assert_eq!(problem["file"], "shop.yaml");
            format!("{}:{} {}", problem["line"], problem["column"], problem["message"].as_str().unwrap())
        };
        problems.iter().map(line).collect()
    };
    // The lists are read only if the files need them.
    let lists = json!(["projects", "strategies", "contextFields"]);
    assert_eq!(review(&app, &body).await["missingItems"], lists);
    let mut other = request("version: 1\ntoggles:\n  shop.pay: { description: new }\n", &[]);
    other["items"] = json!({});
    assert_eq!(review(&app, &other).await["missingItems"], json!([]));
    body["items"] = json!({
        "projects": ["default"], "strategies": ["default", "flexibleRollout"], "contextFields": ["appName"],
    });
    let of_all = [
        "4:14 toggle shop.pay: the project shop does not exist on prod; files do not define projects: create it first, or correct its id",
        "5:31 toggle shop.pay, parent 1 (shop): the parent toggle shop does not exist on prod; add it to the files, create it first, or correct its name",
        "7:38 toggle shop.pay, strategy 1 (beta): the segment US does not exist on prod; files do not define segments: create it first, or correct its name",
    ];
    let beta = "7:17 toggle shop.pay, strategy 1 (beta): the strategy beta does not exist on prod; ";
    let plan = "8:55 toggle shop.pay, strategy 2 (default), constraint 1 on plan: the context field plan does not exist on prod; ";
    let weight = "11:36 toggle shop.pay, variant 1 (aa): prod refuses it: \"weight\" must be less than or equal to 1000; correct it";
    let name = "12:3 toggle shop cart: prod refuses it: \"name\" must be URL friendly; use only letters, digits and - _ . ! ~ * ' ( )";
    let twice = "11:61 toggle shop.pay, variant 2 (aa): prod refuses it: it contains a duplicate value; rename or remove one of them";
    let number = "9:88 toggle shop.pay, strategy 3 (default), constraint 1 on userId: prod refuses it: \"value\" must be a number, such as 1.5; correct it";
    let percentage = "10:57 toggle shop.pay, strategy 4 (flexibleRollout): rollout is \"150\", which is no percentage; write a number from 0 to 100";

    body["server"] = json!({ "isEmbedded": true, "hasEnvironments": false, "version": "1.0.0" });
    let expected = [&of_all[..], &[number, weight, twice, name]].concat();
    assert_eq!(review_of(&body, "problems").await, expected);
    let beta_warning = format!("{beta}it is never on unless applications implement it");
    let plan_warning = format!("{plan}the constraint sees no value unless applications send the property");
    let operator_warning = "8:71 toggle shop.pay, strategy 2 (default), constraint 1 on plan: with the unknown operator NOT_INN, it never matches unless applications implement it; did you mean NOT_IN?";
    assert_eq!(
        review_of(&body, "warnings").await,
        [beta_warning.as_str(), &plan_warning, operator_warning, percentage]
    );

    body["server"] = json!({ "isEmbedded": false, "hasEnvironments": true, "version": "6.10.1" });
    let bounds = "11:36 toggle shop.pay, variant 1 (aa): prod requires a weight from 0 to 1000; correct it";
    let beta_problem = format!("{beta}files do not define strategies: create it first, or correct its name");
    let plan_problem =
        format!("{plan}files do not define context fields: create it first, or correct its name");
    let operator = "8:71 toggle shop.pay, strategy 2 (default), constraint 1 on plan: prod does not know the operator NOT_INN; did you mean NOT_IN?";
    let user = "9:55 toggle shop.pay, strategy 3 (default), constraint 1 on userId: the context field userId does not exist on prod; files do not define context fields: create it first, or correct its name";
    let expected = [
        &of_all[..2],
        &[&*beta_problem, of_all[2], &*plan_problem, operator, user, number, weight, bounds, twice, name],
    ]
    .concat();
    assert_eq!(review_of(&body, "problems").await, expected);
    assert_eq!(review_of(&body, "warnings").await, [percentage]);

    // Unleash 3.17 does not check operators and their values.
    body["server"] = json!({ "isEmbedded": false, "hasEnvironments": false, "version": "3.17.6" });
    let of_older = review_of(&body, "problems").await;
    for problem in [&of_all[..], &[weight, twice, name]].concat() {
        assert!(of_older.iter().any(|found| found == problem), "{problem}: {of_older:?}");
    }
    assert!(!of_older.iter().any(|found| found == number || found == operator), "{of_older:?}");

    // A percentage that is stored already is no news.
    let stored = request(&format!("{}    description: new\n", file("150")), &[rollout("shop.pay", "150")]);
    let made = review(&app, &stored).await;
    assert_eq!((&made["warnings"], made["changes"].as_array().unwrap().len()), (&json!([]), 1));

    // A list that the server does not have is not checked.
    body["items"] = json!({ "projects": null, "strategies": null, "contextFields": null });
    body["server"] = json!(null);
    assert_eq!(review_of(&body, "problems").await, of_all[1..]);
}

#[actix_web::test]
async fn stored_plans_are_checked_as_files_are() {
    let app = TestApp::embedded().await;
    let file = "version: 1
toggles:
  shop.pay:
    strategies:
      - { name: default, constraints: [{ contextName: userId, operator: NUM_GT, value: \"10\" }] }
      - { name: flexibleRollout, parameters: { rollout: \"50\" } }
";
    let made = review(&app, &request(file, &[])).await;
    assert_eq!((&made["problems"], &made["isStored"]), (&json!([]), &json!(false)));
    // Its file can be edited.
    let mut plan = made["plan"].clone();
    let state = &mut plan["changes"][0]["state"];
    state["project"] = json!("shop");
    state["dependencies"] = json!([{ "feature": "shop" }]);
    state["strategies"][0]["constraints"][0]["value"] = json!("ten");
    state["strategies"][1]["parameters"]["rollout"] = json!("150");
    state["variants"] = json!([{ "name": "aa", "weight": 1001, "weightType": "fix" }]);
    let mut body = request(&plan.to_string(), &[]);
    body["files"][0]["name"] = json!("plan.json");
    body["server"] = json!({ "isEmbedded": true, "hasEnvironments": false, "version": "1.0.0" });
    body["items"] = json!({});
    let lists = json!(["projects", "strategies", "contextFields"]);
    assert_eq!(review(&app, &body).await["missingItems"], lists);
    body["items"] =
        json!({ "projects": ["default"], "strategies": ["flexibleRollout"], "contextFields": ["userId"] });
    let made = review(&app, &body).await;
    assert_eq!((&made["plan"], &made["changes"]), (&Value::Null, &json!([])));
    let expected = [
        "toggle shop.pay, strategy 1 (default), constraint 1 on userId: prod refuses it: \"value\" must be a number, such as 1.5; correct it",
        "toggle shop.pay, variant 1 (aa): prod refuses it: \"weight\" must be less than or equal to 1000; correct it",
        "toggle shop.pay: the project shop does not exist on prod; files do not define projects: create it first, or correct its id",
        "toggle shop.pay, parent 1 (shop): the parent toggle shop does not exist on prod; add it to the files, create it first, or correct its name",
    ];
    assert_eq!(messages(&made, "problems"), expected);
    let percentage = [
        "toggle shop.pay, strategy 2 (flexibleRollout): rollout is \"150\", which is no percentage; write a number from 0 to 100",
    ];
    assert_eq!(messages(&made, "warnings"), percentage);
    // Unleash 3.17 does not check the values of operators.
    body["server"] = json!({ "isEmbedded": false, "hasEnvironments": false, "version": "3.17.6" });
    let made = review(&app, &body).await;
    let of_older = messages(&made, "problems");
    assert!(expected[1..].iter().all(|problem| of_older.contains(problem)), "{of_older:?}");
    assert!(!of_older.contains(&expected[0]), "{of_older:?}");

    // Nothing is written for a toggle that is already as planned, or that has changed since.
    body["existing"] = json!({ "shop.pay": [] });
    for (kind, status) in [("release", "applied"), ("experiment", "outdated")] {
        let mut stored = plan["changes"][0]["state"].clone();
        stored["name"] = json!("shop.pay");
        stored["type"] = json!(kind);
        body["toggles"] = json!([stored]);
        let made = review(&app, &body).await;
        assert_eq!((&made["problems"], &made["warnings"]), (&json!([]), &json!([])), "{status}");
        assert_eq!(made["changes"][0]["status"], status);
    }
}

/// Returns the messages of problems of a stored plan, which have no line.
fn messages<'r>(review: &'r Value, list: &str) -> Vec<&'r str> {
    let problems = review[list].as_array().unwrap();
    let message = |problem: &'r Value| {
        assert_eq!((&problem["file"], &problem["line"]), (&json!("plan.json"), &Value::Null));
        problem["message"].as_str().unwrap()
    };
    problems.iter().map(message).collect()
}

#[actix_web::test]
async fn tags_are_compared_if_the_files_own_them() {
    let app = TestApp::embedded().await;
    let file = "version: 1\ntoggles:\n  shop.pay: { tags: [{ type: team, value: pay }] }\n  shop.old: { description: old }\n";
    // Only some servers send the tags with the toggle.
    let [mut pay, mut old] = ["shop.pay", "shop.old"].map(|name| rollout(name, "25"));
    pay["tags"] = json!([{ "type": "simple", "value": "stale response" }]);
    old["tags"] = pay["tags"].clone();
    let mut body = request(file, &[pay, old]);
    let first = review(&app, &body).await;
    assert_eq!((&first["missing"], &first["missingTags"]), (&json!([]), &json!(["shop.pay"])));
    assert_eq!(first["changes"], json!([]));
    body["tags"] = json!({ "shop.pay": [{ "type": "simple", "value": "shop" }] });
    let made = review(&app, &body).await;
    let [old, pay] = [&made["changes"][0], &made["changes"][1]];
    assert_eq!((&old["tags"], &old["hasOnlyTags"]), (&Value::Null, &json!(false)));
    assert_eq!((old["before"].get("tags"), old["after"].get("tags")), (None, None));
    assert_eq!(
        (&pay["tags"], &pay["hasOnlyTags"]),
        (&json!([{ "type": "team", "value": "pay" }]), &json!(true))
    );
    assert_eq!(pay["before"]["tags"], body["tags"]["shop.pay"]);
    assert_eq!(pay["body"].get("tags"), None, "tags have an endpoint of their own");

    // The plan compares the tags again.
    body["files"][0]["text"] = made["plan"].to_string().into();
    for (tags, status) in [
        (json!([{ "type": "simple", "value": "shop" }]), "ready"),
        (json!([{ "type": "team", "value": "pay" }]), "applied"),
        (json!([]), "outdated"),
    ] {
        body["tags"]["shop.pay"] = tags;
        assert_eq!(review(&app, &body).await["changes"][1]["status"], status);
    }
}

#[actix_web::test]
async fn toggles_that_no_file_names_are_archived_last() {
    let app = TestApp::embedded().await;
    let mut child = rollout("shop.child", "25");
    child["dependencies"] = json!([{ "feature": "shop.parent" }]);
    let toggles = [rollout("shop.pay", "25"), rollout("shop.parent", "25"), child];
    let managed = file("50").replacen('\n', "\nmanagedBy: acme/flags\n", 1);
    let mut body = request(&managed, &toggles);
    body["existing"]["shop.child"] = json!(["shop.parent"]);
    body["existing"]["shop.other"] = json!([]);
    body["prune"] = json!(true);
    body["toggles"] = json!([]);
    assert_eq!(review(&app, &body).await["missingManaged"], json!(["acme/flags"]));
    // A server that cannot filter lists all toggles, so that the tags decide.
    body["managed"] = json!({ "acme/flags": ["shop.pay", "shop.parent", "shop.child", "shop.other"] });
    let missing = review(&app, &body).await["missingTags"].clone();
    assert_eq!(missing, json!(["shop.child", "shop.other", "shop.parent", "shop.pay"]));
    let mark = json!([{ "type": "managed-by", "value": "acme/flags" }]);
    let foreign = json!([{ "type": "managed-by", "value": "acme/other" }]);
    body["tags"] =
        json!({ "shop.pay": mark, "shop.parent": mark, "shop.child": mark, "shop.other": foreign });
    assert_eq!(review(&app, &body).await["missing"], json!(["shop.child", "shop.parent", "shop.pay"]));
    body["toggles"] = json!(toggles);
    let made = review(&app, &body).await;
    let changes = made["changes"].as_array().unwrap();
    let lines: Vec<_> = changes
        .iter()
        .map(|change| format!("{} {} {}", change["action"], change["name"], change["effect"]))
        .collect();
    assert_eq!(
        lines,
        [
            r#""change" "shop.pay" "widens""#,
            r#""archive" "shop.child" "narrows""#,
            r#""archive" "shop.parent" "narrows""#
        ]
    );
    assert_eq!(changes[1]["before"]["enabled"], true);

    // The plan, as a file.
    let mut stored = request(&made["plan"].to_string(), &toggles);
    stored["tags"] = body["tags"].clone();
    stored["prune"] = json!(true);
    let (_, said) = refusal(&app, &stored).await;
    assert!(said.contains("A plan contains all its changes"), "{said}");
    stored["prune"] = json!(false);
    let statuses = |review: Value| -> Vec<Value> {
        review["changes"].as_array().unwrap().iter().map(|change| change["status"].clone()).collect()
    };
    assert_eq!(statuses(review(&app, &stored).await), ["ready", "ready", "ready"]);
    stored["toggles"][1]["enabled"] = json!(false);
    stored["toggles"].as_array_mut().unwrap().pop();
    stored["existing"] = json!({ "shop.pay": [], "shop.parent": [] });
    assert_eq!(statuses(review(&app, &stored).await), ["ready", "applied", "outdated"]);

    for (file, message) in [
        (
            "version: 1\ntoggles: {}\n",
            "Toggles that no file names cannot be archived: the files name no toggles, and all toggles that they managed would be archived; name the toggles to keep",
        ),
        (
            "version: 1\ntoggles:\n  shop.child: { description: new }\n",
            "Toggles that no file names cannot be archived: only toggles that the same files managed can be archived; write managedBy at the top of the files, or add --managed-by NAME to the command",
        ),
        (
            "version: 1\nmanagedBy: acme/flags\ntoggles:\n  shop.child: { description: new }\n",
            "shop.parent would be archived, and shop.child depends on it. Add shop.parent to the files, or remove the dependency",
        ),
    ] {
        body["files"][0]["text"] = file.into();
        assert_eq!(refusal(&app, &body).await, (StatusCode::BAD_REQUEST, message.to_owned()));
    }
}

#[actix_web::test]
async fn plans_say_what_changes_and_compare_it_with_the_stored_toggle() {
    let app = TestApp::embedded().await;
    let stored = rollout("shop.pay", "25");
    let made = review(&app, &request(&file("50"), std::slice::from_ref(&stored))).await;
    let change = &made["changes"][0];
    assert_eq!(
        (&change["action"], &change["status"], &change["effect"]),
        (&json!("change"), &json!("ready"), &json!("widens"))
    );
    assert_eq!(change["before"], stored);
    assert_eq!(change["after"]["strategies"][0]["parameters"]["rollout"], "50");
    assert_eq!(change["after"]["strategies"][0]["id"], "1");
    assert_eq!(change["body"].get("createdAt"), None);

    // The same plan later, as a file.
    let mut plan = made["plan"].clone();
    assert_eq!((&plan["target"], &plan["version"]), (&json!("prod"), &json!(1)));
    // An edited effect is not believed.
    plan["changes"][0]["effect"] = json!("neither");
    for (percentage, status, effect) in
        [("25", "ready", "widens"), ("50", "applied", "neither"), ("75", "outdated", "narrows")]
    {
        let body = request(&plan.to_string(), &[rollout("shop.pay", percentage)]);
        let change = &review(&app, &body).await["changes"][0];
        assert_eq!((&change["status"], &change["effect"]), (&json!(status), &json!(effect)), "{percentage}");
    }
    let gone = review(&app, &request(&plan.to_string(), &[])).await;
    assert_eq!(gone["changes"][0]["status"], "outdated", "archived since");
    let same = review(&app, &request(&file("25"), &[stored])).await;
    assert_eq!(same["changes"], json!([]));
}

#[actix_web::test]
async fn files_with_a_name_set_the_mark_of_their_toggles() {
    let app = TestApp::embedded().await;
    let stored = rollout("shop.pay", "25");
    let mut body = request(&format!("{}\nmanagedBy: acme\n", file("25")), &[]);
    body["existing"] = json!({ "shop.pay": [] });
    let made = review(&app, &body).await;
    assert_eq!((&made["missing"], &made["missingTags"]), (&json!(["shop.pay"]), &json!(["shop.pay"])));
    body["toggles"] = json!([stored]);
    let mark = |name: &str| json!({ "type": "managed-by", "value": name });
    let other = json!({ "type": "team", "value": "pay" });
    for (tags, planned) in [
        (json!([other]), true),
        (json!([mark("other"), other]), true),
        (json!([mark("acme"), mark("other")]), true),
        (json!([mark("acme"), other]), false),
    ] {
        body["tags"] = json!({ "shop.pay": tags });
        let made = review(&app, &body).await;
        assert_eq!(made["changes"].as_array().unwrap().len(), usize::from(planned), "{tags}");
        if planned {
            let change = &made["changes"][0];
            assert_eq!((&change["managedBy"], &change["status"]), (&json!("acme"), &json!("ready")));
            // The request that replaces the toggle is not needed, and does not contain the mark.
            assert_eq!((&change["before"], &change["after"]), (&stored, &stored));
            assert_eq!((&change["tags"], &change["hasOnlyTags"]), (&json!(null), &json!(true)));
            assert_eq!(change["body"].get("managedBy"), None);
            let mut applied = request(&made["plan"].to_string(), std::slice::from_ref(&stored));
            applied["tags"] = json!({ "shop.pay": [mark("acme")] });
            assert_eq!(review(&app, &applied).await["changes"][0]["status"], "applied");
        }
    }
    body["existing"] = json!({});
    body["archived"] = json!(["shop.pay"]);
    body["toggles"] = json!([]);
    let revived = &review(&app, &body).await["changes"][0];
    assert_eq!((&revived["managedBy"], revived["body"].get("managedBy")), (&json!("acme"), None));
}

#[actix_web::test]
async fn new_and_archived_toggles_have_no_state_before() {
    let app = TestApp::embedded().await;
    let mut body =
        request("version: 1\ntoggles:\n  old: { description: again }\n  new: { enabled: true }\n", &[]);
    body["archived"] = json!(["old"]);
    let reviewed = review(&app, &body).await;
    let [old, new] = [&reviewed["changes"][0], &reviewed["changes"][1]];
    let owned = json!({ "description": "again", "enabled": false });
    assert_eq!((&old["action"], &old["body"]), (&json!("revive"), &owned));
    assert_eq!((&new["action"], &new["before"]["enabled"]), (&json!("create"), &json!(false)));
    assert_eq!(new["body"]["strategies"], json!([{ "name": "default", "parameters": {} }]));
    // A revived toggle has properties that the plan does not know.
    let mut revived = rollout("old", "10");
    (revived["description"], revived["enabled"]) = (json!("again"), json!(false));
    let mut body = request(&reviewed["plan"].to_string(), &[revived]);
    assert_eq!(review(&app, &body).await["changes"][0]["status"], "applied");
    body["toggles"][0]["description"] = json!("");
    assert_eq!(review(&app, &body).await["changes"][0]["status"], "ready", "its revival is finished");
    body["toggles"][0]["enabled"] = json!(true);
    assert_eq!(review(&app, &body).await["changes"][0]["status"], "outdated");
}

#[actix_web::test]
async fn files_that_cannot_be_read_are_refused_with_their_place() {
    let app = TestApp::embedded().await;
    let plan = json!({ "version": 1, "target": "prod", "changes": [] });
    for (text, message) in [
        (
            "version: 1\ntoggles:\n  a:\n    enabled: yes\n".to_owned(),
            "shop.yaml, line 4, column 14: yes is a boolean in YAML 1.1",
        ),
        ("toggles: [".to_owned(), "shop.yaml, line 1, column "),
        ("version: 2\ntoggles: {}\n".to_owned(), "the version of the format is 2, and this program reads 1"),
        (
            plan.to_string().replace("\"version\":1", "\"version\":7"),
            "shop.yaml is a plan of version 7, and this program reads 1",
        ),
        (r#"{ "changes": 5 }"#.to_owned(), "shop.yaml is not a plan: invalid type"),
    ] {
        let (status, said) = refusal(&app, &request(&text, &[])).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{said}");
        assert!(said.contains(message), "{said}");
    }
    let mut two = request(&file("1"), &[]);
    two["files"].as_array_mut().unwrap().push(json!({ "name": "b.yaml", "text": file("2") }));
    let (_, said) = refusal(&app, &two).await;
    assert!(said.contains("shop.yaml and b.yaml both own the toggle shop.pay; remove it"), "{said}");
    two["files"][1]["text"] = plan.to_string().into();
    let (_, said) = refusal(&app, &two).await;
    assert!(said.contains("b.yaml is a plan; it must be the only file"), "{said}");
    let (_, said) =
        refusal(&app, &request(&file("1"), &[json!({ "name": "shop.pay", "enabled": "maybe" })])).await;
    assert!(said.contains("A toggle is not in the format of the API"), "{said}");
    let (status, _) = refusal(&app, &request(&"#".repeat(9 << 20), &[])).await;
    assert_eq!(status, StatusCode::PAYLOAD_TOO_LARGE);
    let text = app.send(Method::POST, "/-/plans", &[("content-type", "text/plain")], "{}").await;
    assert_eq!(text.status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
}

#[actix_web::test]
async fn only_signed_in_users_get_reviews() {
    let signed_out =
        "HTTP/1.1 401 Unauthorized\r\nContent-Length: 2\r\nContent-Type: application/json\r\n\r\n{}";
    let stub = Stub::start(Reply::Bytes(signed_out.to_owned())).await;
    let own = TestApp::with(&["--data", ":memory:", "--auth", "unsecure"]).await;
    for app in [TestApp::beside(&stub.url).await, own] {
        for path in ["/-/plans", "/-/files"] {
            let response = app.send(Method::POST, path, &[JSON], "{}").await;
            assert_eq!(response.status, StatusCode::UNAUTHORIZED, "{path}: {}", response.body);
        }
    }
}

#[actix_web::test]
async fn written_toggles_have_no_plan() {
    let app = TestApp::embedded().await;
    let mut toggle = rollout("null", "25");
    toggle["description"] = json!("010");
    toggle["strategies"][0]["constraints"] =
        json!([{ "contextName": "country", "operator": "NOT_IN", "values": ["no", "yes"] }]);
    toggle["strategies"][0]["segments"] = json!([3]);
    let segments = json!([{ "id": 3, "name": "EU", "constraints": [] }]);
    let written = app.post("/-/files", &json!({ "toggles": [toggle], "segments": segments })).await.json();
    let yaml = written["yaml"].as_str().unwrap();
    assert!(yaml.starts_with("version: 1\ntoggles:\n  \"null\":\n    description: \"010\"\n"), "{yaml}");
    assert!(yaml.contains("segments:\n        - EU\n") || yaml.contains("segments:\n      - EU\n"), "{yaml}");
    assert!(!yaml.contains("rollout:") && !yaml.contains("enabled:"), "as flagdeck pull: {yaml}");
    // On another server, the segment has another id.
    let mut body = request(yaml, &[toggle]);
    body["segments"] =
        json!([{ "id": 1, "name": "US", "constraints": [] }, { "id": 9, "name": "EU", "constraints": [] }]);
    body["toggles"][0]["strategies"][0]["segments"] = json!([9]);
    assert_eq!(review(&app, &body).await["changes"], json!([]));
    let invalid = app.post("/-/files", &json!({ "toggles": [{ "name": "a" }] })).await;
    assert_eq!(invalid.status, StatusCode::BAD_REQUEST);
}
