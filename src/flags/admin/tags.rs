//! Tag types, tags, and tags on toggles.

use actix_web::HttpResponse;
use actix_web::web::{Data, Json, Path};

use super::body::JsonBody;
use crate::error::ApiError;
use crate::flags::auth::Editor;
use crate::flags::model::answers::ENVELOPE_VERSION;
use crate::flags::model::{Tag, TagTypeAnswer, TagTypeName, TagTypesAnswer, TagsAnswer, ValidTagType};
use crate::flags::{Flags, rules, tags};

pub(in crate::flags) async fn list_types(flags: Data<Flags>) -> Result<Json<TagTypesAnswer>, ApiError> {
    let tag_types = flags.read(|session| Ok(session.tag_types()?)).await?;
    Ok(Json(TagTypesAnswer { version: ENVELOPE_VERSION, tag_types }))
}

pub(in crate::flags) async fn show_type(
    flags: Data<Flags>,
    name: Path<String>,
) -> Result<Json<TagTypeAnswer>, ApiError> {
    let tag_type = flags.read(move |session| tags::find_type(session, &name)).await?;
    Ok(Json(TagTypeAnswer { version: ENVELOPE_VERSION, tag_type }))
}

pub(in crate::flags) async fn validate_type(
    flags: Data<Flags>,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let name = rules::new_tag_type(&body.0)?.name;
    let answer = ValidTagType { valid: true, tag_type: TagTypeName { name: name.clone() } };
    flags.read(move |session| tags::type_name_is_free(session, &name)).await?;
    Ok(HttpResponse::Ok().json(answer))
}

pub(in crate::flags) async fn create_type(
    flags: Data<Flags>,
    by: Editor,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let tag_type = rules::new_tag_type(&body.0)?;
    let created = tag_type.clone();
    flags.write(move |session| tags::create_type(session, &tag_type, &by.now())).await?;
    Ok(HttpResponse::Created().json(created))
}

pub(in crate::flags) async fn replace_type(
    flags: Data<Flags>,
    name: Path<String>,
    by: Editor,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let tag_type = rules::replaced_tag_type(name.into_inner(), &body.0)?;
    flags.write(move |session| tags::replace_type(session, &tag_type, &by.now())).await?;
    Ok(HttpResponse::Ok().finish())
}

pub(in crate::flags) async fn delete_type(
    flags: Data<Flags>,
    name: Path<String>,
    by: Editor,
) -> Result<HttpResponse, ApiError> {
    flags.write(move |session| tags::delete_type(session, &name, &by.now())).await?;
    Ok(HttpResponse::Ok().finish())
}

pub(in crate::flags) async fn list(flags: Data<Flags>) -> Result<Json<TagsAnswer>, ApiError> {
    let tags = flags.read(|session| Ok(session.tags(None)?)).await?;
    Ok(Json(TagsAnswer { version: ENVELOPE_VERSION, tags }))
}

pub(in crate::flags) async fn of_type(
    flags: Data<Flags>,
    kind: Path<String>,
) -> Result<Json<TagsAnswer>, ApiError> {
    let tags = flags.read(move |session| Ok(session.tags(Some(&kind))?)).await?;
    Ok(Json(TagsAnswer { version: ENVELOPE_VERSION, tags }))
}

pub(in crate::flags) async fn create(
    flags: Data<Flags>,
    by: Editor,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let tag = rules::tag(&body.0)?;
    flags.write(move |session| tags::create(session, &tag, &by.now())).await?;
    Ok(HttpResponse::Created().finish())
}

pub(in crate::flags) async fn delete(
    flags: Data<Flags>,
    path: Path<(String, String)>,
    by: Editor,
) -> Result<HttpResponse, ApiError> {
    let (kind, value) = path.into_inner();
    let tag = Tag { kind, value };
    flags.write(move |session| tags::delete(session, &tag, &by.now())).await?;
    Ok(HttpResponse::Ok().finish())
}

pub(in crate::flags) async fn of_toggle(
    flags: Data<Flags>,
    name: Path<String>,
) -> Result<Json<TagsAnswer>, ApiError> {
    let tags = flags.read(move |session| tags::of_toggle(session, &name)).await?;
    Ok(Json(TagsAnswer { version: ENVELOPE_VERSION, tags }))
}

pub(in crate::flags) async fn tag_toggle(
    flags: Data<Flags>,
    name: Path<String>,
    by: Editor,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let tag = rules::tag(&body.0)?;
    let tagged = tag.clone();
    flags.write(move |session| tags::tag(session, &name, &tag, &by.now())).await?;
    Ok(HttpResponse::Created().json(tagged))
}

pub(in crate::flags) async fn untag_toggle(
    flags: Data<Flags>,
    path: Path<(String, String, String)>,
    by: Editor,
) -> Result<HttpResponse, ApiError> {
    let (name, kind, value) = path.into_inner();
    let tag = Tag { kind, value };
    flags.write(move |session| tags::untag(session, &name, &tag, &by.now())).await?;
    Ok(HttpResponse::Ok().finish())
}
