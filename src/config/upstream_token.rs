//! Client tokens of the upstream: `upstream-token`.

use actix_web::http::header::HeaderValue;

use super::Declaration;
use super::kind::{Optional, read_at_file};
use super::setting::Setting;

/// Maximum number of tokens. The upstream is asked for the toggles of each of them.
const MAX_TOKENS: usize = 100;

pub(super) static SETTINGS: &[&dyn Declaration] = &[&UPSTREAM_TOKEN];

/// The values are in a file, because a command line would reveal them to all users of the machine.
pub(super) static UPSTREAM_TOKEN: Setting<Optional<Vec<ClientToken>>> = Setting {
    name: "upstream-token",
    help: "File with client tokens of the upstream, one or more lines for each environment: the replica reads their toggles at the start and evaluates them, and the list of a server with environments can be searched by enabled strategies",
    default: "none",
    kind: Optional("@FILE", read_tokens),
};

/// A token of client libraries, which is valid for one environment. Tokens of one environment can have different projects.
#[derive(Debug, Clone)]
pub struct ClientToken {
    /// Name of the environment; `None` for a token of a server without environments.
    pub environment: Option<String>,
    /// Value of the header `Authorization`.
    pub value: HeaderValue,
}

fn read_tokens(text: &str) -> Result<Vec<ClientToken>, String> {
    let (file, content) = read_at_file(text, "client tokens", "/run/secrets/tokens")?;
    parse_tokens(&content).map_err(|fault| format!("{file} {fault}"))
}

/// Parses the file: a token in each line, between empty lines and comments. Errors name lines, and never contain their text.
fn parse_tokens(content: &str) -> Result<Vec<ClientToken>, String> {
    let lines = (1..).zip(content.lines().map(str::trim));
    check_tokens(lines.filter(|(_, text)| !text.is_empty() && !text.starts_with('#')), "line")
}

/// Parses numbered tokens. Errors contain the numbers after `unit`.
pub(super) fn check_tokens(
    numbered: impl Iterator<Item = (usize, impl AsRef<str>)>,
    unit: &str,
) -> Result<Vec<ClientToken>, String> {
    let mut tokens: Vec<(usize, ClientToken)> = Vec::new();
    for (number, text) in numbered {
        let token = ClientToken::parse(text.as_ref()).ok_or_else(|| {
            format!("has no client token such as *:production.0123456789abcdef in {unit} {number}")
        })?;
        if let Some((other, _)) = tokens.iter().find(|(_, other)| other.value == token.value) {
            return Err(format!("has the same token in the {unit}s {other} and {number}; keep one of them"));
        }
        tokens.push((number, token));
    }
    if tokens.is_empty() || tokens.len() > MAX_TOKENS {
        return Err(format!(
            "must contain 1 to {MAX_TOKENS} client tokens such as *:production.0123456789abcdef"
        ));
    }
    match tokens.iter().find(|(_, token)| token.environment.is_none()) {
        Some((number, _)) if tokens.len() > 1 => Err(format!(
            "has a token without an environment in {unit} {number}; use tokens such as *:production.0123456789abcdef, or \
             only this one"
        )),
        _ => Ok(tokens.into_iter().map(|(_, token)| token).collect()),
    }
}

impl ClientToken {
    /// Returns the project and the environment in a token `PROJECT:ENVIRONMENT.SECRET`; `None` for tokens of another form. The
    /// environment is `*` for all environments. Secrets that servers create contain no dot.
    pub(crate) fn parts_of(token: &str) -> Option<(&str, &str)> {
        let (project, rest) = token.split_once(':')?;
        rest.rsplit_once('.').map(|(environment, _)| (project, environment))
    }

    fn parse(text: &str) -> Option<Self> {
        let environment =
            Self::parts_of(text).map(|(_, name)| name).filter(|name| !name.is_empty()).map(str::to_owned);
        let mut value = HeaderValue::try_from(text).ok()?;
        // `Debug` then prints "Sensitive" instead of the value.
        value.set_sensitive(true);
        Some(Self { environment, value })
    }
}

#[cfg(test)]
mod tests {
    use super::{parse_tokens, read_tokens};

    /// Each case: content of the file, and the environments of the tokens.
    #[test]
    fn reads_a_token_for_each_environment() {
        for (content, environments) in [
            ("*:production.fedcba\n", &[Some("production")][..]),
            ("shop:eu.west.fedcba", &[Some("eu.west")]),
            (
                "\n# Shop\n[]:development.fedcba\r\n\n  *:production.fedcba  \n",
                &[Some("development"), Some("production")],
            ),
            ("shop:production.fedcba\n*:production.fedcbb", &[Some("production"), Some("production")]),
            ("user:fedcba", &[None]),
            ("*:.fedcba", &[None]),
            ("fedcba\n# the only one\n", &[None]),
        ] {
            let tokens = parse_tokens(content).unwrap();
            let found: Vec<_> = tokens.iter().map(|token| token.environment.as_deref()).collect();
            assert_eq!(found, environments, "{content}");
            assert!(tokens.iter().all(|token| token.value.to_str().unwrap().contains("fedcb")));
            let debug = format!("{tokens:?}");
            assert!(!debug.contains("fedc"), "{debug}");
        }
    }

    #[test]
    fn faults_name_lines_and_no_tokens() {
        let many: Vec<_> = (0..101).map(|number| format!("*:e{number}.fedcba\n")).collect();
        let many = many.concat();
        for (content, fault) in [
            ("", "1 to 100 client tokens"),
            ("# *:production.fedcba\n\n", "1 to 100 client tokens"),
            (many.as_str(), "1 to 100 client tokens"),
            ("*:a.fedcba\n\n*:b.fedcba\n*:a.fedcba\n", "in the lines 1 and 4;"),
            ("# old\n*:a.fedcba\n*:a.fedcba", "in the lines 2 and 3;"),
            ("*:a.fedcba\nfedcba", "without an environment in line 2;"),
            ("fedcba\nfedcbb\n", "without an environment in line 1;"),
            ("*:a.fedcba\n*:b.fed\u{1}cba", "in line 2"),
        ] {
            let found = parse_tokens(content).unwrap_err();
            assert!(found.contains(fault) && !found.contains("fed"), "{content}: {found}");
        }
        assert!(read_tokens("*:production.0123").unwrap_err().contains("it must be @"));
        assert!(read_tokens("@/no/such/file").unwrap_err().contains("cannot be read"));
    }
}
