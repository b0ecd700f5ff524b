//! The meaning of the upstream's response to reports. Pure.
//!
//! A proxy or a maintenance page can respond in place of the flag service, with any status. Its response says nothing about the
//! reports, so that they are kept as in an outage.

use actix_web::http::StatusCode;

/// Maximum size of a body that Unleash accepts by default in bytes. It refuses larger ones with a page of HTML.
const MAX_BODY: usize = 100 << 10;

/// The response to a request with reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reception {
    Received,
    /// The upstream has not processed the request, or its result is not known.
    Failed,
    /// The flag service refuses the request with this status.
    Refused(StatusCode),
    /// Another program than the flag service has responded with this status.
    Foreign(StatusCode),
}

/// The properties of a request that decide what the response to it means.
#[derive(Debug, Clone, Copy)]
pub(super) struct SentReports {
    pub(super) is_bulk: bool,
    /// Size of the body in bytes.
    pub(super) bytes: usize,
    /// True if the upstream may be older than 5.9. Such a server refuses an invalid report with an empty 400.
    pub(super) may_be_old: bool,
}

impl Reception {
    /// Returns the meaning of a response. Flag services accept reports with an empty body or JSON, and refuse them with JSON.
    pub(super) fn new(status: StatusCode, content_type: Option<&str>, sent: SentReports) -> Self {
        let media_type = content_type.map(|value| value.split(';').next().unwrap_or_default().trim());
        let is = |expected: &str| media_type.is_some_and(|found| found.eq_ignore_ascii_case(expected));
        let is_json = is("application/json");
        match status {
            status if status.is_success() && is("text/html") => Self::Foreign(status),
            status if status.is_success() => Self::Received,
            StatusCode::TOO_MANY_REQUESTS | StatusCode::REQUEST_TIMEOUT => Self::Failed,
            // Each flag service has the paths of single reports.
            StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED if !sent.is_bulk => Self::Foreign(status),
            StatusCode::PAYLOAD_TOO_LARGE if is_json || sent.bytes > MAX_BODY => Self::Refused(status),
            StatusCode::BAD_REQUEST if media_type.is_none() && sent.may_be_old && !sent.is_bulk => {
                Self::Refused(status)
            }
            status if status.is_server_error() => Self::Failed,
            status if status.is_client_error() && is_json => Self::Refused(status),
            status => Self::Foreign(status),
        }
    }
}
