//! Accepts connections, counts them, serves their requests, and ends them.

use std::io;
use std::net::IpAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use http::{Request, StatusCode, Version};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

use super::drain::{Abort, ConnectionState, DRAIN_IDLE, DrainOnClose};
use super::header_guard::{HeaderGuard, refusal};
use super::limits::Limits;
use super::response_body;
use super::tls::Tls;
use super::write_guard::WriteGuard;
use crate::executor::Executor;
use crate::request::{App, Peer, Transport};

/// The pause after an error of the listener itself, such as no file descriptor left.
const RETRY_AFTER: Duration = Duration::from_millis(20);

/// Answers that may be sent before the whole request has arrived.
const EARLY: [StatusCode; 2] = [StatusCode::PAYLOAD_TOO_LARGE, StatusCode::REQUEST_TIMEOUT];

/// How many headers hyper accepts by default.
const HYPER_HEADERS: usize = 100;

/// Connections above the limit that get an answer; further ones are closed at once.
const REFUSALS_MAX: usize = 64;

const TOO_MANY: &str = "Too many connections; close some, try again";

/// The state shared by all connections.
pub(crate) struct Acceptor {
    pub(crate) app: Arc<App>,
    pub(crate) tls: Option<Arc<Tls>>,
    pub(crate) limits: Limits,
    pub(crate) nodelay: bool,
    pub(crate) executor: Executor,
}

/// A permit of a limited number; returned when dropped.
struct Permit(Arc<AtomicUsize>);

