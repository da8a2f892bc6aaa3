//! Reads the body of a request, within a size and a time.

use std::time::Duration;

use bytes::{Buf as _, Bytes, BytesMut};
use http_body_util::BodyExt as _;
use hyper::body::Body;
use sim_core::Error;

use crate::listen::Room;

/// Why a body was not read.
#[derive(Debug)]
pub(crate) enum Refused {
    /// It is refused with this error.
    Error(Error),
    /// 408: it took too long.
    TooSlow(Duration),
}

/// Reads the whole body. Refuses one larger than `max_bytes`: at once when its size is stated, else as soon as it is reached. The
/// refusal is sent immediately, and the connection stays open until the client has read it.
pub(crate) async fn read<B>(
    body: B,
    max_bytes: usize,
    timeout: Option<Duration>,
    room: &mut Room,
) -> Result<Bytes, Refused>
where
    B: Body<Data: Send>,
    B::Error: Into<Cause>,
{
    if body.is_end_stream() {
        return Ok(Bytes::new());
    }
    if body.size_hint().lower() > max_bytes as u64 {
        return Err(Refused::Error(Error::too_large(max_bytes)));
    }
    let whole = collect(body, max_bytes, room);
    match timeout {
        Some(limit) => tokio::time::timeout(limit, whole).await.map_err(|_| Refused::TooSlow(limit))?,
        None => whole.await,
    }
    .map_err(Refused::Error)
}

async fn collect<B>(body: B, max_bytes: usize, room: &mut Room) -> Result<Bytes, Error>
where
    B: Body,
    B::Error: Into<Cause>,
{
    let mut body = std::pin::pin!(body);
    let mut first = Bytes::new();
    let mut whole = BytesMut::new();
    while let Some(frame) = body.frame().await {
        let Ok(mut data) = frame.map_err(truncated)?.into_data() else { continue };
        let chunk = data.copy_to_bytes(data.remaining());
        if first.len() + whole.len() + chunk.len() > max_bytes {
            return Err(Error::too_large(max_bytes));
        }
        room.grow(chunk.len())?;
        // Most bodies are one chunk, which needs no copy.
        if first.is_empty() && whole.is_empty() {
            first = chunk;
            continue;
        }
        whole.extend_from_slice(&std::mem::take(&mut first));
        whole.extend_from_slice(&chunk);
    }
    Ok(if whole.is_empty() { first } else { whole.freeze() })
}

fn truncated(error: impl Into<Cause>) -> Error {
    let error: Cause = error.into();
    let mut root: &dyn std::error::Error = &*error;
    while let Some(source) = root.source() {
        root = source;
    }
    Error::invalid("truncated_body", format!("body: ended before it was whole, {root}"))
}

/// The error of a body that could not be read.
pub(crate) type Cause = Box<dyn std::error::Error + Send + Sync>;

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use http_body_util::Full;

    use super::*;
    use crate::listen::Requests;

    fn read_now(bytes: &'static [u8], max_bytes: usize) -> Result<Bytes, Refused> {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        let mut room = Room::new(&Arc::new(Requests::new(usize::MAX)));
        runtime.block_on(read(Full::new(Bytes::from_static(bytes)), max_bytes, None, &mut room))
    }

    #[test]
    fn a_body_of_the_largest_size_is_read() {
        assert_eq!(read_now(b"12345", 5).expect("it fits"), "12345");
        assert_eq!(read_now(b"", 0).expect("nothing fits"), "");
    }

    #[test]
    fn a_larger_body_is_refused() {
        let Err(Refused::Error(error)) = read_now(b"123456", 5) else { panic!("it does not fit") };
        assert_eq!((error.status(), &*error.reason), (413, "body_too_large"));
    }
}
