//! The body of an answer as it is sent: whole, damaged by a fault rule, or as a stream of events.

use std::fmt;
use std::future::Future as _;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::{Buf, Bytes};
use http::Response;
use http::header::CONTENT_LENGTH;
use hyper::body::{Body, Frame, SizeHint};
use sim_core::engine::fault::Mishap;
use tokio::sync::{mpsc, watch};
use tokio::time::{Sleep, sleep};

use super::drain::ConnectionState;
use super::unsent::{Data, Unsent};
use crate::executor::Executor;
use crate::worlds::Watcher;

/// The number of pieces of a slow body.
const SLOW_PIECES: usize = 10;

/// How long to wait for the start of a truncated answer to be sent. The error after that drops unsent data.
const FLUSH_TIME: Duration = Duration::from_millis(20);

/// The way in which a fault rule ends a connection.
#[derive(Debug)]
pub(crate) struct Broken;

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a fault rule broke the connection")
    }
}

impl std::error::Error for Broken {}

/// A body that is sent to a client.
pub(crate) enum ResponseBody {
    Whole(Option<Data>),
    /// Sends this start, then breaks the connection.
    Truncated {
        start: Option<Bytes>,
        sleep: Pin<Box<Sleep>>,
    },
    Slow {
        left: Bytes,
        piece: usize,
        pause: Duration,
        sleep: Pin<Box<Sleep>>,
    },
    /// Sends this start, then events as they happen.
    Events {
        start: Option<Bytes>,
        rest: mpsc::Receiver<Bytes>,
    },
}

/// Applies the fault of the call's rule to an answer. If the answer begins a stream of events, continues it with the events.
pub(crate) async fn apply_fault(
    mut response: Response<Bytes>,
    unsent: &Arc<Unsent>,
    connection: &ConnectionState,
    stop: &watch::Receiver<bool>,
    executor: &Executor,
) -> Result<Response<ResponseBody>, Broken> {
    if let Some(watcher) = response.extensions_mut().remove::<Watcher>() {
        return Ok(events(response, watcher.messages(stop.clone(), executor)));
    }
    let whole = |body: Bytes| ResponseBody::Whole((!body.is_empty()).then(|| Data::counted(body, unsent)));
    match response.extensions().get() {
        None => Ok(response.map(whole)),
        Some(Mishap::Delayed(ms)) => {
            sleep(Duration::from_millis(*ms)).await;
            Ok(response.map(whole))
        }
        Some(Mishap::Reset) => {
            connection.abort();
            Err(Broken)
        }
        Some(Mishap::Torn) => Ok(truncated(response)),
        Some(&Mishap::Slow(ms)) => Ok(slow(response, Duration::from_millis(ms))),
    }
}

fn events(response: Response<Bytes>, rest: mpsc::Receiver<Bytes>) -> Response<ResponseBody> {
    let (mut parts, start) = response.into_parts();
    parts.headers.remove(CONTENT_LENGTH);
    Response::from_parts(parts, ResponseBody::Events { start: Some(start), rest })
}

fn truncated(response: Response<Bytes>) -> Response<ResponseBody> {
    let (mut parts, start) = response.into_parts();
    parts.headers.insert(CONTENT_LENGTH, (2 * start.len() + 1).into());
    let sleep = Box::pin(sleep(FLUSH_TIME));
    Response::from_parts(parts, ResponseBody::Truncated { start: Some(start), sleep })
}

fn slow(response: Response<Bytes>, time: Duration) -> Response<ResponseBody> {
    let (parts, left) = response.into_parts();
    let piece = left.len().div_ceil(SLOW_PIECES).max(1);
    let pause = time / u32::try_from(left.len().div_ceil(piece).max(1)).unwrap_or(1);
    Response::from_parts(parts, ResponseBody::Slow { left, piece, pause, sleep: Box::pin(sleep(pause)) })
}

impl Body for ResponseBody {
    type Data = Data;
    type Error = Broken;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Data>, Broken>>> {
        match &mut *self {
            ResponseBody::Whole(body) => Poll::Ready(body.take().map(|data| Ok(Frame::data(data)))),
            ResponseBody::Truncated { start, sleep } => {
                match start.take().filter(|start| !start.is_empty()) {
                    Some(start) => Poll::Ready(Some(Ok(Frame::data(start.into())))),
                    None => {
                        ready!(sleep.as_mut().poll(cx));
                        Poll::Ready(Some(Err(Broken)))
                    }
                }
            }
            ResponseBody::Events { start, rest } => {
                let next = match start.take() {
                    Some(start) => Some(start),
                    None => ready!(rest.poll_recv(cx)),
                };
                Poll::Ready(next.map(|bytes| Ok(Frame::data(bytes.into()))))
            }
            ResponseBody::Slow { left, .. } if left.is_empty() => Poll::Ready(None),
            ResponseBody::Slow { left, piece, pause, sleep: timer } => {
                ready!(timer.as_mut().poll(cx));
                timer.set(sleep(*pause));
                let now = left.split_to((*piece).min(left.len()));
                Poll::Ready(Some(Ok(Frame::data(now.into()))))
            }
        }
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            ResponseBody::Whole(body) => SizeHint::with_exact(body.as_ref().map_or(0, Buf::remaining) as u64),
            ResponseBody::Truncated { .. } | ResponseBody::Events { .. } => SizeHint::default(),
            ResponseBody::Slow { left, .. } => SizeHint::with_exact(left.len() as u64),
        }
    }
}
