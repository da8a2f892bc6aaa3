// A call and a fork from Node.
import { Server } from "stuntdouble";
import { InProcess, fetchOf } from "stuntdouble/inprocess";

const [BATCHES, CALLS] = [21, 100];
const policy = { rate_limit: { enabled: false } };

async function measure(name, work) {
  let best = Infinity;
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const began = performance.now();
    for (let index = 0; index < CALLS; index += 1) await work();
    best = Math.min(best, ((performance.now() - began) / CALLS) * 1000);
  }
  console.log(`node    ${name.padEnd(28)} ${best.toFixed(1).padStart(8)} us`);
}

const sim = new InProcess({ seed: 7, policy });
const server = await Server.start();
const [world, there] = [sim.main, await server.createWorld({ policy })];
const sent = [["authorization", `Bearer ${world.token}`]];
const get = (fetch, { url, token }) =>
  fetch(`${url}/v1/organizations`, { headers: { authorization: `Bearer ${token}` } }).then((answer) => answer.json());

await measure("fork per test, in process", async () => (await world.fork()).delete());
await measure("world per test, socket", async () => (await there.fork()).delete());
await measure("bytes, in process", () => world.connection.send("GET", "/v1/organizations", sent));
await measure("world.call, in process", () => world.call("GET", "/v1/organizations"));
await measure("world.call, socket", () => there.call("GET", "/v1/organizations"));
await measure("fetch, in process", () => get(fetchOf(world), world));
await measure("fetch, socket", () => get(fetch, there));
sim.close();
await server.stop();
