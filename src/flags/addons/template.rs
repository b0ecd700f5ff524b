//! Mustache templates, as webhooks of this API have always had them: values, sections, inverted sections, comments.
//!
//! Not a library: those that there are either read partials from files, or know no `{{#event.data}}`. Partials and
//! other delimiters are refused here, and what a template can cost is bounded.

use std::fmt::Write as _;

use serde_json::Value;

/// Sections inside each other.
const MOST_NESTED: usize = 16;
/// Pieces of text, values and sections that one rendering may go through.
const MOST_STEPS: usize = 50_000;
/// In bytes.
const MOST_OUTPUT: usize = 256 * 1024;

/// A template that can be rendered.
#[derive(Debug)]
pub struct Template(Vec<Node>);

/// What is wrong with a template, and in which line, to go on where its name ends.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what} (line {line})")]
pub struct TemplateFault {
    what: String,
    line: usize,
}

/// What a template makes of an event is larger than anybody would send.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("what the body template makes of the event is too large")]
pub struct TooLarge;

#[derive(Debug)]
enum Node {
    Text(String),
    Value { name: String, escaped: bool },
    Section { name: String, inverted: bool, nodes: Vec<Self> },
}

#[derive(Debug)]
struct Open {
    name: String,
    inverted: bool,
    line: usize,
    /// What came before it.
    before: Vec<Node>,
}

impl Template {
    /// Reads a template.
    ///
    /// # Errors
    /// [`TemplateFault`]
    pub fn parse(source: &str) -> Result<Self, TemplateFault> {
        let mut reader = Reader { rest: source, line: 1, starts_line: true };
        let mut nodes = Vec::new();
        let mut open: Vec<Open> = Vec::new();
        while let Some((text, tag)) = reader.next()? {
            let fault = |what: String| TemplateFault { what, line: tag.line };
            nodes.push(Node::Text(text.to_owned()));
            let name = tag.name.to_owned();
            match tag.kind {
                Kind::Comment => {}
                Kind::Value { escaped } => nodes.push(Node::Value { name, escaped }),
                Kind::Open { .. } if open.len() == MOST_NESTED => {
                    return Err(fault(format!("has more than {MOST_NESTED} sections inside each other")));
                }
                Kind::Open { inverted } => {
                    open.push(Open { name, inverted, line: tag.line, before: std::mem::take(&mut nodes) });
                }
                Kind::Close => {
                    let Some(Open { inverted, before, .. }) = open.pop_if(|open| open.name == name) else {
                        return Err(fault(format!("has a {{{{/{name}}}}} that closes nothing")));
                    };
                    let inner = std::mem::replace(&mut nodes, before);
                    nodes.push(Node::Section { name, inverted, nodes: inner });
                }
            }
        }
        if let Some(Open { name, line, .. }) = open.pop() {
            return Err(TemplateFault { what: format!("does not close the section {name}"), line });
        }
        nodes.push(Node::Text(reader.rest.to_owned()));
        Ok(Self(nodes))
    }

    /// What it makes of these values.
    ///
    /// # Errors
    /// [`TooLarge`]
    pub fn render(&self, values: &Value) -> Result<String, TooLarge> {
        let mut writer = Writer { output: String::new(), steps: 0 };
        writer.nodes(&self.0, &mut vec![values])?;
        Ok(writer.output)
    }
}

enum Kind {
    Value { escaped: bool },
    Open { inverted: bool },
    Close,
    Comment,
}

struct Tag<'t> {
    kind: Kind,
    name: &'t str,
    line: usize,
}

struct Reader<'t> {
    rest: &'t str,
    line: usize,
    starts_line: bool,
}

impl<'t> Reader<'t> {
    /// The text up to the next tag, and that tag.
    fn next(&mut self) -> Result<Option<(&'t str, Tag<'t>)>, TemplateFault> {
        let Some((text, after)) = self.rest.split_once("{{") else { return Ok(None) };
        self.line += text.matches('\n').count();
        let line = self.line;
        let fault = |what: &str| TemplateFault { what: what.to_owned(), line };
        let (end, after) = match after.strip_prefix('{') {
            Some(after) => ("}}}", after),
            None => ("}}", after),
        };
        let (inside, after) =
            after.split_once(end).ok_or_else(|| fault(&format!("has a tag that does not end with {end}")))?;
        let (kind, name) = if end == "}}}" {
            (Kind::Value { escaped: false }, inside)
        } else {
            sorted(inside).map_err(fault)?
        };
        let name = name.trim();
        if !matches!(kind, Kind::Comment) && (name.is_empty() || name.contains(char::is_whitespace)) {
            return Err(fault("has a tag that holds no name"));
        }
        self.line += inside.matches('\n').count();
        let text = self.advance(text, after, matches!(kind, Kind::Value { .. }));
        Ok(Some((text, Tag { kind, name, line })))
    }

