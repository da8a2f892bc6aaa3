//! A signing key outside the world. The embedder signs with it, and the core never holds it.

use std::sync::Arc;

/// Signs bytes with the RSA key of a service account (PKCS#1 v1.5, SHA-256). The same bytes always have the same
/// signature.
///
/// It signs the tokens of the simulated warehouse's requests when these are shown. No signature is stored in the world.
pub type Signer = Arc<dyn Fn(&[u8]) -> Vec<u8> + Send + Sync>;
