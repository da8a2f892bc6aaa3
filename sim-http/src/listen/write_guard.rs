//! Ends a connection whose client does not read its answer.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

use super::drain::Abort;
use super::unsent::Unsent;

/// How long a client may read nothing while there are too many unsent answers. This is also the interval of the check.
const PATIENCE: Duration = Duration::from_secs(1);

/// A stream that fails when nothing could be written for a while.
pub(crate) struct WriteGuard<S> {
    stream: S,
    timeout: Duration,
    unsent: Arc<Unsent>,
    /// Since when nothing could be written; `None` while the client reads.
    stalled: Option<Instant>,
    check: Pin<Box<Sleep>>,
}

impl<S: Abort> WriteGuard<S> {
    pub(crate) fn new(stream: S, timeout: Duration, unsent: Arc<Unsent>) -> WriteGuard<S> {
        WriteGuard { stream, timeout, unsent, stalled: None, check: Box::pin(sleep(Duration::ZERO)) }
    }

    /// Passes on the result of a write. A write that waits too long fails.
    fn guard<T>(&mut self, written: Poll<io::Result<T>>, cx: &mut Context<'_>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.stalled = None;
            return written;
        }
        let step = PATIENCE.min(self.timeout);
        let since = *self.stalled.get_or_insert_with(|| {
            self.check.as_mut().reset(Instant::now() + step);
            Instant::now()
        });
        loop {
            ready!(self.check.as_mut().poll(cx));
            let limit = if self.unsent.is_over() { step } else { self.timeout };
            if since.elapsed() >= limit {
                // The part of the answer that the system holds is useless too.
                self.stream.abort();
                return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
            }
            self.check.as_mut().reset(Instant::now() + step);
        }
    }
}

impl<S: Abort> Abort for WriteGuard<S> {
    fn abort(&self) {
        self.stream.abort();
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for WriteGuard<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl<S: AsyncWrite + Abort + Unpin> AsyncWrite for WriteGuard<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.guard(written, cx)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(cx);
        self.guard(flushed, cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let closed = Pin::new(&mut self.stream).poll_shutdown(cx);
        self.guard(closed, cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, slices);
        self.guard(written, cx)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}