    /// Goes on behind a tag. One that is no value and has a line to itself takes the line with it.
    fn advance(&mut self, text: &'t str, after: &'t str, is_value: bool) -> &'t str {
        let (before, indent) = match text.rfind('\n') {
            Some(end) => text.split_at(end + 1),
            None => ("", text),
        };
        let begins_line = indent.trim().is_empty() && (!before.is_empty() || self.starts_line);
        let (line_end, next) = match after.find('\n') {
            Some(end) => after.split_at(end + 1),
            None => (after, ""),
        };
        let alone = !is_value && begins_line && line_end.trim().is_empty();
        self.starts_line = alone;
        self.rest = if alone { next } else { after };
        if alone {
            self.line += line_end.matches('\n').count();
        }
        if alone { before } else { text }
    }
}

/// What the first character of a tag says.
fn sorted(inside: &str) -> Result<(Kind, &str), &'static str> {
    let inside = inside.trim_start();
    let Some(first) = inside.chars().next() else { return Err("has a tag that holds no name") };
    let kind = match first {
        '&' => Kind::Value { escaped: false },
        '#' => Kind::Open { inverted: false },
        '^' => Kind::Open { inverted: true },
        '/' => Kind::Close,
        '!' => Kind::Comment,
        '>' => return Err("uses a partial, of which there are none here"),
        '=' => return Err("sets other delimiters, which does not work here"),
        _ => return Ok((Kind::Value { escaped: true }, inside)),
    };
    Ok((kind, inside.strip_prefix(first).unwrap_or_default()))
}

struct Writer {
    output: String,
    steps: usize,
}

impl Writer {
    fn nodes(&mut self, nodes: &[Node], scopes: &mut Vec<&Value>) -> Result<(), TooLarge> {
        for node in nodes {
            self.steps += 1;
            match node {
                Node::Text(text) => self.output.push_str(text),
                Node::Value { name, escaped } => self.value(found(name, scopes), *escaped),
                Node::Section { name, inverted, nodes } => {
                    self.section(found(name, scopes), *inverted, nodes, scopes)?;
                }
            }
            if self.steps > MOST_STEPS || self.output.len() > MOST_OUTPUT {
                return Err(TooLarge);
            }
        }
        Ok(())
    }

    fn value(&mut self, value: Option<&Value>, escaped: bool) {
        let text = match value {
            None | Some(Value::Null) => return,
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
        };
        if !escaped {
            return self.output.push_str(&text);
        }
        for c in text.chars() {
            match c {
                // All that the receivers of old templates are used to.
                '&' => self.output.push_str("&amp;"),
                '<' => self.output.push_str("&lt;"),
                '>' => self.output.push_str("&gt;"),
                '"' => self.output.push_str("&quot;"),
                '\'' | '/' | '`' | '=' => drop(write!(self.output, "&#{};", u32::from(c))),
                _ => self.output.push(c),
            }
        }
    }

    fn section<'v>(
        &mut self,
        value: Option<&'v Value>,
        inverted: bool,
        nodes: &[Node],
        scopes: &mut Vec<&'v Value>,
    ) -> Result<(), TooLarge> {
        let value = value.filter(|value| is_something(value));
        match (value, inverted) {
            (None, true) => self.nodes(nodes, scopes),
            (None, false) | (Some(_), true) => Ok(()),
            (Some(Value::Array(items)), false) => {
                items.iter().try_for_each(|item| self.inside(item, nodes, scopes))
            }
            (Some(value), false) => self.inside(value, nodes, scopes),
        }
    }

    fn inside<'v>(
        &mut self,
        value: &'v Value,
        nodes: &[Node],
        scopes: &mut Vec<&'v Value>,
    ) -> Result<(), TooLarge> {
        scopes.push(value);
        let written = self.nodes(nodes, scopes);
        scopes.pop();
        written
    }
}

