//! The endpoints of the console below `/-/`: one table with the right that each of them requires.

use std::rc::Rc;
use std::sync::Arc;

use actix_web::http::Method;
use actix_web::http::header::CONTENT_TYPE;
use actix_web::web::{self, Data, Payload, ServiceConfig};
use actix_web::{Error, FromRequest as _, HttpRequest, HttpResponse};
use futures_util::future::LocalBoxFuture;

use super::gate::{Gate, Requirement, User};
use crate::backend::{Backend, UpstreamAccess, sign_in_routes};
use crate::compat::{AdministratorPurpose, Compat, VisibleProjects};
use crate::console::evaluation::{Evaluations, Turn};
use crate::console::holds;
use crate::console_api::Settings;
use crate::database::Database;
use crate::error::ApiError;
use crate::files::endpoints::FileEndpoint;
use crate::flags::auth::Permission;
use crate::journal::Journal;
use crate::json_body::JsonBody;
use crate::proxy::Proxy;
use crate::recorder::Recorder;
use crate::sdk::replica::Replica;
use crate::sign_in::SignIn;
use crate::{console, files, flags, middleware, openapi};

/// An endpoint below `/-/`.
pub(super) struct Endpoint {
    method: Method,
    /// Path below `/-`, in the syntax of actix-web.
    path: &'static str,
    part: Part,
    requirement: Requirement,
    handler: Handler,
}

/// Responds to a request whose user has the required right.
type Handler = for<'c> fn(&'c Call, Payload) -> LocalBoxFuture<'c, Result<HttpResponse, Error>>;

/// The part of the program that has an endpoint.
#[derive(Debug, Clone, Copy)]
enum Part {
    /// Every program.
    Every,
    /// The embedded flag service.
    Embedded,
    /// Sign-in at an identity provider.
    Provider,
    /// The replica for SDKs.
    Replica,
    /// The operators' journal.
    Journal,
}

use Part::{Embedded, Every, Provider, Replica as OfReplica};
use Requirement::{Administrator, Creator, Editor, Nothing, OwnSession, Reader, Session};

/// All endpoints below `/-/`. Other paths and methods do not exist.
pub(super) const ENDPOINTS: [Endpoint; 23] = [
    Endpoint::get("/health", Every, Nothing, |_, _| Box::pin(async { Ok(console::health::show()) })),
    Endpoint::get("/settings", Every, Nothing, |call, _| Box::pin(show_settings(call))),
    Endpoint::get("/avatars/{file}", Every, Nothing, |call, _| {
        Box::pin(async { Ok(console::avatars::show(&call.request)?) })
    }),
    Endpoint::post("/logout", Every, Nothing, |call, _| Box::pin(sign_out(call))),
    Endpoint::get("/oidc/start", Provider, Nothing, |call, _| Box::pin(start_sign_in(call))),
    Endpoint::get("/oidc/callback", Provider, Nothing, |call, _| Box::pin(finish_sign_in(call))),
    Endpoint::get("/openapi.json", Embedded, Nothing, |call, _| {
        Box::pin(async { Ok(openapi::show(&*call.data::<openapi::Document>().await?)?) })
    }),
    Endpoint::get("/files.schema.json", Every, Nothing, |_, _| {
        Box::pin(async { Ok(files::show_schema().await) })
    }),
    Endpoint::post("/examples", Embedded, Creator, |call, _| Box::pin(load_examples(call))),
    Endpoint::post("/evaluate", Every, Session, |call, body| Box::pin(evaluate(call, body))),
    Endpoint::post("/plans", Every, Session, |call, body| {
        Box::pin(respond_with_files(call, body, FileEndpoint::Plans))
    }),
    Endpoint::post("/files", Every, Session, |call, body| {
        Box::pin(respond_with_files(call, body, FileEndpoint::Files))
    }),
    Endpoint::get("/journal", Part::Journal, Administrator(AdministratorPurpose::ReadJournal), |call, _| {
        Box::pin(read_journal(call))
    }),
    Endpoint::get("/recorder", Every, Reader, |call, _| {
        Box::pin(async { Ok(console::recorder::status(call.console.recorder.as_ref()).await?) })
    }),
    Endpoint::get("/state", Every, Reader, |call, _| {
        Box::pin(async { Ok(console::recorder::state(call.console.recorder.as_ref(), &call.request).await?) })
    }),
    Endpoint::get("/changes", Every, Reader, |call, _| Box::pin(show_changes(call))),
    Endpoint::get("/holds", Every, Session, |call, _| Box::pin(list_holds(call))),
    Endpoint::post("/holds", Every, Editor, |call, body| Box::pin(hold(call, body))),
    Endpoint::get("/holds/{name}", Every, Editor, |call, _| Box::pin(preview_hold(call))),
    Endpoint::delete("/holds/{name}", Every, Editor, |call, _| Box::pin(release_holds(call))),
    Endpoint::get("/sdk-toggles", OfReplica, Session, |call, _| Box::pin(list_sdk_toggles(call))),
    Endpoint::get("/replica", OfReplica, OwnSession, |call, _| {
        Box::pin(async { Ok(HttpResponse::Ok().json(call.replica()?.summary())) })
    }),
    Endpoint::delete("/replica", OfReplica, Administrator(AdministratorPurpose::RemoveCopies), |call, _| {
        Box::pin(async { Ok(HttpResponse::Ok().json(call.replica()?.purge().await)) })
    }),
];

