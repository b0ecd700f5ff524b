//! `flagdeck pull`, `plan` and `apply`: toggles in files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use actix_web::http::header::HeaderValue;
use actix_web::http::{Method, StatusCode};
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::CommandError;
use super::file_checks::{Strategies, check_plan};
use super::progress::Progress;
use super::service::{Service, encode, path_of};
use crate::api::{ChangeStatus, NamedText, PlanSignature, Tag, Toggle};
use crate::cli::{ApplyArguments, PlanArguments, PullArguments};
use crate::config::{Config, Settings};
use crate::evaluation::SegmentDefinition;
use crate::files::document::{Document, FileToggle};
use crate::files::exports::{Export, is_export};
use crate::files::managed::{self, MANAGED_BY, check_name, split_tags, tag_of};
use crate::files::owned_tags::{OwnedTags, TAGS, is_tag_property};
use crate::files::plan::{
    Plan, PlannedAction, PlannedChange, ServerState, body_of, digest_of, find_dependent, missing_properties,
    missing_toggles, parents_in, planned_toggles, words_of,
};
use crate::files::source;
use crate::files::words::is_built_in;
use crate::terminal;

/// Exit code if there are changes or differences.
pub(super) const CHANGES: u8 = 2;
/// Number of toggles that are read at the same time.
pub(super) const MAX_READING: usize = 4;
/// Extensions of files in folders.
const EXTENSIONS: [&str; 3] = ["yaml", "yml", "json"];

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
    features: Vec<Name>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Name {
    name: String,
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
    tag_types: Vec<Name>,
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
        // Without tags in the file, the first one can be added in the console.
        let tags = (!tags.is_empty()).then_some(tags);
        let file = FileToggle { tags, ..FileToggle::from_toggle(&toggle, arguments.state) };
        Ok::<_, CommandError>((name.clone(), file))
    };
    let toggles = stream::iter(&names).map(read).buffered(MAX_READING).try_collect().await?;
    Ok(Document { version: 1, managed_by: None, toggles })
}

pub(super) async fn plan(
    arguments: &PlanArguments,
    config: &Config,
    flags: &Settings,
) -> Result<ExitCode, CommandError> {
    let files =
        read_files(&arguments.paths, arguments.environment.as_deref(), arguments.managed_by.as_deref())?;
    let service = Service::open(config.targets.find(arguments.target.to.as_deref(), flags)?, config).await?;
    let is_kept = arguments.output.is_some() || arguments.target.json;
    let planned = async {
        let (plan, state) = plan_for(&service, &files, arguments.prune).await?;
        let plan = if is_kept { sign_plan(&service, plan).await? } else { plan };
        Ok::<_, CommandError>((plan, state))
    };
    let planned = planned.await;
    service.close().await?;
    let (plan, state) = planned?;
    let json = serde_json::to_string_pretty(&plan).map_err(|cause| CommandError::Failed(cause.into()))?;
    if let Some(path) = &arguments.output {
        fs::write(path, format!("{json}\n"))
            .map_err(|cause| CommandError::File { path: path.clone(), cause })?;
    }
    if arguments.target.json {
        writeln!(io::stdout(), "{json}").map_err(CommandError::Output)?;
    } else {
        terminal::print(&plan.to_text(&state)).map_err(CommandError::Output)?;
    }
    Ok(if plan.changes.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(CHANGES) })
}

/// Returns true if another person must apply a plan. One without changes needs nobody.
async fn needs_another_person(service: &Service, plan: &Plan) -> Result<bool, CommandError> {
    Ok(!plan.changes.is_empty() && service.needs_another_person().await?)
}

/// Adds the signature of a Flagdeck on which another person must apply a plan.
async fn sign_plan(service: &Service, plan: Plan) -> Result<Plan, CommandError> {
    if !needs_another_person(service, &plan).await? {
        return Ok(plan);
    }
    let body = json!({ "digest": plan.content_digest() });
    let signature: PlanSignature = service.send_about_plan("/signatures", &body).await?;
    Ok(Plan { signature: Some(signature), ..plan })
}

/// Asks a Flagdeck on which another person must apply a plan whether this person may apply it. Nothing is changed before.
async fn approve_plan(service: &Service, plan: &Plan) -> Result<(), CommandError> {
    if !needs_another_person(service, plan).await? {
        return Ok(());
    }
    let body = json!({ "digest": plan.content_digest(), "signature": plan.signature });
    let _approval: Value = service.send_about_plan("/approvals", &body).await?;
    Ok(())
}

