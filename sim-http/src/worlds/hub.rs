//! All worlds behind one port, and the choice of a request's world.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use http::HeaderMap;
use http::header::AUTHORIZATION;
use parking_lot::{Mutex, RwLock};
use sha2::{Digest as _, Sha256};
use sim_core::engine::{Coverage, MASK, near};
use sim_core::{Error, Kind, Simulator};

use super::call_watch::look_time;
use super::clock::{Alarm, Clock};
use super::unused::{Gone, unused_in};
use super::world::{Touch, World};
use crate::disk::{Damaged, Disk, Found, Keeper, not_kept};
use crate::executor::Executor;
use crate::outgoing::OutgoingQueue;
use crate::stderr::write_stderr;

/// The header that names a world.
pub(crate) const WORLD_HEADER: &str = "x-sim-world";

/// The query parameter that may carry a token.
const TOKEN: &str = "api_key";

/// The world of requests that name none.
pub(crate) const MAIN: &str = "main";

/// Longest name of a world, or of a snapshot.
const NAME_MAX: usize = 64;

/// Tokens whose world is cached; beyond that the cache is cleared.
const CACHED_MAX: usize = 10_000;

/// How long the coverage waits for worlds, in all.
const COVERAGE_TIME: Duration = Duration::from_millis(300);

/// All worlds behind one port. No lock of the hub is held while a world runs a call or is made.
pub(crate) struct Hub {
    pub(crate) main: Arc<World>,
    /// The tokens of the main world, which need no lookup.
    tokens_of_main: Vec<Digest>,
    /// A fork of the main world, with the defaults of new worlds. It never runs a call.
    pub(crate) template: Mutex<Simulator>,
    /// The speed of the clocks of new worlds.
    pub(crate) speed: f64,
    /// Whether new worlds without another start begin at the machine's present.
    pub(crate) begins_now: bool,
    /// The secret for the tokens of new worlds without a seed of their own; `None` if these tokens follow from seed and name.
    pub(crate) token_secret: Option<String>,
    /// Host and port of the pooler, if there is one.
    pub(crate) pooler: Option<(String, u16)>,
    pub(crate) alarm: Arc<Alarm>,
    /// The queue of messages to be posted; `None` if nobody posts them.
    outgoing: Option<OutgoingQueue>,
    /// The directory that worlds are kept in, and the thread that writes to it.
    disk: Option<(Disk, Keeper)>,
    worlds: RwLock<BTreeMap<String, Arc<World>>>,
    /// Worlds on disk that cannot be read, each with the reason.
    damaged: Mutex<BTreeMap<String, String>>,
    /// Names of worlds that are being created.
    reserved: Mutex<BTreeSet<String>>,
    /// The coverage of deleted worlds.
    deleted: Mutex<Coverage>,
    /// What was prepared in worlds and is gone, unused.
    pub(crate) gone: Gone,
    tokens: RwLock<Tokens>,
}

/// The worlds of tokens, by digest. Any text that a client tries takes the same space and the same time to look up.
#[derive(Default)]
struct Tokens {
    /// Tokens issued at the creation of a world.
    issued: BTreeMap<Digest, Arc<World>>,
    /// Cached answers of the worlds about other tokens. Cleared whenever a world may have gained or lost a token.
    cached: BTreeMap<Digest, Option<Arc<World>>>,
    /// How often the cache was cleared. An answer to an earlier question is not cached.
    generation: u64,
}

impl Tokens {
    fn clear_cached(&mut self) {
        self.cached.clear();
        self.generation += 1;
    }
}

/// The digest of a token.
pub(crate) type Digest = [u8; 32];

fn digest(token: &str) -> Digest {
    Sha256::digest(token).into()
}

/// A name that is reserved while its world is created.
pub(crate) struct Reserved<'h> {
    pub(crate) name: String,
    hub: &'h Hub,
}

impl Drop for Reserved<'_> {
    fn drop(&mut self) {
        self.hub.reserved.lock().remove(&self.name);
    }
}

