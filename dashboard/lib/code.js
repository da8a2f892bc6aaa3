// Code with syntax highlighting.

import { html } from "../vendor/preact.js";

const JSON_PARTS = /("(?:\\.|[^"\\])*")(\s*:)?|\b(true|false|null)\b|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/g;

const WORDS =
  "all|alter|and|array|as|asc|between|by|case|cast|column|constraint|create|cross|default|delete|desc|distinct|drop|else|end|except|exists|false|" +
  "foreign|from|full|function|group|having|if|in|index|inner|insert|intersect|interval|into|is|join|key|lateral|left|like|limit|" +
  "not|null|offset|on|or|order|outer|over|partition|policy|primary|qualify|references|returning|right|row|schema|select|set|struct|table|then|" +
  "timestamp|trigger|true|truncate|union|unique|unnest|update|using|values|view|when|where|window|with";
const SQL_PARTS = new RegExp(
  String.raw`(--[^\n]*|/\*[\s\S]*?\*/)|('(?:''|[^'])*'|\$\$[\s\S]*?\$\$)|(\b\d+(?:\.\d+)?\b)|(\b(?:${WORDS})\b)|(@\w+)`,
  "gi",
);

const CODE_PARTS = new RegExp(
  String.raw`(//[^\n]*|/\*[\s\S]*?\*/)|("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|${"`"}[^${"`"}]*${"`"})|(\b\d+(?:\.\d+)?\b)|` +
    String.raw`(\b(?:as|async|await|boolean|const|export|extends|fn|for|from|function|if|import|in|interface|keyof|let|mut|never|null|number|pub|return|string|struct|type|undefined|use|unknown)\b)`,
  "g",
);

function parts(text, pattern, names) {
  const found = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index > end) found.push(text.slice(end, match.index));
    const at = names.findIndex((_, index) => match[index + 1] !== undefined);
    found.push(html`<span class=${names[at]}>${match[0]}</span>`);
    end = match.index + match[0].length;
  }
  found.push(text.slice(end));
  return found;
}

const LANGUAGES = {
  sql: (text) => parts(text, SQL_PARTS, ["c-note", "c-text", "c-number", "c-word", "c-name"]),
  code: (text) => parts(text, CODE_PARTS, ["c-note", "c-text", "c-number", "c-word"]),
  json: (text) => {
    const found = [];
    let end = 0;
    for (const match of text.matchAll(JSON_PARTS)) {
      const [whole, string, colon, word] = match;
      found.push(text.slice(end, match.index));
      const kind = string ? (colon ? "c-name" : "c-text") : word ? "c-word" : "c-number";
      found.push(html`<span class=${kind}>${string ?? whole}</span>`, colon ?? "");
      end = match.index + whole.length;
    }
    found.push(text.slice(end));
    return found;
  },
  text: (text) => [text],
};

export function highlight(text, language) {
  return LANGUAGES[language](text);
}

/** Longer texts are shown without colours, which could block the browser. */
const COLOURED = 60_000;

/** A block of code. */
export function Code({ text, language = "text", label }) {
  const shown = text.length > COLOURED ? text : highlight(text, language);
  return html`<pre class="code" tabindex="0" role="region" aria-label=${label ?? "Code"}>${shown}</pre>`;
}

/** A body as it was sent, formatted if it is JSON. */
export function Body({ text, label }) {
  if (!text) return html`<p class="none">No body</p>`;
  try {
    return html`<${Code} label=${label} language="json" text=${JSON.stringify(JSON.parse(text), null, 2)} />`;
  } catch {
    return html`<${Code} label=${label} text=${text} />`;
  }
}
