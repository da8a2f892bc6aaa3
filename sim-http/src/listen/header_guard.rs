//! Answers requests whose headers are malformed, too large, too slow or cut off, with a reason. Hyper would close such a
//! connection, or answer with a status and no reason.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use http::StatusCode;
use serde_json::json;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

use super::drain::ConnectionState;
use super::framing::{Framing, Unframed};
use super::limits::Limits;

/// The beginning of HTTP/2. HTTP/2 connections have timeouts of their own from the first request on.
const PREFACE: &[u8] = b"PRI";

/// A stream that enforces the timeout of headers, and gives a reason when it refuses a request.
pub(crate) struct HeaderGuard<S> {
    stream: S,
    limits: Limits,
    state: Arc<ConnectionState>,
    /// The number of the request whose bytes have started to arrive.
    started: Option<usize>,
    is_http_2: bool,
    /// Whether HTTP/2 is served.
    accepts_http_2: bool,
    framing: Framing,
    /// The problem of the next request, or of the body that is being read.
    unframed: Option<Unframed>,
    /// Whether hyper is waiting to write more of an answer.
    is_writing: bool,
    /// The number of the request whose headers are awaited, and the start of the wait.
    awaited: Option<(usize, Instant)>,
    /// Wakes this stream at the end of the timeout, or earlier. Resetting it for each request would cost more than checking the time
    /// again.
    alarm: Option<Pin<Box<Sleep>>>,
    /// The rest of a refusal, still to be written.
    refusal: Vec<u8>,
}

impl<S: AsyncRead + AsyncWrite + Unpin> HeaderGuard<S> {
    pub(crate) fn new(stream: S, limits: Limits, state: Arc<ConnectionState>) -> HeaderGuard<S> {
        HeaderGuard {
            stream,
            limits,
            state,
            started: None,
            is_http_2: false,
            accepts_http_2: cfg!(feature = "http2"),
            framing: Framing::new(limits.header_bytes.max(8192)),
            unframed: None,
            is_writing: false,
            awaited: None,
            alarm: None,
            refusal: Vec::new(),
        }
    }

    fn bytes_arrived(&mut self, bytes: &[u8]) {
        if self.started.is_none() && self.state.requests() == 0 {
            self.is_http_2 = bytes.starts_with(PREFACE);
        }
        if !self.state.is_busy() {
            self.started = Some(self.state.requests());
        }
    }

    /// Checks the bytes in `buffer` after the first `before`. Removes bytes that do not belong to a valid request.
    fn take(&mut self, buffer: &mut ReadBuf<'_>, before: usize) {
        self.bytes_arrived(&buffer.filled()[before..]);
        if self.is_http_2 {
            return;
        }
        if let Err((good, unframed)) = self.framing.follow(&buffer.filled()[before..]) {
            buffer.set_filled(before + good);
            self.unframed = Some(unframed);
        }
    }

    /// Sends the refusal, after the answers to earlier requests.
    fn poll_unframed(&mut self, cx: &mut Context<'_>, unframed: Unframed) -> Poll<io::Result<()>> {
        // Hyper reads again after it has answered or written.
        if self.is_writing || unframed.is_head && self.state.is_busy() {
            return Poll::Pending;
        }
        self.refusal = refusal(unframed.status, unframed.reason, unframed.message);
        self.poll_end(cx)
    }

    /// Whether headers of a request have started to arrive and are not complete.
    fn is_inside_headers(&self) -> bool {
        !self.is_http_2 && !self.state.is_busy() && self.started == Some(self.state.requests())
    }

    /// Ready when the awaited headers have taken too long.
    fn poll_timeout(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let requests = self.state.requests();
        if self.state.is_busy() || self.is_http_2 && requests > 0 {
            self.awaited = None;
            return Poll::Pending;
        }
        let since = match self.awaited {
            Some((number, since)) if number == requests => since,
            _ => Instant::now(),
        };
        self.awaited = Some((requests, since));
        let timeout = self.limits.header_timeout;
        let alarm = self.alarm.get_or_insert_with(|| Box::pin(sleep(timeout)));
        ready!(alarm.as_mut().poll(cx));
        let left = timeout.saturating_sub(since.elapsed());
        if !left.is_zero() {
            alarm.as_mut().reset(Instant::now() + left);
            ready!(alarm.as_mut().poll(cx));
        }
        Poll::Ready(())
    }

    /// Writes the refusal.
    fn poll_refusal(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while !self.refusal.is_empty() {
            let written = ready!(Pin::new(&mut self.stream).poll_write(cx, &self.refusal))?;
            if written == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            self.refusal.drain(..written);
        }
        Poll::Ready(Ok(()))
    }

