//! The management API under `/v1`, ready to run.

use std::collections::BTreeMap;
use std::sync::LazyLock;

pub use sim_management::*;

use crate::Simulator;
use crate::engine::{Error, Registry};
use v2::webhooks::posting::{self, AnswerPost, Post};

/// The service, compiled on first use.
pub fn registry() -> &'static Registry {
    static REGISTRY: LazyLock<Registry> = LazyLock::new(|| Registry::new(&SERVICE));
    &REGISTRY
}

/// For programs that post what webhooks deliver. That a post was taken is part of the world, so a fork or a restored snapshot
/// does not give it out again.
impl Simulator {
    /// Takes the posts to endpoints of webhooks that were not taken before, oldest first.
    pub fn take_webhook_posts(&mut self) -> Vec<Post> {
        let sim = self.half(is_ours);
        if !is_ours(sim) || !sim.read(posting::has_waiting) {
            return Vec::new();
        }
        sim.aside(posting::take)
    }

    /// Reports the answer to a post, with [`AnswerPost`]. Does nothing if the world was restored meanwhile, or the endpoint
    /// was deleted, and nobody waits for an answer any more.
    pub fn answer_webhook_post(
        &mut self,
        post: &Post,
        status: Option<u16>,
        headers: BTreeMap<String, String>,
        answer: &str,
    ) -> Result<(), Error> {
        let sim = self.half(is_ours);
        if !is_ours(sim) || !sim.read(|db| posting::is_pending(db, &post.id)) {
            return Ok(());
        }
        let (id, headers, answer) = (post.id.clone(), Some(headers), answer.to_owned());
        self.as_admin().call(AnswerPost { id, status, headers, answer }).map(drop)
    }
}

fn is_ours(sim: &Simulator) -> bool {
    // By name, because a service with operations of an embedder is a copy.
    sim.registry().service.name == SERVICE.name
}
