//! The list of control operations, and requests from it.

use http::header::CONTENT_TYPE;
use http::{Method, Request};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::{Error, Result};

/// Every control operation: its id, and its method and path. A test of the server compares this list with its own.
///
/// ```
/// assert!(sim_client::OPERATIONS.contains(&("sim-advance-clock", "POST /_sim/clock/advance")));
/// ```
pub const OPERATIONS: &[(&str, &str)] = &[
    ("sim-get-agenda", "GET /_sim/agenda"),
    ("sim-link-pull-request", "PUT /_sim/branches/{branch_id}/pull-request"),
    ("sim-get-clock", "GET /_sim/clock"),
    ("sim-set-speed", "PATCH /_sim/clock"),
    ("sim-advance-clock", "POST /_sim/clock/advance"),
    ("sim-step", "POST /_sim/clock/step"),
    ("sim-get-coverage", "GET /_sim/coverage"),
    ("sim-diff-worlds", "GET /_sim/diff"),
    ("sim-get-dns", "GET /_sim/dns/{name}"),
    ("sim-set-dns", "PUT /_sim/dns/{name}"),
    ("sim-set-document", "PUT /_sim/documents"),
    ("sim-list-cached-results", "GET /_sim/endpoints/{token}/cache"),
    ("sim-watch", "GET /_sim/events"),
    ("sim-export-world", "GET /_sim/export"),
    ("sim-add-fault", "POST /_sim/faults"),
    ("sim-list-faults", "GET /_sim/faults"),
    ("sim-set-faults", "PUT /_sim/faults"),
    ("sim-delete-fault", "DELETE /_sim/faults/{id}"),
    ("sim-fork-world", "POST /_sim/fork"),
    ("sim-get-history", "GET /_sim/history"),
    ("sim-get-journal", "GET /_sim/journal"),
    ("sim-query-journal", "POST /_sim/journal/query"),
    ("sim-search-journal", "GET /_sim/journal/search"),
    ("sim-list-changes", "GET /_sim/journal/{call}/changes"),
    ("sim-explain", "GET /_sim/journal/{call}/explain"),
    ("sim-get-lens", "GET /_sim/lens"),
    ("sim-list-lifecycles", "GET /_sim/lifecycles"),
    ("sim-write-logs", "POST /_sim/logs"),
    ("sim-list-oauth-apps", "GET /_sim/oauth/apps"),
    ("sim-register-oauth-app", "POST /_sim/oauth/apps"),
    ("sim-delete-oauth-app", "DELETE /_sim/oauth/apps/{client_id}"),
    ("sim-remove-oauth-authorization", "DELETE /_sim/oauth/apps/{client_id}/authorizations/{user}"),
    ("sim-set-oauth-consent", "PUT /_sim/oauth/consent"),
    ("sim-get-openapi", "GET /_sim/openapi.json"),
    ("sim-accept-invitation", "PUT /_sim/organizations/{slug}/invitations/{user}"),
    ("sim-remove-member", "DELETE /_sim/organizations/{slug}/members/{user}"),
    ("sim-set-member", "PUT /_sim/organizations/{slug}/members/{user}"),
    ("sim-set-organization-options", "PUT /_sim/organizations/{slug}/options"),
    ("sim-set-plan", "PUT /_sim/organizations/{slug}/plan"),
    ("sim-list-outbox", "GET /_sim/outbox"),
    ("sim-answer-message", "POST /_sim/outbox/{id}"),
    ("sim-set-next-outcome", "PUT /_sim/outcomes/{work}"),
    ("sim-list-next-outcomes", "GET /_sim/outcomes"),
    ("sim-delete-next-outcome", "DELETE /_sim/outcomes/{work}"),
    ("sim-peek", "POST /_sim/peek"),
    ("sim-draw-plans", "GET /_sim/plans"),
    ("sim-get-policy", "GET /_sim/policy"),
    ("sim-get-profile", "GET /_sim/profile"),
    ("sim-list-addons", "GET /_sim/projects/{ref}/addons"),
    ("sim-set-addon", "PUT /_sim/projects/{ref}/addons/{addon}"),
    ("sim-set-backup", "PUT /_sim/projects/{ref}/backups"),
    ("sim-restore-backup", "POST /_sim/projects/{ref}/backups/restore"),
    ("sim-get-branch-seed", "GET /_sim/projects/{ref}/branch-seed"),
    ("sim-set-branch-seed", "PUT /_sim/projects/{ref}/branch-seed"),
    ("sim-use-connection", "POST /_sim/projects/{ref}/connections"),
    ("sim-fail-login", "POST /_sim/projects/{ref}/database/failed-logins"),
    ("sim-get-webhooks", "GET /_sim/projects/{ref}/database/webhooks"),
    ("sim-write-database", "POST /_sim/projects/{ref}/database/writes"),
    ("sim-push-function", "POST /_sim/projects/{ref}/functions/{function_slug}/events"),
    ("sim-set-service-health", "PUT /_sim/projects/{ref}/health/{service}"),
    ("sim-get-instance-size", "GET /_sim/projects/{ref}/instance-size"),
    ("sim-resize-project", "PUT /_sim/projects/{ref}/instance-size"),
    ("sim-set-pool-mode", "PUT /_sim/projects/{ref}/pool-mode"),
    ("sim-set-read-only", "PUT /_sim/projects/{ref}/read-only"),
    ("sim-list-replicas", "GET /_sim/projects/{ref}/read-replicas"),
    ("sim-query-replica", "POST /_sim/projects/{ref}/read-replicas/query"),
    ("sim-set-upgrade-error", "PUT /_sim/projects/{ref}/upgrade/error"),
    ("sim-set-upgrade-obstacles", "PUT /_sim/projects/{ref}/upgrade/obstacles"),
    ("sim-read-vault-value", "GET /_sim/projects/{ref}/vault/{name}"),
    ("sim-write-vault-value", "PUT /_sim/projects/{ref}/vault/{name}"),
    ("sim-set-vcs-connection", "PUT /_sim/projects/{ref}/vcs-connection"),
    ("sim-list-rate-windows", "GET /_sim/rate-windows"),
    ("sim-get-replay", "GET /_sim/replay"),
    ("sim-reset-world", "POST /_sim/reset"),
    ("sim-list-scenarios", "GET /_sim/scenarios"),
    ("sim-create-snapshot", "POST /_sim/snapshots"),
    ("sim-list-snapshots", "GET /_sim/snapshots"),
    ("sim-delete-snapshot", "DELETE /_sim/snapshots/{name}"),
    ("sim-restore-snapshot", "POST /_sim/snapshots/{name}/restore"),
    ("sim-create-snippet", "POST /_sim/snippets"),
    ("sim-delete-snippet", "DELETE /_sim/snippets/{id}"),
    ("sim-update-snippet", "PATCH /_sim/snippets/{id}"),
    ("sim-list-events", "GET /_sim/sources/{token}/events"),
    ("sim-get-event-volume", "GET /_sim/sources/{token}/volume"),
    ("sim-list-sweep-points", "POST /_sim/sweep/points"),
    ("sim-judge-run", "POST /_sim/sweep/verdict"),
    ("sim-add-team-user", "POST /_sim/teams/{token}/users"),
    ("sim-list-tokens", "GET /_sim/tokens"),
    ("sim-introspect-token", "POST /_sim/tokens/introspect"),
    ("sim-revoke-token", "DELETE /_sim/tokens/{id}"),
    ("sim-create-user", "POST /_sim/users"),
    ("sim-list-users", "GET /_sim/users"),
    ("sim-create-token", "POST /_sim/users/{user}/tokens"),
    ("sim-get-warehouse", "GET /_sim/warehouse"),
    ("sim-list-warehouse-requests", "GET /_sim/warehouse/requests"),
    ("sim-list-webhook-posts", "GET /_sim/webhooks/posts"),
    ("sim-answer-webhook-post", "POST /_sim/webhooks/posts/{id}"),
    ("sim-create-world", "POST /_sim/worlds"),
    ("sim-list-worlds", "GET /_sim/worlds"),
    ("sim-delete-world", "DELETE /_sim/worlds/{name}"),
    ("sim-get-world", "GET /_sim/worlds/{name}"),
];

