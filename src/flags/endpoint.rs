//! Declaration of an endpoint: method, path, authorization, handler, and its description in the OpenAPI document.
//!
//! Each noun declares its endpoints once, in its `routes.rs`. `registration` derives the actix routes from the
//! declarations; the top-level module `openapi` derives the document.

mod registration;
pub(crate) mod schema;

use std::borrow::Cow;
use std::rc::Rc;

use actix_web::guard::{self, Guard};
use actix_web::http::Method;
use actix_web::middleware::{Next, from_fn};
use actix_web::{FromRequest, Handler, Responder, Route, web};
use serde_json::{Value, json};
use url::form_urlencoded;

use super::auth::{Permission, guards};
use super::validation::RequestBody;
use crate::api::limits::MAX_FILTER_VALUES;
use crate::config::AuthMode;
use crate::middleware::compress::compress;

pub(super) use self::registration::register;
use self::schema::{ResponseBody, Schema};

/// Path prefix of the endpoints that require a session.
pub(super) const ADMIN_PREFIX: &str = "/api/admin";
/// Path prefix of the endpoints of client libraries.
pub(super) const CLIENT_PREFIX: &str = "/api/client";

/// Returns the first value of a parameter in the query of a URL, decoded.
pub(super) fn query_value<'q>(query: &'q str, name: &str) -> Option<Cow<'q, str>> {
    form_urlencoded::parse(query.as_bytes()).find(|(key, _)| key == name).map(|(_, value)| value)
}

/// An endpoint of the service. Each worker creates its own, because handlers cannot move to another thread.
pub struct Endpoint {
    /// The method. GET endpoints for reading also accept HEAD.
    pub method: Method,
    /// The path below the prefix of the authorization, with parameters in braces.
    pub path: &'static str,
    /// The authorization of requests.
    pub authorization: Authorization,
    /// The auth modes in which the endpoint exists; `None` if it exists in all.
    pub modes: Option<&'static [AuthMode]>,
    /// The summary.
    pub summary: Cow<'static, str>,
    /// A text that follows the summary; may be empty.
    pub note: Cow<'static, str>,
    /// The query parameters.
    pub query: Vec<QueryParameter>,
    /// The request body that the handler reads.
    pub body: Option<Schema>,
    /// The successful responses: status and body.
    pub responses: Vec<(u16, Option<Schema>)>,
    /// The media type of the other form of a successful response, besides JSON.
    pub other_form: Option<&'static str>,
    /// Whether the body of the response is a stream of events.
    pub has_events: bool,
    /// The error statuses besides those that every endpoint of its kind has.
    pub errors: Vec<u16>,
    /// Whether a successful response with a body has the strong entity tag of the item in it.
    pub is_tagged: bool,
    /// Whether the change compares `If-Match` with the entity tag of its item. Other changes refuse tags.
    pub is_conditional: bool,
    route: Route,
    guards: Vec<Rc<dyn Guard>>,
}

/// The authorization of the requests to an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Authorization {
    /// None.
    Public,
    /// A session, if users sign in.
    Session,
    /// A session of a user with this permission.
    Permission(Permission),
    /// A client token of an SDK, if client tokens exist.
    ClientToken,
}

/// A query parameter.
pub struct QueryParameter {
    /// The name.
    pub name: &'static str,
    /// The description.
    pub description: &'static str,
    /// Returns the JSON schema.
    pub schema: fn() -> Value,
}

/// Declares a read of `/api/admin`, for GET and HEAD. Reading requires no permission.
pub(super) fn get<A: FromRequest + 'static>(
    path: &'static str,
    handler: impl Handler<A, Output: Responder + 'static>,
) -> Endpoint {
    Endpoint::new(Method::GET, path, Authorization::Session, get_or_head().to(handler))
}

/// Declares a read of `/api/admin` that requires this permission, for GET and HEAD.
pub(super) fn get_with<A: FromRequest + 'static>(
    path: &'static str,
    permission: Permission,
    handler: impl Handler<A, Output: Responder + 'static>,
) -> Endpoint {
    Endpoint::with_permission(Method::GET, path, permission, get_or_head().to(handler))
}

