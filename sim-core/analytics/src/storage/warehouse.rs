//! A model of the warehouse backend: the requests it would get, and those it would refuse.
//!
//! It is active if the policy describes it. Events are in the same tables; the differences are permissions, and how columns are
//! added.

use std::collections::{BTreeMap, BTreeSet};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Serialize;
use serde_json::{Map, Value, json};
use sim_base::operations;
use sim_base::{
    Access, Cx, Error, FromJson, Kind, Meta, New, Operation, Resource, Timestamp, ToSchema, View, Warehouse,
    from_micros, get, micros, view,
};
use sim_warehouse::{Shape, Type};

use crate::normalise::Event;
use crate::source::{self, Row};
use crate::{account, notify};

operations![GetWarehouse, ListWarehouseRequests];

pub(crate) const RESOURCE: Resource = Resource { tables: TABLES, operations: OPERATIONS, tasks: &[] };

const TABLES: &str = "
    CREATE TABLE warehouse_dataset (
        name TEXT PRIMARY KEY,
        location TEXT NOT NULL,
        created_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE warehouse_request (
        id INTEGER PRIMARY KEY,
        at INTEGER NOT NULL,
        call INTEGER NOT NULL,
        method TEXT NOT NULL,
        resource TEXT NOT NULL,
        permissions TEXT NOT NULL,
        refused TEXT
    ) STRICT;
    CREATE TABLE warehouse_growth (
        source INTEGER NOT NULL REFERENCES source ON DELETE CASCADE,
        at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX warehouse_growth_by_source ON warehouse_growth (source, at);
";

pub(crate) const VIEWS: &[View] = &[
    view(
        "warehouse_dataset",
        "A dataset of the modelled warehouse.",
        "SELECT name, location, created_at FROM warehouse_dataset",
    ),
    view(
        "warehouse_request",
        "A request to the modelled warehouse.",
        "SELECT at, call, method, resource, permissions, refused FROM warehouse_request ORDER BY id",
    ),
];

/// The number of requests kept; older ones are deleted.
const REQUESTS_KEPT: i64 = 1000;

/// The permissions that the service account may need.
const PERMISSIONS: [&str; 13] = [
    "warehouse.datasets.create",
    "warehouse.datasets.get",
    "warehouse.datasets.getIamPolicy",
    "warehouse.datasets.update",
    "warehouse.jobs.create",
    "warehouse.routines.create",
    "warehouse.routines.update",
    "warehouse.tables.create",
    "warehouse.tables.delete",
    "warehouse.tables.get",
    "warehouse.tables.getData",
    "warehouse.tables.update",
    "warehouse.tables.updateData",
];

/// The role that has all of them.
const ADMIN: &str = "roles/warehouse.admin";

/// The permissions that the service account needs and lacks.
pub fn missing_permissions(warehouse: &Warehouse) -> Vec<&'static str> {
    PERMISSIONS.into_iter().filter(|permission| !has(warehouse, permission)).collect()
}

fn has(warehouse: &Warehouse, permission: &str) -> bool {
    warehouse.permissions.iter().any(|one| one == permission || one == ADMIN)
}

fn active<'a>(cx: &Cx<'a>) -> Option<&'a Warehouse> {
    cx.policy.analytics.warehouse.as_ref()
}

/// Sends a request to the warehouse: refused unless the service account has all of `permissions`.
fn ask(
    cx: &Cx<'_>,
    warehouse: &Warehouse,
    method: &str,
    resource: &str,
    permissions: &[&str],
) -> Result<(), Error> {
    let missing = permissions.iter().find(|permission| !has(warehouse, permission));
    record(cx, method, resource, permissions, missing.copied());
    match missing {
        None => Ok(()),
        Some(permission) => {
            let text =
                format!("Access Denied: {resource}: Permission {permission} denied (or it may not exist).");
            let error = Error::new(Kind::Forbidden, "warehouse_permission_missing", text);
            Err(error.because("permission", permission, None).keeping())
        }
    }
}

fn record(cx: &Cx<'_>, method: &str, resource: &str, permissions: &[&str], refused: Option<&str>) {
    let id = cx.db.insert(
        "INSERT INTO warehouse_request (at, call, method, resource, permissions, refused) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        (micros(cx.now), cx.call as i64, method, resource, permissions.join(" "), refused),
    );
    cx.db.run("DELETE FROM warehouse_request WHERE id <= ?1", (id - REQUESTS_KEPT,));
}

