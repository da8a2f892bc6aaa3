//! The beginning of a connection: which database it is for, and the client's password.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use sim_core::management::connection::{ConnectionAction, PasswordProof, UseConnection};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};

use super::calls::{self, Caller, Failure};
use super::messages::{Body, Fatal, Output};
use super::relay::Place;
use super::scram;
use crate::request::App;
use crate::worlds::World;

/// The largest start-up message.
const START_MAX: i32 = 10_000;

const TLS: i32 = 80_877_103;
const GSS: i32 = 80_877_104;
const CANCEL: i32 = 80_877_102;
const VERSION_3: i32 = 3;

/// What a client begins with.
pub(super) enum Opening {
    /// It wants TLS, which the server has.
    Tls,
    /// It cancels what another connection runs.
    Cancel(i32, i32),
    /// It logs in, with these parameters.
    Start(BTreeMap<String, String>),
    /// Its first message is none that can be read.
    Wrong(Fatal),
}

/// A client that has shown its password.
pub(super) struct Admitted {
    pub(super) caller: Caller,
    /// Where its database is, unless the world has it.
    pub(super) server: Option<Place>,
}

/// Why a client is not admitted.
pub(super) enum Refused {
    Lost(io::Error),
    Fatal(Fatal),
}

impl From<io::Error> for Refused {
    fn from(error: io::Error) -> Refused {
        Refused::Lost(error)
    }
}

/// Reads what a client begins with. `has_tls`: whether TLS can be offered.
pub(super) async fn read(
    stream: &mut (impl AsyncRead + AsyncWrite + Unpin),
    has_tls: bool,
) -> io::Result<Opening> {
    loop {
        let length = stream.read_i32().await?;
        if !(8..=START_MAX).contains(&length) {
            return Ok(Opening::Wrong(Fatal::new("08P01", "invalid length of startup packet")));
        }
        let mut bytes = vec![0; usize::try_from(length - 4).unwrap_or(0)];
        stream.read_exact(&mut bytes).await?;
        let mut body = Body::new(bytes);
        match body.int32()? {
            TLS if has_tls => return Ok(Opening::Tls),
            TLS | GSS => {
                stream.write_all(b"N").await?;
                stream.flush().await?;
            }
            CANCEL => return Ok(Opening::Cancel(body.int32()?, body.int32()?)),
            version if version >> 16 == VERSION_3 => {
                let layout = "invalid startup packet layout: expected terminator as last byte";
                let parameters = parameters(&mut body);
                return Ok(parameters.map_or(Opening::Wrong(Fatal::new("08P01", layout)), Opening::Start));
            }
            version => {
                let (major, minor) = (version >> 16, version & 0xFFFF);
                let text =
                    format!("unsupported frontend protocol {major}.{minor}: server supports 3.0 to 3.0");
                return Ok(Opening::Wrong(Fatal::new("0A000", text)));
            }
        }
    }
}

/// Names and values up to an empty name.
fn parameters(body: &mut Body) -> Option<BTreeMap<String, String>> {
    let mut parameters = BTreeMap::new();
    loop {
        let name = body.text().ok()?;
        if name.is_empty() {
            return Some(parameters);
        }
        parameters.insert(name, body.text().ok()?);
    }
}