/// Declares a change of `/api/admin` that requires this permission.
pub(super) fn post<A: FromRequest + 'static>(
    path: &'static str,
    permission: Permission,
    handler: impl Handler<A, Output: Responder + 'static>,
) -> Endpoint {
    Endpoint::with_permission(Method::POST, path, permission, web::post().to(handler))
}

/// Declares a change of `/api/admin` that requires this permission. Other methods go to the next path that matches,
/// because an item may have a name like the end of this path.
pub(super) fn post_only<A: FromRequest + 'static>(
    path: &'static str,
    permission: Permission,
    handler: impl Handler<A, Output: Responder + 'static>,
) -> Endpoint {
    post(path, permission, handler).only_if(guard::Post())
}

/// Declares a change of `/api/admin` that requires this permission.
pub(super) fn put<A: FromRequest + 'static>(
    path: &'static str,
    permission: Permission,
    handler: impl Handler<A, Output: Responder + 'static>,
) -> Endpoint {
    Endpoint::with_permission(Method::PUT, path, permission, web::put().to(handler))
}

/// Declares a change of `/api/admin` that requires this permission.
pub(super) fn delete<A: FromRequest + 'static>(
    path: &'static str,
    permission: Permission,
    handler: impl Handler<A, Output: Responder + 'static>,
) -> Endpoint {
    Endpoint::with_permission(Method::DELETE, path, permission, web::delete().to(handler))
}

/// Declares a read of `/api/client`, for GET and HEAD.
pub(super) fn client_get<A: FromRequest + 'static>(
    path: &'static str,
    handler: impl Handler<A, Output: Responder + 'static>,
) -> Endpoint {
    Endpoint::new(Method::GET, path, Authorization::ClientToken, get_or_head().to(handler))
}

/// Declares a stream of server-sent events of `/api/client`. HEAD returns 404.
pub(super) fn client_events<A: FromRequest + 'static>(
    path: &'static str,
    handler: impl Handler<A, Output: Responder + 'static>,
) -> Endpoint {
    let endpoint = Endpoint::new(Method::GET, path, Authorization::ClientToken, web::get().to(handler));
    Endpoint { has_events: true, ..endpoint.returns_empty(200) }
}

/// Declares a report of `/api/client`.
pub(super) fn client_post<A: FromRequest + 'static>(
    path: &'static str,
    handler: impl Handler<A, Output: Responder + 'static>,
) -> Endpoint {
    Endpoint::new(Method::POST, path, Authorization::ClientToken, web::post().to(handler))
}

/// Declares a read without authorization, for GET and HEAD.
pub(super) fn public_get<A: FromRequest + 'static>(
    path: &'static str,
    handler: impl Handler<A, Output: Responder + 'static>,
) -> Endpoint {
    Endpoint::new(Method::GET, path, Authorization::Public, get_or_head().to(handler))
}

/// Declares a GET without authorization that has an effect. HEAD returns 404.
pub(super) fn public_action<A: FromRequest + 'static>(
    path: &'static str,
    handler: impl Handler<A, Output: Responder + 'static>,
) -> Endpoint {
    Endpoint::new(Method::GET, path, Authorization::Public, web::get().to(handler))
}

/// Declares a POST without authorization.
pub(super) fn public_post<A: FromRequest + 'static>(
    path: &'static str,
    handler: impl Handler<A, Output: Responder + 'static>,
) -> Endpoint {
    Endpoint::new(Method::POST, path, Authorization::Public, web::post().to(handler))
}

fn get_or_head() -> Route {
    web::route().guard(guard::fn_guard(|request| guard::Get().check(request) || guard::Head().check(request)))
}

impl Endpoint {
    fn new(method: Method, path: &'static str, authorization: Authorization, route: Route) -> Self {
        Self {
            method,
            path,
            authorization,
            modes: None,
            summary: Cow::default(),
            note: Cow::default(),
            query: Vec::new(),
            body: None,
            responses: Vec::new(),
            other_form: None,
            has_events: false,
            errors: Vec::new(),
            is_tagged: false,
            is_conditional: false,
            route,
            guards: Vec::new(),
        }
    }

    fn with_permission(method: Method, path: &'static str, permission: Permission, route: Route) -> Self {
        Self::new(method, path, Authorization::Permission(permission), route)
    }