/// Plans the changes. With `is_pruning`, toggles that no file names are archived.
async fn plan_for(
    service: &Service,
    (files, texts): &(Document, Vec<NamedText>),
    is_pruning: bool,
) -> Result<(Plan, ServerState), CommandError> {
    if is_pruning && files.toggles.is_empty() {
        return Err(CommandError::Files(
            "--prune: the files name no toggles, and all toggles would be archived; name the toggles to keep"
                .to_owned(),
        ));
    }
    let (mut state, others) = read_state(service, files, is_pruning).await?;
    if let Some((child, parent)) = find_dependent(files, &state, &others) {
        return Err(CommandError::Files(format!(
            "--prune would archive {parent}, on which {child} depends; add {parent} to the files, or remove the dependency"
        )));
    }
    let plan = Plan::with_archived(service.name(), files, &state, &others);
    let plan = plan.map_err(|cause| CommandError::Failed(cause.into()))?;
    state.strategies = match check_plan(service, &plan, &state, texts).await? {
        Some(definitions) => definitions,
        None => find_strategies(service, &plan).await,
    };
    Ok((plan, state))
}

/// Reads the definitions of strategies if the words of a plan depend on them. Without them, the words are less exact.
async fn find_strategies(service: &Service, plan: &Plan) -> Vec<Value> {
    let is_own = |strategy: &Value| {
        strategy.get("name").and_then(Value::as_str).is_some_and(|name| !is_built_in(name))
    };
    let lists = plan.changes.iter().filter_map(|change| change.state.get("strategies")?.as_array());
    if !lists.flatten().any(is_own) {
        return Vec::new();
    }
    let definitions: Result<Option<Strategies>, _> = service.find("/strategies").await;
    definitions.ok().flatten().map(|list| list.strategies).unwrap_or_default()
}

/// Reads the definitions that the words of a plan use.
async fn read_definitions(service: &Service, plan: &Plan) -> Result<ServerState, CommandError> {
    let lists = plan.changes.iter().filter_map(|change| change.state.get("strategies")?.as_array());
    let has_segments = |strategy: &Value| {
        strategy.get("segments").and_then(Value::as_array).is_some_and(|segments| !segments.is_empty())
    };
    let segments = if lists.flatten().any(has_segments) { find_segments(service).await? } else { Vec::new() };
    let strategies = find_strategies(service, plan).await;
    Ok(ServerState { segments, strategies, ..ServerState::default() })
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

/// Reads the toggles of the files, their parents, and the toggles that depend on them. With `has_others`, also all other toggles,
/// whose names are returned.
async fn read_state(
    service: &Service,
    files: &Document,
    has_others: bool,
) -> Result<(ServerState, BTreeSet<String>), CommandError> {
    let list: Named = service.read("/features").await?;
    let archived: Option<Named> = service.find("/archive/features").await?;
    let segments = find_segments(service).await?;
    let parents_of = |toggle: Name| {
        let parents = toggle.dependencies.into_iter().flatten().map(|parent| parent.feature).collect();
        (toggle.name, parents)
    };
    let mut existing: BTreeMap<String, Vec<String>> = list.features.into_iter().map(parents_of).collect();
    let others = existing.keys().filter(|name| has_others && !files.toggles.contains_key(*name));
    let others: BTreeSet<String> = others.cloned().collect();
    let mut planned = planned_toggles(files);
    planned.extend(others.iter().map(|name| (name.as_str(), Vec::new())));
    let mut toggles = BTreeMap::new();
    loop {
        let names = missing_toggles(&planned, &existing, &toggles);
        if names.is_empty() {
            break;
        }
        let progress = Progress::new(service.name(), "read", names.len());
        let read = async |name: &String| {
            let toggle: Option<Value> = service.find(&path_of(name)).await?;
            progress.advance();
            let Some(toggle) = toggle else { return Ok((name.clone(), None)) };
            let owned = files.toggles.get(name).map(OwnedTags::of_file).unwrap_or_default();
            let toggle = with_tags(service, name, toggle, owned).await?;
            Ok::<_, CommandError>((name.clone(), Some(toggle)))
        };
        let read: Vec<_> = stream::iter(&names).map(read).buffered(MAX_READING).try_collect().await?;
        for (name, toggle) in read {
            match toggle {
                Some(toggle) => drop(toggles.insert(name, toggle)),
                // It was archived meanwhile.
                None => drop(existing.remove(&name)),
            }
        }
    }
    let archived = archived.map(|list| list.features.into_iter().map(|toggle| toggle.name).collect());
    let archived = archived.unwrap_or_default();
    Ok((ServerState { toggles, archived, segments, ..ServerState::default() }, others))
}

/// The content of files.
pub(super) enum FileSource {
    /// Files with toggles, and their texts.
    Document(Document, Vec<NamedText>),
    /// An export of a flag service.
    Export(Export),
}

/// Returns true if the target of a command is a file with toggles, or a folder with such files.
pub(super) fn is_file_target(path: &Path) -> bool {
    path.is_dir() || (path.is_file() && has_known_extension(path))
}

fn has_known_extension(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| EXTENSIONS.contains(&extension))
}