/// The other needs of a new dataset: its readers, and the functions that queries call.
const OF_A_NEW_DATASET: [(&str, [&str; 2]); 2] = [
    ("datasets.patch", ["warehouse.datasets.getIamPolicy", "warehouse.datasets.update"]),
    ("routines.insert", ["warehouse.routines.create", "warehouse.routines.update"]),
];

/// Creates the table of a new source, and before the first one the user's dataset.
pub(crate) fn create_table(cx: &Cx<'_>, user: i64, token: &str) -> Result<(), Error> {
    let Some(warehouse) = active(cx) else { return Ok(()) };
    let dataset = account::dataset(cx, user);
    let name = format!("Dataset {}:{dataset}", warehouse.project_id);
    if cx.db.maybe("SELECT 1 FROM warehouse_dataset WHERE name = ?1", (&dataset,), |_| Ok(())).is_none() {
        ask(
            cx,
            warehouse,
            "datasets.insert",
            &name,
            &["warehouse.datasets.create", "warehouse.datasets.get"],
        )?;
        for (method, permissions) in OF_A_NEW_DATASET {
            ask(cx, warehouse, method, &name, &permissions)?;
        }
        let sql = "INSERT INTO warehouse_dataset VALUES (?1, ?2, ?3)";
        cx.db.run(sql, (&dataset, &warehouse.location, micros(cx.now)));
    }
    ask(cx, warehouse, "tables.insert", &table(cx, user, token), &["warehouse.tables.create"])
}

fn table(cx: &Cx<'_>, user: i64, token: &str) -> String {
    format!("Table {}", source::table_id(cx, user, token))
}

/// Drops the table of a source.
pub(crate) fn drop_table(cx: &Cx<'_>, source: &Row) -> Result<(), Error> {
    let Some(warehouse) = active(cx) else { return Ok(()) };
    ask(cx, warehouse, "tables.delete", &table(cx, source.user, &source.token), &["warehouse.tables.delete"])
}

/// Whether a query may run.
pub(crate) fn require_query(cx: &Cx<'_>, user: i64) -> Result<(), Error> {
    let Some(warehouse) = active(cx) else { return Ok(()) };
    let dataset = format!("Dataset {}:{}", warehouse.project_id, account::dataset(cx, user));
    ask(cx, warehouse, "jobs.query", &dataset, &["warehouse.jobs.create", "warehouse.tables.getData"])
}

/// Whether events may be streamed into the table of a source.
pub(crate) fn require_streaming(cx: &Cx<'_>, source: &Row) -> Result<(), Error> {
    let Some(warehouse) = active(cx) else { return Ok(()) };
    let table = table(cx, source.user, &source.token);
    let permissions = ["warehouse.tables.get", "warehouse.tables.updateData"];
    if warehouse.billing {
        return ask(cx, warehouse, "tabledata.insertAll", &table, &permissions);
    }
    record(cx, "tabledata.insertAll", &table, &permissions, Some("billing"));
    let text =
        format!("Access Denied: {table}: Streaming insert needs billing, which the project has not enabled.");
    Err(Error::new(Kind::Forbidden, "warehouse_billing_disabled", text).keeping())
}

/// The columns of a source, if the warehouse restricts them.
pub(crate) fn known(cx: &Cx<'_>, source: i64) -> BTreeMap<String, String> {
    if active(cx).is_some() { source::columns(cx, source) } else { BTreeMap::new() }
}

/// The fields of a source's table beside its own columns, and those inside them, if the warehouse stores it: no event has any
/// other. `None` before its first event with fields, so that queries can be saved before there are events. The tables of the
/// platform's logs have all fields that its services log, so those inside are not known from events.
pub(crate) fn fields(cx: &Cx<'_>, source: &Row) -> Option<(Vec<(String, Type)>, Shape)> {
    active(cx)?;
    let paths = source::columns(cx, source.id);
    let first = paths.keys().map(|path| path.split('.').next().unwrap_or_default());
    let names: BTreeSet<&str> = first.filter(|name| !source::OWN.contains(name)).collect();
    let is_platforms = cx.profile.log_sources.values().any(|name| *name == source.name);
    let shape = if is_platforms { Shape::Open } else { Shape::of_paths(paths.keys().map(String::as_str)) };
    let fields: Vec<_> = names.into_iter().map(|name| (name.to_owned(), Type::Dynamic)).collect();
    (!fields.is_empty()).then_some((fields, shape))
}