/// The characters that need no escape in paths and queries.
const UNESCAPED: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b',').remove(b'~');

/// The request of an operation. The fields of its path, query and body are given together; `null` counts as missing. An array is
/// the whole body.
pub(crate) fn request(id: &str, fields: &impl Serialize) -> Result<Request<Vec<u8>>> {
    let known = OPERATIONS.iter().find(|(known, _)| *known == id);
    let (_, line) = known.ok_or_else(|| Error::no_answer(format!("there is no control operation {id:?}")))?;
    let (method, template) = line.split_once(' ').expect("a line has a method and a path");
    let method: Method = method.parse().expect("a line has a method");
    let mut fields = match serde_json::to_value(fields).map_err(Error::no_answer)? {
        Value::Object(fields) => fields,
        Value::Null => Map::new(),
        body => return with_body(method, template, &body),
    };
    fields.retain(|_, value| !value.is_null());
    let target = path(id, template, &mut fields)?;
    if method != Method::GET && method != Method::DELETE {
        return with_body(method, &target, &Value::Object(fields));
    }
    let pairs: Vec<String> =
        fields.iter().map(|(name, value)| format!("{}={}", escaped(name), escaped(&text(value)))).collect();
    let query = if pairs.is_empty() { String::new() } else { format!("?{}", pairs.join("&")) };
    let request = Request::builder().method(method).uri(format!("{target}{query}"));
    request.body(Vec::new()).map_err(Error::no_answer)
}