impl Hub {
    pub(crate) fn new(sim: Simulator, speed: f64, outgoing: Option<OutgoingQueue>) -> Hub {
        let alarm = Arc::new(Alarm::default());
        let main = World::new(MAIN, sim, None, Clock::new(speed), &alarm, outgoing.as_ref(), None);
        Hub::of(main, speed, alarm, outgoing)
    }

    fn of(main: Arc<World>, speed: f64, alarm: Arc<Alarm>, outgoing: Option<OutgoingQueue>) -> Hub {
        let template = Mutex::new(main.lock().fork());
        let tokens_of_main = main.tokens().map(digest).collect();
        Hub {
            worlds: RwLock::new(BTreeMap::from([(MAIN.to_owned(), Arc::clone(&main))])),
            damaged: Mutex::default(),
            reserved: Mutex::default(),
            tokens_of_main,
            template,
            main,
            speed,
            begins_now: false,
            token_secret: None,
            pooler: None,
            alarm,
            outgoing,
            disk: None,
            deleted: Mutex::default(),
            gone: Gone::default(),
            tokens: RwLock::default(),
        }
    }

    /// Opens the worlds of a directory. Where it has no main world yet, `sim` becomes it. Worlds that cannot be read are left out,
    /// except the main one, without which there is no server. `prepared` tells a world that was found where it now is. With
    /// `begins_now` they go on at the machine's present.
    pub(crate) fn on_disk(
        disk: Disk,
        sim: impl FnOnce() -> Simulator,
        prepared: impl Fn(Simulator) -> Simulator,
        speed: f64,
        begins_now: bool,
        outgoing: Option<OutgoingQueue>,
    ) -> io::Result<Hub> {
        let keeper = disk.keeper()?;
        let alarm = Arc::new(Alarm::default());
        let (mut found, mut damaged) = disk.worlds()?;
        if let Some(place) = damaged.iter().position(|world| world.name == MAIN) {
            return Err(damaged.remove(place).error.into());
        }
        let main = match found.iter().position(|world| world.name == MAIN) {
            Some(place) => found.remove(place),
            None => {
                let sim = sim();
                let log = disk.create(MAIN, &sim, speed, false)?;
                Found { name: MAIN.to_owned(), made: sim.snapshot(), sim, speed, fork: false, log }
            }
        };
        let open = |Found { name, sim, made, speed, log, .. }: Found| {
            let sim = prepared(sim);
            let clock = if begins_now { Clock::going_on(speed, &sim) } else { Clock::new(speed) };
            World::new(&name, sim, Some(made), clock, &alarm, outgoing.as_ref(), Some((&keeper, log)))
        };
        let main = open(main);
        let others: Vec<_> = found.into_iter().map(|found| (found.fork, open(found))).collect();
        let hub =
            Hub { disk: Some((disk, keeper)), ..Hub::of(main, speed, Arc::clone(&alarm), outgoing.clone()) };
        for Damaged { name, error } in damaged {
            eprintln!("world {name} is left out, the other worlds are served: {error}");
            hub.damaged.lock().insert(name, error.to_string());
        }
        for (fork, world) in others {
            hub.worlds.write().insert(world.name.clone(), Arc::clone(&world));
            world.tokens().filter(|_| !fork).for_each(|token| hub.issue(token, &world));
        }
        Ok(hub)
    }

    /// Writes all worlds to disk for the last time. Changes made only by reads may not have been written before.
    pub(crate) fn close(&self) {
        self.all().iter().for_each(|world| world.close());
        self.disk.iter().for_each(|(disk, _)| disk.release());
    }

    /// The world that a request means: by header, by path prefix, by token, or the main one.
    pub(crate) async fn choose(
        &self,
        headers: &HeaderMap,
        query: &str,
        prefix: Option<&str>,
    ) -> Result<Arc<World>, Error> {
        if let Some(name) = headers.get(WORLD_HEADER) {
            return self.named(&String::from_utf8_lossy(name.as_bytes()));
        }
        if let Some(name) = prefix {
            return self.named(name);
        }
        Ok(self.by_token(headers, query).await.unwrap_or_else(|| Arc::clone(&self.main)))
    }

