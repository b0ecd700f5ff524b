//! Context fields: endpoints, handlers, validation, operations and rows.

use actix_web::HttpResponse;
use actix_web::web::{Data, Json, Path};
use serde_json::json;

use crate::api::ContextField;
use crate::api::limits::NAME_LENGTH;
use crate::database::{Database, Row, StoreError, Transaction, params};
use crate::error::ApiError;
use crate::flags::auth::Permission::{CreateContextField, DeleteContextField, UpdateContextField};
use crate::flags::auth::{Author, ConditionalAuthor};
use crate::flags::endpoint::{self, Endpoint};
use crate::flags::events::{Actor, Entity, record_event};
use crate::flags::tagged_json::{TaggedJson, tag_of};
use crate::flags::validation::{Field, NameCheck, RequestBody, name_of};
use crate::json_body::JsonBody;

/// Default sort order of a context field.
const DEFAULT_SORT_ORDER: i32 = 10;

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        endpoint::get("/context", list)
            .summary("List context fields by sort order")
            .returns::<Vec<ContextField>>(200),
        endpoint::post("/context", CreateContextField, create)
            .summary("Create a context field")
            .body::<ContextField>()
            .returns_empty(201)
            .fails_with(&[409]),
        endpoint::post_only("/context/validate", CreateContextField, validate)
            .summary("Check that a context field name is valid and free")
            .body::<NameCheck>()
            .returns_empty(200)
            .fails_with(&[409]),
        endpoint::get("/context/{name}", show)
            .summary("Get a context field")
            .tagged()
            .returns::<ContextField>(200)
            .fails_with(&[404]),
        endpoint::put("/context/{name}", UpdateContextField, replace)
            .summary("Replace a context field")
            .conditional()
            .replacement::<ContextField>()
            .returns_empty(200)
            .fails_with(&[404]),
        endpoint::delete("/context/{name}", DeleteContextField, delete)
            .summary("Delete a context field")
            .conditional()
            .returns_empty(200)
            .fails_with(&[404]),
    ]
}

/// Lists the context fields: a JSON array without an envelope, unlike the other lists.
async fn list(database: Data<Database>) -> Result<Json<Vec<ContextField>>, ApiError> {
    Ok(Json(database.read(|tx| Ok(tx.list_context_fields()?)).await?))
}

async fn show(database: Data<Database>, name: Path<String>) -> Result<TaggedJson<ContextField>, ApiError> {
    let field = database.read(move |tx| find_field(tx, &name)).await?;
    let tag = tag_of(&field)?;
    Ok(TaggedJson::ok(field, tag))
}

async fn validate(database: Data<Database>, body: JsonBody) -> Result<HttpResponse, ApiError> {
    let name = NameCheck::parse(&body.0)?.0;
    database.read(move |tx| check_field_name_is_free(tx, &name)).await?;
    Ok(HttpResponse::Ok().finish())
}

async fn create(database: Data<Database>, author: Author, body: JsonBody) -> Result<HttpResponse, ApiError> {
    let (parsed, name) = (ContextField::parse(&body.0), name_of(&body.0));
    let check = move |tx: &Transaction<'_>| check_field_name_is_free(tx, &name);
    let field = database.check_before_body(parsed, check).await?;
    database.write(move |tx| create_field(tx, &field, &author.actor_now())).await?;
    Ok(HttpResponse::Created().finish())
}

async fn replace(
    database: Data<Database>,
    name: Path<String>,
    author: ConditionalAuthor,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let parsed = ContextField::parse_replacement(&name, &body.0);
    let field = database.check_before_body(parsed, move |tx| find_field(tx, &name)).await?;
    database
        .write(move |tx| {
            let actor = author.actor_if_match(|| tag_of(&find_field(tx, &field.name)?))?;
            replace_field(tx, &field, &actor)
        })
        .await?;
    Ok(HttpResponse::Ok().finish())
}

async fn delete(
    database: Data<Database>,
    name: Path<String>,
    author: ConditionalAuthor,
) -> Result<HttpResponse, ApiError> {
    database
        .write(move |tx| {
            let actor = author.actor_if_match(|| tag_of(&find_field(tx, &name)?))?;
            delete_field(tx, &name, &actor)
        })
        .await?;
    Ok(HttpResponse::Ok().finish())
}

impl RequestBody for ContextField {
    const NAME: &'static str = "NewContextField";

    fn read(body: &Field<'_>) -> Self {
        body.describe(|| {
            json!({ "examples": [{
                "name": "region", "description": "", "stickiness": true, "sortOrder": 3,
                "legalValues": ["eu", "us"],
            }] })
        });
        let name = body.get("name").key(NAME_LENGTH);
        let legal_values = body.get("legalValues").nullable(|list| Some(list.texts()));
        Self {
            name,
            description: body.get("description").nullable(Field::text),
            stickiness: body.get("stickiness").bool_or(false),
            sort_order: body
                .get("sortOrder")
                .describe(|| json!({ "format": "int32", "default": DEFAULT_SORT_ORDER }))
                .integer_within((i32::MIN.into(), i32::MAX.into()), ("number.base", "must be an integer"))
                .unwrap_or(DEFAULT_SORT_ORDER),
            // An empty list allows any value.
            legal_values: legal_values.filter(|values| !values.is_empty()),
            created_at: None,
        }
    }
}

