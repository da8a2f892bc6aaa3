//! The key file of a service account: whether the tokens of requests can be signed with it.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rcgen::{KeyPair, PKCS_RSA_SHA256, SigningKey as _};
use serde::Deserialize;
use serde_json::json;

/// What of the file matters here.
#[derive(Deserialize)]
struct KeyFile {
    project_id: String,
    client_email: String,
    private_key: String,
}

/// Signs a token with the key in `file`; returns the address of the service account, or what is wrong.
pub(crate) fn check(file: &str, project_id: &str) -> Result<String, String> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("can't be read, {error}"))?;
    let file: KeyFile = serde_json::from_str(&text).map_err(|error| format!("is no key file, {error}"))?;
    if file.project_id != project_id {
        return Err(format!("is of the project {:?}, not of {project_id:?}", file.project_id));
    }
    sign(&file).map(|_| file.client_email)
}

/// A token that a request of the service account would bear.
fn sign(file: &KeyFile) -> Result<String, String> {
    let wrong = "private_key is no RSA key in PEM that can sign";
    let pair = KeyPair::from_pem(&file.private_key).map_err(|_| wrong)?;
    if !pair.is_compatible(&PKCS_RSA_SHA256) {
        return Err(wrong.to_owned());
    }
    let header = json!({ "alg": "RS256", "typ": "JWT" }).to_string();
    let claims = json!({ "iss": file.client_email, "scope": "warehouse" }).to_string();
    let signed = [header, claims].map(|part| URL_SAFE_NO_PAD.encode(part)).join(".");
    let signature = pair.sign(signed.as_bytes()).map_err(|_| wrong)?;
    Ok(format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature)))
}
