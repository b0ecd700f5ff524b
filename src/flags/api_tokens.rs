//! Tokens with which SDKs authenticate: endpoints, handlers, validation, operations and rows. `auth` checks the tokens of requests.
//!
//! The list requires no permission, as every list: it contains no secrets, and nothing that the history does not show.

use std::collections::HashMap;
use std::sync::Arc;

use actix_web::HttpResponse;
use actix_web::web::{Data, Json, Path};
use serde_json::{Value, json};

use crate::api::limits::{
    API_TOKEN_NAME_LENGTH, MAX_API_TOKENS, MAX_ORIGIN_LENGTH, MAX_PROJECT_ID_LENGTH, MAX_TOKEN_ORIGINS,
    MAX_TOKEN_PROJECTS, MAX_TOKEN_TAGS, TAG_LENGTH,
};
use crate::api::{ApiToken, ApiTokenDraft, ApiTokensResponse, CreatedApiToken, DeletedApiToken, Tag};
use crate::config::{TokenKind, TokenScope, parse_token_origin};
use crate::database::{Database, Row, StoreError, Transaction, params};
use crate::error::ApiError;
use crate::flags::auth::Permission::{CreateApiToken, DeleteApiToken};
use crate::flags::auth::token::{Token, TokenHash};
use crate::flags::auth::{Access, Author};
use crate::flags::endpoint::{self, Endpoint};
use crate::flags::events::{Actor, Entity, record_event};
use crate::flags::tags::transactions::check_type_exists;
use crate::flags::toggles::transactions::check_project_exists;
use crate::flags::validation::{Field, RequestBody};
use crate::json_body::JsonBody;

const COLUMNS: &str = "name, kind, origins, projects, tags, created_at, created_by, last_used_at";

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        endpoint::get("/api-tokens", list)
            .summary("List the tokens of SDKs, without their secrets")
            .returns::<ApiTokensResponse>(200),
        endpoint::post("/api-tokens", CreateApiToken, create)
            .summary("Create a token for SDKs; only this response contains its secret")
            .body::<ApiTokenDraft>()
            .returns::<CreatedApiToken>(201)
            .fails_with(&[409]),
        endpoint::delete("/api-tokens/{name}", DeleteApiToken, delete)
            .summary("Delete a token; requests with it are refused within a second")
            .note("Without the last client token, `/api/client` accepts requests without a token, unless require-client-tokens is set.")
            .returns::<DeletedApiToken>(200)
            .fails_with(&[404]),
    ]
}

async fn list(database: Data<Database>) -> Result<Json<ApiTokensResponse>, ApiError> {
    let tokens = database.read(|tx| Ok(tx.list_api_tokens()?)).await?;
    Ok(Json(ApiTokensResponse { tokens }))
}

async fn create(database: Data<Database>, author: Author, body: JsonBody) -> Result<HttpResponse, ApiError> {
    let draft = ApiTokenDraft::parse(&body.0)?;
    let secret = Token::random()?;
    let hash = secret.hash();
    let token = database.write(move |tx| create_token(tx, &draft, &hash, &author.actor_now())).await?;
    Ok(HttpResponse::Created().json(CreatedApiToken { token, secret: secret.as_str().to_owned() }))
}

async fn delete(
    database: Data<Database>,
    access: Data<Access>,
    name: Path<String>,
    author: Author,
) -> Result<Json<DeletedApiToken>, ApiError> {
    let requires_client_tokens = access.requires_client_tokens();
    let work = move |tx: &Transaction<'_>| {
        delete_token(tx, &name, &author.actor_now())?;
        let is_client_api_public = !requires_client_tokens && !tx.has_client_tokens()?;
        Ok(DeletedApiToken { name: name.into_inner(), is_client_api_public })
    };
    Ok(Json(database.write(work).await?))
}

impl RequestBody for ApiTokenDraft {
    const NAME: &'static str = "NewApiToken";

