//! `flagdeck why NAME FIELD=VALUE…`: evaluates a toggle and prints the result with its reasons.

pub(super) mod environments;
mod source;
mod text;

use std::io::{self, Write as _};
use std::process::ExitCode;

use jiff::Unit;
use serde::Serialize;

use self::source::Source;
use super::CommandError;
use super::recorder::describe_time;
use crate::cli::WhyArguments;
use crate::config::{Config, Settings};
use crate::evaluation::reason::{EvaluationResult, Explanation};
use crate::evaluation::request::ContextResult;
use crate::evaluation::{Context, Definitions, Toggles, VARIANT_SEED};
use crate::recorder::reader::PastTime;
use crate::terminal::{self, Escaped};

/// Exit code for results that only the application or chance decides, for unknown toggles and for errors.
pub(crate) const UNKNOWN: u8 = 2;

/// The output with `--json`.
#[derive(Serialize)]
struct Report<'a> {
    name: &'a str,
    #[serde(flatten)]
    result: &'a ContextResult,
    /// With `--at`: the recorded state.
    #[serde(skip_serializing_if = "Option::is_none")]
    recording: Option<&'a PastTime>,
    /// Sentences about the holds of the toggle.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    holds: &'a [String],
}

pub(super) async fn run(
    arguments: &WhyArguments,
    config: &Config,
    flags: &Settings,
) -> Result<ExitCode, CommandError> {
    let Source { definitions, time, recording, holds } = source::read(arguments, config, flags).await?;
    let now = time.round(Unit::Second).map_err(|cause| CommandError::Failed(cause.into()))?;
    let mut context = Context::from_pairs(arguments.context.iter().cloned());
    context.set_default_time(&now.to_string());
    let name = arguments.name.as_str();
    let Some((result, explanation)) = evaluate(&definitions, name, &context) else {
        return Err(CommandError::UnknownToggle(name.to_owned()));
    };
    let printed = if arguments.json {
        let result = ContextResult { reasons: Some(explanation), ..result.clone() };
        let output = serde_json::to_string_pretty(&Report {
            name,
            result: &result,
            recording: recording.as_ref(),
            holds: &holds,
        })
        .map_err(|cause| CommandError::Failed(cause.into()))?;
        writeln!(io::stdout(), "{output}")
    } else {
        // The last toggle of a name counts.
        let toggle = definitions.features.iter().rfind(|toggle| toggle.name == name);
        let mut text = text::describe(name, toggle, &definitions.segments, &result, &explanation, &holds);
        if let Some(recording) = &recording {
            text.push('\n');
            text.push_str(&Escaped::line(&describe_time(recording)).to_string());
            if result.result == EvaluationResult::Random {
                text.push_str("\nChance decided at that time, so that its result cannot be reproduced.");
            }
        }
        terminal::print(&text)
    };
    printed.map_err(CommandError::Output)?;
    Ok(match result.result {
        EvaluationResult::On => ExitCode::SUCCESS,
        EvaluationResult::Off => ExitCode::from(1),
        EvaluationResult::Application | EvaluationResult::Random => ExitCode::from(UNKNOWN),
    })
}

fn evaluate(
    definitions: &Definitions,
    name: &str,
    context: &Context,
) -> Option<(ContextResult, Explanation)> {
    let toggles = Toggles::compile(definitions, VARIANT_SEED);
    let toggle = toggles.find(name)?;
    let evaluation = toggles.evaluate(toggle, context);
    let result = ContextResult {
        result: evaluation.outcome.into(),
        probability: evaluation.outcome.probability(),
        variant: evaluation.variant.certain().map(|variant| variant.name().to_owned()),
        reasons: None,
    };
    Some((result, toggles.explain(toggle, context)))
}
