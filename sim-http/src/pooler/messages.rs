//! Messages of the protocol: what a client sends, and what it gets.

use std::io::{self, ErrorKind};
use std::sync::Arc;
use std::time::Duration;

use sim_core::management::connection::{ColumnShape, DatabaseError, DatabaseNotice, Notification};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};

use crate::listen::{Requests, Room};

/// The largest message that a client may send, in bytes.
const MESSAGE_MAX: usize = 256 << 20;

/// How long the rest of what a refused client sends is read.
const DRAINED: Duration = Duration::from_secs(1);

/// Bytes that are gathered before they are sent.
const GATHERED: usize = 64 << 10;

/// A refusal that ends the connection.
#[derive(Debug)]
pub(super) struct Fatal {
    code: &'static str,
    text: String,
}

impl Fatal {
    pub(super) fn new(code: &'static str, text: impl Into<String>) -> Fatal {
        Fatal { code, text: text.into() }
    }
}

/// A connection to a client, and what is about to be sent on it.
pub(super) struct Output<S> {
    pub(super) stream: S,
    buffer: Vec<u8>,
    pub(super) requests: Arc<Requests>,
    /// How long a large message may take to arrive.
    time: Duration,
}

/// A message from a client.
pub(super) struct Input {
    pub(super) kind: u8,
    pub(super) body: Body,
    pub(super) room: Room,
}

/// The fields of a message, read from the front.
pub(super) struct Body {
    bytes: Vec<u8>,
    at: usize,
}

/// A text of a client that is no UTF-8.
#[derive(Debug)]
pub(super) struct NotUtf8;

impl std::error::Error for NotUtf8 {}

impl std::fmt::Display for NotUtf8 {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("invalid byte sequence for encoding \"UTF8\"")
    }
}

pub(super) fn wrong() -> io::Error {
    io::Error::new(ErrorKind::InvalidData, "a message of the client is not one of the protocol")
}

/// A kind of message that no client sends, or none at this time.
pub(super) fn wrong_kind(kind: u8) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, format!("invalid frontend message type {kind}"))
}

/// The refusal of a message for which there is no room.
fn no_room(refusal: sim_core::Error) -> io::Error {
    io::Error::new(ErrorKind::OutOfMemory, refusal.message)
}

fn wrong_length(length: i64) -> io::Error {
    let text = format!("invalid message length {length}; at most {MESSAGE_MAX} bytes are read");
    io::Error::new(ErrorKind::InvalidData, text)
}

impl Body {
    pub(super) fn new(bytes: Vec<u8>) -> Body {
        Body { bytes, at: 0 }
    }

    pub(super) fn rest(&mut self) -> &[u8] {
        let rest = &self.bytes[self.at..];
        self.at = self.bytes.len();
        rest
    }

    /// All bytes, also those that were read.
    pub(super) fn all(&self) -> &[u8] {
        &self.bytes
    }

    pub(super) fn take(&mut self, count: usize) -> io::Result<&[u8]> {
        let end = self.at.checked_add(count).filter(|end| *end <= self.bytes.len()).ok_or_else(wrong)?;
        let taken = &self.bytes[self.at..end];
        self.at = end;
        Ok(taken)
    }

    pub(super) fn byte(&mut self) -> io::Result<u8> {
        Ok(self.take(1)?[0])
    }

    /// A number of things that follow.
    pub(super) fn count(&mut self) -> io::Result<usize> {
        self.int16().map(|count| usize::from(count.cast_unsigned()))
    }

    /// The end of the message.
    pub(super) fn end(&self) -> io::Result<()> {
        if self.at == self.bytes.len() { Ok(()) } else { Err(wrong()) }
    }

    pub(super) fn int16(&mut self) -> io::Result<i16> {
        let bytes = self.take(2)?;
        Ok(i16::from_be_bytes([bytes[0], bytes[1]]))
    }

