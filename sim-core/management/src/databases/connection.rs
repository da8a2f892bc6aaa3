//! `/_sim/projects/{ref}/connections`: connections of database clients, which a listener for PostgreSQL's protocol holds.
//!
//! The rows here are what a connection is inside of the world: whose it is, its settings, its transaction. So a fork has the same
//! connections, and a restored snapshot has those of its time.

use hmac::{Hmac, KeyInit as _, Mac as _};
use serde::Serialize;
use sha2::{Digest as _, Sha256};
use sim_base::operations;
use sim_base::{
    Access, Address, Cx, Error, FromJson, Held, Meta, New, Operation, Resource, Secret, ToSchema, View,
    micros, post, view,
};
use sim_values::error::SqlError;

use crate::connection_block::{self, Connection};
use crate::database;
use crate::embedded::engine::client::{ClientColumn, Notice, Parameter};
use crate::needs;
use crate::project::{self, ProjectRef, Row};

operations![UseConnection];

pub(crate) const RESOURCE: Resource = Resource { tables: TABLES, operations: OPERATIONS, tasks: &[] };

const TABLES: &str = "
    CREATE TABLE connection (
        id INTEGER PRIMARY KEY,
        project TEXT NOT NULL REFERENCES project (ref) ON DELETE CASCADE,
        user TEXT NOT NULL,
        read_only INTEGER NOT NULL,
        state TEXT NOT NULL,
        block TEXT
    ) STRICT;
    CREATE INDEX connection_by_project ON connection (project);
    CREATE TABLE connection_write (
        connection INTEGER NOT NULL REFERENCES connection (id) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        written TEXT NOT NULL,
        PRIMARY KEY (connection, number)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE connection_cursor (
        connection INTEGER NOT NULL REFERENCES connection (id) ON DELETE CASCADE,
        cursor INTEGER NOT NULL,
        part INTEGER NOT NULL,
        rows TEXT NOT NULL,
        PRIMARY KEY (connection, cursor, part)
    ) STRICT, WITHOUT ROWID;
";

pub(crate) const VIEWS: &[View] = &[view(
    "connection",
    "A connection of a database client.",
    "SELECT id, project, user, read_only, block IS NOT NULL AS in_transaction FROM connection ORDER BY id",
)];

/// The rounds of hashing that a proof of a password takes.
const ROUNDS: u32 = 4096;

/// Use a connection to a project's database, as the listener for PostgreSQL's protocol does for its clients.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
#[serde(deny_unknown_fields)]
pub struct UseConnection {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// What to do.
    pub action: ConnectionAction,
    /// The connection; absent to open one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub connection: Option<u32>,
    /// To open one: the database user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// To open one: whether it comes through the pooler, which must answer then.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pooled: bool,
    /// To run or describe: the SQL.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-any-text" = true))]
    pub query: Option<String>,
    /// To run or describe: the parameters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<ParameterValue>,
    /// To run `COPY … FROM STDIN`: the rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-any-text" = true))]
    pub data: Option<String>,
}

/// A parameter of a statement.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ParameterValue {
    /// Its value as text; absent for null, and to describe.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-any-text" = true))]
    pub value: Option<String>,
    /// The identifier of its type; 0 leaves the type open.
    #[serde(default)]
    pub type_oid: u32,
}

/// What to do with a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ConnectionAction {
    /// Opens it.
    Open,
    /// Runs SQL.
    Run,
    /// Finds out what a statement takes and returns.
    Describe,
    /// Closes it.
    Close,
}

/// The result of using a connection.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct ConnectionResult {
    /// The connection.
    pub connection: u32,
    /// After opening it: how the client proves that it has the password.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<PasswordProof>,
    /// After opening it: where the database is, if it is on a server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<ServerPlace>,
    /// The results of statements, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub results: Vec<StatementResult>,
    /// The types of a described statement's parameters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<u32>,
    /// The columns of a described statement; absent if it returns no rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub columns: Option<Vec<ColumnShape>>,
    /// What the statement reported before the error.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<DatabaseNotice>,
    /// The error that ended the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<DatabaseError>,
    /// Where its transaction stands: `I` outside, `T` inside, `E` after an error inside.
    pub status: String,
}

/// What SCRAM-SHA-256 needs on the server's side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct PasswordProof {
    /// The salt, in hex.
    pub salt: String,
    /// The rounds of hashing.
    pub rounds: u32,
    /// The digest of the client's key, in hex.
    pub stored_key: Secret,
    /// The server's key, in hex.
    pub server_key: Secret,
}

