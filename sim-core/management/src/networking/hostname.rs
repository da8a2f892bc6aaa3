//! `/v1/projects/{ref}/custom-hostname`: a project under a host name of the customer. Its steps from the
//! first DNS record to the certificate are in `hostname_progress`.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;
use serde_json::Value;
use sim_base::operations;
use sim_base::{
    Cx, Edition, Empty, Error, FromJson, Kind, Meta, New, Operation, Profile, Resource, Scope, Task as _,
    TaskEntry, ToSchema, View, act, delete, get, post, view,
};

use crate::addon::{self, Addon};
use crate::dns::SetDns;
pub use crate::hostname_progress::{Event, Status};
use crate::hostname_progress::{Progress, Ssl, find, load};
use crate::outcome::{self, Work};
use crate::project::{self, ProjectRef, Row};
use crate::{text_of, vanity};

operations![InitializeHostname, GetHostname, ReverifyHostname, ActivateHostname, DeleteHostname];

pub(crate) const RESOURCE: Resource =
    Resource { tables: TABLES, operations: OPERATIONS, tasks: &[TaskEntry::of::<Progress>()] };

const TABLES: &str = "
    CREATE TABLE custom_hostname (
        project TEXT PRIMARY KEY REFERENCES project (ref) ON DELETE CASCADE,
        hostname TEXT NOT NULL,
        id TEXT NOT NULL,
        ownership TEXT NOT NULL,
        challenge TEXT NOT NULL,
        status TEXT NOT NULL,
        owned INTEGER NOT NULL,
        verification_errors TEXT NOT NULL,
        ssl_status TEXT NOT NULL,
        validation_errors TEXT NOT NULL,
        changed_by_call INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX custom_hostname_by_name ON custom_hostname (hostname);
";

pub(crate) const VIEWS: &[View] = &[view(
    "custom_hostname",
    "A custom hostname.",
    "SELECT project, hostname, id, status, owned, ssl_status, verification_errors, validation_errors,
     changed_by_call FROM custom_hostname",
)];

/// A project's custom hostname.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct CustomHostname {
    /// Its status.
    pub status: Status,
    /// The name.
    pub custom_hostname: String,
    /// The answer of the provider of custom hostnames.
    pub data: HostnameData,
}

impl CustomHostname {
    /// The DNS records that the customer must set.
    pub fn wanted_records(&self) -> Vec<SetDns> {
        let result = &self.data.result;
        let ownership = &result.ownership_verification;
        let mut records = vec![SetDns::cname(&result.hostname, &result.custom_origin_server)];
        if !ownership.name.is_empty() {
            records.push(SetDns::txt(&ownership.name, &ownership.value));
        }
        records.extend(
            result.ssl.validation_records.iter().map(|one| SetDns::txt(&one.txt_name, &one.txt_value)),
        );
        records
    }
}

/// An answer of the provider of custom hostnames.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct HostnameData {
    /// Whether the provider's operation succeeded.
    pub success: bool,
    /// The errors.
    pub errors: Vec<BTreeMap<String, Value>>,
    /// Other messages.
    pub messages: Vec<BTreeMap<String, Value>>,
    /// The hostname at the provider.
    pub result: HostnameResult,
}

/// A custom hostname, as stored at its provider.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct HostnameResult {
    /// UUID.
    pub id: String,
    /// The name.
    pub hostname: String,
    /// Its certificate.
    pub ssl: HostnameSsl,
    /// The record that proves the ownership of the name; empty texts after that.
    pub ownership_verification: OwnershipVerification,
    /// The host that the name must point at.
    pub custom_origin_server: String,
    /// The errors of the last check; absent if there were none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verification_errors: Option<Vec<String>>,
    /// `pending`, then `active`.
    pub status: String,
}

/// The certificate of a custom hostname.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct HostnameSsl {
    /// `initializing`, `pending_validation`, `pending_deployment`, `active` or `validation_timed_out`.
    pub status: String,
    /// Records that the certificate's authority requires.
    pub validation_records: Vec<ValidationRecord>,
    /// The reasons why there is no certificate; absent if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub validation_errors: Option<Vec<ValidationError>>,
}

/// A required text record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct ValidationRecord {
    /// Its name.
    pub txt_name: String,
    /// Its text.
    pub txt_value: String,
}

/// A reason why there is no certificate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct ValidationError {
    /// The message.
    pub message: String,
}

/// The record that proves the ownership of a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct OwnershipVerification {
    /// `txt`.
    pub r#type: String,
    /// Its name.
    pub name: String,
    /// Its text.
    pub value: String,
}