    fn read(body: &Field<'_>) -> Self {
        body.describe(|| {
            let none = json!({ "maxItems": 0 });
            json!({
                "if": { "required": ["kind"], "properties": { "kind": { "const": TokenKind::Frontend.as_str() } } },
                "else": { "properties": { "origins": none, "projects": none, "tags": none } },
                "examples": [{
                    "name": "shop-web", "kind": "frontend",
                    "origins": ["https://shop.example"], "projects": ["default"], "tags": ["simple:web"],
                }],
            })
        });
        let words = [TokenKind::Client, TokenKind::Frontend].map(|kind| (kind.as_str(), kind));
        let name = read_name(&body.get("name"));
        let kind = body.get("kind").one_of_or(&words, TokenKind::Client);
        let list = |key, max, description: &str, read: fn(&Field<'_>) -> String| -> Vec<String> {
            let field = body.get(key);
            field.describe(|| json!({ "description": format!("Only of frontend tokens: {description}") }));
            let items = field.value().and_then(Value::as_array);
            if kind == TokenKind::Client && items.is_some_and(|items| !items.is_empty()) {
                let requirement = "is only allowed for frontend tokens; client tokens read all toggles";
                field.add_error("any.unknown", requirement);
                return Vec::new();
            }
            let mut items = field.list(max, read);
            items.sort_unstable();
            items.dedup();
            items
        };
        let origins = "scheme, host and optional port of pages, or `*`.";
        let projects = "ids of existing projects; empty: all.";
        let tags = "tags as `type:value`; empty: all toggles.";
        let scope = TokenScope {
            kind,
            origins: list("origins", MAX_TOKEN_ORIGINS, origins, read_origin),
            projects: list("projects", MAX_TOKEN_PROJECTS, projects, read_project),
            tags: list("tags", MAX_TOKEN_TAGS, tags, read_tag),
        };
        Self { name, scope }
    }
}

/// Reads the name. It is a segment of the URL of the token, from which browsers remove `.` and `..`.
fn read_name(field: &Field<'_>) -> String {
    let name = field.required_text_within((0, API_TOKEN_NAME_LENGTH.1));
    field.describe(|| {
        json!({
            "pattern": r"^(?!\.{1,2}$)[^\x00-\x1f\x7f-\x9f]+$",
            "description": "No control characters; not `.` or `..`.",
        })
    });
    if name.chars().any(char::is_control) || matches!(name.as_str(), "." | "..") {
        field.add_error("string.name", "must not have control characters, and not be . or ..");
    }
    name
}

/// Reads an origin, and returns it in the form in which browsers send it.
fn read_origin(field: &Field<'_>) -> String {
    let text = field.required_text();
    let is_short = field.check_bounds(&text, (1, MAX_ORIGIN_LENGTH));
    field.describe(|| json!({ "pattern": r"^(\*|https?://[^/?#@*\s]+)$" }));
    if !is_short {
        return text;
    }
    parse_token_origin(&text).unwrap_or_else(|| {
        let requirement =
            "must be http or https, a host and an optional port, such as https://shop.example, or *";
        field.add_error("string.origin", requirement);
        text
    })
}

fn read_project(field: &Field<'_>) -> String {
    field.required_text_within((0, MAX_PROJECT_ID_LENGTH))
}

/// Reads a tag as `type:value`. The type contains no colon.
fn read_tag(field: &Field<'_>) -> String {
    let tag = field.required_text();
    field.describe(
        || json!({ "pattern": format!("^[^:]{{{0},{1}}}:.{{{0},{1}}}$", TAG_LENGTH.0, TAG_LENGTH.1) }),
    );
    let is_part = |part: &str| (TAG_LENGTH.0..=TAG_LENGTH.1).contains(&part.chars().count());
    if !tag.split_once(':').is_some_and(|(kind, value)| is_part(kind) && is_part(value)) {
        field.add_error("string.tag", "must be a tag type and a value, such as team:checkout");
    }
    tag
}

/// Creates a token, of which only the hash is stored, and returns it.
///
/// # Errors
/// [`ApiError::Conflict`] if there are too many tokens, [`ApiError::Invalid`] if a project or a tag type does not exist,
/// [`ApiError::NameTaken`] if a token has the name.
pub(crate) fn create_token(
    tx: &Transaction<'_>,
    draft: &ApiTokenDraft,
    hash: &TokenHash,
    actor: &Actor,
) -> Result<ApiToken, ApiError> {
    if tx.count_api_tokens()? >= MAX_API_TOKENS {
        let message = format!("There are already {MAX_API_TOKENS} API tokens, the maximum; delete one first");
        return Err(ApiError::Conflict(message));
    }
    check_references(tx, &draft.scope)?;
    let name = &draft.name;
    if !tx.insert_api_token(draft, hash, actor.name(), actor.time())? {
        let message = format!("A token with the name {name} already exists; choose another name");
        return Err(ApiError::NameTaken(message));
    }
    record_event(tx, "api-token-created", Entity::ApiToken, name, draft, actor)?;
    tx.find_api_token(name)?.ok_or_else(|| not_found(name))
}