/// A column of the event whose type differs from that in the table: another type of value, a record where the table has
/// a value, or a value where it has a record.
pub(crate) fn type_error(
    cx: &Cx<'_>,
    known: &BTreeMap<String, String>,
    columns: &BTreeMap<String, String>,
) -> Option<String> {
    active(cx)?;
    let fits = |given: &str, known: &str| {
        let is_wider = [("integer", "float"), ("array<integer>", "array<float>")].contains(&(given, known));
        given == known || is_wider
    };
    // The table's own columns are converted.
    let others = columns.iter().filter(|(path, _)| !source::OWN.contains(&path.as_str()));
    let path = others.into_iter().find_map(|(path, given)| {
        if let Some(kind) = known.get(path) {
            return (!fits(given, kind)).then_some(path.as_str());
        }
        let mut above = path.match_indices('.').map(|(place, _)| &path[..place]);
        if let Some(value) = above.find(|above| known.contains_key(*above)) {
            return Some(value);
        }
        let below = format!("{path}.");
        let is_record = known.range(below.clone()..).next().is_some_and(|(one, _)| one.starts_with(&below));
        is_record.then_some(path.as_str())
    })?;
    Some(format!("Type error! Field `{path}` has an unexpected type."))
}

/// Which of these columns are added to the source's table: within its width, and its limit of changes per
/// minute.
pub(crate) fn grow(
    cx: &Cx<'_>,
    source: i64,
    known: &BTreeMap<String, String>,
    mut columns: BTreeMap<String, String>,
) -> BTreeMap<String, String> {
    let Some(warehouse) = active(cx) else { return columns };
    columns.retain(|path, _| !known.contains_key(path));
    let room = warehouse.max_columns.saturating_sub(known.len());
    let mut columns: BTreeMap<_, _> = columns.into_iter().take(room).collect();
    let since = micros(cx.now) - MINUTE_US;
    cx.db.run("DELETE FROM warehouse_growth WHERE source = ?1 AND at <= ?2", (source, since));
    let sql = "SELECT count(*) FROM warehouse_growth WHERE source = ?1";
    let updates: i64 = cx.db.one(sql, (source,), |row| row.get(0));
    let resource = format!("Table of source {source}");
    let may = updates < warehouse.schema_updates_per_minute
        && (columns.is_empty()
            || ask(cx, warehouse, "tables.patch", &resource, &["warehouse.tables.update"]).is_ok());
    if !may {
        columns.clear();
    }
    if !columns.is_empty() {
        cx.db.run("INSERT INTO warehouse_growth VALUES (?1, ?2)", (source, micros(cx.now)));
    }
    columns
}

/// Notifies the source's recipients of new columns.
pub(crate) fn tell_of_growth(cx: &Cx<'_>, source: i64, columns: &BTreeMap<String, String>) {
    if active(cx).is_some() && !columns.is_empty() {
        notify::tell_of_fields(cx, source, &columns.keys().cloned().collect::<Vec<_>>());
    }
}

const MINUTE_US: i64 = 60_000_000;

/// Removes fields without a column from the events, as the warehouse ignores them.
pub(crate) fn prune(cx: &Cx<'_>, events: &mut [Event], known: &BTreeMap<String, String>) {
    if active(cx).is_none() {
        return;
    }
    let known: BTreeSet<&str> = known.keys().map(String::as_str).collect();
    events.iter_mut().for_each(|event| prune_object(&mut event.body, "", &known));
}

fn prune_object(object: &mut Map<String, Value>, prefix: &str, known: &BTreeSet<&str>) {
    object.retain(|name, value| {
        let path = if prefix.is_empty() { name.clone() } else { format!("{prefix}.{name}") };
        match value {
            Value::Object(inner) => {
                prune_object(inner, &path, known);
                !inner.is_empty()
            }
            Value::Array(list) if list.iter().any(Value::is_object) => {
                list.iter_mut()
                    .filter_map(Value::as_object_mut)
                    .for_each(|inner| prune_object(inner, &path, known));
                list.retain(|element| element.as_object().is_none_or(|inner| !inner.is_empty()));
                !list.is_empty()
            }
            _ => known.contains(path.as_str()),
        }
    });
}

