//! What the flag service's answers tell about it. Pure.

use std::time::{Duration, SystemTime};

use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderMap, HttpDate};
use serde_json::Value;

use super::finding::Finding;
use crate::config::{Place, Upstream};

/// `Date` has whole seconds, and the answer was under way; less than this tells nothing.
const CLOCK_TOLERANCE: Duration = Duration::from_secs(5);

/// An answer, read to its end.
pub(super) struct Answer {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    pub(super) body: Vec<u8>,
}

/// Whether somebody on the way can read along.
pub(super) fn transport(upstream: &Upstream) -> Finding {
    match &upstream.place {
        Place::Socket(path) => return Finding::fine("TLS", format!("none is needed on {}", path.display())),
        Place::Network(Some(tls)) if tls.insecure => {
            let what =
                "the certificate is not looked at: anybody on the way may pretend to be the flag service";
            return Finding::note(
                "TLS",
                what,
                "leave out upstream-insecure, and name its authority in upstream-ca",
            );
        }
        Place::Network(Some(_)) => {
            return Finding::fine(
                "TLS",
                "the certificate chain is trusted, and valid for the name in upstream",
            );
        }
        Place::Network(None) => {}
    }
    let host = upstream.authority.rsplit_once(':').map_or(upstream.authority.as_str(), |(host, _)| host);
    if matches!(host, "127.0.0.1" | "[::1]" | "localhost") {
        return Finding::fine("TLS", "none, and none is needed on this machine");
    }
    let what = "none: who is on the way to the flag service reads passwords and sessions";
    Finding::note("TLS", what, "run this program beside it, or write https:// in upstream")
}

