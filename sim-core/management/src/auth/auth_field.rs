//! The catalog of the auth configuration: every field with its kind, bounds, default and marks. Schema,
//! validation, masking, defaults and documentation use only this catalog.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde_json::{Map, Value, json};
use sim_base::Edition;

use crate::auth_field_list;

/// One field of the auth configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthField {
    /// Its name on the wire.
    pub name: Cow<'static, str>,
    /// Its type and bounds.
    pub kind: Kind,
    /// Its value in a new project; `null` if it is not set.
    pub default: Default,
    /// Its purpose, in one sentence.
    pub about: Cow<'static, str>,
    /// Whether it is stored and shown as a digest, and masked in the journal.
    pub secret: bool,
    /// Whether updates accept it.
    pub settable: bool,
    /// Whether updates accept `null`, which restores the default.
    pub clearable: bool,
    /// Whether answers may carry `null`.
    pub nullable: bool,
    /// The first edition that has it.
    pub since: Edition,
}

/// The type and bounds of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `true` or `false`.
    Boolean,
    /// An integer, bounds included.
    Integer(i64, i64),
    /// A number that is not negative; an integer in the first edition.
    Hours,
    /// Any text.
    Text,
    /// A text that matches a pattern; the pattern is also described in words.
    Like(&'static str, &'static str),
    /// An RFC 3339 timestamp.
    Instant,
    /// One of these texts.
    OneOf(&'static [&'static str]),
    /// One of these texts in updates; responses declare it as any text.
    OneOfInUpdates(&'static [&'static str]),
}

/// The value of a field in a new project.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Default {
    /// Not set: `null`.
    Null,
    /// A boolean.
    Boolean(bool),
    /// An integer.
    Integer(i64),
    /// A text.
    Text(&'static str),
}

/// All fields, in the order of responses.
pub fn all() -> &'static [AuthField] {
    static ALL: LazyLock<Vec<AuthField>> = LazyLock::new(|| auth_field_list::all().collect());
    &ALL
}

/// The field of that name.
pub fn named(name: &str) -> Option<&'static AuthField> {
    static BY_NAME: LazyLock<BTreeMap<&str, &AuthField>> =
        LazyLock::new(|| all().iter().map(|field| (&*field.name, field)).collect());
    BY_NAME.get(name).copied()
}

/// The configuration of a new project.
pub(crate) fn defaults() -> Map<String, Value> {
    all().iter().map(|field| (field.name.clone().into_owned(), field.default.value())).collect()
}

/// The fields of a response, as JSON Schema.
pub(crate) fn answer_schema() -> Map<String, Value> {
    all().iter().map(|field| (field.name.clone().into_owned(), field.answer_schema())).collect()
}

/// The fields of an update, as JSON Schema.
pub(crate) fn update_schema() -> Map<String, Value> {
    let settable = all().iter().filter(|field| field.settable);
    settable.map(|field| (field.name.clone().into_owned(), field.update_schema())).collect()
}

/// What is of no use without other fields, and these fields: a switch of the catalog, or the host of the mail server.
pub(crate) fn needs(sms_provider: &str) -> Vec<(&'static str, Vec<&'static str>)> {
    const MAIL: [&str; 4] = ["smtp_admin_email", "smtp_port", "smtp_user", "smtp_pass"];
    let known = |name: String| named(&name).map(|field| &*field.name);
    let of_switch = |field: &'static AuthField| {
        let switch = &*field.name;
        let stem = switch.strip_suffix("_enabled")?;
        let parts: &[&str] = match stem {
            "external_phone" => return Some((switch, message_credentials(sms_provider))),
            "security_captcha" => &["provider", "secret"],
            _ if stem.starts_with("hook_") => &["uri"],
            _ if stem.starts_with("external_") => &["client_id", "secret"],
            _ => return None,
        };
        let needs = parts.iter().filter_map(|part| known(format!("{stem}_{part}"))).collect();
        Some((switch, needs))
    };
    all().iter().filter_map(of_switch).chain([("smtp_host", MAIL.into())]).collect()
}

/// The credentials without which that vendor sends no text messages.
fn message_credentials(vendor: &str) -> Vec<&'static str> {
    match vendor {
        "vendor_a" => vec!["sms_vendor_a_access_key", "sms_vendor_a_originator"],
        "vendor_b" => vec!["sms_vendor_b_api_key", "sms_vendor_b_sender"],
        "vendor_c" => {
            vec!["sms_vendor_c_account_sid", "sms_vendor_c_auth_token", "sms_vendor_c_message_service_sid"]
        }
        "vendor_c_verify" => vec![
            "sms_vendor_c_verify_account_sid",
            "sms_vendor_c_verify_auth_token",
            "sms_vendor_c_verify_message_service_sid",
        ],
        "vendor_d" => vec!["sms_vendor_d_api_key", "sms_vendor_d_api_secret", "sms_vendor_d_from"],
        _ => Vec::new(),
    }
}

