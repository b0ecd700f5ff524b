//! Checks of plans before the first write: references to items, names, operators and other values. They are the same for plans that are
//! made from files and for stored ones, and for the commands and the console. Pure.

use std::collections::{BTreeMap, BTreeSet};

use super::places::locate;
use super::plan::{Plan, PlannedAction, ServerState};
use super::references::{ItemKind, NewReferences};
use super::server_rules::ServerRules;
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
            known: BTreeMap::from([(ItemKind::Parent, toggles), (ItemKind::Segment, segments)]),
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
        !self.lists().is_empty() || !self.values.is_empty()
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
