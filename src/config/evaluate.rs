//! Evaluation for browsers and OpenFeature clients in front of an upstream: `evaluate-token` and
//! `evaluate-frontend-tokens`.
//!
//! With an upstream, this program has no database of tokens, and the upstream cannot tell which origins and toggles one
//! of its frontend tokens allows. The frontend tokens are therefore in a file.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use actix_web::http::header::HeaderValue;
use config::{File, FileFormat};
use serde::Deserialize;
use sha2::{Digest as _, Sha256};

use super::client_token::read_token_file;
use super::kind::{Optional, read_at_file};
use super::sdk_token::parse_token_origin;
use super::setting::Setting;
use super::settings::describe_error;
use super::{ConfigError, Declaration, Settings, TokenKind, TokenScope};

/// Shortest secret of a frontend token.
const MIN_SECRET_LENGTH: usize = 16;
/// Maximum number of frontend tokens. Each request is compared with all of them.
const MAX_TOKENS: usize = 100;
/// Maximum number of different selections of toggles. The upstream is asked for each of them.
const MAX_SELECTIONS: usize = 16;

pub(super) static SETTINGS: &[&dyn Declaration] = &[&EVALUATE_TOKEN, &EVALUATE_FRONTEND_TOKENS];

/// The value is in a file, because a command line would reveal it to all users of the machine.
pub(super) static EVALUATE_TOKEN: Setting<Optional<HeaderValue>> = Setting {
    name: "evaluate-token",
    help: "File with a client token of the upstream, with whose toggles Flagdeck itself serves browsers and OpenFeature clients; only with replica",
    default: "none",
    kind: Optional("@FILE", read_token_file),
};

static EVALUATE_FRONTEND_TOKENS: Setting<Optional<Vec<FrontendToken>>> = Setting {
    name: "evaluate-frontend-tokens",
    help: "File with the frontend tokens that browsers and phones must send; only with evaluate-token",
    default: "none",
    kind: Optional("@FILE", read_frontend_tokens),
};

/// Settings of the evaluation in front of an upstream.
#[derive(Debug, Clone)]
pub struct Evaluate {
    /// `EVALUATE_TOKEN`: token that selects the toggles. OpenFeature clients of servers may send it, too.
    pub token: HeaderValue,
    /// `EVALUATE_FRONTEND_TOKENS`: tokens of browsers and phones.
    pub frontend_tokens: Vec<FrontendToken>,
}

/// A frontend token of the file.
#[derive(Debug, Clone)]
pub struct FrontendToken {
    /// SHA-256 hash of the secret.
    pub hash: [u8; 32],
    /// Rights of the token.
    pub scope: Arc<TokenScope>,
}

/// A table of the file. Its properties are the options of `flagdeck token add`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TokenTable {
    secret: String,
    #[serde(default)]
    origins: Vec<String>,
    #[serde(default)]
    projects: Vec<String>,
    #[serde(default)]
    tags: Vec<String>,
}

impl Evaluate {
    /// Returns the settings; `None` without `evaluate-token`.
    pub(super) fn resolve(settings: &Settings) -> Result<Option<Self>, ConfigError> {
        let frontend_tokens = EVALUATE_FRONTEND_TOKENS.resolve(settings)?;
        match EVALUATE_TOKEN.resolve(settings)? {
            Some(token) => Ok(Some(Self { token, frontend_tokens: frontend_tokens.unwrap_or_default() })),
            None if frontend_tokens.is_some() => Err(EVALUATE_FRONTEND_TOKENS
                .error("needs evaluate-token, the client token whose toggles are evaluated; set it")),
            None => Ok(None),
        }
    }
}

/// Refuses the settings without an upstream: the embedded flag service ignores them, so that pages of browsers could do more
/// or less than the settings say.
pub(super) fn refuse_without_upstream(settings: &Settings) -> Result<(), ConfigError> {
    if EVALUATE_TOKEN.is_set(settings) {
        return Err(EVALUATE_TOKEN.error(
            "needs upstream and replica; the embedded flag service serves browsers without it, so remove it",
        ));
    }
    if EVALUATE_FRONTEND_TOKENS.is_set(settings) {
        return Err(EVALUATE_FRONTEND_TOKENS.error(
            "needs upstream and replica; the embedded flag service has its own tokens, so remove it and add them with \
             flagdeck token add --kind frontend",
        ));
    }
    Ok(())
}

