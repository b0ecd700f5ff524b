//! Kind and scope of the tokens with which SDKs authenticate.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Origin;

/// Origin that stands for every origin.
pub const ANY_ORIGIN: &str = "*";

/// Project that stands for all projects.
pub const ALL_PROJECTS: &str = "*";

/// The kind of a token, which decides the APIs that accept it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum TokenKind {
    /// Secret of a server: reads the definitions of all toggles.
    Client,
    /// Public token of browsers and phones: gets results only, never definitions.
    Frontend,
}

/// The rights of a token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TokenScope {
    /// Kind.
    pub kind: TokenKind,
    /// Origins of pages that may use a frontend token, as browsers send them, or `*` for every origin. Without any, only
    /// requests without `Origin` may use it.
    pub origins: Vec<String>,
    /// Projects of the visible toggles; empty: all projects.
    pub projects: Vec<String>,
    /// Tags of the visible toggles as `type:value`, of which a toggle needs one; empty: all toggles.
    pub tags: Vec<String>,
}

/// Parses an origin, and returns it in the form in which browsers send it, or `*`. Browsers send no wildcards and no
/// trailing slash.
#[must_use]
pub fn parse_token_origin(text: &str) -> Option<String> {
    if text == ANY_ORIGIN {
        return Some(text.to_owned());
    }
    let origin = Origin::parse(text).filter(|_| !text.contains('*') && !text.ends_with('/'));
    origin.map(|origin| origin.to_string())
}

impl TokenKind {
    /// Returns the name in the API and on the command line.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Client => "client",
            Self::Frontend => "frontend",
        }
    }
}

impl TokenScope {
    /// Creates the scope of a token with which all toggles are visible, and no page may use it.
    #[must_use]
    pub const fn unlimited(kind: TokenKind) -> Self {
        Self { kind, origins: Vec::new(), projects: Vec::new(), tags: Vec::new() }
    }

    /// Returns the properties of a token with this scope in the notation of `POST /edge/validate`.
    #[must_use]
    pub fn to_listed(&self, token: &str, environment: Option<&str>) -> Value {
        let projects =
            if self.projects.is_empty() { vec![ALL_PROJECTS.to_owned()] } else { self.projects.clone() };
        json!({ "token": token, "type": self.kind, "environment": environment, "projects": projects })
    }

    /// Returns true if pages of this origin may use the token. Browsers send the origin in the form that is stored.
    #[must_use]
    pub fn allows_origin(&self, origin: &str) -> bool {
        self.origins.iter().any(|allowed| allowed == ANY_ORIGIN || allowed == origin)
    }

    /// Returns true if every toggle is visible.
    #[must_use]
    pub fn includes_all(&self) -> bool {
        self.projects.is_empty() && self.tags.is_empty()
    }

    /// Returns true if a toggle with this project and these tags (`type:value`) is visible.
    #[must_use]
    pub fn includes(&self, project: &str, tags: &[String]) -> bool {
        (self.projects.is_empty() || self.projects.iter().any(|allowed| allowed == project))
            && (self.tags.is_empty() || self.tags.iter().any(|allowed| tags.contains(allowed)))
    }
}

#[cfg(test)]
mod tests {
    use super::{TokenKind, TokenScope};

    fn scope(origins: &[&str], projects: &[&str], tags: &[&str]) -> TokenScope {
        let owned = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
        TokenScope {
            kind: TokenKind::Frontend,
            origins: owned(origins),
            projects: owned(projects),
            tags: owned(tags),
        }
    }

    #[test]
    fn compares_whole_origins() {
        for (origins, is_allowed) in [
            (&["https://shop.example"][..], true),
            (&["https://other.example", "https://shop.example"], true),
            (&["*"], true),
            (&[], false),
            (&["http://shop.example"], false),
            (&["https://shop.example:8443"], false),
            (&["https://shop.example.evil.example"], false),
        ] {
            let scope = scope(origins, &[], &[]);
            assert_eq!(scope.allows_origin("https://shop.example"), is_allowed, "{origins:?}");
        }
    }

    /// Each case: projects and tags of the scope, and whether it includes a toggle of project `shop` with two tags.
    #[test]
    fn requires_the_project_and_one_of_the_tags() {
        for (projects, tags, is_included) in [
            (&[][..], &[][..], true),
            (&["shop"], &[], true),
            (&["till"], &[], false),
            (&[], &["frontend:shop"], true),
            (&[], &["frontend:other", "team:a"], true),
            (&[], &["frontend:other"], false),
            (&["shop"], &["frontend:other"], false),
            (&["till"], &["frontend:shop"], false),
        ] {
            let tagged = ["frontend:shop".to_owned(), "team:a".to_owned()];
            assert_eq!(
                scope(&[], projects, tags).includes("shop", &tagged),
                is_included,
                "{projects:?} {tags:?}"
            );
        }
    }
}
