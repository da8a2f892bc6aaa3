//! Exporting a world as data, to be restored elsewhere: its rows, its databases, its clock.

use std::io::{Read as _, Write as _};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use sim_base::ToSchema;
use sim_base::error::Error;
use sim_base::format::{self, FORMAT};
use sim_base::rng::hex;
use sim_base::upload::Blob;

use super::Simulator;
use crate::engine::service::setup::Setup;

/// The state of an exported world, to be restored in a world with the same setup. [`Simulator::export`](crate::Simulator::export)
/// writes it; a state that was edited is refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct State {
    /// The version of the export: 1.
    #[serde(deserialize_with = "format::read")]
    format: u32,
    /// How many calls the world had answered.
    pub(crate) calls: u64,
    /// The whole state as one piece, compressed.
    piece: Blob,
    /// A digest of the state and the setup, so that changes are noticed.
    #[schemars(length(equal = 64))]
    digest: String,
}

impl State {
    fn digest_for(&self, setup: &Setup) -> String {
        let beginning = (setup.registry.service.name, setup.seed, setup.start, &setup.world);
        let beginning = serde_json::to_vec(&beginning).expect("a world is plain data");
        let digest = Sha256::new()
            .chain_update(beginning)
            .chain_update(self.calls.to_le_bytes())
            .chain_update(&self.piece.0)
            .finalize();
        hex(&digest)
    }
}

impl Simulator {
    /// Exports the state of this world. Refuses with 409 if a server stores the databases or events, because they
    /// stay there.
    pub(crate) fn state(&self) -> Result<State, Error> {
        let piece = Blob(compress(&self.snapshot().changes(None)?));
        let mut state = State { format: FORMAT, calls: self.calls(), piece, digest: String::new() };
        state.digest = state.digest_for(&self.setup);
        Ok(state)
    }

    /// Restores an exported state in this world, which must be new and have begun like the exported one. Stale reads
    /// cannot look back beyond this point.
    pub(crate) fn restore_state(&mut self, state: &State) -> Result<(), Error> {
        let wrong = |text: &str| Error::invalid("invalid_seed.state", format!("state: {text}"));
        if state.digest != state.digest_for(&self.setup) {
            return Err(wrong(
                "was changed, or belongs to a world with another seed, start, service, or other people",
            ));
        }
        if self.setup.server.is_some() || self.setup.events.is_some() {
            return Err(wrong("has its databases in itself; leave out the server"));
        }
        let piece = decompress(&state.piece.0).map_err(|text| wrong(&text))?;
        self.follow(&piece).and_then(|()| self.take_up()).map_err(|error| wrong(&error.message))?;
        match self.calls() {
            calls if calls == state.calls => Ok(()),
            calls => {
                Err(wrong(&format!("says that it has answered {} calls, its piece has {calls}", state.calls)))
            }
        }
    }
}

/// The largest world that is unpacked, in bytes, so that a small file cannot fill the memory: the largest at all, the largest of any
/// small file, and how many times as large as its file another may be.
const LARGEST: usize = 1 << 30;
const LARGEST_OF_SMALL: usize = 64 << 20;
const TIMES: usize = 24;

/// How many bytes may be unpacked from so many.
fn most(packed: usize) -> usize {
    packed.saturating_mul(TIMES).clamp(LARGEST_OF_SMALL, LARGEST)
}

/// Bytes that could be packed so well that they would not be unpacked again are not packed.
fn compress(bytes: &[u8]) -> Vec<u8> {
    let pack = |level: Compression| {
        let mut packer = GzEncoder::new(Vec::new(), level);
        packer.write_all(bytes).expect("memory takes what is written");
        packer.finish().expect("memory takes what is written")
    };
    let packed = pack(Compression::default());
    if bytes.len() > most(packed.len()) { pack(Compression::none()) } else { packed }
}

fn decompress(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let (mut whole, most) = (Vec::new(), most(bytes.len()));
    let mut unpacker = GzDecoder::new(bytes).take(most as u64 + 1);
    unpacker.read_to_end(&mut whole).map_err(|error| format!("can't be unpacked, {error}"))?;
    if whole.len() > most {
        return Err(format!("has {} bytes that unpack to more than {most}; export it again", bytes.len()));
    }
    Ok(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_that_says_another_number_of_calls_is_refused() {
        let mut sim = Simulator::builder().build();
        let refused = |state: &State| Simulator::builder().build().restore_state(state);
        sim.handle(&http::Request::get("/v1/projects").body(bytes::Bytes::new()).expect("a request"));
        let mut state = sim.state().expect("it is all in its pages");
        assert!(refused(&state).is_ok());
        for calls in [0, 2, 1 << 63, u64::MAX] {
            state.calls = calls;
            state.digest = state.digest_for(&sim.setup);
            let refusal = refused(&state).expect_err("it has answered one call");
            let words = format!("says that it has answered {calls} calls, its piece has 1");
            assert!(refusal.message.ends_with(&words), "{refusal}");
        }
    }

    #[test]
    fn a_small_file_does_not_fill_the_memory() {
        let zeros = vec![0; LARGEST_OF_SMALL + 1];
        let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
        packer.write_all(&zeros).expect("memory takes it");
        let bomb = packer.finish().expect("memory takes it");
        assert!(bomb.len() < 1 << 20, "{}", bomb.len());
        let refusal = decompress(&bomb).expect_err("it is too large");
        assert!(refusal.ends_with("bytes that unpack to more than 67108864; export it again"), "{refusal}");
        assert!(decompress(&compress(&zeros)).is_ok_and(|again| again == zeros), "exports are read again");
    }
}
