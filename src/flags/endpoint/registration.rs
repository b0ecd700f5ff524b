//! Registers declared endpoints as actix resources.

use actix_web::middleware::from_fn;
use actix_web::web::{self, ServiceConfig};

use super::{Authorization, Endpoint};
use crate::error::ApiError;
use crate::flags::media_type::require_json;

/// Registers endpoints that have the same prefix. Other methods of their paths return 404.
pub(in crate::flags) fn register(scope: &mut ServiceConfig, endpoints: Vec<Endpoint>) {
    for endpoints in group_by_path(endpoints) {
        let Some(first) = endpoints.first() else { continue };
        let mut resource = web::resource(first.path).default_service(web::to(ApiError::unknown_path));
        // The scopes of the other endpoints require JSON.
        let is_public_write = endpoints.iter().any(Endpoint::is_public_write);
        for endpoint in endpoints {
            resource = endpoint.guards.iter().cloned().fold(resource, actix_web::Resource::guard);
            resource = resource.route(endpoint.into_route());
        }
        if is_public_write {
            scope.service(resource.wrap(from_fn(require_json)));
        } else {
            scope.service(resource);
        }
    }
}

/// Groups endpoints by path, in the order of their declaration: actix uses the first resource that matches a path.
///
/// A conditional endpoint is a group of its own: its conditions would otherwise apply to all methods of the path.
fn group_by_path(endpoints: Vec<Endpoint>) -> Vec<Vec<Endpoint>> {
    let mut groups: Vec<Vec<Endpoint>> = Vec::new();
    for endpoint in endpoints {
        let group =
            groups.iter_mut().find(|group| group.iter().all(|other| other.shares_resource(&endpoint)));
        match group {
            Some(group) => group.push(endpoint),
            None => groups.push(vec![endpoint]),
        }
    }
    groups
}

impl Endpoint {
    fn shares_resource(&self, other: &Self) -> bool {
        self.path == other.path && self.guards.is_empty() && other.guards.is_empty()
    }

    fn is_public_write(&self) -> bool {
        self.authorization == Authorization::Public && !self.method.is_safe()
    }
}
