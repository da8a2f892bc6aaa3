// The TypeScript examples of the recipes, written here by .ci/pages.
import { expect, vi } from "vitest";
import { test, testInProcess } from "stuntdouble/vitest";

const DEMO = { name: "demo", organization_id: "acme", region: "us-east-1", db_pass: "a-password" };
