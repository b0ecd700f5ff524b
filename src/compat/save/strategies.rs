//! Plans the requests that turn the stored strategies of a toggle into the wanted list. Pure.
//!
//! Servers store each strategy with an id and change one strategy per request. Strategies are matched by id,
//! never by position or content, because a strategy that is created again loses everything that is attached to its id.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use crate::compat::confirmation::Confirmation;

/// A strategy with all properties that the server returns.
pub(in crate::compat) type Strategy = Map<String, Value>;

/// The properties that a save writes. Every request contains all of them, because servers reset some that are missing.
const SAVED: [&str; 7] = ["name", "parameters", "constraints", "title", "disabled", "segments", "variants"];

/// Maximum number of strategies in one environment (6.10 and 8.2). Earlier servers have no maximum.
const MAX_STRATEGIES: usize = 30;

/// Maximum number of requests of a save, because earlier servers have no maximum of strategies.
pub(in crate::compat) const MAX_CHANGES: usize = 200;

/// A request for one strategy.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::compat) enum StrategyChange {
    /// Replaces the strategy with this id.
    Replace { id: String, body: Strategy },
    /// Creates a strategy.
    Create { body: Strategy },
    /// Deletes the strategy with this id.
    Delete { id: String },
}

/// A strategy in the final order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::compat) enum Position {
    /// A stored strategy with this id.
    Stored(String),
    /// The strategy that the n-th [`Change::Create`] creates.
    Created(usize),
}

/// The strategies that an environment has after a save.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::compat) enum Remaining {
    /// There is no strategy.
    #[default]
    None,
    /// There are strategies, and all are disabled.
    Disabled,
    /// At least one strategy is enabled.
    Enabled,
}

impl Remaining {
    /// Returns the kind of these strategies.
    pub(in crate::compat) fn of(strategies: &[Strategy]) -> Self {
        match strategies {
            [] => Self::None,
            all if all.iter().any(is_enabled) => Self::Enabled,
            _ => Self::Disabled,
        }
    }

    /// Returns the question that the user must confirm before the toggle is switched on: the server would change the
    /// strategies.
    pub(in crate::compat) fn question(self) -> Option<Confirmation> {
        match self {
            Self::None => Some(Confirmation::AddRollout),
            Self::Disabled => Some(Confirmation::EnableStrategies),
            Self::Enabled => None,
        }
    }

    /// Returns the end of the path that switches a toggle with these strategies on. Without the query, servers add a
    /// strategy if all are disabled.
    pub(in crate::compat) fn switch_on(self) -> &'static str {
        match self {
            Self::Disabled => "on?shouldActivateDisabledStrategies=true",
            Self::None | Self::Enabled => "on",
        }
    }
}

/// The requests of a save, to be sent one after the other.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::compat) struct StrategyPlan {
    /// Requests that enable strategies come first: servers switch a toggle off when no enabled strategy is left.
    pub(in crate::compat) changes: Vec<StrategyChange>,
    /// The order of all strategies; `None` if they have it after the changes.
    pub(in crate::compat) order: Option<Vec<Position>>,
    /// The strategies after the save.
    pub(in crate::compat) remaining: Remaining,
    /// True if at some time no enabled strategy is left although there was one: servers then switch the toggle off.
    pub(in crate::compat) switches_off: bool,
}

/// Reason why the wanted list cannot be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::compat) enum Unsaveable {
    /// Two strategies have this id.
    DuplicateId(String),
    /// There are more than [`MAX_CHANGES`] requests.
    TooMany,
}

/// Plans a save. Properties that a strategy does not contain keep their stored value.
pub(in crate::compat) fn plan(
    current: &[Strategy],
    desired: &[Strategy],
) -> Result<StrategyPlan, Unsaveable> {
    let stored = current.iter().filter_map(|strategy| Some((id_of(strategy)?, strategy))).collect();
    let mut edits = Edits::default();
    for strategy in desired {
        edits.add(strategy, &stored)?;
    }
    let Edits { enabling, creations, disabling, wanted_order, kept, remaining } = edits;
    let order = final_order(current, &kept, wanted_order);
    let mut removed: Vec<_> = stored.iter().filter(|(id, _)| !kept.contains(*id)).collect();
    removed.sort_by_key(|(_, strategy)| is_enabled(strategy));
    let mut deletions = removed.into_iter().map(|(id, _)| StrategyChange::Delete { id: (*id).to_owned() });
    // The server counts the strategies after each request, so that some deletions must come before the creations.
    let early = (current.len() + creations.len()).saturating_sub(MAX_STRATEGIES);
    let mut changes = enabling;
    changes.extend(deletions.by_ref().take(early));
    changes.extend(creations);
    changes.extend(disabling);
    changes.extend(deletions);
    if changes.len() > MAX_CHANGES {
        return Err(Unsaveable::TooMany);
    }
    let switches_off = is_switched_off(current, &changes);
    Ok(StrategyPlan { changes, order, remaining, switches_off })
}

