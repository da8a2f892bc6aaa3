//! A stream that, when it is closed before the client has said all it wanted to, listens on for a while.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// How long a client is listened to whose request was refused before it was whole.
pub(crate) const LAST_WORDS: Duration = Duration::from_secs(1);

/// A stream whose end waits for the client where `unheard` says so. Closing a socket with unread data resets it, and a
/// client that is still sending might never see the answer.
pub(crate) struct Lingering<S> {
    stream: S,
    unheard: Arc<AtomicBool>,
    ending: Ending,
}

enum Ending {
    Open,
    /// The client has our end; its own is awaited for so long.
    Listening(Pin<Box<Sleep>>),
    Over,
}

impl<S> Lingering<S> {
    pub(crate) fn new(stream: S, unheard: Arc<AtomicBool>) -> Lingering<S> {
        Lingering { stream, unheard, ending: Ending::Open }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Lingering<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Lingering<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = &mut *self;
        loop {
            match &mut this.ending {
                Ending::Open => {
                    ready!(Pin::new(&mut this.stream).poll_shutdown(cx))?;
                    this.ending = match this.unheard.load(Ordering::Relaxed) {
                        true => Ending::Listening(Box::pin(sleep(LAST_WORDS))),
                        false => Ending::Over,
                    };
                }
                Ending::Listening(patience) => {
                    if patience.as_mut().poll(cx).is_pending() && !ready!(is_done(&mut this.stream, cx)) {
                        continue;
                    }
                    this.ending = Ending::Over;
                }
                Ending::Over => return Poll::Ready(Ok(())),
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

/// Reads some of what is not wanted any more; whether that was the end.
fn is_done<S: AsyncRead + Unpin>(stream: &mut S, cx: &mut Context<'_>) -> Poll<bool> {
    let mut waste = [0; 8192];
    let mut buffer = ReadBuf::new(&mut waste);
    let read = ready!(Pin::new(stream).poll_read(cx, &mut buffer));
    Poll::Ready(read.is_err() || buffer.filled().is_empty())
}
