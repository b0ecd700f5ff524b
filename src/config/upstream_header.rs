//! Headers that are added to forwarded requests, such as credentials: `upstream-header`.

use std::fs;

use actix_web::http::header::{HeaderName, HeaderValue};

use super::auth::OPEN_TO_NETWORK;
use super::kind::List;
use super::setting::Setting;
use super::{ConfigError, Declaration, Listen, Settings};

pub(super) static SETTINGS: &[&dyn Declaration] = &[&UPSTREAM_HEADER];

/// The values are in files, because a command line would reveal them to all users of the machine.
pub(super) static UPSTREAM_HEADER: Setting<List<(HeaderName, HeaderValue)>> = Setting {
    name: "upstream-header",
    help: "Header to add to forwarded requests, such as a credential, with its value in a file; on a network address only with open-to-network",
    default: "none",
    kind: List("NAME=@FILE", parse_header),
};

/// Framing, routing and hop-by-hop headers (RFC 9110, 7.6.1), which the proxy sets itself.
const RESERVED: [&str; 11] = [
    "connection",
    "content-length",
    "expect",
    "host",
    "keep-alive",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "via",
];
/// Maximum length of a value in bytes. Most servers accept heads of 8 to 16 KB.
const MAX_VALUE_LENGTH: usize = 8_192;

/// Refuses to add a credential if the port is open to a network, unless that is confirmed: everyone who can connect
/// would use it.
pub(super) fn check_address(settings: &Settings, listen: &Listen) -> Result<(), ConfigError> {
    let has_header = settings.get(UPSTREAM_HEADER.name).is_some_and(|headers| !headers.is_empty());
    let is_local = listen.address.ip().to_canonical().is_loopback();
    if !has_header || is_local || OPEN_TO_NETWORK.resolve(settings)? {
        return Ok(());
    }
    let fault = format!(
        "{} is reachable from the network, and everyone could use the credential; listen on 127.0.0.1, or allow this \
         with --open-to-network",
        listen.address
    );
    Err(UPSTREAM_HEADER.error(fault))
}

/// Returns true for a header that the proxy sets itself.
pub(super) fn is_reserved(name: &HeaderName) -> bool {
    RESERVED.contains(&name.as_str())
}

fn parse_header(text: &str) -> Result<(HeaderName, HeaderValue), String> {
    let (name, file) = text.split_once("=@").ok_or(
        "it must be a header name and a file with its value, such as Authorization=@/run/secrets/token",
    )?;
    let parsed = HeaderName::try_from(name)
        .ok()
        .filter(|name| !is_reserved(name))
        .ok_or("the text before =@ is not a header name, or the proxy sets this header itself")?;
    let value = fs::read_to_string(file).map_err(|error| format!("{file} cannot be read: {error}"))?;
    let value = parse_value(value.trim_end())
        .ok_or_else(|| format!("{file} must contain one line of 1 to {MAX_VALUE_LENGTH} bytes"))?;
    Ok((parsed, value))
}

/// Parses the value of a header, which may be a credential.
pub(super) fn parse_value(text: &str) -> Option<HeaderValue> {
    let mut value = HeaderValue::try_from(text).ok()?;
    // `Debug` then prints "Sensitive" instead of the value.
    value.set_sensitive(true);
    Some(value).filter(|value| (1..=MAX_VALUE_LENGTH).contains(&value.len()))
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::{Listen, OPEN_TO_NETWORK, Settings, UPSTREAM_HEADER, check_address};
    use crate::config::listen::LISTEN;

    #[test]
    fn reads_a_credential_from_a_file_and_never_prints_it() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(b"Bearer secret\n").unwrap();
        let read = |text: &str| UPSTREAM_HEADER.resolve(&Settings::default().with(&UPSTREAM_HEADER, text));
        let path = file.path().display();
        let added = read(&format!("Authorization=@{path}")).unwrap();
        assert_eq!(added[0].1, "Bearer secret");
        assert!(!format!("{added:?}").contains("secret"), "{added:?}");
        let mut long = tempfile::NamedTempFile::new().unwrap();
        long.write_all(&[b'x'; 8_193]).unwrap();
        for text in [
            "Authorization=secret",
            "Authorization=@/no/such/file",
            "=@x",
            "X Y=@x",
            &format!("Host=@{path}"),
            &format!("Expect=@{path}"),
            &format!("upgrade=@{path}"),
            &format!("X-Long=@{}", long.path().display()),
        ] {
            let fault = read(text).unwrap_err().to_string();
            assert!(fault.starts_with("upstream-header: "), "{fault}");
            assert!(!fault.contains("=secret"), "{fault}");
        }
    }

    #[test]
    fn network_address_with_credential_requires_confirmation() {
        for (listen, open, fine) in
            [("127.0.0.1:1", false, true), ("0.0.0.0:1", false, false), ("0.0.0.0:1", true, true)]
        {
            let settings = Settings::default()
                .with(&LISTEN, listen)
                .with(&OPEN_TO_NETWORK, &open.to_string())
                .with(&UPSTREAM_HEADER, "Authorization=@x");
            let checked = check_address(&settings, &Listen::resolve(&settings).unwrap());
            assert_eq!(checked.is_ok(), fine, "{listen} {open}");
        }
    }
}
