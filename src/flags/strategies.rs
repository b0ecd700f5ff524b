//! Strategy definitions: endpoints, handlers, validation, operations and rows.

use actix_web::HttpResponse;
use actix_web::web::{Data, Json, Path};
use serde_json::json;

use crate::api::limits::{MAX_PARAMETER_DEFINITIONS, NAME_LENGTH};
use crate::api::responses::ENVELOPE_VERSION;
use crate::api::{ParameterDefinition, ParameterType, StrategiesResponse, StrategyDefinition};
use crate::database::{Database, Row, StoreError, Transaction, params};
use crate::error::ApiError;
use crate::flags::auth::Permission::{CreateStrategy, DeleteStrategy, UpdateStrategy};
use crate::flags::auth::{Author, ConditionalAuthor};
use crate::flags::endpoint::{self, Endpoint};
use crate::flags::events::{Actor, Entity, record_event};
use crate::flags::tagged_json::{TaggedJson, tag_of};
use crate::flags::validation::{Field, RequestBody};
use crate::json_body::JsonBody;

const PARAMETER_TYPES: [(&str, ParameterType); 5] = [
    ("string", ParameterType::String),
    ("percentage", ParameterType::Percentage),
    ("list", ParameterType::List),
    ("number", ParameterType::Number),
    ("boolean", ParameterType::Boolean),
];
/// Name of the default strategy.
const DEFAULT_STRATEGY: &str = "default";

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        endpoint::get("/strategies", list)
            .summary("List strategy definitions")
            .returns::<StrategiesResponse>(200),
        endpoint::post("/strategies", CreateStrategy, create)
            .summary("Create a strategy definition")
            .body::<StrategyDefinition>()
            .returns_empty(201)
            .fails_with(&[409]),
        endpoint::get("/strategies/{name}", show)
            .summary("Get a strategy definition")
            .tagged()
            .returns::<StrategyDefinition>(200)
            .fails_with(&[404]),
        endpoint::put("/strategies/{name}", UpdateStrategy, replace)
            .summary("Replace a strategy definition that is not built in")
            .conditional()
            .replacement::<StrategyDefinition>()
            .returns_empty(200)
            .fails_with(&[404]),
        endpoint::delete("/strategies/{name}", DeleteStrategy, delete)
            .summary("Delete a strategy definition that is not built in")
            .conditional()
            .returns_empty(200)
            .fails_with(&[404]),
        endpoint::post("/strategies/{name}/deprecate", UpdateStrategy, deprecate)
            .summary("Deprecate a strategy: do not offer it for new use")
            .conditional()
            .returns_empty(200)
            .fails_with(&[404]),
        endpoint::post("/strategies/{name}/reactivate", UpdateStrategy, reactivate)
            .summary("Reactivate a deprecated strategy")
            .conditional()
            .returns_empty(200)
            .fails_with(&[404]),
    ]
}

async fn list(database: Data<Database>) -> Result<Json<StrategiesResponse>, ApiError> {
    let strategies = database.read(|tx| Ok(tx.list_strategies()?)).await?;
    Ok(Json(StrategiesResponse { version: ENVELOPE_VERSION, strategies }))
}

async fn show(
    database: Data<Database>,
    name: Path<String>,
) -> Result<TaggedJson<StrategyDefinition>, ApiError> {
    let strategy = database.read(move |tx| find(tx, &name)).await?;
    let tag = tag_of(&strategy)?;
    Ok(TaggedJson::ok(strategy, tag))
}

async fn create(database: Data<Database>, author: Author, body: JsonBody) -> Result<HttpResponse, ApiError> {
    let strategy = StrategyDefinition::parse(&body.0)?;
    database.write(move |tx| create_strategy(tx, &strategy, &author.actor_now())).await?;
    Ok(HttpResponse::Created().finish())
}

async fn replace(
    database: Data<Database>,
    name: Path<String>,
    author: ConditionalAuthor,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let strategy = StrategyDefinition::parse_replacement(&name, &body.0)?;
    database
        .write(move |tx| {
            let actor = author.actor_if_match(|| tag_of(&find(tx, &strategy.name)?))?;
            replace_strategy(tx, &strategy, &actor)
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
            let actor = author.actor_if_match(|| tag_of(&find(tx, &name)?))?;
            delete_strategy(tx, &name, &actor)
        })
        .await?;
    Ok(HttpResponse::Ok().finish())
}

