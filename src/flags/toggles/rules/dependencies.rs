//! Validation of a toggle's dependencies on other toggles.

use crate::api::Dependency;
use crate::api::limits::{MAX_REFERENCES, MAX_VARIANTS};
use crate::flags::validation::fields::{Field, ValidationErrors};

/// Parses dependencies. Returns `None` if they are missing or null.
pub(super) fn parse(field: &Field<'_>, errors: &mut ValidationErrors) -> Option<Vec<Dependency>> {
    let items = field.nullable_items(MAX_REFERENCES, errors)?;
    Some(items.iter().map(|item| parse_dependency(item, errors)).collect())
}

fn parse_dependency(field: &Field<'_>, errors: &mut ValidationErrors) -> Dependency {
    field.object(errors);
    let variants = field.get("variants").nullable_items(MAX_VARIANTS, errors);
    Dependency {
        feature: field.get("feature").name(errors),
        enabled: field.get("enabled").nullable_bool(errors),
        variants: variants
            .map(|names| names.iter().map(|name| name.non_empty_text(errors).unwrap_or_default()).collect()),
    }
}
