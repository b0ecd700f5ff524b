//! All URLs of the program. The endpoints of the embedded flag service are in `flags.rs`.

use std::future::ready;
use std::rc::Rc;
use std::sync::Arc;

use actix_service::fn_service;
use actix_web::guard::{Get, GuardContext, fn_guard};
use actix_web::http::Method;
use actix_web::middleware::from_fn;
use actix_web::web::{self, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse, ResponseError as _, Route, Scope};
use percent_encoding::percent_decode_str;

use crate::api::ConfirmedPerson;
use crate::backend::dispatcher::{Dispatcher, dispatch};
use crate::backend::sign_in_routes;
use crate::backend::{Backend, UpstreamAccess};
use crate::compat::{AdministratorPurpose, Compat, ReportedUsage};
use crate::config::BasePath;
use crate::console::evaluation::{ClientId, Evaluations, Turn};
use crate::console::holds;
use crate::console_api::Settings;
use crate::error::ApiError;
use crate::files::approval::ApprovalEndpoint;
use crate::files::endpoints::FileEndpoint;
use crate::flags::auth::Access;
use crate::flags::client::Snapshots;
use crate::flags::database::Database;
use crate::impact_metrics::ImpactMetrics;
use crate::journal::Journal;
use crate::json_body::JsonBody;
use crate::middleware::compress::compress;
use crate::proxy::{Proxy, ProxyState};
use crate::recorder::Recorder;
use crate::sdk::replica::{self, Replica, ReportKind};
use crate::sign_in::SignIn;
use crate::{assets, console, files, flags, middleware, openapi, sdk};

/// Registers all routes of one worker below the base path. Other paths do not exist.
pub fn configure(
    services: &mut ServiceConfig,
    base_path: &BasePath,
    backend: &Backend,
    (journal, recorder): (Option<&Journal>, Option<&Recorder>),
) {
    match backend {
        Backend::Upstream { proxy: state, compat, replica, sdk, access, .. } => {
            // Each worker has its own connection pool, which needs no locks.
            let proxy = Rc::new(Proxy::new(state));
            if let Some(replica) = replica {
                configure_replica(services, base_path, replica, (&proxy, compat.reported_usage()));
            }
            if let Some(sdk) = sdk {
                sdk::routes(services, base_path.as_str(), sdk);
            }
            let compat = Rc::new(Compat::new(&proxy, compat));
            if let Some(access) = access {
                services.app_data(access.access.clone()).app_data(access.database.clone());
                services.service(flags::password_sign_in(base_path.as_str()));
                flags::session_administration(services, base_path.as_str());
            }
            let dispatcher =
                Dispatcher::new(&proxy, &compat, replica.clone(), journal.cloned(), access.clone());
            configure_proxy(services, base_path, state, dispatcher);
            let replica = replica.clone();
            let console = match access {
                Some(access) => ConsoleRoutes::with_upstream_access(
                    backend,
                    access,
                    (proxy, compat),
                    replica,
                    (journal, recorder),
                ),
                None => ConsoleRoutes::with_upstream(backend, compat, replica, journal, recorder),
            };
            services.service(own_paths(base_path, console, sdk::unavailable_routes));
        }
        Backend::Embedded { flags, access, sign_in, sdk, clients, document, .. } => {
            flags.add_app_data(services);
            services.app_data(access.clone()).app_data(clients.clone()).app_data(document.clone());
            let api = |api: &mut ServiceConfig| {
                sdk::routes(api, "", sdk);
                flags::routes(api, flags, access);
            };
            services.service(own_paths(
                base_path,
                ConsoleRoutes::with_embedded_service(
                    backend,
                    sign_in.as_ref(),
                    &flags.impact_metrics,
                    journal,
                    recorder,
                ),
                api,
            ));
        }
    }
    services.default_service(web::to(ApiError::unknown_path));
}

/// The routes of the console that depend on the backend.
struct ConsoleRoutes {
    settings: Route,
    sign_out: Route,
    openapi: Route,
    examples: Route,
    evaluate: Route,
    plans: Route,
    /// Those of [`APPROVAL_PATHS`], in their order.
    approvals: [Route; 3],
    files: Route,
    replica: Route,
    purge: Route,
    journal: Route,
    recorder: [Route; 3],
    impact_metrics: Route,
    holds: HoldRoutes,
    start_oidc: Route,
    finish_oidc: Route,
}