/// The catalog as a Markdown table.
///
/// ```
/// use sim_core::management::auth_field;
///
/// let table = auth_field::table();
/// assert!(table.contains("| `jwt_exp` | integer, 0 to 604800 | 3600 | Seconds that an access token is good. |"));
/// ```
pub fn table() -> String {
    let rows = all().iter().map(|field| {
        let marks = [(field.secret, " Kept as a digest."), (!field.settable, " In answers only.")];
        let marks: String = marks.iter().filter(|(holds, _)| *holds).map(|(_, text)| *text).collect();
        let default = field.default.value().to_string().replace('|', "\\|");
        format!("| `{}` | {} | {default} | {}{marks} |\n", field.name, field.kind.in_words(), field.about)
    });
    ["| field | value | default | |\n|---|---|---|---|\n".to_owned()].into_iter().chain(rows).collect()
}

impl AuthField {
    fn answer_schema(&self) -> Value {
        let kind = match self.kind {
            // A stored value is returned unchanged: a digest, or a text that a later rule would refuse.
            Kind::OneOfInUpdates(_) | Kind::Like(..) => Kind::Text,
            kind => kind,
        };
        self.schema(kind, self.nullable)
    }

    fn update_schema(&self) -> Value {
        let mut schema = self.schema(self.kind, self.clearable);
        if self.secret {
            schema["x-secret"] = true.into();
        }
        schema
    }

    fn schema(&self, kind: Kind, nullable: bool) -> Value {
        let mut schema = match kind {
            Kind::Boolean => json!({ "type": "boolean" }),
            Kind::Integer(i64::MIN, i64::MAX) => json!({ "type": "integer" }),
            Kind::Integer(min, i64::MAX) => json!({ "type": "integer", "minimum": min }),
            Kind::Integer(min, max) => json!({ "type": "integer", "minimum": min, "maximum": max }),
            Kind::Hours => {
                json!({ "type": "number", "minimum": 0, "x-2025-05": { "type": whole(nullable) } })
            }
            Kind::Text => json!({ "type": "string" }),
            Kind::Like(pattern, rule) => json!({ "type": "string", "pattern": pattern, "x-rule": rule }),
            Kind::Instant => json!({ "type": "string", "format": "date-time" }),
            Kind::OneOf(names) | Kind::OneOfInUpdates(names) => json!({ "type": "string", "enum": names }),
        };
        schema["description"] = self.about.clone().into();
        if self.since > Edition::FIRST {
            schema["x-since"] = self.since.as_str().into();
        }
        if nullable && kind == Kind::Instant {
            let instant = json!({ "type": schema["type"].take(), "format": schema["format"].take() });
            return json!({
                "anyOf": [instant, { "type": "null" }],
                "description": self.about,
                "x-nullable": true,
            });
        }
        if nullable {
            schema["type"] = json!([schema["type"], "null"]);
            schema["x-nullable"] = true.into();
            if let Some(Value::Array(names)) = schema.get_mut("enum") {
                names.push(Value::Null);
            }
        }
        schema
    }

    pub(crate) const fn new(
        name: &'static str,
        kind: Kind,
        default: Default,
        about: &'static str,
    ) -> AuthField {
        let (name, about) = (Cow::Borrowed(name), Cow::Borrowed(about));
        AuthField {
            name,
            kind,
            default,
            about,
            secret: false,
            settable: true,
            clearable: true,
            nullable: true,
            since: Edition::FIRST,
        }
    }

    pub(crate) fn owned(name: String, kind: Kind, default: Default, about: String) -> AuthField {
        AuthField { name: name.into(), about: about.into(), ..AuthField::new("", kind, default, "") }
    }

    pub(crate) const fn hidden_if(mut self, secret: bool) -> AuthField {
        self.secret = secret;
        self
    }

    /// Neither updates nor answers carry `null`.
    pub(crate) const fn never_null(mut self) -> AuthField {
        self.clearable = false;
        self.nullable = false;
        self
    }

    /// Updates accept `null`, but answers carry the default instead.
    pub(crate) const fn never_answered_null(mut self) -> AuthField {
        self.nullable = false;
        self
    }

    /// Since the second edition.
    pub(crate) const fn newer(mut self) -> AuthField {
        self.since = Edition::V2026_11;
        self
    }

    pub(crate) const fn answer_only(mut self) -> AuthField {
        self.settable = false;
        self
    }
}

impl Kind {
    fn in_words(self) -> String {
        match self {
            Kind::Boolean => "boolean".to_owned(),
            Kind::Integer(i64::MIN, i64::MAX) => "integer".to_owned(),
            Kind::Integer(min, i64::MAX) => format!("integer, {min} or more"),
            Kind::Integer(min, max) => format!("integer, {min} to {max}"),
            Kind::Hours => "number, 0 or more".to_owned(),
            Kind::Text => "text".to_owned(),
            Kind::Like(_, rule) => rule.replace('|', "\\|"),
            Kind::Instant => "instant, RFC 3339".to_owned(),
            Kind::OneOf(names) | Kind::OneOfInUpdates(names) => {
                let names: Vec<_> =
                    names.iter().map(|name| format!("`{}`", name.replace('|', "\\|"))).collect();
                names.join(", ")
            }
        }
    }
}

impl Default {
    /// The value as JSON.
    pub fn value(self) -> Value {
        match self {
            Default::Null => Value::Null,
            Default::Boolean(value) => value.into(),
            Default::Integer(value) => value.into(),
            Default::Text(value) => value.into(),
        }
    }
}

/// The type of a whole number in a schema.
fn whole(nullable: bool) -> Value {
    if nullable { json!(["integer", "null"]) } else { json!("integer") }
}