/// A database on a server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct ServerPlace {
    /// Host name or address, or the directory of a socket.
    pub host: String,
    /// Port.
    pub port: u16,
    /// The user to log in as.
    pub user: String,
    /// The name of the database.
    pub database: String,
}

/// The result of one statement.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct StatementResult {
    /// The command tag; empty for a text without a statement.
    pub tag: String,
    /// The columns; absent if it returns no rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub columns: Option<Vec<ColumnShape>>,
    /// The rows, as texts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<Vec<Option<String>>>,
    /// Whether the rows are those of a cursor that was declared to be binary.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub binary: bool,
    /// Messages that are no errors.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<DatabaseNotice>,
    /// What `NOTIFY` sends to the connection itself, on the channels that it listens to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notifications: Vec<Notification>,
    /// For `COPY … FROM STDIN` without data: the number of columns that the client has to send.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wants_columns: Option<u32>,
    /// For `COPY … TO STDOUT`: the number of columns, and the lines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub copied: Option<CopiedRows>,
}

/// What `NOTIFY` sends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct Notification {
    /// The name of the channel.
    pub channel: String,
    /// The text; empty if the statement has none.
    pub payload: String,
}

/// The rows of `COPY … TO STDOUT`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct CopiedRows {
    /// The number of columns.
    pub columns: u32,
    /// The lines, each with its end.
    pub lines: Vec<String>,
}

/// A column of a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct ColumnShape {
    /// Its name.
    pub name: String,
    /// The identifier of its type.
    pub type_oid: u32,
    /// The size of its type; -1 if it varies.
    pub length: i16,
    /// The modifier of its type; -1 if there is none.
    pub modifier: i32,
}

/// A message that is no error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct DatabaseNotice {
    /// `NOTICE`, `WARNING`, `INFO`, `LOG` or `DEBUG`.
    pub severity: String,
    /// Its SQLSTATE.
    pub code: String,
    /// Its text.
    pub message: String,
    /// Further details.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// A suggestion.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

/// An error of the database.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct DatabaseError {
    /// Its SQLSTATE.
    pub code: String,
    /// Its text.
    pub message: String,
    /// Further details.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// A suggestion.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The number of the character in the text, from one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<u32>,
    /// The statement that the engine has made, if the error is in one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// The number of the character in that statement, from one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query_position: Option<u32>,
    /// What the engine was doing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    /// The schema of what the error is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// The table that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    /// The column that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
    /// The type that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data_type: Option<String>,
    /// The constraint that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub constraint: Option<String>,
}

