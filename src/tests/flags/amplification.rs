//! Requests of up to 1 MB that try to use much memory. `make fuzz` runs these tests as well.

use serde_json::{Value, json};

use super::{FEATURES, plain};
use crate::support::binary::{Binary, Wire};

/// The maximum size of a request body, minus a little for the rest of each body.
const MEGABYTE: usize = 1_040_000;
/// The number of values in a body that the parser still accepts.
const MANY: usize = 95_000;
/// The maximum memory that one request adds.
const MAX_MEMORY: u64 = 50 << 20;
/// The maximum size of an error response. Errors repeat names from the body, truncated.
const MAX_REJECTION: usize = 64 << 10;

/// A server with its own database, and its memory while idle.
struct Server {
    binary: Binary,
    wire: Wire,
    idle: u64,
    _folder: tempfile::TempDir,
}

impl Server {
    fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let binary = Binary::on(&folder.path().join("flags.db"));
        let mut wire = binary.wire();
        assert_eq!(wire.send("GET", FEATURES, "").unwrap().0, 200);
        let idle = memory(&binary, "VmRSS");
        Self { binary, wire, idle, _folder: folder }
    }

    fn send(&mut self, method: &str, path: &str, body: &str) -> (u16, Value) {
        let shown: String = body.chars().take(80).collect();
        let before = reset_peak(&self.binary);
        let response =
            self.wire.send(method, path, body).unwrap_or_else(|| panic!("no response to {path} {shown}"));
        let peak = memory(&self.binary, "VmHWM");
        let taken = peak.saturating_sub(before);
        assert!(taken <= MAX_MEMORY, "{} MB of memory for {path} {shown}", taken >> 20);
        // The allocator keeps memory for each thread, so that a few requests add up, but not many.
        let total = peak.saturating_sub(self.idle);
        assert!(total <= 2 * MAX_MEMORY, "{} MB of memory in total after {path} {shown}", total >> 20);
        response
    }

    fn assert_rejected(&mut self, path: &str, body: &str) {
        let shown: String = body.chars().take(80).collect();
        let (status, response) = self.send("POST", path, body);
        let size = response.to_string().len();
        assert_eq!(status, 400, "{path} {shown}");
        assert!(size <= MAX_REJECTION, "a response of {size} bytes to {path} {shown}");
    }
}

/// Sets the largest memory of the process to the current one, which it returns in bytes (see `man 5 proc`).
/// Systems without `/proc` are not measured.
fn reset_peak(binary: &Binary) -> u64 {
    let file = format!("/proc/{}/clear_refs", binary.child.id());
    if std::fs::write(file, "5").is_err() {
        return memory(binary, "VmHWM");
    }
    memory(binary, "VmRSS")
}

/// Returns the current (`VmRSS`) or largest (`VmHWM`) memory of the process in bytes, 0 on systems without `/proc`.
fn memory(binary: &Binary, key: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", binary.child.id())).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kilobytes.unwrap_or_default() << 10
}