/// The routes of holds.
struct HoldRoutes {
    list: Route,
    preview: Route,
    create: Route,
    release: Route,
}

impl ConsoleRoutes {
    /// The upstream manages its own data and describes its own API.
    fn with_upstream(
        backend: &Backend,
        compat: Rc<Compat>,
        replica: Option<Replica>,
        journal: Option<&Journal>,
        recorder: Option<&Recorder>,
    ) -> Self {
        let recorder = recorder_routes(&compat, recorder);
        let impact_metrics = replica.as_ref().map(|replica| {
            let (compat, metrics) = (Rc::clone(&compat), replica.impact_metrics().clone());
            web::get().to(move |request: HttpRequest| {
                let (compat, metrics) = (Rc::clone(&compat), metrics.clone());
                async move {
                    let response = async { console::impact_metrics::show(&metrics, &request) };
                    compat.respond_to_user(&request, response).await
                }
            })
        });
        let holds = hold_routes(&compat, backend);
        let evaluate = evaluate_route(&compat);
        let plans = file_route(&compat, review_endpoint(backend));
        let files = file_route(&compat, FileEndpoint::Files);
        let approvals = approval_routes(&compat, backend);
        let purge = replica.clone().map(|replica| purge_route(&compat, replica, journal.cloned()));
        let sign_out = sign_out_route(&compat, journal.cloned());
        let journal = journal.cloned().map(|journal| journal_route(&compat, journal));
        let settings = move |request: HttpRequest, settings: web::Data<Settings>| {
            let compat = Rc::clone(&compat);
            async move {
                let client = middleware::client::from_request(&request)?;
                let settings = compat.settings(client, request.headers().clone(), &settings).await;
                Ok::<_, ApiError>(HttpResponse::Ok().json(settings))
            }
        };
        Self {
            settings: web::get().to(settings),
            sign_out,
            openapi: unknown_get(),
            examples: unknown_post(),
            evaluate,
            plans,
            approvals,
            files,
            replica: replica.map_or_else(unknown_get, |replica| {
                web::get().to(move || ready(HttpResponse::Ok().json(replica.summary())))
            }),
            purge: purge.unwrap_or_else(unknown_delete),
            journal: journal.unwrap_or_else(unknown_get),
            recorder,
            impact_metrics: impact_metrics.unwrap_or_else(unknown_get),
            holds,
            start_oidc: unknown_get(),
            finish_oidc: unknown_get(),
        }
    }

    /// Users sign in here, and not at the upstream.
    fn with_upstream_access(
        backend: &Backend,
        access: &UpstreamAccess,
        (proxy, compat): (Rc<Proxy>, Rc<Compat>),
        replica: Option<Replica>,
        (journal, recorder): (Option<&Journal>, Option<&Recorder>),
    ) -> Self {
        let sign_out = {
            let (access, proxy) = (access.clone(), Rc::clone(&proxy));
            move |request: HttpRequest| {
                let (access, proxy) = (access.clone(), Rc::clone(&proxy));
                async move { sign_in_routes::sign_out_of_upstream(&access, &proxy, &request).await }
            }
        };
        let settings = {
            let access = access.clone();
            move |request: HttpRequest, settings: web::Data<Settings>| {
                let (access, proxy, compat) = (access.clone(), Rc::clone(&proxy), Rc::clone(&compat));
                async move { HttpResponse::Ok().json(access.settings(&compat, &proxy, &request, &settings).await) }
            }
        };
        let purge = replica.clone().map(|replica| {
            web::delete().to(move |request: HttpRequest, access, database| {
                let replica = replica.clone();
                async move {
                    flags::console::require_administrator(&request, access, database).await?;
                    Ok::<_, ApiError>(HttpResponse::Ok().json(replica.purge().await))
                }
            })
        });
        let impact_metrics =
            replica.as_ref().map(|replica| own_impact_metrics_route(replica.impact_metrics()));
        Self {
            settings: web::get().to(settings),
            sign_out: web::post().to(sign_out),
            openapi: unknown_get(),
            examples: unknown_post(),
            evaluate: web::post().to(evaluate_given_toggles).wrap(from_fn(flags::console::authenticate)),
            plans: own_file_route(review_endpoint(backend)),
            approvals: own_approval_routes(backend),
            files: own_file_route(FileEndpoint::Files),
            replica: replica.map_or_else(unknown_get, |replica| {
                web::get()
                    .to(move || ready(HttpResponse::Ok().json(replica.summary())))
                    .wrap(from_fn(flags::console::authenticate))
            }),
            purge: purge.unwrap_or_else(unknown_delete),
            journal: own_journal_route(journal),
            recorder: own_recorder_routes(recorder),
            impact_metrics: impact_metrics.unwrap_or_else(unknown_get),
            holds: own_hold_routes(backend),
            start_oidc: start_oidc_route(Some(&access.sign_in)),
            finish_oidc: finish_oidc_route(Some(&access.sign_in)),
        }
    }

