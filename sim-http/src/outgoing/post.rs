//! One request to another server: which addresses it may reach, and the answer.
//!
//! A name is resolved once, and the connection goes to the checked address, so the name cannot resolve differently in between.
//! Redirects are not followed. No request reaches a server of this process.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use bytes::Bytes;
use http::header::{CONNECTION, CONTENT_TYPE, HOST, USER_AGENT};
use http::{HeaderMap, HeaderName, HeaderValue, Request, Uri};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;

use super::https::Https;
use super::own::is_own;

/// The time limit for name, connection and answer together.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Bytes of an answer that are read.
const ANSWER_BYTES: usize = 16 << 10;

/// The user agent of messages of worlds.
pub(crate) const POST_AGENT: &str = concat!("stuntdouble/", env!("CARGO_PKG_VERSION"));

const LOOPBACK: [IpAddr; 2] = [IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V6(Ipv6Addr::LOCALHOST)];

/// The result of a POST.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    /// The status, if there was an answer.
    pub(crate) status: Option<u16>,
    /// Its headers, as far as they are text.
    pub(crate) headers: BTreeMap<String, String>,
    /// The body of the answer, or why there was none.
    pub(crate) text: String,
}

impl Answer {
    pub(crate) fn failed(text: &str) -> Answer {
        Answer { status: None, headers: BTreeMap::new(), text: text.to_owned() }
    }
}

/// Bytes of a document that are read.
const DOCUMENT_BYTES: usize = 1 << 20;

/// Posts JSON, and gets documents.
pub(crate) struct Poster {
    /// Whether addresses of other machines may be reached.
    egress: bool,
    https: Https,
}

impl Poster {
    pub(crate) fn new(egress: bool) -> Poster {
        Poster { egress, https: Https::default() }
    }

    /// Posts `body` to `url`, with these headers besides the usual ones.
    pub(crate) async fn post(&self, url: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let answer = tokio::time::timeout(TIMEOUT, self.try_post(url, headers, body)).await;
        match answer {
            Ok(Ok(answer)) => answer,
            Ok(Err(problem)) => Answer::failed(&format!("not posted: {problem}")),
            Err(_) => Answer::failed(&format!("no answer within {} s", TIMEOUT.as_secs())),
        }
    }

    /// The document at `url`, or why there is none.
    pub(crate) async fn get(&self, url: &str) -> Result<String, String> {
        let uri = read(url)?;
        let request = to(&uri, Request::get(target(&uri))).body(Full::default());
        let request = request.map_err(|error| error.to_string())?;
        let answer = tokio::time::timeout(TIMEOUT, self.send(&uri, request, DOCUMENT_BYTES)).await;
        let answer = answer.map_err(|_| format!("no answer within {} s", TIMEOUT.as_secs()))??;
        match answer.status {
            Some(200) if answer.text.len() < DOCUMENT_BYTES => Ok(answer.text),
            Some(200) => Err(format!("the document is longer than {DOCUMENT_BYTES} bytes")),
            status => Err(format!("the answer is {}", status.unwrap_or_default())),
        }
    }

    async fn try_post(&self, url: &str, headers: &[(&str, &str)], body: &str) -> Result<Answer, String> {
        let uri = read(url)?;
        let request = request(&uri, headers, body)?;
        self.send(&uri, request, ANSWER_BYTES).await
    }

    /// Sends the request, and reads at most so many bytes of the answer.
    async fn send(&self, uri: &Uri, request: Request<Full<Bytes>>, most: usize) -> Result<Answer, String> {
        let host = uri.host().ok_or("the address has no host")?.trim_matches(['[', ']']);
        let secure = uri.scheme_str() == Some("https");
        let port = uri.port_u16().unwrap_or(if secure { 443 } else { 80 });
        let stream = connect(&self.resolve(host, port).await?).await?;
        if !secure {
            return exchange(stream, request, most).await;
        }
        exchange(self.https.connect(host, stream).await?, request, most).await
    }

    /// The addresses of `host` that may be reached. Without egress no name is looked up.
    async fn resolve(&self, host: &str, port: u16) -> Result<Vec<SocketAddr>, String> {
        let known = if let Ok(ip) = host.parse::<IpAddr>() {
            vec![ip]
        } else if host.eq_ignore_ascii_case("localhost") || host.to_ascii_lowercase().ends_with(".localhost")
        {
            LOOPBACK.to_vec()
        } else if self.egress {
            let found = tokio::net::lookup_host((host, port)).await.map_err(|error| error.to_string())?;
            found.map(|addr| addr.ip()).collect()
        } else {
            Vec::new()
        };
        let may = |ip: &IpAddr| self.egress || ip.to_canonical().is_loopback();
        let addrs: Vec<_> = known.into_iter().filter(may).map(|ip| SocketAddr::new(ip, port)).collect();
        if addrs.is_empty() {
            return Err(format!(
                "{host} is not on this machine, and only loopback addresses are reached; --allow-egress lets it out"
            ));
        }
        if addrs.iter().any(|addr| is_own(*addr, None)) {
            return Err(own(host));
        }
        Ok(addrs)
    }
}

