//! Request handlers of `/api/client`, which client libraries use.

use std::ops::ControlFlow;

use actix_web::http::header::{CONTENT_ENCODING, CONTENT_TYPE, ContentType, HeaderName, HeaderValue, VARY};
use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use jiff::Timestamp;

use super::Snapshots;
use super::streaming::{ClientStreams, StreamSelection};
use crate::api::{ClientApi, ClientFeature, Segment, SegmentFormat};
use crate::database::{Database, Transaction};
use crate::error::ApiError;
use crate::flags::auth::Access;
use crate::flags::auth::guards::TokenProjects;
use crate::flags::toggles;
use crate::flags::toggles::filter::{ToggleFilter, parse_toggle_filter};
use crate::flags::usage::UsageReports;
use crate::flags::usage::report::BulkReport;
use crate::flags::usage::rules::{parse_registration, parse_report, report_stream};
use crate::flags::validation::RequestBody as _;
use crate::hold::{self, Served};
use crate::impact_metrics::{ImpactMetrics, ImpactSender};
use crate::json_body::JsonBody;
use crate::middleware::{self, compress};
use crate::negotiation::{CopyAge, accepts_gzip, conditional_response};

/// Header with the version of the client specification that a client library supports.
const SPECIFICATION: &str = "Unleash-Client-Spec";

pub(in crate::flags) async fn features(
    database: Data<Database>,
    snapshots: Data<Snapshots>,
    streams: Data<ClientStreams>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let filter = filter_of(&request)?;
    streams.record_poll(request.headers());
    let format = segment_format(&request);
    let served = if snapshots.holds().is_empty() {
        Served::original(snapshots.for_client(format).await?.list)
    } else {
        snapshots.serve(format).await?
    };
    let (snapshot, held) = (served.value, served.held);
    let headers = || age_headers(&database).chain(held.header());
    if !filter.is_empty() {
        let body = snapshot.filter(filter).await?;
        let mut response = HttpResponse::Ok();
        response.content_type(ContentType::json()).append_header((VARY, SPECIFICATION));
        for header in headers() {
            response.insert_header(header);
        }
        return compress::encode(&request, response.body(body)).await;
    }
    let mut response = match conditional_response(&request, snapshot.etag) {
        ControlFlow::Continue(response) => response,
        ControlFlow::Break(mut not_modified) => {
            not_modified.headers_mut().append(VARY, HeaderValue::from_static(SPECIFICATION));
            for (name, value) in headers() {
                not_modified.headers_mut().insert(name, value);
            }
            return Ok(not_modified);
        }
    };
    response.append_header((VARY, SPECIFICATION));
    response.insert_header((CONTENT_TYPE, "application/json"));
    for header in headers() {
        response.insert_header(header);
    }
    if accepts_gzip(&request) {
        return Ok(response.insert_header((CONTENT_ENCODING, "gzip")).body(snapshot.gzip));
    }
    Ok(response.body(snapshot.body))
}

pub(in crate::flags) async fn streaming(
    database: Data<Database>,
    snapshots: Data<Snapshots>,
    usage: Data<UsageReports>,
    access: Data<Access>,
    streams: Data<ClientStreams>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let filter = filter_of(&request)?;
    let selection = StreamSelection { format: segment_format(&request), filter };
    let client = middleware::client::from_request(&request)?;
    let token = Access::token_hash(request.headers());
    let response = streams.open(selection, &snapshots, &database, &access, token).await?;
    if let Some(report) = report_stream(request.headers()) {
        usage.count(&report, &client.address_text(), Timestamp::now()).await;
    }
    Ok(response)
}

pub(in crate::flags) async fn feature(
    database: Data<Database>,
    snapshots: Data<Snapshots>,
    request: HttpRequest,
    name: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let projects = TokenProjects::of(&request);
    if !snapshots.holds().is_empty() {
        let served = snapshots.serve(SegmentFormat::Inline).await?;
        if served.held.names.contains(&name)
            && let Some(toggle) = hold::read_toggle(&served.value.body, &name).await?
        {
            let mut response = HttpResponse::Ok();
            if let Some(header) = served.held.header() {
                response.insert_header(header);
            }
            return Ok(response.content_type(ContentType::json()).body(toggle));
        }
    }
    let work = move |tx: &Transaction<'_>| {
        let toggle = toggles::transactions::find(tx, &name)?;
        if !projects.is_empty() && !projects.contains(&toggle.project) {
            return Err(ApiError::NotFound(format!("There is no toggle {:?} for this token", name.as_str())));
        }
        let segments: Vec<Segment> = tx.list_segments()?.into_iter().map(|listed| listed.segment).collect();
        Ok(ClientFeature::new(toggle, SegmentFormat::Inline, &segments))
    };
    Ok(HttpResponse::Ok().json(database.read(work).await?))
}

pub(in crate::flags) async fn register(
    usage: Data<UsageReports>,
    request: HttpRequest,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let client = middleware::client::from_request(&request)?;
    usage.register(parse_registration(&body.0, ClientApi::Server)?, &client.address_text(), Timestamp::now());
    Ok(HttpResponse::Accepted().finish())
}

pub(in crate::flags) async fn metrics(
    usage: Data<UsageReports>,
    impact_metrics: Data<ImpactMetrics>,
    request: HttpRequest,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let client = middleware::client::from_request(&request)?;
    usage.count(&parse_report(&body.0, ClientApi::Server)?, &client.address_text(), Timestamp::now()).await;
    impact_metrics.record(&body.0, ImpactSender::Server);
    Ok(HttpResponse::Accepted().finish())
}

pub(in crate::flags) async fn bulk_metrics(
    usage: Data<UsageReports>,
    impact_metrics: Data<ImpactMetrics>,
    request: HttpRequest,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let client = middleware::client::from_request(&request)?;
    let (bulk, address, now) = (BulkReport::parse(&body.0)?, client.address_text(), Timestamp::now());
    for registration in bulk.registrations {
        usage.register(registration, &address, now);
    }
    for report in &bulk.reports {
        usage.count(report, &address, now).await;
    }
    impact_metrics.record(&body.0, ImpactSender::Server);
    Ok(HttpResponse::Accepted().finish())
}

/// Returns the filter of the query. The projects of the token replace those of the query, as in Unleash.
fn filter_of(request: &HttpRequest) -> Result<ToggleFilter, ApiError> {
    let mut filter = parse_toggle_filter(request.query_string())?;
    let projects = TokenProjects::of(request);
    if !projects.is_empty() {
        filter.projects = projects;
    }
    Ok(filter)
}

/// Returns the headers of toggles that are in memory while the database does not respond.
fn age_headers(database: &Database) -> impl Iterator<Item = (HeaderName, HeaderValue)> {
    database.copy_age().into_iter().flat_map(CopyAge::headers)
}

/// Returns the format that the client library supports.
fn segment_format(request: &HttpRequest) -> SegmentFormat {
    let version = request.headers().get(SPECIFICATION).and_then(|version| version.to_str().ok());
    SegmentFormat::of_specification(version)
}