    fn with_embedded_service(
        backend: &Backend,
        sign_in: Option<&Arc<SignIn>>,
        impact_metrics: &ImpactMetrics,
        journal: Option<&Journal>,
        recorder: Option<&Recorder>,
    ) -> Self {
        let ended = sign_in.cloned();
        Self {
            settings: web::get().to(console::settings::show),
            sign_out: web::post().to(move |request, access, database| {
                sign_in_routes::sign_out(ended.clone(), request, access, database)
            }),
            openapi: web::get().to(openapi::show),
            examples: web::post().to(flags::console::load_examples),
            evaluate: web::post().to(evaluate_stored_toggles).wrap(from_fn(flags::console::authenticate)),
            plans: own_file_route(review_endpoint(backend)),
            approvals: own_approval_routes(backend),
            files: own_file_route(FileEndpoint::Files),
            replica: unknown_get(),
            purge: unknown_delete(),
            journal: own_journal_route(journal),
            recorder: own_recorder_routes(recorder),
            impact_metrics: own_impact_metrics_route(impact_metrics),
            holds: own_hold_routes(backend),
            start_oidc: start_oidc_route(sign_in),
            finish_oidc: finish_oidc_route(sign_in),
        }
    }
}

/// Returns the route that reads the journal, for administrators who have signed in here.
fn own_journal_route(journal: Option<&Journal>) -> Route {
    journal.cloned().map_or_else(unknown_get, |journal| {
        let read = move |request: HttpRequest, access, database| {
            let journal = journal.clone();
            async move {
                flags::console::require_administrator(&request, access, database).await?;
                console::journal::show(&journal, &request).await
            }
        };
        web::get().to(read)
    })
}

/// Returns the route that sends the browser to the identity provider.
fn start_oidc_route(sign_in: Option<&Arc<SignIn>>) -> Route {
    sign_in.cloned().map_or_else(unknown_get, |sign_in| {
        web::get()
            .to(move |request, base_path| sign_in_routes::start(Arc::clone(&sign_in), request, base_path))
    })
}

/// Returns the route to which the identity provider returns the browser.
fn finish_oidc_route(sign_in: Option<&Arc<SignIn>>) -> Route {
    sign_in.cloned().map_or_else(unknown_get, |sign_in| {
        web::get().to(move |request, base_path, access, database| {
            sign_in_routes::finish(Arc::clone(&sign_in), request, base_path, access, database)
        })
    })
}

/// Returns the route of a path that does not exist with this backend.
fn unknown_get() -> Route {
    web::get().to(ApiError::unknown_path)
}

fn unknown_post() -> Route {
    web::post().to(ApiError::unknown_path)
}

fn unknown_delete() -> Route {
    web::delete().to(ApiError::unknown_path)
}

/// Returns the route that removes the copies of the replica, for administrators of the upstream.
fn purge_route(compat: &Rc<Compat>, replica: Replica, journal: Option<Journal>) -> Route {
    let compat = Rc::clone(compat);
    web::delete().to(move |request: HttpRequest| {
        let (compat, replica, journal) = (Rc::clone(&compat), replica.clone(), journal.clone());
        async move {
            compat.note_person(&request, journal.as_ref()).await;
            match compat.verify_administrator(&request, AdministratorPurpose::RemoveCopies).await {
                Ok(()) => HttpResponse::Ok().json(replica.purge().await),
                Err(response) => response,
            }
        }
    })
}

/// Returns the route that reads the journal, for administrators of the upstream.
fn journal_route(compat: &Rc<Compat>, journal: Journal) -> Route {
    let compat = Rc::clone(compat);
    web::get().to(move |request: HttpRequest| {
        let (compat, journal) = (Rc::clone(&compat), journal.clone());
        async move {
            match compat.verify_administrator(&request, AdministratorPurpose::ReadJournal).await {
                Ok(()) => console::journal::show(&journal, &request)
                    .await
                    .unwrap_or_else(|error| error.error_response()),
                Err(response) => response,
            }
        }
    })
}

