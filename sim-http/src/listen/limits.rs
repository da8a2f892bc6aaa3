//! Limits on bytes, connections and time.

use std::time::Duration;

/// Limits for clients, so that one client cannot harm the others.
///
/// The largest body is part of the simulated behaviour: [`Policy::max_body_bytes`](sim_core::Policy).
///
/// ```
/// use std::time::Duration;
/// use sim_http::Limits;
///
/// let strict = Limits { connections: 10, body_timeout: Duration::from_secs(1), ..Limits::default() };
/// assert_eq!(strict.header_bytes, 64 << 10);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Largest request line with all headers, in bytes, at least 8192; beyond it 431. Default 64 KiB.
    pub header_bytes: usize,
    /// Most headers in a request; beyond it 431. Default 100.
    pub headers: usize,
    /// Most connections at a time; further ones are answered with 503 and closed. Default 1000.
    pub connections: usize,
    /// Longest time from the opening of a connection, or the end of the last answer, to the end of the next request's
    /// headers. Then the connection is closed, after a 408 if some of the headers arrived. Default 30 s.
    pub header_timeout: Duration,
    /// Longest time for a request's body to arrive; then 408. Default 30 s.
    pub body_timeout: Duration,
    /// Longest time in which a client reads nothing of its answer; then the connection is closed. Default 30 s.
    pub write_timeout: Duration,
    /// Most bytes of answers that wait to be sent, of all connections. Beyond it calls are answered with 503, and clients that
    /// have read nothing for a second lose their connection. Default 512 MiB.
    pub unsent_bytes: usize,
    /// Most bytes of requests that arrive or wait for their answers, of all connections, with the statements and values that
    /// clients of databases keep in their sessions. Beyond it requests are answered with 503 (databases: 53200); those of at most
    /// 64 KiB have as much room again. Default 256 MiB.
    pub request_bytes: usize,
    /// Longest time of a call to a simulated service; then its SQL ends with 57014 and the call is undone. Such a call depends on
    /// time, and a replay may not repeat it. Default none: calls end by the work that they do, which is counted.
    pub call_time: Option<Duration>,
    /// How long a stopping server waits for running requests. Default 1 s.
    pub grace: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            header_bytes: 64 << 10,
            headers: 100,
            connections: 1000,
            header_timeout: Duration::from_secs(30),
            body_timeout: Duration::from_secs(30),
            write_timeout: Duration::from_secs(30),
            unsent_bytes: 512 << 20,
            request_bytes: 256 << 20,
            call_time: None,
            grace: Duration::from_secs(1),
        }
    }
}
