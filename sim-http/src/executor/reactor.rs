//! Sockets of clients, and waiting for them. Any thread of the executor can wait, and needs no system call to go on with the tasks
//! that became ready. Tokio's driver needs two.

use std::collections::BTreeMap;
use std::io::{self, IoSlice, Read as _, Write as _};
use std::net::Shutdown;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Waker, ready};
use std::time::Duration;

use mio::event::Event;
use mio::{Events, Interest, Registry, Token};
use parking_lot::Mutex;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// The token of the alarm, which ends a wait.
const ALARM: Token = Token(0);

/// Most events that one wait delivers.
const EVENTS_MAX: usize = 256;

/// Bits of a source's readiness; above them it counts how often it became ready.
const READABLE: usize = 1;
const WRITABLE: usize = 2;
/// The client sends nothing more, so reading never has to wait.
const READ_CLOSED: usize = 4;
/// The connection is broken, so nothing has to wait.
const BROKEN: usize = 8;
const COUNT: usize = 16;

/// Waits for sockets.
pub(crate) struct Reactor {
    poll: Mutex<(mio::Poll, Events)>,
    registry: Registry,
    alarm: mio::Waker,
    sources: Mutex<Sources>,
}

#[derive(Default)]
struct Sources {
    by_token: BTreeMap<usize, Arc<Source>>,
    last: usize,
}

/// The state of a socket, and the tasks that wait for it.
#[derive(Default)]
struct Source {
    readiness: AtomicUsize,
    reader: Mutex<Option<Waker>>,
    writer: Mutex<Option<Waker>>,
}

impl Reactor {
    pub(super) fn new() -> io::Result<Reactor> {
        let poll = mio::Poll::new()?;
        Ok(Reactor {
            registry: poll.registry().try_clone()?,
            alarm: mio::Waker::new(poll.registry(), ALARM)?,
            poll: Mutex::new((poll, Events::with_capacity(EVENTS_MAX))),
            sources: Mutex::default(),
        })
    }

    /// Waits for events, at most for this time, and wakes the tasks that wait for them.
    pub(super) fn wait(&self, timeout: Option<Duration>) {
        let (poll, events) = &mut *self.poll.lock();
        if poll.poll(events, timeout).is_err() {
            // A signal arrived. The caller waits again.
            return;
        }
        for event in &*events {
            let source = self.sources.lock().by_token.get(&event.token().0).cloned();
            source.inspect(|source| source.becomes_ready(event));
        }
    }

    /// Ends the wait of another thread.
    pub(super) fn ring(&self) {
        // This fails when the system is out of resources. Then the next event ends the wait.
        let _ = self.alarm.wake();
    }
}

impl Source {
    fn becomes_ready(&self, event: &Event) {
        let mut bits = 0;
        for (is_so, bit) in [
            (event.is_readable(), READABLE),
            (event.is_writable(), WRITABLE),
            (event.is_read_closed(), READ_CLOSED),
            (event.is_error() || (event.is_read_closed() && event.is_write_closed()), BROKEN),
        ] {
            bits |= if is_so { bit } else { 0 };
        }
        let add = |before: usize| Some((before | bits).wrapping_add(COUNT));
        // The result is always `Ok`.
        let _ = self.readiness.fetch_update(Ordering::SeqCst, Ordering::SeqCst, add);
        for (waiting, wanted) in [(&self.reader, Direction::Read), (&self.writer, Direction::Write)] {
            if bits & wanted.bits() != 0 {
                let waker = waiting.lock().take();
                waker.into_iter().for_each(Waker::wake);
            }
        }
    }

    /// Ready when the socket is ready in this direction. Returns its readiness.
    fn poll_ready(&self, direction: Direction, cx: &Context<'_>) -> Poll<usize> {
        let is_ready = || {
            let readiness = self.readiness.load(Ordering::SeqCst);
            (readiness & direction.bits() != 0).then_some(readiness)
        };
        if let Some(readiness) = is_ready() {
            return Poll::Ready(readiness);
        }
        let waiting = if direction == Direction::Read { &self.reader } else { &self.writer };
        *waiting.lock() = Some(cx.waker().clone());
        // The socket may have become ready before the waker was stored.
        is_ready().map_or(Poll::Pending, Poll::Ready)
    }

