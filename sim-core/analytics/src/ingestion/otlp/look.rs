//! Looks through an export for what no event keeps, and in JSON for values that are none of their field's.

use std::borrow::Cow;
use std::collections::BTreeSet;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};

use super::fields::{Part, next};
use super::parts::{Field, KEY_VALUE, Kind};
use super::{Signal, parts};

/// How many fields without effect are named.
const NAMED_MAX: usize = 40;

/// The longest name of a field that is shown, in characters.
const NAME_MAX: usize = 100;

/// A field without effect.
#[derive(Debug, PartialEq, Eq)]
pub(in super::super) struct Ignored {
    /// Its place, as `body.resourceSpans.scopeSpans.spans.links`.
    pub name: String,
    /// Whether it is a field of the protocol, well formed, that no event keeps.
    pub is_known: bool,
}

/// What was found, and the place in the export.
#[derive(Debug, Default)]
pub(super) struct Look {
    /// The fields without effect, each once.
    pub ignored: Vec<Ignored>,
    /// Why records are refused, one reason per record.
    pub refused: Vec<String>,
    place: Vec<Step>,
}

#[derive(Debug)]
enum Step {
    Name(Cow<'static, str>),
    Index(usize),
}

impl Look {
    /// Looks through a record in protobuf that can be decoded.
    pub(super) fn through_record(&mut self, signal: Signal, record: &[u8]) {
        self.place = parts::way(signal).map(|name| Step::Name(name.into())).into();
        self.through_bytes(parts::record(signal), record);
        self.place.clear();
    }

    /// Looks through an export in protobuf that can be decoded, but not into its records.
    pub(super) fn through_bytes(&mut self, fields: &'static [Field], mut bytes: &[u8]) {
        let (mut chosen, mut keys) = (None, BTreeSet::new());
        while let Some(part) = next(&mut bytes) {
            let field = fields.iter().find(|field| field.tag == part.number);
            if let Some(field) = field.filter(|field| field.is_choice)
                && let Some(earlier) = chosen.replace(field.name).filter(|name| *name != field.name)
            {
                self.at(earlier.into(), Look::lose);
            }
            let name = field.map_or_else(|| part.number.to_string().into(), |field| field.name.into());
            self.at(name, |look| look.through_part(field, &part, &mut keys));
        }
    }

    fn through_part<'b>(
        &mut self,
        field: Option<&Field>,
        part: &Part<'b>,
        keys: &mut BTreeSet<Cow<'b, str>>,
    ) {
        match field.map(|field| field.kind) {
            None if !part.is_empty() => self.lose(),
            Some(Kind::Unused) if !part.is_empty() => self.pass_over(),
            Some(Kind::Records(_)) if self.place.len() == parts::WAY => {}
            Some(Kind::Message(inner) | Kind::Messages(inner) | Kind::Records(inner)) => {
                self.through_bytes(inner, part.value);
            }
            Some(Kind::Pairs) => {
                self.through_bytes(&KEY_VALUE, part.value);
                let key = key_of(part.value);
                if !keys.insert(key.clone()) {
                    self.at(key.into_owned().into(), Look::lose);
                }
            }
            Some(Kind::Float | Kind::Floats) if has_no_number(part) => self.lose(),
            _ => {}
        }
    }

    /// Looks at a member of the message at this place.
    fn at<T>(&mut self, name: Cow<'static, str>, look: impl FnOnce(&mut Look) -> T) -> T {
        self.place.push(Step::Name(name));
        let looked = look(self);
        self.place.pop();
        looked
    }

    /// Looks through an export as JSON. What has no effect is removed, and so are records that are refused.
    ///
    /// # Errors
    ///
    /// The first field with a wrong value that is in no record.
    pub(super) fn through_export(
        &mut self,
        fields: &'static [Field],
        export: &mut Value,
    ) -> Result<(), String> {
        self.through_value(Kind::Message(fields), export)
    }

