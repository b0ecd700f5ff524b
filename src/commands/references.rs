//! Checks before the first write of `flagdeck apply` that the items to which files refer exist.

use std::collections::BTreeSet;

use actix_web::http::StatusCode;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::CommandError;
use super::service::Service;
use crate::api::NamedText;
use crate::files::document::Document;
use crate::files::plan::{Plan, ServerState};
use crate::files::references::{ItemKind, NewReferences};
use crate::terminal;

/// Properties of a context that client libraries fill without a context field.
const BUILT_IN_FIELDS: [&str; 6] =
    ["appName", "currentTime", "environment", "remoteAddress", "sessionId", "userId"];

#[derive(Deserialize)]
struct Projects {
    projects: Vec<Project>,
}

#[derive(Deserialize)]
struct Project {
    id: String,
}

#[derive(Deserialize)]
struct Strategies {
    strategies: Vec<Named>,
}

#[derive(Deserialize)]
struct Named {
    name: String,
}

/// The list of environments, which servers up to 4.1 do not have.
#[derive(Deserialize)]
struct Environments {
    #[serde(rename = "environments")]
    _list: Vec<Named>,
}

/// The references that a server checks itself when a toggle is saved. It would refuse the toggle in the middle of `flagdeck apply`.
#[derive(Clone, Copy, Default)]
struct ServerChecks {
    strategies: bool,
    context_fields: bool,
}

impl ServerChecks {
    /// Reads the version of the server. A server that does not tell it counts as one that checks nothing, as the embedded flag
    /// service and servers up to 4.2.
    async fn read(service: &Service) -> Self {
        let environments = service.read_bytes("/environments").await;
        let has_environments =
            environments.is_ok_and(|body| serde_json::from_slice::<Environments>(&body).is_ok());
        if !has_environments {
            return Self::default();
        }
        let version = service.version().await;
        // Recorded with 4.2.2, 4.19.5, 5.12.8, 6.10.1 and 8.2.0. 4.2 has the endpoint of environments, but does not use them.
        Self { strategies: version >= (5, 0), context_fields: version > (4, 2) && version < (7, 0) }
    }

    fn includes(self, kind: ItemKind) -> bool {
        match kind {
            ItemKind::Strategy => self.strategies,
            ItemKind::ContextField => self.context_fields,
            ItemKind::Project | ItemKind::Segment | ItemKind::Parent => true,
        }
    }
}

/// Checks the references that a plan adds. References to missing items are errors if the server would refuse the toggle. Else they are
/// warnings on standard error, because applications can know custom strategies and properties of contexts that the server does not.
///
/// # Errors
/// [`CommandError::Files`] with one line for each missing item.
pub(super) async fn check_references(
    service: &Service,
    (files, texts): (&Document, &[NamedText]),
    plan: &Plan,
    state: &ServerState,
) -> Result<(), CommandError> {
    let references = NewReferences::collect(files, plan, state);
    let kinds = references.kinds();
    let checks = if kinds.is_empty() { ServerChecks::default() } else { ServerChecks::read(service).await };
    let mut errors = Vec::new();
    for kind in kinds {
        let is_error = checks.includes(kind);
        let existing = match kind {
            ItemKind::Parent => Some(state.toggles.keys().chain(files.toggles.keys()).cloned().collect()),
            ItemKind::Segment => {
                Some(state.segments.iter().filter_map(|segment| segment.id.clone()).collect())
            }
            ItemKind::Project => {
                let list: Option<Projects> = find(service, "/projects").await?;
                list.map(|list| list.projects.into_iter().map(|project| project.id).collect())
            }
            ItemKind::Strategy => {
                let list: Option<Strategies> = find(service, "/strategies").await?;
                list.map(|list| list.strategies.into_iter().map(|strategy| strategy.name).collect())
            }
            ItemKind::ContextField => {
                let list: Option<Vec<Named>> = find(service, "/context").await?;
                let built_in = BUILT_IN_FIELDS.into_iter().filter(|_| !is_error).map(str::to_owned);
                list.map(|list| list.into_iter().map(|field| field.name).chain(built_in).collect())
            }
        };
        let Some(existing): Option<BTreeSet<String>> = existing else { continue };
        let missing = references.describe_missing(kind, &existing, service.name(), texts);
        if is_error {
            errors.extend(missing.into_iter().map(|text| format!("{text}; {}", kind.remedy())));
        } else {
            for text in missing {
                let text = format!("flagdeck: warning: {text}; {}", consequence(kind));
                terminal::print_error(&text).map_err(CommandError::Output)?;
            }
        }
    }
    if errors.is_empty() { Ok(()) } else { Err(CommandError::Files(errors.join("\n"))) }
}

/// Reads a list that the server may not have, or may not show to this user.
async fn find<T: DeserializeOwned>(service: &Service, path: &str) -> Result<Option<T>, CommandError> {
    match service.find(path).await {
        Err(CommandError::Target(error)) if error.status == StatusCode::FORBIDDEN => Ok(None),
        result => result,
    }
}

fn consequence(kind: ItemKind) -> &'static str {
    match kind {
        ItemKind::ContextField => "the constraint sees no value unless applications send the property",
        _ => "it is never on unless applications implement it",
    }
}
