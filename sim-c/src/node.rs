//! The class that Node finds in the shared library when it loads it as an addon.
//!
//! Node's own functions are looked up when it does so; without Node the library needs none of them. The memory of a world is
//! given back by `close`, or when JavaScript no longer reaches its handle.

use napi::Env;
use napi::bindgen_prelude::{Buffer, Error, ObjectFinalize, Result, Uint8Array};
use napi_derive::napi;

use sim_in_process::{Asked, lines, mishap};

/// What JavaScript is told that a world takes, so that it collects handles that it no longer reaches: about as much as a world
/// with a few projects.
const WORLD_BYTES: i64 = 2 << 20;

/// A world of a service in this process.
#[napi(custom_finalize)]
pub struct World {
    held: Option<sim_in_process::World>,
}

/// An answer.
#[napi(object)]
pub struct Reply {
    pub status: u16,
    /// Lines of `name: value`.
    pub headers: String,
    pub body: Buffer,
    /// 0: none; 1: the answer is late; 2: reset; 3: broken in the body; 4: in pieces.
    pub mishap: u32,
    pub mishap_ms: f64,
}

#[napi]
impl World {
    /// Makes a world from the body of `POST /_sim/worlds`.
    ///
    /// # Errors
    ///
    /// The settings are wrong; the message names the field.
    #[napi(constructor, catch_unwind)]
    pub fn new(env: Env, settings: String) -> Result<World> {
        let made = sim_in_process::World::new(&settings).map_err(Error::from_reason)?;
        env.adjust_external_memory(WORLD_BYTES)?;
        Ok(World { held: Some(made) })
    }

    /// What `GET /_sim/worlds/{name}` said when the world was made.
    ///
    /// # Errors
    ///
    /// The world is closed.
    #[napi(getter)]
    pub fn info(&self) -> Result<String> {
        Ok(self.open()?.info.to_string_lossy().into_owned())
    }

    /// Answers a request; `headers` has lines of `name: value`.
    ///
    /// # Errors
    ///
    /// The world is closed, or a part of the request is none; the message names the part.
    #[napi(catch_unwind)]
    pub fn handle(
        &self,
        method: String,
        target: String,
        headers: String,
        body: Option<Uint8Array>,
    ) -> Result<Reply> {
        let body = body.as_deref().unwrap_or_default();
        let world = self.open()?;
        let headers = sim_in_process::headers(&headers).map_err(Error::from_reason)?;
        let asked = Asked { method: &method, target: &target, headers, body };
        let answer = world.handle(asked).map_err(Error::from_reason)?;
        let (mishap, milliseconds) = mishap(&answer);
        let (parts, body) = answer.into_parts();
        Ok(Reply {
            status: parts.status.as_u16(),
            headers: lines(&parts.headers),
            body: Buffer::from(Vec::from(body)),
            mishap,
            // Exact up to 2^53 ms, far beyond what a rule may say.
            mishap_ms: milliseconds as f64,
        })
    }

    /// Ends the world. Closing twice is closing once.
    ///
    /// # Errors
    ///
    /// JavaScript is ending.
    #[napi(catch_unwind)]
    pub fn close(&mut self, env: Env) -> Result<()> {
        if self.held.take().is_some() {
            env.adjust_external_memory(-WORLD_BYTES)?;
        }
        Ok(())
    }

    fn open(&self) -> Result<&sim_in_process::World> {
        self.held.as_ref().ok_or_else(|| Error::from_reason("this simulator is closed"))
    }
}

impl ObjectFinalize for World {
    fn finalize(mut self, env: Env) -> Result<()> {
        self.close(env)
    }
}
