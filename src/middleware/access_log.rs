//! One line a request: method, path, status, time, client and its name. Never the query, headers or bodies: they can hold secrets.
//!
//! What thousands of client libraries ask and report by themselves is worth a line only when it goes wrong, or to those
//! who set the level to debug: it would fill disks with lines that say nothing.

use std::rc::Rc;

use actix_web::http::StatusCode;
use actix_web::http::header::HeaderValue;

use super::Asked;
use super::client::Client;

/// What client libraries call, below any base path.
const OF_CLIENTS: &str = "/api/client/";

/// Stands for the status of an answer that nobody waited for, as in the logs of other proxies.
const LEFT: u16 = 499;

/// What is logged of a request as soon as this goes: when its answer begins, or when its client leaves before.
pub(super) struct Line {
    asked: Asked,
    client: Rc<Client>,
    id: HeaderValue,
    status: u16,
}

impl Line {
    pub(super) fn of(asked: Asked, client: Rc<Client>, id: HeaderValue) -> Self {
        Self { asked, client, id, status: LEFT }
    }

    pub(super) fn asked(&self) -> &Asked {
        &self.asked
    }

    /// The answer begins.
    pub(super) fn end(mut self, status: StatusCode) {
        self.status = status.as_u16();
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        let Self { asked: Asked { at, method, uri }, client, id, status } = self;
        let (client, path, id) = (client.address_text(), uri.path(), id.to_str().unwrap_or_default());
        let microseconds = u64::try_from(at.elapsed().as_micros()).unwrap_or(u64::MAX);
        if path.contains(OF_CLIENTS) && *status < 400 {
            tracing::debug!(%method, path, status, microseconds, %client, id, "request");
        } else {
            tracing::info!(%method, path, status, microseconds, %client, id, "request");
        }
    }
}
