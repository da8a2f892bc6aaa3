//! `/v1/projects/{ref}/database/query`: runs SQL in a project's database. `…/database/context`: its databases
//! and schemas.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use sim_base::operation::to_bytes;
use sim_base::operations;
use sim_base::{
    Cx, Edition, Error, FromJson, Held, Line, Meta, Needs, New, Operation, Payload, Resource, Role, Scope,
    SqlCall, ToSchema, get, post,
};
use sim_values::call::Outcome;
use sim_values::error::{SqlError, SqlState};

use crate::database;
use crate::embedded::engine::{self as sql, Session};
use crate::needs;
use crate::postgres_config;
use crate::project::{self, ProjectRef, Row};
use crate::readonly;

operations![RunQuery, RunReadOnlyQuery, GetDatabaseContext];

pub(crate) const RESOURCE: Resource = Resource { tables: "", operations: OPERATIONS, tasks: &[] };

/// The stream of the random numbers of statements.
pub(crate) const RANDOM: &str = "sql";

/// The role with which the service itself runs statements.
const ROLE: &str = "postgres";

/// Run SQL in a project's database.
///
/// All statements are one transaction, unless they contain transaction commands. The answer has the rows of the last statement
/// that returned any.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct RunQuery {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// One or more statements.
    #[schemars(length(min = 1), extend("x-any-text" = true))]
    pub query: String,
    /// Values for `$1`, `$2` …; with them, only one statement is allowed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-2025-05" = { "x-hidden": true }))]
    pub parameters: Option<Vec<Value>>,
    /// Refuse writes, as if the database were read-only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-2025-05" = { "x-hidden": true }))]
    pub read_only: Option<bool>,
}

impl RunQuery {
    /// SQL without parameters, which may contain writes.
    pub fn sql(r#ref: ProjectRef, query: &str) -> RunQuery {
        RunQuery::new(r#ref, query)
    }
}

impl Operation for RunQuery {
    type Output = Vec<Map<String, Value>>;
    const META: Meta = Meta {
        status: 201,
        beta: true,
        scope: Some(Scope("database:write")),
        role: Role::Developer,
        also: &[500],
        failure: "Failed to run sql query",
        needs: Needs::DATABASE,
        ..post("v1-run-a-query", "/v1/projects/{ref}/database/query")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Vec<Map<String, Value>>, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let parameters = self.parameters.unwrap_or_default();
        let outcome = run_with(cx, &project, &self.query, &parameters, self.read_only == Some(true))?;
        Ok(outcome.rows)
    }

    fn payload(output: &Rows) -> Payload {
        passed_on(output)
    }
}

/// Run read-only SQL in a project's database.
///
/// The answer has the rows of the last statement that returned any.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct RunReadOnlyQuery {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// One or more statements.
    #[schemars(length(min = 1), extend("x-any-text" = true))]
    pub query: String,
    /// Values for `$1`, `$2` …; with them, only one statement is allowed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameters: Option<Vec<Value>>,
}

impl Operation for RunReadOnlyQuery {
    type Output = Vec<Map<String, Value>>;
    const META: Meta = Meta {
        beta: true,
        since: Edition::V2026_11,
        scope: Some(Scope("database:read")),
        role: Role::ReadOnly,
        also: &[500],
        failure: "Failed to run sql query",
        needs: Needs::DATABASE,
        ..post("v1-read-only-query", "/v1/projects/{ref}/database/query/read-only")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Vec<Map<String, Value>>, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let parameters = self.parameters.unwrap_or_default();
        run_with(cx, &project, &self.query, &parameters, true).map(|outcome| outcome.rows)
    }

    fn payload(output: &Rows) -> Payload {
        passed_on(output)
    }
}

type Rows = Vec<Map<String, Value>>;

/// The rows as the service of databases sends them; the API passes them on.
fn passed_on(rows: &Rows) -> Payload {
    let mut payload = Payload::bytes(Payload::PLAIN_JSON, to_bytes(rows));
    payload.headers.push(("cache-control", "no-cache".to_owned()));
    payload
}

/// The databases of a project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct DatabaseContext {
    /// Its databases: there is one.
    pub databases: Vec<DatabaseOutline>,
}

/// A database and its schemas.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct DatabaseOutline {
    /// Its name.
    pub name: String,
    /// Its schemas, by name, without system schemas.
    pub schemas: Vec<SchemaOutline>,
}

/// A schema.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct SchemaOutline {
    /// Its name.
    pub name: String,
}

/// Get the databases of a project and their schemas.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct GetDatabaseContext {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl Operation for GetDatabaseContext {
    type Output = DatabaseContext;
    const META: Meta = Meta {
        deprecated: true,
        since: Edition::V2026_11,
        scope: Some(Scope("projects:read")),
        also: &[500],
        failure: "Failed to retrieve database metadata",
        needs: Needs::DATABASE,
        ..get("v1-get-database-metadata", "/v1/projects/{ref}/database/context")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<DatabaseContext, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let sql = "select nspname as name from pg_catalog.pg_namespace
                   where nspname !~ '^pg_' and nspname <> 'information_schema' order by nspname";
        let schemas = look(cx, &project, sql)?;
        Ok(DatabaseContext { databases: vec![DatabaseOutline { name: "postgres".to_owned(), schemas }] })
    }
}

/// The rows of the service's own query, which reads only system relations. Refused if the database does not
/// respond.
pub(crate) fn look<T: DeserializeOwned>(cx: &Cx<'_>, project: &Row, text: &str) -> Result<Vec<T>, Error> {
    needs::require_database(cx, project)?;
    let outcome = execute_by(cx, project, text, &[], true, |session| sql::look(session, text));
    let outcome = outcome.map_err(|error| refusal(cx, project, &error))?;
    let read =
        |row| serde_json::from_value(Value::Object(row)).expect("the query has the columns of its rows");
    Ok(outcome.rows.into_iter().map(read).collect())
}

