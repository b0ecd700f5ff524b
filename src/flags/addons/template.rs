//! Mustache templates of webhooks: values, sections, inverted sections and comments.
//!
//! The available libraries read partials from files or do not support `{{#event.data}}`. Partials and custom
//! delimiters are rejected here, and the cost of rendering is limited.

use std::fmt::Write as _;

use serde_json::Value;

/// Maximum depth of nested sections.
const MAX_DEPTH: usize = 16;
/// Maximum number of texts, values and sections in one rendering.
const MAX_STEPS: usize = 50_000;
/// Maximum size of the output in bytes.
const MAX_OUTPUT_BYTES: usize = 256 * 1024;

/// A parsed template.
#[derive(Debug)]
pub struct Template(Vec<Node>);

/// Error in a template, with its line. The message continues a sentence that starts with the template's name.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message} (line {line})")]
pub struct TemplateError {
    message: String,
    line: usize,
}

/// The output of a template exceeds its limits.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("the rendered body template is too large")]
pub struct OutputTooLarge;

#[derive(Debug)]
enum Node {
    Text(String),
    Value { name: String, is_escaped: bool },
    Section { name: String, is_inverted: bool, nodes: Vec<Self> },
}

#[derive(Debug)]
struct OpenSection {
    name: String,
    is_inverted: bool,
    line: usize,
    /// Nodes before the section.
    before: Vec<Node>,
}

impl Template {
    /// Parses a template.
    pub(crate) fn parse(source: &str) -> Result<Self, TemplateError> {
        let mut reader = Reader { rest: source, line: 1, starts_line: true };
        let mut nodes = Vec::new();
        let mut open: Vec<OpenSection> = Vec::new();
        while let Some((text, tag)) = reader.next()? {
            let error = |message: String| TemplateError { message, line: tag.line };
            nodes.push(Node::Text(text.to_owned()));
            let name = tag.name.to_owned();
            match tag.kind {
                Kind::Comment => {}
                Kind::Value { is_escaped } => nodes.push(Node::Value { name, is_escaped }),
                Kind::Open { .. } if open.len() == MAX_DEPTH => {
                    return Err(error(format!("has more than {MAX_DEPTH} nested sections")));
                }
                Kind::Open { is_inverted } => {
                    open.push(OpenSection {
                        name,
                        is_inverted,
                        line: tag.line,
                        before: std::mem::take(&mut nodes),
                    });
                }
                Kind::Close => {
                    let Some(OpenSection { is_inverted, before, .. }) = open.pop_if(|open| open.name == name)
                    else {
                        return Err(error(format!("has a {{{{/{name}}}}} without an open section")));
                    };
                    let inner = std::mem::replace(&mut nodes, before);
                    nodes.push(Node::Section { name, is_inverted, nodes: inner });
                }
            }
        }
        if let Some(OpenSection { name, line, .. }) = open.pop() {
            return Err(TemplateError { message: format!("does not close the section {name}"), line });
        }
        nodes.push(Node::Text(reader.rest.to_owned()));
        Ok(Self(nodes))
    }

    /// Renders the template with these values.
    pub(crate) fn render(&self, values: &Value) -> Result<String, OutputTooLarge> {
        let mut renderer = Renderer { output: String::new(), steps: 0 };
        renderer.render_nodes(&self.0, &mut vec![values])?;
        Ok(renderer.output)
    }
}

enum Kind {
    Value { is_escaped: bool },
    Open { is_inverted: bool },
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
    /// Returns the text up to the next tag, and the tag.
    fn next(&mut self) -> Result<Option<(&'t str, Tag<'t>)>, TemplateError> {
        let Some((text, after)) = self.rest.split_once("{{") else { return Ok(None) };
        self.line += text.matches('\n').count();
        let line = self.line;
        let error = |message: &str| TemplateError { message: message.to_owned(), line };
        let (end, after) = match after.strip_prefix('{') {
            Some(after) => ("}}}", after),
            None => ("}}", after),
        };
        let (inside, after) =
            after.split_once(end).ok_or_else(|| error(&format!("has a tag that does not end with {end}")))?;
        let (kind, name) = if end == "}}}" {
            (Kind::Value { is_escaped: false }, inside)
        } else {
            classify(inside).map_err(error)?
        };
        let name = name.trim();
        if !matches!(kind, Kind::Comment) && (name.is_empty() || name.contains(char::is_whitespace)) {
            return Err(error("has a tag without a name"));
        }
        self.line += inside.matches('\n').count();
        let text = self.advance(text, after, matches!(kind, Kind::Value { .. }));
        Ok(Some((text, Tag { kind, name, line })))
    }

    /// Moves behind a tag. A standalone tag (no value, alone on its line) removes its line, as Mustache specifies.
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
        let is_standalone = !is_value && begins_line && line_end.trim().is_empty();
        self.starts_line = is_standalone;
        self.rest = if is_standalone { next } else { after };
        if is_standalone {
            self.line += line_end.matches('\n').count();
        }
        if is_standalone { before } else { text }
    }
}