fn own(host: &str) -> String {
    format!("{host} is this simulator itself, and worlds post to other servers only")
}

fn read(url: &str) -> Result<Uri, String> {
    url.parse().map_err(|_| "the address can't be read".to_owned())
}

fn target(uri: &Uri) -> &str {
    uri.path_and_query().map_or("/", http::uri::PathAndQuery::as_str)
}

/// The request with the usual headers.
fn to(uri: &Uri, request: http::request::Builder) -> http::request::Builder {
    let authority = uri.authority().map_or("", http::uri::Authority::as_str);
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    request.header(HOST, host).header(USER_AGENT, POST_AGENT).header(CONNECTION, "close")
}

fn request(uri: &Uri, headers: &[(&str, &str)], body: &str) -> Result<Request<Full<Bytes>>, String> {
    let request = to(uri, Request::post(target(uri))).header(CONTENT_TYPE, "application/json");
    let request = request.body(Full::new(Bytes::from(body.to_owned())));
    let mut request = request.map_err(|error| error.to_string())?;
    for (name, value) in headers {
        let name = HeaderName::try_from(*name).map_err(|error| error.to_string())?;
        let value = HeaderValue::try_from(*value).map_err(|error| error.to_string())?;
        request.headers_mut().insert(name, value);
    }
    Ok(request)
}

async fn connect(addrs: &[SocketAddr]) -> Result<TcpStream, String> {
    let mut problem = "the name has no address".to_owned();
    for addr in addrs {
        match TcpStream::connect(addr).await {
            Ok(stream) if is_own(*addr, stream.local_addr().ok().map(|from| from.ip())) => {
                return Err(own(&addr.ip().to_string()));
            }
            Ok(stream) => return Ok(stream),
            Err(error) => problem = format!("{addr}: {error}"),
        }
    }
    Err(problem)
}

async fn exchange<S>(stream: S, request: Request<Full<Bytes>>, most: usize) -> Result<Answer, String>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let lost = |error: hyper::Error| format!("no answer, {error}");
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.map_err(lost)?;
    let answer = async {
        let (head, body) = sender.send_request(request).await.map_err(lost)?.into_parts();
        let (status, headers) = (Some(head.status.as_u16()), texts(&head.headers));
        Ok(Answer { status, headers, text: start_of(body, most).await })
    };
    let mut answer = std::pin::pin!(answer);
    tokio::select! {
        answer = &mut answer => answer,
        // The connection may end before the last bytes of the answer are read.
        _ = connection => answer.await,
    }
}

/// Headers of an answer that are kept, and bytes of each.
const HEADERS_MAX: usize = 50;
const HEADER_BYTES: usize = 1000;

fn texts(headers: &HeaderMap) -> BTreeMap<String, String> {
    let text = |value: &HeaderValue| {
        value.to_str().ok().filter(|text| text.len() <= HEADER_BYTES).map(str::to_owned)
    };
    let all = headers.iter().filter_map(|(name, value)| Some((name.to_string(), text(value)?)));
    all.take(HEADERS_MAX).collect()
}

/// The start of the body, even if the body is long or incomplete.
async fn start_of(mut body: Incoming, most: usize) -> String {
    let mut bytes = Vec::new();
    while let Some(Ok(frame)) = body.frame().await {
        bytes.extend_from_slice(frame.data_ref().map_or(&[], |data| data));
        if bytes.len() > most {
            break;
        }
    }
    bytes.truncate(most);
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolved(egress: bool, host: &str) -> Result<Vec<SocketAddr>, String> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(Poster::new(egress).resolve(host, 7))
    }

    #[test]
    fn only_loopback_addresses_are_reached_without_egress() {
        for host in
            ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1", "localhost", "LocalHost", "a.localhost"]
        {
            assert!(resolved(false, host).is_ok(), "{host}");
        }
        for host in [
            "0.0.0.0",
            "::",
            "10.0.0.1",
            "169.254.169.254",
            "hooks.test",
            "localhost.test",
            "127.1",
            "2130706433",
        ] {
            let refused = resolved(false, host).expect_err(host);
            assert!(
                refused.starts_with(host) && refused.ends_with("--allow-egress lets it out"),
                "{refused}"
            );
        }
    }

    #[test]
    fn any_address_is_reached_with_egress() {
        assert_eq!(resolved(true, "192.0.2.1"), Ok(vec![SocketAddr::from(([192, 0, 2, 1], 7))]));
    }
}
