//! Projects: endpoints, handlers, validation, operations and rows.

use actix_web::HttpResponse;
use actix_web::web::{Data, Json, Path};
use serde_json::json;

use crate::api::limits::NAME_LENGTH;
use crate::api::responses::ENVELOPE_VERSION;
use crate::api::{Project, ProjectsResponse};
use crate::config::DEFAULT_PROJECT;
use crate::database::{Database, Row, StoreError, Transaction, params};
use crate::error::ApiError;
use crate::flags::auth::Permission::{CreateProject, DeleteProject, UpdateProject};
use crate::flags::auth::{Author, ConditionalAuthor};
use crate::flags::endpoint::{self, Endpoint};
use crate::flags::events::{Actor, Entity, record_event};
use crate::flags::tagged_json::{TaggedJson, tag_of};
use crate::flags::validation::{Field, RequestBody};
use crate::json_body::JsonBody;

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        endpoint::get("/projects", list).summary("List projects").returns::<ProjectsResponse>(200),
        endpoint::post("/projects", CreateProject, create)
            .summary("Create a project")
            .tagged()
            .body::<Project>()
            .returns::<Project>(201)
            .fails_with(&[409]),
        endpoint::post_only("/projects/validate", CreateProject, validate)
            .summary("Check that a project id is valid and free")
            .body::<IdCheck>()
            .returns_empty(200)
            .fails_with(&[409]),
        endpoint::get("/projects/{id}", show)
            .summary("Get a project")
            .tagged()
            .returns::<Project>(200)
            .fails_with(&[404]),
        endpoint::put("/projects/{id}", UpdateProject, replace)
            .summary("Replace a project")
            .conditional()
            .replacement::<Project>()
            .returns_empty(200)
            .fails_with(&[404]),
        endpoint::delete("/projects/{id}", DeleteProject, delete)
            .summary("Delete a project that has no active toggles")
            .conditional()
            .returns_empty(200)
            .fails_with(&[404, 409]),
    ]
}

async fn list(database: Data<Database>) -> Result<Json<ProjectsResponse>, ApiError> {
    let projects = database.read(|tx| Ok(tx.list_projects()?)).await?;
    Ok(Json(ProjectsResponse { version: ENVELOPE_VERSION, projects }))
}

async fn show(database: Data<Database>, id: Path<String>) -> Result<TaggedJson<Project>, ApiError> {
    let project = database.read(move |tx| find_project(tx, &id)).await?;
    let tag = tag_of(&project)?;
    Ok(TaggedJson::ok(project, tag))
}

async fn validate(database: Data<Database>, body: JsonBody) -> Result<HttpResponse, ApiError> {
    let id = IdCheck::parse(&body.0)?.0;
    database.read(move |tx| check_project_id_is_free(tx, &id)).await?;
    Ok(HttpResponse::Ok().finish())
}

async fn create(
    database: Data<Database>,
    author: Author,
    body: JsonBody,
) -> Result<TaggedJson<Project>, ApiError> {
    let project = Project::parse(&body.0)?;
    let created = database.write(move |tx| create_project(tx, &project, &author.actor_now())).await?;
    let tag = tag_of(&created)?;
    Ok(TaggedJson::created(created, tag))
}

async fn replace(
    database: Data<Database>,
    id: Path<String>,
    author: ConditionalAuthor,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let parsed = Project::parse_replacement(&id, &body.0);
    let project = database.check_before_body(parsed, move |tx| find_project(tx, &id)).await?;
    database
        .write(move |tx| {
            let actor = author.actor_if_match(|| tag_of(&find_project(tx, &project.id)?))?;
            replace_project(tx, &project, &actor)
        })
        .await?;
    Ok(HttpResponse::Ok().finish())
}

async fn delete(
    database: Data<Database>,
    id: Path<String>,
    author: ConditionalAuthor,
) -> Result<HttpResponse, ApiError> {
    database
        .write(move |tx| {
            let actor = author.actor_if_match(|| tag_of(&find_project(tx, &id)?))?;
            delete_project(tx, &id, &actor)
        })
        .await?;
    Ok(HttpResponse::Ok().finish())
}

/// A request that checks whether an id is valid and free.
struct IdCheck(String);

impl RequestBody for Project {
    const NAME: &'static str = "NewProject";

    fn read(body: &Field<'_>) -> Self {
        body.describe(
            || json!({ "examples": [{ "id": "checkout", "name": "Checkout", "description": "" }] }),
        );
        Self {
            id: body.get("id").key(NAME_LENGTH),
            name: body.get("name").required_text(),
            description: body.get("description").nullable(Field::text),
            created_at: None,
        }
    }
}

impl RequestBody for IdCheck {
    const NAME: &'static str = "IdCheck";

    fn read(body: &Field<'_>) -> Self {
        body.describe(|| json!({ "examples": [{ "id": "checkout" }] }));
        Self(body.get("id").name(NAME_LENGTH))
    }
}

/// Returns a project.
pub(crate) fn find_project(tx: &Transaction<'_>, id: &str) -> Result<Project, ApiError> {
    tx.find_project(id)?.ok_or_else(|| not_found(id))
}

