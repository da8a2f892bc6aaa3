//! HTTP requests: what the simulator reads of a request, and how a typed input becomes a request.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::net::IpAddr;

use bytes::Bytes;
use http::Request;
use http::header::{AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use serde::{Deserialize as _, Serializer as _};
use serde_json::{Map, Value};

use super::error::{Error, Kind};
use super::manner::Manner;
use super::operation::{Body, Meta, Method, to_bytes};
use super::upload;

/// The header that gives the address of a request in place of the transport, as a proxy does.
pub const ADDRESS: &str = "x-sim-address";

/// The address that a request came from: an extension of the request, for limits per address. The header
/// [`ADDRESS`] takes precedence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClientAddress(pub IpAddr);

/// The parts of a request that the simulator reads, from any transport.
#[derive(Clone, Debug, Default)]
pub struct Sent<'a> {
    /// The HTTP method.
    pub method: &'a str,
    /// Path and query.
    pub target: Cow<'a, str>,
    /// The content type, as it came.
    pub content_type: Option<&'a str>,
    /// How the body is compressed, if it is.
    pub content_encoding: Option<&'a str>,
    /// Basic credentials, still encoded.
    pub basic: Option<&'a str>,
    /// Headers that the operation reads as fields.
    pub headers: Vec<(&'a str, &'a str)>,
    /// The address that it came from, if there is one. It counts only for limits per address.
    pub address: Option<IpAddr>,
    /// Headers to show in a log, if a log is kept.
    pub shown: Vec<(&'static str, String)>,
    /// The body.
    pub body: Cow<'a, [u8]>,
}

/// The beginning that all headers of a field `beginning*` have. Such a field is an object of them by their names.
fn prefix(field: &'static str) -> Option<&'static str> {
    field.strip_suffix('*')
}

/// The headers that answers to reads can depend on, for any operation.
pub fn headers_read<'m>(manner: &Manner, operations: impl Iterator<Item = &'m Meta>) -> Vec<HeaderName> {
    let fixed = ["authorization", "content-type"].into_iter().chain(manner.token_header);
    let own = operations.flat_map(|meta| meta.headers).copied().filter(|name| prefix(name).is_none());
    let names: BTreeSet<_> = fixed.chain(own).collect();
    names.into_iter().map(HeaderName::from_static).collect()
}

impl<'a> Sent<'a> {
    /// The parts of `request` that the simulator reads. `read` names the headers that an operation reads as fields.
    pub fn of(request: &'a Request<Bytes>, read: &[&'static str], manner: &Manner) -> Sent<'a> {
        let headers = request.headers();
        let scheme = readable(headers.get(AUTHORIZATION)).and_then(|text| text.split_once(' '));
        Sent {
            method: if request.method() == http::Method::HEAD { "GET" } else { request.method().as_str() },
            target: target_of(request.uri(), manner),
            content_type: readable(headers.get(CONTENT_TYPE)),
            content_encoding: encoding(headers),
            basic: scheme
                .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("basic"))
                .map(|(_, text)| text.trim()),
            headers: read.iter().flat_map(|field| read_header(headers, field, read)).collect(),
            address: address_of(request),
            shown: Vec::new(),
            body: Cow::Borrowed(request.body()),
        }
    }

    /// The method for the journal. Known methods are not copied.
    pub fn method_name(&self) -> Cow<'static, str> {
        let known = Method::ALL.into_iter().map(Method::as_str).find(|name| *name == self.method);
        known.map_or_else(|| Cow::Owned(self.method.to_owned()), Cow::Borrowed)
    }

    /// The headers that a replay must send again, as a JSON object; `None` when the defaults are enough.
    pub fn recorded_headers(&self) -> Option<String> {
        let mut headers = Map::new();
        if let Some(content_type) = self.content_type.filter(|name| *name != "application/json") {
            headers.insert("content-type".to_owned(), content_type.into());
        }
        if let Some(encoding) = self.content_encoding {
            headers.insert(CONTENT_ENCODING.to_string(), encoding.into());
        }
        if let Some(basic) = self.basic {
            headers.insert("authorization".to_owned(), format!("Basic {basic}").into());
        }
        if let Some(address) = self.address {
            headers.insert(ADDRESS.to_owned(), address.to_string().into());
        }
        headers.extend(self.headers.iter().map(|(name, value)| ((*name).to_owned(), Value::from(*value))));
        (!headers.is_empty()).then(|| Value::Object(headers).to_string())
    }
}

