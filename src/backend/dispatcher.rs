//! Dispatches requests for an upstream: forwards them, or converts them for servers with environments.

use std::rc::Rc;

use actix_web::Error;
use actix_web::dev::{ServiceRequest, ServiceResponse};

use crate::compat::{Compat, Conversion};
use crate::journal::Journal;
use crate::proxy::{self, Proxy};

/// The dispatcher of one worker.
pub(crate) struct Dispatcher {
    proxy: Rc<Proxy>,
    compat: Rc<Compat>,
    journal: Option<Journal>,
}

impl Dispatcher {
    pub(crate) fn new(proxy: &Rc<Proxy>, compat: &Rc<Compat>, journal: Option<Journal>) -> Self {
        Self { proxy: Rc::clone(proxy), compat: Rc::clone(compat), journal }
    }
}

/// Forwards a request unchanged, or converts it if the upstream does not offer the call, and responds to the client.
pub(crate) async fn dispatch(
    dispatcher: Rc<Dispatcher>,
    mut request: ServiceRequest,
) -> Result<ServiceResponse, Error> {
    let Dispatcher { proxy, compat, journal } = &*dispatcher;
    if journal.is_some() {
        // Boxed like the conversion below.
        Box::pin(compat.note_person(request.request(), journal.as_ref())).await;
    }
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
