//! The calls of the console that are converted for newer servers.

use actix_web::HttpResponse;
use actix_web::http::{Method, StatusCode};
use percent_encoding::percent_decode_str;

use super::caller::ADMIN;
use super::failure::Failure;
use super::{Call, lifecycle, list, permissions, save, switch, toggle};

/// A call of the console, with the decoded names in its path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Operation {
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
    /// `GET user`
    User,
}

impl Operation {
    /// Returns the converted call with this method and path; `None` if the request is forwarded unchanged.
    #[must_use]
    pub(super) fn find(method: &Method, path: &str) -> Option<Self> {
        let path = path.strip_prefix(ADMIN)?.strip_prefix('/')?;
        let segments: Vec<String> = path
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
            ("GET", ["user"]) => Self::User,
            _ => return None,
        })
    }

    /// Returns true if the call has a JSON body.
    #[must_use]
    pub(super) fn has_body(&self) -> bool {
        match self {
            Self::Create | Self::Update(_) => true,
            Self::List
            | Self::Toggle(_)
            | Self::Archive(_)
            | Self::Stale(..)
            | Self::Switch(..)
            | Self::User => false,
        }
    }

    /// Runs the call.
    ///
    /// # Errors
    /// If the server refuses a request or does not respond.
    pub(super) async fn run(&self, call: &Call) -> Result<HttpResponse, Failure> {
        match self {
            Self::List => list::list(call).await,
            Self::Toggle(name) => toggle::respond(call, name, StatusCode::OK).await,
            Self::Create => save::create(call).await,
            Self::Update(name) => save::update(call, name).await,
            Self::Archive(name) => lifecycle::archive(call, name).await,
            Self::Stale(name, is_stale) => lifecycle::set_stale(call, name, *is_stale).await,
            Self::Switch(name, is_on) => switch::switch(call, name, *is_on).await,
            Self::User => permissions::read_user(call).await,
        }
    }
}
