//! Serves the embedded files of the console, and the page that is served for every address of the console.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::io::Read as _;

use actix_web::http::Method;
use actix_web::http::header::{self, ETag, Encoding, EntityTag, HeaderName, HeaderValue};
use actix_web::{HttpRequest, HttpResponse, web};
use bytes::Bytes;
use flate2::read::GzDecoder;
use rust_embed::EmbeddedFile;

use crate::config::BasePath;
use crate::console_api::Settings;
use crate::embedded_files::Files;
use crate::error::ApiError;
use crate::middleware::accept;
use crate::negotiation::{AcceptedEncodings, if_none_match, matches_entity_tag, tag_digits};

const PAGE: &str = "index.html";
const GZIPPED: &str = ".gz";
const BROTLI: &str = ".br";
/// Folder of the files whose names contain a hash of their content.
const HASHED: &str = "assets/";
const BASE_OF_ROOT: &str = r#"<base href="/" />"#;
const TITLE: &str = "<title>";
const IMAGES: &str = "img-src 'self' data:";

/// Content security policy of the page. Everything is loaded from the console's origin and nothing is inline, so that
/// injected markup cannot run or load anything. Additional origins may follow [`IMAGES`].
const PAGE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'self'; form-action 'self'; \
    frame-ancestors 'none'";

/// The files with the headers and settings of this process.
pub struct Site {
    base_path: BasePath,
    /// The page with its base path and settings; `None` if the embedded page is served unchanged.
    page: Option<Bytes>,
    page_headers: Vec<(HeaderName, HeaderValue)>,
    /// The files by name.
    files: HashMap<String, File>,
}

/// A file and the headers that all its representations have.
struct File {
    headers: Vec<(HeaderName, HeaderValue)>,
    /// The smallest representation is first; the last one is not compressed.
    representations: Vec<Representation>,
}

