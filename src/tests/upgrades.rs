//! Upgrades: today's binary on databases that earlier versions wrote.
//!
//! Each file of `upgrades/` is a dump of the schema version in its name. The server of schema 16 wrote `postgres-16.sql`, while
//! the user anna used each kind of item once; rows about an identity provider were inserted by hand. The other dumps have the
//! tables of their version with the same rows, as far as their version knew them. The first lines contain the secrets whose
//! hashes are in the tables. A migration that changes tables needs a dump of the version before it.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::thread;
use std::time::Duration;

use actix_web::http::{Method, StatusCode};
use jiff::Timestamp;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::flags::plain;
use crate::support::app::{Response, TestApp};
use crate::support::binary::{Binary, flagdeck, output_of};
use crate::support::engine::{assert_postgres, psql, run_sql, skips_file_tests, with_engine};
use crate::support::stub::{Stub, ok};
use crate::support::watched::MAX_WAIT;

const PASSWORD: &str = "correct horse";
const JSON: (&str, &str) = ("content-type", "application/json");
/// The address of the addon of Jira in the dumps.
const JIRA: &str = r#""baseUrl":"http://127.0.0.1:9""#;
/// Rows that servers delete or ignore after some time, and the change that makes them as old as when the dump was written.
const TIMES: [(&str, &str); 9] = [
    ("sessions", "created_at = created_at + {seconds}, expires_at = expires_at + {seconds}"),
    ("toggle_counts", "minute = minute + {minutes}"),
    ("minute_counts", "minute = minute + {minutes}"),
    ("hour_counts", "hour = hour + {hours}"),
    ("counted_uses", "last_hour = last_hour + {hours}"),
    ("counted_minutes", "minute = minute + {minutes}"),
    ("identities", "signed_in_at = signed_in_at + {seconds}"),
    ("deliveries", "due_at = 0"),
    ("instances", "last_seen_at = '{now}'"),
];

/// A database with the content of a dump, whose addon of Jira has the address of a receiver.
struct OldDatabase {
    dump: String,
    folder: TempDir,
    receiver: Stub,
}

impl OldDatabase {
    async fn sqlite(schema: u32) -> Self {
        let database = Self::new(&format!("sqlite-{schema:02}")).await;
        let connection = rusqlite::Connection::open(database.file()).unwrap();
        connection.execute_batch(&database.statements()).unwrap();
        connection.pragma_update(None, "user_version", schema).unwrap();
        database
    }

    async fn postgres(schema: u32) -> Self {
        assert_postgres();
        let database = Self::new(&format!("postgres-{schema}")).await;
        run_sql(Path::new(&database.file()), &database.statements());
        database
    }

    async fn new(name: &str) -> Self {
        let dump = fs::read_to_string(format!("src/tests/upgrades/{name}.sql")).unwrap();
        let new = Self { dump, folder: TempDir::new().unwrap(), receiver: Stub::start(ok("", "")).await };
        let key = new.header("key");
        let bytes: Vec<u8> = (0..key.len() / 2)
            .map(|index| u8::from_str_radix(&key[2 * index..2 * index + 2], 16).unwrap())
            .collect();
        if !bytes.is_empty() {
            fs::write(format!("{}.key", new.file()), bytes).unwrap();
        }
        new
    }

    fn file(&self) -> String {
        self.folder.path().join("flags.db").to_str().unwrap().to_owned()
    }

    /// Returns a value of the first lines of the dump; empty if it is missing.
    fn header(&self, name: &str) -> &str {
        let lines = self.dump.lines().take_while(|line| line.starts_with("--"));
        lines
            .filter_map(|line| line.strip_prefix("-- ")?.split_once(": "))
            .find(|(key, _)| *key == name)
            .unzip()
            .1
            .unwrap_or("")
    }

