//! The intended differences between the responses of the embedded service and the recorded server, with reasons.

/// An intended difference.
#[derive(Debug)]
pub(super) struct Deliberate {
    calls: Calls,
    /// The text of `compare`; `*` matches anything.
    differs: &'static str,
    #[expect(dead_code, reason = "it is read by people, here and where the test fails")]
    reason: &'static str,
}

#[derive(Debug)]
enum Calls {
    /// Calls that the recorded server rejected.
    Failures,
    /// Calls with this label; `*` matches anything.
    Like(&'static str),
}

use Calls::{Failures, Like};

const fn intended(calls: Calls, differs: &'static str, reason: &'static str) -> Deliberate {
    Deliberate { calls, differs, reason }
}

impl Deliberate {
    pub(super) fn covers(&self, call: &str, recorded_status: u16, difference: &str) -> bool {
        let concerns = match self.calls {
            Failures => recorded_status >= 400,
            Like(pattern) => matches(pattern, call),
        };
        concerns && matches(self.differs, difference)
    }
}

/// Returns whether a text matches a pattern in which `*` matches anything.
fn matches(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((literal, rest)) => text.strip_prefix(literal).is_some_and(|text| {
            (0..=text.len()).filter_map(|start| text.get(start..)).any(|text| matches(rest, text))
        }),
    }
}

const PROJECTS: &str = "the recorded server has no projects";
const TELLS: &str = "instead of an internal error, the response states what to change";
const UNORDERED: &str = "the order has no meaning; here it does not depend on the order of the reports";
const NOTHING_HAPPENED: &str = "requests that change nothing write no event";
const OWN_HISTORY: &str =
    "the recorded server compares with the last event of the same type or without a name";

/// Sorted like the recording; differences of many calls come first.
pub(super) const DELIBERATE: &[Deliberate] = &[
    intended(Failures, "body Empty → Json", "every error has a message"),
    intended(Failures, "body Html → Json", "API errors are JSON, not HTML pages"),
    intended(Failures, "+ code", "programs can distinguish errors without parsing messages"),
    intended(Failures, "+ message", "the message has the same path in every error"),
    intended(Failures, "- _original", "the client has the body that it sent"),
    intended(Failures, "- details[*].context", "the message and the path contain the same information"),
    intended(Like("POST /api/admin/login (bad email)"), "status 500 → 400", TELLS),
    intended(Like("GET /api/admin/ui-config"), "+ name", "the product has a name"),
    intended(Like("POST /api/admin/tags (unknown type)"), "status 500 → 400", TELLS),
    intended(
        Like("GET /api/admin/strategies"),
        "~ strategies[*].parameters[*].description: \"\" → *",
        "every parameter of a built-in strategy has a description",
    ),
    intended(Like("PUT /api/admin/strategies/default (edit built-in)"), "status 500 → 403", TELLS),
    intended(Like("DELETE /api/admin/strategies/default (built-in)"), "status 500 → 403", TELLS),
    intended(Like("GET /api/admin/context"), "~ : order", "context fields are sorted by their sortOrder"),
    intended(Like("* /api/admin/context/nosuch (missing)"), "status 500 → 404", TELLS),
    intended(Like("* /api/admin/projects*"), "status 404 → *", PROJECTS),
    intended(
        Like("GET /api/admin/addons*"),
        "+ providers[slack].parameters[*",
        "every parameter has a description",
    ),
    intended(
        Like("GET /api/admin/addons*"),
        "+ providers[jira-comment]",
        "the recorded server supports it but does not list it",
    ),
    intended(
        Like("GET /api/admin/addons*"),
        "+ providers[webhook].events[journal-checkpoint-created]",
        "checkpoints of the journal can be sent to another server",
    ),
    intended(
        Like("GET /api/admin/addons*"),
        "+ providers[webhook].events[hold-*",
        "holds of toggles for SDKs can raise an alarm",
    ),
    intended(Like("POST /api/admin/addons"), "~ parameters.url: *", "secrets are never returned"),
    intended(Like("POST /api/admin/addons (unknown provider)"), "status 500 → 400", TELLS),
    intended(Like("POST /api/admin/addons (required parameter missing)"), "~ details: *", TELLS),
    intended(Like("GET /api/admin/metrics/seen-apps"), "~ *.strategies: order", UNORDERED),
    intended(Like("GET /api/admin/metrics/applications*"), "~ *strategies: order", UNORDERED),
    intended(Like("GET /api/admin/metrics/applications/probe-app"), "~ seenToggles: order", UNORDERED),
    intended(
        Like("GET /api/admin/metrics/applications/probe-app"),
        "+ instances[*].api",
        "the API of an instance shows which client library it uses",
    ),
    intended(
        Like("GET /api/admin/metrics/applications?strategyName=default"),
        "status 500 → 200",
        "filtering by strategy works",
    ),
    intended(
        Like("GET /api/admin/metrics/applications/probe-app"),
        "~ links.self: *",
        "it links to the page of this console",
    ),
    intended(
        Like("POST /api/admin/archive/revive/none.such (missing)"),
        "status 200 → 404",
        "nothing is revived, which is not a success; Unleash 4.2.2 returns 404 too",
    ),
    intended(Like("GET /api/admin/events*"), "~ events[*].diffs: order", "the order of diffs has no meaning"),
    intended(
        Like("GET /api/admin/events"),
        "* events[addon-config-*].d*",
        "events contain the changed addon, with masked secrets",
    ),
    intended(Like("GET /api/admin/events"), "+ events[project-*]", PROJECTS),
    intended(Like("GET /api/admin/events"), "- events[feature-revived none.such]", NOTHING_HAPPENED),
    intended(Like("GET /api/admin/events"), "- events[tag-type-deleted nosuch]", NOTHING_HAPPENED),
    intended(Like("GET /api/admin/events"), "- events[tag-deleted simple:nosuch]", NOTHING_HAPPENED),
    intended(
        Like("GET /api/admin/events"),
        "- events[strategy-created *]",
        "built-in strategies have no creation event",
    ),
    intended(
        Like("GET /api/admin/events"),
        "+ events[context-field-*].*sortOrder*",
        "the sort order of a context field is part of its data",
    ),
    intended(
        Like("GET /api/admin/events"),
        "* events[tag-created team:blue].data.*",
        "events contain a tag in the same form for every request that adds it",
    ),
    intended(Like("GET /api/admin/events"), "* events[tag-*].diffs*", OWN_HISTORY),
    intended(
        Like("GET /internal-backstage/prometheus (text)"),
        "status 200 → 404",
        "the service does not have this page",
    ),
    intended(
        Like("GET */logout"),
        "body Empty → Json",
        "the specification requires JSON, which is the body of the redirect",
    ),
];
