//! A world in the place of a connection.

use std::error::Error;
use std::future::{Future, pending};
use std::io;
use std::ops::{Deref, DerefMut};
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::thread::{self, ThreadId};
use std::time::Duration;

use http::{Request, Response};
use http_body::Body;
use http_body_util::BodyExt as _;
use sim_core::Simulator;
use tokio::sync::Notify;
use tokio::time::Instant;

use super::delivery::{Delivered, deliver};

/// A world that answers the requests of async clients, whatever their host is. A clone is a second handle on the same world.
///
/// An answer is delivered as the fault rule of its call says: late and slow in tokio's time, reset and torn as an
/// [`io::Error`]. It is a `tower` service; with the feature `reqwest` also a middleware of `reqwest`.
///
/// ```
/// use bytes::Bytes;
/// use http::Request;
/// use http_body_util::Full;
/// use sim_core::Simulator;
/// use sim_core::engine::fault::{AddFault, Effect, Fault, On};
/// use sim_fixtures::net::Transport;
///
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let world = Transport::new(Simulator::builder().token("secret").build());
/// let list = || {
///     let request = Request::get("https://api.test/v1/projects").header("authorization", "Bearer secret");
///     request.body(Full::<Bytes>::default()).expect("a request")
/// };
/// assert_eq!(world.exchange(list()).await?.status(), 200);
///
/// world.with(|sim| sim.as_admin().call(AddFault(Fault::new(On::path("*"), Effect::Reset))).map(drop)).expect("a rule");
/// assert_eq!(world.exchange(list()).await.err().map(|error| error.kind()), Some(std::io::ErrorKind::ConnectionReset));
/// assert_eq!(world.with(|sim| sim.calls()), 3);
/// # Ok::<(), std::io::Error>(())
/// # }).unwrap();
/// ```
#[derive(Clone)]
pub struct Transport {
    inner: Arc<Inner>,
    /// How long a client of `reqwest` waits for a whole answer.
    #[cfg(feature = "reqwest")]
    pub(super) timeout: Option<Duration>,
}

struct Inner {
    world: Mutex<World>,
    /// The thread that has locked the world.
    holder: Mutex<Option<ThreadId>>,
    /// How many more calls are answered.
    left: AtomicU64,
    /// A call came after that.
    is_out: Notify,
}

struct World {
    sim: Simulator,
    /// The instant of tokio's clock at which the world's clock was last set by it.
    seen: Option<Instant>,
}

impl Transport {
    /// A transport to `sim`, whose clock is paused.
    pub fn new(sim: Simulator) -> Transport {
        Transport::answering(sim, u64::MAX)
    }

    /// The same, but after this many calls no answer comes.
    pub(super) fn answering(sim: Simulator, calls: u64) -> Transport {
        let inner = Inner {
            world: Mutex::new(World { sim, seen: None }),
            holder: Mutex::default(),
            left: AtomicU64::new(calls),
            is_out: Notify::new(),
        };
        Transport {
            inner: Arc::new(inner),
            #[cfg(feature = "reqwest")]
            timeout: None,
        }
    }

    /// Ties the world's clock to tokio's, from now on: what goes by on tokio's clock goes by in the world before its next
    /// call. With tokio's clock paused, a client that sleeps for a minute takes a minute of the world and no real time.
    /// The other direction is not tied: [`Simulator::advance`] moves the world alone.
    ///
    /// ```
    /// use std::time::Duration;
    /// use sim_core::Simulator;
    /// use sim_fixtures::net::Transport;
    ///
    /// # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
    /// let world = Transport::new(Simulator::builder().build()).follow_tokio();
    /// let start = world.with(|sim| sim.now());
    /// tokio::time::sleep(Duration::from_millis(5)).await;
    /// assert!(world.with(|sim| sim.now().duration_since(start).as_millis()) >= 5);
    /// # });
    /// ```
    #[must_use]
    pub fn follow_tokio(self) -> Transport {
        self.lock().world.seen = Some(Instant::now());
        self
    }

    /// Reads the world, or changes it: advances its clock, adds fault rules, forks it. The closure can't await anything, so no
    /// call waits for a world that its own task has locked.
    ///
    /// # Panics
    ///
    /// When called inside another `with` on the same world, which would wait for itself for ever.
    pub fn with<T>(&self, look: impl FnOnce(&mut Simulator) -> T) -> T {
        look(&mut self.lock())
    }

    /// The token of the world's first user.
    pub fn token(&self) -> String {
        self.with(|sim| sim.token().to_owned())
    }

    /// Answers a request, and delivers the answer.
    ///
    /// # Errors
    ///
    /// When a fault rule resets the connection, or the body of the request can't be read.
    pub async fn exchange<B>(&self, request: Request<B>) -> io::Result<Response<Delivered>>
    where
        B: Body,
        B::Error: Into<Box<dyn Error + Send + Sync>>,
    {
        let (parts, body) = request.into_parts();
        let body = body.collect().await.map_err(io::Error::other)?.to_bytes();
        if !self.may_answer() {
            self.inner.is_out.notify_one();
            pending::<()>().await;
        }
        let response = self.with(|sim| sim.handle(&Request::from_parts(parts, body)));
        deliver(response).await
    }

    fn may_answer(&self) -> bool {
        let take = |left: u64| left.checked_sub(1);
        self.inner.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).is_ok()
    }

    /// Ends when a call came after those that are answered.
    pub(super) async fn out_of_patience(&self) {
        self.inner.is_out.notified().await;
    }

    fn lock(&self) -> Locked<'_> {
        let this = thread::current().id();
        let holder = *self.inner.holder.lock().unwrap_or_else(PoisonError::into_inner);
        assert!(
            holder != Some(this),
            "Transport::with: called, or a request made, inside another `with` of the same world; end that one first"
        );
        let world = self.inner.world.lock().unwrap_or_else(PoisonError::into_inner);
        let mut locked = Locked { world, holder: &self.inner.holder };
        locked.hold(Some(this));
        locked.catch_up();
        locked
    }
}

/// The world while it is locked.
struct Locked<'t> {
    world: MutexGuard<'t, World>,
    holder: &'t Mutex<Option<ThreadId>>,
}

impl Locked<'_> {
    fn hold(&self, by: Option<ThreadId>) {
        *self.holder.lock().unwrap_or_else(PoisonError::into_inner) = by;
    }

    /// Moves the world's clock as far as tokio's has moved.
    fn catch_up(&mut self) {
        let World { sim, seen } = &mut *self.world;
        let Some(seen) = seen else { return };
        let elapsed = seen.elapsed();
        if elapsed > Duration::ZERO {
            *seen += elapsed;
            sim.advance(elapsed);
        }
    }
}

impl Drop for Locked<'_> {
    fn drop(&mut self) {
        self.hold(None);
    }
}

impl Deref for Locked<'_> {
    type Target = Simulator;

    fn deref(&self) -> &Simulator {
        &self.world.sim
    }
}

impl DerefMut for Locked<'_> {
    fn deref_mut(&mut self) -> &mut Simulator {
        &mut self.world.sim
    }
}

impl<B> tower_service::Service<Request<B>> for Transport
where
    B: Body<Data: Send> + Send + 'static,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    type Response = Response<Delivered>;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Response<Delivered>>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let this = self.clone();
        Box::pin(async move { this.exchange(request).await })
    }
}