/// Returns the kind of a tag by its first character, and the rest of the tag.
fn classify(inside: &str) -> Result<(Kind, &str), &'static str> {
    let inside = inside.trim_start();
    let Some(first) = inside.chars().next() else { return Err("has a tag without a name") };
    let kind = match first {
        '&' => Kind::Value { is_escaped: false },
        '#' => Kind::Open { is_inverted: false },
        '^' => Kind::Open { is_inverted: true },
        '/' => Kind::Close,
        '!' => Kind::Comment,
        '>' => return Err("uses a partial, which is not supported"),
        '=' => return Err("sets custom delimiters, which is not supported"),
        _ => return Ok((Kind::Value { is_escaped: true }, inside)),
    };
    Ok((kind, inside.strip_prefix(first).unwrap_or_default()))
}

struct Renderer {
    output: String,
    steps: usize,
}

impl Renderer {
    fn render_nodes(&mut self, nodes: &[Node], scopes: &mut Vec<&Value>) -> Result<(), OutputTooLarge> {
        for node in nodes {
            self.steps += 1;
            match node {
                Node::Text(text) => self.output.push_str(text),
                Node::Value { name, is_escaped } => self.render_value(resolve(name, scopes), *is_escaped),
                Node::Section { name, is_inverted, nodes } => {
                    self.render_section(resolve(name, scopes), *is_inverted, nodes, scopes)?;
                }
            }
            if self.steps > MAX_STEPS || self.output.len() > MAX_OUTPUT_BYTES {
                return Err(OutputTooLarge);
            }
        }
        Ok(())
    }

    fn render_value(&mut self, value: Option<&Value>, is_escaped: bool) {
        let text = match value {
            None | Some(Value::Null) => return,
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
        };
        if !is_escaped {
            return self.output.push_str(&text);
        }
        for c in text.chars() {
            match c {
                // The escapes of Mustache.js, which Unleash uses.
                '&' => self.output.push_str("&amp;"),
                '<' => self.output.push_str("&lt;"),
                '>' => self.output.push_str("&gt;"),
                '"' => self.output.push_str("&quot;"),
                '\'' | '/' | '`' | '=' => drop(write!(self.output, "&#{};", u32::from(c))),
                _ => self.output.push(c),
            }
        }
    }

    fn render_section<'v>(
        &mut self,
        value: Option<&'v Value>,
        is_inverted: bool,
        nodes: &[Node],
        scopes: &mut Vec<&'v Value>,
    ) -> Result<(), OutputTooLarge> {
        let value = value.filter(|value| is_truthy(value));
        match (value, is_inverted) {
            (None, true) => self.render_nodes(nodes, scopes),
            (None, false) | (Some(_), true) => Ok(()),
            (Some(Value::Array(items)), false) => {
                items.iter().try_for_each(|item| self.render_in_scope(item, nodes, scopes))
            }
            (Some(value), false) => self.render_in_scope(value, nodes, scopes),
        }
    }

    fn render_in_scope<'v>(
        &mut self,
        value: &'v Value,
        nodes: &[Node],
        scopes: &mut Vec<&'v Value>,
    ) -> Result<(), OutputTooLarge> {
        scopes.push(value);
        let written = self.render_nodes(nodes, scopes);
        scopes.pop();
        written
    }
}

/// Resolves a dotted name: its first part in the innermost scope that contains it, the others inside that value.
fn resolve<'v>(name: &str, scopes: &[&'v Value]) -> Option<&'v Value> {
    if name == "." {
        return scopes.last().copied();
    }
    let mut parts = name.split('.');
    let first = parts.next()?;
    let value = scopes.iter().rev().find_map(|scope| scope.get(first))?;
    parts.try_fold(value, |value, part| value.get(part))
}

fn is_truthy(value: &Value) -> bool {
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

    use super::{OutputTooLarge, Template};

    fn render(template: &str, values: &Value) -> String {
        Template::parse(template).unwrap().render(values).unwrap()
    }

    #[test]
    fn renders_values_and_sections() {
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
    fn errors_contain_the_line() {
        let deep = "{{#a}}".repeat(17);
        for (template, message) in [
            ("a\n{{event.type", "has a tag that does not end with }} (line 2)"),
            ("{{{x}}", "has a tag that does not end with }}} (line 1)"),
            ("\n\n{{#a}}\n{{#b}}{{/b}}", "does not close the section a (line 3)"),
            ("{{#a}}\n{{/b}}", "has a {{/b}} without an open section (line 2)"),
            ("x\n{{/a}}", "has a {{/a}} without an open section (line 2)"),
            ("{{> other}}", "uses a partial, which is not supported (line 1)"),
            ("{{=<% %>=}}", "sets custom delimiters, which is not supported (line 1)"),
            ("{{ }}", "has a tag without a name (line 1)"),
            ("{{#}}", "has a tag without a name (line 1)"),
            ("{{!\n\n}}{{#if a}}", "has a tag without a name (line 3)"),
            (&deep, "has more than 16 nested sections (line 1)"),
        ] {
            assert_eq!(Template::parse(template).unwrap_err().to_string(), message, "{template}");
        }
    }

    #[test]
    fn rendering_costs_are_limited() {
        let many: Vec<_> = (0..100).collect();
        let values = json!({ "many": many, "long": "x".repeat(100_000) });
        let empty_output = "{{#many}}".repeat(10) + &"{{/many}}".repeat(10);
        for template in [empty_output.as_str(), "{{long}}{{long}}{{long}}"] {
            assert_eq!(Template::parse(template).unwrap().render(&values), Err(OutputTooLarge));
        }
    }
}
