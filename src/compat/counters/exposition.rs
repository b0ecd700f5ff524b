//! Reads the counters of toggles from the text format of Prometheus. Pure.

/// Name of the counter of evaluations.
const METRIC: &str = "feature_toggle_usage_total{";

/// The counters of one process of the server.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Exposition {
    /// Start of the process. It identifies the process: behind a load balancer, samples come from several ones.
    pub(super) process: String,
    pub(super) counters: Vec<Counter>,
}

/// A counter of evaluations with the same result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Counter {
    pub(super) toggle: String,
    pub(super) app: String,
    /// The result of these evaluations.
    pub(super) is_active: bool,
    pub(super) value: u64,
}

/// Parses the response of the server. Lines in another format are ignored.
pub(super) fn parse(text: &str) -> Exposition {
    let mut exposition = Exposition::default();
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix(METRIC) {
            exposition.counters.extend(parse_counter(rest));
        } else if let Some(start) = line.strip_prefix("process_start_time_seconds ") {
            start.clone_into(&mut exposition.process);
        }
    }
    exposition
}

/// Parses the labels and the value, such as `toggle="one",active="true",appName="shop"} 3`.
fn parse_counter(mut rest: &str) -> Option<Counter> {
    let (mut toggle, mut app, mut is_active) = (None, None, None);
    loop {
        let (name, value) = rest.split_once("=\"")?;
        let end = end_of_value(value)?;
        let text = unescape(value.get(..end)?);
        match name {
            "toggle" => toggle = Some(text),
            "appName" => app = Some(text),
            "active" => is_active = Some(text == "true"),
            _ => {}
        }
        rest = value.get(end + 1..)?;
        match rest.strip_prefix(',') {
            Some(next) if !next.starts_with('}') => rest = next,
            _ => break,
        }
    }
    let value = rest.trim_start_matches([',', '}']).split_whitespace().next()?.parse().ok()?;
    Some(Counter { toggle: toggle?, app: app?, is_active: is_active?, value })
}

/// Returns the position of the quotation mark that ends a value.
fn end_of_value(text: &str) -> Option<usize> {
    let mut is_escaped = false;
    text.bytes().position(|byte| {
        let is_end = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        is_end
    })
}

fn unescape(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => plain.extend(letters.next().map(|next| if next == 'n' { '\n' } else { next })),
            other => plain.push(other),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::{Counter, parse};

    #[test]
    fn reads_the_counters_of_toggles() {
        let text = r#"# HELP feature_toggle_usage_total Number of times a feature toggle has been used
process_start_time_seconds 1795396950
feature_toggle_usage_total{toggle="one",active="true",appName="shop"} 30
feature_toggle_usage_total{appName="a \"b\", c\\d\ne",new="x",toggle="two",active="false",} 1500 1795396950000
feature_toggle_usage_total{toggle="three",active="true"} 1
feature_toggle_usage_total{toggle="four",active="true",appName="shop"} NaN
feature_toggle_usage_total{toggle="five
other_total{toggle="one",active="true",appName="shop"} 7"#;
        let counter = |toggle: &str, app: &str, is_active, value| Counter {
            toggle: toggle.to_owned(),
            app: app.to_owned(),
            is_active,
            value,
        };
        let exposition = parse(text);
        assert_eq!(exposition.process, "1795396950");
        let expected = [counter("one", "shop", true, 30), counter("two", "a \"b\", c\\d\ne", false, 1500)];
        assert_eq!(exposition.counters, expected);
    }
}
