//! Forwards requests to the upstream, or converts them for servers with environments.

use std::rc::Rc;

use actix_web::Error;
use actix_web::dev::{ServiceRequest, ServiceResponse};

use super::forwarded_holds::{self, Handled};
use crate::compat::{Compat, Conversion};
use crate::proxy::{self, Proxy};
use crate::sdk::replica::Replica;

/// The forwarder of one worker.
pub(super) struct Forwarder {
    proxy: Rc<Proxy>,
    compat: Rc<Compat>,
    /// Toggles that are held for SDKs. `None` if SDKs get everything from the upstream, so that none can be held.
    replica: Option<Replica>,
}

impl Forwarder {
    pub(super) fn new(proxy: &Rc<Proxy>, compat: &Rc<Compat>, replica: Option<Replica>) -> Self {
        Self { proxy: Rc::clone(proxy), compat: Rc::clone(compat), replica }
    }

    /// Returns the proxy of the worker.
    pub(super) fn proxy(&self) -> &Rc<Proxy> {
        &self.proxy
    }

    /// Returns the converter of the worker.
    pub(super) fn compat(&self) -> &Compat {
        &self.compat
    }

    /// Forwards a request unchanged, or converts it if the upstream does not offer the call.
    pub(super) async fn pass_on(&self, mut request: ServiceRequest) -> Result<ServiceResponse, Error> {
        let Self { proxy, compat, replica } = self;
        // Without a hold, this is the read of one atomic number.
        if let Some(replica) = replica
            && !replica.holds().is_empty()
        {
            match Box::pin(forwarded_holds::respond(proxy, replica, request)).await {
                Handled::Response(response) => return Ok(response),
                Handled::Other(other) => request = other,
            }
        }
        if let Some(operation) = compat.find_operation(&request) {
            // Boxed, because otherwise this future would enlarge the future of every forwarded request.
            match Box::pin(compat.convert(operation, request)).await? {
                Conversion::Converted(response) => return Ok(response),
                Conversion::NotNecessary(unchanged) => request = unchanged,
            }
        }
        let observer = compat.observe_request(&request).await;
        let response = proxy::forward(Rc::clone(proxy), request).await?;
        observer.observe_response(&response).await;
        Ok(response)
    }
}
