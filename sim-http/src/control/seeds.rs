//! `/_sim/export` and `/_sim/scenarios`: worlds as seed files, and named worlds to start from.

use std::borrow::Cow;

use bytes::Bytes;
use http::header::{ACCEPT, CONTENT_DISPOSITION, CONTENT_TYPE};
use http::{HeaderValue, Response};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use sim_core::Error;
use sim_core::engine::{Meta, get};
use sim_core::seed::{Seed, scenario};

use super::{Control, Place, Run};
use crate::request::json_response;
use crate::worlds::Touch;

/// Export the chosen world as a seed file. A world made from that file answers every call as this one would.
///
/// The file is TOML when the request accepts `application/toml`. It has the whole world with its secrets. 409 when its databases
/// or events are on a PostgreSQL server.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Export {}

/// A world as a seed file: `stuntdouble seed-schema` prints its schema.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SeedFile(pub Seed);

impl JsonSchema for SeedFile {
    fn schema_name() -> Cow<'static, str> {
        "SeedFile".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "description": "A world as a seed file: `stuntdouble seed-schema` prints its schema."
        })
    }
}

impl Control for Export {
    type Output = SeedFile;
    const META: Meta = Meta { also: &[409], ..get("sim-export-world", "/_sim/export") };
}

impl Run for Export {
    async fn run(self, place: &Place<'_>) -> Result<SeedFile, Error> {
        place.world.with(Touch::Reads, |inside| inside.sim.export()).await?.map(SeedFile)
    }

    fn respond(output: &SeedFile, place: &Place<'_>) -> Response<Bytes> {
        let accepts = place.parts.headers.get(ACCEPT).and_then(|accepts| accepts.to_str().ok());
        if !accepts.is_some_and(|accepts| accepts.contains("toml")) {
            return as_file(json_response(output), "attachment; filename=\"seed.json\"");
        }
        let mut response = Response::new(Bytes::from(output.0.to_toml()));
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/toml"));
        as_file(response, "attachment; filename=\"seed.toml\"")
    }
}

fn as_file(mut response: Response<Bytes>, disposition: &'static str) -> Response<Bytes> {
    response.headers_mut().insert(CONTENT_DISPOSITION, HeaderValue::from_static(disposition));
    response
}

/// A scenario: a prepared world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ScenarioInfo {
    /// Its name, as in `paused-project`.
    pub name: String,
    /// The state that it is in.
    pub about: Cow<'static, str>,
}

/// List the scenarios: prepared worlds, for the field `scenario` of a new world.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListScenarios {}

impl Control for ListScenarios {
    type Output = Vec<ScenarioInfo>;
    const META: Meta = get("sim-list-scenarios", "/_sim/scenarios");
}

impl Run for ListScenarios {
    async fn run(self, _: &Place<'_>) -> Result<Vec<ScenarioInfo>, Error> {
        Ok(scenario::ALL
            .iter()
            .map(|one| ScenarioInfo { name: one.name(), about: one.about.into() })
            .collect())
    }
}