    fn through_object(&mut self, fields: &[Field], object: &mut Map<String, Value>) -> Result<(), String> {
        let mut wrong = None;
        let is_given = |field: &&Field| object.get(field.name).is_some_and(|value| !value.is_null());
        let chosen = fields.iter().filter(|field| field.is_choice).find(is_given).map(|field| field.tag);
        object.retain(|name, value| {
            // `null` is a field that is not given.
            if value.is_null() || wrong.is_some() {
                return false;
            }
            let field = fields.iter().find(|field| field.name == name);
            let place = field.map_or_else(|| name.clone().into(), |field| field.name.into());
            self.at(place, |look| {
                match field {
                    Some(field) if !matches!(field.kind, Kind::Unused) => {
                        if field.is_choice && Some(field.tag) != chosen {
                            look.lose();
                            return false;
                        }
                        wrong = look.through_value(field.kind, value).err();
                        return true;
                    }
                    _ if is_empty(value) => {}
                    Some(_) => look.pass_over(),
                    None => look.lose(),
                }
                false
            })
        });
        wrong.map_or(Ok(()), Err)
    }

    fn through_value(&mut self, kind: Kind, value: &mut Value) -> Result<(), String> {
        match (kind, &mut *value) {
            (Kind::Message(fields), Value::Object(object)) => return self.through_object(fields, object),
            (Kind::Messages(fields), Value::Array(list)) => return self.through_list(fields, list),
            (Kind::Pairs, Value::Array(list)) => {
                self.through_list(&KEY_VALUE, list)?;
                self.through_keys(list);
                return Ok(());
            }
            (Kind::Records(fields), Value::Array(list)) => {
                self.through_records(fields, list);
                return Ok(());
            }
            _ => {}
        }
        let wanted = wanted(kind);
        if !wanted.is_met_by(value) {
            return Err(self.wrong(value, wanted.text));
        }
        if matches!(kind, Kind::Float | Kind::Floats) && is_no_number(value) {
            self.lose();
        }
        Ok(())
    }

    /// Of two values of a key only the last one is kept.
    fn through_keys(&mut self, pairs: &[Value]) {
        let mut keys = BTreeSet::new();
        for key in pairs.iter().map(|pair| pair["key"].as_str().unwrap_or_default()) {
            if !keys.insert(key) {
                self.at(key.to_owned().into(), Look::lose);
            }
        }
    }

    fn through_list(&mut self, fields: &[Field], list: &mut [Value]) -> Result<(), String> {
        list.iter_mut().enumerate().try_for_each(|(index, value)| self.through_item(fields, index, value))
    }

    fn through_records(&mut self, fields: &[Field], list: &mut Vec<Value>) {
        let mut index = 0;
        list.retain_mut(|value| {
            let looked = self.through_item(fields, index, value);
            index += 1;
            let is_right = looked.is_ok();
            self.refused.extend(looked.err());
            is_right
        });
    }

    fn through_item(&mut self, fields: &[Field], index: usize, value: &mut Value) -> Result<(), String> {
        self.place.push(Step::Index(index));
        let looked = match value {
            Value::Object(object) => self.through_object(fields, object),
            other => Err(self.wrong(other, "an object")),
        };
        self.place.pop();
        looked
    }

    /// Notes that what was sent at this place is lost.
    fn lose(&mut self) {
        let name = self.named();
        self.note(name);
    }

    /// Notes that no event keeps the field at this place.
    fn pass_over(&mut self) {
        let name = self.named();
        self.note_known(name);
    }

    /// This place, without the places in lists.
    fn named(&self) -> String {
        let names = self.place.iter().filter_map(|step| match step {
            Step::Name(name) => Some(shown(name)),
            Step::Index(_) => None,
        });
        names.fold("body".to_owned(), |path, name| format!("{path}.{name}"))
    }

    /// Notes by its name a field that is lost.
    pub(super) fn note(&mut self, name: String) {
        self.push(Ignored { name, is_known: false });
    }

    /// Notes by its name a field of the protocol that no event keeps.
    pub(super) fn note_known(&mut self, name: String) {
        self.push(Ignored { name, is_known: true });
    }

