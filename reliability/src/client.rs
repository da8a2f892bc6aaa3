//! A client that keeps its connection: it sends a request and reads the answer, and notices when there is none.

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::Value;

/// No answer takes longer; one that does counts as a hang.
const PATIENCE: Duration = Duration::from_secs(60);

/// A connection to a server.
pub(crate) struct Connection {
    stream: BufReader<TcpStream>,
}

/// What came back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    /// HTTP status.
    pub(crate) status: u16,
    /// The call's number in the journal of its world; 0 where it is in none.
    pub(crate) call: u64,
    /// The body.
    pub(crate) body: String,
}

impl Answer {
    /// The body as JSON; `null` where it is none.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_default()
    }

    /// The body as JSON where the status is a good one, else the whole answer as an error.
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

    /// Makes a call, with a body of JSON where there is one, and waits for the answer.
    pub(crate) fn ask(&mut self, method: &str, path: &str, token: &str, body: &str) -> io::Result<Answer> {
        self.send(method, path, token, body)?;
        self.answer()
    }

    /// Sends a request without waiting for its answer.
    pub(crate) fn send(&mut self, method: &str, path: &str, token: &str, body: &str) -> io::Result<()> {
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {token}\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        self.stream.get_mut().write_all(request.as_bytes())
    }

    /// Waits for the next answer.
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
