//! Client tokens of the upstream, with which strategies are read: `upstream-client-token`.

use actix_web::http::header::HeaderValue;

use super::Declaration;
use super::kind::{List, read_at_file};
use super::setting::Setting;

pub(super) static SETTINGS: &[&dyn Declaration] = &[&UPSTREAM_CLIENT_TOKEN];

/// The values are in files, because a command line would reveal them to all users of the machine.
pub(super) static UPSTREAM_CLIENT_TOKEN: Setting<List<ClientToken>> = Setting {
    name: "upstream-client-token",
    help: "File with a client token of an upstream with environments, to search the list by enabled strategies; one token for each environment",
    default: "none",
    kind: List("@FILE", parse_token),
};

/// A token of a client library, which is valid for one environment.
#[derive(Debug, Clone)]
pub struct ClientToken {
    /// Name of the environment.
    pub environment: String,
    /// Value of the header `Authorization`.
    pub value: HeaderValue,
}

impl ClientToken {
    /// Returns the environment in a token `PROJECT:ENVIRONMENT.SECRET`; `None` for tokens of another form. It is `*` for all
    /// environments. Secrets that servers create contain no dot.
    pub(crate) fn environment_of(token: &str) -> Option<&str> {
        let (_, rest) = token.split_once(':')?;
        rest.rsplit_once('.').map(|(name, _)| name)
    }
}

fn parse_token(text: &str) -> Result<ClientToken, String> {
    let value = read_token_file(text)?;
    let environment = ClientToken::environment_of(value.to_str().unwrap_or_default());
    let environment = environment.filter(|name| !name.is_empty()).map(str::to_owned);
    let environment = environment.ok_or_else(|| invalid_token_file(text))?;
    Ok(ClientToken { environment, value })
}

/// Reads a token from the file in the value `@FILE` of a setting.
pub(super) fn read_token_file(text: &str) -> Result<HeaderValue, String> {
    let (_, token) = read_at_file(text, "the token", "/run/secrets/token")?;
    let token = HeaderValue::try_from(token.trim()).ok().filter(|token| !token.is_empty());
    let mut token = token.ok_or_else(|| invalid_token_file(text))?;
    // `Debug` then prints "Sensitive" instead of the value.
    token.set_sensitive(true);
    Ok(token)
}

/// Describes an invalid file without its content, which may be a token.
fn invalid_token_file(text: &str) -> String {
    let file = text.trim_start_matches('@');
    format!("{file} must contain a client token such as *:production.0123456789abcdef")
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::parse_token;

    /// Each case: content of the file, and the environment of the token.
    #[test]
    fn reads_the_environment_of_a_token() {
        for (content, environment) in [
            ("*:production.fedcba\n", Some("production")),
            ("shop:eu.west.fedcba", Some("eu.west")),
            ("[]:development.fedc", Some("development")),
            ("user:fedcba", None),
            ("*:.0123", None),
            ("", None),
            ("*:a.1\n*:b.2", None),
        ] {
            let mut file = tempfile::NamedTempFile::new().unwrap();
            file.write_all(content.as_bytes()).unwrap();
            let token = parse_token(&format!("@{}", file.path().display()));
            assert_eq!(token.as_ref().ok().map(|token| token.environment.as_str()), environment, "{content}");
            let debug = format!("{token:?}");
            assert!(!debug.contains("fedc"), "{debug}");
        }
        assert!(parse_token("*:production.0123").unwrap_err().contains("it must be @"));
        assert!(parse_token("@/no/such/file").unwrap_err().contains("cannot be read"));
    }
}
