//! TLS with the server's own authority.

use std::io;
use std::sync::Arc;

use hyper_util::rt::TokioIo;
use sim_core::{Policy, Simulator};
use sim_http::Server;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use crate::wire::two;

fn secure() -> Server {
    let policy = Policy { require_https: true, ..Policy::default() };
    let server = Server::builder().tls(true).spawn(Simulator::builder().policy(policy).build());
    server.expect("a port is to be had")
}

fn block_on<T>(what: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(what)
}

/// A connection of a client that trusts `ca_pem` and calls the server `name`.
async fn handshake(
    server: &Server,
    ca_pem: &str,
    name: &str,
    protocol: &str,
) -> io::Result<TlsStream<TcpStream>> {
    let mut trusted = RootCertStore::empty();
    trusted
        .add(CertificateDer::from_pem_slice(ca_pem.as_bytes()).expect("a certificate"))
        .expect("an authority");
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let config = config.with_safe_default_protocol_versions().expect("TLS 1.2 and 1.3");
    let mut config = config.with_root_certificates(trusted).with_no_client_auth();
    config.alpn_protocols = vec![protocol.as_bytes().to_vec()];
    let stream = TcpStream::connect(server.addr()).await?;
    let name = ServerName::try_from(name.to_owned()).expect("a name");
    TlsConnector::from(Arc::new(config)).connect(name, stream).await
}

#[test]
fn clients_that_trust_the_authority_are_served() {
    let server = secure();
    let ca = server.ca_pem().expect("it speaks TLS");
    for name in ["localhost", "127.0.0.1", "::1"] {
        let answer = block_on(async {
            let mut stream = handshake(&server, ca, name, "http/1.1").await.expect(name);
            let token = server.token();
            let request = format!(
                "GET /v1/projects HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {token}\r\nconnection: close\r\n\r\n"
            );
            stream.write_all(request.as_bytes()).await.expect("it reads");
            let mut answer = String::new();
            stream.read_to_string(&mut answer).await.expect("it closes as TLS should");
            answer
        });
        assert!(answer.starts_with("HTTP/1.1 200 OK"), "{name} {answer}");
    }
}

#[test]
fn http_2_is_negotiated() {
    let server = secure();
    let (status, _) = block_on(async {
        let ca = server.ca_pem().expect("it speaks TLS");
        let stream = handshake(&server, ca, "localhost", "h2").await.expect("they agree");
        assert_eq!(stream.get_ref().1.alpn_protocol(), Some(&b"h2"[..]));
        two(TokioIo::new(stream), "https").await
    });
    assert_eq!(status, 200);
}

#[test]
fn a_name_given_is_in_the_certificate() {
    let builder = Server::builder().tls(true).host("platform.test");
    let server = builder.spawn(Simulator::builder().build()).expect("a port is to be had");
    assert!(server.url().starts_with("https://platform.test:"), "{}", server.url());
    let ca = server.ca_pem().expect("it speaks TLS");
    assert!(block_on(handshake(&server, ca, "platform.test", "h2")).is_ok());
    assert!(block_on(handshake(&server, ca, "elsewhere.test", "h2")).is_err());
}

#[test]
fn another_servers_authority_is_not_trusted() {
    let (server, other) = (secure(), secure());
    let ca = other.ca_pem().expect("it speaks TLS");
    assert!(block_on(handshake(&server, ca, "localhost", "h2")).is_err());
}

#[test]
fn plain_http_on_a_tls_port_affects_no_others() {
    let server = secure();
    crate::client::send_all_there_is(server.addr(), b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n");
    let ca = server.ca_pem().expect("it speaks TLS");
    assert!(block_on(handshake(&server, ca, "localhost", "h2")).is_ok());
}
