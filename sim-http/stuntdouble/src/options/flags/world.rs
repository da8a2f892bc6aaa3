//! The main world that the options describe.

use sim_core::engine::Builder;
use sim_core::seed::{Seed, Services, scenario};
use sim_core::{Policy, Profile, Simulator};

use super::Options;
use super::file::{read_described, read_or_default};
use super::value::Start;
use crate::{Failure, files};

impl Options {
    /// The policy of the main world.
    pub(crate) fn policy(&self) -> Result<Policy, Failure> {
        self.policy_over(Policy::default())
    }

    fn policy_over(&self, base: Policy) -> Result<Policy, Failure> {
        let mut policy = self.policy.as_deref().map_or(Ok(base), |file| read_described("--policy", file))?;
        policy.pace = self.pace.unwrap_or(policy.pace);
        policy.rate_limit = self.rate_limit.unwrap_or(policy.rate_limit);
        Ok(policy)
    }

    /// The profile, without that of a seed file.
    pub(in crate::options) fn profile(&self) -> Result<Profile, Failure> {
        read_or_default("--profile", self.profile.as_deref())
    }

    /// Makes the main world, with the analytics server if that is asked for.
    pub(crate) fn simulator(&self) -> Result<Simulator, Failure> {
        if let Some((flag, seed)) = self.begins_with()? {
            return self.seeded(seed).map_err(|error| Failure(format!("{flag}: {}", error.0)));
        }
        let mut begun = Simulator::builder().policy(self.policy()?);
        let profile = self.profile()?;
        if let Some(server) = self.engine.as_ref().map_or(Ok(None), |engine| engine.server(&profile))? {
            begun = begun.database_server(server);
        }
        if self.self_log() || self.analytics.unwrap_or(false) {
            begun = self.environment.beside(self, begun)?;
        }
        self.build(begun)
    }

    /// The seed that a flag selects, and the name of that flag.
    pub(crate) fn begins_with(&self) -> Result<Option<(String, Seed)>, Failure> {
        match (&self.seed_file, &self.scenario) {
            (Some(_), Some(_)) => {
                Err(Failure("--scenario: can't be given together with --seed-file".to_owned()))
            }
            (Some(file), None) => {
                let flag = format!("--seed-file {}", file.display());
                let text = files::seed(file).map_err(|why| Failure(format!("{flag}: {why}")))?;
                let seed =
                    Seed::parse(&text).map_err(|error| Failure(format!("{flag}: {}", error.message)))?;
                Ok(Some((flag, seed)))
            }
            (None, Some(name)) => {
                let seed = scenario::named(name).map_err(|error| Failure(format!("--{}", error.message)))?;
                Ok(Some((format!("--scenario {name}"), seed)))
            }
            (None, None) => Ok(None),
        }
    }

    /// Makes the main world from a seed. Flags take precedence.
    fn seeded(&self, seed: Seed) -> Result<Simulator, Failure> {
        let profile = self.profile.as_deref().map(|file| read_described("--profile", file)).transpose()?;
        let both = self.self_log() || self.analytics.unwrap_or(false);
        // 0 is the seed of a file that gives none.
        let has_seed = self.seed.is_some() || seed.seed != 0;
        let seed = Seed {
            service: if both { Services::Both } else { seed.service },
            self_log: seed.self_log || self.self_log(),
            seed: self.seed.unwrap_or(seed.seed),
            start: self.start.map(Start::instant).or(seed.start).or_else(|| self.default_start()),
            policy: Some(self.policy_over(seed.policy.unwrap_or_default())?),
            profile: profile.or(seed.profile),
            ..seed
        };
        let profile = seed.profile.clone().unwrap_or_default();
        let mut begun = self.fetching(seed.begin().map_err(|error| self.refused(&error))?);
        if let Some(server) = self.engine.as_ref().map_or(Ok(None), |engine| engine.server(&profile))? {
            begun = begun.database_server(server);
        }
        if !has_seed {
            begun = begun.token_secret(&token_secret()?);
        }
        begun = self.token.iter().fold(begun, |begun, token| begun.token(token));
        let mut sim = begun.try_build().map_err(|error| self.refused(&error))?;
        self.faults.iter().try_for_each(|faults| faults.add_to(&mut sim))?;
        Ok(sim)
    }

    /// `begun`, with a fetcher if the flag is given.
    fn fetching(&self, begun: Builder) -> Builder {
        match self.fetch_documents {
            Some(true) => begun.metadata_fetcher(sim_http::fetcher(self.allow_egress.unwrap_or(false))),
            _ => begun,
        }
    }

    /// Makes the main world from a builder.
    pub(crate) fn build(&self, begun: Builder) -> Result<Simulator, Failure> {
        let profile = self.profile()?;
        let mut builder = self.fetching(begun).seed(self.seed.unwrap_or(0)).profile(profile);
        if self.seed.is_none() {
            builder = builder.token_secret(&token_secret()?);
        }
        if let Some(start) = self.start.map(Start::instant).or_else(|| self.default_start()) {
            builder = builder.start(start);
        }
        for token in &self.token {
            builder = builder.token(token);
        }
        let built = builder.try_build();
        let mut sim = built.map_err(|error| self.refused(&error))?;
        self.faults.iter().try_for_each(|faults| faults.add_to(&mut sim))?;
        Ok(sim)
    }

    /// The failure for a refused world, with the flag that caused it.
    pub(super) fn refused(&self, error: &sim_core::Error) -> Failure {
        let text = &error.message;
        match (&self.profile, error.reason.split('.').next()) {
            (Some(file), Some("invalid_profile")) => Failure(format!("--profile {}: {text}", file.display())),
            (_, Some("invalid_profile" | "invalid_seed")) => Failure(text.clone()),
            _ if self.token.is_empty() => Failure(text.clone()),
            _ => Failure(format!("--token: {text}")),
        }
    }
}

/// A secret for the default tokens, from the operating system.
pub(crate) fn token_secret() -> Result<String, Failure> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes)
        .map_err(|error| Failure(format!("no token can be drawn, {error}; give --token or --seed")))?;
    Ok(sim_core::engine::hex(&bytes))
}
