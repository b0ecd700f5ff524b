//! The indexes of the admin API and of the API of client libraries: links to its resources, with the names of Unleash 3.

use std::collections::BTreeMap;

use actix_web::web::Json;

use crate::api::{ApiLink, ApiPartIndex};

/// Version of the parts of the API, as in Unleash 3.
const PART_VERSION: u32 = 3;

const ADMIN_LINKS: &[(&str, &str)] = &[
    ("feature-toggles", "/api/admin/features"),
    ("feature-archive", "/api/admin/archive"),
    ("strategies", "/api/admin/strategies"),
    ("events", "/api/admin/events"),
    ("metrics", "/api/admin/metrics"),
    ("state", "/api/admin/state"),
    ("context", "/api/admin/context"),
    ("tags", "/api/admin/tags"),
    ("tag-types", "/api/admin/tag-types"),
];

const CLIENT_LINKS: &[(&str, &str)] = &[
    ("feature-toggles", "/api/client/features"),
    ("register", "/api/client/register"),
    ("metrics", "/api/client/metrics"),
];

pub(in crate::flags) async fn show_admin() -> Json<ApiPartIndex> {
    Json(ApiPartIndex { version: PART_VERSION, links: links(ADMIN_LINKS) })
}

pub(in crate::flags) async fn show_client() -> Json<ApiPartIndex> {
    Json(ApiPartIndex { version: PART_VERSION, links: links(CLIENT_LINKS) })
}

fn links(resources: &[(&'static str, &'static str)]) -> BTreeMap<&'static str, ApiLink> {
    resources.iter().map(|(name, uri)| (*name, ApiLink { uri })).collect()
}
