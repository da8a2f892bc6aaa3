//! A client that keeps its connection: it sends a request and reads the response, and notices when none
//! comes.

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::Value;

/// The longest that a response may take; a longer wait counts as a hang.
const PATIENCE: Duration = Duration::from_secs(60);

/// A connection to a server.
pub(crate) struct Connection {
    stream: BufReader<TcpStream>,
}

/// A response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    /// HTTP status.
    pub(crate) status: u16,
    /// The call's number in the journal of its world; 0 if it is in no journal.
    pub(crate) call: u64,
    /// The body.
    pub(crate) body: String,
}

impl Answer {
    /// The body as JSON; `null` if it is not JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_default()
    }

    /// The body as JSON if the status is a success, else the whole response as an error.
    pub(crate) fn good(self) -> Result<Value, String> {
        if self.status < 300 { Ok(self.json()) } else { Err(format!("{} {}", self.status, self.body)) }
    }
}

impl Connection {
    /// Connects.
    pub(crate) fn open(addr: SocketAddr) -> io::Result<Connection> {
        let stream = TcpStream::connect(addr)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        Ok(Connection { stream: BufReader::new(stream) })
    }

    /// Makes a call, with an optional JSON body, and waits for the response.
    pub(crate) fn ask(&mut self, method: &str, path: &str, token: &str, body: &str) -> io::Result<Answer> {
        self.send(method, path, token, body)?;
        self.answer()
    }

    /// Sends a request without waiting for its response.
    pub(crate) fn send(&mut self, method: &str, path: &str, token: &str, body: &str) -> io::Result<()> {
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {token}\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        self.stream.get_mut().write_all(request.as_bytes())
    }

    /// Waits for the next response.
    pub(crate) fn answer(&mut self) -> io::Result<Answer> {
        let broken = |what: &str| io::Error::new(io::ErrorKind::InvalidData, what.to_owned());
        let line = self.line()?;
        let status = line.split(' ').nth(1).and_then(|word| word.parse().ok());
        let mut answer =
            Answer { status: status.ok_or_else(|| broken(&line))?, call: 0, body: String::new() };
        let mut length = 0;
        loop {
            let line = self.line()?;
            match line.split_once(": ") {
                Some(("content-length", value)) => length = value.parse().map_err(|_| broken(&line))?,
                Some(("x-sim-call", value)) => answer.call = value.parse().map_err(|_| broken(&line))?,
                None if line.is_empty() => break,
                _ => {}
            }
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body)?;
        answer.body = String::from_utf8(body).map_err(|_| broken("the body is no text"))?;
        Ok(answer)
    }

    fn line(&mut self) -> io::Result<String> {
        let mut line = String::new();
        self.stream.read_line(&mut line)?;
        match line.strip_suffix("\r\n") {
            Some(line) => Ok(line.to_owned()),
            None => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }
}
