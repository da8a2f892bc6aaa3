//! Blocking waits on threads that do not belong to the server.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use std::time::Instant;

/// Wakes a thread.
struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Unpark>) {
        self.0.unpark();
    }
}

/// Waits for `future` on any thread, even in an asynchronous test, where Tokio's own blocking waits panic.
pub(crate) fn wait_for<F: Future>(future: F) -> F::Output {
    wait(future, || {
        thread::park();
        true
    })
    .expect("without a time limit the wait ends with a result")
}

/// The same, but only until an instant. `None` if the future is not done by then.
pub(crate) fn wait_until<F: Future>(deadline: Instant, future: F) -> Option<F::Output> {
    wait(future, || {
        let left = deadline.saturating_duration_since(Instant::now());
        thread::park_timeout(left);
        !left.is_zero()
    })
}

/// Polls `future`, and again whenever `park` returns true.
fn wait<F: Future>(future: F, park: impl Fn() -> bool) -> Option<F::Output> {
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut future = pin!(tokio::task::unconstrained(future));
    loop {
        match future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(output) => return Some(output),
            Poll::Pending if park() => {}
            Poll::Pending => return None,
        }
    }
}
