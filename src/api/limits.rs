//! Bounds of the values in requests: one constant for the validation, its message, the OpenAPI document and the console.
//! Lengths are in characters.

/// Minimum and maximum length of a name.
pub const NAME_LENGTH: (usize, usize) = (2, 100);
/// Minimum and maximum length of a tag type's name and of a tag's value.
pub const TAG_LENGTH: (usize, usize) = (2, 50);
/// Minimum and maximum length of a user name.
pub const USER_NAME_LENGTH: (usize, usize) = (1, 100);
/// Minimum and maximum length of the name of an API token.
pub const API_TOKEN_NAME_LENGTH: (usize, usize) = (1, 100);
/// Maximum length of an origin: scheme, a host of 253 characters (RFC 1035), and port.
pub const MAX_ORIGIN_LENGTH: usize = 267;
/// Maximum length of an email address (RFC 5321).
pub const MAX_EMAIL_LENGTH: usize = 254;
/// Maximum length of the full name of a user.
pub const MAX_FULL_NAME_LENGTH: usize = 100;
/// Maximum length of a toggle's project. The error for an unknown project repeats it.
pub const MAX_PROJECT_ID_LENGTH: usize = 100;
/// Maximum length of an addon's parameter. Body templates are the longest.
pub const MAX_PARAMETER_LENGTH: usize = 10_000;
/// Maximum length of a constraint's operator.
pub const MAX_OPERATOR_LENGTH: usize = 50;
/// Maximum length of a constraint's value, of a strategy's title, and of a segment's texts.
pub const MAX_SHORT_TEXT_LENGTH: usize = 1_000;
/// Maximum length of names that applications choose, and of their icons.
pub const MAX_CLIENT_NAME_LENGTH: usize = 255;
/// Maximum length of an application's URL and description. Lists repeat them for each toggle.
pub const MAX_APPLICATION_TEXT_LENGTH: usize = 2_000;

/// Weight of a variant that gets all traffic, in tenths of a percent.
pub const MAX_WEIGHT: u32 = 1000;
/// Maximum count of a toggle in one report.
pub const MAX_COUNT: u64 = 1_000_000_000_000;

/// Maximum number of validation errors in a response. Further errors are counted.
pub const MAX_LISTED_ERRORS: usize = 20;

// Numbers of items in lists. They bound the CPU time and memory that one request costs: a list is counted before its
// items are read. An import is exempt, so that every exported state can be read.

/// Maximum number of strategies of a toggle.
pub const MAX_STRATEGIES: usize = 200;
/// Maximum number of parameters of a toggle's strategy.
pub const MAX_PARAMETERS: usize = 200;
/// Maximum number of constraints of a strategy.
pub const MAX_CONSTRAINTS: usize = 200;
/// Maximum number of segments of a strategy, and of dependencies of a toggle.
pub const MAX_REFERENCES: usize = 200;
/// Maximum number of variants of a toggle or of a strategy.
pub const MAX_VARIANTS: usize = 200;
/// Maximum number of overrides of a variant.
pub const MAX_OVERRIDES: usize = 200;
/// Maximum number of values of a constraint, an override or a context field.
pub const MAX_VALUES: usize = 5_000;
/// Maximum number of parameters of a strategy definition.
pub const MAX_PARAMETER_DEFINITIONS: usize = 200;
/// Maximum number of event types of an addon.
pub const MAX_EVENT_TYPES: usize = 100;
/// Maximum number of tags of a toggle.
pub const MAX_TAGS_PER_TOGGLE: usize = 200;
/// Maximum number of tags, and of projects, in the query of a toggle list.
pub const MAX_FILTER_VALUES: usize = 100;
/// Maximum number of segments. Lists of toggles for SDKs contain those that are in use.
pub const MAX_SEGMENTS: usize = 1_000;
/// Maximum number of API tokens. All of them are in memory.
pub const MAX_API_TOKENS: usize = 1_000;
/// Maximum number of origins of an API token.
pub const MAX_TOKEN_ORIGINS: usize = 100;
/// Maximum number of projects of an API token.
pub const MAX_TOKEN_PROJECTS: usize = 100;
/// Maximum number of tags of an API token.
pub const MAX_TOKEN_TAGS: usize = 100;
/// Maximum number of toggles in a report.
pub const MAX_REPORTED_TOGGLES: usize = 10_000;

/// Writes the bounds that the console uses to `limits.ts`, or checks that the file is up to date.
#[test]
fn generated_limits_are_up_to_date() {
    let (min, max) = NAME_LENGTH;
    let password = crate::config::MIN_PASSWORD_LENGTH;
    let limits = format!(
        "// Bounds of values, generated from src/api/limits.rs. Do not edit.\n\
         // After a change there: make types\n\n\
         /** Minimum and maximum length of a name in characters. */\n\
         export const NAME_LENGTH = {{ min: {min}, max: {max} }} as const;\n\
         /** Weight of a variant that gets all traffic, in tenths of a percent. */\n\
         export const MAX_WEIGHT = {MAX_WEIGHT};\n\
         /** Minimum length of a password in characters. */\n\
         export const MIN_PASSWORD_LENGTH = {password};\n"
    );
    crate::generated_file::check_or_update("frontend/src/api/generated/limits.ts", &limits);
}
