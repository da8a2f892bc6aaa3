// A call of the journal as curl, and as a test in several languages.

import { html, useState } from "../vendor/preact.js";
import { Code } from "./code.js";
import { Button, copy } from "./ui.js";

const FORMS = [
  ["curl", asCurl],
  ["Rust test", asRust],
  ["Python test", asPython],
  ["TypeScript test", asTypeScript],
];

export function Copies({ world, service, call }) {
  const [form, choose] = useState("curl");
  const text = FORMS.find(([name]) => name === form)[1](new Sent(world, service, call));
  return html`
    <div class="tabs" role="tablist" aria-label="Forms of the call">
      ${FORMS.map(([name]) => html`<button role="tab" id=${`form-${name}`} aria-selected=${name === form} aria-controls="form" onClick=${() => choose(name)}>${name}</button>`)}
    </div>
    <div id="form" role="tabpanel" aria-labelledby=${`form-${form}`}>
      <div class="actions start"><${Button} icon="copy" onClick=${() => copy(text, form === "curl" ? "curl line" : form)}>Copy as ${form}</${Button}></div>
      <${Code} label=${form} language=${form === "curl" ? "text" : "code"} text=${text} />
    </div>`;
}

/** What is needed to send a call again. */
class Sent {
  constructor(world, service, call) {
    Object.assign(this, { world, service, call });
    const { info } = world;
    this.token = call.caller === "control" ? undefined : service === "analytics" ? (info.analytics_token ?? info.token) : info.token;
    this.url = location.origin + world.base + call.target;
  }
}

const quoted = (text) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

function asCurl({ call, token, url }) {
  const words = [`curl -X ${call.method} ${quoted(url)}`];
  if (token) words.push(`-H ${quoted(`authorization: Bearer ${token}`)}`);
  if (call.request) words.push("-H 'content-type: application/json'", `-d ${quoted(call.request)}`);
  return words.join(" \\\n  ");
}

function asRust({ service, call, token }) {
  const bearer = token ? `\n        .header("authorization", "Bearer ${token}")` : "";
  return `/// replay.json is the world's replay file, as downloaded from /_sim/replay.
#[test]
fn call_${call.call}() {
    let file: sim_core::Replay = serde_json::from_str(include_str!("replay.json")).expect("a replay file");
    let world = file.run(sim_core::${service}::registry()).expect("the answers are the same");
    let mut before = world.at_call(${call.call - 1}).expect("the journal is complete");
    before.advance_to("${call.at}".parse().expect("an instant"));
    let request = http::Request::builder()
        .method("${call.method}")
        .uri(${JSON.stringify(call.target)})${bearer}
        .header("content-type", "application/json")
        .body(bytes::Bytes::from(${call.request ? `r#"${call.request}"#` : '""'}))
        .expect("a request");
    assert_eq!(before.handle(&request).status(), ${call.status});
}
`;
}

function asPython({ call, token, url }) {
  const headers = { ...(token && { authorization: `Bearer ${token}` }), ...(call.request && { "content-type": "application/json" }) };
  const body = call.request ? `,\n        content=${JSON.stringify(call.request)}` : "";
  return `import httpx


def test_call_${call.call}():
    answer = httpx.request(
        "${call.method}",
        ${JSON.stringify(url)},
        headers=${JSON.stringify(headers)}${body},
    )
    assert answer.status_code == ${call.status}
`;
}

function asTypeScript({ call, token, url }) {
  const headers = { ...(token && { authorization: `Bearer ${token}` }), ...(call.request && { "content-type": "application/json" }) };
  const body = call.request ? `\n    body: ${JSON.stringify(call.request)},` : "";
  return `import { expect, test } from "vitest";

test("call ${call.call}", async () => {
  const answer = await fetch(${JSON.stringify(url)}, {
    method: "${call.method}",
    headers: ${JSON.stringify(headers)},${body}
  });
  expect(answer.status).toBe(${call.status});
});
`;
}
