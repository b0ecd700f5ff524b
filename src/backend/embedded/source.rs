//! The embedded flag service as the source of the SDK APIs.

use std::future::ready;
use std::sync::{Arc, LazyLock};

use actix_web::HttpRequest;
use actix_web::web::Data;
use futures_util::FutureExt as _;
use jiff::Timestamp;
use serde_json::Value;
use url::{Host, Url};

use crate::api::ClientApi;
use crate::config::{ANY_ORIGIN, TokenKind, TokenScope, is_local_name};
use crate::error::ApiError;
use crate::flags::Flags;
use crate::flags::auth::Access;
use crate::flags::usage::rules::{parse_registration, parse_report};
use crate::hold::Served;
use crate::impact_metrics::ImpactSender;
use crate::sdk::definitions::Definitions;
use crate::sdk::source::{Caller, CompiledCache, CurrentDefinitions, Reply, Source, TokenId};

/// The rights of requests without a token while there are no client tokens: the rights of the client API.
static WITHOUT_TOKEN: LazyLock<Arc<TokenScope>> =
    LazyLock::new(|| Arc::new(TokenScope::unlimited(TokenKind::Client)));

/// The rights of tokens while every token is accepted. Only pages of this machine may use them.
static ANY_TOKEN: LazyLock<Arc<TokenScope>> = LazyLock::new(|| {
    let origins = vec![ANY_ORIGIN.to_owned()];
    Arc::new(TokenScope { origins, ..TokenScope::unlimited(TokenKind::Frontend) })
});

/// The embedded flag service.
pub(super) struct EmbeddedSource {
    flags: Data<Flags>,
    access: Data<Access>,
    compiled: Arc<CompiledCache>,
    /// True for the toggles of a file without tokens, which is for development: SDKs keep the tokens of their flag service.
    accepts_any_token: bool,
}

impl EmbeddedSource {
    pub(super) fn new(flags: Data<Flags>, access: Data<Access>, accepts_any_token: bool) -> Self {
        Self { flags, access, compiled: Arc::default(), accepts_any_token }
    }

    async fn read_definitions(&self) -> Result<CurrentDefinitions, ApiError> {
        let Served { value: body, held, .. } = self.flags.snapshots.serve_definitions().await?;
        let compile = {
            let body = body.clone();
            move || Definitions::from_lists(&[body]).map_err(|error| error.to_string())
        };
        let definitions = self.compiled.get(vec![body], compile).await.map_err(ApiError::internal)?;
        Ok(CurrentDefinitions { definitions, age: self.flags.database.copy_age(), held })
    }
}

/// Returns true for the origin of a page that this machine serves.
fn is_local(origin: &str) -> bool {
    let Ok(url) = Url::parse(origin) else { return false };
    match url.host() {
        Some(Host::Domain(name)) => is_local_name(name),
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

impl Source for EmbeddedSource {
    fn current<'s>(&'s self, _: &'s Caller) -> Reply<'s, CurrentDefinitions> {
        self.read_definitions().boxed_local()
    }

    fn version(&self) -> Reply<'_, String> {
        async { Ok(self.read_definitions().await?.definitions.tag().to_owned()) }.boxed_local()
    }

    fn find_caller<'s>(&'s self, request: &'s HttpRequest) -> Reply<'s, Option<Caller>> {
        async move {
            let token = Access::token_hash(request.headers());
            let scope = self.find_scope(token).await?;
            if scope.is_none() && token.is_some() {
                return Err(ApiError::TokenNeeded);
            }
            Ok(scope.map(|scope| Caller { scope, token }))
        }
        .boxed_local()
    }

    fn find_scope(&self, token: Option<TokenId>) -> Reply<'_, Option<Arc<TokenScope>>> {
        async move {
            if token.is_some() && self.accepts_any_token {
                return Ok(Some(Arc::clone(&ANY_TOKEN)));
            }
            if let Some(token) = token {
                return self.access.find_token(token, &self.flags.database).await;
            }
            match self.access.check_client_token(None, &self.flags.database).await {
                Ok(_) => Ok(Some(Arc::clone(&WITHOUT_TOKEN))),
                Err(ApiError::TokenNeeded) => Ok(None),
                Err(error) => Err(error),
            }
        }
        .boxed_local()
    }

    fn tokens(&self) -> Reply<'_, Vec<TokenId>> {
        async { Ok(self.access.token_scopes(&self.flags.database).await?.keys().copied().collect()) }
            .boxed_local()
    }

    fn allows_origin<'s>(&'s self, origin: &'s str) -> Reply<'s, bool> {
        if self.accepts_any_token {
            return ready(Ok(is_local(origin))).boxed_local();
        }
        self.access.allows_origin(origin, &self.flags.database).boxed_local()
    }

    fn has_frontend_tokens(&self) -> bool {
        // Operators can add them at any time.
        true
    }

    fn register<'s>(&'s self, _: &'s Caller, registration: &'s Value, address: &'s str) -> Reply<'s, ()> {
        async move {
            self.flags.usage.register(
                parse_registration(registration, ClientApi::Browser)?,
                address,
                Timestamp::now(),
            );
            Ok(())
        }
        .boxed_local()
    }

    fn count<'s>(&'s self, _: &'s Caller, report: &'s Value, address: &'s str) -> Reply<'s, ()> {
        async move {
            self.flags
                .usage
                .count(&parse_report(report, ClientApi::Browser)?, address, Timestamp::now())
                .await;
            self.flags.impact_metrics.record(report, ImpactSender::Browser);
            Ok(())
        }
        .boxed_local()
    }
}
