//! Bytes and files in requests: how the one input object has them, and multipart forms in both directions.

use std::borrow::Cow;
use std::collections::BTreeSet;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::{Map, Value, json};
use sim_derive::ToSchema;

use super::error::Error;
use super::json;

/// Raw bytes. In JSON they are base64; the journal does not show them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Blob(pub Vec<u8>);

impl From<Vec<u8>> for Blob {
    fn from(bytes: Vec<u8>) -> Blob {
        Blob(bytes)
    }
}

impl Serialize for Blob {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&BASE64.encode(&self.0))
    }
}

impl<'de> Deserialize<'de> for Blob {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Blob, D::Error> {
        let text = Cow::<'de, str>::deserialize(deserializer)?;
        BASE64.decode(&*text).map(Blob).map_err(de::Error::custom)
    }
}

impl JsonSchema for Blob {
    fn schema_name() -> Cow<'static, str> {
        "Blob".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "contentEncoding": "base64", "x-secret": true })
    }
}

/// A field that is text in JSON and can also be sent as raw bytes. The journal does not show it.
///
/// In JSON, bytes are a `data:` URL, so that a call made with bytes can be recorded and repeated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextOrBytes {
    /// Sent as text.
    Text(String),
    /// Sent as bytes.
    Bytes(Vec<u8>),
}

impl TextOrBytes {
    /// Text if the body is valid UTF-8, else bytes.
    pub fn of(body: &[u8]) -> TextOrBytes {
        match std::str::from_utf8(body) {
            Ok(text) => TextOrBytes::Text(text.to_owned()),
            Err(_) => TextOrBytes::Bytes(body.to_vec()),
        }
    }
}

impl From<TextOrBytes> for Vec<u8> {
    fn from(body: TextOrBytes) -> Vec<u8> {
        match body {
            TextOrBytes::Text(text) => text.into_bytes(),
            TextOrBytes::Bytes(bytes) => bytes,
        }
    }
}

const DATA_URL: &str = "data:application/octet-stream;base64,";

impl Serialize for TextOrBytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            TextOrBytes::Text(text) => serializer.serialize_str(text),
            TextOrBytes::Bytes(bytes) => {
                serializer.collect_str(&format_args!("{DATA_URL}{}", BASE64.encode(bytes)))
            }
        }
    }
}

impl<'de> Deserialize<'de> for TextOrBytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<TextOrBytes, D::Error> {
        let text = String::deserialize(deserializer)?;
        Ok(match text.strip_prefix(DATA_URL).and_then(|encoded| BASE64.decode(encoded).ok()) {
            Some(bytes) => TextOrBytes::Bytes(bytes),
            None => TextOrBytes::Text(text),
        })
    }
}

impl JsonSchema for TextOrBytes {
    fn schema_name() -> Cow<'static, str> {
        "TextOrBytes".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "x-secret": true, "x-any-text": true })
    }
}

/// A file of a multipart form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schemars(inline)]
pub struct File {
    /// Its name as sent: a path relative to the sender's folder.
    pub name: String,
    /// Its bytes.
    pub content: Blob,
}

/// The boundary of forms that we write. It is always the same, and no part of ours contains it.
const BOUNDARY: &str = "stuntdouble-7b2f9d4c1e";

/// The content type of forms that we write.
pub const MULTIPART: &str = "multipart/form-data; boundary=stuntdouble-7b2f9d4c1e";

/// A multipart body that was read.
#[derive(Debug)]
pub struct Form {
    /// An object of its fields.
    pub fields: Value,
    /// What comes more than once, so that the last value alone counts: names of files, members of fields that are JSON.
    pub repeated: Vec<String>,
}