    /// The world of that name, or 404.
    pub(crate) fn named(&self, name: &str) -> Result<Arc<World>, Error> {
        self.find(name).ok_or_else(|| {
            if let Some(problem) = self.damaged.lock().get(name) {
                let text = format!(
                    "The world {name:?} cannot be read from disk; stop the server and put back a copy, or DELETE \
                     /_sim/worlds/{name}: {problem}"
                );
                return Error::new(Kind::Unavailable, "world_damaged", text);
            }
            let worlds = self.worlds.read();
            let question = near::question(name, worlds.keys().map(|known| &**known));
            let text =
                format!("There is no world {name:?}; POST /_sim/worlds makes one, GET lists them{question}");
            Error::new(Kind::NotFound, "world_not_found", text).because("world", name, None)
        })
    }

    pub(crate) fn find(&self, name: &str) -> Option<Arc<World>> {
        self.worlds.read().get(name).cloned()
    }

    /// All worlds, by name.
    pub(crate) fn all(&self) -> Vec<Arc<World>> {
        self.worlds.read().values().cloned().collect()
    }

    /// A name for a new world: this one, or else the first of `world-1`, `world-2`, … that is free. It stays reserved until
    /// it is dropped, so that two calls with one name never write to the same files.
    pub(crate) fn reserve(&self, name: Option<String>) -> Result<Reserved<'_>, Error> {
        let mut reserved = self.reserved.lock();
        let worlds = self.worlds.read();
        let damaged = self.damaged.lock();
        let is_taken =
            |name: &str| worlds.contains_key(name) || reserved.contains(name) || damaged.contains_key(name);
        let name = match name {
            Some(name) => {
                check_name("name", &name)?;
                if is_taken(&name) {
                    let text =
                        format!("name: there is a world {name:?} already; DELETE /_sim/worlds/{name} first");
                    return Err(Error::new(Kind::Conflict, "world_exists", text));
                }
                name
            }
            None => {
                let mut names = (worlds.len()..).map(|number| format!("world-{number}"));
                names.find(|name| !is_taken(name)).expect("there are more numbers than worlds")
            }
        };
        reserved.insert(name.clone());
        Ok(Reserved { name, hub: self })
    }

    /// Adds a world. Its tokens choose it, unless another world had them first.
    pub(crate) fn add(&self, name: Reserved<'_>, sim: Simulator, speed: f64) -> Result<Arc<World>, Error> {
        let world = self.insert(&name, sim, speed, false)?;
        world.tokens().for_each(|token| self.issue(token, &world));
        Ok(world)
    }

    /// Adds a world that its tokens do not choose: they still choose the world that had them.
    pub(crate) fn add_fork(
        &self,
        name: Reserved<'_>,
        sim: Simulator,
        speed: f64,
    ) -> Result<Arc<World>, Error> {
        self.insert(&name, sim, speed, true)
    }

    fn insert(
        &self,
        Reserved { name, .. }: &Reserved<'_>,
        sim: Simulator,
        speed: f64,
        fork: bool,
    ) -> Result<Arc<World>, Error> {
        let sim = match &self.pooler {
            Some((host, port)) => sim.with_pooler_at(host, *port),
            None => sim,
        };
        let kept = self.disk.as_ref().map(|(disk, keeper)| {
            let log = disk.create(name, &sim, speed, fork).map_err(|error| not_kept(&error.into()));
            log.map(|log| (keeper, log))
        });
        let world = World::new(
            name,
            sim,
            None,
            Clock::new(speed),
            &self.alarm,
            self.outgoing.as_ref(),
            kept.transpose()?,
        );
        self.worlds.write().insert(name.clone(), Arc::clone(&world));
        self.tokens.write().clear_cached();
        Ok(world)
    }

    /// Lets `token` choose `world`, unless it chooses another one already.
    pub(crate) fn issue(&self, token: &str, world: &Arc<World>) {
        if self.main.tokens().all(|of_main| of_main != token) {
            let issued = &mut self.tokens.write().issued;
            issued.entry(digest(token)).or_insert_with(|| Arc::clone(world));
        }
    }

    /// Removes a world. It still answers the requests that have already reached it.
    pub(crate) async fn remove(&self, name: &str) -> Result<(), Error> {
        if name == MAIN {
            let text = "The world main stays as long as the server; POST /_sim/reset resets it";
            return Err(Error::new(Kind::Conflict, "world_is_main", text));
        }
        if let Some((disk, _)) = self.disk.as_ref().filter(|_| self.damaged.lock().contains_key(name)) {
            disk.remove(name).map_err(|error| not_kept(&error))?;
            self.damaged.lock().remove(name);
            return Ok(());
        }
        let world = self.named(name)?;
        world.remove_files().map_err(|error| not_kept(&error))?;
        self.worlds.write().remove(name);
        let (coverage, unused) = world
            .with(Touch::Reads, |inside| (inside.sim.coverage(), unused_in(&world.name, &inside.sim)))
            .await?;
        self.deleted.lock().merge(coverage);
        self.gone.note(unused);
        let mut tokens = self.tokens.write();
        tokens.issued.retain(|_, owner| !Arc::ptr_eq(owner, &world));
        tokens.clear_cached();
        Ok(())
    }

    /// The coverage of all worlds, deleted ones included. A world whose call does not end soon is left out.
    pub(crate) fn coverage(&self) -> Coverage {
        let mut coverage = self.deleted.lock().clone();
        let deadline = Instant::now() + COVERAGE_TIME;
        for world in self.all() {
            match world.lock_until(deadline) {
                Some(sim) => coverage.merge(sim.coverage()),
                None => write_stderr(format!(
                    "world {}: a call does not end; its coverage is left out",
                    world.name
                )),
            }
        }
        coverage
    }

    /// The fault rules and decisions of all worlds, deleted ones included, that nothing has used, one line each. A world whose call does
    /// not end soon is left out.
    pub(crate) fn unused(&self) -> Vec<String> {
        let deadline = Instant::now() + COVERAGE_TIME;
        let mut lines = self.gone.lines();
        for world in self.all() {
            let Some(sim) = world.lock_until(deadline) else { continue };
            lines.extend(unused_in(&world.name, &sim));
        }
        lines
    }

    /// Does the work that is due, in each world on its own.
    pub(crate) fn tick(&self, executor: &Executor) {
        for world in self.all().into_iter().filter(|world| world.is_due()) {
            executor.spawn(async move { world.tick().await });
        }
    }

    /// Ends the calls of clients that take longer than `limit`, as long as the server runs.
    pub(crate) async fn end_long_calls(&self, limit: Duration) {
        let mut looks = tokio::time::interval(look_time(limit));
        loop {
            looks.tick().await;
            self.end_calls(limit);
        }
    }

    /// Ends the calls of clients that have taken `limit` or longer.
    pub(crate) fn end_calls(&self, limit: Duration) {
        self.worlds.read().values().for_each(|world| world.watch.end_after(limit));
    }

    /// Call this when `world` may have gained or lost a token.
    pub(crate) fn clear_cached_tokens(&self, world: &World) {
        world.clear_cached_tokens();
        self.tokens.write().clear_cached();
    }

    async fn by_token(&self, headers: &HeaderMap, query: &str) -> Option<Arc<World>> {
        if self.worlds.read().len() == 1 {
            return None;
        }
        let token = &*token_of(headers, query)?;
        let digest = digest(token);
        if self.tokens_of_main.contains(&digest) {
            return None;
        }
        match self.issued_or_cached(digest) {
            Some(found) => found,
            None => self.ask_worlds(token, digest).await,
        }
    }

    fn issued_or_cached(&self, digest: Digest) -> Option<Option<Arc<World>>> {
        let tokens = self.tokens.read();
        let issued = tokens.issued.get(&digest).map(|world| Some(Arc::clone(world)));
        issued.or_else(|| tokens.cached.get(&digest).cloned())
    }

    /// Asks the worlds one after the other, the main world first, and caches the answer.
    async fn ask_worlds(&self, token: &str, digest: Digest) -> Option<Arc<World>> {
        let generation = self.tokens.read().generation;
        let mut worlds = self.all();
        worlds.sort_by_key(|world| !Arc::ptr_eq(world, &self.main));
        let mut found = None;
        for world in worlds {
            if world.knows(token, digest).await {
                found = Some(world);
                break;
            }
        }
        let tokens = &mut *self.tokens.write();
        if tokens.generation == generation {
            if tokens.cached.len() >= CACHED_MAX {
                tokens.cached.clear();
            }
            tokens.cached.insert(digest, found.clone());
        }
        found
    }
}

