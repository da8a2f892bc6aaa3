//! A minimal PostgreSQL client: simple queries over one socket.

use std::collections::BTreeMap;
use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;
#[cfg(unix)]
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use bytes::BytesMut;
use fallible_iterator::FallibleIterator as _;
use postgres_protocol::authentication::{md5_hash, sasl};
use postgres_protocol::message::backend::{DataRowBody, ErrorResponseBody, Message, RowDescriptionBody};
use postgres_protocol::message::frontend;
use serde_json::{Map, Value};
use sim_core::sql::error::{About, Report};
use sim_core::sql::{Outcome, ResultColumn, SqlError, SqlState};

use super::target::{Place, Target};
use super::value;

/// Time limit to connect, and for responses to statements that are not a project's SQL.
const PATIENCE: Duration = Duration::from_secs(60);

/// Sent at the start of every connection, so that results have the same format for all settings of the server.
const SETTINGS: [(&str, &str); 7] = [
    ("client_encoding", "UTF8"),
    ("TimeZone", "UTC"),
    ("DateStyle", "ISO, MDY"),
    ("IntervalStyle", "postgres"),
    ("bytea_output", "hex"),
    ("extra_float_digits", "1"),
    ("search_path", "\"$user\", public, extensions"),
];

/// Appended to a text, asks whether the text has written anything. It closes what the text may have left
/// open: a comment to the end of the line, a statement.
pub(super) const HAS_WRITTEN: &str =
    "\n;select pg_catalog.pg_current_xact_id_if_assigned() is not null as \"stuntdouble has written\"";

/// The only column in the result of [`HAS_WRITTEN`].
const WRITTEN: &str = "stuntdouble has written";

/// A connection to one database.
pub(super) struct Connection {
    stream: Stream,
    target: Target,
    input: BytesMut,
    output: BytesMut,
    process: i32,
    secret: i32,
    /// The server's parameters at the start of the connection.
    pub(super) parameters: BTreeMap<String, String>,
}

/// The result of an SQL text.
#[derive(Default)]
pub(super) struct Answer {
    pub(super) outcome: Outcome,
    pub(super) error: Option<SqlError>,
    /// Whether the server refused something.
    pub(super) has_failed: bool,
    /// Whether the last transaction wrote something, if [`HAS_WRITTEN`] was asked.
    pub(super) has_written: Option<bool>,
    /// Whether a transaction was left open.
    pub(super) is_open: bool,
}

/// When to stop waiting for a response.
#[derive(Clone, Copy)]
pub(super) struct Patience {
    /// Bytes of rows, as JSON.
    pub(super) bytes: usize,
    pub(super) time: Duration,
}

impl Patience {
    pub(super) const OURS: Patience = Patience { bytes: usize::MAX, time: PATIENCE };
}

enum Stream {
    #[cfg(unix)]
    Unix(UnixStream),
    Tcp(TcpStream),
}

impl Stream {
    fn open(place: &Place) -> io::Result<Stream> {
        match place {
            #[cfg(unix)]
            Place::Socket(folder, port) => {
                UnixStream::connect(folder.join(format!(".s.PGSQL.{port}"))).map(Stream::Unix)
            }
            #[cfg(not(unix))]
            Place::Socket(..) => {
                Err(io::Error::new(ErrorKind::Unsupported, "there are no such sockets here"))
            }
            Place::Tcp(host, port) => {
                let stream = TcpStream::connect((host.as_str(), *port))?;
                stream.set_nodelay(true)?;
                Ok(Stream::Tcp(stream))
            }
        }
    }

    fn set_timeout(&self, timeout: Duration) -> io::Result<()> {
        // Zero would mean no limit.
        let timeout = Some(timeout.max(Duration::from_millis(1)));
        match self {
            #[cfg(unix)]
            Stream::Unix(stream) => stream.set_read_timeout(timeout),
            Stream::Tcp(stream) => stream.set_read_timeout(timeout),
        }
    }

    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            #[cfg(unix)]
            Stream::Unix(stream) => stream.read(buffer),
            Stream::Tcp(stream) => stream.read(buffer),
        }
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            #[cfg(unix)]
            Stream::Unix(stream) => stream.write_all(bytes),
            Stream::Tcp(stream) => stream.write_all(bytes),
        }
    }
}

impl Connection {
    /// Connects and logs in.
    pub(super) fn open(target: &Target, database: &str) -> io::Result<Connection> {
        let mut connection = Connection {
            stream: Stream::open(&target.place)?,
            target: target.clone(),
            input: BytesMut::new(),
            output: BytesMut::new(),
            process: 0,
            secret: 0,
            parameters: BTreeMap::new(),
        };
        let named = [("user", target.user.as_str()), ("database", database)];
        frontend::startup_message(named.into_iter().chain(SETTINGS), &mut connection.output)?;
        connection.flush()?;
        connection.log_in(Instant::now() + PATIENCE)?;
        Ok(connection)
    }