fn read_frontend_tokens(text: &str) -> Result<Vec<FrontendToken>, String> {
    let (file, content) = read_at_file(text, "tokens", "/etc/flagdeck-tokens.toml")?;
    parse_frontend_tokens(&content).map_err(|fault| format!("{file} cannot be used: {fault}"))
}

fn parse_frontend_tokens(content: &str) -> Result<Vec<FrontendToken>, String> {
    let parsed = config::Config::builder().add_source(File::from_str(content, FileFormat::Toml)).build();
    let tables: BTreeMap<String, TokenTable> =
        parsed.and_then(config::Config::try_deserialize).map_err(|error| describe_error(&error))?;
    let tokens = tables
        .into_iter()
        .map(|(name, table)| table.into_token().map_err(|fault| format!("the token {name:?} {fault}")));
    let tokens = tokens.collect::<Result<Vec<_>, _>>()?;
    let hashes: BTreeSet<_> = tokens.iter().map(|token| token.hash).collect();
    let selections: BTreeSet<_> =
        tokens.iter().map(|token| (&token.scope.projects, &token.scope.tags)).collect();
    if tokens.is_empty() || tokens.len() > MAX_TOKENS {
        Err(format!("it must contain 1 to {MAX_TOKENS} tokens"))
    } else if hashes.len() < tokens.len() {
        Err("two tokens have the same secret".to_owned())
    } else if selections.len() > MAX_SELECTIONS {
        Err(format!(
            "the tokens must not have more than {MAX_SELECTIONS} different lists of projects and tags"
        ))
    } else {
        Ok(tokens)
    }
}

impl TokenTable {
    fn into_token(self) -> Result<FrontendToken, String> {
        let Self { secret, origins, mut projects, mut tags } = self;
        if secret.len() < MIN_SECRET_LENGTH || !secret.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(format!(
                "needs a secret of at least {MIN_SECRET_LENGTH} letters and digits, such as the output of: openssl rand -hex 32"
            ));
        }
        let origins = origins.iter().map(|origin| {
            parse_token_origin(origin).ok_or_else(|| {
                format!("has the origin {origin:?}, which is not one such as https://shop.example")
            })
        });
        let origins = origins.collect::<Result<_, _>>()?;
        let is_tag = |tag: &str| {
            tag.split_once(':').is_some_and(|(kind, value)| !kind.is_empty() && !value.is_empty())
        };
        if let Some(tag) = tags.iter().find(|tag| !is_tag(tag)) {
            return Err(format!(
                "has the tag {tag:?}, which is not a type and a value such as team:checkout"
            ));
        }
        if projects.iter().any(String::is_empty) {
            return Err("has a project with an empty name".to_owned());
        }
        for list in [&mut projects, &mut tags] {
            list.sort_unstable();
            list.dedup();
        }
        let scope = TokenScope { kind: TokenKind::Frontend, origins, projects, tags };
        Ok(FrontendToken { hash: Sha256::digest(secret).into(), scope: Arc::new(scope) })
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::{EVALUATE_FRONTEND_TOKENS, EVALUATE_TOKEN, parse_frontend_tokens};
    use crate::config::{BackendSettings, Settings};

    const SECRET: &str = "0123456789abcdef";