/// The state that the endpoints need. Each worker has its own.
pub(super) struct Console {
    pub(super) backend: Backend,
    pub(super) gate: Gate,
    pub(super) sign_in: SignInPlace,
    pub(super) journal: Option<Journal>,
    pub(super) recorder: Option<Recorder>,
}

/// The place where users sign in, which also ends their sessions.
pub(super) enum SignInPlace {
    /// The embedded flag service.
    Embedded(Option<Arc<SignIn>>),
    /// This program, in front of an upstream.
    BeforeUpstream { access: UpstreamAccess, proxy: Rc<Proxy>, compat: Rc<Compat> },
    /// The upstream.
    Upstream(Rc<Compat>),
}

/// A request with its user.
pub(super) struct Call {
    console: Rc<Console>,
    request: HttpRequest,
    user: User,
}

impl Endpoint {
    const fn get(path: &'static str, part: Part, requirement: Requirement, handler: Handler) -> Self {
        Self { method: Method::GET, path, part, requirement, handler }
    }

    const fn post(path: &'static str, part: Part, requirement: Requirement, handler: Handler) -> Self {
        Self { method: Method::POST, path, part, requirement, handler }
    }

    const fn delete(path: &'static str, part: Part, requirement: Requirement, handler: Handler) -> Self {
        Self { method: Method::DELETE, path, part, requirement, handler }
    }

    /// Returns true if a program has the endpoint.
    fn exists(&self, console: &Console) -> bool {
        match self.part {
            Every => true,
            Embedded => matches!(console.sign_in, SignInPlace::Embedded(_)),
            Provider => console.sign_in.provider().is_some(),
            OfReplica => console.backend.replica().is_some(),
            Part::Journal => console.journal.is_some(),
        }
    }

    /// Responds to a request. The right of the user is confirmed before the body is read.
    async fn respond(
        &self,
        console: Rc<Console>,
        request: HttpRequest,
        body: Payload,
    ) -> Result<HttpResponse, Error> {
        // A page of another site needs a CORS preflight to send this type. A sign-out has no body.
        let is_json = || request.headers().get(CONTENT_TYPE).is_some_and(|kind| kind == "application/json");
        let has_user = !matches!(self.requirement, Nothing);
        if self.method == Method::POST && has_user && !is_json() {
            return Err(ApiError::UnsupportedMediaType.into());
        }
        let user = console.gate.identify(&request, self.requirement).await?;
        if let (Administrator(_), User::Upstream(visitor), false) =
            (self.requirement, &user, self.method.is_safe())
        {
            visitor.note_person(&request, console.journal.as_ref()).await;
        }
        let call = Call { console, request, user };
        let response = async {
            call.user.confirm(self.requirement).await?;
            (self.handler)(&call, body).await
        };
        let mut response = response.await.unwrap_or_else(HttpResponse::from_error);
        call.user.add_cookies(&mut response);
        Ok(response)
    }
}

