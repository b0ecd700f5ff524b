//! The console's files, embedded in the binary, and the page that stands for every address of the console.

use std::borrow::Cow;
use std::collections::HashMap;

use actix_web::http::header::{self, AcceptEncoding, Encoding, Header as _, HeaderMap, HeaderValue};
use actix_web::http::{Method, StatusCode};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder, web};
use bytes::Bytes;
use rust_embed::{EmbeddedFile, RustEmbed};

use crate::config::BasePath;
use crate::console::model::Settings;
use crate::error::ApiError;

/// What the Vite build left: see `build.rs`.
#[derive(RustEmbed)]
#[folder = "$FLAGDECK_FRONTEND"]
struct Files;

const PAGE: &str = "index.html";
/// Vite puts a hash of the content into the names of all files below this folder.
const HASHED: &str = "assets/";
const BASE_OF_ROOT: &str = r#"<base href="/" />"#;
const TITLE: &str = "<title>";

/// Everything comes from our own origin, and nothing is inline: injected markup has nothing to run or load.
const PAGE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'self'; form-action 'self'; \
    frame-ancestors 'none'";

/// The compressed twins of a file: their names' ends, the smallest first.
const FORMS: [(&str, &str); 2] = [("br", ".br"), ("gzip", ".gz")];

/// The files as this process serves them.
pub struct Site {
    base_path: BasePath,
    /// The page with another base or something to show from the first moment in it; `None` where the embedded one fits
    /// as it is.
    page: Option<Bytes>,
    /// By name; the compressed twins have no address of their own.
    files: HashMap<Cow<'static, str>, File>,
}

struct File {
    kind: HeaderValue,
    caching: &'static str,
    /// The smallest first.
    forms: Vec<Form>,
}

/// A file as the build made it.
struct Form {
    encoding: Option<&'static str>,
    tag: String,
    body: Bytes,
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
        let files = Files::iter().filter(|name| !is_twin(name)).map(|name| (name.clone(), File::of(&name)));
        Self { base_path: base_path.clone(), page, files: files.collect() }
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
    let file = site.files.get(name);
    if let Some(file) = file.filter(|_| reads && name != PAGE) {
        return Ok(file.answer(file_answer(file), &request));
    }
    let is_page =
        name.is_empty() || name == PAGE || (!name.starts_with(HASHED) && wants_html(request.headers()));
    match (&site.page, site.files.get(PAGE)) {
        (Some(page), _) if reads && is_page => Ok(page_answer().body(page.clone())),
        (None, Some(file)) if reads && is_page => Ok(file.answer(page_answer(), &request)),
        _ => Err(ApiError::UnknownPath(request.path().to_owned())),
    }
}

fn is_twin(name: &str) -> bool {
    FORMS.iter().any(|(_, end)| name.strip_suffix(end).is_some_and(|plain| Files::get(plain).is_some()))
}

fn wants_html(headers: &HeaderMap) -> bool {
    headers
        .get_all(header::ACCEPT)
        .any(|value| value.to_str().is_ok_and(|accept| accept.contains("text/html")))
}

impl File {
    fn of(name: &str) -> Self {
        let caching =
            if name.starts_with(HASHED) { "public, max-age=31536000, immutable" } else { "no-cache" };
        let twins = FORMS.into_iter().map(|(encoding, end)| (Some(encoding), format!("{name}{end}")));
        let forms = twins.chain([(None, name.to_owned())]);
        let forms = forms.filter_map(|(encoding, name)| Some(Form::of(encoding, Files::get(&name)?)));
        Self { kind: content_type(name), caching, forms: forms.collect() }
    }

    /// The smallest form that the client takes, of those that the build made.
    fn best(&self, request: &HttpRequest) -> Option<&Form> {
        let accepted = AcceptEncoding::parse(request).ok();
        let takes = |name: &str| {
            let encoding = name.parse().unwrap_or_else(|_| Encoding::identity());
            accepted.as_ref().is_some_and(|accepted| {
                accepted.negotiate([&encoding].into_iter()).as_ref() == Some(&encoding)
            })
        };
        self.forms.iter().find(|form| form.encoding.is_none_or(takes))
    }

    /// In the smallest form that the client takes, or not at all if it has that.
    fn answer(&self, mut answer: HttpResponseBuilder, request: &HttpRequest) -> HttpResponse {
        let Some(Form { encoding, tag, body }) = self.best(request) else {
            return HttpResponse::NotAcceptable().finish();
        };
        let known = request.headers().get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok());
        answer.insert_header((header::ETAG, tag.as_str())).insert_header((header::VARY, "Accept-Encoding"));
        if let Some(encoding) = encoding {
            answer.insert_header((header::CONTENT_ENCODING, *encoding));
        }
        if known.unwrap_or_default().split(',').any(|known| known.trim().trim_start_matches("W/") == tag) {
            return answer.status(StatusCode::NOT_MODIFIED).finish();
        }
        answer.body(body.clone())
    }
}

fn page_answer() -> HttpResponseBuilder {
    let mut answer = HttpResponse::Ok();
    answer
        .content_type("text/html; charset=utf-8")
        .insert_header((header::CACHE_CONTROL, "no-cache"))
        .insert_header((header::CONTENT_SECURITY_POLICY, PAGE_POLICY));
    answer
}

fn file_answer(file: &File) -> HttpResponseBuilder {
    let mut answer = HttpResponse::Ok();
    answer
        .insert_header((header::CONTENT_TYPE, file.kind.clone()))
        .insert_header((header::CACHE_CONTROL, file.caching));
    answer
}

/// `mime_guess` knows no character sets; ours is UTF-8 throughout.
fn content_type(name: &str) -> HeaderValue {
    let guess = mime_guess::from_path(name).first_or_octet_stream();
    let text = guess.type_() == mime_guess::mime::TEXT || guess.subtype() == "javascript";
    let full = if text { format!("{guess}; charset=utf-8") } else { guess.to_string() };
    HeaderValue::from_str(&full).unwrap_or(HeaderValue::from_static("application/octet-stream"))
}

impl Form {
    fn of(encoding: Option<&'static str>, file: EmbeddedFile) -> Self {
        let mut tag = String::from("\"");
        for byte in file.metadata.sha256_hash().iter().take(16) {
            tag += &format!("{byte:02x}");
        }
        let body = match file.data {
            Cow::Borrowed(bytes) => Bytes::from_static(bytes),
            Cow::Owned(bytes) => Bytes::from(bytes),
        };
        Self { encoding, tag: tag + "\"", body }
    }
}
