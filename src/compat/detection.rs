//! Detects the kind of the flag service by requesting endpoints that only some versions have.
//!
//! Servers refuse all requests without credentials. Therefore requests of signed-in users detect the kind; the result
//! applies to all users and is refreshed after [`MAX_AGE`], after a failure of the upstream, and with page loads.

mod probe;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use actix_web::http::StatusCode;
use tokio::time::Instant;

pub(super) use self::probe::detect;
use super::caller::Caller;
use super::failure::Failure;
use crate::console_api::NewerServer;

/// Age after which the next request of a user detects the kind again.
const MAX_AGE: Duration = Duration::from_mins(5);
/// Age up to which a page load and a missing item do not detect the kind again.
pub(super) const FRESH: Duration = Duration::from_secs(30);

/// Kind of a flag service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// A server up to 4.2 without environments, whose API is that of the console.
    Older,
    /// A server with projects and environments.
    Newer(Arc<NewerServer>),
}

/// The last detected kind, which all workers share.
#[derive(Debug, Default)]
pub(super) struct Detection {
    state: Mutex<State>,
    /// Held while a request detects the kind, so that others wait for its result.
    running: tokio::sync::Mutex<()>,
}

#[derive(Debug, Default)]
struct State {
    last: Option<(Kind, Instant)>,
    /// Kind in the log, which contains each change once.
    logged: Option<Kind>,
}

/// The selection of the operator (`--upstream-environment`, `--upstream-project`).
#[derive(Debug, Clone, Default)]
pub(super) struct Fixed {
    /// Name of the environment.
    pub(super) environment: Option<String>,
    /// Id of the project.
    pub(super) project: Option<String>,
}

impl Detection {
    /// Returns the last detected kind and its age.
    #[must_use]
    pub(super) fn last(&self) -> Option<(Kind, Duration)> {
        self.lock().last.as_ref().map(|(kind, at)| (kind.clone(), at.elapsed()))
    }

    /// Returns the kind if it was detected recently.
    #[must_use]
    pub(super) fn recent(&self) -> Option<Kind> {
        self.last().filter(|(_, age)| *age < MAX_AGE).map(|(kind, _)| kind)
    }

    /// Forgets the result if a response indicates that the server may have changed.
    ///
    /// During an upgrade the server is unavailable for a moment. Afterwards some endpoints are missing; toggles can be
    /// missing too, so that this counts only if the result is not [`FRESH`].
    pub(super) fn observe(&self, status: StatusCode) {
        let is_expired = match status {
            StatusCode::BAD_GATEWAY | StatusCode::SERVICE_UNAVAILABLE | StatusCode::GATEWAY_TIMEOUT => true,
            StatusCode::NOT_FOUND | StatusCode::GONE => self.last().is_some_and(|(_, age)| age >= FRESH),
            _ => false,
        };
        if is_expired {
            self.lock().last = None;
        }
    }

    /// Returns the kind, and detects it with requests of this user if necessary.
    ///
    /// # Errors
    /// If the server does not respond, or refuses the user's credentials.
    pub(super) async fn kind(&self, caller: &Caller, fixed: &Fixed) -> Result<Kind, Failure> {
        if let Some(kind) = self.recent() {
            return Ok(kind);
        }
        let _running = self.running.lock().await;
        match self.recent() {
            Some(kind) => Ok(kind),
            None => self.refresh(caller, fixed).await,
        }
    }

    /// Detects the kind with requests of this user.
    ///
    /// # Errors
    /// If the server does not respond, or refuses the user's credentials.
    pub(super) async fn refresh(&self, caller: &Caller, fixed: &Fixed) -> Result<Kind, Failure> {
        let kind = detect(caller, fixed).await?;
        let mut state = self.lock();
        state.last = Some((kind.clone(), Instant::now()));
        if state.logged.as_ref() != Some(&kind) {
            kind.log();
            state.logged = Some(kind.clone());
        }
        drop(state);
        Ok(kind)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kind {
    fn log(&self) {
        let Self::Newer(server) = self else {
            tracing::info!("the flag service has no environments: all requests are forwarded unchanged");
            return;
        };
        let version = server.version.as_deref().unwrap_or("unknown");
        let environments = server.environment_names();
        tracing::info!(version, environments, "the flag service has environments: requests are converted");
        for fault in server.faults() {
            tracing::warn!("{fault}");
        }
    }
}

#[cfg(test)]
mod tests {
    use actix_web::http::StatusCode;
    use tokio::time::{Instant, advance};

    use super::{Detection, FRESH, Kind};

    /// Each case: the status of a response, and whether it causes a new detection at once and later.
    #[tokio::test(start_paused = true)]
    async fn missing_endpoints_count_only_after_a_while() {
        for (status, at_once, later) in [
            (StatusCode::NOT_FOUND, false, true),
            (StatusCode::GONE, false, true),
            (StatusCode::BAD_GATEWAY, true, true),
            (StatusCode::FORBIDDEN, false, false),
            (StatusCode::OK, false, false),
        ] {
            let detection = Detection::default();
            detection.lock().last = Some((Kind::Older, Instant::now()));
            detection.observe(status);
            assert_eq!(detection.recent().is_none(), at_once, "{status}");
            advance(FRESH).await;
            detection.observe(status);
            assert_eq!(detection.recent().is_none(), later, "{status}");
        }
    }
}
