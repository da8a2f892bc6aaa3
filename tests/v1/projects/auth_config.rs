//! `/v1/projects/{ref}/config/auth`.

use insta::assert_snapshot;
use serde_json::{Value, json};
use sim_core::management::auth_field;
use sim_core::{Edition, Policy, Profile, RateLimit, Simulator};
use sim_fixtures::{Api, Call, scenario};

use crate::steps::under;
use crate::support::both;

const PATH: &str = "/v1/projects/{ref}/config/auth";

/// The value of one field.
fn field(api: &mut dyn Api, name: &str) -> Value {
    api.get(PATH).json()[name].clone()
}

/// Status, reason and text of the response to an update.
fn update(api: &mut dyn Api, body: Value) -> String {
    let reply = api.patch(PATH, body);
    format!("{} {} {}", reply.status, reply.reason(), reply.json()["message"].as_str().unwrap_or_default())
}

#[test]
fn a_new_project_has_every_field_at_its_default() {
    both(scenario::active_project, |api| {
        let config = api.get(PATH).json();
        for field in auth_field::all() {
            assert_eq!(config[&*field.name], field.default.value(), "{}", field.name);
        }
        assert_eq!(config.as_object().expect("an object").len(), 238);
        assert_eq!(config["site_url"], "http://localhost:3000");
        assert_eq!(config["mailer_subjects_invite"], "You have been invited");
        assert_eq!(config["sms_provider"], "vendor_c");
        assert_eq!(config["external_idp_20_secret"], Value::Null);
    });
}

#[test]
fn the_first_edition_has_its_own_fields() {
    both(
        || under(|policy| policy.edition = Edition::V2025_05),
        |api| {
            let config = api.get(PATH).json();
            assert_eq!(config.as_object().expect("an object").len(), 170);
            let reply = api.patch(PATH, json!({ "passkey_enabled": true, "sessions_timebox": 1.5 }));
            assert_eq!(reply.reason(), "invalid_body.sessions_timebox");
            let reply = api.patch(PATH, json!({ "passkey_enabled": true, "jwt_exp": 60 }));
            assert_eq!((reply.status, reply.header("x-sim-ignored")), (200, "body.passkey_enabled"));
            assert_eq!(reply.json()["jwt_exp"], 60);
        },
    );
}

#[test]
fn an_update_answers_the_whole_configuration_and_leaves_the_rest_as_it_was() {
    both(scenario::active_project, |api| {
        let before = api.get(PATH).json();
        let answered = api.patch(PATH, json!({ "jwt_exp": 60, "disable_signup": true })).json();
        assert_eq!(answered, api.get(PATH).json());
        for (name, value) in before.as_object().expect("an object") {
            let expected = match name.as_str() {
                "jwt_exp" => &json!(60),
                "disable_signup" => &json!(true),
                _ => value,
            };
            assert_eq!(&answered[name], expected, "{name}");
        }
    });
}

#[test]
fn every_field_can_be_set_and_read_back() {
    let unlimited = Policy { rate_limit: RateLimit::off(), ..Policy::default() };
    both(
        || scenario::project_in(scenario::with_policy(unlimited.clone())),
        |api| {
            for field in auth_field::all().iter().filter(|field| field.settable && !field.secret) {
                let value = match field.kind {
                    auth_field::Kind::Boolean => json!(true),
                    auth_field::Kind::Integer(min, max) => json!(max.min(min + 1)),
                    auth_field::Kind::Hours => json!(1.5),
                    auth_field::Kind::Text => json!("any, text"),
                    auth_field::Kind::Like(..) if field.name == "sms_test_otp" => json!("4915112345=123456"),
                    auth_field::Kind::Like(..) if field.name == "sessions_tags" => json!("web,mobile"),
                    auth_field::Kind::Like(..) if field.name == "smtp_admin_email" => {
                        json!("a.b@mail.example")
                    }
                    auth_field::Kind::Like(..) => json!("https://app.example"),
                    auth_field::Kind::Instant => json!("2026-06-01T00:00:00Z"),
                    auth_field::Kind::OneOf(names) | auth_field::Kind::OneOfInUpdates(names) => {
                        json!(names[names.len() - 1])
                    }
                };
                let mut body = json!({ &*field.name: value });
                if let Some(factor) = field.name.strip_suffix("_enroll_enabled") {
                    body[format!("{factor}_verify_enabled")] = true.into();
                }
                if field.name == "rate_limit_email_sent" {
                    body["smtp_host"] = "mail.example".into();
                }
                let reply = api.patch(PATH, body);
                assert_eq!(reply.status, 200, "{}: {reply}", field.name);
                assert_eq!(reply.json()[&*field.name], value, "{}", field.name);
            }
        },
    );
}