/// Lists: the path, and the text before and after the items.
const LISTS: [(&str, &str, &str); 11] = [
    (FEATURES, r#"{"name":"probe","strategies":["#, "]}"),
    (FEATURES, r#"{"name":"probe","strategies":[{"name":"default"}],"variants":["#, "]}"),
    (FEATURES, r#"{"name":"probe","strategies":[{"name":"default","constraints":["#, "]}]}"),
    (
        FEATURES,
        r#"{"name":"probe","strategies":[{"name":"default","constraints":[{"contextName":"x","operator":"IN","values":["#,
        "]}]}]}",
    ),
    (
        FEATURES,
        r#"{"name":"probe","strategies":[{"name":"default"}],"variants":[{"name":"blue","weight":1,"overrides":["#,
        "]}]}",
    ),
    (
        FEATURES,
        r#"{"name":"probe","strategies":[{"name":"default"}],"variants":[{"name":"blue","weight":1,"overrides":[{"contextName":"x","values":["#,
        "]}]}]}",
    ),
    ("/api/admin/context", r#"{"name":"probe","legalValues":["#, "]}"),
    ("/api/admin/strategies", r#"{"name":"probe","parameters":["#, "]}"),
    (
        "/api/admin/addons",
        r#"{"provider":"webhook","parameters":{"url":"http://localhost:9/"},"events":["#,
        "]}",
    ),
    ("/api/client/register", r#"{"appName":"a","instanceId":"b","strategies":["#, "]}"),
    ("/api/client/metrics", r#"{"appName":"a","instanceId":"b","bucket":["#, "]}"),
];

#[test]
fn long_lists_are_rejected_at_little_cost() {
    let mut server = Server::start();
    for (path, before, after) in LISTS {
        for (item, count) in [("1", MANY), ("{\"\":0}", 39_000)] {
            server.assert_rejected(path, &format!("{before}{}{after}", vec![item; count].join(",")));
        }
    }
}

#[test]
fn many_small_values_are_rejected_at_little_cost() {
    let mut server = Server::start();
    let (path, before, after) = LISTS[1];
    let nested = format!("{}0{}", "{\"\":".repeat(100), "}".repeat(100));
    for (item, parsed) in
        [("1", MANY), ("\"\"", MANY), ("[]", MANY), ("[0]", 45_000), ("{\"\":0}", 39_000), (&nested, 390)]
    {
        for count in [parsed, MEGABYTE / (item.len() + 1)] {
            server.assert_rejected(path, &format!("{before}{}{after}", vec![item; count].join(",")));
        }
    }
}

#[test]
fn many_properties_are_rejected_at_little_cost() {
    let mut server = Server::start();
    let properties = |value: &str, count: usize| {
        (0..count).map(|key| format!("\"{key}\":{value}")).collect::<Vec<_>>().join(",")
    };
    for (path, before, after) in [
        (FEATURES, r#"{"name":"probe","strategies":[{"name":"default","parameters":{"#, "}}]}"),
        ("/api/client/metrics", r#"{"appName":"a","instanceId":"b","bucket":{"toggles":{"#, "}}}"),
        (FEATURES, "{", "}"),
    ] {
        for (value, count) in [("0", MANY), ("[]", MANY), ("{}", 39_000), ("{}", MANY)] {
            server.assert_rejected(path, &format!("{before}{}{after}", properties(value, count)));
        }
    }
}

#[test]
fn long_texts_are_rejected_at_little_cost() {
    let mut server = Server::start();
    let long = "x".repeat(MEGABYTE);
    let addon = |parameters: Value| json!({ "provider": "webhook", "events": ["feature-created"], "parameters": parameters });
    let with = |key: &str, value: Value| {
        let mut toggle = plain("probe");
        toggle[key] = value;
        toggle
    };
    for (path, body) in [
        (FEATURES, with("name", json!(long))),
        (FEATURES, with("project", json!(long))),
        (FEATURES, with("strategies", json!([{ "name": "default", "parameters": { long.as_str(): [] } }]))),
        (FEATURES, with("strategies", json!([{ "name": long }]))),
        (FEATURES, with("variants", json!([{ "name": long, "weight": 1 }]))),
        ("/api/admin/tags", json!({ "type": long, "value": "xx" })),
        ("/api/admin/tags", json!({ "type": "simple", "value": long })),
        ("/api/admin/addons", addon(json!({ "url": long }))),
        ("/api/admin/addons", addon(json!({ "url": "http://localhost:9/", "contentType": long }))),
        (
            "/api/admin/addons",
            addon(json!({ "url": "http://localhost:9/", "bodyTemplate": format!("{{{{/{long}}}}}") })),
        ),
        (
            "/api/admin/addons",
            addon(json!({ "url": "http://localhost:9/", "bodyTemplate": "{{a}}".repeat(200_000) })),
        ),
        ("/api/client/register", json!({ "appName": long, "instanceId": "1" })),
    ] {
        server.assert_rejected(path, &body.to_string());
    }
    for body in [long.as_str(), &"[".repeat(MEGABYTE), &"1".repeat(MEGABYTE), &format!("\"{long}")] {
        server.assert_rejected(FEATURES, body);
    }
}

/// A toggle with 95,000 override values, which differ for each seed.
fn with_overrides(seed: usize) -> Value {
    let variant = |number: usize| {
        let values: Vec<_> = (0..5000).map(|value| (seed + number * 5000 + value).to_string()).collect();
        json!({
            "name": format!("v-{number}"), "weight": 0,
            "overrides": [{ "contextName": "userId", "values": values }],
        })
    };
    let mut toggle = plain("probe");
    toggle["variants"] = (0..19).map(variant).collect();
    toggle
}

fn with_description(letter: &str) -> Value {
    let mut toggle = plain("probe");
    toggle["description"] = json!(letter.repeat(MEGABYTE));
    toggle
}

#[test]
fn large_replacements_take_memory_and_history_in_proportion() {
    for toggles in [[with_overrides(100_000), with_overrides(200_000)], ["a", "b"].map(with_description)] {
        let mut server = Server::start();
        assert_eq!(server.send("POST", FEATURES, &plain("probe").to_string()).0, 201);
        for turn in 0..4 {
            let body = toggles[turn % 2].to_string();
            assert_eq!(server.send("PUT", &format!("{FEATURES}/probe"), &body).0, 200);
        }
        let size = toggles[1].to_string().len();
        let (_, response) = server.send("GET", "/api/admin/events", "");
        let newest = &response["events"][0];
        let diffs = newest["diffs"].to_string().len();
        assert!(diffs <= 3 * size, "{diffs} bytes of diffs for two bodies of {size}");
        assert_eq!(newest["data"]["name"], "probe");
        assert!(response.to_string().len() <= 5 << 20);
    }
}
