//! The pooler: PostgreSQL's protocol in front of projects' databases. It admits a client by the password of its project or login role,
//! and then runs its statements as calls of the world, or hands on its bytes to the server of the database.

mod binary;
mod calls;
mod codec;
mod messages;
mod portals;
mod relay;
mod scram;
mod session;
mod several;
mod startup;

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicUsize, Ordering};
use std::time::Duration;

use parking_lot::Mutex;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, watch};

use self::messages::{Fatal, Output};
use self::startup::Opening;
use crate::executor::Executor;
use crate::listen::{Abort, Limits, Tls, WriteGuard};
use crate::request::App;
use crate::worlds::World;

/// Connections that may wait for their clients to log in, at least; otherwise as many as may be logged in. When there are more, the
/// oldest is closed: clients that say nothing must not keep others out.
const WAITING: usize = 100;

/// The pause after an error of the listener itself.
const RETRY_AFTER: Duration = Duration::from_millis(20);

/// Everything that its connections share.
pub(crate) struct Pooler {
    app: Arc<App>,
    executor: Executor,
    tls: Option<Arc<Tls>>,
    limits: Limits,
    /// The clients that are logged in.
    open: AtomicUsize,
    /// The connections whose clients are not, in the order of their coming, and what closes them.
    waiting: Mutex<BTreeMap<u64, Arc<Notify>>>,
    next: AtomicI32,
    /// The connections that can be asked to cancel, by what their clients were told.
    running: Mutex<BTreeMap<(i32, i32), Cancel>>,
}

/// What a request to cancel ends.
#[derive(Clone)]
enum Cancel {
    /// The call that a connection runs, if it runs one.
    Call(Arc<World>, Arc<AtomicBool>),
    /// A statement on a server.
    OnServer(relay::Place),
}

impl Pooler {
    pub(crate) fn new(app: Arc<App>, executor: Executor, tls: Option<Arc<Tls>>, limits: Limits) -> Pooler {
        Pooler {
            app,
            executor,
            tls,
            limits,
            open: AtomicUsize::new(0),
            waiting: Mutex::default(),
            next: AtomicI32::new(1),
            running: Mutex::default(),
        }
    }

    /// Accepts connections until `stop` changes.
    pub(crate) async fn serve(self: Arc<Pooler>, listener: TcpListener, mut stop: watch::Receiver<bool>) {
        let mut numbers = 0_u64..;
        loop {
            let taken = tokio::select! {
                taken = listener.accept() => taken,
                _ = stop.wait_for(|stop| *stop) => return,
            };
            let Ok((stream, _)) = taken else {
                tokio::time::sleep(RETRY_AFTER).await;
                continue;
            };
            let (pooler, mut stop) = (Arc::clone(&self), stop.clone());
            let number = numbers.next().unwrap_or_default();
            let gives_way = self.wait(number);
            self.executor.spawn(async move {
                let waits = Waiting { pooler: &pooler, number };
                tokio::select! {
                    // The client has left, or was told why it has to leave.
                    _ = pooler.client(stream, waits) => {}
                    () = gives_way.notified() => {}
                    _ = stop.wait_for(|stop| *stop) => {}
                }
            });
        }
    }

    /// Lets a new connection wait for its client to log in. Returns what closes it.
    fn wait(&self, number: u64) -> Arc<Notify> {
        let gives_way = Arc::new(Notify::new());
        let mut waiting = self.waiting.lock();
        waiting.insert(number, Arc::clone(&gives_way));
        if waiting.len() > self.limits.connections.max(WAITING)
            && let Some((_, oldest)) = waiting.pop_first()
        {
            oldest.notify_one();
        }
        gives_way
    }

