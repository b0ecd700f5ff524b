//! The most expensive requests that `POST /-/evaluate` accepts.

use std::slice::from_ref;
use std::time::Instant;

use flagdeck::evaluation::Work;
use flagdeck::evaluation::request::{EvaluateRequest, MAX_CONTEXTS, MAX_TIME, MAX_VALUE_LENGTH};
use serde_json::{Value, json};

use super::Outcome;

/// A pattern near the limit of its memory. Its automaton has many states for each character of the value.
const PATTERN: &str = "(a|b|ab|ba|aab|bba){1,40}(a?){1,40}c$";
const NOW: &str = "2026-11-02T10:00:00Z";
/// The limit of the body of the server, in bytes.
const MAX_BODY: usize = 8 << 20;

/// Prints the time of each request, including the parsing of its body.
pub(super) fn print_times() -> Outcome<()> {
    let value = "ab".repeat(MAX_VALUE_LENGTH / 2);
    let context = json!({ "userId": value });
    let contexts = vec![&context; MAX_BODY / (context.to_string().len() + 1)];
    let small = vec![json!({ "userId": "7" }); MAX_CONTEXTS];
    println!("\nOne request, with its body:");
    for (name, body) in [
        ("1 pattern, 1 context", request(1, from_ref(&context))),
        ("100 patterns, 1 context", request(100, from_ref(&context))),
        ("1 pattern, 8 MB of contexts", request(1, &contexts)),
        ("10,000 contexts", request(0, &small)),
    ] {
        let start = Instant::now();
        let request: EvaluateRequest = serde_json::from_slice(body.to_string().as_bytes())?;
        let result = request.evaluate(NOW, &mut Work::until(move || start.elapsed() > MAX_TIME));
        let note = result.err().map(|error| format!(", then refused: {error}")).unwrap_or_default();
        println!("{name:<28}{:>10.1} ms{note}", start.elapsed().as_secs_f64() * 1e3);
    }
    Ok(())
}

fn request<C: serde::Serialize>(patterns: usize, contexts: &[C]) -> Value {
    let constraint = json!({ "contextName": "userId", "operator": "REGEX", "value": PATTERN });
    let strategy = json!({ "name": "default", "constraints": [constraint] });
    let strategies =
        if patterns == 0 { vec![json!({ "name": "default" })] } else { vec![strategy; patterns] };
    let toggle = json!({ "name": "shop", "enabled": true, "strategies": strategies });
    json!({ "toggles": [toggle], "contexts": contexts, "detail": "counts" })
}