    /// Returns the route with the checks of its requests.
    fn into_route(self) -> Route {
        let Authorization::Permission(permission) = self.authorization else { return self.route };
        let check_permission =
            from_fn(move |request, next: Next<_>| guards::require_permission(permission, request, next));
        // The last one runs first.
        let route = if self.is_conditional || self.method == Method::GET {
            self.route
        } else {
            self.route.wrap(from_fn(guards::refuse_conditions))
        };
        route.wrap(check_permission)
    }

    /// Restricts the endpoint to these auth modes.
    pub(super) fn only_in(self, modes: &'static [AuthMode]) -> Self {
        Self { modes: Some(modes), ..self }
    }

    /// Adds a condition. Requests that do not meet it go to the next path that matches.
    pub(super) fn only_if(mut self, guard: impl Guard + 'static) -> Self {
        self.guards.push(Rc::new(guard));
        self
    }

    /// Compresses the responses. `/api/admin` compresses the responses of all its endpoints.
    pub(super) fn compressed(self) -> Self {
        Self { route: self.route.wrap(from_fn(compress)), ..self }
    }

    /// Sets the summary.
    pub(super) fn summary(self, summary: impl Into<Cow<'static, str>>) -> Self {
        Self { summary: summary.into(), ..self }
    }

    /// Sets a text that follows the summary.
    pub(super) fn note(self, note: impl Into<Cow<'static, str>>) -> Self {
        Self { note: note.into(), ..self }
    }

    /// Adds an optional query parameter. A list is a repeated parameter.
    pub(super) fn query(
        mut self,
        name: &'static str,
        description: &'static str,
        schema: fn() -> Value,
    ) -> Self {
        self.query.push(QueryParameter { name, description, schema });
        self
    }

    /// Adds the optional query parameters that select toggles.
    pub(super) fn toggle_filter(self) -> Self {
        self.query("tag", "Only toggles with any of these tags, each as type:value", || {
            let tag = json!({ "type": "string", "pattern": "^[^:]+:." });
            json!({ "type": "array", "maxItems": MAX_FILTER_VALUES, "items": tag })
        })
        .query("project", "Only toggles of these projects", || {
            let project = json!({ "type": "string" });
            json!({ "type": "array", "maxItems": MAX_FILTER_VALUES, "items": project })
        })
        .query(
            "namePrefix",
            "Only toggles whose name starts with this text",
            || json!({ "type": "string" }),
        )
    }

    /// Sets the type of the request body.
    pub(super) fn body<B: RequestBody>(self) -> Self {
        Self { body: Some(Schema::of_request::<B>()), ..self }
    }

    /// Sets the type of the request body, which replaces the item whose key is in the path.
    pub(super) fn replacement<B: RequestBody>(self) -> Self {
        Self { body: Some(Schema::of_replacement::<B>()), ..self }
    }

    /// Adds a successful response with a body of this type.
    pub(super) fn returns<T: ResponseBody>(mut self, status: u16) -> Self {
        self.responses.push((status, Some(Schema::of_response::<T>())));
        self
    }

    /// Adds a successful response without a body.
    pub(super) fn returns_empty(mut self, status: u16) -> Self {
        self.responses.push((status, None));
        self
    }

    /// Declares that a query parameter selects this media type instead of JSON, for the same content.
    pub(super) fn or_as(self, media_type: &'static str) -> Self {
        Self { other_form: Some(media_type), ..self }
    }

    /// Declares that the handler returns the strong entity tag of an item (`TaggedJson`).
    pub(super) fn tagged(self) -> Self {
        Self { is_tagged: true, ..self }
    }

    /// Declares that the handler compares `If-Match` with the entity tag of the item (`ConditionalAuthor`).
    pub(super) fn conditional(self) -> Self {
        Self { is_conditional: true, ..self }
    }

    /// Adds error responses besides those that every endpoint of its kind has.
    pub(super) fn fails_with(mut self, statuses: &[u16]) -> Self {
        self.errors.extend(statuses);
        self
    }
}

impl Authorization {
    /// Returns the path prefix of the endpoints with this authorization.
    #[must_use]
    pub fn prefix(self) -> &'static str {
        match self {
            Self::Public => "",
            Self::Session | Self::Permission(_) => ADMIN_PREFIX,
            Self::ClientToken => CLIENT_PREFIX,
        }
    }
}
