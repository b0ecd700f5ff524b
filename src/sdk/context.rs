//! Reads the context of an evaluation from a query or a JSON body.

use actix_web::http::header::HeaderName;
use actix_web::{HttpRequest, web};
use jiff::{Timestamp, Unit};
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};
use url::form_urlencoded;

use super::MAX_FIELDS;
use crate::error::ApiError;
use crate::evaluation::request::MAX_VALUE_LENGTH;
use crate::evaluation::{Context, texts_of};
use crate::json_body::value_count::{MAX_OBJECTS, MAX_VALUES};
use crate::json_body::{BodyLimits, read_body};
use crate::middleware::client;

/// The limits of a body with a context.
const LIMITS: BodyLimits = BodyLimits { bytes: 256 * 1024, values: MAX_VALUES, objects: MAX_OBJECTS };

/// Header with the name of the application.
const APP_NAME: HeaderName = HeaderName::from_static("unleash-appname");
/// Header with an id of the SDK's instance, in current and in older SDKs.
const CONNECTION_IDS: [HeaderName; 2] =
    [HeaderName::from_static("unleash-connection-id"), HeaderName::from_static("x-unleash-connection-id")];

/// The context fields of a request by name. The first value of a name counts.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RequestContext(Vec<(String, String)>);

impl RequestContext {
    /// Reads a query: fields, and others as `properties[name]`.
    pub(super) fn from_query(query: &str) -> Result<Self, ApiError> {
        let fields = form_urlencoded::parse(query.as_bytes()).map(|(name, value)| {
            let property = name.strip_prefix("properties[").and_then(|rest| rest.strip_suffix(']'));
            (property.unwrap_or(&name).to_owned(), value.into_owned())
        });
        Self::new(fields)
    }

    /// Reads the body of an Unleash SDK: a context, or an object with the property `context`.
    pub(super) fn from_unleash(mut body: Map<String, Value>) -> Result<Self, ApiError> {
        let mut context = match body.remove("context") {
            Some(Value::Object(context)) => context,
            _ => body,
        };
        let properties = match context.remove("properties") {
            Some(Value::Object(properties)) => properties,
            _ => Map::new(),
        };
        Self::new(texts_of(context).chain(texts_of(properties)))
    }

    /// Reads the body of an OpenFeature client. Nested values are ignored, and the targeting key is also the user id.
    ///
    /// # Errors
    /// [`ApiError::Invalid`] if the context is not an object, or above a limit.
    pub(super) fn from_ofrep(mut body: Map<String, Value>) -> Result<Self, ApiError> {
        let mut context = match body.remove("context") {
            Some(Value::Object(context)) => Self::new(texts_of(context))?,
            None | Some(Value::Null) => Self(Vec::new()),
            Some(_) => return Err(invalid("context must be an object".to_owned())),
        };
        if let Some(key) = context.get("targetingKey").map(ToOwned::to_owned) {
            context.add_default("userId", || key);
        }
        Ok(context)
    }

    fn new(fields: impl Iterator<Item = (String, String)>) -> Result<Self, ApiError> {
        let fields: Vec<_> = fields.take(MAX_FIELDS + 1).collect();
        if fields.len() > MAX_FIELDS {
            return Err(invalid(format!("The context has more than {MAX_FIELDS} fields")));
        }
        match fields.iter().find(|(_, value)| value.len() > MAX_VALUE_LENGTH) {
            Some((name, _)) => {
                Err(invalid(format!("The context field {name:?} has more than {MAX_VALUE_LENGTH} bytes")))
            }
            None => Ok(Self(fields)),
        }
    }

    fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }

    fn add_default(&mut self, name: &str, value: impl FnOnce() -> String) {
        if self.get(name).is_none() {
            self.0.push((name.to_owned(), value()));
        }
    }

    /// Adds fields of the request: the address of the client, and those in the headers of SDKs.
    pub(super) fn add_request(&mut self, request: &HttpRequest) -> Result<(), ApiError> {
        let client = client::from_request(request)?;
        self.add_default("remoteAddress", || client.address_text().into_owned());
        let header = |name: &HeaderName| request.headers().get(name)?.to_str().ok().map(ToOwned::to_owned);
        if let Some(app_name) = header(&APP_NAME) {
            self.add_default("appName", || app_name);
        }
        if let Some(id) = CONNECTION_IDS.iter().find_map(header) {
            self.add_default("sessionId", || id);
        }
        Ok(())
    }

    /// Starts the hash of an entity tag with these fields.
    pub(super) fn start_tag(&self) -> Sha256 {
        let mut hash = Sha256::new();
        for text in self.0.iter().flat_map(|(name, value)| [name, value]) {
            hash.update(text);
            // No byte of UTF-8: two lists of texts with the same bytes are equal.
            hash.update([0xff]);
        }
        hash
    }

    /// Adds a random session id and the current time, if they are absent.
    pub(super) fn into_session(mut self) -> Result<Context, ApiError> {
        self.add_default("sessionId", || format!("{:016x}", fastrand::u64(..)));
        self.into_context()
    }

    /// Adds the current time, if it is absent.
    pub(super) fn into_context(self) -> Result<Context, ApiError> {
        let now = Timestamp::now().round(Unit::Second).map_err(ApiError::internal)?;
        let mut context = Context::from_pairs(self.0);
        context.set_default_time(&now.to_string());
        Ok(context)
    }
}