/// Returns the route that reads impact metrics, for users who have signed in here.
fn own_impact_metrics_route(metrics: &ImpactMetrics) -> Route {
    let metrics = metrics.clone();
    let read = move |request: HttpRequest| ready(console::impact_metrics::show(&metrics, &request));
    web::get().to(read).wrap(from_fn(flags::console::authenticate))
}

/// A read of the flight recorder.
#[derive(Clone, Copy)]
enum RecorderRead {
    Status,
    State,
    Changes,
}

/// The reads of the flight recorder, in the order of their routes.
const RECORDER_READS: [RecorderRead; 3] = [RecorderRead::Status, RecorderRead::State, RecorderRead::Changes];

async fn read_recorder(
    read: RecorderRead,
    recorder: Option<&Recorder>,
    request: &HttpRequest,
) -> Result<HttpResponse, ApiError> {
    match read {
        RecorderRead::Status => console::recorder::status(recorder).await,
        RecorderRead::State => console::recorder::state(recorder, request).await,
        RecorderRead::Changes => console::recorder::changes(recorder, request).await,
    }
}

/// Returns the routes that read the flight recorder, for users who have signed in here.
fn own_recorder_routes(recorder: Option<&Recorder>) -> [Route; 3] {
    RECORDER_READS.map(|read| {
        let recorder = recorder.cloned();
        let read = move |request: HttpRequest| {
            let recorder = recorder.clone();
            async move { read_recorder(read, recorder.as_ref(), &request).await }
        };
        web::get().to(read).wrap(from_fn(flags::console::authenticate))
    })
}

/// Returns the routes that read the flight recorder, for users whom the upstream accepts.
fn recorder_routes(compat: &Rc<Compat>, recorder: Option<&Recorder>) -> [Route; 3] {
    RECORDER_READS.map(|read| {
        let (compat, recorder) = (Rc::clone(compat), recorder.cloned());
        web::get().to(move |request: HttpRequest| {
            let (compat, recorder) = (Rc::clone(&compat), recorder.clone());
            async move {
                let response = read_recorder(read, recorder.as_ref(), &request);
                compat.respond_to_user(&request, response).await
            }
        })
    })
}

/// Returns the routes of holds, for users who have signed in here.
fn own_hold_routes(backend: &Backend) -> HoldRoutes {
    let (listed, previewed, created, released) =
        (backend.clone(), backend.clone(), backend.clone(), backend.clone());
    let list = move || {
        let backend = listed.clone();
        async move { Ok::<_, ApiError>(holds::list(backend.holds().ok_or_else(holds::unavailable)?)) }
    };
    let preview = move |request: HttpRequest| {
        let backend = previewed.clone();
        async move { holds::preview(&backend.hold_target().await?, &request) }
    };
    let create = move |request: HttpRequest, access, database, body: JsonBody| {
        let backend = created.clone();
        async move {
            let person = flags::console::require_editor(&request, access, database).await?;
            let draft = holds::parse_draft(body.0)?;
            holds::create(&backend.hold_target().await?, &request, draft, &person).await
        }
    };
    let release = move |request: HttpRequest, access, database| {
        let backend = released.clone();
        async move {
            let person = flags::console::require_editor(&request, access, database).await?;
            holds::release(backend.holds().ok_or_else(holds::unavailable)?, &request, &person).await
        }
    };
    HoldRoutes {
        list: web::get().to(list).wrap(from_fn(flags::console::authenticate)),
        preview: web::get().to(preview).wrap(from_fn(flags::console::authenticate)),
        create: web::post().to(create).wrap(from_fn(flags::require_json)),
        release: web::delete().to(release),
    }
}

