//! Checks the environments and projects of the flag service.

use super::finding::Finding;
use crate::compat::Kind;
use crate::config::Upstream;

/// Checks the settings that select an environment and a project. `kind` is `None` if the flag service does not list them
/// without a user.
pub(super) fn check(kind: Option<&Kind>, upstream: &Upstream) -> Vec<Finding> {
    let server = match kind {
        Some(Kind::Newer(server)) => server,
        Some(Kind::Older) => return check_without_environments(upstream),
        None => {
            let remedy = if upstream.added_headers.is_empty() {
                "to check them, set upstream-header to credentials, such as a personal access token"
            } else {
                "check the credentials in upstream-header"
            };
            let message = "unknown; the flag service lists them only to users who are signed in";
            return vec![Finding::note("environments", message, remedy)];
        }
    };
    let environments = Finding::pass("environments", server.environment_names());
    let projects = Finding::pass("projects", server.projects.join(", "));
    let faults = server.faults().into_iter().filter_map(|fault| {
        let (setting, message) = fault.split_once(": ")?;
        let setting =
            [ENVIRONMENT, PROJECT].into_iter().find(|name| *name == setting).unwrap_or("environments");
        Some(Finding::fail(setting, message, format!("set {setting} to one of them, or remove it")))
    });
    [environments, projects].into_iter().chain(faults).collect()
}

const ENVIRONMENT: &str = "upstream-environment";
const PROJECT: &str = "upstream-project";

fn check_without_environments(upstream: &Upstream) -> Vec<Finding> {
    let is_set = [(ENVIRONMENT, upstream.environment.is_some()), (PROJECT, upstream.project.is_some())];
    let set = is_set.into_iter().filter(|(_, is_set)| *is_set);
    let message = "has no effect: the flag service has no environments";
    set.map(|(setting, _)| Finding::note(setting, message, "remove this setting")).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::finding::Verdict::{self, Fail, Note, Pass};
    use super::{Kind, Upstream, check};
    use crate::console_api::{NewerServer, ServerEnvironment};

    /// Each case: environment and project in the settings, the kind, and the findings.
    #[test]
    fn compares_the_settings_with_the_server() {
        let newer = |environment: Option<&str>, project: Option<&str>| {
            let environments = ["development", "production"]
                .map(|name| ServerEnvironment { name: name.to_owned(), kind: "production".to_owned() });
            Some(Kind::Newer(Arc::new(NewerServer {
                version: Some("8.2.0".to_owned()),
                environments: environments.to_vec(),
                environment: environment.map(str::to_owned),
                project: project.map(str::to_owned),
                projects: vec!["default".to_owned()],
            })))
        };
        let lists = [(Pass, "environments: development, production"), (Pass, "projects: default")];
        for (environment, project, kind, expected) in [
            (None, None, newer(None, None), lists.to_vec()),
            (Some("production"), Some("default"), newer(Some("production"), Some("default")), lists.to_vec()),
            (
                Some("staging"),
                Some("shop"),
                newer(Some("staging"), Some("shop")),
                [lists, [(Fail, "upstream-environment: "), (Fail, "upstream-project: ")]].concat(),
            ),
            (None, None, Some(Kind::Older), vec![]),
            (
                Some("production"),
                None,
                Some(Kind::Older),
                vec![(Note, "upstream-environment: has no effect")],
            ),
            (None, None, None, vec![(Note, "environments: unknown")]),
        ] {
            let upstream = Upstream {
                environment: environment.map(str::to_owned),
                project: project.map(str::to_owned),
                ..Upstream::with_path("")
            };
            let findings = check(kind.as_ref(), &upstream);
            let found: Vec<(Verdict, String)> =
                findings.iter().map(|finding| (finding.verdict, finding.to_string())).collect();
            assert_eq!(found.len(), expected.len(), "{found:?}");
            for ((verdict, text), (expected, start)) in found.iter().zip(&expected) {
                assert!(verdict == expected && text.contains(start), "{text} instead of {start}");
            }
        }
    }
}
