//! Reads XML into a tree, and writes parts of it.

use sim_values::error::{Result, SqlError, SqlState};

/// The deepest nesting of elements.
const DEPTH_MAX: usize = 250;

/// A part of a document.
#[derive(Debug)]
pub(super) enum Node {
    Element(Element),
    /// A text as it is written, with its entities.
    Text(String),
}

#[derive(Debug, Default)]
pub(super) struct Element {
    pub(super) name: String,
    /// Names and values; these without their entities.
    pub(super) attributes: Vec<(String, String)>,
    pub(super) children: Vec<Node>,
}

impl Element {
    /// As it is written.
    pub(super) fn print(&self, out: &mut String) {
        out.push_str(&format!("<{}", self.name));
        for (name, value) in &self.attributes {
            out.push_str(&format!(" {name}=\"{}\"", escaped(value).replace('"', "&quot;")));
        }
        if self.children.is_empty() {
            out.push_str("/>");
            return;
        }
        out.push('>');
        for child in &self.children {
            match child {
                Node::Element(element) => element.print(out),
                Node::Text(text) => out.push_str(text),
            }
        }
        out.push_str(&format!("</{}>", self.name));
    }

    /// All texts inside of it, without entities.
    pub(super) fn text(&self) -> String {
        let parts = self.children.iter().map(|child| match child {
            Node::Element(element) => element.text(),
            Node::Text(text) => plain(text).unwrap_or_default(),
        });
        parts.collect()
    }
}

/// A text with entities for what has a meaning.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('\r', "&#x0d;")
}

/// A text without its entities. `None` if one is unknown.
fn plain(text: &str) -> Option<String> {
    let mut parts = text.split('&');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (entity, rest) = part.split_once(';')?;
        let letter = match (entity, entity.strip_prefix('#')) {
            ("amp", _) => '&',
            ("lt", _) => '<',
            ("gt", _) => '>',
            ("quot", _) => '"',
            ("apos", _) => '\'',
            (_, Some(code)) => char::from_u32(match code.strip_prefix('x') {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => code.parse().ok()?,
            })?,
            _ => return None,
        };
        out.push(letter);
        out.push_str(rest);
    }
    Some(out)
}

/// Reads a document, whose parts become the children of an element without a name.
///
/// # Errors
///
/// 2200M for another text; 54001 for one with too many levels.
pub(super) fn read(text: &str) -> Result<Element> {
    let mut reader = Reader { rest: text, open: vec![Element::default()] };
    while !reader.rest.is_empty() {
        reader.part()?;
    }
    match reader.open.pop() {
        Some(root) if reader.open.is_empty() => Ok(root),
        _ => Err(malformed()),
    }
}

/// Whether it is a document: one element, and blanks around it.
pub(super) fn is_document(root: &Element) -> bool {
    let elements = root.children.iter().filter(|child| matches!(child, Node::Element(_))).count();
    let blank = |child: &Node| match child {
        Node::Element(_) => true,
        Node::Text(text) => text.trim().is_empty(),
    };
    elements == 1 && root.children.iter().all(blank)
}

pub(super) fn malformed() -> SqlError {
    SqlError::new(SqlState::new("2200M"), "could not parse XML document")
}

struct Reader<'t> {
    rest: &'t str,
    /// The elements that are open, the innermost last.
    open: Vec<Element>,
}

impl<'t> Reader<'t> {
    fn after(&mut self, end: &str) -> Result<&'t str> {
        let (before, rest) = self.rest.split_once(end).ok_or_else(malformed)?;
        self.rest = rest;
        Ok(before)
    }

    fn add(&mut self, node: Node) {
        let Some(parent) = self.open.last_mut() else { return };
        if let (Some(Node::Text(before)), Node::Text(text)) = (parent.children.last_mut(), &node) {
            before.push_str(text);
            return;
        }
        parent.children.push(node);
    }

    fn part(&mut self) -> Result<()> {
        if let Some(rest) = self.rest.strip_prefix("<!--") {
            self.rest = rest;
            return self.after("-->").map(drop);
        }
        if let Some(rest) = self.rest.strip_prefix("<![CDATA[") {
            self.rest = rest;
            let text = escaped(self.after("]]>")?);
            self.add(Node::Text(text));
            return Ok(());
        }
        if let Some(rest) = self.rest.strip_prefix("<?") {
            self.rest = rest;
            return self.after("?>").map(drop);
        }
        if self.rest.starts_with("<!") {
            return Err(SqlError::unsupported("a declaration in an XML document"));
        }
        if let Some(rest) = self.rest.strip_prefix("</") {
            self.rest = rest;
            let name = self.after(">")?.trim_end();
            let closed = self.open.pop().filter(|element| element.name == name && !name.is_empty());
            self.add(Node::Element(closed.ok_or_else(malformed)?));
            return Ok(());
        }
        if let Some(rest) = self.rest.strip_prefix('<') {
            self.rest = rest;
            return self.element();
        }
        let end = self.rest.find('<').unwrap_or(self.rest.len());
        let (text, rest) = self.rest.split_at(end);
        self.rest = rest;
        let text = plain(text).ok_or_else(malformed)?;
        self.add(Node::Text(escaped(&text)));
        Ok(())
    }

    fn name(&mut self) -> Result<String> {
        let is_part = |letter: char| letter.is_alphanumeric() || "_:.-".contains(letter);
        let end = self.rest.find(|letter| !is_part(letter)).unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        self.rest = rest;
        let begins =
            name.starts_with(|letter: char| letter.is_alphabetic() || letter == '_' || letter == ':');
        if begins { Ok(name.to_owned()) } else { Err(malformed()) }
    }

    fn element(&mut self) -> Result<()> {
        if self.open.len() > DEPTH_MAX {
            return Err(SqlError::new(SqlState::TOO_COMPLEX, "the XML document is nested too deeply"));
        }
        let mut element = Element { name: self.name()?, ..Element::default() };
        loop {
            let blanks = self.rest.len();
            self.rest = self.rest.trim_start();
            let apart = blanks > self.rest.len();
            if let Some(rest) = self.rest.strip_prefix("/>") {
                self.rest = rest;
                self.add(Node::Element(element));
                return Ok(());
            }
            if let Some(rest) = self.rest.strip_prefix('>') {
                self.rest = rest;
                self.open.push(element);
                return Ok(());
            }
            let name = self.name()?;
            self.rest = self.rest.trim_start().strip_prefix('=').ok_or_else(malformed)?.trim_start();
            let quote =
                self.rest.chars().next().filter(|quote| "\"'".contains(*quote)).ok_or_else(malformed)?;
            self.rest = &self.rest[1..];
            let value = self.after(&quote.to_string())?;
            let twice = element.attributes.iter().any(|(known, _)| *known == name);
            if !apart || twice || value.contains('<') {
                return Err(malformed());
            }
            element.attributes.push((name, plain(value).ok_or_else(malformed)?));
        }
    }
}
