//! The catalog of the auth configuration: every field with its kind, bounds, default and marks. Schema,
//! validation, masking, defaults and documentation use only this catalog.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde_json::{Map, Value, json};

/// One field of the auth configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthField {
    /// Its name on the wire.
    pub name: Cow<'static, str>,
    /// Its type and bounds.
    pub kind: Kind,
    /// Its value in a new project; `null` if it is not set, and then responses may contain `null`.
    pub default: Default,
    /// Its purpose, in one sentence.
    pub about: Cow<'static, str>,
    /// Whether it is stored and shown as a digest, and masked in the journal.
    pub secret: bool,
    /// Whether updates accept it.
    pub settable: bool,
    /// Whether updates accept `null`, which restores the default.
    pub clearable: bool,
}

/// The type and bounds of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `true` or `false`.
    Boolean,
    /// An integer, bounds included.
    Integer(i64, i64),
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
    static ALL: LazyLock<Vec<AuthField>> = LazyLock::new(|| {
        FIELDS.iter().cloned().chain(mailer()).chain(hooks()).chain(slots()).chain(vendors()).collect()
    });
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
        self.schema(kind, self.default == Default::Null)
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
            Kind::Integer(min, i64::MAX) => json!({ "type": "integer", "minimum": min }),
            Kind::Integer(min, max) => json!({ "type": "integer", "minimum": min, "maximum": max }),
            Kind::Text => json!({ "type": "string" }),
            Kind::Like(pattern, rule) => json!({ "type": "string", "pattern": pattern, "x-rule": rule }),
            Kind::Instant => json!({ "type": "string", "format": "date-time" }),
            Kind::OneOf(names) | Kind::OneOfInUpdates(names) => json!({ "type": "string", "enum": names }),
        };
        schema["description"] = self.about.clone().into();
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

    const fn new(name: &'static str, kind: Kind, default: Default, about: &'static str) -> AuthField {
        let (name, about) = (Cow::Borrowed(name), Cow::Borrowed(about));
        AuthField { name, kind, default, about, secret: false, settable: true, clearable: true }
    }

    fn owned(name: String, kind: Kind, default: Default, about: String) -> AuthField {
        AuthField { name: name.into(), about: about.into(), ..AuthField::new("", kind, default, "") }
    }

    const fn hidden_if(mut self, secret: bool) -> AuthField {
        self.secret = secret;
        self
    }

    const fn never_null(mut self) -> AuthField {
        self.clearable = false;
        self
    }

    const fn answer_only(mut self) -> AuthField {
        self.settable = false;
        self
    }
}

