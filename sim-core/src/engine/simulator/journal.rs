//! What calls left: the journal, the use of the rate limit, fault rules that struck nothing, coverage.

use sim_base::identity;
use sim_base::rate::RateWindow;

use super::Simulator;
use crate::engine::fault;
use crate::engine::journal::coverage::Coverage;
use crate::engine::journal::explain::Explanation;
use crate::engine::journal::search::{CallPage, Filter};
use crate::engine::journal::tokens::Tokens;
use crate::engine::journal::{Call, Onlooker, Origin, hash_text};

impl Simulator {
    /// The calls so far, oldest first, as far back as the policy keeps them.
    pub fn journal(&self) -> Vec<Call> {
        self.journal_from(1, u64::MAX)
    }

    /// At most `limit` calls from number `from` on.
    pub fn journal_from(&self, from: u64, limit: u64) -> Vec<Call> {
        self.journal.read(from, limit, &self.onlooker())
    }

    /// The rolling hash over all calls so far, 32 hex digits.
    pub fn journal_hash(&self) -> String {
        hash_text(self.journal.hash())
    }

    /// How many calls were made, counting those that the journal no longer holds.
    pub fn calls(&self) -> u64 {
        self.journal.calls()
    }

    /// Explains the answer to call `number`. `None` when the journal does not hold the call.
    pub fn explain(&self, number: u64) -> Option<Explanation> {
        Explanation::of(&self.journal, number, &self.onlooker())
    }

    /// At most `limit` of the calls that match `filter`, after the first `offset` of them, oldest first.
    ///
    /// ```
    /// use sim_core::Simulator;
    /// use sim_core::engine::Filter;
    /// use sim_core::management::project::ListProjects;
    ///
    /// let mut sim = Simulator::builder().build();
    /// sim.call(ListProjects {})?;
    /// let filter = Filter { text: Some("list-all".to_owned()), ..Filter::default() };
    /// assert_eq!(sim.search_journal(&filter, 0, 10).total, 1);
    /// # Ok::<(), sim_core::Error>(())
    /// ```
    pub fn search_journal(&self, filter: &Filter, offset: u64, limit: u64) -> CallPage {
        let callers = filter.client.as_deref().map(|name| self.callers_named(name)).unwrap_or_default();
        self.journal.search(filter, offset, limit, &self.onlooker(), &callers)
    }

    /// All names that [`Filter::client`] may have in this world.
    pub fn client_names(&self) -> Vec<String> {
        let sql =
            "SELECT 'nobody' UNION SELECT 'control' UNION SELECT name FROM user UNION SELECT name FROM token
                   UNION SELECT app FROM token WHERE app IS NOT NULL";
        self.read(|db| db.all(sql, (), |row| row.get(0)))
    }

    /// The callers that [`Filter::client`] names: all tokens of a user or an app, or those of that name.
    fn callers_named(&self, client: &str) -> Vec<Origin> {
        match client {
            "nobody" => vec![Origin::Nobody],
            "control" => vec![Origin::Control],
            name => self.read(|db| {
                let sql = "SELECT token.id FROM token JOIN user ON user.id = token.user
                           WHERE ?1 IN (user.name, token.name, app)";
                db.all(sql, (name,), |row| row.get(0).map(Origin::Token))
            }),
        }
    }

    /// How much of the rate limit each caller has used, by user.
    ///
    /// ```
    /// use sim_core::Simulator;
    /// use sim_core::management::project::ListProjects;
    ///
    /// let mut sim = Simulator::builder().build();
    /// sim.call(ListProjects {})?;
    /// let windows = sim.rate_windows();
    /// assert_eq!((windows[0].used, windows[0].remaining), (1, 59));
    /// # Ok::<(), sim_core::Error>(())
    /// ```
    pub fn rate_windows(&self) -> Vec<RateWindow> {
        let (now, limit) = (self.head.now, &self.setup.policy.rate_limit);
        self.store.read(|db| self.windows.shown(db, now, limit))
    }

    /// The fault rules of this world that have applied to no call, each with its service. A test that injects faults
    /// checks at its end that there are none.
    ///
    /// ```
    /// use sim_core::engine::fault::{AddFault, Effect, Fault, On};
    /// use sim_core::management::project::ListProjects;
    /// use sim_core::Simulator;
    ///
    /// let mut sim = Simulator::builder().build();
    /// sim.as_admin().call(AddFault(Fault::new(On::path("/v1/projects"), Effect::status(503))))?;
    /// assert_eq!(sim.unused_faults().len(), 1);
    /// assert!(sim.call(ListProjects {}).is_err());
    /// assert!(sim.unused_faults().is_empty());
    /// # Ok::<(), sim_core::Error>(())
    /// ```
    pub fn unused_faults(&self) -> Vec<(&'static str, fault::FaultStanding)> {
        let mut found = Vec::new();
        for half in self.halves() {
            let service = half.registry.name();
            found.extend(half.store.read(fault::unused).into_iter().map(|rule| (service, rule)));
        }
        found
    }

    /// The decisions about work to come that no work of this world has used, for people to read.
    ///
    /// ```
    /// use sim_core::Simulator;
    /// use sim_core::engine::Outcome;
    /// use sim_core::management::outcome::{SetNextOutcome, Work};
    ///
    /// let mut sim = Simulator::builder().build();
    /// sim.as_admin().call(SetNextOutcome::of(Work::Restore, Outcome::Fail))?;
    /// assert_eq!(sim.unused_decisions(), ["the decision of call 1 that the next restore fails"]);
    /// # Ok::<(), sim_core::Error>(())
    /// ```
    pub fn unused_decisions(&self) -> Vec<String> {
        let unused =
            |half: &Simulator| half.store.read(|db| (half.registry.service.unused)(db, half.head.now));
        self.halves().flat_map(unused).collect()
    }

    /// The coverage of this world's calls, including calls that the journal has dropped.
    pub fn coverage(&self) -> Coverage {
        let mut coverage = Coverage::of(self.journal.tally());
        let tokens = self.tokens();
        for reached in &mut coverage.reached {
            // The reason may contain the name of a field that a caller sent.
            reached.reason = tokens.masked_in_words(&reached.reason).into_owned();
        }
        for ignored in &mut coverage.ignored {
            ignored.name = tokens.masked_in_words(&ignored.name).into_owned();
        }
        coverage.merge(self.beside().map(Simulator::coverage).unwrap_or_default());
        coverage
    }

    pub(super) fn onlooker(&self) -> Onlooker<'_> {
        Onlooker { registry: self.registry, names: &self.setup.names, tokens: self.tokens() }
    }

    /// The tokens of this service.
    pub(super) fn tokens(&self) -> Tokens<'_> {
        let digests = self.store.read(identity::digests);
        Tokens::of(&self.setup.profile, &self.setup.world, move |digest| digests.contains(digest))
    }
}
