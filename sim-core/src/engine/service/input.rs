//! Merges path, query, headers and body of a call into one input object, and validates it.

use std::borrow::Cow;
use std::mem;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use percent_encoding::percent_decode_str;
use serde_json::{Map, Value, json};
use sim_base::error::{Error, Kind};
use sim_base::manner::Problem;
use sim_base::near;
use sim_base::operation::{Access, Body, Meta};
use sim_base::policy::UnknownFields;
use sim_base::profile::Profile;
use sim_base::request::{self, Sent, as_it_is, write_as};
use sim_base::upload;

use super::contract::{Matched, Registered};
use super::names::{Names, Way};
use super::node::{Older, QUESTIONS_MAX, Unaliased};
use super::setup::Setup;
use super::unknown;

/// What a call sent.
pub(crate) struct Input {
    /// The fields of path, query, headers and body together, as the operation's schema has them.
    pub fields: Value,
    /// What the operation does not know, each with its part of the request: `body.foo`, `query.bar`.
    pub unknown: Vec<String>,
    /// What the body has more than once, so that the last value alone counts: `body.foo`.
    pub repeated: Vec<String>,
}

impl From<Value> for Input {
    fn from(fields: Value) -> Input {
        Input { fields, unknown: Vec::new(), repeated: Vec::new() }
    }
}

/// Reads path, query, headers and body into one object and checks it against the operation's schema.
pub(crate) fn read(matched: &Matched<'_>, sent: &Sent<'_>, setup: &Setup) -> Result<Input, Error> {
    if sent.body.len() > setup.policy.max_body_bytes {
        return Err(Error::too_large(setup.policy.max_body_bytes));
    }
    let mut input = read_input(matched, sent, &setup.names, &setup.profile)?;
    let is_ours = matched.operation.entry.meta.access == Access::Control;
    // `service` says which service of a world is meant, and is read before the call gets here.
    input.unknown.retain(|name| !is_ours || name != "query.service");
    if let Some(first) = input.unknown.iter().find(|name| is_ours && name.starts_with("query.")) {
        return Err(unknown::refusal_of_parameter(first, matched.operation.entry.meta.query));
    }
    match (setup.policy.unknown_fields, &input.unknown[..], &input.repeated[..]) {
        (UnknownFields::Refuse, [first, ..], _) => return Err(unknown::refusal(&input.unknown, first)),
        (rule, _, [first, ..]) if is_ours || rule == UnknownFields::Refuse => {
            return Err(unknown::refusal_of_repeated(&input.repeated, first));
        }
        (UnknownFields::Accept, ..) => input.unknown.clear(),
        _ => input.unknown.append(&mut input.repeated),
    }
    Ok(input)
}

/// Like [`read`], but without the limit on the body's size.
pub(crate) fn read_input(
    matched: &Matched<'_>,
    sent: &Sent<'_>,
    names: &Names,
    profile: &Profile,
) -> Result<Input, Error> {
    let operation = matched.operation;
    let SentBody { fields: mut input, mut beside, older, repeated } = read_body(operation, sent, names)?;
    if !names.is_empty() {
        beside.extend(unknown::neutral_twins(operation, &input, names));
        input = operation.input().respell(input, names, Way::In);
    }
    let Value::Object(fields) = &mut input else { return Err(not_an_object(&input)) };
    let meta = &operation.entry.meta;
    let stray = stray_fields(meta, sent);
    let mut unknown = match stray {
        Some(_) => Vec::new(),
        None => unknown::beside_the_body(meta, sent, fields),
    };
    unknown.append(&mut beside);
    fields.retain(|name, _| !meta.is_beside_the_body(name));
    let query = sent.target.split_once('?').map_or("", |(_, query)| query);
    unknown.extend(read_rest(meta, query, names, fields, stray));
    for (name, text) in &matched.path {
        fields.insert((*name).to_owned(), spelt(operation, name, Value::from(text.as_str()), names));
    }
    request::read_headers(meta, &sent.headers, fields);
    let bytes = meta.query_is_body_too() && is_raw(sent);
    let of_query = read_query(operation, query, bytes, names, fields);
    check_as(operation, &input, profile, &older, &of_query)?;
    unknown.extend(unknown::in_query(operation, query, names));
    unknown.extend(unknown::in_fields(operation, &input));
    operation.input().reduce(&mut input);
    Ok(Input { fields: input, unknown, repeated })
}

/// Refuses an input that fails its schema or the operation's own check.
pub(crate) fn check(operation: &Registered, input: &Value, profile: &Profile) -> Result<(), Error> {
    check_as(operation, input, profile, &[], operation.entry.meta.query)
}

