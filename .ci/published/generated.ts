// A client generated from the OpenAPI document, with its types, makes the calls of a deployment.
import assert from "node:assert/strict";
import createClient from "openapi-fetch";
import type { paths } from "./api.js";

const headers = { authorization: `Bearer ${process.env.STUNTDOUBLE_TOKEN}` };
const api = createClient<paths>({ baseUrl: process.env.STUNTDOUBLE_URL!, headers });

/** Returns the data of an answer; a refusal ends the program. */
async function good<T>(answer: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
    const { data, error, response } = await answer;
    assert.ok(response.ok, `${response.status} ${response.url}: ${JSON.stringify(error)}`);
    return data as T;
}

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

const [organization] = await good(api.GET("/v1/organizations"));
const made = await good(
    api.POST("/v1/projects", {
        body: { name: "shop", organization_id: organization!.id, region: "eu-west-1", db_pass: "correct horse" },
    }),
);
const path = { ref: made.id };
for (;;) {
    const { status } = await good(api.GET("/v1/projects/{ref}", { params: { path } }));
    if (status === "ACTIVE_HEALTHY") break;
    await pause(50);
}

const migration = { query: "create table item (id int primary key, name text)", name: "items" };
await good(api.POST("/v1/projects/{ref}/database/migrations", { params: { path }, body: migration }));
const sql = { query: "insert into item values (1, 'a') returning id" };
assert.deepEqual(await good(api.POST("/v1/projects/{ref}/database/query", { params: { path }, body: sql })), [{ id: 1 }]);
await good(api.POST("/v1/projects/{ref}/secrets", { params: { path }, body: [{ name: "KEY", value: "v" }] }));
const branch = await good(api.POST("/v1/projects/{ref}/branches", { params: { path }, body: { branch_name: "dev" } }));
const at = { branch_id: branch.id };
for (;;) {
    const { status } = await good(api.GET("/v1/branches/{branch_id}", { params: { path: at } }));
    if (status === "ACTIVE_HEALTHY") break;
    await pause(50);
}
const change = { query: "alter table item add column price int" };
const here = { ref: branch.project_ref };
await good(api.POST("/v1/projects/{ref}/database/query", { params: { path: here }, body: change }));
const diff = await good(api.GET("/v1/branches/{branch_id}/diff", { params: { path: at }, parseAs: "text" }));
assert.match(diff as string, /alter table .*item.* add column .*price/i);

const first = await good(
    api.POST("/v1/projects/{ref}/config/auth/signing-keys", { params: { path }, body: { algorithm: "ES256", status: "in_use" } }),
);
const keys = await good(api.GET("/v1/projects/{ref}/config/auth/signing-keys", { params: { path } }));
assert.deepEqual(keys.keys.map((key) => key.id), [first.id]);
const { pagination } = await good(api.GET("/v1/organizations/{slug}/projects", { params: { path: { slug: organization!.id } } }));
assert.equal(pagination.count, 1);

const { error, response } = await api.DELETE("/v1/projects/{ref}", { params: { path: { ref: "nosuchprojectatallxx" } } });
assert.deepEqual([response.status, error], [404, { message: "Project not found" }]);
await good(api.DELETE("/v1/projects/{ref}", { params: { path } }));
console.log("generated client: project, migration, SQL, secrets, branch and its difference, keys, pages, refusal, delete");
