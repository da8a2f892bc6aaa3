//! The fields of the auth configuration, in the order in which answers list them.

use sim_base::Edition;

use crate::auth_field::{AuthField, Default, Kind};

/// All fields.
pub(crate) fn all() -> impl Iterator<Item = AuthField> {
    let families =
        mailer().chain(notices()).chain(hooks()).chain(slots()).chain(provider_x()).chain(vendors());
    FIELDS.iter().cloned().chain(families)
}

const fn flag(name: &'static str, default: bool, about: &'static str) -> AuthField {
    AuthField::new(name, Kind::Boolean, Default::Boolean(default), about)
}

const fn number(name: &'static str, (min, max): (i64, i64), default: i64, about: &'static str) -> AuthField {
    AuthField::new(name, Kind::Integer(min, max), Default::Integer(default), about)
}

const fn hours(name: &'static str, about: &'static str) -> AuthField {
    AuthField::new(name, Kind::Hours, Default::Integer(0), about)
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
const OPEN: (i64, i64) = (i64::MIN, i64::MAX);

const ADDRESS: Kind = Kind::Like("^[^,]+$", "one address, without a comma");
const TAGS: Kind = Kind::Like(
    r"^(?:\s*|\s*[a-zA-Z0-9_-]+(?:\s*,+\s*[a-zA-Z0-9_-]+)*(?:\s*,+)?\s*)$",
    "names of letters, digits, _ and -, with commas between",
);
const TEST_CODES: Kind = Kind::Like("^([0-9]{1,15}=[0-9]+,?)*$", "phone=code pairs, with commas between");
const MAIL_ADDRESS: Kind = Kind::Like(
    r"^([A-Za-z0-9_'+\-]+(\.[A-Za-z0-9_'+\-]+)*)@([A-Za-z0-9][A-Za-z0-9\-]*\.)+[A-Za-z]{2,}$",
    "an email address",
);
const HOOK_ADDRESS: Kind = Kind::Like(
    "^(https?|pg-functions)://.+$",
    "an address that starts with https://, http:// or pg-functions://",
);
const HOOK_SECRETS: Kind = Kind::Like(
    r"^(v1,whsec_[A-Za-z0-9+/=]{32,88}(\|v1,whsec_[A-Za-z0-9+/=]{32,88})*|[0-9a-f]{64})$",
    "v1,whsec_ and 32 to 88 characters of base64, several joined by a bar",
);
const POOL_UNITS: Kind = Kind::OneOf(&["connections", "percent"]);
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
    text("db_max_pool_size_unit", POOL_UNITS, "connections", "What `db_max_pool_size` counts.").newer(),
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
    number("mfa_phone_otp_length", SMALL, 6, "Digits of a code sent to a phone as a factor.")
        .never_answered_null(),
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
    hours("sessions_timebox", "Hours after which a session ends; 0 for never."),
    hours("sessions_inactivity_timeout", "Hours without use after which a session ends; 0 for never."),
    flag("sessions_single_per_user", false, "End a user's other sessions at sign-in."),
    unset("sessions_tags", TAGS, "Kinds of session of which a user may have one each, with commas between."),
    unset("smtp_admin_email", MAIL_ADDRESS, "Sender of emails."),
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
    flag("custom_oauth_enabled", false, "Let users sign in by providers of the project's own.")
        .never_null()
        .newer(),
    number("custom_oauth_max_providers", COUNT, 3, "Providers of its own that a project may have.")
        .never_answered_null()
        .answer_only()
        .newer(),
    flag("external_web3_chain_a_enabled", false, "Let users sign in with a wallet of chain A.").newer(),
    flag("external_web3_chain_b_enabled", false, "Let users sign in with a wallet of chain B.").newer(),
    number("rate_limit_web3", RATE, 30, "Sign-ins with a wallet per 5 minutes and address.").newer(),
    unset("nimbus_oauth_client_id", Kind::Text, "Client id of the platform's own provider.").newer(),
    secret("nimbus_oauth_client_secret", "Client secret of the platform's own provider.").newer(),
    flag("nimbus_oauth_email_optional", false, "Do without an address at the platform's own provider.")
        .answer_only()
        .newer(),
    flag("oauth_server_enabled", false, "Let other apps sign users in by this project.")
        .never_answered_null()
        .newer(),
    flag("oauth_server_allow_dynamic_registration", false, "Let such apps register themselves.")
        .never_answered_null()
        .newer(),
    unset("oauth_server_authorization_path", Kind::Text, "Path of the consent page at the site.").newer(),
    flag("passkey_enabled", false, "Let users sign in with a passkey.").never_null().newer(),
    unset("webauthn_rp_display_name", Kind::Text, "Name that passkeys show.").newer(),
    unset("webauthn_rp_id", Kind::Text, "Domain that passkeys are bound to.").newer(),
    unset("webauthn_rp_origins", Kind::Text, "Origins that may use passkeys, with commas between.").newer(),
    flag(
        "security_sb_forwarded_for_enabled",
        false,
        "Take the client's address from a header of the platform.",
    )
    .newer(),
    flag(
        "security_update_password_require_current_password",
        false,
        "Ask for the current password before it is changed.",
    )
    .newer(),
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

/// Notices of a change: its name, the subject of the mail, what happened.
const NOTICES: [(&str, &str, &str); 7] = [
    (
        "email_changed",
        "Your email address has been changed",
        "The email address of your account was changed.",
    ),
    ("identity_linked", "A new identity has been linked", "An identity was linked to your account."),
    ("identity_unlinked", "An identity has been unlinked", "An identity was unlinked from your account."),
    ("mfa_factor_enrolled", "A new MFA factor has been enrolled", "A factor was added to your account."),
    ("mfa_factor_unenrolled", "An MFA factor has been unenrolled", "A factor was removed from your account."),
    ("password_changed", "Your password has been changed", "The password of your account was changed."),
    ("phone_changed", "Your phone number has been changed", "The phone number of your account was changed."),
];

fn notices() -> impl Iterator<Item = AuthField> {
    NOTICES.iter().flat_map(|(kind, subject, text)| {
        let words = kind.replace('_', " ");
        let field = |name: String, kind, default, about| AuthField::owned(name, kind, default, about).newer();
        [
            field(
                format!("mailer_notifications_{kind}_enabled"),
                Kind::Boolean,
                Default::Boolean(false),
                format!("Send the {words} notice."),
            ),
            field(
                format!("mailer_subjects_{kind}_notification"),
                Kind::Text,
                Default::Text(subject),
                format!("Subject of the {words} notice."),
            ),
            field(
                format!("mailer_templates_{kind}_notification_content"),
                Kind::Text,
                Default::Text(text),
                format!("Body of the {words} notice."),
            ),
        ]
    })
}

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

/// Hooks, and the first edition of each.
const HOOKS: [(&str, Edition); 7] = [
    ("custom_access_token", Edition::FIRST),
    ("mfa_verification_attempt", Edition::FIRST),
    ("password_verification_attempt", Edition::FIRST),
    ("send_sms", Edition::FIRST),
    ("send_email", Edition::FIRST),
    ("before_user_created", Edition::V2026_11),
    ("after_user_created", Edition::V2026_11),
];

fn hooks() -> impl Iterator<Item = AuthField> {
    HOOKS.iter().flat_map(|(hook, since)| {
        let words = hook.replace('_', " ");
        let field = |part: &str, kind, default, about| {
            let field = AuthField::owned(format!("hook_{hook}_{part}"), kind, default, about);
            AuthField { since: *since, ..field }
        };
        [
            field("enabled", Kind::Boolean, Default::Boolean(false), format!("Call the {words} hook.")),
            field("uri", HOOK_ADDRESS, Default::Null, format!("Where the {words} hook is.")),
            field("secrets", HOOK_SECRETS, Default::Null, format!("What signs calls of the {words} hook."))
                .hidden_if(true),
        ]
    })
}

/// Slots of external identity providers, and those with more than the usual three fields.
const SLOTS: std::ops::RangeInclusive<u8> = 1..=20;
const SLOTS_WITH_URL: [u8; 4] = [2, 8, 11, 19];
const SLOTS_WITH_MORE_CLIENTS: [u8; 2] = [1, 9];
const SLOTS_WITH_NONCE: [u8; 1] = [9];

/// Slots whose providers always return an email address.
const SLOTS_WITHOUT_OPTIONAL_EMAIL: [u8; 1] = [19];

/// The newest provider, which has no number.
fn provider_x() -> impl Iterator<Item = AuthField> {
    let field = |part: &str, kind, default, about: &str| {
        AuthField::owned(
            format!("external_x_{part}"),
            kind,
            default,
            format!("{about} of identity provider X."),
        )
        .newer()
    };
    let off = Default::Boolean(false);
    [
        field("enabled", Kind::Boolean, off, "Let users sign in by way"),
        field("client_id", Kind::Text, Default::Null, "Client id"),
        field("secret", Kind::Text, Default::Null, "Client secret").hidden_if(true),
        field("email_optional", Kind::Boolean, off, "Do without the address"),
    ]
    .into_iter()
}

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
            (!SLOTS_WITHOUT_OPTIONAL_EMAIL.contains(&slot))
                .then(|| field("email_optional", Kind::Boolean, off, "Do without the address").newer()),
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
