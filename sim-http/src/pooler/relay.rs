//! A client whose database is on a server: it is logged in there, and its bytes are handed on.

use std::collections::BTreeMap;
use std::io;

use bytes::BytesMut;
use fallible_iterator::FallibleIterator as _;
use postgres_protocol::authentication::{md5_hash, sasl};
use postgres_protocol::message::backend::Message;
use postgres_protocol::message::frontend;
use sim_core::management::connection::ServerPlace;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, copy};
use tokio::net::TcpStream;

use super::messages::{Fatal, Output};
use super::{Cancel, Pooler};
use crate::postgres::rewritten_for_connection;

/// The longest message with a text that may be changed, in bytes. Longer ones are handed on as they come.
const CHANGED_MAX: usize = 1 << 20;

/// Where a database is, and the password for it.
#[derive(Clone)]
pub(super) struct Place {
    pub(super) place: ServerPlace,
    pub(super) password: Option<String>,
}

/// A connection to a server.
pub(super) trait Stream: AsyncRead + AsyncWrite + Unpin + Send {}

impl<S: AsyncRead + AsyncWrite + Unpin + Send> Stream for S {}

async fn open(place: &ServerPlace) -> io::Result<Box<dyn Stream>> {
    #[cfg(unix)]
    if place.host.starts_with('/') {
        let path = format!("{}/.s.PGSQL.{}", place.host, place.port);
        return Ok(Box::new(tokio::net::UnixStream::connect(path).await?));
    }
    let stream = TcpStream::connect((place.host.as_str(), place.port)).await?;
    stream.set_nodelay(true)?;
    Ok(Box::new(stream))
}

/// Asks the server to cancel what a connection runs.
pub(super) async fn cancel(place: &Place, (process, secret): (i32, i32)) -> io::Result<()> {
    let mut message = BytesMut::new();
    frontend::cancel_request(process, secret, &mut message);
    let mut stream = open(&place.place).await?;
    stream.write_all(&message).await?;
    // The server closes the connection when it has read the request.
    stream.read_to_end(&mut Vec::new()).await.map(drop)
}

/// Logs the client in, and hands on its bytes until one side leaves.
pub(super) async fn run<S>(
    pooler: &Pooler,
    mut client: Output<S>,
    place: Place,
    parameters: &BTreeMap<String, String>,
) -> io::Result<()>
where
    S: AsyncRead + AsyncWrite + Unpin + Send,
{
    let mut server = match open(&place.place).await {
        Ok(server) => server,
        Err(error) => return client.refuse(&Fatal::new("08006", error.to_string())).await,
    };
    let (mut key, mut version) = (None, 0);
    let mut input = BytesMut::new();
    start(&mut *server, &place, parameters).await?;
    let mut scram = None;
    // From here on the client gets what the server sends, but for the log-in.
    loop {
        if let Some(length) = whole(&input) {
            let mut message = input.split_to(length);
            if message[0] == b'R' {
                if let Some(answer) = answer(&place, &mut scram, &mut message)? {
                    server.write_all(&answer).await?;
                }
                continue;
            }
            if message[0] == b'K' {
                key = message.get(5..13).map(|body| {
                    let number = |from: usize| {
                        i32::from_be_bytes([body[from], body[from + 1], body[from + 2], body[from + 3]])
                    };
                    (number(0), number(4))
                });
            }
            version = major_version(&message).unwrap_or(version);
            let last = message[0];
            client.raw(&message);
            if last == b'Z' || last == b'E' {
                break;
            }
            continue;
        }
        if server.read_buf(&mut input).await? == 0 {
            return client
                .refuse(&Fatal::new("08006", "the database's server has closed the connection"))
                .await;
        }
    }
    client.raw(&input);
    client.flush().await?;
    let _cancellable = key.map(|key| pooler.can_cancel(key, Cancel::OnServer(place)));
    let (mut from_client, mut to_client) = tokio::io::split(&mut client.stream);
    let (mut from_server, mut to_server) = tokio::io::split(server);
    let requests = async {
        hand_on(&mut from_client, &mut to_server, version).await?;
        to_server.shutdown().await
    };
    let answers = async {
        copy(&mut from_server, &mut to_client).await?;
        to_client.shutdown().await
    };
    tokio::try_join!(requests, answers).map(drop)
}

/// Hands on what a client sends to a server of that major version, with changes to texts of statements (see
/// [`rewritten_for_connection`]).
async fn hand_on(
    client: &mut (impl AsyncRead + Unpin),
    server: &mut (impl AsyncWrite + Unpin),
    version: u32,
) -> io::Result<()> {
    let (mut input, mut output) = (BytesMut::new(), BytesMut::new());
    loop {
        while let Some(length) = length_of(&input) {
            let is_text = matches!(input[0], b'Q' | b'P') && length <= CHANGED_MAX;
            if is_text && input.len() < length {
                break;
            }
            let message = input.split_to(length.min(input.len()));
            let changed = if is_text { changed(&message, version) } else { None };
            output.extend_from_slice(changed.as_deref().unwrap_or(&message));
            if message.len() < length {
                server.write_all_buf(&mut output).await?;
                let rest = u64::try_from(length - message.len()).unwrap_or(u64::MAX);
                copy(&mut (&mut *client).take(rest), server).await?;
            }
        }
        server.write_all_buf(&mut output).await?;
        if client.read_buf(&mut input).await? == 0 {
            return server.write_all_buf(&mut input).await;
        }
    }
}

