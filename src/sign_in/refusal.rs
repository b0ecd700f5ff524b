//! The reasons for which a sign-in is refused: code, status, message for the user with the remedy, and reason for the log.

use std::fmt;

use super::identity::Identity;
use crate::error::{ApiError, refusals};

/// Maximum length of a value from outside in a reason, in characters.
const MAX_QUOTED: usize = 200;

/// A refused sign-in, with the reason for the log. The reason contains no tokens, codes or secrets.
#[derive(Debug, Clone)]
pub struct Refused {
    /// The kind of refusal.
    pub refusal: Refusal,
    /// The reason, for the operator.
    pub reason: String,
    /// The user, if the provider has identified one. The journal names it.
    pub identity: Option<Box<Identity>>,
}

refusals! {
    /// The kinds of refusals.
    pub enum Refusal;
    // The request of the browser.
    HostUnexpected "oidc_host" MISDIRECTED_REQUEST "Signing in works at the address in public-url only. Open the console there; behind a proxy, ask your administrator to add it to trusted-proxy";
    TooManyAttempts "oidc_attempts" TOO_MANY_REQUESTS "Too many sign-ins from your network have failed. Try again in a minute";
    ResponseInvalid "oidc_response" BAD_REQUEST "The provider's response to the sign-in is not valid. Sign in again";
    StateMissing "oidc_state_missing" BAD_REQUEST "The response of the provider contains no state. Start the sign-in in the console";
    StateUnknown "oidc_state" BAD_REQUEST "This sign-in was not started in this browser, was already used, or the browser has removed its cookie. Sign in again, and allow cookies for this site";
    StateExpired "oidc_state_expired" BAD_REQUEST "The sign-in took longer than 10 minutes. Sign in again";
    ResponseIssuer "oidc_response_issuer" FORBIDDEN "The response comes from another provider than the one that was asked. Sign in again; if this happens again, tell your administrator";
    Denied "oidc_denied" FORBIDDEN "The provider did not allow the sign-in. Ask your administrator to assign you to this application at the provider";
    ProviderError "oidc_provider_error" BAD_GATEWAY "The provider reported an error. Try again; if this happens again, ask your administrator, who finds the reason in the log of Flagdeck";
    // Requests to the provider.
    Unreachable "oidc_unreachable" BAD_GATEWAY "The sign-in provider does not respond. Try again in a minute; users with a password can sign in with it";
    ProviderStatus "oidc_status" BAD_GATEWAY "The sign-in provider responded with an error. Try again in a minute; if this happens again, ask your administrator to run flagdeck check";
    ProviderRedirects "oidc_redirect" BAD_GATEWAY "The sign-in provider redirects to another address. Ask your administrator to correct oidc-issuer";
    ProviderTooLarge "oidc_too_large" BAD_GATEWAY "A response of the sign-in provider is larger than 1 MiB. Ask your administrator to check oidc-issuer";
    ProviderNotJson "oidc_not_json" BAD_GATEWAY "The sign-in provider did not respond with JSON. Ask your administrator to check oidc-issuer";
    DuplicateNames "oidc_duplicate_names" BAD_GATEWAY "The sign-in provider sent JSON that contains a name twice. Ask your administrator to report this to the provider";
    DiscoveryIncomplete "oidc_discovery" BAD_GATEWAY "The provider's configuration is incomplete. Ask your administrator to check oidc-issuer";
    DiscoveryIssuer "oidc_discovery_issuer" BAD_GATEWAY "The provider spells its issuer differently than the setting oidc-issuer. Ask your administrator to run flagdeck check, which prints the spelling";
    Insecure "oidc_insecure" BAD_GATEWAY "An address of the provider is not https. Ask your administrator to configure https at the provider";
    CodeRefused "oidc_code" BAD_REQUEST "The provider does not accept the code of this sign-in, because it was already used or is too old. Sign in again";
    ClientRefused "oidc_client" BAD_GATEWAY "The provider does not accept Flagdeck's credentials. Ask your administrator to check oidc-client-id and oidc-client-secret";
    TokenMissing "oidc_token_missing" BAD_GATEWAY "The provider sent no ID token. Ask your administrator to check that the scope openid is allowed for this client";
    // The signature of the token.
    TokenTooLarge "oidc_token_too_large" FORBIDDEN "The ID token is too large. Ask your administrator to send fewer groups, for example app roles";
    TokenMalformed "oidc_token_malformed" FORBIDDEN "The ID token cannot be read. Ask your administrator to check the provider";
    TokenEncrypted "oidc_token_encrypted" FORBIDDEN "The ID token is encrypted, which is not supported. Ask your administrator to turn off encryption of ID tokens for this client";
    Critical "oidc_crit" FORBIDDEN "The ID token requires an extension that is not supported. Ask your administrator to remove it at the provider";
    Unsigned "oidc_unsigned" FORBIDDEN "The ID token is not signed. Ask your administrator to select a signature such as RS256 or ES256 for this client";
    Symmetric "oidc_symmetric" FORBIDDEN "The ID token is signed with a shared secret (HS256). Ask your administrator to select RS256 or ES256 for this client";
    AlgorithmUnsupported "oidc_algorithm" FORBIDDEN "The algorithm of the ID token is not supported. Ask your administrator to select RS256 or ES256 for this client";
    AlgorithmNotAnnounced "oidc_algorithm_not_announced" FORBIDDEN "The ID token has a signature that the provider does not announce. Ask your administrator to check the provider";
    TooManyKeys "oidc_too_many_keys" BAD_GATEWAY "The provider publishes more than 100 keys. Ask your administrator to remove old keys";
    DuplicateKeys "oidc_duplicate_keys" BAD_GATEWAY "The provider publishes two keys with the same ID. Ask your administrator to remove one of them";
    KeyUnknown "oidc_key" FORBIDDEN "The ID token is signed with a key that the provider does not publish. Try again in a minute; if this happens again, tell your administrator";
    KeyAmbiguous "oidc_key_ambiguous" FORBIDDEN "The ID token does not name its key, and the provider publishes several. Ask your administrator to check the provider";
    KeyMismatch "oidc_key_mismatch" FORBIDDEN "The key of the ID token is for another algorithm. Ask your administrator to check the provider";
    KeyTooSmall "oidc_key_too_small" FORBIDDEN "The provider signs with an RSA key of less than 2048 bits. Ask your administrator to create a larger key";
    Signature "oidc_signature" FORBIDDEN "The signature of the ID token is wrong. Sign in again; if this happens again, tell your administrator";
    // The claims of the token.
    Issuer "oidc_issuer" FORBIDDEN "The ID token comes from another provider. Ask your administrator to check oidc-issuer";
    Audience "oidc_audience" FORBIDDEN "The ID token is for another application. Ask your administrator to check oidc-client-id";
    AuthorizedParty "oidc_azp" FORBIDDEN "The ID token was issued for another application. Ask your administrator to check oidc-client-id";
    TimeInvalid "oidc_time" FORBIDDEN "The ID token does not say when it was issued (iat) or when it expires (exp). Ask your administrator to check the provider";
    Expired "oidc_expired" FORBIDDEN "The ID token has expired. Sign in again; if this happens again, ask your administrator to check the clocks of the server and of the provider";
    FromFuture "oidc_future" FORBIDDEN "The ID token is from the future. Ask your administrator to check the clocks of the server and of the provider";
    Nonce "oidc_nonce" FORBIDDEN "The ID token belongs to another sign-in. Sign in again";
    Subject "oidc_subject" FORBIDDEN "The ID token does not identify a user. Ask your administrator to check the provider";
    AccessTokenHash "oidc_at_hash" FORBIDDEN "The provider's access token does not belong to the ID token. Sign in again; if this happens again, tell your administrator";
    UserInfoSubject "oidc_userinfo_subject" FORBIDDEN "The provider sent the data of another user. Sign in again; if this happens again, tell your administrator";
    TooManyGroups "oidc_too_many_groups" FORBIDDEN "You are in too many groups for an ID token. Ask your administrator to send app roles instead (oidc-groups-claim = \"roles\")";
    GroupsInvalid "oidc_groups" FORBIDDEN "The claim with your groups is not a list of texts. Ask your administrator to check oidc-groups-claim";
    EmailUnverified "oidc_email" FORBIDDEN "Working here needs an email address that the provider has verified. Ask your administrator to verify yours there, and to send the claim email";
    AccountDisabled "oidc_account_disabled" FORBIDDEN "An administrator has disabled your account. Ask your administrator to enable it";
    NotAllowed "oidc_not_allowed" FORBIDDEN "You are in none of the groups that may sign in here. Ask your administrator to add you to a group of oidc-allow";
}

