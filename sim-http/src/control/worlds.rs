//! `/_sim/worlds`, `/_sim/fork`, `/_sim/reset`: making, forking, resetting and deleting worlds.

use parking_lot::Mutex;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use sim_core::analytics::platform;
use sim_core::engine::{Builder, Empty, Meta, SingleTenant, act, delete, get, hex, near, post};
use sim_core::seed::{self, Seed, scenario};
use sim_core::{Error, Policy, Profile, Simulator, Timestamp};

use super::clock::whole;
use super::journal::has_cut_calls;
use super::{Control, Place, Run};
use crate::worlds::{Counts, Inside, MAIN, SPEED_MAX, Service, Services, Touch, World, now, simulator_of};

/// A world on this port.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WorldInfo {
    /// Its name.
    pub name: String,
    /// The base URL for clients; it leads to this world with any token.
    pub url: String,
    /// Its services.
    pub service: Services,
    /// The token of its first user; absent in a world without users.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
    /// The token for everything at the analytics server; absent unless the world has both services.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub analytics_token: Option<String>,
    /// The seed it was built from.
    pub seed: u64,
    /// The simulated instant.
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub now: Timestamp,
    /// How many calls it has answered so far.
    pub calls: u64,
    /// How many of them its journal has dropped.
    pub dropped_calls: u64,
}

impl WorldInfo {
    fn of(world: &World, place: &Place<'_>) -> Result<WorldInfo, Error> {
        let Counts { now, calls, dropped } = world.counts()?;
        let name = world.name.clone();
        let url = if name == MAIN { place.base.clone() } else { format!("{}/w/{name}", place.base) };
        let (token, analytics_token) = (world.token.clone(), world.analytics_token.clone());
        Ok(WorldInfo {
            name,
            url,
            service: world.services,
            token,
            analytics_token,
            seed: world.seed,
            now,
            calls,
            dropped_calls: dropped,
        })
    }
}

/// List the worlds on this port.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListWorlds {}

impl Control for ListWorlds {
    type Output = Vec<WorldInfo>;
    const META: Meta = get("sim-list-worlds", "/_sim/worlds");
}

impl Run for ListWorlds {
    async fn run(self, place: &Place<'_>) -> Result<Vec<WorldInfo>, Error> {
        place.hub.all().iter().map(|world| WorldInfo::of(world, place)).collect()
    }
}

/// Create a world.
///
/// Requests choose it by its tokens, by the path prefix `/w/NAME`, or by the header `x-sim-world: NAME`. Services, policy and
/// profile are those of the world `main` unless given.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateWorld {
    /// Letters, digits, `-`, `_`, `.`; generated unless given.
    pub name: Option<String>,
    /// Its services.
    pub service: Option<Services>,
    /// Whether calls to the management API, and the SQL that they run, become events of the analytics server. With `true` the
    /// world has both services.
    pub self_log: Option<bool>,
    /// The seed of everything random; 0 unless given. Default tokens follow from one that is given.
    pub seed: Option<u64>,
    /// The instant of its clock at the start. Unless given: that of the seed file; the present, if the server's main world began
    /// at the present because nothing said otherwise; else 2026-01-01T00:00:00Z.
    #[schemars(with = "Option<String>", extend("format" = "date-time"))]
    pub start: Option<Timestamp>,
    /// How it behaves; missing fields have their defaults.
    pub policy: Option<Policy>,
    /// What things are called in it; missing fields have their defaults.
    pub profile: Option<Profile>,
    /// The users and organizations of its management API; one user who owns one organization unless given.
    pub world: Option<sim_core::World>,
    /// A seed file, as an object or as its text: users, projects and everything else in the world. The request's own policy,
    /// profile, seed and start take precedence.
    #[schemars(with = "Option<serde_json::Value>")]
    pub seed_file: Option<Value>,
    /// The name of a scenario to start from; `GET /_sim/scenarios` lists them.
    pub scenario: Option<String>,
    /// Simulated seconds for each real one; the speed of the server unless given.
    pub speed: Option<f64>,
}

impl Control for CreateWorld {
    type Output = WorldInfo;
    const META: Meta = Meta { also: &[409], ..post("sim-create-world", "/_sim/worlds") };
}