/// Returns the routes of holds, for users whom the upstream accepts, or has accepted before its outage.
fn hold_routes(compat: &Rc<Compat>, backend: &Backend) -> HoldRoutes {
    let state = || (Rc::clone(compat), backend.clone());
    let (listed, previewed, created, released) = (state(), state(), state(), state());
    let list = move |request: HttpRequest| {
        let (compat, backend) = listed.clone();
        async move {
            compat.note_profile(&request).await;
            let list = async { Ok(holds::list(backend.holds().ok_or_else(holds::unavailable)?)) };
            compat.respond_to_user(&request, list).await
        }
    };
    let preview = move |request: HttpRequest| {
        let (compat, backend) = previewed.clone();
        async move {
            let preview = async { holds::preview(&backend.hold_target().await?, &request) };
            compat.respond_to_user(&request, preview).await
        }
    };
    let create = move |request: HttpRequest, body: JsonBody| {
        let (compat, backend) = created.clone();
        async move {
            let (draft, target) = (holds::parse_draft(body.0)?, backend.hold_target().await?);
            match compat.verify_editor(&request, target.project_of(&draft.toggle).as_deref()).await {
                Ok(person) => holds::create(&target, &request, draft, &person).await,
                Err(response) => Ok(response),
            }
        }
    };
    let release = move |request: HttpRequest| {
        let (compat, backend) = released.clone();
        async move {
            let target = backend.hold_target().await?;
            let project = target.project_of(&holds::toggle_of(&request)?);
            match compat.verify_editor(&request, project.as_deref()).await {
                Ok(person) => holds::release(target.holds, &request, &person).await,
                Err(response) => Ok::<_, ApiError>(response),
            }
        }
    };
    HoldRoutes {
        list: web::get().to(list),
        preview: web::get().to(preview),
        create: web::post().to(create).wrap(from_fn(flags::require_json)),
        release: web::delete().to(release),
    }
}

/// Returns the route that evaluates the toggles of the request, for users whom the upstream accepts.
fn evaluate_route(compat: &Rc<Compat>) -> Route {
    let compat = Rc::clone(compat);
    web::post().to(move |request: HttpRequest, evaluations: web::Data<Evaluations>, body: web::Payload| {
        let compat = Rc::clone(&compat);
        async move {
            let evaluate = async |turn: Turn<'_>| turn.evaluate(&request, body, None).await;
            compat.evaluate(&request, &evaluations, evaluate).await
        }
    })
}

/// Returns the endpoint that reviews plans.
fn review_endpoint(backend: &Backend) -> FileEndpoint {
    FileEndpoint::Plans { needs_another_person: backend.approvals().is_some() }
}

/// The paths below `/-` about plans that another person must apply, with their endpoints.
const APPROVAL_PATHS: [(&str, ApprovalEndpoint); 3] = [
    ("/plans/signatures", ApprovalEndpoint::Sign),
    ("/plans/permissions", ApprovalEndpoint::Check),
    ("/plans/approvals", ApprovalEndpoint::Approve),
];

/// Returns the routes of [`APPROVAL_PATHS`], for users whom the upstream accepts.
fn approval_routes(compat: &Rc<Compat>, backend: &Backend) -> [Route; 3] {
    APPROVAL_PATHS.map(|(_, endpoint)| {
        let Some(approvals) = backend.approvals().cloned() else { return unknown_post() };
        let compat = Rc::clone(compat);
        web::post().to(move |request: HttpRequest, body: JsonBody| {
            let (compat, approvals) = (Rc::clone(&compat), approvals.clone());
            async move {
                let respond = async |person: ConfirmedPerson| {
                    approvals.respond(endpoint, &request, &person, body.0).await
                };
                compat.respond_to_person(&request, respond).await
            }
        })
    })
}

/// Returns the routes of [`APPROVAL_PATHS`], for users who have signed in here.
fn own_approval_routes(backend: &Backend) -> [Route; 3] {
    APPROVAL_PATHS.map(|(_, endpoint)| {
        let Some(approvals) = backend.approvals().cloned() else { return unknown_post() };
        let respond = move |request: HttpRequest,
                            access: web::Data<Access>,
                            database: web::Data<Database>,
                            body: JsonBody| {
            let approvals = approvals.clone();
            async move {
                let person = access.confirm_person(&request, &database).await?;
                approvals.respond(endpoint, &request, &person, body.0).await
            }
        };
        web::post().to(respond)
    })
}

/// Returns the route of an endpoint of files, for users whom the upstream accepts.
fn file_route(compat: &Rc<Compat>, endpoint: FileEndpoint) -> Route {
    let compat = Rc::clone(compat);
    web::post().to(move |request: HttpRequest, evaluations: web::Data<Evaluations>, body: web::Payload| {
        let compat = Rc::clone(&compat);
        async move {
            let respond = async |turn: Turn<'_>| endpoint.respond(turn, &request, body).await;
            compat.evaluate(&request, &evaluations, respond).await
        }
    })
}

