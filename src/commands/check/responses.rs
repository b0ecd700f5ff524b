//! Checks the responses of the flag service: API, sign-in, version, clock and cookies. Pure.

use std::time::{Duration, SystemTime};

use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderMap, HttpDate};
use serde_json::Value;

use super::finding::Finding;
use crate::config::{Upstream, UpstreamAddress};

/// Smaller differences mean nothing, because `Date` has a resolution of a second and the response took time.
const CLOCK_TOLERANCE: Duration = Duration::from_secs(5);

/// A complete response.
pub(super) struct ProbeResponse {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    pub(super) body: Vec<u8>,
}

/// Checks the encryption of the connection.
pub(super) fn check_encryption(upstream: &Upstream) -> Finding {
    match &upstream.address {
        UpstreamAddress::Socket(path) => {
            return Finding::pass("TLS", format!("not needed for the socket {}", path.display()));
        }
        UpstreamAddress::Network(Some(tls)) if tls.insecure => {
            let message = "the certificate is not verified: an attacker on the network can pretend to be the flag service";
            return Finding::note(
                "TLS",
                message,
                "remove upstream-insecure, and set upstream-ca to the authority of the certificate",
            );
        }
        UpstreamAddress::Network(Some(_)) => {
            return Finding::pass(
                "TLS",
                "the certificate chain is trusted, and valid for the name in upstream",
            );
        }
        UpstreamAddress::Network(None) => {}
    }
    let host = upstream.authority.rsplit_once(':').map_or(upstream.authority.as_str(), |(host, _)| host);
    if matches!(host, "127.0.0.1" | "[::1]" | "localhost") {
        return Finding::pass("TLS", "none; not needed on this machine");
    }
    let message = "none: an attacker on the network can read passwords and sessions";
    Finding::note(
        "TLS",
        message,
        "run this program on the machine of the flag service, or use https:// in upstream",
    )
}