/// The same; fields that were sent under an older name are called by it, and those in `of_query` are of the query.
fn check_as(
    operation: &Registered,
    input: &Value,
    profile: &Profile,
    older: &[Older],
    of_query: &[&str],
) -> Result<(), Error> {
    let meta = &operation.entry.meta;
    let found = operation.input().validate(input);
    let problems: Vec<_> = found.list().iter().map(|problem| as_sent(problem, older)).collect();
    let problems = &problems[..];
    if problems.is_empty() {
        return meta.check.map_or(Ok(()), |check| check(input, profile));
    }
    let first = problems.first().and_then(|problem| problem.field.split('.').next()).unwrap_or_default();
    let part = if meta.path_names().any(|name| name == first) {
        "path"
    } else if of_query.contains(&first) {
        "query"
    } else {
        "body"
    };
    let error = match meta.access {
        // The refusals of other operations are those of the service that is simulated.
        Access::Control => (operation.manner.invalid)(&explained(meta, problems), part),
        _ => (operation.manner.invalid)(problems, part),
    };
    Err(if found.has_more() { error.and_more(problems.len()) } else { error })
}

/// The problem under the name by which its field was sent.
fn as_sent(problem: &Problem, older: &[Older]) -> Problem {
    let mut problem = problem.clone();
    if let Some(Older { name, newer }) = older.iter().find(|one| one.newer == problem.field) {
        problem.message = problem.message.replacen(newer.as_str(), name, 1);
        problem.field.clone_from(name);
    }
    problem
}

/// The problems, the first ones with suggestions for mistyped values.
fn explained(meta: &Meta, problems: &[Problem]) -> Vec<Problem> {
    let mut problems = problems.to_vec();
    if let Body::Field(name) = meta.body {
        let whole = problems.iter_mut().filter(|problem| problem.field == name);
        whole.for_each(|problem| problem.message.push_str("; this field is the JSON body itself"));
    }
    for problem in problems.iter_mut().take(QUESTIONS_MAX) {
        problem.message = near::explained(&problem.message);
    }
    problems
}

/// Moves the body's fields but nulls, and all undeclared query parameters, into the operation's `rest` field, if it has one.
/// Returns the fields in whose place a parameter of the query counts: `body.foo`.
///
/// Fields of a body that the operation has not are `body.foo` there.
fn read_rest(
    meta: &Meta,
    query: &str,
    names: &Names,
    fields: &mut Map<String, Value>,
    stray: Option<Map<String, Value>>,
) -> Vec<String> {
    let Some(rest) = meta.rest else { return Vec::new() };
    let texts = mem::take(fields)
        .into_iter()
        .filter(|(_, value)| !value.is_null())
        .map(|(name, value)| (name, Value::String(request::text_of(&value).into_owned())));
    let of_body: Map<String, Value> = texts.collect();
    let mut all = of_body.clone();
    let others = form_urlencoded::parse(query.as_bytes())
        .filter(|(name, _)| !meta.query.contains(&neutral(name, names)));
    all.extend(others.map(|(name, value)| (name.into_owned(), Value::String(value.into_owned()))));
    let differs = |(name, value): &(&String, &Value)| all.get(*name) != Some(*value);
    let beside = of_body.iter().filter(differs).map(|(name, _)| unknown::shown(&format!("body.{name}")));
    let beside = beside.collect();
    let stray = stray.into_iter().flatten().filter(|(_, value)| !value.is_null());
    all.extend(
        stray.map(|(name, value)| {
            (format!("body.{name}"), Value::String(request::text_of(&value).into_owned()))
        }),
    );
    fields.insert(rest.to_owned(), Value::Object(all));
    beside
}

/// The fields of a JSON object that comes with a call without a body, for an operation that takes any parameter. It decides whether
/// they count.
fn stray_fields(meta: &Meta, sent: &Sent<'_>) -> Option<Map<String, Value>> {
    if meta.body != Body::None || meta.rest.is_none() || sent.content_encoding.is_some() {
        return None;
    }
    match sim_base::json::read_json(&sent.body) {
        Ok(Value::Object(fields)) if !fields.is_empty() => Some(fields),
        _ => None,
    }
}

