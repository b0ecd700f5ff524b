//! Plans that another person than the maker must apply (`apply-needs-another-person`).

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::sync::{Arc, Mutex};

use actix_web::http::{Method, StatusCode};
use flagdeck::config::OidcTimes;
use futures_util::future::join;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::task::yield_now;
use tokio::time::timeout;

use super::oidc::{Browser, code, start_app};
use super::{Installation, JSON, PASSWORD, get, send_as, signed_in};
use crate::support::app::{Response, TestApp};
use crate::support::engine::{is_postgres, psql};
use crate::support::provider::{Provider, json_reply};
use crate::support::skip::skipped;
use crate::support::stub::Reply;
use crate::support::stub::Stub;
use crate::support::watched::MAX_WAIT;
use crate::targets::run;

const SIGN: &str = "/-/plans/signatures";
const CHECK: &str = "/-/plans/permissions";
const APPROVE: &str = "/-/plans/approvals";
const PASSWORDS: [&str; 3] = ["--auth", "password", "--apply-needs-another-person"];
const FILE: &str = "version: 1\ntoggles:\n  shop.pay: { description: One page }\n";

fn digest(digit: char) -> String {
    digit.to_string().repeat(64)
}

async fn post(app: &TestApp, cookie: &str, path: &str, body: &Value) -> Response {
    send_as(app, cookie, Method::POST, path, body).await
}

async fn sign(app: &TestApp, cookie: &str, digest: &str) -> Value {
    let response = post(app, cookie, SIGN, &json!({ "digest": digest })).await;
    assert_eq!(response.status, StatusCode::OK, "{}", response.body);
    response.json()
}

/// Requests the application of a plan. Returns the code of the refusal; empty if the person may apply it.
async fn approve(app: &TestApp, cookie: &str, digest: &str, signature: &Value) -> String {
    let body = json!({ "digest": digest, "signature": signature });
    let [checked, approved] =
        [post(app, cookie, CHECK, &body).await, post(app, cookie, APPROVE, &body).await];
    assert_eq!((checked.status, &checked.json()["message"]), (approved.status, &approved.json()["message"]));
    let status = approved.status;
    let code = approved.json()["code"].as_str().unwrap_or_default().to_owned();
    let expected = if code.is_empty() { StatusCode::OK } else { StatusCode::FORBIDDEN };
    assert_eq!(status, expected, "{}", approved.body);
    code
}

