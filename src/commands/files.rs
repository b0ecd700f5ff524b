//! `flagdeck pull`, `plan` and `apply`: toggles in files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::Path;
use std::process::ExitCode;

use actix_web::http::header::HeaderValue;
use actix_web::http::{Method, StatusCode};
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::CommandError;
use super::file_checks::{check_plan, warn};
use super::file_source::{find_plan, name_of_path, read_files, read_texts};
use super::progress::Progress;
use super::service::{Service, TargetError, encode, path_of};
use crate::api::{ChangeStatus, NamedText, Tag, Toggle};
use crate::cli::{ApplyArguments, PlanArguments, PullArguments};
use crate::config::{Config, Settings, redact_location};
use crate::evaluation::SegmentDefinition;
use crate::files::checks::{Findings, check_files, is_atomic, moves_toggles, why_not_offered};
use crate::files::document::{Document, FileTag, FileToggle};
use crate::files::managed::{self, MANAGED_BY, split_tags, tag_of};
use crate::files::owned_tags::{OwnedTags, TAGS, is_tag_property};
use crate::files::plan::{
    Plan, PlannedAction, PlannedChange, ServerState, body_of, digest_of, find_dependent, missing_properties,
    missing_toggles, planned_toggles, words_of,
};
use crate::files::segments::SegmentNames;
use crate::terminal::{self, Colour, Escaped};

/// Exit code if there are changes or differences.
pub(super) const CHANGES: u8 = 2;
/// Number of toggles that are read at the same time.
pub(super) const MAX_READING: usize = 4;

/// Output of `flagdeck apply --json`: one line for each toggle.
#[derive(Serialize)]
struct AppliedChange<'a> {
    target: &'a str,
    name: &'a str,
    action: PlannedAction,
    /// False if the toggle was already as planned.
    changed: bool,
}

/// A list of toggles, of which only names are used.
#[derive(Deserialize)]
struct Named {
    features: Vec<ListedItem>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ListedItem {
    name: String,
    #[serde(default)]
    project: Option<String>,
    #[serde(default)]
    dependencies: Option<Vec<Parent>>,
}

#[derive(Deserialize)]
struct Parent {
    feature: String,
}

#[derive(Deserialize)]
struct Tags {
    tags: Vec<Tag>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TagTypes {
    tag_types: Vec<ListedItem>,
}

#[derive(Deserialize)]
struct Segments {
    segments: Vec<SegmentDefinition>,
}

pub(super) async fn pull(
    arguments: &PullArguments,
    config: &Config,
    flags: &Settings,
) -> Result<ExitCode, CommandError> {
    let service = Service::open(config.targets.find(arguments.from.as_deref(), flags)?, config).await?;
    let pulled = pull_from(&service, arguments).await;
    service.close().await?;
    let yaml = pulled?.to_yaml().map_err(|cause| CommandError::Failed(cause.into()))?;
    write!(io::stdout(), "{yaml}").map_err(CommandError::Output)?;
    Ok(ExitCode::SUCCESS)
}

async fn pull_from(service: &Service, arguments: &PullArguments) -> Result<Document, CommandError> {
    let names: Vec<String> = if arguments.names.is_empty() {
        let list: Named = service.read("/features").await?;
        list.features.into_iter().map(|toggle| toggle.name).collect()
    } else {
        arguments.names.clone()
    };
    let progress = Progress::new(service.name(), "read", names.len());
    let read = async |name: &String| {
        let toggle: Option<Toggle> = service.find(&path_of(name)).await?;
        let missing = || CommandError::UnknownToggle(name.clone());
        let toggle = toggle.ok_or_else(missing)?;
        // The mark of files that manage the toggle belongs to those files.
        let (tags, _) = split_tags(read_tags(service, name).await?);
        progress.advance();
        Ok::<_, CommandError>((toggle, tags))
    };
    let toggles: Vec<_> = stream::iter(&names).map(read).buffered(MAX_READING).try_collect().await?;
    let strategies = toggles.iter().flat_map(|(toggle, _)| &toggle.strategies);
    let has_segments = strategies.filter_map(|one| one.segments.as_ref()).any(|ids| !ids.is_empty());
    let segments = if has_segments { find_segments(service).await? } else { Vec::new() };
    let segments = SegmentNames::of_segments(&segments);
    let convert = |(toggle, tags): (Toggle, BTreeSet<Tag>)| {
        let name = toggle.name.clone();
        let fault = |cause| CommandError::Files(format!("{}: toggle {name}: {cause}", service.name()));
        let file = FileToggle::from_toggle(toggle, &segments, arguments.state).map_err(fault)?;
        // Without tags in the file, the first one can be added in the console.
        let tags = (!tags.is_empty()).then(|| tags.into_iter().map(FileTag::from).collect());
        Ok::<_, CommandError>((name, FileToggle { tags, ..file }))
    };
    let toggles = toggles.into_iter().map(convert).collect::<Result<_, _>>()?;
    Ok(Document::new(toggles))
}

pub(super) async fn plan(
    arguments: &PlanArguments,
    config: &Config,
    flags: &Settings,
) -> Result<ExitCode, CommandError> {
    let (environment, managed_by) = (arguments.environment.as_deref(), arguments.managed_by.as_deref());
    let files = read_files(read_texts(&arguments.paths)?, environment, managed_by)?;
    if arguments.offline {
        return check_offline(&files);
    }
    let service = Service::open(config.targets.find(arguments.target.to.as_deref(), flags)?, config).await?;
    let planned = async {
        let (plan, state) = plan_for(&service, &files, arguments.prune).await?;
        let off_meanwhile = list_off_meanwhile(&service, &plan, &state).await;
        Ok::<_, CommandError>((plan, state, off_meanwhile))
    };
    let planned = planned.await;
    service.close().await?;
    let (plan, state, off_meanwhile) = planned?;
    let json = serde_json::to_string_pretty(&plan).map_err(|cause| CommandError::Failed(cause.into()))?;
    if let Some(path) = &arguments.output {
        write_whole(path, &format!("{json}\n"))
            .map_err(|cause| CommandError::File { path: path.clone(), cause })?;
    }
    if arguments.target.json {
        writeln!(io::stdout(), "{json}").map_err(CommandError::Output)?;
    } else {
        terminal::print_lines(&plan.to_text(&state, &off_meanwhile), colour_of)
            .map_err(CommandError::Output)?;
    }
    Ok(if plan.changes.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(CHANGES) })
}

/// Returns the colour of a line of a plan, by the mark of its toggle or field.
fn colour_of(line: &str) -> Option<Colour> {
    match line.trim_start().split_once(' ')?.0 {
        "+" => Some(Colour::Green),
        "~" => Some(Colour::Yellow),
        "-" => Some(Colour::Red),
        _ => None,
    }
}

/// Checks files without a flag service, with the rules of the embedded one.
fn check_offline((files, texts): &(Document, Vec<NamedText>)) -> Result<ExitCode, CommandError> {
    let Findings { problems, warnings } =
        check_files(files, texts).map_err(|cause| CommandError::Failed(cause.into()))?;
    warn(&warnings)?;
    if !problems.is_empty() {
        let lines: Vec<_> = problems.iter().map(ToString::to_string).collect();
        return Err(CommandError::Files(lines.join("\n")));
    }
    let count = |number: usize, noun: &str| format!("{number} {noun}{}", if number == 1 { "" } else { "s" });
    let text = format!(
        "{} in {} can be read; references to projects, segments and other items were not checked",
        count(files.toggles.len(), "toggle"),
        count(texts.len(), "file")
    );
    terminal::print(&text).map_err(CommandError::Output)?;
    Ok(ExitCode::SUCCESS)
}

/// Writes a file so that it has the old or the new content after a crash or on a full disk. A path that is no file, such as a pipe, gets the
/// text.
fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    if fs::symlink_metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
        return fs::write(path, text);
    }
    let mut name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?.to_owned();
    name.push(".new");
    let new = path.with_file_name(name);
    let written = fs::File::create(&new)
        .and_then(|mut file| file.write_all(text.as_bytes()).and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(&new, path));
    if written.is_err() {
        drop(fs::remove_file(&new));
    }
    written
}