async fn deprecate(
    database: Data<Database>,
    name: Path<String>,
    author: ConditionalAuthor,
) -> Result<HttpResponse, ApiError> {
    set_deprecated(&database, name, true, author).await
}

async fn reactivate(
    database: Data<Database>,
    name: Path<String>,
    author: ConditionalAuthor,
) -> Result<HttpResponse, ApiError> {
    set_deprecated(&database, name, false, author).await
}

async fn set_deprecated(
    database: &Database,
    name: Path<String>,
    deprecated: bool,
    author: ConditionalAuthor,
) -> Result<HttpResponse, ApiError> {
    database
        .write(move |tx| {
            let actor = author.actor_if_match(|| tag_of(&find(tx, &name)?))?;
            set_strategy_deprecated(tx, &name, deprecated, &actor)
        })
        .await?;
    Ok(HttpResponse::Ok().finish())
}

impl RequestBody for StrategyDefinition {
    const NAME: &'static str = "NewStrategyDefinition";

    fn read(body: &Field<'_>) -> Self {
        body.describe(|| {
            let parameter = json!({ "name": "regions", "type": "list", "description": "", "required": true });
            json!({ "examples": [{ "name": "byRegion", "description": "By region", "parameters": [parameter] }] })
        });
        Self {
            name: body.get("name").key(NAME_LENGTH),
            display_name: None,
            editable: true,
            description: body.get("description").nullable(Field::text),
            parameters: body.get("parameters").list(MAX_PARAMETER_DEFINITIONS, Field::read),
            deprecated: false,
        }
    }
}

impl RequestBody for ParameterDefinition {
    const NAME: &'static str = "NewParameter";

    fn read(body: &Field<'_>) -> Self {
        Self {
            name: body.get("name").required_text(),
            kind: body.get("type").one_of_or(&PARAMETER_TYPES, ParameterType::String),
            description: body.get("description").nullable(Field::text).unwrap_or_default(),
            required: body.get("required").bool_or(false),
        }
    }
}

/// Adds a strategy definition.
pub(crate) fn create_strategy(
    tx: &Transaction<'_>,
    strategy: &StrategyDefinition,
    actor: &Actor,
) -> Result<(), ApiError> {
    if tx.find_strategy(&strategy.name)?.is_some() {
        return Err(ApiError::NameTaken(format!("A strategy called {} already exists", strategy.name)));
    }
    tx.insert_strategy(strategy)?;
    Ok(record_event(tx, "strategy-created", Entity::Strategy, &strategy.name, strategy, actor)?)
}

/// Replaces a strategy definition. Does not change whether it is deprecated.
///
/// # Errors
/// [`ApiError::BuiltIn`] for a built-in strategy, [`ApiError::NotFound`].
pub(crate) fn replace_strategy(
    tx: &Transaction<'_>,
    strategy: &StrategyDefinition,
    actor: &Actor,
) -> Result<(), ApiError> {
    let name = &strategy.name;
    let deprecated = find_editable_strategy(tx, name, "edited")?.deprecated;
    let strategy = StrategyDefinition { deprecated, ..strategy.clone() };
    tx.replace_strategy(&strategy)?;
    Ok(record_event(tx, "strategy-updated", Entity::Strategy, name, &strategy, actor)?)
}

/// Deletes a strategy definition.
///
/// # Errors
/// [`ApiError::BuiltIn`] for a built-in strategy, [`ApiError::NotFound`].
pub(crate) fn delete_strategy(tx: &Transaction<'_>, name: &str, actor: &Actor) -> Result<(), ApiError> {
    find_editable_strategy(tx, name, "deleted")?;
    tx.delete_strategy(name)?;
    Ok(record_event(tx, "strategy-deleted", Entity::Strategy, name, &json!({ "name": name }), actor)?)
}