/// The differences between the stored and the wanted list.
#[derive(Default)]
struct Edits<'a> {
    /// Replacements by enabled strategies.
    enabling: Vec<StrategyChange>,
    creations: Vec<StrategyChange>,
    /// Replacements by disabled strategies.
    disabling: Vec<StrategyChange>,
    wanted_order: Vec<Position>,
    /// Ids of the stored strategies that stay.
    kept: BTreeSet<&'a str>,
    remaining: Remaining,
}

impl<'a> Edits<'a> {
    /// Adds the next wanted strategy.
    fn add(&mut self, strategy: &Strategy, stored: &BTreeMap<&'a str, &Strategy>) -> Result<(), Unsaveable> {
        let before = id_of(strategy).and_then(|id| stored.get_key_value(id));
        let properties = effective(strategy, before.map(|(_, before)| *before));
        let is_enabled = is_enabled(&properties);
        self.remaining = match self.remaining {
            _ if is_enabled => Remaining::Enabled,
            Remaining::None => Remaining::Disabled,
            remaining => remaining,
        };
        let Some((&id, before)) = before else {
            self.wanted_order.push(Position::Created(self.creations.len()));
            self.creations.push(StrategyChange::Create { body: to_body(properties, None) });
            return Ok(());
        };
        if !self.kept.insert(id) {
            return Err(Unsaveable::DuplicateId(id.to_owned()));
        }
        self.wanted_order.push(Position::Stored(id.to_owned()));
        if properties != effective(before, None) {
            let body = to_body(properties, Some(before));
            let changes = if is_enabled { &mut self.enabling } else { &mut self.disabling };
            changes.push(StrategyChange::Replace { id: id.to_owned(), body });
        }
        Ok(())
    }
}

/// Returns the wanted order if the server's differs: it keeps the order of the stored strategies, and appends new ones.
fn final_order(current: &[Strategy], kept: &BTreeSet<&str>, wanted: Vec<Position>) -> Option<Vec<Position>> {
    let stored = current.iter().filter_map(id_of).filter(|id| kept.contains(id));
    let stored = stored.map(|id| Position::Stored(id.to_owned()));
    let created = (0..wanted.len() - kept.len()).map(Position::Created);
    let is_ordered = stored.chain(created).eq(wanted.iter().cloned());
    (!is_ordered).then_some(wanted)
}

/// Returns true if one of the changes leaves no enabled strategy although there was one.
fn is_switched_off(current: &[Strategy], changes: &[StrategyChange]) -> bool {
    let mut enabled: BTreeSet<&str> =
        current.iter().filter(|one| is_enabled(one)).filter_map(id_of).collect();
    let mut created = 0_usize;
    !enabled.is_empty()
        && changes.iter().any(|change| {
            match change {
                StrategyChange::Replace { id, body } if is_enabled(body) => {
                    enabled.insert(id);
                }
                StrategyChange::Replace { id, .. } | StrategyChange::Delete { id } => {
                    enabled.remove(id.as_str());
                }
                StrategyChange::Create { body } => created += usize::from(is_enabled(body)),
            }
            enabled.is_empty() && created == 0
        })
}

/// Returns the saved properties of a strategy; those that it does not contain have the stored value. A property that is
/// null or missing in both has the value that servers use for it, so that all forms of it are equal.
fn effective(strategy: &Strategy, before: Option<&Strategy>) -> Strategy {
    let value = |key: &str| {
        let given = strategy.get(key).or_else(|| before?.get(key)).filter(|value| !value.is_null());
        given.cloned().or_else(|| match key {
            "title" => Some(Value::String(String::new())),
            "disabled" => Some(Value::Bool(false)),
            "parameters" => Some(Value::Object(Map::new())),
            "constraints" | "segments" | "variants" => Some(Value::Array(Vec::new())),
            _ => None,
        })
    };
    SAVED.iter().filter_map(|key| Some(((*key).to_owned(), value(key)?))).collect()
}

/// Returns the body of a request. An empty title is sent only to clear a stored one: where there is none, servers would
/// replace null by the empty text.
fn to_body(mut properties: Strategy, before: Option<&Strategy>) -> Strategy {
    let has_title = |strategy: &Strategy| strategy.get("title").is_some_and(|title| title != "");
    if !has_title(&properties) && !before.is_some_and(|before| has_title(&effective(before, None))) {
        properties.remove("title");
    }
    properties
}

fn is_enabled(strategy: &Strategy) -> bool {
    strategy.get("disabled") != Some(&Value::Bool(true))
}

fn id_of(strategy: &Strategy) -> Option<&str> {
    strategy.get("id")?.as_str()
}

#[cfg(test)]
mod tests;