    pub(super) fn int32(&mut self) -> io::Result<i32> {
        let bytes = self.take(4)?;
        Ok(i32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    /// A text that ends with a zero byte.
    pub(super) fn text(&mut self) -> io::Result<String> {
        let length = self.bytes[self.at..].iter().position(|byte| *byte == 0).ok_or_else(wrong)?;
        let text = String::from_utf8(self.take(length)?.to_vec());
        self.at += 1;
        text.map_err(|_| io::Error::new(ErrorKind::InvalidData, NotUtf8))
    }

    /// A value with its length before it; `None` is null.
    pub(super) fn value(&mut self) -> io::Result<Option<Vec<u8>>> {
        match self.int32()? {
            -1 => Ok(None),
            length => {
                let length = usize::try_from(length).map_err(|_| wrong())?;
                Ok(Some(self.take(length)?.to_vec()))
            }
        }
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> Output<S> {
    pub(super) fn new(stream: S, requests: &Arc<Requests>, time: Duration) -> Output<S> {
        Output { stream, buffer: Vec::new(), requests: Arc::clone(requests), time }
    }

    /// The next message; `None` when the client has left.
    pub(super) async fn read(&mut self) -> io::Result<Option<Input>> {
        let kind = match self.stream.read_u8().await {
            Ok(kind) => kind,
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(None),
            Err(error) => return Err(error),
        };
        let length = self.stream.read_i32().await?;
        let rest = usize::try_from(length).ok().and_then(|length| length.checked_sub(4));
        let rest = rest.filter(|rest| *rest <= MESSAGE_MAX);
        let length = rest.ok_or_else(|| wrong_length(i64::from(length)))?;
        let (time, mut room) = (self.time, Room::new(&self.requests));
        let rest = self.rest(length, &mut room);
        let bytes = match length > GATHERED {
            true => tokio::time::timeout(time, rest).await??,
            false => rest.await?,
        };
        Ok(bytes.map(|bytes| Input { kind, body: Body::new(bytes), room }))
    }

    /// The next bytes; `None` when the client has left. Memory is taken as they arrive, not as the client announces them.
    async fn rest(&mut self, length: usize, room: &mut Room) -> io::Result<Option<Vec<u8>>> {
        let mut bytes = Vec::new();
        while bytes.len() < length {
            let next = (length - bytes.len()).min(GATHERED);
            bytes.reserve(next);
            match (&mut self.stream).take(next as u64).read_buf(&mut bytes).await? {
                0 => return Ok(None),
                read => room.grow(read).map_err(no_room)?,
            }
        }
        Ok(Some(bytes))
    }

    /// Adds a message.
    pub(super) fn add(&mut self, kind: u8, write: impl FnOnce(&mut Vec<u8>)) {
        self.buffer.push(kind);
        let from = self.buffer.len();
        self.buffer.extend([0; 4]);
        write(&mut self.buffer);
        let length = u32::try_from(self.buffer.len() - from).unwrap_or(u32::MAX);
        self.buffer[from..from + 4].copy_from_slice(&length.to_be_bytes());
    }

    pub(super) async fn flush(&mut self) -> io::Result<()> {
        self.stream.write_all(&self.buffer).await?;
        self.buffer.clear();
        self.stream.flush().await
    }

    /// Sends what has gathered, if that is much.
    pub(super) async fn relieve(&mut self) -> io::Result<()> {
        if self.buffer.len() < GATHERED {
            return Ok(());
        }
        self.flush().await
    }

    /// Adds messages that are written already.
    pub(super) fn raw(&mut self, bytes: &[u8]) {
        self.buffer.extend(bytes);
    }

    pub(super) fn empty(&mut self, kind: u8) {
        self.add(kind, |_| {});
    }

    pub(super) fn ready(&mut self, status: u8) {
        self.add(b'Z', |out| out.push(status));
    }

    pub(super) fn parameter(&mut self, name: &str, value: &str) {
        self.add(b'S', |out| {
            text(out, name);
            text(out, value);
        });
    }

    pub(super) fn authentication(&mut self, code: i32, data: &[u8]) {
        self.add(b'R', |out| {
            out.extend(code.to_be_bytes());
            out.extend(data);
        });
    }

    pub(super) fn complete(&mut self, tag: &str) {
        self.add(b'C', |out| text(out, tag));
    }

    pub(super) fn columns(&mut self, columns: &[ColumnShape], formats: &[i16]) {
        self.add(b'T', |out| {
            out.extend(count(columns.len()));
            for (at, column) in columns.iter().enumerate() {
                text(out, &column.name);
                out.extend([0; 6]);
                out.extend(column.type_oid.to_be_bytes());
                out.extend(column.length.to_be_bytes());
                out.extend(column.modifier.to_be_bytes());
                out.extend(format_of(formats, at).to_be_bytes());
            }
        });
    }

    pub(super) fn row(&mut self, values: &[Option<Vec<u8>>]) {
        self.add(b'D', |out| {
            out.extend(count(values.len()));
            for value in values {
                match value {
                    Some(value) => {
                        out.extend(u32::try_from(value.len()).unwrap_or(u32::MAX).to_be_bytes());
                        out.extend(value);
                    }
                    None => out.extend((-1_i32).to_be_bytes()),
                }
            }
        });
    }

    /// The beginning of a copy: `G` from the client, `H` to it.
    pub(super) fn copy(&mut self, kind: u8, columns: u32) {
        let columns = usize::try_from(columns).unwrap_or(0);
        self.add(kind, |out| {
            out.push(0);
            out.extend(count(columns));
            out.extend(std::iter::repeat_n(0, 2 * columns));
        });
    }

    pub(super) fn error(&mut self, error: &DatabaseError) {
        let position = error.position.map(|position| position.to_string());
        let query_position = error.query_position.map(|position| position.to_string());
        let parts = [
            (b'D', &error.detail),
            (b'H', &error.hint),
            (b'P', &position),
            (b'p', &query_position),
            (b'q', &error.query),
            (b'W', &error.context),
            (b's', &error.schema),
            (b't', &error.table),
            (b'c', &error.column),
            (b'd', &error.data_type),
            (b'n', &error.constraint),
        ];
        self.add(b'E', |out| {
            severity(out, "ERROR", &error.code, &error.message);
            for (kind, part) in parts {
                if let Some(part) = part {
                    out.push(kind);
                    text(out, part);
                }
            }
            out.push(0);
        });
    }

    /// What `NOTIFY` has sent, from the session with the number `process`.
    pub(super) fn notification(&mut self, process: i32, notification: &Notification) {
        self.add(b'A', |out| {
            out.extend(process.to_be_bytes());
            text(out, &notification.channel);
            text(out, &notification.payload);
        });
    }

    pub(super) fn notice(&mut self, notice: &DatabaseNotice) {
        self.add(b'N', |out| {
            severity(out, &notice.severity, &notice.code, &notice.message);
            let texts = [(b'D', &notice.detail), (b'H', &notice.hint)];
            for (kind, part) in texts {
                if let Some(part) = part {
                    out.push(kind);
                    text(out, part);
                }
            }
            out.push(0);
        });
    }

    /// Tells the client why the connection ends.
    pub(super) async fn refuse(&mut self, fatal: &Fatal) -> io::Result<()> {
        self.add(b'E', |out| {
            severity(out, "FATAL", fatal.code, &fatal.text);
            out.push(0);
        });
        self.flush().await?;
        self.stream.shutdown().await?;
        // A client that is still sending would lose the message if its bytes were left unread.
        let mut rest = (&mut self.stream).take(MESSAGE_MAX as u64);
        let _ = tokio::time::timeout(DRAINED, tokio::io::copy(&mut rest, &mut tokio::io::sink())).await;
        Ok(())
    }
}

/// The format of a column or parameter: one for all, or one for each; text if there is none.
pub(super) fn format_of(formats: &[i16], at: usize) -> i16 {
    match formats {
        [] => 0,
        [all] => *all,
        each => each.get(at).copied().unwrap_or(0),
    }
}

pub(super) fn count(length: usize) -> [u8; 2] {
    u16::try_from(length).unwrap_or(u16::MAX).to_be_bytes()
}

pub(super) fn text(out: &mut Vec<u8>, text: &str) {
    // A zero byte would end the text.
    out.extend(text.bytes().filter(|byte| *byte != 0));
    out.push(0);
}

fn severity(out: &mut Vec<u8>, severity: &str, code: &str, message: &str) {
    for (kind, part) in [(b'S', severity), (b'V', severity), (b'C', code), (b'M', message)] {
        out.push(kind);
        text(out, part);
    }
}
