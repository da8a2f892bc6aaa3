//! A client whose database the world has: its statements are calls of the world.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use sim_core::management::connection::{
    ColumnShape, ConnectionResult, DatabaseError, DatabaseNotice, StatementResult,
};
use tokio::io::{AsyncRead, AsyncWrite};

use super::calls::{Caller, Failure};
use super::codec::{self, error};
use super::messages::{Body, Fatal, Input, NotUtf8, Output, format_of, wrong_kind};
use super::several::is_several;
use super::{Cancel, Pooler};
use crate::listen::{Counted, Room, Unsent};

/// What a client is told of the server at first.
const PARAMETERS: [(&str, &str); 10] = [
    ("server_version", "15.8"),
    ("server_encoding", "UTF8"),
    ("client_encoding", "UTF8"),
    ("DateStyle", "ISO, MDY"),
    ("IntervalStyle", "postgres"),
    ("TimeZone", "UTC"),
    ("integer_datetimes", "on"),
    ("standard_conforming_strings", "on"),
    ("is_superuser", "off"),
    ("in_hot_standby", "off"),
];

/// Parameters of the start that are no settings of the database.
const NO_SETTINGS: [&str; 6] =
    ["user", "database", "replication", "client_encoding", "application_name", "options"];

/// About the bytes that a statement or a portal takes besides its text and its values.
const KEPT: usize = 400;

/// The refusal of what there is no room for.
fn no_room(refusal: sim_core::Error) -> Box<DatabaseError> {
    error("53200", &refusal.message)
}

/// A statement that the client has prepared.
#[derive(Clone)]
struct Prepared {
    query: Arc<str>,
    types: Vec<u32>,
    /// How many columns its result has, if that was asked; none if it has no result.
    columns: Option<Option<usize>>,
    /// That of its message. Held only to be dropped.
    room: Option<Arc<Room>>,
}

/// A prepared statement with values.
pub(super) struct Portal {
    query: Arc<str>,
    types: Vec<u32>,
    parameters: Vec<Option<String>>,
    formats: Vec<i16>,
    /// What is left of its result once it has run.
    left: Option<Left>,
    /// That of the statement, and that of its values. Held only to be dropped.
    rooms: (Option<Arc<Room>>, Room),
}

/// What is left of a portal's result.
pub(super) struct Left {
    pub(super) result: StatementResult,
    pub(super) sent: usize,
    /// Held only to be dropped.
    pub(super) counted: Counted,
}

/// How handling a message ends, unless it succeeds.
pub(super) enum Stop {
    /// The client is told, and goes on.
    Error(Box<DatabaseError>),
    /// The call has failed: the connection ends.
    Failure(Failure),
    Lost(io::Error),
}

impl From<io::Error> for Stop {
    fn from(lost: io::Error) -> Stop {
        match lost.get_ref() {
            Some(inner) if inner.is::<NotUtf8>() => Stop::Error(error("22021", &lost.to_string())),
            _ => Stop::Lost(lost),
        }
    }
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Stop {
        match failure {
            Failure::TooLong(text) => Stop::Error(error("54000", &text)),
            other => Stop::Failure(other),
        }
    }
}

impl From<Box<DatabaseError>> for Stop {
    fn from(error: Box<DatabaseError>) -> Stop {
        Stop::Error(error)
    }
}

impl From<DatabaseError> for Stop {
    fn from(error: DatabaseError) -> Stop {
        Stop::Error(Box::new(error))
    }
}

pub(super) struct Session<S> {
    pub(super) client: Output<S>,
    caller: Caller,
    pub(super) status: u8,
    prepared: BTreeMap<String, Prepared>,
    pub(super) portals: BTreeMap<String, Portal>,
    /// Whether an error has been sent, so that everything up to the next `Sync` is skipped.
    skips: bool,
    /// Results of all clients that wait to be read.
    unsent: Arc<Unsent>,
    /// The number by which the client knows its session.
    process: i32,
}

