// Examples: a project that comes up, and a lost answer.
import { expect } from "vitest";
import { test } from "../src/vitest.js";

const DEMO = { name: "demo", organization_id: "acme", region: "us-east-1", db_pass: "a-password" };

test("a project comes up", async ({ world }) => {
  const project = await world.call("POST", "/v1/projects", DEMO);
  await world.advance({ seconds: 60 });
  expect(await world.call("GET", `/v1/projects/${project.id}`)).toMatchObject({ status: "ACTIVE_HEALTHY" });
});

test("a lost answer is not a lost project", async ({ world }) => {
  await world.addFault({ on: { operation: "v1-create-a-project" }, effect: { kind: "lost_answer" } });
  await expect(world.call("POST", "/v1/projects", DEMO)).rejects.toThrow("fetch failed");
  expect(await world.call("GET", "/v1/projects")).toMatchObject([{ name: "demo" }]);
});
