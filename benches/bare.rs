//! A bare hyper server: the best that the shim could reach.

use std::net::SocketAddr;

use bytes::Bytes;
use http_body_util::Full;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;

/// A hyper server that answers every request with this many bytes, head included as exactly as possible.
pub(crate) fn bare_hyper(bytes: usize) -> SocketAddr {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let addr = listener.local_addr().expect("a bound socket has an address");
    listener.set_nonblocking(true).expect("the socket takes options");
    let body = Bytes::from(vec![b'x'; bytes.saturating_sub(120)]);
    std::thread::spawn(move || {
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime starts");
        runtime.block_on(async move {
            let listener = tokio::net::TcpListener::from_std(listener).expect("the listener is valid");
            while let Ok((stream, _)) = listener.accept().await {
                stream.set_nodelay(true).expect("the socket takes options");
                let body = body.clone();
                let answer = service_fn(move |_| {
                    let body = body.clone();
                    async move { Ok::<_, std::convert::Infallible>(hyper::Response::new(Full::new(body))) }
                });
                tokio::spawn(async move {
                    let http1 = hyper::server::conn::http1::Builder::new();
                    // A connection that ends with an error concerns only its client.
                    let _ = http1.serve_connection(TokioIo::new(stream), answer).await;
                });
            }
        });
    });
    addr
}
