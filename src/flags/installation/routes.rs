//! Endpoints of the service's health and version.

use super::handlers as session;
use crate::flags::endpoint::{Endpoint, get, public_get};
use crate::flags::model::{Health, UiConfig};

pub(in crate::flags) fn endpoints() -> Vec<Endpoint> {
    vec![
        public_get("/health", session::health)
            .summary("Check the health of the service")
            .returns::<Health>(200)
            .returns::<Health>(500),
        get("/ui-config", session::ui_config)
            .summary("Get the name and version of the server")
            .returns::<UiConfig>(200),
    ]
}
