//! The users with an account of this program, for administrators: endpoints, handlers and validation. `auth` stores them and signs
//! them in.
//!
//! Changes are in the log and in the journal, and not in the history, which contains the changes of toggles and their settings.

use actix_web::web::{Data, Json, Path};
use actix_web::{HttpRequest, HttpResponse};
use clap::ValueEnum as _;
use jiff::Timestamp;
use serde_json::json;

use crate::api::limits::{MAX_EMAIL_LENGTH, MAX_FULL_NAME_LENGTH, USER_NAME_LENGTH};
use crate::api::{self, Account, AccountDraft, AccountWithPassword, PermissionChange, User, UsersResponse};
use crate::config::AuthMode;
use crate::database::{Database, Transaction};
use crate::error::ApiError;
use crate::flags::auth::Permission::{self, Admin};
use crate::flags::auth::users::{self, StoredAccount, StoredPassword};
use crate::flags::auth::{Access, Author, SIGNED_IN, password};
use crate::flags::endpoint::{self, Endpoint};
use crate::flags::events::format_time;
use crate::flags::validation::{Field, RequestBody};
use crate::journal::{Item, Notes};
use crate::json_body::JsonBody;

/// Time in seconds in which a one-time password can be used: three days.
const ONE_TIME_VALID: i64 = 3 * 24 * 60 * 60;

pub(super) fn endpoints() -> Vec<Endpoint> {
    let endpoints = vec![
        endpoint::get_with("/users", Admin, list)
            .summary("List the users, sorted by name; requires --auth password or oidc")
            .returns::<UsersResponse>(200),
        endpoint::post("/users", Admin, add)
            .summary("Add a user with a one-time password, which only this response contains")
            .body::<AccountDraft>()
            .returns::<AccountWithPassword>(201)
            .fails_with(&[409]),
        endpoint::delete("/users/{name}", Admin, remove)
            .summary("Remove a user, whose sessions end")
            .returns_empty(200)
            .fails_with(&[409]),
        endpoint::post_only("/users/{name}/permissions", Admin, change_permissions)
            .summary("Grant and revoke permissions of a user, from the next request on")
            .body::<PermissionChange>()
            .returns::<Account>(200)
            .fails_with(&[409]),
        endpoint::post_only("/users/{name}/password", Admin, reset_password)
            .summary(
                "Replace the password of a user by a one-time password, and end the sessions of the user",
            )
            .returns::<AccountWithPassword>(200)
            .fails_with(&[409]),
        endpoint::post_only("/users/{name}/disable", Admin, disable)
            .summary("Disable a user, who cannot sign in any more, and revoke the sessions of the user")
            .returns::<Account>(200)
            .fails_with(&[409]),
        endpoint::post_only("/users/{name}/enable", Admin, enable)
            .summary("Enable a disabled user")
            .returns::<Account>(200),
    ];
    endpoints.into_iter().map(|endpoint| endpoint.only_in(SIGNED_IN).fails_with(&[404])).collect()
}

async fn list(database: Data<Database>) -> Result<Json<UsersResponse>, ApiError> {
    let accounts = database.read(|tx| Ok(tx.list_accounts()?)).await?;
    Ok(Json(UsersResponse { users: accounts.into_iter().map(to_api).collect::<Result<_, _>>()? }))
}

async fn add(
    database: Data<Database>,
    request: HttpRequest,
    author: Author,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let AccountDraft { username, name, email, permissions } = AccountDraft::parse(&body.0)?;
    let (one_time_password, stored) = one_time_password().await?;
    let permissions = parse_permissions(&permissions);
    let work = move |tx: &Transaction<'_>| {
        let user = User { username: Some(username.clone()), name, email, ..User::default() };
        users::add(tx, user, &permissions, &stored)?;
        users::find_account(tx, &username)
    };
    let account = to_api(database.write(work).await?)?;
    note_change(&request, &author, &account.username, describe_addition(&account));
    Ok(HttpResponse::Created().json(AccountWithPassword { account, one_time_password }))
}