/// The headers of a field. Those that have a field of their own are not in an object of many.
fn read_header<'a>(
    headers: &'a HeaderMap,
    field: &'static str,
    fields: &[&'static str],
) -> Vec<(&'a str, &'a str)> {
    let Some(prefix) = prefix(field) else {
        return readable(headers.get(field)).map(|text| (field, text)).into_iter().collect();
    };
    let others = headers.keys().map(HeaderName::as_str);
    let others = others.filter(|name| name.starts_with(prefix) && !fields.contains(name));
    others.filter_map(|name| Some((name, readable(headers.get(name))?))).collect()
}

fn address_of(request: &Request<Bytes>) -> Option<IpAddr> {
    let told = readable(request.headers().get(ADDRESS)).and_then(|text| text.parse().ok());
    told.or_else(|| request.extensions().get::<ClientAddress>().map(|ClientAddress(address)| *address))
}

/// Path and query without a token, which is not part of what is asked.
fn target_of<'a>(uri: &'a http::Uri, manner: &Manner) -> Cow<'a, str> {
    let target = uri.path_and_query().map_or("/", http::uri::PathAndQuery::as_str);
    let Some(name) = manner.token_query else { return target.into() };
    // Encoded names are read too.
    let is_token = |pair: &str| form_urlencoded::parse(pair.as_bytes()).any(|(key, _)| key == name);
    match target.split_once('?') {
        Some((path, query)) if query.split('&').any(is_token) => {
            let rest: Vec<_> = query.split('&').filter(|pair| !is_token(pair)).collect();
            if rest.is_empty() { path.into() } else { format!("{path}?{}", rest.join("&")).into() }
        }
        _ => target.into(),
    }
}

fn readable(value: Option<&HeaderValue>) -> Option<&str> {
    value.and_then(|value| value.to_str().ok())
}

/// How a body is compressed, if it is.
fn encoding(headers: &HeaderMap) -> Option<&str> {
    let mut encodings = headers.get_all(CONTENT_ENCODING).iter().filter_map(|value| readable(Some(value)));
    encodings.find(|name| !["", "identity"].contains(&&*name.trim().to_ascii_lowercase()))
}

/// Refuses a compressed body, for operations that read only what is sent as it is.
pub fn refuse_compressed(headers: &HeaderMap, body: &[u8]) -> Result<(), Error> {
    encoding(headers).filter(|_| !body.is_empty()).map_or(Ok(()), |name| Err(compressed(name)))
}

/// The refusal of a compressed body.
pub fn compressed(encoding: &str) -> Error {
    let text = format!("content-encoding {encoding:?} is not supported here, send the body uncompressed");
    Error::new(Kind::UnsupportedMediaType, "unsupported_content_encoding", text)
}

/// The token of a request: a bearer token, else the service's token header, else its query parameter.
pub fn token_text<'a>(request: &'a Request<Bytes>, manner: &Manner) -> Option<Cow<'a, str>> {
    let headers = request.headers();
    let bearer = readable(headers.get(AUTHORIZATION)).and_then(|text| text.split_once(' '));
    let bearer = bearer.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
    let in_header = || readable(headers.get(manner.token_header?));
    if let Some(text) = bearer.map(|(_, token)| token.trim()).or_else(in_header) {
        return Some(text.into());
    }
    let name = manner.token_query?;
    let pairs = form_urlencoded::parse(request.uri().query()?.as_bytes());
    pairs.into_iter().find(|(key, _)| key == name).map(|(_, token)| token)
}

/// The name and value of a field, as spelled in a body.
pub type Spelt<'v> = (Cow<'v, str>, Cow<'v, Value>);

/// Spells a field under its own name, for profiles without other names.
pub fn as_it_is<'v>(name: &'v str, value: &'v Value) -> Spelt<'v> {
    (name.into(), Cow::Borrowed(value))
}

