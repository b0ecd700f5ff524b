//! The paths of the API whose requests follow rules of their own, and these rules. Pure.
//!
//! An *exemption* from a guard requires the exact path, byte for byte and not decoded ([`ApiPath::find_exact`]): a path that a server
//! might read as another one (`//`, percent-encoding, another case, a trailing slash) has none. A *rule* that no request may avoid
//! compares paths as the most tolerant server reads them ([`ApiPath::find_tolerant`]). Both use one table.
//!
//! Further tables belong to one API: the endpoints of the embedded flag service are declared next to their handlers, and
//! `backend/upstream_access/permission.rs` has the permissions of newer servers.

use actix_web::http::Method;

use self::ApiPath::{
    BrowserResults, Evaluation, OpenFeatureResults, OtherBrowserResults, SdkChanges, SdkReport, SdkStream,
    SdkToggle, SdkToggles, SignIn, SignOut, User,
};
use crate::path_rules;

/// An endpoint of an API.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ApiPath {
    /// Starts a session of a user.
    SignIn,
    /// Ends a session of a user.
    SignOut,
    /// The signed-in user.
    User,
    /// Evaluates toggles, compares plans, or writes toggles as a file. The request contains the input and changes nothing.
    Evaluation,
    /// All toggles of a server SDK.
    SdkToggles,
    /// One toggle of a server SDK.
    SdkToggle,
    /// The event stream of a server SDK.
    SdkStream,
    /// The toggles that changed since the last poll of a server SDK.
    SdkChanges,
    /// An SDK or Unleash Edge reports about itself or about the use of toggles. Nothing that an operator owns changes.
    SdkReport,
    /// The results of all toggles or of one for the context of a browser.
    BrowserResults,
    /// Results at paths that Unleash Edge and Unleash Proxy have in addition. No guard exempts them.
    OtherBrowserResults,
    /// The results of all toggles or of one for an OpenFeature client.
    OpenFeatureResults,
}

/// Path of the signed-in user. Servers that require sign-in refuse requests without a session.
pub(crate) const USER_PATH: &str = "/api/admin/user";

/// Methods and path of each endpoint, below the base path. A name ends a path.
///
/// Sign-ins and sign-outs are those of this program, of Unleash 3.17 to 8.2 and of Unleash Enterprise. Other endpoints below `/auth` change
/// passwords.
const PATHS: [(&str, &str, ApiPath); 38] = [
    ("POST", "/auth/simple/login", SignIn),
    ("POST", "/auth/demo/login", SignIn),
    ("POST", "/auth/saml/callback", SignIn),
    ("POST", "/api/admin/login", SignIn),
    ("GET", "/-/oidc/callback", SignIn),
    ("GET HEAD POST", "/logout", SignOut),
    ("GET HEAD", "/api/admin/user/logout", SignOut),
    ("POST", "/-/logout", SignOut),
    ("GET", USER_PATH, User),
    ("POST", "/-/evaluate", Evaluation),
    ("POST", "/-/plans", Evaluation),
    ("POST", "/-/files", Evaluation),
    ("GET HEAD", "/api/client/features", SdkToggles),
    ("GET HEAD", "/api/client/features/{name}", SdkToggle),
    ("GET", "/api/client/streaming", SdkStream),
    ("GET HEAD", "/api/client/delta", SdkChanges),
    ("POST", "/api/client/register", SdkReport),
    ("POST", "/api/client/metrics", SdkReport),
    ("POST", "/api/client/metrics/bulk", SdkReport),
    ("POST", "/api/client/metrics/edge", SdkReport),
    ("POST", "/api/client/edge-licensing/heartbeat", SdkReport),
    ("POST", "/api/frontend/client/register", SdkReport),
    ("POST", "/api/frontend/client/metrics", SdkReport),
    ("POST", "/api/proxy/client/register", SdkReport),
    ("POST", "/api/proxy/client/metrics", SdkReport),
    ("POST", "/edge/validate", SdkReport),
    ("POST", "/edge/metrics", SdkReport),
    ("GET HEAD POST", "/api/frontend", BrowserResults),
    ("GET HEAD POST", "/api/frontend/features/{name}", BrowserResults),
    ("GET HEAD POST", "/api/proxy", BrowserResults),
    ("GET HEAD POST", "/api/proxy/features/{name}", BrowserResults),
    ("GET HEAD POST", "/api/frontend/all", BrowserResults),
    ("GET HEAD POST", "/api/proxy/all", BrowserResults),
    ("GET HEAD POST", "/proxy", OtherBrowserResults),
    ("GET HEAD POST", "/proxy/all", OtherBrowserResults),
    ("GET HEAD POST", "/proxy/features/{name}", OtherBrowserResults),
    ("POST", "/ofrep/v1/evaluate/flags", OpenFeatureResults),
    ("POST", "/ofrep/v1/evaluate/flags/{name}", OpenFeatureResults),
];
/// Prefixes of the endpoints of SDKs. Each endpoint below them checks the token, or reveals nothing.
const SDK_PREFIXES: [&str; 4] = ["/api/client", "/api/frontend", "/api/proxy", "/ofrep"];