/// Get a project's custom hostname.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct GetHostname {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl Operation for GetHostname {
    type Output = CustomHostname;
    const META: Meta = Meta {
        beta: true,
        scope: Some(Scope("domains:read")),
        also: &[500],
        failure: "Failed to retrieve project's custom hostname config",
        ..get("v1-get-hostname-config", "/v1/projects/{ref}/custom-hostname")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<CustomHostname, Error> {
        let project = project::load(cx, &self.r#ref)?;
        Ok(load(cx, &project)?.shown(cx))
    }
}

/// Give a project a custom hostname.
///
/// The answer has the DNS records to set. Needs the add-on for it; excludes a vanity subdomain.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct InitializeHostname {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The name, below a domain of the customer's.
    #[schemars(
        length(min = 1, max = 253),
        regex(
            pattern = r"^([A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?\.){2,}[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$"
        ),
        extend("x-rule" = "a name below a domain, such as app.example.com")
    )]
    pub custom_hostname: String,
}

impl Operation for InitializeHostname {
    type Output = CustomHostname;
    const META: Meta = Meta {
        beta: true,
        scope: Some(Scope("domains:write")),
        check: Some(check_not_ours),
        also: &[500, 544],
        failure: "Failed to update project custom hostname configuration",
        ..post("v1-update-hostname-config", "/v1/projects/{ref}/custom-hostname/initialize")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<CustomHostname, Error> {
        let project = project::load(cx, &self.r#ref)?;
        if !addon::has(cx, &project.r#ref, Addon::CustomDomain) {
            let text = "Please enable the Custom Domain add-on for the project first.";
            return Err(Error::invalid("addon_missing", text).because("add-on", "custom_domain", None));
        }
        require_none(cx, &project)?;
        vanity::require_none(cx, &project)?;
        let hostname = self.custom_hostname.to_ascii_lowercase();
        require_free(cx, &hostname)?;
        insert(cx, &project, &hostname);
        let accepted = Progress::of(&project, Event::Accept);
        match cx.policy.durations.hostname_accept_ms {
            0 => drop(accepted.run(cx)),
            wait => cx.after(Duration::from_millis(wait), &accepted),
        }
        Ok(load(cx, &project)?.shown(cx))
    }
}

fn check_not_ours(input: &Value, profile: &Profile) -> Result<(), Error> {
    let name = input["custom_hostname"].as_str().unwrap_or_default().to_ascii_lowercase();
    let ours = &profile.project_domain;
    if !name.strip_suffix(ours.as_str()).is_some_and(|rest| rest.ends_with('.')) {
        return Ok(());
    }
    let text = format!("custom_hostname: Invalid, must not be below {ours}");
    Err(Error::invalid("invalid_body.custom_hostname", text))
}

fn require_none(cx: &Cx<'_>, project: &Row) -> Result<(), Error> {
    let Some(existing) = find(cx, &project.r#ref) else { return Ok(()) };
    let text =
        "Delete the custom hostname associated with your project before attempting to create a new one.";
    Err(existing.explain(Error::new(Kind::HostnameProvider, "hostname_exists", text)))
}

fn require_free(cx: &Cx<'_>, hostname: &str) -> Result<(), Error> {
    let sql = "SELECT project FROM custom_hostname WHERE hostname = ?1";
    let holders = cx.db.all(sql, (hostname,), |row| row.get::<_, String>(0));
    // A removed project keeps its rows for a while, but its hostname is free.
    match holders.into_iter().find(|holder| project::load(cx, &ProjectRef(holder.clone())).is_ok()) {
        Some(holder) => {
            let text = format!("The custom hostname {hostname} is in use by another project.");
            Err(Error::invalid("hostname_taken", text).because("project", holder, None))
        }
        None => Ok(()),
    }
}

fn insert(cx: &Cx<'_>, project: &Row, hostname: &str) {
    let mut draw = cx.rng.draw("custom hostname");
    cx.db.run(
        "INSERT INTO custom_hostname VALUES (?1, ?2, ?3, ?4, ?5, ?6, FALSE, '[]', ?7, '[]', ?8)",
        (
            &project.r#ref,
            hostname,
            draw.uuid().to_string(),
            draw.uuid().to_string(),
            draw.hex::<32>(),
            text_of(&Status::NotStarted),
            Ssl::Initializing.as_str(),
            cx.call as i64,
        ),
    );
}

/// Check the DNS records of a custom hostname again.
///
/// The check takes a while. To see the result, get the hostname.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct ReverifyHostname {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl Operation for ReverifyHostname {
    type Output = CustomHostname;
    const META: Meta = Meta {
        status: 201,
        beta: true,
        scope: Some(Scope("domains:write")),
        also: &[500],
        failure: "Failed to verify project custom hostname configuration",
        ..act("v1-verify-dns-config", "/v1/projects/{ref}/custom-hostname/reverify")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<CustomHostname, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let not_pending = || {
            let text = "Project is not pending custom hostname verification.";
            Error::invalid("hostname_not_pending", text)
        };
        let hostname = find(cx, &project.r#ref).ok_or_else(not_pending)?;
        match hostname.status {
            Status::NotStarted => Err(hostname.explain(not_pending())),
            Status::Initiated => {
                // One check is enough, however often it is requested.
                if !cx.is_scheduled::<Progress>(&project.r#ref) {
                    let usual_ms = cx.policy.durations.hostname_verification_ms;
                    let end = outcome::of(cx, Work::HostnameVerification, &project.r#ref, usual_ms);
                    end.schedule(cx, &Progress::of(&project, Event::Verify));
                }
                Ok(hostname.shown(cx))
            }
            Status::ChallengeVerified => Ok(hostname.shown(cx)),
            Status::OriginSetupCompleted => {
                let text = "Verification has been completed, please proceed to activation.";
                Err(hostname.explain(Error::invalid("hostname_verified", text)))
            }
            Status::ServicesReconfigured => Err(hostname.explain(already_active())),
        }
    }
}

/// Make a project's services available under its custom hostname.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct ActivateHostname {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl Operation for ActivateHostname {
    type Output = CustomHostname;
    const META: Meta = Meta {
        status: 201,
        beta: true,
        scope: Some(Scope("domains:write")),
        also: &[500],
        failure: "Failed to activate project custom hostname configuration",
        ..act("v1-activate-custom-hostname", "/v1/projects/{ref}/custom-hostname/activate")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<CustomHostname, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let not_verified = || Error::invalid("hostname_not_verified", "Verification has not been completed.");
        let mut hostname = match find(cx, &project.r#ref) {
            None if addon::has(cx, &project.r#ref, Addon::CustomDomain) => return Err(not_verified()),
            _ => load(cx, &project)?,
        };
        match hostname.status.on(Event::Activate) {
            Some(next) => {
                hostname.status = next;
                Ok(hostname.stored(cx).shown(cx))
            }
            None if hostname.status == Status::ServicesReconfigured => {
                Err(hostname.explain(already_active()))
            }
            None => Err(hostname.explain(not_verified())),
        }
    }
}

fn already_active() -> Error {
    Error::invalid("hostname_active", "Custom hostname has already been activated.")
}

/// Delete a project's custom hostname in any state.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct DeleteHostname {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// Whether to also remove the add-on for custom hostnames.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remove_addon: Option<bool>,
}

impl Operation for DeleteHostname {
    type Output = Empty;
    const META: Meta = Meta {
        beta: true,
        since: Edition::V2026_11,
        query: &["remove_addon"],
        scope: Some(Scope("domains:write")),
        also: &[500],
        failure: "Failed to delete project custom hostname configuration",
        ..delete("v1-delete-hostname-config", "/v1/projects/{ref}/custom-hostname")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let project = project::load(cx, &self.r#ref)?;
        if !end(cx, &project.r#ref) {
            let refusal = Error::invalid("no_hostname", "Custom hostname not configured for project");
            return Err(refusal.because("custom hostname", "none", None));
        }
        if self.remove_addon == Some(true) {
            addon::set(cx, &project.r#ref, Addon::CustomDomain, false);
        }
        Ok(Empty {})
    }
}

/// Ends the custom hostname of the project, in any state; `false` if there is none.
pub(crate) fn end(cx: &Cx<'_>, project: &str) -> bool {
    cx.cancel::<Progress>(project);
    cx.db.run("DELETE FROM custom_hostname WHERE project = ?1", (project,)) > 0
}

/// The custom hostname of the project, if it is active.
pub(crate) fn active_name(cx: &Cx<'_>, project: &Row) -> Option<String> {
    let hostname = find(cx, &project.r#ref)?;
    (hostname.status == Status::ServicesReconfigured).then_some(hostname.hostname)
}

/// Refuses if the project has a custom hostname in any state.
pub(crate) fn refuse_beside(cx: &Cx<'_>, project: &Row) -> Result<(), Error> {
    let Some(hostname) = find(cx, &project.r#ref) else { return Ok(()) };
    let text = "The project has a custom hostname, delete that before activating a vanity subdomain.";
    Err(hostname.explain(Error::invalid("hostname_exists", text)))
}
