//! What is said to a client whose request never becomes one: hyper closes such a connection, or answers it with a bare
//! status, before anything of ours is asked.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use http::StatusCode;
use serde_json::json;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

use crate::listen::drain::Heard;
use crate::listen::limits::Limits;

/// How HTTP/2 begins; its connections look after themselves from the first request on.
const PREFACE: &[u8] = b"PRI";

/// A stream that waits for requests' heads so long and no longer, and gives a reason when it refuses one.
pub(crate) struct Heads<S> {
    stream: S,
    limits: Limits,
    heard: Arc<Heard>,
    /// The number of the request that bytes have come of.
    begun: Option<usize>,
    two: bool,
    /// The number of the request whose head is waited for, and since when.
    awaited: Option<(usize, Instant)>,
    /// Rings when that has been long enough, or earlier: it is not set for each request, which costs more than to look again.
    alarm: Option<Pin<Box<Sleep>>>,
    /// What is left to be said.
    words: Vec<u8>,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Heads<S> {
    pub(crate) fn new(stream: S, limits: Limits, heard: Arc<Heard>) -> Heads<S> {
        let (begun, two, awaited, alarm) = (None, false, None, None);
        Heads { stream, limits, heard, begun, two, awaited, alarm, words: Vec::new() }
    }

    fn note(&mut self, bytes: &[u8]) {
        if self.begun.is_none() && self.heard.asked() == 0 {
            self.two = bytes.starts_with(PREFACE);
        }
        if !self.heard.is_busy() {
            self.begun = Some(self.heard.asked());
        }
    }

    /// Whether a request has begun and its head is not whole.
    fn is_amid_head(&self) -> bool {
        !self.two && !self.heard.is_busy() && self.begun == Some(self.heard.asked())
    }

    /// Whether the head that is waited for has taken too long.
    fn poll_patience(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let asked = self.heard.asked();
        if self.heard.is_busy() || self.two && asked > 0 {
            self.awaited = None;
            return Poll::Pending;
        }
        let since = match self.awaited {
            Some((number, since)) if number == asked => since,
            _ => Instant::now(),
        };
        self.awaited = Some((asked, since));
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

    /// Says what is to be said.
    fn poll_words(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while !self.words.is_empty() {
            let said = ready!(Pin::new(&mut self.stream).poll_write(cx, &self.words))?;
            if said == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            self.words.drain(..said);
        }
        Poll::Ready(Ok(()))
    }

    /// Ends the connection with what is to be said.
    fn poll_end(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_words(cx))?;
        ready!(Pin::new(&mut self.stream).poll_shutdown(cx))?;
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for Heads<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = &mut *self;
        if !this.words.is_empty() {
            return this.poll_end(cx);
        }
        let before = buffer.filled().len();
        match Pin::new(&mut this.stream).poll_read(cx, buffer) {
            Poll::Ready(Ok(())) if buffer.filled().len() > before => {
                this.note(&buffer.filled()[before..]);
                if this.two && !cfg!(feature = "http2") {
                    this.words = no_http_2();
                    return this.poll_end(cx);
                }
                Poll::Ready(Ok(()))
            }
            Poll::Ready(Ok(())) if this.is_amid_head() => {
                this.words = truncated();
                this.poll_end(cx)
            }
            Poll::Pending => {
                ready!(this.poll_patience(cx));
                if this.is_amid_head() {
                    this.words = too_slow(&this.limits);
                }
                this.poll_end(cx)
            }
            ended => ended,
        }
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Heads<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = &mut *self;
        this.awaited = None;
        if this.words.is_empty() {
            match in_words(bytes, &this.limits) {
                Some(words) => this.words = words,
                None => return Pin::new(&mut this.stream).poll_write(cx, bytes),
            }
        }
        ready!(this.poll_words(cx))?;
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
                Pin::new(&mut self.stream).poll_write_vectored(cx, slices)
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

/// The refusal to send instead of `bytes`, if they are a bare one of hyper's. Each of ours has a reason.
fn in_words(bytes: &[u8], limits: &Limits) -> Option<Vec<u8>> {
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

/// An answer for a client of whose request nothing is known, and the last on its connection.
pub(crate) fn refusal(status: StatusCode, reason: &str, message: &str) -> Vec<u8> {
    let body = json!({ "message": message }).to_string();
    let retry = if status == StatusCode::SERVICE_UNAVAILABLE { "retry-after: 1\r\n" } else { "" };
    format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json; charset=utf-8\r\nx-sim-reason: {reason}\r\n\
         access-control-allow-origin: *\r\naccess-control-expose-headers: x-sim-reason, retry-after\r\n\
         {retry}connection: close\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_bare_refusal_is_put_in_words() {
        let words = |text: &str| in_words(text.as_bytes(), &Limits::default());
        let bare = "HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\ndate: x\r\n\r\n";
        assert_eq!(words(bare), Some(malformed()));
        for other in [
            "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n",
            "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n",
            "HTTP/1.1 400 Bad Request\r\nx-sim-reason: x\r\ncontent-length: 0\r\n\r\n",
            "HTTP/1.1 400 Bad Request\r\ncontent-length: 2\r\n\r\n{}",
        ] {
            assert_eq!(words(other), None, "{other}");
        }
    }
}