/// The value of a dotted name: its first part in the innermost scope that knows it, the rest inside of that.
fn found<'v>(name: &str, scopes: &[&'v Value]) -> Option<&'v Value> {
    if name == "." {
        return scopes.last().copied();
    }
    let mut parts = name.split('.');
    let first = parts.next()?;
    let value = scopes.iter().rev().find_map(|scope| scope.get(first))?;
    parts.try_fold(value, |value, part| value.get(part))
}

fn is_something(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(flag) => *flag,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Template, TooLarge};

    fn render(template: &str, values: &Value) -> String {
        Template::parse(template).unwrap().render(values).unwrap()
    }

    #[test]
    fn templates_are_filled_in() {
        let values = json!({ "event": {
            "type": "feature-created", "createdBy": "O'Neil <o@x>", "none": null,
            "data": { "name": "a.b", "enabled": false, "stale": true, "strategies": [{ "name": "x" }, { "name": "y" }] },
            "tags": ["t1", "t2"], "empty": [], "zero": 0, "one": 1.5,
        } });
        for (template, expected) in [
            ("plain", "plain"),
            ("", ""),
            ("{{event.type}} by {{event.createdBy}}", "feature-created by O&#39;Neil &lt;o@x&gt;"),
            ("{{{event.createdBy}}}{{& event.createdBy }}", "O'Neil <o@x>O'Neil <o@x>"),
            ("{{{ event.data.name }}}", "a.b"),
            ("[{{event.none}}{{event.missing.deep}}{{nothing}}]", "[]"),
            ("{{event.one}} {{event.data.enabled}}", "1.5 false"),
            ("{{{event.tags}}}", r#"["t1","t2"]"#),
            ("{{#event.data}}{{name}}{{#strategies}} {{name}}{{/strategies}}{{/event.data}}", "a.b x y"),
            ("{{#event.data}}{{event.type}}{{/event.data}}", "feature-created"),
            ("{{#event.tags}}<{{.}}>{{/event.tags}}", "<t1><t2>"),
            (
                "{{#event.data.enabled}}on{{/event.data.enabled}}{{^event.data.enabled}}off{{/event.data.enabled}}",
                "off",
            ),
            (
                "{{^event.empty}}e{{/event.empty}}{{^event.zero}}z{{/event.zero}}{{^no}}n{{/no}}{{^event}}x{{/event}}",
                "ezn",
            ),
            ("a {{! a\ncomment }}b", "a b"),
            ("a\n  {{#event.data}}\n  {{name}}\n  {{/event.data}}\nb", "a\n  a.b\nb"),
            ("{{#event}}\r\nx\r\n{{/event}}", "x\r\n"),
            ("é{{event.type}}é } {", "éfeature-createdé } {"),
        ] {
            assert_eq!(render(template, &values), expected, "{template}");
        }
    }

    #[test]
    fn faults_tell_their_line() {
        let deep = "{{#a}}".repeat(17);
        for (template, said) in [
            ("a\n{{event.type", "has a tag that does not end with }} (line 2)"),
            ("{{{x}}", "has a tag that does not end with }}} (line 1)"),
            ("\n\n{{#a}}\n{{#b}}{{/b}}", "does not close the section a (line 3)"),
            ("{{#a}}\n{{/b}}", "has a {{/b}} that closes nothing (line 2)"),
            ("x\n{{/a}}", "has a {{/a}} that closes nothing (line 2)"),
            ("{{> other}}", "uses a partial, of which there are none here (line 1)"),
            ("{{=<% %>=}}", "sets other delimiters, which does not work here (line 1)"),
            ("{{ }}", "has a tag that holds no name (line 1)"),
            ("{{#}}", "has a tag that holds no name (line 1)"),
            ("{{!\n\n}}{{#if a}}", "has a tag that holds no name (line 3)"),
            (&deep, "has more than 16 sections inside each other (line 1)"),
        ] {
            assert_eq!(Template::parse(template).unwrap_err().to_string(), said, "{template}");
        }
    }

    #[test]
    fn what_a_template_can_cost_is_bounded() {
        let many: Vec<_> = (0..100).collect();
        let values = json!({ "many": many, "long": "x".repeat(100_000) });
        let silent = "{{#many}}".repeat(10) + &"{{/many}}".repeat(10);
        for template in [silent.as_str(), "{{long}}{{long}}{{long}}"] {
            assert_eq!(Template::parse(template).unwrap().render(&values), Err(TooLarge));
        }
    }
}