/// Returns a context field.
pub(crate) fn find_field(tx: &Transaction<'_>, name: &str) -> Result<ContextField, ApiError> {
    tx.find_context_field(name)?.ok_or_else(field_not_found)
}

/// Checks that no context field has this name.
pub(crate) fn check_field_name_is_free(tx: &Transaction<'_>, name: &str) -> Result<(), ApiError> {
    if tx.find_context_field(name)?.is_some() {
        return Err(ApiError::NameTaken(format!("A context field called {name} already exists")));
    }
    Ok(())
}

/// Adds a context field.
pub(crate) fn create_field(
    tx: &Transaction<'_>,
    field: &ContextField,
    actor: &Actor,
) -> Result<(), ApiError> {
    check_field_name_is_free(tx, &field.name)?;
    tx.insert_context_field(field, actor.time())?;
    Ok(record_event(tx, "context-field-created", Entity::ContextField, &field.name, field, actor)?)
}

/// Replaces a context field.
pub(crate) fn replace_field(
    tx: &Transaction<'_>,
    field: &ContextField,
    actor: &Actor,
) -> Result<(), ApiError> {
    if !tx.replace_context_field(field)? {
        return Err(field_not_found());
    }
    Ok(record_event(tx, "context-field-updated", Entity::ContextField, &field.name, field, actor)?)
}

/// Deletes a context field.
pub(crate) fn delete_field(tx: &Transaction<'_>, name: &str, actor: &Actor) -> Result<(), ApiError> {
    if !tx.delete_context_field(name)? {
        return Err(field_not_found());
    }
    let data = json!({ "name": name });
    Ok(record_event(tx, "context-field-deleted", Entity::ContextField, name, &data, actor)?)
}

fn field_not_found() -> ApiError {
    ApiError::NotFound("Could not find context field".to_owned())
}

impl Transaction<'_> {
    /// Returns all context fields, sorted by `sort_order` and name.
    pub(crate) fn list_context_fields(&self) -> Result<Vec<ContextField>, StoreError> {
        self.query(
            "SELECT name, description, stickiness, sort_order, legal_values, created_at
                 FROM context_fields ORDER BY sort_order, name",
            &[],
            context_field_from_row,
        )
    }

    /// Returns a context field.
    pub(crate) fn find_context_field(&self, name: &str) -> Result<Option<ContextField>, StoreError> {
        self.query_first(
            "SELECT name, description, stickiness, sort_order, legal_values, created_at
                 FROM context_fields WHERE name = ?1",
            params![name],
            context_field_from_row,
        )
    }

    /// Inserts a context field. `now` is RFC 3339 in UTC.
    ///
    /// # Errors
    /// See [`StoreError`]. Also fails if the name is taken.
    pub(crate) fn insert_context_field(&self, field: &ContextField, now: &str) -> Result<(), StoreError> {
        self.execute(
            "INSERT INTO context_fields (name, description, stickiness, sort_order, legal_values, created_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            params![
                &field.name,
                &field.description,
                &field.stickiness,
                &field.sort_order,
                field.legal_values.as_ref().map(serde_json::to_string).transpose()?,
                now
            ],
        )?;
        Ok(())
    }

    /// Replaces a context field except its name and creation time. Returns false if it does not exist.
    pub(crate) fn replace_context_field(&self, field: &ContextField) -> Result<bool, StoreError> {
        let changed = self.execute(
            "UPDATE context_fields SET description = ?2, stickiness = ?3,
                 sort_order = ?4, legal_values = ?5 WHERE name = ?1",
            params![
                &field.name,
                &field.description,
                &field.stickiness,
                &field.sort_order,
                field.legal_values.as_ref().map(serde_json::to_string).transpose()?
            ],
        )?;
        Ok(changed > 0)
    }

    /// Deletes a context field. Returns false if it does not exist.
    pub(crate) fn delete_context_field(&self, name: &str) -> Result<bool, StoreError> {
        Ok(self.execute("DELETE FROM context_fields WHERE name = ?1", params![name])? > 0)
    }
}

fn context_field_from_row(row: &Row<'_>) -> Result<ContextField, StoreError> {
    Ok(ContextField {
        name: row.get("name")?,
        description: row.get("description")?,
        stickiness: row.get("stickiness")?,
        sort_order: row.get("sort_order")?,
        legal_values: row.json("legal_values")?,
        created_at: row.get("created_at")?,
    })
}