/// The warehouse, as used by the server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[schemars(rename = "ModelledWarehouse")]
pub struct ModelledWarehouse {
    /// The project's id.
    pub project_id: String,
    /// Its number.
    pub project_number: String,
    /// The service account that signs the tokens of requests.
    pub service_account: String,
    /// Whether it has billing enabled.
    pub billing: bool,
    /// The required permissions, and whether the service account has each.
    pub permissions: BTreeMap<String, bool>,
    /// The datasets, with their locations.
    pub datasets: BTreeMap<String, String>,
}

/// Get the warehouse, as used by the server; 404 if another backend is active.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct GetWarehouse {}

impl Operation for GetWarehouse {
    type Output = ModelledWarehouse;
    const META: Meta =
        Meta { access: Access::Control, also: &[404], ..get("sim-get-warehouse", "/_sim/warehouse") };

    fn run(self, cx: &mut Cx<'_>) -> Result<ModelledWarehouse, Error> {
        let warehouse = required(cx)?;
        let datasets = cx.db.all("SELECT name, location FROM warehouse_dataset ORDER BY name", (), |row| {
            Ok((row.get(0)?, row.get(1)?))
        });
        Ok(ModelledWarehouse {
            project_id: warehouse.project_id.clone(),
            project_number: warehouse.project_number.clone(),
            service_account: warehouse.service_account.clone(),
            billing: warehouse.billing,
            permissions: PERMISSIONS.map(|name| (name.to_owned(), has(warehouse, name))).into(),
            datasets: datasets.into_iter().collect(),
        })
    }
}

fn required<'a>(cx: &Cx<'a>) -> Result<&'a Warehouse, Error> {
    let text = "The warehouse is not the active backend";
    active(cx).ok_or_else(|| Error::new(Kind::NotFound, "warehouse_not_active", text))
}

/// A request from the server to the warehouse.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct WarehouseRequest {
    /// When.
    #[schemars(with = "String")]
    pub at: Timestamp,
    /// The call that caused it.
    pub call: i64,
    /// The method: `tables.insert`.
    pub method: String,
    /// The resource.
    pub resource: String,
    /// The permissions that it needs.
    pub permissions: Vec<String>,
    /// The claims of its token.
    pub claims: Value,
    /// The token itself: a JSON web token, signed with the key of the service account (`RS256`) if the simulator has the key,
    /// otherwise unsigned (`none`).
    pub token: String,
    /// The reason if it was refused: a missing permission, or `billing`.
    #[schemars(extend("x-nullable" = true))]
    pub refused: Option<String>,
}

/// List the newest requests from the server to the warehouse, oldest first.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct ListWarehouseRequests {}

/// How long a request's token is valid.
const TOKEN_S: i64 = 3600;

impl Operation for ListWarehouseRequests {
    type Output = Vec<WarehouseRequest>;
    const META: Meta = Meta {
        access: Access::Control,
        also: &[404],
        ..get("sim-list-warehouse-requests", "/_sim/warehouse/requests")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Vec<WarehouseRequest>, Error> {
        let account = &required(cx)?.service_account;
        let sql =
            "SELECT at, call, method, resource, permissions, refused FROM warehouse_request ORDER BY id";
        Ok(cx.db.all(sql, (), |row| {
            let at = from_micros(row.get(0)?);
            let issued = at.as_second();
            let claims =
                json!({ "iss": account, "scope": "warehouse", "iat": issued, "exp": issued + TOKEN_S });
            Ok(WarehouseRequest {
                at,
                call: row.get(1)?,
                method: row.get(2)?,
                resource: row.get(3)?,
                permissions: row.get::<_, String>(4)?.split(' ').map(str::to_owned).collect(),
                token: token_of(cx, &claims),
                claims,
                refused: row.get(5)?,
            })
        }))
    }
}

/// Header, claims and signature. The token follows from the claims and the key, so it is not stored.
fn token_of(cx: &Cx<'_>, claims: &Value) -> String {
    let algorithm = if cx.signer.is_some() { "RS256" } else { "none" };
    let header = json!({ "alg": algorithm, "typ": "JWT" });
    let signed = [header.to_string(), claims.to_string()].map(|part| URL_SAFE_NO_PAD.encode(part)).join(".");
    let signature = cx.signer.map(|sign| sign(signed.as_bytes())).unwrap_or_default();
    format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature))
}
