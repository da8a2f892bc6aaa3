//! A middleware of `reqwest` that answers in the place of the network.

use std::future::pending;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::Extensions;
use reqwest::{Body, Request, Response, ResponseBuilderExt as _};
use reqwest_middleware::{ClientBuilder, ClientWithMiddleware, Error, Middleware, Next, Result};
use tokio::time::sleep;

use super::Transport;
use super::polling::unless;

impl Transport {
    /// A client of `reqwest` whose requests all go to this world. To add middlewares of your own, pass the transport to
    /// `ClientBuilder::with` as the last one.
    ///
    /// ```
    /// use sim_core::Simulator;
    /// use sim_fixtures::net::Transport;
    ///
    /// # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
    /// let world = Transport::new(Simulator::builder().build());
    /// let listed = world.reqwest().get("https://api.test/v1/projects").bearer_auth(world.token()).send().await?;
    /// assert_eq!(listed.text().await?, "[]");
    /// # Ok::<(), reqwest_middleware::Error>(())
    /// # }).unwrap();
    /// ```
    pub fn reqwest(&self) -> ClientWithMiddleware {
        ClientBuilder::new(reqwest::Client::new()).with(self.clone()).build()
    }

    /// Ends each request through `reqwest` with a timeout after this time, unless the request has a timeout of its own. It
    /// replaces the `timeout` of reqwest's client builder, which a middleware can't read.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Transport {
        self.timeout = Some(timeout);
        self
    }
}

#[async_trait::async_trait]
impl Middleware for Transport {
    /// Resets and timeouts are a [`reqwest::Error`] with the [`io::Error`] as its source, so `is_timeout` holds.
    async fn handle(&self, request: Request, _: &mut Extensions, _: Next<'_>) -> Result<Response> {
        let url = request.url().clone();
        let timeout = request.timeout().copied().or(self.timeout);
        let mut timer = timeout.map(|timeout| Box::pin(sleep(timeout)));
        let request: http::Request<Body> = request.try_into()?;
        let delivered = match timer.as_mut() {
            Some(timer) => unless(self.exchange(request), timer).await,
            None => unless(self.exchange(request), pending::<()>()).await,
        };
        match delivered.unwrap_or_else(|| Err(io::ErrorKind::TimedOut.into())) {
            Ok(response) => {
                let (mut parts, body) = response.into_parts();
                let with_url = http::Response::builder().url(url).body(()).map_err(Error::middleware)?;
                parts.extensions.extend(with_url.into_parts().0.extensions);
                Ok(http::Response::from_parts(parts, Body::wrap(body.until(timer))).into())
            }
            Err(error) => Err(as_reqwest(error).await),
        }
    }
}

/// An error of `reqwest`. It has no constructor, so this one is of a response whose body can't be read.
async fn as_reqwest(error: io::Error) -> Error {
    let unreadable = http::Response::new(Body::wrap(Failing(Some(error))));
    match Response::from(unreadable).bytes().await {
        Err(error) => Error::Reqwest(error),
        Ok(_) => unreachable!("the body fails"),
    }
}

/// A body that fails.
struct Failing(Option<io::Error>);

impl http_body::Body for Failing {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<io::Result<http_body::Frame<Bytes>>>> {
        Poll::Ready(self.0.take().map(Err))
    }
}
