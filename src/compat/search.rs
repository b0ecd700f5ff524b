//! The search for toggles (from 5.12), which returns them in pages.

use actix_web::http::Method;
use bytes::Bytes;
use serde::Deserialize;

use super::failure::Failure;
use super::{Call, encode};

/// Number of toggles in a page. Servers treat larger numbers as 50.
const PAGE_SIZE: usize = 100;
/// Maximum number of pages of one search. 8.2 allows 15 requests per minute for each client address.
const MAX_PAGES: usize = 10;
/// Maximum number of pages on servers without that limit: 10,000 toggles.
const MAX_PAGES_UNLIMITED: usize = 100;

/// The part of a page that shows whether there are more.
#[derive(Deserialize)]
struct Page {
    total: usize,
}

/// The pages of a search.
pub(super) struct Pages {
    pub(super) pages: Vec<Bytes>,
    /// Number of all toggles, if the pages do not contain all.
    pub(super) total: Option<usize>,
}

/// Reads all pages of the toggles that match `query`, such as `archived=IS%3Atrue`. Toggles beyond the maximum number of
/// pages are left out.
pub(super) async fn pages(call: &Call, query: &str) -> Result<Pages, Failure> {
    let project = call.server.project.as_ref();
    let project = project.map(|id| format!("&project=IS%3A{}", encode(id))).unwrap_or_default();
    let mut pages = Vec::new();
    let mut max_pages = MAX_PAGES_UNLIMITED;
    let mut all = 0;
    while pages.len() < max_pages {
        let offset = pages.len() * PAGE_SIZE;
        let path = format!("/search/features?{query}{project}&limit={PAGE_SIZE}&offset={offset}");
        let reply = call.caller.request(Method::GET, &path, None).await?;
        if reply.is_rate_limited() {
            max_pages = MAX_PAGES;
        }
        let Page { total } = reply.parse(&path)?;
        pages.push(reply.body);
        if offset + PAGE_SIZE >= total {
            return Ok(Pages { pages, total: None });
        }
        all = total;
    }
    Ok(Pages { pages, total: Some(all) })
}
