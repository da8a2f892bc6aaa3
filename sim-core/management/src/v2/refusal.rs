//! Refusals of `/v2`: a code for programs, a message for people, and an issue for each thing that is wrong.

use serde_json::{Value, json};
use sim_base::{Error, Kind, Manner, Problem, invalid_reason, missing_permissions};

use crate::permission;

/// `/v2` on the wire: like `/v1`, except for the format of its errors.
pub(crate) static MANNER: Manner = Manner {
    permit: permission::permit,
    invalid,
    error_body,
    error_schema,
    error_name: "ErrorDocument",
    ..Manner::MESSAGE
};

/// The published codes. A refusal whose reason is among them has that code.
const CODES: [&str; 41] = [
    "bad_request",
    "forbidden",
    "internal_server_error",
    "not_found",
    "payment_required",
    "rate_limit_exceeded",
    "request_timeout",
    "request_too_large",
    "unauthorized",
    VALIDATION_FAILED,
    "agentic_credential_not_found",
    "backup_unsupported",
    "branch_admin_required",
    "compute_build_context_too_large",
    "compute_build_in_progress",
    "compute_deploy_rate_limit_exceeded",
    "compute_instance_limit_exceeded",
    "compute_instance_not_found",
    "compute_not_enabled",
    "compute_request_rejected",
    "compute_unavailable",
    "notebook_cell_duplicate",
    "notebook_cell_unknown",
    "notebook_disabled",
    "notebook_not_found",
    "notebook_sort_invalid",
    "organization_invitation_email_delivery_failed",
    "organization_invitations_partially_failed",
    "organization_role_name_invalid",
    "organization_role_not_entitled",
    "pagination_cursor_invalid",
    "project_branch_resync_unsupported",
    "project_not_found",
    "project_privatelink_disabled",
    "project_transfer_disabled",
    "delivery_not_found",
    "endpoint_disabled",
    "endpoint_event_type_not_subscribed",
    "endpoint_not_found",
    "endpoint_url_unresolvable",
    "webhooks_access_disabled",
];

const VALIDATION_FAILED: &str = "validation_failed";

fn code(error: &Error) -> &'static str {
    if let Some(code) = CODES.into_iter().find(|code| *code == error.reason) {
        return code;
    }
    match error.kind {
        Kind::Invalid if error.reason.starts_with("invalid_") => VALIDATION_FAILED,
        Kind::Unauthorized => "unauthorized",
        Kind::PaymentRequired => "payment_required",
        Kind::Forbidden => "forbidden",
        Kind::NotFound => "not_found",
        Kind::TooLarge => "request_too_large",
        Kind::RateLimited => "rate_limit_exceeded",
        kind if kind.status() == 408 => "request_timeout",
        kind if kind.status() >= 500 => "internal_server_error",
        _ => "bad_request",
    }
}

/// One issue for each problem of an input.
fn invalid(problems: &[Problem], part: &'static str) -> Error {
    let text = problems.iter().map(|problem| problem.message.as_str()).collect::<Vec<_>>().join(", ");
    let error = Error::invalid(invalid_reason(problems, part), text);
    problems.iter().fold(error, |error, problem| error.field(&problem.field, &problem.message))
}

fn error_body(error: &Error) -> Value {
    let mut body = json!({ "code": code(error), "message": error.message });
    if !error.fields().is_empty() {
        body["issues"] = error.fields().iter().map(|(field, message)| issue(field, message)).collect();
    }
    if !error.lacks().is_empty() {
        body["missing_permissions"] = error.lacks().into();
    }
    json!({ "error": body })
}

fn issue(field: &str, message: &str) -> Value {
    json!({ "code": VALIDATION_FAILED, "message": message, "meta": { "field": field } })
}

fn error_schema() -> Value {
    json!({
        "type": "object",
        "description": "Why a call was refused. The header x-sim-reason has a stable word for it.",
        "properties": { "error": {
            "type": "object",
            "properties": {
                "code": { "type": "string", "enum": CODES.as_slice() },
                "message": { "type": "string" },
                "missing_permissions": missing_permissions(),
                "issues": { "type": "array", "items": {
                    "type": "object",
                    "properties": {
                        "code": { "type": "string" },
                        "message": { "type": "string" },
                        "meta": { "type": "object", "properties": { "field": { "type": "string" } } },
                    },
                    "required": ["code", "message"],
                } },
            },
            "required": ["code", "message"],
        } },
        "required": ["error"],
    })
}
