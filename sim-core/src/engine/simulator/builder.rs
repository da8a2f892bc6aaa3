//! Building a world: seed, start, policy, profile, users and organizations.

use std::collections::BTreeSet;
use std::sync::Arc;

use sim_base::Interrupt;
use sim_base::error::Error;
use sim_base::event_server::EventServer;
use sim_base::fetch::{self, Fetched, Fetcher};
use sim_base::near;
use sim_base::policy::Policy;
use sim_base::profile::Profile;
use sim_base::rng::hex;
use sim_base::server::DatabaseServer;
use sim_base::signer::Signer;
use sim_base::time::{Timestamp, whole_micros};
use sim_base::world::World;

use super::Simulator;
use super::beside::{Begin, Beside, Listener};
use crate::engine::service::names::Names;
use crate::engine::service::registry::Registry;
use crate::engine::service::settings;
use crate::engine::service::setup::Setup;

/// The default start of a world: 2026-01-01T00:00:00Z.
const START: Timestamp = Timestamp::constant(1_767_225_600, 0);

/// Builds a world.
pub struct Builder {
    registry: &'static Registry,
    seed: u64,
    token_secret: Option<String>,
    start: Timestamp,
    policy: Policy,
    profile: Profile,
    /// Whether one of these two was given. The defaults need no check.
    is_given: bool,
    world: World,
    fetcher: Option<Fetcher>,
    recorded: fetch::Recorded,
    server: Option<Arc<dyn DatabaseServer>>,
    events: Option<Arc<dyn EventServer>>,
    signer: Option<Signer>,
    beside: Option<Begin>,
    listener: Option<Listener>,
    first: Option<First>,
}

/// Work done in a new world before it is handed out.
pub(crate) type First = Box<dyn FnOnce(&mut Simulator) -> Result<(), Error> + Send>;

impl Builder {
    /// Builds a world of the service in `registry`, with every default.
    pub fn new(registry: &'static Registry) -> Builder {
        Builder {
            registry,
            seed: 0,
            token_secret: None,
            start: START,
            policy: Policy::default(),
            profile: Profile::default(),
            is_given: false,
            world: World::default(),
            fetcher: None,
            recorded: fetch::Recorded::new(),
            server: None,
            events: None,
            signer: None,
            beside: None,
            listener: None,
            first: None,
        }
    }

