//! Closing a connection whose client is still sending: the server reads on for a while, so that the client gets its answer.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

use crate::executor::Socket;

/// How long a client may be silent while the server reads the rest of its request.
pub(crate) const DRAIN_IDLE: Duration = Duration::from_secs(1);

/// How long the server reads the rest of a request in all.
const DRAIN_MAX: Duration = Duration::from_secs(30);

/// A connection that can end with a reset.
pub(crate) trait Abort {
    /// Makes the connection end with a reset when it is dropped.
    fn abort(&self);
}

impl Abort for Socket {
    fn abort(&self) {
        Socket::abort(self);
    }
}

/// State shared by a connection's stream and its requests.
#[derive(Debug, Default)]
pub(crate) struct ConnectionState {
    /// Whether bytes arrived after the last request that was read to its end.
    has_unread: AtomicBool,
    /// Whether the connection speaks HTTP/2, which has its own way to end a connection.
    is_http_2: AtomicBool,
    /// The number of requests that arrived.
    requests: AtomicUsize,
    /// The number of requests that were answered, or that never will be.
    finished: AtomicUsize,
    /// Whether the connection ends with a reset.
    is_aborted: AtomicBool,
}

/// A request that is not answered yet; it counts as finished when this is dropped.
pub(crate) struct PendingRequest(Arc<ConnectionState>);

impl Drop for PendingRequest {
    fn drop(&mut self) {
        self.0.finished.fetch_add(1, Ordering::Relaxed);
    }
}

impl ConnectionState {
    /// Notes that a request was read to its end.
    pub(crate) fn request_was_read(&self) {
        self.has_unread.store(false, Ordering::Relaxed);
    }

    /// Notes that the connection speaks HTTP/2.
    pub(crate) fn speaks_http_2(&self) {
        self.is_http_2.store(true, Ordering::Relaxed);
    }

    /// Notes that a request arrived.
    pub(crate) fn begin_request(state: &Arc<ConnectionState>) -> PendingRequest {
        state.requests.fetch_add(1, Ordering::Relaxed);
        PendingRequest(Arc::clone(state))
    }

    /// How many requests arrived.
    pub(crate) fn requests(&self) -> usize {
        self.requests.load(Ordering::Relaxed)
    }

    /// Whether a request waits for its answer.
    pub(crate) fn is_busy(&self) -> bool {
        self.finished.load(Ordering::Relaxed) < self.requests()
    }

    /// Makes the connection end with a reset.
    pub(crate) fn abort(&self) {
        self.is_aborted.store(true, Ordering::Relaxed);
    }

    fn needs_no_drain(&self) -> bool {
        self.is_http_2.load(Ordering::Relaxed) || !self.has_unread.load(Ordering::Relaxed)
    }
}

/// A stream that reads the rest of a request before it closes. Closing a socket with unread data resets the connection, and a
/// client that is still sending might never see the answer.
pub(crate) struct DrainOnClose<S: Abort> {
    stream: S,
    state: Arc<ConnectionState>,
    phase: Phase,
}

enum Phase {
    Open,
    /// Our side is closed; the client's side is not yet.
    Draining {
        idle: Pin<Box<Sleep>>,
        deadline: Instant,
    },
    Closed,
}

impl<S: Abort> Drop for DrainOnClose<S> {
    fn drop(&mut self) {
        if self.state.is_aborted.load(Ordering::Relaxed) {
            self.stream.abort();
        }
    }
}

impl<S: Abort> DrainOnClose<S> {
    pub(crate) fn new(stream: S, state: Arc<ConnectionState>) -> DrainOnClose<S> {
        DrainOnClose { stream, state, phase: Phase::Open }
    }
}

impl<S: AsyncRead + Unpin + Abort> AsyncRead for DrainOnClose<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(cx, buffer);
        if buffer.filled().len() > before {
            self.state.has_unread.store(true, Ordering::Relaxed);
        }
        read
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin + Abort> AsyncWrite for DrainOnClose<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = &mut *self;
        loop {
            match &mut this.phase {
                Phase::Open => {
                    ready!(Pin::new(&mut this.stream).poll_shutdown(cx))?;
                    this.phase = match this.state.needs_no_drain() {
                        true => Phase::Closed,
                        false => Phase::Draining {
                            idle: Box::pin(sleep(DRAIN_IDLE)),
                            deadline: Instant::now() + DRAIN_MAX,
                        },
                    };
                }
                Phase::Draining { idle, deadline } => {
                    let is_silent = idle.as_mut().poll(cx).is_ready();
                    if !is_silent && !ready!(poll_discard(&mut this.stream, cx)) {
                        idle.as_mut().reset((Instant::now() + DRAIN_IDLE).min(*deadline));
                        continue;
                    }
                    this.phase = Phase::Closed;
                }
                Phase::Closed => return Poll::Ready(Ok(())),
            }
        }
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(cx, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

/// Reads and discards some bytes. Returns whether the end was reached.
fn poll_discard<S: AsyncRead + Unpin>(stream: &mut S, cx: &mut Context<'_>) -> Poll<bool> {
    let mut waste = [0; 16 << 10];
    let mut buffer = ReadBuf::new(&mut waste);
    let read = ready!(Pin::new(stream).poll_read(cx, &mut buffer));
    Poll::Ready(read.is_err() || buffer.filled().is_empty())
}
