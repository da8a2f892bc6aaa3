// A call of the journal as curl, and as a test in several languages.

import { html, useState } from "../vendor/preact.js";
import { Code } from "./code.js";
import { useLoad } from "./api.js";
import { Button, copy, Loaded } from "./ui.js";

const FORMS = [
  ["curl", asCurl],
  ["Rust test", asRust],
  ["Python test", asPython],
  ["TypeScript test", asTypeScript],
];

export function Copies({ world, service, call }) {
  const [form, choose] = useState("curl");
  const known = useLoad(() => knownOf(world, service, call), [world.name, service, call.call], { still: true });
  const languages = html`<div class="tabs" role="tablist" aria-label="Forms of the call">
      ${FORMS.map(([name]) => html`<button role="tab" id=${`form-${name}`} aria-selected=${name === form} aria-controls="form" onClick=${() => choose(name)}>${name}</button>`)}
    </div>`;
  const copied = (more) => {
    const text = FORMS.find(([name]) => name === form)[1](new Sent(world, service, call, more));
    return html`<div class="actions start"><${Button} icon="copy" onClick=${() => copy(text, form === "curl" ? "curl line" : form)}>Copy as ${form}</${Button}></div>
      <${Code} label=${form} language=${form === "curl" ? "text" : "code"} text=${text} />`;
  };
  return html`${languages}<div id="form" role="tabpanel" aria-labelledby=${`form-${form}`}><${Loaded} from=${known}>${copied}</${Loaded}></div>`;
}

/** What the journal does not show of a call: who the first user is, and the body as it was sent if the journal masks it. */
async function knownOf(world, service, call) {
  const { user, isFirst } = await callerOf(world, call.caller.token);
  const isWhole = service !== "management" || !call.request || !(call.request.includes(MASK) || call.target.startsWith("/v1/oauth/"));
  if (isWhole) return { user, isFirst };
  // A world that has dropped calls has no replay file.
  const file = await world.control("GET", "/replay").catch(() => undefined);
  const sent = file?.calls[call.call - 1];
  return { user, isFirst, sent: sent?.target === call.target ? sent : undefined };
}

/** The user whose token has this number, and whether it is the first one of the world's first user: the token that the world shows. */
async function callerOf(world, token) {
  if (token === undefined) return { isFirst: true };
  const [users, tokens] = await Promise.all([world.peek("/_sim/users"), world.peek("/_sim/tokens")]);
  const user = tokens.find((one) => one.id === token)?.user;
  const first = tokens.find((one) => one.user === users[0]?.name);
  return { user: user ?? `token_${token}`, isFirst: first?.id === token };
}

const MASK = "\u2022\u2022\u2022";

/** What is needed to send a call again. */
class Sent {
  constructor(world, service, call, { user, isFirst, sent }) {
    Object.assign(this, { world, service, call });
    const { info } = world;
    const own = service === "analytics" ? (info.analytics_token ?? info.token) : info.token;
    this.isAnonymous = ["nobody", "control"].includes(call.caller);
    this.token = this.isAnonymous ? undefined : isFirst || service === "analytics" ? own : `TOKEN_OF_${user}`;
    this.isOwn = this.token === own;
    this.address = location.origin + world.base;
    this.body = sent?.body ?? call.request;
    this.type = sent?.headers?.["content-type"] ?? "application/json";
    this.basic = sent?.headers?.authorization?.startsWith("Basic ") ? sent.headers.authorization : undefined;
    this.notes = [
      ...(this.token && !this.isOwn ? [`${this.token}: put in a token of this user`] : []),
      ...(this.body?.includes(MASK) ? [`the journal masks secrets: replace ${MASK}`] : []),
    ];
  }

  /** The headers; `bearer` writes the token. */
  headers(bearer = (token) => `Bearer ${token}`) {
    const authorization = this.basic ?? (this.token && bearer(this.token));
    return { ...(authorization && { authorization }), ...(this.body && { "content-type": this.type }) };
  }

  /** The notes as comments. */
  comments(begin, indent = "") {
    return this.notes.map((note) => `${indent}${begin} ${note}\n`).join("");
  }
}

const quoted = (text) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

function asCurl(sent) {
  const { call, address, body } = sent;
  const words = [`curl -X ${call.method} ${quoted(address + call.target)}`];
  for (const [name, value] of Object.entries(sent.headers())) words.push(`-H ${quoted(`${name}: ${value}`)}`);
  if (body) words.push(`-d ${quoted(body)}`);
  return sent.comments("#") + words.join(" \\\n  ");
}

function asRust(sent) {
  const { service, call, body } = sent;
  const headers = Object.entries(sent.headers()).map(([name, value]) => `\n        .header("${name}", ${JSON.stringify(value)})`).join("");
  return `${sent.comments("//")}/// replay.json is the world's replay file, as downloaded from /_sim/replay.
#[test]
fn call_${call.call}() {
    let file: sim_core::Replay = serde_json::from_str(include_str!("replay.json")).expect("a replay file");
    let world = file.run(sim_core::${service}::registry()).expect("the answers are the same");
    let mut before = world.at_call(${call.call - 1}).expect("the journal is complete");
    before.advance_to("${call.at}".parse().expect("an instant"));
    let request = http::Request::builder()
        .method("${call.method}")
        .uri(${JSON.stringify(call.target)})${headers}
        .body(bytes::Bytes::from(${body ? `r#"${body}"#` : '""'}))
        .expect("a request");
    assert_eq!(before.handle(&request).status(), ${call.status});
}
`;
}

/** The fields of a fork of the world as it was before the call. */
const before = ({ service, call }) => ({ at_call: call.call - 1, service });

function asPython(sent) {
  const { call, world, address, body, isOwn, token } = sent;
  const own = isOwn && token;
  const headers = JSON.stringify(sent.headers(own ? () => "{TOKEN}" : undefined)).replace('"{TOKEN}"', 'f"Bearer {world.token}"');
  const content = body ? `,\n            content=${JSON.stringify(body)}` : "";
  return `import httpx
from stuntdouble import World


def test_call_${call.call}():
    now = World(${JSON.stringify({ name: world.name, url: address })})
${sent.comments("#", "    ")}    with now.fork(at_call=${before(sent).at_call}, service="${sent.service}") as world:
        world.advance(until="${call.at}")
        answer = httpx.request(
            "${call.method}",
            world.url + ${JSON.stringify(call.target)},
            headers=${headers}${content},
        )
        assert answer.status_code == ${call.status}
`;
}

function asTypeScript(sent) {
  const { call, world, address, body, isOwn, token } = sent;
  const own = isOwn && token;
  const headers = JSON.stringify(sent.headers(own ? () => "{TOKEN}" : undefined)).replace('"{TOKEN}"', "`Bearer ${world.token}`");
  const content = body ? `\n    body: ${JSON.stringify(body)},` : "";
  return `import { World } from "stuntdouble";
import { expect, test } from "vitest";

test("call ${call.call}", async () => {
  const now = new World(${JSON.stringify({ name: world.name, url: address })});
${sent.comments("//", "  ")}  await using world = await now.fork(${JSON.stringify(before(sent))});
  await world.advance({ until: "${call.at}" });
  const answer = await fetch(world.url + ${JSON.stringify(call.target)}, {
    method: "${call.method}",
    headers: ${headers},${content}
  });
  expect(answer.status).toBe(${call.status});
});
`;
}