#[actix_web::test]
async fn only_another_person_may_apply_a_plan() {
    let installation = Installation::new();
    for name in ["anna", "bert"] {
        installation.add(name, &["--permission", "CREATE_FEATURE"]);
    }
    let folder = TempDir::new().unwrap();
    let journal = folder.path().join("journal.jsonl");
    let settings = [&PASSWORDS[..], &["--journal", journal.to_str().unwrap()]].concat();
    let app = installation.start(&settings).await;
    assert_eq!(app.get("/-/settings").await.json()["applyNeedsAnotherPerson"], true);
    let (anna, bert) = (signed_in(&app, "anna").await, signed_in(&app, "bert").await);
    let review = json!({
        "files": [{ "name": "shop.yaml", "text": FILE }], "target": "prod",
        "existing": {}, "archived": [], "toggles": [], "segments": [], "items": {},
    });
    let review = post(&app, &anna, "/-/plans", &review).await.json();
    assert_eq!(review["needsAnotherPerson"], true);
    let planned = review["digest"].as_str().unwrap();

    let signature = sign(&app, &anna, planned).await;
    assert_eq!((&signature["madeBy"], &signature["digest"]), (&json!("anna"), &json!(planned)));
    assert!(!signature["identities"].to_string().contains("anna"), "{signature}");
    assert_eq!(approve(&app, &anna, planned, &signature).await, "plan_own");
    let refused = post(&app, &anna, CHECK, &json!({ "digest": planned, "signature": signature })).await;
    let message = refused.json()["message"].as_str().unwrap().to_owned();
    assert!(
        message.starts_with("anna made this plan at 20")
            && message.ends_with(" UTC. Another person must apply it")
    );
    assert_eq!(approve(&app, &bert, planned, &signature).await, "");
    // A plan can be applied again, for example after a failure.
    assert_eq!(approve(&app, &bert, planned, &signature).await, "");
    assert_eq!(approve(&app, &bert, &digest('0'), &signature).await, "plan_changed");
    assert_eq!(approve(&app, &bert, planned, &Value::Null).await, "plan_unsigned");
    let mut forged = signature.clone();
    forged["identities"] = json!([]);
    assert_eq!(approve(&app, &anna, planned, &forged).await, "plan_signature_unknown");
    let malformed = post(&app, &bert, SIGN, &json!({ "digest": "abc" })).await;
    assert_eq!(malformed.status, StatusCode::BAD_REQUEST);
    // The user of a session that has ended is not confirmed.
    post(&app, &bert, "/-/logout", &Value::Null).await;
    for path in [SIGN, CHECK, APPROVE] {
        let body = json!({ "digest": planned, "signature": signature });
        assert_eq!(post(&app, &bert, path, &body).await.status, StatusCode::UNAUTHORIZED, "{path}");
    }
    app.stop().await;

    let lines: Vec<Value> = fs::read_to_string(&journal)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let approvals = |person: &str, status: u16| {
        let is_wanted = |line: &&Value| {
            line["path"] == APPROVE && line["status"] == status && line["person"]["sub"] == person
        };
        lines.iter().filter(is_wanted).map(|line| line["change"].as_str().unwrap()).collect::<Vec<_>>()
    };
    let name = &planned[..12];
    let made_at = signature["madeAt"].as_str().unwrap();
    let of_anna = format!("apply the plan {name} that anna made at {made_at}");
    let of_unknown = format!("apply the plan {name}, whose maker is unknown");
    let changed =
        format!("apply the plan {}, which was changed after anna made it at {made_at}", &digest('0')[..12]);
    assert_eq!(approvals("bert", 200), [of_anna.as_str(); 2]);
    // The name in a forged signature is not that of the maker.
    assert_eq!(approvals("anna", 403), [&of_anna, &of_unknown]);
    assert_eq!(approvals("bert", 403), [&changed, &of_unknown]);
    let items = lines.iter().filter(|line| line["path"] == APPROVE && line["status"] != 401);
    assert!(items.clone().count() == 6 && items.clone().all(|line| line["item"]["type"] == "plan"));
    assert!(lines.iter().all(|line| line["path"] != CHECK && line["path"] != SIGN));

    // After a restart, and in a read-only console, which applies no plans.
    let app = installation.start(&[&PASSWORDS[..], &["--read-only"]].concat()).await;
    let bert = signed_in(&app, "bert").await;
    let body = json!({ "digest": planned, "signature": signature });
    assert_eq!(post(&app, &bert, CHECK, &body).await.status, StatusCode::OK);
    assert_eq!(post(&app, &bert, APPROVE, &body).await.json()["code"], "read_only");
    assert_eq!(sign(&app, &bert, planned).await["madeBy"], "bert");
    app.stop().await;

    // Without the setting.
    let app = installation.start_with_passwords().await;
    let bert = signed_in(&app, "bert").await;
    assert_eq!(get(&app, &bert, "/-/settings").await.json()["applyNeedsAnotherPerson"], false);
    for path in [SIGN, CHECK, APPROVE] {
        let response = post(&app, &bert, path, &body).await;
        assert_eq!(
            (response.status, &response.json()["code"]),
            (StatusCode::NOT_FOUND, &json!("unknown_path"))
        );
    }
    app.stop().await;

    let other = Installation::new();
    other.add("carl", &[]);
    let app = other.start(&PASSWORDS).await;
    let carl = signed_in(&app, "carl").await;
    assert_eq!(approve(&app, &carl, planned, &signature).await, "plan_signature_unknown");
    app.stop().await;
}