/// Fills the names of `template` with values of `fields`, and removes these fields.
fn path(id: &str, template: &str, fields: &mut Map<String, Value>) -> Result<String> {
    let mut path = String::new();
    for piece in template.split_inclusive(['{', '}']) {
        match piece.strip_suffix('}') {
            None => path.push_str(piece.trim_end_matches('{')),
            Some(name) => {
                let value = fields.remove(name);
                let value = value.ok_or_else(|| Error::no_answer(format!("{id}: needs {name}")))?;
                path.push_str(&escaped(&text(&value)));
            }
        }
    }
    Ok(path)
}

fn with_body(method: Method, target: &str, body: &Value) -> Result<Request<Vec<u8>>> {
    let request = Request::builder().method(method).uri(target).header(CONTENT_TYPE, "application/json");
    request.body(body.to_string().into_bytes()).map_err(Error::no_answer)
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn escaped(text: &str) -> String {
    utf8_percent_encode(text, UNESCAPED).to_string()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn shown(id: &str, fields: Value) -> String {
        match request(id, &fields) {
            Ok(request) => {
                let body = String::from_utf8_lossy(request.body());
                format!("{} {} {body}", request.method(), request.uri()).trim_end().to_owned()
            }
            Err(error) => error.message,
        }
    }

    #[test]
    fn fields_go_to_path_query_and_body() {
        for (id, fields, expected) in [
            ("sim-get-clock", json!(null), "GET /_sim/clock"),
            ("sim-get-world", json!({ "name": "a b" }), "GET /_sim/worlds/a%20b"),
            ("sim-get-journal", json!({ "from": 2, "limit": null }), "GET /_sim/journal?from=2"),
            ("sim-step", json!({}), "POST /_sim/clock/step {}"),
            ("sim-set-dns", json!({ "name": "x", "cname": "y" }), r#"PUT /_sim/dns/x {"cname":"y"}"#),
            ("sim-set-faults", json!([]), "PUT /_sim/faults []"),
            ("sim-get-world", json!({}), "sim-get-world: needs name"),
            ("sim-nothing", json!({}), "there is no control operation \"sim-nothing\""),
        ] {
            assert_eq!(shown(id, fields), expected);
        }
    }
}
