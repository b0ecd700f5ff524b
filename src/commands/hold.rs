//! `flagdeck hold …` and `flagdeck release …`: commands for the running server, which its listener for monitoring receives.
//! Therefore they work while users cannot sign in at the upstream.

use actix_web::http::Method;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::json;

use super::CommandError;
use super::replica::send_to_admin;
use crate::cli::{HoldArguments, HoldCommand, ReleaseArguments};
use crate::config::Config;
use crate::hold::words::describe_active;
use crate::hold::{EndedHold, HoldList, HoldPreview, NewHold, ReleasedHolds};
use crate::terminal::{self, Escaped};

/// Path of the holds.
const PATH: &str = "/holds";

pub(super) async fn run(config: &Config, arguments: &HoldArguments) -> Result<(), CommandError> {
    if let Some(HoldCommand::List) = arguments.command {
        print(&describe_list(&list(config).await?));
        return Ok(());
    }
    let name = arguments.name.as_deref().unwrap_or_default();
    let effect: HoldPreview =
        send_to_admin(config, Method::GET, &path_of(name, arguments.environment.as_deref()), None).await?;
    // Before the hold: it switches these off too.
    print(&describe_children(&effect));
    let draft = json!({
        "toggle": name,
        "reason": arguments.reason,
        "seconds": arguments.duration.as_secs(),
        "environment": arguments.environment,
    });
    let NewHold { hold, effect, storage_fault } =
        send_to_admin(config, Method::POST, PATH, Some(&draft)).await?;
    let mut lines = vec![describe_active(&hold)];
    lines.extend(describe_effect(&effect));
    if !hold.is_stored {
        lines.push(match storage_fault {
            Some(fault) => format!(
                "The hold is not stored yet, because {fault}. It ends with the process of the server if that ends before"
            ),
            None => "The hold ends with the process of the server, because data is not set".to_owned(),
        });
    }
    print(&lines);
    Ok(())
}

/// Runs `flagdeck release`.
pub(super) async fn release(config: &Config, arguments: &ReleaseArguments) -> Result<(), CommandError> {
    let path = path_of(&arguments.name, arguments.environment.as_deref());
    let ReleasedHolds { released, storage_fault } =
        send_to_admin(config, Method::DELETE, &path, None).await?;
    print(&[format!("Released holds: {released}. SDKs get {} from the flag service again", arguments.name)]);
    if let Some(fault) = storage_fault {
        print(&[format!(
            "The release is not stored yet, because {fault}. If the process of the server ends before, the hold is active again after the start"
        )]);
    }
    Ok(())
}

/// Returns the holds of the running server.
pub(super) async fn list(config: &Config) -> Result<HoldList, CommandError> {
    send_to_admin(config, Method::GET, PATH, None).await
}

/// Returns the holds of the running server of the settings; `None` if its listener is not set or does not respond.
pub(super) async fn find_list(config: &Config) -> Option<HoldList> {
    config.operation.admin?;
    list(config).await.ok()
}

fn describe_list(list: &HoldList) -> Vec<String> {
    let mut lines: Vec<_> = list.holds.iter().map(describe_active).collect();
    if lines.is_empty() {
        lines.push("No toggle is held.".to_owned());
    }
    lines.extend(list.ended.iter().map(describe_ended));
    lines.extend(
        list.storage_fault.iter().map(|fault| {
            format!("Holds cannot be stored, and those of other instances are not known: {fault}")
        }),
    );
    lines
}

fn describe_ended(ended: &EndedHold) -> String {
    let EndedHold { toggle, reason, ended_at, .. } = ended;
    let cause = ended.cause();
    format!("{toggle}: the hold ended at {ended_at}, because {cause} ({reason})")
}

fn describe_children(effect: &HoldPreview) -> Vec<String> {
    let names = |turns_on: bool| {
        let children = effect.children.iter().filter(|child| child.turns_on == turns_on);
        let names: Vec<_> = children.map(|child| child.name.as_str()).collect();
        (!names.is_empty()).then(|| names.join(", "))
    };
    let off = names(false).map(|names| format!("Toggles that depend on it are off too: {names}"));
    let on = names(true).map(|names| format!("Toggles that require it to be off can be on: {names}"));
    off.into_iter().chain(on).collect()
}

fn describe_effect(effect: &HoldPreview) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(instances) = effect.instances {
        let more = if effect.has_more_instances { "more than " } else { "" };
        lines.push(format!(
            "Instances of applications that get the toggle from this process: {more}{instances}. SDKs that get toggles elsewhere do not see the hold."
        ));
    }
    if !effect.without_effect.is_empty() {
        let tokens: Vec<_> = effect.without_effect.iter().map(|token| format!("…{token}")).collect();
        lines.push(format!("No effect for these tokens, which do not get the toggle: {}", tokens.join(", ")));
    }
    if effect.forwards_browsers {
        lines.push("Requests of browsers are forwarded to the flag service; while it does not respond, browsers keep their last results. With frontend-origin or frontend-tokens, Flagdeck itself responds to them.".to_owned());
    }
    lines
}

fn path_of(name: &str, environment: Option<&str>) -> String {
    let name = utf8_percent_encode(name, NON_ALPHANUMERIC);
    match environment {
        Some(environment) => {
            format!("{PATH}/{name}?environment={}", utf8_percent_encode(environment, NON_ALPHANUMERIC))
        }
        None => format!("{PATH}/{name}"),
    }
}

/// Prints lines. Standard output may be closed, which is not an error. Texts of the server must not add lines.
fn print(lines: &[String]) {
    let lines: Vec<_> = lines.iter().map(|line| Escaped::line(line).to_string()).collect();
    if !lines.is_empty() {
        drop(terminal::print(&lines.join("\n")));
    }
}