/// Checks that no project has the id.
pub(crate) fn check_project_id_is_free(tx: &Transaction<'_>, id: &str) -> Result<(), ApiError> {
    if tx.find_project(id)?.is_some() { Err(taken(id)) } else { Ok(()) }
}

/// Creates a project and returns it.
pub(crate) fn create_project(
    tx: &Transaction<'_>,
    project: &Project,
    actor: &Actor,
) -> Result<Project, ApiError> {
    if !tx.insert_project(project, actor.time())? {
        return Err(taken(&project.id));
    }
    record_event(tx, "project-created", Entity::Project, &project.id, project, actor)?;
    find_project(tx, &project.id)
}

/// Replaces a project.
pub(crate) fn replace_project(
    tx: &Transaction<'_>,
    project: &Project,
    actor: &Actor,
) -> Result<(), ApiError> {
    if !tx.replace_project(project)? {
        return Err(not_found(&project.id));
    }
    Ok(record_event(tx, "project-updated", Entity::Project, &project.id, project, actor)?)
}

/// Deletes a project. Its archived toggles move to the default project, so that they can be revived.
///
/// # Errors
/// [`ApiError::BuiltIn`] for the default project; [`ApiError::Conflict`] if the project has toggles that are not
/// archived; [`ApiError::NotFound`] if it does not exist.
pub(crate) fn delete_project(tx: &Transaction<'_>, id: &str, actor: &Actor) -> Result<(), ApiError> {
    if id == DEFAULT_PROJECT {
        return Err(ApiError::BuiltIn("The default project cannot be deleted".to_owned()));
    }
    let toggles = tx.count_toggles_in_project(id)?;
    if toggles > 0 {
        let message =
            format!("The project {id} still has active toggles: {toggles}. Archive or move them first");
        return Err(ApiError::Conflict(message));
    }
    tx.move_archived_toggles(id, DEFAULT_PROJECT)?;
    if !tx.delete_project(id)? {
        return Err(not_found(id));
    }
    Ok(record_event(tx, "project-deleted", Entity::Project, id, &json!({ "id": id }), actor)?)
}

fn not_found(id: &str) -> ApiError {
    ApiError::NotFound(format!("There is no project with the id {id}"))
}

fn taken(id: &str) -> ApiError {
    ApiError::NameTaken(format!("A project with the id {id} already exists"))
}

impl Transaction<'_> {
    /// Returns all projects, sorted by name and id.
    pub(crate) fn list_projects(&self) -> Result<Vec<Project>, StoreError> {
        let sql = "SELECT id, name, description, created_at FROM projects ORDER BY name, id";
        self.query(sql, &[], project_from_row)
    }

    /// Returns a project.
    pub(crate) fn find_project(&self, id: &str) -> Result<Option<Project>, StoreError> {
        let sql = "SELECT id, name, description, created_at FROM projects WHERE id = ?1";
        self.query_first(sql, params![id], project_from_row)
    }

    /// Inserts a project. `now` is RFC 3339 in UTC. Returns false if its id is taken.
    pub(crate) fn insert_project(&self, project: &Project, now: &str) -> Result<bool, StoreError> {
        let sql = "INSERT INTO projects (id, name, description, created_at) VALUES (?1, ?2, ?3, ?4)
                   ON CONFLICT (id) DO NOTHING";
        let Project { id, name, description, .. } = project;
        Ok(self.execute(sql, params![id, name, description, now])? > 0)
    }

    /// Replaces a project except its id and creation time. Returns false if it does not exist.
    pub(crate) fn replace_project(&self, project: &Project) -> Result<bool, StoreError> {
        let sql = "UPDATE projects SET name = ?2, description = ?3 WHERE id = ?1";
        let Project { id, name, description, .. } = project;
        Ok(self.execute(sql, params![id, name, description])? > 0)
    }

    /// Returns the number of toggles of a project that are not archived.
    pub(crate) fn count_toggles_in_project(&self, project: &str) -> Result<u64, StoreError> {
        let sql = "SELECT count(*) FROM toggles WHERE project = ?1 AND NOT archived";
        let count: i64 = self.query_value(sql, params![project])?;
        Ok(u64::try_from(count).unwrap_or_default())
    }

    /// Moves the archived toggles of a project to the project `target`.
    pub(crate) fn move_archived_toggles(&self, project: &str, target: &str) -> Result<(), StoreError> {
        let sql = "UPDATE toggles SET project = ?2 WHERE project = ?1 AND archived";
        self.execute(sql, params![project, target])?;
        Ok(())
    }

    /// Deletes a project. Returns false if it does not exist.
    pub(crate) fn delete_project(&self, id: &str) -> Result<bool, StoreError> {
        Ok(self.execute("DELETE FROM projects WHERE id = ?1", params![id])? > 0)
    }
}

fn project_from_row(row: &Row<'_>) -> Result<Project, StoreError> {
    Ok(Project {
        id: row.get("id")?,
        name: row.get("name")?,
        description: row.get("description")?,
        created_at: Some(row.get("created_at")?),
    })
}
