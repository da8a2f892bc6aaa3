//! `/.well-known/oauth-authorization-server`: where clients find the addresses of OAuth (RFC 8414), and that they can register
//! themselves. The addresses are absolute, so only a server can tell them.

use serde_json::{Value, json};
use sim_core::Operation as _;
use sim_core::management::oauth::{Authorize, ExchangeToken, RevokeAuthorization};
use sim_core::management::oauth_app::OAuthScope;
use sim_core::management::oauth_client::RegisterClient;

use crate::worlds::split_prefix;

pub(crate) const PATH: &str = "/.well-known/oauth-authorization-server";

/// The world that a path names, and the path in that world. The name of a world stands before the path or, as RFC 8414 says,
/// after it.
pub(crate) fn world_of(path: &str) -> Option<(&str, &str)> {
    split_prefix(path).or_else(|| Some((split_prefix(path.strip_prefix(PATH)?)?.0, PATH)))
}

/// The metadata of the world at `base`.
pub(crate) fn metadata(base: &str) -> Value {
    let at = |path: &str| format!("{base}{path}");
    json!({
        "issuer": base,
        "authorization_endpoint": at(Authorize::META.path),
        "token_endpoint": at(ExchangeToken::META.path),
        "registration_endpoint": at(RegisterClient::META.path),
        "revocation_endpoint": at(RevokeAuthorization::META.path),
        "scopes_supported": OAuthScope::ALL,
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post"],
        "code_challenge_methods_supported": ["S256", "plain"],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_world_is_named_before_or_after_the_path() {
        for path in
            ["/w/one/.well-known/oauth-authorization-server", "/.well-known/oauth-authorization-server/w/one"]
        {
            assert_eq!(world_of(path), Some(("one", PATH)), "{path}");
        }
        assert_eq!(world_of(PATH), None);
        assert_eq!(world_of("/w/one/v1/projects"), Some(("one", "/v1/projects")));
    }
}