impl ApiPath {
    /// Returns the endpoint with this path below the base path, byte for byte. A name is not encoded, except for the colon that
    /// OpenFeature clients encode.
    #[must_use]
    pub(crate) fn find_exact(method: &Method, path: &str) -> Option<Self> {
        let is_plain = |c: u8| c.is_ascii_alphanumeric() || b"-_.~!*'():".contains(&c);
        let is_name = |name: &str| {
            let name = name.replace("%3A", ":");
            !matches!(name.as_str(), "" | "." | "..") && name.bytes().all(is_plain)
        };
        find(method, path, is_name)
    }

    /// Returns the endpoint that the most tolerant server finds for this path below the base path.
    #[must_use]
    pub(crate) fn find_tolerant(method: &Method, path: &str) -> Option<Self> {
        find(method, &path_rules::tolerant(path), |_| true)
    }
}

fn find(method: &Method, path: &str, is_name: impl Fn(&str) -> bool) -> Option<ApiPath> {
    let is_match = |(methods, pattern, _): &&(&str, &str, ApiPath)| {
        let is_path = match pattern.strip_suffix("{name}") {
            Some(prefix) => path.strip_prefix(prefix).is_some_and(&is_name),
            None => path == *pattern,
        };
        is_path && methods.split(' ').any(|one| one == method.as_str())
    };
    PATHS.iter().find(is_match).map(|(.., endpoint)| *endpoint)
}

/// The owner of the state that a request changes, so that guards do not decide by HTTP methods alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndpointClass {
    /// The request changes nothing: its method is safe (RFC 9110, 9.2.1).
    Read,
    /// The request starts or ends a session of a user.
    Session,
    /// The request computes a response from its body and changes nothing.
    Evaluation,
    /// An SDK of a browser or an OpenFeature client requests results for a context. Its token decides about other sites.
    SdkEvaluation,
    /// An SDK reports about itself or about the use of toggles. Nothing that an operator owns changes.
    SdkReport,
    /// All other requests, including unknown ones.
    OperatorState,
}

impl EndpointClass {
    /// Classifies a request by its method and by its exact path below the base path.
    #[must_use]
    pub fn classify(method: &Method, path: &str) -> Self {
        if method.is_safe() {
            return Self::Read;
        }
        match ApiPath::find_exact(method, path) {
            Some(SignIn | SignOut) => Self::Session,
            Some(Evaluation) => Self::Evaluation,
            Some(BrowserResults | OpenFeatureResults) => Self::SdkEvaluation,
            Some(SdkReport) => Self::SdkReport,
            _ => Self::OperatorState,
        }
    }

    /// Returns true for requests that are refused with `--read-only`.
    #[must_use]
    pub fn is_operator_change(self) -> bool {
        self == Self::OperatorState
    }

    /// Returns true for requests that pages of other sites must not send, because they act in the name of the browser's
    /// user.
    ///
    /// Requests of SDKs are excluded: they carry no session. Their tokens name the sites that may use them.
    #[must_use]
    pub fn requires_own_site(self) -> bool {
        matches!(self, Self::OperatorState | Self::Session | Self::Evaluation)
    }
}

