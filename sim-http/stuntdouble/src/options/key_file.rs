//! The key file of a service account. It signs the tokens in requests to the modelled warehouse.

use std::path::Path;
use std::sync::Arc;

use rcgen::{KeyPair, PKCS_RSA_SHA256, SigningKey as _};
use serde::Deserialize;
use sim_core::engine::Signer;

use crate::files;

/// The fields of the file that are used.
#[derive(Deserialize)]
struct KeyFile {
    project_id: String,
    client_email: String,
    private_key: String,
}

/// Reads the key in `file`; returns the address of the service account and its signer, or what is wrong.
pub(crate) fn read(file: &str, project_id: &str) -> Result<(String, Signer), String> {
    let text = files::settings(Path::new(file))?;
    let file: KeyFile = serde_json::from_str(&text).map_err(|error| format!("is no key file, {error}"))?;
    if file.project_id != project_id {
        return Err(format!("is of the project {:?}, not of {project_id:?}", file.project_id));
    }
    let signer = signer(&file.private_key).ok_or("private_key is no RSA key in PEM that can sign")?;
    Ok((file.client_email, signer))
}

fn signer(pem: &str) -> Option<Signer> {
    let pair = KeyPair::from_pem(pem).ok().filter(|pair| pair.is_compatible(&PKCS_RSA_SHA256))?;
    pair.sign(b"whether it can").ok()?;
    Some(Arc::new(move |bytes| pair.sign(bytes).expect("a key that has signed signs again")))
}