/// Reads a multipart body. Parts named `files` become a list of [`File`]s. Every other part is read as JSON, or else as
/// text.
pub fn read_multipart(content_type: &str, body: &[u8], files: &str) -> Result<Form, Error> {
    let boundary = boundary(content_type).ok_or_else(|| {
        Error::invalid("invalid_multipart", "content-type: multipart/form-data needs a boundary")
    })?;
    let mut input = Map::new();
    let mut list = Vec::new();
    let (mut names, mut repeated) = (BTreeSet::new(), Vec::new());
    for part in parts(body, &boundary)? {
        if part.name == files {
            if part.file_name.as_ref().is_some_and(|name| !names.insert(name.clone())) {
                repeated.push(format!("{files}.{}", list.len()));
            }
            list.push(
                json!({ "name": part.file_name.unwrap_or_default(), "content": BASE64.encode(part.content) }),
            );
        } else {
            let text = String::from_utf8_lossy(part.content);
            let value = match serde_json::from_str(&text) {
                Ok(value) => {
                    let again = json::repeated(text.as_bytes(), &value);
                    repeated.extend(again.iter().map(|name| format!("{}.{name}", part.name)));
                    value
                }
                Err(_) => Value::from(text.into_owned()),
            };
            add_field(&mut input, &part.name, value);
        }
    }
    if !list.is_empty() {
        input.insert(files.to_owned(), list.into());
    }
    Ok(Form { fields: Value::Object(input), repeated })
}

/// Adds a field of a form. One that comes again becomes a list, which validation refuses where one value belongs.
pub fn add_field(fields: &mut Map<String, Value>, name: &str, value: Value) {
    match fields.get_mut(name) {
        None => drop(fields.insert(name.to_owned(), value)),
        Some(Value::Array(all)) => all.push(value),
        Some(first) => *first = Value::Array(vec![first.take(), value]),
    }
}

/// Writes the fields as a multipart body with our own boundary; the reverse of [`read_multipart`].
pub fn write_multipart<'v>(
    fields: impl IntoIterator<Item = (Cow<'v, str>, Cow<'v, Value>)>,
    files: &str,
) -> Vec<u8> {
    let mut form = Vec::new();
    for (name, value) in fields {
        if name != files {
            push_part(&mut form, &format!("name=\"{name}\""), value.to_string().as_bytes());
            continue;
        }
        let list = Vec::<File>::deserialize(&*value).unwrap_or_default();
        for File { name: file_name, content } in list {
            push_part(&mut form, &format!("name=\"{name}\"; filename=\"{}\"", quote(&file_name)), &content.0);
        }
    }
    form.extend_from_slice(format!("--{BOUNDARY}--\r\n").as_bytes());
    form
}

/// Writes files, after a JSON part named `metadata` if there is one.
pub fn multipart_of(metadata: Option<&Value>, files: &[File]) -> Vec<u8> {
    let metadata = metadata.map(|metadata| ("metadata".into(), Cow::Borrowed(metadata)));
    let files = ("file".into(), Cow::Owned(json!(files)));
    write_multipart(metadata.into_iter().chain([files]), "file")
}

fn push_part(form: &mut Vec<u8>, disposition: &str, content: &[u8]) {
    form.extend_from_slice(
        format!("--{BOUNDARY}\r\ncontent-disposition: form-data; {disposition}\r\n\r\n").as_bytes(),
    );
    form.extend_from_slice(content);
    form.extend_from_slice(b"\r\n");
}

fn quote(name: &str) -> String {
    name.replace('"', "%22").replace(['\r', '\n'], " ")
}

struct Part<'b> {
    name: String,
    file_name: Option<String>,
    content: &'b [u8],
}

fn boundary(content_type: &str) -> Option<String> {
    let text = parameter(content_type, "boundary")?;
    (!text.is_empty() && text.len() <= 70).then_some(text)
}

/// The parts between the boundary lines.
fn parts<'b>(body: &'b [u8], boundary: &str) -> Result<Vec<Part<'b>>, Error> {
    let torn =
        |what: &str| Error::invalid("invalid_multipart", format!("body: Invalid multipart form, {what}"));
    let line = format!("--{boundary}");
    let mut found = Vec::new();
    let start = find(body, line.as_bytes()).ok_or_else(|| torn("the boundary does not occur"))?;
    let mut rest = &body[start + line.len()..];
    let between = format!("\r\n--{boundary}");
    while !rest.starts_with(b"--") {
        let after_line = find(rest, b"\r\n").ok_or_else(|| torn("it ends after a boundary"))?;
        rest = &rest[after_line..];
        let end = find(rest, between.as_bytes()).ok_or_else(|| torn("its last part is cut off"))?;
        found.push(part(&rest[..end]).map_err(|what| torn(&format!("part {} {what}", found.len())))?);
        rest = &rest[end + between.len()..];
    }
    Ok(found)
}

/// The longest head of a part, in bytes.
const HEAD_MAX: usize = 16 << 10;