#[actix_web::test]
async fn the_same_email_address_is_the_same_person() {
    let installation = Installation::new();
    let app = installation.start(&["--auth", "unsecure", "--apply-needs-another-person"]).await;
    let sign_in = async |email: &str| {
        let response = app.post("/api/admin/login", &json!({ "email": email })).await;
        super::cookie(&response)
    };
    let (first, second, other) = (
        sign_in("anna@example.com").await,
        sign_in("Anna@Example.com").await,
        sign_in("bert@example.com").await,
    );
    let signature = sign(&app, &first, &digest('1')).await;
    assert_eq!(approve(&app, &second, &digest('1'), &signature).await, "plan_own");
    assert_eq!(approve(&app, &other, &digest('1'), &signature).await, "");
    app.stop().await;
}

/// Signs a plan as its maker and requests its application as another user. Returns the code of the refusal; empty without one.
async fn apply_as(maker: &mut Browser<'_>, user: &mut Browser<'_>) -> String {
    let path = |path: &str| format!("/flags{path}");
    let signed = maker.send(Method::POST, &path(SIGN), &json!({ "digest": digest('3') })).await;
    assert_eq!(signed.status, StatusCode::OK, "{}", signed.body);
    let body = json!({ "digest": digest('3'), "signature": signed.json() });
    let response = user.send(Method::POST, &path(APPROVE), &body).await;
    code(&response).to_owned()
}

#[actix_web::test]
async fn another_way_to_sign_in_does_not_make_another_person() {
    let provider = Provider::start().await;
    let installation = Installation::new();
    installation.add("anna", &["--email", "Anna@Example.com"]);
    installation.add("bert", &[]);
    let arguments = ["--data", &installation.data(), "--apply-needs-another-person"];
    let app = start_app(&provider, OidcTimes::default(), &arguments).await;
    let by_password = async |name: &str| {
        let mut browser = Browser::new(&app);
        let credentials = json!({ "username": name, "password": PASSWORD });
        let response = browser.send(Method::POST, "/flags/auth/simple/login", &credentials).await;
        assert_eq!(response.status, StatusCode::OK, "{}", response.body);
        browser
    };
    let by_provider = async |claims: Value| {
        provider.change(|state| state.claims = claims);
        let mut browser = Browser::new(&app);
        let response = browser.sign_in(&provider).await;
        assert_eq!(response.status, StatusCode::SEE_OTHER, "{}", response.body);
        browser
    };
    let (mut anna, mut bert) = (by_password("anna").await, by_password("bert").await);
    // The email address, if the provider has verified it, in both directions.
    let mut same_email = by_provider(json!({ "sub": "17", "email": "anna@example.com" })).await;
    assert_eq!(apply_as(&mut anna, &mut same_email).await, "plan_own");
    assert_eq!(apply_as(&mut same_email, &mut anna).await, "plan_own");
    assert_eq!(apply_as(&mut same_email, &mut bert).await, "");
    let unverified = json!({ "sub": "18", "email": "anna@example.com", "email_verified": false });
    let mut unverified = by_provider(unverified).await;
    assert_eq!(apply_as(&mut anna, &mut unverified).await, "");
    // The id at the provider.
    let mut other_email =
        by_provider(json!({ "sub": "17", "email": "a.b@example.com", "name": "A. B." })).await;
    assert_eq!(apply_as(&mut same_email, &mut other_email).await, "plan_own");
    assert_eq!(apply_as(&mut anna, &mut other_email).await, "");
    // The account.
    let mut linked = by_provider(json!({ "sub": "19", "email": "b@example.com" })).await;
    assert_eq!(apply_as(&mut bert, &mut linked).await, "");
    installation.run_ok(&["user", "link", "bert", "--subject", "19"], "");
    assert_eq!(apply_as(&mut bert, &mut linked).await, "plan_own");
    assert_eq!(apply_as(&mut linked, &mut bert).await, "plan_own");
    assert_eq!(apply_as(&mut linked, &mut anna).await, "");
    app.stop().await;
}

