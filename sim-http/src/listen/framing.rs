//! Finds the ends of requests on an HTTP/1 connection, in parallel with hyper. Hyper accepts some requests that can be read in more
//! than one way: a length together with chunks, several lengths, other encodings than chunks, lines that end without CR. A proxy
//! in front of this server might read them differently, so they are refused. So are sizes that no body has.

use http::StatusCode;

/// A request that is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unframed {
    /// The status of the refusal.
    pub(crate) status: StatusCode,
    /// The reason of the refusal, as in the header `x-sim-reason`.
    pub(crate) reason: &'static str,
    /// The message of the refusal.
    pub(crate) message: &'static str,
    /// Whether the head of the request is malformed. Then the request was not served.
    pub(crate) is_head: bool,
}

/// The most hex digits in the size of a chunk.
const CHUNK_DIGITS: u32 = 8;

/// The first line of HTTP/2.
const HTTP_2: &[u8] = b"PRI * HTTP/2.0";

/// The position of a connection in its requests.
#[derive(Debug)]
pub(crate) struct Framing {
    at: At,
    /// The part of a head that has arrived.
    head: Vec<u8>,
    /// The longest head. Hyper refuses longer ones.
    head_max: usize,
}

/// A position in a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    Head,
    /// In data; `left` bytes are skipped.
    Data {
        left: u64,
        is_chunk: bool,
    },
    /// In the line with the size of a chunk.
    Size {
        size: u64,
        digits: u32,
        is_over: bool,
    },
    /// After the last chunk: at the start of a line, after its CR, or in its middle.
    Trailers {
        column: usize,
    },
    /// In bytes that are not an HTTP/1 request, or in a request that hyper refuses.
    Elsewhere,
}

const NEXT_SIZE: At = At::Size { size: 0, digits: 0, is_over: false };

impl Framing {
    pub(crate) fn new(head_max: usize) -> Framing {
        Framing { at: At::Head, head: Vec::new(), head_max }
    }

    /// Follows the bytes that arrived next. For a malformed request, returns the problem, and how many of these bytes belong to earlier
    /// requests.
    pub(crate) fn follow(&mut self, bytes: &[u8]) -> Result<(), (usize, Unframed)> {
        let (mut start, mut here) = (0, 0);
        while here < bytes.len() {
            let rest = &bytes[here..];
            here += match self.at {
                At::Head => {
                    if self.head.is_empty() {
                        start = here;
                    }
                    self.head(rest).map_err(|wrong| (start, wrong))?
                }
                At::Data { left, is_chunk } => self.data(left, is_chunk, rest.len()),
                At::Size { .. } => self.size(rest[0]).map_err(|wrong| (here, wrong))?,
                At::Trailers { column } => self.trailer(column, rest[0]),
                At::Elsewhere => rest.len(),
            };
        }
        Ok(())
    }