impl Kind {
    fn in_words(self) -> String {
        match self {
            Kind::Boolean => "boolean".to_owned(),
            Kind::Integer(min, i64::MAX) => format!("integer, {min} or more"),
            Kind::Integer(min, max) => format!("integer, {min} to {max}"),
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
    /// As JSON.
    pub fn value(self) -> Value {
        match self {
            Default::Null => Value::Null,
            Default::Boolean(value) => value.into(),
            Default::Integer(value) => value.into(),
            Default::Text(value) => value.into(),
        }
    }
}

const fn flag(name: &'static str, default: bool, about: &'static str) -> AuthField {
    AuthField::new(name, Kind::Boolean, Default::Boolean(default), about)
}

const fn number(name: &'static str, (min, max): (i64, i64), default: i64, about: &'static str) -> AuthField {
    AuthField::new(name, Kind::Integer(min, max), Default::Integer(default), about)
}

const fn text(name: &'static str, kind: Kind, default: &'static str, about: &'static str) -> AuthField {
    AuthField::new(name, kind, Default::Text(default), about)
}

const fn unset(name: &'static str, kind: Kind, about: &'static str) -> AuthField {
    AuthField::new(name, kind, Default::Null, about)
}

const fn secret(name: &'static str, about: &'static str) -> AuthField {
    unset(name, Kind::Text, about).hidden_if(true)
}

const SMALL: (i64, i64) = (0, 32_767);
const COUNT: (i64, i64) = (0, 2_147_483_647);
const RATE: (i64, i64) = (1, 2_147_483_647);
const OPEN: (i64, i64) = (0, i64::MAX);

const ADDRESS: Kind = Kind::Like("^[^,]+$", "one address, without a comma");
const TAGS: Kind = Kind::Like(
    "^([A-Za-z0-9_-]+(,[A-Za-z0-9_-]+)*)?$",
    "names of letters, digits, _ and -, with commas between",
);
const TEST_CODES: Kind = Kind::Like("^([0-9]{1,15}=[0-9]+,?)*$", "phone=code pairs, with commas between");
const HOOK_ADDRESS: Kind = Kind::Like(
    "^(https?|pg-functions)://.+$",
    "an address that starts with https://, http:// or pg-functions://",
);
const HOOK_SECRETS: Kind = Kind::Like(
    r"^v1,whsec_[A-Za-z0-9+/=]{32,88}(\|v1,whsec_[A-Za-z0-9+/=]{32,88})*$",
    "v1,whsec_ and 32 to 88 characters of base64, several joined by a bar",
);
const CAPTCHA_PROVIDERS: Kind = Kind::OneOf(&["turnstile", "hcaptcha"]);
const SMS_PROVIDERS: Kind = Kind::OneOf(&["vendor_a", "vendor_b", "vendor_c", "vendor_c_verify", "vendor_d"]);
const CHARACTER_GROUPS: Kind = Kind::OneOfInUpdates(&[
    "",
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ:0123456789",
    "abcdefghijklmnopqrstuvwxyz:ABCDEFGHIJKLMNOPQRSTUVWXYZ:0123456789",
    r#"abcdefghijklmnopqrstuvwxyz:ABCDEFGHIJKLMNOPQRSTUVWXYZ:0123456789:!@#$%^&*()_+-=[]{};'\\:"|<>?,./`~"#,
]);
const CODE_TEMPLATE: &str = "Your code is {{ .Code }}";

/// The fields that belong to no family.
const FIELDS: &[AuthField] = &[
    text("site_url", ADDRESS, "http://localhost:3000", "Where users are sent after signing in."),
    text("uri_allow_list", Kind::Text, "", "Further addresses users may be sent to, with commas between."),
    number("jwt_exp", (0, 604_800), 3600, "Seconds that an access token is good."),
    flag("disable_signup", false, "Refuse new users."),
    number("api_max_request_duration", OPEN, 10, "Seconds that a request may take."),
    number("db_max_pool_size", OPEN, 10, "Connections to the database."),
    flag("external_email_enabled", true, "Let users sign in by email."),
    flag("external_phone_enabled", false, "Let users sign in by phone."),
    flag("external_anonymous_users_enabled", false, "Let users sign in without a name."),
    flag("mailer_autoconfirm", false, "Take email addresses as confirmed."),
    flag("mailer_secure_email_change_enabled", true, "Ask at both addresses before one is changed."),
    flag(
        "mailer_allow_unverified_email_sign_ins",
        false,
        "Let users sign in before their address is confirmed.",
    ),
    number("mailer_otp_exp", COUNT, 3600, "Seconds that a code sent by email is good.").never_null(),
    number("mailer_otp_length", (6, 10), 8, "Digits of a code sent by email."),
    number("mfa_max_enrolled_factors", COUNT, 10, "Factors that a user may have."),
    flag("mfa_totp_enroll_enabled", true, "Let users add an authenticator app."),
    flag("mfa_totp_verify_enabled", true, "Let users sign in with an authenticator app."),
    flag("mfa_phone_enroll_enabled", false, "Let users add a phone as a factor."),
    flag("mfa_phone_verify_enabled", false, "Let users sign in with a phone as a factor."),
    flag("mfa_web_authn_enroll_enabled", false, "Let users add a security key."),
    flag("mfa_web_authn_verify_enabled", false, "Let users sign in with a security key."),
    number("mfa_phone_otp_length", SMALL, 6, "Digits of a code sent to a phone as a factor."),
    number("mfa_phone_max_frequency", SMALL, 5, "Seconds between two messages to a phone as a factor."),
    text("mfa_phone_template", Kind::Text, CODE_TEMPLATE, "Message to a phone as a factor."),
    number("password_min_length", (6, 32_767), 6, "Characters that a password must have."),
    text(
        "password_required_characters",
        CHARACTER_GROUPS,
        "",
        "Groups of which a password must have a character each.",
    ),
    flag("password_hibp_enabled", false, "Refuse passwords known to have leaked; takes a paid plan."),
    number("rate_limit_anonymous_users", RATE, 30, "Anonymous sign-ins per hour and address."),
    number("rate_limit_email_sent", RATE, 2, "Emails per hour."),
    number("rate_limit_sms_sent", RATE, 30, "Text messages per hour."),
    number("rate_limit_verify", RATE, 30, "Verifications per 5 minutes and address."),
    number("rate_limit_token_refresh", RATE, 150, "Token refreshes per 5 minutes and address."),
    number("rate_limit_otp", RATE, 30, "Codes per 5 minutes and address."),
    flag("refresh_token_rotation_enabled", true, "Replace a refresh token whenever it is used."),
    number(
        "security_refresh_token_reuse_interval",
        COUNT,
        10,
        "Seconds in which a replaced refresh token still works.",
    ),
    flag("security_captcha_enabled", false, "Ask for a captcha."),
    text("security_captcha_provider", CAPTCHA_PROVIDERS, "hcaptcha", "Whose captcha."),
    secret("security_captcha_secret", "Secret for the captcha's provider."),
    flag("security_manual_linking_enabled", false, "Let users link identities."),
    flag(
        "security_update_password_require_reauthentication",
        false,
        "Ask again before a password is changed.",
    ),
    number("sessions_timebox", OPEN, 0, "Hours after which a session ends; 0 for never."),
    number(
        "sessions_inactivity_timeout",
        OPEN,
        0,
        "Hours without use after which a session ends; 0 for never.",
    ),
    flag("sessions_single_per_user", false, "End a user's other sessions at sign-in."),
    unset("sessions_tags", TAGS, "Kinds of session of which a user may have one each, with commas between."),
    unset("smtp_admin_email", Kind::Text, "Sender of emails."),
    unset("smtp_host", Kind::Text, "Host of the mail server."),
    unset("smtp_port", Kind::Text, "Port of the mail server, as a text."),
    unset("smtp_user", Kind::Text, "User at the mail server."),
    secret("smtp_pass", "Password at the mail server."),
    unset("smtp_sender_name", Kind::Text, "Name of the sender of emails."),
    number("smtp_max_frequency", SMALL, 60, "Seconds between two emails to a user."),
    flag("sms_autoconfirm", false, "Take phone numbers as confirmed."),
    number("sms_max_frequency", SMALL, 5, "Seconds between two text messages to a user."),
    number("sms_otp_exp", COUNT, 60, "Seconds that a code sent as text message is good."),
    number("sms_otp_length", SMALL, 6, "Digits of a code sent as text message.").never_null(),
    text("sms_provider", SMS_PROVIDERS, "vendor_c", "Who sends text messages."),
    text("sms_template", Kind::Text, CODE_TEMPLATE, "Text message with a code."),
    unset("sms_test_otp", TEST_CODES, "Codes that are good without a message."),
    unset("sms_test_otp_valid_until", Kind::Instant, "When those codes stop being good."),
    flag("saml_enabled", false, "Let users sign in by SAML 2.0."),
    unset("saml_external_url", ADDRESS, "Where identity providers send users back to."),
    flag("saml_allow_encrypted_assertions", false, "Whether assertions may be encrypted.").answer_only(),
];

/// Kinds of mail: name, subject, template.
const MAILS: [(&str, &str, &str); 6] = [
    (
        "confirmation",
        "Confirm Your Signup",
        "<h2>Confirm your signup</h2>\n<p><a href=\"{{ .ConfirmationURL }}\">Confirm your email</a></p>",
    ),
    (
        "email_change",
        "Confirm Email Change",
        "<h2>Confirm email change</h2>\n<p><a href=\"{{ .ConfirmationURL }}\">Change email</a></p>",
    ),
    (
        "invite",
        "You have been invited",
        "<h2>You have been invited</h2>\n<p><a href=\"{{ .ConfirmationURL }}\">Accept the invite</a></p>",
    ),
    (
        "magic_link",
        "Your Magic Link",
        "<h2>Magic link</h2>\n<p><a href=\"{{ .ConfirmationURL }}\">Log in</a></p>",
    ),
    (
        "reauthentication",
        "Confirm Reauthentication",
        "<h2>Confirm reauthentication</h2>\n<p>Enter the code: {{ .Token }}</p>",
    ),
    (
        "recovery",
        "Reset Your Password",
        "<h2>Reset password</h2>\n<p><a href=\"{{ .ConfirmationURL }}\">Reset password</a></p>",
    ),
];

fn mailer() -> impl Iterator<Item = AuthField> {
    let words = |kind: &str| kind.replace('_', " ");
    let subjects = MAILS.iter().map(move |(kind, subject, _)| {
        let about = format!("Subject of the {} mail.", words(kind));
        AuthField::owned(format!("mailer_subjects_{kind}"), Kind::Text, Default::Text(subject), about)
    });
    let templates = MAILS.iter().map(move |(kind, _, template)| {
        let about = format!("Body of the {} mail.", words(kind));
        AuthField::owned(
            format!("mailer_templates_{kind}_content"),
            Kind::Text,
            Default::Text(template),
            about,
        )
    });
    subjects.chain(templates)
}

const HOOKS: [&str; 5] = [
    "custom_access_token",
    "mfa_verification_attempt",
    "password_verification_attempt",
    "send_sms",
    "send_email",
];

fn hooks() -> impl Iterator<Item = AuthField> {
    HOOKS.iter().flat_map(|hook| {
        let words = hook.replace('_', " ");
        let field = |part: &str, kind, default, about| {
            AuthField::owned(format!("hook_{hook}_{part}"), kind, default, about)
        };
        [
            field("enabled", Kind::Boolean, Default::Boolean(false), format!("Call the {words} hook.")),
            field("uri", HOOK_ADDRESS, Default::Null, format!("Where the {words} hook is.")),
            field("secrets", HOOK_SECRETS, Default::Null, format!("What signs calls of the {words} hook."))
                .hidden_if(true),
        ]
    })
}

/// Slots of external identity providers, and which of them have additional fields besides the usual three.
const SLOTS: std::ops::RangeInclusive<u8> = 1..=20;
const SLOTS_WITH_URL: [u8; 4] = [2, 8, 11, 19];
const SLOTS_WITH_MORE_CLIENTS: [u8; 2] = [1, 9];
const SLOTS_WITH_NONCE: [u8; 1] = [9];

fn slots() -> impl Iterator<Item = AuthField> {
    SLOTS.flat_map(|slot| {
        let field = |part: &str, kind, default, about: &str| {
            let about = format!("{about} of identity provider {slot}.");
            AuthField::owned(format!("external_idp_{slot:02}_{part}"), kind, default, about)
        };
        let extra = |slots: &[u8], field: AuthField| slots.contains(&slot).then_some(field);
        let off = Default::Boolean(false);
        [
            Some(field("enabled", Kind::Boolean, off, "Let users sign in by way")),
            Some(field("client_id", Kind::Text, Default::Null, "Client id")),
            Some(field("secret", Kind::Text, Default::Null, "Client secret").hidden_if(true)),
            extra(&SLOTS_WITH_URL, field("url", Kind::Text, Default::Null, "Address")),
            extra(
                &SLOTS_WITH_MORE_CLIENTS,
                field(
                    "additional_client_ids",
                    Kind::Text,
                    Default::Null,
                    "Further client ids, with commas between,",
                ),
            ),
            extra(&SLOTS_WITH_NONCE, field("skip_nonce_check", Kind::Boolean, off, "Do without the nonce")),
        ]
        .into_iter()
        .flatten()
    })
}

/// Messaging vendors and their fields; `!` marks a secret.
const VENDORS: [(&str, &[&str]); 4] = [
    ("vendor_a", &["!access_key", "originator"]),
    ("vendor_b", &["!api_key", "sender"]),
    (
        "vendor_c",
        &[
            "account_sid",
            "!auth_token",
            "content_sid",
            "message_service_sid",
            "verify_account_sid",
            "!verify_auth_token",
            "verify_message_service_sid",
        ],
    ),
    ("vendor_d", &["api_key", "!api_secret", "from"]),
];

fn vendors() -> impl Iterator<Item = AuthField> {
    VENDORS.iter().flat_map(|(vendor, parts)| {
        parts.iter().map(move |part| {
            let name = part.trim_start_matches('!');
            let about = format!("Messages by {vendor}: {}.", name.replace('_', " "));
            AuthField::owned(format!("sms_{vendor}_{name}"), Kind::Text, Default::Null, about)
                .hidden_if(name != *part)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_catalog_has_every_field_of_the_spec_once() {
        let of = |kind: fn(&Kind) -> bool| all().iter().filter(|field| kind(&field.kind)).count();
        assert_eq!(of(|kind| matches!(kind, Kind::Integer(..))), 22, "integers");
        assert_eq!(of(|kind| *kind == Kind::Boolean), 22 + 5 + 20 + 1, "booleans");
        let texts = 18 + 12 + 10 + 40 + 4 + 2 + 14;
        assert_eq!(of(|kind| !matches!(kind, Kind::Integer(..) | Kind::Boolean)), texts, "texts");
        assert_eq!(defaults().len(), all().len(), "no name stands twice");
    }

    #[test]
    fn every_default_fits_its_kind() {
        for field in all() {
            let fits = match (field.kind, field.default) {
                (_, Default::Null) => true,
                (Kind::Boolean, Default::Boolean(_)) => true,
                (Kind::Integer(min, max), Default::Integer(value)) => (min..=max).contains(&value),
                (Kind::Text | Kind::Instant, Default::Text(_)) => true,
                (Kind::Like(pattern, _), Default::Text(text)) => {
                    regex::Regex::new(pattern).expect("it is a pattern").is_match(text)
                }
                (Kind::OneOf(names) | Kind::OneOfInUpdates(names), Default::Text(text)) => {
                    names.contains(&text)
                }
                _ => false,
            };
            assert!(fits, "{}", field.name);
        }
    }
}
