//! Reads the lists of toggles that servers with environments have for each project.

use actix_web::http::Method;
use bytes::Bytes;
use futures_util::{StreamExt as _, stream};

use super::failure::Failure;
use super::{Call, encode};

/// Maximum number of projects of one list that are read at the same time.
const MAX_PROJECTS: usize = 4;

/// Reads the lists of these projects, each with the id of its project. Lists of projects that the user cannot see are
/// missing: a permission may have changed, or a project may have been deleted, after the projects were read.
pub(super) async fn read_projects(call: &Call, projects: Vec<&str>) -> Result<Vec<(String, Bytes)>, Failure> {
    let read = async |id: &str| {
        let path = format!("/projects/{}/features", encode(id));
        let reply = call.caller.request(Method::GET, &path, None).await;
        reply.map(|reply| (id.to_owned(), reply.body))
    };
    let mut replies = stream::iter(projects).map(read).buffer_unordered(MAX_PROJECTS);
    let (mut lists, mut refusal) = (Vec::new(), None);
    while let Some(reply) = replies.next().await {
        match reply {
            Ok(list) => lists.push(list),
            Err(failure) if failure.is_not_visible() => refusal = Some(failure),
            Err(failure) => return Err(failure),
        }
    }
    match refusal {
        Some(refusal) if lists.is_empty() => Err(refusal),
        _ => Ok(lists),
    }
}
