//! A minimal PostgreSQL client: simple queries over one socket, as the service sends them.

use std::cell::RefCell;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::net::UnixStream;
use std::sync::{Mutex, PoisonError};

use serde_json::{Map, Value, json};

use sim_sql::{GRANTS, INITIAL};

use super::answer::{Answer, Refusal};

/// The roles of every project, for a server that lacks them.
const PRELUDE: &str = include_str!("prelude.sql");
const USER: &str = "postgres";
const TEMPLATE: &str = "corpus_template";

/// The number of databases created. Roles belong to the whole server, so only one database is created at a
/// time.
static DATABASES: Mutex<u32> = Mutex::new(0);

/// A server that trusts the user `postgres`: the directory of its socket, or `host:port`.
pub(crate) struct Cluster {
    address: String,
}

/// A database that lives as long as this value.
pub(crate) struct Database<'a> {
    cluster: &'a Cluster,
    name: String,
    /// A connection that is as new: to begin one takes the server ten times as long as most calls.
    spare: RefCell<Option<Connection>>,
}

/// A connection to a database, for many calls.
pub(crate) struct Connection {
    stream: Box<dyn Stream>,
}

trait Stream: Read + Write {}
impl<T: Read + Write> Stream for T {}

struct Message {
    kind: u8,
    body: Vec<u8>,
}

struct Column {
    name: String,
    oid: u32,
}

impl Cluster {
    pub(crate) fn at(address: &str) -> Cluster {
        Cluster { address: address.to_owned() }
    }

    pub(crate) fn fresh_database(&self) -> Database<'_> {
        let mut made = DATABASES.lock().unwrap_or_else(PoisonError::into_inner);
        if *made == 0 {
            self.make_template();
        }
        *made += 1;
        let name = format!("corpus_{made}");
        // Remains of a file that affect the whole server would disturb the next file.
        Connection::open(self, USER).run("drop role if exists reader, auditor, clerk, warden, porter, usher");
        self.create(&name, TEMPLATE)
    }

    /// A database with what a project begins with. To copy it takes a tenth of the time that it takes to make it.
    fn make_template(&self) {
        let database = self.create(TEMPLATE, "template0");
        // Extensions are in packages that a server may lack; the corpus asks nothing of them.
        let initial = INITIAL.lines().filter(|line| !line.starts_with("create extension"));
        database.begin_with(&[PRELUDE, &initial.collect::<Vec<_>>().join("\n"), GRANTS]);
        // It stays, without connections.
        database.spare.take();
        std::mem::forget(database);
    }

    fn create(&self, name: &str, template: &str) -> Database<'_> {
        let mut connection = Connection::open(self, USER);
        connection.run(&format!("drop database if exists {name}"));
        connection.run(&format!("create database {name} template {template}"));
        let database = Database { cluster: self, name: name.to_owned(), spare: RefCell::default() };
        // Settings of a database are not copied.
        database.begin_with(&[PRELUDE]);
        database
    }
}

impl Database<'_> {
    fn begin_with(&self, texts: &[&str]) {
        for text in texts {
            if let Answer::Refusal(refusal) = self.run(text) {
                panic!("the prelude fails: {refusal}");
            }
        }
    }

    /// The service's result for `text`: a call has its own connection.
    pub(crate) fn run(&self, text: &str) -> Answer {
        let mut connection = self.spare.take().unwrap_or_else(|| self.connect());
        let answer = connection.run(text);
        if connection.is_as_new_after(text) {
            self.spare.replace(Some(connection));
        }
        answer
    }

    pub(crate) fn connect(&self) -> Connection {
        Connection::open(self.cluster, &self.name)
    }
}

impl Drop for Database<'_> {
    fn drop(&mut self) {
        Connection::open(self.cluster, USER).run(&format!("drop database {} with (force)", self.name));
    }
}

impl Connection {
    fn open(cluster: &Cluster, database: &str) -> Connection {
        let address = &cluster.address;
        let stream: Box<dyn Stream> = match address.starts_with('/') {
            true => Box::new(UnixStream::connect(format!("{address}/.s.PGSQL.5432")).unwrap()),
            false => Box::new(TcpStream::connect(address).unwrap()),
        };
        let mut connection = Connection { stream };
        connection.start(database);
        connection
    }

    fn start(&mut self, database: &str) {
        let settings =
            [("user", USER), ("database", database), ("client_encoding", "UTF8"), ("TimeZone", "UTC")];
        let mut body = 196_608_u32.to_be_bytes().to_vec();
        for text in settings.iter().flat_map(|(name, value)| [name, value]) {
            body.extend(text.bytes().chain([0]));
        }
        body.push(0);
        self.stream.write_all(&(body.len() as u32 + 4).to_be_bytes()).unwrap();
        self.stream.write_all(&body).unwrap();
        while let Message { kind, body } = self.receive()
            && kind != b'Z'
        {
            assert_ne!(kind, b'E', "{}", refusal(&body));
        }
    }

    /// Takes back what a call did to its session, unless new ones may have other settings now, or this one keeps the
    /// schema of temporary tables.
    fn is_as_new_after(&mut self, text: &str) -> bool {
        let text = text.to_lowercase();
        if ["alter role", "alter user", "alter database", "temp"].iter().any(|each| text.contains(each)) {
            return false;
        }
        ["rollback", "discard all"].iter().all(|each| matches!(self.run(each), Answer::Rows(_)))
    }

    pub(crate) fn run(&mut self, text: &str) -> Answer {
        let mut message = vec![b'Q'];
        message.extend((text.len() as u32 + 5).to_be_bytes());
        message.extend(text.bytes().chain([0]));
        self.stream.write_all(&message).unwrap();
        self.answer()
    }