    /// Reads a line of a head, or the part of it that has arrived.
    fn head(&mut self, bytes: &[u8]) -> Result<usize, Unframed> {
        let end = bytes.iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |place| place + 1);
        let line = &bytes[..end];
        // Empty lines before a request are skipped.
        if self.head.is_empty() && matches!(line, b"\r\n" | b"\n" | b"\r") {
            return Ok(end);
        }
        self.head.extend_from_slice(line);
        if self.head.len() > self.head_max || self.head.starts_with(HTTP_2) {
            self.at = At::Elsewhere;
        } else if line.ends_with(b"\n") && !self.head.ends_with(b"\r\n") {
            return Err(malformed("headers: a line must end in CR LF, received LF alone"));
        } else if self.head.ends_with(b"\r\n\r\n") {
            self.at = body_of(&self.head)?;
            self.head.clear();
        }
        Ok(end)
    }

    fn data(&mut self, left: u64, is_chunk: bool, there: usize) -> usize {
        let here = usize::try_from(left).map_or(there, |left| left.min(there));
        let left = left - here as u64;
        self.at = match (left, is_chunk) {
            (0, false) => At::Head,
            (0, true) => NEXT_SIZE,
            _ => At::Data { left, is_chunk },
        };
        here
    }

    fn size(&mut self, byte: u8) -> Result<usize, Unframed> {
        let At::Size { size, digits, is_over } = self.at else { return Ok(0) };
        self.at = match (byte, char::from(byte).to_digit(16)) {
            (_, Some(digit)) if !is_over => {
                let size = size << 4 | u64::from(digit);
                if size >> (4 * CHUNK_DIGITS) > 0 {
                    let message = "body: the size of a chunk must have 8 hex digits at most";
                    return Err(Unframed { is_head: false, ..malformed(message) });
                }
                At::Size { size, digits: digits + 1, is_over }
            }
            // Hyper refuses a line without a size, or one that is unreadable.
            (b'\n', _) if digits == 0 => At::Elsewhere,
            (b'\n', _) if size == 0 => At::Trailers { column: 0 },
            // The data is followed by the end of its line.
            (b'\n', _) => At::Data { left: size + 2, is_chunk: true },
            _ => At::Size { size, digits, is_over: true },
        };
        Ok(1)
    }

    fn trailer(&mut self, column: usize, byte: u8) -> usize {
        self.at = match (column, byte) {
            (0 | 1, b'\n') => At::Head,
            (_, b'\n') => At::Trailers { column: 0 },
            (0, b'\r') => At::Trailers { column: 1 },
            _ => At::Trailers { column: 2 },
        };
        1
    }
}

fn malformed(message: &'static str) -> Unframed {
    let reason = "malformed_request";
    Unframed { status: StatusCode::BAD_REQUEST, reason, message, is_head: true }
}

/// The position after a head.
fn body_of(head: &[u8]) -> Result<At, Unframed> {
    let mut lines = head.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_end);
    let is_1_0 = lines.next().is_some_and(|line| line.ends_with(b"HTTP/1.0"));
    let (mut length, mut encoding) = (None, None);
    for line in lines {
        let Some(colon) = line.iter().position(|byte| *byte == b':') else { continue };
        let (name, value) = (&line[..colon], line[colon + 1..].trim_ascii());
        let seen = if name.eq_ignore_ascii_case(b"content-length") {
            length.replace(value)
        } else if name.eq_ignore_ascii_case(b"transfer-encoding") {
            encoding.replace(value)
        } else {
            None
        };
        if seen.is_some() {
            return Err(malformed(
                "headers: content-length or transfer-encoding must be sent once, received more than one",
            ));
        }
    }
    match (length, encoding) {
        (Some(_), Some(_)) => {
            Err(malformed("headers: content-length and transfer-encoding must not be sent together"))
        }
        (Some(length), None) => Ok(At::Head.after(read_length(length)?)),
        (None, Some(_)) if is_1_0 => Err(malformed("headers: transfer-encoding needs HTTP/1.1")),
        (None, Some(encoding)) if encoding.eq_ignore_ascii_case(b"chunked") => Ok(NEXT_SIZE),
        (None, Some(_)) => Err(Unframed {
            status: StatusCode::NOT_IMPLEMENTED,
            reason: "unknown_transfer_encoding",
            message: "transfer-encoding: must be chunked alone",
            is_head: true,
        }),
        (None, None) => Ok(At::Head),
    }
}

impl At {
    /// The position after `left` bytes of a body.
    fn after(self, left: u64) -> At {
        if left == 0 { self } else { At::Data { left, is_chunk: false } }
    }
}