impl SignInPlace {
    /// Returns the sign-in at the identity provider.
    fn provider(&self) -> Option<&Arc<SignIn>> {
        match self {
            Self::Embedded(sign_in) => sign_in.as_ref(),
            Self::BeforeUpstream { access, .. } => Some(&access.sign_in),
            Self::Upstream(_) => None,
        }
    }
}

impl Call {
    /// Returns data that all endpoints of a worker share.
    async fn data<T: 'static>(&self) -> Result<Data<T>, Error> {
        Data::extract(&self.request).await
    }

    fn unknown_path(&self) -> ApiError {
        ApiError::UnknownPath(self.request.path().to_owned())
    }

    fn replica(&self) -> Result<&Replica, ApiError> {
        self.console.backend.replica().ok_or_else(|| self.unknown_path())
    }

    fn provider(&self) -> Result<Arc<SignIn>, ApiError> {
        self.console.sign_in.provider().cloned().ok_or_else(|| self.unknown_path())
    }

    /// Confirms that the user may update a toggle. Returns the name of the user.
    async fn confirm_editor_of(&self, toggle: &str) -> Result<String, Error> {
        let project = match self.user {
            User::Upstream(_) => self.console.backend.hold_target().await?.project_of(toggle).await?,
            // Permissions of users who sign in here count for all projects.
            _ => None,
        };
        self.user.confirm_editor(&self.request, project.as_deref()).await
    }

    /// Waits until the user has no other evaluation.
    async fn wait_for_turn<'e>(&self, evaluations: &'e Evaluations) -> Result<Turn<'e>, Error> {
        Ok(evaluations.wait_for_turn(self.user.client(&self.request).await?).await?)
    }
}

/// Registers the endpoints that a program has.
pub(super) fn register(services: &mut ServiceConfig, console: Console) {
    let console = Rc::new(console);
    for endpoint in ENDPOINTS {
        if !endpoint.exists(&console) {
            continue;
        }
        let (console, endpoint) = (Rc::clone(&console), Rc::new(endpoint));
        let (path, method) = (endpoint.path, endpoint.method.clone());
        let respond = move |request: HttpRequest, body: Payload| {
            let (console, endpoint) = (Rc::clone(&console), Rc::clone(&endpoint));
            async move { endpoint.respond(console, request, body).await }
        };
        services.route(path, web::method(method).to(respond));
    }
}

async fn show_settings(call: &Call) -> Result<HttpResponse, Error> {
    let (request, settings) = (&call.request, call.data::<Settings>().await?);
    let settings = match &call.console.sign_in {
        SignInPlace::Embedded(_) => settings.as_ref().clone(),
        SignInPlace::BeforeUpstream { access, proxy, compat } => {
            access.settings(compat, proxy, request, &settings).await
        }
        SignInPlace::Upstream(compat) => {
            let client = middleware::client::from_request(request)?;
            compat.settings(client, request.headers().clone(), &settings).await
        }
    };
    Ok(HttpResponse::Ok().json(settings))
}

async fn sign_out(call: &Call) -> Result<HttpResponse, Error> {
    let request = &call.request;
    Ok(match &call.console.sign_in {
        SignInPlace::Embedded(sign_in) => {
            let (access, database) = (call.data().await?, call.data().await?);
            sign_in_routes::sign_out(sign_in.clone(), request.clone(), access, database).await?
        }
        SignInPlace::BeforeUpstream { access, proxy, .. } => {
            sign_in_routes::sign_out_of_upstream(access, proxy, request).await?
        }
        SignInPlace::Upstream(compat) => compat.sign_out(request, call.console.journal.as_ref()).await?,
    })
}

/// Sends the browser to the identity provider.
async fn start_sign_in(call: &Call) -> Result<HttpResponse, Error> {
    Ok(sign_in_routes::start(call.provider()?, call.request.clone(), call.data().await?).await?)
}

/// Ends the sign-in, with the browser that the identity provider has returned.
async fn finish_sign_in(call: &Call) -> Result<HttpResponse, Error> {
    let (base_path, access, database) = (call.data().await?, call.data().await?, call.data().await?);
    Ok(sign_in_routes::finish(call.provider()?, call.request.clone(), base_path, access, database).await?)
}