    /// The rows of the last statement that had some, unless one failed.
    fn answer(&mut self) -> Answer {
        let (mut columns, mut rows, mut last) = (Vec::new(), Vec::new(), Vec::new());
        let mut refused = None;
        loop {
            let Message { kind, body } = self.receive();
            match kind {
                b'T' => columns = read_columns(&body),
                b'D' => rows.push(read_row(&columns, &body)),
                b'C' if !rows.is_empty() => last = std::mem::take(&mut rows),
                b'E' => refused = Some(refusal(&body)),
                b'G' => self.stream.write_all(b"f\0\0\0\x0bunread\0").unwrap(),
                b'Z' => return refused.map_or(Answer::Rows(last), Answer::Refusal),
                _ => {}
            }
        }
    }

    fn receive(&mut self) -> Message {
        let mut head = [0; 5];
        self.stream.read_exact(&mut head).unwrap();
        let length = u32::from_be_bytes([head[1], head[2], head[3], head[4]]) as usize - 4;
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body).unwrap();
        Message { kind: head[0], body }
    }
}

fn refusal(body: &[u8]) -> Refusal {
    let mut refusal = Refusal::default();
    for field in body.split(|byte| *byte == 0).filter(|field| !field.is_empty()) {
        let text = String::from_utf8_lossy(&field[1..]).into_owned();
        match field[0] {
            b'C' => refusal.code = text,
            b'M' => refusal.message = text,
            b'D' => refusal.detail = Some(text),
            b'H' => refusal.hint = Some(text),
            b'P' => refusal.position = text.parse().ok(),
            _ => {}
        }
    }
    refusal
}

fn read_columns(body: &[u8]) -> Vec<Column> {
    let mut rest = &body[2..];
    let mut columns = Vec::new();
    while let Some(end) = rest.iter().position(|byte| *byte == 0) {
        let (name, tail) = (&rest[..end], &rest[end + 1..]);
        let oid = u32::from_be_bytes(tail[6..10].try_into().unwrap());
        columns.push(Column { name: String::from_utf8_lossy(name).into_owned(), oid });
        rest = &tail[18..];
    }
    columns
}

fn read_row(columns: &[Column], body: &[u8]) -> Map<String, Value> {
    let mut rest = &body[2..];
    let mut row = Map::new();
    for Column { name, oid } in columns {
        let length = i32::from_be_bytes(rest[..4].try_into().unwrap());
        rest = &rest[4..];
        let value = match usize::try_from(length) {
            Ok(length) => {
                let (text, tail) = rest.split_at(length);
                rest = tail;
                typed(*oid, &String::from_utf8_lossy(text))
            }
            Err(_) => Value::Null,
        };
        row.insert(name.clone(), value);
    }
    row
}

/// A value in the format of the service's SQL endpoint; values without a parser stay PostgreSQL's text.
fn typed(oid: u32, text: &str) -> Value {
    match oid {
        16 => json!(text == "t"),
        20 => big_integer(text),
        21 | 23 | 26 => json!(text.parse::<i64>().unwrap()),
        700 | 701 => float(text),
        114 | 3802 => serde_json::from_str(text).unwrap(),
        17 => json!({ "type": "Buffer", "data": bytes(text) }),
        1000 => array(text, &|item| json!(item == "t")),
        1005 | 1007 | 1028 => array(text, &|item| json!(item.parse::<i64>().unwrap())),
        1021 | 1022 | 1231 => array(text, &float),
        199 | 3807 => array(text, &|item| serde_json::from_str(item).unwrap()),
        651 | 791 | 1008 | 1009 | 1014 | 1015 | 1016 | 1040 | 1041 | 1115 | 1182 | 1183 | 1185 | 1187
        | 1270 | 2951 | 3907 => array(text, &|item| json!(item)),
        _ => json!(text),
    }
}

fn big_integer(text: &str) -> Value {
    let number: i64 = text.parse().unwrap();
    if number.unsigned_abs() < (1 << 53) { json!(number) } else { json!(text) }
}

/// JSON has no infinity: it becomes null.
fn float(text: &str) -> Value {
    json!(text.parse::<f64>().ok().filter(|float| float.is_finite()))
}

fn bytes(text: &str) -> Vec<u8> {
    let digits = text.trim_start_matches("\\x").as_bytes();
    digits.chunks(2).map(|pair| u8::from_str_radix(str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}

/// Reads `{a,"b c",NULL,{…}}`.
fn array(text: &str, item: &dyn Fn(&str) -> Value) -> Value {
    // Bounds that do not start at one come before the elements: [0:1]={…}.
    let start = text.find('{').unwrap();
    array_items(&mut text[start + 1..].chars().peekable(), item)
}

fn array_items(chars: &mut std::iter::Peekable<std::str::Chars<'_>>, item: &dyn Fn(&str) -> Value) -> Value {
    let mut items = Vec::new();
    let (mut text, mut quoted) = (String::new(), false);
    while let Some(char) = chars.next() {
        match char {
            '{' => {
                items.push(array_items(chars, item));
                chars.next_if_eq(&',');
                if chars.next_if_eq(&'}').is_some() {
                    break;
                }
            }
            '"' => {
                quoted = true;
                while let Some(char) = chars.next_if(|char| *char != '"') {
                    text.push(if char == '\\' { chars.next().unwrap() } else { char });
                }
                chars.next();
            }
            ',' | '}' => {
                if quoted || !text.is_empty() {
                    let null = !quoted && text == "NULL";
                    items.push(if null { Value::Null } else { item(&text) });
                }
                (text, quoted) = (String::new(), false);
                if char == '}' {
                    break;
                }
            }
            char => text.push(char),
        }
    }
    Value::Array(items)
}