impl Run for CreateWorld {
    async fn run(self, place: &Place<'_>) -> Result<WorldInfo, Error> {
        let reserved = place.hub.reserve(self.name.clone())?;
        let speed = self.speed.map_or(Ok(place.hub.speed), |speed| check_speed("speed", speed))?;
        let start = self.start.map(|start| whole("start", start)).transpose()?;
        let seed = self.begins_with()?;
        let start = start.or_else(|| {
            let is_open = place.hub.begins_now && seed.as_ref().is_none_or(|seed| seed.start.is_none());
            is_open.then(now)
        });
        let secret = place.hub.token_secret.as_deref();
        let begun = self.begin_named(&reserved.name, secret, seed, &place.hub.template)?;
        let sim = start.into_iter().fold(begun, Builder::start).try_build()?;
        let halves = [Some(&sim), sim.beside()].into_iter().flatten();
        let users = halves.flat_map(|half| &half.world().users);
        let tokens: Vec<String> = users.flat_map(|user| user.tokens.clone()).collect();
        let world = place.hub.add(reserved, sim, speed)?;
        tokens.iter().for_each(|token| place.hub.issue(token, &world));
        WorldInfo::of(&world, place)
    }
}

impl CreateWorld {
    /// Builds the world, as the main one: there is no other from which it would take what is left out. Its clock is paused.
    ///
    /// ```
    /// use sim_http::control::CreateWorld;
    ///
    /// let settings = CreateWorld { seed: Some(7), ..CreateWorld::default() };
    /// assert_eq!(settings.build()?.seed(), 7);
    /// # Ok::<(), sim_core::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As `POST /_sim/worlds` refuses the settings; also if there is a `name` or a `speed`.
    pub fn build(self) -> Result<Simulator, Error> {
        let given = [("name", self.name.is_some()), ("speed", self.speed.is_some_and(|speed| speed != 0.0))];
        if let Some((field, _)) = given.iter().find(|(_, is_given)| *is_given) {
            let text = format!("{field}: is for worlds of a server; leave it out");
            return Err(Error::invalid(format!("invalid_body.{field}"), text));
        }
        let start = self.start.map(|start| whole("start", start)).transpose()?;
        let seed = self.begins_with()?;
        let like = Mutex::new(Simulator::builder().build());
        let begun = self.begin_named(MAIN, None, seed, &like)?;
        start.into_iter().fold(begun, Builder::start).try_build()
    }

    /// Begins a world of this name. `secret` is for the tokens of worlds without a seed of their own.
    fn begin_named(
        self,
        name: &str,
        secret: Option<&str>,
        seed: Option<Seed>,
        main: &Mutex<Simulator>,
    ) -> Result<Builder, Error> {
        // Tokens follow from an explicit seed; 0 means that none was given.
        let is_seeded = self.seed.is_some() || seed.as_ref().is_some_and(|seed| seed.seed != 0);
        let secret = secret.filter(|_| !is_seeded);
        let begin = |main: &Simulator| match seed {
            Some(seed) => self.begin_with(seed, name, secret, main),
            None => self.begin(name, secret, main),
        };
        let begun = begin(&main.lock())?;
        Ok(secret.into_iter().fold(begun, Builder::token_secret))
    }

    /// Begins a world. Everything that the request leaves out is as in `main`.
    fn begin(self, name: &str, secret: Option<&str>, main: &Simulator) -> Result<Builder, Error> {
        let (services, self_log) = self.services(main)?;
        let policy = self.policy.unwrap_or_else(|| main.policy().clone());
        let profile = self.profile.unwrap_or_else(|| main.profile().clone());
        let seed = self.seed.unwrap_or(0);
        let token = own_token(&profile, seed, &format!("{name} for analytics"), secret);
        let tenant = SingleTenant { private_token: Some(token), ..platform_tenant() };
        let like_main = self.world.is_none() && main.world().single_tenant.is_some();
        let mut users = self.world.unwrap_or_default();
        if let Some(first) = users.users.first_mut().filter(|user| user.tokens.is_empty()) {
            first.tokens.push(own_token(&profile, seed, name, secret));
        }
        let mut begun = match services {
            Services::Management => Simulator::builder().policy(policy).world(users),
            Services::Both => Simulator::builder().policy(policy).world(users).with_analytics(&tenant),
            Services::Analytics if like_main => platform::single_tenant(&tenant, policy),
            Services::Analytics => Simulator::analytics().policy(policy).world(users),
        };
        if self_log {
            begun = begun.with_self_log();
        }
        Ok(on_servers_of(main, begun).seed(seed).profile(profile))
    }

