//! The client under test as the trial sees it: one that waits, or one that does not.

use std::any::Any;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use sim_core::Simulator;

use super::{Client, Seen, Wanted};
#[cfg(feature = "async")]
use crate::net::{Transport, caught};
use crate::sweep::text_of_panic;

/// A client in its world.
pub(super) trait Subject {
    fn begin(world: Simulator) -> Self;

    /// Makes the call; describes a panic.
    async fn perform(&mut self, wanted: &Wanted) -> Result<Seen, String>;

    fn look(&mut self, look: &mut dyn FnMut(&mut Simulator));
}

/// A client that never waits for a future.
pub(super) struct Waitless<C>(C);

impl<C: Client> Subject for Waitless<C> {
    fn begin(world: Simulator) -> Waitless<C> {
        Waitless(C::begin(world))
    }

    async fn perform(&mut self, wanted: &Wanted) -> Result<Seen, String> {
        catch_unwind(AssertUnwindSafe(|| self.0.perform(wanted))).map_err(panicked)
    }

    fn look(&mut self, look: &mut dyn FnMut(&mut Simulator)) {
        self.0.look(look);
    }
}

fn panicked(why: Box<dyn Any + Send>) -> String {
    format!("the client panicked: {}", text_of_panic(&*why).unwrap_or_default())
}

/// The output of a future that never waits.
pub(super) fn at_once<F: Future>(future: F) -> F::Output {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => unreachable!("a client without futures waits for none"),
    }
}

/// An async client under test. Its world is behind a [`Transport`] that follows tokio's clock, so a client that sleeps moves
/// the world's clock.
#[cfg(feature = "async")]
pub trait AsyncClient: Sized {
    /// Starts with `world` in the place of the network.
    fn begin(world: Transport) -> Self;

    /// Makes the call and reports its result.
    fn perform(&mut self, wanted: &Wanted) -> impl Future<Output = Seen>;
}

/// An async client and its world.
#[cfg(feature = "async")]
pub(super) struct Waiting<C> {
    client: C,
    world: Transport,
}

#[cfg(feature = "async")]
impl<C: AsyncClient> Subject for Waiting<C> {
    fn begin(world: Simulator) -> Waiting<C> {
        let world = Transport::new(world).follow_tokio();
        Waiting { client: C::begin(world.clone()), world }
    }

    async fn perform(&mut self, wanted: &Wanted) -> Result<Seen, String> {
        caught(self.client.perform(wanted)).await.map_err(panicked)
    }

    fn look(&mut self, look: &mut dyn FnMut(&mut Simulator)) {
        self.world.with(|sim| look(sim));
    }
}