/// Plans the changes. With `is_pruning`, toggles that no file names are archived.
async fn plan_for(
    service: &Service,
    (files, texts): &(Document, Vec<NamedText>),
    is_pruning: bool,
) -> Result<(Plan, ServerState), CommandError> {
    let refuse = |reason| CommandError::Files(format!("--prune: {reason}"));
    let managers = if is_pruning { files.managers().map_err(refuse)? } else { BTreeSet::new() };
    let lists = Lists::read(service).await?;
    let others = lists.find_managed(service, files, &managers).await?;
    let mut planned = planned_toggles(files);
    planned.extend(others.iter().map(|name| (name.as_str(), Vec::new())));
    let mut owned = files.owned_tags();
    owned.extend(others.iter().map(|name| (name.as_str(), OwnedTags::MARK)));
    let state = lists.read_toggles(service, &planned, &owned).await?;
    if let Some((child, parent)) = find_dependent(files, &state, &others) {
        return Err(CommandError::Files(format!(
            "--prune would archive {parent}, on which {child} depends; add {parent} to the files, or remove the dependency"
        )));
    }
    let plan = Plan::with_archived(service.name(), files, &state, &others);
    let plan = plan.map_err(|cause| CommandError::Failed(cause.into()))?;
    check_plan(service, &plan, &state, texts).await?;
    Ok((plan, state))
}

/// Reads the state from which the effects of a stored plan are computed again, because its file can be edited. Sets the effects and the
/// order of the changes.
async fn rate_stored_plan(service: &Service, mut plan: Plan) -> Result<(Plan, ServerState), CommandError> {
    let lists = Lists::read(service).await?;
    let state = lists.read_toggles(service, &plan.planned_toggles(), &plan.owned_tags()).await?;
    plan.sort(&state).map_err(|cause| CommandError::Failed(cause.into()))?;
    Ok((plan, state))
}