/// A file in one content coding.
struct Representation {
    encoding: Option<(Encoding, &'static str)>,
    tag: EntityTag,
    data: Bytes,
    /// True if the data is decompressed before it is sent.
    is_packed: bool,
}

impl Site {
    /// Prepares the files, and inserts the base path and the settings into the page.
    #[must_use]
    pub fn new(base_path: &BasePath, settings: &Settings) -> Self {
        let is_unchanged = base_path.as_str().is_empty() && !has_initial_settings(settings);
        let page = (!is_unchanged).then(|| {
            let page = Files::get(PAGE).map(|file| file.data).unwrap_or_default();
            Bytes::from(fill_page(&String::from_utf8_lossy(&page), base_path, settings))
        });
        let plain =
            |name: &str| name.strip_suffix(BROTLI).or(name.strip_suffix(GZIPPED)).unwrap_or(name).to_owned();
        let names: HashSet<_> = Files::iter().map(|name| plain(&name)).collect();
        let page_headers = page_headers(&settings.image_origins);
        let file = |name: String| (name.clone(), File::new(&name, &page_headers));
        let files = names.into_iter().map(file).collect();
        Self { base_path: base_path.clone(), page, page_headers, files }
    }
}

/// Returns true if the page must contain the settings, because it would look different before it has loaded them.
fn has_initial_settings(settings: &Settings) -> bool {
    settings.environment.is_some() || settings.read_only || settings.confirm_writes
}

/// Inserts the base path and the settings into the page. A label that appeared only after the settings have loaded would
/// shift the content of the page.
fn fill_page(page: &str, base_path: &BasePath, settings: &Settings) -> String {
    let base = format!(r#"<base href="{}/" />"#, base_path.as_str());
    let settings_text = escape_html(&serde_json::to_string(settings).unwrap_or_default());
    let head = format!(r#"{base}<meta name="flagdeck:settings" content="{settings_text}" />"#);
    let page = page.replacen(BASE_OF_ROOT, &head, 1);
    match &settings.environment {
        Some(label) => page.replacen(TITLE, &format!("{TITLE}[{}] ", escape_html(label)), 1),
        None => page,
    }
}

/// Escapes text for HTML text and quoted attributes.
fn escape_html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

/// Serves a file if one has this name, and otherwise the page if a browser navigates.
///
/// `Accept` distinguishes navigation from other requests. A file extension would not, because the name of a toggle may be
/// `my.flag.js`.
///
/// # Errors
/// [`ApiError::UnknownPath`] otherwise.
pub(crate) async fn serve(request: HttpRequest, site: web::Data<Site>) -> Result<HttpResponse, ApiError> {
    let Some(path) = site.base_path.strip(request.uri().path()) else {
        // The path is the base path without a trailing slash, which relative URLs need.
        let location = format!("{}/", site.base_path.as_str());
        return Ok(HttpResponse::PermanentRedirect().insert_header((header::LOCATION, location)).finish());
    };
    let name = path.trim_start_matches('/');
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    let is_page = name.is_empty()
        || name == PAGE
        || (!name.starts_with(HASHED) && accept::lists_media_type(request.headers(), accept::HTML));
    match (site.files.get(name), &site.page) {
        (Some(file), _) if is_read && name != PAGE => Ok(file.respond(&request)),
        _ if !(is_read && is_page) => Err(ApiError::UnknownPath(request.path().to_owned())),
        (_, Some(page)) => Ok(add_headers(HttpResponse::Ok().body(page.clone()), &site.page_headers)),
        (_, None) => {
            let page = site.files.get(PAGE).map(|page| page.respond(&request));
            page.ok_or_else(|| ApiError::UnknownPath(request.path().to_owned()))
        }
    }
}

impl File {
    fn new(name: &str, page_headers: &[(HeaderName, HeaderValue)]) -> Self {
        let representations = [
            Representation::load(name, BROTLI, Some((Encoding::brotli(), "br"))),
            Representation::load(name, GZIPPED, Some((Encoding::gzip(), "gzip"))),
            Representation::load(name, "", None).or_else(|| Representation::load(name, GZIPPED, None)),
        ];
        let mut headers = if name == PAGE { page_headers.to_vec() } else { file_headers(name) };
        headers.push((header::VARY, HeaderValue::from_static("Accept-Encoding")));
        Self { headers, representations: representations.into_iter().flatten().collect() }
    }

    fn respond(&self, request: &HttpRequest) -> HttpResponse {
        self.try_respond(request).unwrap_or_else(|| HttpResponse::NotFound().finish())
    }

    fn try_respond(&self, request: &HttpRequest) -> Option<HttpResponse> {
        let representation = self.select(request)?;
        let is_not_modified = matches_entity_tag(&if_none_match(request), &representation.tag);
        let mut response = if is_not_modified { HttpResponse::NotModified() } else { HttpResponse::Ok() };
        response.insert_header(ETag(representation.tag.clone()));
        if let Some((_, token)) = representation.encoding {
            response.insert_header((header::CONTENT_ENCODING, token));
        }
        let response =
            if is_not_modified { response.finish() } else { response.body(representation.bytes()?) };
        Some(add_headers(response, &self.headers))
    }

    /// Selects the smallest representation that the client accepts.
    fn select(&self, request: &HttpRequest) -> Option<&Representation> {
        let accepted = AcceptedEncodings::from_request(request);
        self.representations
            .iter()
            .find(|one| one.encoding.as_ref().is_none_or(|(encoding, _)| accepted.contains(encoding.clone())))
    }
}

impl Representation {
    /// Loads an embedded file. Each representation has its own entity tag; decompressed data has the hash of its source.
    fn load(name: &str, suffix: &str, encoding: Option<(Encoding, &'static str)>) -> Option<Self> {
        let EmbeddedFile { data, metadata } = Files::get(&format!("{name}{suffix}"))?;
        let variant = if encoding.is_none() { "-plain" } else { "" };
        let tag = EntityTag::new_strong(tag_digits(&metadata.sha256_hash()) + variant);
        let is_packed = encoding.is_none() && !suffix.is_empty();
        let data = match data {
            Cow::Borrowed(bytes) => Bytes::from_static(bytes),
            Cow::Owned(bytes) => bytes.into(),
        };
        Some(Self { encoding, tag, data, is_packed })
    }

    /// Returns the body; `None` if it cannot be decompressed.
    fn bytes(&self) -> Option<Bytes> {
        if !self.is_packed {
            return Some(self.data.clone());
        }
        // Few clients accept no compression.
        let mut plain = Vec::new();
        GzDecoder::new(&*self.data).read_to_end(&mut plain).ok()?;
        Some(plain.into())
    }
}

fn add_headers(mut response: HttpResponse, headers: &[(HeaderName, HeaderValue)]) -> HttpResponse {
    for (name, value) in headers {
        response.headers_mut().insert(name.clone(), value.clone());
    }
    response
}

/// Returns the headers of the page. `image_origins` are allowed in addition to the console's origin.
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

/// Returns the content type of a file. All text files are UTF-8, which `mime_guess` does not add.
fn content_type(name: &str) -> HeaderValue {
    let guess = mime_guess::from_path(name).first_or_octet_stream();
    let text = guess.type_() == mime_guess::mime::TEXT || guess.subtype() == "javascript";
    let full = if text { format!("{guess}; charset=utf-8") } else { guess.to_string() };
    HeaderValue::from_str(&full).unwrap_or(HeaderValue::from_static("application/octet-stream"))
}
