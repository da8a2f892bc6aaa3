//! Delivers an answer as a connection does under a fault rule: late, in pieces, broken off, or not at all.

use std::future::Future as _;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use http::Response;
use http::header::CONTENT_LENGTH;
use http_body::{Body, Frame, SizeHint};
use sim_core::engine::fault::Mishap;
use tokio::time::{Sleep, sleep};

/// The number of pieces of a slow body.
const SLOW_PIECES: usize = 10;

/// Waits and breaks as the fault rule of the call says, which is in the extensions of its response. Without a rule the
/// answer is whole and comes at once.
///
/// # Errors
///
/// When the rule resets the connection before the answer.
pub async fn deliver(response: Response<Bytes>) -> io::Result<Response<Delivered>> {
    match response.extensions().get().copied() {
        None => Ok(response.map(Delivered::whole)),
        Some(Mishap::Delayed(ms)) => {
            sleep(Duration::from_millis(ms)).await;
            Ok(response.map(Delivered::whole))
        }
        Some(Mishap::Reset) => Err(broken(io::ErrorKind::ConnectionReset)),
        Some(Mishap::Torn) => {
            let (mut parts, start) = response.into_parts();
            parts.headers.insert(CONTENT_LENGTH, (2 * start.len() + 1).into());
            Ok(Response::from_parts(parts, Delivered::of(Pieces::Torn(Some(start)))))
        }
        Some(Mishap::Slow(ms)) => Ok(response.map(|body| slow(body, Duration::from_millis(ms)))),
    }
}

fn slow(left: Bytes, time: Duration) -> Delivered {
    let piece = left.len().div_ceil(SLOW_PIECES).max(1);
    let pause = time / u32::try_from(left.len().div_ceil(piece).max(1)).unwrap_or(1);
    Delivered::of(Pieces::Slow { left, piece, pause, timer: Box::pin(sleep(pause)) })
}

fn broken(kind: io::ErrorKind) -> io::Error {
    io::Error::new(kind, "a fault rule broke the connection")
}

/// The body of a delivered answer.
pub struct Delivered {
    pieces: Pieces,
    /// The end of the client's patience.
    timeout: Option<Pin<Box<Sleep>>>,
}

enum Pieces {
    Whole(Option<Bytes>),
    /// This start; then the connection breaks.
    Torn(Option<Bytes>),
    Slow {
        left: Bytes,
        piece: usize,
        pause: Duration,
        timer: Pin<Box<Sleep>>,
    },
}

impl Delivered {
    fn of(pieces: Pieces) -> Delivered {
        Delivered { pieces, timeout: None }
    }

    fn whole(body: Bytes) -> Delivered {
        Delivered::of(Pieces::Whole(Some(body).filter(|body| !body.is_empty())))
    }

    /// The same, but reading it fails when `timeout` is over.
    #[cfg(feature = "reqwest")]
    pub(super) fn until(self, timeout: Option<Pin<Box<Sleep>>>) -> Delivered {
        Delivered { timeout, ..self }
    }
}

impl Body for Delivered {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        let Delivered { pieces, timeout } = &mut *self;
        let next = match pieces {
            Pieces::Whole(body) => return Poll::Ready(body.take().map(|body| Ok(Frame::data(body)))),
            Pieces::Torn(start) => match start.take().filter(|start| !start.is_empty()) {
                Some(start) => Ok(start),
                None => Err(broken(io::ErrorKind::UnexpectedEof)),
            },
            Pieces::Slow { left, .. } if left.is_empty() => return Poll::Ready(None),
            Pieces::Slow { left, piece, pause, timer } => {
                if timer.as_mut().poll(cx).is_pending() {
                    let Some(timeout) = timeout else { return Poll::Pending };
                    ready!(timeout.as_mut().poll(cx));
                    return Poll::Ready(Some(Err(io::ErrorKind::TimedOut.into())));
                }
                timer.set(sleep(*pause));
                Ok(left.split_to((*piece).min(left.len())))
            }
        };
        Poll::Ready(Some(next.map(Frame::data)))
    }

    fn size_hint(&self) -> SizeHint {
        match &self.pieces {
            Pieces::Whole(body) => SizeHint::with_exact(body.as_ref().map_or(0, Bytes::len) as u64),
            Pieces::Torn(_) => SizeHint::default(),
            Pieces::Slow { left, .. } => SizeHint::with_exact(left.len() as u64),
        }
    }
}
