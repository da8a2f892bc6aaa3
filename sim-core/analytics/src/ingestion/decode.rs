//! Bodies by their `content-encoding`.

use std::io::{self, Read};

use brotli_decompressor::Decompressor;
use flate2::read::{MultiGzDecoder, ZlibDecoder};
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{FrameDecoder, StreamingDecoder};
use sim_base::{Cx, Error, Kind};

/// The buffer size of the brotli decoder.
const BUFFER_BYTES: usize = 16 << 10;

/// How far a zstd frame may look back: the RFC recommends that all decoders take this much.
const WINDOW_BYTES: usize = 8 << 20;

/// The decompressed body, which may not be larger than the limit of a body.
pub(super) fn decode(cx: &Cx<'_>, body: Vec<u8>, encoding: Option<&str>) -> Result<Vec<u8>, Error> {
    let limit = cx.policy.analytics.ingest_bytes;
    let encoding = encoding.unwrap_or("identity").trim().to_ascii_lowercase();
    let read = match encoding.as_str() {
        "identity" | "" => Ok(body),
        "gzip" | "x-gzip" => at_most(limit, MultiGzDecoder::new(&*body)),
        "deflate" => at_most(limit, ZlibDecoder::new(&*body)),
        "br" => at_most(limit, Decompressor::new(&*body, BUFFER_BYTES)),
        "zstd" => zstd(limit, &body),
        other => {
            let text = format!("content-encoding {other:?} is not supported, send gzip, deflate, zstd or br");
            return Err(Error::new(Kind::UnsupportedMediaType, "unsupported_content_encoding", text));
        }
    };
    let wrong = |problem| Error::invalid("invalid_encoding", format!("body: is not {encoding}, {problem}"));
    let decoded = read.map_err(wrong)?;
    if decoded.len() > limit { Err(Error::too_large(limit)) } else { Ok(decoded) }
}

/// Reads to the end, or one byte more than `limit`.
fn at_most(limit: usize, from: impl Read) -> io::Result<Vec<u8>> {
    let mut decoded = Vec::new();
    from.take(limit as u64 + 1).read_to_end(&mut decoded)?;
    Ok(decoded)
}

/// The content of all frames, without those that are to be skipped; at most one byte more than `limit`.
fn zstd(limit: usize, mut rest: &[u8]) -> io::Result<Vec<u8>> {
    let mut decoder = FrameDecoder::new();
    // The decoder keeps as many bytes as a frame says, so a short body could take much memory.
    decoder.set_max_window_size(WINDOW_BYTES.max(limit) as u64);
    let mut decoded = Vec::new();
    loop {
        match StreamingDecoder::new_with_decoder(&mut rest, &mut decoder) {
            Ok(frame) => {
                let left = limit + 1 - decoded.len();
                frame.take(left as u64).read_to_end(&mut decoded)?;
            }
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                length, ..
            })) => rest = rest.get(length as usize..).ok_or(io::ErrorKind::UnexpectedEof)?,
            Err(error) => return Err(io::Error::other(error)),
        }
        if rest.is_empty() || decoded.len() > limit {
            return Ok(decoded);
        }
    }
}
