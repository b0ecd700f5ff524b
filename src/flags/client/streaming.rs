//! Event streams of server SDKs.

use actix_web::HttpResponse;
use actix_web::web::Data;
use futures_util::FutureExt as _;

use super::model::SegmentFormat;
use super::snapshot::ClientSnapshot;
use crate::error::ApiError;
use crate::event_stream::{Check, Edition, Streams, ToggleChannel};
use crate::flags::Flags;
use crate::flags::auth::Access;
use crate::flags::auth::token::TokenHash;

/// The open streams. SDKs with and without support for segments receive different toggles.
#[derive(Debug)]
pub struct ClientStreams {
    streams: Streams,
    listed: ToggleChannel,
    inline: ToggleChannel,
}

impl ClientStreams {
    /// Creates the state without streams.
    #[must_use]
    pub fn new(streams: Streams) -> Self {
        Self { streams, listed: ToggleChannel::default(), inline: ToggleChannel::default() }
    }

    /// Sends the changes of the toggles to the open streams.
    ///
    /// # Errors
    /// [`ApiError::Storage`] or [`ApiError::Internal`] if the toggles cannot be read.
    pub async fn publish(&self, flags: &Flags) -> Result<(), ApiError> {
        for format in [SegmentFormat::Listed, SegmentFormat::Inline] {
            let channel = self.channel(format);
            if channel.is_in_use() {
                let snapshot = flags.client_snapshot(format).await?;
                channel.publish(&snapshot.into()).map_err(ApiError::internal)?;
            }
        }
        Ok(())
    }

    /// Opens a stream that begins with a snapshot.
    pub(super) fn open(
        &self,
        format: SegmentFormat,
        snapshot: ClientSnapshot,
        flags: &Data<Flags>,
        access: &Data<Access>,
        token: Option<TokenHash>,
    ) -> Result<HttpResponse, ApiError> {
        let subscription = self.channel(format).subscribe(&snapshot.into());
        let subscription = subscription.ok_or_else(|| ApiError::internal("the toggles cannot be read"))?;
        let (flags, access) = (flags.clone(), access.clone());
        let check: Check = Box::new(move || {
            let (flags, access) = (flags.clone(), access.clone());
            // While the tokens cannot be read, streams stay open.
            let is_valid = async move {
                let checked = access.check_client_token(token, &flags).await;
                !matches!(checked, Err(ApiError::TokenNeeded | ApiError::FrontendToken))
            };
            is_valid.boxed_local()
        });
        self.streams.respond(subscription, check)
    }

    fn channel(&self, format: SegmentFormat) -> &ToggleChannel {
        match format {
            SegmentFormat::Listed => &self.listed,
            SegmentFormat::Inline => &self.inline,
        }
    }
}

impl From<ClientSnapshot> for Edition {
    fn from(ClientSnapshot { body, event, number, .. }: ClientSnapshot) -> Self {
        Self { body, id: event, number }
    }
}