/// Writes the request. `spell` gives the spelling of body fields; path and query have only one spelling.
pub fn write_as<'a>(
    meta: &Meta,
    input: &Value,
    headers: &'a [HeaderField],
    spell: impl for<'v> Fn(&'v str, &'v Value) -> Spelt<'v>,
) -> Sent<'a> {
    let fields = input.as_object().expect("a request is an object");
    let (content_type, body) = write_body(meta, fields, spell);
    Sent {
        method: meta.method.as_str(),
        target: write_target(meta, fields).into(),
        content_type,
        content_encoding: None,
        basic: None,
        headers: headers.iter().map(|(name, value)| (name.as_ref(), value.as_str())).collect(),
        address: None,
        shown: Vec::new(),
        body: body.into(),
    }
}

/// Writes the body of these fields, with its content type. `None` stands for the default type.
fn write_body(
    meta: &Meta,
    fields: &Map<String, Value>,
    spell: impl for<'v> Fn(&'v str, &'v Value) -> Spelt<'v>,
) -> (Option<&'static str>, Vec<u8>) {
    let own = || fields.iter().filter(|(name, _)| !meta.is_elsewhere(name));
    let object = || {
        let mut bytes = Vec::new();
        let spelt = own().map(|(name, value)| spell(name, value));
        serde_json::Serializer::new(&mut bytes).collect_map(spelt).expect("a request is plain data");
        bytes
    };
    match meta.body {
        Body::None => (None, Vec::new()),
        Body::FieldsOrList(list) if fields.get(list).is_some_and(Value::is_array) => {
            (None, to_bytes(&spell(list, &fields[list]).1))
        }
        Body::Fields | Body::FieldsOrBytes(_) | Body::FieldsOrList(_) => (None, object()),
        Body::Form => (Some("application/json"), object()),
        Body::Field(field) => (None, to_bytes(&fields.get(field).map(|body| spell(field, body).1))),
        Body::Raw(field) => {
            let body = fields.get(field).and_then(|body| upload::TextOrBytes::deserialize(body).ok());
            (None, body.map_or_else(Vec::new, Into::into))
        }
        Body::Multipart(files) => {
            // Of files, only the field's name can be spelled differently.
            let (wire_name, _) = spell(files, &Value::Null);
            let parts = own().map(|(name, value)| match name == files {
                true => (wire_name.clone(), Cow::Borrowed(value)),
                false => spell(name, value),
            });
            (Some(upload::MULTIPART), upload::write_multipart(parts, &wire_name))
        }
    }
}