pub(super) async fn find_segments(service: &Service) -> Result<Vec<SegmentDefinition>, CommandError> {
    let segments: Option<Segments> = service.find("/segments").await?;
    Ok(segments.map(|list| list.segments).unwrap_or_default())
}

async fn read_tags(service: &Service, name: &str) -> Result<BTreeSet<Tag>, CommandError> {
    let tags: Option<Tags> = service.find(&format!("{}/tags", path_of(name))).await?;
    Ok(tags.map(|list| list.tags.into_iter().collect()).unwrap_or_default())
}

/// Adds the owned tags to a toggle, and removes the others.
async fn with_tags(
    service: &Service,
    name: &str,
    toggle: Value,
    owned: OwnedTags,
) -> Result<Value, CommandError> {
    let tags = if owned.is_any() { read_tags(service, name).await? } else { BTreeSet::new() };
    Ok(owned.set(toggle, tags))
}

/// The lists of a flag service.
struct Lists {
    /// Names of the toggles, each with those on which it depends, if the list contains them.
    existing: BTreeMap<String, Vec<String>>,
    archived: Vec<String>,
    segments: Vec<SegmentDefinition>,
}

impl Lists {
    async fn read(service: &Service) -> Result<Self, CommandError> {
        let list: Named = service.read("/features").await?;
        let archived: Option<Named> = service.find("/archive/features").await?;
        let segments = find_segments(service).await?;
        let parents_of = |toggle: ListedItem| {
            let parents = toggle.dependencies.into_iter().flatten().map(|parent| parent.feature).collect();
            (toggle.name, parents)
        };
        let archived = archived.map(|list| list.features.into_iter().map(|toggle| toggle.name).collect());
        Ok(Self {
            existing: list.features.into_iter().map(parents_of).collect(),
            archived: archived.unwrap_or_default(),
            segments,
        })
    }

    /// Returns the toggles with the mark of these files that they do not name.
    async fn find_managed(
        &self,
        service: &Service,
        files: &Document,
        managers: &BTreeSet<&str>,
    ) -> Result<BTreeSet<String>, CommandError> {
        let mut found = BTreeSet::new();
        for manager in managers {
            let path = format!("/features?tag={}%3A{}", managed::TAG_TYPE, encode(manager));
            let list: Named = service.read(&path).await?;
            let names = list.features.into_iter().map(|toggle| toggle.name);
            let names =
                names.filter(|name| self.existing.contains_key(name) && !files.toggles.contains_key(name));
            for name in names {
                // Servers before 3.11 list all toggles.
                let (_, mark) = split_tags(read_tags(service, &name).await?);
                if mark.as_deref() == Some(manager) {
                    found.insert(name);
                }
            }
        }
        Ok(found)
    }

    /// Reads the planned toggles with their `owned` tags, their parents, and the toggles that depend on them.
    async fn read_toggles(
        mut self,
        service: &Service,
        planned: &[(&str, Vec<String>)],
        owned: &BTreeMap<&str, OwnedTags>,
    ) -> Result<ServerState, CommandError> {
        let mut toggles = BTreeMap::new();
        loop {
            let names = missing_toggles(planned, &self.existing, &toggles);
            if names.is_empty() {
                break;
            }
            let progress = Progress::new(service.name(), "read", names.len());
            let read = async |name: &String| {
                let toggle: Option<Value> = service.find(&path_of(name)).await?;
                progress.advance();
                let Some(toggle) = toggle else { return Ok((name.clone(), None)) };
                let owned = owned.get(name.as_str()).copied().unwrap_or_default();
                let toggle = with_tags(service, name, toggle, owned).await?;
                Ok::<_, CommandError>((name.clone(), Some(toggle)))
            };
            let read: Vec<_> = stream::iter(&names).map(read).buffered(MAX_READING).try_collect().await?;
            for (name, toggle) in read {
                match toggle {
                    Some(toggle) => drop(toggles.insert(name, toggle)),
                    // It was archived meanwhile.
                    None => drop(self.existing.remove(&name)),
                }
            }
        }
        let Self { archived, segments, .. } = self;
        Ok(ServerState { toggles, archived, segments })
    }
}

pub(super) async fn apply(
    arguments: &ApplyArguments,
    config: &Config,
    flags: &Settings,
) -> Result<ExitCode, CommandError> {
    let texts = read_texts(&arguments.paths)?;
    let has_options = arguments.prune || arguments.environment.is_some() || arguments.managed_by.is_some();
    let source = match find_plan(&texts)? {
        Some(_) if has_options => {
            return Err(CommandError::Files(
                "a plan contains all its changes; use --prune, --managed-by and --environment with flagdeck plan"
                    .to_owned(),
            ));
        }
        Some(plan) => (Some(plan), None),
        None => {
            let (environment, managed_by) =
                (arguments.environment.as_deref(), arguments.managed_by.as_deref());
            (None, Some(read_files(texts, environment, managed_by)?))
        }
    };
    let (stored, files) = source;
    let name = find_target_name(arguments, config, stored.as_ref())?;
    let service = Service::open(config.targets.find(name, flags)?, config).await?;
    let result = apply_to(&service, arguments, stored, files).await;
    service.close().await?;
    result.map(|()| ExitCode::SUCCESS)
}

