//! Dispatches requests for an upstream. If users sign in at this program, `upstream_access` handles the requests first.

use std::rc::Rc;

use actix_web::Error;
use actix_web::dev::{ServiceRequest, ServiceResponse};

use super::forwarder::Forwarder;
use super::upstream_access::UpstreamAccess;
use crate::compat::Compat;
use crate::journal::Journal;
use crate::proxy::Proxy;
use crate::sdk::replica::Replica;

/// The dispatcher of one worker.
pub(crate) struct Dispatcher {
    forwarder: Forwarder,
    journal: Option<Journal>,
    /// `None` if users sign in at the upstream.
    access: Option<UpstreamAccess>,
}

impl Dispatcher {
    pub(crate) fn new(
        proxy: &Rc<Proxy>,
        compat: &Rc<Compat>,
        replica: Option<Replica>,
        journal: Option<Journal>,
        access: Option<UpstreamAccess>,
    ) -> Self {
        Self { forwarder: Forwarder::new(proxy, compat, replica), journal, access }
    }
}

/// Responds to a request for the upstream.
pub(crate) async fn dispatch(
    dispatcher: Rc<Dispatcher>,
    request: ServiceRequest,
) -> Result<ServiceResponse, Error> {
    let Dispatcher { forwarder, journal, access } = &*dispatcher;
    // Boxed like the conversion.
    if let Some(access) = access {
        return Box::pin(access.dispatch(forwarder, request)).await;
    }
    if journal.is_some() {
        Box::pin(forwarder.compat().note_person(request.request(), journal.as_ref())).await;
    }
    let compat = forwarder.compat();
    Box::pin(compat.respond_to_same_user(request, async |request| forwarder.pass_on(request).await)).await
}