/// Serves a client until it leaves.
pub(super) async fn run<S>(
    pooler: &Pooler,
    client: Output<S>,
    caller: Caller,
    parameters: &BTreeMap<String, String>,
    key: (i32, i32),
) -> io::Result<()>
where
    S: AsyncRead + AsyncWrite + Unpin + Send,
{
    let runs = Arc::clone(&caller.runs);
    let _cancellable = pooler.can_cancel(key, Cancel::Call(Arc::clone(&caller.world), runs));
    let (prepared, portals) = Default::default();
    let unsent = Arc::clone(&pooler.app.unsent);
    let mut session =
        Session { client, caller, status: b'I', prepared, portals, skips: false, unsent, process: key.0 };
    if let Some(fatal) = session.set_up(parameters).await {
        return session.client.refuse(&fatal).await;
    }
    session.greet(parameters, key);
    session.client.flush().await?;
    loop {
        let done = match session.client.read().await {
            Ok(Some(message)) if message.kind != b'X' => session.message(message).await,
            Ok(_) => return Ok(()),
            Err(error) => Err(Stop::Lost(error)),
        };
        match done {
            Ok(()) => {}
            Err(Stop::Lost(error)) if error.kind() == io::ErrorKind::InvalidData => {
                return session.client.refuse(&Fatal::new("08P01", error.to_string())).await;
            }
            Err(Stop::Lost(error)) if error.kind() == io::ErrorKind::OutOfMemory => {
                // There is room again before the client is told.
                session.portals.clear();
                session.prepared.clear();
                return session.client.refuse(&Fatal::new("53200", error.to_string())).await;
            }
            Err(Stop::Lost(error)) => return Err(error),
            Err(Stop::Failure(failure)) => {
                return match failure.fatal() {
                    Some(fatal) => session.client.refuse(&fatal).await,
                    None => Ok(()),
                };
            }
            Err(Stop::Error(error)) => {
                session.client.error(&error);
                session.skips = true;
            }
        }
        session.client.relieve().await?;
    }
}

/// The settings in `options`, as in `-c search_path=app`.
fn settings_of(options: &str) -> impl Iterator<Item = (String, String)> {
    let words: Vec<String> = options.split_whitespace().map(str::to_owned).collect();
    words.into_iter().filter_map(|word| {
        let word = word.trim_start_matches("--").trim_start_matches("-c");
        let (name, value) = word.split_once('=')?;
        Some((name.to_owned(), value.replace("\\ ", " ")))
    })
}

impl<S: AsyncRead + AsyncWrite + Unpin + Send> Session<S> {
    /// Makes the settings that the client has sent at the start.
    async fn set_up(&mut self, parameters: &BTreeMap<String, String>) -> Option<Fatal> {
        let encoding = parameters.get("client_encoding").map_or("utf8", String::as_str);
        let encoding = encoding.trim_matches('\'').to_ascii_lowercase().replace(['-', '_'], "");
        if !["utf8", "unicode", "sqlascii", "auto"].contains(&encoding.as_str()) {
            return Some(Fatal::new("0A000", format!("the client encoding {encoding} is not supported")));
        }
        let own = parameters
            .iter()
            .filter(|(name, _)| !NO_SETTINGS.contains(&name.as_str()) && !name.starts_with("_pq_"));
        let options = parameters.get("options").into_iter().flat_map(|options| settings_of(options));
        let all = own.map(|(name, value)| (name.clone(), value.clone())).chain(options);
        let all: Vec<(String, String)> = all.collect();
        for (name, value) in all {
            let name = name.replace('"', "");
            let value = match name.as_str() {
                "search_path" => value,
                _ => format!("'{}'", value.replace('\'', "''")),
            };
            let set = self.caller.run(&format!("set {name} to {value}"), Vec::new(), Vec::new(), None).await;
            match set {
                Ok(ConnectionResult { error: Some(error), .. }) => {
                    return Some(Fatal::new("22023", error.message));
                }
                Ok(_) => {}
                Err(failure) => {
                    return failure.fatal().or_else(|| Some(Fatal::new("08006", "the connection was reset")));
                }
            }
        }
        None
    }

    fn greet(&mut self, parameters: &BTreeMap<String, String>, (process, secret): (i32, i32)) {
        let named = |name: &str| parameters.get(name).map_or("", String::as_str);
        for (name, value) in PARAMETERS {
            self.client.parameter(name, value);
        }
        self.client.parameter("application_name", named("application_name"));
        self.client.parameter("session_authorization", "postgres");
        self.client.add(b'K', |out| {
            out.extend(process.to_be_bytes());
            out.extend(secret.to_be_bytes());
        });
        self.client.ready(b'I');
    }

