// A published server of tools for models, started as its users start it. Each tool that reads or creates something is
// called.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const [, , program] = process.argv;
const { STUNTDOUBLE_URL: url, STUNTDOUBLE_TOKEN: token } = process.env;
const child = spawn(process.execPath, [program, "--api-url", url, "--access-token", token, "--features", "account,database,debugging,development,functions,branching,storage"], { stdio: ["pipe", "pipe", "inherit"] });
const waiting = new Map();
createInterface({ input: child.stdout }).on("line", (line) => {
    const message = JSON.parse(line);
    waiting.get(message.id)?.(message);
});
let last = 0;
const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const ask = (method, params) => new Promise((done) => {
    last += 1;
    waiting.set(last, ({ result, error }) => done(result ?? { isError: true, content: [{ text: JSON.stringify(error) }] }));
    send({ id: last, method, params });
});
const [called, failed] = [new Set(), new Set()];
const tool = async (name, given = {}) => {
    const { isError, content } = await ask("tools/call", { name, arguments: given });
    const text = content?.[0]?.text ?? "";
    if (isError) {
        failed.add(name);
        console.log(`${name} failed: ${text.slice(0, 400)}`);
    }
    else called.add(name);
    try {
        return JSON.parse(text);
    } catch {
        return text;
    }
};
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

const hello = { protocolVersion: "2025-03-26", capabilities: {}, clientInfo: { name: "ci", version: "1" } };
await ask("initialize", hello);
send({ method: "notifications/initialized" });
const { tools } = await ask("tools/list", {});

const organizations = await tool("list_organizations");
const [{ id: organization }] = organizations.organizations ?? organizations;
await tool("get_organization", { id: organization });
const cost = await tool("get_cost", { organization_id: organization, type: "project" });
const confirm = await tool("confirm_cost", { type: "project", recurrence: "monthly", amount: cost.amount });
const made = await tool("create_project", { name: "shop", region: "eu-west-1", organization_id: organization, confirm_cost_id: confirm.confirmation_id ?? confirm });
const project_id = made.id ?? made.ref;
for (let tries = 0; tries < 600; tries += 1) {
    if ((await tool("get_project", { id: project_id })).status === "ACTIVE_HEALTHY") break;
    await pause(50);
}
await tool("list_projects");
await tool("apply_migration", { project_id, name: "items", query: "create table item (id int primary key, name text)" });
await tool("list_migrations", { project_id });
assert.match(JSON.stringify(await tool("execute_sql", { project_id, query: "select 1 as one" })), /one.*:1/);
await tool("list_tables", { project_id, schemas: ["public"] });
await tool("list_extensions", { project_id });
await tool("get_logs", { project_id, service: "api" });
await tool("query_logs", { project_id, sql: "select event_message from logs" });
await tool("get_advisors", { project_id, type: "security" });
await tool("get_project_url", { project_id });
await tool("get_publishable_keys", { project_id });
await tool("generate_typescript_types", { project_id });
await tool("list_edge_functions", { project_id });
await tool("deploy_edge_function", { project_id, name: "hello", entrypoint_path: "index.ts", verify_jwt: true, files: [{ name: "index.ts", content: "export default 1" }] });
await tool("get_edge_function", { project_id, function_slug: "hello" });
const branch_cost = await tool("confirm_cost", { type: "branch", recurrence: "hourly", amount: 0.01344 });
const branch = await tool("create_branch", { project_id, name: "develop", confirm_cost_id: branch_cost.confirmation_id ?? branch_cost });
await pause(2000);
await tool("list_branches", { project_id });
await tool("reset_branch", { branch_id: branch.id });
await pause(500);
await tool("rebase_branch", { branch_id: branch.id });
await pause(500);
await tool("merge_branch", { branch_id: branch.id });
await pause(500);
await tool("delete_branch", { branch_id: branch.id });
await tool("list_storage_buckets", { project_id });
await tool("get_storage_config", { project_id });
await tool("pause_project", { project_id });
await pause(1000);
await tool("restore_project", { project_id });
console.log(`tools: ${called.size} of ${tools.length}; not called: ${tools.map((one) => one.name).filter((one) => !called.has(one)).join(" ")}`);
child.kill();
// They read catalogs that the embedded engine does not have.
const unable = ["list_tables", "list_extensions"];
process.exitCode = [...failed].some((name) => !unable.includes(name)) ? 1 : 0;