    #[test]
    fn evaluation_needs_an_upstream_and_its_replica() {
        let file = |content: &str| {
            let mut file = tempfile::NamedTempFile::new().unwrap();
            file.write_all(content.as_bytes()).unwrap();
            file
        };
        let (token, tokens) = (file("*:production.fedcba\n"), file(&format!("[web]\nsecret = \"{SECRET}\"")));
        let [token, tokens] = [&token, &tokens].map(|file| format!("@{}", file.path().display()));
        let with = |names: &[&str]| {
            let mut settings = Settings::default();
            for setting in crate::config::declarations().filter(|setting| names.contains(&setting.name())) {
                let value = match setting.name() {
                    "upstream" => "http://127.0.0.1:4242",
                    name if name == EVALUATE_TOKEN.name => &token,
                    name if name == EVALUATE_FRONTEND_TOKENS.name => &tokens,
                    _ => "true",
                };
                settings.insert(setting, vec![value.to_owned()]);
            }
            BackendSettings::resolve(&settings)
        };
        let all = ["upstream", "replica", "evaluate-token", "evaluate-frontend-tokens"];
        let Ok(BackendSettings::Upstream(upstream)) = with(&all) else { panic!() };
        let evaluate = upstream.replica.unwrap().evaluate.unwrap();
        assert_eq!(
            (evaluate.token.to_str().unwrap(), evaluate.frontend_tokens.len()),
            ("*:production.fedcba", 1)
        );
        assert!(!format!("{evaluate:?}").contains("fedcba"));
        for (names, fault) in [
            (&all[2..3], "evaluate-token: needs upstream and replica"),
            (&all[3..], "evaluate-frontend-tokens: needs upstream and replica"),
            (&["upstream", "evaluate-token"], "evaluate-token: needs replica"),
            (
                &["upstream", "replica", "evaluate-frontend-tokens"],
                "evaluate-frontend-tokens: needs evaluate-token",
            ),
        ] {
            let error = with(names).unwrap_err().to_string();
            assert!(error.starts_with(fault), "{error}");
        }
    }

    #[test]
    fn reads_tokens_with_the_options_of_token_add() {
        let file = format!(
            "[shop-web]\nsecret = \"{SECRET}\"\norigins = [\"https://Shop.example:443\", \"*\"]\nprojects = [\"b\", \"a\", \"b\"]\n\
             tags = [\"team:a b\"]\n[phone]\nsecret = \"{SECRET}-\"\n"
        );
        let tokens = parse_frontend_tokens(&file).unwrap();
        let [phone, shop] = &tokens[..] else { panic!("{tokens:?}") };
        assert_eq!(shop.scope.origins, ["https://shop.example", "*"]);
        assert_eq!(
            (shop.scope.projects.join(" "), shop.scope.tags.join(" ")),
            ("a b".into(), "team:a b".into())
        );
        assert!(phone.scope.origins.is_empty() && phone.hash != shop.hash);
        assert!(!format!("{tokens:?}").contains(SECRET));
    }

    /// Each case: content of the file, and a part of the error.
    #[test]
    fn names_the_invalid_token() {
        let one = |more: &str| format!("[shop]\nsecret = \"{SECRET}\"\n{more}\n");
        let many = |count: usize, more: &str| {
            let table = |number: usize| {
                let more = more.replace('N', &number.to_string());
                format!("[t{number}]\nsecret = \"{SECRET}{number}\"\n{more}\n")
            };
            (0..count).map(table).collect::<Vec<_>>().concat()
        };
        for (file, fault) in [
            (String::new(), "1 to 100 tokens"),
            (many(101, ""), "1 to 100 tokens"),
            (many(17, "tags = [\"team:N\"]"), "16 different lists"),
            ("[shop]\norigins = [\"*\"]".to_owned(), "secret"),
            ("[shop]\nsecret = \"short\"".to_owned(), "\"shop\" needs a secret"),
            ("[shop]\nsecret = \"with spaces in it and long\"".to_owned(), "\"shop\" needs a secret"),
            (one("origin = [\"*\"]"), "origin"),
            (one("origins = [\"https://shop.example/\"]"), "which is not one such as"),
            (one("tags = [\"team\"]"), "which is not a type and a value"),
            (one("projects = [\"\"]"), "empty name"),
            (format!("{}[b]\nsecret = \"{SECRET}\"", one("")), "the same secret"),
            ("not toml".to_owned(), "TOML"),
        ] {
            let error = parse_frontend_tokens(&file).unwrap_err();
            assert!(error.contains(fault) && !error.contains(SECRET), "{file}: {error}");
        }
        assert_eq!(parse_frontend_tokens(&many(100, "tags = [\"team:a\"]")).unwrap().len(), 100);
    }
}