#[test]
fn secrets_are_answered_as_digests_under_the_project_reference_and_kept_out_of_the_journal() {
    both(scenario::active_project, |api| {
        for field in auth_field::all().iter().filter(|field| field.secret) {
            let text = match field.kind {
                auth_field::Kind::Text => "s3cret".to_owned(),
                _ => format!("v1,whsec_{}", "s3cr".repeat(8)),
            };
            let reply = api.patch(PATH, json!({ &*field.name: text }));
            let digest = reply.json()[&*field.name].as_str().expect("a digest").to_owned();
            assert!(
                digest.len() == 64 && digest.chars().all(|c| c.is_ascii_hexdigit()),
                "{}: {digest}",
                field.name
            );
        }
        api.look(&mut |sim| {
            for call in sim.journal() {
                assert!(!call.request.unwrap_or_default().contains("s3cr"), "call {}", call.call);
            }
        });
        // Computed with another implementation of HMAC-SHA256.
        assert_eq!(api.project(), "jyegvyphfflqhlxwbqup");
        assert_eq!(
            field(api, "smtp_pass"),
            "36a14bd60f947d38e655271226d33f4609d08b3f022beeab2d2783fb2688cf91"
        );
    });
}

#[test]
fn writing_back_what_was_read_changes_nothing() {
    both(scenario::active_project, |api| {
        let hook = format!("v1,whsec_{}", "s3cr".repeat(10));
        let secrets = json!({
            "hook_send_email_secrets": hook,
            "smtp_pass": "s3cret",
            "external_idp_01_secret": "s3cret",
            "security_captcha_secret": "s3cret",
        });
        assert_eq!(api.patch(PATH, secrets).status, 200);
        let before = api.get(PATH).json();
        let reply = api.patch(PATH, before.clone());
        assert_eq!((reply.status, reply.json()), (200, before));
    });
}

#[test]
fn an_empty_secret_is_kept_as_it_is() {
    both(scenario::active_project, |api| {
        api.patch(PATH, json!({ "smtp_pass": "s3cret" }));
        api.patch(PATH, json!({ "smtp_pass": "" }));
        assert_eq!(field(api, "smtp_pass"), "");
    });
}

#[test]
fn null_puts_the_default_back() {
    both(scenario::active_project, |api| {
        api.patch(PATH, json!({ "jwt_exp": 60, "smtp_pass": "s3cret", "smtp_host": "mail.example" }));
        let reply = api.patch(PATH, json!({ "jwt_exp": null, "smtp_pass": null, "smtp_host": null })).json();
        assert_eq!(reply["jwt_exp"], 3600);
        assert_eq!(reply["smtp_pass"], Value::Null);
        assert_eq!(reply["smtp_host"], Value::Null);
    });
}

#[test]
fn unknown_fields_are_ignored() {
    both(scenario::active_project, |api| {
        let before = api.get(PATH).json();
        let body = json!({ "no_such_field": 1, "saml_allow_encrypted_assertions": true });
        assert_eq!(api.patch(PATH, body).json(), before);
    });
}

