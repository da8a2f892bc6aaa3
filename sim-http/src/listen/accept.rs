//! Connections: taken in, counted, served, ended.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use http::{Request, StatusCode, Version};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

use crate::listen::drain::{Heard, LAST_WORDS, Lingering};
use crate::listen::header_guard::{Heads, refusal};
use crate::listen::limits::Limits;
use crate::listen::response_body::{self, Abort};
use crate::listen::tls::Tls;
use crate::request::service::{App, Peer, Way};

/// After an error of the listener itself, such as no file descriptor left, it rests for this long.
const REST: Duration = Duration::from_millis(20);

/// Answers that may be given before the client has sent all of its request.
const CUT_SHORT: [StatusCode; 2] = [StatusCode::PAYLOAD_TOO_LARGE, StatusCode::REQUEST_TIMEOUT];

/// How many headers hyper takes unless told otherwise.
const HEADERS_USUAL: usize = 100;

/// Connections above the limit that are told why; further ones are closed without a word.
const TOLD_MAX: usize = 64;

const TOO_MANY: &str = "Too many connections; close some, try again";

/// What every connection needs.
pub(crate) struct Acceptor {
    pub(crate) app: Arc<App>,
    pub(crate) tls: Option<Tls>,
    pub(crate) limits: Limits,
    pub(crate) nodelay: bool,
}

/// One of a limited number of places; free again when dropped.
struct Seat(Arc<AtomicUsize>);

impl Seat {
    fn take(taken: &Arc<AtomicUsize>, seats: usize) -> Option<Seat> {
        if taken.fetch_add(1, Ordering::Relaxed) < seats {
            return Some(Seat(Arc::clone(taken)));
        }
        taken.fetch_sub(1, Ordering::Relaxed);
        None
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Takes in connections until `stop` changes, then lets those under way come to their end.
pub(crate) async fn serve(acceptor: Acceptor, listener: TcpListener, stop: watch::Sender<bool>) {
    let acceptor = Arc::new(acceptor);
    let http = Arc::new(http(&acceptor.limits));
    let (seats, told) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let mut stopped = stop.subscribe();
    let clocks = tokio::spawn(keep_time(Arc::clone(&acceptor.app)));
    loop {
        let taken = tokio::select! {
            taken = listener.accept() => taken,
            _ = stopped.wait_for(|stop| *stop) => break,
        };
        let Ok((stream, _)) = taken else {
            tokio::time::sleep(REST).await;
            continue;
        };
        match Seat::take(&seats, acceptor.limits.connections) {
            Some(seat) => {
                let (acceptor, http, stop) = (Arc::clone(&acceptor), Arc::clone(&http), stop.subscribe());
                tokio::spawn(async move {
                    acceptor.connection(stream, &http, stop).await;
                    drop(seat);
                });
            }
            None if acceptor.tls.is_none() => {
                if let Some(seat) = Seat::take(&told, TOLD_MAX) {
                    tokio::spawn(refuse(stream, seat));
                }
            }
            None => drop(stream),
        }
    }
    drop(listener);
    drop(stopped);
    let _ = tokio::time::timeout(acceptor.limits.grace, stop.closed()).await;
    clocks.abort();
}

fn http(limits: &Limits) -> auto::Builder<TokioExecutor> {
    let mut http = auto::Builder::new(TokioExecutor::new());
    http.http1()
        .timer(TokioTimer::new())
        // Who has sent all there is may say so and still wants the answer.
        .half_close(true)
        // Heads are waited for by the stream, which gives a reason.
        .header_read_timeout(None)
        .max_buf_size(limits.header_bytes.max(8192));
    // Given a number, be it its own, hyper clears so many places for each request.
    if limits.headers != HEADERS_USUAL {
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

/// Does what falls due in worlds that nobody calls.
async fn keep_time(app: Arc<App>) {
    app.hub.all().iter().for_each(|world| world.tick());
    loop {
        app.hub.alarm.rings().await;
        app.hub.all().iter().for_each(|world| world.tick());
    }
}

/// Tells a client that it is one too many.
async fn refuse(mut stream: TcpStream, _seat: Seat) {
    let words = refusal(StatusCode::SERVICE_UNAVAILABLE, "too_many_connections", TOO_MANY);
    let telling = async {
        stream.write_all(&words).await?;
        stream.shutdown().await?;
        drain(&mut stream).await
    };
    let _ = tokio::time::timeout(LAST_WORDS, telling).await;
}

/// Reads on until the client is done. Closing earlier would reset the connection, and the client might never see
/// the answer.
async fn drain(stream: &mut TcpStream) -> io::Result<()> {
    let mut waste = [0; 4096];
    while stream.read(&mut waste).await? > 0 {}
    Ok(())
}

impl Acceptor {
    async fn connection(
        &self,
        stream: TcpStream,
        http: &auto::Builder<TokioExecutor>,
        stop: watch::Receiver<bool>,
    ) {
        // A client that is gone already shows when it is read from.
        let _ = stream.set_nodelay(self.nodelay);
        let near = stream.peer_addr().is_ok_and(|peer| peer.ip().to_canonical().is_loopback());
        let peer = if near { Peer::Near } else { Peer::Far };
        let Some(tls) = &self.tls else { return self.requests(stream, peer, http, stop).await };
        let handshake = tokio::time::timeout(self.limits.header_timeout, tls.accept(stream));
        if let Ok(Ok(stream)) = handshake.await {
            self.requests(stream, peer, http, stop).await;
        }
    }

    /// Serves the requests of one connection. Errors of the connection are the client's: it is closed.
    async fn requests<S>(
        &self,
        stream: S,
        peer: Peer,
        http: &auto::Builder<TokioExecutor>,
        mut stop: watch::Receiver<bool>,
    ) where
        S: AsyncRead + AsyncWrite + Abort + Unpin + Send + 'static,
    {
        let (secure, body_timeout) = (self.tls.is_some(), Some(self.limits.body_timeout));
        let way = Way { secure, body_timeout, peer };
        let heard = Arc::new(Heard::default());
        let stopped = stop.clone();
        let service = service_fn(|request: Request<Incoming>| {
            let asked = Heard::ask(&heard);
            if request.version() == Version::HTTP_2 {
                heard.orderly();
            }
            let (app, heard, stop) = (Arc::clone(&self.app), Arc::clone(&heard), stopped.clone());
            async move {
                let response = app.answer(request, way).await;
                if !CUT_SHORT.contains(&response.status()) {
                    heard.out();
                }
                let response = response_body::come_to(response, &heard, &stop).await;
                drop(asked);
                response
            }
        });
        let stream = Lingering::new(stream, Arc::clone(&heard));
        let stream = TokioIo::new(Heads::new(stream, self.limits, Arc::clone(&heard)));
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
