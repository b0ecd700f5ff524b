//! Lists the tokens that the replica of the running server uses.

use super::finding::Finding;
use crate::commands::{CommandError, replica};
use crate::config::{Config, Upstream};
use crate::sdk::replica::{CopyStatus, ReplicaStatus};

/// Subject of the findings.
const REPLICA: &str = "replica";

/// Returns a finding for each copy of the running server. A server that does not run is no failure.
pub(super) async fn check(config: &Config, upstream: &Upstream) -> Vec<Finding> {
    if upstream.replica.is_none() {
        return Vec::new();
    }
    match replica::status(config).await {
        Ok(status) => describe(&status),
        Err(CommandError::NoAdminListener) => {
            let remedy = "to list the tokens, set admin-listen";
            vec![Finding::note(REPLICA, "the copies of a running server are unknown", remedy)]
        }
        Err(error) => {
            let message = format!("the copies are unknown: {error}");
            vec![Finding::note(REPLICA, message, "to list the tokens, start the server")]
        }
    }
}

fn describe(status: &ReplicaStatus) -> Vec<Finding> {
    let waiting = (status.waiting_reports > 0).then(|| {
        let message = format!("{} reports of SDKs wait for the flag service", status.waiting_reports);
        Finding::note(REPLICA, message, "they are sent when it responds again")
    });
    let copies = status.copies.iter().map(describe_copy);
    let fault = status.fault.as_ref().map(|fault| {
        let message = format!("a restart loses the copies: {fault}");
        Finding::note(REPLICA, message, "SDKs are served; Flagdeck opens the database again and again")
    });
    let none = status.copies.is_empty().then(|| Finding::pass(REPLICA, "no SDK has requested toggles yet"));
    none.into_iter().chain(copies).chain(waiting).chain(fault).collect()
}

fn describe_copy(copy: &CopyStatus) -> Finding {
    let token =
        if copy.token.is_empty() { "without a name".to_owned() } else { format!("…{}", copy.token) };
    let CopyStatus { instances, age, bytes, .. } = copy;
    let more = if copy.has_more_instances { "more than " } else { "" };
    let message = format!("token {token}: {more}{instances} instances, {bytes} bytes, {age} s old");
    if copy.is_stale && copy.is_active {
        Finding::note(REPLICA, message, "the flag service does not confirm it; check the flag service")
    } else {
        Finding::pass(REPLICA, message)
    }
}

#[cfg(test)]
mod tests {
    use super::{CopyStatus, ReplicaStatus, describe};

    #[test]
    fn lists_tokens_with_instances_and_age() {
        let copy = |token: &str, is_stale: bool| CopyStatus {
            token: token.to_owned(),
            instances: 412,
            has_more_instances: is_stale,
            age: 3,
            is_stale,
            is_active: true,
            bytes: 9,
        };
        let lines = |copies: Vec<CopyStatus>, waiting_reports: usize| -> Vec<_> {
            describe(&ReplicaStatus { copies, waiting_reports, fault: None })
                .iter()
                .map(ToString::to_string)
                .collect()
        };
        assert_eq!(lines(vec![], 0), ["ok    replica: no SDK has requested toggles yet"]);
        assert_eq!(
            lines(vec![copy("cdef", false), copy("", true)], 2),
            [
                "ok    replica: token …cdef: 412 instances, 9 bytes, 3 s old",
                "note  replica: token without a name: more than 412 instances, 9 bytes, 3 s old\n      → the flag service does not confirm it; check the flag service",
                "note  replica: 2 reports of SDKs wait for the flag service\n      → they are sent when it responds again",
            ]
        );
    }
}
