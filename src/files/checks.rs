//! Checks of plans before the first write: references to items, names, operators and other values. They are the same for plans that are
//! made from files and for stored ones, and for the commands and the console. Pure.

use std::collections::{BTreeMap, BTreeSet};

use super::document::Document;
use super::places::{Located, locate};
use super::plan::{Plan, PlannedAction, PlannedChange, ServerState};
use super::references::{ItemKind, NewReferences};
use super::server_rules::ServerRules;
use super::storage::WrittenChanges;
use super::values::SuspectValues;
use crate::api::{FileProblem, ItemList, NamedText, PlannedServer};

/// Properties of a context that client libraries fill without a context field.
const BUILT_IN_FIELDS: [&str; 6] =
    ["appName", "currentTime", "environment", "remoteAddress", "sessionId", "userId"];

/// The names or ids of the items on a flag service; `None` for a list that it does not have or does not show to the user, which is then
/// not checked.
pub type Items = BTreeMap<ItemList, Option<BTreeSet<String>>>;

/// The parts of a plan that must be checked.
#[derive(Debug)]
pub struct PlanChecks {
    references: NewReferences,
    values: SuspectValues,
    written: WrittenChanges,
    /// Toggles and segments that exist, or that the plan creates.
    known: BTreeMap<ItemKind, BTreeSet<String>>,
}

/// The result of the checks, in the order of the files, or else of the changes.
#[derive(Debug, Default)]
pub struct Findings {
    /// The server refuses the change.
    pub problems: Vec<FileProblem>,
    /// The server accepts the change, but it is probably a mistake.
    pub warnings: Vec<FileProblem>,
}

/// Returns the reason why `flagdeck apply` is not offered for a server; `None` if it is.
#[must_use]
pub fn why_not_offered(server: &PlannedServer) -> Option<String> {
    ServerRules::new(Some(server)).why_not_offered()
}

/// Returns true if a server stores a toggle with one request.
#[must_use]
pub fn is_atomic(server: &PlannedServer) -> bool {
    ServerRules::new(Some(server)).is_atomic()
}

/// Returns true if a server moves a toggle to the project in the request that replaces it.
#[must_use]
pub fn moves_toggles(server: &PlannedServer) -> bool {
    matches!(ServerRules::new(Some(server)), ServerRules::Embedded | ServerRules::WithoutEnvironments(..4, _))
}

impl PlanChecks {
    /// Collects the parts of a plan that must be checked before it is applied. `server` contains the toggles of the plan and their
    /// parents.
    #[must_use]
    pub fn new(plan: &Plan, server: &ServerState) -> Self {
        let written = plan.changes.iter().filter(|change| change.action != PlannedAction::Archive);
        let toggles = server.toggles.keys().chain(written.map(|change| &change.name)).cloned().collect();
        let segments = server.segments.iter().filter_map(|segment| segment.id.clone()).collect();
        Self {
            references: NewReferences::collect(plan, server),
            values: SuspectValues::collect(plan, server),
            written: WrittenChanges::collect(plan, server),
            known: BTreeMap::from([
                (ItemKind::Parent, toggles),
                (ItemKind::Segment, segments),
                // Names of segments are problems unless they were replaced by ids.
                (ItemKind::SegmentName, BTreeSet::new()),
                (ItemKind::AmbiguousSegment, BTreeSet::new()),
            ]),
        }
    }

    /// Returns the lists that the checks need.
    #[must_use]
    pub fn lists(&self) -> BTreeSet<ItemList> {
        self.references.kinds().into_iter().filter_map(ItemKind::list).collect()
    }

    /// Returns true if the checks depend on the server.
    #[must_use]
    pub fn depend_on_server(&self) -> bool {
        !self.lists().is_empty() || !self.values.is_empty() || !self.written.is_empty()
    }

    /// Finds changes that only `flagdeck apply` writes safely, because it switches toggles off meanwhile, and the console does not.
    #[must_use]
    pub fn find_unsafe(
        plan: &Plan,
        server: &ServerState,
        facts: Option<&PlannedServer>,
        texts: &[NamedText],
    ) -> Vec<FileProblem> {
        let rules = ServerRules::new(facts);
        let remedy = "apply the plan with flagdeck apply, which switches the toggle off meanwhile";
        let off_meanwhile = plan.find_off_meanwhile(server, rules.is_atomic());
        let of_replaced = off_meanwhile.into_iter().map(|name| {
            let message = format!(
                "toggle {name}: it would be on for others while it or a toggle on which it depends is changed; {remedy}"
            );
            Located::new(&name, &[], message)
        });
        let revived = plan.written_changes(server).filter(|(change, stored)| {
            change.action == PlannedAction::Revive && stored.is_none() && !rules.revives_off()
        });
        let of_revived = revived.map(|(PlannedChange { name, .. }, _)| {
            let message = format!(
                "toggle {name}: the server revives toggles in their earlier state, which may be on; {remedy}"
            );
            Located::new(name, &[], message)
        });
        locate(&of_replaced.chain(of_revived).collect::<Vec<_>>(), texts)
    }

    /// Checks the plan. `target` is the name of the server, and `texts` are the files from which the plan was made, for the places of
    /// problems. A stored plan and an export have an empty text, and their problems no line.
    #[must_use]
    pub fn run(
        &self,
        server: Option<&PlannedServer>,
        items: &Items,
        target: &str,
        texts: &[NamedText],
    ) -> Findings {
        let rules = ServerRules::new(server);
        let (mut problems, mut warnings) = self.values.describe(rules, target);
        problems.extend(self.written.describe(rules, target));
        for kind in self.references.kinds() {
            let is_refused = rules.requires(kind);
            let existing = match kind.list() {
                Some(list) => items.get(&list).cloned().flatten(),
                None => self.known.get(&kind).cloned(),
            };
            let Some(mut existing) = existing else { continue };
            if kind == ItemKind::ContextField && !is_refused {
                existing.extend(BUILT_IN_FIELDS.map(str::to_owned));
            }
            let missing = self.references.describe_missing(kind, &existing, target, is_refused);
            if is_refused { &mut problems } else { &mut warnings }.extend(missing);
        }
        Findings { problems: locate(&problems, texts), warnings: locate(&warnings, texts) }
    }
}

/// Checks files without a flag service, by the rules of the embedded one. References to items are not checked.
///
/// # Errors
/// If a toggle is not in the format of the API.
pub fn check_files(files: &Document, texts: &[NamedText]) -> Result<Findings, serde_json::Error> {
    // Without segments, the names of segments stay names.
    let server = ServerState::default();
    let plan = Plan::new("no flag service", files, &server)?;
    let checks = PlanChecks { references: NewReferences::default(), ..PlanChecks::new(&plan, &server) };
    let embedded = PlannedServer { is_embedded: true, ..PlannedServer::default() };
    Ok(checks.run(Some(&embedded), &Items::new(), "flagdeck plan --offline", texts))
}
