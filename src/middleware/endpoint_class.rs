//! Classifies requests by the owner of the state that they change, so that guards do not decide by HTTP methods alone.

use actix_web::http::Method;

/// Endpoints that start or end a session, of this program and of flag services: Unleash 3.17 to 8.2 and Unleash Enterprise. Other
/// endpoints below `/auth` change passwords.
const SIGN_IN_OR_OUT: [&str; 6] = [
    "/auth/simple/login",
    "/auth/demo/login",
    "/auth/saml/callback",
    "/api/admin/login",
    "/logout",
    "/-/logout",
];
/// Endpoints with which SDKs register their application and report metrics.
const SDK_REPORTS: [&str; 11] = [
    "/api/client/register",
    "/api/client/metrics",
    "/api/client/metrics/bulk",
    "/api/frontend/client/register",
    "/api/frontend/client/metrics",
    "/api/proxy/client/register",
    "/api/proxy/client/metrics",
    // Unleash Edge checks tokens here, and reports metrics and about itself.
    "/edge/validate",
    "/edge/metrics",
    "/api/client/metrics/edge",
    "/api/client/edge-licensing/heartbeat",
];
/// Endpoints with which SDKs evaluate all toggles for a context.
const SDK_EVALUATIONS: [&str; 3] = ["/api/frontend", "/api/proxy", "/ofrep/v1/evaluate/flags"];
/// Prefixes of the endpoints with which SDKs evaluate one toggle. Its name follows.
const SDK_EVALUATIONS_OF_ONE: [&str; 3] =
    ["/api/frontend/features/", "/api/proxy/features/", "/ofrep/v1/evaluate/flags/"];

/// Prefixes of the endpoints of SDKs. Each endpoint below them checks the token, or reveals nothing.
const SDK_PREFIXES: [&str; 4] = ["/api/client", "/api/frontend", "/api/proxy", "/ofrep"];

/// Endpoints that evaluate toggles, compare plans, and write toggles as a file. The request contains their input and changes nothing.
const EVALUATIONS: [&str; 3] = ["/-/evaluate", "/-/plans", "/-/files"];

/// The owner of the state that a request changes.
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
    /// Classifies a request by its method and by its path below the base path.
    ///
    /// Exemptions from guards require the exact path, byte for byte and not decoded. A path that a server might read as
    /// another one (`//`, percent-encoding, another case, a trailing slash) is never an SDK report.
    #[must_use]
    pub fn classify(method: &Method, path: &str) -> Self {
        if matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS | Method::TRACE) {
            Self::Read
        } else if *method == Method::POST && SDK_REPORTS.contains(&path) {
            Self::SdkReport
        } else if *method == Method::POST && EVALUATIONS.contains(&path) {
            Self::Evaluation
        } else if *method == Method::POST && is_sdk_evaluation(path) {
            Self::SdkEvaluation
        } else if *method == Method::POST && SIGN_IN_OR_OUT.contains(&path) {
            Self::Session
        } else {
            Self::OperatorState
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

/// Returns true for the path of an evaluation by SDKs. A name is one segment, and not encoded except for the colon that
/// OpenFeature clients encode.
fn is_sdk_evaluation(path: &str) -> bool {
    let is_plain = |c: u8| c.is_ascii_alphanumeric() || b"-_.~!*'():".contains(&c);
    let is_name = |name: &str| {
        let name = name.replace("%3A", ":");
        !matches!(name.as_str(), "" | "." | "..") && name.bytes().all(is_plain)
    };
    SDK_EVALUATIONS.contains(&path)
        || SDK_EVALUATIONS_OF_ONE.iter().any(|prefix| path.strip_prefix(prefix).is_some_and(is_name))
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
            ("POST", "/api/frontend/all", OperatorState),
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
