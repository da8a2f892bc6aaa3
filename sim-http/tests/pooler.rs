//! The listener for database clients: one that breaks the protocol, sends too much or reads nothing is told, and harms no other.

use std::io::{self, Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use bytes::BytesMut;
use postgres_protocol::authentication::sasl::{ChannelBinding, ScramSha256};
use postgres_protocol::message::frontend;
use sim_core::management::project::CreateProject;
use sim_core::{Policy, Simulator};
use sim_http::{Limits, Server};

use crate::client::{call, get, post};

fn server(policy: Policy, limits: Limits) -> (Server, String) {
    let mut sim = Simulator::builder().policy(policy).build();
    let project = sim.call(CreateProject::named("demo", "acme")).expect("the name is new");
    sim.advance(Duration::from_secs(60));
    let server = Server::builder().limits(limits).pooler(0).spawn(sim).expect("a port is to be had");
    (server, project.id.0)
}

fn plain() -> (Server, String) {
    server(Policy::default(), Limits::default())
}

/// A connection that reads what it is sent message by message.
struct Client(TcpStream);

impl Client {
    fn open(server: &Server) -> Client {
        let stream = TcpStream::connect(server.pooler_addr().expect("it listens")).expect("it accepts");
        stream.set_read_timeout(Some(Duration::from_secs(30))).expect("a socket has timeouts");
        Client(stream)
    }

    fn send(&mut self, bytes: &[u8]) {
        // The server may have closed the connection, which reading shows.
        let _ = self.0.write_all(bytes);
    }

    /// The next message: its kind and its body; `None` at the end.
    fn read(&mut self) -> Option<(u8, Vec<u8>)> {
        let mut head = [0; 5];
        self.0.read_exact(&mut head).ok()?;
        let length = u32::from_be_bytes([head[1], head[2], head[3], head[4]]);
        let mut body = vec![0; length as usize - 4];
        self.0.read_exact(&mut body).ok()?;
        Some((head[0], body))
    }

    /// SQLSTATEs and tags up to the next message of that kind, or the end.
    fn until(&mut self, kind: u8) -> String {
        let mut seen = Vec::new();
        loop {
            let Some((found, body)) = self.read() else {
                seen.push("end".to_owned());
                break;
            };
            let field = |tag: u8| {
                let field = body.split(|byte| *byte == 0).find(|field| field.first() == Some(&tag));
                field.map(|field| String::from_utf8_lossy(&field[1..]).into_owned())
            };
            match found {
                b'E' => seen.push(format!(
                    "{} {}",
                    field(b'S').unwrap_or_default(),
                    field(b'C').unwrap_or_default()
                )),
                b'C' => seen.push(String::from_utf8_lossy(&body[..body.len() - 1]).into_owned()),
                // The number of the session, then the channel and the text, each with a zero at its end.
                b'A' => seen.push(format!("told {:?}", String::from_utf8_lossy(&body[4..]))),
                _ => {}
            }
            if found == kind {
                break;
            }
        }
        seen.join(", ")
    }

    fn ask(&mut self, query: &str) -> String {
        self.send(&message(b'Q', format!("{query}\0").as_bytes()));
        self.until(b'Z')
    }
}

fn message(kind: u8, body: &[u8]) -> Vec<u8> {
    let length = u32::try_from(body.len() + 4).expect("a short message");
    [&[kind], &length.to_be_bytes()[..], body].concat()
}

fn start(user: &str) -> BytesMut {
    let mut out = BytesMut::new();
    frontend::startup_message([("user", user), ("database", "postgres")], &mut out).expect("plain names");
    out
}

fn log_in(server: &Server, project: &str) -> Client {
    let password = CreateProject::named("demo", "acme").db_pass.0;
    let (client, answer) = log_in_as(server, &format!("postgres.{project}"), &password);
    assert_eq!(answer, "");
    client
}

/// A client that has tried to log in, and what it was told.
fn log_in_as(server: &Server, user: &str, password: &str) -> (Client, String) {
    let mut client = Client::open(server);
    client.send(&start(user));
    let mut scram = ScramSha256::new(password.as_bytes(), ChannelBinding::unsupported());
    let mut out = BytesMut::new();
    client.read().expect("a request for a proof");
    frontend::sasl_initial_response("SCRAM-SHA-256", scram.message(), &mut out).expect("a short one");
    client.send(&out.split());
    let (_, challenge) = client.read().expect("a challenge");
    scram.update(&challenge[4..]).expect("a challenge");
    frontend::sasl_response(scram.message(), &mut out).expect("a short one");
    client.send(&out);
    let answer = client.until(b'Z');
    (client, answer)
}

#[test]
fn a_login_role_logs_in_until_it_expires() {
    let (server, project) = plain();
    let path = format!("/v1/projects/{project}/cli/login-role");
    let made = post(&server, &path, r#"{"read_only":false}"#).json();
    let text = |field: &str| made[field].as_str().expect("a text").to_owned();
    let user = format!("{}.{project}", text("role"));
    let (mut client, answer) = log_in_as(&server, &user, &text("password"));
    assert_eq!((&*answer, &*client.ask("create table t (a int)")), ("", "CREATE TABLE"));
    assert_eq!(log_in_as(&server, &user, "guess").1, "FATAL 28P01, end");
    post(&server, "/_sim/clock/advance", r#"{"ms":3600000}"#);
    let mut late = Client::open(&server);
    late.send(&start(&user));
    assert_eq!(late.until(b'R'), "FATAL XX000, end");
}

#[test]
fn a_connection_through_a_broken_pooler_is_refused_and_an_open_one_goes_on() {
    let (server, project) = plain();
    let mut open = log_in(&server, &project);
    let health = |service: &str, healthy: bool| {
        let path = format!("/_sim/projects/{project}/health/{service}");
        let body = format!(r#"{{"healthy":{healthy}}}"#);
        call(&server, "PUT", &path, &body);
    };
    let refused = || {
        let mut client = Client::open(&server);
        client.send(&start(&format!("postgres.{project}")));
        client.until(b'R')
    };
    for service in ["pooler", "db_postgres_user"] {
        health(service, false);
        assert_eq!(refused(), "FATAL 08006, end", "{service}");
        assert_eq!(open.ask("select 1"), "SELECT 1");
        health(service, true);
        log_in(&server, &project);
    }
}

#[test]
fn a_message_that_is_none_ends_the_connection_with_the_reason() {
    let (server, project) = plain();
    let mut other = log_in(&server, &project);
    for (what, bytes) in [
        ("a negative length", vec![b'Q', 0xff, 0xff, 0xff, 0x9c]),
        ("a length of one", vec![b'Q', 0, 0, 0, 1]),
        ("a length of 2 GiB", [&[b'Q', 0x7f, 0xff, 0xff, 0xff][..], &[b'x'; 100_000]].concat()),
        ("a text without an end", message(b'Q', b"select 1")),
        ("a second text in a query", message(b'Q', b"select 1\0select 2\0")),
        ("a kind that no client sends", message(b'z', b"")),
        ("fewer types than it says", message(b'P', b"s\0select 1\0\0\x09")),
        (
            "a value of a negative length",
            [
                message(b'P', b"s\0select $1::text\0\0\0"),
                message(b'B', b"\0s\0\0\0\0\x01\xff\xff\xff\xf9\0\0"),
            ]
            .concat(),
        ),
        (
            "a value that is longer than its message",
            [
                message(b'P', b"s\0select $1::text\0\0\0"),
                message(b'B', b"\0s\0\0\0\0\x01\x7f\xff\xff\xff\0\0"),
            ]
            .concat(),
        ),
    ] {
        let mut client = log_in(&server, &project);
        client.send(&bytes);
        assert_eq!(client.until(b'Z'), "FATAL 08P01, end", "{what}");
        assert_eq!(other.ask("select 1"), "SELECT 1", "{what}");
    }
}

#[test]
fn a_text_that_is_no_utf_8_is_an_error_and_the_connection_goes_on() {
    let (server, project) = plain();
    let mut client = log_in(&server, &project);
    client.send(&message(b'Q', b"select '\xff\xfe'\0"));
    assert_eq!(client.until(b'Z'), "ERROR 22021");
    client.send(&[message(b'P', b"s\0select '\xff'\0\0\0"), message(b'S', b"")].concat());
    assert_eq!(client.until(b'Z'), "ERROR 22021");
    // A zero byte in a value, as text and in binary form.
    for bind in [&b"\0\0\0\0\0\x01\0\0\0\x03a\0b\0\0"[..], b"\0\0\0\x01\0\x01\0\x01\0\0\0\x03a\0b\0\0"] {
        let parse = message(b'P', b"\0select $1::text\0\0\0");
        client.send(&[parse, message(b'B', bind), message(b'S', b"")].concat());
        assert_eq!(client.until(b'Z'), "ERROR 22021");
    }
    assert_eq!(client.ask("select 1"), "SELECT 1");
}

#[test]
fn a_first_message_that_is_none_is_answered_with_the_reason() {
    let (server, _) = plain();
    for (first, code) in [
        (&[0, 0, 0, 0][..], "08P01"),
        (&[0, 0, 0, 7, 1, 2, 3], "08P01"),
        (&[0x7f, 0xff, 0xff, 0xff, 0, 3, 0, 0], "08P01"),
        (&[0, 0, 0, 8, 0, 2, 0, 0], "0A000"),
        (&[0, 0, 0, 8, 0, 4, 0, 0], "0A000"),
        (&[0, 0, 0, 12, 0, 3, 0, 0, b'u', b's', b'e', b'r'], "08P01"),
    ] {
        let mut client = Client::open(&server);
        client.send(first);
        assert_eq!(client.until(b'Z'), format!("FATAL {code}, end"), "{first:?}");
    }
}

/// A statement, prepared and bound with what follows its name in the message, and executed.
fn bound(query: &str, bind: &[u8]) -> Vec<u8> {
    let parse = message(b'P', format!("\0{query}\0\0\0").as_bytes());
    let bind = message(b'B', &[b"\0\0", bind].concat());
    [parse, bind, message(b'E', b"\0\0\0\0\0"), message(b'S', b"")].concat()
}

#[test]
fn a_statement_takes_as_many_values_and_formats_as_it_has() {
    let (server, project) = plain();
    let mut client = log_in(&server, &project);
    let one = b"\0\0\0\x01\0\0\0\x015\0\0";
    let many = [&b"\0\0\xff\xff"[..], &[0xff; 4 * 65_535], b"\0\0"].concat();
    for (query, bind, answer) in [
        ("select $1::int", &one[..], "SELECT 1"),
        ("select '$2', \"$3\", $1::int from (select 1 as \"$3\") a", one, "SELECT 1"),
        ("select $1::int", b"\0\0\0\0\0\0", "ERROR 08P01"),
        ("select $1::int", b"\0\0\0\x02\0\0\0\x015\0\0\0\x016\0\0", "ERROR 08P01"),
        ("select 1", &many, "ERROR 08P01"),
        // Fewer than it says.
        ("select 1", b"\0\0\xff\xff", "ERROR 08P01"),
        ("select $1::int", b"\0\x02\0\0\0\0\0\x01\0\0\0\x015\0\0", "ERROR 08P01"),
        ("select $1::int", b"\0\x01\0\x09\0\x01\0\0\0\x015\0\0", "ERROR 22023"),
        ("select $1::int", b"\0\0\0\x01\0\0\0\x015\0\x03\0\x01\0\x01\0\x01", "ERROR 08P01"),
        ("select $1::int", b"\0\0\0\x01\0\0\0\x015\0\x01\0\x09", "ERROR 22023"),
        ("select $1::int, 2", b"\0\0\0\x01\0\0\0\x015\0\x02\0\x01\0\0", "SELECT 1"),
        ("begin", b"\0\0\0\0\0\x02\0\0\0\0", "BEGIN"),
    ] {
        client.send(&bound(query, bind));
        assert_eq!(client.until(b'Z'), answer, "{query} {:?}", &bind[..bind.len().min(20)]);
    }
    assert_eq!(client.ask("select 1"), "SELECT 1");
    client.send(&[message(b'D', b"X\0"), message(b'S', b"")].concat());
    assert_eq!(client.until(b'Z'), "ERROR 08P01");
}

#[test]
fn instants_in_binary_form_are_the_same_in_every_zone() {
    let (server, project) = plain();
    let mut client = log_in(&server, &project);
    for zone in ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata"] {
        assert_eq!(client.ask(&format!("set timezone = '{zone}'")), "SET");
        let query =
            "select timestamptz '2026-01-01 00:00:07.5+00', array[timestamptz '2026-01-01 00:00:07.5+00']";
        client.send(&bound(query, b"\0\0\0\0\0\x01\0\x01"));
        let instant = b"\0\0\0\x08\0\x02\xea\x47\x0b\x5a\xd0\xe0";
        let row = loop {
            match client.read().expect("an answer") {
                (b'D', row) => break row,
                (kind, _) => assert_ne!(kind, b'E', "{zone}"),
            }
        };
        assert_eq!((&row[2..14], &row[row.len() - 12..]), (&instant[..], &instant[..]), "{zone}");
        client.until(b'Z');
    }
}

#[test]
fn binary_parameters_are_read_to_their_last_byte() {
    let (server, project) = plain();
    let mut client = log_in(&server, &project);
    let bounds = b"\0\0\0\x01\0\0\0\0\0\0\0\x17\0\0\0\x01\0\0\0\x05\0\0\0\x04\0\0\0\x01";
    let interval = [&(-1_500_000_i64).to_be_bytes()[..], &[0xff, 0xff, 0xff, 0xfd, 0, 0, 0, 14]].concat();
    let range = b"\x02\0\0\0\x04\0\0\0\x01\0\0\0\x04\0\0\0\x05";
    for (query, value, answer) in [
        ("select 1 / (array_lower($1::int[], 1) = 5)::int", &bounds[..], "SELECT 1"),
        ("select 1 / ($1::interval = '14 mons -3 days -1.5 sec')::int", &interval, "SELECT 1"),
        ("select 1 / ($1::int4range = '[1,5)')::int", range, "SELECT 1"),
        ("select 1 / ($1::inet = '1.2.3.4/8')::int", &[2, 8, 0, 4, 1, 2, 3, 4], "SELECT 1"),
        ("select $1::uuid", &[1; 20], "ERROR 22P03"),
        ("select $1::uuid", &[1; 2], "ERROR 08P01"),
        ("select $1::bool", &[0, 1], "ERROR 22P03"),
        ("select $1::interval", &[0; 17], "ERROR 22P03"),
        ("select $1::numeric", &[0, 1, 0, 0, 0, 0, 0, 4, 0, 7, 0, 8], "ERROR 22P03"),
        ("select $1::int[]", &[bounds, &b"x"[..]].concat(), "ERROR 22P03"),
    ] {
        let length = u32::try_from(value.len()).expect("a short value").to_be_bytes();
        client.send(&bound(query, &[b"\0\x01\0\x01\0\x01", &length[..], value, b"\0\0"].concat()));
        assert_eq!(client.until(b'Z'), answer, "{query}");
    }
}

#[test]
fn cursors_of_sql_and_portals_of_the_protocol_are_found_by_both() {
    let (server, project) = plain();
    let mut client = log_in(&server, &project);
    assert_eq!(client.ask("begin"), "BEGIN");
    let rows = |most: u8| message(b'E', &[b"p\0\0\0\0", &[most][..]].concat());
    let (parse, bind) = (b"\0select generate_series(1, 9)\0\0\0", b"p\0\0\0\0\0\0\0\0");
    client.send(&[message(b'P', parse), message(b'B', bind), rows(2), message(b'S', b"")].concat());
    assert_eq!(client.until(b'Z'), "");
    assert_eq!(client.ask("MOVE FORWARD 3 p;"), "MOVE 3");
    assert_eq!(client.ask("fetch next from p"), "FETCH 1");
    client.send(&[rows(0), message(b'S', b"")].concat());
    assert_eq!(client.until(b'Z'), "SELECT 3");
    assert_eq!(client.ask("close \"p\""), "CLOSE CURSOR");
    client.send(&[message(b'P', parse), message(b'B', bind), message(b'S', b"")].concat());
    assert_eq!(client.until(b'Z'), "");
    assert_eq!(client.ask("close all"), "CLOSE CURSOR ALL");
    assert_eq!(client.ask("savepoint s"), "SAVEPOINT");
    assert_eq!(client.ask("fetch p"), "ERROR 34000");
    assert_eq!(client.ask("rollback to s; declare c binary cursor for select 7"), "ROLLBACK, DECLARE CURSOR");
    client.send(&[message(b'D', b"Pc\0"), message(b'S', b"")].concat());
    assert_eq!(client.until(b'T'), "");
    assert_eq!(client.until(b'Z'), "");
    client.send(&message(b'Q', b"fetch c\0"));
    assert_eq!(client.until(b'T'), "");
    assert_eq!(client.read(), Some((b'D', vec![0, 1, 0, 0, 0, 4, 0, 0, 0, 7])));
    assert_eq!(client.until(b'Z'), "FETCH 1");
    client.send(&[message(b'D', b"Pnosuch\0"), message(b'S', b"")].concat());
    assert_eq!(client.until(b'Z'), "ERROR 34000");
    assert_eq!(client.ask("fetch c"), "ERROR 25P02");
}

#[test]
fn a_session_that_listens_is_told_what_it_sends_when_its_transaction_ends() {
    let (server, project) = plain();
    let mut client = log_in(&server, &project);
    assert_eq!(client.ask("notify room, 'nobody listens'"), "NOTIFY");
    assert_eq!(client.ask("listen room"), "LISTEN");
    assert_eq!(client.ask("notify room, 'hello'"), r#"NOTIFY, told "room\0hello\0""#);
    assert_eq!(
        client.ask("begin; notify room, 'a'; select pg_notify('room', 'a')"),
        "BEGIN, NOTIFY, SELECT 1"
    );
    assert_eq!(client.ask("notify other; notify room"), "NOTIFY, NOTIFY");
    assert_eq!(client.ask("commit"), r#"COMMIT, told "room\0a\0", told "room\0\0""#);
    assert_eq!(client.ask("begin; notify room, 'undone'; listen other"), "BEGIN, NOTIFY, LISTEN");
    assert_eq!(client.ask("rollback"), "ROLLBACK");
    assert_eq!(client.ask("notify other, 'x'"), "NOTIFY");
    // Several statements in a text are one transaction.
    assert_eq!(
        client.ask("select 1; notify room, 'b'; select 2"),
        r#"SELECT 1, NOTIFY, SELECT 1, told "room\0b\0""#
    );
    let (parse, bind) = (b"\0notify room, 'c'\0\0\0", b"\0\0\0\0\0\0\0\0");
    let execute = message(b'E', b"\0\0\0\0\0");
    client.send(&[message(b'P', parse), message(b'B', bind), execute, message(b'S', b"")].concat());
    assert_eq!(client.until(b'Z'), r#"NOTIFY, told "room\0c\0""#);
    assert_eq!(client.ask("unlisten *"), "UNLISTEN");
    assert_eq!(client.ask("notify room, 'd'"), "NOTIFY");
}

#[test]
fn what_is_longer_than_a_call_may_be_is_an_error_and_the_connection_goes_on() {
    let (server, project) = server(Policy { max_body_bytes: 10_000, ..Policy::default() }, Limits::default());
    let mut client = log_in(&server, &project);
    assert_eq!(client.ask(&format!("select '{}'", "x".repeat(20_000))), "ERROR 54000");
    assert_eq!(client.ask("create table note (text text)"), "CREATE TABLE");
    client.send(&message(b'Q', b"copy note from stdin\0"));
    assert_eq!(client.until(b'G'), "");
    for _ in 0..100 {
        client.send(&message(b'd', &[b'x'; 1000]));
    }
    client.send(&message(b'c', b""));
    assert_eq!(client.until(b'Z'), "ERROR 54000");
    assert_eq!(client.ask("select * from note"), "SELECT 0");
}

#[test]
fn clients_that_do_not_read_lose_their_connection_and_others_go_on() {
    let limits = Limits { unsent_bytes: 20 << 20, ..Limits::default() };
    let (server, project) = server(Policy::default(), limits);
    let much = message(b'Q', b"select repeat('x', 1000) from generate_series(1, 10000)\0");
    let mut idle: Vec<Client> = (0..6).map(|_| log_in(&server, &project)).collect();
    for client in &mut idle {
        client.send(&much);
    }
    let mut other = log_in(&server, &project);
    let begun = Instant::now();
    while other.ask("select 1") != "SELECT 1" {
        assert!(begun.elapsed() < Duration::from_secs(30), "it is answered once the others are gone");
    }
    let cut = idle.into_iter().filter_map(|mut client| {
        client.0.set_read_timeout(Some(Duration::from_millis(100))).expect("a socket has timeouts");
        io::copy(&mut client.0, &mut io::sink())
            .err()
            .filter(|error| error.kind() == io::ErrorKind::ConnectionReset)
    });
    assert!(cut.count() > 0);
}

#[test]
fn a_prepared_statement_is_one_statement() {
    let (server, project) = plain();
    let mut client = log_in(&server, &project);
    client.send(&bound("select 1; drop table note", b"\0\0\0\0\0\0"));
    assert_eq!(client.until(b'Z'), "ERROR 42601");
    client.send(&bound("select ';'; -- done", b"\0\0\0\0\0\0"));
    assert_eq!(client.until(b'Z'), "SELECT 1");
}

#[test]
fn messages_that_are_never_whole_and_statements_that_are_kept_leave_room_for_others() {
    let limits = Limits { request_bytes: 1 << 20, ..Limits::default() };
    let (server, project) = server(Policy::default(), limits);
    let part = [b"Q\0\x0f\xff\xff", &[b' '; 600_000][..]].concat();
    let mut waiting = [log_in(&server, &project), log_in(&server, &project)];
    waiting.iter_mut().for_each(|client| client.send(&part));
    let told = waiting.iter_mut().map(|client| {
        client.0.set_read_timeout(Some(Duration::from_millis(500))).expect("a socket has timeouts");
        client.until(b'Z')
    });
    assert_eq!(told.filter(|told| *told == "FATAL 53200, end").count(), 1);
    let mut other = log_in(&server, &project);
    assert_eq!(other.ask("select 1"), "SELECT 1");
    drop(waiting);
    let long = format!("select '{}'", "x".repeat(100_000));
    let kept = |number: usize| message(b'P', format!("s{number}\0{long}\0\0\0").as_bytes());
    (0..20).for_each(|number| other.send(&kept(number)));
    other.send(&message(b'S', b""));
    assert_eq!(other.until(b'Z'), "FATAL 53200, end");
    assert_eq!(log_in(&server, &project).ask(&long), "SELECT 1");
}

#[test]
fn connections_above_the_limit_are_told_or_closed() {
    let (server, project) = server(Policy::default(), Limits { connections: 3, ..Limits::default() });
    let mut open: Vec<Client> = (0..3).map(|_| log_in(&server, &project)).collect();
    let mut more = Client::open(&server);
    more.send(&start(&format!("postgres.{project}")));
    assert_eq!(more.until(b'Z'), "FATAL 53300, end");
    let silent: Vec<Client> = (0..300).map(|_| Client::open(&server)).collect();
    silent.iter().for_each(|client| client.0.set_nonblocking(true).expect("a socket may wait for nothing"));
    let is_closed = |client: &&Client| matches!((&client.0).read(&mut [0; 1]), Ok(0));
    let until = Instant::now() + Duration::from_secs(20);
    while silent.iter().filter(is_closed).count() < 200 {
        assert!(Instant::now() < until, "the server closes what is above its limit");
        std::thread::sleep(Duration::from_millis(5));
    }
    drop(silent);
    // Clients that say nothing are no reason to refuse others.
    drop(open.pop());
    let silent: Vec<Client> = (0..300).map(|_| Client::open(&server)).collect();
    let mut again = log_in(&server, &project);
    assert_eq!(again.ask("select 1"), "SELECT 1");
    drop(silent);
    assert_eq!(open[0].ask("select 1"), "SELECT 1");
    assert_eq!(get(&server, "/v1/projects").status, 200);
}