#[actix_web::test]
async fn instances_with_one_database_have_one_key() {
    if !is_postgres() {
        return skipped("this test needs FLAGDECK_TEST_ENGINE=postgres");
    }
    let installation = Installation::new();
    for name in ["anna", "bert"] {
        installation.add(name, &[]);
    }
    let (first, second) = (installation.start(&PASSWORDS).await, installation.start(&PASSWORDS).await);
    let (anna, bert) = (signed_in(&first, "anna").await, signed_in(&second, "bert").await);

    // This lock allows reads: both instances find no key and then wait to write one.
    let data = installation.data();
    let mut lock = psql(Path::new(&data));
    let mut statements = lock.stdin.take().unwrap();
    statements.write_all(b"BEGIN; LOCK TABLE database_version IN SHARE MODE;\n").unwrap();
    let count = |condition: &str| -> usize {
        let locks = "SELECT count(*) FROM pg_locks WHERE relation = 'database_version'::regclass AND";
        installation.run_sql(&format!("{locks} {condition}")).parse().unwrap()
    };
    assert!((0..200).any(|_| count("mode = 'ShareLock'") == 1));
    let release = async {
        let wait = async {
            while count("NOT granted") < 2 {
                yield_now().await;
            }
        };
        timeout(MAX_WAIT, wait).await.expect("the instances do not wait for the lock");
        statements.write_all(b"COMMIT;\n").unwrap();
    };
    let digest = digest('4');
    let (signatures, ()) =
        join(join(sign(&first, &anna, &digest), sign(&second, &anna, &digest)), release).await;
    drop(statements);
    lock.wait().unwrap();
    for signature in [signatures.0, signatures.1] {
        for app in [&first, &second] {
            assert_eq!(approve(app, &bert, &digest, &signature).await, "");
            assert_eq!(approve(app, &anna, &digest, &signature).await, "plan_own");
        }
    }
    first.stop().await;
    second.stop().await;
}

