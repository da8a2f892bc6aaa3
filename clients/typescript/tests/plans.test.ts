// Makes the calls of random plans, and compares the answers with those that the plans expect.
import { expect } from "vitest";
import { StuntdoubleError } from "../src/stuntdouble.js";
import { test } from "../src/vitest.js";

test("calls come to what the plan says", async ({ server }) => {
  const plans = await server.plans({ seed: 1, count: 3, operations: ["v1-create-a-project", "v1-list-all-projects"] });
  for (const plan of plans) {
    const world = await server.createWorld(plan.world);
    for (const step of plan.steps) {
      if ("until" in step) {
        await world.advance({ until: step.until });
        continue;
      }
      const came = await world.call(step.method, step.path, step.body, step.token ?? "").then(
        (body) => ({ body }),
        ({ status, reason }: StuntdoubleError) => ({ status, reason }),
      );
      expect(step.expect).toMatchObject(came);
    }
    await world.delete();
  }
});

test("good plans have no refusals", async ({ server }) => {
  const [plan] = await server.plans({ seed: 1, length: 30, good: true });
  const statuses = plan?.steps.map((step) => ("until" in step ? 200 : step.expect.status)) ?? [];
  expect(Math.max(...statuses)).toBeLessThan(400);
});