/// Adds the declared query parameters to `fields`. An invalid value from the body stays, so that validation reports
/// it. Where the body may carry the field too, a required field missing from it is read from the query only if the
/// body is raw bytes. Returns the parameters that are read from the query.
fn read_query(
    operation: &Registered,
    query: &str,
    bytes: bool,
    names: &Names,
    fields: &mut Map<String, Value>,
) -> Vec<&'static str> {
    let meta = &operation.entry.meta;
    let mut of_query = Vec::new();
    for name in meta.query {
        let Some(node) = operation.input().field(name) else { continue };
        let stands = match fields.get(*name) {
            Some(value) => !node.accepts(value),
            None => meta.query_is_body_too() && !bytes && operation.input().requires(name),
        };
        if stands {
            continue;
        }
        of_query.push(*name);
        let values: Vec<Cow<'_, str>> = form_urlencoded::parse(query.as_bytes())
            .filter(|(key, _)| neutral(list_name(key), names) == *name)
            .map(|(_, value)| value)
            .collect();
        let value = match &values[..] {
            [] => continue,
            // A list where one value belongs: validation refuses it.
            [_, _, ..] if !operation.manner.repeats && !node.is_list() => Value::from(values),
            _ => node.read_text(&values),
        };
        fields.insert((*name).to_owned(), spelt(operation, name, value, names));
    }
    of_query
}

/// The name of a parameter that may be one of a list: `a` of `a[]` and `a[0]`.
pub(super) fn list_name(key: &str) -> &str {
    let index = key.strip_suffix(']').and_then(|key| key.rsplit_once('['));
    index.filter(|(_, place)| place.bytes().all(|byte| byte.is_ascii_digit())).map_or(key, |(name, _)| name)
}

/// The neutral name of a parameter.
pub(super) fn neutral<'a>(name: &'a str, names: &'a Names) -> &'a str {
    names.spell(Way::In, name).unwrap_or(name)
}

/// The value of a parameter with the values of its schema in neutral names.
fn spelt(operation: &Registered, name: &str, value: Value, names: &Names) -> Value {
    match operation.input().field(name).filter(|_| !names.is_empty()) {
        Some(node) => node.respell(value, names, Way::In),
        None => value,
    }
}

/// A body as an object of fields.
pub(crate) struct SentBody {
    pub fields: Value,
    /// Fields without effect, because others count in their place: `body.foo`.
    beside: Vec<String>,
    /// Fields that were sent under a name that newer documents replace.
    pub older: Vec<Older>,
    /// Fields that come more than once: `body.foo`.
    repeated: Vec<String>,
}

impl From<Value> for SentBody {
    fn from(fields: Value) -> SentBody {
        SentBody { fields, beside: Vec::new(), older: Vec::new(), repeated: Vec::new() }
    }
}

/// Reads the body as an object of fields. Names keep the profile's spelling, and nothing is validated yet.
pub(crate) fn read_body(operation: &Registered, sent: &Sent<'_>, names: &Names) -> Result<SentBody, Error> {
    let body = &*sent.body;
    let meta = &operation.entry.meta;
    let decodes = body.is_empty() || meta.body == Body::None || meta.headers.contains(&"content-encoding");
    if let Some(encoding) = sent.content_encoding.filter(|_| !decodes) {
        return Err(request::compressed(encoding));
    }
    let json = |name: Option<&str>| {
        let value = read_json(operation, sent)?;
        let place = name.map_or_else(|| "body".to_owned(), |name| format!("body.{name}"));
        let repeated = unknown::repeated(&place, body, &value);
        Ok(match name {
            Some(name) => SentBody { repeated, ..SentBody::from(json!({ name: value })) },
            None => {
                let Unaliased { value, beside, older } = operation.input().unalias(value);
                SentBody { fields: value, beside, older, repeated }
            }
        })
    };
    let fields = match meta.body {
        Body::None => Ok(json!({})),
        Body::Form => return read_form(operation, sent),
        Body::Raw(name) => Ok(json!({ name: upload::TextOrBytes::of(body) })),
        Body::Field(name) if body.is_empty() => {
            let text = format!("{name}: Required, as the JSON body itself");
            Err(Error::invalid(format!("invalid_body.{name}"), text))
        }
        Body::Field(name) => return json(Some(name)),
        Body::Multipart(files) if is_type(sent, "multipart/form-data") => {
            let form =
                upload::read_multipart(sent.content_type.unwrap_or_default(), body, names.wire(files))?;
            let repeated = form.repeated.iter().map(|name| unknown::shown(&format!("body.{name}"))).collect();
            return Ok(SentBody { repeated, ..SentBody::from(form.fields) });
        }
        Body::Multipart(_) => Err(unsupported(sent, "multipart/form-data")),
        Body::Fields | Body::FieldsOrBytes(_) | Body::FieldsOrList(_) if body.is_empty() => Ok(json!({})),
        Body::FieldsOrBytes(name) if is_raw(sent) => {
            Ok(json!({ name: upload::TextOrBytes::Bytes(body.to_vec()) }))
        }
        Body::FieldsOrList(name) if body.trim_ascii_start().starts_with(b"[") => return json(Some(name)),
        Body::Fields | Body::FieldsOrBytes(_) | Body::FieldsOrList(_) => return json(None),
    };
    fields.map(SentBody::from)
}

