// Forms from the schemas of the control API's OpenAPI document, so that every control has one.

import { html, useState } from "../vendor/preact.js";
import { Field } from "./ui.js";

/** A form of the schema `given`, with references replaced. A value that may be null is like one that may be left out. */
export function resolved(given, schemas) {
  if (given?.$ref) return { ...resolved(schemas[given.$ref.split("/").at(-1)], schemas), ...(given.description && { description: given.description }) };
  const some = given?.anyOf?.filter((one) => one.type !== "null");
  if (some?.length === 1) return { ...resolved(some[0], schemas), ...(given.description && { description: given.description }) };
  return given ?? {};
}

function typeOf(schema) {
  return Array.isArray(schema.type) ? schema.type.find((one) => one !== "null") : schema.type;
}

/** The choices of a schema with a fixed set of values. */
function choices(schema) {
  if (schema.enum) return schema.enum.filter((one) => one !== null);
  if (schema.oneOf?.every((one) => one.const !== undefined)) return schema.oneOf.map((one) => one.const);
  return undefined;
}

/** One field per property of an object; `prefix` begins the fields' names. */
export function Fields({ schema, schemas, prefix = "", given = {}, skip = [] }) {
  const needed = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {})
    .filter(([name, one]) => !skip.includes(name) && one.const === undefined)
    .map(([name, one]) => html`<${Input} key=${prefix + name} name=${prefix + name} label=${name} schema=${resolved(one, schemas)} schemas=${schemas} needed=${needed.has(name)} given=${given[name]} />`);
}

function Input({ name, label, schema, schemas, needed, given }) {
  const hint = schema.description?.replaceAll("`", "");
  const words = label.replaceAll("_", " ");
  const title = `${words[0].toUpperCase()}${words.slice(1)}${needed ? " *" : ""}`;
  const known = choices(schema);
  const type = typeOf(schema);
  if (known) {
    return html`<${Field} label=${title} hint=${hint}>
      <select name=${name} required=${needed} defaultValue=${given}>${!needed && html`<option value=""></option>`}${known.map((one) => html`<option value=${one} selected=${one === given}>${one}</option>`)}</select>
    </${Field}>`;
  }
  if (type === "boolean") {
    return html`<${Field} label=${title} hint=${hint}><select name=${name} required=${needed}>${!needed && html`<option value=""></option>`}<option value="true">yes</option><option value="false">no</option></select></${Field}>`;
  }
  if (schema.oneOf) return html`<${Choice} name=${name} title=${title} hint=${hint} schema=${schema} schemas=${schemas} given=${given} />`;
  if (type === "object" && schema.properties) {
    return html`<fieldset><legend>${title}</legend><${Fields} schema=${schema} schemas=${schemas} prefix=${`${name}.`} /></fieldset>`;
  }
  if (type === "integer" || type === "number") {
    return html`<${Field} label=${title} hint=${hint}><input name=${name} type="number" step=${type === "integer" ? 1 : "any"} required=${needed} defaultValue=${given ?? ""} placeholder=${schema.default ?? ""} /></${Field}>`;
  }
  if (type === "string") {
    return html`<${Field} label=${title} hint=${hint}><input name=${name} required=${needed} defaultValue=${given ?? ""} autocomplete="off" /></${Field}>`;
  }
  return html`<${Field} label=${`${title}, JSON`} hint=${hint}><textarea name=${name} rows="2" class="mono" required=${needed}></textarea></${Field}>`;
}

/** One of several objects, told apart by a member that is constant in each. */
function Choice({ name, title, hint, schema, schemas, given }) {
  const shapes = schema.oneOf.map((one) => resolved(one, schemas));
  const tag = Object.entries(shapes[0].properties ?? {}).find(([, one]) => one.const !== undefined)?.[0];
  const [at, choose] = useState(0);
  if (!tag) return html`<${Field} label=${`${title}, JSON`} hint=${hint}><textarea name=${name} rows="2" class="mono"></textarea></${Field}>`;
  return html`<fieldset>
    <${Field} label=${title} hint=${shapes[at].description?.replaceAll("`", "") ?? hint}>
      <select name=${`${name}.${tag}`} value=${shapes[at].properties[tag].const} onChange=${(event) => choose(event.target.selectedIndex)}>
        ${shapes.map((one) => html`<option value=${one.properties[tag].const}>${one.properties[tag].const}</option>`)}
      </select>
    </${Field}>
    <${Fields} key=${at} schema=${shapes[at]} schemas=${schemas} prefix=${`${name}.`} given=${given} />
  </fieldset>`;
}

/** The object that a form of `schema` describes; fields that are left empty are left out. */
export function filled(schema, schemas, fields, prefix = "") {
  const value = {};
  for (const [name, one] of Object.entries(schema.properties ?? {})) {
    const found = read(resolved(one, schemas), schemas, fields, prefix + name);
    if (found !== undefined) value[name] = found;
  }
  return value;
}

function read(schema, schemas, fields, name) {
  const text = fields[name];
  const inner = Object.keys(fields).some((field) => field.startsWith(`${name}.`));
  if (schema.oneOf && inner) {
    const shape = schema.oneOf.map((one) => resolved(one, schemas)).find((one) => Object.entries(one.properties).some(([tag, of]) => of.const !== undefined && of.const === fields[`${name}.${tag}`]));
    const constants = Object.fromEntries(Object.entries(shape.properties).filter(([, one]) => one.const !== undefined).map(([tag, one]) => [tag, one.const]));
    return { ...filled(shape, schemas, fields, `${name}.`), ...constants };
  }
  if (typeOf(schema) === "object" && schema.properties) return inner ? filled(schema, schemas, fields, `${name}.`) : undefined;
  if (text === undefined) return undefined;
  if (choices(schema)) return text;
  switch (typeOf(schema)) {
    case "boolean":
      return text === "true";
    case "integer":
    case "number":
      return Number(text);
    case "string":
      return text;
    default:
      return parsed(name, text);
  }
}

function parsed(name, text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${name} must be JSON: ${error.message}`);
  }
}
