//! The settings in a backend's configuration: which ones each type has, and the form of each.

use base64::Engine as _;
use http::{HeaderName, HeaderValue};
use serde_json::{Map, Value};
use sim_base::{Cx, Error};

use crate::manner::unprocessable;
use crate::source_settings::is_address;

/// The type of backend that receives events as messages.
pub(super) const WEBHOOK: &str = "webhook";

/// The setting with the headers of posts.
pub(super) const HEADERS: &str = "headers";

/// One setting.
struct Setting {
    name: &'static str,
    form: Form,
    is_needed: bool,
}

/// The values of a setting.
enum Form {
    Text,
    /// An address with one of these beginnings.
    Address(&'static [&'static str]),
    /// The address that posts go to.
    PostAddress,
    /// A name or a number of a machine.
    Host,
    Port,
    /// A whole number between these two.
    Number(u64, u64),
    Flag,
    OneOf(&'static [&'static str]),
    Headers,
    /// Certificates or keys in PEM.
    Pem,
    /// A key of 32 bytes in base64.
    Key,
    /// An element of structured data, in brackets.
    Element,
}

const fn needs(name: &'static str, form: Form) -> Setting {
    Setting { name, form, is_needed: true }
}

const fn may(name: &'static str, form: Form) -> Setting {
    Setting { name, form, is_needed: false }
}

const WEB: &[&str] = &["http://", "https://"];
const REGIONS: &[&str] = &["US1", "US3", "US5", "EU", "AP1", "AP2", "US1-FED"];
const POOL: Form = Form::Number(1, 1000);

/// The types of backends with their settings.
const TYPES: [(&str, &[Setting]); 12] = [
    (
        WEBHOOK,
        &[
            needs("url", Form::PostAddress),
            may(HEADERS, Form::Headers),
            may("http", Form::OneOf(&["http1", "http2"])),
            may("gzip", Form::Flag),
        ],
    ),
    (
        "postgres",
        &[
            needs("url", Form::Address(&["postgres://", "postgresql://"])),
            may("username", Form::Text),
            may("password", Form::Text),
            may("hostname", Form::Host),
            may("database", Form::Text),
            may("schema", Form::Text),
            may("port", Form::Port),
            may("pool_size", POOL),
        ],
    ),
    ("warehouse", &[needs("project_id", Form::Text), needs("dataset_id", Form::Text)]),
    (
        "columnar",
        &[
            needs("url", Form::Address(WEB)),
            needs("database", Form::Text),
            may("username", Form::Text),
            may("password", Form::Text),
            may("port", Form::Port),
            may("pool_size", POOL),
            may("async_insert", Form::Flag),
            may("read_only_url", Form::Address(WEB)),
            may("insert_protocol", Form::OneOf(&["http", "native"])),
            may("native_port", Form::Port),
            may("native_pool_size", POOL),
        ],
    ),
    ("drain_a", &[needs("dsn", Form::Address(WEB))]),
    ("drain_b", &[needs("api_key", Form::Text), may("region", Form::OneOf(REGIONS))]),
    (
        "drain_c",
        &[needs("api_token", Form::Text), needs("dataset_name", Form::Text), may("domain", Form::Host)],
    ),
    (
        "drain_d",
        &[
            needs("url", Form::Address(WEB)),
            may(HEADERS, Form::Headers),
            may("username", Form::Text),
            may("password", Form::Text),
        ],
    ),
    (
        "s3",
        &[
            needs("s3_bucket", Form::Text),
            needs("storage_region", Form::Text),
            needs("access_key_id", Form::Text),
            needs("secret_access_key", Form::Text),
            may("batch_timeout", Form::Number(1000, 5000)),
        ],
    ),
    ("last9", &[needs("region", Form::Text), needs("username", Form::Text), needs("password", Form::Text)]),
    (
        "otlp",
        &[
            needs("endpoint", Form::Address(WEB)),
            may(HEADERS, Form::Headers),
            may("gzip", Form::Flag),
            may("protocol", Form::OneOf(&["http/protobuf"])),
        ],
    ),
    (
        "syslog",
        &[
            needs("host", Form::Host),
            needs("port", Form::Port),
            may("tls", Form::Flag),
            may("cipher_key", Form::Key),
            may("ca_cert", Form::Pem),
            may("client_cert", Form::Pem),
            may("client_key", Form::Pem),
            may("structured_data", Form::Element),
            may("max_message_bytes", Form::Number(1, 1 << 20)),
        ],
    ),
];

/// The names of the types.
pub(super) fn types() -> [&'static str; TYPES.len()] {
    TYPES.map(|(name, _)| name)
}

