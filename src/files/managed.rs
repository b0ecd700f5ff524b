//! The mark of toggles that files manage: a tag of the type `managed-by`, whose value names the files. The console shows it, and
//! warns before an edit.

use std::collections::BTreeSet;

use serde::{Deserialize as _, Deserializer, de::Error as _};

use crate::api::Tag;
use crate::api::limits::TAG_LENGTH;
use crate::path_rules;

/// The property of a toggle with the name of the files that manage it.
pub const MANAGED_BY: &str = "managedBy";
/// Tag type of the mark, which is how servers store the name.
pub const TAG_TYPE: &str = "managed-by";

/// Checks the name of files, which is the value of a tag.
///
/// # Errors
/// A sentence about a name that servers do not store.
pub fn check_name(name: &str) -> Result<(), String> {
    let (min, max) = TAG_LENGTH;
    if !(min..=max).contains(&name.chars().count()) {
        return Err(format!("{name:?} must have {min} to {max} characters"));
    }
    if name.trim() != name {
        return Err(format!("{name:?} must not begin or end with a space"));
    }
    if !path_rules::can_be_segment(name) {
        return Err(format!(
            "{name:?} must not contain control characters, backslashes, percent encodings, . or .., because no request could remove it"
        ));
    }
    if name.contains(':') {
        return Err(format!(
            "{name:?} must not contain a colon, because Unleash 3.x to 4.2 cannot list toggles with such a tag; leave out the part up to the colon, as in acme/flags"
        ));
    }
    Ok(())
}

/// Reads the name of files.
pub(super) fn deserialize_name<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<String>, D::Error> {
    let name = String::deserialize(deserializer)?;
    check_name(&name).map_err(D::Error::custom)?;
    Ok(Some(name))
}

/// Splits the tags of a toggle into its own and the name of the files that manage it. If several tags name files, the names are
/// joined: no file has such a name, so that a plan replaces them.
#[must_use]
pub fn split_tags(tags: BTreeSet<Tag>) -> (BTreeSet<Tag>, Option<String>) {
    let (marks, own): (BTreeSet<_>, BTreeSet<_>) = tags.into_iter().partition(|tag| tag.kind == TAG_TYPE);
    let names: Vec<_> = marks.into_iter().map(|tag| tag.value).collect();
    (own, (!names.is_empty()).then(|| names.join(", ")))
}

/// Returns the tag that marks a toggle as managed by files with this name.
#[must_use]
pub fn tag_of(name: String) -> Tag {
    Tag { kind: TAG_TYPE.to_owned(), value: name }
}