/// Returns the route of an endpoint of files, for users who have signed in here.
fn own_file_route(endpoint: FileEndpoint) -> Route {
    let respond = move |request: HttpRequest,
                        evaluations: web::Data<Evaluations>,
                        body: web::Payload,
                        access: web::Data<Access>| async move {
        let turn = evaluations.wait_for_turn(client_of_session(&access, &request)?).await?;
        endpoint.respond(turn, &request, body).await
    };
    web::post().to(respond).wrap(from_fn(flags::console::authenticate))
}

/// Returns the route that ends the session of a user of the upstream.
fn sign_out_route(compat: &Rc<Compat>, journal: Option<Journal>) -> Route {
    let compat = Rc::clone(compat);
    web::post().to(move |request: HttpRequest| {
        let (compat, journal) = (Rc::clone(&compat), journal.clone());
        async move { compat.sign_out(&request, journal.as_ref()).await }
    })
}

/// Evaluates the toggles of the request, or else the toggles of the embedded flag service.
async fn evaluate_stored_toggles(
    request: HttpRequest,
    evaluations: web::Data<Evaluations>,
    body: web::Payload,
    snapshots: web::Data<Snapshots>,
    access: web::Data<Access>,
) -> Result<HttpResponse, ApiError> {
    let turn = evaluations.wait_for_turn(client_of_session(&access, &request)?).await?;
    let stored = snapshots.definitions().await?;
    turn.evaluate(&request, body, Some(stored)).await
}

/// Evaluates the toggles of the request, for users who have signed in here.
async fn evaluate_given_toggles(
    request: HttpRequest,
    evaluations: web::Data<Evaluations>,
    body: web::Payload,
    access: web::Data<Access>,
) -> Result<HttpResponse, ApiError> {
    let turn = evaluations.wait_for_turn(client_of_session(&access, &request)?).await?;
    turn.evaluate(&request, body, None).await
}

fn client_of_session(access: &Access, request: &HttpRequest) -> Result<ClientId, ApiError> {
    access
        .session_hash(request)
        .map_or_else(|| ClientId::from_request(request), |hash| Ok(ClientId::User(hash)))
}

/// Creates the scope of the base path with the paths that this program serves itself. `api` registers the paths of
/// the embedded flag service.
fn own_paths(base_path: &BasePath, console: ConsoleRoutes, api: impl FnOnce(&mut ServiceConfig)) -> Scope {
    let [recorder, past_state, past_changes] = console.recorder;
    let HoldRoutes { list, preview, create, release } = console.holds;
    web::scope(base_path.as_str())
        .service(
            web::scope("/-")
                .wrap(from_fn(compress))
                .route("/health", web::get().to(console::health::show))
                .route("/settings", console.settings)
                .route("/avatars/{file}", web::get().to(console::avatars::show))
                .route("/logout", console.sign_out)
                .route("/oidc/start", console.start_oidc)
                .route("/oidc/callback", console.finish_oidc)
                .route("/openapi.json", console.openapi)
                .route("/files.schema.json", web::get().to(files::show_schema))
                .route("/journal", console.journal)
                .route("/recorder", recorder)
                .route("/state", past_state)
                .route("/changes", past_changes)
                .route("/impact-metrics", console.impact_metrics)
                .route("/holds", list)
                .route("/holds", create)
                .route("/holds/{name}", preview)
                .route("/holds/{name}", release)
                .route("/replica", console.replica)
                .route("/replica", console.purge)
                .configure(|services| {
                    let approvals = APPROVAL_PATHS.map(|(path, _)| path).into_iter().zip(console.approvals);
                    let others = [
                        ("/examples", console.examples),
                        ("/evaluate", console.evaluate),
                        ("/plans", console.plans),
                        ("/files", console.files),
                    ];
                    for (path, route) in others.into_iter().chain(approvals) {
                        services.service(
                            web::resource(path)
                                // Requiring JSON prevents that a form of another site creates the examples.
                                .wrap(from_fn(flags::require_json))
                                .route(route)
                                .default_service(web::to(ApiError::unknown_path)),
                        );
                    }
                })
                .default_service(web::to(ApiError::unknown_path)),
        )
        .service(
            web::resource("/logout")
                .guard(fn_guard(console::logout::is_opened_by_other_site))
                .route(web::get().to(console::logout::ask_first)),
        )
        .configure(api)
        .default_service(web::to(assets::serve))
}