/// Reads a form, or a JSON object sent instead. Client credentials missing from the body are taken from the header.
fn read_form(operation: &Registered, sent: &Sent<'_>) -> Result<SentBody, Error> {
    let mut repeated = Vec::new();
    let mut fields = if is_type(sent, "application/json") && !sent.body.is_empty() {
        let fields = read_json(operation, sent)?;
        repeated = unknown::repeated("body", &sent.body, &fields);
        fields
    } else if sent.body.is_empty() || is_type(sent, "application/x-www-form-urlencoded") {
        read_pairs(&sent.body)
    } else {
        return Err(unsupported(sent, "application/x-www-form-urlencoded"));
    };
    let decoded =
        sent.basic.and_then(|text| BASE64.decode(text).ok()).and_then(|text| String::from_utf8(text).ok());
    if let (Some((id, secret)), Value::Object(fields)) =
        (decoded.as_deref().and_then(|text| text.split_once(':')), &mut fields)
    {
        for (name, value) in [("client_id", id), ("client_secret", secret)] {
            // Some clients write `-` as `%2D` there.
            let value = percent_decode_str(value).decode_utf8_lossy();
            fields.entry(name).or_insert_with(|| Value::from(&*value));
        }
    }
    Ok(SentBody { repeated, ..SentBody::from(fields) })
}

fn read_pairs(body: &[u8]) -> Value {
    let mut fields = Map::new();
    for (name, value) in form_urlencoded::parse(body) {
        upload::add_field(&mut fields, &name, Value::from(&*value));
    }
    Value::Object(fields)
}

fn is_type(sent: &Sent<'_>, name: &str) -> bool {
    essence(sent).eq_ignore_ascii_case(name)
}

/// Whether the body is raw bytes, such as a bundle that the client built: `application/*` except JSON and forms.
fn is_raw(sent: &Sent<'_>) -> bool {
    let essence = essence(sent).to_ascii_lowercase();
    essence.starts_with("application/")
        && !essence.ends_with("json")
        && essence != "application/x-www-form-urlencoded"
}

fn essence<'a>(sent: &Sent<'a>) -> &'a str {
    sent.content_type.unwrap_or("application/json").split(';').next().unwrap_or_default().trim()
}

fn unsupported(sent: &Sent<'_>, wanted: &str) -> Error {
    let text = format!("content-type {:?} is not supported, send {wanted}", essence(sent));
    Error::new(Kind::UnsupportedMediaType, "unsupported_content_type", text)
}

pub(crate) fn read_json(operation: &Registered, sent: &Sent<'_>) -> Result<Value, Error> {
    // Some clients send JSON as plain text. The simulator's own operations are called by hand, where `curl -d` says form.
    let is_json =
        is_type(sent, "application/json") || is_type(sent, "text/plain") || essence(sent).ends_with("+json");
    if !is_json && operation.entry.meta.access != Access::Control {
        return Err(unsupported(sent, "application/json"));
    }
    request::require_utf8(sent.content_type)?;
    let mut value = sim_base::json::read_json(&sent.body)?;
    make_whole(&mut value);
    Ok(value)
}

/// JSON has one kind of number: `1.0` is the integer `1`.
fn make_whole(value: &mut Value) {
    /// Up to this value, floats represent every integer exactly.
    const EXACT_MAX: f64 = 9_007_199_254_740_992.0;
    match value {
        Value::Number(number) if number.is_f64() => {
            let float = number.as_f64().filter(|float| float.fract() == 0.0 && float.abs() <= EXACT_MAX);
            if let Some(float) = float {
                *value = Value::from(float as i64);
            }
        }
        Value::Array(list) => list.iter_mut().for_each(make_whole),
        Value::Object(object) => object.values_mut().for_each(make_whole),
        _ => {}
    }
}

fn not_an_object(received: &Value) -> Error {
    let name = match received {
        Value::Array(_) => "array",
        Value::String(_) => "string",
        Value::Number(_) => "number",
        Value::Bool(_) => "boolean",
        _ => "null",
    };
    Error::invalid("invalid_body", format!("body: Expected object, received {name}"))
}

/// Converts a typed call to a request. The journal shows this request, and a replay sends it.
pub(crate) fn write<'a>(
    operation: &Registered,
    input: &Value,
    names: &Names,
    headers: &'a [request::HeaderField],
) -> Sent<'a> {
    let meta = &operation.entry.meta;
    if names.is_empty() {
        return write_as(meta, input, headers, as_it_is);
    }
    write_as(meta, input, headers, |name, value| {
        let (name, value) = operation.input().respell_field(name.to_owned(), value.clone(), names, Way::Out);
        (name.into(), Cow::Owned(value))
    })
}
