//! Credentials that are added to what goes upstream: `upstream-header`.

use std::fs;

use actix_web::http::header::{HeaderName, HeaderValue};

use super::{ConfigError, Listen};
use crate::cli::Settings;

/// Headers that frame or route a message, or that describe one connection (RFC 9110, 7.6.1). The proxy sets them itself.
const NOT_OURS: [&str; 11] = [
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
/// Bytes of a value. Most servers accept heads of 8 to 16 KB.
const LONGEST_VALUE: usize = 8_192;

/// Reads the values: secrets have no place on a command line, where every user of the machine reads them.
pub(super) fn read(settings: &Settings) -> Result<Vec<(HeaderName, HeaderValue)>, ConfigError> {
    settings.upstream_header.as_deref().unwrap_or_default().iter().map(|text| header(text)).collect()
}

/// Refuses to give whoever reaches the port the rights of a credential, unless that is confirmed.
pub(super) fn check_address(settings: &Settings, listen: &Listen) -> Result<(), ConfigError> {
    let confirmed =
        settings.open_to_network == Some(true) || listen.address.ip().to_canonical().is_loopback();
    if confirmed || settings.upstream_header.as_deref().unwrap_or_default().is_empty() {
        return Ok(());
    }
    let fault = format!(
        "{} is open to a network, where everybody could do what the credential allows; listen on this machine alone, or \
         confirm that this is wanted with --open-to-network",
        listen.address
    );
    Err(ConfigError::setting("upstream-header", fault))
}

fn header(text: &str) -> Result<(HeaderName, HeaderValue), ConfigError> {
    let fault = |fault: String| ConfigError::setting("upstream-header", fault);
    let (name, file) = text.split_once("=@").ok_or_else(|| {
        fault(
            "it is not a name and a file that holds the value, such as Authorization=@/run/secrets/token"
                .to_owned(),
        )
    })?;
    let parsed =
        HeaderName::try_from(name).ok().filter(|name| !NOT_OURS.contains(&name.as_str())).ok_or_else(
            || fault("what is in front of =@ is not the name of a header that can be added".to_owned()),
        )?;
    let value = fs::read_to_string(file).map_err(|error| fault(format!("{file} cannot be read: {error}")))?;
    let mut value = HeaderValue::try_from(value.trim_end())
        .ok()
        .filter(|value| (1..=LONGEST_VALUE).contains(&value.len()))
        .ok_or_else(|| {
            fault(format!("{file} does not hold one line of 1 to {LONGEST_VALUE} bytes of text"))
        })?;
    // What is printed for debugging shows "Sensitive" instead.
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
    fn a_credential_comes_from_a_file_and_is_never_printed() {
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
    fn a_network_is_given_a_credential_only_when_that_is_confirmed() {
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
