//! What holds whatever is sent: paths, headers, cookies and locations that nobody thought of.

use actix_web::http::Uri;
use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};
use proptest::prelude::*;
use url::Url;

use super::{headers, rewrite, target};
use crate::config::{BasePath, Upstream};
use crate::middleware::client::Client;

fn settings() -> ProptestConfig {
    ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() }
}

/// Paths of the pieces that servers disagree about.
fn path() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-z.;~-]{1,3}",
        "%[0-9a-fA-F]{2}",
        prop::sample::select(vec![
            "/", "//", "/api", "/auth/", ".", "..", "%2e", "%2E", "%2f", "%252e", "%5c", "%00", "%c0%ae",
            "%ff", "?", "%",
        ])
        .prop_map(str::to_owned),
    ];
    let start = prop::sample::select(vec!["/api/", "/auth", "/api", "/apix", "/", "/%61pi/"]);
    (start, prop::collection::vec(piece, 0..8))
        .prop_map(|(start, pieces)| start.to_owned() + &pieces.concat())
}

fn header() -> impl Strategy<Value = (String, String)> {
    let name = prop_oneof![
        "[a-z][a-z_-]{0,8}",
        prop::sample::select(vec![
            "connection",
            "keep-alive",
            "te",
            "upgrade",
            "host",
            "content-length",
            "transfer-encoding",
            "via",
            "x-forwarded-for",
            "x_forwarded_for",
            "x-forwarded_host",
            "x-real-ip",
            "x_real_ip",
            "forwarded",
            "proxy-authorization",
            "x-request-id",
        ])
        .prop_map(str::to_owned),
    ];
    (name, "[ -~]{0,20}")
}

fn client() -> Client {
    let address = "192.0.2.7".parse().unwrap();
    Client { peer: address, trusted: false, address, scheme: "http", host: "console.example".to_owned() }
}

proptest! {
    #![proptest_config(settings())]

    #[test]
    fn what_goes_upstream_is_below_a_prefix_however_often_it_is_decoded(path in path()) {
        let Ok(uri) = path.parse::<Uri>() else { return Ok(()) };
        let Ok(sent) = target::forwarded(&Upstream::below(""), &BasePath::default(), &uri) else { return Ok(()) };
        prop_assert_eq!(sent.path_and_query().map(ToString::to_string), Some(path.clone()), "byte for byte");
        let mut read = path.split('?').next().unwrap().to_owned();
        for _ in 0..3 {
            // How browsers and most servers resolve a path.
            let resolved = Url::parse(&format!("http://flags{read}")).unwrap();
            let first = resolved.path().split('/').nth(1).unwrap().to_owned();
            prop_assert!(["api", "auth"].contains(&first.as_str()), "{path} is {resolved}");
            prop_assert!(!read.contains(['\\', '\0']), "{path} is {read:?}");
            read = percent_encoding::percent_decode_str(&read).decode_utf8().unwrap().into_owned();
        }
    }

    #[test]
    fn what_speaks_of_a_connection_or_for_a_client_never_crosses(received in prop::collection::vec(header(), 0..12)) {
        let mut map = HeaderMap::new();
        for (name, value) in &received {
            map.append(HeaderName::try_from(name.as_str()).unwrap(), HeaderValue::from_str(value.trim()).unwrap());
        }
        let sender = headers::Sender::new(&Upstream::below(""), &BasePath::default(), "flagdeck-1".to_owned()).unwrap();
        let mut sent = HeaderMap::new();
        if sender.write(&mut sent, &map, &client(), None).is_err() {
            return Ok(());
        }
        for name in ["connection", "keep-alive", "te", "upgrade", "content-length", "transfer-encoding", "proxy-authorization"] {
            prop_assert!(!sent.contains_key(name), "{name}");
        }
        for (name, own) in [("host", "flags:4243"), ("x-forwarded-for", "192.0.2.7"), ("x-real-ip", "192.0.2.7")] {
            let values: Vec<_> = sent.get_all(name).collect();
            prop_assert_eq!(values, [own]);
        }
        let named: Vec<_> = received.iter().filter(|(name, _)| name == "connection").flat_map(|(_, value)| value.split(',')).map(|name| name.trim().to_ascii_lowercase()).collect();
        for (name, _) in &sent {
            let name = name.as_str();
            let own = ["host", "via", "forwarded", "x-real-ip"].contains(&name) || name.starts_with("x-forwarded-");
            prop_assert!(own || !named.iter().any(|other| other == name), "{name} was named by Connection");
            let twin = name.contains('_') && name.replace('_', "-").starts_with("x-forwarded-");
            prop_assert!(!twin && name != "x_real_ip", "{name}");
        }
    }

    #[test]
    fn a_cookie_keeps_its_value_and_is_for_this_site_alone(
        pair in "[!-:<-~]{1,12}",
        attributes in prop::collection::vec("(?i)(domain=[a-z.]{0,6}|path=/?[a-z/]{0,8}|secure|httponly|samesite=(none|lax|strict)|max-age=[0-9]{1,4}|[ -:<-~]{0,6})", 0..6),
        is_https in any::<bool>(),
    ) {
        let (upstream, base_path) = (Upstream::below("/unleash"), BasePath::parse("/flags").unwrap());
        let sides = rewrite::Sides { upstream: &upstream, base_path: &base_path, is_https };
        let written = std::iter::once(pair.clone()).chain(attributes.clone()).collect::<Vec<_>>().join("; ");
        let cookie = sides.cookie(&written);
        let mut parts = cookie.split(';');
        prop_assert_eq!(parts.next(), Some(pair.as_str()));
        let names: Vec<_> = parts.map(|part| part.split('=').next().unwrap().trim().to_ascii_lowercase()).collect();
        let count = |name: &str| names.iter().filter(|found| *found == name).count();
        prop_assert_eq!(count("domain"), 0);
        prop_assert!(count("samesite") >= 1);
        prop_assert_eq!(count("secure") > 0, is_https || pair.starts_with("__Secure-") || pair.starts_with("__Host-"));
        let given = attributes.iter().any(|attribute| attribute.trim().eq_ignore_ascii_case("httponly"));
        prop_assert_eq!(count("httponly") > 0, given);
        for path in cookie.split(';').skip(1).filter_map(|part| part.trim().strip_prefix("Path=")) {
            prop_assert!(path == "/" || path.starts_with("/flags"), "{}", cookie);
        }
    }

    #[test]
    fn a_location_at_the_upstream_leads_to_the_console(rest in "[!-~]{0,16}") {
        let (upstream, base_path) = (Upstream::below("/unleash"), BasePath::parse("/flags").unwrap());
        let sides = rewrite::Sides { upstream: &upstream, base_path: &base_path, is_https: false };
        let ours = sides.location(&format!("http://flags:4243/{rest}"));
        prop_assert!(ours.starts_with("/flags"), "{}", ours);
        let elsewhere = format!("https://sso.example/{rest}");
        prop_assert_eq!(sides.location(&elsewhere), elsewhere);
    }
}