/// Returns the target that `--to` or the plan names; `None` for the only one of the settings file.
fn find_target_name<'a>(
    arguments: &'a ApplyArguments,
    config: &Config,
    plan: Option<&'a Plan>,
) -> Result<Option<&'a str>, CommandError> {
    let (named, planned_for) = (arguments.target.to.as_deref(), arguments.planned_for.as_deref());
    let Some(Plan { target, .. }) = plan else {
        return match planned_for {
            Some(_) => Err(CommandError::Files(
                "--planned-for names the target of a plan, and these are files; remove it".to_owned(),
            )),
            None => Ok(named),
        };
    };
    match named {
        // A plan may come from somebody else, and must not choose the server that gets the credential.
        None if !config.targets.contains(target) => Err(CommandError::Files(format!(
            "--to is missing: the plan is for {target}, which is no table of the settings file; name the target with --to"
        ))),
        None => Ok(Some(target.as_str())),
        Some(name)
            if [planned_for, Some(redact_location(name).as_str())].contains(&Some(target.as_str())) =>
        {
            Ok(Some(name))
        }
        Some(name) => Err(CommandError::Files(format!(
            "the plan is for {target}, and --to names {}; make a plan for it, or add --planned-for {target} if both are the same flag service",
            redact_location(name)
        ))),
    }
}

async fn apply_to(
    service: &Service,
    arguments: &ApplyArguments,
    stored: Option<Plan>,
    files: Option<(Document, Vec<NamedText>)>,
) -> Result<(), CommandError> {
    let (plan, definitions, files) = match (stored, files) {
        (Some(plan), _) => {
            let (plan, state) = rate_stored_plan(service, plan).await?;
            (plan, state, None)
        }
        (None, files) => {
            let no_files = || (Document::new(BTreeMap::new()), Vec::new());
            let files = files.unwrap_or_else(no_files);
            let (plan, state) = plan_for(service, &files, arguments.prune).await?;
            let (plan, state) = confirm_plan(service, plan, state, arguments).await?;
            (plan, state, Some(files.0))
        }
    };
    if !plan.changes.is_empty()
        && let Some(reason) = why_not_offered(service.server().await)
    {
        return Err(CommandError::Files(format!("{}: {reason}", service.name())));
    }
    let mut applied = Applied::default();
    match apply_plan(service, &plan, files.as_ref(), &definitions, arguments, &mut applied).await {
        Ok(()) => Ok(()),
        Err(cause) => {
            Err(describe_interruption(service, cause, applied, plan.changes.len(), files.is_none()).await)
        }
    }
}

/// The part of a plan that is applied.
#[derive(Default)]
struct Applied {
    /// Number of changes.
    changes: usize,
    /// Toggles that this command has switched off, or tried to, and not on again.
    off: BTreeSet<String>,
}

/// Shows a plan and asks whether to apply it, unless `--yes` is given. Returns it with the state after the reply.
async fn confirm_plan(
    service: &Service,
    plan: Plan,
    state: ServerState,
    arguments: &ApplyArguments,
) -> Result<(Plan, ServerState), CommandError> {
    if plan.changes.is_empty() || arguments.yes {
        return Ok((plan, state));
    }
    if arguments.target.json || !io::stdin().is_terminal() {
        return Err(CommandError::Files(format!(
            "{}, and nothing was changed; confirm with --yes, or apply a plan of flagdeck plan -o",
            plan.summary()
        )));
    }
    let off_meanwhile = list_off_meanwhile(service, &plan, &state).await;
    terminal::print_lines(&plan.to_text(&state, &off_meanwhile), colour_of).map_err(CommandError::Output)?;
    if !ask(service).map_err(CommandError::Confirmation)? {
        return Err(CommandError::Files(format!("{}: nothing was changed", service.name())));
    }
    // The reply may take long.
    rate_stored_plan(service, plan).await
}

fn ask(service: &Service) -> io::Result<bool> {
    let mut out = io::stderr();
    write!(out, "Apply this plan to {}? [y/N] ", Escaped::line(service.name()))?;
    out.flush()?;
    let mut reply = String::new();
    io::stdin().read_line(&mut reply)?;
    Ok(matches!(reply.trim().to_ascii_lowercase().as_str(), "y" | "yes"))
}

/// A toggle that can be changed, with its entity tag.
struct Ready {
    stored: Option<Value>,
    tag: Option<HeaderValue>,
}