    /// Writes the refusal and ends the connection.
    fn poll_end(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_refusal(cx))?;
        ready!(Pin::new(&mut self.stream).poll_shutdown(cx))?;
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for HeaderGuard<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = &mut *self;
        if !this.refusal.is_empty() {
            return this.poll_end(cx);
        }
        if let Some(unframed) = this.unframed {
            return this.poll_unframed(cx, unframed);
        }
        let before = buffer.filled().len();
        match Pin::new(&mut this.stream).poll_read(cx, buffer) {
            Poll::Ready(Ok(())) if buffer.filled().len() > before => {
                this.take(buffer, before);
                if this.is_http_2 && !this.accepts_http_2 {
                    this.refusal = no_http_2();
                    return this.poll_end(cx);
                }
                match this.unframed {
                    // Hyper would take an empty read as the end.
                    Some(unframed) if buffer.filled().len() == before => this.poll_unframed(cx, unframed),
                    _ => Poll::Ready(Ok(())),
                }
            }
            Poll::Ready(Ok(())) if this.is_inside_headers() => {
                this.refusal = truncated();
                this.poll_end(cx)
            }
            Poll::Pending => {
                ready!(this.poll_timeout(cx));
                if this.is_inside_headers() {
                    this.refusal = too_slow(&this.limits);
                }
                this.poll_end(cx)
            }
            ended => ended,
        }
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for HeaderGuard<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = &mut *self;
        this.awaited = None;
        if this.refusal.is_empty() {
            match with_reason(bytes, &this.limits) {
                Some(refusal) => this.refusal = refusal,
                None => {
                    let written = Pin::new(&mut this.stream).poll_write(cx, bytes);
                    this.is_writing = written.is_pending();
                    return written;
                }
            }
        }
        ready!(this.poll_refusal(cx))?;
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        match slices {
            [bytes] => self.poll_write(cx, bytes),
            _ => {
                self.awaited = None;
                let written = Pin::new(&mut self.stream).poll_write_vectored(cx, slices);
                self.is_writing = written.is_pending();
                written
            }
        }
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

/// A refusal with a reason, to send instead of `bytes`, if `bytes` is a refusal by hyper. Hyper's refusals have no reason.
fn with_reason(bytes: &[u8], limits: &Limits) -> Option<Vec<u8>> {
    let head = bytes.strip_prefix(b"HTTP/1.1 4")?;
    let head = str::from_utf8(head).ok()?;
    if !head.ends_with("\r\n\r\n")
        || !head.contains("\r\ncontent-length: 0\r\n")
        || head.contains("\r\nx-sim-")
    {
        return None;
    }
    match head.get(..2)? {
        "00" => Some(malformed()),
        "14" | "31" => Some(too_large(limits)),
        _ => None,
    }
}

fn malformed() -> Vec<u8> {
    let text = "request: not HTTP/1.1; its line has the form GET /v1/projects HTTP/1.1, each header the form name: value";
    refusal(StatusCode::BAD_REQUEST, "malformed_request", text)
}

fn no_http_2() -> Vec<u8> {
    let text = "request: HTTP/2 needs the feature `http2` of sim-http, which this server was built without; speak HTTP/1.1";
    refusal(StatusCode::HTTP_VERSION_NOT_SUPPORTED, "http_2_off", text)
}

fn truncated() -> Vec<u8> {
    let text = "headers: the request ended before the empty line that ends them";
    refusal(StatusCode::BAD_REQUEST, "truncated_headers", text)
}

fn too_large(limits: &Limits) -> Vec<u8> {
    let text = format!(
        "headers: more than {} bytes with the request line, or more than {} headers",
        limits.header_bytes, limits.headers
    );
    refusal(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, "headers_too_large", &text)
}

fn too_slow(limits: &Limits) -> Vec<u8> {
    let text = format!("headers: did not arrive within {} ms", limits.header_timeout.as_millis());
    refusal(StatusCode::REQUEST_TIMEOUT, "headers_timeout", &text)
}

/// The answer to a request that could not be read. It is the last answer on its connection.
pub(crate) fn refusal(status: StatusCode, reason: &str, message: &str) -> Vec<u8> {
    let body = json!({ "message": message }).to_string();
    let retry = if status == StatusCode::SERVICE_UNAVAILABLE { "retry-after: 1\r\n" } else { "" };
    format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json; charset=utf-8\r\nx-sim-reason: {reason}\r\n\
         x-content-type-options: nosniff\r\ncross-origin-resource-policy: same-origin\r\n{retry}connection: close\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    use super::*;

    #[test]
    fn without_http_2_its_preface_is_refused_in_words() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let answer = runtime.block_on(async {
            let (stream, mut client) = tokio::io::duplex(4096);
            let guard = HeaderGuard::new(stream, Limits::default(), Arc::default());
            let mut guard = HeaderGuard { accepts_http_2: false, ..guard };
            client.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").await.expect("it is open");
            assert!(guard.read(&mut [0; 64]).await.is_err(), "nothing reaches hyper");
            drop(guard);
            let mut answer = String::new();
            client.read_to_string(&mut answer).await.map(|_| answer).expect("text")
        });
        assert!(answer.starts_with("HTTP/1.1 505 HTTP Version Not Supported\r\n"), "{answer}");
        assert!(answer.contains("\r\nx-sim-reason: http_2_off\r\n"), "{answer}");
        assert!(answer.contains("\r\nx-content-type-options: nosniff\r\n"), "{answer}");
    }

    #[test]
    fn only_a_refusal_of_hyper_gets_a_reason() {
        let replaced = |text: &str| with_reason(text.as_bytes(), &Limits::default());
        let bare = "HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\ndate: x\r\n\r\n";
        assert_eq!(replaced(bare), Some(malformed()));
        for other in [
            "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n",
            "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n",
            "HTTP/1.1 400 Bad Request\r\nx-sim-reason: x\r\ncontent-length: 0\r\n\r\n",
            "HTTP/1.1 400 Bad Request\r\ncontent-length: 2\r\n\r\n{}",
        ] {
            assert_eq!(replaced(other), None, "{other}");
        }
    }
}
