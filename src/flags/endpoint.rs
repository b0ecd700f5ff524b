//! URL paths with their methods, handlers and permissions. A route for a change requires a permission.

use actix_web::dev::{AppService, HttpServiceFactory};
use actix_web::guard::{self, Guard};
use actix_web::middleware::{Next, from_fn};
use actix_web::{FromRequest, Handler, Resource, Responder, Route, web};

use super::auth::{Permission, guards};
use crate::error::ApiError;

/// A path of `/api/admin` with its routes.
pub(super) struct Endpoint(Resource);

/// Creates an endpoint of `/api/admin`. Methods without a route return 404.
pub(super) fn endpoint(path: &str) -> Endpoint {
    Endpoint(public_endpoint(path))
}

/// Creates a resource that requires no permission. Methods without a route return 404.
pub(super) fn public_endpoint(path: &str) -> Resource {
    web::resource(path).default_service(web::to(ApiError::unknown_path))
}

/// Creates a route for GET and HEAD.
pub(super) fn get_or_head() -> Route {
    web::route().guard(guard::fn_guard(|request| guard::Get().check(request) || guard::Head().check(request)))
}

impl Endpoint {
    /// Adds a handler for GET and HEAD. Reading requires no permission.
    pub(super) fn get<F, A>(self, handler: F) -> Self
    where
        F: Handler<A>,
        A: FromRequest + 'static,
        F::Output: Responder + 'static,
    {
        Self(self.0.route(get_or_head().to(handler)))
    }

    /// Adds a handler for POST that requires this permission.
    pub(super) fn post<F, A>(self, permission: Permission, handler: F) -> Self
    where
        F: Handler<A>,
        A: FromRequest + 'static,
        F::Output: Responder + 'static,
    {
        self.add_change(web::post(), permission, handler)
    }

    /// Adds a handler for POST that requires this permission. Other methods go to the next matching endpoint, because
    /// an item may have a name like the end of this path.
    pub(super) fn post_only<F, A>(self, permission: Permission, handler: F) -> Self
    where
        F: Handler<A>,
        A: FromRequest + 'static,
        F::Output: Responder + 'static,
    {
        Self(self.0.guard(guard::Post())).post(permission, handler)
    }

    /// Adds a handler for PUT that requires this permission.
    pub(super) fn put<F, A>(self, permission: Permission, handler: F) -> Self
    where
        F: Handler<A>,
        A: FromRequest + 'static,
        F::Output: Responder + 'static,
    {
        self.add_change(web::put(), permission, handler)
    }

    /// Adds a handler for DELETE that requires this permission.
    pub(super) fn delete<F, A>(self, permission: Permission, handler: F) -> Self
    where
        F: Handler<A>,
        A: FromRequest + 'static,
        F::Output: Responder + 'static,
    {
        self.add_change(web::delete(), permission, handler)
    }

    fn add_change<F, A>(self, route: Route, permission: Permission, handler: F) -> Self
    where
        F: Handler<A>,
        A: FromRequest + 'static,
        F::Output: Responder + 'static,
    {
        let check_permission =
            from_fn(move |request, next: Next<_>| guards::require_permission(permission, request, next));
        Self(self.0.route(route.to(handler).wrap(check_permission)))
    }
}

impl HttpServiceFactory for Endpoint {
    fn register(self, config: &mut AppService) {
        self.0.register(config);
    }
}
