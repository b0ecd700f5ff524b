//! Removes held toggles from the results that a flag service has evaluated for a browser. Pure.
//!
//! The results contain no definitions: the toggles that are off are absent. The text is edited in place.

use std::collections::BTreeSet;

use bytes::Bytes;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::body::{Edit, apply_edits, range_of};
use crate::evaluation::{ToggleName, name_of};

/// Results of which the held toggles are off.
#[derive(Debug, PartialEq, Eq)]
pub enum HeldResults {
    /// No result was of a held toggle.
    Unchanged,
    /// Other results, and the number of the toggles that were in the original.
    Changed(Bytes, usize),
    /// A held toggle may be on in the body, and cannot be removed, because the body has an unknown format.
    Unreadable,
}

/// The results of all toggles, as `GET /api/frontend` sends them.
#[derive(Deserialize)]
struct Results<'b> {
    #[serde(borrow)]
    toggles: &'b RawValue,
}

/// Returns results without the toggles with these names. The body can contain the results of all toggles, or of one.
#[must_use]
pub fn remove_results(body: &Bytes, off: &BTreeSet<String>) -> HeldResults {
    let edited = remove_from_list(body, off).or_else(|_not_a_list| switch_off_one(body, off));
    edited.unwrap_or_else(|_unknown_format| {
        if may_contain(body, off) { HeldResults::Unreadable } else { HeldResults::Unchanged }
    })
}

fn remove_from_list(body: &Bytes, off: &BTreeSet<String>) -> Result<HeldResults, serde_json::Error> {
    let Results { toggles } = serde_json::from_slice(body)?;
    let results: Vec<&RawValue> = serde_json::from_str(toggles.get())?;
    let mut others = Vec::new();
    for result in &results {
        if !off.contains(&*name_of(result)?) {
            others.push(result.get());
        }
    }
    let removed = results.len() - others.len();
    if removed == 0 {
        return Ok(HeldResults::Unchanged);
    }
    let edit = Edit { range: range_of(body, toggles.get()), text: format!("[{}]", others.join(",")).into() };
    Ok(HeldResults::Changed(apply_edits(body, &[edit]), removed))
}

/// Switches the result of one toggle off, which newer servers offer with its name in the path.
fn switch_off_one(body: &Bytes, off: &BTreeSet<String>) -> Result<HeldResults, serde_json::Error> {
    if !off.contains(&*serde_json::from_slice::<ToggleName<'_>>(body)?.name) {
        return Ok(HeldResults::Unchanged);
    }
    let mut result: Map<String, Value> = serde_json::from_slice(body)?;
    result.insert("enabled".to_owned(), Value::Bool(false));
    let variant =
        json!({ "name": "disabled", "enabled": false, "feature_enabled": false, "featureEnabled": false });
    result.insert("variant".to_owned(), variant);
    Ok(HeldResults::Changed(serde_json::to_vec(&result)?.into(), 1))
}

/// Returns false only for a body of any format that contains none of the names. In JSON, a backslash can begin the escape of
/// any character.
fn may_contain(body: &[u8], names: &BTreeSet<String>) -> bool {
    let contains = |name: &[u8]| name.is_empty() || body.windows(name.len()).any(|part| part == name);
    body.contains(&b'\\') || names.iter().any(|name| contains(name.as_bytes()))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use bytes::Bytes;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::{HeldResults, remove_results};

    fn names(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn results_of_unknown_formats_pass_only_without_the_name() {
        for (body, expected) in [
            ("[]", Some(true)),
            ("", Some(true)),
            ("<html>not JSON</html>", Some(true)),
            (r#"{"toggles":null}"#, Some(true)),
            (r#"{"toggles":[{"enabled":true}]}"#, Some(true)),
            (r#"{"toggles":[{"name":"b","enabled":true}]}"#, Some(true)),
            (r#"{"toggles":[{"name":"b","variant":{"name":"shop.pay"}}]}"#, Some(true)),
            (r#"{"name":"b","enabled":true}"#, Some(true)),
            (r#"[{"name":"shop.pay"}]"#, None),
            (r#"{"toggles":{"shop.pay":true}}"#, None),
            (r#"{"toggles":["shop.pay"]}"#, None),
            (r#"{"toggles":[],"toggles":[{"name":"shop.pay"}]}"#, None),
            (r#"[{"name":"shop\u002epay"}]"#, None),
            ("\u{feff}{\"toggles\":[{\"name\":\"shop.pay\"}]}", None),
            (r#"{"toggles":[{"name":"shop\u002epay","enabled":true}]}"#, Some(false)),
            (r#"{"name":"shop.pay","enabled":true,"variant":{"name":"red","enabled":true}}"#, Some(false)),
        ] {
            let is_unchanged = match remove_results(&Bytes::from(body), &names(&["shop.pay"])) {
                HeldResults::Unchanged => Some(true),
                HeldResults::Changed(body, 1) => {
                    let body = str::from_utf8(&body).unwrap();
                    assert!(!body.contains("true") && !body.contains("red"), "{body}");
                    Some(false)
                }
                HeldResults::Changed(..) => unreachable!("{body}"),
                HeldResults::Unreadable => None,
            };
            assert_eq!(is_unchanged, expected, "{body}");
        }
    }

    proptest! {
        #[test]
        fn held_results_lack_only_the_held_toggles(
            toggles in prop::collection::vec((0_u8..12, "[ -~é]{0,12}"), 0..12),
            held in prop::collection::btree_set(0_u8..12, 0..6),
            is_pretty in any::<bool>(),
        ) {
            let mut known = BTreeSet::new();
            let results: Vec<_> = toggles
                .into_iter()
                .filter(|(name, _)| known.insert(*name))
                .map(|(name, text)| json!({ "name": format!("t.{name}"), "enabled": true, "variant": { "name": text, "payload": { "value": "t.1" } } }))
                .collect();
            let results = json!({ "before": [{ "name": "t.1" }], "toggles": results, "after": "t.2" });
            let text = if is_pretty { serde_json::to_string_pretty(&results) } else { serde_json::to_string(&results) };
            let off: BTreeSet<_> = held.iter().map(|name| format!("t.{name}")).collect();
            let mut expected = results.clone();
            expected["toggles"].as_array_mut().unwrap().retain(|result| !off.contains(result["name"].as_str().unwrap()));
            let number = |results: &Value| results["toggles"].as_array().unwrap().len();
            match remove_results(&Bytes::from(text.unwrap()), &off) {
                HeldResults::Unchanged => prop_assert_eq!(expected, results),
                HeldResults::Changed(body, removed) => {
                    prop_assert_eq!(removed, number(&results) - number(&expected));
                    prop_assert!(removed > 0);
                    prop_assert_eq!(serde_json::from_slice::<Value>(&body).unwrap(), expected);
                    prop_assert_eq!(remove_results(&body, &off), HeldResults::Unchanged);
                }
                HeldResults::Unreadable => prop_assert!(false, "unreadable"),
            }
        }
    }
}