/// Returns true for the path of an endpoint of SDKs, byte for byte and not decoded.
#[must_use]
pub fn is_below_sdk_prefix(path: &str) -> bool {
    SDK_PREFIXES
        .iter()
        .any(|prefix| path.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')))
}

/// Returns true for requests of SDKs, which authenticate by tokens and not by sessions.
#[must_use]
pub fn is_for_sdks(method: &Method, path: &str) -> bool {
    is_below_sdk_prefix(path)
        || matches!(
            EndpointClass::classify(method, path),
            EndpointClass::SdkReport | EndpointClass::SdkEvaluation
        )
}

#[cfg(test)]
mod tests {
    use actix_web::http::Method;

    use super::EndpointClass::{self, Evaluation, OperatorState, Read, SdkEvaluation, SdkReport, Session};

    #[test]
    fn classifies_sdk_reports_and_session_requests_by_exact_path() {
        for (method, path, class) in [
            ("GET", "/api/admin/features", Read),
            ("HEAD", "/api/client/metrics", Read),
            ("OPTIONS", "/api/admin/features", Read),
            ("POST", "/api/client/register", SdkReport),
            ("POST", "/api/client/metrics", SdkReport),
            ("POST", "/api/client/metrics/bulk", SdkReport),
            ("POST", "/api/client/metrics/bulk/", OperatorState),
            ("POST", "/edge/validate", SdkReport),
            ("POST", "/edge/metrics", SdkReport),
            ("POST", "/edge/other", OperatorState),
            ("POST", "/api/client/metrics/edge", SdkReport),
            ("POST", "/api/client/metrics/edge/", OperatorState),
            ("POST", "/api/client/edge-licensing/heartbeat", SdkReport),
            ("POST", "/api/frontend/client/register", SdkReport),
            ("POST", "/api/proxy/client/metrics", SdkReport),
            ("POST", "/api/frontend/client/metrics/", OperatorState),
            ("POST", "/api/frontend", SdkEvaluation),
            ("POST", "/api/proxy", SdkEvaluation),
            ("GET", "/api/proxy", Read),
            ("PUT", "/api/frontend", OperatorState),
            ("POST", "/api/frontend/", OperatorState),
            ("POST", "/api/frontend/all", SdkEvaluation),
            ("POST", "/api/Frontend", OperatorState),
            ("POST", "/api/frontend/features/shop.pay", SdkEvaluation),
            ("POST", "/api/frontend/features/", OperatorState),
            ("POST", "/api/frontend/features/..", OperatorState),
            ("POST", "/api/frontend/features/%2e%2e", OperatorState),
            ("POST", "/api/frontend/features/a%2Fb", OperatorState),
            ("POST", "/api/frontend/features/a/b", OperatorState),
            ("POST", "/api/frontend/features/a;b", OperatorState),
            ("POST", "/ofrep/v1/evaluate/flags", SdkEvaluation),
            ("POST", "/ofrep/v1/evaluate/flags/shop.pay", SdkEvaluation),
            ("POST", "/ofrep/v1/evaluate/flags/shop.pay%3Avariant", SdkEvaluation),
            ("POST", "/ofrep/v1/evaluate/flags/shop.pay:variant", SdkEvaluation),
            ("POST", "/ofrep/v1/evaluate/flags/a%20b", OperatorState),
            ("POST", "/ofrep/v2/evaluate/flags", OperatorState),
            ("POST", "/x/ofrep/v1/evaluate/flags", OperatorState),
            ("PUT", "/api/client/metrics", OperatorState),
            ("DELETE", "/api/client/register", OperatorState),
            ("post", "/api/client/metrics", OperatorState),
            ("MOVE", "/api/client/metrics", OperatorState),
            ("POST", "/api/client/metrics/", OperatorState),
            ("POST", "/api/client/metrics/../../admin/features", OperatorState),
            ("POST", "/api/client/metrics%2f..", OperatorState),
            ("POST", "/api/client/metrics;x", OperatorState),
            ("POST", "/api/client/Metrics", OperatorState),
            ("POST", "/API/client/metrics", OperatorState),
            ("POST", "/api/client/%6detrics", OperatorState),
            ("POST", "/api/client//metrics", OperatorState),
            ("POST", "//api/client/metrics", OperatorState),
            ("POST", "/x/api/client/metrics", OperatorState),
            ("POST", "/api/client/features", OperatorState),
            ("POST", "/api/client", OperatorState),
            ("POST", "/api/admin/metrics/feature-toggles", OperatorState),
            ("POST", "/api/admin/features?x=/api/client/metrics", OperatorState),
            ("POST", "/auth/simple/login", Session),
            ("POST", "/auth/demo/login", Session),
            ("POST", "/auth/saml/callback", Session),
            ("POST", "/logout", Session),
            ("POST", "/auth/simple/login/", OperatorState),
            ("PUT", "/auth/simple/login", OperatorState),
            ("POST", "/auth/reset/password", OperatorState),
            ("POST", "/auth/reset/password-email", OperatorState),
            ("POST", "/auth/reset/validate-password", OperatorState),
            ("POST", "/auth", OperatorState),
            ("POST", "/authority/x", OperatorState),
            ("POST", "/api/admin/login", Session),
            ("POST", "/api/admin/login/x", OperatorState),
            ("POST", "/-/logout", Session),
            ("POST", "/api/admin/state/import", OperatorState),
            ("POST", "/-/examples", OperatorState),
            ("POST", "/-/evaluate", Evaluation),
            ("POST", "/-/plans", Evaluation),
            ("POST", "/-/files", Evaluation),
            ("POST", "/-/plans/", OperatorState),
            ("POST", "/-/evaluate/", OperatorState),
            ("PUT", "/-/evaluate", OperatorState),
            ("POST", "", OperatorState),
        ] {
            assert_eq!(
                EndpointClass::classify(&method.parse::<Method>().unwrap(), path),
                class,
                "{method} {path}"
            );
        }
    }

    #[test]
    fn each_class_has_its_guards() {
        for (class, is_change, requires_own_site) in [
            (Read, false, false),
            (SdkReport, false, false),
            (Evaluation, false, true),
            (SdkEvaluation, false, false),
            (Session, false, true),
            (OperatorState, true, true),
        ] {
            assert_eq!(
                (class.is_operator_change(), class.requires_own_site()),
                (is_change, requires_own_site),
                "{class:?}"
            );
        }
    }
}
