//! How an async client uses the rate limit, and what it does when it is told to wait.

use std::fmt::{self, Debug};
use std::future::Future;

use sim_core::RateLimit;
use sim_core::engine::fault::{AddFault, Effect, Fault, On};
use sim_core::lens::{Lens, Reaction, reaction};
use sim_core::sweep::Ending;

use super::Transport;
use super::sweep::run;
use crate::scenario::Scene;

/// How long the client is told to wait.
const WAIT_S: u64 = 30;
/// A limit under which only the fault rule blocks a caller.
const NEVER: RateLimit = RateLimit::of(u32::MAX, 1);

/// How a client uses the rate limit, and how it reacts to a 429.
#[derive(Clone, Debug)]
pub struct LensReport {
    /// The calls of a run without a limit, and forecasts.
    pub lens: Lens,
    /// The call that was refused in a second run, from 1.
    pub refused: u32,
    /// What the client did then; `None` if it did not make that call.
    pub reaction: Option<Reaction>,
    /// How that run ended, with the client's error.
    pub ending: (Ending, Option<String>),
}

impl LensReport {
    /// Whether the client waited as long as it was told to, and did its work.
    pub fn is_good(&self) -> bool {
        self.reaction == Some(Reaction::Waits) && self.ending.0 == Ending::Exit(0)
    }
}

impl fmt::Display for LensReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LensReport { lens, refused, reaction, ending } = self;
        writeln!(f, "{lens}\n")?;
        write!(f, "Told at call {refused} to wait for {WAIT_S} s, ")?;
        match reaction {
            Some(reaction) => write!(f, "{reaction}")?,
            None => f.write_str("it does not make that call")?,
        }
        match ending {
            (Ending::Exit(0), _) => f.write_str(" and succeeds."),
            (ending, error) => {
                write!(f, " and ends with {ending:?}: {}", error.as_deref().unwrap_or("no error"))
            }
        }
    }
}

/// Runs an async `client` twice: without a limit, to count its calls; then with a 429 in the middle of them, to see what it
/// does. `world` makes a world with a rate limit. The world follows tokio's clock; pause it, so that nothing waits.
///
/// # Panics
///
/// When the first run fails.
pub async fn lens_async<S: Into<Scene>, E: Debug, F: Future<Output = Result<(), E>>>(
    world: impl Fn(RateLimit) -> S,
    runners: &[u32],
    mut client: impl FnMut(Transport) -> F,
) -> LensReport {
    let Scene { sim: unlimited, .. } = world(RateLimit::off()).into();
    let before = unlimited.calls();
    let good = run(unlimited, u64::MAX, &mut client).await;
    let failed = good.error.as_deref().unwrap_or_default();
    assert_eq!(good.ending, Ending::Exit(0), "the client does its work where nothing is wrong: {failed}");
    let lens = Lens::of(&good.world.journal_from(before + 1, u64::MAX), &RateLimit::default(), runners);

    let refused = u32::try_from(lens.calls.div_ceil(2)).unwrap_or(u32::MAX).max(1);
    let Scene { sim: mut limited, .. } = world(NEVER).into();
    let rule = Fault::new(On::path("*"), Effect::RateLimit { seconds: WAIT_S }).from_nth(refused);
    limited.as_admin().call(AddFault(rule)).expect("the rule is valid");
    let most = crate::sweep::LEAST + crate::sweep::PATIENCE * lens.calls as u64;
    let again = run(limited, most, &mut client).await;
    LensReport {
        lens,
        refused,
        reaction: reaction(&again.world.journal()),
        ending: (again.ending, again.error),
    }
}