/// One part: header lines, an empty line, the content. Or else what is wrong with it.
fn part(bytes: &[u8]) -> Result<Part<'_>, &'static str> {
    const NO_NAME: &str = "has no name";
    let end_of_head = find(bytes, b"\r\n\r\n").ok_or(NO_NAME)?;
    if end_of_head > HEAD_MAX {
        return Err("has more than 16384 bytes of headers");
    }
    // A name that is altered would be that of another file.
    let head = str::from_utf8(&bytes[..end_of_head]).map_err(|_| "has headers that are no UTF-8")?;
    if head.contains('\0') {
        return Err("has a zero byte in its headers");
    }
    let disposition = head.lines().find(|line| line.to_ascii_lowercase().starts_with("content-disposition:"));
    let disposition = disposition.ok_or(NO_NAME)?;
    Ok(Part {
        name: parameter(disposition, "name").ok_or(NO_NAME)?,
        file_name: parameter(disposition, "filename"),
        content: &bytes[end_of_head + 4..],
    })
}

/// The value of `key` in `form-data; key="value"`.
fn parameter(header: &str, key: &str) -> Option<String> {
    let mut rest = header;
    while let Some(semicolon) = rest.find(';') {
        rest = rest[semicolon + 1..].trim_start();
        let end = rest.find(['=', ';'])?;
        let (name, value) = rest.split_at(end);
        let Some(value) = value.strip_prefix('=').filter(|_| name.trim().eq_ignore_ascii_case(key)) else {
            continue;
        };
        let value = value.trim_start();
        return Some(match value.strip_prefix('"') {
            Some(quoted) => quoted.split('"').next().unwrap_or_default().to_owned(),
            None => value.split([';', ' ', '\r', '\n']).next().unwrap_or_default().to_owned(),
        });
    }
    None
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack.windows(needle.len()).position(|window| window == needle)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_written_form_is_read_back() {
        let file = File { name: "src/index.ts".to_owned(), content: Blob(b"\r\n--x \xff".to_vec()) };
        let fields = json!({ "metadata": { "name": "a;b=\"c\"" }, "file": [file] });
        let parts = fields.as_object().into_iter().flatten();
        let body = write_multipart(parts.map(|(name, value)| (name.into(), Cow::Borrowed(value))), "file");
        let read = read_multipart(MULTIPART, &body, "file").expect("it was just written");
        assert_eq!((read.fields, read.repeated), (fields, Vec::new()));
    }

    #[test]
    fn a_header_with_countless_parameters_is_read_in_one_pass() {
        let many = format!("form-data; {}name=\"a\"; x", "x; ".repeat(1_000_000));
        assert_eq!(parameter(&many, "name").as_deref(), Some("a"));
        assert_eq!(parameter(&many, "filename"), None);
    }

    #[test]
    fn a_part_with_an_odd_head_is_refused_by_its_number() {
        let form =
            |head: &[u8]| [b"--b\r\ncontent-disposition: form-data; ", head, b"\r\n\r\nx\r\n--b--"].concat();
        let good = b"name=file; filename=\"\xc5\xbe.ts\"";
        assert!(read_multipart("multipart/form-data; boundary=b", &form(good), "file").is_ok());
        let long = [&b"name=file; x="[..], &[b'x'; HEAD_MAX]].concat();
        for (head, problem) in [
            (&b"name=file; filename=\"a\0b\""[..], "part 0 has a zero byte in its headers"),
            (b"name=file; filename=\"\xff\xfe\"", "part 0 has headers that are no UTF-8"),
            (&long, "part 0 has more than 16384 bytes of headers"),
            (b"filename=a", "part 0 has no name"),
        ] {
            let refusal = read_multipart("multipart/form-data; boundary=b", &form(head), "file");
            let refusal = refusal.expect_err("the head is odd").message;
            assert!(refusal.ends_with(problem), "{refusal}");
        }
    }

    #[test]
    fn a_truncated_form_is_refused_with_the_problem() {
        let whole = multipart_of(None, &[File { name: "a".to_owned(), content: Blob(b"text".to_vec()) }]);
        for (cut, problem) in
            [(0, "the boundary does not occur"), (30, "cut off"), (whole.len() - 30, "cut off")]
        {
            let refusal = read_multipart(MULTIPART, &whole[..cut], "file").expect_err("the form is torn");
            assert!(refusal.message.contains(problem), "at {cut}: {refusal}");
        }
    }
}