/// Reads a body that must be a JSON object.
///
/// # Errors
/// [`ApiError::BadBody`] if it is not, and the errors of [`read_body`].
pub(super) async fn read_object(body: web::Payload) -> Result<Map<String, Value>, ApiError> {
    let body = read_body(body, &LIMITS).await?;
    serde_json::from_slice(&body)
        .map_err(|cause| ApiError::BadBody(format!("The request body is not a JSON object: {cause}")))
}

fn invalid(message: String) -> ApiError {
    ApiError::invalid("context", message)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{MAX_FIELDS, RequestContext};

    fn object(json: Value) -> serde_json::Map<String, Value> {
        serde_json::from_value(json).unwrap()
    }

    fn fields(context: &RequestContext) -> Vec<(&str, &str)> {
        context.0.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect()
    }

    #[test]
    fn reads_queries_with_properties_in_brackets() {
        for (query, expected) in [
            ("", &[][..]),
            ("userId=7&properties[region]=eu", &[("userId", "7"), ("region", "eu")]),
            ("properties%5Bregion%5D=n%C3%B6rd+%2B", &[("region", "nörd +")]),
            ("plan=gold&plan=free", &[("plan", "gold"), ("plan", "free")]),
            (
                "properties[]=x&properties=y&properties[a=z",
                &[("", "x"), ("properties", "y"), ("properties[a", "z")],
            ),
            ("a", &[("a", "")]),
        ] {
            assert_eq!(fields(&RequestContext::from_query(query).unwrap()), expected, "{query}");
        }
    }

    #[test]
    fn reads_bodies_of_unleash_with_and_without_a_wrapper() {
        let context =
            json!({ "userId": 7, "vip": true, "list": [1], "properties": { "region": "eu", "x": null } });
        let expected = [("userId", "7"), ("vip", "true"), ("region", "eu")];
        for body in [context.clone(), json!({ "context": context, "toggles": ["a"] })] {
            assert_eq!(fields(&RequestContext::from_unleash(object(body)).unwrap()), expected);
        }
        let text = RequestContext::from_unleash(object(json!({ "context": "mobile" }))).unwrap();
        assert_eq!(fields(&text), []);
    }

    #[test]
    fn targeting_key_is_the_user_id_and_a_property() {
        for (context, expected) in [
            (json!({ "targetingKey": "7" }), &[("targetingKey", "7"), ("userId", "7")][..]),
            (json!({ "targetingKey": "7", "userId": "8" }), &[("targetingKey", "7"), ("userId", "8")]),
            (
                json!({ "a": 1.5, "b": true, "c": { "d": "e" }, "properties": { "f": "g" } }),
                &[("a", "1.5"), ("b", "true")],
            ),
            (json!({}), &[]),
            (Value::Null, &[]),
        ] {
            let read = RequestContext::from_ofrep(object(json!({ "context": context }))).unwrap();
            assert_eq!(fields(&read), expected, "{context}");
        }
        assert_eq!(fields(&RequestContext::from_ofrep(object(json!({}))).unwrap()), []);
        for context in [json!([]), json!("7"), json!(1)] {
            assert!(RequestContext::from_ofrep(object(json!({ "context": context }))).is_err(), "{context}");
        }
    }

    #[test]
    fn contexts_have_limits() {
        let query =
            |count: usize| (0..count).map(|index| format!("f{index}=1")).collect::<Vec<_>>().join("&");
        assert!(RequestContext::from_query(&query(MAX_FIELDS)).is_ok());
        assert!(RequestContext::from_query(&query(MAX_FIELDS + 1)).is_err());
        assert!(RequestContext::from_query(&format!("a={}", "x".repeat(1_000))).is_ok());
        assert!(RequestContext::from_query(&format!("a={}", "x".repeat(1_001))).is_err());
    }

    #[test]
    fn tags_of_different_contexts_differ() {
        let queries = ["", "a=b", "ab=", "=ab", "a=b&c=d", "a=bc&d", "c=d&a=b"];
        let tag = |query| RequestContext::from_query(query).unwrap().start_tag();
        let tags: std::collections::BTreeSet<_> =
            queries.map(|query| sha2::Digest::finalize(tag(query)).to_vec()).into_iter().collect();
        assert_eq!(tags.len(), queries.len());
    }
}