#[actix_web::test]
async fn the_flag_service_confirms_the_person_of_each_request() {
    /// The users of sessions. Without any, the server requires no sign-in.
    type Users = Vec<(&'static str, Value)>;
    let users: Arc<Mutex<Users>> = Arc::new(Mutex::new(vec![
        ("s=1", json!({ "id": 1, "email": "anna@example.com", "permissions": [] })),
        ("s=2", json!({ "user": { "id": 1, "username": "anna.b" }, "permissions": [] })),
        ("s=3", json!({ "id": 3, "email": "bert@example.com" })),
        ("s=4", json!({ "id": -42, "username": "token-a" })),
        ("s=5", json!({ "id": -42, "username": "token-b" })),
        ("user:anna", json!({ "id": 1, "email": "anna@example.com" })),
    ]));
    let served = Arc::clone(&users);
    let reply = move |request: &str| {
        let users = served.lock().unwrap();
        let found = users.iter().find(|(cookie, _)| request.contains(&format!("{cookie}\r\n")));
        match found {
            Some((_, user)) if request.starts_with("GET /api/admin/user ") => json_reply(200, user),
            None if !users.is_empty() => {
                json_reply(401, &json!({ "message": "Sign in at the flag service" }))
            }
            _ => json_reply(404, &json!({})),
        }
    };
    let stub = Stub::start(Reply::Computed(Arc::new(reply))).await;
    let folder = TempDir::new().unwrap();
    let data = folder.path().join("plans.db");
    let app = TestApp::with(&[
        "--upstream",
        &stub.url,
        "--data",
        data.to_str().unwrap(),
        "--apply-needs-another-person",
    ])
    .await;
    let digest = digest('2');
    let signature = sign(&app, "s=1", &digest).await;
    assert_eq!(signature["madeBy"], "anna@example.com");
    assert_eq!(approve(&app, "s=1", &digest, &signature).await, "plan_own");
    assert_eq!(approve(&app, "s=2", &digest, &signature).await, "plan_own", "another name");
    assert_eq!(approve(&app, "s=3", &digest, &signature).await, "");
    // Tokens of programs have one id together.
    let of_token = sign(&app, "s=4", &digest).await;
    assert_eq!(approve(&app, "s=4", &digest, &of_token).await, "plan_own");
    assert_eq!(approve(&app, "s=5", &digest, &of_token).await, "");
    // A pipeline has a token of its own, so that each person may apply its plans.
    assert_eq!(of_token["madeBy"], "token-a");
    assert_eq!(approve(&app, "s=1", &digest, &of_token).await, "");
    // A personal token is its owner.
    let personal = [JSON, ("authorization", "user:anna")];
    let signed = app.send(Method::POST, SIGN, &personal, &json!({ "digest": digest }).to_string()).await;
    assert_eq!(signed.status, StatusCode::OK, "{}", signed.body);
    assert_eq!(approve(&app, "s=1", &digest, &signed.json()).await, "plan_own");
    assert_eq!(approve(&app, "s=3", &digest, &signed.json()).await, "");
    // The session ends at the flag service: what it has confirmed before does not count.
    users.lock().unwrap().retain(|(cookie, _)| *cookie != "s=3");
    let body = json!({ "digest": digest, "signature": signature });
    let refused = post(&app, "s=3", APPROVE, &body).await;
    assert_eq!(
        (refused.status, &refused.json()["message"]),
        (StatusCode::UNAUTHORIZED, &json!("Sign in at the flag service"))
    );
    users.lock().unwrap().clear();
    let refused = post(&app, "s=1", SIGN, &json!({ "digest": digest })).await;
    assert_eq!(
        (refused.status, &refused.json()["code"]),
        (StatusCode::FORBIDDEN, &json!("plan_person_unknown"))
    );
    app.stop().await;
}

/// Writes the session of a user into a file, as the argument of a header.
fn header(folder: &Path, name: &str, cookie: &str) -> String {
    let file = folder.join(format!("{name}.cookie"));
    fs::write(&file, cookie).unwrap();
    format!("Cookie=@{}", file.display())
}

#[actix_web::test]
async fn commands_sign_plans_and_apply_those_of_another_person() {
    let installation = Installation::new();
    for name in ["anna", "bert"] {
        installation.add(name, &["--permission", "CREATE_FEATURE,UPDATE_FEATURE"]);
    }
    let app = installation.start(&PASSWORDS).await;
    let folder = TempDir::new().unwrap();
    let anna = header(folder.path(), "anna", &signed_in(&app, "anna").await);
    let bert = header(folder.path(), "bert", &signed_in(&app, "bert").await);
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (file, plan, edited) = (path("shop.yaml"), path("plan.json"), path("edited.json"));
    fs::write(&file, FILE).unwrap();
    let url = app.url("");
    let command = async |arguments: &[&str], header: &str| {
        run(&[arguments, &["--to", &url, "--upstream-header", header]].concat()).await
    };
    let refused = async |arguments: &[&str], header: &str, reason: &str| {
        let (code, output, errors) = command(arguments, header).await;
        assert_eq!((code, output.as_str()), (Some(1), ""), "{errors}");
        assert!(errors.contains(reason) && !errors.contains("credential"), "{errors}");
        assert!(
            app.send(Method::GET, "/api/admin/features/shop.pay", &[JSON], "").await.status.is_client_error()
        );
    };
    let (code, _, errors) = command(&["plan", &file, "-o", &plan], &anna).await;
    assert_eq!(code, Some(2), "{errors}");
    let mut signed: Value = serde_json::from_str(&fs::read_to_string(&plan).unwrap()).unwrap();
    assert_eq!(signed["signature"]["madeBy"], "anna");
    let schema: Value = serde_json::from_str(include_str!("../../../examples/plan.schema.json")).unwrap();
    assert!(jsonschema::is_valid(&schema, &signed), "{signed:#}");

    refused(&["apply", &plan], &anna, "anna made this plan at 20").await;
    refused(&["apply", &file], &bert, "The plan has no signature of this Flagdeck").await;
    signed["changes"][0]["state"]["description"] = json!("Two pages");
    fs::write(&edited, signed.to_string()).unwrap();
    refused(&["apply", &edited], &bert, "The plan was changed after anna made it. Make a new plan").await;
    let (code, output, errors) = command(&["apply", &plan], &bert).await;
    assert_eq!(code, Some(0), "{errors}");
    assert!(output.contains("shop.pay is created"), "{output}");
    // Files with nothing to do need no plan.
    let (code, output, errors) = command(&["apply", &file], &bert).await;
    assert_eq!(code, Some(0), "{errors}");
    assert!(output.contains("nothing to do"), "{output}");
    app.stop().await;
}