async fn remove(
    access: Data<Access>,
    database: Data<Database>,
    request: HttpRequest,
    author: Author,
    name: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let removed = name.clone();
    change(&access, &database, move |tx| users::remove(tx, &removed)).await?;
    note_change(&request, &author, &name, format!("removed the user {name}"));
    Ok(HttpResponse::Ok().finish())
}

async fn change_permissions(
    access: Data<Access>,
    database: Data<Database>,
    request: HttpRequest,
    author: Author,
    name: Path<String>,
    body: JsonBody,
) -> Result<Json<Account>, ApiError> {
    let PermissionChange { granted, revoked } = PermissionChange::parse(&body.0)?;
    let changed = name.clone();
    let (more, fewer) = (parse_permissions(&granted), parse_permissions(&revoked));
    let work = move |tx: &Transaction<'_>| {
        users::change_permissions(tx, &changed, &more, &fewer)?;
        users::find_account(tx, &changed)
    };
    let account = to_api(change(&access, &database, work).await?)?;
    note_change(&request, &author, &name, describe_permission_change(&granted, &revoked, &name));
    Ok(Json(account))
}

async fn reset_password(
    access: Data<Access>,
    database: Data<Database>,
    request: HttpRequest,
    author: Author,
    name: Path<String>,
) -> Result<Json<AccountWithPassword>, ApiError> {
    let (one_time_password, stored) = one_time_password().await?;
    let changed = name.clone();
    let work = move |tx: &Transaction<'_>| {
        users::set_password(tx, &changed, &stored)?;
        users::find_account(tx, &changed)
    };
    let account = to_api(change(&access, &database, work).await?)?;
    note_change(&request, &author, &name, format!("set a one-time password for {name}"));
    Ok(Json(AccountWithPassword { account, one_time_password }))
}

async fn disable(
    access: Data<Access>,
    database: Data<Database>,
    request: HttpRequest,
    author: Author,
    name: Path<String>,
) -> Result<Json<Account>, ApiError> {
    set_disabled(&access, &database, &name, true, &request, &author).await
}

async fn enable(
    access: Data<Access>,
    database: Data<Database>,
    request: HttpRequest,
    author: Author,
    name: Path<String>,
) -> Result<Json<Account>, ApiError> {
    set_disabled(&access, &database, &name, false, &request, &author).await
}

async fn set_disabled(
    access: &Access,
    database: &Database,
    name: &str,
    is_disabled: bool,
    request: &HttpRequest,
    author: &Author,
) -> Result<Json<Account>, ApiError> {
    let changed = name.to_owned();
    let work = move |tx: &Transaction<'_>| {
        users::set_disabled(tx, &changed, is_disabled)?;
        users::find_account(tx, &changed)
    };
    let account = to_api(change(access, database, work).await?)?;
    let verb = if is_disabled { "disabled" } else { "enabled" };
    note_change(request, author, name, format!("{verb} the user {name}"));
    Ok(Json(account))
}

/// Writes a change of the rights of users, unless nobody could administer the program after it. With an identity provider, its groups
/// can make administrators.
async fn change<T: Send + 'static>(
    access: &Access,
    database: &Database,
    work: impl FnOnce(&Transaction<'_>) -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    let needs_administrator = access.mode() == AuthMode::Password;
    let checked = move |tx: &Transaction<'_>| {
        let result = work(tx)?;
        if needs_administrator {
            users::check_administrator_remains(tx)?;
        }
        Ok(result)
    };
    database.write(checked).await
}

/// Creates a one-time password, and the form in which it is stored.
async fn one_time_password() -> Result<(String, StoredPassword), ApiError> {
    let text = password::random()?;
    let hash = password::hash_limited(text.clone()).await?;
    let one_time_until = Some(Timestamp::now().as_second() + ONE_TIME_VALID);
    Ok((text, StoredPassword { hash, one_time_until }))
}

