//! Headers that are added to forwarded requests, such as credentials: `upstream-header`.

use std::fs;

use actix_web::http::header::{HeaderName, HeaderValue};

use super::{ConfigError, Listen};
use crate::cli::Settings;

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

/// Reads the values from files. A command line would reveal them to all users of the machine.
pub(super) fn read(settings: &Settings) -> Result<Vec<(HeaderName, HeaderValue)>, ConfigError> {
    settings.upstream_header.as_deref().unwrap_or_default().iter().map(|text| parse_header(text)).collect()
}

/// Refuses to add a credential if the port is open to a network, unless that is confirmed: everyone who can connect
/// would use it.
pub(super) fn check_address(settings: &Settings, listen: &Listen) -> Result<(), ConfigError> {
    let is_confirmed =
        settings.open_to_network == Some(true) || listen.address.ip().to_canonical().is_loopback();
    if is_confirmed || settings.upstream_header.as_deref().unwrap_or_default().is_empty() {
        return Ok(());
    }
    let fault = format!(
        "{} is reachable from the network, and everyone could use the credential; listen on 127.0.0.1, or allow this \
         with --open-to-network",
        listen.address
    );
    Err(ConfigError::setting("upstream-header", fault))
}

fn parse_header(text: &str) -> Result<(HeaderName, HeaderValue), ConfigError> {
    let fault = |fault: String| ConfigError::setting("upstream-header", fault);
    let (name, file) = text.split_once("=@").ok_or_else(|| {
        fault(
            "it must be a header name and a file with its value, such as Authorization=@/run/secrets/token"
                .to_owned(),
        )
    })?;
    let parsed = HeaderName::try_from(name)
        .ok()
        .filter(|name| !RESERVED.contains(&name.as_str()))
        .ok_or_else(|| {
            fault("the text before =@ is not a header name, or the proxy sets this header itself".to_owned())
        })?;
    let value = fs::read_to_string(file).map_err(|error| fault(format!("{file} cannot be read: {error}")))?;
    let mut value = HeaderValue::try_from(value.trim_end())
        .ok()
        .filter(|value| (1..=MAX_VALUE_LENGTH).contains(&value.len()))
        .ok_or_else(|| fault(format!("{file} must contain one line of 1 to {MAX_VALUE_LENGTH} bytes")))?;
    // `Debug` then prints "Sensitive" instead of the value.
    value.set_sensitive(true);
    Ok((parsed, value))
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::{check_address, read};
    use crate::cli::Settings;
    use crate::config::Listen;

    #[test]
    fn reads_a_credential_from_a_file_and_never_prints_it() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(b"Bearer secret\n").unwrap();
        let with = |text: String| Settings { upstream_header: Some(vec![text]), ..Settings::default() };
        let path = file.path().display();
        let added = read(&with(format!("Authorization=@{path}"))).unwrap();
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
            let fault = read(&with(text.to_owned())).unwrap_err().to_string();
            assert!(fault.starts_with("upstream-header: "), "{fault}");
            assert!(!fault.contains("=secret"), "{fault}");
        }
    }

    #[test]
    fn network_address_with_credential_requires_confirmation() {
        for (listen, open, fine) in
            [("127.0.0.1:1", false, true), ("0.0.0.0:1", false, false), ("0.0.0.0:1", true, true)]
        {
            let settings = Settings {
                listen: Some(listen.to_owned()),
                open_to_network: Some(open),
                upstream_header: Some(vec!["Authorization=@x".to_owned()]),
                ..Settings::default()
            };
            let checked = check_address(&settings, &Listen::resolve(&settings).unwrap());
            assert_eq!(checked.is_ok(), fine, "{listen} {open}");
        }
    }
}