/// Deprecates or reactivates a strategy definition.
///
/// # Errors
/// [`ApiError::BuiltIn`] for the default strategy, [`ApiError::NotFound`].
pub(crate) fn set_strategy_deprecated(
    tx: &Transaction<'_>,
    name: &str,
    deprecated: bool,
    actor: &Actor,
) -> Result<(), ApiError> {
    if name == DEFAULT_STRATEGY {
        return Err(ApiError::BuiltIn("The default strategy cannot be deprecated".to_owned()));
    }
    if !tx.set_deprecated(name, deprecated)? {
        return Err(strategy_not_found());
    }
    let kind = if deprecated { "strategy-deprecated" } else { "strategy-reactivated" };
    Ok(record_event(tx, kind, Entity::Strategy, name, &json!({ "name": name }), actor)?)
}

/// Returns a strategy definition.
pub(crate) fn find(tx: &Transaction<'_>, name: &str) -> Result<StrategyDefinition, ApiError> {
    tx.find_strategy(name)?.ok_or_else(strategy_not_found)
}

/// Returns a strategy definition that is not built in.
fn find_editable_strategy(
    tx: &Transaction<'_>,
    name: &str,
    action: &str,
) -> Result<StrategyDefinition, ApiError> {
    let strategy = find(tx, name)?;
    if !strategy.editable {
        return Err(ApiError::BuiltIn(format!("{name} is built in and cannot be {action}")));
    }
    Ok(strategy)
}

fn strategy_not_found() -> ApiError {
    ApiError::NotFound("Could not find strategy".to_owned())
}

impl Transaction<'_> {
    /// Returns all strategy definitions, sorted by name.
    pub(crate) fn list_strategies(&self) -> Result<Vec<StrategyDefinition>, StoreError> {
        self.query(
            "SELECT name, description, parameters, deprecated, editable FROM strategies ORDER BY name",
            &[],
            strategy_from_row,
        )
    }

    /// Returns a strategy definition.
    pub(crate) fn find_strategy(&self, name: &str) -> Result<Option<StrategyDefinition>, StoreError> {
        self.query_first(
            "SELECT name, description, parameters, deprecated, editable FROM strategies WHERE name = ?1",
            params![name],
            strategy_from_row,
        )
    }

    /// Inserts a strategy definition.
    ///
    /// # Errors
    /// See [`StoreError`]. Also fails if the name is taken.
    pub(crate) fn insert_strategy(&self, strategy: &StrategyDefinition) -> Result<(), StoreError> {
        let parameters = serde_json::to_string(&strategy.parameters)?;
        self.execute(
            "INSERT INTO strategies (name, description, parameters) VALUES (?1, ?2, ?3)",
            params![&strategy.name, &strategy.description, parameters],
        )?;
        Ok(())
    }

    /// Replaces the description and the parameters of a strategy definition.
    pub(crate) fn replace_strategy(&self, strategy: &StrategyDefinition) -> Result<(), StoreError> {
        let parameters = serde_json::to_string(&strategy.parameters)?;
        self.execute(
            "UPDATE strategies SET description = ?2, parameters = ?3 WHERE name = ?1",
            params![&strategy.name, &strategy.description, parameters],
        )?;
        Ok(())
    }

    /// Deletes a strategy definition.
    pub(crate) fn delete_strategy(&self, name: &str) -> Result<(), StoreError> {
        self.execute("DELETE FROM strategies WHERE name = ?1", params![name])?;
        Ok(())
    }

    /// Marks a strategy as deprecated or not. Returns false if it does not exist.
    pub(crate) fn set_deprecated(&self, name: &str, deprecated: bool) -> Result<bool, StoreError> {
        let sql = "UPDATE strategies SET deprecated = ?2 WHERE name = ?1";
        Ok(self.execute(sql, params![name, deprecated])? > 0)
    }
}

fn strategy_from_row(row: &Row<'_>) -> Result<StrategyDefinition, StoreError> {
    Ok(StrategyDefinition {
        name: row.get("name")?,
        display_name: None,
        editable: row.get("editable")?,
        description: row.get("description")?,
        parameters: row.json("parameters")?,
        deprecated: row.get("deprecated")?,
    })
}