impl Permit {
    fn take(taken: &Arc<AtomicUsize>, limit: usize) -> Option<Permit> {
        if taken.fetch_add(1, Ordering::Relaxed) < limit {
            return Some(Permit(Arc::clone(taken)));
        }
        taken.fetch_sub(1, Ordering::Relaxed);
        None
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Accepts connections until `stop` changes, then lets running requests finish.
pub(crate) async fn serve(acceptor: Acceptor, listener: TcpListener, stop: watch::Sender<bool>) {
    let acceptor = Arc::new(acceptor);
    let executor = &acceptor.executor;
    let http = Arc::new(http(&acceptor.limits, executor));
    let (connections, refusals) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let mut stopped = stop.subscribe();
    executor.spawn(run_due_work(Arc::downgrade(&acceptor.app), executor.clone()));
    loop {
        let taken = tokio::select! {
            taken = listener.accept() => taken,
            _ = stopped.wait_for(|stop| *stop) => break,
        };
        let Ok((stream, _)) = taken else {
            tokio::time::sleep(RETRY_AFTER).await;
            continue;
        };
        match Permit::take(&connections, acceptor.limits.connections) {
            Some(permit) => {
                let (acceptor, http, stop) = (Arc::clone(&acceptor), Arc::clone(&http), stop.subscribe());
                executor.spawn(async move {
                    acceptor.connection(stream, &http, stop).await;
                    drop(permit);
                });
            }
            None if acceptor.tls.is_none() => {
                if let Some(permit) = Permit::take(&refusals, REFUSALS_MAX) {
                    executor.spawn(refuse(stream, permit));
                }
            }
            None => drop(stream),
        }
    }
    drop(listener);
    drop(stopped);
    let _ = tokio::time::timeout(acceptor.limits.grace, stop.closed()).await;
}

fn http(limits: &Limits, executor: &Executor) -> auto::Builder<Executor> {
    let mut http = auto::Builder::new(executor.clone());
    http.http1()
        .timer(TokioTimer::new())
        // A client may close its sending half and still want the answer.
        .half_close(true)
        // `HeaderGuard` enforces this timeout, and sends a reason.
        .header_read_timeout(None)
        .max_buf_size(limits.header_bytes.max(8192));
    // Given any number, even its own default, hyper clears that many slots for each request.
    if limits.headers != HYPER_HEADERS {
        http.http1().max_headers(limits.headers);
    }
    #[cfg(feature = "http2")]
    http.http2()
        .timer(TokioTimer::new())
        .max_header_list_size(u32::try_from(limits.header_bytes).unwrap_or(u32::MAX))
        .keep_alive_interval(limits.header_timeout)
        .keep_alive_timeout(limits.header_timeout);
    http
}

/// Does the work that falls due while nobody calls a world.
async fn run_due_work(app: Weak<App>, executor: Executor) {
    let Some(alarm) = app.upgrade().map(|app| Arc::clone(&app.hub.alarm)) else { return };
    while let Some(app) = app.upgrade() {
        app.hub.tick(&executor);
        drop(app);
        alarm.rings().await;
    }
}

/// Tells a client that there are too many connections.
async fn refuse(mut stream: TcpStream, _permit: Permit) {
    let answer = refusal(StatusCode::SERVICE_UNAVAILABLE, "too_many_connections", TOO_MANY);
    let send = async {
        stream.write_all(&answer).await?;
        stream.shutdown().await?;
        drain(&mut stream).await
    };
    let _ = tokio::time::timeout(DRAIN_IDLE, send).await;
}

/// Reads until the client closes. Closing earlier would reset the connection, and the client might never see the answer.
async fn drain(stream: &mut TcpStream) -> io::Result<()> {
    let mut waste = [0; 4096];
    while stream.read(&mut waste).await? > 0 {}
    Ok(())
}

impl Acceptor {
    async fn connection(
        &self,
        stream: TcpStream,
        http: &auto::Builder<Executor>,
        stop: watch::Receiver<bool>,
    ) {
        // If the client is already gone, reading its request will show it.
        let _ = stream.set_nodelay(self.nodelay);
        let address = stream.peer_addr().ok().map(|peer| peer.ip().to_canonical());
        // If the system can't watch another socket, the client sees the end of the connection.
        let Ok(stream) = self.executor.socket(stream) else { return };
        let Some(tls) = &self.tls else { return self.requests(stream, address, http, stop).await };
        let handshake = tokio::time::timeout(self.limits.header_timeout, tls.accept(stream));
        if let Ok(Ok(stream)) = handshake.await {
            self.requests(stream, address, http, stop).await;
        }
    }

    /// Serves the requests of one connection. A connection error is caused by the client and ends only its connection.
    async fn requests<S>(
        &self,
        stream: S,
        address: Option<IpAddr>,
        http: &auto::Builder<Executor>,
        mut stop: watch::Receiver<bool>,
    ) where
        S: AsyncRead + AsyncWrite + Abort + Unpin + Send + 'static,
    {
        let (secure, body_timeout) = (self.tls.is_some(), Some(self.limits.body_timeout));
        let is_local = address.is_some_and(|address| address.is_loopback());
        let peer = if is_local { Peer::Local } else { Peer::Remote };
        let transport = Transport { secure, body_timeout, peer, address };
        let state = Arc::new(ConnectionState::default());
        let stopped = stop.clone();
        let service = service_fn(|request: Request<Incoming>| {
            let pending = ConnectionState::begin_request(&state);
            if request.version() == Version::HTTP_2 {
                state.speaks_http_2();
            }
            let (app, state, stop) = (Arc::clone(&self.app), Arc::clone(&state), stopped.clone());
            let executor = self.executor.clone();
            async move {
                let response = app.answer(request, transport).await;
                if !EARLY.contains(&response.status()) {
                    state.request_was_read();
                }
                let response =
                    response_body::apply_fault(response, &app.unsent, &state, &stop, &executor).await;
                drop(pending);
                response
            }
        });
        let stream = WriteGuard::new(stream, self.limits.write_timeout, Arc::clone(&self.app.unsent));
        let stream = DrainOnClose::new(stream, Arc::clone(&state));
        let stream = TokioIo::new(HeaderGuard::new(stream, self.limits, Arc::clone(&state)));
        let mut connection = std::pin::pin!(http.serve_connection(stream, service));
        let mut stopping = false;
        loop {
            tokio::select! {
                _ = connection.as_mut() => return,
                _ = stop.wait_for(|stop| *stop), if !stopping => {
                    connection.as_mut().graceful_shutdown();
                    stopping = true;
                }
            }
        }
    }
}
