//! Replaces `https.rs` without the feature `tls`: https is refused.

use tokio::net::TcpStream;

#[derive(Default)]
pub(crate) struct Https {}

impl Https {
    pub(crate) async fn connect(&self, _: &str, _: TcpStream) -> Result<TcpStream, String> {
        Err("https needs the feature `tls` of sim-http, which this program was built without".to_owned())
    }
}
