//! A stream that, when it is closed before the client has said all it wanted to, listens on for a while.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

use crate::listen::response_body::Abort;

/// How long a client whose request was refused before it was whole may be silent while it is listened to.
pub(crate) const LAST_WORDS: Duration = Duration::from_secs(1);

/// How long it is listened to in all.
const ALL_WORDS: Duration = Duration::from_secs(30);

/// What was heard of a client, and whether all that it has sent was taken note of. Shared by a connection's stream and its requests.
#[derive(Debug, Default)]
pub(crate) struct Heard {
    /// Something came after the last request that was heard out.
    more: AtomicBool,
    /// The protocol has an end of its own.
    orderly: AtomicBool,
    /// Requests that came.
    asked: AtomicUsize,
    /// Those of them that have their answer, or never will.
    answered: AtomicUsize,
    /// It ends with a reset.
    aborted: AtomicBool,
}

/// A request that waits for its answer.
pub(crate) struct Asked(Arc<Heard>);

impl Drop for Asked {
    fn drop(&mut self) {
        self.0.answered.fetch_add(1, Ordering::Relaxed);
    }
}

impl Heard {
    /// A request was read to its end.
    pub(crate) fn out(&self) {
        self.more.store(false, Ordering::Relaxed);
    }

    /// The connection speaks HTTP/2, which says goodbye by itself.
    pub(crate) fn orderly(&self) {
        self.orderly.store(true, Ordering::Relaxed);
    }

    /// A request came.
    pub(crate) fn ask(heard: &Arc<Heard>) -> Asked {
        heard.asked.fetch_add(1, Ordering::Relaxed);
        Asked(Arc::clone(heard))
    }

    /// How many requests came.
    pub(crate) fn asked(&self) -> usize {
        self.asked.load(Ordering::Relaxed)
    }

    /// Whether a request waits for its answer.
    pub(crate) fn is_busy(&self) -> bool {
        self.answered.load(Ordering::Relaxed) < self.asked()
    }

    /// The connection is to end without a goodbye.
    pub(crate) fn abort(&self) {
        self.aborted.store(true, Ordering::Relaxed);
    }

    fn is_all(&self) -> bool {
        self.orderly.load(Ordering::Relaxed) || !self.more.load(Ordering::Relaxed)
    }
}

/// A stream whose end waits for a client that was not heard out. Closing a socket with unread data resets it, and a
/// client that is still sending might never see the answer.
pub(crate) struct Lingering<S: Abort> {
    stream: S,
    heard: Arc<Heard>,
    ending: Ending,
}

enum Ending {
    Open,
    /// The client has our end; its own is awaited.
    Listening {
        patience: Pin<Box<Sleep>>,
        until: Instant,
    },
    Over,
}

impl<S: Abort> Drop for Lingering<S> {
    fn drop(&mut self) {
        if self.heard.aborted.load(Ordering::Relaxed) {
            self.stream.abort();
        }
    }
}

impl<S: Abort> Lingering<S> {
    pub(crate) fn new(stream: S, heard: Arc<Heard>) -> Lingering<S> {
        Lingering { stream, heard, ending: Ending::Open }
    }
}

impl<S: AsyncRead + Unpin + Abort> AsyncRead for Lingering<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(cx, buffer);
        if buffer.filled().len() > before {
            self.heard.more.store(true, Ordering::Relaxed);
        }
        read
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin + Abort> AsyncWrite for Lingering<S> {
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
                    this.ending = match this.heard.is_all() {
                        true => Ending::Over,
                        false => Ending::Listening {
                            patience: Box::pin(sleep(LAST_WORDS)),
                            until: Instant::now() + ALL_WORDS,
                        },
                    };
                }
                Ending::Listening { patience, until } => {
                    let silent = patience.as_mut().poll(cx).is_ready();
                    if !silent && !ready!(is_done(&mut this.stream, cx)) {
                        patience.as_mut().reset((Instant::now() + LAST_WORDS).min(*until));
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
    let mut waste = [0; 16 << 10];
    let mut buffer = ReadBuf::new(&mut waste);
    let read = ready!(Pin::new(stream).poll_read(cx, &mut buffer));
    Poll::Ready(read.is_err() || buffer.filled().is_empty())
}
