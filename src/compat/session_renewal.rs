//! Replaces a session that the flag service ends while a call of the console is converted into several requests.

use std::cell::{Cell, RefCell};
use std::fmt;

use actix_web::http::header::HeaderValue;
use futures_util::future::LocalBoxFuture;

/// Starts a new session. The argument is the value of `Cookie` that the flag service has refused; the result is the new one.
type Renew = dyn Fn(HeaderValue) -> LocalBoxFuture<'static, Option<HeaderValue>>;

/// The session of a request at the flag service, which this program can replace. It is an extension of the request.
pub(crate) struct SessionRenewal {
    renew: Box<Renew>,
    /// The value of `Cookie` of the last new session.
    cookie: RefCell<Option<HeaderValue>>,
    /// True if the flag service has also refused a new session.
    has_failed: Cell<bool>,
}

impl SessionRenewal {
    /// Creates the renewal. `renew` starts a new session.
    pub(crate) fn new(
        renew: impl Fn(HeaderValue) -> LocalBoxFuture<'static, Option<HeaderValue>> + 'static,
    ) -> Self {
        Self { renew: Box::new(renew), cookie: RefCell::default(), has_failed: Cell::new(false) }
    }

    /// Returns the value of `Cookie` of the last new session; `None` while the session of the request is valid.
    pub(super) fn cookie(&self) -> Option<HeaderValue> {
        self.cookie.borrow().clone()
    }

    /// Replaces the session with these cookies; `None` if that is not possible. A failure is final.
    pub(super) async fn renew(&self, refused: HeaderValue) -> Option<HeaderValue> {
        if self.has_failed.get() {
            return None;
        }
        let cookie = (self.renew)(refused).await;
        self.has_failed.set(cookie.is_none());
        self.cookie.borrow_mut().clone_from(&cookie);
        cookie
    }

    /// Notes that the flag service has refused a new session.
    pub(super) fn note_refusal(&self) {
        self.has_failed.set(true);
    }
}

impl fmt::Debug for SessionRenewal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("SessionRenewal")
    }
}
