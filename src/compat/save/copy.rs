//! Copies a toggle with one request, which also copies its state in the other environments.

use actix_web::HttpResponse;
use actix_web::http::{Method, StatusCode};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::plan::{Step, plan};
use super::run;
use crate::compat::failure::Failure;
use crate::compat::toggle::{self, Toggle};
use crate::compat::{Call, encode};

#[derive(Deserialize)]
struct Tags {
    tags: Vec<Map<String, Value>>,
}

/// Copies the toggle `source` to the toggle `desired` with this name, and responds with the copy.
///
/// Returns `None` if more than the name and the group ids of strategies differs: the request of the server copies all
/// else. The copy is off in every environment, and has no tags; further requests add both.
pub(super) async fn copy(
    call: &Call,
    source: &str,
    name: &str,
    desired: &Toggle,
) -> Result<Option<HttpResponse>, Failure> {
    let (path, stored) = toggle::fetch(call, source).await?;
    let replaces_group_ids = call.query("replaceGroupId").as_deref() == Some("true");
    let group_id = replaces_group_ids.then_some(name);
    if comparable(&stored, group_id) != comparable(desired, None) {
        return Ok(None);
    }
    let missing = missing_steps(&stored, desired)?;
    if missing.steps.iter().any(|step| !matches!(step, Step::On(_))) {
        return Ok(None);
    }
    missing.question.map_or(Ok(()), |question| call.confirm(question))?;
    let tags: Tags = call.caller.read(&format!("/features/{}/tags", encode(source))).await?;
    let body = json!({ "name": name, "replaceGroupId": replaces_group_ids });
    call.caller.request(Method::POST, &format!("{path}/clone"), Some(&body)).await?;
    let (path, copy) = toggle::fetch(call, name).await?;
    let mut steps: Vec<Step> = tags
        .tags
        .into_iter()
        .map(|tag| Step::Tag(json!({ "type": tag.get("type"), "value": tag.get("value") })))
        .collect();
    steps.extend(missing_steps(&copy, desired)?.steps);
    run::run(call, name, &path, &steps, 1).await?;
    toggle::respond(call, name, StatusCode::CREATED).await.map(Some)
}

/// Plans the requests that turn a copy, which is off, into the wanted toggle. Its strategies are the wanted ones.
fn missing_steps(copy: &Toggle, desired: &Toggle) -> Result<super::plan::SavePlan, Failure> {
    let mut copy = copy.clone();
    copy.insert("enabled".to_owned(), Value::Bool(false));
    let mut wanted = desired.clone();
    wanted.insert("strategies".to_owned(), copy.get("strategies").cloned().unwrap_or_default());
    Ok(plan(&copy, &wanted)?)
}

/// Returns the properties that the server copies, without ids, and with this group id if there is one.
fn comparable(toggle: &Toggle, group_id: Option<&str>) -> (Option<Value>, Option<Value>) {
    let mut strategies = toggle.get("strategies").cloned();
    let list = strategies.as_mut().and_then(Value::as_array_mut);
    for strategy in list.into_iter().flatten().filter_map(Value::as_object_mut) {
        strategy.remove("id");
        let parameters = strategy.get_mut("parameters").and_then(Value::as_object_mut);
        if let (Some(parameters), Some(group_id)) = (parameters, group_id)
            && let Some(stored) = parameters.get_mut("groupId")
        {
            *stored = group_id.into();
        }
    }
    (strategies, toggle.get("project").cloned())
}
