//! The console's files, embedded in the binary, and the page that stands for every address of the console.

use std::borrow::Cow;
use std::io::Read as _;

use actix_web::http::header::{self, AcceptEncoding, Encoding, Header as _, HeaderMap, HeaderValue};
use actix_web::http::{Method, StatusCode};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder, web};
use bytes::Bytes;
use flate2::read::GzDecoder;
use rust_embed::{EmbeddedFile, RustEmbed};

use crate::config::BasePath;
use crate::console::model::Settings;
use crate::error::ApiError;

/// What the Vite build left: see `build.rs`. What hardly anybody asks for as it is, is there compressed alone.
#[derive(RustEmbed)]
#[folder = "$FLAGDECK_FRONTEND"]
#[exclude = "assets/*.js"]
#[exclude = "assets/*.css"]
struct Files;

const PAGE: &str = "index.html";
const GZIPPED: &str = ".gz";
const BROTLI: &str = ".br";
/// Vite puts a hash of the content into the names of all files below this folder.
const HASHED: &str = "assets/";
const BASE_OF_ROOT: &str = r#"<base href="/" />"#;
const TITLE: &str = "<title>";

/// Everything comes from our own origin, and nothing is inline: injected markup has nothing to run or load.
const PAGE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'self'; form-action 'self'; \
    frame-ancestors 'none'";

/// The files as this process serves them.
pub struct Site {
    base_path: BasePath,
    /// The page with another base or something to show from the first moment in it; `None` where the embedded one fits
    /// as it is.
    page: Option<Bytes>,
}

impl Site {
    /// Writes into the page what is not the same for all.
    #[must_use]
    pub fn new(base_path: &BasePath, settings: &Settings) -> Self {
        let fits = base_path.as_str().is_empty() && !says_at_once(settings);
        let page = (!fits).then(|| {
            let page = Files::get(PAGE).map(|file| file.data).unwrap_or_default();
            Bytes::from(written(&String::from_utf8_lossy(&page), base_path, settings))
        });
        Self { base_path: base_path.clone(), page }
    }
}

/// True where a page without the settings in it would be wrong until they come.
fn says_at_once(settings: &Settings) -> bool {
    settings.environment.is_some() || settings.read_only || settings.confirm_writes
}

