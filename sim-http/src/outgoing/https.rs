//! TLS to other servers, with the certificate authorities that this machine trusts, or those of `SSL_CERT_FILE`.

use std::sync::{Arc, OnceLock};

use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

/// Makes TLS connections.
#[derive(Default)]
pub(crate) struct Https {
    /// Created on first use, because reading the authorities takes a while.
    connector: OnceLock<Result<TlsConnector, String>>,
}

impl Https {
    /// Makes the handshake with `host` over `stream`.
    pub(crate) async fn connect(
        &self,
        host: &str,
        stream: TcpStream,
    ) -> Result<TlsStream<TcpStream>, String> {
        let name = ServerName::try_from(host.to_owned()).map_err(|error| error.to_string())?;
        let connector = self.connector.get_or_init(connector).as_ref().map_err(Clone::clone)?;
        connector.connect(name, stream).await.map_err(|error| error.to_string())
    }
}

fn connector() -> Result<TlsConnector, String> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?;
    let config = config.with_root_certificates(roots).with_no_client_auth();
    Ok(TlsConnector::from(Arc::new(config)))
}