/// Finds the database that a client means, and checks its password. Parameters that only say which database are removed.
pub(super) async fn admit<S>(
    app: &App,
    stream: &mut Output<S>,
    parameters: &mut BTreeMap<String, String>,
    name: Option<&str>,
) -> Result<Admitted, Refused>
where
    S: AsyncRead + AsyncWrite + Unpin + Send,
{
    let fatal = |code, text: &str| Refused::Fatal(Fatal::new(code, text));
    if parameters
        .get("replication")
        .is_some_and(|wanted| !["false", "off", "no", "0"].contains(&wanted.as_str()))
    {
        return Err(fatal("0A000", "replication is not supported"));
    }
    let user = parameters.get("user").cloned().unwrap_or_default();
    let mut options = Options::take(parameters);
    let by_name = name.and_then(|name| name.strip_prefix("db.")).and_then(|rest| rest.split('.').next());
    // A direct connection names its project in the host, one through the pooler in the user or an option.
    let pooled = match user.rsplit_once('.') {
        Some((role, project)) => Some((role.to_owned(), project.to_owned())),
        None => options.reference.take().map(|project| (user.clone(), project)),
    };
    let is_pooled = pooled.is_some();
    let (role, project) = match pooled {
        Some((role, project)) => (role, Some(project)),
        None => (user, by_name.map(str::to_owned)),
    };
    let unknown = || fatal("XX000", "Tenant or user not found");
    let is_plain =
        |project: &String| !project.is_empty() && project.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let project = project.filter(is_plain).ok_or_else(unknown)?;
    let opening = calls::plain(&project, ConnectionAction::Open);
    let opening = UseConnection { user: Some(role.clone()), pooled: is_pooled, ..opening };
    for world in worlds(app, options.world.as_deref()) {
        let caller = Caller { world, project: project.clone(), connection: 0, runs: Arc::default() };
        let opened = match calls::call(&caller.world, &caller.runs, &opening).await {
            Ok(opened) => opened,
            Err(Failure::Unknown) => continue,
            Err(Failure::Broken) => return Err(Refused::Lost(io::ErrorKind::ConnectionReset.into())),
            Err(Failure::Refused(text) | Failure::TooLong(text)) => return Err(fatal("08006", &text)),
        };
        let caller = Caller { connection: opened.connection, ..caller };
        let Some(proof) = opened.proof else { return Err(unknown()) };
        let known = proves(stream, &proof).await;
        if !matches!(known, Ok(true)) {
            // Whether or not this succeeds, the client is not admitted.
            let _ = caller.close().await;
            known?;
            return Err(fatal("28P01", &format!("password authentication failed for user \"{role}\"")));
        }
        let password = match &opened.server {
            Some(_) => {
                let found =
                    caller.world.with(crate::worlds::Touch::Reads, |inside| inside.sim.database_server());
                let server = found.await.map_err(|error| fatal("08006", &error.message))?;
                server.and_then(|server| server.entrance_password())
            }
            None => None,
        };
        let server = opened.server.map(|place| Place { place, password });
        return Ok(Admitted { caller, server });
    }
    Err(unknown())
}

/// The worlds that a client may mean: the one that it names, or the main one, and then the others.
fn worlds(app: &App, name: Option<&str>) -> Vec<Arc<World>> {
    match name {
        Some(name) => app.hub.find(name).into_iter().collect(),
        None => {
            let main = Arc::clone(&app.hub.main);
            let others = app.hub.all().into_iter().filter(|world| !Arc::ptr_eq(world, &main));
            std::iter::once(Arc::clone(&main)).chain(others).collect()
        }
    }
}

/// What `options` says about the database; the rest of it is the server's.
#[derive(Default)]
struct Options {
    reference: Option<String>,
    world: Option<String>,
}

impl Options {
    fn take(parameters: &mut BTreeMap<String, String>) -> Options {
        let mut found = Options::default();
        let Some(text) = parameters.remove("options") else { return found };
        let mut rest = Vec::new();
        for word in text.split_whitespace() {
            match word.trim_start_matches("--").split_once('=') {
                Some(("reference", value)) => found.reference = Some(value.to_owned()),
                Some(("world", value)) => found.world = Some(value.to_owned()),
                _ => rest.push(word),
            }
        }
        if !rest.is_empty() {
            parameters.insert("options".to_owned(), rest.join(" "));
        }
        found
    }
}

/// Whether the client has the password. It sends a proof, never the password.
async fn proves<S>(stream: &mut Output<S>, proof: &PasswordProof) -> io::Result<bool>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    const SASL: i32 = 10;
    const SASL_CONTINUE: i32 = 11;
    const SASL_FINAL: i32 = 12;
    stream.authentication(SASL, b"SCRAM-SHA-256\0\0");
    stream.flush().await?;
    let Some(mut first) = stream.read().await?.filter(|message| message.kind == b'p') else {
        return Ok(false);
    };
    if first.body.text()? != "SCRAM-SHA-256" {
        return Ok(false);
    }
    let first = first.body.value()?.unwrap_or_default();
    let Some((exchange, challenge)) = scram::Exchange::begin(proof, &first) else { return Ok(false) };
    stream.authentication(SASL_CONTINUE, challenge.as_bytes());
    stream.flush().await?;
    let Some(mut last) = stream.read().await?.filter(|message| message.kind == b'p') else {
        return Ok(false);
    };
    let Some(signature) = exchange.finish(last.body.rest()) else { return Ok(false) };
    stream.authentication(SASL_FINAL, signature.as_bytes());
    stream.authentication(0, &[]);
    Ok(true)
}