    /// Sets the seed of all random values. Default 0.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Builder {
        self.seed = seed;
        self
    }

    /// Sets a secret from which the tokens of users without given tokens are derived, together with the seed and the name.
    /// Without it anybody who knows the seed and the name can compute these tokens. Nothing else depends on the secret.
    ///
    /// ```
    /// use sim_core::Simulator;
    ///
    /// let token = |secret| Simulator::builder().token_secret(secret).build().token().to_owned();
    /// assert_eq!(token("a"), token("a"));
    /// assert_ne!(token("a"), token("b"));
    /// ```
    #[must_use]
    pub fn token_secret(mut self, secret: &str) -> Builder {
        self.token_secret = Some(secret.to_owned());
        self
    }

    /// Sets the time at which the world begins. Default 2026-01-01T00:00:00Z.
    #[must_use]
    pub fn start(mut self, start: Timestamp) -> Builder {
        self.start = start;
        self
    }

    /// Sets the policy: how the world behaves.
    #[must_use]
    pub fn policy(mut self, policy: Policy) -> Builder {
        (self.policy, self.is_given) = (policy, true);
        self
    }

    /// Sets the profile: the names that the world uses.
    #[must_use]
    pub fn profile(mut self, profile: Profile) -> Builder {
        (self.profile, self.is_given) = (profile, true);
        self
    }

    /// Sets the users and organizations.
    #[must_use]
    pub fn world(mut self, world: World) -> Builder {
        self.world = world;
        self
    }

    /// Sets how operations fetch a document from an address. So far this is used for SAML metadata. Without a fetcher
    /// these operations refuse.
    ///
    /// The fetcher is called once for each call that needs it. Its answer is stored in the world, so a replay needs
    /// no fetcher.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use sim_core::Simulator;
    ///
    /// let shelf = |url: &str| match url {
    ///     "https://idp.example/metadata" => Ok(r#"<EntityDescriptor entityID="https://idp.example"/>"#.to_owned()),
    ///     _ => Err("404 Not Found".to_owned()),
    /// };
    /// let sim = Simulator::builder().metadata_fetcher(Arc::new(shelf)).build();
    /// # drop(sim);
    /// ```
    #[must_use]
    pub fn metadata_fetcher(mut self, fetcher: Fetcher) -> Builder {
        self.fetcher = Some(fetcher);
        self
    }

    /// Stores the projects' databases on `server` instead of the embedded engine, for example on a PostgreSQL server
    /// from `sim-http`.
    #[must_use]
    pub fn database_server(mut self, server: Arc<dyn DatabaseServer>) -> Builder {
        self.server = Some(server);
        self
    }

    /// Stores the analytics server's events on `server` instead of the embedded backend, for example on a PostgreSQL
    /// server from `sim-http`.
    #[must_use]
    pub fn event_server(mut self, server: Arc<dyn EventServer>) -> Builder {
        self.events = Some(server);
        self
    }

    /// Sets the signer of the tokens in requests to the modelled warehouse. It signs with the key of the service
    /// account. Without a signer the tokens are not signed, and say so.
    #[must_use]
    pub fn warehouse_signer(mut self, signer: Signer) -> Builder {
        self.signer = Some(signer);
        self
    }

    /// Adds a second service, made by `begin`. It has the same clock, seed and profile, and it stores the events.
    #[cfg(feature = "analytics")]
    pub(crate) fn beside(mut self, begin: Begin) -> Builder {
        self.beside = Some(begin);
        self
    }

    /// Runs `first` in the new world before it is handed out.
    #[cfg(feature = "management")]
    pub(crate) fn doing_first(mut self, first: First) -> Builder {
        self.first = Some(first);
        self
    }

    #[cfg(feature = "analytics")]
    pub(crate) fn has_beside(&self) -> bool {
        self.beside.is_some()
    }

    /// Tells the second service of each call to the first.
    #[cfg(feature = "analytics")]
    pub(crate) fn heard_by(mut self, listener: Listener) -> Builder {
        self.listener = Some(listener);
        self
    }

    /// Like [`database_server`](Builder::database_server). `None` selects the embedded engine.
    pub(crate) fn databases_on(mut self, server: Option<Arc<dyn DatabaseServer>>) -> Builder {
        self.server = server;
        self
    }

    /// Sets the documents that calls of a replay fetch.
    pub(crate) fn fetched(mut self, fetched: &[Fetched]) -> Builder {
        self.recorded = fetch::recorded(fetched);
        self
    }

    /// Adds a personal access token of the first user. The text is taken as given.
    #[must_use]
    pub fn token(mut self, token: &str) -> Builder {
        if let Some(user) = self.world.users.first_mut() {
            user.tokens.push(token.to_owned());
        }
        self
    }

    /// Builds the world.
    ///
    /// # Panics
    ///
    /// When the setup contradicts itself. [`try_build`](Builder::try_build) returns an error instead.
    pub fn build(self) -> Simulator {
        self.try_build().unwrap_or_else(|error| panic!("the world can be built: {}", error.message))
    }

    /// Builds the world, or reports the contradiction: for example two users with one name, or a member that is no
    /// user.
    pub fn try_build(mut self) -> Result<Simulator, Error> {
        let start = whole_micros(self.start);
        if self.is_given {
            self.profile.check()?;
            settings::check(&self.policy)?;
            check_classes(&self.policy, self.registry)?;
        }
        let edition = self.policy.edition;
        let names = Names::new(&self.profile, || self.registry.contract(edition).declared().clone())?;
        let beside = match self.beside.take() {
            Some(begin) => Some(self.build_beside(begin)?),
            None => None,
        };
        issue_missing_tokens(&mut self.world, &self.profile, self.seed, self.token_secret.as_deref());
        let setup = Setup {
            registry: self.registry,
            seed: self.seed,
            start,
            names,
            token: self.world.users.first().and_then(|user| user.tokens.first().cloned()),
            policy: self.policy,
            profile: self.profile,
            world: self.world,
            fetcher: self.fetcher,
            recorded: self.recorded,
            server: self.server,
            events: self.events,
            signer: self.signer,
            interrupt: Interrupt::default(),
        };
        let mut sim = Simulator::begin(Arc::new(setup))?;
        sim.beside = beside;
        match self.first {
            Some(first) => first(&mut sim).map(|()| sim),
            None => Ok(sim),
        }
    }

    fn build_beside(&mut self, begin: Begin) -> Result<Box<Beside>, Error> {
        // One clock: only the first service moves it for clients that wait.
        let policy = Policy { auto_advance_ms: 0, auto_advance_block_ms: 0, ..self.policy.clone() };
        let other = begin(policy).seed(self.seed).start(self.start).profile(self.profile.clone());
        let (events, signer) = (self.events.take(), self.signer.take());
        let token_secret = self.token_secret.clone();
        let sim = Builder { events, signer, token_secret, ..other }.try_build()?;
        Ok(Box::new(Beside { sim, listener: self.listener }))
    }
}

/// Refuses rate limits for operations that there are not, and names that do not tell limits apart.
fn check_classes(policy: &Policy, registry: &Registry) -> Result<(), Error> {
    let mut names = BTreeSet::from(["default"]);
    if let Some(class) = policy.rate_limits.iter().find(|class| !names.insert(&class.name)) {
        let text = format!("policy.rate_limits: there is another limit with the name {:?}", class.name);
        return Err(Error::invalid("invalid_policy.rate_limits", text));
    }
    if !registry.service.manner.rate_limited {
        return Ok(());
    }
    let is_known = |id: &&String| registry.operations().any(|meta| meta.has_id(id));
    let mut named = policy.rate_limits.iter().flat_map(|class| &class.operations);
    match named.find(|id| !is_known(id)) {
        Some(id) => {
            let question = near::question(id, registry.operations().map(|meta| meta.id));
            let text = format!("policy.rate_limits: there is no operation {id:?}{question}");
            Err(Error::invalid("invalid_policy.rate_limits", text))
        }
        None => Ok(()),
    }
}

/// Gives a token to every user that has none, so that every user can call. The token is derived from the seed, the name
/// and the secret, if there is one.
fn issue_missing_tokens(world: &mut World, profile: &Profile, seed: u64, secret: Option<&str>) {
    use sha2::Digest as _;
    let drawn = |what: &str, bytes: usize| {
        let secret = secret.map(|secret| format!(", {secret}")).unwrap_or_default();
        hex(&sha2::Sha256::digest(format!("{seed} {what}{secret}"))[..bytes])
    };
    for user in world.users.iter_mut().filter(|user| user.tokens.is_empty()) {
        user.tokens.push(format!(
            "{}{}",
            profile.token_prefix,
            drawn(&format!("token of {}", user.name), 20)
        ));
    }
    if secret.is_some()
        && let Some(tenant) = &mut world.single_tenant
    {
        // The setup of a world is kept on disk, where the secret must not be.
        tenant.private_token = world.users.first().and_then(|user| user.tokens.first().cloned());
        tenant.api_key.get_or_insert_with(|| drawn("api_key", 16));
    }
}