    async fn message(&mut self, message: Input) -> Result<(), Stop> {
        let Input { kind, mut body, room } = message;
        match kind {
            b'S' => {
                body.end()?;
                self.skips = false;
                self.client.ready(self.status);
                // Portals end with the transaction.
                if self.status == b'I' {
                    self.portals.clear();
                }
                Ok(self.client.flush().await?)
            }
            b'H' => {
                body.end()?;
                Ok(self.client.flush().await?)
            }
            b'Q' => {
                self.skips = false;
                let done = match body.text().and_then(|query| body.end().map(|()| query)) {
                    Ok(query) => self.query(&query).await,
                    Err(error) => Err(error.into()),
                };
                if let Err(Stop::Error(error)) = &done {
                    self.client.error(error);
                }
                match done {
                    Ok(()) | Err(Stop::Error(_)) => {}
                    Err(other) => return Err(other),
                }
                self.client.ready(self.status);
                Ok(self.client.flush().await?)
            }
            _ if self.skips => Ok(()),
            b'P' => self.parse(&mut body, room),
            b'B' => self.bind(&mut body, room).await,
            b'D' => self.describe(&mut body).await,
            b'E' => self.execute(&mut body).await,
            b'C' => {
                let (kind, name) = (body.byte()?, body.text()?);
                body.end()?;
                match kind {
                    b'S' => drop(self.prepared.remove(&name)),
                    b'P' => drop(self.portals.remove(&name)),
                    other => return Err(no_subtype("CLOSE", other).into()),
                }
                self.client.empty(b'3');
                Ok(())
            }
            // The end of a copy that has failed already.
            b'd' | b'c' | b'f' => Ok(()),
            b'F' => Err(error("0A000", "function calls by the protocol are not supported").into()),
            _ => Err(wrong_kind(kind).into()),
        }
    }

    /// A text of statements.
    async fn query(&mut self, query: &str) -> Result<(), Stop> {
        if self.query_of_portal(query).await? {
            return Ok(());
        }
        let mut done = self.run(query, Vec::new(), Vec::new(), None).await?;
        if let Some(columns) = done.results.last().and_then(|last| last.wants_columns) {
            let data = self.copied_in(columns).await?;
            done = self.run(query, Vec::new(), Vec::new(), Some(data)).await?;
        }
        if done.results.is_empty() && done.error.is_none() {
            self.client.empty(b'I');
        }
        if done
            .results
            .iter()
            .any(|result| ["CLOSE CURSOR ALL", "DISCARD ALL"].contains(&result.tag.as_str()))
        {
            self.portals.clear();
        }
        let _counted = Counted::new(done.results.iter().map(bytes_of).sum(), &self.unsent);
        for result in &done.results {
            let formats: &[i16] = if result.binary { &[1] } else { &[] };
            if let Some(columns) = &result.columns {
                self.client.columns(columns, formats);
            }
            self.result(result, formats).await?;
        }
        self.notices(&done.notices);
        match done.error {
            Some(error) => Err(error.into()),
            None => Ok(()),
        }
    }

    async fn run(
        &mut self,
        query: &str,
        parameters: Vec<Option<String>>,
        types: Vec<u32>,
        data: Option<String>,
    ) -> Result<ConnectionResult, Stop> {
        self.unsent.check().map_err(|refusal| error("53200", &refusal.message))?;
        let done = self.caller.run(query, parameters, types, data).await?;
        self.status = done.status.bytes().next().unwrap_or(b'I');
        Ok(done)
    }

    /// Sends a whole result, but for its columns.
    async fn result(&mut self, result: &StatementResult, formats: &[i16]) -> Result<(), Stop> {
        self.notices(&result.notices);
        if let Some(copied) = &result.copied {
            self.client.copy(b'H', copied.columns);
            for line in &copied.lines {
                self.client.add(b'd', |out| out.extend(line.bytes()));
                self.client.relieve().await?;
            }
            self.client.empty(b'c');
        }
        let columns = result.columns.as_deref().unwrap_or_default();
        self.rows(&result.rows, columns, formats).await?;
        self.client.complete(&result.tag);
        result.notifications.iter().for_each(|sent| self.client.notification(self.process, sent));
        Ok(())
    }

