//! The order of the changes of a plan, and the toggles that must be off while they are written: after each write, nobody gets a feature who
//! gets it neither before nor after the plan, and servers accept each dependency. Pure.
//!
//! Toggles have two levels: a parent has no parents itself. The order of a toggle and its parent therefore decides alone, and the rules
//! have no circles.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use serde_json::Value;

use super::json::{items_of, text_of};
use super::owned::normalize_property;
use crate::evaluation::effect::{ChangedToggles, Effect};
use crate::evaluation::{Definitions, SegmentDefinition, ToggleDefinition};

/// A toggle before and after a plan; `None` if it is missing or archived.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sides<'p> {
    pub(super) name: &'p str,
    pub(super) before: Option<&'p Value>,
    pub(super) after: Option<&'p Value>,
}

/// The changes of a plan in an order.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Order {
    /// Indices of the changes, in the order in which they are written.
    pub(super) indices: Vec<usize>,
    /// Names of the toggles that must be off while the changes are written, because no order of the writes is safe.
    pub(super) off_meanwhile: BTreeSet<String>,
}

/// Which of a toggle and its parent must be written first.
enum First {
    Any,
    Parent,
    Child,
    /// The parent, while the child is off.
    ParentWhileChildIsOff,
}

impl Sides<'_> {
    fn is_on(toggle: Option<&Value>) -> bool {
        toggle.is_some_and(|toggle| toggle.get("enabled") == Some(&Value::Bool(true)))
    }

    fn stays_on(&self) -> bool {
        Self::is_on(self.before) && Self::is_on(self.after)
    }

    /// Returns the effect of the change without the parents of the toggle. Changes that cannot be compared may widen.
    fn own_effect(&self, segments: &[SegmentDefinition]) -> Effect {
        let definitions = |toggle: Option<&Value>| {
            let mut toggle = toggle.cloned()?;
            let properties = toggle.as_object_mut()?;
            properties.remove("dependencies");
            properties.insert("name".to_owned(), self.name.into());
            let toggle: ToggleDefinition = serde_json::from_value(toggle).ok()?;
            Some(Definitions { features: vec![toggle], segments: segments.to_vec() })
        };
        match (definitions(self.before), definitions(self.after)) {
            (Some(before), Some(after)) => ChangedToggles::new(&before, &after).effect(self.name),
            _ => Effect::MayWiden,
        }
    }

    /// Decides about the order of this toggle and a parent that it has before or after.
    fn first(&self, parent: &Self, segments: &[SegmentDefinition]) -> First {
        let condition = |toggle: Option<&Value>| {
            let parents = toggle.map(|toggle| items_of(toggle, "dependencies")).unwrap_or_default();
            parents
                .iter()
                .find(|condition| text_of(condition, "feature") == parent.name)
                .map(normalize_condition)
        };
        let (before, after) = match (condition(self.before), condition(self.after)) {
            (None, None) => return First::Any,
            // A server refuses a parent that does not exist, or that has a parent itself.
            (None, Some(_)) => return First::Parent,
            // A server refuses a parent for a toggle on which others depend.
            (Some(_), None) => return First::Child,
            (Some(before), Some(after)) => (before, after),
        };
        match (Self::is_on(self.before), Self::is_on(self.after)) {
            (false, false) => return First::Any,
            (false, true) => return First::Parent,
            (true, false) => return First::Child,
            (true, true) => {}
        }
        let of_parent = parent.own_effect(segments);
        if of_parent == Effect::Neither {
            return First::Any;
        }
        let is_plain = before == after && is_plain(&before);
        if is_plain && !Self::is_on(parent.before) {
            return First::Child;
        }
        match (of_parent, self.own_effect(segments)) {
            (Effect::Narrows, _) if is_plain => First::Parent,
            (_, Effect::Neither | Effect::Narrows) if is_plain => First::Child,
            _ => First::ParentWhileChildIsOff,
        }
    }

    /// Returns true if the toggle stays on, and its write replaces both its parent and its strategies, for which servers with environments
    /// need several requests.
    pub(super) fn replaces_parent_and_strategies(&self) -> bool {
        let conditions = |toggle: Option<&Value>| -> Vec<Value> {
            let parents = toggle.map(|toggle| items_of(toggle, "dependencies")).unwrap_or_default();
            parents.iter().map(normalize_condition).collect()
        };
        let (before, after) = (conditions(self.before), conditions(self.after));
        let strategies = |toggle: Option<&Value>| {
            toggle
                .and_then(|toggle| toggle.get("strategies"))
                .map(|all| normalize_property("strategies", all))
        };
        let has_both = !before.is_empty() && !after.is_empty();
        self.stays_on() && has_both && before != after && strategies(self.before) != strategies(self.after)
    }

    /// Returns true if the toggle stays on with other strategies.
    pub(super) fn changes_strategies(&self) -> bool {
        let strategies = |toggle: Option<&Value>| {
            toggle
                .and_then(|toggle| toggle.get("strategies"))
                .map(|all| normalize_property("strategies", all))
        };
        self.stays_on() && strategies(self.before) != strategies(self.after)
    }
}

