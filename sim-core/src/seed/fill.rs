//! The content that a seed can declare for a world or a project. Tables map each field to the operation that takes
//! its value as input.

use schemars::JsonSchema;
use serde_json::{Map, Value, json};
use sim_base::near;

use super::{due_to, wrong};
use crate::{Error, Simulator};

/// How a field's value becomes input of its operation. "It" is the value.
#[derive(Clone, Copy)]
pub(super) enum Form {
    /// It is the input.
    Fields,
    /// Each of its elements is the input of one call.
    Each,
    /// It is one field of the input.
    Field(&'static str),
    /// Each of its elements is one field of the input of one call.
    EachField(&'static str),
    /// Each of its members makes one call: the first field is the member's name, the second its value.
    Members(&'static str, &'static str),
    /// Each of its members makes one call: the given field is the member's name, and the other fields are its value.
    Named(&'static str),
    /// Its members become one list in that field, of objects with `name` and `value`.
    Pairs(&'static str),
    /// The call is made if it is `true`.
    Flag,
}

/// A field, and the operation that takes it as input.
pub(super) struct Filling {
    pub(super) field: &'static str,
    pub(super) operation: &'static str,
    pub(super) form: Form,
    /// The description in the schema.
    pub(super) about: &'static str,
}

const fn fill(field: &'static str, operation: &'static str, form: Form, about: &'static str) -> Filling {
    Filling { field, operation, form, about }
}

/// Fields, in the order in which their calls are made.
pub(super) struct Fillings(pub(super) &'static [Filling]);

/// The fields of a world.
pub(super) const WORLD: Fillings = Fillings(&[
    fill("dns", "sim-set-dns", Form::Named("name"), "DNS records by name."),
    fill("options", "sim-set-organization-options", Form::Named("slug"), "Options of organizations by slug."),
    fill(
        "apps",
        "sim-register-oauth-app",
        Form::Each,
        "OAuth apps; `authorized_by` names the users who authorized the app.",
    ),
    fill("sources", "analytics-create-source", Form::Each, "Sources of the analytics server."),
    fill(
        "backends",
        "analytics-create-backend",
        Form::Each,
        "Backends of the analytics server; `sources` names the sources whose events they receive.",
    ),
    fill(
        "rules",
        "analytics-create-rule",
        Form::Each,
        "Rules that forward events of a `source` to a `sink` or a `backend`, all by name.",
    ),
    fill(
        "access_tokens",
        "analytics-create-access-token",
        Form::Each,
        "Access tokens of the analytics server.",
    ),
    fill("endpoints", "analytics-create-endpoint", Form::Each, "Query endpoints of the analytics server."),
    fill("alerts", "analytics-create-alert", Form::Each, "Alerts of the analytics server."),
    fill("teams", "analytics-create-team", Form::Each, "Teams of the analytics server."),
    fill("events", "analytics-ingest", Form::Each, "Deliveries of events to the analytics server."),
    fill("logs", "sim-write-logs", Form::Field("events"), "Events of the platform's services."),
]);

/// The fields of an active project.
pub(super) const PROJECT: Fillings = Fillings(&[
    fill("addons", "sim-set-addon", Form::Members("addon", "enabled"), "Add-ons, by name."),
    fill("migrations", "v1-apply-a-migration", Form::Each, "Migrations of its database, before `sql`."),
    fill("sql", "v1-run-a-query", Form::EachField("query"), "SQL that is run in its database."),
    fill("auth", "v1-update-auth-service-config", Form::Fields, "Authentication configuration."),
    fill("sso_providers", "v1-create-a-sso-provider", Form::Each, "Identity providers."),
    fill(
        "third_party_auth",
        "v1-create-project-tpa-integration",
        Form::Each,
        "Other services whose tokens are accepted.",
    ),
    fill("signing_keys", "v1-create-project-signing-key", Form::Each, "Keys for signing tokens."),
    fill("postgres", "v1-update-postgres-config", Form::Fields, "Database configuration."),
    fill("pool_mode", "sim-set-pool-mode", Form::Field("pool_mode"), "Pool mode."),
    fill("rest", "v1-update-postgrest-service-config", Form::Fields, "Configuration of the REST layer."),
    fill("storage", "v1-update-storage-config", Form::Fields, "Configuration of storage."),
    fill("realtime", "v1-update-realtime-config", Form::Fields, "Configuration of realtime."),
    fill("disk", "v1-modify-database-disk", Form::Field("attributes"), "Attributes of the disk."),
    fill("ssl", "v1-update-ssl-enforcement-config", Form::Field("requestedConfig"), "SSL enforcement."),
    fill("root_key", "v1-update-pgsodium-config", Form::Field("root_key"), "Root key."),
    fill(
        "vault",
        "sim-write-vault-value",
        Form::Members("name", "value"),
        "Values under the root key, by name.",
    ),
    fill("webhooks", "v1-enable-database-webhook", Form::Flag, "Whether database webhooks are enabled."),
    fill("network", "v1-update-network-restrictions", Form::Fields, "Network restrictions."),
    fill("failed_logins", "sim-fail-login", Form::EachField("address"), "Addresses of failed log-ins."),
    fill("hostname", "v1-update-hostname-config", Form::Field("custom_hostname"), "Custom hostname."),
    fill(
        "vanity",
        "v1-activate-vanity-subdomain-config",
        Form::Field("vanity_subdomain"),
        "Vanity subdomain.",
    ),
    fill("secrets", "v1-bulk-create-secrets", Form::Pairs("secrets"), "Values of secrets, by name."),
    fill("api_keys", "v1-create-project-api-key", Form::Each, "API keys in addition to the default ones."),
    fill("functions", "v1-create-a-function", Form::Each, "Functions, with their source as `body`."),
    fill("snippets", "sim-create-snippet", Form::Each, "Snippets, each of a `user`."),
    fill(
        "replicas",
        "v1-setup-a-read-replica",
        Form::EachField("read_replica_region"),
        "Regions of read replicas.",
    ),
    fill(
        "backup_time",
        "v1-update-backup-schedule",
        Form::Field("schedule_for"),
        "The time of day of the daily backup, in UTC.",
    ),
    fill("backups", "sim-set-backup", Form::Each, "Outcomes of daily backups."),
    fill("restore_points", "v1-create-restore-point", Form::EachField("name"), "Names of restore points."),
    fill("branch_seed", "sim-set-branch-seed", Form::Field("sql"), "SQL that branches are filled with."),
    fill("obstacles", "sim-set-upgrade-obstacles", Form::Fields, "Obstacles to an upgrade."),
    fill("branches", "v1-create-a-branch", Form::Each, "Branches, each with its `status`."),
    fill("read_only", "sim-set-read-only", Form::Field("enabled"), "Whether it is read-only."),
    fill(
        "health",
        "sim-set-service-health",
        Form::Members("service", "healthy"),
        "Whether services are healthy, by name.",
    ),
]);

/// A call to be made, and the field that declares it.
pub(super) struct Filled {
    pub(super) at: String,
    pub(super) operation: &'static str,
    pub(super) input: Map<String, Value>,
}

impl Fillings {
    /// Refuses unknown fields of `T`, whose other fields these are.
    pub(super) fn check<T: JsonSchema>(&self, values: &Map<String, Value>, at: &str) -> Result<(), Error> {
        let Some(unknown) = values.keys().find(|name| self.0.iter().all(|one| one.field != **name)) else {
            return Ok(());
        };
        let schema = schemars::schema_for!(T);
        let own = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
        let known: Vec<&str> =
            own.map(|(name, _)| &**name).chain(self.0.iter().map(|one| one.field)).collect();
        let question = near::question(unknown, known.iter().copied());
        let text = format!("there is no such field; there are {}{question}", known.join(", "));
        Err(wrong(&below(at, unknown), &text))
    }

    /// The calls that `values` declare, in the order of the table.
    pub(super) fn calls(&self, values: &Map<String, Value>, at: &str) -> Result<Vec<Filled>, Error> {
        let given = self.0.iter().filter_map(|one| Some((one, values.get(one.field)?)));
        let lists = given.map(|(one, value)| one.calls(value, &below(at, one.field)));
        Ok(lists.collect::<Result<Vec<_>, Error>>()?.into_iter().flatten().collect())
    }
}

impl Filling {
    fn calls(&self, value: &Value, at: &str) -> Result<Vec<Filled>, Error> {
        let one = |at: String, input: Value| match input {
            Value::Object(input) => Ok(Filled { at, operation: self.operation, input }),
            _ => Err(wrong(&at, "must be a table")),
        };
        let member = |name: &str| below(at, name);
        match self.form {
            Form::Fields => Ok(vec![one(at.to_owned(), value.clone())?]),
            Form::Field(field) => Ok(vec![one(at.to_owned(), json!({ field: value }))?]),
            Form::Each => {
                let inputs = list(value, at)?.iter().enumerate();
                inputs.map(|(index, input)| one(member(&index.to_string()), input.clone())).collect()
            }
            Form::EachField(field) => {
                let inputs = list(value, at)?.iter().enumerate();
                inputs
                    .map(|(index, input)| one(member(&index.to_string()), json!({ field: input })))
                    .collect()
            }
            Form::Members(key, field) => {
                let members = table(value, at)?.iter();
                members.map(|(name, value)| one(member(name), json!({ key: name, field: value }))).collect()
            }
            Form::Named(key) => {
                let members = table(value, at)?.iter();
                let named = |name: &str, fields: &Map<String, Value>| {
                    let mut input = fields.clone();
                    input.insert(key.to_owned(), name.into());
                    one(member(name), input.into())
                };
                members.map(|(name, fields)| named(name, table(fields, &member(name))?)).collect()
            }
            Form::Pairs(field) => {
                let pair = |(name, value)| json!({ "name": name, "value": value });
                let pairs: Vec<Value> = table(value, at)?.iter().map(pair).collect();
                Ok(vec![one(at.to_owned(), json!({ field: pairs }))?])
            }
            Form::Flag => match value {
                Value::Bool(true) => Ok(vec![one(at.to_owned(), json!({}))?]),
                Value::Bool(false) => Ok(Vec::new()),
                _ => Err(wrong(at, "must be true or false")),
            },
        }
    }
}

impl Filled {
    /// Makes the call as the simulator's driver.
    pub(super) fn make(self, sim: &mut Simulator) -> Result<Value, Error> {
        make(sim, &self.at, self.operation, self.input)
    }
}

/// Makes a call as the simulator's driver. A refusal names the field `at`.
pub(super) fn make(
    sim: &mut Simulator,
    at: &str,
    operation: &str,
    input: Map<String, Value>,
) -> Result<Value, Error> {
    if !sim.has_operation(operation) {
        return Err(wrong(
            at,
            &format!("there is no operation {operation} in this world; `service` says which it has"),
        ));
    }
    refuse_unknown(sim, at, operation, &input)?;
    sim.as_admin().call_by_name(operation, input.into()).map_err(|error| due_to(at, &error))
}

/// Refuses fields that the operation does not have. A client is told of such fields by a header, which a seed has no place for.
pub(super) fn refuse_unknown(
    sim: &Simulator,
    at: &str,
    operation: &str,
    input: &Map<String, Value>,
) -> Result<(), Error> {
    match sim.unknown_field(operation, input) {
        Some((path, question)) => {
            Err(wrong(&below(at, &path), &format!("{operation} has no such field{question}")))
        }
        None => Ok(()),
    }
}

fn list<'v>(value: &'v Value, at: &str) -> Result<&'v Vec<Value>, Error> {
    value.as_array().ok_or_else(|| wrong(at, "must be a list"))
}

fn table<'v>(value: &'v Value, at: &str) -> Result<&'v Map<String, Value>, Error> {
    value.as_object().ok_or_else(|| wrong(at, "must be a table"))
}

fn below(at: &str, name: &str) -> String {
    if at.is_empty() { name.to_owned() } else { format!("{at}.{name}") }
}

/// Adds an element to the list in field `name`.
pub(super) fn push(values: &mut Map<String, Value>, name: &str, element: Value) {
    let field = values.entry(name).or_insert_with(|| json!([]));
    match field.as_array_mut() {
        Some(list) => list.push(element),
        None => *field = json!([element]),
    }
}

/// Adds a member to the table in field `name`.
pub(super) fn put(values: &mut Map<String, Value>, name: &str, key: &str, value: Value) {
    let field = values.entry(name).or_insert_with(|| json!({}));
    match field.as_object_mut() {
        Some(table) => drop(table.insert(key.to_owned(), value)),
        None => *field = json!({ key: value }),
    }
}
