//! Handlers of the export and the import.

use actix_web::http::header::{ContentDisposition, DispositionParam, DispositionType};
use actix_web::rt::task::spawn_blocking;
use actix_web::web::{Data, Payload};
use actix_web::{HttpRequest, HttpResponse};
use jiff::Timestamp;
use url::form_urlencoded;

use super::rules::parse_import;
use super::upload;
use super::{ImportMode, Section, export as export_state, import as import_state};
use crate::database::Database;
use crate::error::ApiError;
use crate::flags::auth::Author;
use crate::flags::media_type::Format;

/// The options of an export.
struct ExportOptions {
    format: Format,
    is_download: bool,
    sections: Vec<Section>,
}

/// The options of an import.
#[derive(Default)]
struct ImportOptions {
    mode: ImportMode,
    environment: Option<String>,
}

pub(super) async fn export(database: Data<Database>, request: HttpRequest) -> Result<HttpResponse, ApiError> {
    let ExportOptions { format, is_download, sections } = ExportOptions::parse(request.query_string())?;
    let body = database
        .read(move |tx| {
            let state = export_state(tx, &sections)?;
            match format {
                Format::Json => serde_json::to_string(&state).map_err(ApiError::internal),
                Format::Yaml => serde_saphyr::to_string(&state).map_err(ApiError::internal),
            }
        })
        .await?;
    let mut response = HttpResponse::Ok();
    let (content_type, extension) = match format {
        Format::Json => ("application/json", "json"),
        Format::Yaml => ("text/yaml; charset=utf-8", "yml"),
    };
    if is_download {
        let name = format!("export-{}.{extension}", Timestamp::now().strftime("%Y-%m-%d_%H-%M-%S"));
        let parameters = vec![DispositionParam::Filename(name)];
        response.insert_header(ContentDisposition { disposition: DispositionType::Attachment, parameters });
    }
    Ok(response.content_type(content_type).body(body))
}

pub(super) async fn import(
    database: Data<Database>,
    author: Author,
    request: HttpRequest,
    payload: Payload,
) -> Result<HttpResponse, ApiError> {
    let ImportOptions { mode, environment } = ImportOptions::parse(request.query_string())?;
    let upload = upload::read(&request, payload).await?;
    // On a thread that may block: parsing a large file takes longer than a request may hold a worker.
    let parse = move || Ok::<_, ApiError>(parse_import(&upload.parse()?, environment.as_deref())?);
    let import = spawn_blocking(parse).await.map_err(ApiError::internal)??;
    let write = database.write(move |tx| Ok(import_state(tx, &import, mode, &author.actor_now())?));
    Ok(HttpResponse::Accepted().json(write.await?))
}

impl ExportOptions {
    fn parse(query: &str) -> Result<Self, ApiError> {
        let mut options = Self { format: Format::Json, is_download: false, sections: Section::ALL.to_vec() };
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            match name.as_ref() {
                "format" => options.format = parse_format(&value)?,
                "download" => options.is_download = parse_bool(&name, &value)?,
                "featureToggles" => options.select(Section::Features, parse_bool(&name, &value)?),
                "strategies" => options.select(Section::Strategies, parse_bool(&name, &value)?),
                "projects" => options.select(Section::Projects, parse_bool(&name, &value)?),
                "tags" => options.select(Section::Tags, parse_bool(&name, &value)?),
                _ => {}
            }
        }
        Ok(options)
    }

    fn select(&mut self, section: Section, is_selected: bool) {
        self.sections.retain(|other| *other != section || is_selected);
    }
}

impl ImportOptions {
    fn parse(query: &str) -> Result<Self, ApiError> {
        let mut options = Self::default();
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            match name.as_ref() {
                "drop" => options.mode.drop_before_import = parse_bool(&name, &value)?,
                "keep" => options.mode.keep_existing = parse_bool(&name, &value)?,
                "environment" => options.environment = Some(value.into_owned()),
                _ => {}
            }
        }
        Ok(options)
    }
}

fn parse_format(value: &str) -> Result<Format, ApiError> {
    match value {
        "json" => Ok(Format::Json),
        "yaml" => Ok(Format::Yaml),
        _ => Err(ApiError::invalid("format", "\"format\" must be json or yaml".to_owned())),
    }
}

fn parse_bool(name: &str, value: &str) -> Result<bool, ApiError> {
    match value.to_ascii_lowercase().as_str() {
        "true" | "1" => Ok(true),
        "false" | "0" => Ok(false),
        _ => Err(ApiError::invalid(name, format!("\"{name}\" must be true or false"))),
    }
}