/// Reads files and exports as toggles of files, with their texts. The text of an export is empty, because it contains the toggles at
/// other places. The toggles get the mark of files with the name `managed_by`.
fn read_files(
    paths: &[PathBuf],
    environment: Option<&str>,
    managed_by: Option<&str>,
) -> Result<(Document, Vec<NamedText>), CommandError> {
    if let Some(name) = managed_by {
        check_name(name).map_err(|reason| CommandError::Files(format!("--managed-by {reason}")))?;
    }
    let (files, texts) = match read_source(paths, environment)? {
        FileSource::Document(document, texts) => (document, texts),
        FileSource::Export(export) => {
            let names: Vec<_> = paths.iter().map(|path| path.display().to_string()).collect();
            let name = names.join(", ");
            let document =
                export.to_document().map_err(|cause| CommandError::Files(format!("{name}: {cause}")))?;
            (document, vec![NamedText { name, text: String::new() }])
        }
    };
    let files = match managed_by {
        Some(name) => files.managed_by(name),
        None => files,
    };
    Ok((files, texts))
}

/// Reads files and the files of folders, which must not contain a toggle twice. An export must be the only file.
pub(super) fn read_source(paths: &[PathBuf], environment: Option<&str>) -> Result<FileSource, CommandError> {
    let (mut documents, mut texts) = (Vec::new(), Vec::new());
    let files = list_files(paths)?;
    for path in &files {
        let text =
            fs::read_to_string(path).map_err(|cause| CommandError::File { path: path.clone(), cause })?;
        if let Some(export) = serde_json::from_str::<Value>(&text).ok().filter(is_export) {
            let fault = |text: &str| CommandError::Files(format!("{}: {text}", path.display()));
            if files.len() > 1 {
                return Err(fault("it is an export, which must be the only file"));
            }
            let export = Export::read(&export, environment);
            return export.map(FileSource::Export).map_err(|cause| fault(&cause.to_string()));
        }
        if source::read_plan(&path.display().to_string(), &text).is_ok_and(|plan| plan.is_some()) {
            let path = path.display();
            return Err(CommandError::Files(format!(
                "{path} is a plan, not a file with toggles; apply it alone with flagdeck apply {path}, or move it out of the folder"
            )));
        }
        let document = Document::parse(&text)
            .map_err(|fault| CommandError::Files(format!("{}, {fault}", path.display())))?;
        let name = path.display().to_string();
        documents.push((name.clone(), document));
        texts.push(NamedText { name, text });
    }
    if environment.is_some() {
        return Err(CommandError::Files(
            "--environment selects the environment of an export, and these files are none; remove it"
                .to_owned(),
        ));
    }
    let document = source::join(documents).map_err(CommandError::Files)?;
    Ok(FileSource::Document(document, texts))
}

fn list_files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, CommandError> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let fault = |cause| CommandError::File { path: path.clone(), cause };
        let entries: Result<Vec<_>, _> = fs::read_dir(path).map_err(fault)?.collect();
        let mut inner: Vec<_> = entries.map_err(fault)?.into_iter().map(|entry| entry.path()).collect();
        inner.retain(|path| has_known_extension(path) && path.is_file());
        inner.sort();
        if inner.is_empty() {
            return Err(CommandError::Files(format!(
                "{} contains no files with the extension {}",
                path.display(),
                EXTENSIONS.join(", ")
            )));
        }
        files.extend(inner);
    }
    Ok(files)
}

