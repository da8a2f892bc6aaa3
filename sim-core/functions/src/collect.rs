//! Aggregates that collect values: texts, arrays, JSON.

use std::collections::VecDeque;

use rusqlite::types::Value;
use serde_json::Value as Element;

use super::LENGTH_MAX;
use super::text::own;
use super::{Accumulator, Arguments, Function};
use sim_values::error::{Result, SqlError, SqlState};
use sim_values::types::Type;
use sim_values::value::array;
use sim_values::value::json::ELEMENT;
use sim_values::value::json::{Json, quote};

/// The aggregate that implements `string_agg(DISTINCT …)`.
pub const DISTINCT_TEXTS: &str = "string_agg distinct";

/// The aggregate that implements a call with `DISTINCT`, with a key and the arguments packed into one argument.
pub fn distinct(plain: &Function) -> &'static Function {
    let all = super::overloads(&format!("{} distinct", plain.name));
    let of_arrays = plain.arguments == [Type::ANYARRAY];
    let found = if of_arrays { all.last() } else { all.first() };
    found.expect("the table of functions has it")
}

/// `json_agg` of rows and arrays.
pub const ROWS: &str = "Json_agg_rows";

pub(super) static FUNCTIONS: &[Function] = &[
    Function::aggregate("string_agg", &[Type::TEXT, Type::TEXT], Type::TEXT, || Box::new(Texts::default()))
        .nullable(),
    Function::aggregate(
        "string_agg",
        &[Type::BYTEA, Type::BYTEA],
        Type::BYTEA,
        || Box::new(Bytes::default()),
    )
    .nullable(),
    Function::aggregate("xmlagg", &[Type::XML], Type::XML, || Box::new(Texts::default())).nullable(),
    Function::aggregate(DISTINCT_TEXTS, &[Type::TEXT], Type::TEXT, || Box::new(PackedTexts::default())),
    Function::aggregate("json_object_agg distinct", &[Type::TEXT], Type::JSON, || {
        Box::new(List::of(packed_member, object_of))
    }),
    Function::aggregate("jsonb_object_agg distinct", &[Type::TEXT], Type::JSONB, || {
        Box::new(List::of(packed_member, binary_object_of))
    }),
    Function::aggregate("array_agg distinct", &[Type::TEXT], Type::ANYARRAY, || {
        Box::new(List::of(packed_element, array_of))
    }),
    Function::aggregate("array_agg distinct", &[Type::RECORD], Type::ANYARRAY, || {
        Box::new(List::of(packed_array, array_of_arrays))
    }),
    Function::aggregate("json_agg distinct", &[Type::TEXT], Type::JSON, || {
        Box::new(List::of(packed_json, json_of))
    }),
    Function::aggregate("Json_agg_rows distinct", &[Type::TEXT], Type::JSON, || {
        Box::new(List::of(packed_json, lines_of))
    }),
    Function::aggregate("jsonb_agg distinct", &[Type::TEXT], Type::JSONB, || {
        Box::new(List::of(packed_json, json_of))
    }),
    Function::aggregate("array_agg", &[Type::ANYNONARRAY], Type::ANYARRAY, || {
        Box::new(List::of(array_element, array_of))
    })
    .nullable(),
    Function::aggregate("array_agg", &[Type::ANYARRAY], Type::ANYARRAY, || {
        Box::new(List::of(nested_array, array_of_arrays))
    })
    .nullable(),
    Function::aggregate("json_agg", &[Type::AS_JSON], Type::JSON, || Box::new(List::of(json_text, json_of)))
        .nullable(),
    Function::aggregate(ROWS, &[Type::AS_JSON], Type::JSON, || Box::new(List::of(json_text, lines_of)))
        .nullable(),
    Function::aggregate("jsonb_agg", &[Type::AS_JSONB], Type::JSONB, || {
        Box::new(List::of(json_text, json_of))
    })
    .nullable(),
    Function::aggregate("json_object_agg", &[Type::AS_TEXT, Type::AS_JSON], Type::JSON, || {
        Box::new(List::of(json_member, object_of))
    })
    .nullable(),
    Function::aggregate("jsonb_object_agg", &[Type::AS_TEXT, Type::AS_JSONB], Type::JSONB, || {
        Box::new(List::of(json_member, binary_object_of))
    })
    .nullable(),
];