#[test]
fn values_have_bounds() {
    let rows: &[(Value, &str, &str)] = &[
        (json!({ "jwt_exp": 604_801 }), "jwt_exp", "jwt_exp: Number must be less than or equal to 604800"),
        (json!({ "jwt_exp": "60" }), "jwt_exp", "jwt_exp: Expected integer, received string"),
        (
            json!({ "disable_signup": 1 }),
            "disable_signup",
            "disable_signup: Expected boolean, received number",
        ),
        (
            json!({ "mailer_otp_length": 5 }),
            "mailer_otp_length",
            "mailer_otp_length: Number must be greater than or equal to 6",
        ),
        (
            json!({ "mailer_otp_exp": null }),
            "mailer_otp_exp",
            "mailer_otp_exp: Expected integer, received null",
        ),
        (
            json!({ "sms_otp_length": null }),
            "sms_otp_length",
            "sms_otp_length: Expected integer, received null",
        ),
        (
            json!({ "password_min_length": 5 }),
            "password_min_length",
            "password_min_length: Number must be greater than or equal to 6",
        ),
        (
            json!({ "rate_limit_otp": 0 }),
            "rate_limit_otp",
            "rate_limit_otp: Number must be greater than or equal to 1",
        ),
        (
            json!({ "smtp_max_frequency": 32_768 }),
            "smtp_max_frequency",
            "smtp_max_frequency: Number must be less than or equal to 32767",
        ),
        (json!({ "smtp_port": 25 }), "smtp_port", "smtp_port: Expected string, received number"),
        (
            json!({ "site_url": "https://a,https://b" }),
            "site_url",
            "site_url: Invalid, must be one address, without a comma",
        ),
        (
            json!({ "saml_external_url": "https://a,b" }),
            "saml_external_url",
            "saml_external_url: Invalid, must be one address, without a comma",
        ),
        (
            json!({ "sessions_tags": "a b" }),
            "sessions_tags",
            "sessions_tags: Invalid, must be names of letters, digits, _ and -, with commas between",
        ),
        (
            json!({ "sms_test_otp": "x=1" }),
            "sms_test_otp",
            "sms_test_otp: Invalid, must be phone=code pairs, with commas between",
        ),
        (
            json!({ "sms_test_otp_valid_until": "tomorrow" }),
            "sms_test_otp_valid_until",
            "sms_test_otp_valid_until: Invalid datetime, expected RFC 3339 as in 2026-01-01T00:00:00Z",
        ),
        (
            json!({ "security_captcha_provider": "x" }),
            "security_captcha_provider",
            "security_captcha_provider: Invalid enum value. Expected 'turnstile' | 'hcaptcha', received 'x'",
        ),
        (
            json!({ "hook_send_sms_uri": "ftp://x" }),
            "hook_send_sms_uri",
            "hook_send_sms_uri: Invalid, must be an address that starts with https://, http:// or pg-functions://",
        ),
        (
            json!({ "hook_send_sms_secrets": "s3cret" }),
            "hook_send_sms_secrets",
            "hook_send_sms_secrets: Invalid, must be v1,whsec_ and 32 to 88 characters of base64, several joined by a bar",
        ),
    ];
    both(scenario::active_project, |api| {
        let before = api.get(PATH).json();
        for (body, name, text) in rows {
            assert_eq!(update(api, body.clone()), format!("400 invalid_body.{name} {text}"), "{body}");
        }
        let reply = api.patch(PATH, json!({ "password_required_characters": "abc" }));
        assert_eq!((reply.status, reply.reason()), (400, "invalid_body.password_required_characters"));
        assert_eq!(api.get(PATH).json(), before);
    });
}

#[test]
fn adding_a_factor_needs_signing_in_with_it_if_the_policy_says_so() {
    both(scenario::active_project, |api| {
        assert_eq!(api.patch(PATH, json!({ "mfa_phone_enroll_enabled": true })).status, 200);
    });
    let strict = Policy { auth_needs_credentials: true, ..Policy::default() };
    both(
        || scenario::project_in(scenario::with_policy(strict.clone())),
        |api| {
            for factor in ["totp", "phone", "web_authn"] {
                let [enroll, verify] =
                    ["enroll", "verify"].map(|part| format!("mfa_{factor}_{part}_enabled"));
                assert_eq!(
                    update(api, json!({ &enroll: true, &verify: false })),
                    format!("400 mfa_enroll_without_verify {enroll}: cannot be true while {verify} is false")
                );
                assert_eq!(api.patch(PATH, json!({ &enroll: true, &verify: true })).status, 200);
                // Stored values count like sent ones.
                assert_eq!(api.patch(PATH, json!({ &verify: false })).status, 400);
                assert_eq!(api.patch(PATH, json!({ &enroll: false, &verify: false })).status, 200);
            }
        },
    );
}

#[test]
fn checking_for_leaked_passwords_takes_a_paid_plan() {
    both(scenario::free_quota_used_up, |api| {
        assert_eq!(
            update(api, json!({ "password_hibp_enabled": true })),
            "402 plan_too_low password_hibp_enabled: checking for leaked passwords requires a higher plan."
        );
        assert_eq!(api.patch(PATH, json!({ "password_hibp_enabled": false })).status, 200);
    });
    both(scenario::active_project, |api| {
        assert_eq!(api.patch(PATH, json!({ "password_hibp_enabled": true })).status, 200);
    });
}

#[test]
fn a_policy_may_want_an_address_before_saml_is_turned_on() {
    let strict = Policy { saml_needs_external_url: true, ..Policy::default() };
    let strict = || scenario::project_in(scenario::with_policy(strict.clone()));
    both(strict, |api| {
        assert_eq!(
            update(api, json!({ "saml_enabled": true })),
            "400 saml_without_external_url saml_external_url: Required while saml_enabled is true"
        );
        let body = json!({ "saml_enabled": true, "saml_external_url": "https://auth.example" });
        assert_eq!(api.patch(PATH, body).status, 200);
    });
}

