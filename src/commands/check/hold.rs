//! Lists the holds of the running server, and checks their file.

use jiff::Timestamp;

use super::finding::Finding;
use crate::commands::hold;
use crate::config::{BackendSettings, Config};
use crate::hold::check_file;

/// Subject of the findings.
const HOLD: &str = "hold";

/// Returns a finding for each hold, and for the file.
pub(super) async fn check(config: &Config) -> Vec<Finding> {
    let file = config.hold_file.as_ref().map(|path| match check_file(path, Timestamp::now()) {
        Ok(holds) => Finding::pass(HOLD, format!("{} is valid and contains {holds} holds", path.display())),
        Err(fault) => Finding::fail(HOLD, fault.to_string(), "correct or remove the file"),
    });
    let can_hold = match &config.backend {
        BackendSettings::Upstream(upstream) => upstream.replica.is_some(),
        BackendSettings::Embedded(_) => true,
    };
    // A server that does not run has no holds, and another finding reports that it is unknown.
    let list =
        if can_hold && config.operation.admin.is_some() { hold::list(config).await.ok() } else { None };
    let holds = list.into_iter().flat_map(|list| list.holds);
    let remedy = "SDKs get another toggle than the flag service has; flagdeck release ends the hold";
    file.into_iter().chain(holds.map(|held| Finding::note(HOLD, hold::describe(&held), remedy))).collect()
}