/// Texts with separators. A null text is left out together with its separator.
#[derive(Default)]
struct Texts {
    parts: VecDeque<(String, String)>,
    length: usize,
}

impl Accumulator for Texts {
    fn step(&mut self, a: &Arguments<'_, '_>) -> Result<()> {
        if !a.is_null(0) {
            self.length += a.text(0).len() + a.text(1).len();
            check_length(self.length)?;
            a.budget().hold(a.text(0).len() + a.text(1).len() + ELEMENT)?;
            self.parts.push_back((a.text(1).to_owned(), a.text(0).to_owned()));
        }
        Ok(())
    }

    fn inverse(&mut self, a: &Arguments<'_, '_>) -> Result<()> {
        if !a.is_null(0) {
            self.parts.pop_front();
        }
        Ok(())
    }

    fn value(&self) -> Result<Value> {
        let Some((_, first)) = self.parts.front() else { return Ok(Value::Null) };
        let mut text = first.clone();
        for (separator, part) in self.parts.iter().skip(1) {
            text.push_str(separator);
            text.push_str(part);
        }
        own(text)
    }

    fn kept(&self) -> usize {
        self.parts.len()
    }
}

/// Bytes with separators, in the same way.
#[derive(Default)]
struct Bytes(Option<Vec<u8>>);

impl Accumulator for Bytes {
    fn step(&mut self, a: &Arguments<'_, '_>) -> Result<()> {
        if a.is_null(0) {
            return Ok(());
        }
        let separator = if a.is_null(1) { &[][..] } else { a.bytes(1) };
        let added = a.bytes(0).len() + separator.len();
        check_length(self.0.as_ref().map_or(0, Vec::len) + added)?;
        a.budget().hold(added)?;
        match &mut self.0 {
            None => self.0 = Some(a.bytes(0).to_owned()),
            Some(bytes) => {
                bytes.extend(separator);
                bytes.extend(a.bytes(0));
            }
        }
        Ok(())
    }

    fn value(&self) -> Result<Value> {
        Ok(self.0.clone().map_or(Value::Null, Value::Blob))
    }
}

/// Like [`Texts`], with text and separator packed into one argument, because SQLite's DISTINCT compares single values only.
#[derive(Default)]
struct PackedTexts(Texts);

impl Accumulator for PackedTexts {
    fn step(&mut self, a: &Arguments<'_, '_>) -> Result<()> {
        let Ok(pair) = serde_json::from_str::<(Option<String>, Option<String>)>(a.text(0)) else {
            return Ok(());
        };
        let (Some(text), separator) = pair else { return Ok(()) };
        let separator = separator.unwrap_or_default();
        self.0.length += text.len() + separator.len();
        check_length(self.0.length)?;
        a.budget().hold(a.text(0).len() + ELEMENT)?;
        self.0.parts.push_back((separator, text));
        Ok(())
    }

    fn value(&self) -> Result<Value> {
        self.0.value()
    }

    fn kept(&self) -> usize {
        self.0.kept()
    }
}

fn check_length(length: usize) -> Result<()> {
    if length > LENGTH_MAX {
        return Err(
            SqlError::new(SqlState::PROGRAM_LIMIT, "out of memory").detail("Cannot enlarge string buffer.")
        );
    }
    Ok(())
}

/// One item for each row, and the way to join them.
struct List {
    items: VecDeque<String>,
    length: usize,
    item: fn(&Arguments<'_, '_>) -> Result<String>,
    whole: fn(&VecDeque<String>) -> Result<String>,
}

impl List {
    fn of(
        item: fn(&Arguments<'_, '_>) -> Result<String>,
        whole: fn(&VecDeque<String>) -> Result<String>,
    ) -> List {
        List { items: VecDeque::new(), length: 0, item, whole }
    }
}

impl Accumulator for List {
    fn step(&mut self, a: &Arguments<'_, '_>) -> Result<()> {
        let item = (self.item)(a)?;
        self.length += item.len() + 4;
        check_length(self.length)?;
        a.budget().hold(item.len() + ELEMENT)?;
        self.items.push_back(item);
        Ok(())
    }

    fn inverse(&mut self, _: &Arguments<'_, '_>) -> Result<()> {
        self.items.pop_front();
        Ok(())
    }

    fn value(&self) -> Result<Value> {
        if self.items.is_empty() {
            return Ok(Value::Null);
        }
        own((self.whole)(&self.items)?)
    }

