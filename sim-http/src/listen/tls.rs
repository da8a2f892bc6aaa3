//! TLS with a certificate made at start. An authority made at start signs it; clients trust the file of that authority.

use std::io;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use rcgen::{
    BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair,
    KeyUsagePurpose,
};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;
use tokio_rustls::server::TlsStream;

use super::drain::Abort;
use crate::executor::Socket;

/// Names that every certificate is valid for.
const NAMES: [&str; 3] = ["localhost", "127.0.0.1", "::1"];

/// Some clients refuse certificates that are valid for longer.
const VALID_FOR: Duration = Duration::from_secs(397 * 24 * 60 * 60);

/// The clock of a client may be slow by this much.
const BACKDATED: Duration = Duration::from_secs(24 * 60 * 60);

/// The server's side of TLS.
pub(crate) struct Tls {
    acceptor: TlsAcceptor,
    /// The same for PostgreSQL's protocol.
    #[cfg(feature = "postgres")]
    postgres: TlsAcceptor,
    /// The authority's certificate, as PEM.
    ca_pem: String,
}

impl Tls {
    /// Makes authority and certificate, the latter for [`NAMES`], `host` and `others`.
    pub(crate) fn new(host: &str, others: &[String]) -> io::Result<Tls> {
        let (ca_pem, certificate, key) = certify(host, others).map_err(io::Error::other)?;
        let builder = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(io::Error::other)?;
        let mut config = builder
            .with_no_client_auth()
            .with_single_cert(
                vec![certificate.der().clone()],
                PrivateKeyDer::Pkcs8(key.serialize_der().into()),
            )
            .map_err(io::Error::other)?;
        #[cfg(feature = "postgres")]
        let postgres = {
            let mut config = config.clone();
            config.alpn_protocols.push(b"postgresql".to_vec());
            TlsAcceptor::from(Arc::new(config))
        };
        #[cfg(feature = "http2")]
        config.alpn_protocols.push(b"h2".to_vec());
        config.alpn_protocols.push(b"http/1.1".to_vec());
        Ok(Tls {
            acceptor: TlsAcceptor::from(Arc::new(config)),
            #[cfg(feature = "postgres")]
            postgres,
            ca_pem,
        })
    }

    /// The authority's certificate, as PEM.
    pub(crate) fn ca_pem(&self) -> &str {
        &self.ca_pem
    }

    /// Makes the handshake with a client.
    pub(crate) async fn accept(&self, stream: Socket) -> io::Result<TlsStream<Socket>> {
        self.acceptor.accept(stream).await
    }

    /// The same with a client of PostgreSQL's protocol.
    #[cfg(feature = "postgres")]
    pub(crate) async fn accept_postgres(&self, stream: Socket) -> io::Result<TlsStream<Socket>> {
        self.postgres.accept(stream).await
    }

    /// The name by which a client has asked for the server.
    #[cfg(feature = "postgres")]
    pub(crate) fn asked_name(stream: &TlsStream<Socket>) -> Option<String> {
        stream.get_ref().1.server_name().map(str::to_owned)
    }
}

impl Abort for TlsStream<Socket> {
    fn abort(&self) {
        self.get_ref().0.abort();
    }
}

fn certify(host: &str, others: &[String]) -> Result<(String, rcgen::Certificate, KeyPair), rcgen::Error> {
    let mut authority = with_validity(CertificateParams::new(Vec::new())?);
    authority.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    authority.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    authority.distinguished_name.push(DnType::CommonName, "Stuntdouble authority of this run");
    let authority_key = KeyPair::generate()?;
    let ca_pem = authority.self_signed(&authority_key)?.pem();

    let mut names: Vec<String> = NAMES.map(str::to_owned).to_vec();
    for name in std::iter::once(host).chain(others.iter().map(String::as_str)) {
        if !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }
    let mut server = with_validity(CertificateParams::new(names)?);
    server.distinguished_name.push(DnType::CommonName, "Stuntdouble");
    server.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    server.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    server.use_authority_key_identifier_extension = true;
    let key = KeyPair::generate()?;
    let certificate = server.signed_by(&key, &Issuer::new(authority, authority_key))?;
    Ok((ca_pem, certificate, key))
}

fn with_validity(mut params: CertificateParams) -> CertificateParams {
    let now = SystemTime::now();
    params.not_before = (now - BACKDATED).into();
    params.not_after = (now + VALID_FOR - BACKDATED).into();
    params
}
