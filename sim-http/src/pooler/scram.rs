//! The server's side of SCRAM-SHA-256.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::{Digest as _, Sha256};
use sim_core::management::connection::PasswordProof;

/// An exchange that waits for the client's proof.
pub(super) struct Exchange {
    stored_key: Vec<u8>,
    server_key: Vec<u8>,
    nonce: String,
    /// What both have said so far.
    said: String,
    /// The client's header, which its proof repeats.
    header: String,
}

impl Exchange {
    /// Reads the client's first message; also returns the challenge. `None` if the message is none.
    pub(super) fn begin(proof: &PasswordProof, first: &[u8]) -> Option<(Exchange, String)> {
        let first = std::str::from_utf8(first).ok()?;
        let mut parts = first.splitn(3, ',');
        let (flag, identity, bare) = (parts.next()?, parts.next()?, parts.next()?);
        // The client would bind the exchange to TLS only if that had been offered.
        if flag.starts_with("p=") {
            return None;
        }
        let theirs = bare.split(',').find_map(|part| part.strip_prefix("r="))?;
        let nonce = format!("{theirs}{}", nonce());
        let salt = STANDARD.encode(unhex(&proof.salt)?);
        let challenge = format!("r={nonce},s={salt},i={}", proof.rounds);
        let exchange = Exchange {
            stored_key: unhex(&proof.stored_key.0)?,
            server_key: unhex(&proof.server_key.0)?,
            nonce,
            said: format!("{bare},{challenge}"),
            header: STANDARD.encode(format!("{flag},{identity},")),
        };
        Some((exchange, challenge))
    }

    /// Checks the client's proof, and returns the server's; `None` if it is wrong.
    pub(super) fn finish(self, last: &[u8]) -> Option<String> {
        let last = std::str::from_utf8(last).ok()?;
        let (without, proof) = last.rsplit_once(",p=")?;
        if without != format!("c={},r={}", self.header, self.nonce) {
            return None;
        }
        let said = format!("{},{without}", self.said);
        let signature = mac(&self.stored_key, said.as_bytes());
        let proof = STANDARD.decode(proof).ok().filter(|proof| proof.len() == signature.len())?;
        let key: Vec<u8> = proof.iter().zip(signature).map(|(byte, other)| byte ^ other).collect();
        let is_right = Sha256::digest(key)[..] == self.stored_key[..];
        is_right.then(|| format!("v={}", STANDARD.encode(mac(&self.server_key, said.as_bytes()))))
    }
}

fn mac(key: &[u8], text: &[u8]) -> [u8; 32] {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("a key has any length");
    mac.update(text);
    mac.finalize().into_bytes().into()
}

/// A number that is not used twice.
fn nonce() -> String {
    use std::hash::BuildHasher as _;
    let random = std::collections::hash_map::RandomState::new();
    STANDARD.encode([random.hash_one(1), random.hash_one(2)].map(u64::to_le_bytes).concat())
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u32>> = text.chars().map(|digit| digit.to_digit(16)).collect();
    digits?.chunks(2).map(|pair| u8::try_from(pair.first()? * 16 + pair.get(1)?).ok()).collect()
}

#[cfg(test)]
mod tests {
    use postgres_protocol::authentication::sasl::{ChannelBinding, ScramSha256};
    use sim_core::management::project::CreateProject;
    use sim_core::{Simulator, management::connection};

    use super::*;

    #[test]
    fn a_client_with_the_password_is_known_and_another_is_not() {
        let mut sim = Simulator::builder().build();
        let project = sim.call(CreateProject::named("demo", "acme")).expect("the name is new");
        sim.advance(std::time::Duration::from_secs(600));
        let open = super::super::calls::plain(&project.id.0, connection::ConnectionAction::Open);
        let opened = sim.as_admin().call(open).expect("the database answers");
        let proof = opened.proof.expect("it has a password");
        for (password, known) in [("correct horse", true), ("wrong", false)] {
            let mut client = ScramSha256::new(password.as_bytes(), ChannelBinding::unsupported());
            let (exchange, challenge) = Exchange::begin(&proof, client.message()).expect("a first message");
            client.update(challenge.as_bytes()).expect("a challenge");
            let answer = exchange.finish(client.message());
            assert_eq!(
                answer.is_some_and(|answer| client.finish(answer.as_bytes()).is_ok()),
                known,
                "{password}"
            );
        }
    }
}
