//! Dispatches requests for an upstream: forwards them, or converts them for servers with environments. If users sign in at this
//! program, `upstream_access` handles the requests first.

use std::rc::Rc;

use actix_web::Error;
use actix_web::dev::{ServiceRequest, ServiceResponse};

use super::upstream_access::UpstreamAccess;
use crate::compat::{Compat, Conversion};
use crate::journal::Journal;
use crate::proxy::{self, Proxy};

/// The dispatcher of one worker.
pub(crate) struct Dispatcher {
    proxy: Rc<Proxy>,
    compat: Rc<Compat>,
    journal: Option<Journal>,
    /// `None` if users sign in at the upstream.
    access: Option<UpstreamAccess>,
}

impl Dispatcher {
    pub(crate) fn new(
        proxy: &Rc<Proxy>,
        compat: &Rc<Compat>,
        journal: Option<Journal>,
        access: Option<UpstreamAccess>,
    ) -> Self {
        Self { proxy: Rc::clone(proxy), compat: Rc::clone(compat), journal, access }
    }

    /// Returns the proxy of the worker.
    pub(super) fn proxy(&self) -> &Proxy {
        &self.proxy
    }

    /// Returns the journal.
    pub(super) fn journal(&self) -> Option<&Journal> {
        self.journal.as_ref()
    }

    /// Forwards a request unchanged, or converts it if the upstream does not offer the call.
    pub(super) async fn pass_on(&self, mut request: ServiceRequest) -> Result<ServiceResponse, Error> {
        let Self { proxy, compat, .. } = self;
        if let Some(operation) = compat.find_operation(&request) {
            // Boxed, because otherwise this future would enlarge the future of every forwarded request.
            match Box::pin(compat.convert(operation, request)).await? {
                Conversion::Converted(response) => return Ok(response),
                Conversion::NotNecessary(unchanged) => request = unchanged,
            }
        }
        let observer = compat.observe_request(&mut request).await;
        let response = proxy::forward(Rc::clone(proxy), request).await?;
        observer.observe_response(response.request(), response.status()).await;
        Ok(response)
    }
}

/// Responds to a request for the upstream.
pub(crate) async fn dispatch(
    dispatcher: Rc<Dispatcher>,
    request: ServiceRequest,
) -> Result<ServiceResponse, Error> {
    let Dispatcher { compat, journal, access, .. } = &*dispatcher;
    // Boxed like the conversion.
    if let Some(access) = access {
        return Box::pin(access.dispatch(&dispatcher, request)).await;
    }
    if journal.is_some() {
        Box::pin(compat.note_person(request.request(), journal.as_ref())).await;
    }
    dispatcher.pass_on(request).await
}