    /// The seed that the request asks for.
    fn begins_with(&self) -> Result<Option<Seed>, Error> {
        let refuse = |field: &str, text: &str| {
            Err(Error::invalid(format!("invalid_body.{field}"), format!("{field}: {text}")))
        };
        let seed = match (&self.seed_file, &self.scenario) {
            (None, None) => return Ok(None),
            (Some(_), Some(_)) => return refuse("scenario", "can't be given together with `seed_file`"),
            (Some(Value::String(text)), None) => Seed::parse(text)?,
            (Some(file @ Value::Object(_)), None) => {
                serde_json::from_value(file.clone()).map_err(|error| {
                    Error::invalid(
                        "invalid_seed",
                        format!("seed_file: {}", near::explained(&error.to_string())),
                    )
                })?
            }
            (Some(_), None) => return refuse("seed_file", "must be an object, or the text of a file"),
            (None, Some(name)) => scenario::named(name)?,
        };
        let others = [
            ("world", self.world.is_some()),
            ("service", self.service.is_some()),
            ("self_log", self.self_log.is_some()),
        ];
        match others.iter().find(|(_, is_given)| *is_given) {
            Some((field, _)) => refuse(field, "comes from the seed; leave it out"),
            None => Ok(Some(seed)),
        }
    }

    /// Begins the world of a seed. Users without tokens get their own.
    fn begin_with(
        self,
        seed: Seed,
        name: &str,
        secret: Option<&str>,
        main: &Simulator,
    ) -> Result<Builder, Error> {
        let policy = self.policy.or(seed.policy).unwrap_or_else(|| main.policy().clone());
        let profile = self.profile.or(seed.profile).unwrap_or_else(|| main.profile().clone());
        let number = self.seed.unwrap_or(seed.seed);
        let is_exported = seed.state.is_some();
        let mut seed = Seed { seed: number, policy: Some(policy), profile: None, ..seed };
        if !is_exported {
            let mut people = seed.people();
            if let Some(first) = people.users.first_mut().filter(|user| user.tokens.is_empty()) {
                first.tokens.push(own_token(&profile, number, name, secret));
            }
            (seed.users, seed.organizations) = (Some(people.users), Some(people.organizations));
            if seed.service == seed::Services::Both {
                let tenant = seed.single_tenant.get_or_insert(platform_tenant());
                let own = || own_token(&profile, number, &format!("{name} for analytics"), secret);
                tenant.private_token.get_or_insert_with(own);
            }
        }
        let begun = Seed { profile: Some(profile), ..seed }.begin()?;
        // An exported world has its databases in its seed file.
        Ok(if is_exported { begun } else { on_servers_of(main, begun) })
    }

    /// The services that the request asks for, and whether one logs the calls of the other.
    fn services(&self, main: &Simulator) -> Result<(Services, bool), Error> {
        match (self.service, self.self_log) {
            (None | Some(Services::Both), Some(true)) => Ok((Services::Both, true)),
            (Some(_), Some(true)) => {
                let text = "self_log: is for worlds of both services; leave out `service`, or make it both";
                Err(Error::invalid("invalid_body.self_log", text))
            }
            (asked, logs) => {
                let services = asked.unwrap_or_else(|| Services::of(main));
                Ok((services, services == Services::Both && logs.unwrap_or_else(|| main.is_heard())))
            }
        }
    }
}

/// The tenant of an analytics server that has the platform's sources and endpoints.
fn platform_tenant() -> SingleTenant {
    SingleTenant { platform: true, ..SingleTenant::default() }
}

/// Puts databases and events on the servers that `main` uses.
fn on_servers_of(main: &Simulator, mut begun: Builder) -> Builder {
    if let Some(server) = main.database_server() {
        begun = begun.database_server(server);
    }
    if let Some(server) = main.event_server() {
        begun = begun.event_server(server);
    }
    begun
}

/// A token that follows from seed, name and secret, so that worlds of one seed have different tokens.
fn own_token(profile: &Profile, seed: u64, name: &str, secret: Option<&str>) -> String {
    let secret = secret.map(|secret| format!(", {secret}")).unwrap_or_default();
    let digest = Sha256::digest(format!("{seed} token of world {name}{secret}"));
    format!("{}{}", profile.token_prefix, hex(&digest[..20]))
}

pub(super) fn check_speed(field: &str, speed: f64) -> Result<f64, Error> {
    if (0.0..=SPEED_MAX).contains(&speed) {
        return Ok(speed);
    }
    let text =
        format!("{field}: must be between 0, where the clock is paused, and {SPEED_MAX}, received {speed}");
    Err(Error::invalid(format!("invalid_body.{field}"), text))
}

/// Get a world.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetWorld {
    /// Its name.
    pub name: String,
}