/// All that two answers tell: to who is signed in, and to how the service is configured.
///
/// `https`: that browsers reach the console by it.
pub(super) fn judge(user: &Answer, config: Option<&Answer>, now: SystemTime, https: bool) -> Vec<Finding> {
    let api = api(user);
    if !api.remedy.is_empty() {
        return vec![api];
    }
    let all = [Some(user), config];
    let cookies = all.into_iter().flatten().flat_map(|answer| answer.headers.get_all(header::SET_COOKIE));
    let cookies: Vec<&str> = cookies.filter_map(|value| value.to_str().ok()).collect();
    [
        Some(api),
        Some(sign_in(user)),
        Some(version(config)),
        clock(&user.headers, now),
        Some(flags(&cookies, https)),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn api(user: &Answer) -> Finding {
    let status = user.status;
    let fine = || Finding::fine("API", format!("it answers {status} to who is signed in"));
    let fault =
        |remedy: &str| Finding::fault("API", format!("it answers {status} to who is signed in"), remedy);
    let location = user.headers.get(header::LOCATION).and_then(|value| value.to_str().ok());
    match (status.as_u16(), location) {
        (200, _) if tells_a_user(user) => fine(),
        (401 | 403, _) if json(user).is_some() => fine(),
        (200..=299, _) => {
            fault("what answers there is no admin API; see whether the path in upstream is right")
        }
        (300..=399, Some(location)) => {
            fault(&format!("it sends browsers to {location}; write the address behind that in upstream"))
        }
        (400, _) => fault("if it speaks https at this port, write https:// in upstream"),
        (404 | 410, _) => fault(
            "there is no Unleash 3.x or 4.x admin API; see whether the path in upstream is right: /api is none of it",
        ),
        (508, _) => fault(
            "what answers there is this console itself; write the flag service's own address in upstream",
        ),
        (500..=599, _) => fault("the flag service has a fault of its own; its log tells which"),
        _ => fault("something in front of the flag service may refuse; see what answers there"),
    }
}

/// 3.x answers the user, 4.x what belongs to them.
fn tells_a_user(answer: &Answer) -> bool {
    json(answer)
        .is_some_and(|body| ["user", "permissions", "email"].iter().any(|key| body.get(key).is_some()))
}

fn sign_in(user: &Answer) -> Finding {
    let body = json(user).unwrap_or_default();
    let text = |name: &str| body.get(name).and_then(Value::as_str);
    match (user.status, text("type")) {
        (StatusCode::UNAUTHORIZED, Some("password")) => Finding::fine("sign-in", "by user name and password"),
        // 4.0 to 4.22 call the same form `demo`.
        (StatusCode::UNAUTHORIZED, Some(kind @ ("unsecure" | "demo"))) => Finding::note(
            "sign-in",
            format!("{kind}: whoever gives an email address may change everything"),
            "let nobody reach the console whom you would not let change everything",
        ),
        (StatusCode::UNAUTHORIZED, _) => {
            let path = text("path").unwrap_or("an address that it does not name");
            Finding::fine("sign-in", format!("elsewhere, at {path}"))
        }
        (StatusCode::FORBIDDEN, _) => Finding::fine("sign-in", "it refuses whoever is not signed in"),
        _ => Finding::note(
            "sign-in",
            "none: whoever reaches the console may change everything",
            "let nobody reach the console whom you would not let change everything",
        ),
    }
}

fn version(config: Option<&Answer>) -> Finding {
    let body = config.filter(|answer| answer.status.is_success()).and_then(json).unwrap_or_default();
    let found = ["/versionInfo/current/enterprise", "/versionInfo/current/oss", "/version"]
        .into_iter()
        .filter_map(|place| body.pointer(place)?.as_str())
        .find(|text| !text.is_empty());
    let Some(found) = found else {
        return Finding::note("version", "it tells its version only to those who are signed in", "");
    };
    let remedy = match found.split('.').next() {
        Some("3") => return Finding::fine("version", found),
        Some("4") => "later releases of 4.x count calls in a way that this console cannot read",
        Some("0" | "1" | "2") => {
            "this console speaks the admin API of Unleash 3.x, of which this version has parts"
        }
        _ => {
            let remedy = "from 5.0 on there are no calls to change toggles as this console does; put a server of 3.x or 4.x behind it";
            return Finding::fault("version", found, remedy);
        }
    };
    Finding::note("version", found, remedy)
}

fn clock(headers: &HeaderMap, now: SystemTime) -> Option<Finding> {
    let theirs: HttpDate = headers.get(header::DATE)?.to_str().ok()?.parse().ok()?;
    let theirs = SystemTime::from(theirs);
    let (difference, way) = match now.duration_since(theirs) {
        Ok(behind) => (behind, "behind"),
        Err(ahead) => (ahead.duration(), "ahead of"),
    };
    if difference <= CLOCK_TOLERANCE {
        return Some(Finding::fine("clock", "the flag service's and this machine's agree"));
    }
    let what = format!("the flag service's is {} s {way} this machine's", difference.as_secs());
    Some(Finding::note(
        "clock",
        what,
        "let both follow a time server: ages and sessions are wrong by that much",
    ))
}

/// Browsers drop cookies that insist on https where the console is served by http.
fn flags(cookies: &[&str], https: bool) -> Finding {
    let Some(first) = cookies.first() else {
        return Finding::note(
            "cookies",
            "it sets none before somebody signs in, so that their flags are not known",
            "",
        );
    };
    let name = |cookie: &str| cookie.split('=').next().unwrap_or_default().to_owned();
    let has = |cookie: &str, flag: &str| {
        cookie.split(';').skip(1).any(|part| part.trim().eq_ignore_ascii_case(flag))
    };
    if let Some(secure) = cookies.iter().find(|cookie| !https && has(cookie, "secure")) {
        let what =
            format!("{} is Secure: browsers take it only where the console is served by https", name(secure));
        return Finding::note(
            "cookies",
            what,
            "put TLS in front of the console, and its address into public-url",
        );
    }
    match cookies.iter().find(|cookie| !has(cookie, "httponly")) {
        Some(open) => {
            let what = format!("{} is not HttpOnly: scripts of a page could read it", name(open));
            Finding::note("cookies", what, "configure the flag service's sessions")
        }
        None => Finding::fine("cookies", format!("{} fits how the console is served", name(first))),
    }
}

fn json(answer: &Answer) -> Option<Value> {
    serde_json::from_slice(&answer.body).ok()
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use actix_web::http::StatusCode;
    use actix_web::http::header::{self, HeaderMap, HeaderValue, HttpDate};

    use super::super::finding::Verdict::{self, Fault, Fine, Note};
    use super::{Answer, Finding, judge, transport};
    use crate::config::{Place, Upstream};

    const USER: &str = r#"{"user":{},"permissions":[]}"#;

    fn answer(status: u16, headers: &[(header::HeaderName, &str)], body: &str) -> Answer {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(name.clone(), HeaderValue::from_str(value).unwrap());
        }
        Answer { status: StatusCode::from_u16(status).unwrap(), headers: map, body: body.into() }
    }

    fn about(findings: &[Finding], about: &str) -> (Verdict, String) {
        let finding = findings.iter().find(|finding| finding.about == about);
        finding.map(|finding| (finding.verdict, finding.to_string())).unwrap()
    }

    #[test]
    fn the_answer_to_who_is_signed_in_tells_what_is_there() {
        let location = [(header::LOCATION, "https://flags.example/")];
        for (answer, verdict, words) in [
            (answer(401, &[], r#"{"type":"password"}"#), Fine, "401"),
            (answer(200, &[], r#"{"email":"a@b.c"}"#), Fine, "200"),
            (answer(200, &[], USER), Fine, "200"),
            (answer(200, &[], "<html>"), Fault, "no admin API"),
            (answer(200, &[], r#"{"status":"success"}"#), Fault, "no admin API"),
            (answer(400, &[], "<html>"), Fault, "write https://"),
            (answer(508, &[], "{}"), Fault, "this console itself"),
            (answer(401, &[], "<html>"), Fault, "may refuse"),
            (answer(302, &location, ""), Fault, "https://flags.example/"),
            (answer(404, &[], "<html>"), Fault, "path in upstream"),
            (answer(410, &[], "{}"), Fault, "no Unleash 3.x"),
            (answer(503, &[], ""), Fault, "its log"),
            (answer(407, &[], ""), Fault, "may refuse"),
        ] {
            let (found, said) = about(&judge(&answer, None, SystemTime::now(), false), "API");
            assert!(found == verdict && said.contains(words), "{words}: {said}");
        }
    }

    #[test]
    fn the_way_to_sign_in_is_told() {
        for (status, body, verdict, words) in [
            (401, r#"{"type":"password"}"#, Fine, "password"),
            (401, r#"{"type":"unsecure"}"#, Note, "unsecure: whoever gives an email address"),
            (
                401,
                r#"{"type":"demo","path":"/auth/demo/login"}"#,
                Note,
                "demo: whoever gives an email address",
            ),
            (401, r#"{"type":"google","path":"/auth/google"}"#, Fine, "elsewhere, at /auth/google"),
            (401, "{}", Fine, "does not name"),
            (403, "{}", Fine, "refuses"),
            (200, USER, Note, "none"),
        ] {
            let (found, said) =
                about(&judge(&answer(status, &[], body), None, SystemTime::now(), false), "sign-in");
            assert!(found == verdict && said.contains(words), "{body}: {said}");
        }
    }

    #[test]
    fn the_version_is_read_from_either_place_and_measured_by_what_works() {
        let user = answer(200, &[], USER);
        for (status, body, verdict, words) in [
            (200, r#"{"version":"3.17.6"}"#, Fine, "3.17.6"),
            (200, r#"{"version":"","versionInfo":{"current":{"oss":"3.10.1"}}}"#, Fine, "3.10.1"),
            (200, r#"{"versionInfo":{"current":{"oss":"1","enterprise":"4.2.2"}}}"#, Note, "4.2.2"),
            (200, r#"{"version":"2.3.1"}"#, Note, "has parts"),
            (200, r#"{"version":"5.6.0"}"#, Fault, "no calls to change toggles"),
            (401, r#"{"version":"3.17.6"}"#, Note, "signed in"),
            (200, "<html>", Note, "signed in"),
        ] {
            let config = answer(status, &[], body);
            let (found, said) = about(&judge(&user, Some(&config), SystemTime::now(), false), "version");
            assert!(found == verdict && said.contains(words), "{body}: {said}");
        }
    }

    #[test]
    fn clocks_may_differ_by_a_little() {
        let now = SystemTime::now();
        let minute = Duration::from_mins(1);
        for (theirs, verdict, words) in
            [(now, Fine, "agree"), (now - minute, Note, "behind"), (now + 2 * minute, Note, "ahead of")]
        {
            let date = HttpDate::from(theirs).to_string();
            let user = answer(200, &[(header::DATE, date.as_str())], USER);
            let (found, said) = about(&judge(&user, None, now, false), "clock");
            assert!(found == verdict && said.contains(words), "{said}");
        }
        let findings = judge(&answer(200, &[], USER), None, now, false);
        assert!(findings.iter().all(|finding| finding.about != "clock"));
    }

    #[test]
    fn cookies_are_measured_by_the_scheme_of_the_console() {
        for (cookies, https, verdict, words) in [
            (&["s=1; Path=/; HttpOnly"][..], false, Fine, "s fits"),
            (&["a=1; HttpOnly", "s=1; secure; HttpOnly"], false, Note, "s is Secure"),
            (&["a=1; HttpOnly", "s=1; secure; HttpOnly"], true, Fine, "a fits"),
            (&["a=1; HttpOnly", "s=Secure"], false, Note, "s is not HttpOnly"),
            (&[], false, Note, "before somebody signs in"),
        ] {
            let headers: Vec<_> = cookies.iter().map(|cookie| (header::SET_COOKIE, *cookie)).collect();
            let (found, said) =
                about(&judge(&answer(401, &headers, "{}"), None, SystemTime::now(), https), "cookies");
            assert!(found == verdict && said.contains(words), "{cookies:?}: {said}");
        }
    }

    #[test]
    fn what_is_not_encrypted_is_fine_on_this_machine_alone() {
        for (authority, place, verdict) in [
            ("127.0.0.1:4243", Place::Network(None), Fine),
            ("localhost", Place::Network(None), Fine),
            ("[::1]:4243", Place::Network(None), Fine),
            ("flags:4243", Place::Network(None), Note),
            ("localhost", Place::Socket("/run/flags.sock".into()), Fine),
        ] {
            let upstream = Upstream { authority: authority.to_owned(), place, ..Upstream::below("") };
            assert_eq!(transport(&upstream).verdict, verdict, "{authority}");
        }
    }
}