/// Returns a condition on a parent with its defaults.
fn normalize_condition(condition: &Value) -> Value {
    let is_on = condition.get("enabled") != Some(&Value::Bool(false));
    let variants = if is_on { items_of(condition, "variants") } else { &[] };
    serde_json::json!({ "feature": condition.get("feature"), "enabled": is_on, "variants": variants })
}

/// Returns true if the condition holds for more users if the parent is on for more.
pub(super) fn is_plain(condition: &Value) -> bool {
    condition.get("enabled") != Some(&Value::Bool(false)) && items_of(condition, "variants").is_empty()
}

/// Orders the changes of a plan. Among those whose order does not matter, a smaller key is first.
pub(super) fn order<K: Ord>(changes: &[Sides<'_>], segments: &[SegmentDefinition], keys: Vec<K>) -> Order {
    let indices: BTreeMap<&str, usize> =
        changes.iter().enumerate().map(|(index, change)| (change.name, index)).collect();
    let mut later: Vec<Vec<usize>> = vec![Vec::new(); changes.len()];
    let mut earlier: Vec<usize> = vec![0; changes.len()];
    let mut off_meanwhile = BTreeSet::new();
    for (child, change) in changes.iter().enumerate() {
        let sides = [change.before, change.after].into_iter().flatten();
        let parents: BTreeSet<&str> = sides
            .flat_map(|toggle| items_of(toggle, "dependencies"))
            .map(|condition| text_of(condition, "feature"))
            .collect();
        for parent in parents.into_iter().filter_map(|name| indices.get(name).copied()) {
            let Some(parent_sides) = changes.get(parent).filter(|_| parent != child) else { continue };
            let (first, second) = match change.first(parent_sides, segments) {
                First::Any => continue,
                First::Parent => (parent, child),
                First::Child => (child, parent),
                First::ParentWhileChildIsOff => {
                    off_meanwhile.insert(change.name.to_owned());
                    (parent, child)
                }
            };
            if let (Some(list), Some(count)) = (later.get_mut(first), earlier.get_mut(second)) {
                list.push(second);
                *count += 1;
            }
        }
    }
    let mut ready = BinaryHeap::new();
    let mut waiting: Vec<Option<K>> = keys.into_iter().map(Some).collect();
    let mut add = |ready: &mut BinaryHeap<Reverse<(K, usize)>>, index: usize| {
        if let Some(key) = waiting.get_mut(index).and_then(Option::take) {
            ready.push(Reverse((key, index)));
        }
    };
    for (index, count) in earlier.iter().enumerate() {
        if *count == 0 {
            add(&mut ready, index);
        }
    }
    let mut ordered = Vec::new();
    while let Some(Reverse((_, index))) = ready.pop() {
        ordered.push(index);
        for &next in later.get(index).into_iter().flatten() {
            if let Some(count) = earlier.get_mut(next) {
                *count -= 1;
                if *count == 0 {
                    add(&mut ready, next);
                }
            }
        }
    }
    // Only toggles that no server stores depend on each other in a circle; the checks find them.
    let found: BTreeSet<usize> = ordered.iter().copied().collect();
    ordered.extend((0..changes.len()).filter(|index| !found.contains(index)));
    Order { indices: ordered, off_meanwhile }
}
