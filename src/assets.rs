//! The console's files, embedded in the binary, and the page that stands for every address of the console.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::io::Read as _;

use actix_web::http::Method;
use actix_web::http::header::{self, Encoding, HeaderName, HeaderValue};
use actix_web::{HttpRequest, HttpResponse, web};
use bytes::Bytes;
use flate2::read::GzDecoder;
use rust_embed::{EmbeddedFile, RustEmbed};

use crate::config::BasePath;
use crate::console::model::Settings;
use crate::error::ApiError;
use crate::middleware::accept;
use crate::negotiation::{AcceptedEncodings, matches_entity_tag};

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
const IMAGES: &str = "img-src 'self' data:";

/// Everything comes from our own origin, and nothing is inline: injected markup has nothing to run or load. [`IMAGES`]
/// may be followed by further origins.
const PAGE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'self'; form-action 'self'; \
    frame-ancestors 'none'";

/// The files as this process serves them.
pub struct Site {
    base_path: BasePath,
    /// The page with another base or something to show from the first moment in it; `None` where the embedded one fits
    /// as it is.
    page: Option<Bytes>,
    page_headers: Vec<(HeaderName, HeaderValue)>,
    /// Those with an address of their own, by name.
    files: HashMap<String, File>,
}

/// A file, and what is said of it in whatever form.
struct File {
    headers: Vec<(HeaderName, HeaderValue)>,
    /// The smallest first, and last the one that everybody takes.
    forms: Vec<Form>,
}

/// A file as the build made it.
struct Form {
    encoding: Option<(Encoding, &'static str)>,
    tag: HeaderValue,
    data: Bytes,
    /// Whether it is unpacked before it is sent.
    is_packed: bool,
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
        let plain =
            |name: &str| name.strip_suffix(BROTLI).or(name.strip_suffix(GZIPPED)).unwrap_or(name).to_owned();
        let names: HashSet<_> = Files::iter().map(|name| plain(&name)).collect();
        let page_headers = page_headers(&settings.image_origins);
        let file = |name: String| (name.clone(), File::of(&name, &page_headers));
        let files = names.into_iter().map(file).collect();
        Self { base_path: base_path.clone(), page, page_headers, files }
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
    let is_page = name.is_empty()
        || name == PAGE
        || (!name.starts_with(HASHED) && accept::names(request.headers(), accept::HTML));
    match (site.files.get(name), &site.page) {
        (Some(file), _) if reads && name != PAGE => Ok(file.answer(&request)),
        _ if !(reads && is_page) => Err(ApiError::UnknownPath(request.path().to_owned())),
        (_, Some(page)) => Ok(with(HttpResponse::Ok().body(page.clone()), &site.page_headers)),
        (_, None) => {
            let page = site.files.get(PAGE).map(|page| page.answer(&request));
            page.ok_or_else(|| ApiError::UnknownPath(request.path().to_owned()))
        }
    }
}

impl File {
    fn of(name: &str, page_headers: &[(HeaderName, HeaderValue)]) -> Self {
        let forms = [
            Form::of(name, BROTLI, Some((Encoding::brotli(), "br"))),
            Form::of(name, GZIPPED, Some((Encoding::gzip(), "gzip"))),
            Form::of(name, "", None).or_else(|| Form::of(name, GZIPPED, None)),
        ];
        let mut headers = if name == PAGE { page_headers.to_vec() } else { file_headers(name) };
        headers.push((header::VARY, HeaderValue::from_static("Accept-Encoding")));
        Self { headers, forms: forms.into_iter().flatten().collect() }
    }

    fn answer(&self, request: &HttpRequest) -> HttpResponse {
        self.found(request).unwrap_or_else(|| HttpResponse::NotFound().finish())
    }

    fn found(&self, request: &HttpRequest) -> Option<HttpResponse> {
        let form = self.form(request)?;
        let mut answer = if matches_entity_tag(request.headers(), &form.tag) {
            HttpResponse::NotModified().finish()
        } else {
            HttpResponse::Ok().body(form.bytes()?)
        };
        let headers = answer.headers_mut();
        headers.insert(header::ETAG, form.tag.clone());
        if let Some((_, token)) = form.encoding {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(token));
        }
        Some(with(answer, &self.headers))
    }

    /// The smallest that the client takes.
    fn form(&self, request: &HttpRequest) -> Option<&Form> {
        let accepted = AcceptedEncodings::from_request(request);
        self.forms.iter().find(|form| {
            form.encoding.as_ref().is_none_or(|(encoding, _)| accepted.contains(encoding.clone()))
        })
    }
}

impl Form {
    /// Each has a tag of its own: what is unpacked here bears the hash of what it was made from.
    fn of(name: &str, suffix: &str, encoding: Option<(Encoding, &'static str)>) -> Option<Self> {
        let EmbeddedFile { data, metadata } = Files::get(&format!("{name}{suffix}"))?;
        let hash = metadata.sha256_hash();
        let digits = hash.iter().take(16).flat_map(|byte| [byte >> 4, byte & 15]);
        let tag: String = digits.filter_map(|digit| char::from_digit(digit.into(), 16)).collect();
        let tag = format!("\"{tag}{}\"", if encoding.is_none() { "-plain" } else { "" });
        let is_packed = encoding.is_none() && !suffix.is_empty();
        let data = match data {
            Cow::Borrowed(bytes) => Bytes::from_static(bytes),
            Cow::Owned(bytes) => bytes.into(),
        };
        Some(Self { encoding, tag: HeaderValue::from_str(&tag).ok()?, data, is_packed })
    }

    /// What is sent; nothing where it cannot be unpacked.
    fn bytes(&self) -> Option<Bytes> {
        if !self.is_packed {
            return Some(self.data.clone());
        }
        // For the rare client that takes nothing compressed.
        let mut plain = Vec::new();
        GzDecoder::new(&*self.data).read_to_end(&mut plain).ok()?;
        Some(plain.into())
    }
}

fn with(mut answer: HttpResponse, headers: &[(HeaderName, HeaderValue)]) -> HttpResponse {
    for (name, value) in headers {
        answer.headers_mut().insert(name.clone(), value.clone());
    }
    answer
}

/// `image_origins` are those beside our own.
fn page_headers(image_origins: &[String]) -> Vec<(HeaderName, HeaderValue)> {
    let images = [&[IMAGES.to_owned()], image_origins].concat().join(" ");
    let policy = HeaderValue::try_from(PAGE_POLICY.replacen(IMAGES, &images, 1));
    let policy = policy.unwrap_or(HeaderValue::from_static(PAGE_POLICY));
    vec![
        (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        (header::CONTENT_SECURITY_POLICY, policy),
    ]
}

fn file_headers(name: &str) -> Vec<(HeaderName, HeaderValue)> {
    let caching = if name.starts_with(HASHED) { "public, max-age=31536000, immutable" } else { "no-cache" };
    vec![
        (header::CONTENT_TYPE, content_type(name)),
        (header::CACHE_CONTROL, HeaderValue::from_static(caching)),
    ]
}

/// `mime_guess` knows no character sets; ours is UTF-8 throughout.
fn content_type(name: &str) -> HeaderValue {
    let guess = mime_guess::from_path(name).first_or_octet_stream();
    let text = guess.type_() == mime_guess::mime::TEXT || guess.subtype() == "javascript";
    let full = if text { format!("{guess}; charset=utf-8") } else { guess.to_string() };
    HeaderValue::from_str(&full).unwrap_or(HeaderValue::from_static("application/octet-stream"))
}