impl Control for GetWorld {
    type Output = WorldInfo;
    const META: Meta = get("sim-get-world", "/_sim/worlds/{name}");
}

impl Run for GetWorld {
    async fn run(self, place: &Place<'_>) -> Result<WorldInfo, Error> {
        WorldInfo::of(&*place.hub.named(&self.name)?, place)
    }
}

/// Delete a world. The world `main` stays.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DeleteWorld {
    /// Its name.
    pub name: String,
}

impl Control for DeleteWorld {
    type Output = Empty;
    const META: Meta = Meta { also: &[409], ..delete("sim-delete-world", "/_sim/worlds/{name}") };
}

impl Run for DeleteWorld {
    async fn run(self, place: &Place<'_>) -> Result<Empty, Error> {
        place.hub.remove(&self.name).await.map(|()| Empty {})
    }
}

/// Fork the chosen world, in its present or an earlier state, into a new one. From then on they are independent.
///
/// The fork has the same tokens, but they go on choosing the world that they chose before. Reach the fork by its URL or by the
/// header `x-sim-world`.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Fork {
    /// The name of the new world; generated unless given.
    pub name: Option<String>,
    /// Fork the state right after this call; 0 is the start.
    pub at_call: Option<u64>,
    /// The service that was called, in a world of two; the management API unless given.
    pub service: Option<Service>,
    /// Fork the state at this instant.
    #[schemars(with = "Option<String>", extend("format" = "date-time"))]
    pub at: Option<Timestamp>,
}

impl Fork {
    fn fork(&self, sim: &Simulator) -> Result<Simulator, Error> {
        let refuse = |field: &str, text: &str| {
            Err(Error::invalid(format!("invalid_body.{field}"), format!("{field}: {text}")))
        };
        if self.service.is_some() && self.at_call.is_none() {
            return refuse("service", "is the service of `at_call`; give both");
        }
        let (field, past) = match (self.at_call, self.at) {
            (None, None) => return Ok(sim.fork()),
            (Some(_), Some(_)) => return refuse("at", "can't be given together with `at_call`"),
            (Some(call), None) => {
                let service = simulator_of(sim, self.service)?.registry().name();
                ("at_call", sim.at_call_of(service, call))
            }
            (None, Some(instant)) => ("at", sim.at(instant)),
        };
        past.map_or_else(
            || match sim.dropped().calls {
                0 if has_cut_calls(sim) => {
                    refuse(field, "a call can't be made again, because the journal did not keep its body")
                }
                0 => refuse(field, "this world was never in such a state"),
                dropped => refuse(field, &format!("the journal has dropped the first {dropped} calls")),
            },
            Ok,
        )
    }
}

impl Control for Fork {
    type Output = WorldInfo;
    const META: Meta = Meta { also: &[409], ..post("sim-fork-world", "/_sim/fork") };
}

impl Run for Fork {
    async fn run(self, place: &Place<'_>) -> Result<WorldInfo, Error> {
        let fork = |inside: &mut Inside| (self.fork(&inside.sim), inside.clock.speed());
        let (sim, speed) = place.world.with(Touch::Reads, fork).await?;
        let sim = sim?;
        let fork = place.hub.add_fork(place.hub.reserve(self.name)?, sim, speed)?;
        WorldInfo::of(&fork, place)
    }
}

/// Reset the chosen world: state, clock and journal become as they were when it was made. Its snapshots stay.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Reset {}

impl Control for Reset {
    type Output = WorldInfo;
    const META: Meta = act("sim-reset-world", "/_sim/reset");
}

impl Run for Reset {
    async fn run(self, place: &Place<'_>) -> Result<WorldInfo, Error> {
        place.world.with(Touch::Writes, Inside::reset).await?;
        WorldInfo::of(place.world, place)
    }
}

/// Get the chosen world's policy: how it behaves.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetPolicy {}

impl Control for GetPolicy {
    type Output = Policy;
    const META: Meta = get("sim-get-policy", "/_sim/policy");
}

impl Run for GetPolicy {
    async fn run(self, place: &Place<'_>) -> Result<Policy, Error> {
        place.world.with(Touch::Reads, |inside| inside.sim.policy().clone()).await
    }
}

/// Get the chosen world's profile: what things are called.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetProfile {}

impl Control for GetProfile {
    type Output = Profile;
    const META: Meta = get("sim-get-profile", "/_sim/profile");
}

impl Run for GetProfile {
    async fn run(self, place: &Place<'_>) -> Result<Profile, Error> {
        place.world.with(Touch::Reads, |inside| inside.sim.profile().clone()).await
    }
}
