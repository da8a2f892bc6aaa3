import { defineConfig } from "vitest/config";

// A sweep is many runs. This only ends a test that hangs.
export default defineConfig({ test: { testTimeout: 300_000 } });
