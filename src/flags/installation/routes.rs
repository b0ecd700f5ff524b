//! Endpoints of the service's health and version, and the index of the API.

use super::{handlers, index};
use crate::api::{ApiPartIndex, HealthResponse, UiConfig};
use crate::flags::endpoint::{Endpoint, client_get, get, public_get};

pub(in crate::flags) fn endpoints() -> Vec<Endpoint> {
    vec![
        public_get("/health", handlers::health)
            .summary("Check the health of the service")
            .returns::<HealthResponse>(200)
            .returns::<HealthResponse>(500),
        get("/ui-config", handlers::ui_config)
            .summary("Get the name and version of the server")
            .returns::<UiConfig>(200),
        get("", index::show_admin)
            .summary("List the resources of the admin API")
            .returns::<ApiPartIndex>(200),
        client_get("", index::show_client)
            .summary("List the resources of the API of client libraries")
            .returns::<ApiPartIndex>(200),
    ]
}