#[test]
fn a_policy_may_want_the_credentials_of_what_is_turned_on() {
    let strict = Policy { auth_needs_credentials: true, ..Policy::default() };
    let strict = || scenario::project_in(scenario::with_policy(strict.clone()));
    let rows = [
        (json!({ "security_captcha_enabled": true }), "security_captcha_secret", "security_captcha_enabled"),
        (json!({ "external_phone_enabled": true }), "sms_vendor_c_account_sid", "external_phone_enabled"),
        (
            json!({ "external_phone_enabled": true, "sms_provider": "vendor_b" }),
            "sms_vendor_b_api_key",
            "external_phone_enabled",
        ),
        (json!({ "external_idp_07_enabled": true }), "external_idp_07_client_id", "external_idp_07_enabled"),
        (json!({ "hook_send_sms_enabled": true }), "hook_send_sms_uri", "hook_send_sms_enabled"),
    ];
    both(strict, |api| {
        for (body, missing, switch) in &rows {
            let text = format!("400 auth_credentials_missing {missing}: Required while {switch} is true");
            assert_eq!(update(api, body.clone()), text);
        }
        assert_eq!(
            update(api, json!({ "smtp_host": "mail.example" })),
            "400 auth_credentials_missing smtp_admin_email: Required while smtp_host is set"
        );
        let whole = json!({
            "security_captcha_enabled": true, "security_captcha_secret": "s3cret", "external_phone_enabled": true,
            "sms_provider": "vendor_b", "sms_vendor_b_api_key": "key", "sms_vendor_b_sender": "acme",
            "smtp_host": "mail.example", "smtp_port": "25", "smtp_user": "u", "smtp_pass": "p",
            "smtp_admin_email": "a@b.example",
        });
        assert_eq!(update(api, whole), "200  ");
        // What is set already counts.
        assert_eq!(
            update(api, json!({ "security_captcha_secret": null })),
            "400 auth_credentials_missing security_captcha_secret: Required while security_captcha_enabled is true"
        );
    });
    // Without the policy, clients may set them one by one.
    both(scenario::active_project, |api| {
        for (body, ..) in &rows {
            assert_eq!(update(api, body.clone()), "200  ");
        }
    });
}

#[test]
fn a_profile_gives_slots_and_vendors_other_names() {
    let names =
        [("idp_01", "acme"), ("vendor_c", "courier")].map(|(from, to)| (from.to_owned(), to.to_owned()));
    let renamed = || {
        let profile = Profile { names: names.clone().into(), ..Profile::default() };
        scenario::project_in(Simulator::builder().profile(profile).world(scenario::cast("pro")).build())
    };
    both(renamed, |api| {
        assert_eq!(field(api, "sms_provider"), "courier");
        let body = json!({ "external_acme_client_id": "me", "sms_provider": "courier_verify" });
        let reply = api.patch(PATH, body).json();
        assert_eq!(reply["external_acme_client_id"], "me");
        assert_eq!(reply["sms_provider"], "courier_verify");
        assert_eq!(reply["external_idp_01_client_id"], Value::Null);
    });
}

#[test]
fn reading_is_for_members_and_updating_for_administrators() {
    both(scenario::active_project, |api| {
        let change = || Call::new(http::Method::PATCH, PATH).json(json!({}));
        assert_eq!(api.send(Call::get(PATH).token("token-of-reader")).status, 200);
        assert_eq!(api.send(Call::get(PATH).token("token-of-outsider")).status, 403);
        assert_eq!(api.send(Call::get(PATH).nobody()).status, 401);
        assert_eq!(api.send(change().token("token-of-developer")).status, 403);
        assert_eq!(api.send(change().token("token-of-administrator")).status, 200);
        assert_eq!(api.get("/v1/projects/short/config/auth").status, 400);
    });
    both(scenario::four_roles, |api| {
        assert_snapshot!(api.get(PATH), @r#"404 {"message":"Project not found"}"#);
        assert_snapshot!(api.patch(PATH, json!({})), @r#"404 {"message":"Project not found"}"#);
    });
    both(scenario::removed_project, |api| {
        assert_snapshot!(api.get(PATH), @r#"400 {"message":"Resource has been removed"}"#);
        assert_snapshot!(api.patch(PATH, json!({})), @r#"400 {"message":"Resource has been removed"}"#);
    });
}

#[test]
fn another_rate_of_emails_takes_a_server_of_ones_own() {
    both(scenario::active_project, |api| {
        let text = "401 custom_smtp_missing Custom SMTP required to configure the following fields: RATE_LIMIT_EMAIL_SENT";
        assert_eq!(update(api, json!({ "rate_limit_email_sent": 50 })), text);
        let same = field(api, "rate_limit_email_sent");
        assert_eq!(update(api, json!({ "rate_limit_email_sent": same })), "200  ");
        assert_eq!(update(api, json!({ "rate_limit_email_sent": 50, "smtp_host": "mail.example" })), "200  ");
        assert_eq!(update(api, json!({ "smtp_host": null })), "200  ", "what is stored stays");
        assert_eq!(update(api, json!({ "rate_limit_email_sent": 51 })), text);
        assert_eq!(update(api, json!({ "rate_limit_email_sent": null })), "200  ");
    });
}
