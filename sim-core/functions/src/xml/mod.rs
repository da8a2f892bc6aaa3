//! XML: documents of queries, what paths find in documents, comments and lists.

mod path;
mod tree;

use rusqlite::types::{Value, ValueRef};
use serde_json::Value as Element;
use sim_values::budget::Budget;

use super::text::{own, truth};
use super::{Arguments, Function, Kind};
use sim_values::error::{Result, SqlError, SqlState};
use sim_values::types::Type;
use sim_values::value::{self, array};

const X: Type = Type::XML;
const T: Type = Type::TEXT;
const B: Type = Type::BOOL;

pub(super) static FUNCTIONS: &[Function] = &[
    Function::template("query_to_xml", &[T, B, B, T], X, "pg_call_xml({0}, {1}, {2}, {3}, 'table')")
        .volatile(),
    Function::template(
        "table_to_xml",
        &[Type::REGCLASS, B, B, T],
        X,
        "pg_call_table_xml({0}, {1}, {2}, {3})",
    )
    .volatile(),
    Function::rust("xpath", &[T, X], Type(143), |a| {
        let found = found(a)?.into_iter().map(Element::String);
        Ok(array::of(found.collect()))
    }),
    Function::rust("xpath_exists", &[T, X], B, |a| truth(!found(a)?.is_empty())),
    Function::rust("xmlcomment", &[T], X, |a| {
        if a.text(0).contains("--") || a.text(0).ends_with('-') {
            return Err(SqlError::new(SqlState::new("2200S"), "invalid XML comment"));
        }
        own(format!("<!--{}-->", a.text(0)))
    }),
    Function::rust("xml_is_well_formed", &[T], B, |a| well_formed(a, false)),
    Function::rust("xml_is_well_formed_content", &[T], B, |a| well_formed(a, false)),
    Function::rust("xml_is_well_formed_document", &[T], B, |a| well_formed(a, true)),
    Function::rust("xmlconcat", &[X], X, |a| {
        let parts: Vec<&str> = (0..a.len()).filter(|at| !a.is_null(*at)).map(|at| a.text(at)).collect();
        if parts.is_empty() { Ok(Value::Null) } else { own(parts.concat()) }
    })
    .nullable()
    .variadic(),
    Function {
        kind: Kind::Set { columns: &[("word", T), ("ndoc", Type::INT4), ("nentry", Type::INT4)] },
        ..Function::template("ts_stat", &[T], Type::RECORD, "pg_call_words({0}, NULL)").volatile()
    },
    Function {
        kind: Kind::Set { columns: &[("word", T), ("ndoc", Type::INT4), ("nentry", Type::INT4)] },
        ..Function::template("ts_stat", &[T, T], Type::RECORD, "pg_call_words({0}, {1})").volatile()
    },
];

fn found(a: &Arguments<'_, '_>) -> Result<Vec<String>> {
    a.budget().work(a.text(1).len())?;
    let root = tree::read(a.text(1))?;
    if !tree::is_document(&root) {
        return Err(tree::malformed());
    }
    path::find(a.text(0), &root, a.budget())
}

fn well_formed(a: &Arguments<'_, '_>, document: bool) -> Result<Value> {
    a.budget().work(a.text(0).len())?;
    truth(tree::read(a.text(0)).is_ok_and(|root| !document || tree::is_document(&root)))
}

/// A name as one of XML: other letters stand by their numbers.
fn name(text: &str) -> String {
    let mut out = String::new();
    for (at, letter) in text.char_indices() {
        let plain = letter.is_alphabetic() || letter == '_' && !text[at..].starts_with("_x");
        let later = letter.is_numeric() || "-.".contains(letter);
        let of_xml = at == 0 && text.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("xml"));
        if (plain || at > 0 && later) && !of_xml {
            out.push(letter);
        } else {
            out.push_str(&format!("_x{:04X}_", u32::from(letter)));
        }
    }
    out
}

/// A value as XML has it.
fn content(type_: Type, value: ValueRef<'_>) -> String {
    if let (Some(element), ValueRef::Text(text)) = (type_.element(), value) {
        let items = array::elements(std::str::from_utf8(text).unwrap_or_default()).into_iter();
        let items = items.map(|item| match array::value(element, &item) {
            Value::Null => String::new(),
            value => format!("<element>{}</element>", content(element, ValueRef::from(&value))),
        });
        return items.collect();
    }
    let text = value::print(type_, value);
    match (type_, value) {
        (Type::BOOL, _) => if text == "t" { "true" } else { "false" }.to_owned(),
        (Type::XML, _) => text,
        (Type::BYTEA, ValueRef::Blob(bytes)) => {
            use base64::Engine as _;
            base64::engine::general_purpose::STANDARD.encode(bytes)
        }
        (Type::TIMESTAMP, _) => text.replacen(' ', "T", 1),
        (Type::TIMESTAMPTZ, _) => {
            let short = text.len() > 3 && text.as_bytes()[text.len() - 3] == b'+';
            let text = text.replacen(' ', "T", 1);
            if short { format!("{text}:00") } else { text }
        }
        _ => tree::escaped(&text),
    }
}

/// Refuses a text that is no content of an XML document. Declarations are not read.
pub fn check(text: &str) -> Result<()> {
    match tree::read(text) {
        Err(error) if error.code == SqlState::new("2200M") => {
            Err(SqlError::new(SqlState::new("2200N"), "invalid XML content"))
        }
        Err(error) if error.code != SqlState::FEATURE_NOT_SUPPORTED => Err(error),
        _ => Ok(()),
    }
}

/// How the rows of a query become a document.
pub struct Shape<'a> {
    /// Whether a null is an element, instead of none.
    pub nulls: bool,
    /// Whether each row is an element of its own, without one around all.
    pub forest: bool,
    /// The namespace of the elements.
    pub namespace: &'a str,
    /// The name of the element around all rows.
    pub around: &'a str,
}

/// The document of rows.
pub fn document(
    columns: &[(String, Type)],
    rows: &[Vec<Value>],
    shape: &Shape<'_>,
    budget: &Budget,
) -> Result<String> {
    let space = match shape.namespace {
        "" => String::new(),
        given => format!(" xmlns=\"{}\"", tree::escaped(given)),
    };
    let space = format!(" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"{space}");
    let around = name(shape.around);
    let row_name = if shape.forest && shape.around != "table" { around.clone() } else { "row".to_owned() };
    let of_row = if shape.forest { &*space } else { "" };
    let mut out = String::new();
    if !shape.forest {
        out.push_str(&format!("<{around}{space}>\n\n"));
    }
    for row in rows {
        out.push_str(&format!("<{row_name}{of_row}>\n"));
        for ((column, type_), value) in columns.iter().zip(row) {
            let column = name(column);
            match value {
                Value::Null if shape.nulls => out.push_str(&format!("  <{column} xsi:nil=\"true\"/>\n")),
                Value::Null => {}
                value => {
                    let content = content(*type_, ValueRef::from(value));
                    budget.work(content.len() / 8 + 4)?;
                    out.push_str(&format!("  <{column}>{content}</{column}>\n"));
                }
            }
        }
        out.push_str(&format!("</{row_name}>\n\n"));
    }
    if !shape.forest {
        out.push_str(&format!("</{around}>\n"));
    }
    Ok(out)
}