    pub(super) async fn rows(
        &mut self,
        rows: &[Vec<Option<String>>],
        columns: &[ColumnShape],
        formats: &[i16],
    ) -> Result<(), Stop> {
        for row in rows {
            let row = codec::row(row, columns, formats)?;
            self.client.row(&row);
            self.client.relieve().await?;
        }
        Ok(())
    }

    fn notices(&mut self, notices: &[DatabaseNotice]) {
        notices.iter().for_each(|notice| self.client.notice(notice));
    }

    /// The rows that the client sends.
    async fn copied_in(&mut self, columns: u32) -> Result<String, Stop> {
        self.client.copy(b'G', columns);
        self.client.flush().await?;
        let most = self.caller.world.max_body_bytes;
        let too_long = || error("54000", &format!("COPY from stdin takes {most} bytes at most"));
        let (mut data, mut refused) = (Vec::new(), None);
        let mut copied = Room::new(&self.client.requests);
        loop {
            let Some(Input { kind, mut body, .. }) = self.client.read().await? else {
                return Err(Stop::Lost(io::ErrorKind::UnexpectedEof.into()));
            };
            match kind {
                // Read on, so that the client gets to read the answer.
                b'd' if refused.is_some() => {}
                b'd' if data.len() + body.rest().len() > most => {
                    (data, refused) = (Vec::new(), Some(too_long()));
                }
                b'd' => match copied.grow(body.all().len()) {
                    Ok(()) => data.extend(body.all()),
                    Err(full) => (data, refused) = (Vec::new(), Some(error("53200", &full.message))),
                },
                b'c' => match refused {
                    Some(refused) => {
                        self.fail_block().await?;
                        return Err(refused.into());
                    }
                    None => break,
                },
                b'f' => {
                    let why = body.text().unwrap_or_default();
                    self.fail_block().await?;
                    return Err(error("57014", &format!("COPY from stdin failed: {why}")).into());
                }
                // Sent before the client knew that rows are wanted.
                b'H' | b'S' => {}
                _ => return Err(error("08P01", "unexpected message type during COPY from stdin").into()),
            }
        }
        String::from_utf8(data)
            .map_err(|_| error("22021", "invalid byte sequence for encoding \"UTF8\"").into())
    }

    /// Lets the transaction block of the client fail, if it has one.
    pub(super) async fn fail_block(&mut self) -> Result<(), Stop> {
        if self.status == b'T' {
            self.run(
                "do $$ begin raise exception 'COPY from stdin failed'; end $$",
                Vec::new(),
                Vec::new(),
                None,
            )
            .await?;
        }
        Ok(())
    }

    fn parse(&mut self, body: &mut Body, mut room: Room) -> Result<(), Stop> {
        let (name, query) = (body.text()?, body.text()?);
        let count = body.count()?;
        let mut types = Vec::new();
        for _ in 0..count {
            types.push(body.int32()?.cast_unsigned());
        }
        body.end()?;
        if is_several(&query) {
            let text = "cannot insert multiple commands into a prepared statement";
            return Err(error("42601", text).into());
        }
        if !name.is_empty() && self.prepared.contains_key(&name) {
            return Err(error("42P05", &format!("prepared statement \"{name}\" already exists")).into());
        }
        room.grow(KEPT).map_err(no_room)?;
        let (query, room) = (query.into(), Some(Arc::new(room)));
        self.prepared.insert(name, Prepared { query, types, columns: None, room });
        self.client.empty(b'1');
        Ok(())
    }

    fn prepared(&self, name: &str) -> Result<Prepared, Stop> {
        let unknown = || error("26000", &format!("prepared statement \"{name}\" does not exist"));
        self.prepared.get(name).cloned().ok_or_else(|| unknown().into())
    }

