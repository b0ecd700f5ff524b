//! Detects the flag service without a user, with the credentials of `--upstream-header`.

use std::rc::Rc;
use std::time::Duration;

use actix_web::http::header::HeaderMap;

use super::caller::Caller;
use super::failure::Failure;
use super::{CompatState, Fixed, detection};
use crate::config::{BasePath, RequestLimits, Upstream};
use crate::error::ApiError;
use crate::middleware::client::Client;
use crate::proxy::{Proxy, ProxyState};

/// Pause between two detections. It is shorter than the age at which a user's request would have to detect.
const INTERVAL: Duration = Duration::from_mins(4);
/// Pause while the flag service cannot be reached.
const RETRY_INTERVAL: Duration = Duration::from_secs(15);

/// Detects the flag service at start and every few minutes, until the future is dropped. Returns at once without configured
/// credentials: then only requests of users can detect it.
pub async fn watch(proxy: ProxyState, state: CompatState) {
    if !state.has_credentials {
        return;
    }
    let caller = own_caller(&proxy);
    loop {
        let pause = match state.detection.refresh(&caller, &state.fixed).await {
            Ok(_) | Err(Failure::Refused(_)) => INTERVAL,
            Err(Failure::Api(_)) => RETRY_INTERVAL,
        };
        tokio::time::sleep(pause).await;
    }
}

/// Detects the kind of a flag service once; `None` if it refuses the configured credentials or does not respond.
pub(crate) async fn detect(
    upstream: &Upstream,
    limits: &RequestLimits,
) -> Result<Option<detection::Kind>, ApiError> {
    let proxy = ProxyState::new(upstream, &BasePath::default(), limits)?;
    let fixed = Fixed { environment: upstream.environment.clone(), project: upstream.project.clone() };
    Ok(detection::detect(&own_caller(&proxy), &fixed, None).await.ok().map(|(_, kind)| kind))
}

/// Returns a caller without a user. The proxy adds the configured credentials to its requests.
fn own_caller(proxy: &ProxyState) -> Caller {
    Caller::with_headers(&Rc::new(Proxy::new(proxy)), Rc::new(Client::local()), HeaderMap::new())
}