/// The token of a request, in any of the ways that a service accepts.
fn token_of<'r>(headers: &'r HeaderMap, query: &'r str) -> Option<Cow<'r, str>> {
    let header = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let bearer = header(AUTHORIZATION.as_str()).and_then(|text| text.split_once(' '));
    let bearer = bearer.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
    if let Some(text) = bearer.map(|(_, token)| token.trim()).or_else(|| header("x-api-key")) {
        return Some(text.into());
    }
    form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == TOKEN).map(|(_, token)| token)
}

/// Path and query with the token masked, for logs.
pub(crate) fn without_token(target: &str) -> String {
    let target = &*sim_core::management::SERVICE.manner.shown(target);
    let Some((path, query)) = target.split_once('?') else { return target.to_owned() };
    let is_token = |pair: &str| form_urlencoded::parse(pair.as_bytes()).any(|(name, _)| name == TOKEN);
    let shown =
        query.split('&').map(|pair| if is_token(pair) { format!("{TOKEN}={MASK}") } else { pair.to_owned() });
    format!("{path}?{}", shown.collect::<Vec<_>>().join("&"))
}

/// Splits `/w/NAME/rest` into the name and `/rest`.
pub(crate) fn split_prefix(path: &str) -> Option<(&str, &str)> {
    let rest = path.strip_prefix("/w/")?;
    let end = rest.find('/').unwrap_or(rest.len());
    Some((&rest[..end], if end == rest.len() { "/" } else { &rest[end..] }))
}