    async fn bind(&mut self, body: &mut Body, mut room: Room) -> Result<(), Stop> {
        let (portal, name) = (body.text()?, body.text()?);
        let mut prepared = self.prepared(&name)?;
        let formats = formats(body)?;
        let count = body.count()?;
        self.require_parameters(&name, &prepared, &formats, count).await?;
        let mut values = Vec::new();
        for _ in 0..count {
            values.push(body.value()?);
        }
        let results = self::formats(body)?;
        body.end()?;
        self.require_columns(&name, &prepared, &results).await?;
        let open = prepared.types.len() < values.len() || prepared.types.contains(&0);
        let is_binary = (0..values.len()).any(|at| format_of(&formats, at) != 0);
        if open && is_binary {
            // Only the place of a parameter tells its type, and only its type how its bytes are read.
            prepared.types = self.description(&prepared).await?.parameters;
        }
        let mut parameters = Vec::new();
        for (at, value) in values.into_iter().enumerate() {
            let type_oid = prepared.types.get(at).copied().unwrap_or(0);
            let text = value.map(|value| codec::parameter(value, format_of(&formats, at), type_oid, at + 1));
            parameters.push(text.transpose()?);
        }
        room.grow(KEPT).map_err(no_room)?;
        let Prepared { query, types, room: of_statement, .. } = prepared;
        let (left, rooms) = (None, (of_statement, room));
        self.portals.insert(portal, Portal { query, types, parameters, formats: results, left, rooms });
        self.client.empty(b'2');
        Ok(())
    }

    /// Refuses another number of values than the statement takes.
    async fn require_parameters(
        &mut self,
        name: &str,
        prepared: &Prepared,
        formats: &[i16],
        count: usize,
    ) -> Result<(), Stop> {
        if formats.len() > 1 && formats.len() != count {
            let text = format!("bind message has {} parameter formats but {count} parameters", formats.len());
            return Err(error("08P01", &text).into());
        }
        // A call that describes the statement is made only if it does not look right.
        if count == prepared.types.len().max(highest_parameter(&prepared.query)) {
            return Ok(());
        }
        let described = self.description(prepared).await?.parameters.len().max(prepared.types.len());
        if count == described {
            return Ok(());
        }
        let text = format!(
            "bind message supplies {count} parameters, but prepared statement \"{name}\" requires {described}"
        );
        Err(error("08P01", &text).into())
    }

    /// Refuses another number of formats than the result has columns.
    async fn require_columns(
        &mut self,
        name: &str,
        prepared: &Prepared,
        formats: &[i16],
    ) -> Result<(), Stop> {
        if formats.len() < 2 {
            return Ok(());
        }
        let columns = match prepared.columns {
            Some(known) => known,
            None => {
                let described = self.description(prepared).await?.columns.map(|columns| columns.len());
                self.know_columns(name, described);
                described
            }
        };
        match columns {
            Some(columns) if columns != formats.len() => {
                let text = format!(
                    "bind message has {} result formats but query has {columns} columns",
                    formats.len()
                );
                Err(error("08P01", &text).into())
            }
            _ => Ok(()),
        }
    }

    fn know_columns(&mut self, name: &str, columns: Option<usize>) {
        if let Some(prepared) = self.prepared.get_mut(name) {
            prepared.columns = Some(columns);
        }
    }

    async fn description(&mut self, prepared: &Prepared) -> Result<ConnectionResult, Stop> {
        let described = self.caller.describe(&prepared.query, &prepared.types).await?;
        match described.error {
            Some(error) => {
                // A statement that can't be prepared fails its transaction, as one that can't run.
                self.fail_block().await?;
                Err(error.into())
            }
            None => Ok(described),
        }
    }

    async fn describe(&mut self, body: &mut Body) -> Result<(), Stop> {
        let (kind, name) = (body.byte()?, body.text()?);
        body.end()?;
        let (prepared, formats) = match kind {
            b'S' => (self.prepared(&name)?, Vec::new()),
            other if other != b'P' => return Err(no_subtype("DESCRIBE", other).into()),
            _ => match self.portals.get(&name) {
                Some(portal) => (
                    Prepared {
                        query: portal.query.clone(),
                        types: portal.types.clone(),
                        columns: None,
                        room: portal.rooms.0.clone(),
                    },
                    portal.formats.clone(),
                ),
                // A cursor of SQL is a portal, too.
                None => (of_cursor(&name), Vec::new()),
            },
        };
        let described = self.description(&prepared).await?;
        if kind != b'S' && described.columns.is_none() && !self.portals.contains_key(&name) {
            self.fail_block().await?;
            return Err(no_portal(&name).into());
        }
        if kind == b'S' {
            self.know_columns(&name, described.columns.as_ref().map(Vec::len));
            self.client.add(b't', |out| {
                out.extend(super::messages::count(described.parameters.len()));
                described.parameters.iter().for_each(|oid| out.extend(oid.to_be_bytes()));
            });
        }
        match &described.columns {
            Some(columns) => self.client.columns(columns, &formats),
            None => self.client.empty(b'n'),
        }
        Ok(())
    }