/// Adds to an error which of `count` changes are stored, which toggles are off, and how to go on.
async fn describe_interruption(
    service: &Service,
    cause: CommandError,
    applied: Applied,
    count: usize,
    is_stored_plan: bool,
) -> CommandError {
    if service.stored_changes() == 0 {
        return cause;
    }
    let off = describe_off(service, &applied.off).await;
    // After an outage, the server may accept the same requests.
    let is_outage = match &cause {
        CommandError::Target(error) => error.status.is_server_error(),
        CommandError::Output(_) => true,
        _ => false,
    };
    let remedy = match (is_outage, is_stored_plan) {
        (_, true) if !off.is_empty() => {
            "make a new plan from files with enabled: true for toggles that are off, because this plan does not switch them on"
        }
        (true, _) => "repeat the command to finish it",
        (false, true) => "remove the cause, and make a new plan",
        (false, false) => "remove the cause, and repeat the command to finish it",
    };
    match cause {
        CommandError::Outdated { target, mut changed, stored, remedy } => {
            changed.extend(off);
            CommandError::Outdated { target, changed, stored, remedy }
        }
        cause => {
            let (plural, verb) = (
                if count == 1 { "" } else { "s" },
                if applied.changes == 1 || count == 1 { "is" } else { "are" },
            );
            let mut stored =
                vec![format!("{} of {count} change{plural} of the plan {verb} made", applied.changes)];
            stored.extend(off);
            CommandError::Interrupted { cause: Box::new(cause), stored, remedy }
        }
    }
}

/// Describes which of the toggles are off. If the server cannot be read, each of them may be.
async fn describe_off(service: &Service, names: &BTreeSet<String>) -> Vec<String> {
    let (mut off, mut is_readable) = (Vec::new(), true);
    for name in names {
        let toggle = if is_readable { service.find::<Value>(&path_of(name)).await.ok() } else { None };
        is_readable = toggle.is_some();
        let verb = match toggle {
            None => "may be",
            Some(Some(toggle)) if toggle.get("enabled") == Some(&Value::Bool(false)) => "is",
            Some(_) => continue,
        };
        off.push(format!("{name} {verb} off for everyone now"));
    }
    off
}

/// Applies a plan. That of `files` is checked already.
async fn apply_plan(
    service: &Service,
    plan: &Plan,
    files: Option<&Document>,
    definitions: &ServerState,
    arguments: &ApplyArguments,
    applied: &mut Applied,
) -> Result<(), CommandError> {
    if plan.changes.is_empty() && !arguments.target.json {
        return terminal::print(&plan.summary()).map_err(CommandError::Output);
    }
    let (mut ready, mut changed) = (Vec::new(), Vec::new());
    let outdated_effects = plan.find_outdated_effects(definitions);
    let progress = Progress::new(service.name(), "checked", plan.changes.len());
    for change in &plan.changes {
        let checked = check(service, change).await?;
        progress.advance();
        match (checked, outdated_effects.get(&change.name)) {
            (Ok(_), Some(reason)) => changed.push(format!("{}: {reason}", change.name)),
            (Ok(state), None) => ready.push((change, state)),
            (Err(reason), _) => changed.push(reason),
        }
    }
    let outdated = |changed: Vec<String>, remedy| {
        let (target, stored) = (service.name().to_owned(), service.stored_changes());
        Err(CommandError::Outdated { target, changed, stored, remedy })
    };
    if !changed.is_empty() && !arguments.partial {
        return outdated(changed, "make a new plan, or change the others with --partial");
    }
    drop(progress);
    let written = Plan {
        version: plan.version,
        target: plan.target.clone(),
        changes: ready.iter().map(|(change, _)| (*change).clone()).collect(),
    };
    if files.is_none() {
        let name = arguments.paths.first().map(|path| name_of_path(path)).unwrap_or_default();
        let order = check_stored_plan(service, written.clone(), name, definitions).await?;
        ready.sort_by_key(|(change, _)| order.get(&change.name).copied());
    }
    check_archived_projects(service, &ready).await?;
    check_confirmations(service, &ready, arguments.yes).await?;
    let off_meanwhile = find_off_meanwhile(service, &written, files, definitions).await?;
    create_tag_types(service, &plan.changes).await?;
    for name in &off_meanwhile {
        applied.off.insert(name.clone());
        service.send(Method::POST, &format!("{}/toggle/off", path_of(name)), None).await?;
    }
    for (change, mut state) in ready {
        let fields = change.describe(state.stored.as_ref(), &definitions.segments);
        if off_meanwhile.contains(&change.name) {
            let (stored, tag) = read_stored(service, change).await?;
            state = Ready { stored: Some(stored), tag };
        }
        match write(service, change, state, arguments.yes).await {
            Ok(was_changed) => {
                applied.changes += 1;
                applied.off.remove(&change.name);
                report(service, change, was_changed.then_some(&fields), arguments)?;
            }
            // Another client changed the toggle after the check.
            Err(CommandError::Target(error)) if error.status == StatusCode::PRECONDITION_FAILED => {
                changed.push(describe_change(service, &change.name).await);
                if !arguments.partial {
                    return outdated(changed, "make a new plan");
                }
            }
            Err(CommandError::Target(error)) => {
                let reason = format!("{}: {}", change.name, error.reason);
                return Err(TargetError { reason, ..error }.into());
            }
            Err(error) => return Err(error),
        }
    }
    if changed.is_empty() { Ok(()) } else { outdated(changed, "make a new plan for these toggles") }
}