/// Notes a change in the log and in the journal.
fn note_change(request: &HttpRequest, author: &Author, user: &str, words: String) {
    tracing::info!(by = author.name(), user, change = words, "changed a user");
    if let Some(notes) = Notes::from_request(request) {
        notes.events().add_unrecorded(Item { kind: "user".to_owned(), name: user.to_owned() }, words);
    }
}

fn describe_addition(Account { username, permissions, .. }: &Account) -> String {
    match permissions.join(", ") {
        none if none.is_empty() => format!("added the user {username} without permissions"),
        names => format!("added the user {username} with {names}"),
    }
}

fn describe_permission_change(granted: &[String], revoked: &[String], name: &str) -> String {
    let part =
        |verb: &str, names: &[String]| (!names.is_empty()).then(|| format!("{verb} {}", names.join(", ")));
    let parts: Vec<_> = [part("granted", granted), part("revoked", revoked)].into_iter().flatten().collect();
    match parts.join(" and ") {
        none if none.is_empty() => format!("changed no permission of {name}"),
        words => format!("{words} for {name}"),
    }
}

fn to_api(
    StoredAccount { user, is_disabled, one_time_until, created_at }: StoredAccount,
) -> Result<Account, ApiError> {
    let time = |seconds| Timestamp::from_second(seconds).map(format_time).map_err(ApiError::internal);
    Ok(Account {
        username: user.username.unwrap_or_default(),
        name: user.name,
        email: user.email,
        permissions: user
            .permissions
            .iter()
            .flatten()
            .map(|one| api::Permission::name(one).to_owned())
            .collect(),
        is_disabled,
        one_time_until: one_time_until.map(time).transpose()?,
        created_at,
    })
}

/// Returns the permissions with these names, which were validated.
fn parse_permissions(names: &[String]) -> Vec<Permission> {
    Permission::value_variants().iter().copied().filter(|one| names.contains(&one.to_string())).collect()
}

impl RequestBody for AccountDraft {
    const NAME: &'static str = "NewUser";

    /// Checks lengths only; [`users::add`] checks the rest.
    fn read(body: &Field<'_>) -> Self {
        body.describe(|| {
            json!({ "examples": [{
                "username": "bert", "name": "Bert Berger", "email": "bert@example.com",
                "permissions": ["CREATE_FEATURE", "UPDATE_FEATURE"],
            }] })
        });
        let optional = |key, max| {
            body.get(key).nullable(|field| field.short_text(max)).filter(|text| !text.trim().is_empty())
        };
        let name = optional("name", MAX_FULL_NAME_LENGTH);
        if name.iter().any(|name| name.chars().any(char::is_control)) {
            body.get("name").add_error("string.name", "must not have control characters");
        }
        let draft = Self {
            username: body.get("username").required_text_within((0, USER_NAME_LENGTH.1)),
            name,
            email: optional("email", MAX_EMAIL_LENGTH),
            permissions: read_permissions(&body.get("permissions")),
        };
        body.reject_unknown_properties();
        draft
    }
}

impl RequestBody for PermissionChange {
    const NAME: &'static str = "PermissionChange";

    fn read(body: &Field<'_>) -> Self {
        body.describe(|| json!({ "examples": [{ "granted": ["UPDATE_FEATURE"], "revoked": ["ADMIN"] }] }));
        let revoked_field = body.get("revoked");
        let (granted, revoked) = (read_permissions(&body.get("granted")), read_permissions(&revoked_field));
        if revoked.iter().any(|permission| granted.contains(permission)) {
            revoked_field.add_error("any.invalid", "must not contain a permission of granted");
        }
        body.reject_unknown_properties();
        Self { granted, revoked }
    }
}

/// Reads the names of permissions.
fn read_permissions(field: &Field<'_>) -> Vec<String> {
    let permissions = Permission::value_variants();
    let names: Vec<String> = permissions.iter().map(ToString::to_string).collect();
    let words: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), name.as_str())).collect();
    field.list(permissions.len(), |item| item.one_of(&words).unwrap_or_default().to_owned())
}
