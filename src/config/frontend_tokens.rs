//! Frontend tokens of browsers and phones in front of an upstream: `frontend-origin` and `frontend-tokens`.
//!
//! Servers from 4.15 on say which kind, environment and projects one of their tokens has. They do not say which origins it
//! allows, so that the setting says this for all of them. The tokens of a file also work with older servers, and can be limited by
//! tags.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use config::{File, FileFormat};
use serde::Deserialize;
use sha2::{Digest as _, Sha256};

use super::kind::{List, Optional, quoted, read_at_file};
use super::sdk_token::parse_token_origin;
use super::setting::Setting;
use super::settings::describe_error;
use super::{ClientToken, ConfigError, Declaration, Settings, TokenKind, TokenScope};

/// Shortest secret of a frontend token.
const MIN_SECRET_LENGTH: usize = 16;
/// Maximum number of frontend tokens. Each request is compared with all of them.
const MAX_TOKENS: usize = 100;
/// Maximum number of different selections of toggles. The upstream is asked for each of them.
const MAX_SELECTIONS: usize = 16;

pub(super) static SETTINGS: &[&dyn Declaration] = &[&FRONTEND_ORIGIN, &FRONTEND_TOKENS];

pub(super) static FRONTEND_ORIGIN: Setting<List<String>> = Setting {
    name: "frontend-origin",
    help: "Origins of pages that may use the frontend tokens of the upstream, or * for all; Flagdeck then asks the upstream about each token (Unleash 4.15 and newer) and serves it with the toggles of upstream-token; turns replica on",
    default: "none, frontend tokens of the upstream are forwarded",
    kind: List("ORIGIN", parse_frontend_origin),
};

pub(super) static FRONTEND_TOKENS: Setting<Optional<Vec<UnassignedToken>>> = Setting {
    name: "frontend-tokens",
    help: "File with the frontend tokens of browsers and phones, which Flagdeck serves with the toggles of upstream-token; turns replica on",
    default: "none",
    kind: Optional("@FILE", read_frontend_tokens),
};

/// A frontend token with its toggles.
#[derive(Debug, Clone)]
pub struct FrontendToken {
    /// SHA-256 hash of the secret.
    pub hash: [u8; 32],
    /// Rights of the token.
    pub scope: Arc<TokenScope>,
    /// Environment of the client tokens that supply the toggles.
    pub environment: Option<String>,
}

/// A frontend token of the file, which names its environment.
#[derive(Debug)]
pub(super) struct UnassignedToken {
    name: String,
    hash: [u8; 32],
    scope: Arc<TokenScope>,
    environment: Option<String>,
}

/// A table of the file. Its properties are the options of `flagdeck token add`, and the environment.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TokenTable {
    secret: String,
    environment: Option<String>,
    #[serde(default)]
    origins: Vec<String>,
    #[serde(default)]
    projects: Vec<String>,
    #[serde(default)]
    tags: Vec<String>,
}

/// Returns the frontend tokens with the client token of their environment; none without `frontend-tokens`.
pub(super) fn resolve(
    settings: &Settings,
    client_tokens: &[ClientToken],
) -> Result<Vec<FrontendToken>, ConfigError> {
    let tokens = FRONTEND_TOKENS.resolve(settings)?.unwrap_or_default();
    let tokens = tokens.into_iter().map(|token| token.assign(client_tokens));
    tokens.collect::<Result<_, _>>().map_err(|fault| FRONTEND_TOKENS.error(fault))
}

/// Returns the origins of pages that may use the frontend tokens of the upstream; none without `frontend-origin`.
pub(super) fn resolve_origins(
    settings: &Settings,
    client_tokens: &[ClientToken],
) -> Result<Vec<String>, ConfigError> {
    let origins = FRONTEND_ORIGIN.resolve(settings)?;
    if origins.is_empty() || client_tokens.iter().any(|token| token.environment.is_some()) {
        return Ok(origins);
    }
    Err(FRONTEND_ORIGIN.error(
        "needs upstream-token with client tokens such as *:production.0123456789abcdef, whose environments have the toggles of \
         the frontend tokens; set it",
    ))
}

fn parse_frontend_origin(text: &str) -> Result<String, String> {
    parse_token_origin(text)
        .ok_or_else(|| format!("{} is neither an origin such as https://shop.example nor *", quoted(text)))
}

/// Refuses the settings without an upstream: the embedded flag service ignores them, so that pages of browsers could do more
/// or less than the settings say.
pub(super) fn refuse_without_upstream(settings: &Settings) -> Result<(), ConfigError> {
    let fault = "needs upstream; the embedded flag service has its own tokens, so remove it and add them with \
                 flagdeck token add --kind frontend";
    if FRONTEND_TOKENS.is_set(settings) {
        Err(FRONTEND_TOKENS.error(fault))
    } else if FRONTEND_ORIGIN.is_set(settings) {
        Err(FRONTEND_ORIGIN.error(fault))
    } else {
        Ok(())
    }
}