/// Checks the changes of a stored plan that can be written. The plan can be edited, and was checked at another time, or for another
/// server. Returns the positions of the changes.
async fn check_stored_plan(
    service: &Service,
    mut plan: Plan,
    name: String,
    state: &ServerState,
) -> Result<BTreeMap<String, usize>, CommandError> {
    // A plan has no lines.
    let file = NamedText { name, text: String::new() };
    check_plan(service, &plan, state, &[file]).await?;
    plan.sort(state).map_err(|cause| CommandError::Failed(cause.into()))?;
    let positions = plan.changes.into_iter().zip(0..).map(|(change, position)| (change.name, position));
    Ok(positions.collect())
}

/// Checks before the first write whether the server asks for a confirmation of one of them.
async fn check_confirmations(
    service: &Service,
    ready: &[(&PlannedChange, Ready)],
    is_confirmed: bool,
) -> Result<(), CommandError> {
    if is_confirmed || !service.server().await.has_environments {
        return Ok(());
    }
    let has_variants = |toggle: &Value| {
        toggle.get("variants").and_then(Value::as_array).is_some_and(|variants| !variants.is_empty())
    };
    let first = ready.iter().find(|(change, state)| {
        has_variants(&change.state) && !state.stored.as_ref().is_some_and(has_variants)
    });
    match first {
        Some((change, _)) => Err(CommandError::Files(format!(
            "{}: {} gets its first variants, which are deprecated on this server, and nothing was changed; confirm with --yes, or write \
             variants of strategies",
            service.name(),
            change.name
        ))),
        None => Ok(()),
    }
}

/// Checks before the first write that revived toggles are in the planned project, because servers from 4.2 on do not move toggles.
async fn check_archived_projects(
    service: &Service,
    ready: &[(&PlannedChange, Ready)],
) -> Result<(), CommandError> {
    let is_revived = |(change, state): &&(&PlannedChange, Ready)| {
        change.action == PlannedAction::Revive
            && state.stored.is_none()
            && change.state.get("project").is_some()
    };
    let revived: Vec<_> = ready.iter().filter(is_revived).collect();
    if revived.is_empty() || moves_toggles(service.server().await) {
        return Ok(());
    }
    let archived: Named = service.read("/archive/features").await?;
    for (PlannedChange { name, state, .. }, _) in revived {
        let stored = archived.features.iter().find(|toggle| toggle.name == *name);
        let project = stored.and_then(|toggle| toggle.project.as_deref());
        let planned = state.get("project").and_then(Value::as_str);
        if project.is_some() && project != planned {
            return Err(CommandError::Files(format!(
                "{}: {name} is archived in the project {}, and the server does not move toggles between projects; remove the project from the \
                 file; nothing was changed",
                service.name(),
                project.unwrap_or_default()
            )));
        }
    }
    Ok(())
}

/// Returns the names of the toggles that are off while a plan is applied.
async fn list_off_meanwhile(service: &Service, plan: &Plan, state: &ServerState) -> BTreeSet<String> {
    if plan.changes.is_empty() {
        return BTreeSet::new();
    }
    plan.find_off_meanwhile(state, is_atomic(service.server().await))
}

/// Returns the names of the toggles that must be off while the plan is applied.
async fn find_off_meanwhile(
    service: &Service,
    plan: &Plan,
    files: Option<&Document>,
    state: &ServerState,
) -> Result<BTreeSet<String>, CommandError> {
    let names = list_off_meanwhile(service, plan, state).await;
    // After an interruption, only the file or the plan knows that the toggle was on.
    let is_unknown = |name: &&String| {
        files.is_some_and(|files| files.toggles.get(*name).is_none_or(|file| file.enabled.is_none()))
    };
    match names.iter().find(is_unknown) {
        Some(name) => Err(CommandError::Files(format!(
            "{}: {name} would be on for others while it or a toggle on which it depends is changed, so that it must be off meanwhile; write \
             enabled: true in the file, so that apply switches it on again, or apply both changes one after the other; nothing was changed",
            service.name()
        ))),
        None => Ok(names),
    }
}

/// Reads the toggle of a change with its owned tags, and its entity tag.
async fn read_stored(
    service: &Service,
    change: &PlannedChange,
) -> Result<(Value, Option<HeaderValue>), CommandError> {
    let (body, tag) = service.exchange(Method::GET, &path_of(&change.name), None, None).await?;
    let stored = service.parse(&body, "/features")?;
    let stored = with_tags(service, &change.name, stored, OwnedTags::of_state(&change.state)).await?;
    Ok((stored, tag))
}

/// Reads the toggle of a change. Returns the reason why the change cannot be applied, if the toggle has changed since the plan.
async fn check(service: &Service, change: &PlannedChange) -> Result<Result<Ready, String>, CommandError> {
    let found = match read_stored(service, change).await {
        Err(CommandError::Target(error)) if error.status == StatusCode::NOT_FOUND => None,
        result => Some(result?),
    };
    let Some((stored, tag)) = found else {
        return Ok(match change.action {
            PlannedAction::Change => Err(describe_change(service, &change.name).await),
            PlannedAction::Create | PlannedAction::Revive | PlannedAction::Archive => {
                Ok(Ready { stored: None, tag: None })
            }
        });
    };
    match change.status(Some(&stored)) {
        // A toggle that is already as planned was changed by an interrupted call of this command.
        ChangeStatus::Ready | ChangeStatus::Applied => Ok(Ok(Ready { stored: Some(stored), tag })),
        ChangeStatus::Outdated if change.is_outdated_by_off(&stored) => {
            let changed = describe_change(service, &change.name).await;
            Ok(Err(format!(
                "{changed}: {} is off, and the plan does not switch it off; an interrupted apply or somebody did",
                change.name
            )))
        }
        ChangeStatus::Outdated => Ok(Err(describe_change(service, &change.name).await)),
    }
}