/// Returns the plan in a file; `None` if the file contains toggles.
fn read_plan(path: &Path) -> Result<Option<Plan>, CommandError> {
    let text =
        fs::read_to_string(path).map_err(|cause| CommandError::File { path: path.to_owned(), cause })?;
    source::read_plan(&path.display().to_string(), &text).map_err(CommandError::Files)
}

pub(super) async fn apply(
    arguments: &ApplyArguments,
    config: &Config,
    flags: &Settings,
) -> Result<ExitCode, CommandError> {
    let stored = match arguments.paths.as_slice() {
        [path] if path.is_file() => read_plan(path)?,
        _ => None,
    };
    let has_options = arguments.prune || arguments.environment.is_some() || arguments.managed_by.is_some();
    if stored.is_some() && has_options {
        return Err(CommandError::Files(
            "a plan contains all its changes; use --prune, --managed-by and --environment with flagdeck plan"
                .to_owned(),
        ));
    }
    let files = match stored {
        Some(_) => None,
        None => Some(read_files(
            &arguments.paths,
            arguments.environment.as_deref(),
            arguments.managed_by.as_deref(),
        )?),
    };
    let planned = stored.as_ref().map(|plan| plan.target.as_str());
    let name = match (arguments.target.to.as_deref(), planned) {
        // A plan may come from somebody else, and must not choose the server that gets the credential.
        (None, Some(target)) if !config.targets.contains(target) => {
            return Err(CommandError::Files(format!(
                "--to is missing: the plan is for {target}, which is no table of the settings file; name the target with --to"
            )));
        }
        (name, planned) => name.or(planned),
    };
    let service = Service::open(config.targets.find(name, flags)?, config).await?;
    let result = async {
        let is_stored = stored.is_some();
        let (plan, definitions) = match (stored, files) {
            (Some(plan), _) => {
                let definitions = read_definitions(&service, &plan).await?;
                (plan, definitions)
            }
            (None, files) => {
                let no_files =
                    || (Document { version: 1, managed_by: None, toggles: BTreeMap::new() }, Vec::new());
                let files = files.unwrap_or_else(no_files);
                plan_for(&service, &files, arguments.prune).await?
            }
        };
        approve_plan(&service, &plan).await?;
        apply_plan(&service, (&plan, is_stored), &definitions, arguments).await
    };
    let result = result.await;
    service.close().await?;
    result.map(|()| ExitCode::SUCCESS)
}

/// A toggle that can be changed, with its entity tag.
struct Ready {
    stored: Option<Value>,
    tag: Option<HeaderValue>,
}

/// Applies a plan. That of files is checked already.
async fn apply_plan(
    service: &Service,
    (plan, is_stored): (&Plan, bool),
    definitions: &ServerState,
    arguments: &ApplyArguments,
) -> Result<(), CommandError> {
    if plan.changes.is_empty() && !arguments.target.json {
        return terminal::print(&plan.summary()).map_err(CommandError::Output);
    }
    let (mut ready, mut changed) = (Vec::new(), Vec::new());
    let progress = Progress::new(service.name(), "checked", plan.changes.len());
    for change in &plan.changes {
        let checked = check(service, change).await?;
        progress.advance();
        match checked {
            Ok(state) => ready.push((change, state)),
            Err(reason) => changed.push(reason),
        }
    }
    let outdated = |changed: Vec<String>, outcome| {
        Err(CommandError::Outdated { target: service.name().to_owned(), changed, outcome })
    };
    if !changed.is_empty() && !arguments.partial {
        return outdated(
            changed,
            "nothing was changed; make a new plan, or change the others with --partial",
        );
    }
    drop(progress);
    if is_stored {
        let name = arguments.paths.first().map(|path| path.display().to_string()).unwrap_or_default();
        check_stored_plan(service, (plan, name), &ready, definitions).await?;
    }
    create_tag_types(service, &plan.changes).await?;
    for (change, state) in ready {
        let words = change.words(state.stored.as_ref(), definitions.names());
        match write(service, change, state, arguments.yes).await {
            Ok(was_changed) => report(service, change, was_changed.then_some(&words), arguments)?,
            // Another client changed the toggle after the check.
            Err(CommandError::Target(error)) if error.status == StatusCode::PRECONDITION_FAILED => {
                changed.push(describe_change(service, &change.name).await);
                if !arguments.partial {
                    return outdated(changed, "the toggles before it were changed; make a new plan");
                }
            }
            Err(error) => return Err(error),
        }
    }
    if changed.is_empty() {
        Ok(())
    } else {
        outdated(changed, "the other toggles were changed; make a new plan")
    }
}