    fn log_in(&mut self, deadline: Instant) -> io::Result<()> {
        let mut scram = None;
        let password = self.target.password.clone().unwrap_or_default();
        loop {
            match self.receive(deadline)? {
                Message::AuthenticationCleartextPassword => {
                    frontend::password_message(password.as_bytes(), &mut self.output)?;
                }
                Message::AuthenticationMd5Password(body) => {
                    let hash = md5_hash(self.target.user.as_bytes(), password.as_bytes(), body.salt());
                    frontend::password_message(hash.as_bytes(), &mut self.output)?;
                }
                Message::AuthenticationSasl(_) => {
                    let begun =
                        sasl::ScramSha256::new(password.as_bytes(), sasl::ChannelBinding::unsupported());
                    frontend::sasl_initial_response(sasl::SCRAM_SHA_256, begun.message(), &mut self.output)?;
                    scram = Some(begun);
                }
                Message::AuthenticationSaslContinue(body) => {
                    let scram = scram.as_mut().ok_or_else(unexpected)?;
                    scram.update(body.data())?;
                    frontend::sasl_response(scram.message(), &mut self.output)?;
                }
                Message::AuthenticationSaslFinal(body) => {
                    scram.as_mut().ok_or_else(unexpected)?.finish(body.data())?;
                }
                Message::AuthenticationOk | Message::NoticeResponse(_) => {}
                Message::ParameterStatus(body) => {
                    self.parameters.insert(body.name()?.to_owned(), body.value()?.to_owned());
                }
                Message::BackendKeyData(body) => {
                    (self.process, self.secret) = (body.process_id(), body.secret_key());
                }
                Message::ReadyForQuery(_) => return Ok(()),
                Message::ErrorResponse(body) => {
                    return Err(io::Error::other(refusal(&body, "")?.message.clone()));
                }
                _ => return Err(unexpected()),
            }
            self.flush()?;
        }
    }

    /// The server's major version; zero if unknown.
    pub(super) fn major_version(&self) -> u32 {
        let shown = self.parameters.get("server_version");
        let digits = shown.and_then(|shown| shown.split(|c: char| !c.is_ascii_digit()).next());
        digits.and_then(|digits| digits.parse().ok()).unwrap_or(0)
    }

    /// Runs the simulator's own SQL, which must succeed.
    pub(super) fn must(&mut self, text: &str) -> io::Result<Outcome> {
        let answer = self.run(text, Patience::OURS)?;
        match answer.error {
            Some(error) => Err(io::Error::other(error.to_string())),
            None => Ok(answer.outcome),
        }
    }

    /// Runs an SQL text. After a connection error or a timeout the connection is not used again.
    pub(super) fn run(&mut self, text: &str, patience: Patience) -> io::Result<Answer> {
        frontend::query(text, &mut self.output)?;
        self.flush()?;
        let answer = self.answer(text, patience);
        if answer.is_err() {
            self.cancel();
        }
        answer
    }

    /// The rows of the last statement that had some, unless one failed.
    fn answer(&mut self, text: &str, patience: Patience) -> io::Result<Answer> {
        let deadline = Instant::now() + patience.time;
        let mut answer = Answer::default();
        let (mut columns, mut rows, mut bytes) = (Vec::new(), Vec::new(), 0_usize);
        loop {
            match self.receive(deadline)? {
                Message::RowDescription(body) => (columns, bytes) = (read_columns(&body)?, 0),
                Message::DataRow(body) => {
                    bytes +=
                        body.buffer().len() + columns.iter().map(|column| column.name.len()).sum::<usize>();
                    // Rows beyond the limit are read and dropped: the statement ends as it would have.
                    if bytes <= patience.bytes {
                        rows.push(read_row(&columns, &body)?);
                    } else {
                        rows.clear();
                        answer.error.get_or_insert_with(|| too_large(patience.bytes));
                    }
                }
                Message::CommandComplete(_)
                    if columns.first().is_some_and(|column| column.name == WRITTEN) =>
                {
                    let row = rows.pop().unwrap_or_default();
                    answer.has_written = row.get(WRITTEN).and_then(Value::as_bool);
                }
                Message::CommandComplete(body) => {
                    answer.outcome.commands.push(body.tag()?.to_owned());
                    if !rows.is_empty() {
                        answer.outcome.rows = std::mem::take(&mut rows);
                        answer.outcome.columns = columns.iter().map(Column::shown).collect();
                    }
                }
                Message::ErrorResponse(body) => {
                    answer.error = Some(refusal(&body, text)?);
                    answer.has_failed = true;
                    rows.clear();
                }
                Message::CopyInResponse(_) => {
                    frontend::copy_fail("there is nothing to copy from", &mut self.output)?;
                    self.flush()?;
                }
                Message::ReadyForQuery(body) => {
                    answer.is_open = body.status() != b'I';
                    return Ok(answer);
                }
                _ => {}
            }
        }
    }