/// Refuses names with characters that a path would have to escape.
pub(crate) fn check_name(field: &str, name: &str) -> Result<(), Error> {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    let dots = name.bytes().all(|byte| byte == b'.');
    if !dots && name.len() <= NAME_MAX && name.bytes().all(allowed) {
        return Ok(());
    }
    let text =
        format!("{field}: must be 1 to {NAME_MAX} letters, digits, '-', '_' or '.', received {name:?}");
    Err(Error::invalid(format!("invalid_body.{field}"), text))
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;
    use crate::worlds::wait_for;

    fn hub() -> Hub {
        let hub = Hub::new(Simulator::builder().build(), 0.0, None);
        let sim = Simulator::builder().token("token-of-other").build();
        hub.reserve(Some("other".to_owned())).and_then(|name| hub.add(name, sim, 0.0)).expect("new");
        hub
    }

    fn bearer(token: &str) -> HeaderMap {
        let value = HeaderValue::from_str(&format!("Bearer {token}")).expect("visible");
        HeaderMap::from_iter([(AUTHORIZATION, value)])
    }

    fn chosen(hub: &Hub, headers: &HeaderMap, prefix: Option<&str>) -> String {
        wait_for(hub.choose(headers, "", prefix))
            .map_or_else(|error| error.reason.into_owned(), |world| world.name.clone())
    }

    #[test]
    fn header_then_prefix_then_token_then_main() {
        let hub = hub();
        let mut both = bearer("token-of-other");
        assert_eq!(chosen(&hub, &HeaderMap::new(), None), "main");
        assert_eq!(chosen(&hub, &both, None), "other");
        assert_eq!(chosen(&hub, &both, Some("main")), "main");
        both.insert(WORLD_HEADER, HeaderValue::from_static("other"));
        assert_eq!(chosen(&hub, &both, Some("main")), "other");
        assert_eq!(chosen(&hub, &bearer("token-of-nobody"), None), "main");
        assert_eq!(chosen(&hub, &HeaderMap::new(), Some("nowhere")), "world_not_found");
    }

    #[test]
    fn a_name_is_reserved_while_its_world_is_made() {
        let hub = hub();
        let reason = |name: &str| {
            hub.reserve(Some(name.to_owned())).err().map_or("it is free".into(), |error| error.reason)
        };
        let own = hub.reserve(Some("own".to_owned())).expect("it is free");
        let [first, second] = [(); 2].map(|()| hub.reserve(None).expect("some are free"));
        assert_ne!(first.name, second.name);
        assert_eq!((reason("own"), reason(&first.name)), ("world_exists".into(), "world_exists".into()));
        assert!(hub.find("own").is_none() && hub.find("other").is_some(), "a reserved name is not found yet");
        drop(own);
        assert_eq!(reason("own"), "it is free", "the name is free again");
    }

    #[test]
    fn a_token_made_later_is_found_by_asking() {
        let hub = hub();
        assert_eq!(chosen(&hub, &bearer("late"), None), "main");
        let other = hub.find("other").expect("the world exists");
        let late = sim_core::management::user::CreateToken {
            token: Some("late".into()),
            ..sim_core::management::user::CreateToken::personal("owner")
        };
        other.lock().as_admin().call(late).expect("it is new");
        hub.clear_cached_tokens(&other);
        assert_eq!(chosen(&hub, &bearer("late"), None), "other");
        wait_for(hub.remove("other")).expect("the world exists");
        assert_eq!(chosen(&hub, &bearer("late"), None), "main");
    }

    #[test]
    fn a_token_may_come_in_any_way_that_a_service_reads() {
        let hub = hub();
        let by_header = HeaderMap::from_iter([(
            "x-api-key".parse().expect("a name"),
            HeaderValue::from_static("token-of-other"),
        )]);
        for (headers, query) in [(by_header, ""), (HeaderMap::new(), "a=b&api_key=token-of-other")] {
            let world = wait_for(hub.choose(&headers, query, None)).expect("the world exists");
            assert_eq!(world.name, "other", "{headers:?} {query}");
        }
    }

    #[test]
    fn logged_targets_have_no_token() {
        for (target, shown) in [
            ("/api/sources", "/api/sources"),
            ("/api/sources?a=b", "/api/sources?a=b"),
            ("/api/sources?a=b&api_key=token&c", "/api/sources?a=b&api_key=•••&c"),
            ("/api/sources?%61pi_key=token", "/api/sources?api_key=•••"),
            ("/v1/organizations/a/project-claim/token?c", "/v1/organizations/a/project-claim/•••?c"),
        ] {
            assert_eq!(without_token(target), shown);
        }
    }

    #[test]
    fn a_prefix_is_a_name_and_the_rest() {
        assert_eq!(split_prefix("/w/a/v1/projects"), Some(("a", "/v1/projects")));
        assert_eq!(split_prefix("/w/a"), Some(("a", "/")));
        assert_eq!(split_prefix("/w/a/"), Some(("a", "/")));
        assert_eq!(split_prefix("/w/"), Some(("", "/")));
        assert_eq!(split_prefix("/v1/w/a"), None);
    }

    #[test]
    fn names_need_no_escape_in_a_path() {
        for good in ["a", "A-1_b.c", &"x".repeat(64)] {
            assert!(check_name("name", good).is_ok(), "{good}");
        }
        for bad in ["", ".", "..", "a/b", "a b", "ä", &"x".repeat(65)] {
            assert!(check_name("name", bad).is_err(), "{bad}");
        }
    }
}