impl Operation for UseConnection {
    type Output = ConnectionResult;
    const META: Meta = Meta {
        access: Access::Control,
        by_clients: true,
        also: &[404, 544],
        ..post("sim-use-connection", "/_sim/projects/{ref}/connections")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<ConnectionResult, Error> {
        let project = project::load(cx, &self.r#ref)?;
        if self.action == ConnectionAction::Open {
            return open(cx, &project, self.user.as_deref().unwrap_or("postgres"), self.pooled);
        }
        let id = self.connection.unwrap_or(0);
        let connection = connection_block::load(cx, &project, id)
            .ok_or_else(|| Error::not_found("connection", &id.to_string()))?;
        if self.action == ConnectionAction::Close {
            connection_block::close(cx, &project, connection);
            return Ok(ConnectionResult {
                connection: id,
                status: "I".to_owned(),
                ..ConnectionResult::default()
            });
        }
        needs::require_database(cx, &project)?;
        let text = self.query.as_deref().unwrap_or("");
        let parameters = self.parameters.into_iter();
        let parameters: Vec<Parameter> =
            parameters.map(|ParameterValue { value, type_oid }| Parameter { value, type_oid }).collect();
        match self.action {
            ConnectionAction::Describe => {
                let types: Vec<u32> = parameters.iter().map(|parameter| parameter.type_oid).collect();
                connection_block::describe(cx, &project, connection, text, &types)
            }
            _ => connection_block::run(cx, &project, connection, text, &parameters, self.data.as_deref()),
        }
    }
}

/// Opens a connection of the database's owner or of a login role.
fn open(cx: &Cx<'_>, project: &Row, user: &str, pooled: bool) -> Result<ConnectionResult, Error> {
    needs::require_entrance(cx, project, user, pooled)?;
    let (password, read_only) =
        password_of(cx, project, user).ok_or_else(|| Error::not_found("user", user))?;
    let server = place(cx, project, user);
    let sql = "INSERT INTO connection (project, user, read_only, state) VALUES (?1, ?2, ?3, '{}')";
    cx.db.run(sql, (&project.r#ref, user, read_only));
    let connection = cx.db.one("SELECT max(id) FROM connection", (), |row| row.get(0));
    let proof = Some(proof(&[&project.r#ref, ".", user].concat(), &password));
    Ok(ConnectionResult { connection, proof, server, status: "I".to_owned(), ..ConnectionResult::default() })
}

/// The password of a database user, and whether it may only read.
fn password_of(cx: &Cx<'_>, project: &Row, user: &str) -> Option<(String, bool)> {
    if user == "postgres" {
        let sql = "SELECT db_pass FROM project WHERE id = ?1";
        return Some((cx.db.one(sql, (project.id,), |row| row.get(0)), false));
    }
    let sql = "SELECT password, read_only FROM login_role WHERE project = ?1 AND role = ?2 AND until > ?3";
    cx.db.maybe(sql, (&project.r#ref, user, micros(cx.now)), |row| Ok((row.get(0)?, row.get(1)?)))
}

fn place(cx: &Cx<'_>, project: &Row, user: &str) -> Option<ServerPlace> {
    let own = database::address(cx, project)?;
    let address = database::run(cx, project, |held| match held {
        Held::Pages(_) => None,
        Held::OnServer(server, _) => Some(server.entrance(&own, user)),
    });
    address.map(|Address { host, port, user, database }| ServerPlace { host, port, user, database })
}

/// What proves the password, with a salt that follows from the user.
fn proof(user: &str, password: &str) -> PasswordProof {
    let salt = &Sha256::digest(user)[..16];
    let mut last = mac(password.as_bytes(), &[salt, &[0, 0, 0, 1]].concat());
    let mut salted = last;
    for _ in 1..ROUNDS {
        last = mac(password.as_bytes(), &last);
        salted.iter_mut().zip(last).for_each(|(byte, other)| *byte ^= other);
    }
    let stored: [u8; 32] = Sha256::digest(mac(&salted, b"Client Key")).into();
    PasswordProof {
        salt: sim_base::rng::hex(salt),
        rounds: ROUNDS,
        stored_key: Secret(sim_base::rng::hex(&stored)),
        server_key: Secret(sim_base::rng::hex(&mac(&salted, b"Server Key"))),
    }
}

fn mac(key: &[u8], text: &[u8]) -> [u8; 32] {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("a key has any length");
    mac.update(text);
    mac.finalize().into_bytes().into()
}

impl From<ClientColumn> for ColumnShape {
    fn from(column: ClientColumn) -> ColumnShape {
        let ClientColumn { name, type_oid, length, modifier } = column;
        ColumnShape { name, type_oid, length, modifier }
    }
}

impl DatabaseError {
    /// The error, with its position in the whole text, of which the statement begins at byte `from`.
    pub(crate) fn of(error: &SqlError, text: &str, from: usize) -> DatabaseError {
        let place_in = |text: &str, at: usize| {
            let before = text.get(..at.min(text.len())).unwrap_or(text);
            u32::try_from(before.chars().count() + 1).unwrap_or(u32::MAX)
        };
        DatabaseError {
            code: error.code.to_string(),
            message: error.message.clone(),
            detail: error.detail.clone(),
            hint: error.hint.clone(),
            position: error.position.map(|at| place_in(text, from + at)),
            query: error.query.clone(),
            query_position: error
                .query
                .as_deref()
                .zip(error.query_position)
                .map(|(query, at)| place_in(query, at)),
            context: error.context.clone(),
            schema: error.about.schema.clone(),
            table: error.about.table.clone(),
            column: error.about.column.clone(),
            data_type: error.about.data_type.clone(),
            constraint: error.about.constraint.clone(),
        }
    }
}

impl From<Notice> for DatabaseNotice {
    fn from(notice: Notice) -> DatabaseNotice {
        let Notice { severity, code, message, detail, hint } = notice;
        DatabaseNotice { severity, code, message, detail, hint }
    }
}

impl DatabaseNotice {
    pub(crate) fn warning(code: &str, message: &str) -> DatabaseNotice {
        DatabaseNotice {
            severity: "WARNING".to_owned(),
            code: code.to_owned(),
            message: message.to_owned(),
            detail: None,
            hint: None,
        }
    }
}

/// Ends all connections of a project that is about to be removed.
pub(crate) fn end_all(cx: &Cx<'_>, project: &str) {
    let sql = "SELECT id, project, user, read_only, state, block FROM connection
               WHERE project IN (SELECT ref FROM project WHERE ref = ?1 OR branch_of = ?1) ORDER BY id";
    let all: Vec<Connection> = cx.db.all(sql, (project,), Connection::read);
    all.iter().for_each(|connection| connection_block::end(cx, connection));
}