impl UnassignedToken {
    /// Finds the environment: the named one, or else the only one.
    fn assign(self, client_tokens: &[ClientToken]) -> Result<FrontendToken, String> {
        let Self { name, hash, scope, environment } = self;
        if client_tokens.iter().any(|token| Sha256::digest(token.value.as_bytes()) == hash) {
            return Err(format!(
                "the token {name:?} has the secret of a client token, with which pages could read all definitions; use \
                 another one"
            ));
        }
        let Some(first) = client_tokens.first() else {
            return Err(
                "needs upstream-token, the client token whose toggles are evaluated; set it".to_owned()
            );
        };
        match &environment {
            None if client_tokens.iter().any(|token| token.environment != first.environment) => Err(format!(
                "the token {name:?} needs an environment, because upstream-token has tokens of several; add a line \
                 such as environment = \"production\""
            )),
            Some(named) if client_tokens.iter().all(|token| token.environment != environment) => {
                Err(format!(
                    "the token {name:?} has the environment {named:?}, of which upstream-token has no token; add one, or \
                 change the environment"
                ))
            }
            _ => {
                let environment = environment.or_else(|| first.environment.clone());
                Ok(FrontendToken { hash, scope, environment })
            }
        }
    }
}

fn read_frontend_tokens(text: &str) -> Result<Vec<UnassignedToken>, String> {
    let (file, content) = read_at_file(text, "tokens", "/etc/flagdeck/frontend-tokens.toml")?;
    parse_frontend_tokens(&content).map_err(|fault| format!("{file} cannot be used: {fault}"))
}

fn parse_frontend_tokens(content: &str) -> Result<Vec<UnassignedToken>, String> {
    let parsed = config::Config::builder().add_source(File::from_str(content, FileFormat::Toml)).build();
    let tables: BTreeMap<String, TokenTable> =
        parsed.and_then(config::Config::try_deserialize).map_err(|error| describe_error(&error))?;
    let tokens = tables
        .into_iter()
        .map(|(name, table)| table.into_token(&name).map_err(|fault| format!("the token {name:?} {fault}")));
    let tokens = tokens.collect::<Result<Vec<_>, _>>()?;
    let hashes: BTreeSet<_> = tokens.iter().map(|token| token.hash).collect();
    let selections =
        tokens.iter().map(|token| (&token.environment, &token.scope.projects, &token.scope.tags));
    let selections: BTreeSet<_> = selections.collect();
    if tokens.is_empty() || tokens.len() > MAX_TOKENS {
        Err(format!("it must contain 1 to {MAX_TOKENS} tokens"))
    } else if hashes.len() < tokens.len() {
        Err("two tokens have the same secret".to_owned())
    } else if selections.len() > MAX_SELECTIONS {
        Err(format!(
            "the tokens must not have more than {MAX_SELECTIONS} different combinations of environment, projects and tags"
        ))
    } else {
        Ok(tokens)
    }
}

impl TokenTable {
    fn into_token(self, name: &str) -> Result<UnassignedToken, String> {
        let Self { secret, environment, origins, mut projects, mut tags } = self;
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
        let hash = Sha256::digest(secret).into();
        Ok(UnassignedToken { name: name.to_owned(), hash, scope: Arc::new(scope), environment })
    }
}

#[cfg(test)]
mod tests {
    use super::parse_frontend_tokens;

    const SECRET: &str = "0123456789abcdef";

    #[test]
    fn reads_tokens_with_the_options_of_token_add() {
        let file = format!(
            "[shop-web]\nsecret = \"{SECRET}\"\norigins = [\"https://Shop.example:443\", \"*\"]\nprojects = [\"b\", \"a\", \"b\"]\n\
             tags = [\"team:a b\"]\nenvironment = \"production\"\n[phone]\nsecret = \"{SECRET}-\"\n"
        );
        let tokens = parse_frontend_tokens(&file).unwrap();
        let [phone, shop] = &tokens[..] else { panic!("{tokens:?}") };
        assert_eq!(shop.scope.origins, ["https://shop.example", "*"]);
        assert_eq!(
            (shop.scope.projects.join(" "), shop.scope.tags.join(" ")),
            ("a b".into(), "team:a b".into())
        );
        assert!(phone.scope.origins.is_empty() && phone.hash != shop.hash);
        assert_eq!((shop.environment.as_deref(), phone.environment.as_deref()), (Some("production"), None));
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
            (many(17, "tags = [\"team:N\"]"), "16 different combinations"),
            (many(17, "environment = \"N\""), "16 different combinations"),
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
