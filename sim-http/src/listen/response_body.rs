//! What becomes of an answer on the wire: what a fault rule does to it, and what is told after it.

use std::fmt;
use std::future::Future as _;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use http::Response;
use http::header::CONTENT_LENGTH;
use http_body_util::{BodyExt as _, Full};
use hyper::body::{Body, Frame, SizeHint};
use sim_core::engine::fault::Mishap;
use tokio::net::TcpStream;
use tokio::sync::{mpsc, watch};
use tokio::time::{Sleep, sleep};

use crate::listen::drain::Heard;
use crate::worlds::watch::Watcher;

/// Pieces that a slow body comes in.
const PIECES: usize = 10;

/// How long the start of a torn answer gets to leave: an error drops what has not.
const OUT: Duration = Duration::from_millis(20);

/// The end of a connection that a rule asked for.
#[derive(Debug)]
pub(crate) struct Broken;

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a fault rule broke the connection")
    }
}

impl std::error::Error for Broken {}

/// A body as it goes out.
pub(crate) enum Sent {
    Whole(Full<Bytes>),
    /// Comes to this end, and when that is out the connection breaks.
    Torn {
        start: Option<Bytes>,
        sleep: Pin<Box<Sleep>>,
    },
    Slow {
        left: Bytes,
        piece: usize,
        pause: Duration,
        sleep: Pin<Box<Sleep>>,
    },
    /// Begins, and goes on with what is told.
    Told {
        start: Option<Bytes>,
        rest: mpsc::Receiver<Bytes>,
    },
}

/// Does to the answer what the rule that struck it says. One that begins a stream goes on.
pub(crate) async fn come_to(
    mut response: Response<Full<Bytes>>,
    heard: &Heard,
    stop: &watch::Receiver<bool>,
) -> Result<Response<Sent>, Broken> {
    if let Some(watcher) = response.extensions_mut().remove::<Watcher>() {
        return Ok(told(response, watcher, stop.clone()).await);
    }
    match response.extensions().get() {
        None => Ok(response.map(Sent::Whole)),
        Some(Mishap::Delayed(ms)) => {
            sleep(Duration::from_millis(*ms)).await;
            Ok(response.map(Sent::Whole))
        }
        Some(Mishap::Reset) => {
            heard.abort();
            Err(Broken)
        }
        Some(Mishap::Torn) => Ok(torn(response).await),
        Some(&Mishap::Slow(ms)) => Ok(slow(response, Duration::from_millis(ms)).await),
    }
}

async fn told(
    response: Response<Full<Bytes>>,
    watcher: Watcher,
    stop: watch::Receiver<bool>,
) -> Response<Sent> {
    let (mut parts, body) = response.into_parts();
    parts.headers.remove(CONTENT_LENGTH);
    let start = Some(whole(body).await);
    Response::from_parts(parts, Sent::Told { start, rest: watcher.messages(stop) })
}

async fn torn(response: Response<Full<Bytes>>) -> Response<Sent> {
    let (mut parts, body) = response.into_parts();
    let start = whole(body).await;
    parts.headers.insert(CONTENT_LENGTH, (2 * start.len() + 1).into());
    Response::from_parts(parts, Sent::Torn { start: Some(start), sleep: Box::pin(sleep(OUT)) })
}

async fn slow(response: Response<Full<Bytes>>, time: Duration) -> Response<Sent> {
    let (parts, body) = response.into_parts();
    let left = whole(body).await;
    let piece = left.len().div_ceil(PIECES).max(1);
    let pause = time / u32::try_from(left.len().div_ceil(piece).max(1)).unwrap_or(1);
    Response::from_parts(parts, Sent::Slow { left, piece, pause, sleep: Box::pin(sleep(pause)) })
}

async fn whole(body: Full<Bytes>) -> Bytes {
    let Ok(collected) = body.collect().await;
    collected.to_bytes()
}

impl Body for Sent {
    type Data = Bytes;
    type Error = Broken;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Broken>>> {
        match &mut *self {
            Sent::Whole(body) => {
                let frame = ready!(Pin::new(body).poll_frame(cx));
                Poll::Ready(frame.map(|frame| frame.map_err(|never| match never {})))
            }
            Sent::Torn { start, sleep } => match start.take().filter(|start| !start.is_empty()) {
                Some(start) => Poll::Ready(Some(Ok(Frame::data(start)))),
                None => {
                    ready!(sleep.as_mut().poll(cx));
                    Poll::Ready(Some(Err(Broken)))
                }
            },
            Sent::Told { start, rest } => {
                let next = match start.take() {
                    Some(start) => Some(start),
                    None => ready!(rest.poll_recv(cx)),
                };
                Poll::Ready(next.map(|bytes| Ok(Frame::data(bytes))))
            }
            Sent::Slow { left, .. } if left.is_empty() => Poll::Ready(None),
            Sent::Slow { left, piece, pause, sleep: nap } => {
                ready!(nap.as_mut().poll(cx));
                nap.set(sleep(*pause));
                let now = left.split_to((*piece).min(left.len()));
                Poll::Ready(Some(Ok(Frame::data(now))))
            }
        }
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            Sent::Whole(body) => body.size_hint(),
            Sent::Torn { .. } | Sent::Told { .. } => SizeHint::default(),
            Sent::Slow { left, .. } => SizeHint::with_exact(left.len() as u64),
        }
    }
}

/// A connection that can end without a goodbye.
pub(crate) trait Abort {
    /// Lets it end with a reset when it is dropped.
    fn abort(&self);
}

impl Abort for TcpStream {
    fn abort(&self) {
        // Where it can't be had, the client sees an end without an answer.
        let _ = self.set_zero_linger();
    }
}
