//! Evaluates toggles with the OFREP provider of OpenFeature.
//!
//! Reads `{"url", "token", "names", "contexts"}` from standard input, and prints for each name and context
//! `[isEnabled, variant]` as JSON.

use std::collections::BTreeMap;
use std::error::Error;

use http::{HeaderMap, HeaderValue};
use open_feature::{Client, EvaluationContext, OpenFeature};
use open_feature_ofrep::{OfrepOptions, OfrepProvider};
use serde::Deserialize;

#[derive(Deserialize)]
struct Task {
    url: String,
    token: String,
    names: Vec<String>,
    contexts: Vec<BTreeMap<String, String>>,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let task: Task = serde_json::from_reader(std::io::stdin())?;
    let authorization = HeaderValue::try_from(format!("Bearer {}", task.token))?;
    let headers = HeaderMap::from_iter([(http::header::AUTHORIZATION, authorization)]);
    let provider =
        OfrepProvider::new(OfrepOptions { base_url: task.url, headers, ..OfrepOptions::default() }).await?;
    let mut api = OpenFeature::singleton_mut().await;
    api.set_provider(provider).await;
    let client = api.create_client();
    drop(api);
    let contexts: Vec<_> = task.contexts.into_iter().map(to_context).collect();
    let mut results = Vec::new();
    for name in &task.names {
        let mut of_toggle = Vec::new();
        for context in &contexts {
            of_toggle.push(evaluate(&client, name, context).await?);
        }
        results.push(of_toggle);
    }
    serde_json::to_writer(std::io::stdout(), &results)?;
    Ok(())
}

fn to_context(fields: BTreeMap<String, String>) -> EvaluationContext {
    fields.into_iter().fold(EvaluationContext::default(), |context, (name, value)| {
        if name == "targetingKey" {
            context.with_targeting_key(value)
        } else {
            context.with_custom_field(name, value)
        }
    })
}

async fn evaluate(
    client: &Client,
    name: &str,
    context: &EvaluationContext,
) -> Result<(bool, String), Box<dyn Error>> {
    let fail = |error| format!("{name}: {error:?}");
    let is_enabled =
        client.get_bool_value(&format!("{name}:enabled"), Some(context), None).await.map_err(fail)?;
    let variant =
        client.get_string_value(&format!("{name}:variant"), Some(context), None).await.map_err(fail)?;
    Ok((is_enabled, variant))
}