fn read_length(value: &[u8]) -> Result<u64, Unframed> {
    if value.is_empty() || !value.iter().all(u8::is_ascii_digit) {
        return Err(malformed("content-length: must be a number"));
    }
    let length = str::from_utf8(value).ok().and_then(|text| text.parse().ok());
    // Hyper reserves the last numbers.
    length.filter(|length| *length < u64::MAX - 2).ok_or(Unframed {
        status: StatusCode::PAYLOAD_TOO_LARGE,
        reason: "body_too_large",
        message: "content-length: no body is as long as that",
        is_head: true,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The problem of a text, which must not depend on how the bytes arrive, and how many bytes belong to earlier requests if all bytes
    /// arrive at once.
    fn wrong(text: &str) -> Option<(usize, Unframed)> {
        let at_once = Framing::new(1000).follow(text.as_bytes()).err();
        let mut framing = Framing::new(1000);
        let singly = text.bytes().find_map(|byte| framing.follow(&[byte]).err());
        assert_eq!(singly.map(|(_, wrong)| wrong), at_once.map(|(_, wrong)| wrong), "{text:?}");
        at_once
    }

    const GOOD: &str = "GET / HTTP/1.1\r\nhost: a\r\n\r\n";

    #[test]
    fn requests_that_are_framed_in_one_way_pass() {
        for request in [
            GOOD,
            "\r\n\r\nGET / HTTP/1.1\r\nhost: a\r\n\r\n",
            "GET / HTTP/1.0\r\n\r\n",
            "POST / HTTP/1.1\r\ncontent-length: 5\r\n\r\na\nb\r\n",
            "POST / HTTP/1.1\r\nContent-Length:0\r\n\r\n",
            "POST / HTTP/1.1\r\ntransfer-encoding: Chunked\r\n\r\n3\r\na\nb\r\n00A;ext=\"1\"\r\n0123456789\r\n0\r\n\r\n",
            "POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n0\r\nx-trailer: a\r\n\r\n",
            "POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n0000000000000000001\r\na\r\n0\r\n\r\n",
        ] {
            assert_eq!(wrong(request), None, "{request:?}");
            let bad = "GET / HTTP/1.1\nhost: a\r\n\r\n";
            let (good, _) = wrong(&format!("{request}{GOOD}{bad}")).expect("the third is refused");
            assert_eq!(good, request.len() + GOOD.len(), "{request:?}");
        }
    }

    #[test]
    fn requests_that_could_be_read_in_two_ways_are_refused() {
        for (lines, status) in [
            ("content-length: 1\r\ntransfer-encoding: chunked", 400),
            ("transfer-encoding: chunked\r\ncontent-length: 1", 400),
            ("content-length: 1\r\ncontent-length: 1", 400),
            ("content-length: 1\r\ncontent-length: 2", 400),
            ("content-length: 1, 1", 400),
            ("content-length: +1", 400),
            ("content-length: -1", 400),
            ("content-length: 0x1", 400),
            ("content-length: 1 1", 400),
            ("content-length:", 400),
            ("content-length: 18446744073709551613", 413),
            ("content-length: 18446744073709551615", 413),
            ("content-length: 18446744073709551616", 413),
            ("content-length: 99999999999999999999999999", 413),
            ("transfer-encoding: chunked\r\ntransfer-encoding: chunked", 400),
            ("transfer-encoding: gzip, chunked", 501),
            ("transfer-encoding: chunked, chunked", 501),
            ("transfer-encoding: identity", 501),
            ("transfer-encoding: x", 501),
            ("transfer-encoding:", 501),
            ("x-a: 1\nx-b: 2", 400),
        ] {
            let request = format!("POST / HTTP/1.1\r\nhost: a\r\n{lines}\r\n\r\n");
            let (good, found) = wrong(&format!("{GOOD}{request}")).expect(lines);
            assert_eq!((found.status.as_u16(), good), (status, GOOD.len()), "{lines}");
            assert!(found.is_head, "{lines}");
        }
        assert!(wrong("POST / HTTP/1.0\r\ntransfer-encoding: chunked\r\n\r\n").is_some());
    }

    #[test]
    fn a_chunk_of_a_size_that_no_body_has_is_refused_at_once() {
        for size in ["ffffffffffffffff", "fffffffffffffffff", "100000000", "0100000000"] {
            let head = "POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n";
            let (_, found) = wrong(&format!("{head}{size}")).expect(size);
            assert_eq!((found.status.as_u16(), found.is_head), (400, false), "{size}");
        }
    }

    #[test]
    fn other_protocols_are_left_to_hyper() {
        for bytes in ["PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\n\n\n", &format!("GET /{}\n", "x".repeat(1000))] {
            assert_eq!(wrong(bytes), None, "{bytes:?}");
        }
    }
}
