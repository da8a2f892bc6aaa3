//! `/v1/projects/{ref}/database/query`: SQL that runs in a project's database.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::engine::{Cx, Error, Held, Line, Meta, Operation, Resource, Role, Scope, SqlCall, post};
use crate::operations;
use crate::sql::{self, Outcome, Session, SqlError, SqlState};

use super::database;
use super::project::{self, ProjectRef, Row};
use super::readonly;

operations![RunQuery];

pub(super) const RESOURCE: Resource = Resource { tables: "", operations: OPERATIONS, tasks: &[] };

/// Whom the service itself runs statements as.
const ROLE: &str = "postgres";

/// Run SQL in a project's database.
///
/// All statements are one transaction unless they have commands of their own for that. The answer has the rows of the
/// last one that returned any.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RunQuery {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// One statement or several.
    #[schemars(length(min = 1))]
    pub query: String,
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
        ..post("v1-run-a-query", "/v1/projects/{ref}/database/query")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Vec<Map<String, Value>>, Error> {
        let project = project::load(cx, &self.r#ref)?;
        run(cx, &project, &self.query).map(|outcome| outcome.rows)
    }
}

/// Runs SQL as the service's own clients do: refused where the database does not answer, read-only where it takes no
/// writes.
pub(super) fn run(cx: &Cx<'_>, project: &Row, text: &str) -> Result<Outcome, Error> {
    readonly::require_reachable(project)?;
    let read_only = readonly::takes_no_writes(cx, project)?;
    let done = execute(cx, project, text, read_only);
    cx.log(|| line(cx, project, text, &done));
    done.map_err(|error| refusal(cx, project, &error))
}

/// Characters of a statement that a log has at most.
const LOGGED: usize = 10_000;

/// What the database's log has of a statement. A password in it stands there, as in any log of statements.
fn line(cx: &Cx<'_>, project: &Row, text: &str, done: &Result<Outcome, SqlError>) -> Line {
    let query: String = text.chars().take(LOGGED).collect();
    let (message, severity, code) = match done {
        Ok(_) => (format!("statement: {query}"), "LOG", SqlState::SUCCESSFUL_COMPLETION),
        Err(error) => (error.message.clone(), "ERROR", error.code),
    };
    let error = done.as_ref().err();
    let command = done.as_ref().ok().and_then(|outcome| outcome.commands.last());
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
        "user_name": ROLE,
        "database_name": "postgres",
        "backend_type": "client backend",
    });
    metadata.insert("parsed".to_owned(), parsed);
    Line { table: "postgres_logs", project: project.r#ref.to_string(), message, metadata }
}

/// Runs SQL as the service itself does.
pub(super) fn execute(cx: &Cx<'_>, project: &Row, text: &str, read_only: bool) -> Result<Outcome, SqlError> {
    let mut random = cx.rng.draw("sql");
    let limits = sql::Limits { steps: cx.policy.sql_steps, result_bytes: cx.policy.sql_result_bytes };
    let (now, role) = (cx.now, ROLE);
    database::run(cx, project, |held| match held {
        Held::Pages(connection) => {
            let mut session = Session { connection, now, random: random.source(), role, read_only, limits };
            sql::run(&mut session, text, &[])
        }
        Held::OnServer(server, version) => {
            let (seed, holder) = (random.bytes(), cx.databases.holder());
            server.run(version, &SqlCall { text, now, seed, read_only, limits, holder })
        }
    })
}

pub(super) fn refusal(cx: &Cx<'_>, project: &Row, error: &SqlError) -> Error {
    let text = format!("Failed to run sql query: {error}");
    if error.code == SqlState::READ_ONLY {
        return readonly::refusal(cx, project, text);
    }
    Error::invalid("sql_error", text).because("SQLSTATE", error.code, None)
}