async fn load_examples(call: &Call) -> Result<HttpResponse, Error> {
    let author = call.user.authorize(Permission::CreateFeature)?.recorded_for(&call.request);
    let database = call.data::<Database>().await?;
    Ok(flags::console::load_examples(author, &database).await?)
}

/// Evaluates the toggles of the request, or else the toggles of the embedded flag service.
async fn evaluate(call: &Call, body: Payload) -> Result<HttpResponse, Error> {
    let evaluations = call.data::<Evaluations>().await?;
    let turn = call.wait_for_turn(&evaluations).await?;
    let stored = match call.console.backend.embedded() {
        Some(embedded) => Some(embedded.flags.snapshots.definitions().await?),
        None => None,
    };
    let read_records = async || call.user.confirm(Reader).await.map_err(HttpResponse::from_error);
    Ok(turn.evaluate(&call.request, body, stored, read_records).await?)
}

async fn respond_with_files(
    call: &Call,
    body: Payload,
    endpoint: FileEndpoint,
) -> Result<HttpResponse, Error> {
    let evaluations = call.data::<Evaluations>().await?;
    let turn = call.wait_for_turn(&evaluations).await?;
    Ok(endpoint.respond(turn, &call.request, body).await?)
}

async fn read_journal(call: &Call) -> Result<HttpResponse, Error> {
    let journal = call.console.journal.as_ref().ok_or_else(|| call.unknown_path())?;
    Ok(console::journal::show(journal, &call.request).await?)
}

async fn show_changes(call: &Call) -> Result<HttpResponse, Error> {
    let Console { backend, recorder, .. } = &*call.console;
    Ok(console::recorder::changes(recorder.as_ref(), backend.holds(), &call.request).await?)
}

async fn list_holds(call: &Call) -> Result<HttpResponse, Error> {
    let backend = &call.console.backend;
    match call.user.visible_projects().await? {
        VisibleProjects::All => Ok(holds::list(backend.holds().ok_or_else(holds::unavailable)?)),
        VisibleProjects::Listed(listed) => {
            let target = backend.hold_target().await?;
            Ok(holds::list_visible(&target, |project| listed.contains(project)).await?)
        }
    }
}

async fn list_sdk_toggles(call: &Call) -> Result<HttpResponse, Error> {
    let evaluations = call.data::<Evaluations>().await?;
    let _turn = call.wait_for_turn(&evaluations).await?;
    let visible = call.user.visible_projects().await?;
    let is_visible = move |project: Option<&str>| match &visible {
        VisibleProjects::All => true,
        VisibleProjects::Listed(listed) => listed.contains(project),
    };
    Ok(console::sdk_toggles::list(call.replica()?.copies_for_holds(), &call.request, is_visible).await?)
}

async fn preview_hold(call: &Call) -> Result<HttpResponse, Error> {
    // Like a hold: the toggle can belong to a project that the user cannot see.
    call.confirm_editor_of(&holds::toggle_of(&call.request)?).await?;
    Ok(holds::preview(&call.console.backend.hold_target().await?, &call.request).await?)
}

async fn hold(call: &Call, body: Payload) -> Result<HttpResponse, Error> {
    let draft = holds::parse_draft(JsonBody::read(body).await?.0)?;
    let person = call.confirm_editor_of(&draft.toggle).await?;
    let target = call.console.backend.hold_target().await?;
    Ok(holds::create(&target, &call.request, draft, &person).await?)
}

async fn release_holds(call: &Call) -> Result<HttpResponse, Error> {
    let person = call.confirm_editor_of(&holds::toggle_of(&call.request)?).await?;
    let holds = call.console.backend.holds().ok_or_else(holds::unavailable)?;
    Ok(holds::release(holds, &call.request, &person).await?)
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::ENDPOINTS;
    use crate::generated_file::check_or_update;

    /// A changed requirement is visible in the review of a change.
    #[test]
    fn table_of_endpoints_is_committed() {
        let mut table = String::new();
        for endpoint in ENDPOINTS {
            let (part, requirement) = (format!("{:?}", endpoint.part), format!("{:?}", endpoint.requirement));
            let method = endpoint.method.as_str();
            writeln!(table, "{method:6} {:18} {part:8} {requirement}", endpoint.path).unwrap();
        }
        check_or_update("src/routes/endpoints.txt", &table);
    }
}
