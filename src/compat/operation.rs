//! The calls of the console that are converted for newer servers.

use actix_web::HttpResponse;
use actix_web::http::{Method, StatusCode};
use percent_encoding::percent_decode_str;

use super::caller::ADMIN;
use super::failure::Failure;
use super::{
    Call, addons, applications, archive, context, events, lifecycle, list, permissions, projects, save,
    switch, tags, toggle, usage,
};
use crate::path_rules;

/// A call of the console, with the decoded names in its path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Operation {
    /// `GET features`
    List,
    /// `GET features/{name}`
    Toggle(String),
    /// `POST features`
    Create,
    /// `PUT features/{name}`
    Update(String),
    /// `DELETE features/{name}`
    Archive(String),
    /// `POST features/{name}/stale/on` and `off`
    Stale(String, bool),
    /// `POST features/{name}/toggle/on` and `off`
    Switch(String, bool),
    /// `POST features/{name}/tags`
    AddTag(String),
    /// `GET user`
    User,
    /// `GET archive/features`
    ArchiveList,
    /// `GET events`, or `GET events/{name}`
    Events(Option<String>),
    /// `GET metrics/feature-toggles`
    LastHour,
    /// `GET metrics/seen-apps`
    SeenApplications,
    /// `GET client-metrics/features/{name}/raw`
    UsageHistory(String),
    /// `GET metrics/applications/{name}`
    Application(String),
    /// `POST metrics/applications/{name}`
    DescribeApplication(String),
    /// `GET context`, or `GET context/{name}`
    Context(Option<String>),
    /// `POST context`
    CreateContextField,
    /// `PUT context/{name}`
    UpdateContextField(String),
    /// `PUT addons/{id}`
    UpdateAddon(String),
    /// `POST`, `PUT` and `DELETE` of projects, with the path; true if there is a body
    ChangeProject(String, bool),
}

impl Operation {
    /// Returns the converted call with this method and path; `None` if the request is forwarded unchanged.
    #[must_use]
    pub(super) fn find(method: &Method, path: &str) -> Option<Self> {
        let below = path.strip_prefix(ADMIN)?.strip_prefix('/')?;
        // Otherwise the request is forwarded, which refuses it.
        path_rules::check(path).ok()?;
        let segments: Vec<String> = below
            .split('/')
            .map(|segment| percent_decode_str(segment).decode_utf8().map(Into::into))
            .collect::<Result<_, _>>()
            .ok()?;
        let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
        Some(match (method.as_str(), segments.as_slice()) {
            ("GET", ["features"]) => Self::List,
            ("GET", ["features", name]) => Self::Toggle((*name).to_owned()),
            ("POST", ["features"]) => Self::Create,
            ("PUT", ["features", name]) => Self::Update((*name).to_owned()),
            ("DELETE", ["features", name]) => Self::Archive((*name).to_owned()),
            ("POST", ["features", name, "stale", state @ ("on" | "off")]) => {
                Self::Stale((*name).to_owned(), *state == "on")
            }
            ("POST", ["features", name, "toggle", state @ ("on" | "off")]) => {
                Self::Switch((*name).to_owned(), *state == "on")
            }
            ("POST", ["features", name, "tags"]) => Self::AddTag((*name).to_owned()),
            ("GET", ["user"]) => Self::User,
            ("GET", ["archive", "features"]) => Self::ArchiveList,
            ("GET", ["events"]) => Self::Events(None),
            ("GET", ["events", name]) => Self::Events(Some((*name).to_owned())),
            ("GET", ["metrics", "feature-toggles"]) => Self::LastHour,
            ("GET", ["metrics", "seen-apps"]) => Self::SeenApplications,
            ("GET", ["client-metrics", "features", name, "raw"]) => Self::UsageHistory((*name).to_owned()),
            ("GET", ["metrics", "applications", name]) => Self::Application((*name).to_owned()),
            ("POST", ["metrics", "applications", name]) => Self::DescribeApplication((*name).to_owned()),
            ("GET", ["context"]) => Self::Context(None),
            ("GET", ["context", name]) => Self::Context(Some((*name).to_owned())),
            ("POST", ["context"]) => Self::CreateContextField,
            ("PUT", ["context", name]) => Self::UpdateContextField((*name).to_owned()),
            ("PUT", ["addons", id]) => Self::UpdateAddon((*id).to_owned()),
            ("POST", ["projects"] | ["projects", "validate"]) | ("PUT" | "DELETE", ["projects", _]) => {
                Self::ChangeProject(format!("/{below}"), method != Method::DELETE)
            }
            _ => return None,
        })
    }