/// Registers the requests of SDKs that the replica handles. Other requests with these paths are forwarded.
fn configure_replica(
    services: &mut ServiceConfig,
    base_path: &BasePath,
    replica: &Replica,
    (proxy, usage): (&Rc<Proxy>, &ReportedUsage),
) {
    let (features, streaming) = (replica.clone(), replica.clone());
    let features = move |request: HttpRequest| {
        let replica = features.clone();
        async move { replica.features(&request).await }
    };
    let streaming = move |request: HttpRequest| {
        let replica = streaming.clone();
        async move { replica.streaming(&request).await }
    };
    let resource = |path: &str| web::resource(format!("{}{path}", base_path.as_str()));
    let is_of_sdk = |request: &GuardContext<'_>| replica::is_request_of_sdk(request.head());
    let resource_of_sdk = |path: &str| resource(path).guard(fn_guard(is_of_sdk));
    services
        .service(resource_of_sdk("/api/client/features").route(web::route().to(features)))
        .service(resource_of_sdk("/api/client/streaming").guard(Get()).route(web::route().to(streaming)));
    // Old SDKs read single toggles. Only held ones are not forwarded.
    let (held, feature) = (replica.clone(), replica.clone());
    let is_held = move |request: &GuardContext<'_>| {
        let path = request.head().uri.path();
        let name = path.rsplit('/').next().unwrap_or_default();
        is_of_sdk(request) && held.is_held(&percent_decode_str(name).decode_utf8_lossy())
    };
    let feature = move |request: HttpRequest| {
        let replica = feature.clone();
        async move {
            let name =
                percent_decode_str(request.match_info().query("name")).decode_utf8_lossy().into_owned();
            replica.feature(&request, &name).await
        }
    };
    services.service(
        resource("/api/client/features/{name}").guard(fn_guard(is_held)).route(web::route().to(feature)),
    );
    for (path, kind) in [
        ("/api/client/register", ReportKind::Registration),
        ("/api/client/metrics", ReportKind::Counts),
        ("/api/client/metrics/bulk", ReportKind::Bulk),
    ] {
        let (replica, proxy, usage) = (replica.clone(), Rc::clone(proxy), usage.clone());
        let report = move |request: HttpRequest, body: web::Payload| {
            let (replica, proxy, usage) = (replica.clone(), Rc::clone(&proxy), usage.clone());
            async move { forward_report((&proxy, &usage), &replica, (path, kind), &request, body).await }
        };
        services
            .service(resource(path).guard(fn_guard(replica::is_plain_report)).route(web::route().to(report)));
    }
}

/// Forwards a report of an SDK. While the upstream does not respond, the replica keeps it.
async fn forward_report(
    (proxy, usage): (&Proxy, &ReportedUsage),
    replica: &Replica,
    (path, kind): (&str, ReportKind),
    request: &HttpRequest,
    body: web::Payload,
) -> Result<HttpResponse, ApiError> {
    let body = replica::reports::read(body).await?;
    let headers = request.headers();
    let client = middleware::client::from_request(request)?;
    if replica.queue_report(kind, headers, &body, client.address) {
        return Ok(HttpResponse::Accepted().finish());
    }
    let forwarded = proxy.send_for(&client, headers, (&Method::POST, path), body.clone()).await;
    let forwarded = forwarded.map(|response| proxy.convert_response(response, &client));
    if let Ok(response) = &forwarded {
        usage.record(path, headers, &body, response.status());
    }
    replica.keep_report(kind, headers, &body, client.address, forwarded)
}

/// Registers the forwarded paths. They are not part of the scope of the base path, which would slow down each request.
fn configure_proxy(
    services: &mut ServiceConfig,
    base_path: &BasePath,
    state: &ProxyState,
    dispatcher: Dispatcher,
) {
    let dispatcher = Rc::new(dispatcher);
    for prefix in state.prefixes() {
        let path = format!("{}{prefix}", base_path.as_str());
        let dispatcher = Rc::clone(&dispatcher);
        let dispatch = move |request| dispatch(Rc::clone(&dispatcher), request);
        services.service(web::scope(&path).default_service(fn_service(dispatch)));
    }
}