/// The length of the message at the beginning, which may have arrived in part.
fn length_of(input: &[u8]) -> Option<usize> {
    let length = input.get(1..5)?;
    let length = u32::from_be_bytes([length[0], length[1], length[2], length[3]]);
    usize::try_from(length).ok()?.checked_add(1)
}

/// The server's major version, if the message tells it.
fn major_version(message: &[u8]) -> Option<u32> {
    let mut body = message.strip_prefix(b"S")?.get(4..)?;
    if text(&mut body)? != "server_version" {
        return None;
    }
    text(&mut body)?.split(['.', ' ']).next()?.parse().ok()
}

/// A simple query or the text of a prepared one, if the server gets another text.
fn changed(message: &[u8], version: u32) -> Option<BytesMut> {
    let mut body = &message[5..];
    let name = if message[0] == b'P' { text(&mut body)? } else { "" };
    let query = rewritten_for_connection(text(&mut body)?, version)?;
    let mut out = BytesMut::new();
    if message[0] == b'Q' {
        frontend::query(&query, &mut out).ok()?;
    } else {
        let types =
            body.get(2..)?.chunks_exact(4).map(|oid| u32::from_be_bytes([oid[0], oid[1], oid[2], oid[3]]));
        frontend::parse(name, &query, types, &mut out).ok()?;
    }
    Some(out)
}

/// Takes a text that ends with a zero byte from the front.
fn text<'a>(body: &mut &'a [u8]) -> Option<&'a str> {
    let end = body.iter().position(|byte| *byte == 0)?;
    let text = std::str::from_utf8(&body[..end]).ok();
    *body = &body[end + 1..];
    text
}

/// The length of the message at the beginning, if it is whole.
fn whole(input: &[u8]) -> Option<usize> {
    length_of(input).filter(|length| input.len() >= *length)
}

async fn start(
    server: &mut (dyn Stream + '_),
    place: &Place,
    parameters: &BTreeMap<String, String>,
) -> io::Result<()> {
    let own = [("user", place.place.user.as_str()), ("database", place.place.database.as_str())];
    let named = |name: &str| parameters.keys().any(|known| known == name);
    let path = (!named("search_path")).then_some(("search_path", "\"$user\", public, extensions"));
    let theirs = parameters.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let theirs = theirs.filter(|(name, _)| !["user", "database"].contains(name));
    let mut message = BytesMut::new();
    frontend::startup_message(own.into_iter().chain(path).chain(theirs), &mut message)?;
    server.write_all(&message).await
}

/// What answers a request of the server for a proof of identity.
fn answer(
    place: &Place,
    scram: &mut Option<sasl::ScramSha256>,
    message: &mut BytesMut,
) -> io::Result<Option<BytesMut>> {
    let password = place.password.clone().unwrap_or_default();
    let mut out = BytesMut::new();
    match Message::parse(message)?.ok_or(io::ErrorKind::InvalidData)? {
        Message::AuthenticationOk => return Ok(None),
        Message::AuthenticationCleartextPassword => {
            frontend::password_message(password.as_bytes(), &mut out)?;
        }
        Message::AuthenticationMd5Password(body) => {
            let hash = md5_hash(place.place.user.as_bytes(), password.as_bytes(), body.salt());
            frontend::password_message(hash.as_bytes(), &mut out)?;
        }
        Message::AuthenticationSasl(body) => {
            let mut known = body.mechanisms();
            if !known.any(|name| Ok(name == sasl::SCRAM_SHA_256))? {
                return Err(io::ErrorKind::Unsupported.into());
            }
            let begun = sasl::ScramSha256::new(password.as_bytes(), sasl::ChannelBinding::unsupported());
            frontend::sasl_initial_response(sasl::SCRAM_SHA_256, begun.message(), &mut out)?;
            *scram = Some(begun);
        }
        Message::AuthenticationSaslContinue(body) => {
            let scram = scram.as_mut().ok_or(io::ErrorKind::InvalidData)?;
            scram.update(body.data())?;
            frontend::sasl_response(scram.message(), &mut out)?;
        }
        Message::AuthenticationSaslFinal(body) => {
            scram.as_mut().ok_or(io::ErrorKind::InvalidData)?.finish(body.data())?;
            return Ok(None);
        }
        _ => return Err(io::ErrorKind::Unsupported.into()),
    }
    Ok(Some(out))
}