    /// Returns the name in metrics.
    #[must_use]
    pub(super) fn label(&self) -> &'static str {
        match self {
            Self::List => "list",
            Self::Toggle(_) => "toggle",
            Self::Create => "create",
            Self::Update(_) => "update",
            Self::Archive(_) => "archive_toggle",
            Self::Stale(..) => "stale",
            Self::Switch(..) => "switch",
            Self::AddTag(_) => "add_tag",
            Self::User => "user",
            Self::ArchiveList => "archive",
            Self::Events(_) => "events",
            Self::LastHour => "last_hour",
            Self::SeenApplications => "seen_applications",
            Self::UsageHistory(_) => "usage_history",
            Self::Application(_) => "application",
            Self::DescribeApplication(_) => "describe_application",
            Self::Context(_) => "context",
            Self::CreateContextField => "create_context_field",
            Self::UpdateContextField(_) => "update_context_field",
            Self::UpdateAddon(_) => "update_addon",
            Self::ChangeProject(..) => "change_project",
        }
    }

    /// Returns true if the call has a JSON body.
    #[must_use]
    pub(super) fn has_body(&self) -> bool {
        match self {
            Self::List
            | Self::Toggle(_)
            | Self::Archive(_)
            | Self::Stale(..)
            | Self::Switch(..)
            | Self::User
            | Self::ArchiveList
            | Self::Events(_)
            | Self::LastHour
            | Self::SeenApplications
            | Self::UsageHistory(_)
            | Self::Application(_)
            | Self::Context(_) => false,
            Self::Create
            | Self::Update(_)
            | Self::AddTag(_)
            | Self::DescribeApplication(_)
            | Self::CreateContextField
            | Self::UpdateContextField(_)
            | Self::UpdateAddon(_) => true,
            Self::ChangeProject(_, has_body) => *has_body,
        }
    }

    /// Runs the call.
    pub(super) async fn run(&self, call: &Call) -> Result<HttpResponse, Failure> {
        match self {
            Self::List => list::list(call).await,
            Self::Toggle(name) => toggle::respond(call, name, StatusCode::OK).await,
            Self::Create => save::create(call).await,
            Self::Update(name) => save::update(call, name).await,
            Self::Archive(name) => lifecycle::archive(call, name).await,
            Self::Stale(name, is_stale) => lifecycle::set_stale(call, name, *is_stale).await,
            Self::Switch(name, is_on) => switch::switch(call, name, *is_on).await,
            Self::AddTag(name) => tags::add(call, name).await,
            Self::User => permissions::read_user(call).await,
            Self::ArchiveList => archive::list(call).await,
            Self::Events(toggle) => events::read(call, toggle.as_deref()).await,
            Self::LastHour => usage::read_all(call).await,
            Self::SeenApplications => usage::read_applications(call).await,
            Self::UsageHistory(name) => usage::read_history(call, name).await,
            Self::Application(name) => applications::read(call, name).await,
            Self::DescribeApplication(name) => applications::describe(call, name).await,
            Self::Context(name) => context::read(call, name.as_deref()).await,
            Self::CreateContextField => context::create(call).await,
            Self::UpdateContextField(name) => context::update(call, name).await,
            Self::UpdateAddon(id) => addons::update(call, id).await,
            Self::ChangeProject(path, _) => projects::change(call, path).await,
        }
    }
}