    async fn execute(&mut self, body: &mut Body) -> Result<(), Stop> {
        let (name, most) = (body.text()?, usize::try_from(body.int32()?).unwrap_or(0));
        body.end()?;
        let formats = self.portals.get(&name).ok_or_else(|| no_portal(&name))?.formats.clone();
        let Some(Left { result, sent, counted }) = self.left(&name).await? else {
            self.client.empty(b'I');
            return Ok(());
        };
        let end = if most == 0 { result.rows.len() } else { (sent + most).min(result.rows.len()) };
        if sent == 0 && end == result.rows.len() {
            return self.result(&result, &formats).await;
        }
        let columns = result.columns.as_deref().unwrap_or_default();
        self.rows(&result.rows[sent..end], columns, &formats).await?;
        if end < result.rows.len() {
            self.client.empty(b's');
            self.keep(&name, Left { result, sent: end, counted });
            return Ok(());
        }
        self.client.complete(&format!("SELECT {}", end - sent));
        Ok(())
    }

    /// What is left of a portal's result. Runs the portal if it has not run; `None` if it has no statement.
    pub(super) async fn left(&mut self, name: &str) -> Result<Option<Left>, Stop> {
        let portal = self.portals.get_mut(name).ok_or_else(|| no_portal(name))?;
        if let Some(left) = portal.left.take() {
            return Ok(Some(left));
        }
        let (query, types) = (portal.query.clone(), portal.types.clone());
        let parameters = portal.parameters.clone();
        let mut done = self.run(&query, parameters.clone(), types.clone(), None).await?;
        if let Some(columns) = done.results.last().and_then(|last| last.wants_columns) {
            let data = self.copied_in(columns).await?;
            done = self.run(&query, parameters, types, Some(data)).await?;
        }
        self.notices(&done.notices);
        if let Some(error) = done.error {
            return Err(error.into());
        }
        let Some(result) = done.results.pop() else { return Ok(None) };
        let counted = Counted::new(bytes_of(&result), &self.unsent);
        Ok(Some(Left { result, sent: 0, counted }))
    }

    /// Keeps what is left of a portal's result.
    pub(super) fn keep(&mut self, name: &str, left: Left) {
        if let Some(portal) = self.portals.get_mut(name) {
            portal.left = Some(left);
        }
    }
}

fn formats(body: &mut Body) -> io::Result<Vec<i16>> {
    let count = body.count()?;
    (0..count).map(|_| body.int16()).collect()
}

/// About how many bytes a result takes.
fn bytes_of(result: &StatementResult) -> usize {
    let of = |value: &Option<String>| size_of_val(value) + value.as_ref().map_or(0, String::len);
    let copied = result.copied.iter().flat_map(|copied| &copied.lines).map(String::len);
    result.rows.iter().flatten().map(of).chain(copied).sum()
}

/// A statement with the columns of a cursor.
fn of_cursor(name: &str) -> Prepared {
    let query = format!("fetch forward 0 from \"{}\"", name.replace('"', "\"\""));
    Prepared { query: query.into(), types: Vec::new(), columns: None, room: None }
}

fn no_subtype(message: &str, kind: u8) -> Box<DatabaseError> {
    error("08P01", &format!("invalid {message} message subtype {kind}"))
}

/// The highest `$n` of a text outside of its quotes: how many parameters it seems to have.
fn highest_parameter(query: &str) -> usize {
    let unquoted = query.split('\'').step_by(2).flat_map(|part| part.split('"').step_by(2));
    let after_signs = unquoted.flat_map(|part| part.split('$').skip(1));
    let numbers = after_signs.map(|rest| &rest[..rest.bytes().take_while(u8::is_ascii_digit).count()]);
    numbers.filter_map(|digits| digits.parse().ok()).max().unwrap_or(0)
}

fn no_portal(name: &str) -> Box<DatabaseError> {
    error("34000", &format!("portal \"{name}\" does not exist"))
}
