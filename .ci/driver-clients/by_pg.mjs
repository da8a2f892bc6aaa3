// pg: parameters, named statements, transactions of a pool, errors.
import assert from "node:assert/strict";
import pg from "pg";

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 3 });
await pool.query("create table thing (id serial primary key, name text not null, doc jsonb, tags text[], at timestamptz)");
const insert = "insert into thing (name, doc, tags, at) values ($1, $2, $3, $4) returning *";
const at = new Date("2024-05-05T12:00:00Z");
const made = await pool.query(insert, ["x", { a: 1 }, ["p", "q"], at]);
assert.deepEqual(made.rows, [{ id: 1, name: "x", doc: { a: 1 }, tags: ["p", "q"], at }]);
assert.equal(made.command, "INSERT");
for (const id of [1, 2]) {
  const found = await pool.query({ name: "by-id", text: "select name from thing where id = $1", values: [id] });
  assert.equal(found.rowCount, id === 1 ? 1 : 0);
}
const client = await pool.connect();
await client.query("begin");
await client.query("insert into thing (name) values ('lost')");
await assert.rejects(client.query("insert into thing (name) values (null)"), (error) => {
  assert.deepEqual([error.code, error.severity, error.column === undefined || error.column === "name"], ["23502", "ERROR", true]);
  return true;
});
await assert.rejects(client.query("select 1"), { code: "25P02" });
await client.query("rollback");
client.release();
assert.deepEqual((await pool.query("select count(*) from thing")).rows, [{ count: "1" }]);
const several = await pool.query("select 1 as one; select 2 as two");
assert.deepEqual(several.map((result) => result.rows), [[{ one: 1 }], [{ two: 2 }]]);
await pool.end();