    /// Clears the readiness, unless the socket has become ready again since `seen`.
    fn clear(&self, direction: Direction, seen: usize) {
        let bit = if direction == Direction::Read { READABLE } else { WRITABLE };
        let cleared = |now: usize| (now / COUNT == seen / COUNT).then_some(now & !bit);
        let _ = self.readiness.fetch_update(Ordering::SeqCst, Ordering::SeqCst, cleared);
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Read,
    Write,
}

impl Direction {
    /// The bits that make a socket ready in this direction.
    const fn bits(self) -> usize {
        match self {
            Direction::Read => READABLE | READ_CLOSED | BROKEN,
            Direction::Write => WRITABLE | BROKEN,
        }
    }
}

/// The connection of a client.
pub(crate) struct Socket {
    stream: mio::net::TcpStream,
    token: Token,
    source: Arc<Source>,
    reactor: Arc<Reactor>,
}

impl Socket {
    /// Fails when the system can't watch another socket.
    pub(super) fn new(stream: std::net::TcpStream, reactor: &Arc<Reactor>) -> io::Result<Socket> {
        let mut stream = mio::net::TcpStream::from_std(stream);
        let source =
            Arc::new(Source { readiness: AtomicUsize::new(READABLE | WRITABLE), ..Source::default() });
        let mut sources = reactor.sources.lock();
        sources.last += 1;
        let token = Token(sources.last);
        sources.by_token.insert(token.0, Arc::clone(&source));
        drop(sources);
        let watched = reactor.registry.register(&mut stream, token, Interest::READABLE | Interest::WRITABLE);
        let socket = Socket { stream, token, source, reactor: Arc::clone(reactor) };
        watched.map(|()| socket)
    }

    /// Makes the connection end with a reset when it is dropped.
    pub(crate) fn abort(&self) {
        // If this fails, the client sees the end of the connection without an answer.
        let _ = socket2::SockRef::from(&self.stream).set_linger(Some(Duration::ZERO));
    }

    /// Reads or writes. `is_all` says whether the result shows that nothing is left to read, or no room to write.
    fn poll_io<T>(
        &self,
        direction: Direction,
        cx: &Context<'_>,
        mut io: impl FnMut(&mio::net::TcpStream) -> io::Result<T>,
        is_all: impl Fn(&T) -> bool,
    ) -> Poll<io::Result<T>> {
        loop {
            let seen = ready!(self.source.poll_ready(direction, cx));
            match io(&self.stream) {
                Ok(done) => {
                    // On other systems a short read shows nothing.
                    if cfg!(unix) && is_all(&done) {
                        self.source.clear(direction, seen);
                    }
                    return Poll::Ready(Ok(done));
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    self.source.clear(direction, seen);
                    if seen & BROKEN != 0 {
                        return Poll::Ready(Err(io::ErrorKind::ConnectionReset.into()));
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Poll::Ready(Err(error)),
            }
        }
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        self.reactor.sources.lock().by_token.remove(&self.token.0);
        // Closing the socket also ends the watch.
        let _ = self.reactor.registry.deregister(&mut self.stream);
    }
}

impl AsyncRead for Socket {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let room = buffer.initialize_unfilled();
        let length = room.len();
        let read = self.poll_io(
            Direction::Read,
            cx,
            |mut stream| stream.read(room),
            |count| (1..length).contains(count),
        );
        let count = ready!(read)?;
        buffer.advance(count);
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Socket {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.poll_io(Direction::Write, cx, |mut stream| stream.write(bytes), |count| *count < bytes.len())
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let length: usize = slices.iter().map(|slice| slice.len()).sum();
        let write = |mut stream: &mio::net::TcpStream| stream.write_vectored(slices);
        self.poll_io(Direction::Write, cx, write, |count| *count < length)
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.stream.shutdown(Shutdown::Write) {
            // The client was faster.
            Err(error) if error.kind() == io::ErrorKind::NotConnected => Poll::Ready(Ok(())),
            done => Poll::Ready(done),
        }
    }
}
