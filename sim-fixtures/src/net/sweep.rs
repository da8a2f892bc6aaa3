//! A sweep of an async client: a future for each run, on the runtime that polls the sweep.

use std::fmt::Debug;
use std::future::Future;
use std::time::Duration;

use sim_core::Simulator;
use sim_core::sweep::Report;
use tokio::time::sleep;

use super::Transport;
use super::polling::{caught, unless};
use crate::scenario::Scene;
use crate::sweep::{OutOfPatience, Run, Sweep};

/// A run counts as hung after this time on tokio's clock.
const LONGEST: Duration = Duration::from_secs(24 * 3600);

/// Runs an async `client` once in a fresh world, then once for each call and each fault, with that fault injected into that
/// call. Each run has a [`Transport`] whose world [follows](Transport::follow_tokio) tokio's clock. Pause that clock, so that
/// nothing waits in real time; then a client that waits for something that never comes is found at once.
///
/// ```
/// # /*
/// #[tokio::test(start_paused = true)]
/// # */
/// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() { a_release_takes_every_fault().await }
/// async fn a_release_takes_every_fault() {
///     let report = sim_fixtures::net::sweep_async(sim_fixtures::scenario::fresh, release).await;
///     assert!(report.is_clean(), "{report}");
/// }
/// # use sim_fixtures::net::Transport;
/// # async fn release(world: Transport) -> Result<(), std::io::Error> {
/// #     for _ in 0..9 {
/// #         let request = http::Request::get("https://api.test/v1/projects").header("authorization", format!("Bearer {}", world.token()));
/// #         let request = request.body(http_body_util::Full::<bytes::Bytes>::default()).unwrap();
/// #         if let Ok(answer) = world.exchange(request).await && answer.status() == 200 && http_body_util::BodyExt::collect(answer.into_body()).await.is_ok_and(|body| body.to_bytes() == "[]") {
/// #             return Ok(());
/// #         }
/// #         tokio::time::sleep(std::time::Duration::from_secs(1)).await;
/// #     }
/// #     Err(std::io::Error::other("no answer"))
/// # }
/// ```
///
/// # Panics
///
/// When the first run fails, or a second run differs from it.
pub async fn sweep_async<S: Into<Scene>, E: Debug, F: Future<Output = Result<(), E>>>(
    world: impl FnOnce() -> S,
    client: impl FnMut(Transport) -> F,
) -> Report {
    Sweep::default().with_latency().run_async(world, client).await
}

impl Sweep {
    /// See [`sweep_async`].
    ///
    /// # Panics
    ///
    /// When the first run fails, a second run differs from it, or a run makes more calls than the journal keeps.
    pub async fn run_async<S: Into<Scene>, E: Debug, F: Future<Output = Result<(), E>>>(
        &self,
        world: impl FnOnce() -> S,
        mut client: impl FnMut(Transport) -> F,
    ) -> Report {
        let Scene { sim: beginning, .. } = world().into();
        let good = run(beginning.fork(), u64::MAX, &mut client).await;
        let course = self.course(&beginning, &good);
        course.check_second(&run(beginning.fork(), u64::MAX, &mut client).await);
        let mut runs = Vec::new();
        for point in &course.points {
            let ended = run(course.harmed(point), course.patience, &mut client).await;
            runs.push(course.verdict(point, ended));
        }
        course.report(runs)
    }
}

/// Runs the client in that world, and ends it after that many calls.
pub(super) async fn run<E: Debug, F: Future<Output = Result<(), E>>>(
    sim: Simulator,
    calls: u64,
    client: &mut impl FnMut(Transport) -> F,
) -> Run {
    let world = Transport::answering(sim, calls).follow_tokio();
    let whole = caught(async { client(world.clone()).await });
    let ended = unless(unless(whole, world.out_of_patience()), sleep(LONGEST)).await.flatten();
    Run::of(world.with(|sim| sim.fork()), ended.unwrap_or_else(|| Err(Box::new(OutOfPatience))))
}