/// Checks the responses of the endpoints `user` and `ui-config`. `is_https` is true if browsers use https for the console.
pub(super) fn check_responses(
    user: &ProbeResponse,
    config: Option<&ProbeResponse>,
    now: SystemTime,
    is_https: bool,
) -> Vec<Finding> {
    let api = check_api(user);
    if !api.remedy.is_empty() {
        return vec![api];
    }
    let all = [Some(user), config];
    let cookies = all.into_iter().flatten().flat_map(|response| response.headers.get_all(header::SET_COOKIE));
    let cookies: Vec<&str> = cookies.filter_map(|value| value.to_str().ok()).collect();
    [
        Some(api),
        Some(check_sign_in(user)),
        Some(check_version(config)),
        check_clock(&user.headers, now),
        Some(check_cookies(&cookies, is_https)),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn check_api(user: &ProbeResponse) -> Finding {
    let status = user.status;
    let message = format!("/api/admin/user responds with {status}");
    let pass = || Finding::pass("API", message.clone());
    let fail = |remedy: &str| Finding::fail("API", message.clone(), remedy);
    let location = user.headers.get(header::LOCATION).and_then(|value| value.to_str().ok());
    match (status.as_u16(), location) {
        (200, _) if has_user(user) => pass(),
        (401 | 403, _) if parse_json(user).is_some() => pass(),
        (200..=299, _) => fail("the response is not from an admin API; check the path in upstream"),
        (300..=399, Some(location)) => {
            fail(&format!("it redirects to {location}; set upstream to the final address"))
        }
        (400, _) => fail("if the port uses https, use https:// in upstream"),
        (404 | 410, _) => fail(
            "there is no admin API of Unleash 3.x or 4.x; check the path in upstream, which does not include /api",
        ),
        (508, _) => fail("upstream leads to this console itself; set it to the address of the flag service"),
        (500..=599, _) => fail("the flag service fails; see its log"),
        _ => fail("a proxy in front of the flag service may refuse the request; check what responds there"),
    }
}

/// Subject of the finding about the sign-in of the upstream.
pub(super) const SIGN_IN: &str = "sign-in";

/// Returns true if the response describes a user: 3.x returns the user, 4.x an object with the user and permissions.
fn has_user(response: &ProbeResponse) -> bool {
    parse_json(response)
        .is_some_and(|body| ["user", "permissions", "email"].iter().any(|key| body.get(key).is_some()))
}

fn check_sign_in(user: &ProbeResponse) -> Finding {
    let body = parse_json(user).unwrap_or_default();
    let text = |name: &str| body.get(name).and_then(Value::as_str);
    match (user.status, text("type")) {
        (StatusCode::UNAUTHORIZED, Some("password")) => Finding::pass(SIGN_IN, "by user name and password"),
        // Unleash 4.0 to 4.22 name the same form `demo`.
        (StatusCode::UNAUTHORIZED, Some(kind @ ("unsecure" | "demo"))) => Finding::note(
            SIGN_IN,
            format!("{kind}: everyone who enters an email address can change everything"),
            "restrict access to the console to people who may change everything",
        ),
        (StatusCode::UNAUTHORIZED, _) => {
            let path = text("path").unwrap_or("an unknown address");
            Finding::pass(SIGN_IN, format!("external, at {path}"))
        }
        (StatusCode::FORBIDDEN, _) => Finding::pass(SIGN_IN, "requests without a session are refused"),
        _ => Finding::note(
            SIGN_IN,
            "none: everyone who can reach the console can change everything",
            "restrict access to the console to people who may change everything",
        ),
    }
}

fn check_version(config: Option<&ProbeResponse>) -> Finding {
    let body =
        config.filter(|response| response.status.is_success()).and_then(parse_json).unwrap_or_default();
    let found = ["/versionInfo/current/enterprise", "/versionInfo/current/oss", "/version"]
        .into_iter()
        .filter_map(|place| body.pointer(place)?.as_str())
        .find(|text| !text.is_empty());
    let Some(found) = found else {
        return Finding::note(
            "version",
            "unknown; the flag service returns it only to users who are signed in",
            "",
        );
    };
    let mut numbers = found.split('.').map(|number| number.parse::<u32>().unwrap_or(u32::MAX));
    match (numbers.next().unwrap_or_default(), numbers.next().unwrap_or_default()) {
        (0..=2, _) => {
            let remedy =
                "the console needs the admin API of Unleash 3.x, which this version supports only partly";
            Finding::note("version", found, remedy)
        }
        (3, _) | (4, 0..=2) => Finding::pass("version", found),
        (4, _) => Finding::fail(
            "version",
            format!("{found} is not supported"),
            "upgrade the flag service: the console works with 3.10 to 4.2 and 5 to 8.2",
        ),
        (5..=7, _) | (8, 0..=2) => {
            Finding::pass("version", format!("{found}; requests are converted for its API"))
        }
        _ => Finding::note("version", found, "the console is tested with 3.10 to 4.2 and 5 to 8.2"),
    }
}

fn check_clock(headers: &HeaderMap, now: SystemTime) -> Option<Finding> {
    let theirs: HttpDate = headers.get(header::DATE)?.to_str().ok()?.parse().ok()?;
    let theirs = SystemTime::from(theirs);
    let (difference, way) = match now.duration_since(theirs) {
        Ok(behind) => (behind, "behind"),
        Err(ahead) => (ahead.duration(), "ahead of"),
    };
    if difference <= CLOCK_TOLERANCE {
        return Some(Finding::pass("clock", "the clocks of the flag service and of this machine agree"));
    }
    let message = format!(
        "the clock of the flag service is {} s {way} the clock of this machine",
        difference.as_secs()
    );
    Some(Finding::note(
        "clock",
        message,
        "synchronize both with a time server; otherwise displayed ages and sessions are wrong by this difference",
    ))
}

/// Checks the attributes of the cookies. Browsers reject `Secure` cookies over http.
fn check_cookies(cookies: &[&str], is_https: bool) -> Finding {
    let Some(first) = cookies.first() else {
        return Finding::note("cookies", "none before sign-in, so that their attributes are unknown", "");
    };
    let name = |cookie: &str| cookie.split('=').next().unwrap_or_default().to_owned();
    let has = |cookie: &str, flag: &str| {
        cookie.split(';').skip(1).any(|part| part.trim().eq_ignore_ascii_case(flag))
    };
    if let Some(secure) = cookies.iter().find(|cookie| !is_https && has(cookie, "secure")) {
        let message = format!(
            "{} is Secure: browsers accept it only if they reach the console over https",
            name(secure)
        );
        return Finding::note(
            "cookies",
            message,
            "serve the console over https, and set public-url to its address",
        );
    }
    match cookies.iter().find(|cookie| !has(cookie, "httponly")) {
        Some(open) => {
            let message = format!("{} is not HttpOnly: scripts of a page can read it", name(open));
            Finding::note("cookies", message, "change the session settings of the flag service")
        }
        None => Finding::pass("cookies", format!("the attributes of {} are suitable", name(first))),
    }
}

fn parse_json(response: &ProbeResponse) -> Option<Value> {
    serde_json::from_slice(&response.body).ok()
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use actix_web::http::StatusCode;
    use actix_web::http::header::{self, HeaderMap, HeaderValue, HttpDate};

    use super::super::finding::Verdict::{self, Fail, Note, Pass};
    use super::{Finding, ProbeResponse, check_encryption, check_responses};
    use crate::config::{Upstream, UpstreamAddress};

    const USER: &str = r#"{"user":{},"permissions":[]}"#;

    fn response(status: u16, headers: &[(header::HeaderName, &str)], body: &str) -> ProbeResponse {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(name.clone(), HeaderValue::from_str(value).unwrap());
        }
        ProbeResponse { status: StatusCode::from_u16(status).unwrap(), headers: map, body: body.into() }
    }

    fn find(findings: &[Finding], subject: &str) -> (Verdict, String) {
        let finding = findings.iter().find(|finding| finding.subject == subject);
        finding.map(|finding| (finding.verdict, finding.to_string())).unwrap()
    }

    #[test]
    fn recognizes_the_admin_api_by_its_user_endpoint() {
        let location = [(header::LOCATION, "https://flags.example/")];
        for (response, verdict, words) in [
            (response(401, &[], r#"{"type":"password"}"#), Pass, "401"),
            (response(200, &[], r#"{"email":"a@b.c"}"#), Pass, "200"),
            (response(200, &[], USER), Pass, "200"),
            (response(200, &[], "<html>"), Fail, "not from an admin API"),
            (response(200, &[], r#"{"status":"success"}"#), Fail, "not from an admin API"),
            (response(400, &[], "<html>"), Fail, "use https://"),
            (response(508, &[], "{}"), Fail, "this console itself"),
            (response(401, &[], "<html>"), Fail, "may refuse"),
            (response(302, &location, ""), Fail, "https://flags.example/"),
            (response(404, &[], "<html>"), Fail, "path in upstream"),
            (response(410, &[], "{}"), Fail, "no admin API of Unleash 3.x"),
            (response(503, &[], ""), Fail, "its log"),
            (response(407, &[], ""), Fail, "may refuse"),
        ] {
            let (found, output) = find(&check_responses(&response, None, SystemTime::now(), false), "API");
            assert!(found == verdict && output.contains(words), "{words}: {output}");
        }
    }

    #[test]
    fn reports_the_sign_in_method() {
        for (status, body, verdict, words) in [
            (401, r#"{"type":"password"}"#, Pass, "password"),
            (401, r#"{"type":"unsecure"}"#, Note, "unsecure: everyone who enters an email address"),
            (
                401,
                r#"{"type":"demo","path":"/auth/demo/login"}"#,
                Note,
                "demo: everyone who enters an email address",
            ),
            (401, r#"{"type":"google","path":"/auth/google"}"#, Pass, "external, at /auth/google"),
            (401, "{}", Pass, "unknown address"),
            (403, "{}", Pass, "refused"),
            (200, USER, Note, "none"),
        ] {
            let (found, output) = find(
                &check_responses(&response(status, &[], body), None, SystemTime::now(), false),
                "sign-in",
            );
            assert!(found == verdict && output.contains(words), "{body}: {output}");
        }
    }

    #[test]
    fn reads_the_version_and_reports_unsupported_ones() {
        let user = response(200, &[], USER);
        for (status, body, verdict, words) in [
            (200, r#"{"version":"3.17.6"}"#, Pass, "3.17.6"),
            (200, r#"{"version":"","versionInfo":{"current":{"oss":"3.10.1"}}}"#, Pass, "3.10.1"),
            (200, r#"{"versionInfo":{"current":{"oss":"1","enterprise":"4.2.2"}}}"#, Pass, "4.2.2"),
            (200, r#"{"version":"2.3.1"}"#, Note, "supports only partly"),
            (200, r#"{"version":"4.19.5"}"#, Fail, "4.19.5 is not supported"),
            (200, r#"{"version":"8.2.0"}"#, Pass, "requests are converted"),
            (200, r#"{"version":"8.3.0"}"#, Note, "is tested with"),
            (200, r#"{"version":"next"}"#, Note, "is tested with"),
            (401, r#"{"version":"3.17.6"}"#, Note, "signed in"),
            (200, "<html>", Note, "signed in"),
        ] {
            let config = response(status, &[], body);
            let (found, output) =
                find(&check_responses(&user, Some(&config), SystemTime::now(), false), "version");
            assert!(found == verdict && output.contains(words), "{body}: {output}");
        }
    }

    #[test]
    fn reports_clocks_that_differ_by_more_than_the_tolerance() {
        let now = SystemTime::now();
        let minute = Duration::from_mins(1);
        for (theirs, verdict, words) in
            [(now, Pass, "agree"), (now - minute, Note, "behind"), (now + 2 * minute, Note, "ahead of")]
        {
            let date = HttpDate::from(theirs).to_string();
            let user = response(200, &[(header::DATE, date.as_str())], USER);
            let (found, output) = find(&check_responses(&user, None, now, false), "clock");
            assert!(found == verdict && output.contains(words), "{output}");
        }
        let findings = check_responses(&response(200, &[], USER), None, now, false);
        assert!(findings.iter().all(|finding| finding.subject != "clock"));
    }

    #[test]
    fn reports_cookies_that_do_not_suit_the_scheme_of_the_console() {
        for (cookies, https, verdict, words) in [
            (&["s=1; Path=/; HttpOnly"][..], false, Pass, "attributes of s are"),
            (&["a=1; HttpOnly", "s=1; secure; HttpOnly"], false, Note, "s is Secure"),
            (&["a=1; HttpOnly", "s=1; secure; HttpOnly"], true, Pass, "attributes of a are"),
            (&["a=1; HttpOnly", "s=Secure"], false, Note, "s is not HttpOnly"),
            (&[], false, Note, "before sign-in"),
        ] {
            let headers: Vec<_> = cookies.iter().map(|cookie| (header::SET_COOKIE, *cookie)).collect();
            let (found, output) = find(
                &check_responses(&response(401, &headers, "{}"), None, SystemTime::now(), https),
                "cookies",
            );
            assert!(found == verdict && output.contains(words), "{cookies:?}: {output}");
        }
    }

    #[test]
    fn unencrypted_connections_pass_on_this_machine_only() {
        for (authority, address, verdict) in [
            ("127.0.0.1:4243", UpstreamAddress::Network(None), Pass),
            ("localhost", UpstreamAddress::Network(None), Pass),
            ("[::1]:4243", UpstreamAddress::Network(None), Pass),
            ("flags:4243", UpstreamAddress::Network(None), Note),
            ("localhost", UpstreamAddress::Socket("/run/flags.sock".into()), Pass),
        ] {
            let upstream = Upstream { authority: authority.to_owned(), address, ..Upstream::with_path("") };
            assert_eq!(check_encryption(&upstream).verdict, verdict, "{authority}");
        }
    }
}