/// Deletes a token. Requests with it are refused within a second.
pub(crate) fn delete_token(tx: &Transaction<'_>, name: &str, actor: &Actor) -> Result<(), ApiError> {
    if !tx.delete_api_token(name)? {
        return Err(not_found(name));
    }
    Ok(record_event(tx, "api-token-deleted", Entity::ApiToken, name, &json!({ "name": name }), actor)?)
}

/// Checks the projects and the tag types of the scope: a token with a misspelled one would see no toggles.
fn check_references(tx: &Transaction<'_>, scope: &TokenScope) -> Result<(), ApiError> {
    for project in &scope.projects {
        check_project_exists(tx, project)?;
    }
    for (kind, value) in scope.tags.iter().filter_map(|tag| tag.split_once(':')) {
        check_type_exists(tx, &Tag { kind: kind.to_owned(), value: value.to_owned() })?;
    }
    Ok(())
}

fn not_found(name: &str) -> ApiError {
    ApiError::NotFound(format!("There is no token {name}"))
}

impl Transaction<'_> {
    /// Returns all tokens, sorted by name.
    pub(crate) fn list_api_tokens(&self) -> Result<Vec<ApiToken>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM api_tokens ORDER BY name");
        self.query(&sql, &[], token_from_row)
    }

    /// Returns a token.
    pub(crate) fn find_api_token(&self, name: &str) -> Result<Option<ApiToken>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM api_tokens WHERE name = ?1");
        self.query_first(&sql, params![name], token_from_row)
    }

    /// Returns the scope of each token by its SHA-256 hash.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn list_token_scopes(&self) -> Result<HashMap<TokenHash, Arc<TokenScope>>, StoreError> {
        let sql = "SELECT token_hash, kind, origins, projects, tags FROM api_tokens";
        let entry = |row: &Row<'_>| Ok((row.get("token_hash")?, Arc::new(scope_from_row(row)?)));
        self.query(sql, &[], entry)
    }

    /// Returns the number of tokens.
    pub(crate) fn count_api_tokens(&self) -> Result<usize, StoreError> {
        let count: i64 = self.query_value("SELECT count(*) FROM api_tokens", &[])?;
        Ok(usize::try_from(count).unwrap_or_default())
    }

    /// Returns whether a client token exists.
    pub(crate) fn has_client_tokens(&self) -> Result<bool, StoreError> {
        let sql = "SELECT EXISTS (SELECT 1 FROM api_tokens WHERE kind = ?1)";
        self.query_value(sql, params![TokenKind::Client.as_str()])
    }

    /// Inserts a token. `now` is RFC 3339 in UTC. Returns false if the name is taken.
    pub(crate) fn insert_api_token(
        &self,
        draft: &ApiTokenDraft,
        hash: &TokenHash,
        author: &str,
        now: &str,
    ) -> Result<bool, StoreError> {
        let sql = "INSERT INTO api_tokens
                   (name, token_hash, kind, origins, projects, tags, created_by, created_at)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT (name) DO NOTHING";
        let ApiTokenDraft { name, scope: TokenScope { kind, origins, projects, tags } } = draft;
        let [origins, projects, tags] = [origins, projects, tags].map(serde_json::to_string);
        let row = params![name, &hash[..], kind.as_str(), origins?, projects?, tags?, author, now];
        Ok(self.execute(sql, row)? > 0)
    }

    /// Deletes a token. Returns false if it does not exist.
    pub(crate) fn delete_api_token(&self, name: &str) -> Result<bool, StoreError> {
        Ok(self.execute("DELETE FROM api_tokens WHERE name = ?1", params![name])? > 0)
    }

    /// Stores the time of the last use of a token: RFC 3339 in UTC. An earlier time does not replace a later one, unless that is after
    /// `latest`: it was written before the clock was set back.
    pub(crate) fn record_token_use(
        &self,
        hash: &TokenHash,
        at: &str,
        latest: &str,
    ) -> Result<(), StoreError> {
        let sql = "UPDATE api_tokens SET last_used_at = ?2
                   WHERE token_hash = ?1 AND (last_used_at IS NULL OR last_used_at < ?2 OR last_used_at > ?3)";
        self.execute(sql, params![&hash[..], at, latest])?;
        Ok(())
    }
}