/// Writes a change. Returns false if the toggle is already as planned.
async fn write(
    service: &Service,
    change: &PlannedChange,
    Ready { stored, mut tag }: Ready,
    is_confirmed: bool,
) -> Result<bool, CommandError> {
    let PlannedChange { name, action, state, .. } = change;
    if stored.as_ref().is_some_and(|stored| change.status(Some(stored)) == ChangeStatus::Applied) {
        return Ok(false);
    }
    if *action == PlannedAction::Archive {
        if stored.is_none() {
            return Ok(false);
        }
        return archive(service, change, tag.as_ref(), is_confirmed).await.map(|()| true);
    }
    let owned = OwnedTags::of_state(state);
    let mut state = state.clone();
    let (method, path) = match action {
        PlannedAction::Create if stored.is_none() => (Method::POST, "/features".to_owned()),
        PlannedAction::Create | PlannedAction::Change | PlannedAction::Archive => {
            (Method::PUT, path_of(name))
        }
        PlannedAction::Revive if stored.is_some() => {
            state = complete(stored.as_ref(), state);
            (Method::PUT, path_of(name))
        }
        PlannedAction::Revive => {
            switch_off_archived(service, name).await?;
            let revive = path_of(name).replacen("/features/", "/archive/revive/", 1);
            service.send(Method::POST, &revive, None).await?;
            let (body, revived) = service.exchange(Method::GET, &path_of(name), None, None).await?;
            let stored: Value = service.parse(&body, "/features")?;
            (state, tag) = (complete(Some(&stored), state), revived);
            (Method::PUT, path_of(name))
        }
    };
    let has_only_tags = stored
        .is_some_and(|stored| missing_properties(&state, &stored).iter().all(|key| is_tag_property(key)));
    if !has_only_tags {
        let mut body = body_of(name, &state);
        number_strategies(service, &mut body).await;
        confirm_variants(service, method, &path, &body, tag.as_ref(), is_confirmed).await?;
    }
    if owned.is_any() {
        write_tags(service, name, &state).await?;
    }
    let stored: Value = service.read(&path_of(name)).await?;
    let stored = with_tags(service, name, stored, owned).await?;
    match missing_properties(&state, &stored).as_slice() {
        [] => Ok(true),
        missing => Err(CommandError::Files(format!(
            "{}: {name} is changed, but the server does not store these properties as planned: {}; remove them from the file, or \
             change them on the server",
            service.name(),
            missing.join(", ")
        ))),
    }
}

/// Returns a stored toggle with the planned properties.
fn complete(stored: Option<&Value>, planned: Value) -> Value {
    let mut toggle = stored.cloned().unwrap_or(Value::Null);
    if let (Some(toggle), Value::Object(planned)) = (toggle.as_object_mut(), planned) {
        toggle.extend(planned);
    }
    toggle
}

/// Sends a change, and confirms that its variants are deprecated on the server. With other confirmations, the server would store another
/// state than planned.
async fn confirm_variants(
    service: &Service,
    method: Method,
    path: &str,
    body: &Value,
    tag: Option<&HeaderValue>,
    is_confirmed: bool,
) -> Result<(), CommandError> {
    match service.exchange(method.clone(), path, Some(body), tag).await {
        Err(CommandError::Target(question)) if is_confirmed && question.code == "variants_deprecated" => {
            let confirmed = format!("{path}?confirm={}", question.code);
            service.exchange(method, &confirmed, Some(body), tag).await.map(drop)
        }
        result => result.map(drop),
    }
}

/// Switches an archived toggle of Unleash 4.2 off, which a revival would leave as it was. On other servers, revived toggles are off.
async fn switch_off_archived(service: &Service, name: &str) -> Result<(), CommandError> {
    let server = service.server().await;
    if server.is_embedded || server.version_numbers() != (4, 2) {
        return Ok(());
    }
    let archived: Named = service.read("/archive/features").await?;
    let archived = archived.features.into_iter().find(|toggle| toggle.name == name);
    let project = archived.and_then(|toggle| toggle.project).unwrap_or_else(|| "default".to_owned());
    let path = format!("/projects/{}{}/environments/default/off", encode(&project), path_of(name));
    service.send(Method::POST, &path, None).await.map(drop)
}

/// Numbers the strategies of a toggle for Unleash 4, which orders them by their numbers.
async fn number_strategies(service: &Service, toggle: &mut Value) {
    let Some(strategies) = toggle.get_mut("strategies").and_then(Value::as_array_mut) else { return };
    if strategies.len() < 2 || service.server().await.version_numbers().0 != 4 {
        return;
    }
    for (number, strategy) in strategies.iter_mut().filter_map(Value::as_object_mut).enumerate() {
        strategy.insert("sortOrder".to_owned(), number.into());
    }
}