/// 422 unless the configuration is one that the type can have. Settings of a webhook that change nothing here are marked.
pub(super) fn require(cx: &Cx<'_>, kind: &str, config: &Map<String, Value>) -> Result<(), Error> {
    let settings = TYPES.into_iter().find(|(name, _)| *name == kind).map_or(&[][..], |(_, all)| all);
    let refused = |text: String| Err(unprocessable("config", &text));
    for one in settings {
        let given = config.get(one.name).filter(|value| !value.is_null() && *value != "");
        match given.map(|value| one.form.problem(value)) {
            None if one.is_needed && matches!(one.form, Form::PostAddress) => {
                return refused(format!("{} has invalid format", one.name));
            }
            None if one.is_needed => return refused(format!("{} can't be blank", one.name)),
            Some(Some(problem)) => return refused(format!("{} {problem}", one.name)),
            _ => {}
        }
    }
    if let Some(unknown) = config.keys().find(|key| settings.iter().all(|one| one.name != **key)) {
        let names: Vec<_> = settings.iter().map(|one| one.name).collect();
        let shown: String = unknown.chars().take(60).collect();
        return refused(format!("{shown} is no setting of {kind}; there are {}", names.join(", ")));
    }
    if kind == WEBHOOK {
        // Posts are plain text over HTTP/1.1.
        for (name, kept) in [("http", Value::from("http1")), ("gzip", Value::from(false))] {
            if config.get(name).is_some_and(|value| !value.is_null() && *value != "" && *value != kept) {
                cx.without_effect(|| format!("body.config.{name}"))?;
            }
        }
    }
    Ok(())
}

impl Form {
    /// What the value is not.
    fn problem(&self, value: &Value) -> Option<String> {
        let text = value.as_str();
        let number = || value.as_u64().or_else(|| text?.parse().ok());
        let is_plain = |text: &str| !text.contains(|sign: char| sign.is_whitespace() || sign.is_control());
        let (is_right, right) = match self {
            Form::Headers => (are_headers(value), "must be an object of texts".to_owned()),
            Form::PostAddress => (text.is_some_and(is_address), "has invalid format".to_owned()),
            Form::Port => (
                number().is_some_and(|port| (1..=65_535).contains(&port)),
                "must be a number from 1 to 65535".to_owned(),
            ),
            Form::Number(low, high) => (
                value.as_u64().is_some_and(|number| (*low..=*high).contains(&number)),
                format!("must be a number from {low} to {high}"),
            ),
            Form::Flag => (value.is_boolean(), "must be true or false".to_owned()),
            _ if text.is_none() => (false, "must be a text".to_owned()),
            Form::Text => (text.is_some_and(|text| !text.trim().is_empty()), "can't be blank".to_owned()),
            Form::OneOf(known) => (
                text.is_some_and(|text| known.contains(&text)),
                format!("must be one of {}", known.join(", ")),
            ),
            Form::Address(beginnings) => {
                let has_host = |begin: &&str| {
                    let rest = text.and_then(|text| text.strip_prefix(*begin));
                    rest.is_some_and(|rest| {
                        !rest.is_empty() && !rest.starts_with(['/', ':', '?', '#']) && is_plain(rest)
                    })
                };
                let beginning = beginnings.join(" or ");
                (beginnings.iter().any(has_host), format!("must be an address that begins with {beginning}"))
            }
            Form::Host => (
                text.is_some_and(|text| is_plain(text) && !text.contains(['/', '@', '?', '#'])),
                "must be a name or an IP address".to_owned(),
            ),
            Form::Pem => (
                text.is_some_and(|text| text.trim_start().starts_with("-----BEGIN ")),
                "must be in PEM".to_owned(),
            ),
            Form::Key => {
                let decoded =
                    text.and_then(|text| base64::engine::general_purpose::STANDARD.decode(text).ok());
                (decoded.is_some_and(|key| key.len() == 32), "must be a key of 32 bytes in base64".to_owned())
            }
            Form::Element => (
                text.is_some_and(|text| text.len() > 2 && text.starts_with('[') && text.ends_with(']')),
                "must be an element in brackets".to_owned(),
            ),
        };
        (!is_right).then_some(right)
    }
}

/// Whether each is a header that the server does not set itself.
fn are_headers(given: &Value) -> bool {
    let own = ["host", "connection", "content-length", "transfer-encoding"];
    given.as_object().is_some_and(|headers| {
        headers.iter().all(|(name, value)| {
            HeaderName::from_bytes(name.as_bytes()).is_ok_and(|name| !own.contains(&name.as_str()))
                && value.as_str().is_some_and(|text| HeaderValue::from_str(text).is_ok())
        })
    })
}