    /// Returns the statements that create the database.
    fn statements(&self) -> String {
        let receiver = format!(r#""baseUrl":"{}""#, self.receiver.url);
        let written: i64 = self.header("written").parse().unwrap();
        let now = Timestamp::now();
        let seconds = now.as_second() - written;
        let times = TIMES.iter().filter(|(table, _)| self.has(table)).map(|(table, change)| {
            let change = change
                .replace("{seconds}", &seconds.to_string())
                .replace("{minutes}", &(seconds / 60).to_string())
                .replace("{hours}", &(seconds / 3600).to_string())
                .replace("{now}", &format!("{now:.3}"));
            format!("UPDATE {}{table} SET {change};\n", self.schema())
        });
        self.dump.replace(JIRA, &receiver) + &times.collect::<Vec<_>>().concat()
    }

    /// Returns whether the dump has rows of a table.
    fn has(&self, table: &str) -> bool {
        [format!("INSERT INTO \"{table}\""), format!("INSERT INTO public.{table} ")]
            .iter()
            .any(|start| self.dump.contains(start))
    }

    /// Returns the prefix of tables.
    fn schema(&self) -> &'static str {
        if self.dump.contains("INSERT INTO public.") { "public." } else { "" }
    }

    fn start(&self, more: &[&str]) -> Binary {
        let file = self.file();
        let arguments = [&Binary::arguments(Path::new(&file))[..], more].concat();
        Binary::started(flagdeck().args(with_engine(&arguments)))
    }

    /// Runs a command of today's binary on the database, and returns its output.
    fn command(&self, arguments: &[&str]) -> String {
        let arguments = with_engine(&[arguments, &["--data", &self.file()]].concat());
        let output = output_of(flagdeck().args(&arguments));
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    fn run_sql(&self, sql: &str) -> String {
        run_sql(Path::new(&self.file()), sql)
    }
}

/// A signed-in user, or anyone without a cookie.
struct Operator {
    app: TestApp,
    cookie: String,
}

impl Operator {
    async fn send(&self, method: Method, path: &str, body: &Value) -> Response {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        self.app.send(method, path, &[JSON, ("cookie", &self.cookie)], &body).await
    }

    async fn get(&self, path: &str) -> Value {
        let response = self.send(Method::GET, path, &Value::Null).await;
        assert_eq!(response.status, StatusCode::OK, "{path}: {}", response.body);
        response.json()
    }

    async fn write(&self, method: Method, path: &str, body: &Value) {
        let response = self.send(method.clone(), path, body).await;
        assert!(response.status.is_success(), "{method} {path}: {} {}", response.status, response.body);
    }

