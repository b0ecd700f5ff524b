//! An address of the service and what it answers, in one line each. A change cannot be written without the permission
//! that it takes.

use actix_web::dev::{AppService, HttpServiceFactory};
use actix_web::guard::{self, Guard};
use actix_web::middleware::{Next, from_fn};
use actix_web::{FromRequest, Handler, Resource, Responder, Route, web};

use super::auth::{Permission, gate};
use crate::error::ApiError;

/// An address of `api/admin`.
pub(super) struct Address(Resource);

/// An address of `api/admin`; methods that it has no route for find nothing there.
pub(super) fn at(path: &str) -> Address {
    Address(open_at(path))
}

/// An address that asks for no permission.
pub(super) fn open_at(path: &str) -> Resource {
    web::resource(path).default_service(web::to(ApiError::unknown_path))
}

/// GET, and HEAD, which is GET without the body.
pub(super) fn read() -> Route {
    web::route().guard(guard::fn_guard(|request| guard::Get().check(request) || guard::Head().check(request)))
}

impl Address {
    /// Reading takes no permission.
    pub(super) fn read<F, A>(self, handler: F) -> Self
    where
        F: Handler<A>,
        A: FromRequest + 'static,
        F::Output: Responder + 'static,
    {
        Self(self.0.route(read().to(handler)))
    }

    /// A POST that takes this permission.
    pub(super) fn post<F, A>(self, permission: Permission, handler: F) -> Self
    where
        F: Handler<A>,
        A: FromRequest + 'static,
        F::Output: Responder + 'static,
    {
        self.change(web::post(), permission, handler)
    }

    /// A POST, and nothing for other methods, so that a thing may be called like the end of this address.
    pub(super) fn post_alone<F, A>(self, permission: Permission, handler: F) -> Self
    where
        F: Handler<A>,
        A: FromRequest + 'static,
        F::Output: Responder + 'static,
    {
        Self(self.0.guard(guard::Post())).post(permission, handler)
    }

    /// A PUT that takes this permission.
    pub(super) fn put<F, A>(self, permission: Permission, handler: F) -> Self
    where
        F: Handler<A>,
        A: FromRequest + 'static,
        F::Output: Responder + 'static,
    {
        self.change(web::put(), permission, handler)
    }

    /// A DELETE that takes this permission.
    pub(super) fn delete<F, A>(self, permission: Permission, handler: F) -> Self
    where
        F: Handler<A>,
        A: FromRequest + 'static,
        F::Output: Responder + 'static,
    {
        self.change(web::delete(), permission, handler)
    }

    fn change<F, A>(self, route: Route, permission: Permission, handler: F) -> Self
    where
        F: Handler<A>,
        A: FromRequest + 'static,
        F::Output: Responder + 'static,
    {
        let permitted = from_fn(move |request, next: Next<_>| gate::permit(permission, request, next));
        Self(self.0.route(route.to(handler).wrap(permitted)))
    }
}

impl HttpServiceFactory for Address {
    fn register(self, config: &mut AppService) {
        self.0.register(config);
    }
}
