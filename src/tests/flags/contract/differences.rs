//! Every way in which the embedded service answers otherwise than the recorded server, and why.

/// A difference that is meant.
#[derive(Debug)]
pub(super) struct Deliberate {
    calls: Calls,
    /// As `compare` words it; `*` stands for anything.
    differs: &'static str,
    #[expect(dead_code, reason = "it is read by people, here and where the test fails")]
    reason: &'static str,
}

#[derive(Debug)]
enum Calls {
    /// Those that the recorded server refused.
    Failures,
    /// Those whose label this is; `*` stands for anything.
    Like(&'static str),
}

use Calls::{Failures, Like};

const fn meant(calls: Calls, differs: &'static str, reason: &'static str) -> Deliberate {
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

/// Whether a text has the literal parts of a pattern in their order.
fn matches(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((literal, rest)) => text.strip_prefix(literal).is_some_and(|text| {
            (0..=text.len()).filter_map(|start| text.get(start..)).any(|text| matches(rest, text))
        }),
    }
}

const PROJECTS: &str = "the recorded server has no projects";
const TELLS: &str = "where that server fails inside, the sender is told what to change";
const UNORDERED: &str = "the order has no meaning; here it does not depend on who reported first";
const NOTHING_HAPPENED: &str = "what changes nothing is not in the history";
const OWN_HISTORY: &str = "that server compares with the last event of the same type or of no name";

/// In the order of the recording; what concerns many calls comes first.
pub(super) const DELIBERATE: &[Deliberate] = &[
    meant(Failures, "body Empty → Json", "every failure says in a sentence what went wrong"),
    meant(Failures, "body Html → Json", "no client of an API should have to read a page"),
    meant(Failures, "+ code", "programs can tell failures apart without reading sentences"),
    meant(Failures, "+ message", "the sentence stands at the same place in every failure"),
    meant(Failures, "- _original", "whoever sent it has it"),
    meant(Failures, "- details[*].context", "the message and the path say the same"),
    meant(Like("POST /api/admin/login (bad email)"), "status 500 → 400", TELLS),
    meant(Like("GET /api/admin/ui-config"), "+ name", "the product has one"),
    meant(Like("POST /api/admin/tags (unknown type)"), "status 500 → 400", TELLS),
    meant(
        Like("GET /api/admin/strategies"),
        "~ strategies[*].parameters[*].description: \"\" → *",
        "every parameter of a built-in strategy is explained",
    ),
    meant(Like("PUT /api/admin/strategies/default (edit built-in)"), "status 500 → 403", TELLS),
    meant(Like("DELETE /api/admin/strategies/default (built-in)"), "status 500 → 403", TELLS),
    meant(Like("GET /api/admin/context"), "~ : order", "context fields are sorted by their sortOrder"),
    meant(Like("* /api/admin/context/nosuch (missing)"), "status 500 → 404", TELLS),
    meant(Like("* /api/admin/projects*"), "status 404 → *", PROJECTS),
    meant(Like("GET /api/admin/addons*"), "+ providers[slack].parameters[*", "every parameter is explained"),
    meant(
        Like("GET /api/admin/addons*"),
        "+ providers[jira-comment]",
        "that server has it and does not offer it",
    ),
    meant(Like("POST /api/admin/addons"), "~ parameters.url: *", "a secret is never shown again"),
    meant(Like("POST /api/admin/addons (unknown provider)"), "status 500 → 400", TELLS),
    meant(Like("POST /api/admin/addons (required parameter missing)"), "~ details: *", TELLS),
    meant(Like("GET /api/admin/metrics/seen-apps"), "~ *.strategies: order", UNORDERED),
    meant(Like("GET /api/admin/metrics/applications*"), "~ *strategies: order", UNORDERED),
    meant(Like("GET /api/admin/metrics/applications/probe-app"), "~ seenToggles: order", UNORDERED),
    meant(Like("GET /api/admin/metrics/applications?strategyName=default"), "status 500 → 200", "it works"),
    meant(
        Like("GET /api/admin/metrics/applications/probe-app"),
        "~ links.self: *",
        "it leads to the page of this console",
    ),
    meant(
        Like("POST /api/admin/archive/revive/none.such (missing)"),
        "status 200 → 404",
        "nothing is revived, and a client must not take that for success; Unleash 4.2.2 returns 404 too",
    ),
    meant(Like("GET /api/admin/events*"), "~ events[*].diffs: order", "the order of diffs has no meaning"),
    meant(
        Like("GET /api/admin/events"),
        "* events[addon-config-*].d*",
        "the history tells what became of an addon, its secrets masked",
    ),
    meant(Like("GET /api/admin/events"), "+ events[project-*]", PROJECTS),
    meant(Like("GET /api/admin/events"), "- events[feature-revived none.such]", NOTHING_HAPPENED),
    meant(Like("GET /api/admin/events"), "- events[tag-type-deleted nosuch]", NOTHING_HAPPENED),
    meant(Like("GET /api/admin/events"), "- events[tag-deleted simple:nosuch]", NOTHING_HAPPENED),
    meant(
        Like("GET /api/admin/events"),
        "- events[strategy-created *]",
        "nobody created the strategies that come with the service",
    ),
    meant(
        Like("GET /api/admin/events"),
        "+ events[context-field-*].*sortOrder*",
        "the place of a context field is part of it",
    ),
    meant(
        Like("GET /api/admin/events"),
        "* events[tag-created team:blue].data.*",
        "a tag is written the same way whichever call adds it",
    ),
    meant(Like("GET /api/admin/events"), "* events[tag-*].diffs*", OWN_HISTORY),
    meant(
        Like("GET /internal-backstage/prometheus (text)"),
        "status 200 → 404",
        "the service has no such page",
    ),
    meant(
        Like("GET */logout"),
        "body Empty → Json",
        "the specification says that it answers JSON, which the redirect has as its body",
    ),
];