    fn kept(&self) -> usize {
        self.items.len()
    }
}

fn join(items: &VecDeque<String>, separator: &str) -> String {
    items.iter().map(String::as_str).collect::<Vec<_>>().join(separator)
}

fn array_element(a: &Arguments<'_, '_>) -> Result<String> {
    Ok(array::element(a.value(0)).to_string())
}

fn nested_array(a: &Arguments<'_, '_>) -> Result<String> {
    array_within(if a.is_null(0) { None } else { Some(a.text(0)) })
}

fn array_within(array: Option<&str>) -> Result<String> {
    let Some(array) = array else {
        return Err(SqlError::new(SqlState::new("22004"), "cannot accumulate null arrays"));
    };
    if array::elements(array).is_empty() {
        return Err(SqlError::new(SqlState::new("2202E"), "cannot accumulate empty arrays"));
    }
    Ok(array.to_owned())
}

fn array_of(items: &VecDeque<String>) -> Result<String> {
    Ok(format!("[{}]", join(items, ",")))
}

fn array_of_arrays(items: &VecDeque<String>) -> Result<String> {
    let text = array_of(items)?;
    let lengths: Vec<Option<usize>> =
        array::elements(&text).iter().map(|item| item.as_array().map(Vec::len)).collect();
    if lengths.iter().any(|length| *length != lengths[0]) {
        let message = "cannot accumulate arrays of different dimensionality";
        return Err(SqlError::new(SqlState::new("2202E"), message));
    }
    Ok(text)
}

fn json_text(a: &Arguments<'_, '_>) -> Result<String> {
    Ok(if a.is_null(0) { "null".to_owned() } else { a.text(0).to_owned() })
}

fn json_of(items: &VecDeque<String>) -> Result<String> {
    Ok(format!("[{}]", join(items, ", ")))
}

/// Rows and arrays, each on a line of its own.
fn lines_of(items: &VecDeque<String>) -> Result<String> {
    let mut all = String::from("[");
    for (at, item) in items.iter().enumerate() {
        all.push_str(match (at, item.as_str()) {
            (0, _) => "",
            (_, "null") => ", ",
            _ => ", \n ",
        });
        all.push_str(item);
    }
    all.push(']');
    Ok(all)
}

/// A member as `json_object_agg` prints it.
fn json_member(a: &Arguments<'_, '_>) -> Result<String> {
    if a.is_null(0) {
        return Err(SqlError::new(SqlState::INVALID_PARAMETER, "field name must not be null"));
    }
    let value = if a.is_null(1) { Element::Null.to_string() } else { a.text(1).to_owned() };
    Ok(format!("{} : {value}", quote(a.text(0))))
}

/// The arguments of a call in one, because SQLite's DISTINCT compares single values only. A key comes before them.
fn packed(a: &Arguments<'_, '_>) -> Vec<Element> {
    let mut whole = array::elements(a.text(0));
    match whole.first_mut().and_then(|first| first.get_mut("~")).map(Element::take) {
        Some(Element::Array(values)) => values,
        _ => Vec::new(),
    }
}

fn packed_element(a: &Arguments<'_, '_>) -> Result<String> {
    Ok(packed(a).first().unwrap_or(&Element::Null).to_string())
}

fn packed_array(a: &Arguments<'_, '_>) -> Result<String> {
    array_within(packed(a).first().and_then(Element::as_str))
}

fn packed_json(a: &Arguments<'_, '_>) -> Result<String> {
    Ok(packed(a).first().and_then(Element::as_str).unwrap_or("null").to_owned())
}

fn packed_member(a: &Arguments<'_, '_>) -> Result<String> {
    let pair = packed(a);
    let part = |at: usize| pair.get(at).and_then(Element::as_str);
    let Some(name) = part(0) else {
        return Err(SqlError::new(SqlState::INVALID_PARAMETER, "field name must not be null"));
    };
    Ok(format!("{} : {}", quote(name), part(1).unwrap_or("null")))
}

fn object_of(items: &VecDeque<String>) -> Result<String> {
    Ok(format!("{{ {} }}", join(items, ", ")))
}

fn binary_object_of(items: &VecDeque<String>) -> Result<String> {
    Ok(Json::parse(&object_of(items)?)?.canonical().print())
}