impl Refusal {
    /// Refuses with this reason.
    pub(crate) fn because(self, reason: impl Into<String>) -> Refused {
        Refused { refusal: self, reason: reason.into(), identity: None }
    }

    /// Returns the stable code for programs.
    #[must_use]
    pub fn code(self) -> &'static str {
        self.properties().0
    }

    /// Returns the message for the user.
    #[must_use]
    pub fn message(self) -> &'static str {
        self.properties().2
    }

    /// Returns true if the refusal says that the user has no access any more, and not that something failed.
    #[must_use]
    pub fn ends_session(self) -> bool {
        matches!(
            self,
            Self::NotAllowed
                | Self::AccountDisabled
                | Self::EmailUnverified
                | Self::Denied
                | Self::TooManyGroups
                | Self::GroupsInvalid
                | Self::Subject
        )
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.refusal.code(), self.reason)
    }
}

impl From<Refused> for ApiError {
    fn from(Refused { refusal, .. }: Refused) -> Self {
        refusal.into()
    }
}

/// Returns a value from outside for a reason: quoted, without control characters, and not long.
pub(super) fn quote(value: &str) -> String {
    let mut text: String = value.chars().take(MAX_QUOTED).collect();
    if text.len() < value.len() {
        text.push('…');
    }
    format!("{text:?}")
}

#[cfg(test)]
mod tests {
    use super::{Refusal, quote};

    #[test]
    fn each_refusal_has_its_own_code_and_a_remedy() {
        let mut codes: Vec<_> = Refusal::ALL.iter().map(|refusal| refusal.code()).collect();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), Refusal::ALL.len());
        for refusal in Refusal::ALL {
            let message = refusal.message();
            let remedies = ["Sign in again", "ry again", "sk your administrator", "Start the", "Open the"];
            assert!(remedies.iter().any(|remedy| message.contains(remedy)), "{message}");
        }
    }

    #[test]
    fn quotes_values_without_control_characters() {
        assert_eq!(quote("a\nb"), "\"a\\nb\"");
        assert_eq!(quote(&"é".repeat(300)).chars().count(), 203);
    }
}