    /// Asserts that responses contain these values.
    async fn expect(&self, expected: &[(&str, Value)]) {
        for (path, value) in expected {
            let found = self.get(path).await;
            assert!(contains(&found, value), "{path}: {found:#}\ndoes not contain {value:#}");
        }
    }
}

/// Returns whether a value has all expected properties and elements.
fn contains(found: &Value, expected: &Value) -> bool {
    match (found, expected) {
        (Value::Object(found), Value::Object(expected)) => {
            expected.iter().all(|(name, value)| found.get(name).is_some_and(|found| contains(found, value)))
        }
        (Value::Array(found), Value::Array(expected)) => {
            expected.iter().all(|value| found.iter().any(|found| contains(found, value)))
        }
        _ => found == expected,
    }
}

/// The toggles and the history that all versions with sign-in have stored.
fn stored_toggles() -> Vec<(&'static str, Value)> {
    vec![
        ("/api/admin/user", json!({ "email": "anna@example.com", "permissions": ["ADMIN"] })),
        (
            "/api/admin/features/shop.basket",
            json!({
                "name": "shop.basket", "description": "The newest basket", "type": "experiment", "project": "shop",
                "enabled": true, "stale": false,
                "strategies": [
                    {
                        "name": "flexibleRollout",
                        "parameters": { "rollout": "40", "stickiness": "default", "groupId": "shop.basket" },
                        "constraints": [{ "contextName": "country", "operator": "IN", "values": ["NO"] }],
                    },
                    { "name": "beta", "parameters": { "group": "testers" } },
                ],
                "variants": [
                    {
                        "name": "blue", "weight": 500, "weightType": "variable", "stickiness": "default",
                        "payload": { "type": "string", "value": "x" },
                        "overrides": [{ "contextName": "userId", "values": ["1", "2"] }],
                    },
                    { "name": "green", "weight": 500 },
                ],
            }),
        ),
        (
            "/api/admin/features/shop.gift",
            json!({
                "enabled": false, "stale": true, "project": "default", "description": null,
                "strategies": [{ "name": "userWithId", "parameters": { "userIds": "ada,grace" } }],
            }),
        ),
        ("/api/admin/archive/features", json!({ "features": [{ "name": "shop.gone" }] })),
        (
            "/api/admin/events/shop.basket",
            json!({ "events": [
                { "type": "feature-created", "createdBy": "anna@example.com", "data": { "description": "The new basket" } },
                { "type": "feature-updated", "diffs": [
                    { "kind": "E", "path": ["description"], "lhs": "The new basket", "rhs": "The newest basket" },
                ] },
                { "type": "feature-archived" },
                { "type": "feature-revived" },
            ] }),
        ),
        (
            "/api/admin/events",
            json!({ "events": [
                { "type": "project-created", "data": { "id": "shop" } },
                { "type": "context-field-created", "data": { "name": "country" } },
                { "type": "strategy-created", "data": { "name": "beta" } },
                { "type": "tag-created", "data": { "type": "simple", "value": "spring sale" } },
                { "type": "addon-config-created", "data": { "provider": "webhook" } },
            ] }),
        ),
    ]
}

/// The other items that all versions with sign-in have stored.
fn stored_items() -> Vec<(&'static str, Value)> {
    vec![
        (
            "/api/admin/strategies",
            json!({ "strategies": [
                {
                    "name": "beta", "description": "For testers", "editable": true,
                    "parameters": [{ "name": "group", "type": "list", "required": true }],
                },
                { "name": "gradualRolloutRandom", "editable": false, "description": "On for a random percentage of requests." },
            ] }),
        ),
        (
            "/api/admin/context",
            json!([
                {
                    "name": "country", "description": "Country of the user", "legalValues": ["NO", "SE"],
                    "stickiness": true, "sortOrder": 4,
                },
                { "name": "userId", "description": "The ID of the user." },
            ]),
        ),
        (
            "/api/admin/projects",
            json!({ "projects": [
                { "id": "shop", "name": "Web shop", "description": "All of the shop" }, { "id": "default" },
            ] }),
        ),
        (
            "/api/admin/tag-types",
            json!({ "tagTypes": [{ "name": "team", "description": "Owner", "icon": "T" }, { "name": "simple" }] }),
        ),
        (
            "/api/admin/tags",
            json!({ "tags": [{ "type": "team", "value": "checkout" }, { "type": "simple", "value": "spring sale" }] }),
        ),
        (
            "/api/admin/features/shop.basket/tags",
            json!({ "tags": [{ "type": "team", "value": "checkout" }, { "type": "jira", "value": "SHOP-1" }] }),
        ),
        (
            "/api/admin/segments",
            json!({ "segments": [{
                "name": "testers", "description": "People who test",
                "constraints": [{ "contextName": "userId", "operator": "IN", "values": ["7"] }],
            }] }),
        ),
        (
            "/api/admin/addons",
            json!({ "addons": [
                {
                    "provider": "webhook", "description": "hook", "enabled": true, "events": ["feature-updated"],
                    "parameters": { "url": "*****" },
                },
                { "provider": "slack", "enabled": false, "parameters": { "url": "*****", "defaultChannel": "flags" } },
                { "provider": "jira-comment", "parameters": { "user": "ann", "apiKey": "*****" } },
            ] }),
        ),
        (
            "/api/admin/metrics/applications/web",
            json!({
                "description": "The web shop", "url": "https://shop.example", "icon": "web",
                "strategies": [{ "name": "default" }, { "name": "flexibleRollout" }],
                "instances": [{ "instanceId": "web-1", "sdkVersion": "unleash-client-node:3.20.0" }],
                "seenToggles": [{ "name": "shop.basket" }],
            }),
        ),
        (
            "/api/admin/metrics/feature-toggles",
            json!({ "lastHour": { "shop.basket": { "yes": 3, "no": 2 } } }),
        ),
        (
            "/api/admin/client-metrics/features/shop.basket/raw",
            json!({ "data": [{ "appName": "web", "yes": 3, "no": 2 }] }),
        ),
        (
            "/api/admin/api-tokens",
            json!({ "tokens": [{ "name": "shop", "kind": "client", "origins": [], "projects": [], "tags": [] }] }),
        ),
        ("/api/admin/sessions", json!({ "sessions": [{ "isOwn": true }] })),
    ]
}

/// Signs in with a password.
async fn sign_in(app: &TestApp, name: &str) -> StatusCode {
    app.post("/auth/simple/login", &json!({ "username": name, "password": PASSWORD })).await.status
}

async fn client_features(app: &TestApp, token: &str) -> Response {
    app.send(Method::GET, "/api/client/features", &[("authorization", token)], "").await
}

/// Asserts that users, sessions, tokens, items, the history, reports and waiting deliveries of an earlier version are there.
async fn check_reads(database: &OldDatabase, anna: &Operator) {
    anna.expect(&stored_toggles()).await;
    anna.expect(&stored_items()).await;
    let count = anna.get("/api/admin/features").await["features"].as_array().unwrap().len();
    assert_eq!(count, 2);
    for name in ["anna", "bert"] {
        assert_eq!(sign_in(&anna.app, name).await, StatusCode::OK, "{name}");
    }
    let users = database.command(&["user", "list"]);
    assert!(users.contains("anna") && users.contains("UPDATE_FEATURE"), "{users}");

    let toggles = client_features(&anna.app, database.header("client token")).await;
    assert!(toggles.status == StatusCode::OK && toggles.body.contains("shop.basket"), "{}", toggles.body);
    assert_eq!(client_features(&anna.app, "unknown").await.status, StatusCode::UNAUTHORIZED);
    let frontend = database.header("frontend token");
    if !frontend.is_empty() {
        let headers = [("authorization", frontend), ("origin", "https://shop.example")];
        let results =
            anna.app.send(Method::GET, "/api/frontend?properties%5Bcountry%5D=NO", &headers, "").await;
        assert_eq!(results.status, StatusCode::OK, "{}", results.body);
        let tokens = json!({ "tokens": [
            { "name": "web", "kind": "frontend", "projects": ["shop"], "origins": ["https://shop.example"] },
        ] });
        anna.expect(&[("/api/admin/api-tokens", tokens)]).await;
    }
}

/// Asserts that the two deliveries which waited for Jira arrive, with the stored secret.
async fn check_deliveries(database: &OldDatabase) {
    for event in ["archived", "revived"] {
        let is_delivery = |request: &str| {
            // The user and the secret of the addon, ann:hunter2.
            let has_secret = request.to_ascii_lowercase().contains("authorization: basic ")
                && request.contains("YW5uOmh1bnRlcjI=");
            request.starts_with("POST /rest/api/3/issue/SHOP-1/comment")
                && has_secret
                && request.contains(event)
        };
        database.receiver.wait_for(is_delivery).await;
    }
    wait_until(async || database.run_sql("SELECT count(*) FROM deliveries WHERE addon = 1") == "0").await;
}

/// Repeats a check until it returns true.
async fn wait_until(check: impl AsyncFn() -> bool) {
    let search = async {
        while !check().await {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(MAX_WAIT, search).await.expect("the condition is never true");
}

/// Changes one item of each kind.
async fn check_writes(database: &OldDatabase, anna: &Operator) {
    let newest = async || anna.get("/api/admin/events").await["events"][0]["id"].as_i64().unwrap();
    let before = newest().await;
    let mut basket = anna.get("/api/admin/features/shop.basket").await;
    basket["description"] = json!("After the upgrade");
    anna.write(Method::PUT, "/api/admin/features/shop.basket", &basket).await;
    let constraints = json!([{ "contextName": "userId", "operator": "IN", "values": ["8"] }]);
    let hook = json!({ "url": "http://127.0.0.1:9/new" });
    for (path, body) in [
        ("features", plain("new.toggle")),
        ("archive/revive/shop.gone", Value::Null),
        ("strategies", json!({ "name": "new", "parameters": [] })),
        ("context", json!({ "name": "plan" })),
        ("projects", json!({ "id": "new", "name": "New" })),
        ("tag-types", json!({ "name": "new" })),
        ("tags", json!({ "type": "new", "value": "tag" })),
        ("features/shop.gift/tags", json!({ "type": "new", "value": "tag" })),
        ("segments", json!({ "name": "new", "constraints": constraints })),
        (
            "addons",
            json!({ "provider": "webhook", "enabled": true, "events": ["feature-created"], "parameters": hook }),
        ),
        ("api-tokens", json!({ "name": "new", "kind": "frontend", "origins": ["*"] })),
    ] {
        anna.write(Method::POST, &format!("/api/admin/{path}"), &body).await;
    }
    assert!(newest().await >= before + 12, "each change has an event with a new id");
    database.command(&["token", "add", "--name", "of-command"]);
}

/// Asserts that the changes of [`check_writes`] are stored.
async fn check_written(anna: &Operator) {
    anna.expect(&[
        ("/api/admin/features/shop.basket", json!({ "description": "After the upgrade" })),
        ("/api/admin/features", json!({ "features": [{ "name": "new.toggle" }, { "name": "shop.gone" }] })),
        ("/api/admin/strategies", json!({ "strategies": [{ "name": "new" }, { "name": "beta" }] })),
        ("/api/admin/context", json!([{ "name": "plan" }, { "name": "country" }])),
        ("/api/admin/projects", json!({ "projects": [{ "id": "new" }, { "id": "shop" }] })),
        ("/api/admin/features/shop.gift/tags", json!({ "tags": [{ "type": "new", "value": "tag" }] })),
        ("/api/admin/segments", json!({ "segments": [{ "name": "new" }, { "name": "testers" }] })),
        ("/api/admin/addons", json!({ "addons": [{ "events": ["feature-created"], "enabled": true }] })),
        (
            "/api/admin/api-tokens",
            json!({ "tokens": [{ "name": "new" }, { "name": "of-command" }, { "name": "shop" }] }),
        ),
    ])
    .await;
}

/// Checks a database of a version with sign-in.
async fn check_upgrade(database: &OldDatabase) {
    let passwords = ["--auth", "password"];
    let binary = database.start(&passwords);
    let cookie = format!("flagdeck-session={}", database.header("session"));
    let anna = Operator { app: TestApp::at(binary.port), cookie: cookie.clone() };
    check_reads(database, &anna).await;
    check_deliveries(database).await;
    check_writes(database, &anna).await;
    report_usage(&anna.app, database.header("client token")).await;
    let history = "/api/admin/metrics/feature-toggles";
    let sum = json!({ "lastHour": { "shop.basket": { "yes": 13, "no": 2 } } });
    wait_until(async || contains(&anna.get(history).await, &sum)).await;
    drop(binary);

    let binary = database.start(&passwords);
    let anna = Operator { app: TestApp::at(binary.port), cookie };
    check_written(&anna).await;
}

/// Reports ten evaluations of an application that the database knows, from a new instance.
async fn report_usage(app: &TestApp, token: &str) {
    let now = Timestamp::now().to_string();
    let counts = json!({ "shop.basket": { "yes": 10, "no": 0 } });
    let bucket = json!({ "start": now, "stop": now, "toggles": counts });
    let report = json!({ "appName": "web", "instanceId": "web-2", "bucket": bucket });
    let headers = [JSON, ("authorization", token)];
    let response = app.send(Method::POST, "/api/client/metrics", &headers, &report.to_string()).await;
    assert_eq!(response.status, StatusCode::ACCEPTED, "{}", response.body);
}

#[actix_web::test]
async fn sqlite_database_of_the_first_schema_is_migrated() {
    if skips_file_tests() {
        return;
    }
    let database = OldDatabase::sqlite(1).await;
    let binary = database.start(&[]);
    let anyone = Operator { app: TestApp::at(binary.port), cookie: String::new() };
    let basket = |(path, _): &(&str, Value)| {
        ["/api/admin/features/shop.basket", "/api/admin/features/shop.gift", "/api/admin/archive/features"]
            .contains(path)
    };
    anyone.expect(&stored_toggles().into_iter().filter(basket).collect::<Vec<_>>()).await;
    anyone
        .expect(&[
            // The project of a toggle, from a time when projects had no properties.
            ("/api/admin/projects", json!({ "projects": [{ "id": "shop", "name": "shop" }, { "id": "default" }] })),
            ("/api/admin/context", json!([{ "name": "userId", "description": "The ID of the user." }])),
            ("/api/admin/tag-types", json!({ "tagTypes": [{ "name": "simple" }] })),
            ("/api/admin/events/shop.basket", json!({ "events": [
                { "type": "feature-created", "createdBy": "operator" },
                { "type": "feature-updated", "diffs": [{ "path": ["description"], "lhs": "The new basket" }] },
            ] })),
        ])
        .await;
    for (path, body) in [
        ("features", plain("new.toggle")),
        ("archive/revive/shop.gone", Value::Null),
        ("features/shop.basket/tags", json!({ "type": "simple", "value": "tag" })),
        ("projects", json!({ "id": "new", "name": "New" })),
    ] {
        anyone.write(Method::POST, &format!("/api/admin/{path}"), &body).await;
    }
    drop(binary);
    let binary = database.start(&[]);
    let anyone = Operator { app: TestApp::at(binary.port), cookie: String::new() };
    let names =
        json!({ "features": [{ "name": "new.toggle" }, { "name": "shop.gone" }, { "name": "shop.basket" }] });
    anyone.expect(&[("/api/admin/features", names)]).await;
}

#[actix_web::test]
async fn sqlite_database_with_users_and_addons_is_migrated() {
    if skips_file_tests() {
        return;
    }
    check_upgrade(&OldDatabase::sqlite(10).await).await;
}

#[actix_web::test]
#[ignore = "needs PostgreSQL"]
async fn postgres_database_of_the_first_schema_is_migrated() {
    check_upgrade(&OldDatabase::postgres(12).await).await;
}

#[actix_web::test]
#[ignore = "needs PostgreSQL"]
async fn postgres_database_with_persons_of_a_provider_is_migrated() {
    let database = OldDatabase::postgres(16).await;
    check_upgrade(&database).await;
    let persons = database.command(&["user", "identities"]);
    assert!(persons.contains("Grace <grace@example.com> (subject 4711 at https://id.example)"), "{persons}");
    assert!(persons.lines().any(|line| line.contains("4711") && line.contains("bert")), "{persons}");
    assert!(persons.lines().any(|line| line.contains("4712") && line.contains("anna")), "{persons}");
}

#[actix_web::test]
#[ignore = "needs PostgreSQL"]
async fn migration_is_repeated_after_a_deadlock_with_a_running_instance() {
    let database = OldDatabase::postgres(12).await;
    // The server ends a deadlock by a failure of the transaction whose time is over first: that of the migration.
    database.run_sql(
        "DO $$ BEGIN
             EXECUTE format('ALTER DATABASE %I SET deadlock_timeout = %L', current_database(), '5s');
         END $$",
    );
    let mut running = psql(Path::new(&database.file()));
    let mut input = running.stdin.take().unwrap();
    let begin =
        "SET deadlock_timeout = '10min'; BEGIN; LOCK TABLE users IN ROW EXCLUSIVE MODE; SELECT 'locked';";
    writeln!(input, "{begin}").unwrap();
    let mut line = String::new();
    let mut output = BufReader::new(running.stdout.take().unwrap());
    output.read_line(&mut line).unwrap();
    assert_eq!(line, "locked\n");
    // The migrations change sessions, and then wait for users. The other transaction waits for sessions.
    let file = database.file();
    let arguments = with_engine(&Binary::arguments(Path::new(&file)));
    let starting = thread::spawn(move || Binary::started(flagdeck().args(arguments)));
    let waits = "SELECT count(*) > 0 FROM pg_locks WHERE relation = 'users'::regclass AND NOT granted";
    wait_until(async || database.run_sql(waits) == "t").await;
    writeln!(input, "SELECT count(*) AS sessions FROM sessions; COMMIT;").unwrap();
    drop(input);
    assert!(running.wait().unwrap().success(), "the running transaction ends");
    let binary = starting.join().unwrap();
    let names = TestApp::at(binary.port).get("/api/admin/features").await.body;
    assert!(names.contains("shop.basket"), "{names}");
}
