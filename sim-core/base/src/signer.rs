//! A key that stays outside of the world: the embedder signs with it, the core never holds it.

use std::sync::Arc;

/// Signs bytes with the RSA key of a service account (PKCS#1 v1.5, SHA-256): the same bytes always have the same signature.
///
/// It signs the tokens of the modelled warehouse's requests when they are looked at; nothing of it is in the world.
pub type Signer = Arc<dyn Fn(&[u8]) -> Vec<u8> + Send + Sync>;