/// Archives a toggle that has not changed since the plan.
async fn archive(
    service: &Service,
    change: &PlannedChange,
    tag: Option<&HeaderValue>,
    is_confirmed: bool,
) -> Result<(), CommandError> {
    let path = path_of(&change.name);
    match service.confirm(Method::DELETE, &path, None, tag, is_confirmed).await {
        // Servers with environments refuse the condition itself, so that the state is compared here.
        Err(CommandError::Target(error)) if error.status == StatusCode::PRECONDITION_FAILED => {
            let stored: Value = service.read(&path).await?;
            let stored = with_tags(service, &change.name, stored, OwnedTags::of_state(&change.state)).await?;
            if change.digest.as_ref() != Some(&digest_of(&stored)) {
                return Err(error.into());
            }
            service.confirm(Method::DELETE, &path, None, None, is_confirmed).await
        }
        result => result,
    }
}

/// Creates the tag types of the planned tags that the server does not have, because tags need their type.
async fn create_tag_types(service: &Service, changes: &[PlannedChange]) -> Result<(), CommandError> {
    let tags = changes.iter().filter_map(|change| change.state.get(TAGS)?.as_array()).flatten();
    let mut missing: BTreeSet<&str> = tags.filter_map(|tag| tag.get("type")?.as_str()).collect();
    if changes.iter().any(|change| change.state.get(MANAGED_BY).is_some()) {
        missing.insert(managed::TAG_TYPE);
    }
    if missing.is_empty() {
        return Ok(());
    }
    let existing: TagTypes = service.read("/tag-types").await?;
    for kind in &existing.tag_types {
        missing.remove(kind.name.as_str());
    }
    for name in missing {
        let description = if name == managed::TAG_TYPE { "Files that manage the toggle" } else { "" };
        let body = json!({ "name": name, "description": description });
        service.send(Method::POST, "/tag-types", Some(&body)).await?;
    }
    Ok(())
}

/// Adds and removes tags of a toggle. Those that the state does not own are kept.
async fn write_tags(service: &Service, name: &str, state: &Value) -> Result<(), CommandError> {
    let stored = read_tags(service, name).await?;
    let (own, marks): (BTreeSet<_>, BTreeSet<_>) =
        stored.iter().cloned().partition(|tag| tag.kind != managed::TAG_TYPE);
    let mut planned = match state.get(TAGS) {
        Some(tags) => Deserialize::deserialize(tags)
            .map_err(|cause: serde_json::Error| CommandError::Failed(cause.into()))?,
        None => own,
    };
    match state.get(MANAGED_BY).and_then(Value::as_str) {
        Some(name) => planned.extend([tag_of(name.to_owned())]),
        None => planned.extend(marks),
    }
    let path = format!("{}/tags", path_of(name));
    for tag in planned.difference(&stored) {
        service.send(Method::POST, &path, Some(&json!(tag))).await?;
    }
    for Tag { kind, value } in stored.difference(&planned) {
        let path = format!("{path}/{}/{}", encode(kind), encode(value));
        service.send(Method::DELETE, &path, None).await?;
    }
    Ok(())
}

/// Reports a change with its fields; without them, the toggle was already as planned.
fn report(
    service: &Service,
    change: &PlannedChange,
    fields: Option<&String>,
    arguments: &ApplyArguments,
) -> Result<(), CommandError> {
    let PlannedChange { name, action, effect, .. } = change;
    let changed = fields.is_some();
    if arguments.target.json {
        let line = json!(AppliedChange { target: service.name(), name, action: *action, changed });
        return writeln!(io::stdout(), "{line}").map_err(CommandError::Output);
    }
    let verb = match action {
        _ if !changed => "is already as planned",
        PlannedAction::Create => "is created",
        PlannedAction::Revive => "is revived",
        PlannedAction::Change => "is changed",
        PlannedAction::Archive => "is archived",
    };
    let fields = fields.map(String::as_str).unwrap_or_default();
    terminal::print(&format!("{}: {name} {verb}: {}{fields}", service.name(), words_of(*effect)))
        .map_err(CommandError::Output)
}

/// The events of a toggle, newest first, with the fields that all servers send: the events of 3.10 have no tags.
#[derive(Deserialize)]
struct EventList {
    events: Vec<EventAuthor>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct EventAuthor {
    created_by: String,
    created_at: String,
}

/// Describes that a toggle has changed since the plan, with the author of the newest event, if the server tells it.
async fn describe_change(service: &Service, name: &str) -> String {
    let path = path_of(name).replacen("/features/", "/events/", 1);
    let events: Result<EventList, _> = service.read(&path).await;
    let author = events.ok().and_then(|list| list.events.into_iter().next());
    match author {
        Some(EventAuthor { created_by, created_at }) => {
            format!("{name} has changed since the plan (by {created_by}, {created_at})")
        }
        None => format!("{name} has changed since the plan"),
    }
}
