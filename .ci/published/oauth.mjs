// A published OAuth library gets a user's grant for an app: code with PKCE, calls within its scopes, refresh.
import assert from "node:assert/strict";
import * as oauth from "openid-client";

const url = process.env.STUNTDOUBLE_URL;
const redirect = "https://client.example/callback";
const [id, secret] = ["6f1c2a30-8d7b-4e51-9a64-0b3f5c7d9e13", "app-secret"];

const app = { name: "App", client_id: id, client_secret: secret, redirect_uris: [redirect], scopes: ["projects:read"] };
const made = await fetch(`${url}/_sim/oauth/apps`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(app),
});
assert.ok(made.ok, await made.text());

// Tokens are returned with 201, as in the service's document; this library accepts only 200.
const asked = async (...request) => {
    const answer = await fetch(...request);
    return answer.status === 201 ? new Response(answer.body, { headers: answer.headers }) : answer;
};
const server = { issuer: url, authorization_endpoint: `${url}/v1/oauth/authorize`, token_endpoint: `${url}/v1/oauth/token` };
for (const proof of [oauth.ClientSecretPost(secret), oauth.ClientSecretBasic(secret)]) {
    const config = new oauth.Configuration(server, id, secret, proof);
    oauth.allowInsecureRequests(config);
    config[oauth.customFetch] = asked;
    const [pkceCodeVerifier, expectedState] = [oauth.randomPKCECodeVerifier(), oauth.randomState()];
    const code_challenge = await oauth.calculatePKCECodeChallenge(pkceCodeVerifier);
    const ask = { redirect_uri: redirect, code_challenge, code_challenge_method: "S256", state: expectedState };
    const answer = await fetch(oauth.buildAuthorizationUrl(config, ask), { redirect: "manual" });
    const back = new URL(answer.headers.get("location"));
    const token = await oauth.authorizationCodeGrant(config, back, { pkceCodeVerifier, expectedState });
    const call = (access, path, method = "GET") =>
        oauth.fetchProtectedResource(config, access, new URL(path, url), method).then((answer) => answer.status);
    assert.equal(await call(token.access_token, "/v1/projects"), 200);
    assert.equal(await call(token.access_token, "/v1/snippets"), 403);
    const fresh = await oauth.refreshTokenGrant(config, token.refresh_token);
    assert.equal(await call(fresh.access_token, "/v1/projects"), 200);
    await assert.rejects(oauth.authorizationCodeGrant(config, back, { pkceCodeVerifier, expectedState }));
}
console.log("oauth: code with PKCE, calls, refresh, a code that was used is refused");
