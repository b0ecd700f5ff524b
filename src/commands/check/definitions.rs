//! Checks the file with the toggles, and names the overridden ones.

use super::finding::Finding;
use crate::backend::embedded::definitions;
use crate::config::{Definitions, ToggleOverride};

/// Subject of the findings.
const DEFINITIONS: &str = "definitions";

pub(super) fn check(settings: &Definitions) -> Vec<Finding> {
    let file = settings.file.display();
    let mut findings = vec![match definitions::check(settings) {
        Ok(toggles) => Finding::pass(DEFINITIONS, format!("{file} is valid, and has {toggles} toggles")),
        Err(cause) => Finding::fail(
            DEFINITIONS,
            cause,
            "correct the file; a running server serves its last valid content until then",
        ),
    }];
    if !settings.overrides.is_empty() {
        let results: Vec<_> = settings.overrides.iter().map(ToggleOverride::to_string).collect();
        let message = format!("SDKs get other results than those of the file: {}", results.join(", "));
        findings.push(Finding::note("override", message, ""));
    }
    findings
}