    /// A place among the clients that are logged in, if there is one.
    fn seat(&self) -> Option<Seat<'_>> {
        let most = self.limits.connections;
        let next = |open: usize| (open < most).then_some(open + 1);
        self.open.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next).ok().map(|_| Seat(&self.open))
    }

    async fn client(&self, stream: TcpStream, waits: Waiting<'_>) -> io::Result<()> {
        stream.set_nodelay(true)?;
        let mut stream = self.executor.socket(stream)?;
        let time = self.limits.header_timeout;
        let opening = tokio::time::timeout(time, startup::read(&mut stream, self.tls.is_some())).await??;
        match (opening, &self.tls) {
            (Opening::Tls, Some(tls)) => {
                stream.write_all(b"S").await?;
                let mut stream = tokio::time::timeout(time, tls.accept_postgres(stream)).await??;
                let name = Tls::asked_name(&stream);
                let opening = tokio::time::timeout(time, startup::read(&mut stream, false)).await??;
                self.opened(stream, opening, name, waits).await
            }
            (opening, _) => self.opened(stream, opening, None, waits).await,
        }
    }

    async fn opened<S>(
        &self,
        stream: S,
        opening: Opening,
        name: Option<String>,
        waits: Waiting<'_>,
    ) -> io::Result<()>
    where
        S: AsyncRead + AsyncWrite + Abort + Unpin + Send,
    {
        let unsent = Arc::clone(&self.app.unsent);
        let stream = WriteGuard::new(stream, self.limits.write_timeout, unsent);
        let mut stream = Output::new(stream, &self.app.requests, self.limits.body_timeout);
        let mut parameters = match opening {
            Opening::Start(parameters) => parameters,
            Opening::Cancel(process, secret) => return self.cancel((process, secret)).await,
            Opening::Wrong(fatal) => return stream.refuse(&fatal).await,
            Opening::Tls => return Ok(()),
        };
        let full = Fatal::new("53300", "sorry, too many clients already");
        if self.open.load(Ordering::Relaxed) >= self.limits.connections {
            return stream.refuse(&full).await;
        }
        let admitted = tokio::time::timeout(
            self.limits.header_timeout,
            startup::admit(&self.app, &mut stream, &mut parameters, name.as_deref()),
        );
        let admitted = match admitted.await? {
            Ok(admitted) => admitted,
            Err(startup::Refused::Lost(error)) => return Err(error),
            Err(startup::Refused::Fatal(fatal)) => return stream.refuse(&fatal).await,
        };
        let caller = admitted.caller.clone();
        let Some(_seat) = self.seat() else {
            // Whether or not this succeeds, the client is not admitted.
            let _ = caller.close().await;
            return stream.refuse(&full).await;
        };
        drop(waits);
        let process = self.next.fetch_add(1, Ordering::Relaxed);
        let done = match admitted.server {
            Some(place) => relay::run(self, stream, place, &parameters).await,
            None => {
                session::run(self, stream, admitted.caller, &parameters, (process, secret(process))).await
            }
        };
        // The world may be gone, and the connection with it.
        let _ = caller.close().await;
        done
    }

    /// Lets a client cancel what its connection runs, as long as the guard lives.
    fn can_cancel(&self, key: (i32, i32), what: Cancel) -> Cancellable<'_> {
        self.running.lock().insert(key, what);
        Cancellable { pooler: self, key }
    }

    async fn cancel(&self, key: (i32, i32)) -> io::Result<()> {
        let found = self.running.lock().get(&key).cloned();
        match found {
            Some(Cancel::Call(world, runs)) => {
                if runs.load(Ordering::SeqCst) {
                    world.watch.end_after(Duration::ZERO);
                }
                Ok(())
            }
            Some(Cancel::OnServer(place)) => relay::cancel(&place, key).await,
            None => Ok(()),
        }
    }
}

/// A connection whose client is not logged in yet.
struct Waiting<'p> {
    pooler: &'p Pooler,
    number: u64,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.pooler.waiting.lock().remove(&self.number);
    }
}

/// A place among the clients that are logged in.
struct Seat<'p>(&'p AtomicUsize);

impl Drop for Seat<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A connection that can be asked to cancel.
struct Cancellable<'p> {
    pooler: &'p Pooler,
    key: (i32, i32),
}

impl Drop for Cancellable<'_> {
    fn drop(&mut self) {
        self.pooler.running.lock().remove(&self.key);
    }
}

/// A number that others do not guess. It guards nothing but statements of simulated databases.
fn secret(process: i32) -> i32 {
    use std::hash::BuildHasher as _;
    let hash = std::collections::hash_map::RandomState::new().hash_one(process);
    i32::from_le_bytes([hash as u8, (hash >> 8) as u8, (hash >> 16) as u8, (hash >> 24) as u8])
}