/// Runs SQL as the service's own clients do: refused if the database does not respond, read-only if it
/// accepts no writes.
pub(crate) fn run(cx: &Cx<'_>, project: &Row, text: &str) -> Result<Outcome, Error> {
    needs::require_database(cx, project)?;
    run_with(cx, project, text, &[], false)
}

/// The same of a database that responds, with values for parameters, and a flag for callers who do not want to write.
fn run_with(
    cx: &Cx<'_>,
    project: &Row,
    text: &str,
    parameters: &[Value],
    reads: bool,
) -> Result<Outcome, Error> {
    let takes_no_writes = readonly::takes_no_writes(cx, project);
    let done = execute_with(cx, project, text, parameters, reads || takes_no_writes);
    cx.log(|| {
        let command = done.as_ref().ok().and_then(|outcome| outcome.commands.last());
        line_of(cx, project, text, ROLE, command.map(String::as_str), done.as_ref().err())
    });
    for what in done.iter().flat_map(|outcome| &outcome.without_effect) {
        cx.not_shown(|| format!("body.query.{what}"));
    }
    done.map_err(|error| match error.code {
        SqlState::READ_ONLY if !takes_no_writes => {
            Error::invalid("read_only_query", failed(&error)).because("SQLSTATE", error.code, None)
        }
        _ => refusal(cx, project, &error),
    })
}

/// The most characters of a statement in a log.
const LOGGED: usize = 10_000;

/// The text of a statement in the database's log. It may contain a password, as in any log of statements.
pub(crate) fn line_of(
    cx: &Cx<'_>,
    project: &Row,
    text: &str,
    user: &str,
    command: Option<&str>,
    error: Option<&SqlError>,
) -> Line {
    let query: String = text.chars().take(LOGGED).collect();
    let (message, severity, code) = match error {
        None => (format!("statement: {query}"), "LOG", SqlState::SUCCESSFUL_COMPLETION),
        Some(error) => (error.message.clone(), "ERROR", error.code),
    };
    let mut metadata = Map::new();
    metadata.insert("host".to_owned(), format!("db.{}.{}", project.r#ref, cx.profile.project_domain).into());
    let parsed = json!({
        "timestamp": cx.now.to_string(),
        "error_severity": severity,
        "sql_state_code": code.to_string(),
        "command_tag": command.map(|tag| tag.trim_end_matches(|sign: char| sign.is_ascii_digit() || sign == ' ')),
        "query": query,
        "detail": error.and_then(|error| error.detail.as_deref()),
        "hint": error.and_then(|error| error.hint.as_deref()),
        "user_name": user,
        "database_name": "postgres",
        "backend_type": "client backend",
    });
    metadata.insert("parsed".to_owned(), parsed);
    Line { table: "postgres_logs", project: project.r#ref.to_string(), message, metadata }
}

/// Runs SQL as the service itself does.
pub(crate) fn execute(cx: &Cx<'_>, project: &Row, text: &str, read_only: bool) -> Result<Outcome, SqlError> {
    execute_with(cx, project, text, &[], read_only)
}

fn execute_with(
    cx: &Cx<'_>,
    project: &Row,
    text: &str,
    parameters: &[Value],
    read_only: bool,
) -> Result<Outcome, SqlError> {
    execute_by(cx, project, text, parameters, read_only, |session| sql::run(session, text, parameters))
}

/// The steps of a call with this text: one like a dump, with thousands of statements, has more to do than one with a query.
fn steps_of(policy: u64, text: &str) -> u64 {
    /// So many bytes of text double the steps.
    const DOUBLED_BY: u64 = 500_000;
    policy.saturating_add(policy / DOUBLED_BY * text.len() as u64)
}

/// The same for a database in the world's own pages; `run` executes it.
fn execute_by(
    cx: &Cx<'_>,
    project: &Row,
    text: &str,
    parameters: &[Value],
    read_only: bool,
    run: impl FnOnce(&mut Session<'_>) -> Result<Outcome, SqlError>,
) -> Result<Outcome, SqlError> {
    // Most statements draw nothing, and then change nothing in the world.
    let mut draw = cx.rng.next(RANDOM);
    let limits = sql::Limits {
        steps: steps_of(cx.policy.sql_steps, text),
        result_bytes: cx.policy.sql_result_bytes,
        ..sql::Limits::default()
    };
    let (now, role, server_settings) = (cx.now, ROLE, postgres_config::of_server(cx, project));
    let (outcome, has_drawn) = database::run(cx, project, |held| match held {
        Held::Pages(connection) => {
            let (interrupt, server, has_drawn) = (cx.interrupt.clone(), &server_settings[..], false);
            let random = draw.source();
            let mut session =
                Session { connection, now, random, has_drawn, role, server, read_only, limits, interrupt };
            (run(&mut session), session.has_drawn)
        }
        Held::OnServer(server, version) => {
            let (seed, holder) = (draw.bytes(), cx.databases.holder());
            let done = sql::with_values(text, parameters).and_then(|text| {
                server.run(version, &SqlCall { text: &text, now, seed, read_only, limits, holder })
            });
            (done, true)
        }
    });
    if has_drawn {
        cx.rng.count(RANDOM, &draw);
    }
    outcome
}

pub(crate) fn refusal(cx: &Cx<'_>, project: &Row, error: &SqlError) -> Error {
    if error.code == SqlState::READ_ONLY {
        return readonly::refusal(cx, project, failed(error));
    }
    Error::invalid("sql_error", failed(error)).because("SQLSTATE", error.code, None)
}

fn failed(error: &SqlError) -> String {
    format!("Failed to run sql query: {error}")
}
