// How to reach a world: its address, its token, and the first lines of a client in several languages.

import { html, useState } from "../vendor/preact.js";
import { Code } from "../lib/code.js";
import { Button, copy, Facts, Panel } from "../lib/ui.js";

const LANGUAGES = [
  ["shell", "Shell", shell],
  ["environment", "Environment", environment],
  ["python", "Python", python],
  ["typescript", "TypeScript", typescript],
  ["rust", "Rust", rust],
];

export function Connect({ world }) {
  const [language, choose] = useState("shell");
  const base = location.origin + (world.name === "main" ? "" : world.base);
  const { token, analytics_token } = world.info;
  const management = world.has("management");
  const [, , lines] = LANGUAGES.find(([id]) => id === language);
  const text = lines({ main: token, analytics: analytics_token, base, token: management ? token : analytics_token ?? token, path: management ? "/v1/projects" : "/api/sources", management });
  return html`<${Panel} title="Connect a client" aside=${html`<${Button} icon="copy" onClick=${() => copy(text, "Lines")}>Copy</${Button}>`}>
    <${Facts} of=${[["Address", html`<${Copied} text=${base} what="Address" />`], token && ["Token", html`<${Copied} text=${token} what="Token" />`], analytics_token && ["Token of /api", html`<${Copied} text=${analytics_token} what="Token of /api" />`]]} />
    <div class="tabs" role="tablist" aria-label="Language">
      ${LANGUAGES.map(([id, name]) => html`<button role="tab" id=${`language-${id}`} aria-selected=${id === language} aria-controls="connect-lines" onClick=${() => choose(id)}>${name}</button>`)}
    </div>
    <div id="connect-lines" role="tabpanel" aria-labelledby=${`language-${language}`}><${Code} label="Lines of a client" language=${language === "shell" || language === "environment" ? "text" : "code"} text=${text} /></div>
  </${Panel}>`;
}

function Copied({ text, what }) {
  return html`<span class="copied"><code>${text}</code><${Button} kind="quiet" icon="copy" label=${`Copy: ${what}`} onClick=${() => copy(text, what)} /></span>`;
}

const DEMO = { name: "demo", organization_id: "acme", region: "us-east-1", db_pass: "correct horse battery" };

function shell({ base, token, path, management }) {
  const list = `curl -H 'Authorization: Bearer ${token}' ${base}${path}`;
  if (!management) return list;
  return `${list}\n\ncurl -X POST -H 'Authorization: Bearer ${token}' -H 'Content-Type: application/json' \\\n  -d '${JSON.stringify(DEMO)}' \\\n  ${base}/v1/projects`;
}

function environment({ base, token, main, analytics }) {
  const second = analytics ? `\nexport STUNTDOUBLE_ANALYTICS_TOKEN=${analytics}` : "";
  return `export STUNTDOUBLE_URL=${base}\nexport STUNTDOUBLE_TOKEN=${main ?? token}${second}\nexport PLATFORM_API_URL=${base}\nexport PLATFORM_ACCESS_TOKEN=${token}`;
}

function python({ base, token, path }) {
  return `import httpx\n\nclient = httpx.Client(base_url="${base}", headers={"Authorization": "Bearer ${token}"})\nprint(client.get("${path}").json())`;
}

function typescript({ base, token, path }) {
  return `const answer = await fetch("${base}${path}", {\n  headers: { authorization: "Bearer ${token}" },\n});\nconsole.log(await answer.json());`;
}

function rust({ base, token, path }) {
  return `let client = reqwest::Client::new();\nlet answer = client.get("${base}${path}").bearer_auth("${token}").send().await?;\nprintln!("{}", answer.text().await?);`;
}