    fn push(&mut self, ignored: Ignored) {
        if self.ignored.len() < NAMED_MAX && !self.ignored.contains(&ignored) {
            self.ignored.push(ignored);
        }
    }

    fn wrong(&self, value: &Value, wanted: &str) -> String {
        let steps = self.place.iter().map(|step| match step {
            Step::Name(name) => name.to_string(),
            Step::Index(index) => index.to_string(),
        });
        let given: String = value.to_string().chars().take(NAME_MAX).collect();
        format!("{}: {given} is not {wanted}", steps.collect::<Vec<_>>().join("."))
    }
}

/// The key of a pair in protobuf.
fn key_of(mut pair: &[u8]) -> Cow<'_, str> {
    let fields = std::iter::from_fn(|| next(&mut pair));
    let key = fields.filter(|part| part.number == 1).last();
    String::from_utf8_lossy(key.map_or(&[], |part| part.value))
}

/// A name that the client made up, shortened. Commas separate names.
fn shown(name: &str) -> String {
    name.chars().take(NAME_MAX).collect::<String>().replace(',', "%2C")
}

/// Whether a field says nothing: some exporters send those too.
fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(bool) => !bool,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::String(text) => text.is_empty() || text == "0",
        Value::Array(list) => list.is_empty(),
        Value::Object(object) => object.is_empty(),
    }
}

/// Whether one of the floats is infinite or no number. JSON has neither, so no event can keep it.
fn has_no_number(part: &Part<'_>) -> bool {
    let floats = part.value.chunks_exact(8).filter_map(|bytes| bytes.try_into().ok());
    floats.map(f64::from_le_bytes).any(|float| !float.is_finite())
}

fn is_no_number(value: &Value) -> bool {
    match value {
        Value::Array(list) => list.iter().any(is_no_number),
        other => number(other).is_some_and(|float: f64| !float.is_finite()),
    }
}

/// The values of a kind, and how a refusal names them.
struct Wanted {
    holds: fn(&Value) -> bool,
    text: &'static str,
}

impl Wanted {
    fn is_met_by(&self, value: &Value) -> bool {
        (self.holds)(value)
    }
}

fn wanted(kind: Kind) -> Wanted {
    let wanted = |text, holds| Wanted { holds, text };
    match kind {
        Kind::Text => wanted("a text", Value::is_string),
        Kind::Bool => wanted("true or false", Value::is_boolean),
        Kind::Small => wanted("a whole number of 32 bits", |value| {
            value.as_i64().is_some_and(|number| i32::try_from(number).is_ok())
        }),
        Kind::Whole => wanted("a whole number in range", |value| number::<u64>(value).is_some()),
        Kind::Signed => wanted("a whole number in range", |value| number::<i64>(value).is_some()),
        Kind::Float => wanted("a number", |value| number::<f64>(value).is_some()),
        Kind::Wholes => wanted("a list of whole numbers in range", |value| {
            value.as_array().is_some_and(|list| list.iter().all(|one| number::<u64>(one).is_some()))
        }),
        Kind::Floats => wanted("a list of numbers", |value| {
            value.as_array().is_some_and(|list| list.iter().all(|one| number::<f64>(one).is_some()))
        }),
        Kind::Id => wanted("an id in hex digits", |value| {
            value.as_str().is_some_and(|text| {
                text.len() % 2 == 0 && text.bytes().all(|digit| digit.is_ascii_hexdigit())
            })
        }),
        Kind::Bytes => wanted("bytes in base64", |value| {
            value.as_str().is_some_and(|text| STANDARD.decode(text).is_ok())
        }),
        Kind::Message(_) => wanted("an object", Value::is_object),
        Kind::Messages(_) | Kind::Pairs | Kind::Records(_) => wanted("a list", Value::is_array),
        Kind::Unused => wanted("anything", |_| true),
    }
}

/// A number, or a number as text.
fn number<T: std::str::FromStr>(value: &Value) -> Option<T> {
    match value {
        Value::Number(number) => number.to_string().parse().ok(),
        Value::String(text) => text.parse().ok(),
        _ => None,
    }
}