/// The page below its base path, with the settings in it: a sign that came only with an answer would be missing while
/// one waits for it, and would push down what is read already.
fn written(page: &str, base_path: &BasePath, settings: &Settings) -> String {
    let base = format!(r#"<base href="{}/" />"#, base_path.as_str());
    let settings_text = escaped(&serde_json::to_string(settings).unwrap_or_default());
    let head = format!(r#"{base}<meta name="flagdeck:settings" content="{settings_text}" />"#);
    let page = page.replacen(BASE_OF_ROOT, &head, 1);
    match &settings.environment {
        Some(environment) => page.replacen(TITLE, &format!("{TITLE}[{}] ", escaped(&environment.label)), 1),
        None => page,
    }
}

/// For text and for quoted attributes of HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

/// The name and the hash of every file.
pub(crate) fn hashes() -> impl Iterator<Item = (String, [u8; 32])> {
    Files::iter().filter_map(|name| Some((name.to_string(), Files::get(&name)?.metadata.sha256_hash())))
}

/// Answers a file where there is one, else the page when a browser navigates, else 404.
///
/// What decides is whether the client wants HTML, never a file extension: a toggle may be called `my.flag.js`.
///
/// # Errors
/// [`ApiError::UnknownPath`].
pub async fn serve(request: HttpRequest, site: web::Data<Site>) -> Result<HttpResponse, ApiError> {
    let Some(path) = site.base_path.strip(request.uri().path()) else {
        // Only the base path itself without its slash comes here: relative addresses need the slash.
        let location = format!("{}/", site.base_path.as_str());
        return Ok(HttpResponse::PermanentRedirect().insert_header((header::LOCATION, location)).finish());
    };
    let name = path.trim_start_matches('/');
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    if reads && name != PAGE && is_listed(name) {
        return Ok(file(name, &request));
    }
    let is_page =
        name.is_empty() || name == PAGE || (!name.starts_with(HASHED) && wants_html(request.headers()));
    match &site.page {
        _ if !(reads && is_page) => Err(ApiError::UnknownPath(request.path().to_owned())),
        None => Ok(file(PAGE, &request)),
        Some(page) => Ok(page_answer().body(page.clone())),
    }
}

/// True for files with an address of their own: not for the compressed twins.
fn is_listed(name: &str) -> bool {
    let is_twin = name.ends_with(BROTLI) || name.ends_with(GZIPPED);
    !is_twin && (Files::get(name).is_some() || Files::get(&format!("{name}{GZIPPED}")).is_some())
}

fn wants_html(headers: &HeaderMap) -> bool {
    headers
        .get_all(header::ACCEPT)
        .any(|value| value.to_str().is_ok_and(|accept| accept.contains("text/html")))
}

fn file(name: &str, request: &HttpRequest) -> HttpResponse {
    let Some((encoding, file)) = best_encoding(name, request) else {
        return HttpResponse::NotFound().finish();
    };
    let tag = entity_tag(&file, encoding);
    let unchanged = request
        .headers()
        .get(header::IF_NONE_MATCH)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|tags| tags.split(',').any(|known| known.trim().trim_start_matches("W/") == tag));
    let mut answer = if name == PAGE { page_answer() } else { file_answer(name) };
    answer.insert_header((header::ETAG, tag)).insert_header((header::VARY, "Accept-Encoding"));
    if let Some(encoding) = encoding {
        answer.insert_header((header::CONTENT_ENCODING, encoding));
    }
    if unchanged {
        return answer.status(StatusCode::NOT_MODIFIED).finish();
    }
    answer.body(match file.data {
        Cow::Borrowed(bytes) => Bytes::from_static(bytes),
        Cow::Owned(bytes) => Bytes::from(bytes),
    })
}

fn page_answer() -> HttpResponseBuilder {
    let mut answer = HttpResponse::Ok();
    answer
        .content_type("text/html; charset=utf-8")
        .insert_header((header::CACHE_CONTROL, "no-cache"))
        .insert_header((header::CONTENT_SECURITY_POLICY, PAGE_POLICY));
    answer
}

fn file_answer(name: &str) -> HttpResponseBuilder {
    let caching = if name.starts_with(HASHED) { "public, max-age=31536000, immutable" } else { "no-cache" };
    let mut answer = HttpResponse::Ok();
    answer
        .insert_header((header::CONTENT_TYPE, content_type(name)))
        .insert_header((header::CACHE_CONTROL, caching));
    answer
}

/// `mime_guess` knows no character sets; ours is UTF-8 throughout.
fn content_type(name: &str) -> HeaderValue {
    let guess = mime_guess::from_path(name).first_or_octet_stream();
    let text = guess.type_() == mime_guess::mime::TEXT || guess.subtype() == "javascript";
    let full = if text { format!("{guess}; charset=utf-8") } else { guess.to_string() };
    HeaderValue::from_str(&full).unwrap_or(HeaderValue::from_static("application/octet-stream"))
}

/// The smallest form that the client takes, of those that the build made.
fn best_encoding(name: &str, request: &HttpRequest) -> Option<(Option<&'static str>, EmbeddedFile)> {
    let accepted = AcceptEncoding::parse(request).ok();
    [("br", BROTLI, Encoding::brotli()), ("gzip", GZIPPED, Encoding::gzip())]
        .into_iter()
        .filter(|(_, _, encoding)| {
            accepted
                .as_ref()
                .is_some_and(|accepted| accepted.negotiate([encoding].into_iter()).as_ref() == Some(encoding))
        })
        .find_map(|(token, suffix, _)| Some((Some(token), Files::get(&format!("{name}{suffix}"))?)))
        .or_else(|| Some((None, Files::get(name).or_else(|| unpacked(name))?)))
}

/// For the rare client that takes nothing compressed.
fn unpacked(name: &str) -> Option<EmbeddedFile> {
    let packed = Files::get(&format!("{name}{GZIPPED}"))?;
    let mut plain = Vec::new();
    GzDecoder::new(&*packed.data).read_to_end(&mut plain).ok()?;
    Some(EmbeddedFile { data: Cow::Owned(plain), ..packed })
}

/// Each form has its own: what is unpacked here bears the hash of what it was made from.
fn entity_tag(file: &EmbeddedFile, encoding: Option<&str>) -> String {
    let hash = file.metadata.sha256_hash();
    let digits = hash.iter().take(16).flat_map(|byte| [byte >> 4, byte & 15]);
    let tag: String = digits.filter_map(|digit| char::from_digit(digit.into(), 16)).collect();
    format!("\"{tag}{}\"", if encoding.is_none() { "-plain" } else { "" })
}
