"""A published OAuth library gets a user's grant for an app: code with PKCE, refresh, calls within its scopes, revocation."""

import os

import requests
from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session

URL = os.environ["STUNTDOUBLE_URL"]
REDIRECT = "https://client.example/callback"
APP = {"client_id": "6f1c2a30-8d7b-4e51-9a64-0b3f5c7d9e12", "client_secret": "app-secret"}

app = {**APP, "name": "App", "redirect_uris": [REDIRECT], "scopes": ["organizations:read", "projects:read"]}
requests.post(f"{URL}/_sim/oauth/apps", json=app).raise_for_status()

for method in ["client_secret_post", "client_secret_basic"]:
    session = OAuth2Session(
        **APP,
        redirect_uri=REDIRECT,
        code_challenge_method="S256",
        token_endpoint=f"{URL}/v1/oauth/token",
        token_endpoint_auth_method=method,
        revocation_endpoint_auth_method=method,
    )
    verifier = generate_token(48)
    address, state = session.create_authorization_url(f"{URL}/v1/oauth/authorize", code_verifier=verifier)
    answer = requests.get(address, allow_redirects=False)
    assert answer.is_redirect, answer.text
    token = session.fetch_token(authorization_response=answer.headers["location"], state=state, code_verifier=verifier)
    assert session.get(f"{URL}/v1/organizations").status_code == 200
    refused = session.post(f"{URL}/v1/organizations", json={"name": "other"})
    assert refused.status_code == 403, refused.text
    fresh = session.refresh_token(f"{URL}/v1/oauth/token", refresh_token=token["refresh_token"])
    assert fresh["access_token"] != token["access_token"]
    assert session.get(f"{URL}/v1/projects").status_code == 200
    print(f"oauth, {method}: code with PKCE, calls, refresh")