    fn receive(&mut self, deadline: Instant) -> io::Result<Message> {
        loop {
            if let Some(message) = Message::parse(&mut self.input)? {
                return Ok(message);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(ErrorKind::TimedOut.into());
            }
            self.stream.set_timeout(left)?;
            let mut buffer = [0; 16 << 10];
            match self.stream.read(&mut buffer) {
                Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
                Ok(count) => self.input.extend_from_slice(&buffer[..count]),
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                    return Err(ErrorKind::TimedOut.into());
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        let output = self.output.split();
        self.stream.write_all(&output)
    }

    /// Asks the server to cancel this connection's statement. If the server does not listen, nothing can be
    /// done.
    fn cancel(&self) {
        let mut message = BytesMut::new();
        frontend::cancel_request(self.process, self.secret, &mut message);
        let _ = Stream::open(&self.target.place).and_then(|mut stream| stream.write_all(&message));
    }

    /// Ends the connection and waits until the server has closed it: a database with connections can't be
    /// copied.
    pub(super) fn close(mut self) {
        frontend::terminate(&mut self.output);
        let deadline = Instant::now() + PATIENCE;
        if self.flush().is_ok() {
            while self.receive(deadline).is_ok() {}
        }
    }
}

fn unexpected() -> io::Error {
    io::Error::new(ErrorKind::InvalidData, "the server asks for a way to log in that is not known here")
}

fn too_large(limit: usize) -> SqlError {
    let message = format!("Query result size exceeded the configured limit ({limit} bytes)");
    SqlError::new(SqlState::PROGRAM_LIMIT, message)
}

struct Column {
    name: String,
    oid: u32,
}

impl Column {
    fn shown(&self) -> ResultColumn {
        ResultColumn { name: self.name.clone(), type_name: value::type_name(self.oid).to_owned() }
    }
}

fn read_columns(body: &RowDescriptionBody) -> io::Result<Vec<Column>> {
    body.fields().map(|field| Ok(Column { name: field.name().to_owned(), oid: field.type_oid() })).collect()
}

fn read_row(columns: &[Column], body: &DataRowBody) -> io::Result<Map<String, Value>> {
    let mut row = Map::new();
    let mut ranges = body.ranges();
    for column in columns {
        let text = ranges.next()?.flatten().map(|range| String::from_utf8_lossy(&body.buffer()[range]));
        row.insert(column.name.clone(), text.map_or(Value::Null, |text| value::json(column.oid, &text)));
    }
    Ok(row)
}

/// The server's error. Its position refers to the `text` that was sent.
fn refusal(body: &ErrorResponseBody, text: &str) -> io::Result<SqlError> {
    let mut report = Report {
        code: SqlState::INTERNAL,
        message: String::new(),
        detail: None,
        hint: None,
        late: false,
        position: None,
        query: None,
        query_position: None,
        context: None,
        line: None,
        about: About::default(),
    };
    let (mut fields, mut query_place) = (body.fields(), None);
    while let Some(field) = fields.next()? {
        let value = String::from_utf8_lossy(field.value_bytes()).into_owned();
        match field.type_() {
            b'C' if value.len() == 5 => report.code = SqlState::new(&value),
            b'M' => report.message = value,
            b'D' => report.detail = Some(value),
            b'H' => report.hint = Some(value),
            b'P' => report.position = value.parse().ok().and_then(|place| byte_at(text, place)),
            b'q' => report.query = Some(value),
            b'p' => query_place = value.parse().ok(),
            b'W' => report.context = Some(value),
            letter => report.about.set(letter, value),
        }
    }
    let query_place = report.query.as_deref().zip(query_place);
    report.query_position = query_place.and_then(|(query, place)| byte_at(query, place));
    Ok(SqlError::from(report))
}

/// The position of the character with the server's number `place`, counted from one.
fn byte_at(text: &str, place: usize) -> Option<usize> {
    let mut starts = text.char_indices().map(|(at, _)| at).chain([text.len()]);
    starts.nth(place.checked_sub(1)?)
}