/// Name and value of a header.
pub type HeaderField = (Cow<'static, str>, String);

/// The fields of a typed request that travel in headers.
pub fn header_fields(meta: &Meta, input: &Value) -> Vec<HeaderField> {
    let mut headers = Vec::new();
    for field in meta.headers {
        match input.get(*field) {
            Some(Value::String(text)) => headers.push(((*field).into(), text.clone())),
            Some(Value::Object(many)) => headers.extend(
                many.iter().filter_map(|(name, text)| Some((name.clone().into(), text.as_str()?.to_owned()))),
            ),
            _ => {}
        }
    }
    headers
}

/// Adds the headers that were sent to the fields of an input.
pub fn read_headers(meta: &Meta, headers: &[(&str, &str)], fields: &mut Map<String, Value>) {
    for (name, text) in headers {
        let many = meta.headers.iter().find(|field| {
            !meta.headers.contains(name) && prefix(field).is_some_and(|prefix| name.starts_with(prefix))
        });
        let Some(many) = many else {
            fields.insert((*name).to_owned(), Value::from(*text));
            continue;
        };
        let object = fields.entry(*many).or_insert_with(|| Value::Object(Map::new()));
        if let Value::Object(object) = object {
            object.insert((*name).to_owned(), Value::from(*text));
        }
    }
}

impl Meta {
    /// The query names that are never in the body. Names that the body may also have are excluded. They go into the
    /// body, because a written body is never raw bytes.
    pub fn query_alone(&self) -> &'static [&'static str] {
        if self.query_is_body_too() { &[] } else { self.query }
    }

    /// Whether a field travels in path, query or headers.
    pub fn is_elsewhere(&self, name: &str) -> bool {
        self.is_beside_the_body(name) || self.rest == Some(name)
    }

    /// Whether a field has a place of its own in path, query or headers. [`rest`](Meta::rest) has none.
    pub fn is_beside_the_body(&self, name: &str) -> bool {
        self.path_names().any(|one| one == name)
            || self.query_alone().contains(&name)
            || self.headers.contains(&name)
    }

    /// The HTTP request of an input. The input has the fields of path, query, headers and body as one object. The
    /// request has the neutral names and no credentials.
    ///
    /// ```
    /// use serde_json::json;
    /// use sim_core::Operation as _;
    /// use sim_core::management::project::GetProject;
    ///
    /// let request = GetProject::META.request(json!({ "ref": "abcdefghijklmnopqrst" }));
    /// assert_eq!(request.uri(), "/v1/projects/abcdefghijklmnopqrst");
    /// ```
    ///
    /// # Panics
    ///
    /// When `input` is no object, or a text that goes into a header can't be in one.
    pub fn request(&self, input: Value) -> Request<Bytes> {
        let headers = header_fields(self, &input);
        let sent = write_as(self, &input, &headers, as_it_is);
        let mut request = Request::builder().method(sent.method).uri(&*sent.target);
        if !sent.body.is_empty() {
            request = request.header(CONTENT_TYPE, sent.content_type.unwrap_or("application/json"));
        }
        for (name, value) in &sent.headers {
            request = request.header(*name, *value);
        }
        request.body(sent.body.into_owned().into()).expect("texts in headers are visible")
    }
}

/// Path and query.
fn write_target(meta: &Meta, fields: &Map<String, Value>) -> String {
    let mut target = String::with_capacity(meta.path.len() + 20);
    for piece in meta.path.split_inclusive(['{', '}']) {
        match piece.strip_suffix('}') {
            Some(name) => target.push_str(&encode(&text_of(fields.get(name).unwrap_or(&Value::Null)))),
            None => target.push_str(piece.trim_end_matches('{')),
        }
    }
    let mut separator = '?';
    for name in meta.query_alone() {
        for value in fields.get(*name).into_iter().filter(|value| !value.is_null()) {
            let text = match value {
                Value::Array(list) => list.iter().map(text_of).collect::<Vec<_>>().join(",").into(),
                other => text_of(other),
            };
            target.push(separator);
            target.extend([name, "=", &encode(&text)]);
            separator = '&';
        }
    }
    let others = meta.rest.and_then(|name| fields.get(name));
    for (name, value) in others.and_then(Value::as_object).into_iter().flatten() {
        target.push(separator);
        target.extend([&*encode(name), "=", &encode(&text_of(value))]);
        separator = '&';
    }
    target
}

/// A value as text for a path or a query.
pub fn text_of(value: &Value) -> Cow<'_, str> {
    value.as_str().map_or_else(|| value.to_string().into(), Cow::Borrowed)
}

fn encode(text: &str) -> Cow<'_, str> {
    const KEPT: percent_encoding::AsciiSet =
        percent_encoding::NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b',').remove(b'~');
    percent_encoding::utf8_percent_encode(text, &KEPT).into()
}

/// Refuses a body whose content type names characters other than those in which it is read.
pub fn require_utf8(content_type: Option<&str>) -> Result<(), Error> {
    let parameters = content_type.unwrap_or_default().split(';').skip(1);
    let named = parameters
        .filter_map(|one| one.split_once('='))
        .find(|(name, _)| name.trim().eq_ignore_ascii_case("charset"));
    let charset = named.map_or("utf-8", |(_, charset)| charset.trim().trim_matches('"'));
    if ["utf-8", "utf8", "us-ascii"].iter().any(|one| charset.eq_ignore_ascii_case(one)) {
        return Ok(());
    }
    let text = format!("unsupported charset {:?}, send utf-8", charset.to_ascii_uppercase());
    Err(Error::new(Kind::UnsupportedMediaType, "unsupported_charset", text))
}