/// Checks the changes of a stored plan that can be written. The plan can be edited, and was checked at another time, or for another
/// server. Toggles that it does not contain are read only if others depend on them.
async fn check_stored_plan(
    service: &Service,
    (plan, name): (&Plan, String),
    ready: &[(&PlannedChange, Ready)],
    definitions: &ServerState,
) -> Result<(), CommandError> {
    let changes: Vec<PlannedChange> = ready.iter().map(|(change, _)| (*change).clone()).collect();
    let stored = ready.iter().filter_map(|(change, Ready { stored, .. })| Some((change, stored.clone()?)));
    let mut toggles: BTreeMap<_, _> = stored.map(|(change, stored)| (change.name.clone(), stored)).collect();
    let mut parents: BTreeSet<String> = changes.iter().flat_map(|change| parents_in(&change.state)).collect();
    for change in &changes {
        parents.remove(&change.name);
    }
    for parent in parents {
        if let Some(toggle) = service.find(&path_of(&parent)).await? {
            toggles.insert(parent, toggle);
        }
    }
    let plan = Plan { version: plan.version, target: plan.target.clone(), changes, signature: None };
    let state = ServerState { toggles, segments: definitions.segments.clone(), ..ServerState::default() };
    // A plan has no lines.
    let file = NamedText { name, text: String::new() };
    check_plan(service, &plan, &state, &[file]).await.map(drop)
}

/// Reads the toggle of a change. Returns the reason why the change cannot be applied, if the toggle has changed since the plan.
async fn check(service: &Service, change: &PlannedChange) -> Result<Result<Ready, String>, CommandError> {
    let found = match service.exchange(Method::GET, &path_of(&change.name), None, None).await {
        Err(CommandError::Target(error)) if error.status == StatusCode::NOT_FOUND => None,
        result => Some(result?),
    };
    let Some((body, tag)) = found else {
        return Ok(match change.action {
            PlannedAction::Change => Err(describe_change(service, &change.name).await),
            PlannedAction::Create | PlannedAction::Revive | PlannedAction::Archive => {
                Ok(Ready { stored: None, tag: None })
            }
        });
    };
    let stored = service.parse(&body, "/features")?;
    let stored = with_tags(service, &change.name, stored, OwnedTags::of_state(&change.state)).await?;
    match change.status(Some(&stored)) {
        // A toggle that is already as planned was changed by an interrupted call of this command.
        ChangeStatus::Ready | ChangeStatus::Applied => Ok(Ok(Ready { stored: Some(stored), tag })),
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
        PlannedAction::Create => (Method::POST, "/features".to_owned()),
        PlannedAction::Change | PlannedAction::Archive => (Method::PUT, path_of(name)),
        PlannedAction::Revive => {
            let revive = path_of(name).replacen("/features/", "/archive/revive/", 1);
            service.send(Method::POST, &revive, None).await?;
            let (body, revived) = service.exchange(Method::GET, &path_of(name), None, None).await?;
            let mut complete: Value = service.parse(&body, "/features")?;
            if let (Some(complete), Value::Object(owned)) = (complete.as_object_mut(), state) {
                complete.extend(owned);
            }
            (state, tag) = (complete, revived);
            (Method::PUT, path_of(name))
        }
    };
    let has_only_tags = stored
        .is_some_and(|stored| missing_properties(&state, &stored).iter().all(|key| is_tag_property(key)));
    if !has_only_tags {
        let mut body = body_of(name, &state);
        number_strategies(service, &mut body).await;
        service.confirm(method, &path, Some(&body), tag.as_ref(), is_confirmed).await?;
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

/// Reports a change in words; without them, the toggle was already as planned.
fn report(
    service: &Service,
    change: &PlannedChange,
    words: Option<&String>,
    arguments: &ApplyArguments,
) -> Result<(), CommandError> {
    let PlannedChange { name, action, effect, .. } = change;
    let changed = words.is_some();
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
    let words = words.map(String::as_str).unwrap_or_default();
    terminal::print(&format!("{}: {name} {verb}: {}{words}", service.name(), words_of(*effect)))
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