fn token_from_row(row: &Row<'_>) -> Result<ApiToken, StoreError> {
    Ok(ApiToken {
        draft: ApiTokenDraft { name: row.get("name")?, scope: scope_from_row(row)? },
        created_at: row.get("created_at")?,
        created_by: row.get("created_by")?,
        last_used_at: row.get("last_used_at")?,
    })
}

fn scope_from_row(row: &Row<'_>) -> Result<TokenScope, StoreError> {
    // The table allows no other kind.
    let is_client = row.get::<&str>("kind")? == TokenKind::Client.as_str();
    Ok(TokenScope {
        kind: if is_client { TokenKind::Client } else { TokenKind::Frontend },
        origins: row.json("origins")?,
        projects: row.json("projects")?,
        tags: row.json("tags")?,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::api::ApiTokenDraft;
    use crate::flags::validation::RequestBody as _;

    /// Each case: an origin, and its stored form; none if it is refused.
    #[test]
    fn accepts_origins_as_browsers_send_them() {
        for (origin, stored) in [
            ("https://shop.example", Some("https://shop.example")),
            ("https://Shop.Example:443", Some("https://shop.example")),
            ("http://localhost:3000", Some("http://localhost:3000")),
            ("*", Some("*")),
            ("https://shop.example/", None),
            ("https://shop.example/path", None),
            ("https://*.shop.example", None),
            ("https://user@shop.example", None),
            ("shop.example", None),
            ("ftp://shop.example", None),
            ("null", None),
            ("", None),
        ] {
            let draft =
                ApiTokenDraft::parse(&json!({ "name": "shop", "kind": "frontend", "origins": [origin] }));
            let parsed = draft.ok().map(|draft| draft.scope.origins);
            assert_eq!(parsed, stored.map(|stored| vec![stored.to_owned()]), "{origin}");
        }
    }

    /// Each case: a body, and the start of the first error; none if the body is valid.
    #[test]
    fn names_the_invalid_field() {
        let frontend = |key: &str, items: Value| json!({ "name": "shop", "kind": "frontend", key: items });
        for (body, error) in [
            (json!({ "name": "the shop/web" }), None),
            (frontend("projects", json!(["default", "default"])), None),
            (frontend("tags", json!(["team:aa:bb"])), None),
            (json!({}), Some("\"name\" is required")),
            (json!({ "name": "" }), Some("\"name\" is not allowed to be empty")),
            (json!({ "name": ".." }), Some("\"name\" must not")),
            (json!({ "name": "a\nb" }), Some("\"name\" must not")),
            (json!({ "name": "x".repeat(101) }), Some("\"name\" length must be less")),
            (json!({ "name": "shop", "kind": "server" }), Some("\"kind\" must be one of [client, frontend]")),
            (json!({ "name": "shop", "origins": ["*"] }), Some("\"origins\" is only allowed for frontend")),
            (json!({ "name": "shop", "tags": ["team:shop"] }), Some("\"tags\" is only allowed for frontend")),
            (frontend("tags", json!(["team"])), Some("\"tags[0]\" must be a tag type")),
            (frontend("tags", json!(["team:"])), Some("\"tags[0]\" must be a tag type")),
            (frontend("projects", json!("default")), Some("\"projects\" must be an array")),
            (frontend("origins", json!(vec!["*"; 101])), Some("\"origins\" must contain less")),
        ] {
            let message = ApiTokenDraft::parse(&body).err().map(|error| error.to_string());
            let is_expected = match (&message, error) {
                (Some(message), Some(start)) => message.starts_with(start),
                (message, start) => message.is_none() && start.is_none(),
            };
            assert!(is_expected, "{body}: {message:?}");
        }
    }
}
